"""Saddle points of the contour integrals for the privacy loss, and the contours through them.

Notation of `loss_law` and `contour`. Instead of the saddle point `c` itself the variable is `x = c / (1 - slope c)`:
then `G'(c) = mean + spread^2 x (1 + u / 2) + standard^2 x` with `u = slope x`, and near the pole `1 / slope` nothing
cancels. Next to the end of the loss (`u < -1/2`) the same derivative is written from `end`.

A contour may cross the axis anywhere near the saddle: the integral is the same, only the number of nodes grows. So
Newton's methods here stop early, and no error of theirs reaches a result.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from rgm_verify.gaussians.floating.contour import Path
from rgm_verify.gaussians.floating.loss_law import LossLaw
from rgm_verify.numbers.log1pmx import log1pmx

FloatArray = NDArray[np.float64]

_ROUNDS = 60
_DECREMENT = 0.01  # of Newton's method, squared: the contour need not cross at the saddle point exactly


@dataclass(frozen=True)
class Point:
    """A point of the real axis: `c`, `x = c / (1 - slope c)`, `u = slope x`, `growth = 1 + u = 1 / (1 - slope c)`."""

    c: FloatArray
    x: FloatArray
    u: FloatArray
    growth: FloatArray

    @classmethod
    def from_x(cls, x: FloatArray, slope: FloatArray) -> Point:
        """Return the point with a given `x`; accurate for `u >= -1/2`."""
        return cls(x / (1 + slope * x), x, slope * x, 1 + slope * x)

    @classmethod
    def from_c(cls, c: FloatArray, slope: FloatArray) -> Point:
        """Return the point with a given `c`; accurate for `slope c <= 1/2`."""
        growth = 1 / (1 - slope * c)
        return cls(c, c * growth, slope * c * growth, growth)

    def where(self, mask: NDArray[np.bool_], other: Point) -> Point:
        """Return this point where `mask` holds and the other elsewhere."""
        return Point(*(np.where(mask, getattr(self, f.name), getattr(other, f.name)) for f in fields(self)))


def above(law: LossLaw, *, tilted: bool) -> tuple[Path, FloatArray]:
    """Return the contour right of 0 and `c`; with the pole at -1 if `tilted`.

    Near the end of the range of `Y` the point is found from that end, where the distance from the mean would have lost
    its digits.

    Args:
        law: a law with `P(Y > 0) > 0`, else there is no saddle.
        tilted: whether the kernel is `1 / (s (s + 1))`, that of the hockey-stick divergence, or `1 / s`.

    Returns:
        The contours, and the places `c` where they cross; arrays of the law's shape.
    """
    # Only for losses that are bounded from above: there the saddle can be close to the end.
    near_end = _is_near_end(law, tilted)
    point = Point.from_x(_from_mean(law, tilted), law.slope)
    if near_end.any():
        # Any number where the other form is taken: `where` evaluates both.
        c = np.ones_like(point.c)
        c[near_end] = _from_end(law.at(near_end), tilted)
        point = Point.from_c(c, law.slope).where(near_end, point)
    return _path(law, point, point.c, point.c / (1 + point.c) if tilted else np.zeros_like(point.c)), point.c


def between(law: LossLaw) -> tuple[Path, FloatArray]:
    """Return the contour between the poles -1 and 0, and `-c`. Needs `mean > 0` and `G` decreasing at -1.

    Newton's method relative to `r`, damped by its own decrement, as the poles repel it.
    """
    # The saddle of `G` alone lies near that of the integrand unless it is next to a pole, from which the clip keeps
    # away.
    r = np.clip(-free_saddle(law).c, 1e-300, 1 - 2.0**-50)
    for _ in range(_ROUNDS):
        point, second = Point.from_c(-r, law.slope), r / (1 - r)
        slope = 1 - second - _scaled_derivative(law, point)
        curvature = _curvature(law, point, second)
        decrement = np.abs(slope) / np.sqrt(curvature)
        if (decrement**2 < _DECREMENT).all():
            break
        r = r * (1 + slope / curvature / (1 + decrement))
    return _path(law, Point.from_c(-r, law.slope), r, r / (1 - r)), r


def free(law: LossLaw) -> tuple[Path, FloatArray]:
    """Return the contour through the saddle point of `G` alone, and its unit of length `1 / sqrt(G'')`.

    It serves the density, whose integrand has no pole.
    """
    point = free_saddle(law)
    p, b, w = law.spread * point.growth, law.standard * point.growth, law.slope * point.growth
    # The second derivative of `G` at the saddle, whose parts also make the third one.
    second, shift = p * p * point.growth + b * b, p * p * point.growth
    scale, one, zero = 1 / np.sqrt(second), np.ones_like(second), np.zeros_like(second)
    path = Path(
        height=_log_peak(law, point),
        quadratic=shift / second,
        pole=scale * w,
        half=law.half,
        linear=zero,
        first=zero,
        second=zero,
        curvature=one,
        bend=scale * w * (3 * shift + 2 * b * b) / (6 * second),
    )
    return path, scale


def free_saddle(law: LossLaw) -> Point:
    """Return where the derivative of `G` is 0: a quadratic equation in `x`, and one in `growth` from the end."""
    k = np.hypot(law.spread, law.standard)
    m, part = law.mean / k, law.spread / k
    # The root that does not cancel: the term of the mean over the sum of two positive numbers.
    x = -2 * m / (k + np.sqrt(np.maximum(k * k - 2 * part * part * law.slope * law.mean, 0.0)))
    near_end = law.slope * x < -0.5
    w = np.where(near_end, np.abs(law.slope), 1.0)
    n, single = np.abs(law.end), law.half * w
    growth = 2 * n / (single + np.hypot(single, law.spread * np.sqrt(2 * n / w)))
    c = (1 - 1 / growth) / np.where(near_end, law.slope, 1.0)
    return Point.from_c(c, law.slope).where(near_end, Point.from_x(x, law.slope))


def _is_near_end(law: LossLaw, tilted: bool) -> NDArray[np.bool_]:
    """Return whether the saddle point lies beyond `-1 / slope`, for a negative slope."""
    w = np.where(law.slope < 0, -law.slope, 1.0)
    poles = w + (w / (1 + w) if tilted else 0.0)
    there = 3 / 8 * law.spread * (law.spread / w) + law.standard**2 / (2 * w) + law.mean
    return np.asarray((law.slope < 0) & (there < poles))


def _from_mean(law: LossLaw, tilted: bool) -> FloatArray:
    """Return `x` by Newton's method for the logarithm of the ratio of the terms that pull `c` down and up."""
    # x G'(c) = 1 + u + x / (1 + c): divided by powers, both sides have logarithmic slopes of the order 1 apart.
    a, b, w = law.spread, law.standard, law.slope
    k, m = np.hypot(a, b), law.mean - law.slope
    down, up = np.maximum(m, 0.0), np.maximum(-m, 0.0)
    ratio = np.abs(m) / k
    root = np.hypot(ratio, np.sqrt(6.0))
    # Beyond three quarters of the way to the end the other form takes over.
    largest = np.where(w < 0, 0.75 / np.where(w < 0, -w, 1.0), np.inf)
    cubic = np.where(
        (w > 0) & (a > 0), np.sqrt(2 * (np.abs(m) + k) / np.where(w > 0, w, 1.0)) / np.where(a > 0, a, 1.0), np.inf
    )
    x = np.minimum(np.where(m < 0, (ratio + root) / 2, 3 / (ratio + root)) / k, np.minimum(largest, cubic))
    for _ in range(_ROUNDS):
        u, p2, b2 = w * x, np.square(a * x), np.square(b * x)
        pole, pole_slope = _pole_term(x, u, tilted)
        left, right = p2 * (1 + u / 2) + b2 + down * x, 1 + up * x + pole
        left_slope, right_slope = p2 * (2 + 1.5 * u) + 2 * b2 + down * x, up * x + pole_slope
        gap = np.log(left / right)
        # Beyond the largest `x` the caller takes the point from the end instead.
        if ((np.square(gap * right) < _DECREMENT * (p2 * (1 + u) + b2 + 1)) | ((x >= largest) & (gap < 0))).all():
            break
        x = np.minimum(x * np.exp(-gap / np.maximum(left_slope / left - right_slope / right, 0.25)), largest)
    return x


