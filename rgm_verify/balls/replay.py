"""Replay of a region certificate with nothing but flint: every leaf is proved again, and the leaves tile the box.

Shares no code with the search.  It reads the document described in `certificate`, evaluates the statement's own formula
on each leaf, differentiates it itself, and walks the tree from the whole box, halving at exact midpoints, so that the
leaves cover the box by construction.  Before that it shows by exact algebra that the box covers the statement
(`replaying.algebra`), and compares the claim with the name of the file.  What is too large to be read or judged is
refused with the limit.

    python -m rgm_verify.balls.replay FILE [SECONDS]    exit 0 accepted, 1 rejected, 2 unreadable or not finished
"""

from __future__ import annotations

import functools
import hashlib
import json
import stat
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from flint import arb

from rgm_verify.balls.replaying.algebra import unproved
from rgm_verify.balls.replaying.evaluation import Expression, NoDerivative, widest_ball
from rgm_verify.balls.replaying.functions import ball, working_at
from rgm_verify.balls.replaying.statement import (
    Statement,
    UnreadableCertificate,
    is_name,
    measure,
    rational,
    read_statement,
    sides,
)
from rgm_verify.numbers.shown import Shown

__all__ = ["ReplayResult", "UnreadableCertificate", "replay"]

FORMAT = "rgm-region-certificate/3"
OLD_FORMATS = ("rgm-region-certificate/1", "rgm-region-certificate/2")
FIELDS = {
    "format": str, "claim": str, "statement": dict, "map": dict, "cuts": list, "names": list, "box": list, "bits": int,
    "tree": str, "sha256": str,
}  # fmt: skip

# Limits of what a stranger's document may ask for; each is refused with its number.
MAXIMUM_BYTES = 50_000_000
# Commas and opening brackets in the file: what they part takes a hundred times as much memory.
MAXIMUM_PARTS = 2_000_000
# Numbers, names and brackets of the parsed document, where a special function counts 50.
MAXIMUM_DATA = 30_000
MAXIMUM_AXES = 10
MAXIMUM_BITS = 1024
MAXIMUM_NODES = 10_000_000
MAXIMUM_DEPTH = 64
# Operations on all leaves, for each variable, in units of 64 bits; a sum counts 1.
MAXIMUM_WORK = 10**10
# The same on one leaf, for one variable and 64 bits.
MAXIMUM_STEPS = 100_000
# Seconds of the processor that the commands allow, and seconds after which they say how far they are.
SECONDS, SAYING = 600.0, 8.0
MAXIMUM_CUTS = 26

# What no replay looks at.
UNCHECKED = (
    "that the formula is that of the source, and that the claim of this name makes this statement (but for --claims)",
)


@dataclass(frozen=True)
class ReplayResult(Shown):
    """The outcome of a replay, and in words what was certified.

    Attributes:
        accepted: whether every leaf was proved again and the leaves tile the box.
        leaves: the number of leaves looked at.
        reason: the first reason against, or why it was accepted.
        claim: the id of the claim.
        statement: the statement in words and infix.
        box: the box of the coordinates.
        chart: the chart in infix, empty for the identity.
        proved: the inequality that the leaves prove.
    """

    accepted: bool
    leaves: int
    reason: str
    claim: str = ""
    statement: str = ""
    box: str = ""
    chart: str = ""
    proved: str = ""

    def lines(self) -> list[str]:
        """Return the result as lines of text: the verdict, what was certified, and what was not looked at.

        The last part stands below every acceptance, so that nobody takes it for more than it is.
        """
        verdict = "accepted" if self.accepted else "REJECTED"
        shown = (
            ("claim", self.claim),
            ("statement", self.statement),
            ("box", self.box),
            ("chart", self.chart),
            ("proved" if self.accepted else "said to be proved", self.proved),
        )
        lines = [f"{verdict}: {self.leaves} leaves; {self.reason}"]
        lines += [f"  {name}: {text}" for name, text in shown if text]
        return lines + ([f"  not checked: {text}" for text in UNCHECKED] if self.accepted else [])


