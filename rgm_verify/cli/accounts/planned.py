"""Questions about plans and single kinds of noise, checked before anything heavy is imported, and their answers.

A kind of noise on its own is a plan of one line. `solved` turns a question around: it looks for the one parameter that
was left out. `check_relative` and `check_target` say what is wrong with numbers for the relative Gaussian mechanism
without loading what computes with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rgm_verify import __version__
from rgm_verify.accounting.plans.files import read_plan
from rgm_verify.accounting.plans.plan import Plan, plan
from rgm_verify.accounting.plans.releases import PlannedRelease, fields_of, release_of
from rgm_verify.accounting.release import Release
from rgm_verify.cli.accounts.answers import (
    End,
    FloorAnswer,
    PlanAccount,
    PlanBudget,
    PlanLine,
    SolvedAnswer,
    exact_inputs,
)
from rgm_verify.cli.accounts.sampled import below_one
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import exact_text, interval
from rgm_verify.numbers.exact import nonnegative, positive, positive_integer

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.account import Spent

_PATIENCE = 2.0  # seconds without a word
_DIGITS = 6


@dataclass(frozen=True)
class PlanQuestion:
    """The account of a plan, how narrow, and how long it may take; `lines`: with what each release costs alone.

    Attributes:
        plan: The plan; it asks for epsilon at a delta, or for delta at an epsilon.
        width: The relative width of the interval to reach, from 1e-9 to 1.
        time_limit: Seconds, None for no limit.
        lines: Whether each line is accounted alone as well.
        inputs: What the answer says was asked, as exact texts.
    """

    plan: Plan
    width: Fraction
    time_limit: Fraction | None
    lines: bool
    inputs: Mapping[str, str]

    @classmethod
    def of_file(
        cls, path: Path, *, delta: str | None, epsilon: str | None, width: str, time_limit: str | None, total: bool
    ) -> PlanQuestion:
        """Return the question of a file; --delta and --epsilon ask for something else than the file does.

        Args:
            path: JSON or TOML, as `rgm_verify.accounting.plans.files` reads it.
            delta: In place of what the file asks for.
            epsilon: The same; with one of the two the budget of the file is left out, as it may be one of the other.
            width: The relative width to reach.
            time_limit: Seconds.
            total: Whether the total alone is asked for.

        Raises:
            InputError: With the line of the file, where that is at fault.
        """
        found = read_plan(path)
        # A new plan of the same lines, checked as a whole again.
        if delta is not None or epsilon is not None:
            found = plan(found.lines, adjacency=found.adjacency, group=found.group, delta=delta, epsilon=epsilon)
        # Only here: a file may leave the question to the command line.
        if found.delta is None and found.epsilon is None:
            raise InputError(f"{path.name}:1: delta: missing; give delta to get epsilon, or epsilon to get delta")
        inputs = {"file": path.name} | _question(found)
        return cls(found, _width(width), _limit(time_limit), not total, inputs)

    @classmethod
    def of_release(
        cls,
        kind: str,
        fields: Mapping[str, str | None],
        *,
        adjacency: str | None,
        group: str,
        delta: str | None,
        epsilon: str | None,
        width: str,
        time_limit: str | None,
    ) -> PlanQuestion:
        """Return the question about releases of one kind; fields that are None were not given.

        Without an adjacency, neighbours are those of the sensitivity; for randomised response, whose records always
        answer, one is replaced.

        Args:
            kind: The name of the mechanism in plans.
            fields: Its parameters and the count, as texts.
            adjacency: Which data sets are neighbours.
            group: The number of records that neighbours differ in.
            delta: Ask for epsilon at this delta.
            epsilon: Ask for delta at this epsilon; one of the two is None.
            width: The relative width to reach.
            time_limit: Seconds.

        Raises:
            InputError: With the name, its value and what is allowed.
        """
        # Both would be a question with a yes for an answer, and neither none at all.
        if (delta is None) == (epsilon is None):
            given = "both were" if delta is not None else "none was"
            raise InputError(f"give --delta to get epsilon or --epsilon to get delta, one of the two ({given} given)")
        known = {name: value for name, value in fields.items() if value is not None}
        release = release_of(kind, known)
        found = plan([release], adjacency=adjacency, group=group, delta=delta, epsilon=epsilon, places=[""])
        inputs = exact_inputs(_exact(kind, known)) | _question(found)
        return cls(found, _width(width), _limit(time_limit), False, inputs)

    def answer(self, say: Callable[[str], None]) -> PlanAccount:
        """Compute the answer; after two seconds `say` is told each interval that is reached.

        Args:
            say: A function that gets a line of text.
        """
        from rgm_verify.accounting.plans.account import spent

        name = "epsilon" if self.plan.delta is not None else "delta"

        def progress(bounds: Bounds, seconds: float) -> None:
            # A quick answer needs no words before it.
            if seconds > _PATIENCE and bounds.relative_width > self.width:
                say(f"after {seconds:.0f} s: {name} = {interval(bounds.lower, bounds.upper, digits=_DIGITS)}")

        found = spent(self.plan, width=self.width, time_limit=self.time_limit, progress=progress, lines=self.lines)
        return self._answer(found, name)

    def _answer(self, found: Spent, name: str) -> PlanAccount:
        """Return what was spent as the answer of the command; `name` is the quantity that was asked for."""
        budget = None
        if self.plan.budget is not None:
            budget = PlanBudget(given=exact_text(self.plan.budget), left=found.left, within=found.within)
        costs = zip(self.plan.lines, found.lines, strict=True) if self.lines else ()
        lines = [
            PlanLine(name=line.name, mechanism=line.release.kind, count=line.release.count, alone=End.of(cost.alone))
            for line, cost in costs
        ]
        end = End.of(found.total)
        return PlanAccount(
            rgm_verify=__version__,
            inputs=dict(self.inputs),
            samplers=_samplers(self.plan.releases),
            adjacency=self.plan.adjacency,
            group=self.plan.group,
            epsilon=end if name == "epsilon" else None,
            delta=end if name == "delta" else None,
            lines=lines,
            budget=budget,
            notes=list(self._notes(found.total)),
        )

    def _notes(self, total: Bounds) -> Sequence[str]:
        """Return what a reader should know about the total: what its ends are, and whether it is narrow enough."""
        releases = self.plan.releases
        notes = []
        alone, meet = len(releases) == 1, total.lower_method == total.upper_method
        chain = self.plan.of_group is None
        if chain:
            notes.append("the upper end is by the chain of neighbours; the lower end is that of one record")
        notes += filter(None, dict.fromkeys(r.note(alone=alone, meet=meet, chain=chain) for r in releases))
        if total.relative_width > self.width and total.upper > 0:
            notes.append(f"the width {exact_text(self.width)} was not reached")
        return notes


def solved(
    kind: str,
    fields: Mapping[str, str | None],
    solve: Sequence[str],
    *,
    epsilon: str,
    delta: str,
    adjacency: str | None,
    tolerance: str,
    usual: Mapping[str, str] | None = None,
) -> SolvedAnswer:
    """Return the value of the one field of `solve` that was not given, as the answer of the command.

    Args:
        kind: The name of the mechanism in plans.
        fields: Its parameters as texts, None where one was not given.
        solve: The parameters that may be asked for; just one of them is missing.
        epsilon: The target, in nats, > 0.
        delta: The target, in (0, 1), or 0 for pure privacy.
        adjacency: Which data sets are neighbours; None as in `plan`.
        tolerance: How far from the best value the found one may be, relatively.
        usual: Values that stand for fields which were not given and are not asked for.

    Raises:
        InputError: That says what is wrong with the question.
    """
    level = positive(epsilon, name="epsilon", meaning="the privacy parameter")
    target = below_one(delta, pure=True)
    share = positive(tolerance, name="tolerance", meaning="the relative tolerance")
    missing = [name for name in solve if fields.get(name) is None]
    # Noise that is asked for without a number of releases is that of one, as in `account`.
    if len(solve) == 2 and missing == list(solve) and "count" in solve:
        missing.remove("count")
        fields = {**fields, "count": "1"}
    # With none there is nothing to find; with two, a curve of answers.
    if len(missing) != 1:
        options = ", ".join(f"--{name.replace('_', '-').replace('count', 'steps')}" for name in solve)
        raise InputError(f"leave out one of {options}, which is then found; {len(missing)} were left out")
    known = {name: value for name, value in {**(usual or {}), **fields}.items() if value is not None}
    # With any value in the place of the missing one: all other faults are found before the search is loaded.
    release = release_of(kind, {**known, missing[0]: "1"})
    # Also for its refusal, where mechanism and neighbours do not go together.
    neighbours = plan([release], adjacency=adjacency, delta=target, places=[""]).adjacency
    from rgm_verify.accounting.plans import inverse

    found = inverse.solve(missing[0], release, level, target, adjacency=neighbours, tolerance=share)
    exact = {name: value for name, value in _exact(kind, known).items() if name != "sampler"}
    # Else the value would look like the best one, and better ones were only not looked at.
    notes = ["this is the end of the range; every value in it reaches the target"] if found.limit else []
    return SolvedAnswer(
        rgm_verify=__version__,
        inputs=exact_inputs({**exact, "epsilon": level, "delta": target, "tolerance": share}),
        mechanism=kind,
        samplers=_samplers([release]),
        adjacency=neighbours,
        quantity=found.quantity,
        value=exact_text(found.value),
        fails=None if found.fails is None else exact_text(found.fails),
        epsilon=End.of(found.reached),
        evaluations=found.evaluations,
        notes=notes,
    )


def floor_answer(*, eta: str, dimension: str, steps: str, epsilon: str | None, delta: str | None) -> FloorAnswer:
    """Return the floor under every noise ratio, as the answer of the command.

    As gamma grows, the noise hides all but the norm of the output, which shows in its variance: that is what is left.

    Args:
        eta: The relative sensitivity, > 0.
        dimension: Of the query.
        steps: The number of releases.
        epsilon: Ask for the floor of delta at this epsilon.
        delta: Ask for the floor of epsilon at this delta; one of the two is None.

    Raises:
        InputError: That says what is wrong with the question.
    """
    # The floor does not depend on gamma: any value serves for the check of the others.
    check_relative(
        eta=eta,
        gamma="1",
        dimension=dimension,
        r_rel="0",
        sigma2="0",
        delta=delta,
        epsilon=epsilon,
        steps=steps,
        methods=(),
    )
    from rgm_verify.accounting.floor import floor, floor_epsilon

    given: dict[str, Fraction | int | None] = {
        "eta": Fraction(eta),
        "d": int(Fraction(dimension)),
        "steps": int(Fraction(steps)),
        "epsilon": None if epsilon is None else Fraction(epsilon),
        "delta": None if delta is None else Fraction(delta),
    }
    inputs = exact_inputs(given)
    if epsilon is not None:
        found = floor(epsilon, eta=eta, dimension=dimension, steps=steps)
        return FloorAnswer(rgm_verify=__version__, inputs=inputs, delta=End.of(found))
    found = floor_epsilon(delta or "0", eta=eta, dimension=dimension, steps=steps)
    return FloorAnswer(rgm_verify=__version__, inputs=inputs, epsilon=End.of(found))


def _samplers(releases: Sequence[PlannedRelease]) -> list[str]:
    """Return the samplers of all runs of DP-SGD, each once."""
    return list(dict.fromkeys(release.sampler for release in releases if release.sampler))


def _question(asked: Plan) -> dict[str, str]:
    """Return what a plan asks for as exact texts, with its budget."""
    values: dict[str, Fraction | int | None] = {"delta": asked.delta, "epsilon": asked.epsilon, "budget": asked.budget}
    return exact_inputs(values)


def _width(width: str) -> Fraction:
    """Return the relative width of an option, from 1e-9 to 1; `InputError` for another one."""
    found = positive(width, name="width", meaning="the relative width")
    if not Fraction(1, 10**9) <= found <= 1:
        raise InputError(f"width={width!r}: the relative width must lie between 1e-9 and 1")
    return found


def _limit(limit: str | None) -> Fraction | None:
    """Return the limit of an option in seconds, None without one; `InputError` for one that is not positive."""
    return None if limit is None else positive(limit, name="time_limit", meaning="the limit in seconds")


def check_relative(
    *,
    eta: str,
    gamma: str,
    dimension: str,
    r_rel: str,
    sigma2: str,
    delta: str | None,
    epsilon: str | None,
    steps: str,
    methods: Sequence[str],
) -> None:
    """Raise the `InputError` of relative Gaussian releases that are wrong, with no more than numbers.

    All are texts of options. `methods` is taken so that a command can hand on all that it got, and is checked by click.
    """
    if (delta is None) == (epsilon is None):
        given = "both were" if delta is not None else "none was"
        raise InputError(f"give --delta to get epsilon or --epsilon to get delta, one of the two ({given} given)")
    # Made for its refusals; the command makes its own.
    Release(eta, gamma, dimension, r_rel=r_rel, sigma2=sigma2)
    if delta is not None:
        below_one(delta)
    if epsilon is not None:
        nonnegative(epsilon, name="epsilon", meaning="the privacy parameter")
    positive_integer(steps, name="steps", meaning="the number of releases")


def check_target(
    *, epsilon: str, delta: str, eta: str, dimension: str, r_rel: str, steps: str, methods: Sequence[str]
) -> None:
    """Raise the `InputError` of a target that is wrong, with no more than numbers.

    All are texts of options, as for `check_relative`.
    """
    nonnegative(epsilon, name="epsilon", meaning="the privacy parameter")
    below_one(delta)
    positive(eta, name="eta", meaning="a relative sensitivity")
    positive_integer(dimension, name="dimension", meaning="a dimension")
    nonnegative(r_rel, name="r_rel", meaning="a sensitivity")
    positive_integer(steps, name="steps", meaning="the number of releases")


def _exact(kind: str, known: Mapping[str, str]) -> dict[str, Fraction | int | str | None]:
    """Return the parameters of a kind, given as texts: numbers exactly, and texts as they are."""
    fields = fields_of(kind)
    return {name: value if fields[name].text else Fraction(value) for name, value in known.items()}
