r"""The wide distribution first is the worse order for the hockey-stick divergence, in two dimensions and more.

For $\varepsilon \ge 0$ and $d \ge 2$, $H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v)$ for the wide $P_v = N(De_1, vI_d)$ and the narrow
$Q = N(0, I_d)$. With the privacy loss $L = \log p_v/q$ and its density $f$ under $Q$ the difference is

$\int_\varepsilon^\infty (1 - e^{\varepsilon-l})\,(e^lf(l) - f(-l))\,dl$,

and it is 0 at $\varepsilon = 0$, where both orders give the total variation. So it is enough that $e^lf(l) - f(-l)$ changes its
sign on $l > 0$ once, from minus to plus: the weight $(1-e^{\varepsilon-l})_+/(1-e^{-l})$ grows with $l$. The logarithm of the quotient
$e^lf(l)/f(-l)$ is 0 at $l = 0$, and convex, because the mean cosine over the concentration is (`mean_cosine.py`). In one
dimension the quotient can change sign three times; `order_on_the_line.py` shows the statement there in another way.
"""

from rgm_verify.pages import *

from ...rgm.notation import DIMENSION, HALF, NOTATION, d
from ...theorems import CHANGE_OF_VARIABLES, MONOTONE_INTEGRAL
from ..pairs.mean_cosine import page as _mean_cosine, s, zeta
from ..pairs.pairs_in_space import wide_first_cases
from . import finite_laws_worlds as worlds
from .variance_ends import eps, page as _variance_ends, radius2, v, w, wide_in_one_dimension

page = Page(
    "beyond", "used for the order of the worst pair; in neither version", NOTATION, _mean_cosine, _variance_ends
)
_u0 = page.positive("u_0", "square of the radius where the loss is 0")
_tau = page.nonnegative("tau", "how far the squares of the two radii are from it")
_A = page.real("A", "log of the mean of exp(z t) on the larger sphere", latex=r"\log\Phi_+")
_B = page.real("B", "the same on the smaller sphere", latex=r"\log\Phi_-")
_at_zero = named("u_0", radius2.subs(eps, 0))

radii = page.identity(
    "beyond:radii-of-opposite-levels",
    "The squared radii of opposite levels lie evenly around that of level 0",
    eq(radius2, _at_zero + 2 * v / w * eps),
    r"The second term is the distance $\tau$ of the two squares.",
    over=(DIMENSION,),
    wrong={"without v": _at_zero + 2 / w * eps, "half": _at_zero + v / w * eps},
    steps="beyond:level-set-sphere",
)


def _log_density(square: Expr, mean: Expr) -> Expr:
    """Log density of the squared distance from the centre under Q, up to a constant; `mean` is that of exp(z t)."""
    return (d * HALF - 1) * log(square) - square / 2 + mean


_loss = named("l", w * _tau / (2 * v))
_change = (d * HALF - 1) * (log(_u0 + _tau) - log(_u0 - _tau)) + _A - _B

quotient = page.identity(
    "beyond:quotient-of-loss-densities",
    "The quotient of the densities of the loss at opposite levels",
    eq(_loss + _log_density(_u0 + _tau, _A) - _log_density(_u0 - _tau, _B), _change - (v + 1) / (2 * v) * _tau),
    r"Under $Q$ the squared distance from the centre has a density proportional to $u^{d/2-1}e^{-u/2}\Phi(z)$, where $\Phi(z)$ is the mean of $e^{zt}$ on the sphere. So the quotient grows as the difference of two values of $(\frac d2-1)\log u + \log\Phi$.",
    given=Hypothesis("the smaller sphere is there", gt(_u0 - _tau, 0)),
    points={_tau: (0, 1, _tau * _u0), _A: (-3, 3), _B: (-3, 3), d: (1, 100)},
    over=(DIMENSION,),
    wrong={
        "v - 1": _change - (v - 1) / (2 * v) * _tau,
        "without the loss": left(_log_density(_u0 + _tau, _A) - _log_density(_u0 - _tau, _B)),
    },
    steps=(
        "beyond:radii-of-opposite-levels",
        CHANGE_OF_VARIABLES.quoted(
            "The squared distance from the centre has the density $u^{d/2-1}e^{-u/2}\\Phi(z)$, and the loss, which is affine in it, the same up to a constant.",
            "Radius and direction are coordinates of the space without the centre.",
            "Densities are not negative.",
        ),
    ),
)

_u = page.positive("u", "square of a radius")
_c = page.nonnegative("c", "distance of the centre from the narrow mean, D/w")
_z = named("z", _c * sqrt(_u))

slope_of_h = page.identity(
    "beyond:slope-of-the-log-density",
    "The derivative of h",
    eq(
        Derivative((d * HALF - 1) * log(_u), _u) + named(r"\frac{dz}{du}", Derivative(_z, _u)) * s * _z,
        (d - 2) / (2 * _u) + _c**2 * s / 2,
    ),
    r"On the left the derivative of $\log\Phi$ in $z$ is the mean cosine $sz$.",
    over=(DIMENSION,),
    wrong={"d for d - 2": d / (2 * _u) + _c**2 * s / 2, "c for its square": (d - 2) / (2 * _u) + _c * s / 2},
)

