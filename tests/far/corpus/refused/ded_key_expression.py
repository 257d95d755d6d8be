"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: a key that is no variable.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise, Smt

XV = real('x')
x = XV.symbol
YV = real('y', lower=Rational(-1, 1000000000000000), upper=1, lower_open=True)
y = YV.symbol

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
    id='own:ded-key-expression',
    title='ded-key-expression',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge(y, Integer(0)),
    checks=(Deduction(premises=(Premise(claim='own:ded-premise-square', at={(x)**(Integer(2)): y}),)),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='a key that is no variable',
)
