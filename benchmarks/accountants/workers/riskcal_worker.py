"""Accountants of riskcal: its own name for connected dots, and rates of misses of attacks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from riskcal.accountants import CTDAccountant
from riskcal.analysis import get_beta_from_gdp, get_beta_from_pld
from serve import Accountant, serve


def account(run: Mapping[str, Any]) -> Any:
    found = CTDAccountant()
    found.history = [(run["noise"], run["rate"], run["steps"])]
    return found.get_pld()


def epsilon(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(found.get_epsilon_for_delta(at))


def misses(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(get_beta_from_pld(found, at))


def distance(run: Mapping[str, Any]) -> float:
    return float(math.sqrt(run["steps"]) / run["noise"])


def gaussian_misses(found: Any, run: Mapping[str, Any], at: float) -> float:
    return float(get_beta_from_gdp(found, at))


PACKAGES = ("riskcal", "dp-accounting", "numpy", "scipy")
ACCOUNTANTS = {
    "riskcal-ctd": Accountant(
        "CTDAccountant: get_pld() with its grid_step=1e-4, get_epsilon_for_delta as its get_epsilon",
        "upper bound",
        "none: a pessimistic estimate by dp-accounting",
        account,
        epsilon,
        PACKAGES,
        ("gaussian", "sampled"),
    ),
    "riskcal-beta": Accountant(
        "get_beta_from_pld of CTDAccountant.get_pld()",
        "value",
        "none is stated",
        account,
        misses,
        PACKAGES,
        ("gaussian",),
        ("beta",),
    ),
    "riskcal-beta-gdp": Accountant(
        "get_beta_from_gdp(sqrt(steps) / noise, alpha)",
        "value",
        "none is stated",
        distance,
        gaussian_misses,
        PACKAGES,
        ("gaussian",),
        ("beta",),
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
