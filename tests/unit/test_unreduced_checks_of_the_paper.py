"""Claims about a divergence, a privacy loss or a guarantee of the mechanism: each is integrated and released.

Derived by what a claim is about. A claim belongs here if its kind asserts something of the mechanism and its id names a
divergence, a loss or a guarantee; what is about the formulas alone (an elementary inequality, a step between two
expressions) does not.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rgm_verify.claims.claim import Claim
from rgm_verify.engine.discovery import load
from rgm_verify.lenses import Released, Unreduced

ROOT = Path(__file__).parents[2]

#: Patterns of whole ids.
ABOUT = (
    r"rgm:lemma-2",
    r"rgm:a2-equal-scales",
    r"rgm-v\d:theorem-1(-order-1)?",
    r"rgm:first-term-tight",
    r"rgm:a4-first-term-attained",
    r"rgm:a4-(expansion|log-term-of-shift)",
    r"beyond:log-term-remainder",
    r"rgm-v\d:a4-half-in-the-limit",
    r"rgm-v\d:s4-tightness",
    r"rgm-v\d:corollary-1",
    r"(rgm-v\d|beyond):a5-converted-bound(-restricted)?",
    r"rgm-v\d:equation-6",
    r"rgm-v\d:tcdp",
    r"beyond:tcdp(-halved|-of-pairs)?",
    r"rgm-v\d:proposition-4",
    r"beyond:gss-in-many-dimensions",
    r"rgm-v\d:a6-(gss-guarantee|every-dimension)",
    r"rgm:s4-conversion",
    r"beyond:improved-conversion",
    r"beyond:exact-renyi-.*",
    r"beyond:exact-log-term",
    r"beyond:main-term",
    r"beyond:closed-bound",
    r"beyond:composition-.*",
    r"beyond:cumulant(-renyi|-duality|-from-the-loss-law)?",
    r"beyond:loss-mean-variance",
    r"beyond:renyi-monotone-in-distance",
    r"beyond:hockey-stick-(monotone-in-distance|equal-variances)",
    r"beyond:wide-first-hockey-stick",
    r"beyond:variance-ends",
    r"beyond:larger-variance-is-worse",
    r"beyond:rays-of-pairs",
    r"beyond:outputs-farther-out",
    r"beyond:other-outputs-reach-the-full-distance",
    r"beyond:pairs-at-full-distance",
    r"rgm:lemma-1(-upper)?",
    r"rgm:a3-main-term",
    r"beyond:log-term-supremum",
    r"rgm-v2:conversion-by-tcdp",
    r"beyond:gaussian-composition",
    r"beyond:hockey-stick-of-two-steps",
    r"beyond:wide-first-in-one-dimension",
    r"beyond:renyi-at-the-extreme-pair",
)
#: Kinds that assert something of the mechanism, and words in the id that say of what.
ASSERTING = ("theorem", "corollary", "proposition")
OF_A_LAW = re.compile(
    r"theorem-1|corollary-1|equation-6|tcdp|gss|renyi|hockey-stick|closed-bound|conversion|converted-bound|cumulant|guarantee"
)
#: Of those, what the two checks cannot look at yet or need not, and why.
ELSEWHERE = {
    "rgm-v1:a5-optimised-guarantee": "refuted by a test on the radius, whose probabilities stand in the claim",
    "rgm-v2:a6-tcdp-from-theorem-1": "about version 2's printed bound, not about a divergence",
    "beyond:corollary-1-without-baseline": "refuted: a pair without baseline noise has an infinite divergence",
}
#: Claims of other kinds whose subject is near to a law, and why no quantity of outputs is in them.
NOT_OF_A_LAW = {
    "rgm-v2:epsilon-by-tcdp": "holds for every L, also where the order is out of range and its epsilon no guarantee",
    "rgm:lemma-1-ratio": "the quotient of rgm:lemma-1, which is integrated and released",
}


@pytest.fixture(scope="module")
def claims() -> dict[str, Claim]:
    return dict(load(ROOT / "derivations").claims)


def looked_at(claim: Claim) -> bool:
    return all(any(isinstance(check, kind) for check in claim.checks) for kind in (Unreduced, Released))


def test_every_pattern_names_a_claim(claims: dict[str, Claim]) -> None:
    assert [p for p in ABOUT if not any(re.fullmatch(p, name) for name in claims)] == []


def test_claims_about_outputs_are_integrated_and_released(claims: dict[str, Claim]) -> None:
    listed = [name for name in claims if any(re.fullmatch(p, name) for p in ABOUT)]
    assert len(listed) > 50
    assert [name for name in listed if not looked_at(claims[name])] == []


def test_theorems_about_a_law_are_listed_or_say_why_not(claims: dict[str, Claim]) -> None:
    asserting = {name for name, claim in claims.items() if claim.kind in ASSERTING and OF_A_LAW.search(name)}
    missing = {name for name in asserting if not looked_at(claims[name])}
    assert missing == set(ELSEWHERE)


def test_what_is_said_to_be_of_no_law_is_a_claim_without_both_checks(claims: dict[str, Claim]) -> None:
    assert [name for name in NOT_OF_A_LAW if looked_at(claims[name])] == []
