"""Laws of the accounts of DP-SGD: closed forms, an independent route, monotonicity, and refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.subsampled import calibration
from rgm_verify.accounting.subsampled.account import Question, _refined, curves, delta, epsilon
from rgm_verify.accounting.subsampled.attacks import advantage, gaussian_equivalent, trade_off, true_positive_rate
from rgm_verify.accounting.subsampled.calibration import calibrate_noise, with_noise
from rgm_verify.accounting.subsampled.closed_forms import closed_delta
from rgm_verify.accounting.subsampled.mechanism import fixed_batches, poisson, sampled_gaussian
from rgm_verify.errors import InputError

rates = st.sampled_from([Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)])
noises = st.sampled_from([Fraction(2, 5), Fraction(1), Fraction(3, 2), Fraction(5), Fraction(50)])
levels = st.fractions(0, 3, max_denominator=20)
SMALLEST = 1e-14  # of the deltas that the grids are made for


def grid(run, level, width=0.05):
    return curves(run, width, guess=float(level), of_epsilon=False)


@settings(max_examples=25, deadline=None)
@given(rates, noises, levels, st.sampled_from(["add-one", "remove-one"]))
def test_the_grid_encloses_the_closed_form_of_one_release(rate, noise, level, adjacency):
    run = sampled_gaussian([(rate, noise, 1)], sampler="poisson", adjacency=adjacency)
    exact = closed_delta(run, level)
    assume(exact.upper >= SMALLEST)
    found = grid(run, level)
    assert found.delta_below(level) <= exact.upper
    assert exact.lower <= found.delta_above(level)


@settings(max_examples=10, deadline=None)
@given(noises, levels, st.integers(2, 40))
def test_the_grid_encloses_the_closed_form_without_sampling(noise, level, steps):
    run = poisson(1, noise, steps)
    exact = closed_delta(run, level)
    assume(exact.upper >= SMALLEST)
    found = grid(run, level)
    assert found.delta_below(level) <= exact.upper
    assert exact.lower <= found.delta_above(level)


def two_steps(rate, noise, level, remove):
    """Integrate the closed form after one step over the output of the other, with mpmath alone."""
    q, s = mpmath.mpf(rate.numerator) / rate.denominator, mpmath.mpf(noise.numerator) / noise.denominator
    density = lambda y, m: mpmath.npdf(y, m, s)  # noqa: E731
    mixed = lambda y: (1 - q) * density(y, 0) + q * density(y, 1)  # noqa: E731
    loss = lambda y: mpmath.log(1 - q + q * mpmath.exp((2 * y - 1) / (2 * s * s)))  # noqa: E731
    cdf = lambda y, m: mpmath.ncdf(y, m, s)  # noqa: E731

    def one(e):
        x = mpmath.exp(e)
        inside = (x if remove else 1 / x) - 1 + q
        if inside <= 0:
            return max(mpmath.mpf(0), 1 - x) if remove else mpmath.mpf(0)
        y = s * s * mpmath.log(inside / q) + mpmath.mpf(1) / 2
        low = (1 - q) * cdf(y, 0) + q * cdf(y, 1)
        return (1 - low) - x * (1 - cdf(y, 0)) if remove else cdf(y, 0) - x * low

    law, sign = (mixed, 1) if remove else (lambda y: density(y, 0), -1)
    points = [-12 * s + k * (24 * s + 1) / 60 for k in range(61)]
    return mpmath.quad(lambda y: law(y) * one(level - sign * loss(y)), points)


@pytest.mark.parametrize("adjacency", ["add-one", "remove-one"])
@pytest.mark.parametrize(
    ("rate", "noise", "level"), [("1/10", "1", "1/20"), ("1/2", "2", "1/2"), ("1/100", "4/5", "1/200")]
)
def test_two_steps_agree_with_an_integral_by_mpmath(adjacency, rate, noise, level):
    run = sampled_gaussian([(rate, noise, 2)], sampler="poisson", adjacency=adjacency)
    found = delta(run, level)
    with mpmath.workdps(25):
        exact = float(
            two_steps(Fraction(rate), Fraction(noise), mpmath.mpf(float(Fraction(level))), adjacency[0] == "r")
        )
    # Sixty panels of tanh-sinh leave far less than this.
    assert found.lower * (1 - 1e-9) <= exact <= found.upper * (1 + 1e-9)
    assert found.relative_width <= 1e-3


@settings(max_examples=8, deadline=None)
@given(rates.filter(lambda q: q < 1), st.sampled_from([Fraction(4, 5), Fraction(2)]), st.integers(2, 60))
def test_more_steps_higher_rates_and_less_noise_never_cost_less(rate, noise, steps):
    base = epsilon(poisson(rate, noise, steps), "1e-6", width="1/100")
    for more in (
        poisson(rate, noise, 2 * steps),
        poisson(min(Fraction(1), 2 * rate), noise, steps),
        poisson(rate, noise * Fraction(4, 5), steps),
    ):
        assert base.lower <= epsilon(more, "1e-6", width="1/100").upper


@settings(max_examples=15, deadline=None)
@given(rates, noises, st.integers(1, 10**4), st.integers(2, 14))
def test_the_interval_is_in_order_and_never_nan(rate, noise, steps, digits):
    found = epsilon(poisson(rate, noise, steps), Fraction(1, 10**digits), width="1/10", time_limit=2)
    assert 0 <= found.lower <= found.upper
    assert not math.isnan(found.upper)


@pytest.mark.parametrize(
    ("rate", "noise", "steps", "target", "width"),
    [
        ("1/100", "1", 1000, "1e-6", "1/1000"),
        ("256/60000", "11/10", 14063, "1e-5", "1/1000"),
        ("1e-4", "1", 10**6, "1e-6", "1/20"),
        ("1/10", "2/5", 2, "1e-14", "1/100"),
        ("1e-3", "2/5", 100, "1e-14", "1/100"),
        ("1/100", "50", 10**5, "1e-14", "1/100"),
        ("1e-5", "50", 10**5, "1e-6", "1/100"),
    ],
)
def test_the_asked_width_is_reached(rate, noise, steps, target, width):
    found = epsilon(poisson(rate, noise, steps), target, width=width)
    assert found.relative_width <= Fraction(width)


def test_the_interval_of_the_standard_example_holds_the_known_value():
    # 2.1245 by dp_accounting's PLD at interval 1e-4, pessimistic, and 2.1243 by a second prototype.
    found = epsilon(poisson("1/100", 1, 1000), "1e-6")
    assert 2.123 < found.lower <= 2.1245226
    assert found.upper < 2.1265


def test_segments_of_one_kind_are_one_segment():
    parts = sampled_gaussian([("1/10", 1, 3), ("1/10", 1, 7)], sampler="poisson")
    assert parts == poisson("1/10", 1, 10)


def test_segments_lie_between_runs_of_the_least_and_of_the_greatest_rate():
    mixed = delta(sampled_gaussian([("1/10", 1, 20), ("1/5", 1, 20)], sampler="poisson"), 2)
    assert delta(poisson("1/10", 1, 40), 2).lower <= mixed.upper
    assert mixed.lower <= delta(poisson("1/5", 1, 40), 2).upper
    assert mixed.relative_width <= 1e-3


def test_the_order_of_segments_does_not_matter():
    one = delta(sampled_gaussian([("1/10", 1, 20), ("1/100", 2, 200)], sampler="poisson"), 1)
    other = delta(sampled_gaussian([("1/100", 2, 200), ("1/10", 1, 20)], sampler="poisson"), 1)
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)


# ------------------------------------------------------------------------------------- batches of a fixed size


def test_fixed_batches_beat_the_best_renyi_bound():
    found = epsilon(fixed_batches("1/100", 1, 1000), "1e-6", width="1/10")
    assert found.upper <= 17.5
    assert found.lower >= 15


def test_grids_that_are_too_large_are_given_up_when_the_time_is_over():
    tried = []

    def too_large(wanted, fineness, known):
        tried.append(wanted)
        raise ArithmeticError("a window of too many points")

    unlimited = _refined(too_large, (0.0, math.inf), Question.of("1/10", None), matched=True)
    assert (unlimited.lower, unlimited.upper) == (0.0, math.inf)
    assert len(tried) > 1
    assert tried == sorted(tried)
    tried.clear()
    limited = _refined(too_large, (0.0, math.inf), Question.of("1/10", "1e-12"), matched=True)
    assert (limited.lower, limited.upper) == (0.0, math.inf)
    assert len(tried) == 1


def looked_at(run, asked, target, width):
    """Return bounds, and the intervals that were found on the way."""
    seen = []
    found = asked(run, target, width=width, progress=lambda bounds, _: seen.append(bounds))
    return found, seen


@settings(max_examples=6, deadline=None)
@given(
    st.sampled_from([Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)]),
    st.sampled_from([Fraction(3, 2), Fraction(5)]),
    st.sampled_from([5, 100]),
    st.sampled_from([(epsilon, "1e-5"), (delta, 1)]),
)
def test_ends_of_fixed_batches_that_do_not_meet_settle_within_the_width(rate, noise, steps, question):
    run, width = fixed_batches(rate, noise, steps), Fraction(1, 50)
    rough, seen = looked_at(run, *question, width)
    fine, _ = looked_at(run, *question, width / 10)
    assume(fine.lower > SMALLEST)
    # Both belong to the same two curves: they overlap, and a finer grid moves no end by much more than the width.
    assert rough.lower <= fine.upper
    assert fine.lower <= rough.upper
    assert rough.upper <= fine.upper * float(1 + 2 * width)
    assert rough.lower * float(1 + 2 * width) >= fine.lower
    # The last grid was looked at because it might have moved an end; no grid is looked at after one that did not.
    moves = [(a.upper - b.upper) / b.upper + (b.lower - a.lower) / b.lower for a, b in pairwise(seen)]
    assert all(move > width for move in moves[1:-1])
    assert len(seen) <= 5


def test_noise_for_fixed_batches_is_found_with_few_accounts():
    found = calibrate_noise(2, "1e-5", rate="1/10", steps=20, sampler="fixed-batch")
    assert found.evaluations <= 15
    assert found.delta.upper <= 1e-5
    assert found.fails < found.noise_multiplier <= found.fails * Fraction(1001, 1000)
    # With the noise that was not found to suffice the upper end, at a finer grid, is above the target or next to it.
    assert delta(with_noise(found.run, found.fails), 2, width="1/1000").upper > 0.99e-5


def test_fixed_batches_of_all_records_are_plain_gaussians_at_twice_the_distance():
    run, plain = fixed_batches(1, 2, 10), poisson(1, 1, 10)
    assert epsilon(run, "1e-6") == epsilon(plain, "1e-6")


@settings(max_examples=10, deadline=None)
@given(rates, levels)
def test_one_fixed_batch_is_enclosed_by_its_grid(rate, level):
    run = fixed_batches(rate, 2, 1)
    exact = closed_delta(run, level)
    assume(exact.upper >= SMALLEST)
    found = grid(run, level)
    assert found.delta_below(level) <= exact.upper
    assert exact.lower <= found.delta_above(level)


# -------------------------------------------------------------------------------------- attacks, calibration


def test_the_advantage_is_the_divergence_at_zero():
    run = poisson("1/100", 1, 100)
    assert advantage(run) == delta(run, 0)


@pytest.mark.parametrize("rate", ["1/100", "1/2", "9/10"])
def test_true_positives_without_sampling_are_the_gaussian_trade_off(rate):
    found = true_positive_rate(poisson(1, 1, 4), rate)
    with mpmath.workdps(20):
        quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(str(float(1 - Fraction(rate)))) - 1)
        exact = float(1 - mpmath.ncdf(quantile - 2))
    assert found.lower <= exact <= found.upper
    # Narrow beside the smaller of true positives and misses.
    assert found.upper - found.lower < min(exact, 1 - exact) / 10


def true_positives(rate, noise, alarms, adjacency):
    """The best test of one release: it looks at whether the output is above, or below, a threshold."""
    with mpmath.workdps(30):
        q, a = mpmath.mpf(rate.numerator) / rate.denominator, mpmath.mpf(alarms.numerator) / alarms.denominator
        shift = 1 / mpmath.mpf(noise)
        if adjacency == "remove-one":
            at = -mpmath.sqrt(2) * mpmath.erfinv(2 * a - 1)
            return (1 - q) * a + q * mpmath.ncdf(shift - at)
        low, high = mpmath.mpf(-10), mpmath.mpf(10)
        for _ in range(100):
            at = (low + high) / 2
            below = (1 - q) * mpmath.ncdf(at) + q * mpmath.ncdf(at - shift) < a
            low, high = (at, high) if below else (low, at)
        return mpmath.ncdf(at)


@pytest.mark.parametrize("adjacency", ["remove-one", "add-one", None])
@pytest.mark.parametrize("alarms", ["1/100", "1/2", "9/10", "99/100"])
def test_true_positives_of_one_release_are_those_of_the_best_test_of_the_orders_that_count(alarms, adjacency):
    rate, alarms = Fraction(1, 5), Fraction(alarms)
    run = sampled_gaussian([(rate, 1, 1)], sampler="poisson", adjacency=adjacency)
    found = true_positive_rate(run, alarms)
    orders = [adjacency] if adjacency else ["remove-one", "add-one"]
    exact = max(true_positives(rate, 1, alarms, order) for order in orders)
    assert found.lower <= exact <= found.upper


def test_the_trade_off_of_a_sampled_run_is_narrow_at_large_rates_of_false_alarms():
    """There the best test is that of the pair in the other order."""
    rate = Fraction(9, 10)
    (misses,) = trade_off(poisson("1/10", 1, 10), [rate])
    assert misses.lower > 0
    assert misses.upper < 1 - rate
    assert misses.upper - misses.lower < misses.lower / 10


def test_the_trade_off_falls_and_lies_below_guessing():
    run = poisson("1/10", 1, 10)
    misses = trade_off(run, ["1/100", "1/10", "1/2"])
    assert misses[0].upper >= misses[1].lower >= misses[2].lower
    assert all(b.lower <= 1 - float(Fraction(a)) for b, a in zip(misses, ("1/100", "1/10", "1/2"), strict=True))


def test_the_gaussian_equivalent_of_gaussians_is_their_distance():
    found = gaussian_equivalent(poisson(1, 2, 9), "1e-5")
    assert found.lower <= 1.5 <= found.upper
    assert found.relative_width < 1e-9


def test_calibrated_noise_reaches_the_target_and_a_little_less_does_not():
    found = calibrate_noise(2, "1e-6", rate="1/100", steps=1000, sampler="poisson")
    assert found.delta.upper <= 1e-6
    assert found.noise_multiplier <= found.fails * Fraction(1001, 1000)
    assert found.evaluations <= 15
    assert delta(with_noise(found.run, found.fails), 2).upper > 1e-6


@settings(max_examples=25, deadline=None)
@given(rates, levels.filter(bool), st.integers(1, 4), st.booleans())
def test_noise_is_calibrated_in_few_accounts_also_where_delta_hardly_changes(rate, level, digits, near):
    """Without noise delta is the rate, and nearly that for all small noise."""
    least = Fraction(1, 10**digits)
    target = rate * (1 - least) if near else rate * least**3
    found = calibrate_noise(level, target, rate=rate, steps=1, sampler="poisson")
    assert found.evaluations <= 15
    assert Fraction(found.delta.upper) <= target
    assert found.noise_multiplier <= found.fails * Fraction(1001, 1000)
    assert Fraction(closed_delta(with_noise(found.run, found.fails), level).lower) > target


@pytest.mark.parametrize(
    ("rate", "target", "least"),
    [(1, "9999/10000", False), (1 - Fraction(1, 10**20), "9/10", False), ("1/10", "11/100", True)],
)
def test_any_noise_does_for_a_target_above_the_rate(rate, target, least):
    found = calibrate_noise(1, target, rate=rate, steps=1, sampler="poisson")
    assert found.evaluations <= 15
    assert Fraction(found.delta.upper) <= Fraction(target)
    assert (found.fails == 0) == least


# ---------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0", 1, 1), "sampling_rate"),
        (("3/2", 1, 1), "sampling_rate"),
        (("1/2", 0, 1), "noise_multiplier"),
        (("1/2", -1, 1), "noise_multiplier"),
        (("1/2", 1, 0), "steps"),
        (("1/2", 1, "3/2"), "steps"),
        ((0.5, 1, 1), "float"),
        (("nan", 1, 1), "finite"),
    ],
)
def test_bad_numbers_are_refused_by_name(arguments, message):
    with pytest.raises(InputError, match=message):
        poisson(*arguments)


@pytest.mark.parametrize("target", ["0", "1", "2", "-1", "1e-300"])
def test_a_delta_outside_its_range_is_refused(target):
    with pytest.raises(InputError, match="delta"):
        epsilon(poisson("1/2", 1, 2), target)


@pytest.mark.parametrize(("width", "limit"), [("0", None), ("2", None), ("1e-12", None), ("1/10", 0), ("1/10", -1)])
def test_a_width_or_a_limit_outside_its_range_is_refused(width, limit):
    with pytest.raises(InputError, match=r"width|time_limit"):
        epsilon(poisson("1/2", 1, 2), "1e-5", width=width, time_limit=limit)


@pytest.mark.parametrize(
    ("sampler", "adjacency", "message"),
    [
        ("fixed-batch", "add-or-remove-one", "replace-one"),
        ("shuffle", None, "fixed-batch"),
        ("with-replacement", None, "Poisson"),
        ("poisson", "other", "allowed"),
        ("other", None, "allowed"),
    ],
)
def test_what_is_not_accounted_for_is_refused_with_what_to_do(sampler, adjacency, message):
    with pytest.raises(InputError, match=message):
        sampled_gaussian([("1/2", 1, 1)], sampler=sampler, adjacency=adjacency)


def test_a_bad_segment_is_named():
    with pytest.raises(InputError, match=r"segments\[1\]\.steps"):
        sampled_gaussian([("1/2", 1, 1), ("1/2", 1, 0)], sampler="poisson")
    with pytest.raises(InputError, match=r"segments\[0\]"):
        sampled_gaussian([("1/2", 1)], sampler="poisson")
    with pytest.raises(InputError, match="at least one"):
        sampled_gaussian([], sampler="poisson")


@pytest.mark.parametrize("target", ["1e-3", "1e-10"])
@pytest.mark.parametrize(
    ("rate", "steps", "sampler"),
    [
        ("1/10", 1, "poisson"),
        ("1/100", 5, "poisson"),
        ("1/1000", 1000, "poisson"),
        ("1/2", 10, "poisson"),
        ("1", 100, "poisson"),
        ("1/10", 20, "fixed-batch"),
    ],
)
def test_a_calibration_to_a_thousandth_takes_at_most_fifteen_accounts(monkeypatch, rate, steps, sampler, target):
    asked = []
    account = calibration.run_delta
    monkeypatch.setattr(calibration, "run_delta", lambda *a, **k: asked.append(a) or account(*a, **k))
    found = calibrate_noise("1/10", target, rate=rate, steps=steps, sampler=sampler)
    assert found.evaluations == len(asked) <= 15
    assert found.delta.upper <= Fraction(target)
    assert found.noise_multiplier <= found.fails * Fraction(1001, 1000)
