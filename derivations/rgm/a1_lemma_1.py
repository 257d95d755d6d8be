"""Appendix A.1, Lemma 1: the noise scales of two neighbours differ at most by the factor (1 + eta)^2.

The proof splits the difference of both sides into three terms that cannot be negative: Young's inequality, the
relative sensitivity, and the lower bound on the baseline noise. The lemma's two sides are each other's mirror image.
The factor cannot be lowered: without baseline noise, R(x) = (1 + eta) R(y) reaches it.
"""

from functools import partial

from sympy import Add, Mul, Rational, Symbol

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Step, Tightness, both, chain, eq, ge, gt, le
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Released, Search, Smt, Unreduced

from .noise_of_pairs import noise_cases
from .notation import (
    BASELINE_OF_LEMMA_1,
    ETA,
    GAMMA,
    NORM_Y,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    SIGMA2,
    a,
    b,
    c,
    distance2,
    eta,
    gamma,
    r_rel,
    sigma2,
    variance_x,
    variance_y,
)

_SOURCE = "rgm-v1+v2"
_ALL = (*PAIR, ETA, GAMMA, R_REL, SIGMA2)

# Young's inequality |u + v|^2 <= (1 + eta)|u|^2 + (1 + 1/eta)|v|^2 for u = R(y), v = R(x) - R(y):
# the difference of its sides is (1/eta) |R(x) - (1 + eta) R(y)|^2, here split along and across R(y).
_YOUNG = (
    (1 / eta, (a - (1 + eta) * b * c) ** 2),
    (1 / eta, (1 + eta) ** 2, b**2, 1 + c, 1 - c),
)

# The printed numerators, from one line of the display to the next.
# Left as it is written: SymPy would add it up to the variance at x at once.
_added = gamma * Add(b**2, Mul(2, a * b * c - b**2, evaluate=False), distance2, evaluate=False) + sigma2
_young = gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * distance2 + sigma2
_sensitive = gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * (eta**2 * b**2 + r_rel**2) + sigma2
_NOISE = Hypothesis("noise at y", gt(variance_y, 0), "Definition 3: the mechanism has noise, so the ratios are defined")

expansion = Claim(
    id="rgm:a1-expansion",
    refs=("A66a",),
    title="Adding and subtracting the output at y",
    source=_SOURCE,
    where="App. A.1, proof of Lemma 1, first line",
    kind="identity",
    statement="Writing $R(x) = R(y) + (R(x) - R(y))$ leaves the ratio of the variances as it is.",
    variables=(*PAIR, GAMMA, SIGMA2),
    hypotheses=(_NOISE,),
    conclusion=eq(variance_x / variance_y, _added / variance_y),
    reading=r"The square of $|R(y) + (R(x)-R(y))|$ is multiplied out; its cross term is $2(abc - b^2)$.",
    checks=(Identity(),),
    mutants=(
        Mutant(
            "the cross term once",
            eq(variance_x / variance_y, (gamma * (a * b * c + distance2) + sigma2) / variance_y),
        ),
        Mutant("no cross term", eq(variance_x / variance_y, (gamma * (b**2 + distance2) + sigma2) / variance_y)),
    ),
)

young = Claim(
    id="rgm:a1-young",
    refs=("A66a",),
    title="Young's inequality inside the noise ratio",
    source=_SOURCE,
    where="App. A.1, proof of Lemma 1, first two lines",
    kind="inequality",
    statement="Adding and subtracting $R(y)$ and applying Young's inequality bounds the variance at $x$.",
    variables=(*PAIR, ETA, GAMMA, SIGMA2),
    conclusion=le(variance_x, gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * distance2 + sigma2),
    checks=(Combination(terms=tuple((gamma, *t) for t in _YOUNG)), Smt()),
    mutants=(
        Mutant("1 + eta becomes 1", le(variance_x, gamma * b**2 + gamma * (1 + 1 / eta) * distance2 + sigma2)),
        Mutant("1 + 1/eta becomes 1/eta", le(variance_x, gamma * (1 + eta) * b**2 + gamma / eta * distance2 + sigma2)),
        Mutant("direction", ge(variance_x, gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * distance2 + sigma2)),
    ),
)

