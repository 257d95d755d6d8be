"""Laws of statements: what is written is read again, any text gets an answer, and nothing false is shown."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import sympy
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.cli import main
from rgm_verify.lenses.solvers.definedness import needs, parts
from rgm_verify.statements.checking import FAULT, check, read
from rgm_verify.statements.meaning import Meaning
from rgm_verify.statements.parser import DEEPEST, parse
from rgm_verify.statements.tokens import LONGEST, StatementError, tokens
from rgm_verify.statements.trees import (
    FUNCTIONS,
    And,
    Call,
    Compare,
    Factors,
    If,
    Iff,
    Name,
    Not,
    Number,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    text,
)

VARIABLES = ("x", "y", "alpha", "n_1", "eps", "N", "gamma")
SIGNS = ("<=", "<", ">=", ">", "=", "!=")

numbers = st.builds(lambda n, k: Number(Fraction(n, 10**k)), st.integers(0, 10**6), st.integers(0, 4))
names = st.sampled_from(VARIABLES).map(Name)


def _terms(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    signed = st.tuples(st.sampled_from("+-"), parts)
    several = st.lists(signed, min_size=2, max_size=3).map(lambda p: Terms(tuple(p)))
    return several | parts.map(lambda part: Terms((("-", part),)))


def _factors(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    rest = st.lists(st.tuples(st.sampled_from("*/"), parts), min_size=1, max_size=2)
    return st.builds(lambda first, more: Factors((("*", first), *more)), parts, rest)


def _calls(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    def call(name: str, arguments: list[Any]) -> Call:
        return Call(name, tuple(arguments[: FUNCTIONS[name][0]]))

    return st.builds(call, st.sampled_from(sorted(FUNCTIONS)), st.lists(parts, min_size=2, max_size=2))


def _larger(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    kinds = st.sampled_from(("sum", "product", "integral"))
    series = st.builds(Series, kinds, st.sampled_from(("k", "t")), parts, parts, parts)
    return st.one_of(_terms(parts), _factors(parts), st.builds(Power, parts, parts), _calls(parts), series)


constants = st.sampled_from(("pi", "e")).map(Name)
expressions = st.recursive(numbers | names | constants, _larger, max_leaves=6)


def _compare(sides: list[Any], signs: list[str]) -> Compare:
    # A chain of != alone is refused.
    signs = ["!=", "<"] if signs == ["!=", "!="] else signs
    return Compare(tuple(sides), tuple(signs[: len(sides) - 1]))


comparisons = st.builds(
    _compare, st.lists(expressions, min_size=2, max_size=3), st.lists(st.sampled_from(SIGNS), min_size=2, max_size=2)
)


def _formulas(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        several.map(And), several.map(Or), parts.map(Not), st.builds(If, parts, parts), st.builds(Iff, parts, parts)
    )


formulas = st.recursive(comparisons, _formulas, max_leaves=4)
sorts = st.builds(Sort, st.sampled_from(VARIABLES), st.sampled_from(("real", "integer")))
ends = st.builds(
    lambda name, sign, value: Compare((name, value), (sign,)), names, st.sampled_from(SIGNS), numbers | names
)


def may_mean_two_things(given: tuple[Any, ...]) -> bool:
    """Return whether two items beside each other look like `0 < p, q < 1`, which is refused."""
    for first, second in itertools.pairwise(given):
        two = isinstance(first, Compare) and isinstance(second, Compare)
        if two and len(first.sides) == len(second.sides) == 2:
            inner = isinstance(first.sides[1], Name) and isinstance(second.sides[0], Name)
            if inner and not isinstance(first.sides[0], Name):
                return True
    return False


givens = st.lists(sorts | ends | formulas, max_size=4).map(tuple).filter(lambda g: not may_mean_two_things(g))
statements = st.builds(Statement, formulas, givens, st.booleans())

# ------------------------------------------------------------------------------------------------ arithmetic


def _arithmetic(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    small = st.integers(0, 3).map(lambda n: Number(Fraction(n)))
    exponents = small | small.map(lambda n: Terms((("-", n),)))
    extremes = st.builds(lambda name, a, b: Call(name, (a, b)), st.sampled_from(("min", "max")), parts, parts)
    absolute = parts.map(lambda part: Call("abs", (part,)))
    return st.one_of(_terms(parts), _factors(parts), st.builds(Power, parts, exponents), extremes, absolute)


small_numbers = st.builds(lambda n, k: Number(Fraction(n, 10**k)), st.integers(0, 12), st.integers(0, 1))
arithmetic = st.recursive(small_numbers | st.sampled_from("xy").map(Name), _arithmetic, max_leaves=5)


def value(tree: Any, at: dict[str, Fraction]) -> Fraction | None:
    """Return the value of an arithmetic tree; None where a part of it has none."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Name):
        return at[tree.name]
    inner = {Power: ("base", "exponent")}.get(type(tree))
    children = [getattr(tree, n) for n in inner] if inner else _children(tree)
    values = [value(child, at) for child in children]
    if None in values:
        return None
    match tree:
        case Terms(parts):
            return sum((v if sign == "+" else -v for (sign, _), v in zip(parts, values, strict=True)), Fraction(0))
        case Factors(parts):
            if any(sign == "/" and v == 0 for (sign, _), v in zip(parts, values, strict=True)):
                return None
            return math.prod(v if sign == "*" else 1 / v for (sign, _), v in zip(parts, values, strict=True))
        case Power():
            base, exponent = values
            return None if base == 0 and exponent < 0 else Fraction(base ** int(exponent))
    return Fraction({"abs": lambda v: abs(v[0]), "min": min, "max": max}[tree.name](values))


