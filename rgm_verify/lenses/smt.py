"""Real-arithmetic SMT: from SymPy formulas to z3, with every side condition (division, roots, logarithms) proved as
well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import sympy
import z3

from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, relations
from rgm_verify.lenses.definedness import evident, needs, parts

Answer = Literal["proved", "refuted", "unknown"]
_LARGEST_POWER = 200


class NotArithmetic(ValueError):
    """A formula outside real arithmetic (a logarithm, a symbolic exponent) where atoms are not allowed."""


@dataclass
class Translation:
    """Translates formulas; with `atoms`, whatever is not arithmetic becomes an unknown real, equal for equal terms.

    A root is an unknown real as well; `_meanings` says what pins it down where it is defined.
    """

    atoms: bool = False
    names: dict[sympy.Symbol, Any] = field(default_factory=dict)
    _terms: dict[sympy.Expr, Any] = field(default_factory=dict)
    _meanings: dict[sympy.Expr, Any] = field(default_factory=dict)
    _granted: set[sympy.Expr] = field(default_factory=set)
    _unknowns: int = 0

    def formula(self, formula: Formula) -> Any:
        """The z3 formula."""
        match formula:
            case Relation(lhs, op, rhs):
                return _compare(self.term(lhs), op, self.term(rhs))
            case All(members):
                return z3.And([self.formula(p) for p in members])
            case Either(members):
                return z3.Or([self.formula(p) for p in members])
            case Implies(left, right):
                return z3.Implies(self.formula(left), self.formula(right))
            case Iff(left, right):
                return self.formula(left) == self.formula(right)

    def given(self, formula: Formula) -> Iterator[Any]:
        """The z3 formulas that an assumption stands for.

        A relation that is assumed speaks only of points where its sides are defined, so that it brings their conditions
        along. Below a connective nothing says that a side is defined: a root there has its meaning only where it has
        one.
        """
        if isinstance(formula, All):
            for member in formula.parts:
                yield from self.given(member)
            return
        yield self.formula(formula)
        for node in _nodes([formula]):
            conditions, meaning = self.conditions(node)
            if isinstance(formula, Relation):
                yield from self.grant(node)
            elif meaning is not None:
                yield z3.Implies(z3.And(conditions), meaning)

    def grant(self, node: sympy.Expr) -> Iterator[Any]:
        """What is known once a term is known to be defined, told once."""
        if node not in self._granted:
            self._granted.add(node)
            conditions, meaning = self.conditions(node)
            yield from conditions
            yield from () if meaning is None else (meaning,)

    def granted(self, node: sympy.Expr) -> bool:
        """Whether a term is already known to be defined."""
        return node in self._granted

    def conditions(self, node: sympy.Expr) -> tuple[list[Any], Any]:
        """What the arguments of one term must satisfy for it to be defined, and what it then means (None for
        nothing).
        """
        found = [self.formula(relation) for relation in needs(node) if not evident(relation)]
        self.term(node)
        return found, self._meanings.get(node)

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
        if not isinstance(exponent, sympy.Rational) or exponent.q > 2 or abs(exponent.p) > _LARGEST_POWER:
            power = self._atom(expression)
            if not exponent.is_integer:  # real only for a base >= 0, and then it is no negative number
                self._meanings[expression] = z3.And(power >= 0, z3.Implies(self.term(base) > 0, power > 0))
            return power
        if exponent.q == 1:
            return _repeat(self.term(base), int(exponent.p))
        root, inner = self._unknown("root"), self.term(base)
        self._meanings[expression] = z3.And(root >= 0, root * root == inner)
        return _repeat(root, int(exponent.p))

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
        return self._unknown("atom")

    def _unknown(self, what: str) -> Any:
        """A new real, numbered within this translation so that names do not depend on what was proved before."""
        self._unknowns += 1
        return z3.Real(f"{what}!{self._unknowns}")


def _repeat(term: Any, exponent: int) -> Any:
    product = z3.Product([term] * abs(exponent))
    return product if exponent >= 0 else 1 / product


def _variable(symbol: sympy.Symbol) -> Any:
    """A real unknown, for an integer variable too: what holds for all reals holds for the integers among them."""
    return z3.Real(symbol.name)


def _nodes(formulas: Iterable[Formula]) -> Iterator[sympy.Expr]:
    """Every term of the formulas once, arguments before what is made of them."""
    sides = [side for formula in formulas for r in relations(formula) for side in (r.lhs, r.rhs)]
    yield from dict.fromkeys(node for side in sides for node in parts(side))


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


def prove(assumptions: Sequence[Formula], conclusion: Formula, *, milliseconds: int, atoms: bool = False) -> SmtResult:
    """Decide whether the assumptions imply the conclusion over the reals, definedness of every term included."""
    translation = Translation(atoms=atoms)
    try:
        context = [c for a in assumptions for c in translation.given(a)]
        problem = _undefined(translation, context, _nodes([conclusion]), milliseconds)
        if problem:
            return SmtResult("unknown", problem)
        goal = translation.formula(conclusion)
    except NotArithmetic as error:
        return SmtResult("unknown", str(error))
    answer, solver = _check([*context, z3.Not(goal)], milliseconds)
    if answer == z3.unsat:
        return SmtResult("proved", "the negation is unsatisfiable over the reals")
    if answer == z3.sat:
        return SmtResult("refuted", "the negation has a model", _model(solver, translation))
    return SmtResult("unknown", f"z3 answered unknown ({solver.reason_unknown()}) within {milliseconds} ms")


def undefined(assumptions: Sequence[Formula], formula: Formula, *, milliseconds: int) -> str:
    """The first condition for both sides of every relation to be real numbers that was not shown; empty if all were."""
    open_terms = [n for n in _nodes([formula]) if not all(evident(r) for r in needs(n))]
    if not open_terms:
        return ""
    translation = Translation(atoms=True)
    context = [c for a in assumptions for c in translation.given(a)]
    return _undefined(translation, context, _nodes([formula]), milliseconds)


def _undefined(translation: Translation, context: list[Any], terms: Iterable[sympy.Expr], milliseconds: int) -> str:
    """The first of `terms` that was not shown to be defined, or an empty text; what is shown is added to `context`."""
    for node in terms:
        known = translation.granted(node)
        for condition in [] if known else translation.conditions(node)[0]:
            if _check([*context, z3.Not(condition)], milliseconds)[0] != z3.unsat:
                return f"could not show that a term is defined: {node}"
        context += translation.grant(node)
    return ""


def satisfiable(assumptions: Sequence[Formula], *, milliseconds: int) -> str:
    """`yes`, `no` or `unknown`: whether some real point satisfies every assumption."""
    translation = Translation(atoms=True)
    answer, _ = _check([c for a in assumptions for c in translation.given(a)], milliseconds)
    return "yes" if answer == z3.sat else ("no" if answer == z3.unsat else "unknown")


def _check(constraints: list[Any], milliseconds: int) -> tuple[Any, Any]:
    """Ask z3's nonlinear solver first, then the general one, each with half of the time.

    Each question gets a context of its own: an answer must not depend on what else the process has asked.
    """
    best: tuple[Any, Any] = (z3.unknown, z3.Solver())
    for tactic in ("qfnra-nlsat", None):
        context = z3.Context()
        solver = z3.Solver(ctx=context) if tactic is None else z3.Tactic(tactic, ctx=context).solver()
        solver.set("timeout", max(1, milliseconds // 2))
        solver.add(*(constraint.translate(context) for constraint in constraints))
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
        value = model.eval(variable.translate(solver.ctx), model_completion=True)
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        if not z3.is_rational_value(value):
            return None
        found[symbol] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return found
