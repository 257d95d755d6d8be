r"""Section 4.1, Scale of the noise: the baseline that Theorem 1 suggests, and what $\gamma$ does.

The suggested $\sigma^2 = \gamma\eta^{-2}(1-\eta(\alpha-1))R_{rel}^2$ is the smallest that the theorem allows at the order $\alpha$. It is at least half of the value at
order 1, and it is too small for the theorem at any smaller order. The whole variance is proportional to $\gamma$, and the levels of both versions, and
the exact one, fall as $\gamma$ grows.
"""

from rgm_verify.claims import *
from rgm_verify.lenses import *

from ..beyond.exact_renyi import exact_curve
from ..beyond.exact_renyi import page as _exact_renyi
from .notation import *
from .s4_theorem_1 import page as _s4_theorem_1
from .s4_theorem_1 import printed_v1, printed_v2

page = Page("rgm-v1+v2", "§4.1", NOTATION, _exact_renyi, _s4_theorem_1)


_WHERE = "§4.1, Scale of the noise"
#: The baseline variance that the paper suggests.
suggested = gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2
_k = positive("k").symbol
_share = positive("t").symbol
_POINTS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), r_rel: (0, None), sigma2: (0, None)},
    {alpha: 1 + _k / q, eta: eta, gamma: gamma, r_rel: r_rel, sigma2: sigma2},
)

suggestion = page.at("Scale of the noise", "A26").remark(
    "rgm:suggested-baseline",
    "The suggested baseline is the smallest that Theorem 1 allows",
    both(
        Iff(BASELINE_OF_THEOREM_1.formula, le(suggested, sigma2)),
        le(gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, suggested),
    ),
    r"Theorem 1 allows a baseline variance exactly if it is at least the suggested one, for fixed $\gamma$ and $\alpha$; Lemma 1 needs no more.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Smt(), Units({r_rel: 1, sigma2: 2})),
    points=_POINTS,
    wrong={
        "without alpha": Iff(BASELINE_OF_THEOREM_1.formula, le(gamma / eta**2 * r_rel**2, sigma2)),
        "twice what Lemma 1 needs": le(2 * gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, suggested),
        "no range of alpha": without(),
        "without eta": Iff(BASELINE_OF_THEOREM_1.formula, le(gamma * (1 - eta * (alpha - 1)) * r_rel**2, sigma2)),
    },
    reading="To suggest: the smallest variance for which the theorem speaks. It is asked as well whether Lemma 1 has what it needs.",
)

size = page.at("Scale of the noise", "A26").remark(
    "rgm:suggested-baseline-size",
    "The suggested baseline is a variance",
    chain(HALF * gamma / eta**2 * r_rel**2, "<=", suggested, "<=", gamma / eta**2 * r_rel**2),
    r"In the range of $\alpha$ the suggested variance lies between $\frac12\gamma\eta^{-2}R_{rel}^2$ and twice that.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Smt(), Units({r_rel: 1})),
    points=_POINTS,
    wrong={
        "not less than at order 1": le(gamma / eta**2 * r_rel**2, suggested),
        "no range of alpha": without(),
        "at most half": le(suggested, HALF * gamma / eta**2 * r_rel**2),
    },
    reading=r"It is asked whether the suggestion can be followed: it is not negative; for $R_{rel} = 0$ it is 0, where Definition 3 wants a positive one.",
)

_order = page.positive("beta", "another order")


one_order = page.at("Scale of the noise", source="beyond").remark(
    "beyond:suggested-baseline-of-one-order",
    "The suggested baseline of one order is too small for every smaller order",
    lt(suggested, suggested.subs(alpha, _order)),
    r"For $\beta < \alpha$ and $R_{rel} > 0$ the baseline suggested for $\alpha$ does not meet the condition of Theorem 1 at the order $\beta$.",
    given=(Hypothesis("a smaller order", lt(_order, alpha)), Hypothesis("an additive part", gt(r_rel, 0))),
    wrong={
        "larger orders": without(Hypothesis("a smaller order", lt(_order, alpha))),
        "no additive part": without(Hypothesis("an additive part", gt(r_rel, 0))),
        "direction": ge(suggested, suggested.subs(alpha, _order)),
    },
    reading="A curve over several orders, as the conversion needs it, asks for the baseline of its smallest order.",
)

_smaller = page.positive("g", "a smaller relative noise level")

_ORDERED = Hypothesis("g is smaller", lt(_smaller, gamma))
_PAIR_OF_LEVELS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), _share: (0, 1), r_rel: (0, None), a: (0, None), d: (0, 1000)},
    {alpha: 1 + _k / q, _smaller: gamma * _share, eta: eta, gamma: gamma, r_rel: r_rel, a: a, d: d},
)
_total = gamma * a**2 + suggested

noise = page.at("Scale of the noise", "A27").remark(
    "rgm:noise-grows-with-gamma",
    "Both parts of the noise grow with gamma",
    both(
        le(_smaller * a**2, gamma * a**2),
        le(suggested.subs(gamma, _smaller), suggested),
        eq(_total.subs(gamma, _smaller) * gamma, _total * _smaller),
    ),
    r"With the suggested baseline, relative and baseline variance are proportional to $\gamma$: a smaller $\gamma$ gives less of both.",
    given=(_ORDERED, OPEN_RANGE_OF_ALPHA),
    by=(Smt(), Units({a: 1, r_rel: 1})),
    points=_PAIR_OF_LEVELS,
    wrong={
        "direction": le(suggested, suggested.subs(gamma, _smaller)),
        "proportional to the square": eq(_total.subs(gamma, _smaller) * gamma**2, _total * _smaller**2),
        "no range of alpha": without(OPEN_RANGE_OF_ALPHA),
    },
)

_LEVELS = (
    ("rgm-v1", "rgm-v1", printed_v1, "Version 1: a smaller gamma weakens the guarantee"),
    ("rgm-v2", "rgm-v2", printed_v2, "Version 2: a smaller gamma weakens the guarantee"),
    ("beyond", "beyond", exact_curve, "The exact divergence of the worst pair grows as gamma falls"),
)

guarantee = tuple(
    page.at("Scale of the noise", " ".join(("A27",) if prefix != "beyond" else ()), source=source).remark(
        f"{prefix}:guarantee-falls-with-gamma",
        title,
        lt(level, level.subs(gamma, _smaller)),
        r"The level is larger for a smaller $\gamma$: less noise, less privacy.",
        given=(_ORDERED, OPEN_RANGE_OF_ALPHA),
        by=Monotone(gamma, _smaller, order=1),
        points=_PAIR_OF_LEVELS,
        over=(eta, alpha, gamma, _smaller, DIMENSION),
        wrong={
            "direction": ge(level, level.subs(gamma, _smaller)),
            "by half": level.subs(gamma, _smaller) / 2,
            "in proportion": le(level, level.subs(gamma, _smaller) * _smaller / gamma),
        },
    )
    for prefix, source, level, title in _LEVELS
)

goes_to_floor = page.at("Scale of the noise", source="beyond").remark(
    "beyond:guarantee-is-not-in-proportion-to-gamma",
    "The part of the level that gamma does not move",
    gt(exact_curve.subs(gamma, 10 * gamma), exact_curve / 10),
    r"Ten times the noise divides the exact level by less than ten: the logarithmic term stays.",
    given=OPEN_RANGE_OF_ALPHA,
    by=Deduction((Premise("beyond:floor"),)),
    points=_PAIR_OF_LEVELS,
    wrong={
        "in proportion": le(exact_curve.subs(gamma, 10 * gamma), exact_curve / 10),
        "at least half stays": exact_curve / 2,
    },
)
