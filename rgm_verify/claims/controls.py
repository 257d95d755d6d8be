"""Controls: edits of a claim that make it wrong in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy

from rgm_verify.claims.claim import ClaimError, Hypothesis, Mutant
from rgm_verify.claims.formula import Formula, Relation

__all__ = ["Draft", "Edit", "changed", "instead", "left", "right", "scaled", "turned", "without"]

# An equation turned around is the same equation, so that its control is the inequation.
_TURNED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Draft:
    """The parts of a claim that a control may change.

    Attributes:
        id: The id, for messages.
        conclusion: The conclusion.
        hypotheses: The hypotheses.
    """

    id: str
    conclusion: Formula | None
    hypotheses: tuple[Hypothesis, ...]


#: What a control is, given the claim.
Edit: TypeAlias = Callable[[Draft], Mutant]


def _relation(claim: Draft, name: str) -> Relation:
    """Return the claim's formula as a relation; raises `ClaimError` naming the control if it is none.

    Args:
        name: The edit, for the message.
    """
    if not isinstance(claim.conclusion, Relation):
        raise ClaimError(
            f"{claim.id}: the control {name!r} changes a side, but the formula is not a single relation; give the "
            "whole formula instead"
        )
    return claim.conclusion


def left(side: Any) -> Edit:
    """Edit the left side: put `side` in its place. `ClaimError` where the formula is not a single relation.

    Args:
        side: The other left side.

    Examples:
        >>> from rgm_verify.claims.formula import le
        >>> x = sympy.Symbol("x", real=True)
        >>> claim = Draft("my:claim", le(x, 1), ())
        >>> for edit in (left(2 * x), right(3), scaled("1/2"), turned()):
        ...     print(edit(claim).conclusion)
        2*x <= 1
        x <= 3
        x <= 1/2
        x >= 1
    """

    def edit(claim: Draft) -> Mutant:
        found = _relation(claim, "left")
        # The sides as they were written: a page shows the control with the names of the claim.
        return Mutant("", Relation(side, found.op, found.written[1]))

    return edit


def right(side: Any) -> Edit:
    """Edit the right side; in a page's `wrong` the side alone says the same.

    Args:
        side: The other right side.
    """

    def edit(claim: Draft) -> Mutant:
        found = _relation(claim, "right")
        return Mutant("", Relation(found.written[0], found.op, side))

    return edit


def scaled(factor: int | str) -> Edit:
    """Multiply the right side: `scaled("1/2")`. `ClaimError` where the formula is not a single relation.

    Args:
        factor: An integer, or a rational number as text, since 1/2 is a float for Python.
    """

    def edit(claim: Draft) -> Mutant:
        found = _relation(claim, "scaled")
        return Mutant("", Relation(found.written[0], found.op, found.written[1] * sympy.Rational(factor)))

    return edit


def turned() -> Edit:
    """Turn the relation around: at most becomes at least. `ClaimError` where the formula is not a single relation."""

    def edit(claim: Draft) -> Mutant:
        found = _relation(claim, "turned")
        return Mutant("", Relation(found.written[0], _TURNED[found.op], found.written[1]))

    return edit


def without(*dropped: Hypothesis | str) -> Edit:
    """Drop hypotheses, given by themselves or by their names; all of them if none is named.

    Args:
        *dropped: Hypotheses, or their names.

    Raises:
        ClaimError: For a name that the claim does not have, so that a renamed hypothesis cannot leave an idle control.
    """

    def edit(claim: Draft) -> Mutant:
        names = {h if isinstance(h, str) else h.name for h in dropped}
        # By name, so that a hypothesis of another page with the same name drops this one.
        unknown = names - {h.name for h in claim.hypotheses}
        # A control that drops nothing is the claim itself, and would survive.
        if unknown or not claim.hypotheses:
            known = ", ".join(repr(h.name) for h in claim.hypotheses) or "none"
            raise ClaimError(f"{claim.id}: a control drops the unknown hypothesis {sorted(unknown)}; it has: {known}")
        return Mutant("", hypotheses=tuple(h for h in claim.hypotheses if names and h.name not in names))

    return edit


def instead(*given: Hypothesis) -> Edit:
    """Put hypotheses in the place of those of the same name; one of a new name is added.

    A control may in this way be weaker than the claim, with another bound in a hypothesis, or stronger by a further
    one.

    Args:
        *given: The hypotheses.
    """

    def edit(claim: Draft) -> Mutant:
        new = {h.name: h for h in given}
        # In its old place, so that a page shows the changed one where the other stood.
        kept = [new.pop(h.name, h) for h in claim.hypotheses]
        return Mutant("", hypotheses=(*kept, *new.values()))

    return edit


def changed(conclusion: Formula | None = None, hypotheses: Sequence[Hypothesis] | None = None) -> Edit:
    """Replace the whole formula, all hypotheses, or both."""
    # The name is filled in by the page, which has it as the key of `wrong`.
    return lambda claim: Mutant("", conclusion, None if hypotheses is None else tuple(hypotheses))
