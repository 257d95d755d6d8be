"""Gaussian features, beyond the paper: what holds instead, and constants that can be had from the same proofs."""

from sympy import Derivative, Expr, Integer, Max, Min, Rational, exp, log, sqrt

from rgm_verify.claims import *
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses import *

from .. import looseness
from ..rgm.gaussian_notation import *
from ..theorems import GAUSSIAN_SINGULAR_VALUES, MARKOV, MATRIX_BERNSTEIN, SPECTRAL, TOWER
from ..worlds import acceptance as acceptance_worlds
from ..worlds import order as order_worlds

page = Page("beyond", "", GAUSSIAN_NOTATION)


#: Variables of other files' claims, as premises name them.
_exponent, _tangent_at, _tangent_to = (real(name).symbol for name in ("x", "a", "b"))
_relative_norm = tuple(nonnegative(name).symbol for name in ("N", "a_1", "a_2"))
_at_point, _at_other, _at_rest, _at_gap = (nonnegative(name).symbol for name in ("alpha", "beta", "w", "D"))
_at_factor, _at_nabla, _at_norm, _at_twice = (
    positive("K").symbol,
    *(nonnegative(name).symbol for name in ("G", "X", "U")),
)

_k = page.positive("d", "dimension, or any positive number")

_point = page.positive("y", "a point")


chi_square_mean = page.elsewhere("App. B.5, after v2 (74)", "V1P3.9").identity(
    "beyond:chi-square-mean",
    "The mean of chi-square is the dimension",
    eq(_point * density(_point, _k), _k * density(_point, _k + 2)),
    r"$y$ times the density of $\chi^2_d$ is $d$ times the density of $\chi^2_{d+2}$, so that $\mathbb E\chi^2_d = d$.",
    wrong={"2d": 2 * _k * density(_point, _k + 2), "one degree more": _k * density(_point, _k + 1)},
)

close_to_one = page.elsewhere("replaces App. B.5, after v2 (74)").correction(
    "beyond:b5-close-to-1-exact",
    "rho-bar at R_c^2 = 2d for small dimensions",
    both(
        *(le(clipped_mean(Integer(2 * k), Integer(k)), Rational(9, 10)) for k in (1, 2)),
        *(ge(clipped_mean(Integer(2 * k), Integer(k)), Rational(9, 10)) for k in range(3, 13)),
    ),
    r"At $R_c^2 = 2d$ the factor $\bar\rho$ is below $9/10$ for $d = 1, 2$ and above it for $d = 3, \dots, 12$.",
    wrong={
        "from d = 2": ge(clipped_mean(Integer(4), Integer(2)), Rational(9, 10)),
        "99 percent from d = 3": ge(clipped_mean(Integer(6), Integer(3)), Rational(99, 100)),
    },
    remark=r"It increases with $R_c$. For larger $d$, `beyond:b5-close-to-1-large` bounds the distance from 1.",
)

_x = page.positive("x", "a positive number")


log_below_line = page.elsewhere("App. B.5, after v2 (74)").inequality(
    "beyond:log-below-line",
    "The logarithm lies below its tangent at 1",
    le(log(_x), _x - 1),
    r"$\log x \le x - 1$; so $y - v \le 4e^{(y-v)/4-1}$, at $x = (y-v)/4$.",
    by=Monotone(_x, Integer(1)),
    wrong={"2x - 2": 2 * _x - 2, "sides swapped": turned(), "half": (_x - 1) / 2},
)

_w = page.positive("w", "1 - 2s", upper=1)


moment_generating = page.elsewhere("App. B.4, v1 (61)").identity(
    "beyond:chi-square-moments",
    "The exponential moments of chi-square",
    eq(exp((1 - _w) / 2 * _point) * density(_point, _k), _w ** (-_k / 2) * _w * density(_w * _point, _k)),
    r"With $w = 1-2s$: $e^{sy}$ times the density at $y$ is $w^{-d/2}$ times the density of $\chi^2_d/w$, so that $\mathbb E e^{s\chi^2_d} = (1-2s)^{-d/2}$.",
    wrong={
        "(1 - 2s)^(-d)": _w ** (-_k) * _w * density(_w * _point, _k),
        "s for s/2": left(exp((1 - _w) * _point) * density(_point, _k)),
    },
)

_LEVEL = positive("x", "level of the tail")
_NOT_BELOW_MEAN = Hypothesis("not below the mean", ge(_x, _k), "s = (1 - d/x)/2 >= 0")
_chernoff = (_x / _k * exp(1 - _x / _k)) ** (_k / 2)

chernoff = page.elsewhere("replaces App. B.4, v1 (61)").correction(
    "beyond:chi-square-chernoff",
    "Chernoff's bound on the tail of chi-square",
    eq(exp(-(1 - _k / _x) / 2 * _x) * (_k / _x) ** (-_k / 2), _chernoff),
    r"For $x \ge d$, $\mathbb E e^{s(\chi^2_d - x)}$ at $s = (1-d/x)/2 \ge 0$ is $((x/d)e^{1-x/d})^{d/2}$, which bounds $P[\chi^2_d > x]$.",
    given=_NOT_BELOW_MEAN,
    over=(_LEVEL,),
    wrong={"power d": _chernoff**2, "without the 1": (_x / _k * exp(-_x / _k)) ** (_k / 2)},
    steps=(
        Step(
            "$P[\\chi^2_d > x] \\le \\mathbb E e^{s(\\chi^2_d - x)}$.",
            theorem=MARKOV,
            met={"nonnegative": "Exponentials are positive; $s \\ge 0$, as $x \\ge d$."},
        ),
        Step("Exponential moments.", "beyond:chi-square-moments"),
    ),
)

