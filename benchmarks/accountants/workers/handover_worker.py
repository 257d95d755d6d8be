"""Our own hand-over to dp-accounting."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import dp_accounting
from serve import Accountant, serve

from rgm_verify.accounting.handover import RelativeGaussianAccountant, RelativeGaussianDpEvent


def account(run: Mapping[str, Any]) -> Any:
    relation = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
    found = RelativeGaussianAccountant(neighboring_relation=relation)
    eta, gamma = Fraction(run["eta"]), Fraction(run["noise"])
    event: Any = dp_accounting.GaussianDpEvent(run["noise"])
    if run["kind"] == "sampled":
        event = dp_accounting.PoissonSampledDpEvent(run["rate"], event)
    if run["kind"] == "rgm":
        event = RelativeGaussianDpEvent(eta, gamma, run["dimension"], relation)
    return found.compose(event, run["steps"])


def ask(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(found.get_epsilon(at) if run["asks"] == "epsilon" else found.get_delta(at))


ACCOUNTANTS = {
    "rgm_verify-handover": Accountant(
        "RelativeGaussianAccountant() of events",
        "upper bound",
        "none: an upper bound, or a refusal",
        account,
        ask,
        ("rgm-verify", "dp-accounting", "numpy", "scipy"),
        ("rgm", "gaussian", "sampled"),
        ("epsilon", "delta"),
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
