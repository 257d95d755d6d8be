r"""Version 2, Appendix B.5: the clipped covariance concentrates, its mean is a multiple of Sigma, and the test accepts that multiple.

Statements about matrices are seen through one vector: a Rayleigh quotient, or the eigenbasis of $\Sigma$. The first two parts of the proof
hold, with constants to spare. The third loses the factor $\bar\rho$, a factor 4, and the sign that Laplace noise may have.
"""

from sympy import gamma as gamma_function

from rgm_verify.pages import *

from ... import looseness
from ...theorems import CAUCHY_SCHWARZ, CHANGE_OF_VARIABLES, FUBINI, FUNDAMENTAL, MATRIX_BERNSTEIN, SPECTRAL
from ..gaussian_notation import *
from ..notation import NOTATION, d
from . import gaussian_features_worlds as worlds

page = Page("rgm-v2", "App. B.5", GAUSSIAN_NOTATION, NOTATION)
_length = page.nonnegative("N", latex=r"\|\tilde X\|^2")
_form = page.nonnegative("w", latex=r"\tilde X^\top\Sigma^{-1}\tilde X")
_SPECTRUM = Hypothesis("largest eigenvalue of Sigma", le(_length, L * _form), by=("rgm:spectrum-on-one-record",))
_INSIDE = Hypothesis("clipped", le(_form, v), "X^T Sigma^(-1) X <= R_c^2")

largest_eigenvalue = page.at("before v2 (70)", "P3.2a").inequality(
    "rgm:b5-largest-eigenvalue",
    "Clipped records have bounded norms",
    le(_length, L * v),
    r"So $\lambda_{\max}(\tilde X\tilde X^\top)$ is bounded.",
    given=(_SPECTRUM, _INSIDE),
    by=(Smt(), worlds.LONGEST),
    points={m: (0, 1), _length: m * L * _form, v: _form + t},
    wrong={
        "half": L * v / 2,
        "R_c for its square": le(_length**2, L**2 * v),
        "not clipped": without(_INSIDE),
        "any spectrum": without(_SPECTRUM),
    },
    steps=(
        Step("The largest eigenvalue.", "rgm:spectrum-on-one-record"),
        Step("The largest eigenvalue of $XX^\\top$ is $|X|^2$.", "rgm-v2:ptr-trace"),
    ),
    reading="In every dimension: the spectrum enters by an inequality between quadratic forms.",
)

_p = page.nonnegative("p", "Rayleigh quotient of $S_k$", latex=r"w^\top S_kw")
_e = page.nonnegative("e", "Rayleigh quotient of its mean", latex=r"w^\top\mathbb E[S_k]w")
_bound = v * L / n
_BOUNDED = (
    Hypothesis("the record is clipped", le(_p, _bound), "largest eigenvalue of S_k"),
    Hypothesis("so are all records", le(_e, _bound), "its mean"),
)

summand = page.at("v2 (70)", "P3.2b").inequality(
    "rgm:b5-summand",
    "Each summand is near its mean",
    both(le(_p - _e, _bound), le(_e - _p, _bound), le(_bound, 2 * _bound)),
    "In operator norm, seen along a unit vector.",
    given=_BOUNDED,
    wrong={"half": both(le(_p - _e, _bound / 2), le(_e - _p, _bound / 2)), "not clipped": without()},
    steps=(
        SPECTRAL.quoted(
            "The norm is the largest Rayleigh quotient in modulus.", "It is a difference of symmetric matrices."
        ),
        Step("The largest eigenvalue of each.", "rgm:b5-largest-eigenvalue"),
    ),
    reading=r"The norm of a symmetric matrix is its largest Rayleigh quotient in modulus; both matrices are $\succcurlyeq 0$, which makes the printed 2 a 1.",
    printed=r"\|S_k - \mathbb E S_k\| \le \frac{2R_c^2L}n",
)

_s = page.nonnegative("s", latex=r"\mathbb E\|S_k-\mathbb ES_k\|^2")

