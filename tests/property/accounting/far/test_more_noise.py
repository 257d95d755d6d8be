"""More noise of both kinds never costs more, and a rounding of the baseline below the covering one changes nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.composition import delta_by_method, epsilon_by_method
from rgm_verify.accounting.conversion import release_epsilon
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.exact.admissible_pairs import largest_excess, pair_at
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_up

etas = st.fractions(Fraction(1, 1000), Fraction(1, 5), max_denominator=1000)
gammas = st.floats(1e-5, 1e-1)
relative = st.fractions(Fraction(1, 1000), 10, max_denominator=1000)
factors = st.floats(0, 16).map(lambda e: 1 + 10.0**-e) | st.just(float(np.nextafter(1, 2))) | st.floats(1, 8)
STEPS = 30


def in_floats(release, factor):
    """The noise of `release` times `factor`, each product rounded to a float as a user's would be."""
    gamma, sigma2 = (Fraction(float(number) * factor) for number in (release.gamma, release.sigma2))
    return Release(release.eta, gamma, release.dimension, r_rel=release.r_rel, sigma2=sigma2)


@st.composite
def covered_releases(draw):
    """Releases at the covering variance, to within the rounding of a float, with parameters that are floats."""
    eta, r_rel, gamma = draw(etas), draw(relative), Fraction(draw(gammas))
    sigma2 = Fraction(float(gamma * (r_rel / eta) ** 2))
    return Release(eta, gamma, draw(st.integers(1, 50)), r_rel=r_rel, sigma2=sigma2)


@settings(max_examples=40)
@given(covered_releases(), factors, st.sampled_from(["1e-5", "1e-9"]))
def test_more_noise_never_raises_epsilon_by_the_renyi_curve(release, factor, delta):
    least = epsilon_by_method(release, delta, steps=STEPS, methods=["rdp"]).bounds.upper
    for more in (in_floats(release, factor), release.scaled(Fraction(factor))):
        # The infimum over all orders does not rise, and the search ends above it by the gap that it certifies.
        gap = Fraction(release_epsilon(more, delta, steps=STEPS).gap)
        found = epsilon_by_method(more, delta, steps=STEPS, methods=["rdp"]).bounds.upper
        assert found <= round_up(Fraction(least) + gap)


def just_covered(eta, gamma, dimension, r_rel):
    """A release whose numbers are floats and whose baseline is the least float that covers."""
    ratio = Fraction(gamma)
    sigma2 = round_up(ratio * (Fraction(r_rel) / Fraction(eta)) ** 2)
    return Release(eta, ratio, dimension, r_rel=r_rel, sigma2=Fraction(sigma2))


GRIDS = ["envelope", "iteration"]


@pytest.mark.parametrize(
    ("release", "steps", "value"),
    [
        (
            just_covered("4/10000", 1e-4, 5, "23/100000"),
            30,
            lambda one, steps: epsilon_by_method(one, "1e-6", steps=steps, methods=GRIDS),
        ),
        (
            just_covered("1/100", 1e-2, 3, "1/7"),
            10,
            lambda one, steps: delta_by_method(one, "1/2", steps=steps, methods=GRIDS),
        ),
    ],
    ids=["epsilon", "delta"],
)
def test_more_noise_never_raises_epsilon_or_delta_on_a_grid(release, steps, value):
    scaled = [in_floats(release, 1 + k * 1e-9) for k in range(1, 40)]
    below = next(one for one in scaled if not one.baseline_covers)  # by a rounding of the products
    assert release.baseline_covers
    found = [value(one, steps).by_method for one in (release, below, in_floats(below, 1.001))]
    for earlier, later in pairwise(found):
        for method in GRIDS:
            assert later[method] <= earlier[method]


@settings(max_examples=12)
@given(covered_releases(), factors)
def test_more_noise_never_raises_epsilon_of_one_release(release, factor):
    less, more = (one_release.epsilon(one, "1e-6") for one in (release, in_floats(release, factor)))
    assert more.lower <= less.upper
    assert more.upper <= less.upper * (1 + 2e-10)  # both ends are certified to ten digits


# --------------------------------------------------------------------------------------- the release that is covered


