"""TRUTH: ill-posed: no point is admissible.

What is wrong: the hypotheses contradict each other, and arithmetic sees it.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:contradiction",
    title="contradiction",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=ge(x, 5),
    hypotheses=(Hypothesis("a", gt(x, 1)), Hypothesis("b", lt(x, 0))),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
