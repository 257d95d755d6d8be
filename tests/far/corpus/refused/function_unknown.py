"""TRUTH: false: not every function named cosh is at least 1 (f(u) = 0).

What is wrong: an undefined function with the name of a known one.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.lenses import Region

XV = real("x", lower=-1, upper=1)
x = XV.symbol
claim = Claim(
    id="own:function-unknown",
    title="function-unknown",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(Function("cosh")(x), 1),
    checks=(Region(),),
    mutants=(Mutant("two", conclusion=ge(Function("cosh")(x), 2)),),
)
