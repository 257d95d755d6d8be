"""Replay of a region certificate with nothing but flint: every leaf is proved again, and the leaves tile the box.

Shares no code with the search.  It reads the documents described in `certificate` and `program`, turns the program
into straight-line Python, differentiates it itself by forward differentiation (a certificate records no gradient), and
walks the tree from the whole box, halving at exact midpoints, so that the leaves cover the box by construction.

    python -m rgm_verify.balls.replay FILE        exit 0 accepted, 1 rejected, 2 unreadable
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from flint import arb, ctx, fmpq

__all__ = ["ReplayResult", "UnreadableCertificate", "replay"]

FORMAT = "rgm-region-certificate/1"
FIELDS = {
    "format": str, "names": list, "box": list, "program": dict, "strict": bool, "bits": int, "tree": str, "sha256": str
}  # fmt: skip

# Operands by operation: i an earlier value, n a positive integer, v a variable, q a rational.
OPERANDS = {
    "var": "v", "const": "q", "pi": "", "e": "", "neg": "i", "add": "ii", "sub": "ii", "mul": "ii", "div": "ii",
    "min": "ii", "max": "ii", "gpow": "ii", "uppergamma": "ii", "lowergamma": "ii", "pow": "in", "root": "in",
    "logrem": "nni", "sqrt": "i", "exp": "i", "log": "i", "sin": "i", "cos": "i", "sinh": "i", "cosh": "i",
    "tanh": "i", "erf": "i", "erfc": "i", "gamma": "i", "lgamma": "i", "digamma": "i", "abs": "i", "sgn": "i",
}  # fmt: skip
INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


class UnreadableCertificate(ValueError):
    """The document is not a certificate; the text names the field, the value and what is allowed."""


@dataclass(frozen=True)
class ReplayResult:
    """Whether every leaf was proved again, how many were looked at, and the first reason against."""

    accepted: bool
    leaves: int
    reason: str


@contextmanager
def _bits(bits: int) -> Iterator[None]:
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _even(value: arb) -> arb:
    """Return the ball of an even power, cut at 0."""
    return value if value >= 0 else value.nonnegative_part()


def _power(base: arb, n: int) -> arb:
    if n == 2:
        return _even(base * base)
    if n == 3:
        return base * base * base
    return base**n if n % 2 else _even(base**n)


def _root(base: arb, order: int) -> arb:
    if base > 0 or not base >= 0:
        return base.root(order)
    return arb(0, base.upper().root(order).upper()).nonnegative_part()


def _sign(value: arb) -> arb:
    return arb(1) if value > 0 else arb(-1) if value < 0 else arb(0, 1)


def _moment(a: int, b: int, x: arb) -> arb:
    """Return an enclosure of integral_0^1 s^(a-1) / (1 + s x)^b ds, a decreasing function of x > -1."""
    if not x > -1:
        return arb.nan()
    right = _moment_at(a, b, x.upper())
    return right if x.is_exact() else right.union(_moment_at(a, b, x.lower()))


def _moment_at(a: int, b: int, x: arb) -> arb:
    """Return the moment at an exact point, with as many extra bits as the divisions by x will lose."""
    if x.is_zero():
        return _ball(Fraction(1, a))
    mantissa, exponent = x.man_exp()
    size = int(mantissa).bit_length() + int(exponent)
    if size < -ctx.prec:
        # |moment'| <= b 2^(b+1) / (a+1) for |x| <= 1/2: at such a small x the value at 0 is as good as any.
        return _ball(Fraction(1, a)) + arb(0, (abs(x) * b * 2 ** (b + 1)).upper())
    if a == b == 1:
        return x.log1p() / x
    with _bits(ctx.prec + 8 + (a + b) * max(1, 2 - size)):
        return _recurrence(a, b, x)


def _recurrence(a: int, b: int, x: arb) -> arb:
    if b == 1:
        value = x.log1p() / x
        for n in range(1, a):
            value = (_ball(Fraction(1, n)) - value) / x
        return value
    if a == 1:
        return (1 - (1 + x) ** (1 - b)) / (x * (b - 1))
    return (_recurrence(a - 1, b - 1, x) - _recurrence(a - 1, b, x)) / x


def _space() -> dict[str, Any]:
    """Return the names that generated source may use."""
    return {
        "one": arb(1), "zero": arb(0), "half": arb(0.5), "abs": abs, "even": _even, "power": _power,
        "root": _root, "sign": _sign,
        "moment": _moment, "number": _number, "two_by_root_pi": 2 / arb.pi().sqrt(),
    }  # fmt: skip


@functools.lru_cache(maxsize=512)
def _number_at(value: int, bits: int) -> arb:
    return arb(value)


def _number(value: int) -> arb:
    return _number_at(value, ctx.prec)


def _value_source(op: Sequence[Any]) -> str:
    """Return the source of the value of one operation (not a variable or constant)."""
    name = op[0]
    if name == "logrem":
        return f"moment({op[1]}, {op[2]}, v{op[3]})"
    x = f"v{op[1]}"
    if name in INFIX:
        return f"{x} {INFIX[name]} v{op[2]}"
    if name in ("pow", "root"):
        return f"power({x}, {op[2]})" if name == "pow" else f"root({x}, {op[2]})"
    if name in ("min", "max"):
        return f"{x}.{name}(v{op[2]})"
    if name == "gpow":
        return f"(v{op[2]} * {x}.log()).exp()"
    if name in ("uppergamma", "lowergamma"):
        return f"v{op[2]}.gamma_{name[:5]}({x})"
    return {"neg": f"-{x}", "abs": f"abs({x})", "sgn": f"sign({x})"}.get(name, f"{x}.{name}()")


def _slope_source(v: str, op: Sequence[Any]) -> str | None:
    """Return the source of f'(x) for v = f(x), None when it is not known."""
    name = op[0]
    if name == "logrem":
        return f"number({-op[2]}) * moment({op[1] + 1}, {op[2] + 1}, v{op[3]})"
    x = f"v{op[1]}"
    if name == "pow":
        return f"number({op[2]}) * " + (x if op[2] == 2 else f"power({x}, {op[2] - 1})") if op[2] > 1 else "one"
    return {
        "exp": v, "sin": f"{x}.cos()", "cos": f"-{x}.sin()", "sinh": f"{x}.cosh()", "cosh": f"{x}.sinh()",
        "tanh": f"one - even({v} * {v})", "gamma": f"{v} * {x}.digamma()", "lgamma": f"{x}.digamma()",
        "abs": f"sign({x})", "erf": f"two_by_root_pi * (-even({x} * {x})).exp()",
        "erfc": f"-two_by_root_pi * (-even({x} * {x})).exp()",
    }.get(name)  # fmt: skip


