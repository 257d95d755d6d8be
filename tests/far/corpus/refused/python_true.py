"""TRUTH: no statement at all.

What is wrong: the conclusion is Python's True.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:python-true",
    title="python-true",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=True,
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
