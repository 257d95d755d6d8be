"""DP-SGD on linear models: what a record moves, what the limits are, and what a run is accounted as."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer

from rgm_verify.accounting.subsampled.account import epsilon
from rgm_verify.errors import InputError
from rgm_verify.experiments.data.datasets import synthetic
from rgm_verify.learning.dp_sgd import DpSgd, printed_chain
from rgm_verify.numbers.sampling import spawn

SMALL = st.floats(-10, 10).map(lambda x: x if abs(x) > 1e-6 else 0.0)
SEEDS = st.integers(0, 2**32)


def settings(**changed):
    return {
        "loss": "squared", "clip": 1, "noise_multiplier": 1, "batch": 4, "steps": 3, "step_size": "1/10", **changed
    }  # fmt: skip


@st.composite
def records(draw, count=6, features=2):
    X = np.array(draw(st.lists(st.lists(SMALL, min_size=features, max_size=features), min_size=count, max_size=count)))
    return X, np.array(draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=count, max_size=count)))


@given(records(), records(count=1), st.sampled_from(["logistic", "squared"]), SEEDS)
def test_a_replaced_record_moves_one_step_by_twice_the_threshold_at_most(data, other, loss, seed):
    (X, y), (row, label) = data, other
    X2, y2 = X.copy(), y.copy()
    X2[3], y2[3] = row[0], label[0]
    run = DpSgd(**settings(loss=loss, steps=1, step_size=1, batch=6))
    first, second = (run.train(a, b, np.random.default_rng(seed)) for a, b in ((X, y), (X2, y2)))
    rounding = 200 * 2**-52 * 100
    assert np.linalg.norm(first - second) <= 2 / 6 + rounding


@given(records(), SEEDS)
def test_a_batch_of_all_records_is_gradient_descent_with_noise(data, seed):
    X, y = data
    run = DpSgd(**settings(batch=6, clip=10**6, noise_multiplier="1/100", step_size="1/100"))
    generator, theta = np.random.default_rng(seed), np.zeros(2)
    for _ in range(3):
        generator.choice(6, 6, replace=False, shuffle=False)
        theta = theta - 0.01 * (X.T @ (X @ theta - y) + 1e4 * generator.standard_normal(2)) / 6
    np.testing.assert_allclose(run.train(X, y, np.random.default_rng(seed)), theta, rtol=2**-40, atol=2**-30)


@given(records(), SEEDS, st.fractions("1/100", 3, max_denominator=100))
def test_the_model_stays_in_its_ball(data, seed, radius):
    model = DpSgd(**settings(radius=radius)).train(*data, np.random.default_rng(seed))
    assert np.linalg.norm(model) <= float(radius) * (1 + 4 * 2**-52)


def test_steps_on_linear_losses_have_the_mean_and_the_variance_of_the_noise():
    """Residuals are clipped to the same gradient in every step, so that the model is Gaussian: 400 runs of 25 steps."""
    X, y = np.ones((8, 1)), np.full(8, -1e6)
    run = DpSgd(**settings(batch=2, steps=25, noise_multiplier=2, step_size="1/50"))
    generator = spawn(1917, 1)[0]
    models = np.array([run.train(X, y, generator)[0] for _ in range(400)])
    deviation = 0.02 / 2 * 2 * math.sqrt(25)
    standard = (models + 25 * 0.02) / deviation
    # Tails of the normal and of the chi-square law: each event has a probability below 1e-10.
    assert abs(standard.sum()) / math.sqrt(400) < 6.6
    assert 400 - 6.6 * math.sqrt(800) < float(np.square(standard).sum()) < 400 + 8 * math.sqrt(800)
    wrong = (models + 25 * 0.02) / (deviation * 1.5)
    assert float(np.square(wrong).sum()) < 400 - 6.6 * math.sqrt(800)


def test_a_run_is_accounted_as_what_it_draws():
    fixed = DpSgd(**settings(batch=10, steps=20, noise_multiplier=3)).account(1000)
    assert (fixed.sampler, fixed.adjacency) == ("fixed-batch", "replace-one")
    assert (fixed.segments[0].rate, fixed.steps) == (Fraction(1, 100), 20)
    poisson = DpSgd(**settings(batch=10, rate="1/100", steps=20, noise_multiplier=3)).account(1000)
    assert (poisson.sampler, poisson.adjacency) == ("poisson", "add-or-remove-one")
    assert 0 < epsilon(poisson, "1e-6", width="1/10").upper < 2


def test_poisson_batches_have_binomial_sizes():
    run, generator = DpSgd(**settings(rate="1/4")), spawn(11, 1)[0]
    sizes = np.array([run._batch(100, generator).size for _ in range(2000)])
    assert abs(sizes.sum() - 50_000) < 7 * math.sqrt(200_000 * 3 / 16)  # Hoeffding and Bernstein: below 1e-9
    drawn = run._batch(100, generator)
    assert len(set(drawn.tolist())) == drawn.size


def test_the_printed_chain_ends_at_the_stated_level_for_small_ones():
    chain = printed_chain(10_000, 100, 50, "1/2", "1e-6", 1)
    assert chain.total_level <= 0.5
    # Sums and products of positive numbers: the total goes through five roundings at most, the product through two.
    unit, delta, step = Fraction(1, 2**53), Fraction(1, 10**6), Fraction(200, 10_000) * Fraction(chain.batch_level)
    assert abs(Fraction(chain.total_delta) - delta) <= delta * ((1 + unit) ** 5 - 1)
    assert abs(Fraction(chain.step_level) - step) <= step * ((1 + unit) ** 2 - 1)


def scikit_learns():
    X, y = load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0) / math.sqrt(X.shape[1]), y.astype(float)


def ours():
    made = synthetic("ijcnn1", records=3000)
    return made.X, (made.y > np.median(made.y)).astype(float)


@pytest.mark.parametrize("data", [scikit_learns, ours])
@pytest.mark.parametrize("rate", [None, "1/10"])
def test_a_private_model_has_less_risk_than_none_and_much_noise_undoes_it(data, rate):
    X, y = data()
    batch = len(y) // 10

    def risk(noise, seed):
        run = DpSgd(
            **settings(
                loss="logistic", batch=batch, rate=rate, steps=60, step_size=2, noise_multiplier=noise, radius=20
            )
        )
        score = X @ run.train(X, y, spawn(seed, 1)[0])
        return float(np.mean(np.logaddexp(0, score) - y * score))

    private = [risk(1, seed) for seed in range(5)]
    assert max(private) < math.log(2)
    assert min(risk(10**6, seed) for seed in range(5)) > max(private)


@pytest.mark.parametrize("rate", [None, "1/10"])
def test_the_cost_is_certified_at_every_step_and_grows(rate):
    run = DpSgd(**settings(batch=57, rate=rate, steps=8, noise_multiplier=2))
    costs = [epsilon(run.account(569, after=t), "1e-5", width="1/20") for t in range(1, 9)]
    assert all(earlier.lower <= later.upper for earlier, later in itertools.pairwise(costs))
    assert costs[0].upper < costs[-1].lower
    assert run.account(569, after=8) == run.account(569)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: DpSgd(**settings(loss="hinge")), "loss='hinge': allowed are logistic, squared"),
        (lambda: DpSgd(**settings(clip=0)), "clip"),
        (lambda: DpSgd(**settings()).account(10, after=4), "after=4: must be at most 3"),
        (lambda: DpSgd(**settings()).account(10, after=0), "after"),
        (lambda: DpSgd(**settings(rate=2)), "a probability is at most 1"),
        (lambda: DpSgd(**settings(radius=-1)), "radius"),
        (lambda: DpSgd(**settings(batch=100)).account(10), "a batch is a set of records, and there are 10"),
        (lambda: DpSgd(**settings(batch=100)).train(np.ones((3, 2)), np.ones(3), spawn(1, 1)[0]), "there are 3"),
        (lambda: DpSgd(**settings()).train(np.ones((5, 2)), np.ones(5), None), "Generator"),
        (lambda: DpSgd(**settings()).train([[1.0, math.nan]] * 5, np.ones(5), spawn(1, 1)[0]), "X"),
        (
            lambda: DpSgd(**settings(loss="logistic")).train(np.ones((5, 2)), np.full(5, 2.0), spawn(1, 1)[0]),
            "labels of a logistic loss are 0 or 1",
        ),
        (
            lambda: DpSgd(**settings(too_long="refuse")).train(np.ones((5, 2)), np.full(5, 9.0), spawn(1, 1)[0]),
            "nothing is released",
        ),
        (lambda: printed_chain(100, 200, 1, 1, "1e-6", 1), "there are 100"),
        (lambda: printed_chain(10**9, 1, 1, 1, "1/2", 1), "there is no noise"),
    ],
)
def test_bad_input_is_refused(call, part):
    with pytest.raises(InputError, match=part):
        call()
