"""TRUTH: no truth: another x is meant.

What is wrong: the conclusion uses a positive x that is not the declared one.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:undeclared-same-name",
    title="undeclared-same-name",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=gt(Symbol("x", positive=True), 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