class _Watch:
    """Counts leaves, says now and then how far it is, and stops what takes too long.

    Args:
        seconds: of the processor; None: no limit. The clock on the wall would stop a replay that others slow down.
    """

    def __init__(self, seconds: float | None, say: Callable[[str], object] | None) -> None:
        self.seconds, self.say, self.calls, self.leaves = seconds, say, 0, 0
        self.started, self.said = time.process_time(), time.monotonic()

    def look(self) -> None:
        """Look at the time."""
        # Time of the processor: other programs on the machine do not count against a certificate.
        spent = time.process_time() - self.started
        doing = f"{self.leaves} leaves proved again"
        if self.seconds is not None and spent > self.seconds:
            raise UnreadableCertificate(
                f"not finished within {self.seconds:g} s of computing ({doing}): neither accepted nor rejected; allow "
                "more seconds"
            )
        if self.say is not None and time.monotonic() - self.said > SAYING:
            self.say(f"{doing}, after {spent:.0f} s of computing")
            self.said = time.monotonic()

    def leaf(self, cost: int) -> None:
        """Count a leaf, and look at the time about once in a hundred thousand operations."""
        self.leaves += 1
        self.calls += cost
        # Asking for the time takes as long as a cheap leaf.
        if self.calls >= MAXIMUM_STEPS:
            self.calls = 0
            self.look()


