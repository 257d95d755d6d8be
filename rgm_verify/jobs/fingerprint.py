"""Freshness: the files that a module stands on, found by following its imports, and one digest of them all.

Whatever keeps a result keeps the digest of the code that made it with it. The code is not listed by hand: it is every
file that is reached from a root by import statements, wherever in a file they stand. What makes a result has to be
reached so; a module that comes in by any other way (a plug-in, `exec`, a path that is put together) is not seen.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import msgspec

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically

LIBRARY = Path(__file__).resolve().parent.parent
# A digest must not depend on where a folder of claims lies, while two folders must not share a name.
_CLAIMS = "rgm_verify_claims_"
_LOADERS = frozenset({"import_module", "__import__"})
# Python calls this function of a module for a name that the module does not bind.
_ON_REQUEST = "__getattr__"


def claims_package(folder: Path) -> str:
    """The name under which a folder of claims is imported: one for each place.

    Two folders may both hold `notation.py`; under names of their own they can be imported in one process.
    """
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
    """The facts of a file that count for freshness, whatever its place.

    Attributes:
        digest: of its syntax tree, without docstrings unless the file reads them.
        imports: its import statements, each once, in the order of the tree.
        computes: whether it imports a module whose name is only known when it runs.
        on_request: the import statements in the function `__getattr__` of the module, which runs when somebody asks
            the module for a name that it does not bind.
        computes_on_request: whether that function imports a module whose name is only known when it runs.
        binds: the names that the file binds at its top level, if it has such a function.
        parsed: whether it is Python at all; for other files the digest is that of the bytes.
    """

    digest: str
    imports: tuple[_Import, ...] = ()
    computes: bool = False
    parsed: bool = True
    on_request: tuple[_Import, ...] = ()
    computes_on_request: bool = False
    binds: frozenset[str] = frozenset()


_looks: dict[bytes, _Look] = {}
#: More looks than this are not kept in a file, and more bytes not read of one.
_MOST_LOOKS, _MOST_BYTES = 5_000, 50_000_000


@contextmanager
def looks_kept(path: Path) -> Iterator[None]:
    """Keep what was seen of files, by their content, in a file: a content is parsed again only when it is another one.

    Parsing the whole library takes seconds, and most runs change no line of it. The file is of use to the code and the
    version of Python that wrote it alone, and holds a digest of itself; one that is damaged, or cannot be written,
    makes no difference but in time.

    Args:
        path: the file that is read at the beginning of the block and written at its end, if there is anything new.
    """
    before = _read_looks(path)
    for key, look in before.items():
        _looks.setdefault(key, look)
    yield
    if not before.keys() >= _looks.keys():
        # Old contents never come back, so that a file that is full begins anew with what this run has seen.
        kept = {**before, **_looks} if len(before) + len(_looks) <= _MOST_LOOKS else dict(_looks)
        content = msgspec.json.encode({key.hex(): look for key, look in sorted(kept.items())})
        # A folder that cannot be written costs time in the next run, and is no reason to lose this one.
        with suppress(InputError):
            write_atomically(path, _seal(content) + b"\n" + content)


def _read_looks(path: Path) -> dict[bytes, _Look]:
    """Return what an earlier run has seen; nothing where the file is missing, damaged, or of other code."""
    try:
        seal, _, content = read_within(path, _MOST_BYTES).partition(b"\n")
        if seal != _seal(content):
            return {}
        found = msgspec.json.decode(content, type=dict[str, _Look])
        return {bytes.fromhex(key): look for key, look in found.items()}
    except (OSError, ValueError):  # InputError and what msgspec raises are such
        return {}


def _seal(content: bytes) -> bytes:
    """A digest of the content, of this file, and of Python, whose syntax trees differ from version to version.

    It is no protection against a forger, who can compute it as well; a store is the user's own.
    """
    own = Path(__file__).read_bytes()
    parts = (content, own, f"{sys.implementation.name} {sys.version}".encode())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest().encode()


class Sources:
    """The Python files of some packages, each read once: what changes later is for the next object.

    Args:
        packages: the name of each package and its folder. Modules outside of them are not followed; `versions` in
            `fingerprint` stand for them.
    """

    def __init__(self, packages: Mapping[str, Path]) -> None:
        self._packages = dict(packages)
        self._files: dict[str, Path | None] = {}
        self._looked: dict[Path, _Look] = {}
        self._needed: dict[str, tuple[str, ...]] = {}

    def file(self, module: str) -> Path | None:
        """The file of a module, by the rules of Python's own finder for folders.

        None if it is not in the packages, or is a folder without `__init__.py`. A package comes before a module of the
        same name, as in Python.
        """
        if module not in self._files:
            top, *rest = module.split(".")
            place = self._packages[top].joinpath(*rest) if top in self._packages else None
            # Of a top package only the folder counts: a file beside it with its name belongs to somebody else.
            paths = [place / "__init__.py", place.parent / f"{place.name}.py"] if place else []
            self._files[module] = next((p for p in paths[: None if rest else 1] if p.is_file()), None)
        return self._files[module]

    def closure(self, roots: Iterable[str], *, without: Collection[str] = ()) -> dict[str, Path]:
        """Every file that the modules `roots` stand on, themselves included, by its name in a digest.

        A file needs what its import statements name, at the top level, in functions and in branches, absolute and
        relative, and the `__init__.py` of each package on the way; `from package import name` needs the submodule, if
        `name` is one, and `from package import *` every submodule. Blocks under `if TYPE_CHECKING:` are left out, as
        they never run. `import_module("name")` is an import; one of a name that is computed needs every file in the
        folder of the file that does it.

        What the function `__getattr__` of a module imports is needed by whoever may call it: by a root, by `import
        package`, by `from package import *`, and by `from package import name` where the package binds no such name.
        Whoever imports another module of the package runs its `__init__.py` and not this function.

        Too many files are harmless: something is computed again for nothing. A file too few would keep a result that is
        old.

        Args:
            roots: full names of modules in the packages.
            without: modules that are left out, with what is reached through them alone: the caller accounts for them
                in another way.

        Returns:
            Names such as `rgm_verify/numbers/exact.py`, the same wherever the packages lie, with their files.

        Raises:
            InputError: for a root without a file, and a file that cannot be read.
        """
        todo = list(roots)
        missing = [root for root in todo if self.file(root) is None]
        todo += [f"{root}.{_ON_REQUEST}" for root in todo]
        if missing:
            raise InputError(f"module={missing[0]!r}: it has no file; give a module of {', '.join(self._packages)}")
        seen: set[str] = set()
        while todo:
            module = todo.pop()
            if module not in seen and module.removesuffix(f".{_ON_REQUEST}") not in without:
                seen.add(module)
                todo += self._needs(module)
        found = [(module, self.file(module)) for module in seen]
        return {self._name(module, path): path for module, path in found if path is not None}

    def fingerprint(self, roots: Iterable[str], versions: Mapping[str, str], *, without: Collection[str] = ()) -> str:
        """A digest of the closure, of Python (its implementation, major and minor number) and of `versions`.

        It covers the syntax of each file: comments, blank lines and docstrings (any string that is a statement of its
        own) do not count, but in a file that names `__doc__` docstrings do. Neither does the place of the packages.

        Args:
            roots: as in `closure`.
            versions: what else the result depends on, name to version: the libraries that are not followed.
            without: as in `closure`.

        Returns:
            SHA-256 in hexadecimal digits.

        Raises:
            InputError: as in `closure`.
        """
        python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
        lines = [python, *(f"{name}=={version}" for name, version in sorted(versions.items()))]
        lines += [
            f"{name} {self._look(path).digest}" for name, path in sorted(self.closure(roots, without=without).items())
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def _name(self, module: str, path: Path) -> str:
        """The name of a file in a digest: its package by the public name, then its path."""
        top = module.partition(".")[0]
        return f"{public_name(top)}/{path.relative_to(self._packages[top]).as_posix()}"

    def _look(self, path: Path) -> _Look:
        """The facts of a file, read once for this object."""
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
            # The package around a module is run before it, and its own package in turn.
            named = {module.rpartition(".")[0]}
            path = self.file(module)
            if path is not None:
                named.update(self._imported(module, path))
            elif module.endswith(f".{_ON_REQUEST}"):
                named.update(self._imported_on_request(module.removesuffix(f".{_ON_REQUEST}")))
            self._needed[module] = tuple(name for name in named if name.partition(".")[0] in self._packages)
        return self._needed[module]

    def _imported(self, module: str, path: Path) -> Iterator[str]:
        """The modules that the imports of a file name, in the packages or not."""
        look = self._look(path)
        yield from self._named(look.imports, look.computes, _package_of(module, path))

    def _imported_on_request(self, module: str) -> Iterator[str]:
        """The modules that the function `__getattr__` of a module imports; none if there is no such function."""
        path = self.file(module)
        if path is not None:
            look = self._look(path)
            yield from self._named(look.on_request, look.computes_on_request, _package_of(module, path))

    def _named(self, imports: Iterable[_Import], computes: bool, package: str) -> Iterator[str]:
        """The modules that import statements in a module of `package` name, in the packages or not."""
        for each in imports:
            target = _resolved(each, package)
            yield target
            if "*" in each.names:
                yield from self._below(target, "*.py", "*/__init__.py")
            # A name is a module only if there is a file for it; else it is a function of the target, which is needed
            # already.
            modules = [name for name in each.names if self.file(f"{target}.{name}")]
            yield from (f"{target}.{name}" for name in modules)
            if self._asks(target, set(each.names) - set(modules)):
                yield f"{target}.{_ON_REQUEST}"
            # `import a.b` binds `a`, and whatever follows may ask it for a name.
            parts = [] if each.names else target.split(".")
            yield from (".".join([*parts[:end], _ON_REQUEST]) for end in range(1, len(parts) + 1))
        if computes:
            # Nothing says which module it will be: whatever lies in the folder may come.
            yield from self._below(package, "**/*.py")

    def _asks(self, module: str, names: set[str]) -> bool:
        """Return whether `from module import names` may ask the module for a name that it does not bind."""
        path = self.file(module) if module.partition(".")[0] in self._packages else None
        return path is not None and not names <= self._look(path).binds

    def _below(self, package: str, *patterns: str) -> Iterator[str]:
        """The modules in the folder of a package whose paths match a pattern."""
        top, *rest = package.split(".")
        folder = self._packages[top].joinpath(*rest) if top in self._packages else None
        for path in (p for pattern in patterns for p in (folder.glob(pattern) if folder else ())):
            parts = path.relative_to(self._packages[top]).with_suffix("").parts
            yield ".".join([top, *parts]).removesuffix(".__init__")


def imported_packages(content: bytes) -> frozenset[str] | None:
    """The packages from outside of its own that a file may import, None where a name is computed or nothing is known.

    Args:
        content: the bytes of a Python file; one that is no Python imports nothing that is known.

    Returns:
        Names of top packages. Relative imports stay inside and are left out.
    """
    look = _look_at(content)
    known = look.parsed and not (look.computes or look.computes_on_request)
    every = look.imports + look.on_request
    return frozenset(each.module.partition(".")[0] for each in every if not each.level) if known else None


def _package_of(module: str, path: Path) -> str:
    """The package from which the relative imports of a module start."""
    return module if path.name == "__init__.py" else module.rpartition(".")[0]


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
        # A file that is broken now may be mended while others are judged; its digest is that of its bytes.
        except (SyntaxError, ValueError):
            _looks[key] = _Look(key.hex(), parsed=False)  # nothing that was imported; any edit counts
        else:
            _looks[key] = _look_of(tree, _digest(tree, b"__doc__" in content))
    return _looks[key]


def _look_of(tree: ast.Module, digest: str) -> _Look:
    """Return what counts of a syntax tree, with the imports of its `__getattr__` apart."""
    loaders = _loaders(tree)
    asked = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == _ON_REQUEST]
    # The body alone runs on request; decorators and defaults run with the rest of the file.
    bodies = [statement for node in asked for statement in node.body]
    first = tuple(dict.fromkeys(_imports([tree], loaders, bodies)))
    late = tuple(dict.fromkeys(_imports(bodies, loaders)))
    return _Look(
        digest,
        tuple(each for each in first if each is not None),
        None in first,
        on_request=tuple(each for each in late if each is not None),
        computes_on_request=None in late,
        binds=frozenset(_bound(tree)) if asked else frozenset(),
    )


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds whatever happens, so that nobody asks its `__getattr__` for them."""
    if any(isinstance(node, ast.Delete) for node in ast.walk(tree)):
        return  # it may unbind any of them
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in names)


