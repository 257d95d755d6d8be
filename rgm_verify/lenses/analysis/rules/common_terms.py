"""One variable in the place of a term that several variables occur in alone: a sum, a difference, a quotient, or what
stands inside of a function.

Every point of the domain gives a value of the new variable z in its range, so that a goal which holds on all of that
range holds at every point. A variable is written by z and the others, and one of these then drops out, up to a positive
factor. An assumption is carried over where it drops out of that as well, and left out where it does not: that asks for
more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy

from rgm_verify.claims.claim import Variable, real
from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.lenses.analysis.asymptotics.kernels import factors
from rgm_verify.lenses.analysis.goals import Domain, Goal, narrowed, symbols_in

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_common_term", "carried", "placed", "without"]

#: Functions whose arguments are tried as the new variable.
_INNER = (
    sympy.erf, sympy.erfc, sympy.atan, sympy.asin, sympy.acos, sympy.tanh, sympy.gamma, sympy.loggamma,
    sympy.polygamma,
)  # fmt: skip
_LONGEST = 150
#: Operations that are moved to a common term of two variables, over all pairs.
_MOST_MOVED = 2_000


@dataclass(frozen=True)
class _Place:
    """A variable of the domain written by a new one: `value` holds for every point, with `made` in its range."""

    replaced: Variable
    made: Variable
    value: sympy.Expr


def by_common_term(goal: Goal, prover: Prover, depth: int) -> bool:
    """Return whether a goal was shown in fewer variables, with a new one for a term that they occur in alone.

    Args:
        goal: A goal that is defined on its domain.
        depth: Ways within ways that may be tried.
    """
    used = [v for v in goal.domain.variables if v.symbol in goal.expression.free_symbols]
    if len(used) < 2 or depth <= 0 or goal.expression.is_rational_function(*(v.symbol for v in used)):
        return False
    # Each pair is expanded and tidied once more; among many variables none is likely to be the only one.
    length = sympy.count_ops(goal.expression)
    if length > _LONGEST or len(used) * (len(used) - 1) * length > _MOST_MOVED:
        return False
    for first in used:
        for second in used:
            for place in _combined(first, second) if first is not second else ():
                if _in_one_term(goal, place, (second,), prover, depth):
                    return True
    return any(
        _in_one_term(goal, place, tuple(v for v in used if v is not place.replaced), prover, depth)
        for place in _inside(goal, used, prover)
    )


def _combined(first: Variable, second: Variable) -> Iterator[_Place]:
    """The first variable by its difference to the second, by their sum, and by their quotient.

    The range of the new variable holds every value that the difference, the sum or the quotient takes.
    """
    name, other = f"({first.symbol.name} by {second.symbol.name})", second.symbol
    low = first.lower - second.upper if first.lower is not None and second.upper is not None else None
    z = real(name, lower=low, lower_open=low is not None and (first.lower_open or second.upper_open))
    yield _Place(first, z, z.symbol + other)
    low = first.lower + second.lower if first.lower is not None and second.lower is not None else None
    z = real(name, lower=low, lower_open=low is not None and (first.lower_open or second.lower_open))
    yield _Place(first, z, z.symbol - other)
    # A quotient needs a positive denominator: otherwise the order of the two turns around.
    positive = second.lower is not None and (second.lower > 0 or (second.lower == 0 and second.lower_open))
    if positive:
        z = real(name)
        if first.lower is not None and first.lower >= 0:
            z = real(name, lower=Fraction(0), lower_open=first.lower_open or first.lower > 0)
        yield _Place(first, z, z.symbol * other)


def _inside(goal: Goal, used: list[Variable], prover: Prover) -> Iterator[_Place]:
    """A variable by what stands inside of a function, which is of the first degree in it with a factor of one sign."""
    arguments = {n.args[-1] for n in goal.expression.atoms(*_INNER)}
    for inner in sorted((a for a in arguments if len(a.free_symbols) > 1), key=sympy.default_sort_key):
        for v in used:
            slope = sympy.expand(inner).diff(v.symbol)
            if slope == 0 or slope.has(v.symbol) or prover.sign(slope, goal.domain) not in (1, -1):
                continue
            rest = sympy.expand(inner - slope * v.symbol)
            if rest.has(v.symbol):
                continue
            z = real(f"(in {v.symbol.name})")
            yield _Place(v, z, (z.symbol - rest) / slope)


def _in_one_term(goal: Goal, place: _Place, leaving: tuple[Variable, ...], prover: Prover, depth: int) -> bool:
    """Prove a goal with the new variable in the place of one; one of those that may leave then drops out."""
    gone = place.replaced.symbol
    kept = tuple(v for v in goal.domain.variables if v is not place.replaced)
    # Without what is assumed of the variable that is replaced: what can be said of it by the new one is carried over.
    apart = tuple(r for r in goal.domain.extra if gone not in symbols_in(r))
    wide = Domain((*kept, place.made), apart)
    values = {gone: place.value}
    moved = prover.tidy(placed(goal.expression, values), wide)
    for second in leaving:
        rest = without(moved, (second.symbol,), wide, prover)
        # The second variable has to be gone: two of three variables would be no progress.
        if rest is None or not rest.has(place.made.symbol):
            continue
        tied = (*place.replaced.domain(), *(r for r in goal.domain.extra if gone in symbols_in(r)))
        extra = [r for r in apart if second.symbol not in symbols_in(r)]
        extra += [r for s in tied if (r := carried(s, values, (second.symbol,), wide, prover)) is not None]
        narrow = narrowed(Domain((*(v for v in kept if v is not second), place.made), tuple(extra)))
        # The new range is wider than the old one, and a term may have no value in what was added.
        if not prover.defined(rest, narrow):
            continue
        prover.log.append(f"{place.made.symbol} is one variable: {rest}"[:120])
        if prover.show(Goal(rest, goal.strict, narrow), depth - 1):
            return True
    return False


def placed(e: sympy.Expr, values: dict[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """Return an expression with values put in, expanded, and with quotients inside of functions in lowest terms."""
    return sympy.expand(e.xreplace(values).replace(lambda n: isinstance(n, sympy.Function), _lowest))


def _lowest(node: sympy.Expr) -> sympy.Expr:
    """Return a function with its arguments in lowest terms where they are rational."""
    # A function may hold tuples, which are no expressions.
    if not all(isinstance(a, sympy.Expr) for a in node.args):
        return node
    arguments = [sympy.cancel(a) if a.is_rational_function(*a.free_symbols) else a for a in node.args]
    return node.func(*arguments)


def without(e: sympy.Expr, gone: tuple[sympy.Symbol, ...], domain: Domain, prover: Prover) -> sympy.Expr | None:
    """Return what is left of a product without its factors of one sign that have some variables; None if these stay.

    The sign of the whole is that of what is returned.

    Args:
        e: An expression that is defined on the domain.
        domain: The domain on which the factors have to have one sign, and be nowhere 0.
    """
    if not e.has(*gone):
        return e
    rest = sympy.S.One
    for factor, power in factors(e):
        if factor.has(*gone):
            known = prover.sign(factor, domain)
            if known not in (1, -1):
                return None
            # An int to a negative power would be a float.
            rest *= sympy.Integer(known) ** power
            continue
        rest *= factor**power
    return rest


def carried(
    relation: Relation, values: dict[sympy.Symbol, sympy.Expr], gone: tuple[sympy.Symbol, ...], domain: Domain,
    prover: Prover,
) -> Relation | None:  # fmt: skip
    """Return an assumption in the new variables, if it is one between polynomials in those that are left; else None."""
    if relation.op == "!=":
        return None
    try:
        gap = prover.tidy(placed(relation.gap, values), domain)
        rest = without(gap, gone, domain, prover)
        if rest is None or rest.is_number or not rest.is_polynomial(*rest.free_symbols):
            return None
        return Relation(rest, {"<": ">", "<=": ">="}.get(relation.op, relation.op), sympy.S.Zero)
    except FormulaError:
        return None
