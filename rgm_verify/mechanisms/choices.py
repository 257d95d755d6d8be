"""Choices by noisy scores, and histograms of which only cells above a threshold are shown: reference mechanisms.

They draw floats, whose bits depend on the scores: for simulation and tests, as all of this room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import reject
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import Floats, NumberInput, positive
from rgm_verify.numbers.sampling import require_generator

__all__ = ["NoisyMax", "SparseHistogram"]

_DRAWS: Mapping[str, Callable[[np.random.Generator, float, tuple[int, ...]], NDArray[np.float64]]] = {
    "gumbel": lambda generator, scale, shape: generator.gumbel(0.0, scale, shape),
    "exponential": lambda generator, scale, shape: generator.exponential(scale, shape),
    "laplace": lambda generator, scale, shape: generator.laplace(0.0, scale, shape),
}


@dataclass(frozen=True, init=False)
class NoisyMax:
    """Show the candidate whose score with noise of a `scale` is the largest; nothing else is shown.

    With Gumbel noise candidate `i` is chosen with probability in proportion to `exp(s_i/scale)`: the exponential
    mechanism. `scale` is an exact number > 0, in units of the scores; floats only with `floats="binary"`.

    Formal Guarantees:
        In real arithmetic, that of the line `noisy-max` of a plan with the scale over the sensitivity of a score.

    Edge cases:
        * No scores, or scores that are not finite, a scale that is not > 0, noise that is not known: `InputError`.
        * Scores that are equal: the noise decides, whose values are equal with probability 0.
    """

    scale: Fraction
    noise: str

    def __init__(self, scale: NumberInput, noise: str, *, floats: Floats = "refuse") -> None:
        if noise not in list(_DRAWS):
            raise reject("noise", noise, f"must be {' or '.join(_DRAWS)}")
        object.__setattr__(self, "scale", positive(scale, name="scale", meaning="the scale", floats=floats))
        object.__setattr__(self, "noise", noise)

    def choose(self, scores: ArrayLike, generator: np.random.Generator, *, size: int = 1) -> NDArray[np.int64]:
        """Return the places of the chosen candidates, shape (size,), each by noise of its own.

        Args:
            scores: finite numbers, shape (n,).
            generator: the only source of chance.
            size: the number of choices, each of which is a release.
        """
        values = checked_values(scores)
        if values.ndim != 1:
            raise reject("scores", values.shape, "must be one for each candidate")
        draws = _DRAWS[self.noise](require_generator(generator), float(self.scale), (size, len(values)))
        found: NDArray[np.int64] = np.argmax(values + draws, axis=1)
        return found


@dataclass(frozen=True, init=False)
class SparseHistogram:
    """Add Gaussian noise to the cells that are not empty, and show those above a threshold.

    `sigma` and `threshold` are exact numbers, in units of the counts.

    Formal Guarantees:
        In real arithmetic, that of the line `sparse-histogram` of a plan, where a record changes a cell by at most 1.

    Edge cases:
        * Cells with 0 are not there: they get no noise.
        * Counts that are not finite, a sigma that is not > 0: `InputError`.
    """

    sigma: Fraction
    threshold: Fraction

    def __init__(self, sigma: NumberInput, threshold: NumberInput, *, floats: Floats = "refuse") -> None:
        object.__setattr__(self, "sigma", positive(sigma, name="sigma", meaning="the noise", floats=floats))
        least = positive(threshold, name="threshold", meaning="the threshold", floats=floats)
        object.__setattr__(self, "threshold", least)

    def release(self, counts: Mapping[str, float], generator: np.random.Generator) -> dict[str, float]:
        """Return the noisy counts that are above the threshold, by their cells."""
        held = {cell: count for cell, count in counts.items() if count != 0}
        if not held:
            return {}
        values = checked_values(list(held.values()))
        noisy = values + require_generator(generator).normal(0.0, float(self.sigma), len(held))
        return {cell: float(v) for cell, v in zip(held, noisy, strict=True) if v > self.threshold}
