"""TRUTH: true as meant (there is an x with x = 1); false if it is read as `for all`.

What is wrong: the quantifier is misspelt.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

XV = real("x")
x = XV.symbol
claim = Claim(
    id="own:quantifier-typo",
    title="quantifier-typo",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=eq(x, 1),
    quantifier="exist",
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
