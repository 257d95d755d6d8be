"""Exponentials whose exponents are multiples of each other, as powers of one unknown: exp(2 t) is the square of exp(t).

A solver of real arithmetic takes each exponential for an unknown by itself, and does not know that exp(t) exp(-t) is 1.
Here such ones become powers of one unknown, and an exponential whose exponent is a sum of two others is their product.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import sympy

from rgm_verify.balls.binding import BINDING
from rgm_verify.claims.formula import Formula, Relation
from rgm_verify.lenses.solvers.definedness import parts

__all__ = ["Powers"]

#: Higher powers of an unknown are too much for a solver.
_HIGHEST = 4


@dataclass(frozen=True)
class Powers:
    """Exponentials with what takes their places.

    Attributes:
        places: For each exponential a power of an unknown, which is positive.
        facts: What is known of the unknowns: their signs, and which of them is the product of two others.
    """

    places: dict[sympy.Expr, sympy.Expr]
    facts: list[Formula]

    @classmethod
    def among(cls, expressions: Iterable[sympy.Expr]) -> Powers | None:
        """The exponentials of some expressions by unknowns; None where no two of them are related.

        Args:
            expressions: Expressions. Nothing is found where one of them has a bound variable, which might be meant.

        Examples:
            >>> x = sympy.Symbol("x", real=True)
            >>> found = Powers.among([sympy.exp(x) + sympy.exp(-2 * x)])
            >>> str(found.placed(sympy.exp(-2 * x))), str(found.placed(sympy.exp(x)))
            ('_exp 0**(-2)', '_exp 0')
        """
        expressions = list(expressions)
        if any(e.has(*BINDING) for e in expressions):
            return None
        nodes = dict.fromkeys(n for e in expressions for n in parts(e) if isinstance(n, sympy.exp) and n.free_symbols)
        groups = _multiples(list(nodes))
        places: dict[sympy.Expr, sympy.Expr] = {}
        found: list[Formula] = []
        for number, (unit, members) in enumerate(groups.items()):
            unknown = sympy.Dummy(f"exp {number}", real=True)
            found.append(Relation(unknown, ">", sympy.S.Zero))
            shares = (_direction(node.args[0])[0] / _direction(unit)[0] for node in members)
            places |= {node: sympy.Pow(unknown, share) for node, share in zip(members, shares, strict=True)}
        products = list(_products(list(nodes), places))
        if not products and all(len(members) < 2 for members in groups.values()):
            return None
        return cls(places, [*found, *products])

    def placed(self, e: sympy.Expr) -> sympy.Expr:
        """An expression with the powers in the places of the exponentials.

        Args:
            e: One of the expressions, or one made of their terms.
        """
        return e.xreplace(self.places)


def _multiples(nodes: list[sympy.Expr]) -> dict[sympy.Expr, list[sympy.Expr]]:
    """Return the exponentials by units of which their exponents are small integer multiples."""
    groups: dict[sympy.Expr, list[tuple[sympy.Expr, sympy.Rational]]] = {}
    for node in nodes:
        share, direction = _direction(node.args[0])
        groups.setdefault(direction, []).append((node, share))
    found: dict[sympy.Expr, list[sympy.Expr]] = {}
    for direction, group in groups.items():
        # The greatest number of which all shares are integer multiples.
        scale = math.lcm(*(int(share.q) for _, share in group))
        unit = sympy.Rational(math.gcd(*(int(share * scale) for _, share in group)), scale)
        if all(abs(share / unit) <= _HIGHEST for _, share in group):
            found[unit * direction] = [node for node, _ in group]
        else:
            found |= {node.args[0]: [node] for node, _ in group}
    return found


@lru_cache(maxsize=4096)
def _direction(exponent: sympy.Expr) -> tuple[sympy.Rational, sympy.Expr]:
    """Return a rational number and a form of an exponent that is the same for all its multiples, of which it is one."""
    number, form = sympy.expand(exponent).as_content_primitive()
    return (-number, -form) if form.could_extract_minus_sign() else (number, form)


def _products(nodes: list[sympy.Expr], places: dict[sympy.Expr, sympy.Expr]) -> Iterable[Formula]:
    """The exponentials that are products or quotients of two others with exponents of another direction."""
    exponents = {sympy.expand(node.args[0]): node for node in nodes}
    for first, second in combinations(exponents, 2):
        if _direction(first)[1] == _direction(second)[1]:
            continue
        for sign in (1, -1):
            whole = exponents.get(sympy.expand(first + sign * second))
            if whole is not None:
                there = places[exponents[second]]
                yield Relation(places[whole], "==", places[exponents[first]] * there**sign)
