"""Private steps at a batch of 512 against steps without gradients of single records, and automatic differentiation."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from rgm_verify.learning.networks import Convolutional, by_jax

BATCH = 512
EPOCH = 117
"""Whole batches of 512 in the 60,000 records of the training set."""


@pytest.fixture(scope="module")
def case():
    """A model and a batch of the size of the real images, a fifth of whose pixels is not 0."""
    generator, model = np.random.default_rng(18), Convolutional()
    images = generator.random((BATCH, 28, 28)) * (generator.random((BATCH, 28, 28)) < 0.2)
    return model, model.start(generator), images.astype(np.float32), generator.integers(0, 10, BATCH)


def clipped_mean(model, parameters, images, labels, clip=0.1):
    """The mean of clipped gradients, with noise: what a private step computes."""
    rows = model.per_example(parameters, images, labels).rows
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    noise = np.random.default_rng(1).standard_normal(rows.shape[1])
    return (np.minimum(1, clip / np.maximum(norms, clip)) @ rows + clip * noise) / len(rows)


def test_a_private_epoch_against_one_without_gradients_of_single_records(ratio, case):
    model, *batch = case
    # Steps of an epoch are alike: a tenth of them has the same ratio.
    ratio(
        "private steps of the convolutional network / the same steps without gradients of single records",
        lambda: [clipped_mean(model, *batch) for _ in range(EPOCH // 10)],
        lambda: [model.mean_gradient(*batch) for _ in range(EPOCH // 10)],
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

    model, *batch = case
    for _ in range(3):
        clipped_mean(model, *batch)
    # The peak of the whole process, with everything that the benchmarks before this one took.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    report("peak memory of private steps at a batch of 512 / 3 GiB", peak / (3 * 2**30), target=1)
