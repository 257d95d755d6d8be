"""Files that appear complete or not at all, whatever interrupts the writing, and files read within bounds."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from rgm_verify.errors import InputError

#: More bytes than this are not read of a TOML file.
MAXIMUM_TOML = 5_000_000


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file as a whole: readers never see half of it. Raises `InputError` as `appearing_whole` does."""
    with appearing_whole(path) as stream:
        stream.write(data)


@contextlib.contextmanager
def appearing_whole(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file, for writing and reading, that takes the place of `path` when the block ends well.

    Until then, and where the block raises, what was at `path` stays, and the new file is removed. It lies in the same
    folder, which is made if need be, and is on the disk before it is renamed. Processes that write one path at once
    have a file each, and the last one to finish stays. Raises `InputError` where the system refuses.
    """
    temporary = path.parent / f".writing-{secrets.token_hex(8)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("x+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); choose a writable folder with enough space"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def read_within(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    `InputError` names the file and what is wrong, also for a folder, a pipe, a device or a circle of links, none of
    which is opened for reading. A file that is not there is a `FileNotFoundError`.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path}: not a regular file; give a file")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError(f"{path}: cannot be read ({error})") from error
    if len(data) > most:
        raise InputError(f"{path}: {max(found.st_size, len(data))} bytes: at most {most} are read")
    return data


def read_toml(path: Path) -> dict[str, Any] | None:
    """Return what a small TOML file holds, None where there is none; `InputError` says what is wrong with it."""
    advice = "correct it, or remove it (it is optional)"
    try:
        return tomllib.loads(read_within(path, MAXIMUM_TOML).decode())
    except FileNotFoundError:
        if not path.is_symlink():
            return None
        raise InputError(f"{path.name}: it is a link to nothing; {advice}") from None
    except RecursionError:
        raise InputError(f"{path.name}: nested too deeply; {advice}") from None
    except ValueError as error:  # an InputError, what is no TOML, what is no text, an integer that Python does not read
        raise InputError(f"{path.name}: {error}; {advice}") from error


def set_aside(path: Path, word: str = "damaged") -> Path:
    """Rename a file or folder to the first free name of PATH.word, PATH.word-2, ... and return it.

    Nothing is ever overwritten, also where several processes do it at once. `InputError` where the system refuses.
    """
    try:
        for number in itertools.count(1):
            free = path.with_name(f"{path.name}.{word}" + (f"-{number}" if number > 1 else ""))
            make, unmake = (free.mkdir, free.rmdir) if path.is_dir() else (free.touch, free.unlink)
            try:
                make(exist_ok=False)  # the name is ours from here on
            except FileExistsError:
                continue
            try:
                path.replace(free)
            except OSError:
                unmake()
                raise
            return free
    except OSError as error:
        raise InputError(f"{path}: cannot be set aside ({error.strerror or error}); move it away by hand") from error
    raise AssertionError("unreachable: the numbers do not end")
