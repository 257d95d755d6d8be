"""Taylor's formula with integral remainder: an inequality from the signs of its derivatives along one
variable.

Two sides that meet at a start, with all derivatives up to some order, are compared by the next
derivative alone, which is often rational although the sides are not. This reaches unbounded domains
and places where both sides touch, where boxes and points do not. The function has to be smooth on
the whole way, ends included; a way across a pole proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula, FormulaError, Relation, ge, gt, ne
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.algebra.smoothness import WAY, on_the_way, undefined_on_the_way
from rgm_verify.lenses.base import Context, Lens, stray_symbols
from rgm_verify.lenses.proofs.premises import Premise, facts
from rgm_verify.lenses.solvers.smt import prove, undefined

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

    Proves: a single inequality, for any number of other variables, whichever side of the start the
    variable lies on.

    Attributes:
        variable: A variable of the claim.
        start: An expression in the other variables, real wherever the claim speaks.
        order: The order n of the derivative on the way, at least 1.
        premises: Claims that say something about terms on the way.
    """

    variable: sympy.Symbol = _UNSET
    start: sympy.Expr = sympy.S.Zero
    order: int = 1
    premises: tuple[Premise, ...] = ()

    name: ClassVar[str] = "monotonicity"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SYMBOLIC_PROOF, Kind.DEDUCTION, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Check the terms at the start and the last derivative on the way.

        With premises the evidence is a deduction, which is no stronger than they are. A failure shows nothing against
        the claim: another start or order may do.

        Args:
            claim: The claim or a control of it.
            context: The steps for z3, and all claims by id.

        Returns:
            One piece of evidence: a symbolic proof, a deduction, or an undecided note.
        """
        conclusion = claim.conclusion
        if not isinstance(conclusion, Relation) or conclusion.op in ("==", "!="):
            return [self.undecided(("sympy",), "the conclusion is not a single inequality")]
        if claim.quantifier == "exists":
            return [self.undecided(("sympy",), "it proves statements about all points, not that one exists")]
        try:
            problem = self.problem(claim, conclusion, context)
        except FormulaError as error:
            problem = f"a term of Taylor's formula means nothing: {error}"
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
        """Return the first condition that could not be shown; empty if all were.

        Definedness comes before signs: Taylor's formula needs the function on the whole way, and a derivative of a
        formula may have values where the function has none.

        Args:
            context: The steps for z3, and all claims by id.
        """
        problem = self.misuse(claim)
        if problem:
            return problem
        known = facts(claim, self.premises, context, way=True)
        if known.problem:
            return known.problem
        given = [*(h.formula for h in claim.assumptions), *known.formulas]
        steps = context.profile.smt_steps
        gap = evaluated(conclusion.gap)
        return (
            undefined(given, ge(self.start, 0), steps=steps)
            or undefined(given, conclusion, steps=steps)
            or undefined_on_the_way(given, gap, self.variable, self.start, steps)
            or self.wrong_at_start(given, gap, steps)
            or self.wrong_on_the_way(given, gap, steps, strict=conclusion.strict)
        )

    def misuse(self, claim: Claim) -> str:
        """Return what is wrong with the settings; empty if nothing is."""
        if type(self.order) is not int or self.order < 1:
            return f"order={self.order!r}: Taylor's formula needs an order of at least 1"
        # Names are what the solver goes by, and a variable of that name would be taken for the point on
        # the way.
        if any(v.symbol.name == WAY.name for v in claim.variables):
            return f"a variable is called {WAY.name}, which stands for the points on the way; rename it"
        if self.variable not in {v.symbol for v in claim.variables}:
            names = ", ".join(str(v.symbol) for v in claim.variables) or "none"
            return f"variable={self.variable}: it is no variable of the claim; declared are: {names}"
        stray = stray_symbols(claim, [self.start])
        return f"start={self.start}: it uses {stray}" if stray else ""

    def wrong_at_start(self, given: list[Formula], gap: sympy.Expr, steps: int) -> str:
        """Return the first Taylor term whose sign was not shown; empty if all were. Terms that vanish by algebra are
        skipped.

        Args:
            given: Hypotheses and facts of premises.
            gap: The difference of the sides.
            steps: The effort for z3 for each term.
        """
        for j in range(self.order):
            term = sympy.diff(gap, self.variable, j).subs(self.variable, self.start) * (self.variable - self.start) ** j
            if is_zero(term):
                continue
            if prove(given, ge(term, 0), steps=steps, atoms=True).answer != "proved":
                return f"the Taylor term of degree {j} was not shown to be nonnegative: {term}"
        return ""

    def wrong_on_the_way(self, given: list[Formula], gap: sympy.Expr, steps: int, *, strict: bool) -> str:
        """Return the reason why the last derivative was not shown to have the right sign; empty if it was.

        Args:
            given: Hypotheses and facts of premises.
            gap: The difference of the sides.
            steps: The effort for z3.
            strict: Whether the conclusion is strict; the start must then differ from the variable.
        """
        w, between = WAY, on_the_way(self.variable, self.start)
        derivative = _factored(sympy.diff(gap.subs(self.variable, w), w, self.order))
        value = (self.variable - self.start) ** self.order * derivative
        conditions = [*given, between]
        if strict:
            apart = prove(given, ne(self.variable, self.start), steps=steps, atoms=True)
            if apart.answer != "proved":
                return "the way may have length zero, where a strict inequality does not follow"
            # At the start itself the derivative may vanish; the average over the way is still positive.
            conditions.append(ne(w, self.start))
        goal = gt(value, 0) if strict else ge(value, 0)
        result = prove(conditions, goal, steps=steps, atoms=True)
        return "" if result.answer == "proved" else f"the derivative of order {self.order}: {result.reason}"


def _factored(expression: sympy.Expr) -> sympy.Expr:
    """The expression as a product over one denominator; SymPy would take each exponential apart into a product."""
    kept = {e: sympy.Dummy(f"e{i}") for i, e in enumerate(sorted(expression.atoms(sympy.exp), key=str))}
    back = {symbol: e for e, symbol in kept.items()}
    return sympy.factor(sympy.together(expression.xreplace(kept))).xreplace(back)
