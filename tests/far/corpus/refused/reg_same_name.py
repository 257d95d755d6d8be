"""TRUTH: false, fails at {'y': '-7/10**16'}.

What is wrong: a positive coordinate of the same name.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

YV = real('y', lower=Rational(-1, 1000000000000000), upper=1)
y = YV.symbol
y_ = Symbol('y', positive=True)

claim = Claim(
    id='own:reg-same-name',
    title='reg-same-name',
    source="corpus",
    where="-",
    kind='false',
    variables=(YV,),
    conclusion=ge(y + Rational(1, 2000000000000000), Integer(0)),
    checks=(Region(chart=Chart(ranges={y_: (Rational(-1, 1000000000000000), 1)}, maps={y: y_}, inverse={y_: y})),),
    mutants=(Mutant('bigger', conclusion=gt(y, Rational(1, 2))), ),
    remark='a positive coordinate of the same name',
)
