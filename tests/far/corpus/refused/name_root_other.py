"""TRUTH: false, fails at x = 1, root!1 = sqrt(2).

What is wrong: a variable is named like the engine's own unknown; the root stands in a hypothesis.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x", lower=0)
QV = real("root!1")
x, q = XV.symbol, QV.symbol
claim = Claim(
    id="own:name-root-other",
    title="name-root-other",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV, QV,),
    conclusion=ge(-q, -1),
    hypotheses=(Hypothesis("h", le(sqrt(x), 1)), Hypothesis("k", either(le(q, 1), eq(q**2, 2)))),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
