"""TRUTH: true, but SymPy has done the work while the claim was written.

What is wrong: both sides are the same object.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:same-sides-derivative",
    title="same-sides-derivative",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=eq(diff(exp(x**2), x), 2 * x * exp(x**2)),
    mutants=(Mutant("half", conclusion=eq(diff(exp(x**2), x), x * exp(x**2) + 1)),),
)
