"""Conditions for an expression to be a real number: those that each of its terms puts on its arguments.

An inequality between terms that have no value is no theorem, and SymPy simplifies as if every term
had one. So each lens that proves asks here for the conditions of all terms and shows them first. A
condition may be stronger than needed (`SUFFICIENT`) when it is to be shown; it must not be when it
is assumed to hold because a term is known to be defined. Of a function that is not listed nothing is
known, and this is no condition: `UNKNOWN` is no formula, and nobody can judge, assume or print it as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NoReturn, TypeAlias

import sympy
from sympy.core.function import AppliedUndef

from rgm_verify.balls.binding import BINDERS, At, binds, terms
from rgm_verify.claims.formula import FormulaError, Relation, ge, gt, le, ne
from rgm_verify.claims.notation import Name
from rgm_verify.terms.function import Conditions
from rgm_verify.terms.table import found


class Unknown:
    """The answer to a question for a condition of which nothing is known; neither true nor false, and no formula.

    It has one value, `UNKNOWN`. Whoever takes it for a truth value, a formula or a number gets a `TypeError`.

    Examples:
        >>> UNKNOWN, UNKNOWN in needs(sympy.airyai(sympy.Symbol("x")))
        (not known, True)
        >>> bool(UNKNOWN)
        Traceback (most recent call last):
        TypeError: what is not known is neither true nor false, and no formula
    """

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("what is not known is neither true nor false, and no formula")

    def _sympy_(self) -> NoReturn:
        """Refuse to become an expression."""
        raise TypeError("what is not known is no number, and no side of a formula")

    def __repr__(self) -> str:
        return "not known"


#: What stands in the place of conditions that nobody knows: a term with it is never shown to be defined.
UNKNOWN: Final = Unknown()
#: One condition of a term, or that it is not known.
Need: TypeAlias = Relation | Unknown
#: The ends of an improper integral that are limits.
_INFINITE: Final = (sympy.oo, -sympy.oo)
#: Terms that are no functions of the table, and are real and smooth wherever their arguments are real.
_PLAIN = (sympy.Add, sympy.Mul, sympy.Symbol, sympy.Rational, sympy.NumberSymbol)
_SERIES = (sympy.Sum, sympy.Product)
#: What ends have to be for a bound variable to be what its symbol promises everywhere between them.
_PROMISES = (("is_positive", ge), ("is_nonnegative", ge), ("is_negative", le), ("is_nonpositive", le))
_MAY_PROMISE = {"real", "integer", "commutative", *(name.removeprefix("is_") for name, _ in _PROMISES)}


# The tables are by hand: SymPy's own assumptions say where a function is finite or real in the complex
# sense.
def parts(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """The terms of an expression, arguments before the terms that use them; none below a bound variable.

    Yields:
        Nodes, the expression itself last.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> [str(node) for node in parts(1 / sympy.log(x))]
        ['x', 'log(x)', '-1', '1/log(x)']
    """
    for argument in arguments(expression):
        yield from parts(argument)
    yield expression


def arguments(expression: sympy.Expr) -> list[sympy.Expr]:
    """The terms that a term uses at first hand, but for those below a bound variable."""
    outside: Iterable[sympy.Basic] = expression.args
    if isinstance(expression, At):
        outside = expression.point
    elif isinstance(expression, (*_SERIES, sympy.Integral)):
        outside = (end for limit in expression.limits for end in limit[1:])
    elif isinstance(expression, sympy.Derivative):
        outside = ()
    return [argument for argument in outside if isinstance(argument, sympy.Expr)]


def needs(node: sympy.Expr) -> tuple[Need, ...]:
    """Return what the arguments of one term must satisfy for it to be a real number; `UNKNOWN` where nothing is known.

    A derivative asks for what makes its function smooth at the point, a substitution for what its function needs there,
    a sum for what each of its terms needs. An integral asks for an integrand that is continuous from end to end: an
    improper integral may converge, and no condition is known for it.

    Args:
        node: One term; its arguments have conditions of their own.

    Returns:
        Relations that together suffice; `UNKNOWN` among them where these are not all.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> [str(r) for r in needs(sympy.sqrt(x))], [str(r) for r in needs(1 / x)]
        (['x >= 0'], ['x != 0'])
    """
    if isinstance(node, sympy.Pow):
        return _power_needs(*node.args)
    if isinstance(node, sympy.log):
        return (gt(node.args[0], 0),)
    if row := found(node):
        return _by(row[0].domain, row[1])
    if type(node).__name__.startswith("LogRemainder"):
        return (gt(1 + node.args[-1], 0),)
    if isinstance(node, (*BINDERS, sympy.Integral)):
        return _binder_needs(node)
    return () if isinstance(node, (*_PLAIN, AppliedUndef, Name)) else (UNKNOWN,)


def _by(conditions: Conditions | None, arguments: Sequence[sympy.Expr]) -> tuple[Need, ...]:
    """Return the conditions of a column of the table at arguments; (`UNKNOWN`,) where there are none."""
    asked = None if conditions is None else conditions(*arguments)
    if asked is None:
        return (UNKNOWN,)
    return tuple(Relation(sympy.sympify(left), op, sympy.sympify(right)) for left, op, right in asked)


def tells(node: sympy.Expr) -> bool:
    """Return whether a term of the table is a real number exactly where `needs` says, and nowhere else.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> tells(sympy.log(x)), tells(sympy.uppergamma(x, 1))
        (True, False)
    """
    row = found(node)
    return row is not None and row[0].exact and row[0].domain is not None


def _power_needs(base: sympy.Expr, exponent: sympy.Expr) -> tuple[Relation, ...]:
    """Return where a power is real: everywhere for an integer exponent >= 0, at a base that is not 0
    for another integer.

    A fraction as exponent needs a base >= 0, and one > 0 if the exponent may be 0 or negative.
    """
    if base is sympy.E or (exponent.is_integer and exponent.is_nonnegative):
        return ()
    if exponent.is_integer:
        return (ne(base, 0),)
    return (ge(base, 0),) if exponent.is_positive else (gt(base, 0),)


@lru_cache(maxsize=4096)
def _binder_needs(node: sympy.Expr) -> tuple[Need, ...]:
    """Return the conditions of a derivative, a substitution, a sum, a product or an integral."""
    asked = _integral_needs(node) if isinstance(node, sympy.Integral) else _smooth(node, frozenset())
    return tuple(dict.fromkeys(asked))


def _integral_needs(node: sympy.Integral) -> Iterator[Need]:
    """Yield conditions under which an integrand is continuous on the closed range, and the integral a real number.

    What an integrand asks of a linear term it asks at both ends, since such a term has its least value at one of them.
    Other terms have to be what is asked by their form. `UNKNOWN` where that does not do, and at an infinite end:
    a continuous integrand does not make the limit exist.
    """
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        yield UNKNOWN
        return
    variable, first, last = node.limits[0]
    if variable.is_integer or has_infinite_ends(node) or not as_promised(variable, first, last):
        yield UNKNOWN
        return
    for part, between in continuous_parts(node):
        for need in needs(part):
            if isinstance(need, Unknown) or not need.gap.has(between):
                yield need
            elif not evident(need):
                yield from _at_both_ends(need, between, first, last)


def has_infinite_ends(node: sympy.Basic) -> bool:
    """Return whether a term is an integral with an end at infinity.

    Examples:
        >>> t = sympy.Symbol("t", real=True)
        >>> has_infinite_ends(sympy.Integral(sympy.exp(-t), (t, 0, sympy.oo)))
        True
    """
    return isinstance(node, sympy.Integral) and any(end in _INFINITE for limit in node.limits for end in limit[1:])


def continuous_parts(node: sympy.Integral) -> Iterator[tuple[sympy.Expr, sympy.Symbol]]:
    """Yield the terms of an integrand with the variable in them, which is a new one that promises nothing.

    A term that is not known to be continuous where it is real comes as a term of which nothing is known.
    """
    between = sympy.Dummy(node.limits[0][0].name, real=True)
    unknown = sympy.Function("unknown")(between)
    for part in parts(node.function.xreplace({node.limits[0][0]: between})):
        row = found(part)
        continuous = row[0].continuous and row[0].domain is not None if row else isinstance(part, (*_PLAIN, sympy.Pow))
        yield part if continuous or not part.has(between) else sympy.airyai(unknown), between


def _at_both_ends(need: Relation, between: sympy.Symbol, first: sympy.Expr, last: sympy.Expr) -> Iterator[Need]:
    """Yield what makes a condition on a linear term hold from end to end; `UNKNOWN` for another term."""
    gap = sympy.expand(need.gap)
    if not gap.is_polynomial(between) or sympy.degree(gap, between) != 1:
        yield UNKNOWN
        return
    low, high = (gap.xreplace({between: end}) for end in (first, last))
    if need.op == "!=":
        asked = [gt(low * high, 0)]
    else:
        asked = [gt(end, 0) if need.strict else ge(end, 0) for end in (low, high)]
    # What fails between numbers makes the integral improper, which says neither that it diverges nor that it does not.
    yield from (c if c.gap.free_symbols else UNKNOWN for c in asked if not evident(c))


def as_promised(variable: sympy.Symbol, first: sympy.Expr, last: sympy.Expr) -> bool:
    """Return whether a bound variable between two ends is what its symbol promises, by the declared domains.

    SymPy simplifies by the promise: the root of t^2 is t for a t that is called positive.

    Args:
        first: Its first value.
        last: Its last value.
    """
    if not set(variable._assumptions_orig) <= _MAY_PROMISE:
        return False
    asked = [side for name, side in _PROMISES if getattr(variable, name)]
    return all(evident(side(end, 0)) for side in asked for end in (first, last))


def _smooth(expression: sympy.Expr, variables: frozenset[sympy.Symbol]) -> Iterator[Need]:
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


def _smooth_needs(node: sympy.Expr, variables: frozenset[sympy.Symbol]) -> tuple[Need, ...]:
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
    if type(node).__name__.startswith("LogRemainder"):
        return needs(node)
    return () if isinstance(node, _PLAIN) else smooth_where(node)


def smooth_where(node: sympy.Expr) -> tuple[Need, ...]:
    """Return conditions under which a function of the table is smooth; (`UNKNOWN`,) where none is known."""
    row = found(node)
    return (UNKNOWN,) if row is None else _by(row[0].smooth, row[1])


def _derivative_needs(node: sympy.Derivative, variables: frozenset[sympy.Symbol]) -> Iterator[Need]:
    """Yield the conditions of a derivative: its function is smooth in the variables too, and those are real."""
    real = all(isinstance(s, sympy.Symbol) and not s.is_integer for s in node.variables)
    if not real:
        yield UNKNOWN
    yield from _smooth(node.expr, variables | frozenset(node.variables))


def _substitution_needs(node: At, variables: frozenset[sympy.Symbol]) -> Iterator[Need]:
    """The conditions of the function at the point; what a symbol promises of itself does not count for the point."""
    fresh = {s: sympy.Dummy(s.name, real=True) for s in node.variables}
    at = dict(zip(fresh.values(), node.point, strict=True))
    for place in node.point:
        yield from _smooth(place, variables)
    inner = (variables - set(fresh)) | {d for d, place in at.items() if place.free_symbols & variables}
    for condition in _smooth(node.args[0].xreplace(fresh), frozenset(inner)):
        try:
            yield condition if isinstance(condition, Unknown) else Relation(*_at(condition, at))
        except FormulaError:  # a condition that is no statement about real numbers there
            yield UNKNOWN


def _at(condition: Relation, values: dict[sympy.Symbol, sympy.Expr]) -> tuple[sympy.Expr, str, sympy.Expr]:
    """Put values into a condition; below a bound variable as a substitution, which does not rename."""

    def there(side: sympy.Expr) -> sympy.Expr:
        return At(side, list(values), list(values.values())) if binds(side) else side.subs(values, simultaneous=True)

    return there(condition.lhs), condition.op, there(condition.rhs)


def _series_needs(node: sympy.Expr, variables: frozenset[sympy.Symbol]) -> Iterator[Need]:
    """Yield the conditions of every term: one by one between integers, else those that hold whatever the index is.

    With symbolic ends the index becomes the first end plus a nonnegative integer. A condition that still depends on the
    index must be evident from that, else the answer is `UNKNOWN`.
    """
    for end in (end for limit in node.limits for end in limit[1:]):
        yield from _smooth(end, frozenset())
        if end.free_symbols & variables:
            yield UNKNOWN
    every = terms(node)
    if every is not None:
        for term in every:
            yield from _smooth(term, variables)
        return
    # A double sum is one of sums, the last range of which is the outermost.
    *within, (index, first, last) = node.limits
    inner = node.func(node.function, *within) if within else node.function
    # SymPy gives a sum between other ends some value, of which nothing is known.
    if not (first.is_integer and last.is_integer):
        yield UNKNOWN
        return
    # Below the empty sum SymPy turns the ends around, and the terms are others.
    if not evident(ge(last, first - 1)):
        yield ge(last, first - 1)
    if not as_promised(index, first, last):
        yield UNKNOWN
        return
    place = first + sympy.Dummy("steps", integer=True, nonnegative=True)
    for condition in _smooth(inner.xreplace({index: place}), variables - {index}):
        if isinstance(condition, Unknown) or not condition.gap.free_symbols & place.free_symbols - first.free_symbols:
            yield condition
        elif not evident(condition):
            yield UNKNOWN


def evident(need: Need) -> bool:
    """Return whether the declared domains of the symbols alone imply a condition.

    Args:
        need: A condition; one that is not known is not evident.

    Returns:
        True only by SymPy's assumptions of the symbols, which are those of the declared domains.
    """
    if isinstance(need, Unknown):
        return False
    gap = need.gap
    if need.op == "!=":
        return gap.is_nonzero is True
    return (gap.is_positive if need.strict else gap.is_nonnegative) is True
