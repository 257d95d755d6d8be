"""Laws of the one accountant: it answers as the plan of its lines, and its curves hold what exact formulas give."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rgm_verify
from rgm_verify import Accountant
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.files import read_plan, write_plan
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import DpSgd, release_of
from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian
from rgm_verify.errors import InputError
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import replay

from .differential.draws import drawn
from .differential.oracle import delta_of

ADD_REMOVE = "add-or-remove-one"
RATES = ["1e-9", "1/1000", "1/10", "1/2", "9/10", "999/1000"]


def encloses(found, exact):
    assert mpmath.mpf(found.lower) <= exact <= mpmath.mpf(found.upper), (found, exact)


def is_narrow(found, share=0.002):
    return found.upper - found.lower <= share * min(found.upper, 1 - found.lower)


def test_lines_that_are_added_one_by_one_are_the_plan_of_all():
    steps = Accountant(neighbours=ADD_REMOVE)
    for _ in range(5):
        steps.add("dp-sgd", noise_multiplier="11/10", sampling_rate="1/100", sampler="poisson", count=20)
    steps.add("laplace", scale=10)
    at_once = plan(
        [
            release_of(
                "dp-sgd", {"noise_multiplier": "1.1", "sampling_rate": "0.01", "sampler": "poisson", "count": 100}
            ),
            release_of("laplace", {"scale": 10}),
        ],
        adjacency=ADD_REMOVE,
    )
    assert steps.plan() == at_once
    found = steps.epsilon("1e-5", width="1/50")
    assert found == epsilon(at_once, "1e-5", width="1/50")
    assert found.assuming == "neighbours: add-or-remove-one; sampler: poisson"
    left = steps.left(epsilon=2, delta="1e-5", width="1/50")
    assert left.within
    assert left.left <= 2 - found.lower


def test_a_plan_that_is_written_is_read_back_to_the_last_digit(tmp_path):
    for number in range(60):
        known = drawn(number).plan
        write_plan(known, tmp_path / "plan.json")
        assert read_plan(tmp_path / "plan.json") == known
        assert Accountant.load(tmp_path / "plan.json").plan().lines == known.lines


def test_a_run_of_several_segments_counts_each_of_them_as_often_as_it_is_released():
    """Twice the same run is its segments with twice their steps, and not the number of all steps in each."""
    segments = [("1/100", 1, 10), ("1/50", 2, 30)]
    run = DpSgd(sampled_gaussian(segments, sampler="poisson"))
    doubled = DpSgd(sampled_gaussian([(q, s, 2 * n) for q, s, n in segments], sampler="poisson"))
    assert delta(plan([run, run]), "1/2", width=1) == delta(plan([doubled]), "1/2", width=1)


def test_an_accountant_without_lines_has_nothing_to_answer_for():
    empty = Accountant(neighbours="replace-one")
    assert empty.epsilon("1e-6").upper == empty.delta(0).upper == 0
    assert [b.upper for b in empty.curve([0, 1])] == [0, 0]
    assert empty.left(epsilon=1, delta="1e-6").left == 1


@settings(max_examples=5, deadline=None)
@given(st.fractions(1, 4, max_denominator=9), st.integers(1, 30))
def test_the_trade_off_of_gaussian_noise_is_that_of_two_normal_laws(noise, count):
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("gaussian", noise_multiplier=noise * 3, count=count)
    found = account.true_positive_rates(RATES)
    with mpmath.workdps(40):
        mu = mpmath.sqrt(count) / (3 * mpmath.mpf(noise.numerator) / noise.denominator)
        for rate, bounds in zip(RATES, found, strict=True):
            a = mpmath.mpf(Fraction(rate).numerator) / Fraction(rate).denominator
            quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * a - 1)
            encloses(bounds, mpmath.ncdf(quantile + mu))


@pytest.mark.parametrize("scale", [1, 4])
def test_the_trade_off_of_one_laplace_release_is_known_at_every_rate(scale):
    """Between the rates where a likelihood ratio is constant, a true positive has probability `1 - e^(-1/b)/(4 a)`."""
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("laplace", scale=scale)
    with mpmath.workdps(30):
        x = mpmath.exp(mpmath.mpf(1) / scale)
        for rate, bounds in zip(RATES, account.true_positive_rates(RATES), strict=True):
            a = mpmath.mpf(Fraction(rate).numerator) / Fraction(rate).denominator
            exact = x * a if a <= 1 / (2 * x) else (1 - (1 - a) / x if a >= 0.5 else 1 - 1 / (4 * x * a))
            encloses(bounds, exact)
            assert is_narrow(bounds, 0.02)


def test_the_trade_off_of_a_run_is_narrow_at_all_rates_of_false_alarms():
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("dp-sgd", noise_multiplier=1, sampling_rate="1/100", sampler="poisson", count=200)
    rates = RATES[1:]
    misses = account.trade_off(rates)
    assert all(map(is_narrow, misses))
    rates = [float(Fraction(rate)) for rate in rates]
    assert all(b.upper <= 1 - a for a, b in zip(rates, misses, strict=True))
    assert [b.lower for b in misses] == sorted((b.lower for b in misses), reverse=True)


def test_a_whole_curve_allows_what_an_oracle_finds_at_each_point():
    case = drawn(13)
    size = Fraction(epsilon(case.plan, case.plan.delta, width="1/10").upper)
    levels = [size * k / 4 for k in range(1, 5)]
    for level, found in zip(levels, Accountant.of(case.plan).curve(levels, width="1/100"), strict=True):
        value, error = delta_of(case.lines, float(level))
        assert found.lower <= value * (1 + 1e-11) + error
        assert found.upper >= value * (1 - 1e-11) - error


def test_what_is_calibrated_meets_the_target_together_with_what_was_released_before():
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("gaussian", noise_multiplier=2)
    found = account.calibrate("gaussian", 3, "1e-5", count=4)
    assert found.quantity == "noise_multiplier"
    assert found.fails is not None
    for noise, within in ((found.value, True), (found.fails, False)):
        both = Accountant.of(account.plan())
        both.add("gaussian", noise_multiplier=noise, count=4)
        assert both.left(epsilon=3, delta="1e-5").within is within
    most = account.calibrate("gaussian", 3, "1e-5", noise_multiplier=10)
    account.add("gaussian", noise_multiplier=10, count=int(most.value) + 1)
    assert account.epsilon("1e-5").lower > 3


def test_a_certificate_of_the_accountant_names_neighbours_and_sampler():
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("dp-sgd", noise_multiplier=4, sampling_rate="1/2", sampler="poisson")
    data = account.certificate(delta="1e-5")
    assert (data["mechanism"]["sampler"], data["mechanism"]["adjacency"]) == ("poisson", ADD_REMOVE)
    assert data["neighbours"] == ADD_REMOVE
    assert "all for the neighbours add-or-remove-one" in replay(parse(data)).mechanism
    for named, said in (("replace-one", "a release is for add-or-remove-one"), ("one", "is expected"), (1, "expected")):
        with pytest.raises(Refused, match=said):
            parse({**data, "neighbours": named})


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Accountant(), "neighbours: missing; allowed are add-or-remove-one"),
        (lambda: Accountant(neighbours="one"), "neighbours='one': allowed are add-or-remove-one"),
        (lambda: Accountant(neighbours="add-one", floats="yes"), "floats='yes': allowed are"),
        (lambda: Accountant(neighbours="add-one", group=0), "group=0: the number of records must be an integer >= 1"),
        (
            lambda: Accountant(neighbours="add-one").add("gaussian", noise_multiplier=0.1),
            "noise_multiplier=0.1: a float",
        ),
        (lambda: Accountant(neighbours="add-one").add("gauss"), "mechanism='gauss': known are gaussian, laplace"),
        (lambda: Accountant(neighbours="add-one").add(2), "mechanism: expected PlannedRelease, got int"),
        (
            lambda: Accountant(neighbours="add-one").add("dp-sgd", noise_multiplier=1, sampling_rate="1/2"),
            "sampler: missing; ",
        ),
        (
            lambda: Accountant(neighbours="those-of-the-sensitivity").add("randomised-response", epsilon=1),
            "neighbours='those-of-the-sensitivity': randomised-response is for replace-one",
        ),
        (
            lambda: Accountant(neighbours="add-one").calibrate("gaussian", 1, "1e-5"),
            "gaussian: leave out one of noise_multiplier, count",
        ),
        (lambda: Accountant(neighbours="add-one").certificate(), "delta, epsilon: give one of them"),
        (lambda: Accountant(neighbours="add-one").save("plan.json"), "releases: expected at least one release"),
    ],
)
def test_bad_input_names_the_field_and_what_is_allowed(ask, said):
    with pytest.raises(InputError) as error:
        ask()
    assert str(error.value).startswith(said)


def test_floats_are_the_binary_numbers_that_they_are_once_that_is_said():
    account = Accountant(neighbours="add-one", floats="binary")
    account.add("gaussian", noise_multiplier=0.1)
    assert account.plan().releases[0].noise_multiplier == Fraction(0.1)
    assert account.delta(0.5) == account.delta(Fraction(1, 2))


def test_the_accountant_is_named_by_the_package():
    assert "Accountant" in dir(rgm_verify)
    assert rgm_verify.Accountant is Accountant


def test_an_event_of_dp_accounting_comes_back_as_the_same_releases():
    pytest.importorskip("dp_accounting")
    for neighbours, sampler in ((ADD_REMOVE, "poisson"), ("replace-one", "fixed-batch")):
        account = Accountant(neighbours=neighbours)
        account.add("dp-sgd", noise_multiplier="5/4", sampling_rate="1/128", sampler=sampler, count=40)
        account.add("gaussian", noise_multiplier=3, count=2)
        account.add("laplace", scale=8)
        account.add("zcdp", rho="1/64")
        account.add("discrete-laplace", scale=2, sensitivity=2)
        again = Accountant(neighbours=neighbours)
        again.add_event(account.to_dp_event(), one_number=True)
        assert again.plan() == account.plan()
