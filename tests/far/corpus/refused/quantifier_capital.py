"""TRUTH: false: no real x squares to -1; and false if it is read as `for all`.

What is wrong: the quantifier has a capital letter.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:quantifier-capital",
    title="quantifier-capital",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=eq(x**2, -1),
    quantifier="Exists",
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
