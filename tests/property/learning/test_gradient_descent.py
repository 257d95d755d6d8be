"""Laws of private gradient descent: exact second moments, stable steps, bounds of the class, and its privacy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.learning import as_printed
from rgm_verify.learning.descent import privacy, utility
from rgm_verify.learning.descent.second_moments import (
    second_moment,
    second_moments,
    stable_step,
    stationary_second_moments,
)
from rgm_verify.learning.sensitivity import proposition_1
from rgm_verify.mechanisms import RelativeGaussianMechanism

EPS = Fraction(float(np.finfo(np.float64).eps))
curvatures = st.lists(st.integers(1, 64).map(lambda k: k / 16), min_size=1, max_size=4)
ratios = st.fractions(0, 2, max_denominator=32)
variances = st.fractions(Fraction(1, 64), 4, max_denominator=64)
shares = st.fractions(Fraction(1, 64), Fraction(3, 2), max_denominator=64)


def exact_moments(eigenvalues, start, step, steps, gamma, sigma2):
    """The recursion in rational numbers."""
    values, moments = [Fraction(v) for v in eigenvalues], [Fraction(m) for m in start]
    tau, rows = Fraction(step), [moments]
    for _ in range(steps):
        inflow = gamma * sum(v * v * m for v, m in zip(values, moments, strict=True)) + sigma2
        moments = [(1 - tau * v) ** 2 * m + tau**2 * inflow for v, m in zip(values, moments, strict=True)]
        rows.append(moments)
    return rows


@st.composite
def runs(draw):
    """Numbers with few bits, so that the coefficients of the recursion are all that rounds."""
    values = draw(curvatures)
    start = [draw(st.integers(0, 16)) / 4 for _ in values]
    return values, start, draw(st.integers(1, 32)) / 64, draw(st.integers(0, 8)), draw(ratios), draw(variances)


@given(runs())
def test_second_moments_are_the_exact_recursion(run):
    values, start, step, steps, gamma, sigma2 = run
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    found = second_moments(values, start, step=step, steps=steps, mechanism=mechanism)
    for t, row in enumerate(exact_moments(*run)):
        for i, moment in enumerate(row):
            assert abs(Fraction(found[t, i]) - moment) <= t * (len(values) + 8) * EPS * moment


@given(runs())
def test_the_closed_form_is_the_recursion(run):
    values, start, step, steps, gamma, sigma2 = run
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    found = second_moment(values, start, step=step, steps=steps, mechanism=mechanism)
    exact = sum(exact_moments(*run)[-1])
    assert abs(Fraction(found) - exact) <= (steps + 2) * (2 * len(values) + 12) * EPS * exact


@given(runs(), st.randoms(use_true_random=False))
def test_the_order_of_the_eigenvalues_does_not_matter(run, random):
    values, start, step, steps, gamma, sigma2 = run
    order = random.sample(range(len(values)), len(values))
    options = {"step": step, "steps": steps, "mechanism": RelativeGaussianMechanism(gamma, sigma2)}
    plain = second_moments(values, start, **options)[:, order]
    moved = second_moments([values[i] for i in order], [start[i] for i in order], **options)
    assert (np.abs(moved - plain) <= 2 * steps * (len(values) + 8) * float(EPS) * plain).all()


@given(runs(), st.integers(-4, 4))
def test_second_moments_scale_with_the_unit_of_the_parameter(run, power):
    values, start, step, steps, gamma, sigma2 = run
    c = Fraction(4) ** power
    plain = RelativeGaussianMechanism(gamma, sigma2)
    scaled = RelativeGaussianMechanism(gamma, c * sigma2)
    found = second_moments(values, [float(c) * m for m in start], step=step, steps=steps, mechanism=scaled)
    assert np.array_equal(found, float(c) * second_moments(values, start, step=step, steps=steps, mechanism=plain))


@given(curvatures, ratios)
def test_the_stable_step_is_the_last_stable_float(values, gamma):
    found = stable_step(values, RelativeGaussianMechanism(gamma, 1))

    def stable(tau):
        terms = [Fraction(tau) * Fraction(v) for v in values]
        return max(terms) < 2 and gamma * sum(t / (2 - t) for t in terms) < 1

    assert stable(found)
    assert not stable(np.nextafter(found, np.inf))


@given(curvatures, ratios)
def test_no_quadratic_asks_for_shorter_steps_than_the_class(values, gamma):
    bound = utility.stable_step(max(values), gamma, len(values))
    assert Fraction(stable_step(values, RelativeGaussianMechanism(gamma, 1))) >= bound * (1 - EPS)


@given(st.integers(1, 64), st.integers(1, 4), ratios)
def test_equal_eigenvalues_have_the_threshold_of_the_class(curvature, d, gamma):
    found = stable_step([curvature] * d, RelativeGaussianMechanism(gamma, 1))
    bound = utility.stable_step(curvature, gamma, d)
    assert bound * (1 - EPS) <= Fraction(found) < bound


@given(curvatures, ratios, variances, st.fractions(Fraction(1, 16), Fraction(7, 8), max_denominator=16))
def test_stationary_second_moments_stay(values, gamma, sigma2, share):
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    step = float(share) * stable_step(values, mechanism)
    found = stationary_second_moments(values, step=step, mechanism=mechanism)
    after = exact_moments(values, found, step, 1, gamma, sigma2)[1]
    # 1 - gamma S is computed with a few roundings of numbers below 1, and is at least 1 - share.
    slack = 64 * (len(values) + 8) * EPS / (1 - share)
    for before, moment in zip(found, after, strict=True):
        assert abs(moment - Fraction(before)) <= slack * Fraction(before)


@given(runs())
def test_the_bound_of_the_class_holds_on_quadratics(run):
    values, start, step, steps, gamma, sigma2 = run
    found = utility.distance_bound(
        sum(Fraction(m) for m in start),
        min(values),
        max(values),
        step=step,
        steps=steps,
        gamma=gamma,
        sigma2=sigma2,
        dimension=len(values),
    )
    assert Fraction(found) >= sum(exact_moments(*run)[-1])


@given(runs())
def test_the_bound_of_the_class_is_attained_with_equal_eigenvalues(run):
    values, start, step, steps, gamma, sigma2 = run
    values = values[:1] * len(values)
    exact = sum(exact_moments(values, start, step, steps, gamma, sigma2)[-1])
    bound = utility.distance_bound(
        sum(Fraction(m) for m in start),
        values[0],
        values[0],
        step=step,
        steps=steps,
        gamma=gamma,
        sigma2=sigma2,
        dimension=len(values),
    )
    assert exact <= Fraction(bound) <= exact * (1 + 6 * (steps + 1) * EPS)


@given(runs(), shares)
def test_the_corrected_theorem_follows_from_the_sharp_bound(run, share):
    values, start, _, steps, gamma, sigma2 = run
    d, mu = len(values), Fraction(min(values))
    step = min(share, 1) * utility.theorem_step(max(values), gamma, d)
    first = sum(Fraction(m) for m in start)
    bound = utility.distance_bound(
        first, mu, max(values), step=step, steps=steps, gamma=gamma, sigma2=sigma2, dimension=d
    )
    theorem = (1 - step * mu) ** steps * first + d * step * sigma2 / mu
    assert Fraction(bound) <= theorem * (1 + 6 * (steps + 1) * EPS)


@given(st.integers(1, 64), st.integers(65, 128), ratios, st.integers(1, 8), shares)
def test_no_step_has_a_better_rate_than_the_best_step(mu, smoothness, gamma, d, share):
    best = utility.best_step(mu, smoothness, gamma, d)
    options = {"gamma": gamma, "dimension": d}
    assert utility.rate(mu, smoothness, step=best, **options) <= utility.rate(
        mu, smoothness, step=share * best, **options
    )


# ------------------------------------------------------------------------------------------- privacy of the runs


@given(
    st.fractions(Fraction(1, 100), 100, max_denominator=100),
    st.fractions(Fraction(1, 10), 10, max_denominator=10),
    st.integers(1, 1000),
    st.fractions(Fraction(11, 10), 100, max_denominator=10),
)
def test_the_printed_clipping_variance_is_half_and_twice_of_what_is_needed(epsilon, clip, n, alpha):
    printed = as_printed.clipping_variance(alpha, epsilon, clip, n)
    assert privacy.clipped_gradient_variance(alpha, epsilon, clip, n, "replace_one") == 2 * printed
    assert privacy.clipped_gradient_variance(alpha, epsilon, clip, n, "add_or_remove") == printed / 2


@pytest.mark.parametrize("steps", [1, 7])
def test_steps_of_gaussian_noise_are_one_step_at_a_larger_distance(steps):
    many = privacy.gaussian_epsilon("1/10", 1, steps=steps, delta="1e-5")
    one = privacy.gaussian_epsilon("1/10", Fraction(1, steps), steps=1, delta="1e-5")
    assert many == one
    assert 0 < many.lower <= many.upper


def test_epsilon_of_gaussian_noise_is_that_of_the_known_curve():
    # delta(eps) = Phi(s/2 - eps/s) - e^eps Phi(-s/2 - eps/s) of two Gaussians at distance s, by Balle and Wang.
    import mpmath

    found = privacy.gaussian_epsilon(2, 4, steps=1, delta="1e-5")
    with mpmath.workdps(40):
        low, high = (
            mpmath.ncdf(mpmath.mpf(1) / 2 - e) - mpmath.exp(e) * mpmath.ncdf(-mpmath.mpf(1) / 2 - e)
            for e in (mpmath.mpf(found.upper), mpmath.mpf(found.lower))
        )
        assert low <= mpmath.mpf("1e-5") <= high


@given(st.integers(1, 20), st.integers(1, 10), st.integers(2, 100), st.integers(1, 50))
def test_the_sensitivity_as_printed_is_too_small_by_the_factor_of_the_condition_number(radius, rho, n, kappa):
    printed = as_printed.clipped_eta_squared(radius, rho, n)
    both = proposition_1.proposition_1_eta_squared(radius, rho, n, kappa, "both norms")
    ellipsoid = proposition_1.proposition_1_eta_squared(radius, rho, n, kappa, "ellipsoid")
    assert printed <= both <= ellipsoid <= 4 * both
    assert (printed == both) == (kappa == 1)


def test_a_release_of_a_run_is_the_release_that_is_accounted():
    from rgm_verify.accounting.composition import composed_epsilon
    from rgm_verify.mechanisms.sensitivity import RelativeSensitivity

    mechanism, bound = RelativeGaussianMechanism("1/10", 1), RelativeSensitivity("1/100", "1/10", "replace_one")
    found = privacy.relative_gaussian_epsilon(mechanism, bound, 3, steps=5, delta="1e-6", methods=["rdp"])
    release = Release("1/100", "1/10", 3, r_rel="1/10", sigma2=1)
    assert found == composed_epsilon(release, "1e-6", steps=5, methods=["rdp"])
    with pytest.raises(InputError, match="eta="):
        privacy.relative_gaussian_epsilon(mechanism, RelativeSensitivity(0, 1, "replace_one"), 3, steps=5, delta="1e-6")
