"""TRUTH: true.

What is wrong: a variable has an empty name.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("")
x = XV.symbol
claim = Claim(
    id="own:name-empty",
    title="name-empty",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
