"""Finding epsilon step by step: the guess, Newton's step and both ends, each by what it promises."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.enclose import Enclosure
from rgm_verify.gaussians.certified import epsilon as room
from rgm_verify.gaussians.certified.epsilon import (
    _at_order,
    _guess,
    _lower_end,
    _newton,
    _rounded,
    _sign,
    _step,
    _upper_end,
    epsilon_enclosure,
)
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure, loss_sf_enclosure

F = Fraction
Pair = tuple[Fraction, Fraction, int]
PAIRS: list[Pair] = [
    (F(1), F(1, 10), 10), (F(1), F(-1, 10), 10), (F(4), F(0), 3), (F(1, 4), F(1, 2), 5), (F(9, 4), F(50), 1),
    (F(1), F(-1, 2), 4), (F(4), F(-9, 10), 2), (F(1, 1000), F(1, 100), 10**6),
]  # fmt: skip
DELTAS = [F(1, 10), F(1, 10**3), F(1, 10**9), F(1, 10**60)]
every_pair = pytest.mark.parametrize("pair", PAIRS, ids=str)


def real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def cumulant(pair: Pair):
    shift, w, d = real(pair[0]), real(pair[1]), pair[2]
    return lambda s: (
        shift * s * (s + 1) / (2 * (1 - s * w)) - mpmath.mpf(d) / 2 * (mpmath.log(1 - s * w) + s * mpmath.log1p(w))
    )


@every_pair
@pytest.mark.parametrize("u", [1e-3, 0.7, 3.0, 60.0])
def test_at_an_order_stand_the_derivative_of_the_cumulant_and_laplaces_value(pair, u):
    """`log H` about `K(s) - s K'(s) - log(s (s + 1)) - log(2 pi K''(s)) / 2`, s as the text has it."""
    with mpmath.workdps(40):
        w = real(pair[1])
        s = mpmath.mpf(u) / (1 + w * u) if w > 0 else mpmath.mpf(u)
        k = cumulant(pair)
        slope, variance = mpmath.diff(k, s), mpmath.diff(k, s, 2)
        value = k(s) - s * slope - mpmath.log(s * (s + 1)) - mpmath.log(2 * mpmath.pi * variance) / 2
        found = _at_order(u, float(pair[0]), float(w), float(1 + w), pair[2])
        # Cancellation costs what w^2 d takes off d w: 1e-10 of the terms.
        scale = 1 + abs(slope) + pair[2] * abs(float(pair[1]))
        assert abs(found[0] - slope) <= 1e-10 * scale
        assert abs(found[1] - value) <= 1e-10 * (scale * (1 + s) + abs(value))


@pytest.mark.parametrize("w", [1e-16, -1e-16])
def test_at_an_order_a_tiny_excess_keeps_its_digits_in_many_dimensions(w):
    slope, _ = _at_order(1.0, 1.0, w, 1 + w, 10**17)
    s = 1 / (1 + w) if w > 0 else 1.0
    # What the dimensions add is of the order of d w^2.
    assert slope == pytest.approx((2 * s + 1) / 2, rel=1e-9)


@pytest.mark.parametrize("w", [-1 + 2.0**-30, -1 + 2.0**-45])
def test_at_an_order_an_excess_near_minus_one_keeps_its_digits(w):
    slope, _ = _at_order(0.5, 0.0, w, 1 + w, 2)
    with mpmath.workdps(40):
        exact = mpmath.mpf(w) / (1 - mpmath.mpf(w) / 2) - mpmath.log(1 + mpmath.mpf(w))
    assert slope == pytest.approx(float(exact), rel=1e-12)


def test_at_an_order_an_excess_that_rounds_to_minus_one_has_the_logarithm_of_its_variance():
    slope, _ = _at_order(0.5, 0.0, -1.0, 1e-20, 2)
    assert slope == pytest.approx(20 * math.log(10) - 1 / 1.5, rel=1e-12)


@every_pair
@pytest.mark.parametrize("delta", DELTAS)
def test_the_guess_has_about_the_delta_asked_for(pair, delta):
    """Within a factor of e; or, at the end of the range of the loss, where delta falls steeply, to ten digits."""
    found, guess = epsilon_enclosure(delta, *pair), _guess(delta, pair)
    if abs(guess - found.lower) * 10**10 <= found.lower:
        return
    near = hockey_stick_enclosure(guess, *pair, digits=6)
    assert delta / F("2.71") < near.lower < near.upper < delta * F("2.71")


def test_the_guess_of_a_tiny_delta_needs_no_float_of_it():
    found = epsilon_enclosure(F(1, 10**3000), F(1), F(1, 10), 10)
    assert abs(_guess(F(1, 10**3000), (F(1), F(1, 10), 10)) - found.lower) < found.lower / 1000


def test_the_guess_is_0_beyond_the_range_of_floats():
    assert _guess(F(1, 2), (F(10) ** 400, F(1), 1)) == 0
    assert _guess(F(1, 2), (F(0), F(0), 1)) == 0


# ------------------------------------------------------------------------------------------------- Newton's method


@every_pair
@pytest.mark.parametrize("digits", [6, 16, 30])
@pytest.mark.parametrize("ahead", [F(0), F(1, 3)])
def test_a_step_is_newtons_for_the_logarithm_to_the_digits_asked_for(pair, digits, ahead):
    delta = F(1, 10**4)
    x = _rounded(_guess(delta, pair) * (1 - ahead / 10), 12)
    step = _step(x, delta, pair, digits)
    value = hockey_stick_enclosure(x, *pair, digits=50).lower
    tail = loss_sf_enclosure(x, *pair, under="Q", digits=50).lower
    with mpmath.workdps(60):
        slope = mpmath.exp(real(x)) * real(tail) / real(value)
        expected = mpmath.log(real(value) / real(delta)) / slope
        # The step itself is a float.
        allowed = mpmath.mpf(10) ** -digits / slope * 3 + abs(expected) * mpmath.mpf(2) ** -52
        assert abs(real(step) - expected) <= allowed


def test_there_is_no_step_beyond_the_range_of_the_loss_or_of_floats():
    assert _step(F(24, 10), F(1, 10), (F(1), F(-1, 2), 4), 6) is None
    assert _step(F(1), F(1, 10), (F(10) ** 400, F(1), 4), 6) is None
    assert _step(F(1), F(1, 10), (F(1), F(1), 4), 1300) is None  # 4319 bits


@pytest.mark.parametrize(("left_out", "place"), [("HOCKEY_STICK", 0), ("SURVIVAL_Q", 1)])
def test_there_is_no_step_without_both_plans(left_out, place, monkeypatch):
    original = room.lay
    monkeypatch.setattr(room, "lay", lambda *a: None if a[4].name == left_out else original(*a))
    assert _step(F(1), F(1, 10), (F(1), F(1), 4), 6) is None


@every_pair
@pytest.mark.parametrize("delta", DELTAS[:3])
@pytest.mark.parametrize("digits", [8, 12, 14])
def test_newtons_method_ends_a_digit_closer_than_asked_for_in_few_steps(pair, delta, digits, monkeypatch):
    true = epsilon_enclosure(delta, *pair, digits=25)
    asked = []
    monkeypatch.setattr(room, "_step", lambda *a: asked.append(a[3]) or _step(*a))
    found = _newton(delta, pair, _guess(delta, pair), digits)
    assert abs(found - true.lower) * 10 ** (digits + 1) <= 2 * true.lower
    assert len(asked) <= 6
    # Low accuracy is enough for the first steps.
    assert asked == sorted(asked)
    assert asked[0] == 6
    assert asked[1:3] == [min(12, digits + 4), digits + 4][: len(asked) - 1]
    asked.clear()
    assert abs(_newton(delta, pair, true.lower, digits) - true.lower) * 10 ** (digits + 1) <= 2 * true.lower
    assert len(asked) <= 4


def test_newtons_method_stays_where_it_is_without_a_step_and_never_goes_below_0(monkeypatch):
    pair = (F(1), F(1), 4)
    monkeypatch.setattr(room, "_step", lambda *a: None)
    assert _newton(F(1, 10), pair, F(5, 7), 12) == F(5, 7)
    monkeypatch.setattr(room, "_step", lambda *a: F(-10))
    assert _newton(F(1, 10), pair, F(5, 7), 12) == 0
    taken = []
    monkeypatch.setattr(room, "_step", lambda *a: taken.append(a[0]) or F(1))
    assert _newton(F(1, 10), pair, F(1), 12) == 1 + len(taken) == 1 + room._NEWTON_STEPS


@given(
    x=st.fractions(min_value=F(1, 10**6), max_value=10**6, max_denominator=10**9),
    digits=st.integers(1, 40),
    size=st.integers(-60, 60),
)
def test_rounding_keeps_the_digits_and_drops_the_rest(x, digits, size):
    x *= F(10) ** size
    found = _rounded(x, digits)
    assert abs(found - x) * 10**digits * 2**13 <= x
    length = found.numerator.bit_length() - (found.numerator & -found.numerator).bit_length() + 1
    assert length <= math.ceil(digits * math.log2(10)) + 18 or found.denominator == 1
    assert found.denominator & (found.denominator - 1) == 0
    assert _rounded(F(0), digits) == 0


# ----------------------------------------------------------------------------------------------------- certain signs


@pytest.mark.parametrize(("delta", "sign"), [(F(1, 10), 1), (F(1, 5), 0), (F(1, 4), 0), (F(3, 10), -1), (F(2, 5), -1)])
def test_a_sign_is_certain_outside_the_enclosure_and_at_its_upper_end(delta, sign, monkeypatch):
    asked = []
    held = Enclosure(F(1, 5), F(3, 10))
    monkeypatch.setattr(room, "hockey_stick_enclosure", lambda *a, digits: asked.append((a, digits)) or held)
    assert _sign(F(7), delta, (F(1), F(2), 3), 12) == sign
    assert asked[0] == ((F(7), F(1), F(2), 3), 14)
    assert asked[1:] == ([] if sign else [((F(7), F(1), F(2), 3), 34)])


@pytest.mark.parametrize("held", [Enclosure(None, None), Enclosure(None, F(1)), Enclosure(F(0), None)])
def test_no_end_gives_no_sign(held, monkeypatch):
    monkeypatch.setattr(room, "hockey_stick_enclosure", lambda *a, digits: held)
    assert _sign(F(7), F(1, 2), (F(1), F(2), 3), 12) == 0


def test_the_sign_of_a_difference_in_the_thirtieth_digit_is_found():
    pair, x = (F(1), F(1, 10), 10), F(2)
    value = hockey_stick_enclosure(x, *pair, digits=60)
    assert _sign(x, value.lower * (1 - F(1, 10**30)), pair, 12) == 1
    assert _sign(x, value.upper * (1 + F(1, 10**30)), pair, 12) == -1
    assert _sign(x, value.lower, pair, 12) == 0


class Root:
    """A sign that changes at `place` and is not certain nearer to it than `blind`, relatively; it counts questions."""

    def __init__(self, monkeypatch, place: Fraction, blind: Fraction | int = 0) -> None:
        self.place, self.blind, self.asked = place, blind, []
        monkeypatch.setattr(room, "_sign", self.sign)

    def sign(self, x: Fraction, delta: Fraction, pair: Pair, digits: int) -> int:
        assert (delta, pair, digits) == (F(1, 9), (F(1), F(2), 3), 12)
        self.asked.append(x)
        if abs(x - self.place) <= self.blind * abs(self.place):
            return 0
        return 1 if x < self.place else -1


ARGUMENTS = (F(1, 9), (F(1), F(2), 3))
FACTORS = [F(1), 1 + F(1, 10**13), 1 - F(1, 10**13), 1 + F(1, 10**9), 1 - F(1, 10**9), F(11, 10), F(9, 10), F(3), F(0)]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("place", [F(3, 7), F(10**5), F(1, 10**8)])
def test_the_lower_end_is_below_and_within_sixteen_times_the_error_of_the_guess(factor, place, monkeypatch):
    root = Root(monkeypatch, place)
    guess = place * factor
    found = _lower_end(*ARGUMENTS, guess, 12)
    margin = F(1, 3 * 10**12)
    assert found is not None
    assert 0 <= found < place
    if factor * (1 - margin) < 1:
        assert found == guess * (1 - margin)
        assert len(root.asked) == 1 or not factor
    elif factor < 2:
        assert guess - found <= 16 * (guess - place)
        assert len(root.asked) <= 13
    else:
        assert found == 0


def test_the_lower_end_is_none_only_where_0_is_certainly_enough(monkeypatch):
    Root(monkeypatch, F(-1))
    assert _lower_end(*ARGUMENTS, F(0), 12) is None
    assert _lower_end(*ARGUMENTS, F(5), 12) is None
    Root(monkeypatch, F(0))
    assert _lower_end(*ARGUMENTS, F(0), 12) == 0
    assert _lower_end(*ARGUMENTS, F(5), 12) == 0


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("place", [F(3, 7), F(10**5), F(1, 10**8)])
def test_the_upper_end_is_above_and_within_sixteen_times_the_error_of_the_guess(factor, place, monkeypatch):
    root = Root(monkeypatch, place)
    guess = place * factor
    found = _upper_end(*ARGUMENTS, guess, 12)
    margin = F(1, 3 * 10**12)
    assert found is not None
    assert found > place
    if factor * (1 + margin) > 1:
        assert found == guess * (1 + margin)
        assert len(root.asked) == 1
    elif factor:
        assert found - guess <= 16 * (place - guess)
    else:
        assert found <= 17 * place
    assert len(root.asked) <= 30


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("blind", [F(1, 10**11), F(1, 10**6), F(1, 100)])
def test_an_end_whose_sign_is_not_certain_is_none(factor, blind, monkeypatch):
    place = F(3, 7)
    root = Root(monkeypatch, place, blind)
    low, high = (end(*ARGUMENTS, place * factor, 12) for end in (_lower_end, _upper_end))
    assert low < place * (1 - blind)
    assert high > place * (1 + blind)
    assert low == 0 or low > place * (1 - 20 * max(blind, abs(factor - 1)))
    found = room._certified(*ARGUMENTS, place * factor, 12)
    assert found.lower == 0 or root.sign(found.lower, *ARGUMENTS, 12) == 1
    assert root.sign(found.upper, *ARGUMENTS, 12) == -1


def test_there_is_no_upper_end_where_no_sign_is_certain(monkeypatch):
    root = Root(monkeypatch, F(10) ** 90)
    assert _upper_end(*ARGUMENTS, F(1), 12) is None
    assert len(root.asked) == room._WIDENINGS
    assert room._certified(*ARGUMENTS, F(1), 12) == Enclosure(1 - F(1, 3 * 10**12), None)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("place", [F(3, 7), F(10**5), F(1, 10**8)])
def test_both_ends_are_certain_and_as_close_as_asked_whatever_the_guess(factor, place, monkeypatch):
    root = Root(monkeypatch, place)
    found = room._certified(*ARGUMENTS, place * factor, 12)
    assert found.lower < place < found.upper
    assert found.width() * 10**12 <= found.lower
    assert {found.lower, found.upper} <= set(root.asked)
    assert len(root.asked) <= (2 if abs(factor - 1) * 10**13 <= 1 else 75)


def test_bisection_ends_where_the_sign_is_no_longer_certain(monkeypatch):
    root = Root(monkeypatch, F(1), blind=F(1, 10**6))
    found = room._certified(*ARGUMENTS, F(1), 12)
    assert found.lower < 1 < found.upper
    assert found.width() < F(1, 10**4)
    assert len(root.asked) < 40


def test_a_delta_that_0_meets_needs_nothing(monkeypatch):
    Root(monkeypatch, F(-1))
    assert room._certified(*ARGUMENTS, F(1), 12) == Enclosure(F(0), F(0))


@every_pair
@pytest.mark.parametrize("delta", [F(1, 3), *DELTAS])
def test_two_certain_signs_and_six_steps_are_enough(pair, delta, monkeypatch):
    steps, signs = [], []
    monkeypatch.setattr(room, "_step", lambda *a: steps.append(a) or _step(*a))
    monkeypatch.setattr(room, "_sign", lambda *a: signs.append(a[0]) or _sign(*a))
    found = epsilon_enclosure(delta, *pair)
    assert sorted(signs) == ([0] if found.upper == 0 else [found.lower, found.upper])
    assert len(steps) <= 6


# ------------------------------------------------------------------------------------------------------ public face


def test_twelve_digits_are_asked_for_unless_said_otherwise():
    assert epsilon_enclosure(F(1, 10**5), F(1), F(1), 3) == epsilon_enclosure(F(1, 10**5), F(1), F(1), 3, digits=12)


def test_delta_one_and_equal_laws_need_no_work(monkeypatch):
    monkeypatch.setattr(room, "_guess", lambda *a: pytest.fail("nothing is to be found"))
    nothing = Enclosure(F(0), F(0))
    assert epsilon_enclosure(F(1), F(1), F(1), 3) == nothing
    assert epsilon_enclosure(F(3, 2), F(1), F(1), 3) == nothing
    assert epsilon_enclosure(F(1, 10**9), F(0), F(0), 3) == nothing
    for pair in ((F(1), F(0), 3), (F(0), F(1), 3), (F(1), F(1), 3)):
        with pytest.raises(pytest.fail.Exception):
            epsilon_enclosure(F(1, 10**9), *pair)
