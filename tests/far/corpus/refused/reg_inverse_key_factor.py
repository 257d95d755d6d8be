"""TRUTH: false, fails at {'u': 'sqrt(2)'}.

What is wrong: an inverse for an expression makes the factor positive.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

UV = real('u', lower=0, upper=2)
u = UV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:reg-inverse-key-factor',
    title='reg-inverse-key-factor',
    source="corpus",
    where="-",
    kind='false',
    variables=(UV,),
    conclusion=gt(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), Integer(0)),
    checks=(Region(chart=Chart(ranges={t: (0, 2)}, maps={u: t}, inverse={t: u, (t)**(Integer(2)) + Integer(-2): Integer(1)}), target=Integer(1), factor=((t)**(Integer(2)) + Integer(-2))**(Integer(2))),),
    mutants=(Mutant('far off', conclusion=ge(((u)**(Integer(2)) + Integer(-2))**(Integer(2)), ((u)**(Integer(2)) + Integer(-2))**(Integer(4)) + Integer(1))), ),
    remark='an inverse for an expression makes the factor positive',
)
