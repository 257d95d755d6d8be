"""Appendix A.3, second part: the term of Lemma 2 in the distance of the means.

A lower bound of its denominator S = alpha sigma_2^2 + (1 - alpha) sigma_1^2 in terms of the squared distance itself:
Young's inequality takes R(x) out, relative sensitivity takes R(y) out, and the baseline noise pays for the absolute part
of the sensitivity. The rest is gamma rho / eta^2 times the squared distance, with rho = 1 - eta (2 + eta)(alpha - 1).
One line prints S with x and y exchanged; one line of version 2 lacks a parenthesis. Neither is used further down.
"""

from rgm_verify.lenses.distributions.quantities import MainTerm

from ..notation import *
from ..output_pairs import NEIGHBOURS, POINTS, SAMPLED, with_values
from .condition_on_alpha import NOISE, ORDER, end, mixed

page = Page("rgm-v1+v2", "App. A.3", NOTATION)
page.add(ORDER)

POSITIVE_RHO = Hypothesis("orders of Theorem 1", gt(rho, 0), "Theorem 1, written as eta (alpha - 1)(2 + eta) < 1")
AT_Y = RELATIVE_SENSITIVITY[1]
_k, _l = Symbol("k", real=True), Symbol("l", real=True)
#: Points with the order in the range of Theorem 1, k being its share, and l added to the least baseline noise.
IN_RANGE = {_l: (0, None), _k: (0, 1), alpha: 1 + _k / q, sigma2: gamma / eta**2 * (1 - _k / (2 + eta)) * r_rel**2 + _l}

# Young's inequality |R(x)|^2 <= (1 + eta)|R(y)|^2 + (1 + 1/eta)|R(x) - R(y)|^2: the difference of its sides.
_YOUNG = ((1 / eta, (a - (1 + eta) * b * c) ** 2), (1 / eta, (1 + eta) ** 2, b**2, 1 + c, 1 - c))

young = page.at("v1 (16), v2 (18)", "A77").inequality(
    "rgm:a3-young",
    "Young's inequality for the two outputs",
    le(a**2, (1 + eta) * b**2 + (1 + 1 / eta) * distance2),
    by=(combination(*_YOUNG), Smt(), Units({a: 1, b: 1})),
    wrong={
        "1 + eta becomes 1": b**2 + (1 + 1 / eta) * distance2,
        "1 + 1/eta becomes 1": (1 + eta) * b**2 + distance2,
        "half of the distance": (1 + eta) * b**2 + (1 + 1 / eta) * distance2 / 2,
    },
)


def expanded(first: Expr, second: Expr) -> Expr:
    """sigma^2 + gamma alpha |first|^2 - gamma (alpha - 1)|second|^2."""
    return sigma2 + gamma * alpha * first**2 - gamma * (alpha - 1) * second**2


denominator_printed = page.at("v1 (17)-(18), v2 (19)-(20)", "A78").identity(
    "rgm:a3-denominator-expanded",
    "The denominator in terms of the outputs",
    eq(mixed, expanded(a, b)),
    "With $R(x)$ in the place of $R(y)$.",
    mistake=("misprint", "rgm:a3-denominator-expanded-corrected"),
    remark="The next line is the right one again, so that nothing rests on the exchange.",
)

_expanded = page.under(by=(Identity(), Smt()))

denominator = _expanded.at("v1 (17)-(18), v2 (19)-(20)", source="beyond").identity(
    "rgm:a3-denominator-expanded-corrected",
    "The denominator in terms of the outputs, with x and y in their places",
    eq(mixed, expanded(b, a)),
    wrong={"exchanged": expanded(a, b), "baseline noise counted alpha times": expanded(b, a) + (alpha - 1) * sigma2},
)

_after_young = (
    sigma2
    + gamma * alpha * b**2
    - gamma * (alpha - 1) * (1 + eta) * b**2
    - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
)
_grouped = (
    sigma2 + (gamma * alpha - gamma * (alpha - 1) * (1 + eta)) * b**2 - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
)
_unclosed = sigma2 + (
    gamma * alpha - gamma * (alpha - 1) * (1 + eta) * b**2 - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
)
_simplified = sigma2 + gamma * (1 - (alpha - 1) * eta) * b**2 - gamma * (alpha - 1) * (1 + 1 / eta) * distance2

