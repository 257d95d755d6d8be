r"""Version 2, Appendix B.5: the clipped covariance concentrates, its mean is a multiple of Sigma, and the test accepts that multiple.

Statements about matrices are seen through one vector: a Rayleigh quotient, or the eigenbasis of $\Sigma$. The first two parts of the proof
hold, with constants to spare. The third loses the factor $\bar\rho$, a factor 4, and the sign that Laplace noise may have.
"""

from sympy import Expr, Integer, Max, Min, Rational, exp, log, pi, sqrt
from sympy import gamma as gamma_function

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
    natural,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses import Identity, Search, Smt

from .. import looseness
from ..theorems import CAUCHY_SCHWARZ, CHANGE_OF_VARIABLES, FUBINI, FUNDAMENTAL, MATRIX_BERNSTEIN, SPECTRAL
from ..worlds import order as order_worlds
from .gaussian_notation import (
    DEVIATION,
    DISTANCE,
    ENOUGH_RECORDS,
    EPSILON,
    LARGEST,
    LOG_DELTA,
    LOGARITHM,
    MAHALANOBIS,
    RECORDS,
    RHO_BAR,
    THRESHOLD,
    L,
    bernstein,
    clipped_mean,
    density,
    distance,
    distribution,
    ell,
    epsilon,
    log_delta,
    m,
    n,
    rejection,
    rho_bar,
    t,
    tail,
    v,
)
from .notation import DIMENSION, d

_V2 = "rgm-v2"

_LENGTH, _FORM = nonnegative("N", "|X|^2"), nonnegative("w", "X^T Sigma^-1 X")
_length, _form = _LENGTH.symbol, _FORM.symbol
_SPECTRUM = Hypothesis("largest eigenvalue of Sigma", le(_length, L * _form), by=("rgm:spectrum-on-one-record",))
_INSIDE = Hypothesis("clipped", le(_form, v), "X^T Sigma^(-1) X <= R_c^2")

largest_eigenvalue = Claim(
    id="rgm:b5-largest-eigenvalue",
    refs=("P3.2a",),
    title="Clipped records have bounded norms",
    source=_V2,
    where="App. B.5, before v2 (70)",
    kind="inequality",
    statement=r"$\tilde X^\top\Sigma^{-1}\tilde X \le R_c^2$ implies $\lambda_{\max}(\tilde X\tilde X^\top) = |\tilde X|^2 \le L R_c^2$.",
    variables=(_LENGTH, _FORM, LARGEST, THRESHOLD),
    hypotheses=(_SPECTRUM, _INSIDE),
    conclusion=le(_length, L * v),
    reading="In every dimension: the spectrum enters by an inequality between quadratic forms.",
    checks=(
        Smt(),
        order_worlds.LONGEST,
    ),
    sampling=Chart(
        {_form: (0, None), L: (0, None), m: (0, 1), t: (0, None)},
        {_form: _form, L: L, _length: m * L * _form, v: _form + t},
    ),
    derivation=(
        Step("The largest eigenvalue.", "rgm:spectrum-on-one-record"),
        Step("The largest eigenvalue of $XX^\\top$ is $|X|^2$.", "rgm-v2:ptr-trace"),
    ),
    mutants=(
        Mutant("half", le(_length, L * v / 2)),
        Mutant("R_c for its square", le(_length**2, L**2 * v)),
        Mutant("not clipped", hypotheses=(_SPECTRUM,)),
        Mutant("any spectrum", hypotheses=(_INSIDE,)),
    ),
)

_P = nonnegative("p", "Rayleigh quotient of S_k")
_E = nonnegative("e", "Rayleigh quotient of E S_k")
_p, _e = _P.symbol, _E.symbol
_bound = v * L / n
_BOUNDED = (
    Hypothesis("the record is clipped", le(_p, _bound), "largest eigenvalue of S_k"),
    Hypothesis("so are all records", le(_e, _bound), "its mean"),
)

summand = Claim(
    id="rgm:b5-summand",
    refs=("P3.2b",),
    title="Each summand is near its mean",
    source=_V2,
    where="App. B.5, v2 (70)",
    kind="inequality",
    statement=r"$|S_k - \mathbb E S_k| \le R_c^2 L/n \le 2R_c^2L/n$ in operator norm.",
    variables=(_P, _E, THRESHOLD, LARGEST, RECORDS),
    hypotheses=_BOUNDED,
    conclusion=both(le(_p - _e, _bound), le(_e - _p, _bound), le(_bound, 2 * _bound)),
    reading=r"The norm of a symmetric matrix is its largest Rayleigh quotient in modulus; both matrices are $\succcurlyeq 0$, which makes the printed 2 a 1.",
    checks=(Smt(),),
    mutants=(
        Mutant("half", both(le(_p - _e, _bound / 2), le(_e - _p, _bound / 2))),
        Mutant("not clipped", hypotheses=()),
    ),
    derivation=(
        Step(
            "The norm is the largest Rayleigh quotient in modulus.",
            theorem=SPECTRAL,
            met={"symmetric": "It is a difference of symmetric matrices."},
        ),
        Step("The largest eigenvalue of each.", "rgm:b5-largest-eigenvalue"),
    ),
)

_ONE = nonnegative("s", "E of the squared norm of S_k - E S_k")
_s = _ONE.symbol

