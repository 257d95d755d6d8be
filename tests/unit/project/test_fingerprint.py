"""The closure of imports: whatever can come in is in it, and its digest changes with the syntax of every file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace

import pytest

from rgm_verify.errors import InputError
from rgm_verify.jobs import fingerprint
from rgm_verify.jobs.fingerprint import LIBRARY, Sources, claims_package, imported_packages, looks_kept, public_name

Package = Callable[..., Path]


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Write a package `p`: the key `sub__x` is the file sub/x.py, `sub____init__` is sub/__init__.py."""

    def write(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / "p" / f"{name.replace('__', '/', 1) if '__' in name.strip('_') else name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))
        return tmp_path / "p"

    return write


def reached(folder: Path, root: str = "p.a") -> set[str]:
    return {name.removeprefix("p/") for name in Sources({"p": folder}).closure([root])}


def digest(folder: Path, root: str = "p.a", **versions: str) -> str:
    return Sources({"p": folder}).fingerprint([root], versions)


STATEMENTS = {
    "import p.b": {"b.py"},
    "import p.b as other, p.sub.c": {"b.py", "sub/c.py", "sub/__init__.py"},
    "from p import b": {"b.py"},
    "from p.b import f": {"b.py"},
    "from . import b": {"b.py"},
    "from .b import *": {"b.py"},
    "from .sub import c": {"sub/c.py", "sub/__init__.py"},
    "from .sub.c import f": {"sub/c.py", "sub/__init__.py"},
    "from .sub import f": {"sub/__init__.py"},
    "from .sub import *": {"sub/c.py", "sub/d.py", "sub/__init__.py"},
    "from .plain import e": {"plain/e.py"},
    "def f():\n    from .b import f": {"b.py"},
    "class K:\n    def f(self):\n        import p.b": {"b.py"},
    "try:\n    from .b import f\nexcept ImportError:\n    f = None": {"b.py"},
    "if f():\n    from .b import g": {"b.py"},
    "import importlib\nimportlib.import_module('p.b')": {"b.py"},
    "from importlib import import_module as get\nget('.b', __package__)": {"b.py"},
    "__import__('p.b')": {"b.py"},
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import p.b\nelse:\n    import p.sub": {"sub/__init__.py"},
    "import math, p.nowhere\nfrom p.b import no_module": {"b.py"},
    "text = 'import p.b'": set(),
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_whatever_a_statement_imports_is_in_the_closure(package: Package, statement: str) -> None:
    folder = package(a=statement, b="", sub____init__="", sub__c="", sub__d="", plain__e="")
    assert reached(folder) == {"a.py"} | STATEMENTS[statement]


def test_imports_are_followed_further_and_circles_end(package: Package) -> None:
    folder = package(a="from . import b", b="from . import c", c="from . import a", d="")
    assert reached(folder) == {"a.py", "b.py", "c.py"}


def test_a_file_that_computes_what_it_imports_needs_its_whole_folder(package: Package) -> None:
    lazy = "import importlib\ndef __getattr__(name):\n    return importlib.import_module(f'{__name__}.{name}')"
    folder = package(a="import p.sub", b="", sub____init__=lazy, sub__c="", sub__d="")
    assert reached(folder) == {"a.py", "sub/__init__.py", "sub/c.py", "sub/d.py"}


#: A package that hands on `late`, and binds `early` by itself.
HANDS_ON = """
    from typing import TYPE_CHECKING
    from importlib import import_module as load
    if TYPE_CHECKING:
        from .d import f
    early: int = 1

    def __getattr__(name):
        {body}
    """
ASKS = {
    "from p.sub import late": True,
    "from p.sub import early, late": True,
    "from p.sub import *": True,
    "import p.sub": True,
    "import p.sub.d": True,
    "import p.sub.d as d": True,
    "from importlib import import_module\nimport_module('p.sub')": True,
    "from p.sub import early": False,
    "from p.sub import early, d": False,
    "from p.sub.d import f": False,
    "from . import b": False,
}


@pytest.mark.parametrize(
    "body", ["from .c import late; return late", "return load('.c', 'p.sub')", "return load(name)"]
)
@pytest.mark.parametrize("statement", ASKS)
def test_what_a_package_imports_on_request_is_in_the_closure_of_those_who_may_ask(
    package: Package, statement: str, body: str
) -> None:
    folder = package(a=statement, b="", sub____init__=HANDS_ON.format(body=body), sub__c="import p.e", sub__d="", e="")
    assert ({"sub/c.py", "e.py"} <= reached(folder)) == ASKS[statement]
    assert {"sub/c.py", "e.py"} <= reached(folder, "p.sub")


@pytest.mark.parametrize("more", ["\ndel early", "\nif 1:\n    del early"])
def test_a_name_that_may_be_unbound_is_asked_for(package: Package, more: str) -> None:
    text = dedent(HANDS_ON).format(body="from . import c; return c") + more
    assert "sub/c.py" in reached(package(a="from p.sub import early", sub____init__=text, sub__c=""))


def test_decorators_of_a_function_on_request_run_with_the_file(package: Package) -> None:
    text = "@__import__('p.b').keep\ndef __getattr__(name):\n    import p.c"
    assert reached(package(a="from p.sub import d", b="", c="", sub____init__=text, sub__d="")) == {
        "a.py", "b.py", "sub/__init__.py", "sub/d.py",
    }  # fmt: skip


def test_a_dot_more_goes_to_the_package_above(package: Package) -> None:
    folder = package(sub__a="from .. import b\nfrom ..plain.e import f", b="", plain__e="", sub__b="")
    assert reached(folder, "p.sub.a") == {"sub/a.py", "b.py", "plain/e.py"}


def test_a_root_without_a_file_is_refused(package: Package) -> None:
    with pytest.raises(InputError, match=r"module='p\.z': it has no file; give a module of p"):
        reached(package(a=""), "p.z")


def test_a_file_that_cannot_be_read_is_refused_with_its_name(package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package(a="from . import b", b="")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"a\.py: cannot be read \(Permission denied\)"):
        reached(folder)


# -------------------------------------------------------------------------------------------------------------- digest

CODE = """
    '''Words.'''
    import math

    def f(x):
        '''More words.'''
        return math.sin(x)  # why

    class K:
        '''Words of a class.'''
        n = 1
        '''Words of an attribute.'''
    """
ONLY_WORDS = [("Words.", "Other."), ("# why", "# why not"), ("    import", "\n\n    import"), ("of an", "of this"),
              ("(x)  #", "(\n            x\n        )  #"), ("'''Words of a class.'''", ""),
              ("= 1", "= 0x1")]  # fmt: skip
SYNTAX = [("sin", "cos"), ("n = 1", "n = 2"), ("n = 1", "n = 1.0"), ("n = 1", "n = True"), ("f(x)", "f(x, y=0)"),
          ("import math", "import cmath as math"), ("class K:", "@f\n    class K:"), ("return ", "")]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), ONLY_WORDS)
