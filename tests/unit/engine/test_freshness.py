"""Freshness: evidence is stale when any file changes that judged the claim, and stays when no such file does."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rgm_verify.engine import keys
from rgm_verify.engine.discovery import Paper, load
from rgm_verify.engine.keys import Keys
from rgm_verify.jobs.fingerprint import LIBRARY, Sources, claims_package
from rgm_verify.lenses.library import HOMES, LOOKS

from .conftest import forget

Write = Callable[..., Path]

CLAIM = """\
from fractions import Fraction
from rgm_verify.claims import Claim, Mutant, ge, real
from rgm_verify.lenses import Worlds
from rgm_verify.lenses.worlds.exact import holds
X = real("x")
x = X.symbol
REST = dict(title="t", source="s", where="w", kind="lemma", variables=(X,))
{imports}

def draw(generator):
    return {{"x": Fraction(int(generator.integers(1, 9)))}}


def statement(world):
    {body}


with_code = Claim(id="t:code", conclusion=ge(x**2, 0), **REST,
                  checks=(Worlds(says="x", worlds=draw, statement=statement, broken={{"b": statement}}),))
of_data = Claim(id="t:data", conclusion=ge(x**2 + 1, 0), **REST)
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a folder of claims: the file c.py with a statement, and other files by their paths."""

    def make(body: str = "return holds(True)", imports: str = "", **files: str) -> Path:
        place = tmp_path / "claims"
        texts = {"c": CLAIM.format(imports=imports, body=body), **files}
        for name, text in texts.items():
            path = place / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        forget()
        return place

    return make


def key(place: Path, claim_id: str = "t:code", library: Path = LIBRARY) -> str:
    return Keys(load(place), "quick", library=library).of(claim_id)


# --------------------------------------------------------------------------------------------------- how it is reached

FUNCTION = "def f(w):\n    return w['x'] > {}\n"
CLASS = "class B:\n    N = {}\n    def m(self, w):\n        return w['x'] > self.N\nclass K(B):\n    pass\n"
STATIC = "class K:\n    @staticmethod\n    def f():\n        return {}\n"
CACHED = "from functools import cached_property\n" + STATIC.replace("staticmethod", "cached_property").replace(
    "()", "(_)"
)
TABLE = FUNCTION + "T = {{'f': f}}\n"
HELPERS = {
    "a function": ("return holds(f(world))", "from .helper import f", {"helper": FUNCTION}),
    "a star": ("return holds(f(world))", "from .helper import *", {"helper": FUNCTION}),
    "the attribute of a module": ("return holds(helper.f(world))", "from . import helper", {"helper": FUNCTION}),
    "the constant of a module": ("return holds(helper.N < 1)", "from . import helper", {"helper": "N = {}\n"}),
    "a global constant": ("return holds(world['x'] > N)", "from .helper import N", {"helper": "N = {}\n"}),
    "a method": ("return holds(B().m(world))", "from .helper import B", {"helper": CLASS}),
    "an inherited method": ("return holds(K().m(world))", "from .helper import K", {"helper": CLASS}),
    "the constant of a class": ("return holds(world['x'] > K.N)", "from .helper import K", {"helper": CLASS}),
    "a static method": ("return holds(K.f())", "from .helper import K", {"helper": STATIC}),
    "a cached property": ("return holds(K().f)", "from .helper import K", {"helper": CACHED}),
    "the method of a global object": (
        "return holds(k.m(world))",
        "from .helper import k",
        {"helper": CLASS + "k = K()\n"},
    ),
    "a remembered function": (
        "return holds(f(1))",
        "from .helper import f",
        {"helper": "from functools import lru_cache\n@lru_cache\ndef f(w):\n    return w > {}\n"},
    ),
    "a table of functions": ("return holds(T['f'](world))", "from .helper import T", {"helper": TABLE}),
    "an import in a function": ("from .helper import f\n    return holds(f(world))", "", {"helper": FUNCTION}),
    "an import by name": (
        "return holds(import_module('.helper', __package__).f(world))",
        "from importlib import import_module",
        {"helper": FUNCTION},
    ),
    "a package": ("return holds(helper.f(world))", "from . import helper", {"helper/__init__": FUNCTION}),
    "a module of a package": ("return holds(f(world))", "from .pkg.helper import f", {"pkg/helper": FUNCTION}),
    "the beginning of a package": (
        "return holds(f(world))",
        "from .pkg.other import f",
        {"pkg/__init__": "N = {}\n", "pkg/other": "from . import N\ndef f(w):\n    return w['x'] > N\n"},
    ),
    "a helper of a helper": (
        "return holds(f(world))",
        "from .pkg.other import f",
        {"helper": FUNCTION, "pkg/other": "from ..helper import f\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", HELPERS)
def test_a_changed_helper_makes_the_claims_that_hold_code_stale(write: Write, way: str) -> None:
    body, imports, files = HELPERS[way]
    found, of_data = [], set()
    for number in (0, 100):
        place = write(body, imports, **{name: text.format(number) for name, text in files.items()})
        found.append(key(place))
        of_data.add(key(place, "t:data"))
    assert found[0] != found[1]
    assert len(of_data) == 1


def test_words_in_a_helper_change_nothing(write: Write) -> None:
    body, imports, files = HELPERS["a function"]
    before = key(write(body, imports, helper=files["helper"].format(0)))
    helper = "'''A helper.'''\n\n# why\n" + files["helper"].format(0)
    assert key(write(body, imports, helper=helper)) == before
    assert key(write(body, "# words\n" + imports, helper=helper)) == before


def test_a_file_that_nobody_imports_changes_nothing(write: Write) -> None:
    before = key(write(other="x = 1\n"))
    assert key(write(other="x = 2\n")) == before


def test_the_file_of_a_claim_says_which_of_two_lambdas_it_holds(write: Write) -> None:
    held = (
        CLAIM[: CLAIM.index("def draw")] + "from .helper import T\nw = Claim(id='t:code', conclusion=ge(x, 0), **REST, "
    )
    held += "checks=(Worlds(says='x', worlds=T[0], statement=T[{number}]),))\n"
    helper = "T = [lambda w: 0, lambda w: 1]\n"
    found = {key(write(helper=helper, c=held.format(imports="", number=number))) for number in (0, 1)}
    assert len(found) == 2


OBJECT = """\
class K:
    def __init__(self, n):
        self.n = n
    def __call__(self, w):
        return holds(self.n)
    def m(self, w):
        return holds(self.n)
