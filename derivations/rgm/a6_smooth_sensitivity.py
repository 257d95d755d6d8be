r"""Appendix A.6: the Relative Gaussian Mechanism next to Gaussian Smooth Sensitivity.

Gaussian Smooth Sensitivity adds noise of variance $e^{g(x)}$ to a real number. Proposition 4, quoted from
Bun et al. (2018), bounds its Rényi divergences by $\alpha(\Delta_f^2 + \Delta_g^2)$ for $\alpha <
1/(2\Delta_g)$. With $g = \log(\gamma|R|^2 + \sigma^2)$ this is the Relative Gaussian Mechanism in dimension
1, with $\Delta_f^2 = \eta^2/\gamma$ and $\Delta_g = 2\eta$.

The proposition holds as printed, and the RGM's guarantee from it too. The constant that the section then
derives from Theorem 1 does not follow from version 2's formula (it does from version 1's), though it is
true; the inequality used for it needs half of the printed range. The comparison at the end holds with that
constant; the factor 2 is reached only in the limit of large $\gamma$.
"""

from sympy import Abs, Expr, Integer, Rational, diff, exp, log, sqrt

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Smt
from rgm_verify.lenses.outputs import Outputs, Renyi, by_outputs

from ..beyond.exact_renyi import exact_curve
from ..beyond.log_term import P, Q
from ..beyond.tcdp import halved_constant, k
from .a5_corollary_1 import half_order, last_order, renyi_v2
from .notation import (
    ALPHA,
    BASELINE_OF_LEMMA_1,
    DIMENSION,
    ETA,
    GAMMA,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    SIGMA2,
    a,
    alpha,
    b,
    d,
    distance2,
    eta,
    gamma,
    q,
    r_rel,
    rho,
    sigma2,
    variance_x,
    variance_y,
)
from .output_pairs import WORST

_SOURCE = "rgm-v2"
_T = positive("t", "ratio of the variances, at x over at y: e^(g(x) - g(y))")
_SHARP = nonnegative("s", "squared distance of the outputs over the variance at y")
_DELTA_F = nonnegative("Delta_f", "distance of the outputs in noise scales")
_DELTA_G = positive("Delta_g", "largest change of g between neighbours")
_M = real("m", "(alpha - 1)(t - 1)", upper=Rational(1, 2))
t, s, delta_f, delta_g, m = (v.symbol for v in (_T, _SHARP, _DELTA_F, _DELTA_G, _M))
_j = positive("j").symbol
_w = real("w").symbol

#: The Rényi divergence of N(., t) from N(., 1) on the line, with squared distance s.
gss_log_term = -(log(1 - (alpha - 1) * (t - 1)) + (alpha - 1) * log(t)) / (2 * (alpha - 1))
gss_divergence = alpha * s / (2 * (1 - (alpha - 1) * (t - 1))) + gss_log_term

log_squared = Claim(
    id="beyond:gss-log-squared",
    title="Between 1/sqrt(e) and sqrt(e) the ratio minus 1 is comparable with its logarithm",
    source="beyond",
    where="used for App. A.6, Proposition 4",
    kind="inequality",
    statement=(r"For $|\log t| \le \frac12$: $t - 1 - \log t \le 2\log^2 t$ and $\frac25(t-1)^2 \le \log^2 t$."),
    variables=(_T,),
    hypotheses=(Hypothesis("log t in [-1/2, 1/2]", le(Abs(log(t)), Rational(1, 2))),),
    conclusion=both(le(t - 1 - log(t), 2 * log(t) ** 2), le(Rational(2, 5) * (t - 1) ** 2, log(t) ** 2)),
    checks=(
        Deduction(
            (
                Premise("beyond:log-upper", {P: Integer(1), Q: t}),
                Premise("beyond:log-rational-lower-3", {P: t}),
                Premise("beyond:log-quadratic-upper", {P: t, Q: Integer(1)}, where_it_applies=True),
                Premise("beyond:log-quadratic-lower", {P: t, Q: Integer(1)}, where_it_applies=True),
            )
        ),
    ),
    sampling=Chart({t: (Rational(61, 100), Rational(8, 5))}, {}),
    mutants=(
        Mutant("2 becomes 1/2", le(t - 1 - log(t), log(t) ** 2 / 2)),
        Mutant("2/5 becomes 4/5", le(Rational(4, 5) * (t - 1) ** 2, log(t) ** 2)),
        Mutant("every t", le(Rational(2, 5) * (t - 1) ** 2, log(t) ** 2), hypotheses=()),
    ),
)

order_in_reach = Claim(
    id="beyond:gss-orders-in-reach",
    title="Below 1/(2 Delta_g) the shifted variance stays above one half",
    source="beyond",
    where="used for App. A.6, Proposition 4",
    kind="inequality",
    statement=r"If $|\log t| \le \Delta_g$ and $\alpha < 1/(2\Delta_g)$, then $(\alpha-1)(t-1) \le \frac12$.",
    variables=(_T, _DELTA_G, ALPHA),
    hypotheses=(
        Hypothesis("smoothness of g", le(Abs(log(t)), delta_g), "Proposition 4"),
        Hypothesis("range of orders", lt(alpha, 1 / (2 * delta_g)), "Proposition 4"),
    ),
    conclusion=le((alpha - 1) * (t - 1), Rational(1, 2)),
    checks=(
        Deduction(
            (
                Premise("beyond:log-upper", {P: Integer(1), Q: t}),
                Premise("beyond:log-rational-lower-3", {P: t}),
                Premise("beyond:log-quadratic-lower", {P: t, Q: Integer(1)}, where_it_applies=True),
            )
        ),
    ),
    sampling=Chart(
        {delta_g: (0, Rational(1, 2)), _w: (-1, 1), _j: (0, 1)},
        {t: (2 + _w * delta_g) / (2 - _w * delta_g), alpha: 1 + _j * (1 / (2 * delta_g) - 1)},
    ),
    mutants=(
        Mutant("1/2 becomes 1/3", le((alpha - 1) * (t - 1), Rational(1, 3))),
        Mutant("no range of orders", hypotheses=(Hypothesis("smoothness of g", le(Abs(log(t)), delta_g)),)),
    ),
)

