"""Inequalities over boxes by branch and bound in ball arithmetic: certificates, counterexamples, certified ranges.

A ball evaluation over a box encloses all values there. Where it does not decide, the mean-value form is tried, and then
the box is halved. What decides every leaf is a proof, written down as a tree that `replay` checks without this module;
what does not decide is an open box, never a guess.

Limits: an inequality that is attained with equality inside of the box is not decided by halving. Divide out what makes
both sides meet (`lenses` has the charts), or prove it otherwise.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from rgm_verify.balls.arithmetic import ball, compile_balls, exact, lower_end, precision
from rgm_verify.balls.certificate import DIRECT, EXCLUDED, MAXIMUM_AXES, MEAN_VALUE, Certificate, Subject
from rgm_verify.balls.enclose import Enclosure, as_fraction, symbols_by_name
from rgm_verify.balls.program import Program, UnsupportedExpression, compile_expressions, differentiate_output

if TYPE_CHECKING:
    import sympy

__all__ = ["Box", "RangeResult", "RegionResult", "bound_range", "certify"]

# Undecided boxes kept for the reader; all of them are counted.
SHOWN_BOXES = 100
# Halvings of one axis before a box is given up: beyond these the midpoints need more than 64 bits.
# The exact midpoint of a cell is a number of as many bits as halvings, and replay computes it again.
MAXIMUM_DEPTH = 44
# Points of the box looked at for a counterexample before the search starts.
# Three for each of five axes, or two for each of seven.
SAMPLES = 243

Evaluate = Callable[..., tuple[arb, ...]]
# depth and position of a box on each axis: it is position / 2^depth of the way along
Cell = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Box:
    """A closed box: name -> (lower end, upper end), exact rationals; equal ends fix the variable.

    Args:
        axes: pairs of rationals by name, at most ten.

    Raises:
        ValueError: for ends in the wrong order and for too many axes.
        TypeError: for a float.

    Examples:
        >>> print(Box({"x": (0, Fraction(1, 2))}))
        x in [0, 1/2]
    """

    axes: Mapping[str, tuple[Fraction, Fraction]]

    def __post_init__(self) -> None:
        # Names and symbols are taken alike; inside there are names alone.
        checked = {str(name): _checked_ends(str(name), ends) for name, ends in self.axes.items()}
        if len(checked) > MAXIMUM_AXES:
            raise ValueError(f"box: {len(checked)} axes: at most {MAXIMUM_AXES} are allowed")
        object.__setattr__(self, "axes", checked)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the axes, in the order given."""
        return tuple(self.axes)

    def midpoint(self) -> dict[str, Fraction]:
        """Return the exact centre."""
        return {name: (low + high) / 2 for name, (low, high) in self.axes.items()}

    def to_json(self) -> dict[str, list[str]]:
        """Return the ends as exact text."""
        return {name: [str(low), str(high)] for name, (low, high) in self.axes.items()}

    def __str__(self) -> str:
        return " x ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.axes.items())


def _checked_ends(name: str, ends: Sequence[Any]) -> tuple[Fraction, Fraction]:
    """Return the ends of an axis as exact rationals; raises ValueError or TypeError naming the axis."""
    if len(ends) != 2:
        raise ValueError(f"{name}={ends!r}: must be a pair (lower end, upper end)")
    low, high = (as_fraction(end, name) for end in ends)
    if low > high:
        raise ValueError(f"{name}: lower end {low} exceeds upper end {high}: give them in order")
    return low, high


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


def _radius_ball(half: Fraction) -> arb:
    """Return a ball around 0 that contains [-half, half], exactly that when it is a short dyadic number.

    Arb rounds a radius up even when it is exact, to 30 bits.  Asking for a hair less lands on the number itself;
    the containment is checked, not assumed.
    """
    # One part in 2^31 is what Arb's rounding of a radius to 30 bits adds at most.
    tight = arb(0, ball(half * (1 - Fraction(1, 2**31))))
    upper, lower = exact(tight.upper()), exact(tight.lower())
    if upper is not None and lower is not None and lower <= -half and half <= upper:
        return tight
    return arb(0, ball(half).upper())


