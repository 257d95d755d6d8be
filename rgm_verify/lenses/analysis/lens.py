"""The lens of a stranger's claim: proofs by the rules of a calculus course, searched for without being asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim, Variable, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import All, FormulaError, Relation, relations
from rgm_verify.lenses.algebra.equations import conjuncts
from rgm_verify.lenses.analysis.existence import sign_change
from rgm_verify.lenses.analysis.growth import NotKnown
from rgm_verify.lenses.analysis.identities import identical
from rgm_verify.lenses.analysis.induction import by_induction
from rgm_verify.lenses.analysis.integers import among_integers
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import Context, Lens, rational
from rgm_verify.lenses.solvers.definedness import evident, needs, parts

#: What SymPy raises where it cannot work with an expression.
_GIVES_UP = (
    sympy.polys.polyerrors.BasePolynomialError, NotImplementedError, ZeroDivisionError, NotKnown, StopIteration,
    RecursionError, FormulaError, ValueError, TypeError, AttributeError, OverflowError,
)  # fmt: skip
_SHOWN = 3
#: What an author can do where the search stops.
_HELP = (
    "prove the open step as a claim of its own and deduce this one (Deduction), name the start and the order of a "
    "way (Monotone), or certify it on a bounded box with what both sides have in common divided out (Region)"
)
_HELP_DEFINED = "add the hypothesis or the end of a domain that makes the term a real number"


@dataclass(frozen=True)
class Analysis(Lens):
    """Search for a proof by the rules of a calculus course.

    Values where a way starts and signs of slopes on the way, signs of functions of one variable, cases, logarithms of
    both sides, induction, and equations by algebra or by a derivative that vanishes. For an existence claim it looks
    for a change of sign, or shows the opposite everywhere.
    """

    name: ClassVar[str] = "analysis"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SYMBOLIC_PROOF, Kind.EXACT_WITNESS, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Prove the claim, or refute an existence claim; a failure names what was open last."""
        if claim.conclusion is None:
            return []
        if not isinstance(claim.conclusion, Relation | All):
            return [self.undecided(("sympy",), "the conclusion is not a relation or several of them")]
        try:
            return self.searched(claim, list(relations(claim.conclusion)))
        except _GIVES_UP as error:
            return [self.undecided(("sympy",), f"{type(error).__name__}: {error}")]

    def searched(self, claim: Claim, wanted: list[Relation]) -> list[Evidence]:
        """Look at the relations of the conclusion one after the other."""
        if any(isinstance(r, All) for r in wanted):
            return []
        prover = Prover()
        case = Case.of(claim)
        if claim.quantifier == "exists":
            return self.existing(claim, wanted, case, prover)
        said = []
        for relation in wanted:
            problem = case.undefined(relation, prover)
            if problem:
                return [self.undecided(("sympy", "z3"), problem, help=_HELP_DEFINED)]
            how = case.show(claim, relation, prover)
            if not how:
                return [self.open(prover)]
            said.append(how)
        details = {"proof": prover.log[-40:], **({"boxes": prover.boxes} if prover.boxes else {})}
        families = ("sympy", "z3", "arb") if claim.variables else ("sympy",)
        summary = "; ".join(dict.fromkeys(said))
        return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, families, summary, details=details)]

    def existing(self, claim: Claim, wanted: list[Relation], case: Case, prover: Prover) -> list[Evidence]:
        """Show that a point exists by a change of sign, or that none does."""
        if len(wanted) != 1:
            return [self.undecided(("sympy",), "several relations at one point")]
        relation = wanted[0]
        if relation.op == "==" and len(claim.variables) == 1 and not claim.hypotheses:
            found = sign_change(relation, claim.variables[0])
            if found is not None:
                summary = f"its difference changes sign between {found[0]} and {found[1]}, and is continuous there"
                return [
                    self.evidence(Kind.EXACT_WITNESS, Finding.SUPPORTS, ("arb", "mpmath"), summary, details={
                        "between": [str(found[0]), str(found[1])]})
                ]  # fmt: skip
        if case.undefined(relation, prover):
            return [self.undecided(("sympy", "z3"), case.undefined(relation, prover))]
        opposites = {"==": ("<", ">"), "!=": ("==",)}.get(relation.op) or (
            {"<=": ">", "<": ">=", ">=": "<", ">": "<="}[relation.op],
        )
        for op in opposites:
            how = case.show(claim, Relation(relation.lhs, op, relation.rhs), prover)
            if how:
                summary = f"no point does it: {relation.lhs} {op} {relation.rhs} everywhere ({how})"
                details = {"proof": prover.log[-40:]}
                return [
                    self.evidence(
                        Kind.SYMBOLIC_PROOF, Finding.REFUTES, ("sympy", "z3", "arb"), summary, details=details
                    )
                ]
        return [self.open(prover)]

    def open(self, prover: Prover) -> Evidence:
        """What was not shown: the simplest of the goals that every rule failed at."""
        left = sorted(dict.fromkeys(prover.open), key=len)[:_SHOWN]
        text = "; ".join(left) or "no rule applies"
        spent = "" if prover.goals > 0 and prover.effort > 0 else " before the search had cost what it may"
        return self.undecided(("sympy", "z3", "arb"), f"no proof was found{spent}: {text}", open=left, help=_HELP)


