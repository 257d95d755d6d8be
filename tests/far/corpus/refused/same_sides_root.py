"""TRUTH: ill-posed: sqrt(x) has no value for x < 0; SymPy writes x = x.

What is wrong: both sides are the same object.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:same-sides-root",
    title="same-sides-root",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=eq(sqrt(x)**2, x),
    mutants=(Mutant("double", conclusion=eq(sqrt(x)**2, 2 * x + 1)),),
)
