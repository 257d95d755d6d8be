"""Gaussian features, beyond the paper: what holds instead, and constants that can be had from the same proofs."""

from sympy import Derivative, Expr, Integer, Max, Min, Rational, exp, log, sqrt

from rgm_verify.claims import *
from rgm_verify.claims.formula import Formula
from rgm_verify.claims.page import Edit
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
_density, _two_more = named("f_d(y)", density(_point, _k)), named("f_{d+2}(y)", density(_point, _k + 2))

chi_square_mean = page.elsewhere("App. B.5, after v2 (74)", "V1P3.9").identity(
    "beyond:chi-square-mean",
    "The mean of chi-square is the dimension",
    eq(_point * _density, _k * _two_more),
    r"$f_d$ is the density of $\chi^2_d$. Integrated, the mean of $\chi^2_d$ is $d$.",
    wrong={"2d": 2 * _k * _two_more, "one degree more": _k * density(_point, _k + 1)},
)


def _mean_at_twice(k: int) -> Expr:
    """The factor in dimension k, at twice the dimension for the squared threshold."""
    return named(rf"\bar\rho_{{{k}}}", clipped_mean(Integer(2 * k), Integer(k)))


close_to_one = page.elsewhere("replaces App. B.5, after v2 (74)").correction(
    "beyond:b5-close-to-1-exact",
    "rho-bar at R_c^2 = 2d for small dimensions",
    both(
        *(le(_mean_at_twice(k), Rational(9, 10)) for k in (1, 2)),
        *(ge(_mean_at_twice(k), Rational(9, 10)) for k in range(3, 13)),
    ),
    "The index is the dimension.",
    wrong={
        "from d = 2": ge(_mean_at_twice(2), Rational(9, 10)),
        "99 percent from d = 3": ge(_mean_at_twice(3), Rational(99, 100)),
    },
    remark=r"It increases with $R_c$. For larger $d$, `beyond:b5-close-to-1-large` bounds the distance from 1.",
)

_x = page.positive("x", "a positive number")

log_below_line = page.elsewhere("App. B.5, after v2 (74)").inequality(
    "beyond:log-below-line",
    "The logarithm lies below its tangent at 1",
    le(log(_x), _x - 1),
    "With $(y-v)/4$ for $x$ it bounds $y - v$ by an exponential.",
    by=Monotone(_x, Integer(1)),
    wrong={"2x - 2": 2 * _x - 2, "sides swapped": turned(), "half": (_x - 1) / 2},
)

_w = page.positive("w", "1 - 2s", upper=1)
_density_at_w = named("f_d(wy)", density(_w * _point, _k))

moment_generating = page.elsewhere("App. B.4, v1 (61)").identity(
    "beyond:chi-square-moments",
    "The exponential moments of chi-square",
    eq(exp((1 - _w) / 2 * _point) * _density, _w ** (-_k / 2) * _w * _density_at_w),
    r"$w$ is $1-2s$. Integrated over y, the mean of $e^{s\chi^2_d}$ is $(1-2s)^{-d/2}$.",
    wrong={"(1 - 2s)^(-d)": _w ** (-_k) * _w * _density_at_w, "s for s/2": left(exp((1 - _w) * _point) * _density)},
)

_LEVEL = positive("x", "level of the tail")
_NOT_BELOW_MEAN = Hypothesis("not below the mean", ge(_x, _k), "s = (1 - d/x)/2 >= 0")
_chernoff = (_x / _k * exp(1 - _x / _k)) ** (_k / 2)

chernoff = page.elsewhere("replaces App. B.4, v1 (61)").correction(
    "beyond:chi-square-chernoff",
    "Chernoff's bound on the tail of chi-square",
    eq(exp(-(1 - _k / _x) / 2 * _x) * (_k / _x) ** (-_k / 2), _chernoff),
    r"The left side is the mean of $e^{s(\chi^2_d - x)}$ at the best $s$, half of $1-d/x$, which bounds the probability that $\chi^2_d$ exceeds $x$.",
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
    printed=r"P[\chi^2_d > x] \le \left(\frac xde^{1-x/d}\right)^{d/2}",
)

_at_six = log(Rational(20, 3)) + 3 * log(2)
close_at_six = page.elsewhere("App. B.5, after v2 (74)").inequality(
    "beyond:b5-close-to-1-at-6",
    "The bound on 1 - rho-bar in dimension 6",
    le(_at_six, 4),
    wrong={"3.9": Rational(39, 10), "sides swapped": turned()},
)

