"""Dependencies inside a source: `leans_on.toml` beside the claims, and the outcome for each of its statements.

What the text uses for what is a fact about the text, written down once. What becomes of a statement when one that it
leans on is refuted is computed from the verdicts, here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from rgm_verify.claims.outcome.ledger import Outcome, natural_order
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_toml

NAME = "leans_on.toml"
_SHOWN = 'as in "T2" = ["L1", "L2"]'


class UsesError(InputError):
    """A `leans_on.toml` that cannot be used; the message names the entry and what to change."""


@dataclass(frozen=True)
class Uses:
    """The statements that the source uses for each of its statements, all by their ids in the inventory.

    `given_up` are statements whose replacement, if they are refuted, is no corrected form of them.

    Attributes:
        leans_on: Statements that each statement uses directly.
    """

    leans_on: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given_up: frozenset[str] = frozenset()

    def below(self, entry: str) -> set[str]:
        """Everything that a statement leans on, directly or through others.

        Args:
            entry: The id of a statement.
        """
        found: set[str] = set()
        waiting = list(self.leans_on.get(entry, ()))
        while waiting:
            other = waiting.pop()
            # Also where the check against circles has not been made yet, this comes to an end.
            if other not in found:
                found.add(other)
                waiting += self.leans_on.get(other, ())
        return found


def read_uses(folder: Path, known: Collection[str]) -> Uses:
    """Read `leans_on.toml` of a folder of claims, if there is one; `known` are the ids that it may name.

    Args:
        folder: The folder of claims.
        known: Ids of the inventory and of what claims answer.

    Raises:
        UsesError: For a file of another form, an unknown id, or statements that lean on each other.
    """
    data = read_toml(folder / NAME)
    if data is None:
        return Uses()
    if surplus := sorted(set(data) - {"leans_on", "given_up"}):
        raise UsesError(f"{NAME}: {surplus[0]!r} is not known; allowed are a list given_up and a table [leans_on]")
    table = data.get("leans_on", {})
    if not isinstance(table, dict):
        raise UsesError(f"{NAME}: leans_on={table!r}: expected a table, {_SHOWN}")
    uses = Uses(
        {entry: _ids(entry, value) for entry, value in table.items()},
        frozenset(_ids("given_up", data.get("given_up", []))),
    )
    _check(uses, known)
    return uses


def _ids(name: str, value: Any) -> tuple[str, ...]:
    """Return a list of ids of the file; raise `UsesError` for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsesError(f"{NAME}: {name}={value!r}: expected a list of ids, {_SHOWN}")
    return tuple(value)


def _check(uses: Uses, known: Collection[str]) -> None:
    """Raise `UsesError` for an unknown id or a circle."""
    for entry, others in uses.leans_on.items():
        # A misspelt id would be a dependency of nothing, and no verdict could ever shake it.
        _refuse_unknown("leans_on", (entry,), known)
        _refuse_unknown(entry, others, known)
    _refuse_unknown("given_up", sorted(uses.given_up), known)
    try:
        # In a circle nothing would have an outcome: each waits for the other.
        TopologicalSorter(uses.leans_on).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise UsesError(f"{NAME}: statements lean on each other in a circle: {circle}; drop one of them") from error


def _refuse_unknown(place: str, ids: Iterable[str], known: Collection[str]) -> None:
    """Raise `UsesError` for the first id that is not known, with near ones."""
    for identifier in ids:
        if identifier not in known:
            close = get_close_matches(identifier, list(known), n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(close)}?" if close else "write one that the inventory or a claim names"
            raise UsesError(f"{NAME}: {place} names the unknown statement {identifier!r}; {hint}")


def refuted_below(uses: Uses, entry: str, verdicts: Mapping[str, str]) -> list[str]:
    """The refuted statements that one leans on, directly or through others, in natural order."""
    refuted = (i for i in uses.below(entry) if verdicts.get(i) == Verdict.REFUTED.value)
    return sorted(refuted, key=natural_order)


def outcome(verdict: str, *, shaken: bool, repaired: bool, given_up: bool) -> Outcome:
    """Return the outcome for a statement: from its own verdict, and from whether its dependencies are shaken.

    `repaired` says that every claim of it that is refuted has a corrected statement that is proved or certified.

    Args:
        verdict: The weakest verdict of the claims that answer the statement.
        shaken: Whether a statement below it is refuted.
        repaired: Whether each refuted claim has a corrected one that holds.
        given_up: Whether the replacement is another statement.

    Returns:
        "independent" for a statement that is proved here although what the source uses for it falls.

    Examples:
        >>> outcome("proved", shaken=True, repaired=False, given_up=False)
        'independent'
    """
    if verdict == Verdict.REFUTED.value:
        # Something else in its place may be true and useful, and the statement has fallen all the same.
        return "corrected" if repaired and not given_up else "falls"
    if verdict in (Verdict.PROVED.value, Verdict.CERTIFIED.value):
        # Its proof here stands on its own, whatever the source used.
        return "independent" if shaken else "stands"
    return "no content" if verdict == Verdict.INFORMAL.value else "undecided"
