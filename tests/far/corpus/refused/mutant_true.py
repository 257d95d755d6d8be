"""TRUTH: true.

What is wrong: the control is the claim itself, which is true.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:mutant-true",
    title="mutant-true",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    mutants=(Mutant("itself", conclusion=ge(x**2, 0)),),
)
