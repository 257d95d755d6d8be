r"""Section 4.1, Scale of the noise: the baseline that Theorem 1 suggests, and what $\gamma$ does.

The suggested $\sigma^2 = \gamma\eta^{-2}(1-\eta(\alpha-1))R_{rel}^2$ is the smallest that the theorem allows at the order $\alpha$. It is at least half of the value at
order 1, and it is too small for the theorem at any smaller order. The whole variance is proportional to $\gamma$, and the levels of both versions, and
the exact one, fall as $\gamma$ grows.
"""

from rgm_verify.claims import Chart, Claim, Hypothesis, Iff, Mutant, both, chain, eq, ge, gt, le, lt, positive
from rgm_verify.lenses import Deduction, Monotone, Premise, Smt, Units

from ..beyond.exact_renyi import exact_curve
from .notation import (
    ALPHA,
    BASELINE_OF_THEOREM_1,
    DIMENSION,
    ETA,
    GAMMA,
    HALF,
    NORM_X,
    OPEN_RANGE_OF_ALPHA,
    R_REL,
    SIGMA2,
    a,
    alpha,
    d,
    eta,
    gamma,
    q,
    r_rel,
    sigma2,
)
from .s4_theorem_1 import printed_v1, printed_v2

_SOURCE = "rgm-v1+v2"
_WHERE = "§4.1, Scale of the noise"
#: The baseline variance that the paper suggests.
suggested = gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2
_k = positive("k").symbol
_share = positive("t").symbol
_POINTS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), r_rel: (0, None), sigma2: (0, None)},
    {alpha: 1 + _k / q, eta: eta, gamma: gamma, r_rel: r_rel, sigma2: sigma2},
)

suggestion = Claim(
    id="rgm:suggested-baseline",
    refs=("A26",),
    title="The suggested baseline is the smallest that Theorem 1 allows",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"Theorem 1 allows a baseline variance exactly if it is at least the suggested one, for fixed $\gamma$ and $\alpha$; Lemma 1 needs no more.",
    variables=(ETA, ALPHA, GAMMA, R_REL, SIGMA2),
    hypotheses=(OPEN_RANGE_OF_ALPHA,),
    conclusion=both(
        Iff(BASELINE_OF_THEOREM_1.formula, le(suggested, sigma2)),
        le(gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, suggested),
    ),
    reading="To suggest: the smallest variance for which the theorem speaks. It is asked as well whether Lemma 1 has what it needs.",
    checks=(Smt(), Units({r_rel: 1, sigma2: 2})),
    sampling=_POINTS,
    mutants=(
        Mutant("without alpha", Iff(BASELINE_OF_THEOREM_1.formula, le(gamma / eta**2 * r_rel**2, sigma2))),
        Mutant("twice what Lemma 1 needs", le(2 * gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2, suggested)),
        Mutant("no range of alpha", hypotheses=()),
        Mutant(
            "without eta", Iff(BASELINE_OF_THEOREM_1.formula, le(gamma * (1 - eta * (alpha - 1)) * r_rel**2, sigma2))
        ),
    ),
)

size = Claim(
    id="rgm:suggested-baseline-size",
    refs=("A26",),
    title="The suggested baseline is a variance",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"In the range of $\alpha$ the suggested variance lies between $\frac12\gamma\eta^{-2}R_{rel}^2$ and twice that.",
    variables=(ETA, ALPHA, GAMMA, R_REL),
    hypotheses=(OPEN_RANGE_OF_ALPHA,),
    conclusion=chain(HALF * gamma / eta**2 * r_rel**2, "<=", suggested, "<=", gamma / eta**2 * r_rel**2),
    reading=r"It is asked whether the suggestion can be followed: it is not negative; for $R_{rel} = 0$ it is 0, where Definition 3 wants a positive one.",
    checks=(Smt(), Units({r_rel: 1})),
    sampling=_POINTS,
    mutants=(
        Mutant("not less than at order 1", le(gamma / eta**2 * r_rel**2, suggested)),
        Mutant("no range of alpha", hypotheses=()),
        Mutant("at most half", le(suggested, HALF * gamma / eta**2 * r_rel**2)),
    ),
)

_ORDER = positive("beta", "another order")
_order = _ORDER.symbol

