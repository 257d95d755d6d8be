"""Symbolic lenses: identities reduced to zero, and inequalities written as sums of nonnegative terms.

Both rest on one step: SymPy rewrites an expression by identities until it is 0. That shows equality
wherever the rewritten terms are defined, so that each lens first has z3 show that every term is
defined under the assumptions. The assumptions of the symbols (positive, integer) are those of the
claim's domains and may be used by SymPy.

They say nothing of claims that something exists, and nothing when SymPy finds no way: no reduction
is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import sympy

from rgm_verify.balls.binding import BINDING, worked_out
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import All, Formula, Relation, ge, gt, relations
from rgm_verify.lenses.algebra.equations import conjuncts
from rgm_verify.lenses.algebra.smoothness import undefined_on_the_way
from rgm_verify.lenses.base import Context, Lens, stray_symbols
from rgm_verify.lenses.solvers.smt import prove, undefined


def _factored_logarithms(value: sympy.Expr) -> sympy.Expr:
    """Return the expression with the argument of each logarithm factored first, so that logarithms of
    products cancel.
    """
    factored = value.replace(sympy.log, lambda x: sympy.log(sympy.factor(sympy.together(x))))
    return sympy.expand(sympy.expand_log(sympy.powdenest(factored)))


def _by_gamma(value: sympy.Expr) -> sympy.Expr:
    """Return the expression with gamma functions for the beta function, and with one of the incomplete ones."""
    if not value.has(sympy.beta, sympy.lowergamma):
        return value
    return sympy.gammasimp(value.rewrite(sympy.gamma) if value.has(sympy.beta) else value.rewrite(sympy.uppergamma))


#: What may be left of an expression whose derivatives and sums were worked out.
_BINDING = (*BINDING, sympy.Subs)
# Cheap ones first. The last one tries everything that SymPy knows and takes longest.
_REDUCTIONS: tuple[tuple[str, Callable[[sympy.Expr], sympy.Expr]], ...] = (
    ("expansion", sympy.expand),
    ("a common denominator", lambda e: sympy.expand(sympy.numer(sympy.together(e)))),
    ("expanded logarithms", lambda e: sympy.expand(sympy.expand_log(sympy.powdenest(e)))),
    ("factored logarithms", _factored_logarithms),
    (
        "a common denominator of factored logarithms",
        lambda e: sympy.expand(sympy.numer(sympy.together(_factored_logarithms(e)))),
    ),
    ("gamma functions", _by_gamma),
    ("simplification", sympy.simplify),
)


def is_zero(value: sympy.Expr) -> str:
    """The name of the first reduction that takes `value` to 0, or an empty text.

    A name is a proof by SymPy that the value is 0 wherever it is defined; definedness is for the caller. An empty text
    says nothing: no reduction is complete. Integrals are unknown numbers here: SymPy's values of them are no proofs.

    Args:
        value: An expression whose symbols carry the assumptions of their domains.

    Returns:
        A description for the report; never more than "0 where defined".

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x", positive=True)
        >>> is_zero((x + 1) ** 2 - x**2 - 2 * x - 1)
        'expansion'
        >>> is_zero(x - 1)
        ''
    """
    value = _worked_out(value)
    if any(type(f).__name__.startswith("LogRemainder") for f in value.atoms(sympy.Function)):
        # SymPy's reductions know nothing of the remainder of a logarithm; as logarithms and powers they
        # do.
        value = value.rewrite(sympy.log)
    if value == 0:
        return "evaluation"
    if _differs_from_zero(value):
        return ""  # the reductions take long over what they cannot do
    for name, reduction in _REDUCTIONS:
        try:
            reduced = reduction(value)
        except (NotImplementedError, ValueError, TypeError, AttributeError):  # SymPy gives up in all these ways
            continue
        if reduced == 0:
            return name
    return ""


def _worked_out(value: sympy.Expr) -> sympy.Expr:
    """Return an expression with its derivatives and sums worked out, and with an unknown number for what has no value.

    That is an integral, and a sum or a product without a confirmed closed form (`balls.binding`). SymPy has wrong
    values of integrals whose integrand has a kink or a pole, and looks for values of all three in each of its
    simplifications. Whoever has a value with a proof puts it in before (`analysis.improper`).
    """
    value = worked_out(value)
    # By the names of bound variables alone two of a kind do not differ.
    numbers: dict[sympy.Basic, sympy.Dummy] = {}
    nodes = sorted(filter(_holds_no_value, value.atoms(*_BINDING)), key=sympy.default_sort_key)
    found = {i: numbers.setdefault(i.as_dummy(), sympy.Dummy(f"number {len(numbers)}", real=True)) for i in nodes}
    # The outer ones are replaced first, and the inner ones with them.
    return value.xreplace(found)


def _holds_no_value(node: sympy.Basic) -> bool:
    """Return whether a term that binds a variable is an integral, a sum or a product, or is of one."""
    return bool(node.has(sympy.Integral, sympy.Sum, sympy.Product))


def _differs_from_zero(value: sympy.Expr) -> bool:
    """Return whether Arb is certain that an expression is not 0 at a point of the domains that its symbols declare.

    It only saves time: the answer keeps `is_zero` from trying, and never makes it say yes. So the point
    need not be admissible for the claim; it only has to be in the domains that SymPy assumes, or a
    reduction might be right although the value differs there.
    """
    from rgm_verify.balls.enclose import sign_at
    from rgm_verify.balls.program import UnsupportedExpression

    symbols = sorted(value.free_symbols, key=str)
    # The points have positive coordinates, which these symbols do not admit.
    if any(s.is_negative or s.is_nonpositive or s.is_even or s.is_odd or s.is_zero for s in symbols):
        return False
    # Quotients of primes: at numbers such as 1, and at equal ones, terms vanish or have no value. A second point, as
    # the first may be such a place all the same.
    primes = [Fraction(int(sympy.prime(i + 5)), int(sympy.prime(i + 8))) for i in range(len(symbols))]
    for coordinates in (primes, [1 / x for x in primes[::-1]]):
        pairs = zip(symbols, coordinates, strict=True)
        point = {s: Fraction(x.numerator) if s.is_integer else x for s, x in pairs}
        try:
            if sign_at(value, point, maximum_bits=256) in ("positive", "negative"):
                return True
        except (UnsupportedExpression, OverflowError, TypeError):
            return False
    return False


@dataclass(frozen=True)
class Identity(Lens):
    """Reduce the difference of both sides of every equation to zero symbolically.

    `positive` lists subexpressions that are positive under the hypotheses (checked by SMT); each is replaced by a
    positive symbol first, so that its logarithm and roots may be taken apart, and put back afterwards where the symbol
    alone does not do. `differentiate=(x, x0)` shows instead
    that the difference has derivative zero in x and vanishes at x = x0.

    Proves: every equation of the conclusion, at every admissible point. Gives nothing for a conclusion
    with an inequality.

    A derivative that vanishes on the way from x0 to x and a zero at x0 give equality at x by the mean
    value theorem, if the difference is continuous on the whole way and differentiable inside it;
    `undefined_on_the_way` shows that. Integers do no harm: the way runs through the reals between two
    integers.

    Attributes:
        positive: Expressions in the claim's variables.
        differentiate: A variable and a start for it; the start may contain the other variables.
    """

    positive: tuple[sympy.Expr, ...] = ()
    differentiate: tuple[sympy.Symbol, sympy.Expr] | None = None

    name: ClassVar[str] = "identity"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SYMBOLIC_PROOF, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Prove each equation of a conclusion that is an equation or a chain of equations.

        A zero difference proves nothing where a side is undefined, so that definedness comes first. The settings are
        never trusted: `positive` is proved by z3, and a way for `differentiate` must stay inside the domain. Returns no
        evidence for a conclusion of another form.

        Args:
            claim: The claim or a control of it.
            context: The steps for z3 and the second solver.

        Returns:
            One piece of evidence, a symbolic proof or an undecided note with the reason.
        """
        equations = _equations(claim.conclusion)
        if not equations:
            return []
        # A stray symbol would be free in the proof and absent from the claim: the reduction would be of
        # another statement.
        problem = self.misuse(claim)
        if problem:
            return [self.undecided(("sympy",), problem)]
        given, steps = [h.formula for h in claim.assumptions], context.profile.smt_steps
        # A positive symbol in place of an expression of unknown sign would let SymPy take a logarithm
        # apart that has no value.
        for part in self.positive:
            known = prove(given, gt(part, 0), steps=steps)
            if known.answer != "proved":
                return [self.undecided(("sympy", "z3"), f"cannot show that {part} is positive: {known.reason}")]
        if claim.quantifier == "exists":
            return [self.undecided(("sympy",), "it proves statements about all points, not that one exists")]
        problem = next((p for e in equations if (p := undefined(given, e, steps=steps))), "")
        if not problem and self.differentiate is not None:
            problem = self.broken_way(given, equations, steps)
        if problem:
            return [self.undecided(("sympy", "z3"), problem)]
        ways = [self.reduce(equation) for equation in equations]
        if not all(ways):
            failed = equations[ways.index("")]
            return [self.undecided(("sympy",), f"the difference of the sides was not reduced to 0: {failed.gap}")]
        summary = "the difference of the sides reduces to 0 by " + ", ".join(dict.fromkeys(ways))
        return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, ("sympy",), summary)]

    def misuse(self, claim: Claim) -> str:
        """Return what is wrong with the settings; empty if nothing is."""
        stray = stray_symbols(claim, self.positive)
        if stray:
            return f"positive: it uses {stray}"
        if self.differentiate is None:
            return ""
        symbol, start = self.differentiate
        stray = stray_symbols(claim, [symbol]) or stray_symbols(claim, [start])
        if stray:
            return f"differentiate: it uses {stray}"
        return "" if isinstance(symbol, sympy.Symbol) else f"differentiate: {symbol} is not a variable"

    def broken_way(self, given: Sequence[Formula], equations: Sequence[Relation], steps: int) -> str:
        """Return why a zero slope does not carry the equality from the start everywhere; empty if it does.

        Args:
            given: The assumptions of the claim.
            equations: The equations of its conclusion.
            steps: The effort for z3 for each condition.
        """
        if self.differentiate is None:
            return ""
        symbol, start = self.differentiate
        # Only that the start has a value is asked: the relation stands for its two sides and is not
        # shown.
        problem = undefined(given, ge(start, 0), steps=steps)
        gaps = [worked_out(e.gap) for e in equations]
        ways = (undefined_on_the_way(given, gap, symbol, sympy.sympify(start), steps, from_start=False) for gap in gaps)
        return problem or next((p for p in ways if p), "")

    def reduce(self, equation: Relation) -> str:
        """Return a description of the reduction of the difference to zero; empty if it was not reduced.

        Args:
            equation: One equation; both sides are defined by now.
        """
        # Derivatives and sums are worked out first: a reduction would take them for constants.
        gap = worked_out(equation.gap)
        if self.differentiate is not None:
            symbol, start = self.differentiate
            slope, value = is_zero(sympy.diff(gap, symbol)), is_zero(gap.subs(symbol, start))
            return f"a zero derivative in {symbol} and a zero at {start}" if slope and value else ""
        replaced = {p: sympy.Dummy(f"p{i}", positive=True) for i, p in enumerate(self.positive)}
        apart = _replace(gap, replaced)
        way = is_zero(apart)
        if way or not replaced:
            return way
        # Logarithms are apart by now; what stands outside of them may need what the subexpressions are.
        return is_zero(_factored_logarithms(apart).subs({symbol: part for part, symbol in replaced.items()}))


