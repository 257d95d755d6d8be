r"""Version 1, Proposition 3: the relative sensitivity of Gaussian data, records outside of an ellipsoid dropped.

$\eta^2$ is meant where $\eta$ is printed. With it the statement holds, with $n$ and not only with $n_c$: what counts is the sum over the records
inside, whose mean is $n\rho\Sigma$.
"""

from ... import looseness
from ...theorems import MATRIX_CHERNOFF
from ..gaussian_notation import *
from ..gaussian_releases import RECORD, kept_square, of_readings, of_tails
from ..notation import NOTATION, d, delta
from .v1_kept_records import omega, page as _v1_kept_records

page = Page("rgm-v1", "App. B.6", GAUSSIAN_NOTATION, NOTATION, _v1_kept_records)
_rho_on_the_line, _share_on_the_line = distribution(v, Integer(3)), distribution(v, Integer(1))
_in_a_million = named(r"\log(2/\delta)", log(2 * 10**6))

eta_printed = page.elsewhere("Section 5.3, Proposition 3", "V1P3.8").proposition(
    "rgm-v1:b6-sensitivity",
    "Proposition 3 of version 1: the relative sensitivity, as printed",
    le(
        named(r"\frac{R_c^2}{2n(R_c^2+\mu_{\rm reg})}", 1 / (2 * n * (1 + 4 * sqrt(_in_a_million / n)))),
        named(r"\eta", 6 * v**2 / (named(r"\rho", _rho_on_the_line) ** 2 * n**2)),
    ),
    r"For all data in dimension 1 of which some record is kept: at $\Sigma$ of 1 and $\delta$ of one in a million.",
    outputs=of_readings((Reading(_rho_on_the_line, kept_square(v), RECORD),), ({v: Integer(3), n: Integer(1000)},)),
    printed=r"\eta=\frac{6R_c^4\kappa}{\rho^2n^2}",
    given=(
        Hypothesis("enough records", ge(9 * n, 4 * _in_a_million)),
        Hypothesis(
            "some records are kept", gt(_share_on_the_line, sqrt(log(10**6) / (2 * n))), "the share omega is positive"
        ),
    ),
    points={v: (2, 6), n: (500, 2000)},
    instance="Dimension 1, with one probability of failure.",
    reading=r"The left side is a least relative sensitivity: of $k \le n$ records inside, the mean of whose squares is at least $R_c^2/2$, the largest is replaced by 0; otherwise the smallest by $R_c$. Then $A_C$, at most $R_c^2 + \mu_{\rm reg}$, moves by at least $R_c^2/(2k)$. As $\theta$ grows the absolute part no longer matters.",
    mistake=("misprint", "rgm:b6-sensitivity-corrected"),
    remark=r"$\eta^2$ is meant, as in version 2; with it the constant holds.",
)

_kappa = page.real("kappa", "condition number of Sigma", lower=1)
_sigma = page.positive("sigma", "z^T Sigma z for a vector z", latex=r"(z^\top\Sigma z)")
_goes = page.nonnegative("a", "(z . X)^2, of the record that goes", latex=r"(z\cdot X)^2")
_comes = page.nonnegative("b", "(z . X')^2, of the one that comes", latex=r"(z\cdot X')^2")
_all = page.nonnegative("c", "mean of (z . X_i)^2 over the n_c records inside", latex=r"z^\top A_Cz")
_rest_of_them = page.nonnegative("e", "that over the others; 0 where there are none", latex=r"z^\top A_C^-z")
_most = named(r"R_c^2z^\top\Sigma z/n_c", v * _sigma / n_c)
_one_comes = (n_c * _all + _comes) / (n_c + 1) - _all
_one_goes = ((n_c - 1) * _rest_of_them + _goes) / n_c - _rest_of_them


def _moves(*changes: Expr, most: Expr = _most) -> Formula:
    """Both signs of each change are at most `most`."""
    return both(*(le(side, most) for change in changes for side in (change, -change)))


