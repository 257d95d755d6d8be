"""Verdicts: computed from evidence and from the verdicts of what a claim rests on, never typed in.

The rules, in the order in which they apply. A lens that proved what an exact point refutes is struck off for the claim:
none of its proofs counts, and the verdict says so. What refutes exactly refutes; if a proof stands against it, nothing
is known. What speaks against a claim without an exact point keeps it undecided. A proof counts with an independent
numerical route by other code and with all of its controls killed, else it supports. A claim that rests on others is no
stronger than the weakest of them. Evidence does not add up, and no text of it is read.

This file is trusted, and so it is small: it sees kinds, findings, families and controls, and no mathematics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape

import msgspec

from rgm_verify.claims.evidence import POINTS, SEARCH, Finding, Kind
from rgm_verify.claims.outcome.record import EvidenceEntry, FalseProofEntry, Record
from rgm_verify.claims.written.notebook import badge
from rgm_verify.errors import InputError


class _Shown:
    """The display of a verdict in a notebook: an enumeration cannot hold a method of this name itself."""

    value: str

    def _repr_html_(self) -> str:
        return badge(self.value)


class Verdict(_Shown, Enum):
    """The judgement on a claim by its evidence; among the positive verdicts the strongest comes first."""

    PROVED = "proved"
    CERTIFIED = "certified"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    REFUTED = "refuted"
    INFORMAL = "informal"

    def __bool__(self) -> bool:
        raise TypeError(f"a verdict is not a truth value; compare it: verdict is Verdict.{self.name}")


#: From weakest to strongest: an inventory entry answered by several claims stands as its weakest part.
WEAKEST_FIRST = (
    Verdict.REFUTED,
    Verdict.UNDECIDED,
    Verdict.SUPPORTED,
    Verdict.INFORMAL,
    Verdict.CERTIFIED,
    Verdict.PROVED,
)
_RANK = {verdict: rank for rank, verdict in enumerate(WEAKEST_FIRST)}
# A region certificate and a deduction have rules of their own below.
_PROOFS = (Kind.SYMBOLIC_PROOF, Kind.SMT_PROOF, Kind.EXACT_WITNESS)
#: What supports a claim when nothing shows it; a note, such as that of a dimension count, does not.
_SUPPORTING = (Kind.ENCLOSURES, Kind.NUMERICAL_ROUTE, Kind.SIMULATION)
_NUMERICAL = (*_SUPPORTING, Kind.REGION_CERTIFICATE)
#: Solvers of real arithmetic: a proof by two of them is still one kind of proof.
_SOLVERS = ("z3", "cvc5")


@dataclass(frozen=True)
class Judgement:
    """A verdict with the reason for it, in one sentence.

    Attributes:
        verdict: The verdict.
        reason: The summary of the evidence that decides, with what lowers it.
    """

    verdict: Verdict
    reason: str

    def _repr_html_(self) -> str:
        return f"{badge(self.verdict.value)}: {escape(self.reason)}"


def judge(record: Record, verdict_of: Mapping[str, Verdict], rests_on: Sequence[str] = ()) -> Judgement:
    """Compute the verdict of one claim.

    `record` is what the engine found out about it, `rests_on` are the claims that it leans on in any way, and
    `verdict_of` holds their verdicts: no positive verdict is stronger than the weakest of them.

    Args:
        record: The record of the claim.
        verdict_of: Verdicts of claims that were judged before; one that is missing counts as undecided.
        rests_on: Ids.

    Examples:
        >>> from rgm_verify.claims.outcome.record import Control
        >>> def support(kind, family, text):
        ...     return EvidenceEntry(lens="", kind=kind, finding=Finding.SUPPORTS, families=[family], summary=text)
        >>> proof = support(Kind.SMT_PROOF, "z3", "z3 agrees")
        >>> points = support(Kind.ENCLOSURES, "arb", "holds")
        >>> control = Control(name="a sign", killed=True)
        >>> judge(Record(evidence=[proof, points], mutants=[control]), {})
        Judgement(verdict=<Verdict.PROVED: 'proved'>, reason='z3 agrees')

        Without a second route, without a control, or on weak ground it is less:

        >>> print(judge(Record(evidence=[proof], mutants=[control]), {}).reason)
        z3 agrees; but no independent numerical route agrees
        >>> print(judge(Record(evidence=[proof, points]), {}).reason)
        z3 agrees; but the claim lists no negative control
        >>> judge(Record(evidence=[proof, points], mutants=[control]), {}, ["my:other"]).verdict
        <Verdict.UNDECIDED: 'undecided'>
    """
    # Nothing was asserted that evidence could be about.
    if record.informal:
        return Judgement(Verdict.INFORMAL, record.informal)
    found = _no_stronger_than(_by_itself(trusted(record, verdict_of), verdict_of), verdict_of, rests_on)
    caught = alarm(record, verdict_of)
    return Judgement(found.verdict, f"{found.reason}; {caught}") if caught else found


def _by_itself(record: Record, verdict_of: Mapping[str, Verdict]) -> Judgement:
    """Return the verdict of a claim from its own evidence, without the claims that it rests on.

    Contradictions come first: no weight of support outvotes a piece of evidence against. A proof then needs its
    controls killed, and support needs points that could be looked at.
    """
    evidence = record.evidence
    against = refuting(evidence)
    doubts = [e for e in evidence if e.finding is Finding.CONTRADICTS]
    best = _strongest(evidence, verdict_of)
    # Two lenses that contradict each other show that one of them is broken, and nothing says which.
    if against and any(e.finding is Finding.SUPPORTS and _is_strong(_strength(e, verdict_of)) for e in evidence):
        return Judgement(Verdict.UNDECIDED, "contradictory evidence: one method proves it, another refutes it")
    if against:
        return Judgement(Verdict.REFUTED, against[0].summary)
    # Less than an exact point cannot refute, and still nothing positive is said beside it.
    if doubts:
        strong = "contradictory evidence: " if _is_strong(best.verdict) else ""
        return Judgement(Verdict.UNDECIDED, strong + doubts[0].summary)
    if best.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        best = _with_controls(best, record)
    # Measurements alone: a control then asks whether they could have told the difference.
    elif best.verdict is Verdict.SUPPORTED and all(e.kind is Kind.MEASUREMENT for e in evidence):
        return _with_power(best, record)
    return _with_a_look(best, evidence) if best.verdict is Verdict.SUPPORTED else best


def _no_stronger_than(best: Judgement, verdict_of: Mapping[str, Verdict], rests_on: Sequence[str]) -> Judgement:
    """Lower a positive verdict to that of the weakest claim below it; below it is undecided what does not stand."""
    if not rests_on or best.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED):
        return best
    # The weakest decides: a chain of reasoning holds no better than its weakest link.
    below = min(rests_on, key=lambda name: _RANK[_verdict(name, verdict_of)])
    found = _verdict(below, verdict_of)
    if _RANK[found] >= _RANK[best.verdict]:
        return best
    if found in (Verdict.REFUTED, Verdict.UNDECIDED):
        return Judgement(Verdict.UNDECIDED, f"it rests on {below}, which is {found.value}; by itself: {best.reason}")
    # A sentence without content carries nothing, and takes nothing away that was looked at.
    lowered = Verdict.SUPPORTED if found is Verdict.INFORMAL else found
    return Judgement(lowered, f"{best.reason}; but it rests on {below}, which is only {found.value}")


def _verdict(name: str, verdict_of: Mapping[str, Verdict]) -> Verdict:
    """Return the verdict of a claim, undecided where it has none yet."""
    return verdict_of.get(name, Verdict.UNDECIDED)


def refuting(evidence: Sequence[EvidenceEntry]) -> list[EvidenceEntry]:
    """Return what refutes, the search first: it makes its points simple.

    Args:
        evidence: The evidence of one claim.
    """
    found = [e for e in evidence if e.finding is Finding.REFUTES]
    return sorted(found, key=lambda e: e.lens != SEARCH)


def _with_a_look(best: Judgement, evidence: Sequence[EvidenceEntry]) -> Judgement:
    """Leave a supported claim undecided where its points could not be looked at."""
    # A look that failed may have failed where the claim does.
    blind = [e for e in evidence if e.lens in (POINTS, SEARCH) and e.finding is Finding.UNDECIDED]
    return Judgement(Verdict.UNDECIDED, blind[0].summary + unproved(evidence)) if blind else best


def unproved(evidence: Sequence[EvidenceEntry]) -> str:
    """Return what was tried in vain to prove a claim, where it stopped, and what would help; empty if nothing was.

    Args:
        evidence: The evidence of one claim.
    """
    stalled = [e for e in evidence if e.finding is Finding.UNDECIDED and e.lens not in (POINTS, SEARCH)]
    if not stalled:
        return ""
    # The first one is told in full, since its lens was asked first.
    others = [e.lens for e in stalled[1:] if e.lens != stalled[0].lens]
    text = f". No proof came of {', '.join(dict.fromkeys([stalled[0].lens, *others]))}. {stalled[0].summary}"
    return text + _help(stalled)


def _help(stalled: Sequence[EvidenceEntry]) -> str:
    """Return the first advice of the lenses that stalled, as a sentence."""
    helps = dict.fromkeys(str(e.details["help"]) for e in stalled if e.details.get("help"))
    return "".join(f". What would help: {advice}" for advice in list(helps)[:1])


def _others(stalled: Sequence[EvidenceEntry]) -> str:
    """Return which lenses besides the first one were tried in vain."""
    names = dict.fromkeys(e.lens for e in stalled[1:] if e.lens != stalled[0].lens)
    return f". Tried as well: {', '.join(names)}" if names else ""


def _strongest(evidence: Sequence[EvidenceEntry], verdict_of: Mapping[str, Verdict]) -> Judgement:
    """Return the strongest positive verdict that one piece of evidence carries, or why there is none.

    Evidence does not add up: two searches are no more than one. Measurements alone support a claim, and numerical
    routes without a proof support it as well; notes count for nothing.
    """
    for_it = [e for e in evidence if e.finding is Finding.SUPPORTS]
    # Each proof by itself: that one is strong and another one independent makes neither of them both.
    candidates = [_proof(e, for_it, verdict_of) for e in for_it]
    found = [c for c in candidates if c is not None]
    for wanted in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED):
        for candidate in found:
            if candidate.verdict is wanted:
                return candidate
    measured = [e for e in for_it if e.kind is Kind.MEASUREMENT]
    if measured and len(measured) == len(for_it):
        return Judgement(Verdict.SUPPORTED, measured[0].summary)
    looked = [e for e in for_it if e.kind in _SUPPORTING]
    if looked:
        reason = "points, searches or statistics only: " + looked[0].summary
        return Judgement(Verdict.SUPPORTED, reason + unproved(evidence))
    # Nothing speaks for it: the reason is then the first thing that was tried.
    stalled = [e for e in evidence if e.finding is Finding.UNDECIDED]
    if not stalled:
        return Judgement(Verdict.UNDECIDED, "no method had anything to say")
    return Judgement(Verdict.UNDECIDED, stalled[0].summary + _others(stalled) + _help(stalled))


def _proof(
    item: EvidenceEntry, supporting: Sequence[EvidenceEntry], verdict_of: Mapping[str, Verdict]
) -> Judgement | None:
    """Return the verdict of a piece of evidence with the agreement that it needs; None if it is no proof.

    A proof without an independent numerical route, or from a premise that is not proved or certified, supports only.
    """
    best = _strength(item, verdict_of)
    if best is None:
        return None
    if best in (Verdict.REFUTED, Verdict.UNDECIDED):
        return None  # what follows from something that does not stand is no support
    if not _is_strong(best):
        return Judgement(Verdict.SUPPORTED, f"{item.summary}; but a premise is not proved or certified itself")
    if not _has_independent_route(item, supporting):
        return Judgement(Verdict.SUPPORTED, f"{item.summary}; but no independent numerical route agrees")
    return Judgement(best, item.summary)


def _strength(item: EvidenceEntry, verdict_of: Mapping[str, Verdict]) -> Verdict | None:
    """Return the verdict that a piece of evidence allows alone, before others must agree; None if it is no proof."""
    if item.kind in _PROOFS:
        return Verdict.PROVED
    # By enclosures and not by reasoning: it is as certain, and says less of why.
    if item.kind is Kind.REGION_CERTIFICATE:
        return Verdict.CERTIFIED
    if item.kind in (Kind.DEDUCTION, Kind.KERNEL_PROOF):
        return _weakest_premise(item.premises, verdict_of)
    return None


def _is_strong(verdict: Verdict | None) -> bool:
    """Return whether a verdict is proved or certified."""
    return verdict is Verdict.PROVED or verdict is Verdict.CERTIFIED


def _weakest_premise(premises: Sequence[str], verdict_of: Mapping[str, Verdict]) -> Verdict:
    """Return the weakest verdict among premises; proved without any."""
    return min((_verdict(p, verdict_of) for p in premises), key=WEAKEST_FIRST.index, default=Verdict.PROVED)


def _has_independent_route(item: EvidenceEntry, supporting: Sequence[EvidenceEntry]) -> bool:
    """Return whether a numerical route by other code agrees.

    An exact witness or a region certificate from two families of code carries its own second route.

    A second solver is no second route: both were asked the same question.
    """
    own = _routes(item)
    if len(own) > 1 and item.kind in (Kind.EXACT_WITNESS, Kind.REGION_CERTIFICATE):
        return True
    # By families and not by lenses: two lenses on one library share its faults.
    return any(other is not item and other.kind in _NUMERICAL and _routes(other) - own for other in supporting)


def _routes(item: EvidenceEntry) -> set[str]:
    """The families of a piece of evidence, where solvers of real arithmetic count as one: they do the same."""
    return {_SOLVERS[0] if family in _SOLVERS else family for family in item.families}


def _with_controls(best: Judgement, record: Record) -> Judgement:
    """Lower a proof to support unless all controls were killed, and at least one of them counts.

    A lens that proves a false mutant too would prove anything. A survivor need not be false, and the author then has to
    look for another control; the verdict errs on the safe side until then.
    """
    # Any lens notices `1 < 0`, so that it tells nothing of the lens.
    mutants = [m for m in record.mutants if not m.trivial]
    survivors = [m.name for m in mutants if not m.killed]
    if survivors:
        return Judgement(Verdict.SUPPORTED, f"{best.reason}; but the negative control {survivors[0]!r} survived")
    # Without a control nobody has seen the lens say no to anything like this claim.
    if not mutants:
        counting = " that counts" if record.mutants else ""
        return Judgement(Verdict.SUPPORTED, f"{best.reason}; but the claim lists no negative control{counting}")
    return best


def _with_power(best: Judgement, record: Record) -> Judgement:
    """A measurement that does not tell the claim from one of its controls shows nothing."""
    for mutant in record.mutants:
        if not mutant.killed:
            return Judgement(Verdict.UNDECIDED, f"{best.reason}; but so does the negative control {mutant.name!r}")
    return best


class FalseProof(InputError):
    """Two solvers gave opposite answers to one question: one of them proves what is false."""


def _caught(record: Record, verdict_of: Mapping[str, Verdict]) -> list[FalseProofEntry]:
    """Return the proofs, from premises that stand, of statements that have a counterexample."""
    # From a false premise a false statement follows, by a lens that is right.
    return [p for p in record.false_proofs if not p.premises or _is_strong(_weakest_premise(p.premises, verdict_of))]


def trusted(record: Record, verdict_of: Mapping[str, Verdict]) -> Record:
    """Return a record without the proofs of the lenses that proved a statement which a counterexample refutes.

    A lens that is wrong about the claim or one of its controls is struck off for this claim alone: the statements of
    other claims are no concern of what went wrong here, and have controls of their own.

    Args:
        record: The record of the claim.
        verdict_of: Verdicts of claims that were judged before.
    """
    names = {item.lens for item in _caught(record, verdict_of)}
    kept = [e for e in record.evidence if e.lens not in names or e.finding is not Finding.SUPPORTS]
    return msgspec.structs.replace(record, evidence=kept) if names else record


def alarm(record: Record, verdict_of: Mapping[str, Verdict]) -> str:
    """Say which lenses are struck off, with what they proved; empty if none is.

    Args:
        record: The record of the claim.
        verdict_of: Verdicts of claims that were judged before.
    """
    said = [
        f"the lens {item.lens!r} proves a false statement ({item.statement}): it says {item.summary!r}, and the "
        f"statement {item.counterexample}; the lens is struck off here, please report this"
        for item in _caught(record, verdict_of)
    ]
    return "; ".join(said)


def weakest(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of an entry that is split into several claims: that of its weakest part.

    Args:
        verdicts: At least one.

    Examples:
        >>> weakest([Verdict.PROVED, Verdict.SUPPORTED]) is Verdict.SUPPORTED
        True
    """
    return min(verdicts, key=WEAKEST_FIRST.index)
