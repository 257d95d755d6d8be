"""TRUTH: true.

What is wrong: a hypothesis is a relational of SymPy.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:sympy-relational-hypothesis",
    title="sympy-relational-hypothesis",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, x),
    hypotheses=(Hypothesis("large", x >= 1),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
