"""Choosing points: simple rationals spread over a claim's domain, towards its ends and into its
corners.

Claims fail at ends, at small integers, far out, or where two variables are equal; uniform points see
none of these. So an axis has round numbers, numbers spread over magnitudes, and numbers beside its
ends, all exact rationals. A point counts only if exact arithmetic is certain that it satisfies every
hypothesis (`admissible`); floats only drop rows that plainly do not.

Three ways lead to points of a thin domain: the claim's own chart (`points=`), hypotheses that are
equations and can be solved (`lenses.algebra.equations`), and, in a search, moves onto the boundary
of a hypothesis.
"""

from __future__ import annotations

import builtins
import decimal
import dis
import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation
from rgm_verify.lenses.algebra.equations import Solved, solved
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.values import ROOT, Point, Value, exact, truth_by_arb

_ROUND = tuple(Fraction(t) for t in "0 1 -1 2 3 4 10 100 1/2 1/3 1/4 1/10 9/10 1/100 99/100 1/1000 3/2".split())
# Points are combined from pools, since drawing a fresh Fraction for each coordinate takes longer than
# everything else.
_POOL = 600
#: The most bits of an image of a chart, before or after the point: beyond every magnitude below.
_LONGEST = 4_000
#: Powers of ten that are tried on half-lines and beside ends, where a claim may fail that holds everywhere else.
MAGNITUDES = (4, 5, 6, 8, 9, 10, 12, 15, 18, 20, 25, 30, 40, 60, 100, 200, 300, 500, 1000)
_SIMPLE = tuple(
    Fraction(t)
    for t in "0 1 2 3 4 5 10 100 1/2 1/3 2/3 1/4 3/4 1/5 1/10 9/10 1/100 99/100 1/1000 3/2 5/2 1000 11/10".split()
)


def generator_for(claim_id: str, purpose: str, seed: int) -> np.random.Generator:
    """A generator that depends only on the claim, the purpose and the seed.

    Args:
        purpose: The use of the points, so that two uses see different ones.
        seed: The seed of the run.
    """
    digest = hashlib.sha256(f"{claim_id}|{purpose}|{seed}".encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest[:16], "big")))


@dataclass(frozen=True)
class Coordinate:
    """One axis to draw from; open ends are never drawn.

    Attributes:
        symbol: The variable of the claim or of its chart.
        lower: The lower end, None for minus infinity.
        upper: The upper end, None for infinity.
        lower_open: Whether the lower end is left out.
        upper_open: Whether the upper end is left out.
        integer: Whether only integers lie on the axis.
    """

    symbol: sympy.Symbol
    lower: Fraction | None
    upper: Fraction | None
    lower_open: bool
    upper_open: bool
    integer: bool = False

    def admits(self, value: Fraction) -> bool:
        """Return whether `value` lies on the axis.

        Exact: open ends are not admitted, and on an axis of integers nothing else is.

        Args:
            value: An exact number.

        Examples:
            >>> import sympy
            >>> axis = Coordinate(sympy.Symbol("x"), Fraction(0), Fraction(1), True, False)
            >>> axis.admits(Fraction(0)), axis.admits(Fraction(1)), axis.admits(Fraction(2))
            (False, True, False)
        """
        # By hand: this is asked millions of times, and to compare two Fractions takes far longer.
        n, q = value.numerator, value.denominator
        if self.integer and q != 1:
            return False
        if self.lower is not None:
            above = n * self.lower.denominator - self.lower.numerator * q
            if above < 0 or (above == 0 and self.lower_open):
                return False
        if self.upper is not None:
            below = self.upper.numerator * q - n * self.upper.denominator
            if below < 0 or (below == 0 and self.upper_open):
                return False
        return True


def coordinates(claim: Claim, *, charted: bool = True, known: Solved | None = None) -> tuple[Coordinate, ...]:
    """The axes to draw from: those of the claim's sampling chart, or its variables but for those that are `known`.

    Ranges of a chart are closed; variables keep the ends of their domains, open or closed. `known` are variables whose
    values follow from others by the hypotheses.

    Args:
        charted: Whether the claim's sampling chart is used, if it has one.
        known: Variables that are computed from others.

    Returns:
        One axis for each coordinate. The ends of a chart's ranges are never drawn: a chart may be
        singular there.
    """
    if charted and claim.sampling is not None:
        return tuple(
            Coordinate(s, _fraction(lo), _fraction(hi), True, True, bool(s.is_integer))
            for s, (lo, hi) in claim.sampling.ranges.items()
        )
    return tuple(
        Coordinate(v.symbol, v.lower, v.upper, v.lower_open, v.upper_open, v.integer)
        for v in claim.variables
        if v.symbol not in (known or {})
    )


