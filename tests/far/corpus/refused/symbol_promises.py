"""TRUTH: false, fails at x = -1.

What is wrong: the variable is made by hand and its symbol promises more than the domain.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

from rgm_verify.claims.claim import Variable

x = Symbol("x", positive=True)
XV = Variable(x)
claim = Claim(
    id="own:symbol-promises",
    title="symbol-promises",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=gt(x, 0),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
