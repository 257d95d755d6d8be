r"""Section 4.3: the comparison of GeoDP with DP-SGD: Example 3, Theorem 2, Lemma 1 and Theorem 3.

The density of Theorem 2 has a batch size too many. Lemma 1 is printed the wrong way round; as it is meant it holds for a small bounding
factor, since the noise falls with it and the guarantee is not asked for. Theorem 3 fails, in the plane for one: magnitude noise costs less than
noise on the gradient by $\eta^2C^2\sigma^2/B^2$, and noise on the angle costs a part of the progress, which is of first order in $\eta$.
"""

from sympy import atan, cos, sin

from rgm_verify.lenses.distributions.mechanisms import Y_2, Y, geometric_gradient, noisy_gradient, normal

from ..rgm.gaussian_releases import of_readings
from ..theorems import CAUCHY_SCHWARZ, LOCAL_LIMIT
from .notation import *
from .preliminaries import page as _preliminaries

page = Page("geodp", "§4.3", NOTATION, _preliminaries)
#: Squared distances are cut off at so many times their mean where they are averaged over releases.
CUT = 12

_r1, _r2, _distance = (
    page.nonnegative("r_1", "norm of a clipped gradient"),
    page.nonnegative("r_2", "norm of another one"),
    page.nonnegative("s", "their distance"),
)
_IN_BALL = Hypothesis("clipped gradients", both(le(_r1, C), le(_r2, C)), by=("geodp:clipped-norm",))
_TRIANGLE = Hypothesis("triangle inequality", le(_distance, _r1 + _r2))

ball = page.at("before Example 3", "G41").remark(
    "geodp:gradients-in-a-ball",
    "Noise makes any two clipped gradients indistinguishable",
    le(_distance / (sigma * C), 2 / sigma),
    "In units of the noise any two gradients in the ball are at most this far apart, and so is every pair of neighbours.",
    given=(_IN_BALL, _TRIANGLE),
    wrong={"half of it": 1 / sigma, "not clipped": without(_IN_BALL)},
    steps="beyond:hockey-stick-monotone-in-distance",
    reading="Indistinguishable is read as: with the guarantee of Gaussian noise at this distance.",
)

_k = page.real("k", "length, in units of that of the first one", lower=1, upper=2)
same = page.at("Example 3", "G42a").numeric(
    "geodp:example-3-directions",
    "The two gradients of Example 3",
    both(eq(printed(lambda: atan(_k / _k)), pi / 4), le(sqrt(_k**2 + _k**2), 2 * sqrt(2))),
    "For all gradients $(k, k)$ between the two, $k = 1$ and $k = 2$.",
    wrong={"its first coordinate is 1": both(eq(atan(_k), pi / 4)), "a smaller ball": both(le(sqrt(_k**2 + _k**2), 2))},
)

_n1, _n2 = page.real("n_1", "noise on the first coordinate"), page.real("n_2", "noise on the second coordinate")
_NOISE = Hypothesis("the noise", both(eq(_n1, 2), eq(_n2, -1)), "Example 3")
first = page.at("Example 3", "G42b").numeric(
    "geodp:example-3-first",
    "The perturbed direction of the first gradient",
    both(eq(1 + _n2, 0), gt(1 + _n1, 0)),
    r"The noisy gradient lies on the first axis, to the right: $\arctan2(0, 3) = 0$ by (7).",
    given=_NOISE,
    by=Smt(),
    points={_n1: Integer(2), _n2: Integer(-1)},
    wrong={"to the left": both(lt(1 + _n1, 0)), "any noise": without()},
)

_turns = named(r"\tfrac{25}\pi\theta_2^*", 25 * atan(Rational(1, 4)) / pi)
second = page.at("Example 3", "G42c").numeric(
    "geodp:example-3-second",
    "The perturbed direction of the second gradient",
    both(le(_turns, 2 + Rational(1, 2)), ge(_turns, 2 - Rational(1, 2))),
    r"$\theta_2^* = \arctan\frac14$. In units of $\frac\pi{25}$ it rounds to 2.",
    wrong={"3": both(ge(_turns, 3 - Rational(1, 2))), "1": both(le(_turns, 1 + Rational(1, 2)))},
    reading=r"About $\frac{2\pi}{25}$ is read as: the numerator is rounded to an integer. The relative error is below 3 percent.",
)

