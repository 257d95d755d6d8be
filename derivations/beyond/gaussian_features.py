"""Gaussian features, beyond the paper: what holds instead, and constants that can be had from the same proofs."""

from sympy import Derivative, Expr, Integer, Max, Min, Rational, exp, log, sqrt

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Implies,
    Mutant,
    Step,
    Variable,
    both,
    eq,
    ge,
    le,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses import Deduction, Identity, Monotone, Premise, Search, Smt

from .. import looseness
from ..rgm.gaussian_notation import (
    DISTANCE,
    EPSILON,
    LARGEST,
    LOG_DELTA,
    LOGARITHM,
    MAHALANOBIS,
    ORDERED,
    PROPOSED,
    RECORDS,
    RHO_BAR,
    SMALLEST,
    THRESHOLD,
    L,
    clipped_mean,
    density,
    distance,
    ell,
    epsilon,
    l_min,
    log_delta,
    n,
    rejection,
    rho_bar,
    v,
)
from ..theorems import GAUSSIAN_SINGULAR_VALUES, MARKOV, MATRIX_BERNSTEIN, SPECTRAL, TOWER
from ..worlds import acceptance as acceptance_worlds
from ..worlds import order as order_worlds

#: Variables of other files' claims, as premises name them.
_exponent, _tangent_at, _tangent_to = (real(name).symbol for name in ("x", "a", "b"))
_relative_norm = tuple(nonnegative(name).symbol for name in ("N", "a_1", "a_2"))
_at_point, _at_other, _at_rest, _at_gap = (nonnegative(name).symbol for name in ("alpha", "beta", "w", "D"))
_at_factor, _at_nabla, _at_norm, _at_twice = (
    positive("K").symbol,
    *(nonnegative(name).symbol for name in ("G", "X", "U")),
)

_DEGREES = positive("d", "dimension, or any positive number")
_k = _DEGREES.symbol
_POINT = positive("y", "a point")
_point = _POINT.symbol

chi_square_mean = Claim(
    id="beyond:chi-square-mean",
    refs=("V1P3.9",),
    title="The mean of chi-square is the dimension",
    source="beyond",
    where="App. B.5, after v2 (74)",
    kind="identity",
    statement=r"$y$ times the density of $\chi^2_d$ is $d$ times the density of $\chi^2_{d+2}$, so that $\mathbb E\chi^2_d = d$.",
    variables=(_DEGREES, _POINT),
    conclusion=eq(_point * density(_point, _k), _k * density(_point, _k + 2)),
    checks=(Identity(),),
    mutants=(
        Mutant("2d", eq(_point * density(_point, _k), 2 * _k * density(_point, _k + 2))),
        Mutant("one degree more", eq(_point * density(_point, _k), _k * density(_point, _k + 1))),
    ),
)

close_to_one = Claim(
    id="beyond:b5-close-to-1-exact",
    title="rho-bar at R_c^2 = 2d for small dimensions",
    source="beyond",
    where="replaces App. B.5, after v2 (74)",
    kind="correction",
    statement=r"At $R_c^2 = 2d$ the factor $\bar\rho$ is below $9/10$ for $d = 1, 2$ and above it for $d = 3, \dots, 12$.",
    conclusion=both(
        *(le(clipped_mean(Integer(2 * k), Integer(k)), Rational(9, 10)) for k in (1, 2)),
        *(ge(clipped_mean(Integer(2 * k), Integer(k)), Rational(9, 10)) for k in range(3, 13)),
    ),
    remark=r"It increases with $R_c$. For larger $d$, `beyond:b5-close-to-1-large` bounds the distance from 1.",
    mutants=(
        Mutant("from d = 2", ge(clipped_mean(Integer(4), Integer(2)), Rational(9, 10))),
        Mutant("99 percent from d = 3", ge(clipped_mean(Integer(6), Integer(3)), Rational(99, 100))),
    ),
)

_X = positive("x", "a positive number")
_x = _X.symbol

log_below_line = Claim(
    id="beyond:log-below-line",
    title="The logarithm lies below its tangent at 1",
    source="beyond",
    where="App. B.5, after v2 (74)",
    kind="inequality",
    statement=r"$\log x \le x - 1$; so $y - v \le 4e^{(y-v)/4-1}$, at $x = (y-v)/4$.",
    variables=(_X,),
    conclusion=le(log(_x), _x - 1),
    checks=(Monotone(_x, Integer(1)),),
    mutants=(
        Mutant("2x - 2", le(log(_x), 2 * _x - 2)),
        Mutant("sides swapped", ge(log(_x), _x - 1)),
        Mutant("half", le(log(_x), (_x - 1) / 2)),
    ),
)

_W = positive("w", "1 - 2s", upper=1)
_w = _W.symbol

