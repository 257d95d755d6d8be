r"""Appendix B.5, the mean of the clipped covariance: the factor rho-bar, and how close to 1 it is.

Clipping leaves the direction of a whitened record alone, so that the mean is a multiple of $\Sigma$: one number, two chi-square probabilities, which nothing of $\Sigma$ or $n$ enters.
"""

from sympy import gamma as gamma_function

from ...theorems import CHANGE_OF_VARIABLES, FUBINI, FUNDAMENTAL
from ..gaussian_notation import *
from ..gaussian_releases import norm_above
from ..notation import NOTATION, d

page = Page("rgm-v2", "App. B.5", GAUSSIAN_NOTATION, NOTATION)
_m = page.positive("m", "$X^\\top\\Sigma^{-1}X$")

clipped_record = page.at("display after v2 (73), first line", "P3.3a").identity(
    "rgm:b5-clipped-record",
    "What clipping does to the square of a record",
    eq(v / Max(v, _m), Min(1, v / _m)),
    "The factor of the square of a record.",
    by=Smt(),
    wrong={"max for min": Max(1, v / _m), "root of the factor": left((v / Max(v, _m)) ** 2)},
    reading=r"$\tilde A$ includes the regularisation, so that the mean of the display is that of a single record. The sphere $m = R_c^2$, which both brackets count, has probability 0.",
    printed=r"\tilde X\tilde X^\top = \frac{R_c^2}{\max(R_c^2, X^\top\Sigma^{-1}X)}XX^\top = \min\left(1, \frac{R_c^2}{X^\top\Sigma^{-1}X}\right)XX^\top",
)

_k = page.positive("d", "dimension, or any positive number")

_beta_mean = named(
    r"\frac{B(\frac32,\frac{d-1}2)}{B(\frac12,\frac{d-1}2)}",
    gamma_function(Rational(3, 2))
    * gamma_function(_k / 2)
    / (gamma_function(Rational(1, 2)) * gamma_function(_k / 2 + 1)),
)

direction = page.at("display after v2 (73); App. B.6, last display", source="rgm-v1+v2").identity(
    "rgm:b5-direction",
    "Each direction has weight 1/d",
    eq(_beta_mean, 1 / _k),
    "The left side is the mean of $u_1^2/|u|^2$ for Gaussian $u$, which does not depend on $|u|$.",
    wrong={"d - 1 for d": 1 / (_k + 1), "second moment": 3 / (_k * (_k + 2))},
    reading=r"With $\Sigma^{1/2}u$ for $x$ the integral is $\Sigma^{1/2}M\Sigma^{1/2}$ with $M$ the mean of $w(|u|)uu^\top$. Mixed entries of $M$ vanish, since the law of $u$ does not see the sign of $u_i$; so the integral is a multiple of $\Sigma$.",
)

_total = page.real("T", "for the weight $w(|u|)$", latex=r"\mathbb E[w\|u\|^2]")
_entry = page.real("e", "a diagonal entry", latex=r"\mathbb E[wu_i^2]")
_mixed = page.real("f", "an entry off the diagonal", latex=r"\mathbb E[wu_iu_j]")

symmetry = page.at("display after v2 (73); App. B.6, last display", "P3.3b V1P3.6b", source="rgm-v1+v2").identity(
    "rgm:b5-symmetry",
    "A weighted mean of uu^T is a multiple of the identity",
    both(eq(_entry, _total / d), eq(_mixed, 0)),
    "For Gaussian $u$ and every weight.",
    given=(
        Hypothesis("all diagonal entries are equal, and add up", eq(d * _entry, _total), "exchange of two coordinates"),
        Hypothesis("a mixed entry is its own negative", eq(_mixed, -_mixed), "change of the sign of a coordinate"),
    ),
    by=Smt(),
    points={_total: (-3, 3), d: (0, None), _entry: _total / d, _mixed: 0 * _total},
    wrong={
        "d + 1": both(eq(_entry, _total / (d + 1)), eq(_mixed, 0)),
        "entries that differ": without("all diagonal entries are equal, and add up"),
        "mixed entries that stay": without("a mixed entry is its own negative"),
    },
    steps=CHANGE_OF_VARIABLES.quoted(
        "An integral does not change either.",
        "Two coordinates change places, one changes its sign, or the vector is multiplied by a root of Sigma.",
        "Each entry is at most the weighted squared norm, whose mean is finite.",
    ),
    reading=r"With $\Sigma^{1/2}u$ for $x$ the integral of the display is a multiple of $\Sigma$. The law of $u$ and the weight do not change when two coordinates change places or one its sign.",
    printed=r"\mathbb E\left[w(\|u\|)uu^\top\right] = \frac1d\mathbb E\left[w(\|u\|)\|u\|^2\right]I",
)

