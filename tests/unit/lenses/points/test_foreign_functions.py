"""Functions that no room of the engine knows: a claim with one of them is judged to the end, and is not proved."""

import numpy as np
import pytest
import sympy

from rgm_verify.claims import Claim, Relation, real
from rgm_verify.claims.evidence import Kind
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses.base import PROFILES, Context
from rgm_verify.lenses.points.floats import numeric

X = real("x", lower=1, upper=3)
x = X.symbol
f = sympy.Function("f")
FOREIGN = [
    sympy.expint(1, x), f(x), sympy.primepi(x), sympy.elliptic_k(x / 4), sympy.polylog(2, x / 4), sympy.li(x + 2),
    sympy.Chi(x), sympy.hyper([1, 2], [3], x / 10), sympy.meijerg([[], []], [[1], []], x), sympy.stieltjes(x),
    sympy.Derivative(f(x), x), sympy.DiracDelta(x - 20),
]  # fmt: skip


@pytest.mark.parametrize("expression", FOREIGN, ids=str)
def test_floats_of_an_unknown_function_are_not_numbers(expression):
    values = np.asarray(numeric(expression + 1, (x,))(np.array([1.5, 2.0])), dtype=float)
    assert values.shape == (2,)
    assert np.isnan(values).all()


def test_floats_of_known_functions_are_numbers():
    values = numeric(sympy.zeta(x + 1) + sympy.besselj(0, x) + sympy.exp(x), (x,))(np.array([1.5, 2.0]))
    assert np.isfinite(values).all()


@pytest.mark.parametrize("op", [">=", "<="])
@pytest.mark.parametrize("expression", [sympy.expint(1, x), f(x), sympy.Derivative(f(x), x)], ids=str)
def test_a_claim_about_an_unknown_function_is_judged_to_the_end(expression, op):
    claim = Claim(
        id="foreign:claim", title="Foreign", source="-", where="-", kind="bound", variables=(X,), hypotheses=(),
        conclusion=Relation(expression, op, sympy.Integer(0)),
    )  # fmt: skip
    record = run_claim(claim, Context(profile=PROFILES["quick"], seed=1, claims={claim.id: claim}))
    assert {e["kind"] for e in record["evidence"]} <= {Kind.NOTE, Kind.SEARCH}
