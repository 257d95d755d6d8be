r"""The wide distribution first is the worse order for the hockey-stick divergence, in two dimensions and more.

For $\varepsilon \ge 0$ and $d \ge 2$, $H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v)$ for the wide $P_v = N(De_1, vI_d)$ and the narrow
$Q = N(0, I_d)$. With the privacy loss $L = \log p_v/q$ and its density $f$ under $Q$ the difference is

$\int_\varepsilon^\infty (1 - e^{\varepsilon-l})\,(e^lf(l) - f(-l))\,dl$,

and it is 0 at $\varepsilon = 0$, where both orders give the total variation. So it is enough that $e^lf(l) - f(-l)$ changes its
sign on $l > 0$ once, from minus to plus: the weight $(1-e^{\varepsilon-l})_+/(1-e^{-l})$ grows with $l$. The logarithm of the quotient
$e^lf(l)/f(-l)$ is 0 at $l = 0$, and convex, because the mean cosine over the concentration is (`mean_cosine.py`). In one
dimension the quotient can change sign three times; `order_on_the_line.py` shows the statement there in another way.
"""

from functools import partial

from sympy import Expr, Integer, Max, diff, exp, log, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    eq,
    ge,
    gt,
    le,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Identity, Points, Released, Search, Smt, Unreduced

from ..rgm.notation import DIMENSION, HALF, d
from ..theorems import CHANGE_OF_VARIABLES, MONOTONE_INTEGRAL
from ..worlds import divergences as divergence_worlds
from .mean_cosine import S, s, zeta
from .pairs_in_space import wide_first_cases
from .variance_ends import EXCESS, LEVEL, SHIFT, eps, radius2, v, w, wide_in_one_dimension

_WHERE = "used for the order of the worst pair; in neither version"

_START = positive("u_0", "square of the radius where the loss is 0")
_STEP = nonnegative("tau", "how far the squares of the two radii are from it")
_PLUS = real("A", "log of the mean of exp(z t) on the larger sphere")
_MINUS = real("B", "the same on the smaller sphere")
_u0, _tau, _A, _B = (k.symbol for k in (_START, _STEP, _PLUS, _MINUS))
_INSIDE = Hypothesis("the smaller sphere is there", gt(_u0 - _tau, 0))

radii = Claim(
    id="beyond:radii-of-opposite-levels",
    title="The squared radii of opposite levels lie evenly around that of level 0",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"At the loss $\varepsilon$ the square of the radius is that at 0 plus $\tau = \frac{2v}{w}\varepsilon$.",
    variables=(EXCESS, SHIFT, LEVEL, DIMENSION),
    conclusion=eq(radius2, radius2.subs(eps, 0) + 2 * v / w * eps),
    checks=(Identity(),),
    derivation=(Step(claim="beyond:level-set-sphere"),),
    mutants=(
        Mutant("without v", eq(radius2, radius2.subs(eps, 0) + 2 / w * eps)),
        Mutant("half", eq(radius2, radius2.subs(eps, 0) + v / w * eps)),
    ),
)


def _log_density(square: Expr, mean: Expr) -> Expr:
    """Log density of the squared distance from the centre under Q, up to a constant; `mean` is that of exp(z t)."""
    return (d * HALF - 1) * log(square) - square / 2 + mean


_loss = w * _tau / (2 * v)

