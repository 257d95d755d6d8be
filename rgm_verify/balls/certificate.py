"""Region certificates: the record of a branch and bound that a stranger can replay, and the file that holds it.

Format "rgm-region-certificate/2", canonical JSON (sorted keys, no spaces, one line, UTF-8, newline at the end):

    format   the text above                     names    the axes, in order, at most ten
    box      [["lo", "hi"], ...] exact ends     program  outputs: the expression, then the hypotheses (rgm-program/1)
    strict   true: expression > 0, false: >= 0  bits     working precision of the search
    tree     one character per node, preorder   sha256   of the canonical JSON without this field
    claim    the id of the claim                statement  its formulas, as `claims.written.trees` writes them
    map      {} for the identity, else the chart: {"variables": each variable in the coordinates, "inverse": each
             coordinate in the variables, "factor": tree or null for 1, "target": tree or null}
    outputs  where the outputs of the program come from: [place, side] with "conclusion" first, then numbers of
             hypotheses; the side is "left - right" or "right - left", whichever is >= 0 where the relation holds

The first output is that difference of the conclusion's sides (of its negation's for an existence statement, which the
certificate refutes) in the coordinates, or the target where there is one: then the difference is factor * target, and
the factor is positive wherever the statement speaks.  The file is named CLAIM--HASH.json, with -- for the colon in
the claim and twelve digits of the hash.

What is proved is that the expression is >= 0 (> 0 if strict) at all points of the closed box where every hypothesis
is >= 0.  The replayer compares the formulas with the program at points of the box, and looks for points of the
statement outside of it; that the box covers the statement was shown by the solver in the run.
In the tree a digit k splits the current box at the exact midpoint of axis k, lower half first.  The leaves are

    D   the ball enclosure of the expression over the box proves it;
    M   the mean-value form proves it: G encloses the gradient over the box; an axis with G_i >= 0 (or <= 0) throughout
        is set to its lower (upper) end, the others stay at the midpoint m_i with half-width h_i, and
        expression(that point) + sum of G_i [-h_i, h_i] over the others proves it;
    a, b, ...   the first, second, ... hypothesis is certainly < 0 over the whole box.

No gradient is recorded: a replayer differentiates the program itself, so there is none to be trusted.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from rgm_verify.balls.program import Program, ProgramError
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically
from rgm_verify.numbers.shown import Shown

__all__ = ["FORMAT", "Certificate", "CertificateError", "Subject", "read_certificate", "write_certificate"]

FORMAT = "rgm-region-certificate/2"
_OLD_FORMAT = "rgm-region-certificate/1"
DIRECT, MEAN_VALUE = "D", "M"
EXCLUDED = "abcdefghijklmnopqrstuvwxyz"
MAXIMUM_AXES = 10
#: More bytes than this are not read.
MAXIMUM_BYTES = 50_000_000


class CertificateError(ValueError):
    """A certificate cannot be read: the text names the file, the field, the value and what is allowed."""


@dataclass(frozen=True)
class Subject(Shown):
    """The subject of a certificate: what it is said to prove, so that a stranger can compare.

    Attributes:
        claim: the id of the claim.
        statement: its formulas as trees.
        map: the chart, {} for the identity.
        outputs: for each output of the program the place of its relation ("conclusion" or the number of a hypothesis)
            and the side that is subtracted from the other.
    """

    claim: str
    statement: Mapping[str, Any]
    map: Mapping[str, Any]
    outputs: tuple[tuple[str | int, str], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as a certificate records them."""
        return {
            "claim": self.claim,
            "statement": self.statement,
            "map": self.map,
            "outputs": [list(entry) for entry in self.outputs],
        }


