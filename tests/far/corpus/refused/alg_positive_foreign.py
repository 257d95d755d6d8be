"""TRUTH: false, fails at {'x': '-sqrt(2)'}.

What is wrong: another x is positive.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Identity

XV = real('x')
x = XV.symbol
x_ = Symbol('x', positive=True)

claim = Claim(
    id='own:alg-positive-foreign',
    title='alg-positive-foreign',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    hypotheses=(Hypothesis('h0', either(gt(x, Integer(0)), eq((x)**(Integer(2)), Integer(2)))), ),
    conclusion=eq(Abs(x), x),
    checks=(Identity(positive=(x_,)),),
    mutants=(Mutant('off by one', conclusion=eq(Abs(x), x + Integer(1))), ),
    remark='another x is positive',
)
