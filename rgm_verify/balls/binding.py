"""Expressions that bind a variable (derivatives, substitutions, finite sums and products), kept as they are printed.

Two routes evaluate them, which share no code: programs differentiate, substitute and add up themselves (`program`), and
`evaluated` asks SymPy. Here is what both need: putting in constants without touching what is bound, and the terms of a
sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits


class At(sympy.Subs):
    """An expression with its variables at a point, not evaluated: `At(f, x, 0)`, `At(f, (x, y), (0, 1))`.

    All variables are put in at the same time. SymPy's own `Subs` takes objects of different values for equal ones (the
    derivative of x y in x at x = y = 3 and that of y^2 at 3, and points of one name with different domains), so that
    its caches exchange them; here two are equal if they are written alike.
    """

    def __new__(cls, expression: Any, variables: Any, point: Any) -> At:
        """Keep the parts as they are given."""
        several = (tuple, list, sympy.Tuple)
        names, places = (sympy.Tuple(*(v if isinstance(v, several) else [v])) for v in (variables, point))
        if len(names) != len(places) or len(set(names)) != len(names) or not all(s.is_Symbol for s in names):
            raise ValueError(f"At(..., {variables}, {point}): give distinct variables, and one value for each")
        made: At = sympy.Expr.__new__(cls, sympy.sympify(expression), names, places)
        # SymPy's own methods of `Subs` read this attribute.
        made._expr = made.args[0]
        return made

    # SymPy compares and caches by this.
    def _hashable_content(self) -> tuple[Any, ...]:
        """The parts themselves, so that SymPy's caches tell apart what is written differently."""
        return tuple(self.args)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, At) and self.args == other.args

    def __hash__(self) -> int:
        return hash(("At", *self.args))

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return SymPy's value, or the expression itself where SymPy cannot put the point in."""
        inner, names, places = (argument.doit(**hints) for argument in self.args)
        result = inner.subs(list(zip(names, places, strict=True)), simultaneous=True)
        # A `Subs` that is left means that SymPy could not evaluate; the caller then keeps what is printed.
        return self if result.has(sympy.Subs) else result

    def _eval_subs(self, old: Any, new: Any) -> sympy.Expr:
        """Substitute in the point, and in the expression where the old symbol is not bound there."""
        inner, names, places = self.args
        places = [place.subs(old, new) for place in places]
        if old in names or not inner.has(old):
            return At(inner, names, places)
        # The new value may hold a symbol of the bound name, which would be captured.
        fresh = {s: sympy.Dummy(s.name, **s.assumptions0) for s in names}
        return At(inner.xreplace(fresh).subs(old, new), [fresh[s] for s in names], places)


#: What binds a variable and is evaluated here; an integral binds one as well and stays.
# Subclasses count: `At` is a `Subs` of our own, and SymPy's `Subs` is not among them on purpose.
BINDERS = (sympy.Derivative, At, sympy.Sum, sympy.Product)
#: Everything that binds a variable, integrals included.
BINDING = (sympy.Derivative, At, ExprWithLimits)
#: Longer sums and products are not written out.
MOST_TERMS = 1000
#: SymPy writes out sums and products that are shorter.
_SHORT = 100
#: The largest upper entry of a binomial coefficient that is put in as a number.
_LARGEST = 10_000
_NO_NUMBER = (sympy.S.ImaginaryUnit, sympy.S.NaN, sympy.S.ComplexInfinity, sympy.S.Infinity, sympy.S.NegativeInfinity)


@lru_cache(maxsize=4096)
def bound_symbols(expression: sympy.Expr) -> frozenset[sympy.Symbol]:
    """Return the variables that a derivative, a substitution, a sum, a product or an integral binds somewhere within.

    A symbol that is bound anywhere counts as bound everywhere, which is safe and rarely costs anything.
    """
    binders = expression.atoms(*BINDING)
    return frozenset(s for e in binders for s in e.variables)


def binds(expression: sympy.Basic) -> bool:
    """Return whether the expression contains a derivative, a substitution, a sum or a product."""
    return bool(expression.has(*BINDERS))


@lru_cache(maxsize=4096)
def evaluated(expression: sympy.Expr) -> sympy.Expr:
    """Return the expression with SymPy's results in the place of derivatives, substitutions, sums and products.

    Whatever binds nothing stays as it is written, and so does what SymPy cannot evaluate to something real.

    Args:
        expression: any expression; results are kept by it, as the same parts come again and again.
    """
    if not binds(expression):
        return expression
    # From the inside out: a sum of derivatives needs the derivatives first.
    inner = expression.func(*(evaluated(a) if isinstance(a, sympy.Basic) else a for a in expression.args))
    if not isinstance(inner, BINDERS):
        return inner
    result = _value(inner)
    return expression if result.has(*_NO_NUMBER) else result


def _value(expression: sympy.Expr) -> sympy.Expr:
    """Return SymPy's result for a derivative, a substitution, a sum or a product; as it is where that takes too long.

    Before SymPy writes out a sum or a product of more than a hundred terms it looks for a form of theirs, which can
    take minutes.
    """
    length = _length(expression)
    if length is None or length < _SHORT:
        # Integrals stay: SymPy's closed forms are what quadrature is there to check.
        return expression.doit(integrals=False)
    index = expression.limits[0][0]
    if isinstance(expression, sympy.Sum) and len(expression.limits) == 1 and expression.function.is_polynomial(index):
        return expression.doit(integrals=False)
    written = terms(expression)
    if written is None:
        return expression
    return evaluated(sympy.Add(*written) if isinstance(expression, sympy.Sum) else sympy.Mul(*written))


