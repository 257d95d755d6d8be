"""TRUTH: no truth: y is not declared.

What is wrong: the conclusion uses an undeclared symbol.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:undeclared",
    title="undeclared",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=ge(x**2, -Symbol("y", real=True)**2),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
