"""TRUTH: false, fails at {'u': 'sqrt(2)'}.

What is wrong: the chart covers half of the domain.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

UV = real('u', lower=0, upper=2)
u = UV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:reg-inverse-key-variable',
    title='reg-inverse-key-variable',
    source="corpus",
    where="-",
    kind='false',
    variables=(UV,),
    conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), Rational(1, 1000000000000000)),
    checks=(Region(chart=Chart(ranges={t: (0, 1)}, maps={u: t}, inverse={t: u, u: (Rational(1, 2))*(u)})),),
    mutants=(Mutant('far off', conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)) + Rational(-1, 1000000000000000), (((u)**(Integer(2)) + Integer(-2))**(Integer(2)) + Rational(-1, 1000000000000000))**(Integer(2)) + Integer(1))), ),
    remark='the chart covers half of the domain',
)