class _Judge:
    """Proves leaves at one precision.

    Args:
        data: a checked document.
        statement: its statement.
        bits: the precision at which the formulas are taken apart.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, bits: int) -> None:
        self.bits, self.strict = bits, statement.strict()
        self.ends = [(Fraction(low), Fraction(high)) for low, high in data["box"]]
        with working_at(bits):
            self.gap, self.cuts = _expressions(data["names"], statement)
        self.halves: list[list[arb]] = [[] for _ in self.ends]
        self.spans: list[list[arb]] = [[] for _ in self.ends]

    def deepen(self, axis: int, depth: int) -> None:
        """Make the half-widths of an axis known down to `depth`."""
        low, high = self.ends[axis]
        while len(self.halves[axis]) <= depth:
            half = (high - low) / 2 ** (len(self.halves[axis]) + 1)
            self.halves[axis].append(ball(half))
            self.spans[axis].append(widest_ball(half))

    def proves(self, code: str, centre: Sequence[arb], depths: Sequence[int]) -> bool:
        """Return whether the leaf `code` holds on the cell with this centre and these depths."""
        box = [c + span[depth] for c, span, depth in zip(centre, self.spans, depths, strict=True)]
        if code == "D":
            return self.holds(self.gap.value(box))
        if code == "M":
            return self.mean_value(box, centre, depths)
        gap = self.cuts[ord(code) - ord("a")].value(box)
        return bool(gap.is_finite() and gap < 0)

    def holds(self, value: arb) -> bool:
        """Return whether the ball certainly satisfies the claim; an infinite one may have no value somewhere."""
        return bool(value.is_finite() and (value > 0 if self.strict else value >= 0))

    def mean_value(self, box: Sequence[arb], centre: Sequence[arb], depths: Sequence[int]) -> bool:
        """Return whether the mean-value form over the cell proves the claim.

        On an axis where the slope has one sign the smallest value is at an end, and the place is moved there; on the
        others the slope times the ball around 0 of the cell's half width is added. `False` proves nothing.
        """
        slopes = self.gap.slopes(box)
        # An infinite slope bounds nothing: the leaf is not proved, whatever the rest says.
        if not all(slope.is_finite() for slope in slopes):
            return False
        place, rest = list(centre), None
        for axis, slope in enumerate(slopes):
            half = self.halves[axis][depths[axis]]
            if slope >= 0:
                place[axis] = place[axis] - half
            elif slope <= 0:
                place[axis] = place[axis] + half
            else:
                step = slope * self.spans[axis][depths[axis]]
                rest = step if rest is None else rest + step
        value = self.gap.value(place)
        return self.holds(value if rest is None else value + rest)


class _Again:
    """Proves leaves at a higher precision; built when the first one asks for it."""

    def __init__(self, data: Mapping[str, Any], statement: Statement, bits: int) -> None:
        self.data, self.statement, self.bits = data, statement, bits

    @functools.cached_property
    def judge(self) -> _Judge:
        """The judge at the higher precision."""
        return _Judge(self.data, self.statement, self.bits)

    def proves(self, positions: Sequence[tuple[int, int]], code: str) -> bool:
        """Return whether a leaf holds, its centre computed from its exact place.

        Args:
            positions: depth and position on each axis; the cell is position / 2^depth of the way along.
            code: the letter of the leaf.
        """
        judge = self.judge
        with working_at(self.bits):
            centre, depths = [], []
            for axis, (depth, position) in enumerate(positions):
                judge.deepen(axis, depth)
                low, high = judge.ends[axis]
                centre.append(ball(low + (high - low) * Fraction(2 * position + 1, 2 ** (depth + 1))))
                depths.append(depth)
            return judge.proves(code, centre, depths)


def _expressions(names: Sequence[str], statement: Statement) -> tuple[Expression, list[Expression]]:
    """Return what is >= 0 on the leaves, and the gaps of the hypotheses that leaves may name, over the axes."""
    images = statement.maps or {}
    gap, *cuts = (
        Expression(["add", larger, ["mul", "-1", smaller]], names, images)
        for larger, smaller in map(sides, (statement.certified, *statement.cuts))
    )
    return gap if statement.target is None else Expression(statement.target, names, {}), cuts


def _walk(data: Mapping[str, Any], statement: Statement, watch: _Watch) -> ReplayResult:
    """Walk the tree in preorder and prove each leaf.

    A digit halves the box along that axis, lower half first; any other letter closes a leaf. A leaf that fails at the
    precision of the certificate is tried once more at twice as many bits, with exact ends: the cheap balls of the walk
    are a little wider than their cells.
    """
    # The precision in force is the document's: the caller has set it.
    judge, leaves = _Judge(data, statement, data["bits"]), 0
    again, cost = _Again(data, statement, 2 * data["bits"]), _steps(data, statement)
    axes = range(len(judge.ends))
    for axis in axes:
        judge.deepen(axis, 0)
    start = tuple(ball((low + high) / 2) for low, high in judge.ends)
    pending: list[tuple[tuple[arb, ...], tuple[int, ...], tuple[int, ...]]] = [
        (start, (0,) * len(axes), (0,) * len(axes))
    ]
    for node in data["tree"]:
        if not pending:
            return ReplayResult(False, leaves, "tree: nodes follow after the whole box is covered")
        centre, depths, places = pending.pop()
        if node.isdigit():
            axis = int(node)
            depth = depths[axis] + 1
            if depth > MAXIMUM_DEPTH:
                return ReplayResult(False, leaves, f"tree: axis {axis} is halved more than {MAXIMUM_DEPTH} times")
            judge.deepen(axis, depth)
            half = judge.halves[axis][depth]
            deeper = (*depths[:axis], depth, *depths[axis + 1 :])
            # The upper half goes onto the stack first, as in the search: preorder takes the lower one first.
            for step, side in ((half, 1), (-half, 0)):
                pending.append((
                    (*centre[:axis], centre[axis] + step, *centre[axis + 1 :]),
                    deeper,
                    (*places[:axis], 2 * places[axis] + side, *places[axis + 1 :]),
                ))  # fmt: skip
            continue
        leaves += 1
        watch.leaf(cost)
        # The exact place is kept beside the ball, so that the second try does not inherit the first one's rounding.
        if not judge.proves(node, centre, depths) and not again.proves(list(zip(depths, places, strict=True)), node):
            return ReplayResult(
                False, leaves, f"leaf {leaves} ({node!r}) is not proved: {_cell(judge, data, depths, places)}"
            )
    if pending:
        return ReplayResult(False, leaves, f"tree: {len(pending)} boxes are left without a proof")
    return ReplayResult(True, leaves, "every leaf is proved and the leaves tile the box")


def _cell(judge: _Judge, data: Mapping[str, Any], depths: Sequence[int], places: Sequence[int]) -> str:
    """Return the exact box of a cell as text."""
    parts = []
    for name, (low, high), depth, place in zip(data["names"], judge.ends, depths, places, strict=True):
        ends = (low + (high - low) * Fraction(place + k, 2**depth) for k in (0, 1))
        parts.append(f"{name} in [{', '.join(map(str, ends))}]")
    return ", ".join(parts)


def _steps(data: Mapping[str, Any], statement: Statement) -> int:
    """Return the cost of all formulas at one place, in units of a ball addition: it bounds work before any is done."""
    with working_at(data["bits"]):
        gap, cuts = _expressions(data["names"], statement)
    return sum(one.cost for one in (gap, *cuts))


def _short(value: Any) -> str:
    """Return a value as a message shows it, whatever its type and length."""
    text = repr(value) if isinstance(value, str | int | float | bool | None) else json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _check(data: Any) -> Statement:  # noqa: C901 - one refusal after the other, in the order of the format
    """Refuse a document whose fields are not of the format; return its statement.

    Limits come before work: the size of the document before its trees, the trees before any leaf.
    Raises `UnreadableCertificate` with the field, its value and what is allowed.
    """
    if not isinstance(data, Mapping):
        raise UnreadableCertificate(f"the document is a {type(data).__name__}: must be a JSON object")
    measure("the document", dict(data), MAXIMUM_DATA)
    if data.get("format") in OLD_FORMATS:
        raise UnreadableCertificate(
            f"format={data['format']!r}: a certificate of an old format, which does not rest on its statement alone; "
            f"judge the claim again for one that does: rgm-verify run ID"
        )
    for name, kind in FIELDS.items():
        if type(data.get(name)) is not kind:
            raise UnreadableCertificate(f"{name}: must be a {kind.__name__}, got a {type(data.get(name)).__name__}")
    # An unknown field could carry a meaning that this reader would miss.
    if set(data) != set(FIELDS) or data["format"] != FORMAT:
        raise UnreadableCertificate(
            f"format={_short(data['format'])}: must be {FORMAT!r} with the fields {sorted(FIELDS)}"
        )
    if not 2 <= data["bits"] <= MAXIMUM_BITS:
        raise UnreadableCertificate(f"bits: must be from 2 to {MAXIMUM_BITS}")
    names, pairs = data["names"], data["box"]
    if not (all(map(is_name, names)) and len(set(names)) == len(names) <= MAXIMUM_AXES):
        raise UnreadableCertificate(f"names: must be at most {MAXIMUM_AXES} different printable texts")
    if len(pairs) != len(names):
        raise UnreadableCertificate(f"box: {len(pairs)} axes, must be {len(names)}, one for each name")
    if len(data["cuts"]) > MAXIMUM_CUTS:
        raise UnreadableCertificate(f"cuts: {len(data['cuts'])} hypotheses: at most {MAXIMUM_CUTS} are read")
    for pair in pairs:
        ends = [rational(end) for end in pair] if isinstance(pair, list) and len(pair) == 2 else [None]
        if None in ends or ends[0] > ends[1]:  # type: ignore[operator]
            raise UnreadableCertificate(f"box: {_short(pair)}: must be two rationals, lower end first")
    statement = read_statement(data)
    steps = _steps(data, statement)
    if steps > MAXIMUM_STEPS:
        raise UnreadableCertificate(
            f"statement: {steps} operations, where a special function counts 50: at most {MAXIMUM_STEPS} are replayed"
        )
    # An estimate from above, so that a document which would run for hours is refused at once.
    work = len(data["tree"]) * steps * (1 + len(names)) * (1 + data["bits"] // 64)
    if len(data["tree"]) > MAXIMUM_NODES or work > MAXIMUM_WORK:
        raise UnreadableCertificate(
            f"tree: {len(data['tree'])} nodes for {steps} operations at {data['bits']} bits: too "
            f"much to replay; at most {MAXIMUM_NODES} nodes and {MAXIMUM_WORK} operations"
        )
    return statement


def _unacceptable(data: Mapping[str, Any], file: str | None) -> str:
    """Return why the document must be rejected before any leaf is looked at, "" when there is no reason.

    Unknown letters, a hash that is not that of the content, and a file whose name says another claim or another
    content.
    """
    allowed = "0123456789"[: len(data["names"])] + "DM" + "abcdefghijklmnopqrstuvwxyz"[: len(data["cuts"])]
    # The letters first: a hash that matches says nothing about what a letter means.
    strange = sorted(set(data["tree"]) - set(allowed))
    if strange:
        return f"tree: node {strange[0]!r} is not one of {allowed}"
    content = {key: value for key, value in data.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    found = hashlib.sha256(text.encode()).hexdigest()
    if found != data["sha256"]:
        return f"sha256={_short(data['sha256'])}: the content hashes to {found!r}"
    name = f"{data['claim'].replace(':', '--')}--{found[:12]}.json"
    if file is not None and file != name:
        return f"the file is named {_short(file)}, but it certifies the claim {data['claim']}: its name is {name}"
    return ""


def unproved_before_the_leaves(subject: Mapping[str, Any], box: Mapping[str, tuple[Fraction, Fraction]]) -> str:
    """Return why no leaves could certify a statement in a box, "" where they may: it is asked before a search.

    Args:
        subject: claim, statement, map and cuts, as a certificate records them.
        box: exact ends by axis.

    Raises:
        UnreadableCertificate: for a statement that no certificate can hold.
    """
    return unproved(read_statement({**subject, "names": list(box)}), box)


def replay(
    certificate: str | PathLike[str] | Mapping[str, Any],
    *,
    seconds: float | None = None,
    say: Callable[[str], object] | None = None,
) -> ReplayResult:
    """Return whether the certificate proves its claim, checking every leaf again.

    The formula evaluated is that of the statement (see `replaying.statement`), and a file has to have the name that the
    report gives it. Each leaf is tried at the recorded precision and then at twice that.

    Args:
        certificate: a file, or its parsed document.
        seconds: of the processor, after which it gives up; None: no limit.
        say: is told every few seconds how far it is.

    Returns:
        Accepted or not, with the first reason against.

    Raises:
        UnreadableCertificate: for a document that is not a certificate or too large, or after `seconds` without an
            answer.
        OSError: for a file that cannot be opened.

    Not thread-safe.
    """
    if isinstance(certificate, Mapping):
        data, file = certificate, None
    else:
        data, file = _load(certificate), Path(certificate).name
    statement = _check(data)
    return replace(
        _judge(data, statement, file, _Watch(seconds, say)),
        claim=statement.claim,
        statement=statement.text(),
        box=", ".join(f"{n} in [{low}, {high}]" for n, (low, high) in zip(data["names"], data["box"], strict=True)),
        chart=statement.chart(),
        proved=statement.proved(),
    )


def _judge(data: Mapping[str, Any], statement: Statement, file: str | None, watch: _Watch) -> ReplayResult:
    """Return the result without the words.

    That the box covers the statement is shown first: a proof of another inequality is worth nothing.
    """
    watch.look()
    reason = _unacceptable(data, file) or unproved(statement, _box(data))
    if reason:
        return ReplayResult(False, 0, reason)
    try:
        with working_at(data["bits"]):
            return _walk(data, statement, watch)
    except NoDerivative as missing:
        return ReplayResult(False, 0, f"tree: a mean-value leaf needs the derivative of {missing}")
    # Its own errors say what to do; only what the arithmetic raises is a rejection.
    except UnreadableCertificate:
        raise
    except (ArithmeticError, ValueError) as error:
        return ReplayResult(False, 0, f"the statement cannot be evaluated: {error}")


def _box(data: Mapping[str, Any]) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the ends of the box by axis."""
    return {n: (Fraction(low), Fraction(high)) for n, (low, high) in zip(data["names"], data["box"], strict=True)}