@dataclass(frozen=True)
class Certificate(Shown):
    """A region certificate, in the format of the module docstring; `content_hash` is computed from the rest.

    Without a subject it is the bare record of a search, which cannot be written: a file names its claim.

    Attributes:
        names: the axes, in order.
        box: exact ends, one pair for each axis.
        program: the expression and the hypotheses.
        strict: whether the expression is > 0 or only >= 0.
        bits: the precision of the search.
        tree: a letter for each node, in preorder.
        subject: the claim, its statement and the chart.
        format: the name of the format, with its version.
        content_hash: SHA-256 of the canonical JSON of all other fields.
    """

    names: tuple[str, ...]
    box: tuple[tuple[Fraction, Fraction], ...]
    program: Program
    strict: bool
    bits: int
    tree: str
    subject: Subject | None = None
    format: str = FORMAT
    content_hash: str = field(init=False)

    def __post_init__(self) -> None:
        # Computed, never taken: a record with another hash is refused when it is read.
        object.__setattr__(self, "content_hash", _hash(self._content()))

    def _content(self) -> dict[str, Any]:
        """Return everything that the hash covers, in the order of the format."""
        return {
            "format": self.format,
            **({} if self.subject is None else self.subject.to_json()),
            "names": list(self.names),
            "box": [[str(low), str(high)] for low, high in self.box],
            "program": self.program.to_json(),
            "strict": self.strict,
            "bits": self.bits,
            "tree": self.tree,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the certificate as JSON-able data, with its hash; raises CertificateError without a subject."""
        if self.subject is None:
            raise CertificateError("subject=None: a certificate that is written names its claim; give the subject")
        return {**self._content(), "sha256": self.content_hash}

    def file_name(self) -> str:
        """Return the name of the file that the certificate is kept in: of claim and content."""
        claim = "" if self.subject is None else self.subject.claim
        return f"{claim.replace(':', '--')}--{self.content_hash[:12]}.json"

    def leaves(self) -> int:
        """Return the number of leaves of the tree."""
        return sum(not node.isdigit() for node in self.tree)

    @classmethod
    def from_json(cls, data: Any, *, source: str = "certificate") -> Certificate:
        """Return the certificate recorded in `data`, after checking every field, the program, the tree and the hash.

        Args:
            data: parsed JSON, of any shape.
            source: what a message calls it, such as the name of the file.

        Raises:
            CertificateError: naming `source`, the field, its value and what is allowed.
        """
        _check_fields(data, source)
        try:
            program = Program.from_json(data["program"])
        except ProgramError as error:
            raise CertificateError(f"{source}: {error}") from None
        # Safe to convert: the fields have been checked, and their lengths with them.
        box = tuple((Fraction(low), Fraction(high)) for low, high in data["box"])
        names = tuple(data["names"])
        outputs = tuple((place, side) for place, side in data["outputs"])
        subject = Subject(data["claim"], data["statement"], data["map"], outputs)
        found = cls(names, box, program, data["strict"], data["bits"], data["tree"], subject, data["format"])
        _check_agreement(found, data["sha256"], source)
        return found


def _canonical(data: Mapping[str, Any]) -> str:
    """Return the one text that stands for the data, so that its hash does not depend on spaces or order."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _hash(content: Mapping[str, Any]) -> str:
    """Return SHA-256 of the canonical text."""
    return hashlib.sha256(_canonical(content).encode()).hexdigest()


# The length is bounded, as Python refuses to read longer numbers, and with another message.
_RATIONAL = re.compile(r"-?[0-9]{1,4300}(/[0-9]{1,4300})?")


def _is_end_pair(pair: Any) -> bool:
    """Tell whether a value is a pair of rationals in order, as text."""
    if not (isinstance(pair, list) and len(pair) == 2):
        return False
    if not all(isinstance(end, str) and _RATIONAL.fullmatch(end) for end in pair):
        return False
    try:
        low, high = (Fraction(end) for end in pair)
    except (ValueError, ZeroDivisionError):
        return False
    return low <= high


def _is_source(entry: Any) -> bool:
    """Tell whether a value is a pair of a place and a side. `type` and not `isinstance`: True is no number of a
    hypothesis.
    """
    return isinstance(entry, list) and len(entry) == 2 and type(entry[0]) in (str, int) and isinstance(entry[1], str)


# Field, test, what is allowed.
_FIELDS: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("format", lambda value: value == FORMAT, repr(FORMAT)),
    ("claim", lambda value: isinstance(value, str) and value != "", "the id of a claim"),
    ("statement", lambda value: isinstance(value, dict), "a statement as trees"),
    ("map", lambda value: isinstance(value, dict), "a chart, {} for the identity"),
    ("outputs", lambda value: isinstance(value, list) and all(map(_is_source, value)), "pairs of place and side"),
    ("names", lambda value: isinstance(value, list) and len(value) <= MAXIMUM_AXES, "a list of at most ten names"),
    ("box", lambda value: isinstance(value, list) and all(map(_is_end_pair, value)), "pairs of rationals, lo <= hi"),
    ("strict", lambda value: isinstance(value, bool), "true or false"),
    ("bits", lambda value: type(value) is int and 2 <= value <= 10**6, "an integer from 2 to 1000000"),
    ("tree", lambda value: isinstance(value, str) and value != "", "a non-empty string of nodes"),
    ("program", lambda value: isinstance(value, dict), "a program"),
    ("sha256", lambda value: isinstance(value, str), "64 hexadecimal digits"),
)


