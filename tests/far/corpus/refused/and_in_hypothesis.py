"""TRUTH: true as meant (0 <= x <= 1); Python keeps x <= 1 only, and then it fails at x = -1.

What is wrong: `and` between relations in a hypothesis.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:and-in-hypothesis",
    title="and-in-hypothesis",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=le(x**2, x),
    hypotheses=(Hypothesis("unit", ge(x, 0) and le(x, 1)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
