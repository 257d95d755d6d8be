r"""Network privacy of a model that walks on a complete graph: the lower end, by returns of the model from the target.

A return: a member of the coalition sends the model, nobody of the coalition has it for $j \le m$ steps, the last of which is the target's, and the coalition gets it back. That a return begins at
one of $W$ steps has a probability that is bounded from below by Bonferroni's inequality, which is proved here for numbers of events. As in `beyond:network-upper-end`, a
model that may stay goes to each of $n = K$ parties alike, and one that has to move on to each of $n = K - 1$.
"""

from sympy import Sum

from rgm_verify.pages import *

from ...slides.notation import NOTATION, K, T
from ...theorems import INDUCTION, MONOTONE_INTEGRAL

page = Page("beyond", "A model that walks on a complete graph", NOTATION)

_k = page.natural("k", "number of events that occur", lower=0)
counted = page.at("the lower end").inequality(
    "beyond:bonferroni",
    "Bonferroni's inequality, for the number of events that occur",
    both(le(_k - _k * (_k - 1) / 2, 1), le(_k - _k * (_k - 1) / 2, _k)),
    r"The smaller right side is 1 if some event occurs, and at most 0 if none does; $\frac{k(k-1)}2$ pairs occur together. So the mean of the left side, the sum of the probabilities of the events less that of the pairs, is at most the probability that some event occurs.",
    wrong={
        "half of the pairs": both(le(_k - _k * (_k - 1) / 4, 1), le(_k - _k * (_k - 1) / 4, _k)),
        "without pairs": le(_k, 1),
    },
    steps=(MONOTONE_INTEGRAL.quoted("Means are taken.", "This is what the formula says.", "There are finitely many events."),),
)  # fmt: skip

_n = page.natural("n", "parties that the model may go to: all, or all others")
_c = page.natural("c", "parties in the coalition")
_a = page.nonnegative("a", "chance that the target has the model, away from the coalition")
_b = page.nonnegative("b", "chance that one of the others has it")
_ALIKE = Hypothesis("all parties outside of the coalition are alike", eq(_b, (_n - _c) * _a), "the step before")
_ROOM = Hypothesis("there are other parties", ge(_n, _c + 1))
outside = page.at("the lower end").lemma(
    "beyond:network-away-from-the-coalition",
    "A step away from the coalition, for a model that has to move on",
    both(eq(_b / _n, (1 - _c / _n) * _a), eq((_n - _c) * _a / _n + _b * (_n - _c - 1) / _n, (_n - _c) * ((1 - _c / _n) * _a))),
    r"There are $n - c$ others. The first relation is the chance of the target a step later, the second one that of the others: both have the factor $1 - \frac cn$, and all parties outside are alike again. If the model may stay, this is plain.",
    given=(_ALIKE, _ROOM),
    by=Smt(),
    points={_c: (1, 9), _n: 1 + _c + _n, _a: (0, 1), _b: (1 + _n) * _a},
    wrong={"no factor": eq(_b / _n, _a), "it may stay": eq((_n - _c) * _a / _n + _b * (_n - _c) / _n, (_n - _c) * ((1 - _c / _n) * _a)), "not alike": without(_ALIKE)},
    steps=(INDUCTION.quoted("For all steps:", "From the coalition the first step goes to each party outside alike.", "This is what the formula says."),),
)  # fmt: skip

_m = page.natural("m", "longest return that counts")
_j = Symbol("j", integer=True, positive=True)
_stay = page.real("x", "chance to stay away from the coalition for a step", lower=0, upper=1, upper_open=True)
series = page.at("the lower end").identity(
    "beyond:network-geometric-sum",
    "The sum over waiting times",
    eq(Sum(_stay ** (_j - 1), (_j, 1, _m)), (1 - _stay**_m) / (1 - _stay)),
    wrong={"a step more": (1 - _stay ** (_m + 1)) / (1 - _stay), "for ever": 1 / (1 - _stay)},
)

