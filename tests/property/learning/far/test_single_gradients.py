"""Gradients of single records: derivatives of their losses, and together the gradient of the batch."""

import importlib.util
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.learning.networks import Convolutional, Logistic, by_jax

MODELS = (Logistic(), Convolutional())
EPS = np.finfo(np.float64).eps
TERMS = 24 * 24 + 320 + 250 + 25 + 50 + 40
"""No more terms are added up anywhere on the way from a parameter to the loss of one record, nor back."""

seeds = st.integers(0, 2**32 - 1)
models = st.sampled_from(MODELS)
few = settings(max_examples=20, deadline=None)


def drawn(model, seed, records, dtype=np.float64):
    generator = np.random.default_rng(seed)
    images = generator.random((records, 28, 28)) * (generator.random((records, 28, 28)) < 0.3)
    return model.start(generator, dtype), images.astype(dtype), generator.integers(0, 10, records)


def magnitudes(model, parameters, images, labels):
    """The sums of absolute values of what is added up for the gradient of the batch, per parameter."""
    _, layers = model._layers(model.parts(parameters), images, labels)
    pieces = []
    for inputs, slopes in layers:
        a, b = (np.abs(part).reshape(-1, part.shape[-1]) for part in (inputs, slopes))
        pieces += [(a.T @ b).ravel(), b.sum(axis=0)]
    return np.concatenate(pieces)


@few
@given(models, seeds, st.integers(1, 9))
def test_the_gradients_of_single_records_add_up_to_that_of_the_batch(model, seed, records):
    case = drawn(model, seed, records)
    apart, together = model.per_example(*case).rows.sum(axis=0), records * model.mean_gradient(*case)
    bound = 2 * (TERMS * records + 10) * EPS * magnitudes(model, *case)
    assert (np.abs(apart - together) <= bound).all()


@few
@given(models, seeds, st.integers(1, 9), st.sampled_from((1e-6, 0.1, 1e6)))
def test_a_weighted_sum_is_that_of_the_rows_without_forming_them(model, seed, records, clip):
    case = drawn(model, seed, records)
    losses, rows = model.per_example(*case)
    found = model.weighted_sum(*case, lambda norms: clip / np.maximum(norms, clip))
    norms = np.sqrt(np.square(rows).sum(axis=1))
    sizes = magnitudes(model, *case)
    rounding = 4 * (TERMS * records + 10) * EPS
    assert np.array_equal(found.losses, losses)
    assert (np.abs(found.norms - norms) <= rounding * np.linalg.norm(sizes)).all()
    factors = clip / np.maximum(norms, clip)
    # A factor is off by as much as the norm is, in proportion; a sum by the rounding of what is added up.
    off = (np.abs(found.norms - norms) / np.maximum(norms, clip)).max()
    assert (np.abs(found.total - factors @ rows) <= (rounding + off) * factors.max() * sizes).all()


@pytest.mark.parametrize("model", MODELS, ids=("logistic", "convolutional"))
@pytest.mark.parametrize("weights", [lambda norms: norms[:1], lambda norms: norms * np.nan, lambda norms: np.inf])
def test_factors_are_one_finite_number_for_each_record(model, weights):
    with pytest.raises(InputError, match=r"weights.*expected 3 finite numbers"):
        model.weighted_sum(*drawn(model, 1, 3), weights)


def units(model, parameters, images):
    """The active units, and the largest of each four: the loss is smooth while they stay."""
    if isinstance(model, Logistic):
        return []
    _, pooled_1, chosen_1, _, pooled_2, chosen_2, _, hidden, _ = model._forward(model.parts(parameters), images)
    return [pooled_1 > 0, chosen_1, pooled_2 > 0, chosen_2, hidden > 0]


