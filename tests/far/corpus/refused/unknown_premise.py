"""TRUTH: false, fails at x = 0.

What is wrong: the premise does not exist.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:unknown-premise",
    title="unknown-premise",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x**2, 1),
    checks=(Deduction((Premise("own:nowhere"),)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
