"""TRUTH: false, fails at x = 1/2.

What is wrong: a hypothesis with a function of which the engine knows nothing; from it everything follows.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:hypothesis-unknown-function-false",
    title="hypothesis-unknown-function-false",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ne(2 * x, 1),
    hypotheses=(Hypothesis("h", ge(asin(x), 0)),),
    checks=(Deduction(()),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
