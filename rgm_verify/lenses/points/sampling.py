"""Choosing points: rows of simple rationals spread over a claim's domain, towards its ends and into its corners.

A point counts only if exact arithmetic is certain that it satisfies every hypothesis (`admissible`);
floats only drop rows that plainly do not.

Three ways lead to points of a thin domain: the claim's own chart (`points=`), hypotheses that are
equations and can be solved (`lenses.algebra.equations`), and, in a search, moves onto the boundary
of a hypothesis.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from rgm_verify.balls.enclose import rational_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.claim import Claim
from rgm_verify.lenses.algebra.equations import Solved, solved
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.axes import (
    MAGNITUDES,
    Coordinate,
    beside,
    coordinates,
    draw,
    generator_for,
    nearby_rational,
    real_constant,
    simple_values,
)
from rgm_verify.lenses.points.floats import as_float, as_real, numeric, robustness
from rgm_verify.lenses.points.values import ROOT, Point, Value, exact, truth_by_arb, with_numbers

# Points are combined from pools, since drawing a fresh Fraction for each coordinate takes longer than
# everything else.
_POOL = 600
#: Integers that are looked at one after the other: a claim may fail at one of them alone.
_CONSECUTIVE = 1_000
#: How many pools of values there are for one domain; making one takes longer than drawing many points from it.
_POOLS = 4
_ANY = sympy.Symbol("_any")


@lru_cache(maxsize=2_000)
def _pool(axis: Coordinate, number: int) -> Rows:
    """One of the pools of values on an axis, the same wherever it is asked for; a row holds one value."""
    return Rows.of([[value] for value in draw(axis, np.random.default_rng((_POOL, number)), _POOL)])


@lru_cache(maxsize=2_000)
def _simple_pool(axis: Coordinate) -> Rows:
    """The round numbers on an axis; a row holds one value."""
    return Rows.of([[value] for value in simple_values(axis)])


class Rows:
    """Rows of coordinates: floats for a quick look, and exact numbers for the few rows that are looked at closely.

    What a search has moved has no exact number before its row is asked for: then it gets a short one beside its float
    (`beside`), and what was moved to the boundary of a hypothesis the exact value there.

    Attributes:
        floats: Floats (rows, axes), infinite where a number is beyond their range.
        axes: The axis of each column, for what is moved.
    """

    def __init__(self, exact: np.ndarray, floats: np.ndarray, axes: Sequence[Coordinate] = ()) -> None:
        self.floats, self.axes = floats, axes
        self._exact = exact  # Fractions as objects, None where there is only a float
        self._boundaries: dict[int, list[tuple[int, float, Callable[..., Any]]]] = {}

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction]]) -> Rows:
        """Return rows that are given as exact numbers.

        Args:
            rows: Rows of equal length.
        """
        exact = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
        for row, values in zip(exact, rows, strict=True):
            row[:] = values
        return cls(exact, np.array(_floats(rows), dtype=float).reshape(exact.shape))

    @classmethod
    def picked(cls, pools: Sequence[Rows], places: Sequence[np.ndarray], axes: Sequence[Coordinate]) -> Rows:
        """Return rows of which each takes one value of each pool.

        Args:
            pools: Tables of one column.
            places: For each pool the places of the values.
            axes: The axis of each pool.
        """
        both = [(pool._exact[at], pool.floats[at]) for pool, at in zip(pools, places, strict=True)]
        return cls(np.hstack([exact for exact, _ in both]), np.hstack([floats for _, floats in both]), axes)

    def __len__(self) -> int:
        return len(self._exact)

    def __getitem__(self, place: int) -> list[Fraction]:
        self.settle(place)
        row: list[Fraction] = self._exact[place].tolist()
        return row

    def __iter__(self) -> Iterator[list[Fraction]]:
        return (self[place] for place in range(len(self)))

    def settle(self, place: int) -> None:
        """Make the exact numbers of a row.

        Args:
            place: The row.
        """
        row, moved = self._exact[place], self._boundaries.pop(place, [])
        drawn = {j: value for j, value, _ in reversed(moved)}  # the floats before they were moved to a boundary
        for j in range(len(row)):
            if row[j] is None:
                row[j] = beside(self.axes[j], drawn.get(j, float(self.floats[place, j])))
        for j, _, boundary in moved:
            value = _admitted(self.axes[j], row, boundary)
            row[j] = row[j] if value is None else value

    def copy_where(self, chosen: np.ndarray, others: Rows, places: np.ndarray) -> None:
        """Take coordinates of other rows, in the first rows.

        Args:
            chosen: A mask (rows, axes) of the coordinates that are taken.
            others: The rows that they are taken from, which are settled.
            places: For each row of the mask the one of `others` (rows,).
        """
        for mine, theirs in ((self._exact, others._exact), (self.floats, others.floats)):
            mine[: len(chosen)][chosen] = theirs[places][chosen]

    def move(self, places: np.ndarray, axis: int, values: np.ndarray) -> None:
        """Set a coordinate to floats.

        Args:
            places: The rows.
            axis: The column.
            values: Floats on its axis at these places of an array of all rows.
        """
        self.floats[places, axis] = values[places]
        self._exact[places, axis] = None

    def to_boundary(self, places: np.ndarray, axis: int, values: np.ndarray, boundary: Callable[..., Any]) -> None:
        """Set a coordinate to where a hypothesis is an equality.

        Args:
            places: The rows.
            axis: The column.
            values: The floats there, for these rows.
            boundary: The exact value as a function of a row of Fractions.
        """
        for place, before in zip(places.tolist(), self.floats[places, axis].tolist(), strict=True):
            self._boundaries.setdefault(place, []).append((axis, before, boundary))
        self.floats[places, axis] = values


def _admitted(axis: Coordinate, row: Sequence[Fraction], boundary: Callable[..., Fraction | None]) -> Fraction | None:
    """Return the value of a boundary at a row if it is a number that the axis admits."""
    value = boundary(*row)
    return value if value is not None and axis.admits(value) else None


class PointMaker:
    """Draws exact points for a claim and maps them from the chart to the claim's variables.

    Variables that are `known` in terms of the others (see `equations`) are computed, as exact constants where they are
    not rational.

    Attributes:
        claim: The claim.
        generator: The source of all draws.
        axes: The coordinates to draw.
        known: Variables computed from others.
        maps: Expressions in the coordinates for variables that are no coordinate.
        symbols: The claim's variables in order.
    """

    def __init__(
        self, claim: Claim, generator: np.random.Generator, *, charted: bool = True, known: Solved | None = None
    ) -> None:
        self.claim = claim
        self.generator = generator
        self.axes = coordinates(claim, charted=charted, known=known)
        chart = claim.sampling if charted else None
        self.known = dict(known or {})
        self.maps = dict(self.known) if chart is None else {s: sympy.sympify(e) for s, e in chart.maps.items()}
        self.symbols = [v.symbol for v in claim.variables]
        names = [axis.symbol for axis in self.axes]
        self._numeric = {s: numeric(_in_digits(e), names) for s, e in self.maps.items()}
        self._pools: list[Rows] = []

    def draw(self, count: int) -> Rows:
        """Return `count` coordinate tuples, each coordinate from a pool of exact values on its axis.

        The pools are drawn at the first call and kept, so that later calls combine the same values.

        Args:
            count: The number of rows, at least 1.
        """
        if not self._pools:
            self._pools = [
                _pool(replace(axis, symbol=_ANY), int(self.generator.integers(_POOLS))) for axis in self.axes
            ]
        return self._combine(self._pools, count)

    def draw_simple(self, count: int) -> Rows:
        """`count` coordinate tuples of round numbers only.

        Args:
            count: The number of rows, at least 1.
        """
        return self._combine([_simple_pool(replace(axis, symbol=_ANY)) for axis in self.axes], count)

    def lattice(self, count: int) -> Rows:
        """At most `count` coordinate tuples of integers, all of those closest to 0 or to an end; none for other axes.

        An equation in integers holds at few points, which are drawn by chance only.

        Args:
            count: The most rows.
        """
        if not self.axes or not all(axis.integer for axis in self.axes):
            return Rows.of([])
        side = 1
        while (side + 1) ** len(self.axes) <= count:
            side += 1
        return Rows.of(list(itertools.product(*(_first_integers(axis, side) for axis in self.axes))))

    def _combine(self, pools: list[Rows], count: int) -> Rows:
        """Return rows that take a value of each pool; one empty row where there is no axis."""
        if not pools:
            return Rows.of([[]])
        chosen = [self.generator.integers(len(pool), size=count) for pool in pools]
        return Rows.picked(pools, chosen, self.axes)

    def point(self, row: Sequence[Fraction]) -> Point | None:
        """Return the claim's variables at a coordinate tuple; None where a map is not real or not defined there.

        An image under a chart that is not rational is replaced by a rational beside it: any admissible point will do. A
        solution of the hypotheses keeps its exact value, since a point beside it would not solve them.

        Args:
            row: One value for each axis.
        """
        values = {axis.symbol: v for axis, v in zip(self.axes, row, strict=True)}
        found: Point = {}
        for symbol in self.symbols:
            image = values.get(symbol) if symbol not in self.maps else self._image(symbol, values)
            if image is None:
                return None
            found[symbol] = image
        return found

    def _image(self, symbol: sympy.Symbol, values: Mapping[sympy.Symbol, Fraction]) -> Value | None:
        """Return the value of a map, by exact arithmetic where that is enough: SymPy takes ten times as long."""
        expression = self.maps[symbol]
        try:
            quick = rational_at(expression, values)
        except UnsupportedExpression:
            quick = None
        if quick is not None:
            return quick
        image = with_numbers(expression, {s: rational(v) for s, v in values.items()})
        if image is None or isinstance(image, sympy.Rational):
            return None if image is None else exact(image)
        # A rational beside the image of a chart is as good as the image, and exact arithmetic with it is far cheaper.
        image = real_constant(image) if symbol in self.known else nearby_rational(image)
        return image if image is None or isinstance(image, Fraction) else exact(image)

    def far_rows(self) -> Rows:
        """Coordinate tuples far out on half-lines and close to ends: each axis by itself, and all of them together.

        The other coordinates are simple values meanwhile. Rows may break hypotheses; the caller puts those away.
        """
        places = [_far_values(axis) for axis in self.axes]
        middle = [simple_values(axis) for axis in self.axes]
        rows = []
        for j, values in enumerate(places):
            for base in range(3):
                row = [near[min(base, len(near) - 1)] for near in middle]
                rows += [[*row[:j], value, *row[j + 1 :]] for value in values]
        longest = max(map(len, places), default=0)
        if len(places) > 1:
            rows += [[v[i % len(v)] for v in places] for i in range(longest) if all(places)]
        return Rows.of(rows)

    def columns(self, rows: Rows) -> dict[sympy.Symbol, np.ndarray]:
        """The claim's variables as float columns, for a quick look at many rows.

        Args:
            rows: Rows of coordinates.
        """
        return self.columns_of(rows.floats)

    def columns_of(self, table: np.ndarray) -> dict[sympy.Symbol, np.ndarray]:
        """Return the claim's variables for float coordinates: `table` has a row for each point and a column for each
        axis.

        NaN where a map has no real value.

        Args:
            table: Floats, a row for each point.
        """
        count = len(table)
        axes = {axis.symbol: table[:, i] for i, axis in enumerate(self.axes)}
        with np.errstate(all="ignore"):  # a map need not be defined everywhere: such rows are dropped later
            return {
                s: as_real(self._numeric[s](*axes.values()), [np.empty(count)]) if s in self._numeric else axes[s]
                for s in self.symbols
            }


def _in_digits(image: sympy.Expr) -> sympy.Expr:
    """An image with floats for roots of polynomials, for which NumPy has no name."""
    return image.xreplace({root: root.evalf(17) for root in image.atoms(ROOT)})


def _floats(rows: Sequence[Sequence[Fraction]]) -> list[list[float]]:
    """Return the rows as floats."""
    try:  # what float(v) does, without its detours
        return [[v.numerator / v.denominator for v in row] for row in rows]
    except OverflowError:
        return [[as_float(v) for v in row] for row in rows]


def _first_integers(axis: Coordinate, count: int) -> list[Fraction]:
    """Return at most so many integers of an axis of integers: from its lower or upper end on, else around 0."""
    if axis.lower is not None:
        found = [math.ceil(axis.lower) + k for k in range(count + 1)]
    elif axis.upper is not None:
        found = [math.floor(axis.upper) - k for k in range(count + 1)]
    else:
        found = [(-1) ** k * ((k + 1) // 2) for k in range(count + 1)]
    # One more, as an open end is not admitted.
    return [value for value in map(Fraction, found) if axis.admits(value)][:count]


def _far_values(axis: Coordinate) -> list[Fraction]:
    """Return large numbers on an axis without an end, numbers close to an end, the ends, and the first integers.

    Limits and ends are where a wrong constant or a missing hypothesis shows. The powers of two are beyond the integers
    that floats and machine words represent.
    """
    steps = [Fraction(10) ** k for k in MAGNITUDES]
    values: list[Fraction] = []
    if axis.upper is None:
        values += [(axis.lower or Fraction(0)) + step for step in steps]
    if axis.lower is None:
        values += [(axis.upper or Fraction(0)) - step for step in steps]
    if axis.integer:
        # The neighbours differ in parity and in divisibility, on which a claim about integers may turn.
        values += [v + 1 for v in values] + [Fraction(2) ** k for k in (10, 20, 31, 53, 64)]
        values += [(axis.lower or Fraction(0)) + i for i in range(_CONSECUTIVE)]
    else:
        values += [
            end + side / step for end, side in ((axis.lower, 1), (axis.upper, -1)) if end is not None for step in steps
        ]
    values += [end for end in (axis.lower, axis.upper) if end is not None]
    return [v for v in dict.fromkeys(values) if axis.admits(v)]


def admissible(claim: Claim, point: Mapping[sympy.Symbol, Value], *, maximum_bits: int = 4096) -> bool:
    """Return whether the point certainly satisfies every assumption of the claim.

    Arb decides each assumption at up to `maximum_bits` bits; an undecided one counts as not satisfied.

    Args:
        point: A value for each variable.
        maximum_bits: The precision at which Arb gives up on an assumption.
    """
    integral = all(_is_integer(point[v.symbol]) for v in claim.variables if v.integer)
    return integral and all(
        truth_by_arb(h.formula, point, maximum_bits=maximum_bits) is True for h in claim.assumptions
    )


def _is_integer(value: Value) -> bool:
    """Return whether a coordinate is an integer; a constant that is not written as a rational is none."""
    return isinstance(value, Fraction) and value.denominator == 1


def makers(claim: Claim, purpose: str, seed: int) -> list[PointMaker]:
    """The sources of points for a claim: its sampling chart, or the solutions of its hypotheses that are equations.

    Args:
        purpose: The use of the points.
        seed: The seed of the run.

    Returns:
        At least one maker. The first branch has the purpose alone, so that its points do not depend on
        the other branches.
    """
    ways: list[Solved] = [{}] if claim.sampling is not None else solved(claim)
    return [
        PointMaker(claim, generator_for(claim.id, purpose if i == 0 else f"{purpose}, branch {i}", seed), known=known)
        for i, known in enumerate(ways)
    ]


def exact_points(claim: Claim, purpose: str, seed: int, count: int) -> Iterator[Point]:
    """Yield up to `count` distinct exact points that certainly satisfy the claim's assumptions.

    The sources take turns, so that each branch of solutions is seen. The claim, `purpose`, `seed` and `count` determine
    the points. There may be fewer, even none, where the assumptions hold on a thin set.

    Args:
        purpose: The use of the points.
        seed: The seed of the run.
        count: The most points that are yielded.
    """
    if not claim.variables:
        yield {}
        return
    sources = [_admissible_points(claim, maker, count) for maker in makers(claim, purpose, seed)]
    seen: set[tuple[Value, ...]] = set()
    while sources and len(seen) < count:
        for source in list(sources):
            point = next(source, None)
            if point is None:
                sources.remove(source)
            elif tuple(point.values()) not in seen and len(seen) < count:
                seen.add(tuple(point.values()))
                yield point


def _admissible_points(claim: Claim, maker: PointMaker, count: int) -> Iterator[Point]:
    """Yield admissible points of one source, after at most 12 draws of 40 rows for each wanted point."""
    plausible = _plausibility(claim, maker)
    seen: set[tuple[Value, ...]] = set()
    for _ in range(12):
        for row in plausible(maker.draw(40 * count)):
            point = maker.point(row)
            if point is None or tuple(point.values()) in seen:
                continue
            seen.add(tuple(point.values()))
            if admissible(claim, point):
                yield point


def _plausibility(claim: Claim, maker: PointMaker) -> Callable[[Rows], Iterator[list[Fraction]]]:
    """A float filter that drops the rows that are clearly not admissible."""
    conditions = [robustness(h.formula, maker.symbols) for h in claim.assumptions]

    def plausible(rows: Rows) -> Iterator[list[Fraction]]:
        columns = maker.columns(rows)
        keep = np.ones(len(rows), dtype=bool)
        for condition in conditions:
            # A margin for the rounding of floats: what passes is certified exactly afterwards.
            keep &= condition(*(columns[s] for s in maker.symbols)) >= -1e-9
        return (rows[int(i)] for i in np.flatnonzero(keep))

    return plausible