denominator_young = page.at("v1 (17), (19), v2 (19), (21)", "A79a").inequality(
    "rgm:a3-denominator-young",
    "Young's inequality in the denominator",
    ge(mixed, _after_young),
    r"The bound on $\|R(x)\|^2$ enters with a negative weight.",
    by=(combination(*tuple((gamma, alpha - 1, *t) for t in _YOUNG)), Smt()),
    wrong={
        "direction": turned(),
        "1 for 1 + eta": _after_young + gamma * (alpha - 1) * eta * b**2,
        "1 for 1 + 1/eta": _after_young + gamma * (alpha - 1) / eta * distance2,
    },
)


def _put_together(version: int, equation: int, title: str, reading: str = "") -> Claim:
    return page.at(f"v{version} ({equation})", f"A79b.v{version}", source=f"rgm-v{version}").identity(
        f"rgm-v{version}:a3-denominator-grouped",
        title,
        eq(_after_young, _grouped),
        by=(Identity(), Smt()),
        wrong={"parenthesis closed at the end": _unclosed, "1 - eta": _grouped + 2 * gamma * (alpha - 1) * eta * b**2},
        reading=reading,
    )


grouped_v1 = _put_together(1, 20, "The two terms in the norm at y together")
grouped_v2 = _put_together(
    2,
    22,
    "The two terms in the norm at y together, version 2",
    "The parenthesis before gamma alpha is not closed. The line before it and the line after it leave one place for its end, after (1 + eta), where "
    "version 1 has it.",
)

simplified = _expanded.at("v1 (21), v2 (23)", "A79c").identity(
    "rgm:a3-denominator-simplified",
    "The weight of the norm at y",
    eq(_after_young, _simplified),
    wrong={
        "alpha for alpha - 1": _simplified - gamma * eta * b**2,
        "sign": _simplified + 2 * gamma * (alpha - 1) * eta * b**2,
    },
)

norm_bound = page.at("before v1 (22), before v2 (24)", "A80").inequality(
    "rgm:a3-norm-bound",
    "Relative sensitivity bounds the norm from below",
    ge(b**2, 1 / eta**2 * (distance2 - r_rel**2)),
    "Two neighbours far apart have large outputs.",
    given=AT_Y,
    by=(combination((1 / eta**2, eta**2 * b**2 + r_rel**2 - distance2)), Smt(), Units({a: 1, b: 1, r_rel: 1})),
    wrong={
        "without the absolute part": distance2 / eta**2,
        "eta for eta^2": (distance2 - r_rel**2) / eta,
        "direction": le(b**2, (distance2 - r_rel**2) / eta**2),
    },
)

_weight = 1 - (alpha - 1) * eta
_inserted = sigma2 + gamma / eta**2 * _weight * (distance2 - r_rel**2) - gamma * (alpha - 1) * (1 + 1 / eta) * distance2
_slope = gamma / eta**2 * _weight - gamma * (alpha - 1) * (1 + 1 / eta)
_collected = sigma2 - gamma / eta**2 * _weight * r_rel**2 + _slope * distance2
# 1 - (alpha - 1) eta = rho / (2 + eta) + (1 + eta) / (2 + eta), so it is nonnegative where rho is.
_SENSITIVITY_GAP = eta**2 * b**2 + r_rel**2 - distance2
_INSERTED_TERMS = (
    *((gamma, alpha - 1, *t) for t in _YOUNG),
    (gamma / eta**2, 1 / (2 + eta), rho, _SENSITIVITY_GAP),
    (gamma / eta**2, (1 + eta) / (2 + eta), _SENSITIVITY_GAP),
)

