r"""Section 4.1, Definition 3: the Relative Gaussian Mechanism, its special case, and what its baseline noise is for.

The variance per coordinate is $\gamma|R(x)|^2 + \sigma^2$, positive at every output. For $\gamma = 0$ it is the Gaussian mechanism. Where one output vanishes, the
divergence is finite only if $\sigma^2 > (\alpha-1)\gamma|R(y)|^2$: without baseline noise it is infinite. For a fixed $\gamma$ the
guarantee of Theorem 1 grows with $\eta$, between two multiples of $\eta^2$.
"""

from sympy import Expr, Rational

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    lt,
    nonnegative,
    positive,
)
from rgm_verify.gaussians.symbolic import renyi_expression
from rgm_verify.lenses import Combination, Identity, Monotone, Smt, Units

from .notation import (
    ALPHA,
    DIMENSION,
    ETA,
    GAMMA,
    NORM_X,
    NORM_Y,
    OPEN_RANGE_OF_ALPHA,
    SIGMA2,
    a,
    alpha,
    b,
    d,
    eta,
    gamma,
    q,
    sigma2,
    variance_x,
    variance_y,
)
from .s4_theorem_1 import printed_v1, printed_v2

_SOURCE = "rgm-v1+v2"
_NOISE = positive("sigma^2", "baseline variance per coordinate")
_GAMMA_0 = nonnegative("gamma", "relative noise level, 0 included")
_DISTANCE = nonnegative("Delta", "distance of the two outputs")
_OUTPUT = positive("b", "norm of the output R(y), which is not 0")
_noise, _gamma_0, _distance, _output = _NOISE.symbol, _GAMMA_0.symbol, _DISTANCE.symbol, _OUTPUT.symbol

definition = Claim(
    id="rgm:definition-3",
    refs=("A12",),
    title="The Relative Gaussian Mechanism has noise at every output",
    source=_SOURCE,
    where="§4.1, Definition 3; v1 (4), v2 (4)",
    kind="definition",
    statement=r"With $\gamma, \sigma > 0$ the variance per coordinate is at least $\sigma^2$, so that the divergences of Lemma 2 are about true Gaussians.",
    variables=(NORM_X, GAMMA, _NOISE),
    conclusion=chain(gamma * a**2 + _noise, ">=", _noise, ">", 0),
    reading=r"$\mathcal N(0, v)$ added to a vector stands for $\mathcal N(0, v I_d)$: the variance is per coordinate, as Lemma 2 needs it.",
    checks=(Smt(), Units({a: 1, _noise: 2})),
    mutants=(
        Mutant("no baseline noise", gt(gamma * a**2, 0)),
        Mutant("sign of the relative part", ge(-gamma * a**2 + _noise, _noise)),
        Mutant("twice the baseline", ge(gamma * a**2 + _noise, 2 * _noise)),
    ),
)


def _divergence(level: Expr) -> Expr:
    """The divergence of two outputs of the mechanism at a given relative noise level."""
    return renyi_expression(alpha, _distance**2, level * a**2 + _noise, level * b**2 + _noise, d)


special_case = Claim(
    id="rgm:gamma-zero",
    refs=("A13",),
    title="Without relative noise it is the Gaussian mechanism",
    source=_SOURCE,
    where="§4.1, after v1 (4), v2 (4)",
    kind="remark",
    statement=r"For $\gamma = 0$ variance and divergence are those of the Gaussian mechanism with variance $\sigma^2$.",
    variables=(NORM_X, NORM_Y, _NOISE, ALPHA, _DISTANCE, DIMENSION),
    conclusion=both(
        eq(At(gamma * a**2 + _noise, gamma, 0), _noise),
        eq(_divergence(Rational(0)), alpha * _distance**2 / (2 * _noise)),
    ),
    reading=r"Definition 3 itself asks for $\gamma > 0$; the claim takes its variance at $\gamma = 0$.",
    checks=(Identity(), Units({a: 1, b: 1, _distance: 1, _noise: 2})),
    mutants=(
        Mutant("a relative level of one", eq(_divergence(Rational(1)), alpha * _distance**2 / (2 * _noise))),
        Mutant("the standard deviation", eq(At(gamma * a**2 + _noise, gamma, 0), _noise**2)),
    ),
)

necessary = Claim(
    id="rgm:baseline-necessary",
    refs=("A14",),
    title="Baseline noise is necessary where one output vanishes",
    source=_SOURCE,
    where="§4.1, after v1 (4), v2 (4)",
    kind="remark",
    statement=(
        r"If $R(x) = 0 \ne R(y)$ and there is no baseline noise, the divergence of the output at $y$ from that at $x$ is infinite, for every order."
    ),
    variables=(ALPHA, GAMMA, _OUTPUT),
    conclusion=le(
        alpha * (gamma * a**2 + sigma2).subs({a: 0, sigma2: 0})
        + (1 - alpha) * (gamma * _output**2 + sigma2).subs(sigma2, 0),
        0,
    ),
    reading="Necessary: without it no order and no level hold. The divergence is infinite where the mixed variance of Lemma 2 is not positive.",
    checks=(Combination(terms=((alpha - 1, gamma, _output**2),)), Smt()),
    mutants=(
        Mutant("the pair in the other order", le(alpha * gamma * _output**2, 0)),
        Mutant("equal outputs", le(alpha * gamma * _output**2 + (1 - alpha) * gamma * _output**2, 0)),
    ),
    derivation=(Step("Lemma 2 outside its assumption.", "beyond:lemma-2-infinite"),),
)