_LARGE = real("d", "dimension", lower=6)
_large = _LARGE.symbol

close_large = page.elsewhere("replaces App. B.5, after v2 (74)").correction(
    "beyond:b5-close-to-1-large",
    "rho-bar is close to 1 in many dimensions",
    le(log(40 / _large) + _large / 2 * (log(2) - 1), 1),
    "The bound decreases with the dimension, and is below a tenth from dimension 6 on.",
    by=Monotone(_large, Integer(6), premises=(Premise("beyond:b5-close-to-1-at-6"), Premise("beyond:log-of-2"))),
    over=(_LARGE,),
    wrong={"a hundredth": left(log(400 / _large) + _large / 2 * (log(2) - 1)), "sides swapped": turned()},
    steps=(
        Step("Below the tangent.", "beyond:log-below-line"),
        Step("Exponential moments.", "beyond:chi-square-moments"),
        Step("Dimension 6.", "beyond:b5-close-to-1-at-6"),
    ),
    reading=r"$d(1-\bar\rho)$ is the mean of the positive part of $\chi^2_d - R_c^2$, at most four times the mean of $e^{(\chi^2_d-R_c^2)/4-1}$, by `beyond:log-below-line` and `beyond:chi-square-moments` with a quarter for s. Judged is the logarithm of ten times the bound.",
    printed=r"1 - \bar\rho \le \frac4{ed}\left(\frac2e\right)^{d/2} \le \frac1{10} \quad\text{for}\quad R_c^2 \ge 2d",
)

log_of_2 = page.elsewhere("App. B.4, v1 (62)").inequality(
    "beyond:log-of-2",
    "Rational bounds on log 2",
    both(ge(log(2), Rational(2, 3)), le(log(2), Rational(7, 10)), le(log(4), Rational(5, 3))),
    wrong={"at least 7/10": ge(log(2), Rational(7, 10)), "log 4 at most 1": le(log(4), 1)},
)

_e1 = page.nonnegative("e_1", "along a unit vector", latex=r"w^\top\mathbb E[S]w")
_e2 = page.nonnegative("e_2", "along a unit vector", latex=r"w^\top\mathbb E[S^2]w")

_BERNSTEIN = (
    Hypothesis("S^2 is at most |S| S", le(_e2, v * L / n * _e1), "S has rank one and norm at most R_c^2 L/n"),
    Hypothesis("mean of a summand", le(_e1, rho_bar * L / n), "E S = rho-bar Sigma/n"),
)

smaller_variance = page.elsewhere("App. B.5, v2 (70)").inequality(
    "beyond:b5-variance",
    "A variance smaller by the factor 4 R_c^2/rho-bar",
    le(n * _e2, rho_bar * v * L**2 / n),
    "In place of the $4R_c^4L^2/n$ that is printed.",
    given=_BERNSTEIN,
    wrong={
        "R_c^2 left out": rho_bar * L**2 / n,
        "half": rho_bar * v * L**2 / (2 * n),
        "without the mean": without(_BERNSTEIN[1]),
    },
    printed=r"\left\|\sum_i\mathbb E(S_i - \mathbb E S_i)^2\right\| \le \frac{\bar\rho R_c^2L^2}n",
)

_root = page.nonnegative("x", latex=r"\sqrt{\ell/n}")
_standard = page.nonnegative("r", latex=r"(R_c\sqrt{2\bar\rho})")

_smaller = named(r"\mu_{\rm reg}", L * (_standard * _root + Rational(2, 3) * v * _root**2))
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
    r"Here $\ell$ is $\log(2d/\nu)$: Bernstein's exponent is at least $\ell$ for every $n$, and the regularisation is below the printed one where that is defined.",
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
    reading=r"Bernstein's exponent is multiplied out. For large $n$ the gain is the factor $\sqrt{8R_c^2/\bar\rho}$, about $4\sqrt d$ for $2d$ as $R_c^2$.",
    printed=r"\mu_{\rm reg} = L\left(R_c\sqrt{\frac{2\bar\rho\ell}n} + \frac{2R_c^2\ell}{3n}\right) \le 4LR_c^2\sqrt{\frac\ell n}",
)

