"""TRUTH: false, fails at {'x': '0'}.

What is wrong: the symbol is another x; false everywhere.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Identity

XV = real('x')
x = XV.symbol
x_ = Symbol('x')

claim = Claim(
    id='own:alg-differentiate-foreign',
    title='alg-differentiate-foreign',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    conclusion=eq(exp(x), (Rational(99999999999999999999, 100000000000000000000))*(exp(x))),
    checks=(Identity(differentiate=(x_, Integer(0))),),
    mutants=(Mutant('off by one', conclusion=eq(exp(x), (Rational(99999999999999999999, 100000000000000000000))*(exp(x)) + Integer(1))), ),
    remark='the symbol is another x; false everywhere',
)
