"""The axes that points are drawn on: domains of variables and coordinates, and exact rationals spread over them.

Claims fail at ends, at small integers, far out, or where two variables are equal; uniform points see
none of these. So an axis has round numbers, numbers spread over magnitudes, and numbers beside its
ends.
"""

from __future__ import annotations

import decimal
import hashlib
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.lenses.algebra.equations import Solved
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.floats import as_float
from rgm_verify.lenses.points.values import Value, exact

_ROUND = tuple(Fraction(t) for t in "0 1 -1 2 3 4 10 100 1/2 1/3 1/4 1/10 9/10 1/100 99/100 1/1000 3/2".split())
_SIMPLE = tuple(
    Fraction(t)
    for t in "0 1 2 3 4 5 10 100 1/2 1/3 2/3 1/4 3/4 1/5 1/10 9/10 1/100 99/100 1/1000 3/2 5/2 1000 11/10".split()
)


#: Powers of ten that are tried on half-lines and beside ends, where a claim may fail that holds everywhere else.
MAGNITUDES = (4, 5, 6, 8, 9, 10, 12, 15, 18, 20, 25, 30, 40, 60, 100, 200, 300, 500, 1000)
#: The most bits of an image of a chart, before or after the point: beyond every magnitude below.
_LONGEST = 4_000


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


def nearby_rational(image: Any) -> sympy.Rational | None:
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
