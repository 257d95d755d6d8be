r"""Section 4.2: what noise on angles does to the gradient, and what noise on the gradient does to its angles.

An angle plus noise has the angle as its mean; with noise on the gradient the first angle has not, unless it is a right angle. But
what moves the model is the gradient: each noisy angle shortens its cosine and its sine by the factor $e^{-s^2/2}$ in the mean, and the
last coordinates have as many of these factors as there are angles. So noise on angles accumulates as well, and turns the mean gradient.
"""

from sympy import cos

from ..theorems import CHARACTERISTIC, FUBINI, FUNDAMENTAL, HEAT, INDUCTION
from .coordinates import angle
from .notation import *

page = Page("geodp", "§4.2", NOTATION)
_PERSPECTIVE, _EXAMPLE = "first perspective", "Example 2"

_theta, _other = page.real("theta", "an angle", latex=r"\theta"), page.real("a", "any number")
_s = page.positive("s", "deviation of the noise on an angle")
_m1, _m2 = page.real("m_1", "mean of the noise"), page.nonnegative("m_2", "mean of its square")
_NOISE = Hypothesis("noise of mean 0", both(eq(_m1, 0), eq(_m2, _s**2)), "Algorithm 1, line 6")

unbiased = page.at(_PERSPECTIVE, "G37a").remark(
    "geodp:unbiased-angles",
    "GeoDP adds unbiased noise to the angles",
    eq((_theta - _other) ** 2 + 2 * (_theta - _other) * _m1 + _m2, (_theta - _other) ** 2 + _s**2),
    r"On the left is the mean of $(\theta^* - a)^2$: it is least at $a = \theta$, which is the mean.",
    given=_NOISE,
    by=Smt(),
    points={_m1: 0, _m2: _s**2, _theta: (-3, 3), _other: (-3, 3), _s: (0, 2)},
    wrong={"without noise": (_theta - _other) ** 2, "biased": without()},
    reading="The direction is read as the vector of angles, as numbers that may leave their range.",
    remark="The mean of the gradient itself has another direction: `beyond:noise-on-angles-turns-the-gradient`.",
)

_c, _d = page.real("c", "mean of the cosine of the noise"), page.real("c'", "mean of its sine")
_cos, _sin = (
    page.real("x_1", "cosine of the angle", latex=r"\cos\theta"),
    page.real("x_2", "sine of the angle", latex=r"\sin\theta"),
)
_q = page.real("q", "e^(-s^2/2)", lower=0, lower_open=True, upper=1, latex="q")
_WAVES = Hypothesis("Gaussian noise", both(eq(_c, _q), eq(_d, 0)), "Algorithm 1, line 6")
_CHARACTERISTIC = CHARACTERISTIC.quoted(
    "The means of the cosine and of the sine of Gaussian noise.", "The noise on an angle is Gaussian, with mean 0."
)

means = ours(page, _PERSPECTIVE).lemma(
    "beyond:cosine-of-a-noisy-angle",
    "The mean of the cosine and of the sine of a noisy angle",
    both(eq(_cos * _c - _sin * _d, _q * _cos), eq(_sin * _c + _cos * _d, _q * _sin)),
    r"On the left are the means of $\cos\theta^*$ and $\sin\theta^*$, by the addition theorems; $q = e^{-s^2/2}$ for noise of deviation $s$.",
    given=_WAVES,
    points={_c: _q, _d: 0, _cos: (-1, 1), _sin: (-1, 1), _q: (0, 1)},
    by=Smt(),
    wrong={"the square": both(eq(_cos * _c - _sin * _d, _q**2 * _cos)), "any noise": without()},
    steps=_CHARACTERISTIC,
)