def _fraction(value: Any) -> Fraction | None:
    """Return an end of a range as an exact fraction, None for an infinite one."""
    return None if value is None else Fraction(int(value.numerator), int(value.denominator))


def draw(axis: Coordinate, generator: np.random.Generator, count: int) -> list[Fraction]:
    """`count` exact values on an axis: simple numbers, numbers spread over magnitudes, numbers near the ends.

    The same for the same state of the generator, on every machine. It goes on until so many are admitted, so that an
    axis must admit something.
    """
    values: list[Fraction] = []
    while len(values) < count:
        # In blocks, as a call for each number takes longer than all that is done with it.
        for numbers in generator.random((count, 4)).tolist():
            value = _draw_one(axis, *numbers)
            if axis.integer:
                value = Fraction(round(value))
            if axis.admits(value):
                values.append(value)
    return values[:count]


def simple_values(axis: Coordinate) -> list[Fraction]:
    """Round numbers on the axis, or whatever was drawn if there are none.

    Returns:
        At least one value; on a bounded axis with few round numbers, round shares of its length as
        well.
    """
    values = [v for v in _ROUND if axis.admits(v)]
    if axis.lower is not None and axis.upper is not None and len(values) < 4:
        values += [axis.lower + (axis.upper - axis.lower) * share for share in _ROUND if 0 < share < 1]
        values = [v for v in values if axis.admits(v)]
    return values or draw(axis, np.random.default_rng(0), 4)


def _draw_one(axis: Coordinate, how: float, which: float, side: float, far: float) -> Fraction:
    """Make one exact point of an axis of four numbers in [0, 1): a simple rational, or two digits at a magnitude.

    Magnitudes lie between 1e-5 and 1e3. Between two ends the place is a share of the way, even or close to one of them.
    Ends may be drawn where they are open; the caller keeps what the axis admits.
    """
    # A witness is worth more where a reader can check it by hand, so a third of all points are simple.
    if how < 0.35:
        simple = _SIMPLE[int(which * len(_SIMPLE))]
        if axis.lower is None:
            return simple if side < 0.5 else -simple
        if axis.upper is not None:
            return axis.lower + (axis.upper - axis.lower) * (simple if simple <= 1 else 1 / simple)
        return simple if simple >= axis.lower and side < 0.7 else axis.lower + simple
    if axis.lower is not None and axis.upper is not None:
        return _within(axis.lower, axis.upper, how, which, side)
    magnitude = _two_digits(10 ** (8 * far - 5))
    if axis.lower is not None:
        return axis.lower + magnitude
    if axis.upper is not None:
        return axis.upper - magnitude
    return magnitude if side < 0.5 else -magnitude


def _within(lower: Fraction, upper: Fraction, how: float, which: float, side: float) -> Fraction:
    """A point between two ends: a 64th of the way where `how` is below 3/4, else close to an end by a power law."""
    if how < 0.75:
        share = Fraction(int(which * 65), 64)
    else:
        share = min(_two_digits(10 ** (5 * which - 5)), Fraction(1))
        share = 1 - share if side < 0.5 else share
    return lower + (upper - lower) * share


def _two_digits(value: float) -> Fraction:
    """Round a positive float to two significant decimal digits, as an exact fraction."""
    exponent = math.floor(math.log10(value))
    return _decimal(max(10, min(99, round(value / 10.0 ** (exponent - 1)))), exponent - 1)


@lru_cache(maxsize=4_000)
def _decimal(digits: int, exponent: int) -> Fraction:
    """Return digits times a power of ten: there are few, and they are asked for often."""
    return Fraction(digits) * Fraction(10) ** exponent


def inside(axis: Coordinate, values: np.ndarray) -> np.ndarray:
    """Return where floats lie on an axis, up to the rounding of its ends.

    Args:
        axis: The axis.
        values: Floats, NaN and infinite ones among them, which lie on none.
    """
    found: np.ndarray = np.isfinite(values)
    if axis.integer:
        found &= values == np.round(values)
    if axis.lower is not None:
        lower = as_float(axis.lower)
        found &= values > lower if axis.lower_open else values >= lower
    if axis.upper is not None:
        upper = as_float(axis.upper)
        found &= values < upper if axis.upper_open else values <= upper
    return found


