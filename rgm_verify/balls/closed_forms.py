"""Closed forms of sums and products: SymPy proposes them, and a recurrence confirms them.

A sum S(n) of f(k) for k from a to n is the one function with S(a - 1) = 0 and S(n) = S(n - 1) + f(n); a product is the
one with P(a - 1) = 1 and P(n) = P(n - 1) f(n). A proposal F for an upper end that is a fresh symbol is used only where
both are shown of F. No sum is looked for in this: factorials and the like at n become what the rules of `_STEPS` make
of them at n - 1, these become unknowns, and algebra has to take the difference to 0.

**At single points.** The step is an identity of expressions, and one of them may lack a value at an index on the way,
or at an end of a variable's range. Two limits carry the value past such places. Put k + h for every index k, with the
rules of `_STEPS` as they are: the step holds for all small h but 0, and its sides are continuous in h. And sums and
closed forms are continuous in the other variables where they have a value. `_is_smooth` refuses what would break this:
floors, absolute values and signs of the index, logarithms and roots of what may not be positive. Whether the terms of
the sum and the closed form have values at a point is for the caller to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import sympy

__all__ = ["closed_form"]

#: Longer forms are not confirmed: algebra takes long over them.
_LONGEST = 1000
#: The same for SymPy's general simplification.
_LONGEST_SIMPLIFIED = 80
#: Terms whose arguments differ by more are not brought together.
_FARTHEST = 20
_SERIES = (sympy.Sum, sympy.Product)
_BEYOND = (sympy.S.NaN, sympy.S.ComplexInfinity, sympy.S.Infinity, sympy.S.NegativeInfinity, sympy.S.ImaginaryUnit)
#: What SymPy raises where it gives up.
_GIVES_UP = (
    sympy.polys.polyerrors.BasePolynomialError, NotImplementedError, ArithmeticError, RecursionError, ValueError,
    TypeError, AttributeError,
)  # fmt: skip
#: An upper end of which nothing is known but that it is an integer.
_END = sympy.Dummy("n", integer=True)
#: An index by the sign of the lower end.
_INDICES = {
    "positive": sympy.Dummy("k", integer=True, positive=True),
    "nonnegative": sympy.Dummy("k", integer=True, nonnegative=True),
    "": sympy.Dummy("k", integer=True),
}
#: Functions that are smooth where they are real numbers, or have a rule in `_STEPS`.
_SMOOTH = (
    sympy.Add, sympy.Mul, sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.factorial, sympy.gamma,
    sympy.RisingFactorial, sympy.harmonic, sympy.lowergamma, sympy.uppergamma,
)  # fmt: skip


def closed_form(node: sympy.Expr) -> sympy.Expr | None:
    """Return a confirmed value of a sum or a product over one index; None where there is none.

    The value holds wherever both ends are integers, the upper one is at least the lower one less 1, and every term and
    the value itself are real numbers.

    Args:
        node: A sum or a product. What binds a variable inside of it counts as a constant.

    Examples:
        >>> k, n = sympy.symbols("k n", integer=True)
        >>> closed_form(sympy.Sum(k, (k, 1, n)))
        n**2/2 + n/2
        >>> closed_form(sympy.Product(k / (k + 1), (k, 1, n)))
        factorial(n)/RisingFactorial(2, n)
        >>> print(closed_form(sympy.Sum(sympy.Abs(k), (k, -n, n))))
        None
    """
    if len(node.limits) != 1 or len(node.limits[0]) != 3 or not node.function.is_commutative:
        return None
    index, low, high = node.limits[0]
    if not (low.is_integer and high.is_integer):
        return None
    running = _index(low)
    # The sum without terms is no case where the ends say that there is one.
    some = (high - low).is_nonnegative is True
    found = _of_any_end(isinstance(node, sympy.Product), node.function.xreplace({index: running}), running, low, some)
    if found is None:
        return None
    value = found.xreplace({_END: high})
    # A polynomial in n - 1, or at a number, is one in n, or a number.
    return value if high.is_Symbol or not found.is_polynomial(_END) else sympy.expand(value)


def _index(low: sympy.Expr) -> sympy.Symbol:
    """Return a symbol that stands for every integer from a lower end on."""
    sign = "positive" if low.is_positive else "nonnegative" if low.is_nonnegative else ""
    return _INDICES[sign]


@lru_cache(maxsize=1024)
def _of_any_end(product: bool, term: sympy.Expr, index: sympy.Symbol, low: sympy.Expr, some: bool) -> sympy.Expr | None:
    """Return the confirmed value for the upper end `_END`; None where there is none.

    Args:
        product: Whether it is a product.
        low: The lower end.
        some: Whether there is at least one term.
    """
    if not term.has(index):
        count = _END - low + 1
        return term**count if product else term * count
    if sympy.count_ops(term) > _LONGEST:
        return None
    unknowns = {part: _of_the_same_kind(part) for part in _opaque(term, index)}
    plain, start = term.xreplace(unknowns), low.xreplace(unknowns)
    if not _is_smooth(plain, index, low):
        return None
    kind = sympy.Product if product else sympy.Sum
    try:
        proposal = kind(plain, (index, start, _END)).doit(integrals=False)
        if not _confirmed(proposal, product, plain, index, start, some):
            return None
    except _GIVES_UP:
        return None
    return proposal.xreplace({unknown: part for part, unknown in unknowns.items()})


def _opaque(term: sympy.Expr, index: sympy.Symbol) -> Iterator[sympy.Expr]:
    """Yield the outermost parts without the index of which algebra knows nothing: they are constants here."""
    if not term.has(index) and term.args and not isinstance(term, (*_SMOOTH, sympy.Pow, sympy.log)):
        yield term
        return
    for part in term.args:
        if isinstance(part, sympy.Expr):
            yield from _opaque(part, index)


def _of_the_same_kind(part: sympy.Expr) -> sympy.Symbol:
    """Return an unknown with the sign that an expression is known to have."""
    known = {name: True for name in ("integer", "positive", "nonnegative") if getattr(part, f"is_{name}")}
    return sympy.Dummy("part", real=True, **known)


def _confirmed(
    proposal: sympy.Expr, product: bool, term: sympy.Expr, index: sympy.Symbol, low: sympy.Expr, some: bool
) -> bool:
    """Return whether a proposal in `_END` was shown to be the sum (or the product) from `low` to `_END`."""
    if proposal.has(index, *_SERIES, *_BEYOND) or sympy.count_ops(proposal) > _LONGEST:
        return False
    return all(
        _fulfils(form, product, term.subs(given), index, low.subs(given), some) for form, given in _cases(proposal)
    )


def _cases(form: sympy.Expr) -> Iterator[tuple[sympy.Expr, dict[sympy.Expr, sympy.Expr]]]:
    """Yield the forms of a proposal by cases, each with what may be put in where it counts.

    SymPy tells `q = 1` apart in a geometric sum. A condition that is no equation is not used: the form has to be right
    everywhere. A condition on the end is none of a case, and `_is_smooth` then refuses the form as a whole.
    """
    folded = sympy.piecewise_fold(form) if form.has(sympy.Piecewise) else form
    if not isinstance(folded, sympy.Piecewise) or any(case.cond.has(_END) for case in folded.args):
        yield folded, {}
        return
    for case in folded.args:
        given: dict[sympy.Expr, sympy.Expr] = {}
        for part in sympy.And.make_args(case.cond):
            if isinstance(part, sympy.Eq):
                left, right = _solved(part.lhs, part.rhs)
                given[left] = right
        yield case.expr.subs(given), given


def _solved(left: sympy.Expr, right: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """Return an equation as a variable and its only value; as it is where it is not linear in a variable."""
    start = left, right
    while isinstance(left, sympy.exp) or (isinstance(left, sympy.Pow) and left.exp == -1):
        left, right = (left.args[0], sympy.log(right)) if isinstance(left, sympy.exp) else (left.base, 1 / right)
    for symbol in sorted(left.free_symbols, key=str):
        slope = left.diff(symbol)
        if not slope.has(symbol) and slope.is_nonzero and not right.has(*_BEYOND, symbol):
            return symbol, sympy.expand((right - left.xreplace({symbol: sympy.S.Zero})) / slope)
    return start


def _fulfils(
    form: sympy.Expr, product: bool, term: sympy.Expr, index: sympy.Symbol, low: sympy.Expr, some: bool
) -> bool:
    """Return whether a form without cases fulfils the recurrence of a sum or a product, and has its start."""
    if not (_is_smooth(form, _END, low - 1) and _is_smooth(term, index, low)):
        return False
    start = form.xreplace({_END: low - 1}) - (1 if product else 0)
    first = form.xreplace({_END: low}) - term.xreplace({index: low})
    # Where there is a term, the first one is a start as well.
    if not (_vanishes(start, None) or (some and _vanishes(first, None))):
        return False
    # Another symbol than the index, which may stand in what SymPy keeps.
    n = sympy.Dummy("n", **_index(low)._assumptions_orig)
    now, last, new = form.xreplace({_END: n}), form.xreplace({_END: n - 1}), term.xreplace({index: n})
    return _vanishes(now - last * new if product else now - last - new, n)


def _is_smooth(e: sympy.Expr, variable: sympy.Symbol, low: sympy.Expr) -> bool:
    """Return whether every part with the variable is smooth in it from `low` on, or has a rule in `_STEPS`."""
    n = _index(low)
    return all(_is_smooth_part(part, n) for part in sympy.preorder_traversal(e.xreplace({variable: n})))


def _is_smooth_part(part: sympy.Basic, n: sympy.Symbol) -> bool:
    """Return whether one operation is; roots and logarithms are where their arguments are positive."""
    if not part.has(n) or part == n:
        return True
    if isinstance(part, sympy.Pow):
        return bool(not part.base.has(n) or part.exp.is_Integer or part.base.is_positive)
    if isinstance(part, sympy.log):
        return bool(part.args[0].is_positive)
    if isinstance(part, sympy.binomial):
        above, below = part.args
        # Between integers it is 0 outside of Pascal's triangle, as 1 by a gamma function with a pole is.
        return bool(above.is_integer and above.is_nonnegative and below.is_integer)
    return isinstance(part, _SMOOTH)


# ------------------------------------------------------------------------------------------------------- zero


def _vanishes(e: sympy.Expr, n: sympy.Symbol | None) -> bool:
    """Return whether algebra takes an expression to 0, with terms at n by terms at n - 1."""
    if e.has(*_BEYOND):
        return False
    plain = e if n is None else _by_unknowns(e, n)
    if plain is None or plain.has(*_BEYOND):
        return False
    if any(reduction(plain) == 0 for reduction in _REDUCTIONS):
        return True
    return bool(sympy.count_ops(plain) <= _LONGEST_SIMPLIFIED and sympy.simplify(plain) == 0)


#: Cheap ones first.
_REDUCTIONS: tuple[Callable[[sympy.Expr], sympy.Expr], ...] = (
    sympy.expand,
    lambda e: sympy.expand(sympy.numer(sympy.together(sympy.expand(e)))),
    lambda e: sympy.expand(sympy.numer(sympy.together(sympy.powsimp(sympy.expand(e))))),
)


def _by_unknowns(e: sympy.Expr, n: sympy.Symbol) -> sympy.Expr | None:
    """Return an expression with one unknown for each family of factorials, gamma functions and harmonic numbers.

    The arguments of a family differ by integers, and the rules write each member by the least one. None where there is
    no rule, or a member is too far away.
    """
    e = e.replace(
        lambda part: isinstance(part, sympy.binomial) and part.has(n),
        lambda part: (
            sympy.factorial(part.args[0])
            / (sympy.factorial(part.args[1]) * sympy.factorial(part.args[0] - part.args[1]))
        ),
    )
    nodes = [node for node in sorted(e.atoms(*_STEPS), key=sympy.default_sort_key) if node.has(n)]
    families: dict[tuple[Any, ...], list[tuple[sympy.Expr, int]]] = {}
    for node in nodes:
        place = _PLACE.get(node.func, 0)
        others = tuple(a for i, a in enumerate(node.args) if i != place)
        # Nested ones would hold terms at n that no rule has looked at.
        if any(other.has(n) for other in others) or node.args[place].has(*_STEPS):
            return None
        argument = sympy.expand(node.args[place])
        shift = sympy.floor(argument.as_coeff_Add()[0])
        families.setdefault((node.func, argument - shift, others), []).append((node, int(shift)))
    values: dict[sympy.Expr, sympy.Expr] = {}
    for (kind, rest, others), family in families.items():
        least = min(shift for _, shift in family)
        if max(shift for _, shift in family) - least > _FARTHEST:
            return None
        unknown = sympy.Dummy("unknown", real=True)
        for node, shift in family:
            value = unknown
            for step in range(least + 1, shift + 1):
                value = _STEPS[kind](value, rest + step, *others)
            values[node] = value
    return e.xreplace(values)


#: The value at an argument by the value at that argument less 1: (value before, argument, other arguments).
_STEPS: dict[type, Callable[..., sympy.Expr]] = {
    sympy.factorial: lambda before, x: x * before,
    sympy.gamma: lambda before, x: (x - 1) * before,
    sympy.RisingFactorial: lambda before, x, base: (base + x - 1) * before,
    sympy.harmonic: lambda before, x, order=sympy.S.One: before + x ** (-order),
    sympy.lowergamma: lambda before, s, x: (s - 1) * before - x ** (s - 1) * sympy.exp(-x),
    sympy.uppergamma: lambda before, s, x: (s - 1) * before + x ** (s - 1) * sympy.exp(-x),
}
#: The place of that argument, where it is not the first.
_PLACE: dict[type, int] = {sympy.RisingFactorial: 1}
