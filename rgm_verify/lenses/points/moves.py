"""Moving points: nearer to an end, further out, and onto the boundary of a hypothesis.

A search moves many points and looks closely at few of them. So a move is made in floats, for all points at once, and
its exact number is made where a point is looked at (`Rows`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.balls.enclose import rational_at
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import relations
from rgm_verify.lenses.points.axes import Coordinate, inside
from rgm_verify.lenses.points.floats import as_float, as_real, numeric
from rgm_verify.lenses.points.sampling import PointMaker, Rows

_STEPS = np.arange(200) / 100  # by which a coordinate is moved


@dataclass(frozen=True)
class Boundary:
    """The value of one variable that makes a hypothesis an equality, as a rational function of the others.

    Attributes:
        value: An expression in the symbols.
        symbols: All variables in their order.
    """

    value: sympy.Expr
    symbols: tuple[sympy.Symbol, ...]

    def __call__(self, *row: Fraction) -> Fraction | None:
        """Return the exact value at exact numbers; None where the variable does not matter, or it is not rational."""
        return rational_at(self.value, dict(zip(self.symbols, row, strict=True)))

    def near(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the values at columns of floats, infinite or NaN where the variable does not matter."""
        return as_real(numeric(self.value, self.symbols)(*columns), columns)


Moves = Sequence[tuple[sympy.Symbol, Boundary]]


def boundary_moves(claim: Claim) -> list[tuple[sympy.Symbol, Boundary]]:
    """Return, for every hypothesis and variable in which its gap is linear, the value that makes it an equality.

    Claims fail first where their hypotheses are active; the functions are exact on Fractions (in the order of the
    variables).
    """
    symbols = tuple(v.symbol for v in claim.variables)
    gaps = [relation.gap for hypothesis in claim.hypotheses for relation in relations(hypothesis.formula)]
    return [move for gap in gaps for move in _boundaries(gap, symbols)]


@lru_cache(maxsize=2_000)
def _boundaries(gap: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> list[tuple[sympy.Symbol, Boundary]]:
    """The moves that one hypothesis gives; controls of a claim share most hypotheses."""
    numerator = sympy.numer(sympy.together(evaluated(gap)))
    values = ((symbol, _root_of_linear(numerator, symbol)) for symbol in symbols)
    return [(symbol, Boundary(value, symbols)) for symbol, value in values if value is not None]


def _root_of_linear(numerator: sympy.Expr, symbol: sympy.Symbol) -> sympy.Expr | None:
    """Return the zero of a rational expression in a symbol in which it is linear; None in any other case.

    An integral or a sum in a coefficient makes no exact number of it, and is no code of Python's.
    """
    if numerator.has(sympy.Integral, sympy.Sum, sympy.Product):
        return None
    if not numerator.has(symbol) or not numerator.is_rational_function(*numerator.free_symbols):
        return None
    polynomial = sympy.Poly(numerator, symbol)
    # Of higher degrees the zeros need not be rational, and the moves must stay exact.
    if polynomial.degree() != 1:
        return None
    slope, constant = polynomial.all_coeffs()
    return sympy.cancel(-constant / slope)


def around(
    maker: PointMaker, rows: Rows, best: Sequence[int], count: int, moves: Moves, generator: np.random.Generator
) -> Rows:
    """Return new rows near the best ones: each coordinate kept, scaled towards an end, or drawn again.

    A quarter of the rows is fresh, so that a search that sits at a local best still sees the rest of the domain.

    Args:
        maker: The source of fresh rows.
        rows: The rows of the last round.
        best: The places of its best rows.
        count: The number of new rows.
        moves: Those onto boundaries.
        generator: The source of all draws.
    """
    fresh = maker.draw(count)
    # Without an admissible row there is nothing to be near to.
    if not best or not maker.axes:
        return fresh
    near, axes = count * 3 // 4, len(maker.axes)
    for place in best:
        rows.settle(place)
    parents = np.array(best)[generator.integers(len(best), size=near)]
    steps = _STEPS[generator.integers(50, 200, size=(near, axes))]
    kept, scaled = (generator.random((near, axes)) < share for share in (0.5, 0.9))
    fresh.copy_where(kept & scaled, rows, parents)
    for j, axis in enumerate(maker.axes):
        values = _scaled(axis, rows.floats[parents, j], steps[:, j])
        fresh.move(np.flatnonzero(scaled[:, j] & ~kept[:, j] & inside(axis, values)), j, values)
    return to_boundaries(maker, fresh, moves, generator)


def _scaled(axis: Coordinate, values: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return floats scaled by steps: away from the lower end of the axis, or nearer to the upper one.

    Steps by factors reach a far or a near place in a few moves, where steps by differences would need many.
    """
    with np.errstate(all="ignore"):  # what leaves the range of floats is not inside
        anchor = 0.0 if axis.lower is None or axis.integer else as_float(axis.lower)
        found: np.ndarray = anchor + (values - anchor) * steps
        if axis.integer:
            found = np.round(found)
        elif axis.lower is not None and axis.upper is not None:
            upper = as_float(axis.upper)
            found = np.where(steps > 1, upper - (upper - values) / steps, found)
    return found


def to_boundaries(maker: PointMaker, rows: Rows, moves: Moves, generator: np.random.Generator) -> Rows:
    """Move half of the rows onto the boundary of one or two hypotheses (only where axes are the variables)."""
    # In a chart a coordinate is no variable, and setting it would move all of them.
    if maker.maps or not moves:
        return rows
    places = {axis.symbol: j for j, axis in enumerate(maker.axes)}
    half = len(rows) // 2
    times, chosen = generator.integers(1, 3, size=half), generator.integers(len(moves), size=(2, half))
    for k, number in enumerate(chosen):
        for m, (symbol, boundary) in enumerate(moves):
            at, j = np.flatnonzero((number == m) & (times > k)), places[symbol]
            if len(at):
                values = boundary.near(list(rows.floats[at].T))
                found = inside(maker.axes[j], values)
                rows.to_boundary(at[found], j, values[found], boundary)
    return rows
