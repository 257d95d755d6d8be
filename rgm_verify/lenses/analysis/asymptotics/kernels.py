"""An expression as a product of powers of factors, with exponentials, powers and logarithms taken apart
as far as it is allowed.

The sign of a product follows from the signs of its factors, which are simpler. To find factors,
exponentials and other functions are replaced by symbols (`_Generators`), of which the expression is
a rational function; exp(x) and exp(x/2) share one symbol and its square. Every rewriting here is an
identity wherever the given expression is defined: that it is defined is for the caller to know.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

import sympy

from rgm_verify.lenses.algebra.factoring import polynomial_factors

__all__ = ["Positive", "factors", "plain", "split_logarithms"]

#: Whether an expression was shown to be positive wherever the expression at hand is looked at.
Positive = Callable[[sympy.Expr], bool]
# Longer expressions, and more generators, are left as one factor: factoring takes exponential time at
# worst.
_LONGEST = 600
_MOST_GENERATORS = 10
#: Higher powers are not multiplied out: a factor 1 - 1/10^9 in an exponent would ask for the degree 10^9.
_HIGHEST = 24
_HYPERBOLIC = (sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch)


def plain(expression: sympy.Expr) -> sympy.Expr:
    """The expression with hyperbolic functions by exponentials, and erf by erfc where both are there.

    Args:
        expression: An expression that is defined where it is looked at.

    Returns:
        An expression that is equal to it there.
    """
    if expression.has(*_HYPERBOLIC):
        expression = expression.replace(
            lambda e: isinstance(e, _HYPERBOLIC), lambda e: sympy.together(e.rewrite(sympy.exp))
        )
    if any(p.exp.free_symbols for p in expression.atoms(sympy.Pow) if isinstance(p.base, sympy.Mul)):
        expression = sympy.expand_power_base(expression)
    if expression.has(sympy.log):
        expression = expression.replace(sympy.exp, _without_logarithms)
    if expression.has(sympy.gamma):
        expression = sympy.gammasimp(expression)
    # With one of the two left, equal terms cancel.
    if expression.has(sympy.erfc) and expression.has(sympy.erf):
        expression = expression.replace(sympy.erf, lambda t: 1 - sympy.erfc(t))
    if expression.has(sympy.tan, sympy.cot):
        expression = expression.replace(sympy.tan, lambda t: sympy.sin(t) / sympy.cos(t))
    return expression


def _without_logarithms(exponent: sympy.Expr) -> sympy.Expr:
    """Exp of a sum, where `exp(c log b)` is a power of b; the logarithm is defined, so that b is positive."""
    total, kept = sympy.S.One, sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(exponent)):
        logs = [f for f in sympy.Mul.make_args(term) if isinstance(f, sympy.log)]
        if len(logs) == 1:
            total *= sympy.Pow(logs[0].args[0], sympy.cancel(term / logs[0]))
        else:
            kept += term
    return total * sympy.exp(kept)


def split_logarithms(expression: sympy.Expr, positive: Positive) -> sympy.Expr:
    """The expression with logarithms of products as sums, where every factor is positive.

    Args:
        expression: An expression that is defined where it is looked at.
        positive: Whether something was shown to be positive there.

    Returns:
        An equal expression. A logarithm with a factor of unknown sign stays whole.
    """

    def split(inner: sympy.Expr) -> sympy.Expr:
        if isinstance(inner, sympy.exp):
            return inner.args[0]
        if isinstance(inner, sympy.Pow) and inner.exp.free_symbols and positive(inner.base):
            return inner.exp * split(inner.base)
        parts = factors(inner, positive)
        if len(parts) == 1 and parts[0][1] == 1:
            return sympy.log(inner)
        total = sympy.S.Zero
        for factor, power in parts:
            if isinstance(factor, sympy.exp):
                total += power * factor.args[0]
            elif positive(factor):
                total += power * sympy.log(factor)
            # Two negative factors make a positive product, whose logarithm is the sum of those of the
            # absolute values.
            elif positive(-factor):
                total += power * sympy.log(-factor)
            else:
                return sympy.log(inner)
        return total

    return expression.replace(sympy.log, split)


class _Generators:
    """Symbols in the places of exponentials, powers and other functions, of which each power is one symbol's."""

    def __init__(self, expression: sympy.Expr) -> None:
        self.back: dict[sympy.Symbol, sympy.Expr] = {}
        self._kernels: dict[sympy.Expr, sympy.Symbol] = {}
        self._denominators: dict[tuple[sympy.Expr, sympy.Expr], int] = {}
        self._largest: dict[tuple[sympy.Expr, sympy.Expr], int] = {}
        for power in sympy.ordered(expression.atoms(sympy.Pow, sympy.exp)):
            base, exponent = power.as_base_exp()
            if exponent.is_Integer:
                continue
            for rational, monomial in self._terms(exponent):
                key = (base, monomial)
                self._denominators[key] = lcm(self._denominators.get(key, 1), int(rational.q))
                self._largest[key] = max(self._largest.get(key, 0), abs(int(rational)) + 1)

    @staticmethod
    def _terms(exponent: sympy.Expr) -> list[tuple[sympy.Rational, sympy.Expr]]:
        """Return the terms of an exponent as rational numbers times the rest."""
        terms = (t.as_coeff_Mul(rational=True) for t in sympy.Add.make_args(sympy.expand(exponent)))
        return [(c, m) for c, m in terms]

    def symbol(self, kernel: sympy.Expr) -> sympy.Symbol:
        """Return the symbol in the place of a term, the same for the same term."""
        if kernel not in self._kernels:
            self._kernels[kernel] = sympy.Dummy(f"g{len(self.back)}", positive=kernel.is_positive)
            self.back[self._kernels[kernel]] = kernel
        return self._kernels[kernel]

    def translate(self, e: sympy.Expr) -> sympy.Expr:
        """Return an expression in the symbols that is equal to the given one when each symbol is put
        back.
        """
        if isinstance(e, sympy.Add | sympy.Mul):
            return e.func(*(self.translate(a) for a in e.args))
        if isinstance(e, sympy.Pow | sympy.exp):
            base, exponent = e.as_base_exp()
            if exponent.is_Integer:
                return self.translate(base) ** exponent
            return sympy.Mul(*(self._power(base, c, m) for c, m in self._terms(exponent)))
        if e.is_Symbol:
            root = self._denominators.get((e, sympy.S.One), 1)
            # A root of a high degree would ask for a polynomial of that degree.
            root = 1 if root > _HIGHEST else root
            return self.symbol(e ** sympy.Rational(1, root)) ** root if root > 1 else e
        return e if e.is_Rational else self.symbol(e)

    def _power(self, base: sympy.Expr, rational: sympy.Rational, monomial: sympy.Expr) -> sympy.Expr:
        """Return a power with an exponent of one term, as a power of the symbol with the smallest
        exponent that is needed.
        """
        if monomial == 1 and rational.is_Integer:
            return (self.translate(base) if base is not sympy.E else self.symbol(sympy.E)) ** rational
        root = self._denominators[(base, monomial)]
        if root * self._largest[(base, monomial)] > _HIGHEST:
            # No polynomial of that degree is factored: this exponential stands by itself.
            return self.symbol(sympy.Pow(base, abs(rational) * monomial)) ** (1 if rational > 0 else -1)
        kernel = sympy.Pow(base, monomial / root)
        return self.symbol(kernel) ** (rational * root)


