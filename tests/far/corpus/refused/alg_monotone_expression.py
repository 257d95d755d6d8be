"""TRUTH: false, fails at {'x': 'sqrt(2)'}.

What is wrong: walks along an expression.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Monotone

XV = real('x')
x = XV.symbol

claim = Claim(
    id='own:alg-monotone-expression',
    title='alg-monotone-expression',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    conclusion=gt(((x)**(Integer(2)) + Integer(-2))**(Integer(2)), Integer(0)),
    checks=(Monotone(variable=(x)**(Integer(2)), order=2),),
    mutants=(Mutant('far off', conclusion=ge(((x)**(Integer(2)) + Integer(-2))**(Integer(2)), ((x)**(Integer(2)) + Integer(-2))**(Integer(4)) + Integer(1))), ),
    remark='walks along an expression',
)
