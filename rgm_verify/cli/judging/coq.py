"""The kept proofs as theorems of Coq: written into a folder, checked by `coqc`, and compared with the verdicts.

What Coq says changes no verdict. Only one answer stops everything: a theorem about a claim that is refuted.
"""

from __future__ import annotations

import collections
import json
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import EXIT_DIFFERENT, printing_apart, task_progress
from rgm_verify.errors import InputError, InternalError, reject
from rgm_verify.numbers.counted import counted

if TYPE_CHECKING:
    from rgm_verify.coq.by_hand import ByHand, Theorem
    from rgm_verify.coq.compiling import Compiled
    from rgm_verify.coq.pages import Pages

#: For one file; the slowest takes some seconds.
SECONDS = 900


def check_in_coq(
    folder: Path, ids: tuple[str, ...], claims: Path, jobs: int | None, memory: int, *, accept: bool, as_json: bool
) -> int:
    """Write the theorems, check them, print what came of it, and return the exit code.

    Args:
        folder: Where to write.
        ids: Claims or patterns; none means all. What they rest on comes along.
        claims: The folder of claims, whose proofs and expected verdicts are read; nothing of it is executed but its
            theorems by hand, by Coq.
        jobs: Processes at once, None for one a core.
        memory: GiB of address space for each process.
        accept: Keep beside the claims, for reports, which of all proofs are theorems.
        as_json: Print JSON.

    Raises:
        InputError: where Coq is missing or too old, and for ids without a proof.
        InternalError: for a theorem about a refuted claim, and one that refutes a claim that is proved or certified.
    """
    from rgm_verify.coq.by_hand import ByHand, read_by_hand
    from rgm_verify.coq.compiling import compile_files, coq_version
    from rgm_verify.coq.pages import make_pages, write_pages
    from rgm_verify.engine.outcome.expected import read
    from rgm_verify.engine.second_checks import write_checks

    if accept and ids:
        raise reject("accept", True, "it keeps what came of all proofs, and goes with no IDS")
    # Before the work: without Coq nobody has to wait for the error.
    version = coq_version()
    by_hand = read_by_hand(claims)
    stands_for = {claim for theorem in by_hand.theorems for claim in theorem.claims}
    # They use each other: all of them or none.
    if ids and not any(fnmatchcase(claim, pattern) for claim in stands_for for pattern in ids):
        by_hand = ByHand({}, ())
    documents = _documents(claims, ids, stands_for)
    pages = make_pages(documents)
    pages.files |= by_hand.written()
    write_pages(pages, folder)
    files = len(list(folder.rglob("*.v"))) - len(pages.theorems)
    with printing_apart(), task_progress(files, "checking", "file", "compiled") as progress:
        found = compile_files(
            folder, jobs=jobs or os.cpu_count() or 1, seconds=SECONDS, memory=memory << 30, done=progress
        )
    done = {page for part, names in pages.parts.items() if f"theorems/{part}.v" in found.accepted for page in names}
    accepted = {claim for page, kept in pages.theorems.items() if page in done for claim in kept}
    verdicts, _ = read(claims)
    theorems = by_hand.accepted(found.accepted)
    shown = {claim for theorem in theorems if not theorem.refutes for claim in theorem.claims}
    contradicted = sorted(c for c in accepted | shown if (verdicts or {}).get(c) == "refuted")
    if contradicted:
        raise InternalError(f"{', '.join(contradicted)}: refuted, and Coq accepts a proof")
    against = {claim for theorem in theorems if theorem.refutes for claim in theorem.claims}
    if firm := sorted(c for c in against if (verdicts or {}).get(c) in ("proved", "certified")):
        raise InternalError(f"{', '.join(firm)}: {verdicts and verdicts[firm[0]]}, and Coq accepts that it is false")
    strange = _strange_axioms(found) if not (found.refused or found.failed) else []
    _keep(claims, by_hand, found, strange, version)
    if accept and found.failed:
        click.echo("nothing is kept: what is not known may be a theorem", err=True)
    elif accept and not strange:
        kept = {claim: proof for page in documents.values() for claim, proof in page.items()}
        names = {claim: _theorem(kept[claim], claim, pages) for claim in accepted}
        click.echo(f"written: {write_checks(claims, coq=names)}", err=True)
    if as_json:
        click.echo(json.dumps(_told(pages, found, accepted, theorems, strange), indent=1))
    else:
        _say(pages, found, accepted, theorems, strange)
    return EXIT_DIFFERENT if found.refused or found.failed or strange else 0


def _keep(claims: Path, by_hand: ByHand, found: Compiled, strange: list[str], version: str) -> None:
    """Record that Coq accepts all theorems by hand, or take such a record away where it refuses one."""
    from rgm_verify.coq.by_hand import record, withdraw

    files = by_hand.written().keys()
    if files & found.refused.keys() or (files and strange):
        withdraw(claims)
    elif files and files <= found.accepted and not found.failed:
        record(claims, by_hand, version)


