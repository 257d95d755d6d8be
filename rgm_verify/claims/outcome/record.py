"""Evidence records: everything that the lenses found out about one claim, as typed data.

A record is what is stored and sent between processes; `read_record` makes it from JSON data and refuses anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec

from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.claims.written.notebook import math, table
from rgm_verify.errors import InputError
from rgm_verify.jobs.pasted import snippet


class Witness(msgspec.Struct, kw_only=True, frozen=True):
    """An exact point where a claim fails (or, for an existence claim, where it holds), with the certified margin."""

    values: dict[str, str]
    """Each variable as an exact text: a rational number, or a constant such as sqrt(2) or exp(1/2)."""
    margin: list[str]
    """Enclosure [lower, upper] of the difference of the sides of `relation` (negative for some !=), as decimal
    texts."""
    relation: str
    """LaTeX of the relation that certainly holds there: for a counterexample, the negation of what is claimed."""
    python: list[str] = []
    """Left side, sign and right side of the relation in Python; for an exact small world, the world alone. Empty for
    the witness of a control, of which no page shows more than the point."""

    @property
    def snippet(self) -> str:
        """Python that a reader can paste: it recomputes both sides and prints them. Empty where `python` is."""
        return snippet(self.values, self.python, self.margin)

    def _repr_html_(self) -> str:
        """Return the point as a table of HTML, for notebooks."""
        values = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return table(
            [("point", escape(values)), ("relation", math(self.relation)), ("margin", escape(str(self.margin)))]
        )


class EvidenceEntry(msgspec.Struct, kw_only=True, frozen=True):
    """One finding of one lens."""

    lens: str
    kind: Kind
    finding: Finding
    families: list[str]
    summary: str
    details: dict[str, Any] = {}
    premises: list[str] = []


class Control(msgspec.Struct, kw_only=True, frozen=True):
    """A negative control and whether it was refuted; a `trivial` one is false by its constants and does not count."""

    name: str
    killed: bool
    how: str = ""
    witness: Witness | None = None
    trivial: bool = False


class Dropped(msgspec.Struct, kw_only=True, frozen=True):
    """A hypothesis and what happened when it was dropped (`needed`, `no counterexample found`, `not tried`)."""

    name: str
    dropped: str
    witness: Witness | None = None


class FalseProofEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A proof of a statement that has an exact counterexample, and the claims that the proof rests on."""

    statement: str
    counterexample: str
    lens: str
    summary: str
    premises: list[str]


class Record(msgspec.Struct, kw_only=True, frozen=True):
    """Everything that was found out about one claim. `informal` is the author's reason why nothing can be."""

    claim: str = ""
    format: str = ""
    profile: str = ""
    informal: str = ""
    quantifier: str = "forall"
    evidence: list[EvidenceEntry]
    mutants: list[Control] = []
    hypotheses: list[Dropped] = []
    false_proofs: list[FalseProofEntry] = []
    tightness: list[dict[str, Any]] = []
    certificates: dict[str, dict[str, Any]] = {}
    unfinished: bool = False

    def _repr_html_(self) -> str:
        """Return findings, controls and hypotheses as HTML, for notebooks; no verdict, which others compute."""
        rows = [(self.claim, "<br>".join(f"{escape(e.finding)}: {escape(e.summary)}" for e in self.evidence))]
        killed = [f"{escape(m.name)}: {'refuted' if m.killed else 'survived'}" for m in self.mutants]
        dropped = [f"{escape(h.name)}: {escape(h.dropped)}" for h in self.hypotheses]
        return table([*rows, ("controls", "<br>".join(killed)), ("hypotheses", "<br>".join(dropped))])


class RecordError(InputError):
    """Data that is no record of evidence; the message names the field."""


def read_record(data: Mapping[str, Any]) -> Record:
    """Make a record from JSON data; `RecordError` names the first field that is not what it must be.

    Fields that are not known are passed over: a record may have been stored by a later version.

    Args:
        data: JSON data.

    Examples:
        >>> read_record({"evidence": [], "claim": "my:claim"}).claim
        'my:claim'
        >>> read_record({"evidence": [{"lens": "a"}]})
        Traceback (most recent call last):
        rgm_verify.claims.outcome.record.RecordError: not a record of evidence: ...
    """
    # Data of a store or of another process: a wrong field is named here and not where it is used.
    try:
        return msgspec.convert(data, Record)
    except msgspec.ValidationError as error:
        raise RecordError(f"not a record of evidence: {error}") from error
