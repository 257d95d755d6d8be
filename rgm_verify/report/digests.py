"""Digests of a report's sources when it was last written: while none has changed, the report stays.

Rendering a thousand pages takes longer than to see that nothing has changed. The digests cover the
ledger, the certificates, the changes, the code of this library and the libraries that render; and each
file of the old report is compared with its own.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from rgm_verify.claims.outcome.ledger import Ledger, encode
from rgm_verify.jobs.files import read_within, write_atomically
from rgm_verify.report.changes import Changes, encode_changes
from rgm_verify.report.code import CodePlaces

#: The libraries that turn a ledger into files.
_LIBRARIES = ("jinja2", "latex2mathml", "markupsafe", "msgspec")

#: More bytes than this are not read.
MAXIMUM_BYTES = 50_000_000


@dataclass(frozen=True)
class Memory:
    """The digests of a report's files by their names below its folder, kept in `path` under that of their origin.

    Nothing is believed of the folder itself: a file that was changed or removed there is seen.

    Attributes:
        path: The file of the memory, outside of the report.
    """

    path: Path

    def recall(self, origin: str) -> dict[str, str]:
        """Return the digests of the files that were made from `origin`; none if the last ones were made from another.

        A memory that cannot be read is none.

        Args:
            origin: The digest of the sources.

        Returns:
            Digests by name.
        """
        try:
            kept = json.loads(read_within(self.path, MAXIMUM_BYTES).decode())
            files = kept["files"] if kept["origin"] == origin else {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}
        # The types are not trusted either: the file may be anybody's.
        return {str(name): str(digest) for name, digest in files.items()} if isinstance(files, dict) else {}

    def keep(self, origin: str, files: Mapping[str, bytes]) -> None:
        """Remember what was made from `origin`.

        Args:
            origin: The digest of the sources.
            files: What was written, by name.
        """
        digests = {name: _digest((content,)) for name, content in files.items()}
        write_atomically(self.path, json.dumps({"origin": origin, "files": digests}, sort_keys=True).encode())


def lies_in(folder: Path, digests: Mapping[str, str]) -> bool:
    """Return whether each of the files lies below `folder` with this digest.

    Args:
        folder: The folder of the report.
        digests: Digests by name.
    """
    try:
        # The files are read again: a time of change says nothing of the content.
        return all(_digest(((folder / name).read_bytes(),)) == digest for name, digest in digests.items())
    except (OSError, ValueError):  # a name may be none of a file, where the memory was altered
        return False


def origin_of(ledger: Ledger, certificates: Mapping[str, bytes], since: Changes | None, code: CodePlaces) -> str:
    """Return a digest of everything that the files of a report depend on: data, the code of the library, libraries.

    Args:
        certificates: Their content by name.
        since: The changes that the first pages say.
        code: The lines of claims and chapters.
    """
    names = [f"{name}=={version(name)}" for name in _LIBRARIES]
    parts = [platform.python_version().encode(), *(name.encode() for name in names), encode(ledger)]
    # The first pages say what changed, so that the same ledger with other changes is another report.
    parts.append(b"" if since is None else encode_changes(since, ledger))
    parts.append(json.dumps([code.folder, dict(code.lines)], sort_keys=True).encode())
    for name in sorted(certificates):
        parts += [name.encode(), certificates[name]]
    package = Path(__file__).resolve().parent.parent
    # All of the library: which of its files take part in a page is no question to be wrong about.
    for path in sorted(p for p in package.rglob("*") if p.is_file() and p.suffix != ".pyc"):
        parts += [path.relative_to(package).as_posix().encode(), path.read_bytes()]
    return _digest(parts)


def _digest(parts: Iterable[bytes]) -> str:
    """A digest of the parts one by one, so that no two lists of parts run together."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()