two_sided = Claim(
    id="beyond:minus-log-up-to-half",
    title="-log(1 - m) - m is at most 4 m^2/5 for all m up to 1/2",
    source="beyond",
    where="used for App. A.6, Proposition 4",
    kind="inequality",
    statement=r"Negative $m$ included: $-\log(1-m) \le m + \frac45m^2$ for $m \le \frac12$.",
    variables=(_M,),
    conclusion=le(-log(1 - m), m + Rational(4, 5) * m**2),
    checks=(
        Deduction(
            (
                Premise("beyond:minus-log-on-half-range", {k: m}, where_it_applies=True),
                Premise("beyond:log-quadratic-lower", {P: 1 - m, Q: Integer(1)}, where_it_applies=True),
            )
        ),
    ),
    mutants=(
        Mutant("4/5 becomes 3/4", le(-log(1 - m), m + Rational(3, 4) * m**2)),
        Mutant("direction", ge(-log(1 - m), m + Rational(4, 5) * m**2)),
    ),
)

gss_log = Claim(
    id="beyond:gss-log-term",
    title="The logarithmic term of two variances is at most alpha times the squared log of their ratio",
    source="beyond",
    where="used for App. A.6, Proposition 4",
    kind="inequality",
    statement=(
        r"For $|\log t| \le \frac12$ and $(\alpha-1)(t-1) \le \frac12$ the logarithmic term is at most "
        r"$\alpha\log^2t$."
    ),
    variables=(_T, ALPHA),
    hypotheses=(
        Hypothesis("log t in [-1/2, 1/2]", le(Abs(log(t)), Rational(1, 2))),
        Hypothesis("the shifted variance", le((alpha - 1) * (t - 1), Rational(1, 2))),
    ),
    conclusion=le(gss_log_term, alpha * log(t) ** 2),
    checks=(
        Deduction(
            (
                Premise("beyond:gss-log-squared"),
                Premise("beyond:minus-log-up-to-half", {m: (alpha - 1) * (t - 1)}),
            )
        ),
    ),
    sampling=Chart(
        {t: (Rational(61, 100), Rational(8, 5)), k: (0, Rational(1, 2))},
        {alpha: 1 + k / ((t - 1) ** 2 + Rational(1, 1000))},
    ),
    mutants=(
        Mutant("a third of it", le(gss_log_term, alpha * log(t) ** 2 / 3)),
        Mutant("direction", ge(gss_log_term, alpha * log(t) ** 2)),
    ),
)

_GSS_HYPOTHESES = (
    Hypothesis("sensitivity at x", le(s, delta_f**2 * t), "Proposition 4"),
    Hypothesis("sensitivity at y", le(s, delta_f**2), "Proposition 4, by symmetry"),
    Hypothesis("smoothness of g", le(Abs(log(t)), delta_g), "Proposition 4"),
    Hypothesis("range of orders", lt(alpha, 1 / (2 * delta_g)), "Proposition 4"),
)
_GSS_CHART = Chart(
    {delta_g: (0, Rational(1, 2)), _w: (-1, 1), _j: (0, 1), k: (0, 1), delta_f: (0, None)},
    {
        t: (2 + _w * delta_g) / (2 - _w * delta_g),
        alpha: 1 + _j * (1 / (2 * delta_g) - 1),
        s: k * delta_f**2,
    },
)

_gss_in_dimension = alpha * s / (2 * (1 - (alpha - 1) * (t - 1))) + d * gss_log_term
#: Two outputs at the squared distance s, of the variances t and 1.
_SMOOTH = Outputs((sqrt(s),), (), d, variances=(t, Integer(1)))
_SMOOTH_POINTS = tuple(
    {t: Rational(v), s: Rational(w), delta_f: 1, delta_g: Rational(g), alpha: Rational(o), d: Integer(n)}
    for v, w, g, o, n in (
        ("11/10", "9/10", "1/5", "2", 3),
        ("2/3", "1/4", "9/20", "1001/1000", 1),
        ("10/11", "1/2", "1/10", "4", 1000),
        ("101/100", "1/100", "1/100", "49", 2),
    )
)

#: Orders below 1 / (4 eta).
_BELOW = tuple(
    {eta: Rational(v), gamma: Rational(w), alpha: Rational(o), d: Integer(n)}
    for v, w, o, n in (
        ("1/10", "1/20", "2", 3),
        ("1/5", "1/2", "6/5", 1),
        ("1/100", "1/1000", "24", 1000),
        ("6/25", "3", "1001/1000", 2),
    )
)

