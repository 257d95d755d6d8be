"""Questions for the second solver mean the formula: z3 reads the questions, and exact points decide them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest
import sympy
import z3

from rgm_verify.balls.binding import At
from rgm_verify.balls.special import LogRemainder, LogRemainderMoment
from rgm_verify.claims import Formula, Iff, Implies, both, either, eq, ge, gt, le, lt, ne
from rgm_verify.lenses.solvers.smt import Answered, prove

from .second_solver import Opinion, Writer, decide

x, y = sympy.symbols("x y", real=True)
p = sympy.Symbol("p", positive=True)
q = sympy.Symbol("q", nonnegative=True)
n = sympy.Symbol("n", integer=True)
k = sympy.Symbol("k", integer=True, nonnegative=True)
R, root = sympy.Rational, sympy.sqrt
f = sympy.Function("f", real=True)


class Reader:
    """z3, given nothing but the questions."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, questions: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
        return [self.one(question) for question in questions]

    def one(self, question: str) -> tuple[str, Mapping[str, str]]:
        self.asked.append(question)
        solver = z3.Solver()
        solver.set("rlimit", 5_000_000)
        solver.from_string(question)
        found = solver.check()
        if found != z3.sat:
            return str(found), {}
        model = solver.model()
        return "sat", {d.name(): str(model[d]) for d in model.decls() if d.name().startswith("x")}


def read(given: list[Formula], goal: Formula, *, atoms: bool = False, defined: bool = False) -> str:
    return decide(Reader(), given, goal, atoms=atoms, goal=not defined)[0]


def agreed(given: list[Formula], goal: Formula) -> str:
    """The answer of both translations."""
    found = read(given, goal)
    assert prove(given, goal, steps=4_000_000).answer == found
    return found


# ------------------------------------------------------------------------------------- arithmetic, at exact points

TERMS = [
    x + y, x - 2 * y + R(1, 3), x * y, -x, R(-7, 3) * x, x**2, x**3, x**5 * y**2, 1 / x, x**-2, x**-3, y / x,
    1 / (x * y + 2), sympy.Abs(x), sympy.Abs(x - y), sympy.sign(x), sympy.sign(x - 1), sympy.Max(x, y),
    sympy.Min(x, y), sympy.Max(x, y, 1), sympy.Min(x, -y, R(1, 2)), root(x), x ** R(3, 2), x ** R(-1, 2),
    x ** R(-3, 2), root(x**2 + y**2), root(x) / y, sympy.Mul(x, evaluate=False),
    sympy.Add(x, evaluate=False), x**4 - x**-4, sympy.Abs(x) ** 3,
]  # fmt: skip


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_a_term_has_its_value_at_every_point_and_no_other(term: sympy.Expr) -> None:
    for at_x, at_y in product((-4, R(-1, 2), 0, R(9, 4), 16), (-1, 2)):
        value = term.subs({x: at_x, y: at_y})
        given = [eq(x, at_x), eq(y, at_y)]
        if not value.is_real:
            assert agreed(given, eq(term, term)) == "refuted"
            continue
        known = value if value.is_Rational else sympy.nsimplify(value)
        if not known.is_Rational:  # a square root: known by its square and its sign
            assert agreed(given, both(eq(term**2, known**2), gt(term, 0))) == "proved"
            continue
        assert agreed(given, eq(term, known)) == "proved"
        assert agreed(given, ne(term, known)) == "refuted"


RELATIONS = {"<=": le, "<": lt, ">=": ge, ">": gt, "==": eq, "!=": ne}
TRUTHS: list[tuple[Any, Any]] = [
    (lambda a, b: a, lambda a, b: a), (lambda a, b: both(a, b), lambda a, b: a and b),
    (lambda a, b: either(a, b), lambda a, b: a or b), (Implies, lambda a, b: not a or b), (Iff, lambda a, b: a == b),
]  # fmt: skip


@pytest.mark.parametrize("op", RELATIONS)
def test_relations_and_connectives_mean_what_they_say(op: str) -> None:
    import operator

    python = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "==": operator.eq,
              "!=": operator.ne}[op]  # fmt: skip
    for a, b in ((0, 1), (1, 1), (2, 1)):
        given = [eq(x, a), eq(y, b)]
        for make, meaning in TRUTHS:
            formula, truth = make(RELATIONS[op](x, y), lt(x, 2)), meaning(python(a, b), a < 2)
            assert agreed(given, formula) == ("proved" if truth else "refuted")
            # As an assumption it leaves what is true of it, and everything where it is false.
            assert agreed([*given, formula], lt(x, x)) == ("refuted" if truth else "proved")


