"""TRUTH: false, fails at x = 0.

What is wrong: a float.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:float-constant",
    title="float-constant",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x**2, 0.1),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