_at_six = log(Rational(20, 3)) + 3 * log(2)
close_at_six = page.elsewhere("App. B.5, after v2 (74)").inequality(
    "beyond:b5-close-to-1-at-6",
    "The bound on 1 - rho-bar in dimension 6",
    le(_at_six, 4),
    r"$\log\frac{20}3 + 3\log 2 \le 4$.",
    wrong={"3.9": Rational(39, 10), "sides swapped": turned()},
)

_LARGE = real("d", "dimension", lower=6)
_large = _LARGE.symbol

close_large = page.elsewhere("replaces App. B.5, after v2 (74)").correction(
    "beyond:b5-close-to-1-large",
    "rho-bar is close to 1 in many dimensions",
    le(log(40 / _large) + _large / 2 * (log(2) - 1), 1),
    r"For $R_c^2 \ge 2d$, $1 - \bar\rho \le \frac4{ed}(2/e)^{d/2}$, which is at most $1/10$ for $d \ge 6$.",
    by=Monotone(_large, Integer(6), premises=(Premise("beyond:b5-close-to-1-at-6"), Premise("beyond:log-of-2"))),
    over=(_LARGE,),
    wrong={"a hundredth": left(log(400 / _large) + _large / 2 * (log(2) - 1)), "sides swapped": turned()},
    steps=(
        Step("Below the tangent.", "beyond:log-below-line"),
        Step("Exponential moments.", "beyond:chi-square-moments"),
        Step("Dimension 6.", "beyond:b5-close-to-1-at-6"),
    ),
    reading=r"$d(1-\bar\rho) = \mathbb E(\chi^2_d - R_c^2)_+ \le 4\,\mathbb E e^{(\chi^2_d-R_c^2)/4-1} = \frac4e2^{d/2}e^{-R_c^2/4}$, by `beyond:log-below-line` and "
    r"`beyond:chi-square-moments` at $s = \frac14$. Judged is the logarithm of ten times the bound.",
)

_log_of_2 = both(ge(log(2), Rational(2, 3)), le(log(2), Rational(7, 10)), le(log(4), Rational(5, 3)))
log_of_2 = page.elsewhere("App. B.4, v1 (62)").inequality(
    "beyond:log-of-2",
    "Rational bounds on log 2",
    _log_of_2,
    r"$\frac23 \le \log 2 \le \frac7{10}$ and $\log 4 \le \frac53$.",
    wrong={"at least 7/10": ge(log(2), Rational(7, 10)), "log 4 at most 1": le(log(4), 1)},
)

_e1 = page.nonnegative("e_1", "w^T E[S] w, |w| = 1")
_e2 = page.nonnegative("e_2", "w^T E[S^2] w, |w| = 1")

_BERNSTEIN = (
    Hypothesis("S^2 is at most |S| S", le(_e2, v * L / n * _e1), "S has rank one and norm at most R_c^2 L/n"),
    Hypothesis("mean of a summand", le(_e1, rho_bar * L / n), "E S = rho-bar Sigma/n"),
)

smaller_variance = page.elsewhere("App. B.5, v2 (70)").inequality(
    "beyond:b5-variance",
    "A variance smaller by the factor 4 R_c^2/rho-bar",
    le(n * _e2, rho_bar * v * L**2 / n),
    r"$|\sum_i \mathbb E(S_i - \mathbb E S_i)^2| \le \bar\rho R_c^2L^2/n$, in place of $4R_c^4L^2/n$.",
    given=_BERNSTEIN,
    wrong={
        "R_c^2 left out": rho_bar * L**2 / n,
        "half": rho_bar * v * L**2 / (2 * n),
        "without the mean": changed(hypotheses=_BERNSTEIN[:1]),
    },
)

_root = page.nonnegative("x", "sqrt(log(2d/nu)/n)")
_standard = page.nonnegative("r", "sqrt(2 rho-bar) R_c")

_smaller = L * (_standard * _root + Rational(2, 3) * v * _root**2)
_IS_ROOT = Hypothesis("r", eq(_standard**2, 2 * rho_bar * v))
_SMALL_THRESHOLD = Hypothesis("rho-bar at most R_c^2", le(rho_bar, v), "rho-bar <= R_c^2/d")
_RANGE = Hypothesis("enough records", le(_root, Rational(3, 2)), "n >= 4 log(2d/nu)/9")

