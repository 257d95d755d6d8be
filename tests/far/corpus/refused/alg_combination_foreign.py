"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: a positive symbol of the same name.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Combination

YV = real('y', lower=Rational(-1, 1000000000000000), upper=1, lower_open=True)
y = YV.symbol
y_ = Symbol('y', positive=True)

claim = Claim(
    id='own:alg-combination-foreign',
    title='alg-combination-foreign',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge(y + Rational(1, 2000000000000000), Integer(0)),
    checks=(Combination(terms=((y_ + Rational(1, 2000000000000000),),)),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='a positive symbol of the same name',
)
