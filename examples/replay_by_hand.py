"""Replay a region certificate with mpmath's intervals; its format is in rgm_verify/balls/{certificate,program}.py."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from mpmath import iv

iv.prec = 80
RULES = {  # operation: the value from (a, b), and its derivative from (a, b, da, db)
    "add": (lambda a, b: a + b, lambda a, b, p, q: p + q),
    "sub": (lambda a, b: a - b, lambda a, b, p, q: p - q),
    "mul": (lambda a, b: a * b, lambda a, b, p, q: p * b + a * q),
    "div": (lambda a, b: a / b, lambda a, b, p, q: (p - a / b * q) / b),
    "neg": (lambda a, b: -a, lambda a, b, p, q: -p),
    "pow": (lambda a, n: a**n, lambda a, n, p, q: n * a ** (n - 1) * p),
    "log": (lambda a, b: iv.log(a), lambda a, b, p, q: p / a),
    "exp": (lambda a, b: iv.exp(a), lambda a, b, p, q: iv.exp(a) * p),
}


def interval(low: Fraction, high: Fraction) -> Any:
    """Return an interval around [low, high], rounded outward."""
    return iv.mpf([(iv.mpf(low.numerator) / low.denominator).a, (iv.mpf(high.numerator) / high.denominator).b])


def run(program: Any, box: Any) -> Any:
    """Return (value, gradient) of each output over a box of (lower, upper) rationals."""
    values = []
    for name, *parts in program["ops"]:
        if name in ("var", "const"):
            ends = box[parts[0]] if name == "var" else [Fraction(parts[0])] * 2
            values.append((interval(*ends), [iv.mpf(int(name == "var" and parts[0] == k)) for k in range(len(box))]))
            continue
        (a, da), (b, db) = values[parts[0]], (values[parts[-1]] if name != "pow" else (parts[1], box))
        value, rule = RULES[name]
        values.append((value(a, b), [rule(a, b, p, q) for p, q in zip(da, db, strict=True)]))
    return [values[output] for output in program["outputs"]]


def proves(data: Any, code: str, box: Any) -> bool:
    """Return whether a leaf of the tree holds over its box."""
    (value, slopes), *hypotheses = run(data["program"], box)
    if code not in "DM":
        return bool(hypotheses[ord(code) - ord("a")][0].b < 0)
    if code == "M":  # monotone axes go to the end where the expression is least, the others to the middle
        sides = [-1 if g.a >= 0 else 1 if g.b <= 0 else 0 for g in slopes]
        place = [[(lo + hi + s * (hi - lo)) / 2] * 2 for s, (lo, hi) in zip(sides, box, strict=True)]
        value = run(data["program"], place)[0][0]
        for g, s, (lo, hi) in zip(slopes, sides, box, strict=True):
            value += 0 if s else g * interval((lo - hi) / 2, (hi - lo) / 2)
    return bool(value.a > 0 if data["strict"] else value.a >= 0)


def replay(data: Any) -> bool:
    """Return whether every leaf holds and the leaves tile the box."""
    pending = [[[Fraction(end) for end in ends] for ends in data["box"]]]
    for node in data["tree"]:
        box = pending.pop()
        if node.isdigit():
            k, (low, high) = int(node), box[int(node)]
            halves = [(low + high) / 2, high], [low, (low + high) / 2]
            pending.extend([*box[:k], half, *box[k + 1 :]] for half in halves)
        elif not proves(data, node, box):
            return False
    return not pending


if __name__ == "__main__":
    accepted = replay(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    sys.exit(0 if accepted else "rejected")