change_of_mean = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-change-of-the-mean",
    "How far one record moves the kept covariance",
    _moves((_goes - _comes) / n_c, _one_comes, _one_goes),
    r"Whether one of $n_c$ records inside is replaced, or one more comes, or one goes: the kept covariances differ by at most $R_c^2\Sigma/n_c$, in both directions.",
    given=tuple(
        Hypothesis(
            f"{name} inside", le(value, v * _sigma), "Cauchy-Schwarz in the norm of Sigma, X^T Sigma^(-1) X <= R_c^2"
        )
        for name, value in (
            ("the one that goes is", _goes),
            ("the one that comes is", _comes),
            ("all are", _all),
            ("the others are", _rest_of_them),
        )
    ),
    points={_sigma: (0, 4), v: (0, 4), n_c: (1, 9)}
    | {s: (0, 1, s * v * _sigma) for s in (_goes, _comes, _all, _rest_of_them)},
    wrong={
        "half": _moves((_goes - _comes) / n_c, most=_most / 2),
        "a record outside": without("the one that comes is inside"),
        "over n_c + 1 where one goes": _moves(_one_goes, most=v * _sigma / (n_c + 1)),
    },
    reading="Along every vector z. The regularisation is the same in both and drops out; without any record the kept covariance is the regularisation.",
)

_log = page.nonnegative("y", "log(d/(2 delta))", latex=r"\log(d/(2\delta))")
_EPSILON = positive("e").symbol
_epsilon = named(r"\epsilon", sqrt(2 * v * _log / (n * rho)))
_sum = page.nonnegative("s", "least of the sum of u u^T over the records inside, u = Sigma^(-1/2) X", latex=r"s")
_below = sqrt(2 * n * rho * v * _log)


def _kept(bound: Expr, below: Expr) -> Formula:
    """The exponent of matrix Chernoff at epsilon, and how far below its mean the sum is then."""
    return both(
        eq(At(_EPSILON**2 * n * rho / bound, _EPSILON, _epsilon), _log),
        eq(At((1 - _EPSILON) * n * rho, _EPSILON, _epsilon), n * rho - below),
    )


kept_sum = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").identity(
    "beyond:b6-kept-sum",
    "The sum over the records inside",
    _kept(2 * v, _below),
    r"With probability at least $1 - 2\delta$ the sum is above $(1-\epsilon)n\rho\Sigma$, however many records are inside.",
    by=(Identity(), Smt()),
    wrong={"without the half": _kept(v, _below), "half of the deviation": _kept(2 * v, _below / 2)},
    steps=(
        MATRIX_CHERNOFF.quoted(
            r"A probability of at most $d\,e^{-\log(d/(2\delta))}$, which is $2\delta$; for $\epsilon \ge 1$ there is nothing to show.",
            "The records are drawn independently of each other.",
            r"$uu^\top$ has the eigenvalues $|u|^2 \le R_c^2$ and 0 for a record inside, and 0 stands for the others.",
            "rgm:b6-mean-corrected",
        ),
        Step("The mean of a summand.", "rgm:b6-mean-corrected"),
    ),
    reading=r"In units of $\Sigma$; $\rho$ is that of v1 (70), which holds the probability of being inside.",
)

_failure = page.positive("lambda_0", "log(1/delta)", latex=r"\log(1/\delta)")
_least = page.nonnegative(
    "K", "n_c times the largest number with the kept covariance above its multiple of Sigma", latex="K"
)
_deviation = page.nonnegative("r", "the deviation of the sum", latex="r")
_root = page.nonnegative("x", "sqrt(log(2d/delta)/n)", latex=r"\sqrt{\ell/n}")
_BY_SUM = Hypothesis(
    "above the sum and the regularisation",
    ge(_least, _sum - v + 4 * v * n_c * _root),
    "A_C at the data, less R_c^2 Sigma/n_c at the neighbour; mu_reg is at least 4 R_c^2 sqrt(l/n) Sigma",
    ("beyond:b6-change-of-the-mean", "beyond:b6-level"),
)
_LARGE_SUM = Hypothesis("the sum", ge(_sum, n * rho - _deviation), "the event", ("beyond:b6-kept-sum",))
_AS_MANY = Hypothesis(
    "as many are kept", ge(4 * n_c, n * _root), "the event", ("beyond:b6-enough-by-share", "beyond:b6-enough-by-number")
)
_IN_LETTERS = (
    Hypothesis("r", eq(_deviation**2, 2 * n * rho * v * _log)),
    Hypothesis("x", eq(n * _root**2, ell)),
    Hypothesis("the two logarithms", le(_log, ell - 1), "they differ by log 4", ("beyond:log-of-2",)),
)

