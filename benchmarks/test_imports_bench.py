"""How fast one gets to work: importing the library and asking the command for help."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

COMMAND = Path(sys.executable).with_name("rgm-verify")


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