@dataclass
class _Region:
    """A compiled problem over a box: evaluators, and per axis and depth the half-widths as balls.

    Made and used inside one `precision` block: everything in it belongs to that precision.
    """

    box: Box
    program: Program
    value: Evaluate
    conditions: Evaluate
    gradient: Evaluate | None
    halves: list[list[arb]]
    spans: list[list[arb]]
    weights: list[list[float]]

    @classmethod
    def build(cls, program: Program, box: Box, centred: bool) -> _Region:
        """Compile the program (expression first, then hypotheses) for the box at the precision in force.

        Args:
            program: the expression, then the hypotheses.
            box: the whole box.
            centred: whether the gradient is compiled as well, which is most of the time of a build.
        """
        halves, spans, weights = [], [], []
        for low, high in box.axes.values():
            # All depths at once: the search asks for them millions of times.
            widths = [(high - low) / 2 ** (depth + 1) for depth in range(MAXIMUM_DEPTH + 2)]
            halves.append([ball(width) for width in widths])
            spans.append([_radius_ball(width) for width in widths])
            weights.append([float(width) for width in widths])
        conditions = compile_balls(program, program.outputs[1:])
        value = compile_balls(program, program.outputs[:1])
        return cls(box, program, value, conditions, _gradient(program, centred), halves, spans, weights)

    def start(self) -> tuple[arb, ...]:
        """Return the centre of the whole box as balls."""
        return tuple(ball((low + high) / 2) for low, high in self.box.axes.values())

    def enclose(self, centre: Sequence[arb], depths: Sequence[int]) -> list[arb]:
        """Return the balls that cover the cell with this centre."""
        return [c + span[depth] for c, span, depth in zip(centre, self.spans, depths, strict=True)]

    def point(self, cell: Cell, sides: Sequence[int]) -> dict[str, Fraction]:
        """Return an exact point of the cell: per axis its lower end (-1), middle (0) or upper end (1)."""
        point = {}
        for (name, (low, high)), depth, position, side in zip(self.box.axes.items(), *cell, sides, strict=True):
            point[name] = low + (high - low) * Fraction(2 * position + 1 + side, 2 ** (depth + 1))
        return point

    def cell_box(self, cell: Cell) -> Box:
        """Return the exact box of the cell."""
        low, high = (self.point(cell, [side] * len(cell[0])) for side in (-1, 1))
        return Box({name: (low[name], high[name]) for name in low})


def _gradient(program: Program, centred: bool) -> Evaluate | None:
    """Return the gradient evaluator, None when it is not asked for or an operation has no derivative."""
    # A direct search needs no gradient, and functions without derivatives can be searched so.
    if not centred:
        return None
    try:
        return compile_balls(differentiate_output(program))
    except UnsupportedExpression:
        return None


def _compile(expression: Any, box: Any, hypotheses: Sequence[Any]) -> tuple[Program, Box]:
    """Return the program of expression and hypotheses over the axes of the box."""
    import sympy

    region = box if isinstance(box, Box) else Box(box)
    if len(hypotheses) > len(EXCLUDED):
        raise ValueError(f"hypotheses: {len(hypotheses)} given: at most {len(EXCLUDED)} are allowed")
    parsed = [sympy.sympify(part) for part in (expression, *hypotheses)]
    return compile_expressions(parsed, symbols_by_name(parsed, region.names)), region


def _mean_value(region: _Region, centre: Sequence[arb], depths: Sequence[int], slopes: Sequence[arb]) -> Any:
    """Return (corner or centre chosen, value there, mean-value form over the cell, side chosen on each axis).

    Where a slope has one sign on the whole cell, the least value lies on that side: the form takes that end exactly and
    pays for the other axes only. The form is a lower bound by the mean-value theorem, also at kinks, as the slopes
    enclose the generalised gradient.
    """
    sides = [0] * len(slopes)
    place = list(centre)
    remainder: arb | None = None
    for axis, slope in enumerate(slopes):
        if slope >= 0:
            sides[axis], place[axis] = -1, place[axis] - region.halves[axis][depths[axis]]
        elif slope <= 0:
            sides[axis], place[axis] = 1, place[axis] + region.halves[axis][depths[axis]]
        else:
            step = slope * region.spans[axis][depths[axis]]
            remainder = step if remainder is None else remainder + step
    value = region.value(*place)[0]
    return place, value, (value if remainder is None else value + remainder), sides


def _all_finite(balls: Iterable[arb]) -> bool:
    """Tell whether no ball is infinite or NaN, so that the mean-value theorem may be applied with them."""
    return all(one.is_finite() for one in balls)


