r"""Version 1, Proposition 3 and Appendix B.6: Gaussian data, records outside of an ellipsoid dropped.

The means are conditional ones, which the printed integrals are not; the deviations are those of $n_c$ records, not of $n$. Both slips leave the
lower bound standing where at least half of the records are kept.
"""

from sympy import Expr, Integer, Rational, binomial, erf, erfc, exp, log, sqrt
from sympy import gamma as gamma_function

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    both,
    eq,
    ge,
    gt,
    le,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Identity, Smt

from .. import looseness
from ..theorems import HOEFFDING, MATRIX_BERNSTEIN
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
    category="missing hypothesis",
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
    refs=("V1P3.2", "V1P3.3a", "V1P3.3c", "V1P3.3d"),
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
    reading=(
        r"In logarithms; $\omega = p - \sqrt{\log(1/\delta)/(2n)}$. Hoeffding's inequality $P(|I_c| \le k) \le e^{-2n(p-k/n)^2}$ for $k \le np$ is quoted."
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("the printed omega", eq(2 * n * (sqrt(_log) / (2 * n)) ** 2, _log)),
        Mutant("n for 2n", eq(n * (_p - _hoeffding / n) ** 2, _log)),
    ),
)

_EVEN = Hypothesis("one record is needed", gt(_p - sqrt(log(1 / delta) / 2), 0))
with_probability = Claim(
    id="rgm-v1:b6-with-probability-delta",
    refs=("V1P3.3a", "V1P3.3d"),
    title="With probability delta, as printed",
    scope="instance",
    missing="One record.",
    source=_V1,
    where=_B6 + ", plan, item 1, and step 1",
    kind="remark",
    statement=r"For one record, $P(|I_c| \ge k) \le \delta$ at $k = p - \sqrt{\log(1/\delta)/2}$.",
    variables=(_SHARE, DELTA),
    hypotheses=(_EVEN,),
    conclusion=le(_p, delta),
    reading="Where 0 < k <= 1: the record is kept with probability p.",
    category="misprint",
    corrected="rgm:b6-hoeffding",
    remark=r"$1-\delta$ is meant, and at least.",
)

