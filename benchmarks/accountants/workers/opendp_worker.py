"""Accountants of OpenDP: concentrated privacy of Gaussians, and pure privacy of Laplace noise, composed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import opendp.prelude as dp
from serve import Accountant, serve

dp.enable_features("contrib")


def composed(run: Mapping[str, Any]) -> Any:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    if run["kind"] == "laplace":
        return dp.c.make_composition([dp.m.make_laplace(*space, scale=run["noise"])] * run["steps"])
    many = dp.c.make_composition([dp.m.make_gaussian(*space, scale=run["noise"])] * run["steps"])
    return dp.c.make_zCDP_to_approxDP(many)


def ask(found: Any, run: Mapping[str, Any], at: float) -> float:
    cost = found.map(1.0)
    return float(cost if run["kind"] == "laplace" else cost.epsilon(at))


ACCOUNTANTS = {
    "opendp": Accountant(
        "make_composition of make_gaussian, then make_zCDP_to_approxDP; of make_laplace, as pure privacy",
        "upper bound",
        "none: rounded outward",
        composed,
        ask,
        ("opendp",),
        ("gaussian", "laplace"),
        most_steps=1000,
    ),
}

if __name__ == "__main__":
    serve(ACCOUNTANTS)
