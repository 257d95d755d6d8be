"""Laws of the one account: exact oracles for each noise, lists against integrals, groups, budgets and refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.plans.account import delta, epsilon, spent
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import KINDS, release_of
from rgm_verify.accounting.plans.units import NoiseUnit
from rgm_verify.accounting.subsampled.account import curves_of
from rgm_verify.accounting.subsampled.units import Model
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified import plain
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure

REPLACE = "replace-one"
DIGITS = 40
# What a sum of some thousand terms at 40 digits leaves.
ROUNDING = mpmath.mpf(10) ** -30


def of(kind, **fields):
    return release_of(kind, fields)


def account(*releases, adjacency=REPLACE, **settings):
    return plan(releases, adjacency=adjacency, **settings)


def law(losses):
    """A law of losses as pairs (loss, mass), with equal losses together."""
    found = {}
    for loss, mass in losses:
        found[loss] = found.get(loss, 0) + mass
    return found


def composed(laws):
    total = {Fraction(0): mpmath.mpf(1)}
    for one in laws:
        total = law((a + b, p * q) for (a, p), (b, q) in product(total.items(), one.items()))
    return total


def divergence(total, level):
    x = mpmath.mpf(level.numerator) / level.denominator
    real = lambda v: mpmath.mpf(v.numerator) / v.denominator  # noqa: E731
    return mpmath.fsum(p * -mpmath.expm1(x - real(loss)) for loss, p in total.items() if loss > level)


def real(value):
    return mpmath.mpf(value.numerator) / value.denominator


def discrete_laplace_law(scale, distance):
    """Masses of the losses, output by output: far more of them than matter."""
    far = int(scale * 100) + distance + 5
    weights = {x: mpmath.exp(-real(abs(x) / scale)) for x in range(-far, far + 1)}
    total = mpmath.fsum(weights.values())
    return law(((abs(x - distance) - abs(x)) / scale, w / total) for x, w in weights.items())


def discrete_gaussian_law(sigma, distance):
    far = int(sigma * 16) + distance + 5
    weights = {x: mpmath.exp(-real(x * x / (2 * sigma**2))) for x in range(-far, far + 1)}
    total = mpmath.fsum(weights.values())
    return law((Fraction((x - distance) ** 2 - x * x) / (2 * sigma**2), w / total) for x, w in weights.items())


def encloses(found, exact):
    assert mpmath.mpf(found.lower) <= exact * (1 + ROUNDING) + ROUNDING
    assert exact * (1 - ROUNDING) - ROUNDING <= mpmath.mpf(found.upper)


levels = st.fractions(0, 2, max_denominator=12)
scales = st.sampled_from([Fraction(1, 2), Fraction(2), Fraction(7, 3), Fraction(5)])


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.sampled_from([Fraction(11, 20), Fraction(3, 5), Fraction(9, 10)]), st.integers(0, 400))
def test_randomised_response_encloses_the_binomial_sum(count, truth, place):
    """The exact oracle is over Fractions: at `e^epsilon` = (truth/(1 - truth))^j it needs no exponential."""
    ratio = truth / (1 - truth)
    power = place % (count + 1)
    x = ratio**power
    exact = Fraction(0)
    for true in range(count + 1):
        first = math.comb(count, true) * truth**true * (1 - truth) ** (count - true)
        second = math.comb(count, true) * truth ** (count - true) * (1 - truth) ** true
        exact += max(Fraction(0), first - x * second)
    # The epsilon is irrational, so both neighbours of it are asked for; delta falls in it.
    with mpmath.workdps(DIGITS):
        level = float(mpmath.log(real(ratio)) * power)
    run = account(of("randomised-response", truth=truth, count=count))
    assert exact <= Fraction(delta(run, Fraction(max(0.0, math.nextafter(level, -1)))).upper)
    assert exact >= Fraction(delta(run, Fraction(math.nextafter(level, math.inf))).lower)


@settings(max_examples=20, deadline=None)
@given(levels, st.integers(2, 9), st.integers(1, 12), st.sampled_from([Fraction(1, 3), Fraction(1)]))
def test_randomised_response_among_many_answers_encloses_the_sum_of_its_outcomes(level, answers, count, loss):
    with mpmath.workdps(DIGITS):
        x = mpmath.exp(real(loss))
        other = 1 / (x + answers - 1)
        one = {loss: x * other, Fraction(0): (answers - 2) * other, -loss: other}
        exact = divergence(composed([one] * count), level)
        encloses(delta(account(of("randomised-response", epsilon=loss, answers=answers, count=count)), level), exact)


@settings(max_examples=20, deadline=None)
@given(levels, scales, st.integers(1, 4), st.integers(1, 6))
def test_discrete_laplace_noise_encloses_the_sum_over_its_outputs(level, scale, distance, count):
    with mpmath.workdps(DIGITS):
        exact = divergence(composed([discrete_laplace_law(scale, distance)] * count), level)
        encloses(delta(account(of("discrete-laplace", scale=scale, sensitivity=distance, count=count)), level), exact)


@settings(max_examples=15, deadline=None)
@given(levels, st.sampled_from([Fraction(1, 2), Fraction(2), Fraction(7, 3)]), st.integers(1, 3), st.integers(1, 2))
def test_discrete_gaussian_noise_encloses_the_sum_over_its_outputs(level, sigma, distance, count):
    with mpmath.workdps(DIGITS):
        exact = divergence(composed([discrete_gaussian_law(sigma, distance)] * count), level)
        encloses(delta(account(of("discrete-gaussian", sigma=sigma, sensitivity=distance, count=count)), level), exact)


@settings(max_examples=15, deadline=None)
@given(levels, scales, scales, st.integers(1, 3))
def test_a_list_of_discrete_noise_encloses_the_sum_over_all_outputs(level, first, second, count):
    """Scales that do not fit on one grid take the route of cells."""
    with mpmath.workdps(DIGITS):
        laws = [discrete_laplace_law(first, 1)] * count + [discrete_laplace_law(second, 2)]
        x = mpmath.exp(mpmath.mpf(1) / 7)
        laws.append({Fraction(1, 7): x / (1 + x), Fraction(-1, 7): 1 / (1 + x)})
        exact = divergence(composed(laws), level)
        run = account(
            of("discrete-laplace", scale=first, count=count),
            of("discrete-laplace", scale=second, sensitivity=2),
            of("randomised-response", epsilon="1/7"),
        )
        encloses(delta(run, level), exact)


def laplace_curve(scale, level):
    """The closed form of one release."""
    last = 1 / scale
    if level >= last:
        return mpmath.mpf(0)
    if level <= -last:
        return -mpmath.expm1(level)
    return -mpmath.expm1((level - last) / 2)


def after_laplace(scale, level, curve):
    """Integrate a curve over the loss of one release, with mpmath alone."""
    last = 1 / scale
    ends = mpmath.mpf(1) / 2 * curve(level - last) + mpmath.exp(-last) / 2 * curve(level + last)
    density = lambda loss: mpmath.exp((loss - last) / 2) / 4  # noqa: E731
    kinks = sorted({-last, last, *(k for k in (level - last, level + last, mpmath.mpf(0)) if -last < k < last)})
    return ends + mpmath.quad(lambda loss: density(loss) * curve(level - loss), kinks)


@settings(max_examples=20, deadline=None)
@given(levels, scales)
def test_one_release_of_laplace_noise_encloses_its_closed_form(level, scale):
    with mpmath.workdps(DIGITS):
        encloses(delta(account(of("laplace", scale=scale)), level), laplace_curve(real(scale), real(level)))


@settings(max_examples=10, deadline=None)
@given(levels, scales, scales)
def test_two_releases_of_laplace_noise_enclose_the_integral(level, first, second):
    with mpmath.workdps(25):
        a, b = real(first), real(second)
        exact = after_laplace(a, real(level), lambda e: laplace_curve(b, e))
        found = delta(account(of("laplace", scale=first), of("laplace", scale=second)), level)
        # Pieces without kinks leave far less than this.
        assert mpmath.mpf(found.lower) * (1 - mpmath.mpf(10) ** -12) <= exact + mpmath.mpf(10) ** -15
        assert exact - mpmath.mpf(10) ** -15 <= mpmath.mpf(found.upper) * (1 + mpmath.mpf(10) ** -12)


@pytest.mark.parametrize(("scale", "noise", "level"), [("2", "3", "1/4"), ("1/2", "1", "1"), ("5", "4", "1/10")])
def test_laplace_and_gaussian_noise_together_enclose_the_integral(scale, noise, level):
    with mpmath.workdps(20):
        mu = 1 / real(Fraction(noise))

        def gaussian(e):
            return mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)

        exact = after_laplace(real(Fraction(scale)), real(Fraction(level)), gaussian)
    found = delta(account(of("laplace", scale=scale), of("gaussian", noise_multiplier=noise)), level)
    assert found.lower * (1 - 1e-12) <= exact <= found.upper * (1 + 1e-12)
    assert found.relative_width <= 1e-3


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["1/2", "1", "7/3", "40"]), st.integers(1, 99)), min_size=1, max_size=4),
    st.integers(1, 100),
)
def test_gaussian_noise_is_composed_in_closed_form(parts, digits):
    """The contour is another route to the same number."""
    releases = [of("gaussian", noise_multiplier=noise, count=count) for noise, count in parts]
    square = sum(Fraction(count) / Fraction(noise) ** 2 for noise, count in parts)
    target = Fraction(1, 10**digits)
    found = epsilon(account(*releases), target)
    exact = epsilon_enclosure(target, square, Fraction(0), 1)
    assert Fraction(found.lower) <= exact.upper
    assert exact.lower <= Fraction(found.upper)
    assert found.relative_width <= 1e-12
    at = Fraction(found.upper)
    one = delta(account(*releases), at)
    enclosed = hockey_stick_enclosure(at, square, Fraction(0), 1)
    assert Fraction(one.lower) <= enclosed.upper
    assert enclosed.lower <= Fraction(one.upper)
    assert Fraction(one.lower) <= target


@pytest.mark.parametrize("adjacency", ["add-one", "remove-one", "add-or-remove-one"])
def test_dp_sgd_in_a_list_is_that_of_its_own_account_with_a_release_that_hides_nothing_more(adjacency):
    from rgm_verify.accounting.subsampled.account import delta as alone
    from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian

    step = of("dp-sgd", sampler="poisson", noise_multiplier=1, sampling_rate="1/10", count=5)
    single = alone(sampled_gaussian([("1/10", 1, 5)], sampler="poisson", adjacency=adjacency), "1/2")
    listed = delta(account(step, adjacency=adjacency), "1/2")
    assert (single.lower, single.upper) == (listed.lower, listed.upper)
    more = delta(account(step, of("laplace", scale=10**4), adjacency=adjacency), "1/2")
    assert single.lower <= more.upper
    # A loss of at most 1e-4 nats more moves delta by no more than that, and a share of it.
    assert more.lower <= single.upper + 2e-4


def test_the_relative_gaussian_alone_is_that_of_its_composition_and_never_costs_less_in_a_list():
    one = of("rgm", eta="1/1000", gamma="1/10000", d=10, count=10)
    alone = composed_epsilon([(one.release, 10)], "1e-6")
    assert epsilon(account(one), "1e-6") == alone
    both = epsilon(account(one, of("gaussian", noise_multiplier=20)), "1e-6", width="1/20")
    assert alone.lower <= both.upper
    assert both.lower >= epsilon(account(of("gaussian", noise_multiplier=20)), "1e-6").lower
    # The bound from above is an envelope; what it costs here is a small part.
    assert both.relative_width <= 1 / 20


EVERY = {
    "gaussian": {"noise_multiplier": "3"},
    "laplace": {"scale": "4"},
    "discrete-gaussian": {"sigma": "5"},
    "discrete-laplace": {"scale": "5"},
    "laplace-vector": {"scale": "9", "l1_sensitivity": "5/2", "linf_sensitivity": 1},
    "discrete-laplace-vector": {"scale": "9", "l1_sensitivity": 5, "linf_sensitivity": 2},
    "discrete-gaussian-vector": {"sigma": "6", "l2_squared": 2},
    "randomised-response": {"epsilon": "1/3"},
    "rgm": {"eta": "1/1000", "gamma": "1/10000", "d": 10},
    "dp-sgd": {"noise_multiplier": "2", "sampling_rate": "1/10", "sampler": "fixed-batch"},
    "exponential-mechanism": {"epsilon": "1/4"},
    "noisy-max": {"scale": "9", "noise": "exponential"},
    "sparse-histogram": {"sigma": "6", "threshold": "50", "cells": 2},
    "matrix-mechanism": {"noise_multiplier": "12", "strategy": "tree", "rounds": 30},
    "renyi": {"curve": "2:1/25, 8:4/25, 32:16/25"},
    "truncated-dp-sgd": {"noise_multiplier": "2", "sampling_rate": "1/10", "batch_limit": 40, "dataset_size": 100},
    "pure-dp": {"epsilon": "1/4"},
    "approximate-dp": {"epsilon": "1/4", "delta": "1/1000000"},
    "zcdp": {"rho": "1/50"},
}


def test_every_kind_has_an_example():
    assert set(EVERY) == set(KINDS)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(sorted(set(EVERY) - {"rgm"})), min_size=2, max_size=4, unique=True))
def test_more_releases_never_cost_less_and_their_order_costs_nothing(kinds):
    releases = [of(kind, count=3, **EVERY[kind]) for kind in kinds]
    whole = epsilon(account(*releases), "1e-5", width="1/50")
    turned = epsilon(account(*reversed(releases)), "1e-5", width="1/50")
    assert whole.lower <= turned.upper
    assert turned.lower <= whole.upper
    for k in range(len(releases)):
        part = epsilon(account(*releases[:k], *releases[k + 1 :]), "1e-5", width="1/50")
        assert part.lower <= whole.upper
        if "fixed-batch" not in {EVERY[kind].get("sampler") for kind in kinds}:
            assert part.lower * (1 - 1 / 50) <= whole.lower


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(["laplace", "discrete-laplace", "discrete-gaussian", "randomised-response"]),
    st.integers(1, 10**5),
    st.integers(2, 16),
)
def test_the_interval_is_in_order_and_never_nan(kind, count, digits):
    found = epsilon(account(of(kind, count=count, **EVERY[kind])), Fraction(1, 10**digits), width="1/10", time_limit=2)
    assert 0 <= found.lower <= found.upper
    assert not math.isnan(found.upper)
    # The sum of the largest losses is a bound for all of these but one.
    most = {"laplace": Fraction(1, 4), "discrete-laplace": Fraction(1, 5), "randomised-response": Fraction(1, 3)}
    if kind in most:
        assert Fraction(found.lower) <= count * most[kind]


@settings(max_examples=20, deadline=None)
@given(st.fractions(0, 3, max_denominator=12), st.fractions(1 + Fraction(1, 10**6), 1 + Fraction(1, 10)), st.booleans())
def test_closed_ends_hold_whatever_the_guess_is(level, factor, above):
    """A guess in floats only says where to look."""
    square, target = Fraction(1, 9), Fraction(1, 10**5)
    exact = epsilon_enclosure(target, square, Fraction(0), 1)
    guess = float(exact.upper) * float(factor if above else 1 / factor)
    with patch.object(plain, "_guess", lambda mu, log_delta: guess):
        lower, upper = plain.gaussian_epsilon_ends(target, square)
    assert Fraction(lower) <= exact.upper
    assert exact.lower <= Fraction(upper)


def curve_of(loss, level):
    """The curve of a discrete loss at an epsilon."""
    found = mpmath.mpf(loss.infinite)
    for place, mass in zip(loss.places.tolist(), loss.masses.tolist(), strict=True):
        gap = real(level - loss.offset - place * loss.step)
        found += mass * max(mpmath.mpf(0), -mpmath.expm1(gap))
    return found


noisy = st.one_of(
    st.builds(lambda t, s: ("discrete-laplace", {"scale": t, "sensitivity": s}), scales, st.integers(1, 30)),
    st.builds(lambda t, s: ("discrete-gaussian", {"sigma": t, "sensitivity": s}), scales, st.integers(1, 3)),
    st.builds(lambda p: ("randomised-response", {"truth": p}), st.fractions(Fraction(51, 100), Fraction(99, 100))),
)


@settings(max_examples=60, deadline=None)
@given(noisy, st.fractions(Fraction(1, 50), Fraction(1), max_denominator=97), st.integers(2, 9), levels)
def test_cells_of_several_outcomes_lie_on_both_sides_of_their_law(noise, step, size, level):
    kind, fields = noise
    with mpmath.workdps(DIGITS):
        if kind == "discrete-laplace":
            exact = divergence(discrete_laplace_law(fields["scale"], fields["sensitivity"]), level)
        elif kind == "discrete-gaussian":
            exact = divergence(discrete_gaussian_law(fields["sigma"], fields["sensitivity"]), level)
        else:
            truth, x = real(fields["truth"]), mpmath.exp(real(level))
            exact = max(mpmath.mpf(0), truth - x * (1 - truth)) + max(mpmath.mpf(0), 1 - truth - x * truth)
        unit = NoiseUnit(of(kind, **fields))
        cells = unit.cells(step, [2 * size * k for k in range(-400, 400)], -60.0)
        assert curve_of(cells.below(), level) <= exact * (1 + ROUNDING) + ROUNDING
        assert exact * (1 - ROUNDING) - ROUNDING <= curve_of(cells.above(), level)


# -------------------------------------------------------------------------------------------------------- groups


@pytest.mark.parametrize("kind", ["gaussian", "laplace", "discrete-gaussian", "discrete-laplace"])
def test_a_group_is_as_far_apart_as_its_records_together(kind):
    fields = EVERY[kind]
    name = "noise_multiplier" if kind == "gaussian" else "scale"
    farther = {**fields, "sensitivity": 3} if "discrete" in kind else {name: Fraction(fields[name]) / 3}
    grouped = delta(account(of(kind, **fields), group=3), "1/10")
    assert grouped == delta(account(of(kind, **farther)), "1/10")


@settings(max_examples=6, deadline=None)
@given(st.integers(2, 4), st.sampled_from([Fraction(2), Fraction(5)]))
def test_the_chain_of_neighbours_is_above_the_exact_curve_of_a_group(size, noise):
    """At rate 1 the distance of a group is known, and the chain has to hold for it."""
    sampled = account(
        of("dp-sgd", sampler="poisson", noise_multiplier=noise, sampling_rate=1),
        adjacency="add-or-remove-one",
        group=size,
    )
    exact = account(of("gaussian", noise_multiplier=noise), adjacency="add-or-remove-one", group=size)
    assert epsilon(sampled, "1e-5").upper >= epsilon(exact, "1e-5").lower
    assert delta(sampled, "3/2").upper >= delta(exact, "3/2").lower
    assert epsilon(sampled, "1e-5").lower <= epsilon(exact, "1e-5").upper


# -------------------------------------------------------------------------------------------------------- budgets


@pytest.mark.parametrize(("budget", "within"), [("2", False), ("4", True)])
def test_a_budget_says_what_is_left_on_the_safe_side(budget, within):
    planned = account(of("gaussian", noise_multiplier=5, count=10), delta="1e-6", budget=budget)
    found = spent(planned)
    end = found.total.upper if within else found.total.lower
    assert found.within is within
    assert (found.left > 0) is within
    assert abs(Fraction(found.left) - (Fraction(budget) - Fraction(end))) <= Fraction(1, 2**51)


def test_lines_alone_cost_no_more_than_all_of_them():
    planned = account(of("gaussian", noise_multiplier=5), of("laplace", scale=3, count=4), delta="1e-6")
    found = spent(planned)
    assert [cost.name for cost in found.lines] == ["1: gaussian", "2: laplace"]
    assert all(cost.alone.lower <= found.total.upper for cost in found.lines)


# --------------------------------------------------------------------------------------------------- machinery


def test_a_window_that_would_be_too_long_is_refused_and_not_wrong():
    found = epsilon(account(of("discrete-gaussian", sigma="9999/7", sensitivity=1), of("laplace", scale=2)), "1e-9")
    assert (
        found.lower <= epsilon(account(of("gaussian", noise_multiplier="9990/7"), of("laplace", scale=2)), "1e-9").upper
    )
    assert found.upper < math.inf


def test_bounds_of_both_sides_hold_below_zero_too():
    """An account of one direction is a curve over all real epsilon."""
    unit = NoiseUnit(of("laplace", scale=2, count=2))
    model = Model([unit], (True,), True, True, True, lambda _: None, lambda _: None)
    found = curves_of(model, 0.01, guess=0.25, of_epsilon=False)
    with mpmath.workdps(20):
        for level in (Fraction(-9, 10), Fraction(-1, 3), Fraction(0), Fraction(2, 3)):
            exact = after_laplace(mpmath.mpf(2), real(level), lambda e: laplace_curve(mpmath.mpf(2), e))
            assert found.delta_below(level) <= exact + mpmath.mpf(10) ** -12
            assert exact - mpmath.mpf(10) ** -12 <= found.delta_above(level)


@pytest.mark.parametrize(
    ("kind", "fields", "names"),
    [
        ("gaussian", {"noise_multiplier": "0"}, "noise_multiplier"),
        ("gaussian", {"noise_multiplier": "1", "count": 0}, "count"),
        ("laplace", {}, "scale: missing"),
        ("laplace", {"scale": "-1"}, "scale"),
        ("discrete-gaussian", {"sigma": "1", "sensitivity": "1/2"}, "sensitivity"),
        ("discrete-laplace", {"scale": "1", "sensitivity": 1000}, "scale"),
        ("randomised-response", {"truth": "1/2"}, "truth"),
        ("randomised-response", {"truth": "2/3", "epsilon": 1}, "epsilon"),
        ("randomised-response", {"truth": "2/3", "answers": 1}, "answers"),
        ("rgm", {"eta": "1/10", "gamma": "0", "d": 1}, "gamma"),
        ("dp-sgd", {"noise_multiplier": 1, "sampling_rate": "3/2", "sampler": "poisson"}, "sampling_rate"),
        ("dp-sgd", {"noise_multiplier": 1, "sampling_rate": "1/2", "sampler": "shuffle"}, "sampler"),
        ("gaussian", {"noise_multiplier": 1, "color": 2}, "color"),
        ("gauss", {}, "mechanism"),
    ],
)
def test_what_is_wrong_is_named(kind, fields, names):
    with pytest.raises(InputError, match=names):
        release_of(kind, fields, "releases[0].")


@pytest.mark.parametrize(
    ("kind", "adjacency"),
    [("randomised-response", "add-or-remove-one"), ("dp-sgd", "add-or-remove-one"), ("gaussian", "swap")],
)
def test_neighbours_that_a_release_does_not_support_are_refused(kind, adjacency):
    with pytest.raises(InputError, match="adjacency"):
        account(of(kind, **EVERY[kind]), adjacency=adjacency)
