"""Certificates of accounting numbers as data: read strictly, and refused with a message that says what is wrong.

    {"format": "rgm-verify-number/1",
     "mechanism": {"name": "dp-sgd", "noise_multiplier": "1", ...} or {"name": "rgm", "eta": "1/1000", ...}
                  or another release of `mechanisms`, or {"name": "plan", "releases": [these]},
                  or {"name": "group", "records": 3, "of": one of these},
     "quantity": "epsilon" or "delta", "given": the other one, "lower": number or null, "upper": number or null,
     "check": {"kind": "closed", "bits": 160} or {"kind": "grid", "step": ..., "runs": ..., "digits": ..., "cut": ...}}

A field "neighbours" may say for which data sets the sensitivities of a mechanism are: "add-or-remove-one", "add-one",
"remove-one" or "replace-one". A plan has a list of runs for each release, and a vector counts as the numbers that its
worst neighbours change. Numbers are texts: whole numbers, fractions and decimals, taken exactly.

A file may come from anybody. Every size is bounded before it is used, so that no file fills the memory; a field that is
not known is refused instead of skipped, as a reader would take it for a part of what was proved.
"""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from rgm_verify.recheck.fields import number, once, only, short, whole
from rgm_verify.recheck.mechanisms import (
    NEIGHBOURS,
    Grouped,
    Mechanism,
    Planned,
    by_coordinates,
    insisted,
    mechanism_of,
)
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.sampled import Grid

FORMAT = "rgm-verify-number/1"
MOST_BYTES = 100_000
_MOST_BITS = 4000
_MOST_DIGITS = 1000
_MOST_PLACES = 400_000
_MOST_RUNS = 100
_FEWEST_PLACES = 3
_FIELDS = ("format", "mechanism", "quantity", "given", "lower", "upper", "check")


@dataclass(frozen=True)
class Certificate:
    """A statement on `quantity`, from below and from above (None: nothing is said), and what helps to check it.

    `neighbours` is empty where the certificate does not name them. `given` is the other quantity: a delta in (0, 1),
    or an epsilon >= 0 in nats. There is a grid for each release, or none where the ends have a closed form; then
    `bits` is the precision to compute with, and else it is 0.
    """

    mechanism: Mechanism
    quantity: str
    given: Fraction
    lower: Fraction | None
    upper: Fraction | None
    bits: int
    grids: tuple[Grid, ...]
    neighbours: str = ""

    def _repr_html_(self) -> str:
        ends = ("from", self.lower), ("to", self.upper)
        said = " ".join(f"{word} {float(end)!r}" for word, end in ends if end is not None)
        return f"<code>{escape(self.quantity)} {said}</code> of {escape(type(self.mechanism).__name__)}, to be replayed"


def is_certificate(path: str | PathLike[str]) -> bool:
    """Return whether a file says of itself that it is a certificate of an accounting number, of any version.

    Only its beginning is looked at, to choose the reader; a True promises nothing of the rest.
    """
    try:
        with Path(path).open("rb") as file:
            return b'"rgm-verify-number/' in file.read(4096)
    except OSError:
        return False


def read(path: str | PathLike[str]) -> Certificate:
    """Return the certificate in a file; `Refused` for what is none, `OSError` for a file that cannot be read.

    Files above `MOST_BYTES` are refused without reading them.
    """
    file = Path(path)
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        raise Refused("is no file")
    if status.st_size > MOST_BYTES:
        raise Refused(f"{status.st_size} bytes: a certificate of a number has at most {MOST_BYTES}")
    try:
        data = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Refused(f"is not JSON that can be read: {short(error)}") from None
    return parse(data)


