"""Mutations of one file: every small change of its syntax tree that a test of the file should notice.

A mutation is named by file, function, the clause before and the clause after, so that its name outlives changes
elsewhere in the file. Left alone are annotations, docstrings, decorators, imports, formatted texts, the messages of
errors and the wording and details of evidence: they say what was judged, and decide nothing.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
}
#: Operators of formulas, as texts, and their neighbours.
_OPERATOR_TEXTS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
#: Functions and attributes of which another one is easily written instead.
_NEIGHBOURS = {
    **{"all": "any", "any": "all", "min": "max", "max": "min", "Min": "Max", "Max": "Min"},
    **{"minimum": "maximum", "maximum": "minimum", "ge": "gt", "gt": "ge", "le": "lt", "lt": "le", "eq": "ne"},
    **{"assumptions": "hypotheses", "hypotheses": "assumptions", "lower": "upper", "upper": "lower"},
    **{"lhs": "rhs", "rhs": "lhs", "lower_open": "upper_open", "upper_open": "lower_open"},
    **{"is_positive": "is_nonnegative", "is_nonnegative": "is_positive", "All": "Either", "Either": "All"},
    **{"And": "Or", "Or": "And", "SUPPORTS": "REFUTES", "REFUTES": "SUPPORTS", "floor": "ceil", "ceil": "floor"},
}
#: Whole numbers above this one set how hard something looks, or how large: one more of it is no mistake.
_SMALL = 16
#: Calls whose arguments are the words and details of evidence, all of them or from a position on.
_WORDS = {"undecided": 0, "against": 0, "evidence": 3}
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True)
class Mutation:
    """One change of a file; `number` counts the mutations of the file, `same` those of equal name before it."""

    file: str
    line: int
    function: str
    before: str
    after: str
    number: int
    same: int = 0

    @property
    def name(self) -> tuple[str, str, str, str]:
        """The text that an entry of the list of equivalents matches."""
        return (self.file, self.function, self.before, self.after)

    def rank(self, seed: int) -> str:
        """A place in the order in which samples are drawn; it does not depend on the other mutations."""
        return hashlib.sha256(f"{seed}\n{self.name}\n{self.same}".encode()).hexdigest()


@dataclass
class _Change:
    """Put `new` into `owner.field` (or into a place of that list); `clause` is what a reader is shown."""

    owner: ast.AST
    field: str
    index: int | None
    new: Any
    clause: ast.AST
    function: str
    line: int

    def swap(self) -> None:
        """Put the new node in place and keep the old one: twice changes nothing."""
        place = getattr(self.owner, self.field)
        if self.index is None:
            setattr(self.owner, self.field, self.new)
            self.new = place
        else:
            place[self.index], self.new = self.new, place[self.index]


def mutations(text: str, file: str, left_out: frozenset[str] = frozenset()) -> list[Mutation]:
    """Every mutation of a file's text but those in the functions `left_out`."""
    tree = _Plain().visit(ast.parse(text))
    found: list[Mutation] = []
    seen: dict[tuple[str, str, str, str], int] = {}
    for number, change in enumerate(_changes(tree)):
        before = _shown(change.clause)
        change.swap()
        # Where the clause itself was replaced, the new one is shown.
        after = _shown(_now(change) if _whole(change) else change.clause)
        change.swap()
        mutation = Mutation(file, change.line, change.function, before, after, number)
        if before == after or _inside(change.function, left_out):
            continue
        same = seen[mutation.name] = seen.get(mutation.name, -1) + 1
        found.append(Mutation(*mutation.name[:1], change.line, *mutation.name[1:], number, same))
    return found


def mutated(text: str, number: int) -> str:
    """The file's text with one mutation in it."""
    tree = ast.parse(text)
    for i, change in enumerate(_changes(tree)):
        if i == number:
            change.swap()
            return ast.unparse(ast.fix_missing_locations(tree))
    raise ValueError(f"number={number}: the file has fewer mutations")


