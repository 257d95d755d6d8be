"""Section 4.2: the privacy loss of the mechanism against a Gaussian mechanism with local sensitivity.

With gamma = alpha eta^2 / (2 eps) and sigma^2 = gamma R_rel^2 / eta^2 the noise is what a local sensitivity would suggest for the
target eps at the order alpha; equation (6) of each version says what Theorem 1 then guarantees. The second term of (6) is
the price of a noise level that depends on the output.
"""

from ...beyond.renyi.curve_notation import IN_RANGE, exact_curve
from ..notation import *
from ..output_pairs import NEAR_THE_POLE, NEIGHBOURS, of_neighbours, of_the_worst_pair
from .theorem_1 import ETA_AT_MOST_1, printed_v1, printed_v2

page = Page("rgm-v1+v2", "§4.2", NOTATION)
_target = page.positive("epsilon_star", "target of the Rényi guarantee at the order alpha", latex=r"\varepsilon_\star")
_k = page.real("k", "(alpha - 1) q", lower=0, upper=1, lower_open=True, upper_open=True)
_choice = {gamma: alpha * eta**2 / (2 * _target), sigma2: alpha / (2 * _target) * r_rel**2}

#: Equation (6) of each version: its two terms.
target_term = _target / rho
loss_v1 = alpha * d / 2 * eta**2 * (2 + eta) ** 2
loss_v2 = alpha * d * eta**2 * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho)
_first_term = alpha * eta**2 / (2 * gamma * rho)

#: The two outputs with the chosen noise, and the target for which that noise has the gamma of a point.
_CHOSEN = NEIGHBOURS.subs(_choice)
_TARGETS = {_target: alpha * eta**2 / (2 * gamma)}
_divergence = keeping_names(divergence, _choice)
_VARIANCES = Hypothesis(
    "both variances are positive",
    both(gt(keeping_names(variance_x, _choice), 0), gt(keeping_names(variance_y, _choice), 0)),
    "Definition 3",
)
_PARAMETERS = {eta: (0, 1), d: (1, 1000), alpha: 1 + _k / q}


def _guarantee(
    version: str, ref: str, loss: Expr, *further: Hypothesis, by: tuple[Deduction, ...] = (), **rest: Any
) -> Claim:
    return page.elsewhere(f"§4.2; {version} (6)", ref, source=f"rgm-{version}").corollary(
        f"rgm-{version}:equation-6",
        f"Equation (6) of version {version[1]}",
        le(_divergence, target_term + loss),
        "The noise is that of the local sensitivity.",
        given=(*RELATIVE_SENSITIVITY, IN_RANGE, _VARIANCES, *further),
        by=(*by, *of_neighbours(divergence.subs(_choice), outputs=_CHOSEN, further=_TARGETS, **rest.pop("looked", {}))),
        points={**_PARAMETERS, a: (1 + eta) * b, c: 1, r_rel: 0},
        **rest,
    )


equation_6_v1 = _guarantee(
    "v1",
    "A48",
    loss_v1,
    ETA_AT_MOST_1,
    looked={"points": NEAR_THE_POLE},
    mistake=("false", "rgm-v2:equation-6"),
    steps=("rgm-v1:theorem-1",),
    remark="It inherits the missing denominator of version 1's Theorem 1.",
)
equation_6_v2 = _guarantee(
    "v2",
    "A49",
    loss_v2,
    by=(Deduction((Premise("rgm-v2:theorem-1", _choice),)),),
    wrong={
        "half of the second term's square": target_term + loss_v2 / (2 + eta) ** 2,
        "the target alone": target_term,
        "without 1/rho in the first term": _target,
    },
)

_at_parameters = page.under(given=IN_RANGE, points=_PARAMETERS)

follows_v1, follows_v2 = (
    _at_parameters.elsewhere(f"§4.2; {version} (6)", ref, source=f"rgm-{version}").identity(
        f"rgm-{version}:equation-6-from-theorem-1",
        f"Equation (6) is Theorem 1 of version {version[1]} at the chosen noise",
        eq(bound.subs(_choice), target_term + loss),
        by=Identity(),
        wrong={"the target twice": 2 * target_term + loss, "d dropped": target_term + loss / d},
    )
    for version, ref, bound, loss in (("v1", "A48", printed_v1, loss_v1), ("v2", "A49", printed_v2, loss_v2))
)


def _small_order(factor: Expr) -> Hypothesis:
    return Hypothesis("small order", le(factor * (alpha - 1), 1), "§4.2")


_AT_MOST_2 = both(gt(rho, 0), le(1 / rho, 2))

factor_v1 = page.at("after v1 (6)", "A50", source="rgm-v1").inequality(
    "rgm-v1:factor-at-most-2",
    "The weight of the target is at most 2, version 1",
    _AT_MOST_2,
    given=(ETA_AT_MOST_1, _small_order(6 * eta)),
    wrong={"at most 19/10": le(1 / rho, 2 - eta / 10), "5 instead of 6": instead(_small_order(5 * eta))},
)

