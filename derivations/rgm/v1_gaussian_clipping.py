r"""Version 1, Proposition 3 and Appendix B.6: Gaussian data, records outside of an ellipsoid dropped.

The means are conditional ones, which the printed integrals are not; the deviations are those of $n_c$ records, not of $n$. The lower
bound stands all the same: where the regularisation alone does not give it, many records are kept.
"""

from collections.abc import Callable

from sympy import Expr, Integer, Max, Min, Rational, erf, erfc, exp, log, sqrt
from sympy import gamma as gamma_function

from rgm_verify.claims import *
from rgm_verify.claims.formula import Formula
from rgm_verify.claims.rendering import expression_latex
from rgm_verify.lenses import *

from .. import looseness
from ..theorems import FUNDAMENTAL, HOEFFDING, INDUCTION, MATRIX_BERNSTEIN, TOWER
from .gaussian_notation import *
from .notation import NOTATION, d, delta

page = Page("rgm-v1", "App. B.6", GAUSSIAN_NOTATION, NOTATION)


_p = page.positive("p", "probability that a record is kept", upper=1)

_k = page.nonnegative("k", "number of records in I_C", latex="|I_C|")
_j = page.nonnegative("j", "number of records inside of the ellipsoid")
_omega = page.positive("omega", "share that is kept", upper=1)

_ENOUGH_INSIDE = Hypothesis("inside", ge(_j, _omega * n))

subset = page.elsewhere("Section 5.3, Proposition 3", "V1P3.1").definition(
    "rgm-v1:b6-subset",
    "A subset of the records inside",
    ge(_k, _omega * n),
    "$I_C$ is any subset of the records inside of the ellipsoid.",
    given=(Hypothesis("subset", le(_k, _j)), _ENOUGH_INSIDE),
    category="misprint",
    corrected="rgm:b6-equality",
    remark="The empty set is a subset. The proof takes all records inside, and needs to: a choice that looks at the data spoils the independence too.",
)

equality = page.elsewhere("Section 5.3, Proposition 3").correction(
    "rgm:b6-equality",
    "All records inside",
    ge(_k, _omega * n),
    "$I_C$ holds all records inside of the ellipsoid.",
    given=(Hypothesis("all of them", eq(_k, _j)), _ENOUGH_INSIDE),
    points={n: (1, 100), t: (0, None), _j: _omega * n + t, _k: _omega * n + t},
    wrong={"a subset": changed(hypotheses=(Hypothesis("subset", le(_k, _j)), _ENOUGH_INSIDE)), "twice": 2 * _omega * n},
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
    printed=r"|I_C|\ge\omega n,\quad\omega=P[\chi^2(d)\le R_c^2]-\frac{\sqrt{\log(\delta^{-1})}}{2n}",
    given=(
        Hypothesis("two are needed", gt(4 * _kept_line - sqrt(log(1 / delta)) / 2, 1)),
        Hypothesis("enough records", ge(4, 4 * log(2 / delta) / 9)),
    ),
    points={v: (Rational(1, 3), Rational(3, 5)), delta: (Rational(1, 50), Rational(1, 5))},
    scope="instance",
    missing="Four records in dimension 1.",
    reading=r"Where $\omega n > 1$, so that 0 or 1 record is too few: $(1-p)^4 + 4p(1-p)^3$ with $p = P[\chi^2_1 \le R_c^2]$.",
    category="misprint",
    corrected="rgm:b6-hoeffding",
    remark=r"The proof has $\sqrt{\log(1/\delta)/(2n)}$, of the order of $1/\sqrt n$ as it must be.",
)

_log = page.nonnegative("x", "log(1/delta)", latex=r"\log(1/\delta)")

_hoeffding = named("k", n * _p - sqrt(n * _log / 2))
hoeffding = page.at("step 1").correction(
    "rgm:b6-hoeffding",
    "The share of the records that is kept",
    eq(2 * n * (_p - _hoeffding / n) ** 2, _log),
    r"With probability at least $1-\delta$ the number kept is at least $k$, which is $\omega n$.",
    by=(Identity(), Smt()),
    wrong={
        "the printed omega": left(2 * n * (sqrt(_log) / (2 * n)) ** 2),
        "n for 2n": left(n * (_p - _hoeffding / n) ** 2),
    },
    steps=(
        Step(
            "The bound on the probability.",
            theorem=HOEFFDING,
            met={"independent": "The records are drawn independently.", "bounded": "An indicator is 0 or 1."},
        ),
    ),
    reading=r"In logarithms; $\omega = p - \sqrt{\log(1/\delta)/(2n)}$, and $P(|I_c| \le k) \le e^{-2n(p-k/n)^2}$ for $k \le np$.",
)

_EVEN = Hypothesis("one record is needed", gt(_kept_line - sqrt(log(1 / delta) / 2), 0))
with_probability = page.at("plan, item 1, and step 1", "V1P3.3a V1P3.3d").remark(
    "rgm-v1:b6-with-probability-delta",
    "With probability delta, as printed",
    le(_kept_line, delta),
    r"For one record in dimension 1, and the printed $k$ of $p - \sqrt{\log(1/\delta)/2}$.",
    printed=r"P(|I_c|\ge k)\le\delta",
    given=_EVEN,
    points={v: (2, 6), delta: (Rational(1, 5), 1)},
    scope="instance",
    missing="One record.",
    reading=r"Where $0 < k \le 1$: the record is kept with the probability $p = P[\chi^2_1 \le R_c^2]$.",
    category="misprint",
    corrected="rgm:b6-hoeffding",
    remark=r"$1-\delta$ is meant, and at least.",
)