_before = page.nonnegative(
    "M",
    "mean of the product of the magnitude and of the sines before",
    latex=r"\mathbb E\|\mathbf g\|^*\prod_{i<z}\sin\theta_i^*",
)
_norm = page.nonnegative("r_z", "norm of the coordinates from this one on", latex="r_z")
_index = page.natural("z", "number of the angle")
_SO_FAR = Hypothesis("the angles before", eq(_before, _q ** (_index - 1) * _norm), "induction over the angles")
coordinate = ours(page, _PERSPECTIVE).lemma(
    "beyond:mean-of-a-coordinate",
    "The mean of a coordinate of what GeoDP releases",
    both(
        eq(_before * (_q * _cos), _q**_index * (_norm * _cos)),
        eq(_before * (_q * _sin), _q**_index * (_norm * _sin)),
    ),
    r"One angle further: coordinate $z$ has the mean $q^z\mathbf g_z$, and the tail carries the induction on. So the mean of the released gradient is $(q\mathbf g_1, q^2\mathbf g_2, \dots, q^{d-1}\mathbf g_{d-1}, q^{d-1}\mathbf g_d)$.",
    given=_SO_FAR,
    points={_q: (0, 1), _cos: (-1, 1), _sin: (-1, 1), _norm: (0, 2), _index: (1, 9), _before: _q ** (_index - 1) * _norm},
    wrong={"one factor for all": both(eq(_before * (_q * _cos), _q * (_norm * _cos))), "any product": without()},
    steps=(
        Step("One noisy angle.", "beyond:cosine-of-a-noisy-angle"),
        FUBINI.quoted("Means of products are products of means.", "Sines and cosines are continuous.", "They are bounded."),
        INDUCTION.quoted("For all angles:", "The noise on the magnitude has mean 0.", "This is what the formula says."),
    ),
)  # fmt: skip

_second = page.real("x_3", "cosine of the second angle", latex=r"\cos\theta_2")
turns = ours(page, _PERSPECTIVE).remark(
    "beyond:noise-on-angles-turns-the-gradient",
    "Noise on the angles turns the mean gradient",
    eq((_q * _cos) * (_sin * _second) - (_q * _sin) * (_q * _second) * _cos, _sin * _cos * _second * _q * (1 - _q)),
    r"The first two coordinates of the mean gradient against those of the gradient: the left side would be 0 if the directions were the same. For $q < 1$ it is not, unless one of the three is 0.",
    wrong={"0": Integer(0), "without a factor": _sin * _cos * _second * (1 - _q)},
    steps=(
        Step("Independent noise on the two angles.", "beyond:cosine-of-a-noisy-angle"),
        FUBINI.quoted(
            "Means of products are products of means.", "Sines and cosines are continuous.", "They are bounded."
        ),
    ),
)

accumulates = page.at(_PERSPECTIVE, "G37b").remark(
    "geodp:no-accumulation",
    "Noise that is controlled angle by angle",
    says="Noise on the gradient accumulates on the angles of its direction; noise that is added angle by angle does not.",
    informal="What accumulates, and how it is measured, is not said. Each noisy angle of GeoDP has the noise of that angle alone, which is the algorithm; the gradient that is made of them has the noise of all (beyond:share-of-the-last-coordinate), and the mean square error of the direction grows with the number of angles.",
)

_lost = page.nonnegative("y", "half of d - 1 squared deviations", latex=r"\tfrac{(d-1)s^2}2")
share = ours(page, _PERSPECTIVE).remark(
    "beyond:share-of-the-last-coordinate",
    "Every angle shortens the mean of the last coordinate",
    both(ge(exp(-_lost), 1 - _lost), le(exp(-_lost), 1 / (1 + _lost))),
    r"On the left is the share of the last coordinate that survives in the mean, $q^{d-1}$. It is nearly all while $(d-1)s^2$ is small, and nearly nothing once it is large.",
    wrong={
        "the square root": both(ge(exp(-_lost), 1 - _lost / 2)),
        "the square": both(le(exp(-_lost), 1 / (1 + _lost) ** 2)),
    },
    steps="beyond:mean-of-a-coordinate",
    remark=r"For the network of Table 2, $d = 21840$, with $B = 8192$, $\beta = 0.1$ and $\sigma = 10$ less than $10^{-15}$ of the last coordinates survives.",
)

_rho, _v1, _v2 = (
    page.nonnegative("rho", "magnitude of the average", latex=r"\|\tilde{\mathbf g}_t\|"),
    page.real("v_1", "mean of the noise on the magnitude"),
    page.nonnegative("v_2", "mean of its square"),
)
_SCALE = Hypothesis("noise on the magnitude", both(eq(_v1, 0), eq(_v2, C**2 * sigma**2 / B**2)), "Algorithm 1, line 6")
_CIRCLE = Hypothesis("cosine and sine", eq(_cos**2 + _sin**2, 1))