def _children(tree: Any) -> list[Any]:
    return list(tree.arguments) if isinstance(tree, Call) else [part for _, part in tree.parts]


def holds(tree: Compare, at: dict[str, Fraction]) -> bool:
    """Return whether a chain of arithmetic sides holds; where a side has no value, it does not."""
    sides = [value(side, at) for side in tree.sides]
    if None in sides:
        return False
    compare = {
        "<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b,
        "=": lambda a, b: a == b, "!=": lambda a, b: a != b,
    }  # fmt: skip
    return all(compare[sign](a, b) for a, sign, b in zip(sides[:-1], tree.signs, sides[1:], strict=True))


# ------------------------------------------------------------------------------------------------ laws

GRID = [Fraction(t) for t in ("-3", "-1", "-1/2", "0", "1/3", "1", "2", "7/2")]
WORDS = (
    "x y n 0 1 2 0.5 1e3 . + - * / ^ ** ( ) [ ] , : | < <= > >= = == != => ! √ π ² ⁻¹ ≤ ∈ ∞ ℝ for all if then and or "
    "not iff implies there is with given where some in real integer natural positive sum( integral( sqrt( log( exp( "
    "max( gamma( e pi k, 0, infinity such that sqrtt f( & ; # \\n"
).split(" ")


@given(statements)
def test_what_is_written_is_read_as_the_same_tree(statement: Statement) -> None:
    assert parse(text(statement)) == statement


@given(expressions)
def test_an_expression_is_read_as_the_same_tree(expression: Any) -> None:
    written = f"{text(expression)} >= 0"
    assert parse(written).says == Compare((expression, Number(Fraction(0))), (">=",))


texts = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


def understood(written: str) -> tuple[Statement, Meaning] | None:
    """Read a text; None where it is refused, with a column inside of it and a caret below that column."""
    try:
        return read(written)
    except StatementError as refused:
        error = refused
    assert 1 <= error.column <= len(written) + 1
    # A doubtful text has its readings behind the caret.
    first, shown, caret, *_ = str(error).split("\n")
    assert first == f"column {error.column}: {error.problem}"
    assert caret.strip() == "^"
    assert len(shown) + 1 >= len(caret)
    return None


@settings(max_examples=300)
@given(texts)
def test_any_text_is_a_statement_or_an_error_with_a_column(written: str) -> None:
    found = understood(written)
    if found is not None:
        tree, meaning = found
        assert parse(text(tree)) == tree
        assert parse(text(meaning.read_as)).says == tree.says


@settings(max_examples=200)
@given(statements)
def test_any_tree_has_a_meaning_or_an_error_with_a_column(statement: Statement) -> None:
    understood(text(statement))


@given(statements, st.data())
def test_a_damaged_statement_is_a_statement_or_an_error_with_a_column(statement: Statement, data: Any) -> None:
    written = text(statement)
    at = data.draw(st.integers(0, len(written)))
    damage = data.draw(st.sampled_from(["", "(", ")", "|", " x", "1", ",", "<", " and ", "^", "∑", "\0", "é"]))
    cut = data.draw(st.integers(0, 3))
    understood(written[:at] + damage + written[at + cut :])


lines = st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
HOSTILE = [
    "(" * 10_000 + "x > 0", "9^9^9^9 > 0", "2^(10^9) > 0", "10^400 > 1", "1" * 5_000 + " > 0", "x\0 > 0", "\ud800 > 0",
    "", "x + " * 3_000 + "0 > 0", "\ufeffx > 1", "x^(x^(x^x)) > 0 for x > 0", "(10^9)! > 0", "sum(k, 1, 10^30, k) > 0",
]  # fmt: skip