variance = page.at("v2 (70)", "P3.2b").inequality(
    "rgm:b5-variance",
    "The sum of the variances",
    le(n * _s, 4 * L**2 * v**2 / n),
    "All n records have the same.",
    given=Hypothesis("each summand", le(_s, (2 * _bound) ** 2), "v2 (70), first relation"),
    wrong={"over n squared": 4 * L**2 * v**2 / n**2, "half": 2 * L**2 * v**2 / n, "R_c^2 for R_c^4": 4 * L**2 * v / n},
    steps=Step("Each summand.", "rgm:b5-summand"),
    reading=r"The sum over $I_c$, a set of version 1 that version 2 does not define, is read as the sum over all $n$ records.",
    remark=r"The letter $\nu$ names this variance and the probability of failure. `beyond:b5-variance` has a bound smaller by $4R_c^2/\bar\rho$.",
    tightness=Tightness(
        4 * looseness.x / looseness.b,
        {looseness.x: (1, 50), looseness.b: (looseness.HALF, 1)},
        r"the printed bound on the variance over the proved one $L^2\bar\rho R_c^2/n$, for $x = R_c^2$ and $b = \bar\rho$",
    ),
    printed=r"\sum_{i\in I_c}\mathbb E\|S_i - \mathbb E S_i\|^2 \le \frac{4L^2R_c^4}n",
)

_printed_exponent = n * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3)
_nu, _range = named(r"\nu", 4 * L**2 * v**2 / n), named("R", 2 * v * L / n)

matrix_bernstein = page.at("v2 (71)", "P3.2c").identity(
    "rgm:b5-bernstein",
    "The exponent of matrix Bernstein",
    eq(bernstein(t, _nu, _range), _printed_exponent),
    by=(Identity(), Smt()),
    wrong={
        "t^2 for t^2/2": left(2 * bernstein(t, _nu, _range)),
        "R t for R t/3": left(bernstein(t, _nu, 3 * _range)),
        "variance over n^2": left(bernstein(t, _nu / n, _range)),
    },
    steps=(
        MATRIX_BERNSTEIN.quoted(
            "The deviation exceeds t with probability at most $2d$ times the exponential of minus this.",
            "The records are.",
            "rgm:b5-summand",
            "rgm:b5-variance",
        ),
        Step("Bound on the summands.", "rgm:b5-summand"),
        Step("Bound on the variance.", "rgm:b5-variance"),
    ),
    remark="A parenthesis of the display is misplaced.",
)

_mu = page.positive("mu_reg", "regularisation", latex=r"\mu_{\rm reg}")
_mean = page.nonnegative(
    "a", "Rayleigh quotient of the mean of the sum of the $S_i$", latex=r"\mathbb E\sum_iw^\top S_iw"
)

two_meanings = page.at("before v2 (71), against v2 (69) and Proposition 1", source="beyond").definition(
    "rgm-v2:b5-two-meanings",
    "The covariance with and without its regularisation",
    eq(_mean, _mean + _mu),
    r"Before (71) $\tilde A$ is the sum of the $S_i$, in (69) and in Proposition 1 it is that and the regularisation.",
    mistake=("misprint", "rgm:b5-lower-bound"),
    remark="The deviation from the mean is the same for both, so nothing else depends on it.",
    printed=r"\sum_iS_i = \tilde A = \frac1n\sum_i\tilde X_i\tilde X_i^\top + \mu_{\rm reg}I",
)

simplified = page.at("v2 (72); App. B.6, v1 (68)", "P3.2d", source="rgm-v1+v2").inequality(
    "rgm:b5-simplified",
    "For moderate deviations the exponent is quadratic",
    ge(_printed_exponent, n * t**2 / (16 * L**2 * v**2)),
    given=Hypothesis("moderate deviation", le(t, 6 * L * v)),
    wrong={
        "12 for 16": n * t**2 / (12 * L**2 * v**2),
        "without the condition": without(),
        "t at most 7 L R_c^2": changed(hypotheses=[Hypothesis("wider", le(t, 7 * L * v))]),
    },
    steps=Step("The bound that is simplified.", "rgm:b5-bernstein"),
    remark="A step from (71). The same step leads from v1 (67) to (68), which have the wrong n: `rgm-v1:b6-simplified`.",
    tightness=Tightness(
        16 / (8 + 4 * looseness.z / 3),
        {looseness.z: (0, 6)},
        r"the exponent of the tail bound over the simplified one, for a deviation of $z$ times $LR_c^2$",
    ),
)

