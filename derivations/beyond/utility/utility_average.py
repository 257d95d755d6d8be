r"""The averaged iterate of the convex case: its noise term cannot be improved.

In dimension 1 let $f(0) = 0$ and $f'(\theta) = \min(L\theta, \epsilon)$: convex, $L$-smooth, least at 0, a parabola to the left and nearly flat to the right. The iterates wander off to the
right until a drift of $\epsilon$ holds them, so that their mean does not lie at the minimiser. In the stationary law $E f' = 0$ and $2E\theta f' = \tau(kEf'^2+\sigma^2)$; both
give $f(E\theta) \ge \frac{\tau\sigma^2}2 - L\,E(\theta^-)^2 - \frac{3\epsilon^2}{2L}$, and the middle term vanishes with $\epsilon$. By Jensen's inequality $E f(\bar\theta_t)$ is no smaller in the limit.
"""

from ...rgm.descent_notation import *
from ...rgm.notation import NOTATION, sigma2
from ...theorems import FOSTER_LYAPUNOV, HOELDER, JENSEN, TOWER

page = Page("beyond", "App. B.1", DESCENT_NOTATION, NOTATION)
_average = page.at("v1 (51), v2 (56)")
_eps = page.positive("epsilon", "slope of f far to the right")
_x = page.real("x", "a point")
_asymptote = named(r"\ell(x)", _eps * _x - _eps**2 / (2 * L))

function = _average.inequality(
    "beyond:average-function",
    "The one-sided function lies above its asymptote",
    both(
        ge(L / 2 * _x**2, _asymptote),
        eq(At(L / 2 * _x**2, _x, _eps / L), At(_asymptote, _x, _eps / L)),
        eq(At(Derivative(L / 2 * _x**2, _x), _x, _eps / L), Derivative(_asymptote, _x)),
    ),
    "Where they touch, $f$ goes over into its asymptote, so that it lies above it everywhere.",
    wrong={
        "a higher line": ge(L / 2 * _x**2, _asymptote + _eps**2 / (4 * L)),
        "half of the curvature": ge(L / 4 * _x**2, _asymptote),
    },
)

_p = page.nonnegative("p", "E of the positive part of theta", latex=r"E\theta^+")
_n = page.nonnegative("n", "E of the negative part of theta", latex=r"E\theta^-")
_q = page.nonnegative("q", "E of its square", latex=r"E(\theta^-)^2")
_m = page.nonnegative("m", "E of its fourth power", latex=r"E(\theta^-)^4")
_SECOND = Hypothesis(
    "second moment",
    ge(_eps * _p + L * _q, tau / 2 * (k * L**2 * _q + sigma2)),
    "2 E theta f' = tau (k E f'^2 + sigma^2); f' = L theta to the left, f' <= epsilon to the right",
)
_value = named(r"\ell(E\theta)", _eps * (_p - _n) - _eps**2 / (2 * L))
_limit = tau * sigma2 / 2

floor = _average.inequality(
    "beyond:average-floor",
    "The value at the mean of the stationary law",
    ge(_value, _limit - L * (1 - k * tau * L / 2) * _q - 3 * _eps**2 / (2 * L)),
    r"The function lies above its asymptote $\ell$.",
    given=(Hypothesis("first moment", le(L * _n, _eps), "E f' = 0, and f' is at most epsilon"), _SECOND),
    by=(
        combination((_eps * _p + L * _q - tau / 2 * (k * L**2 * _q + sigma2),), (_eps / L, _eps - L * _n)),
        Smt(),
        Units({_p: 1, _n: 1, _q: 2, _eps: 1, sigma2: 2}),
    ),
    wrong={
        "without the left part": _limit - 3 * _eps**2 / (2 * L),
        "twice the floor": 2 * _limit - L * (1 - k * tau * L / 2) * _q - 3 * _eps**2 / (2 * L),
        "no second moment": without(_SECOND),
    },
    steps=(
        FOSTER_LYAPUNOV.quoted(
            r"A stationary law exists for $k\tau L < 2$, with a finite second moment.",
            "The noise has a positive density everywhere, and iterates move continuously with where they start.",
            "To the right a step moves back by $\\tau\\epsilon$ and the variance is bounded, so that an exponential of the distance falls in the mean; to the left the mean of the square is multiplied by $(1-\\tau L)^2 + \\gamma\\tau^2L^2 < 1$, up to a constant.",
        ),
        TOWER.quoted("Its balances are those of the mean and of the second moment.", "The second moment is finite."),
        Step("f lies above its asymptote.", "beyond:average-function"),
    ),
)

