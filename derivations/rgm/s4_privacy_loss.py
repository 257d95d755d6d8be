"""Section 4.2: the privacy loss of the mechanism against a Gaussian mechanism with local sensitivity.

With gamma = alpha eta^2 / (2 eps) and sigma^2 = gamma R_rel^2 / eta^2 the noise is what a local sensitivity would suggest for the
target eps at the order alpha; equation (6) of each version says what Theorem 1 then guarantees. The second term of (6) is
the price of a noise level that depends on the output.
"""

from typing import Any

from sympy import Rational

from rgm_verify.claims import *
from rgm_verify.lenses import *

from ..beyond.exact_renyi import IN_RANGE, divergence, exact_curve
from ..beyond.exact_renyi import page as _exact_renyi
from .notation import *
from .output_pairs import NEIGHBOURS, of_neighbours, of_the_worst_pair
from .s4_theorem_1 import ETA_AT_MOST_1, printed_v1, printed_v2
from .s4_theorem_1 import page as _s4_theorem_1

page = Page("rgm-v1+v2", "§4.2", NOTATION, _exact_renyi, _s4_theorem_1)


_target = page.positive("epsilon_star", "target of the Rényi guarantee at the order alpha")

_k = page.real("k", "(alpha - 1) q", lower=0, upper=1, lower_open=True, upper_open=True)

_choice = {gamma: alpha * eta**2 / (2 * _target), sigma2: alpha / (2 * _target) * r_rel**2}

#: Equation (6) of each version: its two terms.
target_term = _target / rho
loss_v1 = alpha * d / 2 * eta**2 * (2 + eta) ** 2
loss_v2 = alpha * d * eta**2 * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho)

#: The two outputs with the chosen noise, and the target for which that noise has the gamma of a point.
_CHOSEN = NEIGHBOURS.subs(_choice)
_TARGETS = {_target: alpha * eta**2 / (2 * gamma)}

_VARIABLES = (*PAIR, eta, r_rel, alpha, DIMENSION, _target)
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
    return page.elsewhere(f"§4.2; {version} (6)", " ".join((ref,)), source=f"rgm-{version}").corollary(
        f"rgm-{version}:equation-6",
        f"Equation (6) of version {version[1]}",
        le(divergence.subs(_choice), target_term + loss),
        "With the noise of the local sensitivity the mechanism satisfies Rényi differential privacy with the sum of both terms of (6).",
        given=(*RELATIVE_SENSITIVITY, IN_RANGE, _VARIANCES, *((ETA_AT_MOST_1,) if version == "v1" else ())),
        by=checks,
        points=_PAIRS,
        over=_VARIABLES,
        **rest,
    )


equation_6_v1 = _guarantee(
    "v1",
    "A48",
    loss_v1,
    category="false",
    corrected="rgm-v2:equation-6",
    steps=(Step(claim="rgm-v1:theorem-1"),),
    remark="It inherits the missing denominator of version 1's Theorem 1.",
)
equation_6_v2 = _guarantee(
    "v2",
    "A49",
    loss_v2,
    checks=(Deduction((Premise("rgm-v2:theorem-1", _choice),)),),
    wrong=(
        Mutant(
            "half of the second term's square", le(divergence.subs(_choice), target_term + loss_v2 / (2 + eta) ** 2)
        ),
        Mutant("the target alone", le(divergence.subs(_choice), target_term)),
        Mutant("without 1/rho in the first term", le(divergence.subs(_choice), _target)),
    ),
)

_PARAMETERS = (eta, alpha, DIMENSION, _target)
_PARAMETER_CHART = Chart(
    {eta: (0, 1), _k: (0, 1), _target: (0, None), d: (1, 1000)}, {alpha: 1 + _k / q, eta: eta, d: d, _target: _target}
)


