"""An index of a folder of claims: what a full import has found in it, so that a command imports only what it needs.

An index is made after every file was imported and checked. It is kept under a digest of everything that this import
depended on: each file of the folder, data as well, the library, Python, and the versions of other packages. While the
digest is the same the folder holds the same claims, and no fault hides in a file that is not imported; otherwise the
index is not used. A folder whose files import names that are computed, or what no package manager has installed, has no
index. Files that are read from elsewhere, and variables of the environment, are not seen.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

import msgspec

from rgm_verify.engine.store import versions
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically
from rgm_verify.jobs.fingerprint import LIBRARY, claims_package, imported_packages

FORMAT = "rgm-verify index 1"
#: More bytes than this are not read: of an index, and of a folder altogether.
MAXIMUM_BYTES = 100_000_000
#: Packages whose code is under the digest, besides those of Python itself.
_KNOWN = frozenset({"rgm_verify", "numpy", "scipy", "sympy", "mpmath", "flint", "z3"})


class Row(msgspec.Struct, kw_only=True, frozen=True):
    """The facts about a claim that are known without importing it.

    Attributes:
        id: The id.
        refs: Printed statements that it answers.
        source: The source.
        where: The place in the source.
        kind: The kind of the claim.
        title: The title.
        file: The path of its file below the folder.
    """

    id: str
    refs: tuple[str, ...]
    source: str
    where: str
    kind: str
    title: str
    file: str
    rests_on: tuple[str, ...]
    """Every claim that it leans on directly."""


class Index(msgspec.Struct, kw_only=True, frozen=True):
    """The claims of a folder in the order of the paper, and its title.

    Attributes:
        title: The title of the folder.
        rows: A row for each claim.
    """

    title: str
    rows: tuple[Row, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id, in the order of the paper."""
        return tuple(row.id for row in self.rows)

    def leaned_on_by(self) -> dict[str, list[str]]:
        """The claims that lean directly on each claim."""
        found: dict[str, list[str]] = {row.id: [] for row in self.rows}
        for row in self.rows:
            for other in row.rests_on:
                found[other].append(row.id)
        return found

    def closure(self, chosen: Iterable[str]) -> tuple[Row, ...]:
        """The chosen claims and all that they rest on, in the order of the paper.

        Args:
            chosen: Ids of claims of the folder.
        """
        known = {row.id: row for row in self.rows}
        # Premises are read where a claim is judged, and so their files are needed as well.
        needed = resting(chosen, lambda claim_id: known[claim_id].rests_on)
        return tuple(row for row in self.rows if row.id in needed)


@dataclass(frozen=True)
class Origin:
    """The origin of an index: a digest of files and versions, and the other packages with their versions."""

    key: str
    others: dict[str, tuple[str, str]]


class _File(msgspec.Struct, kw_only=True, frozen=True):
    format: str
    key: str
    others: dict[str, tuple[str, str]]
    checksum: str
    index: Index


def resting(chosen: Iterable[str], rests_on: Callable[[str], Iterable[str]]) -> set[str]:
    """The chosen claims and everything that they rest on; `rests_on` says it of one claim, directly.

    Args:
        chosen: Ids to begin with.
        rests_on: The direct dependencies of an id.

    Examples:
        >>> sorted(resting(["c"], {"c": ["b"], "b": ["a"], "a": []}.__getitem__))
        ['a', 'b', 'c']
    """
    needed: set[str] = set()
    left = list(chosen)
    while left:
        claim_id = left.pop()
        if claim_id not in needed:
            needed.add(claim_id)
            left += rests_on(claim_id)
    return needed


def read_index(folder: Path, store: Path) -> Index | None:
    """Return the kept index of a folder if it is whole and matches the folder as it is now, else None.

    Args:
        folder: The folder of claims.
        store: The folder in which the index is kept.
    """
    try:
        place = folder.resolve(strict=True)
        found = msgspec.json.decode(read_within(_path(place, store), MAXIMUM_BYTES), type=_File)
        # A damaged index is passed over in silence: the import finds everything again.
        whole = found.format == FORMAT and found.checksum == _checksum(found.index)
        # Cheap questions first: the digest reads every file of the folder and of the library.
        fresh = whole and found.others == _versions_of(found.others) and found.key == _key(place)
    except (OSError, RuntimeError, ValueError, RecursionError):  # what is wrong with the folder, its import says
        return None
    return found.index if fresh else None


