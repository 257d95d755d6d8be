r"""Version 1, Proposition 3: the relative sensitivity of Gaussian data, records outside of an ellipsoid dropped.

$\eta^2$ is meant where $\eta$ is printed, and $n_c$ where $n$ is.
"""

from ... import looseness
from ..gaussian_notation import *
from ..notation import NOTATION, d, delta

page = Page("rgm-v1", "App. B.6", GAUSSIAN_NOTATION, NOTATION)

eta_printed = page.elsewhere("Section 5.3, Proposition 3", "V1P3.8").proposition(
    "rgm-v1:b6-sensitivity",
    "Proposition 3 of version 1: the relative sensitivity, as printed",
    le(v / (rho * n), named(r"\eta", 6 * v**2 / (rho**2 * n**2))),
    "A record at the threshold is replaced by 0, in dimension 1.",
    printed=r"\eta=\frac{6R_c^4\kappa}{\rho^2n^2}",
    given=Hypothesis("a record at the threshold", ge(v, rho)),
    instance="Dimension 1.",
    mistake=("wrong constant", "rgm:b6-sensitivity-corrected"),
    remark=r"$\eta^2$ is meant, as in version 2. With it the constant is still too small where less than $n/\sqrt6$ records are kept: the mean over $|I_C|$ of them moves by $1/|I_C|$, not $1/n$.",
)

_kappa = page.real("kappa", "condition number of Sigma", lower=1)
_sigma = page.positive("sigma", "z^T Sigma z for a vector z", latex=r"(z^\top\Sigma z)")
_of_record = page.nonnegative("a", "(z . X)^2, of one record", latex=r"(z\cdot X)^2")
_of_other = page.nonnegative("b", "(z . X')^2, of another one", latex=r"(z\cdot X')^2")
_of_mean = page.nonnegative("c", "mean of (z . X_i)^2 over n_c records inside", latex=r"z^\top A_Cz")
_most = named(r"R_c^2z^\top\Sigma z/n_c", v * _sigma / n_c)
_with_one_more = named(r"z^\top A_C'z", (n_c * _of_mean + _of_record) / (n_c + 1))

change_of_mean = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-change-of-the-mean",
    "How far one record moves the kept covariance",
    both(
        le((_of_record - _of_other) / n_c, _most),
        le((_of_other - _of_record) / n_c, _most),
        le(_with_one_more - _of_mean, _most),
        le(_of_mean - _with_one_more, _most),
    ),
    r"Whether a record inside is replaced by one inside, leaves $n_c + 1$ of them or comes to $n_c$, the kept covariances differ by at most $R_c^2\Sigma/n_c$, in both directions.",
    given=tuple(
        Hypothesis(
            f"{name} inside", le(value, v * _sigma), "Cauchy-Schwarz in the norm of Sigma, X^T Sigma^(-1) X <= R_c^2"
        )
        for name, value in (("the record is", _of_record), ("the other one is", _of_other), ("the rest is", _of_mean))
    ),
    points={_sigma: (0, 4), v: (0, 4), n_c: (1, 9)}
    | {s: (0, 1, s * v * _sigma) for s in (_of_record, _of_other, _of_mean)},
    wrong={
        "half": le((_of_record - _of_other) / n_c, _most / 2),
        "a record outside": without("the record is inside"),
        "over n_c + 1 where one leaves": le((_of_record - _of_other) / n_c, v * _sigma / (n_c + 1)),
    },
    reading="Along every vector z; n_c is the smaller number of the two neighbours.",
)

_moved = page.nonnegative("p", "|(A_C' - A_C) A_C^(-1) g|, g the gradient")
_g2 = page.nonnegative("G", "|g|^2", latex=r"\|\nabla f\|^2")
_rest = page.nonnegative("w", "distance of the two gradients at the minimiser")

eta_corrected = page.elsewhere("Section 5.3, Proposition 3").correction(
    "rgm:b6-sensitivity-corrected",
    "Proposition 3 of version 1: the relative sensitivity",
    le(
        named(r"\|\nabla f-\nabla f'\|^2", (_moved + _rest) ** 2),
        named(r"\eta^2", 6 * _kappa * v**2 / (rho**2 * n_c**2)) * _g2 + named(r"R_{rel}^2", 3 * _rest**2),
    ),
    "For every neighbour, records dropped; $n_c$ is the smaller number of records kept.",
    given=Hypothesis(
        "the relative part",
        le(rho**2 * n_c**2 * _moved**2, _kappa * v**2 * _g2),
        "A_C >= rho Sigma, and the change of the kept covariance",
        by=("beyond:b6-change-of-the-mean", "beyond:ridge-relative-part"),
    ),
    points={
        _g2: (0, 9),
        _rest: (0, 3),
        v: (0, 4),
        rho: (0, 3),
        (n_c, _kappa): (1, 9),
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
    reading=r"$R_{rel}^2$ is three times the squared distance of the gradients at the minimiser. The neighbour may have a record replaced, and one that enters or leaves the ellipsoid changes $n_c$ by 1. At the neighbour the same holds if its own $A_C'$ is above $\rho\Sigma$.",
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
    given=Hypothesis(
        "small regularisation", gt(_rho_line, _least + named(r"\mu_{\rm reg}", 4 * v * sqrt(log(2 / delta) / n)))
    ),
    points={v: (1, 2), _least: (0, Rational(1, 10)), delta: (Rational(1, 100), Rational(1, 5)), n: (10000, 100000)},
    instance=r"Dimension 1 with $\Sigma = 1$.",
    reading=r"$I_C \subset$ taken at its word, which is a misprint (`rgm-v1:b6-subset`). $A_C \ge \rho$ implies $X^2 > s$ for every record if $s + \mu_{\rm reg} < \rho$, of probability $P[\chi^2_1 > s]^n$.",
    mistake=("missing hypothesis", "rgm:b6-covariance"),
)
