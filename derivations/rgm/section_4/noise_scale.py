r"""Section 4.1, Scale of the noise: the baseline that Theorem 1 suggests, and what $\gamma$ does.

The suggested $\sigma^2 = \gamma\eta^{-2}(1-\eta(\alpha-1))R_{rel}^2$ is the smallest that the theorem allows at the order $\alpha$. It is at least half of the value at
order 1, and it is too small for the theorem at any smaller order. The whole variance is proportional to $\gamma$, and the levels of both versions, and
the exact one, fall as $\gamma$ grows.
"""

from ...beyond.renyi.curve_notation import exact_curve, page as _exact_renyi
from ..notation import *
from .theorem_1 import printed_v1, printed_v2

page = Page("rgm-v1+v2", "§4.1", NOTATION, _exact_renyi)
_PLACE = "Scale of the noise"
#: The baseline variance that the paper suggests, and what Lemma 1 needs.
suggested = gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2
_needed = gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2
_at_order_1 = gamma / eta**2 * r_rel**2
_order = page.positive("beta", "another order")
_smaller = page.positive("g", "a smaller relative noise level", latex=r"\tilde\gamma")
_k = positive("k").symbol
_share = positive("t").symbol
_POINTS = {alpha: 1 + _k / q}

suggestion = page.at(_PLACE, "A26").remark(
    "rgm:suggested-baseline",
    "The suggested baseline is the smallest that Theorem 1 allows",
    both(Iff(BASELINE_OF_THEOREM_1.formula, le(suggested, sigma2)), le(_needed, suggested)),
    "The condition of Theorem 1 on the left; Lemma 1 needs no more.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Smt(), Units({r_rel: 1, sigma2: 2})),
    points=_POINTS,
    wrong={
        "without alpha": Iff(BASELINE_OF_THEOREM_1.formula, le(_at_order_1, sigma2)),
        "twice what Lemma 1 needs": le(2 * _needed, suggested),
        "no range of alpha": without(),
        "without eta": Iff(BASELINE_OF_THEOREM_1.formula, le(gamma * (1 - eta * (alpha - 1)) * r_rel**2, sigma2)),
    },
    reading="To suggest: the smallest variance for which the theorem speaks. It is asked as well whether Lemma 1 has what it needs.",
)

size = page.at(_PLACE, "A26").remark(
    "rgm:suggested-baseline-size",
    "The suggested baseline is a variance",
    chain(HALF * _at_order_1, "<=", suggested, "<=", _at_order_1),
    "On the right is its value at order 1.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Smt(), Units({r_rel: 1})),
    points=_POINTS,
    wrong={
        "not less than at order 1": le(_at_order_1, suggested),
        "no range of alpha": without(),
        "at most half": le(suggested, HALF * _at_order_1),
    },
    reading=r"It is asked whether the suggestion can be followed: it is not negative; for $R_{rel} = 0$ it is 0, where Definition 3 wants a positive one.",
)

one_order = page.at(_PLACE, source="beyond").remark(
    "beyond:suggested-baseline-of-one-order",
    "The suggested baseline of one order is too small for every smaller order",
    lt(suggested, suggested.subs(alpha, _order)),
    "The baselines suggested for the two orders.",
    given=(Hypothesis("a smaller order", lt(_order, alpha)), Hypothesis("an additive part", gt(r_rel, 0))),
    wrong={
        "larger orders": without("a smaller order"),
        "no additive part": without("an additive part"),
        "direction": ge(suggested, suggested.subs(alpha, _order)),
    },
    reading="A curve over several orders, as the conversion needs it, asks for the baseline of its smallest order.",
)

_ORDERED = Hypothesis("g is smaller", lt(_smaller, gamma))
_PAIR_OF_LEVELS = {_share: (0, 1), d: (0, 1000), alpha: 1 + _k / q, _smaller: gamma * _share}
_total = gamma * a**2 + suggested
_total_less = _total.subs(gamma, _smaller)

noise = page.at(_PLACE, "A27").remark(
    "rgm:noise-grows-with-gamma",
    "Both parts of the noise grow with gamma",
    both(
        le(_smaller * a**2, gamma * a**2),
        le(suggested.subs(gamma, _smaller), suggested),
        eq(named(r"v(\tilde\gamma)", _total_less) * gamma, named(r"v(\gamma)", _total) * _smaller),
    ),
    "The relative part, the suggested baseline, and their sum, the variance $v$.",
    given=(_ORDERED, OPEN_RANGE_OF_ALPHA),
    by=(Smt(), Units({a: 1, r_rel: 1})),
    points=_PAIR_OF_LEVELS,
    wrong={
        "direction": le(suggested, suggested.subs(gamma, _smaller)),
        "proportional to the square": eq(_total_less * gamma**2, _total * _smaller**2),
        "no range of alpha": without(OPEN_RANGE_OF_ALPHA),
    },
)

guarantee = tuple(
    page.at(_PLACE, "" if source == "beyond" else "A27", source=source).remark(
        f"{source}:guarantee-falls-with-gamma",
        title,
        lt(level, level.subs(gamma, _smaller)),
        "Less noise, less privacy.",
        given=(_ORDERED, OPEN_RANGE_OF_ALPHA),
        by=Monotone(gamma, _smaller, order=1),
        points=_PAIR_OF_LEVELS,
        wrong={
            "direction": ge(level, level.subs(gamma, _smaller)),
            "by half": level.subs(gamma, _smaller) / 2,
            "in proportion": le(level, level.subs(gamma, _smaller) * _smaller / gamma),
        },
    )
    for source, level, title in (
        ("rgm-v1", printed_v1, "Version 1: a smaller gamma weakens the guarantee"),
        ("rgm-v2", printed_v2, "Version 2: a smaller gamma weakens the guarantee"),
        ("beyond", exact_curve, "The exact divergence of the worst pair grows as gamma falls"),
    )
)

goes_to_floor = page.at(_PLACE, source="beyond").remark(
    "beyond:guarantee-is-not-in-proportion-to-gamma",
    "The part of the level that gamma does not move",
    gt(exact_curve.subs(gamma, 10 * gamma), exact_curve / 10),
    "The exact level with ten times the noise: the logarithmic term stays.",
    given=OPEN_RANGE_OF_ALPHA,
    points=_PAIR_OF_LEVELS,
    wrong={
        "in proportion": le(exact_curve.subs(gamma, 10 * gamma), exact_curve / 10),
        "at least half stays": exact_curve / 2,
    },
    steps=Premise("beyond:floor"),
)
