"""SymPy keeps atoms, free symbols and the members of a maximum in sets, whose order differs from process to process.

What is judged must not depend on it, so that a loop over such a set names an order, or does what is the same in any.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("balls", "claims", "engine", "lenses", "prover", "statements")
#: Calls that give the same for any order of what they are given.
_ANY_ORDER = frozenset(("all", "any", "frozenset", "len", "max", "min", "ordered", "set", "sum"))


def _is_a_set(node: ast.AST) -> bool:
    """Return True where an expression is a set that SymPy makes, or is made of such sets."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub):
        return _is_a_set(node.left) or _is_a_set(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "atoms" and not (
            isinstance(node.func.value, ast.Name) and node.func.value.id == "self"
        )
    return isinstance(node, ast.Attribute) and node.attr == "free_symbols"


def _name(call: ast.AST) -> str:
    """The last part of the name of what is called; empty for what is no call."""
    function = call.func if isinstance(call, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def loose(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The function and line of every loop over such a set that fixes no order."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    def function(node: ast.AST) -> str:
        while node in parents and not isinstance(node, ast.FunctionDef):
            node = parents[node]
        return getattr(node, "name", "")

    for node in ast.walk(tree):
        if isinstance(node, ast.For) and _is_a_set(node.iter):
            yield function(node), node.lineno
        if isinstance(node, ast.ListComp | ast.GeneratorExp) and any(_is_a_set(g.iter) for g in node.generators):
            around = parents[node]
            if _name(around) not in _ANY_ORDER and not _sorts(around):
                yield function(node), node.lineno
        if isinstance(node, ast.Call) and _name(node) in ("list", "tuple", "sorted", "next") and node.args:
            given = node.args[0]
            inner = given.args[0] if _name(given) == "iter" and isinstance(given, ast.Call) else given
            if _is_a_set(inner) and not _sorts(node):
                yield function(node), node.lineno


def _sorts(call: ast.AST) -> bool:
    """Return True where a call sorts by a key that tells all apart; SymPy's terms have no order without a key."""
    if _name(call) != "sorted" or not isinstance(call, ast.Call):
        return False
    key = next((k.value for k in call.keywords if k.arg == "key"), None)
    return getattr(key, "attr", getattr(key, "id", "")) in ("str", "default_sort_key", "srepr")


@pytest.mark.parametrize("room", ROOMS)
def test_no_loop_of_what_judges_depends_on_the_order_of_a_set(room: str) -> None:
    found = []
    for path in sorted((ROOT / "rgm_verify" / room).rglob("*.py")):
        name = path.relative_to(ROOT / "rgm_verify").as_posix()
        for function, line in loose(ast.parse(path.read_text(encoding="utf-8"))):
            found.append(f"{name}:{line} in {function}")
    assert found == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("for a in e.atoms(Abs): pass", True),
        ("for a in ordered(e.atoms(Abs)): pass", False),
        ("found = [a for a in e.free_symbols - bound]", True),
        ("found = {a for a in e.free_symbols}", False),
        ("found = any(a.is_real for a in e.free_symbols)", False),
        ("found = sorted((a for a in e.atoms(Abs)), key=str)", False),
        ("found = next(a for a in e.free_symbols if a.is_real)", True),
        ("found = sorted(e.atoms(Abs), key=count_ops)", True),
        ("found = sorted(e.atoms(Abs), key=default_sort_key)", False),
        ("found = sorted(ordered(e.atoms(Abs)), key=count_ops)", False),
        ("found = list(e.free_symbols)", True),
        ("found = next(iter(e.free_symbols))", True),
    ],
)
def test_the_check_tells_loops_apart(line: str, wrong: bool) -> None:
    assert bool(list(loose(ast.parse(line)))) is wrong