variance = Claim(
    id="rgm:b5-variance",
    refs=("P3.2b",),
    title="The sum of the variances",
    source=_V2,
    where="App. B.5, v2 (70)",
    kind="inequality",
    statement=r"$\sum_{i\le n} \mathbb E|S_i - \mathbb E S_i|^2 \le 4L^2R_c^4/n$.",
    variables=(_ONE, THRESHOLD, LARGEST, RECORDS),
    hypotheses=(Hypothesis("each summand", le(_s, (2 * _bound) ** 2), "v2 (70), first relation"),),
    conclusion=le(n * _s, 4 * L**2 * v**2 / n),
    reading=r"The sum over $I_c$, a set of version 1 that version 2 does not define, is read as the sum over all $n$ records.",
    remark=r"The letter $\nu$ names this variance and the probability of failure. `beyond:b5-variance` has a bound smaller by $4R_c^2/\bar\rho$.",
    checks=(Smt(),),
    tightness=looseness.VARIANCE,
    mutants=(
        Mutant("over n squared", le(n * _s, 4 * L**2 * v**2 / n**2)),
        Mutant("half", le(n * _s, 2 * L**2 * v**2 / n)),
        Mutant("R_c^2 for R_c^4", le(n * _s, 4 * L**2 * v / n)),
    ),
    derivation=(Step("Each summand.", "rgm:b5-summand"),),
)

_printed_exponent = n * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3)

matrix_bernstein = Claim(
    id="rgm:b5-bernstein",
    refs=("P3.2c",),
    title="The exponent of matrix Bernstein",
    source=_V2,
    where="App. B.5, v2 (71)",
    kind="identity",
    statement=r"$\frac{t^2/2}{\nu + Rt/3}$ with $\nu = 4L^2R_c^4/n$ and $R = 2R_c^2L/n$ is the printed exponent.",
    variables=(DEVIATION, THRESHOLD, LARGEST, RECORDS),
    conclusion=eq(bernstein(t, 4 * L**2 * v**2 / n, 2 * v * L / n), _printed_exponent),
    remark="A parenthesis of the display is misplaced.",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("t^2 for t^2/2", eq(2 * bernstein(t, 4 * L**2 * v**2 / n, 2 * v * L / n), _printed_exponent)),
        Mutant("R t for R t/3", eq(bernstein(t, 4 * L**2 * v**2 / n, 6 * v * L / n), _printed_exponent)),
        Mutant("variance over n^2", eq(bernstein(t, 4 * L**2 * v**2 / n**2, 2 * v * L / n), _printed_exponent)),
    ),
    derivation=(
        Step(
            "The deviation exceeds t with probability at most $2d$ times the exponential of minus this.",
            theorem=MATRIX_BERNSTEIN,
            met={"independent": "The records are.", "bounded": "rgm:b5-summand", "variance": "rgm:b5-variance"},
        ),
        Step("Bound on the summands.", "rgm:b5-summand"),
        Step("Bound on the variance.", "rgm:b5-variance"),
    ),
)

_MU_REG = positive("mu_reg", "regularisation")
_mu = _MU_REG.symbol
_MEAN = nonnegative("a", "Rayleigh quotient of the mean of the sum of the S_i")
_mean = _MEAN.symbol

two_meanings = Claim(
    id="rgm-v2:b5-two-meanings",
    title="The covariance with and without its regularisation",
    source="beyond",
    where="App. B.5, before v2 (71), against v2 (69) and Proposition 1",
    kind="definition",
    statement=r"$\tilde A = \sum S_i$ before (71) is the $\tilde A = \frac1n\sum\tilde X_i\tilde X_i^\top + \mu_{\rm reg}I$ of which $\mathbb E[\tilde A - \mu_{\rm reg}I] = \bar\rho\Sigma$.",
    variables=(_MEAN, _MU_REG),
    conclusion=eq(_mean, _mean + _mu),
    category="misprint",
    corrected="rgm:b5-lower-bound",
    remark="The deviation from the mean is the same for both, so nothing else depends on it.",
)

simplified = Claim(
    id="rgm:b5-simplified",
    refs=("P3.2d",),
    title="For moderate deviations the exponent is quadratic",
    source="rgm-v1+v2",
    where="App. B.5, v2 (72); App. B.6, v1 (68)",
    kind="inequality",
    statement=r"For $t \le 6LR_c^2$ the exponent is at least $nt^2/(16L^2R_c^4)$.",
    variables=(DEVIATION, THRESHOLD, LARGEST, RECORDS),
    hypotheses=(Hypothesis("moderate deviation", le(t, 6 * L * v)),),
    conclusion=ge(_printed_exponent, n * t**2 / (16 * L**2 * v**2)),
    derivation=(Step("The bound that is simplified.", "rgm:b5-bernstein"),),
    checks=(Smt(),),
    remark="A step from (71). The same step leads from v1 (67) to (68), which have the wrong n: `rgm-v1:b6-simplified`.",
    tightness=looseness.BERNSTEIN,
    mutants=(
        Mutant("12 for 16", ge(_printed_exponent, n * t**2 / (12 * L**2 * v**2))),
        Mutant("without the condition", hypotheses=()),
        Mutant("t at most 7 L R_c^2", hypotheses=(Hypothesis("wider", le(t, 7 * L * v)),)),
    ),
)

_t_star = 4 * L * v * sqrt(ell / n)
#: The exponent of (72) at a deviation t.
_t = positive("t").symbol
_exponent = n * _t**2 / (16 * L**2 * v**2)

