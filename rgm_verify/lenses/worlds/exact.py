"""Exact small worlds: a statement about data, matrices or algorithms, looked at before it is reduced to scalars.

A claim's formula is a reduction: a basis of eigenvectors, a direction, a Gram matrix. Whether the reduction is right is
said in prose. Here the statement itself is evaluated, in worlds of few points with rational coordinates, by plain
linear algebra over Fractions (`lenses.worlds.linear`); and an adversary moves the coordinates of a world to where
the statement is tightest. What it finds counts only after it has been rounded to rationals and evaluated exactly.
Where the author says what the claim's variables are in a world, the reduction itself is checked: the claim's formula
has to agree with the statement in every world. Where not, what is found here is a note.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.axes import generator_for
from rgm_verify.lenses.points.values import Value
from rgm_verify.lenses.worlds.reduction import Quantities, disagreement, point_of, read_off, refuse_other_symbols

#: Names with exact values: Fractions (which an adversary may move), ints (which it may not), and tuples of them.
World: TypeAlias = Mapping[str, Any]


class Slack(NamedTuple):
    """By how much a statement holds: `slack` >= 0, against the size of what was compared.

    Attributes:
        slack: An exact number in a verdict, a float in a search.
        scale: A number >= 0 of the same kind.
    """

    slack: Any
    scale: Any


Statement: TypeAlias = Callable[[World], Slack]
Generator: TypeAlias = Callable[[np.random.Generator], World]


class OutsideError(Exception):
    """A hypothesis does not hold in a world, so that the statement says nothing there."""


# From integers up: the first failing rounding is the simplest world.
_DENOMINATORS = (1, 2, 3, 5, 10, 12, 60, 100, 1000, 10**4, 10**6, 10**9)
_EVALUATIONS = 40  # of the floating-point statement in one local search, times the profile's refinements
_LOW, _HIGH = 1e-6, 1e6  # coordinates outside are not worth rounding


def require(condition: object) -> None:
    """Put the world away unless a hypothesis holds in it.

    Raises:
        OutsideError: Where the condition does not hold.
    """
    if not condition:
        raise OutsideError


def at_most(left: Any, right: Any) -> Slack:
    """The statement that `left` is at most `right`.

    Examples:
        >>> at_most(Fraction(1, 3), Fraction(1, 2)).slack
        Fraction(1, 6)
    """
    return Slack(right - left, abs(left) + abs(right))


def equal(left: Any, right: Any) -> Slack:
    """The statement that two numbers are the same: the slack is 0 or negative."""
    return Slack(-abs(left - right), abs(left) + abs(right))


def same(left: tuple[Any, ...], right: tuple[Any, ...]) -> Slack:
    """The statement that two vectors are the same."""
    return every(*(equal(a, b) for a, b in zip(left, right, strict=True)))


def root_at_most(square: Any, first: Any, second: Any) -> Slack:
    """Return the statement that a norm is at most the sum of two, all given by their squares, without taking a root.

    `sqrt(c) <= sqrt(a) + sqrt(b)` is `c - a - b <= 2 sqrt(a b)`: true if the left side is <= 0, else squared.
    """
    # sqrt(s) <= sqrt(a) + sqrt(b) squared: what is left is at most 2 sqrt(a b), and a second square removes that root.
    rest = square - first - second
    if rest <= 0:
        return Slack(-rest, abs(square) + first + second)
    return Slack(4 * first * second - rest * rest, 4 * first * second + rest * rest)


def holds(condition: object) -> Slack:
    """A statement that is true or false and nothing in between."""
    return Slack(1 if condition else -1, 1)


def every(*parts: Slack) -> Slack:
    """Return the part with the smallest slack in relation to its size; all parts hold exactly if it does."""
    return min(parts, key=relative)


def relative(found: Slack) -> Any:
    """The slack as a share of the size; 0 where both sides vanish."""
    return found.slack / found.scale if found.scale else found.slack * 0


@dataclass(frozen=True)
class Failure:
    """A world where a statement fails, with its exact slack."""

    world: World
    found: Slack

    def describe(self) -> str:
        """The world in one line."""
        return describe(self.world)

    def to_json(self, says: str) -> dict[str, Any]:
        """The world as a witness of the ledger: values, exact margin, and the world in Python."""
        short = f"{says}: short by {_text(-self.found.slack)}, of {_text(self.found.scale)}".replace("\n", " ")
        margin = f"{float(self.found.slack):.6e}"
        return {
            "values": {name: _text(value) for name, value in self.world.items()},
            "margin": [margin, margin],
            "relation": r"\text{the statement fails: slack } " + _short(self.found.slack),
            "python": [f"{python(dict(self.world))}  # {short}"],
        }


@dataclass(frozen=True)
class Worlds(Lens):
    """Evaluate `statement` in worlds that `worlds` draws, exactly, and let an adversary look for the worst.

    `says` is the unreduced statement in words. `statement` returns its slack (>= 0 where it holds) and calls `require`
    for each hypothesis; a world that breaks one (or where a division by 0 is asked for) is counted and put away. It is
    written with + - * / and comparisons, so that it runs over Fractions, for the verdict, and over floats, for the
    search. `broken` names wrong forms of the statement: the same worlds and the same adversary have to refute each of
    them, or the lens is undecided.
    `quantities` says for every variable of the claim what it is in a world, exactly. In each world that is looked at
    these values then have to be admissible, and the claim's conclusion has to hold there if the statement does and to
    fail if it does not; a world where they disagree leaves the lens undecided. Only with such a map is the lens a
    numerical route, and can a world refute. Without one a statement that holds is a note, and one that fails speaks
    against the claim.
    The lens looks at the claim as it stands and has nothing to say of the claim's own mutants, which change a formula
    that its statement does not use. Raises `ClaimError` for a map that leaves a variable out.

    Attributes:
        says: The statement in words.
        worlds: A function that draws a world; None gives no evidence.
        statement: The statement as a function of a world; None gives no evidence.
        broken: Wrong forms by name; at least one is needed.
        count: Worlds to draw; None goes by the profile.
        quantities: The map to the claim's variables, best given by `mapped`.
    """

    says: str = ""
    worlds: Generator | None = None
    statement: Statement | None = None
    broken: Mapping[str, Statement] = field(default_factory=dict)
    count: int | None = None
    quantities: Quantities = field(default_factory=dict)

    name: ClassVar[str] = "exact worlds"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NUMERICAL_ROUTE, Kind.COUNTEREXAMPLE, Kind.NOTE})

    def mapped(self, values: Callable[[World], Sequence[Any]], *symbols: sympy.Symbol) -> Worlds:
        """The same lens for a claim whose variables `symbols` have the `values` of a world, in this order.

        Args:
            values: A function of a world that returns exact values.
            *symbols: The claim's variables in the order of the values.
        """
        return replace(self, quantities=read_off(values, symbols))

    def refuse(self, claim: Claim) -> None:
        """Raise `ClaimError` for a map that leaves a variable of the claim out, or has another one."""
        if self.quantities:
            refuse_other_symbols(claim, self.name, self.quantities)

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Evaluate the statement in every world, compare with the claim's formula, search, and control.

        The worlds depend on the claim's id and the seed alone. A world where statement and formula disagree ends the
        search: the lens then speaks of another statement.

        Args:
            context: Profile and seed.

        Returns:
            One piece of evidence; none for a control, or without worlds or statement.
        """
        # A control changes the formula, of which the statement knows nothing: it would hold as before.
        if self.worlds is None or self.statement is None or is_control(claim, context):
            return []
        self.refuse(claim)
        profile = context.profile
        # More worlds where more points are looked at: the effort goes with the profile.
        count = self.count or 4 * profile.points + 48
        effort = _Effort(max(4, profile.refinements // 4), _EVALUATIONS * min(profile.refinements, 20))
        generator = generator_for(claim.id, "worlds", context.seed)
        drawn = [self.worlds(generator) for _ in range(count)]
        tally = _Tally(self.statement, drawn)
        reduction = _Reduction(claim, self.quantities)
        # Every world that is kept is compared, so that a map that is right by chance in a few of them
        # does not pass.
        for _, index in tally.slacks:
            reduction.compare(drawn[index], holds=True)
        failure = None if reduction.trouble else tally.attacked(effort)
        if failure is None:
            return [self.supported(tally, effort, reduction)]
        return [self.failed(claim, failure, simplified(self.statement, failure), reduction)]

    def failed(self, claim: Claim, failure: Failure, simple: Failure, reduction: _Reduction) -> Evidence:
        """Return the evidence of two worlds where the statement fails: a counterexample if the claim's formula fails in
        both.

        Args:
            failure: The world that was found.
            simple: The same failure in simpler numbers.
            reduction: The comparisons so far.
        """
        # Both worlds, as the simpler one may fail for another reason than the first.
        for found in (failure, simple):
            reduction.compare(found.world, holds=False)
        if reduction.trouble:
            return self.undecided(reduction.families, reduction.trouble)
        summary = f"{self.says}: fails in the world {simple.describe()}"
        details = {"witness": simple.to_json(self.says), "slack": _text(simple.found.slack)}
        # One world where it fails does not refute a claim that something exists, and without a map it
        # is another statement.
        if not self.quantities or claim.quantifier == "exists":
            return self.against(reduction.families, summary, **details)
        return self.evidence(Kind.COUNTEREXAMPLE, Finding.REFUTES, reduction.families, summary, details=details)

    def supported(self, tally: _Tally, effort: _Effort, reduction: _Reduction) -> Evidence:
        """Return the evidence of worlds and controls when the statement failed in none.

        It is undecided if too few worlds meet the hypotheses, if the map is constant, or if a wrong form survives.
        Without a map to the claim's variables the evidence is a note.

        Args:
            tally: The worlds and their slacks.
            effort: The effort of the searches.
            reduction: The comparisons with the formula.
        """
        families = reduction.families
        details: dict[str, Any] = {"worlds": tally.kept, "put_away": tally.discarded, "searches": effort.starts}
        if reduction.trouble:
            return self.undecided(families, reduction.trouble, **details)
        # Worlds that break a hypothesis say nothing, and a statement about none of them is true.
        if tally.kept < max(6, len(tally.drawn) // 6):
            reason = f"only {tally.kept} of {len(tally.drawn)} worlds meet the hypotheses"
            return self.undecided(families, reason, **details)
        # One point would agree with nearly any formula.
        if reduction.is_constant:
            return self.undecided(families, "the map takes every world to the same point of the claim", **details)
        # The controls get the same worlds and the same effort: otherwise they would show nothing of this search.
        survivors = [n for n, wrong in self.broken.items() if _Tally(wrong, tally.drawn).attacked(effort) is None]
        if survivors or not self.broken:
            reason = (
                f"the control {survivors[0]!r} was not refuted" if survivors else "no wrong form was given to refute"
            )
            return self.undecided(families, reason, **details)
        details |= {"smallest_slack": f"{float(tally.smallest):.1e}", "controls": list(self.broken)}
        summary = (
            f"{self.says}: holds exactly in {tally.kept} worlds, and {effort.starts} adversarial searches break it"
        )
        summary += f" in none; its sides come within {float(tally.smallest):.1e} of each other; "
        summary += f"refuted controls: {', '.join(self.broken)}"
        # Without a map the statement and the formula are two things, and support for one is none for the other.
        if not self.quantities:
            return self.evidence(Kind.NOTE, Finding.SUPPORTS, families, summary, details=details)
        details["points"] = len(reduction.points)
        summary += f"; the claim's formula agrees in each world, at {len(reduction.points)} points"
        return self.evidence(Kind.NUMERICAL_ROUTE, Finding.SUPPORTS, families, summary, details=details)


class _Reduction:
    """The claim's formula in worlds: where it was compared with the statement, and the first disagreement."""

    def __init__(self, claim: Claim, quantities: Quantities) -> None:
        self.claim = claim
        self.quantities = quantities
        self.points: set[tuple[Value, ...]] = set()
        self.trouble = ""

    @property
    def families(self) -> tuple[str, ...]:
        """The bodies of code that took part: Arb evaluates the formula if there is a map."""
        return ("fractions", "arb") if self.quantities else ("fractions",)

    @property
    def is_constant(self) -> bool:
        """Tell whether all worlds were mapped to one point."""
        return bool(self.quantities) and len(self.points) < 2

    def compare(self, world: World, *, holds: bool) -> None:
        """Ask whether the formula says in a world what the statement says there.

        Args:
            holds: Whether the statement holds in it.
        """
        if not self.quantities or self.trouble:
            return
        said = f"in the world {describe(world)} the statement {'holds' if holds else 'fails'}, but"
        try:
            point = point_of(self.quantities, world)
        except (ZeroDivisionError, OutsideError):
            self.trouble = f"{said} a quantity of the claim has no value"
            return
        self.points.add(tuple(point.values()))
        found = disagreement(self.claim, point, holds=holds)
        self.trouble = f"{said} {found}" if found else ""


class _Effort(NamedTuple):
    """The number of local searches, and of evaluations in each."""

    starts: int
    evaluations: int


def is_control(claim: Claim, context: Context) -> bool:
    """Return whether `claim` is a mutant of the claim that is judged, or is without one of its hypotheses."""
    whole = context.claims.get(claim.id)
    return whole is not None and (whole.conclusion != claim.conclusion or whole.hypotheses != claim.hypotheses)


class _Tally:
    """A statement in every drawn world: the first failure, or the worlds in the order of their slack."""

    def __init__(self, statement: Statement, drawn: list[World]) -> None:
        self.statement = statement
        self.failure: Failure | None = None
        self.slacks: list[tuple[Any, int]] = []
        self.drawn = drawn
        for index, world in enumerate(drawn):
            found = certain(statement, world)
            if found is None:
                continue
            # The first failure ends it: the rest of the worlds could only add more.
            if found.slack < 0:
                self.failure = Failure(world, found)
                return
            self.slacks.append((relative(found) if found.scale else Fraction(1), index))

    @property
    def kept(self) -> int:
        """The number of worlds in which the hypotheses hold."""
        return len(self.slacks)

    @property
    def discarded(self) -> int:
        """The number of worlds that were put away."""
        return len(self.drawn) - self.kept

    @property
    def smallest(self) -> Any:
        """The smallest relative slack."""
        return min(self.slacks)[0]

    def attacked(self, effort: _Effort) -> Failure | None:
        """Return a failure in the drawn worlds, or one that an adversary finds from the tightest of them; None without
        one.
        """
        if self.failure is not None:
            return self.failure
        by_slack = sorted(self.slacks, key=lambda item: (item[0] == 0, item))  # an equality gives no direction
        starts = [self.drawn[index] for _, index in by_slack[: effort.starts]]
        return adversary(self.statement, starts, effort.evaluations)


def evaluate(statement: Statement, world: World) -> Slack | None:
    """The slack in a world; None where a hypothesis fails, also one that some number is not 0."""
    try:
        return statement(world)
    except (ZeroDivisionError, OutsideError):
        return None


def certain(statement: Statement, world: World) -> Slack | None:
    """The exact slack; `TypeError` if the statement has used a float.

    A float would make the verdict a matter of rounding, so that it is refused and not converted.
    """
    found = evaluate(statement, world)
    if found is not None and not all(isinstance(v, int | Fraction) for v in found):
        raise TypeError(f"{statement}: the slack {found.slack!r} is not exact; use Fractions only")
    return found


def adversary(statement: Statement, starts: list[World], evaluations: int) -> Failure | None:
    """Minimise the relative slack over the coordinates of each world by floats; certify what looks like a failure.

    The minimum is rounded to ever finer rationals; the first one at which the exact slack is negative is returned.

    Args:
        starts: Worlds to start from.
        evaluations: The most evaluations from each of them.
    """
    for world in starts:
        best = _descend(statement, world, evaluations)
        # The simplest failing world is the one that a reader can check; a violation that is too small
        # survives no rounding.
        for denominator in _DENOMINATORS:
            rounded = replaced(world, iter([Fraction(v).limit_denominator(denominator) for v in best]))
            found = certain(statement, rounded)
            if found is not None and found.slack < 0:
                return Failure(rounded, found)
    return None


def simplified(statement: Statement, failure: Failure) -> Failure:
    """The same failure with every coordinate in turn made as simple as it can be.

    Args:
        failure: A world where it fails.
    """
    best = failure
    for place in range(len(leaves(failure.world))):
        values = leaves(best.world)
        # A few candidates for each coordinate: each costs an exact evaluation.
        simpler = {Fraction(n) for n in (0, 1, -1, round(values[place]))} | {values[place].limit_denominator(4)}
        for value in sorted(simpler, key=lambda v: (v.denominator, abs(v), -v)):
            if (value.denominator, abs(value)) >= (values[place].denominator, abs(values[place])):
                break
            world = replaced(best.world, iter([*values[:place], value, *values[place + 1 :]]))
            found = certain(statement, world)
            if found is not None and found.slack < 0:
                best = Failure(world, found)
                break
    return best


def _descend(statement: Statement, world: World, evaluations: int) -> list[float]:
    """Return coordinates at which the relative slack is smallest, by the method of Nelder and Mead over
    floats.

    What fails to evaluate counts as infinitely far from failing, so that the search turns back.
    """
    from scipy.optimize import minimize

    start = [float(v) for v in leaves(world)]

    def objective(point: Any) -> float:
        # Far out the relative slack may fall for ever, and nothing there can be rounded to a simple
        # rational.
        if not all(abs(v) < _HIGH for v in point):
            return math.inf
        try:
            found = evaluate(statement, replaced(world, iter(float(v) for v in point)))
            return math.inf if found is None or not found.scale > 0 else float(found.slack / found.scale)
        except (OverflowError, ValueError):
            return math.inf

    if not start:
        return start
    options: Any = {"maxfev": evaluations, "initial_simplex": _simplex(start), "adaptive": True}
    with np.errstate(all="ignore"):
        best = minimize(objective, np.array(start), method="Nelder-Mead", options=options)
    return [float(v) for v in best.x]


def _simplex(start: list[float]) -> list[list[float]]:
    """The start, and one neighbour along each axis, a quarter of the coordinate away."""
    corners = [list(start) for _ in range(len(start) + 1)]
    for i, value in enumerate(start):
        # A coordinate that is 0 has no size to go by.
        corners[i + 1][i] = value + (value / 4 if abs(value) > _LOW else 0.25)
    return corners


def leaves(value: Any) -> list[Fraction]:
    """The coordinates of a world that an adversary may move, in order."""
    if isinstance(value, Fraction):
        return [value]
    # Anything else, an int above all, is fixed: dimensions and counts are not moved.
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return [leaf for item in items for leaf in leaves(item)]


def replaced(value: Any, numbers: Iterator[Any]) -> Any:
    """The world with other coordinates, in the order of `leaves`."""
    if isinstance(value, Fraction):
        return next(numbers)
    if isinstance(value, Mapping):
        return {name: replaced(item, numbers) for name, item in value.items()}
    return tuple(replaced(item, numbers) for item in value) if isinstance(value, tuple) else value


def describe(world: World) -> str:
    """A world in one line."""
    return ", ".join(f"{name} = {_text(value)}" for name, value in world.items())


def python(value: Any) -> str:
    """A world as Python that a reader can paste."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name!r}: {python(item)}" for name, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(python(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, Fraction) and value.denominator == 1:
        return f"Fraction({value.numerator})"
    return f"Fraction({value.numerator}, {value.denominator})" if isinstance(value, Fraction) else repr(value)


def _text(value: Any) -> str:
    """Return a value for reading."""
    if isinstance(value, tuple):
        return "(" + ", ".join(_text(item) for item in value) + ")"
    return str(value)


def _short(value: Fraction) -> str:
    """Return a slack in LaTeX, in digits where it is long."""
    text = str(value)
    return text if len(text) <= 24 else rf"\approx {float(value):.3e}".replace("e-0", "e-").replace("e+0", "e")