_d2 = page.natural("d", "dimension of the output", lower=2)
_SMALL = positive("u", "square of the smaller radius")
_U = page.positive("U", "square of the larger radius")
_k = page.real("k", "derivative of s in the square of the concentration, on the smaller sphere", latex=r"s'(c^2u)")
_K = page.real("K", "the same on the larger sphere", latex=r"s'(c^2U)")
_CONVEX = Hypothesis("s is convex", le(_k, _K), by=("beyond:mean-cosine-convex",))


def _curvature(square: Expr, slope: Expr, dimension: Expr) -> Expr:
    """The second derivative of h: that of its first derivative, with the square of the concentration c^2 u."""
    return -(dimension - 2) / (2 * square**2) + _c**4 * slope / 2


_BOTH_ORDERS = partial(wide_first_cases, symbols=(_u, _U, _k, _K, _c, _d2))

wide_first = page.theorem(
    "beyond:wide-first-hockey-stick",
    "The order with the wide distribution first is the worse one in two dimensions and more",
    ge(_curvature(_U, _K, _d2), _curvature(_u, _k, _d2)),
    r"This is so for every $\varepsilon$ of at least 0, every distance and every $v$ of at least 1. Judged is that the second derivative of $h$ grows.",
    printed=r"H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v) \quad\text{for } d \ge 2",
    given=(Hypothesis("the larger and the smaller", le(_u, _U)), _CONVEX),
    by=(Smt(), worlds.TWO_ORDERS, Unreduced(cases=_BOTH_ORDERS), Released(cases=_BOTH_ORDERS)),
    points={_k: (-1, 0), zeta: (0, 1), _d2: (2, 100), _U: _u + _tau, _K: _k + zeta},
    over=(_SMALL,),
    wrong={
        "direction": turned(),
        "in dimension 1": ge(_curvature(_U, _K, Integer(1)), _curvature(_u, _k, Integer(1))),
        "s need not be convex": without(_CONVEX),
    },
    steps=(
        Step("For $v = 1$ a reflection exchanges the two laws, so that both orders agree; from here on $v > 1$."),
        Step("The quotient of the two densities of the loss.", "beyond:quotient-of-loss-densities"),
        Step(r"The derivative of $h$ is $\frac{d-2}{2u} + \frac{c^2}{2}s(c^2u)$,", "beyond:slope-of-the-log-density"),
        Step(r"and both of its parts are convex.", "beyond:mean-cosine-convex"),
        Step(
            "A convex function that starts at 0 changes its sign at most once, from minus to plus.",
            "beyond:convex-from-zero",
        ),
        Step("So does the difference of the densities; where $f(-l)$ is 0 already, it is not negative."),
        Step("Both orders by the density of the loss.", "beyond:orders-by-the-loss"),
        CHANGE_OF_VARIABLES.quoted(
            "There the second order takes the loss for its negative.",
            "It is a reflection.",
            "What is integrated is not negative.",
        ),
        Step(r"At level 0 both orders agree.", "beyond:hockey-stick-at-negative-levels"),
        Step("The weights of a positive level favour large losses.", "beyond:weights-grow"),
        Step("Against one change of sign that is enough at every loss,", "beyond:weights-against-a-change-of-sign"),
        MONOTONE_INTEGRAL.quoted(
            "and for the integrals.",
            "beyond:weights-against-a-change-of-sign",
            "$e^lf(l)$ and $f(l)$ are densities, and the weights are bounded.",
        ),
    ),
)

_l = page.positive("l", "privacy loss")
_eps_l = page.nonnegative("epsilon", "level of the privacy loss")
_f_plus = page.nonnegative("f", "density of the loss at l, under Q", latex="f(l)")
_f_minus = page.nonnegative("g", "the same at -l", latex="f(-l)")
_first_order = (exp(_l) - exp(_eps_l)) * _f_plus
_second_order = (1 - exp(_eps_l) * exp(-_l)) * _f_minus

by_the_loss = page.identity(
    "beyond:orders-by-the-loss",
    "The difference of the two orders by the density of the loss",
    eq(_first_order - _second_order, (1 - exp(_eps_l - _l)) * (exp(_l) * _f_plus - _f_minus)),
    r"The losses above $\varepsilon$ make up the first divergence, those below $-\varepsilon$ the second. On the left is what $l$ and $-l$ add.",
    printed=r"(e^l - e^\varepsilon)f(l) - (1 - e^{\varepsilon-l})f(-l) = (1 - e^{\varepsilon-l})(e^lf(l) - f(-l))",
    wrong={
        "without the tilt": (1 - exp(_eps_l - _l)) * (_f_plus - _f_minus),
        "a sum": left(_first_order + _second_order),
    },
    steps=Step("The positive part under the integral.", "beyond:neyman-pearson-pointwise"),
)

