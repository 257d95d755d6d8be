"""Statements of the kernel as trees of the theory in `theory/Syntax.v`, and as text that Coq reads.

A tree is a tuple of a constructor's name and its arguments, so that one value gives both: the data of a certificate and
the plain statement of a page. What `needs` to `premises_of` say is computed by Coq as well, from the data: were it
different here, the page would not compile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, TypeAlias

from rgm_verify.kernel.calculus import free, resolved, substitute
from rgm_verify.kernel.terms import Tree, literal

Node: TypeAlias = tuple[Any, ...]
#: A derivative: the number that stands for it in a conclusion, its order, the variable, the function, and where.
Slope: TypeAlias = tuple[int, int, int, Node, Node]
#: A statement: whether it says that something exists, its variables (number, integer, domain), hypotheses, conclusion,
#: and the derivatives in it.
Statement: TypeAlias = tuple[bool, list[tuple[int, bool, list[Node]]], list[Node], Node, list[Slope]]

RELATIONS = {"<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt", "==": "Eq", "!=": "Ne"}
_SIGNS = {"Le": "<=", "Lt": "<", "Ge": ">=", "Gt": ">", "Eq": "=", "Ne": "<>"}
_CONNECTIVES = {"and": "TAnd", "or": "TOr", "implies": "TImp", "iff": "TIff"}
_ZERO = ("TZ", 0)


class Unsupported(Exception):
    """Says what of a document the theory in Coq has no rule for."""


def number(value: Fraction) -> Node:
    """Return a rational as a tree."""
    return ("TZ", value.numerator) if value.denominator == 1 else ("TF", value.numerator, value.denominator)


def tree_of(tree: Tree, variable: Callable[[str], int], *, raw: bool = False) -> Node:
    """Return a tree of the kernel as one of the theory.

    Args:
        tree: An expression, with the kernel's functions alone.
        variable: The number of a name.
        raw: Keep products as they are: under a negative power the kernel goes through their factors.

    Raises:
        Unsupported: for a function that the theory does not know.
    """
    if isinstance(tree, str):
        return number(Fraction(literal(tree)))
    head, arguments = tree[0], tree[1:]
    if head == "var":
        return ("TV", variable(arguments[0]))
    if head == "pi":
        return ("TPi",)
    if head == "mul" and len(arguments) > 1 and arguments[0] == "-1" and not raw:
        return ("TOpp", tree_of(["mul", *arguments[1:]], variable))
    if head in ("add", "mul") or (head == "max" and len(arguments) == 2):
        found = tree_of(arguments[0], variable, raw=raw)
        for part in arguments[1:]:
            away = _negative(part) if head == "add" else None
            name = "TSub" if away is not None else {"add": "TAdd", "mul": "TMul", "max": "TMax"}[head]
            found = (name, found, tree_of(part if away is None else away, variable, raw=raw and head == "mul"))
        return found
    if head == "given":
        # What it asks for is beside it; the tree is the value.
        return tree_of(arguments[0], variable, raw=raw)
    if head in ("exp", "log", "erf"):
        return (f"T{head.capitalize()}", tree_of(arguments[0], variable))
    if head in ("pow", "real_pow"):
        base, exponent = arguments
        power = Fraction(literal(exponent)) if isinstance(exponent, str) else None
        if head == "real_pow" or power is None:
            return ("TPower", head == "pow", tree_of(base, variable), tree_of(exponent, variable))
        if power.denominator == 1:
            return ("TPow", tree_of(base, variable, raw=power < 0), power.numerator)
        return ("TRoot", power.denominator, tree_of(base, variable), power.numerator)
    raise Unsupported(f"{head} of {len(arguments)} arguments")


def _negative(tree: Tree) -> Tree | None:
    """Return what a summand takes away: x for -x, 2 x for -2 x; None for another summand."""
    first = tree if isinstance(tree, str) else tree[1] if tree[0] == "mul" and len(tree) > 2 else "0"
    value = Fraction(literal(first)) if isinstance(first, str) else Fraction(0)
    if value >= 0:
        return None
    if isinstance(tree, str):
        return str(-value)
    return ["mul", *tree[2:]] if value == -1 else ["mul", str(-value), *tree[2:]]


def formula_of(tree: Tree, variable: Callable[[str], int]) -> Node:
    """Return a formula of the kernel as one of the theory."""
    head, arguments = tree[0], tree[1:]
    if head in RELATIONS:
        return ("TRel", RELATIONS[head], *(tree_of(side, variable) for side in arguments))
    if head not in _CONNECTIVES:
        raise Unsupported(f"the connective {head}")
    *firsts, found = (formula_of(part, variable) for part in arguments)
    # A disjunction that ends in another one would become a longer one, and count its parts otherwise.
    if firsts and head == "or" and found[0] == "TOr":
        raise Unsupported("or at the end of or")
    for part in reversed(firsts):
        found = (_CONNECTIVES[head], part, found)
    return found


def statement_of(stated: Mapping[str, Any], variable: Callable[[str], int], lifted: Lifted | None = None) -> Statement:
    """Return a statement, plain as `rgm_verify.kernel.check.plain` makes it.

    Args:
        stated: The statement.
        variable: The number of a name.
        lifted: Its conclusion and the derivatives in it, where there are some: `lift`.
    """
    variables = [
        (variable(name), kind == "integer", [formula_of(relation, variable) for relation in domain])
        for name, kind, domain in stated["variables"]
    ]
    hypotheses = [formula_of(h, variable) for h in stated["hypotheses"]]
    conclusion = formula_of(stated["conclusion"] if lifted is None else lifted[0], variable)
    slopes = [
        (variable(name), order, variable(at), tree_of(function, variable), tree_of(point, variable))
        for name, (order, at, function, point) in (lifted[1] if lifted else {}).items()
    ]
    return stated["quantifier"] == "exists", variables, hypotheses, conclusion, slopes


# ------------------------------------------------------------------------------------------------ derivatives

#: A conclusion with names for its derivatives, and of each name the order, the variable, the function and the point.
Lifted: TypeAlias = tuple[Tree, dict[str, tuple[int, str, Tree, Tree]]]


def lift(stated: Mapping[str, Any]) -> Lifted | None:
    """Return the conclusion of a statement with names for its derivatives, None where it has none.

    The kernel has their formulas in its place; here they stay what they are.

    Args:
        stated: The statement as its document has it.

    Raises:
        Unsupported: for a derivative of a derivative, and where a point would be taken for the variable.
    """
    kinds = {name: kind == "integer" for name, kind, _ in stated["variables"]}
    found: dict[str, tuple[int, str, Tree, Tree]] = {}

    def named(*slope: Any) -> Tree:
        name = next((n for n, other in found.items() if other == slope), f"derivative {len(found) + 1}")
        found[name] = slope
        return ["var", name]

    def placed(tree: Tree, x: str, point: Tree) -> Tree:
        for name, (order, at, function, where) in list(found.items()):
            if free(tree, name):
                if at != x and free(function, x) and free(point, at):
                    raise Unsupported("a point that the variable of a derivative stands in")
                inner = function if at == x else substitute(function, {x: point})
                tree = substitute(tree, {name: named(order, at, inner, substitute(where, {x: point}))})
        return substitute(tree, {x: point})

    def walked(tree: Tree, kinds: Mapping[str, bool]) -> Tree:
        if isinstance(tree, str) or tree[0] == "var":
            return tree
        if tree[0] == "at":
            return placed(walked(tree[1], {**kinds, tree[2]: False}), tree[2], walked(tree[3], kinds))
        if tree[0] == "derivative":
            function = walked(tree[1], kinds)
            if any(free(function, name) for name in found):
                raise Unsupported("a derivative of a derivative")
            return named(int(tree[3]), tree[2], resolved(function, kinds), ["var", tree[2]])
        return [tree[0], *(walked(part, kinds) for part in tree[1:])]

    conclusion = walked(stated["conclusion"], kinds)
    used = {name: slope for name, slope in found.items() if free(conclusion, name)}
    return (resolved(conclusion, kinds | dict.fromkeys(used, False)), used) if used else None


# ------------------------------------------------------------------------------------------------ conditions


def needs(node: Node) -> Iterator[Node]:
    """Yield what makes the terms of a tree or a formula real numbers, as `needs` and `needsf` of the theory."""
    for part in node[1:]:
        if isinstance(part, tuple):
            yield from needs(part)
    if node[0] == "TPow" and node[2] < 0:
        yield ("TRel", "Ne", node[1], _ZERO)
    elif node[0] == "TRoot":
        yield ("TRel", "Gt" if node[3] < 0 else "Ge", node[2], _ZERO)
    elif node[0] == "TLog":
        yield ("TRel", "Gt", node[1], _ZERO)
    elif node[0] == "TPower":
        _, whole, x, y = node
        above, not_below = ("TRel", "Gt", x, _ZERO), ("TAnd", ("TRel", "Ge", x, _ZERO), ("TRel", "Gt", y, _ZERO))
        if not whole:
            yield ("TOr", above, not_below)
        elif y[0] != "TZ":
            yield ("TOr", ("TRel", "Ge", y, _ZERO), ("TRel", "Ne", x, _ZERO))
        elif y[1] < 0:
            yield ("TRel", "Ne", x, _ZERO)


def _granted(formula: Node) -> Iterator[Node]:
    """Yield what a hypothesis assumes."""
    if formula[0] == "TAnd":
        yield from (g for part in formula[1:] for g in _granted(part))
    else:
        yield from needs(formula) if formula[0] == "TRel" else ()
        yield formula


def _obvious(formula: Node) -> bool:
    """Return whether a condition speaks of a number, such as 2 > 0."""
    if formula[0] != "TRel" or formula[3] != _ZERO:
        return False
    _, sign, left, _ = formula
    if left[0] in ("TPi", "TF"):
        return sign in ("Gt", "Ge") and (left[0] == "TPi" or left[1] > 0)
    if left[0] != "TZ":
        return False
    return left[1] > 0 if sign in ("Gt", "Ne") else sign == "Ge" and bool(left[1] >= 0)


def _fresh(formulas: Iterator[Node], seen: list[Node]) -> list[Node]:
    """Return those that are not among others, each once."""
    found: list[Node] = []
    for formula in formulas:
        if not _obvious(formula) and formula not in [*seen, *found]:
            found.append(formula)
    return found


def premises_of(stated: Statement) -> list[Node]:
    """Return what a statement assumes, with where its hypotheses are defined."""
    _, variables, hypotheses, _, _ = stated
    given = [*(relation for _, _, domain in variables for relation in domain), *hypotheses]
    return _fresh((g for h in given for g in _granted(h)), [])


def conclusions_of(stated: Statement) -> list[Node]:
    """Return what a statement says: its conclusion, and before it where that is defined."""
    _, _, _, conclusion, slopes = stated
    defined = [need for _, _, x, f, p in slopes for need in needs(_put(f, x, p))]
    return [*_fresh(chain(defined, needs(conclusion)), premises_of(stated)), conclusion]


def _put(node: Node, x: int, value: Node) -> Node:
    """Return a tree with another one for a variable."""
    if node == ("TV", x):
        return value
    return tuple(_put(part, x, value) if isinstance(part, tuple) else part for part in node)


# ------------------------------------------------------------------------------------------------ text


def text(node: Node, names: Sequence[str], level: int = 200) -> str:
    """Return a tree or a formula as Coq reads it in the scope of reals.

    Args:
        node: What to write.
        names: What stands for the variables, by number; the first is number 1.
        level: The loosest operator that needs no parentheses, by Coq's levels.
    """
    written, own = _written(node, names)
    return f"({written})" if own > level else written


def _written(node: Node, names: Sequence[str]) -> tuple[str, int]:
    """Return the text without parentheses around it, and its level."""
    head, *parts = node
    if head == "TV":
        name = names[parts[0] - 1]
        return name, 10 if " " in name else 0
    if head in ("TZ", "TF", "TPi"):
        written = " / ".join(map(str, parts)) or "PI"
        return written, 40 if head == "TF" else 35 if written.startswith("-") else 0
    if head in ("TPow", "TRoot"):
        return _power(node, names)
    if head in ("TRel", "TAnd", "TOr", "TImp", "TIff"):
        return _formula(node, names)
    if head in ("TAdd", "TSub"):
        return f"{text(parts[0], names, 50)} {'+' if head == 'TAdd' else '-'} {text(parts[1], names, 49)}", 50
    if head == "TMul":
        inverse = _inverse(parts[1])
        right = f"/ {text(inverse, names, 30)}" if inverse else f"* {text(parts[1], names, 34)}"
        return f"{text(parts[0], names, 40)} {right}", 40
    if head == "TOpp":
        return f"- {text(parts[0], names, 30)}", 35
    name = {"TExp": "exp", "TLog": "ln", "TMax": "Rmax", "TPower": "power", "TErf": "erf"}[head]
    return " ".join([name, *(text(part, names, 8) for part in parts if isinstance(part, tuple))]), 10


def _power(node: Node, names: Sequence[str]) -> tuple[str, int]:
    """Return a power with an integer exponent, or a root with one, and its level."""
    exponent = node[-1]
    if exponent == 0:
        return "1", 0
    if exponent < 0:
        return f"/ {text((*node[:-1], -exponent), names, 30)}", 35
    if node[0] == "TPow":
        base, own = _written(node[1], names)
    else:
        base, own = f"{'sqrt' if node[1] == 2 else f'root {node[1]}'} {text(node[2], names, 8)}", 10
    if exponent == 1:
        return base, own
    return f"{base if own <= 10 else f'({base})'} ^ {exponent}", 30


def _formula(node: Node, names: Sequence[str]) -> tuple[str, int]:
    """Return a relation or a connective, and its level."""
    if node[0] == "TRel":
        return f"{text(node[2], names, 69)} {_SIGNS[node[1]]} {text(node[3], names, 69)}", 70
    sign, own, left, right = {
        "TAnd": ("/\\", 80, 79, 80), "TOr": ("\\/", 85, 84, 85),
        "TIff": ("<->", 95, 94, 94), "TImp": ("->", 99, 98, 99),
    }[node[0]]  # fmt: skip
    return f"{text(node[1], names, left)} {sign} {text(node[2], names, right)}", own


def _inverse(node: Node) -> Node | None:
    """Return x^n for x^-n, and None for what is no negative power."""
    return (*node[:-1], -node[-1]) if node[0] in ("TPow", "TRoot") and node[-1] < 0 else None


def reading(stated: Statement, names: Sequence[str]) -> str:
    """Return a statement as one writes it in Coq, on lines of its own; `reading` of the theory computes the same."""
    exists, variables, _, _, slopes = stated
    shown = [f"IZR {names[n - 1]}" if whole else names[n - 1] for n, whole, _ in variables]
    by_number = list(names)
    for (n, _, _), name in zip(variables, shown, strict=True):
        by_number[n - 1] = name
    existing = []
    for n, order, x, f, p in slopes:
        inside = [*by_number[: x - 1], names[x - 1], *by_number[x:]]
        function, point = f"(fun {names[x - 1]} => {text(f, inside)})", text(p, by_number, 8)
        by_number[n - 1] = f"Derive {function} {point}" if order == 1 else f"Derive_n {function} {order} {point}"
        existing.append(f"ex_derive_n {function} {order} {point}")
    groups: list[tuple[str, list[str]]] = []
    for n, whole, _ in variables:
        kind = "Z" if whole else "R"
        if not groups or groups[-1][0] != kind:
            groups.append((kind, []))
        groups[-1][1].append(names[n - 1])
    binders = " ".join(f"({' '.join(group)} : {kind})" for kind, group in groups)
    start = f"{'exists' if exists else 'forall'} {binders}," if binders else ""
    premises = [text(f, by_number, 79 if exists else 98) for f in premises_of(stated)]
    parts = conclusions_of(stated)
    before = [*existing, *(text(f, by_number, 79) for f in parts[:-1])]
    last = text(parts[-1], by_number, 80 if before or (exists and premises) else 200)
    conclusion = " /\\\n".join([*before, last])
    joiner = " /\\\n" if exists else " ->\n"
    lines = [start, joiner.join([*premises, conclusion])]
    return "\n".join(line for line in lines if line)