_y = page.positive("y", latex=r"\|u\|^2")

_of_mean = page.real(
    "E", "mean of the squared form of a clipped record", latex=r"z^\top\mathbb E[\tilde A-\mu_{\rm reg}I]z"
)
_along = page.nonnegative("sigma", "for a vector z", latex=r"(z^\top\Sigma z)")
_MEAN_OF_SQUARE = Hypothesis(
    "rho-bar", eq(d * rho_bar, _total), "v2 (74), whose integrand is the weight times the square"
)
_ONE_ENTRY = Hypothesis("its diagonal entries", eq(d * _entry, _total), "symmetry", by=("rgm:b5-symmetry",))
_IN_BASIS = Hypothesis("a multiple of Sigma", eq(_of_mean, _entry * _along), "Sigma^(1/2) e I Sigma^(1/2)")


def _mean_of_a_record(weighted: Expr, mean: Expr) -> Formula:
    """The integrand of (74), and the mean along a vector."""
    return both(eq(_y * Min(1, v / _y), weighted), eq(_of_mean, mean))


mean_record = page.at("v2 (74); Section 5.4, v2 (12)", "P3.3c P3.13b").identity(
    "rgm:b5-mean-of-a-record",
    "The mean of the clipped covariance",
    _mean_of_a_record(Min(_y, v), rho_bar * _along),
    "Under the integral the weight of clipping, times the squared norm; and the mean along every vector $z$.",
    given=(_MEAN_OF_SQUARE, _ONE_ENTRY, _IN_BASIS),
    by=Smt(),
    points={
        (_y, v): (0, 4),
        d: (1, 9),
        _along: (0, 3),
        _total: d * rho_bar,
        _entry: rho_bar,
        _of_mean: rho_bar * _along,
    },
    wrong={
        "the maximum": _mean_of_a_record(Max(_y, v), rho_bar * _along),
        "1/d twice": _mean_of_a_record(Min(_y, v), rho_bar * _along / d),
        "entries that differ": without(_ONE_ENTRY),
        "no multiple": without(_IN_BASIS),
    },
    steps=(
        Step("Clipping gives a record this weight.", "rgm:b5-clipped-record"),
        Step("The mean of the weight times $uu^\\top$ is a multiple of the identity.", "rgm:b5-symmetry"),
    ),
    reading=r"In every dimension. Nothing of $\Sigma$ is left in $\bar\rho$, which therefore does not depend on $\kappa_\Sigma$.",
    printed=r"\mathbb E[\tilde A - \mu_{\rm reg}I] = \bar\rho\Sigma",
)

_r = page.positive("s", "radius |u|")
_sphere = named("A_d(s)", 2 * pi ** (_k / 2) / gamma_function(_k / 2) * _r ** (_k - 1))
_chi_square = named("f_d(s^2)", density(_r**2, _k))

shells = page.at("v2 (74); App. B.4, v1 (61); App. B.6, step 1", "V1P1.7a V1P3.3b", source="rgm-v1+v2").identity(
    "rgm:b5-shells",
    "The squared norm of a Gaussian vector is chi-square",
    eq(_sphere * exp(-(_r**2) / 2) / (2 * pi) ** (_k / 2), _chi_square * 2 * _r),
    "$A_d(s)$ is the area of the sphere of radius $s$, and $f_d$ the density of chi-square: the Gaussian weight of the sphere is that of its squared radius.",
    wrong={"half the sphere": _chi_square * _r, "one degree more": density(_r**2, _k + 1) * 2 * _r},
    steps=CHANGE_OF_VARIABLES.quoted(
        "Polar coordinates.",
        "Radius and direction are coordinates of the space without 0.",
        "Densities are not negative.",
    ),
    reading=r"So $(2\pi)^{-d/2}\int g(|u|^2)e^{-|u|^2/2}du = \mathbb E\,g(\chi^2_d)$ for every $g$.",
)


def _tail_integral(d_times: Expr) -> Formula:
    """The expression is the integral of the tail from 0 to the squared threshold."""
    return both(eq(d_times.diff(v), tail(v, _k)), eq(At(d_times, v, 0), 0))


