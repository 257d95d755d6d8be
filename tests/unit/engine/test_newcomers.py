"""Mistakes in a folder of claims are said when it is loaded: the file, the claim, the field, and what to write."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rgm_verify import lenses
from rgm_verify.claims.chapter import Chapter, ChapterError, Figure, Heading, Paragraph, Series, Table
from rgm_verify.claims.claim import Chart, Claim, Hypothesis, Mutant, Step, Tightness, Variable
from rgm_verify.claims.fields import wrong_fields as faults_of
from rgm_verify.engine.store import Store
from rgm_verify.lenses.library import HOMES
from rgm_verify.lenses.measured import Where
from rgm_verify.lenses.proofs.premises import Premise
from rgm_verify.report.order import slug

ROOT = Path(__file__).resolve().parents[3]
Folder = Callable[..., Path]
Rgm = Callable[..., Result]

#: Where something of each class stands in a claim, and how a good one is written.
PLACES: dict[type, tuple[str, str]] = {
    Claim: ("good()", "A = {}"),
    Variable: ("X", "A = replace(good(), variables=({},))"),
    Hypothesis: ("Hypothesis('h', le(x, 1))", "A = replace(good(), hypotheses=({},))"),
    Mutant: ("Mutant('m', ge(x, 2))", "A = replace(good(), mutants=({},))"),
    Step: ("Step('so')", "A = replace(good(), derivation=({},))"),
    Tightness: ("Tightness(x + 1, {x: (0, 1)}, 'how much')", "A = replace(good(), tightness=({},))"),
    Chart: ("Chart({x: (0, 1)}, {x: x})", "A = replace(good(), sampling={})"),
    Premise: ("Premise('p:a')", "A = replace(good(), checks=(Deduction(({},)),))"),
    Where: ("Where('random', 'all', 'records')", "A = replace(good(), checks=(Measured(MEASURED, {{x: {}}}),))"),
    Chapter: ("Chapter('p-a', 'Title', 'What it answers', print)", "A, C = good(), {}"),
}
for lens in (getattr(lenses, name) for name in sorted(HOMES)):
    made = "Measured(MEASURED)" if lens.__name__ == "Measured" else f"{lens.__name__}()"
    PLACES[lens] = (made, "A = replace(good(), checks=({},))")
START = f"""\
from dataclasses import replace
from pathlib import Path
from rgm_verify.claims.claim import Chart, Hypothesis, Mutant, Step, Tightness
from rgm_verify.claims.chapter import Chapter
from rgm_verify.lenses.measured import Where

MEASURED = Path({str(ROOT / "derivations" / "experiments" / "measured" / "facts.json")!r})


def good():
    return claim('p:a', ge(x, 0))


