"""TRUTH: false, fails at x = -7/10**16.

What is wrong: a subclass of the engine's Smt that says yes.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

from dataclasses import dataclass

from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.lenses import Smt


@dataclass(frozen=True)
class Mine(Smt):
    def run(self, claim, context):
        return [self.evidence(Kind.SMT_PROOF, Finding.SUPPORTS, ("z3",), "the negation is unsatisfiable over the reals")]


XV = real("x", lower=Rational(-1, 10**15), lower_open=True, upper=1)
x = XV.symbol
claim = Claim(
    id="own:forged-subclass",
    title="forged-subclass",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x + Rational(1, 2 * 10**15), 0),
    checks=(Mine(),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
