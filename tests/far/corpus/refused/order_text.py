"""TRUTH: false, fails at x = 0.

What is wrong: the order of Monotone is a text.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Monotone

XV = real("x", lower=0)
x = XV.symbol
claim = Claim(
    id="own:order-text",
    title="order-text",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=gt(x, 0),
    checks=(Monotone(x, Integer(0), "1"),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
