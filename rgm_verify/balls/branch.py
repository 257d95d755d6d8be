"""Inequalities over boxes by branch and bound in ball arithmetic: certificates, counterexamples, certified ranges.

A ball evaluation over a box encloses all values there. Where it does not decide, the mean-value form is tried, and then
the box is halved. What decides every leaf is a proof, written down as a tree that `replay` checks without this module;
what does not decide is an open box, never a guess.

Limits: an inequality that is attained with equality inside of the box is not decided by halving. Divide out what makes
both sides meet (`lenses` has the charts), or prove it otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.balls.cells import Box, Cell, Region, all_finite, compile_box, halves, mean_value, split_axis
from rgm_verify.balls.certificate import DIRECT, EXCLUDED, MEAN_VALUE, Certificate, Subject
from rgm_verify.balls.evaluation import compile_balls
from rgm_verify.balls.program import Program

if TYPE_CHECKING:
    import sympy

__all__ = ["RegionResult", "certify"]

# Undecided boxes kept for the reader; all of them are counted.
SHOWN_BOXES = 100
# Points of the box looked at for a counterexample before the search starts.
# Three for each of five axes, or two for each of seven.
SAMPLES = 243


@dataclass(frozen=True)
class RegionResult:
    """The outcome of branch and bound, and the evidence for it.

    Attributes:
        status: "certified", "violated" or "undecided".
        certificate: the proof, where certified; it names its claim only if a subject was given.
        boxes: the number of nodes of the tree.
        undecided: at most 100 of the boxes that nothing was proved about.
        undecided_count: the number of all of them.
        witness: a point where the expression certainly fails and every hypothesis certainly holds, where violated.
        lower_bound: a lower bound of the expression over the part of the box where the hypotheses may hold, where
            certified.
    """

    status: str
    certificate: Certificate | None
    boxes: int
    undecided: tuple[Box, ...] = ()
    undecided_count: int = 0
    witness: dict[str, Fraction] | None = None
    lower_bound: Fraction | None = None


def _fails_at(program: Program, point: Mapping[str, Fraction], strict: bool) -> bool:
    """Return whether the expression certainly fails, and every hypothesis certainly holds, at an exact point.

    A hypothesis that holds with equality, and is not exactly computed, is not certain: such a point is no witness.
    """
    # Two precisions are enough to tell a violation from rounding; one that needs more is left to the search.
    for bits in (128, 512):
        with precision(bits):
            value, *conditions = compile_balls(program)(*(ball(point[name]) for name in program.names))
            if (value <= 0 if strict else value < 0) and all(one >= 0 for one in conditions):
                return True
    return False


def _sampled_witness(program: Program, box: Box, strict: bool) -> dict[str, Fraction] | None:
    """Return a counterexample on a coarse grid of the box (ends and inner points), None when there is none.

    A false statement often fails at many points: the grid finds one before any box is split. Each candidate is checked
    exactly.
    """
    axes = len(box.axes)
    per_axis = max(2, int(SAMPLES ** (1 / axes) + 1e-9)) if axes else 1
    fractions = [Fraction(k, max(1, per_axis - 1)) for k in range(per_axis)]
    # Ends and inner points: many false statements fail at the end of a range.
    grid = [[low + (high - low) * t for t in fractions] for low, high in box.axes.values()]
    # A cheap look first: only a point that may fail pays for the certain test.
    with precision(64):
        evaluate = compile_balls(program, program.outputs[:1])
        for values in itertools.islice(itertools.product(*grid), 2 * SAMPLES):
            if evaluate(*map(ball, values))[0] <= 0:
                point = dict(zip(box.names, values, strict=True))
                if _fails_at(program, point, strict):
                    return point
    return None


def certify(
    expression: sympy.Expr,
    box: Box | Mapping[str, tuple[Fraction, Fraction]],
    *,
    strict: bool = False,
    hypotheses: Sequence[sympy.Expr] = (),
    bits: int = 64,
    maximum_boxes: int = 400_000,
    centred: bool = True,
    subject: Subject | None = None,
) -> RegionResult:
    """Decide whether expression >= 0 (> 0 if strict) at all points of the closed box where every hypothesis is >= 0.

    Args:
        box: exact ends by name.
        strict: whether 0 is a violation.
        hypotheses: expressions that are >= 0 where the statement speaks, at most 26.
        maximum_boxes: the search ends after so many nodes.
        centred: whether the mean-value form is tried; it needs derivatives, and is what makes wide boxes decide.
        subject: the claim that the certificate is about; without one it cannot be written to a file.

    Returns:
        "certified" comes with a certificate, which `replay` accepts if expression and hypotheses are those of the
        subject's statement; "violated" with an exact counterexample; "undecided" with the boxes left over when
        `maximum_boxes` were looked at or a box became too small. An evaluation that leaves the domain (division by a
        ball around 0, logarithm of one that touches 0) means bisection.

    Raises:
        UnsupportedExpression: for a function without ball arithmetic.
        ValueError: for a box or hypotheses that are not allowed.
        TypeError: for a float.

    Not thread-safe.

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> certify(sympy.exp(x) - 1 - x / 2, {"x": (Fraction(1, 10), Fraction(1))}).status
        'certified'
        >>> certify(x - x**2 - sympy.Rational(1, 5), {"x": (Fraction(0), Fraction(1))}).witness
        {'x': Fraction(0, 1)}
    """
    # Before any box is split: a statement that fails somewhere mostly fails on a coarse grid.
    program, region_box = compile_box(expression, box, hypotheses)
    witness = _sampled_witness(program, region_box, strict)
    if witness is not None:
        return RegionResult("violated", None, 0, witness=witness)
    with precision(bits):
        region = Region.build(program, region_box, centred)
        # Inside of the block of precision: the balls of the region belong to it.
        search = _Search(region, strict, maximum_boxes)
        search.run()
        return search.result(bits, subject)


class _Search:
    """Depth-first branch and bound that writes its tree in preorder.

    Args:
        strict: whether 0 is a violation.
    """

    def __init__(self, region: Region, strict: bool, maximum_boxes: int) -> None:
        self.region = region
        self.strict = strict
        self.maximum_boxes = maximum_boxes
        self.tree: list[str] = []
        self.undecided: list[Cell] = []
        self.undecided_count = 0
        self.witness: dict[str, Fraction] | None = None
        self.least: arb | None = None

    def run(self) -> None:
        """Search until the box is tiled, a counterexample turns up or the boxes are used up.

        Depth first: the stack stays as short as the tree is deep, and the codes come out in preorder as the certificate
        needs them. Cells that are left on the stack count as undecided.
        """
        region, tree, strict = self.region, self.tree, self.strict
        value_of, spans, has_conditions = region.value, region.spans, len(region.program.outputs) > 1
        axes = range(len(spans))
        zeros = (0,) * len(spans)
        stack: list[tuple[tuple[arb, ...], Cell]] = [(region.start(), (zeros, zeros))]
        while stack and len(tree) < self.maximum_boxes and self.witness is None:
            centre, cell = stack.pop()
            depths = cell[0]
            # Inlined, as is the test below: this loop is where a search spends its time.
            box = [centre[axis] + spans[axis][depths[axis]] for axis in axes]
            value = value_of(*box)[0]
            if value > 0 or (not strict and value >= 0):
                self._note(value, DIRECT)
                continue
            if has_conditions and self._excluded(box):
                continue
            self._refine(centre, cell, box, stack)
        for _, cell in stack:
            self._give_up(cell)

    def _note(self, value: arb, code: str) -> None:
        """Record a proved leaf and the least lower bound so far."""
        self.tree.append(code)
        if self.least is None or not value >= self.least:
            self.least = value.lower()

    def _excluded(self, box: Sequence[arb]) -> bool:
        """Record the box as outside the hypotheses when one of them certainly fails on it."""
        for number, condition in enumerate(self.region.conditions(*box)):
            # One certain failure is enough: on this box the statement says nothing.
            if condition < 0:
                self.tree.append(EXCLUDED[number])
                return True
        return False

    def _refine(self, centre: tuple[arb, ...], cell: Cell, box: Sequence[arb], stack: list[Any]) -> None:
        """Try the mean-value form, look for a counterexample, bisect: in this order, by cost.

        The form proves the cell if it is >= 0 (> 0 if strict). Otherwise the corner or centre at which the form is
        least is the best guess at a counterexample, and only a value <= 0 there pays for the exact check.
        """
        region, depths = self.region, cell[0]
        slopes = None if region.gradient is None else region.gradient(*box)
        if slopes is not None and all_finite(slopes):
            place, value, form, sides = mean_value(region, centre, depths, slopes)
            if form > 0 or (not self.strict and form >= 0):
                self._note(form, MEAN_VALUE)
                return
        else:
            slopes, place, value, sides = None, centre, region.value(*centre)[0], [0] * len(depths)
        # The cheap tests come first: the exact one evaluates at a rational point with growing precision.
        if value <= 0 and not self._infeasible(place) and self._is_witness(region.point(cell, sides)):
            return
        axis = split_axis(region, depths, slopes)
        if axis < 0:
            self._give_up(cell)
        else:
            self.tree.append(str(axis))
            stack.extend(halves(region, centre, cell, axis))

    def _infeasible(self, place: Sequence[arb]) -> bool:
        """Return whether some hypothesis certainly fails at the point: cheap, before the exact check."""
        return any(condition < 0 for condition in self.region.conditions(*place))

    def _is_witness(self, point: dict[str, Fraction]) -> bool:
        """Keep the point if it certainly refutes the statement, and say so."""
        if _fails_at(self.region.program, point, self.strict):
            self.witness = point
        return self.witness is not None

    def _give_up(self, cell: Cell) -> None:
        """Count a cell that nothing was proved about, and keep the first ones for the reader."""
        self.tree.append("?")
        self.undecided_count += 1
        if len(self.undecided) < SHOWN_BOXES:
            self.undecided.append(cell)

    def result(self, bits: int, subject: Subject | None) -> RegionResult:
        """Return the outcome of a finished search."""
        boxes = len(self.tree)
        if self.witness is not None:
            return RegionResult("violated", None, boxes, witness=self.witness)
        if self.undecided_count:
            shown = tuple(map(self.region.cell_box, self.undecided))
            return RegionResult("undecided", None, boxes, shown, self.undecided_count)
        # Only a tree without an open cell is a certificate: its leaves tile the box.
        program, ends = self.region.program, tuple(self.region.box.axes.values())
        certificate = Certificate(program.names, ends, bits, "".join(self.tree), subject)
        least = None if self.least is None else exact(self.least)
        return RegionResult("certified", certificate, boxes, lower_bound=least)
