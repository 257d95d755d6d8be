"""Numerical routes that support: what exactly their intervals, widths and degrees must show."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
import sympy

from rgm_verify.balls.enclose import Enclosure
from rgm_verify.claims import Claim, both, eq, ge, le, positive, real
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Quadrature, Scaling, Simulation, Units
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.worlds.reduction import relative_width

F = Fraction
P, Q = positive("p"), positive("q")
p, q = P.symbol, Q.symbol


def claim(conclusion: Any, *variables: Any, **rest: Any) -> Claim:
    return Claim(id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, conclusion=conclusion,
                 **rest)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- simulation


@pytest.mark.parametrize(
    ("right", "wrong", "supports", "words"),
    [
        ((0.5, 1.5), (2.0, 3.0), True, "contains the exact value"),
        ((1.0, 1.0), (2.0, 3.0), True, "contains the exact value"),
        ((1.0, 2.0), (1.5, 3.0), True, "contains the exact value"),
        ((0.0, 1.0), (-3.0, 0.5), True, "contains the exact value"),
        ((1.25, 1.5), (2.0, 3.0), False, "misses the exact value"),
        ((0.25, 0.5), (2.0, 3.0), False, "misses the exact value"),
        ((0.5, 1.5), (0.5, 1.5), False, "power control failed"),
        ((0.5, 1.5), (1.0, 1.5), False, "power control failed"),
        (None, (2.0, 3.0), False, "inconclusive"),
        ((0.5, 1.5), None, False, "inconclusive"),
        ((math.nan, 1.5), (2.0, 3.0), False, "inconclusive"),
        ((0.5, math.inf), (2.0, 3.0), False, "inconclusive"),
        ((0.5, 1.5), (2.0, math.inf), False, "inconclusive"),
    ],
)
def test_a_simulation_supports_where_the_true_scale_fits_and_a_wrong_one_does_not(
    right: Any, wrong: Any, supports: bool, words: str
) -> None:
    found = Simulation().compare(Enclosure(F(1), F(1)), right, wrong, 100, "")
    assert (found.finding is Finding.SUPPORTS, words in found.summary) == (supports, True)


@pytest.mark.parametrize("value", [Enclosure(None, F(1)), Enclosure(F(1), None)])
def test_a_simulation_says_nothing_of_a_value_without_an_end(value: Enclosure) -> None:
    assert Simulation().compare(value, (0.5, 1.5), (2.0, 3.0), 100, "").finding is Finding.UNDECIDED


def test_an_experiment_gets_the_false_alarm_rate_and_both_scales() -> None:
    seen = []

    def experiment(samples: int, generator: Any, rate: float, scale: float) -> tuple[float, float]:
        seen.append((samples, generator.random(), rate, scale))
        return (4 * scale - 0.1, 4 * scale + 0.1)

    lens = Simulation(experiment, expected=p**2, at={p: 2}, wrong_scale=F(3, 2), false_alarm=1e-6)
    (found,) = lens.run(claim(ge(p, 0), P), Context())
    assert found.finding is Finding.SUPPORTS
    assert [entry[2:] for entry in seen] == [(1e-6, 1.0), (1e-6, 1.5)]
    assert seen[0][1] != seen[1][1]
    (again,) = lens.run(claim(ge(p, 0), P), Context())
    assert again.details == found.details


# ---------------------------------------------------------------------------------------------------------------- units


@pytest.mark.parametrize(
    ("conclusion", "alike"),
    [
        (eq(p * q, q * p + 0), True),
        (le(p**2, q**2), True),
        (le(p**2, q), False),
        (le(p * q, p**2 + q**2), True),
        (le(p * q, p**2 + q), False),
        (ge(p**2 + q**2, 0), True),
        (ge(p**2 + q, 0), False),
        (both(le(p, q), le(p**2, p * q)), True),
        (both(le(p, q), le(p**2, q)), False),
        (le(sympy.log(p / q), 1), True),
        (le(sympy.log(p), q / q), False),
        # The parts scale each in its way, and what does not scale cancels.
        (le(2 * sympy.log(p) - sympy.log(p * q), 1), True),
        (le(2 * sympy.log(p) - sympy.log(q), 1), False),
        (le(p ** sympy.log(2) * q ** (1 - sympy.log(2)), q), True),
        (le((p + 1) ** 2 - 2 * p - 1, q**2), True),
    ],
)
def test_both_sides_scale_alike(conclusion: Any, alike: bool) -> None:
    (found,) = Units({p: 1, q: 1}).run(claim(conclusion, P, Q), Context())
    assert (found.finding is Finding.SUPPORTS) is alike


def test_a_weight_is_the_power_of_the_scale() -> None:
    about = claim(le(p**3, q**2), P, Q)
    assert Units({p: 2, q: 3}).run(about, Context())[0].finding is Finding.SUPPORTS
    assert "degrees 6" in Units({p: 2, q: 3}).run(about, Context())[0].summary
    assert Units({p: F(1, 3), q: F(1, 2)}).run(about, Context())[0].finding is Finding.SUPPORTS
    assert Units({p: 3, q: 2}).run(about, Context())[0].finding is Finding.UNDECIDED


# ------------------------------------------------------------------------------------------------------------ integrals


@pytest.mark.parametrize(
    ("low", "high", "width"),
    [(1, 1, F(0)), (0, 0, F(0)), (1, 2, F(1, 2)), (-4, -3, F(1, 4)), (-1, 1, F(2)), (None, 1, F(1)), (1, None, F(1))],
)
def test_a_width_is_relative_to_the_larger_end(low: int | None, high: int | None, width: Fraction) -> None:
    assert relative_width(Enclosure(*(None if v is None else F(v) for v in (low, high)))) == width


@pytest.mark.parametrize("dimension", [1, 3])
def test_an_integral_against_a_normal_density_is_its_closed_form(dimension: int) -> None:
    """The integral over R^d of exp(-|u|^2 / (2p) + u_1 / p) is (2 pi p)^(d/2) exp(1 / (2p))."""
    u = sympy.Symbol("u", real=True)
    exponent = -(u**2) / (2 * p) + u / p
    value = (2 * sympy.pi * p) ** sympy.Rational(dimension, 2) * sympy.exp(1 / (2 * p))
    lens = Quadrature(exponent, u, value, dimension=dimension, count=3)
    about = claim(ge(p, 0), P, )  # fmt: skip
    (found,) = lens.run(about, Context())
    assert found.finding is Finding.SUPPORTS
    assert found.families == (("arb", "mpmath") if dimension == 1 else ("arb",))
    doubled = Quadrature(exponent, u, 2 * value, dimension=dimension, count=3, prefactor=sympy.Integer(2))
    assert doubled.run(about, Context())[0].finding is Finding.SUPPORTS
    for wrong in (value * (1 + sympy.Rational(1, 10**12)), -value, value * p):
        broken = Quadrature(exponent, u, wrong, dimension=dimension, count=3)
        (noticed,) = broken.run(about, Context())
        assert (noticed.finding, "disagrees" in noticed.summary) == (Finding.UNDECIDED, True)


def test_a_scaling_that_reverses_an_inequality_is_noticed() -> None:
    x = real("x").symbol
    about = claim(le(x, x**2 + 1), real("x"))
    flipped = Scaling("sign", {x: -x}, broken={"as it is": {x: -x}})
    (found,) = flipped.run(about, Context())
    assert found.finding is not Finding.SUPPORTS
