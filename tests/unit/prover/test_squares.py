"""Sums of squares: classical polynomials get a certificate, false ones none; without a solver the search says so."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
import sympy

from rgm_verify.claims.written.trees import statement_tree
from rgm_verify.engine.proofs import Task
from rgm_verify.kernel.check import check
from rgm_verify.prover import combinations
from rgm_verify.prover.budget import PER_SECOND, Budget, GivenUp
from rgm_verify.prover.certificates import Combination, Inequality, Problem, Terms
from rgm_verify.prover.gram import Elimination, complement, null_space, squares_of
from rgm_verify.prover.semidefinite import MISSING, Program, available, solve
from rgm_verify.prover.squares import sums_of_squares
from rgm_verify.prover.work import search
from rgm_verify.statements.checking import read

pytest.importorskip("clarabel")

SYMBOLS = x, y, z, w = sympy.symbols("x y z w")
MOTZKIN = x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1
ROBINSON = (
    x**6 + y**6 + z**6 + 3 * x**2 * y**2 * z**2
    - (x**4 * y**2 + x**4 * z**2 + y**4 * x**2 + y**4 * z**2 + z**4 * x**2 + z**4 * y**2)
)  # fmt: skip
GOAL, GIVEN, BOUND, EQUATION = 0, 10, 20, 30


def terms(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Terms:
    poly = sympy.Poly(sympy.expand(expression), *symbols)
    return {tuple(map(int, m)): Fraction(int(c.p), int(c.q)) for m, c in poly.terms()}


@dataclasses.dataclass(frozen=True)
class Case:
    """The claim that left >= 0 (> 0 if strict) where given and bounded are >= 0 and equations hold."""

    left: sympy.Expr
    symbols: tuple[sympy.Symbol, ...]
    given: tuple[sympy.Expr, ...] = ()
    bounds: tuple[sympy.Symbol, ...] = ()
    equations: tuple[sympy.Expr, ...] = ()
    strict: bool = False

    def problem(self) -> Problem:
        """The facts, with the opposite of what is to be shown."""
        goal = Inequality(GOAL, terms(-self.left, self.symbols), not self.strict)
        given = (Inequality(GIVEN + i, terms(g, self.symbols), False) for i, g in enumerate(self.given))
        bounds = {self.symbols.index(s): (BOUND + i, Fraction(0), False) for i, s in enumerate(self.bounds)}
        equations = tuple((EQUATION + i, terms(e, self.symbols)) for i, e in enumerate(self.equations))
        return Problem(len(self.symbols), bounds, (goal, *given), equations, (), 0)

    def refutes(self, found: Combination) -> bool:
        """Tell whether a combination is 0 and contains a strict fact alone: by SymPy, which did not find it."""
        facts = {GOAL: -self.left}
        for start, group in ((GIVEN, self.given), (BOUND, self.bounds), (EQUATION, self.equations)):
            facts |= {start + i: e for i, e in enumerate(group)}
        total, strict = sympy.Integer(0), False
        for weight, refs, squares in found.products:
            assert weight > 0
            assert EQUATION not in refs
            strict |= not squares and all(ref == GOAL and not self.strict for ref in refs)
            factors = [facts[ref] for ref in refs] + [self.expression(s) ** 2 for s in squares]
            total += sympy.Rational(weight.numerator, weight.denominator) * sympy.prod(factors)
        for ref, cofactor in found.multiples.items():
            total += facts[ref] * self.expression(cofactor)
        return strict and sympy.expand(total) == 0

    def expression(self, poly: Terms) -> sympy.Expr:
        """A polynomial as SymPy has it."""
        return sum(
            sympy.Rational(c.numerator, c.denominator)
            * sympy.prod([s**e for s, e in zip(self.symbols, m, strict=True)])
            for m, c in poly.items()
        )


TRUE = {
    "Motzkin times x^2 + y^2": Case((x**2 + y**2) * MOTZKIN, (x, y)),
    "Motzkin, which is no sum of squares": Case(MOTZKIN, (x, y)),
    "Robinson times x^2 + y^2": Case((x**2 + y**2) * ROBINSON, (x, y, z)),
    "Robinson with z = 1, which is no sum of squares": Case(ROBINSON.subs(z, 1), (x, y)),
    "AM-GM of three": Case(x**3 + y**3 + z**3 - 3 * x * y * z, (x, y, z), bounds=(x, y, z)),
    "AM-GM of three squares": Case(x**6 + y**6 + z**6 - 3 * x**2 * y**2 * z**2, (x, y, z)),
    "AM-GM of four": Case(x**4 + y**4 + z**4 + w**4 - 4 * x * y * z * w, (x, y, z, w)),
    "a quartic that touches 0 at 1": Case((x - 1) ** 4, (x,)),
    "a quartic that touches 0 at irrational points": Case((x**2 - 2) ** 2, (x,)),
    "a quartic that touches 0 along two lines": Case((x - y) ** 2 * (x + 2 * y) ** 2, (x, y)),
    "two touching points in the inside": Case((x**2 - 1) ** 2 + (x * y - 1) ** 2, (x, y)),
    "a quartic that is positive": Case(x**4 - x + 1, (x,), strict=True),
    "on a disk": Case(sympy.Rational(11, 10) - 2 * x * y, (x, y), given=(1 - x**2 - y**2,), strict=True),
    "on a disk, touching": Case(1 - 2 * x * y, (x, y), given=(1 - x**2 - y**2,)),
    "on a circle": Case(sympy.Rational(3, 2) - x - y, (x, y), equations=(x**2 + y**2 - 1,), strict=True),
    "on a circle, with large coefficients": Case(
        sympy.Rational(3, 2) - x - y, (x, y), equations=(1000 * (x**2 + y**2 - 1),), strict=True
    ),
    "on an interval, by a product of its ends": Case(x - x**2, (x,), given=(1 - x,), bounds=(x,)),
    "Cauchy-Schwarz": Case((x**2 + y**2) * (z**2 + w**2) - (x * z + y * w) ** 2, SYMBOLS),
    "large coefficients": Case(10**30 * (x - 10**9) ** 2 + 10**28 * y**2, (x, y)),
}  # fmt: skip
FALSE = {
    "a quartic that is negative": Case(x**4 - x + sympy.Rational(2, 5), (x,)),
    "Motzkin less a little": Case(MOTZKIN - sympy.Rational(1, 1000), (x, y)),
    "AM-GM of four with a larger constant": Case(x**4 + y**4 + z**4 + w**4 - 5 * x * y * z * w, SYMBOLS),
    "AM-GM of three without signs": Case(x**3 + y**3 + z**3 - 3 * x * y * z, (x, y, z)),
    "touching, so that it is not strict": Case((x - 1) ** 4, (x,), strict=True),
    "on a disk that is larger": Case(1 - 2 * x * y, (x, y), given=(sympy.Rational(101, 100) - x**2 - y**2,)),
    "on a circle, too sharp": Case(sympy.Rational(7, 5) - x - y, (x, y), equations=(x**2 + y**2 - 1,)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_what_is_nonnegative_gets_an_exact_identity(name: str) -> None:
    found = sums_of_squares(TRUE[name].problem(), Budget(20 * PER_SECOND))
    assert found is not None
    assert TRUE[name].refutes(found)


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_gets_none(name: str) -> None:
    assert sums_of_squares(FALSE[name].problem(), Budget(20 * PER_SECOND)) is None


def test_a_limit_on_the_work_ends_the_search() -> None:
    with pytest.raises(GivenUp, match="the work is done"):
        sums_of_squares(TRUE["Robinson times x^2 + y^2"].problem(), Budget(1))


def test_what_is_too_large_is_not_tried() -> None:
    many = sympy.symbols("v0:12")
    left = sum(v**6 for v in many) - 6 * sympy.prod(many[:6])
    budget = Budget(20 * PER_SECOND)
    assert sums_of_squares(Case(left, many).problem(), budget) is None
    assert budget.spent < PER_SECOND


def test_high_powers_end_the_search_at_once() -> None:
    """Of a polynomial of degree 10^16 there are more monomials, and a quotient has more terms, than fit anywhere."""
    fact = Inequality(GOAL, {(10**16,): Fraction(-1), (2,): Fraction(-1), (0,): Fraction(-1)}, False)
    budget = Budget(PER_SECOND)
    sums_of_squares(Problem(1, {}, (fact,), (), (), 0), budget)
    assert budget.spent < PER_SECOND
    found = search(task("exp(-10000000000000000*(x - 3/13)^2) <= 9/10 for real x"), PER_SECOND)
    assert found["proof"] is None
    assert found["spent"] < PER_SECOND


def task(statement: str) -> dict[str, Any]:
    claim = read(statement)[1].claim
    return dataclasses.asdict(Task(claim.id, statement_tree(claim, binders=True), {}, ()))


STATEMENTS = [
    "x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 1 >= 0 for real x, y",
    "x^6 + y^6 + 1 + 3*x^2*y^2 >= x^4*y^2 + x^2*y^4 + x^4 + x^2 + y^4 + y^2 for real x, y",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_kernel_checks_a_proof_by_sums_of_squares(statement: str) -> None:
    first, again = (search(task(statement), 5 * PER_SECOND) for _ in range(2))
    assert first["proof"] is not None, first["reason"]
    assert check(first["proof"]) == ()
    assert first == again


@pytest.mark.parametrize("statement", STATEMENTS[:1])
def test_a_search_that_would_need_the_solver_says_so(monkeypatch: pytest.MonkeyPatch, statement: str) -> None:
    monkeypatch.setattr(combinations, "available", lambda: False)
    found = search(task(statement), 5 * PER_SECOND)
    assert found["proof"] is None
    assert found["reason"].startswith("no certificate: ")
    assert found["reason"].endswith(MISSING)


def test_a_search_that_does_not_need_the_solver_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combinations, "available", lambda: False)
    assert search(task("x + 1/x >= 2 for x > 0"), PER_SECOND)["proof"] is not None


# ------------------------------------------------------------------------------------------------ exact algebra


def test_a_program_without_a_solution_has_none() -> None:
    # One 1 x 1 matrix that has to be -1.
    found = solve(Program([1], 0, [{0: 1.0}], [-1.0]))
    assert found is None or found.inside < -1e-3


def test_the_solver_is_installed_where_these_tests_run() -> None:
    assert available()


def test_equations_that_contradict_each_other_are_not_solvable() -> None:
    one = Fraction(1)
    assert not Elimination([{0: one, 1: one}], [one, 2 * one]).solvable
    assert Elimination([{0: one, 1: one}], [one, one]).solvable


def test_null_vectors_are_rational_or_none() -> None:
    import numpy as np

    assert null_space(np.array([[1.0, -1.0], [-1.0, 1.0]]), 1e-6) == [[1, 1]]
    assert null_space(np.eye(2), 1e-6) == []
    root = 2**0.5
    assert null_space(np.array([[2.0, -root], [-root, 1.0]]), 1e-6) is None


def test_a_complement_of_nothing_is_everything() -> None:
    assert complement([], 2) == [[1, 0], [0, 1]]
    assert complement([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], 2) == []


def test_an_indefinite_matrix_is_no_sum_of_squares() -> None:
    one, two = Fraction(1), Fraction(2)
    assert squares_of([[one, two], [two, one]]) is None
    assert squares_of([[-one]]) is None
