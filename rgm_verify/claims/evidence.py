"""Evidence: what a lens found out about a claim, typed by how it was got.

Only a lens can make evidence, and only of the kinds that it grants; everything in it is plain data, so that it can be
stored, sent between processes and written into the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Kind(StrEnum):
    """The way in which a piece of evidence was got; a verdict reads the kind and never the text."""

    SYMBOLIC_PROOF = "symbolic proof"
    SMT_PROOF = "SMT proof"
    KERNEL_PROOF = "kernel proof"
    COQ_THEOREM = "theorem of Coq, by hand"
    DEDUCTION = "deduction from other claims"
    REGION_CERTIFICATE = "region certificate"
    EXACT_WITNESS = "exact witness"
    ENCLOSURES = "enclosures at points"
    NUMERICAL_ROUTE = "independent numerical route"
    SIMULATION = "simulation with confidence"
    MEASUREMENT = "measurement on stated data"
    SEARCH = "search without success"
    COUNTEREXAMPLE = "exact counterexample"
    NOTE = "note"


class Finding(StrEnum):
    """The direction in which a piece of evidence points.

    What `contradicts` a claim speaks against it without being confirmed exactly: it cannot refute, and nothing that is
    less than a proof can stand against it.
    """

    SUPPORTS = "supports"
    REFUTES = "refutes"
    CONTRADICTS = "contradicts"
    UNDECIDED = "undecided"


#: Kinds that show a statement for every point that it speaks of.
# A witness proves as well, but of a point, and so it is not among them.
PROOFS = frozenset({Kind.SYMBOLIC_PROOF, Kind.SMT_PROOF, Kind.KERNEL_PROOF, Kind.DEDUCTION, Kind.REGION_CERTIFICATE})
#: The lenses that look at points of every claim: where one of them could not look, nothing is supported.
POINTS, SEARCH = "enclosures at points", "search"
#: Families that share no code with each other: a verdict that claims proof needs two of them.
FAMILIES = ("sympy", "z3", "arb", "mpmath", "numpy", "fractions", "cvc5", "kernel")


class Issuer(Protocol):
    """A maker of evidence: a lens that may grant certain kinds."""

    @property
    def name(self) -> str:
        """The lens's name."""
        ...

    @property
    def grants(self) -> frozenset[Kind]:
        """The kinds of evidence that the lens may make."""
        ...


class EvidenceError(RuntimeError):
    """Evidence of a kind that its maker may not make, or from families that are not known."""


@dataclass(frozen=True)
class Evidence:
    """One finding. `families` names the independent bodies of code that took part; `details` is JSON data.

    `premises` are claims that a deduction rests on: the verdict is then no stronger than theirs.

    Raises `EvidenceError` unless `issuer` grants the kind: code of a claims folder cannot make evidence itself.

    Attributes:
        kind: The way in which it was got.
        finding: The direction in which it points.
        families: Bodies of code, of `FAMILIES`.
        summary: One sentence for the report.
        details: JSON data.
        premises: Ids of claims.
        lens: The name of the issuer, filled in here.
    """

    kind: Kind
    finding: Finding
    families: tuple[str, ...]
    summary: str
    details: Mapping[str, Any] = field(default_factory=dict)
    premises: tuple[str, ...] = ()
    lens: str = ""
    issuer: InitVar[Issuer | None] = None

    def __post_init__(self, issuer: Issuer | None) -> None:
        # A page runs with the rights of the program, and could otherwise call anything a proof.
        if issuer is None or self.kind not in issuer.grants:
            name = "nothing" if issuer is None else f"the lens {issuer.name!r}"
            raise EvidenceError(f"{self.kind.value}: {name} may not make this kind of evidence")
        unknown = [f for f in self.families if f not in FAMILIES]
        if unknown:
            raise EvidenceError(f"families={unknown}: allowed are {', '.join(FAMILIES)}")
        # Filled in here, so that evidence cannot bear the name of a lens that did not make it.
        object.__setattr__(self, "lens", issuer.name)

    def to_json(self) -> dict[str, Any]:
        """The evidence as JSON data."""
        return {
            "lens": self.lens,
            "kind": self.kind.value,
            "finding": self.finding.value,
            "families": list(self.families),
            "summary": self.summary,
            "details": dict(self.details),
            "premises": list(self.premises),
        }
