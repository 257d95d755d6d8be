"""The foundations of a claim: steps, conditions of quoted theorems, what justifies a hypothesis, premises."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from rgm_verify.claims import Claim, ClaimError, Hypothesis, Mutant, Step, Theorem, TheoremError, ge, positive
from rgm_verify.claims.claim import collect
from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger
from rgm_verify.engine.discovery import Paper, load, rests_on
from rgm_verify.engine.outcome.assemble import assemble
from rgm_verify.engine.paper_file import ClaimsFolderError
from rgm_verify.engine.run import judge_one
from rgm_verify.lenses import Deduction, Premise

X = positive("x")
x = X.symbol
FUBINI = Theorem(
    "fubini", "Fubini's theorem", "The order of integration may change.", {"integrable": "It is finite."}, "Rudin, 8.8"
)


def claim(**changes: object) -> Claim:
    fields: dict[str, object] = {
        "id": "t:a", "title": "a", "source": "t", "where": "1", "kind": "inequality", "variables": (X,),
        "conclusion": ge(x + 1, 1), "mutants": (Mutant("two", ge(x, 1)),),
    }  # fmt: skip
    return Claim(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_claim_rests_on_steps_conditions_justified_hypotheses_and_premises() -> None:
    found = rests_on(
        claim(
            derivation=(
                Step("One.", "t:one"),
                Step(claim="t:two"),
                Step("Three.", theorem=FUBINI, met={"integrable": "t:three"}),
                Step("A sentence."),
                Step("Again.", "t:one"),
            ),
            hypotheses=(Hypothesis("h", ge(x, 0), "§1", by=("t:four",)),),
            checks=(Deduction((Premise("t:five"),)),),
        )
    )
    assert found == ("t:one", "t:two", "t:three", "t:four", "t:five")


def test_a_sentence_that_meets_a_condition_is_no_claim() -> None:
    step = Step("Swap.", theorem=FUBINI, met={"integrable": "The integrand is at most exp(-x)."})
    assert rests_on(claim(derivation=(step,))) == ()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Step("s", theorem=FUBINI), "without its condition 'integrable'"),
        (lambda: Step("s", theorem=FUBINI, met={"integrable": " "}), "without its condition 'integrable'"),
        (lambda: Step("s", theorem=FUBINI, met={"integrable": "t:a", "compact": "t:b"}), "'compact', which is no"),
        (lambda: Step("s", met={"integrable": "t:a"}), "only a step that quotes a theorem"),
        (lambda: Step(), "says nothing"),
        (lambda: Step("s", theorem="fubini"), "theorem='fubini'"),
        (lambda: claim(scope="core"), "says in `missing`"),
        (lambda: claim(scope="instance", missing=" "), "says in `missing`"),
        (lambda: claim(missing="the rest"), "a statement leaves out nothing"),
        (lambda: claim(scope="half", missing="the rest"), "scope='half'"),
        (lambda: claim(hypotheses=(Hypothesis("h", ge(x, 0), by="t:b"),)), "by"),
    ],
)
def test_what_is_not_complete_is_refused(make: object, words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "Fubini"}, "lower-case"),
        ({"name": ""}, "name is empty"),
        ({"reference": " "}, "reference is empty"),
        ({"conditions": {"a": ""}}, r"conditions\['a'\] is empty"),
        ({"conditions": ("a",)}, "conditions="),
    ],
)
def test_a_theorem_has_a_name_a_statement_conditions_and_a_reference(change: dict[str, object], words: str) -> None:
    fields: dict[str, object] = {"id": "f", "name": "F", "statement": "s", "conditions": {}, "reference": "r"}
    with pytest.raises(TheoremError, match=words):
        Theorem(**{**fields, **change})  # type: ignore[arg-type]


def test_what_a_claim_carries_is_no_part_of_its_signature_but_its_hypotheses_are() -> None:
    """Scope and steps change no evidence; verdicts are computed from them when the ledger is put together."""
    before = claim().signature()
    assert claim(scope="core", missing="the rest", derivation=(Step("s", "t:b"),)).signature() == before
    assert collect([claim()])[0].signature() == before


HEAD = """
    from rgm_verify.claims import Claim, Hypothesis, Mutant, Step, Theorem, ge, le, positive
    from rgm_verify.lenses import Smt
    X = positive("x")
    x = X.symbol
    F = Theorem("fubini", "Fubini's theorem", "Swap.", {"integrable": "It is finite."}, "Rudin, 8.8")
    def claim(name, conclusion=ge(x + 1, 1), mutants=(Mutant("two", ge(x, 1)),), **more):
        return Claim(id="t:" + name, title=name, source="t", where="1", kind="inequality", variables=(X,),
                     conclusion=conclusion, mutants=mutants, checks=(Smt(),), **more)
