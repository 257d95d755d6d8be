"""The comparison of a certificate's program with the statement that it bears, at exact points."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from rgm_verify.balls.replaying.functions import ball, working_at
from rgm_verify.balls.replaying.statement import Point, Statement, Tree, Values, truth, value_of

__all__ = ["compare"]

# An analytic formula that differs agrees with the program on a set without volume, which points drawn from a hash miss.
LEAST_POINTS = 20


MOST_POINTS = 150


# Points where cancellation hides the answer are tried again, and left undecided where all three hide it.
PRECISIONS = (128, 512, 2048)


#: Asked only where the hypotheses certainly hold: no number of such points is required.
_FACTOR = "the factor is positive"


@dataclass(frozen=True)
class Comparison:
    """The first reason against, "" for none, and at how many points of the box formula and program were compared.

    `admissible` of them certainly belong to the statement: 0 where a hypothesis is an equation, or nothing belongs.
    """

    reason: str
    points: int
    admissible: int = 0


def compare(
    statement: Statement,
    data: Mapping[str, Any],
    program: Callable[[int], Callable[..., tuple[arb, ...]]],
    watch: Callable[[], None] = lambda: None,
) -> Comparison:
    """Compare the statement's formulas, through the chart, with the outputs of the program at points of the box.

    Both sides have to overlap with at least 60 certain bits. Of each formula at least 20 points have to be decided.

    Args:
        statement: as `read_statement` makes it.
        data: the document, for its box and its hash.
        program: gives, for a precision, the function from balls of the coordinates to the outputs.
        watch: is called at every point, and may raise.

    Returns:
        The first reason against, "" for none. Agreement at points is evidence and no proof that both are one formula.
    """
    return _Comparer(statement, data, program, watch).run()


class _Comparer:
    """The comparison of one document: where it looks, and what it asks there."""

    def __init__(
        self,
        statement: Statement,
        data: Mapping[str, Any],
        program: Callable[[int], Callable[..., tuple[arb, ...]]],
        watch: Callable[[], None],
    ) -> None:
        self.statement, self.watch = statement, watch
        self.box = {n: (Fraction(lo), Fraction(hi)) for n, (lo, hi) in zip(data["names"], data["box"], strict=True)}
        self.seed = data["sha256"]
        # A program belongs to the precision of its constants.
        self.functions = {}
        for bits in PRECISIONS:
            with working_at(bits):
                self.functions[bits] = program(bits)
        self.wanted = 50 + min(len(data["program"]["ops"]), MOST_POINTS)
        # A coordinate that stands for an integer variable is looked at in integers alone: elsewhere nothing is claimed.
        self.whole = {
            name
            for name in self.box
            if statement.variables.get(name) and (statement.maps is None or statement.maps[name] == ["var", name])
        }

    def run(self) -> Comparison:
        """Return the outcome, stopping at the first law that certainly fails at a point."""
        tally: dict[str, int] = {}
        admissible = 0
        for number in range(4 * self.wanted):
            self.watch()
            admissible += self.belongs(self.inside(number))
            for label, agreed in self.look(self.inside(number)).items():
                tally.setdefault(label, 0)
                if agreed is False:
                    return Comparison(f"{label}: not so at {_where(self.inside(number))}", number)
                tally[label] += agreed is True
            # Every law needs its points; one that few points settle gets up to four times as many tries.
            if min(tally.values()) >= self.wanted:
                break
        for label, count in tally.items():
            # A law that nothing decides is not known to hold, and the document is refused.
            if count < LEAST_POINTS and label != _FACTOR:
                return Comparison(f"{label}: settled at {count} points of the box only, {LEAST_POINTS} are needed", 0)
        least = min(count for label, count in tally.items() if label != _FACTOR)
        return Comparison(self.uncovered(), least, min(admissible, least))

    def belongs(self, point: Point) -> bool:
        """Return whether a point of the box certainly belongs to the statement."""
        with working_at(PRECISIONS[0]):
            return self.admissible(self.image({name: ball(value) for name, value in point.items()}))

    def look(self, point: Point) -> dict[str, bool | None]:
        """Return per law whether it holds at a point; None where no precision tells.

        An answer of a lower precision stands: both True and False are certain.
        """
        found: dict[str, bool | None] = {}
        for bits in PRECISIONS:
            with working_at(bits):
                for label, answer in self.laws(point, bits):
                    if found.get(label) is None:
                        found[label] = answer
            if None not in found.values():
                break
        return found

    def laws(self, point: Point, bits: int) -> Iterator[tuple[str, bool | None]]:
        """Yield what ties the program to the statement, and whether it holds at a point, in balls of `bits` bits.

        The program's outputs are the gaps of conclusion and hypotheses; with a chart the first is the target, the gap
        is factor times target with a positive factor, and the inverse leads back. None where the balls do not tell.
        """
        statement = self.statement
        here = {name: ball(value) for name, value in point.items()}
        there = self.image(here)
        outputs = self.functions[bits](*here.values())
        gap, *hypotheses = (_gap(relation, side, there) for relation, side in statement.outputs)
        if statement.target is None:
            yield "the first output of the program is the gap of the conclusion", _agree(gap, outputs[0])
        else:
            target = value_of(statement.target, here)
            factor = arb(1) if statement.factor is None else value_of(statement.factor, here)
            yield "the first output of the program is the target", _agree(target, outputs[0])
            yield "the gap of the conclusion is factor times target", _agree(gap, factor * target)
            # Elsewhere the claim says nothing, and a factor of any sign would do no harm.
            if self.admissible(there):
                yield _FACTOR, True if factor > 0 else False if factor <= 0 else None
        for number, (wanted, output) in enumerate(zip(hypotheses, outputs[1:], strict=True), 2):
            yield f"output {number} of the program is the gap of its hypothesis", _agree(wanted, output)
        if statement.maps is not None and all(truth(formula, there) for formula in statement.domain):
            back = {name: value_of(tree, there) for name, tree in statement.inverse.items()}
            for name, value in self.image(back).items():
                yield f"the inverse of the chart gives {name} back", _agree(value, there[name])

    def image(self, here: Values) -> dict[str, arb]:
        """Return the claim's variables at a point of the chart."""
        maps = self.statement.maps
        return dict(here) if maps is None else {name: value_of(tree, here) for name, tree in maps.items()}

    def admissible(self, there: Values) -> bool:
        """Return whether the variables certainly lie in their domains and the hypotheses certainly hold."""
        statement = self.statement
        # An integer variable that falls between integers in the chart belongs to no statement.
        integral = all(
            there[n].is_exact() and there[n].is_integer() for n, whole in statement.variables.items() if whole
        )
        return integral and all(truth(formula, there) for formula in (*statement.domain, *statement.hypotheses))

    def inside(self, number: int) -> Point:
        """Return a rational point of the box, the same every time for the same document."""
        point = {}
        for axis, (name, (low, high)) in enumerate(self.box.items()):
            # From the hash of the document, so that whoever writes the program cannot know the points before.
            digest = hashlib.sha256(f"{self.seed}:{number}:{axis}".encode()).digest()
            value = low + (high - low) * Fraction(int.from_bytes(digest[:4], "big"), 2**32)
            point[name] = Fraction(round(value)) if name in self.whole else value
        return point

    def uncovered(self) -> str:
        """Return an admissible point outside of the box, "" where the points tried show none.

        A box that is too small would prove its inequality and leave the statement open. This finds gross mistakes; that
        the box covers the statement is shown by the solver in the run.
        """
        with working_at(PRECISIONS[0]):
            for point in self.outside():
                there = self.image({name: ball(value) for name, value in point.items()})
                if self.escapes(there):
                    return f"the box does not cover the statement: {_where(point)} belongs to it"
            for number in range(4 * self.wanted):
                point = self.within(number)
                if self.escapes({name: ball(value) for name, value in point.items()}):
                    return f"the box does not cover the statement: {_where(point)} belongs to it"
        return ""

    def escapes(self, there: Values) -> bool:
        """Return whether a point of the claim's variables is certainly admissible and certainly outside of the box."""
        self.watch()
        if not self.admissible(there):
            return False
        inverse = self.statement.inverse
        back = there if self.statement.maps is None else {n: value_of(inverse[n], there) for n in self.box}
        return any(back[name] < ball(low) or back[name] > ball(high) for name, (low, high) in self.box.items())

    def outside(self) -> Iterator[Point]:
        """Yield points beside the box, close to it and far from it, one axis after the other.

        The distances fall by powers of 4, so that a box which is short by a millionth is found too.
        """
        for name, (low, high) in self.box.items():
            # A fixed axis has no width, and its neighbourhood is looked at all the same.
            width = (high - low) or Fraction(1)
            for number, step in enumerate((Fraction(1), *(width / 4**k for k in range(20)))):
                for end in (low - step, high + step):
                    value = Fraction(round(end)) if name in self.whole else end
                    for other in range(3):
                        yield {**self.inside(3 * number + other), name: value}

    def within(self, number: int) -> Point:
        """Return values of the claim's variables in their domains, ends among them."""
        point = {}
        for axis, (name, whole) in enumerate(self.statement.variables.items()):
            digest = hashlib.sha256(f"{self.seed}:within:{number}:{axis}".encode()).digest()
            value = _between(*self.ends(name), Fraction(int.from_bytes(digest[:4], "big") + 1, 2**32 + 1), digest[4])
            point[name] = Fraction(round(value)) if whole else value
        return point

    def ends(self, name: str) -> tuple[Fraction | None, Fraction | None]:
        """Return the ends of a variable's domain that are written as `variable >= number` and its like."""
        low: Fraction | None = None
        high: Fraction | None = None
        for tree in self.statement.domain:
            if tree[1] == ["var", name]:
                low, high = (Fraction(tree[2]), high) if tree[0] in (">", ">=") else (low, Fraction(tree[2]))
        return low, high


