"""Folders that may hold the files of a data set: the user's folder, `$RGM_VERIFY_DATA`, and the user's cache."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from rgm_verify.errors import InputError, reject

VARIABLE = "RGM_VERIFY_DATA"
"""The environment variable that names a folder with one subfolder for each data set."""

EXTRA = "pip install 'rgm-verify[experiments]'"
"""The command that installs scikit-learn and platformdirs."""


def data_folder(folder: Path | None) -> Path | None:
    """Return the folder of data: `folder`, else that of `$RGM_VERIFY_DATA`, else None.

    Args:
        folder: as the user has named it, None if nobody has.

    Raises:
        InputError: for one that is named and is no folder: a slip of the pen should not start a download.
    """
    name, chosen = "folder", folder
    if chosen is None:
        value = os.environ.get(VARIABLE, "")
        if not value:
            return None
        name, chosen = VARIABLE, Path(value)
    if not _is(chosen.is_dir, chosen):
        raise reject(name, chosen, "is no folder; it should hold one folder for each data set, such as ijcnn1/")
    return chosen


def cache_folder() -> Path:
    """Return the folder of the user's cache that is ours, whether it exists or not; `InputError` without platformdirs.

    `~/.cache/rgm-verify` on Linux, or under `$XDG_CACHE_HOME`.
    """
    try:
        from platformdirs import user_cache_path
    except ImportError:
        raise InputError(
            f"platformdirs finds the user's cache and is not installed; install it with: {EXTRA}"
        ) from None
    return user_cache_path("rgm-verify", appauthor=False)


def first_existing(folders: list[Path], names: tuple[str, ...]) -> Path | None:
    """Return the first of the files `names` that exists in one of `folders`, earlier folders first, else None.

    Raises `InputError` where the system refuses to say.
    """
    # Folder by folder: a packed copy of the user's own comes before a plain one in the cache.
    candidates = (folder / name for folder in folders for name in names)
    return next((path for path in candidates if _is(path.exists, path)), None)


def _is(question: Callable[[], bool], path: Path) -> bool:
    """Return the answer to a question about a path; `InputError` where the system refuses one."""
    try:
        return question()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be looked at ({reason}); it must lie in a folder that you may read") from None


def read_whole(path: Path, *, largest: int) -> bytes:
    """Return the bytes of a file.

    Args:
        largest: more bytes are not read.

    Raises:
        InputError: if it cannot be read or is larger.
    """
    try:
        # Asked before reading: a wrong path may lead to a file of many gigabytes.
        size = path.stat().st_size
        if size > largest:
            raise InputError(f"{path}: has {size} bytes, more than any file of a data set ({largest})")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be read ({reason}); it must be a file that you may read") from None
