"""Questions turned around: the least noise, the most releases and the largest rate for a target (epsilon, delta).

The end that is returned is certified by itself: epsilon at `delta` is at most the target's there. That nothing beyond
`fails` reaches the target rests on claims: more noise, fewer releases and a smaller rate never cost more
(`derivations/beyond/composition/monotone.py`, `beyond:sampled-more-noise`, `beyond:sampled-smaller-rate`,
`beyond:hockey-stick-monotone-in-distance`, and for the relative Gaussian `derivations/beyond/hockey_stick/`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from rgm_verify.accounting.plans.account import epsilon, largest_loss
from rgm_verify.accounting.plans.plan import Line, Plan, plan
from rgm_verify.accounting.plans.releases import KINDS, DpSgd, PlannedRelease
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.exact import ExactInput, positive
from rgm_verify.numbers.shown import Framed

__all__ = ["Solved", "largest_rate", "least_noise", "most_releases", "solve"]

_MOST = 40
_ROUGH = Fraction(1, 50)  # a value far from the target shows its side at this width
_SHARE = 6  # an account is so many times finer than the tolerance, where the value is near the target
_FINEST = Fraction(1, 10**7)
_DIGITS_MORE = 2
_FAR = 0.05  # of a jump, by which it goes too far: a value on the other side is what is wanted
_JUMP = 30.0  # nats: epsilon may be infinite or 0, and its height is then a stand-in

Family: TypeAlias = Callable[[Fraction], PlannedRelease]
"""A release for each value of the quantity that is searched."""


@dataclass(frozen=True)
class Solved(Framed):
    """A value that is certified to reach the target, and what is reached there.

    Attributes:
        quantity: the name of what was searched: "steps", "noise_multiplier", "scale" or "sampling_rate".
        value: exact; the upper end of epsilon is at most the target's there.
        fails: a value that is certified to miss the target, the nearest that was found; None where there is none in the
            range, or where bounds on both sides do not meet and none could be certified.
        reached: bounds on epsilon at `value`.
        evaluations: accounts that were made.
        limit: whether `value` is the end of the range, so that more might be allowed beyond it.
    """

    quantity: str
    value: Fraction
    fails: Fraction | None
    reached: Bounds
    evaluations: int
    limit: bool = False


@takes(release=PlannedRelease)
def most_releases(
    release: PlannedRelease,
    epsilon: ExactInput,
    delta: ExactInput,
    *,
    adjacency: str | None = None,
    tolerance: ExactInput = "1/1000",
    besides: Sequence[Line] = (),
    group: ExactInput = 1,
) -> Solved:
    """Return the most releases of one kind for (`epsilon`, `delta`): exactly, or up to `tolerance`, relatively.

    Args:
        release: the kind and its parameters; its own count is not looked at. A run of DP-SGD gets the number in each of
            its segments.
        epsilon: an exact number > 0, in nats.
        delta: an exact number, 1e-250 <= delta < 1.
        adjacency: which data sets are neighbours; without it, as in `plan`.
        tolerance: relative, between 1e-6 and 1.
        besides: lines that are released too, as they are; the target is for all together.
        group: how many records neighbours differ in.

    Returns:
        A whole number at which the upper end of epsilon, or the largest loss, is at most `epsilon`; `limit` says that
        it is 1e12.

    Raises:
        InputError: for numbers out of range, and where one release is certified to cost more, with what it costs.

    Examples:
        >>> from rgm_verify.accounting.plans.releases import release_of
        >>> found = most_releases(release_of("gaussian", {"noise_multiplier": 10}), 1, "1e-5")
        >>> int(found.value), int(found.fails), found.reached.upper <= 1
        (7, 8, True)
    """
    # The search asks for whole numbers only, so that nothing is cut off here.
    family = partial(release.having, "count")
    search = _Search.of("steps", family, epsilon, delta, adjacency, tolerance, besides, group, power=0.5, whole=True)
    return search.solved(start=Fraction(1), ends=(Fraction(1), Fraction(10**12)))


@takes(release=PlannedRelease)
def least_noise(
    release: PlannedRelease,
    epsilon: ExactInput,
    delta: ExactInput,
    *,
    adjacency: str | None = None,
    tolerance: ExactInput = "1/1000",
    besides: Sequence[Line] = (),
    group: ExactInput = 1,
) -> Solved:
    """Return the least noise multiplier, or scale, for (`epsilon`, `delta`), up to `tolerance`; the rest is kept.

    Args:
        release: the kind, its count and what else belongs to it; its own noise is not looked at.
        epsilon: an exact number > 0, in nats.
        delta: an exact number, 0 < delta < 1, or 0 for noise whose losses have a largest one.
        adjacency: which data sets are neighbours; without it, as in `plan`.
        tolerance: relative, between 1e-6 and 1.
        besides: lines that are released too, as they are; the target is for all together.
        group: how many records neighbours differ in.

    Returns:
        A noise at which the upper end of epsilon is at most `epsilon`. It is a short decimal.

    Raises:
        InputError: for other kinds, numbers out of range, and a target that even the largest noise (1e9) misses.
    """
    name = release.searched[0]
    if name == "count":
        *some, last = (kind for kind, one in KINDS.items() if one.searched[0] != "count")
        raise reject("mechanism", release.kind, f"the least noise is for {', '.join(some)} and {last}")
    unit, family = release.unit_of_noise, partial(release.having, name)
    search = _Search.of(name, family, epsilon, delta, adjacency, tolerance, besides, group, power=-1.0)
    return search.solved(start=unit, ends=(unit / 100, Fraction(10**9)))


@takes(release=DpSgd)
def largest_rate(
    release: DpSgd,
    epsilon: ExactInput,
    delta: ExactInput,
    *,
    adjacency: str | None = None,
    tolerance: ExactInput = "1/1000",
    besides: Sequence[Line] = (),
    group: ExactInput = 1,
) -> Solved:
    """Return the largest sampling rate for (`epsilon`, `delta`), up to `tolerance`; noise and steps are kept.

    Args:
        release: a run of DP-SGD; its own rate is not looked at, and all its segments get the one that is found.
        epsilon: an exact number > 0, in nats.
        delta: an exact number, 0 < delta < 1.
        adjacency: which data sets are neighbours; without it, the one that goes with the sampler.
        tolerance: relative, between 1e-6 and 1.
        besides: lines that are released too, as they are; the target is for all together.
        group: how many records neighbours differ in.

    Returns:
        A rate in [1e-12, 1] at which the upper end of epsilon is at most `epsilon`; `limit` says that it is 1.

    Raises:
        InputError: for numbers out of range, and a target that a rate of 1e-12 misses, with what it costs there.
    """
    family = partial(release.having, "sampling_rate")
    search = _Search.of("sampling_rate", family, epsilon, delta, adjacency, tolerance, besides, group, power=1.0)
    return search.solved(start=Fraction(1, 10), ends=(Fraction(1, 10**12), Fraction(1)))


def solve(field: str, release: PlannedRelease, epsilon: ExactInput, delta: ExactInput, **settings: Any) -> Solved:
    """Return the value of a field of `release.searched`, by the search for it; `settings` are those of all searches."""
    found: Any = {"count": most_releases, "sampling_rate": largest_rate}.get(field, least_noise)
    solved: Solved = found(release, epsilon, delta, **settings)
    return solved


@dataclass
class _Search:
    """A search for the value where epsilon passes the target; epsilon goes about with `power` of the value.

    The power only guides: it says in which direction the cost grows, and how far the next value is to be. What counts
    is on which side of the target the two certified ends of epsilon lie.

    Attributes:
        quantity: its name, for messages.
        family: the release for a value.
        planned: a plan whose last line is replaced.
        epsilon: the target.
        delta: the level.
        tolerance: relative.
        power: Above 0 where more of the quantity costs more.
        whole: whether only whole numbers are asked for.
        evaluations: accounts so far.
        holds: the value that reaches the target and costs most, the logarithm of epsilon over the target, the account.
        beyond: the value that does not, and costs least.
        fails: the one of these that is certified to miss the target.
    """

    quantity: str
    family: Family
    planned: Plan
    epsilon: Fraction
    delta: Fraction
    tolerance: Fraction
    power: float
    whole: bool
    evaluations: int = 0
    # Values on both sides, with the logarithm of epsilon over the target; `open` ones are certified on neither side.
    holds: tuple[Fraction, float, Bounds] | None = None
    beyond: tuple[Fraction, float] | None = None
    fails: Fraction | None = None

    @classmethod
    def of(
        cls,
        quantity: str,
        family: Family,
        epsilon: ExactInput,
        delta: ExactInput,
        adjacency: str | None,
        tolerance: ExactInput,
        besides: Sequence[Line],
        group: ExactInput,
        *,
        power: float,
        whole: bool = False,
    ) -> _Search:
        """Return a search with checked numbers."""
        level = positive(epsilon, name="epsilon", meaning="the privacy parameter")
        share = positive(tolerance, name="tolerance", meaning="the relative tolerance")
        if not Fraction(1, 10**6) <= share <= 1:
            raise reject("tolerance", tolerance, "must lie between 1e-6 and 1")
        places = [*(f"besides[{number}]." for number in range(len(besides))), ""]
        planned = plan([*besides, family(Fraction(1))], adjacency=adjacency, group=group, delta=delta, places=places)
        return cls(quantity, family, planned, level, planned.delta or Fraction(0), share, power, whole)

    def solved(self, *, start: Fraction, ends: tuple[Fraction, Fraction]) -> Solved:
        """Return the value next to the crossing, from a first guess and the ends of the range.

        Raises `InputError` where even the end that costs least misses the target, with what it costs.
        """
        safe, unsafe = ends if self.power > 0 else ends[::-1]
        at = start
        while self.holds is None or self.beyond is None:
            at = min(max(at, ends[0]), ends[1])
            height = self._look(at)
            if self.holds is None and at == safe:
                found = self._epsilon(safe, self._finest())
                target = f"epsilon={decimal(self.epsilon, up=True)}, delta={decimal(self.delta, up=True)}"
                raise InputError(
                    f"{target}: out of reach. With {self.quantity}={decimal(safe, up=True)} epsilon is at least "
                    f"{decimal(found.lower, up=False)} at this delta; ask for more epsilon or more delta"
                )
            if self.beyond is None and at == unsafe:
                return self._answer(limit=True)
            if self.evaluations > 2 * _MOST:
                raise InputError(f"{self.quantity}: no value was found on both sides of the target")
            at = self._jumped(at, height)
        while self.evaluations < 2 * _MOST and not self._done():
            self._look(self._next())
        # The second time at twice the tolerance: nearer by, an interval of finite width may hold the target.
        for share in (1, 2):
            self._confirm(share * self.tolerance)
        return self._answer(limit=False)

    def _confirm(self, share: Fraction) -> None:
        """Look a little beyond the value that holds, where none that is certified to fail is as near."""
        if self.whole or self.holds is None:
            return
        value = self.holds[0] * ((1 + share) if self.power > 0 else 1 / (1 + share))
        if self.fails is None or self._farther(self.fails, value):
            self._look(self._rounded(math.log(value)))

    def _answer(self, *, limit: bool) -> Solved:
        """Return the value that holds; nothing else is ever handed out."""
        if self.holds is None:
            raise ArithmeticError("an answer without a value that reaches the target")
        value, _, reached = self.holds
        return Solved(self.quantity, value, self.fails, reached, self.evaluations, limit)

    def _epsilon(self, value: Fraction, width: Fraction) -> Bounds:
        """Return the account at a value, with an interval of about this relative width."""
        self.evaluations += 1
        return epsilon(self._at(value), self.delta, width=width)

    def _at(self, value: Fraction) -> Plan:
        """Return the plan with a value in its last line."""
        return replace(self.planned, lines=(*self.planned.lines[:-1], Line(self.quantity, self.family(value))))

    def _finest(self) -> Fraction:
        """Return the width of an account near the target."""
        return max(self.tolerance / _SHARE, _FINEST)

    def _look(self, value: Fraction) -> float:
        """Compute epsilon at a value, as finely as its side asks for; return the logarithm of it over the target."""
        found = self._epsilon(value, max(_ROUGH, self._finest()))
        least = self._finest() / (_SHARE**2 if self.whole else 1)
        width = self._finest()
        # A largest loss is exact, so that a target it equals is reached: the float above it is larger than both.
        bounded = self._is_above_all_losses(value)
        # An interval that holds the target says nothing about the side; a finer one mostly does.
        while not bounded and found.lower <= self.epsilon < found.upper:
            finer = self._epsilon(value, max(width, _FINEST))
            # Fixed batches and lists with the relative mechanism have ends that do not meet, however fine.
            stalled = finer.upper - finer.lower > (found.upper - found.lower) / 2
            found = finer
            if width <= least or stalled:
                break
            width /= _SHARE
        height = _log(found.upper) - math.log(self.epsilon)
        if bounded or Fraction(found.upper) <= self.epsilon:
            height = min(height, 0.0)
            if self.holds is None or self._farther(value, self.holds[0]):
                self.holds = value, height, found
            return height
        # A positive height also where the ends hold the target: a secant needs two sides.
        if self.beyond is None or self._farther(self.beyond[0], value):
            self.beyond = value, max(height, 1e-12)
        if Fraction(found.lower) > self.epsilon and (self.fails is None or self._farther(self.fails, value)):
            self.fails = value
        return height

    def _is_above_all_losses(self, value: Fraction) -> bool:
        """Return whether no loss is above the target at a value."""
        most = largest_loss(self._at(value))
        return most is not None and most <= self.epsilon

    def _farther(self, value: Fraction, other: Fraction) -> bool:
        """Return whether a value costs more than another one."""
        return (value > other) if self.power > 0 else (value < other)

    def _jumped(self, at: Fraction, height: float) -> Fraction:
        """Return a value that should lie a little on the other side."""
        change = -height / self.power
        side = 1.0 if self.holds is not None and self.beyond is None else -1.0
        change += math.copysign(max(_FAR * abs(change), 2 * float(self.tolerance)), side * self.power)
        moved = self._rounded(math.log(at) + min(max(change, -_JUMP), _JUMP))
        if moved != at:
            return moved
        return at + (1 if side * self.power > 0 else -1)

    def _done(self) -> bool:
        """Return whether the two sides are within the tolerance, or next to each other as whole numbers."""
        if self.holds is None or self.beyond is None:
            return False
        low, high = sorted((self.holds[0], self.beyond[0]))
        if self.whole and high - low <= 1:
            return True
        return high <= low * (1 + self.tolerance)

    def _next(self) -> Fraction:
        """Return the value where a line through both sides crosses, a little inside of them."""
        if self.holds is None or self.beyond is None:
            raise ArithmeticError("a step between two sides that are not known")
        a, b = math.log(self.holds[0]), math.log(self.beyond[0])
        share = self.holds[1] / (self.holds[1] - self.beyond[1])
        # Kept off the ends, where a line through a curve with a bend would put value after value.
        share = min(max(share, 0.02), 0.98) if math.isfinite(share) else 0.5
        place = a + (b - a) * share
        # Both sides have to come near: aim at the one that is farther, a third of the tolerance beyond the crossing.
        third = 0.3 * math.log1p(float(self.tolerance)) * (1 if b > a else -1)
        place += third if share > 0.5 else -third
        value = self._rounded(min(max(place, min(a, b)), max(a, b)))
        low, high = sorted((self.holds[0], self.beyond[0]))
        if low < value < high:
            return value
        return Fraction((low + high) // 2) if self.whole else (low + high) / 2

    def _rounded(self, log: float) -> Fraction:
        """Return a whole number, or a short decimal with two digits more than the tolerance needs."""
        value = math.exp(min(log, 600.0))
        if self.whole:
            return Fraction(max(1, round(value)))
        digits = _DIGITS_MORE + math.ceil(-math.log10(self.tolerance)) - math.floor(math.log10(value))
        # Rounded before it is looked at: the account is of the decimal that a user reads, not of a float near it.
        return Fraction(round(Fraction(value) * Fraction(10) ** digits), 1) / Fraction(10) ** digits


def _log(value: float) -> float:
    """Return the logarithm of a bound of epsilon, at least that of a tiny number; large where there is no bound."""
    return 20.0 if math.isinf(value) else math.log(max(value, 1e-12))
