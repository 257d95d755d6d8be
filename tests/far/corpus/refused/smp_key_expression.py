"""TRUTH: false, fails at {'x': '0'}.

What is wrong: maps for expressions.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real

XV = real('x')
x = XV.symbol
t = Symbol('t', real=True)

claim = Claim(
    id='own:smp-key-expression',
    title='smp-key-expression',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    hypotheses=(Hypothesis('h0', ge(exp(x), Rational(1, 2))), ),
    conclusion=ge((x)**(Integer(2)), Rational(1, 1000000000)),
    sampling=Chart(ranges={t: (1, 2)}, maps={x: t, (x)**(Integer(2)): Integer(1), exp(x): Integer(9)}),
    mutants=(Mutant('far off', conclusion=ge((x)**(Integer(2)) + Rational(-1, 1000000000), ((x)**(Integer(2)) + Rational(-1, 1000000000))**(Integer(2)) + Integer(1))), ),
    remark='maps for expressions',
)
