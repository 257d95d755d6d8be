"""DP-SGD with noise on the magnitude and on the angles of a gradient: as its paper prints it, and with proved noise.

`GeoDPAsPrinted` is Algorithm 1 line by line. Its stated guarantee is that of DP-SGD, and it is false
(`geodp:same-guarantee`): at the parameters of the paper one step may tell a record (`beyond:geodp-at-table-2`). What is
proved of it is `beyond:geodp-guarantee-as-printed`. `ClampedGeoDP` puts the angles into one public region and scales
its noise by what they can change by there (`geodp:same-guarantee-corrected`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import depends_on_data, reject
from rgm_verify.learning.geometric.spherical import Spherical, from_spherical, to_spherical
from rgm_verify.mechanisms.sensitivity import Adjacency, adjacency
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer
from rgm_verify.numbers.sampling import require_generator

FloatArray = NDArray[np.float64]


class Moments(NamedTuple):
    """Mean (d,) and second moments (d,) of the coordinates of a released gradient."""

    mean: FloatArray
    second: FloatArray


@dataclass(frozen=True, init=False, eq=False)
class _GeoDP:
    """The parameters that both forms share; `clip`, `batch`, `noise_multiplier` and `bounding_factor` are exact."""

    clip: Fraction
    batch: int
    noise_multiplier: Fraction
    bounding_factor: Fraction

    def __init__(
        self, clip: ExactInput, batch: ExactInput, noise_multiplier: ExactInput, bounding_factor: ExactInput
    ) -> None:
        """Check the parameters: `InputError` unless all are positive and the bounding factor is at most 1."""
        factor = positive(bounding_factor, name="bounding_factor", meaning="the bounding factor beta")
        if factor > 1:
            raise reject(
                "bounding_factor", bounding_factor, "must be at most 1: it is a share of the range of an angle"
            )
        object.__setattr__(self, "clip", positive(clip, name="clip", meaning="the clipping threshold"))
        object.__setattr__(self, "batch", positive_integer(batch, name="batch", meaning="the batch size"))
        object.__setattr__(
            self,
            "noise_multiplier",
            positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier"),
        )
        object.__setattr__(self, "bounding_factor", factor)

    def magnitude_deviation(self) -> float:
        """Return the deviation of the noise on the magnitude, `clip * noise_multiplier / batch`."""
        return float(self.clip * self.noise_multiplier / self.batch)

    def angle_deviation(self, dimension: int) -> float:
        """Return the deviation of the noise on each angle of a gradient with `dimension` coordinates, in radians."""
        raise NotImplementedError

    def _convert(self, gradient: ArrayLike) -> Spherical:
        return to_spherical(gradient, degenerate="zero")

    def release(self, gradient: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the noisy gradient (d,) for the average `gradient` (d,) of clipped gradients of a batch.

        Draws one normal number for the magnitude and one for each angle, in this order. Raises `InputError` for a
        gradient that `to_spherical` refuses, one whose norm is above the threshold, and without a generator.
        """
        source = require_generator(generator)
        found = self._convert(gradient)
        _require_clipped(found, self.clip, self.batch)
        magnitude = found.magnitude + self.magnitude_deviation() * float(source.standard_normal())
        angles = found.angles + self.angle_deviation(found.dimension) * source.standard_normal(found.angles.size)
        return from_spherical(magnitude, angles, noisy=True)

    def moments(self, gradient: ArrayLike) -> Moments:
        """Return mean and second moments of each coordinate of `release(gradient, ...)`, in closed form.

        The angles are Gaussian: `E cos(a + sz) = cos(a) q` with `q = exp(-s^2/2)`, and
        `E cos(a + sz)^2 = (1 + cos(2a) q^4) / 2`; a coordinate is a product of independent factors.
        Floating point, with errors of about d * 1e-16. Source: `beyond:cosine-of-a-noisy-angle`.
        """
        found = self._convert(gradient)
        s = self.angle_deviation(found.dimension)
        mean = found.magnitude * _products(np.cos(found.angles), np.sin(found.angles), math.exp(-(s**2) / 2))
        wave = np.cos(2 * found.angles) * math.exp(-2 * s**2)
        square = found.magnitude**2 + self.magnitude_deviation() ** 2
        return Moments(mean, square * _products((1 + wave) / 2, (1 - wave) / 2, 1.0))


