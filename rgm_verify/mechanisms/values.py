"""Operations of every mechanism on its values: check them, measure them, and add isotropic Gaussian noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.gaussians.floating import renyi
from rgm_verify.mechanisms.noise_laws import LAWS
from rgm_verify.mechanisms.protocol import GaussianLaw
from rgm_verify.numbers.sampling import require_generator

FloatArray = NDArray[np.float64]


def checked_values(value: ArrayLike, *, name: str = "value") -> FloatArray:
    """Return `value` as a new float64 array: a scalar, a vector, or a batch of vectors along the last axis.

    Raises `InputError` for what is not numeric (texts, truth values, complex numbers, ragged lists), for NaN and
    infinities, and for empty arrays. Values may be private: no error shows one of them.
    """
    array = _real(value)
    if array is None:
        raise depends_on_data(f"{name}: expected real numbers (integers or floats) in a rectangular array")
    if array.size == 0:
        raise reject(name, f"array of shape {array.shape}", "expected at least one number")
    # A copy, whatever the type was: the caller's array is neither kept nor changed.
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise depends_on_data(f"{name}: every entry must be a finite float64")
    return numbers


def _real(value: ArrayLike) -> NDArray[np.number] | None:
    """Return an array of integers or floats, None for anything else.

    None and no error: an exception of NumPy may quote an entry, and what is raised in its handler carries it along.
    """
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        return None
    # Truth values and texts become numbers without a word; here they are most likely a mistake.
    return array if array.dtype.kind in "iuf" else None


def dimension(values: FloatArray) -> int:
    """Return the dimension of the vectors in `values`: the last axis, 1 for a scalar."""
    return values.shape[-1] if values.ndim else 1


def norms_squared(values: FloatArray) -> FloatArray:
    """Return the squared Euclidean norm over the last axis (of the number itself for a scalar)."""
    # An overflow becomes an infinity, which the callers look for and name.
    with np.errstate(over="ignore"):
        # Squares and a sum, not `linalg.norm`, whose root would have to be squared again.
        squares = np.square(values)
        return np.asarray(squares.sum(axis=-1) if values.ndim else squares, dtype=np.float64)


def affine_variance(values: FloatArray, gamma: Fraction, sigma2: Fraction) -> FloatArray:
    """Return `gamma |value|^2 + sigma2` per vector, to a relative error of about (dimension + 4) * 1e-16.

    Args:
        values: checked values, shape (..., d) or ().
        gamma: the noise ratio, >= 0.
        sigma2: the variance at 0, >= 0.

    Returns:
        A float for each vector, shape (...).

    Raises:
        InputError: where the result is not representable: an overflow, or 0 for a variance that is not 0. Noise that
            silently vanishes would release the value itself.
    """
    base = np.full(values.shape[:-1] if values.ndim else (), float(sigma2))
    # Without the norm: a large value would overflow for nothing, and the Gaussian mechanism stays what it is bit for
    # bit.
    if gamma == 0:
        return base
    squares = norms_squared(values)
    with np.errstate(over="ignore", under="ignore"):
        variance = np.asarray(float(gamma) * squares + base, dtype=np.float64)
    if not np.isfinite(variance).all():
        raise InputError("value: its squared norm times gamma overflows a float64; scale the query down")
    # With `sigma2 > 0` a norm that underflows is negligible beside it.
    if sigma2 == 0 and _vanishes(values, squares, variance):
        raise InputError("value: gamma |value|^2 underflows, so there would be no noise; scale the query up")
    return variance


def _vanishes(values: FloatArray, squares: FloatArray, variance: FloatArray) -> bool:
    """Decide whether some value that is not 0 has a squared norm or a variance below the normal floats."""
    nonzero = values.any(axis=-1) if values.ndim else values != 0
    # Below the normal floats digits are lost, so that the variance would be wrong before it is 0.
    tiny = np.finfo(np.float64).tiny
    return bool((nonzero & ((squares < tiny) | (variance < tiny))).any())


def representable(number: Fraction, *, name: str) -> Fraction:
    """Return `number` if a float64 can stand for it to full precision; raise `InputError` otherwise.

    A positive variance that rounds to 0 would switch the noise off.
    """
    # Subnormal numbers are left out: they carry fewer digits than the guarantee is computed with.
    limits = np.finfo(np.float64)
    if number != 0 and not Fraction(float(limits.tiny)) <= abs(number) <= Fraction(float(limits.max)):
        raise InputError(f"{name}: must be 0 or between {limits.tiny} and {limits.max}; change the unit of the query")
    return number


def add_noise(
    values: FloatArray, variance: FloatArray, generator: np.random.Generator, law: str = "gaussian"
) -> FloatArray:
    """Return `values` plus independent noise, Gaussian unless said otherwise; one draw per entry.

    The stream of `generator` depends on the shape only, so mechanisms of equal variance release equal outputs.

    Args:
        values: checked values, shape (..., d) or ().
        variance: per coordinate, one for each vector, shape (...).
        generator: the source of the noise.
        law: one of `noise_laws.LAWS`.

    Raises:
        InputError: without a generator, and where the noise would be lost in the rounding of the value.
    """
    source = require_generator(generator)
    deviation = np.sqrt(variance)[..., np.newaxis] if values.ndim else np.sqrt(variance)
    # Below the distance of neighbouring floats most draws leave the value as it is, bit for bit.
    lost = (deviation < np.spacing(np.abs(values))) & (deviation > 0)
    if bool(np.any(lost)):
        raise InputError("value: the noise is smaller than the rounding of the value; use more noise")
    return np.asarray(values + deviation * LAWS[law].draw(source, values.shape), dtype=np.float64)


def renyi_of_laws(first: GaussianLaw, second: GaussianLaw, alpha: ArrayLike) -> FloatArray:
    """Return the Renyi divergence of two releases; batches broadcast, point masses are handled exactly.

    Two equal point masses have divergence 0; a point mass and anything else have divergence `+inf` both ways, as they
    are singular to each other.

    Args:
        first: the law of one release, or of a batch.
        second: that of the other one, of the same dimension.
        alpha: orders > 0.

    Returns:
        Floats in nats with the error of `gaussians.floating.renyi.renyi`, no bound.

    Raises:
        InputError: for different dimensions, shapes that do not broadcast, and orders that are not positive.
    """
    if first.dimension != second.dimension:
        raise InputError(f"x has dimension {first.dimension}, y has {second.dimension}: they must be equal")
    try:
        distance = norms_squared(np.subtract(first.mean, second.mean))
    except ValueError:
        raise InputError(f"x has shape {first.mean.shape}, y has {second.mean.shape}: they must broadcast") from None
    point_1, point_2 = first.variance == 0, second.variance == 0
    # Point masses get a variance of 1 there, and their result is replaced below: the formula has no value for them.
    divergence = renyi.renyi(
        alpha,
        distance,
        np.where(point_1, 1.0, first.variance),
        np.where(point_2, 1.0, second.variance),
        first.dimension,
    )
    same = point_1 & point_2 & (distance == 0)
    singular = (point_1 | point_2) & ~same
    return np.asarray(np.where(same, 0.0, np.where(singular, np.inf, divergence)), dtype=np.float64)