_rho = page.positive("rho", "the proposed lower bound")

_printed_mu = named(r"\mu_{\rm reg}", 4 * L * v * sqrt(ell / n))
_FEW = Hypothesis("few records", le(n * _rho**2, 16 * v**2 * ell), "n <= 16 R_c^4 log(2d/nu)/rho^2")

regularisation_alone = page.elsewhere("Section 5.4, Proposition 3").inequality(
    "beyond:b5-regularisation-alone",
    "The printed regularisation may exceed what is tested",
    ge(_printed_mu, _rho * L),
    r"So $\tilde A$ is above $\rho\Sigma$ for all data.",
    given=_FEW,
    wrong={
        "twice": 2 * _rho * L,
        "four times the records": changed(hypotheses=[Hypothesis("more", le(n * _rho**2, 64 * v**2 * ell))]),
        "without the condition": without(),
    },
    remark="Then the test tests nothing and no sum reaches $n$. In dimension 22, with $2d$ as $R_c^2$, a level of one half and a probability of 1/100 this is so up to about a million records; at the smallest $n$ of the proposition the regularisation is $6LR_c^2$ and dwarfs the covariance.",
)

_g = page.nonnegative("g", "Delta_+ less the threshold of the test")
_accepted = named("P(g)", 1 - rejection(_g))

acceptance = page.elsewhere("replaces App. B.5, v2 (77)").correction(
    "beyond:ptr-acceptance",
    "The probability that the test accepts",
    both(eq(Derivative(_accepted, _g), epsilon / 2 * exp(-epsilon * _g)), eq(At(_accepted, _g, 0), Rational(1, 2))),
    r"$P(g)$ is the probability that the test accepts, with $\Delta_+$ at $g$ above the threshold.",
    wrong={
        "always": eq(Integer(0), epsilon / 2 * exp(-epsilon * _g)),
        "without the half": eq(Derivative(1 - 2 * rejection(_g), _g), epsilon / 2 * exp(-epsilon * _g)),
    },
    reading="The noise exceeds -g: half of its mass is above 0, and the rest of what is needed lies between -g and 0. Judged is the derivative in g, and the value at 0.",
    printed=r"P[\text{accept}] = \frac12 + \int_0^g\frac\varepsilon2e^{-\varepsilon z}\,dz = 1 - \frac12e^{-\varepsilon g}",
)

_miss = page.nonnegative("lambda_2", "$\\log(1/(2\\nu_2))$ for a probability $\\nu_2$ that the test rejects")
_event = page.real("p", "probability that the covariance is within mu_reg of its mean", lower=0, upper=1)
_accepts = page.real("a", "probability that the test accepts", lower=0, upper=1)
_fails = page.real("nu", "probability of failure of the event", lower=0, upper=1)
_terms = page.nonnegative("S", "sum of the terms on the smallest set, over n")

_ABOVE_THRESHOLD = epsilon * distance - log_delta
_SIZES = {rho_bar: (0, 1), **dict.fromkeys((epsilon, log_delta, _miss), (0, 4)), n: (1, 20), _terms: (1, 3)}
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


def _at_least(records: Expr) -> Edit:
    """Another number of records."""
    return instead(Hypothesis(_RECORDS_NEEDED.name, ge(n, records)))


_PRINTED_RECORDS = _at_least(v * log_delta / (2 * epsilon))
_NO_SHARE = _at_least(2 * v * log_delta / (rho_bar * epsilon))

above_threshold = page.elsewhere("replaces App. B.5, v2 (76) and (77)").inequality(
    "beyond:b5-above-the-threshold",
    "With enough records the statistic is above the threshold by a margin",
    ge(_ABOVE_THRESHOLD, _miss),
    r"So the statistic is above the threshold $\log(1/\delta)/\varepsilon$ by a margin of $\lambda_2/\varepsilon$.",
    given=(*_STATISTIC, _RECORDS_NEEDED),
    points=Chart(
        {**_SIZES, distance: (0, 1)},
        {
            v: n * rho_bar * epsilon / (2 * (log_delta + _miss + 1)),
            distance: _terms * (log_delta + _miss + 1) / epsilon * (1 + distance),
        },
    ),
    wrong={
        "the printed records": _PRINTED_RECORDS,
        "without rho-bar": _at_least(2 * v * (log_delta + _miss) / epsilon),
        "without a share for the noise": _NO_SHARE,
    },
    steps=(Step("How many records the sum takes.", "rgm:b5-count"),),
)

