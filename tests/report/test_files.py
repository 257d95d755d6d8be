"""Writing a report: all of it or none of it, and never someone else's files."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.errors import InputError
from rgm_verify.report import digests as memory_module
from rgm_verify.report import render_report, write, write_report
from rgm_verify.report.changes import Changes
from rgm_verify.report.files import replace_files


def _contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _fails_at(monkeypatch: pytest.MonkeyPatch, name: str, call: int) -> None:
    """Let the `call`-th use of `os.<name>` fail for want of room."""
    true, calls = getattr(os, name), []

    def failing(*arguments, **settings):
        calls.append(arguments)
        if len(calls) == call:
            raise OSError(errno.ENOSPC, "No space left on device", str(arguments[0]))
        return true(*arguments, **settings)

    monkeypatch.setattr(os, name, failing)


@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_failed_replacement_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int):
    replace_files(tmp_path, {"a": b"old", "b/c": b"old"})
    _fails_at(monkeypatch, "replace", call)
    with pytest.raises(InputError, match="No space left on device"):
        replace_files(tmp_path, {"a": b"new", "b/c": b"new", "d/e": b"new"})
    assert _contents(tmp_path) == {"a": b"old", "b/c": b"old"}
    assert not (tmp_path / "d").exists()


def test_no_room_for_staging_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    replace_files(tmp_path, {"a": b"old", "b": b"old"})
    true = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.name.startswith(".b"):
            true(self, data[:1])
            raise OSError(errno.ENOSPC, "No space left on device", str(self))
        return true(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"could not be written \(No space left on device.*nothing was changed"):
        replace_files(tmp_path, {"a": b"new", "b": b"new"}, stale=["a"])
    assert _contents(tmp_path) == {"a": b"old", "b": b"old"}


def test_a_report_that_fails_leaves_the_old_report(
    examples: ModuleType, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write_report(examples.ledger([examples.claim("x:one", "proved")]), tmp_path)
    before = _contents(tmp_path)
    _fails_at(monkeypatch, "replace", 9)
    with pytest.raises(InputError):
        write_report(ledger, tmp_path)
    assert _contents(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(ledger: Ledger, tmp_path: Path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="could not be written"):
        write_report(ledger, tmp_path / "report")


def test_a_file_in_the_place_of_the_folder_is_named(ledger: Ledger, tmp_path: Path):
    (tmp_path / "report").write_text("mine")
    with pytest.raises(InputError, match="give a folder"):
        write_report(ledger, tmp_path / "report")
    with pytest.raises(InputError, match="could not be written"):
        write_report(ledger, tmp_path / "report" / "below")
    assert _contents(tmp_path) == {"report": b"mine"}


def test_a_readme_of_someone_else_is_never_replaced(ledger: Ledger, tmp_path: Path):
    (tmp_path / "README.md").write_text("# My project\n")
    with pytest.raises(InputError, match="give another folder"):
        write_report(ledger, tmp_path)
    assert _contents(tmp_path) == {"README.md": b"# My project\n"}


def test_pages_and_certificates_of_claims_that_are_gone_are_removed(
    examples: ModuleType, ledger: Ledger, tmp_path: Path
):
    write_report(ledger, tmp_path, certificates={"theorem-1-corrected.json": b"{}"})
    (tmp_path / "site/claim/.x.html.rgm-verify-new").write_bytes(b"left by a killed run")
    small = examples.ledger([examples.claim("x:one", "proved")])
    write_report(small, tmp_path)
    write_report(small, tmp_path.parent / "fresh")
    assert _contents(tmp_path) == _contents(tmp_path.parent / "fresh")


def test_files_in_a_folder_that_is_not_a_report_stay(ledger: Ledger, tmp_path: Path):
    (tmp_path / "certificates").mkdir()
    (tmp_path / "certificates" / "diploma.pdf").write_bytes(b"mine")
    write_report(ledger, tmp_path)
    assert (tmp_path / "certificates" / "diploma.pdf").read_bytes() == b"mine"


def test_a_certificate_of_an_earlier_run_is_kept_and_linked(ledger: Ledger, tmp_path: Path):
    write_report(ledger, tmp_path, certificates={"theorem-1-corrected.json": b"{}"})
    first = _contents(tmp_path)
    write_report(ledger, tmp_path)
    assert _contents(tmp_path) == first


def test_an_unchanged_report_touches_no_file(ledger: Ledger, tmp_path: Path):
    paths = write_report(ledger, tmp_path)
    before = {p: p.stat().st_mtime_ns for p in paths}
    assert write_report(ledger, tmp_path) == paths
    assert {p: p.stat().st_mtime_ns for p in paths} == before


@pytest.mark.parametrize("name", ["../evil.json", "/etc/passwd", "a/b", "", ".hidden"])
def test_a_certificate_is_a_plain_file_name(ledger: Ledger, tmp_path: Path, name: str):
    with pytest.raises(InputError, match="plain file name"):
        write_report(ledger, tmp_path / "report", certificates={name: b""})
    assert not (tmp_path / "report").exists()


# ------------------------------------------------------------------------------------------- what was made before


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[Ledger]:
    """The ledgers that are rendered, in the order in which they are."""
    true, rendered = write.render_report, []

    def counted(ledger: Ledger, **settings):
        rendered.append(ledger)
        return true(ledger, **settings)

    monkeypatch.setattr(write, "render_report", counted)
    return rendered


def test_a_report_that_is_as_it_was_made_is_not_rendered_again(ledger: Ledger, tmp_path: Path, renderings):
    memory, folder = tmp_path / "memory.json", tmp_path / "report"
    first = write_report(ledger, folder, memory=memory)
    before = _contents(folder)
    assert write_report(ledger, folder, memory=memory) == first
    assert len(renderings) == 1
    assert _contents(folder) == before == render_report(ledger)


def _another_title(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    return {"ledger": msgspec.structs.replace(ledger, title="Another")}


def _another_certificate(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    return {"certificates": {"new.json": b"{}"}}


def _an_earlier_ledger(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    return {"since": Changes()}


def _a_changed_page(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "site" / "index.html").write_text("changed")
    return {}


def _a_removed_page(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "site" / "claims.html").unlink()
    return {}


def _a_page_of_a_claim_that_is_gone(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "site" / "claim" / "gone.html").write_text("old")
    return {}


def _another_version_of_a_library(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory_module, "version", lambda name: "0")
    return {}


def _a_damaged_memory(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder.parent / "memory.json").write_text('{"origin": ')
    return {}


@pytest.mark.parametrize(
    "change",
    [
        _another_title,
        _another_certificate,
        _an_earlier_ledger,
        _a_changed_page,
        _a_removed_page,
        _a_page_of_a_claim_that_is_gone,
        _another_version_of_a_library,
        _a_damaged_memory,
    ],
)
def test_whatever_changed_is_rendered_again(
    ledger: Ledger, tmp_path: Path, renderings, monkeypatch: pytest.MonkeyPatch, change
):
    memory, folder = tmp_path / "memory.json", tmp_path / "report"
    write_report(ledger, folder, memory=memory)
    arguments = {"ledger": ledger} | change(ledger, folder, monkeypatch)
    write_report(**arguments, folder=folder, memory=memory)
    assert len(renderings) == 2
    plain = {name: arguments.get(name) for name in ("since",)} | {"certificates": arguments.get("certificates", {})}
    assert _contents(folder) == render_report(arguments["ledger"], **plain)
