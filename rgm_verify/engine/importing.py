"""Importing the files of a claims folder statement by statement, so that a mistake costs the statement that makes it.

A statement at the top level of a file that raises is refused, with its line and the claims that it names, and the file
goes on. What it would have bound is taken away, and so are the lists, dictionaries and sets that it may have changed: a
later statement that uses one of them is refused as well, and never means something else by it. Where that cannot be
told (an import of all names that fails), the rest of the file is not read.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import dis
import gc
import importlib
import re
import sys
import traceback
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import resolve_name
from pathlib import Path, PurePosixPath
from typing import Any

from rgm_verify.claims.chapter import ChapterError
from rgm_verify.claims.claim import ClaimError
from rgm_verify.claims.formula import FormulaError
from rgm_verify.claims.theorem import TheoremError
from rgm_verify.engine.as_written import as_written
from rgm_verify.engine.loading import printing_apart
from rgm_verify.jobs.fingerprint import claims_package

_REFUSED, _MISSING = "__rgm_verify_refused__", "__rgm_verify_missing__"
# With a colon: a text without one may as well be the name of a variable.
_ID = re.compile(r"[a-z0-9][a-z0-9.+-]*:[a-z0-9][a-z0-9._-]*")
#: What names a claim that is made elsewhere.
_NAMING = frozenset({"Premise", "Step", "Hypothesis"})
_BINDING = frozenset({"STORE_NAME", "STORE_GLOBAL", "DELETE_NAME", "DELETE_GLOBAL"})


@dataclass(frozen=True)
class Refusal:
    """An item of a folder that is not judged, and the reason.

    Attributes:
        file: The path of its file below the folder.
        message: The fault, and what to change.
        line: The line in the file, None where it has none.
        claim: The id of the claim (of a chapter with `@` before it), empty where nobody knows it.
    """

    file: str
    message: str
    line: int | None = None
    claim: str = ""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file} (line {self.line})"
        known = not self.claim or self.claim.removeprefix("@") in self.message
        named = "" if known else f"{self.claim}: "
        return f"{place}: {named}{self.message}"


def import_files(folder: Path, paths: Iterable[str]) -> tuple[dict[str, types.ModuleType], list[Refusal]]:
    """Import files below a folder, in order: the module of each by its path, and what was refused in them.

    A file that cannot be read as Python has no module. The folder's code is executed; `OutOfTime` passes through.

    Args:
        folder: The folder, as an absolute path.
        paths: Paths below it.
    """
    package = claims_package(folder)
    # The name is made of the folder's place, so that two folders in one process do not meet.
    if package not in sys.modules:
        # A package without a file of its own: a folder of claims needs no `__init__.py`.
        root = types.ModuleType(package)
        root.__path__ = [str(folder)]
        sys.modules[package] = root
    modules, refused = {}, []
    # Once for all files: the operators of all of SymPy's classes are exchanged, which takes longer than a small file.
    with as_written(package), _by_statements(package), printing_apart(), _from_source(), _without_collecting():
        for path in paths:
            try:
                modules[path] = importlib.import_module(".".join([package, *PurePosixPath(path).with_suffix("").parts]))
            # The statements are looked after elsewhere: what comes here is a file that Python does not read.
            except Exception as error:  # noqa: BLE001 - whatever it is, the other files go on
                line = error.lineno if isinstance(error, SyntaxError) else None
                refused.append(Refusal(path, _said(error, path), line))
            else:
                refused += vars(modules[path]).get(_REFUSED, ())
    return modules, refused


def forget(folder: Path) -> None:
    """Drop the modules of a folder from this process, so that a corrected file is read again."""
    package = claims_package(folder)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]


class _Loader(SourceFileLoader):
    """Executes a file statement by statement, and keeps in the module what was refused."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Execute the file; raises only where it cannot be read as Python."""
        space = vars(module)
        path = "/".join(module.__name__.split(".")[1:]) + ".py"
        refused: list[Refusal] = space.setdefault(_REFUSED, [])
        missing: dict[str, str] = space.setdefault(_MISSING, {})
        flags = 0
        for statement in _single(ast.parse(self.get_data(self.path), self.path).body):
            # What the whole file refuses, such as a `return` outside of a function, ends it as a fault of syntax does.
            code = compile(ast.Module([statement], []), self.path, "exec", flags, dont_inherit=True)
            flags |= code.co_flags & __future__.annotations.compiler_flag
            bound = _bound(code)
            try:
                exec(code, space)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is raised, the author must learn where
                # Names that nobody knows, or behind which another meaning would come up.
                last = isinstance(error, SystemExit) or _is_star(statement) or not bound.isdisjoint(vars(builtins))
                said = _said(error, path, missing) + "; the rest of the file is not read" * last
                line = _line_of(error, path) or statement.lineno
                refused += [Refusal(path, said, line, claim) for claim in _claims_in(statement) or ("",)]
                if last:
                    return
                place = f"{path} (line {statement.lineno})"
                _take_away(space, dict.fromkeys(bound | _changeable(code, space), place))
            else:
                for name in bound:
                    missing.pop(name, None)
                if _is_star(statement):
                    # The other file refused them: what they meant before is not what its author wrote.
                    _take_away(space, _missing_in(statement, space))


