"""Limits of expressions with parameters at an end of one variable's range, by rules that take no
indeterminate form.

A way that starts at an open end needs the limit there. Each rule goes by the limits of the parts:
sums of finite limits, products with an infinite factor if the others have a sign, continuous
functions of finite limits. oo - oo, 0 times oo and 1 to the power oo have no rule and give None. An
expression in the variable alone goes to `growth`, which compares orders.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, limit, moved_to_infinity
from rgm_verify.lenses.base import rational

__all__ = ["limit_at"]

#: The sign that an expression has wherever it is looked at: 1, -1, 2 (>= 0), -2 (<= 0), None.
Sign = Callable[[sympy.Expr], "int | None"]
_INFINITE = (sympy.oo, -sympy.oo)
_WAVES = (sympy.sin, sympy.cos)
_LONGEST = 80
_AT_INFINITY: dict[type[sympy.Function], tuple[sympy.Expr, sympy.Expr]] = {
    sympy.exp: (sympy.oo, sympy.S.Zero),
    sympy.erf: (sympy.S.One, -sympy.S.One),
    sympy.erfc: (sympy.S.Zero, sympy.Integer(2)),
    sympy.tanh: (sympy.S.One, -sympy.S.One),
    sympy.atan: (sympy.pi / 2, -sympy.pi / 2),
    sympy.cosh: (sympy.oo, sympy.oo),
    sympy.sinh: (sympy.oo, -sympy.oo),
    sympy.asinh: (sympy.oo, -sympy.oo),
}


def limit_at(
    expression: sympy.Expr, variable: sympy.Symbol, end: Fraction | None, *, from_above: bool, sign: Sign
) -> sympy.Expr | None:
    """The limit for fixed values of the other variables: an expression in these, oo or -oo; None without a rule.

    Args:
        expression: An expression that is defined inside the range.
        end: The end, None for the infinite one.
        from_above: Whether the variable comes from above.
        sign: The sign of an expression in the other variables, on all of their domain.
    """
    # Without parameters there are stronger rules, which compare terms with each other.
    if expression.free_symbols == {variable}:
        moved, x = moved_to_infinity(expression, variable, end, from_above=from_above)
        try:
            return limit(moved, x)
        except NotKnown:
            # Orders say nothing of what oscillates.
            if not expression.has(*_WAVES):
                return None
    limits = _Limit(variable, end, from_above, sign)
    found = limits.of(sympy.expand(expression))
    # A power x^(1 - a), multiplied out, is a product of x, which grows, and of x^-a, which falls.
    found = limits.of(sympy.expand(expression, power_exp=False)) if found is None else found
    # As it is written a quotient may be a product of what has known limits.
    found = limits.of(expression) if found is None else found
    # A common factor of its terms may tend to 0 where the rest of them oscillates.
    found = limits.of(sympy.factor_terms(expression)) if found is None and expression.has(*_WAVES) else found
    return _with_parameters(expression, variable, end, from_above, sign) if found is None else found


def _with_parameters(
    expression: sympy.Expr, variable: sympy.Symbol, end: Fraction | None, from_above: bool, sign: Sign
) -> sympy.Expr | None:
    """The limit by comparing orders, with parameters written so that their symbols tell what signs are asked for.

    A parameter in (0, 1) is t/(1 + t), and one above 1 is 1 + t, for a t > 0.
    """
    if sympy.count_ops(expression) > _LONGEST:
        return None
    values, back = {}, {}
    for p in sorted(expression.free_symbols - {variable}, key=str):
        t = sympy.Dummy("t", positive=True)
        side = sign(1 - p) if p.is_positive else None
        if side == 1:
            values[p], back[t] = t / (1 + t), p / (1 - p)
        elif side == -1:
            values[p], back[t] = 1 + t, p - 1
    moved, x = moved_to_infinity(expression.xreplace(values), variable, end, from_above=from_above)
    try:
        found = limit(moved, x)
    except NotKnown:
        return None
    return found if found in _INFINITE else sympy.simplify(found.xreplace(back))


class _Limit:
    """The limits of the parts of one expression at one end."""

    def __init__(self, variable: sympy.Symbol, end: Fraction | None, from_above: bool, sign: Sign) -> None:
        self.variable, self.from_above, self.sign = variable, from_above, sign
        self.end = (-sympy.oo if from_above else sympy.oo) if end is None else rational(end)

    def of(self, e: sympy.Expr) -> sympy.Expr | None:
        """Return the limit of a part, or None without a rule."""
        if not e.has(self.variable):
            return e
        if e == self.variable:
            return self.end
        if isinstance(e, sympy.Add):
            return self._sum([self.of(a) for a in e.args])
        if isinstance(e, sympy.Mul):
            return self._product(e)
        if isinstance(e, sympy.exp):
            return self._function(e)
        if isinstance(e, sympy.Pow):
            return self._power(e)
        if isinstance(e, sympy.log):
            return self._logarithm(e)
        return self._function(e)

    @staticmethod
    def _sum(values: list[sympy.Expr | None]) -> sympy.Expr | None:
        """Return the limit of a sum; None where two infinities of opposite sign meet."""
        if any(v is None for v in values):
            return None
        infinite = {v for v in values if v in _INFINITE}
        # Infinity less infinity may be anything.
        if len(infinite) > 1:
            return None
        return infinite.pop() if infinite else sympy.Add(*values)

    def _product(self, e: sympy.Expr) -> sympy.Expr | None:
        """Return the limit of a product; with an infinite factor every other one must have a strict
        sign.
        """
        if self._is_power_by_falling_exponential(e):
            return sympy.S.Zero
        values = [self.of(a) for a in e.args]
        waves = [a for a, v in zip(e.args, values, strict=True) if v is None and self._is_bounded_wave(a)]
        if waves:
            # Something bounded times something that tends to 0.
            rest = self.of(sympy.Mul(*(a for a in e.args if a not in waves)))
            return sympy.S.Zero if rest == 0 else None
        if any(v is None for v in values):
            return None
        if not any(v in _INFINITE for v in values):
            return sympy.Mul(*values)
        total = 1
        for value in values:
            if value in _INFINITE:
                total *= 1 if value == sympy.oo else -1
                continue
            known = self.sign(value)
            # A factor that may be 0 beside an infinity may make any limit.
            if known not in (1, -1):
                return None
            total *= known
        return sympy.oo if total > 0 else -sympy.oo

    def _is_bounded_wave(self, e: sympy.Expr) -> bool:
        """Return whether an expression is a polynomial of sines and cosines, in which alone the variable stands."""
        names = {node: sympy.Dummy("wave", real=True) for node in sympy.ordered(e.atoms(*_WAVES))}
        inside = e.xreplace(names)
        return bool(names) and not inside.has(self.variable) and inside.is_polynomial(*names.values())

    def _is_power_by_falling_exponential(self, e: sympy.Mul) -> bool:
        """Return whether a product is one of powers by exp(g), with a polynomial g that tends to -oo: it tends to 0.

        An exponential falls faster than any power grows. The powers are of polynomials, with exponents without the
        variable; coefficients may depend on the other variables. That of the highest power in g has to have a sign, and
        so has that of a polynomial under an exponent that may be negative.
        """
        x = self.variable
        if self.end not in _INFINITE:
            return False
        exponent = sympy.expand(sympy.Add(*(a.args[0] for a in e.args if isinstance(a, sympy.exp))))
        if not (exponent.is_polynomial(x) and exponent.has(x)):
            return False
        if not all(self._grows_like_a_power(a) for a in e.args if not isinstance(a, sympy.exp)):
            return False
        highest = sympy.Poly(exponent, x)
        turned = -1 if self.end == -sympy.oo and highest.degree() % 2 else 1
        return self.sign(turned * highest.LC()) == -1

    def _grows_like_a_power(self, factor: sympy.Expr) -> bool:
        """Return whether a factor is at most a multiple of some power of the variable near the infinite end."""
        x = self.variable
        if factor.is_polynomial(x):
            return True
        base, exponent = factor.as_base_exp()
        if exponent.has(x) or not base.is_polynomial(x):
            return False
        # Near the end the polynomial is away from 0.
        return self.sign(sympy.Poly(base, x).LC()) in (1, -1)

    def _power(self, e: sympy.Pow) -> sympy.Expr | None:
        """Return the limit of a power with an exponent that does not depend on the variable.

        At a base that tends to 0 a negative exponent needs to know the side from which it comes.
        """
        base, exponent = e.args
        if exponent.has(self.variable):
            return None
        below, known = self.of(base), self.sign(exponent)
        if below is None:
            return None
        if below == sympy.oo:
            return sympy.oo if known == 1 else sympy.S.Zero if known == -1 else None
        if below == -sympy.oo:
            if not exponent.is_Integer:
                return None
            return sympy.S.Zero if exponent < 0 else sympy.oo if exponent % 2 == 0 else -sympy.oo
        if below == 0:
            if known == 1:
                return sympy.S.Zero
            side = 1 if base == self.variable - self.end and self.from_above else 1 if base.is_positive else 0
            even = bool(exponent.is_Integer and exponent % 2 == 0)
            return sympy.oo if known == -1 and (side or even) else None
        if exponent.is_Integer and exponent >= 0:
            return below**exponent
        return below**exponent if self.sign(below) == 1 or (exponent.is_Integer and self.sign(below) == -1) else None

    def _logarithm(self, e: sympy.Expr) -> sympy.Expr | None:
        """Return the limit of a logarithm."""
        inner = self.of(e.args[0])
        if inner == sympy.oo:
            return sympy.oo
        if inner == 0:
            return -sympy.oo  # it is defined on the way, so that it comes from above
        return sympy.log(inner) if inner is not None and self.sign(inner) == 1 else None

    def _function(self, e: sympy.Expr) -> sympy.Expr | None:
        """Return the limit of a continuous function of one argument, by its value or by its limit at an
        infinity.
        """
        if isinstance(e, sympy.uppergamma) and not e.args[0].has(self.variable):
            # The rest of an integral that converges.
            return sympy.S.Zero if self.of(e.args[1]) == sympy.oo else None
        if len(e.args) != 1 or type(e) not in (*_AT_INFINITY, *_WAVES):
            return None
        inner = self.of(e.args[0])
        if inner is None:
            return None
        if inner in _INFINITE:
            ends = _AT_INFINITY.get(type(e))
            return None if ends is None else ends[0 if inner == sympy.oo else 1]
        return e.func(inner)
