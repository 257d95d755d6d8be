r"""Appendix A.4, its end: when the quadratic part bounds the log term, and how far off the kept bounds are.

The quadratic part bounds $g$ from above exactly on the side $r \ge 1$, whatever the sign of the third derivative. Version
1's kept bound fails near the end of the range, and version 2's is off by at least 2, without an upper limit.
"""

from ..notation import *
from .log_term import ALPHA_ABOVE_1, kept_v1, kept_v2
from .tightness import g, g3, lead, page as _a4_tightness

page = Page("rgm-v1+v2", "App. A.4", _a4_tightness)
_P, _Q = positive("P").symbol, positive("Q").symbol
_k, _s = real("k", lower=0, upper=1).symbol, positive("s").symbol

_RANGE_OF_U = (
    OPEN_RANGE_OF_ALPHA,
    Hypothesis("ratio from below", ge(1 + u, (1 + eta) ** -2), "Lemma 1"),
    Hypothesis("ratio from above", le(1 + u, (1 + eta) ** 2), "Lemma 1"),
)
_t = real("t", lower=0, upper=1).symbol
_RATIOS = {
    _k: (0, 1),
    eta: (0, 1),
    _t: (0, 1),
    alpha: 1 + _k / q,
    u: (1 + eta) ** -2 - 1 + _t * ((1 + eta) ** 2 - (1 + eta) ** -2),
}

derivative_needed = page.at("before v1 (41) and v2 (43)", "A94e").remark(
    "rgm:a4-third-derivative-needed",
    "Is the sign of the third derivative needed?",
    Implies(le(g, lead), le(g3, 0)),
    "The sign is said to be needed for the bound.",
    given=_RANGE_OF_U,
    points=_RATIOS,
    over=(ETA_V1,),
    reading=r"Necessity: wherever in the range the approximation bounds $g$ from above, $g''' \le 0$.",
    mistake=("false", "beyond:log-term-approximation-above"),
    remark=r"The approximation bounds $g$ from above for every $u \ge 0$, also where $g''' > 0$.",
)

derivative_enough = page.at("before v1 (41) and v2 (43)", "A94e").remark(
    "rgm:a4-third-derivative-enough",
    "Is the sign of the third derivative enough?",
    le(g, lead),
    "Said to follow from the sign of the third derivative all over the range.",
    given=(*_RANGE_OF_U, Hypothesis("third derivative at the right end", le(g3.subs(u, q), 0))),
    points=_RATIOS,
    over=(ETA_V1,),
    reading=r"Sufficiency; $g''' \le 0$ is asked at the right end $u = \eta(2+\eta)$, which implies it all over the range.",
    mistake=("false", "beyond:log-term-approximation-below"),
    remark=r"For $u < 0$ the cube is negative: a third derivative below 0 makes the approximation a lower bound there.",
)

derivative_sign_at_end = page.at("after v1 (41) and v2 (43); in neither version", source="beyond").inequality(
    "beyond:third-derivative-sign",
    "The third derivative changes its sign at most once",
    le(g3, 0),
    "A sign that it has at $U$ it has at every smaller $u$.",
    given=(
        DEFINED_AT_SHIFT,
        Hypothesis("u is the smaller", le(u, real("U").symbol)),
        Hypothesis("third derivative at U", le(g3.subs(u, real("U").symbol), 0)),
    ),
    points={_s: (0, None), _t: (0, 1), u: _t * _s - 1 / alpha, real("U").symbol: _s - 1 / alpha},
    over=(u, real("U")),
    wrong={
        "u is the larger": instead(Hypothesis("u is the smaller", gt(u, real("U").symbol))),
        "strictly below 0 by a margin": -1,
    },
)

derivative_below_0 = page.at("after v1 (41) and v2 (43)", "A94f").inequality(
    "rgm:a4-third-derivative-left",
    "The third derivative left of 0",
    le(g3, 0),
    given=(DEFINED_AT_SHIFT, Hypothesis("left of 0", le(u, 0))),
    points={_t: (0, 1), u: -_t / alpha},
    wrong={"right of 0": instead(Hypothesis("left of 0", ge(u, 0))), "direction": turned()},
)

derivative_can_be_positive = page.at("after v1 (41) and v2 (43)", "A94g").remark(
    "rgm:a4-third-derivative-can-be-positive",
    "The third derivative can be positive",
    gt(g3, 0),
    exists=True,
    given=(*_RANGE_OF_U, Hypothesis("right of 0", gt(u, 0))),
    points=_RATIOS,
    over=(ETA_V1,),
    wrong={
        "left of 0": changed(hypotheses=(DEFINED_AT_SHIFT, OPEN_RANGE_OF_ALPHA, Hypothesis("left of 0", le(u, 0)))),
        "at an order from 2 on": changed(
            hypotheses=(
                Hypothesis("order", ge(alpha, 2)),
                Hypothesis("range", le((alpha - 1) * u, 1)),
                DEFINED_AT_SHIFT,
            )
        ),
    },
)

