"""TRUTH: false, fails at {'u': 'sqrt(2)'}.

What is wrong: maps for numbers change conclusion and hypotheses.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

UV = real('u', lower=0, upper=2)
u = UV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:reg-exclusion',
    title='reg-exclusion',
    source="corpus",
    where="-",
    kind='false',
    variables=(UV,),
    hypotheses=(Hypothesis('h0', either(ge(u, Integer(0)), le(u, Integer(0)))), ),
    conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), Rational(1, 1000000000000000)),
    checks=(Region(chart=Chart(ranges={t: (0, 2)}, maps={u: t, Rational(1, 1000000000000000): Integer(-1), Integer(0): Integer(1)}, inverse={t: u})),),
    mutants=(Mutant('far off', conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)) + Rational(-1, 1000000000000000), (((u)**(Integer(2)) + Integer(-2))**(Integer(2)) + Rational(-1, 1000000000000000))**(Integer(2)) + Integer(1))), ),
    remark='maps for numbers change conclusion and hypotheses',
)
