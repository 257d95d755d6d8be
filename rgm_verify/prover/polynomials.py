"""Polynomials over atoms: factors, quotients, and multiples of equations, by FLINT and by SymPy.

A polynomial is a mapping from monomials to coefficients, as in the kernel; a monomial is a sorted tuple of atoms with
their exponents. Nothing here knows what an atom stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
import sympy

from rgm_verify.kernel.terms import ONE, Poly

__all__ = ["HIGHEST", "cofactors_of", "divide", "element", "factored", "polynomial", "ring_of"]

#: With powers above this neither z3 nor a division or a factorisation of polynomials has an end that can be foreseen.
HIGHEST = 100


def ring_of(polys: Sequence[Poly]) -> tuple[Any, list[int]]:
    """Return a ring over the atoms of polynomials, and the atoms; no ring for negative and for high exponents.

    FLINT's polynomials are fast, and know no reciprocals. A quotient may have as many terms as the exponent says,
    and exp(10^16 x) is a power with the exponent 10^16.
    """
    atoms = sorted({a for p in polys for m in p for a, _ in m})
    if not atoms or any(not 0 <= e <= HIGHEST for p in polys for m in p for _, e in m):
        return None, atoms
    return flint.fmpq_mpoly_ctx.get(tuple(f"x{i}" for i in range(len(atoms))), flint.Ordering.lex), atoms


def element(ring: Any, atoms: Sequence[int], poly: Poly) -> Any:
    """Return a polynomial as an element of a ring."""
    rows = {}
    for m, c in poly.items():
        powers = dict(m)
        value = Fraction(c)
        rows[tuple(powers.get(a, 0) for a in atoms)] = flint.fmpq(value.numerator, value.denominator)
    return ring.from_dict(rows)


def polynomial(atoms: Sequence[int], poly: Any) -> Poly:
    """Return an element of a ring as a polynomial."""
    return {
        tuple((a, int(e)) for a, e in zip(atoms, m, strict=True) if e): (
            int(c.p) if c.q == 1 else Fraction(int(c.p), int(c.q))
        )
        for m, c in poly.to_dict().items()
    }


def factored(poly: Poly) -> list[tuple[Poly, int]]:
    """Return irreducible factors with exponents; numbers are left out, but for a constant polynomial.

    The product of the factors is the polynomial up to its sign.
    """
    ring, atoms = ring_of([poly])
    if ring is None:
        return [] if poly.keys() <= {ONE} and poly.get(ONE, 0) == 1 else [(poly, 1)]
    content, factors = element(ring, atoms, poly).factor()
    found = [(polynomial(atoms, f), int(e)) for f, e in factors]
    if content != 1:
        value = Fraction(int(content.p), int(content.q))
        if abs(value) != 1:
            found.append(({ONE: abs(value)}, 1))
    return found


def divide(poly: Poly, divisor: Poly) -> Poly | None:
    """Return the quotient of a division without remainder; None if there is a remainder, or an exponent is
    negative.
    """
    ring, atoms = ring_of([poly, divisor])
    if ring is None:
        return None
    q, r = divmod(element(ring, atoms, poly), element(ring, atoms, divisor))
    return polynomial(atoms, q) if r == 0 else None


def cofactors_of(poly: Poly, equations: Sequence[tuple[int, Poly]]) -> dict[int, Poly] | None:
    """Return cofactors of equations whose sum is the polynomial: by SymPy's division with remainder.

    A remainder depends on the order of the atoms when the equations are no Groebner basis, so that two orders are
    tried. None thus does not say that there are no cofactors.

    Args:
        poly: The polynomial.
        equations: Numbers of facts, with polynomials that are 0.

    Returns:
        A cofactor for each equation that takes part; None where the division leaves a remainder, for negative
        exponents, of which SymPy's polynomials know nothing, and for high ones.
    """
    atoms = sorted({a for p in (poly, *(e for _, e in equations)) for m in p for a, _ in m})
    if any(not 0 <= e <= HIGHEST for p in (poly, *(q for _, q in equations)) for m in p for _, e in m):
        return None
    symbols = {a: sympy.Symbol(f"a{a}") for a in atoms}

    def symbolic(p: Poly) -> Any:
        rows = {}
        for m, c in p.items():
            powers = dict(m)
            rows[tuple(powers.get(a, 0) for a in atoms)] = sympy.Rational(
                Fraction(c).numerator, Fraction(c).denominator
            )
        return sympy.Poly(rows, *symbols.values())

    related = [(r, e) for r, e in equations if e]
    for order in (atoms, atoms[::-1]):
        atoms, symbols = order, {a: symbols[a] for a in order}
        try:
            quotients, rest = sympy.reduced(
                symbolic(poly), [symbolic(e) for _, e in related], *symbols.values(), order="grevlex", polys=True
            )
        except (sympy.PolynomialError, ValueError):
            return None
        if rest == 0:
            break
    else:
        return None
    found = {}
    for (ref, _), quotient in zip(related, quotients, strict=True):
        if quotient != 0:
            found[ref] = {
                tuple((a, e) for a, e in zip(atoms, m, strict=True) if e): Fraction(int(c.p), int(c.q))
                for m, c in quotient.terms()
            }
    return found
