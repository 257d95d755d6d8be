"""Forms of expressions: squares, products, logarithms and exponentials, as the search looks for them."""

from __future__ import annotations

import sympy

from rgm_verify.lenses.analysis.asymptotics.kernels import Positive, split_logarithms
from rgm_verify.lenses.analysis.goals import Domain, Goal

LONGEST = 150
#: Higher powers are not multiplied out when logarithms are undone.
_HIGHEST_POWER = 4


def is_evident(goal: Goal) -> bool:
    """Return whether a goal is a sum of terms >= 0 by their form, one of them positive if the goal is strict.

    Its expression is a real number wherever the assumptions hold, and so is the base of every even power.
    """
    terms = [sympy.Mul.make_args(term) for term in sympy.Add.make_args(goal.expression)]
    if goal.strict and not any(all(_is_positive_by_form(f) for f in factors) for factors in terms):
        return False
    return all(_is_positive_by_form(f) or _is_square(f) for factors in terms for f in factors)


def _is_positive_by_form(factor: sympy.Expr) -> bool:
    """Return whether a real number is positive by its form: a positive rational, or a value of exp."""
    return (factor.is_Rational and factor.is_positive) or isinstance(factor, sympy.exp)


def _is_square(factor: sympy.Expr) -> bool:
    """Return whether a real number is >= 0 by its form: an even power, or an absolute value."""
    if isinstance(factor, sympy.Pow):
        return bool(factor.exp.is_Integer and factor.exp % 2 == 0)
    return isinstance(factor, sympy.Abs)


def is_rational_but_for_logarithms(e: sympy.Expr) -> bool:
    """Return whether one derivative makes e rational, which clearing its denominators would spoil."""
    logs = e.atoms(sympy.log)
    if not logs or not isinstance(e, sympy.Add):
        return False
    names = {node: sympy.Dummy() for node in logs}
    inside = sympy.expand(e.xreplace(names))
    return all(inside.diff(s).is_number for s in names.values()) and inside.is_rational_function(*inside.free_symbols)


def is_rational_in_exponentials(e: sympy.Expr) -> bool:
    """Return whether an expression is a rational one of its variables and of exponentials with linear exponents."""
    terms = e.atoms(sympy.exp)
    if not all(t.args[0].diff(s).is_number for t in terms for s in t.args[0].free_symbols):
        return False
    inside = e.xreplace({t: sympy.Dummy("w") for t in terms})
    return bool(inside.is_rational_function(*inside.free_symbols))


def is_quotient_of_exponentials(e: sympy.Expr) -> bool:
    """Return whether real arithmetic may know the sign of a quotient better than that of a difference of logarithms."""
    sums = any(p.exp.is_negative and isinstance(p.base, sympy.Add) for p in e.atoms(sympy.Pow))
    return sums and is_rational_in_exponentials(e)


def is_linear_beside_exponentials(e: sympy.Expr) -> bool:
    """Return whether a variable stands to the first degree beside a quotient of its exponentials, and nowhere else."""
    if not isinstance(e, sympy.Add):
        return False
    for v in sympy.ordered(e.free_symbols):
        terms = {t: t.args[0] / v for t in e.atoms(sympy.exp) if t.has(v)}
        # A rate may be another variable: the derivative has the same exponentials.
        if terms and not any(k.has(v) for k in terms.values()):
            names = {t: sympy.Dummy("w", positive=True) for t in terms}
            inside = e.xreplace(names)
            slope = inside.diff(v)
            if slope != 0 and not slope.has(v, *names.values()) and inside.is_rational_function(*inside.free_symbols):
                return bool(sympy.denom(sympy.together(inside)).has(*names.values()))
    return False


def single_logarithm(e: sympy.Expr) -> tuple[sympy.Expr, sympy.Rational, sympy.Expr] | None:
    """(a, c, r) with e = c log a + r, where c is a rational number and r has no logarithm; None for another form."""
    logs = e.atoms(sympy.log)
    if len(logs) != 1:
        return None
    log = next(iter(logs))
    # The logarithm of a number is a coefficient here.
    if not log.free_symbols:
        return None
    expanded = sympy.expand(e, log=False)
    coefficient = expanded.coeff(log, 1)
    rest = sympy.expand(expanded - coefficient * log)
    if not coefficient.is_Rational or coefficient == 0 or rest.has(log):
        return None
    return log.args[0], coefficient, rest


