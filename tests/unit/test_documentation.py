"""The documents say what is so: their Python runs, their links lead somewhere, their commands are those of CI."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md", "benchmarks/README.md")
ROOT = Path(__file__).resolve().parents[2]


def python_blocks(text: str) -> list[str]:
    """The Python code blocks of a Markdown text that are not marked as an excerpt (`python title=...`)."""
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def links(text: str) -> list[str]:
    """The targets of a Markdown text's links that are files."""
    found = re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return [target.split("#")[0] for target in found if "://" not in target and not target.startswith("#")]


@pytest.mark.parametrize("document", ["README.md"])
def test_every_python_block_of_the_documents_runs(document: str, empty_folder: Path) -> None:
    blocks = python_blocks((ROOT / document).read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        run = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True)
        assert run.returncode == 0, f"{block}\n{run.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_to_a_file_leads_to_one(document: str) -> None:
    missing = [
        t
        for t in links((ROOT / document).read_text(encoding="utf-8"))
        if not (ROOT / document).parent.joinpath(t).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("name", ["tests", "verify"])
def test_ci_finds_its_commands_in_the_readme(name: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"<!-- ci: {name} -->\n```bash\n[^\n]+\n```", readme)


def test_the_readme_states_no_counts_of_verdicts() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    words = "proved|certified|supported|undecided|refuted|informal"
    assert re.findall(rf"\b\d+ (?:claims? )?(?:are |were )?(?:{words})\b", readme) == []


def test_every_session_that_the_readme_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sessions = set(re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.MULTILINE))
    (sentence,) = re.findall(r"nox -l` lists what can be run: (.*?)\.", readme, flags=re.DOTALL)
    assert set(re.findall(r"`(\w+)`", sentence)) == sessions
