"""Tails of an affine noncentral chi-square by a contour through the saddle point, with relative accuracy.

For `Y` of `loss_law` with cumulant generating function `G` and `c > 0` where `G` is finite,

    E (1 - exp(-Y))_+ = 1/(2 pi i) int_{c - i inf}^{c + i inf} exp(G(s)) / (s (s + 1)) ds,
    P(Y > 0)          = 1/(2 pi i) int_{c - i inf}^{c + i inf} exp(G(s)) / s ds,

because `1/(s (s + 1))` and `1/s` are the Laplace transforms of `1 - exp(-y)` and 1. Between the poles -1 and 0 the
first integral is its value less 1 (the residue at 0). The contour crosses the real axis at the saddle point `c` of the
integrand, where it is least along the axis, and bends so that its exponent stays nearly real:
`s = c + |c| eta`, `eta = i y + bend y^2`, `y = sinh(t) / sqrt(curvature)`, and the trapezoidal rule in `t` converges
geometrically. Relative to the saddle point every term of the exponent is a product or `log1pmx`, so nothing cancels.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

# Lengths in `t` and numbers of nodes; most pairs are done with the first, and only what is not tries the next.
_PASSES = ((3.6, 28), (4.6, 64), (7.0, 128), (12.0, 384), (24.0, 2048))
# The rule converges geometrically: halves that agree to this mean a full rule that agrees to its square.
_ROUGH = 5e-8
_TAIL = 1e-15
_SHARP = 1e24


@dataclass(frozen=True)
class Path:
    """A contour and its integrand in units of the saddle point. Arrays of one shape; see `_values` for the formula.

    Attributes:
        height: the logarithm of the exponential at the crossing.
        quadratic: the coefficient of the Gaussian part of the exponent.
        pole: where the cumulant generating function ends, as `1 / pole` along the axis.
        half: half of the dimension, the factor of the logarithmic part.
        linear: what is left of the linear term, small as the crossing is nearly a saddle.
        first: the coefficient of the one pole of the kernel, `1 + first eta`.
        second: that of the other one.
        curvature: the second derivative of the exponent along the axis; it sets the scale of the nodes.
        bend: how far the contour bends towards the decay of the integrand, from the third derivative.
    """

    height: FloatArray
    quadratic: FloatArray
    pole: FloatArray
    half: FloatArray
    linear: FloatArray
    first: FloatArray
    second: FloatArray
    curvature: FloatArray
    bend: FloatArray

    def at(self, index: NDArray[np.bool_] | NDArray[np.int64]) -> Path:
        """Return the part of the arrays that `index` chooses."""
        return Path(*(getattr(self, field.name)[index] for field in fields(self)))


def log_integral(path: Path) -> FloatArray:
    """Return the logarithm of the contour integral over `2 pi i` in absolute value, `-inf` below the range of floats.

    Without the factor `1 / |s (s + 1)|` at the saddle point in units of it, which belongs to the caller.

    Args:
        path: contours as `saddle` makes them, arrays of shape (n,).

    Returns:
        Shape (n,). No bound to either side: the relative error of the integral is about `_ROUGH` squared where some
        pass was good, and larger where none was.
    """
    sums = np.ones_like(path.height)
    rest = np.flatnonzero(path.curvature <= _SHARP)
    part = path.at(rest)
    for length, nodes in _PASSES:
        fine, good = _trapezoid(part, length, nodes)
        sums[rest] = fine
        if good.all():
            break
        rest, part = rest[~good], part.at(~good)
    # Where one rounding of the height is wider than the peak, the sum would be noise: Laplace's value.
    sums = np.where(path.curvature > _SHARP, np.sqrt(np.pi / 2), sums)
    value = path.height + np.log(sums / (np.pi * np.sqrt(path.curvature)))
    return np.where(np.isfinite(value), value, -np.inf)


def _trapezoid(path: Path, length: float, nodes: int) -> tuple[FloatArray, BoolArray]:
    """Return the trapezoidal sums for all paths, and where they are good.

    Good means that leaving out every second node changes little, and that the last nodes are negligible. Only the half
    with `t >= 0` is summed, as the integrand at `-t` is the complex conjugate.
    """
    step = length / nodes
    # `sinh` spreads the nodes as far as the tails reach, and keeps them close at the peak.
    t = step * np.arange(nodes + 1)
    values = _values(path, np.sinh(t), np.cosh(t))
    # The node on the axis belongs to both halves.
    values[:, 0] /= 2
    fine = step * values.sum(axis=1)
    coarse = 2 * step * values[:, ::2].sum(axis=1)
    last = np.abs(values[:, -1]) + np.abs(values[:, -2])
    good = (np.abs(fine - coarse) <= _ROUGH * np.abs(fine)) & (last <= _TAIL * np.abs(fine))
    return fine, good


def _values(path: Path, sinh: FloatArray, cosh: FloatArray) -> FloatArray:
    """Return the real part of the integrand along the path, rows for points and columns for nodes."""
    row = np.expand_dims
    y = sinh / row(np.sqrt(path.curvature), 1)
    bend = row(path.bend, 1)
    # From here on in real numbers: complex arrays would take twice the memory and hide what cancels.
    tilt = bend * y
    re = tilt * y
    pole = row(path.pole, 1)
    zr, zi = pole * re, pole * y
    # eta^2 / (1 - z), in real numbers.
    dr = 1 - zr
    size = dr * dr + zi * zi
    sr, si = re * re - y * y, 2 * re * y
    qr, qi = (sr * dr - si * zi) / size, (si * dr + sr * zi) / size
    quadratic, half, linear = (row(x, 1) for x in (path.quadratic / 2, path.half, path.linear))
    # `log1pmx` of a complex number: the real part from the squared absolute value, by `log1p`.
    log_r = np.log1p(zr * (zr - 2) + zi * zi) / 2 + zr
    log_i = zi - np.arctan2(zi, dr)
    exponent = quadratic * qr - half * log_r + linear * re
    phase = quadratic * qi - half * log_i + linear * y
    size = np.exp(exponent) * cosh
    # (1 - 2 i bend y) exp(i phase) / ((1 + first eta) (1 + second eta))
    first, second = row(path.first, 1), row(path.second, 1)
    ar, ai = 1 + first * re, first * y
    br, bi = 1 + second * re, second * y
    pr, pi = ar * br - ai * bi, ar * bi + ai * br
    cos, sin = np.cos(phase), np.sin(phase)
    nr, ni = cos + 2 * tilt * sin, sin - 2 * tilt * cos
    return np.asarray(size * (nr * pr + ni * pi) / (pr * pr + pi * pi))
