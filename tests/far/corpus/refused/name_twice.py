"""TRUTH: false, fails at x = -1 for the real one.

What is wrong: two variables of one name.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
PV = real("x", lower=0, lower_open=True)
claim = Claim(
    id="own:name-twice",
    title="name-twice",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV, PV,),
    conclusion=ge(x, 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
