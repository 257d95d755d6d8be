"""The theorems of Coq by hand of this repository: they stand for claims that exist, and admit nothing."""

from __future__ import annotations

import re
from pathlib import Path

from rgm_verify.coq.by_hand import read_by_hand, recorded
from rgm_verify.engine.outcome.expected import read

CLAIMS = Path(__file__).resolve().parents[3] / "derivations"
BY_HAND = read_by_hand(CLAIMS)


def test_each_theorem_stands_for_claims_with_its_verdict() -> None:
    verdicts, _ = read(CLAIMS)
    assert verdicts is not None
    for theorem in BY_HAND.theorems:
        for claim in theorem.claims:
            assert verdicts.get(claim) == ("refuted" if theorem.refutes else "proved"), theorem.name


def test_coq_has_accepted_the_files_as_they_are() -> None:
    assert recorded(CLAIMS, BY_HAND) is not None, "run: rgm-verify prove --coq build/coq rgm:lemma-2"


def test_a_theorem_says_all_that_it_assumes() -> None:
    # What a section assumes would not be shown with the theorem.
    for text in BY_HAND.files.values():
        for section in re.findall(r"^Section (\w+)\.$", text, re.MULTILINE):
            inside = text[text.index(f"Section {section}.") : text.index(f"End {section}.")]
            assert "\nTheorem " not in inside, section


def test_the_files_admit_nothing_and_are_read_in_an_hour() -> None:
    for text in BY_HAND.files.values():
        words = ("Admitted", "admit.", "Axiom", "Parameter", "Unset ", "bypass_check", "Conjecture")
        assert not any(word in text for word in words)
        assert max(map(len, text.splitlines())) <= 120
    assert sum(len(text.splitlines()) for text in BY_HAND.files.values()) <= 1620