def _load(path: str | PathLike[str]) -> Any:
    """Return the parsed document.

    Raises:
        UnreadableCertificate: for what is no regular file, is too large, or is no JSON.
        OSError: where there is no such file.
    """
    found = Path(path).stat()
    if not stat.S_ISREG(found.st_mode):
        raise UnreadableCertificate(f"{path}: not a regular file; give the file of a certificate")
    # By its stated size, before a byte of it is in memory.
    if found.st_size > MAXIMUM_BYTES:
        raise UnreadableCertificate(f"{path}: {found.st_size} bytes: at most {MAXIMUM_BYTES} are read")
    # Counted before it is parsed: a few bytes of brackets make a hundred times as much memory.
    content = Path(path).read_bytes()
    if sum(map(content.count, (b",", b"[", b"{"))) > MAXIMUM_PARTS:
        raise UnreadableCertificate(f"{path}: more than {MAXIMUM_PARTS} commas and brackets: too large to be read")
    try:
        return json.loads(content.decode())
    except RecursionError:
        raise UnreadableCertificate(f"{path}: nested too deeply") from None
    except ValueError as error:
        raise UnreadableCertificate(f"{path}: not a whole JSON document ({error})") from None


def main(arguments: Sequence[str]) -> int:
    """Replay the one file named.

    Args:
        arguments: the file, and the seconds allowed if another number than `SECONDS` is wanted.

    Returns:
        0 accepted, 1 rejected, 2 unreadable or not finished.
    """
    # Bad usage is answered like an unreadable file: the exit code 1 is for a rejection alone.
    allowed = _seconds(arguments[1]) if len(arguments) == 2 else SECONDS
    if not 1 <= len(arguments) <= 2 or allowed is None:
        sys.stderr.write("usage: python -m rgm_verify.balls.replay FILE [SECONDS]\n")
        return 2
    try:
        result = replay(arguments[0], seconds=allowed, say=lambda text: sys.stderr.write(f"{text}\n"))
    except (UnreadableCertificate, OSError) as error:
        reason = f"{arguments[0]}: {error.strerror}" if isinstance(error, OSError) else error
        sys.stderr.write(f"unreadable: {reason}\n")
        return 2
    sys.stdout.write("\n".join(result.lines()) + "\n")
    return 0 if result.accepted else 1


def _seconds(text: str) -> float | None:
    """Return the whole number above 0 that a text is, else None."""
    return float(text) if text.isdecimal() and 0 < len(text) < 10 and int(text) else None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
