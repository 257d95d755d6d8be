"""Section 4.2: the privacy loss of the mechanism against a Gaussian mechanism with local sensitivity.

With gamma = alpha eta^2 / (2 eps) and sigma^2 = gamma R_rel^2 / eta^2 the noise is what a local sensitivity would suggest for the
target eps at the order alpha; equation (6) of each version says what Theorem 1 then guarantees. The second term of (6) is
the price of a noise level that depends on the output.
"""

from typing import Any

from sympy import Rational

from rgm_verify.claims import (
    Chart,
    Claim,
    Formula,
    Hypothesis,
    Mutant,
    Step,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    lt,
    positive,
    real,
)
from rgm_verify.lenses import Deduction, Identity, Premise, Smt

from ..beyond.exact_renyi import IN_RANGE, divergence, exact_curve
from .notation import (
    ALPHA,
    DIMENSION,
    ETA,
    GAMMA,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    a,
    alpha,
    b,
    c,
    d,
    eta,
    gamma,
    q,
    r_rel,
    rho,
    sigma2,
    variance_x,
    variance_y,
)
from .output_pairs import NEIGHBOURS, of_neighbours, of_the_worst_pair
from .s4_theorem_1 import ETA_AT_MOST_1, printed_v1, printed_v2

TARGET = positive("epsilon_star", "target of the Rényi guarantee at the order alpha")
_target = TARGET.symbol
_K = real("k", "(alpha - 1) q", lower=0, upper=1, lower_open=True, upper_open=True)
_k = _K.symbol
_choice = {gamma: alpha * eta**2 / (2 * _target), sigma2: alpha / (2 * _target) * r_rel**2}

#: Equation (6) of each version: its two terms.
target_term = _target / rho
loss_v1 = alpha * d / 2 * eta**2 * (2 + eta) ** 2
loss_v2 = alpha * d * eta**2 * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho)

#: The two outputs with the chosen noise, and the target for which that noise has the gamma of a point.
_CHOSEN = NEIGHBOURS.subs(_choice)
_TARGETS = {_target: alpha * eta**2 / (2 * gamma)}

_VARIABLES = (*PAIR, ETA, R_REL, ALPHA, DIMENSION, TARGET)
_VARIANCES = Hypothesis(
    "both variances are positive",
    both(gt(variance_x.subs(_choice), 0), gt(variance_y.subs(_choice), 0)),
    "Definition 3",
)
_PAIRS = Chart(
    {b: (0, None), eta: (0, 1), _k: (0, 1), _target: (0, None), d: (1, 1000)},
    {a: (1 + eta) * b, c: 1 + 0 * b, r_rel: 0 * b, alpha: 1 + _k / q, b: b, eta: eta, d: d, _target: _target},
)


def _guarantee(version: str, ref: str, loss: Any, **rest: Any) -> Claim:
    checks = (*rest.pop("checks", ()), *of_neighbours(divergence.subs(_choice), outputs=_CHOSEN, further=_TARGETS))
    return Claim(
        id=f"rgm-{version}:equation-6",
        refs=(ref,),
        title=f"Equation (6) of version {version[1]}",
        source=f"rgm-{version}",
        where=f"§4.2; {version} (6)",
        kind="corollary",
        statement="With the noise of the local sensitivity the mechanism satisfies Rényi differential privacy with the sum of both terms of (6).",
        variables=_VARIABLES,
        hypotheses=(*RELATIVE_SENSITIVITY, IN_RANGE, _VARIANCES, *((ETA_AT_MOST_1,) if version == "v1" else ())),
        conclusion=le(divergence.subs(_choice), target_term + loss),
        checks=checks,
        sampling=_PAIRS,
        **rest,
    )


equation_6_v1 = _guarantee(
    "v1",
    "A48",
    loss_v1,
    category="false",
    corrected="rgm-v2:equation-6",
    derivation=(Step(claim="rgm-v1:theorem-1"),),
    remark="It inherits the missing denominator of version 1's Theorem 1.",
)
equation_6_v2 = _guarantee(
    "v2",
    "A49",
    loss_v2,
    checks=(
        Deduction(
            (Premise("rgm-v2:theorem-1", _choice),),
        ),
    ),
    mutants=(
        Mutant(
            "half of the second term's square", le(divergence.subs(_choice), target_term + loss_v2 / (2 + eta) ** 2)
        ),
        Mutant("the target alone", le(divergence.subs(_choice), target_term)),
        Mutant("without 1/rho in the first term", le(divergence.subs(_choice), _target)),
    ),
)

_PARAMETERS = (ETA, ALPHA, DIMENSION, TARGET)
_PARAMETER_CHART = Chart(
    {eta: (0, 1), _k: (0, 1), _target: (0, None), d: (1, 1000)},
    {alpha: 1 + _k / q, eta: eta, d: d, _target: _target},
)


