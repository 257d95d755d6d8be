"""TRUTH: true.

What is wrong: a check is the class and not a lens.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Smt

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:lens-class",
    title="lens-class",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    checks=(Smt,),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
