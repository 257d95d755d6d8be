"""Enclosures hold the value, at every precision and for every operation."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from fractions import Fraction

import mpmath
import pytest
import sympy
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rgm_verify.balls.arithmetic import ball, log_moment, precision, rational_ends, root_from_zero
from rgm_verify.balls.branch import certify
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.differentiation import differentiate_output
from rgm_verify.balls.enclose import Enclosure, enclose, evaluate_many, sign_at
from rgm_verify.balls.evaluation import compile_balls
from rgm_verify.balls.program import Program, UnsupportedExpression
from rgm_verify.balls.replay import replay
from rgm_verify.balls.special import MPMATH_FUNCTIONS, LogRemainder, LogRemainderD, LogRemainderMoment
from rgm_verify.claims.written.trees import inequality_on_box

x, y = sympy.symbols("x y", positive=True)
rationals = st.fractions(min_value=Fraction(1, 50), max_value=20, max_denominator=97)

# Every constructor takes positive values to a positive value, so that all compositions are defined everywhere.
UNARY = (
    sympy.sqrt,
    lambda e: e ** sympy.Rational(2, 3),
    lambda e: e**2,
    lambda e: e**-3,
    lambda e: sympy.exp(-e),
    lambda e: sympy.log(1 + e),
    sympy.tanh,
    sympy.erf,
    lambda e: sympy.erfc(e / (1 + e)),
    lambda e: sympy.cosh(e / (1 + e)),
    lambda e: sympy.sinh(e / (1 + e)),
    lambda e: 2 + sympy.sin(e),
    lambda e: 2 - sympy.cos(e),
    lambda e: sympy.gamma(1 + e / (1 + e)),
    lambda e: 1 + sympy.loggamma(2 + e / (1 + e)),
    lambda e: LogRemainder(1, e),
    lambda e: LogRemainder(3, e / 1000),
    lambda e: LogRemainderD(2, e),
    lambda e: LogRemainderMoment(2, 3, -e / (2 + e)),
)
BINARY = (
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a / (1 + b),
    lambda a, b: a ** (b / (1 + b)),
    sympy.Min,
    sympy.Max,
    lambda a, b: sympy.Abs(a - b) + 1,
)
leaves = st.one_of(
    st.sampled_from([x, y, sympy.pi, sympy.E]),
    rationals.map(lambda q: sympy.Rational(q.numerator, q.denominator)),
)
positive = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(UNARY), inner).map(lambda pair: pair[0](pair[1])),
        st.tuples(st.sampled_from(BINARY), inner, inner).map(lambda three: three[0](three[1], three[2])),
    ),
    max_leaves=5,
).filter(lambda e: all(max(abs(n.p), n.q).bit_length() < 10_000 for n in e.atoms(sympy.Rational)))


def _mpmath_interval(expression, point, digits=60):
    """Return mpmath's value with the change that thirty more digits make as its error."""
    function = sympy.lambdify((x, y), expression, modules=[MPMATH_FUNCTIONS, "mpmath"])
    values = []
    for more in (0, 30):
        with mpmath.workdps(digits + more):
            found = mpmath.mpf(function(*(mpmath.mpf(q.numerator) / q.denominator for q in point)))
            sign, man, exponent, _ = found._mpf_
            values.append((-1) ** sign * man * Fraction(2) ** exponent)
    error = 2 * abs(values[0] - values[1])
    return Enclosure(values[0] - error, values[0] + error)


@settings(max_examples=100)
@given(positive, positive, rationals, rationals)
def test_enclosures_hold_the_value_that_mpmath_finds(first, second, at_x, at_y):
    expression = first - second
    found = enclose(expression, {x: at_x, y: at_y}, digits=25, maximum_bits=512)
    assert found.overlaps(_mpmath_interval(expression, (at_x, at_y)))


