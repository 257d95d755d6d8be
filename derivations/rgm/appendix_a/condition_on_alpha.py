"""Appendix A.3, first part: may Lemma 2 be applied to two neighbours, for the orders and the noise of Theorem 1?

It may if S = alpha sigma_2^2 + (1 - alpha) sigma_1^2 is positive. Lemma 1 bounds the ratio of the two variances, which
gives the range of alpha; the baseline noise of Theorem 1 is enough for Lemma 1. At the closed end of the printed range
the bound of Lemma 1 alone does not decide, and there the printed equivalences between > and >= part.
"""

from ..notation import *

page = Page("rgm-v1+v2", "App. A.3", NOTATION)

#: The orders of Theorem 1 start at 1, where the divergence is that of Kullback and Leibler.
ORDER = real("alpha", "order of the Rényi divergence", lower=1)
page.add(ORDER)
v1 = page.positive("v_1", "variance at x", latex=r"\sigma_1^2")
v2 = page.positive("v_2", "variance at y", latex=r"\sigma_2^2")

#: The last order of Theorem 1, which the theorem excludes.
end = (1 + eta) ** 2 / (2 * eta + eta**2)
PRINTED_RANGE = Hypothesis("orders of Theorem 1", lt(alpha, end), "Theorem 1")
NOISE = Hypothesis("noise", gt(sigma2, 0), "Definition 3")
#: Coordinates of charts: the share of the range of orders, and what is added to the least noise.
_k, _l = Symbol("k", real=True), Symbol("l", real=True)
mixed = alpha * variance_y + (1 - alpha) * variance_x
_mixed = alpha * v2 + (1 - alpha) * v1
_closed = ge((1 + eta) ** (-2), 1 - 1 / alpha)

condition_printed = page.at("Verifying the condition on alpha", "A75a").remark(
    "rgm:a3-condition-equivalence",
    "The condition on the variances, as an equivalence",
    Iff(gt(_mixed, 0), ge(v2 / v1, 1 - 1 / alpha)),
    points={v2: v1 * (1 - 1 / alpha)},
    mistake=("misprint", "rgm:a3-condition-equivalence-strict"),
    remark="At equality the mixed variance is zero and the divergence infinite: the sign has to be strict.",
)

condition = page.at("Verifying the condition on alpha", source="beyond").remark(
    "rgm:a3-condition-equivalence-strict",
    "The condition on the variances, with a strict sign",
    Iff(gt(_mixed, 0), gt(v2 / v1, 1 - 1 / alpha)),
    wrong={
        "ratio inverted": Iff(gt(_mixed, 0), gt(v1 / v2, 1 - 1 / alpha)),
        "1 - 1/alpha becomes 1/alpha": Iff(gt(_mixed, 0), gt(v2 / v1, 1 / alpha)),
        "alpha - 1": Iff(gt(_mixed, 0), gt(v2 / v1, alpha - 1)),
    },
)

strict = page.elsewhere("App. A.1, Lemma 1, with the noise of Definition 3", source="beyond").inequality(
    "beyond:lemma-1-strict",
    "With noise, the bound of Lemma 1 is not reached",
    lt(variance_x, (1 + eta) ** 2 * variance_y),
    given=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, NOISE),
    wrong={"no baseline bound": without(BASELINE_OF_LEMMA_1), "1 + eta": (1 + eta) * variance_y, "direction": turned()},
)

from_ratio = page.at("v1 (12), v2 (14)", source="beyond").inequality(
    "rgm:a3-positive-from-ratio",
    "From the ratio of the variances to the mixed variance",
    gt(_mixed, 0),
    given=(
        Hypothesis("ratio", lt(v1, (1 + eta) ** 2 * v2), "Lemma 1, strictly"),
        Hypothesis("order", _closed, "v1 (12), v2 (14)"),
    ),
    points={_k: (0, 1), _l: (0, 2), alpha: 1 + _k / (eta * (2 + eta)), v1: _l * (1 + eta) ** 2 * v2},
    wrong={
        "ratio up to twice the bound": instead(Hypothesis("ratio", lt(v1, 2 * (1 + eta) ** 2 * v2))),
        "no bound on the order": without("order"),
        "variances exchanged": left(alpha * v1 + (1 - alpha) * v2),
    },
)

