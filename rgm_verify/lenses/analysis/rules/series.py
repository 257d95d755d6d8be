"""Sums in closed form by telescoping, and bounds of sums of a monotone function by its integral.

F(k + 1) - F(k) = f(k) for every k of a sum gives its value, F(high + 1) - F(low). A function that falls lies below its
mean over the unit before and above that over the unit after, and an antiderivative gives both; one that rises the other
way round. SymPy proposes F, which is then confirmed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy
from sympy.concrete.gosper import gosper_term
from sympy.integrals.manualintegrate import manualintegrate

from rgm_verify.balls.binding import BINDING
from rgm_verify.claims.claim import real
from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.improper import each_case
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover

__all__ = ["by_sums", "closed_form", "has_terms_of_one_sign", "integral_bounds"]

_LONGEST = 120
#: More steps of a recurrence are not written out.
_MOST_RAISED = 4
_GIVES_UP = (
    sympy.polys.polyerrors.BasePolynomialError, NotImplementedError, ZeroDivisionError, RecursionError, ValueError,
    TypeError, AttributeError, FormulaError,
)  # fmt: skip


def closed_form(node: sympy.Sum, domain: Domain, prover: Prover) -> sympy.Expr | None:
    """The value of a sum as an expression without one, wherever in the domain its ends lie; None without a proof.

    Args:
        node: A sum over one index, whose ends are integers at every admissible point, the upper one at least the lower
            one less 1.
        prover: The search, for conditions of definedness.
    """
    if len(node.limits) != 1 or node.function.has(sympy.Sum, sympy.Product, sympy.Integral):
        return None
    index, low, high = node.limits[0]
    if sympy.count_ops(node.function) > _LONGEST:
        return None
    k = sympy.Symbol("k'", integer=True)
    term = node.function.xreplace({index: k})
    try:
        # A proposal: that it telescopes is shown below.
        ratio = gosper_term(term, k)
        if ratio is None:
            return None
        # Poles of the ratio may be zeros of the term.
        primitive = sympy.factor(ratio) * term
        if ratio.has(k) and not sympy.denom(sympy.together(ratio)).is_number:
            primitive = _raised(sympy.combsimp(primitive), k, low)
        step = primitive.xreplace({k: k + 1}) - primitive - term
        if not (reduced(step) or sympy.simplify(sympy.combsimp(step)) == 0):
            return None
        whole = _told(primitive, k)
        if _defined_between(whole, k, low, high + 1, domain, prover):
            return sympy.powsimp(primitive.xreplace({k: high + 1}) - primitive.xreplace({k: low}))
        # The last term by itself, where the primitive has no value past it; the sum is not empty then.
        if prover.holds(Relation(low, "<=", high), domain) and _defined_between(whole, k, low, high, domain, prover):
            last = primitive.xreplace({k: high}) + term.xreplace({k: high})
            return sympy.powsimp(last - primitive.xreplace({k: low}))
    except _GIVES_UP:
        return None
    return None


def _raised(e: sympy.Expr, k: sympy.Symbol, low: sympy.Expr) -> sympy.Expr:
    """Return an expression with gamma functions whose arguments are positive at the first index, by recurrences."""

    def up(node: sympy.Expr) -> sympy.Expr:
        argument, factor = node.args[0], sympy.S.One
        start = argument.xreplace({k: low})
        for _ in range(1 - int(start) if start.is_Integer and -_MOST_RAISED < start <= 0 else 0):
            factor, argument = factor / argument, argument + 1
        return factor * sympy.gamma(argument)

    return e.rewrite(sympy.gamma).replace(lambda node: isinstance(node, sympy.gamma), up)


def _told(e: sympy.Expr, k: sympy.Symbol) -> sympy.Expr:
    """Return an expression with 1 for each power of -1 to an integer: both are real numbers."""

    def is_sign(power: sympy.Expr) -> bool:
        return isinstance(power, sympy.Pow) and power.base == -1 and power.exp.is_integer is True

    return e.replace(is_sign, lambda power: sympy.S.One)


def _defined_between(
    e: sympy.Expr, k: sympy.Symbol, low: sympy.Expr, high: sympy.Expr, domain: Domain, prover: Prover
) -> bool:
    """Return whether an expression is a real number for all reals between two values of an index."""
    wide, s = _along(low, high, domain)
    return prover.defined(e.xreplace({k: s}), wide)


def _along(low: sympy.Expr, high: sympy.Expr, domain: Domain) -> tuple[Domain, sympy.Symbol]:
    """The domain with a real variable between two expressions."""
    # SymPy simplifies a power of something >= 0 by the sign of its exponent.
    open_end = bool(low.is_positive)
    between = real("(the index)", lower=0 if low.is_nonnegative else None, lower_open=open_end)
    extra = (Relation(between.symbol, ">=", low), Relation(between.symbol, "<=", high))
    return replace(domain, variables=(*domain.variables, between), extra=(*domain.extra, *extra)), between.symbol


def integral_bounds(node: sympy.Sum, domain: Domain, prover: Prover, *, upper: bool) -> Iterator[sympy.Expr]:
    """Upper or lower bounds of a sum of a monotone function of its index, without the sum, on the whole domain.

    Args:
        node: A sum over one index; its ends are integers at every admissible point, the upper one not below the lower.
        prover: The search, for signs and definedness.
        upper: Whether upper bounds are asked for.
    """
    if len(node.limits) != 1 or node.function.has(sympy.Sum, sympy.Product, sympy.Integral):
        return
    index, low, high = node.limits[0]
    if sympy.count_ops(node.function) > _LONGEST:
        return
    for before, after in ((1, 0), (0, 1), (0, 0)):
        found = _bound(node.function, index, (low, high), (before, after), domain, prover, upper=upper)
        if found is not None:
            yield found


def _bound(
    f: sympy.Expr, index: sympy.Symbol, ends: tuple[sympy.Expr, sympy.Expr], reach: tuple[int, int], domain: Domain,
    prover: Prover, *, upper: bool,
) -> sympy.Expr | None:  # fmt: skip
    """One bound by the integral from `low - before` to `high + after`; of both 0 the term at an end is added.

    A function that falls: sum <= integral over [low - 1, high], sum <= f(low) + integral over [low, high], and the sum
    is at least the integral over [low, high + 1] and at least f(high) + that over [low, high].
    """
    low, high = ends
    before, after = reach
    try:
        wide, s = _along(low - before, high + after, domain)
        inside = f.xreplace({index: s})
        if not prover.defined(inside, wide) or not prover.smooth(inside, s, wide):
            return None
        primitive = _primitive(inside, s, wide, prover)
        if primitive is None:
            return None
        slope = sympy.diff(inside, s)
        falls = prover.show(Goal(-slope, False, wide), 2)
        if not falls and not prover.show(Goal(slope, False, wide), 2):
            return None
    except _GIVES_UP:
        return None
    # The unit before each index has the larger values of a function that falls.
    if (before or after) and (before == 1) != (falls == upper):
        return None
    integral = primitive.xreplace({s: high + after}) - primitive.xreplace({s: low - before})
    if before or after:
        return integral
    return integral + f.xreplace({index: low if falls == upper else high})


def _primitive(f: sympy.Expr, s: sympy.Symbol, wide: Domain, prover: Prover) -> sympy.Expr | None:
    """Return an antiderivative that is defined and smooth on a domain, which tells SymPy's cases apart."""
    for found in each_case(manualintegrate(f, s)):
        if found.has(sympy.Integral, sympy.Piecewise) or not reduced(sympy.diff(found, s) - f):
            continue
        if prover.defined(found, wide) and prover.smooth(found, s, wide):
            return found
    return None


