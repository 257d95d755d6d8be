"""Laws of the mechanisms: their variance, limits, shapes and random streams, and what they refuse."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rgm_verify.errors import InputError
from rgm_verify.gaussians.floating.renyi import renyi
from rgm_verify.mechanisms import GaussianLaw, GaussianMechanism, Mechanism, RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import RelativeSensitivity
from rgm_verify.mechanisms.values import renyi_of_laws
from rgm_verify.numbers.exact import exact_vector, norm_squared

EPS = float(np.finfo(np.float64).eps)

entries = st.floats(-1e6, 1e6).map(lambda x: 0.0 if abs(x) < 1e-6 else x)
vectors = hnp.arrays(np.float64, st.integers(1, 8), elements=entries)
batches = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=3, max_side=4), elements=entries)
values = st.one_of(entries.map(np.asarray), vectors, batches)
positives = st.fractions(Fraction(1, 1000), 1000, max_denominator=1000)
seeds = st.integers(0, 2**64)


def rng(seed):
    return np.random.default_rng(seed)


# -------------------------------------------------------------------------------------------- variance


@given(vectors, positives, positives)
def test_variance_is_the_definition_up_to_its_stated_rounding(value, gamma, sigma2):
    exact = gamma * norm_squared(exact_vector(value, name="value", floats="binary")) + sigma2
    found = Fraction(float(RelativeGaussianMechanism(gamma, sigma2).variance(value)))
    assert abs(found - exact) <= (value.size + 4) * Fraction(EPS) * exact


@given(vectors, positives, st.integers(-10, 10))
def test_variance_without_base_noise_scales_with_the_square(value, gamma, power):
    mechanism = RelativeGaussianMechanism(gamma, 0)
    assert mechanism.variance(2.0**power * value) == 4.0**power * mechanism.variance(value)


@given(vectors, positives, positives, seeds)
def test_variance_does_not_change_under_rotation(value, gamma, sigma2, seed):
    normal = rng(seed).standard_normal(value.shape)
    normal /= np.linalg.norm(normal)
    reflected = value - 2 * (normal @ value) * normal
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    # The reflection is rounded: each entry by a few eps of the norm.
    assert np.allclose(
        mechanism.variance(reflected), mechanism.variance(value), rtol=40 * (value.size + 4) * EPS, atol=0.0
    )


@given(batches, positives, positives)
def test_a_batch_has_the_variances_of_its_rows(batch, gamma, sigma2):
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    found = mechanism.variance(batch)
    assert found.shape == batch.shape[:-1]
    for index in np.ndindex(found.shape):
        # Summation order may differ between a strided and a contiguous row.
        row = float(mechanism.variance(batch[index]))
        assert abs(found[index] - row) <= 2 * (batch.shape[-1] + 4) * EPS * row


@given(entries, positives, positives)
def test_a_scalar_is_a_vector_of_dimension_one(value, gamma, sigma2):
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    assert mechanism.variance(value) == mechanism.variance([value])
    assert mechanism.law(value).dimension == mechanism.law([value]).dimension == 1


# -------------------------------------------------------------------------------------------- releases


@given(values, positives, seeds)
def test_without_gamma_the_gaussian_mechanism_is_recovered_bit_for_bit(value, sigma2, seed):
    relative = RelativeGaussianMechanism(0, sigma2).release(value, rng(seed))
    assert np.array_equal(relative, GaussianMechanism(sigma2).release(value, rng(seed)))


@given(values, positives, positives, seeds)
def test_release_has_the_shape_of_the_value_and_leaves_it_alone(value, gamma, sigma2, seed):
    before = value.copy()
    value.flags.writeable = False
    released = RelativeGaussianMechanism(gamma, sigma2).release(value, rng(seed))
    assert released.shape == before.shape
    assert released.dtype == np.float64
    assert np.array_equal(value, before)
    assert not np.shares_memory(released, value)


@given(values, positives, positives, seeds)
def test_release_is_a_function_of_value_and_seed(value, gamma, sigma2, seed):
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    assert np.array_equal(mechanism.release(value, rng(seed)), mechanism.release(value, rng(seed)))


@given(values, positives, positives, seeds)
def test_release_draws_one_normal_for_each_entry_whatever_the_parameters(value, gamma, sigma2, seed):
    source, reference = rng(seed), rng(seed)
    RelativeGaussianMechanism(gamma, sigma2).release(value, source)
    reference.standard_normal(value.shape)
    assert source.bit_generator.state == reference.bit_generator.state


@given(vectors, positives, seeds, st.integers(-8, 8))
def test_release_without_base_noise_commutes_with_scaling(value, gamma, seed, power):
    unit = 2.0**power
    mechanism = RelativeGaussianMechanism(gamma, 0)
    scaled = mechanism.release(unit * value, rng(seed))
    assert np.array_equal(scaled, unit * mechanism.release(value, rng(seed)))


@given(values, positives, positives)
def test_law_is_centred_at_the_value(value, gamma, sigma2):
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    law = mechanism.law(value)
    assert np.array_equal(law.mean, value)
    assert np.array_equal(law.variance, mechanism.variance(value))


def test_zero_without_base_noise_is_a_point_mass():
    mechanism = RelativeGaussianMechanism("1/10", 0)
    assert np.array_equal(mechanism.release([0.0, 0.0], rng(0)), [0.0, 0.0])
    assert mechanism.law([0.0, 0.0]).variance == 0
    assert mechanism.renyi([0.0, 0.0], [0.0, 0.0], 2) == 0
    assert mechanism.renyi([0.0, 0.0], [1.0, 0.0], 2) == math.inf
    assert mechanism.renyi([1.0, 0.0], [0.0, 0.0], 0.5) == math.inf


def test_different_point_masses_are_infinitely_far_apart():
    masses = [GaussianLaw(np.array([mean]), np.array(0.0)) for mean in (0.0, 1.0)]
    assert renyi_of_laws(masses[0], masses[1], 2) == math.inf
    assert renyi_of_laws(masses[1], masses[1], 2) == 0


def test_both_mechanisms_are_mechanisms():
    assert isinstance(GaussianMechanism(1), Mechanism)
    assert isinstance(RelativeGaussianMechanism(1, 1), Mechanism)


# ------------------------------------------------------------------------------------------ divergences


@given(vectors, positives, positives, seeds, st.floats(1.0, 3.0))
def test_divergence_is_that_of_the_two_laws(value, gamma, sigma2, seed, alpha):
    other = value + rng(seed).standard_normal(value.shape)
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    distance = float(np.square(value - other).sum())
    expected = renyi(alpha, distance, mechanism.variance(value), mechanism.variance(other), value.size)
    assert mechanism.renyi(value, other, alpha) == expected


@given(vectors, positives, seeds, st.floats(0.1, 50))
def test_divergence_of_the_gaussian_mechanism_is_linear_in_the_order(value, sigma2, seed, alpha):
    other = value + rng(seed).standard_normal(value.shape)
    mechanism = GaussianMechanism(sigma2)
    found = float(mechanism.renyi(value, other, alpha))
    expected = alpha * float(np.square(value - other).sum()) / (2 * float(sigma2))
    assert abs(found - expected) <= 8 * EPS * expected


@settings(max_examples=100)
@given(vectors, positives, seeds, st.fractions(Fraction(1, 100), 2, max_denominator=100))
def test_divergence_of_admissible_pairs_is_finite_below_the_critical_order(value, gamma, seed, eta):
    """With `sigma2 = 0 = R_rel` norms differ by a factor `1 + eta` at most: finite below `1 + 1/(eta (2 + eta))`."""
    direction = rng(seed).standard_normal(value.shape)
    assume(np.linalg.norm(value) > 0)
    step = 0.999 * float(eta) * np.linalg.norm(value) / (1 + float(eta)) * direction / np.linalg.norm(direction)
    other = value + step
    assume(RelativeSensitivity(eta, 0, "replace_one").admits(value, other))
    alpha = 1 + 0.999 / float(eta * (2 + eta))
    mechanism = RelativeGaussianMechanism(gamma, 0)
    assert math.isfinite(float(mechanism.renyi(value, other, alpha)))
    assert math.isfinite(float(mechanism.renyi(other, value, alpha)))


@given(vectors, positives, positives)
def test_divergence_of_a_law_from_itself_is_zero(value, gamma, sigma2):
    assert RelativeGaussianMechanism(gamma, sigma2).renyi(value, value, 2.0) == 0


def test_divergences_broadcast_over_batches_and_refuse_other_dimensions():
    mechanism = RelativeGaussianMechanism("1/10", 1)
    assert mechanism.renyi(np.ones((4, 3)), np.zeros(3), 2).shape == (4,)
    with pytest.raises(InputError, match=r"x has dimension 3, y has 2"):
        mechanism.renyi(np.ones(3), np.ones(2), 2)
    with pytest.raises(InputError, match="must broadcast"):
        mechanism.renyi(np.ones((2, 3)), np.ones((4, 3)), 2)


# --------------------------------------------------------------------------------------------- refusals


def test_parameters_are_exact_unless_floats_are_asked_for():
    with pytest.raises(InputError, match=r"gamma=0\.1: a float"):
        RelativeGaussianMechanism(0.1, 1)
    with pytest.raises(InputError, match=r"sigma2=0\.1: a float"):
        GaussianMechanism(0.1)
    assert RelativeGaussianMechanism(0.1, 0.5, floats="binary").gamma == Fraction(0.1)
    assert GaussianMechanism("0.1").sigma2 == Fraction(1, 10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GaussianMechanism(0), "sigma2=0: the noise variance must be > 0"),
        (lambda: GaussianMechanism(-1), "sigma2=-1: the noise variance must be > 0"),
        (lambda: RelativeGaussianMechanism(-1, 1), "gamma=-1: the noise ratio must be >= 0"),
        (lambda: RelativeGaussianMechanism(1, -1), "sigma2=-1: the noise variance must be >= 0"),
        (lambda: RelativeGaussianMechanism(0, 0), "gamma=0, sigma2=0: there would be no noise at all"),
        (lambda: RelativeGaussianMechanism(math.nan, 1, floats="binary"), "gamma=nan: the number must be finite"),
        (lambda: GaussianMechanism("1e-400"), "sigma2: must be 0 or between"),
        (lambda: RelativeGaussianMechanism("1e400", 1), "gamma: must be 0 or between"),
    ],
)
def test_wrong_parameters_are_refused_with_what_is_allowed(make, message):
    with pytest.raises(InputError, match=rf"^{message}"):
        make()


@pytest.mark.parametrize("mechanism", [GaussianMechanism(1), RelativeGaussianMechanism("1/10", 1)])
@pytest.mark.parametrize(
    "value", [math.nan, [1.0, math.inf], [], "one", None, [1j], [True], [[1.0], [1.0, 2.0]], [Fraction(1, 2)], 10**400]
)
def test_wrong_values_are_refused_everywhere(mechanism, value):
    calls = [
        lambda: mechanism.release(value, rng(0)),
        lambda: mechanism.variance(value),
        lambda: mechanism.law(value),
        lambda: mechanism.renyi(value, [1.0], 2),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"^value(: |='array of shape)"):
            call()


@pytest.mark.parametrize("generator", [None, 0, np.random, np.random.RandomState(0), np.random.PCG64(0)])
def test_a_generator_is_required(generator):
    with pytest.raises(InputError, match=r"^generator=.*numpy\.random\.default_rng\(seed\)"):
        RelativeGaussianMechanism("1/10", 1).release([1.0], generator)


@pytest.mark.parametrize(
    ("gamma", "sigma2", "value", "message"),
    [
        (1, 0, 1e200, "overflows"),
        (1, 0, 1e-200, "underflows"),
        (1, 0, [[3.0], [1e-170]], "underflows"),
        ("1e-40", 0, 1.0, "smaller than the rounding"),
        (0, "1e-40", [1e3, 0.0], "smaller than the rounding"),
    ],
)
def test_noise_never_vanishes_silently(gamma, sigma2, value, message):
    with pytest.raises(InputError, match=message):
        RelativeGaussianMechanism(gamma, sigma2).release(value, rng(0))


def test_a_huge_value_is_no_problem_without_gamma():
    # Its square overflows, which must not matter where the square is not used.
    assert math.isfinite(float(GaussianMechanism("1e300").release(1e160, rng(0))))
    assert float(RelativeGaussianMechanism(0, "1e300").variance(1e160)) == 1e300