by_lemma_1 = page.at("v1 (12), v2 (14)", "A75b").inequality(
    "rgm:a3-positive-by-lemma-1",
    "Lemma 1 makes the mixed variance positive, the end of the range included",
    gt(mixed, 0),
    given=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, NOISE, Hypothesis("order", _closed, "v1 (12), v2 (14)")),
    points={
        _l: (0, None),
        _k: (0, 1),
        alpha: 1 + _k / (eta * (2 + eta)),
        sigma2: gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2 + _l,
    },
    wrong={
        "(1 + eta)^-1": instead(Hypothesis("order", le(alpha, 2 + 1 / (eta * (2 + eta))))),
        "negative": turned(),
        "no baseline bound": without("baseline noise of Lemma 1"),
    },
    steps=(
        Step("With noise, the bound of Lemma 1 is strict.", Premise("beyond:lemma-1-strict")),
        Step(
            "A strict ratio is enough on the closed range.",
            Premise("rgm:a3-positive-from-ratio", {v1: variance_x, v2: variance_y}),
        ),
    ),
    reading="Noise is positive by Definition 3. At equality of the orders this needs more than the statement of Lemma 1, "
    "namely that noise makes its bound strict; see `beyond:lemma-1-leaves-equality`.",
)

leaves_equality = page.at("v1 (12)-(13), v2 (14)-(15)", source="beyond").remark(
    "beyond:lemma-1-leaves-equality",
    "The bound of Lemma 1 alone leaves the end of the range open",
    le(_mixed, 0),
    "Within the bound of Lemma 1 and the closed range of orders.",
    exists=True,
    given=(
        Hypothesis("ratio", both(le(v1, (1 + eta) ** 2 * v2), le(v2, (1 + eta) ** 2 * v1)), "Lemma 1"),
        Hypothesis("order", le(alpha, end), "v1 (13), v2 (15)"),
    ),
    by=(Search(), Smt()),
    points={_k: (0, 1), eta: Integer(2), alpha: Rational(9, 8), v1: Integer(9), v2: Integer(1)},
    wrong={"below zero": lt(_mixed, 0)},
)

range_inverse = page.at("v1 (12), v2 (14)", "A75c").identity(
    "rgm:a3-range-inverse",
    "The range as a bound on 1/alpha",
    Iff(_closed, ge(1 / alpha, 1 - (1 + eta) ** (-2))),
    wrong={
        "direction": Iff(_closed, le(1 / alpha, 1 - (1 + eta) ** (-2))),
        "(1 + eta)^-1": Iff(_closed, ge(1 / alpha, 1 - (1 + eta) ** (-1))),
    },
)

range_fraction = page.at("v1 (12), v2 (14)", "A75c").identity(
    "rgm:a3-range-fraction",
    "The bound on 1/alpha over one denominator",
    eq(1 - (1 + eta) ** (-2), eta * (2 + eta) / (1 + eta) ** 2),
    by=(Identity(), Smt()),
    wrong={"1 + eta for 2 + eta": eta * (1 + eta) / (1 + eta) ** 2, "2 eta only": 2 * eta / (1 + eta) ** 2},
)

range_upper = page.at("v1 (13), v2 (15)", "A75d").inequality(
    "rgm:a3-range-upper",
    "The range as a bound on alpha",
    Implies(ge(1 / alpha, eta * (2 + eta) / (1 + eta) ** 2), le(alpha, (1 + eta) ** 2 / (eta * (2 + eta)))),
    wrong={
        "one less": Implies(ge(1 / alpha, q / (1 + eta) ** 2), le(alpha, (1 + eta) ** 2 / q - 1)),
        "direction": Implies(ge(1 / alpha, q / (1 + eta) ** 2), ge(alpha, (1 + eta) ** 2 / q)),
    },
)

range_shifted = page.at("after v1 (13), v2 (15)", "A76a").remark(
    "rgm:a3-range-shifted",
    "The range as a bound on alpha - 1",
    Iff(le(alpha, (1 + eta) ** 2 / (eta * (2 + eta))), le(alpha - 1, 1 / (eta * (2 + eta)))),
    wrong={
        "alpha for alpha - 1": Iff(le(alpha, (1 + eta) ** 2 / q), le(alpha, 1 / q)),
        "without the square": Iff(le(alpha, (1 + eta) / q), le(alpha - 1, 1 / q)),
    },
    remark="Theorem 1 itself excludes the end of the range (rgm:a3-range-strict), where its bound divides by zero.",
)

range_of_theorem = page.at("after v1 (13), v2 (15)", source="beyond").remark(
    "rgm:a3-range-of-theorem-1",
    "The closed range, said to be the condition of Theorem 1",
    Iff(le(alpha - 1, 1 / (eta * (2 + eta))), lt(alpha, end)),
    "The closed range is called the condition of Theorem 1, which excludes equality.",
    points={_k: (0, 1), eta: Integer(2), alpha: Rational(9, 8)},
    reading="The sentence at its word; only the end of the range is at stake, where nothing is used.",
    mistake=("misprint", "rgm:a3-range-strict"),
    remark="At the end of the range the bound of Theorem 1 divides by zero.",
)