concentration = Claim(
    id="rgm:b5-concentration",
    refs=("P3.2e", "P3.2f"),
    title="The deviation that is exceeded with probability nu",
    source=_V2,
    where="App. B.5, v2 (69) and (73)",
    kind="inequality",
    statement=r"$t = 4LR_c^2\sqrt{\ell/n}$, with $\ell = \log(2d/\nu)$, is at most $6LR_c^2$ for $n \ge 4\ell/9$, and there the exponent of (72) is $\ell$.",
    variables=(LOGARITHM, THRESHOLD, LARGEST, RECORDS),
    hypotheses=(ENOUGH_RECORDS,),
    conclusion=both(le(_t_star, 6 * L * v), eq(At(_exponent, _t, _t_star), ell)),
    reading=r"$2d\,e^{-\ell} = \nu$. For $\nu > 2d$, which the proposition allows, the root is not real and there is nothing to prove.",
    checks=(Smt(),),
    derivation=(Step("(71).", "rgm:b5-bernstein"), Step("(72).", "rgm:b5-simplified")),
    mutants=(
        Mutant("half of the records", hypotheses=(Hypothesis("half", ge(9 * n, 2 * ell)),)),
        Mutant("2 for 4", eq(At(_exponent, _t, _t_star / 2), ell)),
        Mutant("without the condition", hypotheses=()),
    ),
)

_Q = real("q", "w^T A w for the regularised clipped covariance A")
_W = positive("w", "|w|^2")
_SIGMA = positive("sigma", "w^T Sigma w")
_q, _w, _sigma = _Q.symbol, _W.symbol, _SIGMA.symbol
_LOWER = Hypothesis("lower bound", ge(_q, rho_bar * _sigma), "v2 (69) and (74)")
_DEVIATES = Hypothesis(
    "the event", le(rho_bar * _sigma + _mu * _w - _q, _mu * _w), "the deviation from the mean is at most mu_reg in norm"
)

lower_bound = Claim(
    id="rgm:b5-lower-bound",
    refs=("P3.2f", "P3.7"),
    title="The regularisation pays for the deviation",
    source=_V2,
    where="App. B.5, plan, items 1 and 2",
    kind="inequality",
    statement=r"Where $\tilde A$ is within $\mu_{\rm reg}$ of its mean $\bar\rho\Sigma + \mu_{\rm reg}I$, $\tilde A \succcurlyeq \bar\rho\Sigma$.",
    variables=(_Q, _W, _SIGMA, _MU_REG, RHO_BAR),
    hypotheses=(_DEVIATES,),
    conclusion=ge(_q, rho_bar * _sigma),
    reading=r"With $\tilde A$ including the regularisation, for one vector $w$ and hence for all.",
    checks=(
        Smt(),
        order_worlds.EVENT,
    ),
    derivation=(
        Step("The deviation.", "rgm:b5-concentration"),
        Step("The mean.", "rgm:b5-clipped-mean"),
    ),
    mutants=(
        Mutant("the whole of Sigma", ge(_q, _sigma)),
        Mutant("without the event", hypotheses=()),
        Mutant(
            "no regularisation",
            hypotheses=(Hypothesis("unregularised", le(rho_bar * _sigma - _q, _mu * _w)),),
        ),
    ),
)

_POSITIVE_M = positive("m", "X^T Sigma^(-1) X")
_m = _POSITIVE_M.symbol

clipped_record = Claim(
    id="rgm:b5-clipped-record",
    refs=("P3.3a",),
    title="What clipping does to the square of a record",
    source=_V2,
    where="App. B.5, display after v2 (73), first line",
    kind="identity",
    statement=r"$\tilde X\tilde X^\top = \frac{R_c^2}{\max(R_c^2, m)}XX^\top = \min(1, R_c^2/m)XX^\top$ for $m = X^\top\Sigma^{-1}X$.",
    variables=(_POSITIVE_M, THRESHOLD),
    conclusion=eq(v / Max(v, _m), Min(1, v / _m)),
    reading=r"$\tilde A$ includes the regularisation, so that the mean of the display is that of a single record. The sphere $m = R_c^2$, which both brackets count, has probability 0.",
    checks=(Smt(),),
    mutants=(
        Mutant("max for min", eq(v / Max(v, _m), Max(1, v / _m))),
        Mutant("root of the factor", eq((v / Max(v, _m)) ** 2, Min(1, v / _m))),
    ),
)

_DEGREES = positive("d", "dimension, or any positive number")
_k = _DEGREES.symbol
_beta_mean = (
    gamma_function(Rational(3, 2))
    * gamma_function(_k / 2)
    / (gamma_function(Rational(1, 2)) * gamma_function(_k / 2 + 1))
)

direction = Claim(
    id="rgm:b5-direction",
    title="Each direction has weight 1/d",
    source="rgm-v1+v2",
    where="App. B.5, display after v2 (73); App. B.6, last display",
    kind="identity",
    statement=r"$\mathbb E[u_1^2/|u|^2] = B(\frac32,\frac{d-1}2)/B(\frac12,\frac{d-1}2) = 1/d$ for Gaussian $u$, independently of $|u|$.",
    variables=(_DEGREES,),
    conclusion=eq(_beta_mean, 1 / _k),
    reading=(
        r"With $x = \Sigma^{1/2}u$ the integral is $\Sigma^{1/2}M\Sigma^{1/2}$ for $M = \mathbb E[w(|u|)uu^\top]$. Mixed entries of $M$ vanish, since the law of $u$ does "
        r"not see the sign of $u_i$; the others are $\mathbb E[w|u|^2]/d$. So the integral is a multiple of $\Sigma$."
    ),
    checks=(Identity(),),
    mutants=(
        Mutant("d - 1 for d", eq(_beta_mean, 1 / (_k + 1))),
        Mutant("second moment", eq(_beta_mean, 3 / (_k * (_k + 2)))),
    ),
)