@settings(max_examples=12)
@given(
    st.lists(lines | statements.map(text).map(lambda written: f"{written} <") | st.sampled_from(HOSTILE), max_size=5)
)
def test_no_text_keeps_the_statements_beside_it_from_being_judged(beside: list[str]) -> None:
    arguments = ["1 < 2", *(written for written in beside if written[:1] != "-"), "2 < 1"]
    result = CliRunner().invoke(main, ["check", "--json", "--seconds", "5", "--", *arguments])
    assert isinstance(result.exception, SystemExit), result.exception
    answers = json.loads(result.stdout)["answers"]
    assert len(answers) == len(arguments)
    assert {a["kind"] for a in answers} <= {"answer", "doubtful", "not read"}, answers
    assert [answers[at]["verdict"] for at in (0, -1)] == ["proved", "refuted"]
    assert result.exit_code == (1 if all(a["kind"] == "answer" for a in answers) else 2)


@given(st.sampled_from(["(", "-", "|", "2^", "sqrt(", "not ", "if x > 0 then ", "√", "exp("]), st.integers(1, LONGEST))
def test_depth_is_bounded(opening: str, times: int) -> None:
    written = f"{opening * times}x > 0"
    found = understood(written)
    assert found is None or times <= DEEPEST


@given(st.text(alphabet="0123456789.e+- xα²", max_size=40))
def test_words_cover_the_text_but_for_blanks(written: str) -> None:
    try:
        found = tokens(written)
    except StatementError:
        return
    assert found[-1].kind == "end"
    assert [t.position for t in found] == sorted(t.position for t in found)


@settings(max_examples=150)
@given(arithmetic, st.tuples(st.sampled_from(GRID), st.sampled_from(GRID)))
def test_an_expression_has_the_value_that_fractions_give_and_no_condition_is_lost(tree: Any, point: Any) -> None:
    at = dict(zip("xy", point, strict=True))
    expected = value(tree, at)
    found = understood(f"{text(tree)} = y + x + 1000")
    assume(found is not None)
    assert found is not None
    meaning = found[1]
    if meaning.undefined:  # it has a value nowhere
        assert expected is None
        return
    relation = meaning.claim.conclusion
    values = {v.symbol: sympy.Rational(*at[v.symbol.name].as_integer_ratio()) for v in meaning.claim.variables}
    conditions = [r for node in parts(relation.lhs) for r in needs(node)]
    defined = all(_holds_at(r, values) for r in conditions)
    assert defined is (expected is not None)
    if expected is not None:
        assert relation.lhs.subs(values).doit() == sympy.Rational(expected.numerator, expected.denominator)


def _holds_at(condition: Any, values: Any) -> bool:
    gap = condition.gap.subs(values)
    if not gap.is_Rational:  # a part of the condition has no value, and has a condition of its own
        return False
    return bool({">": gap > 0, ">=": gap >= 0, "!=": gap != 0, "<": gap > 0, "<=": gap >= 0}[condition.op])


chains = st.builds(lambda a, b, sign: Compare((a, b), (sign,)), arithmetic, arithmetic, st.sampled_from(SIGNS))


@settings(max_examples=25)
@given(chains, st.sampled_from(("", " for x, y > 0", " for x, y in [-3, 2]", " for x, y integer")))
def test_nothing_with_a_counterexample_is_shown_and_every_counterexample_is_one(chain: Compare, domain: str) -> None:
    written = text(chain) + domain
    try:
        answer = check(written, seconds=5)
    except StatementError:
        return
    assert not answer.reason.startswith(FAULT), (written, answer.reason)
    inside = {
        "": lambda v: True, " for x, y > 0": lambda v: v > 0, " for x, y in [-3, 2]": lambda v: -3 <= v <= 2,
        " for x, y integer": lambda v: v.denominator == 1,
    }[domain]  # fmt: skip
    points = [dict(zip("xy", p, strict=True)) for p in itertools.product(filter(inside, GRID), repeat=2)]
    if any(not holds(chain, at) for at in points):
        assert not answer.shown, written
    if answer.counterexample is not None:
        at = {"x": Fraction(1), "y": Fraction(1)}
        at |= {name: Fraction(text) for name, text in answer.counterexample.values.items()}
        assert not holds(chain, at), (written, at)
        assert answer.verdict is Verdict.REFUTED
