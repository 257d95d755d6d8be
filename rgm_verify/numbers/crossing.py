"""The point where a decreasing probability, known by enclosures, falls to a level: between two certified rationals.

The idea: floats choose where to look, enclosures decide what is seen. A point counts as `fails` or `holds` only if its
whole enclosure lies on that side of the level, so that no choice of the search can make the result wrong, only slow.
The search walks in `log(point)` against `log(odds of the probability)`, in which the curves of privacy (Gaussian tails
over a scale of noise) are nearly linear, and a secant needs few evaluations.

Limits: the probability has to be nonincreasing in its argument, which is the caller's to know; an enclosure at a point
is all that is checked here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from rgm_verify.errors import InputError

Ends = tuple[Fraction, Fraction]
"""A lower and an upper bound of one number."""

Probability = Callable[[Fraction, int], Ends]
"""Encloses a probability at a point, to about the given number of significant digits."""

MOST_DIGITS = 800
_LARGEST_EXPONENT = 300.0
# A bracket takes a handful of evaluations and a secant about ten; many more mean a probability that does not fall.
_MOST_EVALUATIONS = 200
# A guess is usually within a factor of 4; a smaller step would cost evaluations more often than a larger one.
_STEP = math.log(4.0)


@dataclass(frozen=True)
class Crossing:
    """The two certified ends of a crossing: the level fails at the one and holds at the other.

    Attributes:
        fails: a rational at which the probability is certified to be above the level.
        holds: a larger rational at which it is certified to be at most the level; the end that is safe to use.
        evaluations: the number of enclosures that were computed, those with more digits counted again.
    """

    fails: Fraction
    holds: Fraction
    evaluations: int


class Unfinished(ArithmeticError):
    """As many values as were allowed do not show the level from both sides."""


class OutOfRange(InputError):
    """The level is not crossed between 1e-300 and 1e300."""


@dataclass
class _Search:
    """The state of one search: the level, what lies below every value, and the points that are known.

    Each known point is `(log(point), height, point)`. Only the rational and the side of the level are certain; the two
    floats steer. `kept` remembers the sides of the last points, for noticing a secant that is stuck.
    """

    probability: Probability
    level: Fraction
    floor: Fraction
    digits: int
    significant: int
    most: int = _MOST_EVALUATIONS
    evaluations: int = 0
    fails: tuple[float, float, Fraction] | None = None
    holds: tuple[float, float, Fraction] | None = None
    kept: list[bool] = field(default_factory=list)

    def look(self, place: float) -> bool:
        """Decide whether the level holds at the short rational next to exp(`place`), and remember it."""
        # Beyond this range `exp(place)` leaves the floats, and with it the rational next to it.
        if abs(place) > _LARGEST_EXPONENT * math.log(10):
            raise OutOfRange("the level is not crossed between 1e-300 and 1e300")
        if self.evaluations >= self.most:
            raise Unfinished(f"no bracket after {self.evaluations} evaluations")
        point = short_rational(place, self.significant)
        below, height = self._decide(point)
        known = (log(point), height, point)
        if below:
            self.holds = known
        else:
            self.fails = known
        self.kept.append(below)
        return below

    def _decide(self, point: Fraction) -> tuple[bool, float]:
        """Return whether the level certainly holds at a point, and the height there for the next secant.

        Digits are doubled until the enclosure lies on one side. An enclosure that ends exactly at the level from below
        counts as `holds`, since the level itself is allowed. Raises `ArithmeticError` at `MOST_DIGITS`, where the
        probability is most likely the level itself.
        """
        digits = self.digits
        while True:
            self.evaluations += 1
            lower, upper = self.probability(point, digits)
            if upper <= self.level or lower > self.level:
                return upper <= self.level, self._height((lower + upper) / 2)
            if digits >= MOST_DIGITS:
                raise ArithmeticError(f"{digits} digits do not decide on which side of the level the probability is")
            digits *= 2

    def _height(self, value: Fraction) -> float:
        """log((value - floor)/(1 - value)) relative to the level: nearly linear far out, both towards 0 and 1."""
        above, level_above = value - self.floor, self.level - self.floor
        below, level_below = 1 - value, 1 - self.level
        # Enclosures reach beyond 0 and 1 where digits are few; an infinite height makes the secant give way to
        # bisection.
        if above <= 0 or below <= 0:
            return -math.inf if above <= 0 else math.inf
        return log(above / level_above) - log(below / level_below)


def crossing(
    probability: Probability,
    level: Fraction,
    *,
    guess: float,
    floor: Fraction = Fraction(0),
    tolerance: Fraction = Fraction(1, 10**6),
    step: float = _STEP,
    most_evaluations: int = _MOST_EVALUATIONS,
) -> Crossing:
    """Bracket the point where `probability`, nonincreasing in a positive argument, falls to `level`.

    A safeguarded secant in logarithmic coordinates. The ends are short rationals, and each is certified by its own
    enclosure: more digits are asked for until the level is on one side.

    Args:
        probability: maps a positive rational and a number of digits to a lower and an upper bound of the probability
            there. A decided number (both ends equal) is taken as it is.
        level: the probability to fall to, with `floor < level < 1`; unchecked.
        guess: the natural logarithm of a first guess of the argument. A poor one costs evaluations only.
        floor: what the probability tends to for large arguments, or anything below.
        tolerance: the ends satisfy `holds / fails <= 1 + tolerance`, unless the evaluations run out.
        step: the logarithm of the first factor away from the guess; it doubles from step to step.
        most_evaluations: after so many enclosures the ends are those that are certified by then, however far apart.

    Returns:
        Two exact rationals around the crossing, `fails < holds`. `holds` is the safe one for a scale of noise.

    Raises:
        OutOfRange: where nothing is crossed in [1e-300, 1e300].
        Unfinished: where the evaluations ran out before the level was seen from both sides.
        ArithmeticError: where 800 digits do not decide a side.

    Examples:
        >>> found = crossing(lambda x, digits: (1 / (1 + x), 1 / (1 + x)), Fraction(1, 4), guess=0.0)
        >>> found.fails < 3 <= found.holds <= found.fails * (1 + Fraction(1, 10**6))
        True
    """
    # A point near the level is a relative `share` away from it and from 1: so many digits more are needed to tell.
    width = math.log1p(float(tolerance))
    share = min((level - floor) / level, 1 - level)
    search = _Search(
        probability,
        level,
        floor,
        digits=10 + _digits(share),
        significant=3 + max(0, math.ceil(-math.log10(width))),
        most=most_evaluations,
    )
    _bracket(search, guess, step)
    while True:
        fails, holds = search.fails, search.holds
        if fails is None or holds is None:
            raise ArithmeticError("a bracket without ends")
        if holds[2] <= fails[2] * (1 + tolerance) or search.evaluations >= search.most:
            return Crossing(fails[2], holds[2], search.evaluations)
        # Never nearer to an end than 0.4 of the width: else a secant that is exact on one side would creep, and short
        # rationals could coincide with the end.
        margin = 0.4 * width
        # The secant is clipped into the bracket, so that every evaluation moves an end.
        search.look(min(max(_estimate(search), fails[0] + margin), holds[0] - margin))


def _bracket(search: _Search, guess: float, step: float) -> None:
    """Walk from the guess, in steps that double, until the level has been seen on both sides."""
    # The probability falls: where the level holds already, the crossing lies at smaller arguments.
    direction = -1 if search.look(guess) else 1
    place = guess
    while search.fails is None or search.holds is None:
        place += direction * step
        step *= 2
        search.look(place)


def _estimate(search: _Search) -> float:
    """The secant through both ends; the middle when the same end has moved twice or a height is infinite."""
    if search.fails is None or search.holds is None:
        raise ArithmeticError("a bracket without ends")
    (left, high, _), (right, low, _) = search.fails, search.holds
    # A secant on a curved function moves the same end again and again; three times is enough to bisect instead.
    stuck = len(search.kept) >= 3 and len(set(search.kept[-3:])) == 1
    if stuck or not (math.isfinite(high) and math.isfinite(low)) or high <= low:
        search.kept.clear()
        return (left + right) / 2
    return left + (right - left) * high / (high - low)


def short_rational(place: float, significant: int) -> Fraction:
    """Return the decimal with `significant` digits that is nearest to exp(`place`), up to the rounding of floats.

    Short, because what follows is exact arithmetic with it, whose cost grows with its length. The result is exact as a
    rational; that it is near exp(`place`) only steers the search.
    """
    exponent, rest = divmod(place / math.log(10), 1.0)
    mantissa = round(math.pow(10, rest + significant - 1))
    # The power of 10 is exact, so that the same decimal comes out on every machine unless the mantissa is a close call.
    unit: Fraction = Fraction(10) ** (int(exponent) - significant + 1)
    return mantissa * unit


def log(value: Fraction) -> float:
    """Return the natural logarithm of a positive rational of any size, as a float within a few roundings.

    Numerator and denominator are taken apart, as either may lie beyond the range of floats. For a value near 1 the
    difference cancels: the error is then relative to the logarithms of the two, not to the result.
    """
    return math.log(value.numerator) - math.log(value.denominator)


def _digits(share: Fraction) -> int:
    """Return how many digits a relative difference of `share` takes."""
    return max(0, math.ceil(-log(share) / math.log(10)))
