"""Conditions for an expression to be a real number: those that each of its terms puts on its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import sympy
from sympy.core.function import AppliedUndef

from rgm_verify.balls.binding import BINDERS, At, binds, terms
from rgm_verify.claims.formula import FormulaError, Relation, ge, gt, le, lt, ne

#: The condition of a term of which nothing is known: it is never shown, and being assumed it says nothing.
UNKNOWN = gt(0, 0)
#: Functions that are real wherever their arguments are.
_TOTAL = (
    sympy.Add, sympy.Mul, sympy.Symbol, sympy.Rational, sympy.NumberSymbol, sympy.exp, sympy.Abs, sympy.Max, sympy.Min,
    sympy.sign, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.atan, sympy.asinh, sympy.sech,
    sympy.erf, sympy.erfc, sympy.erfi,
    sympy.floor, sympy.ceiling, AppliedUndef,
)  # fmt: skip
#: Functions that are real where `needs` says, and at other places too: being defined, they do not grant what it says.
SUFFICIENT = (
    sympy.gamma, sympy.loggamma, sympy.polygamma, sympy.factorial, sympy.harmonic, sympy.binomial,
)  # fmt: skip
_INVERSE = (
    sympy.asin, sympy.acos, sympy.atanh, sympy.acosh, sympy.erfinv, sympy.erfcinv,
    sympy.tan, sympy.sec, sympy.cot, sympy.csc, sympy.coth, sympy.csch,
)  # fmt: skip
#: Functions that are smooth where they are real; of other ones no derivative is known to exist.
_SMOOTH = (
    sympy.Add, sympy.Mul, sympy.Symbol, sympy.Rational, sympy.NumberSymbol, sympy.exp, sympy.sin, sympy.cos, sympy.sinh,
    sympy.cosh, sympy.tanh, sympy.atan, sympy.asinh, sympy.erf, sympy.erfc,
)  # fmt: skip
_SERIES = (sympy.Sum, sympy.Product)


def parts(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """The terms of an expression, arguments before the terms that use them; none below a bound variable."""
    if isinstance(expression, At):
        outside: Iterable[sympy.Basic] = expression.point
    elif isinstance(expression, _SERIES):
        outside = (end for limit in expression.limits for end in limit[1:])
    else:
        outside = () if isinstance(expression, sympy.Derivative | sympy.Integral) else expression.args
    for argument in outside:
        if isinstance(argument, sympy.Expr):
            yield from parts(argument)
    yield expression


def needs(node: sympy.Expr) -> tuple[Relation, ...]:
    """Return what the arguments of one term must satisfy for it to be a real number; `UNKNOWN` where nothing is known.

    A derivative asks for what makes its function smooth at the point, a substitution for what its function needs there,
    a sum for what each of its terms needs. An integral is a real number if it converges, which is SymPy's to say.
    """
    if isinstance(node, sympy.Pow):
        return _power_needs(*node.args)
    if isinstance(node, sympy.log):
        return (gt(node.args[0], 0),)
    if isinstance(node, SUFFICIENT):
        return _enough(node)
    if isinstance(node, _INVERSE):
        return _inverse_needs(node)
    if isinstance(node, sympy.uppergamma | sympy.lowergamma):
        return (gt(node.args[0], 0), ge(node.args[1], 0))
    if type(node).__name__.startswith("LogRemainder"):
        return (gt(1 + node.args[-1], 0),)
    if isinstance(node, BINDERS):
        return _binder_needs(node)
    return () if isinstance(node, (*_TOTAL, sympy.Integral)) else (UNKNOWN,)


def _inverse_needs(node: sympy.Expr) -> tuple[Relation, ...]:
    """Return where an inverse function or a quotient of circular functions is a real number."""
    if isinstance(node, sympy.asin | sympy.acos):
        return ge(node.args[0], -1), le(node.args[0], 1)
    if isinstance(node, sympy.atanh | sympy.erfinv):
        return gt(node.args[0], -1), lt(node.args[0], 1)
    if isinstance(node, sympy.erfcinv):
        return gt(node.args[0], 0), lt(node.args[0], 2)
    if isinstance(node, sympy.acosh):
        return (ge(node.args[0], 1),)
    if isinstance(node, sympy.tan | sympy.sec):
        return (ne(sympy.cos(node.args[0]), 0),)
    if isinstance(node, sympy.cot | sympy.csc):
        return (ne(sympy.sin(node.args[0]), 0),)
    if isinstance(node, sympy.coth | sympy.csch):
        return (ne(node.args[0], 0),)
    return (UNKNOWN,)


def _enough(node: sympy.Expr) -> tuple[Relation, ...]:
    """Return conditions under which a function of `SUFFICIENT` is a real number; it is one at other places as well."""
    first = node.args[0]
    if isinstance(node, sympy.gamma | sympy.loggamma):
        return (gt(first, 0),)
    if isinstance(node, sympy.polygamma):
        return (gt(node.args[1], 0),) if node.args[0].is_Integer and node.args[0] >= 0 else (UNKNOWN,)
    if isinstance(node, sympy.factorial):
        return (gt(first, -1),)
    if isinstance(node, sympy.harmonic):
        return (gt(first, -1),) if len(node.args) == 1 else (UNKNOWN,)
    if isinstance(node, sympy.binomial):
        below = node.args[1]
        return gt(first, -1), gt(below, -1), gt(first - below, -1)
    return (UNKNOWN,)


def _power_needs(base: sympy.Expr, exponent: sympy.Expr) -> tuple[Relation, ...]:
    if base is sympy.E or (exponent.is_integer and exponent.is_nonnegative):
        return ()
    if exponent.is_integer:
        return (ne(base, 0),)
    return (ge(base, 0),) if exponent.is_positive else (gt(base, 0),)


@lru_cache(maxsize=4096)
def _binder_needs(node: sympy.Expr) -> tuple[Relation, ...]:
    return tuple(dict.fromkeys(_smooth(node, frozenset())))


def _smooth(expression: sympy.Expr, variables: frozenset[sympy.Symbol]) -> Iterator[Relation]:
    """The conditions for an expression to be smooth in some variables near their values; without any, to be real."""
    for node in [expression] if isinstance(expression, BINDERS) else parts(expression):
        if isinstance(node, sympy.Derivative):
            yield from _derivative_needs(node, variables)
        elif isinstance(node, At):
            yield from _substitution_needs(node, variables)
        elif isinstance(node, _SERIES):
            yield from _series_needs(node, variables)
        elif not node.free_symbols & variables:
            yield from needs(node)
        else:
            yield from _smooth_needs(node, variables)


def _smooth_needs(node: sympy.Expr, variables: frozenset[sympy.Symbol]) -> tuple[Relation, ...]:
    """Return the conditions for one term to be smooth in the variables; (`UNKNOWN`,) where none is known.

    Smoothness needs more than a value: a root needs a base > 0, where 0 would do for the value.
    """
    if isinstance(node, sympy.Pow):
        base, exponent = node.args
        if base is sympy.E:
            return ()
        return (gt(base, 0),) if exponent.free_symbols & variables or not exponent.is_integer else needs(node)
    if isinstance(node, sympy.uppergamma | sympy.lowergamma):
        order, argument = node.args
        return (UNKNOWN,) if order.free_symbols & variables else (gt(order, 0), gt(argument, 0))
    if isinstance(node, sympy.log | sympy.gamma | sympy.loggamma | sympy.polygamma | sympy.erfinv) or type(
        node
    ).__name__.startswith("LogRemainder"):
        return needs(node)
    return () if isinstance(node, _SMOOTH) else (UNKNOWN,)


def _derivative_needs(node: sympy.Derivative, variables: frozenset[sympy.Symbol]) -> Iterator[Relation]:
    """Yield the conditions of a derivative: its function is smooth in the variables too, and those are real."""
    real = all(isinstance(s, sympy.Symbol) and not s.is_integer for s in node.variables)
    if not real:
        yield UNKNOWN
    yield from _smooth(node.expr, variables | frozenset(node.variables))


def _substitution_needs(node: At, variables: frozenset[sympy.Symbol]) -> Iterator[Relation]:
    """The conditions of the function at the point; what a symbol promises of itself does not count for the point."""
    fresh = {s: sympy.Dummy(s.name, real=True) for s in node.variables}
    at = dict(zip(fresh.values(), node.point, strict=True))
    for place in node.point:
        yield from _smooth(place, variables)
    inner = (variables - set(fresh)) | {d for d, place in at.items() if place.free_symbols & variables}
    for condition in _smooth(node.args[0].xreplace(fresh), frozenset(inner)):
        try:
            yield Relation(*_at(condition, at))
        except FormulaError:  # a condition that is no statement about real numbers there
            yield UNKNOWN


def _at(condition: Relation, values: dict[sympy.Symbol, sympy.Expr]) -> tuple[sympy.Expr, str, sympy.Expr]:
    def there(side: sympy.Expr) -> sympy.Expr:
        return At(side, list(values), list(values.values())) if binds(side) else side.subs(values, simultaneous=True)

    return there(condition.lhs), condition.op, there(condition.rhs)


def _series_needs(node: sympy.Expr, variables: frozenset[sympy.Symbol]) -> Iterator[Relation]:
    """Yield the conditions of every term: one by one between integers, else those that hold whatever the index is.

    With symbolic ends the index becomes the first end plus a nonnegative integer. A condition that still depends on the
    index must be evident from that, else the answer is `UNKNOWN`.
    """
    for end in (end for limit in node.limits for end in limit[1:]):
        yield from _smooth(end, frozenset())
        if end.free_symbols & variables:
            yield UNKNOWN
    found = terms(node)
    if found is not None:
        for term in found:
            yield from _smooth(term, variables)
        return
    if len(node.limits) > 1:
        yield UNKNOWN
        return
    index, first, last = node.limits[0]
    if not (first.is_integer and last.is_integer):
        yield UNKNOWN
        return
    if not evident(ge(last, first - 1)):
        yield ge(last, first - 1)
    place = first + sympy.Dummy("steps", integer=True, nonnegative=True)
    for condition in _smooth(node.function.xreplace({index: place}), variables - {index}):
        if not condition.gap.free_symbols & place.free_symbols - first.free_symbols:
            yield condition
        elif not evident(condition):
            yield UNKNOWN


def evident(relation: Relation) -> bool:
    """Return whether the declared domains of the symbols alone imply a condition."""
    gap = relation.gap
    if relation.op == "!=":
        return gap.is_nonzero is True
    return (gap.is_positive if relation.strict else gap.is_nonnegative) is True
