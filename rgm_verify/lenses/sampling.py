"""Choosing points: simple rationals spread over a claim's domain, towards its ends and into its corners."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, holds
from rgm_verify.lenses.base import rational

_ROUND = tuple(Fraction(t) for t in "0 1 -1 2 3 4 10 100 1/2 1/3 1/4 1/10 9/10 1/100 99/100 1/1000 3/2".split())
_POOL = 600
Point = dict[sympy.Symbol, Fraction]
_SIMPLE = tuple(
    Fraction(t)
    for t in "0 1 2 3 4 5 10 100 1/2 1/3 2/3 1/4 3/4 1/5 1/10 9/10 1/100 99/100 1/1000 3/2 5/2 1000 11/10".split()
)


def generator_for(claim_id: str, purpose: str, seed: int) -> np.random.Generator:
    """A generator that depends only on the claim, the purpose and the seed."""
    digest = hashlib.sha256(f"{claim_id}|{purpose}|{seed}".encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest[:16], "big")))


@dataclass(frozen=True)
class Coordinate:
    """One axis to draw from; open ends are never drawn."""

    symbol: sympy.Symbol
    lower: Fraction | None
    upper: Fraction | None
    lower_open: bool
    upper_open: bool
    integer: bool = False

    def admits(self, value: Fraction) -> bool:
        """Whether `value` lies on the axis."""
        above = self.lower is None or value > self.lower or (value == self.lower and not self.lower_open)
        below = self.upper is None or value < self.upper or (value == self.upper and not self.upper_open)
        return above and below and (not self.integer or value.denominator == 1)


def coordinates(claim: Claim, *, charted: bool = True) -> tuple[Coordinate, ...]:
    """The axes to draw from: those of the claim's sampling chart, or its variables."""
    if charted and claim.sampling is not None:
        return tuple(
            Coordinate(s, _fraction(lo), _fraction(hi), True, True, bool(s.is_integer))
            for s, (lo, hi) in claim.sampling.ranges.items()
        )
    return tuple(Coordinate(v.symbol, v.lower, v.upper, v.lower_open, v.upper_open, v.integer) for v in claim.variables)


def _fraction(value: Any) -> Fraction | None:
    return None if value is None else Fraction(int(value.numerator), int(value.denominator))


def draw(axis: Coordinate, generator: np.random.Generator, count: int) -> list[Fraction]:
    """`count` exact values on an axis: simple numbers, numbers spread over magnitudes, numbers near the ends."""
    values: list[Fraction] = []
    while len(values) < count:
        value = _draw_one(axis, generator)
        if axis.integer:
            value = Fraction(round(value))
        if axis.admits(value):
            values.append(value)
    return values


def simple_values(axis: Coordinate) -> list[Fraction]:
    """Round numbers on the axis, or whatever was drawn if there are none."""
    values = [v for v in _ROUND if axis.admits(v)]
    if axis.lower is not None and axis.upper is not None and len(values) < 4:
        values += [axis.lower + (axis.upper - axis.lower) * share for share in _ROUND if 0 < share < 1]
        values = [v for v in values if axis.admits(v)]
    return values or draw(axis, np.random.default_rng(0), 4)


def _draw_one(axis: Coordinate, generator: np.random.Generator) -> Fraction:
    how = generator.random()
    if how < 0.35:
        simple = _SIMPLE[int(generator.integers(len(_SIMPLE)))]
        if axis.lower is None:
            return simple if generator.random() < 0.5 else -simple
        if axis.upper is not None:
            return axis.lower + (axis.upper - axis.lower) * (simple if simple <= 1 else 1 / simple)
        return simple if simple >= axis.lower and generator.random() < 0.7 else axis.lower + simple
    magnitude = _two_digits(10 ** generator.uniform(-5, 3))
    if axis.lower is not None and axis.upper is not None:
        return _within(axis.lower, axis.upper, how, generator)
    if axis.lower is not None:
        return axis.lower + magnitude
    if axis.upper is not None:
        return axis.upper - magnitude
    return magnitude if generator.random() < 0.5 else -magnitude