@settings(max_examples=60)
@given(positive, rationals, rationals)
def test_a_higher_precision_gives_an_overlapping_and_no_wider_enclosure(expression, at_x, at_y):
    program = compile_expressions([expression], [x, y])
    coarse, fine = (evaluate_many(program, [(at_x, at_y)], bits)[0] for bits in (53, 300))
    assert coarse.overlaps(fine)
    if coarse.width() is not None:
        assert fine.width() is not None
        assert fine.width() <= coarse.width()


@settings(max_examples=60)
@given(positive, rationals, rationals)
def test_the_differentiated_program_agrees_with_the_symbolic_derivative(expression, at_x, at_y):
    program = compile_expressions([expression], [x, y])
    gradient = differentiate_output(program)
    for variable, output in zip((x, y), gradient.outputs, strict=True):
        ours = evaluate_many(Program(gradient.names, gradient.ops, (output,)), [(at_x, at_y)], 256)[0]
        symbolic = sympy.diff(expression, variable)
        if symbolic.has(sympy.Heaviside, sympy.Derivative):
            continue
        theirs = enclose(symbolic, {x: at_x, y: at_y}, maximum_bits=256)
        assert ours.overlaps(theirs)
        assert ours.indeterminate == theirs.indeterminate


@given(st.integers(1, 6), st.fractions(min_value=Fraction(-9, 10), max_value=30, max_denominator=10**6))
def test_log_remainders_satisfy_their_recurrence(n, at):
    residual = x * LogRemainder(n + 1, x) + LogRemainder(n, x) - sympy.Rational(1, n)
    found = enclose(residual, {x: at}, maximum_bits=256)
    assert found.contains(0)
    assert found.width() is not None


@settings(max_examples=60)
@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.fractions(min_value=Fraction(-9, 10), max_value=30, max_denominator=10**9).filter(bool),
)
def test_log_remainders_are_their_closed_form_away_from_zero(a, b, at):
    moment = LogRemainderMoment(a, b, x)
    assert enclose(moment, {x: at}).overlaps(enclose(moment.doit(), {x: at}, digits=40))


@given(st.integers(1, 5), st.integers(1, 3), st.sampled_from([-1, 1]), st.integers(1, 400))
def test_log_remainders_are_continuous_at_zero(a, b, side, exponent):
    at = Fraction(side, 2**exponent)
    found = enclose(LogRemainderMoment(a, b, x), {x: at / 2}, digits=30)
    # |derivative| = b * moment(a + 1, b + 1) <= b 2^(b+1) on |x| <= 1/2.
    reach = b * 2 ** (b + 1) * abs(at)
    assert found.overlaps(Enclosure(Fraction(1, a) - reach, Fraction(1, a) + reach))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_log_remainders_decrease_and_stay_positive(n):
    points = [Fraction(-99, 100), Fraction(-1, 10**6), Fraction(0), Fraction(1, 10**6), Fraction(1, 3), Fraction(10**6)]
    values = [enclose(LogRemainder(n, x), {x: at}) for at in points]
    assert all(value.sign() == "positive" for value in values)
    assert all(left.lower > right.upper for left, right in itertools.pairwise(values))


def test_the_derivative_of_a_log_remainder_is_analytic_at_zero():
    t = sympy.Symbol("t", real=True)
    assert sympy.diff(LogRemainder(3, t), t) == -LogRemainderD(3, t)
    assert sympy.diff(LogRemainder(3, t), t, 2).subs(t, 0) == sympy.Rational(2, 5)
    assert LogRemainder(3, 0) == sympy.Rational(1, 3)
    closed = sympy.diff(LogRemainder(3, t).rewrite(sympy.log), t) - sympy.diff(LogRemainder(3, t), t).rewrite(sympy.log)
    assert sympy.simplify(closed) == 0


@pytest.mark.parametrize("order", [0, -1, sympy.Rational(1, 2)])
def test_a_log_remainder_of_no_order_is_refused(order):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        LogRemainder(order, x)