def _check_fields(data: Any, source: str) -> None:
    """Refuse data whose fields are not those of the format, each with its name and what is allowed."""
    if not isinstance(data, dict):
        raise CertificateError(f"{source}: must be a JSON object, got {type(data).__name__}")
    # The old format deserves a message of its own: it is what a reader of an old report will have.
    if data.get("format") == _OLD_FORMAT:
        raise CertificateError(
            f"{source}: format={_OLD_FORMAT!r}: a certificate of the first format, which names no claim and no "
            f"statement; judge the claim again for one that does: rgm-verify run ID"
        )
    for name, accepts, allowed in _FIELDS:
        if name not in data:
            raise CertificateError(f"{source}: field {name!r} is missing")
        if not accepts(data[name]):
            raise CertificateError(f"{source}: {name}={_short(data[name])}: must be {allowed}")
    unknown = sorted(set(data) - {name for name, _, _ in _FIELDS})
    if unknown:
        raise CertificateError(f"{source}: field {unknown[0]!r} is not part of {FORMAT}")


def _short(value: Any) -> str:
    """Return a value as a message shows it: a damaged file may hold one of any length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_agreement(found: Certificate, recorded: str, source: str) -> None:
    """Refuse a certificate whose fields contradict each other.

    The hash comes last: a field that is wrong by itself deserves a message of its own.
    """
    if found.names != found.program.names:
        raise CertificateError(f"{source}: names={list(found.names)!r}: must equal the names of the program")
    if len(found.box) != len(found.names):
        raise CertificateError(f"{source}: box: {len(found.box)} axes, must be {len(found.names)}, one per name")
    hypotheses = len(found.program.outputs) - 1
    if found.subject is not None and len(found.subject.outputs) != hypotheses + 1:
        raise CertificateError(f"{source}: outputs: must have one entry for each output of the program")
    if not 0 <= hypotheses <= len(EXCLUDED):
        raise CertificateError(f"{source}: program.outputs: must be the expression and at most 26 hypotheses")
    problem = tree_problem(found.tree, len(found.names), hypotheses)
    if problem:
        raise CertificateError(f"{source}: tree: {problem}")
    # Computed from what was read, so that a change in any field shows.
    if recorded != found.content_hash:
        raise CertificateError(f"{source}: sha256={_short(recorded)}: the content hashes to {found.content_hash}")


def tree_problem(tree: str, axes: int, hypotheses: int) -> str:
    """Return what is wrong with the shape of a tree, "" when its leaves tile the box.

    A digit opens two boxes for the one it closes, every other node closes one; the tree is whole where none is left.

    Args:
        tree: the nodes in preorder.
        axes: the number of axes, at most ten.
        hypotheses: the number of hypotheses, at most 26.

    Examples:
        >>> tree_problem("0DM", 1, 0), tree_problem("0D", 1, 0)
        ('', '1 boxes are left without a node')
    """
    allowed = "0123456789"[:axes] + DIRECT + MEAN_VALUE + EXCLUDED[:hypotheses]
    pending = 1
    for position, node in enumerate(tree):
        if pending == 0:
            return f"ends at node {position} but {len(tree) - position} characters follow"
        if node not in allowed:
            return f"node {position} is {node!r}: must be one of {allowed}"
        # Each node takes one box; a digit puts two halves in its place.
        pending += 1 if node.isdigit() else -1
    return f"{pending} boxes are left without a node" if pending else ""


def write_certificate(certificate: Certificate, path: str | os.PathLike[str]) -> None:
    """Write the certificate as canonical JSON; the file appears whole or not at all, the same bytes every time.

    Raises `InputError` where it cannot be written.
    """
    write_atomically(Path(path), (_canonical(certificate.to_json()) + "\n").encode())


def read_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Return the certificate in the file after checking every field, the shape of the tree and the hash.

    That the leaves prove what they say is for `replay`.  Raises CertificateError; OSError when there is no such file.
    """
    try:
        # Bounded before it is parsed: the file may be a stranger's.
        data = json.loads(read_within(Path(path), MAXIMUM_BYTES).decode())
    except InputError as error:
        raise CertificateError(str(error)) from None
    except RecursionError:
        raise CertificateError(f"{path}: nested too deeply") from None
    except ValueError as error:
        raise CertificateError(f"{path}: not a whole JSON document ({error})") from None
    return Certificate.from_json(data, source=str(path))