# How many records are kept: by their share, and by multiplicative deviations where the share is small.
_SHARE = Hypothesis("the share", ge(4 * omega, _root), "omega >= sqrt(log(2d/delta)/n)/4")
by_share = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-enough-by-share",
    "Enough records are kept where the share is large",
    ge(4 * n_c, n * _root),
    given=(Hypothesis("as many are kept", ge(n_c, n * omega), "the event", ("rgm:b6-hoeffding",)), _SHARE),
    by=Smt(),
    points={_root: (0, 1), omega: (0, 1, Max(_root / 4, omega)), n: (1, 9), n_c: (1, 99)},
    wrong={"twice as many": ge(2 * n_c, n * _root), "any share": without(_SHARE)},
)

_inside = page.positive("m", "mean of the number of records inside", latex="np")
_spread = page.positive("b", "deviation of that number", latex=r"\sqrt{2np\log(1/\delta)}")
_FEW = named(r"\epsilon", sqrt(2 * _failure / _inside))
kept_number = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").identity(
    "beyond:b6-kept-number",
    "The number of records inside, by its mean",
    both(
        eq(At(_EPSILON**2 * _inside / 2, _EPSILON, _FEW), _failure),
        eq(At((1 - _EPSILON) * _inside, _EPSILON, _FEW), _inside - sqrt(2 * _inside * _failure)),
    ),
    r"With probability at least $1 - \delta$ the number is above this: a deviation in proportion to the root of the mean, where Hoeffding's is in proportion to $\sqrt n$.",
    by=(Identity(), Smt()),
    wrong={
        "half of the deviation": eq(
            At((1 - _EPSILON) * _inside, _EPSILON, _FEW), _inside - sqrt(2 * _inside * _failure) / 2
        ),
        "without the half": eq(At(_EPSILON**2 * _inside, _EPSILON, _FEW), _failure),
    },
    steps=MATRIX_CHERNOFF.quoted(
        r"A probability of at most $e^{-\log(1/\delta)}$; for $\epsilon \ge 1$ there is nothing to show.",
        "Records are drawn independently; matrices of size 1.",
        "An indicator is 0 or 1.",
        "The mean number is $np$.",
    ),
)

_SPREAD = Hypothesis("its square", eq(_spread**2, 2 * _inside * _failure))
_BY_MEAN = Hypothesis("as many as the mean says", ge(n_c, _inside - _spread), "the event", ("beyond:b6-kept-number",))
_SOME = Hypothesis("the share is positive", ge(2 * _inside**2, n * _failure), "omega > 0: p > sqrt(log(1/delta)/(2n))")
_MANY = Hypothesis("many records", ge(n, 400 * _failure), "n >= 400 log(1/delta)")
_SMALL_DELTA = Hypothesis("a small delta", ge(8 * _failure, 3 * ell), "delta^5 <= 1/(2d)^3")
_ALL_ROOT = Hypothesis("x", eq(n * _root**2, ell))
by_number = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-enough-by-number",
    "Enough records are kept at every positive share, for a small delta and many records",
    ge(4 * n_c, n * _root),
    given=(_BY_MEAN, _SPREAD, _SOME, _MANY, _SMALL_DELTA, _ALL_ROOT),
    points={
        n: (100, 900),
        _inside: (1, 3, _inside * n / 20),
        _spread: (0, 1, 9 * _spread * _inside * n / 1000),
        _failure: 81 * _spread**2 * _inside * n / 100_000,
        _root: (0, 1, 23 * _root * _spread / 500),
        ell: n * (23 * _root * _spread / 500) ** 2,
        n_c: (10, 140),
    },
    wrong={"twice as many": ge(2 * n_c, n * _root), "any delta": without(_SMALL_DELTA), "any share": without(_SOME)},
    reading=r"$\log(1/\delta) \ge \frac38\log(2d/\delta)$ is $\delta^5 \le (2d)^{-3}$.",
)

