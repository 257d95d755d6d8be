"""TRUTH: ill-posed: no point is admissible.

What is wrong: the hypothesis contradicts itself, and arithmetic sees it.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:contradiction-square",
    title="contradiction-square",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(XV,),
    conclusion=ge(x, 5),
    hypotheses=(Hypothesis("a", lt(x**2, 0)),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
