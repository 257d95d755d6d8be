"""Region certificates: the record of a branch and bound that a stranger can replay, and the file that holds it.

Format "rgm-region-certificate/3", canonical JSON (sorted keys, no spaces, one line, UTF-8, newline at the end):

    format   the text above                     claim    the id of the claim
    names    the axes, in order, at most ten    box      [["lo", "hi"], ...] exact ends
    bits     working precision of the search    tree     one character per node, preorder
    sha256   of the canonical JSON without this field
    statement  the claim's formulas, as `claims.written.trees` writes them
    map      {} for the identity, else the chart: {"variables": each variable in the coordinates, "inverse": each
             coordinate in the variables, "factor": tree or null for 1, "target": tree or null}
    cuts     numbers of hypotheses, single inequalities, that leaves name by a, b, ...

The expression is the difference of the conclusion's sides that is >= 0 where the conclusion holds (of its negation's
for an existence statement, which the certificate refutes), as the statement has it, with the variables replaced by
their maps; or the target where there is one: then the difference is factor * target wherever the statement speaks.
The file is named CLAIM--HASH.json, with -- for the colon in the claim and twelve digits of the hash.

What is proved is that the expression is >= 0 (> 0 if the conclusion is strict) at all points of the closed box where
the hypotheses named by `cuts` hold.  The replayer shows by exact algebra that the coordinates of every point of the
statement lie in the box, that the maps lead back, and that the difference is factor * target.
In the tree a digit k splits the current box at the exact midpoint of axis k, lower half first.  The leaves are

    D   the ball enclosure of the expression over the box proves it;
    M   the mean-value form proves it: G encloses the gradient over the box; an axis with G_i >= 0 (or <= 0) throughout
        is set to its lower (upper) end, the others stay at the midpoint m_i with half-width h_i, and
        expression(that point) + sum of G_i [-h_i, h_i] over the others proves it;
    a, b, ...   the first, second, ... hypothesis of `cuts` certainly fails over the whole box.

No gradient is recorded: a replayer differentiates the formula itself, so there is none to be trusted.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from rgm_verify.jobs.files import write_atomically
from rgm_verify.numbers.shown import Shown

__all__ = ["FORMAT", "Certificate", "Subject", "write_certificate"]

FORMAT = "rgm-region-certificate/3"
DIRECT, MEAN_VALUE = "D", "M"
EXCLUDED = "abcdefghijklmnopqrstuvwxyz"
MAXIMUM_AXES = 10


@dataclass(frozen=True)
class Subject(Shown):
    """The subject of a certificate: what it is said to prove, so that a stranger can compare.

    Attributes:
        claim: the id of the claim.
        statement: its formulas as trees.
        map: the chart, {} for the identity.
        cuts: the numbers of the hypotheses that the search was given, in its order.
    """

    claim: str
    statement: Mapping[str, Any]
    map: Mapping[str, Any]
    cuts: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the fields as a certificate records them."""
        return {"claim": self.claim, "statement": self.statement, "map": self.map, "cuts": list(self.cuts)}


@dataclass(frozen=True)
class Certificate(Shown):
    """A region certificate, in the format of the module docstring; `content_hash` is computed from the rest.

    Without a subject it is the bare record of a search, which cannot be written: a file names its claim.

    Attributes:
        names: the axes, in order.
        box: exact ends, one pair for each axis.
        bits: the precision of the search.
        tree: a letter for each node, in preorder.
        subject: the claim, its statement and the chart.
        content_hash: SHA-256 of the canonical JSON of all other fields.
    """

    names: tuple[str, ...]
    box: tuple[tuple[Fraction, Fraction], ...]
    bits: int
    tree: str
    subject: Subject | None = None
    content_hash: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "content_hash", _hash(self._content()))

    def _content(self) -> dict[str, Any]:
        """Return everything that the hash covers, in the order of the format."""
        return {
            "format": FORMAT,
            **({} if self.subject is None else self.subject.to_json()),
            "names": list(self.names),
            "box": [[str(low), str(high)] for low, high in self.box],
            "bits": self.bits,
            "tree": self.tree,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the certificate as JSON-able data, with its hash; raises ValueError without a subject."""
        if self.subject is None:
            raise ValueError("subject=None: a certificate that is written names its claim; give the subject")
        return {**self._content(), "sha256": self.content_hash}

    def file_name(self) -> str:
        """Return the name of the file that the certificate is kept in: of claim and content."""
        claim = "" if self.subject is None else self.subject.claim
        return f"{claim.replace(':', '--')}--{self.content_hash[:12]}.json"

    def leaves(self) -> int:
        """Return the number of leaves of the tree."""
        return sum(not node.isdigit() for node in self.tree)


def _canonical(data: Mapping[str, Any]) -> str:
    """Return the one text that stands for the data, so that its hash does not depend on spaces or order."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _hash(content: Mapping[str, Any]) -> str:
    """Return SHA-256 of the canonical text."""
    return hashlib.sha256(_canonical(content).encode()).hexdigest()


def write_certificate(certificate: Certificate, path: str | os.PathLike[str]) -> None:
    """Write the certificate as canonical JSON; the file appears whole or not at all, the same bytes every time.

    Raises `InputError` where it cannot be written.
    """
    write_atomically(Path(path), (_canonical(certificate.to_json()) + "\n").encode())