_BETWEEN_0_AND_1 = positive("p", "probability that a record is kept", upper=1, upper_open=True)
_count = page.natural("i", "number of records inside")
_outside = page.natural("j", "number of records outside")


def _binomial(inside: Expr, outside: Expr) -> Expr:
    """The binomial probability that so many records are inside and so many are not."""
    ways = gamma_function(inside + outside + 1) / (gamma_function(inside + 1) * gamma_function(outside + 1))
    return named(rf"P_{{{inside},{outside}}}", ways * _p**inside * (1 - _p) ** outside)


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
    _one_more(_p, _binomial),
    "So it is for no record, and the last of the records is inside with probability $p$, independently of the others.",
    printed=r"P(|I_c|=i)=\binom nip^i(1-p)^{n-i},\quad p=P[\chi^2(d)\le R_c^2]",
    over=(_BETWEEN_0_AND_1,),
    wrong={
        "half of the share": _one_more(_p / 2, _binomial),
        "no multiplicities": _one_more(_p, lambda inside, outside: _p**inside * (1 - _p) ** outside),
        "arrangements": _one_more(
            _p, lambda inside, outside: _binomial(inside, outside) * gamma_function(inside + outside + 1)
        ),
    },
    steps=(
        Step("The law of the quadratic form.", "rgm:b4-whitening"),
        Step("It is chi-square.", "rgm:b5-shells"),
        Step(
            "One record after the other.",
            theorem=INDUCTION,
            met={"start": "The first equation.", "step": "The other equations."},
        ),
    ),
    reading=r"For $I_c$ all records inside; $n = i + j$. The last two equations are those where all records are inside, and where none is.",
)

complement = page.at("step 1", "V1P3.3c").inequality(
    "rgm-v1:b6-complement",
    "Hoeffding's inequality without its condition",
    both(eq(_p, 1 - Integer(1)), ge(_p, 1 - exp(-2 * (_p - 1) ** 2))),
    "For one record, and $k$ of 1.",
    printed=r"P(|I_c|\ge k)=1-P(|I_c|\le k)\ge1-e^{-2n(p-k/n)^2}",
    scope="instance",
    missing="One record and $k = 1$.",
    category="missing hypothesis",
    corrected="rgm:b6-hoeffding",
    remark=r"The complement is $|I_c| < k$, and the bound needs $k \le np$; $k$ is below $np$ where it is used.",
)

_e = page.nonnegative("e", "E of the squared norm of S_k - E S_k", latex=r"\mathbb E\|S_k-\mathbb ES_k\|^2")

_EACH = Hypothesis("each summand", le(_e, (2 * v * L / n_c) ** 2), "v1 (66), first relation")

_fourth_line = 3 * distribution(v, Integer(5)) / _kept_line
_mean_line = named(r"\mathbb EX^2", distribution(v, Integer(3)) / _kept_line)
_variance_line = named(r"\mathbb EX^4", _fourth_line) - _mean_line**2
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
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$.",
    reading=r"$\mathbb EX^4 = 3P[\chi^2_5 \le R_c^2]/p$ and $\mathbb EX^2 = P[\chi^2_3 \le R_c^2]/p$ for a record inside, $p = P[\chi^2_1 \le R_c^2]$.",
    category="wrong constant",
    corrected="rgm:b6-variance-corrected",
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
    given=_EACH,
    over=(t,),
    wrong={"half": le(n_c * _e, 2 * L**2 * v**2 / n_c), "n_c squared": le(n_c * _e, 4 * L**2 * v**2 / n_c**2)},
    steps=(
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
)

# Dimension 1, Sigma = 1: X^2 given X^2 <= v has mean P[chi2(3) <= v]/P[chi2(1) <= v]. One record inside, of n, which is
# the likeliest number where n p is about 1, and X^2 <= w there: n P[X^2 <= w] (1 - p)^(n-1).
_w = page.positive("w", "a level below the mean")

_gap = named("t", _mean_line - _w)


def _alone_and_below(level: Expr) -> Expr:
    """The probability that one record of n is inside, and its square at most `level`."""
    return n * named(rf"P[X^2 \le {expression_latex(level)}]", erf(sqrt(level / 2))) * (1 - _kept_line) ** (n - 1)


_BELOW_MEAN = Hypothesis("below the mean", gt(_gap, 0))
_LOW_CHART = Chart(
    {_S_PART: (Rational(1, 2), 2), _k: (0, Rational(1, 10)), n: (900, 3000)},
    {v: _S_PART**2 / n**2, _w: _k * _S_PART**2 / n**2},
)
_LINE_READING = (
    r"The left side is at least the probability that one record is inside and $X^2 \le w$ there, with $w = \mathbb EX^2 - t$; the mean is that of a "
    r"record inside. Given that any record is inside, it is larger still."
)

