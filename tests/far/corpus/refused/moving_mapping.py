"""TRUTH: false, fails at y = -7/10**16.

What is wrong: a substitution that says something else every other time it is read.
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import *  # noqa: F403
from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, either, eq, ge, gt, le, lt, ne, real

import collections.abc

from rgm_verify.lenses import Deduction, Premise, Smt


class Moving(collections.abc.Mapping):
    def __init__(self, *turns):
        self.turns, self.count = turns, 0

    def __getitem__(self, key):
        return self.turns[(self.count // 2) % len(self.turns)][key]

    def __iter__(self):
        self.count += 1
        return iter(self.turns[(self.count // 2) % len(self.turns)])

    def __len__(self):
        return 1


XV = real("x")
x = XV.symbol
YV = real("y", lower=Rational(-1, 10**15), lower_open=True, upper=1)
y = YV.symbol
premise = Claim(
    id="own:moving-premise",
    title="moving-premise",
    source="corpus",
    where="-",
    kind="true",
    variables=(XV,),
    conclusion=ge(Abs(x), 0),
    checks=(Smt(),),
    mutants=(Mutant("control", conclusion=lt(x**2, -1)),),
)
claim = Claim(
    id="own:moving-mapping",
    title="moving-mapping",
    source="corpus",
    where="-",
    kind="false",
    variables=(YV,),
    conclusion=ge(y, 0),
    checks=(Deduction((Premise("own:moving-premise", Moving({x: y}, {Abs(x): y})),)),),
    mutants=(Mutant("control", conclusion=lt(y**2, -1)),),
)
