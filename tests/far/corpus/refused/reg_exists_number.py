"""TRUTH: true, holds at [{'u': 'sqrt(2)'}].

What is wrong: the cheat certifies the negation.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

UV = real('u', lower=0, upper=2)
u = UV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:reg-exists-number',
    title='reg-exists-number',
    source="corpus",
    where="-",
    kind='true',
    variables=(UV,),
    conclusion=le(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), Rational(1, 1000000000000000)),
    quantifier='exists',
    checks=(Region(chart=Chart(ranges={t: (0, 2)}, maps={u: t, Rational(1, 1000000000000000): Integer(-1)}, inverse={t: u})),),
    mutants=(Mutant('negative', conclusion=le(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), Rational(-1, 1000000000000000))), ),
    remark='the cheat certifies the negation',
)
