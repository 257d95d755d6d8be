"""Thin places: points where a claim may fail that holds nearly everywhere.

A claim fails on a thin set where something about it changes: at a kink, a jump, a pole, a zero of a
part, where two parts are equal, at a number that the claim names, beside an end, far out, or at one
parity. On a line through the domain, all coordinates but one being fixed, the places of change are
solved for; they, the middles between two of them, and points beside them at distances down to 1e-30
are looked at. Where two changes meet, the place of the first is put into the second.

Nothing here decides anything. Every point is a candidate, which exact arithmetic confirms or drops.
The work is counted: so many equations and so many points, the same on every machine.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np
import sympy

from rgm_verify.balls.binding import BINDERS, evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import Formula, relations
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.axes import Coordinate, real_constant, simple_values
from rgm_verify.lenses.points.floats import as_real, numeric
from rgm_verify.lenses.points.mpmath_code import mpmath_function
from rgm_verify.lenses.points.sampling import PointMaker
from rgm_verify.lenses.points.values import Point, Value, as_sympy, with_numbers

__all__ = ["changes", "thin_points"]

#: Distances from a place: all of them beside the ends and the first places, some of them beside the others.
_NEAR = tuple(Fraction(1, 10**k) for k in range(1, 31))
_SOME = tuple(Fraction(1, 10**k) for k in (3, 5, 7, 8, 9, 10, 11, 12, 15, 20, 30))
_FAR = tuple(Fraction(10) ** k for k in range(1, 31))
#: Integers beside a place, and as distances from a large number: they have every remainder by 2, 3, 4 and 6.
_BESIDE_INTEGERS = range(-3, 4)
_POWERS = tuple(Fraction(2) ** k for k in (10, 16, 20, 24, 31, 32, 40, 53, 63, 64, 80, 100))
#: Longer parts (in operations) are not solved, and of longer differences no slope is looked at.
_LONGEST, _LONGEST_SLOPE = 80, 60
#: The most parts of a claim, the most places on a line, and the most zeros of a part that digits are spent on.
_MOST_CHANGES, _MOST_PLACES, _MOST_ZEROS = 24, 40, 6
_MOST_POINTS = 1_500
#: With an integral or a sum a single point may take as long as all the others.
_MOST_POINTS_OF_BINDERS = 40
_TURNS = (0, 1, -1, 2, -2, 3, -3)
_DIGITS = 45
_ERRORS = (ZeroDivisionError, ValueError, OverflowError, TypeError, NameError, ArithmeticError, NotImplementedError)
_CIRCULAR = (sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc)
_WAVE = sympy.Function("multiples of a quarter turn")
_STEP = sympy.Function("integers")


def thin_points(claim: Claim, conclusion: Formula, maker: PointMaker) -> Iterator[Point]:
    """Yield candidates for a failure on a thin set, what is likely and cheap first; the same for the same claim.

    Args:
        claim: The claim, for its hypotheses.
        conclusion: The formula that may fail.
        maker: The axes, and how coordinates become the claim's variables.

    Yields:
        At most a fixed number of points, each with an exact value for each variable. They may be outside of the
        domain or break a hypothesis.
    """
    if not maker.axes:
        return
    binds = any(side.has(*BINDERS, sympy.Integral) for r in relations(conclusion) for side in (r.lhs, r.rhs))
    most = _MOST_POINTS_OF_BINDERS if binds else _MOST_POINTS
    seen: set[tuple[Value, ...]] = set()
    for row in _rows(claim, conclusion, maker):
        point = _point(maker, row)
        if point is None or (key := tuple(point.values())) in seen:
            continue
        seen.add(key)
        yield point
        if len(seen) >= most:
            return


def _rows(claim: Claim, conclusion: Formula, maker: PointMaker) -> Iterator[list[Value]]:
    """Yield coordinates: places of change on lines through simple points, where two of them meet, ends and far."""
    axes = maker.axes
    parts = [part.xreplace(maker.maps) for part in changes(conclusion, tuple(h.formula for h in claim.hypotheses))]
    numbers = _numbers(conclusion)
    starts = _starts(maker)
    lines: list[Iterator[list[Value]]] = []
    for start in starts:
        for j, axis in enumerate(axes):
            found = _places(axis, _on_line(parts, axes, start, j), numbers)
            lines.append(_along(axis, start, j, found))
    lines += [_ends_together(axes, start) for start in starts[:1]] if len(axes) > 1 else []
    lines += [_meetings(axes, start, parts, numbers) for start in starts[:2]] if len(axes) > 1 else []
    lines += [_one_by_one(axes, start, parts, numbers) for start in starts[:1]] if len(axes) > 2 else []
    # In turns, so that no line takes the points of the others.
    while lines:
        for line in list(lines):
            some = list(itertools.islice(line, 60))
            yield from some
            if len(some) < 60:
                lines.remove(line)


def _point(maker: PointMaker, row: Sequence[Value]) -> Point | None:
    """Return the claim's variables at coordinates that may be irrational; None where a map has no real value."""
    if all(isinstance(v, Fraction) for v in row):
        return maker.point([v for v in row if isinstance(v, Fraction)])
    if maker.maps:
        return None
    return dict(zip((axis.symbol for axis in maker.axes), row, strict=True))