def _within(lower: Fraction, upper: Fraction, how: float, generator: np.random.Generator) -> Fraction:
    if how < 0.75:
        share = Fraction(int(generator.integers(0, 65)), 64)
    else:
        share = min(_two_digits(10 ** generator.uniform(-5, 0)), Fraction(1))
        share = 1 - share if generator.random() < 0.5 else share
    return lower + (upper - lower) * share


def _two_digits(value: float) -> Fraction:
    exponent = int(np.floor(np.log10(value)))
    mantissa = max(10, min(99, round(value / 10.0 ** (exponent - 1))))
    return Fraction(mantissa) * Fraction(10) ** (exponent - 1)


class PointMaker:
    """Draws exact points for a claim and maps them from the chart to the claim's variables."""

    def __init__(self, claim: Claim, generator: np.random.Generator, *, charted: bool = True) -> None:
        self.claim = claim
        self.generator = generator
        self.axes = coordinates(claim, charted=charted)
        chart = claim.sampling if charted else None
        self.maps = {} if chart is None else {s: sympy.sympify(e) for s, e in chart.maps.items()}
        self.symbols = [v.symbol for v in claim.variables]
        names = [axis.symbol for axis in self.axes]
        self._numeric = {s: numeric(e, names) for s, e in self.maps.items()}
        self._pools: list[list[Fraction]] = []

    def draw(self, count: int) -> list[list[Fraction]]:
        """`count` coordinate tuples, each coordinate from a pool of values on its axis."""
        if not self._pools:
            self._pools = [draw(axis, self.generator, _POOL) for axis in self.axes]
        return self._combine(self._pools, count)

    def draw_simple(self, count: int) -> list[list[Fraction]]:
        """`count` coordinate tuples of round numbers only."""
        return self._combine([simple_values(axis) for axis in self.axes], count)

    def _combine(self, pools: list[list[Fraction]], count: int) -> list[list[Fraction]]:
        chosen = [self.generator.integers(len(pool), size=count).tolist() for pool in pools]
        return [[pool[i] for pool, i in zip(pools, row, strict=True)] for row in zip(*chosen, strict=True)]

    def point(self, row: Sequence[Fraction]) -> Point | None:
        """The claim's variables at a coordinate tuple; None where a map is not rational or not defined there."""
        values = {axis.symbol: rational(v) for axis, v in zip(self.axes, row, strict=True)}
        found: Point = {}
        for symbol in self.symbols:
            image = self.maps[symbol].subs(values) if symbol in self.maps else values.get(symbol)
            if not isinstance(image, sympy.Rational):
                image = _nearby(image)
            if image is None:
                return None
            found[symbol] = Fraction(int(image.p), int(image.q))
        return found

    def columns(self, rows: Sequence[Sequence[Fraction]]) -> dict[sympy.Symbol, np.ndarray]:
        """The claim's variables as float columns, for a quick look at many rows."""
        table = np.array([[float(v) for v in row] for row in rows], dtype=float).reshape(len(rows), len(self.axes))
        axes = {axis.symbol: table[:, i] for i, axis in enumerate(self.axes)}
        with np.errstate(all="ignore"):  # a map need not be defined everywhere: such rows are dropped later
            return {
                s: np.broadcast_to(self._numeric[s](*axes.values()), (len(rows),)).astype(float)
                if s in self._numeric
                else axes[s]
                for s in self.symbols
            }


def _nearby(image: Any) -> sympy.Rational | None:
    if image is None or not getattr(image, "is_real", False) or not image.is_finite:
        return None
    value = Fraction(str(sympy.N(image, 25))).limit_denominator(10**9)
    return rational(value)