different = page.at("Example 3", "G42d").numeric(
    "geodp:example-3-different",
    "The perturbed directions differ from each other and from the direction before",
    both(gt(atan(Rational(1, 4)), 0), lt(atan(Rational(1, 4)), pi / 4), lt(0, pi / 4)),
    wrong={
        "no difference": both(le(atan(Rational(1, 4)), 0)),
        "beyond the direction": both(gt(atan(Rational(1, 4)), pi / 4)),
    },
)

_v, _n = (
    page.positive("v", "variance of a coordinate over the records"),
    page.natural("N", "number of records", lower=2, latex=r"|D|"),
)
_cov = page.real("c", "covariance of the coordinates of two records of a batch")
_var = named(r"\mathrm{var}(\tilde{\mathbf g}_z)", _v / B + (B - 1) * _cov / B)
_WITHOUT = Hypothesis(
    "a batch without repetitions", both(eq(_cov, -_v / (_n - 1)), le(B, _n)), "§2.2: S is a subset of D"
)
_DRAWN = {_v: (0, 3), _n: (2, 60), B: (1, 60), _cov: -_v / (_n - 1)}

independent = page.at("before Theorem 2", "G43a").remark(
    "geodp:independent-gradients",
    "The gradients of a batch are independent",
    eq(_var, _v / B),
    "The variance of an average of independent gradients is on the right.",
    given=_WITHOUT,
    points=_DRAWN,
    category="false",
    corrected="geodp:independent-gradients-corrected",
    reading="A batch is a subset of the data. Its records have one law, and they are not independent: what one is, the others are not. Coordinates of one gradient have neither one law nor independence.",
)

independent_corrected = page.at("before Theorem 2").correction(
    "geodp:independent-gradients-corrected",
    "The variance of an average over a batch without repetitions",
    both(eq(_var, _v / B * (_n - B) / (_n - 1)), le(_var, _v / B)),
    "It is smaller, and 0 for a batch of all records. With independent draws, or a data set that is large against the batch, the right side is $v/B$ or near to it.",
    given=_WITHOUT,
    by=Smt(),
    points=_DRAWN,
    wrong={"without the -1": both(eq(_var, _v / B * (_n - B) / _n)), "any covariance": without()},
)

_reach = page.positive("k_0", "number of standard deviations of the average")
_within = named(r"\int_{\lvert x - \mathbb E\rvert \le k_0\sqrt{v/B}} f", erf(_reach * sqrt(B) / sqrt(2)) / sqrt(B))

theorem_2 = page.at("Theorem 2", "G43").theorem(
    "geodp:theorem-2",
    "The density of the average of gradients",
    eq(_within, erf(_reach / sqrt(2))),
    r"On the left is the integral of the printed density over $k_0$ standard deviations of the average to either side, on the right the probability of a normal law.",
    printed=r"f(\tilde{\mathbf g}_z) = \sqrt{\frac B{2\pi\,\mathrm{var}}}\exp\Bigl(-\frac{B^2(x - \mathbb E)^2}{2\,\mathrm{var}}\Bigr)",
    category="misprint",
    corrected="geodp:theorem-2-corrected",
    reading="The limit is read as: for large batches the law is near this one. As a limit in $B$ a function of $B$ cannot stand on the right.",
    remark=r"The whole of the printed density has the integral $1/\sqrt B$. With $B$ in the exponent, in the place of $B^2$, it is a density.",
)

_x = page.real("x", "distance from the mean")
theorem_2_corrected = page.at("Theorem 2").correction(
    "geodp:theorem-2-corrected",
    "The density of the average of gradients, with the batch size once",
    eq(Derivative(phi(_x * sqrt(B / _v)), _x), sqrt(B / (2 * pi * _v)) * exp(-B * _x**2 / (2 * _v))),
    r"On the left is the density of the normal law with the variance of the average, from its distribution function. The standardised sum has a density that tends to that of the standard normal law; that of the average is near to the right side in units of $\sqrt{B/\mathrm{var}}$, uniformly, for large batches.",
    by=Identity(),
    points={_v: (0, 3), B: (1, 40), _x: (-3, 3)},
    wrong={"printed": sqrt(B / (2 * pi * _v)) * exp(-(B**2) * _x**2 / (2 * _v)), "without B": sqrt(B / (2 * pi * _v)) * exp(-(_x**2) / (2 * _v))},
    steps=(
        LOCAL_LIMIT.quoted("The density of the standardised sum.", "This has to be assumed: the records of a batch are drawn anew, with repetitions.", "Clipped gradients are bounded; the variance is assumed not to be 0.", "This has to be assumed."),
    ),
    reading="The limit is that of the standardised density; without standardising the average has no limit with a density.",
    remark="A batch of a finite set of data has no density; of it the theorem of Lindeberg and Lévy says that the probabilities of intervals are near to these integrals.",
)  # fmt: skip