"""


def paper(folder: Path, text: str) -> Paper:
    (folder / "page.py").write_text(dedent(HEAD) + dedent(text))
    return load(folder)


def ledger(found: Paper) -> tuple[Ledger, dict[str, ClaimEntry]]:
    records = {name: judge_one(str(found.folder), name, "quick") for name in found.claims}
    made, _ = assemble(found, records, "quick")
    return made, {entry.id: entry for entry in made.claims}


def test_verdicts_fall_along_every_way_of_resting_on_a_claim(tmp_path: Path) -> None:
    _, entries = ledger(
        paper(
            tmp_path,
            """
            weak = claim("weak", mutants=(Mutant("true as well", ge(x + 2, 1)),))
            false = claim("false", le(x, 1))
            step = claim("step", derivation=(Step("See there.", "t:weak"),))
            far = claim("far", derivation=(Step(claim="t:step"),))
            met = claim("met", derivation=(Step("Swap.", theorem=F, met={"integrable": "t:false"}),))
            given = claim("given", hypotheses=(Hypothesis("h", ge(x, 0), by=("t:weak",)),))
            free = claim("free")
            also_false = claim("also-false", le(x, 2), derivation=(Step(claim="t:weak"),))
            """,
        )
    )
    found = {name.removeprefix("t:"): entry.verdict for name, entry in entries.items()}
    assert found == {
        "weak": "supported", "false": "refuted", "step": "supported", "far": "supported", "met": "undecided",
        "given": "supported", "free": "proved", "also-false": "refuted",
    }  # fmt: skip
    assert "t:weak, which is only supported" in entries["t:step"].reason
    assert entries["t:weak"].leaned_on_by == ["t:step", "t:given", "t:also-false"]


def test_a_quoted_theorem_is_said_wherever_something_rests_on_it(tmp_path: Path) -> None:
    made, entries = ledger(
        paper(
            tmp_path,
            """
            near = claim("near", derivation=(Step("Swap.", theorem=F, met={"integrable": "Continuous on a box."}),))
            far = claim("far", derivation=(Step(claim="t:near"),))
            free = claim("free")
            """,
        )
    )
    assert {name: entry.theorems for name, entry in entries.items()} == {
        "t:near": ["fubini"], "t:far": ["fubini"], "t:free": [],
    }  # fmt: skip
    assert [(t.id, t.leaned_on_by) for t in made.theorems] == [("fubini", ["t:near"])]
    assert entries["t:near"].verdict == "proved"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = claim('a', derivation=(Step('s', 't:b'),))", "unknown claim 't:b'"),
        ("a = claim('a', derivation=(Step('s', theorem=F, met={'integrable': 't:b'}),))", "unknown claim 't:b'"),
        ("a = claim('a', hypotheses=(Hypothesis('h', ge(x, 0), by=('t:b',)),))", "unknown claim 't:b'"),
        (
            "a = claim('a', derivation=(Step('s', 't:b'),))\nb = claim('b', hypotheses=(Hypothesis('h', ge(x, 0), "
            "by=('t:a',)),))",
            "in a circle",
        ),
        (
            "G = Theorem('fubini', 'Another', 'Swap.', {}, 'R')\na = claim('a', derivation=(Step('s', theorem=G), "
            "Step('s', theorem=F, met={'integrable': 'Yes, it is.'})))",
            "another theorem 'fubini'",
        ),
    ],
)
def test_a_folder_whose_references_lead_nowhere_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ClaimsFolderError, match=words):
        paper(tmp_path, text)


def test_the_scope_of_an_entry_is_the_least_of_its_claims(tmp_path: Path) -> None:
    made, _ = ledger(
        paper(
            tmp_path,
            """
            whole = claim("whole", refs=("T1", "T2", "T3"))
            core = claim("core", refs=("T2", "T3"), scope="core", missing="The reduction to one dimension.")
            small = claim("small", refs=("T3",), scope="instance", missing="Two records.")
            """,
        )
    )
    assert {entry.id: entry.scope for entry in made.entries} == {"T1": "statement", "T2": "core", "T3": "instance"}
    assert [entry.missing for entry in made.claims] == ["", "The reduction to one dimension.", "Two records."]


def test_a_refuted_case_refutes_all_of_a_statement_and_a_refuted_core_does_not(tmp_path: Path) -> None:
    made, _ = ledger(
        paper(
            tmp_path,
            """
            false = le(x + 1, 0)
            case = claim("case", refs=("T1",), scope="instance", missing="Two records.", conclusion=false)
            core = claim("core", refs=("T2",), scope="core", missing="The reduction.", conclusion=false)
            """,
        )
    )
    assert {entry.id: (entry.verdict, entry.scope) for entry in made.entries} == {
        "T1": ("refuted", "statement"),
        "T2": ("refuted", "core"),
    }
    assert [entry.scope for entry in made.claims] == ["instance", "core"]
