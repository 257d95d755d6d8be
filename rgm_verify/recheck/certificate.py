"""Certificates of accounting numbers as data: read strictly, and refused with a message that says what is wrong.

    {"format": "rgm-verify-number/1",
     "mechanism": {"name": "dp-sgd", "noise_multiplier": "1", ...} or {"name": "rgm", "eta": "1/1000", ...}
                  or {"name": "plan", "releases": [these, or {"name": "gaussian", "noise_multiplier": "5", ...}]},
     "quantity": "epsilon" or "delta", "given": the other one, "lower": number or null, "upper": number or null,
     "check": {"kind": "closed", "bits": 160} or {"kind": "grid", "step": ..., "runs": ..., "digits": ..., "cut": ...}}

A plan has a list of runs for each release. Numbers are texts: whole numbers, fractions and decimals, taken exactly.

A file may come from anybody. Every size is bounded before it is used, so that no file fills the memory; a field that is
not known is refused instead of skipped, as a reader would take it for a part of what was proved.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.sampled import Grid

FORMAT = "rgm-verify-number/1"
MOST_BYTES = 100_000
_MOST_CHARACTERS = 700
_MOST_EXPONENT = 400
_MOST_BITS = 4000
_MOST_DIGITS = 1000
_MOST_PLACES = 400_000
_MOST_RUNS = 100
_FEWEST_PLACES = 3
_MOST_STEPS = 10**9
_MOST_RELEASES = 50
_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)")
_FIELDS = ("format", "mechanism", "quantity", "given", "lower", "upper", "check")
_NEIGHBOURS = {
    "poisson": ("add-or-remove-one", "add-one", "remove-one"),
    "fixed-batch": ("replace-one",),
}


@dataclass(frozen=True)
class Sampled:
    """`steps` releases of DP-SGD at one `rate` and one noise multiplier.

    `noise` is the deviation of the noise over the clipping norm, > 0; `rate` the share of the records in a batch, in
    (0, 1]. `sampler` is "poisson" (a record joins on its own) or "fixed-batch" (all batches of one size alike); the
    `adjacency` is one that `_NEIGHBOURS` has for it.
    """

    noise: Fraction
    rate: Fraction
    steps: int
    sampler: str
    adjacency: str


@dataclass(frozen=True)
class Relative:
    """`steps` releases of the relative Gaussian mechanism.

    The squared distance of neighbouring outputs is at most `eta^2` times the squared norm of either, plus `r_rel^2`.
    The variance of a coordinate is `gamma` times the squared norm of the output, plus `sigma2`. `eta` and `gamma` are
    positive, `r_rel` and `sigma2` at least 0.
    """

    eta: Fraction
    gamma: Fraction
    dimension: int
    r_rel: Fraction
    sigma2: Fraction
    steps: int = 1


@dataclass(frozen=True)
class Noised:
    """`steps` releases with Gaussian noise, whose deviation is the `noise` times the sensitivity."""

    noise: Fraction
    steps: int


@dataclass(frozen=True)
class Planned:
    """Releases of different kinds for the same neighbours; those of samples bear the name of these."""

    releases: tuple[Sampled | Relative | Noised, ...]


Mechanism: TypeAlias = Sampled | Relative | Noised | Planned


@dataclass(frozen=True)
class Certificate:
    """A statement on `quantity`, from below and from above (None: nothing is said), and what helps to check it.

    `given` is the other quantity: a delta in (0, 1), or an epsilon >= 0 in nats. There is a grid for each release, or
    none where the ends have a closed form; then `bits` is the precision to compute with, and else it is 0.
    """

    mechanism: Mechanism
    quantity: str
    given: Fraction
    lower: Fraction | None
    upper: Fraction | None
    bits: int
    grids: tuple[Grid, ...]


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
        data = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Refused(f"is not JSON that can be read: {_short(error)}") from None
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
        raise Refused(f"format {_short(data['format'])}: this version reads {FORMAT}")
    _only(data, _FIELDS, "the certificate")
    mechanism = _mechanism(data["mechanism"])
    if data["quantity"] not in ("epsilon", "delta"):
        raise Refused(f"quantity {_short(data['quantity'])}: epsilon or delta is expected")
    given = _number(data["given"], "given")
    lower, upper = (None if data[name] is None else _number(data[name], name) for name in ("lower", "upper"))
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
    return Certificate(mechanism, data["quantity"], given, lower, upper, bits, grids)


def _mechanism(data: Any) -> Mechanism:
    """Return the mechanism of a certificate: a plan, or the one release that it is about."""
    if not isinstance(data, dict) or data.get("name") != "plan":
        return _release(data)
    _only(data, ("name", "releases"), "the mechanism")
    releases = data["releases"]
    if not isinstance(releases, list) or not 1 <= len(releases) <= _MOST_RELEASES:
        raise Refused(f"releases: a list of 1 to {_MOST_RELEASES} is expected")
    found = tuple(map(_release, releases))
    # The curves of two kinds of neighbours are about different pairs of data, and their product about none.
    if len({release.adjacency for release in found if isinstance(release, Sampled)}) > 1:
        raise Refused("releases: all are for the same neighbours")
    return Planned(found)


def _release(data: Any) -> Sampled | Relative | Noised:
    """Return the release of a kind that is known; `Refused` names the field that is wrong.

    A sampler is only known together with the neighbours that its worst pair was derived for.
    """
    name = data.get("name") if isinstance(data, dict) else None
    if name == "gaussian":
        _only(data, ("name", "noise_multiplier", "steps"), "the mechanism")
        noise = _number(data["noise_multiplier"], "noise_multiplier")
        if noise <= 0:
            raise Refused("the noise multiplier must be > 0")
        return Noised(noise, _whole(data["steps"], "steps", 1, _MOST_STEPS))
    if name == "dp-sgd":
        _only(data, ("name", "noise_multiplier", "sampling_rate", "steps", "sampler", "adjacency"), "the mechanism")
        sampler, adjacency = data["sampler"], data["adjacency"]
        # A sampler without the neighbours that its pair was derived for would get a number that is about something
        # else.
        if not isinstance(sampler, str) or adjacency not in _NEIGHBOURS.get(sampler, ()):
            raise Refused(f"sampler {_short(sampler)} with adjacency {_short(adjacency)}: no account is known of that")
        noise, rate = (_number(data[key], key) for key in ("noise_multiplier", "sampling_rate"))
        if noise <= 0 or not 0 < rate <= 1:
            raise Refused("the noise multiplier must be > 0 and the sampling rate in (0, 1]")
        return Sampled(noise, rate, _whole(data["steps"], "steps", 1, _MOST_STEPS), sampler, adjacency)
    if name == "rgm":
        _only(data, ("name", "eta", "gamma", "dimension", "r_rel", "sigma2", "steps"), "the mechanism")
        eta, gamma, r_rel, sigma2 = (_number(data[key], key) for key in ("eta", "gamma", "r_rel", "sigma2"))
        if eta <= 0 or gamma <= 0 or r_rel < 0 or sigma2 < 0:
            raise Refused("eta and gamma must be > 0, r_rel and sigma2 not negative")
        dimension, steps = (
            _whole(data["dimension"], "dimension", 1, 10**12),
            _whole(data["steps"], "steps", 1, _MOST_STEPS),
        )
        return Relative(eta, gamma, dimension, r_rel, sigma2, steps)
    raise Refused("mechanism: one with the name dp-sgd, rgm, gaussian or plan is expected")


def _check(data: Any, mechanism: Mechanism) -> tuple[int, tuple[Grid, ...]]:
    """Return the bits for closed forms (0 with a grid) and the grids, one for each release."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "closed":
        _only(data, ("kind", "bits"), "the check")
        if isinstance(mechanism, Planned):
            # Releases of different kinds have no common pair of Gaussians.
            raise Refused("a plan has no closed form: a check by a grid is expected")
        return _whole(data["bits"], "bits", 64, _MOST_BITS), ()
    if kind != "grid":
        raise Refused("check: one of the kind closed or grid is expected")
    _only(data, ("kind", "step", "runs", "digits", "cut"), "the check")
    step, digits = _number(data["step"], "step"), _whole(data["digits"], "digits", 1, _MOST_DIGITS)
    if not Fraction(1, 10**9) <= step <= 1:
        raise Refused("step: a number from 1e-9 to 1 is expected")
    cut, lists = _whole(data["cut"], "cut", 0, 10**digits), [data["runs"]]
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
    found = tuple(_run(run, number) for number, run in enumerate(runs))
    # Out of order, cells would overlap and masses count twice.
    if any(after[0] < before[1] for before, after in pairwise(found)):
        raise Refused("runs: they must be in order")
    if found[-1][1] - found[0][0] > _MOST_PLACES:
        raise Refused(f"runs: at most {_MOST_PLACES} places are allowed")
    if sum(-(-(stop - start) // stride) for start, stop, stride in found) < _FEWEST_PLACES:
        raise Refused("runs: at least three places are needed")
    return found


def _run(run: Any, number: int) -> tuple[int, int, int]:
    """Return one run (start, stop, stride) of places; `number` is its place in the list, for the message."""
    if not isinstance(run, list) or len(run) != 3:
        raise Refused(f"runs[{number}]: (start, stop, stride) is expected")
    start, stop = (_whole(value, f"runs[{number}]", -(10**7), 10**7) for value in run[:2])
    stride = _whole(run[2], f"runs[{number}]", 1, 10**5)
    if stop <= start:
        raise Refused(f"runs[{number}]: it is empty")
    return start, stop, stride


def _number(text: Any, name: str) -> Fraction:
    """Return an exact number written as a text; what would fill the memory is refused before it is read.

    "1e-6" is the fraction 1/1000000. At most `_MOST_CHARACTERS` characters and an exponent of `_MOST_EXPONENT` are
    read.
    """
    if not isinstance(text, str) or len(text) > _MOST_CHARACTERS or not _NUMBER.fullmatch(text):
        raise Refused(f'{name} {_short(text)}: a number as a text is expected, such as "1/100" or "1e-6"')
    # Before `Fraction` sees it: 1e9999 has ten thousand digits.
    exponent = re.search(r"[eE]([+-]?[0-9]+)$", text)
    if exponent and abs(int(exponent[1])) > _MOST_EXPONENT:
        raise Refused(f"{name} {_short(text)}: an exponent is at most {_MOST_EXPONENT}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise Refused(f"{name} {_short(text)}: the denominator is 0") from None


def _whole(value: Any, name: str, least: int, most: int) -> int:
    """Return an integer from `least` to `most`; a truth value is none, and neither is 1.0."""
    # Not `isinstance`: True is an `int` for Python.
    if type(value) is not int or not least <= value <= most:
        raise Refused(f"{name} {_short(value)}: a whole number from {least} to {most} is expected")
    return value


def _only(data: Mapping[str, Any], fields: tuple[str, ...], where: str) -> None:
    """Refuse an object that lacks one of the `fields`, or has another one."""
    missing, foreign = [name for name in fields if name not in data], [name for name in data if name not in fields]
    if missing:
        raise Refused(f"{where} has no field {missing[0]!r}")
    if foreign:
        raise Refused(f"{where} has a field that is not known: {_short(foreign[0])}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a JSON object; `ValueError` where one is given twice.

    Readers differ in which of the two counts, and a file must say the same to all of them.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is given twice")
    return found


def _short(value: object) -> str:
    """Return a value for a message, cut at 80 characters: it is text from somebody else's file."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 80 else text[:80] + "..."