_SUM, _ENTRY = real("T", r"$\mathbb E[w|u|^2]$"), real("e", r"a diagonal entry of $M = \mathbb E[w(|u|)uu^\top]$")
_MIXED = real("f", "an entry of M off the diagonal")
_total, _entry, _mixed = (x.symbol for x in (_SUM, _ENTRY, _MIXED))
_EXCHANGE = Hypothesis(
    "all diagonal entries are equal, and add up", eq(d * _entry, _total), "exchange of two coordinates"
)
_FLIP = Hypothesis("a mixed entry is its own negative", eq(_mixed, -_mixed), "change of the sign of a coordinate")

symmetry = Claim(
    id="rgm:b5-symmetry",
    refs=("P3.3b", "V1P3.6b"),
    title="A weighted mean of uu^T is a multiple of the identity",
    source="rgm-v1+v2",
    where="App. B.5, display after v2 (73); App. B.6, last display",
    kind="identity",
    statement=r"$\mathbb E[w(|u|)uu^\top] = \frac1d\mathbb E[w(|u|)|u|^2]I$ for Gaussian $u$ and every weight: each diagonal entry is $\mathbb E[w|u|^2]/d$, and the others are 0.",
    variables=(DIMENSION, _SUM, _ENTRY, _MIXED),
    hypotheses=(_EXCHANGE, _FLIP),
    conclusion=both(eq(_entry, _total / d), eq(_mixed, 0)),
    reading=(
        r"With $x = \Sigma^{1/2}u$ the integral is $\Sigma^{1/2}M\Sigma^{1/2}$, which then is a multiple of $\Sigma$. The law of $u$ and the weight do not change when "
        r"two coordinates change places or one its sign."
    ),
    derivation=(
        Step(
            "An integral does not change either.",
            theorem=CHANGE_OF_VARIABLES,
            met={
                "diffeomorphism": "Two coordinates change places, one changes its sign, or the vector is multiplied by a root of Sigma.",
                "integrable or nonnegative": "Each entry is at most the weighted squared norm, whose mean is finite.",
            },
        ),
    ),
    checks=(Smt(),),
    sampling=Chart({_total: (-3, 3), d: (0, None)}, {_total: _total, d: d, _entry: _total / d, _mixed: 0 * _total}),
    mutants=(
        Mutant("d + 1", both(eq(_entry, _total / (d + 1)), eq(_mixed, 0))),
        Mutant("entries that differ", hypotheses=(_FLIP,)),
        Mutant("mixed entries that stay", hypotheses=(_EXCHANGE,)),
    ),
)

_SQUARE = positive("y", "|u|^2")
_y = _SQUARE.symbol

mean_record = Claim(
    id="rgm:b5-mean-of-a-record",
    refs=("P3.3c", "P3.13b"),
    title="The mean of the clipped covariance",
    source=_V2,
    where="App. B.5, v2 (74); Section 5.4, v2 (12)",
    kind="identity",
    statement=r"$\mathbb E[\tilde A - \mu_{\rm reg}I] = \bar\rho\Sigma$, as the weight $\min(1, R_c^2/|u|^2)$ times $|u|^2$ is $\min(|u|^2, R_c^2)$.",
    variables=(_SQUARE, THRESHOLD),
    conclusion=eq(_y * Min(1, v / _y), Min(_y, v)),
    reading=r"Under the integral, at every $u$. Nothing of $\Sigma$ is left: $\bar\rho$ does not depend on $\kappa_\Sigma$.",
    checks=(Smt(),),
    derivation=(
        Step("Clipping gives a record this weight.", "rgm:b5-clipped-record"),
        Step("The mean of the weight times $uu^\\top$ is a multiple of the identity.", "rgm:b5-symmetry"),
    ),
    mutants=(
        Mutant("without the squared norm", eq(Min(1, v / _y), Min(_y, v))),
        Mutant("the maximum", eq(_y * Min(1, v / _y), Max(_y, v))),
    ),
)

_R = positive("s", "radius |u|")
_r = _R.symbol
_shell = 2 * pi ** (_k / 2) / gamma_function(_k / 2) * _r ** (_k - 1) * exp(-(_r**2) / 2) / (2 * pi) ** (_k / 2)

shells = Claim(
    id="rgm:b5-shells",
    refs=("V1P1.7a", "V1P3.3b"),
    title="The squared norm of a Gaussian vector is chi-square",
    source="rgm-v1+v2",
    where="App. B.5, v2 (74); App. B.4, v1 (61); App. B.6, step 1",
    kind="identity",
    statement=r"The Gaussian weight of the sphere of radius $s$ is the chi-square density at $s^2$ times $2s$.",
    variables=(_DEGREES, _R),
    conclusion=eq(_shell, density(_r**2, _k) * 2 * _r),
    reading=r"So $(2\pi)^{-d/2}\int g(|u|^2)e^{-|u|^2/2}du = \mathbb E\,g(\chi^2_d)$ for every $g$.",
    checks=(Identity(),),
    mutants=(
        Mutant("half the sphere", eq(_shell, density(_r**2, _k) * _r)),
        Mutant("one degree more", eq(_shell, density(_r**2, _k + 1) * 2 * _r)),
    ),
    derivation=(
        Step(
            "Polar coordinates.",
            theorem=CHANGE_OF_VARIABLES,
            met={
                "diffeomorphism": "Radius and direction are coordinates of the space without 0.",
                "integrable or nonnegative": "Densities are not negative.",
            },
        ),
    ),
)


