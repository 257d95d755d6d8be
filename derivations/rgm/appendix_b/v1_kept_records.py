r"""Version 1, Appendix B.6: how many records an ellipsoid keeps, and how far their covariance deviates from its mean.

The deviations are those of the $n_c$ records that are kept, not of $n$.
"""

from sympy import gamma as gamma_function

from rgm_verify.claims.written.rendering import expression_latex

from ...theorems import HOEFFDING, INDUCTION, MATRIX_BERNSTEIN
from ..gaussian_notation import *
from ..gaussian_releases import RECORD, kept, of_readings
from ..notation import NOTATION, delta

page = Page("rgm-v1", "App. B.6", GAUSSIAN_NOTATION, NOTATION)
p = page.positive("p", "probability that a record is kept", upper=1)
_k = page.nonnegative("k", "number of records in I_C", latex="|I_C|")
_j = page.nonnegative("j", "number of records inside of the ellipsoid")
omega = page.positive("omega", "share that is kept", upper=1)
_ENOUGH_INSIDE = Hypothesis("inside", ge(_j, omega * n))

subset = page.elsewhere("Section 5.3, Proposition 3", "V1P3.1").definition(
    "rgm-v1:b6-subset",
    "A subset of the records inside",
    ge(_k, omega * n),
    "$I_C$ is any subset of the records inside of the ellipsoid.",
    given=(Hypothesis("subset", le(_k, _j)), _ENOUGH_INSIDE),
    mistake=("misprint", "rgm:b6-equality"),
    remark="The empty set is a subset. The proof takes all records inside, and needs to: a choice that looks at the data spoils the independence too.",
)

equality = page.elsewhere("Section 5.3, Proposition 3").correction(
    "rgm:b6-equality",
    "All records inside",
    ge(_k, omega * n),
    "$I_C$ holds all records inside of the ellipsoid.",
    given=(Hypothesis("all of them", eq(_k, _j)), _ENOUGH_INSIDE),
    points={n: (1, 100), _j: omega * n + t, _k: omega * n + t},
    wrong={"a subset": changed(hypotheses=(Hypothesis("subset", le(_k, _j)), _ENOUGH_INSIDE)), "twice": 2 * omega * n},
)

_kept_line = distribution(v, Integer(1))
_S_PART = positive("z", "R_c, or R_c n").symbol


def _per_kept(root: Expr) -> Expr:
    """About how many records there are for one that is inside of a small ellipsoid, in dimension 1."""
    return 1 / (Rational(4, 5) * root)


omega_printed = page.elsewhere("Section 5.3, Proposition 3", "V1P3.2").proposition(
    "rgm-v1:b6-omega",
    "The share of the records that is kept, as printed",
    le((1 - _kept_line) ** 4 + 4 * _kept_line * (1 - _kept_line) ** 3, 3 * delta),
    r"Fewer than $\omega n$ of 4 records in dimension 1 are kept.",
    outputs=of_readings((Reading(_kept_line, kept(v), RECORD),), ({v: Rational(9, 20), delta: Rational(1, 10)},)),
    printed=r"|I_C|\ge\omega n,\quad\omega=P[\chi^2(d)\le R_c^2]-\frac{\sqrt{\log(\delta^{-1})}}{2n}",
    given=(
        Hypothesis("two are needed", gt(4 * _kept_line - sqrt(log(1 / delta)) / 2, 1)),
        Hypothesis("enough records", ge(4, 4 * log(2 / delta) / 9)),
    ),
    points={v: (Rational(1, 3), Rational(3, 5)), delta: (Rational(1, 50), Rational(1, 5))},
    instance="Four records in dimension 1.",
    reading=r"Where $\omega n > 1$, so that 0 or 1 record is too few: $(1-p)^4 + 4p(1-p)^3$ with $p = P[\chi^2_1 \le R_c^2]$.",
    mistake=("misprint", "rgm:b6-hoeffding"),
    remark=r"The proof has $\sqrt{\log(1/\delta)/(2n)}$, of the order of $1/\sqrt n$ as it must be.",
)

