r"""Section 4.1, Definition 3: the Relative Gaussian Mechanism, its special case, and what its baseline noise is for.

The variance per coordinate is $\gamma|R(x)|^2 + \sigma^2$, positive at every output. For $\gamma = 0$ it is the Gaussian mechanism. Where one output vanishes, the
divergence is finite only if $\sigma^2 > (\alpha-1)\gamma|R(y)|^2$: without baseline noise it is infinite. For a fixed $\gamma$ the
guarantee of Theorem 1 grows with $\eta$, between two multiples of $\eta^2$.
"""

from rgm_verify.gaussians.symbolic import renyi_expression

from ..notation import *
from .theorem_1 import page as _s4_theorem_1, printed_v1, printed_v2

page = Page("rgm-v1+v2", "§4.1", NOTATION, _s4_theorem_1)
_noise = page.positive("sigma^2", "baseline variance per coordinate")
_gamma_0 = page.nonnegative("gamma", "relative noise level, 0 included")
_distance = page.nonnegative("Delta", "distance of the two outputs")
_output = page.positive("b", "norm of the output R(y), which is not 0", latex=r"\|R(y)\|")
_smaller = page.positive("theta", "a smaller relative sensitivity")
_k = positive("k").symbol

definition = page.at("Definition 3; v1 (4), v2 (4)", "A12").definition(
    "rgm:definition-3",
    "The Relative Gaussian Mechanism has noise at every output",
    chain(gamma * a**2 + _noise, ">=", _noise, ">", 0),
    "So the divergences of Lemma 2 are about true Gaussians.",
    by=(Smt(), Units({a: 1, _noise: 2})),
    wrong={
        "no baseline noise": gt(gamma * a**2, 0),
        "sign of the relative part": ge(-gamma * a**2 + _noise, _noise),
        "twice the baseline": ge(gamma * a**2 + _noise, 2 * _noise),
    },
    reading=r"$\mathcal N(0, v)$ added to a vector stands for $\mathcal N(0, v I_d)$: the variance is per coordinate, as Lemma 2 needs it.",
)


def _divergence(level: Expr) -> Expr:
    """The divergence of two outputs of the mechanism at a given relative noise level."""
    at_x, at_y = named(r"\sigma_1^2", level * a**2 + _noise), named(r"\sigma_2^2", level * b**2 + _noise)
    return named(r"D_\alpha(P\|Q)", renyi_expression(alpha, _distance**2, at_x, at_y, d))


_AT_GAMMA_0 = tuple(
    {
        alpha: Rational(order),
        _noise: Rational(square),
        _distance: Rational(gap),
        d: Integer(n),
        a: Integer(1),
        b: Integer(2),
    }
    for order, square, gap, n in (("3/2", "2", "3/2", 3), ("2", "1/2", "1", 1))
)
_MECHANISM = eq(_divergence(Rational(0)), alpha * _distance**2 / (2 * _noise))

special_case = page.at("after v1 (4), v2 (4)", "A13").remark(
    "rgm:gamma-zero",
    "Without relative noise it is the Gaussian mechanism",
    both(eq(At(gamma * a**2 + _noise, gamma, 0), _noise), _MECHANISM),
    outputs=by_outputs(
        _MECHANISM.rhs, Renyi(alpha), Outputs((_distance,), (Integer(0),), d, 0, _noise), _AT_GAMMA_0, _AT_GAMMA_0[:1]
    ),
    by=(Identity(), Units({a: 1, b: 1, _distance: 1, _noise: 2})),
    wrong={
        "a relative level of one": eq(_divergence(Rational(1)), alpha * _distance**2 / (2 * _noise)),
        "the standard deviation": eq(At(gamma * a**2 + _noise, gamma, 0), _noise**2),
    },
    reading=r"Definition 3 itself asks for $\gamma > 0$; the claim takes its variance at $\gamma = 0$.",
)

necessary = page.at("after v1 (4), v2 (4)", "A14").remark(
    "rgm:baseline-necessary",
    "Baseline noise is necessary where one output vanishes",
    le((1 - alpha) * (gamma * _output**2), 0),
    "The mixed variance of a pair whose first output is 0, without baseline noise: the divergence is infinite, for every order.",
    by=(combination((alpha - 1, gamma, _output**2)), Smt()),
    wrong={
        "the pair in the other order": left(alpha * gamma * _output**2),
        "equal outputs": left(alpha * gamma * _output**2 + (1 - alpha) * gamma * _output**2),
    },
    steps=Step("Lemma 2 outside its assumption.", "beyond:lemma-2-infinite"),
    reading="Necessary: without it no order and no level hold. The divergence is infinite where the mixed variance of Lemma 2 is not positive.",
)

_FINITE = gt(alpha * variance_x.subs(a, 0) + (1 - alpha) * variance_y, 0)

how_much = page.at("after v1 (4), v2 (4)", source="beyond").remark(
    "beyond:baseline-necessary-amount",
    "How much baseline noise is necessary where one output vanishes",
    Iff(_FINITE, gt(sigma2, (alpha - 1) * gamma * b**2)),
    "The divergence is finite exactly where the mixed variance, on the left, is positive.",
    wrong={"without alpha": Iff(_FINITE, gt(sigma2, gamma * b**2)), "any baseline noise": Iff(_FINITE, gt(sigma2, 0))},
    steps="beyond:lemma-2-infinite",
)

_IN_RANGE = {_smaller: (0, 1, _smaller * eta), d: (0, 1000), alpha: 1 + _k / q}

guarantee_grows = tuple(
    page.at("after Theorem 1", "A23", source=f"rgm-{version}").remark(
        f"rgm-{version}:guarantee-grows-with-eta",
        f"Version {version[1]}: the smaller eta, the stronger the guarantee",
        lt(printed.subs(eta, _smaller), printed),
        r"The level of Theorem 1 at two relative sensitivities, for one $\gamma$, order and dimension.",
        given=(Hypothesis("theta is smaller", lt(_smaller, eta)), OPEN_RANGE_OF_ALPHA),
        by=(Monotone(eta, _smaller, order=1), Smt()),
        points=_IN_RANGE,
        wrong={
            "direction": ge(printed.subs(eta, _smaller), printed),
            "by a factor of two": left(2 * printed.subs(eta, _smaller)),
            "theta not smaller": changed(
                hypotheses=(OPEN_RANGE_OF_ALPHA, Hypothesis("theta is larger", gt(_smaller, eta)))
            ),
        },
        reading="As strong as its square is small: the smaller eta, the stronger.",
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)

_square = alpha / (2 * gamma) * (1 + 4 * gamma * d) * eta**2

guarantee_like_square = tuple(
    page.at("after Theorem 1", source="beyond").remark(
        f"rgm-{version}:guarantee-like-eta-squared",
        f"Version {version[1]}: the guarantee is of the size of the square of eta where eta is at most 1",
        chain(_square, "<=", printed, "<=", 18 * _square),
        "The level of Theorem 1 in the middle.",
        given=(
            Hypothesis("eta at most 1", le(eta, 1)),
            Hypothesis("half of the range", le(q * (alpha - 1), Rational(1, 2))),
        ),
        by=Smt(),
        points={d: (0, 1000), alpha: 1 + _k / q},
        wrong={
            "direction": ge(_square, printed),
            "1 instead of 18": le(printed, _square),
            "proportional to eta^3": le(printed, 18 * _square * eta),
        },
        reading="A number for the sentence that the guarantee is as strong as the square of eta is small: in proportion, up to the factor 18.",
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)
