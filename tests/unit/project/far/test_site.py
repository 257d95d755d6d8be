"""The site of documentation: it builds without a warning, and holds every module that a guide or an example imports."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
REFERENCE = ROOT / "docs" / "reference"


def listed() -> list[str]:
    """The modules that the pages of the reference show."""
    return [
        name for page in sorted(REFERENCE.glob("*.md")) for name in re.findall(r"^::: (\S+)$", page.read_text(), re.M)
    ]


def programs() -> Iterator[tuple[str, str]]:
    """The Python that users are shown: blocks of the guides, and examples."""
    for guide in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for block in re.findall(r"^```python\n(.*?)^```", guide.read_text(encoding="utf-8"), re.M | re.S):
            yield guide.name, block
    for example in sorted((ROOT / "examples").glob("*.py")):
        yield example.name, example.read_text(encoding="utf-8")


def imported(program: str) -> set[str]:
    """The modules of the library that a program takes names from."""
    found = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            # What is imported is a module itself, or a name of one.
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if _is_module(name) else node.module for name in inner}
    return {name for name in found if name.split(".")[0] == "rgm_verify"}


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@pytest.mark.parametrize("name", listed())
def test_what_the_reference_lists_is_a_module_with_a_docstring(name: str) -> None:
    assert _is_module(name)
    assert importlib.import_module(name).__doc__


def test_nothing_is_listed_twice() -> None:
    assert len(listed()) == len(set(listed()))


def test_what_users_are_told_to_import_is_in_the_reference() -> None:
    used = {(place, name) for place, program in programs() for name in imported(program)}
    assert len(used) > 20
    # A package that only hands on names of its modules is documented there.
    handed_on = {"rgm_verify", "rgm_verify.pages"}
    assert sorted((place, name) for place, name in used if name not in handed_on | set(listed())) == []


def test_the_site_builds_and_a_name_that_leads_nowhere_would_fail_it(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    pytest.importorskip("mkdocstrings_handlers.python", reason="needs the extra `docs`")
    build = (sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site"))
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "reference" / "accounting.html").read_text(encoding="utf-8")
    assert 'id="rgm_verify.accounting.exact.one_release.epsilon"' in page
    # Markdown takes a line that begins with > for a quotation: an example outside of `Examples:`, or "> 0" in a text.
    pages = sorted((tmp_path / "site" / "reference").glob("*.html"))
    assert len(pages) == len(list(REFERENCE.glob("*.md")))
    assert [path.name for path in pages if "<blockquote>" in path.read_text(encoding="utf-8")] == []
    # Nothing is loaded from elsewhere.
    loaded = re.findall(
        r'<(?:script|img)[^>]*src="(https?:[^"]+)"|<link[^>]*stylesheet[^>]*href="(https?:[^"]+)"', page
    )
    assert loaded == []
    # The same build refuses a reference to a name that is not there.
    wrong = tmp_path / "docs"
    wrong.mkdir()
    (wrong / "index.md").write_text("# Wrong\n\n::: rgm_verify.accounting.nowhere\n")
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    head = text[: text.index("nav:")]
    (tmp_path / "wrong.yml").write_text(head + f"docs_dir: {wrong}\n", encoding="utf-8")
    refused = subprocess.run(
        (*build[:-2], "--site-dir", str(tmp_path / "other"), "--config-file", str(tmp_path / "wrong.yml")),
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert refused.returncode != 0
    assert "nowhere" in refused.stderr