moment_generating = Claim(
    id="beyond:chi-square-moments",
    title="The exponential moments of chi-square",
    source="beyond",
    where="App. B.4, v1 (61)",
    kind="identity",
    statement=r"With $w = 1-2s$: $e^{sy}$ times the density at $y$ is $w^{-d/2}$ times the density of $\chi^2_d/w$, so that $\mathbb E e^{s\chi^2_d} = (1-2s)^{-d/2}$.",
    variables=(_DEGREES, _POINT, _W),
    conclusion=eq(exp((1 - _w) / 2 * _point) * density(_point, _k), _w ** (-_k / 2) * _w * density(_w * _point, _k)),
    checks=(Identity(),),
    mutants=(
        Mutant(
            "(1 - 2s)^(-d)",
            eq(exp((1 - _w) / 2 * _point) * density(_point, _k), _w ** (-_k) * _w * density(_w * _point, _k)),
        ),
        Mutant(
            "s for s/2",
            eq(exp((1 - _w) * _point) * density(_point, _k), _w ** (-_k / 2) * _w * density(_w * _point, _k)),
        ),
    ),
)

_LEVEL = positive("x", "level of the tail")
_NOT_BELOW_MEAN = Hypothesis("not below the mean", ge(_x, _k), "s = (1 - d/x)/2 >= 0")
_chernoff = (_x / _k * exp(1 - _x / _k)) ** (_k / 2)

chernoff = Claim(
    id="beyond:chi-square-chernoff",
    title="Chernoff's bound on the tail of chi-square",
    source="beyond",
    where="replaces App. B.4, v1 (61)",
    kind="correction",
    statement=r"For $x \ge d$, $\mathbb E e^{s(\chi^2_d - x)}$ at $s = (1-d/x)/2 \ge 0$ is $((x/d)e^{1-x/d})^{d/2}$, which bounds $P[\chi^2_d > x]$.",
    variables=(_DEGREES, _LEVEL),
    hypotheses=(_NOT_BELOW_MEAN,),
    conclusion=eq(exp(-(1 - _k / _x) / 2 * _x) * (_k / _x) ** (-_k / 2), _chernoff),
    checks=(Identity(),),
    derivation=(
        Step(
            "$P[\\chi^2_d > x] \\le \\mathbb E e^{s(\\chi^2_d - x)}$.",
            theorem=MARKOV,
            met={"nonnegative": "Exponentials are positive; $s \\ge 0$, as $x \\ge d$."},
        ),
        Step("Exponential moments.", "beyond:chi-square-moments"),
    ),
    mutants=(
        Mutant("power d", eq(exp(-(1 - _k / _x) / 2 * _x) * (_k / _x) ** (-_k / 2), _chernoff**2)),
        Mutant(
            "without the 1",
            eq(exp(-(1 - _k / _x) / 2 * _x) * (_k / _x) ** (-_k / 2), (_x / _k * exp(-_x / _k)) ** (_k / 2)),
        ),
    ),
)

_at_six = log(Rational(20, 3)) + 3 * log(2)
close_at_six = Claim(
    id="beyond:b5-close-to-1-at-6",
    title="The bound on 1 - rho-bar in dimension 6",
    source="beyond",
    where="App. B.5, after v2 (74)",
    kind="inequality",
    statement=r"$\log\frac{20}3 + 3\log 2 \le 4$.",
    conclusion=le(_at_six, 4),
    mutants=(Mutant("3.9", le(_at_six, Rational(39, 10))), Mutant("sides swapped", ge(_at_six, 4))),
)

_LARGE = real("d", "dimension", lower=6)
_large = _LARGE.symbol

close_large = Claim(
    id="beyond:b5-close-to-1-large",
    title="rho-bar is close to 1 in many dimensions",
    source="beyond",
    where="replaces App. B.5, after v2 (74)",
    kind="correction",
    statement=r"For $R_c^2 \ge 2d$, $1 - \bar\rho \le \frac4{ed}(2/e)^{d/2}$, which is at most $1/10$ for $d \ge 6$.",
    variables=(_LARGE,),
    conclusion=le(log(40 / _large) + _large / 2 * (log(2) - 1), 1),
    reading=(
        r"$d(1-\bar\rho) = \mathbb E(\chi^2_d - R_c^2)_+ \le 4\,\mathbb E e^{(\chi^2_d-R_c^2)/4-1} = \frac4e2^{d/2}e^{-R_c^2/4}$, by `beyond:log-below-line` and "
        r"`beyond:chi-square-moments` at $s = \frac14$. Judged is the logarithm of ten times the bound."
    ),
    checks=(Monotone(_large, Integer(6), premises=(Premise("beyond:b5-close-to-1-at-6"), Premise("beyond:log-of-2"))),),
    derivation=(
        Step("Below the tangent.", "beyond:log-below-line"),
        Step("Exponential moments.", "beyond:chi-square-moments"),
        Step("Dimension 6.", "beyond:b5-close-to-1-at-6"),
    ),
    mutants=(
        Mutant("a hundredth", le(log(400 / _large) + _large / 2 * (log(2) - 1), 1)),
        Mutant("sides swapped", ge(log(40 / _large) + _large / 2 * (log(2) - 1), 1)),
    ),
)

