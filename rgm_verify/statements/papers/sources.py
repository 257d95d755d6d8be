r"""The source of a paper: one file, or an archive, with inputs in their places and nothing outside of it.

An archive is read and never unpacked. One with a link, an absolute path, a path upwards or more than what a paper has
is refused as a whole.
"""

from __future__ import annotations

import gzip
import re
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, Final

from rgm_verify.errors import InputError, reject

__all__ = ["LARGEST", "paper_text"]

#: Bytes of one file of LaTeX, of all that an archive unpacks to, and the members of an archive.
LARGEST: Final = 5_000_000
_LARGEST_ARCHIVE: Final = 200_000_000
_MOST_MEMBERS: Final = 5_000
_MOST_INPUTS: Final = 500
_DEEPEST: Final = 10
_COMMENT: Final = re.compile(r"(?<!\\)%.*")
_INPUT: Final = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]+)\}|\\input\s+([^\s{}\\]+)")
_ENDINGS: Final = (".tar", ".tar.gz", ".tgz")


def paper_text(path: Path, main: str = "") -> tuple[str, str]:
    """Return the LaTeX of a paper with its inputs in their places and without comments, and the name of its file.

    Args:
        path: A file of LaTeX, or an archive (`.tar`, `.tar.gz`, `.tgz`).
        main: The file of the archive that is the paper, where several begin a document.

    Raises:
        InputError: For a file that cannot be read or is too large, an archive with a link, an absolute path or a path
            upwards, inputs that lie outside of the paper's folder, and inputs that never end.
    """
    if path.name.endswith(_ENDINGS):
        files = _archive(path)
        name = _main(files, main, path)
        return _joined(name, lambda inner: files.get(inner)), name
    folder = path.parent.resolve()

    def read(inner: str) -> bytes | None:
        place = folder / inner
        if place.is_symlink() or not place.resolve().is_relative_to(folder):
            raise InputError(f"{inner}: a link, or a file outside of the paper's folder; copy it there")
        return _bytes_of(place) if place.is_file() else None

    if not path.is_file():
        raise reject("paper", str(path), "a file of LaTeX, or an archive .tar, .tar.gz or .tgz")
    return _joined(path.name, read), path.name


def _bytes_of(path: Path) -> bytes:
    """Return the content of a file of bounded size."""
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise reject("paper", str(path), f"it cannot be read ({error.strerror or error})") from error
    if len(content) > LARGEST:
        raise reject("paper", str(path), f"a file of at most {LARGEST} bytes")
    return content


class _Bounded:
    """A stream of an archive that ends with an error where more comes out of it than a paper has."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.left = stream, _LARGEST_ARCHIVE

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        found = self.stream.read(min(size, self.left + 1) if size >= 0 else self.left + 1)
        self.left -= len(found)
        if self.left < 0:
            raise InputError(
                f"the archive unpacks to more than {_LARGEST_ARCHIVE} bytes; give its files of LaTeX alone"
            )
        return found


def _archive(path: Path) -> dict[str, bytes]:
    """Return the files of LaTeX in an archive by their names."""
    found: dict[str, bytes] = {}
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            unpacked: IO[bytes] = gzip.GzipFile(fileobj=raw) if packed else raw  # type: ignore[assignment]
            stream = _Bounded(unpacked)
            with tarfile.open(fileobj=stream, mode="r|") as archive:  # type: ignore[call-overload]
                for count, member in enumerate(archive, 1):
                    _refuse(member, path, count)
                    name = str(PurePosixPath(member.name))
                    if not member.isfile() or not name.endswith((".tex", ".sty", ".cls", ".ltx", ".bbl")):
                        continue
                    if member.size > LARGEST:
                        raise reject(str(path), name, f"a file of at most {LARGEST} bytes")
                    inner = archive.extractfile(member)
                    found[name] = inner.read() if inner else b""
    except (OSError, EOFError, tarfile.TarError, gzip.BadGzipFile) as error:
        raise reject("paper", str(path), f"an archive that can be read ({error})") from error
    return found


def _refuse(member: tarfile.TarInfo, path: Path, count: int) -> None:
    """Raise `InputError` for what no paper has in its archive."""
    pure = PurePosixPath(member.name)
    if member.issym() or member.islnk():
        raise reject(str(path), member.name, "an archive without links")
    if pure.is_absolute() or ".." in pure.parts or "\\" in member.name or ":" in member.name:
        raise reject(str(path), member.name, "an archive whose paths lie inside of it")
    if not (member.isfile() or member.isdir()):
        raise reject(str(path), member.name, "an archive of files and folders")
    if count > _MOST_MEMBERS:
        raise reject("paper", str(path), f"an archive of at most {_MOST_MEMBERS} files")


def _main(files: dict[str, bytes], main: str, path: Path) -> str:
    """Return the name of the file that begins the document."""
    if main:
        if main not in files:
            raise reject("--main", main, f"one of {', '.join(sorted(files)) or 'no file of LaTeX in the archive'}")
        return main
    found = [name for name, content in files.items() if re.search(rb"(?m)^[^%\n]*\\begin\s*\{document\}", content)]
    if len(found) != 1:
        allowed = ", ".join(sorted(found)) or "none begins a document"
        raise reject(
            "paper", str(path), f"an archive with one file that begins a document; name it with --main ({allowed})"
        )
    return found[0]


def _joined(name: str, read: Callable[[str], bytes | None]) -> str:
    """Return a file with its inputs in their places.

    Args:
        name: The file, from the folder of the paper.
        read: Returns the content of a file, None if there is none.
    """
    inputs = 0

    def text_of(inner: str, depth: int) -> str:
        nonlocal inputs
        inputs += 1
        if depth > _DEEPEST or inputs > _MOST_INPUTS:
            raise InputError(f"{inner}: inputs inside of each other without an end, or more than {_MOST_INPUTS}")
        content = read(inner)
        if content is None:
            return ""
        text = _COMMENT.sub("", content.decode("utf-8", "replace"))
        made = _INPUT.sub(lambda m: text_of(_place(name, (m[1] or m[2]).strip()), depth + 1), text)
        if len(made) > LARGEST:
            raise InputError(f"{inner}: with its inputs more than {LARGEST} characters")
        return made

    return text_of(name, 0)


def _place(main: str, inner: str) -> str:
    """Return the name of an input, which lies below the folder of the paper."""
    pure = PurePosixPath(inner)
    if pure.is_absolute() or ".." in pure.parts or "\\" in inner or ":" in inner:
        raise InputError(f"\\input{{{inner}}}: an input lies in the paper's own folder")
    placed = PurePosixPath(main).parent / pure
    return str(placed if placed.suffix in (".tex", ".sty", ".ltx", ".bbl") else f"{placed}.tex")
