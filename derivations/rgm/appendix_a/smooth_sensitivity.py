r"""Appendix A.6: the Relative Gaussian Mechanism next to Gaussian Smooth Sensitivity.

Gaussian Smooth Sensitivity adds noise of variance $e^{g(x)}$ to a real number. Proposition 4, quoted from
Bun et al. (2018), bounds its Rényi divergences by $\alpha(\Delta_f^2 + \Delta_g^2)$ for $\alpha <
1/(2\Delta_g)$. With $g = \log(\gamma|R|^2 + \sigma^2)$ this is the Relative Gaussian Mechanism in dimension
1, with $\Delta_f^2 = \eta^2/\gamma$ and $\Delta_g = 2\eta$.

The proposition holds as printed, and the RGM's guarantee from it too.
"""

from rgm_verify.claims.notation import spelled

from ...beyond.renyi.curve_notation import exact_curve
from ...beyond.renyi.log_notation import P, Q, page as _log_term
from ...beyond.renyi.tcdp import k, page as _tcdp
from ..notation import *
from ..output_pairs import WORST

page = Page("rgm-v2", "App. A.6", NOTATION, _log_term, _tcdp)
t = page.positive("t", "ratio of the variances, at x over at y: e^(g(x) - g(y))")
s = page.nonnegative("s", "squared distance of the outputs over the variance at y")
delta_f = page.nonnegative("Delta_f", "distance of the outputs in noise scales")
delta_g = page.positive("Delta_g", "largest change of g between neighbours")
m = page.real("m", "(alpha - 1)(t - 1)", upper=Rational(1, 2))
_j = positive("j").symbol
_w = real("w").symbol

#: The Rényi divergence of N(., t) from N(., 1) on the line, with squared distance s.
gss_log_term = -(log(1 - (alpha - 1) * (t - 1)) + (alpha - 1) * log(t)) / (2 * (alpha - 1))
gss_divergence = alpha * s / (2 * (1 - (alpha - 1) * (t - 1))) + gss_log_term

log_squared = page.elsewhere("used for App. A.6, Proposition 4", source="beyond").inequality(
    "beyond:gss-log-squared",
    "Between 1/sqrt(e) and sqrt(e) the ratio minus 1 is comparable with its logarithm",
    both(le(t - 1 - log(t), 2 * log(t) ** 2), le(Rational(2, 5) * (t - 1) ** 2, log(t) ** 2)),
    given=Hypothesis("log t in [-1/2, 1/2]", le(Abs(log(t)), Rational(1, 2))),
    steps=(
        Premise("beyond:log-upper", {P: Integer(1), Q: t}),
        Premise("beyond:log-rational-lower-3", {P: t}),
        Premise("beyond:log-quadratic-upper", {P: t, Q: Integer(1)}, where_it_applies=True),
        Premise("beyond:log-quadratic-lower", {P: t, Q: Integer(1)}, where_it_applies=True),
    ),
    points={t: (Rational(61, 100), Rational(8, 5))},
    wrong={
        "2 becomes 1/2": le(t - 1 - log(t), log(t) ** 2 / 2),
        "2/5 becomes 4/5": le(Rational(4, 5) * (t - 1) ** 2, log(t) ** 2),
        "every t": changed(le(Rational(2, 5) * (t - 1) ** 2, log(t) ** 2), ()),
    },
)

order_in_reach = page.elsewhere("used for App. A.6, Proposition 4", source="beyond").inequality(
    "beyond:gss-orders-in-reach",
    "In the range of orders the shifted variance stays above one half",
    le((alpha - 1) * (t - 1), Rational(1, 2)),
    given=(
        Hypothesis("smoothness of g", le(Abs(log(t)), delta_g), "Proposition 4"),
        Hypothesis("range of orders", lt(alpha, 1 / (2 * delta_g)), "Proposition 4"),
    ),
    steps=(
        Premise("beyond:log-upper", {P: Integer(1), Q: t}),
        Premise("beyond:log-rational-lower-3", {P: t}),
        Premise("beyond:log-quadratic-lower", {P: t, Q: Integer(1)}, where_it_applies=True),
    ),
    points={
        delta_g: (0, Rational(1, 2)),
        _w: (-1, 1),
        _j: (0, 1),
        t: (2 + _w * delta_g) / (2 - _w * delta_g),
        alpha: 1 + _j * (1 / (2 * delta_g) - 1),
    },
    wrong={"1/2 becomes 1/3": Rational(1, 3), "no range of orders": without("range of orders")},
)