clipped_mean_claim = page.at("v2 (74); Section 5.4, v2 (12)", "P3.4").identity(
    "rgm:b5-clipped-mean",
    "The factor rho-bar as two chi-square probabilities",
    _tail_integral(_k * clipped_mean(v, _k)),
    outputs=of_bounds(
        is_quantity(norm_above(v, _k), tail(v, _k)), ({v: Integer(3), _k: Integer(2)}, {v: Integer(2), _k: Integer(3)})
    ),
    wrong={
        "d degrees of freedom twice": _tail_integral(_k * distribution(v, _k) + v * tail(v, _k)),
        "without the clipped records": _tail_integral(_k * distribution(v, _k + 2)),
        "another value at 0": _tail_integral(_k * clipped_mean(v, _k) + 1),
    },
    steps=(
        Step("Clipping.", "rgm:b5-clipped-record"),
        Step("Symmetry.", "rgm:b5-symmetry"),
        Step("Each direction by itself.", "rgm:b5-direction"),
        Step("Polar coordinates.", "rgm:b5-shells"),
        FUBINI.quoted(
            r"$\mathbb E\min(Y, v) = \mathbb E\int_0^v 1\{Y > y\}dy = \int_0^v P[Y > y]dy$.",
            "It is the indicator of a half of the plane.",
            "An indicator is not negative.",
        ),
        FUNDAMENTAL.quoted(
            "The right side is the integral of its derivative.",
            "Incomplete gamma functions are, and it is 0 at 0.",
            "The tail is continuous and positive.",
        ),
    ),
    reading=r"$\mathbb E\min(\chi^2_d, R_c^2)$ is the integral of its tail; the right side has the tail as its derivative in $R_c^2$, and is 0 at 0. Nothing of $\Sigma$ or $n$ is left: $\bar\rho$ depends on $R_c$ and, in its own definition, on the dimension $d$ that is fixed with $X$.",
    printed=r"d\bar\rho = \int_0^{R_c^2} P[\chi^2_d > y]\,dy = d\,P[\chi^2_{d+2} \le R_c^2] + R_c^2\,P[\chi^2_d > R_c^2]",
)

#: The mean at the threshold 2, in the dimensions 1 and 2.
_mean_1, _mean_2 = (named(rf"\bar\rho_{k}(2)", clipped_mean(Integer(2), Integer(k))) for k in (1, 2))

only_the_threshold = page.at("after v2 (74)").remark(
    "rgm-v2:b5-depends-only-on-the-threshold",
    "rho-bar depends on the dimension besides",
    gt(_mean_1, _mean_2 + Rational(1, 10)),
    r"At the same threshold $\bar\rho$ is larger in dimension 1 than in dimension 2.",
    wrong={"by one half": _mean_2 + Rational(1, 2), "smaller": lt(_mean_1, _mean_2)},
    reading=r"The dimension is fixed in Proposition 3 ($X \in \mathbb R^{d\times n}$), so that nothing printed is wrong: `rgm:b5-clipped-mean`.",
    remark=r"As $R_c^2$ grows it is near 1 only beyond $R_c^2 \approx d$.",
)

close_to_one = page.at("after v2 (74)", "P3.5").remark(
    "rgm-v2:b5-close-to-1",
    "rho-bar is close to 1",
    says=r"$\bar\rho$ is close to 1 for $R_c^2 \ge 2d$.",
    informal="How close is close is not said; beyond:b5-close-to-1-exact and beyond:b5-close-to-1-large say how close it is.",
    remark=r"At $R_c^2 = 2d$ it is 0.742 for $d = 1$, $1 - e^{-2} = 0.865$ for $d = 2$, 0.917 for $d = 3$.",
)

_y_2 = page.nonnegative("y", latex=r"\|u\|^2")

at_most_one = page.at("after v2 (74)", "P3.6").inequality(
    "rgm:b5-at-most-1",
    "rho-bar is at most 1",
    chain(0, "<=", Min(_y_2, v), "<=", _y_2),
    "For every $u$; the mean of the right side is $d$.",
    wrong={
        "max for min": le(Max(_y_2, v), _y_2),
        "half": le(Min(_y_2, v), _y_2 / 2),
        "sides swapped": ge(Min(_y_2, v), _y_2),
    },
    steps=(Step("The mean of chi-square.", "beyond:chi-square-mean"), Step("Polar coordinates.", "rgm:b5-shells")),
    reading="Judged before the mean is taken; the mean of the right side is the next step.",
)
