"""Expressions that bind a variable (derivatives, substitutions, finite sums and products), kept as they are printed.

Two routes evaluate them, which share no code: programs differentiate, substitute and add up themselves (`program`), and
`evaluated` has SymPy differentiate and substitute, which are rules, and takes a closed form of a sum or a product only
where it is confirmed (`closed_forms`): SymPy's word is no proof. Here is what both need, too: putting in constants
without touching what is bound, and the terms of a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits

from rgm_verify.balls.closed_forms import closed_form


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
#: Longer sums of polynomials have a closed form, which takes less than their terms.
_SHORT = 100
_SERIES = (sympy.Sum, sympy.Product)
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
    """Return the expression with values in the place of derivatives, substitutions, sums and products.

    Derivatives and substitutions are SymPy's, by its rules. Sums and products are written out between numbers, and have
    a closed form where one is confirmed; all others stay. So does whatever binds nothing, as it is written, and what
    has no real value.

    Args:
        expression: any expression; results are kept by it, as the same parts come again and again.
    """
    if not binds(expression) or (isinstance(expression, _SERIES) and ends_in_disorder(expression)):
        return expression
    # From the inside out: a sum of derivatives needs the derivatives first.
    inner = _made_again(expression, [evaluated(a) if isinstance(a, sympy.Basic) else a for a in expression.args])
    if not isinstance(inner, BINDERS):
        return inner
    result = _series_value(inner) if isinstance(inner, _SERIES) else done(inner)
    return expression if result.has(*_NO_NUMBER) else result


def worked_out(expression: sympy.Expr) -> sympy.Expr:
    """Return the value of an expression for a proof: `evaluated`, and with the arithmetic done that is left as written.

    Integrals stay, and so does a sum or a product without a confirmed value.
    """
    return done(evaluated(expression))


def done(expression: sympy.Expr) -> sympy.Expr:
    """Return what SymPy's `doit` makes of an expression, without the values that it finds of integrals and sums."""
    if not expression.has(*_SERIES):
        return expression.doit(integrals=False)
    found = _kept(expression).doit(integrals=False)
    return found.xreplace({s: _KEPT[type(s)](*s.args) for s in found.atoms(*_KEPT)})


def _kept(expression: sympy.Expr) -> sympy.Expr:
    """Return an expression with its outermost sums and products as what SymPy finds no value of."""
    return expression.xreplace(
        {s: (_KeptSum if isinstance(s, sympy.Sum) else _KeptProduct)(*s.args) for s in expression.atoms(*_SERIES)}
    )


class _KeptSum(sympy.Sum):
    """A sum of which SymPy is not to find a value."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return the sum itself."""
        return self


class _KeptProduct(sympy.Product):
    """A product of which SymPy is not to find a value."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return the product itself."""
        return self

    def _eval_derivative(self, x: Any) -> sympy.Expr | None:
        """Return the derivative, a sum of products that are kept as well."""
        slope = super()._eval_derivative(x)
        return slope if slope is None else _kept(slope)


#: What is kept from being evaluated, and what stands there otherwise.
_KEPT = {_KeptSum: sympy.Sum, _KeptProduct: sympy.Product}


def _series_value(series: sympy.Expr) -> sympy.Expr:
    """Return the value of a sum or a product by its terms or by a confirmed closed form; itself where there is none."""
    *inner, (index, first, last) = (tuple(limit) for limit in series.limits)
    if inner:
        # The inner one is a term of the outer one, which may have a value only then.
        term = _series_value(series.func(series.function, *inner))
        return series if isinstance(term, _SERIES) else _series_value(series.func(term, (index, first, last)))
    steps, adds = last - first, isinstance(series, sympy.Sum)
    long = adds and steps.is_Integer and steps >= _SHORT and series.function.is_polynomial(index)
    if long or not steps.is_Integer:
        found = closed_form(series)
        return series if found is None else found
    # Below the empty one it runs backwards, which means different things to different authors.
    if not -1 <= steps < MOST_TERMS or first.free_symbols & bound_symbols(series.function):
        return series
    written = (placed(series.function, {index: first + k}) for k in range(int(steps) + 1))
    return (sympy.Add if adds else sympy.Mul)(*map(evaluated, written))


