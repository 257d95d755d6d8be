"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: the hypothesis is evident of another y.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise, Smt

XV = real('x', lower=0, lower_open=True)
x = XV.symbol
YV = real('y', lower=Rational(-1, 1000000000000000), upper=1, lower_open=True)
y = YV.symbol
y_ = Symbol('y', positive=True)

premise_0 = Claim(
    id='own:ded-premise-inverse-root',
    title='ded-premise-inverse-root',
    source="corpus",
    where="-",
    kind='true',
    variables=(XV,),
    conclusion=gt((x)**(Rational(-1, 2)), Integer(0)),
    checks=(Smt(),),
    mutants=(Mutant('far off', conclusion=ge((x)**(Rational(-1, 2)), Integer(1) + (x)**(Integer(-1)))), ),
    remark='positive',
)
claim = Claim(
    id='own:ded-foreign-root',
    title='ded-foreign-root',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=gt(y, Integer(0)),
    checks=(Deduction(premises=(Premise(claim='own:ded-premise-inverse-root', at={x: y_}),)),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='the hypothesis is evident of another y',
)