_mean = page.nonnegative("m", "mean of a coordinate of a gradient")
_certain = named(r"\Pr[\tilde{\mathbf g}_z > 0]", phi(sqrt(B) * _mean / sqrt(_v)))


def _average(batch: Expr) -> Outputs:
    """A coordinate of an average by its normal law; beside it another one, so that its sign is that of a loss."""
    return Outputs((_mean,), (_mean - 1,), 1, variances=(_v / batch, _v / batch))


_COORDINATES = tuple({_mean: m, _v: Integer(1), B: Integer(4)} for m in (Integer(0), Rational(1, 4), Rational(1, 2)))

concentrate = page.at("after Theorem 2", "G43b").remark(
    "geodp:directions-concentrate",
    "Theorem 2 shows that averages of gradients concentrate at a direction",
    gt(_certain, Rational(1, 2)),
    "The probability that a coordinate of the average has the sign of its mean, for the normal law.",
    outputs=by_outputs(
        _certain, LossAbove((1 - 2 * _mean) * B / (2 * _v)), _average(B), _COORDINATES[:2], _COORDINATES[1:2]
    ),
    category="missing hypothesis",
    corrected="geodp:directions-concentrate-corrected",
    reading="To concentrate is, at least, to have the sign of the mean more often than not.",
    remark="Theorem 2 says how averages spread, not where their mean is. Near an optimum the mean gradient is 0, and every direction is as likely as its opposite, whatever the batch size.",
)

concentrate_corrected = page.at("after Theorem 2").correction(
    "geodp:directions-concentrate-corrected",
    "They do where the mean gradient is not 0",
    both(gt(_certain, Rational(1, 2)), ge(phi(sqrt(B + 1) * _mean / sqrt(_v)), _certain)),
    "A larger batch makes the sign more certain.",
    outputs=of_readings(
        (
            Reading(_certain, LossAbove((1 - 2 * _mean) * B / (2 * _v)), _average(B)),
            Reading(
                phi(sqrt(B + 1) * _mean / sqrt(_v)), LossAbove((1 - 2 * _mean) * (B + 1) / (2 * _v)), _average(B + 1)
            ),
        ),
        _COORDINATES[1:],
    ),
    given=Hypothesis("the mean is not 0", gt(_mean, 0)),
    wrong={"nearly certain": both(gt(_certain, Rational(9, 10))), "any mean": without()},
    points={B: (1, 60), _mean: (0, 2), _v: (0, 3)},
)

waste = page.at("after Theorem 2", "G59").remark(
    "geodp:unnecessary-directions",
    "Directions that need no protection",
    says="DP-SGD protects directions that need no protection, and so wastes budget.",
    informal="Which directions are unnecessary, and what is wasted, is not said. A guarantee is about every pair of neighbours and no direction of the noise can do with less: beyond:less-noise-in-a-direction. How records are usually spread is no part of it.",
)

_less = page.positive("sigma'", "noise multiplier in some direction", latex=r"\sigma'")
_LESS = Hypothesis("less noise in that direction", lt(_less, sigma))
less_noise = ours(page, "after Theorem 2").remark(
    "beyond:less-noise-in-a-direction",
    "Less noise in a direction is less privacy",
    gt(2 / _less, 2 / sigma),
    r"On the left is the distance of two opposite clipped gradients in that direction, in units of the noise there.",
    given=_LESS,
    wrong={"twice": gt(1 / _less, 2 / sigma), "any noise": without()},
    steps="beyond:hockey-stick-monotone-in-distance",
)

# Lemma 1: the error of the angles of GeoDP is (d - 1) times the variance on an angle; M stands for that of DP-SGD.
_error = page.positive("M", "mean square error of the directions of DP-SGD", latex=r"\mathrm{MSE}_{\mathrm{DP}}")
_MORE = Hypothesis("at least two coordinates", ge(d, 2))


