"""Hypotheses that are equations, solved for one variable each: points that satisfy them cannot be drawn at random.

`y = exp(x)` or `x + y = 1` holds on a set of measure zero. Where an equation can be solved for a variable by steps that
lose no solution, the other variables are drawn and that one is computed, as an exact constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import All, Formula, Relation

#: Variables in terms of the others, in which none of them occurs.
Solved: TypeAlias = "Mapping[sympy.Symbol, sympy.Expr]"
_MOST_BRANCHES = 4
_MOST_STEPS = 20
#: Longer equations (in operations) are not solved.
_LONGEST = 80


def conjuncts(formula: Formula) -> Iterator[Relation]:
    """The relations that a formula asserts outright."""
    if isinstance(formula, Relation):
        yield formula
    elif isinstance(formula, All):
        for part in formula.parts:
            yield from conjuncts(part)


def equations(claim: Claim) -> list[Relation]:
    """The equations among the hypotheses of a claim."""
    return [r for h in claim.hypotheses for r in conjuncts(h.formula) if r.op == "=="]


def solved(claim: Claim) -> list[Solved]:
    """The ways to solve the claim's equations, at most four; one without entries where there is nothing to solve.

    An equation that cannot be solved is left out: points then satisfy it by chance or not at all.
    """
    symbols = [v.symbol for v in claim.variables]
    preferred = sorted(symbols, key=lambda s: (bool(s.is_integer), -symbols.index(s)))
    found: list[dict[sympy.Symbol, sympy.Expr]] = [{}]
    for equation in equations(claim):
        branches: list[dict[sympy.Symbol, sympy.Expr]] = []
        for before in found:
            branches += _extended(before, equation, preferred)
        found = branches[:_MOST_BRANCHES]
    return list(found)


def _extended(
    before: dict[sympy.Symbol, sympy.Expr], equation: Relation, preferred: list[sympy.Symbol]
) -> list[dict[sympy.Symbol, sympy.Expr]]:
    gap = evaluated(equation.gap).xreplace(before)
    for symbol in preferred:
        if symbol in before or not gap.has(symbol):
            continue
        values = [v for v in roots(gap, symbol) if not v.has(symbol, sympy.zoo, sympy.nan, sympy.I, sympy.oo)]
        if values:
            return [{**{s: e.xreplace({symbol: v}) for s, e in before.items()}, symbol: v} for v in values]
    return [before]


@lru_cache(maxsize=4096)
def roots(gap: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """Solutions of `gap = 0` for a symbol: of a polynomial of degree 1 or 2, or step by step where it occurs once.

    They are candidates: a denominator may vanish there, a root may not be real, and for other forms there are more. Who
    uses one checks it at the point. Empty for what is too long, or of another form.
    """
    if sympy.count_ops(gap) > _LONGEST:
        return ()
    numerator = sympy.numer(sympy.together(gap))
    if numerator.is_polynomial(symbol):
        coefficients = sympy.Poly(numerator, symbol).all_coeffs()
        if len(coefficients) == 2:
            return (sympy.cancel(-coefficients[1] / coefficients[0]),)
        if len(coefficients) == 3:
            a, b, c = coefficients
            root = sympy.sqrt(sympy.factor_terms(sympy.expand(b**2 - 4 * a * c)))
            return (sympy.expand((-b + root) / (2 * a)), sympy.expand((-b - root) / (2 * a)))
    for side in (numerator, gap):
        found = _peeled(side, symbol)
        if found:
            return found
    return ()


def _peeled(side: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """Solve `side = 0` by undoing one operation after the other; nothing unless the symbol occurs in one place.

    Only one real branch is followed: an even power has two roots at the symbol itself, and the positive one further in.
    """
    value: sympy.Expr = sympy.S.Zero
    for _ in range(_MOST_STEPS):
        if side == symbol:
            return (value,)
        inner = [a for a in side.args if a.has(symbol)]
        if len(inner) != 1:
            return ()
        if isinstance(side, sympy.Pow) and inner[0] == side.base and side.exp.is_Integer and side.exp > 0:
            root = (
                value if value == 0 else sympy.real_root(value, side.exp) if side.exp % 2 else value ** (1 / side.exp)
            )
            # Only here both signs are points: further in, the other branch would be solved by the next operation.
            if side.exp % 2 == 0 and root != 0 and inner[0] == symbol:
                return (root, -root)
            side, value = inner[0], root
            continue
        undone = _undone(side, inner[0], value)
        if undone is None:
            return ()
        side, value = inner[0], undone
    return ()


def _undone(side: sympy.Expr, inner: sympy.Expr, value: sympy.Expr) -> sympy.Expr | None:
    """Return the value of the inner term if the whole equals `value`; None where that is not one value.

    A condition such as a positive logarithm's argument must hold by the declared domains, else nothing is undone.
    """
    rest = [a for a in side.args if a is not inner]
    if isinstance(side, sympy.Add):
        return value - sympy.Add(*rest)
    if isinstance(side, sympy.Mul):
        return value / sympy.Mul(*rest)
    if isinstance(side, sympy.exp):
        return sympy.log(value) if value.is_positive else None
    if isinstance(side, sympy.log):
        return sympy.exp(value)
    if isinstance(side, sympy.tanh):
        return sympy.log((1 + value) / (1 - value)) / 2 if (1 - value**2).is_positive else None
    if isinstance(side, sympy.Pow) and side.base == inner and side.exp.is_Rational and side.exp.q == 2:
        return value ** (1 / side.exp) if value.is_nonnegative else None
    return None
