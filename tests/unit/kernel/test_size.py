"""The kernel is small: what has to be trusted can be read in an hour, and imports nothing that it checks."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

KERNEL = Path(__file__).resolve().parents[3] / "rgm_verify" / "kernel"
MOST_LINES = 760
_LAYOUT = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER
)  # fmt: skip


def code_lines(text: str) -> int:
    """Return the number of lines that are neither blank nor comment nor docstring."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            documented |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {n for t in tokens if t.type not in _LAYOUT for n in range(t.start[0], t.end[0] + 1)}
    return len(lines - documented)


TEXT = '''"""A module.

It has text."""

# a remark
x = 1  # one


def f():
    """F."""
    return (
        x
    )
'''


def test_lines_of_code_are_counted_and_nothing_else() -> None:
    assert code_lines(TEXT) == 5


def test_the_kernel_has_few_lines_of_code() -> None:
    counted = {path.name: code_lines(path.read_text()) for path in KERNEL.glob("*.py")}
    assert sum(counted.values()) <= MOST_LINES, counted


def test_the_kernel_imports_itself_and_the_standard_library_alone() -> None:
    allowed = {*sys.stdlib_module_names}
    for path in KERNEL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.startswith("rgm_verify.kernel.") or name.partition(".")[0] in allowed, (path.name, name)
