"""Looseness of an inequality: the certified range of a ratio over a closed box, and a curve of
enclosures.

A bound that is true may be useless. The ratio of its two sides over a range of parameters says how
much it gives away: its infimum and supremum are bracketed by branch and bound, all decimals rounded
outward. It is shown and never judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from rgm_verify.claims.claim import Claim, Tightness
from rgm_verify.lenses.base import Context

_CURVE_POINTS = 41


def measure(claim: Claim, context: Context) -> list[dict[str, Any]]:
    """The certified range of each of the claim's ratios, as JSON data.

    Args:
        claim: The claim with its `tightness` entries.
        context: The profile, which bounds the number of boxes.

    Returns:
        One entry for each ratio, in the order of the claim.
    """
    return [_measure(t, context) for t in claim.tightness]


def _measure(tightness: Tightness, context: Context) -> dict[str, Any]:
    """Return the certified range of one ratio as JSON data, with a curve of enclosures along one variable.

    All decimals are rounded outward. `complete` is False if the boxes ran out: the range is then wider, and still
    certain.
    """
    from rgm_verify.balls.ranges import bound_range

    box = {s.name: (_fraction(lo), _fraction(hi)) for s, (lo, hi) in tightness.ranges.items()}
    found = bound_range(tightness.ratio, box, maximum_boxes=max(2_000, context.profile.boxes // 20))
    curve_variable, fixed = _curve_choice(tightness)
    return {
        "meaning": tightness.meaning,
        "box": {name: [str(lo), str(hi)] for name, (lo, hi) in box.items()},
        "infimum": list(found.infimum.decimals()),
        "supremum": list(found.supremum.decimals()),
        "where_infimum": _place(found.where_infimum),
        "where_supremum": _place(found.where_supremum),
        "complete": found.complete,
        "curve_variable": curve_variable.name if curve_variable is not None else "",
        "curve_fixed": {s.name: str(v) for s, v in fixed.items()},
        "curve": _curve(tightness, curve_variable, fixed),
    }


def _place(point: Mapping[str, Fraction] | None) -> dict[str, str]:
    """Return a point as texts of exact fractions."""
    return {} if point is None else {name: str(value) for name, value in point.items()}


def _fraction(value: Any) -> Fraction:
    """Return an exact number as a fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def _curve_choice(tightness: Tightness) -> tuple[sympy.Symbol | None, dict[sympy.Symbol, Fraction]]:
    """Return the variable of the curve and the values of the others: as given, else the middle of their ranges."""
    symbols = list(tightness.ranges)
    variable = tightness.plot[0] if tightness.plot else (symbols[0] if symbols else None)
    middle = {s: (_fraction(lo) + _fraction(hi)) / 2 for s, (lo, hi) in tightness.ranges.items()}
    fixed = {s: _fraction(tightness.at[s]) if s in tightness.at else middle[s] for s in symbols if s != variable}
    return variable, fixed


def _curve(tightness: Tightness, variable: sympy.Symbol | None, fixed: dict[sympy.Symbol, Fraction]) -> list[list[str]]:
    """Return points [x, lower, upper] of the ratio, certified; a point without a finite enclosure is left out."""
    from rgm_verify.balls.enclose import enclose

    if variable is None:
        return []
    lower, upper = (_fraction(v) for v in tightness.ranges[variable])
    points = []
    for i in range(_CURVE_POINTS):
        x = lower + (upper - lower) * Fraction(i, _CURVE_POINTS - 1)
        value = enclose(tightness.ratio, {**fixed, variable: x}, digits=8)
        # A gap in a curve is honest; a point without an enclosure would be a guess.
        if value.lower is not None and value.upper is not None:
            points.append([str(x), *value.decimals(8)])
    return points