smaller_regularisation = page.elsewhere("App. B.5, v2 (69)").inequality(
    "beyond:b5-smaller-regularisation",
    "Less regularisation does",
    both(
        ge(_smaller**2 / 2, n * _root**2 * (rho_bar * v * L**2 / n + v * L / n * _smaller / 3)),
        le(_smaller, 4 * L * v * _root),
    ),
    r"$\mu_{\rm reg} = L(R_c\sqrt{2\bar\rho\ell/n} + \frac23R_c^2\ell/n)$, $\ell = \log(2d/\nu)$, makes Bernstein's exponent at least $\ell$ for every $n$, "
    r"and is at most the printed $4LR_c^2\sqrt{\ell/n}$ where that is defined.",
    given=(_IS_ROOT, _SMALL_THRESHOLD, _RANGE),
    points={_root: (0, Rational(3, 2)), _standard: (0, 10), n: (1, 1000), v: _standard**2 / (2 * rho_bar)},
    wrong={
        "r without the linear term": ge(
            (L * _standard * _root) ** 2 / 2,
            n * _root**2 * (rho_bar * v * L**2 / n + v * L / n * (L * _standard * _root) / 3),
        ),
        "2 for 4": le(_smaller, 2 * L * v * _root),
    },
    steps=(
        Step("The variance.", "beyond:b5-variance"),
        Step(
            r"The deviation exceeds $\mu_{\rm reg}$ with probability at most $2d\,e^{-\ell} = \nu$.",
            theorem=MATRIX_BERNSTEIN,
            met={"independent": "The records are.", "bounded": "rgm:b5-summand", "variance": "beyond:b5-variance"},
        ),
    ),
    reading=r"With $x = \sqrt{\ell/n}$, Bernstein's exponent is multiplied out. For $R_c^2 = 2d$ and large $n$ the gain is the factor $\sqrt{8R_c^2/\bar\rho} \approx 4\sqrt d$.",
)

_rho = page.positive("rho", "the proposed lower bound")

_printed_mu = 4 * L * v * sqrt(ell / n)
_FEW = Hypothesis("few records", le(n * _rho**2, 16 * v**2 * ell), "n <= 16 R_c^4 log(2d/nu)/rho^2")

regularisation_alone = page.elsewhere("Section 5.4, Proposition 3").inequality(
    "beyond:b5-regularisation-alone",
    "The printed regularisation may exceed what is tested",
    ge(_printed_mu, _rho * L),
    r"For $n \le 16R_c^4\log(2d/\nu)/\rho^2$ the printed $\mu_{\rm reg}$ is at least $\rho L$, so that $\tilde A \succcurlyeq \rho\Sigma$ for all data.",
    given=_FEW,
    wrong={
        "twice": 2 * _rho * L,
        "four times the records": changed(hypotheses=(Hypothesis("more", le(n * _rho**2, 64 * v**2 * ell)),)),
        "without the condition": without(),
    },
    remark=r"Then the test tests nothing and no sum reaches $n$. With $d = 22$, $R_c^2 = 2d$, $\rho = \frac12$ and $\nu = 1/100$ this is so up to about a million records; "
    r"at the smallest $n$ of the proposition $\mu_{\rm reg} = 6LR_c^2$ dwarfs the covariance.",
)

_g = page.nonnegative("g", "Delta_+ less the threshold of the test")


acceptance = page.elsewhere("replaces App. B.5, v2 (77)").correction(
    "beyond:ptr-acceptance",
    "The probability that the test accepts",
    both(
        eq(Derivative(1 - rejection(_g), _g), epsilon / 2 * exp(-epsilon * _g)),
        eq(At(1 - rejection(_g), _g, 0), Rational(1, 2)),
    ),
    r"With $\Delta_+$ at $g \ge 0$ above the threshold the test accepts with probability $\frac12 + \int_0^g\frac\varepsilon2e^{-\varepsilon z}dz = 1 - \frac12e^{-\varepsilon g}$.",
    wrong={
        "always": eq(Integer(0), epsilon / 2 * exp(-epsilon * _g)),
        "without the half": eq(Derivative(1 - 2 * rejection(_g), _g), epsilon / 2 * exp(-epsilon * _g)),
    },
    reading="The noise exceeds -g: half of its mass is above 0, and the rest of what is needed lies between -g and 0. Judged is the derivative in g; both sides "
    "are 1/2 at g = 0.",
)

_miss = page.nonnegative("lambda_2", "log(1/(2 nu_2)) for a probability nu_2 that the test rejects")
_event = page.real("p", "probability that the covariance is within mu_reg of its mean", lower=0, upper=1)
_accepts = page.real("a", "probability that the test accepts", lower=0, upper=1)
_fails = page.real("nu", "probability of failure of the event", lower=0, upper=1)
_terms = page.nonnegative("S", "sum of the terms on the smallest set, over n")

_ABOVE_THRESHOLD = epsilon * distance - log_delta
_STATISTIC = (
    Hypothesis("the sum reaches 1", ge(_terms, 1), "v2 (66)"),
    Hypothesis(
        "each term from above",
        le(_terms, distance * (2 * v / (n * rho_bar))),
        "beta = 1/2",
        ("rgm:b5-inverse-corrected",),
    ),
)
_RECORDS_NEEDED = Hypothesis("records", ge(n, 2 * v * (log_delta + _miss) / (rho_bar * epsilon)))
_PROBABILITIES = (
    Hypothesis("the event", ge(_event, 1 - _fails), "matrix Bernstein", ("rgm:b5-concentration",)),
    Hypothesis(
        "accepting on the event",
        ge(_accepts, _event * (1 - exp(-_ABOVE_THRESHOLD) / 2)),
        "the least statistic on the event counts",
        ("beyond:ptr-acceptance",),
    ),
)


def _with_records(*records: Hypothesis) -> tuple[Hypothesis, ...]:
    return (*_STATISTIC, *records, *_PROBABILITIES)


