"""Laplace noise, discrete noise and randomised response of a replay, against sums over their outputs in intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import iv

from rgm_verify.recheck import discrete_gaussian, dots
from rgm_verify.recheck.discrete_gaussian import gaussian_tails
from rgm_verify.recheck.dots import affordable, dots_above
from rgm_verify.recheck.events import events_below
from rgm_verify.recheck.groups import chained, enlarged
from rgm_verify.recheck.losses import delta, power
from rgm_verify.recheck.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Grouped,
    Laplace,
    Noise,
    Noised,
    Planned,
    Randomised,
    Relative,
    Vector,
    mechanism_of,
)
from rgm_verify.recheck.noises import divergence, events, largest
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.sampled import Grid

BITS, DIGITS = 130, 30
Outcome = tuple[Any, Any]
"""The masses of an output, as intervals."""


@pytest.fixture(autouse=True)
def precise() -> Any:
    before, iv.prec = iv.prec, 200
    yield
    iv.prec = before


def interval(value: Fraction | int) -> Any:
    value = Fraction(value)
    return iv.mpf(value.numerator) / value.denominator


def number(end: Any) -> Fraction:
    """The exact value of an end of an interval."""
    sign, mantissa, exponent, _ = end._mpf_ if hasattr(end, "_mpf_") else end._mpi_[0]
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def outcomes(release: Noise) -> list[Outcome]:
    """All outputs of discrete noise within 30 deviations, and of randomised response."""
    if isinstance(release, Randomised):
        k = release.answers
        if release.truth is None:
            e = iv.exp(interval(release.loss or 0))
            truth = e / (e + k - 1)
        else:
            truth = interval(release.truth)
        other = (1 - truth) / (k - 1)
        return [(truth, other), (other, truth), *[(other, other)] * (k - 2)]
    if isinstance(release, DiscreteLaplace):
        a, s = iv.exp(interval(-1 / release.scale)), release.distance
        far = int(100 * release.scale) + 1
        # Beyond `far` all losses are the same, so that the tails are two outputs.
        inner = range(1 - far, far + s)
        masses = [((1 - a) / (1 + a) * a ** abs(y), (1 - a) / (1 + a) * a ** abs(y - s)) for y in inner]
        left, right = (a**far / (1 + a), a ** (far + s) / (1 + a)), (a ** (far + s) / (1 + a), a**far / (1 + a))
        return [left, *masses, right]
    assert isinstance(release, DiscreteGaussian)
    reach = int(30 * release.sigma) + 2
    part = {y: iv.exp(interval(-Fraction(y * y) / (2 * release.sigma**2))) for y in range(-reach, reach + 1)}
    norm = sum(part.values(), iv.mpf(0))
    # What is left out is below e^-400, far below what the comparisons see.
    return [
        (part[y] / norm, part[y - release.distance] / norm)
        for y in range(release.distance - reach, reach + 1)
    ]  # fmt: skip


def curve(release: Noise, level: Fraction) -> tuple[Fraction, Fraction]:
    """Both ends of the divergence of one release."""
    x = iv.exp(interval(level))
    if isinstance(release, Laplace):
        # Dwork and Roth: 1 - e^((level - 1/b)/2) up to the largest loss; and turned around below 0.
        if level < 0:
            low, high = curve(release, -level)
            return number((1 - x + x * interval(low)).a), number((1 - x + x * interval(high)).b)
        found = 1 - iv.exp(interval((level - 1 / release.scale) / 2)) if level < 1 / release.scale else iv.mpf(0)
    else:
        found = total(outcomes(release), x)
    return number(found.a), number(found.b)


def total(found: list[Outcome], x: Any) -> Any:
    """The sum of `max(p - x q, 0)`."""
    gaps = [p - x * q for p, q in found]
    return iv.mpf([
        sum((gap.a for gap in gaps if gap.a > 0), iv.mpf(0)).a, sum((gap.b for gap in gaps if gap.b > 0), iv.mpf(0)).b
    ])  # fmt: skip


SMALL = st.fractions(Fraction(1, 4), 4, max_denominator=12)
DISCRETE = st.one_of(
    st.builds(DiscreteLaplace, SMALL, st.integers(1, 4), st.just(1)),
    st.builds(DiscreteGaussian, SMALL, st.integers(1, 4), st.just(1)),
)
ANSWERS = st.one_of(
    st.builds(
        lambda answers, share: Randomised(Fraction(1, answers) + share * (1 - Fraction(1, answers)), None, answers, 1),
        st.integers(2, 6), st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
    ),
    st.builds(
        lambda loss, answers: Randomised(None, loss, answers, 1),
        st.fractions(Fraction(1, 20), 4, max_denominator=20), st.integers(2, 6),
    ),
)  # fmt: skip
NOISES: st.SearchStrategy[Noise] = st.one_of(DISCRETE, ANSWERS, st.builds(Laplace, SMALL, st.just(1)))
LEVELS = st.fractions(-3, 5, max_denominator=24)


@given(NOISES, LEVELS)
@settings(max_examples=60, deadline=None)
def test_a_divergence_holds_the_sum_over_all_outputs_and_is_narrow(release: Noise, level: Fraction) -> None:
    low, high = divergence(release, level, BITS)
    least, most = curve(release, level)
    assert Fraction(low, 2**BITS) <= most
    assert least <= Fraction(high, 2**BITS)
    # Each tail is within four units, and the second one counts e^level times; so does its own exponential.
    assert 0 <= high - low <= 8 + 8 * 3 ** max(0, int(level) + 1)


@given(DISCRETE, LEVELS)
@settings(max_examples=40, deadline=None)
def test_events_of_discrete_noise_are_the_outputs_whose_loss_exceeds_the_level(release: Any, level: Fraction) -> None:
    def loss(y: int) -> Fraction:
        s = release.distance
        if isinstance(release, DiscreteLaplace):
            return (abs(y - s) - abs(y)) / release.scale
        return Fraction(s * s - 2 * y * s) / (2 * release.sigma**2)

    reach = int(30 * release.sigma) + 2 if isinstance(release, DiscreteGaussian) else int(100 * release.scale) + 1
    first = release.distance - reach if isinstance(release, DiscreteGaussian) else -reach
    chosen = [masses for y, masses in enumerate(outcomes(release), first) if loss(y) > level]
    for k, (low, high) in enumerate(events(release, level, BITS)):
        mass = sum((masses[k] for masses in chosen), iv.mpf(0))
        assert Fraction(low, 2**BITS) <= number(mass.b)
        assert number(mass.a) <= Fraction(high, 2**BITS)
        assert high - low <= 4


@given(ANSWERS, LEVELS)
@settings(max_examples=40, deadline=None)
def test_events_of_randomised_response_reach_its_divergence(release: Randomised, level: Fraction) -> None:
    p, q = events(release, level, BITS)
    least, most = curve(release, level)
    x = iv.exp(interval(level))
    found = interval(Fraction(p[0], 2**BITS)) - x * interval(Fraction(q[1], 2**BITS))
    assert number(found.a) <= most
    # It is the best event: off by the roundings of four units under each law.
    assert number(found.b) >= least - Fraction(4 + 4 * 3 ** max(0, int(level) + 1), 2**BITS)


@given(NOISES)
@settings(max_examples=40, deadline=None)
def test_no_loss_is_above_the_largest_one_and_some_are_next_to_it(release: Noise) -> None:
    most = largest(release)
    if isinstance(release, DiscreteGaussian):
        assert most is None
        return
    assert most is not None
    found = events(release, most, BITS)
    assert found == ((0, 0), (0, 0))
    assert divergence(release, most, BITS)[0] == 0
    assert divergence(release, most * Fraction(99, 100), BITS)[0] > 0


# ------------------------------------------------------------------------------------------------ losses on both sides


def grid(step: Fraction, reach: int = 16) -> Grid:
    last = int(reach / step) + 2
    return Grid(step, ((-last, last + 1, 1),), DIGITS, 0)


def sides(release: Noise, step: Fraction, times: int, level: Fraction) -> tuple[Fraction, Fraction]:
    """The bounds of so many releases at a level, from below and from above."""
    above = power(dots_above(partial(divergence, release), grid(step)), times, 0)
    below, offset = events_below(partial(events, release), grid(step), largest(release))
    below = power(below, times, 0)
    found = delta(below, level - times * offset, step), delta(above, level, step)
    return Fraction(found[0], 10**DIGITS), Fraction(found[1], 10**DIGITS)


@given(
    st.one_of(
        st.builds(DiscreteLaplace, st.fractions(Fraction(1, 2), 2, max_denominator=3), st.integers(1, 2), st.just(1)),
        st.builds(DiscreteGaussian, st.fractions(Fraction(1, 2), 1, max_denominator=3), st.just(1), st.just(1)),
        ANSWERS,
    ),
    st.fractions(Fraction(1, 9), Fraction(1, 3), max_denominator=40),
    st.integers(1, 2),
    st.fractions(0, 3, max_denominator=10),
)
@settings(max_examples=25, deadline=None)
def test_composed_losses_hold_the_sum_over_all_pairs_of_outputs(
    release: Noise, step: Fraction, times: int, level: Fraction
) -> None:
    """Of one pair, which is one adversary of many: none is better against noise of which all pairs have one curve."""
    # Those that can be seen: an output of less than 1e-40 adds less than the sides are apart.
    seen = [(p, q) for p, q in outcomes(release) if number(p.b) > Fraction(1, 10**40)]
    left_out = (len(outcomes(release)) - len(seen)) * times * Fraction(1, 10**40)
    assume(len(seen) ** times < 20_000)
    found = [(iv.mpf(1), iv.mpf(1))]
    for _ in range(times):
        found = [(p * a, q * b) for (p, q), (a, b) in product(found, seen)]
    truth = total(found, iv.exp(interval(level)))
    low, high = sides(release, step, times, level)
    assert low <= number(truth.b) + left_out
    assert number(truth.a) <= high


@given(NOISES, st.integers(1, 3), st.fractions(0, 2, max_denominator=10))
@settings(max_examples=12, deadline=None)
def test_bounds_lie_no_farther_apart_than_two_steps_for_each_release(
    release: Noise, times: int, level: Fraction
) -> None:
    # What lies beyond the grid counts as infinite from above, and not at all from below.
    beyond = Fraction(divergence(release, Fraction(15), BITS)[1], 2**BITS)
    assume(beyond < Fraction(1, 10**6))
    low, high = sides(release, Fraction(1, 30), times, level)
    assert 0 <= low <= high
    # A loss that is moved by at most a step each time changes the curve by no more.
    assert high - low <= times * (2 * Fraction(1, 30) + 2 * beyond)


@pytest.mark.parametrize(
    ("release", "step"),
    [
        (DiscreteLaplace(Fraction(3), 2, 1), Fraction(1, 3)),
        (DiscreteGaussian(Fraction(3), 2, 1), Fraction(1, 9)),
        (Randomised(None, Fraction(1, 2), 2, 1), Fraction(1, 2)),
        (Randomised(None, Fraction(1, 2), 5, 1), Fraction(1, 4)),
    ],
)
@pytest.mark.parametrize("times", [1, 7])
def test_losses_on_the_grid_cost_nothing(release: Noise, step: Fraction, times: int) -> None:
    low, high = sides(release, step, times, Fraction(2, 5))
    # The masses are rounded once for each release and place, at 2^-64 of a step the places are moved from below.
    places = 2 * grid(step).places[-1] + 1
    assert 0 <= high - low <= times * (Fraction(2 * places * times, 10**DIGITS) + Fraction(step, 2**63))


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=6), LEVELS)
@settings(max_examples=60, deadline=None)
def test_any_tests_give_a_loss_from_below(shares: list[tuple[int, int]], level: Fraction) -> None:
    """Events that somebody made up, in no order, as long as they are events of the pair."""
    release = Randomised(Fraction(3, 4), None, 2, 1)

    def invented(at: Fraction, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        # With these probabilities the true answer of the first and of the second data set count for the test.
        a, b = (Fraction(share, 100) for share in shares[math.floor(60 * at) % len(shares)])
        p, q = Fraction(3, 4) * a + b / 4, a / 4 + Fraction(3, 4) * b
        return (int(p * 2**bits), int(p * 2**bits) + 1), (int(q * 2**bits), int(q * 2**bits) + 1)

    step = Fraction(1, 5)
    loss, offset = events_below(invented, grid(step, 3), Fraction(1))
    assert Fraction(delta(loss, level - offset, step), 10**DIGITS) <= curve(release, level)[1]


@pytest.mark.parametrize("level", [Fraction(k, 20) for k in range(0, 20, 3)])
@pytest.mark.parametrize("share", [2, 10, 20, 40])
def test_of_wide_enclosures_the_safe_ends_are_taken(level: Fraction, share: int) -> None:
    """The masses may be as small under the first law, and as large under the second, as the enclosures allow."""
    release, step = Laplace(Fraction(1), 1), Fraction(1, 5)

    def wide(at: Fraction, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        p, q = events(release, at, bits)
        return (p[0], min(1 << bits, p[1] + p[1] // share)), (q[0] - q[0] // share, q[1])

    loss, offset = events_below(wide, grid(step), largest(release))
    assert Fraction(delta(loss, level - offset, step), 10**DIGITS) <= curve(release, level)[1]


@pytest.mark.parametrize("sigma", [Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(17, 3), Fraction(20)])
def test_the_sums_of_discrete_gaussian_noise_enclose_their_values(sigma: Fraction) -> None:
    found = gaussian_tails(sigma, 8)
    # More than forty deviations are left out: e^-800, far below a unit of the sums.
    terms = [iv.exp(-interval(y * y) / (2 * interval(sigma) ** 2)) for y in range(40 + math.ceil(40 * sigma))]
    for n, (low, high) in enumerate(zip(found.low, found.high, strict=True)):
        rest = sum(terms[n:], interval(0)) * 2**found.work
        assert low <= number(rest.b)
        assert high >= number(rest.a)


def test_too_much_mass_from_below_is_noticed() -> None:
    """The comparisons above could fail: events that are a tenth too likely under both laws."""
    release = Laplace(Fraction(1), 1)

    def more(level: Fraction, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        p, q = events(release, level, bits)
        return (p[0] * 11 // 10, p[1] * 11 // 10), (q[0] * 11 // 10, q[1] * 11 // 10)

    step = Fraction(1, 20)
    loss, offset = events_below(more, grid(step), largest(release))
    assert Fraction(delta(loss, Fraction(1, 2) - offset, step), 10**DIGITS) > curve(release, Fraction(1, 2))[1]


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.parametrize(
    "release",
    [
        Laplace(Fraction(10**9), 1),
        Laplace(Fraction(1, 1000), 1),
        DiscreteLaplace(Fraction(1, 100), 1, 1),
        DiscreteLaplace(Fraction(10**6), 10**5, 1),
        DiscreteGaussian(Fraction(1, 1000), 1, 1),
        DiscreteGaussian(Fraction(1, 20), 3, 1),
        DiscreteGaussian(Fraction(10**4), 1, 1),
        Randomised(None, Fraction(1, 10**9), 2, 1),
        Randomised(None, Fraction(1000), 10**9, 1),
        Randomised(1 - Fraction(1, 10**40), None, 2, 1),
    ],
)
def test_extreme_parameters_have_a_divergence(release: Noise) -> None:
    whole = 1 << BITS
    low, high = divergence(release, Fraction(0), BITS)
    assert 0 <= low <= high <= whole
    # At level 0 it is between no and all of the mass, and not more than the largest loss.
    most = largest(release)
    if most is not None:
        assert low <= most * whole
    if not isinstance(release, DiscreteGaussian):
        assert divergence(release, Fraction(900), BITS + 1400)[0] <= high << 1400


def test_a_sum_that_is_too_long_is_refused_before_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match="more than 1000000 terms"):
        divergence(DiscreteGaussian(Fraction(10**6), 1, 1), Fraction(0), BITS)
    # The estimate is no less than the number of terms that there are.
    sigma, used = Fraction(37, 2), gaussian_tails(Fraction(37, 2), 99)
    monkeypatch.setattr(discrete_gaussian, "MOST_TERMS", len(used.low) - 2)
    with pytest.raises(Refused, match="terms"):
        gaussian_tails.__wrapped__(sigma, 99)
    monkeypatch.setattr(discrete_gaussian, "MOST_TERMS", len(used.low) * 11 // 10)
    assert gaussian_tails.__wrapped__(sigma, 99) == used


def test_a_curve_at_too_many_places_or_to_too_many_bits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    few = grid(Fraction(1, 2))
    assert affordable(few, dots.MOST_BITS) == dots.MOST_BITS
    with pytest.raises(Refused, match="at most 50000 bits"):
        affordable(few, dots.MOST_BITS + 1)
    monkeypatch.setattr(dots, "MOST_WORK", 1000 * len(few.places))
    assert affordable(few, 1000) == 1000
    with pytest.raises(Refused, match=f"{len(few.places)} places to 1001 bits"):
        affordable(few, 1001)


# -------------------------------------------------------------------------------------------------------------- groups


def test_a_group_moves_an_answer_as_often_and_gives_as_many_answers() -> None:
    three: Callable[[Noise | Noised], object] = lambda release: enlarged(Grouped(3, release))  # noqa: E731
    assert three(Noised(Fraction(6), 4)) == Noised(Fraction(2), 4)
    assert three(Laplace(Fraction(6), 4)) == Laplace(Fraction(2), 4)
    assert three(DiscreteLaplace(Fraction(6), 2, 4)) == DiscreteLaplace(Fraction(6), 6, 4)
    assert three(DiscreteGaussian(Fraction(6), 2, 4)) == DiscreteGaussian(Fraction(6), 6, 4)
    assert three(Randomised(Fraction(2, 3), None, 2, 4)) == Randomised(Fraction(2, 3), None, 2, 12)


def test_a_vector_is_the_numbers_that_its_worst_neighbours_change() -> None:
    two = Fraction(2)
    assert enlarged(Vector(two, Fraction(5, 2), Fraction(1), False, 3)) == Planned(
        (Laplace(two, 6), Laplace(2 * two, 3))
    )
    assert enlarged(Vector(two, Fraction(3), Fraction(3), False, 3)) == Laplace(two / 3, 3)
    assert enlarged(Vector(two, Fraction(6), Fraction(3), True, 3)) == DiscreteLaplace(two, 3, 6)
    grouped = Grouped(2, Vector(two, Fraction(3), Fraction(2), True, 1))
    assert enlarged(grouped) == Planned((DiscreteLaplace(two, 4, 1), DiscreteLaplace(two, 2, 1)))
    beside = Planned((Noised(two, 1), Vector(two, Fraction(3), Fraction(2), True, 1)))
    assert enlarged(beside) == Planned((Noised(two, 1), DiscreteLaplace(two, 2, 1), DiscreteLaplace(two, 1, 1)))


def test_a_group_of_which_one_release_knows_nothing_is_followed_from_record_to_record() -> None:
    unknown = Relative(Fraction(1), Fraction(1), 2, Fraction(0), Fraction(0))
    known = Laplace(Fraction(4), 1)
    assert enlarged(Grouped(2, unknown)) is None
    assert enlarged(Grouped(2, Planned((known, unknown)))) is None
    assert enlarged(Grouped(2, Planned((known, known)))) == Planned((Laplace(Fraction(2), 1),) * 2)
    assert enlarged(Planned((known, unknown))) == Planned((known, unknown))


@given(st.fractions(0, 3, max_denominator=50), st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_the_factor_of_a_chain_is_its_sum_from_above(level: Fraction, records: int) -> None:
    truth = sum((iv.exp(interval(k * level)) for k in range(records)), iv.mpf(0))
    found = chained(level, records)
    assert number(truth.a) <= found
    # Each product rounds up by less than 2^-198 of itself.
    assert found <= number(truth.b) * (1 + Fraction(records + 1, 2**197))


# -------------------------------------------------------------------------------------------------------------- fields

GOOD: dict[str, dict[str, Any]] = {
    "laplace": {"name": "laplace", "scale": "1/2", "steps": 3},
    "discrete-laplace": {"name": "discrete-laplace", "scale": "3", "sensitivity": 2, "steps": 3},
    "discrete-gaussian": {"name": "discrete-gaussian", "sigma": "3", "sensitivity": 2, "steps": 3},
    "vector": {"name": "laplace-vector", "scale": "2", "l1_sensitivity": "5/2", "linf_sensitivity": "1", "steps": 3},
    "alone": {"name": "laplace-vector", "scale": "2", "l1_sensitivity": "5/2", "steps": 3},
    "whole": {"name": "discrete-laplace-vector", "scale": "2", "l1_sensitivity": 5, "linf_sensitivity": 2, "steps": 3},
    "truth": {"name": "randomised-response", "truth": "3/4", "answers": 4, "steps": 3},
    "loss": {"name": "randomised-response", "epsilon": "1", "answers": 4, "steps": 3},
    "group": {"name": "group", "records": 3, "of": {"name": "laplace", "scale": "1/2", "steps": 3}},
}


def test_each_field_is_read_to_its_place() -> None:
    three = Fraction(3)
    assert {name: mechanism_of(data) for name, data in GOOD.items()} == {
        "laplace": Laplace(Fraction(1, 2), 3),
        "discrete-laplace": DiscreteLaplace(three, 2, 3),
        "discrete-gaussian": DiscreteGaussian(three, 2, 3),
        "vector": Vector(Fraction(2), Fraction(5, 2), Fraction(1), False, 3),
        "alone": Vector(Fraction(2), Fraction(5, 2), Fraction(5, 2), False, 3),
        "whole": Vector(Fraction(2), Fraction(5), Fraction(2), True, 3),
        "truth": Randomised(Fraction(3, 4), None, 4, 3),
        "loss": Randomised(None, Fraction(1), 4, 3),
        "group": Grouped(3, Laplace(Fraction(1, 2), 3)),
    }


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("laplace", {"scale": "1/1000"}),
        ("laplace", {"steps": 10**9}),
        ("discrete-laplace", {"scale": "1/10", "sensitivity": 100}),
        ("discrete-laplace", {"scale": "1e9", "sensitivity": 10**9}),
        ("discrete-gaussian", {"sigma": "1/1000"}),
        ("discrete-gaussian", {"sigma": "1e9"}),
        ("vector", {"linf_sensitivity": "5/2"}),
        ("vector", {"linf_sensitivity": "25e-7", "steps": 1000}),
        ("vector", {"scale": "1/400"}),
        ("whole", {"linf_sensitivity": 5}),
        ("truth", {"answers": 2, "truth": "51/100"}),
        ("loss", {"answers": 10**9, "epsilon": "1000"}),
        ("group", {"records": 2}),
        ("group", {"records": 10**4}),
    ],
)
def test_the_ends_of_what_is_allowed_are_read(kind: str, fields: dict[str, Any]) -> None:
    assert mechanism_of({**GOOD[kind], **fields})


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("laplace", {"scale": "0"}, "scale must be > 0"),
        ("laplace", {"scale": "-1"}, "scale must be > 0"),
        ("laplace", {"scale": "1/1001"}, "at least 1/1000"),
        ("laplace", {"scale": 1}, "scale"),
        ("laplace", {"steps": 0}, "steps"),
        ("laplace", {"steps": 10**9 + 1}, "steps"),
        ("laplace", {"sensitivity": 1}, "not known"),
        ("discrete-laplace", {"scale": "1/1000"}, "at least 1/1000"),
        ("discrete-laplace", {"sensitivity": 0}, "sensitivity"),
        ("discrete-laplace", {"sensitivity": "1"}, "sensitivity"),
        ("discrete-laplace", {"scale": "1e9", "sensitivity": 10**9 + 1}, "sensitivity"),
        ("discrete-laplace", {"steps": 0}, "steps"),
        ("discrete-gaussian", {"sigma": "1/1001"}, "sigma must lie"),
        ("discrete-gaussian", {"sigma": "1000000001"}, "sigma must lie"),
        ("discrete-gaussian", {"sensitivity": 0}, "sensitivity"),
        ("discrete-gaussian", {"steps": 0}, "steps"),
        ("discrete-gaussian", {"scale": "1"}, "not known"),
        ("vector", {"linf_sensitivity": "26/10"}, "that of a coordinate at most"),
        ("vector", {"linf_sensitivity": "24e-7"}, "at least 1/1000000 of all"),
        ("vector", {"linf_sensitivity": "0"}, "sensitivities must be > 0"),
        ("vector", {"l1_sensitivity": "-1"}, "sensitivities must be > 0"),
        ("vector", {"l1_sensitivity": 1}, "l1_sensitivity"),
        ("vector", {"scale": "1/401"}, "at least 1/1000"),
        ("vector", {"linf_sensitivity": "25e-7", "steps": 1001}, "coordinates in all"),
        ("vector", {"sensitivity": "1"}, "not known"),
        ("whole", {"l1_sensitivity": "5"}, "l1_sensitivity"),
        ("whole", {"linf_sensitivity": 6}, "that of a coordinate at most"),
        ("truth", {"truth": "1"}, "below 1"),
        ("truth", {"truth": "1/4"}, "above 1/4"),
        ("truth", {"answers": 1}, "answers"),
        ("truth", {"answers": 10**9 + 1}, "answers"),
        ("truth", {"steps": 0}, "steps"),
        ("truth", {"epsilon": "1"}, "not known"),
        ("loss", {"epsilon": "0"}, "must be > 0"),
        ("loss", {"epsilon": "1001"}, "at most 1000"),
        ("loss", {"steps": 0}, "steps"),
        ("group", {"records": 1}, "records"),
        ("group", {"records": 10001}, "records"),
        ("group", {"of": GOOD["group"]}, "mechanism: one with the name"),
        ("group", {"of": None}, "mechanism: one with the name"),
        ("group", {"steps": 1}, "not known"),
        ("laplace", {"name": "plan"}, "no field 'releases'"),
        ("laplace", {"name": ["laplace"]}, "mechanism: one with the name"),
    ],
)
def test_a_damaged_release_is_refused_with_the_field(kind: str, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        mechanism_of({**GOOD[kind], **fields})


def test_answers_are_of_records_that_are_replaced() -> None:
    sampled = {
        "name": "dp-sgd", "noise_multiplier": "1", "sampling_rate": "1/2", "steps": 1, "sampler": "poisson",
        "adjacency": "add-one",
    }  # fmt: skip
    with pytest.raises(Refused, match="same neighbours"):
        mechanism_of({"name": "plan", "releases": [GOOD["truth"], sampled]})
    fixed = {**sampled, "sampler": "fixed-batch", "adjacency": "replace-one"}
    assert mechanism_of({"name": "plan", "releases": [GOOD["truth"], fixed, GOOD["laplace"]]})
