r"""Pairs that need no look, because another admissible pair has the larger hockey-stick divergence.

In units of the smaller variance a pair is a squared distance $S$ and an excess $w$ of the larger variance. Noise with the variance $\tau$
on both sides makes $\frac{S}{1+\tau}$ and $\frac{w}{1+\tau}$ of them, and no channel makes a divergence larger: along every ray $t(S, w)$ the
divergence grows, in both orders and at every level. So pairs with both a smaller excess and a smaller $S/w$ are left out.

Outputs $tx$, $ty$ with $t > 1$ lie on the same ray, farther out. As long as they are admissible they are the worse pair: what is left has
the largest distance $\delta(m)$ for its smaller norm $m$, or is a limit of large outputs. With $z = \eta m/\delta(m)$ and
$N = \kappa + (1-\kappa)z^2$ such pairs have $S = \frac{\eta^2}{\gamma N}$, and their excess is between those of two outputs on one ray,
$\frac{\eta(\eta+2z)}N$, and of two outputs opposite each other, $\frac{\eta(\eta-2z)}N$, or 0 where the norms can be equal.
"""

from ...rgm.notation import *
from ...rgm.output_pairs import NEIGHBOURS
from ...theorems import DATA_PROCESSING, FUBINI, JENSEN
from ..hockey_stick import finite_laws_worlds as worlds
from .pairs_in_space import looked_at, never_worse

page = Page("beyond", "used for exact accounting; in neither version", NOTATION)
_S = page.nonnegative("S", "squared distance, in units of the smaller variance")
_w = page.nonnegative("w", "excess of the larger variance, in the same units")
_tau = page.nonnegative("tau", "variance of the noise on both sides, in the same units")
_f = page.real("f", "place on the ray, from the equal distributions at 0", lower=0, upper=1, lower_open=True)

noise = page.identity(
    "beyond:equal-noise-on-both-sides",
    "Equal noise on both sides moves a pair along its ray",
    All(
        (
            eq((1 + _w + _tau) / (1 + _tau) - 1, _w / (1 + _tau)),
            eq(printed(lambda: _S / (1 + (1 / _f - 1))), _f * _S),
            eq((1 + _w + (1 / _f - 1)) / (1 + (1 / _f - 1)) - 1, _f * _w),
        )
    ),
    r"Noise of variance $\tau$ is added to the variances $1 + w$ and 1, and the means stay. The last two lines are the pair for $\tau$ at $\frac1f - 1$.",
    by=(Identity(), Smt()),
    wrong={
        "noise on one side": eq((1 + _w + _tau) / 1 - 1, _w / (1 + _tau)),
        "tau = 1/f": eq(_S / (1 + 1 / _f), _f * _S),
        "the variances stay": eq((1 + _w) / (1 + _tau) - 1, _w / (1 + _tau)),
    },
)

_x = page.real("x", "p - Eq at one point")
_y = page.real("y", "p - Eq at another point")
_k = page.nonnegative("k", "how much of the first point the channel brings to a place")
_l = page.nonnegative("l", "how much of the second")

channel = page.inequality(
    "beyond:channel-pointwise",
    "A channel makes no hockey-stick divergence larger",
    le(Max(_k * _x + _l * _y, 0), _k * Max(_x, 0) + _l * Max(_y, 0)),
    r"The numbers $x, y$ are values of $p - e^\varepsilon q$ at points that a channel brings to one place, added up over the points: the divergence after the channel is at most the one before, at every real level.",
    by=(Smt(), worlds.CHANNEL),
    wrong={"direction": turned(), "half": scaled("1/2"), "a difference": left(Max(_k * _x - _l * _y, 0))},
    steps=(
        JENSEN.quoted(
            r"Two points stand for the integral over all: $\left(\int k(z|x)(p-e^\varepsilon q)(x)\,dx\right)_+ \le \int k(z|x)(p-e^\varepsilon q)_+(x)\,dx$.",
            "Two points show it: the positive part is convex.",
            "For almost every place $z$ the weights have a finite integral against both densities.",
        ),
        FUBINI.quoted(
            r"Over the places $z$ the kernel has the integral 1.",
            "Kernel and densities are measurable.",
            "Positive parts are not negative.",
        ),
    ),
)