above_threshold = page.elsewhere("replaces App. B.5, v2 (76) and (77)").inequality(
    "beyond:b5-above-the-threshold",
    "With enough records the statistic is above the threshold by a margin",
    ge(_ABOVE_THRESHOLD, _miss),
    r"For $n \ge 2R_c^2(\log\frac1\delta + \lambda_2)/(\bar\rho\varepsilon)$, $\Delta_+ \ge \frac{n\bar\rho}{2R_c^2}$ makes "
    r"$\varepsilon\Delta_+ - \log\frac1\delta \ge \lambda_2$.",
    given=(*_STATISTIC, _RECORDS_NEEDED),
    points=Chart(
        {
            rho_bar: (0, 1),
            epsilon: (0, 4),
            log_delta: (0, 4),
            _miss: (0, 4),
            n: (1, 20),
            _terms: (1, 3),
            distance: (0, 1),
        },
        {
            v: n * rho_bar * epsilon / (2 * (log_delta + _miss + 1)),
            distance: _terms * (log_delta + _miss + 1) / epsilon * (1 + distance),
        },
    ),
    over=(distance, log_delta),
    wrong={
        "the printed records": changed(
            hypotheses=(*_STATISTIC, Hypothesis("printed", ge(n, v * log_delta / (2 * epsilon))))
        ),
        "without rho-bar": changed(
            hypotheses=(*_STATISTIC, Hypothesis("records", ge(n, 2 * v * (log_delta + _miss) / epsilon)))
        ),
        "without a share for the noise": changed(
            hypotheses=(*_STATISTIC, Hypothesis("records", ge(n, 2 * v * log_delta / (rho_bar * epsilon))))
        ),
    },
    steps=(Step("How many records the sum takes.", "rgm:b5-count"),),
)

proposition = page.elsewhere("replaces Section 5.4, Proposition 3").correction(
    "beyond:b5-proposition-3",
    "Proposition 3, as it can be proved",
    ge(_accepts, 1 - _fails - exp(-_miss) / 2),
    r"For $n \ge 2R_c^2(\log\frac1\delta + \log\frac1{2\nu_2})/(\bar\rho\varepsilon)$ and $n \ge 4\log(2d/\nu)/9$ the test accepts $\rho = \bar\rho/2$ with probability at "
    r"least $1 - \nu - \nu_2$.",
    given=_with_records(_RECORDS_NEEDED),
    by=(
        Deduction(
            (
                Premise("beyond:b5-above-the-threshold"),
                Premise("rgm:s4-exponential-positive", {_exponent: -_ABOVE_THRESHOLD}),
                Premise("beyond:exponential-above-its-tangents", {_tangent_at: -_ABOVE_THRESHOLD, _tangent_to: -_miss}),
            )
        ),
        acceptance_worlds.ACCEPTED.mapped(
            acceptance_worlds.of_accepted,
            *(distance, _terms, n, v, rho_bar, epsilon, log_delta, _miss),
            *(_event, _accepts, _fails),
        ),
    ),
    points=Chart(
        {
            **{rho_bar: (0, 1), epsilon: (0, 4), log_delta: (0, 4), _miss: (0, 4), n: (1, 20), _terms: (1, 3)},
            **{_fails: (0, 1), _accepts: (0, 1)},
        },
        {
            v: n * rho_bar * epsilon / (2 * (log_delta + _miss)),
            distance: _terms * (log_delta + _miss) / epsilon,
            _event: 1 - _fails,
            _accepts: (1 - _fails) * (1 - exp(-_terms * (log_delta + _miss) + log_delta) / 2) * (1 - _accepts)
            + _accepts,
        },
    ),
    over=(distance, log_delta),
    wrong={
        "the printed records": changed(
            hypotheses=_with_records(Hypothesis("printed", ge(n, v * log_delta / (2 * epsilon))))
        ),
        "without a share for the noise": changed(
            hypotheses=_with_records(Hypothesis("records", ge(n, 2 * v * log_delta / (rho_bar * epsilon))))
        ),
        "without nu": 1 - exp(-_miss) / 2,
    },
    steps=(
        Step(
            r"The clipped covariance is within $\mu_{\rm reg}$ of its mean with probability $1 - \nu$:",
            theorem=MATRIX_BERNSTEIN,
            met={
                "independent": "The records are, and so are the summands $S_i - \\mathbb E S_i$.",
                "bounded": "rgm:b5-summand",
                "variance": "rgm:b5-variance",
            },
        ),
        Step("the exponent is $\\log(2d/\\nu)$.", "rgm:b5-concentration"),
        Step(r"Its mean is $\bar\rho\Sigma + \mu_{\rm reg}I$.", "rgm:b5-clipped-mean"),
        Step(r"So $\tilde A \succcurlyeq \bar\rho\Sigma$ on the event,", "rgm:b5-lower-bound"),
        Step(r"and each term of the statistic is at most $2R_c^2/\bar\rho$.", "rgm:b5-inverse-corrected"),
        Step("So the statistic is above the threshold by a margin,", "beyond:b5-above-the-threshold"),
        Step("which noise takes away with a small probability.", "beyond:ptr-acceptance"),
        Step(
            "The probability of accepting is at least that of the event times the least one on it.",
            theorem=TOWER,
            met={"integrable": "Probabilities lie between 0 and 1."},
        ),
    ),
    reading=r"$\nu_2 = \frac12e^{-\lambda_2}$. D is the least statistic on the event, S the sum of the terms on the set that makes it; $n \ge 4\log(2d/\nu)/9$ is what the event needs. "
    r"Off the event nothing is assumed.",
    remark="It is about the test as printed, which accepts, but is not private (`beyond:ptr-statistic-jumps`).",
)

