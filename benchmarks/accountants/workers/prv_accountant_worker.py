"""The accountant of prv_accountant: privacy random variables with stated errors of epsilon and delta."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prv_accountant import (
    GaussianMechanism,
    LaplaceMechanism,
    PoissonSubsampledGaussianMechanism,
    PRVAccountant,
)
from serve import Accountant, serve

ERROR = 0.01
SHARE = 1e-3


def law(run: Mapping[str, Any]) -> Any:
    if run["kind"] == "laplace":
        return LaplaceMechanism(mu=1 / run["noise"])
    if run["kind"] == "sampled":
        return PoissonSubsampledGaussianMechanism(sampling_probability=run["rate"], noise_multiplier=run["noise"])
    return GaussianMechanism(run["noise"])


def ends(found: Any, run: Mapping[str, Any], at: float) -> tuple[float, float]:
    account = PRVAccountant(prvs=[found], eps_error=ERROR, delta_error=SHARE * at, max_self_compositions=[run["steps"]])
    lower, _, upper = account.compute_epsilon(at, [run["steps"]])
    return lower, upper


ACCOUNTANTS = {
    "prv_accountant": Accountant(
        "PRVAccountant(eps_error=0.01, delta_error=delta/1000), both ends of compute_epsilon",
        "interval",
        "0.01 in epsilon and delta/1000 in delta, both within the ends that it gives",
        law,
        ends,
        ("prv-accountant", "numpy", "scipy"),
        ("gaussian", "sampled", "laplace"),
        unit=ERROR,
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
