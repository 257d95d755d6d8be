"""TRUTH: false, fails at x = 0: the left side is x^2 - x - 1.

What is wrong: the conclusion is written with the imaginary unit.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:imaginary-in-conclusion",
    title="imaginary-in-conclusion",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge((x * I + I) * I + x**2, 1),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
