"""`rgm-verify replay` without a file: what is committed is checked again, and what was changed is rejected."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rgm_verify import cli
from rgm_verify.engine.committed import COUNTEREXAMPLE, PROOF, REGION, Again, Verdicts, standing

ROOT = Path(__file__).resolve().parents[3]
CLAIMS = """\
from rgm_verify.claims import *
X = real("x", lower=0, upper=1)
FALSE = Claim(id="p:false", title="t", source="s", where="w", kind="lemma", variables=(X,), conclusion=lt(X.symbol, 1),
              category="false")
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A small folder: proofs of one file, a counterexample in the ledger, and a region certificate."""
    kept = json.loads((ROOT / "derivations" / "proofs" / "rgm" / "appendix_a" / "lemma_2.json").read_text())
    pages = json.loads((ROOT / "reports" / "ledger" / "rgm" / "appendix_a" / "lemma_2.py.json").read_text())["claims"]
    claims = [page for page in pages if page["id"] in kept["proofs"]]
    assert [claim["verdict"] for claim in claims] == ["proved"] * 3
    witness = {"values": {"x": "1"}, "margin": ["0", "0"], "relation": "x >= 1", "python": ["x", ">=", "1"]}
    claims += [{"id": "p:false", "verdict": "refuted", "witness": witness}]
    claims += [{"id": "rgm:a4-expansion", "verdict": "certified", "witness": None}]
    claims += [{"id": "p:weak", "verdict": "supported", "witness": None}]
    write(tmp_path / "claims" / "proofs" / "a.json", kept)
    write(tmp_path / "report" / "ledger" / "a.py.json", {"claims": claims})
    shutil.copytree(ROOT / "reports" / "certificates", tmp_path / "report" / "certificates")
    return tmp_path


def write(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def replay(place: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str]:
    from rgm_verify.cli.judging import folders

    monkeypatch.setattr(folders, "default_claims", lambda: place / "claims")
    result = CliRunner().invoke(cli.main, ["replay", "--report", str(place / "report"), *words])
    return result.exit_code, result.output


def test_everything_that_is_committed_is_accepted_and_counted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = replay(place, monkeypatch)
    assert code == 0
    assert [line.partition(", up to")[0] for line in said.splitlines()[:5]] == [
        "3 of 3 kernel proofs accepted",
        "1 of 1 counterexamples fail as stated",
        "1 of 1 region certificates accepted",
        "3 of 3 proofs state what their pages show",
        "5 of 6 claims stand on this alone: 3 proved, 1 refuted, 1 certified",
    ]
    answer = json.loads(replay(place, monkeypatch, "--json")[1])
    assert (answer["claims"], len(answer["stand_on_this_alone"]), answer["rejected"]) == (6, 5, [])


def edit(place: Path, name: str, change: Callable[[Any], None]) -> None:
    path = place / name
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def other_statement(data: Any) -> None:
    proof = next(iter(data["proofs"].values()))
    proof["statement"]["conclusion"] = ["<", "0", "0"]


def other_name(data: Any) -> None:
    first, second, *_ = data["proofs"]
    data["proofs"][first] = data["proofs"][second]


CHANGED: dict[str, tuple[str, Callable[[Any], None], str]] = {
    "a statement": ("claims/proofs/a.json", other_statement, "kernel proof"),
    "the name of a proof": ("claims/proofs/a.json", other_name, "bears the name"),
    "what a page shows": (
        "report/ledger/a.py.json",
        lambda data: data["claims"][0].update(formula=data["claims"][0]["formula"].replace("=", r"\ge", 1)),
        "its page shows another statement: the conclusion is another one",
    ),
    "a counterexample": (
        "report/ledger/a.py.json", lambda data: data["claims"][3]["witness"]["values"].update(x="1/2"), "p:false",
    ),
    "a counterexample without sides": (
        "report/ledger/a.py.json", lambda data: data["claims"][3]["witness"].update(python=["Fraction(1)"]), "p:false",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGED)
def test_what_was_changed_is_rejected_and_the_rest_is_answered(
    place: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    name, change, words = CHANGED[what]
    edit(place, name, change)
    code, said = replay(place, monkeypatch)
    assert code == 1
    assert words in said.splitlines()[0]
    assert said.startswith("rejected: ")
    assert "4 of 6 claims stand on this alone" in said


def test_a_damaged_certificate_and_a_damaged_file_of_proofs_cost_themselves_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "claims" / "proofs" / "b.json").write_text("{")
    (certificate,) = (place / "report" / "certificates").glob("*.json")
    certificate.write_bytes(certificate.read_bytes()[:-40])
    code, said = replay(place, monkeypatch)
    assert code == 1
    assert [line.split(" (")[0] for line in said.splitlines()[:2]] == [
        "rejected: b.json",
        f"rejected: {certificate.name}",
    ]
    assert "4 of 6 claims stand on this alone: 3 proved, 1 refuted, 0 certified" in said


def test_without_a_report_there_is_nothing_to_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = replay(tmp_path, monkeypatch)
    assert (code, "no ledger is there" in said) == (2, True)


def test_proofs_are_compared_with_the_claims_that_are_given(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "claims" / "a.py").write_text(CLAIMS)
    code, said = replay(place, monkeypatch, "--claims", str(place / "claims"))
    assert code == 1
    assert "has no claim of this name" in said
    assert "2 of 6 claims stand on this alone: 0 proved, 1 refuted, 1 certified" in said


def test_a_claim_stands_only_with_the_claims_that_its_proof_uses() -> None:
    verdicts = Verdicts({"a": "proved", "b": "proved", "c": "proved", "d": "refuted", "e": "proved"}, {})
    found = [
        Again(PROOF, "a"), Again(PROOF, "b", "", ("a",)), Again(PROOF, "c", "", ("b", "e")), Again(PROOF, "e", "no"),
        Again(COUNTEREXAMPLE, "d"), Again(REGION, "d"),
    ]  # fmt: skip
    assert standing(found, verdicts) == {"a": PROOF, "b": PROOF, "d": COUNTEREXAMPLE}
    assert standing([Again(PROOF, "b", "", ("d",)), Again(COUNTEREXAMPLE, "d")], verdicts) == {"d": COUNTEREXAMPLE}


def test_it_takes_no_solver_and_no_algebra(place: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from rgm_verify.engine.committed import *\n"
        f"place = Path({str(place)!r}); verdicts = read_verdicts(place / 'report' / 'ledger')\n"
        "found = list(check_again(place / 'claims', verdicts, place / 'report' / 'certificates', 60))\n"
        "from rgm_verify.statements.readback.compare import all_compared\n"
        "found += [p for p in all_compared(place / 'claims', place / 'report' / 'ledger') if p.outcome == 'agrees']\n"
        "print(len(found), sorted({'sympy', 'z3', 'cvc5', 'numpy', 'scipy', 'mpmath'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "8 []\n"
