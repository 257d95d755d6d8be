"""TRUTH: false, fails at {'n': '123456788'}.

What is wrong: the shifted coordinate is declared even.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

NV = real('n', lower=0, upper=1000000000, integer=True)
n = NV.symbol
c = Symbol('c', even=True)

claim = Claim(
    id='own:reg-even-shifted',
    title='reg-even-shifted',
    source="corpus",
    where="-",
    kind='false',
    variables=(NV,),
    conclusion=ge((Integer(2))*((n + Integer(-123456788))**(Integer(2))) + Rational(1, 2), Integer(1) + (Integer(-1))*(cos((Rational(1, 2))*(pi)*(n + Integer(1))*(n + Integer(3))))),
    checks=(Region(chart=Chart(ranges={c: (1, 1000000001)}, maps={n: c + Integer(-1)}, inverse={c: n + Integer(1)})),),
    mutants=(Mutant('the other way', conclusion=lt((Integer(2))*((n + Integer(-123456788))**(Integer(2))) + Rational(1, 2), Integer(1) + (Integer(-1))*(cos((Rational(1, 2))*(pi)*(n + Integer(1))*(n + Integer(3)))))), ),
    remark='the shifted coordinate is declared even',
)
