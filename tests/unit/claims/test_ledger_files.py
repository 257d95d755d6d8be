"""A ledger as a folder: read as it was written, and refused by name where anything is missing, mixed or altered."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rgm_verify.claims.outcome.ledger import FORMAT, ClaimEntry, EarlierLedger, Ledger, LedgerError, decode, encode
from rgm_verify.claims.outcome.ledger_files import INDEX, encode_files, part_name, read_ledger, read_one
from rgm_verify.claims.written.lines import in_lines
from rgm_verify.report.files import replace_files


def claim(identifier: str, file: str, title: str = "One") -> ClaimEntry:
    empty: dict[str, Any] = {
        f.name: "" if f.type is str else [] for f in msgspec.structs.fields(ClaimEntry) if f.name != "witness"
    }
    changes = {"id": identifier, "file": file, "title": title, "scope": "statement", "verdict": "proved"}
    return ClaimEntry(**(empty | {"witness": None} | changes))


def ledger(*claims: ClaimEntry) -> Ledger:
    return Ledger(
        format=FORMAT,
        title="T",
        profile="quick",
        versions={"sympy": "1.14"},
        counts={"proved": len(claims)},
        claims=list(claims),
        entries=[],
    )


#: Claims of one file do not follow each other.
WHOLE = ledger(claim("p:a", "a.py"), claim("p:b", "deep/index.py"), claim("p:c", "a.py"), claim("p:d", "index.py"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    replace_files(tmp_path / "ledger", encode_files(WHOLE))
    return tmp_path / "ledger"


def test_a_folder_is_read_as_it_was_written(folder: Path) -> None:
    assert read_ledger(folder) == WHOLE
    assert {p.relative_to(folder).as_posix() for p in folder.rglob("*.json")} == {
        INDEX,
        "a.py.json",
        "deep/index.py.json",
        "index.py.json",
    }
    assert decode(encode(read_ledger(folder)), name="whole") == WHOLE


def test_one_claim_is_read_from_its_file_alone(folder: Path) -> None:
    (folder / "deep" / "index.py.json").unlink()
    found = read_one(folder, "p:c")
    assert found is not None
    assert found.claims == [WHOLE.claims[2]]
    assert (found.entries, found.versions) == (WHOLE.entries, WHOLE.versions)
    assert read_one(folder, "p:z") is None
    with pytest.raises(LedgerError, match=r"deep/index\.py\.json: missing"):
        read_one(folder, "p:b")


def _missing(folder: Path) -> str:
    (folder / "a.py.json").unlink()
    return "a.py.json: missing"


def _no_index(folder: Path) -> str:
    (folder / INDEX).unlink()
    return f"{INDEX}: missing"


def _of_another_ledger(folder: Path) -> str:
    other = encode_files(ledger(claim("p:a", "a.py", "Two"), claim("p:c", "a.py")))
    (folder / "a.py.json").write_bytes(other["a.py.json"])
    return "a.py.json: of another ledger than index.json"


def _of_another_file(folder: Path) -> str:
    (folder / "a.py.json").write_bytes((folder / "index.py.json").read_bytes())
    return "a.py.json: of another ledger"


def _left_over(folder: Path) -> str:
    (folder / "gone.py.json").write_bytes((folder / "a.py.json").read_bytes())
    return "gone.py.json: the index does not name it"


def _index_of_another(folder: Path) -> str:
    (folder / INDEX).write_bytes(encode_files(ledger(*WHOLE.claims[:2]))[INDEX])
    return "index.py.json: the index does not name it"


def _altered(folder: Path) -> str:
    path = folder / "a.py.json"
    path.write_bytes(path.read_bytes().replace(b'"proved"', b'"certified"'))
    return "a.py.json: altered since it was written"


def _merged(folder: Path) -> str:
    path = folder / "a.py.json"
    path.write_bytes(path.read_bytes().replace(b' "claims"', b'<<<<<<< ours\n "claims"'))
    return "a.py.json: not a ledger: it holds the marks of a merge"


def _a_folder_instead(folder: Path) -> str:
    (folder / "a.py.json").unlink()
    (folder / "a.py.json").mkdir()
    return "a.py.json: not a regular file"


@pytest.mark.parametrize(
    "break_it",
    [
        _missing,
        _no_index,
        _of_another_ledger,
        _of_another_file,
        _left_over,
        _index_of_another,
        _altered,
        _merged,
        _a_folder_instead,
    ],
)
def test_what_does_not_belong_together_is_refused_by_name(folder: Path, break_it: Callable[[Path], str]) -> None:
    words = break_it(folder)
    with pytest.raises(LedgerError) as caught:
        read_ledger(folder)
    assert str(caught.value).startswith(f"{folder}/{words}")
    assert "let `rgm-verify report` write it anew" in str(caught.value)


def test_a_ledger_of_an_earlier_version_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_ledger(tmp_path / "ledger")
    (tmp_path / "ledger.json").write_bytes(b'{"format": "rgm-verify ledger 4"}')
    with pytest.raises(EarlierLedger, match=r"ledger\.json: format 'rgm-verify ledger 4' of an earlier version"):
        read_ledger(tmp_path / "ledger")


def test_a_folder_of_an_earlier_version_is_an_earlier_ledger_and_not_a_damaged_one(folder: Path) -> None:
    earlier = re.sub(rb"rgm-verify ledger \d+, index", b"rgm-verify ledger 5, index", (folder / INDEX).read_bytes())
    (folder / INDEX).write_bytes(earlier)
    with pytest.raises(EarlierLedger, match="format 'rgm-verify ledger 5, index' of an earlier version"):
        read_ledger(folder)
    (folder / INDEX).write_bytes(earlier.replace(b"ledger 5, index", b"ledger 99, index"))
    with pytest.raises(LedgerError) as later:
        read_ledger(folder)
    assert not isinstance(later.value, EarlierLedger)


def test_a_part_is_not_read_as_a_whole_ledger(folder: Path) -> None:
    with pytest.raises(LedgerError, match="this version reads 'rgm-verify ledger 8'"):
        decode((folder / INDEX).read_bytes(), name=INDEX)


@pytest.mark.parametrize("file", ["", "/a.py", "../a.py", "b/../../a.py", "b//a.py", "b\\a.py", "b/\n.py", "."])
def test_a_path_that_leads_out_of_the_folder_is_refused(file: str) -> None:
    with pytest.raises(LedgerError, match="not the path of a file below a folder of claims"):
        part_name(file)


def test_a_change_of_one_claim_is_a_short_diff() -> None:
    before = encode_files(WHOLE)
    changed = msgspec.structs.replace(WHOLE.claims[2], title="Another")
    after = encode_files(msgspec.structs.replace(WHOLE, claims=[*WHOLE.claims[:2], changed, WHOLE.claims[3]]))
    assert [name for name in before if before[name] != after[name]] == [INDEX, "a.py.json"]
    for name in (INDEX, "a.py.json"):
        lines = zip(before[name].splitlines(), after[name].splitlines(), strict=True)
        assert sum(a != b for a, b in lines) == 2  # what changed, and the digest


def test_each_item_of_a_list_has_a_line_however_long_it_is() -> None:
    value = {"items": ["x" * 1_000, {"é": None, "a": [1, 2]}], "one": {"b": 1, "a": []}, "none": []}
    assert in_lines(value).decode().splitlines() == [
        "{",
        ' "items": [',
        f'  "{"x" * 1_000}",',
        '  {"a":[1,2],"é":null}',
        " ],",
        ' "none": [],',
        ' "one": {"a":[],"b":1}',
        "}",
    ]
    assert msgspec.json.decode(in_lines(value)) == value
