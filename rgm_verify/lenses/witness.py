"""Exact witnesses: finding a point where a formula fails (or holds), making it simple, and certifying it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import (
    Formula,
    Relation,
    holds,
    latex,
    negation,
    relations,
)
from rgm_verify.lenses.base import Context, fraction_text
from rgm_verify.lenses.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.sampling import Point, PointMaker, admissible, generator_for, robustness

_NOISE = 1e-14  # a violation below this share of the sides is rounding, as a rule: it is not worth certifying
_BITS = 1024
_CLEAR = 1e-7  # simpler points must violate clearly, or the simplest point would be a marginal one
_NICE = {Fraction(t) for t in ("0", "1", "2", "3", "1/2", "10", "1/10", "100", "1/100", "1000", "1/1000")}


@dataclass(frozen=True)
class Witness:
    """An exact admissible point, the relation that decides there, and the certified enclosure of its margin.

    `families` names the interval arithmetics that certified it, each on its own.
    """

    point: Mapping[sympy.Symbol, Fraction]
    relation: Relation
    margin: tuple[str, str]
    families: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The witness as JSON data, with a snippet that recomputes it."""
        return {
            "values": {s.name: fraction_text(v) for s, v in self.point.items()},
            "margin": list(self.margin),
            "relation": latex(self.relation),
            "snippet": snippet(self.relation, self.point),
        }

    def describe(self) -> str:
        """The point in one line."""
        return ", ".join(f"{s.name} = {fraction_text(v)}" for s, v in self.point.items()) or "no free variable"


def snippet(relation: Relation, point: Mapping[sympy.Symbol, Fraction]) -> str:
    """Python with mpmath that recomputes both sides of `relation` at `point` and prints whether it holds."""
    from sympy.printing.pycode import MpmathPrinter

    printer = MpmathPrinter({"fully_qualified_modules": False})
    names = {s: sympy.Symbol(_python_name(s.name)) for s in point}
    lines = ["from mpmath import *", "mp.dps = 50"]
    lines += [f"{names[s]} = mpf({v.numerator})/{v.denominator}" for s, v in point.items()]
    for side in ("lhs", "rhs"):
        value = _closed_form(getattr(relation, side)).subs(names)
        lines.append(f"{side} = {printer.doprint(value)}")
    lines.append(f"print(lhs, rhs, lhs {relation.op} rhs)")
    return "\n".join(lines) + "\n"


def _python_name(name: str) -> str:
    cleaned = "".join(c if c.isalnum() else "_" for c in name)
    return (
        cleaned + "_" if cleaned in ("lambda", "mp", "mpf", "lhs", "rhs", "gamma", "beta", "zeta", "eta") else cleaned
    )


def _closed_form(value: sympy.Expr) -> sympy.Expr:
    return value.rewrite(sympy.log)


def find(
    claim: Claim, context: Context, *, wanted: bool, purpose: str, attempts: int = 1, polish: int = 1
) -> Witness | None:
    """An exact admissible point where the conclusion certainly is `wanted` (False: a counterexample), or None.

    Floating point guides the search; only what interval arithmetic certifies is returned. `attempts` is how often
    the search starts afresh, `polish` how many rounds are spent on making the point simple.
    """
    if claim.conclusion is None:
        return None
    target = claim.conclusion if wanted else negation(claim.conclusion)
    search = _Search(claim, target, context, polish)
    for attempt in range(attempts):
        for charted in (True, False) if claim.sampling is not None else (False,):
            generator = generator_for(claim.id, f"{purpose}-{charted}-{attempt}", context.seed)
            found = search.run(generator, charted=charted)
            if found is not None:
                return found
    return None


def boundary_moves(claim: Claim) -> list[tuple[sympy.Symbol, Callable[..., Any]]]:
    """For every hypothesis and every variable in which its gap is linear: the value that makes it an equality.

    Claims fail first where their hypotheses are active; the functions are exact on Fractions (in the order of the
    variables).
    """
    symbols = [v.symbol for v in claim.variables]
    moves = []
    for hypothesis in claim.hypotheses:
        for relation in relations(hypothesis.formula):
            numerator = sympy.numer(sympy.together(relation.gap))
            for symbol in symbols:
                value = _root_of_linear(numerator, symbol)
                if value is not None:
                    moves.append((symbol, sympy.lambdify(symbols, value, "math")))
    return moves