def factors(expression: sympy.Expr, positive: Positive | None = None) -> list[tuple[sympy.Expr, int]]:
    """The expression as factors with integer exponents; a constant comes first. One factor where it is too long.

    Args:
        expression: An expression that is defined where it is looked at.
        positive: Ignored.

    Returns:
        Pairs whose product of powers is equal to the expression; exponents may be negative.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> factors(sympy.exp(2 * x) - 1)
        [(exp(x) - 1, 1), (exp(x) + 1, 1)]
    """
    high = any(abs(p.exp) > _HIGHEST for p in expression.atoms(sympy.Pow) if p.exp.is_Rational)
    if high or sympy.count_ops(expression) > _LONGEST:
        return [(expression, 1)]
    generators = _Generators(expression)
    inside = generators.translate(expression)
    # Factoring a polynomial in many variables may take hours.
    if len(inside.free_symbols) > _MOST_GENERATORS:
        return [(expression, 1)]
    above, below = sympy.fraction(sympy.together(inside))
    constant, found = sympy.S.One, []
    for part, sign in ((above, 1), (below, -1)):
        number, several = polynomial_factors(part)
        constant *= number**sign
        found += [(factor, sign * power) for factor, power in several]
    parts = [(f.xreplace(generators.back), int(k)) for f, k in found]
    constant = constant.xreplace(generators.back)
    return ([(constant, 1)] if constant != 1 else []) + parts or [(sympy.S.One, 1)]
