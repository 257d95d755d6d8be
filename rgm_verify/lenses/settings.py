"""Settings of claims as what evidence is keyed by: a text for the data in them, and the modules of the
code.

Evidence is kept and used again while nothing has changed that it stands on. For the settings of a
lens that is the data (`stable_text`) and the code (`modules_of`, whose files are hashed elsewhere).
Two mistakes are possible. A text that differs from run to run (an address, the order of a set) costs
time. A text that stays the same when a setting changes gives a stale verdict, so that the captured
values of a function, its defaults, the attributes of an object and the content of a file all count.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import sympy

from rgm_verify.claims.claim import Chart
from rgm_verify.claims.formula import All, Either, Iff, Implies, Relation, canonical, structure
from rgm_verify.errors import InputError
from rgm_verify.jobs.fingerprint import public_name

_PLAIN = (str, bytes, int, float, complex, type(None))


def stable_text(value: Any) -> str:
    """A text for a setting, equal for equal settings: no memory addresses, no hash order, no place of the claims.

    Code is named: by module and qualified name, followed by the data that it carries (defaults, arguments of a
    partial, captured values, the object of a method). What it does is for `modules_of`. Two lambdas of one function
    that carry the same data have the same text. A path is the file's name and content. Raises `InputError` for a
    path that cannot be read.

    Args:
        value: Any setting: numbers, texts, containers, arrays, expressions, formulas, functions,
            objects, paths, modules.

    Returns:
        The text. Mappings and sets are sorted by the texts of their members.

    Raises:
        InputError: For a path that cannot be read.

    Examples:
        >>> stable_text({"b": 1, "a": (2, 3)})
        "{'a':[2,3],'b':1}"
        >>> stable_text({3, 1, 2}) == stable_text({2, 3, 1})
        True
    """
    return _text(value, ())


def _text(value: Any, around: tuple[int, ...]) -> str:
    """Return the text of a value; `around` has the ids of the objects that contain it, which ends
    cycles.

    The order of the cases matters: formulas and SymPy objects are also data classes or callables,
    and have texts of their own.
    """
    if isinstance(value, Relation | All | Either | Implies | Iff):
        return canonical(value)
    if isinstance(value, sympy.Basic):
        return structure(value)
    if isinstance(value, Chart):
        return value.canonical()
    if isinstance(value, Path):
        return f"file({value.name},{hashlib.sha256(_content(value)).hexdigest()})"
    if isinstance(value, ModuleType):
        return public_name(value.__name__)
    # A function may capture itself, and an object may hold its owner: the text must end.
    if id(value) in around:
        return f"{_name(value)}(...)"
    around = (*around, id(value))
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{_text(k, around)}:{_text(v, around)}" for k, v in value.items())) + "}"
    if isinstance(value, tuple | list):
        return "[" + ",".join(_text(v, around) for v in value) + "]"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(_text(v, around) for v in value)) + "}"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype},{value.shape},{_text(value.tolist(), around)})"
    carried = _carried(value) if callable(value) or dataclasses.is_dataclass(value) else []
    if carried or hasattr(value, "__name__") or _shows_an_address(type(value)):
        return f"{_name(value)}({','.join(f'{n}={_text(v, around)}' for n, v in carried or _carried(value))})"
    return repr(value)


def _content(path: Path) -> bytes:
    """Return the bytes of a file among the settings; raise `InputError` that names it where it cannot
    be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: a setting of a claim names it, and it cannot be read ({error.strerror})") from error


def _shows_an_address(kind: Any) -> bool:
    """Return whether the text of an object of this class would show its place in memory, which changes
    from run to run.
    """
    return kind.__repr__ is object.__repr__


def _name(value: Any) -> str:
    """Module and qualified name of code; those of its class for any other object."""
    named = value if hasattr(value, "__name__") else type(value)
    return f"{public_name(_module(named))}.{getattr(named, '__qualname__', named.__name__)}"


def _module(value: Any) -> str:
    """Return the name of the module that defines a value; empty for what has none."""
    return str(getattr(value, "__module__", None) or "")