def _follows(version: str, ref: str, bound: Any, loss: Any) -> Claim:
    return Claim(
        id=f"rgm-{version}:equation-6-from-theorem-1",
        refs=(ref,),
        title=f"Equation (6) is Theorem 1 of version {version[1]} at the chosen noise",
        source=f"rgm-{version}",
        where=f"§4.2; {version} (6)",
        kind="identity",
        statement="Putting the chosen noise into the bound of Theorem 1 gives (6).",
        variables=_PARAMETERS,
        hypotheses=(IN_RANGE,),
        conclusion=eq(bound.subs(_choice), target_term + loss),
        checks=(Identity(),),
        sampling=_PARAMETER_CHART,
        mutants=(
            Mutant("the target twice", eq(bound.subs(_choice), 2 * target_term + loss)),
            Mutant("d dropped", eq(bound.subs(_choice), target_term + loss / d)),
        ),
    )


follows_v1 = _follows("v1", "A48", printed_v1, loss_v1)
follows_v2 = _follows("v2", "A49", printed_v2, loss_v2)

_FACTOR = Chart({eta: (0, 1), _k: (0, 1)}, {alpha: 1 + _k / q, eta: eta})

factor_v1 = Claim(
    id="rgm-v1:factor-at-most-2",
    refs=("A50",),
    title="The weight of the target is at most 2, version 1",
    source="rgm-v1",
    where="§4.2, after v1 (6)",
    kind="inequality",
    statement=r"For $\eta \le 1$ and $6\eta(\alpha-1) \le 1$ the factor $1/\rho$ is at most 2.",
    variables=(ETA, ALPHA),
    hypotheses=(ETA_AT_MOST_1, Hypothesis("small order", le(6 * eta * (alpha - 1), 1), "§4.2")),
    conclusion=both(gt(rho, 0), le(1 / rho, 2)),
    checks=(Smt(),),
    mutants=(
        Mutant("at most 19/10", le(1 / rho, 2 - eta / 10)),
        Mutant(
            "5 instead of 6",
            hypotheses=(ETA_AT_MOST_1, Hypothesis("small order", le(5 * eta * (alpha - 1), 1))),
        ),
    ),
)

factor_v2 = Claim(
    id="rgm-v2:factor-at-most-2",
    refs=("A51",),
    title="The weight of the target is at most 2, version 2",
    source="rgm-v2",
    where="§4.2, after v2 (6)",
    kind="inequality",
    statement=r"For $2\eta(2+\eta)(\alpha-1) \le 1$ the factor $1/\rho$ is at most 2.",
    variables=(ETA, ALPHA),
    hypotheses=(Hypothesis("small order", le(2 * eta * (2 + eta) * (alpha - 1), 1), "§4.2"),),
    conclusion=both(gt(rho, 0), le(1 / rho, 2)),
    checks=(Smt(),),
    sampling=Chart({eta: (0, None), _k: (0, 1)}, {eta: eta, alpha: 1 + _k / (2 * q)}),
    mutants=(
        Mutant("at most 3/2", le(1 / rho, 2 - (alpha - 1) * q)),
        Mutant("1 instead of 2", hypotheses=(Hypothesis("small order", le(eta * (2 + eta) * (alpha - 1), 1)),)),
    ),
)

factor_to_one = Claim(
    id="rgm:factor-tends-to-1",
    refs=("A52",),
    title="The weight of the target tends to 1",
    source="rgm-v1+v2",
    where="§4.2, after v1 (6), v2 (6)",
    kind="remark",
    statement=r"For fixed $\alpha$ the factor $1/\rho$ tends to 1 as $\eta$ decreases to 0.",
    reading="with a rate: between 1 and 1 + 6 eta (alpha - 1) as soon as eta <= 1 and 6 eta (alpha - 1) <= 1",
    variables=(ETA, ALPHA),
    hypotheses=(ETA_AT_MOST_1, Hypothesis("small order", le(6 * eta * (alpha - 1), 1))),
    conclusion=chain(1, "<=", 1 / rho, "<=", 1 + 6 * eta * (alpha - 1)),
    checks=(Smt(),),
    mutants=(
        Mutant("rate 2", le(1 / rho, 1 + 2 * eta * (alpha - 1))),
        Mutant("below 1", lt(1 / rho, 1)),
        Mutant("quadratic rate", le(1 / rho, 1 + 6 * eta**2 * (alpha - 1))),
    ),
)


def _independent(version: str, loss: Any, bound: Any) -> Claim:
    second = bound - alpha * eta**2 / (2 * gamma * rho)
    return Claim(
        id=f"rgm-{version}:loss-independent-of-noise",
        refs=("A53",),
        title=f"The privacy loss term does not depend on the noise, version {version[1]}",
        source=f"rgm-{version}",
        where=f"§4.2, after {version} (6)",
        kind="remark",
        statement=r"What Theorem 1 adds to its first term is the second term of (6), in which neither $\gamma$ nor $\sigma$ occurs.",
        variables=(ETA, GAMMA, ALPHA, DIMENSION),
        hypotheses=(IN_RANGE,),
        conclusion=eq(second, loss),
        checks=(Identity(),),
        sampling=Chart(
            {eta: (0, 1), _k: (0, 1), gamma: (0, None), d: (1, 1000)},
            {alpha: 1 + _k / q, eta: eta, gamma: gamma, d: d},
        ),
        mutants=(
            Mutant("a factor gamma left", eq(second, loss * gamma)),
            Mutant("halved", eq(second, loss / 2)),
        ),
    )