def parse(data: Any) -> Certificate:
    """Return the certificate in decoded JSON; `Refused` names the field that is wrong.

    Examples:
        >>> stated = {"format": FORMAT, "quantity": "delta", "given": "1", "lower": None, "upper": "1/100",
        ...           "mechanism": {"name": "gaussian", "noise_multiplier": "5", "steps": 4},
        ...           "check": {"kind": "closed", "bits": 100}}
        >>> parse(stated).upper
        Fraction(1, 100)
        >>> parse({**stated, "given": 0.1})  # no float: which number was meant?
        Traceback (most recent call last):
        rgm_verify.recheck.refusal.Refused: given 0.1: a number as a text is expected, such as "1/100" or "1e-6"
        >>> parse({**stated, "note": "signed"})
        Traceback (most recent call last):
        rgm_verify.recheck.refusal.Refused: the certificate has a field that is not known: 'note'
    """
    if not isinstance(data, dict) or "format" not in data:
        raise Refused("is no certificate of a number: an object with a format is expected")
    if data["format"] != FORMAT:
        raise Refused(f"format {short(data['format'])}: this version reads {FORMAT}")
    only({name: value for name, value in data.items() if name != "neighbours"}, _FIELDS, "the certificate")
    mechanism = mechanism_of(data["mechanism"])
    neighbours = _neighbours(data.get("neighbours", ""), mechanism)
    if data["quantity"] not in ("epsilon", "delta"):
        raise Refused(f"quantity {short(data['quantity'])}: epsilon or delta is expected")
    given = number(data["given"], "given")
    lower, upper = (None if data[name] is None else number(data[name], name) for name in ("lower", "upper"))
    of_epsilon = data["quantity"] == "epsilon"
    if given < 0 or (of_epsilon and not 0 < given < 1):
        raise Refused(f"given {data['given']}: a delta lies in (0, 1), and an epsilon is not negative")
    if lower is None and upper is None:
        raise Refused("neither a lower nor an upper end: nothing is stated")
    # Each end is proved on its own, so that a contradiction would only be seen at the second.
    if lower is not None and upper is not None and lower > upper:
        raise Refused(f"lower {data['lower']} is above upper {data['upper']}: the statement contradicts itself")
    if any(end is not None and end < 0 for end in (lower, upper)):
        raise Refused("an end is negative: epsilon and delta are not")
    if not of_epsilon and lower is not None and lower > 1:
        raise Refused(f"lower {data['lower']}: a delta is at most 1")
    # The bits for `e^epsilon` grow with epsilon, and no such guarantee is of use to anybody.
    if max(given if not of_epsilon else 0, lower or 0, upper or 0) > 10_000:
        raise Refused("an epsilon above 10000 is not replayed")
    bits, grids = _check(data["check"], mechanism)
    return Certificate(mechanism, data["quantity"], given, lower, upper, bits, grids, neighbours)


def _neighbours(value: Any, mechanism: Mechanism) -> str:
    """Return the neighbours that a certificate names, which a release may insist on; empty for none."""
    if value == "":
        return ""
    if not isinstance(value, str) or value not in NEIGHBOURS:
        raise Refused(f"neighbours {short(value)}: one of {', '.join(NEIGHBOURS)} is expected")
    if not insisted(mechanism) <= {value}:
        raise Refused(f"neighbours {short(value)}: a release is for {', '.join(sorted(insisted(mechanism)))}")
    return value


def _check(data: Any, mechanism: Mechanism) -> tuple[int, tuple[Grid, ...]]:
    """Return the bits for closed forms (0 with a grid) and the grids, one for each release."""
    kind = data.get("kind") if isinstance(data, dict) else None
    mechanism = by_coordinates(mechanism.of if isinstance(mechanism, Grouped) else mechanism)
    if kind == "closed":
        only(data, ("kind", "bits"), "the check")
        if isinstance(mechanism, Planned):
            # Releases of different kinds have no common pair of Gaussians.
            raise Refused("a plan has no closed form: a check by a grid is expected")
        return whole(data["bits"], "bits", 64, _MOST_BITS), ()
    if kind != "grid":
        raise Refused("check: one of the kind closed or grid is expected")
    only(data, ("kind", "step", "runs", "digits", "cut"), "the check")
    step, digits = number(data["step"], "step"), whole(data["digits"], "digits", 1, _MOST_DIGITS)
    if not Fraction(1, 10**9) <= step <= 1:
        raise Refused("step: a number from 1e-9 to 1 is expected")
    cut, lists = whole(data["cut"], "cut", 0, 10**digits), [data["runs"]]
    if isinstance(mechanism, Planned):
        lists = data["runs"] if isinstance(data["runs"], list) else []
        if len(lists) != len(mechanism.releases):
            raise Refused("runs: a list for each release is expected")
    return 0, tuple(Grid(step, _runs(runs), digits, cut) for runs in lists)


def _runs(runs: Any) -> tuple[tuple[int, int, int], ...]:
    """Return the runs of one grid, in order, with at least three places.

    At most `_MOST_RUNS` runs over `_MOST_PLACES` places: a replay takes time and memory in proportion to the span.
    """
    if not isinstance(runs, list) or not 1 <= len(runs) <= _MOST_RUNS:
        raise Refused(f"runs: a list of 1 to {_MOST_RUNS} triples is expected")
    found = tuple(_run(run, index) for index, run in enumerate(runs))
    # Out of order, cells would overlap and masses count twice.
    if any(after[0] < before[1] for before, after in pairwise(found)):
        raise Refused("runs: they must be in order")
    if found[-1][1] - found[0][0] > _MOST_PLACES:
        raise Refused(f"runs: at most {_MOST_PLACES} places are allowed")
    if sum(-(-(stop - start) // stride) for start, stop, stride in found) < _FEWEST_PLACES:
        raise Refused("runs: at least three places are needed")
    return found


def _run(run: Any, index: int) -> tuple[int, int, int]:
    """Return one run (start, stop, stride) of places; `index` is its place in the list, for the message."""
    if not isinstance(run, list) or len(run) != 3:
        raise Refused(f"runs[{index}]: (start, stop, stride) is expected")
    start, stop = (whole(value, f"runs[{index}]", -(10**7), 10**7) for value in run[:2])
    stride = whole(run[2], f"runs[{index}]", 1, 10**5)
    if stop <= start:
        raise Refused(f"runs[{index}]: it is empty")
    return start, stop, stride
