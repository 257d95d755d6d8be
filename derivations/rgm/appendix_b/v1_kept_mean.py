r"""Version 1, Appendix B.6: the mean of the kept covariance, and the number $\rho$.

The means are conditional ones, which the printed integrals are not.
"""

from sympy import gamma as gamma_function

from rgm_verify.lenses.distributions.mechanisms import Y

from ...theorems import FUNDAMENTAL, TOWER
from ..gaussian_notation import *
from ..gaussian_releases import RECORD, kept_square, of_readings, of_tails
from ..notation import NOTATION, d
from .v1_kept_records import omega, p, page as _v1_kept_records

page = Page("rgm-v1", "App. B.6", GAUSSIAN_NOTATION, NOTATION, _v1_kept_records)
_W = positive("w", "R_c^2/2")
_half = _W.symbol
_unnormalised = named(r"P[\chi^2_4 \le R_c^2]", 1 - exp(-_half) * (1 + _half))
_kept_plane = named(r"P[\chi^2_2 \le R_c^2]", 1 - exp(-_half))

conditional = page.at("last display, first line, and v1 (70)", "V1P3.6a V1P3.6c").identity(
    "rgm-v1:b6-mean",
    "The mean of the kept covariance, as printed",
    eq(_unnormalised / _kept_plane, _unnormalised),
    r"In the plane with $\Sigma$ the identity, over the records inside.",
    outputs=of_tails({exp(-_half): (2 * _half, 2)}, {_half: Integer(1)}),
    over=(_W,),
    instance=r"Dimension 2 with $\Sigma = I$.",
    reading=r"A mean over the $|I_c|$ records inside is a conditional one: $\mathbb E[XX^\top 1\{\text{inside}\}]/p$, $p = 1 - e^{-R_c^2/2}$.",
    mistake=("wrong constant", "rgm:b6-mean-corrected"),
)

_weighted = page.real("m", r"$z^\top\mathbb E[XX^\top 1\{\text{inside}\}]z$ for a vector z")
_conditional_mean = page.real("c", "the mean over the records inside", latex=r"z^\top\mathbb E[A_c]z")
along_sigma = page.nonnegative("sigma", "z^T Sigma z", latex=r"(z^\top\Sigma z)")
_IS_MULTIPLE = Hypothesis(
    "the mean with the indicator",
    eq(_weighted, rho * along_sigma),
    "v1 (70), which is this mean",
    ("rgm:b5-symmetry", "rgm:b6-closed-form"),
)
_IS_CONDITIONAL = Hypothesis(
    "a mean over the records inside is a conditional one", eq(p * _conditional_mean, _weighted)
)