"""
CARRIED = {
    "a default": "def f(w, n={}):\n    return holds(w['x'] > n)\n",
    "an argument of a partial": "from functools import partial\nf = partial(lambda n, w: holds(n), {})\n",
    "a captured value": "def make(n):\n    return lambda w: holds(n)\nf = make({})\n",
    "an object": OBJECT + "f = K({})\n",
    "the object of a method": OBJECT + "f = K({}).m\n",
}


@pytest.mark.parametrize("what", CARRIED)
def test_what_the_code_carries_is_part_of_the_claim(write: Write, what: str) -> None:
    signatures = []
    for number in (1, 2, 1):
        place = write(imports=CARRIED[what].format(number))
        (place / "c.py").write_text((place / "c.py").read_text().replace("statement=statement", "statement=f"))
        signatures.append(load(place).claims["t:code"].signature())
    assert signatures[0] == signatures[2]
    assert signatures[0] != signatures[1]
    assert "0x" not in signatures[0]


def test_a_data_file_that_a_setting_names_counts_by_its_content(write: Write) -> None:
    bound = "from functools import partial\nfrom pathlib import Path\nDATA = Path(__file__).parent / 'n.json'\n"
    bound += "f = partial(lambda path, w: holds(path.read_text()), DATA)\n"
    found = []
    for content in ("1", "2"):
        place = write(imports=bound)
        (place / "n.json").write_text(content)
        (place / "c.py").write_text((place / "c.py").read_text().replace("statement=statement", "statement=f"))
        found.append(key(place))
    assert found[0] != found[1]


def test_two_checkouts_have_the_same_keys(write: Write, tmp_path: Path) -> None:
    place = write(*HELPERS["a function"][:2], helper=FUNCTION.format(0))
    shutil.copytree(place, tmp_path / "elsewhere")
    assert [key(place, i) for i in ("t:code", "t:data")] == [
        key(tmp_path / "elsewhere", i) for i in ("t:code", "t:data")
    ]


@pytest.mark.parametrize("claim_id", ["t:code", "t:data"])
def test_another_version_of_a_library_makes_everything_stale(
    write: Write, monkeypatch: pytest.MonkeyPatch, claim_id: str
) -> None:
    place = write()
    found = {key(place, claim_id)}
    versions = keys.versions()
    for name in versions:
        monkeypatch.setattr(keys, "versions", lambda name=name: {**versions, name: "0"})
        found.add(key(place, claim_id))
        monkeypatch.undo()
    assert len(found) == len(versions) + 1


# ---------------------------------------------------------------------------------------------------------- every file


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, to be edited."""
    place = tmp_path / "rgm_verify"
    shutil.copytree(LIBRARY, place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


def edited(path: Path, look: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Return what `look` returns while a statement is added to a file."""
    before = path.read_bytes()
    path.write_bytes(before + b"\n_edited = 1\n")
    try:
        return look()
    finally:
        path.write_bytes(before)


def test_an_edit_of_a_file_that_judges_makes_evidence_stale_and_of_any_other_does_not(write: Write, copy: Path) -> None:
    body, imports, files = HELPERS["a helper of a helper"]
    imports += "\nfrom rgm_verify.learning.ridge import RidgeObjective"
    place = write(body, imports, other="", **{name: text.format(0) for name, text in files.items()})
    paper = load(place)
    name = claims_package(paper.folder)
    sources = Sources({"rgm_verify": copy, name: place})
    record = {"looked": ["Points", "Search", "Smt"]}
    others = set(LOOKS.values()) - {HOMES[lens] for lens in ("Points", "Identity")}
    judging = set(sources.closure(["rgm_verify.engine.judge"], without=others).values())
    judging |= set(sources.closure([HOMES["Smt"]]).values())
    closures = {"t:data": judging, "t:code": judging | set(sources.closure([f"{name}.c"]).values())}
    assert {p.relative_to(place).as_posix() for p in closures["t:code"] if p.is_relative_to(place)} == {
        "c.py", "helper.py", "pkg/other.py",
    }  # fmt: skip
    assert copy / "learning" / "ridge.py" in closures["t:code"] - closures["t:data"]
    assert {copy / f"{name}.py" for name in ("errors", "jobs/files", "jobs/fingerprint", "lenses/controls")} < judging
    assert not any("analysis" in path.parts and path.name != "__init__.py" for path in judging)

    def look() -> dict[str, str]:
        found = Keys(paper, "quick", library=copy)
        return {claim_id: found.of(claim_id) + found.looked(record) for claim_id in closures}

    before = look()
    every = [*sorted(copy.rglob("*.py")), *place.rglob("*.py")]
    # A file of each folder, and another one where it judges.
    one_a_folder = {(path.parent, path in judging): path for path in every}.values()
    for path in [*one_a_folder, *place.rglob("*.py")]:
        after = edited(path, look)
        for claim_id, closure in closures.items():
            assert (after[claim_id] != before[claim_id]) == (path in closure), (claim_id, path)
    outside = {p.relative_to(copy).parts[0] for p in every if p.is_relative_to(copy)} - {
        p.relative_to(copy).parts[0] for p in closures["t:code"] if p.is_relative_to(copy)
    }
    assert {"report", "cli"} <= outside


# ------------------------------------------------------------------------------------------------- the lenses that ran

#: Judges a claim, and prints what looked at it and the files of the library of which a function ran, not at an import.
RAN = """
import json, sys
from rgm_verify.claims import *
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses import Deduction, Premise
from rgm_verify.lenses.base import QUICK, Context
from sympy import Integral, exp, log

X, P = real("x"), positive("p")
x, p = X.symbol, P.symbol
REST = {"title": "t", "source": "s", "where": "w", "kind": "lemma"}
CLAIMS = {
    "a polynomial": Claim(id="t:a", variables=(X,), conclusion=ge(x**2 + 1, 0), **REST),
    "a logarithm": Claim(id="t:b", variables=(P,), conclusion=le(log(p), p - 1), **REST),
    "what fails at a point": Claim(id="t:c", variables=(P,), conclusion=le(exp(p), 9), **REST),
    "an integral": Claim(id="t:d", variables=(P,), conclusion=eq(Integral(x, (x, 0, p)), p**2 / 2), **REST),
    "a premise": Claim(id="t:e", variables=(P,), conclusion=ge(p**2 + 1, 0),
                       checks=(Deduction((Premise("t:a", {x: p}),)),), **REST),
}
if __name__ == "__main__":
    ran = set()
    context = Context(profile=QUICK, claims={claim.id: claim for claim in CLAIMS.values()})
    sys.setprofile(lambda frame, *_: ran.add(frame.f_code.co_filename) if frame.f_code.co_name != "<module>" else None)
    record = run_claim(CLAIMS[sys.argv[1]], context)
    sys.setprofile(None)
    print(json.dumps([record["looked"], sorted(ran)]))
"""
LOOKED = {
    "a polynomial": "Smt", "a logarithm": "Analysis", "what fails at a point": "Points",
    "an integral": "improper integrals", "a premise": "Deduction",
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKED)
def test_the_code_that_evidence_is_current_with_is_all_that_ran_to_make_it(name: str) -> None:
    shown = subprocess.run([sys.executable, "-c", RAN, name], capture_output=True, text=True, check=True).stdout
    looked, files = json.loads(shown)
    assert LOOKED[name] in looked
    assert ("Analysis" in looked) == (name in ("a logarithm", "an integral"))
    ran = {path for path in map(Path, files) if path.is_relative_to(LIBRARY)}
    assert len(ran) > 20
    sources = Sources({"rgm_verify": LIBRARY})
    covered = set(sources.closure(["rgm_verify.engine.judge"], without=keys._ASKED).values())
    covered |= set(sources.closure([LOOKS[lens] for lens in looked]).values())
    assert ran - covered == set()
    rule = LIBRARY / "lenses" / "analysis" / "rules" / "shares.py"
    assert (rule in covered) == bool({"Analysis", "improper integrals"} & set(looked))


def test_who_judges_every_claim_takes_nothing_but_classes_from_a_lens() -> None:
    """Other code of their files would run without a record that names it."""
    sources = Sources({"rgm_verify": LIBRARY})
    files = sources.closure(["rgm_verify.engine.judge"], without=keys._ASKED).values()
    taken = [(p.name, each) for p in files for each in sources._look(p).imports if each.module in keys._ASKED]
    assert len(taken) >= 3
    assert [(name, each) for name, each in taken if not each.names or not set(each.names) <= set(HOMES)] == []


def test_a_record_that_names_an_unknown_lens_is_not_current() -> None:
    found = Keys(Paper(LIBRARY, {}, {}, "t"), "quick")
    assert found.looked({"looked": ["Smt"]}) != found.looked({"looked": []}) != ""
    for unknown in (["Oracle"], 3):
        assert found.looked({"looked": unknown}) == ""
        assert not found.current({"looked": unknown, "code": ""})
    assert found.current({"looked": ["Smt"], "code": found.looked({"looked": ["Smt"]})})
    assert not found.current({"looked": ["Smt"]})
