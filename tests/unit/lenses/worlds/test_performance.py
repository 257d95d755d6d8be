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
from rgm_verify.lenses.worlds import performance
from rgm_verify.lenses.worlds.linear import combination, is_semidefinite
from rgm_verify.lenses.worlds.performance import (
    Case,
    Performance,
    Point,
    Quantity,
    evaluate,
    interpolation,
    is_attained,
    is_certified,
    lowered,
    noisy_step,
    solve_step,
)

X = real("x")
CLAIM = Claim("test:claim", "A claim", "test", "nowhere", "remark", variables=(X,), conclusion=eq(X.symbol, X.symbol))
STORED = Path(__file__).parents[4] / "derivations" / "beyond" / "utility" / "certificates.py"
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


def test_a_check_that_certifies_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bound lowered by a hundredth a certificate has to fail: the control of the check itself."""
    monkeypatch.setattr(performance, "is_certified", lambda _: True)
    assert look(short_case()) is Finding.UNDECIDED


def test_a_lowered_bound_is_the_same_case_with_a_hundredth_less() -> None:
    case = short_case(gap=one / 7)
    bound = replace(case, bound=Quantity(((one, 2 * one), (2 * one, 3 * one)), (5 * one,)))
    found = lowered(bound)
    hundredths = Fraction(99, 100)
    assert found.bound == Quantity(
        tuple(tuple(hundredths * v for v in row) for row in bound.bound.squares), (5 * hundredths,)
    )
    assert replace(found, bound=bound.bound) == bound
    assert lowered(bound, Fraction(1, 2)).bound.values == (Fraction(5, 2),)


@given(
    st.fractions(min_value=Fraction(1, 10), max_value=2, max_denominator=20),
    st.fractions(min_value=Fraction(1, 10), max_value=5, max_denominator=20),
    st.fractions(min_value=0, max_value=1, max_denominator=20),
    st.tuples(*[st.fractions(min_value=-3, max_value=3, max_denominator=9)] * 2),
)
def test_interpolation_holds_for_parabolas_and_with_equality_for_the_extreme_ones(
    mu: Fraction, wide: Fraction, share: Fraction, places: tuple[Fraction, Fraction]
) -> None:
    """For `f = c x^2 / 2` the slack is `(c - mu)(L - c)(x - y)^2 / (2 (L - mu))`, in both orders of the points."""
    smooth = mu + wide
    c = mu + share * wide
    a, b = places
    basis = {
        "a": Point((one, 0 * one, 0 * one, 0 * one), (0 * one, one, 0 * one, 0 * one), (one, 0 * one)),
        "b": Point((0 * one, 0 * one, one, 0 * one), (0 * one, 0 * one, 0 * one, one), (0 * one, one)),
    }
    on_line = replace(short_case(), strong=mu, smooth=smooth, points=basis)
    example = ((a, c * a, b, c * b), (c * a**2 / 2, c * b**2 / 2))
    expected = (c - mu) * (smooth - c) * (a - b) ** 2 / (2 * wide)
    for first, second in ("ab", "ba"):
        assert evaluate(interpolation(on_line, first, second), example) == expected


def test_a_noisy_step_is_what_its_name_says() -> None:
    """|x - tau g|^2 + (k - 1) tau^2 |g|^2 + gap (f - f_*), against rate |x|^2, at x = 1."""
    tau, k, gap, rate = Fraction(1, 3), Fraction(5, 4), Fraction(2, 7), Fraction(6, 5)
    case = noisy_step(
        one, 4 * one, step=tau, amplification=k, rate=rate, multipliers=(one / 5, one / 6), worst=(one * 2, one * 3),
        gap=gap,
    )  # fmt: skip
    for x, g, f in ((1, 2, 3), (2, 0, 1), (0, 1, 0), (-1, 5, 2)):
        at = ((Fraction(x), Fraction(g)), (Fraction(f),))
        assert evaluate(case.gain, at) == (x - tau * g) ** 2 + (k - 1) * tau**2 * g**2 + gap * f
        assert evaluate(case.bound, at) == rate * x**2
    assert case.example == ((1, 2), (3,))
    assert case.multipliers == {("minimiser", "point"): one / 5, ("point", "minimiser"): one / 6}
    assert (case.strong, case.smooth) == (1, 4)
    assert case.points["minimiser"] == Point((0, 0), (0, 0), (0,))
    assert case.points["point"] == Point((1, 0), (0, 1), (1,))


def test_an_example_that_reaches_a_bound_of_nothing_attains_nothing() -> None:
    zero = replace(short_case(), example=((0 * one, 0 * one), (0 * one,)))
    assert evaluate(zero.gain, zero.example) == evaluate(zero.bound, zero.example) == 0
    assert not is_attained(zero)


@pytest.mark.parametrize("wrong", [0, 1])
def test_the_case_that_is_wrong_is_named(wrong: int) -> None:
    for bad, says in (
        (short_case(rate=Fraction(48, 64)), "the certificate of case {} proves nothing"),
        (short_case(worst=(one, one)), "the bound of case {} is not attained"),
    ):
        cases = (short_case(), bad) if wrong else (bad, short_case())
        (found,) = Performance("a step", cases).run(CLAIM, Context())
        assert found.finding is Finding.UNDECIDED
        assert says.format(wrong) in found.summary


def test_a_lens_without_cases_says_nothing() -> None:
    assert Performance("a step").run(CLAIM, Context()) == []
    (found,) = Performance("a step", (short_case(), short_case())).run(CLAIM, Context())
    assert (found.families, found.details) == (("fractions",), {"cases": 2})


def test_the_formula_is_compared_at_the_example_of_every_case() -> None:
    other = replace(short_case(), strong=one / 2)
    claim = rated()
    symbols = tuple(v.symbol for v in claim.variables)
    seen = []

    def values(case: Case) -> tuple[Fraction, ...]:
        seen.append(case)
        return (*of_case(short_case())[:3], of_case(short_case())[3] + (case is other))

    lens = Performance("a step", (short_case(), other)).mapped(values, *symbols)
    assert "no equality at the example of case 1" in lens.apart(claim)
    assert seen == [short_case(), other]
    assert Performance("a step", (short_case(),)).apart(claim) == ""
    assert lens.apart(replace(claim, conclusion=None, informal="words")) == ""
    assert Performance("a step", (short_case(),)).mapped(of_case, *symbols).apart(claim) == ""
    (found,) = Performance("a step", (short_case(),)).mapped(of_case, *symbols).run(claim, Context())
    assert (found.families, found.details) == (("fractions", "arb"), {"cases": 1})