proposition_4 = Claim(
    id="rgm-v2:proposition-4",
    refs=("A101",),
    title="Proposition 4: Gaussian Smooth Sensitivity is tCDP",
    source=_SOURCE,
    where="App. A.6, Proposition 4",
    kind="proposition",
    statement=(
        r"On the line, with $|R(x)-R(y)| \le \Delta_f e^{g(x)/2}$ and $|g(x)-g(y)| \le \Delta_g$ for all "
        r"neighbours, the Rényi divergence of order "
        r"$1 < \alpha < 1/(2\Delta_g)$ is at most $\alpha(\Delta_f^2 + \Delta_g^2)$."
    ),
    reading=(
        "Both orders of the pair are neighbours, so the sensitivity holds at x and at y. For Delta_g >= 1/2 "
        "no order is left and nothing is claimed."
    ),
    variables=(_T, _SHARP, _DELTA_F, _DELTA_G, ALPHA),
    hypotheses=_GSS_HYPOTHESES,
    conclusion=le(gss_divergence, alpha * (delta_f**2 + delta_g**2)),
    checks=(
        *by_outputs(gss_divergence, Renyi(alpha), _SMOOTH.subs({d: 1}), _SMOOTH_POINTS, _SMOOTH_POINTS[:1]),
        Deduction(
            (
                Premise("beyond:gss-orders-in-reach"),
                Premise("beyond:gss-log-term"),
            )
        ),
    ),
    sampling=_GSS_CHART,
    mutants=(
        Mutant("half of Delta_f^2", le(gss_divergence, alpha * (delta_f**2 / 2 + delta_g**2))),
        Mutant("a quarter of Delta_g^2", le(gss_divergence, alpha * (delta_f**2 + delta_g**2 / 4))),
        Mutant(
            "no range of orders",
            hypotheses=(*_GSS_HYPOTHESES[:3], Hypothesis("finite", gt(1 - (alpha - 1) * (t - 1), 0))),
        ),
    ),
    derivation=(
        Step(
            r"The shifted variance is at least half of that at $y$, which bounds the first term.",
            "beyond:gss-orders-in-reach",
        ),
        Step(
            r"The logarithms split into two terms of the form $x - \log(1+x)$, both at most multiples of "
            r"$\log^2t$.",
            "beyond:gss-log-term",
        ),
    ),
)

in_many_dimensions = Claim(
    id="beyond:gss-in-many-dimensions",
    title="Gaussian Smooth Sensitivity in dimension d",
    source="beyond",
    where="extends App. A.6, Proposition 4, to vectors",
    kind="theorem",
    statement=(
        r"For vectors and any $g$ with the same two properties the mechanism is $(\Delta_f^2 + "
        r"d\Delta_g^2,\ 1/(2\Delta_g))$-tCDP."
    ),
    variables=(_T, _SHARP, _DELTA_F, _DELTA_G, ALPHA, DIMENSION),
    hypotheses=_GSS_HYPOTHESES,
    conclusion=le(
        alpha * s / (2 * (1 - (alpha - 1) * (t - 1))) + d * gss_log_term,
        alpha * (delta_f**2 + d * delta_g**2),
    ),
    checks=(
        Deduction((Premise("beyond:gss-orders-in-reach"), Premise("beyond:gss-log-term"))),
        *by_outputs(_gss_in_dimension, Renyi(alpha), _SMOOTH, _SMOOTH_POINTS, _SMOOTH_POINTS[:1]),
    ),
    sampling=Chart({**_GSS_CHART.ranges, d: (1, None)}, _GSS_CHART.maps),
    mutants=(
        Mutant(
            "without d",
            le(
                alpha * s / (2 * (1 - (alpha - 1) * (t - 1))) + d * gss_log_term,
                alpha * (delta_f**2 + delta_g**2),
            ),
        ),
        Mutant(
            "half of Delta_f^2",
            le(
                alpha * s / (2 * (1 - (alpha - 1) * (t - 1))) + d * gss_log_term,
                alpha * (delta_f**2 / 2 + d * delta_g**2),
            ),
        ),
    ),
)

_POSITIVE_NOISE = (
    Hypothesis("noise at x", gt(variance_x, 0), "so that g is defined"),
    Hypothesis("noise at y", gt(variance_y, 0), "so that g is defined"),
)
g_x, g_y = log(variance_x), log(variance_y)

equivalence = Claim(
    id="rgm-v2:a6-gss-is-rgm",
    refs=("A102", "A25"),
    title="With g = log(gamma |R|^2 + sigma^2) both mechanisms add the same noise",
    source=_SOURCE,
    where="App. A.6, after Proposition 4; Sec. 4.1",
    kind="identity",
    statement=r"The noise scale $e^{g(x)/2}$ is the square root of $\gamma|R(x)|^2 + \sigma^2$.",
    reading=(
        "Same law of the noise per coordinate. For R(x) = 0 and sigma = 0 the function g is not defined; "
        "there RGM adds no noise."
    ),
    variables=(GAMMA, SIGMA2, PAIR[0]),
    hypotheses=(_POSITIVE_NOISE[0],),
    conclusion=eq(exp(g_x / 2), sqrt(variance_x)),
    mutants=(
        Mutant("the variance for the scale", eq(exp(g_x), sqrt(variance_x))),
        Mutant("|R| for |R|^2", eq(exp(log(gamma * a + sigma2) / 2), sqrt(variance_x))),
    ),
)

printed_difference = Claim(
    id="rgm-v2:a6-difference-of-g",
    refs=("A103",),
    title="The difference of g, as printed without the absolute value",
    source=_SOURCE,
    where="App. A.6, v2 (49)",
    kind="identity",
    statement=(r"As printed: $|g(x)-g(y)|$ equals the logarithm of the variance at $x$ over the variance at $y$."),
    variables=(GAMMA, SIGMA2, *PAIR[:2]),
    hypotheses=_POSITIVE_NOISE,
    conclusion=eq(Abs(g_x - g_y), log(variance_x / variance_y)),
    category="misprint",
    corrected="beyond:a6-difference-of-g",
    remark="The right side is negative where x has the smaller variance.",
)