_S = positive("s", "variable of the generating function")
_s = _S.symbol
_counts = tuple(binomial(3, i) * _p**i * (1 - _p) ** (3 - i) for i in range(4))
counting = Claim(
    id="rgm:b6-binomial",
    refs=("V1P3.3b",),
    title="The number of records inside is binomial",
    scope="instance",
    missing="Three records.",
    source=_V1,
    where=_B6 + ", step 1",
    kind="remark",
    statement=r"For three independent records $(1-p+ps)^3 = \sum_i P(|I_c| = i)s^i$ with binomial probabilities.",
    variables=(_SHARE, _S),
    conclusion=eq((1 - _p + _p * _s) ** 3, sum((c * _s**i for i, c in enumerate(_counts)), Integer(0))),
    reading=r"For $I_c$ all records inside, each with $p = P[\chi^2_d \le R_c^2]$.",
    checks=(Identity(), Smt()),
    derivation=(Step("The law of the quadratic form.", "rgm:b4-whitening"),),
    mutants=(
        Mutant(
            "four records", eq((1 - _p + _p * _s) ** 4, sum((c * _s**i for i, c in enumerate(_counts)), Integer(0)))
        ),
        Mutant("no multiplicities", eq((1 - _p + _p * _s) ** 3, (1 - _p) ** 3 + _p**3 * _s**3)),
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

variance_printed = Claim(
    id="rgm-v1:b6-variance",
    refs=("V1P3.5d",),
    title="The sum of the variances over n, as printed",
    scope="core",
    missing="That the summands are variances of clipped records: of this the formula keeps the bound on each.",
    source=_V1,
    where=_B6 + ", v1 (66)",
    kind="inequality",
    statement=r"$n_c$ variances of at most $(2R_c^2L/n_c)^2$ add up to at most $4L^2R_c^4/n$.",
    variables=(_VARIANCE, THRESHOLD, LARGEST, KEPT, RECORDS),
    hypotheses=(_KEPT_FEWER, _EACH),
    conclusion=le(n_c * _e, 4 * L**2 * v**2 / n),
    category="misprint",
    corrected="rgm:b6-variance-corrected",
    remark=r"$n$ for $n_c$, up to $1/\omega$ times too small; carried on into (67), (68) and (69).",
)

variance = Claim(
    id="rgm:b6-variance-corrected",
    refs=("V1P3.5d", "V1P3.5e"),
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
    remark="Given which records are inside, they are independent; Tropp's Corollary 6.1.2 is quoted.",
    mutants=(
        Mutant("half", le(n_c * _e, 2 * L**2 * v**2 / n_c)),
        Mutant("n_c squared", le(n_c * _e, 4 * L**2 * v**2 / n_c**2)),
    ),
)

# One record kept, dimension 1, Sigma = 1: X^2 given X^2 <= v has mean v' = P[chi2(3) <= v]/P[chi2(1) <= v].
_LOW = positive("w", "a level below the mean")
_w = _LOW.symbol
_mean_line = distribution(v, Integer(3)) / distribution(v, Integer(1))
_gap = _mean_line - _w

tail_printed = Claim(
    id="rgm-v1:b6-deviation",
    refs=("V1P3.5e",),
    title="The deviation of the kept records, as printed",
    scope="instance",
    missing=r"One record kept of n, in dimension 1 with $\Sigma = 1$.",
    source=_V1,
    where=_B6 + ", v1 (67)",
    kind="inequality",
    statement=r"With one record kept of $n$, in dimension 1 with $\Sigma = 1$: $P(|X^2 - \mathbb EX^2| \ge t) \le 2e^{-nt^2/(8R_c^4 + 4R_c^2t/3)}$.",
    reading=r"The left side is at least $P(X^2 \le w)$ with $w = \mathbb EX^2 - t$, given that $X^2 \le R_c^2$.",
    variables=(THRESHOLD, _LOW, RECORDS),
    hypotheses=(Hypothesis("below the mean", gt(_gap, 0)),),
    conclusion=le(erf(sqrt(_w / 2)) / erf(sqrt(v / 2)), 2 * exp(-n * _gap**2 / (8 * v**2 + 4 * v * _gap / 3))),
    sampling=Chart({v: (Rational(1, 2), 2), _w: (0, Rational(1, 5)), n: (100, 10000)}, {}),
    category="misprint",
    corrected="rgm:b6-variance-corrected",
)

_t_star = 4 * L * v * sqrt(ell / n)
concentration_printed = Claim(
    id="rgm-v1:b6-concentration",
    refs=("V1P3.5c", "V1P3.5g"),
    title="The deviation that is exceeded with probability delta, as printed",
    scope="core",
    missing="The probability: the formula compares the exponent that the proof gives with the one that is needed.",
    source=_V1,
    where=_B6 + ", v1 (65) and (69)",
    kind="inequality",
    statement=r"At $t = 4LR_c^2\sqrt{\ell/n}$, $\ell = \log(2d/\delta)$, the exponent $n_ct^2/(16L^2R_c^4)$ for $n_c$ records is at least $\ell$.",
    variables=(LOGARITHM, THRESHOLD, LARGEST, KEPT, RECORDS),
    hypotheses=(_KEPT_FEWER, Hypothesis("enough records", ge(9 * n, 4 * ell))),
    conclusion=ge(n_c * _t_star**2 / (16 * L**2 * v**2), ell),
    reading="Judged by what the proof gives for the records that there are.",
    category="misprint",
    corrected="rgm:b6-concentration-corrected",
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

mean_lower = Claim(
    id="rgm:b6-mean-corrected",
    refs=("V1P3.6d",),
    title="The mean of the kept covariance is above a multiple of Sigma",
    scope="core",
    missing=r"That the mean over the records inside is the stated multiple of $\Sigma$: the formula compares the two multiples.",
    source=_V1,
    where=_B6 + ", title of the last step",
    kind="correction",
    statement=r"$\mathbb E[A_c] = (\rho/p)\Sigma \succcurlyeq \rho\Sigma$.",
    variables=(PROPOSED, _SHARE),
    conclusion=ge(rho / _p, rho),
    checks=(Smt(),),
    derivation=(Step("Each direction has weight 1/d.", "rgm:b5-direction"),),
    mutants=(Mutant("equal", eq(rho / _p, rho)), Mutant("below", le(rho / _p, rho))),
)

depends = Claim(
    id="rgm-v1:b6-depends-only-on-the-threshold",
    refs=("V1P3.4",),
    title="What rho of version 1 depends on",
    source=_V1,
    where=_B6 + ", after v1 (70)",
    kind="remark",
    statement=r"$\rho = P[\chi^2_{d+2} \le R_c^2]$ is the same in dimension $d$ and in dimension $d+1$.",
    variables=(DIMENSION, THRESHOLD),
    conclusion=eq(distribution(v, d + 2), distribution(v, d + 3)),
    category="missing hypothesis",
    corrected="rgm:b6-closed-form",
    remark="It depends on the threshold and the dimension.",
)

close = Claim(
    id="rgm-v1:b6-close-to-1",
    refs=("V1P3.7",),
    title="rho of version 1 is close to 1",
    source=_V1,
    where=_B6 + ", after v1 (70)",
    kind="remark",
    statement=r"$\rho \ge 9/10$ for $R_c^2 \ge 2d$.",
    variables=(DIMENSION, THRESHOLD),
    hypotheses=(Hypothesis("threshold", ge(v, 2 * d)),),
    conclusion=ge(distribution(v, d + 2), Rational(9, 10)),
    sampling=Chart({d: (1, 9), _omega: (0, 1)}, {v: (2 + _omega) * d}),
    reading="Close to 1: within one tenth.",
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
    statement=r"$P[\chi^2_d \le R_c^2]$ exceeds $\rho = P[\chi^2_{d+2} \le R_c^2]$ by at most $1/10$.",
    variables=(DIMENSION, THRESHOLD),
    conclusion=le(distribution(v, d) - distribution(v, d + 2), Rational(1, 10)),
    sampling=Chart({d: (1, 9), v: (0, 10)}, {}),
    reading="Slightly: by at most one tenth.",
    category="false",
    corrected="rgm:b6-closed-form",
    remark=r"Without $|u|^2$ the integral would be $1/d$ times the distribution function, not the function itself.",
)

_DEGREES = positive("d", "dimension, or any positive number")
_degrees = _DEGREES.symbol
closed_form = Claim(
    id="rgm:b6-closed-form",
    refs=("V1P3.6e", "V1P3.6c"),
    title="rho of version 1 is a chi-square probability",
    scope="core",
    missing="The formula is the derivative in the squared threshold; both sides vanish at 0.",
    source=_V1,
    where=_B6 + ", v1 (70)",
    kind="correction",
    statement=r"$\rho = P[\chi^2_{d+2} \le R_c^2] = P[\chi^2_d \le R_c^2] - (R_c^2/2)^{d/2}e^{-R_c^2/2}/\Gamma(d/2+1)$.",
    variables=(_DEGREES, THRESHOLD),
    conclusion=eq(
        distribution(v, _degrees).diff(v)
        - ((v / 2) ** (_degrees / 2) * exp(-v / 2) / gamma_function(_degrees / 2 + 1)).diff(v),
        distribution(v, _degrees + 2).diff(v),
    ),
    reading="By beyond:chi-square-mean; judged is the derivative in the squared threshold of the second equation, whose sides vanish at 0.",
    checks=(Identity(),),
    derivation=(Step("The density.", "beyond:chi-square-mean"),),
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
    category="misprint",
    corrected="rgm:b6-sensitivity-corrected",
    remark=r"$\eta^2$ is meant, as in version 2; and the mean over $|I_C|$ records moves by $1/|I_C|$, not $1/n$.",
)

_WITHIN = nonnegative("x", "|A_0 A^(-1)| for a record")
_x = _WITHIN.symbol
_KAPPA = real("kappa", "condition number of Sigma", lower=1)
_kappa = _KAPPA.symbol
eta_corrected = Claim(
    id="rgm:b6-sensitivity-corrected",
    title="Proposition 3 of version 1: the relative sensitivity",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="correction",
    statement=r"$\eta^2 = 6\kappa R_c^4/(\rho^2n_c^2)$ with $n_c = |I_C|$, the same for both neighbours, bounds what three terms squared need.",
    variables=(_WITHIN, THRESHOLD, PROPOSED, KEPT, _KAPPA),
    hypotheses=(Hypothesis("relative norm", le(_x**2, _kappa * v**2 / rho**2)),),
    conclusion=le(3 * (_x**2 + _x**2) / n_c**2, 6 * _kappa * v**2 / (rho**2 * n_c**2)),
    reading="A record that enters or leaves the ellipsoid changes n_c, and then every record's share: clipping to it, as in version 2, avoids that.",
    checks=(Smt(),),
    derivation=(
        Step("The relative norm.", "rgm:b5-relative-norm"),
        Step("Three terms.", "rgm:proposition-3-sensitivity"),
    ),
    mutants=(
        Mutant("3 for 6", le(3 * (_x**2 + _x**2) / n_c**2, 3 * _kappa * v**2 / (rho**2 * n_c**2))),
        Mutant("without the condition number", le(6 * _x**2 / n_c**2, 6 * v**2 / (rho**2 * n_c**2))),
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
    refs=("V1P3.5a",),
    title="Proposition 3 of version 1 for any subset",
    scope="instance",
    missing=r"Dimension 1 with $\Sigma = 1$.",
    source=_V1,
    where="Section 5.3, Proposition 3",
    kind="proposition",
    statement=r"In dimension 1 with $\Sigma = 1$ and $I_C$ the smallest record alone, $A_C \ge \rho$ has probability at least $1-3\delta$.",
    reading=r"$A_C \ge \rho$ implies $X^2 > s$ for every record if $s + \mu_{\rm reg} < \rho$, of probability $P[\chi^2_1 > s]^n$.",
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
_STANDARD = nonnegative("r", "sqrt(2 rho_c) R_c, rho_c = rho/p")
_rx, _ry, _r = (x.symbol for x in (_ROOT, _KEPT_ROOT, _STANDARD))
_HALF_KEPT = Hypothesis("half are kept", le(_ry**2, 2 * _rx**2), "n_c >= n/2")
_RANGE = Hypothesis("enough records", le(_rx, Rational(3, 2)), "n >= 4 log(2d/delta)/9")
_RANGE_R = Hypothesis("rho_c at most R_c^2", le(_r**2, 2 * v**2), "rho_c <= R_c^2/d")

covariance = Claim(
    id="rgm:b6-covariance",
    refs=("V1P3.5b", "NB06"),
    title="Proposition 3 of version 1, where half of the records are kept",
    scope="core",
    missing="The probability, and the step from the deviation of the kept covariance to its order.",
    source=_V1,
    where="Section 5.3, Proposition 3; App. B.6",
    kind="correction",
    statement=(
        r"If $|I_C| \ge n/2$, for all records inside, the deviation $L(R_c\sqrt{2\rho_c\ell/n_c} + \frac23R_c^2\ell/n_c)$ of the kept covariance is at most the printed "
        r"$\mu_{\rm reg}$, so that $A_C \succcurlyeq (\rho/p)\Sigma \succcurlyeq \rho\Sigma$."
    ),
    variables=(_ROOT, _KEPT_ROOT, _STANDARD, THRESHOLD, LARGEST),
    hypotheses=(_HALF_KEPT, _RANGE, _RANGE_R),
    conclusion=le(L * (_r * _ry + Rational(2, 3) * v * _ry**2), 4 * L * v * _rx),
    reading=r"By the smaller variance of `beyond:b5-variance`, given which records are inside, with probability at least $1-\delta$.",
    remark=r"This is the form of Assumption 1 of which Section 5.3 speaks, for Gaussian data and with a probability. That it works where data 'look Gaussian' is an expectation.",
    checks=(Smt(),),
    derivation=(
        Step("How many are kept.", "rgm:b6-hoeffding"),
        Step("The deviation.", "beyond:b5-smaller-regularisation"),
        Step("The mean.", "rgm:b6-mean-corrected"),
    ),
    mutants=(
        Mutant("3 for 4", le(L * (_r * _ry + Rational(2, 3) * v * _ry**2), 3 * L * v * _rx)),
        Mutant("any number kept", hypotheses=(_RANGE, _RANGE_R)),
    ),
)
