"""TRUTH: false everywhere: both sides are the same object, and it is not smaller than itself.

What is wrong: both sides of a strict relation are the same object.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

PV = real("p", lower=0, lower_open=True)
p = PV.symbol
claim = Claim(
    id="own:strict-same-sides",
    title="strict-same-sides",
    source="corpus",
    where="-",
    kind="false",
    variables=(PV,),
    conclusion=lt(log(p**2), 2 * log(p)),
    mutants=(Mutant("control", conclusion=lt(p, -1)),),
)
