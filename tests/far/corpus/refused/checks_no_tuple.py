"""TRUTH: true.

What is wrong: checks is a lens and not a tuple of lenses.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Smt

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:checks-no-tuple",
    title="checks-no-tuple",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    checks=Smt(),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