def _replace(value: sympy.Expr, replaced: dict[sympy.Expr, sympy.Symbol]) -> sympy.Expr:
    """Replace each expression wherever it stands up to a number, in factors of logarithms and bases of powers too.

    A positive symbol in its place lets SymPy take logarithms and powers of products apart.

    Args:
        replaced: A positive dummy symbol for each expression.

    Returns:
        The same expression in the new symbols, equal to the old one when each symbol is put back.
    """
    if not replaced:
        return value
    value = value.replace(sympy.log, lambda x: sympy.log(_match_factors(x, replaced)))
    value = value.replace(
        lambda e: isinstance(e, sympy.Pow) and (not e.exp.is_Integer or e.exp.is_negative),
        lambda e: sympy.Pow(_match_factors(e.base, replaced), e.exp),
    )
    return value.subs(replaced, simultaneous=True)


def _match_factors(value: sympy.Expr, replaced: dict[sympy.Expr, sympy.Symbol]) -> sympy.Expr:
    """Return the product with each factor that is a number times a given expression written by its symbol.

    Only a quotient that is a number is taken, so that the product stays the same expression.
    """
    product = sympy.S.One
    for factor in sympy.Mul.make_args(sympy.factor(sympy.together(value))):
        base, exponent = factor.as_base_exp()
        for part, symbol in replaced.items():
            quotient = sympy.cancel(base / part)
            if quotient.is_number:
                base = quotient * symbol
                break
        product *= base**exponent
    return product