_l0 = page.positive("l_0", "loss at which the sign changes")
_omega = page.nonnegative("omega", "quotient of the weights at the loss")
_omega0 = page.nonnegative("omega_0", "the same at the change")
_h0 = page.nonnegative("h", "weight of level 0 at the loss, 1 - e^(-l)")
_DENSITIES = real("k", "e^l f(l) - f(-l)")
_diff = _DENSITIES.symbol
_CHANGES = Hypothesis("from minus to plus", ge(_diff * (_l - _l0), 0), by=("beyond:convex-from-zero",))
_GROWS = Hypothesis("weights grow", ge((_omega - _omega0) * (_l - _l0), 0), by=("beyond:weights-grow",))

change_of_sign = page.inequality(
    "beyond:weights-against-a-change-of-sign",
    "Growing weights against one change of sign",
    ge(_omega * _h0 * _diff, _omega0 * _h0 * _diff),
    r"The factor $k$ is the difference of the densities, negative before $l_0$ and positive after it, and $\omega$ the quotient of the weights.",
    given=(_CHANGES, _GROWS, Hypothesis("another loss", gt((_l - _l0) ** 2, 0))),
    points={
        (_l, _l0): (0, 4),
        _omega0: (0, 2),
        _omega: (0, 1, Max(0, _omega0 + _omega * (_l - _l0))),
        _h0: (0, 1),
        _diff: (0, 2, _diff * (_l - _l0)),
    },
    over=(_DENSITIES,),
    wrong={"direction": turned(), "weights that need not grow": without(_GROWS), "any sign": without(_CHANGES)},
    reading=r"Below $\varepsilon$ the weight of that level is 0, as little as a quotient can be.",
)

_t1 = page.positive("tau", "a place")
_t2 = page.positive("theta", "a later place")
_a = page.real("a", "value at the place", latex=r"T(\tau)")
_b = page.real("b", "value at the later place", latex=r"T(\theta)")

convex_from_zero = page.inequality(
    "beyond:convex-from-zero",
    "A convex function from 0 stays nonnegative once it is",
    ge(_b, _a),
    "These are the values at a place and at a later one.",
    given=(
        Hypothesis("later", le(_t1, _t2)),
        Hypothesis("the chord from 0 lies above", le(_a * _t2, _b * _t1)),
        Hypothesis("nonnegative there", ge(_a, 0)),
    ),
    wrong={"twice": 2 * _a, "from a negative value": without("nonnegative there")},
)

_e = page.real("E", "e^epsilon", lower=1)
_near = page.positive("A", "e^(-l) at the smaller loss", upper=1)
_far = page.positive("B", "e^(-l) at the larger loss", upper=1)

weights = page.inequality(
    "beyond:weights-grow",
    "The weight of a level against that of level 0 grows with the loss",
    le((1 - _e * _near) * (1 - _far), (1 - _e * _far) * (1 - _near)),
    "The numbers $A$ and $B$ stand for $e^{-l}$ at two losses.",
    given=Hypothesis("the smaller and the larger loss", ge(_near, _far)),
    by=(combination((_e - 1, _near - _far)), Smt()),
    wrong={"direction": turned(), "in any order": without()},
    remark=r"With $g(l) = e^lf(l) - f(-l)$, negative before $l_*$ and positive after it, and $\omega(l)$ the quotient of the weights: "
    r"$\int\omega(l)(1-e^{-l})g(l)\,dl \ge \omega(l_*)\int(1-e^{-l})g(l)\,dl = 0$.",
)

_D = page.positive("D", "distance of the means, in units of the narrow scale")
_eps0 = page.nonnegative("epsilon", "level of the privacy loss")
#: H of the narrow distribution against the wide one for d = 1, where its interval is not empty.
_wide = named(r"H_\varepsilon(P_v\|Q)", wide_in_one_dimension(w, _D, _eps0))

_WIDE_FIRST = Outputs((_D,), (Integer(0),), 1, variances=(1 + w, Integer(1)))
_AT = tuple({w: Rational(1, 5), _D: distance, _eps0: Rational(1, 2)} for distance in (Integer(1), Integer(2)))

at_points = page.inequality(
    "beyond:wide-first-in-one-dimension-at-points",
    "In one dimension the wide distribution first is the worse order, at points",
    ge(_wide, named(r"H_\varepsilon(Q\|P_v)", 1 - exp(_eps0) + exp(_eps0) * wide_in_one_dimension(w, _D, -_eps0))),
    "In one dimension, at a level of at least 0. Where the second has no real radius it is 0.",
    outputs=by_outputs(_wide, HockeyStick(_eps0), _WIDE_FIRST, _AT, _AT[:1]),
    printed=r"H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v) \quad\text{for } d = 1",
    given=Hypothesis("a real radius", ge(_D**2 / w + log(1 + w), 2 * _eps0)),
    by=(Points(), Search()),
    points={w: (0, 4), _D: (0, 5), _tau: (0, 1), _eps0: (_D**2 / w + w / (1 + w)) / 2 * _tau},
    wrong={
        "direction": turned(),
        "at negative levels": ge(
            wide_in_one_dimension(w, _D, -_eps0), 1 - exp(-_eps0) + exp(-_eps0) * wide_in_one_dimension(w, _D, _eps0)
        ),
    },
    remark="An end-to-end look at what the steps prove, with the error function; only points and a search, so that it ends as supported.",
)
