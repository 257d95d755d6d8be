"""TRUTH: true (nothing is claimed).

What is wrong: a conjunction without parts.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:empty-all",
    title="empty-all",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=both(),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
