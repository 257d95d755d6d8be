"""Boxes and their cells: what branch and bound halves, encloses and takes slopes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from rgm_verify.balls.arithmetic import ball, exact
from rgm_verify.balls.certificate import EXCLUDED, MAXIMUM_AXES
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.differentiation import differentiate_output
from rgm_verify.balls.enclose import as_fraction, symbols_by_name
from rgm_verify.balls.evaluation import compile_balls
from rgm_verify.balls.program import Program, UnsupportedExpression

if TYPE_CHECKING:
    pass

__all__ = ["Box", "Cell", "Region", "all_finite", "compile_box", "halves", "mean_value", "split_axis"]

# Halvings of one axis before a box is given up: beyond these the midpoints need more than 64 bits.
# The exact midpoint of a cell is a number of as many bits as halvings, and replay computes it again.
MAXIMUM_DEPTH = 44


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
        checked = {str(name): checked_ends(str(name), ends) for name, ends in self.axes.items()}
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


def checked_ends(name: str, ends: Sequence[Any]) -> tuple[Fraction, Fraction]:
    """Return the ends of an axis as exact rationals; raises ValueError or TypeError naming the axis."""
    if len(ends) != 2:
        raise ValueError(f"{name}={ends!r}: must be a pair (lower end, upper end)")
    low, high = (as_fraction(end, name) for end in ends)
    if low > high:
        raise ValueError(f"{name}: lower end {low} exceeds upper end {high}: give them in order")
    return low, high


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
class Region:
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
    def build(cls, program: Program, box: Box, centred: bool) -> Region:
        """Compile the program (expression first, then hypotheses) for the box at the precision in force.

        Args:
            program: the expression, then the hypotheses.
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


def compile_box(expression: Any, box: Any, hypotheses: Sequence[Any]) -> tuple[Program, Box]:
    """Return the program of expression and hypotheses over the axes of the box."""
    import sympy

    region = box if isinstance(box, Box) else Box(box)
    if len(hypotheses) > len(EXCLUDED):
        raise ValueError(f"hypotheses: {len(hypotheses)} given: at most {len(EXCLUDED)} are allowed")
    parsed = [sympy.sympify(part) for part in (expression, *hypotheses)]
    return compile_expressions(parsed, symbols_by_name(parsed, region.names)), region


def mean_value(region: Region, centre: Sequence[arb], depths: Sequence[int], slopes: Sequence[arb]) -> Any:
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


def all_finite(balls: Iterable[arb]) -> bool:
    """Tell whether no ball is infinite or NaN, so that the mean-value theorem may be applied with them."""
    return all(one.is_finite() for one in balls)


def split_axis(region: Region, depths: Sequence[int], slopes: Sequence[arb] | None) -> int:
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


def halves(region: Region, centre: tuple[arb, ...], cell: Cell, axis: int) -> Any:
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