proposition = page.elsewhere("replaces Section 5.4, Proposition 3").correction(
    "beyond:b5-proposition-3",
    "Proposition 3, as it can be proved",
    ge(_accepts, 1 - _fails - exp(-_miss) / 2),
    r"The test accepts half of $\bar\rho$ with this probability.",
    given=(*_STATISTIC, _RECORDS_NEEDED, *_PROBABILITIES),
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
        {**_SIZES, **{_fails: (0, 1), _accepts: (0, 1)}},
        {
            v: n * rho_bar * epsilon / (2 * (log_delta + _miss)),
            distance: _terms * (log_delta + _miss) / epsilon,
            _event: 1 - _fails,
            _accepts: (1 - _fails) * (1 - exp(-_terms * (log_delta + _miss) + log_delta) / 2) * (1 - _accepts)
            + _accepts,
        },
    ),
    wrong={
        "the printed records": _PRINTED_RECORDS,
        "without a share for the noise": _NO_SHARE,
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
    reading=r"The last term is $\nu_2$. $\Delta_+$ is the least statistic on the event, S the sum of the terms on the set that makes it; the event needs at least $4\log(2d/\nu)/9$ records. Off the event nothing is assumed.",
    remark="It is about the test as printed, which accepts, but is not private (`beyond:ptr-statistic-jumps`).",
)

_p = page.nonnegative("P", latex=r"\|X\|^2")
_q = page.nonnegative("Q", latex=r"X^\top\Sigma^{-2}X")
_norm = page.nonnegative("N", latex=r"X^\top\Sigma^{-1}X")
_eigen = page.positive("lambda", "an eigenvalue")

_BETWEEN = (Hypothesis("at least the smallest", ge(_eigen, l_min)), Hypothesis("at most the largest", le(_eigen, L)))

kantorovich_point = page.elsewhere("App. B.5, v2 (78)").inequality(
    "beyond:b5-kantorovich-eigenvalue",
    "Kantorovich's inequality for one eigenvalue",
    le(_eigen + L * l_min / _eigen, L + l_min),
    given=_BETWEEN,
    points={_p: (0, None), _q: (0, None), _eigen: l_min + _p, L: l_min + _p + _q},
    wrong={"L": L, "any eigenvalue above": without(_BETWEEN[1]), "any eigenvalue below": without(_BETWEEN[0])},
)

_SUMMED = Hypothesis("summed over the eigenbasis", le(_p + L * l_min * _q, (L + l_min) * _norm))

kantorovich = page.elsewhere("App. B.5, v2 (78)", "P3.13b").inequality(
    "beyond:b5-kantorovich",
    "A quarter of the condition number, nearly",
    le(4 * L * l_min * _p * _q, (L + l_min) ** 2 * _norm**2),
    r"With the condition number of $\Sigma$, multiplied out.",
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
    printed=r"\|X\|^2X^\top\Sigma^{-2}X \le \frac{(1+\kappa_\Sigma)^2}{4\kappa_\Sigma}\left(X^\top\Sigma^{-1}X\right)^2",
)

_x1, _x2 = page.real("x_1", "component along the first eigenvector"), page.real("x_2", "along the second")
_maha = named(r"X^\top\Sigma^{-1}X", _x1**2 / L + _x2**2 / l_min)
_product = named(r"\|X\|^2", _x1**2 + _x2**2) * named(r"X^\top\Sigma^{-2}X", _x1**2 / L**2 + _x2**2 / l_min**2)
_SPREAD = (ORDERED, Hypothesis("spread", ge(L, 10 * l_min)), Hypothesis("a record", ge(_x1**2 + _x2**2, 1)))

kantorovich_attained = page.elsewhere("Section 5.4, after Proposition 3", "P3.13b").remark(
    "beyond:b5-kantorovich-attained",
    "The condition number is paid",
    ge(4 * L * l_min * _product, (L + l_min) ** 2 * _maha**2),
    "For some record, with a condition number of 10 or more.",
    exists=True,
    given=_SPREAD,
    by=(Search(), Smt()),
    points={_p: (0, 1), _x1: Integer(4), _x2: Integer(1), L: Integer(16), l_min: Integer(1)},
    wrong={"the whole condition number": ge(l_min * _product, L * _maha**2)},
)