quotient = Claim(
    id="beyond:quotient-of-loss-densities",
    title="The quotient of the densities of the loss at opposite levels",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"Under $Q$ the squared distance from the centre has a density proportional to $u^{d/2-1}e^{-u/2}\Phi(z)$, where $\Phi(z)$ is the mean "
        r"of $e^{zt}$ on the sphere and $z = \frac Dw\sqrt u$. So with $h(u) = (\frac d2-1)\log u + \log\Phi$: "
        r"$\log\frac{e^lf(l)}{f(-l)} = h(u_0+\tau) - h(u_0-\tau) - \frac{v+1}{2v}\tau$ for $l = \frac{w}{2v}\tau$."
    ),
    variables=(_START, _STEP, _PLUS, _MINUS, EXCESS, DIMENSION),
    hypotheses=(_INSIDE,),
    conclusion=eq(
        _loss + _log_density(_u0 + _tau, _A) - _log_density(_u0 - _tau, _B),
        (d * HALF - 1) * (log(_u0 + _tau) - log(_u0 - _tau)) + _A - _B - (v + 1) / (2 * v) * _tau,
    ),
    checks=(Identity(),),
    derivation=(
        Step(claim="beyond:radii-of-opposite-levels"),
        Step(
            "The squared distance from the centre has the density $u^{d/2-1}e^{-u/2}\\Phi(z)$, and the loss, which is affine in it, the same up to a constant.",
            theorem=CHANGE_OF_VARIABLES,
            met={
                "diffeomorphism": "Radius and direction are coordinates of the space without the centre.",
                "integrable or nonnegative": "Densities are not negative.",
            },
        ),
    ),
    sampling=Chart(
        {_u0: (0, None), _tau: (0, 1), _A: (-3, 3), _B: (-3, 3), w: (0, None), d: (1, 100)},
        {_u0: _u0, _tau: _tau * _u0, _A: _A, _B: _B, w: w, d: d},
    ),
    mutants=(
        Mutant(
            "v - 1",
            eq(
                _loss + _log_density(_u0 + _tau, _A) - _log_density(_u0 - _tau, _B),
                (d * HALF - 1) * (log(_u0 + _tau) - log(_u0 - _tau)) + _A - _B - (v - 1) / (2 * v) * _tau,
            ),
        ),
        Mutant(
            "without the loss",
            eq(
                _log_density(_u0 + _tau, _A) - _log_density(_u0 - _tau, _B),
                (d * HALF - 1) * (log(_u0 + _tau) - log(_u0 - _tau)) + _A - _B - (v + 1) / (2 * v) * _tau,
            ),
        ),
    ),
)

_SQUARE = positive("u", "square of a radius")
_u = _SQUARE.symbol
_CENTRE = nonnegative("c", "distance of the centre from the narrow mean, D/w")
_c = _CENTRE.symbol
_z = _c * sqrt(_u)

slope_of_h = Claim(
    id="beyond:slope-of-the-log-density",
    title="The derivative of h",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"The derivative of $\log\Phi$ in $z$ is the mean cosine $y = sz$; with $z = c\sqrt u$: $h'(u) = \frac{d-2}{2u} + \frac{c^2}{2}s$."
    ),
    variables=(_SQUARE, _CENTRE, S, DIMENSION),
    conclusion=eq(diff((d * HALF - 1) * log(_u), _u) + diff(_z, _u) * s * _z, (d - 2) / (2 * _u) + _c**2 * s / 2),
    checks=(Identity(),),
    mutants=(
        Mutant(
            "d for d - 2", eq(diff((d * HALF - 1) * log(_u), _u) + diff(_z, _u) * s * _z, d / (2 * _u) + _c**2 * s / 2)
        ),
        Mutant(
            "c for its square",
            eq(diff((d * HALF - 1) * log(_u), _u) + diff(_z, _u) * s * _z, (d - 2) / (2 * _u) + _c * s / 2),
        ),
    ),
)

_D2 = natural("d", "dimension of the output", lower=2)
_SMALL = positive("u", "square of the smaller radius")
_LARGE = positive("U", "square of the larger radius")
_SLOPE = real("k", "derivative of s in the square of the concentration, on the smaller sphere")
_SLOPE_U = real("K", "the same on the larger sphere")
_d2, _U, _k, _K = (x.symbol for x in (_D2, _LARGE, _SLOPE, _SLOPE_U))
_ORDERED = Hypothesis("the larger and the smaller", le(_u, _U))
_CONVEX = Hypothesis("s is convex", le(_k, _K), by=("beyond:mean-cosine-convex",))


