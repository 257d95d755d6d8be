r"""Appendix B.5, the statistic of the test for Gaussian features: its terms, how many records they take, and when the test answers.

The factor $\bar\rho$ is lost on the way, the noise is taken to be positive, and the condition on $n$ is off by a factor.
"""

from rgm_verify.lenses.distributions.mechanisms import Y, laplace

from ...theorems import CAUCHY_SCHWARZ
from ..gaussian_notation import *
from ..gaussian_releases import of_readings
from ..notation import NOTATION
from . import gaussian_features_worlds as worlds
from .gaussian_features import ON_THE_EVENT, clipped_form, mu_reg, page as _gaussian_features, sigma_form

page = Page("rgm-v2", "App. B.5", GAUSSIAN_NOTATION, NOTATION, _gaussian_features)
_beta = page.positive("beta", "share of rho-bar that is proposed", upper=1, upper_open=True)

share_printed = page.at("before v2 (75)", "P3.8a").inequality(
    "rgm-v2:b5-share",
    "How much lies above the proposed bound, as printed",
    ge(clipped_form - _beta * rho_bar * sigma_form, (1 - _beta) * sigma_form),
    r"How much $\tilde A$ exceeds $\beta\bar\rho\Sigma$, at every vector.",
    given=ON_THE_EVENT,
    by=(Smt(), Search(), worlds.SHARE_PRINTED.mapped(worlds.of_share, clipped_form, sigma_form, rho_bar, _beta)),
    reading=r"Printed for $\beta > 0$; here $\beta < 1$, as (75) divides by $1 - \beta$.",
    mistake=("wrong constant", "rgm:b5-share-corrected"),
    remark=r"It needs $\tilde A \succcurlyeq \Sigma$; clipping takes that away exactly by the factor $\bar\rho < 1$.",
)

share = page.at("before v2 (75)").correction(
    "rgm:b5-share-corrected",
    "How much lies above the proposed bound",
    ge(clipped_form - _beta * rho_bar * sigma_form, (1 - _beta) * rho_bar * sigma_form),
    given=ON_THE_EVENT,
    by=(Smt(), worlds.SHARE.mapped(worlds.of_share, clipped_form, sigma_form, rho_bar, _beta)),
    wrong={"without rho-bar": (1 - _beta) * sigma_form, "without the event": without()},
)

_FORM_2 = nonnegative("p", latex=r"\tilde X^\top(\tilde A-\rho C)^{-1}\tilde X")
_UNDER = nonnegative("s", r"for $y = (\tilde A-\rho C)^{-1}\tilde X$", latex=r"y^\top\Sigma y")
_form_2 = _FORM_2.symbol
_under = _UNDER.symbol
_CAUCHY = Hypothesis("Cauchy-Schwarz", le(_form_2**2, _under * m), "of y and X, in the norms of Sigma and its inverse")


def _above(factor: Expr) -> Hypothesis:
    return Hypothesis("order of the matrices", ge(_form_2, factor * _under), "both sides as forms at y")


_x = page.positive("x", "the record, in dimension 1")

inverse_printed = page.at("v2 (75)", "P3.8b").inequality(
    "rgm-v2:b5-inverse",
    "The terms of the statistic, as printed",
    le(_x**2 / (clipped_form - _beta * rho_bar * sigma_form), _x**2 / ((1 - _beta) * sigma_form)),
    "Printed for records of every dimension.",
    given=ON_THE_EVENT,
    by=(Smt(), Search(), worlds.TERMS_PRINTED),
    instance="Dimension 1.",
    mistake=("wrong constant", "rgm:b5-inverse-corrected"),
    printed=r"\tilde X^\top(\tilde A-\rho C)^{-1}\tilde X \le \frac{\tilde X^\top\Sigma^{-1}\tilde X}{1-\beta}",
)

_ORDER = _above((1 - _beta) * rho_bar)