class GeoDPAsPrinted(_GeoDP):
    """Algorithm 1 of the GeoDP paper, line by line: no angle is put into a region, and the noise is divided by `batch`.

    Formal Guarantees:
        In real arithmetic one release is as private as a Gaussian mechanism with the distance `distance(...)` in units
        of its noise. It is *not* as private as DP-SGD with this noise multiplier; see the module.

    Edge cases:
        * Where the last two coordinates are 0 the last angle is taken as 0. The gradient 0 is refused.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`.
    """

    def angle_deviation(self, dimension: int) -> float:
        """Return the printed deviation, `sqrt(d + 2) beta pi sigma / B`."""
        share = self.bounding_factor * self.noise_multiplier / self.batch
        return math.sqrt(_dimension(dimension) + 2) * math.pi * float(share)

    def distance(self, neighbours: Adjacency | str) -> float:
        """Return an upper bound on the distance of two neighbours' releases, in units of the noise.

        `sqrt(m^2 + B^2 / beta^2) / sigma`, with m = 2 where a record is replaced and 1 where one is added or removed:
        every angle may change by its whole range. Rounded up. Source: `beyond:geodp-guarantee-as-printed`.
        """
        moved = 2 if adjacency(neighbours) is Adjacency.REPLACE_ONE else 1
        square = (moved**2 + (self.batch / self.bounding_factor) ** 2) / self.noise_multiplier**2
        return _root_up(square)


class ClampedGeoDP(_GeoDP):
    """GeoDP with a guarantee: the angles are clamped to a public region, and the noise covers its whole width.

    `center` (d - 1,) are public angles, chosen without the data. Angles before the last one are clamped to
    `beta pi / 2` on either side of theirs, within `[0, pi]`; the last one to `beta pi` on either side, counted around
    the circle. The noise on each angle has the deviation `sqrt(d + 2) beta pi sigma`, with no division by `batch`.

    Formal Guarantees:
        In real arithmetic one release is as private as a Gaussian mechanism with the distance `distance(...)` in units
        of its noise: `sqrt(2) / sigma` for a record added or removed, `sqrt(5) / sigma` for one that is replaced.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`; and a `center` that
    was computed from the data.
    """

    center: FloatArray

    def __init__(
        self,
        clip: ExactInput,
        batch: ExactInput,
        noise_multiplier: ExactInput,
        bounding_factor: ExactInput,
        *,
        center: ArrayLike,
    ) -> None:
        """Check the parameters and the public angles: `InputError` for angles out of their ranges."""
        super().__init__(clip, batch, noise_multiplier, bounding_factor)
        angles = checked_values(center, name="center")
        from_spherical(1.0, angles)  # refuses what are no angles
        angles.setflags(write=False)
        object.__setattr__(self, "center", angles)

    def angle_deviation(self, dimension: int) -> float:
        """Return the deviation `sqrt(d + 2) beta pi sigma`, for the one dimension that `center` has."""
        if _dimension(dimension) != self.center.size + 1:
            raise reject("gradient", f"{dimension} coordinates", f"center has angles for {self.center.size + 1}")
        return math.sqrt(dimension + 2) * math.pi * float(self.bounding_factor * self.noise_multiplier)

    def distance(self, neighbours: Adjacency | str) -> float:
        """Return an upper bound on the distance of two neighbours' releases, in units of the noise; rounded up.

        Source: `geodp:same-guarantee-corrected`, `geodp:magnitude-noise`, `geodp:direction-noise-corrected`.
        """
        moved = 2 if adjacency(neighbours) is Adjacency.REPLACE_ONE else 1
        return _root_up((moved**2 + 1) / self.noise_multiplier**2)

    def _convert(self, gradient: ArrayLike) -> Spherical:
        found = super()._convert(gradient)
        if found.angles.size != self.center.size:
            raise reject("gradient", f"{found.dimension} coordinates", f"center has angles for {self.center.size + 1}")
        half = float(self.bounding_factor) * math.pi / 2
        angles = np.clip(found.angles, np.maximum(self.center - half, 0), np.minimum(self.center + half, math.pi))
        turn = math.remainder(float(found.angles[-1] - self.center[-1]), 2 * math.pi)
        angles[-1] = self.center[-1] + min(max(turn, -2 * half), 2 * half)
        return Spherical(found.magnitude, angles)


