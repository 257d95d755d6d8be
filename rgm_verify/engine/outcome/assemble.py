"""From evidence records to the ledger: verdicts in the order of what rests on what.

A claim's verdict depends on its own record and on the verdicts below it, so that claims are judged
along the order of their dependencies. Everything in the ledger is computed here from the records and
from the claims as they are imported; nothing is typed in, and a claim that was not run is undecided.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Set
from dataclasses import replace
from typing import Any

import msgspec
import sympy

from rgm_verify import __version__
from rgm_verify.claims.chapter import ChapterEntry, Table, read_blocks
from rgm_verify.claims.claim import Claim, Step, Variable
from rgm_verify.claims.evidence import Kind
from rgm_verify.claims.outcome.ledger import (
    FORMAT,
    ClaimEntry,
    EntryVerdict,
    HypothesisEntry,
    Ledger,
    MutantEntry,
    NameEntry,
    StepEntry,
    TheoremEntry,
    TightnessEntry,
    VariableEntry,
    natural_order,
)
from rgm_verify.claims.outcome.plain import plain
from rgm_verify.claims.outcome.record import Record, Witness, read_record
from rgm_verify.claims.outcome.verdict import Judgement, Verdict, alarm, judge, refuting, weakest
from rgm_verify.claims.scope import carried, least
from rgm_verify.claims.written.rendering import control_latex, expression_latex, latex, names
from rgm_verify.engine.discovery import CHAPTER, Paper, dependency_order, rests_on, theorems
from rgm_verify.engine.outcome.leans_on import outcome, refuted_below
from rgm_verify.engine.run import empty_record
from rgm_verify.engine.second_checks import SecondChecks, page_digest, read_checks
from rgm_verify.engine.store import versions
from rgm_verify.numbers.counted import counted

UNANSWERED = "unanswered"


def judgements(paper: Paper, records: Mapping[str, Mapping[str, Any]]) -> dict[str, Judgement]:
    """Return the verdict of every claim, in the order of the folder; a claim without a record is undecided.

    Args:
        paper: The claims.
        records: Records by id.
    """
    return _judgements(paper, _read(paper, records))


def alarms(paper: Paper, records: Mapping[str, Mapping[str, Any]], verdict_of: Mapping[str, Verdict]) -> dict[str, str]:
    """Return what to say of the lenses that are struck off, by the id of the claim; empty where none is.

    Args:
        paper: The claims.
        records: Records by id.
        verdict_of: The verdicts that were computed from the records.
    """
    found = {i: alarm(record, verdict_of) for i, record in _read(paper, records).items()}
    return {i: said for i, said in found.items() if said}


def _judgements(paper: Paper, records: Mapping[str, Record]) -> dict[str, Judgement]:
    """Judge the claims, those that others rest on before these."""
    found: dict[str, Judgement] = {}
    for claim_id in dependency_order(paper.claims):
        # What it rests on is judged by now; a claim that is missing would count as undecided.
        known = {i: j.verdict for i, j in found.items()}
        found[claim_id] = judge(records[claim_id], known, rests_on(paper.claims[claim_id]))
    return {i: found[i] for i in paper.claims}


def _read(paper: Paper, records: Mapping[str, Mapping[str, Any]]) -> dict[str, Record]:
    """Return the records in their types; one that is missing becomes an empty one."""
    return {i: read_record(records.get(i) or empty_record(i, "not run")) for i in paper.claims}


def assemble(
    paper: Paper, records: Mapping[str, Mapping[str, Any]], profile: str, *, shown: Collection[str] | None = None
) -> tuple[Ledger, dict[str, dict[str, Any]]]:
    """Return the ledger of the claims `shown` (all, if that is None), and the region certificates (file name to
    content).

    Verdicts are computed from all records, also of claims that are not shown, since claims rest on each other. The
    counts are of the whole folder.

    Args:
        paper: The claims, chapters and printed statements of a folder.
        records: Records by id, of claims and of chapters.
        profile: The name of the profile, for the ledger.
        shown: The claims that the ledger has an entry for.

    Returns:
        The ledger, and the certificates sorted by name.
    """
    # All records, whatever is shown: a verdict needs those below it.
    read = _read(paper, records)
    verdicts = _judgements(paper, read)
    leaned_on_by = paper.leaned_on_by()
    quoted = quoted_theorems(paper)
    checks = read_checks(paper.folder)
    entries = [
        _read_back(_entry(_placed(claim, paper), read[i], verdicts, leaned_on_by[i], quoted[i], paper), checks)
        for i, claim in paper.claims.items()
        if shown is None or i in shown
    ]
    counts = Counter(j.verdict.value for j in verdicts.values())
    ledger = Ledger(
        format=FORMAT,
        title=paper.title,
        profile=profile,
        versions={**versions(), "rgm-verify": __version__},
        # Verdicts that no claim has are there with 0, so that no reader has to know the list.
        counts={v.value: counts.get(v.value, 0) for v in Verdict},
        claims=entries,
        entries=_inventory(paper, verdicts),
        chapters=[*_refused(paper), *(_chapter(paper, name, records.get(name)) for name in paper.chapters)],
        theorems=_theorems(paper),
        sources=list(paper.about),
    )
    certificates = {n: c for r in read.values() for n, c in r.certificates.items()}
    return ledger, dict(sorted(certificates.items()))


def _read_back(entry: ClaimEntry, checks: SecondChecks) -> ClaimEntry:
    """Return an entry that says with its kernel proof whether its page was found to show what is proved."""
    if entry.id not in checks.pages:
        return entry
    page = msgspec.to_builtins(entry)
    evidence = [
        msgspec.structs.replace(e, details={**e.details, "page": "shows what is proved"})
        if e.kind is Kind.KERNEL_PROOF
        and "statement" in e.details
        and checks.pages[entry.id] == page_digest(page, str(e.details["statement"]))
        else e
        for e in entry.evidence
    ]
    return msgspec.structs.replace(entry, evidence=evidence)


def _placed(claim: Claim, paper: Paper) -> Claim:
    """Return the claim with the title of its folder as the source, where its author names none."""
    return claim if claim.source else replace(claim, source=paper.title)


def quoted_theorems(paper: Paper) -> dict[str, list[str]]:
    """Return the ids of the theorems that each claim quotes without a proof here, directly or through other claims.

    Args:
        paper: The claims.
    """
    found: dict[str, set[str]] = {}
    for claim_id in dependency_order(paper.claims):
        claim = paper.claims[claim_id]
        # Dependencies come first, so that what they quote is known already.
        own = {step.theorem.id for step in claim.derivation if step.theorem is not None}
        found[claim_id] = own.union(*(found[other] for other in rests_on(claim)))
    return {claim_id: sorted(ids) for claim_id, ids in found.items()}


def _theorems(paper: Paper) -> list[TheoremEntry]:
    """Return the theorems that claims quote, sorted by id, each with the claims that lean on it directly."""
    used: dict[str, list[str]] = defaultdict(list)
    for claim in paper.claims.values():
        for name in dict.fromkeys(step.theorem.id for step in claim.derivation if step.theorem is not None):
            used[name].append(claim.id)
    return [
        TheoremEntry(
            id=name,
            name=theorem.name,
            statement=theorem.statement,
            conditions=dict(theorem.conditions),
            reference=theorem.reference,
            leaned_on_by=used[name],
        )
        for name, theorem in sorted(theorems(paper.claims).items())
    ]


def _chapter(paper: Paper, name: str, record: Mapping[str, Any] | None) -> ChapterEntry:
    """A chapter as it was built; where that failed or was not tried, it says so in its place."""
    chapter = paper.chapters[name]
    # A chapter is no evidence: where it fails, the report goes on and says so in its place.
    if record is None or "blocks" not in record:
        reason = record["evidence"][0]["summary"] if record else "not run"
        blocks = read_blocks([{"type": "paragraph", "text": f"This chapter could not be built: {reason}"}])
    else:
        blocks = read_blocks(record["blocks"])
    return ChapterEntry(
        id=chapter.id, title=chapter.title, summary=chapter.summary, file=paper.files[name], blocks=blocks
    )


def _refused(paper: Paper) -> list[ChapterEntry]:
    """Return the chapter on what is not judged; none where everything is."""
    if not paper.refused:
        return []
    rows = [
        [
            _plain(part)
            for part in (r.claim.removeprefix(CHAPTER), r.file, "" if r.line is None else str(r.line), r.message)
        ]
        for r in paper.refused
    ]
    table = Table(
        caption="Refused when read, each for its reason", columns=["item", "file", "line", "reason"], rows=rows
    )
    items = counted(len(rows), "item of this folder has", "items of this folder have")
    summary = f"{items} no verdict: not judged, refused when read."
    return [
        ChapterEntry(id="not-judged", title="Not judged", summary=summary, file=paper.refused[0].file, blocks=[table])
    ]


def _plain(text: str) -> str:
    """Return a text that every page shows as it is."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text).replace("$", "\\$")