inserted = page.at("v1 (22)-(23), v2 (24)-(25)", "A81a").inequality(
    "rgm:a3-denominator-distance",
    "The denominator in terms of the distance",
    ge(mixed, _inserted),
    "In the range of orders the weight of the norm is positive, so its lower bound may be put in.",
    given=(AT_Y, POSITIVE_RHO),
    by=combination(*_INSERTED_TERMS),
    points=IN_RANGE,
    wrong={
        "without the absolute part": _inserted + gamma / eta**2 * _weight * r_rel**2,
        "orders beyond the range": without(POSITIVE_RHO),
        "direction": turned(),
    },
)

collected = _expanded.at("v1 (24), v2 (26)", "A81b").identity(
    "rgm:a3-denominator-collected",
    "The bound, sorted by the absolute part and the distance",
    eq(_inserted, _collected),
    wrong={
        "sign of the absolute part": _collected + 2 * gamma / eta**2 * _weight * r_rel**2,
        "eta for 1/eta": _collected + gamma * (alpha - 1) * (1 / eta - eta) * distance2,
    },
)

_rho = page.real("rho", "the distance to the end of the range of orders, 1 - eta (2 + eta)(alpha - 1)")

rho_printed = page.at("after v1 (24), after v2 (26)", "A82").remark(
    "rgm:a3-rho",
    "The range of orders in terms of rho",
    Iff(lt(alpha, end), lt(rho, 1)),
    points={_k: (0, None), alpha: 1 + _k / (eta * (2 + eta))},
    reading=r"That equation has one solution, rho = 1 - eta (2 + eta)(alpha - 1). The condition is that of Theorem 1, for "
    r"orders from 1 on.",
    mistake=("misprint", "rgm:a3-rho-corrected"),
    remark="What the range needs, and what is used next, is rho > 0; rho < 1 only says that alpha is above 1.",
)

rho_corrected = page.at("after v1 (24), after v2 (26)", source="beyond").remark(
    "rgm:a3-rho-corrected",
    "The range of orders in terms of rho, with both ends",
    Iff(lt(alpha, end), both(gt(rho, 0), le(rho, 1))),
    points={_k: (0, 2), alpha: 1 + _k / (eta * (2 + eta))},
    wrong={
        "rho below 1/2": Iff(lt(alpha, end), both(gt(rho, 0), le(rho, Rational(1, 2)))),
        "no lower end": Iff(lt(alpha, end), le(rho, 1)),
    },
)

_BASELINE = Hypothesis("baseline noise", ge(sigma2, gamma / eta**2 * _weight * r_rel**2), "Theorem 1")

baseline_simple = page.at("after v1 (24), after v2 (26)", "A83").inequality(
    "rgm:a3-baseline-simple",
    "A baseline noise that is enough at every order",
    ge(sigma2, gamma / eta**2 * _weight * r_rel**2),
    given=Hypothesis("baseline noise", ge(sigma2, gamma * r_rel**2 / eta**2)),
    by=(combination((sigma2 - gamma * r_rel**2 / eta**2,), (gamma / eta, alpha - 1, r_rel**2)), Smt()),
    points={_l: (0, None), sigma2: gamma * r_rel**2 / eta**2 + _l},
    wrong={
        "half of it": instead(Hypothesis("baseline noise", ge(sigma2, gamma * r_rel**2 / (2 * eta**2)))),
        "twice as much asked for": 2 * gamma / eta**2 * _weight * r_rel**2,
    },
)

denominator_bound = page.at("v1 (25), v2 (27)", "A84a").inequality(
    "rgm:a3-denominator-bound",
    "The denominator is at least a multiple of the squared distance",
    ge(mixed, _slope * distance2),
    "The baseline noise pays for the absolute part of the sensitivity.",
    given=(AT_Y, POSITIVE_RHO, _BASELINE),
    by=(combination(*_INSERTED_TERMS, (sigma2 - gamma / eta**2 * _weight * r_rel**2,)), Smt()),
    points=IN_RANGE,
    wrong={
        "no baseline noise": without(_BASELINE),
        "no relative sensitivity": without(AT_Y),
        "gamma / eta^2 in full": gamma / eta**2 * distance2,
    },
)

