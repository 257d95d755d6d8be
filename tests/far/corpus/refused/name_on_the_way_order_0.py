"""TRUTH: false, fails at x = -7/10**16, w_on_the_way = 0.

What is wrong: a variable named like the way of Monotone, and order 0.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

from rgm_verify.lenses import Monotone

XV = real("x", lower=Rational(-1, 10**15), lower_open=True, upper=1)
WV = real("w_on_the_way")
x, w = XV.symbol, WV.symbol
claim = Claim(
    id="own:name-on-the-way-order-0",
    title="name-on-the-way-order-0",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV, WV,),
    conclusion=ge(x + Rational(1, 2 * 10**15), 0),
    hypotheses=(Hypothesis("h", ge(w, 0)),),
    checks=(Monotone(x, Integer(0), 0),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