def _times(left: str | None, right: str | None) -> str | None:
    """Return the source of a product; None is zero and "one" is left out."""
    if left is None or right is None:
        return None
    if left == "one" or right == "one":
        return right if left == "one" else left
    return f"({left}) * ({right})"


def _plus(left: str | None, right: str | None, sign: str = "+") -> str | None:
    if right is None:
        return left
    if left is None:
        return right if sign == "+" else f"-({right})"
    return f"({left}) {sign} ({right})"


def _tangent_source(number: int, op: Sequence[Any], d: Sequence[str | None]) -> str | None:
    """Return the source of the derivative of one value in one variable, from those of its operands; None is zero."""
    name, v = op[0], f"v{number}"
    if len(OPERANDS[name]) == 2 and OPERANDS[name] == "ii":
        return _binary_tangent(name, v, f"v{op[1]}", f"v{op[2]}", d[op[1]], d[op[2]])
    inner = d[op[-1] if name == "logrem" else op[1]]
    if inner is None:
        return None
    if name == "neg":
        return f"-({inner})"
    if name == "log":
        return f"({inner}) / v{op[1]}"
    if name == "sqrt":
        return f"({inner}) / ({v} + {v})"
    if name == "root":
        return f"({inner}) / (number({op[2]}) * power({v}, {op[2] - 1}))"
    if _slope_source(v, op) is None:
        raise _NoDerivative(name)
    return _times(f"s{number}", inner)