two_sided = page.elsewhere("used for App. A.6, Proposition 4", source="beyond").inequality(
    "beyond:minus-log-up-to-half",
    "-log(1 - m) - m is at most 4 m^2/5 for all m up to 1/2",
    le(-log(1 - m), m + Rational(4, 5) * m**2),
    "Negative $m$ included.",
    steps=(
        Premise("beyond:minus-log-on-half-range", {k: m}, where_it_applies=True),
        Premise("beyond:log-quadratic-lower", {P: 1 - m, Q: Integer(1)}, where_it_applies=True),
    ),
    wrong={"4/5 becomes 3/4": m + Rational(3, 4) * m**2, "direction": turned()},
)

gss_log = page.elsewhere("used for App. A.6, Proposition 4", source="beyond").inequality(
    "beyond:gss-log-term",
    "The logarithmic term of two variances is at most alpha times the squared log of their ratio",
    le(gss_log_term, alpha * log(t) ** 2),
    given=(
        Hypothesis("log t in [-1/2, 1/2]", le(Abs(log(t)), Rational(1, 2))),
        Hypothesis("the shifted variance", le((alpha - 1) * (t - 1), Rational(1, 2))),
    ),
    steps=(Premise("beyond:gss-log-squared"), Premise("beyond:minus-log-up-to-half", {m: (alpha - 1) * (t - 1)})),
    points={t: (Rational(61, 100), Rational(8, 5)), alpha: 1 + k / ((t - 1) ** 2 + Rational(1, 1000))},
    wrong={"a third of it": alpha * log(t) ** 2 / 3, "direction": turned()},
)

_GSS_HYPOTHESES = (
    Hypothesis("sensitivity at x", le(s, delta_f**2 * t), "Proposition 4"),
    Hypothesis("sensitivity at y", le(s, delta_f**2), "Proposition 4, by symmetry"),
    Hypothesis("smoothness of g", le(Abs(log(t)), delta_g), "Proposition 4"),
    Hypothesis("range of orders", lt(alpha, 1 / (2 * delta_g)), "Proposition 4"),
)
_GSS_CHART = {
    delta_g: (0, Rational(1, 2)),
    _w: (-1, 1),
    (_j, k): (0, 1),
    t: (2 + _w * delta_g) / (2 - _w * delta_g),
    alpha: 1 + _j * (1 / (2 * delta_g) - 1),
    s: k * delta_f**2,
}

_DIVERGENCE = r"D_\alpha(R(x)\|R(y))"
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

proposition_4 = page.at("Proposition 4", "A101").proposition(
    "rgm-v2:proposition-4",
    "Proposition 4: Gaussian Smooth Sensitivity is tCDP",
    le(named(_DIVERGENCE, gss_divergence), alpha * (delta_f**2 + delta_g**2)),
    "For all neighbours, on the line.",
    given=_GSS_HYPOTHESES,
    by=(
        *by_outputs(gss_divergence, Renyi(alpha), _SMOOTH.subs({d: 1}), _SMOOTH_POINTS, _SMOOTH_POINTS[:1]),
        Deduction(),
    ),
    points=_GSS_CHART,
    wrong={
        "half of Delta_f^2": alpha * (delta_f**2 / 2 + delta_g**2),
        "a quarter of Delta_g^2": alpha * (delta_f**2 + delta_g**2 / 4),
        "no range of orders": instead(Hypothesis("range of orders", gt(1 - (alpha - 1) * (t - 1), 0))),
    },
    steps=(
        Step(
            r"The shifted variance is at least half of that at $y$, which bounds the first term.",
            Premise("beyond:gss-orders-in-reach"),
        ),
        Step(
            r"The logarithms split into two terms of the form $x - \log(1+x)$, both at most multiples of "
            r"$\log^2t$.",
            Premise("beyond:gss-log-term"),
        ),
    ),
    reading="Both orders of the pair are neighbours, so the sensitivity holds at x and at y. For Delta_g >= 1/2 "
    "no order is left and nothing is claimed.",
)

