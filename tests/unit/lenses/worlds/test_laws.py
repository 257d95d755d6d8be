"""Mechanisms by their densities and by their releases: both agree, and neither agrees with a wrong mechanism."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Integer, Rational, cos, exp, log, pi, sin

from rgm_verify.claims import Claim, both, eq, ge, gt, le, lt, nonnegative, positive
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.errors import InputError
from rgm_verify.lenses import Released, Unreduced
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.distributions.cases import Bound, Filled, Of, Reading
from rgm_verify.lenses.distributions.laws import Chance, Laws, Mean
from rgm_verify.lenses.distributions.mechanisms import (
    Y_2,
    Y,
    coin,
    flipped_response,
    geometric_gradient,
    laplace,
    mixture,
    noisy_gradient,
    normal,
    response,
    responses,
)
from rgm_verify.lenses.distributions.outputs import is_quantity, of_bounds, of_cases
from rgm_verify.lenses.distributions.quantities import Draws, Guess, HockeyStick, LossAbove, Outputs, Renyi

F, R = Fraction, Rational
P, LARGE = nonnegative("p"), positive("E")
p, E = P.symbol, LARGE.symbol
SHIFT = normal(1, 1, 0)
#: A batch of one of ten numbers, one of which is turned around.
DRAWN = mixture(((R(9, 10), -1), (R(1, 10), 1)), ((1, -1), (0, 1)), R(1, 2))
ANGLE = geometric_gradient(R(3, 4), 1, 4, 1, R(1, 5), R(1, 3))
FAR = (Y - 1) ** 2 + Y_2**2
FAR_TURNED = (Y * cos(Y_2) - 1) ** 2 + (Y * sin(Y_2)) ** 2
SQUARED = Mean(FAR, (0, 20), cut=True)
EACH: dict[str, tuple[Laws, Any]] = {
    "a shift": (SHIFT, HockeyStick(R(1, 2))),
    "a drawn batch": (DRAWN, Chance(Y)),
    "Laplace noise": (laplace(0, 1, 2), HockeyStick(R(1, 5))),
    "a bit that may be shown": (response(Integer(3), R(1, 10)), HockeyStick(R(1, 5))),
    "several answers": (responses(Integer(2), 5), LossAbove(R(1, 5))),
    "a coin": (coin(R(1, 5), R(2, 5)), Chance(Y)),
    "a flipped answer": (flipped_response(Integer(4), R(1, 10)), Chance(Y)),
    "a noisy gradient": (noisy_gradient(1, 1, 4, 2), SQUARED),
    "GeoDP's gradient": (geometric_gradient(1, 1, 4, 2, R(1, 10)), Mean(FAR_TURNED, (0, 8), cut=True)),
    "the sign of GeoDP's gradient": (ANGLE, Chance(Y * sin(Y_2))),
    "a guess": (SHIFT, Guess(R(1, 2), R(1, 4), R(1, 10))),
    "a record inside": (normal(0, 1), Mean(Y**2, (0, 2), 2 - Y**2)),
}


@pytest.mark.parametrize("name", EACH)
def test_releases_agree_with_the_density_and_notice_less_noise(name: str) -> None:
    """Wrong by chance once in 1e9; the releases of a mechanism with 30 % less noise are told apart."""
    laws, quantity = EACH[name]
    pair = laws.at({})
    exact = quantity.integral(pair, {}, 12).value
    right, wrong = (
        quantity.interval(Draws(pair, 60_000, np.random.default_rng(7), noise), {}, 1e-9) for noise in (1.0, 0.7)
    )
    assert right.lower <= exact <= right.upper
    assert not wrong.lower <= exact <= wrong.upper


def agree(found: Any, exact: Any) -> bool:
    with mpmath.workdps(40):
        return bool(abs(found.value - exact) <= found.error + mpmath.mpf(10) ** -33 and found.error < 1e-27)


def test_integrals_have_their_closed_values() -> None:
    with mpmath.workdps(40):
        half = mpmath.mpf(1) / 2
        assert agree(
            HockeyStick(half).integral(SHIFT.at({}), {}, 30), mpmath.ncdf(0) - mpmath.exp(half) * mpmath.ncdf(-1)
        )
        assert agree(Chance(Y).integral(DRAWN.at({}), {}, 30), (9 * mpmath.ncdf(-2) + mpmath.ncdf(2)) / 10)
        loss = 1 - mpmath.exp((mpmath.mpf(1) / 5 - half) / 2)
        assert agree(HockeyStick(R(1, 5)).integral(laplace(0, 1, 2).at({}), {}, 30), loss)
        assert agree(Chance(Y, "Q").integral(response(Integer(3)).at({}), {}, 30), mpmath.mpf(3) / 4)
        assert agree(SQUARED.integral(noisy_gradient(1, 1, 4, 2).at({}), {}, 30), half)
        turned = 2 - 2 * mpmath.exp(-((2 * mpmath.pi * 2 / 4 / 10) ** 2) / 2) + mpmath.mpf(1) / 4
        assert agree(
            Mean(FAR_TURNED, (0, 8), cut=True).integral(geometric_gradient(1, 1, 4, 2, R(1, 10)).at({}), {}, 30), turned
        )


def test_densities_of_one_dimension_agree_with_the_integrals_of_vectors() -> None:
    gaussian = Outputs((Integer(1),), (Integer(0),), 1, variances=(Integer(1), Integer(1))).at({})
    for quantity in (HockeyStick(R(1, 2)), LossAbove(R(1, 3), "Q"), Guess(R(1, 2), R(1, 4), R(1, 10))):
        one, two = (quantity.integral(pair, {}, 30) for pair in (SHIFT.at({}), gaussian))
        assert agree(one, two.value)


def test_a_pair_turned_around_has_the_other_law_first() -> None:
    turned = coin(R(1, 5), R(2, 5)).reversed().at({})
    with mpmath.workdps(40):
        assert agree(Chance(Y).integral(turned, {}, 30), mpmath.mpf(2) / 5)
    draws = Draws(turned, 60_000, np.random.default_rng(1))
    assert Chance(Y).interval(draws, {}, 1e-9).contains(0.4)  # type: ignore[union-attr]


def test_events_are_those_of_laws_and_orders_those_of_gaussians() -> None:
    gaussian = Outputs((Integer(1),), (), 1, variances=(Integer(1), Integer(1))).at({})
    with pytest.raises(InputError, match="release"):
        Chance(Y).integral(gaussian, {}, 20)
    with pytest.raises(InputError, match="Renyi"):
        Renyi(2).integral(SHIFT.at({}), {}, 20)


# ------------------------------------------------------------------------------------------------------- the two lenses


def claim(conclusion: Any, *variables: Any, **rest: Any) -> Claim:
    return Claim(id="t:claim", title="t", variables=variables, conclusion=conclusion, **rest)


def looked_at(lenses: Iterable[Any], about: Claim) -> list[Any]:
    return [found for lens in lenses for found in lens.run(about, Context())]


def test_symbols_may_be_quantities_that_are_found_by_integration() -> None:
    tail = Of(LossAbove(log(E)), SHIFT)
    filled = Filled(({E: Integer(3)}, {E: Integer(4)}), {p: tail})
    for found in looked_at(of_cases(filled), claim(le(p, E), P, LARGE)):
        assert found.finding is Finding.SUPPORTS, found.summary
    for found in looked_at(of_cases(filled), claim(ge(p, E), P, LARGE)):
        assert (found.finding, "confirm the left side, and not the claim" in found.summary) == (
            Finding.CONTRADICTS,
            True,
        )


def test_a_rounded_bound_is_above_its_quantity() -> None:
    curve = Of(HockeyStick(log(E)), SHIFT)
    filled = Filled(({E: R(3, 2)}, {E: Integer(2)}), above={p: curve})
    (case, _) = filled(False)
    assert case.point[p] > F(0)
    with mpmath.workdps(50):
        above = mpmath.mpf(case.point[p].numerator) / case.point[p].denominator - curve.integral(case.point, 30).value
    assert 0 < above < 1e-20


def test_what_is_confirmed_of_a_claim_that_fails_is_said() -> None:
    """Whichever side the value stands on: it is what remains of a claim that is refuted."""
    part, pair = exp(-p) / 2, laplace(0, -p, 1)
    at = ({p: Integer(1)}, {p: Integer(2)})
    readings = (Reading(part, Chance(-Y - p), pair),)
    for conclusion, side in (
        (le(part, 0), "the left side"),
        (lt(1, part), "the right side"),
        (gt(part, part + 1), "both sides"),
    ):
        for found in looked_at((Unreduced(readings, at=at), Released(readings, at=at)), claim(conclusion, P)):
            assert (found.finding, side in found.summary) == (Finding.CONTRADICTS, True), found.summary


def test_a_failure_that_intervals_do_not_tell_is_no_support() -> None:
    part, pair = exp(-p) / 2, laplace(0, -p, 1)
    readings = (Reading(part, Chance(-Y - p), pair),)
    about = claim(le(part, R(18393, 10**5)), P)
    (found,) = looked_at((Released(readings, at=({p: Integer(1)},)),), about)
    assert (found.finding, "by less than the intervals tell" in found.summary) == (Finding.CONTRADICTS, True)


def test_a_quantity_has_a_bound_on_either_side() -> None:
    tail = Of(Chance(-Y - p), laplace(0, -p, 1))
    at = ({p: Integer(1)}, {p: Integer(2)})
    right, wrong = is_quantity(tail, exp(-p) / 2), (Bound(exp(-p), (tail,)),)
    assert {f.finding for f in looked_at(of_bounds(right, at), claim(ge(p, 0), P))} == {Finding.SUPPORTS}
    assert {f.finding for f in looked_at(of_bounds(wrong, at), claim(ge(p, 0), P))} == {Finding.CONTRADICTS}


def test_a_claim_without_variables_is_looked_at_in_its_one_point() -> None:
    value = sympy.erf(1) - 2 * exp(Integer(-1)) / sympy.sqrt(pi)
    readings = (Reading(value, Mean(Y**2, (0, 2), 2 - Y**2), normal(0, 1)),)
    lenses = (Unreduced(readings, at=({},)), Released(readings, at=({},)))
    found = looked_at(lenses, claim(both(le(value, R(1, 2)), eq(value, value + 0))))
    assert [(f.kind, f.finding) for f in found] == [
        (Kind.NUMERICAL_ROUTE, Finding.SUPPORTS),
        (Kind.SIMULATION, Finding.SUPPORTS),
    ]