def keep_index(folder: Path, store: Path, index: Index, before: Origin | None) -> None:
    """Keep the index of a folder that was imported after its origin was `before`, if that is still its origin.

    A store that cannot be written is left alone: the next command imports everything again.

    Args:
        folder: The folder of claims.
        store: The folder in which the index is kept.
        index: What the import has found.
        before: The origin before the import; None keeps nothing.
    """
    # A file that changed during the import would be under the digest and not in the index.
    if before is not None and before == origin(folder):
        file = _File(format=FORMAT, key=before.key, others=before.others, checksum=_checksum(index), index=index)
        with contextlib.suppress(InputError):
            write_atomically(_path(folder.resolve(), store), msgspec.json.encode(file))


def origin(folder: Path) -> Origin | None:
    """Return the origin that an import of the folder has now; None where it cannot be known."""
    try:
        place = folder.resolve(strict=True)
        others = _others(place)
        return None if others is None else Origin(_key(place), others)
    except (OSError, RuntimeError, ValueError):
        return None


def _path(folder: Path, store: Path) -> Path:
    """Return where the index of a folder is kept, by a digest of the folder's place."""
    return store / f"index-{claims_package(folder).rpartition('_')[2]}.json"


def _checksum(index: Index) -> str:
    """Return the digest of an index, by which a damaged file shows."""
    return hashlib.sha256(msgspec.json.encode(index)).hexdigest()


def _key(folder: Path) -> str:
    """Return the digest of Python, versions, library and folder; raise where together they are larger
    than what is read.
    """
    parts = [f"{sys.implementation.name} {sys.version}", *(f"{n}=={v}" for n, v in sorted(versions().items()))]
    digest = hashlib.sha256("\n".join(parts).encode())
    left = MAXIMUM_BYTES
    for root in (LIBRARY, folder):
        for path in _files(root):
            content = read_within(path, left)
            # The bound is on all files together: many small ones take as long as a large one.
            left -= len(content)
            name = f"{path.relative_to(root).as_posix()} {len(content)}\n"
            digest.update(name.encode() + hashlib.sha256(content).digest())
    return digest.hexdigest()


def _files(root: Path) -> list[Path]:
    """Every file below a folder that an import may read: all but hidden ones and what Python compiles."""
    found = []
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        found += [Path(place, name) for name in names if not name.startswith(".")]
    return sorted(found)


def _others(folder: Path) -> dict[str, tuple[str, str]] | None:
    """The packages that files import besides those whose code is under the digest, with distribution and version.

    One that is not installed has no distribution. None where a file computes what it imports, or imports what belongs
    to no distribution.
    """
    wanted: set[str] = set()
    for path in _files(folder):
        if path.suffix == ".py":
            packages = imported_packages(read_within(path, MAXIMUM_BYTES))
            # Imports by a computed name: nobody knows what to put under the digest.
            if packages is None:
                return None
            wanted |= packages
    wanted -= _KNOWN | sys.stdlib_module_names
    distributions = metadata.packages_distributions() if wanted else {}
    named = {name: (distributions[name][0] if name in distributions else "", "") for name in sorted(wanted)}
    found = _versions_of(named)
    # Code that no package manager knows has no version, and could change unseen.
    strange = any(not distribution and version for distribution, version in found.values())
    return None if strange else found


def _versions_of(others: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The packages with the versions that their distributions have now; where there is none, whether they are found."""
    return {name: (of, metadata.version(of) if of else _found(name)) for name, (of, _) in others.items()}


def _found(package: str) -> str:
    """Return an empty text for a package that is not there, else that no distribution has it."""
    return "" if util.find_spec(package) is None else "of no distribution"