_FROM_2 = Hypothesis("alpha is large enough", ge(alpha, 2), "the example given")
derivative_from_2 = page.at("after v1 (41) and v2 (43)", "A94h").inequality(
    "rgm:a4-third-derivative-large-alpha",
    "The third derivative for orders from 2 on",
    le(g3, 0),
    given=(_FROM_2, DEFINED_AT_SHIFT, Hypothesis("range of u", le((alpha - 1) * u, 1))),
    points={_t: (0, 1), u: -1 / alpha + _t * (1 / alpha + 1 / (alpha - 1))},
    over=(ALPHA_ABOVE_1,),
    wrong={
        "alpha from 3/2 on": without(_FROM_2),
        "u up to 2/(alpha - 1)": instead(Hypothesis("range of u", le((alpha - 1) * u, 2))),
        "direction": turned(),
    },
)

derivative_at_3_halves = page.at("after v1 (41) and v2 (43)", "A94i").numeric(
    "rgm:a4-third-derivative-example",
    "The third derivative at the end of the range for alpha = 3/2",
    gt(g3.subs({alpha: Rational(3, 2), u: 2}, simultaneous=True), 0),
    wrong={
        "alpha = 2": left(g3.subs({alpha: Integer(2), u: 1}, simultaneous=True)),
        "sign": le(g3.subs({alpha: Rational(3, 2), u: 2}, simultaneous=True), 0),
    },
    printed=r"g'''\left(\tfrac{1}{\alpha-1}\right) > 0",
)

_AS_LARGEST = (
    "The exact value is the supremum over all ratios of Lemma 1, which a pair attains (beyond:log-term-supremum)."
)

kept_v1_factor = page.at("last sentence", "A94j1", source="rgm-v1").remark(
    "rgm-v1:a4-kept-bound-factor",
    "Version 1: the kept bound is off by at most 2 for large orders",
    le(kept_v1, 2 * d * largest_log_term),
    "Version 1's bound against the exact value of the log term.",
    given=(_FROM_2, OPEN_RANGE_OF_ALPHA),
    steps=(
        Premise("beyond:log-cubic-upper", {_P: rho, _Q: Integer(1)}),
        Premise("beyond:log-cubic-upper", {_P: 1 + eta, _Q: Integer(1)}),
    ),
    points={_k: (0, 1), alpha: 1 + _k / q},
    over=(ETA_V1, ALPHA_ABOVE_1),
    wrong={"orders from 1 on": without(_FROM_2), "3/2 instead of 2": Rational(3, 2) * d * largest_log_term},
    reading=r"Large: $\alpha \ge 2$, as just before. Off by up to 2: bound over exact value at most 2. " + _AS_LARGEST,
    remark="The ratio falls below 1 near the end of the range, where the bound fails.",
)

kept_v1_works = page.at("last sentence", "A94j2", source="rgm-v1").remark(
    "rgm-v1:a4-kept-bound-works",
    "Version 1: the kept bound works in the whole range",
    le(d * largest_log_term, kept_v1),
    "The exact value of the log term against version 1's bound.",
    given=OPEN_RANGE_OF_ALPHA,
    points={_k: (0, 1), alpha: 1 + _k / q},
    over=(ETA_V1, ALPHA_ABOVE_1),
    reading=_AS_LARGEST,
    mistake=("false", "beyond:v1-log-term-in-part-of-range"),
    remark=r"It holds for $\eta(2+\eta)(\alpha-1) \le 2/3$; the log term has a pole at the end of the range, the bound has none.",
)

kept_v2_factor = page.at("last sentence", "A94k1", source="rgm-v2").remark(
    "rgm-v2:a4-kept-bound-factor",
    "Version 2: the kept bound is off by at most 2 for large orders",
    le(kept_v2, 2 * d * largest_log_term),
    "Version 2's bound against the exact value of the log term.",
    given=(_FROM_2, OPEN_RANGE_OF_ALPHA),
    points={_k: (0, 1), alpha: 1 + _k / q},
    over=(ALPHA_ABOVE_1,),
    reading=r"Large: $\alpha \ge 2$, as just before. Off by up to 2: bound over exact value at most 2. " + _AS_LARGEST,
    mistake=("false", "beyond:v2-log-term-at-least-twice"),
    remark=r"It is off by at least 2 everywhere, and by any factor near the end of the range.",
)

kept_v2_works = page.at("last sentence", "A94k2", source="rgm-v2").remark(
    "rgm-v2:a4-kept-bound-works",
    "Version 2: the kept bound works in the whole range",
    le(d * largest_log_term, kept_v2),
    "The exact value of the log term against version 2's bound.",
    given=OPEN_RANGE_OF_ALPHA,
    points={_k: (0, 1), alpha: 1 + _k / q},
    over=(ALPHA_ABOVE_1,),
    wrong={"without the denominator, as in version 1": kept_v1, "two fifths of the bound": 2 * kept_v2 / 5},
    reading=_AS_LARGEST,
    steps=Premise("beyond:v2-log-term-at-least-twice"),
)
