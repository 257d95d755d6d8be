"""Certificates of worst cases: exact where they hold, refused where anything is off, and found again by PEPit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.claims import Claim, ClaimError, eq, le, positive, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.linear import combination, is_semidefinite
from rgm_verify.lenses.performance import (
    Case,
    Performance,
    interpolation,
    is_attained,
    is_certified,
    lowered,
    noisy_step,
    solve_step,
)

X = real("x")
CLAIM = Claim("test:claim", "A claim", "test", "nowhere", "remark", variables=(X,), conclusion=eq(X.symbol, X.symbol))
STORED = Path(__file__).parents[3] / "derivations" / "worlds" / "certificates.py"
one = Fraction(1)
# How far the solver's rate and multipliers may be from the exact ones: measured 9e-5 over all cases. It only falls.
SOLVER_ERROR = 2e-4


def stored() -> Any:
    spec = spec_from_file_location("stored_certificates", STORED)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def short_case(rate: Fraction = Fraction(49, 64), multiplier: Fraction = Fraction(7, 32), **rest: Any) -> Case:
    given_ = {"step": one / 8, "amplification": one, "rate": rate, "multipliers": (multiplier, multiplier)}
    return noisy_step(one, 4 * one, **{"worst": (one, one / 2), **given_, **rest})


def look(*cases: Case) -> Finding:
    (found,) = Performance("a step", cases).run(CLAIM, Context())
    return found.finding


#: The rate of a short step, and what it is in a case: step, strong convexity, amplification.
STEP, MU, K = (positive(name) for name in ("tau", "mu", "k"))
tau_, mu_, k_ = (v.symbol for v in (STEP, MU, K))


def of_case(case: Case) -> tuple[Fraction, ...]:
    tau = -case.gain.squares[0][1]
    return tau, case.strong, case.gain.squares[1][1] / tau**2, case.bound.squares[0][0]


def rated(loose: int = 0) -> Claim:
    """The rate is at least what a parabola needs, by as much as `loose` says."""
    rate = positive("q")
    value = 1 - 2 * tau_ * mu_ + k_ * tau_**2 * mu_**2
    return replace(CLAIM, variables=(STEP, MU, K, rate), conclusion=le(value, rate.symbol + loose))


def of_claim(claim: Claim, values: Any = of_case) -> Evidence:
    lens = Performance("a step", (short_case(),)).mapped(values, *(v.symbol for v in claim.variables))
    (found,) = lens.run(claim, Context())
    return found


def test_without_a_map_to_the_claim_certificates_are_a_note() -> None:
    (found,) = Performance("a step", (short_case(),)).run(CLAIM, Context())
    assert (found.kind, found.finding) == (Kind.NOTE, Finding.SUPPORTS)


def test_with_a_map_to_the_claim_certificates_are_a_route() -> None:
    found = of_claim(rated())
    assert (found.kind, found.finding) == (Kind.NUMERICAL_ROUTE, Finding.SUPPORTS)


def test_a_formula_that_the_example_does_not_attain_leaves_the_lens_undecided() -> None:
    found = of_claim(rated(loose=1))
    assert found.finding is Finding.UNDECIDED
    assert "no equality at the example of case 0, tau = 1/8" in found.summary
    fails = of_claim(rated(), lambda case: (*of_case(case)[:3], Fraction(1, 2)))
    assert fails.finding is Finding.UNDECIDED
    assert "at the example of case 0, the claim's formula fails" in fails.summary


def test_a_map_of_only_some_variables_is_refused() -> None:
    with pytest.raises(ClaimError, match="no quantity for q"):
        Performance("a step", (short_case(),)).mapped(of_case, tau_, mu_, k_).run(rated(), Context())


def test_a_right_certificate_is_support() -> None:
    assert is_certified(short_case())
    assert is_attained(short_case())
    assert look(short_case()) is Finding.SUPPORTS


@pytest.mark.parametrize(
    "case",
    [
        short_case(rate=Fraction(48, 64)),
        short_case(multiplier=Fraction(8, 32)),
        short_case(multiplier=Fraction(-7, 32)),
        short_case(multipliers=(Fraction(7, 32), Fraction(6, 32))),
        short_case(gap=one),
        short_case(amplification=Fraction(3, 2)),
        replace(short_case(), strong=Fraction(1, 2)),
        replace(short_case(), smooth=one * 20),
    ],
)
def test_a_wrong_certificate_proves_nothing(case: Case) -> None:
    assert not is_certified(case)
    assert look(short_case(), case) is Finding.UNDECIDED


def test_a_negative_multiplier_proves_nothing_where_all_else_fits() -> None:
    """Function values cancel and the form is semidefinite: what is missing is only the sign."""
    signs = {"multipliers": (Fraction(-19, 4), Fraction(10)), "gap": Fraction(-59, 4)}
    case = noisy_step(one, 4 * one, step=one * 0, amplification=one, rate=one / 2, worst=(one, one / 2), **signs)
    turned = {pair: abs(m) for pair, m in case.multipliers.items()}
    values = case.bound.values[0] - case.gain.values[0]
    pairs = case.multipliers.items()
    assert values == sum(m * interpolation(case, *pair).values[0] for pair, m in pairs)
    left = combination((1, case.bound.squares), (-1, case.gain.squares))
    for pair, multiplier in pairs:
        left = combination((1, left), (-multiplier, interpolation(case, *pair).squares))
    assert is_semidefinite(left)
    assert not is_certified(case)
    assert not is_certified(replace(case, multipliers=turned))


@pytest.mark.parametrize("worst", [(one * 2, one), (one, one), (one * 5, one * 5 / 2), (one / 2, one / 4)])
def test_an_example_has_to_be_in_the_class_and_to_reach_the_bound(worst: tuple[Fraction, Fraction]) -> None:
    case = short_case(worst=worst)
    assert is_certified(case)
    assert not is_attained(case)
    assert look(case) is Finding.UNDECIDED


def test_a_rate_that_is_too_large_is_certified_and_not_called_sharp() -> None:
    loose = short_case(rate=one * 9 / 10)
    assert is_certified(loose)
    assert look(loose) is Finding.UNDECIDED


@given(
    st.fractions(min_value=Fraction(1, 10), max_value=2, max_denominator=20),
    st.fractions(min_value=Fraction(1, 10), max_value=5, max_denominator=20),
    st.fractions(min_value=1, max_value=4, max_denominator=10),
    st.fractions(min_value=Fraction(1, 20), max_value=3, max_denominator=20),
)
def test_the_multiplier_in_closed_form_certifies_every_step(
    mu: Fraction, wide: Fraction, k: Fraction, share: Fraction
) -> None:
    """`2 |tau - k tau^2 c|`, with `c = mu` for a short step and `c = L` for a long one."""
    smooth = mu + wide
    tau = share * 2 / (k * (smooth + mu))
    at = mu if share <= 1 else smooth
    rate = 1 - 2 * tau * at + k * tau**2 * at**2
    multiplier = 2 * abs(tau - k * tau**2 * at)
    case = noisy_step(
        mu, smooth, step=tau, amplification=k, rate=rate, multipliers=(multiplier, multiplier), worst=(at, at / 2)
    )
    assert is_certified(case)
    assert not is_certified(lowered(case)) or rate == 0


def test_mutants_of_the_claim_are_not_the_business_of_certificates() -> None:
    mutant = replace(CLAIM, conclusion=eq(X.symbol, 0))
    assert Performance("a step", (short_case(),)).run(mutant, Context(claims={CLAIM.id: CLAIM})) == []


@pytest.mark.skipif(find_spec("PEPit") is None, reason="needs the extra `performance`")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["SHORT", "LONG", "CONVEX", "CONVEX_LONG"])
def test_a_solver_finds_the_stored_certificates_again(name: str) -> None:
    for case in getattr(stored(), name).cases:
        step = -case.gain.squares[0][1]
        k = case.gain.squares[1][1] / step**2
        rate, multipliers = solve_step(case.strong, case.smooth, step=step, amplification=k, gap=case.gain.values[0])
        assert rate == pytest.approx(float(case.bound.squares[0][0]), rel=SOLVER_ERROR, abs=0)
        assert multipliers == pytest.approx([float(m) for m in case.multipliers.values()], abs=SOLVER_ERROR)
