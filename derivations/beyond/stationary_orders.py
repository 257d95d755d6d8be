r"""Where the Rényi divergence is stationary along the outer curve: the roots of a polynomial of degree five.

On the outer curve (`pairs_that_remain.py`) with $A = \eta^2/\gamma$, $W = N + \eta(\eta+2z)$ and $Q = N - (\alpha-1)\eta(\eta+2z)$ the divergence of order
$\alpha$, the wide distribution first, is

$\frac{\alpha A}{2Q} + \frac d2\left(-\frac{\log Q}{\alpha-1} + \frac{\alpha\log N}{\alpha-1} - \log W\right)$,

and its derivative by $z$ times $2(\alpha-1)Q^2NW$ is a polynomial. So the supremum over the curve is at one of its roots or at an end. The
divergence is finite on the whole curve where the quadratic $Q$ is positive at its lowest point.
"""

from sympy import Derivative, Expr, diff, log

from rgm_verify.claims import *
from rgm_verify.lenses import *

from ..rgm.notation import *
from ..theorems import DIFFERENTIATION
from .below_threshold import page as _below_threshold
from .below_threshold import wide_first
from .pairs_that_remain import KAPPA, kappa, outer_excess, spread, z
from .pairs_that_remain import page as _pairs_that_remain

page = Page(
    "beyond",
    "used for the exact Rényi curve below the threshold; in neither version",
    NOTATION,
    _below_threshold,
    _pairs_that_remain,
)


_WHERE = "used for the exact Rényi curve below the threshold; in neither version"

_z = page.real("z", "place on the curve", lower=0, upper=1)
_k = page.real("kappa", "baseline noise over its threshold", lower=0, upper=1, lower_open=True, upper_open=True)

_surplus = eta * (eta + 2 * z)
wide = spread + _surplus
mixed = spread - (alpha - 1) * _surplus
_ratio = eta**2 / gamma

_FINITE = Hypothesis("the divergence is finite", gt(mixed, 0), "Lemma 2's condition on alpha")
_H = real("h", lower=0, upper=1).symbol
#: (alpha - 1) w = h < 1.
_POINTS = Chart(
    {z: (0, 1), eta: (0, 5), gamma: (0, 5), kappa: (0, 2), _H: (0, 1), d: (1, 50)},
    {z: z, eta: eta, gamma: gamma, kappa: kappa, alpha: 1 + _H / outer_excess, d: d},
)

#: The divergence along the curve, with the logarithms apart.
along_curve = alpha * _ratio / (2 * mixed) + d / 2 * (
    -log(mixed) / (alpha - 1) + alpha * log(spread) / (alpha - 1) - log(wide)
)

_n = page.positive("N", "proportional to the smaller variance")
_u = page.positive("U", "proportional to the difference of the variances")

_q, _w = _n - (alpha - 1) * _u, _n + _u
_parts = alpha * _ratio / (2 * _q) + d / 2 * (-log(_q) / (alpha - 1) + alpha * log(_n) / (alpha - 1) - log(_w))
_pair = wide_first(_ratio / _n, _u / _n)

form = page.identity(
    "beyond:renyi-along-the-outer-curve",
    "The Rényi divergence along the outer curve",
    eq(_pair, _parts),
    r"With $S = A/N$ and $w = U/N$, $U = \eta(\eta+2z)$: $1 - (\alpha-1)w = Q/N$, $1 + w = W/N$, and the divergence is "
    r"$\frac{\alpha A}{2Q} + \frac d2\left(-\frac{\log Q}{\alpha-1} + \frac{\alpha\log N}{\alpha-1} - \log W\right)$.",
    given=Hypothesis("the divergence is finite", gt(_q, 0), "Lemma 2's condition on alpha"),
    by=Identity(positive=(_q, _w)),
    points={_n: (0, 5), _u: (0, 5), eta: (0, 5), gamma: (0, 5), _H: (0, 1), d: (1, 50), alpha: 1 + _H * _n / _u},
    wrong={
        "another log N": _parts - d / 2 * log(_n),
        "N in the main term": _parts + alpha * _ratio / 2 * (1 / _n - 1 / _q),
    },
    steps=("beyond:pairs-at-full-distance", "beyond:renyi-at-the-extreme-pair"),
)


def _along(expression: Expr) -> Expr:
    return diff(expression, z)