_mean = page.real("c", "mean")
_z = page.real("z", "noise")
_v = page.positive("v", "variance of the noise")
_along = real("u").symbol

fourth = _average.identity(
    "beyond:average-fourth-moment",
    "The fourth moment of a Gaussian",
    eq(((_mean + _z) ** 4 + (_mean - _z) ** 4) / 2, _mean**4 + 6 * _mean**2 * _z**2 + _z**4),
    "With the moments of centred noise this is the fourth moment of $N(c, v)$.",
    by=(
        Identity(),
        Quadrature(-(_along**2) / (2 * _v), _along, 3 * _v**2, _along**4 / sqrt(2 * pi * _v)),
        Quadrature(-(_along**2) / (2 * _v), _along, _v, _along**2 / sqrt(2 * pi * _v)),
    ),
    points={_mean: (-4, 4), _z: (-4, 4), _v: (0, 4)},
    over=(_v,),
    wrong={"3 for 6": _mean**4 + 3 * _mean**2 * _z**2 + _z**4, "without the opposite": left((_mean + _z) ** 4)},
)

_GAMMA = Rational(1, 10)
_AT = {L: 1, k: 1 + _GAMMA, tau: 1 / (1 + _GAMMA), sigma2: 1, _eps: Rational(1, 1000)}
_keep = (1 - tau * L).subs(_AT)
_variance_of_step = (tau**2).subs(_AT)
_STATIONARY = Hypothesis(
    "fourth moment",
    le(
        _m,
        _keep**4 * _m
        + 6 * _keep**2 * _variance_of_step * (_GAMMA * _m + _q)
        + 3 * _variance_of_step**2 * (_GAMMA**2 * _m + 2 * _GAMMA * _q + 1)
        + 3 * _variance_of_step**2 * (_GAMMA * _AT[_eps] ** 2 + 1) ** 2,
    ),
    "to the left the next iterate is Gaussian around (1 - tau L) theta; from the right its negative part is at most that of the noise",
)
_first = Hypothesis("first moment", le(_n, _AT[_eps]))
_second = Hypothesis("second moment", ge(_AT[_eps] * _p + _q, _AT[tau] / 2 * (_AT[k] * _q + 1)))

tight = _average.theorem(
    "beyond:average-bound-tight",
    "The noise term for the averaged iterate is attained up to three per cent",
    ge(named(r"\ell(E\theta)", _value.subs(_AT)), Rational(97, 100) * _limit.subs(_AT)),
    "In dimension 1, at the longest step: averaging does not remove the noise.",
    given=(_first, _second, Hypothesis("Hölder's inequality", le(_q**3, _n**2 * _m)), _STATIONARY),
    points={_q: (0, 1, _q / 100), _n: (0, 1, _n * _AT[_eps]), _p: (0, 1, 455 + _p * 1000), _m: 4 + 0 * _q},
    wrong={
        "all of the bound": _limit.subs(_AT),
        "no balance of the second moment": without(_second),
        "no fourth moment": without(_STATIONARY),
    },
    steps=(
        FOSTER_LYAPUNOV.quoted(
            "The fourth moment is finite as well.",
            "The noise has a positive density everywhere, and iterates move continuously with where they start.",
            "As for the second moment; to the left $E((1-\\tau L) + \\tau L\\sqrt\\gamma Z)^4$ is below $\\frac1{10}$ for $\\gamma = \\frac1{10}$ and this step, Z standard normal.",
        ),
        JENSEN.quoted(
            r"$E f(\bar\theta_t) \ge f(E\bar\theta_t)$, which tends to $f(E\theta)$.",
            "f is convex.",
            "Second moments are finite.",
        ),
        HOELDER.quoted(
            "$q^3 \\le n^2m$ for the moments of order 1, 2 and 4 of the negative part.",
            "$\\frac23 + \\frac13 = 1$, for $x^2 = x^{2/3}x^{4/3}$.",
            "The negative part is not negative.",
        ),
        Step("The value at the mean.", "beyond:average-floor"),
        Step("Fourth moments of Gaussians.", "beyond:average-fourth-moment"),
        "beyond:average-function",
    ),
    reading="The hypotheses are what the stationary law satisfies: two exact balances, Hölder's inequality, and the balance of the fourth power of the negative part.",
    printed=r"f(E\theta) \ge \frac{97}{100}\cdot\frac{\tau\sigma^2}{2}",
)