tail_printed = page.at("v1 (67)", "V1P3.5e").inequality(
    "rgm-v1:b6-deviation",
    "The deviation of the kept records, as printed",
    le(_alone_and_below(_w), 2 * exp(-n * _gap**2 / (8 * v**2 + 4 * v * _gap / 3))),
    r"In dimension 1 with $\Sigma$ of 1.",
    printed=r"P(\|A_c-\mathbb E[A_c]\|\ge t)\le2d\exp\Big(-\frac{nt^2}{8L^2R_c^4+4LR_c^2t/3}\Big)",
    given=_BELOW_MEAN,
    points=_LOW_CHART,
    scope="instance",
    missing=r"One record kept of n, in dimension 1 with $\Sigma = 1$.",
    reading=_LINE_READING,
    category="wrong constant",
    corrected="rgm:b6-variance-corrected",
    remark=r"The exponent has $n$ for the number $n_c$ of records inside.",
)

simplified_printed = page.at("v1 (68)", "V1P3.5f").inequality(
    "rgm-v1:b6-simplified",
    "The deviation of the kept records, simplified, as printed",
    le(_alone_and_below(_w), 2 * exp(-n * _gap**2 / (16 * v**2))),
    r"In dimension 1 with $\Sigma$ of 1.",
    printed=r"P(\|A_c-\mathbb E[A_c]\|\ge t)\le2d\exp\Big(-\frac{nt^2}{16L^2R_c^4}\Big)",
    given=(_BELOW_MEAN, Hypothesis("moderate deviation", le(_gap, 6 * v), "v1 (68)")),
    points=_LOW_CHART,
    reading=_LINE_READING,
    category="wrong constant",
    corrected="beyond:b6-simplified",
    remark=r"The exponent has $n$ for the number $n_c$ of records inside. That (68) is weaker than (67) is true: `rgm:b5-simplified`.",
)

simplified = page.elsewhere("replaces App. B.6, v1 (68)", source="beyond").correction(
    "beyond:b6-simplified",
    "For moderate deviations of the kept records the exponent is quadratic",
    ge(n_c * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3), n_c * t**2 / (16 * L**2 * v**2)),
    given=Hypothesis("moderate deviation", le(t, 6 * L * v)),
    over=(t,),
    wrong={"12 for 16": n_c * t**2 / (12 * L**2 * v**2), "without the condition": without()},
    steps=(Step("The exponent for the records inside.", "rgm:b6-variance-corrected"),),
    reading=r"Given which records are inside.",
)

