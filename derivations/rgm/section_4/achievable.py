r"""Section 4.1, Arbitrary privacy guarantees cannot be achieved: orders and levels that no noise reaches.

For $\alpha > 1 + 1/q$ the pair $R(x) = (1+\eta)R(y)$ has an infinite divergence as soon as $\gamma|R(y)|^2(-\rho) \ge \sigma^2$: no $\gamma$ and no $\sigma$ help. For smaller orders
the pair with $\gamma|R(y)|^2 = \sigma^2$ has variances in a ratio that depends on $\eta$ alone, so that the logarithmic term of its divergence is a positive floor,
the same for all $\gamma$ and $\sigma$.
"""

from rgm_verify.gaussians.symbolic import renyi_expression

from ...beyond.renyi.curve_notation import IN_RANGE, page as _exact_renyi
from ..notation import *

page = Page("rgm-v1+v2", "§4.1, Arbitrary privacy guarantees cannot be achieved", NOTATION, _exact_renyi)
_noise = page.positive("sigma^2", "baseline variance per coordinate")
_output = page.positive("b", "norm of R(y)", latex=r"\|R(y)\|")
ratio = page.positive("r", "ratio of the variances")
_k = positive("k").symbol
_variance_x = named(r"\sigma_1^2", gamma * (1 + eta) ** 2 * _output**2 + _noise)
_variance_y = named(r"\sigma_2^2", gamma * _output**2 + _noise)
_gap2 = named(r"\|R(x)-R(y)\|^2", (eta * _output) ** 2)

no_order = page.at("", "A28 A29").remark(
    "rgm:orders-not-achievable",
    "Orders that no choice of gamma and sigma achieves",
    both(
        le(alpha * _variance_y + (1 - alpha) * _variance_x, 0),
        le(_gap2, eta**2 * _output**2 + r_rel**2),
        le(_gap2, eta**2 * ((1 + eta) * _output) ** 2 + r_rel**2),
    ),
    r"The neighbours, in one direction and with norms in the ratio $1+\eta$, are admissible, and their divergence is infinite.",
    given=(
        Hypothesis("beyond the range of alpha", lt(rho, 0), "alpha > 1 + 1/q"),
        Hypothesis("a large output", ge(gamma * _output**2 * (-rho), _noise), "the choice of the pair"),
    ),
    by=(Smt(), Units({_output: 1, _noise: 2, r_rel: 1})),
    points={_k: (0, None), _output: (0, 1, sqrt(_noise / (gamma * _k)) * (1 + _output)), alpha: 1 + (1 + _k) / q},
    wrong={
        "in the range of alpha": changed(hypotheses=(IN_RANGE,)),
        "any output": without("a large output"),
        "a pair too far apart": le((2 * eta * _output) ** 2, eta**2 * _output**2 + r_rel**2),
    },
    steps=Step("Lemma 2 outside its assumption.", "beyond:lemma-2-infinite"),
    reading="Not achievable: whatever the noise, some pair of neighbours has an infinite divergence (Lemma 2: mixed variance not positive).",
)

#: The logarithmic term of Lemma 2, times twice alpha - 1 and per dimension, as a function of the ratio of the variances.
ratio_term = alpha * log(ratio) - log(1 + alpha * (ratio - 1))
FINITE_RATIO = Hypothesis("finite", gt(1 + alpha * (ratio - 1), 0), "Lemma 2")
RATIOS = {ratio: (0, 1, 1 - ratio / alpha)}

log_positive = page.at(source="beyond").inequality(
    "beyond:log-term-positive",
    "Different variances are told apart",
    gt(ratio_term, 0),
    given=(FINITE_RATIO, Hypothesis("different variances", lt(ratio, 1))),
    by=Monotone(ratio, 1, order=1),
    points=RATIOS,
    wrong={
        "alpha dropped inside": left(alpha * log(ratio) - log(1 + (ratio - 1) / 2)),
        "larger than 1 - r": 1 - ratio,
        "direction": le(ratio_term, 0),
    },
)

