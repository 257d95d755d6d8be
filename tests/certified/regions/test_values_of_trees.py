"""The replayer's own reading: values and slopes of trees, rationals, and the size of documents."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb

from rgm_verify.balls.replaying.evaluation import Expression
from rgm_verify.balls.replaying.functions import ball, incomplete_gamma, moment, working_at
from rgm_verify.balls.replaying.statement import UnreadableCertificate, measure, rational

F = Fraction
X, Y = ["var", "x"], ["var", "y"]


def holds_value(found: arb, value: Any) -> bool:
    """Tell whether a ball is narrow and holds what mpmath computes with more digits."""
    with mpmath.workdps(50):
        text = mpmath.nstr(value(), 45)
    return bool(found.overlaps(arb(text) + arb(0, "1e-40")) and found.rad() < arb("1e-25"))


# --------------------------------------------------------------------------------------------------------------- values

VALUES: list[tuple[Any, Any]] = [
    ("3/7", lambda: mpmath.mpf(3) / 7),
    (["var", "x"], lambda: mpmath.mpf(1) / 3),
    (["pi"], lambda: mpmath.pi + 0),
    (["e"], lambda: mpmath.e + 0),
    (["add", X, Y, "2"], lambda: mpmath.mpf(1) / 3 + 5 + 2),
    (["mul", X, Y, "2"], lambda: mpmath.mpf(10) / 3),
    (["min", Y, X, "2"], lambda: mpmath.mpf(1) / 3),
    (["max", X, "2", Y], lambda: mpmath.mpf(5)),
    (["pow", X, "2"], lambda: mpmath.mpf(1) / 9),
    (["pow", X, "-3"], lambda: mpmath.mpf(27)),
    (["pow", X, "0"], lambda: mpmath.mpf(1)),
    (["pow", X, "1"], lambda: mpmath.mpf(1) / 3),
    (["pow", X, "1/2"], lambda: mpmath.sqrt(mpmath.mpf(1) / 3)),
    (["pow", Y, "2/3"], lambda: mpmath.mpf(5) ** (mpmath.mpf(2) / 3)),
    (["pow", Y, "-3/2"], lambda: mpmath.mpf(5) ** (-mpmath.mpf(3) / 2)),
    (["pow", Y, X], lambda: mpmath.mpf(5) ** (mpmath.mpf(1) / 3)),
    *((([name, X]), (lambda f: lambda: f(mpmath.mpf(1) / 3))(getattr(mpmath, name))) for name in
      ("exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "loggamma", "digamma")),
    (["abs", ["mul", "-1", X]], lambda: mpmath.mpf(1) / 3),
    (["sign", ["mul", "-1", X]], lambda: mpmath.mpf(-1)),
    (["uppergamma", Y, X], lambda: mpmath.gammainc(5, mpmath.mpf(1) / 3)),
    (["lowergamma", Y, X], lambda: mpmath.gammainc(5, 0, mpmath.mpf(1) / 3)),
    (["logrem", "1", "1", X], lambda: mpmath.log(mpmath.mpf(4) / 3) * 3),
    (["logrem", "2", "3", X], lambda: mpmath.quad(lambda s: s / (1 + s / mpmath.mpf(3)) ** 3, [0, 1])),
    (["logrem", "3", "2", X], lambda: mpmath.quad(lambda s: s**2 / (1 + s / mpmath.mpf(3)) ** 2, [0, 1])),
    (["logrem", "3", "2", "0"], lambda: mpmath.mpf(1) / 3),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "value"), VALUES, ids=[str(v[0]) for v in VALUES])
def test_the_value_of_a_tree_is_what_mpmath_computes(tree: Any, value: Any) -> None:
    with working_at(128):
        expression = Expression(tree, ["x", "y"], {})
        assert holds_value(expression.value([ball(F(1, 3)), ball(F(5))]), value)


#: Of these none is known in one of the variables.
STEEP = ("sign", "uppergamma", "lowergamma")


@pytest.mark.parametrize("tree", [v[0] for v in VALUES if v[0][0] not in STEEP], ids=str)
def test_a_slope_holds_the_quotients_of_differences(tree: Any) -> None:
    """By the mean-value theorem, with the slope over the whole interval in between."""
    at, step = [F(1, 3), F(5)], F(1, 10**6)
    with working_at(256):
        expression = Expression(tree, ["x", "y"], {})
        for axis in (0, 1):
            there = [value + step * (k == axis) for k, value in enumerate(at)]
            first, last = (expression.value([ball(value) for value in place]) for place in (at, there))
            slope = expression.slopes([ball(a).union(ball(b)) for a, b in zip(at, there, strict=True)])[axis]
            assert slope.is_finite()
            assert slope.overlaps((last - first) / ball(step))
            assert slope.rad() < arb("0.01") * (1 + abs(slope))


@pytest.mark.parametrize("tree", [v[0] for v in VALUES if isinstance(v[0], list) and X in v[0]], ids=str)
def test_no_function_hides_a_missing_value(tree: Any) -> None:
    """Neither the logarithm of -1 nor a quotient by a range around 0 has one."""
    for missing in (["log", ["mul", "-1", Y]], ["pow", ["add", Y, "-5"], "-1"]):
        inside = [missing if part == X else part for part in tree]
        with working_at(64):
            expression = Expression(inside, ["x", "y"], {})
            assert not expression.value([arb(1), arb(5, 1)]).is_finite()


@pytest.mark.parametrize(("name", "at"), [("erfinv", 1), ("erfinv", -1), ("erfcinv", 0), ("erfcinv", 2), ("atanh", 1)])
def test_the_reciprocal_of_an_infinite_value_is_no_number(name: str, at: int) -> None:
    with working_at(64):
        assert not Expression(["pow", [name, X], "-1"], ["x"], {}).value([arb(at)]).is_finite()


@pytest.mark.parametrize("a", [1, 2, 4])
@pytest.mark.parametrize("b", [1, 2, 3])
@pytest.mark.parametrize("x", [F(1, 2), F(-1, 2), F(-9, 10), F(7), F(1, 10**30), F(-1, 10**60), F(0)])
def test_moments_hold_their_integral(a: int, b: int, x: Fraction) -> None:
    with working_at(128):
        found = moment(a, b, ball(x))
    with mpmath.workdps(50):
        t = mpmath.mpf(x.numerator) / x.denominator
        assert found.overlaps(
            arb(mpmath.nstr(mpmath.quad(lambda s: s ** (a - 1) / (1 + s * t) ** b, [0, 1]), 40)) + arb(0, "1e-30")
        )
    assert found.rad() < arb("1e-25")


def test_a_moment_of_a_ball_holds_those_of_its_ends_and_is_nothing_from_minus_one_on() -> None:
    with working_at(128):
        wide = moment(2, 1, arb(1, 0.5))
        for end in (F(1, 2), F(1), F(3, 2)):
            assert wide.contains(moment(2, 1, ball(end)))
        assert wide.rad() < arb("0.1")
        assert moment(1, 1, arb(-1)).is_nan()
        assert moment(1, 1, arb(-2)).is_nan()
        assert moment(1, 1, arb(-1, 0.5)).is_nan()
        assert moment(1, 1, arb("inf")).is_nan()


def test_incomplete_gamma_functions_of_large_arguments_are_nothing() -> None:
    with working_at(64):
        assert incomplete_gamma(arb(2**12), arb(1), True).is_nan()
        assert incomplete_gamma(arb(1), arb(2**12), True).is_nan()
        assert incomplete_gamma(arb(2**6), arb(1), False).is_nan()
        assert incomplete_gamma(arb(1), arb(2**6), False).is_nan()
        assert incomplete_gamma(arb(63), arb(1), False).is_finite()
        assert incomplete_gamma(arb(100), arb(1), True).is_finite()


# -------------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", F(3)), ("-3/7", F(-3, 7)), ("0", F(0)), ("1/0", None), ("1.5", None), ("", None), ("1/-2", None),
     ("+1", None),
     (" 1", None), ("1/2/3", None), (3, None), (None, None), ("1" * 4300, F(10**4300 - 1, 9)), ("1" * 4301, None),
     ("1/" + "1" * 4300, F(9, 10**4300 - 1)), ("1/" + "1" * 4301, None)],
)  # fmt: skip
def test_a_rational_is_read_as_it_is_written(text: Any, value: Fraction | None) -> None:
    assert rational(text) == value


def nested(depth: int) -> Any:
    tree: Any = "1"
    for _ in range(depth):
        tree = [tree]
    return tree


def test_a_document_is_measured_before_it_is_read() -> None:
    measure("tree", nested(100))
    measure("tree", ["x"] * 9_999)
    measure("tree", ["gamma"] * 199)
    measure("tree", {"a": nested(99)})
    for large in (nested(101), ["x"] * 10_000, ["gamma"] * 200, {"a": nested(100)}):
        with pytest.raises(UnreadableCertificate, match="tree: too large"):
            measure("tree", large)
