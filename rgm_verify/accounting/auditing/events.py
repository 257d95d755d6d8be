"""Events that tell the outputs of two laws apart, chosen from training outputs: a score and a threshold.

Nothing here needs to be right for an audit to be valid: an event that is chosen badly gives a weak lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.errors import takes

FloatArray: TypeAlias = NDArray[np.float64]

_MOST_COORDINATES = 8  # every score is sorted and tried; the discriminants look at all coordinates together
_LARGEST_QUADRATIC = 64  # dimensions: beyond them covariances are taken as diagonal
_LARGEST_LINEAR = 512
_LEVELS = 64
_RIDGE = 1e-9  # relative to variances of 1: keeps directions without noise, and makes them count


@dataclass(frozen=True)
class Score:
    """A number for each row of an array of outputs; large values are meant to point to one of two laws.

    An audit holds for every score, as the threshold is chosen on samples that the test does not use. A good score only
    makes the bound larger.
    """

    name: str
    values: Callable[[FloatArray], FloatArray]

    def __call__(self, outputs: FloatArray) -> FloatArray:
        """Return the score of each row; not finite where the outputs are too large for it."""
        with np.errstate(all="ignore"):
            return np.asarray(self.values(outputs), dtype=np.float64)


@dataclass(frozen=True)
class Event:
    """The outputs whose score is at least (`above`) or at most the threshold."""

    score: Score
    threshold: float
    above: bool

    def count(self, outputs: FloatArray) -> int:
        """Return in how many rows the event holds."""
        scores = self.score(outputs)
        return int(np.count_nonzero(scores >= self.threshold if self.above else scores <= self.threshold))

    def __str__(self) -> str:
        return f"{self.score.name} {'>=' if self.above else '<='} {self.threshold:.6g}"


class Samples(NamedTuple):
    """Outputs at the two inputs, a row each."""

    x: FloatArray
    y: FloatArray


# ---------------------------------------------------------------------------------------------- scores


@takes(samples=Samples)
def fit_scores(samples: Samples) -> list[Score]:
    """Return the scores to choose from, fitted to `samples`.

    Coordinates (the first 8), the squared norm, log likelihood ratios of Gaussians fitted with equal covariances
    (linear discriminant), isotropic ones and arbitrary ones (quadratic discriminant), and how often exactly this
    output was seen: a mechanism that reuses its random numbers repeats itself, bit for bit.
    """
    dimension = samples.x.shape[1]
    scores = [Score(f"output[{j}]", _coordinate(j)) for j in range(min(dimension, _MOST_COORDINATES))]
    scores.append(Score("squared norm", lambda rows: np.square(rows).sum(axis=1)))
    with np.errstate(all="ignore"):
        scores += [_isotropic(samples), *_discriminants(samples)]
    return [*scores, _frequency(samples)]


def _coordinate(j: int) -> Callable[[FloatArray], FloatArray]:
    """Return the score that is one coordinate."""
    return lambda rows: rows[:, j]


def _isotropic(samples: Samples) -> Score:
    """Return the log likelihood ratio of isotropic Gaussians fitted to both sides, up to a constant."""
    means = [rows.mean(axis=0) for rows in samples]
    variances = [float(rows.var(axis=0).mean()) for rows in samples]
    # Constant outputs have the variance 0; a share of the larger variance keeps the score finite.
    least = max(max(variances) * _RIDGE, float(np.finfo(np.float64).tiny))
    x, y = (_quadratic_form(m, np.full(m.size, 1 / max(v, least))) for m, v in zip(means, variances, strict=True))
    return Score("isotropic Gaussian likelihood ratio", lambda rows: y(rows) - x(rows))


def _quadratic_form(mean: FloatArray, precision: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return the squared distance from `mean` with the `precision`: a matrix, or the diagonal of one."""
    if precision.ndim == 1:
        return lambda rows: np.square(rows - mean) @ precision
    return lambda rows: np.einsum("ij,ij->i", (rows - mean) @ precision, rows - mean)


def _discriminants(samples: Samples) -> list[Score]:
    """Return the linear and the quadratic discriminant, in coordinates of unit variance."""
    scale = np.sqrt((samples.x.var(axis=0) + samples.y.var(axis=0)) / 2)
    # A coordinate that never varies says nothing here; `_frequency` looks at such outputs.
    scale = np.where((scale > 0) & np.isfinite(scale), scale, 1.0)
    x, y = (rows / scale for rows in samples)
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return []
    mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)
    inverse_x, inverse_y = _precision(x, _LARGEST_QUADRATIC), _precision(y, _LARGEST_QUADRATIC)
    # Each around its own mean: the difference of the means would otherwise count as variance.
    pooled = _precision(np.concatenate([x - mean_x, y - mean_y]), _LARGEST_LINEAR)
    weights = pooled * (mean_x - mean_y) if pooled.ndim == 1 else pooled @ (mean_x - mean_y)
    from_x, from_y = _quadratic_form(mean_x, inverse_x), _quadratic_form(mean_y, inverse_y)
    return [
        Score("linear discriminant", lambda rows: rows / scale @ weights),
        Score("quadratic discriminant", lambda rows: from_y(rows / scale) - from_x(rows / scale)),
    ]


