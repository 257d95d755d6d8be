"""The ledger: one typed document with everything that a report shows; the report knows nothing else.

It holds no times and no paths, so that the same evidence gives the same bytes.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Literal, TypeAlias

import msgspec

from rgm_verify.claims.chapter import ChapterEntry

FORMAT = "rgm-verify ledger 2"

#: What becomes of a statement of the source, see `EntryVerdict.outcome`.
Outcome: TypeAlias = Literal["stands", "independent", "corrected", "falls", "undecided", "no content"]


class Witness(msgspec.Struct, kw_only=True, frozen=True):
    """An exact point where a claim fails (or, for an existence claim, where it holds), with the certified margin."""

    values: dict[str, str]
    """Each variable as an exact text: a rational number, or a constant such as sqrt(2) or exp(1/2)."""
    margin: list[str]
    """Enclosure [lower, upper] of the difference of the sides of `relation` (negative for some !=), as decimal
    texts."""
    relation: str
    """LaTeX of the relation that certainly holds there: for a counterexample, the negation of what is claimed."""
    snippet: str
    """Python that a reader can paste: it recomputes both sides with mpmath and prints them."""


class EvidenceEntry(msgspec.Struct, kw_only=True, frozen=True):
    """One finding of one lens."""

    lens: str
    kind: str
    finding: str
    families: list[str]
    summary: str
    details: dict[str, Any] = {}
    premises: list[str] = []


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
    """One step of a derivation: a sentence ($...$ marks LaTeX) and the claim that carries its check, if any."""

    text: str
    claim: str = ""
    verdict: str = ""


class VariableEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A variable with its meaning and its domain in LaTeX."""

    latex: str
    meaning: str
    domain: str


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
    quantifier: str
    reading: str
    remark: str
    variables: list[VariableEntry]
    hypotheses: list[HypothesisEntry]
    verdict: str
    reason: str
    category: str
    """For a refuted claim: misprint, missing hypothesis, wrong constant, or false; otherwise empty."""
    witness: Witness | None
    corrected: str
    """Id of the corrected statement's claim, or empty."""
    evidence: list[EvidenceEntry]
    tightness: list[TightnessEntry]
    mutants: list[MutantEntry]
    depends_on: list[str]
    leaned_on_by: list[str]
    derivation: list[StepEntry]
    certificates: list[str]
    """File names of region certificates below `certificates/`."""
    file: str
    """The claim's file, relative to its claims folder."""


class EntryVerdict(msgspec.Struct, kw_only=True, frozen=True):
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
    outcome: Outcome
    """`stands`: proved, and what it leans on is not refuted; `independent`: proved here, though its proof in the source
    leans on a refuted statement; `corrected`: refuted, and the corrected form is proved; `falls`: refuted, and nothing
    of its form is put in its place; `undecided`; `no content`: nothing to judge."""


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


class LedgerError(ValueError):
    """A ledger file that cannot be read."""


class _Head(msgspec.Struct):
    """What every version of the format has."""

    format: str


def encode(ledger: Ledger) -> bytes:
    """Canonical JSON of a ledger: the same ledger gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(ledger, order="deterministic"), indent=1) + b"\n"


def decode(data: bytes, *, name: str) -> Ledger:
    """Read a ledger; `LedgerError` names the source and what is wrong in it."""
    try:
        found = msgspec.json.decode(data, type=_Head).format
        if found != FORMAT:
            raise LedgerError(f"{name}: format {found!r}; this version reads {FORMAT!r}")
        return msgspec.json.decode(data, type=Ledger)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise LedgerError(f"{name}: not a ledger: {error}") from error


def schema() -> dict[str, Any]:
    """JSON Schema of the ledger, generated from the types above; the same in every version of Python."""
    found: dict[str, Any] = msgspec.json.schema(Ledger)
    for definition in found["$defs"].values():
        if "description" in definition:
            definition["description"] = inspect.cleandoc(definition["description"])
    return found


def natural_order(identifier: str) -> list[tuple[int, int, str]]:
    """A sort key under which lemma-2 comes before lemma-10."""
    parts = re.findall(r"\d+|\D+", identifier)
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts]