_p = page.nonnegative("P", "w^T Sigma w for w = Sigma^(-1/2) X")
_q = page.nonnegative("Q", "w^T Sigma^(-1) w")
_norm = page.nonnegative("N", "|w|^2 = X^T Sigma^(-1) X")

_eigen = page.positive("lambda", "an eigenvalue")

_BETWEEN = (Hypothesis("at least the smallest", ge(_eigen, l_min)), Hypothesis("at most the largest", le(_eigen, L)))

kantorovich_point = page.elsewhere("App. B.5, v2 (78)").inequality(
    "beyond:b5-kantorovich-eigenvalue",
    "Kantorovich's inequality for one eigenvalue",
    le(_eigen + L * l_min / _eigen, L + l_min),
    r"$\lambda + Ll/\lambda \le L + l$ for $l \le \lambda \le L$.",
    given=_BETWEEN,
    points={_p: (0, None), _q: (0, None), _eigen: l_min + _p, L: l_min + _p + _q},
    wrong={
        "L": L,
        "any eigenvalue above": changed(hypotheses=_BETWEEN[:1]),
        "any eigenvalue below": changed(hypotheses=_BETWEEN[1:]),
    },
)

_SUMMED = Hypothesis("summed over the eigenbasis", le(_p + L * l_min * _q, (L + l_min) * _norm))

kantorovich = page.elsewhere("App. B.5, v2 (78)", "P3.13b").inequality(
    "beyond:b5-kantorovich",
    "A quarter of the condition number, nearly",
    le(4 * L * l_min * _p * _q, (L + l_min) ** 2 * _norm**2),
    r"$|X|^2X^\top\Sigma^{-2}X \le \frac{(1+\kappa_\Sigma)^2}{4\kappa_\Sigma}(X^\top\Sigma^{-1}X)^2$.",
    given=_SUMMED,
    by=(Smt(), order_worlds.KANTOROVICH.mapped(order_worlds.of_condition, _p, _q, _norm, L, l_min)),
    wrong={"half": left(8 * L * l_min * _p * _q), "4 L l": le(_p * _q, _norm**2), "without the sum": without()},
    steps=(
        Step(
            "The inequality of each eigenvalue is added up over the eigenbasis.",
            theorem=SPECTRAL,
            met={"symmetric": "It is a covariance."},
        ),
        Step("One eigenvalue.", "beyond:b5-kantorovich-eigenvalue"),
    ),
    remark=r"It replaces $\kappa_\Sigma$, which is up to 4 times as large, in $\eta^2$; `beyond:b5-kantorovich-attained` shows that no less will do.",
    tightness=looseness.KANTOROVICH,
)

_COMPONENTS = (real("x_1", "component along the first eigenvector"), real("x_2", "component along the second"))
page.declare(*_COMPONENTS)
_x1, _x2 = (c.symbol for c in _COMPONENTS)
_maha = _x1**2 / L + _x2**2 / l_min
_product = (_x1**2 + _x2**2) * (_x1**2 / L**2 + _x2**2 / l_min**2)
_SPREAD = (ORDERED, Hypothesis("spread", ge(L, 10 * l_min)), Hypothesis("a record", ge(_x1**2 + _x2**2, 1)))

kantorovich_attained = page.elsewhere("Section 5.4, after Proposition 3", "P3.13b").remark(
    "beyond:b5-kantorovich-attained",
    "The condition number is paid",
    ge(4 * L * l_min * _product, (L + l_min) ** 2 * _maha**2),
    r"Some record has $|X|^2X^\top\Sigma^{-2}X = \frac{(1+\kappa)^2}{4\kappa}(X^\top\Sigma^{-1}X)^2$, with $\kappa_\Sigma \ge 10$.",
    exists=True,
    given=_SPREAD,
    by=(Search(), Smt()),
    points={_p: (0, 1), _x1: Integer(4), _x2: Integer(1), L: Integer(16), l_min: Integer(1)},
    wrong={"the whole condition number": ge(l_min * _product, L * _maha**2)},
)

_rx = page.nonnegative("s", "sqrt(x/n), x = log(1/probability)")


concentration_on_the_line = page.elsewhere("replaces App. B.4, v1 (59), in dimension 1").correction(
    "beyond:b4-concentration-line",
    "Concentration of the variance of Gaussian data",
    ge(2 * _rx - log(1 + 2 * _rx + 2 * _rx**2), 0),
    r"In dimension 1, $P(\tilde A > \Sigma(1 + 2\sqrt{x/n} + 2x/n)) \le e^{-x}$, for every $n$.",
    by=Monotone(_rx, Integer(0)),
    wrong={"half of the root": left(_rx - log(1 + _rx + 2 * _rx**2)), "sides swapped": turned()},
    steps=(Step("Chernoff.", "beyond:chi-square-chernoff"),),
    reading=r"$n\tilde A/\Sigma$ is chi-square with $n$ degrees of freedom; Chernoff's bound at $n(1+2s+2s^2)$ is $e^{-x}$ or less exactly if $2s + 2s^2 - \log(1+2s+2s^2) \ge 2s^2$. "
    "The deviation is linear in Sigma, and for few records linear in x.",
    remark=r"In $d$ dimensions $C|\Sigma|\max(\sqrt{x/n}, x/n)$ with $x = d_{\rm eff} + \log(1/\delta)$ is known (Koltchinskii and Lounici, quoted).",
)

