"""Taylor's formula with integral remainder: an inequality from the signs of its derivatives along one variable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula, Relation, both, either, ge, gt, le, ne, substitute
from rgm_verify.lenses.algebra import is_zero
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.logic import Premise, not_integer
from rgm_verify.lenses.smt import prove, undefined

_SMOOTH = (sympy.Add, sympy.Mul, sympy.Number, sympy.NumberSymbol, sympy.Symbol, sympy.exp, sympy.erf, sympy.erfc)


_UNSET = sympy.Symbol("x")


@dataclass(frozen=True)
class Monotone(Lens):
    """Prove gap >= 0 by walking along `variable` from `start`, where the first `order` - 1 derivatives are known.

    With v the variable and v0 the start, Taylor's formula is

        gap(v) = sum_{j < n} gap^(j)(v0) (v - v0)^j / j!  +  (v - v0)^n * (average of gap^(n) over the way)

    so it is enough that every term of the sum is >= 0 and that (v - v0)^n gap^(n)(w) >= 0 for every w on the way.
    Those are rational
    inequalities (SMT), once enough derivatives have removed the logarithms; logarithms that are left count as
    unknowns, about which
    `premises` (other claims) may say something. Every function is shown to be defined on the whole way. For a strict
    conclusion
    the last inequality is shown strictly.
    """

    variable: sympy.Symbol = _UNSET
    start: sympy.Expr = sympy.S.Zero
    order: int = 1
    premises: tuple[Premise, ...] = ()

    name: ClassVar[str] = "monotonicity"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SYMBOLIC_PROOF, Kind.DEDUCTION, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Check the terms at the start and the last derivative on the way."""
        conclusion = claim.conclusion
        if not isinstance(conclusion, Relation) or conclusion.op in ("==", "!="):
            return [self.undecided(("sympy",), "the conclusion is not a single inequality")]
        if claim.quantifier == "exists":
            return [self.undecided(("sympy",), "it proves statements about all points, not that one exists")]
        problem = self.problem(claim, conclusion, context)
        if problem:
            return [self.undecided(("sympy", "z3"), problem)]
        names = tuple(dict.fromkeys(p.claim for p in self.premises))
        way = f"in {self.variable} from {self.start}"
        summary = f"Taylor's formula of order {self.order} {way}: every term has the right sign"
        if names:
            summary += ", given " + ", ".join(names)
        kind = Kind.DEDUCTION if names else Kind.SYMBOLIC_PROOF
        return [self.evidence(kind, Finding.SUPPORTS, ("sympy", "z3"), summary, premises=names)]

    def problem(self, claim: Claim, conclusion: Relation, context: Context) -> str:
        """What could not be shown; empty if everything was."""
        given: list[Formula] = [h.formula for h in claim.assumptions]
        time = context.profile.smt_milliseconds
        for premise in self.premises:
            other = context.claims.get(premise.claim)
            if other is None or other.conclusion is None or other.quantifier == "exists":
                return f"the premise {premise.claim!r} is not a universal claim of this paper"
            broken = not_integer(claim, other, premise)
            if broken:
                return broken
            for hypothesis in other.assumptions:
                goal = substitute(hypothesis.formula, premise.at)
                if prove(given, goal, milliseconds=time, atoms=True).answer != "proved":
                    return f"{premise.claim}: its hypothesis {hypothesis.name!r} was not shown to hold here"
            given.append(substitute(other.conclusion, premise.at))
        return (
            undefined(given, conclusion, milliseconds=time)
            or self.undefined_on_the_way(given, conclusion.gap, time)
            or self.wrong_at_start(given, conclusion.gap, time)
            or self.wrong_on_the_way(given, conclusion, time)
        )

    def way(self) -> tuple[sympy.Symbol, Formula]:
        """A fresh symbol w and the formula that says that it lies between the start and the variable."""
        w, v, start = sympy.Symbol("w_on_the_way", real=True), self.variable, self.start
        between = either(both(le(start, w), le(w, v)), both(le(v, w), le(w, start)))
        return w, between

    def undefined_on_the_way(self, given: list[Formula], gap: sympy.Expr, time: int) -> str:
        """The first condition for the gap to be smooth that was not shown to hold on the whole way."""
        w, between = self.way()
        for condition in smoothness(gap.subs(self.variable, w)):
            if prove([*given, between], condition, milliseconds=time, atoms=True).answer != "proved":
                return f"not shown to be smooth on the way: {condition.lhs} {condition.op} {condition.rhs}"
        return ""

    def wrong_at_start(self, given: list[Formula], gap: sympy.Expr, time: int) -> str:
        """The first Taylor term whose sign was not shown."""
        for j in range(self.order):
            term = sympy.diff(gap, self.variable, j).subs(self.variable, self.start) * (self.variable - self.start) ** j
            if is_zero(term):
                continue
            if prove(given, ge(term, 0), milliseconds=time, atoms=True).answer != "proved":
                return f"the Taylor term of degree {j} was not shown to be nonnegative: {term}"
        return ""

    def wrong_on_the_way(self, given: list[Formula], conclusion: Relation, time: int) -> str:
        """Why the last derivative was not shown to have the right sign; empty if it was."""
        w, between = self.way()
        derivative = _factored(sympy.diff(conclusion.gap.subs(self.variable, w), w, self.order))
        value = (self.variable - self.start) ** self.order * derivative
        conditions = [*given, between]
        if conclusion.strict:
            if prove(given, ne(self.variable, self.start), milliseconds=time, atoms=True).answer != "proved":
                return "the way may have length zero, where a strict inequality does not follow"
            conditions.append(ne(w, self.start))
        goal = gt(value, 0) if conclusion.strict else ge(value, 0)
        result = prove(conditions, goal, milliseconds=time, atoms=True)
        return "" if result.answer == "proved" else f"the derivative of order {self.order}: {result.reason}"


def _factored(expression: sympy.Expr) -> sympy.Expr:
    """The expression as a product over one denominator; SymPy would take each exponential apart into a product."""
    kept = {e: sympy.Dummy(f"e{i}") for i, e in enumerate(sorted(expression.atoms(sympy.exp), key=str))}
    back = {symbol: e for e, symbol in kept.items()}
    return sympy.factor(sympy.together(expression.xreplace(kept))).xreplace(back)


def smoothness(expression: sympy.Expr) -> Iterator[Relation]:
    """Conditions under which an expression of powers, roots, exponentials, logarithms and error functions is smooth."""
    for node in sympy.preorder_traversal(expression):
        if isinstance(node, sympy.log):
            yield gt(node.args[0], 0)
        elif isinstance(node, sympy.Pow):
            base, exponent = node.args
            if not exponent.is_Integer and base is not sympy.E and not base.is_positive:
                yield gt(base, 0)
            elif exponent.is_negative and not base.is_positive:
                yield ne(base, 0)
        elif not isinstance(node, _SMOOTH):
            yield gt(0, 0)  # an unknown function: nothing is known of its smoothness
