"""TRUTH: false as meant (x^2 = x), fails at 2; Python compares the objects and says False.

What is wrong: the conclusion is Python's ==.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:python-equals",
    title="python-equals",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=x**2 == x,
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
