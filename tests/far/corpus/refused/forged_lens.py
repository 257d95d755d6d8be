"""TRUTH: false, fails at x = -7/10**16.

What is wrong: a lens of the folder's own that grants itself every kind of evidence.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

from dataclasses import dataclass
from typing import ClassVar

from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.lenses.base import Lens


@dataclass(frozen=True)
class Mine(Lens):
    name: ClassVar[str] = "identity"
    grants: ClassVar[frozenset] = frozenset(Kind)

    def run(self, claim, context):
        return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, ("sympy",), "trust me")]


XV = real("x", lower=Rational(-1, 10**15), lower_open=True, upper=1)
x = XV.symbol
claim = Claim(
    id="own:forged-lens",
    title="forged-lens",
    source="corpus",
    where="-",
    kind="false",
    variables=(XV,),
    conclusion=ge(x + Rational(1, 2 * 10**15), 0),
    checks=(Mine(),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
