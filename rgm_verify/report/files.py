"""Writing a folder of files so that it is the old one or the new one, and a file is never half of either.

A report has a thousand files, and a run may be cut off between two of them. So all new files are staged
beside their targets under names that no reader takes for pages, and then moved one by one, which is
quick and cannot fail halfway into a file.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rgm_verify.errors import InputError

#: What the names of staged files hold: one that is still there after a run was left by a killed one.
UNFINISHED = ".rgm-verify-"
_NEW, _OLD = f"{UNFINISHED}new", f"{UNFINISHED}old"


@dataclass(frozen=True)
class _Staged:
    """A file on its way: `new` lies beside `target`, and `old` is a copy of what the target held.

    `old` is None where there was no file.
    """

    target: Path
    new: Path
    old: Path | None


def replace_files(folder: Path, files: Mapping[str, bytes], *, stale: Iterable[str] = ()) -> list[Path]:
    """Put `files` (relative name to content) into `folder`, then remove the `stale` ones; returns the written paths.

    Everything is staged beside its target first; then each target is replaced atomically, files that already hold
    the same bytes are left alone, and a failure puts back what had been replaced. `InputError` says which file
    could not be written and why. A killed process may leave some targets new and others old, each of them whole, with
    staged files beside them; the next report removes these.

    Args:
        folder: The folder, which is made if need be.
        files: Content by name.
        stale: Names of files that go.

    Returns:
        The paths of all of `files`, those that were left alone included, sorted by name.

    Raises:
        InputError: With the file and the reason; the folder is as it was.
    """
    staged: list[_Staged] = []
    made: list[Path] = []
    try:
        # All the writing first: a full disk is noticed while nothing has been replaced.
        for name in sorted(files):
            _make_folder((folder / name).parent, made)
            _stage(folder / name, files[name], staged)
        _swap(staged)
    except OSError as error:
        _discard(staged, made)
        raise _explained(folder, error) from error
    _discard(staged, [])
    # Last: until the new pages are there, the old ones are what their links lead to.
    for name in sorted(stale):
        _remove(folder, name)
    return [folder / name for name in sorted(files)]


def _explained(folder: Path, error: OSError) -> InputError:
    """Return the error for a reader: what was not possible, where, and what to do."""
    reason = error.strerror or str(error)
    where = error.filename or folder
    return InputError(
        f"folder={str(folder)!r}: the report could not be written ({reason}: {where}); nothing was changed. "
        "Give a folder on a disk with room that you may write to"
    )


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder with all above it, and note those that are new."""
    missing = [p for p in (folder, *folder.parents) if not p.exists()]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        made.append(path)


def _stage(target: Path, content: bytes, staged: list[_Staged]) -> None:
    """Write a file beside its target, with a copy of the old one, unless the target holds the same."""
    exists = target.exists()
    # A file that keeps its time of change spares whoever copies the report.
    if exists and target.read_bytes() == content:
        return
    # In the folder of the target: only within one file system is a move atomic.
    new = target.with_name(f".{target.name}{_NEW}")
    old = target.with_name(f".{target.name}{_OLD}") if exists else None
    staged.append(_Staged(target, new, old))
    # Not atomically by itself: the move does that, for all files after all are written.
    new.write_bytes(content)
    if old is not None:
        shutil.copyfile(target, old)


def _swap(staged: list[_Staged]) -> None:
    """Move all staged files to their targets; put back what was moved if one of them fails."""
    done: list[_Staged] = []
    try:
        for item in staged:
            item.new.replace(item.target)
            done.append(item)
    except OSError:
        # Backwards, so that the folder goes through the same states on its way back.
        for item in reversed(done):
            _put_back(item)
        raise


def _put_back(item: _Staged) -> None:
    """Undo one replacement."""
    # There was nothing before, and so nothing may stay.
    if item.old is None:
        item.target.unlink(missing_ok=True)
    else:
        item.old.replace(item.target)


def _discard(staged: list[_Staged], made: list[Path]) -> None:
    """Remove staged files and new folders as far as that is possible."""
    for item in staged:
        for path in (item.new, item.old):
            if path is not None:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
    for folder in reversed(made):
        with suppress(OSError):
            folder.rmdir()


def _remove(folder: Path, name: str) -> None:
    """Remove an outdated file, and the folders that are empty then."""
    path = folder / name
    try:
        path.unlink(missing_ok=True)
        for parent in path.relative_to(folder).parents:
            # Never the folder of the report itself, which has no parts.
            if parent.parts and not any((folder / parent).iterdir()):
                (folder / parent).rmdir()
    except OSError as error:
        raise InputError(
            f"folder={str(folder)!r}: the report was written, but the outdated file {name} could not be removed "
            f"({error.strerror}); remove it by hand"
        ) from error
