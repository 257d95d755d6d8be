"""The scope of a claim: how much of the printed statement its formula carries.

A `statement` is all of it, or an equivalent form. A `core` is the rest after a reduction that the formula does not
show. An `instance` is a case that the statement implies, such as two records in two dimensions: where it fails, so does
the statement, and nothing of the answer is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

Scope: TypeAlias = Literal["statement", "core", "instance"]
#: From all of the statement to the least of it.
SCOPES: tuple[Scope, ...] = get_args(Scope)


def carried(scope: Scope, *, refuted: bool) -> Scope:
    """Return how much of the statement the answer carries: all of it where one of its cases is refuted.

    Args:
        scope: The scope of a claim.
        refuted: Whether the claim is refuted: a counterexample in a case is one to the statement.
    """
    # Of a core that is refuted nobody knows whether the reduction or the statement is at fault.
    return SCOPES[0] if refuted and scope == "instance" else scope


def least(scopes: Iterable[Scope]) -> Scope:
    """Return the scope of an entry that several claims answer: the least of theirs; `statement` of none.

    Examples:
        >>> least(["statement", "core"])
        'core'
    """
    return max(scopes, key=SCOPES.index, default=SCOPES[0])
