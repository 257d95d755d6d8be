r"""Objective perturbation for logistic regression: what one record changes, with exact constants, and approximate minimisers.

The minimiser of $\sum_i\log(1+e^{-v_i\cdot\theta})+\frac\lambda2\|\theta\|^2+b\cdot\theta$ with $b\sim N(0,\sigma^2I)$ is released, $v_i=y_ix_i$, $\|v_i\|\le B$. The
map from $\theta$ to $b$ is one to one, so that the density of $\theta$ is that of $b$ times a determinant. A record's gradient is $-sv$ with $0<s<1$: its direction is
fixed, and its length is not. Distances are in units of $\sigma$.
"""

from sympy import Max

from rgm_verify.pages import *

from ...theorems import (
    BASIC_COMPOSITION,
    CAUCHY_SCHWARZ,
    CHANGE_OF_VARIABLES,
    GAUSSIAN_CONCENTRATION,
    MONOTONE_INTEGRAL,
    POSTPROCESSING,
    RANK_ONE,
)

page = Page("beyond", "logistic regression by objective perturbation")
_B = page.positive("B", "bound on the records")
_lam = page.positive("lambda", "penalty")

# --------------------------------------------------------------------------------------- one record of a logistic loss

_u = page.real("u", "score of a record")

curvature = page.inequality(
    "beyond:logistic-curvature",
    "The second derivative of the logistic loss is at most a quarter",
    le(exp(_u) / (1 + exp(_u)) ** 2, Rational(1, 4)),
    r"So the Hessian of a record's loss is $h\,xx^\top$ with $0\le h\le\frac14$.",
    points={_u: (-3, 3)},
    wrong={"a fifth": Rational(1, 5), "one exponential": left(exp(_u) / (1 + exp(_u)))},
)

_r = page.nonnegative("r", "length of the record")
_T = page.nonnegative("T", "length of the released point")
_k = page.real("k", "part of the point along the record")

at_iterate = page.inequality(
    "beyond:logistic-gradient-at-the-iterate",
    "The gradient of a record's logistic loss at a released point",
    le(_r / (1 + exp(_r * _k)), _B / (1 + exp(-_B * _T))),
    r"It is $-sv$ with $s=1/(1+e^{v\cdot\theta})$: at a point of length $T$ no longer than $B/(1+e^{-BT})$. So two records differ by at most twice that, between $B$ at 0 and $2B$ far out.",
    given=(Hypothesis("a record in bounds", le(_r, _B)), Hypothesis("a part of the point", ge(_k, -_T))),
    points={_r: (0, 1, _B * _r), _k: (-1, 2, _T * _k)},
    wrong={
        "that at 0": _B / 2,
        "at any point": without("a part of the point"),
        "any record": without("a record in bounds"),
    },
    steps=CAUCHY_SCHWARZ.quoted(
        r"$v\cdot\theta \ge -\|v\|\|\theta\|$: $k$ is the point's part along a unit vector.", "It is the usual one."
    ),
)

_a = page.nonnegative("a", "squared norm of the record", upper=1, latex=r"\|u\|^2")
_b = page.nonnegative("a'", "squared norm of the one in its place", upper=1, latex=r"\|u'\|^2")
_c = page.real("c", "inner product of both", latex=r"(u\cdot u')")

gram = page.inequality(
    "beyond:gram-sensitivity",
    "The second moments of the features alone, between neighbours",
    both(le(_a**2 + _b**2 - 2 * _c**2, 2), le(_a**2, 1)),
    r"In units of the bound: the squared Frobenius norms of $uu^\top-u'u'^\top$ and of $uu^\top$. Orthogonal records attain the first.",
    points={_a: (0, 1), _b: (0, 1), _c: (-1, 1)},
    wrong={
        "one record": both(le(_a**2 + _b**2 - 2 * _c**2, 1), le(_a**2, 1)),
        "99/100 for a record more": both(le(_a**2 + _b**2 - 2 * _c**2, 2), le(_a**2, Rational(99, 100))),
    },
    steps="beyond:joint-moments-distance",
)

# ----------------------------------------------------------------------------------------- the loss at its largest

_s = page.nonnegative("s", "length of the record's gradient, in units of sigma")
_t = page.nonnegative("t", "the same for the record in its place")
_m = page.positive("m", "B over sigma")
_p = page.real("p", "part of b along the record", latex=r"(b\cdot v)")
_q = page.real("q", "part of b along the other record", latex=r"(b\cdot v')")
_SHORT = Hypothesis("a length", le(_s, _m))
_OTHER = Hypothesis("the other length", le(_t, _m))


def _loss(s: Expr, t: Expr) -> Expr:
    """The exponent of the ratio of two normal densities that lie the difference of two gradients apart."""
    return s * _p - t * _q + (s**2 + t**2 - 2 * s * t * _c) / 2