_HALF = Rational(1, 2)
_at_root = _HALF + _root * (4 * n_c / n - _HALF)
_at_log = _log * (n * _at_root**2 - 1)
_at_v = _deviation**2 / (2 * n * rho * _at_log)

level = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-level-by-the-sum",
    "The level of the kept covariance times the number kept",
    ge(_least, n * rho / 2),
    given=(_BY_SUM, _LARGE_SUM, _AS_MANY, *_IN_LETTERS),
    points={
        (rho, _deviation): (0, 4),
        n_c: (2, 4),
        n: (4, 9),
        _root: (0, 1, _at_root),
        ell: n * _at_root**2,
        _log: (Rational(1, 10), 1, _at_log),
        v: _at_v,
        _sum: Max(0, n * rho - _deviation),
        _least: Max(0, n * rho - _deviation) - _at_v + 4 * _at_v * n_c * _at_root,
    },
    wrong={"all of it": n * rho, "any number": without(_AS_MANY), "the sum for nothing": without(_LARGE_SUM)},
    reading=r"At the data and at every neighbour. By the squares of $\sqrt{n\rho/2}$ and $\sqrt{R_c^2\log(d/(2\delta))}$.",
)

_moved = page.nonnegative("p", "|(A_C' - A_C) A_C^(-1) g|, g the gradient")
_g2 = page.nonnegative("G", "|g|^2", latex=r"\|\nabla f\|^2")
_rest = page.nonnegative("w", "distance of the two gradients at the minimiser")
_holds = page.real("P", "probability", lower=0, upper=1, latex=r"P(\text{relative sensitivity})")
_few = page.real("f", "probability that fewer are kept than the event asks for", lower=0, upper=1)
_small = page.real("g", "probability that the sum is smaller", lower=0, upper=1)
_RELATIVE = Hypothesis(
    "the relative part",
    le(_least**2 * _moved**2, _kappa * v**2 * _g2),
    "the change is at most R_c^2 Sigma/n_c",
    by=("beyond:b6-change-of-the-mean", "beyond:ridge-relative-part"),
)
_LEVEL = Hypothesis("the level", ge(_least, n * rho / 2), "on the event", by=("beyond:b6-level-by-the-sum",))
_PROBABLE = (
    Hypothesis("the event fails in two ways", ge(_holds, 1 - _few - _small)),
    Hypothesis("few", le(_few, delta), "Hoeffding, or Chernoff", ("rgm:b6-hoeffding", "beyond:b6-kept-number")),
    Hypothesis("a small sum", le(_small, 2 * delta), "matrix Chernoff", ("beyond:b6-kept-sum",)),
)
_left = named(r"\|\nabla f-\nabla f'\|^2", (_moved + _rest) ** 2)
_absolute = named(r"R_{rel}^2", 3 * _rest**2)


def _sensitive(eta2: Expr) -> Formula:
    """Relative sensitivity with the constant, and its probability."""
    return both(le(_left, named(r"\eta^2", eta2) * _g2 + _absolute), ge(_holds, 1 - 3 * delta))


