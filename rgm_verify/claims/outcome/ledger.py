"""The ledger: one typed document with everything that a report shows; the report knows nothing else.

It holds no times and no paths, so that the same evidence gives the same bytes. One of its fields is a digest of all the
others: a value that is changed by hand, by a merge or by a fault of the disk is noticed; layout is free. A report keeps
it as a folder of files, see `rgm_verify.claims.outcome.ledger_files`.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from rgm_verify.claims.chapter import ChapterEntry
from rgm_verify.claims.outcome.record import EvidenceEntry, Witness
from rgm_verify.claims.scope import Scope
from rgm_verify.claims.written.lines import in_lines

FORMAT = "rgm-verify ledger 8"
_EARLIER = tuple(f"rgm-verify ledger {number}" for number in range(1, 7))

#: More bytes than this are not read.
MAXIMUM_BYTES = 200_000_000

#: What becomes of a statement of the source, see `EntryVerdict.outcome`.
Outcome: TypeAlias = Literal["stands", "independent", "corrected", "falls", "undecided", "no content"]


class MutantEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A negative control and whether it was refuted."""

    name: str
    latex: str
    killed: bool
    how: str
    witness: Witness | None = None


class HypothesisEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A hypothesis and what happened when it was dropped (`needed`, `no counterexample found`, `not tried`)."""

    name: str
    latex: str
    where: str = ""
    dropped: str = "not tried"
    witness: Witness | None = None
    by: list[str] = []
    """The claims that justify it."""


class TightnessEntry(msgspec.Struct, kw_only=True, frozen=True):
    """Certified range of a ratio over a closed box: enclosures of the infimum and the supremum, and where.

    `curves` (possibly empty) holds enclosed points for a picture: each item has x (text), lower, upper (texts).
    """

    meaning: str
    latex: str
    box: dict[str, list[str]]
    infimum: list[str]
    supremum: list[str]
    where_infimum: dict[str, str]
    where_supremum: dict[str, str]
    complete: bool
    curve_variable: str = ""
    curve_fixed: dict[str, str] = {}
    curve: list[list[str]] = []


class StepEntry(msgspec.Struct, kw_only=True, frozen=True):
    """One step of a derivation: a sentence ($...$ marks LaTeX; empty for a mere dependency), the claim that carries its
    check, if any, and the theorem that is quoted for it, if any.
    """

    text: str
    claim: str = ""
    verdict: str = ""
    theorem: str = ""
    """Id of the theorem, or empty."""
    met: dict[str, str] = {}
    """The reason for each condition of the theorem: the id of a claim, or a sentence."""


class VariableEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A variable with its meaning and its domain in LaTeX."""

    latex: str
    meaning: str
    domain: str
    name: str = ""
    """Its name in values, where `latex` shows something else; otherwise empty."""


class NameEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A name that formulas use and the expression that it stands for, both in LaTeX."""

    latex: str
    value: str


class ClaimEntry(msgspec.Struct, kw_only=True, frozen=True):
    """One claim as the ledger shows it."""

    id: str
    refs: list[str]
    source: str
    where: str
    kind: str
    title: str
    statement: str
    """Our sentence; $...$ marks LaTeX."""
    formula: str
    """LaTeX of the conclusion, rendered from the object that was checked; empty for an informal claim."""
    names: list[NameEntry] = []
    """The names in the formula and in the hypotheses."""
    printed: str = ""
    """LaTeX of the statement in an author's own hand, where `formula` judges it in another form; otherwise empty. What
    a source prints stands with the statement of the inventory."""
    quantifier: str
    reading: str
    remark: str
    variables: list[VariableEntry]
    hypotheses: list[HypothesisEntry]
    verdict: str
    reason: str
    category: str
    """For a refuted claim: the kind of its mistake, such as misprint or missing hypothesis; otherwise empty."""
    in_words: str = ""
    """For a refuted claim: what is wrong with it, in a sentence, where the folder says it; $...$ marks LaTeX."""
    witness: Witness | None
    corrected: str
    """Id of the corrected statement's claim, or empty."""
    evidence: list[EvidenceEntry]
    tightness: list[TightnessEntry]
    mutants: list[MutantEntry]
    rests_on: list[str]
    """Every claim that it leans on directly: premises, steps of its derivation, claims that justify a hypothesis."""
    leaned_on_by: list[str]
    derivation: list[StepEntry]
    theorems: list[str]
    """The theorems that it rests on without a proof here, by itself or through what it rests on."""
    scope: Scope
    """Scope of its formula: the `statement`, a `core` of it after a reduction, or an `instance` of a fixed size."""
    missing: str
    """For a core or an instance: what its formula leaves out; otherwise empty."""
    certificates: list[str]
    """File names of region certificates below `certificates/`."""
    file: str
    """The claim's file, relative to its claims folder."""


class TheoremEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A theorem with a name that is used and not proved here."""

    id: str
    name: str
    statement: str
    conditions: dict[str, str]
    reference: str
    leaned_on_by: list[str]
    """The claims with a step that quotes it."""


class PrintedEntry(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """What the source prints for a statement of the inventory, and where."""

    place: str
    """Section and number."""
    formula: str = ""
    """LaTeX as the source has it, unreduced and with its misprints; empty where the source has words only."""
    note: str = ""
    """A doubt about the text of the source itself, such as the extent of a root in a converted file."""
    links: dict[str, str] = {}
    """Addresses (https) of the source by the words that are shown for them."""


class EntryVerdict(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """An inventory entry: the claims that answer it, the verdict of the weakest, and what becomes of it."""

    id: str
    claims: list[str]
    verdict: str
    leans_on: list[str]
    """The entries that the source itself uses for this one."""
    refuted_below: list[str]
    """The refuted ones among those that it leans on, directly or through others."""
    corrected: list[str]
    """The claims that are right instead of those that are refuted."""
    scope: Scope
    """The least that one of its claims carries: `statement`, `core` or `instance`."""
    outcome: Outcome
    """`stands`: proved, and what it leans on is not refuted; `independent`: proved here, though its proof in the source
    leans on a refuted statement; `corrected`: refuted, and the corrected form is proved; `falls`: refuted, and nothing
    of its form is put in its place; `undecided`; `no content`: nothing to judge."""
    source: str = ""
    """The title of the source that prints it, where a folder is about several; left out where it is empty."""
    kind: str = ""
    """What it is in the source: theorem, lemma, inequality, definition, remark and so on."""
    printed: PrintedEntry | None = None
    """What the source prints, where the folder says it."""


class SourceEntry(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """A source with its authors and where to find it."""

    title: str
    """As `EntryVerdict.source` has it."""
    authors: str = ""
    note: str = ""
    """Anything else that tells it from others, such as its versions; plain words."""
    provenance: str = ""
    """How its text was read, where that is not beyond doubt: a conversion, an anonymous copy."""
    links: dict[str, str] = {}
    """Addresses (https) by the words that are shown for them."""


class Ledger(msgspec.Struct, kw_only=True, frozen=True):
    """The whole document. `counts` maps each verdict to its number of claims."""

    format: str
    title: str
    profile: str
    versions: dict[str, str]
    counts: dict[str, int]
    claims: list[ClaimEntry]
    entries: list[EntryVerdict]
    chapters: list[ChapterEntry] = []
    theorems: list[TheoremEntry] = []
    sources: list[SourceEntry] = []
    """The sources that the folder says more of than its title, in its order."""


class Sealed(Protocol):
    """A document that is written with a digest of its own content."""

    @property
    def format(self) -> str:
        """The kind of the document and its version."""

    @property
    def sha256(self) -> str:
        """SHA-256 of its canonical JSON (sorted keys, no spaces) with this field empty."""


class LedgerFile(Ledger, kw_only=True, frozen=True):
    """A ledger as one file."""

    sha256: str = ""
    """Of its canonical JSON (sorted keys, no spaces) with this field empty."""


Document = TypeVar("Document", bound=Sealed)


class LedgerError(ValueError):
    """A ledger file that cannot be read, or that holds something else than what was written."""


class EarlierLedger(LedgerError):
    """A ledger that an earlier version of this library wrote."""


class _Head(msgspec.Struct):
    """The fields that every version of the format has."""

    format: str


def encode(ledger: Ledger) -> bytes:
    """Canonical JSON of a whole ledger with its digest: the same ledger gives the same bytes.

    Examples:
        >>> parts = {"claims": [], "entries": [], "versions": {}, "counts": {}}
        >>> empty = Ledger(format=FORMAT, title="Nothing", profile="quick", **parts)
        >>> data = encode(empty)
        >>> decode(data, name="ledger.json") == empty
        True
        >>> decode(data.replace(b"Nothing", b"Everything"), name="ledger.json")
        Traceback (most recent call last):
        rgm_verify.claims.outcome.ledger.LedgerError: ledger.json: altered since it was written, by hand, by a merge ...
    """
    return seal(LedgerFile(**_fields(ledger)))


def decode(data: bytes, *, name: str) -> Ledger:
    """Read a whole ledger; `LedgerError` names the source and what is wrong in it.

    What is returned is what was written: any other content does not have the digest that the ledger names.
    """
    return Ledger(**_fields(unseal(data, LedgerFile, FORMAT, name=name)))


def seal(document: Sealed) -> bytes:
    """Canonical JSON of a document with its digest."""
    return in_lines(_with_digest(document, digest(document)))


def digest(document: Sealed) -> str:
    """SHA-256 of the canonical JSON of a document without its digest, as a hexadecimal text.

    It finds faults and slips, and is no signature: whoever changes a ledger on purpose can compute it as well.
    """
    return hashlib.sha256(msgspec.json.encode(_with_digest(document, ""), order="deterministic")).hexdigest()


def _with_digest(document: Any, text: str) -> Any:
    """Return a copy of a document with a digest in its field."""
    return msgspec.structs.replace(document, sha256=text)


def unseal(data: bytes, kind: type[Document], wanted: str, *, name: str) -> Document:
    """Read a document of the format `wanted` that was sealed.

    Args:
        data: The bytes of a file.
        kind: The class of the document.
        wanted: The format that this version writes.
        name: The file, for messages.

    Raises:
        EarlierLedger: For a ledger of an earlier version of this library.
        LedgerError: Naming the file and what is wrong in it: its size, its format, a field, or its digest.
    """
    # A ledger of a stranger must not fill the memory.
    if len(data) > MAXIMUM_BYTES:
        raise LedgerError(f"{name}: not a ledger: {len(data)} bytes, at most {MAXIMUM_BYTES} are read")
    try:
        # The format alone first: a document of another version is told by it, and not by a field that is missing.
        found = msgspec.json.decode(data, type=_Head).format
        # The index and the parts of a folder have a word behind the version.
        if found.partition(",")[0] in _EARLIER:
            raise EarlierLedger(f"{name}: format {found!r} of an earlier version; this version reads {wanted!r}")
        if found != wanted:
            raise LedgerError(f"{name}: format {_shortened(found)}; this version reads {wanted!r}")
        document = msgspec.json.decode(data, type=kind)
        # Of what was read and not of the bytes: a file may be indented anew.
        right = digest(document)
    except (msgspec.MsgspecError, UnicodeError, OverflowError, RecursionError) as error:
        # The likeliest way in which a file of a repository gets damaged, and easy to mend once it is named.
        conflict = re.search(rb"^(?:<<<<<<<|>>>>>>>) ", data, re.MULTILINE)
        reason = "it holds the marks of a merge that is not finished" if conflict else _shortened(error)
        raise LedgerError(f"{name}: not a ledger: {reason}") from error
    if document.sha256 != right:
        raise LedgerError(
            f"{name}: altered since it was written, by hand, by a merge or by a fault: its content has another sha256 "
            "than it says"
        )
    return document


def _fields(ledger: Ledger) -> dict[str, Any]:
    """Return the fields of a ledger by name, without the digest that a file has besides."""
    return {name: getattr(ledger, name) for name in Ledger.__struct_fields__}


def _shortened(value: object) -> str:
    """Return a value for a message, cut where it is long."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 300 else f"{text[:300]}..."


def natural_order(identifier: str) -> list[tuple[int, int, str]]:
    """A sort key under which lemma-2 comes before lemma-10.

    Examples:
        >>> sorted(["lemma-10", "lemma-2", "appendix-1"], key=natural_order)
        ['appendix-1', 'lemma-2', 'lemma-10']
    """
    parts = re.findall(r"\d+|\D+", identifier)
    # Numbers and words never meet in a comparison: each part says first which of the two it is.
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts]