@dataclass(frozen=True)
class Case:
    """A claim over the reals: its domain, and what its own variables are in the variables of that domain."""

    domain: Domain
    reals: dict[sympy.Symbol, sympy.Expr]

    @classmethod
    def of(cls, claim: Claim) -> Case:
        """The claim's domain with integers among the reals, ranges moved to 0, and linear equations solved."""
        variables, values = [], {}
        for v in claim.variables:
            made, value = _moved(v)
            variables.append(made)
            values[v.symbol] = value
        extra: list[Relation] = []
        domain = Domain(tuple(variables))
        solved: dict[sympy.Symbol, sympy.Expr] = {}
        for relation in (r for h in claim.hypotheses for r in conjuncts(h.formula)):
            lhs, rhs = (evaluated(s).xreplace(values).xreplace(solved) for s in (relation.lhs, relation.rhs))
            if relation.op == "==":
                found = _solved(sympy.expand(lhs - rhs), [v.symbol for v in domain.variables])
                if found is not None:
                    symbol, value = found
                    old = next(v for v in domain.variables if v.symbol == symbol)
                    solved = {s: e.xreplace({symbol: value}) for s, e in solved.items()} | {symbol: value}
                    extra = [Relation(r.lhs.xreplace(solved), r.op, r.rhs.xreplace(solved)) for r in extra]
                    extra += [Relation(value, r.op, r.rhs) for r in old.domain()]
                    domain = Domain(tuple(v for v in domain.variables if v.symbol != symbol))
                continue
            extra.append(Relation(lhs, relation.op, rhs))
        values = {s: sympy.sympify(e).xreplace(solved) for s, e in values.items()}
        return cls(_narrowed(replace(domain, extra=tuple(extra))), values)

    def placed(self, e: sympy.Expr) -> sympy.Expr:
        """An expression of the claim in the variables of the domain."""
        return evaluated(e).xreplace(self.reals)

    def undefined(self, relation: Relation, prover: Prover) -> str:
        """The first term of a relation that was not shown to be defined; empty if all were."""
        sides = [relation.lhs, relation.rhs]
        nodes = list(dict.fromkeys(n for s in sides for n in parts(s)))
        for node in nodes:
            for need in needs(node):
                if evident(need):
                    continue
                moved = Relation(self.placed(need.lhs), need.op, self.placed(need.rhs))
                known = all(prover.defined(s, self.domain) for s in (moved.lhs, moved.rhs))
                if not known or not (evident(moved) or prover.met(moved, self.domain)):
                    return f"could not show that a term is defined: {node}"
        return ""

    def show(self, claim: Claim, relation: Relation, prover: Prover) -> str:
        """Say how a relation was shown that is defined on the domain; empty if it was not."""
        gap = self.placed(relation.gap)
        if relation.op == "==":
            way = identical(gap, self.domain, prover) if prover.defined(gap, self.domain) else ""
            return way or by_induction(claim, relation, self.domain, self.reals, prover)
        plain = not gap.has(sympy.Sum, sympy.Product, sympy.Integral)
        whole = any(v.integer for v in claim.variables)
        if relation.op == "!=":
            for sign in (1, -1) if plain else ():
                if prover.prove(Goal(sign * gap, True, self.domain)):
                    return f"one side is always the larger one, by calculus ({len(prover.log)} steps)"
            return among_integers(claim, relation) if whole else ""
        if whole:
            how = by_induction(claim, relation, self.domain, self.reals, prover) or among_integers(claim, relation)
            if how:
                return how
        if plain and prover.prove(Goal(gap, relation.strict, self.domain)):
            return f"by calculus: {prover.log[-1] if prover.log else 'by its form'} ({len(prover.log)} steps)"
        return ""


def _moved(v: Variable) -> tuple[Variable, sympy.Expr]:
    """A real variable whose range begins at 0 where it has an end, and the variable of the claim in it."""
    name = v.symbol.name
    if v.lower is not None:
        upper = None if v.upper is None else v.upper - v.lower
        made = real(
            name, lower=Fraction(0), upper=upper, lower_open=v.lower_open, upper_open=v.upper_open and upper is not None
        )
        return made, rational(v.lower) + made.symbol
    if v.upper is not None:
        made = real(name, lower=Fraction(0), lower_open=v.upper_open)
        return made, rational(v.upper) - made.symbol
    made = real(name)
    return made, made.symbol


def _solved(gap: sympy.Expr, symbols: list[sympy.Symbol]) -> tuple[sympy.Symbol, sympy.Expr] | None:
    """A variable that an equation determines: it occurs to the first degree, with a number as its factor."""
    for symbol in reversed(symbols):
        slope = gap.diff(symbol)
        if slope.is_Rational and slope != 0:
            return symbol, sympy.expand(-(gap.xreplace({symbol: sympy.S.Zero})) / slope)
    return None


def _narrowed(domain: Domain) -> Domain:
    """The domain with assumptions that bound one variable by a number as ends of its range."""
    kept: list[Relation] = []
    variables = {v.symbol: v for v in domain.variables}
    for relation in domain.extra:
        symbols = relation.gap.free_symbols
        if len(symbols) != 1 or relation.op in ("==", "!="):
            kept.append(relation)
            continue
        symbol = next(iter(symbols))
        slope = relation.gap.diff(symbol)
        if not slope.is_Rational or slope == 0:
            kept.append(relation)
            continue
        found = sympy.sympify(-relation.gap.xreplace({symbol: sympy.S.Zero}) / slope)
        if not found.is_Rational:
            kept.append(relation)
            continue
        end, v = Fraction(int(found.p), int(found.q)), variables[symbol]
        if slope > 0 and (v.lower is None or end > v.lower or (end == v.lower and relation.strict)):
            v = replace(v, lower=end, lower_open=relation.strict)
        if slope < 0 and (v.upper is None or end < v.upper or (end == v.upper and relation.strict)):
            v = replace(v, upper=end, upper_open=relation.strict)
        variables[symbol] = v
    return Domain(tuple(variables.values()), tuple(kept))
