r"""Appendix D of version 2: the high-privacy run, and what relative noise does at stationary points.

At $\varepsilon = 10^{-3}$ the term of the dimension that the experiments leave out is most of the level. Privacy does not ask for convexity (`rgm-v2:d-non-convex`); where the relative part is all there
is, the mechanism adds no noise at any stationary point, a maximum included.
"""

from sympy import Derivative, Expr, Rational

from rgm_verify.claims import At, Claim, Mutant, both, eq, ge, positive, real
from rgm_verify.lenses import Identity, Points

from .c_relative_parameters import dimension_term, eta_of_section_6
from .notation import GAMMA, gamma

_WHERE = "App. D"

high_privacy = Claim(
    id="beyond:high-privacy-dimension-term",
    title="At the level of the high-privacy run the term of the dimension is not negligible",
    source="beyond",
    where=_WHERE,
    kind="numeric",
    statement=r"For $\alpha = 2$, $d = 22$ and $\eta = \frac{\sqrt6}{780}$ the second summand of Theorem 1 is more than four fifths of $\varepsilon = 10^{-3}$.",
    conclusion=ge(dimension_term(eta_of_section_6, 22), Rational(4, 5) / 1000),
    reading="The eta of Section 6's numbers, with the constants of Proposition 1; the run is ijcnn1 again. For a node with half of the records the summand exceeds the level, which no noise can then reach by Theorem 1.",
    checks=(Points(),),
    mutants=(
        Mutant("nine tenths", ge(dimension_term(eta_of_section_6, 22), Rational(9, 10) / 1000)),
        Mutant("at the level of Section 6", ge(dimension_term(eta_of_section_6, 22), Rational(4, 5) / 10)),
    ),
)

_FIRST = positive("s", "factor of the objective")
_THETA = real("theta", "parameter")
_first, _theta = _FIRST.symbol, _THETA.symbol
_well = _first * (_theta**2 - 1) ** 2
_STEP = positive("tau", "step size")
_tau = _STEP.symbol


def _slope_at(place: Rational | int) -> Expr:
    """The slope of the double well at a point."""
    return At(Derivative(_well, _theta), _theta, place)


stuck = Claim(
    id="beyond:relative-noise-at-stationary-points",
    title="Without a baseline the relative mechanism stays at every stationary point",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"For $f = s(\theta^2-1)^2$ and $\sigma = 0$ the noise vanishes at the maximum 0 as it does at the minima $\pm1$: the iteration that starts there stays there. Half way, the variance is positive.",
    variables=(_FIRST, GAMMA, _STEP),
    conclusion=both(
        eq(gamma * _slope_at(0) ** 2, 0),
        eq(gamma * _slope_at(1) ** 2, 0),
        eq(_tau * _slope_at(0), 0),
        eq(gamma * _slope_at(Rational(1, 2)) ** 2, Rational(9, 4) * gamma * _first**2),
    ),
    reading="Relative noise alone does not help an iteration to leave a maximum or a saddle, as noise of a constant level would.",
    checks=(Identity(),),
    mutants=(
        Mutant("everywhere", eq(gamma * _slope_at(Rational(1, 2)) ** 2, 0)),
        Mutant("the step alone", eq(_tau * _slope_at(Rational(1, 2)), 0)),
    ),
)