def _binary_tangent(name: str, v: str, x: str, y: str, dx: str | None, dy: str | None) -> str | None:
    if dx is None and dy is None:
        return None
    if name in ("add", "sub"):
        return _plus(dx, dy, "+" if name == "add" else "-")
    if name == "mul":
        return _plus(_times(dx, y), _times(x, dy))
    if name == "div":
        return f"({_plus(dx, _times(v, dy), '-')}) / {y}"
    if name == "gpow":
        growth = None if dx is None else f"({_times(y, dx)}) / {x}"
        return _times(v, _plus(_times(dy, f"{x}.log()"), growth))
    if name in ("min", "max"):
        tilt = f"sign({x} - {y}) * ({_plus(dx, dy, '-')})"
        return f"half * ({_plus(_plus(dx, dy), tilt, '+' if name == 'max' else '-')})"
    if dx is not None:
        raise _NoDerivative(name)
    density = f"(-{y}).exp() * (({x} - one) * {y}.log()).exp()"
    return _times(f"-({density})" if name == "uppergamma" else density, dy)


class _NoDerivative(Exception):
    """An operation on the way to a mean-value leaf has no derivative here."""


def _assemble(program: Mapping[str, Any], outputs: Sequence[int], tangents: bool) -> Callable[..., tuple[arb, ...]]:
    """Return the function from balls of the variables to the outputs, or to the gradient of the only output."""
    ops, variables = program["ops"], len(program["names"])
    space, lines = _space(), []
    d: list[list[str | None]] = [[] for _ in range(variables)]
    needed = _ancestors(ops, outputs)
    for number in range(max(outputs, default=-1) + 1):
        op = ops[number]
        if op[0] == "const":
            space[f"v{number}"] = _ball(Fraction(op[1]))
        elif op[0] in ("pi", "e"):
            space[f"v{number}"] = arb.pi() if op[0] == "pi" else arb.const_e()
        elif number in needed:
            lines.append(f"v{number} = " + (f"x{op[1]}" if op[0] == "var" else _value_source(op)))
        if tangents:
            _append_tangents(lines, number, op, d, number in needed)
    results = [d[k][outputs[0]] or "zero" for k in range(variables)] if tangents else [f"v{k}" for k in outputs]
    arguments = ", ".join(f"x{k}" for k in range(variables))
    lines.append("return (" + "".join(f"{result}, " for result in results) + ")")
    exec(f"def run({arguments}):\n    " + "\n    ".join(lines), space)  # built from checked operations
    function: Callable[..., tuple[arb, ...]] = space["run"]
    return function


def _append_tangents(lines: list[str], number: int, op: Sequence[Any], d: list[list[str | None]], wanted: bool) -> None:
    """Append the lines that compute the derivatives of one value, and note their names in `d`."""
    if not wanted or op[0] in ("const", "pi", "e", "var"):
        for k, column in enumerate(d):
            column.append("one" if op[0] == "var" and op[1] == k else None)
        return
    sources = [_tangent_source(number, op, column) for column in d]
    slope = _slope_source(f"v{number}", op) if OPERANDS[op[0]] in ("i", "in", "nni") else None
    if slope is not None and any(source is not None for source in sources):
        lines.append(f"s{number} = {slope}")
    for k, source in enumerate(sources):
        simple = source is None or source == "one"
        if not simple:
            lines.append(f"d{number}_{k} = {source}")
        d[k].append(source if simple else f"d{number}_{k}")


def _ancestors(ops: Sequence[Sequence[Any]], outputs: Sequence[int]) -> set[int]:
    needed = set(outputs)
    for number in range(len(ops) - 1, -1, -1):
        if number in needed:
            op = ops[number]
            needed.update(part for kind, part in zip(OPERANDS[op[0]], op[1:], strict=True) if kind == "i")
    return needed


def _widest_ball(half: Fraction) -> arb:
    """Return a ball around 0 that contains [-half, half], without Arb's extra rounding where that is provably safe."""
    ball = arb(0, _ball(half - half / 2**31))
    (low, low2), (high, high2) = ball.lower().man_exp(), ball.upper().man_exp()
    covers = (
        Fraction(int(low)) * Fraction(2) ** int(low2)
        <= -half
        <= half
        <= Fraction(int(high)) * Fraction(2) ** int(high2)
    )
    return ball if covers else arb(0, _ball(half).upper())


