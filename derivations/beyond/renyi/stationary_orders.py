r"""Stationary points of the Rényi divergence along the outer curve: the roots of a polynomial of degree five.

On the outer curve (`pairs_that_remain.py`) with $A = \eta^2/\gamma$, $W = N + \eta(\eta+2z)$ and $Q = N - (\alpha-1)\eta(\eta+2z)$ the divergence of order
$\alpha$, the wide distribution first, is

$\frac{\alpha A}{2Q} + \frac d2\left(-\frac{\log Q}{\alpha-1} + \frac{\alpha\log N}{\alpha-1} - \log W\right)$,

and its derivative by $z$ times $2(\alpha-1)Q^2NW$ is a polynomial. So the supremum over the curve is at one of its roots or at an end. The
divergence is finite on the whole curve where the quadratic $Q$ is positive at its lowest point.
"""

from ...rgm.notation import *
from ...theorems import DIFFERENTIATION
from ..pairs.below_threshold import wide_first
from ..pairs.pairs_that_remain import KAPPA, kappa, outer_excess, page as _pairs_that_remain, spread, z

_USED = (NOTATION, _pairs_that_remain)
page = Page("beyond", "used for the exact Rényi curve below the threshold; in neither version", *_USED)
_k = page.real("kappa", "baseline noise over its threshold", lower=0, upper=1, lower_open=True, upper_open=True)
_surplus = named("U", eta * (eta + 2 * z))
wide = named("W", spread + _surplus)
mixed = named("Q", spread - (alpha - 1) * _surplus)
_ratio = named("A", eta**2 / gamma)
_H = real("h", lower=0, upper=1).symbol
#: (alpha - 1) w = h < 1.
_POINTS = {eta: (0, 5), gamma: (0, 5), kappa: (0, 2), _H: (0, 1), d: (1, 50), alpha: 1 + _H / outer_excess}
#: The divergence along the curve, with the logarithms apart.
along_curve = named(
    r"D_\alpha(z)",
    alpha * _ratio / (2 * mixed) + d / 2 * (-log(mixed) / (alpha - 1) + alpha * log(spread) / (alpha - 1) - log(wide)),
)
_n = page.positive("N", "proportional to the smaller variance")
_u = page.positive("U", "proportional to the difference of the variances")
_q, _w = named("Q", _n - (alpha - 1) * _u), named("W", _n + _u)
_parts = alpha * _ratio / (2 * _q) + d / 2 * (-log(_q) / (alpha - 1) + alpha * log(_n) / (alpha - 1) - log(_w))

_ON_CURVE = tuple(
    {
        eta: Rational(1, 5),
        gamma: Rational(1, 10),
        alpha: order,
        _n: Integer(1),
        _u: Rational(1, 5),
        _k: Rational(1, 2),
        kappa: Rational(1, 2),
        z: Rational(1, 2),
        d: Integer(n),
    }
    for order, n in ((Rational(3, 2), 3), (Rational(2), 1))
)
_OUTER = Outputs((sqrt(_ratio / spread),), (Integer(0),), d, variances=(1 + _surplus / spread, Integer(1)))

form = page.identity(
    "beyond:renyi-along-the-outer-curve",
    "The Rényi divergence along the outer curve",
    eq(named(r"D_\alpha(P\|Q)", wide_first(_ratio / _n, _u / _n)), _parts),
    r"The squared distance is $A/N$ and the excess $U/N$, where $U$ is $\eta(\eta+2z)$.",
    outputs=by_outputs(
        wide_first(_ratio / _n, _u / _n),
        Renyi(alpha),
        Outputs((sqrt(_ratio / _n),), (Integer(0),), d, variances=(1 + _u / _n, Integer(1))),
        _ON_CURVE,
        _ON_CURVE[:1],
    ),
    given=Hypothesis("the divergence is finite", gt(_q, 0), "Lemma 2's condition on alpha"),
    by=Identity(positive=(_q, _w)),
    points={_n: (0, 5), _u: (0, 5), eta: (0, 5), gamma: (0, 5), _H: (0, 1), d: (1, 50), alpha: 1 + _H * _n / _u},
    wrong={
        "another log N": _parts - d / 2 * log(_n),
        "N in the main term": _parts + alpha * _ratio / 2 * (1 / _n - 1 / _q),
    },
    steps=("beyond:pairs-at-full-distance", "beyond:renyi-at-the-extreme-pair"),
)

