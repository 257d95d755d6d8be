"""The checker in Coq: what it accepts rests on Coq's real numbers alone, and no false neighbour of it is accepted.

The session `coq` runs these, and asks Coq about all proofs; here it is a sample of them.
"""

from __future__ import annotations

import copy
import itertools
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.coq.certificates import Certificate, certificate, data, record
from rgm_verify.coq.compiling import AXIOMS, axioms, compile_files
from rgm_verify.coq.pages import FOLDERS, identifier, make_pages, write_pages
from rgm_verify.coq.trees import Unsupported, lift, statement_of
from rgm_verify.engine.kept_proofs import all_proofs
from rgm_verify.kernel.check import FORMAT, check, plain
from rgm_verify.kernel.terms import Refused

CLAIMS = Path(__file__).resolve().parents[3] / "derivations"
MEMORY = 8 << 30
#: One document in so many; 1 takes all of them.
EVERY = int(os.environ.get("RGM_VERIFY_COQ_EVERY", "16"))
NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed: no program coqc")

x = ["var", "x"]
SQUARE = {
    "format": FORMAT, "claim": "p:square",
    "statement": {"quantifier": "forall", "variables": [["x", "real", []]], "hypotheses": [],
                  "conclusion": [">=", ["pow", x, "2"], "0"]},
    "premises": {}, "names": [x], "witness": {}, "proof": [["sum", [["1", [], [[["1", 0, 1]]]]], []], ["end", 0]],
}  # fmt: skip


def documents() -> dict[str, Any]:
    """Return a sample of the kept proofs, those that the theory has rules for."""
    kept = all_proofs(CLAIMS)
    found = {}
    for claim in sorted(kept)[::EVERY]:
        try:
            found[claim] = (kept[claim], certificate(kept[claim]))
        except Unsupported:
            continue
    return found


@pytest.fixture(scope="module")
def sample() -> dict[str, Any]:
    """Documents with their certificates."""
    return documents()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sample: dict[str, Any]) -> Path:
    """The theory, and a page of the sample, compiled."""
    place = tmp_path_factory.mktemp("coq")
    pages = make_pages({"sample": {claim: document for claim, (document, _) in sample.items()}})
    write_pages(pages, place)
    found = compile_files(place, jobs=2, seconds=600, memory=MEMORY)
    assert not found.refused
    assert not found.failed
    assert axioms(found.said["assumptions_plain.v"]) <= AXIOMS
    assert pages.theorems["sample"]
    return place