def _between(low: Fraction | None, high: Fraction | None, share: Fraction, choice: int) -> Fraction:
    """Return a number of an interval: an end for some choices, and any of sixteen scales where it is infinite.

    Ends are worth a look of their own: a domain that is closed where the box is open shows there alone.
    """
    ends = [end for end in (low, high) if end is not None]
    if choice % 8 < len(ends):
        return ends[choice % 8]
    if low is not None and high is not None:
        return low + (high - low) * share
    # Without an end nothing says how large the variable is: sixteen scales from 4^-8 to 4^7.
    scale = Fraction(4) ** (choice // 8 % 16 - 8)
    if low is not None:
        return low + scale * share / (1 - share)
    return (0 if high is None else high) - scale * (
        share / (1 - share) if high is not None else 1 / share - 1 / (1 - share)
    )


def _gap(relation: Tree, side: str, at: Values) -> arb:
    """Return the difference of the two sides of a relation, in the stated order."""
    left, right = (value_of(part, at) for part in relation[1:])
    return left - right if side == "left - right" else right - left


def _agree(one: arb, other: arb) -> bool | None:
    """Return False for balls apart, True for balls that overlap and are both narrow, None for wide ones."""
    if not (one.is_finite() and other.is_finite()):
        return None
    if not one.overlaps(other):
        return False
    return True if _narrow(one) and _narrow(other) else None


def _narrow(value: arb) -> bool:
    """Return whether 60 bits are certain; of an invisible zero, that it is far below any number in sight."""
    if value.contains(0):
        return bool(value.abs_upper() < arb(2) ** -200)
    return bool(value.rad() * arb(2) ** 60 <= value.abs_lower())


def _where(point: Point) -> str:
    """Return a point as a message names it."""
    return ", ".join(f"{name} = {value}" for name, value in point.items()) or "the only point"