_rx = page.nonnegative("s", "$\\sqrt{x/n}$, $x$ the logarithm of one over the probability")

concentration_on_the_line = page.elsewhere("replaces App. B.4, v1 (59), in dimension 1").correction(
    "beyond:b4-concentration-line",
    "Concentration of the variance of Gaussian data",
    ge(2 * _rx - log(1 + 2 * _rx + 2 * _rx**2), 0),
    "In dimension 1, for every n.",
    by=Monotone(_rx, Integer(0)),
    wrong={"half of the root": left(_rx - log(1 + _rx + 2 * _rx**2)), "sides swapped": turned()},
    steps=(Step("Chernoff.", "beyond:chi-square-chernoff"),),
    reading=r"$n\tilde A/\Sigma$ is chi-square with $n$ degrees of freedom; judged is that the logarithm of Chernoff's bound at $n(1+2s+2s^2)$ is at most $-x$. The deviation is linear in Sigma, and for few records linear in x.",
    remark=r"In $d$ dimensions $C|\Sigma|\max(\sqrt{x/n}, x/n)$ with $x = d_{\rm eff} + \log(1/\delta)$ is known (Koltchinskii and Lounici, quoted).",
    printed=r"P\left[\tilde A > \Sigma\left(1 + 2\sqrt{x/n} + 2x/n\right)\right] \le e^{-x}",
)

_c = page.positive("C", "the constant")

_root_at = _c + 2
_log_at = _root_at**2 - 2 - log(2)

no_constant = page.elsewhere("App. B.4, v1 (59)", "V1P1.4").remark(
    "beyond:b4-no-absolute-constant",
    "No absolute constant for few records",
    both(le((1 + _c * _root_at) / 2, _log_at), ge(_log_at, Rational(5, 4))),
    r"With $L$ for $L^2$, one record in the plane and the identity as $\Sigma$, every $C$ fails for some $\delta$.",
    by=Deduction((Premise("beyond:log-of-2"),)),
    wrong={
        "ten times the probability": le((1 + 10 * _c * _root_at) / 2, _log_at),
        "sides swapped": ge((1 + _c * _root_at) / 2, _log_at),
    },
    reading=r"$\delta$ is such that the root is $C+2$, and is below 1. The probability is at least $e^{-(1+C(C+2))/2}$, and its logarithm is compared with that of $\delta/2$; the sides differ.",
    printed=r"P\left[\|\tilde A-\Sigma\| > C\sqrt{2 + \ln 2 + \ln(2/\delta)}\right] > \frac\delta2",
)

_loss = page.nonnegative("e", "$\\sqrt{d/n} + \\sqrt{2\\log(2/\\delta)/n}$")
_along = page.nonnegative("m", "mean of $(z\\cdot X_i)^2$, for a vector z")
_in_sigma = page.nonnegative("sigma", latex=r"z^\top\Sigma z")
_length = page.nonnegative("W", latex=r"\|z\|^2")

_SINGULAR = Hypothesis(
    "the smallest singular value", Implies(le(_loss, 1), ge(_along, (1 - _loss) ** 2 * _in_sigma)), "on the event"
)
_LARGEST_OF_SIGMA = Hypothesis("the largest eigenvalue of Sigma", le(_in_sigma, L * _length))

above_sigma = page.elsewhere("replaces App. B.4, v1 (59)").correction(
    "beyond:b4-above-sigma",
    "A regularisation with which the covariance is above Sigma",
    ge(named(r"z^\top Az", _along + 2 * L * _loss * _length), _in_sigma),
    r"So $A$, with this regularisation, is above $\Sigma$ with probability at least $1 - \delta/2$, in every dimension.",
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
    reading=r"Along every vector z. $X_i$ is $\Sigma^{1/2}u_i$, and the $u_i$ are the rows of $G$; the event is that for $t$ at $\sqrt{2\log(2/\delta)}$.",
    printed=r"A = \frac1n\sum_iX_iX_i^\top + \mu_{\rm reg}I \succcurlyeq \Sigma \quad\text{with}\quad \mu_{\rm reg} = 2L\left(\sqrt{d/n} + \sqrt{2\log(2/\delta)/n}\right)",
)

