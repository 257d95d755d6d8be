"""Certified costs of a node's releases: clipped gradients with Gaussian noise, and gradients with relative noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.composition.composed import Method, composed_epsilon
from rgm_verify.accounting.exact.admissible_pairs import reached_excess
from rgm_verify.accounting.exact.renyi_curve import pair_enclosure, renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.experiments.accounts import Cost
from rgm_verify.experiments.methods.sensitivities import Proved
from rgm_verify.experiments.setup import Setup
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning.descent.privacy import gaussian_epsilon
from rgm_verify.numbers.bounds import Bounds, round_up

_DIGITS = 15
_METHODS: tuple[Method, ...] = ("rdp",)  # one account for each node in each run has to be quick
_NUDGE = Fraction(1, 2**50)  # a few roundings of a float: what a certificate fails by, if it fails
_MOST_NUDGES = 64


@dataclass(frozen=True)
class Spent:
    """The cost of a method at one node.

    Attributes:
        release: one release at the order of the setup.
        total: all iterations at that order.
        epsilon: all of them at the delta of the setup.
        largest_order: divergences are finite below it; None: all orders.
    """

    release: Cost
    total: Cost
    epsilon: Cost
    largest_order: float | None


def gaussian_spent(move: Fraction, sigma2: Fraction, setup: Setup) -> Spent:
    """Return the cost of Gaussian noise on values that move by at most `move`: exact, at every order finite.

    Args:
        move: the sensitivity, exact.
        sigma2: the variance per coordinate, exact.
        setup: order, iterations and delta.
    """
    level = Cost.exactly(setup.fraction("order") * move**2 / (2 * sigma2))
    epsilon = gaussian_epsilon(move, sigma2, steps=setup.iterations, delta=setup.delta)
    return Spent(level, level.times(setup.iterations), Cost.of(epsilon), None)


@dataclass(frozen=True)
class Covered:
    """The proved sensitivity for which a release costs the least, and that release."""

    proved: Proved
    release: Release
    level: Bounds


def cheapest(
    proved: Sequence[Proved], gamma: Fraction, sigma2: Fraction, dimension: int, setup: Setup
) -> Covered | None:
    """Return the release with the least certified level among all routes and shares; None where every one is infinite.

    All of them hold at once, so each one's upper bound is one.

    Args:
        proved: the sensitivities that hold.
        gamma: the noise ratio in use.
        sigma2: the baseline variance in use.
        dimension: of the gradient.
        setup: the order.
    """
    order = setup.fraction("order")
    found = []
    for each in proved:
        for eta, r_rel in each.all_shares():
            release = Release(eta, gamma, dimension, r_rel=r_rel, sigma2=sigma2)
            found.append(Covered(each, release, renyi_bounds(release, order, digits=_DIGITS)))
    # By the upper ends, since these are what is certified; the lower ones would reward a wide enclosure.
    best = min(found, key=lambda each: each.level.upper)
    return None if math.isinf(best.level.upper) else best


def relative_spent(release: Release, setup: Setup) -> Spent:
    """Return the cost of a release with relative noise, and of all iterations by its exact Renyi curve."""
    level = Cost.of(renyi_bounds(release, setup.fraction("order"), digits=_DIGITS))
    epsilon = composed_epsilon(release, setup.delta, steps=setup.iterations, methods=_METHODS)
    # At the excess that pairs reach: from this order on some divergence is infinite for certain.
    end = 1 + 1 / reached_excess(release)
    return Spent(level, level.times(setup.iterations), Cost.of(epsilon), float(end))


# --------------------------------------------------------------------------------------------------- calibration


@dataclass(frozen=True)
class Noise:
    """`gamma` and `sigma2` of a node, floats as exact numbers.

    Attributes:
        gamma: None where the level that is aimed at is not above the floor, or the order is out of range.
        sigma2: None as `gamma`.
        floor: the least level that any `gamma` reaches, rounded up.
        reason: why there is none.
    """

    gamma: Fraction | None
    sigma2: Fraction | None
    floor: float
    reason: str


def by_theorem_1(eta: Fraction, r_rel: Fraction, dimension: int, setup: Setup) -> Noise:
    """Return the noise that Theorem 1 (v2) asks for: `gamma` from (5), `sigma2 = gamma (1 - eta (alpha-1)) R^2/eta^2`.

    Rounded up. Source: RGM paper (v2), Theorem 1; proved as claim `rgm-v2:theorem-1`, for a true (eta, R_rel).
    """
    order, level = setup.fraction("order"), setup.fraction("level")
    rho = 1 - (order - 1) * eta * (2 + eta)
    # The order is beyond the end of the curve: no noise ratio makes the divergence finite.
    if rho <= 0:
        return _out_of_range(eta, order)
    floor = order * eta**2 * dimension * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho)
    # The floor does not depend on gamma: more relative noise does not get below it.
    if floor >= level:
        return _below_floor(floor, level, "Theorem 1")
    return _noise(order * eta**2 / (2 * rho * (level - floor)), eta, r_rel, order, floor)


def by_main_term(eta: Fraction, r_rel: Fraction, setup: Setup) -> Noise:
    """Return `gamma = alpha eta^2 / (2 epsilon)` and its `sigma2`: the dimension neglected. No guarantee.

    Source: RGM paper (v2), Section 4.2 and Appendix C.2 ("negligible in our case"); refuted in general by claim
    `rgm-v1:dimension-term`.
    """
    order = setup.fraction("order")
    return _noise(order * eta**2 / (2 * setup.fraction("level")), eta, r_rel, order, Fraction(0))


def exactly(eta: Fraction, r_rel: Fraction, dimension: int, setup: Setup) -> Noise:
    """Return the least `gamma` for which the exact Renyi curve is at most the level at the order, and its `sigma2`.

    On the safe side: the level of the release is certified to be at most that of the setup. The floor is the divergence
    of two Gaussians of one mean.
    """
    order, level = setup.fraction("order"), setup.fraction("level")
    rho = 1 - (order - 1) * eta * (2 + eta)
    if rho <= 0:
        return _out_of_range(eta, order)
    floor = _upper(pair_enclosure(order, GaussianPair(0, eta * (2 + eta), dimension), digits=_DIGITS).upper)
    if floor >= level:
        return _below_floor(floor, level, "the exact curve")
    # Without the nudges the rounding of this very quotient could put the certified level just above what is asked.
    least = order * eta**2 / (2 * rho * (level - floor))
    # Rounding may lift the level above the aim by a bit: gamma is raised until the certificate holds.
    for k in range(_MOST_NUDGES):
        found = _noise(least * (1 + k * _NUDGE), eta, r_rel, order, floor)
        if _level(found, eta, r_rel, dimension, order) <= level:
            return found
    reason = f"no gamma could be certified to reach {float(level):.3g}: it is too near to the floor {float(floor):.3g}"
    return Noise(None, None, round_up(floor), reason)


def _level(noise: Noise, eta: Fraction, r_rel: Fraction, dimension: int, order: Fraction) -> Fraction:
    """Return an upper bound of the level of a release with this noise."""
    release = Release(eta, noise.gamma or 0, dimension, r_rel=r_rel, sigma2=noise.sigma2 or 0)
    return Fraction(renyi_bounds(release, order, digits=_DIGITS).upper)


def _noise(gamma: Fraction, eta: Fraction, r_rel: Fraction, order: Fraction, floor: Fraction) -> Noise:
    """Return a noise ratio rounded up, with the baseline that the order needs, rounded up too."""
    # Rounded upwards first, and the baseline is made of the rounded ratio: both together keep the proportion.
    ratio = Fraction(round_up(gamma))
    # Theorem 1 needs less baseline at a higher order; a negative amount is none.
    # Beyond this order no baseline noise is needed at all, and a negative variance has no meaning.
    weight = max(1 - eta * (order - 1), Fraction(0))
    return Noise(ratio, Fraction(round_up(ratio * weight * r_rel**2 / eta**2)), round_up(floor), "")


def _below_floor(floor: Fraction, level: Fraction, by: str) -> Noise:
    """Return that no noise ratio will do, and why."""
    reason = f"by {by} no gamma has a level below {float(floor):.3g}, and {float(level):.3g} is asked for"
    return Noise(None, None, round_up(floor), reason)


def _out_of_range(eta: Fraction, order: Fraction) -> Noise:
    """Return that the order is beyond those that a sensitivity allows."""
    reason = (
        f"eta = {float(eta):.3g}: orders end at {float(1 + 1 / (eta * (2 + eta))):.3g}, and {float(order)} is asked for"
    )
    return Noise(None, None, math.inf, reason)


def _upper(value: Fraction | None) -> Fraction:
    """Return an end that has to be there."""
    if value is None:
        raise InputError("no enclosure: these parameters are beyond the largest working precision")
    return value