difference = Claim(
    id="beyond:a6-difference-of-g",
    title="The difference of g",
    source="beyond",
    where="replaces App. A.6, v2 (49)",
    kind="identity",
    statement=(
        r"$g(x) - g(y)$ is the logarithm of the variance at $x$ over the variance at $y$, before absolute "
        r"values are taken."
    ),
    variables=(GAMMA, SIGMA2, *PAIR[:2]),
    hypotheses=_POSITIVE_NOISE,
    conclusion=eq(g_x - g_y, log(variance_x / variance_y)),
    checks=(Identity(positive=(variance_x, variance_y)),),
    mutants=(
        Mutant("upside down", eq(g_x - g_y, log(variance_y / variance_x))),
        Mutant("without sigma^2", eq(g_x - g_y, log((gamma * a**2 + 1) / (gamma * b**2 + 1)))),
    ),
)

smoothness = Claim(
    id="rgm-v2:a6-smoothness-of-g",
    refs=("A104a",),
    title="g changes by at most log((1 + eta)^2)",
    source=_SOURCE,
    where="App. A.6, v2 (50), first relation",
    kind="inequality",
    statement=(r"Under Lemma 1's hypotheses the difference of $g$ between neighbours is at most $\log((1+\eta)^2)$."),
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, *_POSITIVE_NOISE),
    conclusion=le(Abs(g_x - g_y), log((1 + eta) ** 2)),
    checks=(
        Deduction(
            (
                Premise("rgm:lemma-1"),
                Premise("beyond:log-of-a-multiple", {P: variance_x, Q: variance_y}),
                Premise("beyond:log-of-a-multiple", {P: variance_y, Q: variance_x}),
            )
        ),
    ),
    mutants=(
        Mutant("1 + eta without the square", le(Abs(g_x - g_y), log(1 + eta))),
        Mutant("no baseline", hypotheses=(*RELATIVE_SENSITIVITY, *_POSITIVE_NOISE)),
    ),
)

multiple = Claim(
    id="beyond:log-of-a-multiple",
    title="The logarithm is increasing",
    source="beyond",
    where="used for App. A.6, v2 (50)",
    kind="inequality",
    statement=r"If $P \le (1+\eta)^2 Q$ then $\log P - \log Q \le \log((1+\eta)^2)$.",
    variables=(positive("P"), positive("Q"), ETA),
    hypotheses=(Hypothesis("P at most a multiple of Q", le(P, (1 + eta) ** 2 * Q)),),
    conclusion=le(log(P) - log(Q), log((1 + eta) ** 2)),
    checks=(Combination(terms=(((1 + eta) ** 2 * Q - P, 1 / P, LogRemainder(1, (1 + eta) ** 2 * Q / P - 1)),)),),
    sampling=Chart({_j: (0, 1), Q: (0, None), eta: (0, None)}, {P: _j * (1 + eta) ** 2 * Q}),
    mutants=(
        Mutant("1 + eta without the square", le(log(P) - log(Q), log(1 + eta))),
        Mutant("no order", hypotheses=()),
    ),
)

linear = Claim(
    id="rgm-v2:a6-delta-g",
    refs=("A104b",),
    title="log((1 + eta)^2) is at most 2 eta",
    source=_SOURCE,
    where="App. A.6, v2 (50), second relation",
    kind="inequality",
    statement=r"So $\Delta_g = 2\eta$ is valid, for every $\eta > 0$.",
    variables=(ETA,),
    conclusion=le(log((1 + eta) ** 2), 2 * eta),
    checks=(Combination(terms=((2 * eta**2, LogRemainder(2, eta)),)),),
    mutants=(
        Mutant("eta for 2 eta", le(log((1 + eta) ** 2), eta)),
        Mutant("direction", ge(log((1 + eta) ** 2), 2 * eta)),
    ),
    tightness=(Tightness(LogRemainder(1, eta), {eta: (0, 1)}, "log((1 + eta)^2) over 2 eta", plot=(eta,)),),
)

_BASELINE = gamma * eta**-2 * r_rel**2

baseline = Claim(
    id="rgm-v2:a6-baseline",
    refs=("A105a",),
    title="The choice of sigma^2 meets Theorem 1 at every order",
    source=_SOURCE,
    where="App. A.6, before v2 (51)",
    kind="inequality",
    statement=(
        r"$\sigma^2 = \gamma\eta^{-2}R_{rel}^2$ is at least $\gamma\eta^{-2}(1-\eta(\alpha-1))R_{rel}^2$ "
        r"for every $\alpha \ge 1$."
    ),
    variables=(ETA, GAMMA, R_REL, ALPHA),
    conclusion=ge(_BASELINE, gamma * eta**-2 * (1 - eta * (alpha - 1)) * r_rel**2),
    checks=(Combination(terms=((gamma * r_rel**2 / eta, alpha - 1),)), Smt()),
    mutants=(
        Mutant("half of it", ge(_BASELINE / 2, gamma * eta**-2 * (1 - eta * (alpha - 1)) * r_rel**2)),
        Mutant("direction", le(_BASELINE, gamma * eta**-2 * (1 - eta * (alpha - 1)) * r_rel**2)),
    ),
)

_noise_at_choice = variance_x.subs(sigma2, _BASELINE)

