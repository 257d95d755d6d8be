"""TRUTH: false, fails at {'x': '-sqrt(2)'}.

What is wrong: positive samples only.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real

XV = real('x')
x = XV.symbol
x_ = Symbol('x', positive=True)

claim = Claim(
    id='own:smp-foreign',
    title='smp-foreign',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    hypotheses=(Hypothesis('h0', either(gt(x, Integer(0)), eq((x)**(Integer(2)), Integer(2)))), ),
    conclusion=ge(x, Integer(0)),
    sampling=Chart(ranges={x_: (0, 1)}, maps={x: x_}),
    mutants=(Mutant('far off', conclusion=ge(x, (x)**(Integer(2)) + Integer(1))), ),
    remark='positive samples only',
)
