"""TRUTH: false, fails at {'w': '-sqrt(1/2)'}.

What is wrong: factor and target use another t; the program knows names only.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

WV = real('w', lower=-1, upper=1)
w = WV.symbol
t = Symbol('t', real=True)
t_ = Symbol('t', real=True, positive=True)

claim = Claim(
    id='own:reg-factor-foreign',
    title='reg-factor-foreign',
    source="corpus",
    where="-",
    kind='false',
    variables=(WV,),
    hypotheses=(Hypothesis('h0', ge((w)**(Integer(2)), Rational(1, 4))), Hypothesis('h1', either(gt(w, Integer(0)), eq((Integer(2))*((w)**(Integer(2))), Integer(1)))), ),
    conclusion=ge(w, Integer(0)),
    checks=(Region(chart=Chart(ranges={t: (-1, 1)}, maps={w: t}, inverse={t: w}), target=(t)*((t_)**(Integer(-1))), factor=t_),),
    mutants=(Mutant('far off', conclusion=ge(w, (w)**(Integer(2)) + Integer(1))), ),
    remark='factor and target use another t; the program knows names only',
)
