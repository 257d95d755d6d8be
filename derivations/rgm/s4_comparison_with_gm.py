r"""Section 4.2: the relative mechanism as noise at the level of the local sensitivity, and against the Gaussian mechanism.

With one variance for x and all its neighbours, $\sigma_{abs}^2(x) = \frac{\alpha}{2\varepsilon_\star}(\eta^2|R(x)|^2+R_{rel}^2)$ is what a level $\varepsilon_\star$ asks for, and it is the
variance of the relative mechanism with $\gamma = \alpha\eta^2/(2\varepsilon_\star)$. The term that grows with d comes from the ratio of two variances, and is 0 for equal
norms. Against the Gaussian mechanism: the noise at the same target is never larger, but the guarantee is weaker by the factor $1/\rho$; at the same
guarantee the relative mechanism needs more noise at outputs of the largest norm, unless $R_{abs}^2$ leaves room for that factor.
"""

from sympy import Expr, Rational, exp, sqrt

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
    nonnegative,
    positive,
    printed,
)
from rgm_verify.gaussians.symbolic import renyi_expression
from rgm_verify.lenses import Combination, Identity, Search, Smt, Units

from ..theorems import CHANGE_OF_VARIABLES
from .notation import (
    ALPHA,
    COSINE,
    DIMENSION,
    ETA,
    GAMMA,
    NORM_X,
    NORM_Y,
    OPEN_RANGE_OF_ALPHA,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    a,
    alpha,
    b,
    c,
    d,
    distance2,
    eta,
    gamma,
    q,
    r_rel,
    rho,
)

_SOURCE = "rgm-v1+v2"
_TARGET = positive("epsilon_star", "level for which the noise is set")
_NOISE = positive("sigma^2", "variance per coordinate")
_target, _noise = _TARGET.symbol, _NOISE.symbol
#: The variance that the bound on the local sensitivity at x asks for.
local_variance = alpha / (2 * _target) * (eta**2 * a**2 + r_rel**2)
#: The parameters of the relative mechanism with that variance.
matched_gamma = alpha * eta**2 / (2 * _target)
matched_baseline = matched_gamma / eta**2 * r_rel**2
_SOME_NOISE = Hypothesis(
    "something to protect", gt(eta**2 * a**2 + r_rel**2, 0), "else every neighbour has the same output"
)
_k = positive("k").symbol

local_level = Claim(
    id="rgm:local-noise-level",
    refs=("A46",),
    title="What the local sensitivity asks of the noise",
    source=_SOURCE,
    where="§4.2, first paragraph",
    kind="remark",
    statement=(
        r"For a neighbour at the distance that the definition allows, and with one variance for both outputs, the divergence is at most $\varepsilon_\star$ exactly "
        r"from $\sigma_{abs}^2$ on."
    ),
    variables=(NORM_X, ETA, R_REL, ALPHA, _TARGET, _NOISE),
    conclusion=Iff(le(alpha * (eta**2 * a**2 + r_rel**2) / (2 * _noise), _target), ge(_noise, local_variance)),
    reading=(
        "The paper says itself that noise set at each input on its own does not guarantee privacy; so the noise is that of x for its neighbour as well. To require: "
        "no smaller variance will do for the neighbour that is farthest."
    ),
    checks=(Smt(), Units({a: 1, r_rel: 1, _noise: 2})),
    mutants=(
        Mutant(
            "without alpha",
            Iff(le(alpha * (eta**2 * a**2 + r_rel**2) / (2 * _noise), _target), ge(_noise, local_variance / alpha)),
        ),
        Mutant(
            "without the 2",
            Iff(le(alpha * (eta**2 * a**2 + r_rel**2) / (2 * _noise), _target), ge(_noise, 2 * local_variance)),
        ),
    ),
    derivation=(Step("The divergence of two outputs with the same variance.", "rgm:gaussian-mechanism"),),
)

_OUTPUT_Y = positive("b", "norm of R(y)")
_out_y = _OUTPUT_Y.symbol

#: The distance of the farthest neighbour, whose output is that much longer.
_farthest = sqrt(eta**2 * a**2 + r_rel**2)