_h0 = page.real("H", "divergence of the pair (S, w)", latex=r"H_\varepsilon(S, w)")
_h1 = page.real("H'", "divergence of the pair (fT, fW)", latex=r"H_\varepsilon(fT, fW)")
_h2 = page.real("H''", "divergence of the pair (T, W)", latex=r"H_\varepsilon(T, W)")
_T = page.nonnegative("T", "another squared distance, in units of its smaller variance")
_W = page.nonnegative("W", "its excess")
_wide = page.positive("w", "excess of a pair")
_QUOTIENT = Hypothesis("the larger quotient", le(_S * _W, _T * _wide))
_BY_NOISE = Hypothesis(
    "equal noise on both sides",
    Implies(le(_wide / _W, 1), le(_h1, _h2)),
    by=("beyond:equal-noise-on-both-sides", "beyond:channel-pointwise"),
)
_BY_DISTANCE = Hypothesis(
    "the larger distance",
    Implies(both(eq(_wide / _W * _W, _wide), ge(_wide / _W * _T, _S)), le(_h0, _h1)),
    by=("beyond:hockey-stick-monotone-in-distance",),
)
#: In the plane.
_ON_RAYS = never_worse(
    Outputs((sqrt(_S),), (), 2, variances=(1 + _wide, Integer(1))),
    Outputs((sqrt(_T),), (), 2, variances=(1 + _W, Integer(1))),
)
_RAYS = tuple(
    {_wide: Rational(p), _S: Rational(q), _W: Rational(m), _T: Rational(n)}
    for p, q, m, n in (("1/2", "1/4", "1", "1"), ("1/10", "1/2", "1/5", "1"), ("1", "0", "3", "1/4"))
)

rays = page.theorem(
    "beyond:rays-of-pairs",
    "A pair with a larger excess and a larger S/w has the larger divergence",
    All((le(_wide / _W, 1), eq(_wide / _W * _W, _wide), ge(_wide / _W * _T, _S), le(_h0, _h2))),
    "The pair $(T, W)$ becomes $(fT, fW)$ by equal noise, with the quotient $f$ of $w$ and $W$. So $(S, w)$ has at most its divergence, in either order and at every level.",
    given=(Hypothesis("the larger excess", le(_wide, _W)), _QUOTIENT, _BY_NOISE, _BY_DISTANCE),
    by=(Smt(), *looked_at(_ON_RAYS, _RAYS)),
    points={
        (_wide, _S): (0, 5),
        (_k, _h0): (0, 1),
        _h1: (0, 1, _h0 + _h1),
        _h2: (0, 1, _h0 + _h1 + _h2),
        _W: _wide / _f,
        _T: _S / _f * (1 + _k),
    },
    wrong={
        "any quotient": without(_QUOTIENT),
        "any excess": without("the larger excess"),
        "the square of f": ge((_wide / _W) ** 2 * _T, _S),
        "channels may help": without(_BY_NOISE),
    },
    steps=(
        Step("Equal noise on both sides moves a pair along its ray.", "beyond:equal-noise-on-both-sides"),
        DATA_PROCESSING.quoted("It makes no divergence larger.", "beyond:equal-noise-on-both-sides"),
        Step("The same, pointwise.", "beyond:channel-pointwise"),
        Step("At the same excess the larger distance is the worse one.", "beyond:hockey-stick-monotone-in-distance"),
        Step("The same from the sign of the slope.", "beyond:slope-where-both-grow"),
    ),
    reading="The divergences are those of one order and one level, whichever they are; what is assumed of them is what the claims say that justify it.",
)

