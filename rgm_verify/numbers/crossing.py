"""The point where a decreasing probability, known by enclosures, falls to a level: between two certified rationals."""

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
_MOST_EVALUATIONS = 200
_STEP = math.log(4.0)


@dataclass(frozen=True)
class Crossing:
    """`fails < holds`: at `fails` the probability is certified to be above the level, at `holds` at most the level."""

    fails: Fraction
    holds: Fraction
    evaluations: int


class Unfinished(ArithmeticError):
    """As many values as were allowed do not show the level from both sides."""


class OutOfRange(InputError):
    """The level is not crossed between 1e-300 and 1e300."""


@dataclass
class _Search:
    """The state of one search: the level, what lies below every value, and the points that are known."""

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
    """Bracket the point where `probability`, decreasing in a positive argument, falls to `level`.

    The ends are short rationals with `holds/fails <= 1 + tolerance`, and each is certified by its own enclosure: more
    digits are asked for until the level is on one side. `guess` is the logarithm of a first guess, `step` that of the
    first factor away from it; `floor < level` is what the probability tends to, or anything below. Raises `OutOfRange`
    when nothing is crossed in [1e-300, 1e300]. After `most_evaluations` values the ends are those that are certified by
    then, however far apart; `Unfinished` where there are not both.
    A safeguarded secant in logarithmic coordinates; a decided number (both ends equal) is taken as it is.
    """
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
        margin = 0.4 * width
        search.look(min(max(_estimate(search), fails[0] + margin), holds[0] - margin))


def _bracket(search: _Search, guess: float, step: float) -> None:
    """Walk from the guess, in steps that double, until the level has been seen on both sides."""
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
    stuck = len(search.kept) >= 3 and len(set(search.kept[-3:])) == 1
    if stuck or not (math.isfinite(high) and math.isfinite(low)) or high <= low:
        search.kept.clear()
        return (left + right) / 2
    return left + (right - left) * high / (high - low)


def short_rational(place: float, significant: int) -> Fraction:
    """Return the decimal with `significant` digits that is nearest to exp(`place`), up to the rounding of floats."""
    exponent, rest = divmod(place / math.log(10), 1.0)
    mantissa = round(math.pow(10, rest + significant - 1))
    unit: Fraction = Fraction(10) ** (int(exponent) - significant + 1)
    return mantissa * unit


def log(value: Fraction) -> float:
    """Return the natural logarithm of a positive rational of any size, as a float."""
    return math.log(value.numerator) - math.log(value.denominator)


def _digits(share: Fraction) -> int:
    return max(0, math.ceil(-log(share) / math.log(10)))
