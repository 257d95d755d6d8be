"""TRUTH: false, fails at {'y': '5/10**16'}.

What is wrong: an integer of the same name.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise, Smt

NV = real('n', integer=True)
n = NV.symbol
YV = real('y', lower=Rational(-1, 1000000000000000), upper=Rational(1, 1000000000000000))
y = YV.symbol
y_ = Symbol('y', integer=True)

premise_0 = Claim(
    id='own:ded-premise-integers',
    title='ded-premise-integers',
    source="corpus",
    where="-",
    kind='true',
    variables=(NV,),
    conclusion=ge((n)**(Integer(2)), n),
    checks=(Smt(),),
    mutants=(Mutant('far off', conclusion=ge((n)**(Integer(2)) + (Integer(-1))*(n), ((n)**(Integer(2)) + (Integer(-1))*(n))**(Integer(2)) + Integer(1))), ),
    remark='n(n-1) >= 0 for integers',
)
claim = Claim(
    id='own:ded-foreign-integer',
    title='ded-foreign-integer',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge((y)**(Integer(2)), y),
    checks=(Deduction(premises=(Premise(claim='own:ded-premise-integers', at={n: y_}),)),),
    mutants=(Mutant('far off', conclusion=ge((y)**(Integer(2)) + (Integer(-1))*(y), ((y)**(Integer(2)) + (Integer(-1))*(y))**(Integer(2)) + Integer(1))), ),
    remark='an integer of the same name',
)
