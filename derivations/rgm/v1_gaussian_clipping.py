r"""Version 1, Proposition 3 and Appendix B.6: Gaussian data, records outside of an ellipsoid dropped.

The means are conditional ones, which the printed integrals are not; the deviations are those of $n_c$ records, not of $n$. The lower
bound stands all the same: where the regularisation alone does not give it, many records are kept.
"""

from collections.abc import Callable

from sympy import Expr, Integer, Max, Min, Rational, erf, erfc, exp, log, sqrt
from sympy import gamma as gamma_function

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Implies,
    Mutant,
    Step,
    both,
    chain,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.formula import Formula
from rgm_verify.lenses import Deduction, Identity, Premise, Smt

from .. import looseness
from ..theorems import FUNDAMENTAL, HOEFFDING, INDUCTION, MATRIX_BERNSTEIN, TOWER
from .gaussian_notation import (
    DEVIATION,
    KEPT,
    LARGEST,
    LOGARITHM,
    PROPOSED,
    RECORDS,
    THRESHOLD,
    L,
    bernstein,
    density,
    distribution,
    ell,
    n,
    n_c,
    rho,
    t,
    v,
)
from .notation import DELTA, DIMENSION, d, delta

_V1 = "rgm-v1"
_B6 = "App. B.6"
_SHARE = positive("p", "probability that a record is kept", upper=1)
_p = _SHARE.symbol
_INSIDE = nonnegative("k", "number of records in I_C")
_ALL = nonnegative("j", "number of records inside of the ellipsoid")
_OMEGA = positive("omega", "share that is kept", upper=1)
_k, _j, _omega = (x.symbol for x in (_INSIDE, _ALL, _OMEGA))
_ENOUGH_INSIDE = Hypothesis("inside", ge(_j, _omega * n))

subset = Claim(
    id="rgm-v1:b6-subset",
    refs=("V1P3.1",),
    title="A subset of the records inside",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="definition",
    statement=r"If at least $\omega n$ records are inside of the ellipsoid, every $I_C$ that is a subset of them has $|I_C| \ge \omega n$.",
    variables=(_INSIDE, _ALL, _OMEGA, RECORDS),
    hypotheses=(Hypothesis("subset", le(_k, _j)), _ENOUGH_INSIDE),
    conclusion=ge(_k, _omega * n),
    category="misprint",
    corrected="rgm:b6-equality",
    remark="The empty set is a subset. The proof takes all records inside, and needs to: a choice that looks at the data spoils the independence too.",
)

equality = Claim(
    id="rgm:b6-equality",
    title="All records inside",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="correction",
    statement=r"For $I_C = \{i : X_i^\top\Sigma^{-1}X_i \le R_c^2\}$ the bound on the number inside is one on $|I_C|$.",
    variables=(_INSIDE, _ALL, _OMEGA, RECORDS),
    hypotheses=(Hypothesis("all of them", eq(_k, _j)), _ENOUGH_INSIDE),
    conclusion=ge(_k, _omega * n),
    checks=(Smt(),),
    sampling=Chart({_omega: (0, 1), n: (1, 100), t: (0, None)}, {_j: _omega * n + t, _k: _omega * n + t}),
    mutants=(
        Mutant("a subset", hypotheses=(Hypothesis("subset", le(_k, _j)), _ENOUGH_INSIDE)),
        Mutant("twice", ge(_k, 2 * _omega * n)),
    ),
)

_kept_line = erf(sqrt(v / 2))
_S_PART = positive("z", "R_c, or R_c n").symbol


def _per_kept(root: Expr) -> Expr:
    """About how many records there are for one that is inside of a small ellipsoid, in dimension 1."""
    return 1 / (Rational(4, 5) * root)


omega_printed = Claim(
    id="rgm-v1:b6-omega",
    refs=("V1P3.2",),
    title="The share of the records that is kept, as printed",
    scope="instance",
    missing="Four records in dimension 1.",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="proposition",
    statement=r"Of 4 records in dimension 1, fewer than $\omega n$, $\omega = p - \sqrt{\log(1/\delta)}/(2n)$, are kept with probability at most $3\delta$.",
    reading=r"Where $\omega n > 1$, so that 0 or 1 record is too few: $(1-p)^4 + 4p(1-p)^3$ with $p = P[\chi^2_1 \le R_c^2]$.",
    variables=(THRESHOLD, DELTA),
    hypotheses=(
        Hypothesis("two are needed", gt(4 * _kept_line - sqrt(log(1 / delta)) / 2, 1)),
        Hypothesis("enough records", ge(4, 4 * log(2 / delta) / 9)),
    ),
    conclusion=le((1 - _kept_line) ** 4 + 4 * _kept_line * (1 - _kept_line) ** 3, 3 * delta),
    sampling=Chart({v: (Rational(1, 3), Rational(3, 5)), delta: (Rational(1, 50), Rational(1, 5))}, {}),
    category="misprint",
    corrected="rgm:b6-hoeffding",
    remark=r"The proof has $\sqrt{\log(1/\delta)/(2n)}$, of the order of $1/\sqrt n$ as it must be.",
)

_LOG = nonnegative("x", "log(1/delta)")
_log = _LOG.symbol
_hoeffding = n * _p - sqrt(n * _log / 2)
hoeffding = Claim(
    id="rgm:b6-hoeffding",
    title="The share of the records that is kept",
    source=_V1,
    where=_B6 + ", step 1",
    kind="correction",
    statement=r"At $k = np - \sqrt{n\log(1/\delta)/2}$ Hoeffding's $e^{-2n(p-k/n)^2}$ is $\delta$: with probability at least $1-\delta$, $|I_c| \ge k = \omega n$.",
    variables=(_SHARE, _LOG, RECORDS),
    conclusion=eq(2 * n * (_p - _hoeffding / n) ** 2, _log),
    derivation=(
        Step(
            "The bound on the probability.",
            theorem=HOEFFDING,
            met={"independent": "The records are drawn independently.", "bounded": "An indicator is 0 or 1."},
        ),
    ),
    reading=r"In logarithms; $\omega = p - \sqrt{\log(1/\delta)/(2n)}$, and $P(|I_c| \le k) \le e^{-2n(p-k/n)^2}$ for $k \le np$.",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("the printed omega", eq(2 * n * (sqrt(_log) / (2 * n)) ** 2, _log)),
        Mutant("n for 2n", eq(n * (_p - _hoeffding / n) ** 2, _log)),
    ),
)

_EVEN = Hypothesis("one record is needed", gt(_kept_line - sqrt(log(1 / delta) / 2), 0))
with_probability = Claim(
    id="rgm-v1:b6-with-probability-delta",
    refs=("V1P3.3a", "V1P3.3d"),
    title="With probability delta, as printed",
    scope="instance",
    missing="One record.",
    source=_V1,
    where=_B6 + ", plan, item 1, and step 1",
    kind="remark",
    statement=r"For one record in dimension 1, $P(|I_c| \ge k) \le \delta$ at $k = p - \sqrt{\log(1/\delta)/2}$.",
    variables=(THRESHOLD, DELTA),
    hypotheses=(_EVEN,),
    conclusion=le(_kept_line, delta),
    reading=r"Where $0 < k \le 1$: the record is kept with the probability $p = P[\chi^2_1 \le R_c^2]$.",
    sampling=Chart({v: (2, 6), delta: (Rational(1, 5), 1)}, {}),
    category="misprint",
    corrected="rgm:b6-hoeffding",
    remark=r"$1-\delta$ is meant, and at least.",
)

_BETWEEN_0_AND_1 = positive("p", "probability that a record is kept", upper=1, upper_open=True)
_COUNT, _OUTSIDE = natural("i", "number of records inside"), natural("j", "number of records outside")
_count, _outside = _COUNT.symbol, _OUTSIDE.symbol


