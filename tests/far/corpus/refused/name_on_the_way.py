"""TRUTH: false, fails at x = 1/2, w_on_the_way = sqrt(2).

What is wrong: a variable is named like the way of Monotone.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Monotone

XV = real("x", lower=0)
WV = real("w_on_the_way")
x, w = XV.symbol, WV.symbol
claim = Claim(
    id="own:name-on-the-way",
    title="name-on-the-way",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV, WV,),
    conclusion=ge(1 + 5 * x * (x - w), 0),
    hypotheses=(Hypothesis("h", either(le(w, 0), eq(w**2, 2))),),
    checks=(Monotone(x, Integer(0), order=1),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
