"""TRUTH: false, fails at n = 1.

What is wrong: the variable is made by hand and its symbol is even.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

from rgm_verify.claims.claim import Variable
from fractions import Fraction

x = Symbol("n", even=True)
XV = Variable(x, "", Fraction(0), Fraction(10), integer=True)
claim = Claim(
    id="own:symbol-promises-even",
    title="symbol-promises-even",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=eq((-1)**x, 1),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