_left = Sum((1 - _c / _n) ** (_j - 1), (_j, 1, _m))
_some_return = page.at("the lower end").lemma(
    "beyond:network-return-chance",
    "The chance of a return that begins at one step",
    eq(_c / K * (1 / _n * (_c / _n) * _left), _c / K * (1 - (1 - _c / _n) ** _m) / _n),
    r"The coalition has the model with the chance $\frac cK$ at every step, as the first party is uniform. The target has it $j$ steps later, and the coalition not before, with the chance $\frac1n(1-\frac cn)^{j-1}$; then it goes to the coalition with the chance $\frac cn$.",
    given=_ROOM,
    by=Deduction((Premise("beyond:network-geometric-sum", {_stay: 1 - _c / _n}),)),
    points={_c: (1, 5), _n: 1 + _c + _n, _m: (1, 12), K: (3, 30)},
    wrong={"one observer": eq(_c / K * (1 / _n * (_c / _n) * _left), 1 / K * (1 - (1 - _c / _n) ** _m) / _n), "a step more": eq(_c / K * (1 / _n * (_c / _n) * _left), _c / K * (1 - (1 - _c / _n) ** (_m + 1)) / _n)},
    steps=("beyond:network-away-from-the-coalition",),
)  # fmt: skip

_q = page.real("q", "chance that the coalition has the model", lower=0, upper=1)
_gap = page.real("y", "what it exceeds c/K by", latex=r"y")
again = page.at("the lower end").identity(
    "beyond:network-coalition-again",
    "The chance of the coalition forgets where the model was",
    eq(_q * (_c - 1) / _n + (1 - _q) * _c / _n - _c / (_n + 1), -(_q - _c / (_n + 1)) / _n),
    r"For a model that has to move on, $K = n + 1$. So the chance differs from $\frac cK$ by $(1-\frac cK)(-\frac1n)^i$ at $i$ steps after the coalition had the model. For $c = 1$ it is that of a single party.",
    by=Smt(),
    wrong={
        "the same sign": (_q - _c / (_n + 1)) / _n,
        "it may stay": left(_q * _c / _n + (1 - _q) * _c / _n - _c / (_n + 1)),
    },
)

_SIZE = 1 - _c / (_n + 1)
_NEAR = Hypothesis("so far", both(ge(_gap, -_SIZE / _n), le(_gap, _SIZE / _n**2)), "the step before")
near = page.at("the lower end").lemma(
    "beyond:network-coalition-again-at-most",
    "The chance of the coalition at any later step",
    both(ge(-_gap / _n, -_SIZE / _n), le(-_gap / _n, _SIZE / _n**2)),
    r"It exceeds $\frac cK$ by at most $(1-\frac cK)\frac1{n^2}$, the excess after two steps: the share $\kappa = \frac{K-c}{cn^2}$ of it.",
    given=(_NEAR, _ROOM),
    by=Smt(),
    points={_c: (1, 9), _n: 1 + _c + _n, _gap: (0, 1, (1 - _c / (2 + _c + _n)) * (_gap * (1 + 1 / (1 + _c + _n)) - 1) / (1 + _c + _n))},
    wrong={"half": both(ge(-_gap / _n, -_SIZE / _n), le(-_gap / _n, _SIZE / (2 * _n**2))), "any chance": without(_NEAR)},
    steps=(
        "beyond:network-coalition-again",
        INDUCTION.quoted("For all later steps:", r"A step after the coalition had the model the excess is $-(1-\frac cK)\frac1n$.", "This is what the formula says."),
    ),
)  # fmt: skip

_once = page.real("P_1", "chance of a return that begins at one step", lower=0, upper=1)
_starts = page.real("W", "number of steps that it may begin at", lower=1)
_touch = page.nonnegative("tau", "chance of a return that ends where the coalition has the model", latex=r"\tau")
_kappa = page.nonnegative("kappa", "excess of the chance that the coalition has the model again", latex=r"\kappa")
_some = page.real("P", "chance of some return", lower=0, upper=1)
_single = page.nonnegative("S_1", "sum of the chances of returns")
_pairs = page.nonnegative("S_2", "sum of the chances of pairs of returns")
_BONFERRONI = Hypothesis("one less pairs", ge(_some, _single - _pairs), by=("beyond:bonferroni",))
_SINGLE = Hypothesis("single returns", eq(_single, _starts * _once), by=("beyond:network-return-chance",))
_PAIRS = Hypothesis("pairs", le(_pairs, _starts * (_starts - 1) / 2 * (1 + _kappa) * _once**2 + _starts * _touch * _once), by=("beyond:network-coalition-again-at-most",))  # fmt: skip

