"""TRUTH: false, fails at {'n': '123456789'}.

What is wrong: the coordinate is declared even.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

NV = real('n', lower=0, upper=1000000000, integer=True)
n = NV.symbol
c = Symbol('c', even=True)

claim = Claim(
    id='own:reg-even',
    title='reg-even',
    source="corpus",
    where="-",
    kind='false',
    variables=(NV,),
    conclusion=ge((Integer(2))*((n + Integer(-123456789))**(Integer(2))) + Rational(1, 2), Integer(1) + (Integer(-1))*(cos((Rational(1, 2))*(pi)*(n)*(n + Integer(2))))),
    checks=(Region(chart=Chart(ranges={c: (0, 1000000000)}, maps={n: c}, inverse={c: n})),),
    mutants=(Mutant('the other way', conclusion=lt((Integer(2))*((n + Integer(-123456789))**(Integer(2))) + Rational(1, 2), Integer(1) + (Integer(-1))*(cos((Rational(1, 2))*(pi)*(n)*(n + Integer(2)))))), ),
    remark='the coordinate is declared even',
)