def _inventory(paper: Paper, judged: Mapping[str, Judgement]) -> list[EntryVerdict]:
    """Return the printed statements in their natural order, also those that no claim answers."""
    answers: dict[str, list[str]] = {entry: [] for entry in paper.inventory}
    for claim in paper.claims.values():
        # A claim may answer a statement that the inventory does not list; it is shown all the same.
        for ref in claim.refs:
            answers.setdefault(ref, []).append(claim.id)
    verdicts = {
        entry: weakest([judged[i].verdict for i in ids]).value if ids else UNANSWERED for entry, ids in answers.items()
    }
    return [_statement(paper, entry, answers[entry], verdicts, judged) for entry in sorted(answers, key=natural_order)]


def _statement(
    paper: Paper, entry: str, ids: list[str], verdicts: Mapping[str, str], judged: Mapping[str, Judgement]
) -> EntryVerdict:
    """Return one statement of the source with its dependencies and its outcome.

    A statement with several claims has the weakest of their verdicts. It counts as repaired only if every refuted claim
    has a corrected one that is proved or certified.
    """
    refuted = [paper.claims[i] for i in ids if judged[i].verdict is Verdict.REFUTED]
    right = [c.corrected for c in refuted if c.corrected]
    firm = (Verdict.PROVED, Verdict.CERTIFIED)
    below = refuted_below(paper.uses, entry, verdicts)
    return EntryVerdict(
        id=entry,
        source=paper.sources.get(entry, ""),
        kind=paper.kinds.get(entry) or (paper.claims[ids[0]].kind if ids else ""),
        printed=paper.printed.get(entry),
        claims=ids,
        verdict=verdicts[entry],
        leans_on=list(paper.uses.leans_on.get(entry, ())),
        refuted_below=below,
        corrected=list(dict.fromkeys(right)),
        scope=least(carried(paper.claims[i].scope, refuted=judged[i].verdict is Verdict.REFUTED) for i in ids),
        outcome=outcome(
            verdicts[entry],
            shaken=bool(below),
            # Every refuted claim needs a corrected one that stands: half a repair is none.
            repaired=len(right) == len(refuted) and all(i in judged and judged[i].verdict in firm for i in right),
            given_up=entry in paper.uses.given_up,
        ),
    )


