"""Independent outputs of a mechanism that is known only by calling it, checked and stacked as rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, reject

FloatArray: TypeAlias = NDArray[np.float64]

Sampler: TypeAlias = Callable[[np.random.Generator, int], ArrayLike]
"""`sampler(generator, size)`: `size` independent outputs at one input, along the first axis."""


def sampler(mechanism: Any, value: Any) -> Sampler:
    """Return what draws outputs of `mechanism` at `value`; the first of three forms that fits.

    * an object with `release(value, generator)`, such as the mechanisms of `rgm_verify.mechanisms`: it is given a
      batch whose rows are all `value`, which releases each row by itself;
    * a callable `mechanism(value, generator, size=n)`: `n` outputs along the first axis;
    * a callable `mechanism(value, generator)`: one output; it is called `n` times.

    Raises `InputError` for what is none of them.
    """
    release = getattr(mechanism, "release", None)
    if callable(release):
        row = np.atleast_1d(np.asarray(value))
        # One call for all outputs: `release` adds independent noise to each row.
        return lambda generator, size: np.asarray(release(np.repeat(row[np.newaxis], size, axis=0), generator))
    if not callable(mechanism):
        raise reject("mechanism", mechanism, "expected a callable (value, generator) or an object with `release`")
    if _takes_size(mechanism):
        return lambda generator, size: np.asarray(mechanism(value, generator, size=size))
    return lambda generator, size: _stacked([mechanism(value, generator) for _ in range(size)])


def _takes_size(mechanism: Callable[..., Any]) -> bool:
    """Tell whether a callable has a parameter `size`."""
    try:
        return "size" in inspect.signature(mechanism).parameters
    except (TypeError, ValueError):  # some callables written in C have no signature
        return False


def _stacked(outputs: list[Any]) -> NDArray[Any]:
    """Return outputs as one array; `InputError` for different shapes."""
    try:
        return np.stack([np.asarray(output) for output in outputs])
    except ValueError:
        shapes = sorted({np.shape(output) for output in outputs})
    raise InputError(f"mechanism: its outputs have shapes {shapes[:3]}: all must be equal")


def draw(source: Sampler, generator: np.random.Generator, size: int, *, name: str) -> FloatArray:
    """Return `size` outputs as an array `(size, m)` of finite floats; each output is flattened.

    Args:
        generator: the source of chance.
        size: how many.
        name: for messages.

    Raises:
        InputError: for another number of outputs, for what is not numeric, and for NaN and infinities: an event must
            say of every output whether it holds.
    """
    try:
        outputs = np.asarray(source(generator, size))
    except ValueError as error:
        if isinstance(error, InputError) or "inhomogeneous" not in str(error):
            raise
        raise InputError(f"{name}: they do not form an array; all must have one shape") from None
    if outputs.ndim == 0 or outputs.shape[0] != size or outputs.size == 0:
        raise InputError(f"{name}: an array of shape {outputs.shape}; expected {size} outputs along the first axis")
    if outputs.dtype.kind not in "biuf":
        raise InputError(f"{name}: an array of type {outputs.dtype}; expected real numbers")
    rows = outputs.reshape(size, -1).astype(np.float64)
    if not np.isfinite(rows).all():
        raise InputError(f"{name}: every output must be finite; map it to a number before")
    return rows
