"""The result of a private run, its warnings, and its refusals before anything is released."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.descent import privacy, utility
from rgm_verify.learning.descent.gradient_descent import clipped_gaussian_descent, relative_gaussian_descent
from rgm_verify.learning.descent.second_moments import (
    ridge_second_moments,
    second_moments,
    stable_step,
    stationary_second_moments,
)
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.learning.sensitivity import proposition_1
from rgm_verify.mechanisms import GaussianMechanism, RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import Adjacency, RelativeSensitivity

X, Y = np.array([[1.0, 0.5], [0.25, -1.0], [0.5, 0.5], [-1.0, 0.75]]), np.array([1.0, 0.0, 1.0, -1.0])
MECHANISM = RelativeGaussianMechanism("1/10", "1/4")
SENSITIVITY = RelativeSensitivity("1/10", "1/10", "replace_one")


def relative(generator=None, **changes):
    options = {
        "mechanism": MECHANISM,
        "sensitivity": SENSITIVITY,
        "step": "1/2",
        "steps": 3,
        "delta": "1e-5",
        "generator": np.random.default_rng(1) if generator is None else generator,
        "methods": ["rdp"],
    }
    return relative_gaussian_descent(RidgeObjective.of(X, Y, 1).gradient, [0, 0], **options | changes)


def clipped(gradient=None, **changes):
    options = {
        "mechanism": GaussianMechanism(1),
        "neighbours": "replace_one",
        "step": "1/2",
        "steps": 3,
        "delta": "1e-5",
        "generator": np.random.default_rng(1),
    }
    return clipped_gaussian_descent(gradient or ClippedGradient.of(X, Y, 1), [0, 0], **options | changes)


# ------------------------------------------------------------------------------------------------- what comes back


@pytest.mark.parametrize("run", [relative, clipped])
def test_every_iterate_is_the_one_before_less_a_step_along_its_release(run):
    found = run()
    assert found.iterates.shape == (4, 2)
    assert found.released.shape == (3, 2)
    assert np.array_equal(found.iterates[1:], found.iterates[:-1] - 0.5 * found.released)
    assert np.array_equal(found.theta, found.iterates[-1])
    assert (found.delta, found.adjacency) == (Fraction(1, 10**5), Adjacency.REPLACE_ONE)


@pytest.mark.parametrize("run", [relative, clipped])
def test_equal_seeds_give_equal_runs(run):
    assert np.array_equal(run().iterates, run().iterates)
    assert not np.array_equal(run().iterates, run(generator=np.random.default_rng(2)).iterates)


def test_a_run_carries_the_privacy_of_its_steps():
    found = relative().epsilon
    assert found == privacy.relative_gaussian_epsilon(MECHANISM, SENSITIVITY, 2, steps=3, delta="1e-5", methods=["rdp"])
    assert clipped().epsilon == privacy.gaussian_epsilon("1/2", 1, steps=3, delta="1e-5")


def test_each_adjacency_has_its_own_privacy():
    gradient = ClippedGradient.of(X, Y, 1, divisor=4)
    replaced, removed = clipped(gradient), clipped(gradient, neighbours="add_or_remove")
    assert removed.epsilon.upper < replaced.epsilon.lower
    assert removed.epsilon == privacy.gaussian_epsilon("1/4", 1, steps=3, delta="1e-5")
    with pytest.raises(InputError, match="divisor=None"):
        clipped(neighbours="add_or_remove")


# ------------------------------------------------------------------------------------------------- warnings, refusals


def test_a_step_beyond_the_stable_range_is_named_with_the_threshold():
    threshold = 2 / (Fraction(12, 10) * 2)
    assert utility.stable_step(2, "1/10", 2) == threshold
    with pytest.warns(utility.StepSizeWarning, match="= 5/6 \\(about 0.833333\\)"):
        relative(step=threshold, smoothness=2)
    relative(step=threshold - Fraction(1, 10**9), smoothness=2)
    with pytest.warns(utility.StepSizeWarning, match="= 1 \\(about 1\\)"):
        clipped(step=1, smoothness=2)


@pytest.mark.parametrize("run", [relative, clipped])
def test_a_budget_that_is_too_small_stops_the_run_before_any_noise(run):
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    with pytest.raises(InputError, match="largest_epsilon='1/1000': "):
        run(generator=generator, largest_epsilon="1/1000")
    assert generator.bit_generator.state == before
    assert run(largest_epsilon=1000).epsilon.upper <= 1000


@pytest.mark.parametrize("run", [relative, clipped])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"step": 0}, "step=0: the step size must be > 0"),
        ({"step": float("nan")}, "step=nan"),
        ({"steps": 0}, "steps=0"),
        ({"delta": 0}, "delta=0"),
        ({"delta": 1}, "delta=1"),
        ({"delta": 1e-5}, "a float is not the decimal"),
        ({"generator": 7}, "generator=7: expected a numpy.random.Generator"),
        ({"smoothness": 0}, "smoothness=0"),
    ],
)
def test_bad_options_are_refused(run, changes, message):
    with pytest.raises(InputError, match=message):
        run(**changes)


def test_a_run_that_diverges_says_so():
    with pytest.raises(InputError):
        relative(step="1e100", steps=10)


def test_bad_gradients_are_refused():
    options = {"mechanism": MECHANISM, "sensitivity": SENSITIVITY, "step": 1, "steps": 1, "delta": "1e-5"}
    for wrong in (lambda _: [np.nan, 1.0], lambda _: [1.0], lambda _: "none"):
        with pytest.raises(InputError):
            relative_gaussian_descent(wrong, [0, 0], generator=np.random.default_rng(1), methods=["rdp"], **options)
    with pytest.raises(InputError, match="start="):
        relative_gaussian_descent(lambda t: t, [[0.0]], generator=np.random.default_rng(1), **options)


# ------------------------------------------------------------------------------------------------- formulas


def test_second_moments_of_a_ridge_objective_start_at_the_squared_distance():
    objective = RidgeObjective.of(np.diag([1.0, 2.0]), [0.0, 0.0], 1)
    found = ridge_second_moments(objective, [3.0, 4.0], step="1/4", steps=2, mechanism=MECHANISM)
    assert found[0] == 25
    assert found.shape == (3,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: second_moments([0.0], [1.0], step=1, steps=1, mechanism=MECHANISM), "eigenvalues="),
        (lambda: second_moments([1.0], [-1.0], step=1, steps=1, mechanism=MECHANISM), "start="),
        (lambda: second_moments([1.0], [1.0, 2.0], step=1, steps=1, mechanism=MECHANISM), "start="),
        (lambda: second_moments([1.0], [1.0], step=1, steps=-1, mechanism=MECHANISM), "steps"),
        (lambda: second_moments([1.0], [1.0], step="1e200", steps=9, mechanism=MECHANISM), "leave the range of floats"),
        (lambda: stationary_second_moments([1.0], step=2, mechanism=MECHANISM), "grow without bound"),
        (lambda: utility.rate(2, 1, step=1, gamma=0, dimension=1), "mu must be <= L"),
        (lambda: utility.stable_step(1, -1, 1), "gamma=-1"),
        (lambda: privacy.clipped_gradient_variance(1, 1, 1, 1, "replace_one"), "alpha=1: a Renyi order must be > 1"),
        (
            lambda: proposition_1.proposition_1_eta_squared(1, 0, 1, 1, "ellipsoid"),
            "rho=0: the proposed level rho must be > 0",
        ),
        (lambda: proposition_1.proposition_1_eta_squared(0, 1, 1, 1, "ellipsoid"), "radius=0"),
        (lambda: proposition_1.proposition_1_eta_squared(1, 1, 1, "1/2", "ellipsoid"), "must be >= 1"),
        (lambda: proposition_1.proposition_1_eta_squared(1, 1, 1, 1, "box"), "allowed are both norms, ellipsoid"),
    ],
)
def test_numbers_out_of_range_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_the_printed_step_lets_a_quadratic_in_many_dimensions_diverge():
    step = as_printed.largest_step(1, "1/10")
    assert step > utility.stable_step(1, "1/10", 100)
    assert float(step) > stable_step([1.0] * 100, MECHANISM)
    found = second_moments([1.0] * 100, [0.01] * 100, step=step, steps=10, mechanism=MECHANISM)[-1].sum()
    assert found > 10**9
    assert as_printed.distance_bound(1, 1, step=step, steps=10, sigma2="1/4") < 1


def test_what_version_1_prints_as_eta_is_what_version_2_prints_as_its_square():
    assert as_printed.clipped_eta_v1(2, 3, 10, "1/2") == as_printed.clipped_eta_squared(2, "3/2", 10)


def test_every_claim_that_is_named_exists(root: Path):
    known = set(json.loads((root / "derivations" / "expected.json").read_text(encoding="utf-8"))["verdicts"])
    texts = "\n".join(page.read_text(encoding="utf-8") for page in (root / "rgm_verify" / "learning").rglob("*.py"))
    named = set(re.findall(r"`((?:rgm|rgm-v1|rgm-v2|beyond):[a-z0-9-]+)`", texts))
    assert len(named) > 20
    assert sorted(named - known) == []