_log = page.nonnegative("x", "log(1/delta)", latex=r"\log(1/\delta)")
_hoeffding = named("k", n * p - sqrt(n * _log / 2))

hoeffding = page.at("step 1").correction(
    "rgm:b6-hoeffding",
    "The share of the records that is kept",
    eq(2 * n * (p - _hoeffding / n) ** 2, _log),
    r"With probability at least $1-\delta$ the number kept is at least $k$, which is $\omega n$.",
    by=(Identity(), Smt()),
    wrong={
        "the printed omega": left(2 * n * (sqrt(_log) / (2 * n)) ** 2),
        "n for 2n": left(n * (p - _hoeffding / n) ** 2),
    },
    steps=HOEFFDING.quoted(
        "The bound on the probability.", "The records are drawn independently.", "An indicator is 0 or 1."
    ),
    reading=r"In logarithms; $\omega = p - \sqrt{\log(1/\delta)/(2n)}$, and $P(|I_c| \le k) \le e^{-2n(p-k/n)^2}$ for $k \le np$.",
)

with_probability = page.at("plan, item 1, and step 1", "V1P3.3a V1P3.3d").remark(
    "rgm-v1:b6-with-probability-delta",
    "With probability delta, as printed",
    le(_kept_line, delta),
    r"For one record in dimension 1, and the printed $k$ of $p - \sqrt{\log(1/\delta)/2}$.",
    outputs=of_readings((Reading(_kept_line, kept(v), RECORD),), ({v: Integer(2), delta: Rational(1, 2)},)),
    printed=r"P(|I_c|\ge k)\le\delta",
    given=Hypothesis("one record is needed", gt(_kept_line - sqrt(log(1 / delta) / 2), 0)),
    points={v: (2, 6), delta: (Rational(1, 5), 1)},
    instance="One record.",
    reading=r"Where $0 < k \le 1$: the record is kept with the probability $p = P[\chi^2_1 \le R_c^2]$.",
    mistake=("misprint", "rgm:b6-hoeffding"),
    remark=r"$1-\delta$ is meant, and at least.",
)

_BETWEEN_0_AND_1 = positive("p", "probability that a record is kept", upper=1, upper_open=True)
_count = page.natural("i", "number of records inside")
_outside = page.natural("j", "number of records outside")


def _binomial(inside: Expr, outside: Expr) -> Expr:
    """The binomial probability that so many records are inside and so many are not."""
    ways = gamma_function(inside + outside + 1) / (gamma_function(inside + 1) * gamma_function(outside + 1))
    return named(rf"P_{{{inside},{outside}}}", ways * p**inside * (1 - p) ** outside)


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


counting = page.at("step 1", "V1P3.3b").remark(
    "rgm:b6-binomial",
    "The number of records inside is binomial",
    _one_more(p, _binomial),
    "So it is for no record, and the last of the records is inside with probability $p$, independently of the others.",
    outputs=of_cases(
        Filled(
            (
                {v: Integer(1), _count: Integer(2), _outside: Integer(3)},
                {v: Integer(2), _count: Integer(1), _outside: Integer(1)},
            ),
            {p: Of(kept(v), RECORD)},
        )
    ),
    printed=r"P(|I_c|=i)=\binom nip^i(1-p)^{n-i},\quad p=P[\chi^2(d)\le R_c^2]",
    over=(_BETWEEN_0_AND_1,),
    wrong={
        "half of the share": _one_more(p / 2, _binomial),
        "no multiplicities": _one_more(p, lambda inside, outside: p**inside * (1 - p) ** outside),
        "arrangements": _one_more(
            p, lambda inside, outside: _binomial(inside, outside) * gamma_function(inside + outside + 1)
        ),
    },
    steps=(
        Step("The law of the quadratic form.", "rgm:b4-whitening"),
        Step("It is chi-square.", "rgm:b5-shells"),
        INDUCTION.quoted("One record after the other.", "The first equation.", "The other equations."),
    ),
    reading=r"For $I_c$ all records inside; $n = i + j$. The last two equations are those where all records are inside, and where none is.",
)