def _tail_integral(d_times: Expr) -> Formula:
    """The expression is the integral of the tail from 0 to the squared threshold."""
    return both(eq(d_times.diff(v), tail(v, _k)), eq(At(d_times, v, 0), 0))


clipped_mean_claim = Claim(
    id="rgm:b5-clipped-mean",
    refs=("P3.4",),
    title="The factor rho-bar as two chi-square probabilities",
    source=_V2,
    where="App. B.5, v2 (74); Section 5.4, v2 (12)",
    kind="identity",
    statement=r"$d\bar\rho = \int_0^{R_c^2} P[\chi^2_d > y]dy = d\,P[\chi^2_{d+2} \le R_c^2] + R_c^2\,P[\chi^2_d > R_c^2]$.",
    variables=(_DEGREES, THRESHOLD),
    conclusion=_tail_integral(_k * clipped_mean(v, _k)),
    reading=r"$\mathbb E\min(\chi^2_d, R_c^2)$ is the integral of its tail; the right side has the tail as its derivative in $R_c^2$, and is 0 at 0. Nothing of $\Sigma$ or $n$ is left: $\bar\rho$ depends on $R_c$ and, in its own definition, on the dimension $d$ that is fixed with $X$.",
    checks=(Identity(),),
    derivation=(
        Step("Clipping.", "rgm:b5-clipped-record"),
        Step("Symmetry.", "rgm:b5-symmetry"),
        Step("Each direction by itself.", "rgm:b5-direction"),
        Step("Polar coordinates.", "rgm:b5-shells"),
        Step(
            r"$\mathbb E\min(Y, v) = \mathbb E\int_0^v 1\{Y > y\}dy = \int_0^v P[Y > y]dy$.",
            theorem=FUBINI,
            met={
                "measurable": "It is the indicator of a half of the plane.",
                "integrable or nonnegative": "An indicator is not negative.",
            },
        ),
        Step(
            "The right side is the integral of its derivative.",
            theorem=FUNDAMENTAL,
            met={
                "antiderivative": "Incomplete gamma functions are, and it is 0 at 0.",
                "integrable": "The tail is continuous and positive.",
            },
        ),
    ),
    mutants=(
        Mutant("d degrees of freedom twice", _tail_integral(_k * distribution(v, _k) + v * tail(v, _k))),
        Mutant("without the clipped records", _tail_integral(_k * distribution(v, _k + 2))),
        Mutant("another value at 0", _tail_integral(_k * clipped_mean(v, _k) + 1)),
    ),
)

only_the_threshold = Claim(
    id="rgm-v2:b5-depends-only-on-the-threshold",
    title="rho-bar depends on the dimension besides",
    source=_V2,
    where="App. B.5, after v2 (74)",
    kind="remark",
    statement=r"At $R_c^2 = 2$, $\bar\rho$ is larger by $\frac1{10}$ in dimension 1 than in dimension 2.",
    conclusion=gt(clipped_mean(Integer(2), Integer(1)), clipped_mean(Integer(2), Integer(2)) + Rational(1, 10)),
    reading=r"The dimension is fixed in Proposition 3 ($X \in \mathbb R^{d\times n}$), so that nothing printed is wrong: `rgm:b5-clipped-mean`.",
    remark=r"As $R_c^2$ grows it is near 1 only beyond $R_c^2 \approx d$.",
    mutants=(
        Mutant(
            "by one half",
            gt(clipped_mean(Integer(2), Integer(1)), clipped_mean(Integer(2), Integer(2)) + Rational(1, 2)),
        ),
        Mutant("smaller", lt(clipped_mean(Integer(2), Integer(1)), clipped_mean(Integer(2), Integer(2)))),
    ),
)

close_to_one = Claim(
    id="rgm-v2:b5-close-to-1",
    refs=("P3.5",),
    title="rho-bar is close to 1",
    source=_V2,
    where="App. B.5, after v2 (74)",
    kind="remark",
    statement=r"$\bar\rho$ is close to 1 for $R_c^2 \ge 2d$.",
    informal="How close is close is not said; beyond:b5-close-to-1-exact and beyond:b5-close-to-1-large say how close it is.",
    remark=r"At $R_c^2 = 2d$ it is 0.742 for $d = 1$, $1 - e^{-2} = 0.865$ for $d = 2$, 0.917 for $d = 3$.",
)

_SQUARE_2 = nonnegative("y", "|u|^2")
_y_2 = _SQUARE_2.symbol
at_most_one = Claim(
    id="rgm:b5-at-most-1",
    refs=("P3.6",),
    title="rho-bar is at most 1",
    source=_V2,
    where="App. B.5, after v2 (74)",
    kind="inequality",
    statement=r"$\min(|u|^2, R_c^2) \le |u|^2$ for every $u$, so that $d\bar\rho \le \mathbb E|u|^2 = d$.",
    variables=(_SQUARE_2, THRESHOLD),
    conclusion=chain(0, "<=", Min(_y_2, v), "<=", _y_2),
    reading="Judged before the mean is taken; the mean of the right side is the next step.",
    checks=(Smt(),),
    derivation=(Step("The mean of chi-square.", "beyond:chi-square-mean"), Step("Polar coordinates.", "rgm:b5-shells")),
    mutants=(
        Mutant("max for min", le(Max(_y_2, v), _y_2)),
        Mutant("half", le(Min(_y_2, v), _y_2 / 2)),
        Mutant("sides swapped", ge(Min(_y_2, v), _y_2)),
    ),
)

