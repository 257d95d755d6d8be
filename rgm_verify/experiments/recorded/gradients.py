"""Bias and mean square error that noise gives averages of real gradients, in closed form.

The GeoDP paper compares both kinds of noise on a data set of gradients that it does not publish. Here the gradients are
those of its network on MNIST, at the start of a training without noise and after some steps. Bias and error are
relative to the length of the average: `|E g* - g| / |g|` and `E |g* - g|^2 / |g|^2`. Floating point, with errors of
about 1e-11.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.experiments.data.images import Images
from rgm_verify.experiments.run.compact import FORMAT, MeasuredMethod, MeasuredPanel, Measurements
from rgm_verify.experiments.run.execute import code_fingerprint, versions
from rgm_verify.experiments.run.one_run import seeded
from rgm_verify.experiments.run.records import Source
from rgm_verify.experiments.trainings.methods import training_method
from rgm_verify.experiments.trainings.setup import TrainingSetup
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.geometric import ClampedGeoDP, GeoDPAsPrinted, NoisyGradient, NoNoise, Training

RUNS = 3
STEPS = 15
SETUP = TrainingSetup(model="convolutional", batch=8192, steps=STEPS, step="32")
METHODS = ("dp", "geodp-0.1", "geodp-0.5", "clamped-0.1")
NOISES = ("1", "10")
_PLACES = {"start": 0, "later": STEPS - 1}
# After the purposes of `one_run` and `one_training`: a stream that is used twice would tie experiments together.
_BATCHES, _START, _NOISE = range(6, 9)


def gradients(load: Callable[[str], Images], seed: int) -> Measurements:
    """Return bias and error of every method at both noise multipliers, for averages of three trainings.

    Returns:
        A compact record with a panel for each noise multiplier and each place of the training. Its quantities are the
        length of the average over the threshold, and the relative bias and error of a release: floats.
    """
    data = load(SETUP.dataset)
    found = [averages(data, run, seed) for run in range(RUNS)]
    panels = [
        MeasuredPanel(
            name=f"{noise}-{when}",
            setup={"noise": noise, "after": place},
            methods=[_method(name, noise, [each[place] for each in found]) for name in METHODS],
        )
        for noise in NOISES
        for when, place in _PLACES.items()
    ]
    shared = {name: value for name, value in SETUP.to_json().items() if name != "noise"}
    return Measurements(
        format=FORMAT,
        experiment="geodp-gradients",
        runs=RUNS,
        seed=seed,
        versions=versions(),
        code=code_fingerprint("training"),
        datasets=[Source.of(SETUP.dataset, data)],
        setup=shared,
        panels=panels,
    )


class _Kept:
    """A release without noise that keeps the averages."""

    def __init__(self) -> None:
        self.averages: list[FloatArray] = []

    def release(self, gradient: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the average, and keep it."""
        self.averages.append(NoNoise().release(gradient, generator))
        return self.averages[-1]


def averages(data: Images, run: int, seed: int) -> list[FloatArray]:
    """Return the averages (d,) of the clipped gradients of all steps of a training without noise."""
    kept, model = _Kept(), SETUP.classifier
    # Purposes of their own: these trainings share no batches with those of the experiments.
    start, batches, noise = (seeded(seed, run, purpose, "gradients") for purpose in (_START, _BATCHES, _NOISE))
    training = Training(model, clip=SETUP.clip, batch=SETUP.batch, steps=STEPS, step_size=SETUP.step)
    training.run(data.images, data.labels, kept, start=model.start(start), batches=batches, noise=noise)
    return kept.averages


def _method(name: str, noise: str, found: list[FloatArray]) -> MeasuredMethod:
    """Return the lengths of the averages in units of the threshold, and bias and error of a method on each."""
    setup = TrainingSetup(**{**SETUP.to_json(), "noise": noise})  # type: ignore[arg-type]
    pairs = [bias_and_error(training_method(name).release(setup), average) for average in found]
    lengths = [float(np.linalg.norm(average)) / float(setup.fraction("clip")) for average in found]
    values = {"length": lengths, "bias": [bias for bias, _ in pairs], "error": [error for _, error in pairs]}
    return MeasuredMethod(method=name, values={key: [repr(value) for value in of] for key, of in values.items()})


def bias_and_error(method: object, average: FloatArray) -> tuple[float, float]:
    """Return `|E g* - g| / |g|` and `E |g* - g|^2 / |g|^2` of what a method releases of `average` (d,).

    Args:
        method: a release of `learning.geometric`.
        average: g, not 0.

    Returns:
        Floats by closed moments, so that no simulation error hides a small bias.

    Raises:
        TypeError: for a method without closed moments.
    """
    square = float(average @ average)
    # Noise of mean 0 on every coordinate: no bias, and the sum of the variances.
    if isinstance(method, NoisyGradient):
        deviation = float(method.clip * method.noise_multiplier / method.batch)
        return 0.0, average.size * deviation**2 / square
    if not isinstance(method, GeoDPAsPrinted | ClampedGeoDP):
        raise TypeError(f"no closed moments are known of {type(method).__name__}")
    mean, second = method.moments(average)
    # E |g* - g|^2 = E |g*|^2 - 2 <E g*, g> + |g|^2, coordinate by coordinate.
    missing = mean - average
    return float(np.linalg.norm(missing)) / square**0.5, float(second.sum() - 2 * (average @ mean) + square) / square