inverse = page.at("v2 (75)").correction(
    "rgm:b5-inverse-corrected",
    "The terms of the statistic",
    chain(_form_2, "<=", m / ((1 - _beta) * rho_bar), "<=", v / ((1 - _beta) * rho_bar)),
    given=(_CAUCHY, _ORDER, Hypothesis("clipped", le(m, v))),
    by=(Smt(), worlds.TERMS.mapped(worlds.of_terms, _form_2, _under, m, rho_bar, _beta, v)),
    over=(_FORM_2, _UNDER),
    wrong={
        "without rho-bar": le(_form_2, m / (1 - _beta)),
        "without the order": without(_ORDER),
        "without clipping": without("clipped"),
    },
    steps=(
        CAUCHY_SCHWARZ.quoted(
            "In the norms of the covariance and of its inverse.",
            "It is that of $\\Sigma^{1/2}y$ and $\\Sigma^{-1/2}X$.",
        ),
        Step("Order of the matrices.", "rgm:b5-share-corrected"),
    ),
    reading=r"With $y = (\tilde A-\rho C)^{-1}\tilde X$: inverting reverses the order of matrices, by Cauchy-Schwarz.",
)

_count = page.nonnegative("k", "number of records in I_R")
_c = page.positive("c", "bound on the terms, over n")
_sum = page.nonnegative("S", "sum of the terms over n")

few_records = page.at("v2 (76)").correction(
    "rgm:b5-count",
    "How many records the sum takes",
    ge(_count * _c, 1),
    "Every term is at most $c$, and $k$ of them add up to 1.",
    given=(Hypothesis("each term from above", le(_sum, _count * _c)), Hypothesis("the sum reaches 1", ge(_sum, 1))),
    wrong={"twice as many": 2, "more than 1": gt(_count * _c, 1), "without the bound": without("each term from above")},
    reading=r"Given a bound on each term: printed is $c = R_c^2/(n(1-\beta))$, right is $R_c^2/(n(1-\beta)\bar\rho)$.",
)

_SHARE_OF_MEAN = positive("z").symbol

# Dimension 1, Sigma = 1: k of n records are at the threshold, the others are 0, so that A = k v/n + mu_reg.
_at_threshold = page.natural("k", "number of records at the threshold")
_reaching = page.natural("j", "number of records in I_R")
_line_mean = named(r"\bar\rho", clipped_mean(v, Integer(1)))
_line_matrix = named(r"\tilde A", _at_threshold * v / n + mu_reg)

from_below = page.at("v2 (76), first relation", "P3.8c").inequality(
    "rgm-v2:b5-from-below",
    "How many records the sum takes, as printed",
    ge(_reaching * v, n * (1 - _beta)),
    r"In dimension 1 with variance 1, $k$ records at the threshold and the others 0: $j$ of the terms add up to 1, and $jR_c^2/(n(1-\beta))$ is to be at least 1.",
    given=(
        Hypothesis("as many as there are", both(le(_reaching, _at_threshold), le(_at_threshold, n))),
        Hypothesis("the event", ge(_line_matrix, _line_mean), "v2 (69) and (74)"),
        Hypothesis(
            "regularisation", ge(n * mu_reg**2, 16 * v**2 * log(Integer(2))), "that of the proposition for some nu <= 1"
        ),
        Hypothesis("the sum reaches 1", ge(_reaching * v, n * (_line_matrix - _beta * _line_mean))),
    ),
    points={
        _at_threshold: (1000, 2000, 3 * _at_threshold),
        _SHARE_OF_MEAN: (0, Rational(1, 20)),
        _reaching: 2 * _at_threshold,
        n: 9 * _at_threshold,
        v: Integer(2),
        _beta: Rational(1, 2),
        mu_reg: Rational(1, 12) + _SHARE_OF_MEAN,
    },
    reading=r"(76) in the setting of Proposition 3, of data on the event of its proof. Its reason, a lower bound on each term, is a slip for the upper bound (75), whose factor $\bar\rho$ is missing.",
    mistake=("wrong constant", "rgm:b5-count"),
    remark="The number that (76) counts is too large by up to 1/rho-bar.",
)

_INTEGER = natural("k", "number of records")
_j = _INTEGER.symbol