factor_v2 = page.at("after v2 (6)", "A51", source="rgm-v2").inequality(
    "rgm-v2:factor-at-most-2",
    "The weight of the target is at most 2, version 2",
    _AT_MOST_2,
    given=_small_order(2 * eta * (2 + eta)),
    points={alpha: 1 + _k / (2 * q)},
    wrong={"at most 3/2": le(1 / rho, 2 - (alpha - 1) * q), "1 instead of 2": instead(_small_order(eta * (2 + eta)))},
)

factor_to_one = page.at("after v1 (6), v2 (6)", "A52").remark(
    "rgm:factor-tends-to-1",
    "The weight of the target tends to 1",
    chain(1, "<=", 1 / rho, "<=", 1 + 6 * eta * (alpha - 1)),
    r"So it tends to 1 for a fixed $\alpha$ as $\eta$ decreases to 0.",
    given=(ETA_AT_MOST_1, Hypothesis("small order", le(6 * eta * (alpha - 1), 1))),
    wrong={
        "rate 2": le(1 / rho, 1 + 2 * eta * (alpha - 1)),
        "below 1": lt(1 / rho, 1),
        "quadratic rate": le(1 / rho, 1 + 6 * eta**2 * (alpha - 1)),
    },
    reading="with a rate",
)

independent_v1, independent_v2 = (
    _at_parameters.elsewhere(f"§4.2, after {version} (6)", "A53", source=f"rgm-{version}").remark(
        f"rgm-{version}:loss-independent-of-noise",
        f"The privacy loss term does not depend on the noise, version {version[1]}",
        eq(bound - _first_term, loss),
        r"What Theorem 1 adds to its first term contains neither $\gamma$ nor $\sigma$.",
        by=Identity(),
        wrong={"a factor gamma left": loss * gamma, "halved": loss / 2},
    )
    for version, loss, bound in (("v1", loss_v1, printed_v1), ("v2", loss_v2, printed_v2))
)

no_arbitrary_privacy = _at_parameters.at("", "A56").remark(
    "rgm:large-gamma-is-not-enough",
    "No noise level gives arbitrarily good privacy",
    ge(exact_curve, d * alpha * eta**2 / 2),
    r"On the left is the exact Rényi curve, on the right a floor without $\gamma$.",
    by=(Deduction((Premise("beyond:floor"),)), *of_the_worst_pair(exact_curve)),
    wrong={"twice the printed limit": scaled(8), "the first term alone is a floor": alpha * eta**2 / gamma},
    steps="beyond:exact-renyi-attained",
    reading="the supremum over admissible pairs, not only the printed bound, has a positive floor that does not depend on gamma",
)

_SMALL_ETA = (ETA_AT_MOST_1, Hypothesis("eta small compared to alpha", le(6 * eta * (alpha - 1), 1)))
_loss = named(r"\ell", loss_v2)

additive = page.at("", "A57").remark(
    "rgm:loss-is-additive",
    "For small eta the loss is additive",
    both(
        ge(target_term + _loss, _target + _loss), le(target_term + _loss, _target * (1 + 6 * eta * (alpha - 1)) + _loss)
    ),
    "The guarantee of (6), with its second term as the loss.",
    given=_SMALL_ETA,
    wrong={
        "exactly additive": le(target_term + loss_v2, _target + loss_v2),
        "quadratically small": le(target_term, _target * (1 + 6 * eta**2 * (alpha - 1))),
    },
    reading="additive: what is not the second term of (6) is the target up to a factor near 1",
)

strictly_additive = page.at(source="beyond").remark(
    "beyond:loss-is-exactly-additive",
    "Read to the letter: the loss is purely additive",
    eq(target_term + _loss, _target + _loss),
    "The guarantee is the target plus a term that does not depend on the target.",
    given=_SMALL_ETA,
    reading="purely additive to the letter",
    mistake=("false", "rgm:loss-is-additive"),
)


def _overhead(version: str, ref: str, loss: Expr, limit: int, smaller: int) -> Claim:
    def at_most(denominator: int) -> Hypothesis:
        return Hypothesis("dimension not too large", le(d * gamma, Rational(1, denominator)), "§4.2")

    return page.at("", ref, source=f"rgm-{version}").remark(
        f"rgm-{version}:minimal-overhead",
        f"In small dimension the overhead is at most the target, version {version[1]}",
        le(loss, _first_term),
        given=(IN_RANGE, ETA_AT_MOST_1, at_most(limit)),
        by=Smt(),
        points={eta: (0, 1), gamma: (0, 1, gamma / (smaller * d)), d: (1, 1000), alpha: 1 + _k / q},
        wrong={"a larger dimension": instead(at_most(smaller)), "a hundredth of the first term": left(100 * loss)},
        reading="minimal overhead: the second term of the bound is at most its first term",
    )


overhead_v1 = _overhead("v1", "A58", loss_v1, 9, 2)
overhead_v2 = _overhead("v2", "A59", loss_v2, 36, 12)