_t_line = named("t", 4 * v * sqrt(ell / n))
concentration_printed = page.at("v1 (65) and (69)", "V1P3.5c V1P3.5g").inequality(
    "rgm-v1:b6-concentration",
    "The deviation that is exceeded with probability delta, as printed",
    le(_alone_and_below(_mean_line - _t_line), 2 * exp(-ell)),
    r"In dimension 1 with $\Sigma$ of 1.",
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
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$, and the event that one record alone is inside and far below the mean.",
    reading=_LINE_READING,
    category="wrong constant",
    corrected="rgm:b6-concentration-corrected",
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

_W = positive("w", "R_c^2/2")
_half = _W.symbol
_unnormalised = named(r"P[\chi^2_4 \le R_c^2]", 1 - exp(-_half) * (1 + _half))
_kept_plane = named(r"P[\chi^2_2 \le R_c^2]", 1 - exp(-_half))
conditional = page.at("last display, first line, and v1 (70)", "V1P3.6a V1P3.6c").identity(
    "rgm-v1:b6-mean",
    "The mean of the kept covariance, as printed",
    eq(_unnormalised / _kept_plane, _unnormalised),
    r"In the plane with $\Sigma$ the identity, over the records inside.",
    over=(_W,),
    scope="instance",
    missing=r"Dimension 2 with $\Sigma = I$.",
    reading=r"A mean over the $|I_c|$ records inside is a conditional one: $\mathbb E[XX^\top 1\{\text{inside}\}]/p$, $p = 1 - e^{-R_c^2/2}$.",
    category="wrong constant",
    corrected="rgm:b6-mean-corrected",
)

_weighted = page.real("m", r"$z^\top\mathbb E[XX^\top 1\{\text{inside}\}]z$ for a vector z")
_conditional_mean = page.real("c", "the mean over the records inside", latex=r"z^\top\mathbb E[A_c]z")
_along_sigma = page.nonnegative("sigma", "z^T Sigma z", latex=r"(z^\top\Sigma z)")

_IS_MULTIPLE = Hypothesis(
    "the mean with the indicator",
    eq(_weighted, rho * _along_sigma),
    "v1 (70), which is this mean",
    ("rgm:b5-symmetry", "rgm:b6-closed-form"),
)
_IS_CONDITIONAL = Hypothesis(
    "a mean over the records inside is a conditional one", eq(_p * _conditional_mean, _weighted)
)

mean_lower = page.at("title of the last step", "V1P3.6d").inequality(
    "rgm:b6-mean-corrected",
    "The mean of the kept covariance is above a multiple of Sigma",
    both(eq(_conditional_mean, rho / _p * _along_sigma), ge(_conditional_mean, rho * _along_sigma)),
    printed=r"\mathbb E[A_c]=\frac\rho p\Sigma\succcurlyeq\rho\Sigma",
    given=(_IS_MULTIPLE, _IS_CONDITIONAL),
    points={
        rho: (0, 3),
        _along_sigma: (0, 3),
        _weighted: rho * _along_sigma,
        _conditional_mean: rho * _along_sigma / _p,
    },
    wrong={
        "equal": eq(_conditional_mean, rho * _along_sigma),
        "below": le(_conditional_mean, rho * _along_sigma),
        "any mean": without(_IS_MULTIPLE),
        "not conditional": without(_IS_CONDITIONAL),
    },
    steps=(
        Step(r"$X = \Sigma^{1/2}u$ is inside exactly if $|u|^2 \le R_c^2$.", "rgm:b4-whitening"),
        Step("The mean of the indicator times $uu^\\top$ is a multiple of the identity.", "rgm:b5-symmetry"),
        Step("That multiple is rho.", "rgm:b6-closed-form"),
        Step(
            "Given which records are inside, each of them has the conditional law, and so has their mean.",
            theorem=TOWER,
            met={"integrable": "The forms of records inside are bounded."},
        ),
    ),
    reading="Along every vector z, in every dimension; the mean is that given that some records are inside.",
)

_on_the_line, _in_the_plane = (distribution(Integer(2), Integer(k)) for k in (3, 4))

depends = page.at("after v1 (70)").remark(
    "rgm-v1:b6-depends-only-on-the-threshold",
    "rho of version 1 depends on the dimension besides",
    gt(_on_the_line, _in_the_plane + Rational(1, 10)),
    r"$\rho$ in dimensions 1 and 2, at one threshold.",
    wrong={"by one half": _in_the_plane + Rational(1, 2), "smaller": lt(_on_the_line, _in_the_plane)},
    reading=r"The dimension is fixed in Proposition 3 ($X \in \mathbb R^{d\times n}$), so that nothing printed is wrong: `rgm:b6-closed-form`.",
)

close = page.at("after v1 (70)", "V1P3.7").remark(
    "rgm-v1:b6-close-to-1",
    "rho of version 1 is close to 1",
    ge(distribution(v, d + 2), Rational(1, 2)),
    r"The left side is $\rho$.",
    given=Hypothesis("threshold", ge(v, 2 * d)),
    points={d: (1, 9), _omega: (0, 1), v: (2 + _omega) * d},
    reading="Whatever close to 1 means, it is no farther from 1 than from 0; who asks for more is refuted by the same point.",
    category="missing hypothesis",
    corrected="rgm:b6-close-to-1-exact",
    remark=r"At $R_c^2 = 2d$ it is 0.428 for $d = 1$ and 0.594 for $d = 2$.",
)


def _at_twice(dimension: int) -> Expr:
    return distribution(Integer(2 * dimension), Integer(dimension + 2))


close_exact = page.at("after v1 (70)").correction(
    "rgm:b6-close-to-1-exact",
    "rho of version 1 at R_c^2 = 2d",
    both(
        *(le(_at_twice(i), Rational(9, 10)) for i in range(1, 8)),
        *(ge(_at_twice(i), Rational(9, 10)) for i in range(8, 13)),
        *(ge(_at_twice(i), Rational(2, 5)) for i in range(1, 8)),
    ),
    r"The left sides are $\rho$ in dimensions 1 to 12.",
    printed=r"\rho\le\tfrac9{10}\ (d\le7),\quad\rho\ge\tfrac9{10}\ (8\le d\le12),\quad\rho\ge\tfrac25\ (d\le12)",
    wrong={
        "from d = 7": ge(_at_twice(7), Rational(9, 10)),
        "one half in dimension 1": ge(_at_twice(1), Rational(1, 2)),
    },
)

slightly = page.at("after v1 (70)", "V1P3.6e").remark(
    "rgm-v1:b6-slightly-different",
    "rho is slightly different from the distribution function",
    says=r"Without $|u|^2/d$ the integral of (70) would be $P[\chi^2_d \le R_c^2]$; with it, it is slightly different.",
    informal="How much slightly is, of a number or of an expression, is not said. The difference itself is exact: beyond:b6-rho-as-a-difference.",
    remark="In dimension 1 the two differ by up to 0.484 (beyond:b6-difference-of-rho).",
)

_difference = distribution(Integer(1), Integer(1)) - distribution(Integer(1), Integer(3))

difference_of_rho = page.at("after v1 (70)", source="beyond").numeric(
    "beyond:b6-difference-of-rho",
    "How far rho and the distribution function are apart in dimension 1",
    both(ge(_difference, Rational(48, 100)), le(_difference, Rational(49, 100))),
    wrong={"a tenth": le(_difference, Rational(1, 10)), "half": ge(_difference, Rational(1, 2))},
    steps=(Step("The difference.", "beyond:b6-rho-as-a-difference"),),
)

_degrees = page.positive("d", "dimension, or any positive number")


def _integral(probability: Expr, integrand: Expr) -> Formula:
    """The probability is the integral of the integrand from 0 to the squared threshold."""
    return both(eq(probability.diff(v), integrand), eq(At(probability, v, 0), 0))


_printed_integrand = v / _degrees * named("f_d(R_c^2)", density(v, _degrees))
closed_form = page.at("v1 (70)", "V1P3.4").identity(
    "rgm:b6-closed-form",
    "rho of version 1 is a chi-square probability",
    _integral(distribution(v, _degrees + 2), _printed_integrand),
    r"$f_d$ is the density of $\chi^2(d)$.",
    printed=r"\rho=\frac1{d(2\pi)^{d/2}}\int_{\mathbb R^d}\mathbb 1\{\|u\|^2\le R_c^2\}\|u\|^2e^{-\|u\|^2/2}du=P[\chi^2_{d+2}\le R_c^2]",
    wrong={
        "no difference": _integral(distribution(v, _degrees), _printed_integrand),
        "one degree": _integral(distribution(v, _degrees + 1), _printed_integrand),
        "without 1/d": _integral(distribution(v, _degrees + 2), _degrees * _printed_integrand),
        "another value at 0": _integral(distribution(v, _degrees + 2) + 1, _printed_integrand),
    },
    steps=(
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
    reading=r"The integral of (70) in polar coordinates, with $y = |u|^2$; the formula has the derivative in $R_c^2$ and the value at 0. So $\rho$ depends on "
    r"$R_c$ and, in its own definition, on the dimension $d$ that is fixed with $X$; on neither $\Sigma$ nor $n$.",
)

as_difference = page.at("v1 (70)", source="beyond").identity(
    "beyond:b6-rho-as-a-difference",
    "How far rho of version 1 is from the distribution function",
    eq(
        distribution(v, _degrees).diff(v)
        - ((v / 2) ** (_degrees / 2) * exp(-v / 2) / gamma_function(_degrees / 2 + 1)).diff(v),
        distribution(v, _degrees + 2).diff(v),
    ),
    printed=r"P[\chi^2_{d+2}\le R_c^2]=P[\chi^2_d\le R_c^2]-\frac{(R_c^2/2)^{d/2}e^{-R_c^2/2}}{\Gamma(d/2+1)}",
    wrong={
        "no difference": left(distribution(v, _degrees).diff(v)),
        "one degree": left(distribution(v, _degrees + 1).diff(v)),
    },
    steps=(
        Step(
            "Functions with one derivative and one value at 0 are equal.",
            theorem=FUNDAMENTAL,
            met={
                "antiderivative": "Incomplete gamma functions and powers with a positive exponent are continuous, and 0 at 0.",
                "integrable": "The derivatives are densities, less a derivative that has one sign near 0.",
            },
        ),
    ),
    reading=r"By the derivatives in $R_c^2$.",
)

_ETA_LINE = Hypothesis("a record at the threshold", ge(v, rho))
eta_printed = page.elsewhere("Section 5.3, Proposition 3", "V1P3.8").proposition(
    "rgm-v1:b6-sensitivity",
    "Proposition 3 of version 1: the relative sensitivity, as printed",
    le(v / (rho * n), named(r"\eta", 6 * v**2 / (rho**2 * n**2))),
    "A record at the threshold is replaced by 0, in dimension 1.",
    printed=r"\eta=\frac{6R_c^4\kappa}{\rho^2n^2}",
    given=_ETA_LINE,
    scope="instance",
    missing="Dimension 1.",
    category="wrong constant",
    corrected="rgm:b6-sensitivity-corrected",
    remark=r"$\eta^2$ is meant, as in version 2. With it the constant is still too small where less than $n/\sqrt6$ records are kept: the mean over $|I_C|$ of them moves by $1/|I_C|$, not $1/n$.",
)

_kappa = page.real("kappa", "condition number of Sigma", lower=1)

_sigma = page.positive("sigma", "z^T Sigma z for a vector z", latex=r"(z^\top\Sigma z)")
_of_record = page.nonnegative("a", "(z . X)^2, of one record", latex=r"(z\cdot X)^2")
_of_other = page.nonnegative("b", "(z . X')^2, of another one", latex=r"(z\cdot X')^2")
_of_mean = page.nonnegative("c", "mean of (z . X_i)^2 over n_c records inside", latex=r"z^\top A_Cz")

_ALL_INSIDE = tuple(
    Hypothesis(
        f"{name} inside", le(value, v * _sigma), "Cauchy-Schwarz in the norm of Sigma, X^T Sigma^(-1) X <= R_c^2"
    )
    for name, value in (("the record is", _of_record), ("the other one is", _of_other), ("the rest is", _of_mean))
)
_most = v * _sigma / n_c

change_of_mean = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-change-of-the-mean",
    "How far one record moves the kept covariance",
    both(
        le((_of_record - _of_other) / n_c, _most),
        le((_of_other - _of_record) / n_c, _most),
        le((n_c * _of_mean + _of_record) / (n_c + 1) - _of_mean, _most),
        le(_of_mean - (n_c * _of_mean + _of_record) / (n_c + 1), _most),
    ),
    r"Whether a record inside is replaced by one inside, leaves $n_c + 1$ of them or comes to $n_c$, the kept covariances differ by at most "
    r"$R_c^2\Sigma/n_c$, in both directions.",
    given=_ALL_INSIDE,
    points=Chart(
        {_sigma: (0, 4), v: (0, 4), n_c: (1, 9), _of_record: (0, 1), _of_other: (0, 1), _of_mean: (0, 1)},
        {s: s * v * _sigma for s in (_of_record, _of_other, _of_mean)},
    ),
    wrong={
        "half": le((_of_record - _of_other) / n_c, _most / 2),
        "a record outside": changed(hypotheses=_ALL_INSIDE[1:]),
        "over n_c + 1 where one leaves": le((_of_record - _of_other) / n_c, v * _sigma / (n_c + 1)),
    },
    reading="Along every vector z; n_c is the smaller number of the two neighbours.",
)

_moved = page.nonnegative("p", "|(A_C' - A_C) A_C^(-1) g|, g the gradient")
_g2 = page.nonnegative("G", "|g|^2", latex=r"\|\nabla f\|^2")
_rest = page.nonnegative("w", "distance of the two gradients at the minimiser")

_MOVES = Hypothesis(
    "the relative part",
    le(rho**2 * n_c**2 * _moved**2, _kappa * v**2 * _g2),
    "A_C >= rho Sigma, and the change of the kept covariance",
    by=("beyond:b6-change-of-the-mean", "beyond:ridge-relative-part"),
)
eta_corrected = page.elsewhere("Section 5.3, Proposition 3").correction(
    "rgm:b6-sensitivity-corrected",
    "Proposition 3 of version 1: the relative sensitivity",
    le(
        named(r"\|\nabla f-\nabla f'\|^2", (_moved + _rest) ** 2),
        named(r"\eta^2", 6 * _kappa * v**2 / (rho**2 * n_c**2)) * _g2 + named(r"R_{rel}^2", 3 * _rest**2),
    ),
    "For every neighbour, records dropped; $n_c$ is the smaller number of records kept.",
    given=_MOVES,
    points={
        _g2: (0, 9),
        _rest: (0, 3),
        v: (0, 4),
        rho: (0, 3),
        n_c: (1, 9),
        _kappa: (1, 9),
        _moved: v * sqrt(_kappa * _g2) / (rho * n_c),
    },
    wrong={
        "1 for 6": _kappa * v**2 / (rho**2 * n_c**2) * _g2 + 3 * _rest**2,
        "without the condition number": le(_moved**2, v**2 / (rho**2 * n_c**2) * _g2),
        "without the order": without(),
    },
    steps=(
        Step("The change of the kept covariance.", "beyond:b6-change-of-the-mean"),
        Step("The relative part.", "beyond:ridge-relative-part"),
    ),
    reading=r"$R_{rel}^2$ is three times the squared distance of the gradients at the minimiser. The neighbour may have a record replaced, and one that enters or leaves the "
    r"ellipsoid changes $n_c$ by 1. At the neighbour the same holds if its own $A_C'$ is above $\rho\Sigma$.",
)

_y = page.real("y", "log(2n/delta)", lower=Rational(2, 3))

comparison = page.elsewhere("Section 5.3, after Proposition 3", "V1P3.9").remark(
    "rgm:b6-comparison",
    "Clipping replaces the logarithm by a constant",
    le(named(r"\eta^2", 6 * _kappa * (2 * d) ** 2 / (rho**2 * n**2)), 150 * _kappa * d**2 / n**2),
    r"There is no logarithm, where Proposition 1 has $216\,\kappa(d/n)^2\log(2n/\delta)^2$.",
    given=Hypothesis("rho", ge(rho, Rational(2, 5))),
    wrong={"100 for 150": 100 * _kappa * d**2 / n**2, "without rho": without()},
    remark="The regularisation keeps its log(2d/delta), and all records are taken to be kept.",
    tightness=looseness.SHARE,
)

_least = page.positive("s", "square of the smallest record, in dimension 1")

_rho_line = distribution(v, Integer(3))
adversarial = page.elsewhere("Section 5.3, Proposition 3", source="beyond").remark(
    "rgm-v1:proposition-3-subset",
    "Proposition 3 of version 1 for any subset",
    ge(named(r"P[X^2 > s]", erfc(sqrt(_least / 2))) ** n, 1 - 3 * delta),
    "$I_C$ is the smallest record alone, in dimension 1.",
    given=Hypothesis(
        "small regularisation", gt(_rho_line, _least + named(r"\mu_{\rm reg}", 4 * v * sqrt(log(2 / delta) / n)))
    ),
    points={v: (1, 2), _least: (0, Rational(1, 10)), delta: (Rational(1, 100), Rational(1, 5)), n: (10000, 100000)},
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$.",
    reading=r"$I_C \subset$ taken at its word, which is a misprint (`rgm-v1:b6-subset`). $A_C \ge \rho$ implies $X^2 > s$ for every record if $s + \mu_{\rm reg} < \rho$, of probability $P[\chi^2_1 > s]^n$.",
    category="missing hypothesis",
    corrected="rgm:b6-covariance",
)

_ROOT = nonnegative("x", "sqrt(log(2d/delta)/n)", latex=r"\sqrt{\ell/n}")
_ry = page.nonnegative("y", "sqrt(log(2d/delta)/n_c)", latex=r"\sqrt{\ell/n_c}")
_r = page.nonnegative("r", "sqrt(2 rho_c) R_c")
_rho_c = page.positive("rho_c", "mean of the kept covariance in units of Sigma, rho/p")
_rx = _ROOT.symbol
_MANY_KEPT = Hypothesis(
    "as many are kept as Hoeffding says",
    le(_ry**2 * (_p - _rx / sqrt(2)), _rx**2),
    "n_c >= n p - sqrt(n log(1/delta)/2), and log(1/delta) <= log(2d/delta)",
    by=("rgm:b6-hoeffding",),
)
_IS_ROOT = Hypothesis("r", eq(_r**2, 2 * _rho_c * v))
_MEAN_INSIDE = Hypothesis("rho_c at most R_c^2", le(_rho_c, v), "rho_c <= R_c^2/d, a mean of |u|^2/d inside")
_deviation = named("t", _r * _ry + Rational(2, 3) * v * _ry**2)

on_the_event = page.elsewhere("Section 5.3, Proposition 3; App. B.6", source="beyond").inequality(
    "beyond:b6-on-the-event",
    "The kept covariance where enough records are kept and their covariance deviates little",
    either(ge(4 * v * _rx, _p * _rho_c), ge(_rho_c - _deviation + 4 * v * _rx, _p * _rho_c)),
    r"Either $\mu_{\rm reg}I$ alone is above $\rho\Sigma$, or the deviation $t$ from the mean $\rho_c\Sigma$ is small enough.",
    given=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE),
    points=Chart(
        {_rx: (0, Rational(1, 3)), _p: (0, 1), v: (0, 4), _rho_c: (0, 1), _ry: (0, 1)},
        {
            _rho_c: _rho_c * v,
            _r: v * sqrt(2 * _rho_c),
            _rx: _rx * _p * _rho_c,
            _ry: _ry * _rx * _p * _rho_c / sqrt(_p - _rx * _p * _rho_c / sqrt(2)),
        },
    ),
    over=(_ROOT,),
    wrong={
        "a quarter of the regularisation": either(
            ge(v * _rx, _p * _rho_c), ge(_rho_c - _deviation + v * _rx, _p * _rho_c)
        ),
        "any number kept": without(_MANY_KEPT),
        "the whole mean": either(ge(4 * v * _rx, _rho_c), ge(_rho_c - _deviation, _rho_c)),
    },
    steps=(Step("How many are kept.", "rgm:b6-hoeffding"),),
    reading=r"In units of $\Sigma$, where $\mu_{\rm reg}I \succcurlyeq 4R_c^2\sqrt{\ell/n}\,\Sigma$; $\rho = p\rho_c$.",
)

