"""Files that are there whole or not at all, and nothing else beside them, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import appearing_whole, read_within, set_aside, write_atomically


def test_a_file_takes_the_place_of_another_one_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"
    for data in (b"old and longer", b"new"):
        write_atomically(path, data)
        assert path.read_bytes() == data
        assert list(path.parent.iterdir()) == [path]


def test_nothing_is_to_be_seen_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with appearing_whole(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.seek(0)
        assert stream.read() == b"half"
    assert path.read_bytes() == b"half"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\).*enough space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_write_leaves_the_old_file_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, raised: type[BaseException]
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def interrupted(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(os, call, interrupted)
    with pytest.raises(raised):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_block_that_fails_leaves_nothing_and_its_error_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mine"), appearing_whole(tmp_path / "file"):
        raise ValueError("mine")
    assert list(tmp_path.iterdir()) == []


def test_two_writers_of_one_path_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with appearing_whole(path) as first:
        first.write(b"first")
        write_atomically(path, b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    write_atomically(tmp_path / "one", b"")
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"below: cannot be written \(.*\); choose a writable folder"):
        write_atomically(tmp_path / "file" / "below", b"")


@given(words=st.lists(st.sampled_from(["damaged", "earlier"]), min_size=1, max_size=6))
def test_what_is_set_aside_is_renamed_and_never_overwritten(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "ledger.json"
        aside = []
        for number, word in enumerate(words):
            path.write_text(str(number))
            aside.append(set_aside(path, word))
            assert not path.exists()
        assert [p.read_text() for p in aside] == [str(number) for number in range(len(words))]
        assert all(p.name.startswith(f"ledger.json.{word}") for p, word in zip(aside, words, strict=True))
        assert sorted(Path(name).iterdir()) == sorted(aside)


def test_a_folder_is_set_aside_as_well(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / "f").mkdir()
        (tmp_path / "f" / str(number)).touch()
        set_aside(tmp_path / "f")
    assert (tmp_path / "f.damaged" / "1").exists()
    assert (tmp_path / "f.damaged-2" / "2").exists()


def test_what_cannot_be_set_aside_stays_and_leaves_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_text("text")

    def refuse(*_: object) -> None:
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputError, match="cannot be set aside"):
        set_aside(path)
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_only_a_regular_file_within_its_bound_is_read(tmp_path: Path) -> None:
    """A pipe without a writer would be waited for, for ever."""
    (tmp_path / "file").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert read_within(tmp_path / "file", 5) == b"12345"
    with pytest.raises(InputError, match="5 bytes: at most 4 are read"):
        read_within(tmp_path / "file", 4)
    for name in (".", "pipe", "round", "nul\0"):
        with pytest.raises(InputError, match=r"not a regular file|cannot be read"):
            read_within(tmp_path / name, 100)
    with pytest.raises(FileNotFoundError):
        read_within(tmp_path / "absent", 100)