def test_words_and_layout_do_not_change_the_digest(package: Package, before: str, after: str) -> None:
    assert before in CODE
    assert digest(package(a=CODE)) == digest(package(a=CODE.replace(before, after)))


@pytest.mark.parametrize(("before", "after"), SYNTAX)
def test_syntax_changes_the_digest(package: Package, before: str, after: str) -> None:
    assert before in CODE
    assert digest(package(a=CODE)) != digest(package(a=CODE.replace(before, after)))


def test_docstrings_count_in_a_file_that_reads_them(package: Package) -> None:
    code = CODE + "\n    print(f.__doc__)\n"
    assert digest(package(a=code)) != digest(package(a=code.replace("More", "Fewer")))
    assert digest(package(a=code)) == digest(package(a=code.replace("# why", "# that is why")))


def test_the_digest_covers_the_names_of_files_and_which_there_are(package: Package) -> None:
    found = {digest(package(a="from . import *", b="x = 1"))}
    found.add(digest(package(c="x = 1")))
    (package() / "b.py").unlink()
    found.add(digest(package()))
    assert len(found) == 3


def test_it_changes_with_versions_and_with_python(package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package(a="")
    found = {digest(folder), digest(folder, sympy="1.13"), digest(folder, sympy="1.14"), digest(folder, flint="1.13")}
    for name, version in (("cpython", (3, 99)), ("pypy", sys.version_info[:2])):
        python = SimpleNamespace(major=version[0], minor=version[1])
        other = SimpleNamespace(implementation=SimpleNamespace(name=name), version_info=python)
        monkeypatch.setattr(fingerprint, "sys", other)
        found.add(digest(folder))
    assert len(found) == 6


def test_a_file_of_another_language_counts_by_its_bytes(package: Package) -> None:
    folder = package(a="from . import b", b="def")
    before = digest(folder)
    assert reached(folder) == {"a.py", "b.py"}
    assert digest(package(b="def  # one")) != before


def test_an_object_sees_each_file_once_and_the_next_one_sees_what_changed(package: Package) -> None:
    sources = Sources({"p": package(a="x = 1")})
    before = sources.fingerprint(["p.a"], {})
    folder = package(a="x = 2")  # as long as before, and perhaps of the same time
    assert sources.fingerprint(["p.a"], {}) == before
    assert digest(folder) != before


def test_the_place_of_claims_does_not_matter(package: Package, tmp_path: Path) -> None:
    names = [claims_package(tmp_path / place) for place in ("one", "two")]
    assert names[0] != names[1]
    assert {public_name(f"{name}.rgm.notation") for name in names} == {"claims.rgm.notation"}
    assert public_name("rgm_verify.numbers.exact") == "rgm_verify.numbers.exact"
    folder = package(a="from . import b", b="")
    found = {Sources({name: folder}).fingerprint([f"{name}.a"], {}) for name in names}
    assert len(found) == 1


# ------------------------------------------------------------------------------------------------------------- library

JUDGED = """
from rgm_verify.claims import *
from rgm_verify.lenses import *
from rgm_verify.lenses.base import Context
from rgm_verify.engine.judge import run_claim
import sympy
X = real("x", lower=0, upper=1)
x = X.symbol
for form, checks in ((le(sympy.log(1 + x), x), ()), (ge(x + 1, 1), ()), (ge(x, x**2), (Monotone(x, 0),)),
                     (eq((x + 1) ** 2, x**2 + 2 * x + 1), ())):
    about = dict(id="a", title="t", source="s", where="w", kind="lemma", variables=(X,))
    run_claim(Claim(**about, conclusion=form, checks=checks, mutants=(Mutant("m", ge(x, 1)),)), Context())
"""


COMMANDS = ["rgm_verify.cli.judging.claims", "rgm_verify.cli.experiment"]
RUNS = ["rgm_verify.experiments.run.one_run", "rgm_verify.experiments.data.datasets"]
LAZY = ["rgm_verify.balls", "rgm_verify.learning"]
LOADED = {
    "judge": (JUDGED, ["rgm_verify.engine.judge", "rgm_verify.lenses"]),
    "commands": (f"import {', '.join(COMMANDS)}", COMMANDS),
    "experiments": (f"import {', '.join(RUNS)}\nrgm_verify.experiments.run.one_run.method('rgm-exact')", RUNS),
    "lazy": ("from rgm_verify.balls import certify\nfrom rgm_verify.learning import PrivateRidge", LAZY),
}


@pytest.mark.parametrize(("program", "roots"), LOADED.values(), ids=LOADED)
def test_the_closure_holds_every_module_that_python_itself_has_loaded(program: str, roots: list[str]) -> None:
    listed = program + "\nimport sys\nprint(*(n for n in sys.modules if n.partition('.')[0] == 'rgm_verify'))"
    command = [sys.executable, "-c", listed]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=LIBRARY.parent)
    sources = Sources({"rgm_verify": LIBRARY})
    loaded = {sources.file(module) for module in run.stdout.split()}
    assert len(loaded) > 5
    assert not loaded - set(sources.closure(roots).values())