class _Plain(ast.NodeTransformer):
    """Formatted texts as plain ones, which every version of Python writes alike; nothing in them is changed anyway."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.copy_location(ast.Constant("".join(_letters(part) for part in node.values)), node)


def _letters(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def _inside(function: str, left_out: frozenset[str]) -> bool:
    parts = function.split(".")
    return any(".".join(parts[: i + 1]) in left_out for i in range(len(parts)))


def _whole(change: _Change) -> bool:
    place = getattr(change.owner, change.field)
    return (place if change.index is None else place[change.index]) is not change.clause and change.new is change.clause


def _now(change: _Change) -> ast.AST:
    place = getattr(change.owner, change.field)
    found: ast.AST = place if change.index is None else place[change.index]
    return found


def _shown(clause: ast.AST) -> str:
    """A clause as one line: a compound statement without what stands below its head, but for a guard's one line."""
    head = copy.copy(clause)
    short = isinstance(clause, ast.If) and len(clause.body) == 1 and not clause.orelse
    for block in _BLOCKS:
        if isinstance(getattr(head, block, None), list) and not (short and block == "body"):
            setattr(head, block, [])
    return " ".join(ast.unparse(head).split())


def _changes(tree: ast.Module) -> Iterator[_Change]:
    yield from _Walk("", tree, None).children(tree)


@dataclass
class _Walk:
    """A walk through a tree, with the function, the clause and the annotation of the result that it is in."""

    function: str
    clause: ast.AST
    returns: ast.expr | None

    def children(self, node: ast.AST) -> Iterator[_Change]:
        for field, value in ast.iter_fields(node):
            if _untouched(node, field):
                continue
            if isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, ast.AST) and not _is_word(node, field, i):
                        yield from self.visit(node, field, i, item)
            elif isinstance(value, ast.AST):
                yield from self.visit(node, field, None, value)

    def visit(self, owner: ast.AST, field: str, index: int | None, node: ast.AST) -> Iterator[_Change]:
        if _skipped(node):
            return
        walk = self
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{self.function}.{node.name}".strip(".")
            walk = _Walk(name, node, getattr(node, "returns", None))
        elif isinstance(node, ast.stmt | ast.match_case | ast.ExceptHandler):
            walk = _Walk(self.function, node, self.returns)
        elif isinstance(node, ast.Lambda):
            walk = _Walk(self.function, self.clause, None)
        line = getattr(node, "lineno", getattr(walk.clause, "lineno", 0))
        for new in _replacements(node, walk.returns):
            yield _Change(owner, field, index, new, walk.clause, walk.function, line)
        if not isinstance(node, ast.Raise):
            yield from walk.children(node)


def _untouched(node: ast.AST, field: str) -> bool:
    """Tell whether a field says nothing that runs, or nothing that decides."""
    match node:
        case ast.arg() | ast.AnnAssign() | ast.FunctionDef() if field in ("annotation", "returns", "decorator_list"):
            return True
        case ast.ClassDef() if field in ("bases", "keywords", "decorator_list"):
            return True
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" | "cast")) if field == "args":
            return True
        case ast.Call(func=ast.Name(id="zip")) if field == "keywords":
            return True
        case ast.keyword(arg="details" | "summary") if field == "value":
            return True
    return False