in_many_dimensions = page.elsewhere("extends App. A.6, Proposition 4, to vectors", source="beyond").theorem(
    "beyond:gss-in-many-dimensions",
    "Gaussian Smooth Sensitivity in dimension d",
    le(named(_DIVERGENCE, _gss_in_dimension), alpha * (delta_f**2 + d * delta_g**2)),
    "For vectors, and any $g$ with the same two properties.",
    given=_GSS_HYPOTHESES,
    by=(
        Deduction((Premise("beyond:gss-orders-in-reach"), Premise("beyond:gss-log-term"))),
        *by_outputs(_gss_in_dimension, Renyi(alpha), _SMOOTH, _SMOOTH_POINTS, _SMOOTH_POINTS[:1]),
    ),
    points={**_GSS_CHART},
    wrong={
        "without d": alpha * (delta_f**2 + delta_g**2),
        "half of Delta_f^2": alpha * (delta_f**2 / 2 + d * delta_g**2),
    },
)

_POSITIVE_NOISE = (
    Hypothesis("noise at x", gt(variance_x, 0), "so that g is defined"),
    Hypothesis("noise at y", gt(variance_y, 0), "so that g is defined"),
)
g_x, g_y = named("g(x)", log(variance_x)), named("g(y)", log(variance_y))

equivalence = page.at("after Proposition 4; Sec. 4.1", "A102 A25").identity(
    "rgm-v2:a6-gss-is-rgm",
    "With g = log(gamma |R|^2 + sigma^2) both mechanisms add the same noise",
    eq(printed(lambda: exp(log(variance_x) / 2)), sqrt(variance_x)),
    given=_POSITIVE_NOISE[0],
    wrong={
        "the variance for the scale": left(printed(lambda: exp(log(variance_x)))),
        "|R| for |R|^2": left(printed(lambda: exp(log(gamma * a + sigma2) / 2))),
    },
    reading="Same law of the noise per coordinate. For R(x) = 0 and sigma = 0 the function g is not defined; "
    "there RGM adds no noise.",
)

printed_difference = page.at("v2 (49)", "A103").identity(
    "rgm-v2:a6-difference-of-g",
    "The difference of g, as printed without the absolute value",
    eq(Abs(g_x - g_y), log(variance_x / variance_y)),
    given=_POSITIVE_NOISE,
    mistake=("misprint", "beyond:a6-difference-of-g"),
    remark="The right side is negative where x has the smaller variance.",
)

difference = page.elsewhere("replaces App. A.6, v2 (49)", source="beyond").identity(
    "beyond:a6-difference-of-g",
    "The difference of g",
    eq(g_x - g_y, log(variance_x / variance_y)),
    given=_POSITIVE_NOISE,
    by=Identity(positive=(variance_x, variance_y)),
    wrong={
        "upside down": log(variance_y / variance_x),
        "without sigma^2": log((gamma * a**2 + 1) / (gamma * b**2 + 1)),
    },
)

