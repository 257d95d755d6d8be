"""Helpers for a corpus of claims of known truth: `true`, `false`, `ill`, and what is known beside the claims.

`WITNESSES` holds, for every false universal claim (and every true existence claim), the point that shows it;
`UNDEFINED` the admissible point where an ill-posed claim has no meaning; `PICK` how dependent variables are chosen
when a true claim is sampled. The category is the beginning of the id, `c01` to `c12`.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational as Q

from rgm_verify.claims import (
    All,
    Claim,
    Either,
    Formula,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    Relation,
    Variable,
    eq,
    ge,
    negation,
    real,
)

WITNESSES: dict[str, dict[str, str]] = {}
UNDEFINED: dict[str, dict[str, str]] = {}
PICK: dict[str, dict[str, str]] = {}

x, y, z, a, b, c, d, p, q, t, w = sympy.symbols("x y z a b c d p q t w", real=True)
xn, yn, zn, an, bn, pn, qn, tn, mn, dn, en = sympy.symbols("x y z a b p q t m d eta", nonnegative=True)
xp, yp, zp, ap, bp, pp, qp, tp = sympy.symbols("x y z a b p q t", positive=True)
n, m, k = sympy.symbols("n m k", integer=True, positive=True)
ni, mi, ki = sympy.symbols("n m k", integer=True)


def tiny(exponent: int) -> sympy.Rational:
    """10**-exponent."""
    return Q(1, 10**exponent)


def on(symbol: sympy.Symbol, lower=None, upper=None, opened: str = "") -> Variable:
    """`symbol` on an interval; `opened` names the open ends: "", "lo", "hi" or "lo hi"."""
    found = real(
        symbol.name,
        lower=lower,
        upper=upper,
        lower_open="lo" in opened,
        upper_open="hi" in opened,
        integer=bool(symbol.is_integer),
    )
    # the interval decides what SymPy may assume: the claim has to be written with that symbol
    assert found.symbol == symbol, f"{symbol}: another symbol belongs to this interval"
    return found


def variable(item: sympy.Symbol | Variable) -> Variable:
    """A symbol alone ranges over what its assumptions say."""
    if isinstance(item, Variable):
        return item
    if item.is_integer:
        return on(item, 1 if item.is_positive else 0 if item.is_nonnegative else None)
    if item.is_positive:
        return on(item, 0, None, "lo")
    return on(item, 0 if item.is_nonnegative else None)


def _far_off(formula: Formula) -> Formula:
    """A formula of the same shape, false everywhere (for an implication: where its left side holds)."""
    match formula:
        case Relation():
            return ge(formula.gap, formula.gap**2 + 1)
        case All(parts):
            return All((_far_off(parts[0]), *parts[1:]))
        case Either(parts):
            return Either(tuple(_far_off(part) for part in parts))
        case Implies(left, right):
            return Implies(left, _far_off(right))
        case Iff(left, right):
            return Iff(left, negation(right))
    raise TypeError(formula)


def _mutants(conclusion: Formula, quantifier: str) -> tuple[Mutant, ...]:
    if isinstance(conclusion, Relation) and conclusion.op == "==" and quantifier == "forall":
        return (Mutant("off by one", conclusion=eq(conclusion.lhs, conclusion.rhs + 1)),)
    return (Mutant("far off", conclusion=_far_off(conclusion)),)


def _claim(id: str, kind: str, conclusion: Formula, variables, given, why: str, more: dict) -> Claim:
    more.setdefault("mutants", _mutants(conclusion, more.get("quantifier", "forall")))
    return Claim(
        id=f"blind:{id}",
        title=id,
        source="corpus",
        where="-",
        kind=kind,
        statement="",
        remark=why,
        variables=tuple(variable(v) for v in variables),
        hypotheses=tuple(Hypothesis(f"given {i + 1}", f) for i, f in enumerate(given)),
        conclusion=conclusion,
        **more,
    )


def _text(at) -> dict[str, str]:
    return {name: str(value) for name, value in at.items()}


def true(id, conclusion, *variables, given=(), why="", at=None, pick=None, **more) -> Claim:
    """A true claim; `at` is the example of an existence claim, `pick` how to choose dependent variables."""
    found = _claim(id, "true", conclusion, variables, given, why, more)
    if at is not None:
        WITNESSES[found.id] = _text(at)
    if pick is not None:
        PICK[found.id] = _text(pick)
    return found


def false(id, conclusion, *variables, given=(), at=None, why="", pick=None, **more) -> Claim:
    """A false claim; `at` is the counterexample (an existence claim has none)."""
    found = _claim(id, "false", conclusion, variables, given, why, more)
    assert (at is None) == (found.quantifier == "exists"), id
    if at is not None:
        WITNESSES[found.id] = _text(at)
    if pick is not None:
        PICK[found.id] = _text(pick)
    return found


def ill(id, conclusion, *variables, given=(), why="", at=None, **more) -> Claim:
    """A claim that has no meaning (`at`: at this admissible point), or whose hypotheses no point satisfies."""
    found = _claim(id, "ill-posed", conclusion, variables, given, why, more)
    if at is not None:
        UNDEFINED[found.id] = _text(at)
    return found


__all__ = [name for name in dir() if not name.startswith("_")] + []