@lru_cache(maxsize=4096)
def ends_in_disorder(expression: sympy.Basic) -> str:
    """Say which sum or product runs backwards or ends at no integer, whatever the variables are; empty if none does.

    It may end one below its first index, where it has no terms. Further down authors differ: it is empty, or the terms
    in between count with the opposite sign. They differ, too, on an end that is no integer.

    Examples:
        >>> j, k = sympy.symbols("j k", integer=True)
        >>> ends_in_disorder(sympy.Sum(k, (k, 1, 0)))
        ''
        >>> ends_in_disorder(1 + sympy.Sum(k, (k, 5, 1)))
        'the sum of k for k from 5 to 1 runs backwards, and readers differ on what that is; ...'
        >>> ends_in_disorder(sympy.Sum(sympy.Sum(j, (j, 3, k)), (k, 1, 9)))
        'the sum of j for j from 3 to k runs backwards for k = 1, and readers differ on what that is; ...'
        >>> ends_in_disorder(sympy.Sum(k, (k, 1, sympy.Rational(7, 2))))
        'the sum of k for k from 1 to 7/2 ends at 7/2, and readers differ on what that is; ...'
    """
    return next(_disorder(expression, {}), "")


def _disorder(expression: sympy.Basic, values: Mapping[sympy.Symbol, range]) -> Iterator[str]:
    """Yield what runs backwards, where some indices run through known integers."""
    if not expression.has(*_SERIES):
        return
    if not isinstance(expression, _SERIES):
        for part in expression.args:
            yield from _disorder(part, values)
        return
    known = dict(values)
    # The last limit is the outermost one.
    kind = "sum" if isinstance(expression, sympy.Sum) else "product"
    for index, first, last in reversed(expression.limits):
        told = f"the {kind} of {expression.function} for {index} from {first} to {last}"
        for end, verb in ((first, "begins"), (last, "ends")):
            if end.is_number and end.is_finite and end.is_integer is False:
                yield f"{told} {verb} at {end}, and readers differ on what that is; its ends have to be integers"
        steps = sympy.expand(last - first)
        for where, number in _numbers(steps, known):
            if number < -1:
                yield (
                    f"{told} runs backwards{where}, and readers differ on what that is; its last index has to be at "
                    f"least {sympy.expand(first - 1)}, where it is empty"
                )
        known.pop(index, None)
        if first.is_Integer and last.is_Integer and last - first < MOST_TERMS:
            known[index] = range(int(first), int(last) + 1)
    yield from _disorder(expression.function, known)


def _numbers(steps: sympy.Expr, known: Mapping[sympy.Symbol, range]) -> Iterator[tuple[str, sympy.Expr]]:
    """Yield the integers that an expression is, with the value of the index that it depends on."""
    if steps.is_Integer:
        yield "", steps
    for index in (one for one in known if steps.free_symbols == {one}):
        for value in known[index]:
            number = steps.xreplace({index: sympy.Integer(value)})
            if number.is_Integer:
                yield f" for {index} = {value}", number


def _made_again(expression: sympy.Expr, parts: list[Any]) -> sympy.Expr:
    """Return an operation with other parts; as it is written where SymPy would drop a sum that runs backwards.

    0 times such a sum is no more a number than the sum itself.
    """
    made = expression.func(*parts)
    disorder = any(isinstance(part, sympy.Basic) and ends_in_disorder(part) for part in parts)
    lost = disorder and not ends_in_disorder(made)
    return expression.func(*parts, evaluate=False) if lost else made


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
    return _made_again(expression, [placed(a, used) if isinstance(a, sympy.Expr) else a for a in expression.args])


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
        values: constants by symbol; none of them is bound in the expression.
    """
    if not expression.has(sympy.Sum, sympy.Product):
        return expression
    if not isinstance(expression, sympy.Sum | sympy.Product):
        arguments = [with_ends(a, values) if isinstance(a, sympy.Expr) else a for a in expression.args]
        return expression if arguments == list(expression.args) else _made_again(expression, arguments)
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
