"""Laws of lines of which only the guarantee is known: optimal composition, mechanisms below it, replay, refusals."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify import Accountant
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.errors import InputError
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.concentrated import concentrated
from rgm_verify.recheck.replay import replay

ADD_REMOVE = "add-or-remove-one"


def of(kind, **fields):
    return release_of(kind, fields)


def real(value):
    return mpmath.mpf(value.numerator) / value.denominator


def optimal(loss, failing, count, level):
    """The optimal composition of `count` equal guarantees: a binomial sum over the answers that are true."""
    kept = (1 - real(failing)) ** count
    true, x = 1 / (1 + mpmath.exp(-real(loss))), mpmath.exp(real(level))
    terms = (
        mpmath.binomial(count, k)
        * max(0, true**k * (1 - true) ** (count - k) - x * true ** (count - k) * (1 - true) ** k)
        for k in range(count + 1)
    )
    return 1 - kept * (1 - mpmath.fsum(terms))


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from([Fraction(1, 50), Fraction(1, 3), Fraction(2)]),
    st.sampled_from([Fraction(0), Fraction(1, 10**9), Fraction(1, 10**4), Fraction(1, 5)]),
    st.integers(1, 25),
    st.fractions(0, 3, max_denominator=11),
)
def test_equal_guarantees_have_their_optimal_composition(loss, failing, count, level):
    fields = {"epsilon": loss, "count": count}
    line = of("approximate-dp", delta=failing, **fields) if failing else of("pure-dp", **fields)
    with mpmath.workdps(40):
        exact = optimal(loss, failing, count, level)
        found = delta(plan([line]), level)
        slack = mpmath.mpf(10) ** -30
        assert mpmath.mpf(found.lower) - slack <= exact <= mpmath.mpf(found.upper) + slack
        # Everything lies on one lattice, so that only roundings are left.
        assert found.upper - found.lower <= 1e-6 * found.upper + 1e-16


@pytest.mark.parametrize("kind", ["laplace", "discrete-laplace"])
def test_a_mechanism_costs_no_more_than_its_guarantee(kind):
    mechanism = plan([of(kind, scale=3, count=12), of("gaussian", noise_multiplier=4)])
    guarantee = plan([of("pure-dp", epsilon="1/3", count=12), of("gaussian", noise_multiplier=4)])
    for level in (0, 1, 2):
        assert delta(mechanism, level, width="1/50").lower <= delta(guarantee, level, width="1/50").upper


def test_randomised_response_costs_what_its_guarantee_says():
    both = [of("randomised-response", epsilon=1, count=5), of("pure-dp", epsilon=1, count=5)]
    one, other = (delta(plan([line], adjacency="replace-one"), "1/2") for line in both)
    assert one == other


def test_at_its_own_delta_a_guarantee_has_its_own_epsilon():
    line = plan([of("approximate-dp", epsilon="3/2", delta="1e-6")])
    found = epsilon(line, "1e-6")
    assert found.lower == found.upper == 1.5


def test_a_delta_that_the_lines_use_up_alone_is_refused_with_what_they_need():
    lines = plan([of("approximate-dp", epsilon=1, delta="1e-6", count=3)])
    with pytest.raises(InputError, match=r"delta='1e-6': must be above 3e-6"):
        epsilon(lines, "1e-6")
    assert epsilon(lines, "1e-5").upper < 3.1


def test_an_attacker_is_certain_where_the_record_is_shown():
    """With one line of epsilon 1e-9 the true positives are its delta, and else the false alarms."""
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("approximate-dp", epsilon="1e-9", delta="1/10")
    for alarms, found in zip(("1/5", "1/2"), account.true_positive_rates(["1/5", "1/2"]), strict=True):
        exact = Fraction(1, 10) + Fraction(alarms)
        assert abs(Fraction(found.upper) - exact) < Fraction(1, 1000)
        assert abs(Fraction(found.lower) - exact) < Fraction(1, 1000)
    assert account.true_positive_rates(["19/20"])[0].lower == 1


def test_groups_of_pure_guarantees_are_exact_and_others_follow_the_chain():
    pure = plan([of("pure-dp", epsilon="1/4")], group=4)
    assert delta(pure, "1/2") == delta(plan([of("pure-dp", epsilon=1)]), "1/2")
    chained = epsilon(plan([of("approximate-dp", epsilon="1/4", delta="1e-9")], group=4), "1e-5")
    assert chained.upper <= 1.0001


def converted(rho, level):
    """The bound of the curve of `rho`-zCDP at a level of any sign, by the best of many orders."""

    def at(x):
        return mpmath.exp(x * ((1 + x) * rho - level) + (1 + x) * mpmath.log(x / (1 + x))) / x

    grid = [mpmath.mpf(2) ** (mpmath.mpf(k) / 8) for k in range(-160, 161)]
    best = min(grid, key=at)
    finer = [best * mpmath.mpf(2) ** (mpmath.mpf(k) / 800) for k in range(-100, 101)]
    return min(map(at, finer))


@pytest.mark.parametrize(("rho", "count"), [("1/200", 1), ("1/10", 2), (1, 3)])
def test_zero_concentrated_privacy_alone_is_converted_at_the_best_order(rho, count):
    line = plan([of("zcdp", rho=rho, count=count)])
    gaussian = plan([of("gaussian", noise_multiplier=1, count=1)])
    total = Fraction(rho) * count
    for level in (Fraction(0), total, 4 * total):
        found = delta(line, level)
        with mpmath.workdps(30):
            exact = converted(real(total), real(level))
            assert exact * (1 - mpmath.mpf(10) ** -5) <= found.upper <= exact * (1 + mpmath.mpf(10) ** -5)
    # Noise of multiplier 1 has the rho 1/2, and is the lower end.
    assert delta(plan([of("zcdp", rho="1/2")]), 2).lower == delta(gaussian, 2).lower


@pytest.mark.parametrize("rho", ["1/50", "1/2"])
def test_zero_concentrated_privacy_beside_one_answer_is_its_mixture_over_the_answers(rho):
    """After an answer of loss `l` or `-l` there is the curve at a level that is so much lower or higher."""
    found = delta(plan([of("zcdp", rho=rho), of("pure-dp", epsilon="3/4")]), "3/2")
    with mpmath.workdps(30):
        size = real(Fraction(rho))
        true = 1 / (1 + mpmath.exp(mpmath.mpf(-3) / 4))
        exact = true * converted(size, mpmath.mpf(3) / 4) + (1 - true) * converted(size, mpmath.mpf(9) / 4)
        assert exact * mpmath.mpf("0.999") <= found.upper <= exact * mpmath.mpf("1.01")


def test_a_mechanism_that_is_zero_concentrated_costs_no_more_than_that():
    """Pure privacy of epsilon `1/b` is zero-concentrated with half its square, and Gaussian noise beside it too."""
    beside = of("gaussian", noise_multiplier=3)
    mechanism, guarantee = plan([of("laplace", scale=2, count=9), beside]), plan([of("zcdp", rho="9/8"), beside])
    for level in ("1/2", 2, 4):
        assert delta(mechanism, level, width="1/50").lower <= delta(guarantee, level, width="1/50").upper


@pytest.mark.parametrize("asked", [{"delta": "1e-5"}, {"epsilon": 2}])
def test_a_certificate_of_zero_concentrated_privacy_is_replayed(asked):
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("zcdp", rho="1/10", count=2)
    alone = account.certificate(**asked)
    assert replay(parse(alone)).accepted
    assert "beyond:improved-conversion" in replay(parse(alone)).premises
    account.add("pure-dp", epsilon="1/4")
    both = account.certificate(**asked)
    assert replay(parse(both)).accepted
    # More is lost than by the first ones alone, and a smaller rho would be needed for their number.
    assert not replay(parse({**both, "upper": alone["lower"], "lower": None})).accepted
    forged = {**alone, "mechanism": {**alone["mechanism"], "rho": "11/100"}, "lower": None}
    assert not replay(parse(forged)).accepted


@pytest.mark.parametrize("level", [-3, -1, 0, 1, 4])
@pytest.mark.parametrize("rho", ["1/1000", "1/3", 4])
def test_the_replay_bounds_the_curve_from_above_at_levels_of_either_sign(rho, level):
    low, high = concentrated(Fraction(rho), Fraction(level), 120)
    with mpmath.workdps(40):
        exact = converted(real(Fraction(rho)), mpmath.mpf(level))
        assert low == 0
        found, unit = mpmath.mpf(high) / 2**120, mpmath.mpf(2) ** -119
        assert exact * (1 - mpmath.mpf(10) ** -4) <= found <= exact * (1 + mpmath.mpf(10) ** -4) + unit


@pytest.mark.parametrize("quantity", ["delta", "epsilon"])
def test_a_certificate_of_guarantees_is_replayed_and_a_better_number_is_rejected(quantity):
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("approximate-dp", epsilon="1/2", delta="1e-6", count=3)
    account.add("pure-dp", epsilon="1/4", count=4)
    data = account.certificate(**({"delta": "1e-4"} if quantity == "epsilon" else {"epsilon": 1}))
    result = replay(parse(data))
    assert result.accepted
    assert "beyond:worst-of-a-guarantee" in result.premises
    better = Fraction(data["lower"]) * Fraction(99, 100)
    assert not replay(parse({**data, "lower": None, "upper": str(better)})).accepted


def test_a_certificate_counts_the_chance_that_a_record_is_shown():
    """With a smaller chance in the certificate the number that holds for a larger one would be too good."""
    account = Accountant(neighbours=ADD_REMOVE)
    account.add("approximate-dp", epsilon="1/2", delta="1/1000", count=2)
    data = account.certificate(epsilon="1/4")
    forged = {**data, "mechanism": {**data["mechanism"], "delta": "1/100"}}
    assert replay(parse({**data, "lower": None})).accepted
    assert not replay(parse({**forged, "lower": None})).accepted
    assert not replay(parse({**data, "mechanism": {**data["mechanism"], "delta": "1/9999"}, "upper": None})).accepted


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("pure-dp", {}, "epsilon: missing; the pure epsilon of one mechanism"),
        ("pure-dp", {"epsilon": 0}, "epsilon=0: the epsilon of a mechanism must be > 0"),
        ("pure-dp", {"epsilon": 101}, "epsilon=101: must lie between 1e-9 and 100"),
        ("zcdp", {"rho": 0}, "rho=0: the rho of a mechanism must be > 0"),
        ("zcdp", {"rho": 2000}, "rho=2000: must lie between 1e-12 and 1000"),
        ("zcdp", {"epsilon": 1}, "epsilon: no field of zcdp; there are rho"),
        ("approximate-dp", {"epsilon": 1}, "delta: missing; the delta of one mechanism"),
        ("approximate-dp", {"epsilon": 1, "delta": 1}, "delta=1: must lie between 1e-250 and 1"),
        ("approximate-dp", {"epsilon": 1, "delta": 0}, "delta=0: a probability must be > 0"),
        ("approximate-dp", {"epsilon": 1, "delta": "1/2", "count": 0}, "count=0: the number of releases must be"),
    ],
)
def test_bad_fields_of_a_guarantee_are_named(kind, fields, said):
    with pytest.raises(InputError) as error:
        release_of(kind, fields)
    assert str(error.value).startswith(said)