_log_of_2 = both(ge(log(2), Rational(2, 3)), le(log(2), Rational(7, 10)), le(log(4), Rational(5, 3)))
log_of_2 = Claim(
    id="beyond:log-of-2",
    title="Rational bounds on log 2",
    source="beyond",
    where="App. B.4, v1 (62)",
    kind="inequality",
    statement=r"$\frac23 \le \log 2 \le \frac7{10}$ and $\log 4 \le \frac53$.",
    conclusion=_log_of_2,
    mutants=(Mutant("at least 7/10", ge(log(2), Rational(7, 10))), Mutant("log 4 at most 1", le(log(4), 1))),
)

_SUMMAND = nonnegative("e_1", "w^T E[S] w, |w| = 1")
_SQUARE = nonnegative("e_2", "w^T E[S^2] w, |w| = 1")
_e1, _e2 = _SUMMAND.symbol, _SQUARE.symbol
_BERNSTEIN = (
    Hypothesis("S^2 is at most |S| S", le(_e2, v * L / n * _e1), "S has rank one and norm at most R_c^2 L/n"),
    Hypothesis("mean of a summand", le(_e1, rho_bar * L / n), "E S = rho-bar Sigma/n"),
)

smaller_variance = Claim(
    id="beyond:b5-variance",
    title="A variance smaller by the factor 4 R_c^2/rho-bar",
    source="beyond",
    where="App. B.5, v2 (70)",
    kind="inequality",
    statement=r"$|\sum_i \mathbb E(S_i - \mathbb E S_i)^2| \le \bar\rho R_c^2L^2/n$, in place of $4R_c^4L^2/n$.",
    variables=(_SUMMAND, _SQUARE, THRESHOLD, LARGEST, RECORDS, RHO_BAR),
    hypotheses=_BERNSTEIN,
    conclusion=le(n * _e2, rho_bar * v * L**2 / n),
    checks=(Smt(),),
    mutants=(
        Mutant("R_c^2 left out", le(n * _e2, rho_bar * L**2 / n)),
        Mutant("half", le(n * _e2, rho_bar * v * L**2 / (2 * n))),
        Mutant("without the mean", hypotheses=_BERNSTEIN[:1]),
    ),
)

_ROOT = nonnegative("x", "sqrt(log(2d/nu)/n)")
_STANDARD = nonnegative("r", "sqrt(2 rho-bar) R_c")
_root, _standard = _ROOT.symbol, _STANDARD.symbol
_smaller = L * (_standard * _root + Rational(2, 3) * v * _root**2)
_IS_ROOT = Hypothesis("r", eq(_standard**2, 2 * rho_bar * v))
_SMALL_THRESHOLD = Hypothesis("rho-bar at most R_c^2", le(rho_bar, v), "rho-bar <= R_c^2/d")
_RANGE = Hypothesis("enough records", le(_root, Rational(3, 2)), "n >= 4 log(2d/nu)/9")

smaller_regularisation = Claim(
    id="beyond:b5-smaller-regularisation",
    title="Less regularisation does",
    source="beyond",
    where="App. B.5, v2 (69)",
    kind="inequality",
    statement=(
        r"$\mu_{\rm reg} = L(R_c\sqrt{2\bar\rho\ell/n} + \frac23R_c^2\ell/n)$, $\ell = \log(2d/\nu)$, makes Bernstein's exponent at least $\ell$ for every $n$, "
        r"and is at most the printed $4LR_c^2\sqrt{\ell/n}$ where that is defined."
    ),
    variables=(_ROOT, _STANDARD, THRESHOLD, LARGEST, RECORDS, RHO_BAR),
    hypotheses=(_IS_ROOT, _SMALL_THRESHOLD, _RANGE),
    conclusion=both(
        ge(_smaller**2 / 2, n * _root**2 * (rho_bar * v * L**2 / n + v * L / n * _smaller / 3)),
        le(_smaller, 4 * L * v * _root),
    ),
    reading=r"With $x = \sqrt{\ell/n}$, Bernstein's exponent is multiplied out. For $R_c^2 = 2d$ and large $n$ the gain is the factor $\sqrt{8R_c^2/\bar\rho} \approx 4\sqrt d$.",
    checks=(Smt(),),
    derivation=(
        Step("The variance.", "beyond:b5-variance"),
        Step(
            r"The deviation exceeds $\mu_{\rm reg}$ with probability at most $2d\,e^{-\ell} = \nu$.",
            theorem=MATRIX_BERNSTEIN,
            met={"independent": "The records are.", "bounded": "rgm:b5-summand", "variance": "beyond:b5-variance"},
        ),
    ),
    sampling=Chart(
        {_root: (0, Rational(3, 2)), rho_bar: (0, 1), _standard: (0, 10), L: (0, None), n: (1, 1000)},
        {v: _standard**2 / (2 * rho_bar)},
    ),
    mutants=(
        Mutant(
            "r without the linear term",
            ge(
                (L * _standard * _root) ** 2 / 2,
                n * _root**2 * (rho_bar * v * L**2 / n + v * L / n * (L * _standard * _root) / 3),
            ),
        ),
        Mutant("2 for 4", le(_smaller, 2 * L * v * _root)),
    ),
)

_PROPOSAL = positive("rho", "the proposed lower bound")
_rho = _PROPOSAL.symbol
_printed_mu = 4 * L * v * sqrt(ell / n)
_FEW = Hypothesis("few records", le(n * _rho**2, 16 * v**2 * ell), "n <= 16 R_c^4 log(2d/nu)/rho^2")