def beside(axis: Coordinate, value: float) -> Fraction:
    """Return a short exact number on an axis beside a float that lies on it.

    The float itself where no shorter one is on the axis, as close to an open end.
    """
    if axis.integer:
        short = [Fraction(round(value))]
    else:
        bounded = axis.lower is not None and axis.upper is not None
        short = [Fraction(value).limit_denominator(10**6 if bounded else 10**8), Fraction(f"{value:.6g}")]
    found = (v for v in (*short, Fraction(value)) if axis.admits(v))
    return next(found, None) or simple_values(axis)[0]


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


def _admitted(axis: Coordinate, row: Sequence[Fraction], boundary: Callable[..., Any]) -> Fraction | None:
    """Return the value of a boundary at a row if it is a number that the axis admits."""
    try:
        value = boundary(*row)
    except ZeroDivisionError:
        return None
    return Fraction(value) if isinstance(value, int | Fraction) and axis.admits(Fraction(value)) else None


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
        values = {axis.symbol: rational(v) for axis, v in zip(self.axes, row, strict=True)}
        found: Point = {}
        for symbol in self.symbols:
            image = self.maps[symbol].xreplace(values) if symbol in self.maps else values.get(symbol)
            if not isinstance(image, sympy.Rational):
                # A rational beside the image of a chart is as good as the image, and exact arithmetic
                # with it is far cheaper.
                image = real_constant(image) if symbol in self.known else _nearby(image)
            if image is None:
                return None
            found[symbol] = image if isinstance(image, Fraction) else exact(image)
        return found

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


