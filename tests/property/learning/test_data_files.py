"""A law of data files: whatever happens to their bytes, the numbers are right or the file is refused."""

from __future__ import annotations

import bz2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.experiments.data import readers
from rgm_verify.experiments.data.sources import SIGNS, SourceFile

X = np.array([[0.5, 0.0, -2.0], [0.0, 0.25, 0.0], [1e-3, 0.0, 3.0]])
Y = np.array([-1.0, 1.0, -1.0])
LIBSVM = b"-1 1:0.5 3:-2\n+1 2:0.25\n-1 1:1e-3 3:3\n"
TABLE = b"-1,0.5,0,-2\n1,0,0.25,0\n-1,1e-3,0,3\n"


def file(form: str) -> SourceFile:
    return SourceFile(("file",), 0, "", readers.content_digest(X, Y), negatives=2, positives=1, form=form)


def reading(data: bytes, form: str) -> tuple[np.ndarray, np.ndarray] | str:
    """The records, or why they are refused."""
    try:
        return readers.read_records(data, file(form), 3, SIGNS, where="the file")
    except InputError as refused:
        return str(refused)


def right_or_refused(data: bytes, form: str) -> None:
    got = reading(data, form)
    if isinstance(got, str):
        assert got.startswith("the file: ")
    else:
        assert np.array_equal(got[0], X)
        assert np.array_equal(got[1], Y)


@given(
    st.sampled_from([(LIBSVM, "libsvm"), (TABLE, "table")]),
    st.booleans(),
    st.integers(0, 200),
    st.integers(0, 5),
    st.binary(max_size=5),
)
def test_a_changed_file_has_the_same_numbers_or_is_refused(
    whole: tuple[bytes, str], packed: bool, place: int, removed: int, inserted: bytes
) -> None:
    text, form = whole
    data = bz2.compress(text) if packed else text
    place %= len(data) + 1
    right_or_refused(data[:place] + inserted + data[place + removed :], form)


@given(st.sampled_from(["libsvm", "table"]), st.binary(max_size=300))
def test_bytes_that_are_no_data_are_refused(form: str, data: bytes) -> None:
    right_or_refused(data, form)


@pytest.mark.parametrize(("text", "form"), [(LIBSVM, "libsvm"), (TABLE, "table")])
def test_the_file_itself_is_read(text: bytes, form: str) -> None:
    for data in (text, bz2.compress(text)):
        assert not isinstance(reading(data, form), str)