"""


def wrong_fields() -> Iterator[Any]:
    for owner, (good, place) in sorted(PLACES.items(), key=lambda item: item[0].__name__):
        for field in dataclasses.fields(owner):
            for name, value in (("an object", "object()"), ("a float in a list", "[0.5]")):
                text = START + place.format(f"replace({good}, {field.name}={value})") + "\n"
                yield pytest.param(text, field.name, id=f"{owner.__name__}.{field.name}: {name}")


@pytest.mark.parametrize(("text", "field"), [*wrong_fields()])
def test_whatever_is_of_the_wrong_kind_is_said_with_file_claim_and_field(
    folder: Folder, rgm: Rgm, text: str, field: str
) -> None:
    result = rgm("list", "--claims", folder(bad=text))
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(word in result.stderr for word in ("bad.py", field)), result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("owner", PLACES, ids=lambda owner: owner.__name__)
def test_what_is_right_is_not_refused_for_its_kind(folder: Folder, owner: type) -> None:
    """The control of the test above: the texts without the mistake."""
    good, place = PLACES[owner]
    space: dict[str, Any] = {}
    exec((folder(good=START + place.format(good)) / "good.py").read_text(), space)
    assert [fault for check in space["A"].checks for fault in faults_of(check)] == []


WRONG: list[tuple[str, str, list[str]]] = [
    ("a class for a lens", "checks=(Smt,)", ["p:a", "the class Smt", "write Smt()"]),
    ("a text for a lens", "checks=('smt',)", ["p:a", "'smt'", "Smt"]),
    ("a lens without a comma", "checks=Smt()", ["p:a", "(Smt(),)"]),
    ("no title", "title=None", ["p:a", "title=None", "a text in quotes"]),
    ("a relation of SymPy's", "conclusion=x**2 >= x - 1", ["p:a", "write le(a, b)"]),
    ("a dollar sign", "statement='It is $x'", ["p:a", "statement", "a dollar sign opens a formula and none closes it"]),
    ("an open brace", "title='The $\\\\frac{1}{x$'", ["p:a", "title", "an opening brace is never closed"]),
    ("a link", "reading='$\\\\href{javascript:alert(1)}{z}$'", ["p:a", "reading", "href"]),
    ("a variable's meaning", "variables=(real('x', '$$', lower=0, upper=1),)", ["p:a", "variables[0].meaning"]),
    ("a step", "derivation=(Step('by $x_$'),)", ["p:a", "derivation[0]"]),
    ("a remark", "remark='$\\\\nocommand$'", ["p:a", "remark", "nocommand"]),
    ("a control character", "title='a\\x00b'", ["p:a", "title", "U+0000"]),
    ("half a character", "where='a\\ud800'", ["p:a", "where", "U+D800"]),
    ("a long id", "id='p:' + 'a' * 300", ["302 characters", "at most 150"]),
    ("a lens that has nothing to do", "checks=(Worlds(),)", ["p:a", "Worlds", "is missing"]),
    ("no steps", "checks=(Smt(steps=0),)", ["p:a", "Smt", "steps=0", "at least 1"]),
]


@pytest.mark.parametrize(("change", "words"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
@pytest.mark.parametrize("command", ["list", "run", "report"])
def test_a_mistake_is_said_before_anything_is_judged(
    folder: Folder, rgm: Rgm, tmp_path: Path, command: str, change: str, words: list[str]
) -> None:
    text = "from dataclasses import replace\nfrom rgm_verify.claims.claim import Step\n"
    place = folder(bad=text + f"A = replace(claim('p:a', ge(x, 0)), {change})\n")
    result = rgm(command, "--claims", place)
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(word in result.stderr for word in ("bad.py", *words)), result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["claims"]


def test_a_list_that_holds_itself_is_read_once(folder: Folder, rgm: Rgm) -> None:
    result = rgm("list", "--claims", folder(a="L = [claim('p:a', ge(x, 0))]\nL.append(L)\n"))
    assert (result.exit_code, result.stdout.split()) == (0, ["p:a", "p:a"])


def test_two_ids_never_share_a_file(folder: Folder, rgm: Rgm) -> None:
    """A colon is two hyphens in the name of a certificate and of a page."""
    result = rgm("list", "--claims", folder(a="L = [claim(i, ge(x, 0)) for i in ('p:a', 'p--a', 'p-a', 'p.a')]\n"))
    assert result.exit_code == 0
    ids = ("p:a", "p--a", "p-a", "p.a")
    assert len({slug(i).lower() for i in ids}) == len({Store(Path()).path(i, "k").name.lower() for i in ids}) == 4


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        (None, "build gave NoneType: expected a list of blocks"),
        ("text", "build gave str"),
        ([5], "int is no block of a chapter"),
        ([Heading], "StructMeta is no block"),
        ([Heading(text=None)], r"block 1 \(Heading\): Expected `str`, got `null`"),
        ([Paragraph(text="a"), Paragraph(text=["a"])], r"block 2 \(Paragraph\)"),
        ([Table(caption="c", columns=["a"], rows=[[1]])], r"block 1 \(Table\): Expected `str`, got `int`"),
        ([Table(caption="c", columns="a", rows=[["1"]])], r"block 1 \(Table\): Expected `array`"),
        ([Table(caption="c", columns=["a"], rows=[["1", "2"]])], "a row has 2 entries"),
        ([Figure(caption="c", x="x", y="y", series=[5])], r"block 1 \(Figure\)"),
        ([Figure(caption="c", x="x", y="y", series=[Series(name="s", points=[[1, 2, 3]])])], r"block 1 \(Figure\)"),
        ([Figure(caption="c", x="x", y="y", series=[], log_x="yes")], r"block 1 \(Figure\): Expected `bool`"),
        ([Paragraph(text=object())], r"block 1 \(Paragraph\)"),
    ],
)
def test_what_a_chapter_builds_is_looked_at_block_by_block(blocks: Any, words: str) -> None:
    with pytest.raises(ChapterError, match=words):
        Chapter("c", "Title", "text", lambda _: blocks).blocks("quick")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": "A b"}, "small letters"),
        ({"id": "a" * 101}, "at most 100"),
        ({"title": None}, "title=None: expected a text in quotes"),
        ({"build": "build"}, "build='build': expected a function"),
        ({"reads": "f"}, "reads='f': expected a tuple"),
        ({"reads": ("f",)}, r"reads\[0\]='f': expected a Path"),
    ],
)
def test_a_chapter_of_the_wrong_kind_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ChapterError, match=words):
        Chapter(**{"id": "c", "title": "Title", "summary": "text", "build": list, **changes})


@pytest.mark.parametrize("field", ["title", "summary"])
def test_bad_formulas_of_a_chapter_are_said_on_load(folder: Folder, rgm: Rgm, field: str) -> None:
    words = {"title": "Title", "summary": "text", field: "a $ alone"}
    text = "from rgm_verify.claims.chapter import Chapter\nA = claim('p:a', ge(x, 0))\n"
    place = folder(bad=text + f"C = Chapter('c', {words['title']!r}, {words['summary']!r}, list)\n")
    result = rgm("run", "--claims", place)
    assert (result.exit_code, "bad.py: chapter c: " + field in result.stderr) == (2, True)