young_ratio = Claim(
    id="rgm:a1-young-ratio",
    refs=("A66a",),
    title="Young's inequality inside the noise ratio, as a ratio",
    source=_SOURCE,
    where="App. A.1, proof of Lemma 1, second line",
    kind="inequality",
    statement="The bound on the numerator bounds the ratio, whose denominator is positive.",
    variables=(*PAIR, ETA, GAMMA, SIGMA2),
    hypotheses=(_NOISE,),
    conclusion=le(_added / variance_y, _young / variance_y),
    checks=(Smt(),),
    mutants=(
        Mutant("1 + eta becomes 1", le(_added / variance_y, (_young - gamma * eta * b**2) / variance_y)),
        Mutant("direction", ge(_added / variance_y, _young / variance_y)),
    ),
)

sensitivity_step = Claim(
    id="rgm:a1-sensitivity",
    refs=("A66b",),
    title="Relative sensitivity inside the noise ratio",
    source=_SOURCE,
    where="App. A.1, proof of Lemma 1, last line of the display",
    kind="inequality",
    statement="Relative sensitivity at $y$ replaces the squared distance by what it allows.",
    variables=(*PAIR, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(RELATIVE_SENSITIVITY[1], _NOISE),
    conclusion=le(_young / variance_y, _sensitive / variance_y),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "1 + 1/eta becomes 1 on the right",
            le(_young / variance_y, (_sensitive - gamma / eta * (eta**2 * b**2 + r_rel**2)) / variance_y),
        ),
        Mutant("no absolute part", le(_young / variance_y, _sensitive.subs(r_rel, 0) / variance_y)),
        Mutant("direction", ge(_young / variance_y, _sensitive / variance_y)),
    ),
)

factoring = Claim(
    id="rgm:a1-factoring",
    refs=("A66c",),
    title="The baseline noise lets the variance at y be factored out",
    source=_SOURCE,
    where="App. A.1, proof of Lemma 1, last paragraph",
    kind="inequality",
    statement=r"With enough baseline noise the last numerator is at most $(1+\eta)^2$ times the variance at $y$.",
    variables=(NORM_Y, ETA, GAMMA, R_REL, SIGMA2),
    hypotheses=(BASELINE_OF_LEMMA_1,),
    conclusion=le(_sensitive, (1 + eta) ** 2 * variance_y),
    checks=(
        Combination(
            terms=((eta * (2 + eta), sigma2 - gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2),),
        ),
        Smt(),
    ),
    mutants=(
        Mutant("(1 + eta)^2 becomes 1 + eta", le(_sensitive, (1 + eta) * variance_y)),
        Mutant("no baseline noise", hypotheses=()),
        Mutant("direction", ge(_sensitive, (1 + eta) ** 2 * variance_y)),
    ),
)

#: The noise alone, at x against y, and in both orders.
_UPPER, _BOTH = partial(noise_cases, orders=1), partial(noise_cases, orders=2)

lemma_1_upper = Claim(
    id="rgm:lemma-1-upper",
    refs=("A66c",),
    title="Lemma 1, upper side",
    source=_SOURCE,
    where="App. A.1, Lemma 1",
    kind="inequality",
    statement=r"The variance at $x$ is at most $(1+\eta)^2$ times the variance at $y$.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1),
    conclusion=le(variance_x, (1 + eta) ** 2 * variance_y),
    checks=(
        Combination(
            terms=(
                *((gamma, *t) for t in _YOUNG),
                (gamma * (1 + 1 / eta), eta**2 * b**2 + r_rel**2 - distance2),
                (eta * (2 + eta), sigma2 - gamma * (1 + 1 / eta) / (2 * eta + eta**2) * r_rel**2),
            )
        ),
        Smt(),
        Unreduced(cases=_UPPER),
        Released(cases=_UPPER),
    ),
    derivation=(
        Step("Young's inequality.", "rgm:a1-young"),
        Step("Relative sensitivity at $y$.", "rgm:a1-sensitivity"),
        Step(r"The bound on $\sigma^2$.", "rgm:a1-factoring"),
    ),
    mutants=(
        Mutant("(1 + eta)^2 becomes 1 + eta", le(variance_x, (1 + eta) * variance_y)),
        Mutant(
            "half of the baseline noise",
            hypotheses=(
                *RELATIVE_SENSITIVITY,
                Hypothesis("half", ge(sigma2, gamma * (1 + 1 / eta) / (2 * (2 * eta + eta**2)) * r_rel**2)),
            ),
        ),
        Mutant("sides swapped", le((1 + eta) ** 2 * variance_x, variance_y)),
    ),
)

