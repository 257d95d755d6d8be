"""TRUTH: false, fails at x = -7/10**16.

What is wrong: a subclass of SymPy's Symbol that says it is positive, as the factor of a Region.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

import sympy as sp

from rgm_verify.lenses import Region


class Sure(sp.Symbol):
    is_positive = True
    is_nonnegative = True


EPS = Rational(1, 10**15)
XV = real("x", lower=-EPS, lower_open=True, upper=1)
x = XV.symbol
t = Sure("t", real=True)
claim = Claim(
    id="own:forged-symbol",
    title="forged-symbol",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x + EPS / 2, 0),
    checks=(Region(chart=Chart({t: (-EPS, 1)}, {x: t}, {t: x}), target=Integer(1), factor=t + EPS / 2),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