ceiling_step = page.at("v2 (76)", "P3.8d").identity(
    "rgm:b5-ceiling",
    "The smallest number of records is a ceiling",
    Iff(both(ge(_j * _c, 1), lt((_j - 1) * _c, 1)), both(lt(_j - 1, 1 / _c), le(1 / _c, _j))),
    r"So the first integer is $\lceil 1/c\rceil$.",
    over=(_INTEGER,),
    wrong={
        "strict": Iff(both(gt(_j * _c, 1), le((_j - 1) * _c, 1)), both(lt(_j - 1, 1 / _c), le(1 / _c, _j))),
        "floor": Iff(both(ge(_j * _c, 1), lt((_j - 1) * _c, 1)), both(le(_j, 1 / _c), lt(1 / _c, _j + 1))),
    },
    remark=r"If $1/c > n$ there are not enough records and the minimum is over nothing. With $> n$, as in (68), it would be $\lfloor 1/c\rfloor + 1$.",
)

_z = page.real("z", "the Laplace noise")
_COUNTED = Hypothesis("count", ge(distance, n * (1 - _beta) / v), "v2 (76)")

noise_printed = page.at("v2 (77), first relation", "P3.9a").inequality(
    "rgm-v2:b5-noise-is-positive",
    "The noisy statistic is at least the statistic",
    ge(distance + _z, distance),
    "$z$ is the noise of the test.",
    reading="Laplace noise has every real number in its range, and either sign with probability 1/2.",
    mistake=("false", "beyond:ptr-acceptance"),
    printed=r"\hat\Delta = \Delta_+ + {\rm Lap}(\varepsilon^{-1}) \ge \Delta_+",
)

threshold = page.at("v2 (77), last two relations", "P3.9a").inequality(
    "rgm:b5-threshold",
    "The statistic reaches the threshold of the test",
    chain(distance, ">=", n * (1 - _beta) / v, ">=", log_delta / epsilon),
    r"The threshold of the test is $-\log(\delta)/\varepsilon$.",
    given=(Hypothesis("records", ge(n, log_delta * v / ((1 - _beta) * epsilon)), "before v2 (77)"), _COUNTED),
    wrong={
        "half of the records": changed(
            hypotheses=(_COUNTED, Hypothesis("half", ge(2 * n, log_delta * v / ((1 - _beta) * epsilon))))
        ),
        "twice the threshold": ge(distance, 2 * log_delta / epsilon),
    },
    reading="(76) is taken as printed, without the factor rho-bar that it lacks.",
)

_g = page.nonnegative("g", "Delta_+ less the threshold of the test")

always = page.at("after v2 (77)", "P3.9b").remark(
    "rgm-v2:b5-always",
    "The test always returns a value",
    le(named(r"P[\text{reject}]", rejection(_g)), 0),
    r"It rejects with probability 0 if $\Delta_+$ is at least the threshold.",
    outputs=of_readings(
        (Reading(rejection(_g), Chance(-Y), laplace(_g, _g, 1 / epsilon)),),
        ({_g: Rational(1, 2), epsilon: Integer(1)},),
    ),
    steps="beyond:ptr-acceptance",
    reading="The test rejects if the noisy statistic is at most its threshold.",
    mistake=("false", "beyond:ptr-acceptance"),
    remark="On the threshold itself, which is all that the condition on n gives, every second run rejects.",
)

half_share = page.at("after v2 (77), against Section 5.4, Proposition 3", "P3.9c").remark(
    "rgm-v2:b5-beta-one-half",
    "One half for beta gives the condition of Proposition 3",
    eq(log_delta * v / ((1 - Rational(1, 2)) * epsilon), log_delta * v / (2 * epsilon)),
    "On the left stands the condition of the proof, on the right that of Proposition 3.",
    mistake=("misprint", "rgm:b5-beta-one-half-corrected"),
    remark="The proposition asks for a quarter of the records that its proof uses.",
)

half_share_corrected = page.at("after v2 (77)").correction(
    "rgm:b5-beta-one-half-corrected",
    "The condition at one half",
    both(
        eq(At(log_delta * v / ((1 - _beta) * epsilon), _beta, Rational(1, 2)), 2 * log_delta * v / epsilon),
        eq(2 * log_delta * v / epsilon, printed(lambda: 4 * (log_delta * v / (2 * epsilon)))),
    ),
    "The condition of the proof asks for four times the printed number of records.",
    by=(Identity(), Smt()),
    wrong={
        "as printed": eq(2 * log_delta * v / epsilon, log_delta * v / (2 * epsilon)),
        "twice": eq(2 * log_delta * v / epsilon, 2 * (log_delta * v / (2 * epsilon))),
    },
)
