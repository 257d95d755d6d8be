"""A closed bound on the exact logarithmic term: at most twice too large for small eta, and valid everywhere.

With q = eta (2 + eta), k = (alpha - 1) q and rho = 1 - k, the exact logarithmic term per dimension is
(q/2) (L(k) - M(q)) with L(k) = -log(1-k)/k and M(q) = log(1+q)/q. Two one-variable inequalities bound it by
alpha q^2 / (4 (1 + eta) rho).
"""

from ...rgm.notation import *
from ...rgm.output_pairs import of_neighbours
from .curve_notation import ADMISSIBLE, IN_RANGE, WORST_PAIRS, closed_curve, divergence, exact_log_term

page = Page("beyond", "", NOTATION)
_USED = page.elsewhere("used for the closed bound")
_q = page.positive("q", "eta (2 + eta)")
_k = page.real("k", "(alpha - 1) q", lower=0, upper=1, lower_open=True, upper_open=True)
_first = (_q + _k) * (_q - log(1 + _q)) * _k / _q**2
_second, _third = (1 - _k) * log(1 - _k), (1 - _k) * _k * log(1 + _q) / _q

one_variable = _USED.inequality(
    "beyond:closed-bound-in-k",
    "The first step: the pole at k = 1 taken out",
    ge(_first + _second + _third, 0),
    r"The numbers $q$ and $k$ stand for $\eta(2+\eta)$ and $(\alpha-1)q$.",
    by=Monotone(_k, 0, order=2, premises=(Premise("beyond:log-below-trapezoid"),)),
    wrong={"first term halved": left(_first / 2 + _second + _third), "last term dropped": left(_first + _second)},
)

in_eta = _USED.inequality(
    "beyond:closed-bound-in-eta",
    "The second step: q - log(1 + q) against its quadratic bound",
    le(q - 2 * log(1 + eta), q**2 / (2 * (1 + eta))),
    by=Monotone(eta, 0, order=1),
    wrong={
        "without 1 + eta in the denominator, a third": q**2 / (3 * (1 + eta)),
        "square of 1 + eta": q**2 / (2 * (1 + eta) ** 2),
    },
)

_RANGE = {alpha: 1 + _k / q}
#: Small eta and k, and large ones.
_BOX = {eta: (Rational(1, 100), 1), _k: (Rational(1, 100), Rational(9, 10))}

floor = page.elsewhere("in place of the limit stated after Theorem 1").inequality(
    "beyond:floor",
    "A floor that no noise level removes",
    ge(exact_log_term, alpha * eta**2 / 2),
    r"The exact logarithmic term per dimension depends neither on $\gamma$ nor on $\sigma$.",
    given=IN_RANGE,
    steps=(
        Premise("beyond:minus-log-above-parabola", {_k: (alpha - 1) * q}),
        Premise("beyond:logarithms-at-the-ends"),
        Premise("beyond:log-below-identity"),
    ),
    points=_RANGE,
    wrong={"without the half": alpha * eta**2, "2 alpha eta^2": 2 * alpha * eta**2},
    tightness=Tightness(
        q / 2 * (LogRemainder(1, -_k) - LogRemainder(1, q)) / ((1 + _k / q) * eta**2),
        _BOX,
        "exact logarithmic term / (alpha eta^2)",
        plot=(_k,),
        at={eta: Rational(1, 10)},
    ),
)

log_below_identity = page.elsewhere("used for the floor").inequality(
    "beyond:log-below-identity",
    "log(1 + eta) <= eta",
    le(log(1 + eta), eta),
    by=Monotone(eta, 0, order=1),
    wrong={"half the slope": eta / 2, "direction": turned()},
)

closed_log = page.elsewhere("the log part of Theorem 1").inequality(
    "beyond:closed-log-bound",
    "The logarithmic term in closed form",
    le(exact_log_term, alpha * q**2 / (4 * (1 + eta) * rho)),
    r"The bound is half of what version 2 prints, divided by $(1+\eta)^3$.",
    given=IN_RANGE,
    steps=(
        Premise("beyond:closed-bound-in-k", {_q: q, _k: (alpha - 1) * q}),
        Premise("beyond:closed-bound-in-eta"),
        Premise("beyond:logarithms-at-the-ends"),
    ),
    points=_RANGE,
    wrong={
        "4 becomes 5": alpha * q**2 / (5 * (1 + eta) * rho),
        "(1 + eta)^2": alpha * q**2 / (4 * (1 + eta) ** 2 * rho),
        "without rho": alpha * q**2 / (4 * (1 + eta)),
    },
    tightness=Tightness(
        (q + _k) / (2 * (1 + eta) * (1 - _k)) / (LogRemainder(1, -_k) - LogRemainder(1, q)),
        _BOX,
        "closed bound on the logarithmic term / exact logarithmic term",
        plot=(_k,),
        at={eta: Rational(1, 10)},
    ),
)

closed_renyi = page.elsewhere("in place of Theorem 1").theorem(
    "beyond:closed-bound",
    "A corrected Theorem 1 in closed form",
    le(divergence, closed_curve),
    r"So the mechanism satisfies Rényi differential privacy with the right side, for every $\eta$ and every dimension.",
    given=ADMISSIBLE,
    by=(Deduction(), *of_neighbours(divergence)),
    points=WORST_PAIRS,
    wrong={
        "its value at alpha = 1": closed_curve.subs(alpha, 1),
        "only the main term": alpha * eta**2 / (2 * gamma * rho),
    },
    steps=(
        Step("The exact curve bounds every admissible pair.", Premise("beyond:exact-renyi-upper")),
        Step("Its logarithmic term has a closed bound.", Premise("beyond:closed-log-bound")),
    ),
)