def _curvature(square: Expr, slope: Expr, dimension: Expr) -> Expr:
    """The second derivative of h: that of its first derivative, with the square of the concentration c^2 u."""
    return -(dimension - 2) / (2 * square**2) + _c**4 * slope / 2


_BOTH_ORDERS = partial(wide_first_cases, symbols=(_u, _U, _k, _K, _c, _d2))

wide_first = Claim(
    id="beyond:wide-first-hockey-stick",
    title="The order with the wide distribution first is the worse one in two dimensions and more",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"For $d \ge 2$ the second derivative of $h$ grows, so that $h(u_0+\tau) - h(u_0-\tau) - \frac{v+1}{2v}\tau$ is convex in $\tau$. Hence "
        r"$H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v)$ for every $\varepsilon \ge 0$, every distance and every $v \ge 1$."
    ),
    variables=(_SMALL, _LARGE, _SLOPE, _SLOPE_U, _CENTRE, _D2),
    hypotheses=(_ORDERED, _CONVEX),
    conclusion=ge(_curvature(_U, _K, _d2), _curvature(_u, _k, _d2)),
    checks=(Smt(), divergence_worlds.TWO_ORDERS, Unreduced(cases=_BOTH_ORDERS), Released(cases=_BOTH_ORDERS)),
    sampling=Chart(
        {_u: (0, None), _tau: (0, None), _k: (-1, 0), zeta: (0, 1), _c: (0, None), _d2: (2, 100)},
        {_u: _u, _U: _u + _tau, _k: _k, _K: _k + zeta, _c: _c, _d2: _d2},
    ),
    mutants=(
        Mutant("direction", le(_curvature(_U, _K, _d2), _curvature(_u, _k, _d2))),
        Mutant("in dimension 1", ge(_curvature(_U, _K, Integer(1)), _curvature(_u, _k, Integer(1)))),
        Mutant("s need not be convex", hypotheses=(_ORDERED,)),
    ),
    derivation=(
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
        Step(
            "There the second order takes the loss for its negative.",
            theorem=CHANGE_OF_VARIABLES,
            met={
                "diffeomorphism": "It is a reflection.",
                "integrable or nonnegative": "What is integrated is not negative.",
            },
        ),
        Step(r"At level 0 both orders agree.", "beyond:hockey-stick-at-negative-levels"),
        Step("The weights of a positive level favour large losses.", "beyond:weights-grow"),
        Step("Against one change of sign that is enough at every loss,", "beyond:weights-against-a-change-of-sign"),
        Step(
            "and for the integrals.",
            theorem=MONOTONE_INTEGRAL,
            met={
                "pointwise": "beyond:weights-against-a-change-of-sign",
                "integrable": "$e^lf(l)$ and $f(l)$ are densities, and the weights are bounded.",
            },
        ),
    ),
)

_LOSS, _LEVEL_E = positive("l", "privacy loss"), nonnegative("epsilon", "level of the privacy loss")
_AT_PLUS, _AT_MINUS = nonnegative("f", "density of the loss at l, under Q"), nonnegative("g", "the same at -l")
_l, _eps_l, _f_plus, _f_minus = (x.symbol for x in (_LOSS, _LEVEL_E, _AT_PLUS, _AT_MINUS))
_first_order = (exp(_l) - exp(_eps_l)) * _f_plus
_second_order = (1 - exp(_eps_l) * exp(-_l)) * _f_minus