slope = _expanded.at("v1 (26), v2 (28)", "A84b").identity(
    "rgm:a3-slope",
    "The multiple, simplified",
    eq(_slope, gamma / eta**2 - gamma / eta * (alpha - 1) * (2 + eta)),
    wrong={
        "1 + eta": gamma / eta**2 - gamma / eta * (alpha - 1) * (1 + eta),
        "eta^2 in the second term": gamma / eta**2 - gamma / eta**2 * (alpha - 1) * (2 + eta),
    },
)

slope_rho = _expanded.at("v1 (27), v2 (29)", "A84c").identity(
    "rgm:a3-slope-rho",
    "The multiple in terms of rho",
    eq(gamma / eta**2 - gamma / eta * ((1 - _rho) / (eta * (2 + eta))) * (2 + eta), gamma * _rho / eta**2),
    wrong={"1 - rho": gamma * (1 - _rho) / eta**2, "eta for eta^2": gamma * _rho / eta},
    reading="alpha - 1 is replaced by its value in terms of rho.",
)

_t = page.nonnegative("t", "squared distance")
_den = page.positive("D", "denominator")

division = page.at("v1 (28), v2 (30)", source="beyond").inequality(
    "rgm:a3-division",
    "From the denominator to the quotient",
    le(alpha * _t / (2 * _den), alpha * eta**2 / (2 * gamma * rho)),
    given=(POSITIVE_RHO, Hypothesis("denominator", ge(_den, gamma * rho / eta**2 * _t))),
    points={_k: (0, 1), _l: (0, None), alpha: 1 + _k / q, _den: gamma * (1 - _k) / eta**2 * _t + _l},
    wrong={"without the 2 on the left": left(alpha * _t / _den), "rho at 1": alpha * eta**2 / (2 * gamma)},
)

multiple = page.at("v1 (25)-(27), v2 (27)-(29)").inequality(
    "rgm:a3-denominator-multiple",
    "The denominator is at least gamma rho / eta^2 times the squared distance",
    ge(mixed, gamma * rho / eta**2 * distance2),
    given=(AT_Y, POSITIVE_RHO, BASELINE_OF_THEOREM_1),
    by=(combination(*_INSERTED_TERMS, (sigma2 - gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2,)), Smt()),
    points=IN_RANGE,
    wrong={
        "rho at 1": gamma / eta**2 * distance2,
        "no baseline noise": without(BASELINE_OF_THEOREM_1),
        "eta for eta^2 below eta = 1": gamma * rho / eta**3 * distance2,
    },
    steps=(
        Step("The bound by the distance.", "rgm:a3-denominator-bound"),
        Step("Its factor simplified.", "rgm:a3-slope"),
        Step("In terms of rho.", "rgm:a3-slope-rho"),
    ),
)

_PLANE = {d: Integer(2)}
#: A slanted pair at the largest distance with the least baseline noise, and a pair on one ray near the pole.
_PAIRS = with_values((POINTS[1], POINTS[4]), _PLANE)
_RELEASED = with_values(SAMPLED[:1], _PLANE)

main_term = page.at("v1 (28), v2 (30)", "A85").inequality(
    "rgm:a3-main-term",
    "The main term",
    le(alpha * distance2 / (2 * mixed), alpha * eta**2 / (2 * gamma * rho)),
    given=(*RELATIVE_SENSITIVITY, POSITIVE_RHO, BASELINE_OF_THEOREM_1, NOISE),
    by=(
        Deduction(),
        *by_outputs(alpha * distance2 / (2 * mixed), MainTerm(alpha), NEIGHBOURS.subs(_PLANE), _PAIRS, _RELEASED),
    ),
    points=IN_RANGE,
    wrong={
        "without the factor 1/rho": alpha * eta**2 / (2 * gamma),
        "without alpha": eta**2 / (2 * gamma * rho),
        "no baseline bound": without(BASELINE_OF_THEOREM_1),
    },
    steps=(
        Premise("rgm:a3-rho-corrected"),
        Step("The denominator is positive.", Premise("rgm:a3-lemma-2-applies")),
        Step("It is at least a multiple of the squared distance.", Premise("rgm:a3-denominator-multiple")),
        Step("Divide.", Premise("rgm:a3-division", {_t: distance2, _den: mixed})),
    ),
    reading="Printed up to and with eta (2 + eta)(alpha - 1) = 1, where rho = 0 and the right side is infinite: read as a "
    "statement on numbers, below that end (`beyond:main-term-at-the-end` has the end). Noise is positive by Definition 3, so that the left side is defined.",
    tightness=Tightness(
        1 / (1 + sigma2 / (1 - _k)),
        {_k: (0, Rational(9, 10)), sigma2: (0, 1)},
        r"term over its bound for $R(x)=(1+\eta)R(y)$, $\gamma|R(y)|^2=1$, $k = 1 - \rho$: 1 without baseline noise",
        plot=(sigma2,),
        at={_k: Rational(1, 2)},
    ),
)

