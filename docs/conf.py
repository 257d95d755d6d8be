"""The site of documentation: guides, and the reference of the library from its docstrings (`nox -s docs`).

Docstrings are written for a reader of the source: Google's sections, and code between single backticks, as in Markdown.
They become reStructuredText here before Sphinx reads them. A warning fails the build. Warnings are, besides those of
Sphinx: a link to a file that is not there, and a dotted name of this library that does not exist, in a docstring or in a
guide.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import posixpath
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

import rgm_verify

# Sphinx writes every constant out before it is told not to show it, and some have thousands of digits.
sys.set_int_max_str_digits(0)
ROOT = Path(__file__).resolve().parents[1]

project = "rgm-verify"
author = "The rgm-verify authors"
version = release = rgm_verify.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
default_role = "code"

html_theme = "furo"
html_title = "rgm-verify"
html_copy_source = False
html_show_copyright = False
# The site needs no network, and holds nothing that changes from build to build.
html_last_updated_fmt = None

autosummary_generate_overwrite = True
autodoc_default_options = {"members": True, "ignore-module-all": True, "show-inheritance": True, "no-value": True}
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_typehints_format = "short"
# A default is shown as it is written, and not as the thing that it is.
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
# A tree of two thousand names beside every page helps nobody.
toc_object_entries = False
python_maximum_signature_line_length = 88

napoleon_numpy_docstring = False
napoleon_use_ivar = True
# The signature has the types already.
napoleon_attr_annotations = False
napoleon_custom_sections = ["Edge cases", "Source"]

#: Files of the repository that are pages of the site, by their paths; those in docs/ are besides.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "examples/TUTORIAL.md": "tutorial.md"}

_LOG = logging.getLogger(__name__)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_CODE = re.compile(r"(?<![`\\])(`+)([^`]+?)\1(?!`)")
_OURS = re.compile(r"rgm_verify(?:\.[A-Za-z_]\w*)+")
_KEPT = re.compile(r"\s*(?:\*{1,2}\w+:|\* )")  # `**arguments:` of a function, and bullets
#: A dotted name in an annotation, and no word of a `Literal`.
_NAME = re.compile(r"""(?<!['"\w.~-])[A-Za-z_][\w.]*(?!['"\w-])""")
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


# --------------------------------------------------------------------------------------------- guides


def _link_pages(path: Path, name: str, text: str) -> str:
    """Return a guide with links that hold in the site: to its pages; any other file of the repository is named only.

    Args:
        path: The file that the text is of.
        name: The name of the page that it becomes or becomes part of.
        text: The text.
    """

    def linked(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        there = (path.parent / target).resolve()
        if not there.exists() or not there.is_relative_to(ROOT):
            _LOG.warning("%s: it links %s, which is not there", path.relative_to(ROOT), target)
            return words
        inside = there.relative_to(ROOT).as_posix()
        page = PAGES.get(inside, inside.removeprefix("docs/") if inside.startswith("docs/") else "")
        if page:
            return f"[{words}]({posixpath.relpath(page, posixpath.dirname(name) or '.')}{anchor})"
        return words if inside in words else f"{words} (`{inside}`)"

    return _outside_of_fences(text, lambda part: _LINK.sub(linked, _referred(part, "{py:obj}`{}`", str(path))))


def _outside_of_fences(text: str, change: Any) -> str:
    """Return the text with its parts outside of fenced blocks changed."""
    found, start = [], 0
    for fence in _FENCE.finditer(text):
        found += [change(text[start : fence.start()]), fence[0]]
        start = fence.end()
    return "".join([*found, change(text[start:])])


def _referred(text: str, form: str, where: str) -> str:
    """Return the text with every name of this library that is code linked to its place in the reference."""

    def refer(found: re.Match[str]) -> str:
        name = found[2]
        if not _OURS.fullmatch(name):
            return found[0]
        if not _exists(name):
            _LOG.warning("%s: it names %s, which is not there", where, name)
        return form.replace("{}", name)

    return _CODE.sub(refer, text)


@cache
def _exists(name: str) -> bool:
    """Return whether a dotted name leads to a module, or to something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError as error:
            if error.name and not name.startswith(error.name):
                return True  # an optional library is missing, and not this name
            continue
        for part in parts[length:]:
            known = hasattr(found, part) or part in getattr(found, "__annotations__", {})
            if not known:
                return False
            found = getattr(found, part, None)
        return True
    return False


# ----------------------------------------------------------------------------------------- docstrings


def _restructured(name: str, text: str) -> str:
    """Return a docstring as reStructuredText.

    Args:
        name: The name of what it describes, for a warning.
        text: The docstring, without the indentation of the code.
    """
    chunks: list[tuple[bool, list[str]]] = []
    inside = False
    for line in text.split("\n"):
        inside = line.lstrip().startswith(">>>") or (inside and bool(line.strip()))
        if not chunks or chunks[-1][0] != inside:
            chunks.append((inside, []))
        chunks[-1][1].append(line)
    lines = [line for shown, part in chunks for line in (part if shown else _prose(name, part))]
    return "\n".join(lines)


def _prose(name: str, lines: list[str]) -> list[str]:
    """Return lines between examples as reStructuredText: an indented block after a paragraph is code."""
    found: list[str] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _is_code(lines, start, end):
            end += 1
        if end > start:
            found += ["::", "", *lines[start:end]]
            start = end
            continue
        end = start + 1
        while end < len(lines) and not _is_code(lines, end, end):
            end += 1
        found += _escaped(_referred("\n".join(lines[start:end]), "\0{}\1", name)).split("\n")
        start = end
    return found


def _is_code(lines: list[str], start: int, end: int) -> bool:
    """Return whether the line at `end` belongs to a block of code that begins at `start`."""
    if end > start:
        return lines[end].startswith("    ") or (not lines[end] and any(x.startswith("    ") for x in lines[end : end + 2]))
    if not lines[start].startswith("    ") or start < 2 or lines[start - 1].strip():
        return False
    before = next((x for x in reversed(lines[:start]) if x.strip()), "")
    return bool(before) and not before.startswith(" ")


def _escaped(text: str) -> str:
    """Return a text with its code between double backticks, and without signs that mean something to Sphinx."""
    found, start = [], 0
    for code in _CODE.finditer(text):
        # Between code and a letter reStructuredText wants a blank, which may be an escaped one.
        joined = "\\ " if text[code.end() : code.end() + 1].isalnum() else ""
        found += [_plain(text[start : code.start()]), f"``{code[2]}``{joined}"]
        start = code.end()
    text = "".join([*found, _plain(text[start:])])
    return re.sub("\0([^\1]*)\1", r":py:obj:`\1`", text)


def _plain(text: str) -> str:
    """Return a text without code with its special signs escaped, but for stars at the beginning of a line."""
    lines = []
    for line in text.split("\n"):
        kept = _KEPT.match(line)
        head = kept[0] if kept else ""
        rest = re.sub(r"[*|\\]", r"\\\g<0>", line[len(head) :])
        lines.append(head + re.sub(r"(?<=\w)_(?![\w\1])", r"\\_", rest))
    return "\n".join(lines)


def _process(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Turn a docstring into reStructuredText, before Google's sections are read."""
    if what == "module" and (handed := _handed_on(thing)):
        lines += ["", "From here can be imported: " + ", ".join(f"`{home}`" for home in handed) + "."]
    lines[:] = _restructured(name, "\n".join(lines)).split("\n")


def _handed_on(module: ModuleType) -> list[str]:
    """Return the full names of what a package hands on from its modules, sorted."""
    if not hasattr(module, "__path__"):
        return []
    found = []
    for name in dir(module):
        thing = None if name.startswith("_") else getattr(module, name)
        home = getattr(thing, "__module__", None)
        if isinstance(home, str) and home.startswith("rgm_verify") and home != module.__name__ and not inspect.ismodule(thing):
            found.append(f"{home}.{getattr(thing, '__qualname__', name)}")
    return sorted({name for name in found if _exists(name)})


class _Annotation(str):
    """An annotation as it stands in the code: names of unions stay names, which is shorter and says more."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _as_written(app: Sphinx, what: str, name: str, thing: Any, *_: Any) -> tuple[str, str | None] | None:
    """Return the signature of a function or a class with its annotations as the code has them."""
    if what in ("attribute", "data", "module") or (what in ("class", "exception") and not inspect.isclass(thing)):
        return None
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):  # it has none
        return None
    homes = _homes(getattr(inspect.unwrap(thing), "__module__", None) or "")
    parameters = [
        p.replace(annotation=_qualified(p.annotation, homes))
        for p in found.parameters.values()
        if p.name not in ("self", "cls")
    ]
    back = None if what in ("class", "exception") else _qualified(found.return_annotation, homes)
    shown = found.replace(parameters=parameters, return_annotation=found.empty)
    return str(shown), None if back is found.empty else back


def _qualified(annotation: Any, homes: Mapping[str, str]) -> Any:
    """Return an annotation with the full names of what it names, of which pages show the last part.

    Sphinx would look for the short ones everywhere, and take any class of that name.
    """
    if not isinstance(annotation, str):
        return annotation

    def full(found: re.Match[str]) -> str:
        first, dot, rest = found[0].partition(".")
        return f"~{homes[first]}{dot}{rest}" if first in homes else found[0]

    return _Annotation(_NAME.sub(full, annotation))


@cache
def _homes(module: str) -> dict[str, str]:
    """Return where the names at the top of a module are from: a module, or a name in one."""
    try:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    except (ImportError, OSError, TypeError, ValueError):
        return {}
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {n.asname or n.name.partition(".")[0]: n.name if n.asname else n.name.partition(".")[0] for n in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {n.asname or n.name: f"{node.module}.{n.name}" for n in node.names}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [node.name] if isinstance(node, ast.ClassDef) else [t.id for t in targets if isinstance(t, ast.Name)]
        found |= {name: f"{module}.{name}" for name in names}
    return found


def setup(app: Sphinx) -> None:
    """Connect the changes above; Google's sections are read after them."""
    app.connect("autodoc-process-docstring", _process, priority=400)
    app.connect("autodoc-process-signature", _as_written)
    app.connect("source-read", _on_source)
    app.connect("include-read", _on_include)


def _on_source(app: Sphinx, name: str, source: list[str]) -> None:
    """Change the links of a guide."""
    path = Path(app.env.doc2path(name))
    if path.suffix == ".md":
        source[0] = _link_pages(path, name, source[0])


def _on_include(app: Sphinx, path: Path, name: str, source: list[str]) -> None:
    """Change the links of a file that a guide includes."""
    source[0] = _link_pages((ROOT / "docs" / path).resolve(), name, source[0])