eta_corrected = page.elsewhere("Section 5.3, Proposition 3").correction(
    "rgm:b6-sensitivity-corrected",
    "Proposition 3 of version 1: the relative sensitivity",
    _sensitive(6 * _kappa * v**2 / (rho**2 * n**2)),
    r"Records outside dropped, where $\omega > 0$ and, besides, $\omega \ge \frac14\sqrt{\log(2d/\delta)/n}$ or both $n \ge 400\log(1/\delta)$ and $\delta^5 \le (2d)^{-3}$: for every neighbour and in both orders, with the printed regularisation and $\rho$ and with probability at least $1 - 3\delta$.",
    printed=r"\eta^2=\frac{6R_c^4\kappa}{\rho^2n^2}",
    outputs="matrices of any size; the events are bounded by quoted theorems",
    given=(_RELATIVE, _LEVEL, *_PROBABLE),
    points={
        (v, rho, _rest, _g2): (0, 3),
        (n, _kappa): (1, 9),
        _least: n * rho / 2,
        _moved: 2 * v * sqrt(_kappa * _g2) / (rho * n),
        delta: (0, Rational(1, 3)),
        _few: (0, 1, _few * delta),
        _small: 2 * delta,
        _holds: 1 - 2 * delta - _few * delta,
    },
    wrong={
        "5 for 6": _sensitive(5 * _kappa * v**2 / (rho**2 * n**2)),
        "without the condition number": _sensitive(6 * v**2 / (rho**2 * n**2)),
        "any level": without(_LEVEL),
        "2 delta": ge(_holds, 1 - 2 * delta),
    },
    steps=(
        Step("The change of the kept covariance.", "beyond:b6-change-of-the-mean"),
        Step("The relative part.", "beyond:ridge-relative-part"),
        Step("The sum over the records inside.", "beyond:b6-kept-sum"),
        Step("How many are kept, where the share is large,", "beyond:b6-enough-by-share"),
        Step("and where it is small.", "beyond:b6-enough-by-number"),
        Step("The level on the event.", "beyond:b6-level-by-the-sum"),
    ),
    reading=r"$g$ is the gradient at the data or at the neighbour, and $R_{rel}^2$ three times the squared distance of the gradients at its minimiser, as in (10). $\omega$ is that of the proof, $p - \sqrt{\log(1/\delta)/(2n)}$, and $\delta \le \frac13$. A neighbour has one record replaced, inside or outside.",
    remark=r"$n_c$ is not needed in the place of $n$, since $\rho$ holds the probability of being inside. Smaller positive shares are not decided for fewer records or a larger $\delta$: at $\delta = 10^{-5}$ these are fewer than 4606 records, in up to $10^8$ dimensions.",
)

comparison = page.elsewhere("Section 5.3, after Proposition 3", "V1P3.9").remark(
    "rgm:b6-comparison",
    "Clipping replaces the logarithm by a constant",
    le(named(r"\eta^2", 6 * _kappa * (2 * d) ** 2 / (rho**2 * n**2)), 150 * _kappa * d**2 / n**2),
    r"There is no logarithm, where Proposition 1 has $216\,\kappa(d/n)^2\log(2n/\delta)^2$.",
    given=Hypothesis("rho", ge(rho, Rational(2, 5))),
    wrong={"100 for 150": 100 * _kappa * d**2 / n**2, "without rho": without()},
    remark="The regularisation keeps its log(2d/delta), and all records are taken to be kept.",
    tightness=Tightness(
        Rational(25, 4) * looseness.x**2,
        {looseness.x: (Rational(2, 5), 1)},
        r"the bound over what it bounds, by $x = \rho$",
    ),
)

_least = page.positive("s", "square of the smallest record, in dimension 1")
_rho_line = distribution(v, Integer(3))

adversarial = page.elsewhere("Section 5.3, Proposition 3", source="beyond").remark(
    "rgm-v1:proposition-3-subset",
    "Proposition 3 of version 1 for any subset",
    ge(named(r"P[X^2 > s]", erfc(sqrt(_least / 2))) ** n, 1 - 3 * delta),
    "$I_C$ is the smallest record alone, in dimension 1.",
    outputs=of_tails(
        {erfc(sqrt(_least / 2)): (_least, 1)},
        {v: Rational(3, 2), _least: Rational(1, 20), delta: Rational(1, 10), n: Integer(20000)},
    ),
    given=Hypothesis(
        "small regularisation", gt(_rho_line, _least + named(r"\mu_{\rm reg}", 4 * v * sqrt(log(2 / delta) / n)))
    ),
    points={v: (1, 2), _least: (0, Rational(1, 10)), delta: (Rational(1, 100), Rational(1, 5)), n: (10000, 100000)},
    instance=r"Dimension 1 with $\Sigma = 1$.",
    reading=r"$I_C \subset$ taken at its word, which is a misprint (`rgm-v1:b6-subset`). $A_C \ge \rho$ implies $X^2 > s$ for every record if $s + \mu_{\rm reg} < \rho$, of probability $P[\chi^2_1 > s]^n$.",
    mistake=("missing hypothesis", "rgm:b6-covariance"),
)