def _carried(value: Any) -> list[tuple[str, Any]]:
    """The names and values of the data that code or an object carries with it.

    A class carries none, unless it was made in a function, so that its methods may have captured something.

    An object is described by its dataclass fields if it has them, else by its attributes and slots;
    `__wrapped__` and `__func__` are followed, so that a decorated function and a bound method count as
    what they run.
    """
    if isinstance(value, type):
        return _members(value) if _is_local(value) else []
    if isinstance(value, partial):
        return [("func", value.func), ("args", value.args), ("keywords", value.keywords)]
    if isinstance(value, FunctionType):
        cells = [_content_of_cell(cell) for cell in value.__closure__ or ()]
        found: list[tuple[str, Any]] = [("defaults", value.__defaults__), ("keywords", value.__kwdefaults__)]
        return [*found, ("captured", cells), ("attributes", vars(value))]
    owner = getattr(value, "__self__", None)
    parts = [("self", owner)] if owner is not None and not isinstance(owner, ModuleType) else []
    parts += [(name, getattr(value, name)) for name in ("__func__", "__wrapped__") if hasattr(value, name)]
    parts += [("class", type(value))] if _is_local(type(value)) else []
    if dataclasses.is_dataclass(value):
        return parts + [(f.name, getattr(value, f.name, None)) for f in dataclasses.fields(value)]
    # The attributes of a wrapper are those of what it wraps, which has its own entry already.
    own = vars(value) if hasattr(value, "__dict__") and not hasattr(value, "__wrapped__") else {}
    slots = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
    return [*parts, *sorted(own.items()), *((name, getattr(value, name)) for name in slots)]


def _is_local(kind: type) -> bool:
    """Return whether a class was made in a function."""
    return "<locals>" in kind.__qualname__


def _members(kind: type) -> list[tuple[str, Any]]:
    """Return what the body of a class defines, without what Python adds of its own."""
    found = [name for name, member in vars(kind).items() if _is_defined(name, member)]
    return [(name, _behind(vars(kind)[name])) for name in sorted(found)]


def _is_defined(name: str, member: Any) -> bool:
    return not name.startswith("__") or isinstance(member, FunctionType | staticmethod | classmethod)


def _behind(member: Any) -> Any:
    """The functions of a property, a static method or a class method; any other member as it is."""
    if isinstance(member, property):
        return member.fget, member.fset, member.fdel
    return member.__func__ if isinstance(member, staticmethod | classmethod) else member


def _slots(kind: type) -> Iterable[str]:
    """Return the names of the slots that a class adds, but for the two that hold no data."""
    slots = vars(kind).get("__slots__", ())
    return [n for n in ((slots,) if isinstance(slots, str) else slots) if n not in ("__dict__", "__weakref__")]


def _content_of_cell(cell: Any) -> Any:
    """Return what a captured name stands for; None for one that is not bound yet."""
    try:
        return cell.cell_contents
    except ValueError:  # a name that is not bound yet
        return None


# ------------------------------------------------------------------------------------------------------------- modules


def modules_of(value: Any) -> set[str]:
    """The modules that define the code in a value: of functions, of classes and their bases, of the classes of objects.

    It looks into mappings, sequences, sets, expressions, partials, methods, what functions capture and have as
    defaults, and the attributes of objects whose class is not Python's own or NumPy's.

    Args:
        value: Any setting.

    Returns:
        Names of modules, for the caller to map to files. Values that are plain data add nothing.
        SymPy's own modules are left out, since its version is part of every key.
    """
    found: set[str] = set()
    seen: dict[int, Any] = {}  # it keeps what it has seen, so that no two of them have one address
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _PLAIN) or id(item) in seen:
            continue
        seen[id(item)] = item
        if isinstance(item, sympy.Basic):
            found |= _modules_of_expression(item)
        else:
            found.update(_defining(item))
            todo += _inside(item)
    return found - {""}


def _defining(item: Any) -> Iterable[str]:
    """Return the modules in which an object, its class and the bases of that are defined, and in which
    a function looks names up.
    """
    if isinstance(item, ModuleType):
        return (item.__name__,)
    kinds = item.__mro__ if isinstance(item, type) else type(item).__mro__
    own = [] if isinstance(item, type) else [_module(item)]
    if isinstance(item, FunctionType):
        own.append(str(item.__globals__.get("__name__", "")))
    return {*own, *map(_module, kinds)}


def _inside(item: Any) -> list[Any]:
    """Return the parts of a value that may hold code: members, captured values, attributes.

    Objects of Python's own classes and NumPy's that cannot be called hold none.
    """
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, tuple | list | set | frozenset):
        return list(item)
    if isinstance(item, np.ndarray):
        return item.tolist() if item.dtype == object else []
    if isinstance(item, ModuleType):
        return []
    foreign = _module(type(item)).partition(".")[0] in ("builtins", "pathlib", "fractions", "decimal", "numpy")
    return [] if foreign and not callable(item) else [part for _, part in _carried(item)]


@lru_cache(maxsize=100_000)
def _modules_of_expression(expression: sympy.Basic) -> frozenset[str]:
    """Return the modules of the classes in an expression that are not SymPy's: functions of this
    library.
    """
    own = {_module(kind) for kind in type(expression).__mro__}
    inner = (_modules_of_expression(part) for part in expression.args if isinstance(part, sympy.Basic))
    return frozenset().union({name for name in own if not name.startswith("sympy.")}, *inner)