def _binomial(inside: Expr, outside: Expr) -> Expr:
    """The binomial probability that so many records are inside and so many are not."""
    ways = gamma_function(inside + outside + 1) / (gamma_function(inside + 1) * gamma_function(outside + 1))
    return ways * _p**inside * (1 - _p) ** outside


def _one_more(share: Expr, probability: Callable[[Expr, Expr], Expr]) -> Formula:
    """The law of no record, and that of one more: the last record is inside, or it is not."""
    law = probability(_count, _outside)
    last_inside, last_outside = (
        share * probability(_count - 1, _outside),
        (1 - share) * probability(_count, _outside - 1),
    )
    return both(
        eq(At(At(law, _count, 0), _outside, 0), 1),
        eq(last_inside + last_outside, law),
        eq(At(last_inside, _outside, 0), At(law, _outside, 0)),
        eq(At(last_outside, _count, 0), At(law, _count, 0)),
    )


counting = Claim(
    id="rgm:b6-binomial",
    refs=("V1P3.3b",),
    title="The number of records inside is binomial",
    source=_V1,
    where=_B6 + ", step 1",
    kind="remark",
    statement=(
        r"$P(|I_c| = i) = \binom nip^i(1-p)^{n-i}$ with $p = P[\chi^2_d \le R_c^2]$: so it is for no record, and the last of $n$ records is inside with probability $p$, independently of the others."
    ),
    variables=(_BETWEEN_0_AND_1, _COUNT, _OUTSIDE),
    conclusion=_one_more(_p, _binomial),
    reading=r"For $I_c$ all records inside; $n = i + j$. The last two equations are those where all records are inside, and where none is.",
    checks=(Identity(),),
    derivation=(
        Step("The law of the quadratic form.", "rgm:b4-whitening"),
        Step("It is chi-square.", "rgm:b5-shells"),
        Step(
            "One record after the other.",
            theorem=INDUCTION,
            met={"start": "The first equation.", "step": "The other equations."},
        ),
    ),
    mutants=(
        Mutant("half of the share", _one_more(_p / 2, _binomial)),
        Mutant("no multiplicities", _one_more(_p, lambda inside, outside: _p**inside * (1 - _p) ** outside)),
        Mutant(
            "arrangements",
            _one_more(_p, lambda inside, outside: _binomial(inside, outside) * gamma_function(inside + outside + 1)),
        ),
    ),
)

complement = Claim(
    id="rgm-v1:b6-complement",
    refs=("V1P3.3c",),
    title="Hoeffding's inequality without its condition",
    scope="instance",
    missing="One record and $k = 1$.",
    source=_V1,
    where=_B6 + ", step 1",
    kind="inequality",
    statement=r"For one record and $k = 1$: $P(|I_c| \ge 1) = 1 - P(|I_c| \le 1)$, and $P(|I_c| \ge 1) \ge 1 - e^{-2(p-1)^2}$.",
    variables=(_SHARE,),
    conclusion=both(eq(_p, 1 - Integer(1)), ge(_p, 1 - exp(-2 * (_p - 1) ** 2))),
    category="missing hypothesis",
    corrected="rgm:b6-hoeffding",
    remark=r"The complement is $|I_c| < k$, and the bound needs $k \le np$; $k$ is below $np$ where it is used.",
)

_bound = 2 * v * L / n_c
_VARIANCE = nonnegative("e", "E of the squared norm of S_k - E S_k")
_e = _VARIANCE.symbol
_KEPT_FEWER = Hypothesis("kept", le(n_c, n))
_EACH = Hypothesis("each summand", le(_e, _bound**2), "v1 (66), first relation")

_fourth_line = 3 * distribution(v, Integer(5)) / distribution(v, Integer(1))
_variance_line = _fourth_line - (distribution(v, Integer(3)) / distribution(v, Integer(1))) ** 2
variance_printed = Claim(
    id="rgm-v1:b6-variance",
    refs=("V1P3.5d",),
    title="The sum of the variances over n, as printed",
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$.",
    source=_V1,
    where=_B6 + ", v1 (66)",
    kind="inequality",
    statement=(
        r"In dimension 1 with $\Sigma = 1$ the $n_c$ variances of $X_i^2/n_c$, given that $X_i^2 \le R_c^2$, add up to at most $4R_c^4/n$, "
        r"where $n_c$ is the expected number of records inside, rounded up."
    ),
    variables=(THRESHOLD, KEPT, RECORDS),
    hypotheses=(
        Hypothesis("as many as expected", both(ge(n_c, _kept_line * n), lt(n_c, _kept_line * n + 1))),
        Hypothesis("no more than there are", le(n_c, n)),
    ),
    conclusion=le(_variance_line / n_c, 4 * v**2 / n),
    reading=r"$\mathbb EX^4 = 3P[\chi^2_5 \le R_c^2]/p$ and $\mathbb EX^2 = P[\chi^2_3 \le R_c^2]/p$ for a record inside, $p = P[\chi^2_1 \le R_c^2]$.",
    sampling=Chart(
        {_S_PART: (Rational(1, 1000), Rational(1, 50)), n_c: (1, 5)}, {v: _S_PART**2, n: n_c * _per_kept(_S_PART)}
    ),
    category="wrong constant",
    corrected="rgm:b6-variance-corrected",
    remark=r"$n$ for $n_c$, up to $1/\omega$ times too small; carried on into (67), (68) and (69), and into $\mu_{\rm reg}$.",
)

variance = Claim(
    id="rgm:b6-variance-corrected",
    title="The sum of the variances, and the exponent",
    source=_V1,
    where=_B6 + ", v1 (66) and (67)",
    kind="correction",
    statement=r"The variances add up to at most $4L^2R_c^4/n_c$, and Bernstein's exponent is $n_ct^2/(8L^2R_c^4 + 4LR_c^2t/3)$.",
    variables=(_VARIANCE, DEVIATION, THRESHOLD, LARGEST, KEPT),
    hypotheses=(_EACH,),
    conclusion=both(
        le(n_c * _e, 4 * L**2 * v**2 / n_c),
        eq(bernstein(t, 4 * L**2 * v**2 / n_c, _bound), n_c * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3)),
    ),
    derivation=(
        Step(
            "The bound on the probability.",
            theorem=MATRIX_BERNSTEIN,
            met={
                "independent": "Given which records are inside, they are independent.",
                "bounded": "rgm:b5-largest-eigenvalue",
                "variance": "The first part of the formula.",
            },
        ),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("half", le(n_c * _e, 2 * L**2 * v**2 / n_c)),
        Mutant("n_c squared", le(n_c * _e, 4 * L**2 * v**2 / n_c**2)),
    ),
)

# Dimension 1, Sigma = 1: X^2 given X^2 <= v has mean P[chi2(3) <= v]/P[chi2(1) <= v]. One record inside, of n, which is
# the likeliest number where n p is about 1, and X^2 <= w there: n P[X^2 <= w] (1 - p)^(n-1).
_LOW = positive("w", "a level below the mean")
_w = _LOW.symbol
_mean_line = distribution(v, Integer(3)) / distribution(v, Integer(1))
_gap = _mean_line - _w


def _alone_and_below(level: Expr) -> Expr:
    """The probability that one record of n is inside, and its square at most `level`."""
    return n * erf(sqrt(level / 2)) * (1 - _kept_line) ** (n - 1)