def _is_word(node: ast.AST, field: str, index: int) -> bool:
    """Tell whether an argument is the wording of evidence."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name in _WORDS:
            return field in ("args", "keywords") and (index >= _WORDS[name] or _WORDS[name] == 0)
    return False


def _is_operator(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in _OPERATOR_TEXTS


def _skipped(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()) if not _is_operator(node):
            return True
        case ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal():
            return True
        case ast.Expr(value=ast.Constant(value=str() | EllipsisType())):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=", "), attr="join")):
            return True  # a list of names for a message
        case ast.BoolOp(op=ast.Or(), values=[*_, ast.Constant(value=str())]):
            return True  # a list of names, or "none"
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.FunctionDef(name="_latex" | "__repr__" | "__str__"):
            return True
    return False


def _replacements(node: ast.AST, returns: ast.expr | None) -> Iterator[ast.AST]:  # noqa: C901 - a case for each kind of node
    match node:
        case ast.stmt():
            yield from _statements(node, returns)
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                for other in _COMPARISONS[type(op)]:
                    yield _with(node, ops=[*ops[:i], other(), *ops[i + 1 :]])
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _ARITHMETIC and not (_is_sequence(left) or _is_sequence(right)):
                yield _with(node, op=_ARITHMETIC[type(op)]())
        case ast.BoolOp(op=op, values=values):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            for i in range(len(values)):
                rest = [*values[:i], *values[i + 1 :]]
                yield rest[0] if len(rest) == 1 else _with(node, values=rest)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            if not isinstance(operand, ast.Constant):
                yield operand
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.comprehension(ifs=[_, *_] as ifs):
            for i in range(len(ifs)):
                yield _with(node, ifs=[*ifs[:i], *ifs[i + 1 :]])
        case ast.Constant(value=value):
            yield from (ast.Constant(v) for v in _constants(value))
        case ast.Name(id=name, ctx=ast.Load()) if name in _NEIGHBOURS and name not in ("lower", "upper"):
            yield ast.Name(_NEIGHBOURS[name], ast.Load())
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in _NEIGHBOURS:
            yield _with(node, attr=_NEIGHBOURS[name])
        case ast.Call(args=[first, second, *rest]) if not any(isinstance(a, ast.Starred) for a in node.args):
            both = _is_constant(first) and _is_constant(second)
            if (
                not both
                and ast.dump(first) != ast.dump(second)
                and not _is_setting(node.func)
                and not _is_symmetric(node)
            ):
                yield _with(node, args=[second, first, *rest])


def _is_symmetric(node: ast.Call) -> bool:
    """Tell whether the order of the arguments of a call means nothing."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("min", "max", "Min", "Max", "And", "Or") and not node.keywords


def _statements(node: ast.stmt, returns: ast.expr | None) -> Iterator[ast.AST]:
    match node:
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Expr():
            yield ast.Pass()
        case ast.AugAssign():
            yield ast.Pass()
            if type(node.op) in _ARITHMETIC:
                yield _with(node, op=_ARITHMETIC[type(node.op)]())
        case ast.If(test=test) if not isinstance(test, ast.Constant):
            yield _with(node, test=ast.Constant(True))
            yield _with(node, test=ast.Constant(False))
        case ast.Return(value=ast.expr() as value):
            for other in _results(returns):
                if ast.dump(other) != ast.dump(value):
                    yield ast.Return(other)


def _results(returns: ast.expr | None) -> Iterator[ast.expr]:
    """Other results of the annotated type; none where any other one would only be an error."""
    kinds = {part.strip() for part in ast.unparse(returns).split("|")} if returns is not None else set()
    if "bool" in kinds:
        yield from (ast.Constant(True), ast.Constant(False))
    if "None" in kinds and len(kinds) > 1:
        yield ast.Constant(None)
    if "str" in kinds:
        yield from (ast.Constant(""), ast.Constant("mutated"))
    for kind in sorted(kinds):
        head = kind.partition("[")[0]
        if head in ("tuple", "Sequence", "Iterator", "Iterable") and not _has_places(kind):
            yield ast.Tuple([], ast.Load())
        elif head == "list":
            yield ast.List([], ast.Load())
        elif head in ("dict", "Mapping"):
            yield ast.Dict([], [])
        elif head in ("set", "frozenset"):
            yield ast.Call(ast.Name("frozenset", ast.Load()), [], [])


def _has_places(kind: str) -> bool:
    """Tell whether a kind is a tuple of a fixed length."""
    return kind.startswith("tuple") and "..." not in kind


def _constants(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            if value > _SMALL:
                yield 1
                return
            yield value + 1
            if value > 0:
                yield value - 1
            if value > 2:
                yield 2 * value
        case float():
            yield -value if value else 1.0
        case str() if value in _OPERATOR_TEXTS:
            yield _OPERATOR_TEXTS[value]


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _is_sequence(node: ast.AST) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.JoinedStr | ast.ListComp | ast.Dict) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr | ast.Constant)


def _is_setting(function: ast.expr) -> bool:
    """Tell whether a call is one that only ends in a TypeError with its arguments swapped."""
    if isinstance(function, ast.Attribute):
        return function.attr in _WORDS
    return isinstance(function, ast.Name) and function.id in (
        "isinstance", "issubclass", "getattr", "hasattr", "setattr", "cast", "field", "map", "filter", "replace",
        "object", "enumerate", "reduce",
    )  # fmt: skip