returns = page.at("the lower end").lemma(
    "beyond:network-return",
    "The chance that the target sends the model to a coalition that just had it",
    le(_starts * _once * (1 - (1 + _kappa) * _starts * _once / 2 - _touch), _some),
    r"$P_1 = \frac cK\tau$ with $\tau = \frac1n(1 - (1-\frac cn)^m)$. Two returns either touch, in one visit of the coalition: the first ones that may end there have together the chance $P_1$, and the second, given the visit, has $\frac KcP_1 = \tau$; or they have no step in common, "
    r"and the second has its own chance, but for the factor $1 + \kappa$ if the model has to move on. If it may stay, $\kappa = 0$.",
    given=(_BONFERRONI, _SINGLE, _PAIRS),
    by=Smt(),
    points={
        _starts: 1 + _starts,
        _once: (0, 1, _once / (1 + _starts)),
        _touch: (0, 1),
        _kappa: (0, 1),
        _single: _once,
        _pairs: (0, 1, _pairs * _once * _touch),
        _some: (0, 1, _once + _some * (1 - _once)),
    },
    wrong={"pairs left out": _some / 2, "twice": left(2 * _starts * _once), "without the pairs": without(_PAIRS), "any chance of some return": without(_BONFERRONI)},
    steps=("beyond:network-return-chance", "beyond:network-coalition-again-at-most"),
    reading="Given that the coalition has the model, which member has it does not matter for what comes: all are alike.",
)  # fmt: skip

_visits = page.real("z", "visits of the target less their mean")
_short = page.positive("t", "by how much they fall short of the mean")
_u = page.nonnegative("u", "a free number")
cantelli = page.at("all messages").inequality(
    "beyond:cantelli-pointwise",
    "A bound on a tail by the variance",
    ge((_u - _visits) ** 2, (_u + _short) ** 2),
    r"So the chance to fall short by $t$ is at most $\frac{V + u^2}{(u+t)^2}$ for the variance $V$, and $\frac12$ at $u = t = \sqrt V$.",
    given=Hypothesis("they fall short", le(_visits, -_short)),
    by=Smt(),
    points={_u: (0, 3), _short: (0, 3), _visits: (0, 1, -_short - _visits)},
    wrong={"twice the shortfall": (_u + 2 * _short) ** 2, "any number of visits": without()},
    steps=(MONOTONE_INTEGRAL.quoted("Means are taken of the left side, and of the right side where it applies.", "This is what the formula says.", "The number of visits is bounded."),),
)  # fmt: skip

_V = page.positive("V", "bound on the variance")
half = page.at("all messages").identity(
    "beyond:cantelli-half",
    "A half at one deviation",
    eq((_V + _u**2) / (_u + _short) ** 2, Rational(1, 2)),
    "So a party has at least its mean number of visits less one deviation with a probability of a half.",
    given=(Hypothesis("one deviation", eq(_short**2, _V)), Hypothesis("the free number", eq(_u, _short))),
    by=Smt(),
    points={_short: (0, 3), _u: _short, _V: _short**2},
    wrong={
        "a third": Rational(1, 3),
        "no free number": left(_V / _short**2),
        "any shortfall": without("one deviation"),
    },
    steps=("beyond:cantelli-pointwise",),
)

_i = page.natural("i", "steps between two visits")
variance = page.at("all messages").lemma(
    "beyond:network-variance-of-visits",
    "The variance of the number of visits, for a model that has to move on",
    le(-(T - _i) / _n + (T - _i - 1) / _n**2, 0),
    r"The visits of a party at two steps, $i$ apart, have the covariance $\frac1K(1-\frac1K)(-\frac1n)^i$, and there are $T - i$ such pairs. On the left are the terms of an odd $i$ and of the next one, over their common factor: "
    r"together they are at most 0. So the variance of $T$ steps is at most $\frac TK(1-\frac1K)$, that of independent ones.",
    given=Hypothesis("such pairs exist", le(_i, T)),
    by=Smt(),
    points={T: (1, 40), _i: (1, 40), _n: (2, 30)},
    wrong={"the even one alone": le((T - _i - 1) / _n**2, 0), "the even one first": le((T - _i) / _n - (T - _i - 1) / _n**2, 0)},
    steps=("beyond:network-coalition-again",),
)  # fmt: skip
