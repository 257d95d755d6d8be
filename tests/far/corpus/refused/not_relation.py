"""TRUTH: false as meant (not x^2 >= 0), Python makes it False.

What is wrong: `not` of a relation.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:not-relation",
    title="not-relation",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=not ge(x**2, 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
