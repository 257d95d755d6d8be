"""What the solver may call proved: everything it is asked about must be defined, and nothing may define itself."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from rgm_verify.claims import All, Formula, Iff, Implies, both, either, eq, ge, gt, le, lt, ne
from rgm_verify.lenses.smt import NotArithmetic, SmtResult, Translation, prove, satisfiable, undefined

x, y = sympy.symbols("x y", real=True)
root, log, exp = sympy.sqrt, sympy.log, sympy.exp
STEPS = 4_000_000


def ask(given: list[Formula], goal: Formula, *, atoms: bool = False) -> SmtResult:
    return prove(given, goal, steps=STEPS, atoms=atoms)


def quotient(numerator: sympy.Expr, denominator: sympy.Expr) -> sympy.Expr:
    return sympy.Mul(numerator, sympy.Pow(denominator, -1, evaluate=False), evaluate=False)


TRUE: list[tuple[str, list[Formula], Formula]] = [
    ("squares", [], ge(x**2 + y**2, 2 * x * y)),
    ("roots", [ge(x, 1)], eq(root(x - 1) * root(x + 1), root(x**2 - 1))),
    ("nested roots", [ge(x, 0)], ge(root(root(x) + 1), 1)),
    ("a root's sign", [ge(x, 0)], ge(root(x), 0)),
    ("negative half powers", [gt(x, 0)], gt(x ** sympy.Rational(-1, 2), 0)),
    ("negative powers", [gt(x, 1)], lt(x**-2, 1)),
    ("division", [ne(x, 0)], eq(quotient(x, x), 1)),
    ("absolute values", [], ge(sympy.Abs(x), x)),
    ("maximum", [], eq(sympy.Max(x, y) + sympy.Min(x, y), x + y)),
    ("three arguments", [], ge(sympy.Max(x, y, x + y), y)),
    ("a root assumed to exist", [ge(root(x), 1)], ge(x, 1)),
    ("cases", [either(le(x, 0), ge(x, 1))], ge(x**2, x)),
    ("implication", [Implies(ge(x, 0), ge(y, 1)), gt(x, 0)], gt(y, 0)),
    ("equivalence", [Iff(ge(x, 0), ge(y, 1)), gt(y, 2)], ge(x, 0)),
    ("all parts", [All((ge(x, 0), ge(y, 0)))], ge(x * y, 0)),
]


@pytest.mark.parametrize(("given", "goal"), [t[1:] for t in TRUE], ids=[t[0] for t in TRUE])
def test_it_proves_what_is_true(given: list[Formula], goal: Formula) -> None:
    assert ask(given, goal).answer == "proved"


UNDEFINED: list[tuple[str, list[Formula], Formula]] = [
    ("x/x at zero", [ge(x, 0)], eq(quotient(x, x), 1)),
    ("a quotient that cancels", [], eq(quotient(x**2 - 1, x - 1), x + 1)),
    ("a root below zero", [ge(x, 0)], ge(root(x - 1), 0)),
    ("a root that its own meaning would justify", [], ge(root(x), 0)),
    ("the inner root of two", [], ge(root(root(x) + 1), 0)),
    ("the outer root of two", [ge(x, 0)], ge(root(root(x) - 1), 0)),
    ("one over a root at zero", [ge(x, 0)], ge(1 / root(x), 0)),
    ("a denominator hidden in a maximum", [], ge(sympy.Max(x, 1 / x), x)),
    ("a root in a case that is not assumed", [either(lt(x, 0), ge(root(x), 1))], ge(root(x), 0)),
    ("a denominator in a case", [either(eq(x, 0), gt(1 / x, 0))], eq(quotient(x, x), 1)),
]


@pytest.mark.parametrize(("given", "goal"), [t[1:] for t in UNDEFINED], ids=[t[0] for t in UNDEFINED])
def test_it_does_not_prove_what_is_undefined_somewhere(given: list[Formula], goal: Formula) -> None:
    result = ask(given, goal)
    assert result.answer == "refuted"
    assert result.model is not None
    assert "could not show that a term is defined" in result.reason


def test_a_root_in_one_case_of_an_assumption_says_nothing_about_the_others() -> None:
    """x = -1 satisfies the assumption, whatever is written in the other case."""
    assert ask([either(lt(x, 0), ge(root(x), 1))], ge(x, 1)).answer == "refuted"
    assert ask([Implies(ge(x, 1), le(root(x - 1), x))], ge(x, 1)).answer == "refuted"
    assert ask([Iff(ge(x, 1), ge(root(x), 1))], ge(x, 0)).answer == "refuted"


@pytest.mark.parametrize(
    "side", [log(x), exp(1 / x), x**y, x ** sympy.Rational(1, 3), log(log(x) + 1), sympy.gamma(x), sympy.asin(x)]
)
def test_unknown_terms_must_be_real_numbers_as_well(side: sympy.Expr) -> None:
    assert ask([], le(side, side + y**2 + 1), atoms=True).answer == "unknown"


@pytest.mark.parametrize("side", [log(x), exp(1 / x), x**y, x ** sympy.Rational(-1, 3), log(log(x + 1) + 1), exp(-x)])
def test_unknown_terms_are_equal_to_themselves(side: sympy.Expr) -> None:
    given = [gt(x, 0), gt(log(x + 1), 0)]
    assert ask(given, le(side, side + y**2), atoms=True).answer == "proved"


@pytest.mark.parametrize(
    ("first", "second"),
    [(exp(x), exp(y)), (exp(x), exp(2 * x)), (exp(x), sympy.sin(x)), (sympy.pi, sympy.E), (exp(x), exp(-x))],
)
def test_different_unknown_terms_are_never_identified(first: sympy.Expr, second: sympy.Expr) -> None:
    assert ask([], eq(first, second), atoms=True).answer == "refuted"
    assert ask([], le(first, second), atoms=True).answer == "refuted"


def test_without_atoms_other_functions_are_outside() -> None:
    assert ask([], gt(exp(x), 0)).answer == "unknown"
    assert "not real arithmetic" in ask([gt(exp(x), 0)], gt(x, 0)).reason
    with pytest.raises(NotArithmetic):
        Translation().term(x**y)


def test_a_power_too_high_to_write_out_is_an_unknown_term() -> None:
    assert ask([gt(x, 1)], gt(x**1_000_000, 0)).answer == "unknown"


def test_a_wrong_claim_is_refuted_by_a_model_that_can_be_read() -> None:
    result = ask([ge(x, 0)], gt(x**2, x))
    assert result.answer == "refuted"
    assert result.model is not None
    value = result.model[x]
    assert value >= 0
    assert value**2 <= value


def test_an_irrational_model_is_given_to_twenty_digits() -> None:
    result = ask([gt(x, 0), eq(x**2, 2)], gt(x, 2))
    assert result.model is not None
    assert abs(result.model[x] ** 2 - 2) < Fraction(1, 10**15)


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ([lt(x, 1), gt(x, 1)], "no"),
        ([ge(root(x), 1), lt(x, 0)], "no"),
        ([ge(log(x), 1), lt(x, -1)], "no"),
        ([eq(1 / x, 2), eq(x, 0)], "no"),
        ([both(gt(x, y), gt(y, x))], "no"),
        ([either(lt(x, 0), ge(root(x), 1)), lt(x, 0)], "yes"),
        ([ge(log(x), 1)], "yes"),
        ([], "yes"),
    ],
)
def test_contradictory_assumptions_are_noticed(given: list[Formula], answer: str) -> None:
    assert satisfiable(given, steps=STEPS) == answer


@pytest.mark.parametrize(
    ("given", "formula", "term"),
    [
        ([], ge(1 / x, 1 / x - 1), "1/x"),
        ([ge(x, 0)], ge(log(x), 0), "log(x)"),
        ([gt(x, 0)], ge(log(x), 0), ""),
        ([gt(x, 0)], ge(log(1 + 1 / x), 0), ""),
        ([], eq(sympy.Integral(exp(-(x**2)), (x, 0, 1)), y), ""),
        ([ge(x, -1)], ge(exp(x) + sympy.Abs(y), 0), ""),
        ([], ge(sympy.gamma(x), 0), "gamma(x)"),
        ([gt(x, 0)], ge(sympy.gamma(x), 0), ""),
        ([gt(x, 0)], ge(sympy.uppergamma(x, y), 0), "uppergamma(x, y)"),
        ([gt(x, 0), ge(y, 0)], ge(sympy.uppergamma(x, y) + sympy.lowergamma(x, y), 0), ""),
    ],
)
def test_definedness_names_the_term_that_was_not_shown_to_be_a_number(
    given: list[Formula], formula: Formula, term: str
) -> None:
    found = undefined(given, formula, steps=STEPS)
    assert found.rpartition(": ")[2] == term


def test_declared_domains_of_symbols_count() -> None:
    p = sympy.Symbol("p", positive=True)
    assert undefined([], ge(log(p) + 1 / p + root(p), 0), steps=STEPS) == ""
    assert undefined([], ge(p**y, 0), steps=STEPS) == ""
    assert undefined([], ge(log(sympy.Symbol("n", nonnegative=True)), 0), steps=STEPS)


def test_a_question_too_hard_for_the_time_is_unknown() -> None:
    z, w = sympy.symbols("z w", real=True)
    hard = x**6 * y + y**6 * z + z**6 * w + w**6 * x + 1000 - 7 * x * y * z * w
    assert prove([ge(v, 0) for v in (x, y, z, w)], ge(hard**3, 1), steps=1).answer == "unknown"
