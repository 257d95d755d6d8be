"""TRUTH: false, fails at {'z': 'sqrt(1/2)'}.

What is wrong: z^2 >= 1 by a map for 0.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise, Smt

XV = real('x')
x = XV.symbol
ZV = real('z')
z = ZV.symbol

premise_0 = Claim(
    id='own:ded-premise-square',
    title='ded-premise-square',
    source="corpus",
    where="-",
    kind='true',
    variables=(XV,),
    conclusion=ge((x)**(Integer(2)), Integer(0)),
    checks=(Smt(),),
    mutants=(Mutant('far off', conclusion=ge((x)**(Integer(2)), (x)**(Integer(4)) + Integer(1))), ),
    remark='a square',
)
claim = Claim(
    id='own:ded-key-number',
    title='ded-key-number',
    source="corpus",
    where="-",
    kind='false',
    variables=(ZV,),
    conclusion=either(ge((z)**(Integer(2)), Integer(1)), ne((Integer(2))*((z)**(Integer(2))), Integer(1))),
    checks=(Deduction(premises=(Premise(claim='own:ded-premise-square', at={x: z, Integer(0): Integer(1)}),)),),
    mutants=(Mutant('a square below', conclusion=le((z)**(Integer(2)), Integer(-1))), ),
    remark='z^2 >= 1 by a map for 0',
)