_BETA = positive("beta", "share of rho-bar that is proposed", upper=1, upper_open=True)
_beta = _BETA.symbol
_GAP = (_Q, _SIGMA, RHO_BAR, _BETA)

share_printed = Claim(
    id="rgm-v2:b5-share",
    refs=("P3.8a",),
    title="What is left above the proposed bound, as printed",
    source=_V2,
    where="App. B.5, before v2 (75)",
    kind="inequality",
    statement=r"If $\tilde A \succcurlyeq \bar\rho\Sigma$, then $\tilde A - \beta\bar\rho\Sigma \succcurlyeq (1-\beta)\Sigma$.",
    variables=_GAP,
    hypotheses=(_LOWER,),
    conclusion=ge(_q - _beta * rho_bar * _sigma, (1 - _beta) * _sigma),
    checks=(
        Smt(),
        Search(),
        order_worlds.SHARE_PRINTED.mapped(order_worlds.of_share, _q, _sigma, rho_bar, _beta),
    ),
    reading=r"Printed for $\beta > 0$; here $\beta < 1$, as (75) divides by $1 - \beta$.",
    category="wrong constant",
    corrected="rgm:b5-share-corrected",
    remark=r"It needs $\tilde A \succcurlyeq \Sigma$; clipping takes that away exactly by the factor $\bar\rho < 1$.",
)

share = Claim(
    id="rgm:b5-share-corrected",
    title="What is left above the proposed bound",
    source=_V2,
    where="App. B.5, before v2 (75)",
    kind="correction",
    statement=r"If $\tilde A \succcurlyeq \bar\rho\Sigma$, then $\tilde A - \beta\bar\rho\Sigma \succcurlyeq (1-\beta)\bar\rho\Sigma$.",
    variables=_GAP,
    hypotheses=(_LOWER,),
    conclusion=ge(_q - _beta * rho_bar * _sigma, (1 - _beta) * rho_bar * _sigma),
    checks=(
        Smt(),
        order_worlds.SHARE.mapped(order_worlds.of_share, _q, _sigma, rho_bar, _beta),
    ),
    mutants=(
        Mutant("without rho-bar", ge(_q - _beta * rho_bar * _sigma, (1 - _beta) * _sigma)),
        Mutant("without the event", hypotheses=()),
    ),
)

_FORM_2 = nonnegative("p", "X^T B^(-1) X for B = A - rho C")
_UNDER = nonnegative("s", "y^T Sigma y for y = B^(-1) X")
_form_2, _under = _FORM_2.symbol, _UNDER.symbol
_CAUCHY = Hypothesis("Cauchy-Schwarz", le(_form_2**2, _under * m), "p = y^T X, in the norms of Sigma and its inverse")


def _above(factor: Expr) -> Hypothesis:
    return Hypothesis("order of the matrices", ge(_form_2, factor * _under), "p = y^T B y")


_RECORD = positive("x", "the record, in dimension 1")
_x = _RECORD.symbol

inverse_printed = Claim(
    id="rgm-v2:b5-inverse",
    refs=("P3.8b",),
    title="The terms of the statistic, as printed",
    scope="instance",
    missing="Dimension 1.",
    source=_V2,
    where="App. B.5, v2 (75)",
    kind="inequality",
    statement=r"$\tilde X^\top(\tilde A-\rho C)^{-1}\tilde X \le (1-\beta)^{-1}\tilde X^\top\Sigma^{-1}\tilde X$ for $\rho = \beta\bar\rho$ and $\tilde A \succcurlyeq \bar\rho\Sigma$.",
    variables=(_Q, _SIGMA, RHO_BAR, _BETA, _RECORD),
    hypotheses=(_LOWER,),
    conclusion=le(_x**2 / (_q - _beta * rho_bar * _sigma), _x**2 / ((1 - _beta) * _sigma)),
    checks=(
        Smt(),
        Search(),
        order_worlds.TERMS_PRINTED,
    ),
    category="wrong constant",
    corrected="rgm:b5-inverse-corrected",
)

inverse = Claim(
    id="rgm:b5-inverse-corrected",
    title="The terms of the statistic",
    source=_V2,
    where="App. B.5, v2 (75)",
    kind="correction",
    statement=r"$\tilde X^\top(\tilde A-\rho C)^{-1}\tilde X \le \frac{\tilde X^\top\Sigma^{-1}\tilde X}{(1-\beta)\bar\rho} \le \frac{R_c^2}{(1-\beta)\bar\rho}$.",
    variables=(_FORM_2, _UNDER, MAHALANOBIS, RHO_BAR, _BETA, THRESHOLD),
    hypotheses=(_CAUCHY, _above((1 - _beta) * rho_bar), Hypothesis("clipped", le(m, v))),
    conclusion=chain(_form_2, "<=", m / ((1 - _beta) * rho_bar), "<=", v / ((1 - _beta) * rho_bar)),
    reading=r"With $y = (\tilde A-\rho C)^{-1}\tilde X$: inverting reverses the order of matrices, by Cauchy-Schwarz.",
    checks=(
        Smt(),
        order_worlds.TERMS.mapped(order_worlds.of_terms, _form_2, _under, m, rho_bar, _beta, v),
    ),
    derivation=(
        Step(
            "$p^2 = (y^\\top X)^2 \\le y^\\top\\Sigma y\\,X^\\top\\Sigma^{-1}X$.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is that of $\\Sigma^{1/2}y$ and $\\Sigma^{-1/2}X$."},
        ),
        Step("Order of the matrices.", "rgm:b5-share-corrected"),
    ),
    mutants=(
        Mutant("without rho-bar", le(_form_2, m / (1 - _beta))),
        Mutant("without the order", hypotheses=(_CAUCHY, Hypothesis("clipped", le(m, v)))),
        Mutant("without clipping", hypotheses=(_CAUCHY, _above((1 - _beta) * rho_bar))),
    ),
)

