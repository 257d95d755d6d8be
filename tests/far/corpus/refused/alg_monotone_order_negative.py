"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: no order.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Monotone

YV = real('y', lower=Rational(-1, 1000000000000000), upper=1, lower_open=True)
y = YV.symbol

claim = Claim(
    id='own:alg-monotone-order-negative',
    title='alg-monotone-order-negative',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge(y + Rational(1, 2000000000000000), Integer(0)),
    checks=(Monotone(variable=y, order=-1),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='no order',
)