def _starts(maker: PointMaker) -> list[list[Fraction]]:
    """Return simple coordinates that lines go through: few, and one where there is a single axis."""
    middles = [simple_values(axis) for axis in maker.axes]
    if len(middles) == 1:
        return [[middles[0][0]]]
    # Different values on different axes, as a claim may be one of equality where all are equal.
    rows = [[near[(base + j) % len(near)] for j, near in enumerate(middles)] for base in range(3)]
    return [list(row) for row in dict.fromkeys(map(tuple, rows))]


@lru_cache(maxsize=256)
def changes(conclusion: Formula, hypotheses: tuple[Formula, ...] = ()) -> tuple[sympy.Expr, ...]:
    """Expressions at whose zeros something about a formula changes.

    They are the differences of its sides, what roots, logarithms, powers, |x| and signs are taken of, differences of
    the members of maxima and minima, sums within it, and slopes. What floors and circular functions are taken of comes
    in a function of its own, which vanishes at the integers and at the multiples of a quarter turn.

    Args:
        hypotheses: Formulas that hold; only their sides are looked at.

    Returns:
        Expressions with free symbols, each once, those of the innermost parts first.
    """
    found: dict[sympy.Expr, None] = {}
    sides = [evaluated(s) for r in relations(conclusion) for s in (r.lhs, r.rhs)]
    for node in (n for side in sides for n in sympy.postorder_traversal(side)):
        if isinstance(node, sympy.Expr) and node.free_symbols:
            found.update(dict.fromkeys(_of_node(node)))
    gaps = [evaluated(r.gap) for formula in (conclusion, *hypotheses) for r in relations(formula)]
    for gap in gaps:
        for factor in sympy.Mul.make_args(sympy.numer(gap)):
            found[factor.as_base_exp()[0]] = None
    for gap in gaps:
        if sympy.count_ops(gap) <= _LONGEST_SLOPE and not gap.has(*BINDERS, sympy.Integral, sympy.Max, sympy.Min):
            found.update({sympy.diff(gap, s): None for s in sorted(gap.free_symbols, key=str) if not s.is_integer})
    bound = {s for side in sides for n in side.atoms(*BINDERS, sympy.Integral) for s in _bound(n)}
    kept = [e for e in found if e.free_symbols and not e.free_symbols & bound and sympy.count_ops(e) <= _LONGEST]
    return tuple(kept[:_MOST_CHANGES])


def _bound(node: sympy.Expr) -> set[sympy.Basic]:
    """Return the symbols that a term binds."""
    return {s for s in node.atoms(sympy.Symbol) if s not in node.free_symbols}


def _of_node(node: sympy.Expr) -> Iterator[sympy.Expr]:
    """Yield what changes one term where it vanishes."""
    if isinstance(node, sympy.Max | sympy.Min):
        yield from (a - b for a, b in itertools.combinations(node.args, 2))
    elif isinstance(node, sympy.floor | sympy.ceiling):
        yield _STEP(node.args[0])
    elif isinstance(node, _CIRCULAR):
        yield _WAVE(node.args[0])
    elif isinstance(node, sympy.Pow):
        yield from (node.base, node.exp)
    elif isinstance(node, sympy.Add):
        yield node
    elif isinstance(node, sympy.Function):
        yield from (a for a in node.args if isinstance(a, sympy.Expr))


