"""TRUTH: false, both fail at x = 0.

What is wrong: two claims rest on each other.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise

XV = real("x")
x = XV.symbol
one = Claim(
    id="own:circular-one",
    title="circular-one",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x**2, 1),
    checks=(Deduction((Premise("own:circular-two"),)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
two = Claim(
    id="own:circular-two",
    title="circular-two",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(2 * x**2, 2),
    checks=(Deduction((Premise("own:circular-one"),)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