range_strict = page.at("after v1 (13), v2 (15)", source="beyond").remark(
    "rgm:a3-range-strict",
    "The range of Theorem 1, four ways",
    both(
        Iff(lt(alpha, end), lt(alpha - 1, 1 / (eta * (2 + eta)))),
        Iff(lt(alpha, end), gt(rho, 0)),
        Iff(lt(alpha, end), gt((1 + eta) ** (-2), 1 - 1 / alpha)),
    ),
    wrong={
        "the other side": Iff(lt(alpha, end), lt(rho, 0)),
        "1 + eta for 2 + eta": Iff(lt(alpha, end), lt(alpha - 1, 1 / (eta * (1 + eta)))),
    },
)

baseline = page.at("v1 (14), v2 (16)", "A76b").identity(
    "rgm:a3-baseline-needed",
    "The baseline noise that Lemma 1 needs",
    eq(gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, gamma * r_rel**2 / eta**2 * (1 + eta) / (2 + eta)),
    by=(Identity(), Smt()),
    wrong={
        "eta for eta^2": gamma * r_rel**2 / eta * (1 + eta) / (2 + eta),
        "fraction inverted": gamma * r_rel**2 / eta**2 * (2 + eta) / (1 + eta),
    },
)

_UP_TO_END = Hypothesis("order", le(alpha - 1, 1 / (eta * (2 + eta))), "after v1 (13), v2 (15)")

factor_bound = page.at("v1 (15), v2 (17)", "A76c").inequality(
    "rgm:a3-baseline-factor",
    "The factor in the baseline noise of Theorem 1",
    chain(1 - eta * (alpha - 1), ">=", 1 - (2 + eta) ** (-1), "==", (1 + eta) / (2 + eta)),
    given=_UP_TO_END,
    points={_k: (0, 1), alpha: 1 + _k / (eta * (2 + eta))},
    wrong={
        "1 - 1/(3 + eta)": ge(1 - eta * (alpha - 1), 1 - (3 + eta) ** (-1)),
        "for every order": without(),
        "direction": le(1 - eta * (alpha - 1), 1 - (2 + eta) ** (-1)),
    },
)

baseline_enough = page.at("v1 (14)-(15), v2 (16)-(17)", "A76c").inequality(
    "rgm:a3-baseline-enough",
    "The baseline noise of Theorem 1 is enough for Lemma 1",
    ge(sigma2, gamma * r_rel**2 / eta**2 * (1 + eta) / (2 + eta)),
    given=(BASELINE_OF_THEOREM_1, _UP_TO_END),
    by=(
        combination(
            (sigma2 - gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2,),
            (gamma / eta, r_rel**2, 1 / (eta * (2 + eta)) - (alpha - 1)),
        ),
        Smt(),
    ),
    points={
        _k: (0, 1),
        _l: (0, None),
        alpha: 1 + _k / (eta * (2 + eta)),
        sigma2: gamma / eta**2 * (1 - eta * (alpha - 1)).subs(alpha, 1 + _k / (eta * (2 + eta))) * r_rel**2 + _l,
    },
    wrong={
        "the whole of gamma R^2 / eta^2": gamma * r_rel**2 / eta**2,
        "orders up to twice the end": instead(Hypothesis("order", le(alpha - 1, 2 / (eta * (2 + eta))))),
        "half of the baseline noise": instead(
            Hypothesis(
                "baseline noise of Theorem 1", ge(sigma2, gamma / (2 * eta**2) * (1 - eta * (alpha - 1)) * r_rel**2)
            )
        ),
    },
)

applicable = page.elsewhere("Sec. 4.1, Theorem 1; App. A.3, between v1 (13) and (16), v2 (15) and (18)", "A17").remark(
    "rgm:a3-lemma-2-applies",
    "Lemma 2 applies to neighbours under the hypotheses of Theorem 1",
    gt(mixed, 0),
    given=(*RELATIVE_SENSITIVITY, BASELINE_OF_THEOREM_1, PRINTED_RANGE, NOISE),
    points={
        _l: (0, None),
        _k: (0, 1),
        alpha: 1 + _k / (eta * (2 + eta)),
        sigma2: gamma / eta**2 * (1 - _k / (2 + eta)) * r_rel**2 + _l,
    },
    wrong={
        "an order more by one": left(mixed + variance_y - variance_x),
        "no bound on the order": without(PRINTED_RANGE),
        "no baseline bound": without(BASELINE_OF_THEOREM_1),
    },
    steps=(
        Premise("rgm:a3-range-strict"),
        Premise("rgm:a3-range-shifted"),
        Step("The baseline noise is enough for Lemma 1.", Premise("rgm:a3-baseline-enough")),
        Premise("rgm:a3-baseline-needed"),
        Step("With noise, the bound of Lemma 1 is strict.", Premise("beyond:lemma-1-strict")),
        Step(
            "So the mixed variance is positive.",
            Premise("rgm:a3-positive-from-ratio", {v1: variance_x, v2: variance_y}),
        ),
    ),
    reading="Theorem 1 speaks of the mechanism of Definition 3, where the baseline noise is positive.",
)