length = page.inequality(
    "beyond:objective-perturbation-length",
    "One record: the exponent is largest at an end",
    le(_s * _p + _s**2 / 2, Max(0, _m * _p + _m**2 / 2)),
    r"$\log\frac{\phi(b)}{\phi(b+sv)}=s\,(b\cdot v)+\frac{s^2}2$ for a unit vector $v$, whatever $s$ is: it depends on $\theta$, and so on $b$.",
    given=_SHORT,
    points={_s: (0, 1, _m * _s), _p: (-2, 2)},
    wrong={"the far end alone": _m * _p + _m**2 / 2, "any length": without(_SHORT)},
)

corner = page.inequality(
    "beyond:objective-perturbation-corner",
    "Two records: the exponent is at most a mean of its corners",
    le(_m**2 * _loss(_s, _t), (_m - _s) * _t * _loss(0, _m) + _s * (_m - _t) * _loss(_m, 0) + _s * _t * _loss(_m, _m)),
    r"The weights add up to $m^2$ with that of the corner 0, where the exponent is 0: so it is at most the largest of the four corners.",
    given=(_SHORT, _OTHER),
    by=combination((_m**2 / 2, _s, _m - _s), (_m**2 / 2, _t, _m - _t)),
    points={_s: (0, 1, _m * _s), _t: (0, 1, _m * _t), _c: (-1, 1), (_p, _q): (-2, 2)},
    wrong={
        "without the far corner": (_m - _s) * _t * _loss(0, _m) + _s * (_m - _t) * _loss(_m, 0),
        "any length": without(_SHORT),
    },
)

_E = page.positive("E", "e to epsilon - c")
_R = page.positive("R", "ratio of the densities")
_first, _second, _third = (page.positive(f"A_{k}", f"ratio at the corner {k}") for k in (1, 2, 3))


def _kink(ratio: Expr) -> Expr:
    return Max(0, 1 - _E / ratio)


union = page.inequality(
    "beyond:objective-perturbation-union",
    "The hockey-stick divergence counts each corner",
    le(_kink(_R), _kink(_first) + _kink(_second) + _kink(_third)),
    given=(
        Hypothesis("a level", ge(_E, 1), "epsilon is at least c"),
        Hypothesis("the largest corner", le(_R, Max(1, _first, _second, _third))),
    ),
    by=Smt(),
    points={_E: (1, 3), (_R, _first, _second, _third): (0, 4)},
    wrong={
        "two of them": _kink(_first) + _kink(_second),
        "no level": without("a level"),
        "any ratio": without("the largest corner"),
    },
)

_h = page.nonnegative("h", "second derivative of the loss")
_form = page.nonnegative("w", latex=r"x^\top M^{-1}x")
_rest = page.nonnegative("w'", "the same for the record in its place, times its second derivative")

determinants = page.inequality(
    "beyond:objective-perturbation-determinants",
    "The determinants of two neighbours",
    both(ge(1 + _h * _form, 1), le((1 + _h * _form) / (1 + _rest), 1 + _B**2 / (4 * _lam))),
    r"With $M$ the Hessian of the other records and of the penalty, at least $\lambda I$: the ratio is at most $e^c=1+\frac{B^2}{4\lambda}$, where a record is added and where one is replaced.",
    given=(
        Hypothesis("curvature", le(_h, Rational(1, 4)), by=("beyond:logistic-curvature",)),
        Hypothesis("a record in bounds", le(_lam * _form, _B**2), "M is at least lambda I"),
    ),
    points={_h: (0, Rational(1, 4)), _form: (0, 1, _form * _B**2 / _lam), _rest: (0, 2)},
    wrong={
        "half of it": both(le((1 + _h * _form) / (1 + _rest), 1 + _B**2 / (8 * _lam))),
        "no curvature": without("curvature"),
        "any record": without("a record in bounds"),
    },
    steps=RANK_ONE.quoted(
        r"$\det(M+h\,xx^\top)=\det M\,(1+h\,x^\top M^{-1}x)$.", r"$M$ is at least $\lambda I$, and so invertible."
    ),
)

# ------------------------------------------------------------------------------------------------------ the guarantee

_delta = page.nonnegative("d", "hockey-stick divergence of both outputs at epsilon")
_near = page.nonnegative("H_1", "that of two Gaussians B/sigma apart, at epsilon - c", latex=r"H_{\epsilon-c}(m)")
_far = page.nonnegative("H_2", "that of two Gaussians 2B/sigma apart", latex=r"H_{\epsilon-c}(2m)")
_one, _two, _both_ends = (
    page.nonnegative(f"g_{k}", f"mean of the kinked function at the corner {k}") for k in (1, 2, 3)
)

