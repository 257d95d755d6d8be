"""Docstrings open with a verb or a noun: a free relative (What, How, Whether) leaves a reader waiting for the verb."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FREE_RELATIVES = {"what", "how", "which", "whether", "where", "when", "why", "who", "whose"}


def openings(source: str) -> list[tuple[int, str]]:
    """Return line and first word of every docstring, those of attributes included."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        texts = node.body if isinstance(node, ast.Module | ast.ClassDef) else node.body[:1]
        for statement in texts:
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))) if text.split():
                    found.append((statement.lineno, text.split()[0].strip(",.:;").lower()))
    return found


@pytest.mark.parametrize(
    ("folder", "least"),
    [("rgm_verify", 100), ("derivations", 100), ("tests", 100), ("benchmarks", 20), ("examples", 20)],
)
def test_no_docstring_opens_with_a_free_relative(folder: str, least: int) -> None:
    files = [path for path in sorted((ROOT / folder).rglob("*.py")) if "refused" not in path.parts]
    read = [(path, *opening) for path in files for opening in openings(path.read_text(encoding="utf-8"))]
    assert len(read) > least
    assert [f"{path.relative_to(ROOT)}:{line}" for path, line, word in read if word in FREE_RELATIVES] == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What it is for."""',
        'class A:\n    """Whether: or not."""',
        'async def f():\n    """How\n    it goes."""',
        'class A:\n    x: int = 1\n    """Where it stands."""\n    def f(self):\n        return 1',
    ],
)
def test_an_opening_that_is_one_is_found(source: str) -> None:
    assert [word in FREE_RELATIVES for _, word in openings(source)] == [True]


def test_a_text_that_is_no_docstring_does_not_count() -> None:
    assert openings('def f():\n    x = 1\n    "What else"\n    return x') == []