def _pole_term(x: FloatArray, u: FloatArray, tilted: bool) -> tuple[FloatArray, FloatArray]:
    """Return `x / (1 + c)` and its derivative in `log x`."""
    if not tilted:
        return np.zeros_like(x), np.zeros_like(x)
    c = x / (1 + u)
    value = x / (1 + c)
    return value, value * (1 - c / (1 + c) / (1 + u))


def _from_end(law: LossLaw, tilted: bool) -> FloatArray:
    """Return `c` by Newton's method for the logarithm of the distance from the end, which is convex in `log c`."""
    w, n = -law.slope, law.end
    pole = 1.0 if tilted else 0.0
    square, single = law.spread * (law.spread / (2 * w)), law.half * w
    # The start solves the equation without its slow terms, a quadratic.
    sum_ = single + w * (1 + pole)
    g = 2 * n / (sum_ + np.hypot(sum_, 2 * np.sqrt(square) * np.sqrt(n)))
    c = np.maximum(1 / g - 1, 0.3) / w
    for _ in range(_ROUNDS):
        g = 1 / (1 + w * c)
        terms = (square * g * g, single * g, 1 / c, pole / (1 + c))
        value = terms[0] + terms[1] + terms[2] + terms[3]
        slope = (2 * terms[0] + terms[1]) * (w * c * g) + terms[2] + terms[3] * (c / (1 + c))
        gap = np.log(value / n)
        if (np.square(gap * n) < _DECREMENT * slope * np.minimum(value, n) * 0.5).all():
            break
        c = np.maximum(c * np.exp(gap * value / slope), 0.1 / w)
    return np.asarray(c)


