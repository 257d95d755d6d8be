"""Freshness: the files that a module stands on, found by following its imports, and one digest of them all.

Whatever keeps a result keeps the digest of the code that made it with it. The code is not listed by hand: it is every
file that is reached from a root by import statements, wherever in a file they stand. What makes a result has to be
reached so; a module that comes in by any other way (a plug-in, `exec`, a path that is put together) is not seen.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import msgspec

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically

LIBRARY = Path(__file__).resolve().parent.parent
_CLAIMS = "rgm_verify_claims_"
_LOADERS = frozenset({"import_module", "__import__"})


def claims_package(folder: Path) -> str:
    """The name under which a folder of claims is imported: one for each place."""
    return _CLAIMS + hashlib.sha256(str(folder).encode()).hexdigest()[:12]


def public_name(module: str) -> str:
    """The name of a module, the same wherever its folder of claims lies."""
    top, dot, rest = module.partition(".")
    return f"{'claims' if top.startswith(_CLAIMS) else top}{dot}{rest}"


@dataclass(frozen=True)
class _Import:
    """An import statement: the dots before the module, the module, and the names that are taken from it."""

    level: int
    module: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Look:
    """The facts of a file that count: a digest of its syntax, its imports, and whether it computes module names."""

    digest: str
    imports: tuple[_Import, ...] = ()
    computes: bool = False
    parsed: bool = True


_looks: dict[bytes, _Look] = {}
#: More looks than this are not kept in a file, and more bytes not read of one.
_MOST_LOOKS, _MOST_BYTES = 5_000, 50_000_000


@contextmanager
def looks_kept(path: Path) -> Iterator[None]:
    """Keep what was seen of files, by their content, in a file: a content is parsed again only when it is another one.

    The file is of use to the code and the version of Python that wrote it alone, and holds a digest of itself; one that
    is damaged, or cannot be written, makes no difference but in time.
    """
    before = _read_looks(path)
    for key, look in before.items():
        _looks.setdefault(key, look)
    yield
    if not before.keys() >= _looks.keys():
        kept = {**before, **_looks} if len(before) + len(_looks) <= _MOST_LOOKS else dict(_looks)
        content = msgspec.json.encode({key.hex(): look for key, look in sorted(kept.items())})
        with suppress(InputError):
            write_atomically(path, _seal(content) + b"\n" + content)


def _read_looks(path: Path) -> dict[bytes, _Look]:
    try:
        seal, _, content = read_within(path, _MOST_BYTES).partition(b"\n")
        if seal != _seal(content):
            return {}
        found = msgspec.json.decode(content, type=dict[str, _Look])
        return {bytes.fromhex(key): look for key, look in found.items()}
    except (OSError, ValueError):  # InputError and what msgspec raises are such
        return {}


def _seal(content: bytes) -> bytes:
    """A digest of the content, of this file, and of Python, whose syntax trees differ from version to version."""
    own = Path(__file__).read_bytes()
    parts = (content, own, f"{sys.implementation.name} {sys.version}".encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest().encode()


class Sources:
    """The Python files of some packages (name to folder), each read once: what changes later is for the next object.

    Modules outside of the packages are not followed; `versions` in `fingerprint` stand for them.
    """

    def __init__(self, packages: Mapping[str, Path]) -> None:
        self._packages = dict(packages)
        self._files: dict[str, Path | None] = {}
        self._looked: dict[Path, _Look] = {}
        self._needed: dict[str, tuple[str, ...]] = {}

    def file(self, module: str) -> Path | None:
        """The file of a module; None if it is not in the packages, or is a folder without `__init__.py`."""
        if module not in self._files:
            top, *rest = module.split(".")
            place = self._packages[top].joinpath(*rest) if top in self._packages else None
            paths = [place / "__init__.py", place.parent / f"{place.name}.py"] if place else []
            self._files[module] = next((p for p in paths[: None if rest else 1] if p.is_file()), None)
        return self._files[module]

    def closure(self, roots: Iterable[str]) -> dict[str, Path]:
        """Every file that the modules `roots` stand on, themselves included, by its name in a digest.

        A file needs what its import statements name, at the top level, in functions and in branches, absolute and
        relative, and the `__init__.py` of each package on the way; `from package import name` needs the submodule, if
        `name` is one, and `from package import *` every submodule. Blocks under `if TYPE_CHECKING:` are left out, as
        they never run. `import_module("name")` is an import; one of a name that is computed needs every file in the
        folder of the file that does it. Raises `InputError` for a root without a file, and a file that cannot be read.
        """
        todo = list(roots)
        missing = [root for root in todo if self.file(root) is None]
        if missing:
            raise InputError(f"module={missing[0]!r}: it has no file; give a module of {', '.join(self._packages)}")
        seen: set[str] = set()
        while todo:
            module = todo.pop()
            if module not in seen:
                seen.add(module)
                todo += self._needs(module)
        found = [(module, self.file(module)) for module in seen]
        return {self._name(module, path): path for module, path in found if path is not None}

    def fingerprint(self, roots: Iterable[str], versions: Mapping[str, str]) -> str:
        """A digest of the closure, of Python (its implementation, major and minor number) and of `versions`.

        It covers the syntax of each file: comments, blank lines and docstrings (any string that is a statement of its
        own) do not count, but in a file that names `__doc__` docstrings do. Neither does the place of the packages.
        """
        python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
        lines = [python, *(f"{name}=={version}" for name, version in sorted(versions.items()))]
        lines += [f"{name} {self._look(path).digest}" for name, path in sorted(self.closure(roots).items())]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def _name(self, module: str, path: Path) -> str:
        top = module.partition(".")[0]
        return f"{public_name(top)}/{path.relative_to(self._packages[top]).as_posix()}"

    def _look(self, path: Path) -> _Look:
        if path not in self._looked:
            try:
                content = path.read_bytes()
            except OSError as error:
                reason = error.strerror or error
                raise InputError(f"{path}: cannot be read ({reason}); make it readable, or remove it") from error
            self._looked[path] = _look_at(content)
        return self._looked[path]

    def _needs(self, module: str) -> tuple[str, ...]:
        """The modules that a module needs at first hand: those around it, and those that its file names."""
        if module not in self._needed:
            named = {module.rpartition(".")[0]}
            path = self.file(module)
            if path is not None:
                named.update(self._imported(module, path))
            self._needed[module] = tuple(name for name in named if name.partition(".")[0] in self._packages)
        return self._needed[module]

    def _imported(self, module: str, path: Path) -> Iterator[str]:
        look = self._look(path)
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for each in look.imports:
            target = _resolved(each, package)
            yield target
            if "*" in each.names:
                yield from self._below(target, "*.py", "*/__init__.py")
            yield from (f"{target}.{name}" for name in each.names if self.file(f"{target}.{name}"))
        if look.computes:
            yield from self._below(package, "**/*.py")

    def _below(self, package: str, *patterns: str) -> Iterator[str]:
        """The modules in the folder of a package whose paths match a pattern."""
        top, *rest = package.split(".")
        folder = self._packages[top].joinpath(*rest) if top in self._packages else None
        for path in (p for pattern in patterns for p in (folder.glob(pattern) if folder else ())):
            parts = path.relative_to(self._packages[top]).with_suffix("").parts
            yield ".".join([top, *parts]).removesuffix(".__init__")


def imported_packages(content: bytes) -> frozenset[str] | None:
    """The packages from outside of its own that a file may import, None where a name is computed or nothing is known.

    `content` is that of a Python file; one that is no Python imports nothing that is known.
    """
    look = _look_at(content)
    known = look.parsed and not look.computes
    return frozenset(each.module.partition(".")[0] for each in look.imports if not each.level) if known else None


def _resolved(each: _Import, package: str) -> str:
    """The absolute name of what a statement in a module of `package` imports."""
    if not each.level:
        return each.module
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - each.level + 1], *filter(None, [each.module])])


def _look_at(content: bytes) -> _Look:
    """Look at the content of a file, once in a process: a content is parsed again only when it is another one."""
    key = hashlib.sha256(content).digest()
    if key not in _looks:
        try:
            tree = ast.parse(content)
        except (SyntaxError, ValueError):
            _looks[key] = _Look(key.hex(), parsed=False)  # nothing that was imported; any edit counts
        else:
            imports = tuple(dict.fromkeys(_imports(tree)))
            known = tuple(each for each in imports if each is not None)
            _looks[key] = _Look(_digest(tree, b"__doc__" in content), known, None in imports)
    return _looks[key]


def _digest(tree: ast.Module, docstrings: bool) -> str:
    """SHA-256 of a syntax tree without line numbers, and without docstrings unless they count."""
    parts: list[str] = []
    todo: list[object] = [tree]
    while todo:
        match todo.pop():
            case ast.AST() as node:
                fields = node._fields
                parts.append(f"{type(node).__name__}({len(fields)}")
                todo += [getattr(node, name, None) for name in reversed(fields)]
            case list() as items:
                kept = items if docstrings else [item for item in items if not _is_docstring(item)]
                parts.append(f"[{len(kept)}")
                todo += reversed(kept)
            case constant:
                parts.append(repr(constant))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _is_docstring(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imports(tree: ast.Module) -> Iterator[_Import | None]:
    """Every import that a file may run; None for one of a name that is computed."""
    loaders = set(_LOADERS)
    for node in _running(tree):
        match node:
            case ast.Import(names=names):
                yield from (_Import(0, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                loaders |= {alias.asname for alias in names if alias.asname and alias.name in _LOADERS}
                yield _Import(level, module or "", tuple(alias.name for alias in names))
    for node in _running(tree):
        if isinstance(node, ast.Call) and _called(node) in loaders:
            yield _named(node)


def _running(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node of a syntax tree but those that only a type checker looks at."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += node.orelse if _is_for_types(node) else ast.iter_child_nodes(node)


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and _last(node.test) == "TYPE_CHECKING"


def _called(node: ast.Call) -> str:
    return _last(node.func)


def _last(node: ast.AST) -> str:
    """The last name of `a.b.name`; empty for any other expression."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return str(name)
    return ""


def _named(node: ast.Call) -> _Import | None:
    """The module of `import_module("name")`; a name with dots before it starts from the file's own package."""
    match node.args:
        case [ast.Constant(value=str(name)), *_]:
            module = name.lstrip(".")
            return _Import(len(name) - len(module), module)
    return None
