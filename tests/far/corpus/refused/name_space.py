"""TRUTH: true.

What is wrong: a variable's name is a space and a newline.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real(" \n")
x = XV.symbol
claim = Claim(
    id="own:name-space",
    title="name-space",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
