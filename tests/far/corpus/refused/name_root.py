"""TRUTH: false, fails at x = 1, root!1 = sqrt(2).

What is wrong: a variable is named like the engine's own unknown.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x", lower=0, lower_open=True)
QV = real("root!1")
x, q = XV.symbol, QV.symbol
claim = Claim(
    id="own:name-root",
    title="name-root",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV, QV,),
    conclusion=ge((sqrt(x) - q) * sqrt(x), 0),
    hypotheses=(Hypothesis("h", either(le(q, 0), both(eq(q**2, 2), le(x, 1)))),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
