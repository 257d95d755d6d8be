"""Time until one can work: importing the library, asking the command for help, and for a claim of the paper."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("rgm-verify")
CLAIM = "rgm:definition-3"


def process(*command: str | Path) -> Callable[[], None]:
    """Run a command in a process of its own."""
    words = [os.fspath(word) for word in command]
    return lambda: subprocess.run(words, check=True, capture_output=True) and None


def python(statement: str) -> Callable[[], None]:
    return process(sys.executable, "-c", statement)


def test_importing_the_library_against_importing_numpy(ratio: Callable[..., float]) -> None:
    ratio("import rgm_verify / import numpy", python("import rgm_verify"), python("import numpy"), target=1.3)


def test_asking_for_help_against_importing_click(ratio: Callable[..., float]) -> None:
    ratio("rgm-verify --help / import click", process(COMMAND, "--help"), python("import click"), target=2.0)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that has an index of the paper, and the evidence of one claim."""
    folder = tmp_path_factory.mktemp("store")
    process(COMMAND, "run", CLAIM, "--jobs", "1", "--store", folder)()
    return folder


@pytest.mark.parametrize(
    ("words", "target"), [(("list",), 0.8), (("show", CLAIM), 5.0), (("run", CLAIM, "--jobs", "1"), 5.0)]
)
def test_a_command_on_the_paper_against_importing_sympy(
    ratio: Callable[..., float], store: Path, words: tuple[str, ...], target: float
) -> None:
    """With an index of the folder and kept evidence: the rest is the start."""
    subject = process(COMMAND, *words, "--store", store)
    ratio(f"rgm-verify {words[0]} / import sympy", subject, python("import sympy"), target=target, rounds=7)
