"""TRUTH: false, fails at x = 0.

What is wrong: the conclusion is SymPy's And.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:sympy-and",
    title="sympy-and",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=And(x >= 1, x**2 >= 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