def _split_axis(region: _Region, depths: Sequence[int], slopes: Sequence[arb] | None) -> int:
    """Return the axis along which the expression varies most (without a gradient the least split); -1 for none.

    The variation is estimated by the slope over the cell times its half-width. A heuristic: any axis gives a right
    tree, a good one a small tree.
    """
    # A fixed axis has the weight 0 and is never split.
    best, best_score = -1, -1.0
    for axis, depth in enumerate(depths):
        weight = region.weights[axis][depth]
        # A weight of 0 is a fixed axis, or one narrower than floats; halving it would gain nothing.
        if depth >= MAXIMUM_DEPTH or weight == 0.0:
            continue
        score = 2.0**-depth if slopes is None else float(slopes[axis].abs_upper()) * weight
        if score > best_score:
            best, best_score = axis, score
    return best


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
        expression: in the symbols of the box's axes.
        box: exact ends by name.
        strict: whether 0 is a violation.
        hypotheses: expressions that are >= 0 where the statement speaks, at most 26.
        bits: the working precision of the search.
        maximum_boxes: the search ends after so many nodes.
        centred: whether the mean-value form is tried; it needs derivatives, and is what makes wide boxes decide.
        subject: the claim that the certificate is about; without one it cannot be written to a file.

    Returns:
        "certified" comes with a certificate, which `replay` accepts if expression and hypotheses are what the subject
        says; "violated" with an exact counterexample; "undecided" with the boxes left over when `maximum_boxes` were
        looked at or a box became too small. An evaluation that leaves the domain (division by a ball around 0,
        logarithm of one that touches 0) means bisection.

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
    program, region_box = _compile(expression, box, hypotheses)
    witness = _sampled_witness(program, region_box, strict)
    if witness is not None:
        return RegionResult("violated", None, 0, witness=witness)
    with precision(bits):
        region = _Region.build(program, region_box, centred)
        # Inside of the block of precision: the balls of the region belong to it.
        search = _Search(region, strict, maximum_boxes)
        search.run()
        return search.result(bits, subject)


class _Search:
    """Depth-first branch and bound that writes its tree in preorder.

    Args:
        region: the compiled problem.
        strict: whether 0 is a violation.
        maximum_boxes: the largest number of nodes.
    """

    def __init__(self, region: _Region, strict: bool, maximum_boxes: int) -> None:
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
        if slopes is not None and _all_finite(slopes):
            place, value, form, sides = _mean_value(region, centre, depths, slopes)
            if form > 0 or (not self.strict and form >= 0):
                self._note(form, MEAN_VALUE)
                return
        else:
            slopes, place, value, sides = None, centre, region.value(*centre)[0], [0] * len(depths)
        # The cheap tests come first: the exact one evaluates at a rational point with growing precision.
        if value <= 0 and not self._infeasible(place) and self._is_witness(region.point(cell, sides)):
            return
        axis = _split_axis(region, depths, slopes)
        if axis < 0:
            self._give_up(cell)
        else:
            self.tree.append(str(axis))
            stack.extend(_halves(region, centre, cell, axis))

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
        certificate = Certificate(program.names, ends, program, self.strict, bits, "".join(self.tree), subject)
        least = None if self.least is None else exact(self.least)
        return RegionResult("certified", certificate, boxes, lower_bound=least)


def _halves(region: _Region, centre: tuple[arb, ...], cell: Cell, axis: int) -> Any:
    """Return the two halves of a cell, the upper one first so that a stack takes the lower one first.

    The lower half has to come first in the tree: that is how the format reads a digit.
    """
    depths, positions = cell
    deeper = (*depths[:axis], depths[axis] + 1, *depths[axis + 1 :])
    step = region.halves[axis][depths[axis] + 1]
    before, here, after = centre[:axis], centre[axis], centre[axis + 1 :]
    head, position, rest = positions[:axis], 2 * positions[axis], positions[axis + 1 :]
    return (
        ((*before, here + step, *after), (deeper, (*head, position + 1, *rest))),
        ((*before, here - step, *after), (deeper, (*head, position, *rest))),
    )


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
        expression: in the symbols of the box's axes.
        box: exact ends by name.
        hypotheses: expressions that are >= 0 where the range is asked for.
        relative_width: how narrow both enclosures should be, relative to the larger absolute end.
        maximum_boxes: of each of the two searches.
        bits: the working precision.

    Returns:
        `complete` says that both enclosures are that narrow. The points are exact and feasible; with no feasible point
        found the end on that side is unbounded and the point None. An empty region gives indeterminate enclosures.

    Raises:
        UnsupportedExpression: as `certify`, and its other errors.

    Not thread-safe.
    """
    program, region_box = _compile(expression, box, hypotheses)
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
        search = _Minimiser(_Region.build(program, box, centred=True))
        complete = search.run(relative_width, maximum_boxes)
        return _Minimum(search.enclosure(), search.point, search.boxes, complete)


class _Minimiser:
    """Best-first branch and bound for the least value.

    The lower end is the least bound over all cells that are open or set aside, the upper end the best value at an exact
    feasible point. Both are certain at any moment, so that the search may stop whenever it likes.
    """

    def __init__(self, region: _Region) -> None:
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
            axis = _split_axis(self.region, cell[0], slopes)
            if axis < 0:
                self._close(lower)
                continue
            for half_centre, half in _halves(self.region, centre, cell, axis):
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
        if slopes is not None and _all_finite(slopes):
            _, at_point, form, sides = _mean_value(region, centre, cell[0], slopes)
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