_ALPHA_OF_RHO = 1 + (1 - _rho) / (eta * (2 + eta))

main_term_form = _expanded.at("v1 (28), v2 (30)", "A85").identity(
    "rgm:a3-main-term-form",
    "The bound of the main term without rho",
    eq(
        _ALPHA_OF_RHO * eta**2 / (2 * gamma * _rho),
        _ALPHA_OF_RHO * eta**2 / (2 * gamma) * printed(lambda: 1 / (1 - eta * (2 + eta) * (_ALPHA_OF_RHO - 1))),
    ),
    given=Hypothesis("rho", gt(_rho, 0), "Theorem 1's range"),
    wrong={
        "1 + eta for 2 + eta": _ALPHA_OF_RHO * eta**2 / (2 * gamma) * (1 / (1 - eta * (1 + eta) * (_ALPHA_OF_RHO - 1))),
        "gamma for 2 gamma": _ALPHA_OF_RHO * eta**2 / gamma * (1 / (1 - eta * (2 + eta) * (_ALPHA_OF_RHO - 1))),
    },
    reading="alpha is written in terms of rho, alpha - 1 = (1 - rho)/(eta (2 + eta)).",
)

_FULL = {a: (1 + eta) * b, c: 1}
_full_distance2 = named(r"\|R(x)-R(y)\|^2", distance2.subs(_FULL, simultaneous=True))
_full_variance_x = named(r"\sigma_1^2", variance_x.subs(a, _FULL[a]))


def _at_full_distance(order: Expr | int) -> Expr:
    """The main term for outputs on one ray, as far apart as they may be."""
    return order * _full_distance2 / (2 * (order * variance_y + (1 - order) * _full_variance_x))


closed_end = _expanded.at("v1 (28), v2 (30), at eta (2 + eta)(alpha - 1) = 1", source="beyond").remark(
    "beyond:main-term-at-the-end",
    "At the closed end of the range the main term has no bound",
    eq(_at_full_distance(end), end * eta**2 * b**2 / (2 * sigma2)),
    "For two outputs on one ray at the largest distance and the excluded order the denominator does not depend on the outputs, so that the term grows without bound with them.",
    given=NOISE,
    wrong={
        "the order 1": left(_at_full_distance(1)),
        "noise at y in the denominator": end * eta**2 * b**2 / (2 * variance_y),
    },
)

log_ratio = page.at("Bounding the log term", "A86").remark(
    "rgm:a3-variance-ratio",
    "The ratio of the variances in the log term",
    le(variance_y / variance_x, (1 + eta) ** 2),
    given=(*RELATIVE_SENSITIVITY, POSITIVE_RHO, BASELINE_OF_THEOREM_1, NOISE),
    points=IN_RANGE,
    wrong={
        "1 + eta": 1 + eta,
        "the other direction": turned(),
        "no relative sensitivity at x": without("relative sensitivity at x"),
    },
    steps=(
        Premise("rgm:a3-rho-corrected"),
        Premise("rgm:a3-range-strict"),
        Premise("rgm:a3-range-shifted"),
        Step("The baseline noise is enough for Lemma 1.", Premise("rgm:a3-baseline-enough")),
        Premise("rgm:a3-baseline-needed"),
        Step("Lemma 1, divided by the variance at $x$.", Premise("rgm:lemma-1")),
    ),
    reading="The only r with sigma_2^2 = r sigma_1^2 is the ratio, which is defined as there is noise (Definition 3).",
)
