"""Private stochastic gradient descent on linear models, with batches drawn as slides and accountants have them.

A step draws a batch, adds up the gradients of its records, each clipped, adds Gaussian noise, and moves the model
against the result, back into a ball if one is given. The gradient of a linear model is `r x` with a residual r, so that
clipping it is clipping the residual: no matrix of gradients is formed. Source: slides, Section 2, and `slides:dp-sgd`.

The cost of a run is that of its releases, whatever the losses and step sizes are, and is enclosed by
`rgm_verify.accounting.subsampled`: `DpSgd.account`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.accounting.subsampled.mechanism import SampledGaussian, fixed_batches, poisson
from rgm_verify.errors import depends_on_data, reject
from rgm_verify.learning.data import FloatArray, checked_records, row_norms_above
from rgm_verify.numbers.bounds import round_down
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer
from rgm_verify.numbers.sampling import require_generator

Loss = Literal["logistic", "squared"]
TooLong = Literal["clip", "refuse"]


@dataclass(frozen=True, init=False)
class DpSgd:
    """The public parameters of a run; all numbers exact, chosen without the data.

    Args:
        loss: `logistic`, for labels 0 and 1, or `squared`.
        clip: the largest norm of a record's gradient.
        noise_multiplier: deviation of the noise on the sum of a batch, over `clip`.
        batch: the size of batches without replacement; with `rate`, the public divisor of the sum.
        rate: the probability with which each record joins a batch, on its own; batches have a fixed size without it.
        steps: the number of steps.
        step_size: the learning rate.
        radius: the radius of the ball around 0 that the model is projected to; none if not given.
        too_long: `clip` gradients that are longer, or `refuse` to go on: for losses that are known to be Lipschitz.

    Formal Guarantees:
        In real arithmetic a run is one of `account(n)`: Poisson sampling with one record added or removed, or fixed
        batches with one record replaced. A record moves the sum by at most `clip`, or `2 clip` where it is replaced.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`. Where a gradient that
    is too long is refused, the refusal itself depends on the data.
    """

    loss: Loss
    clip: Fraction
    noise_multiplier: Fraction
    batch: int
    rate: Fraction | None
    steps: int
    step_size: Fraction
    radius: Fraction | None
    too_long: TooLong

    def __init__(
        self,
        loss: Loss,
        *,
        clip: ExactInput,
        noise_multiplier: ExactInput,
        batch: ExactInput,
        steps: ExactInput,
        step_size: ExactInput,
        rate: ExactInput | None = None,
        radius: ExactInput | None = None,
        too_long: TooLong = "clip",
    ) -> None:
        if loss not in get_args(Loss):
            raise reject("loss", loss, f"allowed are {', '.join(get_args(Loss))}")
        if too_long not in get_args(TooLong):
            raise reject("too_long", too_long, f"allowed are {', '.join(get_args(TooLong))}")
        share = None if rate is None else positive(rate, name="rate", meaning="the sampling rate")
        if share is not None and share > 1:
            raise reject("rate", rate, "a probability is at most 1")
        found = {
            "loss": loss,
            "clip": positive(clip, name="clip", meaning="the clipping threshold"),
            "noise_multiplier": positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier"),
            "batch": positive_integer(batch, name="batch", meaning="the batch size"),
            "rate": share,
            "steps": positive_integer(steps, name="steps", meaning="the number of steps"),
            "step_size": positive(step_size, name="step_size", meaning="the learning rate"),
            "radius": None if radius is None else positive(radius, name="radius", meaning="the radius"),
            "too_long": too_long,
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def account(self, records: ExactInput, *, after: ExactInput | None = None) -> SampledGaussian:
        """Return the run for `rgm_verify.accounting.subsampled.account.epsilon`, all of it or its steps so far.

        `records` is n, and used for fixed batches alone. `after` is a number of steps, from 1 to all of them: with it
        the cost is known at every step.

        Raises `InputError` for a batch larger than the data, and for steps that there are not.
        """
        steps = self.steps if after is None else positive_integer(after, name="after", meaning="the steps so far")
        if steps > self.steps:
            raise reject("after", after, f"must be at most {self.steps}, the number of steps")
        if self.rate is not None:
            return poisson(self.rate, self.noise_multiplier, steps)
        return fixed_batches(Fraction(self.batch, self._fits(records)), self.noise_multiplier, steps)

    def train(self, X: ArrayLike, y: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the model (d,) after all steps, from 0, for features `X` (n, d) and labels `y` (n,).

        Raises `InputError` for data that are no numbers or of wrong shapes, NaN, a batch larger than the data, labels
        of a logistic loss other than 0 and 1, and a gradient that is too long where these are refused.
        """
        source = require_generator(generator)
        features, labels = checked_records(X, y)
        if self.rate is None:
            self._fits(len(labels))
        if self.loss == "logistic" and not np.isin(labels, (0.0, 1.0)).all():
            raise depends_on_data("y: labels of a logistic loss are 0 or 1")
        norms = row_norms_above(features)
        theta = np.zeros(features.shape[1])
        deviation = float(self.clip * self.noise_multiplier)
        for _ in range(self.steps):
            chosen = self._batch(len(labels), source)
            total = self._clipped_sum(features[chosen], labels[chosen], norms[chosen], theta)
            total += deviation * source.standard_normal(theta.size)
            theta = self._projected(theta - float(self.step_size) / self.batch * total)
        return theta

    def _fits(self, records: ExactInput) -> int:
        count = positive_integer(records, name="records", meaning="the number of records")
        if self.batch > count:
            raise reject("batch", self.batch, f"a batch is a set of records, and there are {count}")
        return int(count)

    def _batch(self, count: int, source: np.random.Generator) -> NDArray[np.int64]:
        """Return the records of a batch: a set of fixed size, or of binomial size, all sets of it equally likely."""
        size = self.batch if self.rate is None else int(source.binomial(count, round_down(self.rate)))
        return source.choice(count, size, replace=False, shuffle=False)

    def _clipped_sum(self, rows: FloatArray, labels: FloatArray, norms: FloatArray, theta: FloatArray) -> FloatArray:
        score = rows @ theta
        residuals = score - labels if self.loss == "squared" else _sigmoid(score) - labels
        # A length beyond the floats is too long like any other, and a warning would tell that there is one.
        with np.errstate(over="ignore"):
            lengths = np.abs(residuals) * norms
        limit = float(self.clip)
        rounding = (theta.size + 20) * 2.0**-52  # of a length that the data allow exactly
        if self.too_long == "refuse" and lengths.size and float(lengths.max()) > limit * (1 + rounding):
            raise depends_on_data(
                f"clip={limit:.6g}: a gradient is longer; the loss is not Lipschitz with this constant on these "
                "records, so nothing is released"
            )
        return np.asarray(rows.T @ (residuals * (limit / np.maximum(lengths, limit))))

    def _projected(self, theta: FloatArray) -> FloatArray:
        if self.radius is None:
            return theta
        norm = float(np.linalg.norm(theta))
        return theta if norm <= self.radius else theta * (float(self.radius) / norm)


def _sigmoid(score: FloatArray) -> FloatArray:
    """Return the logistic function, without overflow on either side."""
    small = np.exp(-np.abs(score))
    return np.asarray(np.where(score >= 0, 1, small) / (1 + small))


class PrintedChain(NamedTuple):
    """The numbers of the printed proof of the guarantee of DP-SGD, in its order; see `printed_chain`."""

    noise: float
    """Deviation of the noise on the mean gradient of a batch, per coordinate."""
    batch_level: float
    batch_delta: float
    step_level: float
    step_delta: float
    total_level: float
    total_delta: float


def printed_chain(
    records: ExactInput,
    batch: ExactInput,
    steps: ExactInput,
    epsilon: ExactInput,
    delta: ExactInput,
    lipschitz: ExactInput,
) -> PrintedChain:
    """Return what the slides print on the way to the guarantee of DP-SGD, number by number, in floating point.

    Nothing of it is a guarantee: the noise is too small for its first step (`slides:noisy-gradient-private`) and
    amplification needs a level of at most 1 (`slides:amplified-gradient-private`). Raises `InputError` for numbers that
    are not positive, a batch larger than the data, and where the noise has no value
    (`slides:noise-of-dp-sgd-positive`).
    """
    n = positive_integer(records, name="records", meaning="the number of records")
    m = positive_integer(batch, name="batch", meaning="the batch size")
    if m > n:
        raise reject("batch", batch, f"a batch is a set of records, and there are {n}")
    T = positive_integer(steps, name="steps", meaning="the number of steps")
    level = float(positive(epsilon, name="epsilon", meaning="the level of privacy"))
    failure = positive(delta, name="delta", meaning="the probability of failure")
    bound = float(positive(lipschitz, name="lipschitz", meaning="the Lipschitz constant"))
    inside = Fraction(5, 4) * T / (failure * n)
    if inside <= 1 or failure >= 2:
        raise reject("delta", delta, "ln(1.25 T/(delta n)) and ln(2/delta) must be positive, or there is no noise")
    two = math.log(2 / float(failure))
    batch_level = n * level / (4 * m * math.sqrt(2 * T * two))
    batch_delta = float(failure * n / (2 * m * T))
    step_level, step_delta = 2 * m / n * batch_level, m / n * batch_delta
    return PrintedChain(
        16 * bound * math.sqrt(T * two * math.log(float(inside))) / (n * level),
        batch_level,
        batch_delta,
        step_level,
        step_delta,
        math.sqrt(2 * T * two) * step_level + T * step_level * math.expm1(step_level),
        T * step_delta + float(failure) / 2,
    )
