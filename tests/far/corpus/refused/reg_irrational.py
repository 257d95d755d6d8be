"""TRUTH: false, fails at {'w': '5/1048577'}.

What is wrong: the coordinate is declared irrational.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

WV = real('w', lower=-1, upper=1)
w = WV.symbol
c = Symbol('c', irrational=True)

claim = Claim(
    id='own:reg-irrational',
    title='reg-irrational',
    source="corpus",
    where="-",
    kind='false',
    variables=(WV,),
    conclusion=ge((w + Rational(-5, 1048577))**(Integer(2)), Rational(1, 1000000000000000000000000000000)),
    checks=(Region(chart=Chart(ranges={c: (-1, 1)}, maps={w: c}, inverse={c: w})),),
    mutants=(Mutant('far off', conclusion=ge((w + Rational(-5, 1048577))**(Integer(2)) + Rational(-1, 1000000000000000000000000000000), ((w + Rational(-5, 1048577))**(Integer(2)) + Rational(-1, 1000000000000000000000000000000))**(Integer(2)) + Integer(1))), ),
    remark='the coordinate is declared irrational',
)
