"""Numbers that are too long to be written out, and powers whose exponent is a variable: certain signs all the same."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from flint import arb

from rgm_verify.balls.arithmetic import ball, exact, lower_end, precision, rational_ends
from rgm_verify.balls.enclose import Enclosure, enclose, sign_at
from rgm_verify.balls.program import UnsupportedExpression

x, y = sympy.symbols("x y", real=True)
n = sympy.Symbol("n", integer=True)
F = Fraction
MOST = 2**20


@pytest.mark.parametrize("size", [10**9, 10**18])
def test_an_exponential_that_is_too_long_has_a_sign_and_ends_on_the_safe_side(size: int) -> None:
    small, large = sympy.exp(-x), sympy.exp(x)
    point = {x: F(size)}
    assert [sign_at(e, point) for e in (small, large, -small, -large)] == [
        "positive",
        "positive",
        "negative",
        "negative",
    ]
    assert enclose(small, point, maximum_bits=128) == Enclosure(F(0), F(1, 2**MOST))
    assert enclose(-small, point, maximum_bits=128) == Enclosure(F(-1, 2**MOST), F(0))
    assert enclose(large, point, maximum_bits=128) == Enclosure(F(2**MOST), None)
    assert enclose(-large, point, maximum_bits=128) == Enclosure(None, F(-(2**MOST)))


@pytest.mark.parametrize("exponent", [MOST, MOST + 1, -MOST, -MOST - 1])
def test_the_longest_number_that_is_written_out(exponent: int) -> None:
    with precision(64):
        value = arb(1) * arb(2) ** exponent
        found, negative = lower_end(value), lower_end(-value)
        if abs(exponent) <= MOST:
            assert found == exact(value) == F(2) ** exponent
            assert negative == -(F(2) ** exponent)
        else:
            assert exact(value) is None
            assert (found, negative) == ((F(2**MOST), None) if exponent > 0 else (F(0), F(-1, 2**MOST)))


def test_ends_of_balls_are_rounded_outward() -> None:
    with precision(64):
        low, high = rational_ends(arb(1, 0.25))
        assert low is not None
        assert high is not None
        assert low <= F(3, 4)
        assert high >= F(5, 4)
        assert rational_ends(arb(3)) == (F(3), F(3))
        assert rational_ends(arb("inf")) == (None, None)
        assert rational_ends(ball(F(-5, 8))) == (F(-5, 8), F(-5, 8))
        third = rational_ends(ball(F(1, 3)))
        assert third[0] is not None
        assert third[1] is not None
        assert third[0] < F(1, 3) < third[1]
        assert third[1] - third[0] < F(1, 2**60)


def test_a_power_of_a_negative_number_with_an_exponent_that_is_an_integer_there() -> None:
    assert sign_at(x**y, {x: F(-2), y: F(3)}) == "negative"
    assert sign_at(x**y, {x: F(-2), y: F(2)}) == "positive"
    assert sign_at(x**y, {x: F(-2), y: F(-3)}) == "negative"
    assert sign_at(x**y, {x: F(0), y: F(2)}) == "zero"
    assert enclose(x**y, {x: F(-2), y: F(-3)}) == Enclosure(F(-1, 8), F(-1, 8))
    assert enclose(x ** (y + sympy.Rational(1, 2)), {x: F(-2), y: F(3, 2)}) == Enclosure(F(4), F(4))
    assert enclose((x - 1) ** (2 * y), {x: F(0), y: F(1, 2)}) == Enclosure(F(-1), F(-1))
    assert enclose(x**n + y**n, {x: F(-1), y: F(-1), n: F(5)}) == Enclosure(F(-2), F(-2))


def test_a_power_of_a_negative_number_with_another_exponent_is_no_real_number() -> None:
    assert enclose(x**y, {x: F(-2), y: F(1, 2)}).indeterminate
    assert sign_at(x**y, {x: F(-2), y: F(1, 2)}) == "unknown"
    assert sign_at(x**y, {x: F(2), y: F(1, 2)}) == "positive"
    held = enclose(x**y, {x: F(2), y: F(1, 2)})
    assert held.contains(F(141421356, 10**8)) is False
    assert held.lower is not None
    assert held.upper is not None
    assert held.lower**2 < 2 < held.upper**2


@pytest.mark.parametrize(
    ("expression", "value", "expected"),
    [
        (sympy.exp(x) - 1, 0, "zero"),
        (sympy.exp(x) - sympy.exp(x + sympy.Rational(1, 10**300)), 1, "negative"),
        (sympy.sqrt(x) - 3, 9, "zero"),
        (sympy.sqrt(sympy.sin(x) ** 2 + 2 - sympy.cos(x) ** 2 - 2 * sympy.sin(x) ** 2 - 1) + 1, 1, "unknown"),
        (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1, 1, "unknown"),
        (sympy.log(x), -1, "unknown"),
    ],
)
def test_a_sign_is_as_much_as_is_certain(expression: sympy.Expr, value: int, expected: str) -> None:
    assert sign_at(expression, {x: F(value)}, maximum_bits=1024 if expected != "negative" else 4096) == expected


def test_a_sign_that_needs_more_bits_than_allowed_is_unknown() -> None:
    close = sympy.exp(x) - sympy.exp(x + sympy.Rational(1, 10**300))
    assert sign_at(close, {x: F(1)}, maximum_bits=512) == "unknown"


def test_each_symbol_needs_one_value() -> None:
    with pytest.raises(UnsupportedExpression, match="y: symbol without a value; given: x"):
        enclose(x + y, {x: F(1)})
    with pytest.raises(UnsupportedExpression, match="two symbols share this name"):
        enclose(x + sympy.Symbol("x"), {"x": F(1)})


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ((0, 1), (1, 2), True), ((0, 1), (2, 3), False), ((2, 3), (0, 1), False), ((None, 0), (1, None), False),
        ((None, 1), (1, None), True), ((None, None), (5, 5), True), ((0, 9), (3, 4), True), ((1, 2), (0, 1), True),
    ],
)  # fmt: skip
def test_intervals_overlap_where_they_have_a_point_in_common(one: tuple, other: tuple, meet: bool) -> None:
    first, second = (Enclosure(*(None if v is None else F(v) for v in ends)) for ends in (one, other))
    assert first.overlaps(second) is second.overlaps(first) is meet


@pytest.mark.parametrize(
    ("low", "high", "sign"),
    [
        (0, 0, "zero"), (0, 1, "nonnegative"), (1, 2, "positive"), (1, None, "positive"), (0, None, "nonnegative"),
        (-1, 0, "nonpositive"), (-2, -1, "negative"), (None, -1, "negative"), (None, 0, "nonpositive"),
        (-1, 1, "unknown"), (None, None, "unknown"), (-1, None, "unknown"),
    ],
)  # fmt: skip
def test_an_enclosure_says_what_is_certain_of_its_sign(low: int | None, high: int | None, sign: str) -> None:
    found = Enclosure(*(None if v is None else F(v) for v in (low, high)))
    assert found.sign() == sign
    assert found.contains(0) is (sign not in ("positive", "negative"))
    assert (found.width(), found.midpoint()) == (
        (None, None) if low is None or high is None else (F(high - low), F(high + low, 2))
    )
    assert Enclosure.from_json(found.to_json()) == found


def test_an_enclosure_has_its_ends_in_order() -> None:
    with pytest.raises(ValueError, match="must not exceed"):
        Enclosure(F(2), F(1))
    with pytest.raises(ValueError, match="has no ends"):
        Enclosure(F(1), None, indeterminate=True)
    with pytest.raises(ValueError, match="has no ends"):
        Enclosure(None, F(1), indeterminate=True)
    with pytest.raises(ValueError, match="field 'upper' is missing"):
        Enclosure.from_json({"lower": "1"})
