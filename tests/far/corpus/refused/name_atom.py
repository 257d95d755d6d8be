"""TRUTH: false, fails at x = 1/10, atom!1 = sqrt(2).

What is wrong: a variable is named like the engine's own unknown.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Deduction, Premise

XV = real("x", lower=0, lower_open=True)
QV = real("atom!1")
x, q = XV.symbol, QV.symbol
premise = Claim(id="own:name-atom-premise", title="t", source="corpus", where="-", kind="true", variables=(XV,), conclusion=ge(x, 0), mutants=(Mutant("control", conclusion=lt(x, 0)),))
claim = Claim(
    id="own:name-atom",
    title="name-atom",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV, QV,),
    conclusion=ge((exp(x) - q) * exp(x), 0),
    hypotheses=(Hypothesis("h", either(le(q, 1), both(eq(q**2, 2), le(10 * x, 1)))),),
    checks=(Deduction((Premise("own:name-atom-premise"),)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
