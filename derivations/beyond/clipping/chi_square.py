"""Chi-square tails and means, for Gaussian features: exponential moments, Chernoff's bound, and how near rho-bar is to 1."""

from ...rgm.gaussian_notation import *
from ...rgm.gaussian_releases import norm_above
from ...theorems import MARKOV

page = Page("beyond", "", GAUSSIAN_NOTATION)
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
_chernoff = (_x / _k * exp(1 - _x / _k)) ** (_k / 2)

chernoff = page.elsewhere("replaces App. B.4, v1 (61)").correction(
    "beyond:chi-square-chernoff",
    "Chernoff's bound on the tail of chi-square",
    eq(exp(-(1 - _k / _x) / 2 * _x) * (_k / _x) ** (-_k / 2), _chernoff),
    r"The left side is the mean of $e^{s(\chi^2_d - x)}$ at the best $s$, half of $1-d/x$, which bounds the probability that $\chi^2_d$ exceeds $x$.",
    outputs=of_bounds(
        (Bound(norm_above(_x, _k), _chernoff),), ({_x: Integer(5), _k: Integer(2)}, {_x: Integer(3), _k: Integer(3)})
    ),
    given=Hypothesis("not below the mean", ge(_x, _k), "s = (1 - d/x)/2 >= 0"),
    over=(_LEVEL,),
    wrong={"power d": _chernoff**2, "without the 1": (_x / _k * exp(-_x / _k)) ** (_k / 2)},
    steps=(
        MARKOV.quoted(
            "$P[\\chi^2_d > x] \\le \\mathbb E e^{s(\\chi^2_d - x)}$.",
            "Exponentials are positive; $s \\ge 0$, as $x \\ge d$.",
        ),
        Step("Exponential moments.", "beyond:chi-square-moments"),
    ),
    printed=r"P[\chi^2_d > x] \le \left(\frac xde^{1-x/d}\right)^{d/2}",
)

close_at_six = page.elsewhere("App. B.5, after v2 (74)").inequality(
    "beyond:b5-close-to-1-at-6",
    "The bound on 1 - rho-bar in dimension 6",
    le(log(Rational(20, 3)) + 3 * log(2), 4),
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