_COUNT = nonnegative("k", "number of records in I_R")
_TERM = positive("c", "bound on the terms, over n")
_SUM_2 = nonnegative("S", "sum of the terms over n")
_count, _c, _sum = _COUNT.symbol, _TERM.symbol, _SUM_2.symbol
_UPPER_TERMS = Hypothesis("each term from above", le(_sum, _count * _c))
_REACHED = Hypothesis("the sum reaches 1", ge(_sum, 1))

few_records = Claim(
    id="rgm:b5-count",
    title="How many records the sum takes",
    source=_V2,
    where="App. B.5, v2 (76)",
    kind="correction",
    statement=r"If every term is at most $c$, $k$ records whose terms add up to 1 have $kc \ge 1$.",
    variables=(_COUNT, _TERM, _SUM_2),
    hypotheses=(_UPPER_TERMS, _REACHED),
    conclusion=ge(_count * _c, 1),
    reading=r"Given a bound on each term: printed is $c = R_c^2/(n(1-\beta))$, right is $R_c^2/(n(1-\beta)\bar\rho)$.",
    checks=(Smt(),),
    mutants=(
        Mutant("twice as many", ge(_count * _c, 2)),
        Mutant("more than 1", gt(_count * _c, 1)),
        Mutant("without the bound", hypotheses=(_REACHED,)),
    ),
)

_SHARE_OF_MEAN = positive("z").symbol
# Dimension 1, Sigma = 1: k of n records are at the threshold, the others are 0, so that A = k v/n + mu_reg.
_AT_THRESHOLD = natural("k", "number of records at the threshold")
_REACHING = natural("j", "number of records in I_R")
_at_threshold, _reaching = _AT_THRESHOLD.symbol, _REACHING.symbol
_line_mean = clipped_mean(v, Integer(1))
_line_matrix = _at_threshold * v / n + _mu

from_below = Claim(
    id="rgm-v2:b5-from-below",
    refs=("P3.8c",),
    title="How many records the sum takes, as printed",
    source=_V2,
    where="App. B.5, v2 (76), first relation",
    kind="inequality",
    statement=(
        r"In dimension 1 with $\Sigma = 1$, $k$ records at the threshold and the others 0: if $\tilde A \ge \bar\rho$ and $j \le k$ of the terms "
        r"$\frac1n\tilde X_i^2/(\tilde A - \beta\bar\rho)$ add up to 1, then $jR_c^2/(n(1-\beta)) \ge 1$."
    ),
    variables=(_REACHING, _AT_THRESHOLD, RECORDS, THRESHOLD, _MU_REG, _BETA),
    hypotheses=(
        Hypothesis("as many as there are", both(le(_reaching, _at_threshold), le(_at_threshold, n))),
        Hypothesis("the event", ge(_line_matrix, _line_mean), "v2 (69) and (74)"),
        Hypothesis(
            "regularisation", ge(n * _mu**2, 16 * v**2 * log(Integer(2))), "that of the proposition for some nu <= 1"
        ),
        Hypothesis("the sum reaches 1", ge(_reaching * v, n * (_line_matrix - _beta * _line_mean))),
    ),
    conclusion=ge(_reaching * v, n * (1 - _beta)),
    reading=(
        r"(76) in the setting of Proposition 3, of data on the event of its proof. Its reason, a lower bound on each term, is a slip for the upper bound (75), whose factor $\bar\rho$ is missing."
    ),
    sampling=Chart(
        {_at_threshold: (1000, 2000), _SHARE_OF_MEAN: (0, Rational(1, 20))},
        {
            **{_at_threshold: 3 * _at_threshold, _reaching: 2 * _at_threshold, n: 9 * _at_threshold},
            **{v: Integer(2), _beta: Rational(1, 2), _mu: Rational(1, 12) + _SHARE_OF_MEAN},
        },
    ),
    category="wrong constant",
    corrected="rgm:b5-count",
    remark="The number that (76) counts is too large by up to 1/rho-bar.",
)

_INTEGER = real("k", "number of records", lower=1, integer=True)
_j = _INTEGER.symbol

ceiling_step = Claim(
    id="rgm:b5-ceiling",
    refs=("P3.8d",),
    title="The smallest number of records is a ceiling",
    source=_V2,
    where="App. B.5, v2 (76)",
    kind="identity",
    statement=r"$k$ is the first integer with $kc \ge 1$ exactly if $k - 1 < 1/c \le k$, that is $k = \lceil 1/c\rceil$.",
    variables=(_INTEGER, _TERM),
    conclusion=Iff(both(ge(_j * _c, 1), lt((_j - 1) * _c, 1)), both(lt(_j - 1, 1 / _c), le(1 / _c, _j))),
    remark=r"If $1/c > n$ there are not enough records and the minimum is over nothing. With $> n$, as in (68), it would be $\lfloor 1/c\rfloor + 1$.",
    checks=(Smt(),),
    mutants=(
        Mutant("strict", Iff(both(gt(_j * _c, 1), le((_j - 1) * _c, 1)), both(lt(_j - 1, 1 / _c), le(1 / _c, _j)))),
        Mutant("floor", Iff(both(ge(_j * _c, 1), lt((_j - 1) * _c, 1)), both(le(_j, 1 / _c), lt(1 / _c, _j + 1)))),
    ),
)