_t_star = named("t", 4 * L * v * sqrt(ell / n))
#: The exponent of (72) at a deviation t.
_t = positive("t").symbol
_exponent = n * _t**2 / (16 * L**2 * v**2)
_exponent_there = At(_exponent, _t, 4 * L * v * sqrt(ell / n))

concentration = page.at("v2 (69) and (73)", "P3.2e P3.2f").inequality(
    "rgm:b5-concentration",
    "The deviation that is exceeded with probability nu",
    both(le(_t_star, 6 * L * v), eq(_exponent_there, ell)),
    r"Here $\ell$ is $\log(2d/\nu)$: where (72) holds, its exponent at this deviation is $\ell$.",
    given=ENOUGH_RECORDS,
    wrong={
        "half of the records": changed(hypotheses=[Hypothesis("half", ge(9 * n, 2 * ell))]),
        "2 for 4": eq(At(_exponent, _t, 2 * L * v * sqrt(ell / n)), ell),
        "without the condition": without(),
    },
    steps=(Step("(71).", "rgm:b5-bernstein"), Step("(72).", "rgm:b5-simplified")),
    reading=r"$2d\,e^{-\ell} = \nu$. For $\nu > 2d$, which the proposition allows, the root is not real and there is nothing to prove.",
)

_q = page.real("q", "for the regularised clipped covariance", latex=r"w^\top\tilde Aw")
_w = page.positive("w", latex=r"\|w\|^2")
_sigma = page.positive("sigma", latex=r"w^\top\Sigma w")
_LOWER = Hypothesis("lower bound", ge(_q, rho_bar * _sigma), "v2 (69) and (74)")
_DEVIATES = Hypothesis(
    "the event", le(rho_bar * _sigma + _mu * _w - _q, _mu * _w), "the deviation from the mean is at most mu_reg in norm"
)

lower_bound = page.at("plan, items 1 and 2", "P3.2f P3.7").inequality(
    "rgm:b5-lower-bound",
    "The regularisation pays for the deviation",
    ge(_q, rho_bar * _sigma),
    r"Where $\tilde A$ is within $\mu_{\rm reg}$ of its mean, it is above $\bar\rho\Sigma$.",
    given=_DEVIATES,
    by=(Smt(), worlds.EVENT),
    wrong={
        "the whole of Sigma": _sigma,
        "without the event": without(),
        "no regularisation": changed(hypotheses=[Hypothesis("unregularised", le(rho_bar * _sigma - _q, _mu * _w))]),
    },
    steps=(Step("The deviation.", "rgm:b5-concentration"), Step("The mean.", "rgm:b5-clipped-mean")),
    reading=r"With $\tilde A$ including the regularisation, for one vector $w$ and hence for all.",
)

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

_EXCHANGE = Hypothesis(
    "all diagonal entries are equal, and add up", eq(d * _entry, _total), "exchange of two coordinates"
)
_FLIP = Hypothesis("a mixed entry is its own negative", eq(_mixed, -_mixed), "change of the sign of a coordinate")