one_order = Claim(
    id="beyond:suggested-baseline-of-one-order",
    title="The suggested baseline of one order is too small for every smaller order",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=r"For $\beta < \alpha$ and $R_{rel} > 0$ the baseline suggested for $\alpha$ does not meet the condition of Theorem 1 at the order $\beta$.",
    variables=(ETA, ALPHA, _ORDER, GAMMA, R_REL),
    hypotheses=(Hypothesis("a smaller order", lt(_order, alpha)), Hypothesis("an additive part", gt(r_rel, 0))),
    conclusion=lt(suggested, suggested.subs(alpha, _order)),
    reading="A curve over several orders, as the conversion needs it, asks for the baseline of its smallest order.",
    checks=(Smt(),),
    mutants=(
        Mutant("larger orders", hypotheses=(Hypothesis("an additive part", gt(r_rel, 0)),)),
        Mutant("no additive part", hypotheses=(Hypothesis("a smaller order", lt(_order, alpha)),)),
        Mutant("direction", ge(suggested, suggested.subs(alpha, _order))),
    ),
)

_SMALLER = positive("g", "a smaller relative noise level")
_smaller = _SMALLER.symbol
_ORDERED = Hypothesis("g is smaller", lt(_smaller, gamma))
_PAIR_OF_LEVELS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), _share: (0, 1), r_rel: (0, None), a: (0, None), d: (0, 1000)},
    {alpha: 1 + _k / q, _smaller: gamma * _share, eta: eta, gamma: gamma, r_rel: r_rel, a: a, d: d},
)
_total = gamma * a**2 + suggested

noise = Claim(
    id="rgm:noise-grows-with-gamma",
    refs=("A27",),
    title="Both parts of the noise grow with gamma",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"With the suggested baseline, relative and baseline variance are proportional to $\gamma$: a smaller $\gamma$ gives less of both.",
    variables=(ETA, ALPHA, GAMMA, _SMALLER, R_REL, NORM_X),
    hypotheses=(_ORDERED, OPEN_RANGE_OF_ALPHA),
    conclusion=both(
        le(_smaller * a**2, gamma * a**2),
        le(suggested.subs(gamma, _smaller), suggested),
        eq(_total.subs(gamma, _smaller) * gamma, _total * _smaller),
    ),
    checks=(Smt(), Units({a: 1, r_rel: 1})),
    sampling=_PAIR_OF_LEVELS,
    mutants=(
        Mutant("direction", le(suggested, suggested.subs(gamma, _smaller))),
        Mutant("proportional to the square", eq(_total.subs(gamma, _smaller) * gamma**2, _total * _smaller**2)),
        Mutant("no range of alpha", hypotheses=(_ORDERED,)),
    ),
)

_LEVELS = (
    ("rgm-v1", "rgm-v1", printed_v1, "Version 1: a smaller gamma weakens the guarantee"),
    ("rgm-v2", "rgm-v2", printed_v2, "Version 2: a smaller gamma weakens the guarantee"),
    ("beyond", "beyond", exact_curve, "The exact divergence of the worst pair grows as gamma falls"),
)

guarantee = tuple(
    Claim(
        id=f"{prefix}:guarantee-falls-with-gamma",
        refs=("A27",) if prefix != "beyond" else (),
        title=title,
        source=source,
        where=_WHERE,
        kind="remark",
        statement=r"The level is larger for a smaller $\gamma$: less noise, less privacy.",
        variables=(ETA, ALPHA, GAMMA, _SMALLER, DIMENSION),
        hypotheses=(_ORDERED, OPEN_RANGE_OF_ALPHA),
        conclusion=lt(level, level.subs(gamma, _smaller)),
        checks=(Monotone(gamma, _smaller, order=1),),
        sampling=_PAIR_OF_LEVELS,
        mutants=(
            Mutant("direction", ge(level, level.subs(gamma, _smaller))),
            Mutant("by half", lt(level, level.subs(gamma, _smaller) / 2)),
            Mutant("in proportion", le(level, level.subs(gamma, _smaller) * _smaller / gamma)),
        ),
    )
    for prefix, source, level, title in _LEVELS
)

goes_to_floor = Claim(
    id="beyond:guarantee-is-not-in-proportion-to-gamma",
    title="The part of the level that gamma does not move",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=r"Ten times the noise divides the exact level by less than ten: the logarithmic term stays.",
    variables=(ETA, ALPHA, GAMMA, DIMENSION),
    hypotheses=(OPEN_RANGE_OF_ALPHA,),
    conclusion=gt(exact_curve.subs(gamma, 10 * gamma), exact_curve / 10),
    checks=(Deduction((Premise("beyond:floor"),)),),
    sampling=_PAIR_OF_LEVELS,
    mutants=(
        Mutant("in proportion", le(exact_curve.subs(gamma, 10 * gamma), exact_curve / 10)),
        Mutant("at least half stays", gt(exact_curve.subs(gamma, 10 * gamma), exact_curve / 2)),
    ),
)