def _scaled_derivative(law: LossLaw, point: Point) -> FloatArray:
    """Return `c G'(c)`."""
    p2, b2 = np.square(law.spread * point.x), np.square(law.standard * point.x)
    near_end = point.u < -0.5
    from_mean = point.c * law.mean + (p2 * (1 + point.u / 2) + b2) / point.growth
    if not near_end.any():
        return from_mean
    # Away from the end its form is not used, and may divide by 0: -1 is a divisor that does no harm.
    wc = np.where(near_end, law.slope * point.c, -1.0)
    from_end = point.c * np.where(near_end, law.end, 0.0) + (p2 / 2 + b2 * (1 - wc)) / wc
    return np.where(near_end, from_end, from_mean)


def _curvature(law: LossLaw, point: Point, second: FloatArray) -> FloatArray:
    """Return `c^2` times the second derivative of the exponent with the poles."""
    p2, b2 = np.square(law.spread * point.x), np.square(law.standard * point.x)
    return p2 * point.growth + b2 + 1 + second * second


def _path(law: LossLaw, point: Point, scale: FloatArray, second: FloatArray) -> Path:
    """Return the contour through a point: its integrand in units of `scale`, with the coefficients of `Path`."""
    p2, b2 = np.square(law.spread * point.x), np.square(law.standard * point.x)
    sign = np.sign(point.c)
    derivative = _scaled_derivative(law, point)
    curvature = _curvature(law, point, second)
    return Path(
        height=_log_peak(law, point) + derivative,
        quadratic=p2 * point.growth,
        pole=sign * point.u,
        half=law.half,
        linear=sign * derivative,
        first=sign,
        second=second,
        curvature=curvature,
        bend=sign * point.u * (3 * p2 * point.growth + 2 * b2) / (6 * curvature),
    )


def _log_peak(law: LossLaw, point: Point) -> FloatArray:
    """Return `G(c) - c G'(c)`, two terms <= 0: the height of the integrand at a saddle, in which nothing cancels."""
    near_end = point.u < -0.5
    log_growth = np.where(near_end, np.log(point.growth) - point.u, log1pmx(np.where(near_end, 0.0, point.u)))
    return law.half * log_growth - np.square(law.spread * point.x) / 2