def _entry(
    claim: Claim,
    record: Record,
    verdicts: Mapping[str, Judgement],
    leaned_on_by: list[str],
    quoted: list[str],
    paper: Paper,
) -> ClaimEntry:
    """Return the ledger's entry of a claim; category and corrected claim stand in it only if the claim is refuted."""
    judgement = verdicts[claim.id]
    # What an author says of a mistake is shown only where the evidence finds one.
    refuted = judgement.verdict is Verdict.REFUTED
    return ClaimEntry(
        id=claim.id,
        refs=list(claim.refs),
        source=claim.source,
        where=claim.where,
        kind=claim.kind,
        title=claim.title,
        statement=claim.statement,
        formula=latex(claim.conclusion, claim.symbols) if claim.conclusion is not None else "",
        names=_names(claim),
        printed=claim.printed,
        quantifier=claim.quantifier,
        reading=claim.reading,
        remark=claim.remark,
        variables=[_variable(v) for v in claim.variables],
        hypotheses=_hypotheses(claim, record),
        verdict=judgement.verdict.value,
        reason=plain(judgement.reason),
        category=(claim.category or _category(record)) if refuted else "",
        in_words=paper.in_words.get(claim.id, "") if refuted else "",
        witness=_witness(record),
        # An author expects a refutation, and only the verdict says that there is one.
        corrected=(claim.corrected or "") if refuted else "",
        evidence=[msgspec.structs.replace(e, summary=plain(e.summary)) for e in record.evidence],
        tightness=[
            TightnessEntry(latex=expression_latex(t.written, claim.symbols), **found)
            for t, found in zip(claim.tightness, record.tightness, strict=False)
        ],
        mutants=[
            MutantEntry(
                name=m.name,
                latex=control_latex(claim, mutant),
                killed=m.killed,
                how=plain(m.how),
                witness=_point(m.witness),
            )
            for mutant, m in zip(claim.controls, record.mutants, strict=False)
        ],
        rests_on=list(rests_on(claim)),
        leaned_on_by=leaned_on_by,
        derivation=[_step(step, verdicts) for step in claim.derivation],
        theorems=quoted,
        scope=claim.scope,
        missing=claim.missing,
        certificates=sorted(record.certificates),
        file=paper.files[claim.id],
    )