def test_an_inverse_of_zero_says_nothing_but_that_it_is_the_same() -> None:
    """Below a connective a quotient may be undefined: two of equal terms are equal there, and no value is known."""
    zero = [either(eq(x, 0), gt(1 / x, 7)), eq(x, 0)]
    for relation in (gt(1 / x, 0), lt(1 / x, 0), eq(1 / x, 0), ne(1 / x, 1), ne(1 / (x * x), 0)):
        assert read([*zero, either(eq(x, 0), relation)], lt(x, x)) == "refuted"
        assert read([*zero, either(gt(x, 0), relation)], lt(x, x)) == "refuted"
    both_zero = [eq(x, 0), eq(y, 0)]
    assert read([*both_zero, either(gt(x, 0), ne(1 / x, 1 / y))], lt(x, x)) == "proved"
    assert read([*both_zero, either(gt(x, 0), eq(1 / x, 1 / y))], lt(x, x)) == "refuted"


def test_a_root_of_a_negative_number_says_nothing() -> None:
    for relation in (lt(root(x), 0), gt(root(x), 5), eq(root(x) + 1, 3)):
        assert read([eq(x, -1), either(gt(x, 0), relation)], lt(x, x)) == "refuted"
    assert read([eq(x, 4), either(lt(x, 0), ne(root(x), 2))], lt(x, x)) == "proved"
    assert read([eq(x, 4), either(lt(x, 0), eq(root(x), -2))], lt(x, x)) == "proved"


# ------------------------------------------------------------------------------------------------ unknown terms


def test_the_largest_power_is_written_out_and_a_larger_one_is_unknown() -> None:
    assert read([eq(x, 1)], eq(x**200, 1)) == "proved"
    assert read([eq(x, 1)], eq(x**-200, 1)) == "proved"
    for exponent in (201, -201):
        assert read([eq(x, 1)], eq(x**exponent, 1)) == "unknown"
        assert read([eq(x, 1)], eq(x**exponent, 1), atoms=True) == "refuted"


def test_an_unknown_power_with_an_integer_exponent_may_be_negative() -> None:
    for power in (x**201, x**-201, x**k, x ** (2 * k + 1), x**n):
        for given in ([lt(x, 0)], [lt(x, 0), ge(power, -5)]):
            assert read(given, ge(power, 0), atoms=True) == "refuted"
            assert read([*given, lt(power, -1)], lt(x, x), atoms=True) == "refuted"


def test_another_unknown_power_is_not_negative_and_positive_with_its_base() -> None:
    for power in (x ** R(1, 3), x**y, x ** (n / 2), x ** R(-2, 5)):
        assert read([gt(x, 0)], gt(power, 0), atoms=True) == "proved"
        assert read([gt(x, 0)], ge(power, R(1, 1000)), atoms=True) == "refuted"
    third = x ** R(1, 3)
    assert read([ge(x, 0)], ge(third, 0), atoms=True) == "proved"
    assert read([ge(x, 0)], gt(third, 0), atoms=True) == "refuted"
    assert read([], ge(third, third), atoms=True) == "refuted"  # undefined below 0
    assert read([either(gt(x, 0), lt(third, -1))], gt(x, 0), atoms=True) == "refuted"
    assert read([ge(x, 0), either(lt(third, 0), gt(x, 5))], gt(x, 5), atoms=True) == "proved"
    assert read([], gt(p ** R(1, 3), 0), atoms=True) == "refuted"  # the declared domain is an assumption's to say
    assert read([], ge(q ** R(1, 3), 0), atoms=True) == "proved"


def test_equal_unknown_terms_are_equal_and_others_are_not() -> None:
    assert read([], eq(sympy.exp(x), sympy.exp(x)), atoms=True) == "proved"
    assert read([], eq(sympy.exp(x) + 1, 1 + sympy.exp(x)), atoms=True) == "proved"
    for one, other in ((sympy.exp(x), sympy.exp(y)), (sympy.sin(x), sympy.cos(x)), (sympy.pi, sympy.E)):
        assert read([], eq(one, other), atoms=True) == "refuted"
    for term in (sympy.exp(x), sympy.pi, x**y):
        assert read([gt(x, 0)], eq(term, term)) == "unknown"


NEEDS: list[tuple[sympy.Expr, list[tuple[sympy.Expr, str]] | None]] = [
    (x, []), (R(1, 2), []), (sympy.pi, []), (f(x), []), (x + 1 / y, []), (x * root(y), []), (sympy.exp(x), []),
    (sympy.E ** (x * y), []), (sympy.Pow(sympy.E, x, evaluate=False), []),
    (x**2, []), (x**k, []), (x**0, []), (1 / x, [(x, "distinct")]),
    (x**-2, [(x, "distinct")]), (x**n, [(x, "distinct")]), (root(x), [(x, ">=")]), (x ** R(1, 3), [(x, ">=")]),
    (x**p, [(x, ">=")]), (x ** R(-1, 2), [(x, ">")]), (x**y, [(x, ">")]), (x**-p, [(x, ">")]), (x**q, [(x, ">")]),
    (sympy.log(x), [(x, ">")]), (sympy.gamma(x), [(x, ">")]),
    (sympy.uppergamma(x, y), [(x, ">"), (y, ">=")]), (sympy.lowergamma(x, y), [(x, ">"), (y, ">=")]),
    (LogRemainder(2, x), [(1 + x, ">")]), (LogRemainderMoment(2, 3, x), [(1 + x, ">")]),
    (sympy.Abs(x), []), (sympy.Max(x, y), []), (sympy.Min(x, y), []), (sympy.sign(x), []), (sympy.floor(x), []),
    (sympy.ceiling(x), []), (sympy.erf(x), []), (sympy.tanh(x), []), (sympy.atan(x), []), (sympy.asinh(x), []),
    (sympy.Integral(sympy.exp(-x), (x, 0, 1)), []), (sympy.asin(x), None), (sympy.airyai(x), None),
    (sympy.tan(x), None), (sympy.digamma(x), None),
]  # fmt: skip


