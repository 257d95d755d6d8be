"""Everything that is committed, checked again by code that found none of it, without SymPy and without a solver.

The proofs that a folder of claims keeps go to the kernel, the Python of each counterexample runs in a
fresh interpreter, and region certificates are replayed. A claim *stands on this alone* where one of the
three decides it, and where a proof uses other claims, these stand so too.

What this does not see: that a proof states what its claim states now (`rgm_verify.statements.readback` compares it with
what the claim's page shows, and `replay --claims` with the claim, which takes SymPy), and that the values of a
counterexample meet the hypotheses of its claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rgm_verify.balls.replay import UnreadableCertificate, replay
from rgm_verify.engine.kept_proofs import MOST_BYTES, answer, broken, read_all
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within
from rgm_verify.jobs.pasted import problems_when_run, snippet

PROOF, COUNTEREXAMPLE, REGION = "kernel proof", "counterexample", "region certificate"
#: So many counterexamples run in one interpreter, whose time is bounded for all of them.
_TOGETHER = 40


@dataclass(frozen=True)
class Again:
    """What came of one thing that was checked again.

    Attributes:
        kind: What it is: a kernel proof, a counterexample or a region certificate.
        claim: The id of the claim that it is about, or the name of a file that cannot be read.
        reason: Why it was rejected; empty where it was accepted.
        premises: The claims that a proof uses.
    """

    kind: str
    claim: str
    reason: str = ""
    premises: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdicts:
    """What a committed ledger says, as far as it can be checked again.

    Attributes:
        verdicts: The verdict of each claim.
        witnesses: The counterexample of each claim that has one, as JSON data.
    """

    verdicts: dict[str, str] = field(default_factory=dict)
    witnesses: dict[str, Mapping[str, Any]] = field(default_factory=dict)


def read_verdicts(ledger: Path) -> Verdicts:
    """Read the verdicts and counterexamples of a committed ledger as plain data.

    Args:
        ledger: The folder of the ledger, `reports/ledger`.

    Raises:
        InputError: For a folder without a ledger, and for a file that is none.
    """
    found = Verdicts()
    for path in sorted(ledger.rglob("*.json")):
        try:
            data = json.loads(read_within(path, MOST_BYTES))
            for claim in data["claims"] if path.parent != ledger or path.name != "index.json" else ():
                found.verdicts[claim["id"]] = claim["verdict"]
                if claim["verdict"] == "refuted" and claim["witness"]:
                    found.witnesses[claim["id"]] = claim["witness"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(f"{path}: not a ledger ({type(error).__name__}: {error})") from error
    if not found.verdicts:
        raise InputError(f"ledger={ledger}: no ledger is there; give the folder of a report, or make one with `run`")
    return found


def check_again(claims: Path, verdicts: Verdicts, certificates: Path, seconds: float) -> Iterator[Again]:
    """Yield what comes of each kept proof, each counterexample and each region certificate.

    Args:
        claims: The folder of claims, of which `proofs/` alone is read.
        verdicts: What the ledger says.
        certificates: The folder of region certificates; nothing is there where it is missing.
        seconds: What one region certificate may take.
    """
    for path, reason in broken(claims).items():
        yield Again(PROOF, path.name, reason)
    for claim, proof in read_all(claims)[0].items():
        done = answer(claim, proof)
        # A proof under another name would count for the claim of that name.
        other = "" if done.reason or done.claim == claim else f"it bears the name {done.claim!r}"
        yield Again(PROOF, claim, done.reason or other, tuple(done.premises))
    yield from _counterexamples(verdicts.witnesses)
    for path in sorted(certificates.glob("*.json")):
        yield _region(path, seconds)


def _counterexamples(witnesses: Mapping[str, Mapping[str, Any]]) -> Iterator[Again]:
    """Yield what comes of counterexamples: the negation of what is claimed has to hold at the values."""
    names = list(witnesses)
    for start in range(0, len(names), _TOGETHER):
        part = names[start : start + _TOGETHER]
        texts = []
        for name in part:
            witness = witnesses[name]
            texts.append(snippet(dict(witness["values"]), list(witness["python"]), list(witness["margin"])))
        for name, text, problem in zip(part, texts, problems_when_run(texts), strict=True):
            # A small world prints nothing: that it runs shows nothing.
            shows = "print(" in text
            yield Again(COUNTEREXAMPLE, name, problem if shows else "its Python shows no two sides")


def _region(path: Path, seconds: float) -> Again:
    """Return what comes of a region certificate."""
    try:
        result = replay(path, seconds=seconds)
    except (UnreadableCertificate, OSError) as error:
        return Again(REGION, path.name, str(error))
    return Again(REGION, result.claim, "" if result.accepted else result.reason or "it is rejected")


def standing(found: list[Again], verdicts: Verdicts) -> dict[str, str]:
    """Return the claims whose verdict stands on what was accepted alone, each with the kind of it.

    Args:
        found: What `check_again` yielded.
        verdicts: What the ledger says: a claim that is not proved, certified or refuted there stands on nothing.
    """
    decides = {PROOF: "proved", COUNTEREXAMPLE: "refuted", REGION: "certified"}
    accepted = [a for a in found if not a.reason and verdicts.verdicts.get(a.claim) == decides[a.kind]]
    stands = {a.claim: a.kind for a in accepted}
    uses = {a.claim: a.premises for a in accepted if a.kind == PROOF}
    # What leans on a claim that does not stand falls with it; a refuted premise proves nothing.
    while falling := [
        claim
        for claim, premises in uses.items()
        if claim in stands and not all(stands.get(p) in (PROOF, REGION) for p in premises)
    ]:
        for claim in falling:
            del stands[claim]
    return stands
