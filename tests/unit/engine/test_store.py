"""The evidence store: complete files or none, and a clear way out of every damage."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import Result

from rgm_verify.engine.store import Store, StoreError
from rgm_verify.errors import InputError

KEY, OTHER = "a" * 64, "b" * 64
RECORD = {"claim": "p:one", "evidence": [{"summary": "é", "value": 1}]}
Folder = Callable[..., Path]
Rgm = Callable[..., Result]
CLAIM = "A = claim('a', ge(1 + x, 1), mutants=(Mutant('m', ge(x, 1)),))\n"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.read("p:one", KEY) is None
    store.write("p:one", KEY, RECORD)
    assert store.read("p:one", KEY) == RECORD
    assert store.read("p:one", OTHER) is None
    assert store.repair() == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_not_written(tmp_path: Path, value: float) -> None:
    store = Store(tmp_path)
    store.write("p:one", KEY, RECORD)
    with pytest.raises(ValueError, match="JSON compliant"):
        store.write("p:one", OTHER, {"value": value})
    assert store.read("p:one", KEY) == RECORD
    assert len(list((tmp_path / "evidence").iterdir())) == 1


def test_a_record_belongs_to_its_key_even_where_the_names_of_two_files_begin_alike(tmp_path: Path) -> None:
    store, alike = Store(tmp_path), KEY[:24] + "c" * 40
    store.write("p:one", KEY, RECORD)
    assert store.path("p:one", alike) == store.path("p:one", KEY)
    with pytest.raises(StoreError, match="the checksum does not match"):
        store.read("p:one", alike)
    moved = store.path("p:one", OTHER)
    store.path("p:one", KEY).rename(moved)
    assert [path.suffix for path in store.repair()] == [".damaged"]


def test_only_the_newest_record_of_a_claim_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for claim_id, key in (("p:one", KEY), ("p:one-more", KEY), ("p:one", OTHER)):
        store.write(claim_id, key, RECORD)
    assert [p.name for p in sorted((tmp_path / "evidence").iterdir())] == [
        f"p=one--{OTHER[:24]}.json",
        f"p=one-more--{KEY[:24]}.json",
    ]


DAMAGE: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("empty", lambda _: b""),
    ("half-written", lambda data: data[: len(data) // 2]),
    ("no text", lambda _: b"\xff\xfe\x00"),
    ("no record", lambda _: b"{}"),
    ("a list", lambda _: b"[]"),
    ("a changed value", lambda data: data.replace(b'"value": 1', b'"value": 2')),
    ("a changed checksum", lambda data: data.replace(b'"checksum": "', b'"checksum": "0')),
    ("another key", lambda data: data.replace(KEY.encode(), OTHER.encode())),
    ("not a number", lambda data: data.replace(b'"value": 1', b'"value": NaN')),
    ("a bottomless list", lambda _: b"[" * 100_000),
]


@pytest.mark.parametrize("damage", [d[1] for d in DAMAGE], ids=[d[0] for d in DAMAGE])
def test_a_damaged_record_is_an_error_that_names_the_file_and_the_way_out(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    store = Store(tmp_path)
    store.write("p:one", KEY, RECORD)
    path = store.path("p:one", KEY)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(StoreError, match="--repair") as error:
        store.read("p:one", KEY)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("damage", [d[1] for d in DAMAGE], ids=[d[0] for d in DAMAGE])
def test_repair_sets_damaged_records_aside_and_keeps_the_others(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    store = Store(tmp_path)
    store.write("p:one", KEY, RECORD)
    store.write("p:two", KEY, RECORD)
    path = store.path("p:one", KEY)
    broken = damage(path.read_bytes())
    path.write_bytes(broken)
    (aside,) = store.repair()
    assert aside.read_bytes() == broken
    assert store.read("p:one", KEY) is None
    assert store.read("p:two", KEY) == RECORD
    assert store.repair() == []


def as_first_layout(path: Path) -> bytes:
    """A file as versions before the second layout wrote it."""
    data = json.loads(path.read_bytes())
    body = json.dumps(data["record"], sort_keys=True).encode()
    return json.dumps({"key": data["key"], "checksum": sha256(body).hexdigest(), "record": data["record"]}).encode()


def as_later_layout(path: Path) -> bytes:
    data = json.loads(path.read_bytes())
    content = {"format": "rgm-verify store 9", "key": data["key"], "record": data["record"]}
    checksum = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return json.dumps({"checksum": checksum, **content}, sort_keys=True).encode()


@pytest.mark.parametrize("other", [as_first_layout, as_later_layout])
def test_a_record_in_another_layout_is_counted_and_not_used(tmp_path: Path, other: Callable[[Path], bytes]) -> None:
    store = Store(tmp_path)
    store.write("p:one", KEY, RECORD)
    store.write("p:two", KEY, RECORD)
    assert store.other_layouts() == 0
    path = store.path("p:one", KEY)
    path.write_bytes(other(path))
    assert (store.other_layouts(), store.read("p:one", KEY), store.repair()) == (1, None, [])
    path.write_bytes(path.read_bytes().replace(b'"value": 1', b'"value": 2'))
    with pytest.raises(StoreError, match="the checksum does not match"):
        store.read("p:one", KEY)
    store.write("p:one", KEY, RECORD)
    assert (store.other_layouts(), store.read("p:one", KEY)) == (0, RECORD)


def test_what_was_set_aside_is_never_overwritten(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for text in ("one", "two"):
        store.path("p:one", KEY).parent.mkdir(exist_ok=True)
        store.path("p:one", KEY).write_text(text)
        (aside,) = store.repair()
        assert aside.read_text() == text
    assert len(list((tmp_path / "evidence").iterdir())) == 2


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        Store(tmp_path / "file").write("p:one", KEY, RECORD)
    with pytest.raises(StoreError, match="cannot be read"):
        Store(tmp_path / "file").read("p:one", KEY)


# ------------------------------------------------------------------------------------------------ through the command


@pytest.mark.usefixtures("threads")
def test_a_damaged_store_is_exit_two_and_repair_goes_on(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    place = folder(a=CLAIM)
    assert rgm("run", "--claims", place).exit_code == 0
    (record,) = (tmp_path / ".rgm_verify" / "evidence").iterdir()
    good = record.read_bytes()
    record.write_bytes(good[:-20])
    for command in (("run",), ("show", "a"), ("report",)):
        result = rgm(*command, "--claims", place)
        assert (result.exit_code, record.name in result.stderr, "--repair" in result.stderr) == (2, True, True)
    result = rgm("run", "--claims", place, "--repair", "--json")
    assert result.exit_code == 0
    assert "set aside: " in result.stderr
    assert json.loads(result.stdout)["fresh"] == 0
    assert record.read_bytes() == good
    assert record.with_name(f"{record.name}.damaged").read_bytes() == good[:-20]


@pytest.mark.usefixtures("threads")
def test_a_store_of_another_version_is_said_and_judged_again(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    place = folder(a=CLAIM)
    assert rgm("run", "--claims", place).exit_code == 0
    (record,) = (tmp_path / ".rgm_verify" / "evidence").iterdir()
    good = record.read_bytes()
    record.write_bytes(as_first_layout(record))
    result = rgm("run", "--claims", place, "--json")
    assert (result.exit_code, json.loads(result.stdout)["fresh"]) == (0, 0)
    assert "1 file is in the layout of another version" in result.stderr
    assert record.read_bytes() == good
    assert "another version" not in rgm("run", "--claims", place).stderr


@pytest.mark.usefixtures("threads")
def test_a_full_disk_is_exit_two_and_loses_nothing(
    folder: Folder, rgm: Rgm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder(a=CLAIM)
    assert rgm("run", "--claims", place).exit_code == 0
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    (place / "b.py").write_text((place / "a.py").read_text().replace("'a'", "'b'"))

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        result = rgm("run", "--claims", place)
    assert (result.exit_code, "No space left on device" in result.stderr) == (2, True)
    assert {p: p.read_bytes() for p in before} == before
    assert not list(tmp_path.rglob(".writing-*"))
    assert rgm("run", "--claims", place, "--json").exit_code == 0


@pytest.mark.usefixtures("threads")
def test_no_space_for_the_report_is_exit_two_and_keeps_the_evidence(
    folder: Folder, rgm: Rgm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder(a=CLAIM)
    original = os.replace

    def full(source: str, target: str, **rest: object) -> None:
        if "reports" in str(target):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        original(source, target, **rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        result = rgm("run", "--claims", place)
    assert (result.exit_code, "No space left" in result.stderr) == (2, True), result.stderr
    assert json.loads(rgm("run", "--claims", place, "--json").stdout)["fresh"] == 1


def test_an_unwritable_place_is_refused_before_the_work(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    place = folder(a=CLAIM)
    result = rgm("run", "--claims", place, "--out", tmp_path / "taken" / "below")
    assert (result.exit_code, "not a writable folder; choose another with --out" in result.stderr) == (2, True)
    assert not (tmp_path / ".rgm_verify").exists()


@pytest.mark.usefixtures("threads")
def test_an_unwritable_store_is_exit_two(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    result = rgm("run", "--claims", folder(a=CLAIM), "--store", tmp_path / "taken")
    assert (result.exit_code, str(tmp_path / "taken") in result.stderr) == (2, True)
