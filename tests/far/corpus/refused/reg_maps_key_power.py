"""TRUTH: false, fails at {'u': 'sqrt(2)'}.

What is wrong: a map for a power.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

UV = real('u', lower=0, upper=2)
u = UV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:reg-maps-key-power',
    title='reg-maps-key-power',
    source="corpus",
    where="-",
    kind='false',
    variables=(UV,),
    conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), Rational(1, 1000000000000)),
    checks=(Region(chart=Chart(ranges={t: (0, 2)}, maps={u: t, (u)**(Integer(2)): Integer(5)}, inverse={t: u})),),
    mutants=(Mutant('far off', conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)) + Rational(-1, 1000000000000), (((u)**(Integer(2)) + Integer(-2))**(Integer(2)) + Rational(-1, 1000000000000))**(Integer(2)) + Integer(1))), ),
    remark='a map for a power',
)