algorithm = page.elsewhere("§4.2, Algorithm 1", "G35").algorithm(
    "geodp:algorithm",
    "The mean square norm of what a step of GeoDP-SGD releases",
    eq((_cos**2 + _sin**2) * (_rho**2 + 2 * _rho * _v1 + _v2), _rho**2 + C**2 * sigma**2 / B**2),
    "Noise on the angles does not change the norm: by (8) each angle splits a squared length into two parts. The noise on the magnitude adds its variance, for one coordinate and not for $d$.",
    given=(_SCALE, _CIRCLE),
    by=Smt(),
    points={
        _v1: 0,
        _v2: C**2 * sigma**2 / B**2,
        _cos: Rational(3, 5),
        _sin: Rational(4, 5),
        _rho: (0, 2),
        C: (0, 2),
        sigma: (0, 3),
        B: (1, 9),
    },
    wrong={
        "for every coordinate": _rho**2 + d * C**2 * sigma**2 / B**2,
        "without noise": _rho**2,
        "biased": without(_SCALE),
    },
    steps="geodp:back-to-rectangular",
    reading="Of an algorithm it is asked what it releases. Line 5 names a range of angles, and no line puts an angle into it: the algorithm is read without clamping.",
)

_g1, _n1 = (
    page.real("g_1", "first coordinate", latex=r"\mathbf g_1"),
    page.real("n_1", "noise on it", latex=r"\mathbf n_1"),
)
_g2, _n2 = (
    page.real("g_2", "second coordinate", latex=r"\mathbf g_2"),
    page.real("n_2", "noise on it", latex=r"\mathbf n_2"),
)
_g3, _n3 = (
    page.real("g_3", "third coordinate", latex=r"\mathbf g_3"),
    page.real("n_3", "noise on it", latex=r"\mathbf n_3"),
)
_tail = sqrt((_g2 + _n2) ** 2 + (_g3 + _n3) ** 2)
_perturbed = named(r"\theta_1^*", angle(_tail, _g1 + _n1))
_DEFINED = Hypothesis("the noisy gradient is not on the first axis", gt((_g2 + _n2) ** 2 + (_g3 + _n3) ** 2, 0))

example = page.at(_EXAMPLE, "G38a").identity(
    "geodp:example-2",
    "The first angle of a noisy gradient",
    eq(sqrt((_g1 + _n1) ** 2 + _tail**2) * cos(_perturbed), _g1 + _n1),
    r"The norm times the cosine of the angle is the first coordinate.",
    printed=r"\theta_1^* = \arctan2\Bigl(\sqrt{(\mathbf g_2+\mathbf n_2)^2+(\mathbf g_3+\mathbf n_3)^2},\ \mathbf g_1+\mathbf n_1\Bigr)",
    given=_DEFINED,
    wrong={
        "without its own noise": _g1,
        "one of the others": sqrt((_g1 + _n1) ** 2 + (_g2 + _n2) ** 2) * cos(_perturbed),
    },
    remark="The text refers to equation 4, which is clipping; equation 6 is meant.",
)

_x, _r = page.real("x", "first coordinate of the noisy gradient"), page.positive("r", "norm of its other coordinates")

_many = page.natural("d_1", "number of coordinates", lower=3, latex="d")
_first = page.positive("g_+", "first coordinate of the gradient", latex=r"\mathbf g_1")
_s2 = page.positive("s_2", "variance of the noise on a coordinate", latex="s")
_along = page.positive("x_+", "first coordinate of the noisy gradient, or its distance from 0", latex="x")
_laplacian = (
    Derivative(angle(_r, _x), _x, 2)
    + Derivative(angle(_r, _x), _r, 2)
    + (_many - 2) / _r * Derivative(angle(_r, _x), _r)
)

laplacian = ours(page, _EXAMPLE).lemma(
    "beyond:laplacian-of-the-first-angle",
    "The Laplacian of the first angle",
    eq(_laplacian, (_many - 2) * _x / (_r * (_x**2 + _r**2))),
    r"On the left is the Laplacian in $d$ dimensions of a function of the first coordinate $x$ and of the norm $r$ of the others.",
    by=Identity(),
    wrong={"one dimension more": (_many - 1) * _x / (_r * (_x**2 + _r**2)), "without the coordinate": (_many - 2) / (_x**2 + _r**2)},
)  # fmt: skip

