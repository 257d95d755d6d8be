"""Two outputs before any reduction: what integrals and releases must show, and what they notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Integer, Rational, exp, log, sqrt

from rgm_verify.claims import Claim, both, either, eq, ge, le, lt, natural, nonnegative, positive, real
from rgm_verify.claims.claim import ClaimError
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.gaussians import enclosures
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.gaussians.simulated import loss_tail_confidence_interval
from rgm_verify.lenses import Released, Unreduced
from rgm_verify.lenses.base import FULL, QUICK, Context
from rgm_verify.lenses.distributions.cases import Bound, Case, Of, Reading, compatible
from rgm_verify.lenses.distributions.outputs import by_outputs
from rgm_verify.lenses.distributions.quantities import HockeyStick, LossAbove, MainTerm, Outputs, Renyi
from rgm_verify.mechanisms.losses import (
    Neighbours,
    less_noise,
    neighbours,
    neighbours_with_variances,
    renyi_interval,
)
from rgm_verify.numbers.sampling import Interval

F = Fraction
ALPHA, V, D, N = real("alpha", lower=1), positive("v"), nonnegative("D"), natural("d")
alpha, v, D_, d = (x.symbol for x in (ALPHA, V, D, N))
DIVERGENCE = alpha * D_**2 / (2 * (alpha + (1 - alpha) * v)) + d / (2 * (alpha - 1)) * (
    (1 - alpha) * log(v) - log(alpha + (1 - alpha) * v)
)
PAIR = Outputs((D_,), (), d, variances=(v, Integer(1)))
POINTS = (
    {alpha: Rational(3, 2), v: Rational(6, 5), D_: Integer(1), d: Integer(1)},
    {alpha: Rational(2), v: Rational(1, 2), D_: Integer(2), d: Integer(2)},
)
WRONG = DIVERGENCE + Rational(1, 10**20)


def claim(conclusion: Any, *variables: Any, **rest: Any) -> Claim:
    return Claim(id="t:claim", title="t", source="s", where="w", kind="k", variables=variables or (ALPHA, V, D, N),
                 conclusion=conclusion, **rest)  # fmt: skip


def integrated(conclusion: Any, part: Any = DIVERGENCE, *variables: Any, **more: Any) -> Any:
    lens, _ = by_outputs(part, Renyi(alpha), PAIR, POINTS, POINTS[:1], **more)
    (found,) = lens.run(claim(conclusion, *variables), Context())
    return found


def released(conclusion: Any, part: Any = DIVERGENCE, point: Any = POINTS[0], **more: Any) -> Any:
    lens = Released((Reading(part, more.pop("quantity", Renyi(alpha)), PAIR),), at=(point,), **more)
    (found,) = lens.run(claim(conclusion), Context())
    return found


def test_an_integral_supports_what_it_confirms() -> None:
    found = integrated(le(DIVERGENCE, 2 * DIVERGENCE))
    assert (found.kind, found.finding) == (Kind.NUMERICAL_ROUTE, Finding.SUPPORTS)
    assert found.details["points"] == 2
    assert found.details["dimensions"] == [1, 2]
    assert float(found.details["largest_relative_error"]) < 1e-28


@pytest.mark.parametrize(
    "conclusion",
    [le(DIVERGENCE, DIVERGENCE * Rational(7, 10)), eq(DIVERGENCE, WRONG), le(WRONG, DIVERGENCE), ge(DIVERGENCE, WRONG)],
)
def test_an_integral_speaks_against_a_bound_that_it_exceeds(conclusion: Any) -> None:
    found = integrated(conclusion)
    assert (found.kind, found.finding) == (Kind.NOTE, Finding.CONTRADICTS)
    assert "the claim fails" in found.summary


def test_an_integral_speaks_against_an_expression_of_another_value() -> None:
    found = integrated(le(WRONG, 2 * DIVERGENCE), WRONG)
    assert (found.finding, "and not between" in found.summary) == (Finding.CONTRADICTS, True)


def test_what_the_claim_does_not_contain_is_a_note() -> None:
    found = integrated(le(DIVERGENCE**2, 100 + 0 * v), DIVERGENCE + 0)
    assert found.kind is Kind.NUMERICAL_ROUTE
    other = integrated(ge(v, 0), DIVERGENCE)
    assert (other.kind, "a note" in other.summary) == (Kind.NOTE, True)


def test_a_scale_belongs_to_the_reading() -> None:
    tripled = 3 * DIVERGENCE
    assert integrated(ge(tripled, 0), tripled, scale=3).finding is Finding.SUPPORTS
    assert integrated(ge(tripled, 0), tripled, scale=2).finding is Finding.CONTRADICTS


def test_too_few_points_decide_nothing() -> None:
    few = Unreduced((Reading(DIVERGENCE, Renyi(alpha), PAIR),), at=POINTS[:1])
    (found,) = few.run(claim(ge(DIVERGENCE, 0)), Context())
    assert found.finding is Finding.UNDECIDED
    outside = Released((Reading(DIVERGENCE, Renyi(alpha), PAIR),), at=({**POINTS[0], alpha: Rational(1, 2)},))
    (found,) = outside.run(claim(ge(DIVERGENCE, 0)), Context())
    assert (found.finding, "admissible" in found.summary) == (Finding.UNDECIDED, True)


def test_strange_symbols_are_refused() -> None:
    other = sympy.Symbol("other")
    for reading in (Reading(other, Renyi(alpha), PAIR), Reading(DIVERGENCE, Renyi(other), PAIR)):
        with pytest.raises(ClaimError, match="other"):
            Unreduced((reading,)).refuse(claim(ge(DIVERGENCE, 0)))


def test_controls_are_not_looked_at() -> None:
    whole = claim(ge(DIVERGENCE, 0))
    mutant = replace(whole, conclusion=ge(DIVERGENCE, 1))
    lens, sampled = by_outputs(DIVERGENCE, Renyi(alpha), PAIR, POINTS, POINTS[:1])
    for each in (lens, sampled):
        assert each.run(mutant, Context(claims={whole.id: whole})) == []


def test_releases_support_what_they_show_and_reject_what_is_wrong() -> None:
    right = released(le(DIVERGENCE, 2 * DIVERGENCE))
    assert (right.kind, right.finding) == (Kind.SIMULATION, Finding.SUPPORTS)
    assert right.details["false_alarm"] == 1e-9
    for factor in (Rational(7, 10), Rational(13, 10)):
        wrong = released(ge(factor * DIVERGENCE, 0), factor * DIVERGENCE)
        assert (wrong.finding, "released" in wrong.summary) == (Finding.CONTRADICTS, True)
    exceeded = released(le(DIVERGENCE, DIVERGENCE * Rational(7, 10)))
    assert (exceeded.finding, "fails" in exceeded.summary) == (Finding.CONTRADICTS, True)


def test_releases_without_power_decide_nothing() -> None:
    weak = Context(profile=replace(QUICK, simulation_samples=300))
    lens = Released((Reading(DIVERGENCE, Renyi(alpha), PAIR),), at=POINTS[:1])
    (found,) = lens.run(claim(ge(DIVERGENCE, 0)), weak)
    assert (found.finding, "power control" in found.summary) == (Finding.UNDECIDED, True)
    (found,) = lens.run(claim(ge(DIVERGENCE, 0)), Context(profile=replace(QUICK, simulation_samples=10)))
    assert (found.finding, "inconclusive" in found.summary) == (Finding.UNDECIDED, True)


@pytest.mark.parametrize("count", [1, 16, 17, 40])
def test_all_intervals_of_a_run_together_err_as_rarely_as_is_stated(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []

    def interval(self: LossAbove, draws: Any, values: Any, false_alarm: float) -> tuple[float, float]:
        shares.append(false_alarm)
        return (0.24, 0.26) if len(shares) % 2 else (0.1, 0.11)  # with the right noise, and with less

    monkeypatch.setattr(LossAbove, "interval", interval)
    part = D_ / 4
    cases = tuple({**POINTS[0], v: Rational(6, 5) + k} for k in range(count))
    lens = Released((Reading(part, LossAbove(Rational(1, 4)), PAIR),), at=cases)
    (found,) = lens.run(claim(ge(part, 0)), Context(profile=FULL))
    assert found.finding is Finding.SUPPORTS, found.summary
    assert len(shares) == 2 * count  # each quantity, and its control, which speaks against nothing
    assert len(set(shares)) == 1
    assert shares[0] * count <= found.details["false_alarm"] * (1 + 1e-12)
    assert shares[0] * max(count, 16) >= found.details["false_alarm"] * (1 - 1e-12)


def test_bounds_are_statements_about_the_outputs() -> None:
    near, far = PAIR, PAIR.subs({D_: D_ + Rational(1, 2)})
    for quantity in (HockeyStick(Rational(1, 2)), Renyi(alpha), LossAbove(Rational(1, 4))):
        right = Bound(Of(quantity, near), (Of(quantity, far),))
        wrong = Bound(Of(quantity, far), (Of(quantity, near),))
        for lens in (Unreduced, Released):
            assert lens(bounds=(right,), at=POINTS).run(claim(ge(v, 0)), Context())[0].finding is Finding.SUPPORTS
            found = lens(bounds=(wrong,), at=POINTS).run(claim(ge(v, 0)), Context())[0]
            assert (found.finding, "its bound" in found.summary) == (Finding.CONTRADICTS, True)


def test_the_error_that_is_stated_is_that_of_integrals_in_bounds_too() -> None:
    bound = Bound(Of(HockeyStick(0), PAIR), (Of(HockeyStick(0), PAIR),))
    for digits in (10, 20):
        (found,) = Unreduced(bounds=(bound,), at=POINTS, digits=digits).run(claim(ge(v, 0)), Context())
        assert 10.0 ** -(digits + 6) < float(found.details["largest_relative_error"]) < 10.0**-digits


def test_a_bound_by_an_expression_and_a_formula_that_fails() -> None:
    bound = Bound(Of(HockeyStick(0), PAIR), Rational(99, 100) + 0 * v)
    lens = Unreduced(bounds=(bound,), at=POINTS)
    assert lens.run(claim(ge(v, 0)), Context())[0].finding is Finding.SUPPORTS
    assert lens.run(claim(ge(v, 100)), Context())[0].finding is Finding.CONTRADICTS
    small = Unreduced(bounds=(Bound(Of(HockeyStick(0), PAIR), Rational(1, 100) + 0 * v),), at=POINTS)
    assert small.run(claim(ge(v, 0)), Context())[0].finding is Finding.CONTRADICTS


@pytest.mark.parametrize("distance", [Rational(1, 3), Rational(1, 5), Rational(7, 11), Rational(3, 7)])
def test_a_bound_that_is_met_with_equality_is_no_excess(distance: Rational) -> None:
    """The divergence of Kullback and Leibler is half of the squared distance: no double is that number."""
    laws = Outputs((D_,), (), 1, variances=(Integer(1), Integer(1)))
    at = ({D_: distance}, {D_: 2 * distance})

    def looked_at(most: sympy.Expr) -> Finding:
        lens = Unreduced(bounds=(Bound(Of(Renyi(1), laws), most),), at=at)
        return lens.run(claim(ge(D_, 0), D), Context())[0].finding

    assert looked_at(D_**2 / 2) is Finding.SUPPORTS
    assert looked_at(D_**2 / 2 - Rational(1, 10**27)) is Finding.CONTRADICTS


def test_cases_bring_their_own_points() -> None:
    def cases(full: bool) -> Iterator[Case]:
        for k in range(3 if full else 2):
            yield Case({v: F(1 + k)}, (Reading(v, Renyi(1), Outputs((sqrt(2 * v),), (), 1, variances=(1, 1))),))

    lens = Unreduced(cases=cases)
    assert lens.run(claim(ge(v, 0), V), Context())[0].details["points"] == 2
    assert lens.run(claim(ge(v, 0), V), Context(profile=FULL))[0].details["points"] == 3
    assert lens.run(claim(ge(v, 2), V), Context())[0].finding is Finding.CONTRADICTS


@pytest.mark.parametrize(
    ("conclusion", "ends", "expected"),
    [
        (le(v, 2), (1, 3), True), (le(v, 2), (3, 4), False), (ge(v, 2), (1, 3), True), (ge(v, 2), (0, 1), False),
        (eq(v, 2), (1, 3), True), (eq(v, 2), (3, 4), False), (lt(v, 2), (3, 4), False),
        (both(le(v, 2), ge(v, 5)), (1, 1), False), (either(le(v, 2), ge(v, 5)), (6, 7), True),
        (either(le(v, 2), ge(v, 5)), (3, 4), False),
    ],
)  # fmt: skip
def test_a_conclusion_is_possible_or_not(conclusion: Any, ends: Any, expected: bool) -> None:
    assert compatible(claim(conclusion, V), {v: F(1)}, {v: tuple(map(float, ends))}) is expected


def test_every_corner_of_two_measured_parts_counts() -> None:
    about = claim(ge(v, D_), V, D)
    assert compatible(about, {v: F(1), D_: F(1)}, {v: (1.0, 4.0), D_: (3.0, 5.0)}) is True
    assert compatible(about, {v: F(1), D_: F(1)}, {v: (1.0, 2.0), D_: (3.0, 5.0)}) is False


def test_a_part_may_stand_in_a_sum_and_has_to_come_out_whole() -> None:
    about = claim(le(v + exp(D_) + 1, 9), V, D)
    assert compatible(about, {v: F(1), D_: F(1)}, {v + exp(D_): (7.0, 7.5)}) is True
    assert compatible(about, {v: F(1), D_: F(1)}, {v + exp(D_): (8.5, 9.0)}) is False


def test_outputs_have_the_variances_of_the_mechanism_and_the_dimension_of_the_point() -> None:
    outputs = Outputs((v, Integer(0)), (Integer(0), D_), d, Rational(1, 2), 3)
    placed = outputs.at({v: F(2), D_: F(4), d: F(2)})
    assert (placed.variance_1, placed.variance_2) == (5, 11)
    assert outputs.reversed().at({v: F(2), D_: F(4), d: F(2)}).variance_1 == 11
    assert outputs.fits({v: F(2), D_: F(4), d: F(2)})
    assert not outputs.fits({v: F(2), D_: F(4), d: F(1)})
    assert outputs.fits({v: F(2), D_: F(0), d: F(1)})
    assert outputs.subs({v: D_, D_: v}).first == (D_, 0)


def test_repeated_releases_add_up() -> None:
    once = Renyi(alpha).integral(PAIR.at(_exact(POINTS[0])), {alpha: Rational(3, 2)}, 20)
    thrice = Renyi(alpha).integral(replace(PAIR, times=3).at(_exact(POINTS[0])), {alpha: Rational(3, 2)}, 20)
    with mpmath.workdps(40):
        assert abs(thrice.value - 3 * once.value) <= thrice.error + 3 * once.error < 1e-17


def test_the_main_term_is_what_the_distance_adds() -> None:
    values = {alpha: Rational(3, 2)}
    found = MainTerm(alpha).integral(PAIR.at(_exact(POINTS[0])), values, 25)
    with mpmath.workdps(40):
        assert abs(found.value - mpmath.mpf(5) / 6) <= found.error < 1e-20


def _exact(point: Any) -> dict[Any, Fraction]:
    return {s: F(int(x.p), int(x.q)) for s, x in point.items()}


# ------------------------------------------------------------------------------------------------------------ releases


def tail_agrees(found: Neighbours, exact: GaussianPair, under: Literal["P", "Q"]) -> bool:
    """Return whether the share of losses above 1/5 is compatible with a pair; wrong by chance once in 1e9."""
    losses = found.losses(50_000, np.random.default_rng(2), under=under)
    interval = loss_tail_confidence_interval(F(1, 5), losses, 1e-9)
    below = enclosures.loss_cdf(exact, F(1, 5), digits=12, under=under)
    return isinstance(interval, Interval) and interval.contains(1 - float(below.midpoint()))


@pytest.mark.parametrize("under", ["P", "Q"])
def test_losses_follow_the_law_of_the_pair(under: Literal["P", "Q"]) -> None:
    pair = neighbours(0.5, 0.25, np.array([1.2, 0.0]), np.array([0.6, 0.8]), 4)
    assert within_rounding(np.linalg.norm(pair.first), 1.2)
    assert within_rounding(np.linalg.norm(pair.first - pair.second), 1.0)
    assert tail_agrees(pair, GaussianPair.of(1, F(97, 100), F(3, 4), 4), under)
    assert not tail_agrees(pair, GaussianPair.of(F(7, 10), F(97, 100), F(3, 4), 4), under)


def within_rounding(found: Any, exact: float) -> bool:
    """Return whether two floats differ by no more than a handful of roundings of sums and roots."""
    return bool(abs(float(found) - exact) <= 8 * np.spacing(exact))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_a_mechanism_is_found_for_two_variances(d: int) -> None:
    for distance, first, second in ((1.0, 2.0, 1.0), (0.5, 1.0, 1.0), (2.0, 1.0, 3.0)):
        pair = neighbours_with_variances(distance, first, second, d)
        assert all(within_rounding(law.variance, v) for law, v in zip(pair.laws(), (first, second), strict=True))
        assert within_rounding(np.linalg.norm(pair.first - pair.second), distance)
    centred = neighbours_with_variances(0.0, 2.0, 1.0, d)
    assert centred.centred
    assert tail_agrees(centred, GaussianPair.of(0, 2, 1, d), "Q")
    assert not tail_agrees(centred, GaussianPair.of(0, 4, 1, d), "Q")


def test_an_interval_holds_what_its_cuts_hide() -> None:
    """With cuts in the middle of the losses the interval is wide, and still right."""
    pair, generator = neighbours_with_variances(1.0, 1.2, 1.0, 2), np.random.default_rng(3)
    losses = pair.losses(20_000, generator)
    exact = 1.5 / (2 * 0.9) + 2 / (2 * 0.5) * (-0.5 * np.log(1.2) - np.log(0.9))
    for pilot in (pair.losses(4_000, generator), np.array([-0.1, 0.6])):
        for order, value in ((F(3, 2), exact), (F(1), 0.5 + 0.2 - np.log(1.2))):
            found = renyi_interval(pilot, losses, pair, order, 1e-9)
            assert found.contains(value)  # type: ignore[union-attr]


def test_less_noise_is_less() -> None:
    pair = neighbours_with_variances(1.0, 1.2, 1.0, 2)
    weak = less_noise(pair.mechanism, 0.7)
    assert within_rounding(weak.variance(pair.first), 0.49 * 1.2)