def _single(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, an import of several names as one import of each: a name that is missing costs no other."""
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
            for alias in statement.names:
                one = ast.ImportFrom(statement.module, [alias], statement.level)
                yield ast.copy_location(one, statement)
        else:
            yield statement


def _is_star(statement: ast.stmt) -> bool:
    """Return whether a statement imports all names of a module."""
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def _bound(code: types.CodeType) -> set[str]:
    """Return the names of the module that a piece of code binds or deletes."""
    found = {step.argval for step in dis.get_instructions(code) if step.opname in _BINDING}
    return found.union(*(_bound(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def _changeable(code: types.CodeType, space: dict[str, Any]) -> set[str]:
    """Return the names in a piece of code whose values it may have changed halfway."""
    found = {name for name in code.co_names if isinstance(space.get(name), list | dict | set)}
    inner = (_changeable(one, space) for one in code.co_consts if isinstance(one, types.CodeType))
    return found.union(*inner) - {"__annotations__"}


def _take_away(space: dict[str, Any], names: dict[str, str]) -> None:
    """Drop names of a module, and remember which statement should have made each."""
    for name in names:
        space.pop(name, None)
    space[_MISSING] |= names


def _missing_in(statement: ast.stmt, space: dict[str, Any]) -> dict[str, str]:
    """Return the names that a file of the folder lacks from which a statement imports, each with its place."""
    if not isinstance(statement, ast.ImportFrom):
        return {}
    name = resolve_name("." * statement.level + (statement.module or ""), space["__package__"])
    found: dict[str, str] = vars(sys.modules[name]).get(_MISSING, {}) if name in sys.modules else {}
    return found


def _claims_in(statement: ast.stmt) -> list[str]:
    """Return the ids of the claims that a statement makes, as far as they are written in it."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [*node.args[:2], *(keyword.value for keyword in node.keywords if keyword.arg == "id")]
            ids = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            ids = [text for text in ids if _ID.fullmatch(text)]
            if name in _NAMING or ids:
                # What stands within it names other claims.
                found |= dict.fromkeys([] if name in _NAMING else ids[:1])
                continue
        waiting += ast.iter_child_nodes(node)
    return list(found)


def _said(error: BaseException, path: str, missing: dict[str, str] | None = None) -> str:
    """Return a fault in words: our own messages say what to change, and of others the type is told."""
    missing = missing or {}
    if isinstance(error, NameError) and error.name in missing:
        return f"it uses {error.name}, which is missing, since {missing[error.name]} is refused"
    if isinstance(error, SyntaxError):
        other = Path(error.filename or path).as_posix()
        elsewhere = "" if other.endswith(path) else f"it imports {Path(other).name} (line {error.lineno}): "
        return f"{elsewhere}syntax error: {error.msg}"
    if isinstance(error, ClaimError | ChapterError | FormulaError | TheoremError):
        return str(error)
    return f"importing it raised {type(error).__name__}: {error}; correct it"


def _line_of(error: BaseException, path: str) -> int | None:
    """Return the last line of a file that an exception came through, None if it came through none."""
    frames = traceback.extract_tb(error.__traceback__)
    # From the inside: the author's own line, not that of the library which refused it.
    lines = (f.lineno for f in reversed(frames) if Path(f.filename).as_posix().endswith("/" + path))
    return next(lines, None)


class _Finder:
    """Finds the files of a folder, as Python does, and has them executed statement by statement."""

    def __init__(self, package: str) -> None:
        self._within = package + "."

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return the place of a module of the folder, None for any other."""
        found = PathFinder.find_spec(name, path, target) if name.startswith(self._within) else None
        if found is not None and isinstance(found.loader, SourceFileLoader):
            found.loader = _Loader(name, found.loader.path)
        return found


@contextmanager
def _by_statements(package: str) -> Iterator[None]:
    """Have the files of a package executed statement by statement, while the block runs."""
    finder: Any = _Finder(package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@contextmanager
def _from_source() -> Iterator[None]:
    """No compiled file is left beside the claims: one that is as old as an edit, to the second, would hide it."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Switch the garbage collector off: claims stay alive, and a search among them takes a sixth of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
