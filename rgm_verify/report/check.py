"""Can this ledger be shown? Every formula converts, every verdict is known, ids are unique, counts add
up.

A formula without a rendering would be a hole in a page that nobody sees, so that the report is
refused with the claim, the field and the fault. Words of authors are checked before anything is
judged, since judging takes minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from rgm_verify.claims.chapter import Chapter
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger, PrintedEntry
from rgm_verify.report.errors import ReportError
from rgm_verify.report.order import VERDICTS, slug
from rgm_verify.report.pictures import chapters
from rgm_verify.report.texts.latex import FormulaFault, formula, sentence, symbol_latex

_MOST_SHOWN = 20
_LONGEST_SHOWN = 300


def check(ledger: Ledger) -> None:
    """Raise `ReportError` naming every fault found (at most twenty) unless the ledger can be shown as it is.

    Raises:
        ReportError: With every fault, one a line.
    """
    faults = [*_faults_of_the_whole(ledger)]
    for claim in ledger.claims:
        faults += [f"{claim.id}: {fault}" for fault in _faults(claim)]
    for identifier, printed in ((e.id, e.printed) for e in ledger.entries if e.printed is not None):
        faults += [f"printed {identifier}: {fault}" for fault in _faults_of_texts(_words_of_print(printed))]
    for source in ledger.sources:
        # Sources, theorems and chapters come from a folder as well as claims do, and stand on pages of their own.
        texts = [(name, sentence, getattr(source, name)) for name in ("title", "authors", "note", "provenance")]
        texts += [("links", sentence, words) for words in source.links]
        faults += [f"source {source.title}: {fault}" for fault in _faults_of_texts(texts)]
    for theorem in ledger.theorems:
        texts = [(name, sentence, getattr(theorem, name)) for name in ("name", "statement", "reference")]
        texts += [(f"conditions[{name!r}]", sentence, text) for name, text in theorem.conditions.items()]
        faults += [f"theorem {theorem.id}: {fault}" for fault in _faults_of_texts(texts)]
    for chapter in ledger.chapters:
        faults += [f"chapter {chapter.id}: {fault}" for fault in _faults_of_texts(chapters.texts(chapter))]
    _refuse("the ledger cannot be shown", faults)


def words_that_no_page_shows(
    claims: Mapping[str, Claim], chapters_of: Mapping[str, Chapter]
) -> Iterator[tuple[str, str]]:
    """Yield each claim and chapter (by its key) with words that no report can show, and the first fault in them.

    Judging takes minutes, and the report comes after it: so this is asked before.

    Args:
        claims: Claims by id.
        chapters_of: Chapters by name.
    """
    for identifier, claim in claims.items():
        yield from ((identifier, f"{identifier}: {fault}") for fault in islice(_faults_of_texts(_words(claim)), 1))
    for name, chapter in chapters_of.items():
        texts = [(field, sentence, getattr(chapter, field)) for field in ("title", "summary")]
        yield from ((name, f"chapter {chapter.id}: {fault}") for fault in islice(_faults_of_texts(texts), 1))


def prints_that_no_page_shows(printed: Mapping[str, PrintedEntry]) -> Iterator[tuple[str, str]]:
    """Yield each statement whose print no report can show, and the first fault in it.

    Args:
        printed: What the source prints, by the ids of statements.
    """
    for identifier, entry in printed.items():
        yield from ((identifier, fault) for fault in islice(_faults_of_texts(_words_of_print(entry)), 1))


def sentences_that_no_page_shows(in_words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each claim whose erratum has a sentence that no report can show, and the first fault in it.

    Args:
        in_words: Sentences by the ids of claims.
    """
    for identifier, text in in_words.items():
        yield from ((identifier, fault) for fault in islice(_faults_of_texts([("in_words", sentence, text)]), 1))


def _words_of_print(printed: PrintedEntry) -> Iterator[tuple[str, Callable[[str], Any], str]]:
    """Yield the texts of what a source prints."""
    yield from (("place", sentence, printed.place), ("note", sentence, printed.note))
    if printed.formula:
        yield "formula", formula, printed.formula


def _words(claim: Claim) -> Iterator[tuple[str, Callable[[str], Any], str]]:
    """Yield the texts of an author in which formulas may stand."""
    names = ("title", "statement", "reading", "remark", "informal", "missing")
    sentences = [(name, getattr(claim, name)) for name in names]
    steps = enumerate(claim.derivation)
    sentences += [(f"derivation[{i}]", text) for i, step in steps for text in (step.text, *step.met.values())]
    sentences += [(f"tightness[{i}].meaning", t.meaning) for i, t in enumerate(claim.tightness)]
    sentences += [(f"variables[{i}].meaning", v.meaning) for i, v in enumerate(claim.variables)]
    yield from ((field, sentence, text) for field, text in sentences)
    yield from (
        (f"variable {v.symbol.name!r}", formula, v.latex or symbol_latex(v.symbol.name)) for v in claim.variables
    )
    # Beside it only what is written by hand; the formulas of a claim are made from SymPy and checked with the ledger.
    if claim.printed:
        yield "printed", formula, claim.printed