def _equations(conclusion: Formula | None) -> list[Relation]:
    """Return the relations of a conclusion that is made of equations alone; empty for any other.

    Below an implication or an alternative an equation is not asserted, so that those conclusions are
    none.
    """
    if conclusion is None or not isinstance(conclusion, Relation | All):
        return []
    found = list(relations(conclusion))
    return found if all(r.op == "==" for r in found) else []


@dataclass(frozen=True)
class Combination(Lens):
    """An inequality as a sum of nonnegative terms: gap = sum of products of things known to be nonnegative.

    Each term is a tuple of factors. A factor is nonnegative by its form (squares, positive symbols) or because
    it is the gap of one of the hypotheses; the identity itself is checked by expansion.
    For a strict conclusion at least one term must be positive: all its factors positive by form or strict hypotheses.

    Proves: an inequality whose gap is such a sum, at every admissible point. The argument is
    elementary: products of nonnegative numbers and their sums are nonnegative, and z3 is asked only
    whether every term is defined. Hypotheses below an implication or an alternative are not used. The
    lens finds no combination itself.

    Attributes:
        terms: A tuple of factors for each product; a number is a factor as well.
    """

    terms: tuple[tuple[sympy.Expr, ...], ...] = ()

    name: ClassVar[str] = "nonnegative combination"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SYMBOLIC_PROOF, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Check the combination for a conclusion that is one inequality.

        In this order: every side and factor is defined, every factor is known to be >= 0, the terms add up to the gap
        by expansion, and for a strict conclusion one term is positive. The first step that fails makes it undecided,
        with the reason.

        Args:
            claim: The claim or a control of it.
            context: The steps for z3 and the second solver.

        Returns:
            One piece of evidence: a symbolic proof, or an undecided note.
        """
        conclusion = claim.conclusion
        if not isinstance(conclusion, Relation) or conclusion.op in ("==", "!="):
            return [self.undecided(("sympy",), "the conclusion is not a single inequality")]
        if claim.quantifier == "exists":
            return [self.undecided(("sympy",), "it proves statements about all points, not that one exists")]
        stray = stray_symbols(claim, [factor for term in self.terms for factor in term])
        if stray:
            return [self.undecided(("sympy",), f"terms: they use {stray}")]
        given, steps = [h.formula for h in claim.assumptions], context.profile.smt_steps
        # An identity of expressions says nothing at a point where one of them has no value.
        sides = [conclusion, *(ge(sympy.sympify(factor), 0) for term in self.terms for factor in term)]
        problem = next((p for r in sides if (p := undefined(given, r, steps=steps))), "")
        if problem:
            return [self.undecided(("sympy", "z3"), problem)]
        known = {g for h in claim.assumptions for r in conjuncts(h.formula) for g in _known(r)}
        for term in self.terms:
            for factor in term:
                if not _is_nonnegative(sympy.sympify(factor), known):
                    return [self.undecided(("sympy",), f"the factor {factor} is not known to be nonnegative")]
        # The factors of the settings are not trusted: that they add up to the gap is shown here, by
        # `is_zero`.
        total = sympy.Add(*(sympy.Mul(*(sympy.sympify(f) for f in term)) for term in self.terms))
        if not is_zero(conclusion.gap - total):
            return [self.undecided(("sympy",), "the terms do not add up to the difference of the sides")]
        if conclusion.strict and not self.has_positive_term(claim):
            return [self.undecided(("sympy",), "no term of the combination is known to be positive")]
        summary = f"the difference of the sides is a sum of {len(self.terms)} nonnegative terms"
        details = {"terms": [" * ".join(f"({f})" for f in term) for term in self.terms]}
        return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, ("sympy",), summary, details=details)]

    def has_positive_term(self, claim: Claim) -> bool:
        """Return whether some term is positive everywhere under the assumptions.

        The other terms are nonnegative, so that one positive term makes the sum positive.
        """
        strict = {sympy.expand(r.gap) for h in claim.assumptions for r in conjuncts(h.formula) if r.op in ("<", ">")}
        return any(all(_is_positive(sympy.sympify(f), strict) for f in term) for term in self.terms)


def _known(relation: Relation) -> Sequence[sympy.Expr]:
    """Return the expressions that a hypothesis makes >= 0: its gap, for an equation also the negative of it."""
    gap = sympy.expand(relation.gap)
    if relation.op == "==":
        return (gap, -gap)
    return () if relation.op == "!=" else (gap,)


def _is_nonnegative(factor: sympy.Expr, known: set[sympy.Expr]) -> bool:
    """Return whether a factor is >= 0 by SymPy's assumptions, or is the gap of a hypothesis after
    expansion.
    """
    return factor.is_nonnegative is True or sympy.expand(factor) in known


def _is_positive(factor: sympy.Expr, strict: set[sympy.Expr]) -> bool:
    """Return whether a factor is > 0 by SymPy's assumptions, or is the gap of a strict hypothesis after
    expansion.
    """
    return factor.is_positive is True or sympy.expand(factor) in strict
