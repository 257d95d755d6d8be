"""A plan: releases whose parameters are fixed in advance, for one neighbouring relation, and perhaps a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.plans.releases import ADJACENCIES, GIVEN, PlannedRelease
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer
from rgm_verify.numbers.shown import Framed, Rows, Shown, of_fields

_LARGEST_GROUP = 10**4  # the chain of neighbours has a term for each record of a group


@dataclass(frozen=True)
class Line(Shown):
    """A release of a plan with the name that it has there."""

    name: str
    release: PlannedRelease


@dataclass(frozen=True)
class Plan(Framed):
    """Releases in any order, for one neighbouring relation, and the question about them. Made by `plan`, which checks.

    Attributes:
        lines: the releases with their names.
        adjacency: the neighbouring relation.
        group: how many records neighbours differ in.
        delta: asks for epsilon.
        epsilon: asks for delta; not both.
        budget: of what is asked for.
    """

    lines: tuple[Line, ...]
    adjacency: str
    group: int = 1
    delta: Fraction | None = None
    epsilon: Fraction | None = None
    budget: Fraction | None = None

    def rows(self) -> Rows:
        """A row for each release: its name, its kind and its parameters."""
        return [{"name": line.name, "kind": line.release.kind} | of_fields(line.release) for line in self.lines]

    @property
    def releases(self) -> list[PlannedRelease]:
        """The releases without their names."""
        return [line.release for line in self.lines]

    @property
    def assuming(self) -> str:
        """The neighbours and the samplers that an answer is for, in words."""
        who = f"neighbours: {self.adjacency}" + (f", groups of {self.group}" if self.group > 1 else "")
        samplers = dict.fromkeys(r.sampler for r in self.releases if r.sampler)
        return who + "".join(f"; sampler: {sampler}" for sampler in samplers)

    @property
    def of_group(self) -> list[PlannedRelease] | None:
        """The releases for neighbours that differ in `group` records; None where one of them does not say how."""
        if self.group == 1:
            return self.releases
        found = [release.group(self.group) for release in self.releases]
        return [release for release in found if release is not None] if None not in found else None


def plan(
    releases: Iterable[PlannedRelease | Line],
    *,
    adjacency: str | None = None,
    group: ExactInput = 1,
    delta: ExactInput | None = None,
    epsilon: ExactInput | None = None,
    budget: ExactInput | None = None,
    places: Sequence[str] | None = None,
) -> Plan:
    """Return the checked plan.

    Args:
        releases: releases, or lines with names.
        adjacency: the neighbouring relation of all sensitivities. Without it, the one that goes with the samplers or
            with randomised response; where sensitivities stand beside those, it has to be said, as they must be for the
            same neighbours. A plan of sensitivities alone is for whatever neighbours these are.
        group: how many records neighbours differ in, at most 10,000.
        delta: an exact number, 1e-250 <= delta < 1, or 0 for pure privacy.
        epsilon: an exact number >= 0.
        budget: an epsilon if `delta` is given, and a delta if `epsilon` is.
        places: names of the releases for messages.

    Raises:
        InputError: for no release, an adjacency that a release does not support, and numbers out of range.

    Examples:
        >>> from rgm_verify.accounting.plans.releases import release_of
        >>> plan([release_of("gaussian", {"noise_multiplier": 2})], delta="1e-5").lines[0].name
        '1: gaussian'
    """
    found = _lines(releases)
    adjacency = _adjacency(adjacency, [line.release for line in found])
    lines = []
    for number, line in enumerate(found):
        place = f"releases[{number}]." if places is None else places[number]
        refused = line.release.refused(adjacency)
        # A plan has one relation: sensitivities between other neighbours must not be added to these.
        if refused:
            raise InputError(f"{place}mechanism: {line.release.kind} with adjacency={adjacency!r}: {refused}")
        lines.append(Line(line.name or f"{number + 1}: {line.release.kind}", line.release.between(adjacency)))
    size = group_size(group)
    at_delta = None if delta is None else _probability(delta, "delta", pure=True)
    at_epsilon = None if epsilon is None else nonnegative(epsilon, name="epsilon", meaning="a privacy loss")
    if at_delta is not None and at_epsilon is not None:
        raise InputError("delta, epsilon: give one of them; with a budget, the other one is the budget")
    return Plan(tuple(lines), adjacency, size, at_delta, at_epsilon, _budget(budget, at_delta, at_epsilon))


def _lines(releases: object) -> list[Line]:
    """Return the releases as lines; `InputError` for none, and for anything else."""
    if not isinstance(releases, Iterable) or isinstance(releases, str | Mapping):
        raise reject("releases", releases, "expected releases, as `release_of` makes them")
    found = [given if isinstance(given, Line) else Line("", given) for given in releases]
    for number, line in enumerate(found):
        if not isinstance(line.release, PlannedRelease):
            raise reject(f"releases[{number}]", line.release, "expected a release, as `release_of` makes it")
    if not found:
        raise InputError("releases: expected at least one release")
    return found


def _adjacency(given: str | None, releases: Sequence[PlannedRelease]) -> str:
    """Return the neighbouring relation of a plan: the given one, or the one that all releases have of their own."""
    if given is not None and given != GIVEN:
        return checked_neighbours(given, "adjacency")
    own = dict.fromkeys(release.own_adjacency for release in releases)
    if len(own) == 1:
        return next(iter(own))
    kinds = " and ".join(dict.fromkeys(release.kind for release in releases))
    raise InputError(
        f"adjacency: missing; {kinds} in one plan must be for the same neighbours, and a sensitivity or a noise "
        f"multiplier does not say for which it is: {', '.join(ADJACENCIES)}"
    )


def group_size(value: ExactInput) -> int:
    """Return the number of records of a group; `InputError` for none and for more than 10,000."""
    size = positive_integer(value, name="group", meaning="the number of records")
    if size > _LARGEST_GROUP:
        raise reject("group", value, "must be at most 10000")
    return size


def checked_neighbours(given: str | None, name: str = "neighbours") -> str:
    """Return a neighbouring relation; `InputError` for another one, and for none: no account is good for all."""
    allowed = f"allowed are {', '.join((*ADJACENCIES, GIVEN))}"
    if given is None:
        raise InputError(f"{name}: missing; {allowed}")
    if given not in (*ADJACENCIES, GIVEN):
        raise reject(name, given, allowed)
    return given


def _budget(budget: ExactInput | None, delta: Fraction | None, epsilon: Fraction | None) -> Fraction | None:
    """Return the budget as an exact number of the quantity that is asked for."""
    if budget is None:
        return None
    if delta is None and epsilon is None:
        raise InputError("budget: give delta for a budget of epsilon, or epsilon for a budget of delta")
    if delta is not None:
        return positive(budget, name="budget", meaning="the budget of epsilon")
    return _probability(budget, "budget")


def _probability(value: ExactInput, name: str, *, pure: bool = False) -> Fraction:
    """Return an exact probability between 1e-250 and 1, or 0 where `pure` privacy can be asked for."""
    if pure and nonnegative(value, name=name, meaning="a probability") == 0:
        return Fraction(0)
    number = positive(value, name=name, meaning="a probability")
    if number >= 1:
        raise reject(name, value, "must be < 1; every mechanism is (0, 1) private")
    if number < Fraction(1, 10**250):
        raise reject(name, value, "must be at least 1e-250")
    return number
