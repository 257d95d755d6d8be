"""Committed proofs: read beside the claims, checked by the kernel at every run, and made by a search.

A folder of claims keeps them in `proofs/`, one file for each file of claims. They are never trusted: the kernel checks
a proof of the claim's statement as it is now, and what does not check is no evidence.

Three things are checked of a proof before it is evidence: it is about this claim's statement, word for
word up to the order of sums; each premise states what that claim states now, and the claim rests on it;
and the kernel accepts every step. A refused proof is a note, and the claim keeps the verdict of its
other evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.claims.written.trees import NoTree, expression_tree, statement_tree
from rgm_verify.engine.discovery import Paper, rests_on
from rgm_verify.engine.kept_proofs import (
    FOLDER,
    FORMAT,
    MOST_BYTES,
    Replayed,
    answer,
    broken,
    count_steps,
    path_of,
    read_all,
    read_proofs,
    statement_text,
)
from rgm_verify.engine.second_checks import read_checks
from rgm_verify.errors import InputError
from rgm_verify.jobs.bounded import SECONDS, Stopped, bounded
from rgm_verify.jobs.files import read_within, write_atomically
from rgm_verify.kernel.check import check
from rgm_verify.kernel.terms import Refused, Tree
from rgm_verify.lenses import Combination, Deduction, Monotone

__all__ = [
    "Task",
    "keep_proofs",
    "kernel_entry",
    "replay_proofs",
    "stale",
    "task_of",
    "unchecked",
    "with_proofs",
]

LENS = "kernel"


def keep_proofs(paper: Paper, proofs: Mapping[str, Any]) -> None:
    """Write the proofs of a folder's claims where they belong; files without proofs go, and broken ones stay.

    Args:
        paper: The claims, for the files in which they are.
        proofs: Documents by claim; those of unknown claims are dropped.
    """
    # Files that are there already come in empty, so that those without a proof go.
    wanted: dict[Path, dict[str, Any]] = {path: {} for path in sorted((paper.folder / FOLDER).rglob("*.json"))}
    left_alone = broken(paper.folder)
    for claim_id, proof in proofs.items():
        if claim_id in paper.files:
            wanted.setdefault(path_of(paper.folder, paper.files[claim_id]), {})[claim_id] = proof
    for path in wanted.keys() - left_alone.keys():
        write_proofs(path, wanted[path])


def write_proofs(path: Path, proofs: Mapping[str, Any]) -> None:
    """Write the proofs of a file of claims, a line each; without any, the file goes.

    A line for each proof keeps the differences between two versions readable.

    Args:
        path: The file.
        proofs: Documents by claim.
    """
    if not proofs:
        path.unlink(missing_ok=True)
        return
    # Sorted, so that a claim that moves within its file leaves no trace.
    lines = [f"{json.dumps(name)}:{json.dumps(proof, separators=(',', ':'))}" for name, proof in sorted(proofs.items())]
    text = '{"format":' + json.dumps(FORMAT) + ',"proofs":{\n' + ",\n".join(lines) + "\n}}\n"
    write_atomically(path, text.encode())


# ------------------------------------------------------------------------------------------------ checking


def with_proofs(paper: Paper, records: Mapping[str, Mapping[str, Any]], *, seconds: float = SECONDS) -> dict[str, Any]:
    """Return the records with what the kernel says of each committed proof: it checks all of them, now.

    The proofs are read and checked in a process of its own, which the clock may stop.

    Args:
        paper: The claims.
        records: Records by id, which stay as they are.
        seconds: Of the processor for all proofs together; those that it does not reach become notes.

    Returns:
        New records with one more piece of evidence for each committed proof.
    """
    found = dict(records)
    # A claim that was not run has no record, and a proof alone makes none.
    judged = {i: path_of(paper.folder, paper.files[i]) for i in paper.claims if "evidence" in found.get(i, ())}
    if not judged or not (paper.folder / FOLDER).is_dir():
        return found
    # Where the clock stops before all files are read, nobody knows which claims have a proof.
    waiting, entries = list(judged), dict[str, dict[str, Any]]()
    statements: dict[str, Any] = {}
    work = bounded(_examined, paper.folder, judged, seconds=seconds)
    try:
        waiting, entries = next(work)
        for claim_id, said, entry in work:
            problem = _stale(paper, paper.claims[claim_id], said, statements)
            entries[claim_id] = entry = unchecked(problem) if problem else entry
            if entry["finding"] == Finding.UNDECIDED.value:
                entry["summary"] += f"; make a new one with: rgm-verify prove {claim_id}"
    except Stopped as error:
        reason = f"the committed proof was not checked: {error}"
        entries = {i: unchecked(reason) for i in waiting} | entries
    for claim_id, entry in entries.items():
        found[claim_id] = {**found[claim_id], "evidence": [*found[claim_id]["evidence"], entry]}
    return found


def _examined(folder: Path, judged: Mapping[str, Path]) -> Iterator[Any]:
    """Yield which claims have a kept proof, with notes on broken files, then what each proof says and proves."""
    kept, faults = read_all(folder)
    waiting = [claim_id for claim_id in judged if kept.get(claim_id) is not None]
    lost = {i: unchecked(f"proofs: {faults[path]}") for i, path in judged.items() if i not in kept and path in faults}
    yield waiting, lost
    checks = read_checks(folder)
    for claim_id in waiting:
        entry = kernel_entry(kept[claim_id])
        if entry["kind"] == Kind.KERNEL_PROOF.value and (theorem := checks.theorem(claim_id, kept[claim_id])):
            entry["details"]["Coq"] = theorem
        yield claim_id, _said(kept[claim_id]), entry


def kernel_entry(proof: Any) -> dict[str, Any]:
    """Let the kernel check a proof, and return what it says as an entry of a record.

    Whether the proof is about the claim at hand is for others to see, see `stale`.
    """
    try:
        premises = check(proof)
    except Refused as error:
        return unchecked(f"the kernel refuses the proof: {error}")
    steps = count_steps(proof["proof"])
    size, text = len(json.dumps(proof, separators=(",", ":"))), statement_text(proof["statement"])
    summary = f"the kernel checks a proof of {steps} step{'s' * (steps != 1)}"
    summary += f", given {', '.join(premises)}" if premises else ""
    details: dict[str, int | str] = {"steps": steps, "characters": size, "statement": text}
    return _record(Kind.KERNEL_PROOF, Finding.SUPPORTS, summary, list(premises), **details)


def unchecked(text: str) -> dict[str, Any]:
    """Return a note on why the kernel checked nothing, as an entry of a record.

    Args:
        text: The reason, in plain words.
    """
    return _record(Kind.NOTE, Finding.UNDECIDED, text, [])


def _record(kind: Kind, finding: Finding, summary: str, premises: list[str], **details: int | str) -> dict[str, Any]:
    """Return a piece of evidence in the form of a record: the kernel is no lens."""
    return {
        "lens": LENS,
        "kind": kind.value,
        "finding": finding.value,
        "families": [LENS],
        "summary": summary,
        "details": details,
        "premises": premises,
    }


def stale(paper: Paper, claim: Claim, proof: Any, statements: dict[str, Any]) -> str:
    """Return why a proof is not about the claim and its premises as they are now; empty if it is.

    Args:
        paper: The claims as they are now.
        proof: A document as it was read, of any shape.
        statements: Canonical texts by id, filled here so that each is made once.
    """
    return _stale(paper, claim, _said(proof), statements)


#: The statement of a document under the id that it bears, and those of its premises, as canonical texts.
_Said: TypeAlias = list[tuple[str, str]]


def _said(proof: Any) -> _Said | None:
    """Return what a document says, None for what is no proof; without premises that can be read it bears no id."""
    if not isinstance(proof, dict) or not {"claim", "statement", "premises"} <= proof.keys():
        return None
    premises = proof["premises"]
    if not isinstance(proof["claim"], str) or not isinstance(premises, dict):
        return [("", "")]
    found = []
    for name, stated in ((proof["claim"], proof["statement"]), *premises.items()):
        try:
            found.append((name, canonical(stated)))
        # A stranger's file may be nested without end; it is then no statement of ours.
        except RecursionError:
            found.append((name, ""))
    return found


def _stale(paper: Paper, claim: Claim, said: _Said | None, statements: dict[str, Any]) -> str:
    """Return why a document that says this is not about the claim as it is now; empty if it is."""
    if said is None:
        return "the committed proof is no proof"
    if said[0][0] != claim.id:
        return "the committed proof bears the name of another claim"
    # A claim that is its own premise would prove anything.
    if claim.id in dict(said[1:]):
        return "the committed proof uses the claim itself"
    # A premise that the claim does not rest on would escape the rule that no verdict is stronger than those below.
    allowed = {claim.id, *rests_on(claim)}
    for name, stated in said:
        if name not in statements:
            statements[name] = canonical(_statement(paper.claims.get(name)))
        if stated != statements[name]:
            return f"the committed proof is about another statement of {name}"
        if name not in allowed:
            return f"the committed proof uses {name}, on which the claim does not rest"
    return ""


def _statement(claim: Claim | None) -> Any:
    """Return the tree of a claim's statement, None where it has none."""
    try:
        return None if claim is None else statement_tree(claim, binders=True)
    except NoTree:
        return None


