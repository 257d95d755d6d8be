"""The bounds as printed: their numbers, their hypotheses, and that nobody takes a refuted one for true."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from rgm_verify.accounting.exact import renyi_bounds
from rgm_verify.accounting.printed import (
    PROVED,
    REFUTED,
    RefutedBoundError,
    RefutedBoundWarning,
    corollary_1,
    optimised,
    printed_bounds,
    tcdp,
    tcdp_epsilon,
    theorem_1,
)
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError

EXAMPLE = Release("1/1000", "1/10000", 10)  # the worked example of the paper, delta = 1e-8
EXPECTED = Path(__file__).parents[3] / "derivations" / "expected.json"


def test_the_table_of_verdicts_is_that_of_the_engine():
    verdicts = json.loads(EXPECTED.read_text(encoding="utf-8"))["verdicts"]
    assert {claim: verdicts[claim] for claim in REFUTED} == dict.fromkeys(REFUTED, "refuted")
    assert {claim: verdicts[claim] for claim in PROVED} == dict.fromkeys(PROVED, "proved")
    assert {verdicts[claim] for claim in REFUTED.values()} == {"proved"}


def test_every_record_bears_a_verdict_of_the_table():
    for found in printed_bounds(EXAMPLE, alpha=50, delta="1e-8", epsilon="1/2"):
        assert found.verdict == ("refuted" if found.claim_id in REFUTED else "proved")
        assert found.claim_id in PROVED | set(REFUTED)
        assert bool(found.warning) == bool(found.corrected) == (found.verdict == "refuted")


@pytest.mark.parametrize(("version", "value"), [("v1", "0.869"), ("v2", "0.870")])
def test_corollary_1_gives_the_worked_example_recomputed(version, value):
    found = corollary_1(EXAMPLE, "1e-8", version=version)
    assert f"{found.value:.3f}" == value
    assert found.applies


def test_theorem_1_converted_is_far_below_the_corollary():
    """The claim on the worked example says below 0.66, and its mutant that 0.64 is not reached."""
    assert 0.64 < optimised(EXAMPLE, version="v2", delta="1e-8").value < 0.66


@pytest.mark.parametrize("alpha", [1, 2, 50, 400])
def test_theorem_1_is_evaluated_as_printed(alpha):
    eta, gamma, d = Fraction(1, 1000), Fraction(1, 10000), 10
    rho = 1 - eta * (alpha - 1) * (2 + eta)
    v1 = alpha * eta**2 / (2 * gamma) * (1 / rho + gamma * d * (2 + eta) ** 2)
    v2 = alpha * eta**2 / (2 * gamma) * (1 + gamma * d * (2 + eta) ** 2 * (1 + eta) ** 2) / rho
    found = [theorem_1(EXAMPLE, alpha, version=version, refuted="allow") for version in ("v1", "v2")]
    for bound, exact in zip(found, (v1, v2), strict=True):
        assert exact <= Fraction(bound.value) <= exact * (1 + Fraction(1, 2**52))


# ------------------------------------------------------------------------------------------ refuted ones


@pytest.mark.parametrize(
    "ask",
    [
        lambda **how: theorem_1(EXAMPLE, 50, version="v1", **how),
        lambda **how: optimised(EXAMPLE, version="v1", delta="1e-8", **how),
    ],
)
def test_a_refuted_bound_warns_or_is_refused(ask):
    with pytest.warns(RefutedBoundWarning, match="is refuted; the corrected statement is"):
        ask()
    with pytest.raises(RefutedBoundError, match="is refuted"):
        ask(refuted="refuse")
    assert ask(refuted="allow").verdict == "refuted"


def test_a_proved_bound_does_not_warn():
    for found in (
        theorem_1(EXAMPLE, 1, version="v1"),
        theorem_1(EXAMPLE, 50, version="v2", refuted="refuse"),
        tcdp(EXAMPLE, 50, refuted="refuse"),
        tcdp(EXAMPLE, 50, appendix=True, refuted="refuse"),
        corollary_1(EXAMPLE, "1e-8", version="v1", refuted="refuse"),
    ):
        assert found.verdict == "proved"


def test_version_1_is_unsafe_near_the_end_of_the_orders():
    release = Release("1/100", 1000, 50)
    alpha = 1 + Fraction(999, 1000) / release.q
    found = {bound.claim_id: bound for bound in printed_bounds(release, alpha=alpha)}
    assert found["rgm-v1:theorem-1"].unsafe is True
    assert found["rgm-v2:theorem-1"].unsafe is False
    assert found["rgm-v1:theorem-1"].value < renyi_bounds(release, alpha).lower


def test_version_1s_minimum_over_all_orders_is_unsafe_for_small_delta():
    found = {bound.claim_id: bound for bound in printed_bounds(Release("1/100", 10**6, 50), delta="1e-200")}
    assert found["rgm-v1:a5-optimised-guarantee"].unsafe is True
    assert found["rgm-v2:a5-converted-bound"].unsafe is False


def test_proved_bounds_are_never_unsafe():
    for eta, gamma, d in (("1/1000", "1/10000", 10), ("1/10", "1/100", 3), ("1/2", 1, 200)):
        release = Release(eta, gamma, d)
        alpha = 1 + Fraction(2, 5) / release.q
        for found in printed_bounds(release, alpha=alpha, delta="1e-6", epsilon=2):
            assert found.unsafe is not True or found.verdict == "refuted"


def test_several_steps_are_compared_with_equal_releases():
    found = printed_bounds(EXAMPLE, alpha=50, delta="1e-8", epsilon="20", steps=100)
    assert all(bound.unsafe is False for bound in found if bound.verdict == "proved" and bound.applies)
    assert {bound.quantity for bound in found} == {"renyi", "epsilon", "delta"}


# ------------------------------------------------------------------------------------------ hypotheses


def test_a_bound_says_why_it_does_not_apply():
    wide, bare = Release(2, "1/100", 3), Release("1/10", "1/100", 3, r_rel=1, sigma2="1/100")
    cases = [
        (theorem_1(wide, "11/10", version="v1", refuted="allow"), "eta <= 1"),
        (theorem_1(EXAMPLE, 10**6, version="v2"), "not below 1 + 1/q"),
        (theorem_1(bare, 2, version="v2"), "sigma2 is below"),
        (tcdp(EXAMPLE, 400), "above 1 + 1/(2q)"),
        (corollary_1(Release("1/10", 1, 1), "1e-8", version="v2"), "neither gamma is small"),
        (corollary_1(wide, "1e-8", version="v1"), "eta <= 1"),
        (corollary_1(bare, "1e-1", version="v2"), "does not meet Theorem 1"),
        (tcdp_epsilon(Release("1/10", 1, 1), "1e-80"), "above (omega - 1)^2 chi"),
        (optimised(bare, version="v2", delta="1e-8"), "sigma2 is below"),
    ]
    for found, reason in cases:
        assert not found.applies
        assert found.value is None
        assert reason in found.reason


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: theorem_1(EXAMPLE, "1/2", version="v2"), "alpha='1/2': an order must be >= 1"),
        (lambda: theorem_1(EXAMPLE, 2, version="v3"), "version='v3': allowed are v1, v2"),
        (lambda: theorem_1(EXAMPLE, 2, version="v2", refuted="maybe"), "refuted='maybe': allowed are"),
        (lambda: corollary_1(EXAMPLE, 0, version="v2"), "delta=0: must be strictly between 0 and 1"),
        (lambda: optimised(EXAMPLE, version="v2"), "give one of the two"),
        (lambda: optimised(EXAMPLE, version="v2", delta="1/10", epsilon=1), "give one of the two"),
        (lambda: printed_bounds(EXAMPLE, epsilon=-1), "epsilon=-1: epsilon must be >= 0"),
        (lambda: printed_bounds(EXAMPLE, delta="1/10", steps=0), "steps=0: the number of releases"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_the_bounds_are_finite_numbers():
    for found in printed_bounds(EXAMPLE, alpha=2, delta="1e-8", epsilon=1):
        assert found.value is not None
        assert math.isfinite(found.value)
