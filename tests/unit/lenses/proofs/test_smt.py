"""Limits of the word "proved": everything it is asked about must be defined, and nothing may define itself."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
import sympy
import z3

from rgm_verify.claims import All, Formula, Iff, Implies, both, either, eq, ge, gt, le, lt, ne
from rgm_verify.errors import OutOfTime
from rgm_verify.lenses.solvers.smt import (
    NotArithmetic,
    SmtResult,
    Translation,
    in_order,
    patience,
    prove,
    satisfiable,
    undefined,
)

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


# ------------------------------------------------------------------------------------------------ limits


@pytest.fixture
def settings_made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The settings that solvers are told, while they go on as ever."""
    told: list[tuple[object, ...]] = []
    original = z3.Solver.set

    def record(self: z3.Solver, *what: object) -> None:
        told.append(what)
        original(self, *what)

    monkeypatch.setattr(z3.Solver, "set", record)
    return told


def test_each_question_gets_half_of_the_steps_and_a_clock_that_waits_for_what_is_alone(
    settings_made: list[tuple[object, ...]],
) -> None:
    question = ge(x**2 + y**2, 2 * x * y)
    for mode, times in ((None, 1), (False, 1), (True, 3)):
        for steps, milliseconds in ((10_000_000, 50_000), (1_000, 20_000)):
            settings_made.clear()
            with nullcontext() if mode is None else patience(alone=mode):
                prove([], question, steps=steps)
            assert ("rlimit", steps // 2) in settings_made
            assert {what for what in settings_made if what[0] == "timeout"} == {("timeout", times * milliseconds)}
    settings_made.clear()
    prove([], question, steps=1)
    assert ("rlimit", 1) in settings_made


def test_where_the_clock_runs_out_there_is_no_answer_or_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ge(x**2 + y**2, 2 * x * y)
    monkeypatch.setattr(z3.Solver, "check", lambda self: z3.unknown)
    for reason, raises in (("timeout", True), ("canceled", False)):
        monkeypatch.setattr(z3.Solver, "reason_unknown", lambda self, reason=reason: reason)
        assert prove([], question, steps=STEPS).answer == "unknown"
        with patience(alone=True):
            assert prove([], question, steps=STEPS).answer == "unknown"
        with patience(alone=False):
            if raises:
                with pytest.raises(OutOfTime, match=r"took more than 20\.0 s for one question"):
                    prove([], question, steps=STEPS)
            else:
                assert prove([], question, steps=STEPS).answer == "unknown"
        assert prove([], question, steps=STEPS).answer == "unknown"


# ------------------------------------------------------------------------------------------------ models

n = sympy.Symbol("n", integer=True)


@pytest.mark.parametrize(
    ("given", "goal", "point"),
    [
        ([eq(x, sympy.Rational(1, 3))], ge(x, 1), {x: sympy.Rational(1, 3)}),
        ([eq(x**2, 2), gt(x, 0)], ge(x, 2), {x: root(2)}),
        ([eq(x**2, 2), lt(x, 0)], ge(x, 2), {x: -root(2)}),
        ([eq(x**3, 2)], ge(x, 2), {x: sympy.CRootOf(sympy.Poly(x**3 - 2, x), 0)}),
        ([ge(n, sympy.Rational(1, 3)), lt(n, 2)], ge(n, 2), {n: sympy.Integer(1)}),
        ([eq(n**2, 2)], ge(n, 2), None),
        ([eq(2 * n, 1)], ge(n, 2), None),
        ([gt(n, sympy.Rational(3, 2)), lt(n, sympy.Rational(9, 4)), eq(y, 2 * n)], ge(y, 9), {n: 2, y: 4}),
    ],
)
def test_a_model_is_exact_and_of_integers_where_integers_are_asked_for(
    given: list[Formula], goal: Formula, point: dict[sympy.Symbol, sympy.Expr] | None
) -> None:
    found = ask(given, goal)
    assert found.answer == "refuted"
    if point is None:
        assert found.model is None
    else:
        assert found.model is not None
        assert set(found.model) == set(point)
        assert all(abs(sympy.N(found.model[s] - value, 30)) < 1e-25 for s, value in point.items())


def test_a_model_is_rational_where_it_can_be() -> None:
    found = ask([gt(x**2, 2), lt(x**2, 3)], ge(x**2, 3))
    assert found.model is not None
    value = found.model[x]
    assert value.is_Rational
    assert 2 < value**2 < 3
    both_values = ask([eq(x**2 + y**2, 1), gt(x, 0), gt(y, 0)], gt(x + y, 2))
    assert both_values.model is not None
    assert sympy.simplify(both_values.model[x] ** 2 + both_values.model[y] ** 2) == 1


_A, _B, _C = sympy.symbols("a b c", real=True)
_BOUNDS = {_A: [ge(_A, 0)], _B: [gt(_B, 0), le(_B, 3)], _C: [ge(_C, 1)]}
_REST = [le(_B * _C, 2), ge(root(_A) + _C**2, _B)]


@pytest.mark.parametrize("goal", [le(_A * _B, _C**3), le(_A * _B, _A * _C)])
def test_a_question_has_one_text_in_whatever_order_the_variables_are_declared(
    monkeypatch: pytest.MonkeyPatch, goal: Formula
) -> None:
    asked: list[str] = []

    def kept(constraints: list[Any], steps: int) -> tuple[Any, Any]:
        asked.append("\n".join(c.sexpr() for c in constraints))
        return z3.unknown, z3.Solver()

    monkeypatch.setattr("rgm_verify.lenses.solvers.smt._check", kept)
    texts = set()
    for declared in permutations(_BOUNDS):
        asked.clear()
        prove([bound for variable in declared for bound in _BOUNDS[variable]] + _REST, goal, steps=10)
        texts.add(tuple(asked))
    assert len(texts) == 1
    assert all(texts)


def test_a_short_look_in_the_order_of_the_names_comes_first_where_it_is_another(
    settings_made: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(z3.Solver, "check", lambda self: z3.unknown)
    monkeypatch.setattr(z3.Solver, "reason_unknown", lambda self: "canceled")
    for goal, limits in ((le(_A * _B, _A), [500, 500, 2000, 2000]), (le(_A, _B), [2000, 2000])):
        settings_made.clear()
        assert prove([ge(_A, 0), ge(_B, 0)], goal, steps=4000).answer == "unknown"
        assert [limit for what, limit in settings_made if what == "rlimit"] == limits


def test_bounds_come_first_the_lowest_degree_before_the_others_and_the_rest_stays() -> None:
    given = [_REST[0], ge(_C, 1), gt(_B, 0), le(_B, 3), _REST[1], ge(_A, 0)]
    assert in_order(given, le(_A * _B, 1)) == [ge(_A, 0), gt(_B, 0), le(_B, 3), ge(_C, 1), *_REST]
    assert in_order(given, le(_A**5, 1))[-3:] == [ge(_A, 0), *_REST]
    assert in_order([]) == []


@pytest.mark.parametrize("other", [le(_A, _B), le(2 * _A, 1), le(3, _A), both(ge(_A, 0), le(_A, 1)), le(_A, root(2))])
def test_only_a_variable_beside_a_number_is_a_bound(other: Formula) -> None:
    assert in_order([other, ge(_C, 1)]) == [ge(_C, 1), other]


@pytest.mark.parametrize(
    "term",
    [sympy.uppergamma(x, 1), sympy.uppergamma(x, y), sympy.gamma(x), sympy.factorial(x), sympy.harmonic(x)],
    ids=str,
)
def test_that_a_term_has_a_value_says_nothing_that_it_has_values_without(term: sympy.Expr) -> None:
    assert ask([gt(term, 0)], gt(x, 0), atoms=True).answer != "proved"
    assert ask([gt(term, 0)], gt(x, -1), atoms=True).answer != "proved"
    assert ask([gt(log(x), 0)], gt(x, 0), atoms=True).answer == "proved"