sensitivity = Claim(
    id="rgm-v2:a6-delta-f",
    refs=("A105b",),
    title="The distance of the outputs in noise scales",
    source=_SOURCE,
    where="App. A.6, v2 (51)",
    kind="inequality",
    statement=(
        r"With $\sigma^2 = \gamma\eta^{-2}R_{rel}^2$, relative sensitivity gives $|R(x)-R(y)|^2 \le "
        r"\frac{\eta^2}{\gamma}e^{g(x)}$: $\Delta_f^2 = \eta^2/\gamma$."
    ),
    variables=(*PAIR, ETA, GAMMA, R_REL),
    hypotheses=(RELATIVE_SENSITIVITY[0],),
    conclusion=le(distance2, eta**2 / gamma * _noise_at_choice),
    checks=(Combination(terms=((eta**2 * a**2 + r_rel**2 - distance2,),)), Smt()),
    mutants=(
        Mutant("eta^4", le(distance2, eta**4 / gamma * _noise_at_choice)),
        Mutant("half of it", le(distance2, eta**2 / (2 * gamma) * _noise_at_choice)),
    ),
)

sensitivity_equations = Claim(
    id="rgm-v2:a6-delta-f-equations",
    refs=("A105b",),
    title="The equations inside the bound on the distance",
    source=_SOURCE,
    where="App. A.6, v2 (51)",
    kind="identity",
    statement=(
        r"$\eta^2|R(x)|^2 + R_{rel}^2 = \frac{\eta^2}{\gamma}(\gamma|R(x)|^2 + \sigma^2) = "
        r"\frac{\eta^2}{\gamma}e^{g(x)}$ for that $\sigma^2$."
    ),
    variables=(ETA, GAMMA, R_REL, PAIR[0]),
    hypotheses=(Hypothesis("noise", gt(_noise_at_choice, 0), "so that g is defined"),),
    conclusion=both(
        eq(eta**2 * a**2 + r_rel**2, eta**2 / gamma * _noise_at_choice),
        eq(eta**2 / gamma * _noise_at_choice, eta**2 / gamma * exp(log(_noise_at_choice))),
    ),
    mutants=(
        Mutant(
            "gamma/eta instead",
            eq(eta**2 * a**2 + r_rel**2, eta**2 / gamma * (gamma * a**2 + gamma / eta * r_rel**2)),
        ),
        Mutant("eta for eta^2", eq(eta * a**2 + r_rel**2, eta**2 / gamma * _noise_at_choice)),
    ),
)

#: tCDP constants in dimension 1: by Proposition 4, by the formula of App. A.6, by Sec. 4.1.
by_gss = 4 * eta**2 + eta**2 / gamma
by_appendix = eta**2 / gamma + eta**2 * (2 + eta) ** 2 / 2
by_section = eta**2 * (1 / gamma + (2 + eta) ** 2 * (1 + eta) ** 2)
_gss_order = 1 / (4 * eta)

gss_constants = Claim(
    id="rgm-v2:a6-gss-constants",
    refs=("A106",),
    title="The constants of Proposition 4 for the RGM",
    source=_SOURCE,
    where="App. A.6, after v2 (51)",
    kind="identity",
    statement=(
        r"With $\Delta_f^2 = \eta^2/\gamma$ and $\Delta_g = 2\eta$ the proposition's constants are $4\eta^2 "
        r"+ \eta^2/\gamma$ and $1/(4\eta)$."
    ),
    variables=(ETA, GAMMA),
    conclusion=both(
        eq(At(delta_f**2 + delta_g**2, (delta_f, delta_g), (eta / sqrt(gamma), 2 * eta)), by_gss),
        eq(At(1 / (2 * delta_g), delta_g, 2 * eta), _gss_order),
    ),
    mutants=(
        Mutant("2 eta^2", eq((2 * eta) ** 2 + eta**2 / gamma, 2 * eta**2 + eta**2 / gamma)),
        Mutant("1/(2 eta)", eq(1 / (2 * (2 * eta)), 1 / (2 * eta))),
    ),
)

_GSS_ORDERS = Hypothesis("range of orders", lt(alpha, _gss_order), "Proposition 4 with Delta_g = 2 eta")
_GSS_ORDER_CHART = Chart(
    {eta: (0, Rational(1, 4)), gamma: (0, None), d: (1, None), _j: (0, 1)},
    {alpha: 1 + _j * (1 / (4 * eta) - 1)},
)

gss_guarantee = Claim(
    id="rgm-v2:a6-gss-guarantee",
    refs=("A106",),
    title="The guarantee that Proposition 4 gives the RGM is true",
    source=_SOURCE,
    where="App. A.6, after v2 (51)",
    kind="corollary",
    statement=(
        r"In dimension 1 the exact Rényi curve is at most $\alpha(4\eta^2 + \eta^2/\gamma)$ for every order "
        r"below $1/(4\eta)$."
    ),
    reading=(
        "R(x) is a real number, as Proposition 4 needs. For eta >= 1/4 no order is left. The worst case is "
        "the exact curve of beyond:exact-renyi-upper."
    ),
    variables=(ETA, GAMMA, ALPHA),
    hypotheses=(_GSS_ORDERS,),
    conclusion=le(exact_curve.subs(d, 1), alpha * by_gss),
    checks=(
        Deduction((Premise("beyond:tcdp", {d: Integer(1)}),)),
        *by_outputs(exact_curve.subs(d, 1), Renyi(alpha), WORST.subs({d: 1}), _BELOW, _BELOW[:1]),
    ),
    sampling=Chart({eta: (0, Rational(1, 4)), gamma: (0, None), _j: (0, 1)}, {alpha: 1 + _j * (1 / (4 * eta) - 1)}),
    derivation=(
        Step(claim="rgm-v2:proposition-4"),
        Step("The worst case over neighbours.", "beyond:exact-renyi-upper"),
    ),
    mutants=(
        Mutant("half of eta^2/gamma", le(exact_curve.subs(d, 1), alpha * (4 * eta**2 + eta**2 / (2 * gamma)))),
        Mutant("eta^2 for 4 eta^2", le(exact_curve.subs(d, 1), alpha * (eta**2 + eta**2 / gamma))),
        Mutant("in dimension 100", le(exact_curve.subs(d, 100), alpha * by_gss)),
    ),
)