#: The derivative times 2 (alpha - 1) Q^2 N W.
stationary = -alpha * (alpha - 1) * _ratio * _along(mixed) * spread * wide + d * (
    -_along(mixed) * mixed * spread * wide
    + alpha * _along(spread) * mixed**2 * wide
    - (alpha - 1) * _along(wide) * mixed**2 * spread
)
_multiple = 2 * (alpha - 1) * mixed**2 * spread * wide

polynomial = page.identity(
    "beyond:renyi-stationary-polynomial",
    "The slope of the Rényi divergence along the outer curve is a polynomial over a positive one",
    eq(_multiple * _along(along_curve), stationary),
    r"The derivative by $z$ times $2(\alpha-1)Q^2NW$ is $-\alpha(\alpha-1)AQ'NW + d(-Q'QNW + \alpha N'Q^2W - (\alpha-1)W'Q^2N)$.",
    given=_FINITE,
    points=_POINTS,
    over=(KAPPA,),
    wrong={
        "alpha for alpha - 1": stationary - d * _along(wide) * mixed**2 * spread,
        "sign of Q'": stationary + 2 * d * _along(mixed) * mixed * spread * wide,
        "without the distance": stationary.subs(gamma, 2 * gamma),
    },
    steps=("beyond:renyi-along-the-outer-curve",),
)

degree = page.identity(
    "beyond:renyi-stationary-degree",
    "The polynomial has degree five at most",
    eq(Derivative(stationary, (z, 6)), 0),
    r"Its parts have degree seven at most, and the coefficients of $z^7$ and $z^6$ cancel: the sixth derivative by $z$ is 0.",
    over=(KAPPA,),
    wrong={
        "degree four": left(Derivative(stationary, (z, 5))),
        "with one part twice": left(Derivative(stationary + d * alpha * _along(spread) * mixed**2 * wide, (z, 6))),
    },
    steps=("beyond:renyi-stationary-polynomial",),
)

at_one = _ratio / (2 * spread) + d / 2 * (wide / spread - 1 - log(wide) + log(spread))
stationary_at_one = -_ratio * _along(spread) * wide + d * (_along(wide) * spread - wide * _along(spread)) * (
    wide - spread
)

kullback_leibler = page.identity(
    "beyond:kullback-leibler-stationary-polynomial",
    "The same for the Kullback-Leibler divergence",
    eq(2 * spread**2 * wide * _along(at_one), stationary_at_one),
    r"For $\alpha = 1$ the divergence is $\frac A{2N} + \frac d2\left(\frac WN - 1 - \log\frac WN\right)$, and its derivative by $z$ times $2N^2W$ is "
    r"$-AN'W + d(W'N - WN')(W - N)$.",
    over=(KAPPA,),
    wrong={
        "W + N": stationary_at_one + 2 * d * spread * (_along(wide) * spread - wide * _along(spread)),
        "sign of N'": stationary_at_one + 2 * _ratio * _along(spread) * wide,
    },
    steps=(
        "beyond:cumulant",
        Step(
            "The Kullback-Leibler divergence is $E_PL = K'(0) = \\frac S2 + \\frac d2(w - \\log(1+w))$, with $S = A/N$ and $1 + w = W/N$.",
            theorem=DIFFERENTIATION,
            met={
                "differentiable": "$e^{sL}$ is, in $s$.",
                "dominated": "Near 0 the exponentials at the ends of an interval in which $K$ is finite bound the derivative.",
            },
        ),
        "beyond:pairs-at-full-distance",
    ),
)


_below = mixed.subs(kappa, _k)
_lowest = (alpha - 1) * eta / (1 - _k)

finite = page.inequality(
    "beyond:outer-curve-of-finite-divergence",
    "Where the Rényi divergence is finite on the whole curve",
    All(
        (
            eq(_below, _k - (alpha - 1) * eta**2 - 2 * (alpha - 1) * eta * z + (1 - _k) * z**2),
            Implies(le(_lowest, 1), ge(_below, _below.subs(z, _lowest))),
            Implies(ge(_lowest, 1), ge(_below, _below.subs(z, 1))),
        )
    ),
    r"For $\kappa < 1$, $Q = \kappa - (\alpha-1)\eta^2 - 2(\alpha-1)\eta z + (1-\kappa)z^2$ is lowest on $[0, 1]$ at "
    r"$\min\left(1, \frac{(\alpha-1)\eta}{1-\kappa}\right)$.",
    wrong={"always at the end": ge(_below, _below.subs(z, 1)), "always at the start": ge(_below, _below.subs(z, 0))},
)