def test_both_solvers_ask_for_the_same_conditions() -> None:
    from rgm_verify.lenses.solvers.definedness import UNKNOWN, Unknown, needs

    words = {">": ">", ">=": ">=", "distinct": "!="}
    for node, needed in NEEDS:
        if isinstance(node, sympy.asin | sympy.tan | sympy.polygamma):
            continue  # the second solver does not know what it needs, and says nothing about it
        theirs = [need if isinstance(need, Unknown) else (need.lhs, need.op) for need in needs(node)]
        assert theirs == ([UNKNOWN] if needed is None else [(s, words[op]) for s, op in needed])


def test_what_is_obvious_is_not_asked() -> None:
    written = "\n".join(Writer(atoms=True).questions([], ge(sympy.log(p) + 1 / p + root(q), 0), goal=False))
    assert written == ""
    assert len(list(Writer(atoms=True).questions([], ge(sympy.log(x) + 1 / y + root(x), 0), goal=False))) == 3


def test_a_model_is_given_by_the_names_of_the_author() -> None:
    u, v = sympy.Symbol("x1", real=True), sympy.Symbol("a b", real=True)
    answer, values = decide(Reader(), [eq(u, 3), eq(v, -2)], gt(v, u))
    assert answer == "refuted"
    assert values == {"x1": "3", "a b": "-2"}


def test_each_condition_is_asked_once_and_known_afterwards() -> None:
    reader = Reader()
    assert decide(reader, [gt(x, 0)], both(gt(1 / x, 0), ge(root(x) + 1 / x, 0)))[0] == "proved"
    assert len(reader.asked) == 3  # 1/x, root(x), and the statement
    assert reader.asked[-1].count("(declare-const") == 4  # x, 1/x, that of zero, root(x)
    assert all(question.startswith("(set-logic QF_NRA)") for question in reader.asked)
    reader = Reader()
    assert decide(reader, [gt(1 / x, 0)], gt(1 / x, 0))[0] == "proved"
    assert len(reader.asked) == 1


class Fails:
    """A solver that must not be asked."""

    def answer(self, questions: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
        raise AssertionError(questions)


def test_it_is_not_asked_about_what_it_knows_nothing_of() -> None:
    bound = [sympy.Derivative(x**2, x), At(x**2, x, y), sympy.Sum(x**n, (n, 1, 2)), sympy.Product(x, (n, 1, 2))]
    for side in (x, *bound):
        opinion = Opinion("t:a", Fails())
        opinion.hear(Answered("unknown", [gt(x, 0)], ge(side, 0), False))
        assert (opinion.agreed, opinion.unanswered) == (0, 0)
    for side in bound:
        for given, goal in (([], ge(side + 1, 0)), ([gt(x, 0), le(0, side)], gt(x, 0))):
            opinion = Opinion("t:a", Fails())
            opinion.hear(Answered("proved", given, either(goal, goal), True))
            opinion.hear(Answered("proved", given, either(goal, goal), False))
            assert (opinion.agreed, opinion.unanswered) == (0, 2)
    opinion = Opinion("t:a", Says("unsat"))
    opinion.hear(Answered("proved", [gt(x, 0)], gt(x, 0), False))
    assert (opinion.agreed, opinion.unanswered) == (1, 0)
    for silent in ((), ("unknown",)):
        opinion = Opinion("t:a", Says(*silent))
        opinion.hear(Answered("proved", [gt(x, 0)], gt(x, 0), False))
        assert (opinion.agreed, opinion.unanswered) == (0, 1)


class Says:
    """A solver that says one thing after the other."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers

    def answer(self, questions: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
        return [(answer, {}) for answer in self.answers]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [(("unsat", "unsat"), "proved"), (("unsat", "sat"), "refuted"), (("sat", "unsat"), "refuted"),
     (("unknown", "sat"), "refuted"), (("unsat", "unknown"), "unknown"), (("unknown", "unsat"), "unknown"),
     (("unsat",), "unknown"), ((), "unknown")],
)  # fmt: skip
def test_a_statement_is_proved_where_every_question_is_answered_so(answers: tuple[str, ...], expected: str) -> None:
    assert decide(Says(*answers), [], ge(root(x), 0))[0] == expected