#: The pair with gamma |R(y)|^2 = sigma^2 and R(x) = (1 + eta) R(y): norms, ratio of the variances, and logarithmic term per dimension.
_norm_y = named(r"\|R(y)\|", sqrt(_noise / gamma))
_norm_x = named(r"\|R(x)\|", (1 + eta) * sqrt(_noise / gamma))
_r_pair = named("r", 2 / (1 + (1 + eta) ** 2))
_floor_term = ratio_term.subs(ratio, _r_pair) / (2 * (alpha - 1))
_at_x, _at_y = named(r"\sigma_1^2", (1 + (1 + eta) ** 2) * _noise), named(r"\sigma_2^2", 2 * _noise)
_pair_divergence = named(r"D_\alpha(P\|Q)", renyi_expression(alpha, eta**2 * _noise / gamma, _at_x, _at_y, d))
_PAIRS = {d: (0, 1000), alpha: 1 + _k / q}

#: The pair as outputs of the mechanism, and parameters: near the end of the range, and in many dimensions.
_FLOOR_PAIR = Outputs(((1 + eta) * sqrt(_noise / gamma),), (sqrt(_noise / gamma),), d, gamma, _noise)
_FLOOR_POINTS = tuple(
    {
        eta: Rational(slope),
        alpha: 1 + Rational(share) / q.subs(eta, Rational(slope)),
        gamma: Rational(1, 4),
        _noise: Rational(baseline),
        d: Integer(n),
    }
    for slope, share, baseline, n in (
        ("1/2", "1/3", "1/4", 3), ("1", "99/100", "4", 1), ("1/10", "1/2", "9/4", 30), ("1/100", "1/10", "1/100", 1000),
    )
)  # fmt: skip
_OF_THE_FLOOR_PAIR = by_outputs(_pair_divergence, Renyi(alpha), _FLOOR_PAIR, _FLOOR_POINTS, _FLOOR_POINTS[:1])

pair_is_admissible = page.at("", "A28 A29").remark(
    "rgm:floor-pair",
    "The pair whose variances are in a fixed ratio",
    both(
        le((_norm_x - _norm_y) ** 2, eta**2 * _norm_y**2 + r_rel**2),
        le((_norm_x - _norm_y) ** 2, eta**2 * _noise / gamma),
        ge(gamma * _norm_x**2 + _noise, (1 + (1 + eta) ** 2) * _noise),
        le(gamma * _norm_x**2 + _noise, (1 + (1 + eta) ** 2) * _noise),
    ),
    "The definition allows the pair, and the variance at $x$ is a fixed multiple of the baseline.",
    wrong={
        "the distance without eta": le((_norm_x - _norm_y) ** 2, _noise / gamma),
        "the variance without its square": ge(gamma * _norm_x + _noise, (1 + (1 + eta) ** 2) * _noise),
    },
)

floor_logs = page.at(source="beyond").identity(
    "beyond:logarithms-of-the-floor-pair",
    "The logarithmic term of the floor pair does not contain the noise",
    eq(_pair_divergence, alpha * eta**2 / (2 * gamma * (1 + rho)) + d * _floor_term),
    "The baseline variance cancels from the logarithms.",
    given=IN_RANGE,
    by=(Identity(positive=(1 + rho,)), *_OF_THE_FLOOR_PAIR),
    points=_PAIRS,
    wrong={
        "the pair in the other order": alpha * eta**2 / (2 * gamma * (1 + rho)) - d * _floor_term,
        "rho instead of 1 + rho": alpha * eta**2 / (2 * gamma * rho) + d * _floor_term,
    },
)

no_level = page.at("", "A28 A29").remark(
    "rgm:levels-not-achievable",
    "Levels that no choice of gamma and sigma achieves",
    both(gt(_pair_divergence, d * _floor_term), gt(d * _floor_term, 0)),
    r"Whatever $\gamma$ and $\sigma$ are, this pair has a divergence above a floor that depends on $\eta$, $\alpha$ and $d$ alone.",
    given=IN_RANGE,
    by=(Deduction(), *_OF_THE_FLOOR_PAIR),
    points=_PAIRS,
    wrong={
        "twice the floor": gt(_pair_divergence, 2 * d * _floor_term),
        "a floor of alpha eta^2 d": gt(d * _floor_term, d * alpha * eta**2),
        "the floor without the sum": gt(d * _floor_term, _pair_divergence),
    },
    steps=(
        Premise("beyond:log-term-positive", {ratio: _r_pair}),
        Premise("beyond:logarithms-of-the-floor-pair"),
        Step("The pair and its variances.", "rgm:floor-pair"),
    ),
    reading="Not achievable, and not privatised by more baseline noise: whatever the noise, some pair of neighbours has at least the divergence of the floor. "
    "The output of that pair grows with the noise, so that a bound on the norms would exclude it.",
)