every_dimension = Claim(
    id="rgm-v2:a6-every-dimension",
    refs=("A113",),
    title="What Proposition 4 says in dimension 1 holds in every dimension, with d",
    source=_SOURCE,
    where="App. A.6, last paragraph",
    kind="corollary",
    statement=(
        r"The mechanism in dimension $d$ is $(\eta^2/\gamma + 4d\eta^2,\ 1/(4\eta))$-tCDP; for $d = 1$ this "
        r"is what Proposition 4 gives."
    ),
    reading=(
        "The extension concerns the RGM, that is g = log(gamma |R|^2 + sigma^2); Proposition 4 admits other "
        "g, which "
        "Theorem 1 does not treat (beyond:gss-in-many-dimensions does). Theorem 1's own formula gives the "
        "same with "
        "d (2 + eta)^2 (1 + eta)^2 in the place of 4 d, on more orders: rgm-v2:tcdp-from-theorem-1."
    ),
    variables=(ETA, GAMMA, DIMENSION, ALPHA),
    hypotheses=(_GSS_ORDERS,),
    conclusion=le(exact_curve, alpha * (eta**2 / gamma + 4 * d * eta**2)),
    checks=(Deduction((Premise("beyond:tcdp"),)), *by_outputs(exact_curve, Renyi(alpha), WORST, _BELOW, _BELOW[:1])),
    sampling=_GSS_ORDER_CHART,
    mutants=(
        Mutant("without d", le(exact_curve, alpha * (eta**2 / gamma + 4 * eta**2))),
        Mutant("eta^2 for 4 eta^2", le(exact_curve, alpha * (eta**2 / gamma + d * eta**2))),
    ),
)

_TCDP_ORDERS = Hypothesis("range of orders", lt(alpha, half_order), "the printed omega")
_TCDP_CHART = Chart({k: (0, Rational(1, 2)), eta: (0, 1), gamma: (0, None), d: (1, None)}, {alpha: 1 + k / q})

eliminated = Claim(
    id="rgm-v2:a6-tcdp-from-theorem-1",
    refs=("A107",),
    title="The tCDP constant with d/2, from version 2's Theorem 1",
    source=_SOURCE,
    where="App. A.6",
    kind="corollary",
    statement=(
        r"As printed, version 2's bound of Theorem 1 is at most $\alpha\left(\frac{\eta^2}\gamma + "
        r"\frac12\eta^2d(2+\eta)^2\right)$ for orders below $1 + 1/(2q)$."
    ),
    reading="Obtained from Theorem 1 of the same version by bounding its epsilon.",
    variables=(ETA, GAMMA, DIMENSION, ALPHA),
    hypotheses=(_TCDP_ORDERS,),
    conclusion=le(renyi_v2, alpha * halved_constant),
    sampling=_TCDP_CHART,
    category="does not follow",
    corrected="beyond:tcdp-halved",
    remark=(
        "It is the constant that version 1's Theorem 1 gives. Version 2's has d (2 + eta)^2 (1 + eta)^2 "
        "without the half, as in Sec. 4.1. As a statement about the "
        "mechanism the printed constant is nevertheless true: beyond:tcdp-halved, and even with 2/5 in the "
        "place of 1/2."
    ),
)

factor_two = Claim(
    id="rgm-v2:a6-factor-two",
    refs=("A108",),
    title="The inverse of the denominator is at most 2, on the printed range",
    source=_SOURCE,
    where="App. A.6",
    kind="inequality",
    statement=r"As printed: $\alpha - 1 < 1/(2\eta+\eta^2)$ gives $[1-\eta(\alpha-1)(2+\eta)]^{-1} \le 2$.",
    variables=(ETA, ALPHA),
    hypotheses=(Hypothesis("printed range", lt(alpha - 1, 1 / (2 * eta + eta**2)), "App. A.6"),),
    conclusion=le(1 / (1 - eta * (alpha - 1) * (2 + eta)), 2),
    sampling=Chart({k: (0, 1), eta: (0, 1)}, {alpha: 1 + k / q}),
    category="wrong constant",
    corrected="beyond:a6-factor-two",
    remark=(
        "On the printed range the inverse has no bound; half of the range is needed, as in the omega that "
        "the same sentence states."
    ),
)

factor_two_corrected = Claim(
    id="beyond:a6-factor-two",
    title="The inverse of the denominator is at most 2, on half of the range",
    source="beyond",
    where="replaces App. A.6",
    kind="inequality",
    statement=r"$\alpha - 1 \le 1/(2(2\eta+\eta^2))$ gives $[1-\eta(\alpha-1)(2+\eta)]^{-1} \le 2$.",
    variables=(ETA, ALPHA),
    hypotheses=(Hypothesis("half of the range", le(alpha - 1, 1 / (2 * (2 * eta + eta**2)))),),
    conclusion=le(1 / (1 - eta * (alpha - 1) * (2 + eta)), 2),
    checks=(Smt(),),
    sampling=Chart({k: (0, Rational(1, 2)), eta: (0, None)}, {alpha: 1 + k / q}),
    mutants=(
        Mutant("3/2 for 2", le(1 / (1 - eta * (alpha - 1) * (2 + eta)), Rational(3, 2))),
        Mutant(
            "three quarters of the range",
            hypotheses=(Hypothesis("three quarters", le(alpha - 1, 3 / (4 * (2 * eta + eta**2)))),),
        ),
    ),
)

