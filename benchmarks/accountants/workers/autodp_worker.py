"""Accountants of autodp: the exact Gaussian mechanism, and Renyi."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from autodp.mechanism_zoo import ExactGaussianMechanism, GaussianMechanism, LaplaceMechanism
from autodp.transformer_zoo import AmplificationBySampling, Composition
from serve import Accountant, serve


def exact_gaussian(run: Mapping[str, Any]) -> Any:
    return ExactGaussianMechanism(sigma=run["noise"] / math.sqrt(run["steps"]))


def renyi(run: Mapping[str, Any]) -> Any:
    if run["kind"] == "laplace":
        one: Any = LaplaceMechanism(b=run["noise"])
    else:
        one = GaussianMechanism(sigma=run["noise"], approxDP_off=True)
    if run["kind"] == "sampled":
        one = AmplificationBySampling(PoissonSampling=True)(one, run["rate"], improved_bound_flag=True)
    return Composition()([one], [run["steps"]])


def ask(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(found.get_approxDP(at))


PACKAGES = ("autodp", "numpy", "scipy")
ACCOUNTANTS = {
    "autodp-exact-gaussian": Accountant(
        "ExactGaussianMechanism(sigma / sqrt(steps)).get_approxDP(delta)",
        "value",
        "none is stated",
        exact_gaussian,
        ask,
        PACKAGES,
        ("gaussian",),
    ),
    "autodp-rdp": Accountant(
        "Composition of GaussianMechanism(approxDP_off=True), AmplificationBySampling(PoissonSampling=True) with "
        "improved_bound_flag, or LaplaceMechanism; get_approxDP(delta)",
        "upper bound",
        "none: Renyi bounds are upper bounds",
        renyi,
        ask,
        PACKAGES,
        ("gaussian", "sampled", "laplace"),
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