# ------------------------------------------------------------------------------------------------------ what is kept


def test_what_was_seen_of_files_is_kept_by_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, module = tmp_path / "looks.json", tmp_path / "p" / "a.py"
    module.parent.mkdir()
    (module.parent / "__init__.py").write_text("")
    module.write_text("x = 1\n")

    def taken() -> str:
        monkeypatch.setattr(fingerprint, "_looks", {})
        with looks_kept(kept):
            return Sources({"p": module.parent}).fingerprint(["p.a"], {})

    first = taken()
    written = kept.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(fingerprint.ast, "parse", lambda *_: pytest.fail("it is parsed again"))
        assert taken() == first
    assert kept.read_bytes() == written
    module.write_text("x = 2\n")
    second = taken()
    assert second != first
    for damage in (b"", b"{}", kept.read_bytes().replace(b'"digest":"', b'"digest":"0'), b"\xff\n[" * 1000):
        kept.write_bytes(damage)
        assert taken() == second
    kept.unlink()
    kept.mkdir()  # it cannot be written
    assert taken() == second


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("import numpy.linalg as l\nfrom . import a\nfrom .b import c\n", {"numpy"}),
        ("def f():\n    from scipy import special\n", {"scipy"}),
        ("import importlib\nimportlib.import_module('json.decoder')\n", {"importlib", "json"}),
        ("import importlib\nimportlib.import_module(name)\n", None),
        ("import (", None),
        ("", set()),
    ],
)
def test_the_packages_that_a_file_imports(text: str, packages: set[str] | None) -> None:
    assert imported_packages(text.encode()) == packages
