"""Parsed sets, kept in the user's cache: a large one loads in a fraction of a second, and once for all processes.

A kept file holds the numbers as little-endian float64, features row by row and then labels. It lies under the digest of
the files that it was read from, and is used only if its numbers have the digests of the catalogue: whatever else is in
there is parsed again and replaced. Its numbers are not read but mapped into memory, where processes share them; a file
that is in use may be replaced, or removed, but must not be changed.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.experiments.data.readers import content_digest
from rgm_verify.experiments.data.sources import Source
from rgm_verify.jobs.files import appearing_whole
from rgm_verify.learning.data import FloatArray

Records = tuple[FloatArray, FloatArray]

# Small sets are parsed as fast as they are mapped.
_WORTH_KEEPING = 500_000  # numbers other than 0: about a fifth of a second of parsing


def parsed_once(
    files: Sequence[bytes], wanted: Source, parse: Callable[[], Sequence[Records]], *, cache: Path | None
) -> Records:
    """Return the records of all files, one after the other: those kept under their digest, else what `parse()` reads.

    The latter are then kept, if they have many numbers other than 0; they take 8 bytes for every number. A cache that
    cannot be read or written changes nothing but the time and the memory.

    Args:
        files: the packed files, for their digest.
        cache: None: nothing is kept.
    """
    if cache is None:
        return _together(parse())
    digest = hashlib.sha256("".join(hashlib.sha256(data).hexdigest() for data in files).encode()).hexdigest()
    path = cache / "parsed" / f"{digest}.f64"
    kept = _kept(path, wanted)
    if kept is not None:
        return kept
    X, y = _together(parse())
    if np.count_nonzero(X) < _WORTH_KEEPING:
        return X, y
    with contextlib.suppress(InputError), appearing_whole(path) as stream:
        for numbers in (X, y):
            stream.write(np.ascontiguousarray(numbers, dtype="<f8").data)
    # The mapped numbers are shared by all processes; the parsed ones would be this one's own.
    return _kept(path, wanted) or (X, y)


def _together(parts: Sequence[Records]) -> Records:
    """Return the records of all files as one pair of arrays."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([X for X, _ in parts]), np.concatenate([y for _, y in parts])


def _kept(path: Path, wanted: Source) -> Records | None:
    """Return the numbers that are kept, if they are those of the catalogue; None otherwise."""
    records, features = wanted.records, wanted.features
    try:
        # The size first: a file of another layout need not be mapped to be refused.
        if path.stat().st_size != 8 * records * (features + 1):
            return None
        numbers = np.asarray(np.memmap(path, dtype="<f8", mode="r")).astype(np.float64, copy=False)
    except (OSError, ValueError):
        return None
    X, y = numbers[:-records].reshape(records, features), numbers[-records:]
    return (X, y) if _digests(X, y, wanted) == [file.content for file in wanted.files] else None


def _digests(X: FloatArray, y: FloatArray, wanted: Source) -> list[str]:
    """Return the digest of each file's share of the records."""
    ends = np.cumsum([file.records for file in wanted.files])
    parts = [slice(int(end) - file.records, int(end)) for file, end in zip(wanted.files, ends, strict=True)]
    return [content_digest(X[part], y[part]) for part in parts]
