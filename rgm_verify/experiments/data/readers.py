"""Reading one file of a data set: unpacked, parsed, checked against what it must hold, never half understood."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.experiments.data.locations import EXTRA
from rgm_verify.experiments.data.sources import SourceFile
from rgm_verify.learning.data import FloatArray

LARGEST_TEXT = 2**28
"""No file of the catalogue unpacks to more bytes than this; what does is no such file."""

_FEWEST_SHOWN = 5  # wrong labels: a file of real numbers would have thousands


def read_records(
    data: bytes, file: SourceFile, features: int, labels: Mapping[float, float], *, where: str
) -> tuple[FloatArray, FloatArray]:
    """Return the features (n, d) and labels (n,) in {-1, +1} of a packed or plain file, exactly as its digits say.

    Digits are rounded to the nearest float64, and -0 becomes 0.

    Args:
        labels: maps its labels to -1 and +1.

    Raises:
        InputError: when the file is damaged, or holds other numbers than those of the catalogue: another count of
            columns or records, other labels, NaN or infinities, and last another digest of the content.
    """
    text = unpacked(data, where=where)
    # Before it is parsed, when a matrix of all its lines would be made.
    _require_few_lines(text, file, where)
    X, raw = _parsed(text, file, features, where)
    _require_finite(X, where)
    y = mapped_labels(raw, labels, where=where)
    _require_counts(y, file, where)
    # Last, as it says only that something is different; the checks before say what.
    found = content_digest(X, y)
    if found != file.content:
        raise InputError(
            f"{where}: its numbers are not those of this data set (SHA-256 of the content {found}, expected "
            f"{file.content}; of the file {hashlib.sha256(data).hexdigest()}, of the copy that was checked "
            f"{file.packed_sha256}); {_ADVICE}"
        )
    return X, y


_ADVICE = "it is damaged or another edition: remove it and get it again"


def content_digest(X: FloatArray, y: FloatArray) -> str:
    """Return the SHA-256 of the shape, the features row by row and the labels, as little-endian float64.

    It names the numbers and not the file: packing, spelling of numbers and explicit zeros do not count.

    Args:
        X: features (n, d).
        y: labels (n,), mapped to -1 and +1.

    Returns:
        64 hexadecimal digits.
    """
    # The shape first: the same numbers in rows of another length are other data.
    digest = hashlib.sha256(f"{X.shape[0]} {X.shape[1]}\n".encode())
    digest.update(np.ascontiguousarray(X, dtype="<f8").data)
    digest.update(np.ascontiguousarray(y, dtype="<f8").data)
    return digest.hexdigest()


def unpacked(data: bytes, *, where: str, largest: int = LARGEST_TEXT) -> bytes:
    """Return the content of a bzip2, gzip or xz file, told by its first bytes, or `data` itself if it is none.

    Raises `InputError` for a truncated or damaged file, and for one that unpacks to more than `largest` bytes.
    """
    try:
        with _opened(data) as stream:
            # Bounded: a small packed file may unpack to more than any memory.
            text = stream.read(largest + 1)
    except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
        raise InputError(
            f"{where}: cannot be unpacked after {len(data)} bytes ({error}); it is truncated or damaged: remove it "
            "and get it again"
        ) from None
    if len(text) > largest:
        raise InputError(f"{where}: unpacks to more than {largest} bytes; it is no file of this data set")
    return text


def _opened(data: bytes) -> BinaryIO | bz2.BZ2File | gzip.GzipFile | lzma.LZMAFile:
    """Return the content as a stream, unpacked by what its first bytes say."""
    stream = io.BytesIO(data)
    # By content and not by name: a browser may have unpacked a file and kept its ending.
    if data.startswith(b"BZh"):
        return bz2.BZ2File(stream)
    if data.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=stream)
    if data.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(stream)
    return stream


def mapped_labels(raw: FloatArray, labels: Mapping[float, float], *, where: str) -> FloatArray:
    """Return the labels as -1 and +1 by the mapping; `InputError` naming those that it does not know.

    Args:
        raw: labels (n,), as the file has them.
        labels: maps each label that is known to -1 or +1.

    Examples:
        >>> mapped_labels(np.array([1.0, 2.0]), {1.0: -1.0, 2.0: 1.0}, where="a file")
        array([-1.,  1.])
    """
    found = np.unique(raw)
    foreign = [value for value in found if float(value) not in labels]
    if foreign:
        shown = ", ".join(f"{value:g}" for value in foreign[:_FEWEST_SHOWN])
        more = " and others" if len(foreign) > _FEWEST_SHOWN else ""
        allowed = ", ".join(f"{value:g}" for value in sorted(labels))
        raise InputError(f"{where}: has the labels {shown}{more}; expected only {allowed}. {_OTHER_FILE}")
    mapped = np.empty_like(raw)
    for value in found:
        mapped[raw == value] = labels[float(value)]
    return mapped


_OTHER_FILE = "This is another file, or not one of LibSVM's: see where it came from"


def _parsed(text: bytes, file: SourceFile, features: int, where: str) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of a text; what the parser says of a wrong one becomes an `InputError`."""
    try:
        if file.form == "libsvm":
            return _libsvm(text, features)
        return _table(text, file, features)
    # That scikit-learn is missing is no fault of the file.
    except InputError:
        raise
    except (ValueError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{where}: is not {file.form} data with {features} features ({reason}); {_ADVICE}") from None


def svmlight_reader() -> Callable[..., Any]:
    """Return scikit-learn's reader of LibSVM's files; `InputError` where it is not installed."""
    try:
        from sklearn.datasets import load_svmlight_file
    except ImportError:
        raise InputError(
            f"scikit-learn reads the files of LibSVM and is not installed; install it with: {EXTRA}"
        ) from None
    reader: Callable[..., Any] = load_svmlight_file
    return reader


def _libsvm(text: bytes, features: int) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of a file in LibSVM's format, indices from 1."""
    # Said and not guessed: a guess would depend on which features are 0 in this file.
    X, y = svmlight_reader()(io.BytesIO(text), n_features=features, dtype=np.float64, zero_based=False)
    return np.ascontiguousarray(X.toarray()), np.asarray(y, dtype=np.float64)


def _table(text: bytes, file: SourceFile, features: int) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of a table, its label column apart."""
    lines = [line for line in text.decode("ascii").splitlines()[file.header :] if line.strip()]
    if not lines:
        raise ValueError("no records")
    # No comments: a `#` would hide the numbers behind it, and is an error this way.
    table = np.loadtxt(lines, delimiter=file.delimiter, ndmin=2, dtype=np.float64, comments=None)
    if table.shape[1] != features + 1:
        raise ValueError(f"{table.shape[1]} columns; expected {features + 1}, one of them the label")
    label, others = (0, slice(1, None)) if file.label == "first" else (-1, slice(None, -1))
    # Adding 0 turns -0 into 0, which has another digest.
    return np.ascontiguousarray(table[:, others] + 0.0), np.ascontiguousarray(table[:, label])


def _require_few_lines(text: bytes, file: SourceFile, where: str) -> None:
    """Raise `InputError` for a text with too many lines: its matrix might not fit into memory."""
    lines = text.count(b"\n")
    # Twice as many are let through, for empty lines; what is wrong with a few more is said when they are counted.
    if lines > 2 * file.records + file.header:
        raise InputError(f"{where}: has {lines} lines; expected {file.records} records. {_OTHER_FILE}")


def _require_finite(X: FloatArray, where: str) -> None:
    """Raise `InputError` naming the first feature that is no finite number."""
    # The first of them, by its place in the file: the reader of the message wants to look at it.
    bad = np.argwhere(~np.isfinite(X))
    if len(bad):
        row, column = (int(i) for i in bad[0])
        raise InputError(
            f"{where}: feature {column + 1} of record {row + 1} is {X[row, column]}; every number must be finite. "
            f"{_OTHER_FILE}"
        )


def _require_counts(y: FloatArray, file: SourceFile, where: str) -> None:
    """Raise `InputError` where the numbers of labels are not those of the catalogue."""
    positives = int((y > 0).sum())
    negatives = len(y) - positives
    if (negatives, positives) != (file.negatives, file.positives):
        raise InputError(
            f"{where}: has {len(y)} records, {negatives} negative and {positives} positive; expected "
            f"{file.records}, {file.negatives} and {file.positives}. {_ADVICE.capitalize()}"
        )
