"""Replay a region certificate without a chart by mpmath's intervals; its format: rgm_verify/balls/certificate.py."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from mpmath import iv

iv.prec = 80
OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


def interval(low: Fraction, high: Fraction) -> Any:
    """Return an interval around [low, high], rounded outward."""
    return iv.mpf([(iv.mpf(low.numerator) / low.denominator).a, (iv.mpf(high.numerator) / high.denominator).b])


def run(tree: Any, box: Any) -> Any:
    """Return (value, gradient) of an expression over a box of (lower, upper) rationals by name."""
    if isinstance(tree, str) or tree[0] == "var":
        ends = [Fraction(tree)] * 2 if isinstance(tree, str) else box[tree[1]]
        return interval(*ends), [iv.mpf(int(tree == ["var", name])) for name in box]
    head, (x, dx), *rest = tree[0], run(tree[1], box), *(run(part, box) for part in tree[2:])
    if head in ("exp", "log"):
        return getattr(iv, head)(x), [(iv.exp(x) if head == "exp" else 1 / x) * p for p in dx]
    if head == "pow":  # whole exponents alone
        n = int(tree[2])
        return x**n, [n * x ** (n - 1) * p for p in dx]
    for y, dy in rest:
        dx = [p + q if head == "add" else p * y + x * q for p, q in zip(dx, dy, strict=True)]
        x = {"add": x + y, "mul": x * y}[head]
    return x, dx


def gap(relation: Any) -> Any:
    """Return the tree of the larger side minus the smaller one."""
    larger, smaller = relation[1:] if relation[0] in (">=", ">") else relation[:0:-1]
    return ["add", larger, ["mul", "-1", smaller]]


def proves(relation: Any, cuts: Any, code: str, box: Any) -> bool:
    """Return whether a leaf of the tree holds over its box."""
    value, slopes = run(gap(relation if code in "DM" else cuts[ord(code) - ord("a")]), box)
    if code not in "DM":
        return bool(value.b < 0)
    if code == "M":  # monotone axes go to the end where the expression is least, the others to the middle
        sides = [-1 if g.a >= 0 else 1 if g.b <= 0 else 0 for g in slopes]
        place = {n: [(lo + hi + s * (hi - lo)) / 2] * 2 for s, (n, (lo, hi)) in zip(sides, box.items(), strict=True)}
        value = run(gap(relation), place)[0]
        for g, s, (lo, hi) in zip(slopes, sides, box.values(), strict=True):
            value += 0 if s else g * interval((lo - hi) / 2, (hi - lo) / 2)
    return bool(value.a > 0 if relation[0] in ("<", ">") else value.a >= 0)


def replay(data: Any) -> bool:
    """Return whether every leaf holds, the leaves tile the box, and the box is the domain of the variables."""
    stated = data["statement"]
    box = {name: [Fraction(end) for *_, end in domain] for name, _, domain in stated["variables"]}
    if data["map"] or [[str(end) for end in box[name]] for name in data["names"]] != data["box"]:
        return False
    op, *sides = stated["conclusion"]
    relation = [op if stated["quantifier"] == "forall" else OPPOSITE[op], *sides]
    cuts = [stated["hypotheses"][number] for number in data["cuts"]]
    pending = [box]
    for node in data["tree"]:
        box = pending.pop()
        if node.isdigit():
            low, high = box[name := data["names"][int(node)]]
            halves = [(low + high) / 2, high], [low, (low + high) / 2]
            pending.extend({**box, name: half} for half in halves)
        elif not proves(relation, cuts, node, box):
            return False
    return not pending


if __name__ == "__main__":
    accepted = replay(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    sys.exit(0 if accepted else "rejected")