_t = page.real("t", "factor of both outputs", lower=1)
_SMALLER = Hypothesis("y has the smaller norm", le(b, a))
_shift2 = named("S", distance2 / (gamma * b**2 + sigma2))
_excess = named("w", gamma * (a**2 - b**2) / (gamma * b**2 + sigma2))
_FARTHER_OUT = {a: _t * a, b: _t * b}
_stretched = named("S(t)", _shift2.subs(_FARTHER_OUT, simultaneous=True))
_stretched_excess = named("w(t)", _excess.subs(_FARTHER_OUT, simultaneous=True))
_OUTPUTS = NEIGHBOURS.subs({d: 2})
#: Factors of both outputs, with noise that does not grow as fast.
_OUTPUT_POINTS = tuple(
    {a: Rational(p), b: Rational(q), c: Rational(m), _t: Rational(n), gamma: Rational(1, 2), sigma2: Rational(1, 2)}
    for p, q, m, n in (("6/5", "1", "3/5", "2"), ("2", "1/2", "1", "11/10"), ("1", "9/10", "-1", "3"))
)

outputs = page.inequality(
    "beyond:outputs-farther-out",
    "Larger outputs in the same directions are a worse pair",
    All(
        (eq(_stretched * _excess, _stretched_excess * _shift2), ge(_stretched, _shift2), ge(_stretched_excess, _excess))
    ),
    given=(Hypothesis("noise at y", gt(gamma * b**2 + sigma2, 0), "Definition 3 has sigma > 0"), _SMALLER),
    by=(Smt(), *looked_at(never_worse(_OUTPUTS, _OUTPUTS.subs(_FARTHER_OUT)), _OUTPUT_POINTS)),
    wrong={
        "direction": le(_stretched, _shift2),
        "the excess stays": eq(_stretched_excess, _excess),
        "as much as the square": ge(_stretched, _t**2 * _shift2),
    },
    steps="beyond:rays-of-pairs",
)

_SENSITIVE = Hypothesis("relative sensitivity", le(distance2, eta**2 * b**2 + r_rel**2), "Definition 2")
_LARGEST = named("t", r_rel / sqrt(distance2 - eta**2 * b**2))

stays = page.inequality(
    "beyond:large-outputs-stay-admissible",
    "Outputs within eta times the smaller norm may be arbitrarily large",
    le(named(r"\|tR(x)-tR(y)\|^2", distance2.subs(_FARTHER_OUT, simultaneous=True)), eta**2 * (_t * b) ** 2 + r_rel**2),
    "They stay admissible however large they are: what counts is their limit.",
    given=Hypothesis("at most eta times the smaller norm", le(distance2, eta**2 * b**2)),
    wrong={
        "whatever their distance": changed(hypotheses=(_SENSITIVE,)),
        "half of eta": eta**2 * _t**2 * b**2 / 4 + r_rel**2,
    },
    steps="beyond:outputs-farther-out",
)

_AT_FULL = NEIGHBOURS.subs({d: 2, gamma: Rational(1, 2), sigma2: Rational(1, 5)})
_BEYOND_POINTS = tuple(
    {a: Rational(p), b: Rational(q), c: Rational(m), eta: Rational(n), r_rel: Rational(o)}
    for p, q, m, n, o in (("6/5", "1", "3/5", "1/2", "2"), ("2", "1", "1", "1/4", "3/2"), ("1", "1/2", "0", "1", "1"))
)

reaches = page.inequality(
    "beyond:other-outputs-reach-the-full-distance",
    "Other outputs can be enlarged until they are at the full distance",
    both(eq(_LARGEST**2 * distance2, eta**2 * _LARGEST**2 * b**2 + r_rel**2), ge(_LARGEST**2, 1)),
    "At this factor $t$ they are at the full distance.",
    given=(_SENSITIVE, Hypothesis("farther than that", gt(distance2, eta**2 * b**2))),
    by=(Smt(), *looked_at(never_worse(_AT_FULL, _AT_FULL.subs({a: _LARGEST * a, b: _LARGEST * b})), _BEYOND_POINTS)),
    points={
        (b, a): (0, 3),
        _k: (0, 2),
        eta: _f * sqrt(distance2) / b,
        r_rel: sqrt(distance2) * (1 - _f**2) + _k * sqrt(distance2),
    },
    wrong={
        "any outputs": without(_SENSITIVE),
        "t = 1": le(_LARGEST**2, 1),
        "twice": eq(_LARGEST**2 * distance2, 4 * (eta**2 * _LARGEST**2 * b**2 + r_rel**2)),
    },
    steps="beyond:outputs-farther-out",
)
