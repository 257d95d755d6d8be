"""Definite integrals of a textbook, with the conditions under which they converge: Beta, Gamma, Bose, Fermi and others.

No antiderivative is elementary here, and the values are theorems of their own:

- Beta: t^a (1 - t)^b from 0 to 1 is Gamma(a + 1) Gamma(b + 1)/Gamma(a + b + 2) for a, b > -1.
- Gamma: t^s exp(-c t) from 0 to oo is Gamma(s + 1)/c^(s + 1) for s > -1 and c > 0; with t = -log u it is
  u^(c - 1) (-log u)^s from 0 to 1.
- Bose: t^s/(exp(t) - 1) from 0 to oo is Gamma(s + 1) zeta(s + 1) for s = 1, 2, 3, ...; Fermi, with + 1 in the place
  of - 1, is (1 - 2^-s) times that.
- Gauss: exp(-a t^2 + b t) from -oo to oo is sqrt(pi/a) exp(b^2/(4 a)) for a > 0, and with a factor cos(c t) its real
  part for b + i c: sqrt(pi/a) exp((b^2 - c^2)/(4 a)) cos(b c/(2 a)); with sin(c t) it is the imaginary part. With a
  factor t^m for an even m, and b = 0, it is Gamma((m + 1)/2)/a^((m + 1)/2), and 0 for an odd m.
- Euler: log(1 - t)/t from 0 to 1 is -pi^2/6, and so is log(t)/(1 - t); log(1 + t)/t is pi^2/12.

(Digital Library of Mathematical Functions, 5.9.1, 5.12.1, 25.5.1, 25.5.3 and 25.12.)
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from rgm_verify.claims.formula import FormulaError, Relation, gt

__all__ = ["known_integral"]

Holds = Callable[[Relation], bool]


def known_integral(node: sympy.Integral, holds: Holds) -> tuple[sympy.Expr, str] | None:
    """The value of an integral by a theorem whose conditions were shown, with its name; None without one.

    Args:
        node: An integral over one variable with two ends.
        holds: Whether a relation was shown wherever the other variables are admissible.
    """
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        return None
    t, lower, upper = node.limits[0]
    if lower == -sympy.oo and upper == sympy.oo:
        try:
            whole = _gauss(sympy.powsimp(sympy.expand(node.function)), t, holds)
        except FormulaError:
            return None
        return None if whole is None else (whole, "Gauss's integral")
    if lower != 0 or upper not in (1, sympy.oo):
        return None
    # The integrand is looked at inside of the range, where t is positive.
    u = sympy.Dummy("t", positive=True)
    f = sympy.powdenest(sympy.expand_power_base(node.function.xreplace({t: u}), force=False))
    constant, rest = f.as_independent(u, as_Add=False)
    found: tuple[sympy.Expr, str] | None
    try:
        if upper == 1:
            found = _euler(rest, u) or _beta(rest, u, holds) or _of_logarithm(rest, u, holds)
        else:
            found = _gamma(rest, u, holds) or _bose(rest, u)
    except FormulaError:
        return None
    return None if found is None else (constant * found[0], found[1])


def _powers(f: sympy.Expr, bases: tuple[sympy.Expr, ...]) -> list[sympy.Expr] | None:
    """The exponents of given bases in a product of powers of them and of their product; None for another factor."""
    found = [sympy.S.Zero for _ in bases]
    varying = [symbol for base in bases for symbol in sympy.ordered(base.free_symbols)]
    for factor in sympy.Mul.make_args(f):
        base, exponent = factor.as_base_exp()
        for part in sympy.Mul.make_args(sympy.factor(base)):
            inner, power = part.as_base_exp()
            if inner not in bases or power != 1 or exponent.has(*varying):
                return None
            found[bases.index(inner)] += exponent
    return found


def _beta(f: sympy.Expr, t: sympy.Symbol, holds: Holds) -> tuple[sympy.Expr, str] | None:
    # 1 - t is positive inside of the range, so that a power of a product is the product of the powers.
    rest = sympy.Dummy("1 - t", positive=True)
    named = f.xreplace({1 - t: rest})
    # SymPy may have multiplied the base out.
    if any(sympy.expand(p.base - t * (1 - t)) == 0 for p in named.atoms(sympy.Pow)):
        named = named.replace(
            lambda e: isinstance(e, sympy.Pow) and sympy.expand(e.base - t * (1 - t)) == 0,
            lambda e: (t * rest) ** e.exp,
        )
    found = _powers(sympy.expand_power_base(named), (t, rest))
    if found is None or not all(holds(gt(e, -1)) for e in found):
        return None
    a, b = found
    return sympy.gamma(a + 1) * sympy.gamma(b + 1) / sympy.gamma(a + b + 2), "the Beta function"


def _of_logarithm(f: sympy.Expr, t: sympy.Symbol, holds: Holds) -> tuple[sympy.Expr, str] | None:
    falling = sympy.Dummy("-log t", positive=True)
    number, named = f.xreplace({sympy.log(t): -falling}).as_independent(t, falling, as_Add=False)
    found = _powers(named, (t, falling))
    if found is None or not all(holds(gt(e, -1)) for e in found):
        return None
    a, s = found
    return number * sympy.gamma(s + 1) / (a + 1) ** (s + 1), "the Gamma function"


def _gamma(f: sympy.Expr, t: sympy.Symbol, holds: Holds) -> tuple[sympy.Expr, str] | None:
    exponent = sympy.Add(*(e.args[0] for e in sympy.Mul.make_args(f) if isinstance(e, sympy.exp)))
    rest = sympy.Mul(*(e for e in sympy.Mul.make_args(f) if not isinstance(e, sympy.exp)))
    rate = -sympy.expand(exponent).coeff(t, 1)
    if sympy.expand(exponent + rate * t) != 0 or rate.has(t) or rate == 0:
        return None
    # At 0 a power above -1 converges, and at oo the exponential does.
    found = _powers(rest, (t,))
    if found is None or not holds(gt(found[0], -1)) or not holds(gt(rate, 0)):
        return None
    return sympy.gamma(found[0] + 1) / rate ** (found[0] + 1), "the Gamma function"


def _gauss(f: sympy.Expr, t: sympy.Symbol, holds: Holds) -> sympy.Expr | None:
    """The value of an integral over the line of a Gaussian by a sine, a cosine or a power; None for another form."""
    constant, rest = f.as_independent(t, as_Add=False)
    parts = sympy.Mul.make_args(rest)
    exponent = sympy.expand(sympy.Add(*(e.args[0] for e in parts if isinstance(e, sympy.exp))))
    others = [e for e in parts if not isinstance(e, sympy.exp)]
    if not exponent.is_polynomial(t) or sympy.degree(exponent, t) != 2 or len(others) > 1:
        return None
    a, b, start = -exponent.coeff(t, 2), exponent.coeff(t, 1), exponent.coeff(t, 0)
    if not holds(gt(a, 0)):
        return None
    constant *= sympy.exp(start)
    if not others:
        return constant * sympy.sqrt(sympy.pi / a) * sympy.exp(b**2 / (4 * a))
    (factor,) = others
    if isinstance(factor, sympy.sin | sympy.cos):
        c = sympy.expand(factor.args[0]).coeff(t, 1)
        if sympy.expand(factor.args[0] - c * t) != 0:
            return None
        return constant * sympy.sqrt(sympy.pi / a) * sympy.exp((b**2 - c**2) / (4 * a)) * factor.func(b * c / (2 * a))
    base, power = factor.as_base_exp()
    if base != t or not power.is_Integer or power < 1 or b != 0:
        return None
    if power % 2:
        return sympy.S.Zero
    return constant * sympy.gamma((power + 1) / sympy.Integer(2)) / a ** ((power + 1) / sympy.Integer(2))


def _bose(f: sympy.Expr, t: sympy.Symbol) -> tuple[sympy.Expr, str] | None:
    for sign, name in ((-1, "Bose's integral"), (1, "Fermi's integral")):
        s = sympy.simplify(f * (sympy.exp(t) + sign))
        exponent = s.as_base_exp()[1] if s.as_base_exp()[0] == t else None
        if exponent is not None and exponent.is_Integer and exponent >= 1:
            value = sympy.gamma(exponent + 1) * sympy.zeta(exponent + 1)
            return (value if sign < 0 else (1 - sympy.Rational(1, 2**exponent)) * value), name
    return None


def _euler(f: sympy.Expr, t: sympy.Symbol) -> tuple[sympy.Expr, str] | None:
    table = (
        (sympy.log(1 - t) / t, -(sympy.pi**2) / 6),
        (sympy.log(t) / (1 - t), -(sympy.pi**2) / 6),
        (sympy.log(1 + t) / t, sympy.pi**2 / 12),
    )
    for known, value in table:
        share = sympy.cancel(f / known)
        if not share.has(t):
            return share * value, "Euler's integral"
    return None
