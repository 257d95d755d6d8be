"""The documents say what is so: their links lead somewhere, their commands are those of CI. That they run: `far/`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GUIDES = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
DOCUMENTS = (*GUIDES, "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md", "benchmarks/README.md")


def links(text: str) -> list[str]:
    """The targets of a Markdown text's links that are files."""
    found = re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return [target.split("#")[0] for target in found if "://" not in target and not target.startswith("#")]


def test_the_readme_fits_on_three_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_to_a_file_leads_to_one(document: str) -> None:
    # The site of documentation has pages that are made of files elsewhere in the repository.
    made = dict(re.findall(r'"([\w-]+\.md)": "([^"]+)"', (ROOT / ".ci/documentation.py").read_text(encoding="utf-8")))
    assert made
    made = made if document == "docs/index.md" else {}
    found = links((ROOT / document).read_text(encoding="utf-8"))
    places = {t: ROOT / made[t] if t in made else (ROOT / document).parent / t for t in found}
    missing = [t for t, place in places.items() if not place.exists()]
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
