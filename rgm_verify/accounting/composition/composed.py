"""Composition of releases, equal or different, chosen adaptively: epsilon or delta as an interval.

The lower end is the largest that an adversary is seen to reach with products of admissible pairs: `T` equal pairs are
one pair with `T` times the squared distance and the dimension, in closed form; different ones are convolved and rounded
down; and no list costs less than a release of it with its number, or than one release exactly. The upper end is the
least of

* `rdp`: the exact Renyi curve, which adds up, and the improved conversion to (epsilon, delta);
* `envelope`: one discrete loss that dominates all admissible pairs, composed with itself;
* `iteration`: value iteration over an adaptive adversary, the tightest, linear in the number of releases.

One release has its exact curve instead (`exact`). The truth lies strictly inside: an adaptive adversary gains a little
by mixing the two orders of a pair. For different releases `rdp` and `envelope` hold for any order of them, `iteration`
for the order given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Literal, TypeAlias, get_args

from rgm_verify.accounting.composition.grid import Plan
from rgm_verify.accounting.composition.lower import (
    delta_below,
    delta_chernoff,
    epsilon_below,
    epsilon_chernoff,
    extreme_points,
)
from rgm_verify.accounting.composition.renyi import renyi_delta, renyi_epsilon
from rgm_verify.accounting.composition.value_iteration import delta_above, epsilon_above
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.exact.admissible_pairs import largest_excess
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer
from rgm_verify.numbers.shown import Framed

Method: TypeAlias = Literal["exact", "rdp", "envelope", "iteration"]
Releases: TypeAlias = Release | Sequence[tuple[Release, int]]
Groups: TypeAlias = list[tuple[Release, int]]

MOST_ITERATIONS = 20_000
"""Up to here `iteration` is among the methods that are chosen by themselves: its time grows as `steps^1.5`."""

_SMALLEST_DELTA = 1e-250  # below, the products of floats come near the end of their range

_LEAST_SPREAD, _LARGEST_SPREAD = Fraction(1, 10**250), 10**150  # of a loss, as a variance
_LARGEST_EXCESS = 10**15
_NEXT_TO_COVERED = 1 - Fraction(1, 2**30)
_NEARLY_COVERED = Fraction(63, 64)

_LOWER = "product of admissible pairs"
_METHODS: Mapping[str, str] = {
    "exact": "exact curve of one release",
    "rdp": "exact Renyi divergence, improved conversion",
    "envelope": "dominating privacy loss, composed",
    "iteration": "value iteration over adaptive adversaries",
}


@dataclass(frozen=True)
class Composition(Framed):
    """A composed privacy number, by method.

    Attributes:
        bounds: the lower bound, and the least of the upper bounds; each of them is certified by itself.
        by_method: `lower`, and the upper bound of each method that could be used.
    """

    bounds: Bounds
    by_method: Mapping[str, float]


def composed_epsilon(
    releases: Releases,
    delta: ExactInput,
    *,
    steps: int = 1,
    methods: Collection[Method] | None = None,
    resolution: float | None = None,
) -> Bounds:
    """Return bounds on the least epsilon >= 0 such that the composition is (epsilon, `delta`) private.

    Both ends are certified and rounded outward. A method that cannot be used is left out: `envelope` and `iteration`
    for `delta` below 1e-250, where losses are spread too unevenly for a grid, and where their grid, which goes as far
    as the other methods and Chernoff's bound, does not come down to `delta`. With none left `rdp` answers.

    Args:
        releases: a `Release`, made `steps` times, or a sequence of (release, number).
        delta: an exact number, 0 < delta < 1.
        steps: the number of releases, for a single `Release`.
        methods: those tried for the upper end, by default all that take seconds.
        resolution: the number of grid points in a standard deviation of one loss: a finer grid gives a smaller upper
            end, with the square of the time.

    Returns:
        Bounds in nats.

    Raises:
        InputError: for `delta` outside (0, 1), a method that is not known, and empty input; for several releases if the
            privacy loss of one has a variance below 1e-250 or above 1e150, or its outputs variances whose quotient is
            above 1e15.

    Source: derived in `derivations/beyond/composition/composition.py`.

    Examples:
        >>> found = composed_epsilon(Release("1/10", 1, 10), "1e-5", steps=10, methods=["rdp"])
        >>> round(found.lower, 3), round(found.upper, 3)
        (8.245, 9.143)
    """
    return epsilon_by_method(releases, delta, steps=steps, methods=methods, resolution=resolution).bounds


def composed_delta(
    releases: Releases,
    epsilon: ExactInput,
    *,
    steps: int = 1,
    methods: Collection[Method] | None = None,
    resolution: float | None = None,
) -> Bounds:
    """Return bounds on the least delta such that the composition is (`epsilon`, delta) private.

    Arguments as in `composed_epsilon`. Both ends are certified and rounded outward; raises `InputError` for
    `epsilon < 0`.
    """
    return delta_by_method(releases, epsilon, steps=steps, methods=methods, resolution=resolution).bounds


def epsilon_by_method(
    releases: Releases,
    delta: ExactInput,
    *,
    steps: int = 1,
    methods: Collection[Method] | None = None,
    resolution: float | None = None,
) -> Composition:
    """Return `composed_epsilon` with the number that each method gives.

    Arguments and errors as there. `lower` is a lower bound rounded down; each other number is an upper bound in nats,
    rounded up. A grid method is missing where its grid would take too many points, where it gives no finite bound, and
    below the least delta that grids can resolve.
    """
    target = positive(delta, name="delta", meaning="a probability")
    if target >= 1:
        raise reject("delta", delta, "must be < 1; every mechanism is (0, 1) private")
    groups = _groups(releases, steps)
    chosen = _chosen(methods, groups)
    if "exact" in chosen:
        one = one_release.epsilon(groups[0][0], target)
        return Composition(one, {"lower": one.lower, "exact": one.upper})
    _check_losses(groups)
    # The lower bound comes first: it tells the grids where to look.
    lower = epsilon_below(groups, target)
    found: dict[str, float] = {}
    if "rdp" in chosen:
        found["rdp"] = min(renyi_epsilon(same, target) for same in _above(groups, always=True))
    grids = [method for method in chosen if method in ("envelope", "iteration")]
    for same in _above(groups) if grids and target > _SMALLEST_DELTA else []:
        # The guide looks along the Chernoff bound, whose worst place is near the true one and quick to find.
        plan = Plan.of(same, resolution, extreme_points(same, epsilon_chernoff(target)))
        # A grid only has to cover epsilons between known bounds.
        ends = lower, min(found.get("rdp", math.inf), plan.epsilon_guide(float(target)))
        for method in grids if plan.fits(ends, float(target)) else []:
            value = epsilon_above(plan.curve(method, ends, float(target)), target)
            if value < math.inf:
                found[method] = min(value, found.get(method, math.inf))
    # Where grids gave nothing, the Renyi bound stands in: it is always there, if not always best.
    return _composition(lower, found or {"rdp": renyi_epsilon(groups, target)})


def delta_by_method(
    releases: Releases,
    epsilon: ExactInput,
    *,
    steps: int = 1,
    methods: Collection[Method] | None = None,
    resolution: float | None = None,
) -> Composition:
    """Return `composed_delta` with the number that each method gives.

    Arguments and errors as there. `lower` is a lower bound rounded down; each other number is an upper bound, rounded
    up. A grid method is missing where its grid would take too many points, and below the least delta that grids can
    resolve.
    """
    target = nonnegative(epsilon, name="epsilon", meaning="a privacy loss")
    groups = _groups(releases, steps)
    chosen = _chosen(methods, groups)
    if "exact" in chosen:
        one = one_release.delta(groups[0][0], target)
        return Composition(one, {"lower": one.lower, "exact": one.upper})
    _check_losses(groups)
    lower = delta_below(groups, target)
    found: dict[str, float] = {}
    if "rdp" in chosen:
        found["rdp"] = min(renyi_delta(same, target) for same in _above(groups, always=True))
    grids = [method for method in chosen if method in ("envelope", "iteration")]
    for same in _above(groups) if grids and lower > _SMALLEST_DELTA else []:
        plan = Plan.of(same, resolution, extreme_points(same, delta_chernoff(target)))
        # Both ends of the window are the one epsilon that is asked for.
        ends = float(target), float(target)
        for method in grids if plan.fits(ends, lower) else []:
            value = delta_above(plan.curve(method, ends, lower), target)
            found[method] = min(value, found.get(method, 1.0))
    return _composition(lower, found or {"rdp": renyi_delta(groups, target)})


def _above(groups: Groups, *, always: bool = False) -> list[Groups]:
    """Return compositions whose upper bounds hold for `groups`: these themselves, and the ones that are covered.

    A grid has to cover a whole curve of pairs where the baseline does not cover, so that just below its threshold the
    bound of `Release.covered` is smaller, and takes less time. Far below, it is larger. `always` says to try both.
    """
    covered = [(release.covered, count) for release, count in groups]
    known = [(release, count) for release, count in covered if release is not None]
    # All are covered already, or some cannot be: there is only one composition to bound.
    if known == groups or len(known) < len(groups):
        return [groups]
    # The price of covering is a share of gamma: where it is next to nothing the covering ones alone are looked at.
    share = min(above.gamma / release.gamma for (above, _), (release, _) in zip(known, groups, strict=True))
    if share >= _NEXT_TO_COVERED and not always:
        return [known]
    return [groups, known] if share >= _NEARLY_COVERED else [groups]


def _composition(lower: float, found: Mapping[str, float]) -> Composition:
    """Return the bounds with the least of the upper bounds found, named after its method."""
    # Each of them is an upper bound by itself, so that their least one is.
    best = min(found, key=lambda method: found[method])
    return Composition(Bounds(lower, found[best], _LOWER, _METHODS[best]), {"lower": lower, **found})


# ------------------------------------------------------------------------------------------------------ input


def _groups(releases: Releases, steps: int) -> Groups:
    """Return releases with their numbers, equal neighbours joined; the order stays, as "iteration" is for an order."""
    count = positive_integer(steps, name="steps", meaning="the number of releases")
    if isinstance(releases, Release):
        return [(releases, count)]
    if count != 1:
        raise reject("steps", steps, "give the number of each release in the sequence, not `steps`")
    groups = [(r, positive_integer(n, name="steps", meaning="the number of releases")) for r, n in releases]
    if not groups:
        raise InputError("releases=(): expected at least one release")
    return [(release, sum(n for _, n in equal)) for release, equal in groupby(groups, key=itemgetter(0))]


def _check_losses(groups: Groups) -> None:
    """Raise `InputError` for a release whose loss is spread so widely or so little that floats cannot guide a grid."""
    for place, (release, _) in enumerate(groups):
        baseline = release.r_rel**2 / release.sigma2 if release.sigma2 else Fraction(0)
        shift, excess = max(release.worst_pair.shift_squared, baseline), Fraction(largest_excess(release))
        # An upper bound of the variance of the loss, exactly: parameters may be beyond the range of floats.
        spread = shift * (1 + excess) + release.dimension * excess**2 / 2
        if not _LEAST_SPREAD <= spread <= _LARGEST_SPREAD:
            size = f"a variance of about 1e{_magnitude(spread)}"
            raise InputError(f"releases: the privacy loss of entry {place} has {size}; allowed are 1e-250 to 1e150")
        if excess > _LARGEST_EXCESS:
            size = f"variances whose quotient is about 1e{_magnitude(excess)}"
            raise InputError(f"releases: two outputs of entry {place} have {size}; allowed are up to 1e15")


def _magnitude(value: Fraction) -> int:
    """Return the decimal logarithm of a positive number, rounded down, or one less or more."""
    return len(str(value.numerator // value.denominator)) - 1 if value >= 1 else -_magnitude(1 / value)


def _chosen(methods: Collection[Method] | None, groups: Groups) -> list[Method]:
    """Return the methods to try; the exact curve alone for one release."""
    total = sum(count for _, count in groups)
    if methods is None:
        if total == 1:
            return ["exact"]
        return ["rdp", "envelope", "iteration"] if total <= MOST_ITERATIONS else ["rdp", "envelope"]
    for method in methods:
        if method not in get_args(Method):
            raise reject("methods", method, f"allowed are {', '.join(get_args(Method))}")
    if "exact" in methods and (total > 1 or len(methods) > 1):
        raise reject("methods", "exact", "is for one release, alone; a composition has no exact curve in closed form")
    if not methods:
        raise InputError("methods=(): expected at least one method")
    return list(methods)
