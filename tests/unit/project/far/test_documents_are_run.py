"""README and guides are run: each command prints what is shown, each block of Python runs, each example is judged."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
GUIDES = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))


def python_blocks(text: str) -> list[str]:
    """The Python code blocks of a Markdown text that are not marked as an excerpt (`python title=...`)."""
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


BLOCKS = [(name, block) for name in GUIDES for block in python_blocks((ROOT / name).read_text(encoding="utf-8"))]


def test_readme_and_guides_have_python_to_run() -> None:
    assert {name for name, _ in BLOCKS} >= {"README.md", "docs/library.md", "docs/privacy.md", "docs/regression.md"}


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_every_python_block_of_readme_and_guides_runs(empty_folder: Path, name: str, block: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True)
    assert run.returncode == 0, f"{name}:\n{block}\n{run.stderr}"


def transcripts(text: str) -> list[tuple[str, str]]:
    """The commands of a Markdown text's console blocks, each with the output that is shown below it."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return [pair for block in blocks for pair in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


TRANSCRIPTS = [pair for name in GUIDES for pair in transcripts((ROOT / name).read_text(encoding="utf-8"))]


def test_readme_and_guides_show_what_the_commands_for_numbers_and_statements_print() -> None:
    assert {command.split()[1] for command, _ in TRANSCRIPTS} == {"account", "calibrate", "audit", "check"}


#: What a command says on standard error when it takes longer than two seconds.
PROGRESS = re.compile(r"^(?:rgm-verify: )?(?:[^,]+, for \d+ s now|after \d+ s: .*)$")


@pytest.mark.parametrize(("command", "shown"), TRANSCRIPTS, ids=[command[:60] for command, _ in TRANSCRIPTS])
def test_a_command_of_readme_and_guides_prints_what_is_shown(command: str, shown: str) -> None:
    program, *arguments = shlex.split(command)
    run = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments], capture_output=True, text=True, cwd=ROOT
    )
    # A busy machine is told how long it has taken already; the answer is the same.
    said = [line for line in run.stderr.splitlines(keepends=True) if not PROGRESS.search(line)]
    assert run.stdout + "".join(said) == shown


STEP = re.compile(
    r"^```python title=\"(?P<file>own/[^\"]+)\"\n(?P<content>.*?)^```$"
    r"|<!-- run: prints (?P<promise>[^>]*) -->\n```bash\n(?P<command>[^\n]+)\n```$",
    flags=re.DOTALL | re.MULTILINE,
)


def test_the_worked_example_of_the_guide_to_claims_does_what_it_says(empty_folder: Path) -> None:
    promised: dict[str, str] = {}
    for step in STEP.finditer((ROOT / "docs" / "claims.md").read_text(encoding="utf-8")):
        if step["file"]:
            target = empty_folder / step["file"]
            target.parent.mkdir(exist_ok=True)
            target.write_text(step["content"], encoding="utf-8")
            continue
        found = verdicts(*step["command"].split())
        promised |= {name: verdict for verdict, name in re.findall(r'"(\w+)" for ([\w:-]+)', step["promise"])}
        assert found == promised
    assert set(promised.values()) == {"proved", "refuted"}
    assert "The largest norm of a neighbour" in (
        empty_folder / "own-reports" / "pages" / "chapter--in-numbers.md"
    ).read_text(encoding="utf-8")


def test_the_example_paper_gets_the_verdicts_that_it_expects(empty_folder: Path) -> None:
    folder = ROOT / "examples" / "own_paper"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["verdicts"]
    found = verdicts("rgm-verify", "run", "--claims", str(folder), "--out", "own-reports")
    assert found == expected
    assert set(found.values()) == {"proved", "refuted"}
    assert (empty_folder / "own-reports" / "README.md").is_file()


def verdicts(program: str, *arguments: str) -> dict[str, str]:
    """Run a command of the documents in the working directory and return the verdicts that it found."""
    assert program == "rgm-verify"
    command = [Path(sys.executable).with_name(program), *arguments, "--jobs", "1", "--json"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return {claim["id"]: claim["verdict"] for claim in json.loads(run.stdout)["claims"]}