def test_log_remainders_print_as_latex():
    assert sympy.latex(LogRemainder(2, x)) == r"\Lambda_{2}\left(x\right)"
    assert sympy.latex(LogRemainder(2, x) ** 3) == r"\Lambda_{2}^{3}\left(x\right)"


@given(st.integers(1, 4), st.integers(1, 3), st.fractions(min_value=Fraction(-9, 10), max_value=100))
def test_the_float_form_of_a_log_remainder_is_within_its_stated_loss(a, b, at):
    from rgm_verify.balls.special import NUMPY_FUNCTIONS

    rounded = Fraction(float(at))
    if rounded <= -1 or 0 < abs(rounded) < Fraction(1, 2**1000):
        return
    value = Fraction(float(NUMPY_FUNCTIONS["LogRemainderMoment"](a, b, float(rounded))))
    truth = enclose(LogRemainderMoment(a, b, x), {x: rounded})
    # The recurrence doubles its number of terms at each of its steps and each loses two bits; 8 roundings a step.
    error = truth.upper * Fraction(8 * 8 ** (a + b), 2**53)
    assert truth.overlaps(Enclosure(value - error, value + error))


def test_a_float_is_refused_with_the_exact_alternative():
    with pytest.raises(TypeError, match=r"x=0.1: a float is not accepted, give Fraction\('0.1'\)"):
        enclose(x, {x: 0.1})
    with pytest.raises(UnsupportedExpression, match="a float is not exact"):
        enclose(x + sympy.Float("0.1"), {x: 1})


@pytest.mark.parametrize(
    ("expression", "name"),
    [(sympy.airyai(x), "airyai"), (sympy.Symbol("w") + x, "w"), (x + sympy.I, "I"), (sympy.oo, "oo")],
)
def test_what_no_ball_can_evaluate_is_refused_by_name(expression, name):
    with pytest.raises(UnsupportedExpression, match=name):
        enclose(expression, {x: Fraction(1, 2)})


@settings(max_examples=60)
@given(st.integers(2, 40), st.integers(-1023, 1023).map(lambda k: Fraction(k, 4096)), st.sampled_from([32, 64, 128]))
@example(30, Fraction(255, 1024), 64)
def test_a_log_moment_holds_its_exact_value_where_the_series_ends_early(b, at, bits):
    """Near 1/4 the tail of the series is most of the radius: without it the ball misses the value."""
    assume(at)
    exact_value = (1 - (1 + at) ** (1 - b)) / ((b - 1) * at)
    with precision(bits):
        low, high = rational_ends(log_moment(1, b, ball(at)))
    assert low is not None
    assert high is not None
    assert low <= exact_value <= high


@pytest.mark.parametrize("order", [3, 4, 5])
@pytest.mark.parametrize(("low", "high"), [(-1, 1), (-2, -1), (Fraction(-1, 10**6), 5), (-3, 0)])
def test_the_root_of_a_ball_that_reaches_below_zero_is_indeterminate(order, low, high):
    with precision(64):
        reaching = ball(Fraction(low)).union(ball(Fraction(high)))
        assert not root_from_zero(reaching, order).is_finite()
        assert root_from_zero(reaching.union(ball(Fraction(4))).nonnegative_part(), order).is_finite()


@pytest.mark.parametrize("order", [2, 3, 5])
def test_a_root_of_an_exact_zero_is_zero_and_of_a_ball_from_zero_it_holds_all_roots(order):
    assert enclose(sympy.root(x, order) + sympy.exp(x), {x: 0}) == Enclosure(Fraction(1), Fraction(1))
    with precision(64):
        assert root_from_zero(ball(Fraction(0)), order) == 0
        for top in (Fraction(2), Fraction(1, 10**9)):
            low, high = rational_ends(root_from_zero(ball(Fraction(0)).union(ball(top)).nonnegative_part(), order))
            assert low == 0
            assert top <= high**order <= top * (1 + Fraction(1, 10**6))