regularisation_alone = Claim(
    id="beyond:b5-regularisation-alone",
    title="The printed regularisation may exceed what is tested",
    source="beyond",
    where="Section 5.4, Proposition 3",
    kind="inequality",
    statement=r"For $n \le 16R_c^4\log(2d/\nu)/\rho^2$ the printed $\mu_{\rm reg}$ is at least $\rho L$, so that $\tilde A \succcurlyeq \rho\Sigma$ for all data.",
    variables=(_PROPOSAL, THRESHOLD, LARGEST, LOGARITHM, RECORDS),
    hypotheses=(_FEW,),
    conclusion=ge(_printed_mu, _rho * L),
    remark=(
        r"Then the test tests nothing and no sum reaches $n$. With $d = 22$, $R_c^2 = 2d$, $\rho = \frac12$ and $\nu = 1/100$ this is so up to about a million records; "
        r"at the smallest $n$ of the proposition $\mu_{\rm reg} = 6LR_c^2$ dwarfs the covariance."
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("twice", ge(_printed_mu, 2 * _rho * L)),
        Mutant("four times the records", hypotheses=(Hypothesis("more", le(n * _rho**2, 64 * v**2 * ell)),)),
        Mutant("without the condition", hypotheses=()),
    ),
)

_GAP = nonnegative("g", "Delta_+ less the threshold of the test")
_g = _GAP.symbol

acceptance = Claim(
    id="beyond:ptr-acceptance",
    title="The probability that the test accepts",
    source="beyond",
    where="replaces App. B.5, v2 (77)",
    kind="correction",
    statement=r"With $\Delta_+$ at $g \ge 0$ above the threshold the test accepts with probability $\frac12 + \int_0^g\frac\varepsilon2e^{-\varepsilon z}dz = 1 - \frac12e^{-\varepsilon g}$.",
    variables=(_GAP, EPSILON),
    conclusion=both(
        eq(Derivative(1 - rejection(_g), _g), epsilon / 2 * exp(-epsilon * _g)),
        eq(At(1 - rejection(_g), _g, 0), Rational(1, 2)),
    ),
    reading=(
        "The noise exceeds -g: half of its mass is above 0, and the rest of what is needed lies between -g and 0. Judged is the derivative in g; both sides "
        "are 1/2 at g = 0."
    ),
    checks=(Identity(),),
    mutants=(
        Mutant("always", eq(Integer(0), epsilon / 2 * exp(-epsilon * _g))),
        Mutant("without the half", eq(Derivative(1 - 2 * rejection(_g), _g), epsilon / 2 * exp(-epsilon * _g))),
    ),
)

_MISS = nonnegative("lambda_2", "log(1/(2 nu_2)) for a probability nu_2 that the test rejects")
_EVENT = real("p", "probability that the covariance is within mu_reg of its mean", lower=0, upper=1)
_ACCEPTS = real("a", "probability that the test accepts", lower=0, upper=1)
_FAILS = real("nu", "probability of failure of the event", lower=0, upper=1)
_TERMS = nonnegative("S", "sum of the terms on the smallest set, over n")
_miss, _event, _accepts, _fails, _terms = (x.symbol for x in (_MISS, _EVENT, _ACCEPTS, _FAILS, _TERMS))
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


above_threshold = Claim(
    id="beyond:b5-above-the-threshold",
    title="With enough records the statistic is above the threshold by a margin",
    source="beyond",
    where="replaces App. B.5, v2 (76) and (77)",
    kind="inequality",
    statement=(
        r"For $n \ge 2R_c^2(\log\frac1\delta + \lambda_2)/(\bar\rho\varepsilon)$, $\Delta_+ \ge \frac{n\bar\rho}{2R_c^2}$ makes "
        r"$\varepsilon\Delta_+ - \log\frac1\delta \ge \lambda_2$."
    ),
    variables=(DISTANCE, _TERMS, RECORDS, THRESHOLD, RHO_BAR, EPSILON, LOG_DELTA, _MISS),
    hypotheses=(*_STATISTIC, _RECORDS_NEEDED),
    conclusion=ge(_ABOVE_THRESHOLD, _miss),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "the printed records",
            hypotheses=(*_STATISTIC, Hypothesis("printed", ge(n, v * log_delta / (2 * epsilon)))),
        ),
        Mutant(
            "without rho-bar",
            hypotheses=(*_STATISTIC, Hypothesis("records", ge(n, 2 * v * (log_delta + _miss) / epsilon))),
        ),
        Mutant(
            "without a share for the noise",
            hypotheses=(*_STATISTIC, Hypothesis("records", ge(n, 2 * v * log_delta / (rho_bar * epsilon)))),
        ),
    ),
    sampling=Chart(
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
    derivation=(Step("How many records the sum takes.", "rgm:b5-count"),),
)