def canonical(tree: Any) -> str:
    """Return a text that is equal for equal statements, in whatever order their sums and products are written.

    SymPy orders sums by its own caches, so that one statement may come in two orders.
    """
    if isinstance(tree, dict):
        # Not a text within a text: each level would double the marks that quotes need.
        return "{" + ",".join(f"{json.dumps(key)}:{canonical(value)}" for key, value in sorted(tree.items())) + "}"
    if not isinstance(tree, list):
        return json.dumps(tree)
    parts = [canonical(part) for part in tree]
    if tree and tree[0] in ("add", "mul", "min", "max"):
        parts[1:] = sorted(parts[1:])
    return "[" + ",".join(parts) + "]"


def replay_proofs(path: Path, paper: Paper | None = None, *, seconds: float = SECONDS) -> Iterator[Replayed]:
    """Yield what the kernel says of each proof in a file, of its own statements or those of a folder's claims.

    Reading and checking take place in a process of its own. Raises `InputError` for a file that holds no proofs, and
    `Stopped` where time or memory is used up.

    Args:
        path: A file with one document or with the proofs of a file of claims.
        paper: The claims to compare with; None compares with nothing.
        seconds: Of the processor, for reading and for all proofs together.
    """
    statements: dict[str, Any] = {}
    for found, said in bounded(_replayed, path, paper is not None, seconds=seconds):
        known = None if paper is None else paper.claims.get(found.claim)
        if paper is None or found.reason:
            yield found
        else:
            reason = f"there is no claim {found.claim}" if known is None else _stale(paper, known, said, statements)
            yield replace(found, reason=reason)