def _numbers(formula: Formula) -> list[Fraction]:
    """Return the rational numbers that a formula names, which may be values of its variables."""
    found = sorted({n for r in relations(formula) for s in (r.lhs, r.rhs) for n in s.atoms(sympy.Rational)}, key=str)
    return [Fraction(int(n.p), int(n.q)) for n in found][:8]


def _on_line(parts: Iterable[sympy.Expr], axes: Sequence[Coordinate], row: Sequence[Value], j: int) -> list[sympy.Expr]:
    """Return the parts with all coordinates but one at their values, where they depend on that one."""
    at = {axis.symbol: as_sympy(v) for k, (axis, v) in enumerate(zip(axes, row, strict=True)) if k != j}
    found = [with_numbers(part, at) for part in parts if part.has(axes[j].symbol)]
    return [e for e in dict.fromkeys(found) if e is not None and e.free_symbols == {axes[j].symbol}]


def _places(axis: Coordinate, parts: Iterable[sympy.Expr], numbers: Sequence[Fraction]) -> list[Value]:
    """Return the places of change on an axis, each once: exact where they are solved for, else 40 digits of them."""
    found: dict[Value, None] = {}
    for part in parts:
        for value in _zeros(part, axis):
            found[value] = None
        if len(found) >= _MOST_PLACES:
            break
    return [*found, *(v for n in numbers for v in (n, -n) if v not in found)][: 2 * _MOST_PLACES]


def _zeros(part: sympy.Expr, axis: Coordinate) -> list[Value]:
    """Return the zeros of a part on an axis that were found; none of a part that other coordinates put on a pole."""
    if part.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
        return []
    inner = part.args[0] if isinstance(part, (_STEP, _WAVE)) else part
    levels: list[sympy.Expr] = [sympy.S.Zero]
    if isinstance(part, _STEP):
        levels = [sympy.Integer(k) for k in _levels(inner, axis)]
    elif isinstance(part, _WAVE):
        levels = [k * sympy.pi / 2 for k in _TURNS]
    exact = [_real(root) for level in levels for root in roots(inner - level, axis.symbol)]
    found = [v for v in exact if v is not None]
    return found or [v for level in levels[:3] for v in _by_digits(inner - level, axis)]


def _levels(inner: sympy.Expr, axis: Coordinate) -> list[int]:
    """Return integers that a part may pass on an axis: those around 0, and around its values at both ends."""
    found = dict.fromkeys((0, 1, -1, 2, 3))
    for end in (axis.lower, axis.upper):
        value = None if end is None else with_numbers(inner, {axis.symbol: rational(end)})
        if value is not None and value.is_Rational:
            found.update(dict.fromkeys((math.floor(value) + 1, math.ceil(value) - 1, math.ceil(value) - 2)))
    return list(found)


def _real(root: sympy.Expr) -> Value | None:
    """Return a root that is a real number of readable length, else None."""
    return real_constant(root) if sympy.count_ops(root) <= _LONGEST else None


def _by_digits(part: sympy.Expr, axis: Coordinate) -> list[Value]:
    """Return changes of sign of a function of one variable, as rationals of 40 digits: floats first, then mpmath."""
    grid = _grid(axis)
    column = np.array([float(v) for v in grid])
    with np.errstate(all="ignore"):
        values = as_real(numeric(part, [axis.symbol])(column), [column])
    signs = np.sign(values)
    pairs = [i for i in range(len(grid) - 1) if signs[i] * signs[i + 1] < 0]
    zeros: list[Value] = [grid[i] for i in range(len(grid)) if signs[i] == 0][:_MOST_ZEROS]
    if not pairs:
        return zeros
    fresh = sympy.Dummy("v")
    try:
        function: Any = mpmath_function([fresh], part.xreplace({axis.symbol: fresh}))
    except _ERRORS:
        return zeros
    for i in pairs[:_MOST_ZEROS]:
        value = _between(function, grid[i], grid[i + 1])
        zeros += [] if value is None else [value]
    return zeros


