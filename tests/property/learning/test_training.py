"""Training with released gradients: shared batches, shortened averages, and methods that differ by noise alone."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.experiments.data.images import synthetic_images
from rgm_verify.learning.geometric import GeoDPAsPrinted, NoisyGradient, NoNoise, Training, accuracy
from rgm_verify.learning.geometric.geodp import auto_s, clip_gradients
from rgm_verify.learning.networks import Convolutional, Logistic
from rgm_verify.numbers.sampling import spawn

MODEL = Logistic()
DATA = synthetic_images(records=60, tests=30)
IMAGES = DATA.images.astype(np.float64)
EPS = np.finfo(np.float64).eps
few = settings(max_examples=15, deadline=None)


def training(**changed):
    return Training(changed.pop("model", MODEL), **{"clip": "1/10", "batch": 20, "steps": 3, "step_size": 1} | changed)


def run(some, method, *, images=IMAGES, labels=DATA.labels, seed=0):
    start, batches, noise = spawn(seed, 3)
    return some.run(images, labels, method, start=some.model.start(start), batches=batches, noise=noise)


class Seen:
    """A method that keeps what it is given."""

    def __init__(self, method):
        self.method, self.averages = method, []

    def release(self, gradient, generator):
        self.averages.append(np.array(gradient))
        return self.method.release(gradient, generator)


@few
@given(st.integers(0, 2**32), st.sampled_from(["clip", "auto-s"]), st.sampled_from(["1/1000", "1/10", "100"]))
def test_an_average_is_that_of_the_shortened_rows(seed, shortening, clip):
    generator = np.random.default_rng(seed)
    parameters, chosen = MODEL.start(generator, np.float64), generator.choice(60, 20, replace=False)
    images, labels = IMAGES[chosen], DATA.labels[chosen]
    rows = MODEL.per_example(parameters, images, labels).rows
    expected = clip_gradients(rows, clip) if shortening == "clip" else float(Fraction(clip)) * auto_s(rows)
    found = training(shortening=shortening, clip=clip).average(parameters, images, labels)
    assert np.abs(found - expected.mean(axis=0)).max() <= 40_000 * EPS * np.abs(expected).max()
    assert np.linalg.norm(found) <= float(Fraction(clip)) * (1 + 10_000 * EPS)


@few
@given(st.integers(0, 2**32), st.integers(0, 19), st.integers(0, 59))
def test_a_replaced_record_moves_an_average_by_twice_the_threshold_over_the_batch(seed, place, other):
    parameters = MODEL.start(np.random.default_rng(seed), np.float64)
    images, labels = IMAGES[:20].copy(), DATA.labels[:20].copy()
    before = training().average(parameters, images, labels)
    images[place], labels[place] = 255 * IMAGES[other], DATA.labels[other]
    moved = np.linalg.norm(training().average(parameters, images, labels) - before)
    assert moved <= 2 * 0.1 / 20 * (1 + 10_000 * EPS)


def test_sums_of_float32_are_not_longer_than_the_threshold():
    # Equal records: the average is as long as each shortened gradient, and rounding must not lift it.
    same = np.repeat(DATA.images[:1], 37, axis=0)
    for seed in range(20):
        parameters = MODEL.start(np.random.default_rng(seed))
        found = training().average(parameters, same, np.repeat(DATA.labels[:1], 37))
        assert 0.0999 <= np.linalg.norm(found) <= 0.1 * (1 + 10_000 * EPS)


def test_methods_with_equal_seeds_see_the_same_batches_from_the_same_start():
    methods = [Seen(m) for m in (NoNoise(), NoisyGradient("1/10", 20, 1), GeoDPAsPrinted("1/10", 20, 1, "1/2"))]
    trained = [run(training(), method) for method in methods]
    first = [method.averages[0] for method in methods]
    assert np.array_equal(first[0], first[1])
    assert np.array_equal(first[0], first[2])
    assert len({result.losses[0] for result in trained}) == 1
    assert len({result.losses[1] for result in trained}) == 3


def test_without_noise_and_with_a_large_threshold_it_is_gradient_descent_on_batches():
    start, batches, _ = spawn(0, 3)
    parameters = MODEL.start(start).astype(np.float64)
    expected = []
    for _ in range(3):
        chosen = batches.choice(60, 20, replace=False, shuffle=False)
        expected.append(MODEL.per_example(parameters, IMAGES[chosen], DATA.labels[chosen]).losses.mean())
        parameters = parameters - MODEL.mean_gradient(parameters, IMAGES[chosen], DATA.labels[chosen])
    found = run(training(clip=10**6), NoNoise())
    assert np.abs(found.parameters - parameters).max() <= 10**6 * EPS
    assert np.abs(found.losses[:3] - expected).max() <= 10**6 * EPS


@pytest.mark.parametrize("model", [Logistic(), Convolutional()], ids=["logistic", "convolutional"])
def test_little_noise_trains_as_none_does(model):
    step = {"model": model, "step_size": 8, "steps": 5, "batch": 60}
    quiet, faint, loud = (
        run(training(**step), method, images=DATA.images).losses
        for method in (NoNoise(), NoisyGradient("1/10", 60, "1e-4"), NoisyGradient("1/10", 60, 10))
    )
    assert quiet[-1] < quiet[0]
    assert np.abs(quiet - faint).max() < np.abs(quiet - loud).max() / 100


def test_the_same_numbers_for_any_batch_in_memory(monkeypatch):
    from rgm_verify.learning.geometric import training as module

    before = run(training(batch=50), NoNoise())
    monkeypatch.setattr(module, "_AT_ONCE", 7)
    after = run(training(batch=50), NoNoise())
    assert np.abs(before.parameters - after.parameters).max() <= 10**5 * EPS
    assert np.abs(before.losses - after.losses).max() <= 10**5 * EPS


def test_a_training_that_runs_away_keeps_the_last_finite_model():
    found = run(training(step_size=10**38, steps=6), NoisyGradient("1/10", 20, 10**6), images=DATA.images)
    finite = np.isfinite(found.losses)
    assert finite[0]
    assert not finite[-1]
    assert np.array_equal(finite, np.sort(finite)[::-1])
    assert np.isfinite(found.parameters).all()


def test_progress_is_told_after_each_step():
    start, batches, noise = spawn(0, 3)
    told = []
    training().run(
        IMAGES, DATA.labels, NoNoise(), start=MODEL.start(start), batches=batches, noise=noise, progress=told.append
    )
    assert told == [1, 2, 3]


def test_accuracy_is_the_share_of_right_answers():
    weights = np.zeros(MODEL.dimension)
    weights[-10:] = np.arange(10)
    assert accuracy(MODEL, weights, DATA.test_images, DATA.test_labels) == (DATA.test_labels == 9).mean()
    assert accuracy(MODEL, weights * 0, DATA.test_images, DATA.test_labels) == (DATA.test_labels == 0).mean()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch": 61}, "batch=61: a batch is a set of records, and there are 60"),
        ({"batch": 0}, "batch"),
        ({"steps": "1/2"}, "steps"),
        ({"clip": 0}, "clip"),
        ({"step_size": -1}, "step_size"),
        ({"shortening": "cut"}, "shortening='cut': allowed are clip, auto-s"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        run(training(**changes), NoNoise())


def test_data_that_are_no_images_and_labels_are_refused():
    for images, labels in ((IMAGES[:0], DATA.labels[:0]), (IMAGES * np.nan, DATA.labels), (IMAGES, DATA.labels + 10)):
        with pytest.raises(InputError):
            run(training(), NoNoise(), images=images, labels=labels)


@pytest.mark.parametrize("arguments", [(0, 1, 1), (1, 0, 1), (1, "1/2", 1), (1, 1, 0)])
def test_noise_needs_positive_parameters(arguments):
    with pytest.raises(InputError):
        NoisyGradient(*arguments)


def test_the_distance_of_noisy_gradients_is_rounded_up():
    for multiplier in ("3", "1/3", "7/10"):
        for neighbours, moved in (("add_or_remove", 1), ("replace_one", 2)):
            found = NoisyGradient(1, 5, multiplier).distance(neighbours)
            assert Fraction(np.nextafter(found, 0)) < moved / Fraction(multiplier) <= Fraction(found)