#: The slopes of N, W and Q by z.
_spread1 = named("N'", 2 * (1 - kappa) * z)
_wide1 = named("W'", _spread1 + 2 * eta)
_mixed1 = named("Q'", _spread1 - 2 * (alpha - 1) * eta)
#: The derivative times 2 (alpha - 1) Q^2 N W.
stationary = -alpha * (alpha - 1) * _ratio * _mixed1 * spread * wide + d * (
    -_mixed1 * mixed * spread * wide + alpha * _spread1 * mixed**2 * wide - (alpha - 1) * _wide1 * mixed**2 * spread
)
_multiple = 2 * (alpha - 1) * mixed**2 * spread * wide

polynomial = page.identity(
    "beyond:renyi-stationary-polynomial",
    "The slope of the Rényi divergence along the outer curve is a polynomial over a positive one",
    eq(_multiple * named(r"\frac{dD_\alpha}{dz}", Derivative(along_curve, z)), stationary),
    "The factor on the left is positive where the divergence is finite.",
    outputs=of_bounds(is_quantity(Of(Renyi(alpha), _OUTER), along_curve), _ON_CURVE),
    given=Hypothesis("the divergence is finite", gt(mixed, 0), "Lemma 2's condition on alpha"),
    points=_POINTS,
    over=(KAPPA,),
    wrong={
        "alpha for alpha - 1": stationary - d * _wide1 * mixed**2 * spread,
        "sign of Q'": stationary + 2 * d * _mixed1 * mixed * spread * wide,
        "without the distance": stationary.subs(gamma, 2 * gamma),
    },
    steps="beyond:renyi-along-the-outer-curve",
)

_polynomial = named("p(z)", stationary)

degree = page.identity(
    "beyond:renyi-stationary-degree",
    "The polynomial has degree five at most",
    eq(Derivative(_polynomial, (z, 6)), 0),
    "Its parts have degree seven at most, and their two highest coefficients cancel.",
    over=(KAPPA,),
    wrong={
        "degree four": left(Derivative(_polynomial, (z, 5))),
        "with one part twice": left(Derivative(_polynomial + d * alpha * _spread1 * mixed**2 * wide, (z, 6))),
    },
    steps="beyond:renyi-stationary-polynomial",
)

at_one = named("D_1(z)", _ratio / (2 * spread) + d / 2 * (wide / spread - 1 - log(wide) + log(spread)))
stationary_at_one = -_ratio * _spread1 * wide + d * (_wide1 * spread - wide * _spread1) * (wide - spread)

kullback_leibler = page.identity(
    "beyond:kullback-leibler-stationary-polynomial",
    "The same for the Kullback-Leibler divergence",
    eq(2 * spread**2 * wide * named(r"\frac{dD_1}{dz}", Derivative(at_one, z)), stationary_at_one),
    "On the left is the derivative of the divergence of order 1, times $2N^2W$.",
    over=(KAPPA,),
    wrong={
        "W + N": stationary_at_one + 2 * d * spread * (_wide1 * spread - wide * _spread1),
        "sign of N'": stationary_at_one + 2 * _ratio * _spread1 * wide,
    },
    steps=(
        "beyond:cumulant",
        DIFFERENTIATION.quoted(
            "The Kullback-Leibler divergence is $E_PL = K'(0) = \\frac S2 + \\frac d2(w - \\log(1+w))$, with $S = A/N$ and $1 + w = W/N$.",
            "$e^{sL}$ is, in $s$.",
            "Near 0 the exponentials at the ends of an interval in which $K$ is finite bound the derivative.",
        ),
        "beyond:pairs-at-full-distance",
    ),
)

_below = named("Q(z)", mixed.value.subs(kappa, _k))
_lowest = named("z_0", (alpha - 1) * eta / (1 - _k))
_at_lowest, _at_end = named("Q(z_0)", _below.subs(z, _lowest)), named("Q(1)", _below.subs(z, 1))

finite = page.inequality(
    "beyond:outer-curve-of-finite-divergence",
    "Where the Rényi divergence is finite on the whole curve",
    All(
        (
            eq(_below, _k - (alpha - 1) * eta**2 - 2 * (alpha - 1) * eta * z + (1 - _k) * z**2),
            Implies(le(_lowest, 1), ge(_below, _at_lowest)),
            Implies(ge(_lowest, 1), ge(_below, _at_end)),
        )
    ),
    "So $Q$ is lowest at the smaller one of this place and 1.",
    wrong={"always at the end": ge(_below, _at_end), "always at the start": ge(_below, _below.subs(z, 0))},
)
