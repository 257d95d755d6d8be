"""Files that appear complete or not at all, whatever interrupts the writing: a full disk, a power cut, Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rgm_verify.errors import InputError


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it; `InputError` as `appearing_whole`."""
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