_c = page.positive("C", "the constant")

_root_at = _c + 2
_log_at = _root_at**2 - 2 - log(2)

no_constant = page.elsewhere("App. B.4, v1 (59)", "V1P1.4").remark(
    "beyond:b4-no-absolute-constant",
    "No absolute constant for few records",
    both(le((1 + _c * _root_at) / 2, _log_at), ge(_log_at, Rational(5, 4))),
    r"With $L$ for $L^2$, one record in the plane, $\Sigma = I$: for every $C$ some $\delta$ has $P(|\tilde A-\Sigma| > C\sqrt{2 + \ln 2 + \ln(2/\delta)}) > \delta/2$.",
    by=Deduction((Premise("beyond:log-of-2"),)),
    wrong={
        "ten times the probability": le((1 + 10 * _c * _root_at) / 2, _log_at),
        "sides swapped": ge((1 + _c * _root_at) / 2, _log_at),
    },
    reading=r"$\delta$ with $2 + \ln 2 + \ln(2/\delta) = (C+2)^2$, which is below 1. The probability is at least $e^{-(1+C(C+2))/2}$, and its logarithm is compared with that of $\delta/2$; "
    "the sides differ.",
)

_loss = page.nonnegative("e", "sqrt(d/n) + sqrt(2 log(2/delta)/n)")
_along = page.nonnegative("m", "mean of (z . X_i)^2, for a vector z")
_in_sigma = page.nonnegative("sigma", "z^T Sigma z")
_length = page.nonnegative("W", "|z|^2")

_SINGULAR = Hypothesis(
    "the smallest singular value", Implies(le(_loss, 1), ge(_along, (1 - _loss) ** 2 * _in_sigma)), "on the event"
)
_LARGEST_OF_SIGMA = Hypothesis("the largest eigenvalue of Sigma", le(_in_sigma, L * _length))

above_sigma = page.elsewhere("replaces App. B.4, v1 (59)").correction(
    "beyond:b4-above-sigma",
    "A regularisation with which the covariance is above Sigma",
    ge(_along + 2 * L * _loss * _length, _in_sigma),
    r"With $\mu_{\rm reg} = 2L(\sqrt{d/n} + \sqrt{2\log(2/\delta)/n})$, $A = \frac1n\sum X_iX_i^\top + \mu_{\rm reg}I \succcurlyeq \Sigma$ with probability at least $1 - \delta/2$, in every dimension.",
    given=(_SINGULAR, _LARGEST_OF_SIGMA),
    points=Chart(
        {_loss: (0, 2), _length: (0, 3), L: (0, 3), _in_sigma: (0, 1)},
        {_in_sigma: _in_sigma * L * _length, _along: Max(0, 1 - _loss) ** 2 * _in_sigma * L * _length},
    ),
    wrong={
        "half of the regularisation": left(_along + L * _loss * _length),
        "any records": without(_SINGULAR),
        "any spectrum": without(_LARGEST_OF_SIGMA),
    },
    steps=(
        Step(
            r"$\frac1n\sum u_iu_i^\top \succcurlyeq (1 - \sqrt{d/n} - t/\sqrt n)^2I$ with probability at least $1 - e^{-t^2/2}$, where the root is not negative.",
            theorem=GAUSSIAN_SINGULAR_VALUES,
            met={"gaussian": "Records are independent, and $\\Sigma^{-1/2}X_i$ is standard."},
        ),
    ),
    reading=r"Along every vector z. $X_i = \Sigma^{1/2}u_i$, and the $u_i$ are the rows of $G$; the event has $t = \sqrt{2\log(2/\delta)}$.",
)

_PARTS = (
    nonnegative("p", "|A_0 A^(-1) g|"),
    nonnegative("q", "|A_0' A^(-1) g|"),
    nonnegative("w", "the absolute part"),
)
_pp, _qq, _ww = (x.symbol for x in _PARTS)
_nabla = page.nonnegative("G", "|g|")
_gap = page.nonnegative("D", "n times the distance of the two gradients")
_kappa = page.real("kappa", "condition number of Sigma", lower=1)
_Y = real("y", "log(2n/delta)", lower=Rational(2, 3))
_DIM = real("d", "dimension", lower=1)


_log2n = _Y.symbol
_dim = _DIM.symbol
_MAHA_X = nonnegative("m", "X^T Sigma^(-1) X")
_product_2 = page.nonnegative("z", "|X|^2 X^T A^(-2) X")
_maha_2 = _MAHA_X.symbol
_AT_GRADIENT = {_at_factor: (L / l_min) * (6 * _dim * _log2n) ** 2, _at_nabla: _nabla}

