r"""Truncated concentrated DP for the Relative Gaussian Mechanism, from the exact Rényi curve.

A mechanism is $(\rho, \omega)$-tCDP when its Rényi divergence of every order $1 < \alpha < \omega$ is at
most $\rho\,\alpha$. With $q = \eta(2+\eta)$ the exact curve obeys this up to $\omega = 1 + 1/(2q)$ with
$\rho = \eta^2/\gamma + \frac25 d q^2$: smaller than both printed constants, because the logarithmic term,
divided by $\alpha$, is at most $\frac25 q^2$ where $(\alpha-1)q \le \frac12$. The factor cannot go below
$2\log 2 - 1 \approx 0.386$, the limit of small $\eta$ at the last order.

A tCDP guarantee speaks of all orders at once while Theorem 1 asks for a noise level per order, larger for
smaller orders. The baseline noise that it asks for at $\omega$ alone,
$\gamma\eta^{-2}(1-\eta(\omega-1))R_{rel}^2 = \frac{3+2\eta}{4+2\eta}\gamma\eta^{-2}R_{rel}^2$, is enough
for all of them.
"""

from ...rgm.notation import *
from ...rgm.output_pairs import of_neighbours, of_the_worst_pair
from .curve_notation import POSITIVE_NOISE, WORST_PAIRS, divergence, exact_curve, exact_log_term, k_in_range
from .log_notation import P, Q

page = Page("beyond", "", NOTATION)
_CONSTANT = page.elsewhere("used for the tCDP constant")
_ALL_ORDERS = page.elsewhere("one noise level for all orders")
k = page.real("k", "(alpha - 1) q", lower=0, upper=Rational(1, 2))
#: alpha = 1 + k/q with 0 < k < 1/2: the orders below 1 + 1/(2q).
HALF_RANGE_CHART = {alpha: 1 + k / q}
HALF_RANGE = Hypothesis("orders up to 1 + 1/(2q)", le(2 * q * (alpha - 1), 1), "alpha <= 1 + 1/(2 eta (2 + eta))")
_SOME_RHO = Hypothesis("rho positive", ge(1000 * rho, 1))
_SHARE = Rational(2, 5)
#: What replaces the printed constants.
sharp_constant = eta**2 / gamma + _SHARE * d * q**2

minus_log = _CONSTANT.inequality(
    "beyond:minus-log-on-half-range",
    "-log(1 - k) lies below k + 4k^2/5 up to k = 1/2",
    le(-log(1 - k), k + Rational(4, 5) * k**2),
    wrong={"4/5 becomes 3/4": k + Rational(3, 4) * k**2, "direction": turned(), "without the square": k},
    tightness=Tightness(
        Rational(5, 4) * LogRemainder(2, -k),
        {k: (0, Rational(1, 2))},
        "the remainder after k, exact over bound",
        plot=(k,),
    ),
    steps=Premise("beyond:log-rational-lower-6", {P: 1 - k}),
)

log_term_over_alpha = _CONSTANT.inequality(
    "beyond:log-term-over-alpha",
    "The exact logarithmic term is at most (2/5) alpha q^2",
    le(exact_log_term, _SHARE * alpha * q**2),
    "The left side is the exact logarithmic term per dimension.",
    given=HALF_RANGE,
    points={alpha: 1 + k / q},
    wrong={
        "2/5 becomes 386/1000": Rational(386, 1000) * alpha * q**2,
        "without alpha": _SHARE * q**2,
        "the whole range of Theorem 1": changed(hypotheses=(_SOME_RHO,)),
    },
    steps=(
        Premise("beyond:minus-log-on-half-range", {k: (alpha - 1) * q}),
        Premise("beyond:log-quadratic-lower", {P: 1 + q, Q: 1}),
        Premise("beyond:logarithms-at-the-ends"),
        Step(
            r"Twice the term is $q\,(-\log(1-k)/k) - \log(1+q)$ with $k = (\alpha-1)q$.",
            "beyond:logarithms-at-the-ends",
        ),
        Step(r"The first logarithm is at most $k + \frac45k^2$.", "beyond:minus-log-on-half-range"),
        Step(r"The second is at least $q - q^2/2$.", "beyond:log-quadratic-lower"),
    ),
    tightness=Tightness(
        (k * LogRemainder(2, -k) + q * LogRemainder(2, q)) / (Rational(4, 5) * (q + k)),
        {eta: (Rational(1, 1000), 1), k: (0, Rational(1, 2))},
        "exact logarithmic term over (2/5) alpha q^2",
        plot=(k,),
    ),
)

