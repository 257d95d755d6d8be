"""TRUTH: ill-posed: 0/0 at sqrt(2); SymPy writes the same on both sides.

What is wrong: both sides are the same object.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:same-sides-cancelled",
    title="same-sides-cancelled",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=eq((x**2 - 2)**3 / (x**2 - 2), (x**2 - 2)**2),
    mutants=(Mutant("one", conclusion=eq((x**2 - 2)**2, -1)),),
)
