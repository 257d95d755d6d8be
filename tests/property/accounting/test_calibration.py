"""Calibration: what it returns reaches the target, a little less does not, and the floor is where it is said to be."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.calibration import UnreachableTarget, calibrate, default_methods, floor, trade_off
from rgm_verify.accounting.composition import composed_delta
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.chi_square import chi_square_floor_enclosure

_EPSILONS = st.sampled_from([Fraction(0), *(Fraction(k, 16) for k in (1, 4, 16, 40, 160))])
_DELTAS = st.sampled_from([Fraction(1, 10**k) for k in (1, 3, 6, 12, 40, 150)] + [Fraction(9, 10), Fraction(999, 1000)])
_ETAS = st.sampled_from([Fraction(1, 10**5), Fraction(1, 1000), Fraction(1, 30), Fraction(1, 2)])
_DIMENSIONS = st.sampled_from([1, 2, 3, 17, 1000, 10**6])
_SMALL = Fraction(1, 10**6)


def reached(epsilon, delta, eta, dimension, **rest):
    """The calibration, skipping what no noise reaches."""
    try:
        return calibrate(epsilon, delta, eta=eta, dimension=dimension, **rest)
    except UnreachableTarget:
        assume(False)
        raise


# ------------------------------------------------------------------------------------------------------ one release


@given(_EPSILONS, _DELTAS, _ETAS, _DIMENSIONS)
@example(Fraction(5, 2), Fraction(1, 2), Fraction(3), 1)
@example(Fraction(20), Fraction(1, 1000), Fraction(3), 2)
@settings(max_examples=20)
def test_the_noise_found_is_enough_and_the_tolerance_less_is_not(epsilon, delta, eta, dimension):
    found = reached(epsilon, delta, eta, dimension)
    gamma = found.release.gamma
    least = Fraction(found.least_gamma.lower)
    assert one_release.delta(found.release, epsilon, digits=14).lower <= delta
    assert found.achieved.lower <= found.achieved.upper <= float(delta) * (1 + 1e-15)
    assert gamma * (1 - 2 * _SMALL) <= least <= gamma <= Fraction(found.least_gamma.upper)
    # A part in a thousand is far more than the tolerance and, away from the floor, than what 14 digits resolve.
    less = one_release.delta(Release(eta, gamma * Fraction(999, 1000), dimension), epsilon, digits=14)
    assert less.upper > delta or found.floor.upper > 0.999 * float(delta)


@given(_EPSILONS, _DELTAS, _ETAS, _DIMENSIONS)
@settings(max_examples=30)
def test_one_release_takes_fewer_than_fifty_values_of_delta(epsilon, delta, eta, dimension):
    assert reached(epsilon, delta, eta, dimension).evaluations < 50


@given(_EPSILONS, _ETAS, _DIMENSIONS, st.integers(2, 40))
@settings(max_examples=12)
def test_a_target_hair_above_the_floor_is_reached_and_one_below_it_is_not(epsilon, eta, dimension, digits):
    known = floor(epsilon, eta=eta, dimension=dimension)
    assume(known.lower > 0 and known.upper < 1)
    with pytest.raises(UnreachableTarget, match="out of reach"):
        calibrate(epsilon, Fraction(known.lower) * Fraction(999, 1000), eta=eta, dimension=dimension)
    above = Fraction(known.upper) * (1 + Fraction(1, 10**digits))
    assume(above < 1)
    found = calibrate(epsilon, above, eta=eta, dimension=dimension)
    assert found.evaluations < 50
    assert found.floor.upper <= found.achieved.upper


@given(_EPSILONS, _DELTAS, _ETAS, _DIMENSIONS)
@settings(max_examples=12)
def test_more_privacy_takes_more_noise(epsilon, delta, eta, dimension):
    strict = reached(epsilon, delta, eta, dimension)
    assert calibrate(epsilon + 1, delta, eta=eta, dimension=dimension).least_gamma.lower <= strict.least_gamma.upper
    loose = delta + (1 - delta) / 2
    assert calibrate(epsilon, loose, eta=eta, dimension=dimension).least_gamma.lower <= strict.least_gamma.upper


@given(_EPSILONS, _DELTAS, _ETAS, st.integers(2, 1000), st.sampled_from(["1e-6", "1/3", "1000"]))
@settings(max_examples=12)
def test_an_absolute_part_costs_no_relative_noise(epsilon, delta, eta, dimension, r_rel):
    assume(eta <= 2)
    plain = reached(epsilon, delta, eta, dimension)
    with_it = calibrate(epsilon, delta, eta=eta, dimension=dimension, r_rel=r_rel)
    assert with_it.release.gamma == plain.release.gamma
    assert with_it.release.sigma2 == plain.release.gamma * Fraction(r_rel) ** 2 / eta**2


# -------------------------------------------------------------------------------------------------------- the floor


def floor_by_mpmath(epsilon, eta, freedom):
    """The formula of the module's head, by mpmath's incomplete gamma function."""
    with mpmath.workdps(60):
        v = mpmath.mpf((1 + eta).numerator) ** 2 / (1 + eta).denominator ** 2
        x = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        y = (freedom * mpmath.log(v) + 2 * x) / (v - 1)
        tails = [mpmath.gammainc(mpmath.mpf(freedom) / 2, z / 2, regularized=True) for z in (y, v * y)]
        return tails[0] - mpmath.exp(x) * tails[1]


@given(_EPSILONS, _ETAS, st.integers(1, 60), st.integers(1, 5))
@settings(max_examples=40)
def test_the_floor_is_the_difference_of_chi_square_tails(epsilon, eta, dimension, steps):
    known = floor(epsilon, eta=eta, dimension=dimension, steps=steps)
    with mpmath.workdps(60):
        truth = floor_by_mpmath(epsilon, eta, dimension * steps)
        slack = mpmath.mpf(10) ** -40  # what 60 digits leave of a difference of numbers below 1
        assert known.lower - slack <= truth <= known.upper + slack
    assert known.lower == 0 or known.relative_width < 1e-14


@given(_EPSILONS, _ETAS, _DIMENSIONS)
@settings(max_examples=20)
def test_the_floor_is_certified_by_incomplete_gammas_as_well(epsilon, eta, dimension):
    known = floor(epsilon, eta=eta, dimension=dimension)
    second = chi_square_floor_enclosure(epsilon, eta * (2 + eta), dimension, digits=20)
    assert Fraction(known.lower) <= second.upper
    assert second.lower <= Fraction(known.upper)


def test_the_floor_is_what_a_million_times_more_noise_comes_to():
    known = floor("1/10", eta="1/10", dimension=100)
    found = one_release.delta(Release("1/10", 10**12, 100), "1/10")
    assert known.lower <= found.upper
    assert known.upper * (1 + 1e-6) >= found.lower


@given(st.integers(0, 10**6), _ETAS, st.sampled_from([1, 7, 1000]))
@settings(max_examples=30)
def test_the_floor_falls_with_epsilon_and_ends_below_every_float(epsilon, eta, dimension):
    here, further = floor(epsilon, eta=eta, dimension=dimension), floor(epsilon + 1, eta=eta, dimension=dimension)
    assert further.lower <= here.upper
    far = floor("1e200", eta=eta, dimension=dimension)
    assert (far.lower, far.upper) == (0.0, 5e-324)


def test_an_unreachable_target_is_told_what_can_be_reached():
    with pytest.raises(UnreachableTarget) as told:
        calibrate(1, "1e-5", eta="1/2", dimension=3)
    text = str(told.value)
    least = Fraction(text.split("delta above ")[1])
    epsilon = Fraction(text.split("epsilon above ")[1].split(",")[0])
    known = floor(1, eta="1/2", dimension=3)
    assert Fraction(known.lower) <= least <= Fraction(known.upper) * (1 + Fraction(1, 10**4))
    assert floor(epsilon, eta="1/2", dimension=3).upper <= 1e-5
    assert floor(epsilon * Fraction(9999, 10000), eta="1/2", dimension=3).lower > 1e-5
    assert calibrate(epsilon * Fraction(10001, 10000), "1e-5", eta="1/2", dimension=3).release.gamma > 0
    assert calibrate(1, least * Fraction(10001, 10000), eta="1/2", dimension=3).release.gamma > 0


# -------------------------------------------------------------------------------------------------- several releases


@given(st.sampled_from([Fraction(1, 2), Fraction(2)]), st.sampled_from(["1e-3", "1e-8"]), st.integers(2, 3000))
@settings(max_examples=8)
def test_several_releases_get_noise_that_is_certified_and_an_interval_for_the_least(epsilon, delta, steps):
    found = reached(epsilon, delta, Fraction(1, 1000), 10, steps=steps, methods=("rdp",))
    again = composed_delta(found.release, epsilon, steps=steps, methods=("rdp",))
    assert again.upper <= Fraction(delta)
    assert found.achieved == again
    lower = Release("1/1000", Fraction(found.least_gamma.lower) * (1 - _SMALL), 10)
    assert composed_delta(lower, epsilon, steps=steps, methods=("rdp",)).lower > Fraction(delta)
    assert found.least_gamma.lower < found.least_gamma.upper


def test_value_iteration_finds_less_noise_than_the_renyi_bound_and_not_less_than_one_pair_needs():
    known = {
        m: calibrate(1, "1e-6", eta="1/1000", dimension=10, steps=30, methods=(m,)).least_gamma
        for m in ("rdp", "iteration")
    }
    both = calibrate(1, "1e-6", eta="1/1000", dimension=10, steps=30)
    assert known["iteration"].upper < known["rdp"].upper
    assert known["iteration"].lower == known["rdp"].lower == both.least_gamma.lower
    assert both.least_gamma.upper == known["iteration"].upper
    assert both.least_gamma.relative_width < known["rdp"].relative_width / 5


def test_what_no_upper_bound_certifies_is_not_claimed_though_it_may_be_true():
    known = floor("1/2", eta="1/100", dimension=100, steps=20)
    with pytest.raises(UnreachableTarget, match="no gamma could be certified"):
        calibrate(
            "1/2", Fraction(known.upper) * Fraction(1001, 1000), eta="1/100", dimension=100, steps=20, methods=("rdp",)
        )


# --------------------------------------------------------------------------------------------------------- trade-off


@pytest.mark.parametrize(("epsilon", "delta", "dimension", "r_rel"), [(1, "1e-8", 3, 7), ("1/4", "1e-4", 1, "1/50")])
def test_every_point_of_the_trade_off_reaches_the_target_with_less_baseline_noise(epsilon, delta, dimension, r_rel):
    points = trade_off(epsilon, delta, eta="1/100", dimension=dimension, r_rel=r_rel, factors=["1.1", 2, 20])
    assert len(points) == 3
    for point in points:
        assert one_release.delta(point.release, epsilon).upper <= Fraction(delta)
        assert point.release.sigma2 < point.covering_sigma2
        less = point.release.sigma2 * Fraction(99, 100)
        weaker = Release("1/100", point.release.gamma, dimension, r_rel=r_rel, sigma2=less)
        assert one_release.delta(weaker, epsilon).lower > Fraction(delta)
        assert point.least_sigma2.lower_method == "certified to fail"


def test_without_an_absolute_part_there_is_nothing_to_trade():
    with pytest.raises(InputError, match="r_rel=0"):
        trade_off(1, "1e-8", eta="1/100", dimension=3, r_rel=0)


# -------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": -1}, "epsilon=-1"),
        ({"epsilon": 0.1}, "epsilon=0.1"),
        ({"epsilon": "1e400"}, "epsilon="),
        ({"delta": 0}, "delta=0"),
        ({"delta": 1}, "delta=1"),
        ({"delta": "nan"}, "delta='nan'"),
        ({"eta": 0}, "eta=0"),
        ({"eta": "-1/2"}, "eta='-1/2'"),
        ({"eta": "1e-400"}, "eta="),
        ({"dimension": 0}, "dimension=0"),
        ({"dimension": "3/2"}, "dimension='3/2'"),
        ({"steps": 0}, "steps=0"),
        ({"r_rel": -1}, "r_rel=-1"),
        ({"relative_tolerance": 0}, "relative_tolerance=0"),
        ({"methods": ("magic",), "steps": 2}, "methods='magic'"),
    ],
)
def test_what_is_not_allowed_is_named(change, message):
    arguments = {"epsilon": 1, "delta": "1e-8", "eta": "1/1000", "dimension": 10} | change
    with pytest.raises(InputError) as told:
        calibrate(**arguments)
    assert str(told.value).startswith(message)


def test_less_than_the_least_gamma_is_no_point_of_a_trade_off():
    with pytest.raises(InputError, match="factor='1/2'"):
        trade_off(1, "1e-8", eta="1/100", dimension=3, r_rel=1, factors=["1/2"])


# -------------------------------------------------------------------------------------------------------- many steps


def test_over_a_thousand_steps_value_iteration_is_tried_and_finds_less_noise_than_the_renyi_bound():
    found = calibrate(2, "1e-5", eta="1/1000", dimension=10, steps=1500)
    plain = calibrate(2, "1e-5", eta="1/1000", dimension=10, steps=1500, methods=("rdp",))
    assert found.least_gamma.lower == plain.least_gamma.lower
    assert found.least_gamma.upper < plain.least_gamma.upper
    assert found.least_gamma.relative_width < 2e-2
    assert found.least_gamma.upper_method == "certified to hold: iteration"
    assert found.achieved.upper <= Fraction(1, 10**5)
    finer = composed_delta(found.release, 2, steps=1500, methods=("iteration",), resolution=12)
    assert found.achieved.lower <= finer.upper <= Fraction(1, 10**5)


@pytest.mark.parametrize(("steps", "methods"), [(2, "rdp iteration"), (10_000, "rdp iteration"), (10_001, "rdp")])
def test_the_usual_methods_are_those_that_end_in_a_minute_or_two(steps, methods):
    assert default_methods(steps) == tuple(methods.split())