_PARTS = (
    nonnegative("p", latex=r"\|A_0A^{-1}\nabla f\|"),
    nonnegative("q", latex=r"\|A_0'A^{-1}\nabla f\|"),
    nonnegative("w", "the absolute part"),
)
_pp, _qq, _ww = (x.symbol for x in _PARTS)
_nabla = page.nonnegative("G", latex=r"\|\nabla f\|")
_gap = page.nonnegative("D", latex=r"(n\|\nabla f-\nabla f'\|)")
_kappa = page.real("kappa", "condition number of Sigma", lower=1)
_Y = real("y", lower=Rational(2, 3), latex=r"\log(2n/\delta)")
_DIM = real("d", "dimension", lower=1)


_log2n = _Y.symbol
_dim = _DIM.symbol
_MAHA_X = nonnegative("m", latex=r"X^\top\Sigma^{-1}X")
_product_2 = page.nonnegative("z", latex=r"\|X\|^2X^\top A^{-2}X")
_maha_2 = _MAHA_X.symbol
_condition = named(r"\kappa_\Sigma", L / l_min)
_LEVEL_X = 6 * _dim * _log2n
_AT_GRADIENT = {_at_factor: _condition * _LEVEL_X**2, _at_nabla: _nabla}
_RELATIVE_NORM = Hypothesis("the relative norm", le(_product_2, _condition * _maha_2**2), by=("rgm:b5-relative-norm",))

square_of_level = page.elsewhere("Section 5.2, Proposition 1 of version 1").inequality(
    "beyond:b4-square-of-the-level",
    "A record below its level",
    le(_product_2, _condition * _LEVEL_X**2),
    given=(_RELATIVE_NORM, Hypothesis("the tail", le(_maha_2, _LEVEL_X), by=("rgm:b4-level",))),
    points={
        **{L: (0, 4), l_min: (0, 4), _dim: (1, 5), _log2n: (Rational(2, 3), 4)},
        **{_maha_2: _LEVEL_X, _product_2: _condition * _LEVEL_X**2},
    },
    over=(_MAHA_X, _DIM, _Y),
    wrong={"without the square": _condition * _LEVEL_X, "any record": without("the tail")},
)

_SHOWN = {"N": r"\|X\|^2", "a": r"X^\top A^{-1}X", "b": r"X^\top A^{-2}X", "m": r"X^\top\Sigma^{-1}X"}
_OF_X = tuple(nonnegative(f"{name}_x", latex=shown) for name, shown in _SHOWN.items())
_OF_Y = tuple(
    nonnegative(f"{name}_y", "of the other record", latex=shown.replace("X", "X'")) for name, shown in _SHOWN.items()
)
page.declare(*_OF_X, *_OF_Y)


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
    return le(_gap**2 / n**2, factor * _condition * (_dim / n) ** 2 * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2)


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
    "Something fails: the covariance, one of the n records, or the one that comes.",
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
    wrong={"the further record for nothing": _failure, "without the covariance": without(_UNION[1])},
    reading="The record that comes is drawn as the others are, independent of them or not.",
)

_PROBABLE = le(_missed, _failure * (1 + 1 / (2 * n)))

proposition_1 = page.elsewhere("replaces Section 5.2, Proposition 1").correction(
    "beyond:b4-proposition-1",
    "Proposition 1 of version 1, as it can be had",
    both(_bound(Integer(216)), _PROBABLE),
    "With the regularisation of `beyond:b4-above-sigma`: a relative sensitivity of Gaussian data and a replacement drawn alike, on an event, and the probability that something of it fails.",
    given=(*_RECORD_HELD, *_OTHER_HELD, _IN_PARTS, *_UNION),
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
        "any replacement": without("its replacement: its tail"),
        "the further record for nothing": le(_missed, _failure),
        "one factor d": le(
            _gap**2 / n**2, 216 * _condition * (_dim / n**2) * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2
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
    reading=r"For a pair of datasets that are both Gaussian samples, in this order; the other is the same with the other covariance and its gradient. The bound holds on the event that $A$ is above $\Sigma$ and all records are below their level; the second part is the probability of its complement.",
    remark="A guarantee for all neighbours needs clipping: this is Section 5.3.",
    printed=r"\eta^2 = 216\,\kappa_\Sigma\frac{d^2}{n^2}\log(2n/\delta)^2 \quad\text{with probability}\quad 1 - \delta\left(1 + \frac1{2n}\right)",
)
