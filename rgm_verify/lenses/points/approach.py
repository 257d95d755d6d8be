"""Descent with many digits to where two sides come close, for what floating point cannot tell.

A bound that is off by 1e-12 beside a point where the sides nearly meet fails on an interval so short that random points
miss it, and floats take the violation for rounding. Newton's method on the slack, with 60 digits, goes to where the
sides are nearest; rationals around that place are then candidates for an exact check. Nothing here decides anything.

The size that a slack is relative to matters more than the method: a difference of two sides that both
tend to 0 is small for no reason, and the sum of their absolute values hides a zero that is a product's.
See `gap_and_size`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, relations
from rgm_verify.lenses.points.mpmath_code import mpmath_function

# 60 digits leave 24 for the answer after the second differences of Newton's method have taken 36.
_DIGITS = 60
_STEPS = 12
_DESCENT = 160  # evaluations in floating point before Newton's method
_DENOMINATORS = tuple(10**k for k in (0, 1, 2, 3, 6, 9, 12, 15, 18, 22, 26, 30))
_WORTHWHILE = 1e-2  # sides that stay further apart than this share of their size are not looked at with many digits
_ERRORS = (ZeroDivisionError, ValueError, OverflowError, TypeError, NameError, ArithmeticError)
#: Sides that agree to this share of their size are not told apart by the digits at hand.
MEETING = 1e-24


@dataclass(frozen=True)
class Approach:
    """The nearest that the sides were seen to come: relative slack, a place, and rationals around it (coordinates).

    `exact` says that the sides are equal at one of the rationals, so that they touch there and do not cross.

    Attributes:
        slack: The absolute value of the relative slack at the place, from the last step.
        place: The coordinates there, 12 digits each, for reading.
        rows: Rationals around the place, the simplest denominators first.
        exact: Set by the caller.
    """

    slack: float
    place: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    exact: bool = False

    @property
    def meets(self) -> bool:
        """Return whether the sides seem to meet there, as far as the digits tell."""
        return self.slack < MEETING


def approach(
    claim: Claim, conclusion: Formula, maker: Any, start: Sequence[Fraction], quick: Callable[[Any], float]
) -> Approach | None:
    """Go from a coordinate tuple to where the sides of the conclusion are nearest; None for equations alone.

    `maker` (a `PointMaker`) says how coordinates become the claim's variables; `quick` is the relative slack in floats,
    infinite outside of the domain.

    Args:
        claim: The claim, whose hypotheses bound the descent.
        conclusion: The formula whose sides are compared.
        maker: The `PointMaker` of the search.
        start: Coordinates to start from, one for each axis.
        quick: The slack in floats.

    Returns:
        The nearest place, or None: for equations alone (their sides meet everywhere), for sides that
        stay further apart than 1 % of their size, and where a start has no value.
    """
    if all(r.op == "==" for r in relations(conclusion)):
        return None
    # Newton's method goes to any stationary point; the descent in floats brings it into the right
    # valley first.
    near = _descended(quick, [float(v) for v in start])
    if quick(near) > _WORTHWHILE:
        return None
    slack = _Slack(claim, conclusion, maker)
    with mpmath.workdps(_DIGITS):
        best, value = slack.newton([mpmath.mpf(v) for v in near])
        if value is None:
            return None
        rows = tuple(dict.fromkeys(row for row in (slack.rounded(best, d) for d in _DENOMINATORS) if row is not None))
        return Approach(float(abs(value)), tuple(mpmath.nstr(v, 12) for v in best), rows)


def _descended(quick: Callable[[Any], float], start: list[float]) -> list[float]:
    """A short simplex descent with the precision of floats.

    Nelder and Mead's method takes no derivatives, so that kinks and the edges of the domain (a large
    value of `quick`) do no harm.
    """
    from scipy.optimize import minimize

    if not start:
        return start
    corners = [list(start) for _ in range(len(start) + 1)]
    for i, value in enumerate(start):
        corners[i + 1][i] = value * 1.1 if value else 0.05
    options: Any = {"maxfev": _DESCENT, "initial_simplex": corners, "xatol": 1e-14, "fatol": 1e-16}
    found: Any = minimize(quick, np.array(start, dtype=float), method="Nelder-Mead", options=options)
    return [float(v) for v in found.x]


@lru_cache(maxsize=4096)
def gap_and_size(relation: Relation) -> tuple[sympy.Expr, sympy.Expr]:
    """The difference of the sides, and a size to compare it with, which does not vanish where the difference does.

    The size of `(exp(x) - 2)**2` is `(exp(x) + 2)**2`: sums of what is added, products of what is multiplied.

    Returns:
        `(gap, size)`; the gap is >= 0 where the relation holds, the size is >= |gap|.
    """
    return relation.gap, _size(relation.lhs) + _size(relation.rhs)


def _size(side: sympy.Expr) -> sympy.Expr:
    """Return a size of one side that stays away from 0 where only a difference inside of it vanishes."""
    if isinstance(side, sympy.Add | sympy.Mul):
        return side.func(*(_size(a) for a in side.args))
    if isinstance(side, sympy.Pow) and side.exp.is_Rational and side.exp > 0:
        return _size(side.base) ** side.exp
    if isinstance(side, sympy.Abs):
        return _size(side.args[0])
    # Relative to themselves they would make every place beside a zero look near.
    if isinstance(side, sympy.log | sympy.sin | sympy.cos):
        return 1 + sympy.Abs(side)  # they cross 0 where nothing about their argument is small
    return sympy.Abs(side)


class _Slack:
    """The relative slack of a conclusion as a function of coordinates, in floats and with many digits."""

    def __init__(self, claim: Claim, conclusion: Formula, maker: Any) -> None:
        self.axes = maker.axes
        names = [axis.symbol for axis in maker.axes]
        self._fresh = {s: sympy.Dummy(f"v{i}") for i, s in enumerate(names)}
        self._maps = maker.maps
        self.conclusion = conclusion
        self._pairs: dict[int, tuple[Callable[..., Any], ...]] = {}
        self.assumptions = [h.formula for h in claim.assumptions]

    def _function(self, side: sympy.Expr) -> Callable[..., Any]:
        """Return the mpmath function of a side in the coordinates of the search.

        Fresh names keep a symbol called `gamma` or `beta` from hiding mpmath's function.
        """
        placed = evaluated(side).xreplace(self._maps).xreplace(self._fresh)
        return mpmath_function(list(self._fresh.values()), placed)

    def value(self, formula: Formula, point: Sequence[Any]) -> Any:
        """Return how far a formula is from failing, relative to its sides; raises where a side is not a real number.

        Positive where it holds, negative where it fails, 0 where both sides meet; minima and maxima stand for the
        connectives. A number of mpmath's at the precision in force: it steers a search and certifies nothing.
        """
        match formula:
            case Relation():
                return self._relation(formula, point)
            case All(members):
                return min(self.value(p, point) for p in members)
            case Either(members):
                return max(self.value(p, point) for p in members)
            case Implies(left, right):
                return max(-self.value(left, point), self.value(right, point))
            case Iff(left, right):
                first, second = self.value(left, point), self.value(right, point)
                return max(min(first, second), min(-first, -second))

    def _relation(self, relation: Relation, point: Sequence[Any]) -> Any:
        """Return the relative slack of one relation; an equation has its negative distance, which no
        point makes positive.

        Raises `ArithmeticError` where a side is complex or infinite.
        """
        functions = self._pairs.get(id(relation))
        if functions is None:
            functions = self._pairs[id(relation)] = tuple(map(self._function, gap_and_size(relation)))
        gap, scale = (mpmath.mpmathify(function(*point)) for function in functions)
        if any(isinstance(v, mpmath.mpc) for v in (gap, scale)) or not mpmath.isfinite(gap):
            raise ArithmeticError("no real number")
        share = gap / scale if scale else gap
        return abs(share) if relation.op == "!=" else -abs(share) if relation.op == "==" else share

    def at(self, point: Sequence[Any]) -> Any:
        """The slack at a point of the domain; None outside of it or where it is not defined.

        A hypothesis may be missed by 1e-30, which is far above the rounding of 60 digits and far below any step: a
        point on the boundary is inside.
        """
        if not all(_inside(axis, v) for axis, v in zip(self.axes, point, strict=True)):
            return None
        try:
            if any(self.value(a, point) < -(mpmath.mpf(10) ** -30) for a in self.assumptions):
                return None
            return self.value(self.conclusion, point)
        except _ERRORS:
            return None

    def newton(self, start: list[Any]) -> tuple[list[Any], Any]:
        """Newton's method for a stationary slack; a step that leads nowhere better is not taken.

        Returns the last point and its slack (None where the start has none). Places are clipped to their axes, so that
        a valley that runs into a boundary ends there.
        """
        point, value = list(start), self.at(start)
        for _ in range(_STEPS):
            step = None if value is None else self._step(point, value)
            if step is None:
                break
            moved = [_clipped(axis, v + s) for axis, v, s in zip(self.axes, point, step, strict=True)]
            better = self.at(moved)
            if better is None or not better < value:
                break
            point, value = moved, better
        return point, value

    def _step(self, point: list[Any], value: Any) -> list[Any] | None:
        """Return Newton's step from a point with this value, or None where a value nearby or the solution is missing.

        Differences of the second order at mpmath's precision give gradient and Hessian. A small ridge keeps a singular
        Hessian, as along a valley, solvable; the caller takes no step that does not improve the value.
        """
        n = len(point)
        if n == 0:
            return None
        # Second differences lose the square of the step: 36 of mpmath's digits here, which leaves enough of them. The
        # constant keeps the step away from 0 at the origin.
        sizes = [mpmath.mpf(10) ** -18 * (abs(v) + mpmath.mpf(10) ** -3) for v in point]

        def shifted(*moves: tuple[int, int]) -> Any:
            changed = list(point)
            for i, sign in moves:
                changed[i] = changed[i] + sign * sizes[i]
            return self.at(changed)

        gradient, hessian = mpmath.matrix(n, 1), mpmath.matrix(n, n)
        for i in range(n):
            up, down = shifted((i, 1)), shifted((i, -1))
            if up is None or down is None:
                return None
            gradient[i] = (up - down) / (2 * sizes[i])
            hessian[i, i] = (up - 2 * value + down) / sizes[i] ** 2
        for i in range(n):
            for j in range(i):
                corners = [shifted((i, a), (j, b)) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
                if any(c is None for c in corners):
                    return None
                hessian[i, j] = (corners[0] - corners[1] - corners[2] + corners[3]) / (4 * sizes[i] * sizes[j])
                hessian[j, i] = hessian[i, j]
        ridge = mpmath.mpf(10) ** -12 * max(abs(hessian[i, i]) for i in range(n))
        for i in range(n):
            hessian[i, i] += ridge
        try:
            solution = mpmath.lu_solve(hessian, -gradient)
        except (ZeroDivisionError, ValueError, TypeError):  # a TypeError where a column has no pivot at all
            return None
        return [solution[i] for i in range(n)]

    def rounded(self, point: Sequence[Any], denominator: int) -> tuple[Fraction, ...] | None:
        """The point with coordinates of at most this denominator, if they lie on their axes."""
        row = []
        for axis, v in zip(self.axes, point, strict=True):
            exact = Fraction(int(mpmath.nint(v * mpmath.mpf(10) ** 40)), 10**40)
            value = exact.limit_denominator(1 if axis.integer else denominator)
            if not axis.admits(value):
                return None
            row.append(value)
        return tuple(row)


def _inside(axis: Any, value: Any) -> bool:
    """Return whether a coordinate lies between the ends of its axis, ends included."""
    low = axis.lower is None or value >= _mpf(axis.lower)
    return bool(low and (axis.upper is None or value <= _mpf(axis.upper)))


def _clipped(axis: Any, value: Any) -> Any:
    """Return the coordinate moved to the nearer end of its axis if it lies beyond."""
    if axis.lower is not None and value < _mpf(axis.lower):
        return _mpf(axis.lower)
    if axis.upper is not None and value > _mpf(axis.upper):
        return _mpf(axis.upper)
    return value


def _mpf(value: Fraction) -> Any:
    """Return a fraction at mpmath's precision in force."""
    return mpmath.mpf(value.numerator) / value.denominator