def numeric(expression: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> Callable[..., Any]:
    """A vectorised float function of `symbols`."""
    from rgm_verify.balls.special import NUMPY_FUNCTIONS

    # Fresh names, because a symbol called gamma would hide the function of that name.
    fresh = {s: sympy.Dummy(f"v{i}") for i, s in enumerate(symbols)}
    function: Callable[..., Any] = sympy.lambdify(
        list(fresh.values()), expression.xreplace(fresh), [NUMPY_FUNCTIONS, "scipy", "numpy"], cse=True
    )
    return function


def robustness(formula: Formula, symbols: Sequence[sympy.Symbol]) -> Callable[..., np.ndarray]:
    """A float function that is positive where the formula holds and negative where it fails, relative to its sides.

    It only guides a search: what it finds is certified afterwards.
    """
    match formula:
        case Relation():
            return _relation_robustness(formula, symbols)
        case All(parts):
            return _combine(np.minimum, [robustness(p, symbols) for p in parts])
        case Either(parts):
            return _combine(np.maximum, [robustness(p, symbols) for p in parts])
        case Implies(left, right):
            first, second = robustness(left, symbols), robustness(right, symbols)
            return lambda *a: np.maximum(-first(*a), second(*a))
        case Iff(left, right):
            first, second = robustness(left, symbols), robustness(right, symbols)
            return lambda *a: np.minimum(np.maximum(-first(*a), second(*a)), np.maximum(first(*a), -second(*a)))


def _combine(how: Any, parts: list[Callable[..., np.ndarray]]) -> Callable[..., np.ndarray]:
    return lambda *a: how.reduce([part(*a) for part in parts])


def _relation_robustness(relation: Relation, symbols: Sequence[sympy.Symbol]) -> Callable[..., np.ndarray]:
    lhs, rhs = numeric(relation.lhs, symbols), numeric(relation.rhs, symbols)

    def value(*columns: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            left, right = _real(lhs(*columns), columns), _real(rhs(*columns), columns)
            scale = np.abs(left) + np.abs(right) + 1e-300
            gap: np.ndarray = (left - right if relation.op in (">=", ">") else right - left) / scale
            if relation.op in ("==", "!="):
                gap = -np.abs(gap) if relation.op == "==" else np.abs(gap)
        return gap

    return value


def _real(value: Any, columns: Sequence[np.ndarray]) -> np.ndarray:
    array = np.asarray(value)
    if np.iscomplexobj(array):
        array = np.where(array.imag == 0, array.real, np.nan)
    return np.broadcast_to(array.astype(float), columns[0].shape) if columns else array.astype(float)


def admissible(claim: Claim, point: Mapping[sympy.Symbol, Fraction], sign: Callable[[sympy.Expr], str]) -> bool:
    """Whether the point certainly satisfies every assumption of the claim."""
    integral = all(point[v.symbol].denominator == 1 for v in claim.variables if v.integer)
    return integral and all(holds(h.formula, sign) is True for h in claim.assumptions)


def exact_points(claim: Claim, purpose: str, seed: int, count: int, sign_at: Any) -> Iterator[Point]:
    """Up to `count` distinct exact points that certainly satisfy the claim's assumptions."""
    maker = PointMaker(claim, generator_for(claim.id, purpose, seed))
    if not maker.symbols:
        yield {}
        return
    plausible = _plausibility(claim, maker)
    seen: set[tuple[Fraction, ...]] = set()
    for _ in range(12):
        for row in plausible(maker.draw(40 * count)):
            point = maker.point(row)
            if point is None or tuple(point.values()) in seen:
                continue
            seen.add(tuple(point.values()))
            if admissible(claim, point, lambda e, p=point: sign_at(e, p)):  # type: ignore[misc]
                yield point
                count -= 1
            if count <= 0:
                return


def _plausibility(claim: Claim, maker: PointMaker) -> Callable[[list[list[Fraction]]], list[list[Fraction]]]:
    """A float filter that drops the rows that are clearly not admissible."""
    conditions = [robustness(h.formula, maker.symbols) for h in claim.assumptions]

    def plausible(rows: list[list[Fraction]]) -> list[list[Fraction]]:
        columns = maker.columns(rows)
        keep = np.ones(len(rows), dtype=bool)
        for condition in conditions:
            keep &= condition(*(columns[s] for s in maker.symbols)) >= -1e-9
        return [row for row, kept in zip(rows, keep, strict=True) if kept]

    return plausible