how_much = Claim(
    id="beyond:baseline-necessary-amount",
    title="How much baseline noise is necessary where one output vanishes",
    source="beyond",
    where="§4.1, after v1 (4), v2 (4)",
    kind="remark",
    statement=r"For $R(x) = 0$ the divergence of the output at $y$ from that at $x$ is finite exactly if $\sigma^2 > (\alpha - 1)\,\gamma|R(y)|^2$.",
    variables=(ALPHA, GAMMA, SIGMA2, NORM_Y),
    conclusion=Iff(
        gt(alpha * variance_x.subs(a, 0) + (1 - alpha) * variance_y, 0),
        gt(sigma2, (alpha - 1) * gamma * b**2),
    ),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:lemma-2-infinite"),),
    mutants=(
        Mutant(
            "without alpha",
            Iff(gt(alpha * variance_x.subs(a, 0) + (1 - alpha) * variance_y, 0), gt(sigma2, gamma * b**2)),
        ),
        Mutant(
            "any baseline noise", Iff(gt(alpha * variance_x.subs(a, 0) + (1 - alpha) * variance_y, 0), gt(sigma2, 0))
        ),
    ),
)

_SMALLER = positive("theta", "a smaller relative sensitivity")
_smaller = _SMALLER.symbol
_ORDERED = Hypothesis("theta is smaller", lt(_smaller, eta))
_k = positive("k").symbol
_IN_RANGE = Chart(
    {eta: (0, None), _k: (0, 1), _smaller: (0, 1), gamma: (0, None), d: (0, 1000)},
    {_smaller: _smaller * eta, alpha: 1 + _k / q, eta: eta, gamma: gamma, d: d},
)
_LESS = Chart(
    {eta: (0, None), _k: (0, 1), gamma: (0, None), d: (0, 1000)}, {alpha: 1 + _k / q, eta: eta, gamma: gamma, d: d}
)

_GROWS = tuple(
    Claim(
        id=f"rgm-{version}:guarantee-grows-with-eta",
        refs=("A23",),
        title=f"Version {version[1]}: the smaller eta, the stronger the guarantee",
        source=f"rgm-{version}",
        where="§4.1, after Theorem 1",
        kind="remark",
        statement=r"For a fixed $\gamma$, order and dimension, the level of Theorem 1 is smaller for a smaller $\eta$.",
        variables=(ETA, _SMALLER, GAMMA, ALPHA, DIMENSION),
        hypotheses=(_ORDERED, OPEN_RANGE_OF_ALPHA),
        conclusion=lt(printed.subs(eta, _smaller), printed),
        reading="As strong as its square is small: the smaller eta, the stronger.",
        checks=(Monotone(eta, _smaller, order=1), Smt()),
        sampling=_IN_RANGE,
        mutants=(
            Mutant("direction", ge(printed.subs(eta, _smaller), printed)),
            Mutant("by a factor of two", lt(2 * printed.subs(eta, _smaller), printed)),
            Mutant(
                "theta not smaller", hypotheses=(OPEN_RANGE_OF_ALPHA, Hypothesis("theta is larger", gt(_smaller, eta)))
            ),
        ),
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)

_SQUARE = tuple(
    Claim(
        id=f"rgm-{version}:guarantee-like-eta-squared",
        title=f"Version {version[1]}: the guarantee is of the size of the square of eta where eta is at most 1",
        source="beyond",
        where="§4.1, after Theorem 1",
        kind="remark",
        statement=(
            r"For $\eta \le 1$ and $q(\alpha-1) \le \frac12$ the level of Theorem 1 lies between $\frac{\alpha}{2\gamma}(1+4\gamma d)\,\eta^2$ and 18 times that."
        ),
        variables=(ETA, GAMMA, ALPHA, DIMENSION),
        hypotheses=(
            Hypothesis("eta at most 1", le(eta, 1)),
            Hypothesis("half of the range", le(q * (alpha - 1), Rational(1, 2))),
        ),
        conclusion=chain(
            alpha / (2 * gamma) * (1 + 4 * gamma * d) * eta**2,
            "<=",
            printed,
            "<=",
            18 * alpha / (2 * gamma) * (1 + 4 * gamma * d) * eta**2,
        ),
        reading="A number for the sentence that the guarantee is as strong as the square of eta is small: in proportion, up to the factor 18.",
        checks=(Smt(),),
        sampling=_LESS,
        mutants=(
            Mutant("direction", ge(alpha / (2 * gamma) * (1 + 4 * gamma * d) * eta**2, printed)),
            Mutant("1 instead of 18", le(printed, alpha / (2 * gamma) * (1 + 4 * gamma * d) * eta**2)),
            Mutant("proportional to eta^3", le(printed, 18 * alpha / (2 * gamma) * (1 + 4 * gamma * d) * eta**3)),
        ),
    )
    for version, printed in (("v1", printed_v1), ("v2", printed_v2))
)
guarantee_grows, guarantee_like_square = _GROWS, _SQUARE
