"""An index of a folder: what a command imports is what it needs, and what it says is what a full import gives."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.cli.judging import showing as commands
from rgm_verify.engine import index as index_module
from rgm_verify.engine.discovery import index_of, load, load_part
from rgm_verify.engine.index import keep_index, origin, read_index
from rgm_verify.engine.paper_file import ClaimsFolderError

from .conftest import PAPER

Folder = Callable[..., Path]
Rgm = Callable[..., Any]

PREMISE = "A = claim('a', ge(x + 1, 0))\n"
RESTS = "B = claim('b', ge(x + 2, 0), checks=(Deduction(premises=(Premise('a'),)),), derivation=(Step(claim='a'),))\n"
OTHER = "C = claim('c', ge(x + 3, 0))\n"
ROOT = Path(__file__).resolve().parents[3]


def three(folder: Folder, **changes: str) -> Path:
    return folder(**{"one": PREMISE, "two": RESTS, "three": OTHER} | changes)


def imported() -> set[str]:
    """The files of claims that are imported in this process, without those of the paper."""
    names = (n for n in sys.modules if n.startswith("rgm_verify_claims_") and n.partition(".")[0] != PAPER)
    return {name.rpartition(".")[2] for name in names if "." in name}


def kept(place: Path, store: Path) -> None:
    before = origin(place)
    keep_index(place, store, index_of(load(place)), before)


def test_an_index_is_what_was_imported(folder: Folder, tmp_path: Path) -> None:
    place = three(folder)
    kept(place, tmp_path)
    found = read_index(place, tmp_path)
    assert found == index_of(load(place))
    assert found is not None
    assert {row.id: (row.file, row.rests_on) for row in found.rows} == {
        "a": ("one.py", ()),
        "b": ("two.py", ("a",)),
        "c": ("three.py", ()),
    }
    assert [row.id for row in found.closure(["b"])] == ["a", "b"]
    assert found.leaned_on_by() == {"a": ["b"], "b": [], "c": []}


def test_only_the_files_that_a_claim_rests_on_are_imported(folder: Folder, rgm: Rgm) -> None:
    place = three(folder)
    assert rgm("show", "b", "--claims", place).exit_code == 0
    assert imported() == {"one", "two", "three"}  # there was no index
    for command, files in ((("show", "b"), {"one", "two"}), (("show", "a"), {"one"}), (("list",), set())):
        assert rgm(*command, "--claims", place).exit_code == 0
        assert imported() == files, command


def test_a_run_of_some_claims_imports_their_files_and_a_run_of_all_imports_all(
    folder: Folder, rgm: Rgm, threads: None
) -> None:
    place = three(folder)
    rgm("list", "--claims", place)
    assert rgm("run", "b", "--claims", place).exit_code == 0
    assert imported() == {"one", "two"}
    assert rgm("run", "--claims", place).exit_code == 0
    assert imported() == {"one", "two", "three"}
    three(folder, three=OTHER + "# a comment\n")
    assert rgm("run", "--claims", place).exit_code == 0
    assert rgm("list", "--claims", place).exit_code == 0
    assert imported() == set()  # the run of all has made the index anew


@pytest.mark.parametrize("command", [("list", "--json"), ("show", "b", "--json"), ("run", "b", "--json")])
def test_the_answers_are_those_of_a_full_import(
    folder: Folder, rgm: Rgm, threads: None, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    place = three(folder)
    rgm("run", "--claims", place)
    with monkeypatch.context() as patched:
        patched.setattr(index_module, "read_index", lambda *_: None)
        whole = rgm(*command, "--claims", place).stdout
        assert "three" in imported()
    part = rgm(*command, "--claims", place).stdout
    assert "three" not in imported()
    assert json.loads(part) == json.loads(whole)


BROKEN = {
    "a fault in a file that is not needed": "1/0\n",
    "the same id again": "C = claim('a', ge(x, 0))\n",
    "a claim that rests on nothing": "C = claim('c', ge(x, 0), derivation=(Step(claim='gone'),))\n",
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("command", [("list",), ("show", "b"), ("run", "b"), ("run",)])
def test_a_fault_in_another_file_does_not_hide(folder: Folder, rgm: Rgm, command: tuple[str, ...], kind: str) -> None:
    place = three(folder)
    assert rgm("list", "--claims", place).exit_code == 0
    three(folder, three=BROKEN[kind])
    result = rgm(*command, "--claims", place)
    assert (result.exit_code, "three.py" in result.stderr or "one.py" in result.stderr) == (2, True)


def _edited(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "three.py").write_text((place / "three.py").read_text().replace("x + 3", "x + 4"))


def _comment(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "one.py").write_text((place / "one.py").read_text() + "# more\n")


def _new_file(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "deep").mkdir()
    (place / "deep" / "four.py").write_text("")


def _removed_file(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "three.py").unlink()


def _renamed_file(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "three.py").rename(place / "four.py")


def _data(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "data.json").write_text("{}")


def _title(place: Path, patch: pytest.MonkeyPatch) -> None:
    (place / "paper.toml").write_text("title = 'Another'\n")


def _library(place: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(index_module, "LIBRARY", place.parent / "library")


def _version(place: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(index_module, "versions", lambda: {"sympy": "0"})


def _python(place: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sys, "version", "4.0")


def _other_package(place: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(index_module.metadata, "version", lambda name: "0")


@pytest.mark.parametrize(
    "change",
    [
        _edited,
        _comment,
        _new_file,
        _removed_file,
        _renamed_file,
        _data,
        _title,
        _library,
        _version,
        _python,
        _other_package,
    ],
)
def test_an_index_of_something_else_is_not_used(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    place = three(folder, one="import msgspec\n" + PREMISE)
    kept(place, tmp_path)
    assert read_index(place, tmp_path) is not None
    change(place, monkeypatch)
    assert read_index(place, tmp_path) is None


@pytest.mark.parametrize("damage", [b"", b"[", b"[" * 100_000, b'{"format": "x"}', b"\xff"])
def test_a_damaged_index_is_made_anew(folder: Folder, rgm: Rgm, tmp_path: Path, damage: bytes) -> None:
    place = three(folder)
    first = rgm("list", "--claims", place).stdout
    (path,) = (tmp_path / ".rgm_verify").glob("index-*.json")
    whole = path.read_bytes()
    for content in (damage, whole.replace(b'"one.py"', b'"two.py"')):
        path.write_bytes(content)
        assert rgm("list", "--claims", place).stdout == first
        assert path.read_bytes() == whole


def test_an_index_is_not_kept_where_the_imports_cannot_be_followed(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "of_no_distribution.py").write_text("N = 1\n")
    monkeypatch.syspath_prepend(tmp_path / "beside")
    assert origin(three(folder, three="import importlib\nimportlib.import_module('js' + 'on')\n")) is None
    assert origin(three(folder, three="import of_no_distribution\n")) is None
    assert origin(three(folder, three="if False:\n    import not_installed_at_all\n")) is not None


def test_a_package_that_comes_in_makes_an_index_stale(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = three(folder, three=OTHER + "if False:\n    import installed_later\n")
    kept(place, tmp_path)
    assert read_index(place, tmp_path) is not None
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "installed_later.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path / "beside")
    assert read_index(place, tmp_path) is None


def test_a_file_that_changes_while_it_is_read_leaves_no_index(folder: Folder, tmp_path: Path) -> None:
    place = three(folder)
    before = origin(place)
    found = index_of(load(place))
    (place / "three.py").write_text("")
    keep_index(place, tmp_path, found, before)
    assert list(tmp_path.glob("index-*")) == []


def test_a_store_that_cannot_be_written_makes_no_difference(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert rgm("list", "--claims", three(folder), "--store", tmp_path / "file" / "store").exit_code == 0


def test_a_claim_that_is_gone_from_its_file_is_said(folder: Folder) -> None:
    place = three(folder)
    with pytest.raises(ClaimsFolderError, match=r"one\.py: b is no longer there"):
        load_part(place, {"b": "one.py"})


# ------------------------------------------------------------------------------------------------ what a report says


def test_a_claim_without_evidence_is_shown_as_it_was_reported(folder: Folder, rgm: Rgm, threads: None) -> None:
    place = three(folder)
    show = ("show", "b", "--claims", place, "--out", "report", "--store", "fresh")
    assert "verdict: not judged" in rgm(*show).stdout
    rgm("run", "--claims", place, "--out", "report")
    found = rgm(*show).stdout
    assert "verdict: proved" in found
    assert "as reported with version" in found
    assert "in report/ledger, of this statement" in found
    again = f"rgm-verify run b --claims {place} --store fresh"
    assert f"it or what it rests on was not judged as it stands: `{again}` does so" in found
    three(folder, two=RESTS.replace("x + 2", "x + 5"))
    found = rgm(*show).stdout
    assert "verdict: not judged" in found
    assert "report/ledger has another version of this statement (proved)" in found
    (Path("report") / "ledger" / "two.py.json").write_bytes(b"{")
    damaged = rgm(*show)
    assert (damaged.exit_code, "two.py.json: not a ledger" in damaged.stdout) == (0, True)


def test_formulas_are_shown_as_one_reads_them(folder: Folder, rgm: Rgm) -> None:
    place = three(folder, one="A = claim('a', ge(sympy.sqrt(x + 1) / (x + 2), x**2 - 1), statement='A $x^2$')\n")
    found = rgm("show", "a", "--claims", place).stdout
    assert "A x^2\n" in found
    assert "sqrt(x + 1)/(x + 2) ≥ x^2 - 1\n" in found
    assert "\\" not in found


def test_the_default_report_is_that_of_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own, store = tmp_path / "own", tmp_path / "store"
    assert commands._places_of_report(None, None, store) == [Path("reports"), ROOT / "reports", ROOT / "_reports"]
    assert commands._places_of_report(tmp_path, None, store) == [tmp_path]
    assert commands._places_of_report(None, own, store) == [Path("reports-own")]
    commands.remember_report(store, own, tmp_path / "elsewhere")
    assert commands._places_of_report(None, own, store) == [Path("reports-own"), tmp_path / "elsewhere"]
    assert commands._places_of_report(tmp_path, own, store) == [tmp_path]
    assert commands._places_of_report(None, None, store) == [Path("reports"), ROOT / "reports", ROOT / "_reports"]