def test_an_inequality_with_a_root_is_certified_on_an_axis_that_is_fixed_at_zero():
    box = {"x": (Fraction(0), Fraction(0))}
    about = inequality_on_box("test:root", 1 - sympy.root(x, 3), box)
    found = certify(1 - sympy.root(x, 3), box, subject=about)
    assert found.status == "certified"
    assert replay(found.certificate.to_json()).accepted


def test_the_sign_of_a_ball_that_holds_zero_is_every_sign():
    """At an exact 0 as well: it is the generalised gradient of |x| at its kink."""
    program = Program(("x",), (("var", 0), ("sgn", 0)), (1,))
    with precision(64):
        evaluate = compile_balls(program)
        for around in (ball(Fraction(0)), ball(Fraction(-1)).union(ball(Fraction(2)))):
            (found,) = evaluate(around)
            low, high = rational_ends(found)
            assert low <= -1
            assert high >= 1
        assert [rational_ends(evaluate(ball(Fraction(side)))[0]) for side in (2, -3)] == [(1, 1), (-1, -1)]


@pytest.mark.parametrize("expression", [1 / (x - 1), sympy.log(x - 1), sympy.sqrt(x - 2), (x - 2) ** sympy.pi])
def test_a_value_outside_the_domain_is_indeterminate(expression):
    found = enclose(expression, {x: 1}, maximum_bits=128)
    assert found.indeterminate
    assert found.sign() == "unknown"
    assert str(found) == "[indeterminate]"


def test_signs_are_certain_or_unknown():
    assert sign_at(x**2 - 2, {x: Fraction(3, 2)}) == "positive"
    assert sign_at(sympy.exp(-x) - 1, {x: Fraction(1, 10**300)}) == "negative"
    assert sign_at(x - 3, {"x": 3}) == "zero"
    assert sign_at(sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1, {x: 3}, maximum_bits=256) == "unknown"


def test_an_enclosure_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="sign"):
        bool(Enclosure(Fraction(1), Fraction(2)))


@given(st.fractions(), st.fractions(min_value=0))
def test_decimals_are_rounded_outward_and_json_is_exact(lower, width):
    interval = Enclosure(lower, lower + width)
    low, high = (Fraction(text) for text in interval.decimals(3))
    assert low <= interval.lower
    assert interval.upper <= high
    assert Enclosure.from_json(json.loads(json.dumps(interval.to_json()))) == interval
    printed = [Fraction(part) for part in str(interval).strip("[]").split(", ")]
    assert printed[0] <= interval.lower
    assert interval.upper <= printed[-1]


def test_a_half_line_keeps_its_finite_end():
    half = Enclosure(Fraction(1), None)
    assert half.sign() == "positive"
    assert half.width() is None
    assert Enclosure.from_json(half.to_json()) == half
    assert str(half) == "[1, inf]"
    assert not half.overlaps(Enclosure(None, Fraction(1, 2)))


def test_common_subexpressions_are_evaluated_once():
    program = compile_expressions([sympy.log(1 + x) / x + sympy.exp(sympy.log(1 + x) ** 2), 1 + x], [x])
    assert [op[0] for op in program.ops].count("log") == 1
    assert len(set(program.ops)) == len(program.ops)


def test_programs_do_not_depend_on_the_hash_seed(root):
    code = (
        "import sympy; from rgm_verify.balls.compiling import compile_expressions;"
        "s = sympy.symbols('a b c d');"
        "e = sympy.Max(*s) + sympy.Min(s[0], s[1] * s[2], s[3]) + sum(sympy.log(1 + t) for t in s);"
        "print(compile_expressions([e], s))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


def test_a_constant_too_long_to_be_written_is_refused_with_the_reason():
    with pytest.raises(UnsupportedExpression, match="more than 14000 bits"):
        compile_expressions([x + sympy.Integer(3) ** 20_000], [x])
