"""TRUTH: true (x^2 >= 0), but the quantifier is None.

What is wrong: the quantifier is None.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:quantifier-none",
    title="quantifier-none",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    quantifier=None,
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
