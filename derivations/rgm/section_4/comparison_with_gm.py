r"""Section 4.2: the relative mechanism as noise at the level of the local sensitivity, and against the Gaussian mechanism.

With one variance for x and all its neighbours, $\sigma_{abs}^2(x) = \frac{\alpha}{2\varepsilon_\star}(\eta^2|R(x)|^2+R_{rel}^2)$ is what a level $\varepsilon_\star$ asks for, and it is the
variance of the relative mechanism with $\gamma = \alpha\eta^2/(2\varepsilon_\star)$. The term that grows with d comes from the ratio of two variances, and is 0 for equal
norms. Against the Gaussian mechanism: the noise at the same target is never larger, but the guarantee is weaker by the factor $1/\rho$; at the same
guarantee the relative mechanism needs more noise at outputs of the largest norm, unless $R_{abs}^2$ leaves room for that factor.
"""

from rgm_verify.gaussians.symbolic import renyi_expression

from ...theorems import CHANGE_OF_VARIABLES
from ..notation import *

page = Page("rgm-v1+v2", "§4.2", NOTATION)
_STANDARD = "Standard vs. Relative Gaussian Mechanism"
_target = page.positive("epsilon_star", "level for which the noise is set", latex=r"\varepsilon_\star")
_noise = page.positive("sigma^2", "variance per coordinate")
_distance = page.nonnegative("Delta", "distance of the two outputs")
_v1 = page.positive("v_1", "variance at x", latex=r"\sigma_1^2")
_v2 = page.positive("v_2", "variance at y", latex=r"\sigma_2^2")

#: The square of the bound on the local sensitivity at x, and the variance that it asks for.
_bound = eta**2 * a**2 + r_rel**2
local_variance = named(r"\sigma_{abs}^2(x)", alpha / (2 * _target) * _bound)
#: The parameters of the relative mechanism with that variance.
matched_gamma = alpha * eta**2 / (2 * _target)
matched_baseline = matched_gamma / eta**2 * r_rel**2
_k = positive("k").symbol
_LEVEL_IS_MET = le(alpha * _bound / (2 * _noise), _target)

local_level = page.at("first paragraph", "A46").remark(
    "rgm:local-noise-level",
    "What the local sensitivity asks of the noise",
    Iff(_LEVEL_IS_MET, ge(_noise, local_variance)),
    "The neighbour is at the distance that the definition allows, and both outputs have one variance.",
    by=(Smt(), Units({a: 1, r_rel: 1, _noise: 2})),
    wrong={
        "without alpha": Iff(_LEVEL_IS_MET, ge(_noise, local_variance / alpha)),
        "without the 2": Iff(_LEVEL_IS_MET, ge(_noise, 2 * local_variance)),
    },
    steps=Step("The divergence of two outputs with the same variance.", "rgm:gaussian-mechanism"),
    reading="The paper says itself that noise set at each input on its own does not guarantee privacy; so the noise is that of x for its neighbour as well. To require: "
    "no smaller variance will do for the neighbour that is farthest.",
)

#: The distance of the farthest neighbour, whose output is that much longer.
_farthest = named(r"\ell", sqrt(_bound))

farthest = page.at("first paragraph", "A46").remark(
    "rgm:local-noise-farthest-neighbour",
    "The farthest neighbour that the definition allows exists",
    both(le(printed(lambda: ((a + _farthest) - a) ** 2), _bound), le(_bound, eta**2 * (a + _farthest) ** 2 + r_rel**2)),
    r"The output at distance $\ell$ in the direction of $R(x)$ is admissible in both orders.",
    wrong={
        "in the opposite direction": le(_bound, eta**2 * (a - _farthest) ** 2 + r_rel**2),
        "at twice the distance": le(4 * _bound, _bound),
    },
)

