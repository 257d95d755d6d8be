"""The test files that a change is nearest to: those that import its modules and those of its rooms (`nox -s near`).

    python tests/near.py [BASE]

prints them, one on a line, the nearest first. BASE is what the checkout is compared with: HEAD, which leaves what is
not committed yet, or any other commit.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
#: Who edits a document wants to see it run, though that stands in a folder called `far`.
DOCUMENTS = ("tests/unit/project/test_documentation.py", "tests/unit/project/far/test_documents_are_run.py")
#: Tests that a change of documents, claims or settings is nearest to; the first pattern that fits counts.
BESIDE = (
    ("derivations/**", "tests/unit/paper"),
    ("rgm_verify/pages.py", "tests/unit/paper"),
    ("*.md", *DOCUMENTS),
    ("docs/**", *DOCUMENTS),
    ("examples/**", "tests/unit/project"),
    ("reports/**", "tests/report/test_committed_report.py"),
)


def changed(base: str) -> list[str]:
    """Return the files that differ from a commit, those that git does not know yet among them."""
    commands = (["git", "diff", "--name-only", base], ["git", "ls-files", "--others", "--exclude-standard"])
    return [line for command in commands for line in _output(command).splitlines()]


def _output(command: list[str]) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def covering() -> list[Path]:
    """Return every test file but those in folders called `far`."""
    return [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if "far" not in path.parts]


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, and the names that may be modules."""
    return frozenset(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def near(files: list[str], tests: list[Path]) -> list[str]:
    """Return the test files that some changed files are nearest to, the nearest first.

    A file of the library is near to the tests that import it, those first that import little else, and then to those in
    the folders that bear the name of its innermost room that has any. A test file is near to itself.

    Args:
        files: Changed files, as paths from the root.
        tests: The test files to choose from.
    """
    found: set[Path] = set()
    direct: set[Path] = set()
    for file in map(PurePosixPath, files):
        if file.parts[0] == "tests":
            found |= {path for path in tests if path == ROOT / file}
        elif file.parts[0] == "rgm_verify" and file.suffix == ".py" and file.parts[1] != "pages.py":
            module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
            importing = {path for path in tests if module in imports(path)}
            # A module that no test imports is seen through those beside it, one at the top through the command line.
            beside = ".".join(file.parts[:-1] if file.parts[1:-1] else ("rgm_verify", "cli")) + "."
            direct |= importing or {path for path in tests if any(n.startswith(beside) for n in imports(path))}
            rooms = (
                [path for path in tests if room in path.relative_to(ROOT).parent.parts]
                for room in reversed(file.parts[1:-1])
            )
            found |= set(next(filter(None, rooms), []))
        else:
            fitting = [entry for entry in BESIDE if file.match(entry[0]) or file.is_relative_to(entry[0][:-3])]
            for place in (ROOT / place for entry in fitting[:1] for place in entry[1:]):
                found |= {place} if place.is_file() else {path for path in tests if path.is_relative_to(place)}
    ranks = {
        path: (path not in direct, len(imports(path)), path.relative_to(ROOT).as_posix()) for path in found | direct
    }
    return [ranks[path][2] for path in sorted(found | direct, key=ranks.__getitem__)]


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}\n" for name in near(changed(sys.argv[1] if sys.argv[1:] else "HEAD"), covering()))