_BELOW_MEAN = Hypothesis("below the mean", gt(_gap, 0))
_LOW_CHART = Chart(
    {_S_PART: (Rational(1, 2), 2), _k: (0, Rational(1, 10)), n: (900, 3000)},
    {v: _S_PART**2 / n**2, _w: _k * _S_PART**2 / n**2},
)
_LINE_READING = (
    r"The left side is at least the probability that one record is inside and $X^2 \le w$ there, with $w = \mathbb EX^2 - t$; the mean is that of a "
    r"record inside. Given that any record is inside, it is larger still."
)

tail_printed = Claim(
    id="rgm-v1:b6-deviation",
    refs=("V1P3.5e",),
    title="The deviation of the kept records, as printed",
    scope="instance",
    missing=r"One record kept of n, in dimension 1 with $\Sigma = 1$.",
    source=_V1,
    where=_B6 + ", v1 (67)",
    kind="inequality",
    statement=r"For $n$ records in dimension 1 with $\Sigma = 1$: $P(|A_c - \mathbb EA_c| \ge t) \le 2e^{-nt^2/(8R_c^4 + 4R_c^2t/3)}$.",
    reading=_LINE_READING,
    variables=(THRESHOLD, _LOW, RECORDS),
    hypotheses=(_BELOW_MEAN,),
    conclusion=le(_alone_and_below(_w), 2 * exp(-n * _gap**2 / (8 * v**2 + 4 * v * _gap / 3))),
    sampling=_LOW_CHART,
    category="wrong constant",
    corrected="rgm:b6-variance-corrected",
    remark=r"The exponent has $n$ for the number $n_c$ of records inside.",
)

simplified_printed = Claim(
    id="rgm-v1:b6-simplified",
    refs=("V1P3.5f",),
    title="The deviation of the kept records, simplified, as printed",
    source=_V1,
    where=_B6 + ", v1 (68)",
    kind="inequality",
    statement=r"For $n$ records in dimension 1 with $\Sigma = 1$ and $t \le 6R_c^2$: $P(|A_c - \mathbb EA_c| \ge t) \le 2e^{-nt^2/(16R_c^4)}$.",
    reading=_LINE_READING,
    variables=(THRESHOLD, _LOW, RECORDS),
    hypotheses=(_BELOW_MEAN, Hypothesis("moderate deviation", le(_gap, 6 * v), "v1 (68)")),
    conclusion=le(_alone_and_below(_w), 2 * exp(-n * _gap**2 / (16 * v**2))),
    sampling=_LOW_CHART,
    category="wrong constant",
    corrected="beyond:b6-simplified",
    remark=r"The exponent has $n$ for the number $n_c$ of records inside. That (68) is weaker than (67) is true: `rgm:b5-simplified`.",
)

simplified = Claim(
    id="beyond:b6-simplified",
    title="For moderate deviations of the kept records the exponent is quadratic",
    source="beyond",
    where="replaces App. B.6, v1 (68)",
    kind="correction",
    statement=r"For $t \le 6LR_c^2$ the exponent $n_ct^2/(8L^2R_c^4 + 4LR_c^2t/3)$ is at least $n_ct^2/(16L^2R_c^4)$.",
    variables=(DEVIATION, THRESHOLD, LARGEST, KEPT),
    hypotheses=(Hypothesis("moderate deviation", le(t, 6 * L * v)),),
    conclusion=ge(n_c * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3), n_c * t**2 / (16 * L**2 * v**2)),
    reading=r"Given which records are inside.",
    checks=(Smt(),),
    derivation=(Step("The exponent for the records inside.", "rgm:b6-variance-corrected"),),
    mutants=(
        Mutant("12 for 16", ge(n_c * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3), n_c * t**2 / (12 * L**2 * v**2))),
        Mutant("without the condition", hypotheses=()),
    ),
)

_t_line = 4 * v * sqrt(ell / n)
concentration_printed = Claim(
    id="rgm-v1:b6-concentration",
    refs=("V1P3.5c", "V1P3.5g"),
    title="The deviation that is exceeded with probability delta, as printed",
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$, and the event that one record alone is inside and far below the mean.",
    source=_V1,
    where=_B6 + ", v1 (65) and (69)",
    kind="inequality",
    statement=(
        r"For $n \ge \frac49\ell$ records in dimension 1 with $\Sigma = 1$: $P(|A_c - \mathbb EA_c| \ge 4R_c^2\sqrt{\ell/n}) \le \delta = 2e^{-\ell}$."
    ),
    variables=(LOGARITHM, THRESHOLD, RECORDS),
    hypotheses=(
        Hypothesis("below the mean", gt(_mean_line, _t_line)),
        Hypothesis("enough records", ge(9 * n, 4 * ell)),
        Hypothesis("a probability", ge(ell, log(2)), "delta <= 1"),
    ),
    conclusion=le(_alone_and_below(_mean_line - _t_line), 2 * exp(-ell)),
    reading=_LINE_READING,
    sampling=Chart(
        {_S_PART: (Rational(1, 2), 2), _k: (Rational(27, 100), Rational(31, 100)), n: (900, 3000)},
        {v: _S_PART**2 / n**2, ell: n * _k**2 / 16},
    ),
    category="wrong constant",
    corrected="rgm:b6-concentration-corrected",
    remark=r"The root has $n$ for the number $n_c$ of records inside, and with it $\mu_{\rm reg}$.",
)

_t_kept = 4 * L * v * sqrt(ell / n_c)
_t = positive("t").symbol
_exponent = n_c * _t**2 / (16 * L**2 * v**2)
concentration = Claim(
    id="rgm:b6-concentration-corrected",
    title="The deviation that is exceeded with probability delta",
    source=_V1,
    where=_B6 + ", v1 (65) and (69)",
    kind="correction",
    statement=r"$t = 4LR_c^2\sqrt{\ell/n_c}$ is at most $6LR_c^2$ for $n_c \ge 4\ell/9$, and has the exponent $\ell$.",
    variables=(LOGARITHM, THRESHOLD, LARGEST, KEPT),
    hypotheses=(Hypothesis("enough kept", ge(9 * n_c, 4 * ell)),),
    conclusion=both(le(_t_kept, 6 * L * v), eq(At(_exponent, _t, _t_kept), ell)),
    checks=(Smt(),),
    mutants=(
        Mutant("half of the records", hypotheses=(Hypothesis("half", ge(9 * n_c, 2 * ell)),)),
        Mutant("2 for 4", eq(At(_exponent, _t, _t_kept / 2), ell)),
    ),
)

_W = positive("w", "R_c^2/2")
_half = _W.symbol
_unnormalised = 1 - exp(-_half) * (1 + _half)
conditional = Claim(
    id="rgm-v1:b6-mean",
    refs=("V1P3.6a", "V1P3.6c"),
    title="The mean of the kept covariance, as printed",
    scope="instance",
    missing=r"Dimension 2 with $\Sigma = I$.",
    source=_V1,
    where=_B6 + ", last display, first line, and v1 (70)",
    kind="identity",
    statement=r"In the plane with $\Sigma = I$ the mean of $XX^\top$ over records inside is $P[\chi^2_4 \le R_c^2] I$.",
    variables=(_W,),
    conclusion=eq(_unnormalised / (1 - exp(-_half)), _unnormalised),
    reading=r"A mean over the $|I_c|$ records inside is a conditional one: $\mathbb E[XX^\top 1\{\text{inside}\}]/p$, $p = 1 - e^{-R_c^2/2}$.",
    category="wrong constant",
    corrected="rgm:b6-mean-corrected",
)

