"""Accountants of opacus: privacy random variables, Renyi, and Gaussian DP by a central limit theorem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from opacus.accountants import GaussianAccountant, PRVAccountant, RDPAccountant
from serve import Accountant, serve


def with_history(kind: Any) -> Callable[[Mapping[str, Any]], Any]:
    def make(run: Mapping[str, Any]) -> Any:
        found = kind()
        found.history = [(run["noise"], run["rate"], run["steps"])]
        return found

    return make


def ask(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(found.get_epsilon(delta=at))


PACKAGES = ("opacus", "torch", "numpy", "scipy")
KINDS = ("gaussian", "sampled")
ACCOUNTANTS = {
    "opacus-prv": Accountant(
        "PRVAccountant().get_epsilon(delta), by default eps_error=0.01, delta_error=delta/1000",
        "upper bound",
        "0.01 in epsilon and delta/1000 in delta, both within the upper end that it gives",
        with_history(PRVAccountant),
        ask,
        PACKAGES,
        KINDS,
        unit=0.01,
    ),
    "opacus-rdp": Accountant(
        "RDPAccountant().get_epsilon(delta), orders by default",
        "upper bound",
        "none: Renyi bounds are upper bounds",
        with_history(RDPAccountant),
        ask,
        PACKAGES,
        KINDS,
    ),
    "opacus-gdp": Accountant(
        "GaussianAccountant().get_epsilon(delta)",
        "estimate",
        "none: a central limit theorem, an approximation",
        with_history(GaussianAccountant),
        ask,
        PACKAGES,
        KINDS,
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