def _theorem(proof: Any, claim: str, pages: Pages) -> str:
    """Return how the record names a theorem: the digest of its proof, and what it rests on besides."""
    from rgm_verify.engine.second_checks import proof_digest

    besides = ["interval"] * (claim in pages.enclosed) + ["premises"] * (claim in pages.assumed)
    return " ".join([proof_digest(proof), *besides])


def _documents(claims: Path, ids: tuple[str, ...], by_hand: set[str]) -> dict[str, dict[str, Any]]:
    """Return the kept documents by page; with ids those of them, and of what they rest on.

    Ids of claims that a theorem by hand stands for need no document.
    """
    from rgm_verify.engine.kept_proofs import FOLDER, read_proofs

    root = claims / FOLDER
    pages = {
        path.relative_to(root).with_suffix("").as_posix(): read_proofs(path) for path in sorted(root.rglob("*.json"))
    }
    kept = {claim: document for page in pages.values() for claim, document in page.items()}
    for pattern in ids:
        if not any(fnmatchcase(claim, pattern) for claim in (*kept, *by_hand)):
            raise InputError(f"id={pattern}: no claim of this name has a proof in {root}")
    wanted = [claim for claim in kept if not ids or any(fnmatchcase(claim, pattern) for pattern in ids)]
    seen: dict[str, None] = {}
    while wanted:
        claim = wanted.pop()
        if claim in kept and claim not in seen:
            seen[claim] = None
            wanted += kept[claim]["premises"]
    if not seen and not by_hand:
        raise InputError(f"claims={claims}: no proofs are kept there; `rgm-verify prove` looks for some")
    chosen = {page: {c: d for c, d in found.items() if c in seen} for page, found in pages.items()}
    return {page: found for page, found in chosen.items() if found}


def _strange_axioms(found: Compiled) -> list[str]:
    """Return what theorems rest on and should not."""
    from rgm_verify.coq.compiling import AXIOMS, PRIMITIVES, axioms

    plain, enclosed = (axioms(found.said[f"assumptions_{name}.v"]) for name in ("plain", "enclosed"))
    # Not of every folder.
    plain |= axioms(found.said.get("assumptions_by_hand.v", ""))
    return sorted(plain - AXIOMS | {name for name in enclosed - AXIOMS if not name.startswith(PRIMITIVES)})


def _told(
    pages: Pages, found: Compiled, accepted: set[str], theorems: tuple[Theorem, ...], strange: list[str]
) -> dict[str, Any]:
    """Return what came of it, for machines."""
    return {
        "accepted": sorted(accepted),
        "by hand": {t.name: {"refutes" if t.refutes else "proves": list(t.claims)} for t in theorems},
        "by enclosures": sorted(pages.enclosed & accepted),
        "assuming": {claim: names for claim, names in sorted(pages.assumed.items()) if claim in accepted},
        "refused": found.refused,
        "not known": found.failed,
        "without a rule": dict(sorted(pages.skipped.items())),
        "other axioms": strange,
    }


def _say(pages: Pages, found: Compiled, accepted: set[str], theorems: tuple[Theorem, ...], strange: list[str]) -> None:
    """Print what came of it."""
    for name, words in sorted(found.refused.items()):
        click.echo(f"   refused  {name}: {words}")
    for name, words in sorted(found.failed.items()):
        click.echo(f" not known  {name}: {words}")
    for name in strange:
        click.echo(f"     axiom  {name}: a theorem rests on it")
    enclosed, assuming = len(pages.enclosed & accepted), len(pages.assumed.keys() & accepted)
    click.echo(
        f"{counted(len(accepted), 'theorem')} of Coq; {counted(enclosed, 'of them rests', 'of them rest')} on "
        f"enclosures by `interval`, {counted(assuming, 'assumes', 'assume')} what is no theorem here"
    )
    if theorems:
        stands_for = {claim for theorem in theorems for claim in theorem.claims}
        click.echo(
            f"{counted(len(theorems), 'theorem')} by hand, which {'stands' if len(theorems) == 1 else 'stand'} for "
            f"{counted(len(stands_for), 'claim')}"
        )
    lacks = collections.Counter(pages.skipped.values())
    if lacks:
        listed = ", ".join(f"{lack} ({count})" for lack, count in lacks.most_common())
        click.echo(
            f"{counted(len(pages.skipped), 'proof is', 'proofs are')} not written, as the theory has no rule for that: "
            f"{listed}"
        )
    if found.failed:
        click.echo("What is not known says nothing against a claim, and no verdict changes.")