@lru_cache(maxsize=512)
def _grid(axis: Coordinate) -> list[Fraction]:
    """Return places on an axis in order: even steps and steps by factors, which see a function from end to end."""
    low, high = axis.lower, axis.upper
    shares = [Fraction(k, 64) for k in range(1, 64)] + [Fraction(1, 2**k) for k in range(7, 40, 2)]
    if low is not None and high is not None:
        found = [low + (high - low) * s for s in shares] + [high - (high - low) * s for s in shares[63:]]
    elif low is not None:
        found = [low + s / (1 - s) for s in shares] + [low + 1 / s for s in shares[63:]]
    elif high is not None:
        found = [high - s / (1 - s) for s in shares] + [high - 1 / s for s in shares[63:]]
    else:
        ahead = [s / (1 - s) for s in shares] + [1 / s for s in shares[63:]]
        found = [Fraction(0), *ahead, *(-v for v in ahead)]
    return sorted(set(found))


def _between(function: Any, low: Fraction, high: Fraction) -> Fraction | None:
    """Return a zero between two places of different sign to 40 digits; None where mpmath finds none."""
    with mpmath.workdps(_DIGITS):
        ends = [mpmath.mpf(v.numerator) / v.denominator for v in (low, high)]
        try:
            found = mpmath.findroot(function, ends, solver="anderson", verify=False, maxsteps=60)
            if isinstance(found, mpmath.mpc) or not mpmath.isfinite(found):
                return None
            return Fraction(int(mpmath.nint(found * mpmath.mpf(10) ** 40)), 10**40)
        except _ERRORS:
            return None


def _along(axis: Coordinate, row: Sequence[Value], j: int, found: Sequence[Value]) -> Iterator[list[Value]]:
    """Yield a line's points: its places of change, the middles between them, beside them, beside ends and far out."""
    for value in _candidates(axis, found):
        if not isinstance(value, Fraction) or axis.admits(value):
            yield [*row[:j], value, *row[j + 1 :]]


def _candidates(axis: Coordinate, found: Sequence[Value]) -> Iterator[Value]:
    """Yield values of a coordinate from its places of change, those first that need the fewest others."""
    if not axis.integer:
        yield from found
    near = list(dict.fromkeys(_rounded(v) for v in found))
    ordered = sorted(v for v in near if v is not None)
    middles = [(a + b) / 2 for a, b in itertools.pairwise(ordered)]
    if axis.integer:
        yield from _integers(axis, [*(v for v in near if v is not None), *middles])
        return
    yield from middles
    yield from _beside_ends(axis)
    for i, value in enumerate(v for v in near if v is not None):
        size = max(abs(value), Fraction(1))
        steps = _NEAR if i < 3 else _SOME
        yield from (value + side * step * size for step in steps for side in (1, -1))


def _rounded(value: Value) -> Fraction | None:
    """Return a value that is rational already, or its first 40 digits."""
    if isinstance(value, Fraction):
        return value
    digits = value.evalf(_DIGITS)
    if not digits.is_Float:
        return None
    shown = sympy.Rational(str(digits))
    return Fraction(int(shown.p), int(shown.q))


def _integers(axis: Coordinate, places: Sequence[Fraction]) -> Iterator[Fraction]:
    """Yield integers beside places, far out at every remainder, and beside powers of two and squares."""
    for value in places:
        yield from (Fraction(math.floor(value) + step) for step in _BESIDE_INTEGERS)
    start = Fraction(math.ceil(axis.lower)) if axis.lower is not None else Fraction(0)
    side = -1 if axis.lower is None and axis.upper is not None else 1
    large = [power + step for power in _FAR for step in (0, 1, -1)] + [p + step for p in _POWERS for step in (0, 1, -1)]
    for value in large:
        yield side * value
        if axis.lower is None and axis.upper is None:
            yield -value
    for power in (_FAR[7], _FAR[11], _FAR[17]):
        yield from (side * power + step for step in range(2, 7))
    yield from (start + step for step in range(48))


