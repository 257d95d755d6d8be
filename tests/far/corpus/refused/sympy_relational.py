"""TRUTH: true.

What is wrong: the conclusion is a relational of SymPy.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:sympy-relational",
    title="sympy-relational",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=x**2 >= 0,
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