tcdp = page.elsewhere("replaces the constants of Sec. 4.1 and App. A.6").theorem(
    "beyond:tcdp",
    "A smaller tCDP constant that is true",
    le(exact_curve, alpha * sharp_constant),
    r"So the mechanism is tCDP with the factor of $\alpha$ on the right, up to the order $1 + \frac1{2\eta(2+\eta)}$. On the left is its exact Rényi curve.",
    printed=r"\left(\frac{\eta^2}{\gamma} + \frac25\,d\,\eta^2(2+\eta)^2,\ 1 + \frac{1}{2\eta(2+\eta)}\right)\text{-tCDP}",
    given=HALF_RANGE,
    by=(Deduction(), *of_the_worst_pair(exact_curve, half=True)),
    points=HALF_RANGE_CHART,
    wrong={
        "2/5 becomes 1/3": alpha * (eta**2 / gamma + d * q**2 / 3),
        "eta^2/gamma is halved": alpha * (eta**2 / (2 * gamma) + _SHARE * d * q**2),
        "no range of orders": changed(hypotheses=(_SOME_RHO,)),
    },
    steps=(
        Step(r"$1/(2\rho) \le 1$ because $(\alpha-1)q \le \frac12$.", "rgm:a5-half"),
        Step("The logarithmic term.", Premise("beyond:log-term-over-alpha")),
    ),
    reading="The worst case over neighbours is the exact curve of beyond:exact-renyi-upper.",
    tightness=Tightness(
        Rational(1, 2) / (1 - k),
        {k: (0, Rational(1, 2))},
        "main term of the exact curve over alpha eta^2/gamma",
        plot=(k,),
    ),
)

_OMEGA = 1 + 1 / (2 * eta * (2 + eta))
LAST_BASELINE = Hypothesis(
    "baseline noise of Theorem 1 at the largest order",
    ge(sigma2, gamma / eta**2 * (1 - eta * (_OMEGA - 1)) * r_rel**2),
    "Theorem 1 at alpha = omega",
)
FIXED_NOISE = (*RELATIVE_SENSITIVITY, HALF_RANGE, LAST_BASELINE, POSITIVE_NOISE)
HALF_RANGE_PAIRS = {**WORST_PAIRS, k_in_range: (0, HALF)}

mixed_variance = _ALL_ORDERS.inequality(
    "beyond:tcdp-mixed-variance",
    "The noise for the largest order bounds the main term of every smaller order",
    ge(alpha * variance_y + (1 - alpha) * variance_x, gamma / (2 * eta**2) * distance2),
    "The mixed variance is that of any order up to the largest one.",
    given=(*RELATIVE_SENSITIVITY, HALF_RANGE, LAST_BASELINE),
    points={s: e for s, e in HALF_RANGE_PAIRS.items() if s != d},
    wrong={"without the half": gamma / eta**2 * distance2, "no baseline noise": without(LAST_BASELINE)},
    steps=(
        Step(r"The mixed variance is affine in $\alpha$, so that the two ends decide."),
        Step(
            r"At $\alpha = \omega$ it is Theorem 1's own bound.",
            Premise("rgm:a3-denominator-multiple", {alpha: _OMEGA}),
        ),
        Step(r"At $\alpha = 1$ it is the variance at $y$.", Premise("beyond:tcdp-variance-at-order-1")),
    ),
)

variance_at_order_1 = _ALL_ORDERS.inequality(
    "beyond:tcdp-variance-at-order-1",
    "The variance at y against the distance",
    ge(variance_y, gamma / (2 * eta**2) * distance2),
    given=(RELATIVE_SENSITIVITY[1], LAST_BASELINE),
    wrong={"without the half": gamma / eta**2 * distance2, "no baseline noise": without(LAST_BASELINE)},
)

variance_ratio = _ALL_ORDERS.inequality(
    "beyond:tcdp-variance-ratio",
    "The noise for the largest order keeps the ratio of the variances in the range of Lemma 1",
    both(ge(variance_y / variance_x, (1 + eta) ** -2), le(variance_y / variance_x, (1 + eta) ** 2)),
    "The baseline noise is the same.",
    given=(*RELATIVE_SENSITIVITY, LAST_BASELINE, POSITIVE_NOISE),
    wrong={
        "1 + eta instead of its square": le(variance_y / variance_x, 1 + eta),
        "no baseline noise": without(LAST_BASELINE),
    },
    steps=Premise("beyond:ratio-in-range", {alpha: _OMEGA}),
)

one_noise_level = page.elsewhere("Sec. 4.1, Truncated Concentrated DP, with its hypotheses written out").theorem(
    "beyond:tcdp-of-pairs",
    "One noise level for all orders of the tCDP guarantee",
    le(divergence, alpha * sharp_constant),
    "The baseline noise is that of Theorem 1 at the largest order, for every order up to it.",
    given=FIXED_NOISE,
    by=(Deduction(), *of_neighbours(divergence, half=True)),
    points=HALF_RANGE_PAIRS,
    wrong={
        "no baseline noise": without(LAST_BASELINE),
        "half of eta^2/gamma": alpha * (eta**2 / (2 * gamma) + _SHARE * d * q**2),
        "1/4 for 2/5": alpha * (eta**2 / gamma + d * q**2 / 4),
    },
    steps=(
        Step("The main term of every order.", Premise("beyond:tcdp-mixed-variance")),
        Step("The ratio of the variances.", Premise("beyond:tcdp-variance-ratio")),
        Step(
            "The logarithmic term is at most its value at the worst ratio.",
            Premise("beyond:exact-log-term", {RATIO.symbol: variance_y / variance_x}),
        ),
        Step("That value, divided by the order.", Premise("beyond:log-term-over-alpha")),
    ),
)
