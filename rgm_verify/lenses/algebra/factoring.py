"""Factors of polynomials in several variables, by FLINT.

SymPy's own factoring takes hours on some polynomials, and the time depends on what its random numbers are. FLINT
takes milliseconds for the same polynomials and draws no random numbers.
"""

from __future__ import annotations

from math import prod

import flint
import sympy

__all__ = ["polynomial_factors"]


def polynomial_factors(expression: sympy.Expr) -> tuple[sympy.Expr, list[tuple[sympy.Expr, int]]]:
    """The irreducible factors of a polynomial with rational coefficients.

    Args:
        expression: An expression, such as a polynomial in symbols.

    Returns:
        A constant, and the factors with their powers, whose product is the polynomial: the factors in SymPy's order
        and with SymPy's signs, as `sympy.factor_list` has them. The constant 1 and the expression itself where the
        expression is no polynomial.

    Examples:
        >>> x, y = sympy.symbols("x y")
        >>> polynomial_factors(x**2 / 2 - y**2 / 2)
        (1/2, [(x - y, 1), (x + y, 1)])
    """
    expanded = sympy.expand(expression)
    try:
        # Monomials and constants are easy for SymPy, which takes their factors one by one.
        polynomial = sympy.Poly(expanded) if expanded.is_Add else None
        if polynomial is not None and _is_plain(polynomial):
            return _by_flint(polynomial)
        constant, found = sympy.factor_list(expanded)
    except (sympy.PolynomialError, NotImplementedError):
        return sympy.S.One, [(expression, 1)]
    return constant, found


def _is_plain(polynomial: sympy.Poly) -> bool:
    """Say whether FLINT knows such polynomials: those in symbols, with rational coefficients."""
    return polynomial.domain in (sympy.ZZ, sympy.QQ) and all(g.is_Symbol for g in polynomial.gens)


def _by_flint(polynomial: sympy.Poly) -> tuple[sympy.Expr, list[tuple[sympy.Expr, int]]]:
    """The constant and the factors of a polynomial with rational coefficients, sorted as SymPy sorts them."""
    denominator, whole = polynomial.clear_denoms()
    # Symbols that are factors come out first, each as a polynomial in itself alone.
    powers, whole = whole.terms_gcd()
    singles = [(sympy.Poly(g), power) for g, power in zip(polynomial.gens, powers, strict=True) if power]
    constant, found = _irreducible(whole.exclude() if len(whole.gens) > 1 else whole)
    found += sorted(singles, key=lambda single: sympy.default_sort_key(single[0].gen))
    found.sort(key=_as_sympy_sorts)
    return constant / denominator, [(factor.as_expr(), power) for factor, power in found]


def _irreducible(whole: sympy.Poly) -> tuple[sympy.Expr, list[tuple[sympy.Poly, int]]]:
    """The constant and the factors of a polynomial with whole coefficients; each factor begins with a positive one."""
    # Names of symbols may be equal or empty: FLINT gets names of its own.
    names = [f"x{i}" for i in range(len(whole.gens))]
    context = flint.fmpz_mpoly_ctx.get(names, flint.Ordering.lex)
    given = context.from_dict({powers: int(c) for powers, c in whole.terms()})
    content, parts = given.factor()
    # The product is cheap beside the factors, and is made by other code than these.
    if prod((part**power for part, power in parts), start=context.constant(content)) != given:
        raise ArithmeticError(f"the factors of {whole.as_expr()} that FLINT found do not multiply to it")
    found = [
        (sympy.Poly.from_dict({m: int(c) for m, c in part.to_dict().items()}, *whole.gens), int(power))
        for part, power in parts
    ]
    return sympy.Integer(int(content)), found


def _as_sympy_sorts(pair: tuple[sympy.Poly, int]) -> tuple[int, int, int, list[object]]:
    """The degree in the first generator, the number of generators, the power, and the coefficients."""
    factor, power = pair
    coefficients = factor.rep.to_list()
    return len(coefficients), len(factor.gens), power, coefficients
