"""TRUTH: false, fails at {'u': 'pi/2'}.

What is wrong: a map for pi.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

UV = real('u', lower=0, upper=2)
u = UV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:reg-maps-key-pi',
    title='reg-maps-key-pi',
    source="corpus",
    where="-",
    kind='false',
    variables=(UV,),
    conclusion=ge((u + (Rational(-1, 2))*(pi))**(Integer(2)), Rational(1, 1000000000000)),
    checks=(Region(chart=Chart(ranges={t: (0, 2)}, maps={u: t, pi: Integer(7)}, inverse={t: u})),),
    mutants=(Mutant('far off', conclusion=ge((u + (Rational(-1, 2))*(pi))**(Integer(2)) + Rational(-1, 1000000000000), ((u + (Rational(-1, 2))*(pi))**(Integer(2)) + Rational(-1, 1000000000000))**(Integer(2)) + Integer(1))), ),
    remark='a map for pi',
)