smoothness = page.at("v2 (50), first relation", "A104a").inequality(
    "rgm-v2:a6-smoothness-of-g",
    "g changes by at most log((1 + eta)^2)",
    le(Abs(g_x - g_y), log((1 + eta) ** 2)),
    given=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, *_POSITIVE_NOISE),
    steps=(
        Premise("rgm:lemma-1"),
        Premise("beyond:log-of-a-multiple", {P: variance_x, Q: variance_y}),
        Premise("beyond:log-of-a-multiple", {P: variance_y, Q: variance_x}),
    ),
    wrong={"1 + eta without the square": log(1 + eta), "no baseline": without(BASELINE_OF_LEMMA_1)},
)

multiple = page.elsewhere("used for App. A.6, v2 (50)", source="beyond").inequality(
    "beyond:log-of-a-multiple",
    "The logarithm is increasing",
    le(log(P) - log(Q), log((1 + eta) ** 2)),
    given=Hypothesis("P at most a multiple of Q", le(P, (1 + eta) ** 2 * Q)),
    by=(
        combination(((1 + eta) ** 2 * Q - P, 1 / P, LogRemainder(1, (1 + eta) ** 2 * Q / P - 1))),
        Monotone(P, Q * (1 + eta) ** 2),
    ),
    points={_j: (0, 1), P: _j * (1 + eta) ** 2 * Q},
    wrong={"1 + eta without the square": log(1 + eta), "no order": without()},
)

linear = page.at("v2 (50), second relation", "A104b").inequality(
    "rgm-v2:a6-delta-g",
    "log((1 + eta)^2) is at most 2 eta",
    le(log((1 + eta) ** 2), 2 * eta),
    r"So $2\eta$ is a valid $\Delta_g$.",
    by=combination((2 * eta**2, LogRemainder(2, eta))),
    wrong={"eta for 2 eta": eta, "direction": turned()},
    tightness=Tightness(LogRemainder(1, eta), {eta: (0, 1)}, "log((1 + eta)^2) over 2 eta", plot=(eta,)),
)

_BASELINE = named(r"\sigma^2", gamma * eta**-2 * r_rel**2)

baseline = page.at("before v2 (51)", "A105a").inequality(
    "rgm-v2:a6-baseline",
    "The choice of sigma^2 meets Theorem 1 at every order",
    ge(_BASELINE, gamma * eta**-2 * (1 - eta * (alpha - 1)) * r_rel**2),
    by=(combination((gamma * r_rel**2 / eta, alpha - 1)), Smt()),
    wrong={"half of it": left(_BASELINE / 2), "direction": turned()},
)

_noise_at_choice = named("e^{g(x)}", variance_x.subs(sigma2, spelled(_BASELINE)))

sensitivity = page.at("v2 (51)", "A105b").inequality(
    "rgm-v2:a6-delta-f",
    "The distance of the outputs in noise scales",
    le(distance2, eta**2 / gamma * _noise_at_choice),
    r"With the noise of that choice of $\sigma^2$.",
    given=RELATIVE_SENSITIVITY[0],
    by=(combination((eta**2 * a**2 + r_rel**2 - distance2,)), Smt()),
    wrong={"eta^4": eta**4 / gamma * _noise_at_choice, "half of it": eta**2 / (2 * gamma) * _noise_at_choice},
)

sensitivity_equations = page.at("v2 (51)", "A105b").identity(
    "rgm-v2:a6-delta-f-equations",
    "The equations inside the bound on the distance",
    both(
        eq(eta**2 * a**2 + r_rel**2, eta**2 / gamma * _noise_at_choice),
        eq(eta**2 / gamma * _noise_at_choice, eta**2 / gamma * exp(log(_noise_at_choice))),
    ),
    given=Hypothesis("noise", gt(_noise_at_choice, 0), "so that g is defined"),
    wrong={
        "gamma/eta instead": eq(eta**2 * a**2 + r_rel**2, eta**2 / gamma * (gamma * a**2 + gamma / eta * r_rel**2)),
        "eta for eta^2": eq(eta * a**2 + r_rel**2, eta**2 / gamma * _noise_at_choice),
    },
)