_BELOW_ONE = positive("eta", "relative sensitivity", upper=1, upper_open=True)

similar = Claim(
    id="rgm-v2:a6-similar",
    refs=("A109",),
    title="Both tCDP guarantees for eta < 1",
    source=_SOURCE,
    where="App. A.6",
    kind="remark",
    statement=r"For every $\eta < 1$ both tCDP guarantees speak of some order: their $\omega$ exceeds 1.",
    reading=(
        "A tCDP guarantee is a pair: a constant and the orders below omega for which it holds. However much 'very similar' allows, "
        "a guarantee that holds for no order is not similar to one that holds for some. No factor is chosen."
    ),
    variables=(_BELOW_ONE,),
    conclusion=both(gt(_gss_order, 1), gt(half_order, 1)),
    sampling=Chart({eta: (0, 1)}, {}),
    category="false",
    corrected="beyond:a6-similar",
    remark="The constants are similar; the orders are not. From eta = 1/4 on Proposition 4 says nothing (compare A112).",
)

constants_similar = Claim(
    id="beyond:a6-similar",
    title="The two tCDP constants differ by less than a factor 2 for eta < 1, where both have orders",
    source="beyond",
    where="replaces App. A.6",
    kind="correction",
    statement=(
        r"In dimension 1 the constant printed in App. A.6 lies between half and $\frac98$ of that of "
        r"Proposition 4 for $\eta < 1$; its orders reach farther, and Proposition 4 has orders exactly for $\eta < \frac14$."
    ),
    reading="The constants as printed in App. A.6, which are true guarantees, though not from version 2's Theorem 1.",
    variables=(_BELOW_ONE, GAMMA),
    conclusion=both(
        gt(2 * by_appendix, by_gss),
        lt(by_appendix, Rational(9, 8) * by_gss),
        gt(half_order, _gss_order),
        gt(half_order, 1),
        Iff(gt(_gss_order, 1), lt(eta, Rational(1, 4))),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("three halves for 2", gt(Rational(3, 2) * by_appendix, by_gss)),
        Mutant("never larger", lt(by_appendix, by_gss)),
        Mutant("shorter orders", lt(half_order, _gss_order)),
        Mutant("orders up to 1/2", Iff(gt(_gss_order, 1), lt(eta, Rational(1, 2)))),
    ),
)

_order_two_exact = diff(
    alpha * eta**2 / (2 * gamma * rho) + d * (-log(rho) / (2 * (alpha - 1)) - log(1 + eta)), eta, 2
).subs(eta, 0)
_order_two_v2 = diff(renyi_v2, eta, 2).subs(eta, 0)

small_eta_coefficients = Claim(
    id="rgm-v2:a6-small-eta",
    refs=("A110",),
    title="Both curves for small eta",
    source=_SOURCE,
    where="App. A.6; Sec. 4.2, Tightness",
    kind="identity",
    statement=(
        r"The coefficients of $\eta^2$, doubled: $\alpha(1/\gamma + 2d)$ for the exact curve and "
        r"$\alpha(1/\gamma + 4d)$ for version 2's bound."
    ),
    variables=(GAMMA, DIMENSION, ALPHA),
    conclusion=both(eq(_order_two_exact, alpha * (1 / gamma + 2 * d)), eq(_order_two_v2, alpha * (1 / gamma + 4 * d))),
    mutants=(
        Mutant("4 d for 2 d", eq(_order_two_exact, alpha * (1 / gamma + 4 * d))),
        Mutant("2 d for 4 d", eq(_order_two_v2, alpha * (1 / gamma + 2 * d))),
    ),
)

tight_for_small_eta = Claim(
    id="rgm-v2:a6-tight",
    refs=("A110",),
    title="Theorem 1 is tight up to a factor 2 for small eta",
    source=_SOURCE,
    where="App. A.6; Sec. 4.2, Tightness",
    kind="inequality",
    statement=(r"In the limit $\eta \to 0$ version 2's bound is larger than the exact curve, by a factor below 2."),
    reading=(
        "Tight: up to the factor 2 that Sec. 4.2 announces, for the limit of the ratio of both curves at "
        "fixed alpha, gamma and d. It is not tight in the sense that the "
        "ratio tends to 1: the limit (1 + 4 gamma d)/(1 + 2 gamma d) is above 1 for all parameters."
    ),
    variables=(GAMMA, DIMENSION, ALPHA),
    conclusion=both(
        lt(alpha * (1 / gamma + 2 * d), alpha * (1 / gamma + 4 * d)),
        lt(alpha * (1 / gamma + 4 * d), 2 * alpha * (1 / gamma + 2 * d)),
    ),
    checks=(Smt(),),
    derivation=(Step(claim="rgm-v2:a6-small-eta"),),
    mutants=(
        Mutant(
            "three halves for 2",
            lt(alpha * (1 / gamma + 4 * d), Rational(3, 2) * alpha * (1 / gamma + 2 * d)),
        ),
        Mutant("the ratio tends to 1", ge(alpha * (1 / gamma + 2 * d), alpha * (1 / gamma + 4 * d))),
    ),
    tightness=(
        Tightness(
            (1 + 4 * _j) / (1 + 2 * _j),
            {_j: (0, 100)},
            "limit of the ratio of both curves against gamma d",
            plot=(_j,),
        ),
    ),
)

