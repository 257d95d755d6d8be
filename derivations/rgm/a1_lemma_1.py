"""Appendix A.1, Lemma 1: the noise scales of two neighbours differ at most by the factor (1 + eta)^2.

The proof splits the difference of both sides into three terms that cannot be negative: Young's inequality, the
relative sensitivity, and the lower bound on the baseline noise. The lemma's two sides are each other's mirror image.
"""

from rgm_verify.claims import Claim, Hypothesis, Mutant, Step, both, ge, le
from rgm_verify.lenses import Combination, Deduction, Premise, Smt

from .notation import (
    BASELINE_OF_LEMMA_1,
    ETA,
    GAMMA,
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
        Mutant(
            "1 + 1/eta becomes 1/eta", le(variance_x, gamma * (1 + eta) * b**2 + gamma / eta * distance2 + sigma2)
        ),
        Mutant("direction", ge(variance_x, gamma * (1 + eta) * b**2 + gamma * (1 + 1 / eta) * distance2 + sigma2)),
    ),
)

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
    refs=("A65",),
    title="Lemma 1: ratio of the noise scales",
    source=_SOURCE,
    where="App. A.1, Lemma 1",
    kind="lemma",
    statement=r"Neighbouring outputs are noised at scales whose ratio lies between $(1+\eta)^{-2}$ and $(1+\eta)^2$.",
    variables=_ALL,
    hypotheses=(*RELATIVE_SENSITIVITY, BASELINE_OF_LEMMA_1),
    conclusion=both(le(variance_x, (1 + eta) ** 2 * variance_y), le(variance_y, (1 + eta) ** 2 * variance_x)),
    checks=(Deduction((Premise("rgm:lemma-1-upper"), Premise("rgm:lemma-1-upper", {a: b, b: a}))),),
    mutants=(
        Mutant(
            "(1 + eta)^2 becomes 1 + eta",
            both(le(variance_x, (1 + eta) * variance_y), le(variance_y, (1 + eta) * variance_x)),
        ),
        Mutant("a baseline of zero", hypotheses=RELATIVE_SENSITIVITY),
    ),
    derivation=(
        Step(r"Write $R(x) = R(y) + (R(x)-R(y))$ and apply Young's inequality.", "rgm:a1-young"),
        Step(
            r"Relative sensitivity bounds the distance and the baseline noise absorbs the remaining $R_{rel}^2$.",
            "rgm:lemma-1-upper",
        ),
        Step("Exchange the roles of $x$ and $y$ for the lower side.", "rgm:lemma-1-upper"),
    ),
)