proposition = Claim(
    id="beyond:b5-proposition-3",
    title="Proposition 3, as it can be proved",
    source="beyond",
    where="replaces Section 5.4, Proposition 3",
    kind="correction",
    statement=(
        r"For $n \ge 2R_c^2(\log\frac1\delta + \log\frac1{2\nu_2})/(\bar\rho\varepsilon)$ and $n \ge 4\log(2d/\nu)/9$ the test accepts $\rho = \bar\rho/2$ with probability at "
        r"least $1 - \nu - \nu_2$."
    ),
    variables=(
        DISTANCE,
        _TERMS,
        RECORDS,
        THRESHOLD,
        RHO_BAR,
        EPSILON,
        LOG_DELTA,
        _MISS,
        _EVENT,
        _ACCEPTS,
        _FAILS,
    ),
    hypotheses=_with_records(_RECORDS_NEEDED),
    conclusion=ge(_accepts, 1 - _fails - exp(-_miss) / 2),
    reading=(
        r"$\nu_2 = \frac12e^{-\lambda_2}$. D is the least statistic on the event, S the sum of the terms on the set that makes it; $n \ge 4\log(2d/\nu)/9$ is what the event needs. "
        r"Off the event nothing is assumed."
    ),
    remark="It is about the test as printed, which accepts, but is not private (`beyond:ptr-statistic-jumps`).",
    checks=(
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
    sampling=Chart(
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
    derivation=(
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
    mutants=(
        Mutant(
            "the printed records",
            hypotheses=_with_records(Hypothesis("printed", ge(n, v * log_delta / (2 * epsilon)))),
        ),
        Mutant(
            "without a share for the noise",
            hypotheses=_with_records(Hypothesis("records", ge(n, 2 * v * log_delta / (rho_bar * epsilon)))),
        ),
        Mutant("without nu", ge(_accepts, 1 - exp(-_miss) / 2)),
    ),
)

_FIRST = nonnegative("P", "w^T Sigma w for w = Sigma^(-1/2) X")
_SECOND = nonnegative("Q", "w^T Sigma^(-1) w")
_NORM = nonnegative("N", "|w|^2 = X^T Sigma^(-1) X")
_p, _q, _norm = _FIRST.symbol, _SECOND.symbol, _NORM.symbol
_EIGEN = positive("lambda", "an eigenvalue")
_eigen = _EIGEN.symbol
_BETWEEN = (Hypothesis("at least the smallest", ge(_eigen, l_min)), Hypothesis("at most the largest", le(_eigen, L)))

kantorovich_point = Claim(
    id="beyond:b5-kantorovich-eigenvalue",
    title="Kantorovich's inequality for one eigenvalue",
    source="beyond",
    where="App. B.5, v2 (78)",
    kind="inequality",
    statement=r"$\lambda + Ll/\lambda \le L + l$ for $l \le \lambda \le L$.",
    variables=(_EIGEN, LARGEST, SMALLEST),
    hypotheses=_BETWEEN,
    conclusion=le(_eigen + L * l_min / _eigen, L + l_min),
    checks=(Smt(),),
    sampling=Chart({l_min: (0, None), _p: (0, None), _q: (0, None)}, {_eigen: l_min + _p, L: l_min + _p + _q}),
    mutants=(
        Mutant("L", le(_eigen + L * l_min / _eigen, L)),
        Mutant("any eigenvalue above", hypotheses=_BETWEEN[:1]),
        Mutant("any eigenvalue below", hypotheses=_BETWEEN[1:]),
    ),
)

_SUMMED = Hypothesis("summed over the eigenbasis", le(_p + L * l_min * _q, (L + l_min) * _norm))

kantorovich = Claim(
    id="beyond:b5-kantorovich",
    refs=("P3.13b",),
    title="A quarter of the condition number, nearly",
    source="beyond",
    where="App. B.5, v2 (78)",
    kind="inequality",
    statement=r"$|X|^2X^\top\Sigma^{-2}X \le \frac{(1+\kappa_\Sigma)^2}{4\kappa_\Sigma}(X^\top\Sigma^{-1}X)^2$.",
    variables=(_FIRST, _SECOND, _NORM, LARGEST, SMALLEST),
    hypotheses=(_SUMMED,),
    conclusion=le(4 * L * l_min * _p * _q, (L + l_min) ** 2 * _norm**2),
    remark=r"It replaces $\kappa_\Sigma$, which is up to 4 times as large, in $\eta^2$; `beyond:b5-kantorovich-attained` shows that no less will do.",
    checks=(
        Smt(),
        order_worlds.KANTOROVICH.mapped(order_worlds.of_condition, _p, _q, _norm, L, l_min),
    ),
    derivation=(
        Step(
            "The inequality of each eigenvalue is added up over the eigenbasis.",
            theorem=SPECTRAL,
            met={"symmetric": "It is a covariance."},
        ),
        Step("One eigenvalue.", "beyond:b5-kantorovich-eigenvalue"),
    ),
    tightness=looseness.KANTOROVICH,
    mutants=(
        Mutant("half", le(8 * L * l_min * _p * _q, (L + l_min) ** 2 * _norm**2)),
        Mutant("4 L l", le(_p * _q, _norm**2)),
        Mutant("without the sum", hypotheses=()),
    ),
)

_COMPONENTS = (real("x_1", "component along the first eigenvector"), real("x_2", "component along the second"))
_x1, _x2 = (c.symbol for c in _COMPONENTS)
_maha = _x1**2 / L + _x2**2 / l_min
_product = (_x1**2 + _x2**2) * (_x1**2 / L**2 + _x2**2 / l_min**2)
_SPREAD = (ORDERED, Hypothesis("spread", ge(L, 10 * l_min)), Hypothesis("a record", ge(_x1**2 + _x2**2, 1)))

kantorovich_attained = Claim(
    id="beyond:b5-kantorovich-attained",
    refs=("P3.13b",),
    title="The condition number is paid",
    source="beyond",
    where="Section 5.4, after Proposition 3",
    kind="remark",
    statement=r"Some record has $|X|^2X^\top\Sigma^{-2}X = \frac{(1+\kappa)^2}{4\kappa}(X^\top\Sigma^{-1}X)^2$, with $\kappa_\Sigma \ge 10$.",
    variables=(*_COMPONENTS, LARGEST, SMALLEST),
    hypotheses=_SPREAD,
    conclusion=ge(4 * L * l_min * _product, (L + l_min) ** 2 * _maha**2),
    quantifier="exists",
    checks=(Search(), Smt()),
    sampling=Chart({_p: (0, 1)}, {_x1: Integer(4), _x2: Integer(1), L: Integer(16), l_min: Integer(1)}),
    mutants=(Mutant("the whole condition number", ge(l_min * _product, L * _maha**2)),),
)

_ROOT_X = nonnegative("s", "sqrt(x/n), x = log(1/probability)")
_rx = _ROOT_X.symbol

concentration_on_the_line = Claim(
    id="beyond:b4-concentration-line",
    title="Concentration of the variance of Gaussian data",
    source="beyond",
    where="replaces App. B.4, v1 (59), in dimension 1",
    kind="correction",
    statement=r"In dimension 1, $P(\tilde A > \Sigma(1 + 2\sqrt{x/n} + 2x/n)) \le e^{-x}$, for every $n$.",
    variables=(_ROOT_X,),
    conclusion=ge(2 * _rx - log(1 + 2 * _rx + 2 * _rx**2), 0),
    reading=(
        r"$n\tilde A/\Sigma$ is chi-square with $n$ degrees of freedom; Chernoff's bound at $n(1+2s+2s^2)$ is $e^{-x}$ or less exactly if $2s + 2s^2 - \log(1+2s+2s^2) \ge 2s^2$. "
        "The deviation is linear in Sigma, and for few records linear in x."
    ),
    remark=r"In $d$ dimensions $C|\Sigma|\max(\sqrt{x/n}, x/n)$ with $x = d_{\rm eff} + \log(1/\delta)$ is known (Koltchinskii and Lounici, quoted).",
    checks=(Monotone(_rx, Integer(0)),),
    derivation=(Step("Chernoff.", "beyond:chi-square-chernoff"),),
    mutants=(
        Mutant("half of the root", ge(_rx - log(1 + _rx + 2 * _rx**2), 0)),
        Mutant("sides swapped", le(2 * _rx - log(1 + 2 * _rx + 2 * _rx**2), 0)),
    ),
)

_C = positive("C", "the constant")
_c = _C.symbol
_root_at = _c + 2
_log_at = _root_at**2 - 2 - log(2)

no_constant = Claim(
    id="beyond:b4-no-absolute-constant",
    refs=("V1P1.4",),
    title="No absolute constant for few records",
    source="beyond",
    where="App. B.4, v1 (59)",
    kind="remark",
    statement=r"With $L$ for $L^2$, one record in the plane, $\Sigma = I$: for every $C$ some $\delta$ has $P(|\tilde A-\Sigma| > C\sqrt{2 + \ln 2 + \ln(2/\delta)}) > \delta/2$.",
    variables=(_C,),
    conclusion=both(le((1 + _c * _root_at) / 2, _log_at), ge(_log_at, Rational(5, 4))),
    reading=(
        r"$\delta$ with $2 + \ln 2 + \ln(2/\delta) = (C+2)^2$, which is below 1. The probability is at least $e^{-(1+C(C+2))/2}$, and its logarithm is compared with that of $\delta/2$; "
        "the sides differ."
    ),
    checks=(Deduction((Premise("beyond:log-of-2"),)),),
    mutants=(
        Mutant("ten times the probability", le((1 + 10 * _c * _root_at) / 2, _log_at)),
        Mutant("sides swapped", ge((1 + _c * _root_at) / 2, _log_at)),
    ),
)

_LOSS = nonnegative("e", "sqrt(d/n) + sqrt(2 log(2/delta)/n)")
_ALONG = nonnegative("m", "mean of (z . X_i)^2, for a vector z")
_IN_SIGMA, _LENGTH = nonnegative("sigma", "z^T Sigma z"), nonnegative("W", "|z|^2")
_loss, _along, _in_sigma, _length = (x.symbol for x in (_LOSS, _ALONG, _IN_SIGMA, _LENGTH))
_SINGULAR = Hypothesis(
    "the smallest singular value", Implies(le(_loss, 1), ge(_along, (1 - _loss) ** 2 * _in_sigma)), "on the event"
)
_LARGEST_OF_SIGMA = Hypothesis("the largest eigenvalue of Sigma", le(_in_sigma, L * _length))

above_sigma = Claim(
    id="beyond:b4-above-sigma",
    title="A regularisation with which the covariance is above Sigma",
    source="beyond",
    where="replaces App. B.4, v1 (59)",
    kind="correction",
    statement=(
        r"With $\mu_{\rm reg} = 2L(\sqrt{d/n} + \sqrt{2\log(2/\delta)/n})$, $A = \frac1n\sum X_iX_i^\top + \mu_{\rm reg}I \succcurlyeq \Sigma$ with probability at least $1 - \delta/2$, in every dimension."
    ),
    variables=(_LOSS, _ALONG, _IN_SIGMA, _LENGTH, LARGEST),
    hypotheses=(_SINGULAR, _LARGEST_OF_SIGMA),
    conclusion=ge(_along + 2 * L * _loss * _length, _in_sigma),
    reading=r"Along every vector z. $X_i = \Sigma^{1/2}u_i$, and the $u_i$ are the rows of $G$; the event has $t = \sqrt{2\log(2/\delta)}$.",
    checks=(Smt(),),
    sampling=Chart(
        {_loss: (0, 2), _length: (0, 3), L: (0, 3), _in_sigma: (0, 1)},
        {_in_sigma: _in_sigma * L * _length, _along: Max(0, 1 - _loss) ** 2 * _in_sigma * L * _length},
    ),
    derivation=(
        Step(
            r"$\frac1n\sum u_iu_i^\top \succcurlyeq (1 - \sqrt{d/n} - t/\sqrt n)^2I$ with probability at least $1 - e^{-t^2/2}$, where the root is not negative.",
            theorem=GAUSSIAN_SINGULAR_VALUES,
            met={"gaussian": "Records are independent, and $\\Sigma^{-1/2}X_i$ is standard."},
        ),
    ),
    mutants=(
        Mutant("half of the regularisation", ge(_along + L * _loss * _length, _in_sigma)),
        Mutant("any records", hypotheses=(_LARGEST_OF_SIGMA,)),
        Mutant("any spectrum", hypotheses=(_SINGULAR,)),
    ),
)

_PARTS = (
    nonnegative("p", "|A_0 A^(-1) g|"),
    nonnegative("q", "|A_0' A^(-1) g|"),
    nonnegative("w", "the absolute part"),
)
_pp, _qq, _ww = (x.symbol for x in _PARTS)
_GRADIENT = nonnegative("G", "|g|")
_GAP_OF_GRADIENTS = nonnegative("D", "n times the distance of the two gradients")
_KAPPA = real("kappa", "condition number of Sigma", lower=1)
_Y = real("y", "log(2n/delta)", lower=Rational(2, 3))
_DIM = real("d", "dimension", lower=1)
_nabla, _gap, _kappa, _log2n, _dim = (x.symbol for x in (_GRADIENT, _GAP_OF_GRADIENTS, _KAPPA, _Y, _DIM))
_MAHA_X = nonnegative("m", "X^T Sigma^(-1) X")
_PRODUCT = nonnegative("z", "|X|^2 X^T A^(-2) X")
_maha_2, _product_2 = _MAHA_X.symbol, _PRODUCT.symbol
_AT_GRADIENT = {_at_factor: (L / l_min) * (6 * _dim * _log2n) ** 2, _at_nabla: _nabla}

square_of_level = Claim(
    id="beyond:b4-square-of-the-level",
    title="A record below its level",
    source="beyond",
    where="Section 5.2, Proposition 1 of version 1",
    kind="inequality",
    statement=r"$X^\top\Sigma^{-1}X \le 6d\log(2n/\delta)$ gives $|X|^2X^\top A^{-2}X \le \kappa_\Sigma(6d\log(2n/\delta))^2$.",
    variables=(_MAHA_X, _PRODUCT, LARGEST, SMALLEST, _DIM, _Y),
    hypotheses=(
        Hypothesis("the relative norm", le(_product_2, L / l_min * _maha_2**2), by=("rgm:b5-relative-norm",)),
        Hypothesis("the tail", le(_maha_2, 6 * _dim * _log2n), by=("rgm:b4-level",)),
    ),
    conclusion=le(_product_2, (L / l_min) * (6 * _dim * _log2n) ** 2),
    checks=(Smt(),),
    sampling=Chart(
        {L: (0, 4), l_min: (0, 4), _dim: (1, 5), _log2n: (Rational(2, 3), 4)},
        {_maha_2: 6 * _dim * _log2n, _product_2: (L / l_min) * (6 * _dim * _log2n) ** 2},
    ),
    mutants=(
        Mutant("without the square", le(_product_2, (L / l_min) * (6 * _dim * _log2n))),
        Mutant("any record", hypotheses=(Hypothesis("the relative norm", le(_product_2, L / l_min * _maha_2**2)),)),
    ),
)

_LEVEL_X = 6 * _dim * _log2n
_NORM_X, _ONCE_X, _TWICE_X = (
    nonnegative("N_x", "$|X|^2$"),
    nonnegative("a_x", "X^T A^(-1) X"),
    nonnegative("b_x", "X^T A^(-2) X"),
)
_OF_X = (_NORM_X, _ONCE_X, _TWICE_X, nonnegative("m_x", "X^T Sigma^(-1) X"))
_OF_Y = tuple(nonnegative(x.symbol.name.replace("_x", "_y"), f"{x.meaning} of the other record") for x in _OF_X)


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
_COVARIANCE = nonnegative("f", "probability that A is not above Sigma")
_MISSED = nonnegative("P", "probability that something fails")
_one, _covariance, _missed = (x.symbol for x in (_ONE_RECORD, _COVARIANCE, _MISSED))
_FAILURE_V1 = positive("delta", "probability of failure", upper=1)
_failure = _FAILURE_V1.symbol
_UNION = (
    Hypothesis("the union bound", le(_missed, _covariance + (n + 1) * _one), by=("rgm:b4-union",)),
    Hypothesis("the covariance", le(_covariance, _failure / 2), "replaces v1 (59)", ("beyond:b4-above-sigma",)),
    Hypothesis("one record", le(_one, _failure / (2 * n)), "v1 (62)", ("rgm:b4-level",)),
)

all_records = Claim(
    id="beyond:b4-all-records",
    title="All records of both datasets at once",
    source="beyond",
    where="replaces App. B.4, after v1 (62)",
    kind="correction",
    statement=(
        r"If $A \succcurlyeq \Sigma$ fails with probability $\delta/2$ at most, it fails or one of the n records and the one that comes is beyond its level with "
        r"probability at most $\delta(1 + \frac1{2n})$."
    ),
    variables=(_MISSED, _COVARIANCE, _ONE_RECORD, _FAILURE_V1, RECORDS),
    hypotheses=_UNION,
    conclusion=le(_missed, _failure * (1 + 1 / (2 * n))),
    reading="The record that comes is drawn as the others are, independent of them or not.",
    checks=(Smt(),),
    sampling=Chart(
        {_failure: (0, 1), n: (1, 30), _covariance: (0, 1), _one: (0, 1)},
        {
            _covariance: _failure / 2 * _covariance,
            _one: _failure / (2 * n) * _one,
            _missed: _failure / 2 * _covariance + (n + 1) * _failure / (2 * n) * _one,
        },
    ),
    mutants=(
        Mutant("the further record for nothing", le(_missed, _failure)),
        Mutant("without the covariance", hypotheses=(_UNION[0], _UNION[2])),
    ),
)

_HELD = (*_RECORD_HELD, *_OTHER_HELD, _IN_PARTS)
_PROBABLE = le(_missed, _failure * (1 + 1 / (2 * n)))

proposition_1 = Claim(
    id="beyond:b4-proposition-1",
    title="Proposition 1 of version 1, as it can be had",
    source="beyond",
    where="replaces Section 5.2, Proposition 1",
    kind="correction",
    statement=(
        r"With the $\mu_{\rm reg}$ of `beyond:b4-above-sigma`, $\eta^2 = 216\,\kappa_\Sigma(d/n)^2\log(2n/\delta)^2$ is a relative sensitivity of Gaussian data and a replacement drawn alike, "
        r"with probability at least $1 - \delta(1 + \frac1{2n})$."
    ),
    variables=(
        *(*_OF_X, *_OF_Y, LARGEST, SMALLEST, *_PARTS, _GAP_OF_GRADIENTS, _GRADIENT, _DIM, _Y, RECORDS),
        *(_MISSED, _COVARIANCE, _ONE_RECORD, _FAILURE_V1),
    ),
    hypotheses=(*_HELD, *_UNION),
    conclusion=both(_bound(Integer(216)), _PROBABLE),
    reading=(
        r"For a pair of datasets that are both Gaussian samples, in this order; the other is the same with the other covariance and its gradient. The bound holds on the event that $A \succcurlyeq \Sigma$ and all records "
        r"have $X^\top\Sigma^{-1}X \le 6d\log(2n/\delta)$, and the second part is the probability of its complement."
    ),
    remark="A guarantee for all neighbours needs clipping: this is Section 5.3.",
    checks=(
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
    sampling=Chart(
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
    derivation=(
        Step("The level.", "rgm:b4-level"),
        Step("All records at once.", "beyond:b4-all-records"),
        Step(r"$A \succcurlyeq \Sigma$ with high probability.", "beyond:b4-above-sigma"),
        Step("The relative norm, at rho = 1.", "rgm:b5-relative-norm"),
        Step("At the gradient.", "beyond:contribution-at-the-gradient"),
        Step("The parts put together.", "beyond:proposition-1-from-the-points"),
    ),
    mutants=(
        Mutant("10 for 216", _bound(Integer(10))),
        Mutant(
            "any replacement",
            hypotheses=(*_RECORD_HELD, *(h for h in _OTHER_HELD if "tail" not in h.name), _IN_PARTS, *_UNION),
        ),
        Mutant("the further record for nothing", le(_missed, _failure)),
        Mutant(
            "one factor d",
            le(_gap**2 / n**2, 216 * (L / l_min) * (_dim / n**2) * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2),
        ),
    ),
)
