"""Bounds of a composition that need no grid: largest losses, one Gaussian pair above, and zero-concentrated privacy.

They are wider than those of a grid, and there is always time for them. Releases whose losses are at most `l` together
move epsilon by at most `l` (basic composition); a release of a random sample is a mixture of releases with and without
the record, whose divergences are at most that of the Gaussian pair without sampling, at every real epsilon (joint
convexity), so that it may stand for it in a composition. `rho`-zCDP adds up and is implied by pure privacy with
`rho = l^2/2`; it gives `epsilon = rho + 2 sqrt(rho log(1/delta))` (Bun and Steinke 2016, Propositions 1.3 and 1.4),
and discrete Gaussian noise has `rho = s^2/(2 sigma^2)` (Canonne, Kamath, Steinke 2020, Proposition 5).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.accounting.conversion import epsilon_from_renyi
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import float_above
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.plain import gaussian_delta_ends, gaussian_epsilon_ends
from rgm_verify.numbers.bounds import Bounds, round_down, round_up

__all__ = ["Simple", "gaussian_delta", "gaussian_epsilon", "narrowed", "simple_delta", "simple_epsilon"]

Ends: TypeAlias = tuple[float, float]

_LARGEST = "the sum of the largest losses, and Gaussian noise in closed form"
_CONCENTRATED = "zero-concentrated privacy"
_PART = "the Gaussian releases alone, in closed form"
_BITS = 128


@dataclass(frozen=True)
class Simple:
    """Bounds of the law of some releases' loss that hold whatever else is composed with them; each may be missing.

    Attributes:
        largest: no loss of all of them together is above it.
        distance_squared: of a Gaussian pair that dominates them, in standard deviations.
        rho: they are `rho`-zCDP.
        exact: whether that Gaussian pair is theirs, so that it is also dominated.
    """

    largest: Fraction | None = None
    distance_squared: Fraction | None = None
    rho: Fraction | None = None
    exact: bool = False

    @classmethod
    def bounded(cls, largest: Fraction, steps: int) -> Simple:
        """Return what follows from a largest loss of `steps` equal releases together."""
        return cls(largest, None, largest**2 / (2 * steps))

    @classmethod
    def gaussian(cls, distance_squared: Fraction, *, exact: bool) -> Simple:
        """Return what follows from a Gaussian pair."""
        return cls(None, distance_squared, distance_squared / 2, exact)


def simple_epsilon(parts: Iterable[Simple], delta: Fraction) -> Bounds:
    """Return bounds on the least epsilon of a composition at `delta`; `[0, inf]` where nothing simple is known.

    Args:
        parts: of all releases.
        delta: 0 < delta < 1, exact.

    Returns:
        Certified ends in nats, rounded outward.
    """
    known = list(parts)
    exact = sum((part.distance_squared or Fraction(0) for part in known if part.exact), Fraction(0))
    # What is left out of a composition can only lower its curve.
    lower = gaussian_epsilon(delta, exact)[0] if exact else 0.0
    found = [(math.inf, _CONCENTRATED)]
    for largest, distance, rho in _splits(known):
        if distance is not None:
            found.append((_plus(largest, gaussian_epsilon(delta, distance)[1] if distance else 0.0), _LARGEST))
        if rho is not None:
            with precision(_BITS):
                value = ball(largest + rho) + 2 * (-ball(rho) * ball(delta).log()).sqrt()
                found.append((float_above(value) if rho else round_up(largest), _CONCENTRATED))
            if rho:
                better = epsilon_from_renyi(lambda order, rho=rho: round_up(order * rho), delta, largest_order=None)  # type: ignore[misc]
                found.append((_plus(largest, better.epsilon), _CONCENTRATED))
    upper, method = min(found)
    return Bounds(lower, upper, _PART, method)


def simple_delta(parts: Iterable[Simple], epsilon: Fraction) -> Bounds:
    """Return bounds on the least delta of a composition at `epsilon` >= 0; within [0, 1], certified as above."""
    known = list(parts)
    exact = sum((part.distance_squared or Fraction(0) for part in known if part.exact), Fraction(0))
    lower = gaussian_delta(epsilon, exact)[0] if exact else 0.0
    found = [(1.0, _CONCENTRATED)]
    for largest, distance, rho in _splits(known):
        rest = epsilon - largest
        if rest < 0:
            continue
        if distance is not None:
            found.append((gaussian_delta(rest, distance)[1] if distance else 0.0, _LARGEST))
        if rho and rest > rho:
            with precision(_BITS):
                found.append((float_above((-(ball(rest - rho) ** 2) / (4 * ball(rho))).exp()), _CONCENTRATED))
    upper, method = min(found)
    return Bounds(lower, upper, _PART, method)


def narrowed(found: Bounds, other: Bounds) -> Bounds:
    """Return what two certified intervals of one number have in common, with the methods of the ends that are left."""
    low = found if found.lower >= other.lower else other
    high = found if found.upper <= other.upper else other
    return Bounds(low.lower, high.upper, low.lower_method, high.upper_method)


def gaussian_delta(epsilon: Fraction, distance_squared: Fraction) -> Ends:
    """Return both ends of delta at a real `epsilon`, of a Gaussian pair at a squared distance > 0."""
    ends = gaussian_delta_ends(epsilon, distance_squared)
    if ends is not None:
        return ends
    # Out of the range of the error function; the contour has any range and takes longer.
    found = hockey_stick_enclosure(epsilon, distance_squared, Fraction(0), 1)
    return round_down(found.lower or Fraction(0)), round_up(Fraction(1) if found.upper is None else found.upper)


def gaussian_epsilon(delta: Fraction, distance_squared: Fraction) -> Ends:
    """Return both ends of epsilon at a `delta` in (0, 1), of a Gaussian pair at a squared distance > 0."""
    ends = gaussian_epsilon_ends(delta, distance_squared)
    if ends is not None:
        return ends
    found = epsilon_enclosure(delta, distance_squared, Fraction(0), 1)
    return round_down(found.lower or Fraction(0)), math.inf if found.upper is None else round_up(found.upper)


def _splits(parts: list[Simple]) -> list[tuple[Fraction, Fraction | None, Fraction | None]]:
    """Return for some ways to split the releases: the largest losses of one part, and what bounds the other one.

    The second number is the squared distance of a Gaussian pair above the other part, the third its `rho`; None where
    there is none.
    """
    pure = [part.largest for part in parts if part.largest is not None]
    others = [part for part in parts if part.largest is None]
    return [
        (sum(pure, Fraction(0)), _sum(p.distance_squared for p in others), _sum(p.rho for p in others)),
        (Fraction(0), None, _sum(p.rho for p in parts)),
    ]


def _sum(values: Iterable[Fraction | None]) -> Fraction | None:
    """Return the sum; None where a term is missing, as a part of a sum is no bound."""
    found = list(values)
    known = [value for value in found if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(found) else None


def _plus(exact: Fraction, end: float) -> float:
    """Return a float at least the sum."""
    return end if math.isinf(end) else round_up(exact + Fraction(end))