_mirrored = exp(-((_along - _first) ** 2) / (2 * _s2)) - exp(-((_along + _first) ** 2) / (2 * _s2))
biased = page.at(_EXAMPLE, "G38b G24").remark(
    "geodp:biased-first-angle",
    "Noise on a gradient moves its first angle away from the first axis",
    gt((_many - 2) * _along / (2 * _r * (_along**2 + _r**2)) * _mirrored, 0),
    r"Integrated over the half space $x > 0$, with the law of the other coordinates, this is $\frac d{ds}\mathbb E\theta_1^*$ at the variance $s$, up to the factor $(2\pi s)^{-1/2}$. So the mean of the first angle grows with the noise and lies above the angle, for every gradient with $\mathbf g_1 > 0$, in three dimensions or more; for $\mathbf g_1 < 0$ it lies below it, by reflection.",
    outputs="the integrand of a derivative of the mean, at one point of the space: no law is in it",
    wrong={"turned": turned(), "above 1": gt((_many - 2) * _along / (2 * _r * (_along**2 + _r**2)) * _mirrored, 1)},
    points={_many: (3, 40), _first: (0, 3), _s2: (0, 3), _along: (0, 3), _r: (0, 3)},
    steps=(
        HEAT.quoted("The mean of the angle as the variance grows.", "beyond:laplacian-of-the-first-angle", r"Around the axis the gradient of the angle is at most $1/\lvert x\rvert$ and around 0 at most $1/r$, and tubes and spheres there have areas of the order $r^{d-2}$ and $r^{d-1}$.", r"It is at most $(d-2)/(r\sqrt{x^2+r^2})$, which is integrable for $d \ge 3$."),
        Step(r"The Laplacian is odd in $x$: each point and its mirror image, $x > 0$, together have the density that is left."),
        FUNDAMENTAL.quoted("Over all variances from 0 on.", "The mean is continuous, and at 0 it is the angle.", "This is what the formula says."),
    ),
    core="The formula is the integrand; that integrals of positive functions are positive, and the theorem that is quoted, do the rest.",
    reading="That noise is biased is read as: the mean of an angle is not the angle. Judged for every gradient, magnitude of noise and number of coordinates of at least 3, but for gradients across the first axis, which have no bias: `beyond:unbiased-right-angle`.",
    remark="In the plane the only angle has a sign, and by symmetry no bias for a gradient along the first axis.",
)  # fmt: skip

right_angle = ours(page, _EXAMPLE).remark(
    "beyond:unbiased-right-angle",
    "At a right angle noise on the gradient has no bias",
    eq(printed(lambda: (angle(_r, _x) + angle(_r, -_x)) / 2), pi / 2),
    "A gradient across the first axis: a noise and its mirror image are as likely, and the mean of the two angles is the angle.",
    by=Identity(),
    wrong={"a third": pi / 3, "without the mirror image": left(angle(_r, _x))},
)

budget = page.at("second perspective", "G39").remark(
    "geodp:share-of-the-budget",
    "The share of the budget that goes to the direction",
    eq(printed(lambda: (1 / sigma**2) / (1 / sigma**2 + 1 / sigma**2)), (d - 1) / d),
    r"Magnitude and direction each have noise of $\sigma$ times their sensitivity; squared distances in units of the noise add up under composition.",
    given=Hypothesis("at least two coordinates", ge(d, 2)),
    category="false",
    corrected="geodp:share-of-the-budget-corrected",
    reading="The budget is what adds up: the squared distance, or Rényi divergence per order. That an angle is one of $d$ numbers does not set its share; its noise does.",
)

_u, _v = (
    page.positive("u", "squared distance of the direction in units of its noise"),
    page.positive("v", "the same for the magnitude"),
)
budget_corrected = page.at("second perspective").correction(
    "geodp:share-of-the-budget-corrected",
    "Half of the budget goes to the direction",
    eq(_u / (_u + _v), Rational(1, 2)),
    given=Hypothesis(
        "noise of sigma times the sensitivity for both",
        both(eq(_u, 1 / sigma**2), eq(_v, 1 / sigma**2)),
        by=("geodp:same-guarantee-corrected",),
    ),
    by=Smt(),
    points={_u: 1 / sigma**2, _v: 1 / sigma**2, sigma: (0, 4)},
    wrong={"two thirds": Rational(2, 3), "any noise": without()},
)

_n, _k1, _k2 = (
    page.natural("N", "number of records", latex=r"|D|"),
    page.positive("k_1", "operations per coordinate of a gradient"),
    page.positive("k_2", "operations per coordinate of a conversion"),
)
cost = page.at("time complexity", "G40").remark(
    "geodp:time-complexity",
    "The conversions do not change the order of the running time",
    le(_k1 * _n * d + _k2 * d * (_n / B), (_k1 + _k2) * _n * d),
    "The time of an epoch: one gradient for each record, one conversion there and back for each batch. With running norms and products a conversion takes a fixed number of operations per coordinate.",
    wrong={"for the cost of the gradients": _k1 * _n * d, "half": (_k1 + _k2) * _n * d / 2},
    reading="Evaluated as (6) is printed, each angle sums up all coordinates after it, and a conversion takes time in proportion to $d^2$.",
)