# Summands are u u^T/n_c for records inside, in units of Sigma.
_one_form = page.nonnegative("e_1", "for |w| = 1", latex=r"(w^\top\mathbb E[S]w)")
_its_square = page.nonnegative("e_2", "for |w| = 1", latex=r"(w^\top\mathbb E[S^2]w)")

_dev = page.nonnegative("t", "the deviation, sqrt(2 rho_c v ell/n_c) + 2 v ell/(3 n_c)")

_kept_deviation = named("t", sqrt(2 * _rho_c * v * ell / n_c) + Rational(2, 3) * v * ell / n_c)
_SQUARED_FORM = Hypothesis("S^2 is at most |S| S", le(_its_square, v / n_c * _one_form), "|u|^2 <= R_c^2")
_MEAN_FORM = Hypothesis(
    "the mean of a summand", eq(_one_form, _rho_c / n_c), "E u u^T = rho_c I inside", ("rgm:b6-mean-corrected",)
)

deviation_inside = page.elsewhere("replaces App. B.6, v1 (65) to (69)", source="beyond").inequality(
    "beyond:b6-deviation",
    "The exponent of matrix Bernstein for the records inside",
    both(
        le(n_c * _its_square, _rho_c * v / n_c),
        ge(_kept_deviation**2 / 2, ell * (_rho_c * v / n_c + v / n_c * _kept_deviation / 3)),
    ),
    r"Given which $n_c$ records are inside, their covariance, in units of $\Sigma$, deviates by more than $t$ with probability at most $2d\,e^{-\ell}$, which is $\delta$: the first part has the variance, the second the exponent.",
    given=(_SQUARED_FORM, _MEAN_FORM),
    points=Chart(
        {v: (0, 4), _rho_c: (0, 4), ell: (0, 4), n_c: (1, 9), _its_square: (0, 1)},
        {_one_form: _rho_c / n_c, _its_square: _its_square * v * _rho_c / n_c**2},
    ),
    wrong={
        "half of the variance": le(n_c * _its_square, _rho_c * v / (2 * n_c)),
        "without the linear term": ge(
            2 * _rho_c * v * ell / n_c / 2, ell * (_rho_c * v / n_c + v / n_c * sqrt(2 * _rho_c * v * ell / n_c) / 3)
        ),
        "any summand": without(_SQUARED_FORM),
    },
    steps=(
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
    reading="Bernstein's exponent is multiplied out. For every number of records from 1 on.",
)

_kept_form = page.nonnegative("q", "for a vector z", latex=r"z^\top A_Cz")
_inside_form = page.nonnegative("m", "mean of (z . X_i)^2 over the records inside")
_z_length = page.nonnegative("W", "|z|^2", latex=r"\|z\|^2")
_regular = page.positive("mu_reg", "regularisation")

_IS_KEPT = Hypothesis("A_C", eq(_kept_form, _inside_form + _regular * _z_length), "Section 5.3")
_DEVIATES = Hypothesis("the deviation in units of Sigma", ge(_inside_form, (_rho_c - _dev) * _along_sigma), "the event")
_LARGEST_OF_SIGMA = Hypothesis("the largest eigenvalue of Sigma", le(_along_sigma, L * _z_length))

level_on_event = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-level",
    "How far the kept covariance is above Sigma",
    both(ge(_kept_form, _regular / L * _along_sigma), ge(_kept_form, (_rho_c - _dev + _regular / L) * _along_sigma)),
    r"The first holds always, the second where the records inside deviate by at most $t\Sigma$ from their mean.",
    printed=r"A_C\succcurlyeq\frac{\mu_{\rm reg}}L\Sigma,\qquad A_C\succcurlyeq\Big(\rho_c-t+\frac{\mu_{\rm reg}}L\Big)\Sigma",
    given=(_IS_KEPT, _DEVIATES, _LARGEST_OF_SIGMA),
    points=Chart(
        {_along_sigma: (0, 1), L: (0, 3), _regular: (0, 3), _rho_c: (0, 3), _dev: (0, 1), _z_length: (0, 3)},
        {
            _along_sigma: _along_sigma * L * _z_length,
            _dev: _dev * _rho_c,
            _inside_form: _rho_c * (1 - _dev) * _along_sigma * L * _z_length,
            _kept_form: _rho_c * (1 - _dev) * _along_sigma * L * _z_length + _regular * _z_length,
        },
    ),
    wrong={
        "the regularisation for L": ge(_kept_form, _regular * _along_sigma),
        "the whole mean": ge(_kept_form, (_rho_c + _regular / L) * _along_sigma),
        "any records": without(_DEVIATES),
        "any spectrum": without(_LARGEST_OF_SIGMA),
    },
    reading="Along every vector z, in every dimension.",
)