_WEIGHTED = real("m", r"$z^\top\mathbb E[XX^\top 1\{\text{inside}\}]z$ for a vector z")
_CONDITIONAL_MEAN = real("c", r"$z^\top\mathbb E[A_c]z$, the mean over the records inside")
_ALONG_SIGMA = nonnegative("sigma", "z^T Sigma z")
_weighted, _conditional_mean, _along_sigma = (x.symbol for x in (_WEIGHTED, _CONDITIONAL_MEAN, _ALONG_SIGMA))
_IS_MULTIPLE = Hypothesis(
    "the mean with the indicator",
    eq(_weighted, rho * _along_sigma),
    "v1 (70), which is this mean",
    ("rgm:b5-symmetry", "rgm:b6-closed-form"),
)
_IS_CONDITIONAL = Hypothesis(
    "a mean over the records inside is a conditional one", eq(_p * _conditional_mean, _weighted)
)

mean_lower = Claim(
    id="rgm:b6-mean-corrected",
    refs=("V1P3.6d",),
    title="The mean of the kept covariance is above a multiple of Sigma",
    source=_V1,
    where=_B6 + ", title of the last step",
    kind="inequality",
    statement=r"$\mathbb E[A_c] = (\rho/p)\Sigma \succcurlyeq \rho\Sigma$.",
    variables=(PROPOSED, _SHARE, _WEIGHTED, _CONDITIONAL_MEAN, _ALONG_SIGMA),
    hypotheses=(_IS_MULTIPLE, _IS_CONDITIONAL),
    conclusion=both(eq(_conditional_mean, rho / _p * _along_sigma), ge(_conditional_mean, rho * _along_sigma)),
    reading="Along every vector z, in every dimension; the mean is that given that some records are inside.",
    checks=(Smt(),),
    sampling=Chart(
        {rho: (0, 3), _p: (0, 1), _along_sigma: (0, 3)},
        {_weighted: rho * _along_sigma, _conditional_mean: rho * _along_sigma / _p},
    ),
    derivation=(
        Step(r"$X = \Sigma^{1/2}u$ is inside exactly if $|u|^2 \le R_c^2$.", "rgm:b4-whitening"),
        Step("The mean of the indicator times $uu^\\top$ is a multiple of the identity.", "rgm:b5-symmetry"),
        Step("That multiple is rho.", "rgm:b6-closed-form"),
        Step(
            "Given which records are inside, each of them has the conditional law, and so has their mean.",
            theorem=TOWER,
            met={"integrable": "The forms of records inside are bounded."},
        ),
    ),
    mutants=(
        Mutant("equal", eq(_conditional_mean, rho * _along_sigma)),
        Mutant("below", le(_conditional_mean, rho * _along_sigma)),
        Mutant("any mean", hypotheses=(_IS_CONDITIONAL,)),
        Mutant("not conditional", hypotheses=(_IS_MULTIPLE,)),
    ),
)

depends = Claim(
    id="rgm-v1:b6-depends-only-on-the-threshold",
    title="rho of version 1 depends on the dimension besides",
    source=_V1,
    where=_B6 + ", after v1 (70)",
    kind="remark",
    statement=r"At $R_c^2 = 2$, $\rho$ is larger by $\frac1{10}$ in dimension 1 than in dimension 2.",
    conclusion=gt(distribution(Integer(2), Integer(3)), distribution(Integer(2), Integer(4)) + Rational(1, 10)),
    reading=r"The dimension is fixed in Proposition 3 ($X \in \mathbb R^{d\times n}$), so that nothing printed is wrong: `rgm:b6-closed-form`.",
    mutants=(
        Mutant(
            "by one half",
            gt(distribution(Integer(2), Integer(3)), distribution(Integer(2), Integer(4)) + Rational(1, 2)),
        ),
        Mutant("smaller", lt(distribution(Integer(2), Integer(3)), distribution(Integer(2), Integer(4)))),
    ),
)

close = Claim(
    id="rgm-v1:b6-close-to-1",
    refs=("V1P3.7",),
    title="rho of version 1 is close to 1",
    source=_V1,
    where=_B6 + ", after v1 (70)",
    kind="remark",
    statement=r"$\rho \ge \frac12$ for $R_c^2 \ge 2d$.",
    variables=(DIMENSION, THRESHOLD),
    hypotheses=(Hypothesis("threshold", ge(v, 2 * d)),),
    conclusion=ge(distribution(v, d + 2), Rational(1, 2)),
    sampling=Chart({d: (1, 9), _omega: (0, 1)}, {v: (2 + _omega) * d}),
    reading="Whatever close to 1 means, it is no farther from 1 than from 0; who asks for more is refuted by the same point.",
    category="missing hypothesis",
    corrected="rgm:b6-close-to-1-exact",
    remark=r"At $R_c^2 = 2d$ it is 0.428 for $d = 1$ and 0.594 for $d = 2$.",
)


def _at_twice(dimension: int) -> Expr:
    return distribution(Integer(2 * dimension), Integer(dimension + 2))


close_exact = Claim(
    id="rgm:b6-close-to-1-exact",
    title="rho of version 1 at R_c^2 = 2d",
    source=_V1,
    where=_B6 + ", after v1 (70)",
    kind="correction",
    statement=r"At $R_c^2 = 2d$, $\rho$ is below $9/10$ for $d \le 7$ and above it for $d = 8, \dots, 12$; it is at least $2/5$ for $d \le 12$.",
    conclusion=both(
        *(le(_at_twice(i), Rational(9, 10)) for i in range(1, 8)),
        *(ge(_at_twice(i), Rational(9, 10)) for i in range(8, 13)),
        *(ge(_at_twice(i), Rational(2, 5)) for i in range(1, 8)),
    ),
    mutants=(
        Mutant("from d = 7", ge(_at_twice(7), Rational(9, 10))),
        Mutant("one half in dimension 1", ge(_at_twice(1), Rational(1, 2))),
    ),
)

slightly = Claim(
    id="rgm-v1:b6-slightly-different",
    refs=("V1P3.6e",),
    title="rho is slightly different from the distribution function",
    source=_V1,
    where=_B6 + ", after v1 (70)",
    kind="remark",
    statement=r"Without $|u|^2/d$ the integral of (70) would be $P[\chi^2_d \le R_c^2]$; with it, it is slightly different.",
    informal="How much slightly is, of a number or of an expression, is not said. The difference itself is exact: beyond:b6-rho-as-a-difference.",
    remark="In dimension 1 the two differ by up to 0.484 (beyond:b6-difference-of-rho).",
)

difference_of_rho = Claim(
    id="beyond:b6-difference-of-rho",
    title="How far rho and the distribution function are apart in dimension 1",
    source="beyond",
    where=_B6 + ", after v1 (70)",
    kind="numeric",
    statement=r"At $R_c^2 = 1$ and $d = 1$ they differ by a number between $0.48$ and $0.49$.",
    conclusion=both(
        ge(distribution(Integer(1), Integer(1)) - distribution(Integer(1), Integer(3)), Rational(48, 100)),
        le(distribution(Integer(1), Integer(1)) - distribution(Integer(1), Integer(3)), Rational(49, 100)),
    ),
    derivation=(Step("The difference.", "beyond:b6-rho-as-a-difference"),),
    mutants=(
        Mutant(
            "a tenth", le(distribution(Integer(1), Integer(1)) - distribution(Integer(1), Integer(3)), Rational(1, 10))
        ),
        Mutant("half", ge(distribution(Integer(1), Integer(1)) - distribution(Integer(1), Integer(3)), Rational(1, 2))),
    ),
)

_DEGREES = positive("d", "dimension, or any positive number")
_degrees = _DEGREES.symbol


def _integral(probability: Expr, integrand: Expr) -> Formula:
    """The probability is the integral of the integrand from 0 to the squared threshold."""
    return both(eq(probability.diff(v), integrand), eq(At(probability, v, 0), 0))