def _beside_ends(axis: Coordinate) -> Iterator[Fraction]:
    """Yield an axis's ends, points beside them, beside 0, and far out."""
    for end, side in ((axis.lower, 1), (axis.upper, -1)):
        if end is not None:
            yield end
            yield from (end + side * step for step in _NEAR)
        else:
            yield from (-side * far for far in _FAR)
    yield from (side * step for step in _SOME for side in (1, -1))


def _ends_together(axes: Sequence[Coordinate], row: Sequence[Value]) -> Iterator[list[Value]]:
    """Yield points at which all coordinates, or two of them, are beside ends or far out at the same time."""
    tables = [[v for v in _beside_ends(axis) if axis.admits(v)] for axis in axes]
    tables = [
        [v for v in _integers(axis, ()) if axis.admits(v)] if axis.integer else table
        for axis, table in zip(axes, tables, strict=True)
    ]
    longest = max(map(len, tables), default=0)
    for i in range(longest):
        if all(tables):
            yield [table[min(i, len(table) - 1)] for table in tables]
    for j, k in itertools.combinations(range(len(axes)), 2):
        for first, second in itertools.product(tables[j][::5], tables[k][::5]):
            moved = list(row)
            moved[j], moved[k] = first, second
            yield moved


def _one_by_one(
    axes: Sequence[Coordinate], row: Sequence[Value], parts: Sequence[sympy.Expr], numbers: Sequence[Fraction]
) -> Iterator[list[Value]]:
    """Yield points of which each coordinate is a place of change, the earlier ones being where they are."""
    rows: list[list[Value]] = [list(row)]
    for j, axis in enumerate(axes):
        moved = []
        for start in rows[:_MOST_ZEROS]:
            places = [
                v for v in map(_rounded, _places(axis, _on_line(parts, axes, start, j), numbers)) if v is not None
            ]
            moved += [[*start[:j], v, *start[j + 1 :]] for v in places if axis.admits(v)][:_MOST_ZEROS]
        rows = moved or rows
    yield from rows


def _meetings(
    axes: Sequence[Coordinate], row: Sequence[Value], parts: Sequence[sympy.Expr], numbers: Sequence[Fraction]
) -> Iterator[list[Value]]:
    """Yield points where two parts change at once: the place of the first as a function of the other coordinates."""
    for j, k in itertools.permutations(range(len(axes)), 2):
        symbol, other = axes[j].symbol, axes[k].symbol
        for part in parts:
            if isinstance(part, (_STEP, _WAVE)) or not part.has(symbol):
                continue
            for root in roots(part, symbol)[:2]:
                if sympy.count_ops(root) > _LONGEST or root.has(sympy.I, sympy.zoo, sympy.nan):
                    continue
                rest = [p.xreplace({symbol: root}) for p in parts if p != part]
                line = _on_line([p for p in rest if p.has(other)], axes, row, k)
                fixed = {
                    a.symbol: as_sympy(v) for a, v in zip(axes, row, strict=True) if a.symbol not in (symbol, other)
                }
                curve = with_numbers(root, fixed)
                if curve is not None:
                    yield from _met(axes, row, (j, k), curve, _places(axes[k], line, numbers))


def _met(
    axes: Sequence[Coordinate], row: Sequence[Value], pair: tuple[int, int], root: sympy.Expr, found: Sequence[Value]
) -> Iterator[list[Value]]:
    """Yield the points of one curve at the places found on it, and points beside them in the other coordinate."""
    j, k = pair
    for place in found:
        near = _rounded(place)
        if near is None:
            continue
        beside = [near + side * step for step in _SOME[::3] for side in (1, -1)]
        for value in (place, *beside):
            there = with_numbers(root, {axes[k].symbol: as_sympy(value)})
            first = None if there is None else _real(there)
            if first is None:
                continue
            moved: list[Value] = list(row)
            moved[j], moved[k] = first, value
            if all(not isinstance(v, Fraction) or a.admits(v) for a, v in zip(axes, moved, strict=True)):
                yield moved