def _precision(rows: FloatArray, largest: int) -> FloatArray:
    """Return the inverse covariance, or the inverse variances where there are too many dimensions for the rows."""
    count, dimension = rows.shape
    # Too few rows for a covariance: its inverse would be noise, where variances still are good scores.
    if dimension > largest or count < 10 * dimension:
        return np.asarray(1 / (rows.var(axis=0) + _RIDGE), dtype=np.float64)
    centred = rows - rows.mean(axis=0)
    return np.asarray(np.linalg.inv(centred.T @ centred / count + _RIDGE * np.eye(dimension)), dtype=np.float64)


def _frequency(samples: Samples) -> Score:
    """Return the log ratio of how often exactly this output was seen at x and at y, 0 for one never seen."""
    keys, place = np.unique(np.concatenate([_keys(rows) for rows in samples]), return_inverse=True)
    counts = [np.bincount(part, minlength=keys.size) for part in np.split(place, [len(samples.x)])]
    # Half a count more for each: an output seen on one side only would have an infinite score.
    ratios = np.log((counts[0] + 0.5) / (counts[1] + 0.5))

    def values(rows: FloatArray) -> FloatArray:
        wanted = _keys(rows)
        found = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        return np.where(keys[found] == wanted, ratios[found], 0.0)

    return Score("log ratio of how often exactly this output was seen before", values)


def _keys(rows: FloatArray) -> NDArray[np.uint64]:
    """Return one number for each row, equal for rows that are equal bit for bit, and otherwise hardly ever.

    A collision would only join two outputs in one event, which no bound minds.
    """
    bits = np.ascontiguousarray(rows).view(np.uint64)
    mixed = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    odd = np.random.default_rng(0).integers(0, 2**63, size=rows.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    return np.asarray(((mixed ^ (mixed >> np.uint64(32))) * odd).sum(axis=1, dtype=np.uint64))


# ---------------------------------------------------------------------------------------------- choice


@takes(samples=Samples)
def choose_events(
    scores: Sequence[Score], samples: Samples, delta: float, trials: int, quantile: float
) -> tuple[Event, Event]:
    """Return the events that promise the largest lower bounds on `log((P(A) - delta) / Q(A))`.

    The first takes for `P` the law at x and for `Q` that at y, the second the other way round. Wilson's intervals stand
    for the exact ones here.

    Args:
        scores: what to choose from.
        samples: outputs that no bound will be computed from.
        delta: the level, as a float.
        trials: how many fresh outputs the bounds will be computed from.
        quantile: the Gaussian quantile of their confidence.
    """
    best: list[tuple[float, Event]] = []
    for score in scores:
        levels, above, below = _frequencies(score, samples)
        for side in (above, below):
            # Both orders from the same frequencies: an event that is good for one says little about the other.
            for order, (p, q) in enumerate((side, side[::-1])):
                # By what the test would promise and not by frequencies: rare events have large ratios and wide
                # intervals.
                promise = _wilson(p, trials, -quantile) - delta, _wilson(q, trials, quantile)
                with np.errstate(divide="ignore", invalid="ignore"):
                    value = np.where(promise[0] > 0, np.log(promise[0] / promise[1]), -np.inf)
                place = int(np.argmax(value))
                event = Event(score, float(levels[place]), above=side is above)
                if len(best) <= order:
                    best.append((float(value[place]), event))
                elif value[place] > best[order][0]:
                    best[order] = float(value[place]), event
    return best[0][1], best[1][1]


Frequencies: TypeAlias = tuple[FloatArray, FloatArray]


def _frequencies(score: Score, samples: Samples) -> tuple[FloatArray, Frequencies, Frequencies]:
    """Return thresholds, and how often the score is at least and at most each: at x and at y."""
    # NaN has no place in an order; as 0 it is a threshold like any other.
    sorted_scores = [np.sort(np.nan_to_num(score(rows), nan=0.0)) for rows in samples]
    pooled = np.sort(np.concatenate(sorted_scores))
    levels = np.unique(pooled[_places(pooled.size)])
    above = [1 - np.searchsorted(values, levels, "left") / values.size for values in sorted_scores]
    below = [np.searchsorted(values, levels, "right") / values.size for values in sorted_scores]
    return levels, (above[0], above[1]), (below[0], below[1])


def _places(size: int) -> NDArray[np.intp]:
    """Return places in a sorted array, dense toward both ends, where rare events are."""
    from_end = np.unique(np.geomspace(1, max(1, size // 2), _LEVELS).astype(np.intp)) - 1
    return np.concatenate([from_end, size - 1 - from_end])


def _wilson(frequency: FloatArray, trials: int, quantile: float) -> FloatArray:
    """Return the end of Wilson's interval on the side of the sign of `quantile`."""
    square = quantile * quantile / trials
    spread = np.sqrt(frequency * (1 - frequency) / trials + square / trials / 4)
    return np.asarray((frequency + square / 2 + quantile * spread) / (1 + square), dtype=np.float64)