_as_many = page.real("P", "probability", lower=0, upper=1, latex=r"P(|I_c|\ge k)")
_fewer = page.real("F", "probability", lower=0, upper=1, latex=r"P(|I_c|<k)")
_at_most = page.real("Q", "probability", lower=0, upper=1, latex=r"P(|I_c|\le k)")
_bound = named(r"e^{-2n(p-k/n)^2}", exp(-2 * n * (p - _k / n) ** 2))
_COMPLEMENT = Hypothesis("one or the other", eq(_as_many + _fewer, 1))
_BY_HOEFFDING = Hypothesis("Hoeffding", le(_at_most, _bound), "k <= n p, as where it is used", by=("rgm:b6-hoeffding",))

_at_share = exp(-2 * n * (p - p * _k) ** 2)

complement = page.at("step 1", "V1P3.3c").inequality(
    "rgm-v1:b6-complement",
    "Hoeffding's inequality for the number kept",
    ge(_as_many, 1 - _bound),
    printed=r"P(|I_c|\ge k)=1-P(|I_c|\le k)\ge1-e^{-2n(p-k/n)^2}",
    outputs="a step between probabilities of any law; the tail is that of a quoted theorem",
    given=(_COMPLEMENT, Hypothesis("fewer than k is at most k", le(_fewer, _at_most)), _BY_HOEFFDING),
    by=combination((_as_many + _fewer - 1,), (_at_most - _fewer,), (_bound - _at_most,)),
    points={
        n: (1, 9),
        _k: (0, 1, n * p * _k),
        _at_most: (0, 1, _at_most * _at_share),
        _fewer: (0, 1, _fewer * _at_most * _at_share),
        _as_many: 1 - _fewer * _at_most * _at_share,
    },
    wrong={
        "half of it": 1 - _bound / 2,
        "without Hoeffding": without(_BY_HOEFFDING),
        "not a complement": without(_COMPLEMENT),
    },
    steps=Step("Hoeffding's inequality.", "rgm:b6-hoeffding"),
    reading=r"For $k \le np$, below which $k$ stays where it is used.",
    remark=r"The complement is $|I_c| < k$, not $|I_c| \le k$ as in the equation that is printed; the bound is the same.",
)

_e = page.nonnegative("e", "E of the squared norm of S_k - E S_k", latex=r"\mathbb E\|S_k-\mathbb ES_k\|^2")
_mean_line = named(r"\mathbb EX^2", distribution(v, Integer(3)) / _kept_line)
_variance_line = named(r"\mathbb EX^4", 3 * distribution(v, Integer(5)) / _kept_line) - _mean_line**2

variance_printed = page.at("v1 (66)", "V1P3.5d").inequality(
    "rgm-v1:b6-variance",
    "The sum of the variances over n, as printed",
    le(_variance_line / n_c, 4 * v**2 / n),
    "In dimension 1 the $n_c$ variances of $X_i^2/n_c$, for records inside, add up to the left side; $n_c$ is the expected number of records inside, rounded up.",
    printed=r"\sum_{i\in I_c}\mathbb E\|S_i-\mathbb E[S_i]\|^2\le\frac{4L^2R_c^4}n",
    given=(
        Hypothesis("as many as expected", both(ge(n_c, _kept_line * n), lt(n_c, _kept_line * n + 1))),
        Hypothesis("no more than there are", le(n_c, n)),
    ),
    points={_S_PART: (Rational(1, 1000), Rational(1, 50)), n_c: (1, 5), v: _S_PART**2, n: n_c * _per_kept(_S_PART)},
    instance=r"Dimension 1 with $\Sigma = 1$.",
    reading=r"$\mathbb EX^4 = 3P[\chi^2_5 \le R_c^2]/p$ and $\mathbb EX^2 = P[\chi^2_3 \le R_c^2]/p$ for a record inside, $p = P[\chi^2_1 \le R_c^2]$.",
    mistake=("wrong constant", "rgm:b6-variance-corrected"),
    remark=r"$n$ for $n_c$, up to $1/\omega$ times too small; carried on into (67), (68) and (69), and into $\mu_{\rm reg}$.",
)

