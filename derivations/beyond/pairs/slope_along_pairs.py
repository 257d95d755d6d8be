r"""The sign of the slope of the hockey-stick divergence along a curve of pairs, in closed form.

Units of the narrow variance: $P = N(De_1, vI_d)$, $Q = N(0, I_d)$, $S = D^2$, $v = 1 + w > 1$. Let $S$ and $w$ depend on one
parameter, with the derivatives $S'$ and $w'$. The best region is the outside of a sphere (`variance_ends.py`), and the
divergence moves as the mass of that fixed region does: by $\frac{w'}{2v}(r - ay) + D'y$, up to a positive factor, with the mean
cosine $y$ at the concentration $x = rD/w$ (`mean_cosine.py`). With

$E = 2\varepsilon + d\log v, \qquad X^2 = v(1 + wE/S), \qquad r = DX/w, \qquad x = SX/w^2$

this is $\frac D2 G$ for $G = w'\left(\frac{E/S - 1}{X + v} + \frac{1-y}{w}\right) + \frac{S'}S y$, in which nothing cancels for $w \to 0$. Where
$X^2 \le 0$ there is no sphere, and the divergence is the constant $1 - e^\varepsilon$. The mean cosine is a quotient of Bessel functions, which
has a continued fraction. `rgm_verify/gaussians/certified/slope.py` computes it this way.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d
from ...theorems import BESSEL, ENVELOPE
from ..hockey_stick.variance_ends import *
from ..hockey_stick.variance_ends import D as ANY_DISTANCE, page as _variance_ends
from .mean_cosine import page as _mean_cosine, y

page = Page("beyond", "used for exact accounting; in neither version", NOTATION, _mean_cosine, _variance_ends)
D = page.positive("D", "distance of the means, in units of the narrow scale")
X = page.positive("X", "radius of the sphere times w/D")
s1 = page.real("S'", "derivative of the squared distance along the curve")
w1 = page.real("w'", "derivative of the excess along the curve")
S = D**2
_ANYWHERE = {ANY_DISTANCE: D}
_tilted = named("E", 2 * eps + d * log(v))
#: The square of X in terms of the level.
square = named("X^2", v * (1 + w * _tilted / S))
_radius2 = named("r^2", radius2.subs(_ANYWHERE))

by_root = page.identity(
    "beyond:radius-and-concentration",
    "Radius and concentration of the best region by one number",
    both(eq(_radius2, S / w**2 * square), eq(_radius2 * S / w**2, S**2 / w**4 * square)),
    "The right side of the second line is the square of the concentration.",
    wrong={
        "without v": eq(_radius2, S / w**2 * square / v),
        "w for its square": eq(_radius2, S / w * square),
        "half of the level": eq(_radius2, S / w**2 * (square - v * w * eps / S)),
    },
    steps=("beyond:level-set-sphere", "beyond:flux-through-the-sphere"),
)

constant = page.inequality(
    "beyond:no-sphere-no-slope",
    "Where there is no sphere the best test always rejects",
    ge(named(r"\log\frac{p_v}{q}", log_ratio.subs(_ANYWHERE)), eps),
    r"The loss is at least $\varepsilon$ everywhere: the best region is everything, and the divergence has the smallest value it can have, the constant $1 - e^\varepsilon$.",
    given=Hypothesis("no sphere", le(square, 0)),
    points={D: (0, 3), w: (0, 3), x: (-3, 3), u: (0, 3), d: (1, 20), X: (0, 3), eps: -(D**2 / w + d * w) / 2 - X},
    wrong={
        "with a small sphere": changed(hypotheses=(Hypothesis("at most S", le(square, S)),)),
        "direction": turned(),
        "by the distance from the narrow mean": eps + w / (2 * v) * (x**2 + u**2),
    },
    steps=(Premise("beyond:level-set-sphere", {ANY_DISTANCE: D}), Premise("beyond:radius-and-concentration")),
)

#: The level that belongs to X.
level_of_root = named("E", (X**2 / v - 1) * S / w)
_flux = w1 / (2 * v) * (named("r", D * X / w) - named("a", to_mean.subs(_ANYWHERE)) * y) + s1 / (2 * D) * y
#: What has the sign of the slope.
signed = named("G", w1 * ((level_of_root / S - 1) / (X + v) + (1 - y) / w) + s1 / S * y)

slope_sign = page.theorem(
    "beyond:slope-along-pairs",
    "The sign of the slope along a curve of pairs",
    eq(_flux, D / 2 * signed),
    r"On the left is the slope up to a positive factor, written with $X$. So the divergence of the wide distribution against the narrow one rises along the curve where $G$ is positive and falls where it is negative, for every real $\varepsilon$.",
    wrong={
        "X - v below": changed(eq(_flux, D / 2 * signed.subs(X + v, X - v)), (Hypothesis("apart", gt(X, v)),)),
        "without the distance": D / 2 * signed.subs(s1, 0),
        "D' for S'": D / 2 * (signed + s1 / S * y),
        "1 + y for 1 - y": D / 2 * (signed + 2 * w1 * y / w),
    },
    steps=(
        ENVELOPE.quoted(
            "A supremum over regions moves as the value at the best region does.",
            "The mass of a region is differentiable in distance and variance, with derivatives that are continuous uniformly over regions.",
            "beyond:neyman-pearson-pointwise",
        ),
        Step(
            "The slopes in the variance and in the distance, as integrals over the sphere.",
            "beyond:flux-through-the-sphere",
        ),
        Step("They are added with $w'$ and with $D' = S'/(2D)$; the chain rule."),
        Step("Radius and concentration by $X$.", "beyond:radius-and-concentration"),
        Step("Without a sphere nothing moves.", "beyond:no-sphere-no-slope"),
        Step(
            r"The narrow distribution against the wide one at $\varepsilon$ moves as this one at $-\varepsilon$.",
            "beyond:hockey-stick-at-negative-levels",
        ),
    ),
)

#: The same sign, with one Bessel quotient less in it.
_short = w1 + v * (s1 - S * w1 / w) / w * y / named("x", S * X / w**2)

other_form = page.identity(
    "beyond:slope-along-pairs-short",
    "The same sign in a second form",
    both(eq(v * w / X * signed, _short), eq(v * w * signed, w1 * X + v * y * (w * s1 / S - w1))),
    "The number $x$ is the concentration. Both right sides have the sign of the slope.",
    wrong={
        "without v": eq(v * w * signed, w1 * X + y * (w * s1 / S - w1)),
        "sign of w'": eq(v * w * signed, w1 * X + v * y * (w * s1 / S + w1)),
        "x without w^2": eq(v * w / X * signed, w1 + v * (s1 - S * w1 / w) / w * y / (S * X)),
    },
    steps="beyond:slope-along-pairs",
)

rises = page.inequality(
    "beyond:slope-where-both-grow",
    "Where the excess and S/w grow the divergence grows",
    gt(v * w * signed, 0),
    "The left side has the sign of the slope.",
    given=(Hypothesis("the excess grows", gt(w1, 0)), Hypothesis("S/w does not fall", ge(w * s1, S * w1))),
    points={w: (0, 5), D: (0, 5), X: (0, 5), w1: (0, 5), s1: (0, 1, S * w1 / w * (1 + s1))},
    wrong={
        "direction": turned(),
        "the excess alone": without("S/w does not fall"),
        "a slope of S/w instead": without("the excess grows"),
    },
    remark=r"On a ray $(tS, tw)$ it is the second way to `beyond:rays-of-pairs`, which needs no derivative.",
    steps=Premise("beyond:slope-along-pairs-short"),
)

_J = page.positive("J", "Bessel function of order d/2 - 1")
_I = page.positive("I", "Bessel function of order d/2")
_M = page.positive("M", "Bessel function of order d/2 + 1")
_z = page.positive("z", "concentration")
_half = d * Rational(1, 2)
#: The derivatives of both by the recurrences.
_slope_i = named("I'", _J - _half / _z * _I)
_slope_j = named("J'", _I + (_half - 1) / _z * _J)

bessel = page.identity(
    "beyond:mean-cosine-is-a-bessel-quotient",
    "The quotient of two Bessel functions solves the equation of the mean cosine",
    eq((_slope_i * _J - _I * _slope_j) / _J**2, 1 - (_I / _J) ** 2 - (d - 1) / _z * _I / _J),
    "The left side is the derivative of the quotient, where $J$ and $I$ are Bessel functions at $z$ and the derivatives are those by their recurrences.",
    wrong={
        "d for d - 1": 1 - (_I / _J) ** 2 - d / _z * _I / _J,
        "sign of the square": 1 + (_I / _J) ** 2 - (d - 1) / _z * _I / _J,
        "upside down": eq((_slope_j * _I - _J * _slope_i) / _I**2, 1 - (_J / _I) ** 2 - (d - 1) / _z * _J / _I),
    },
    steps=(
        BESSEL.quoted("The derivatives of both functions.", "The concentration is positive."),
        "beyond:mean-cosine-series",
        "beyond:mean-cosine-equation",
    ),
    reading=r"Both the mean cosine and the quotient are $\frac zd$ up to higher powers at 0, where the equation has one such solution (`beyond:mean-cosine-series`).",
)

_p = page.real("p", "the next quotient, from below", lower=0)
_q = page.real("q", "the next quotient, from above", lower=0, upper=1)
_k = page.real("k", "the next quotient", lower=0, upper=1)

fraction = page.identity(
    "beyond:mean-cosine-continued-fraction",
    "A step of the continued fraction of the mean cosine",
    eq(_I / (_M + d / _z * _I), 1 / (d / _z + _M / _I)),
    "It is the quotient in dimension $d$ by that in dimension $d + 2$.",
    wrong={"half of d": 1 / (_half / _z + _M / _I), "sign": 1 / (d / _z + _I / _M)},
    steps=BESSEL.quoted("$J = M + \\frac dzI$.", "The concentration is positive."),
)

bracket = page.inequality(
    "beyond:mean-cosine-continued-fraction-encloses",
    "A step of the continued fraction keeps an enclosure",
    both(
        le(1 / (d / _z + _q), 1 / (d / _z + _k)),
        le(1 / (d / _z + _k), 1 / (d / _z + _p)),
        le(1 / (d / _z + _p) - 1 / (d / _z + _q), (_z / d) ** 2 * (_q - _p)),
    ),
    "The width shrinks by at least $(z/d)^2$. To start with $[0, 1]$ is safe, since a mean cosine lies there.",
    given=Hypothesis("enclosed", both(le(_p, _k), le(_k, _q))),
    points={_p: (0, 1, _p * _k), _q: (0, 1, _k + (1 - _k) * _q), _z: (0, 20), d: (1, 20)},
    wrong={
        "the same way round": le(1 / (d / _z + _p), 1 / (d / _z + _k)),
        "half of the width": le(1 / (d / _z + _p) - 1 / (d / _z + _q), (_z / d) ** 2 * (_q - _p) / 2),
    },
    steps="beyond:mean-cosine-continued-fraction",
)
