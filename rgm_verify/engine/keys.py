"""Keys of evidence: a text that changes when anything changes that a claim was judged by, or a chapter
built from.

A key that leaves something out keeps a verdict that is out of date, and one that takes too much in
judges everything again. So it covers the claim as data, what its premises state, the code that
judges (as a closure of imports, without comments and docstrings), the code that the claim itself
holds, and the versions of the libraries that evidence stands on.

Which lenses look at a claim is known only when they have looked: one that proves spares the others.
So the key holds the code of the judge without the lenses, a record names those that were asked, and
it is current while their code is what it was (`Keys.looked`). A lens that was not asked has not
touched the record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from rgm_verify.claims.claim import Claim
from rgm_verify.engine.discovery import CHAPTER, Paper, premises
from rgm_verify.engine.paper_file import ClaimsFolderError
from rgm_verify.engine.store import versions
from rgm_verify.jobs.fingerprint import LIBRARY, Sources, claims_package
from rgm_verify.lenses.library import HOMES, LOOKS
from rgm_verify.lenses.settings import modules_of

# One seed for all claims: each claim's draws differ by its id.
SEED = 20230830
# The one module that runs lenses: what it imports is what judges.
_JUDGE = "rgm_verify.engine.judge"
# Points are looked at in every claim, and what they say of 0 is the work of identities.
_ASKED = frozenset(LOOKS.values()) - {HOMES["Points"], HOMES["Identity"]}


class Keys:
    """The content keys of a folder's claims and chapters in a profile.

    Every file is read once: a file that changes later is seen by the next object. `library` is the folder of the
    package `rgm_verify`.

    Args:
        paper: The claims.
        profile: The name of a profile.
        library: The folder of the package.
    """

    def __init__(self, paper: Paper, profile: str, *, library: Path = LIBRARY) -> None:
        self._paper, self._profile = paper, profile
        self._package = claims_package(paper.folder)
        self._sources = Sources({"rgm_verify": library, self._package: paper.folder})
        self._versions = versions()
        self._library = frozenset(self._sources.closure([_JUDGE, *LOOKS.values()]).values())
        self._judging = frozenset(self._sources.closure([_JUDGE], without=_ASKED).values())
        self._judge = self._sources.fingerprint([_JUDGE], self._versions, without=_ASKED)
        # All of them now: while claims are judged a file may change, and what was judged is what was here.
        self._looks = {name: self._fingerprint([home]) for name, home in LOOKS.items()}

    def of(self, identifier: str) -> str:
        """The key of a claim, or of a chapter (`CHAPTER` and its id).

        Args:
            identifier: The id.
        """
        return self.chapter(identifier) if identifier.startswith(CHAPTER) else self.claim(identifier)

    def claim(self, claim_id: str) -> str:
        """A digest of the claim with its checks as data, its premises, the profile, and the code that judges it.

        That code is the closure of `engine.judge` but for the lenses, the lenses that the claim asks for with what
        their settings are made of, and where the claim holds code of others (a function, a class, an object), the
        closures of the modules that define this code and of the claim's own file. A claim of data alone stays what
        it is when another claim of its file changes.

        Args:
            claim_id: The id of a claim of the folder.

        Returns:
            A hexadecimal digest.
        """
        claim = self._paper.claims[claim_id]
        resting_on = [self._paper.claims[name] for name in premises(claim)]
        parts = [claim.signature(), self._profile, str(SEED), self._judge]
        parts += [premise.signature() for premise in resting_on]
        parts += [claim.informal] if claim.informal else []  # it is the reason that the record gives
        held = [claim, *map(_formulas, resting_on)]
        parts += [self._fingerprint(self._code(held, self._library - self._judging))]
        # Data alone says all about itself; code could do anything that it imports.
        code = self._foreign_code(held)
        parts += [self._fingerprint([*code, self._module_of_file(claim_id)])] if code else []
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def looked(self, record: Mapping[str, Any]) -> str:
        """Return a digest of the code of the lenses that a record names; empty where one is not known here.

        Args:
            record: What `run_claim` returned, or any other JSON data.
        """
        names = record.get("looked", [])
        if not isinstance(names, list) or not all(name in LOOKS for name in names):
            return ""
        return hashlib.sha256("\n".join(self._looks[name] for name in names).encode()).hexdigest()

    def chapter(self, name: str) -> str:
        """A digest of the closure of the chapter's file, the content of the files that it reads, and the profile.

        Args:
            name: `CHAPTER` and the id of a chapter.

        Raises:
            ClaimsFolderError: For a file that the chapter reads and that cannot be read.
        """
        chapter = self._paper.chapters[name]
        code = self._fingerprint([*self._foreign_code(chapter.build), self._module_of_file(name)])
        digest = hashlib.sha256("\n".join((name, self._profile, code)).encode())
        for path in chapter.reads:
            digest.update(_content_of(path, name))
        return digest.hexdigest()

    def current(self, record: Mapping[str, Any]) -> bool:
        """Return whether the lenses that a kept record names are all known, and have the code that it was made with.

        Args:
            record: JSON data of the store.
        """
        digest = self.looked(record)
        return bool(digest) and record.get("code") == digest

    def _code(self, value: Any, files: frozenset[Path]) -> list[str]:
        """Return the modules that define code in a value, of those with these files."""
        return [module for module in sorted(modules_of(value)) if self._sources.file(module) in files]

    def _foreign_code(self, value: Any) -> list[str]:
        """Return the modules that define code in a value and do not belong to those that judge."""
        found = {module: self._sources.file(module) for module in sorted(modules_of(value))}
        return [module for module, path in found.items() if path is not None and path not in self._library]

    def _module_of_file(self, identifier: str) -> str:
        """Return the module of the file of a claim or a chapter."""
        path = PurePosixPath(self._paper.files[identifier])
        return ".".join([self._package, *path.with_suffix("").parts])

    def _fingerprint(self, roots: Iterable[str]) -> str:
        """Return the digest of the code of some modules and of all that they import, with the versions."""
        return self._sources.fingerprint(roots, self._versions)


def _formulas(premise: Claim) -> Any:
    """Return what of a premise enters the claim that rests on it."""
    return premise.variables, premise.hypotheses, premise.conclusion


def _content_of(path: Path, name: str) -> bytes:
    """Return the digest of a file that a chapter reads; raise `ClaimsFolderError` that names both."""
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError as error:
        raise ClaimsFolderError(
            f"{path}: the chapter {name.removeprefix(CHAPTER)!r} reads it, and it cannot be read "
            f"({error.strerror}); put it back"
        ) from error
