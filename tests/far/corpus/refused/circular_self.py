"""TRUTH: false, fails at x = 0.

What is wrong: a claim rests on itself.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:circular-self",
    title="circular-self",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x**2, 1),
    checks=(Deduction((Premise("own:circular-self"),)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
