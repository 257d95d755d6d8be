"""Lenses on exact worlds, with their wrong forms as what each of them changes."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from rgm_verify.lenses.worlds.exact import Generator, Statement, Worlds


def lens(
    says: str,
    statement: Statement,
    draw: Generator,
    broken: Mapping[str, Mapping[str, Any] | Statement] | None = None,
    count: int | None = None,
) -> Worlds:
    """Make the lens that says `says`, looking at `statement` in worlds that `draw` draws, in `count` of them if given.

    A wrong form is named in `broken`: a statement, or the settings with which `statement` is one.
    """
    forms = (broken or {}).items()
    wrong = {name: partial(statement, **form) if isinstance(form, Mapping) else form for name, form in forms}
    return Worlds(says, draw, statement, wrong, count)