def asked(folder: Path, name: str, text: str) -> subprocess.CompletedProcess[str]:
    """Return what Coq says of a file."""
    (folder / name).write_text(text)
    options = [word for part, logical in FOLDERS.items() for word in ("-Q", part, logical)]
    return subprocess.run(
        ["coqc", "-q", "-w", "none", *options, name],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def relations(tree: Any) -> Iterator[Any]:
    """Yield the relations in a formula, to be changed in place."""
    if isinstance(tree, list) and tree:
        if tree[0] in NEGATED:
            yield tree
        else:
            for part in tree[1:]:
                yield from relations(part)


def literals(tree: Any) -> Iterator[tuple[list[Any], int]]:
    """Yield the places of numbers in a formula, but for variables and exponents."""
    if isinstance(tree, list) and tree and tree[0] != "var":
        for place, part in enumerate(tree[1:], 1):
            if not isinstance(part, str):
                yield from literals(part)
            elif place == 1 or tree[0] not in ("pow", "derivative", "at") or (tree[0] == "at" and place == 3):
                yield tree, place


def derivatives(tree: Any) -> Iterator[list[Any]]:
    """Yield the derivatives in a formula, to be changed in place."""
    if isinstance(tree, list) and tree:
        if tree[0] == "derivative":
            yield tree
        for part in tree[1:]:
            yield from derivatives(part)


def mutants(document: Any, other: Any, draw: random.Random) -> Iterator[tuple[str, Any]]:
    """Yield false or unproved neighbours of a document, by kind, with the old proof."""

    def changed() -> Any:
        return copy.deepcopy(document)

    new = changed()
    relation = draw.choice(list(relations(new["statement"]["conclusion"])))
    relation[0] = NEGATED[relation[0]]
    yield "turned relation", new
    new = changed()
    if places := list(literals(new["statement"]["conclusion"])):
        tree, place = draw.choice(places)
        top, _, low = tree[place].partition("/")
        tree[place] = f"{int(top) + draw.choice((-1, 1)) * 7}" + (f"/{low}" if low else "")
        yield "coefficient", new
    for index in range(len(list(derivatives(document["statement"]["conclusion"])))):
        new = changed()
        slope = list(derivatives(new["statement"]["conclusion"]))[index]
        slope[3] = str(int(slope[3]) + 1)
        yield "order of a derivative", new
        new = changed()
        slope = list(derivatives(new["statement"]["conclusion"]))[index]
        slope[1] = ["add", slope[1], ["mul", ["var", slope[2]], ["var", slope[2]]]]
        yield "function of a derivative", new
    for index in range(len(document["statement"]["hypotheses"])):
        new = changed()
        del new["statement"]["hypotheses"][index]
        yield "dropped hypothesis", new
    for index, (_, kind, domain) in enumerate(document["statement"]["variables"]):
        if domain:
            new = changed()
            new["statement"]["variables"][index][2] = domain[1:]
            yield "domain", new
        if kind == "integer":
            new = changed()
            new["statement"]["variables"][index][1] = "real"
            yield "domain", new
    for name in document["premises"]:
        new = changed()
        relation = draw.choice(list(relations(new["premises"][name]["conclusion"])))
        relation[0] = NEGATED[relation[0]]
        yield "premise", new
    for first, second in itertools.combinations(document["premises"], 2):
        new = changed()
        kept = document["premises"]
        new["premises"] |= {first: copy.deepcopy(kept[second]), second: copy.deepcopy(kept[first])}
        yield "swapped premises", new
    new = changed()
    new["statement"] = copy.deepcopy(other["statement"])
    yield "another statement", new


def refused_by_the_kernel(document: Any) -> bool:
    """Return whether the kernel refuses: where it accepts, the mutant happens to be proved too."""
    try:
        check(document)
    except Refused:
        return True
    return False


def of_coq(mutant: Any, old: Certificate) -> tuple[str, str] | None:
    """Return the statement and the premises of a mutant as data, None where it has no form in the theory."""
    numbers = {name: number for number, name in enumerate(old.names, 1)}

    def variable(name: str) -> int:
        return numbers.setdefault(name, len(numbers) + 1)

    try:
        stated = record(statement_of(plain(mutant["statement"]), variable, lift(mutant["statement"])))
        needed = [
            record(s if name is None else statement_of(plain(mutant["premises"][name]), variable))
            for name, s in old.needed
        ]
    except (Refused, Unsupported):
        return None
    return stated, data(needed)


def test_no_mutant_is_accepted_with_the_old_proof(folder: Path, sample: dict[str, Any]) -> None:
    draw = random.Random(20261129)
    kept = list(sample.items())
    kinds: list[str] = []
    lines = [
        "From Rgm Require Import Reading.",
        "From RgmCertificates Require Import sample.",
        "Open Scope positive_scope.",
        "Definition other c s n := {| needed := n; atoms := atoms c; claimed := s; witness := witness c;",
        "  formulas := formulas c; steps := steps c |}.",
    ]
    for index, (claim, (document, old)) in enumerate(kept):
        another = kept[(index + 1) % len(kept)][1][0]
        for kind, mutant in mutants(document, another, draw):
            told = of_coq(mutant, old) if refused_by_the_kernel(mutant) else None
            if told is not None:
                lines.append(
                    f"Eval vm_compute in ({len(kinds)}%nat, accepts (other {identifier(claim)} {told[0]} {told[1]}))."
                )
                kinds.append(f"{kind} of {claim}")
    # The control: with their own statements they are accepted.
    lines += [f"Eval vm_compute in (9%nat, negb (accepts {identifier(claim)}))." for claim in sample]
    said = asked(folder, "mutants.v", "\n".join(lines) + "\n")
    assert said.returncode == 0, said.stderr[-500:]
    answers = re.findall(r"= \((\d+)%nat, (true|false)\)", " ".join(said.stdout.split()))
    assert len(answers) == len(kinds) + len(sample)
    assert [kinds[int(i)] for i, answer in answers[: len(kinds)] if answer == "true"] == []
    assert {answer for _, answer in answers[len(kinds) :]} == {"false"}
    assert len(kinds) > 2 * len(sample)


def test_the_text_of_a_page_is_what_its_certificate_proves(folder: Path) -> None:
    found = make_pages({"square": {"p:square": SQUARE}})
    (folder / "certificates" / "square.v").write_text(found.files["certificates/square.v"])
    assert asked(folder, "certificates/square.v", found.files["certificates/square.v"]).returncode == 0
    page = found.files["pages/square.v"]
    assert asked(folder, "pages/right.v", page).returncode == 0
    for false in ("x ^ 2 > 0", "x ^ 3 >= 0", "x ^ 2 >= 1", "0 >= x ^ 2"):
        said = asked(folder, "pages/wrong.v", page.replace("x ^ 2 >= 0", false))
        assert said.returncode == 1
        assert "Error" in said.stderr


def test_the_number_of_a_fact_that_is_not_there_names_none(folder: Path) -> None:
    # With another one in its place a proof would go on where the kernel refuses: what it shows is true, but not asked.
    said = asked(
        folder, "pages/fact.v",
        "From Rgm Require Import Reading.\n"
        "Goal fact [FTrue; FFalse] 0 = Some FFalse /\\ fact [FTrue; FFalse] 1 = Some FTrue /\\\n"
        "  fact [FTrue; FFalse] 2 = None /\\ fact [] 0 = None.\nProof. repeat split. Qed.\n",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr


def test_a_real_power_does_not_say_that_its_base_is_positive(folder: Path) -> None:
    # 0^1 is 0: the hypothesis x^y >= 0 holds at x = 0, so that x > 0 does not follow from it.
    said = asked(
        folder, "pages/power.v",
        "From Rgm Require Import Reading.\nOpen Scope R_scope.\n"
        "Goal all (fun _ => 0) (granted (TRel Ge (TPower false (TV 1) (TZ 1)) (TZ 0))).\n"
        "Proof. cbn. unfold power. destruct (Rlt_dec 0 0); [lra|]. repeat split; try (right; split; lra).\n"
        "destruct (Req_EM_T _ _); [|lra]. change 1 with (IZR 1). rewrite Int_part_IZR. simpl. lra. Qed.\n",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
