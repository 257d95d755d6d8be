"""Sums of clipped records over Poisson batches, with Gaussian noise: a reference in floating point, for simulation."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import reject
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

__all__ = ["SampledSumMechanism"]

FloatArray: TypeAlias = NDArray[np.floating[Any]]


class SampledSumMechanism:
    """One step of DP-SGD by Poisson sampling: the noisy sum of the records in a random batch.

    Records are clipped to norm 1. Each joins the batch on its own; of more than `batch_limit`, a random choice of so
    many stays. It is a reference: noise in floating point leaks through its roundings.

    Args:
        noise_multiplier: the deviation of the noise on each coordinate, > 0.
        sampling_rate: the probability of each record, in (0, 1].
        batch_limit: the largest batch; None for no limit.

    Raises:
        InputError: for numbers outside these ranges.
    """

    def __init__(
        self, noise_multiplier: ExactInput, sampling_rate: ExactInput, batch_limit: ExactInput | None = None
    ) -> None:
        self.noise = positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier")
        self.rate = positive(sampling_rate, name="sampling_rate", meaning="the sampling rate")
        if self.rate > 1:
            raise reject("sampling_rate", sampling_rate, "must be at most 1")
        self.limit = None if batch_limit is None else positive_integer(batch_limit, name="batch_limit")

    def release(self, rows: ArrayLike, generator: np.random.Generator, size: int = 1) -> FloatArray:
        """Return `size` independent sums, shape (size, d), of records in rows, shape (n, d), d >= 1; n may be 0."""
        empty = isinstance(rows, np.ndarray) and rows.size == 0
        given: FloatArray = np.zeros(np.shape(rows)) if empty else checked_values(rows, name="rows")
        if given.ndim != 2 or not given.shape[1]:
            raise reject("rows", given.shape, "expected an array of the shape (n, d)")
        norms = np.linalg.norm(given, axis=1, keepdims=True)
        clipped = given / np.maximum(norms, 1.0)
        keys = generator.random((size, len(given)))
        chosen = keys < float(self.rate)
        if self.limit is not None and len(given) > self.limit:
            # The keys of those that are sampled are alike: the smallest of them are a random choice.
            chosen &= keys <= np.partition(keys, self.limit - 1, axis=1)[:, self.limit - 1 : self.limit]
        noise = generator.normal(scale=float(self.noise), size=(size, given.shape[1]))
        found: FloatArray = chosen.astype(np.float64) @ clipped + noise
        return found