def _root_of_linear(numerator: sympy.Expr, symbol: sympy.Symbol) -> sympy.Expr | None:
    if not numerator.has(symbol) or not numerator.is_rational_function(*numerator.free_symbols):
        return None
    polynomial = sympy.Poly(numerator, symbol)
    if polynomial.degree() != 1:
        return None
    slope, constant = polynomial.all_coeffs()
    return sympy.cancel(-constant / slope)


class _Search:
    """One search for a point where `target` holds under the claim's assumptions."""

    def __init__(self, claim: Claim, target: Formula, context: Context, polish: int) -> None:
        self.polish = polish
        self.claim = claim
        self.target = target
        self.profile = context.profile
        self.symbols = [v.symbol for v in claim.variables]
        self._score = robustness(target, self.symbols)
        self._conditions = [robustness(h.formula, self.symbols) for h in claim.assumptions]
        self._moves = boundary_moves(claim)
        self._may_touch = any(not r.strict for r in relations(target))

    def run(self, generator: np.random.Generator, *, charted: bool) -> Witness | None:
        if not self.symbols:
            return self.certify({})
        maker = PointMaker(self.claim, generator, charted=charted)
        simple = maker.draw_simple(self.profile.samples)
        found = self.certify_best(maker, simple, self.scores(maker.columns(simple)))
        if found is not None:
            return self.simplify(found)
        rows = self.to_boundaries(maker, maker.draw(self.profile.samples), generator)
        scores = self.scores(maker.columns(rows))
        for _ in range(self.profile.refinements):
            found = self.certify_best(maker, rows, scores)
            if found is not None:
                return self.simplify(found)
            rows = self.around(maker, rows, scores, generator)
            scores = self.scores(maker.columns(rows))
        found = self.certify_best(maker, rows, scores)
        return None if found is None else self.simplify(found)

    def scores(self, columns: Mapping[sympy.Symbol, np.ndarray]) -> np.ndarray:
        """Robustness of the target, minus infinity where an assumption clearly fails."""
        values = [columns[s] for s in self.symbols]
        score: np.ndarray = np.nan_to_num(self._score(*values), nan=-np.inf, posinf=1.0, neginf=-1.0)
        for condition in self._conditions:
            ok = condition(*values) >= -1e-12
            score = np.where(ok, score, -np.inf)
        return score

    def certify_best(self, maker: PointMaker, rows: Sequence[Sequence[Fraction]], scores: np.ndarray) -> Witness | None:
        """Certify the simplest of the clear candidates, then the clearest."""
        order = list({tuple(rows[i]): i for i in np.argsort(-scores)[:400][::-1]}.values())[::-1]
        clear = [i for i in order if scores[i] > 1e-9]
        simplest = sorted(clear, key=lambda i: sum(map(complexity, rows[i])))[:3]
        faint = [i for i in order if _NOISE < scores[i] <= 1e-9][:2]
        faint += [i for i in order if abs(scores[i]) <= _NOISE][:4] if self._may_touch else []
        for index in dict.fromkeys([*simplest, *clear[:3], *faint]):
            point = maker.point(rows[index])
            found = None if point is None else self.certify(point)
            if found is not None:
                return found
        return None

    def around(
        self, maker: PointMaker, rows: list[list[Fraction]], scores: np.ndarray, generator: np.random.Generator
    ) -> list[list[Fraction]]:
        """New rows near the best ones: each coordinate kept, scaled towards an end, or drawn again."""
        best = [rows[i] for i in np.argsort(-scores)[:12] if np.isfinite(scores[i])]
        fresh = maker.draw(max(200, self.profile.samples // 4))
        if not best:
            return fresh
        for row in fresh[: len(fresh) * 3 // 4]:
            parent = best[int(generator.integers(len(best)))]
            for j, axis in enumerate(maker.axes):
                step = Fraction(int(generator.integers(50, 200)), 100)
                moved = parent[j] if generator.random() < 0.5 else _move(axis, parent[j], step)
                if generator.random() < 0.9 and axis.admits(moved):
                    row[j] = moved
        return self.to_boundaries(maker, fresh, generator)

    def to_boundaries(
        self, maker: PointMaker, rows: list[list[Fraction]], generator: np.random.Generator
    ) -> list[list[Fraction]]:
        """Move half of the rows onto the boundary of one or two hypotheses (only where axes are the variables)."""
        if maker.maps or not self._moves:
            return rows
        places = {axis.symbol: j for j, axis in enumerate(maker.axes)}
        for row in rows[: len(rows) // 2]:
            for _ in range(int(generator.integers(1, 3))):
                symbol, boundary = self._moves[int(generator.integers(len(self._moves)))]
                _set_if_admitted(maker.axes[places[symbol]], row, places[symbol], boundary)
        return rows

    def certify(self, point: Point) -> Witness | None:
        """The point as a witness if Arb is certain of it; mpmath.iv is asked too and named when it agrees."""
        from rgm_verify.balls.enclose import enclose, sign_at

        def by_arb(e: sympy.Expr) -> str:
            return sign_at(e, point, maximum_bits=_BITS)

        if not admissible(self.claim, point, by_arb) or holds(self.target, by_arb) is not True:
            return None
        relation = deciding_relation(self.target, by_arb)
        margin = enclose(relation.gap, point, digits=12)
        return Witness(point, relation, margin.decimals(), self.agreeing(point))

    def agreeing(self, point: Point) -> tuple[str, ...]:
        try:
            agrees = holds(self.target, lambda e: sign_by_intervals(e, point))
        except CannotEnclose:
            return ("arb",)
        return ("arb", "mpmath") if agrees is True else ("arb",)

    def simplify(self, found: Witness) -> Witness:
        """Round each value in turn to the simplest number that still witnesses."""
        best = found
        for _ in range(self.polish):
            for symbol in self.symbols:
                best = self.simplify_one(best, symbol)
        return best

    def simplify_one(self, found: Witness, symbol: sympy.Symbol) -> Witness:
        """The first of the simpler values of one variable that still witnesses."""
        candidates = simpler_values(found.point[symbol])
        columns = {s: np.full(len(candidates), float(v)) for s, v in found.point.items()}
        columns[symbol] = np.array([float(v) for v in candidates])
        scores = self.scores(columns)
        for candidate, score in zip(candidates, scores, strict=True):
            again = self.certify({**found.point, symbol: candidate}) if score > _CLEAR else None
            if again is not None:
                return again
        return found


def _set_if_admitted(axis: Any, row: list[Fraction], place: int, boundary: Callable[..., Any]) -> None:
    try:
        value = boundary(*row)
    except ZeroDivisionError:
        return
    if isinstance(value, int | Fraction) and axis.admits(Fraction(value)):
        row[place] = Fraction(value)


def _move(axis: Any, value: Fraction, step: Fraction) -> Fraction:
    if axis.integer:
        return Fraction(round(value * step))
    if axis.lower is not None and axis.upper is not None and step > 1:
        nearer: Fraction = axis.upper - (axis.upper - value) / step
        return nearer.limit_denominator(10**6)
    anchor = axis.lower if axis.lower is not None else Fraction(0)
    return (anchor + (value - anchor) * step).limit_denominator(10**8)


def complexity(value: Fraction) -> int:
    """How long the number is to read; powers of ten in either place count little."""
    return sum(len(str(abs(n)).rstrip("0")) * 3 + len(str(abs(n))) for n in (value.numerator, value.denominator))


def simpler_values(value: Fraction) -> list[Fraction]:
    """Numbers near `value` that are simpler than it, simplest first."""
    candidates = {value.limit_denominator(n) for n in (1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 1000)}
    candidates |= _NICE
    if value != 0:
        exponent = len(str(abs(value.numerator))) - len(str(value.denominator))
        for shift in range(-1, 2):
            scale = Fraction(10) ** (exponent + shift)
            candidates |= {Fraction(m) * scale * (1 if value > 0 else -1) for m in (1, 2, 5)}
            candidates |= {round(value / scale) * scale, round(value / scale * 10) * scale / 10}
    return sorted((c for c in candidates if complexity(c) < complexity(value)), key=complexity)[:24]


def deciding_relation(formula: Formula, sign: Callable[[sympy.Expr], str]) -> Relation:
    """The last relation of the formula that certainly holds at the point, one with different sides if there is one."""
    holding = [r for r in relations(formula) if holds(r, sign) is True]
    apart = [r for r in holding if sign(r.gap) in ("positive", "negative")]
    return (apart or holding or list(relations(formula)))[-1]