square_of_level = page.elsewhere("Section 5.2, Proposition 1 of version 1").inequality(
    "beyond:b4-square-of-the-level",
    "A record below its level",
    le(_product_2, (L / l_min) * (6 * _dim * _log2n) ** 2),
    r"$X^\top\Sigma^{-1}X \le 6d\log(2n/\delta)$ gives $|X|^2X^\top A^{-2}X \le \kappa_\Sigma(6d\log(2n/\delta))^2$.",
    given=(
        Hypothesis("the relative norm", le(_product_2, L / l_min * _maha_2**2), by=("rgm:b5-relative-norm",)),
        Hypothesis("the tail", le(_maha_2, 6 * _dim * _log2n), by=("rgm:b4-level",)),
    ),
    points={
        L: (0, 4),
        l_min: (0, 4),
        _dim: (1, 5),
        _log2n: (Rational(2, 3), 4),
        _maha_2: 6 * _dim * _log2n,
        _product_2: (L / l_min) * (6 * _dim * _log2n) ** 2,
    },
    over=(_MAHA_X, _DIM, _Y),
    wrong={
        "without the square": (L / l_min) * (6 * _dim * _log2n),
        "any record": changed(hypotheses=(Hypothesis("the relative norm", le(_product_2, L / l_min * _maha_2**2)),)),
    },
)

_LEVEL_X = 6 * _dim * _log2n
_NORM_X, _ONCE_X, _TWICE_X = (
    nonnegative("N_x", "$|X|^2$"),
    nonnegative("a_x", "X^T A^(-1) X"),
    nonnegative("b_x", "X^T A^(-2) X"),
)
_OF_X = (_NORM_X, _ONCE_X, _TWICE_X, nonnegative("m_x", "X^T Sigma^(-1) X"))
page.declare(*_OF_X)
_OF_Y = tuple(nonnegative(x.symbol.name.replace("_x", "_y"), f"{x.meaning} of the other record") for x in _OF_X)
page.declare(*_OF_Y)


def _held(record: tuple[Variable, ...], part: Expr, name: str) -> tuple[Hypothesis, ...]:
    """List the assumptions on a record: its norms by Sigma and by A above Sigma, the level of its tail, its part of the gradient."""
    norm, once, twice, maha = (x.symbol for x in record)
    return (
        Hypothesis(f"{name}: the largest eigenvalue of Sigma", le(norm, L * maha)),
        Hypothesis(f"{name}: the smallest eigenvalue of A", le(twice, once / l_min), "A above Sigma"),
        Hypothesis(
            f"{name}: A above Sigma, inverted",
            le(once, maha),
            "on the event",
            ("beyond:b4-above-sigma", "rgm:b4-inverse-order"),
        ),
        Hypothesis(f"{name}: its tail", le(maha, _LEVEL_X), "with high probability", ("rgm:b4-level",)),
        Hypothesis(f"{name}: its part", le(part**2, norm * twice * _nabla**2), "Cauchy-Schwarz"),
    )


_RECORD_HELD, _OTHER_HELD = _held(_OF_X, _pp, "the record"), _held(_OF_Y, _qq, "its replacement")
_IN_PARTS = Hypothesis("in parts", le(_gap, _pp + _qq + _ww), "v2 (10)", ("rgm:gradient-difference-insert-inverse",))


def _bound(factor: Expr) -> Formula:
    return le(_gap**2 / n**2, factor * (L / l_min) * (_dim / n) ** 2 * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2)


_ONE_RECORD = nonnegative("s", "probability that a record is beyond the level")
_covariance = page.nonnegative("f", "probability that A is not above Sigma")
_MISSED = nonnegative("P", "probability that something fails")
_one = _ONE_RECORD.symbol

_missed = _MISSED.symbol
_failure = page.positive("delta", "probability of failure", upper=1)

_UNION = (
    Hypothesis("the union bound", le(_missed, _covariance + (n + 1) * _one), by=("rgm:b4-union",)),
    Hypothesis("the covariance", le(_covariance, _failure / 2), "replaces v1 (59)", ("beyond:b4-above-sigma",)),
    Hypothesis("one record", le(_one, _failure / (2 * n)), "v1 (62)", ("rgm:b4-level",)),
)

all_records = page.elsewhere("replaces App. B.4, after v1 (62)").correction(
    "beyond:b4-all-records",
    "All records of both datasets at once",
    le(_missed, _failure * (1 + 1 / (2 * n))),
    r"If $A \succcurlyeq \Sigma$ fails with probability $\delta/2$ at most, it fails or one of the n records and the one that comes is beyond its level with "
    r"probability at most $\delta(1 + \frac1{2n})$.",
    given=_UNION,
    points=Chart(
        {_failure: (0, 1), n: (1, 30), _covariance: (0, 1), _one: (0, 1)},
        {
            _covariance: _failure / 2 * _covariance,
            _one: _failure / (2 * n) * _one,
            _missed: _failure / 2 * _covariance + (n + 1) * _failure / (2 * n) * _one,
        },
    ),
    over=(_MISSED, _ONE_RECORD),
    wrong={
        "the further record for nothing": _failure,
        "without the covariance": changed(hypotheses=(_UNION[0], _UNION[2])),
    },
    reading="The record that comes is drawn as the others are, independent of them or not.",
)

_HELD = (*_RECORD_HELD, *_OTHER_HELD, _IN_PARTS)
_PROBABLE = le(_missed, _failure * (1 + 1 / (2 * n)))

