"""The line that a page of the report links for each claim: the claim was made there when its file was imported."""

from __future__ import annotations

import ast
import shutil
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from rgm_verify.claims.claim import Claim
from rgm_verify.engine.discovery import CHAPTER, Paper, load
from rgm_verify.engine.lines import lines_of

ROOT = Path(__file__).resolve().parents[4]
#: First and last line of a call.
Range = tuple[int, int]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Paper, dict[str, dict[str, list[Range]]]]:
    """A copy of the claims, freshly imported; and for each claim the calls that were running when it was made, by file.

    Python says where it was, and knows nothing of how `lines_of` reads a file.
    """
    folder = tmp_path_factory.mktemp("paper") / "derivations"
    shutil.copytree(ROOT / "derivations", folder, ignore=shutil.ignore_patterns("__pycache__"))
    calls: dict[str, dict[str, list[Range]]] = {}
    made = Claim.__post_init__

    def recorded(claim: Claim) -> None:
        made(claim)
        # A claim that is made again, by `replace`, is another object: the last one is that of the folder.
        running = calls[claim.id] = defaultdict(list)
        frame = sys._getframe(1)
        while frame is not None:
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(folder):
                first, last, *_ = list(frame.f_code.co_positions())[frame.f_lasti // 2]
                running[path.relative_to(folder).as_posix()].append((first, last))
            frame = frame.f_back

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Claim, "__post_init__", recorded)
        paper = load(folder)
    return paper, calls


def _beginnings(path: Path) -> dict[Range, int]:
    """The first line of each expression of several lines, by the line of its last method and its end.

    Python names the line of `.theorem(` in `page.at(...).theorem(...)`; the expression begins before.
    """
    found: dict[Range, int] = {}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found[node.func.end_lineno, node.end_lineno] = node.lineno
    return found


def _holds(lines: Range, line: int) -> bool:
    return lines[0] <= line <= lines[1]


def _around(path: Path, ranges: list[Range]) -> list[Range]:
    """The comprehensions that these lines are an element of: from Python 3.12 on they have no frame of their own."""
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    nodes = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, kinds)]
    found = [(node.lineno, node.end_lineno or node.lineno) for node in nodes]
    return [(first, last) for first, last in found if any(first <= low and high <= last for low, high in ranges)]


def test_every_claim_and_chapter_has_a_line(imported: tuple[Paper, object]) -> None:
    paper, _ = imported
    assert list(lines_of(paper)) == list(paper.files)
    assert set(paper.files) == {*paper.claims, *paper.chapters}


def test_the_line_is_in_a_call_that_ran_while_the_claim_was_made(
    imported: tuple[Paper, dict[str, dict[str, list[Range]]]],
) -> None:
    paper, calls = imported
    lines = lines_of(paper)
    beginnings = {path: _beginnings(paper.folder / path) for path in set(paper.files.values())}
    wrong = []
    for claim_id in paper.claims:
        path = paper.files[claim_id]
        ranges = [(beginnings[path].get(r, r[0]), r[1]) for r in calls[claim_id].get(path, ())]
        if not any(_holds(r, lines[claim_id]) for r in ranges):
            ranges += _around(paper.folder / path, ranges)
        if not any(_holds(r, lines[claim_id]) for r in ranges):
            wrong.append((claim_id, path, lines[claim_id], ranges))
    assert wrong == []


def test_a_call_that_names_the_id_begins_at_the_line(imported: tuple[Paper, object]) -> None:
    """Nine of ten claims are written out: their ids stand in the call."""
    paper, _ = imported
    lines, written = lines_of(paper), 0
    trees = {path: ast.parse((paper.folder / path).read_bytes()) for path in set(paper.files.values())}
    for claim_id in paper.claims:
        tree, line = trees[paper.files[claim_id]], lines[claim_id]
        at_line = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.lineno == line]
        constants = {n.value for call in at_line for n in ast.walk(call) if isinstance(n, ast.Constant)}
        written += claim_id in constants
    assert written > 0.85 * len(paper.claims)


def test_a_chapter_is_made_on_its_line(imported: tuple[Paper, object]) -> None:
    paper, _ = imported
    lines = lines_of(paper)
    for name in paper.chapters:
        text = (paper.folder / paper.files[name]).read_text(encoding="utf-8").splitlines()
        assert "Chapter(" in text[lines[name] - 1]
        assert any(f'"{name.removeprefix(CHAPTER)}"' in t for t in text[lines[name] - 1 : lines[name] + 2])


def test_two_imports_of_the_same_files_give_the_same_lines(imported: tuple[Paper, object]) -> None:
    paper, _ = imported
    other = load(ROOT / "derivations")
    assert lines_of(other) == lines_of(paper)
    assert other.files == paper.files
