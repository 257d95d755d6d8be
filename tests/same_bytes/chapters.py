"""Write what chapters show, or compare it with what was written before: `nox -s same_bytes`.

    python tests/same_bytes/chapters.py write FILE [CHAPTER ...]
    python tests/same_bytes/chapters.py compare FILE FILE ...

A file holds the blocks of each chapter as JSON. `compare` names every line that differs, and ends with 1 if one does.
Only the chapters' own files are imported, so that the claims, which take longer, are not built.
"""

from __future__ import annotations

import importlib
import json
import sys
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = {
    "accounting": "accounting",
    "gradient-descent": "gradient_descent",
    "relative-sensitivity": "relative_sensitivity",
    "experiments": "experiments",
}


def blocks(identifier: str) -> object:
    """The blocks of a chapter in the quick profile."""
    module = importlib.import_module(f"derivations.chapters.{CHAPTERS[identifier]}")
    return module.chapter.blocks("quick")


def write(target: Path, identifiers: list[str]) -> None:
    found = {identifier: blocks(identifier) for identifier in identifiers or CHAPTERS}
    target.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def differences(first: Path, second: Path) -> list[str]:
    """The lines that differ, with their numbers."""
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (first, second)]
    pairs = enumerate(zip_longest(*lines, fillvalue="nothing"), start=1)
    return [f"{first}:{n}: {a.strip()}\n{second}:{n}: {b.strip()}" for n, (a, b) in pairs if a != b]


def main(arguments: list[str]) -> int:
    sys.path.insert(0, str(ROOT))
    match arguments:
        case ["write", target, *identifiers]:
            write(Path(target), identifiers)
            return 0
        case ["compare", first, *others] if others:
            found = [line for other in others for line in differences(Path(first), Path(other))]
            sys.stdout.write("".join(f"{line}\n" for line in found))
            return 1 if found else 0
    sys.stderr.write(__doc__ or "")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
