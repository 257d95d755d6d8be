"""The range of an expression over a box, by branch and bound from both sides."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from rgm_verify.balls.arithmetic import ball, exact, lower_end, precision
from rgm_verify.balls.cells import Box, Cell, Region, all_finite, compile_box, halves, mean_value, split_axis
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.balls.program import Program

if TYPE_CHECKING:
    import sympy

__all__ = ["RangeResult", "bound_range"]


@dataclass(frozen=True)
class RangeResult:
    """Certified enclosures of the least and the greatest value, and points where the best known ones are taken.

    Attributes:
        infimum: an enclosure of the infimum over the box under the hypotheses.
        supremum: the same for the supremum.
        where_infimum: an exact point that certainly satisfies the hypotheses and has the upper end of `infimum` or
            less; None where no such point was found.
        where_supremum: the same for the supremum.
        boxes: the cells of both searches.
        complete: whether both enclosures are as narrow as asked for.
    """

    infimum: Enclosure
    supremum: Enclosure
    where_infimum: dict[str, Fraction] | None
    where_supremum: dict[str, Fraction] | None
    boxes: int
    complete: bool


def bound_range(
    expression: sympy.Expr,
    box: Box | Mapping[str, tuple[Fraction, Fraction]],
    *,
    hypotheses: Sequence[sympy.Expr] = (),
    relative_width: Fraction = Fraction(1, 1000),
    maximum_boxes: int = 20_000,
    bits: int = 64,
) -> RangeResult:
    """Return certified enclosures of the infimum and supremum of the expression over the box under the hypotheses.

    Best-first branch and bound.

    Args:
        box: exact ends by name.
        hypotheses: expressions that are >= 0 where the range is asked for.
        relative_width: how narrow both enclosures should be, relative to the larger absolute end.
        maximum_boxes: of each of the two searches.

    Returns:
        `complete` says that both enclosures are that narrow. The points are exact and feasible; with no feasible point
        found the end on that side is unbounded and the point None. An empty region gives indeterminate enclosures.

    Raises:
        UnsupportedExpression: as `certify`, and its other errors.

    Not thread-safe.
    """
    program, region_box = compile_box(expression, box, hypotheses)
    low = _minimise(program, region_box, relative_width, maximum_boxes, bits)
    # One search for both: the greatest value is minus the least of the negated expression.
    high = _minimise(_negated(program), region_box, relative_width, maximum_boxes, bits)
    return RangeResult(
        low.range, _mirror(high.range), low.point, high.point, low.boxes + high.boxes, low.complete and high.complete
    )


def _negated(program: Program) -> Program:
    """Return the program whose first output has the opposite sign."""
    ops = (*program.ops, ("neg", program.outputs[0]))
    return Program(program.names, ops, (len(program.ops), *program.outputs[1:]))


def _mirror(found: Enclosure) -> Enclosure:
    """Return the enclosure of minus the number."""
    ends = [None if end is None else -end for end in (found.upper, found.lower)]
    return Enclosure(ends[0], ends[1], found.indeterminate)


@dataclass(frozen=True)
class _Minimum:
    """The outcome of one search for a least value: its enclosure, a point for the upper end, cells, and whether it
    is done.
    """

    range: Enclosure
    point: dict[str, Fraction] | None
    boxes: int
    complete: bool


def _minimise(program: Program, box: Box, relative_width: Fraction, maximum_boxes: int, bits: int) -> _Minimum:
    """Return a certified enclosure of the infimum of the first output under the other outputs >= 0.

    The lower end comes from the cells, the upper end from exact feasible points. `complete` is False if the boxes ran
    out.
    """
    with precision(bits):
        search = _Minimiser(Region.build(program, box, centred=True))
        complete = search.run(relative_width, maximum_boxes)
        return _Minimum(search.enclosure(), search.point, search.boxes, complete)


class _Minimiser:
    """Best-first branch and bound for the least value.

    The lower end is the least bound over all cells that are open or set aside, the upper end the best value at an exact
    feasible point. Both are certain at any moment, so that the search may stop whenever it likes.
    """

    def __init__(self, region: Region) -> None:
        self.region = region
        self.heap: list[Any] = []
        self.counter = itertools.count()
        self.boxes = 0
        self.best: Fraction | None = None
        self.best_ball: arb | None = None
        self.point: dict[str, Fraction] | None = None
        self.closed: Fraction | None = None
        self.unresolved = False

    def run(self, relative_width: Fraction, maximum_boxes: int) -> bool:
        """Search until the enclosure is narrow enough (True) or the boxes are used up (False).

        Either way `enclosure` is certain: stopping early costs width alone.
        """
        zeros = (0,) * len(self.region.spans)
        self._visit(self.region.start(), (zeros, zeros))
        # The cell with the least bound is the only one whose split can raise the lower end.
        while self.heap and not self._narrow(relative_width):
            if self.boxes >= maximum_boxes:
                return False
            _, _, lower, centre, cell, slopes = heapq.heappop(self.heap)
            axis = split_axis(self.region, cell[0], slopes)
            if axis < 0:
                self._close(lower)
                continue
            for half_centre, half in halves(self.region, centre, cell, axis):
                self._visit(half_centre, half)
        return self._narrow(relative_width)

    def _visit(self, centre: tuple[arb, ...], cell: Cell) -> None:
        """Bound the expression on a cell from below, try its best point, and queue it unless it is out of the race.

        A cell is dropped if a hypothesis certainly fails on it, or if its lower bound exceeds the best known value. A
        cell without a finite bound is queued first: no lower end is known before it is split.
        """
        region = self.region
        self.boxes += 1
        box = region.enclose(centre, cell[0])
        if any(condition < 0 for condition in region.conditions(*box)):
            return
        value = region.value(*box)[0]
        lower = value.lower() if value.is_finite() else None
        slopes = None if region.gradient is None else region.gradient(*box)
        sides: Sequence[int] = [0] * len(cell[0])
        if slopes is not None and all_finite(slopes):
            _, at_point, form, sides = mean_value(region, centre, cell[0], slopes)
            if form.is_finite() and (lower is None or form.lower() > lower):
                lower = form.lower()
        else:
            slopes, at_point = None, region.value(*centre)[0]
        # A feasible point is worth its exact test only if it can be the best so far.
        if self.best_ball is None or not at_point >= self.best_ball:
            self._try(region.point(cell, sides))
        if lower is None or self.best_ball is None or not lower > self.best_ball:
            priority = float("-inf") if lower is None else float(lower)
            # The counter breaks ties: balls have no order that a heap could use.
            heapq.heappush(self.heap, (priority, next(self.counter), lower, centre, cell, slopes))

    def _try(self, point: dict[str, Fraction]) -> None:
        """Keep an exact feasible point when its certified upper value is the least so far."""
        region = self.region
        balls = [ball(value) for value in point.values()]
        upper = exact(region.value(*balls)[0].upper())
        if upper is None or (self.best is not None and upper >= self.best):
            return
        if all(condition >= 0 for condition in region.conditions(*balls)):
            self.best, self.point, self.best_ball = upper, point, ball(upper).upper()

    def _close(self, lower: arb | None) -> None:
        """Set aside a cell too small to split: its bound still counts."""
        value = None if lower is None else exact(lower)
        # A bound that cannot be written out is none: the whole enclosure then has no lower end.
        if value is None:
            self.unresolved = True
        elif self.closed is None or value < self.closed:
            # The least of them is all that a lower end needs.
            self.closed = value

    def enclosure(self) -> Enclosure:
        """Return the enclosure of the infimum known now."""
        if not self.heap and self.closed is None and self.best is None and not self.unresolved:
            return Enclosure(None, None, indeterminate=True)
        return Enclosure(self._lower(), self.best)

    def _lower(self) -> Fraction | None:
        """Return the least lower bound over everything not excluded, None when one cell has none.

        Cells that were dropped lie above the best known value, so that this value stands for them.
        """
        if self.unresolved:
            return None
        # The heap orders by floats rounded to nearest; neighbours of the first may be below it by one rounding.
        bounds = [self.closed, self.best]
        if self.heap:
            first = self.heap[0][0]
            if first == float("-inf"):
                return None
            near = [entry[2] for entry in self.heap if entry[0] <= first]
            ends = [lower_end(lower) for lower in near]
            if None in ends:
                return None
            bounds.extend(ends)
        known = [bound for bound in bounds if bound is not None]
        return min(known) if known else None

    def _narrow(self, relative_width: Fraction) -> bool:
        """Return whether the enclosure is narrow enough; comparing floats first saves most of the exact comparisons."""
        if self.heap and self.best is not None:
            # Far apart already in floats: the exact comparison, which reads the whole heap, can wait.
            first, best = self.heap[0][0], float(self.best)
            if best - first > 2 * float(relative_width) * max(abs(first), abs(best)):
                return False
        found = self.enclosure()
        width = found.width()
        if width is None or found.lower is None or found.upper is None:
            return False
        return width <= relative_width * max(abs(found.lower), abs(found.upper))
