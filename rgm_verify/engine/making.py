"""The statements of a file of claims that make a value at its top level, found in its text.

A file of claims binds each claim to a name, alone, in a list, or by a helper; another file may import it by that name.
The text says which of the two made it, and on which line, the same in every version of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Making"]


class Making:
    r"""The statements of a file that make its values.

    Args:
        text: The content of the file.

    Raises:
        SyntaxError: For what is no Python.

    Examples:
        >>> text = b'''from norms import upper
        ... first = page.claim(
        ...     "my:one", "A title")
        ... both = [
        ...     *many(),
        ...     helper(2),
        ... ]
        ... '''
        >>> made = Making(text)
        >>> made.binds("upper"), made.binds("first")
        (False, True)
        >>> made.line("first", "my:one")
        2
        >>> made.line("both", "my:eight", position=(7, 8))
        6
    """

    def __init__(self, text: bytes) -> None:
        tree = ast.parse(text)
        self._bound: dict[str, list[ast.stmt]] = {}
        for statement in _statements(tree.body):
            for name in _bound(statement):
                self._bound.setdefault(name, []).append(statement)
        self._helpers = [s for s in _statements(tree.body) if isinstance(s, ast.FunctionDef)]

    def binds(self, name: str) -> bool:
        """Return whether a statement binds the name or adds to it; an import does not."""
        return name in self._bound

    def rank(self, name: str, id_: str) -> int:
        """Return how likely the statements make what has this id: 2 where a call names it, 1 with any call, else 0.

        Args:
            name: The name of a variable.
            id_: The id of a claim or of a chapter.
        """
        statements = self._bound.get(name, [])
        if _naming(statements, id_):
            return 2
        return int(any(isinstance(node, ast.Call) for statement in statements for node in ast.walk(statement)))

    def line(self, name: str, id_: str, position: tuple[int, int] | None = None) -> int | None:
        """Return the line on which the value of a name makes what has this id; None for a name that nothing binds.

        It is that of the call that names the id: at the top level, else in the only function of the file that does. If
        none names it, the id is put together, and the line is that of the element of the list, else of the statement.

        Args:
            name: The name of a variable.
            id_: The id of a claim or of a chapter.
            position: The place among the elements of a list, and their number, where the value is one.
        """
        statements = self._bound.get(name, [])
        if not statements:
            return None
        if named := _naming(statements, id_):
            # An id stands deeper where another claim only refers to it.
            return min(named)[1]
        # A mere reference is a call of `Premise` or `Step`; what makes a claim is a method of a page.
        helped = [line for _, line, method in _calls_in(self._helpers, id_) if method]
        if len(helped) == 1:
            return helped[0]
        # A list that is added to is filled by its last statement, as far as the text tells.
        last = statements[-1]
        node = _part(last, name)
        if not isinstance(node, ast.List | ast.Tuple):
            return last.lineno if node is None else node.lineno
        element = None if position is None else _element(node.elts, *position)
        return last.lineno if element is None else element.lineno


def _naming(statements: Iterable[ast.stmt], id_: str) -> list[tuple[int, int]]:
    """Return depth and line of each call in the statements that has the id as an argument."""
    return [(depth, line) for depth, line, _ in _calls_in(statements, id_)]


def _calls_in(statements: Iterable[ast.stmt], id_: str) -> list[tuple[int, int, bool]]:
    """Return depth and line of each call that has the id as an argument, and whether it calls a method."""
    return [call for statement in statements for call in _calls(statement, id_, 0)]


def _calls(node: ast.AST, id_: str, depth: int) -> Iterator[tuple[int, int, bool]]:
    """Yield depth and line of the calls below a node that have the id as an argument, and whether they call methods."""
    if isinstance(node, ast.Call):
        # Other keywords name other claims, such as the corrected one.
        arguments = (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "id"))
        if any(isinstance(a, ast.Constant) and a.value == id_ for a in arguments):
            yield depth, node.lineno, isinstance(node.func, ast.Attribute)
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, id_, depth + 1)


def _element(elements: Sequence[ast.expr], place: int, count: int) -> ast.expr | None:
    """Return the element that is at a place among `count`; of several `*(...)` it is not known which gave how many."""
    starred = [i for i, element in enumerate(elements) if isinstance(element, ast.Starred)]
    if not starred:
        return elements[place] if len(elements) == count else None
    if place < starred[0]:
        return elements[place]
    # Counted from the end, where what stands behind all stars is as long as it looks.
    back = place - count + len(elements)
    if back > starred[-1] or starred[0] == starred[-1]:
        return elements[max(back, starred[0])]
    return None


def _part(statement: ast.stmt, name: str) -> ast.expr | None:
    """Return the expression that a statement binds to a name: in `a, b = f(), g()` the one at its place."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return None
    value = statement.value
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            names = [element.id if isinstance(element, ast.Name) else "" for element in target.elts]
            if name in names and len(names) == len(value.elts):
                return value.elts[names.index(name)]
    return value


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a file that run when it is imported, those in loops and branches as well."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue  # the names in there are none of the file
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, ()))
        for field in ("handlers", "cases"):
            for branch in getattr(statement, field, ()):
                yield from _statements(branch.body)


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds or adds to (`name.append(...)`)."""
    match statement:
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _names(target)}
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
            return _names(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return {name}
        case _:
            return set()


def _names(target: ast.expr) -> set[str]:
    """Return the names in the target of an assignment."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
