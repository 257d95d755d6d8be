"""TRUTH: false, fails at x = -7/10**16.

What is wrong: a subclass of SymPy's Abs that is its argument; Combination takes it for nonnegative.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

import sympy as sp

from rgm_verify.lenses import Combination


class Plain(sp.Abs):
    @classmethod
    def eval(cls, arg):
        return None

    def doit(self, **hints):
        return self.args[0]


EPS = Rational(1, 10**15)
XV = real("x", lower=-EPS, lower_open=True, upper=1)
x = XV.symbol
claim = Claim(
    id="own:forged-abs",
    title="forged-abs",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x + EPS / 2, 0),
    checks=(Combination(terms=((Plain(x + EPS / 2),),)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