_lambda = page.nonnegative("lambda", "the largest number with A_C above lambda Sigma, at its least on the event")


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

lowest_level = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-level-on-the-event",
    "The level of the kept covariance on the event",
    ge(_lambda, _p * _rho_c),
    "On the event as many records are kept as Hoeffding says, and they deviate as Bernstein says.",
    given=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE, *_LEVELS),
    by=Deduction((Premise("beyond:b6-on-the-event"),)),
    points=Chart(
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
    over=(_ROOT,),
    wrong={
        "the whole mean": _rho_c,
        "any number kept": without(_MANY_KEPT),
        "the records alone": changed(hypotheses=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE, _LEVELS[1])),
    },
    steps=(Step("Either way.", "beyond:b6-on-the-event"),),
    reading=r"Where $p \le x/\sqrt2$, no record need be kept, and the regularisation is enough.",
)

_event = page.real("E", "probability of the event: enough are kept, and they deviate little", lower=0, upper=1)
_holds = page.real("P", "probability", lower=0, upper=1, latex=r"P(A_C\succcurlyeq\rho\Sigma)")
_few = page.real("f", "probability that fewer are kept than Hoeffding says", lower=0, upper=1)
_far = page.real("g", "probability that those kept deviate by more", lower=0, upper=1)

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