farthest = Claim(
    id="rgm:local-noise-farthest-neighbour",
    refs=("A46",),
    title="The farthest neighbour that the definition allows exists",
    source=_SOURCE,
    where="§4.2, first paragraph",
    kind="remark",
    statement=r"The output at distance $\sqrt{\eta^2|R(x)|^2+R_{rel}^2}$ in the direction of $R(x)$ is admissible in both orders, for every $R(x)$.",
    variables=(NORM_X, ETA, R_REL),
    conclusion=both(
        le(printed(lambda: ((a + _farthest) - a) ** 2), eta**2 * a**2 + r_rel**2),
        le(eta**2 * a**2 + r_rel**2, eta**2 * (a + sqrt(eta**2 * a**2 + r_rel**2)) ** 2 + r_rel**2),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "in the opposite direction",
            le(eta**2 * a**2 + r_rel**2, eta**2 * (a - sqrt(eta**2 * a**2 + r_rel**2)) ** 2 + r_rel**2),
        ),
        Mutant("at twice the distance", le(4 * (eta**2 * a**2 + r_rel**2), eta**2 * a**2 + r_rel**2)),
    ),
)

own_noise = Claim(
    id="beyond:local-noise-at-each-input",
    title="Noise set at each input on its own does not reach its target",
    source="beyond",
    where="§4.2, first paragraph",
    kind="remark",
    statement=r"With $\sigma_{abs}^2(x)$ at x and $\sigma_{abs}^2(y)$ at y the main term alone can exceed $\varepsilon_\star$, at an order in the range of Theorem 1.",
    variables=(NORM_X, NORM_Y, ETA, ALPHA, _TARGET),
    hypotheses=(
        Hypothesis("relative sensitivity at x", le((a - b) ** 2, eta**2 * a**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le((a - b) ** 2, eta**2 * b**2), "Definition 2"),
        OPEN_RANGE_OF_ALPHA,
        Hypothesis("outputs not 0", both(gt(a, 0), gt(b, 0))),
    ),
    conclusion=gt(
        alpha * (a - b) ** 2,
        2 * _target * (alpha * matched_gamma * b**2 + (1 - alpha) * matched_gamma * a**2),
    ),
    quantifier="exists",
    reading="The main term of Lemma 2, multiplied by twice the mixed variance, which is positive here.",
    checks=(Search(), Smt()),
    sampling=Chart(
        {b: (0, None), eta: (0, None), _k: (0, 1), _target: (0, None)},
        {a: (1 + eta) * b, alpha: 1 + _k / q, b: b, eta: eta, _target: _target},
    ),
    mutants=(
        Mutant(
            "more than the weight 1/rho explains",
            gt(
                alpha * rho * (a - b) ** 2,
                2 * _target * (alpha * matched_gamma * b**2 + (1 - alpha) * matched_gamma * a**2),
            ),
        ),
    ),
)

matching = Claim(
    id="rgm:matching-parameters",
    refs=("A47",),
    title="The same noise as a relative mechanism",
    source=_SOURCE,
    where="§4.2, before v1 (6), v2 (6)",
    kind="identity",
    statement=(
        r"$\sigma_{abs}^2$ is the variance of the relative mechanism with $\gamma = \alpha\eta^2/(2\varepsilon_\star)$ and $\sigma^2 = \gamma\eta^{-2}R_{rel}^2$, "
        r"and this baseline is allowed by Theorem 1."
    ),
    variables=(NORM_X, ETA, R_REL, ALPHA, _TARGET),
    conclusion=eq(local_variance, matched_gamma * a**2 + matched_baseline),
    checks=(Identity(), Smt(), Units({a: 1, r_rel: 1})),
    mutants=(
        Mutant("gamma without eta squared", eq(local_variance, matched_gamma / eta**2 * a**2 + matched_baseline)),
        Mutant("gamma without the 2", eq(local_variance, 2 * matched_gamma * a**2 + matched_baseline)),
        Mutant("a baseline without eta", eq(local_variance, matched_gamma * a**2 + matched_gamma * r_rel**2)),
    ),
)

matching_allowed = Claim(
    id="rgm:matching-baseline-allowed",
    refs=("A47",),
    title="The matching baseline is one that Theorem 1 allows",
    source=_SOURCE,
    where="§4.2, before v1 (6), v2 (6)",
    kind="remark",
    statement=r"$\gamma\eta^{-2}R_{rel}^2$ is at least the baseline of Theorem 1 at every order.",
    variables=(ETA, R_REL, ALPHA, _TARGET),
    conclusion=ge(matched_baseline, matched_gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2),
    checks=(Combination(terms=((alpha / (2 * _target), eta, alpha - 1, r_rel**2),)), Smt()),
    mutants=(
        Mutant(
            "twice the baseline", ge(matched_baseline, 2 * matched_gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2)
        ),
        Mutant("sign of alpha - 1", ge(matched_baseline, matched_gamma / eta**2 * (1 + eta * (alpha - 1)) * r_rel**2)),
    ),
)


def _divergence(norm_x: Expr, norm_y: Expr, squared: Expr) -> Expr:
    """The divergence of Lemma 2 for outputs of the relative mechanism with given norms and squared distance."""
    return renyi_expression(alpha, squared, gamma * norm_x**2 + _noise, gamma * norm_y**2 + _noise, d)


_DISTANCE = nonnegative("Delta", "distance of the two outputs")
_distance = _DISTANCE.symbol
_at_equal_norms = alpha * _distance**2 / (2 * (gamma * a**2 + _noise))

equal_norms = Claim(
    id="rgm:equal-norms",
    refs=("A54",),
    title="With equal norms the logarithmic term is 0",
    source=_SOURCE,
    where="§4.2, after v1 (6), v2 (6)",
    kind="remark",
    statement="If both outputs have the same norm, the divergence is the main term, without a part that grows with the dimension.",
    variables=(NORM_X, GAMMA, _NOISE, ALPHA, DIMENSION, _DISTANCE),
    conclusion=eq(_divergence(a, a, _distance**2), _at_equal_norms),
    reading="That the norm is public is not needed for the formula: the variances agree for neighbours, which is all that Lemma 2 sees.",
    checks=(Identity(), Units({a: 1, _distance: 1, _noise: 2})),
    mutants=(
        Mutant("one norm twice the other", eq(_divergence(2 * a, a, _distance**2), _at_equal_norms)),
        Mutant("a part in the dimension", eq(_divergence(a, a, _distance**2), _at_equal_norms + d)),
    ),
)

equal_norms_level = Claim(
    id="rgm:equal-norms-level",
    refs=("A54",),
    title="With equal norms the target level is reached",
    source=_SOURCE,
    where="§4.2, after v1 (6), v2 (6)",
    kind="remark",
    statement=r"With equal norms and the noise $\sigma_{abs}^2$ the divergence is at most $\varepsilon_\star$: the factor $1/\rho$ disappears as well.",
    variables=(NORM_X, COSINE, ETA, R_REL, ALPHA, _TARGET),
    hypotheses=(
        Hypothesis("relative sensitivity", le(distance2.subs(b, a), eta**2 * a**2 + r_rel**2), "Definition 2"),
        _SOME_NOISE,
    ),
    conclusion=le(alpha * distance2.subs(b, a) / (2 * local_variance), _target),
    checks=(Smt(),),
    mutants=(
        Mutant("half of the target", le(alpha * distance2.subs(b, a) / (2 * local_variance), _target / 2)),
        Mutant("no sensitivity", hypotheses=(_SOME_NOISE,)),
    ),
    derivation=(Step("The divergence at equal norms.", "rgm:equal-norms"),),
)

not_independent = Claim(
    id="rgm:another-output-not-independent",
    refs=("A55",),
    title="The norm of a neighbouring output confines that of R(x)",
    source=_SOURCE,
    where="§4.2, after v1 (6), v2 (6)",
    kind="remark",
    statement=(
        r"Given $|R(y)| = b$, the norm of $R(x)$ lies within $\sqrt{\eta^2b^2+R_{rel}^2}$ of b: noise set by $R(y)$ still tells about $R(x)$."
    ),
    variables=(*PAIR, ETA, R_REL),
    hypotheses=RELATIVE_SENSITIVITY,
    conclusion=le((a - b) ** 2, eta**2 * b**2 + r_rel**2),
    reading="Not independent: the value of the one restricts the values that the other can take.",
    checks=(
        Combination(terms=((eta**2 * b**2 + r_rel**2 - distance2,), (2 * a * b, 1 - c))),
        Smt(),
        Units({a: 1, b: 1, r_rel: 1}),
    ),
    mutants=(
        Mutant("half of the width", le((a - b) ** 2, (eta**2 * b**2 + r_rel**2) / 4)),
        Mutant("no sensitivity", hypotheses=()),
        Mutant("the whole line", ge((a - b) ** 2, eta**2 * b**2 + r_rel**2)),
    ),
)

_V1, _V2 = positive("v_1", "variance at x"), positive("v_2", "variance at y")
_v1, _v2 = _V1.symbol, _V2.symbol
_FINITE = Hypothesis("finite", gt(alpha * _v2 + (1 - alpha) * _v1, 0), "Lemma 2")

#: Equal outputs in dimension d.
_divergence = renyi_expression(alpha, 0, _v1, _v2, d)

from_gaussian = Claim(
    id="rgm:dimension-from-gaussian-noise",
    refs=("A60",),
    title="Gaussian noise: the logarithmic term is proportional to the dimension",
    source=_SOURCE,
    where="§4.2, before Standard vs. Relative Gaussian Mechanism",
    kind="remark",
    statement="For equal outputs with two variances the divergence in dimension d is d times that in dimension 1.",
    variables=(ALPHA, _V1, _V2, DIMENSION),
    hypotheses=(_FINITE,),
    conclusion=eq(_divergence, d * At(_divergence, d, 1)),
    checks=(Identity(), Units({_v1: 2, _v2: 2})),
    sampling=Chart(
        {alpha: (1, None), _v2: (0, None), _v1: (0, 1)},
        {_v1: _v2 * _v1 * alpha / (alpha - 1), alpha: alpha, _v2: _v2, d: 3 + 0 * alpha},
    ),
    mutants=(
        Mutant(
            "the root of the dimension",
            eq(_divergence, sqrt(d) * At(_divergence, d, 1)),
        ),
        Mutant("no dimension", eq(_divergence, At(_divergence, d, 1))),
    ),
)

_RADIUS = positive("t", "length of the noise vector")
_AREA = positive("A", "area of the sphere of that radius")
_SCALE_1, _SCALE_2 = positive("s_1", "scale of the length at x"), positive("s_2", "scale of the length at y")
_radius, _area, _scale_1, _scale_2 = (v.symbol for v in (_RADIUS, _AREA, _SCALE_1, _SCALE_2))
_law_1, _law_2 = exp(-_radius / _scale_1) / _scale_1, exp(-_radius / _scale_2) / _scale_2
_rate = alpha / _scale_1 - (alpha - 1) / _scale_2
_RATE = Hypothesis("finite", gt(_rate, 0), "the exponent falls")

_power = (_law_1 / _area) ** alpha * (_law_2 / _area) ** (1 - alpha) * _area
_total = _scale_1**-alpha * _scale_2 ** (alpha - 1) / _rate


def _times_a_law(total: Expr) -> Expr:
    """A number times the exponential law with the rate of the exponent."""
    return printed(lambda: total * (_rate * exp(-_rate * _radius)))


other_noise = Claim(
    id="rgm:dimension-from-other-noise",
    refs=("A60",),
    title="Noise of uniform direction and exponential length: no dependence on the dimension",
    source=_SOURCE,
    where="§4.2, before Standard vs. Relative Gaussian Mechanism",
    kind="remark",
    statement=(
        r"For noise whose direction is uniform and whose length has an exponential law, the divergence of the scales $s_1$ and $s_2$ at equal outputs is that of the lengths: "
        r"$e^{(\alpha-1)\mathcal D_\alpha} = s_1^{-\alpha}s_2^{\alpha-1}/r$ with $r = \alpha/s_1 - (\alpha-1)/s_2$, in every dimension."
    ),
    variables=(ALPHA, _SCALE_1, _SCALE_2, _RADIUS, _AREA),
    hypotheses=(_RATE,),
    conclusion=eq(_power, _times_a_law(_total)),
    reading=(
        "Other dependencies: an example. In polar coordinates; the density at a point is that of the length over the area of the sphere, which cancels, and with it the dimension. "
        "What is integrated is the stated number times a density on the lengths, and densities integrate to 1."
    ),
    checks=(Identity(),),
    derivation=(
        Step(
            "Polar coordinates.",
            theorem=CHANGE_OF_VARIABLES,
            met={
                "diffeomorphism": "Length and direction are coordinates of the space without 0.",
                "integrable or nonnegative": "Powers of densities are not negative.",
            },
        ),
    ),
    mutants=(
        Mutant("the area stays", eq(_power / _area, _times_a_law(_total))),
        Mutant("the rate of one law", eq(_power, _times_a_law(_total * _rate * _scale_1))),
        Mutant("without alpha", eq(_power, _times_a_law(_total * _scale_1 ** (alpha - 1)))),
    ),
)

_R_ABS = positive("R_abs", "absolute sensitivity")
_LARGEST = positive("M", "largest norm of an output")
_r_abs, _largest = _R_ABS.symbol, _LARGEST.symbol
_NORM_AT_MOST = Hypothesis("M bounds the norm", le(a, _largest))
_COVERED = Hypothesis(
    "the absolute sensitivity covers the relative one",
    ge(_r_abs**2, eta**2 * _largest**2 + r_rel**2),
    "§4.2, Standard vs. Relative",
)
#: The noise of the Gaussian mechanism for the level epsilon_star.
absolute_variance = alpha * _r_abs**2 / (2 * _target)
_COMPARED = (NORM_X, _LARGEST, ETA, R_REL, _R_ABS, ALPHA, _TARGET)
_WHERE = "§4.2, Standard vs. Relative Gaussian Mechanism"
_COMPARED_CHART = Chart(
    {eta: (0, None), _k: (0, 1), _largest: (0, None), a: (0, 1), _target: (0, None), r_rel: (0, None)},
    {
        alpha: 1 + _k / q,
        a: _largest * a,
        _r_abs: sqrt(eta**2 * _largest**2 + r_rel**2),
        _largest: _largest,
        eta: eta,
        r_rel: r_rel,
        _target: _target,
    },
)

less_noise = Claim(
    id="rgm:comparison-noise-at-the-same-target",
    refs=("A61",),
    title="At the same target the relative mechanism never adds more noise",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"If $R_{abs}^2 \ge \eta^2\max|R|^2 + R_{rel}^2$, the variance $\sigma_{abs}^2(x)$ is at most that of the Gaussian mechanism for the level $\varepsilon_\star$.",
    variables=_COMPARED,
    hypotheses=(_NORM_AT_MOST, _COVERED),
    conclusion=le(local_variance, absolute_variance),
    reading="Less noise: both mechanisms set for the same level, the relative one as if its first term were the target itself.",
    checks=(
        Combination(
            terms=(
                (alpha / (2 * _target), _r_abs**2 - eta**2 * _largest**2 - r_rel**2),
                (alpha / (2 * _target), eta**2, _largest - a, _largest + a),
            )
        ),
        Smt(),
    ),
    mutants=(
        Mutant("half of the noise", le(local_variance, absolute_variance / 2)),
        Mutant("any absolute sensitivity", hypotheses=(_NORM_AT_MOST,)),
        Mutant("norms beyond the largest", hypotheses=(_COVERED,)),
    ),
)

_HALF_RANGE = Hypothesis("half of the range", le(2 * eta * (2 + eta) * (alpha - 1), 1), "§4.2, after v1 (6), v2 (6)")

similar = Claim(
    id="rgm:comparison-similar-guarantee",
    refs=("A61",),
    title="The guarantees are similar in half of the range",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=r"For $2q(\alpha-1) \le 1$ the first term of (6) lies between $\varepsilon_\star$ and $2\varepsilon_\star$.",
    variables=(ETA, ALPHA, _TARGET),
    hypotheses=(_HALF_RANGE,),
    conclusion=chain(_target, "<=", _target / rho, "<=", 2 * _target),
    reading="Similar: within a factor of 2, as the paper says of its first term, with the additive term neglected.",
    checks=(Smt(),),
    sampling=Chart(
        {eta: (0, None), _k: (0, Rational(1, 2)), _target: (0, None)}, {alpha: 1 + _k / q, eta: eta, _target: _target}
    ),
    mutants=(
        Mutant("the whole range", hypotheses=(OPEN_RANGE_OF_ALPHA,)),
        Mutant("equal guarantees", le(_target / rho, _target)),
        Mutant("a factor of 3/2", le(_target / rho, 3 * _target / 2)),
    ),
)

same_guarantee = Claim(
    id="rgm:comparison-noise-at-the-same-guarantee",
    refs=("A61",),
    title="At the same guarantee the relative mechanism never adds more noise",
    source=_SOURCE,
    where=_WHERE,
    kind="remark",
    statement=(
        r"If $R_{abs}^2 \ge \eta^2\max|R|^2 + R_{rel}^2$, then at every output the relative mechanism whose guarantee, its additive term neglected, is $\varepsilon$ has at most the "
        r"variance of the Gaussian mechanism with that guarantee."
    ),
    variables=_COMPARED,
    hypotheses=(_NORM_AT_MOST, _COVERED, OPEN_RANGE_OF_ALPHA),
    conclusion=le(local_variance.subs(_target, _target * rho), absolute_variance),
    reading=(
        r"Always better: less noise for a given privacy level, the comparison that the paper announces. The first term of (6) is $\varepsilon_\star/\rho$, so the level $\varepsilon$ "
        r"(written $\varepsilon_\star$ here) asks for the target $\rho\varepsilon$."
    ),
    checks=(Search(), Smt()),
    sampling=Chart(
        {eta: (0, None), _k: (0, 1), _largest: (0, None), _target: (0, None)},
        {
            alpha: 1 + _k / q,
            a: _largest,
            _r_abs: eta * _largest,
            _largest: _largest,
            eta: eta,
            r_rel: 0 * eta,
            _target: _target,
        },
    ),
    category="missing hypothesis",
    corrected="beyond:comparison-with-room",
    remark=(
        r"At outputs of the largest norm the relative mechanism needs $1/\rho$ times the noise, because its neighbours may be noised less. It is better at every output as soon as "
        r"$R_{abs}^2$ leaves room for that factor, and at outputs of small norm in any case."
    ),
)

with_room = Claim(
    id="beyond:comparison-with-room",
    title="With room for the factor the relative mechanism is better at every output",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"If $\rho R_{abs}^2 \ge \eta^2\max|R|^2 + R_{rel}^2$, then at the same guarantee, the additive term neglected, the relative mechanism has at most the variance of the "
        r"Gaussian mechanism at every output."
    ),
    variables=_COMPARED,
    hypotheses=(
        _NORM_AT_MOST,
        Hypothesis("room for the factor", ge(rho * _r_abs**2, eta**2 * _largest**2 + r_rel**2)),
        OPEN_RANGE_OF_ALPHA,
    ),
    conclusion=le(local_variance.subs(_target, _target * rho), absolute_variance),
    checks=(Smt(),),
    sampling=Chart(
        _COMPARED_CHART.ranges, {**_COMPARED_CHART.maps, _r_abs: sqrt((eta**2 * _largest**2 + r_rel**2) / (1 - _k))}
    ),
    mutants=(
        Mutant("half of the noise", le(local_variance.subs(_target, _target * rho), absolute_variance / 2)),
        Mutant("the printed hypothesis", hypotheses=(_NORM_AT_MOST, _COVERED, OPEN_RANGE_OF_ALPHA)),
    ),
)

