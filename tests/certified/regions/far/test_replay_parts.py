"""The replayer's own arithmetic and reading, each part by itself: values, derivatives, truth, ends and refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from flint import arb

from rgm_verify.balls import replay
from rgm_verify.balls.program import UnsupportedExpression, compile_expressions, differentiate_output
from rgm_verify.balls.replaying import functions as replay_functions
from rgm_verify.balls.replaying import statement as replay_statement
from rgm_verify.balls.replaying.functions import ball, incomplete_gamma, moment, power, root, sign, working_at
from rgm_verify.balls.replaying.statement import UnreadableCertificate, measure, rational, truth, value_of

F = Fraction
X, Y = ["var", "x"], ["var", "y"]


def at(**values: Fraction | int) -> dict[str, arb]:
    return {name: ball(F(value)) for name, value in values.items()}


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
        assert holds_value(value_of(tree, at(x=F(1, 3), y=5)), value)


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


def test_powers_roots_and_signs_of_balls_are_as_wide_as_they_must_be() -> None:
    with working_at(64):
        around = arb(0, 1)
        assert power(around, 2) >= 0
        assert not power(around, 4) < 0  # Arb gives NaN here, which proves nothing
        assert power(around, 3).contains(arb(-1))
        assert power(ball(F(3)), 4).contains(arb(81))
        assert power(ball(F(-3)), 3).contains(arb(-27))
        assert power(ball(F(-3)), 2).contains(arb(9))
        assert root(arb(4), 2).contains(arb(2))
        from_zero = replay._widest_ball(F(1)) + 1
        assert root(from_zero, 2) >= 0
        assert root(from_zero, 2).contains(arb(2).sqrt())
        assert root(from_zero, 3).contains(arb(0))
        assert root(arb(-1), 2).is_nan()
        assert root(arb(-1, 2), 2).is_nan()
        assert [str(sign(v)) for v in (arb(2), arb(-2))] == [str(arb(1)), str(arb(-1))]
        for held in (-1, 0, 1):
            assert sign(arb(0)).contains(arb(held))
            assert sign(arb(1, 2)).contains(arb(held))
        assert replay_functions.even(arb(3)).contains(arb(3))


def test_incomplete_gamma_functions_of_large_arguments_are_nothing() -> None:
    with working_at(64):
        assert incomplete_gamma(arb(2**12), arb(1), True).is_nan()
        assert incomplete_gamma(arb(1), arb(2**12), True).is_nan()
        assert incomplete_gamma(arb(2**6), arb(1), False).is_nan()
        assert incomplete_gamma(arb(1), arb(2**6), False).is_nan()
        assert incomplete_gamma(arb(63), arb(1), False).is_finite()
        assert incomplete_gamma(arb(100), arb(1), True).is_finite()


# ---------------------------------------------------------------------------------------------------------------- truth

TRUE, FALSE, OPEN = ["<", "0", "1"], [">", "0", "1"], ["<", X, Y]
NAMES = {True: TRUE, False: FALSE, None: OPEN}


@pytest.mark.parametrize(
    ("one", "other", "conjunction", "disjunction", "implication", "equivalence"),
    [
        (True, True, True, True, True, True), (True, False, False, True, False, False),
        (False, True, False, True, True, False), (False, False, False, False, True, True),
        (True, None, None, True, None, None), (None, True, None, True, True, None),
        (False, None, False, None, True, None), (None, False, False, None, None, None),
        (None, None, None, None, None, None),
    ],
)  # fmt: skip
def test_connectives_are_certain_where_that_is_certain(
    one: Any, other: Any, conjunction: Any, disjunction: Any, implication: Any, equivalence: Any
) -> None:
    values = {"x": arb(0, 1), "y": arb(0, 1)}
    for word, expected in (("and", conjunction), ("or", disjunction), ("implies", implication), ("iff", equivalence)):
        assert truth([word, NAMES[one], NAMES[other]], values) is expected


@pytest.mark.parametrize(
    ("op", "below", "zero", "above", "touches_below", "touches_above"),
    [
        ("<", True, False, False, None, False),
        ("<=", True, True, False, True, None),
        (">", False, False, True, False, None),
        (">=", False, True, True, None, True),
        ("==", False, True, False, None, None),
        ("!=", True, False, True, None, None),
    ],
)
def test_a_relation_over_a_ball_is_certain_or_open(
    op: str, below: Any, zero: Any, above: Any, touches_below: Any, touches_above: Any
) -> None:
    balls = {arb(-1): below, arb(0): zero, arb(1): above}
    for gap, expected in balls.items():
        assert truth([op, X, "0"], {"x": gap}) is expected
        assert replay_statement._compared(op, gap) is expected
    with working_at(64):
        unit = replay._widest_ball(F(1))
        assert replay_statement._compared(op, unit - 1) is touches_below
        assert replay_statement._compared(op, unit + 1) is touches_above
    assert replay_statement._compared(op, arb(0, 1)) is None
    assert replay_statement._compared(op, arb.nan()) is None


def test_balls_agree_where_both_are_narrow() -> None:
    agree = replay_statement._agree
    with working_at(128):
        assert agree(arb(1), arb(1)) is True
        assert agree(arb(1), arb(2)) is False
        assert agree(arb(1, "1e-19"), arb(1)) is True
        assert agree(arb(1, "1e-17"), arb(1)) is None
        assert agree(arb(1), arb(1, "1e-17")) is None
        assert agree(arb(1, "1e-17"), arb(2)) is False
        assert agree(arb(0), arb(0)) is True
        assert agree(arb(0, "1e-70"), arb(0)) is True
        assert agree(arb(0, "1e-50"), arb(0)) is None
        assert agree(arb.nan(), arb(1)) is None
        assert agree(arb("inf"), arb("inf")) is None


def test_the_gap_of_a_relation_is_taken_the_side_that_is_said() -> None:
    values = at(x=3, y=5)
    assert replay_statement._gap([">=", X, Y], "left - right", values).contains(arb(-2))
    assert replay_statement._gap(["<=", X, Y], "right - left", values).contains(arb(2))


@pytest.mark.parametrize("choice", range(0, 256, 3))
@pytest.mark.parametrize(("low", "high"), [(0, 1), (None, 1), (0, None), (None, None), (2, 2)])
def test_a_number_between_two_ends_is_between_them(choice: int, low: int | None, high: int | None) -> None:
    ends = [None if v is None else F(v) for v in (low, high)]
    for share in (F(1, 1000), F(1, 2), F(999, 1000)):
        found = replay_statement._between(*ends, share, choice)
        assert ends[0] is None or found >= ends[0]
        assert ends[1] is None or found <= ends[1]
    known = [end for end in ends if end is not None]
    if choice % 8 < len(known):
        assert found == known[choice % 8]
    elif low == 0 and high == 1:
        assert found == share


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


GOOD: list[Any] = [
    "1/2", X, ["pi"], ["add", X], ["add", X, Y, X], ["pow", X, "1000000"], ["pow", X, "1/1000000"], ["pow", X, Y],
    ["logrem", "1", "30", X], ["exp", X], ["uppergamma", X, Y], ["min", X],
]  # fmt: skip
BAD: list[Any] = [
    "x", "1/0", 1, None, [], ["var"], ["var", "z"], ["var", ["x"]], ["pi", X], ["add"], ["pow", X], ["pow", X, Y, X],
    ["pow", X, "1000001"], ["pow", X, "-1000001"], ["pow", X, "1/1000001"], ["logrem", "0", "1", X],
    ["logrem", "1", "31", X], ["logrem", "1/2", "1", X], ["logrem", "1", "1"], ["exp"], ["exp", X, Y], ["sinc", X],
    ["uppergamma", X], ["add", ["var", "z"]], ["logrem", "1", "1", ["var", "z"]], [["add"], X], ["<", X, Y],
]  # fmt: skip


@pytest.mark.parametrize("tree", GOOD, ids=str)
def test_an_expression_of_known_functions_is_read(tree: Any) -> None:
    replay_statement._check_expression(tree, {"x": False, "y": False})
    replay_statement._check_formula(
        ["and", ["<=", tree, "1"], ["implies", ["==", tree, "1"], ["!=", "1", tree]]], {"x": 0, "y": 0}
    )


@pytest.mark.parametrize("tree", BAD, ids=str)
def test_any_other_expression_is_refused(tree: Any) -> None:
    names = {"x": False, "y": False}
    with pytest.raises(UnreadableCertificate, match="must be"):
        replay_statement._check_expression(tree, names)
    for formula in (["<=", tree, "1"], [">", "1", tree], ["or", ["<", "0", "1"], ["<", "0", tree]]):
        with pytest.raises(UnreadableCertificate, match="must be"):
            replay_statement._check_formula(formula, names)


@pytest.mark.parametrize(
    "formula", ["1", [], ["<="], ["<=", "1"], ["<=", "1", "2", "3"], ["implies", TRUE], ["iff", TRUE, TRUE, TRUE],
                ["not", TRUE], ["and", "1"], X, None]
)  # fmt: skip
def test_any_other_formula_is_refused(formula: Any) -> None:
    with pytest.raises(UnreadableCertificate, match="must be"):
        replay_statement._check_formula(formula, {"x": False, "y": False})


@pytest.mark.parametrize(
    ("end", "good"),
    [([">=", X, "0"], True), (["<", X, "1/2"], True), (["==", X, "0"], False), ([">=", Y, "0"], False),
     ([">=", "0", X], False), ([">=", X, Y], False), ([">=", X], False), (None, False), ([">=", X, "1/0"], False)],
)  # fmt: skip
def test_an_end_of_a_domain_is_a_relation_with_a_number(end: Any, good: bool) -> None:
    assert replay_statement._is_end(end, "x") is good
    if good:
        assert replay_statement._variables([["x", "real", [end]], ["y", "integer", []]]) == (
            {"x": False, "y": True},
            (end,),
        )
    else:
        with pytest.raises(UnreadableCertificate):
            replay_statement._variables([["x", "real", [end]]])


@pytest.mark.parametrize(
    "entries", [None, [["x", "real"]], [["x", "real", []], ["x", "real", []]], [["", "real", []]],
                [["x", "complex", []]],
                [["x", "real", None]], [["x" * 101, "real", []]], [["a\n", "real", []]], ["x"]]
)  # fmt: skip
def test_any_other_variables_are_refused(entries: Any) -> None:
    with pytest.raises(UnreadableCertificate, match=r"statement\.variables"):
        replay_statement._variables(entries)


# ---------------------------------------------------------------------------------------------------------- derivatives

x, y = sympy.symbols("x y", real=True)
FUNCTIONS = [
    x + y, x - y, x * y, x / y, 3 * x, -x, x**2, x**5, x**-2, sympy.sqrt(x), sympy.cbrt(x), x ** sympy.Rational(-3, 4),
    x**y, sympy.exp(x * y), sympy.log(x * y + 1), sympy.sin(x) * sympy.cos(y), sympy.sinh(x) - sympy.cosh(y),
    sympy.tanh(x * y), sympy.erf(x) + sympy.erfc(y), sympy.gamma(x), sympy.loggamma(x * y), sympy.Abs(x - 10),
    sympy.Max(x, y), sympy.Min(x, y), sympy.uppergamma(3, x), sympy.lowergamma(2, x * y), sympy.pi * x + sympy.E * y,
    (x + 1) ** 3 / (y + 2) ** 2 + x * x * y, sympy.Abs(y - x) + sympy.Max(x * y, 1),
]  # fmt: skip


@pytest.mark.parametrize("expression", FUNCTIONS, ids=str)
def test_values_and_slopes_of_a_program_are_those_of_its_expression(expression: sympy.Expr) -> None:
    program = compile_expressions([expression], (x, y)).to_json()
    places = (F(5, 4), F(3, 7))
    exact = {x: sympy.Rational(5, 4), y: sympy.Rational(3, 7)}
    with working_at(128):
        balls = [ball(place) for place in places]
        (value,) = replay._assemble(program, program["outputs"], False)(*balls)
        slopes = replay._assemble(program, program["outputs"], True)(*balls)
        assert value.overlaps(arb(str(sympy.N(expression.subs(exact), 40))) + arb(0, "1e-33"))
        assert value.rad() < arb("1e-25")
        for slope, variable in zip(slopes, (x, y), strict=True):
            expected = sympy.N(sympy.diff(expression, variable).subs(exact).doit(), 40)
            assert slope.overlaps(arb(str(expected)) + arb(0, "1e-30"))
            assert slope.rad() < arb("1e-25")


def test_the_two_differentiations_of_a_program_agree() -> None:
    from rgm_verify.balls.arithmetic import compile_balls, precision

    expression = sympy.exp(x * y) / (1 + x**2) - sympy.Max(x, y) * sympy.sqrt(y)
    program = compile_expressions([expression], (x, y))
    with precision(128):
        balls = [ball(F(2, 3)), ball(F(7, 5))]
        ours = compile_balls(differentiate_output(program))(*balls)
        theirs = replay._assemble(program.to_json(), program.to_json()["outputs"], True)(*balls)
        assert all(one.overlaps(other) for one, other in zip(ours, theirs, strict=True))


@pytest.mark.parametrize(
    "expression",
    [sympy.uppergamma(x, y), sympy.lowergamma(x, 2), sympy.uppergamma(x * y, y)],
    ids=str,
)
def test_an_operation_without_a_derivative_is_named_by_both(expression: sympy.Expr) -> None:
    program = compile_expressions([expression], (x, y))
    with pytest.raises(UnsupportedExpression):
        differentiate_output(program)
    with pytest.raises(replay._NoDerivative):
        replay._assemble(program.to_json(), program.to_json()["outputs"], True)


@pytest.mark.parametrize("half", [F(1), F(1, 2), F(3, 8), F(1, 3), F(10**9 + 7, 3)])
def test_the_widest_ball_of_a_half_width_holds_both_ends(half: Fraction) -> None:
    with working_at(64):
        found = replay._widest_ball(half)
        assert found.contains(ball(half))
        assert found.contains(ball(-half))
        assert found.upper() <= ball(half * (1 + F(1, 2**28))).upper()
        if half.denominator in (1, 2, 8) and half < 2:
            assert found.upper() == ball(half)


def test_only_what_an_output_needs_is_computed() -> None:
    ops = [["var", 0], ["exp", 0], ["add", 0, 1], ["pow", 0, 3], ["logrem", 1, 2, 3]]
    assert replay._ancestors(ops, [2]) == {0, 1, 2}
    assert replay._ancestors(ops, [4]) == {0, 3, 4}
    assert replay._ancestors(ops, [0]) == {0}


def outputs(*entries: Any, strict: bool = False, exists: bool = False, conclusion: Any = (">=", X, "0")) -> Any:
    hypotheses = (["<=", X, "1"], ["==", X, "1"])
    data = {
        "statement": {"conclusion": list(conclusion)}, "outputs": list(entries), "strict": strict,
        "program": {"outputs": list(range(len(entries)))},
    }  # fmt: skip
    return replay_statement._outputs(data, exists, hypotheses)


FIRST = ["conclusion", "left - right"]


def test_each_output_is_the_gap_of_the_conclusion_or_of_a_hypothesis() -> None:
    assert outputs(FIRST) == (([">=", X, "0"], "left - right"),)
    assert outputs(FIRST, [0, "right - left"])[1] == (["<=", X, "1"], "right - left")
    negated = outputs(["conclusion", "right - left"], strict=True, exists=True)
    assert negated == ((["<", X, "0"], "right - left"),)


@pytest.mark.parametrize(
    "entries",
    [
        (["conclusion"],), ([*FIRST, 1],), (None,), (["conclusion", "right - left"],), ([0, "right - left"],),
        (FIRST, FIRST), (FIRST, [1, "left - right"]), (FIRST, [2, "right - left"]), (FIRST, [-1, "right - left"]),
        (FIRST, [True, "right - left"]), (FIRST, [0, "left - right"]), (FIRST, [0]), (FIRST, ["0", "right - left"]),
    ],
)  # fmt: skip
def test_any_other_output_is_refused(entries: Any) -> None:
    with pytest.raises(UnreadableCertificate, match="must be"):
        outputs(*entries)


def test_strictness_is_that_of_the_conclusion() -> None:
    assert outputs(FIRST, strict=True, conclusion=(">", X, "0"))
    for strict, op in ((True, ">="), (False, ">")):
        with pytest.raises(UnreadableCertificate, match="strict"):
            outputs(FIRST, strict=strict, conclusion=(op, X, "0"))