@st.composite
def uncovered_releases(draw):
    eta, r_rel, gamma = (
        draw(st.fractions(Fraction(1, 1000), 4, max_denominator=1000)),
        draw(relative),
        Fraction(draw(gammas)),
    )
    share = draw(st.fractions(Fraction(1, 2), Fraction(9999, 10000), max_denominator=10**4))
    return Release(eta, gamma, draw(st.integers(1, 5)), r_rel=r_rel, sigma2=share * gamma * (r_rel / eta) ** 2)


@settings(max_examples=300)
@given(uncovered_releases(), st.fractions(1, 1000))
@example(Release(1, 1, 1, r_rel=1, sigma2="2/3"), Fraction(1))
def test_every_pair_of_a_release_is_under_the_worst_pair_of_the_covered_one(release, y):
    """Exactly: no larger distance, no larger excess, along the whole curve of pairs."""
    covered = release.covered
    kappa = release.sigma2 * release.eta**2 / (release.gamma * release.r_rel**2)
    assert (covered is None) == (kappa * (2 + release.eta) < 1 + release.eta)
    if covered is None:
        return
    assert covered.baseline_covers
    assert covered.gamma < release.gamma
    assert (covered.eta, covered.r_rel, covered.sigma2) == (release.eta, release.r_rel, release.sigma2)
    pair, worst = pair_at(release, y), covered.worst_pair
    assert pair.shift_squared <= worst.shift_squared == release.r_rel**2 / release.sigma2
    assert pair.excess <= worst.excess
    assert largest_excess(release) <= worst.excess


def test_without_the_condition_a_pair_is_wider_than_the_covered_one():
    """Power: just below the condition the excess of a pair near `y = 1` is above `q`, and nothing is claimed."""
    release = Release(1, 1, 1, r_rel=1, sigma2="64/100")
    assert release.covered is None
    assert pair_at(release, Fraction(51, 50)).excess > release.q


def test_what_is_covered_is_its_own_covered_release():
    for release in (Release(1, 1, 1), Release(1, 1, 1, r_rel=1, sigma2=1), Release(1, 1, 1, r_rel=1, sigma2=2)):
        assert release.covered is release


@settings(max_examples=25)
@given(uncovered_releases(), st.sampled_from(["1/4", "2"]))
def test_the_covered_release_costs_no_less_than_the_exact_curve(release, level):
    covered = release.covered
    if covered is None:
        return
    assert one_release.delta(release, level).lower <= one_release.delta(covered, level).upper


def test_different_releases_are_covered_together_or_not_at_all():
    near, far = (
        Release("1/50", "1/100", 2, r_rel=1, sigma2=25 * share) for share in (1 - Fraction(1, 2**40), Fraction(1, 2))
    )
    at = near.covered
    mixed, same = ([(near, 3), (other, 2)] for other in (far, near.scaled(2)))
    covered = [(at, 3), (near.scaled(2).covered, 2)]
    options = {"methods": ["envelope"], "resolution": 6}
    assert (
        epsilon_by_method(same, "1e-5", **options).bounds.upper
        == epsilon_by_method(covered, "1e-5", **options).bounds.upper
    )
    assert (
        epsilon_by_method(mixed, "1e-5", **options).bounds.upper
        > epsilon_by_method(same, "1e-5", **options).bounds.upper
    )


# ------------------------------------------------------------------------------------------------------------ scaling


@given(covered_releases(), st.fractions(Fraction(1, 100), 100).filter(bool))
def test_scaling_is_exact_and_keeps_what_covers(release, factor):
    found = release.scaled(factor)
    assert (found.gamma, found.sigma2) == (release.gamma * factor, release.sigma2 * factor)
    assert (found.eta, found.r_rel, found.dimension) == (release.eta, release.r_rel, release.dimension)
    assert found.baseline_covers == release.baseline_covers
    assert found.scaled(1 / factor) == release
    assert (found.mechanism.gamma, found.mechanism.sigma2) == (found.gamma, found.sigma2)


@pytest.mark.parametrize("factor", [0, -1, 0.5])
def test_a_factor_that_is_none_is_refused(factor):
    with pytest.raises(InputError, match=f"^factor={factor}"):
        Release(1, 1, 1).scaled(factor)