def _geo(factor: Expr) -> Expr:
    return (d - 1) * (d + 2) * factor**2 * pi**2 * sigma**2 / B**2


def _squared_angle(part: Expr, factor: Expr) -> Reading:
    """In the plane there is one angle, with this bounding factor."""
    deviation = 2 * factor * pi * sigma / B
    return Reading(part, Mean(Y**2, (0, 20 * deviation**2), cut=True), normal(0, deviation))


# In the plane, for any gradient: noise that turns its sign changes the angle by a right angle at least.
_size = page.positive("g", "norm of the average of clipped gradients", latex=r"\|\tilde{\mathbf g}\|")
_plane_error = named(r"\tfrac{\pi^2}4\Pr[\text{turned}]", pi**2 / 4 * phi(-_size * B / (C * sigma)))
lemma = page.at("Lemma 1", "G45").lemma(
    "geodp:lemma-1",
    "Some bounding factor makes GeoDP worse",
    lt(_plane_error, 4 * pi**2 * sigma**2 / B**2),
    r"In the plane, for a gradient of any norm and direction. On the left is a lower bound of the mean square error of the angle of DP-SGD, as noise against the gradient of more than its norm changes the angle by a right angle at least. On the right is that of GeoDP at $\beta = 1$, the largest that there is.",
    outputs=of_readings(
        (_squared_angle(4 * pi**2 * sigma**2 / B**2, Integer(1)),),
        ({B: Integer(256), sigma: Integer(1), C: Integer(1), _size: Rational(7, 3200)},),
    ),
    printed=r"\exists\beta:\ \mathrm{MSE}(\tilde\theta^*) < \mathrm{MSE}(\theta^*)",
    given=Hypothesis("an average of clipped gradients", le(_size, C)),
    points={B: (1, 300), C: (0, 1), _size: (0, 1, _size * C), sigma: (0, 9)},
    category="misprint",
    corrected="geodp:lemma-1-corrected",
    instance="The plane.",
    reading=r"As printed: $\theta^*$ is of GeoDP and $\tilde\theta^*$ of DP, in this order. For every gradient, batch size and noise multiplier, in every dimension.",
)

_chosen = named(r"\beta", Min(1, B * sqrt(_error) / (2 * sqrt((d - 1) * (d + 2)) * pi * sigma)))
lemma_corrected = page.at("Lemma 1").correction(
    "geodp:lemma-1-corrected",
    "Some bounding factor makes the error of the angles smaller than that of DP-SGD",
    both(lt(named(r"\mathrm{MSE}_{\mathrm{GeoDP}}", _geo(_chosen)), _error), gt(_chosen, 0)),
    "For every error of DP-SGD, with this bounding factor.",
    outputs=of_readings(
        (_squared_angle(_geo(_chosen), _chosen),),
        (
            {d: Integer(2), B: Integer(4), sigma: Integer(1), _error: Integer(2)},
            {d: Integer(2), B: Integer(4), sigma: Integer(1), _error: Integer(9)},
        ),
    ),
    given=_MORE,
    points={d: (2, 40), B: (1, 60), sigma: (0, 3), _error: (0, 9)},
    wrong={"the largest factor": both(lt(_geo(Integer(1)), _error)), "a tenth": both(lt(_geo(_chosen), _error / 10))},
    remark="The guarantee is not the same for every bounding factor, as the noise falls with it and no angle is clamped: `geodp:same-guarantee`.",
)

# Theorem 3 in the plane: u is the step from the optimum, along and across the gradient of norm rho.
_rho = page.positive("rho", "norm of the average of clipped gradients", latex=r"\|\tilde{\mathbf g}\|")
_along = page.real("u_1", "coordinate of w - w* along the gradient")
_away = page.nonnegative(
    "u_2", "squared distance of the model from the optimum", latex=r"\|\mathbf w_t - \mathbf w^*\|^2"
)
_CAUCHY = Hypothesis("Cauchy and Schwarz", le(_along**2, _away))
_SHORT = Hypothesis("an average of clipped gradients", le(_rho, C))
_var_angle = (2 * beta * pi * sigma / B) ** 2
_me_dp = named(
    r"\mathbb E_{\mathrm{DP}}", _away - 2 * eta * _rho * _along + eta**2 * (_rho**2 + 2 * C**2 * sigma**2 / B**2)
)
_me_geo = named(
    r"\mathbb E_{\mathrm{GeoDP}}",
    _away - 2 * eta * _rho * _along * exp(-_var_angle / 2) + eta**2 * (_rho**2 + C**2 * sigma**2 / B**2),
)
_PLANE = {
    _rho: (0, 1),
    _along: (-3, 3),
    _away: (0, 9),
    B: (1, 20),
    C: (0, 1),
    eta: (0, 1),
    sigma: (0, 10),
    beta: (0, 1),
}