variance = page.at("v1 (66) and (67)").correction(
    "rgm:b6-variance-corrected",
    "The sum of the variances, and the exponent",
    both(
        le(n_c * _e, 4 * L**2 * v**2 / n_c),
        eq(bernstein(t, 4 * L**2 * v**2 / n_c, 2 * v * L / n_c), n_c * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3)),
    ),
    "The left side of the first is the sum of the variances, that of the second Bernstein's exponent.",
    given=Hypothesis("each summand", le(_e, (2 * v * L / n_c) ** 2), "v1 (66), first relation"),
    wrong={"half": le(n_c * _e, 2 * L**2 * v**2 / n_c), "n_c squared": le(n_c * _e, 4 * L**2 * v**2 / n_c**2)},
    steps=MATRIX_BERNSTEIN.quoted(
        "The bound on the probability.",
        "Given which records are inside, they are independent.",
        "rgm:b5-largest-eigenvalue",
        "The first part of the formula.",
    ),
)

# Dimension 1, Sigma = 1: X^2 given X^2 <= v has mean P[chi2(3) <= v]/P[chi2(1) <= v]. One record inside, of n, which is
# the likeliest number where n p is about 1, and X^2 <= w there: n P[X^2 <= w] (1 - p)^(n-1).
_w = page.positive("w", "a level below the mean")
_gap = named("t", _mean_line - _w)


def _alone_and_below(level: Expr) -> Expr:
    """The probability that one record of n is inside, and its square at most `level`."""
    return n * named(rf"P[X^2 \le {expression_latex(level)}]", erf(sqrt(level / 2))) * (1 - _kept_line) ** (n - 1)


#: Where the printed bounds fail, and where few records show how many are inside.
_FEW_INSIDE = {
    v: Rational(1, 10**6),
    _w: Rational(5, 10**8),
    n: Integer(1000),
    ell: Rational(1000, 16) * Rational(29, 100) ** 2,
}
_MANY_INSIDE = {v: Rational(1, 2), _w: Rational(1, 20), n: Integer(400), ell: Rational(7, 10)}
_KEPT = Reading(_kept_line, kept(v), RECORD)

_BELOW_MEAN = Hypothesis("below the mean", gt(_gap, 0))
_LOW_CHART = {
    _S_PART: (Rational(1, 2), 2),
    _k: (0, Rational(1, 10)),
    n: (900, 3000),
    v: _S_PART**2 / n**2,
    _w: _k * _S_PART**2 / n**2,
}
_LINE_READING = r"The left side is at least the probability that one record is inside and $X^2 \le w$ there, with $w = \mathbb EX^2 - t$; the mean is that of a record inside. Given that any record is inside, it is larger still."

tail_printed = page.at("v1 (67)", "V1P3.5e").inequality(
    "rgm-v1:b6-deviation",
    "The deviation of the kept records, as printed",
    le(_alone_and_below(_w), 2 * exp(-n * _gap**2 / (8 * v**2 + 4 * v * _gap / 3))),
    r"In dimension 1 with $\Sigma$ of 1.",
    outputs=of_readings((_KEPT, Reading(erf(sqrt(_w / 2)), kept(_w), RECORD)), (_FEW_INSIDE,), (_MANY_INSIDE,)),
    printed=r"P(\|A_c-\mathbb E[A_c]\|\ge t)\le2d\exp\Big(-\frac{nt^2}{8L^2R_c^4+4LR_c^2t/3}\Big)",
    given=_BELOW_MEAN,
    points=_LOW_CHART,
    instance=r"One record kept of n, in dimension 1 with $\Sigma = 1$.",
    reading=_LINE_READING,
    mistake=("wrong constant", "rgm:b6-variance-corrected"),
    remark=r"The exponent has $n$ for the number $n_c$ of records inside.",
)

