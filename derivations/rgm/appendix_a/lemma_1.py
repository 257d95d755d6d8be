"""Appendix A.1, Lemma 1: the noise scales of two neighbours differ at most by the factor (1 + eta)^2.

The proof splits the difference of both sides into three terms that cannot be negative: Young's inequality, the
relative sensitivity, and the lower bound on the baseline noise. The lemma's two sides are each other's mirror image.
The factor cannot be lowered: without baseline noise, R(x) = (1 + eta) R(y) reaches it.
"""

from sympy import Add, Mul

from ..noise_of_pairs import noise_cases
from ..notation import *

page = Page("rgm-v1+v2", "App. A.1", NOTATION)

# Young's inequality |u + v|^2 <= (1 + eta)|u|^2 + (1 + 1/eta)|v|^2 for u = R(y), v = R(x) - R(y):
# the difference of its sides is (1/eta) |R(x) - (1 + eta) R(y)|^2, here split along and across R(y).
_YOUNG = tuple(
    (gamma, *t) for t in ((1 / eta, (a - (1 + eta) * b * c) ** 2), (1 / eta, (1 + eta) ** 2, b**2, 1 + c, 1 - c))
)
_NEEDED = gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2

# The printed numerators, from one line of the display to the next.
# Left as it is written: SymPy would add it up to the variance at x at once.
_added = gamma * Add(b**2, Mul(2, a * b * c - b**2, evaluate=False), distance2, evaluate=False) + sigma2
_young = gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * distance2 + sigma2
_allowed = eta**2 * b**2 + r_rel**2
_sensitive = gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * _allowed + sigma2
_NOISE = Hypothesis("noise at y", gt(variance_y, 0), "Definition 3: the mechanism has noise, so the ratios are defined")

expansion = page.at("proof of Lemma 1, first line", "A66a").identity(
    "rgm:a1-expansion",
    "Adding and subtracting the output at y",
    eq(variance_x / variance_y, _added / variance_y),
    given=_NOISE,
    wrong={
        "the cross term once": (gamma * (a * b * c + distance2) + sigma2) / variance_y,
        "no cross term": (gamma * (b**2 + distance2) + sigma2) / variance_y,
    },
    reading=r"The square of $|R(y) + (R(x)-R(y))|$ is multiplied out; its cross term is $2(abc - b^2)$.",
)

young = page.at("proof of Lemma 1, first two lines", "A66a").inequality(
    "rgm:a1-young",
    "Young's inequality inside the noise ratio",
    le(variance_x, _young),
    by=(combination(*_YOUNG), Smt()),
    wrong={
        "1 + eta becomes 1": _young - gamma * eta * b**2,
        "1 + 1/eta becomes 1/eta": gamma * (1 + eta) * b**2 + gamma / eta * distance2 + sigma2,
        "direction": turned(),
    },
)

young_ratio = page.at("proof of Lemma 1, second line", "A66a").inequality(
    "rgm:a1-young-ratio",
    "Young's inequality inside the noise ratio, as a ratio",
    le(_added / variance_y, _young / variance_y),
    "The bound on the numerator bounds the ratio, whose denominator is positive.",
    given=_NOISE,
    wrong={"1 + eta becomes 1": (_young - gamma * eta * b**2) / variance_y, "direction": turned()},
)

sensitivity_step = page.at("proof of Lemma 1, last line of the display", "A66b").inequality(
    "rgm:a1-sensitivity",
    "Relative sensitivity inside the noise ratio",
    le(_young / variance_y, _sensitive / variance_y),
    "Relative sensitivity at $y$ replaces the squared distance by what it allows.",
    given=(RELATIVE_SENSITIVITY[1], _NOISE),
    wrong={
        "1 + 1/eta becomes 1 on the right": (_sensitive - gamma / eta * _allowed) / variance_y,
        "no absolute part": _sensitive.subs(r_rel, 0) / variance_y,
        "direction": turned(),
    },
)

factoring = page.at("proof of Lemma 1, last paragraph", "A66c").inequality(
    "rgm:a1-factoring",
    "The baseline noise lets the variance at y be factored out",
    le(_sensitive, (1 + eta) ** 2 * variance_y),
    "The last numerator is on the left.",
    given=BASELINE_OF_LEMMA_1,
    by=(combination((eta * (2 + eta), sigma2 - _NEEDED)), Smt()),
    wrong={
        "(1 + eta)^2 becomes 1 + eta": (1 + eta) * variance_y,
        "no baseline noise": without(),
        "direction": turned(),
    },
)

#: The noise alone, at x against y, and in both orders.
_UPPER, _BOTH = partial(noise_cases, orders=1), partial(noise_cases, orders=2)
_ASSUMED = (*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1)