_share_of_d = eta**2 * d * (2 + eta) ** 2 * (1 + eta) ** 2
improvable = Claim(
    id="rgm-v2:a6-improvable",
    refs=("A110",),
    title="For larger eta the bound of Theorem 1 can be improved",
    source=_SOURCE,
    where="App. A.6",
    kind="inequality",
    statement=(
        r"For $\eta \ge 1$ the $d$ term of version 2's tCDP constant is at least ten times that of the true "
        r"constant of beyond:tcdp."
    ),
    reading=(
        "Could be improved for larger eta: for eta >= 1 another bound, on the same orders, is smaller by a "
        "factor 10 or more."
    ),
    variables=(ETA, DIMENSION),
    hypotheses=(Hypothesis("large eta", ge(eta, 1)),),
    conclusion=ge(_share_of_d, 10 * Rational(2, 5) * d * q**2),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:tcdp"),),
    mutants=(
        Mutant("11 for 10", ge(_share_of_d, 11 * Rational(2, 5) * d * q**2)),
        Mutant("for small eta too", hypotheses=()),
    ),
)


def _improvement(constant: Expr) -> Expr:
    """The limit, for eta to 0, of the constant of Proposition 4 over another one, by coefficients of eta^2."""
    return diff(by_gss, eta, 2).subs(eta, 0) / diff(constant, eta, 2).subs(eta, 0)


factor_of_two = Claim(
    id="rgm-v2:a6-improvement-by-two",
    refs=("A111",),
    title="An improvement by a factor 2 for small eta",
    source=_SOURCE,
    where="App. A.6",
    kind="inequality",
    statement=r"As printed: for small $\eta$ the constant of App. A.6 is half of that of Proposition 4.",
    reading=(
        "In the limit eta -> 0 at fixed gamma the ratio of the constants, with the constant printed in App. "
        "A.6, is at least 2."
    ),
    variables=(GAMMA,),
    conclusion=ge(_improvement(by_appendix), 2),
    category="false",
    corrected="beyond:a6-improvement",
    remark=(
        "The factor is (1 + 4 gamma)/(1 + 2 gamma): 2 only as gamma grows without bound, nearly 1 for small "
        "gamma; with the constant of Sec. 4.1 it is 1."
    ),
)

improvement = Claim(
    id="beyond:a6-improvement",
    title="The improvement for small eta",
    source="beyond",
    where="replaces App. A.6",
    kind="inequality",
    statement=(
        r"At fixed $\gamma$ and for $\eta \to 0$ the factor is $(1+4\gamma)/(1+2\gamma)$: above 1, below 2, "
        r"at least $2 - 1/\gamma$. With the "
        r"constant of Sec. 4.1 it is 1."
    ),
    variables=(GAMMA,),
    conclusion=both(
        gt(_improvement(by_appendix), 1),
        lt(_improvement(by_appendix), 2),
        ge(_improvement(by_appendix), 2 - 1 / gamma),
        le(_improvement(by_section), 1),
        ge(_improvement(by_section), 1),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("below 3/2", lt(_improvement(by_appendix), Rational(3, 2))),
        Mutant("the appendix does not improve", le(_improvement(by_appendix), 1)),
    ),
)

recovered_constant = Claim(
    id="rgm-v2:a6-constant-recovered",
    refs=("A112",),
    title="In dimension 1 Proposition 4 gives at least the constant of Sec. 4.1",
    source=_SOURCE,
    where="App. A.6, last paragraph",
    kind="inequality",
    statement=(r"The constant of Proposition 4 is at most the tCDP constant of Theorem 1 in Sec. 4.1 for $d = 1$."),
    reading="Recovered, first half: the bound on the orders that Proposition 4 reaches.",
    variables=(ETA, GAMMA),
    conclusion=le(by_gss, by_section),
    checks=(Smt(),),
    mutants=(
        Mutant("the constant of App. A.6", le(by_gss, by_appendix)),
        Mutant("half of it", le(by_gss, by_section / 2)),
    ),
)

recovered_range = Claim(
    id="rgm-v2:a6-orders-recovered",
    refs=("A112",),
    title="In dimension 1 Proposition 4 reaches the orders of Theorem 1",
    source=_SOURCE,
    where="App. A.6, last paragraph",
    kind="inequality",
    statement=(
        r"As printed, the results of Theorem 1 for $d = 1$ follow from Proposition 4; its orders below "
        r"$1/(4\eta)$ would have to contain those of the tCDP result."
    ),
    reading=(
        "Recovered, second half: every order below 1 + 1/(2 eta (2 + eta)), itself only half of the range of Theorem 1."
    ),
    variables=(ETA,),
    conclusion=ge(_gss_order, half_order),
    sampling=Chart({eta: (0, Rational(1, 4))}, {}),
    category="false",
    corrected="beyond:a6-orders-not-recovered",
    remark=(
        "For eta >= 1/4 Proposition 4 says nothing, while Theorem 1 does; it also allows less baseline "
        "noise at large orders."
    ),
)

not_recovered = Claim(
    id="beyond:a6-orders-not-recovered",
    title="Proposition 4 always falls short of the orders of Theorem 1",
    source="beyond",
    where="replaces App. A.6, last paragraph",
    kind="inequality",
    statement=(
        r"For every $\eta$ the orders $1/(4\eta)$ of Proposition 4 end before $1 + 1/(2q)$, which ends "
        r"before $(1+\eta)^2/q$; so Proposition 4 recovers "
        r"the constant on a part of the range."
    ),
    variables=(ETA,),
    conclusion=both(lt(_gss_order, half_order), lt(half_order, last_order)),
    checks=(Smt(),),
    mutants=(
        Mutant("short by more than one order", lt(_gss_order + 1, half_order)),
        Mutant("two thirds of the range", lt(1 + 2 / (3 * q), _gss_order)),
    ),
)