#: tCDP constants in dimension 1: by Proposition 4, by the formula of App. A.6, by Sec. 4.1.
by_gss = named(r"\rho_{GSS}", 4 * eta**2 + eta**2 / gamma)
by_section = named(r"\rho_{4.1}", eta**2 * (1 / gamma + (2 + eta) ** 2 * (1 + eta) ** 2))
gss_order = named(r"\omega_{GSS}", 1 / (4 * eta))

gss_constants = page.at("after v2 (51)", "A106").identity(
    "rgm-v2:a6-gss-constants",
    "The constants of Proposition 4 for the RGM",
    both(
        eq(At(delta_f**2 + delta_g**2, (delta_f, delta_g), (eta / sqrt(gamma), 2 * eta)), spelled(by_gss)),
        eq(At(1 / (2 * delta_g), delta_g, 2 * eta), spelled(gss_order)),
    ),
    wrong={
        "2 eta^2": eq((2 * eta) ** 2 + eta**2 / gamma, 2 * eta**2 + eta**2 / gamma),
        "1/(2 eta)": eq(1 / (2 * (2 * eta)), 1 / (2 * eta)),
    },
)

_GSS_ORDERS = Hypothesis("range of orders", lt(alpha, gss_order), "Proposition 4 with Delta_g = 2 eta")

gss_guarantee = page.at("after v2 (51)", "A106").corollary(
    "rgm-v2:a6-gss-guarantee",
    "The guarantee that Proposition 4 gives the RGM is true",
    le(exact_curve.subs(d, 1), alpha * by_gss),
    "On the left is the exact Rényi curve in dimension 1.",
    given=_GSS_ORDERS,
    by=(
        Deduction((Premise("beyond:tcdp", {d: Integer(1)}),)),
        *by_outputs(exact_curve.subs(d, 1), Renyi(alpha), WORST.subs({d: 1}), _BELOW, _BELOW[:1]),
    ),
    points={eta: (0, Rational(1, 4)), _j: (0, 1), alpha: 1 + _j * (1 / (4 * eta) - 1)},
    wrong={
        "half of eta^2/gamma": alpha * (4 * eta**2 + eta**2 / (2 * gamma)),
        "eta^2 for 4 eta^2": alpha * (eta**2 + eta**2 / gamma),
        "in dimension 100": left(exact_curve.subs(d, 100)),
    },
    steps=("rgm-v2:proposition-4", Step("The worst case over neighbours.", "beyond:exact-renyi-upper")),
    reading="R(x) is a real number, as Proposition 4 needs. For eta >= 1/4 no order is left. The worst case is "
    "the exact curve of beyond:exact-renyi-upper.",
)

every_dimension = page.at("last paragraph", "A113").corollary(
    "rgm-v2:a6-every-dimension",
    "What Proposition 4 says in dimension 1 holds in every dimension, with d",
    le(exact_curve, alpha * (eta**2 / gamma + 4 * d * eta**2)),
    "On the left is the exact Rényi curve; in dimension 1 this is what Proposition 4 gives.",
    given=_GSS_ORDERS,
    by=(Deduction((Premise("beyond:tcdp"),)), *by_outputs(exact_curve, Renyi(alpha), WORST, _BELOW, _BELOW[:1])),
    points={eta: (0, Rational(1, 4)), _j: (0, 1), alpha: 1 + _j * (1 / (4 * eta) - 1)},
    wrong={
        "without d": alpha * (eta**2 / gamma + 4 * eta**2),
        "eta^2 for 4 eta^2": alpha * (eta**2 / gamma + d * eta**2),
    },
    reading="The extension concerns the RGM, that is g = log(gamma |R|^2 + sigma^2); Proposition 4 admits other "
    "g, which "
    "Theorem 1 does not treat (beyond:gss-in-many-dimensions does). Theorem 1's own formula gives the "
    "same with "
    "d (2 + eta)^2 (1 + eta)^2 in the place of 4 d, on more orders: rgm-v2:tcdp-from-theorem-1.",
)
