"""A symbol may share its name with a function of the formula: the noise level gamma and the gamma function."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import sympy

from rgm_verify.claims import Claim, Mutant, ge, le, positive
from rgm_verify.lenses import Points
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.floats import numeric
from rgm_verify.lenses.points.numeric import mpmath_value

LEVEL = positive("gamma")
level = LEVEL.symbol
TAIL = sympy.uppergamma(level / 2, level) / sympy.gamma(level / 2)


def test_a_float_function_tells_the_symbol_gamma_from_the_function() -> None:
    value = numeric(TAIL, [level])(np.array([2.0, 4.0]))
    expected = [float(TAIL.subs(level, n)) for n in (2, 4)]
    assert np.all(np.abs(value - expected) <= 64 * np.finfo(float).eps)


def test_mpmath_tells_the_symbol_gamma_from_the_function() -> None:
    value, error = mpmath_value(TAIL, {level: Fraction(2)})
    with mpmath.workdps(120):
        assert abs(value - mpmath.exp(-2)) <= error


def test_points_decide_a_claim_with_both() -> None:
    claim = Claim(
        id="test:both-gammas",
        title="A tail is a probability",
        source="test",
        where="here",
        kind="inequality",
        variables=(LEVEL,),
        conclusion=le(TAIL, 1),
        mutants=(Mutant("direction", ge(TAIL, 1)),),
    )
    found = Points(count=3).run(claim, Context())
    assert "Arb agrees at 3" in found[0].summary
