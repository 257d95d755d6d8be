"""The Renyi curve of one release: the supremum of the divergence over all admissible pairs, order by order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.accounting.exact.below_threshold import Family
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.balls.real_roots import real_roots
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.gaussians.floating.renyi import renyi_of_pair
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, exact

FloatArray = NDArray[np.float64]

_CLOSED_FORM = "closed form E(alpha), enclosed"
_SUPREMUM = "supremum over one parameter, every stationary point enclosed"
_INFINITE = "an admissible pair has no finite divergence of this order"
_GUARD_DIGITS = 5
ERROR_CONSTANT = 16.0
"""`renyi` is within `ERROR_CONSTANT * eps / rho` of the truth, relatively; measured against `renyi_bounds`."""
_LARGEST_BITS = 4096


@takes(release=Release)
def covers_order(release: Release, alpha: Fraction) -> bool:
    """Return whether `sigma2 >= gamma eta^-2 (1 - eta (alpha - 1)) r_rel^2`: then one pair is the worst of this order.

    Exact. The threshold falls as the order grows. Source: RGM paper (v2), Theorem 1.
    """
    weight = 1 - release.eta * (alpha - 1)
    return release.sigma2 * release.eta**2 >= release.gamma * weight * release.r_rel**2


@takes(release=Release)
def renyi(release: Release, alpha: ArrayLike) -> FloatArray:
    """Return the Renyi divergence of order `alpha` of a release, the supremum over all admissible pairs, in nats.

    For orders `1 <= alpha < 1 + 1/q` it is the closed form `E(alpha) = alpha eta^2 / (2 gamma rho) + d (-log(rho) / (2
    (alpha - 1)) - log(1 + eta))` with `rho = 1 - (alpha - 1) q`; `alpha = 1` is the Kullback-Leibler divergence.

    Args:
        release: a release whose baseline noise covers the orders.
        alpha: orders >= 1, of any shape.

    Returns:
        Floats in that shape, neither upper nor lower bounds (for these ask `renyi_bounds`); relatively within
        `ERROR_CONSTANT * eps / rho`, measured against `renyi_bounds`, so the error grows only towards the end of the
        range. `+inf` from `1 + 1/q` on, which is decided exactly.

    Raises:
        InputError: for orders below 1, NaN, and orders that the baseline noise does not cover.

    Source: claims beyond:exact-renyi-upper and beyond:exact-renyi-attained.
    """
    orders = _orders(alpha)
    # The threshold falls in the order: what covers the least order covers all.
    lowest = Fraction(float(orders.min())) if orders.size else Fraction(1)
    if not covers_order(release, lowest):
        raise reject(
            "alpha", float(lowest), "sigma2 is below gamma (1 - eta (alpha - 1)) r_rel^2 / eta^2; use renyi_bounds"
        )
    finite = orders < round_up(release.largest_order)
    pair = release.worst_pair
    values = renyi_of_pair(np.where(finite, orders, 1.0), float(pair.shift_squared), float(pair.excess), pair.dimension)
    return np.asarray(np.where(finite, values, np.inf), dtype=np.float64)


def _orders(alpha: ArrayLike) -> FloatArray:
    """Return orders as floats >= 1."""
    array = np.asarray(alpha)
    if array.dtype.kind not in "iuf":
        raise reject("alpha", alpha, f"an order is a real number >= 1; got {array.dtype}")
    orders = array.astype(np.float64)
    bad = ~(orders >= 1)
    if bad.any():
        raise reject("alpha", orders[bad][0], "an order must be >= 1")
    return orders


@takes(release=Release)
def renyi_bounds(release: Release, alpha: ExactInput, *, digits: int = 15) -> Bounds:
    """Return bounds on the supremum of the Renyi divergence of order `alpha` over all admissible pairs, in nats.

    Where the baseline noise covers the order both ends enclose the closed form. Below that threshold the worst pair is
    found on a curve with one parameter, at one of the roots of a polynomial that are all isolated, or at an end.

    Args:
        alpha: an exact order >= 1.
        digits: the relative width is at most `10^-digits` and one rounding to floats.

    Returns:
        Certified bounds, rounded outward; `inf` where the divergence is infinite.

    Raises:
        InputError: for `alpha < 1` and floats.
    """
    order = exact(alpha, name="alpha")
    if order < 1:
        raise reject("alpha", alpha, "an order must be >= 1")
    if order >= release.largest_order:
        return Bounds(np.inf, np.inf, _INFINITE, _INFINITE)
    if covers_order(release, order):
        return _outward(pair_enclosure(order, release.worst_pair, digits=digits), _CLOSED_FORM)
    family = Family.of(release)
    if not family.is_finite(order):
        return Bounds(np.inf, np.inf, _INFINITE, _INFINITE)
    return _outward(_supremum(family, order, digits), _SUPREMUM)


def _outward(found: Enclosure, method: str) -> Bounds:
    """Return an enclosure as floats rounded outward."""
    if found.lower is None or found.upper is None:
        raise InputError("the divergence cannot be enclosed: these parameters are beyond the largest working precision")
    return Bounds(round_down(found.lower), round_up(found.upper), method, method)


def _supremum(family: Family, alpha: Fraction, digits: int) -> Enclosure:
    """Return the largest divergence over the family: at an end or where the slope vanishes."""
    bits = int(3.33 * digits) + 64
    # Narrower cells around the roots until the corner of each is worth no more than its point, to the digits asked for.
    while True:
        cells = [(end, end) for end in (Fraction(0), Fraction(1))]
        cells += real_roots(family.stationary(alpha), Fraction(0), Fraction(1), bits=bits)
        found = _largest_on(family, cells, alpha, digits)
        if _relative_width(found) * 10**digits <= 1 or bits >= _LARGEST_BITS:
            return found
        bits *= 2


def _largest_on(family: Family, cells: Sequence[tuple[Fraction, Fraction]], alpha: Fraction, digits: int) -> Enclosure:
    """Return an enclosure of the largest divergence over narrow cells, from a point and the corner of each."""
    lowers, uppers = [], []
    for low, high in cells:
        corner = family.corner(low, high)
        # The corner is larger than any pair of the cell, and may have no divergence although these have: a narrower
        # cell is needed.
        if 1 - (alpha - 1) * corner.excess <= 0:
            return Enclosure(None, None, indeterminate=True)
        point = pair_enclosure(alpha, family.pair(low), digits=digits + _GUARD_DIGITS)
        above = point if low == high else pair_enclosure(alpha, corner, digits=digits + _GUARD_DIGITS)
        if point.lower is None or above.upper is None:
            return Enclosure(None, None, indeterminate=True)
        lowers.append(point.lower)
        uppers.append(above.upper)
    return Enclosure(max(lowers), max(uppers))


def _relative_width(found: Enclosure) -> Fraction:
    """Return the width over the lower end; 1 where it is not known."""
    width, lower = found.width(), found.lower
    return Fraction(1) if width is None or lower is None else width / lower


def pair_enclosure(alpha: Fraction, pair: GaussianPair, *, digits: int) -> Enclosure:
    """Return an enclosure, with rational ends, of the Renyi divergence of order `alpha >= 1` of one pair.

    The relative width is `10^-digits`. The pair must have `1 - (alpha - 1) excess > 0`. Written with the remainder of
    the logarithm, in which all terms are positive, so that nothing cancels for nearly equal variances.
    """
    values = {"alpha": alpha, "S": pair.shift_squared, "w": pair.excess, "d": Fraction(pair.dimension)}
    return enclose(_divergence(), values, digits=digits, maximum_bits=_LARGEST_BITS)


@lru_cache(maxsize=1)
def _divergence() -> Any:
    """Return the divergence of a pair as an expression, with the remainder of the logarithm."""
    import sympy

    from rgm_verify.balls.special import LogRemainder  # loads SymPy, which most answers do without

    a, s, w, d = sympy.symbols("alpha S w d")
    remainder = (a - 1) * LogRemainder(2, (1 - a) * w) + LogRemainder(2, w)
    return a * s / (2 * (1 - (a - 1) * w)) + d * w**2 * remainder / 2
