"""The surroundings of the contour, part by part: probabilities as enclosures, ends of the range, shared lines."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.gaussians.certified import hockey_stick as room
from rgm_verify.gaussians.certified import probability
from rgm_verify.gaussians.certified.hockey_stick import (
    complement_enclosure,
    hockey_stick_by_contour,
    hockey_stick_enclosure,
    hockey_stick_enclosures,
    loss_cdf_enclosure,
    loss_sf_enclosure,
)
from rgm_verify.gaussians.certified.probability import MAXIMUM_BITS, SMALLEST, as_probability, missing_bits, until_tight
from rgm_verify.gaussians.certified.trapezoid import Quantity, lay

F = Fraction
ZERO, ONE = F(0), F(1)
EVERYTHING = Enclosure(ZERO, ONE)
Pair = tuple[Fraction, Fraction, int]


def text(value: mpmath.mpf, digits: int = 70) -> Fraction:
    return F(mpmath.nstr(value, digits))


# ------------------------------------------------------------------------------------- balls as probabilities


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (F(1, 4), F(1, 2), (F(1, 4), F(1, 2))),
        (F(-1, 4), F(1, 2), (ZERO, F(1, 2))),
        (F(1, 2), F(3, 2), (F(1, 2), ONE)),
        (F(-1, 2), F(3, 2), (ZERO, ONE)),
        (F(1, 2), F(5, 2), (ZERO, ONE)),
        (F(-9), F(9), (ZERO, ONE)),
        (ONE, ONE, (ONE, ONE)),
        (ZERO, ZERO, (ZERO, ZERO)),
    ],
)
def test_a_ball_is_cut_to_what_a_probability_may_be(low, high, expected):
    with precision(64):
        wide = ball((low + high) / 2) + arb(0, 1) * ball((high - low) / 2)
        found = as_probability(wide)
    for end, true in zip((found.lower, found.upper), expected, strict=True):
        assert end is not None
        assert abs(end - true) <= F(1, 2**26)
        assert end == true or low < high
    assert 0 <= found.lower <= expected[0]
    assert expected[1] <= found.upper <= 1


def test_a_probability_below_the_smallest_is_not_written_out():
    with precision(64):
        smallest = arb(2) ** -(2**17)
        assert exact(smallest) == SMALLEST
        assert as_probability(smallest / 2) == Enclosure(ZERO, SMALLEST)
        assert as_probability(arb(2) ** -(10**9)) == Enclosure(ZERO, SMALLEST)
        assert as_probability(smallest) == Enclosure(ZERO, SMALLEST)
        assert as_probability(2 * smallest) == Enclosure(2 * SMALLEST, 2 * SMALLEST)
        # The lower end alone is below it.
        found = as_probability((smallest / 4).union(arb(1) / 2))
        assert found.lower == 0
        assert F(1, 2) <= found.upper < F(501, 1000)
        assert as_probability(-smallest) == Enclosure(ZERO, SMALLEST)


def test_what_is_no_number_is_any_probability():
    for value in (arb.nan(), arb.pos_inf(), arb(0, arb.pos_inf()), arb(2), arb(1, 1)):
        assert as_probability(value) == EVERYTHING


@pytest.mark.parametrize("digits", [5, 15, 40])
@pytest.mark.parametrize("known", [-3, 0, 10, 60, 200])
def test_missing_bits_are_those_to_the_width_asked_for(digits, known):
    with precision(300):
        value = arb(3, 0) * (1 + arb(0, 1) * arb(2) ** -known)
        missing = missing_bits(value, digits)
        accuracy = value.rel_accuracy_bits()
        width = value.rad() * 2 / value.mid()
    if missing == 0:
        assert width < arb(10) ** -digits
    else:
        # One bit less of accuracy would not be enough, but for the three spare ones.
        assert width * 2**4 > arb(10) ** -digits
        assert missing == math.ceil(digits * math.log2(10)) + 3 - max(accuracy, 0)


def test_nothing_is_missing_of_an_exact_zero_and_everything_of_no_number():
    assert missing_bits(arb(0), 15) == 0
    assert missing_bits(arb.nan(), 15) == missing_bits(arb(0, arb.pos_inf()), 15) == missing_bits(arb(0, 1), 15) == 53


@pytest.mark.parametrize("digits", [1, 15, 200, 2000])
def test_precision_doubles_until_the_value_is_tight(digits):
    asked = []

    def value() -> arb:
        asked.append(ctx.prec)
        # A third, of which only a half of the bits are known.
        return arb(1) / 3 + arb(0, 1) * arb(2) ** -(ctx.prec // 2)

    found = until_tight(value, digits)
    first = min(math.ceil(digits * math.log2(10)) + 64, MAXIMUM_BITS)
    doubled = [first]
    while doubled[-1] // 2 < digits * math.log2(10) + 1 and doubled[-1] < MAXIMUM_BITS:
        doubled.append(min(2 * doubled[-1], MAXIMUM_BITS))
    assert asked == doubled
    assert found.lower <= F(1, 3) <= found.upper
    assert found.width() * 10**digits <= found.lower or asked[-1] == MAXIMUM_BITS


def test_at_the_greatest_precision_the_last_enclosure_is_returned():
    asked = []
    assert until_tight(lambda: asked.append(ctx.prec) or arb(0, 2), 15) == EVERYTHING
    assert asked == [114, 228, 456, 912, 1824, 3648, 4096]


# --------------------------------------------------------------------------------------- the ends of the range


@pytest.mark.parametrize("pair", [(F(1), F(1, 10), 10), (F(1), F(-1, 2), 4), (F(100), F(-49, 50), 2), (F(0), F(3), 1)])
@pytest.mark.parametrize("digits", [3, 30, 300])
def test_the_end_of_the_range_is_told_to_any_digit(pair, digits):
    shift, excess, dimension = pair
    with mpmath.workdps(digits + 60):
        w = mpmath.mpf(excess.numerator) / excess.denominator
        half = mpmath.mpf(shift.numerator) / shift.denominator / 2
        end = text(-half / w - mpmath.mpf(dimension) / 2 * mpmath.log1p(w), digits + 40)
    for side in (-1, 1):
        x = end + side * F(1, 10**digits)
        assert room.decays(x, *pair) is (side * excess > 0)
        # Beyond it all or nothing of the loss is above x.
        beyond = side * excess < 0
        for quantity in Quantity:
            found = room._beyond_the_range(x, pair, quantity, 12)
            assert (found is not None) is beyond
        if beyond:
            above = ONE if excess > 0 else ZERO
            for law in (Quantity.SURVIVAL_P, Quantity.SURVIVAL_Q):
                assert room._beyond_the_range(x, pair, law, 12) == Enclosure(above, above)
                assert room._beyond_the_range(x, pair, law.opposite, 12) == Enclosure(1 - above, 1 - above)
            value = room._beyond_the_range(x, pair, Quantity.HOCKEY_STICK, 12)
            rest = room._beyond_the_range(x, pair, Quantity.COMPLEMENT, 12)
            if excess < 0:
                assert (value, rest) == (Enclosure(ZERO, ZERO), Enclosure(ONE, ONE))
                continue
            with precision(300):
                factor = ball(x).exp()
                assert ball(rest.lower) <= factor <= ball(rest.upper)
                assert ball(value.lower) <= 1 - factor <= ball(value.upper)
            for each in (value, rest):
                assert 0 < each.width() * 10**12 <= each.lower


@pytest.mark.parametrize("x", [F(-1), F(-1, 10**9), ZERO, F(1, 10**9), F(2)])
def test_the_loss_of_equal_laws_is_zero(x):
    equal, above = (ZERO, ZERO, 3), Fraction(x < 0)
    for law in (Quantity.SURVIVAL_P, Quantity.SURVIVAL_Q):
        assert room._beyond_the_range(x, equal, law, 12) == Enclosure(above, above)
        assert room._beyond_the_range(x, equal, law.opposite, 12) == Enclosure(1 - above, 1 - above)
    with precision(200):
        value = room._beyond_the_range(x, equal, Quantity.HOCKEY_STICK, 12)
        true = max(-ball(x).expm1(), arb(0)) if x < 0 else arb(0)
        assert ball(value.lower) <= true <= ball(value.upper)
    assert room._beyond_the_range(x, (F(1), ZERO, 3), Quantity.HOCKEY_STICK, 12) is None


@pytest.mark.parametrize("x", [F(-30), F(-1), F(-1, 10**6), ZERO, F(1)])
def test_for_every_pair_holds_what_is_trivial(x):
    for quantity in Quantity:
        found = room._trivial(x, quantity)
        if quantity is Quantity.HOCKEY_STICK and x < 0:
            with precision(200):
                assert -(ball(x).expm1()) * (1 - arb(2) ** -50) < ball(found.lower) <= -(ball(x).expm1())
            assert found.upper == 1
        elif quantity is Quantity.COMPLEMENT and x < 0:
            with precision(200):
                assert ball(x).exp() <= ball(found.upper) < ball(x).exp() * (1 + arb(2) ** -50)
            assert found.lower == 0
        else:
            assert found == EVERYTHING


parts = st.tuples(*[st.fractions(min_value=0, max_value=1, max_denominator=9)] * 2).map(sorted)


@given(parts, parts)
def test_what_two_enclosures_have_in_common_is_in_both(one, other):
    if one[0] <= other[1] and other[0] <= one[1]:
        found = room._common(Enclosure(*one), Enclosure(*other))
        assert (found.lower, found.upper) == (max(one[0], other[0]), min(one[1], other[1]))


def test_the_gaussian_case_is_a_difference_of_two_tails():
    with precision(200), mpmath.workdps(60):
        for x, shift in ((F(1), F(4)), (F(-2), F(1, 9)), (ZERO, F(3)), (F(5), F(3))):
            found = room._gaussian(x, shift)
            d, e = mpmath.sqrt(mpmath.mpf(shift.numerator) / shift.denominator), mpmath.mpf(x.numerator) / x.denominator
            true = mpmath.ncdf(d / 2 - e / d) - mpmath.exp(e) * mpmath.ncdf(-d / 2 - e / d)
            assert found.overlaps(ball(text(true, 55)) + arb(0, 1) * arb(10) ** -50)
            assert found.rel_accuracy_bits() > 150


@pytest.mark.parametrize("steps", [F(99), F(101)])
def test_the_error_function_is_asked_only_within_a_hundred_deviations(steps, monkeypatch):
    asked = []
    monkeypatch.setattr(room, "_gaussian", lambda *a: asked.append(a) or arb(1) / 2)
    monkeypatch.setattr(room, "hockey_stick_by_contour", lambda *a, digits: EVERYTHING)
    # (x + D^2 / 2) / sqrt(2 D^2), D^2 = 2.
    found = hockey_stick_enclosure(2 * steps - 1, F(2), ZERO, 4)
    assert bool(asked) is (steps < 100)
    assert found == (Enclosure(F(1, 2), F(1, 2)) if steps < 100 else EVERYTHING)
    assert hockey_stick_enclosure(F(-2 * steps - 1), F(2), ZERO, 4) == found
    assert hockey_stick_enclosure(F(1), F(2), F(1, 10), 4) == EVERYTHING


def test_fifteen_digits_are_asked_for_unless_said_otherwise():
    arguments = (F(1), F(1), F(1, 3), 3)
    for face in (
        hockey_stick_enclosure, hockey_stick_by_contour, complement_enclosure, loss_cdf_enclosure, loss_sf_enclosure,
        room.hockey_stick_by_series,
    ):  # fmt: skip
        assert face(*arguments) == face(*arguments, digits=15)
    arguments = (F(1), F(1), ZERO, 3)
    assert hockey_stick_enclosure(*arguments) == hockey_stick_enclosure(*arguments, digits=15)
    assert hockey_stick_enclosures([F(1), F(2)], F(1), F(1), 3) == hockey_stick_enclosures(
        [F(1), F(2)], F(1), F(1), 3, digits=15
    )
    assert room.chi_square_floor_enclosure(F(1), F(1), 3) == room.chi_square_floor_enclosure(F(1), F(1), 3, 15)
    assert loss_cdf_enclosure(F(1), F(1), F(1, 3), 3) == loss_cdf_enclosure(F(1), F(1), F(1, 3), 3, under="P")


# -------------------------------------------------------------------------------------------------- attempts


def test_what_is_missing_is_planned_for_at_the_next_attempt(monkeypatch):
    """A plan of six tenths of the nats that it is asked for is not tight at once, and tight after a few attempts."""
    asked = []
    original = room.lay
    monkeypatch.setattr(room, "lay", lambda *a: asked.append(a[5]) or original(*a[:5], a[5] * 0.6))
    found = room._enclose(F(1), (F(1), F(1, 10), 10), Quantity.HOCKEY_STICK, 15)
    assert found.width() * 10**15 <= found.lower
    assert 2 <= len(asked) <= 4
    assert asked[0] == 15 * math.log(10) + 5
    assert all(later > earlier + 1 for earlier, later in itertools.pairwise(asked))


def test_work_that_is_stopped_leaves_what_was_found(monkeypatch):
    pair = (F(1), F(1, 10), 10)
    value = hockey_stick_by_contour(F(1), *pair, digits=30)
    original = room.lay
    calls = []
    monkeypatch.setattr(room, "lay", lambda *a: calls.append(1) or original(*a[:5], 8.0))
    monkeypatch.setattr(room, "_ATTEMPTS", 3)
    short = room._enclose(F(1), pair, Quantity.HOCKEY_STICK, 15)
    assert len(calls) == 3
    assert short.overlaps(value)
    assert 0 < short.width() < F(1, 100)
    monkeypatch.setattr(room, "lay", lambda *a: None)
    assert room._enclose(F(1), pair, Quantity.HOCKEY_STICK, 15) == EVERYTHING
    assert room._enclose(F(-1), pair, Quantity.HOCKEY_STICK, 15) == room._trivial(F(-1), Quantity.HOCKEY_STICK)


def test_more_bits_than_allowed_are_not_planned(monkeypatch):
    monkeypatch.setattr(room, "Line", lambda *a: pytest.fail("no line is made"))
    assert room._enclose(F(1), (F(1), F(1, 10), 10), Quantity.HOCKEY_STICK, 1300) == EVERYTHING


# ------------------------------------------------------------------------------------------------ shared lines


@given(st.floats(1, 1000))
def test_at_the_ends_of_its_reach_a_shared_line_has_the_nats_that_are_needed(needed):
    nats = room._with_reach(needed)
    assert nats - 1.5 * math.sqrt(2 * nats) == pytest.approx(needed, rel=1e-12)


@pytest.mark.parametrize("pair", [(F(1), F(1, 100), 10), (F(4), F(0), 3), (F(1), F(-1, 100), 10)])
@pytest.mark.parametrize("digits", [6, 15, 40])
def test_neighbours_are_computed_on_few_lines_and_none_alone(pair, digits, monkeypatch):
    mean = pair[0] / 2 * (1 + pair[1])
    deviation = F(math.sqrt(pair[0] * (1 + pair[1]) ** 3 + F(pair[2], 2) * pair[1] ** 2))
    places = [mean + deviation * k / 10 for k in range(-10, 21)]
    places = [x for x in places if room._beyond_the_range(x, pair, Quantity.HOCKEY_STICK, 5) is None]
    lines, alone = [], []
    shared, single = room._shared, room.hockey_stick_enclosure
    monkeypatch.setattr(room, "_shared", lambda *a: lines.append(a) or shared(*a))
    monkeypatch.setattr(room, "hockey_stick_enclosure", lambda *a, **k: alone.append(a) or single(*a, **k))
    found = hockey_stick_enclosures(places[::-1], *pair, digits=digits)
    for x, value in zip(places[::-1], found, strict=True):
        assert value.overlaps(hockey_stick_by_contour(x, *pair, digits=digits + 5))
        assert value.width() * 10**digits <= value.lower
    assert len(lines) <= 4
    assert len(alone) <= 1


@pytest.mark.parametrize("pair", [(F(1, 100), F(21, 100), 10), (F(1), F(1, 2), 20), (F(2), F(-1, 100), 5)])
def test_a_curve_takes_a_line_where_the_last_one_ends_to_be_tight(pair, monkeypatch):
    """Far beyond the middle of a line values are so much smaller that its error is too large for them."""
    places = [F(k, 50) for k in range(200)]
    places = [x for x in places if room._beyond_the_range(x, pair, Quantity.HOCKEY_STICK, 5) is None]
    lines, alone = [], []
    shared, single = room._shared, room.hockey_stick_enclosure
    monkeypatch.setattr(room, "_shared", lambda *a: lines.append(a) or shared(*a))
    monkeypatch.setattr(room, "hockey_stick_enclosure", lambda *a, **k: alone.append(a) or single(*a, **k))
    found = hockey_stick_enclosures(places, *pair)
    assert len(places) > 80
    assert len(lines) <= len(places) / 10
    assert len(alone) <= 2
    for x, value in list(zip(places, found, strict=True))[::9]:
        assert value.overlaps(hockey_stick_by_contour(x, *pair, digits=20))
        assert value.width() * 10**15 <= value.lower


def test_where_no_line_is_tight_values_are_computed_alone(monkeypatch):
    """Lines that never give a value are not laid again for each of them."""
    lines = []
    shared = room._shared
    monkeypatch.setattr(room, "_shared", lambda *a: lines.append(a) or shared(*a))
    monkeypatch.setattr(room.Shared, "at", lambda *_: None)
    pair, places = (F(1), F(1, 10), 10), [1 + F(k, 100) for k in range(20)]
    found = hockey_stick_enclosures(places, *pair)
    assert len(lines) == 1
    assert found == [hockey_stick_enclosure(x, *pair) for x in places]


def test_a_shared_line_reaches_three_halves_of_a_deviation_to_both_sides():
    pair, first = (F(4), F(0), 3), F(1)
    found = room._shared(first, pair, 15)
    nats = room._with_reach(15 * math.log(10) + 6)
    near = lay(*pair, first, Quantity.HOCKEY_STICK, nats)
    assert found.last - first == 2 * F(1.5 * near.deviation)
    assert found.line.origin - first == found.last - found.line.origin
    assert found.bits == room._bits(found.line.plan, 10)
    assert found.line.plan.nats == nats
    for share in (0, F(1, 3), F(2, 3), 1):
        x = first + share * (found.last - first)
        held = found.at(x, 15)
        assert held is not None
        assert held.overlaps(hockey_stick_by_contour(x, *pair, digits=20))
        assert held.width() * 10**15 <= held.lower
    assert found.at(first, 40) is None
    assert found.at(first + 20, 15) is None


def test_no_line_is_shared_beyond_the_range_of_the_loss_or_over_its_end():
    pair = (F(1), F(-1, 2), 4)  # L <= 2.386
    assert room._shared(F(24, 10), pair, 15) is None
    assert room._shared(F(238, 100), pair, 1300) is None
    assert room._shared(F(1), (F(10) ** 400, F(1), 4), 15) is None
    assert room._shared(F(0), pair, 15) is not None
    for x in (F(2), F(23, 10), F(238, 100)):
        held = room._shared(x, pair, 15)
        assert held is None or room.decays(held.line.origin, *pair)


def test_values_are_returned_in_the_order_of_the_questions_and_beyond_the_range_too():
    pair, places = (F(1), F(-1, 2), 4), [F(3), F(1), F(-2), F(23, 10), F(1), F(0)]
    found = hockey_stick_enclosures(places, *pair)
    assert found[0] == Enclosure(ZERO, ZERO)
    for x, value in zip(places, found, strict=True):
        assert value.overlaps(hockey_stick_enclosure(x, *pair))
    assert hockey_stick_enclosures([], *pair) == []


def test_the_smallest_number_has_the_bits_that_it_says():
    assert F(1, 2**probability._SMALLEST_BITS) == SMALLEST
    assert 1 - F(1, 2**8192) == room._NEARLY_ONE
