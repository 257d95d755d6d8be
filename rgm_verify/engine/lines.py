"""The line of its file on which each claim and each chapter is made, for links from a report to the source."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from rgm_verify.claims.chapter import Chapter, collect_chapters
from rgm_verify.claims.claim import Claim, collect
from rgm_verify.engine.discovery import CHAPTER, Paper
from rgm_verify.engine.making import Making
from rgm_verify.jobs.fingerprint import claims_package

__all__ = ["lines_of"]


def lines_of(paper: Paper) -> dict[str, int]:
    """Return the line of each claim, and of each chapter by `CHAPTER` and its id, counted from 1.

    Where a helper makes the claim it is the line of the top level that calls the helper. A claim has no line, and is
    left out, where its file has changed too much since it was imported, or made it in a way that binds no name.

    Args:
        paper: A folder that this process has imported.
    """
    found: dict[str, int] = {}
    for path in dict.fromkeys(paper.files.values()):
        module = sys.modules.get(".".join([claims_package(paper.folder), *PurePosixPath(path).with_suffix("").parts]))
        try:
            made = Making((paper.folder / path).read_bytes())
        except (OSError, SyntaxError, ValueError):  # it was changed after it was imported
            continue
        for key, line in () if module is None else _lines(made, module):
            if paper.files.get(key) == path:
                found.setdefault(key, line)
    return {key: found[key] for key in paper.files if key in found}


def _lines(made: Making, module: ModuleType) -> Iterator[tuple[str, int]]:
    """Yield the names of what a module holds with their lines; a value with several names comes several times."""
    for name, value in list(vars(module).items()):
        if not made.binds(name):  # an import, or Python's own
            continue
        held: list[tuple[str, Claim | Chapter]] = [(claim.id, claim) for claim in collect([value])]
        held += [(CHAPTER + chapter.id, chapter) for chapter in collect_chapters([value])]
        for key, one in held:
            line = made.line(name, one.id, _position(one, value))
            if line is not None:
                yield key, line


def _position(one: Claim | Chapter, value: Any) -> tuple[int, int] | None:
    """Return the place of a value in a list or tuple, and how many elements that has."""
    if not isinstance(value, list | tuple):
        return None
    place = next((i for i, element in enumerate(value) if element is one), None)
    return None if place is None else (place, len(value))