proposition_1 = page.elsewhere("replaces Section 5.2, Proposition 1").correction(
    "beyond:b4-proposition-1",
    "Proposition 1 of version 1, as it can be had",
    both(_bound(Integer(216)), _PROBABLE),
    r"With the $\mu_{\rm reg}$ of `beyond:b4-above-sigma`, $\eta^2 = 216\,\kappa_\Sigma(d/n)^2\log(2n/\delta)^2$ is a relative sensitivity of Gaussian data and a replacement drawn alike, "
    r"with probability at least $1 - \delta(1 + \frac1{2n})$.",
    given=(*_HELD, *_UNION),
    by=(
        Deduction(
            (
                *(
                    Premise(
                        "rgm:b5-relative-norm",
                        {
                            _relative_norm[0]: a.symbol,
                            _relative_norm[1]: b.symbol,
                            _relative_norm[2]: c.symbol,
                            MAHALANOBIS.symbol: e.symbol,
                            PROPOSED.symbol: Integer(1),
                        },
                    )
                    for a, b, c, e in (_OF_X, _OF_Y)
                ),
                *(
                    Premise(
                        "beyond:b4-square-of-the-level",
                        {_maha_2: record[3].symbol, _product_2: record[0].symbol * record[2].symbol},
                    )
                    for record in (_OF_X, _OF_Y)
                ),
                *(
                    Premise(
                        "beyond:contribution-at-the-gradient",
                        {**_AT_GRADIENT, _at_point: part, _at_norm: record[0].symbol, _at_twice: record[2].symbol},
                    )
                    for part, record in ((_pp, _OF_X), (_qq, _OF_Y))
                ),
                Premise("beyond:b4-all-records"),
                Premise(
                    "beyond:proposition-1-from-the-points",
                    {**_AT_GRADIENT, _at_point: _pp, _at_other: _qq, _at_rest: _ww, _at_gap: _gap},
                ),
            )
        ),
        order_worlds.GAUSSIAN_PAIR.mapped(
            order_worlds.of_gaussian_pair_likely,
            *(x.symbol for x in (*_OF_X, *_OF_Y)),
            *(L, l_min, _pp, _qq, _ww, _gap, _nabla, _dim, _log2n, n),
            *(_missed, _covariance, _one, _failure),
        ),
    ),
    points=Chart(
        {
            **{l_min: (0, 2), _kappa: (1, 9), _dim: (1, 5), _log2n: (Rational(2, 3), 5), n: (1, 30), _nabla: (0, 3)},
            **{_ww: (0, 3), _OF_Y[3].symbol: (0, 2), _failure: (0, 1), _covariance: (0, 1), _one: (0, 1)},
        },
        {
            _covariance: _failure / 2 * _covariance,
            _one: _failure / (2 * n) * _one,
            _missed: Min(1, _failure / 2 * _covariance + (n + 1) * _failure / (2 * n) * _one),
            L: _kappa * l_min,
            _OF_X[3].symbol: _LEVEL_X,
            _OF_X[1].symbol: _LEVEL_X,
            _OF_X[2].symbol: _LEVEL_X / l_min,
            _OF_X[0].symbol: _kappa * l_min * _LEVEL_X,
            _OF_Y[3].symbol: _LEVEL_X * _OF_Y[3].symbol,
            _OF_Y[1].symbol: _LEVEL_X * _OF_Y[3].symbol,
            _OF_Y[2].symbol: _LEVEL_X * _OF_Y[3].symbol / l_min,
            _OF_Y[0].symbol: _kappa * l_min * _LEVEL_X * _OF_Y[3].symbol,
            _pp: sqrt(_kappa) * _LEVEL_X * _nabla,
            _qq: sqrt(_kappa) * _LEVEL_X * _OF_Y[3].symbol * _nabla,
            _gap: sqrt(_kappa) * _LEVEL_X * (1 + _OF_Y[3].symbol) * _nabla + _ww,
        },
    ),
    over=(
        *(*_OF_X, *_OF_Y, L, l_min, *_PARTS, _gap, _nabla, _DIM, _Y, n),
        *(_MISSED, _covariance, _ONE_RECORD, _failure),
    ),
    wrong={
        "10 for 216": _bound(Integer(10)),
        "any replacement": changed(
            hypotheses=(*_RECORD_HELD, *(h for h in _OTHER_HELD if "tail" not in h.name), _IN_PARTS, *_UNION)
        ),
        "the further record for nothing": le(_missed, _failure),
        "one factor d": le(
            _gap**2 / n**2, 216 * (L / l_min) * (_dim / n**2) * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2
        ),
    },
    steps=(
        Step("The level.", "rgm:b4-level"),
        Step("All records at once.", "beyond:b4-all-records"),
        Step(r"$A \succcurlyeq \Sigma$ with high probability.", "beyond:b4-above-sigma"),
        Step("The relative norm, at rho = 1.", "rgm:b5-relative-norm"),
        Step("At the gradient.", "beyond:contribution-at-the-gradient"),
        Step("The parts put together.", "beyond:proposition-1-from-the-points"),
    ),
    reading=r"For a pair of datasets that are both Gaussian samples, in this order; the other is the same with the other covariance and its gradient. The bound holds on the event that $A \succcurlyeq \Sigma$ and all records "
    r"have $X^\top\Sigma^{-1}X \le 6d\log(2n/\delta)$, and the second part is the probability of its complement.",
    remark="A guarantee for all neighbours needs clipping: this is Section 5.3.",
)
