r"""The least variance of Gaussian noise whose variance depends on the data, for $(\epsilon, \delta)$-differential privacy.

In units of the smaller variance the pair is $P = N(De_1, vI)$ against $Q = N(0, I)$ with $v \ge 1$. Where $2\epsilon \ge D^2$,
the larger variance only makes the pair worse than two equal ones; elsewhere the pair is no better than one at the smaller
distance $\sqrt{2\epsilon}$, whose hockey-stick divergence $\delta_0$ is larger than any $\delta$ in use.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION
from ..hockey_stick.variance_ends import equal_variances

page = Page("beyond", "§4.2, Standard vs. Relative Gaussian Mechanism", NOTATION)
_D = page.nonnegative("D", "distance of the outputs on two neighbours, in standard deviations of the smaller variance")
_epsilon = page.nonnegative("epsilon", "level of the hockey-stick divergence")
_delta = page.nonnegative("delta", "probability of failure")
_h = page.nonnegative("h", "hockey-stick divergence with the larger variance first", latex=r"H_\epsilon(P\|Q)")
_equal = page.nonnegative(
    "g",
    "the same of two laws at the distance D that both have the smaller variance",
    latex=r"H_\epsilon(N(De_1, I)\|N(0, I))",
)
_limit = page.nonnegative("delta_0", "the same at the distance sqrt(2 epsilon)", latex=r"\delta_0")

_PRIVATE = Hypothesis("private", le(_h, _delta), "(epsilon, delta)-differential privacy, in the order that is worse")
_SMALL = Hypothesis("a small probability of failure", lt(_delta, _limit))
_NEAR = Hypothesis("near", Implies(ge(2 * _epsilon, _D**2), le(_equal, _h)), by=("beyond:larger-variance-is-worse",))
_AWAY = Hypothesis(
    "far",
    Implies(lt(2 * _epsilon, _D**2), le(_limit, _h)),
    "at the distance sqrt(2 epsilon) the level is large enough",
    by=("beyond:hockey-stick-monotone-in-distance", "beyond:larger-variance-is-worse"),
)


_wide, _dims = positive("v").symbol, natural("d", "dimension").symbol
_EQUAL = Outputs((_D,), (Integer(0),), _dims, variances=(Integer(1), Integer(1)))
#: Pairs that are near; the probability of failure is just above what the pair has.
_PAIRS = Filled(
    tuple(
        {_D: Rational(x), _wide: Rational(v), _dims: Integer(n), _epsilon: Rational(e)}
        for x, v, n, e in (
            ("1/4", "11/10", 2, "1/8"), ("1/2", "2", 1, "1/2"), ("1/5", "101/100", 30, "1/8"),
            ("1/10", "1001/1000", 1000, "1/50"),
        )
    ),
    {
        _h: Of(HockeyStick(_epsilon), Outputs((_D,), (Integer(0),), _dims, variances=(_wide, Integer(1)))),
        _equal: Of(HockeyStick(_epsilon), _EQUAL),
        _limit: Of(HockeyStick(_epsilon), _EQUAL.subs({_D: sqrt(2 * _epsilon)})),
    },
    rest={_delta: _h + Rational(1, 10**20)},
)  # fmt: skip

least = page.theorem(
    "beyond:least-variance-approximate",
    "For approximate privacy, too, the smaller of both variances is enough for the Gaussian mechanism",
    le(_equal, _delta),
    r"In every dimension, and for variances that depend on the data in any way: where a release has $(\epsilon, \delta)$ with $\delta < \delta_0(\epsilon)$, "
    r"both variances are at least what the Gaussian mechanism needs for $(\epsilon, \delta)$ at the sensitivity $\Delta = |g(D) - g(D')|$; the constant is 1.",
    given=(_PRIVATE, _SMALL, _NEAR, _AWAY),
    outputs=of_cases(_PAIRS),
    by=Smt(),
    points={
        _D: (0, 1, sqrt(2 * _epsilon) * _D),
        _equal: (0, 1, _h * _equal),
        _delta: (0, 1, _h + _delta),
        _limit: (0, 1, _delta + 1 + _limit),
    },
    wrong={"half of it": _delta / 2, "any probability of failure": without(_SMALL), "any order": without(_PRIVATE)},
    steps=(
        Step(
            r"Where $2\epsilon \ge D^2$, the larger variance makes the pair worse.", "beyond:larger-variance-is-worse"
        ),
        Step(
            r"Elsewhere the pair is worse than one at the distance $\sqrt{2\epsilon}$, and that worse than equal variances.",
            "beyond:hockey-stick-monotone-in-distance",
        ),
        Step(r"So it has at least $\delta_0$, which is excluded.", "beyond:delta-up-to-which-variances-are-compared"),
    ),
    reading=r"The smaller variance is 1 and the larger one $v$. Divergences are of the order that has the larger variance first.",
    remark=r"Without a bound on $\delta$ the step fails: for $2\epsilon < D^2$ the divergence falls at first as the larger variance grows.",
)

limit = page.identity(
    "beyond:delta-up-to-which-variances-are-compared",
    "The probability of failure up to which variances are compared",
    eq(At(equal_variances(_D, _epsilon), _D, sqrt(2 * _epsilon)), (1 - exp(_epsilon) * erfc(sqrt(_epsilon))) / 2),
    r"This is $\delta_0(\epsilon)$: the mean of the loss of two equal variances is $\epsilon$ there.",
    given=Hypothesis("a level", gt(_epsilon, 0)),
    points={_epsilon: (0, 9)},
    wrong={
        "the first part only": Rational(1, 2),
        "twice the level": (1 - exp(2 * _epsilon) * erfc(sqrt(2 * _epsilon))) / 2,
    },
    outputs="the curve of two equal variances, which beyond:hockey-stick-equal-variances integrates and releases",
)

_s = page.positive(
    "S", "largest distance of two gradients of one record at the released iterate, over the number of records"
)
_mu = page.positive(
    "mu", "largest distance at which the Gaussian mechanism has (epsilon, delta), in standard deviations"
)
_sigma = page.positive("sigma", "standard deviation of the noise at the data")
_far = page.nonnegative("R", "distance of the output on the data from the farthest neighbour")

four = page.theorem(
    "beyond:noise-at-the-iterate-factor-four-approximate",
    "The factor four for approximate privacy",
    le((_s / _mu) ** 2, 4 * _sigma**2),
    r"The left side is the variance of noise at the released iterate, calibrated for $(\epsilon, \delta)$; $\mu$ is what `beyond:least-variance-approximate` leaves.",
    given=(
        Hypothesis("calibrated", le(_far / _sigma, _mu), by=("beyond:least-variance-approximate",)),
        Hypothesis("the farthest one", ge(2 * _far, _s), by=("beyond:set-seen-from-a-point",)),
    ),
    points={_far: (0, 1, _s / 2 + _far), _sigma: _far / _mu + _sigma},
    wrong={"three times": 3 * _sigma**2, "a point of its own": without("the farthest one")},
    outputs="puts a distance into beyond:least-variance-approximate, which is integrated and released",
)