mean_lower = page.at("title of the last step", "V1P3.6d").inequality(
    "rgm:b6-mean-corrected",
    "The mean of the kept covariance is above a multiple of Sigma",
    both(eq(_conditional_mean, rho / p * along_sigma), ge(_conditional_mean, rho * along_sigma)),
    printed=r"\mathbb E[A_c]=\frac\rho p\Sigma\succcurlyeq\rho\Sigma",
    given=(_IS_MULTIPLE, _IS_CONDITIONAL),
    points={rho: (0, 3), along_sigma: (0, 3), _weighted: rho * along_sigma, _conditional_mean: rho * along_sigma / p},
    wrong={
        "equal": eq(_conditional_mean, rho * along_sigma),
        "below": le(_conditional_mean, rho * along_sigma),
        "any mean": without(_IS_MULTIPLE),
        "not conditional": without(_IS_CONDITIONAL),
    },
    steps=(
        Step(r"$X = \Sigma^{1/2}u$ is inside exactly if $|u|^2 \le R_c^2$.", "rgm:b4-whitening"),
        Step("The mean of the indicator times $uu^\\top$ is a multiple of the identity.", "rgm:b5-symmetry"),
        Step("That multiple is rho.", "rgm:b6-closed-form"),
        TOWER.quoted(
            "Given which records are inside, each of them has the conditional law, and so has their mean.",
            "The forms of records inside are bounded.",
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
    outputs=of_readings((Reading(_on_the_line, kept_square(Integer(2)), RECORD),), ({},)),
    wrong={"by one half": _in_the_plane + Rational(1, 2), "smaller": lt(_on_the_line, _in_the_plane)},
    reading=r"The dimension is fixed in Proposition 3 ($X \in \mathbb R^{d\times n}$), so that nothing printed is wrong: `rgm:b6-closed-form`.",
)

close = page.at("after v1 (70)", "V1P3.7").remark(
    "rgm-v1:b6-close-to-1",
    "rho of version 1 is close to 1",
    ge(distribution(v, d + 2), Rational(1, 2)),
    r"The left side is $\rho$.",
    outputs=of_readings((Reading(distribution(v, d + 2), kept_square(v), RECORD),), ({d: Integer(1), v: Integer(2)},)),
    given=Hypothesis("threshold", ge(v, 2 * d)),
    points={d: (1, 9), v: (2 + omega) * d},
    reading="Whatever close to 1 means, it is no farther from 1 than from 0; who asks for more is refuted by the same point.",
    mistake=("missing hypothesis", "rgm:b6-close-to-1-exact"),
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
    outputs=of_readings((Reading(_at_twice(1), kept_square(Integer(2)), RECORD),), ({},)),
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
    outputs=of_readings((Reading(_difference, Mean(1 - Y**2, (0, 1), 1 - Y**2), RECORD),), ({},)),
    wrong={"a tenth": le(_difference, Rational(1, 10)), "half": ge(_difference, Rational(1, 2))},
    steps=Step("The difference.", "beyond:b6-rho-as-a-difference"),
)

_degrees = page.positive("d", "dimension, or any positive number")
_ON_THE_LINE = tuple({v: value, _degrees: Integer(1)} for value in (Integer(2), Rational(1, 2)))


def _integral(probability: Expr, integrand: Expr) -> Formula:
    """The probability is the integral of the integrand from 0 to the squared threshold."""
    return both(eq(probability.diff(v), integrand), eq(At(probability, v, 0), 0))


_printed_integrand = v / _degrees * named("f_d(R_c^2)", density(v, _degrees))

closed_form = page.at("v1 (70)", "V1P3.4").identity(
    "rgm:b6-closed-form",
    "rho of version 1 is a chi-square probability",
    _integral(distribution(v, _degrees + 2), _printed_integrand),
    r"$f_d$ is the density of $\chi^2(d)$.",
    outputs=of_bounds(is_quantity(Of(kept_square(v), RECORD), distribution(v, _degrees + 2)), _ON_THE_LINE),
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
        FUNDAMENTAL.quoted(
            "The probability is the integral of its derivative.",
            "An incomplete gamma function is, and it is 0 at 0.",
            "Densities are continuous and positive on the positive numbers.",
        ),
    ),
    reading=r"The integral of (70) in polar coordinates, with $y = |u|^2$; the formula has the derivative in $R_c^2$ and the value at 0. So $\rho$ depends on $R_c$ and, in its own definition, on the dimension $d$ that is fixed with $X$; on neither $\Sigma$ nor $n$.",
)

as_difference = page.at("v1 (70)", source="beyond").identity(
    "beyond:b6-rho-as-a-difference",
    "How far rho of version 1 is from the distribution function",
    eq(
        distribution(v, _degrees).diff(v)
        - ((v / 2) ** (_degrees / 2) * exp(-v / 2) / gamma_function(_degrees / 2 + 1)).diff(v),
        distribution(v, _degrees + 2).diff(v),
    ),
    outputs=of_bounds(
        is_quantity(
            Of(kept_square(v), RECORD),
            distribution(v, _degrees) - (v / 2) ** (_degrees / 2) * exp(-v / 2) / gamma_function(_degrees / 2 + 1),
        ),
        _ON_THE_LINE,
    ),
    printed=r"P[\chi^2_{d+2}\le R_c^2]=P[\chi^2_d\le R_c^2]-\frac{(R_c^2/2)^{d/2}e^{-R_c^2/2}}{\Gamma(d/2+1)}",
    wrong={
        "no difference": left(distribution(v, _degrees).diff(v)),
        "one degree": left(distribution(v, _degrees + 1).diff(v)),
    },
    steps=FUNDAMENTAL.quoted(
        "Functions with one derivative and one value at 0 are equal.",
        "Incomplete gamma functions and powers with a positive exponent are continuous, and 0 at 0.",
        "The derivatives are densities, less a derivative that has one sign near 0.",
    ),
    reading=r"By the derivatives in $R_c^2$.",
)
