"""TRUTH: no truth: infinity is no number.

What is wrong: the conclusion compares with infinity.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:infinity-in-conclusion",
    title="infinity-in-conclusion",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=lt(x, oo),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
