"""The theorems by hand: Coq accepts them with the axioms of its reals alone, and none that says something false."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rgm_verify.coq.by_hand import read_by_hand, recorded
from rgm_verify.coq.compiling import AXIOMS, axioms, compile_files

CLAIMS = Path(__file__).resolve().parents[3] / "derivations"
pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed: no program coqc")

#: What is false, in which file, and which words of it become which.
FALSE = {
    "alpha dropped from Lemma 2": ("Lemma2", "    (alpha * dist2 mu1 mu2 /", "    (dist2 mu1 mu2 /"),
    "the dimension dropped from Lemma 2": (
        "Lemma2",
        "     INR d / (alpha - 1) *\n       ln (Rpower sigma1",
        "     1 / (alpha - 1) *\n       ln (Rpower sigma1",
    ),
    "a finite divergence called infinite": ("Lemma2", "v1 <= 0 -> ~ renyi", "v1 <= 1 -> ~ renyi"),
    "the sign of a logarithm in the curve": ("Curve", "- ln (1 + eta)).\nEnd", "+ ln (1 + eta)).\nEnd"),
    "a larger least upper bound": (
        "Curve",
        "(curve eta gamma d alpha).\nProof.\n  intros Pos",
        "(curve eta gamma d alpha + 1).\nProof.\n  intros Pos",
    ),
    "Theorem 1 without rho": ("Theorem1", "/ (1 - eta * (alpha - 1) * (2 + eta)))).\nProof", "/ 1)).\nProof"),
    "half of the closed bound's second term": (
        "Theorem1",
        "/ (2 * (1 + eta)))).\nProof",
        "/ (4 * (1 + eta)))).\nProof",
    ),
    "half of a conversion": ("Privacy", "/ (alpha - 1)) delta.", "/ (2 * (alpha - 1))) delta."),
    "one root in Corollary 1": ("Corollary1", "+ 2 * sqrt (chi d eta gamma", "+ sqrt (chi d eta gamma"),
    "a factor of three": ("Noise", "(dist2 y z) <= 4 * v.", "(dist2 y z) <= 3 * v."),
    "no factor": ("Noise", "<= 4 * alpha / (4 * alpha - 3) * v.", "<= v."),
    "a refutation of the right Theorem 1": (
        "Refuted",
        "+ gamma * INR d * (2 + eta) ^ 2)).",
        "+ gamma * INR d * (2 + eta) ^ 2 / (1 - eta * (alpha - 1) * (2 + eta)))).",
    ),
    "a refutation of Theorem 2 with the dimension": ("Refuted", "+ tau * sigma2 / mu.", "+ INR d * tau * sigma2 / mu."),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The theorems, compiled."""
    place = tmp_path_factory.mktemp("by_hand")
    for name, text in read_by_hand(CLAIMS).written().items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    found = compile_files(place, jobs=1, seconds=600, memory=8 << 30)
    assert not found.refused
    assert not found.failed
    assert axioms(found.said["assumptions_by_hand.v"]) <= AXIOMS
    return place


def test_what_is_recorded_is_what_coq_accepts(folder: Path) -> None:
    assert folder
    assert recorded(CLAIMS, read_by_hand(CLAIMS)) is not None


def test_an_axiom_of_any_theorem_is_seen(tmp_path: Path) -> None:
    (tmp_path / "coq").mkdir()
    mine = "(* proves: p:a *)\nTheorem plain : True.\nProof. exact I. Qed.\nAxiom cheat : 0 = 1.\n"
    mine += "(* proves: p:b *)\nTheorem second : 0 = 1.\nProof. exact cheat. Qed.\n"
    (tmp_path / "coq" / "Mine.v").write_text(mine)
    for name, text in read_by_hand(tmp_path).written().items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_text(text)
    found = compile_files(tmp_path / "out", jobs=1, seconds=600, memory=8 << 30)
    assert {name.rpartition(".")[2] for name in axioms(found.said["assumptions_by_hand.v"])} == {"cheat"}


@pytest.mark.parametrize("name", FALSE)
def test_no_false_statement_is_accepted_with_the_old_proof(folder: Path, name: str) -> None:
    module, old, new = FALSE[name]
    text = (folder / "by_hand" / f"{module}.v").read_text()
    assert text.count(old) == 1
    (folder / "False.v").write_text(text.replace(old, new))
    said = subprocess.run(
        ["coqc", "-q", "-w", "none", "-Q", "by_hand", "RgmByHand", "False.v"],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert said.returncode == 1
    assert "Error" in said.stderr