def _digest(tree: ast.Module, docstrings: bool) -> str:
    """SHA-256 of a syntax tree without line numbers, and without docstrings unless they count.

    Numbers of fields and items stand before them, so that two trees with the same leaves have different texts. By a
    list of what is to do and not by recursion, since an expression may be nested deeper than Python's stack.
    """
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
                # The type is in the text as well: 1, 1.0 and True differ.
                parts.append(repr(constant))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _is_docstring(node: object) -> bool:
    """Any string that is a statement, wherever it stands: it computes nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _loaders(tree: ast.Module) -> frozenset[str]:
    """The names of functions that import: `from importlib import import_module as load` gives one another name."""
    aliases = [alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    return _LOADERS | {alias.asname for alias in aliases if alias.asname and alias.name in _LOADERS}


def _imports(
    roots: Sequence[ast.AST], loaders: frozenset[str], without: Sequence[ast.AST] = ()
) -> Iterator[_Import | None]:
    """Every import that parts of a file may run; None for one of a name that is computed."""
    for node in _running(roots, without):
        match node:
            case ast.Import(names=names):
                yield from (_Import(0, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                yield _Import(level, module or "", tuple(alias.name for alias in names))
            case ast.Call() if _called(node) in loaders:
                yield _named(node)


def _running(roots: Sequence[ast.AST], without: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Every node of some trees but those of the trees `without`, and those that only a type checker looks at."""
    left_out = {id(node) for node in without}
    todo = list(roots)
    while todo:
        node = todo.pop()
        if id(node) not in left_out:
            yield node
            # The other branch of `if TYPE_CHECKING:` is what runs.
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
