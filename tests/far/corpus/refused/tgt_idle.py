"""TRUTH: false, fails at {'x': 'log(2)'}.

What is wrong: tightness says nothing of the claim.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real

XV = real('x')
x = XV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:tgt-idle',
    title='tgt-idle',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    conclusion=gt((exp(x) + Integer(-2))**(Integer(2)), Integer(0)),
    tightness=(Tightness(ratio=(t)**(Integer(2)) + Integer(1), ranges={t: (0, 1)}, meaning='an idle ratio'),),
    mutants=(Mutant('far off', conclusion=ge((exp(x) + Integer(-2))**(Integer(2)), (exp(x) + Integer(-2))**(Integer(4)) + Integer(1))), ),
    remark='tightness says nothing of the claim',
)
