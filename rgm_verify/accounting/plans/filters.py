"""Budgets for releases whose parameters are chosen on the way: filters that refuse in time, and odometers.

Privacy loss distributions need parameters that are fixed in advance. What is chosen on the way is accounted by the
distances of Gaussian noise, whose squares add up, or by Renyi divergences at one order. A filter lets a release through
if what is spent stays within the budget; all that it let through has the guarantee of the budget. Derived in
`derivations/beyond/composition/filters.py`, with statements by Smith and Thakurta (2022) for Gaussian noise, and by
Feldman and Zrnic (2021) for Renyi divergences.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rgm_verify.accounting.conversion import epsilon_at_order
from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.plans.account import delta as plan_delta
from rgm_verify.accounting.plans.account import epsilon as plan_epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian, RelativeGaussian
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError, reject, require
from rgm_verify.gaussians.certified.plain import gaussian_delta_ends
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, exact, nonnegative, positive

__all__ = ["GaussianFilter", "GaussianOdometer", "RenyiFilter"]

_BISECTIONS = 80  # more than a float has bits; the halving ends by itself when no float lies between
_LARGEST_DISTANCE = Fraction(10**6)


class GaussianFilter:
    """A budget of squared distances, in standard deviations, for Gaussian releases that are chosen on the way.

    The neighbours are those of all sensitivities.

    Args:
        budget: the largest sum of `1 / noise_multiplier^2`, an exact number > 0.
    """

    def __init__(self, budget: ExactInput) -> None:
        self.budget = positive(budget, name="budget", meaning="the budget of squared distances")
        self.spent = Fraction(0)

    @classmethod
    def of(cls, epsilon: ExactInput, delta: ExactInput) -> GaussianFilter:
        """Return a filter whose budget is certified to be (`epsilon`, `delta`) private, and nearly the largest one.

        Args:
            epsilon: an exact number >= 0.
            delta: an exact number, 0 < delta < 1.

        Raises:
            InputError: for numbers outside these ranges, and where no distance was certified to have so little.
        """
        at = nonnegative(epsilon, name="epsilon", meaning="a privacy loss")
        target = positive(delta, name="delta", meaning="a probability")
        if target >= 1:
            raise reject("delta", delta, "must be < 1; every mechanism is (0, 1) private")

        def holds(distance: Fraction) -> bool:
            ends = gaussian_delta_ends(at, distance**2)
            # No enclosure counts as a failure: a budget is promised to everybody who comes later.
            return ends is not None and Fraction(ends[1]) <= target

        low, high = Fraction(0), Fraction(1)
        while holds(high) and high < _LARGEST_DISTANCE:
            low, high = high, 2 * high
        for _ in range(_BISECTIONS):
            middle = Fraction(float((low + high) / 2))
            if not low < middle < high:
                break
            # `low` has always been certified, so that the budget is on the safe side wherever this stops.
            low, high = (middle, high) if holds(middle) else (low, middle)
        if low == 0:
            raise InputError(f"epsilon={epsilon}, delta={delta}: no distance was certified to have so little")
        return cls(low**2)

    @property
    def left(self) -> Fraction:
        """Return what is left of the budget, exactly."""
        return self.budget - self.spent

    def request(self, noise_multiplier: ExactInput) -> bool:
        """Return whether a release with this noise fits, and spend it if it does.

        Args:
            noise_multiplier: the deviation of the noise over the sensitivity; it may depend on all outputs before.
        """
        noise = positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier")
        # In rationals: a million small costs as floats could add up to less than they are.
        if self.spent + 1 / noise**2 > self.budget:
            return False
        self.spent += 1 / noise**2
        return True

    def epsilon(self, delta: ExactInput) -> Bounds:
        """Return the epsilon at `delta` of all that the filter lets through, whatever that is: of the whole budget."""
        return plan_epsilon(plan([_gaussian(self.budget)]), positive(delta, name="delta"))

    def delta(self, epsilon: ExactInput) -> Bounds:
        """Return the delta at `epsilon` of all that the filter lets through."""
        return plan_delta(plan([_gaussian(self.budget)]), epsilon)


def _gaussian(distance_squared: Fraction) -> Gaussian:
    """Return releases with this sum of squared distances: as many of multiplier d as make n/d^2 of it."""
    return Gaussian(Fraction(distance_squared.denominator), distance_squared.numerator * distance_squared.denominator)


class GaussianOdometer:
    """The cost so far of Gaussian releases that are chosen on the way, in levels that are fixed in advance.

    A level is a budget of squared distances. At every level what is released until it would be passed has the
    guarantee of a filter of that budget; so the level that is reached may be read off at any time, and may decide what
    comes next.
    """

    def __init__(self, levels: Iterable[ExactInput]) -> None:
        self.levels = sorted({positive(level, name="levels", meaning="a level") for level in levels})
        if not self.levels:
            raise InputError("levels=(): expected at least one budget of squared distances")
        self.spent = Fraction(0)

    def spend(self, noise_multiplier: ExactInput) -> Fraction:
        """Take a release into account, and return the level that it reaches.

        Raises `InputError`, and takes nothing into account, where it would pass the last level.
        """
        noise = positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier")
        after = self.spent + 1 / noise**2
        if after > self.levels[-1]:
            raise reject("noise_multiplier", noise_multiplier, "the release would pass the last level")
        self.spent = after
        return self.level

    @property
    def level(self) -> Fraction:
        """The least level that holds all that is spent, exactly."""
        return next(level for level in self.levels if self.spent <= level)

    def epsilon(self, delta: ExactInput) -> Bounds:
        """Return the epsilon at `delta` of the level that is reached."""
        return GaussianFilter(self.level).epsilon(delta)


class RenyiFilter:
    """A budget of the Renyi divergence at one order, for releases that are chosen on the way.

    Every divergence that is spent is an upper bound, so that the guarantee holds; `spent` is exact.

    Args:
        order: an exact order > 1.
        budget: the largest sum of divergences, > 0.
    """

    def __init__(self, order: ExactInput, budget: ExactInput) -> None:
        self.order = exact(order, name="order")
        if self.order <= 1:
            raise reject("order", order, "must be > 1")
        self.budget = positive(budget, name="budget", meaning="the budget")
        self.spent = Fraction(0)

    @property
    def left(self) -> Fraction:
        """Return what is left of the budget, exactly."""
        return self.budget - self.spent

    def divergence(self, release: Gaussian | RelativeGaussian | Release) -> Fraction | None:
        """Return an upper bound of the divergence of a release at the order; None where it is infinite."""
        require("release", release, Gaussian | RelativeGaussian | Release)
        if isinstance(release, Gaussian):
            return self.order * release.count / (2 * release.noise_multiplier**2)
        one, count = (release.release, release.count) if isinstance(release, RelativeGaussian) else (release, 1)
        if self.order >= one.largest_order:
            return None
        upper = renyi_bounds(one, self.order).upper
        return None if upper == float("inf") else Fraction(upper) * count

    def request(self, release: Gaussian | RelativeGaussian | Release) -> bool:
        """Return whether a release fits, and spend it if it does."""
        cost = self.divergence(release)
        if cost is None or self.spent + cost > self.budget:
            return False
        self.spent += cost
        return True

    def epsilon(self, delta: ExactInput) -> float:
        """Return an upper bound of the epsilon at `delta` of all that the filter lets through, rounded up."""
        return epsilon_at_order(self.order, self.budget, positive(delta, name="delta", meaning="a probability"))
