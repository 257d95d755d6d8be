"""Claims about a divergence, a privacy loss or a guarantee of the mechanism: each is integrated and released.

Derived by what a claim is about. A claim belongs here if its kind asserts something of the mechanism and its id names a
divergence, a loss or a guarantee; what is about the formulas alone (an elementary inequality, a step between two
expressions) does not.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import symbols_of
from rgm_verify.claims.written.rendering import latex
from rgm_verify.engine.discovery import Paper
from rgm_verify.lenses import Released, Unreduced
from rgm_verify.lenses.points.numeric import point_truth

ROOT = Path(__file__).parents[3]

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
    r"rgm-v\d:(a6-)?tcdp",
    r"beyond:tcdp(-of-pairs)?",
    r"rgm-v\d:proposition-4",
    r"beyond:gss-in-many-dimensions",
    r"rgm-v\d:a6-(gss-guarantee|every-dimension)",
    r"rgm:s4-conversion",
    r"beyond:improved-conversion",
    r"beyond:exact-renyi-.*",
    r"beyond:exact-log-term",
    r"beyond:main-term",
    r"beyond:closed-bound",
    r"beyond:composition-(?!with-common-coins).*",  # coins in common are those of an algorithm with two outputs
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
    r"rgm:gaussian-(mechanism|guarantee)",
    r"rgm-v2:epsilon-by-tcdp",
    r"beyond:conversion-by-tcdp-elsewhere",
    r"beyond:exact-curve-(is-a-cumulant|scaled)",
    r"rgm:(levels-not-achievable|large-gamma-is-not-enough)",
    r"beyond:logarithms-of-the-floor-pair",
    r"beyond:floor-(region|in-the-plane|not-reached|approached)",
    r"beyond:distance-falls-with-the-noise-ratio",
    r"beyond:total-variation-of-a-shift",
    r"rgm:noise-by-local-sensitivity",
    r"rgm-v1:b6-sensitivity",
)
#: Kinds that assert something of the mechanism, and words in the id that say of what.
ASSERTING = ("theorem", "corollary", "proposition")
OF_A_LAW = re.compile(
    r"theorem-1|corollary-1|equation-6|tcdp|gss|renyi|hockey-stick|closed-bound|conversion|converted-bound|cumulant|guarantee"
)
#: Of those, what the two checks cannot look at yet or need not, and why.
ELSEWHERE = {
    "geodp:theorem-1": "the distance of a model to the optimum after a step, with noise and without",
    "geodp:corollary-1": "the same distance at the optimum",
    "beyond:corollary-1-without-baseline": "refuted: a pair without baseline noise has an infinite divergence",
}
#: Words in the id of a claim of any kind that is near to a law.
NEAR_A_LAW = re.compile(
    OF_A_LAW.pattern + r"|gaussian-guarantee|lemma-2|exact-curve|floor|compos|total-variation|loss-law|loss-rejection"
)
#: Why a claim near to a law has no check by outputs: patterns of whole ids.
NOT_OF_A_LAW = {
    r"rgm-v\d:guarantee-(grows-with-eta|like-eta-squared|falls-with-gamma|weaker-with-dimension)":
        "compares values of a printed bound, which is no divergence",
    r"beyond:theorem-1-not-the-supremum": "numbers: a printed bound and the supremum of rgm:lemma-2's formula",
    r"beyond:(worst-of-a-guarantee|guarantee-below-its-chords)":
        "a step of an account: an equation of numbers about any curve, of no law",
    r"rgm-v2:(tcdp-from-theorem-1|comparable-with-gss(-small-eta)?|a6-tcdp-from-theorem-1|a6-gss-(is-rgm|constants))":
        "compares printed constants or parameters, not divergences",
    r"beyond:guarantee-(falls-with-gamma|is-not-in-proportion-to-gamma)|rgm:guarantee-weaker-with-dimension":
        "compares values of the exact curve, which rgm:large-gamma-is-not-enough looks at",
    r"rgm:floor-pair": "says that a pair is admissible; its divergence is in rgm:levels-not-achievable",
    r"rgm:s4-conversion-exponents|beyond:improved-conversion-(pointwise|equality|positive-part|never-worse)":
        "a step of a conversion: an inequality of numbers",
    r"beyond:(conversion-penalty-convex|converted-(delta-(second-derivative|convex)|epsilon-one-valley))":
        "the shape of a formula in the order",
    r"beyond:exact-curve-(second-derivative|slope|rises)": "derivatives of the exact curve in the order",
    r"beyond:cumulant-.*": "the shape or another form of the formula of beyond:cumulant",
    r"rgm-v\d:equation-6-from-theorem-1": "puts parameters into a printed bound",
    r"rgm:(comparison-similar-guarantee|comparison-noise-at-the-same-guarantee|experiment-equivalent-guarantees)":
        "compares the noise of two mechanisms",
    r"beyond:lemma-2-infinite": "the divergence is infinite",
    r"rgm:a3-lemma-2-applies": "a condition of rgm:lemma-2",
    r"beyond:gss-(log-squared|log-term|orders-in-reach)": "elementary inequalities",
    r"beyond:closed-bound-in-(k|eta)": "steps of beyond:closed-bound between formulas",
    r"beyond:floor": "a lower bound on the formula of beyond:exact-log-term",
    r"beyond:floor-threshold": "densities on the half-line, of a law that beyond:floor-region is about",
    r"beyond:hockey-stick-(by-total-variation|at-negative-levels|below-its-chords)":
        "holds for all numbers in the places of densities: no law is in it",
    r"beyond:loss-(law|law-equal-variances|rejection-region)": "holds at every point of the space: no mean is in it",
    r"beyond:renyi-of-two-steps": "a product of moments for any laws",
    r"beyond:(renyi-grows-with-both|wide-first-is-worse)":
        "compares values of Lemma 2's formula, which beyond:renyi-at-the-extreme-pair looks at",
    r"beyond:renyi-(along-the-outer-curve|stationary-(polynomial|degree))": "Lemma 2's formula in other letters",
    r"beyond:corollary-1-noise": "the noise that a parameter gives",
    r"(rgm|beyond):.*(average|noise)-floor.*": "the floor of an error of optimisation, not of a divergence",
    r"rgm:a3-range-of-theorem-1|beyond:tcdp-(mixed-variance|variance-(at-order-1|ratio))":
        "a condition on variances, without which there is no divergence to bound",
    r"slides:(simple-composition|advanced-composition|dp-sgd-composition|renyi-against-advanced-composition)":
        "sums of levels for any mechanisms: no divergence is in it",
    r"beyond:(composition-with-common-coins|random-record-is-private|mean-loss-of-randomised-response|"
    r"calibration-covers-the-conversion|hockey-stick-slope|room-above-the-mean-loss|tail-of-the-composed-loss|advantage-at-epsilon-one|.*loss-bound-not-necessary)":
        "a mechanism with finitely many outputs, or a step of the composition of the slides",
    r"beyond:curve-ends-in-the-exact-curve": "Lemma 2's formula in other letters",
    r"geodp:theorem-1-in-the-mean": "the mean of the distance that geodp:theorem-1 is about",
    r"geodp:same-guarantee-corrected|beyond:geodp-guarantee-(as-printed|of-a-replaced-record)":
        "adds up the squared distances of two releases; beyond:gaussian-composition looks at the law",
    r"beyond:(simple-composition-(with-less-delta|attained)|dp-sgd-composition-region|level-after-a-flip)":
        "sums of levels and failures, for any mechanisms or for bits",
    r"beyond:(order-for-the-conversion|renyi-composition-order)":
        "a formula of a conversion, or one output of any two laws",
    r"beyond:plan-composition": "finitely many losses of any law in the place of one release each",
    r"beyond:renyi-filter": "a moment and a budget, for any laws",
    r"rgm:lemma-1-ratio": "the quotient of rgm:lemma-1, which is integrated and released",
}  # fmt: skip


#: A formula that names a divergence of two laws, or a probability.
SHOWS_A_LAW = re.compile(r"D_\\alpha|H_\{?\\(?:var)?epsilon|\\Pr|\bP\[|\bP\(")
#: The meaning of a symbol of the slides or of GeoDP, whose formulas are mostly about densities.
MEANS_A_LAW = re.compile(r"density|densities|probability (?!of failure)|divergence|privacy loss|of the noisy gradient")


def is_about_a_law(name: str, claim: Claim) -> bool:
    if claim.conclusion is None or measured(name):
        return False
    used = symbols_of(claim.conclusion)
    meanings = " ".join(v.meaning for v in claim.variables if v.symbol in used)
    of_mechanisms = name.startswith(("slides:", "geodp:")) and MEANS_A_LAW.search(meanings)
    return bool(of_mechanisms or SHOWS_A_LAW.search(latex(claim.conclusion, claim.symbols)))


@pytest.fixture(scope="module")
def claims(committed_paper: Paper) -> dict[str, Claim]:
    return dict(committed_paper.claims)


def measured(name: str) -> bool:
    return name.startswith("experiment:")


def looked_at(claim: Claim) -> bool:
    return all(any(isinstance(check, kind) for check in claim.every_check) for kind in (Unreduced, Released))


def says_why_not(claim: Claim) -> bool:
    return isinstance(claim.outputs, str)


def test_every_pattern_names_a_claim(claims: dict[str, Claim]) -> None:
    assert [p for p in ABOUT if not any(re.fullmatch(p, name) for name in claims)] == []


def test_claims_about_outputs_are_integrated_and_released(claims: dict[str, Claim]) -> None:
    listed = [name for name in claims if any(re.fullmatch(p, name) for p in ABOUT)]
    assert len(listed) > 70
    assert [name for name in listed if not looked_at(claims[name])] == []


def test_formulas_about_a_law_are_looked_at_or_their_pages_say_why_not(claims: dict[str, Claim]) -> None:
    """By the formulas and the meanings of their symbols: nobody keeps a list."""
    about = {name: claim for name, claim in claims.items() if is_about_a_law(name, claim)}
    assert len(about) >= 100
    assert [name for name, claim in about.items() if not looked_at(claim) and not says_why_not(claim)] == []


def test_a_reason_stands_in_the_place_of_both_checks(claims: dict[str, Claim]) -> None:
    reasons = {name: claim for name, claim in claims.items() if says_why_not(claim)}
    assert [name for name, claim in reasons.items() if looked_at(claim)] == []
    assert all(len(str(claim.outputs).split()) > 6 for claim in reasons.values())


def test_refuted_claims_are_looked_at_where_they_fail(claims: dict[str, Claim]) -> None:
    """At one of the points of the integrals the formula is false, so that they say which side they confirm."""
    verdicts = json.loads((ROOT / "derivations" / "expected.json").read_text())["verdicts"]
    refuted = {name: c for name, c in claims.items() if verdicts.get(name) == "refuted" and looked_at(c)}
    assert len(refuted) > 25
    assert [name for name, claim in refuted.items() if not fails_somewhere(claim)] == []


def fails_somewhere(claim: Claim) -> bool:
    assert claim.conclusion is not None
    formula = claim.conclusion
    (lens,) = (check for check in claim.every_check if isinstance(check, Unreduced))
    return any(point_truth(formula, case.point) is False for case in lens.looked_at(claim, False, 4))


def test_theorems_about_a_law_are_listed_or_say_why_not(claims: dict[str, Claim]) -> None:
    asserting = {
        name
        for name, claim in claims.items()
        if claim.kind in ASSERTING and OF_A_LAW.search(name) and not measured(name)
    }
    missing = {name for name in asserting if not looked_at(claims[name]) and not says_why_not(claims[name])}
    assert missing == set(ELSEWHERE)


def test_what_is_near_to_a_law_is_looked_at_or_says_why_not(claims: dict[str, Claim]) -> None:
    """Experiments are measured, and sentences without a formula have nothing to integrate."""
    formulas = [name for name, c in claims.items() if c.conclusion is not None and not measured(name)]
    open_ones = [name for name in formulas if not looked_at(claims[name]) and not says_why_not(claims[name])]
    near = [name for name in open_ones if NEAR_A_LAW.search(name)]
    assert [n for n in near if n not in ELSEWHERE and not any(re.fullmatch(p, n) for p in NOT_OF_A_LAW)] == []


def test_what_is_said_to_be_of_no_law_is_a_claim_without_both_checks(claims: dict[str, Claim]) -> None:
    for pattern in NOT_OF_A_LAW:
        named = [name for name in claims if re.fullmatch(pattern, name)]
        assert any(not looked_at(claims[name]) and not says_why_not(claims[name]) for name in named), pattern
