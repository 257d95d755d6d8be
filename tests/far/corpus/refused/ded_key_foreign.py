"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: keys that are no variables.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise, Smt

XV = real('x')
x = XV.symbol
YV = real('y', lower=Rational(-1, 1000000000000000), upper=1, lower_open=True)
y = YV.symbol
x_ = Symbol('x')

premise_0 = Claim(
    id='own:ded-premise-abs',
    title='ded-premise-abs',
    source="corpus",
    where="-",
    kind='true',
    variables=(XV,),
    conclusion=ge(Abs(x), Integer(0)),
    checks=(Smt(),),
    mutants=(Mutant('far off', conclusion=ge(Abs(x), (x)**(Integer(2)) + Integer(1))), ),
    remark='an absolute value',
)
claim = Claim(
    id='own:ded-key-foreign',
    title='ded-key-foreign',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge(y, Integer(0)),
    checks=(Deduction(premises=(Premise(claim='own:ded-premise-abs', at={x_: y, Abs(x): y}),)),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='keys that are no variables',
)