lemma_1_upper = page.at("Lemma 1", "A66c").inequality(
    "rgm:lemma-1-upper",
    "Lemma 1, upper side",
    le(variance_x, (1 + eta) ** 2 * variance_y),
    given=_ASSUMED,
    by=(
        combination(*_YOUNG, (gamma * (1 + 1 / eta), _allowed - distance2), (eta * (2 + eta), sigma2 - _NEEDED)),
        Smt(),
        Unreduced(cases=_UPPER),
        Released(cases=_UPPER),
    ),
    wrong={
        "(1 + eta)^2 becomes 1 + eta": (1 + eta) * variance_y,
        "half of the baseline noise": changed(
            hypotheses=(*RELATIVE_SENSITIVITY, Hypothesis("half", ge(sigma2, _NEEDED / 2)))
        ),
        "sides swapped": le((1 + eta) ** 2 * variance_x, variance_y),
    },
    steps=(
        Step("Young's inequality.", "rgm:a1-young"),
        Step("Relative sensitivity at $y$.", "rgm:a1-sensitivity"),
        Step(r"The bound on $\sigma^2$.", "rgm:a1-factoring"),
    ),
)

lemma_1 = page.at("Lemma 1", "A65 A66c").lemma(
    "rgm:lemma-1",
    "Lemma 1: ratio of the noise scales",
    both(le(variance_x, (1 + eta) ** 2 * variance_y), le(variance_y, (1 + eta) ** 2 * variance_x)),
    printed=r"(1+\eta)^{-2} \le \frac{\gamma\|R(x)\|^2+\sigma^2}{\gamma\|R(y)\|^2+\sigma^2} \le (1+\eta)^2",
    given=_ASSUMED,
    by=(Unreduced(cases=_BOTH), Released(cases=_BOTH)),
    wrong={
        "(1 + eta)^2 becomes 1 + eta": both(
            le(variance_x, (1 + eta) * variance_y), le(variance_y, (1 + eta) * variance_x)
        ),
        "a baseline of zero": without(BASELINE_OF_LEMMA_1),
    },
    steps=(
        Step(r"Write $R(x) = R(y) + (R(x)-R(y))$.", "rgm:a1-expansion"),
        Step("Apply Young's inequality.", "rgm:a1-young-ratio"),
        Step(
            r"Relative sensitivity bounds the distance and the baseline noise absorbs the remaining $R_{rel}^2$.",
            Premise("rgm:lemma-1-upper"),
        ),
        Step("Exchange the roles of $x$ and $y$ for the lower side.", Premise("rgm:lemma-1-upper", {a: b, b: a})),
    ),
    reading="Multiplied out, so that it also speaks of two outputs without noise; `rgm:lemma-1-ratio` has the ratio.",
    tightness=Tightness(
        1 - (1 - 1 / (1 + sigma2)) * (1 - (1 + eta) ** (-2)),
        {eta: (Rational(1, 100), Rational(2)), sigma2: (0, 1)},
        r"ratio of variances over its bound, for $R(x) = (1+\eta)R(y)$ and $\gamma|R(y)|^2 = 1$",
        plot=(sigma2,),
        at={eta: Rational(1, 10)},
    ),
)

lemma_1_ratio = page.at("Lemma 1", "A65").lemma(
    "rgm:lemma-1-ratio",
    "Lemma 1, as the printed ratio",
    chain((1 + eta) ** (-2), "<=", variance_x / variance_y, "<=", (1 + eta) ** 2),
    given=(*_ASSUMED, _NOISE),
    wrong={
        "lower end 1": chain(1, "<=", variance_x / variance_y, "<=", (1 + eta) ** 2),
        "upper end 1 + eta": chain((1 + eta) ** (-2), "<=", variance_x / variance_y, "<=", 1 + eta),
        "sensitivity on one side only": without(RELATIVE_SENSITIVITY[0]),
    },
    steps=Premise("rgm:lemma-1"),
)

lemma_1_attained = page.at("Lemma 1", source="beyond").remark(
    "beyond:lemma-1-attained",
    "The factor of Lemma 1 is reached",
    ge(variance_x, (1 + eta) ** 2 * variance_y),
    "The lemma lets no pair exceed this.",
    exists=True,
    given=(*_ASSUMED, _NOISE),
    by=(Search(), Smt()),
    points={
        Symbol("k", real=True): (0, 1),
        **{a: Rational(5, 2), b: 2, c: 1, eta: Rational(1, 4), gamma: 1, r_rel: 0, sigma2: 0},
    },
    wrong={"a larger ratio": gt(variance_x, (1 + eta) ** 2 * variance_y)},
)