class _Judge:
    """Proves leaves at one precision."""

    def __init__(self, data: Mapping[str, Any], bits: int) -> None:
        program, outputs = data["program"], data["program"]["outputs"]
        self.bits, self.strict = bits, data["strict"]
        self.ends = [(Fraction(low), Fraction(high)) for low, high in data["box"]]
        with _bits(bits):
            self.value = _assemble(program, outputs[:1], False)
            self.conditions = _assemble(program, outputs[1:], False)
            self.gradient = _assemble(program, outputs[:1], True) if "M" in data["tree"] else None
        self.halves: list[list[arb]] = [[] for _ in self.ends]
        self.spans: list[list[arb]] = [[] for _ in self.ends]

    def deepen(self, axis: int, depth: int) -> None:
        """Make the half-widths of an axis known down to `depth`."""
        low, high = self.ends[axis]
        while len(self.halves[axis]) <= depth:
            half = (high - low) / 2 ** (len(self.halves[axis]) + 1)
            self.halves[axis].append(_ball(half))
            self.spans[axis].append(_widest_ball(half))

    def proves(self, code: str, centre: Sequence[arb], depths: Sequence[int]) -> bool:
        """Return whether the leaf `code` holds on the cell with this centre and these depths."""
        box = [c + span[depth] for c, span, depth in zip(centre, self.spans, depths, strict=True)]
        if code == "D":
            return self.holds(self.value(*box)[0])
        if code == "M":
            return self.mean_value(box, centre, depths)
        return bool(self.conditions(*box)[ord(code) - ord("a")] < 0)

    def holds(self, value: arb) -> bool:
        """Return whether the ball certainly satisfies the claim."""
        return bool(value > 0 if self.strict else value >= 0)

    def mean_value(self, box: Sequence[arb], centre: Sequence[arb], depths: Sequence[int]) -> bool:
        """Return whether the mean-value form over the cell proves the claim."""
        slopes = self.gradient(*box) if self.gradient is not None else (arb.nan(),)
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
        value = self.value(*place)[0]
        return self.holds(value if rest is None else value + rest)


def _proves_again(data: Mapping[str, Any], positions: Sequence[tuple[int, int]], code: str, bits: int) -> bool:
    """Return whether a leaf holds at a higher precision, its centre computed from its exact place."""
    judge = _Judge(data, bits)
    with _bits(bits):
        centre, depths = [], []
        for axis, (depth, position) in enumerate(positions):
            judge.deepen(axis, depth)
            low, high = judge.ends[axis]
            centre.append(_ball(low + (high - low) * Fraction(2 * position + 1, 2 ** (depth + 1))))
            depths.append(depth)
        return judge.proves(code, centre, depths)


def _walk(data: Mapping[str, Any]) -> ReplayResult:
    """Walk the tree in preorder and prove each leaf."""
    judge, leaves = _Judge(data, data["bits"]), 0
    axes = range(len(judge.ends))
    for axis in axes:
        judge.deepen(axis, 0)
    start = tuple(_ball((low + high) / 2) for low, high in judge.ends)
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
            judge.deepen(axis, depth)
            half = judge.halves[axis][depth]
            deeper = (*depths[:axis], depth, *depths[axis + 1 :])
            for step, side in ((half, 1), (-half, 0)):
                pending.append((
                    (*centre[:axis], centre[axis] + step, *centre[axis + 1 :]),
                    deeper,
                    (*places[:axis], 2 * places[axis] + side, *places[axis + 1 :]),
                ))  # fmt: skip
            continue
        leaves += 1
        if not judge.proves(node, centre, depths) and not _proves_again(
            data, list(zip(depths, places, strict=True)), node, 2 * data["bits"]
        ):
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


def _rational(text: Any) -> Fraction | None:
    try:
        return Fraction(text) if isinstance(text, str) else None
    except (ValueError, ZeroDivisionError):
        return None