#: The mean squared distance after a step, from what DP-SGD and GeoDP release; at the first point GeoDP is worse.
_across = sqrt(_away - _along**2)
DISTANCES = (
    Reading(
        _me_dp,
        Mean((_along - eta * Y) ** 2 + (_across - eta * Y_2) ** 2, (0, CUT * _me_dp), cut=True),
        noisy_gradient(_rho, C, B, sigma),
    ),
    Reading(
        _me_geo,
        Mean((_along - eta * Y * cos(Y_2)) ** 2 + (_across - eta * Y * sin(Y_2)) ** 2, (0, CUT * _me_geo), cut=True),
        geometric_gradient(_rho, C, B, sigma, beta),
    ),
)
_LARGE_NOISE = tuple(
    { _rho: Integer(1), _along: Integer(1), _away: Integer(1), B: Integer(2), C: Integer(1), eta: rate,
    sigma: Integer(2), beta: Rational(1, 4), } for rate in (Integer(1), Integer(2))
)  # fmt: skip

theorem_3 = page.at("Theorem 3", "G44 G43c G60").theorem(
    "geodp:theorem-3",
    "GeoDP is better than DP-SGD",
    lt(_me_geo, _me_dp),
    r"In the plane, with the closed forms of $\mathbb E\|\mathbf w_{t+1}^* - \mathbf w^*\|^2$: the mean of the noisy gradient of GeoDP is $e^{-s^2/2}\tilde{\mathbf g}$, its mean square norm $\|\tilde{\mathbf g}\|^2 + C^2\sigma^2/B^2$.",
    outputs=of_readings(DISTANCES, _LARGE_NOISE[:1]),
    printed=r"\mathbb E\|\mathbf w_{t+1}^* - \mathbf w^*\|^2 < \mathbb E\|\tilde{\mathbf w}_{t+1}^* - \mathbf w^*\|^2",
    given=(_CAUCHY, _SHORT),
    points=_PLANE,
    category="false",
    corrected="geodp:theorem-3-corrected",
    instance="The plane.",
    steps="beyond:cosine-of-a-noisy-angle",
    reading="The text compares a step of GeoDP with one without noise; that of DP-SGD is meant. Both have the noise multiplier that is said to give the same guarantee. The printed statement has every dimension and every learning rate; this is a case of it.",
    remark=r"For small learning rates the loss of progress, of first order in $\eta$, outweighs what is saved in noise, of second order.",
)