def has_terms_of_one_sign(node: sympy.Sum, strict: bool, domain: Domain, prover: Prover) -> bool:
    """Return whether a sum was shown to be >= 0 (> 0) because all of its terms are.

    Args:
        node: A sum over one index, which is defined on the domain.
        strict: Whether > 0 is asked for; the sum has to have a term then.
    """
    if len(node.limits) != 1 or node.function.has(*BINDING):
        return False
    index, low, high = node.limits[0]
    wide, s = _along(low, high, domain)
    term = node.function.xreplace({index: s})
    some = not strict or prover.holds(Relation(low, "<=", high), domain)
    return some and prover.prove(Goal(term, strict, wide), 2)


def by_sums(gap: sympy.Expr, strict: bool, domain: Domain, prover: Prover) -> str:
    """Say how a difference with a sum in it was shown to be >= 0 (> 0) without that sum; empty if it was not.

    Args:
        gap: The difference of the sides, which is defined on the domain; the ends of its sums are integers there.
        strict: Whether > 0 is asked for.
        prover: The search for the inequality that is left.
    """
    for node in sorted(gap.atoms(sympy.Sum), key=sympy.default_sort_key):
        value = closed_form(node, domain, prover)
        if value is not None:
            rest = gap.xreplace({node: value})
            how = by_sums(rest, strict, domain, prover) if rest.has(sympy.Sum) else ""
            if how or (not rest.has(sympy.Sum, sympy.Product) and prover.prove(Goal(rest, strict, domain))):
                return f"{node} = {value} by telescoping; {how}".removesuffix("; ")
    nodes = sorted(gap.atoms(sympy.Sum), key=sympy.default_sort_key)
    # One share of one sum: with two of them neither has a sign by itself.
    if len(nodes) != 1 or gap.has(sympy.Product, sympy.Integral):
        return ""
    node, name = nodes[0], sympy.Dummy("sum", real=True)
    share = gap.xreplace({node: name}).diff(name)
    _, low, high = node.limits[0]
    sign = None if share.has(name) else prover.sign(share, domain)
    if sign not in (1, -1) or not prover.holds(Relation(low, "<=", high), domain):
        return ""
    for bound in integral_bounds(node, domain, prover, upper=sign < 0):
        if prover.prove(Goal(gap.xreplace({node: bound}), strict, domain)):
            return f"{node} {'<=' if sign < 0 else '>='} {bound}, which is an integral of the same function"
    return ""