_printed_integrand = v / _degrees * density(v, _degrees)
closed_form = Claim(
    id="rgm:b6-closed-form",
    refs=("V1P3.4",),
    title="rho of version 1 is a chi-square probability",
    source=_V1,
    where=_B6 + ", v1 (70)",
    kind="identity",
    statement=r"$\rho = \int_0^{R_c^2}\frac yd\,f_d(y)\,dy = P[\chi^2_{d+2} \le R_c^2]$ with the density $f_d$ of $\chi^2_d$.",
    variables=(_DEGREES, THRESHOLD),
    conclusion=_integral(distribution(v, _degrees + 2), _printed_integrand),
    reading=(
        r"The integral of (70) in polar coordinates, with $y = |u|^2$; the formula has the derivative in $R_c^2$ and the value at 0. So $\rho$ depends on "
        r"$R_c$ and, in its own definition, on the dimension $d$ that is fixed with $X$; on neither $\Sigma$ nor $n$."
    ),
    checks=(Identity(),),
    derivation=(
        Step("Polar coordinates.", "rgm:b5-shells"),
        Step("The density.", "beyond:chi-square-mean"),
        Step(
            "The probability is the integral of its derivative.",
            theorem=FUNDAMENTAL,
            met={
                "antiderivative": "An incomplete gamma function is, and it is 0 at 0.",
                "integrable": "Densities are continuous and positive on the positive numbers.",
            },
        ),
    ),
    mutants=(
        Mutant("no difference", _integral(distribution(v, _degrees), _printed_integrand)),
        Mutant("one degree", _integral(distribution(v, _degrees + 1), _printed_integrand)),
        Mutant("without 1/d", _integral(distribution(v, _degrees + 2), _degrees * _printed_integrand)),
        Mutant("another value at 0", _integral(distribution(v, _degrees + 2) + 1, _printed_integrand)),
    ),
)

as_difference = Claim(
    id="beyond:b6-rho-as-a-difference",
    title="How far rho of version 1 is from the distribution function",
    source="beyond",
    where=_B6 + ", v1 (70)",
    kind="identity",
    statement=r"$P[\chi^2_{d+2} \le R_c^2] = P[\chi^2_d \le R_c^2] - (R_c^2/2)^{d/2}e^{-R_c^2/2}/\Gamma(d/2+1)$.",
    variables=(_DEGREES, THRESHOLD),
    conclusion=eq(
        distribution(v, _degrees).diff(v)
        - ((v / 2) ** (_degrees / 2) * exp(-v / 2) / gamma_function(_degrees / 2 + 1)).diff(v),
        distribution(v, _degrees + 2).diff(v),
    ),
    reading=r"By the derivatives in $R_c^2$.",
    checks=(Identity(),),
    derivation=(
        Step(
            "Functions with one derivative and one value at 0 are equal.",
            theorem=FUNDAMENTAL,
            met={
                "antiderivative": "Incomplete gamma functions and powers with a positive exponent are continuous, and 0 at 0.",
                "integrable": "The derivatives are densities, less a derivative that has one sign near 0.",
            },
        ),
    ),
    mutants=(
        Mutant("no difference", eq(distribution(v, _degrees).diff(v), distribution(v, _degrees + 2).diff(v))),
        Mutant("one degree", eq(distribution(v, _degrees + 1).diff(v), distribution(v, _degrees + 2).diff(v))),
    ),
)

_ETA_LINE = Hypothesis("a record at the threshold", ge(v, rho))
eta_printed = Claim(
    id="rgm-v1:b6-sensitivity",
    refs=("V1P3.8",),
    title="Proposition 3 of version 1: the relative sensitivity, as printed",
    scope="instance",
    missing="Dimension 1.",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="proposition",
    statement=r"In dimension 1 with $A_C = \rho\Sigma$ a record at the threshold, replaced by 0, has $R_c^2/(\rho n) \le \eta = 6R_c^4/(\rho^2n^2)$.",
    variables=(THRESHOLD, PROPOSED, RECORDS),
    hypotheses=(_ETA_LINE,),
    conclusion=le(v / (rho * n), 6 * v**2 / (rho**2 * n**2)),
    category="wrong constant",
    corrected="rgm:b6-sensitivity-corrected",
    remark=r"$\eta^2$ is meant, as in version 2. With it the constant is still too small where less than $n/\sqrt6$ records are kept: the mean over $|I_C|$ of them moves by $1/|I_C|$, not $1/n$.",
)

_KAPPA = real("kappa", "condition number of Sigma", lower=1)
_kappa = _KAPPA.symbol
_SIGMA = positive("sigma", "z^T Sigma z for a vector z")
_OF_RECORD, _OF_OTHER = nonnegative("a", "(z . X)^2, of one record"), nonnegative("b", "(z . X')^2, of another one")
_OF_MEAN = nonnegative("c", "mean of (z . X_i)^2 over n_c records inside")
_sigma, _of_record, _of_other, _of_mean = (x.symbol for x in (_SIGMA, _OF_RECORD, _OF_OTHER, _OF_MEAN))
_ALL_INSIDE = tuple(
    Hypothesis(
        f"{name} inside", le(value, v * _sigma), "Cauchy-Schwarz in the norm of Sigma, X^T Sigma^(-1) X <= R_c^2"
    )
    for name, value in (("the record is", _of_record), ("the other one is", _of_other), ("the rest is", _of_mean))
)
_most = v * _sigma / n_c

change_of_mean = Claim(
    id="beyond:b6-change-of-the-mean",
    title="How far one record moves the kept covariance",
    source="beyond",
    where="Section 5.3, Proposition 3 of version 1",
    kind="inequality",
    statement=(
        r"Whether a record inside is replaced by one inside, leaves $n_c + 1$ of them or comes to $n_c$, the kept covariances differ by at most "
        r"$R_c^2\Sigma/n_c$, in both directions."
    ),
    variables=(_SIGMA, _OF_RECORD, _OF_OTHER, _OF_MEAN, THRESHOLD, KEPT),
    hypotheses=_ALL_INSIDE,
    conclusion=both(
        le((_of_record - _of_other) / n_c, _most),
        le((_of_other - _of_record) / n_c, _most),
        le((n_c * _of_mean + _of_record) / (n_c + 1) - _of_mean, _most),
        le(_of_mean - (n_c * _of_mean + _of_record) / (n_c + 1), _most),
    ),
    reading="Along every vector z; n_c is the smaller number of the two neighbours.",
    checks=(Smt(),),
    sampling=Chart(
        {_sigma: (0, 4), v: (0, 4), n_c: (1, 9), _of_record: (0, 1), _of_other: (0, 1), _of_mean: (0, 1)},
        {s: s * v * _sigma for s in (_of_record, _of_other, _of_mean)},
    ),
    mutants=(
        Mutant("half", le((_of_record - _of_other) / n_c, _most / 2)),
        Mutant("a record outside", hypotheses=_ALL_INSIDE[1:]),
        Mutant("over n_c + 1 where one leaves", le((_of_record - _of_other) / n_c, v * _sigma / (n_c + 1))),
    ),
)