by_the_loss = Claim(
    id="beyond:orders-by-the-loss",
    title="The difference of the two orders by the density of the loss",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$H_\varepsilon(P_v\|Q) = E_Q(e^L - e^\varepsilon)_+$ and $H_\varepsilon(Q\|P_v) = E_Q(1 - e^{\varepsilon+L})_+$, which the losses above $\varepsilon$ and below "
        r"$-\varepsilon$ make up. At $l$ and at $-l$: $(e^l - e^\varepsilon)f(l) - (1 - e^{\varepsilon-l})f(-l) = (1 - e^{\varepsilon-l})(e^lf(l) - f(-l))$."
    ),
    variables=(_LOSS, _LEVEL_E, _AT_PLUS, _AT_MINUS),
    conclusion=eq(_first_order - _second_order, (1 - exp(_eps_l - _l)) * (exp(_l) * _f_plus - _f_minus)),
    checks=(Identity(),),
    derivation=(Step("The positive part under the integral.", "beyond:neyman-pearson-pointwise"),),
    mutants=(
        Mutant("without the tilt", eq(_first_order - _second_order, (1 - exp(_eps_l - _l)) * (_f_plus - _f_minus))),
        Mutant("a sum", eq(_first_order + _second_order, (1 - exp(_eps_l - _l)) * (exp(_l) * _f_plus - _f_minus))),
    ),
)

_WHERE_IT_CHANGES = positive("l_0", "loss at which the sign changes")
_HERE, _THERE = (
    nonnegative("omega", "quotient of the weights at the loss"),
    nonnegative("omega_0", "the same at the change"),
)
_ZERO_WEIGHT = nonnegative("h", "weight of level 0 at the loss, 1 - e^(-l)")
_DENSITIES = real("k", "e^l f(l) - f(-l)")
_l0, _omega, _omega0, _h0, _diff = (x.symbol for x in (_WHERE_IT_CHANGES, _HERE, _THERE, _ZERO_WEIGHT, _DENSITIES))
_CHANGES = Hypothesis("from minus to plus", ge(_diff * (_l - _l0), 0), by=("beyond:convex-from-zero",))
_GROWS = Hypothesis("weights grow", ge((_omega - _omega0) * (_l - _l0), 0), by=("beyond:weights-grow",))
_APART = Hypothesis("another loss", gt((_l - _l0) ** 2, 0))

change_of_sign = Claim(
    id="beyond:weights-against-a-change-of-sign",
    title="Growing weights against one change of sign",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"Where the difference of the densities is negative before $l_0$ and positive after it, and the quotient $\omega$ of the weights grows, "
        r"$\omega(l)(1-e^{-l})\,(e^lf(l) - f(-l)) \ge \omega(l_0)(1-e^{-l})\,(e^lf(l) - f(-l))$ at every other loss."
    ),
    variables=(_LOSS, _WHERE_IT_CHANGES, _HERE, _THERE, _ZERO_WEIGHT, _DENSITIES),
    hypotheses=(_CHANGES, _GROWS, _APART),
    conclusion=ge(_omega * _h0 * _diff, _omega0 * _h0 * _diff),
    reading=r"Below $\varepsilon$ the weight of that level is 0, as little as a quotient can be.",
    checks=(Smt(),),
    sampling=Chart(
        {_l: (0, 4), _l0: (0, 4), _omega0: (0, 2), _omega: (0, 1), _h0: (0, 1), _diff: (0, 2)},
        {_omega: Max(0, _omega0 + _omega * (_l - _l0)), _diff: _diff * (_l - _l0)},
    ),
    mutants=(
        Mutant("direction", le(_omega * _h0 * _diff, _omega0 * _h0 * _diff)),
        Mutant("weights that need not grow", hypotheses=(_CHANGES, _APART)),
        Mutant("any sign", hypotheses=(_GROWS, _APART)),
    ),
)

_T1 = positive("tau", "a place")
_T2 = positive("theta", "a later place")
_V1 = real("a", "value at the place")
_V2 = real("b", "value at the later place")
_t1, _t2, _a, _b = (x.symbol for x in (_T1, _T2, _V1, _V2))

