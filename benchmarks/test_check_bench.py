"""Time until a statement in a line of text is judged, the start of the program included."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("rgm-verify")


def process(*command: str | Path) -> Callable[[], None]:
    """Run a command in a process of its own, whatever its exit code says about a statement."""
    words = [os.fspath(word) for word in command]
    return lambda: subprocess.run(words, check=False, capture_output=True) and None


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("2 = 3", 4.0),
        ("x + 1/x >= 2 for x > 0", 4.0),
        ("|x + y| <= |x| + |y|", 5.0),
        ("1/x + 1/y >= 4/(x + y) for x, y > 0", 5.0),
    ],
)
def test_a_statement_of_arithmetic_against_importing_sympy(
    ratio: Callable[..., float], statement: str, target: float
) -> None:
    """SymPy alone is a fifth of the second and a half that an answer may take on a machine where it takes 0.3 s."""
    subject = process(COMMAND, "check", statement)
    ratio(
        f"check {statement!r} / import sympy", subject, process(sys.executable, "-c", "import sympy"),
        target=target, rounds=7,
    )  # fmt: skip


def test_a_mistake_in_a_statement_against_importing_click(ratio: Callable[..., float]) -> None:
    subject = process(COMMAND, "check", "x +* 2")
    ratio("check 'x +* 2' / import click", subject, process(sys.executable, "-c", "import click"), target=3.0)


def test_a_second_statement_against_the_first(ratio: Callable[..., float]) -> None:
    """Many statements in one call share the start: ten of them cost little more than one."""
    ten = [f"x + {k}/x >= 2*sqrt({k}) for x > 0" for k in range(1, 11)]
    subject, reference = process(COMMAND, "check", *ten), process(COMMAND, "check", ten[0])
    ratio("check of ten statements / check of one", subject, reference, target=4.0, rounds=5)