simplified_printed = page.at("v1 (68)", "V1P3.5f").inequality(
    "rgm-v1:b6-simplified",
    "The deviation of the kept records, simplified, as printed",
    le(_alone_and_below(_w), 2 * exp(-n * _gap**2 / (16 * v**2))),
    r"In dimension 1 with $\Sigma$ of 1.",
    outputs=of_readings((_KEPT, Reading(erf(sqrt(_w / 2)), kept(_w), RECORD)), (_FEW_INSIDE,), (_MANY_INSIDE,)),
    printed=r"P(\|A_c-\mathbb E[A_c]\|\ge t)\le2d\exp\Big(-\frac{nt^2}{16L^2R_c^4}\Big)",
    given=(_BELOW_MEAN, Hypothesis("moderate deviation", le(_gap, 6 * v), "v1 (68)")),
    points=_LOW_CHART,
    reading=_LINE_READING,
    mistake=("wrong constant", "beyond:b6-simplified"),
    remark=r"The exponent has $n$ for the number $n_c$ of records inside. That (68) is weaker than (67) is true: `rgm:b5-simplified`.",
)

simplified = page.elsewhere("replaces App. B.6, v1 (68)", source="beyond").correction(
    "beyond:b6-simplified",
    "For moderate deviations of the kept records the exponent is quadratic",
    ge(n_c * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3), n_c * t**2 / (16 * L**2 * v**2)),
    given=Hypothesis("moderate deviation", le(t, 6 * L * v)),
    wrong={"12 for 16": n_c * t**2 / (12 * L**2 * v**2), "without the condition": without()},
    steps=Step("The exponent for the records inside.", "rgm:b6-variance-corrected"),
    reading=r"Given which records are inside.",
)

_t_line = named("t", 4 * v * sqrt(ell / n))

concentration_printed = page.at("v1 (65) and (69)", "V1P3.5c V1P3.5g").inequality(
    "rgm-v1:b6-concentration",
    "The deviation that is exceeded with probability delta, as printed",
    le(_alone_and_below(_mean_line - _t_line), 2 * exp(-ell)),
    r"In dimension 1 with $\Sigma$ of 1.",
    outputs=of_readings(
        (_KEPT, Reading(erf(sqrt((_mean_line - _t_line) / 2)), kept(_mean_line - _t_line), RECORD)),
        (_FEW_INSIDE,),
        (_MANY_INSIDE,),
    ),
    printed=r"P\Big(\|A_c-\mathbb E[A_c]\|\ge4LR_c^2\sqrt{\tfrac{\log(2d/\delta)}n}\Big)\le\delta",
    given=(
        Hypothesis("below the mean", gt(_mean_line, _t_line)),
        Hypothesis("enough records", ge(9 * n, 4 * ell)),
        Hypothesis("a probability", ge(ell, log(2)), "delta <= 1"),
    ),
    points={
        _S_PART: (Rational(1, 2), 2),
        _k: (Rational(27, 100), Rational(31, 100)),
        n: (900, 3000),
        v: _S_PART**2 / n**2,
        ell: n * _k**2 / 16,
    },
    instance=r"Dimension 1 with $\Sigma = 1$, and the event that one record alone is inside and far below the mean.",
    reading=_LINE_READING,
    mistake=("wrong constant", "rgm:b6-concentration-corrected"),
    remark=r"The root has $n$ for the number $n_c$ of records inside, and with it $\mu_{\rm reg}$.",
)

_t_kept = named("t_c", 4 * L * v * sqrt(ell / n_c))
_t = positive("t").symbol
_exponent = n_c * _t**2 / (16 * L**2 * v**2)

concentration = page.at("v1 (65) and (69)").correction(
    "rgm:b6-concentration-corrected",
    "The deviation that is exceeded with probability delta",
    both(le(_t_kept, 6 * L * v), eq(At(_exponent, _t, _t_kept), ell)),
    r"The exponent of this deviation is $\ell$.",
    given=Hypothesis("enough kept", ge(9 * n_c, 4 * ell)),
    wrong={
        "half of the records": changed(hypotheses=(Hypothesis("half", ge(9 * n_c, 2 * ell)),)),
        "2 for 4": eq(At(_exponent, _t, _t_kept / 2), ell),
    },
)
