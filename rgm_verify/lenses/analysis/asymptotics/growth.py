"""Leading behaviour of an expression in one variable at an end of an interval, by rules that lose no
term.

Every function that is known here is compared with

    coefficient * exp(exponent) * x^power * log(x)^logarithms        as x -> +oo,

after an end has been moved to +oo. A sum keeps its largest terms; where these cancel nothing is
said, except that the limit of the sum is that of what is left of bounded terms.

SymPy's own `limit` is not used: it is a heuristic with known wrong answers, and a limit here decides
a sign in a proof. These rules raise `NotKnown` instead of guessing. Coefficients are closed
expressions whose sign Arb or algebra certifies.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy

from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.lenses.analysis.asymptotics.cancelling import TendsToOne, without_cancelling

__all__ = ["Growth", "constant_sign", "growth", "limit", "moved_to_infinity"]

# A constant that is not 0 and needs more bits than this is left open; exactly 0 is for algebra.
_BITS = 512
#: Longer expressions in parameters are not factored.
_LONGEST_FORM = 60
#: Larger factors of a logarithm are not made exponents of what is inside.
_MOST_REPEATS = 12


class NotKnown(ValueError):
    """No rule gives the leading behaviour."""


@dataclass(frozen=True)
class Growth:
    """`coefficient * exp(exponent) * x^power * log(x)^logarithms`; a coefficient 0 is the function 0.

    Attributes:
        coefficient: A closed expression.
        exponent: A sum of powers of x that each tend to an infinity, or 0.
        power: A rational number.
        logarithms: A rational number.
    """

    coefficient: sympy.Expr
    exponent: sympy.Expr = sympy.S.Zero
    power: sympy.Rational = sympy.S.Zero
    logarithms: sympy.Rational = sympy.S.Zero

    def times(self, other: Growth) -> Growth:
        """The behaviour of a product."""
        return Growth(
            self.coefficient * other.coefficient,
            sympy.expand(self.exponent + other.exponent),
            self.power + other.power,
            self.logarithms + other.logarithms,
        )

    def inverse(self) -> Growth:
        """The behaviour of the reciprocal, for a coefficient that is not 0."""
        return Growth(1 / self.coefficient, -self.exponent, -self.power, -self.logarithms)

    def is_constant(self) -> bool:
        """Return whether the limit is the coefficient."""
        return bool(self.exponent == 0 and self.power == 0 and self.logarithms == 0)


def constant_sign(value: sympy.Expr) -> int:
    """The sign of a closed expression: -1, 0 or 1. Raises `NotKnown` where Arb cannot tell it from 0.

    Args:
        value: An expression; with free symbols only what these promise of themselves counts.

    Raises:
        NotKnown: With free symbols where the form does not tell, for what Arb cannot evaluate, and where neither Arb
            nor algebra tells.

    Examples:
        >>> constant_sign(sympy.pi - 3), constant_sign(sympy.sqrt(8) - 2 * sympy.sqrt(2))
        (1, 0)
    """
    value = sympy.sympify(value)
    if value.is_zero:
        return 0
    if value.free_symbols:
        return _sign_by_form(value)
    try:
        found = sign_at(value, {}, maximum_bits=_BITS)
    except (UnsupportedExpression, OverflowError) as error:
        raise NotKnown(str(error)) from error
    if found in ("positive", "negative"):
        return 1 if found == "positive" else -1
    # Late: constants use the lens of identities, which most questions here do without.
    from rgm_verify.lenses.analysis.constants import vanishes

    if found == "zero" or vanishes(value):
        return 0
    raise NotKnown(f"the sign of {value} is open")


def _sign_by_form(value: sympy.Expr) -> int:
    """The sign of an expression in parameters, by what their symbols promise. Raises `NotKnown` where that is open."""
    form = sympy.factor(sympy.together(value)) if sympy.count_ops(value) <= _LONGEST_FORM else value
    if form.is_zero:
        return 0
    if form.is_positive or form.is_negative:
        return 1 if form.is_positive else -1
    raise NotKnown(f"{value} is no constant")


def _compare(left: Growth, right: Growth, x: sympy.Symbol) -> int:
    """Return 1, 0 or -1 as the left grows faster than, like, or slower than the right, coefficients apart.

    Exponents come first, as exp beats every power; powers come before logarithms.
    """
    difference = sympy.expand(left.exponent - right.exponent)
    if difference != 0:
        leading = _of_sum(difference, x)
        # Only a difference that grows without bound decides; a bounded one would be part of the
        # coefficient.
        if leading.exponent == 0 and (leading.power > 0 or (leading.power == 0 and leading.logarithms > 0)):
            return constant_sign(leading.coefficient)
        raise NotKnown(f"exponents {left.exponent} and {right.exponent} are not compared")
    for mine, other in ((left.power, right.power), (left.logarithms, right.logarithms)):
        if mine != other:
            return 1 if mine > other else -1
    return 0


def growth(expression: sympy.Expr, x: sympy.Symbol) -> Growth:
    """The leading behaviour as x -> +oo. Raises `NotKnown`.

    Args:
        expression: An expression in x, and in nothing else that varies.

    Returns:
        The leading term: the quotient of the expression and it tends to 1, or both are 0.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> growth(3 * x**2 + sympy.log(x), x).power
        2
    """
    if not expression.has(x):
        return Growth(expression)
    if expression == x:
        return Growth(sympy.S.One, power=sympy.S.One)
    if isinstance(expression, sympy.Add):
        return _of_sum(expression, x)
    if isinstance(expression, sympy.Mul):
        total = Growth(sympy.S.One)
        for factor in expression.args:
            total = total.times(growth(factor, x))
        return total
    if isinstance(expression, sympy.exp):
        return _of_exponential(expression.args[0], x)
    if isinstance(expression, sympy.Pow):
        return _of_power(expression, x)
    if isinstance(expression, sympy.log):
        return _of_logarithm(expression.args[0], x)
    return _of_function(expression, x)


def _terms(expression: sympy.Expr, x: sympy.Symbol) -> list[Growth]:
    """Return the leading behaviour of each term of a sum that is not 0."""
    return [g for t in sympy.Add.make_args(expression) if (g := growth(t, x)).coefficient != 0]


def _largest(terms: list[Growth], x: sympy.Symbol) -> list[Growth]:
    """The terms that no other outgrows."""
    best: list[Growth] = []
    for term in terms:
        order = _compare(term, best[0], x) if best else 0
        if order > 0:
            best = [term]
        elif order == 0:
            best.append(term)
    return best


def _of_sum(expression: sympy.Expr, x: sympy.Symbol) -> Growth:
    """Return the leading behaviour of a sum; raise `NotKnown` where its largest terms cancel, since
    less is known then.
    """
    best = _largest(_terms(expression, x), x)
    if not best:
        return Growth(sympy.S.Zero)
    total = sympy.Add(*(g.coefficient for g in best))
    # What is left after they cancel may be of any size: another form of the same sum may show it.
    if constant_sign(total) == 0:
        for above, below in without_cancelling(expression, x):
            try:
                divisor = growth(below, x)
                if constant_sign(divisor.coefficient) != 0:
                    return growth(above, x).times(divisor.inverse())
            except NotKnown:
                continue
        raise NotKnown(f"the largest terms of {expression} cancel")
    return Growth(total, best[0].exponent, best[0].power, best[0].logarithms)


def _of_exponential(inner: sympy.Expr, x: sympy.Symbol) -> Growth:
    """Exp of a sum: what tends to 0 is dropped, what tends to a constant is a factor, the rest is the exponent."""
    coefficient, kept, power = sympy.S.One, sympy.S.Zero, sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(inner)):
        g = growth(term, x)
        if g.coefficient == 0:
            continue
        if g.exponent != 0:
            if _compare(g, Growth(sympy.S.One), x) < 0:
                continue
            raise NotKnown(f"exp({inner}) grows too fast")
        if g.is_constant():
            # The term is its limit and something that tends to 0, which is a factor that tends to 1.
            coefficient *= sympy.exp(g.coefficient)
        elif g.power < 0 or (g.power == 0 and g.logarithms < 0):
            continue
        elif term == g.coefficient * x**g.power and g.logarithms == 0:
            kept += term
        elif term == g.coefficient * sympy.log(x) and g.coefficient.is_Rational:
            power += g.coefficient
        else:
            # A factor of an exponent is no small matter: exp(2x) and exp(x) have little in common.
            raise NotKnown(f"exp({inner}): {term} is known up to a factor only")
    return Growth(coefficient, kept, power)


def _of_power(expression: sympy.Pow, x: sympy.Symbol) -> Growth:
    """Return the behaviour of a power; a root needs a base that is positive near the end."""
    base, exponent = expression.args
    if exponent.has(x):
        return _of_exponential(sympy.expand(exponent * sympy.log(base)), x)
    if not exponent.is_Rational:
        raise NotKnown(f"{expression}: the exponent is no rational number")
    g = growth(base, x)
    sign = constant_sign(g.coefficient)
    if sign == 0 or (sign < 0 and not exponent.is_Integer):
        raise NotKnown(f"{expression}: its base is not shown to be positive near the end")
    return Growth(
        g.coefficient**exponent, sympy.expand(g.exponent * exponent), g.power * exponent, g.logarithms * exponent
    )


def _of_logarithm(inner: sympy.Expr, x: sympy.Symbol) -> Growth:
    """Return the behaviour of a logarithm: of its exponent, its power, or what its argument exceeds 1
    by.
    """
    g = growth(inner, x)
    if constant_sign(g.coefficient) <= 0:
        raise NotKnown(f"log({inner}): not shown to be of something positive near the end")
    if g.exponent != 0:
        leading = _of_sum(g.exponent, x)
        if leading.exponent != 0 or leading.power <= 0:
            raise NotKnown(f"log({inner}): its exponent is not understood")
        return leading
    if g.power != 0:
        return Growth(sympy.sympify(g.power), logarithms=sympy.S.One)
    if g.logarithms != 0:
        raise NotKnown(f"log({inner}): a logarithm of a logarithm")
    # log of something that tends to c is log c to first order, unless that is 0.
    if constant_sign(g.coefficient - 1) != 0:
        return Growth(sympy.log(g.coefficient))
    return growth(sympy.cancel(sympy.together(inner - 1)), x)  # log(1 + u) is like u


#: Limits at +oo and -oo of functions that have them.
_LIMITS: dict[type[sympy.Function], tuple[sympy.Expr, sympy.Expr]] = {
    sympy.erf: (sympy.S.One, -sympy.S.One),
    sympy.tanh: (sympy.S.One, -sympy.S.One),
    sympy.atan: (sympy.pi / 2, -sympy.pi / 2),
}
#: Functions that are like their argument near 0, up to the factor given.
_LIKE_IDENTITY: dict[type[sympy.Function], sympy.Expr] = {
    sympy.erf: 2 / sympy.sqrt(sympy.pi),
    sympy.tanh: sympy.S.One,
    sympy.atan: sympy.S.One,
    sympy.sin: sympy.S.One,
    sympy.sinh: sympy.S.One,
    sympy.asinh: sympy.S.One,
}
_CONTINUOUS = (
    sympy.erf, sympy.erfc, sympy.tanh, sympy.atan, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.asinh,
    sympy.asin, sympy.acos,
)  # fmt: skip


def _of_function(expression: sympy.Expr, x: sympy.Symbol) -> Growth:
    """Return the behaviour of a continuous function: at the limit of its argument, or at an infinity."""
    if isinstance(expression, TendsToOne):
        # Only where its argument tends to 0.
        if _compare(growth(expression.args[0], x), Growth(sympy.S.One), x) < 0:
            return Growth(sympy.S.One)
        raise NotKnown(f"{expression.args[0]} is not known to tend to 0")
    if not isinstance(expression, _CONTINUOUS):
        raise NotKnown(f"nothing is known of {expression.func} near an end")
    kind, inner = type(expression), expression.args[0]
    if isinstance(expression, sympy.sinh | sympy.cosh):
        return (
            growth(sympy.expand(expression.rewrite(sympy.exp)), x)
            if _tends_away(inner, x)
            else _at_limit(expression, x)
        )
    g = growth(inner, x)
    bounded = g.coefficient == 0 or g.is_constant() or _compare(g, Growth(sympy.S.One), x) < 0
    if bounded:
        return _at_limit(expression, x)
    positive = constant_sign(g.coefficient) > 0
    if kind in _LIMITS:
        return Growth(_LIMITS[kind][0 if positive else 1])
    # erfc(u) is like exp(-u^2)/(u sqrt(pi)) for large u.
    if kind is sympy.erfc:
        if not positive:
            return Growth(sympy.Integer(2))
        return (
            _of_exponential(sympy.expand(-(inner**2)), x)
            .times(_of_power(sympy.Pow(inner, -1, evaluate=False), x))
            .times(Growth(1 / sympy.sqrt(sympy.pi)))
        )
    raise NotKnown(f"nothing is known of {expression} near the end")


def _tends_away(inner: sympy.Expr, x: sympy.Symbol) -> bool:
    """Return whether an expression tends to an infinity."""
    g = growth(inner, x)
    return g.coefficient != 0 and not g.is_constant() and _compare(g, Growth(sympy.S.One), x) > 0


def _at_limit(expression: sympy.Expr, x: sympy.Symbol) -> Growth:
    """A continuous function of something that has a finite limit; like its argument where that limit is a zero."""
    inner = expression.args[0]
    value = limit(inner, x)
    there = expression.func(value)
    if constant_sign(there) != 0:
        return Growth(there)
    if constant_sign(value) == 0 and type(expression) in _LIKE_IDENTITY:
        return Growth(_LIKE_IDENTITY[type(expression)]).times(growth(inner, x))
    raise NotKnown(f"{expression} tends to 0 in a way that is not known")


def limit(expression: sympy.Expr, x: sympy.Symbol) -> sympy.Expr:
    """The limit as x -> +oo: a closed expression, oo or -oo. Raises `NotKnown`.

    Raises:
        NotKnown: Where the rules do not reach, also after logarithms have been combined.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> limit(sympy.log(2 * x) - sympy.log(x), x)
        log(2)
    """
    try:
        return _limit(expression, x)
    except NotKnown:
        combined = _combined(expression)
        if combined is None:
            raise
        return _limit(combined, x)


def _combined(expression: sympy.Expr) -> sympy.Expr | None:
    """Write logarithms with factors that are equal up to an integer as one; they are defined, so that this holds.

    log(2x) - log(x) has largest terms that cancel; as log(2) it has none.
    """
    groups: dict[sympy.Expr, sympy.Expr] = {}
    rest = sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(expression)):
        logs = [f for f in sympy.Mul.make_args(term) if isinstance(f, sympy.log)]
        if len(logs) != 1:
            rest += term
            continue
        number, factor = (term / logs[0]).as_coeff_Mul(rational=True)
        # A power of what is inside, and a long one would be expanded.
        if not number.is_Integer or abs(number) > _MOST_REPEATS:
            sign = sympy.sign(number)
            number, factor = sign, abs(number) * factor
        groups[factor] = groups.get(factor, sympy.S.One) * logs[0].args[0] ** number
    if not groups:
        return None
    return rest + sympy.Add(*(f * sympy.log(sympy.cancel(sympy.together(inner))) for f, inner in groups.items()))


def _apart_from_logarithms(expression: sympy.Expr) -> sympy.Expr:
    """The expanded expression; arguments of functions stay as they are."""
    return sympy.expand(expression, log=False, power_base=False, power_exp=False, deep=False)


def _limit(expression: sympy.Expr, x: sympy.Symbol) -> sympy.Expr:
    """Return the limit by the largest terms: 0, their sum, or an infinity of the sign of that sum."""
    terms = _terms(_apart_from_logarithms(expression), x)
    best = _largest(terms, x)
    if not best:
        return sympy.S.Zero
    order = _compare(best[0], Growth(sympy.S.One), x)
    if order < 0:
        return sympy.S.Zero
    total = sympy.Add(*(g.coefficient for g in best))
    if order == 0:
        return total
    sign = constant_sign(total)
    if sign == 0:
        return _limit_of_growth(_of_sum(_apart_from_logarithms(expression), x))
    return sympy.oo if sign > 0 else -sympy.oo


def _limit_of_growth(g: Growth) -> sympy.Expr:
    """Return the limit of something that behaves like its leading term."""
    if g.coefficient == 0 or g.is_constant():
        return g.coefficient
    # Compared with a constant, of which it is a multiple that tends to 0 or to an infinity.
    order = _compare(g, Growth(sympy.S.One), sympy.Dummy("x", positive=True)) if g.exponent == 0 else 0
    if order == 0:
        raise NotKnown("the limit of a leading term with an exponential is not asked for")
    if order < 0:
        return sympy.S.Zero
    sign = constant_sign(g.coefficient)
    if sign == 0:
        raise NotKnown("a leading term without a sign")
    return sympy.oo if sign > 0 else -sympy.oo


def moved_to_infinity(
    expression: sympy.Expr, variable: sympy.Symbol, end: Fraction | None, *, from_above: bool
) -> tuple[sympy.Expr, sympy.Symbol]:
    """The expression in a positive x that tends to +oo as the variable tends to the end, from above or from below.

    An end that is None is +oo from below and -oo from above.

    Args:
        from_above: Whether the variable comes from above.
    """
    x = sympy.Dummy("x", positive=True)
    if end is None:
        place = -x if from_above else x
    else:
        place = sympy.Rational(end.numerator, end.denominator) + (1 / x if from_above else -1 / x)
    return expression.xreplace({variable: place}), x