covariance = page.elsewhere("Section 5.3, Proposition 3; App. B.6", "V1P3.5a V1P3.5b NB06").proposition(
    "rgm:b6-covariance",
    "Proposition 3 of version 1: the kept covariance is above a multiple of Sigma",
    chain(_holds, ">=", 1 - 2 * delta, ">=", 1 - 3 * delta),
    r"With the printed $\rho$ and $\mu_{\rm reg}$.",
    given=_ALL_OF_IT,
    by=Deduction(
        (Premise("beyond:b6-level-on-the-event", {_rx: sqrt(ell / n), _ry: sqrt(ell / n_c), _r: sqrt(2 * _rho_c * v)}),)
    ),
    points=Chart(
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
    wrong={
        "one delta": ge(_holds, 1 - delta),
        "any number kept": changed(hypotheses=_ALL_OF_IT[1:]),
        "without the regularisation": changed(
            hypotheses=(
                *_ALL_OF_IT[:2],
                Hypothesis(
                    "the records", Implies(gt(_p, _root_of_all / sqrt(2)), ge(_lambda, _rho_c - _kept_deviation))
                ),
                *_ALL_OF_IT[4:],
            )
        ),
        "the event for nothing": changed(hypotheses=tuple(h for h in _ALL_OF_IT if h is not _BY_UNION)),
    },
    steps=(
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
    reading=r"$\ell = \log(2d/\delta)$. $I_C$ is the set of all records inside ($\subset$ is a misprint, see `rgm-v1:b6-subset`); of an empty one $A_C = \mu_{\rm reg}I$. $n_c$ is the least number of them on the "
    r"event, or 1. $\rho = p\rho_c$ depends on $R_c$ and the dimension (`rgm:b6-closed-form`). That $n \ge \frac49\ell$ is not needed.",
    remark=r"The proof printed, with $n$ for $n_c$, does not give it. That such clipping works where data 'look Gaussian' is an expectation.",
)