_MOVED = nonnegative("p", "|(A_C' - A_C) A_C^(-1) g|, g the gradient")
_GRADIENT = nonnegative("G", "|g|^2")
_REST = nonnegative("w", "distance of the two gradients at the minimiser")
_moved, _g2, _rest = (x.symbol for x in (_MOVED, _GRADIENT, _REST))
_MOVES = Hypothesis(
    "the relative part",
    le(rho**2 * n_c**2 * _moved**2, _kappa * v**2 * _g2),
    "A_C >= rho Sigma, and the change of the kept covariance",
    by=("beyond:b6-change-of-the-mean", "beyond:ridge-relative-part"),
)
eta_corrected = Claim(
    id="rgm:b6-sensitivity-corrected",
    title="Proposition 3 of version 1: the relative sensitivity",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="correction",
    statement=(
        r"If $A_C \succcurlyeq \rho\Sigma$ at a dataset, its gradient and that of every neighbour, records dropped, differ by at most "
        r"$\eta^2|\nabla f|^2 + R_{rel}^2$, squared, with $\eta^2 = 6\kappa R_c^4/(\rho^2n_c^2)$, $n_c$ the smaller $|I_C|$ of the two."
    ),
    variables=(_MOVED, _GRADIENT, _REST, THRESHOLD, PROPOSED, KEPT, _KAPPA),
    hypotheses=(_MOVES,),
    conclusion=le((_moved + _rest) ** 2, 6 * _kappa * v**2 / (rho**2 * n_c**2) * _g2 + 3 * _rest**2),
    reading=(
        r"$R_{rel}^2$ is three times the squared distance of the gradients at the minimiser. The neighbour may have a record replaced, and one that enters or leaves the "
        r"ellipsoid changes $n_c$ by 1. At the neighbour the same holds if its own $A_C'$ is above $\rho\Sigma$."
    ),
    checks=(Smt(),),
    sampling=Chart(
        {_g2: (0, 9), _rest: (0, 3), v: (0, 4), rho: (0, 3), n_c: (1, 9), _kappa: (1, 9)},
        {_moved: v * sqrt(_kappa * _g2) / (rho * n_c)},
    ),
    derivation=(
        Step("The change of the kept covariance.", "beyond:b6-change-of-the-mean"),
        Step("The relative part.", "beyond:ridge-relative-part"),
    ),
    mutants=(
        Mutant("1 for 6", le((_moved + _rest) ** 2, _kappa * v**2 / (rho**2 * n_c**2) * _g2 + 3 * _rest**2)),
        Mutant("without the condition number", le(_moved**2, v**2 / (rho**2 * n_c**2) * _g2)),
        Mutant("without the order", hypotheses=()),
    ),
)

_Y = real("y", "log(2n/delta)", lower=Rational(2, 3))
_y = _Y.symbol
comparison = Claim(
    id="rgm:b6-comparison",
    refs=("V1P3.9",),
    title="Clipping replaces the logarithm by a constant",
    source=_V1,
    where="Section 5.3, after Proposition 3",
    kind="remark",
    statement=r"At $R_c^2 = 2d$ and $\rho \ge 2/5$, $\eta^2 \le 150\,\kappa(d/n)^2$, without a logarithm; Proposition 1 has $216\,\kappa(d/n)^2\log(2n/\delta)^2$.",
    variables=(DIMENSION, PROPOSED, RECORDS, _KAPPA),
    hypotheses=(Hypothesis("rho", ge(rho, Rational(2, 5))),),
    conclusion=le(6 * _kappa * (2 * d) ** 2 / (rho**2 * n**2), 150 * _kappa * d**2 / n**2),
    remark="The regularisation keeps its log(2d/delta), and all records are taken to be kept.",
    checks=(Smt(),),
    tightness=looseness.SHARE,
    mutants=(
        Mutant("100 for 150", le(6 * _kappa * (2 * d) ** 2 / (rho**2 * n**2), 100 * _kappa * d**2 / n**2)),
        Mutant("without rho", hypotheses=()),
    ),
)

_SMALLEST = positive("s", "square of the smallest record, in dimension 1")
_least = _SMALLEST.symbol
_rho_line = distribution(v, Integer(3))
adversarial = Claim(
    id="rgm-v1:proposition-3-subset",
    title="Proposition 3 of version 1 for any subset",
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$.",
    source="beyond",
    where="Section 5.3, Proposition 3",
    kind="remark",
    statement=r"In dimension 1 with $\Sigma = 1$ and $I_C$ the smallest record alone, $A_C \ge \rho$ has probability at least $1-3\delta$.",
    reading=r"$I_C \subset$ taken at its word, which is a misprint (`rgm-v1:b6-subset`). $A_C \ge \rho$ implies $X^2 > s$ for every record if $s + \mu_{\rm reg} < \rho$, of probability $P[\chi^2_1 > s]^n$.",
    variables=(_SMALLEST, THRESHOLD, DELTA, RECORDS),
    hypotheses=(Hypothesis("small regularisation", gt(_rho_line, _least + 4 * v * sqrt(log(2 / delta) / n))),),
    conclusion=ge(erfc(sqrt(_least / 2)) ** n, 1 - 3 * delta),
    sampling=Chart(
        {v: (1, 2), _least: (0, Rational(1, 10)), delta: (Rational(1, 100), Rational(1, 5)), n: (10000, 100000)}, {}
    ),
    category="missing hypothesis",
    corrected="rgm:b6-covariance",
)

_ROOT = nonnegative("x", "sqrt(log(2d/delta)/n)")
_KEPT_ROOT = nonnegative("y", "sqrt(log(2d/delta)/n_c)")
_STANDARD = nonnegative("r", "sqrt(2 rho_c) R_c")
_CONDITIONAL = positive("rho_c", "mean of the kept covariance in units of Sigma, rho/p")
_rx, _ry, _r, _rho_c = (x.symbol for x in (_ROOT, _KEPT_ROOT, _STANDARD, _CONDITIONAL))
_MANY_KEPT = Hypothesis(
    "as many are kept as Hoeffding says",
    le(_ry**2 * (_p - _rx / sqrt(2)), _rx**2),
    "n_c >= n p - sqrt(n log(1/delta)/2), and log(1/delta) <= log(2d/delta)",
    by=("rgm:b6-hoeffding",),
)
_IS_ROOT = Hypothesis("r", eq(_r**2, 2 * _rho_c * v))
_MEAN_INSIDE = Hypothesis("rho_c at most R_c^2", le(_rho_c, v), "rho_c <= R_c^2/d, a mean of |u|^2/d inside")
_deviation = _r * _ry + Rational(2, 3) * v * _ry**2

on_the_event = Claim(
    id="beyond:b6-on-the-event",
    title="The kept covariance where enough records are kept and their covariance deviates little",
    source="beyond",
    where="Section 5.3, Proposition 3; App. B.6",
    kind="inequality",
    statement=(
        r"Either $\mu_{\rm reg}I$ alone is above $\rho\Sigma$, or the deviation $R_c\sqrt{2\rho_c\ell/n_c} + \frac23R_c^2\ell/n_c$ from the mean $\rho_c\Sigma$ is at most $(\rho_c - \rho) + \mu_{\rm reg}/L$."
    ),
    variables=(_ROOT, _KEPT_ROOT, _STANDARD, _CONDITIONAL, _SHARE, THRESHOLD),
    hypotheses=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE),
    conclusion=either(
        ge(4 * v * _rx, _p * _rho_c),
        ge(_rho_c - _deviation + 4 * v * _rx, _p * _rho_c),
    ),
    reading=r"In units of $\Sigma$, where $\mu_{\rm reg}I \succcurlyeq 4R_c^2\sqrt{\ell/n}\,\Sigma$; $\rho = p\rho_c$.",
    checks=(Smt(),),
    sampling=Chart(
        {_rx: (0, Rational(1, 3)), _p: (0, 1), v: (0, 4), _rho_c: (0, 1), _ry: (0, 1)},
        {
            _rho_c: _rho_c * v,
            _r: v * sqrt(2 * _rho_c),
            _rx: _rx * _p * _rho_c,
            _ry: _ry * _rx * _p * _rho_c / sqrt(_p - _rx * _p * _rho_c / sqrt(2)),
        },
    ),
    derivation=(Step("How many are kept.", "rgm:b6-hoeffding"),),
    mutants=(
        Mutant(
            "a quarter of the regularisation",
            either(ge(v * _rx, _p * _rho_c), ge(_rho_c - _deviation + v * _rx, _p * _rho_c)),
        ),
        Mutant("any number kept", hypotheses=(_IS_ROOT, _MEAN_INSIDE)),
        Mutant("the whole mean", either(ge(4 * v * _rx, _rho_c), ge(_rho_c - _deviation, _rho_c))),
    ),
)