guarantee = page.theorem(
    "beyond:objective-perturbation",
    "Objective perturbation of a logistic regression",
    le(_delta, _far + 2 * _near),
    r"At every $\epsilon\ge c$, where a record is replaced. Where one is added or removed there is one corner, and the divergence is at most $H_{\epsilon-c}(m)$. The condition on the loss "
    r"is that a record's gradient keeps its direction, and that is what spares the factor 2 that general losses need.",
    given=(
        Hypothesis("corners", le(_delta, _one + _two + _both_ends), by=("beyond:objective-perturbation-union",)),
        Hypothesis("one record's length", both(le(_one, _near), le(_two, _near)), "a corner with one gradient"),
        Hypothesis(
            "both records' lengths",
            le(_both_ends, _far),
            "at most 2m apart",
            by=("beyond:hockey-stick-monotone-in-distance",),
        ),
    ),
    points={
        (_one, _two): (0, 1, _near * _one),
        _both_ends: (0, 1, _far * _both_ends),
        _delta: (0, 1, _delta * (_one + _two + _both_ends)),
    },
    wrong={
        "the far corner alone": _far,
        "corners of any mean": without("one record's length"),
        "a far corner of any mean": without("both records' lengths"),
    },
    steps=(
        CHANGE_OF_VARIABLES.quoted(
            r"The density of $\theta$ is that of $b(\theta)$ times $|\det b'(\theta)|$, with $-b(\theta)$ the gradient of what is not perturbed.",
            "It is one to one, as the objective is strictly convex, and smooth with an invertible derivative.",
            "A density is not negative.",
        ),
        Step("The determinants.", "beyond:objective-perturbation-determinants"),
        Step("The exponent, one record.", "beyond:objective-perturbation-length"),
        Step("The exponent, two records.", "beyond:objective-perturbation-corner"),
        MONOTONE_INTEGRAL.quoted(
            "The mean over $b$ keeps the order.",
            "At every $b$, by the claims before.",
            "All of it lies between 0 and 1.",
        ),
    ),
    outputs="puts kinked functions of Gaussian losses together, each of which is a hockey-stick divergence that beyond:hockey-stick integrates",
)

# ------------------------------------------------------------------------------------------- approximate minimisers

_D = page.nonnegative("D", "distance from the minimiser")
_g = page.nonnegative("g", "length of the gradient at the approximate minimiser")
_product = page.nonnegative("P", "inner product of that gradient and of the difference")

approximate = page.inequality(
    "beyond:approximate-minimiser",
    "A short gradient means a near minimiser",
    le(_D, _g / _lam),
    r"So given the minimiser the approximate one lies in a ball of that radius on both neighbours, and Gaussian noise for the distance $\frac{2g}\lambda$ covers it.",
    given=(
        Hypothesis("strong convexity", le(_lam * _D**2, _product)),
        Hypothesis("Cauchy-Schwarz", le(_product, _g * _D)),
    ),
    points={_product: (0, 1, _g * _D * _product), _D: (0, 1, _D * _g / _lam)},
    wrong={
        "half": _g / (2 * _lam),
        "not convex": without("strong convexity"),
        "any product": without("Cauchy-Schwarz"),
    },
    steps=(
        CAUCHY_SCHWARZ.quoted(r"$x\cdot y\le\|x\|\|y\|$.", "It is the usual one."),
        BASIC_COMPOSITION.quoted(
            "The minimiser, and then the noisy difference from it, have the sums of both guarantees.",
            "The noise covers every minimiser.",
        ),
        POSTPROCESSING.quoted("Their sum is what is released.", "It is made of both outputs alone."),
    ),
)

_P, _Q = (
    page.nonnegative(n, f"probability of an event {w}, b as first drawn", upper=1, latex=n)
    for n, w in (("P_D", "for the data"), ("Q_D", "for the neighbour"))
)
_kept, _keptq = (
    page.nonnegative(n, f"the same {w}, b drawn anew where it is too long", upper=1)
    for n, w in (("P_0", "for the data"), ("Q_0", "for the neighbour"))
)
_e = page.positive("A", "e to epsilon")
_d = page.nonnegative("delta", "delta of the minimiser")
_far_out = page.nonnegative("f", "probability that b is too long", upper=Rational(1, 2))

anew = page.inequality(
    "beyond:perturbation-drawn-anew",
    "What a perturbation costs that is drawn anew where it is too long",
    le(_kept, _e * _keptq + (_d + _e * _far_out) / (1 - _far_out)),
    r"Its length then has a public bound, and so have the rounding of gradients and the distance from the minimiser.",
    given=(
        Hypothesis("guarantee", le(_P, _e * _Q + _d)),
        Hypothesis("kept", le((1 - _far_out) * _kept, _P)),
        Hypothesis("the neighbour", le(_Q, (1 - _far_out) * _keptq + _far_out)),
    ),
    points={
        _far_out: (0, Rational(1, 2)),
        (_keptq, _kept): (0, 1),
        _e: (1, 3),
        _Q: (0, 1, _Q * ((1 - _far_out) * _keptq + _far_out)),
        _P: (0, 1, _P * (_e * _Q + _d)),
    },
    wrong={
        "delta as it was": _e * _keptq + _d,
        "the neighbour's draws": without("the neighbour"),
        "no guarantee": without("guarantee"),
    },
    steps=GAUSSIAN_CONCENTRATION.quoted(
        r"$P(\|b\|\ge\sigma(\sqrt d+t))\le e^{-t^2/2}$, as the mean of the norm is at most $\sigma\sqrt d$.",
        "The norm is, by the triangle inequality.",
        r"It is $\sqrt{2\epsilon+2\log(1024/\delta)}$ or more.",
    ),
)
