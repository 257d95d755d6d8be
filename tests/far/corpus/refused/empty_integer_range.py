"""TRUTH: ill-posed: no integer lies in [1/3, 2/3].

What is wrong: the domain is empty; the checkout of today draws from it until its time is up.
"""

from sympy import Rational

from rgm_verify.claims import Claim, Mutant, eq, real

G = real("g", lower=Rational(1, 3), upper=Rational(2, 3), integer=True)
g = G.symbol
claim = Claim(
    id="own:empty-integer-range",
    title="empty-integer-range",
    source="corpus",
    where="-",
    kind="ill-posed",
    variables=(G,),
    conclusion=eq(g, 5),
    mutants=(Mutant("control", conclusion=eq(g, g + 1)),),
)