# Summands are u u^T/n_c for records inside, in units of Sigma.
_ONE_FORM, _ITS_SQUARE = nonnegative("e_1", "w^T E[S] w, |w| = 1"), nonnegative("e_2", "w^T E[S^2] w, |w| = 1")
_one_form, _its_square = _ONE_FORM.symbol, _ITS_SQUARE.symbol
_DEVIATION = nonnegative("t", "the deviation, sqrt(2 rho_c v ell/n_c) + 2 v ell/(3 n_c)")
_dev = _DEVIATION.symbol
_kept_deviation = sqrt(2 * _rho_c * v * ell / n_c) + Rational(2, 3) * v * ell / n_c
_SQUARED_FORM = Hypothesis("S^2 is at most |S| S", le(_its_square, v / n_c * _one_form), "|u|^2 <= R_c^2")
_MEAN_FORM = Hypothesis(
    "the mean of a summand", eq(_one_form, _rho_c / n_c), "E u u^T = rho_c I inside", ("rgm:b6-mean-corrected",)
)

deviation_inside = Claim(
    id="beyond:b6-deviation",
    title="The exponent of matrix Bernstein for the records inside",
    source="beyond",
    where="replaces App. B.6, v1 (65) to (69)",
    kind="inequality",
    statement=(
        r"Given which $n_c$ records are inside, their covariance, in units of $\Sigma$, deviates from $\rho_cI$ by more than $t = R_c\sqrt{2\rho_c\ell/n_c} + \frac23R_c^2\ell/n_c$ "
        r"with probability at most $2d\,e^{-\ell} = \delta$: the variance is at most $\rho_cR_c^2/n_c$, and the exponent at least $\ell$."
    ),
    variables=(_ONE_FORM, _ITS_SQUARE, LOGARITHM, THRESHOLD, KEPT, _CONDITIONAL),
    hypotheses=(_SQUARED_FORM, _MEAN_FORM),
    conclusion=both(
        le(n_c * _its_square, _rho_c * v / n_c),
        ge(_kept_deviation**2 / 2, ell * (_rho_c * v / n_c + v / n_c * _kept_deviation / 3)),
    ),
    reading="Bernstein's exponent is multiplied out. For every number of records from 1 on.",
    checks=(Smt(),),
    sampling=Chart(
        {v: (0, 4), _rho_c: (0, 4), ell: (0, 4), n_c: (1, 9), _its_square: (0, 1)},
        {_one_form: _rho_c / n_c, _its_square: _its_square * v * _rho_c / n_c**2},
    ),
    derivation=(
        Step(
            "The probability.",
            theorem=MATRIX_BERNSTEIN,
            met={
                "independent": "Records are inside or not independently of each other, and so are those inside, given which they are.",
                "bounded": "rgm:b5-summand",
                "variance": "The first part of the formula; summands are symmetric.",
            },
        ),
        Step("The mean.", "rgm:b6-mean-corrected"),
    ),
    mutants=(
        Mutant("half of the variance", le(n_c * _its_square, _rho_c * v / (2 * n_c))),
        Mutant(
            "without the linear term",
            ge(
                2 * _rho_c * v * ell / n_c / 2,
                ell * (_rho_c * v / n_c + v / n_c * sqrt(2 * _rho_c * v * ell / n_c) / 3),
            ),
        ),
        Mutant("any summand", hypotheses=(_MEAN_FORM,)),
    ),
)

_KEPT_FORM = nonnegative("q", "z^T A_C z for a vector z")
_INSIDE_FORM = nonnegative("m", "mean of (z . X_i)^2 over the records inside")
_LENGTH, _REGULAR = nonnegative("W", "|z|^2"), positive("mu_reg", "regularisation")
_kept_form, _inside_form, _z_length, _regular = (x.symbol for x in (_KEPT_FORM, _INSIDE_FORM, _LENGTH, _REGULAR))
_IS_KEPT = Hypothesis("A_C", eq(_kept_form, _inside_form + _regular * _z_length), "Section 5.3")
_DEVIATES = Hypothesis("the deviation in units of Sigma", ge(_inside_form, (_rho_c - _dev) * _along_sigma), "the event")
_LARGEST_OF_SIGMA = Hypothesis("the largest eigenvalue of Sigma", le(_along_sigma, L * _z_length))

level_on_event = Claim(
    id="beyond:b6-level",
    title="How far the kept covariance is above Sigma",
    source="beyond",
    where="Section 5.3, Proposition 3 of version 1",
    kind="inequality",
    statement=(
        r"$A_C \succcurlyeq \frac{\mu_{\rm reg}}L\Sigma$, and where the records inside deviate by at most $t\Sigma$ from their mean, "
        r"$A_C \succcurlyeq (\rho_c - t + \frac{\mu_{\rm reg}}L)\Sigma$."
    ),
    variables=(_KEPT_FORM, _INSIDE_FORM, _ALONG_SIGMA, _LENGTH, _REGULAR, LARGEST, _CONDITIONAL, _DEVIATION),
    hypotheses=(_IS_KEPT, _DEVIATES, _LARGEST_OF_SIGMA),
    conclusion=both(
        ge(_kept_form, _regular / L * _along_sigma),
        ge(_kept_form, (_rho_c - _dev + _regular / L) * _along_sigma),
    ),
    reading="Along every vector z, in every dimension.",
    checks=(Smt(),),
    sampling=Chart(
        {_along_sigma: (0, 1), L: (0, 3), _regular: (0, 3), _rho_c: (0, 3), _dev: (0, 1), _z_length: (0, 3)},
        {
            _along_sigma: _along_sigma * L * _z_length,
            _dev: _dev * _rho_c,
            _inside_form: _rho_c * (1 - _dev) * _along_sigma * L * _z_length,
            _kept_form: _rho_c * (1 - _dev) * _along_sigma * L * _z_length + _regular * _z_length,
        },
    ),
    mutants=(
        Mutant("the regularisation for L", ge(_kept_form, _regular * _along_sigma)),
        Mutant("the whole mean", ge(_kept_form, (_rho_c + _regular / L) * _along_sigma)),
        Mutant("any records", hypotheses=(_IS_KEPT, _LARGEST_OF_SIGMA)),
        Mutant("any spectrum", hypotheses=(_IS_KEPT, _DEVIATES)),
    ),
)

_LEVEL = nonnegative("lambda", "the largest number with A_C above lambda Sigma, at its least on the event")
_lambda = _LEVEL.symbol


def _at_least_level(root: Expr, deviation: Expr) -> tuple[Hypothesis, ...]:
    """List what is known of the level on the event, for the root of ell/n and the deviation."""
    return (
        Hypothesis("the regularisation", ge(_lambda, 4 * v * root), "mu_reg of Proposition 3", ("beyond:b6-level",)),
        Hypothesis(
            "the records, where some are kept",
            Implies(gt(_p, root / sqrt(2)), ge(_lambda, _rho_c - deviation + 4 * v * root)),
            "on the event",
            ("beyond:b6-level",),
        ),
    )


_LEVELS = _at_least_level(_rx, _deviation)

