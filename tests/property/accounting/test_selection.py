"""Laws of choices by noisy scores and of sparse histograms: closed forms, mechanisms below them, replay, refusals."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify import Accountant
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.mechanisms.choices import NoisyMax, SparseHistogram
from rgm_verify.numbers.sampling import spawn
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.mechanisms import Selected
from rgm_verify.recheck.noises import divergence
from rgm_verify.recheck.replay import replay

FALSE_ALARM = 1e-9
DRAWS = 40_000
BITS = 120
UNIT = mpmath.mpf(2) ** -BITS
NOISES = ("gumbel", "exponential", "laplace")


def of(kind, **fields):
    return release_of(kind, fields)


def real(value):
    return mpmath.mpf(value.numerator) / value.denominator


def chosen(scores, scale):
    """The probabilities of the exponential mechanism."""
    weights = [mpmath.exp(real(Fraction(score)) / real(Fraction(scale))) for score in scores]
    return [weight / mpmath.fsum(weights) for weight in weights]


def gap(first, second, level):
    x = mpmath.exp(real(Fraction(level)))
    return mpmath.fsum(max(mpmath.mpf(0), p - x * q) for p, q in zip(first, second, strict=True))


def convolved(p, q, count, level):
    """The divergence of `count` equal choices between two candidates, a binomial sum."""
    x = mpmath.exp(real(Fraction(level)))
    terms = (
        mpmath.binomial(count, k) * max(0, p**k * (1 - p) ** (count - k) - x * q**k * (1 - q) ** (count - k))
        for k in range(count + 1)
    )
    return mpmath.fsum(terms)


scores = st.lists(st.fractions(-4, 4, max_denominator=5), min_size=2, max_size=6)


@settings(max_examples=40, deadline=None)
@given(scores, st.data(), st.fractions(Fraction(1, 2), 8, max_denominator=6), st.fractions(-3, 3, max_denominator=9))
def test_no_exponential_mechanism_is_above_the_largest_curve(before, data, scale, level):
    """Whatever the scores and how they change, by at most 1; in one direction half of the epsilon is enough."""
    monotone = data.draw(st.booleans())
    moves = st.fractions(0 if monotone else -1, 1, max_denominator=4)
    after = [score + data.draw(moves) for score in before]
    loss = (1 if monotone else 2) / scale
    with mpmath.workdps(40):
        most = divergence(Selected(loss, "gumbel", 1), level, BITS)[1] * UNIT
        for pair in ((before, after), (after, before)):
            assert gap(*(chosen(part, scale) for part in pair), level) <= most + 10 * UNIT


@settings(max_examples=30, deadline=None)
@given(st.fractions(Fraction(1, 7), 6, max_denominator=7), st.integers(1, 9))
def test_two_candidates_attain_the_largest_curve_at_every_level(loss, tenth):
    """At the level l, with the first one chosen with probability (1 - T A)/(1 - A), T = exp((l + loss)/2)."""
    level = loss * Fraction(tenth, 10)
    with mpmath.workdps(40):
        a, top = mpmath.exp(-real(loss)), mpmath.exp(real(level + loss) / 2)
        p = (1 - top * a) / (1 - a)
        low, high = divergence(Selected(loss, "gumbel", 1), level, BITS)
        assert abs(gap((p, 1 - p), (p / top, 1 - p / top), level) - low * UNIT) <= 10 * UNIT
        assert high - low <= 16
        line = plan([of("exponential-mechanism", epsilon=loss)])
        found = delta(line, level)
        assert found.lower <= low * UNIT + 2 * UNIT
        assert high * UNIT <= found.upper
        assert found.upper - found.lower <= 1e-14 * found.upper
        at = epsilon(line, Fraction(found.upper))
        assert at.lower <= level * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("count", [3, 12])
def test_ends_of_several_choices_hold_the_truth_between_two_candidates(noise, count):
    """Each gap of two candidates is below the upper end; the lower end is below the best of many gaps."""
    line = of("noisy-max", scale=4, noise=noise, count=count)
    with mpmath.workdps(40):
        for level in (Fraction(1, 4), Fraction(3, 4)):
            found = delta(plan([line]), level, width="1/50")
            best = mpmath.mpf(0)
            for part in range(-20, 21):
                first, second = (1 - behind(noise, mpmath.mpf(part) / 4 + half) for half in (0.25, -0.25))
                best = max(best, convolved(first, second, count, level), convolved(second, first, count, level))
            assert best <= found.upper
            assert found.lower <= best * (1 + mpmath.mpf(2) / 100)
            assert found.lower >= best * mpmath.mpf(7) / 10


def behind(noise, lead):
    """The probability that the second of two candidates is chosen when the first one leads by so much."""
    if noise == "gumbel":
        return 1 / (1 + mpmath.exp(lead))
    far = abs(lead)
    tail = mpmath.exp(-far) / 2 * (1 if noise == "exponential" else 1 + far / 2)
    return tail if lead >= 0 else 1 - tail


def test_a_range_costs_less_than_its_pure_epsilon_and_monotone_scores_half():
    pure = epsilon(plan([of("pure-dp", epsilon="1/2", count=30)]), "1e-6")
    found = epsilon(plan([of("exponential-mechanism", epsilon="1/2", count=30)]), "1e-6")
    assert found.upper < 0.7 * pure.lower
    half = epsilon(plan([of("exponential-mechanism", epsilon=1, monotone="yes", count=30)]), "1e-6")
    assert half == found


@pytest.mark.parametrize("noise", NOISES)
def test_at_delta_0_choices_cost_their_pure_epsilon(noise):
    found = epsilon(plan([of("noisy-max", scale=4, noise=noise, count=3)]), 0)
    assert (found.lower, found.upper) == (1.5, 1.5)


def test_a_group_moves_scores_that_much_farther():
    line = of("noisy-max", scale=12, noise="gumbel", count=2)
    assert delta(plan([line], group=3), "1/4") == delta(
        plan([of("noisy-max", scale=4, noise="gumbel", count=2)]), "1/4"
    )


@pytest.mark.parametrize("noise", NOISES)
def test_the_mechanism_chooses_as_its_law_says(noise):
    """Two candidates, the second one behind by half of the scale; and half of the noise is noticed."""
    (generator,) = spawn(5, 1)
    with mpmath.workdps(20):
        law = float(behind(noise, mpmath.mpf(1) / 2))
        other = float(behind(noise, mpmath.mpf(1)))
    for scale, right in ((2, True), (1, False)):
        hits = int(np.sum(NoisyMax(scale, noise).choose([1.0, 0.0], generator, size=DRAWS) == 1))
        ends = clopper_pearson(hits, DRAWS, FALSE_ALARM)
        assert (ends.lower <= law <= ends.upper) == right
        assert (ends.lower <= other <= ends.upper) != right


@pytest.mark.parametrize("fields", [{"scale": 0, "noise": "gumbel"}, {"scale": 1, "noise": "normal"}])
def test_mechanisms_refuse_what_they_do_not_know(fields):
    with pytest.raises(InputError, match=r"scale=0|noise='normal'"):
        NoisyMax(fields["scale"], fields["noise"])


# ------------------------------------------------------------------------------------------------- sparse histograms


@pytest.mark.parametrize(("cells", "new"), [(1, 1), (3, 1), (3, 3)])
def test_no_record_is_above_the_curve_of_its_histogram(cells, new):
    """The exact curve of a record that is alone in `new` of its cells: what is shown, and noise on the others."""
    sigma, threshold = Fraction(2), Fraction(9)
    line = plan([of("sparse-histogram", sigma=sigma, threshold=threshold, cells=cells)])
    with mpmath.workdps(40):
        hidden = mpmath.ncdf(real(threshold - 1) / real(sigma)) ** new
        root = mpmath.sqrt(cells - new) / real(sigma)
        for level in (Fraction(0), Fraction(1, 2), Fraction(2)):
            found = delta(line, level)
            shift = mpmath.log(hidden)
            first = 1 - hidden + hidden * gauss(root, real(level) - shift)
            second = gauss(root, real(level) + shift)
            assert max(first, second) <= found.upper
            assert found.lower <= gauss(mpmath.sqrt(cells) / real(sigma), real(level)) * (1 + mpmath.mpf(10) ** -14)
            assert found.upper - found.lower <= cells * (1 - mpmath.ncdf(4)) * (1 + mpmath.mpf(10) ** -10) + 1e-15


def gauss(root, level):
    """The divergence of two Gaussians at a distance."""
    if root == 0:
        return max(mpmath.mpf(0), 1 - mpmath.exp(level))
    return mpmath.ncdf(root / 2 - level / root) - mpmath.exp(level) * mpmath.ncdf(-root / 2 - level / root)


def test_a_cell_with_one_record_is_shown_as_often_as_the_line_says():
    line, draws = of("sparse-histogram", sigma=2, threshold=5), 20_000
    for sigma, right in ((2, True), (4, False)):
        mechanism, (generator,) = SparseHistogram(sigma, 5), spawn(7, 1)
        hits = sum(bool(mechanism.release({"a": 1.0, "b": 0.0}, generator)) for _ in range(draws))
        assert (clopper_pearson(hits, draws, FALSE_ALARM).lower <= line.failing) == right


def test_a_delta_below_what_may_be_shown_is_refused():
    account = Accountant(neighbours="add-or-remove-one")
    account.add("sparse-histogram", sigma=5, threshold=31, count=2)
    with pytest.raises(InputError, match="with which a record may be shown"):
        account.epsilon("1e-9")
    assert account.epsilon("1e-8").upper < 2


# ---------------------------------------------------------------------------------------------------- Renyi curves


def test_a_table_of_all_that_zero_concentration_says_costs_little_more():
    orders = [Fraction(k, 8) for k in (9, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256)]
    text = ", ".join(f"{order}: {order / 50}" for order in orders)
    more = [of("laplace", scale=20, count=5)]
    for others in ([], more):
        table = epsilon(plan([of("renyi", curve=text, count=3), *others]), "1e-6")
        whole = epsilon(plan([of("zcdp", rho="1/50", count=3), *others]), "1e-6")
        assert table.lower <= table.upper
        assert whole.lower <= table.upper
        assert whole.upper * (1 - 2e-3) <= table.upper <= 1.02 * whole.upper
        assert abs(table.lower - whole.lower) <= 2e-3 * whole.lower


def test_a_table_bounds_gaussian_noise_at_any_orders():
    noise = of("gaussian", noise_multiplier=5, count=4)
    for orders in ((2,), (3, 30), (2, 5, 17)):
        text = ", ".join(f"{order}: {Fraction(order, 50)}" for order in orders)
        table = of("renyi", curve=text, count=4)
        for level in (0, 1, 3):
            assert delta(plan([noise]), level).lower <= delta(plan([table]), level).upper
        both = plan([table, of("zcdp", rho="1/200")])
        assert delta(plan([noise, of("gaussian", noise_multiplier=10)]), 1).lower <= delta(both, 1).upper


@pytest.mark.parametrize("text", ["", "2", "2:0.1,2:0.2", "1:1", "2:x", "2:0", "2:1;3:1", "1e9:1"])
def test_what_is_no_table_is_refused_by_its_field(text):
    with pytest.raises(InputError, match=r"^curve="):
        of("renyi", curve=text)


# ------------------------------------------------------------------------------------------------------ certificates


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("noisy-max", {"scale": 4, "noise": "laplace", "monotone": "yes", "count": 3}),
        ("exponential-mechanism", {"epsilon": "1/2", "count": 40}),
        ("sparse-histogram", {"sigma": 5, "threshold": 40, "cells": 2}),
        ("renyi", {"curve": "2: 1/10, 8: 1/2, 32: 2"}),
    ],
)
@pytest.mark.parametrize("others", [False, True])
def test_other_code_proves_the_ends_again_and_not_more(kind, fields, others):
    account = Accountant(neighbours="add-or-remove-one")
    account.add(kind, **fields)
    if others:
        account.add("gaussian", noise_multiplier=6)
    data = account.certificate(delta="1e-5")
    assert replay(parse(data)).accepted
    upper, lower = Fraction(data["upper"]), Fraction(data["lower"])
    assert not replay(parse({**data, "lower": None, "upper": str(upper * Fraction(4, 5))})).accepted
    assert not replay(parse({**data, "upper": None, "lower": str(lower * Fraction(5, 4))})).accepted