def _check_program(program: Mapping[str, Any]) -> None:
    """Refuse a program that is not made of known operations on earlier values: the generated source rests on this."""
    for key in ("names", "ops", "outputs"):
        if not isinstance(program.get(key), list):
            raise UnreadableCertificate(f"program.{key}: must be a list")
    count = len(program["names"])
    for number, op in enumerate(program["ops"]):
        kinds = OPERANDS.get(op[0]) if isinstance(op, list) and op and isinstance(op[0], str) else None
        if kinds is None or len(op) != 1 + len(kinds):
            raise UnreadableCertificate(f"program.ops[{number}]={op!r}: must be a known operation with its operands")
        for kind, part in zip(kinds, op[1:], strict=True):
            limit = {"i": number, "v": count, "n": 10**6}.get(kind, 0)
            whole = type(part) is int and (1 if kind == "n" else 0) <= part < limit
            if not (whole if kind != "q" else _rational(part) is not None):
                raise UnreadableCertificate(f"program.ops[{number}]={op!r}: operand {part!r} is not of kind {kind!r}")
    for output in program["outputs"]:
        if type(output) is not int or not 0 <= output < len(program["ops"]):
            raise UnreadableCertificate(f"program.outputs: {output!r} is not the number of an operation")


def _check(data: Any) -> None:
    """Refuse a document whose fields are not of the format."""
    if not isinstance(data, Mapping):
        raise UnreadableCertificate(f"the document is a {type(data).__name__}: must be a JSON object")
    for name, kind in FIELDS.items():
        if type(data.get(name)) is not kind:
            raise UnreadableCertificate(f"{name}={data.get(name)!r}: must be a {kind.__name__}")
    if set(data) != set(FIELDS) or data["format"] != FORMAT:
        raise UnreadableCertificate(f"format={data['format']!r}: must be {FORMAT!r} with the fields {sorted(FIELDS)}")
    if not 2 <= data["bits"] <= 10**6:
        raise UnreadableCertificate(f"bits={data['bits']}: must be from 2 to 1000000")
    _check_program(data["program"])
    pairs = data["box"]
    if data["names"] != data["program"]["names"] or len(pairs) != len(data["names"]) or not data["program"]["outputs"]:
        raise UnreadableCertificate("names, box and program: must speak of the same axes, with at least one output")
    for pair in pairs:
        ends = [_rational(end) for end in pair] if isinstance(pair, list) and len(pair) == 2 else [None]
        if None in ends or ends[0] > ends[1]:  # type: ignore[operator]
            raise UnreadableCertificate(f"box: {pair!r}: must be two rationals, lower end first")


def _unacceptable(data: Mapping[str, Any]) -> str:
    """Return why the document must be rejected before any leaf is looked at, "" when there is no reason."""
    allowed = (
        "0123456789"[: len(data["names"])] + "DM" + "abcdefghijklmnopqrstuvwxyz"[: len(data["program"]["outputs"]) - 1]
    )
    strange = sorted(set(data["tree"]) - set(allowed))
    if strange:
        return f"tree: node {strange[0]!r} is not one of {allowed}"
    content = {key: value for key, value in data.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    found = hashlib.sha256(text.encode()).hexdigest()
    return "" if found == data["sha256"] else f"sha256={data['sha256']!r}: the content hashes to {found!r}"


def replay(certificate: str | PathLike[str] | Mapping[str, Any]) -> ReplayResult:
    """Return whether the certificate (a file, or its parsed document) proves its claim, checking every leaf again.

    Each leaf is tried at the recorded precision and then at twice that.  Raises UnreadableCertificate for a document
    that is not a certificate, OSError for a file that cannot be opened.  Not thread-safe.
    """
    data = certificate if isinstance(certificate, Mapping) else _load(certificate)
    _check(data)
    reason = _unacceptable(data)
    if reason:
        return ReplayResult(False, 0, reason)
    try:
        with _bits(data["bits"]):
            return _walk(data)
    except _NoDerivative as missing:
        return ReplayResult(False, 0, f"tree: a mean-value leaf needs the derivative of {missing}")


def _load(path: str | PathLike[str]) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UnreadableCertificate(f"{path}: not a whole JSON document ({error})") from None


def main(arguments: Sequence[str]) -> int:
    """Replay the one file named; return 0 accepted, 1 rejected, 2 unreadable."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m rgm_verify.balls.replay FILE\n")
        return 2
    try:
        result = replay(arguments[0])
    except (UnreadableCertificate, OSError) as error:
        sys.stderr.write(f"unreadable: {error}\n")
        return 2
    verdict = "accepted" if result.accepted else "rejected"
    sys.stdout.write(f"{verdict}: {result.reason} ({result.leaves} leaves)\n")
    return 0 if result.accepted else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