def _follows(version: str, ref: str, bound: Any, loss: Any) -> Claim:
    return page.elsewhere(f"§4.2; {version} (6)", " ".join((ref,)), source=f"rgm-{version}").identity(
        f"rgm-{version}:equation-6-from-theorem-1",
        f"Equation (6) is Theorem 1 of version {version[1]} at the chosen noise",
        eq(bound.subs(_choice), target_term + loss),
        "Putting the chosen noise into the bound of Theorem 1 gives (6).",
        given=IN_RANGE,
        by=Identity(),
        points=_PARAMETER_CHART,
        over=_PARAMETERS,
        wrong={"the target twice": 2 * target_term + loss, "d dropped": target_term + loss / d},
    )


follows_v1 = _follows("v1", "A48", printed_v1, loss_v1)
follows_v2 = _follows("v2", "A49", printed_v2, loss_v2)

_FACTOR = Chart({eta: (0, 1), _k: (0, 1)}, {alpha: 1 + _k / q, eta: eta})

factor_v1 = page.at("after v1 (6)", "A50", source="rgm-v1").inequality(
    "rgm-v1:factor-at-most-2",
    "The weight of the target is at most 2, version 1",
    both(gt(rho, 0), le(1 / rho, 2)),
    r"For $\eta \le 1$ and $6\eta(\alpha-1) \le 1$ the factor $1/\rho$ is at most 2.",
    given=(ETA_AT_MOST_1, Hypothesis("small order", le(6 * eta * (alpha - 1), 1), "§4.2")),
    wrong={
        "at most 19/10": le(1 / rho, 2 - eta / 10),
        "5 instead of 6": changed(hypotheses=(ETA_AT_MOST_1, Hypothesis("small order", le(5 * eta * (alpha - 1), 1)))),
    },
)

factor_v2 = page.at("after v2 (6)", "A51", source="rgm-v2").inequality(
    "rgm-v2:factor-at-most-2",
    "The weight of the target is at most 2, version 2",
    both(gt(rho, 0), le(1 / rho, 2)),
    r"For $2\eta(2+\eta)(\alpha-1) \le 1$ the factor $1/\rho$ is at most 2.",
    given=Hypothesis("small order", le(2 * eta * (2 + eta) * (alpha - 1), 1), "§4.2"),
    points={_k: (0, 1), alpha: 1 + _k / (2 * q)},
    wrong={
        "at most 3/2": le(1 / rho, 2 - (alpha - 1) * q),
        "1 instead of 2": changed(hypotheses=(Hypothesis("small order", le(eta * (2 + eta) * (alpha - 1), 1)),)),
    },
)

factor_to_one = page.at("after v1 (6), v2 (6)", "A52").remark(
    "rgm:factor-tends-to-1",
    "The weight of the target tends to 1",
    chain(1, "<=", 1 / rho, "<=", 1 + 6 * eta * (alpha - 1)),
    r"For fixed $\alpha$ the factor $1/\rho$ tends to 1 as $\eta$ decreases to 0.",
    given=(ETA_AT_MOST_1, Hypothesis("small order", le(6 * eta * (alpha - 1), 1))),
    wrong={
        "rate 2": le(1 / rho, 1 + 2 * eta * (alpha - 1)),
        "below 1": lt(1 / rho, 1),
        "quadratic rate": le(1 / rho, 1 + 6 * eta**2 * (alpha - 1)),
    },
    reading="with a rate: between 1 and 1 + 6 eta (alpha - 1) as soon as eta <= 1 and 6 eta (alpha - 1) <= 1",
)


def _independent(version: str, loss: Any, bound: Any) -> Claim:
    second = bound - alpha * eta**2 / (2 * gamma * rho)
    return page.elsewhere(f"§4.2, after {version} (6)", "A53", source=f"rgm-{version}").remark(
        f"rgm-{version}:loss-independent-of-noise",
        f"The privacy loss term does not depend on the noise, version {version[1]}",
        eq(second, loss),
        r"What Theorem 1 adds to its first term is the second term of (6), in which neither $\gamma$ nor $\sigma$ occurs.",
        given=IN_RANGE,
        by=Identity(),
        points=Chart(
            {eta: (0, 1), _k: (0, 1), gamma: (0, None), d: (1, 1000)}, {alpha: 1 + _k / q, eta: eta, gamma: gamma, d: d}
        ),
        over=(eta, gamma, alpha, DIMENSION),
        wrong={"a factor gamma left": loss * gamma, "halved": loss / 2},
    )


