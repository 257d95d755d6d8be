"""TRUTH: false as meant, fails at x = 0; Python keeps only x^2 >= 0.

What is wrong: `and` between relations drops the first.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:and-between-relations",
    title="and-between-relations",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x, 1) and ge(x**2, 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
