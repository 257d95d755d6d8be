"""The tutorial does what it says: its files are written, its commands and its Python run, in the order of the page."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
TUTORIAL = ROOT / "examples" / "TUTORIAL.md"
BLOCK = re.compile(
    r"(?:<!-- file: (?P<file>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", flags=re.DOTALL | re.MULTILINE
)
MOST_LINES = 260


def words() -> str:
    return TUTORIAL.read_text(encoding="utf-8")


@pytest.fixture
def plain_environment() -> dict[str, str]:
    """Progress goes to standard error, and no width of a terminal changes what is printed."""
    return {**os.environ, "COLUMNS": "120"}


def test_every_command_file_and_snippet_of_the_tutorial_works(
    empty_folder: Path, plain_environment: dict[str, str]
) -> None:
    kinds = []
    for block in BLOCK.finditer(words()):
        kind, body = block["kind"], block["body"]
        if block["file"]:
            target = empty_folder / block["file"]
            target.parent.mkdir(exist_ok=True)
            target.write_text(body, encoding="utf-8")
            kinds.append("file")
        elif kind == "console":
            assert body.startswith("$ rgm-verify ")
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
                program, *arguments = shlex.split(command)
                path = Path(sys.executable).with_name(program)
                run = subprocess.run([path, *arguments], capture_output=True, text=True, env=plain_environment)
                assert (run.stdout or run.stderr) == shown, command
                kinds.append("console")
        else:
            assert kind == "python", f"a block that nothing runs: {kind}"
            run = subprocess.run([sys.executable, "-W", "error", "-c", body], capture_output=True, text=True)
            assert run.returncode == 0, f"{body}\n{run.stderr}"
            kinds.append("python")
    assert kinds.count("console") >= 6
    assert kinds.count("file") >= 3
    assert "python" in kinds


def test_the_tutorial_is_one_page() -> None:
    assert len(words().splitlines()) <= MOST_LINES


def test_every_link_of_the_tutorial_leads_to_a_file() -> None:
    targets = re.findall(r"\]\(([^)#\s]+)\)", words())
    assert targets
    assert [t for t in targets if not (TUTORIAL.parent / t).exists()] == []
