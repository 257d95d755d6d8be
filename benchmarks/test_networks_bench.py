"""Private steps at a batch of 512 against steps without gradients of single records, and automatic differentiation."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from rgm_verify.learning.geometric import NoisyGradient, Training
from rgm_verify.learning.networks import Convolutional, by_jax
from rgm_verify.numbers.sampling import spawn

BATCH = 512
EPOCH = 117
"""Whole batches of 512 in the 60,000 records of the training set."""


@pytest.fixture(scope="module")
def case():
    """A model and a batch of the size of the real images, a fifth of whose pixels is not 0."""
    generator, model = np.random.default_rng(18), Convolutional()
    images = generator.random((BATCH, 28, 28)) * (generator.random((BATCH, 28, 28)) < 0.2)
    return model, model.start(generator), images.astype(np.float32), generator.integers(0, 10, BATCH)


def private_steps(case, steps):
    """Train for some steps of DP-SGD on batches of all records of the case: clipped, averaged, with noise."""
    model, parameters, images, labels = case
    training = Training(model, clip="1/10", batch=BATCH, steps=steps, step_size=1)
    batches, noise = spawn(18, 2)
    training.run(images, labels, NoisyGradient("1/10", BATCH, 1), start=parameters, batches=batches, noise=noise)


def steps_without_single_gradients(case, steps):
    """Take as many gradients of the mean loss, on as many batches, with as many steps."""
    model, parameters, images, labels = case
    model_now, batches = parameters.copy(), spawn(18, 1)[0]
    for _ in range(steps + 1):
        chosen = batches.choice(BATCH, BATCH, replace=False)
        model_now = model_now - model.mean_gradient(model_now, images[chosen], labels[chosen])


def test_a_private_epoch_against_one_without_gradients_of_single_records(ratio, case):
    # Steps of an epoch are alike: a tenth of them has the same ratio.
    ratio(
        "private steps of the convolutional network / the same steps without gradients of single records",
        lambda: private_steps(case, EPOCH // 10),
        lambda: steps_without_single_gradients(case, EPOCH // 10),
        target=6,
        rounds=5,
    )


def test_patches_and_products_against_automatic_differentiation(ratio, case):
    jax = pytest.importorskip("jax", reason="jax is not installed: pip install 'rgm-verify[jax]'")
    model, parameters, images, labels = case
    function, parts = by_jax.compiled(type(model)), model.parts(parameters)
    classes = labels.astype(np.int32)
    ratio(
        "gradients of single records by patches and products / by jax.vmap of jax.grad",
        lambda: model.per_example(parameters, images, labels),
        lambda: jax.block_until_ready(function(parts, images, classes)),
        target=1,
        rounds=9,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read in kB as Linux has it")
def test_the_memory_of_private_steps(report, case):
    import resource

    private_steps(case, 3)
    # The peak of the whole process, with everything that the benchmarks before this one took.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    report("peak memory of private steps at a batch of 512 / 3 GiB", peak / (3 * 2**30), target=1)