convex_from_zero = Claim(
    id="beyond:convex-from-zero",
    title="A convex function from 0 stays nonnegative once it is",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"If $T(0) = 0$ and $T$ is convex, $T(\tau) \ge 0$ implies $T(\theta) \ge T(\tau) \ge 0$ for $\theta \ge \tau > 0$.",
    variables=(_T1, _T2, _V1, _V2),
    hypotheses=(
        Hypothesis("later", le(_t1, _t2)),
        Hypothesis("the chord from 0 lies above", le(_a * _t2, _b * _t1)),
        Hypothesis("nonnegative there", ge(_a, 0)),
    ),
    conclusion=ge(_b, _a),
    checks=(Smt(),),
    mutants=(
        Mutant("twice", ge(_b, 2 * _a)),
        Mutant(
            "from a negative value",
            hypotheses=(
                Hypothesis("later", le(_t1, _t2)),
                Hypothesis("the chord from 0 lies above", le(_a * _t2, _b * _t1)),
            ),
        ),
    ),
)

_E = real("E", "e^epsilon", lower=1)
_NEAR = positive("A", "e^(-l) at the smaller loss", upper=1)
_FAR = positive("B", "e^(-l) at the larger loss", upper=1)
_e, _near, _far = _E.symbol, _NEAR.symbol, _FAR.symbol

weights = Claim(
    id="beyond:weights-grow",
    title="The weight of a level against that of level 0 grows with the loss",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $E = e^\varepsilon \ge 1$ and $A \ge B$, which stand for $e^{-l}$: $(1-EA)(1-B) \le (1-EB)(1-A)$.",
    variables=(_E, _NEAR, _FAR),
    hypotheses=(Hypothesis("the smaller and the larger loss", ge(_near, _far)),),
    conclusion=le((1 - _e * _near) * (1 - _far), (1 - _e * _far) * (1 - _near)),
    checks=(Combination(terms=((_e - 1, _near - _far),)), Smt()),
    mutants=(
        Mutant("direction", ge((1 - _e * _near) * (1 - _far), (1 - _e * _far) * (1 - _near))),
        Mutant("in any order", hypotheses=()),
    ),
    remark=(
        r"With $g(l) = e^lf(l) - f(-l)$, negative before $l_*$ and positive after it, and $\omega(l)$ the quotient of the weights: "
        r"$\int\omega(l)(1-e^{-l})g(l)\,dl \ge \omega(l_*)\int(1-e^{-l})g(l)\,dl = 0$."
    ),
)

_POSITIVE_SHIFT = positive("D", "distance of the means, in units of the narrow scale")
_LEVEL_0 = nonnegative("epsilon", "level of the privacy loss")
_D, _eps0 = _POSITIVE_SHIFT.symbol, _LEVEL_0.symbol
#: H of the narrow distribution against the wide one for d = 1, where its interval is not empty.
_narrow = 1 - exp(_eps0) + exp(_eps0) * wide_in_one_dimension(w, _D, -_eps0)

at_points = Claim(
    id="beyond:wide-first-in-one-dimension-at-points",
    title="In one dimension the wide distribution first is the worse order, at points",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"For $d = 1$ and $\varepsilon \ge 0$: $H_\varepsilon(P_v\|Q) \ge H_\varepsilon(Q\|P_v)$. Where the second has no real radius it is 0."
    ),
    variables=(EXCESS, _POSITIVE_SHIFT, _LEVEL_0),
    hypotheses=(Hypothesis("a real radius", ge(_D**2 / w + log(1 + w), 2 * _eps0)),),
    conclusion=ge(wide_in_one_dimension(w, _D, _eps0), _narrow),
    checks=(Points(), Search()),
    sampling=Chart({w: (0, 4), _D: (0, 5), _tau: (0, 1)}, {w: w, _D: _D, _eps0: (_D**2 / w + w / (1 + w)) / 2 * _tau}),
    mutants=(
        Mutant("direction", le(wide_in_one_dimension(w, _D, _eps0), _narrow)),
        Mutant(
            "at negative levels",
            ge(
                wide_in_one_dimension(w, _D, -_eps0),
                1 - exp(-_eps0) + exp(-_eps0) * wide_in_one_dimension(w, _D, _eps0),
            ),
        ),
    ),
    remark=(
        "An end-to-end look at what the steps prove, with the error function; only points and a search, so that it ends as supported."
    ),
)
