"""TRUTH: false, fails at y = -7/10**16.

What is wrong: the control is 1 < 0, without a variable; the premise is taken at log(y).
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

from rgm_verify.lenses import Deduction, Premise, Smt

XV = real("x")
x = XV.symbol
YV = real("y", lower=Rational(-1, 10**15), lower_open=True, upper=1)
y = YV.symbol
premise = Claim(
    id="own:mutant-premise",
    title="mutant-premise",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    checks=(Smt(),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
claim = Claim(
    id="own:mutant-constant",
    title="mutant-constant",
    source="corpus",
    where="-",
    kind="false",
    variables=(YV,),
    conclusion=ge(y + Rational(1, 2 * 10**15), 0),
    checks=(Deduction((Premise("own:mutant-premise", {x: log(y)}),)),),
    mutants=(Mutant("one is negative", conclusion=lt(1, 0)),),
)
