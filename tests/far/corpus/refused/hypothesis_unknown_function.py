"""TRUTH: true: x^2 >= 0 (and the hypothesis is satisfiable, at x = 0).

What is wrong: a hypothesis with a function of which the engine knows nothing; the checkout of today calls it contradictory.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:hypothesis-unknown-function",
    title="hypothesis-unknown-function",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(x**2, 0),
    hypotheses=(Hypothesis("h", le(asin(x), 1)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