def clip_gradients(gradients: ArrayLike, clip: ExactInput) -> FloatArray:
    """Return per-example gradients (n, d), each shortened to at most `clip`: a new array. Source: GeoDP paper, (4).

    The norm of a row is at most `clip` up to a relative (d + 4) * 1.2e-16. Raises `InputError` for arrays that are not
    n by d, NaN, infinities and `clip <= 0`.
    """
    rows = _rows(gradients)
    threshold = float(positive(clip, name="clip", meaning="the clipping threshold"))
    norms = _norms(rows)
    return rows * np.minimum(1.0, threshold / np.where(norms > 0, norms, threshold))[:, np.newaxis]


def auto_s(gradients: ArrayLike, stability: ExactInput = Fraction(1, 100)) -> FloatArray:
    """Return per-example gradients (n, d), each divided by its norm plus `stability`: all shorter than 1.

    Source: GeoDP paper, Section 2.2; `geodp:auto-s`. Raises `InputError` as `clip_gradients` does.
    """
    rows = _rows(gradients)
    added = float(positive(stability, name="stability", meaning="what is added to the norm"))
    return rows / (_norms(rows) + added)[:, np.newaxis]


def _norms(rows: FloatArray) -> FloatArray:
    """Return the norms (n,) of rows, each relative to its largest entry: squares neither vanish nor overflow."""
    largest = np.abs(rows).max(axis=1)
    scaled = rows / np.where(largest > 0, largest, 1)[:, np.newaxis]
    return np.asarray(largest * np.sqrt(np.einsum("nd,nd->n", scaled, scaled)))


def _rows(gradients: ArrayLike) -> FloatArray:
    rows = checked_values(gradients, name="gradients")
    if rows.ndim != 2:
        raise reject("gradients", f"array of shape {rows.shape}", "expected one row for each record")
    return rows


def _dimension(dimension: int) -> int:
    return int(positive_integer(dimension, name="dimension", meaning="the number of coordinates"))


def _require_clipped(found: Spherical, clip: Fraction, batch: int) -> None:
    """Refuse a norm above the threshold by more than the average of `batch` clipped gradients may round up to."""
    rounding = Fraction(found.dimension + batch + 20, 2**52)
    if Fraction(found.magnitude) > clip * (1 + rounding):
        raise depends_on_data(f"gradient: its norm is above the threshold {float(clip):.6g}; clip each record first")


def _products(cosines: FloatArray, sines: FloatArray, factor: float) -> FloatArray:
    """Return `prod_{i<z} factor sines_i * factor cosines_z` for all z, and the product of all sines at the end."""
    running = np.concatenate(([1.0], np.cumprod(factor * sines)))
    return np.concatenate((running[:-1] * (factor * cosines), running[-1:]))


def _root_up(square: Fraction) -> float:
    """Return an upper bound on the square root of an exact number, one unit in the last place above it at most."""
    root = math.isqrt(math.ceil(square * 2**200)) + 1
    return round_up(Fraction(root, 2**100))
