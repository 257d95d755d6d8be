r"""Adaptive composition of Gaussian releases: no choice of later queries does worse than the largest distance at every step.

Each release is $N(a, \sigma^2I)$ on one neighbour and $N(b, \sigma^2I)$ on the other, $|a - b| \le D\sigma$, where $a$ and $b$ may depend on all outputs
before. Backward induction by the step of value iteration: what remains is a mixture of functions $(1 - x/y)_+$, against each of which a pair counts by its own
hockey-stick divergence, which grows with the distance. Dong, Roth and Su (2022) have the statement by trade-off functions; this proof is its own.
"""

from rgm_verify.pages import *

from ...theorems import HINGES, INDUCTION, MOMENTS, MONOTONE_INTEGRAL
from ..hockey_stick import finite_laws_worlds as worlds
from ..hockey_stick.loss_notation import D, cumulant, page as _privacy_loss, v
from .releases_of_steps import DIGITS, composition_cases

page = Page("beyond", "composition of Gaussian releases", _privacy_loss)
_d1 = page.nonnegative("D_1", "distance at the first step")
_d2 = page.nonnegative("D_2", "distance at the second step")
_times = page.natural("T", "number of releases")


def _curve(distance: Expr) -> Expr:
    """The cumulant generating function of the loss of two Gaussians of equal variances."""
    return cumulant.subs({v: 1, D: distance}, simultaneous=True)


steps_add = page.identity(
    "beyond:gaussian-steps-add",
    "Gaussian losses add up to a Gaussian loss",
    eq(_curve(_d1) + (_times - 1) * _curve(_d2), _curve(sqrt(_d1**2 + (_times - 1) * _d2**2))),
    r"Independent losses at two distances add up to one at the root of the sum of squares, so that $T$ steps at $D$ are one at $\sqrt TD$, in any dimension.",
    wrong={
        "the distances added": _curve(_d1 + (_times - 1) * _d2),
        "once more": left(_curve(_d1) + _times * _curve(_d2)),
    },
    steps=(
        "beyond:cumulant",
        "beyond:loss-law-equal-variances",
        MOMENTS.quoted(
            "So the laws of the losses are one, and the curve is a function of that law.",
            "Both are exponentials of polynomials, finite everywhere.",
        ),
    ),
)

# What remains after the first step is at most a mixture of two kinked functions, of weights w_1 and w_2.
_h = page.nonnegative("h", "hockey-stick divergence of all adaptive steps")
_t = page.nonnegative("t", "hockey-stick divergence of the one pair at the distance sqrt(T) D")
_w1, _w2 = (page.nonnegative(f"w_{i}", f"weight of the kinked function {i}") for i in (1, 2))
_a1, _a2 = (
    page.nonnegative(f"a_{i}", f"hockey-stick divergence of the chosen first pair at level {i}") for i in (1, 2)
)
_b1, _b2 = (page.nonnegative(f"b_{i}", f"the same at the distance D, at level {i}") for i in (1, 2))
_INDUCTION = Hypothesis(
    "what remains",
    le(_h, _w1 * _a1 + _w2 * _a2),
    "T - 1 steps have at most the curve at sqrt(T-1) D, by induction",
    by=("beyond:hockey-stick-of-two-steps", "beyond:value-iteration-kernel"),
)
_GROWS = tuple(
    Hypothesis(f"the worst pair, level {i}", le(a, b), "at v = 1", by=("beyond:hockey-stick-monotone-in-distance",))
    for i, a, b in ((1, _a1, _b1), (2, _a2, _b2))
)
_ONE_PAIR = Hypothesis("the worst pair at every step", eq(_t, _w1 * _b1 + _w2 * _b2), by=("beyond:gaussian-steps-add",))
_APART = partial(composition_cases, symbols=(_h, _t, _w1, _w2, _a1, _a2, _b1, _b2))

composition = page.theorem(
    "beyond:gaussian-composition",
    "Adaptive composition of Gaussian releases",
    le(_h, _t),
    r"T adaptive Gaussian releases whose outputs on neighbours are at most $D$ standard deviations apart, whatever came before, have at every real $\epsilon$ at most the "
    r"hockey-stick divergence of one pair at the distance $\sqrt TD$; non-adaptive releases at D attain it.",
    printed=r"H_\epsilon(P_1 \cdots P_T\|Q_1 \cdots Q_T) \le H_\epsilon(N(\sqrt T D, 1)\|N(0, 1))",
    given=(_INDUCTION, *_GROWS, _ONE_PAIR),
    by=(Smt(), worlds.ADAPTIVE, Unreduced(cases=_APART, digits=DIGITS), Released(cases=_APART)),
    points={
        (_w1, _w2, _a1, _a2): (0, 1),
        _b1: (0, 1, _a1 + _b1),
        _b2: (0, 1, _a2 + _b2),
        _h: (0, 1, _h * (_w1 * _a1 + _w2 * _a2)),
        _t: _w1 * (_a1 + _b1) + _w2 * (_a2 + _b2),
    },
    wrong={
        "a distance that grows": without(_GROWS[1]),
        "what remains is free": without(_INDUCTION),
        "direction": turned(),
    },
    steps=(
        Step("Two adaptive steps have at most the mean of what remains.", "beyond:hockey-stick-of-two-steps"),
        HINGES.quoted(
            r"The curve that bounds what remains is convex in $x = e^\epsilon$ and falls from 1 to 0: a mixture of functions $(1-x/y)_+$.",
            "A curve is a supremum of functions $P(A) - xQ(A)$, which are affine in $x$.",
        ),
        Step(
            "Against a kinked function a pair counts by its hockey-stick divergence.", "beyond:value-iteration-kernel"
        ),
        MONOTONE_INTEGRAL.quoted(
            "A mixture is an integral over the kinks.",
            "At each kink the pair at the largest distance has the larger divergence.",
            "Divergences are at most 1, and the weights have a finite sum.",
        ),
        Step("That grows with the distance.", "beyond:hockey-stick-monotone-in-distance"),
        Step("At the largest distance in every step the losses add up to one.", "beyond:gaussian-steps-add"),
        "beyond:loss-law-equal-variances",
        INDUCTION.quoted(
            "For all numbers of releases:", "beyond:hockey-stick-monotone-in-distance", "This is what the formula says."
        ),
    ),
    reading=r"One step of the induction, for a mixture of two functions $(1-x/y)_+$; more of them, and integrals, add terms of the same form. Given what came before, both outputs are Gaussian with one variance, "
    r"and only the distance of their means matters, in any dimension (`beyond:loss-law-equal-variances`).",
)
