"""TRUTH: false everywhere (nothing holds).

What is wrong: a disjunction without parts.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:empty-either",
    title="empty-either",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=either(),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