def as_float(value: Fraction) -> float:
    """Return a fraction as a float, infinite where it is too large.

    Args:
        value: An exact number.
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


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


def real_constant(image: Any) -> Value | None:
    """An image that is an exact real constant, else None.

    Args:
        image: An expression of SymPy's, or None.

    Returns:
        None for a term with a free symbol, an infinity, an imaginary part, or of which SymPy does not
        know that it is real.
    """
    if image is None or image.free_symbols or image.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I):
        return None
    return exact(image) if image.is_real else None


def _nearby(image: Any) -> sympy.Rational | None:
    """A rational of 25 digits beside an image; None where it is no real number, or too long to be written out."""
    from rgm_verify.balls.enclose import enclose
    from rgm_verify.balls.program import UnsupportedExpression

    if image is None:
        return None
    try:
        middle = enclose(image, {}, digits=25).midpoint()
    except UnsupportedExpression:
        return None
    if middle is None:
        return None
    # To write out what is longer takes minutes, and nothing is looked at so far out.
    if (size := middle.numerator.bit_length() - middle.denominator.bit_length()) > _LONGEST:
        return None
    if size < -_LONGEST:
        return sympy.Integer(0)
    # Exact ends may have thousands of digits, which no reader wants and no solver takes.
    short = decimal.Context(prec=25).divide(Decimal(middle.numerator), Decimal(middle.denominator))
    return rational(Fraction(short).limit_denominator(10**9))


#: Functions that NumPy has, under the names by which SymPy writes them.
_ELEMENTARY = frozenset({
    sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh,
    sympy.atan, sympy.Abs, sympy.Max, sympy.Min,
})  # fmt: skip


def numeric(expression: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> Callable[..., Any]:
    """A vectorised float function of `symbols`; NaN where there is none, as for an integral or an unknown function.

    Args:
        expression: An expression in the symbols.
        symbols: The order of the arguments.

    Returns:
        A function of one array for each symbol. It may be complex or NaN; `as_real` makes such values
        NaN.
    """
    return _numeric(expression, tuple(symbols))


@lru_cache(maxsize=2_000)
def _numeric(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Callable[..., Any]:
    """Make the function once: controls of a claim share most of its expressions."""
    from rgm_verify.balls.special import NUMPY_FUNCTIONS

    # Some sums have a value without a sum, such as a harmonic number.
    plain = evaluated(expression)
    if plain.has(sympy.Integral, sympy.Sum, sympy.Product):
        return _nowhere
    # Fresh names, because a symbol called gamma would hide the function of that name.
    fresh = {s: sympy.Dummy(f"v{i}") for i, s in enumerate(symbols)}
    # NumPy takes no logarithm of an integer that is longer than its own.
    long = {n: sympy.Float(n) for n in plain.atoms(sympy.Integer) if abs(n) >= 2**63}
    # SciPy is slow to load, and most claims need none of its functions.
    special = any(type(node) not in _ELEMENTARY for node in sympy.preorder_traversal(plain) if node.args)
    modules = [NUMPY_FUNCTIONS, *(("scipy",) if special else ()), "numpy"]
    try:
        function: Callable[..., Any] = sympy.lambdify(
            list(fresh.values()), plain.xreplace({**fresh, **long}), modules, cse=True
        )
    except NotImplementedError:
        # SymPy writes no code for it, as for a derivative of an unknown function.
        return _nowhere
    return _nowhere if _missing(function) else function


def _nowhere(*columns: np.ndarray) -> np.ndarray:
    """NaN at every point: the values of an expression that floats do not know."""
    return np.full(columns[0].shape if columns else (), np.nan)


def _missing(function: Callable[..., Any]) -> set[str]:
    """Return the functions that made code calls and that none of its modules has, such as an unknown `f`."""
    code: Any = function
    called = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return {name for name in called if name not in code.__globals__ and not hasattr(builtins, name)}


def robustness(
    formula: Formula,
    symbols: Sequence[sympy.Symbol],
    of_relation: Callable[[Relation], Callable[..., np.ndarray]] | None = None,
) -> Callable[..., np.ndarray]:
    """Return a float function that is positive where the formula holds and negative where it fails, relative to its
    sides.

    It takes one array for each symbol and returns an array of the same shape. It only guides a search: what the search
    finds is certified afterwards. `of_relation` may replace the measure of a single relation.

    Args:
        symbols: The order of the arguments.
        of_relation: The measure of one relation; None takes the difference of the sides relative to
            their sum.

    Returns:
        The measure, where a conjunction has its least part and an alternative its greatest.
    """
    match formula:
        case Relation():
            return _relation_robustness(formula, symbols) if of_relation is None else of_relation(formula)
        case All(parts):
            return _combine(np.minimum, [robustness(p, symbols, of_relation) for p in parts])
        case Either(parts):
            return _combine(np.maximum, [robustness(p, symbols, of_relation) for p in parts])
        case Implies(left, right):
            first, second = robustness(left, symbols, of_relation), robustness(right, symbols, of_relation)
            return lambda *a: np.maximum(-first(*a), second(*a))
        case Iff(left, right):
            first, second = robustness(left, symbols, of_relation), robustness(right, symbols, of_relation)
            return lambda *a: np.minimum(np.maximum(-first(*a), second(*a)), np.maximum(first(*a), -second(*a)))


def _combine(how: Any, parts: list[Callable[..., np.ndarray]]) -> Callable[..., np.ndarray]:
    """Return the measure that takes the least or the greatest of several."""
    return lambda *a: how.reduce([part(*a) for part in parts])


def _relation_robustness(relation: Relation, symbols: Sequence[sympy.Symbol]) -> Callable[..., np.ndarray]:
    """Return the measure of one relation: the difference of its sides relative to the sum of their
    absolute values.
    """
    lhs, rhs = numeric(relation.lhs, symbols), numeric(relation.rhs, symbols)
    # A side that is 0 has no size: an equation is compared with what is added up.
    terms = [t for side in (relation.lhs, relation.rhs) for t in sympy.Add.make_args(side)]
    empty = 0 in (relation.lhs, relation.rhs)
    sizes = [numeric(t, symbols) for t in terms] if relation.op == "==" and empty else []

    def value(*columns: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            left, right = as_real(lhs(*columns), columns), as_real(rhs(*columns), columns)
            # The tiny number keeps 0 <= 0 from being 0/0.
            scale = np.abs(left) + np.abs(right) + 1e-300
            if sizes:
                scale = sum((np.abs(as_real(size(*columns), columns)) for size in sizes), scale)
            gap: np.ndarray = (left - right if relation.op in (">=", ">") else right - left) / scale
            if relation.op in ("==", "!="):
                gap = -np.abs(gap) if relation.op == "==" else np.abs(gap)
        return gap

    return value


def as_real(value: Any, columns: Sequence[np.ndarray]) -> np.ndarray:
    """The values of a float function, NaN where they are not real.

    Args:
        value: A number or an array, possibly complex.
        columns: Columns that the result has the shape of.
    """
    array = np.asarray(value)
    if np.iscomplexobj(array):
        array = np.where(array.imag == 0, array.real, np.nan)
    return np.broadcast_to(array.astype(float), columns[0].shape) if columns else array.astype(float)


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
