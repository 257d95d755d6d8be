"""TRUTH: false, fails at x = 2.

What is wrong: the conclusion is SymPy's Eq.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:sympy-eq",
    title="sympy-eq",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=Eq(x**2, x),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
