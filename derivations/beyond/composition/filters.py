r"""Parameters that are chosen on the way: a budget of Gaussian distances, or of a Rényi curve, that is never passed.

A filter lets a release through if what is spent stays within the budget, and nothing after the first one that does not. Every release is chosen with its
parameters after all outputs before. The proofs go backwards, as for fixed parameters; what remains has the rest of the budget.
"""

from rgm_verify.pages import *

from ...theorems import HINGES, INDUCTION, MONOTONE_INTEGRAL, TOWER
from ..hockey_stick.loss_notation import D, cumulant, page as _privacy_loss, v

page = Page("beyond", "budgets for parameters chosen on the way", _privacy_loss)

_B = page.nonnegative("B", "budget, as a distance")
_d1 = page.nonnegative("D_1", "distance of the first release, chosen within the budget")
_WITHIN = Hypothesis("within the budget", le(_d1, _B))


def _curve(distance: Expr) -> Expr:
    """The cumulant generating function of the loss of two Gaussians of equal variances."""
    return cumulant.subs({v: 1, D: distance}, simultaneous=True)


gaussian = page.identity(
    "beyond:gaussian-filter",
    "A release and the rest of the budget are the budget",
    eq(_curve(_d1) + _curve(sqrt(_B**2 - _d1**2)), _curve(_B)),
    r"Gaussian releases at distances $D_1, D_2, \dots$, chosen one after the other with $\sum D_i^2 \le B^2$, have at most the curve of one pair at the distance $B$.",
    given=(_WITHIN,),
    points={_d1: (0, 1, _d1 * _B)},
    wrong={
        "distances subtracted": left(_curve(_d1) + _curve(_B - _d1)),
        "the budget kept": left(_curve(_d1) + _curve(_B)),
    },
    steps=(
        Step("The rest of the budget is fixed once the first output is known.", "beyond:hockey-stick-of-two-steps"),
        HINGES.quoted(
            "What remains has at most the curve of the rest, a mixture of kinked functions.",
            "A curve is a supremum of functions $P(A) - xQ(A)$, which are affine in $x$.",
        ),
        Step("A pair counts against each by its divergence.", "beyond:value-iteration-kernel"),
        MONOTONE_INTEGRAL.quoted(
            "A mixture is an integral over the kinks.",
            "At each kink the pair has its own divergence.",
            "Divergences are at most 1, and the weights have a finite sum.",
        ),
        Step("Losses of Gaussian pairs add up.", "beyond:gaussian-steps-add"),
        INDUCTION.quoted(
            "For all numbers of releases, of which a filter lets finitely many through:",
            "With no budget left the divergence is that of equal laws.",
            "This is what the formula says, with any first distance within the budget.",
        ),
        "beyond:gaussian-composition",
    ),
    reading="A filter stops before the first release that does not fit; that is a release at distance 0.",
)

_alpha = page.real("alpha", "order", lower=1, lower_open=True)
_R = page.nonnegative("R", "budget of the Rényi divergence at this order")
_rho = page.nonnegative("rho", "divergence of the first release at this order, chosen within the budget")
_m = page.real("m", "logarithm of the moment of order alpha of the first release")
_w = page.real("w", "logarithm of the largest moment of all that remains")
_FIRST = Hypothesis("the first release", le(_m, (_alpha - 1) * _rho))
_REST = Hypothesis("what remains", le(_w, (_alpha - 1) * (_R - _rho)), "by induction, with the rest of the budget")
_less = page.nonnegative("g", "what is left of a bound")

renyi = page.inequality(
    "beyond:renyi-filter",
    "A moment and the rest of the budget",
    le(_m + _w, (_alpha - 1) * _R),
    r"Releases chosen one after the other with $\sum\rho_i \le R$ at one order have a Rényi divergence of at most $R$ at that order.",
    given=(_FIRST, _REST),
    by=Smt(),
    points=Chart(
        {_alpha: (1, 4), _R: (0, 2), _rho: (0, 1), _less: (0, 1)},
        {
            _alpha: _alpha,
            _R: _R,
            _rho: _rho * _R,
            _m: (_alpha - 1) * _rho * _R - _less,
            _w: (_alpha - 1) * (_R - _rho * _R),
        },
    ),
    over=(_less,),
    wrong={
        "the budget kept": without(_REST),
        "any first release": without(_FIRST),
        "half of it": (_alpha - 1) * _R / 2,
    },
    steps=(
        Step("The moment of two adaptive steps is a product.", "beyond:renyi-of-two-steps"),
        TOWER.quoted(
            "The mean over the first output is taken last.", "Moments are integrals of functions that are not negative."
        ),
        INDUCTION.quoted(
            "For all numbers of releases, of which a filter lets finitely many through:",
            "With nothing left the moment is 1.",
            "This is what the formula says, with any first divergence within the budget.",
        ),
    ),
)
