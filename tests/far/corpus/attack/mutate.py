"""False statements made of true ones, each with an exact point at which `truth.py` is certain that it fails.

Mutations: another constant (by one, by a share, by 1e-3 to 1e-12), another sign, another exponent, a turned or sharper
relation, one hypothesis less, a wider range, a closed end for an open one, real numbers for integers. A mutant for
which no failing point is found is left out: it may be true.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy

from rgm_verify.claims import Claim, real
from rgm_verify.claims.formula import FormulaError, Relation, rewrite
from rgm_verify.errors import InputError

from .truth import Point, fails

POINTS = 160
_LARGE = (Fraction(10), Fraction(100), Fraction(1000))


@dataclass(frozen=True)
class Mutant:
    """A statement with what was changed, and the point and the kind of its failure."""

    claim: Claim
    change: str
    point: dict[str, Fraction]
    how: str


def mutants(claims: list[Claim], count: int, seed: int) -> list[Mutant]:
    """`count` false statements, drawn by the seed; each claim gives about as many as any other."""
    rng = random.Random(seed)
    found: list[Mutant] = []
    turns = 0
    usable = [c for c in claims if isinstance(c.conclusion, Relation) and c.quantifier == "forall" and c.variables]
    order = usable[:]
    while len(found) < count and turns < 40 * count:
        if not order:
            order = usable[:]
        claim = order.pop(rng.randrange(len(order)))
        turns += 1
        change, make = rng.choice(CHANGES)
        try:
            changed = make(claim, rng)
        except (InputError, FormulaError, ValueError, TypeError, ZeroDivisionError):  # no statement comes of it
            continue
        if changed is None:
            continue
        failing = counterexample(changed, rng)
        if failing is not None:
            point, how = failing
            named = replace(
                changed, id=f"attack:{seed}-{len(found)}", mutants=(), derivation=(), category=None, corrected=None
            )
            found.append(Mutant(named, f"{claim.id}: {change}", {s.name: v for s, v in point.items()}, how))
    return found


def counterexample(claim: Claim, rng: random.Random) -> tuple[dict[sympy.Symbol, Fraction], str] | None:
    for point in points(claim, rng):
        how = fails(claim, point)
        if how:
            return point, how
    return None


def points(claim: Claim, rng: random.Random) -> Iterator[dict[sympy.Symbol, Fraction]]:
    """Ends, small and large values, and values with few digits; equal values in several variables among them."""
    for turn in range(POINTS):
        same = None if turn % 4 else Fraction(rng.randint(-20, 60), rng.choice((1, 2, 10)))
        yield {v.symbol: _coordinate(v, rng, same) for v in claim.variables}


def _coordinate(v: Any, rng: random.Random, same: Fraction | None) -> Fraction:
    ends = [e for e, is_open in ((v.lower, v.lower_open), (v.upper, v.upper_open)) if e is not None and not is_open]
    if ends and rng.random() < 0.25:
        return Fraction(rng.choice(ends))
    low, high = v.lower, v.upper
    if same is not None and (low is None or same >= low) and (high is None or same <= high):
        return Fraction(round(same)) if v.integer else same
    share = rng.choice((Fraction(rng.randint(1, 99), 100), Fraction(1, 10 ** rng.randint(1, 6))))
    far = rng.choice((1, 1, 1, *_LARGE))
    if low is not None and high is not None:
        found = low + (high - low) * (share if rng.random() < 0.7 else 1 - share)
    elif low is not None:
        found = low + far * share / (1 - share) if rng.random() < 0.8 else low + share
    elif high is not None:
        found = high - far * share / (1 - share)
    else:
        found = rng.choice((-1, 1)) * far * share / (1 - share)
    return Fraction(round(found)) if v.integer else Fraction(found)


# ------------------------------------------------------------------------------------------------------------ changes


def _in_conclusion(claim: Claim, change: Callable[[sympy.Expr], sympy.Expr | None], rng: random.Random) -> Claim | None:
    relation = claim.conclusion
    assert isinstance(relation, Relation)
    left = rng.random() < 0.5
    side = change(relation.lhs if left else relation.rhs)
    if side is None or side == (relation.lhs if left else relation.rhs):
        return None
    sides = (side, relation.rhs) if left else (relation.lhs, side)
    return replace(claim, conclusion=Relation(sides[0], relation.op, sides[1]))


def _node(e: sympy.Expr, rng: random.Random, wanted: Callable[[sympy.Basic], bool]) -> sympy.Basic | None:
    found = sorted({n for n in sympy.preorder_traversal(e) if wanted(n)}, key=sympy.default_sort_key)
    return rng.choice(found) if found else None


def constant(claim: Claim, rng: random.Random) -> Claim | None:
    """Another number somewhere."""

    def change(e: sympy.Expr) -> sympy.Expr | None:
        number = _node(e, rng, lambda n: isinstance(n, sympy.Rational))
        if number is None:
            return None
        by = rng.choice((number + 1, number - 1, 2 * number, number / 2, number * sympy.Rational(9, 10)))
        return e.xreplace({number: by})

    return _in_conclusion(claim, change, rng)


def a_little(claim: Claim, rng: random.Random) -> Claim | None:
    """One side moved by a small amount, or by a small share of itself."""
    by = sympy.Rational(1, 10 ** rng.choice((3, 6, 9, 12)))
    shift = rng.random() < 0.5

    def change(e: sympy.Expr) -> sympy.Expr:
        sign = rng.choice((-1, 1))
        return e + sign * by if shift else e * (1 + sign * by)

    return _in_conclusion(claim, change, rng)


def sign(claim: Claim, rng: random.Random) -> Claim | None:
    """A term with the other sign."""

    def change(e: sympy.Expr) -> sympy.Expr | None:
        total = _node(e, rng, lambda n: isinstance(n, sympy.Add))
        if total is None:
            return -e
        term = rng.choice(sorted(total.args, key=sympy.default_sort_key))
        return e.xreplace({total: total - 2 * term})

    return _in_conclusion(claim, change, rng)


def exponent(claim: Claim, rng: random.Random) -> Claim | None:
    """Another exponent, or one where there was none."""

    def change(e: sympy.Expr) -> sympy.Expr | None:
        node = _node(e, rng, lambda n: isinstance(n, sympy.Pow | sympy.Symbol))
        if node is None:
            return None
        if isinstance(node, sympy.Pow):
            return e.xreplace({node: node.base ** (node.exp + rng.choice((1, -1, sympy.Rational(1, 2))))})
        return e.xreplace({node: rng.choice((node**2, 2 * node, node + 1))})

    return _in_conclusion(claim, change, rng)


def relation(claim: Claim, rng: random.Random) -> Claim | None:
    """The relation turned round, or made sharp."""
    r = claim.conclusion
    assert isinstance(r, Relation)
    ops = {"<=": ("<", ">=", "=="), "<": (">=", ">"), ">=": (">", "<=", "=="), ">": ("<=", "<"), "==": ("<", ">")}
    return replace(claim, conclusion=Relation(r.lhs, rng.choice(ops.get(r.op, ("==",))), r.rhs))


def hypothesis(claim: Claim, rng: random.Random) -> Claim | None:
    """One hypothesis less."""
    if not claim.hypotheses:
        return None
    dropped = rng.randrange(len(claim.hypotheses))
    return replace(claim, hypotheses=tuple(h for i, h in enumerate(claim.hypotheses) if i != dropped))


def _with_variable(claim: Claim, rng: random.Random, change: Callable[[Any], dict[str, Any] | None]) -> Claim | None:
    v = rng.choice(claim.variables)
    settings = {
        "lower": v.lower, "upper": v.upper, "lower_open": v.lower_open, "upper_open": v.upper_open,
        "integer": v.integer,
    }  # fmt: skip
    other = change(v)
    if other is None:
        return None
    new = real(v.symbol.name, **{k: x for k, x in (settings | other).items() if x is not None and x is not False})
    put = {v.symbol: new.symbol}
    variables = tuple(new if w is v else w for w in claim.variables)
    hypotheses = tuple(replace(h, formula=rewrite(h.formula, lambda e: e.xreplace(put))) for h in claim.hypotheses)
    assert claim.conclusion is not None
    conclusion = rewrite(claim.conclusion, lambda e: e.xreplace(put))
    return replace(claim, variables=variables, hypotheses=hypotheses, conclusion=conclusion, sampling=None)


def wider(claim: Claim, rng: random.Random) -> Claim | None:
    """An end moved outward, or away."""

    def change(v: Any) -> dict[str, Any] | None:
        by = rng.choice((None, Fraction(1), Fraction(1, 10), Fraction(1, 1000)))
        if v.lower is not None and (v.upper is None or rng.random() < 0.5):
            lower = None if by is None else v.lower - (1 if v.integer else by)
            return {"lower": lower, "lower_open": v.lower_open and lower is not None}
        if v.upper is not None:
            upper = None if by is None else v.upper + (1 if v.integer else by)
            return {"upper": upper, "upper_open": v.upper_open and upper is not None}
        return None

    return _with_variable(claim, rng, change)


def closed(claim: Claim, rng: random.Random) -> Claim | None:
    """A closed end for an open one."""

    def change(v: Any) -> dict[str, Any] | None:
        opened = [side for side in ("lower_open", "upper_open") if getattr(v, side)]
        return {rng.choice(opened): False} if opened else None

    return _with_variable(claim, rng, change)


def not_integer(claim: Claim, rng: random.Random) -> Claim | None:
    """Real numbers for integers."""
    return _with_variable(claim, rng, lambda v: {"integer": False} if v.integer else None)


CHANGES: tuple[tuple[str, Callable[[Claim, random.Random], Claim | None]], ...] = (
    ("constant", constant), ("a little", a_little), ("sign", sign), ("exponent", exponent), ("relation", relation),
    ("hypothesis", hypothesis), ("wider", wider), ("closed", closed), ("real for integer", not_integer),
)  # fmt: skip


def true_claims(folders: list[Path], papers: Path, load: Callable[[Path], Any]) -> list[Claim]:
    """The true statements of the textbook sets and of the papers' folders, in a fixed order."""
    claims: list[Claim] = []
    for folder in folders:
        claims += [c for c in load(folder).claims.values() if c.kind == "true"]
    for name in ("zero_concentrated", "calibrated_noise", "renyi_privacy"):
        claims += [c for c in load(papers / name).claims.values() if c.category is None]
    return claims


def at(mutant: Mutant) -> Point:
    return {v.symbol: mutant.point[v.symbol.name] for v in mutant.claim.variables}