def _names(claim: Claim) -> list[NameEntry]:
    """Return the names that the formula and the hypotheses use, each with what it stands for."""
    formulas = [f for f in (claim.conclusion, *(h.formula for h in claim.hypotheses)) if f is not None]
    found = names(formulas, claim.symbols)
    titles = {title for title, _ in found}
    # A name that its own value shows says nothing: a symbol is written so that its meaning can be seen.
    return [NameEntry(latex=t, value=v) for t, v in found if not shows(v, t, titles)]


def shows(value: str, title: str, titles: Set[str]) -> bool:
    r"""Return whether LaTeX shows a name by itself, and not as a part of another name or of an indexed symbol.

    Examples:
        >>> shows(r"e^{- \ln(1/\delta)}", r"\delta", {r"\delta"}), shows(r"\max(q_L, q_\mu)", "q", {"q"})
        (True, False)
    """
    for other in sorted(titles - {title}, key=len, reverse=True):
        value = value.replace(other, " ") if len(other) > len(title) else value
    # `q_L` and `q'` are other symbols than `q`, and `\\sigma^2` may be one itself.
    before = "" if title.startswith("\\") else r"(?<![A-Za-z\\])"
    return re.search(before + re.escape(title) + r"(?![A-Za-z_^'])", value) is not None


def _step(step: Step, verdicts: Mapping[str, Judgement]) -> StepEntry:
    """Return a step of a derivation with the verdict of the claim that it uses."""
    return StepEntry(
        text=step.text,
        claim=step.claim or "",
        verdict=verdicts[step.claim].verdict.value if step.claim else "",
        theorem=step.theorem.id if step.theorem else "",
        met=dict(step.met),
    )


def _category(record: Record) -> str:
    """The category of a refuted claim whose author gives none: one that is not defined lacks a hypothesis."""
    first = refuting(record.evidence)[0]
    return "missing hypothesis" if "undefined" in first.details else "false"


def _witness(record: Record) -> Witness | None:
    """Return the witness of a refutation if there is one, else the first one in the evidence; None
    without any.
    """
    # A counterexample before the witness of an existence claim, which is no news where it is refuted.
    for evidence in [*refuting(record.evidence), *record.evidence]:
        found = evidence.details.get("witness")
        if found is not None:
            return Witness(**found)
    return None


def _point(witness: Witness | None) -> Witness | None:
    """The witness of a control: no page shows Python for it."""
    return None if witness is None else msgspec.structs.replace(witness, python=[])


def _hypotheses(claim: Claim, record: Record) -> list[HypothesisEntry]:
    """Return the hypotheses with what came of dropping each of them."""
    # By name and not by place: a record may be of a run without drops.
    dropped = {h.name: h for h in record.hypotheses}
    return [
        HypothesisEntry(
            name=h.name,
            latex=latex(h.formula, claim.symbols),
            where=h.where,
            by=list(h.by),
            dropped=dropped[h.name].dropped if h.name in dropped else "not tried",
            witness=dropped[h.name].witness if h.name in dropped else None,
        )
        for h in claim.hypotheses
    ]


def _variable(variable: Variable) -> VariableEntry:
    """Return a variable with its domain in LaTeX."""
    lower = r"-\infty" if variable.lower is None else expression_latex(sympy.sympify(variable.lower))
    upper = r"\infty" if variable.upper is None else expression_latex(sympy.sympify(variable.upper))
    left = "(" if variable.lower is None or variable.lower_open else "["
    right = ")" if variable.upper is None or variable.upper_open else "]"
    symbol = variable.latex or expression_latex(variable.symbol)
    domain = rf"{symbol} \in {left}{lower}, {upper}{right}"
    integers = r" \cap \mathbb{Z}" if variable.integer else ""
    # Values of witnesses bear the symbol's name, which the page does not show otherwise.
    name = variable.symbol.name if variable.latex else ""
    return VariableEntry(latex=symbol, meaning=variable.meaning, domain=domain + integers, name=name)
