"""TRUTH: false as meant (0 <= x^2 <= 1), fails at x = 2; Python's chain keeps the second part.

What is wrong: a chain of relations with `and` inside.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:chained-python",
    title="chained-python",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=le(x**2, 1) and le(0, x**2),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
