"""Real-arithmetic SMT: from SymPy formulas to z3, with every side condition (division, roots) proved as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import sympy
import z3

from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation

Answer = Literal["proved", "refuted", "unknown"]


class NotArithmetic(ValueError):
    """A formula outside real arithmetic (a logarithm, a symbolic exponent) where atoms are not allowed."""


@dataclass
class Translation:
    """Translates formulas; with `atoms`, whatever is not arithmetic becomes an unknown real, equal for equal terms.

    `conditions` lists, in the order in which terms are built up, what must hold for a term to be defined (`"needs"`)
    and what then pins a root down (`"means"`): a need may use the meanings before it, never its own.
    """

    atoms: bool = False
    conditions: list[tuple[Literal["needs", "means"], Any]] = field(default_factory=list)
    names: dict[sympy.Symbol, Any] = field(default_factory=dict)
    _terms: dict[sympy.Expr, Any] = field(default_factory=dict)

    def formula(self, formula: Formula) -> Any:
        """The z3 formula."""
        match formula:
            case Relation(lhs, op, rhs):
                return _compare(self.term(lhs), op, self.term(rhs))
            case All(parts):
                return z3.And([self.formula(p) for p in parts])
            case Either(parts):
                return z3.Or([self.formula(p) for p in parts])
            case Implies(left, right):
                return z3.Implies(self.formula(left), self.formula(right))
            case Iff(left, right):
                return self.formula(left) == self.formula(right)

    def term(self, expression: sympy.Expr) -> Any:
        """The z3 term, translated once per distinct expression."""
        if expression not in self._terms:
            self._terms[expression] = self._translate(expression)
        return self._terms[expression]

    def _translate(self, expression: sympy.Expr) -> Any:
        if isinstance(expression, sympy.Symbol):
            return self.names.setdefault(expression, _variable(expression))
        if isinstance(expression, sympy.Rational):
            return z3.RealVal(f"{expression.p}/{expression.q}")
        if isinstance(expression, sympy.Add):
            return z3.Sum([self.term(a) for a in expression.args])
        if isinstance(expression, sympy.Mul):
            return z3.Product([self.term(a) for a in expression.args])
        if isinstance(expression, sympy.Pow):
            return self._power(expression)
        return self._special(expression)

    def _power(self, expression: sympy.Pow) -> Any:
        base, exponent = expression.args
        if isinstance(exponent, sympy.Integer):
            return self._integer_power(base, int(exponent))
        if isinstance(exponent, sympy.Rational) and exponent.q == 2:
            root = self._root(base)
            return self._repeat(root, int(exponent.p))
        return self._atom(expression)

    def _integer_power(self, base: sympy.Expr, exponent: int) -> Any:
        return self._repeat(self.term(base), exponent)

    def _repeat(self, term: Any, exponent: int) -> Any:
        product = z3.Product([term] * abs(exponent))
        if exponent >= 0:
            return product
        self.conditions.append(("needs", term != 0))
        return 1 / product

    def _root(self, base: sympy.Expr) -> Any:
        inner = self.term(base)
        root = z3.FreshReal("root")
        self.conditions += [("needs", inner >= 0), ("means", z3.And(root >= 0, root * root == inner))]
        return root

    def _special(self, expression: sympy.Expr) -> Any:
        if isinstance(expression, sympy.Abs):
            inner = self.term(expression.args[0])
            return z3.If(inner >= 0, inner, -inner)
        if isinstance(expression, sympy.Max | sympy.Min):
            best = self.term(expression.args[0])
            for argument in expression.args[1:]:
                other = self.term(argument)
                wins = other > best if isinstance(expression, sympy.Max) else other < best
                best = z3.If(wins, other, best)
            return best
        return self._atom(expression)

    def _atom(self, expression: sympy.Expr) -> Any:
        if not self.atoms:
            raise NotArithmetic(f"{expression} is not real arithmetic")
        return z3.FreshReal("atom")


def _variable(symbol: sympy.Symbol) -> Any:
    """A real unknown, for an integer variable too: what holds for all reals holds for the integers among them."""
    return z3.Real(symbol.name)


def _compare(lhs: Any, op: str, rhs: Any) -> Any:
    match op:
        case "<=":
            return lhs <= rhs
        case "<":
            return lhs < rhs
        case ">=":
            return lhs >= rhs
        case ">":
            return lhs > rhs
        case "==":
            return lhs == rhs
        case _:
            return lhs != rhs


@dataclass(frozen=True)
class SmtResult:
    """`proved` (no real point contradicts it), `refuted` (with a model where one could be read off) or `unknown`."""

    answer: Answer
    reason: str
    model: dict[sympy.Symbol, Fraction] | None = None


def prove(
    assumptions: Sequence[Formula], conclusion: Formula, *, milliseconds: int, atoms: bool = False
) -> SmtResult:
    """Decide whether the assumptions imply the conclusion over the reals, definedness of every term included."""
    translation = Translation(atoms=atoms)
    try:
        context = [translation.formula(a) for a in assumptions]
        context += [c for role, c in translation.conditions if role == "means"]
        already = len(translation.conditions)
        goal = translation.formula(conclusion)
    except NotArithmetic as error:
        return SmtResult("unknown", str(error))
    for role, condition in translation.conditions[already:]:
        if role == "needs" and _check([*context, z3.Not(condition)], milliseconds)[0] != z3.unsat:
            return SmtResult("unknown", f"could not show that a term is defined: {condition}")
        context.append(condition)
    answer, solver = _check([*context, z3.Not(goal)], milliseconds)
    if answer == z3.unsat:
        return SmtResult("proved", "the negation is unsatisfiable over the reals")
    if answer == z3.sat:
        return SmtResult("refuted", "the negation has a model", _model(solver, translation))
    return SmtResult("unknown", f"z3 answered unknown ({solver.reason_unknown()}) within {milliseconds} ms")


def satisfiable(assumptions: Sequence[Formula], *, milliseconds: int) -> str:
    """`yes`, `no` or `unknown`: whether some real point satisfies every assumption."""
    translation = Translation(atoms=True)
    given = [translation.formula(a) for a in assumptions]
    meanings = [c for role, c in translation.conditions if role == "means"]
    answer, _ = _check([*given, *meanings], milliseconds)
    return "yes" if answer == z3.sat else ("no" if answer == z3.unsat else "unknown")


def _check(constraints: list[Any], milliseconds: int) -> tuple[Any, Any]:
    """Ask z3's nonlinear solver first, then the general one, each with half of the time."""
    best: tuple[Any, Any] = (z3.unknown, z3.Solver())
    for make in (lambda: z3.Tactic("qfnra-nlsat").solver(), z3.Solver):
        solver = make()
        solver.set("timeout", max(1, milliseconds // 2))
        solver.add(*constraints)
        try:
            answer = solver.check()
        except z3.Z3Exception:  # a tactic may refuse a goal; the general solver takes all of them
            continue
        best = (answer, solver)
        if answer != z3.unknown:
            break
    return best


def _model(solver: Any, translation: Translation) -> dict[sympy.Symbol, Fraction] | None:
    model = solver.model()
    found: dict[sympy.Symbol, Fraction] = {}
    for symbol, variable in translation.names.items():
        value = model.eval(variable, model_completion=True)
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        if not z3.is_rational_value(value):
            return None
        found[symbol] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return found
