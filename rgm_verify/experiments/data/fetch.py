"""Downloading one file so that it is there complete and checked, or not at all."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import appearing_whole

LARGEST_DOWNLOAD = 2**28
"""No file of the catalogue is larger; a download that goes on beyond these bytes is broken off."""

_BLOCK = 2**16  # bytes between two reports of progress
_WAIT = 30.0  # seconds without a byte


def fetch(
    url: str,
    target: Path,
    *,
    check: Callable[[bytes], None],
    largest: int = LARGEST_DOWNLOAD,
    progress: Callable[[str, int, int], None] | None = None,
    wait: float = _WAIT,
) -> None:
    """Download `url` to `target`; `check` sees the whole content first and raises `InputError` if it is not right.

    The content is collected in a file beside the target, which takes the target's name only when every byte that the
    server announced has come and `check` is content. Whatever happens before, Ctrl-C included, that file is removed and
    the target is as it was. Processes that download the same file do not disturb each other: each has a file of its
    own, and the last one to finish replaces checked content by checked content. What was broken off starts again.

    Args:
        url: an address by http or https.
        target: the file to make or to replace.
        largest: more bytes are not taken.
        progress: told of the name of the target, the bytes so far, and all bytes (0 if the server does not say).
        wait: seconds that may pass without a byte.

    Raises:
        InputError: saying what went wrong: no connection, an answer other than success, fewer bytes than announced,
            more than `largest`, no answer in time, a folder that cannot be written.
    """
    with appearing_whole(target) as stream:
        for block, done, total in _blocks(url, largest, wait):
            stream.write(block)
            if progress is not None:
                progress(target.name, done, total)
        # What is on the disk is read again: that, and not what came by the network, takes the target's name.
        stream.seek(0)
        check(stream.read())


def _blocks(url: str, largest: int, wait: float) -> Iterator[tuple[bytes, int, int]]:
    """Yield each block with the bytes so far and the bytes announced; `InputError` for whatever the network does."""
    done = total = 0
    try:
        with _opened(url, wait) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            if total > largest:
                raise InputError(f"{url}: announces {total} bytes, more than any file of a data set ({largest})")
            while block := answer.read(_BLOCK):
                done += len(block)
                # A server that announces nothing, or lies, must not fill the disk.
                if done > largest:
                    raise InputError(f"{url}: sends more than {largest} bytes, more than any file of a data set")
                yield block, done, total
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _failed(url, done, error) from None
    # A connection that ends early looks like the end of a file.
    if done < total:
        raise InputError(f"{url}: the connection ended after {done} of {total} bytes; try again")


def _opened(url: str, wait: float) -> Any:
    """Return the answer of a server; addresses of other kinds (files above all) are refused."""
    # `urlopen` knows more kinds than a download should: with file: it would read whatever this user may read.
    if urlsplit(url).scheme not in {"http", "https"}:
        raise InputError(f"{url}: only http and https addresses are downloaded")
    return urlopen(Request(url, headers={"User-Agent": "rgm-verify"}), timeout=wait)


def _failed(url: str, done: int, error: Exception) -> InputError:
    """Return what the network did as an error that says what to do."""
    if isinstance(error, InputError):
        return error
    if isinstance(error, HTTPError):
        return InputError(f"{url}: the server answers {error.code} ({error.reason})")
    if isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError):
        return InputError(f"{url}: no answer in time, after {done} bytes; try again")
    reason = error.reason if isinstance(error, URLError) else error
    return InputError(
        f"{url}: cannot be downloaded ({reason}), after {done} bytes; look at the connection and try again"
    )