symmetry = page.at("display after v2 (73); App. B.6, last display", "P3.3b V1P3.6b", source="rgm-v1+v2").identity(
    "rgm:b5-symmetry",
    "A weighted mean of uu^T is a multiple of the identity",
    both(eq(_entry, _total / d), eq(_mixed, 0)),
    "For Gaussian $u$ and every weight.",
    given=(_EXCHANGE, _FLIP),
    by=Smt(),
    points={_total: (-3, 3), d: (0, None), _entry: _total / d, _mixed: 0 * _total},
    wrong={
        "d + 1": both(eq(_entry, _total / (d + 1)), eq(_mixed, 0)),
        "entries that differ": without(_EXCHANGE),
        "mixed entries that stay": without(_FLIP),
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

mean_record = page.at("v2 (74); Section 5.4, v2 (12)", "P3.3c P3.13b").identity(
    "rgm:b5-mean-of-a-record",
    "The mean of the clipped covariance",
    eq(_y * Min(1, v / _y), Min(_y, v)),
    "The weight of clipping, times the squared norm.",
    by=Smt(),
    wrong={"without the squared norm": left(Min(1, v / _y)), "the maximum": Max(_y, v)},
    steps=(
        Step("Clipping gives a record this weight.", "rgm:b5-clipped-record"),
        Step("The mean of the weight times $uu^\\top$ is a multiple of the identity.", "rgm:b5-symmetry"),
    ),
    reading=r"Under the integral, at every $u$. Nothing of $\Sigma$ is left: $\bar\rho$ does not depend on $\kappa_\Sigma$.",
    printed=r"\mathbb E[\tilde A - \mu_{\rm reg}I] = \bar\rho\Sigma",
)

_r = page.positive("s", "radius |u|")
_sphere = named("A_d(s)", 2 * pi ** (_k / 2) / gamma_function(_k / 2) * _r ** (_k - 1))
_shell = _sphere * exp(-(_r**2) / 2) / (2 * pi) ** (_k / 2)
_chi_square = named("f_d(s^2)", density(_r**2, _k))

shells = page.at("v2 (74); App. B.4, v1 (61); App. B.6, step 1", "V1P1.7a V1P3.3b", source="rgm-v1+v2").identity(
    "rgm:b5-shells",
    "The squared norm of a Gaussian vector is chi-square",
    eq(_shell, _chi_square * 2 * _r),
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

_beta = page.positive("beta", "share of rho-bar that is proposed", upper=1, upper_open=True)

share_printed = page.at("before v2 (75)", "P3.8a").inequality(
    "rgm-v2:b5-share",
    "What is left above the proposed bound, as printed",
    ge(_q - _beta * rho_bar * _sigma, (1 - _beta) * _sigma),
    r"What is left of $\tilde A$ above $\beta\bar\rho\Sigma$, at every vector.",
    given=_LOWER,
    by=(Smt(), Search(), worlds.SHARE_PRINTED.mapped(worlds.of_share, _q, _sigma, rho_bar, _beta)),
    reading=r"Printed for $\beta > 0$; here $\beta < 1$, as (75) divides by $1 - \beta$.",
    mistake=("wrong constant", "rgm:b5-share-corrected"),
    remark=r"It needs $\tilde A \succcurlyeq \Sigma$; clipping takes that away exactly by the factor $\bar\rho < 1$.",
)

share = page.at("before v2 (75)").correction(
    "rgm:b5-share-corrected",
    "What is left above the proposed bound",
    ge(_q - _beta * rho_bar * _sigma, (1 - _beta) * rho_bar * _sigma),
    given=_LOWER,
    by=(Smt(), worlds.SHARE.mapped(worlds.of_share, _q, _sigma, rho_bar, _beta)),
    wrong={"without rho-bar": (1 - _beta) * _sigma, "without the event": without()},
)

_FORM_2 = nonnegative("p", latex=r"\tilde X^\top(\tilde A-\rho C)^{-1}\tilde X")
_UNDER = nonnegative("s", r"for $y = (\tilde A-\rho C)^{-1}\tilde X$", latex=r"y^\top\Sigma y")
_form_2 = _FORM_2.symbol
_under = _UNDER.symbol
_CAUCHY = Hypothesis("Cauchy-Schwarz", le(_form_2**2, _under * m), "of y and X, in the norms of Sigma and its inverse")


def _above(factor: Expr) -> Hypothesis:
    return Hypothesis("order of the matrices", ge(_form_2, factor * _under), "both sides as forms at y")


_x = page.positive("x", "the record, in dimension 1")

inverse_printed = page.at("v2 (75)", "P3.8b").inequality(
    "rgm-v2:b5-inverse",
    "The terms of the statistic, as printed",
    le(_x**2 / (_q - _beta * rho_bar * _sigma), _x**2 / ((1 - _beta) * _sigma)),
    "Printed for records of every dimension.",
    given=_LOWER,
    by=(Smt(), Search(), worlds.TERMS_PRINTED),
    instance="Dimension 1.",
    mistake=("wrong constant", "rgm:b5-inverse-corrected"),
    printed=r"\tilde X^\top(\tilde A-\rho C)^{-1}\tilde X \le \frac{\tilde X^\top\Sigma^{-1}\tilde X}{1-\beta}",
)

_ORDER = _above((1 - _beta) * rho_bar)

inverse = page.at("v2 (75)").correction(
    "rgm:b5-inverse-corrected",
    "The terms of the statistic",
    chain(_form_2, "<=", m / ((1 - _beta) * rho_bar), "<=", v / ((1 - _beta) * rho_bar)),
    given=(_CAUCHY, _ORDER, Hypothesis("clipped", le(m, v))),
    by=(Smt(), worlds.TERMS.mapped(worlds.of_terms, _form_2, _under, m, rho_bar, _beta, v)),
    over=(_FORM_2, _UNDER),
    wrong={
        "without rho-bar": le(_form_2, m / (1 - _beta)),
        "without the order": without(_ORDER),
        "without clipping": without("clipped"),
    },
    steps=(
        CAUCHY_SCHWARZ.quoted(
            "In the norms of the covariance and of its inverse.",
            "It is that of $\\Sigma^{1/2}y$ and $\\Sigma^{-1/2}X$.",
        ),
        Step("Order of the matrices.", "rgm:b5-share-corrected"),
    ),
    reading=r"With $y = (\tilde A-\rho C)^{-1}\tilde X$: inverting reverses the order of matrices, by Cauchy-Schwarz.",
)

_count = page.nonnegative("k", "number of records in I_R")
_c = page.positive("c", "bound on the terms, over n")
_sum = page.nonnegative("S", "sum of the terms over n")
_UPPER_TERMS = Hypothesis("each term from above", le(_sum, _count * _c))
_REACHED = Hypothesis("the sum reaches 1", ge(_sum, 1))

few_records = page.at("v2 (76)").correction(
    "rgm:b5-count",
    "How many records the sum takes",
    ge(_count * _c, 1),
    "Every term is at most $c$, and $k$ of them add up to 1.",
    given=(_UPPER_TERMS, _REACHED),
    wrong={"twice as many": 2, "more than 1": gt(_count * _c, 1), "without the bound": without(_UPPER_TERMS)},
    reading=r"Given a bound on each term: printed is $c = R_c^2/(n(1-\beta))$, right is $R_c^2/(n(1-\beta)\bar\rho)$.",
)

_SHARE_OF_MEAN = positive("z").symbol
# Dimension 1, Sigma = 1: k of n records are at the threshold, the others are 0, so that A = k v/n + mu_reg.
_at_threshold = page.natural("k", "number of records at the threshold")
_reaching = page.natural("j", "number of records in I_R")
_line_mean = named(r"\bar\rho", clipped_mean(v, Integer(1)))
_line_matrix = named(r"\tilde A", _at_threshold * v / n + _mu)

from_below = page.at("v2 (76), first relation", "P3.8c").inequality(
    "rgm-v2:b5-from-below",
    "How many records the sum takes, as printed",
    ge(_reaching * v, n * (1 - _beta)),
    r"In dimension 1 with variance 1, $k$ records at the threshold and the others 0: $j$ of the terms add up to 1, and $jR_c^2/(n(1-\beta))$ is to be at least 1.",
    given=(
        Hypothesis("as many as there are", both(le(_reaching, _at_threshold), le(_at_threshold, n))),
        Hypothesis("the event", ge(_line_matrix, _line_mean), "v2 (69) and (74)"),
        Hypothesis(
            "regularisation", ge(n * _mu**2, 16 * v**2 * log(Integer(2))), "that of the proposition for some nu <= 1"
        ),
        Hypothesis("the sum reaches 1", ge(_reaching * v, n * (_line_matrix - _beta * _line_mean))),
    ),
    points={
        _at_threshold: (1000, 2000, 3 * _at_threshold),
        _SHARE_OF_MEAN: (0, Rational(1, 20)),
        _reaching: 2 * _at_threshold,
        n: 9 * _at_threshold,
        v: Integer(2),
        _beta: Rational(1, 2),
        _mu: Rational(1, 12) + _SHARE_OF_MEAN,
    },
    reading=r"(76) in the setting of Proposition 3, of data on the event of its proof. Its reason, a lower bound on each term, is a slip for the upper bound (75), whose factor $\bar\rho$ is missing.",
    mistake=("wrong constant", "rgm:b5-count"),
    remark="The number that (76) counts is too large by up to 1/rho-bar.",
)

_INTEGER = natural("k", "number of records")
_j = _INTEGER.symbol

ceiling_step = page.at("v2 (76)", "P3.8d").identity(
    "rgm:b5-ceiling",
    "The smallest number of records is a ceiling",
    Iff(both(ge(_j * _c, 1), lt((_j - 1) * _c, 1)), both(lt(_j - 1, 1 / _c), le(1 / _c, _j))),
    r"So the first integer is $\lceil 1/c\rceil$.",
    over=(_INTEGER,),
    wrong={
        "strict": Iff(both(gt(_j * _c, 1), le((_j - 1) * _c, 1)), both(lt(_j - 1, 1 / _c), le(1 / _c, _j))),
        "floor": Iff(both(ge(_j * _c, 1), lt((_j - 1) * _c, 1)), both(le(_j, 1 / _c), lt(1 / _c, _j + 1))),
    },
    remark=r"If $1/c > n$ there are not enough records and the minimum is over nothing. With $> n$, as in (68), it would be $\lfloor 1/c\rfloor + 1$.",
)

_z = page.real("z", "the Laplace noise")
_PRINTED_N = Hypothesis("records", ge(n, log_delta * v / ((1 - _beta) * epsilon)), "before v2 (77)")
_COUNTED = Hypothesis("count", ge(distance, n * (1 - _beta) / v), "v2 (76)")

noise_printed = page.at("v2 (77), first relation", "P3.9a").inequality(
    "rgm-v2:b5-noise-is-positive",
    "The noisy statistic is at least the statistic",
    ge(distance + _z, distance),
    "$z$ is the noise of the test.",
    reading="Laplace noise has every real number in its range, and either sign with probability 1/2.",
    mistake=("false", "beyond:ptr-acceptance"),
    printed=r"\hat\Delta = \Delta_+ + {\rm Lap}(\varepsilon^{-1}) \ge \Delta_+",
)

threshold = page.at("v2 (77), last two relations", "P3.9a").inequality(
    "rgm:b5-threshold",
    "The statistic reaches the threshold of the test",
    chain(distance, ">=", n * (1 - _beta) / v, ">=", log_delta / epsilon),
    r"The threshold of the test is $-\log(\delta)/\varepsilon$.",
    given=(_PRINTED_N, _COUNTED),
    wrong={
        "half of the records": changed(
            hypotheses=(_COUNTED, Hypothesis("half", ge(2 * n, log_delta * v / ((1 - _beta) * epsilon))))
        ),
        "twice the threshold": ge(distance, 2 * log_delta / epsilon),
    },
    reading="(76) is taken as printed, without the factor rho-bar that it lacks.",
)

_g = page.nonnegative("g", "Delta_+ less the threshold of the test")

always = page.at("after v2 (77)", "P3.9b").remark(
    "rgm-v2:b5-always",
    "The test always returns a value",
    le(named(r"P[\text{reject}]", rejection(_g)), 0),
    r"It rejects with probability 0 if $\Delta_+$ is at least the threshold.",
    steps="beyond:ptr-acceptance",
    reading="The test rejects if the noisy statistic is at most its threshold.",
    mistake=("false", "beyond:ptr-acceptance"),
    remark="On the threshold itself, which is all that the condition on n gives, every second run rejects.",
)

half_share = page.at("after v2 (77), against Section 5.4, Proposition 3", "P3.9c").remark(
    "rgm-v2:b5-beta-one-half",
    "One half for beta gives the condition of Proposition 3",
    eq(log_delta * v / ((1 - Rational(1, 2)) * epsilon), log_delta * v / (2 * epsilon)),
    "On the left stands the condition of the proof, on the right that of Proposition 3.",
    mistake=("misprint", "rgm:b5-beta-one-half-corrected"),
    remark="The proposition asks for a quarter of the records that its proof uses.",
)

half_share_corrected = page.at("after v2 (77)").correction(
    "rgm:b5-beta-one-half-corrected",
    "The condition at one half",
    both(
        eq(At(log_delta * v / ((1 - _beta) * epsilon), _beta, Rational(1, 2)), 2 * log_delta * v / epsilon),
        eq(2 * log_delta * v / epsilon, printed(lambda: 4 * (log_delta * v / (2 * epsilon)))),
    ),
    "The condition of the proof asks for four times the printed number of records.",
    by=(Identity(), Smt()),
    wrong={
        "as printed": eq(2 * log_delta * v / epsilon, log_delta * v / (2 * epsilon)),
        "twice": eq(2 * log_delta * v / epsilon, 2 * (log_delta * v / (2 * epsilon))),
    },
)
