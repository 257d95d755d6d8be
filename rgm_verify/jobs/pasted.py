"""Python that a reader can paste to recompute a witness, written from its values and its relation."""

from __future__ import annotations

import ast
import json
import keyword
import re
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal

#: Names of values that stand for something else in the Python that is shown.
_TAKEN = frozenset({"mp", "mpf", "lhs", "rhs", "gamma", "beta", "zeta", "eta", "print", "Fraction", *keyword.kwlist})
#: The names of SymPy that mpmath spells in another way.
_SPELT = {"E": "e"}


def python_name(name: str) -> str:
    """Return the name of a variable as Python can have it.

    Names that mpmath or the snippet itself uses get a line below: `eta` is a function of mpmath's.

    Examples:
        >>> python_name("x'"), python_name("lambda"), python_name("eta"), python_name("n_1")
        ('x_', 'lambda_', 'eta_', 'n_1')
    """
    cleaned = "".join(c if c.isalnum() else "_" for c in name)
    return cleaned + "_" if cleaned in _TAKEN else cleaned


def pasted(values: dict[str, str], python: Sequence[str], *, equal: bool = False, digits: int = 50) -> str:
    """Return Python that recomputes both sides of a relation at exact values, and prints them and whether it holds.

    `python` is [left side, sign of the relation, right side], or [world] for an exact small world, or empty: then there
    is nothing to paste. Sides that are written with `Fraction` are computed exactly, others with 50 `digits` or more.
    A fourth entry is a term that has no real value at the point: the relation is then the opposite of what it needs.
    Sides that are `equal` for certain are compared to 40 digits: the last digits of irrational numbers differ.
    """
    # A small world has no two sides to print: whoever pastes it looks into it.
    if len(python) == 1:
        return f"from fractions import Fraction\nworld = {python[0]}\n"
    if len(python) not in (3, 4):
        return ""
    left, sign, right = python[:3]
    # A single side with fractions makes both exact: one rounded side would spoil the comparison.
    exact = any("Fraction(" in side for side in (left, right))
    lines = ["from fractions import Fraction"] if exact else ["from mpmath import *", f"mp.dps = {digits}"]
    written = _fraction if exact else _number
    used = set(re.findall(r"\w+", f"{left} {right}"))
    for name, text in values.items():
        own = python_name(name)
        # What no short text says exactly stands in the sides already, with its digits.
        lines.append(f"{own} = {written(text)}" if own in used else f"# {own} = {text}")
    if len(python) == 4:
        lines.append(f"# {python[3]} has no real value where this is True:")
        # Digits of an irrational zero are next to 0 and need not be 0.
        if sign == "==" and not exact:
            lines += [
                f"inside = {left}" if right == "0" else f"inside = {left} - ({right})",
                "print(inside, abs(inside) < mpf(10) ** -40)",
            ]
            return "\n".join(lines) + "\n"
        return "\n".join([*lines, f"inside = {left}", f"print(inside, inside {sign} {right})"]) + "\n"
    same = "abs(lhs - rhs) < mpf(10) ** -40 * (1 + abs(rhs))"
    holds = same if equal and not exact else f"lhs {sign} rhs"
    return "\n".join([*lines, f"lhs = {left}", f"rhs = {right}", f"print(lhs, rhs, {holds})"]) + "\n"


def snippet(values: dict[str, str], python: Sequence[str], margin: Sequence[str]) -> str:
    """Return what `pasted` does, with as many digits as the enclosure of the margin asks for.

    Args:
        values: Each variable as an exact text.
        python: As for `pasted`.
        margin: The ends of an enclosure of the difference of both sides, as decimal texts; both 0 where these are
            equal, none where nothing is known.
    """
    ends = [Decimal(end) for end in margin]
    # As many digits behind the place where the sides begin to differ.
    small = max((-end.adjusted() for end in ends if end and end.is_finite()), default=0)
    return pasted(values, python, equal=bool(ends) and not any(ends), digits=50 + max(small, 0))


def _fraction(text: str) -> str:
    """Return a rational number as Python that keeps it exact."""
    return f"Fraction({text!r})"


def _number(text: str) -> str:
    """An exact value in mpmath: every integer becomes a number of 50 digits, so that no quotient is rounded before."""
    return ast.unparse(_Numbers().visit(ast.parse(text, mode="eval")))


class _Numbers(ast.NodeTransformer):
    """Wraps each integer of an expression but exponents, and spells names as mpmath does."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Call(ast.Name("mpf"), [node], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(_SPELT.get(node.id, node.id))

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        whole = isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant)
        right = node.right if whole else self.visit(node.right)
        return ast.BinOp(self.visit(node.left), node.op, right)


#: What the fresh interpreter runs: each text by itself, within seconds of processor time and bytes of memory.
_RUNNER = """
import contextlib, io, json, sys
with contextlib.suppress(ImportError, ValueError, OSError):
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
    resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
for text in json.loads(sys.stdin.read()):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(text, "<counterexample>", "exec"), {{"__name__": "__main__"}})
    except BaseException as error:
        print(json.dumps([f"it raises {{type(error).__name__}}: {{error}}", ""]), flush=True)
    else:
        print(json.dumps(["", out.getvalue()]), flush=True)
"""
_SECONDS, _MEMORY = 20, 2 << 30


def problems_when_run(snippets: Sequence[str]) -> list[str]:
    """Run texts of `pasted` for counterexamples in a fresh interpreter; say of each what is wrong, empty if nothing is.

    The last word that a text prints has to be True: the relation that it prints is the negation of what is claimed. A
    text that prints nothing, such as that of a small world, only has to run. The interpreter sees no variables of the
    environment and no folder of the user, and has a bound on time and memory for all of them.

    Args:
        snippets: What `pasted` returned.

    Examples:
        >>> problems_when_run(["print(1, 2, 1 < 2)", "print(2, 1, 2 < 1)"])
        ['', 'it prints 2 1 False']
    """
    if not any(snippets):
        return [""] * len(snippets)
    runner = _RUNNER.format(seconds=_SECONDS, memory=_MEMORY)
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", runner],
            input=json.dumps(list(snippets)), capture_output=True, text=True, timeout=8 * _SECONDS, check=False,
        )  # fmt: skip
        lines = done.stdout.splitlines()
    except subprocess.TimeoutExpired:
        lines = []
    found = [_problem(*json.loads(line)) for line in lines]
    missing = f"it does not end within {_SECONDS} seconds and {_MEMORY >> 30} GiB"
    return found + [missing] * (len(snippets) - len(found))


def _problem(raised: str, printed: str) -> str:
    """Return what is wrong with a text that raised, or printed something; empty where it shows what it should."""
    words = printed.split()
    return raised or ("" if not words or words[-1] == "True" else f"it prints {' '.join(words)}")