lowest_level = Claim(
    id="beyond:b6-level-on-the-event",
    title="The level of the kept covariance on the event",
    source="beyond",
    where="Section 5.3, Proposition 3 of version 1",
    kind="inequality",
    statement=r"If as many records are kept as Hoeffding says, and they deviate as Bernstein says, the level is at least $\rho = p\rho_c$.",
    variables=(_LEVEL, _ROOT, _KEPT_ROOT, _STANDARD, _CONDITIONAL, _SHARE, THRESHOLD),
    hypotheses=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE, *_LEVELS),
    conclusion=ge(_lambda, _p * _rho_c),
    reading=r"Where $p \le x/\sqrt2$, no record need be kept, and the regularisation is enough.",
    checks=(Deduction((Premise("beyond:b6-on-the-event"),)),),
    sampling=Chart(
        {_rx: (0, 1), _p: (0, 1), v: (0, 4), _rho_c: (0, 1), _ry: (0, 1)},
        {
            _rho_c: _rho_c * v,
            _r: v * sqrt(2 * _rho_c),
            _rx: _rx * _p,
            _ry: _ry * _rx * _p / sqrt(_p - _rx * _p / sqrt(2)),
            _lambda: Max(
                4 * v * _rx * _p,
                _rho_c * v
                - v * sqrt(2 * _rho_c) * _ry * _rx * _p / sqrt(_p - _rx * _p / sqrt(2))
                - Rational(2, 3) * v * _ry**2 * _rx**2 * _p**2 / (_p - _rx * _p / sqrt(2))
                + 4 * v * _rx * _p,
            ),
        },
    ),
    derivation=(Step("Either way.", "beyond:b6-on-the-event"),),
    mutants=(
        Mutant("the whole mean", ge(_lambda, _rho_c)),
        Mutant("any number kept", hypotheses=(_IS_ROOT, _MEAN_INSIDE, *_LEVELS)),
        Mutant("the records alone", hypotheses=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE, _LEVELS[1])),
    ),
)

_EVENT = real("E", "probability of the event: enough are kept, and they deviate little", lower=0, upper=1)
_HOLDS = real("P", "probability that A_C is above rho Sigma", lower=0, upper=1)
_FEW = real("f", "probability that fewer are kept than Hoeffding says", lower=0, upper=1)
_FAR = real("g", "probability that those kept deviate by more", lower=0, upper=1)
_event, _holds, _few, _far = (x.symbol for x in (_EVENT, _HOLDS, _FEW, _FAR))
_root_of_all = sqrt(ell / n)
_ENOUGH_KEPT = Hypothesis(
    "as many are kept as Hoeffding says",
    ge(n_c, n * (_p - _root_of_all / sqrt(2))),
    "log(1/delta) <= log(2d/delta)",
    ("rgm:b6-hoeffding",),
)
_BY_REGULARISATION, _BY_RECORDS = _at_least_level(_root_of_all, _kept_deviation)
_IS_PRINTED = Hypothesis("rho", eq(rho, _p * _rho_c), "v1 (70)", ("rgm:b6-mean-corrected",))
_ABOVE = Hypothesis("the event is one of the level", Implies(ge(_lambda, rho), ge(_holds, _event)))
_BY_UNION = Hypothesis("the event fails in two ways", ge(_event, 1 - _few - _far))
_BY_HOEFFDING = Hypothesis("few", le(_few, delta), "Hoeffding", ("rgm:b6-hoeffding",))
_BY_BERNSTEIN = Hypothesis("far", le(_far, delta), "matrix Bernstein", ("beyond:b6-deviation",))
_PROBABLE = (_ABOVE, _BY_UNION, _BY_HOEFFDING, _BY_BERNSTEIN)
_ALL_OF_IT = (_ENOUGH_KEPT, _MEAN_INSIDE, _BY_REGULARISATION, _BY_RECORDS, _IS_PRINTED, *_PROBABLE)
_at_least = positive("k").symbol
#: Up to 1/2 of p the number n_c is as large as it has to be; beyond, it is too small.
_share_at_least = Min(1, _p / (Rational(101, 100) - _p) * n_c / n + sqrt(ell / 2))

covariance = Claim(
    id="rgm:b6-covariance",
    refs=("V1P3.5a", "V1P3.5b", "NB06"),
    title="Proposition 3 of version 1: the kept covariance is above a multiple of Sigma",
    source=_V1,
    where="Section 5.3, Proposition 3; App. B.6",
    kind="proposition",
    statement=(
        r"With the printed $\rho > 0$ and $\mu_{\rm reg}$, $A_C \succcurlyeq \rho\Sigma$ with probability at least $1-2\delta \ge 1-3\delta$."
    ),
    variables=(
        *(_HOLDS, _EVENT, _FEW, _FAR, _LEVEL, DELTA, LOGARITHM, RECORDS, KEPT),
        *(_SHARE, _CONDITIONAL, PROPOSED, THRESHOLD),
    ),
    hypotheses=_ALL_OF_IT,
    conclusion=chain(_holds, ">=", 1 - 2 * delta, ">=", 1 - 3 * delta),
    reading=(
        r"$\ell = \log(2d/\delta)$. $I_C$ is the set of all records inside ($\subset$ is a misprint, see `rgm-v1:b6-subset`); of an empty one $A_C = \mu_{\rm reg}I$. $n_c$ is the least number of them on the "
        r"event, or 1. $\rho = p\rho_c$ depends on $R_c$ and the dimension (`rgm:b6-closed-form`). That $n \ge \frac49\ell$ is not needed."
    ),
    remark=(
        r"The proof printed, with $n$ for $n_c$, does not give it. That such clipping works where data 'look Gaussian' is an expectation."
    ),
    checks=(
        Deduction(
            (
                Premise(
                    "beyond:b6-level-on-the-event",
                    {_rx: sqrt(ell / n), _ry: sqrt(ell / n_c), _r: sqrt(2 * _rho_c * v)},
                ),
            )
        ),
    ),
    sampling=Chart(
        {
            **{ell: (0, Rational(1, 9)), n: (1, 200), n_c: (1, 200), _p: (0, 1), v: (0, 4), _rho_c: (0, 1)},
            **{delta: (0, 1), _few: (0, 1), _far: (0, 1), _at_least: (0, 3)},
        },
        {
            ell: ell * n,
            _p: _share_at_least,
            _rho_c: _rho_c * v,
            rho: _share_at_least * _rho_c * v,
            _lambda: Max(
                4 * v * sqrt(ell),
                v * (_rho_c - sqrt(2 * _rho_c * ell * n / n_c) - Rational(2, 3) * ell * n / n_c + 4 * sqrt(ell)),
            ),
            _few: delta * _few,
            _far: delta * _far,
            _event: Max(0, 1 - delta * (_few + _far)),
            _holds: Min(1, _at_least * Max(0, 1 - delta * (_few + _far))),
        },
    ),
    derivation=(
        Step("How many are kept.", "rgm:b6-hoeffding"),
        Step("How far they deviate, given which they are.", "beyond:b6-deviation"),
        Step(
            "The probability that they deviate by more is a mean of such conditional probabilities.",
            theorem=TOWER,
            met={"integrable": "Probabilities lie between 0 and 1."},
        ),
        Step("The level of the covariance,", "beyond:b6-level"),
        Step("on the event.", "beyond:b6-level-on-the-event"),
        Step("The mean.", "rgm:b6-mean-corrected"),
        Step("rho.", "rgm:b6-closed-form"),
    ),
    mutants=(
        Mutant("one delta", ge(_holds, 1 - delta)),
        Mutant("any number kept", hypotheses=_ALL_OF_IT[1:]),
        Mutant(
            "without the regularisation",
            hypotheses=(
                *_ALL_OF_IT[:2],
                Hypothesis(
                    "the records",
                    Implies(gt(_p, _root_of_all / sqrt(2)), ge(_lambda, _rho_c - _kept_deviation)),
                ),
                *_ALL_OF_IT[4:],
            ),
        ),
        Mutant("the event for nothing", hypotheses=tuple(h for h in _ALL_OF_IT if h is not _BY_UNION)),
    ),
)