smallest_baseline = Claim(
    id="beyond:comparison-at-the-largest-norm",
    title="At the largest norm more noise is needed, with the smallest baseline as well",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"If $R_{abs}^2 = \eta^2\max|R|^2+R_{rel}^2$, then at the same guarantee, the additive term neglected, the relative mechanism with the baseline of Theorem 1 needs more noise at outputs "
        r"of the largest norm than the Gaussian mechanism, at every order above 1."
    ),
    variables=(_LARGEST, ETA, R_REL, ALPHA, _TARGET),
    hypotheses=(OPEN_RANGE_OF_ALPHA, Hypothesis("something to protect", gt(eta**2 * _largest**2 + r_rel**2, 0))),
    conclusion=gt(
        alpha / (2 * _target * rho) * (eta**2 * _largest**2 + (1 - eta * (alpha - 1)) * r_rel**2),
        alpha / (2 * _target) * (eta**2 * _largest**2 + r_rel**2),
    ),
    checks=(Smt(),),
    sampling=Chart(
        {eta: (0, None), _k: (0, 1), _largest: (0, None), _target: (0, None), r_rel: (0, None)},
        {alpha: 1 + _k / q, _largest: _largest, eta: eta, r_rel: r_rel, _target: _target},
    ),
    mutants=(
        Mutant(
            "twice the noise",
            gt(
                alpha / (2 * _target * rho) * (eta**2 * _largest**2 + (1 - eta * (alpha - 1)) * r_rel**2),
                alpha / _target * (eta**2 * _largest**2 + r_rel**2),
            ),
        ),
        Mutant("any order", hypotheses=(Hypothesis("something to protect", gt(eta**2 * _largest**2 + r_rel**2, 0)),)),
    ),
)
