"""TRUTH: false, fails at {'x': '1'}.

What is wrong: no order.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Monotone

XV = real('x')
x = XV.symbol

claim = Claim(
    id='own:blind-monotone-order-zero',
    title='blind-monotone-order-zero',
    source="corpus",
    where="-",
    kind='false',
    variables=(XV,),
    conclusion=ge(x**2, 2 * x),
    checks=(Monotone(x, 0, order=0), Monotone(x, 0, order=-1)),
    remark='no order',
)
