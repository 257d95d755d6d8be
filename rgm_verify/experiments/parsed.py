"""Parsed files, kept in the user's cache so that a large set loads in a fraction of a second.

A kept file holds the numbers as little-endian float64, features row by row and then labels. It lies under the digest of
the file that it was read from, and is used only if its numbers have the digest of the catalogue: whatever else is in
there is parsed again and replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.experiments.readers import content_digest
from rgm_verify.experiments.sources import SourceFile
from rgm_verify.files import write_atomically
from rgm_verify.learning.data import FloatArray

Records = tuple[FloatArray, FloatArray]

_WORTH_KEEPING = 500_000  # numbers other than 0: about a fifth of a second of parsing


def parsed_once(
    data: bytes, file: SourceFile, features: int, parse: Callable[[], Records], *, cache: Path | None
) -> Records:
    """Return the records of `data`: those kept under its digest, else `parse()`, which are then kept.

    Only files with many numbers are kept, most of which are not 0. A cache that cannot be read or written changes
    nothing but the time.
    """
    if cache is None:
        return parse()
    path = cache / "parsed" / f"{hashlib.sha256(data).hexdigest()}.f64"
    kept = _kept(path, file, features)
    if kept is not None:
        return kept
    X, y = parse()
    numbers = int(np.count_nonzero(X))
    if numbers >= _WORTH_KEEPING and 4 * numbers >= X.size:
        with contextlib.suppress(InputError):
            write_atomically(path, X.astype("<f8").tobytes() + y.astype("<f8").tobytes())
    return X, y


def _kept(path: Path, file: SourceFile, features: int) -> Records | None:
    count = file.records * (features + 1)
    try:
        with path.open("rb") as stream:
            data = stream.read(8 * count + 1)
    except OSError:
        return None
    if len(data) != 8 * count:
        return None
    numbers = np.frombuffer(data, dtype="<f8").astype(np.float64, copy=False)
    X, y = numbers[: -file.records].reshape(file.records, features), numbers[-file.records :]
    return (X, y) if content_digest(X, y) == file.content else None