lemma_1 = Claim(
    id="rgm:lemma-1",
    refs=("A65", "A66c"),
    title="Lemma 1: ratio of the noise scales",
    source=_SOURCE,
    where="App. A.1, Lemma 1",
    kind="lemma",
    statement=r"Neighbouring outputs are noised at scales whose ratio lies between $(1+\eta)^{-2}$ and $(1+\eta)^2$.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1),
    conclusion=both(le(variance_x, (1 + eta) ** 2 * variance_y), le(variance_y, (1 + eta) ** 2 * variance_x)),
    checks=(
        Deduction((Premise("rgm:lemma-1-upper"), Premise("rgm:lemma-1-upper", {a: b, b: a}))),
        Unreduced(cases=_BOTH),
        Released(cases=_BOTH),
    ),
    mutants=(
        Mutant(
            "(1 + eta)^2 becomes 1 + eta",
            both(le(variance_x, (1 + eta) * variance_y), le(variance_y, (1 + eta) * variance_x)),
        ),
        Mutant("a baseline of zero", hypotheses=RELATIVE_SENSITIVITY),
    ),
    reading="Multiplied out, so that it also speaks of two outputs without noise; `rgm:lemma-1-ratio` has the ratio.",
    tightness=(
        Tightness(
            1 - (1 - 1 / (1 + sigma2)) * (1 - (1 + eta) ** (-2)),
            {eta: (Rational(1, 100), Rational(2)), sigma2: (0, 1)},
            r"ratio of variances over its bound, for $R(x) = (1+\eta)R(y)$ and $\gamma|R(y)|^2 = 1$",
            plot=(sigma2,),
            at={eta: Rational(1, 10)},
        ),
    ),
    derivation=(
        Step(r"Write $R(x) = R(y) + (R(x)-R(y))$ .", "rgm:a1-expansion"),
        Step("Apply Young's inequality.", "rgm:a1-young-ratio"),
        Step(
            r"Relative sensitivity bounds the distance and the baseline noise absorbs the remaining $R_{rel}^2$.",
            "rgm:lemma-1-upper",
        ),
        Step("Exchange the roles of $x$ and $y$ for the lower side.", "rgm:lemma-1-upper"),
    ),
)

lemma_1_ratio = Claim(
    id="rgm:lemma-1-ratio",
    refs=("A65",),
    title="Lemma 1, as the printed ratio",
    source=_SOURCE,
    where="App. A.1, Lemma 1",
    kind="lemma",
    statement=r"The ratio of the two noise variances lies between $(1+\eta)^{-2}$ and $(1+\eta)^2$.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, _NOISE),
    conclusion=chain((1 + eta) ** (-2), "<=", variance_x / variance_y, "<=", (1 + eta) ** 2),
    checks=(Deduction((Premise("rgm:lemma-1"),)),),
    mutants=(
        Mutant("lower end 1", chain(1, "<=", variance_x / variance_y, "<=", (1 + eta) ** 2)),
        Mutant("upper end 1 + eta", chain((1 + eta) ** (-2), "<=", variance_x / variance_y, "<=", 1 + eta)),
        Mutant(
            "sensitivity on one side only",
            hypotheses=(RELATIVE_SENSITIVITY[1], BASELINE_OF_LEMMA_1, _NOISE),
        ),
    ),
    derivation=(Step("Divide by the variance at $y$.", "rgm:lemma-1"),),
)

lemma_1_attained = Claim(
    id="beyond:lemma-1-attained",
    title="The factor of Lemma 1 is reached",
    source="beyond",
    where="App. A.1, Lemma 1",
    kind="remark",
    statement=r"Some admissible pair with noise has variances in the ratio $(1+\eta)^2$, which the lemma lets no pair exceed.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1, _NOISE),
    conclusion=ge(variance_x, (1 + eta) ** 2 * variance_y),
    quantifier="exists",
    checks=(Search(), Smt()),
    sampling=Chart(
        {Symbol("k", real=True): (0, 1)},
        {
            a: Rational(5, 2),
            b: Rational(2),
            c: Rational(1),
            eta: Rational(1, 4),
            gamma: Rational(1),
            r_rel: Rational(0),
            sigma2: Rational(0),
        },
    ),
    mutants=(Mutant("a larger ratio", gt(variance_x, (1 + eta) ** 2 * variance_y)),),
)