def _refuse(what: str, faults: list[str]) -> None:
    """Raise `ReportError` with the faults, if there are any."""
    # All at once: whoever corrects a folder wants one list, and not a run for each fault.
    if faults:
        more = f"\n... and {len(faults) - _MOST_SHOWN} more" if len(faults) > _MOST_SHOWN else ""
        raise ReportError(f"{what}:\n" + "\n".join(faults[:_MOST_SHOWN]) + more)


def _faults_of_the_whole(ledger: Ledger) -> Iterator[str]:
    """Yield the faults of ids and counts."""
    # Counted by page and not by id, since the second page would overwrite the first.
    # Two ids may differ in characters that a file name cannot hold.
    pages = Counter(slug(c.id) for c in ledger.claims)
    yield from (f"{page}: {n} claims share this page; ids must be unique" for page, n in pages.items() if n > 1)
    counted = Counter(c.verdict for c in ledger.claims)
    for verdict in sorted({*counted, *ledger.counts}):
        if counted[verdict] != ledger.counts.get(verdict, 0):
            yield f"counts[{verdict!r}]={ledger.counts.get(verdict, 0)}, but the ledger lists {counted[verdict]}"


def _faults(claim: ClaimEntry) -> Iterator[str]:
    """Yield the faults of one claim."""
    if claim.verdict not in VERDICTS:
        yield f"verdict={claim.verdict!r}: allowed are {', '.join(VERDICTS)}"
    yield from _faults_of_texts(_texts(claim))


def _faults_of_texts(texts: Iterable[tuple[str, Callable[[str], Any], str]]) -> Iterator[str]:
    """Yield a fault for each text that its function does not convert."""
    for field, convert, text in texts:
        # By the function that the page itself uses: a check of its own would sooner or later differ from it.
        try:
            convert(text)
        except FormulaFault as fault:
            yield f"{field}: {fault}: {text if len(text) <= _LONGEST_SHOWN else f'{text[:_LONGEST_SHOWN]}...'}"


def _texts(claim: ClaimEntry) -> Iterator[tuple[str, Callable[[str], Any], str]]:
    """Yield every text of a claim with the function that has to convert it, and its field."""
    names = ("title", "statement", "reading", "remark", "reason", "missing", "in_words")
    sentences = [(name, getattr(claim, name)) for name in names]
    steps = enumerate(claim.derivation)
    sentences += [(f"derivation[{i}]", text) for i, step in steps for text in (step.text, *step.met.values())]
    sentences += [(f"evidence[{i}].summary", e.summary) for i, e in enumerate(claim.evidence)]
    sentences += [(f"mutant {m.name!r}.how", m.how) for m in claim.mutants]
    sentences += [(f"tightness[{i}].meaning", t.meaning) for i, t in enumerate(claim.tightness)]
    sentences += [(f"variables[{i}].meaning", v.meaning) for i, v in enumerate(claim.variables)]
    yield from ((field, sentence, text) for field, text in sentences)
    yield from ((field, formula, text) for field, text in _formulas(claim) if text)
    # Witnesses name variables by their names, which the pages set as formulas.
    yield from ((f"variable {name!r}", formula, symbol_latex(name)) for name in sorted(_names(claim)))


def _formulas(claim: ClaimEntry) -> Iterator[tuple[str, str]]:
    """Yield the formulas of a claim with their fields; some are empty."""
    yield "formula", claim.formula
    yield "printed", claim.printed
    yield from ((f"names[{i}]", f"{name.latex} = {name.value}") for i, name in enumerate(claim.names))
    for i, variable in enumerate(claim.variables):
        yield f"variables[{i}].latex", variable.latex
        yield f"variables[{i}].domain", variable.domain
    for hypothesis in claim.hypotheses:
        yield f"hypothesis {hypothesis.name!r}", hypothesis.latex
        yield f"hypothesis {hypothesis.name!r}.witness", hypothesis.witness.relation if hypothesis.witness else ""
    for mutant in claim.mutants:
        yield f"mutant {mutant.name!r}", mutant.latex
        yield f"mutant {mutant.name!r}.witness", mutant.witness.relation if mutant.witness else ""
    for i, tightness in enumerate(claim.tightness):
        yield f"tightness[{i}]", tightness.latex
    yield "witness", claim.witness.relation if claim.witness else ""


def _names(claim: ClaimEntry) -> set[str]:
    """Return the names of variables that witnesses and ranges show."""
    witnesses = [claim.witness, *(h.witness for h in claim.hypotheses), *(m.witness for m in claim.mutants)]
    names = {name for w in witnesses if w for name in w.values}
    for entry in claim.tightness:
        names |= {*entry.box, *entry.where_infimum, *entry.where_supremum, *entry.curve_fixed}
    return names