own_noise = page.at("first paragraph", source="beyond").remark(
    "beyond:local-noise-at-each-input",
    "Noise set at each input on its own does not reach its target",
    gt(alpha * (a - b) ** 2, 2 * _target * (alpha * matched_gamma * b**2 + (1 - alpha) * matched_gamma * a**2)),
    r"Here the noise at $y$ is set by $R(y)$; the order is in the range of Theorem 1.",
    exists=True,
    given=(
        Hypothesis("relative sensitivity at x", le((a - b) ** 2, eta**2 * a**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le((a - b) ** 2, eta**2 * b**2), "Definition 2"),
        OPEN_RANGE_OF_ALPHA,
        Hypothesis("outputs not 0", both(gt(a, 0), gt(b, 0))),
    ),
    by=(Search(), Smt()),
    points={_k: (0, 1), a: (1 + eta) * b, alpha: 1 + _k / q},
    wrong={"more than the weight 1/rho explains": left(alpha * rho * (a - b) ** 2)},
    reading="The main term of Lemma 2, multiplied by twice the mixed variance, which is positive here.",
)

matching = page.at("before v1 (6), v2 (6)", "A47").identity(
    "rgm:matching-parameters",
    "The same noise as a relative mechanism",
    eq(local_variance, named(r"\gamma", matched_gamma) * a**2 + named(r"\sigma^2", matched_baseline)),
    by=(Identity(), Smt(), Units({a: 1, r_rel: 1})),
    wrong={
        "gamma without eta squared": matched_gamma / eta**2 * a**2 + matched_baseline,
        "gamma without the 2": 2 * matched_gamma * a**2 + matched_baseline,
        "a baseline without eta": matched_gamma * a**2 + matched_gamma * r_rel**2,
    },
)

matching_allowed = page.at("before v1 (6), v2 (6)", "A47").remark(
    "rgm:matching-baseline-allowed",
    "The matching baseline is one that Theorem 1 allows",
    ge(matched_baseline, matched_gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2),
    "On the right is the baseline of Theorem 1.",
    by=(combination((alpha / (2 * _target), eta, alpha - 1, r_rel**2)), Smt()),
    wrong={
        "twice the baseline": 2 * matched_gamma / eta**2 * (1 - eta * (alpha - 1)) * r_rel**2,
        "sign of alpha - 1": matched_gamma / eta**2 * (1 + eta * (alpha - 1)) * r_rel**2,
    },
)


def _divergence(norm_x: Expr, norm_y: Expr, squared: Expr) -> Expr:
    """The divergence of Lemma 2 for outputs of the relative mechanism with given norms and squared distance."""
    at_x, at_y = named(r"\sigma_1^2", gamma * norm_x**2 + _noise), named(r"\sigma_2^2", gamma * norm_y**2 + _noise)
    return named(r"D_\alpha(P\|Q)", renyi_expression(alpha, squared, at_x, at_y, d))


_along = 1 - _distance**2 / (2 * a**2)
_EQUAL_NORMS = Outputs((a, Integer(0)), (a * _along, a * sqrt(1 - _along**2)), d, gamma, _noise)
_NORMS = tuple(
    {
        alpha: Rational(order),
        gamma: Rational(1, 2),
        a: Integer(1),
        _noise: Rational(square),
        _distance: Rational(gap),
        d: Integer(n),
    }
    for order, square, gap, n in (("3/2", "1/2", "6/5", 3), ("2", "1/10", "1/2", 2))
)
_at_equal_norms = alpha * _distance**2 / (2 * (gamma * a**2 + _noise))

equal_norms = page.at("after v1 (6), v2 (6)", "A54").remark(
    "rgm:equal-norms",
    "With equal norms the logarithmic term is 0",
    eq(_divergence(a, a, _distance**2), _at_equal_norms),
    "Only the main term is left, and no part grows with the dimension.",
    outputs=by_outputs(_at_equal_norms, Renyi(alpha), _EQUAL_NORMS, _NORMS, _NORMS[:1]),
    by=(Identity(), Units({a: 1, _distance: 1, _noise: 2})),
    wrong={
        "one norm twice the other": left(_divergence(2 * a, a, _distance**2)),
        "a part in the dimension": _at_equal_norms + d,
    },
    reading="That the norm is public is not needed for the formula: the variances agree for neighbours, which is all that Lemma 2 sees.",
)

_of_equal_norms = keeping_names(distance2, {b: a})

equal_norms_level = page.at("after v1 (6), v2 (6)", "A54").remark(
    "rgm:equal-norms-level",
    "With equal norms the target level is reached",
    le(alpha * _of_equal_norms / (2 * local_variance), _target),
    r"The divergence of equal norms is on the left: the factor $1/\rho$ disappears as well.",
    given=(
        Hypothesis("relative sensitivity", le(_of_equal_norms, _bound), "Definition 2"),
        Hypothesis("something to protect", gt(_bound, 0), "else every neighbour has the same output"),
    ),
    over=(alpha,),
    wrong={"half of the target": _target / 2, "no sensitivity": without("relative sensitivity")},
    steps=Step("The divergence at equal norms.", "rgm:equal-norms"),
)

not_independent = page.at("after v1 (6), v2 (6)", "A55").remark(
    "rgm:another-output-not-independent",
    "The norm of a neighbouring output confines that of R(x)",
    le((a - b) ** 2, eta**2 * b**2 + r_rel**2),
    r"Noise set by $R(y)$ still tells about $R(x)$.",
    given=RELATIVE_SENSITIVITY,
    by=(combination((eta**2 * b**2 + r_rel**2 - distance2,), (2 * a * b, 1 - c)), Smt(), Units({a: 1, b: 1, r_rel: 1})),
    wrong={"half of the width": scaled("1/4"), "no sensitivity": changed(hypotheses=()), "the whole line": turned()},
    reading="Not independent: the value of the one restricts the values that the other can take.",
)

#: Equal outputs in dimension d, and in dimension 1.
_of_equal = renyi_expression(alpha, 0, _v1, _v2, d)
_VARIANCES = tuple(
    {alpha: Rational(order), _v1: Rational(first), _v2: Integer(1), d: Integer(n)}
    for order, first, n in (("3/2", "9/5", 5), ("2", "1/2", 3))
)


def _of_noise(dimension: Expr | int) -> Of:
    """The divergence of equal outputs with two variances."""
    return Of(Renyi(alpha), Outputs((), (), dimension, variances=(_v1, _v2)))


_IN_SPACE = is_quantity(_of_noise(d), _of_equal)


_in_dimension_1 = named(r"D_\alpha(P_1\|Q_1)", At(_of_equal, d, 1))

from_gaussian = page.at("before Standard vs. Relative Gaussian Mechanism", "A60").remark(
    "rgm:dimension-from-gaussian-noise",
    "Gaussian noise: the logarithmic term is proportional to the dimension",
    eq(named(r"D_\alpha(P\|Q)", _of_equal), d * _in_dimension_1),
    "The outputs are equal and have two variances; $P_1$ and $Q_1$ are the same in dimension 1.",
    outputs=(
        Unreduced(bounds=(*_IN_SPACE, *is_quantity(_of_noise(1), _of_equal.subs(d, 1))), at=_VARIANCES),
        Released(bounds=_IN_SPACE, at=_VARIANCES),
    ),
    given=Hypothesis("finite", gt(alpha * _v2 + (1 - alpha) * _v1, 0), "Lemma 2"),
    by=(Identity(), Units({_v1: 2, _v2: 2})),
    points={_v1: (0, 1, _v2 * _v1 * alpha / (alpha - 1)), d: Integer(3)},
    wrong={"the root of the dimension": sqrt(d) * _in_dimension_1, "no dimension": _in_dimension_1},
)

_radius = page.positive("t", "length of the noise vector")
_area = page.positive("A", "area of the sphere of that radius")
_scale_1 = page.positive("s_1", "scale of the length at x")
_scale_2 = page.positive("s_2", "scale of the length at y")
_law_1, _law_2 = exp(-_radius / _scale_1) / _scale_1, exp(-_radius / _scale_2) / _scale_2
_rate = named("r", alpha / _scale_1 - (alpha - 1) / _scale_2)
_power = (_law_1 / _area) ** alpha * (_law_2 / _area) ** (1 - alpha) * _area
_total = _scale_1**-alpha * _scale_2 ** (alpha - 1) / _rate


def _times_a_law(total: Expr) -> Expr:
    """A number times the exponential law with the rate of the exponent."""
    return printed(lambda: total * (_rate * exp(-_rate * _radius)))


other_noise = page.at("before Standard vs. Relative Gaussian Mechanism", "A60").remark(
    "rgm:dimension-from-other-noise",
    "Noise of uniform direction and exponential length: no dependence on the dimension",
    eq(_power, _times_a_law(_total)),
    r"The divergence is that of the lengths, in every dimension: the factor before the density $re^{-rt}$ is $e^{(\alpha-1)D_\alpha(P\|Q)}$.",
    given=Hypothesis("finite", gt(_rate, 0), "the exponent falls"),
    wrong={
        "the area stays": left(_power / _area),
        "the rate of one law": _times_a_law(_total * _rate * _scale_1),
        "without alpha": _times_a_law(_total * _scale_1 ** (alpha - 1)),
    },
    steps=CHANGE_OF_VARIABLES.quoted(
        "Polar coordinates.",
        "Length and direction are coordinates of the space without 0.",
        "Powers of densities are not negative.",
    ),
    reading="Other dependencies: an example. In polar coordinates; the density at a point is that of the length over the area of the sphere, which cancels, and with it the dimension. "
    "What is integrated is the stated number times a density on the lengths, and densities integrate to 1.",
)

_r_abs = page.positive("R_abs", "absolute sensitivity")
_largest = page.positive("M", "largest norm of an output")
_NORM_AT_MOST = Hypothesis("M bounds the norm", le(a, _largest))
_largest_bound = eta**2 * _largest**2 + r_rel**2
_COVERED = Hypothesis(
    "the absolute sensitivity covers the relative one", ge(_r_abs**2, _largest_bound), "§4.2, Standard vs. Relative"
)
#: The noise of the Gaussian mechanism for the level epsilon_star.
absolute_variance = alpha * _r_abs**2 / (2 * _target)
#: The variance at x for the guarantee epsilon_star instead of the target.
_for_guarantee = local_variance.subs(_target, _target * rho)
_COMPARED_CHART = {_k: (0, 1), a: (0, 1, _largest * a), alpha: 1 + _k / q, _r_abs: sqrt(_largest_bound)}

less_noise = page.at(_STANDARD, "A61").remark(
    "rgm:comparison-noise-at-the-same-target",
    "At the same target the relative mechanism never adds more noise",
    le(local_variance, absolute_variance),
    "On the right is the variance of the Gaussian mechanism.",
    given=(_NORM_AT_MOST, _COVERED),
    by=(
        combination(
            (alpha / (2 * _target), _r_abs**2 - eta**2 * _largest**2 - r_rel**2),
            (alpha / (2 * _target), eta**2, _largest - a, _largest + a),
        ),
        Smt(),
    ),
    wrong={
        "half of the noise": absolute_variance / 2,
        "any absolute sensitivity": without(_COVERED),
        "norms beyond the largest": without(_NORM_AT_MOST),
    },
    reading="Less noise: both mechanisms set for the same level, the relative one as if its first term were the target itself.",
)

similar = page.at(_STANDARD, "A61").remark(
    "rgm:comparison-similar-guarantee",
    "The guarantees are similar in half of the range",
    chain(_target, "<=", _target / rho, "<=", 2 * _target),
    "The first term of (6) is in the middle.",
    given=Hypothesis("half of the range", le(2 * eta * (2 + eta) * (alpha - 1), 1), "§4.2, after v1 (6), v2 (6)"),
    points={_k: (0, Rational(1, 2)), alpha: 1 + _k / q},
    wrong={
        "the whole range": changed(hypotheses=(OPEN_RANGE_OF_ALPHA,)),
        "equal guarantees": le(_target / rho, _target),
        "a factor of 3/2": le(_target / rho, 3 * _target / 2),
    },
    reading="Similar: within a factor of 2, as the paper says of its first term, with the additive term neglected.",
)

neither = page.at(_STANDARD, "NA05").remark(
    "rgm:comparison-neither-covers",
    "Otherwise some outputs get more noise from one mechanism and some from the other",
    both(
        gt(alpha / (2 * _target) * _largest_bound, absolute_variance),
        Iff(lt(local_variance, absolute_variance), lt(eta**2 * a**2 + r_rel**2, _r_abs**2)),
    ),
    "Outputs of the largest norm get more noise from the relative mechanism, those with a bound below the absolute sensitivity get less.",
    given=Hypothesis("otherwise", lt(_r_abs**2, _largest_bound), "§4.2, Standard vs. Relative"),
    by=Smt(),
    points={_largest: (0, 3), _r_abs: (0, 1, _r_abs * sqrt(_largest_bound)), a: (0, 3)},
    wrong={"covered": changed(hypotheses=(_COVERED,)), "always less": both(lt(local_variance, absolute_variance))},
    reading="At the same target, as in rgm:comparison-noise-at-the-same-target. Whether there are outputs of small norm is for the query to say: the text says that it might be so.",
)

same_guarantee = page.at(_STANDARD, "A61").remark(
    "rgm:comparison-noise-at-the-same-guarantee",
    "At the same guarantee the relative mechanism never adds more noise",
    le(_for_guarantee, absolute_variance),
    "The additive term of the guarantee is neglected; on the right is the variance of the Gaussian mechanism.",
    given=(_NORM_AT_MOST, _COVERED, OPEN_RANGE_OF_ALPHA),
    by=(Search(), Smt()),
    points={_k: (0, 1), alpha: 1 + _k / q, a: _largest, _r_abs: eta * _largest, r_rel: 0 * eta},
    reading=r"Always better: less noise for a given privacy level, the comparison that the paper announces. The first term of (6) is $\varepsilon_\star/\rho$, so the level $\varepsilon$ "
    r"(written $\varepsilon_\star$ here) asks for the target $\rho\varepsilon$.",
    mistake=("missing hypothesis", "beyond:comparison-with-room"),
    remark=r"At outputs of the largest norm the relative mechanism needs $1/\rho$ times the noise, because its neighbours may be noised less. It is better at every output as soon as "
    r"$R_{abs}^2$ leaves room for that factor, and at outputs of small norm in any case.",
)

with_room = page.at(_STANDARD, source="beyond").remark(
    "beyond:comparison-with-room",
    "With room for the factor the relative mechanism is better at every output",
    le(_for_guarantee, absolute_variance),
    "The guarantees are the same, the additive term neglected.",
    given=(_NORM_AT_MOST, Hypothesis("room for the factor", ge(rho * _r_abs**2, _largest_bound)), OPEN_RANGE_OF_ALPHA),
    points={**_COMPARED_CHART, _r_abs: sqrt(_largest_bound / (1 - _k))},
    wrong={
        "half of the noise": absolute_variance / 2,
        "the printed hypothesis": changed(hypotheses=(_NORM_AT_MOST, _COVERED, OPEN_RANGE_OF_ALPHA)),
    },
)

smallest_baseline = page.at(_STANDARD, source="beyond").remark(
    "beyond:comparison-at-the-largest-norm",
    "At the largest norm more noise is needed, with the smallest baseline as well",
    gt(
        alpha / (2 * _target * rho) * (eta**2 * _largest**2 + (1 - eta * (alpha - 1)) * r_rel**2),
        alpha / (2 * _target) * _largest_bound,
    ),
    "The Gaussian mechanism on the right has the smallest absolute sensitivity and the same guarantee, the additive term neglected.",
    given=(OPEN_RANGE_OF_ALPHA, Hypothesis("something to protect", gt(_largest_bound, 0))),
    points={_k: (0, 1), alpha: 1 + _k / q},
    wrong={"twice the noise": alpha / _target * _largest_bound, "any order": without(OPEN_RANGE_OF_ALPHA)},
)