independent_v1 = _independent("v1", loss_v1, printed_v1)
independent_v2 = _independent("v2", loss_v2, printed_v2)

no_arbitrary_privacy = page.at("", "A56").remark(
    "rgm:large-gamma-is-not-enough",
    "No noise level gives arbitrarily good privacy",
    ge(exact_curve, d * alpha * eta**2 / 2),
    r"However large $\gamma$ is, the exact Rényi curve stays above $d\,\alpha\eta^2/2$.",
    given=IN_RANGE,
    by=(Deduction((Premise("beyond:floor"),)), *of_the_worst_pair(exact_curve)),
    points={eta: (0, 1), _k: (0, 1), d: (1, 1000), alpha: 1 + _k / q},
    wrong={
        "twice the printed limit": 4 * d * alpha * eta**2,
        "the first term alone is a floor": alpha * eta**2 / gamma,
    },
    steps=("beyond:exact-renyi-attained",),
    reading="the supremum over admissible pairs, not only the printed bound, has a positive floor that does not depend on gamma",
)

_purely_additive: Formula = both(
    ge(target_term + loss_v2, _target + loss_v2),
    le(target_term + loss_v2, _target * (1 + 6 * eta * (alpha - 1)) + loss_v2),
)
additive = page.at("", "A57").remark(
    "rgm:loss-is-additive",
    "For small eta the loss is additive",
    _purely_additive,
    r"With $6\eta(\alpha-1) \le 1$ the guarantee exceeds target plus loss by at most $6\eta(\alpha-1)$ times the target.",
    given=(ETA_AT_MOST_1, Hypothesis("eta small compared to alpha", le(6 * eta * (alpha - 1), 1))),
    wrong={
        "exactly additive": le(target_term + loss_v2, _target + loss_v2),
        "quadratically small": le(target_term, _target * (1 + 6 * eta**2 * (alpha - 1))),
    },
    reading="additive: what is not the second term of (6) is the target up to a factor 1 + 6 eta (alpha - 1)",
)

strictly_additive = page.at(source="beyond").remark(
    "beyond:loss-is-exactly-additive",
    "Read to the letter: the loss is purely additive",
    eq(target_term + loss_v2, _target + loss_v2),
    "For small enough $\\eta$ the guarantee is the target plus a term that does not depend on the target.",
    given=(ETA_AT_MOST_1, Hypothesis("eta small compared to alpha", le(6 * eta * (alpha - 1), 1))),
    reading="purely additive to the letter, for 6 eta (alpha - 1) <= 1",
    category="false",
    corrected="rgm:loss-is-additive",
)


def _overhead(version: str, ref: str, loss: Any, limit: int, smaller: int) -> Claim:
    small = Hypothesis("dimension not too large", le(d * gamma, Rational(1, limit)), "§4.2")
    larger = Hypothesis("a larger dimension", le(d * gamma, Rational(1, smaller)))
    first = alpha * eta**2 / (2 * gamma * rho)
    return page.at("", " ".join((ref,)), source=f"rgm-{version}").remark(
        f"rgm-{version}:minimal-overhead",
        f"In small dimension the overhead is at most the target, version {version[1]}",
        le(loss, first),
        rf"For $\eta \le 1$ and $d \le 1/({limit}\gamma)$ the second term of the bound is at most the first.",
        given=(IN_RANGE, ETA_AT_MOST_1, small),
        by=Smt(),
        points=Chart(
            {eta: (0, 1), _k: (0, 1), gamma: (0, 1), d: (1, 1000)},
            {alpha: 1 + _k / q, eta: eta, gamma: gamma / (smaller * d), d: d},
        ),
        over=(eta, gamma, alpha, DIMENSION),
        wrong={
            "a larger dimension": changed(hypotheses=(IN_RANGE, ETA_AT_MOST_1, larger)),
            "a hundredth of the first term": left(100 * loss),
        },
        reading="minimal overhead: the second term of the bound is at most its first term",
    )


overhead_v1 = _overhead("v1", "A58", loss_v1, 9, 2)
overhead_v2 = _overhead("v2", "A59", loss_v2, 36, 12)
