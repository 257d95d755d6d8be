"""Training on images with released gradients: noise-free, DP-SGD and GeoDP on the same batches from the same start.

A step draws a batch of a fixed size without replacement, takes the gradient of each record by itself, shortens it by
clipping or by AUTO-S, averages, and moves the model against what a method releases of the average. Source: GeoDP paper,
equation (4) and Algorithm 1. The cost of what is released is in `rgm_verify.learning.geometric.costs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import reject
from rgm_verify.learning.networks.models import Labels, Model, Numbers, checked_batch
from rgm_verify.mechanisms.sensitivity import Adjacency, adjacency
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer
from rgm_verify.numbers.sampling import require_generator

FloatArray = NDArray[np.float64]
Shortening = Literal["clip", "auto-s"]

STABILITY = Fraction(1, 100)
"""The number that AUTO-S adds to every norm. Source: GeoDP paper, Section 2.2."""
_AT_ONCE = 512
"""Records whose slopes are in memory together; sums are added in this order whatever the memory is."""


class Release(Protocol):
    """A method that releases the average of shortened gradients."""

    def release(self, gradient: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return what is released of an average (d,)."""
        ...


class NoNoise:
    """The average itself, which protects nobody: training without privacy."""

    def release(self, gradient: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the average (d,) of the gradients; `InputError` for NaN and infinities."""
        require_generator(generator)
        return checked_values(gradient, name="gradient")


@dataclass(frozen=True, init=False)
class NoisyGradient:
    """DP-SGD: Gaussian noise of deviation `clip * noise_multiplier / batch` on every coordinate of the average.

    Formal Guarantees:
        In real arithmetic one release is as private as a Gaussian mechanism with the distance `distance(...)` in units
        of its noise, for averages of gradients with norms of at most `clip`.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`.
    """

    clip: Fraction
    batch: int
    noise_multiplier: Fraction

    def __init__(self, clip: ExactInput, batch: ExactInput, noise_multiplier: ExactInput) -> None:
        """Check the parameters: `InputError` unless all are positive."""
        object.__setattr__(self, "clip", positive(clip, name="clip", meaning="the clipping threshold"))
        object.__setattr__(self, "batch", positive_integer(batch, name="batch", meaning="the batch size"))
        multiplier = positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier")
        object.__setattr__(self, "noise_multiplier", multiplier)

    def release(self, gradient: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the average (d,) with noise; `InputError` for NaN, infinities, and without a generator."""
        source = require_generator(generator)
        average = checked_values(gradient, name="gradient")
        return average + float(self.clip * self.noise_multiplier / self.batch) * source.standard_normal(average.shape)

    def distance(self, neighbours: Adjacency | str) -> float:
        """Return the distance of neighbours' releases in units of the noise: 1 or 2 over its multiplier. Rounded up.

        Source: slides, Section 2; GeoDP paper, Definition 3.
        """
        moved = 2 if adjacency(neighbours) is Adjacency.REPLACE_ONE else 1
        return round_up(moved / self.noise_multiplier)


class Trained(NamedTuple):
    """The model after a training, and how it went.

    Attributes:
        parameters: (d,), those of the last step whose gradient was finite.
        losses: (steps + 1,), the mean loss in nats of each step's batch before the step, and of one more batch after
            the last step; infinite from the step on that left the range of floats.
    """

    parameters: FloatArray
    losses: FloatArray


@dataclass(frozen=True, init=False)
class Training:
    """The public parameters of a training, chosen without the data; the numbers are exact.

    Args:
        model: the classifier.
        clip: the largest norm of a record's gradient.
        batch: the number of records of a step.
        steps: the number of steps.
        step_size: the learning rate.
        shortening: `clip` to the threshold, or `auto-s`: `clip` times the gradient over its norm plus 1/100.
    """

    model: Model
    clip: Fraction
    batch: int
    steps: int
    step_size: Fraction
    shortening: Shortening

    def __init__(
        self,
        model: Model,
        *,
        clip: ExactInput,
        batch: ExactInput,
        steps: ExactInput,
        step_size: ExactInput,
        shortening: Shortening = "clip",
    ) -> None:
        """Check the parameters: `InputError` for what is not positive, and for another kind of shortening."""
        if shortening not in get_args(Shortening):
            raise reject("shortening", shortening, f"allowed are {', '.join(get_args(Shortening))}")
        found = {
            "model": model,
            "clip": positive(clip, name="clip", meaning="the clipping threshold"),
            "batch": positive_integer(batch, name="batch", meaning="the batch size"),
            "steps": positive_integer(steps, name="steps", meaning="the number of steps"),
            "step_size": positive(step_size, name="step_size", meaning="the learning rate"),
            "shortening": shortening,
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def run(
        self,
        images: ArrayLike,
        labels: ArrayLike,
        method: Release,
        *,
        start: Numbers,
        batches: np.random.Generator,
        noise: np.random.Generator,
        progress: Callable[[int], None] | None = None,
    ) -> Trained:
        """Train on images (n, 28, 28) with labels (n,), integers from 0 to 9.

        Two methods with equal `start` and `batches` see the same batches and differ by what they release alone.
        Gradients are of the type of the images, float32 or float64; the model itself is float64.

        Args:
            images: of the records.
            labels: of the records.
            method: what is released of each average.
            start: the first parameters (d,), as `Model.start` gives them.
            batches: draws the batches, `steps + 1` of them.
            noise: given to the method.
            progress: told the number of steps so far.

        Raises:
            InputError: for images and labels as `Model.per_example` refuses them, a batch larger than the data, and
                without generators.
        """
        # Two generators: a method that draws more numbers than another one must not change the batches.
        drawn, source = require_generator(batches), require_generator(noise)
        # Images in bytes are taken as float32, which is twice as fast and precise enough beside the noise.
        dtype = np.float64 if np.asarray(images).dtype == np.float64 else np.float32
        pixels, classes = checked_batch(images, labels, dtype)
        if self.batch > len(classes):
            raise reject("batch", self.batch, f"a batch is a set of records, and there are {len(classes)}")
        parameters = np.asarray(start, dtype=np.float64).copy()
        self.model.parts(parameters)
        # Infinite until a step has been taken, so that a training that ends early says from where on.
        losses = np.full(self.steps + 1, np.inf)
        for step in range(self.steps + 1):
            chosen = drawn.choice(len(classes), self.batch, replace=False, shuffle=False)
            # Small steps must not be lost in the type of the images: the model is kept in float64.
            loss, average = self._average(parameters.astype(dtype), pixels[chosen], classes[chosen])
            if not (np.isfinite(loss) and np.isfinite(average).all()):
                break
            losses[step] = loss
            # The last batch is only looked at: nothing is released of it.
            if step == self.steps:
                break
            with np.errstate(over="ignore"):
                moved = parameters - float(self.step_size) * method.release(average, source)
                inside = np.isfinite(moved.astype(dtype)).all()
            if not inside:
                break
            parameters = moved
            if progress is not None:
                progress(step + 1)
        return Trained(parameters, losses)

    def average(self, parameters: Numbers, images: ArrayLike, labels: ArrayLike) -> FloatArray:
        """Return the average (d,) of the shortened gradients of a batch, in float64; its norm is at most `clip`.

        Raises `InputError` as `Model.per_example`.
        """
        pixels, classes = checked_batch(images, labels, parameters.dtype)
        return self._average(parameters, pixels, classes)[1]

    def _average(self, parameters: Numbers, images: Numbers, labels: Labels) -> tuple[float, FloatArray]:
        total, loss = np.zeros(len(parameters)), 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            # In pieces: slopes take 150 kB a record. Their sums are added up in float64.
            for first in range(0, len(labels), _AT_ONCE):
                some = slice(first, first + _AT_ONCE)
                found = self.model.weighted_sum(parameters, images[some], labels[some], self._factors)
                total += found.total
                loss += float(found.losses.sum(dtype=np.float64))
            average = total / len(labels)
            # Sums of float32 may round to a little more than the threshold, which a mechanism counts on.
            longest = float(self.clip)
            norm = float(np.linalg.norm(average))
        return loss / len(labels), average if norm <= longest else average * (longest / norm)

    def _factors(self, norms: FloatArray) -> FloatArray:
        clip = float(self.clip)
        lengths = norms + float(STABILITY) if self.shortening == "auto-s" else np.maximum(norms, clip)
        # A norm that is no number makes the average no number either, and ends the training.
        return np.asarray(np.nan_to_num(clip / lengths))


def accuracy(model: Model, parameters: Numbers, images: ArrayLike, labels: ArrayLike) -> float:
    """Return the share of images whose label has the largest score, the first of equal ones; in float32.

    Raises `InputError` as `Model.per_example`.
    """
    # Scores decide by their order alone: float32 will do.
    narrow = parameters.astype(np.float32)
    pixels, classes = checked_batch(images, labels, np.float32)
    right = 0
    for first in range(0, len(classes), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        with np.errstate(over="ignore", invalid="ignore"):
            right += int((model.scores(narrow, pixels[some]).argmax(axis=1) == classes[some]).sum())
    return right / len(classes)
