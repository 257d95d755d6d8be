"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: a negative symbol of the same name.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise, Smt

XV = real('x')
x = XV.symbol
YV = real('y', lower=Rational(-1, 1000000000000000), upper=1, lower_open=True)
y = YV.symbol
y_ = Symbol('y', negative=True)

premise_0 = Claim(
    id='own:ded-premise-square',
    title='ded-premise-square',
    source="corpus",
    where="-",
    kind='true',
    variables=(XV,),
    conclusion=ge((x)**(Integer(2)), Integer(0)),
    checks=(Smt(),),
    mutants=(Mutant('far off', conclusion=ge((x)**(Integer(2)), (x)**(Integer(4)) + Integer(1))), ),
    remark='a square',
)
claim = Claim(
    id='own:ded-foreign-square',
    title='ded-foreign-square',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge(y + Rational(1, 2000000000000000), Integer(0)),
    checks=(Deduction(premises=(Premise(claim='own:ded-premise-square', at={x: (y_)**(Rational(1, 2))}),)),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='a negative symbol of the same name',
)
