"""Docstrings: the examples in them say what the code does."""

from __future__ import annotations

import ast
import doctest
import importlib
import io
import re
from pathlib import Path

import pytest

LIBRARY = Path(__file__).resolve().parents[4] / "rgm_verify"

# A message may be longer than a line of a docstring, and an exact number longer than a reader wants.
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def modules_with_examples() -> list[str]:
    paths = [p for p in sorted(LIBRARY.rglob("*.py")) if re.search(r"^ *>>> ", p.read_text(encoding="utf-8"), re.M)]
    return [".".join(p.relative_to(LIBRARY.parent).with_suffix("").parts).removesuffix(".__init__") for p in paths]


def failures(module: object) -> tuple[int, list[str]]:
    """Return how many examples a module has, and what is said of those that fail."""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    count, said = 0, []
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        out = io.StringIO()
        found = runner.run(test, out=out.write)
        count += found.attempted
        said += [out.getvalue()] if found.failed else []
    return count, said


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_show_what_it_does(name: str) -> None:
    count, said = failures(importlib.import_module(name))
    assert count > 0, "the examples are in no docstring"
    assert not said, "\n".join(said)


def test_an_example_that_is_wrong_is_noticed() -> None:
    module = type(ast)("wrong")
    module.__doc__ = "Add.\n\n>>> 1 + 1\n3\n>>> 1 + 2\n3\n"
    count, said = failures(module)
    assert (count, len(said)) == (2, 1)
    assert "1 + 1" in said[0]
    assert "1 + 2" not in said[0]