# In any dimension: a and b are the products of w - w* with the gradient and with the mean of what GeoDP releases.
_progress = page.real(
    "a", "product of w - w* and the gradient", latex=r"\langle\mathbf w_t - \mathbf w^*, \tilde{\mathbf g}_t\rangle"
)
_left_over = page.real(
    "b",
    "product of w - w* and the mean of the noisy gradient of GeoDP",
    latex=r"\langle\mathbf w_t - \mathbf w^*, \mathbb E\tilde{\mathbf g}_t^*\rangle",
)
_least = page.real("Q", "share of the last coordinate that is left, e to -(d-1) s^2/2", lower=0, lower_open=True, upper=1, latex="q^{d-1}")  # fmt: skip
_distance_away = page.nonnegative("U", "distance of the model from the optimum", latex=r"\|\mathbf w_t - \mathbf w^*\|")
_saved = (d - 1) * eta * C**2 * sigma**2 / B**2
_dp_any = named(
    r"\mathbb E_{\mathrm{DP}}",
    _distance_away**2 - 2 * eta * _progress + eta**2 * (_rho**2 + d * C**2 * sigma**2 / B**2),
)
_geo_any = named(
    r"\mathbb E_{\mathrm{GeoDP}}",
    _distance_away**2 - 2 * eta * _left_over + eta**2 * (_rho**2 + C**2 * sigma**2 / B**2),
)
_LOST = Hypothesis(
    "every coordinate keeps a share of at least that of the last one",
    le((_progress - _left_over) ** 2, (1 - _least) ** 2 * _rho**2 * _distance_away**2),
    by=("beyond:mean-of-a-coordinate",),
)
_MULTIPLE = {
    d: (2, 9), B: (1, 20), C: (0, 1), eta: (0, 1), sigma: (0, 10), _least: (0, 1), _rho: (0, 1), _distance_away: (0, 3),
    _progress: (-3, 3), _left_over: (0, 1, _progress - _left_over * (1 - _least) * _rho * _distance_away),
}  # fmt: skip
#: Two dimensions, where one angle has the deviation of the share that is left.
_IN_THE_PLANE = {
    d: Integer(2), _rho: Integer(1), _progress: Integer(1), _distance_away: Rational(5, 4), B: Integer(2), C: Integer(1),
    eta: Integer(1), sigma: Integer(2), _least: Rational(1, 4), _left_over: Rational(1, 4),
}  # fmt: skip
_SAID = {_along: _progress / _rho, _away: _distance_away**2, beta: B * sqrt(-2 * log(_least)) / (2 * pi * sigma)}
theorem_3_corrected = page.at("Theorem 3").correction(
    "geodp:theorem-3-corrected",
    "By how much a step of GeoDP is better or worse",
    both(
        eq(_dp_any - _geo_any, eta * (_saved - 2 * (_progress - _left_over))),
        Implies(lt(2 * (1 - _least) * _rho * _distance_away, _saved), gt(_dp_any, _geo_any)),
    ),
    r"In every dimension: what is saved in noise against what is lost of the progress. The mean of the noisy gradient is $(q\mathbf g_1, q^2\mathbf g_2, \dots, q^{d-1}\mathbf g_{d-1}, q^{d-1}\mathbf g_d)$ with $q = e^{-s^2/2}$ and $s = \sqrt{d+2}\,\beta\pi\sigma/B$, its mean square norm $\|\tilde{\mathbf g}\|^2 + C^2\sigma^2/B^2$. GeoDP is better if and only if the difference is positive, and it is where the saving is larger than the most that can be lost.",
    outputs=of_readings(
        (Reading(part, r.quantity.placed(_SAID), r.outputs.subs(_SAID)) for part, r in zip((_dp_any, _geo_any), DISTANCES, strict=True)),
        (_IN_THE_PLANE,),
    ),
    given=(_MORE, _LOST),
    points=_MULTIPLE,
    wrong={"nothing is lost": both(eq(_dp_any - _geo_any, eta * _saved)), "any loss": without(_LOST), "a coordinate saved": both(eq(_dp_any - _geo_any, eta * (d * eta * C**2 * sigma**2 / B**2 - 2 * (_progress - _left_over))))},
    by=Smt(),
    steps=("geodp:algorithm", Step("Each coordinate is left with the factor of its angles, of which there are at most d - 1.", "beyond:mean-of-a-coordinate"), CAUCHY_SCHWARZ.quoted("The loss is a product with a vector.", "The usual product.")),
)  # fmt: skip

_saved_in_the_plane = eta * C**2 * sigma**2 / B**2
_lost = 2 * _rho * _along * (1 - exp(-_var_angle / 2))
in_the_plane = ours(page, "Theorem 3").remark(
    "beyond:step-of-geodp-in-the-plane",
    "By how much a step of GeoDP is better or worse, in the plane",
    eq(_me_dp - _me_geo, eta * (_saved_in_the_plane - _lost)),
    outputs=of_bounds(
        (
            *is_quantity(Of(DISTANCES[0].quantity, DISTANCES[0].outputs), _me_dp),
            *is_quantity(Of(DISTANCES[1].quantity, DISTANCES[1].outputs), _me_geo),
        ),
        _LARGE_NOISE,
    ),
    given=(_CAUCHY, _SHORT),
    points=_PLANE,
    wrong={"nothing is lost": eta * _saved_in_the_plane, "twice the saving": eta * (2 * _saved_in_the_plane - _lost)},
    steps="beyond:cosine-of-a-noisy-angle",
)
