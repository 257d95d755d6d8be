"""Files that appear complete or not at all, whatever interrupts the writing, and files read within bounds.

The one idea: a file is written beside its place, brought to the disk, and renamed, which a system of files does in one
step. So a reader meets the old file or the new one. Reading is bounded because files come from elsewhere: a device has
no end, a pipe none in sight.
"""

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
    """Write a file as a whole: readers never see half of it.

    Args:
        path: the file; its folder is made if need be, and a file that is there is replaced.
        data: the content, all of it.

    Raises:
        InputError: where the system refuses, as `appearing_whole` does.
    """
    with appearing_whole(path) as stream:
        stream.write(data)


@contextlib.contextmanager
def appearing_whole(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file, for writing and reading, that takes the place of `path` when the block ends well.

    Until then, and where the block raises, what was at `path` stays, and the new file is removed. It lies in the same
    folder, which is made if need be, and is on the disk before it is renamed. Processes that write one path at once
    have a file each, and the last one to finish stays.

    Args:
        path: the file to make or to replace.

    Yields:
        An open binary file at its beginning.

    Raises:
        InputError: where the system refuses: no space, no permission. What the block itself raises goes through, but an
            `OSError` of the block counts as the system's.
    """
    # In the same folder, as a rename from another disk would be a copy. A random name, as two processes may write at
    # once.
    temporary = path.parent / f".writing-{secrets.token_hex(8)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("x+b") as stream:
            yield stream
            stream.flush()
            # Else a power cut after the rename could leave an empty file under the right name.
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); choose a writable folder with enough space"
        ) from error
    finally:
        # After a rename there is nothing to remove; where removing fails, the error that is on its way says more.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def read_within(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Args:
        path: the file; a link to a regular file is followed.
        most: the largest allowed number of bytes.

    Raises:
        FileNotFoundError: where there is no file, since that is often no error of the caller's.
        InputError: naming the file and what is wrong with it, also for a folder, a pipe, a device or a circle of links,
            none of which is opened for reading.
    """
    try:
        found = path.stat()
        # Before it is opened: opening a pipe would wait for a writer.
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path}: not a regular file; give a file")
        with path.open("rb") as stream:
            # One byte more than allowed, so that a file that has grown since it was looked at is noticed.
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
    """Return what a small TOML file holds, None where there is none.

    Args:
        path: the file, of at most `MAXIMUM_TOML` bytes.

    Raises:
        InputError: saying what is wrong with it. A link to nothing is an error: whoever set it meant a file.
    """
    advice = "correct it, or remove it (it is optional)"
    try:
        return tomllib.loads(read_within(path, MAXIMUM_TOML).decode())
    except FileNotFoundError:
        if not path.is_symlink():
            return None
        raise InputError(f"{path.name}: it is a link to nothing; {advice}") from None
    # Python's parser is recursive, and a short file of brackets takes all of the stack.
    except RecursionError:
        raise InputError(f"{path.name}: nested too deeply; {advice}") from None
    except ValueError as error:  # an InputError, what is no TOML, what is no text, an integer that Python does not read
        raise InputError(f"{path.name}: {error}; {advice}") from error


def set_aside(path: Path, word: str = "damaged") -> Path:
    """Rename a file or folder to the first free name of PATH.word, PATH.word-2, ... and return it.

    Nothing is ever overwritten, also where several processes do it at once: a name is reserved by making it, which only
    one process can do, and then replaced.

    Args:
        path: the file or folder, which has to be there.
        word: the ending that says why it was set aside.

    Raises:
        InputError: where the system refuses; the file then stays where it is.
    """
    try:
        for number in itertools.count(1):
            free = path.with_name(f"{path.name}.{word}" + (f"-{number}" if number > 1 else ""))
            # A folder can replace an empty folder alone, and a file a file: the placeholder is of the same kind.
            make, unmake = (free.mkdir, free.rmdir) if path.is_dir() else (free.touch, free.unlink)
            try:
                make(exist_ok=False)  # the name is ours from here on
            except FileExistsError:
                continue
            try:
                path.replace(free)
            except OSError:
                # The placeholder would look like something that was set aside.
                unmake()
                raise
            return free
    except OSError as error:
        raise InputError(f"{path}: cannot be set aside ({error.strerror or error}); move it away by hand") from error
    raise AssertionError("unreachable: the numbers do not end")