_NOISE = real("z", "the Laplace noise")
_z = _NOISE.symbol
_PRINTED_N = Hypothesis("records", ge(n, log_delta * v / ((1 - _beta) * epsilon)), "before v2 (77)")
_COUNTED = Hypothesis("count", ge(distance, n * (1 - _beta) / v), "v2 (76)")

noise_printed = Claim(
    id="rgm-v2:b5-noise-is-positive",
    refs=("P3.9a",),
    title="The noisy statistic is at least the statistic",
    source=_V2,
    where="App. B.5, v2 (77), first relation",
    kind="inequality",
    statement=r"$\hat\Delta = \Delta_+ + {\rm Lap}(\varepsilon^{-1}) \ge \Delta_+$.",
    variables=(DISTANCE, _NOISE),
    conclusion=ge(distance + _z, distance),
    reading="Laplace noise has every real number in its range, and either sign with probability 1/2.",
    category="false",
    corrected="beyond:ptr-acceptance",
)

threshold = Claim(
    id="rgm:b5-threshold",
    refs=("P3.9a",),
    title="The statistic reaches the threshold of the test",
    source=_V2,
    where="App. B.5, v2 (77), last two relations",
    kind="inequality",
    statement=r"Given (76), $n \ge -\log(\delta)R_c^2/((1-\beta)\varepsilon)$ makes $\Delta_+ \ge n(1-\beta)/R_c^2 \ge -\log(\delta)/\varepsilon$.",
    variables=(DISTANCE, RECORDS, THRESHOLD, _BETA, EPSILON, LOG_DELTA),
    hypotheses=(_PRINTED_N, _COUNTED),
    conclusion=chain(distance, ">=", n * (1 - _beta) / v, ">=", log_delta / epsilon),
    reading="(76) is taken as printed, without the factor rho-bar that it lacks.",
    checks=(Smt(),),
    mutants=(
        Mutant(
            "half of the records",
            hypotheses=(_COUNTED, Hypothesis("half", ge(2 * n, log_delta * v / ((1 - _beta) * epsilon)))),
        ),
        Mutant("twice the threshold", ge(distance, 2 * log_delta / epsilon)),
    ),
)

_EXCESS = nonnegative("g", "Delta_+ less the threshold of the test")
_g = _EXCESS.symbol

always = Claim(
    id="rgm-v2:b5-always",
    refs=("P3.9b",),
    title="The test always returns a value",
    source=_V2,
    where="App. B.5, after v2 (77)",
    kind="remark",
    statement=r"If $\Delta_+$ is at least the threshold, the test rejects with probability 0.",
    variables=(_EXCESS, EPSILON),
    conclusion=le(rejection(_g), 0),
    reading=r"The test rejects if $\hat\Delta \le -\log(\delta)/\varepsilon$; the probability of that is $\frac12e^{-\varepsilon g}$.",
    category="false",
    corrected="beyond:ptr-acceptance",
    remark="On the threshold itself, which is all that the condition on n gives, every second run rejects.",
    derivation=(Step(claim="beyond:ptr-acceptance"),),
)

half_share = Claim(
    id="rgm-v2:b5-beta-one-half",
    refs=("P3.9c",),
    title="One half for beta gives the condition of Proposition 3",
    source=_V2,
    where="App. B.5, after v2 (77), against Section 5.4, Proposition 3",
    kind="remark",
    statement=r"$-\log(\delta)R_c^2/((1-\beta)\varepsilon)$ at $\beta = \frac12$ is the $-\log(\delta)R_c^2/(2\varepsilon)$ of Proposition 3.",
    variables=(THRESHOLD, EPSILON, LOG_DELTA),
    conclusion=eq(log_delta * v / ((1 - Rational(1, 2)) * epsilon), log_delta * v / (2 * epsilon)),
    category="misprint",
    corrected="rgm:b5-beta-one-half-corrected",
    remark="The proposition asks for a quarter of the records that its proof uses.",
)

half_share_corrected = Claim(
    id="rgm:b5-beta-one-half-corrected",
    title="The condition at one half",
    source=_V2,
    where="App. B.5, after v2 (77)",
    kind="correction",
    statement=r"At $\beta = \frac12$ the condition of the proof is $n \ge -2\log(\delta)R_c^2/\varepsilon$, four times the printed one.",
    variables=(THRESHOLD, EPSILON, LOG_DELTA),
    conclusion=both(
        eq(At(log_delta * v / ((1 - _beta) * epsilon), _beta, Rational(1, 2)), 2 * log_delta * v / epsilon),
        eq(2 * log_delta * v / epsilon, printed(lambda: 4 * (log_delta * v / (2 * epsilon)))),
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("as printed", eq(2 * log_delta * v / epsilon, log_delta * v / (2 * epsilon))),
        Mutant("twice", eq(2 * log_delta * v / epsilon, 2 * (log_delta * v / (2 * epsilon)))),
    ),
)
