"""Remainders of the logarithm against the integral that defines them: values, slopes, closed forms and what is refused.

Exact evaluation of programs stands beside them: rational steps, by ordinary fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy.core.function import ArgumentIndexError

from rgm_verify.balls import rationals, special
from rgm_verify.balls.program import Program
from rgm_verify.balls.rationals import exact_value
from rgm_verify.balls.special import (
    MPMATH_FUNCTIONS,
    NUMPY_FUNCTIONS,
    LogRemainder,
    LogRemainderD,
    LogRemainderMoment,
    numpy_moment,
)

x = sympy.Symbol("x", real=True)
p, q = sympy.Symbol("p", positive=True), sympy.Symbol("q", nonnegative=True)
n = sympy.Symbol("n", integer=True, positive=True)
F, R = Fraction, sympy.Rational
ORDERS = [(1, 1), (2, 1), (5, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (4, 3), (3, 5)]
PLACES = [R(1, 3), R(-1, 2), R(-9, 10), R(1, 4), R(-1, 4), R(26, 100), R(7), R(1, 1000), R(-1, 10**9)]


def integral(a: int, b: int, at: Any) -> Any:
    with mpmath.workdps(40):
        t = mpmath.mpf(int(at.p)) / int(at.q)
        return mpmath.quad(lambda s: s ** (a - 1) / (1 + s * t) ** b, [0, mpmath.mpf(1) / 2, 1])


def digits(value: sympy.Expr) -> Any:
    with mpmath.workdps(40):
        return mpmath.mpf(str(sympy.N(value, 35)))


def close(one: Any, other: Any) -> bool:
    with mpmath.workdps(40):
        return bool(mpmath.almosteq(one, other, 1e-20))


def made(a: int, b: int, at: Any) -> list[sympy.Expr]:
    """Every way to write the moment."""
    ways = [LogRemainderMoment(a, b, at)]
    if b == 1:
        ways.append(LogRemainder(a, at))
    if b == 2 and a > 1:
        ways.append(LogRemainderD(a - 1, at))
    return ways


@pytest.mark.parametrize(("a", "b"), ORDERS)
def test_every_route_computes_the_integral(a: int, b: int) -> None:
    found = numpy_moment(a, b, [float(at) for at in PLACES])
    for at, by_numpy in zip(PLACES, found, strict=True):
        known = integral(a, b, at)
        for way in made(a, b, at):
            assert close(digits(way), known)
            assert close(digits(way.doit()), known)
            assert way.doit() == way.rewrite(sympy.log)
            assert not way.doit().has(LogRemainder, LogRemainderD, LogRemainderMoment)
            name = type(way).__name__
            with mpmath.workdps(30):
                by_name = MPMATH_FUNCTIONS[name](*(mpmath.mpf(int(v.p)) / int(v.q) for v in way.args))
            assert close(by_name, known)
            floats = [int(v) for v in way.args[:-1]]
            assert abs(float(NUMPY_FUNCTIONS[name](*floats, float(at))) - float(known)) <= 1e-11 * float(known)
        assert abs(by_numpy - float(known)) <= 1e-11 * float(known)
    assert numpy_moment(a, b, 0.0) == pytest.approx(1 / a, rel=1e-15)
    assert numpy_moment(a, b, np.zeros((2, 3))).shape == (2, 3)


@pytest.mark.parametrize(("a", "b"), ORDERS)
def test_the_series_near_zero_is_right_to_the_last_digits(a: int, b: int) -> None:
    for at in (R(1, 4), R(-1, 4), R(1, 10), R(-1, 10**6)):
        found = float(special._series(a, b, np.array([float(at)]))[0])
        assert abs(found - float(integral(a, b, at))) <= 8 * 2.0**-53 * float(integral(a, b, at))


@pytest.mark.parametrize(("a", "b"), ORDERS)
def test_a_slope_is_minus_b_times_the_next_moment(a: int, b: int) -> None:
    for way in made(a, b, x):
        slope = sympy.diff(way, x)
        for at in (R(1, 3), R(-1, 2)):
            with mpmath.workdps(40):
                expected = -b * integral(a + 1, b + 1, at)
            assert close(digits(slope.subs(x, at)), expected)
        argument = len(way.args)
        assert way.fdiff() == way.fdiff(argument)
        for other in range(argument):
            with pytest.raises(ArgumentIndexError):
                way.fdiff(other)


def test_at_zero_a_remainder_is_a_number_and_elsewhere_itself() -> None:
    assert [LogRemainder(a, 0) for a in (1, 2, 7)] == [1, R(1, 2), R(1, 7)]
    assert [LogRemainderD(a, 0) for a in (1, 2, 7)] == [R(1, 2), R(1, 3), R(1, 8)]
    assert [LogRemainderMoment(a, 3, 0) for a in (1, 2, 7)] == [1, R(1, 2), R(1, 7)]
    assert LogRemainderMoment(3, 1, x) == LogRemainder(3, x)
    assert LogRemainder(n, 0) == 1 / n
    assert isinstance(LogRemainder(2, x), LogRemainder)
    assert isinstance(LogRemainderD(2, x), LogRemainderD)
    assert isinstance(LogRemainderMoment(2, 2, x), LogRemainderMoment)
    assert LogRemainder(3, x).moment() == (3, 1, x)
    assert LogRemainderD(3, x).moment() == (4, 2, x)
    assert LogRemainderMoment(3, 4, x).moment() == (3, 4, x)


@pytest.mark.parametrize("order", [0, -1, R(1, 2), 1.5])
def test_an_order_is_a_positive_integer(order: Any) -> None:
    makers = (
        (lambda v: LogRemainder(v, x), "n"), (lambda v: LogRemainderD(v, x), "n"),
        (lambda v: LogRemainderMoment(v, 2, x), "a"), (lambda v: LogRemainderMoment(2, v, x), "b"),
    )  # fmt: skip
    for make, name in makers:
        with pytest.raises(ValueError, match=rf"^{name}=.*must be an integer >= 1"):
            make(order)
        assert make(1) is not None


def test_what_is_known_of_the_sign_follows_from_the_argument() -> None:
    for way in (lambda v: LogRemainder(2, v), lambda v: LogRemainderD(1, v), lambda v: LogRemainderMoment(2, 3, v)):
        for inside in (p, q, p - R(1, 2) + R(1, 2), R(-1, 2), q - R(1, 2)):
            assert way(inside).is_positive
            assert way(inside).is_real
        for unknown in (x, p - 1 + x, R(-1) + x):
            assert way(unknown).is_positive is None
            assert way(unknown).is_real is None
        for outside in (R(-2), R(-1)):
            assert way(outside).is_positive is None
            assert way(outside).is_real is None
            assert sympy.N(way(outside)).args[-1] < 0  # still itself: nothing is said there


def test_a_symbolic_order_has_no_closed_form_and_no_digits() -> None:
    for way in (LogRemainder(n, p), LogRemainderMoment(n, 2, p), LogRemainderMoment(2, n, p)):
        assert way.rewrite(sympy.log) == way
        assert sympy.N(way.subs(p, 2)).has(LogRemainder, LogRemainderMoment)
    deep = LogRemainder(2, sympy.Integral(2 * p, (p, 0, 1)))
    assert deep.doit() == 1 - sympy.log(2)
    inner = deep.doit(deep=False)
    assert inner.has(sympy.Integral)


# ------------------------------------------------------------------------------------------- exact evaluation

fractions = st.fractions(min_value=-9, max_value=9, max_denominator=20)


def one(op: list[Any], *values: Fraction) -> Fraction | None:
    """The exact value of one operation at rational operands."""
    ops = tuple(("var", k) for k in range(len(values)))
    return exact_value(Program(tuple("xy"[: len(values)]), (*ops, tuple(op)), (len(values),)), values)


@given(fractions, fractions)
def test_rational_operations_are_those_of_fractions(first: Fraction, second: Fraction) -> None:
    assert one(["add", 0, 1], first, second) == first + second
    assert one(["sub", 0, 1], first, second) == first - second
    assert one(["mul", 0, 1], first, second) == first * second
    assert one(["div", 0, 1], first, second) == (first / second if second else None)
    assert one(["min", 0, 1], first, second) == min(first, second)
    assert one(["max", 0, 1], first, second) == max(first, second)
    assert one(["neg", 0], first) == -first
    assert one(["abs", 0], first) == abs(first)
    assert one(["const", str(second)], first) == second
    for power in (1, 2, 3, 8):
        assert one(["pow", 0, power], first) == first**power
    assert one(["sqrt", 0], first**2) == abs(first)
    assert one(["root", 0, 3], abs(first) ** 3) == abs(first)
    assert one(["root", 0, 5], abs(first) ** 5) == abs(first)
    if first:
        assert one(["root", 0, 3], -(abs(first) ** 3)) is None
        assert one(["sqrt", 0], -(first**2)) is None
        assert one(["sqrt", 0], 2 * first**2) is None
        assert one(["root", 0, 3], 2 * abs(first) ** 3) is None
        assert one(["sqrt", 0], first**2 / 2) is None


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [("log", 1, 0), ("exp", 0, 1), ("sin", 0, 0), ("cos", 0, 1), ("sinh", 0, 0), ("cosh", 0, 1), ("tanh", 0, 0),
     ("erf", 0, 0), ("erfc", 0, 1)],
)  # fmt: skip
def test_a_function_is_rational_at_its_one_place(name: str, place: int, value: int) -> None:
    assert one([name, 0], F(place)) == value
    for other in (F(1 - place), F(2), F(-1), F(1, 2)):
        assert one([name, 0], other) is None


def test_what_is_not_rational_makes_nothing_rational() -> None:
    for op in (("add", 1, 0), ("neg", 1), ("pow", 1, 2), ("mul", 0, 1), ("logrem", 1, 1, 1), ("min", 0, 1)):
        assert exact_value(Program(("x",), (("var", 0), ("log", 0), op), (2,)), (F(2),)) is None
    for op in (["pi"], ["e"], ["gamma", 0], ["gpow", 0, 0]):
        assert one(op, F(2)) is None
    assert one(["logrem", 3, 2, 0], F(0)) == F(1, 3)
    assert one(["logrem", 3, 2, 0], F(1)) is None
    two = Program(("x",), (("var", 0), ("pi",), ("neg", 0)), (2, 1))
    assert exact_value(two, (F(2),)) == -2


def test_a_power_is_written_out_up_to_a_size() -> None:
    largest = rationals._LARGEST_POWER
    assert one(["pow", 0, largest], F(-1)) == 1
    assert one(["pow", 0, largest + 1], F(-1)) is None
