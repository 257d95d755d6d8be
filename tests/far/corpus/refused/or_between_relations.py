"""TRUTH: true as meant (x >= 1 or x <= 2); Python keeps only x >= 1, which fails at 0.

What is wrong: `or` between relations drops the second.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:or-between-relations",
    title="or-between-relations",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x, 1) or le(x, 2),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