independent_v1 = _independent("v1", loss_v1, printed_v1)
independent_v2 = _independent("v2", loss_v2, printed_v2)

no_arbitrary_privacy = Claim(
    id="rgm:large-gamma-is-not-enough",
    refs=("A56",),
    title="No noise level gives arbitrarily good privacy",
    source="rgm-v1+v2",
    where="§4.2",
    kind="remark",
    statement=r"However large $\gamma$ is, the exact Rényi curve stays above $d\,\alpha\eta^2/2$.",
    reading="the supremum over admissible pairs, not only the printed bound, has a positive floor that does not depend on gamma",
    variables=(ETA, GAMMA, ALPHA, DIMENSION),
    hypotheses=(IN_RANGE,),
    conclusion=ge(exact_curve, d * alpha * eta**2 / 2),
    checks=(Deduction((Premise("beyond:floor"),)), *of_the_worst_pair(exact_curve)),
    sampling=Chart(
        {eta: (0, 1), _k: (0, 1), gamma: (0, None), d: (1, 1000)},
        {alpha: 1 + _k / q, eta: eta, gamma: gamma, d: d},
    ),
    derivation=(Step(claim="beyond:exact-renyi-attained"),),
    mutants=(
        Mutant("twice the printed limit", ge(exact_curve, 4 * d * alpha * eta**2)),
        Mutant("the first term alone is a floor", ge(exact_curve, alpha * eta**2 / gamma)),
    ),
)

_purely_additive: Formula = both(
    ge(target_term + loss_v2, _target + loss_v2),
    le(target_term + loss_v2, _target * (1 + 6 * eta * (alpha - 1)) + loss_v2),
)
additive = Claim(
    id="rgm:loss-is-additive",
    refs=("A57",),
    title="For small eta the loss is additive",
    source="rgm-v1+v2",
    where="§4.2",
    kind="remark",
    statement=r"With $6\eta(\alpha-1) \le 1$ the guarantee exceeds target plus loss by at most $6\eta(\alpha-1)$ times the target.",
    reading="additive: what is not the second term of (6) is the target up to a factor 1 + 6 eta (alpha - 1)",
    variables=_PARAMETERS,
    hypotheses=(ETA_AT_MOST_1, Hypothesis("eta small compared to alpha", le(6 * eta * (alpha - 1), 1))),
    conclusion=_purely_additive,
    checks=(Smt(),),
    mutants=(
        Mutant("exactly additive", le(target_term + loss_v2, _target + loss_v2)),
        Mutant("quadratically small", le(target_term, _target * (1 + 6 * eta**2 * (alpha - 1)))),
    ),
)

strictly_additive = Claim(
    id="beyond:loss-is-exactly-additive",
    title="Read to the letter: the loss is purely additive",
    source="beyond",
    where="§4.2",
    kind="remark",
    statement="For small enough $\\eta$ the guarantee is the target plus a term that does not depend on the target.",
    reading="purely additive to the letter, for 6 eta (alpha - 1) <= 1",
    variables=_PARAMETERS,
    hypotheses=(ETA_AT_MOST_1, Hypothesis("eta small compared to alpha", le(6 * eta * (alpha - 1), 1))),
    conclusion=eq(target_term + loss_v2, _target + loss_v2),
    category="false",
    corrected="rgm:loss-is-additive",
)


def _overhead(version: str, ref: str, loss: Any, limit: int, smaller: int) -> Claim:
    small = Hypothesis("dimension not too large", le(d * gamma, Rational(1, limit)), "§4.2")
    larger = Hypothesis("a larger dimension", le(d * gamma, Rational(1, smaller)))
    first = alpha * eta**2 / (2 * gamma * rho)
    return Claim(
        id=f"rgm-{version}:minimal-overhead",
        refs=(ref,),
        title=f"In small dimension the overhead is at most the target, version {version[1]}",
        source=f"rgm-{version}",
        where="§4.2",
        kind="remark",
        statement=rf"For $\eta \le 1$ and $d \le 1/({limit}\gamma)$ the second term of the bound is at most the first.",
        reading="minimal overhead: the second term of the bound is at most its first term",
        variables=(ETA, GAMMA, ALPHA, DIMENSION),
        hypotheses=(IN_RANGE, ETA_AT_MOST_1, small),
        conclusion=le(loss, first),
        checks=(Smt(),),
        sampling=Chart(
            {eta: (0, 1), _k: (0, 1), gamma: (0, 1), d: (1, 1000)},
            {alpha: 1 + _k / q, eta: eta, gamma: gamma / (smaller * d), d: d},
        ),
        mutants=(
            Mutant("a larger dimension", hypotheses=(IN_RANGE, ETA_AT_MOST_1, larger)),
            Mutant("a hundredth of the first term", le(100 * loss, first)),
        ),
    )


overhead_v1 = _overhead("v1", "A58", loss_v1, 9, 2)
overhead_v2 = _overhead("v2", "A59", loss_v2, 36, 12)
