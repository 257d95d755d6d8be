"""Files that appear complete or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from rgm_verify.errors import InputError


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it; `InputError` says why it cannot be written."""
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be written ({reason}); choose a writable folder with enough space") from error


def _umask() -> int:
    """The permissions that new files lose in this process; there is no way to ask without setting them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