def _length(expression: sympy.Expr) -> int | None:
    """Return the most terms over an index of a sum or a product between numbers; None for anything else."""
    if not isinstance(expression, sympy.Sum | sympy.Product):
        return None
    lengths = [limit[2] - limit[1] + 1 for limit in expression.limits]
    return max((int(length) for length in lengths if length.is_Integer), default=None)


class LiteralSum(sympy.Sum):
    """A sum of numbers that SymPy does not evaluate by itself.

    SymPy evaluates a sum of numbers wherever it asks for a sign, as in the absolute value of a difference: for minutes
    where the sum is long.
    """

    is_number = False


class LiteralProduct(sympy.Product):
    """A product of numbers that SymPy does not evaluate by itself, as for `LiteralSum`."""

    is_number = False


#: The class whose sum or product stays as it is when constants come in.
_LITERAL = {sympy.Sum: LiteralSum, sympy.Product: LiteralProduct}


def placed(expression: sympy.Expr, values: Mapping[Any, sympy.Expr]) -> sympy.Expr:
    """Return the expression with constants in the place of free variables; what is bound keeps its name.

    A derivative in one of the variables becomes the derivative at the constant; sums and products are not evaluated.

    Args:
        expression: any expression.
        values: constants by symbol. They must hold none of the bound symbols, which numbers do not.
    """
    # An expression without any of them is returned as the same object, which caches rely on.
    used = {s: v for s, v in values.items() if s in expression.free_symbols}
    if not used:
        return expression
    if isinstance(expression, sympy.Derivative):
        return _placed_derivative(expression, used)
    if isinstance(expression, At):
        inner = placed(expression.args[0], _without(used, expression.variables))
        return At(inner, expression.variables, [placed(a, used) for a in expression.point])
    if isinstance(expression, ExprWithLimits):
        inner = placed(expression.function, _without(used, expression.variables))
        limits = [(limit[0], *(placed(end, used) for end in limit[1:])) for limit in expression.limits]
        return _LITERAL.get(expression.func, expression.func)(inner, *limits)
    if not expression.has(*BINDERS, sympy.Integral):
        return expression.xreplace(used)
    return expression.func(*(placed(a, used) if isinstance(a, sympy.Expr) else a for a in expression.args))


def _placed_derivative(expression: sympy.Derivative, values: Mapping[Any, sympy.Expr]) -> sympy.Expr:
    """Return the derivative with the constants in its other variables, and taken at the constants in its own."""
    inner = placed(expression.expr, _without(values, expression.variables))
    slope = sympy.Derivative(inner, *expression.variable_count)
    # Only what is still free: a variable of no influence has dropped out.
    at = {s: v for s, v in values.items() if s in slope.free_symbols}
    return At(slope, list(at), list(at.values())) if at else slope


def _without(values: Mapping[Any, sympy.Expr], bound: Any) -> dict[Any, sympy.Expr]:
    """Return the values of those symbols that are not bound here."""
    return {s: v for s, v in values.items() if s not in bound}


def with_ends(expression: sympy.Expr, values: Mapping[Any, sympy.Expr]) -> sympy.Expr:
    """Return the expression with constants in the ends of its sums and products, which SymPy does not evaluate then.

    The upper entries of binomial coefficients below them become numbers as well.

    Args:
        expression: any expression.
        values: constants by symbol; none of them is bound in the expression.
    """
    if not expression.has(sympy.Sum, sympy.Product):
        return expression
    if not isinstance(expression, sympy.Sum | sympy.Product):
        arguments = [with_ends(a, values) if isinstance(a, sympy.Expr) else a for a in expression.args]
        return expression if arguments == list(expression.args) else expression.func(*arguments)
    kind = _LITERAL.get(expression.func, expression.func)
    limits = [(limit[0], *(end.xreplace(values) for end in limit[1:])) for limit in expression.limits]
    return kind(with_ends(_with_upper(expression.function, values), values), *limits)


def _with_upper(term: sympy.Expr, values: Mapping[Any, sympy.Expr]) -> sympy.Expr:
    """Return a term with numbers for the upper entries of its binomial coefficients.

    An index may leave Pascal's triangle, where the coefficient is 0 and its gamma functions have no value.
    """
    upper = {node: node.args[0].xreplace(values) for node in term.atoms(sympy.binomial)}
    # SymPy computes coefficients of numbers at once, which takes long for large ones.
    known = {node: sympy.binomial(n, node.args[1]) for node, n in upper.items() if n.is_Integer and 0 <= n <= _LARGEST}
    return term.xreplace(known) if known else term


def terms(expression: sympy.Expr) -> list[sympy.Expr] | None:
    """Return the terms of a sum, or the factors of a product, over its outermost index; None without literal ends.

    A sum from 1 to 0 has none; one that runs further backwards means different things to different authors.
    """
    *inner, outer = expression.limits
    if not all(isinstance(end, sympy.Integer) for end in outer[1:]):
        return None
    index, first, last = outer[0], int(outer[1]), int(outer[2])
    # A sum of ten thousand terms would make a program that takes longer to write than anybody waits.
    if not first - 1 <= last < first + MOST_TERMS:
        return None
    term = expression.func(expression.function, *inner) if inner else expression.function
    return [placed(term, {index: sympy.Integer(k)}) for k in range(first, last + 1)]
