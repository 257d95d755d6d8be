r"""Appendix D of version 2: the high-privacy run, and what relative noise does at stationary points.

At $\varepsilon = 10^{-3}$ the term of the dimension that the experiments leave out is most of the level. Privacy does not ask for convexity (`rgm-v2:d-non-convex`); where the relative part is all there
is, the mechanism adds no noise at any stationary point, a maximum included.
"""

from rgm_verify.pages import *

from ...rgm.appendix_c.relative_parameters import dimension_term, eta_of_section_6
from ...rgm.notation import NOTATION, gamma

page = Page("beyond", "App. D", NOTATION)

high_privacy = page.numeric(
    "beyond:high-privacy-dimension-term",
    "At the level of the high-privacy run the term of the dimension is not negligible",
    ge(dimension_term(eta_of_section_6, 22), Rational(4, 5) / 1000),
    r"The second summand of Theorem 1 at the order 2, for 22 features and the $\eta$ of Section 6, against the level.",
    by=Points(),
    wrong={"nine tenths": Rational(9, 10) / 1000, "at the level of Section 6": Rational(4, 5) / 10},
    reading="The eta of Section 6's numbers, with the constants of Proposition 1; the run is ijcnn1 again. For a node with half of the records the summand exceeds the level, which no noise can then reach by Theorem 1.",
    printed=r"\frac{\alpha d\eta^2(2+\eta)^2(1+\eta)^2}{2\rho} \ge \frac45\,\varepsilon",
)

_first = page.positive("s", "factor of the objective")
_theta = page.real("theta", "parameter")
_well = _first * (_theta**2 - 1) ** 2
_tau = page.positive("tau", "step size")


def _slope_at(place: str) -> Expr:
    """The slope of the double well f at a point."""
    return named(f"f'({place})", At(Derivative(_well, _theta), _theta, Rational(place)))


stuck = page.identity(
    "beyond:relative-noise-at-stationary-points",
    "Without a baseline the relative mechanism stays at every stationary point",
    both(
        eq(gamma * _slope_at("0") ** 2, 0),
        eq(gamma * _slope_at("1") ** 2, 0),
        eq(_tau * _slope_at("0"), 0),
        eq(gamma * _slope_at("1/2") ** 2, Rational(9, 4) * gamma * _first**2),
    ),
    "The iteration that starts at the maximum of the double well stays there, as it does at the minima; half way, the variance is positive.",
    wrong={"everywhere": eq(gamma * _slope_at("1/2") ** 2, 0), "the step alone": eq(_tau * _slope_at("1/2"), 0)},
    reading="Relative noise alone does not help an iteration to leave a maximum or a saddle, as noise of a constant level would.",
)