@few
@given(models, seeds, st.sampled_from((2.0**-10, 2.0**-12)))
def test_a_gradient_is_the_slope_of_the_loss_along_any_line(model, seed, h):
    parameters, images, labels = drawn(model, seed, 3)
    way = np.random.default_rng([seed, 1]).standard_normal(model.dimension)
    way /= np.linalg.norm(way)
    here = units(model, parameters, images)
    for end in (-2 * h, -h, h, 2 * h):
        there = units(model, parameters + end * way, images)
        assume(all(np.array_equal(a, b) for a, b in zip(here, there, strict=True)))

    def slope(step):
        losses = [model.per_example(parameters + side * step * way, images, labels).losses for side in (1, -1)]
        return (losses[0] - losses[1]) / (2 * step), np.abs(losses).max()

    (near, size), (far, _) = slope(h), slope(2 * h)
    # The error of the difference at h is a third of what separates both, to leading order; rounding comes to it.
    bound = np.abs(far - near) + 8 * TERMS * EPS * (1 + size) / h
    assert (np.abs(near - model.per_example(parameters, images, labels).rows @ way) <= bound).all()


@few
@given(models, seeds)
def test_no_record_changes_the_gradient_of_another(model, seed):
    parameters, images, labels = drawn(model, seed, 4)
    whole = model.per_example(parameters, images, labels).rows
    for i in range(4):
        alone = model.per_example(parameters, images[i : i + 1], labels[i : i + 1]).rows[0]
        bound = 2 * TERMS**2 * EPS * magnitudes(model, parameters, images[i : i + 1], labels[i : i + 1])
        # Products of different shapes may be added up in another order, and the slopes before them too.
        assert (np.abs(whole[i] - alone) <= bound + TERMS**2 * EPS * np.abs(whole).max()).all()


def differentiated(model, parameters, images, labels):
    """The gradients of single records by JAX, in float32 as `by_jax` returns them and in float64."""
    import jax

    single = by_jax.per_example(model, parameters, images, labels).rows
    loss = by_jax._convolutional if isinstance(model, Convolutional) else by_jax._logistic
    jax.config.update("jax_enable_x64", True)
    ones = [jax.grad(loss)(model.parts(parameters), *record) for record in zip(images, labels, strict=True)]
    return single, np.array([np.concatenate([np.asarray(part).ravel() for part in one]) for one in ones])


@pytest.mark.parametrize("model", MODELS, ids=("logistic", "convolutional"))
def test_automatic_differentiation_differs_by_rounding_alone(model):
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed: pip install 'rgm-verify[jax]'")
    case = drawn(model, 5, 6)
    # JAX starts threads, and a process with threads must not fork, as later tests do: JAX has a process of its own.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        single, exact = pool.submit(differentiated, model, *case).result()
    coarse = np.abs(single - model.per_example(*case).rows).max()
    fine = np.abs(exact - model.per_example(*case).rows).max()
    # 29 bits separate the two formats. A wrong formula would be off by as much in both.
    assert exact.dtype == np.float64
    assert coarse > 0
    assert fine <= 2.0**-20 * coarse


def test_the_numbers_of_parameters_are_those_of_the_paper():
    assert [model.dimension for model in MODELS] == [7850, 21840]


@pytest.mark.parametrize("model", MODELS, ids=("logistic", "convolutional"))
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p, x, y: (p, x[:0], y[:0]), "empty batch"),
        (lambda p, x, y: (p, np.where(x == x.max(), np.nan, x), y), "every pixel must be a finite number"),
        (lambda p, x, y: (p, np.where(x == x.max(), np.inf, x), y), "every pixel must be a finite number"),
        (lambda p, x, y: (p, x.reshape(3, -1), y), "expected numbers"),
        (lambda p, x, y: (p[1:], x, y), "floats"),
        (lambda p, x, y: (p * np.nan, x, y), "diverged"),
        (lambda p, x, y: (p, x, y[1:]), "expected 3 integers"),
        (lambda p, x, y: (p, x, y + 10), "from 0 to 9"),
        (lambda p, x, y: (p, x, y - 10), "from 0 to 9"),
        (lambda p, x, y: (p, x, y.astype(float)), "integers"),
    ],
)
def test_bad_input_is_refused(model, change, message):
    with pytest.raises(InputError, match=message):
        model.per_example(*change(*drawn(model, 1, 3)))
    with pytest.raises(InputError, match=message):
        model.mean_gradient(*change(*drawn(model, 1, 3)))


def test_without_jax_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(InputError, match=r"rgm-verify\[jax\].*needs NumPy alone"):
        by_jax.per_example(MODELS[0], *drawn(MODELS[0], 1, 2))