def _replayed(path: Path, compared: bool) -> Iterator[tuple[Replayed, _Said | None]]:
    """Yield what the kernel says of each document in a file, and what the document says if it is `compared`."""
    try:
        data = json.loads(read_within(path, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: it is no JSON ({error})") from error
    proofs = read_proofs(path) if isinstance(data, dict) and data.get("format") == FORMAT else {"": data}
    for name, proof in proofs.items():
        yield answer(name, proof), _said(proof) if compared else None


# ------------------------------------------------------------------------------------------------ searching


@dataclass(frozen=True)
class Task:
    """The input of a search for a proof, as plain data.

    Attributes:
        claim: The id.
        statement: Its statement as a tree.
        premises: The statements of premises by id.
        uses: Premises with the expressions that stand for their variables.
        terms: Products of factors that a `Combination` names.
        monotone: The variable, the start and the order of a `Monotone`.
        witness: Rational values for an existence claim.
    """

    claim: str
    statement: Mapping[str, Any]
    premises: Mapping[str, Any]
    uses: tuple[tuple[str, Mapping[str, Tree]], ...]
    terms: tuple[tuple[Tree, ...], ...] = ()
    monotone: tuple[str, Tree, int] | None = None
    witness: Mapping[str, Tree] | None = None


def task_of(paper: Paper, claim: Claim, witness: Mapping[str, str] | None = None) -> Task:
    """Return the task of proving a claim, with the hints that its checks hold; raises `NoTree`.

    `witness` are the values of a witness of an existence claim, as texts; only rational ones are of use.

    Args:
        paper: The claims, for the premises.
        claim: The claim to prove.
        witness: Values by variable.

    Raises:
        NoTree: Where the statement has no form in the kernel.
    """
    premises: dict[str, Any] = {}
    uses: list[tuple[str, Mapping[str, Tree]]] = []
    terms: list[tuple[Tree, ...]] = []
    monotone: tuple[str, Tree, int] | None = None
    for check_ in claim.checks:
        if isinstance(check_, Deduction):
            uses += list(_uses(paper, check_, premises))
        elif isinstance(check_, Combination):
            terms += [term for term in map(_term, check_.terms) if term]
        elif isinstance(check_, Monotone):
            monotone = (check_.variable.name, expression_tree(sympy.sympify(check_.start)), check_.order)
    rational = None if witness is None else {name: _rational(value) for name, value in witness.items()}
    usable = rational if rational is not None and None not in rational.values() else None
    return Task(claim.id, statement_tree(claim, binders=True), premises, tuple(uses), tuple(terms), monotone, usable)


def _uses(paper: Paper, deduction: Deduction, premises: dict[str, Any]) -> Iterable[tuple[str, Mapping[str, Tree]]]:
    """Yield the premises that have trees, at their substitutions; their statements go into `premises`."""
    for premise in deduction.premises:
        other = paper.claims.get(premise.claim)
        # A premise that holds at some points alone has no form in the kernel, which takes it everywhere.
        if other is None or premise.where_it_applies:
            continue
        try:
            images = {s.name: expression_tree(sympy.sympify(value)) for s, value in premise.at.items()}
            premises[premise.claim] = statement_tree(other, binders=True)
        except NoTree:
            continue
        yield premise.claim, images


def _term(factors: Iterable[sympy.Expr]) -> tuple[Tree, ...]:
    """Return the trees of the factors of a product, nothing if one of them has none in the kernel's functions."""
    try:
        found = tuple(expression_tree(sympy.sympify(factor)) for factor in factors)
    except NoTree:
        return ()
    # A remainder of the logarithm is proved nonnegative by its integral, which the kernel does not know.
    return () if '"logrem"' in json.dumps(found) else found


def _rational(text: str) -> str | None:
    """Return the text of a rational number, None for another text; no other text reaches SymPy, which
    would run it as code.
    """
    value = sympy.sympify(text) if all(c in "0123456789-/" for c in text) else None
    return str(value) if isinstance(value, sympy.Rational) else None
