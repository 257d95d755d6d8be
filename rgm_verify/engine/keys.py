"""Keys of evidence: a text that changes when anything changes that a claim was judged by, or a chapter built from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from rgm_verify.claims.claim import Claim
from rgm_verify.engine.discovery import CHAPTER, ClaimsFolderError, Paper, premises
from rgm_verify.engine.store import versions
from rgm_verify.jobs.fingerprint import LIBRARY, Sources, claims_package
from rgm_verify.lenses.base import PROFILES, second_versions
from rgm_verify.lenses.settings import modules_of

SEED = 20230830
_JUDGE = "rgm_verify.engine.judge"


class Keys:
    """The content keys of a folder's claims and chapters in a profile.

    Every file is read once: a file that changes later is seen by the next object. `library` is the folder of the
    package `rgm_verify`.
    """

    def __init__(self, paper: Paper, profile: str, *, library: Path = LIBRARY) -> None:
        self._paper, self._profile = paper, profile
        self._package = claims_package(paper.folder)
        self._sources = Sources({"rgm_verify": library, self._package: paper.folder})
        self._versions = versions()
        self._second = [f"{name}=={found}" for name, found in second_versions(PROFILES[profile]).items()]
        self._judging = frozenset(self._sources.closure([_JUDGE]).values())
        self._judge = self._fingerprint([_JUDGE])

    def of(self, identifier: str) -> str:
        """The key of a claim, or of a chapter (`CHAPTER` and its id)."""
        return self.chapter(identifier) if identifier.startswith(CHAPTER) else self.claim(identifier)

    def claim(self, claim_id: str) -> str:
        """A digest of the claim with its checks as data, its premises, the profile, and the code that judges it.

        That code is the closure of `engine.judge`, and where the claim holds code that is not in it (a function, a
        class, an object), the closures of the modules that define this code and of the claim's own file. A claim of
        data alone stays what it is when another claim of its file changes.
        """
        claim = self._paper.claims[claim_id]
        resting_on = [self._paper.claims[name] for name in premises(claim)]
        parts = [claim.signature(), self._profile, str(SEED), self._judge]
        parts += [premise.signature() for premise in resting_on]
        parts += self._second  # evidence without the second solver's answers does not stand for evidence with them
        parts += [claim.informal] if claim.informal else []  # it is the reason that the record gives
        code = self._code([claim, *map(_formulas, resting_on)])
        parts += [self._fingerprint([*code, self._module_of_file(claim_id)])] if code else []
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def chapter(self, name: str) -> str:
        """A digest of the closure of the chapter's file, the content of the files that it reads, and the profile."""
        chapter = self._paper.chapters[name]
        code = self._fingerprint([*self._code(chapter.build), self._module_of_file(name)])
        digest = hashlib.sha256("\n".join((name, self._profile, code)).encode())
        for path in chapter.reads:
            digest.update(_content_of(path, name))
        return digest.hexdigest()

    def _code(self, value: Any) -> list[str]:
        """The modules that define code in a value, but for those that judge every claim."""
        files = {module: self._sources.file(module) for module in sorted(modules_of(value))}
        return [module for module, path in files.items() if path is not None and path not in self._judging]

    def _module_of_file(self, identifier: str) -> str:
        path = PurePosixPath(self._paper.files[identifier])
        return ".".join([self._package, *path.with_suffix("").parts])

    def _fingerprint(self, roots: Iterable[str]) -> str:
        return self._sources.fingerprint(roots, self._versions)


def _formulas(premise: Claim) -> Any:
    """Return what of a premise enters the claim that rests on it."""
    return premise.variables, premise.hypotheses, premise.conclusion


def _content_of(path: Path, name: str) -> bytes:
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError as error:
        raise ClaimsFolderError(
            f"{path}: the chapter {name.removeprefix(CHAPTER)!r} reads it, and it cannot be read "
            f"({error.strerror}); put it back"
        ) from error
