"""Accountants of dp-accounting: distributions of losses, the same by events, and Renyi."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dp_accounting
from dp_accounting.pld import privacy_loss_distribution as pld
from serve import Accountant, serve

INTERVAL = 1e-4


def distribution(run: Mapping[str, Any]) -> Any:
    if run["kind"] == "laplace":
        one = pld.from_laplace_mechanism(run["noise"], value_discretization_interval=INTERVAL)
    else:
        one = pld.from_gaussian_mechanism(
            run["noise"], value_discretization_interval=INTERVAL, sampling_prob=run["rate"]
        )
    return one.self_compose(run["steps"])


def of_distribution(found: Any, run: Mapping[str, Any], at: float) -> float:
    if run["asks"] == "epsilon":
        return float(found.get_epsilon_for_delta(at))
    return float(found.get_delta_for_epsilon(at))


def event(run: Mapping[str, Any]) -> Any:
    if run["kind"] == "laplace":
        one: Any = dp_accounting.LaplaceDpEvent(run["noise"])
    else:
        one = dp_accounting.GaussianDpEvent(run["noise"])
    if run["kind"] == "sampled":
        one = dp_accounting.PoissonSampledDpEvent(run["rate"], one)
    return dp_accounting.SelfComposedDpEvent(one, run["steps"])


def by_events(run: Mapping[str, Any]) -> Any:
    return dp_accounting.pld.PLDAccountant().compose(event(run))


def renyi(run: Mapping[str, Any]) -> Any:
    return dp_accounting.rdp.RdpAccountant().compose(event(run))


def of_accountant(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(found.get_epsilon(at) if run["asks"] == "epsilon" else found.get_delta(at))


PACKAGES = ("dp-accounting", "numpy", "scipy")
KINDS, ASKS = ("gaussian", "sampled", "laplace"), ("epsilon", "delta")
BOUND = "none: a pessimistic estimate is an upper bound"
ACCOUNTANTS = {
    "dp_accounting-pld": Accountant(
        "from_gaussian_mechanism or from_laplace_mechanism (connected dots, pessimistic, "
        "value_discretization_interval=1e-4), self_compose",
        "upper bound",
        BOUND,
        distribution,
        of_distribution,
        PACKAGES,
        KINDS,
        ASKS,
    ),
    "dp_accounting-events": Accountant(
        "PLDAccountant() of events, all by default",
        "upper bound",
        BOUND,
        by_events,
        of_accountant,
        PACKAGES,
        KINDS,
        ASKS,
    ),
    "dp_accounting-rdp": Accountant(
        "RdpAccountant() of events, all by default",
        "upper bound",
        "none: Renyi bounds are upper bounds",
        renyi,
        of_accountant,
        PACKAGES,
        KINDS,
        ASKS,
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