def products_of(e: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """(a, b) with the sign of a - b that of e, a sum of two or more logarithms with small integer factors; else None.

    At least two of them are of something that varies, and their arguments are polynomials.
    """
    above, below, varying = sympy.S.One, sympy.S.One, 0
    terms = sympy.Add.make_args(sympy.expand(e, log=False))
    scale = sympy.ilcm(1, *(t.as_coeff_Mul(rational=True)[0].q for t in terms))
    for term in terms:
        number, log = (term * scale).as_coeff_Mul(rational=True)
        if not isinstance(log, sympy.log) or abs(number) > _HIGHEST_POWER:
            return None
        inner = log.args[0]
        if not inner.is_polynomial(*inner.free_symbols):
            return None
        varying += bool(inner.free_symbols)
        above, below = (above * inner**number, below) if number > 0 else (above, below * inner**-number)
    return (above, below) if varying > 1 else None


def by_exponential(slope: sympy.Expr, variable: sympy.Symbol) -> tuple[sympy.Expr, ...] | None:
    """The zero of an expression of the first degree in one exponential, which is all that the variable stands in."""
    terms = sorted((t for t in slope.atoms(sympy.exp) if t.has(variable)), key=sympy.default_sort_key)
    rates = [sympy.expand(t.args[0]).coeff(variable, 1) for t in terms]
    if len(terms) != 1 or rates[0].has(variable) or sympy.expand(terms[0].args[0] - rates[0] * variable) != 0:
        return None
    w = sympy.Dummy("w", positive=True)
    inside = sympy.expand(slope.xreplace({terms[0]: w}))
    share = inside.coeff(w, 1)
    rest = sympy.expand(inside - share * w)
    if share == 0 or rest.has(w, variable) or share.has(w, variable):
        return None
    return (sympy.log(sympy.factor(-rest / share)) / rates[0],)


def power_of_logarithms(slope: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr | None:
    """An expression that vanishes where a sum of logarithms with equal coefficients up to sign, and a number, does."""
    expanded = sympy.expand(slope)
    logs = sorted((n for n in expanded.atoms(sympy.log) if n.has(variable)), key=str)
    shares = [expanded.coeff(n, 1) for n in logs]
    if len(logs) < 2 or not all(s.is_Rational and abs(s) == abs(shares[0]) and s != 0 for s in shares):
        return None
    rest = sympy.expand(expanded - sympy.Add(*(s * n for s, n in zip(shares, logs, strict=True))))
    if rest.has(variable):
        return None
    product = sympy.Mul(*(n.args[0] ** (s / abs(s)) for s, n in zip(shares, logs, strict=True)))
    return sympy.numer(sympy.together(product - sympy.exp(-rest / abs(shares[0]))))


def sides(domain: Domain) -> list[sympy.Expr]:
    """Return the sides of all assumptions, whose terms are defined wherever these hold."""
    return [side for r in domain.extra for side in (r.lhs, r.rhs)]


def grows(term: sympy.Expr) -> bool:
    """Return whether a term has an exponential, or a power with an exponent that is no number, outside of logarithms.

    An exponential within a logarithm stays there: the logarithm of the term would be one of a logarithm.
    """
    outside = term.xreplace({n: sympy.Dummy() for n in sympy.ordered(term.atoms(sympy.log))})
    return any(p.exp.free_symbols for p in outside.atoms(sympy.Pow, sympy.exp) if hasattr(p, "exp"))


def logarithm(e: sympy.Expr, positive: Positive) -> sympy.Expr:
    """Return the logarithm of a positive product as a sum, as far as its factors are positive."""
    total = sympy.S.Zero
    for factor in sympy.Mul.make_args(sympy.factor_terms(e)):
        base, exponent = factor.as_base_exp()
        if base is sympy.E:
            total += exponent
        else:
            total += exponent * split_logarithms(sympy.log(base), positive)
    return total


def text(e: sympy.Expr) -> str:
    """Return an expression for the log, cut where it is long."""
    text = str(e)
    return text if len(text) < 80 else text[:77] + "..."


def short(goal: Goal) -> str:
    """Return a goal for the log."""
    return text(goal.expression) + (" > 0" if goal.strict else " >= 0")
