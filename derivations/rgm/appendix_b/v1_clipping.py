r"""Version 1, Section 5.3: Assumption 1 and Proposition 2, with the chain (63) of Appendix B.5.

The constant is printed as $\eta$, where $\eta^2$ is meant; it lacks the condition number of C, as in version 2.
"""

from ..clipping_notation import *
from ..section_5.clipped_data import (
    AT_400,
    CHANGE2,
    CLIPPED_ON_LINE,
    COPIES,
    DATASETS,
    EXCHANGED,
    GRADIENT2,
    INSTANCE,
    ONE_EXCHANGED,
    SHIFT,
    page as _s5_clipped_data,
    printed_eta2,
)
from ..section_5.clipping import U, c, n, omega, page as _s5_clipping, reg, u, x, y

page = Page("rgm-v1", "§5.3", CLIPPING_NOTATION, _s5_clipping, _s5_clipped_data)
_square = page.nonnegative("X", "$|x|^2$", latex=r"\|A_0\|")
_solved = page.nonnegative("U", "$|A^{-1}x|^2$", latex=r"\|A^{-1}x\|^2")
_limit = page.positive("c_A", "bound on the norms of the matrices")
_positive_reg = page.positive("mu_reg", "regularization")
_searched = page.under(by=Search())

regularization = _searched.at("", "P1.10").inequality(
    "rgm-v1:regularization-alone",
    "Regularization and clipped norms, as an equality",
    eq(named(r"\|A_0A^{-1}\|^2", _square * _solved), _limit**2 / _positive_reg**2),
    printed=r"\|A_0A^{-1}\|=\frac{c_A}{\mu_{\rm reg}}",
    given=(
        Hypothesis("A >= mu_reg", le(_positive_reg**2 * _solved, _square)),
        Hypothesis("clipped", le(_square, _limit)),
    ),
    reading=r"$\|A_0A^{-1}\|^2 = |x|^2|A^{-1}x|^2$ is compared with the square of the right side.",
    mistake=("misprint", "beyond:regularization-alone"),
)

assumption = _searched.at("Assumption 1", "P1.7").remark(
    "rgm-v1:assumption-1",
    "Assumption 1, for any dataset",
    le(x**4 / c**2, radius**4),
    "A dataset of one point, in dimension 1.",
    reading=r"What $|I_C| \ge \omega n > 0$ asks of a dataset of copies of one point x, for any dataset $X \in \mathbb R^{d\times n}$ as printed.",
    instance="One point in dimension 1.",
    mistake=("false", "beyond:assumption-1-never-for-all-data"),
    remark="Whatever C and R_c are, there are datasets all of whose points are clipped: as printed nothing satisfies the assumption, and Proposition 2 of version 1 is empty. It can be meant for a restricted set of datasets only.",
)

any_matrix = _searched.at("after Assumption 1", "P1.11").remark(
    "rgm-v1:any-matrix-helps",
    "Any C other than I helps if rho/|C| exceeds the regularization",
    lt(named("R_c^4", x**4 / c**2) / level**2, x**4 / _positive_reg**2),
    "In dimension 1; the right side is the constant of the regularization alone.",
    given=(Hypothesis("not the identity", ne(c, 1)), Hypothesis("printed condition", gt(level / c, _positive_reg))),
    reading=r"Better values of $\eta$ than $c_A/\mu_{reg}$, at a point of length x that is just not clipped. Any covariance $A \ge \rho c$, $A \ge \mu_{reg}$ will do.",
    instance="Dimension 1.",
    mistake=("false", "beyond:helpful-matrix"),
    remark=r"The condition is not even invariant under $C \to sC$, $\rho \to \rho/s$. What is needed is $\rho\lambda_{min}(C) > \mu_{reg}$; $\rho\|C\| > \mu_{reg}$ is not enough either in more dimensions.",
)

_printed_eta = named(r"\eta", 6 * radius**4 / (level**2 * (4 * COPIES.symbol) ** 2))

v1_proposition = _searched.at("Proposition 2", "P1.6").proposition(
    "rgm-v1:proposition-2",
    "Version 1's Proposition 2: relative sensitivity of clipped data",
    either(le(CHANGE2, _printed_eta**2 * GRADIENT2), le(CHANGE2, _printed_eta * GRADIENT2)),
    DATASETS,
    printed=r"\eta=\frac{6R_c^4}{\omega^2\rho^2n^2}",
    given=ONE_EXCHANGED,
    points=AT_400,
    over=EXCHANGED,
    reading=r"$I_C$ are all points, none of which is shortened, so that $\omega = 1$ and $A_C = \tilde A$. Neither $\eta$ as printed nor $\eta^2$ in its place holds. Assumption 1 holds for both datasets.",
    instance=INSTANCE,
    mistake=("false", "beyond:proposition-1"),
    remark=r"What its proof bounds is $\eta^2$, and that lacks the condition number of C, as in version 2 (rgm-v2:proposition-1). The $\eta$ that is printed is besides too small as soon as n is large: the true value is of order 1/n.",
)

_KEPT = natural("m", "number of points that are kept")
_kept = _KEPT.symbol
_kept_x, _kept_y = (named(a, (u + p**2) / _kept + reg) for a, p in (("A", x), ("A'", y)))

discard = _searched.at("after Proposition 2", "P1.12").remark(
    "rgm-v1:discarding",
    "Discarding the clipped points removes the factor omega^2",
    le(named("|A-A'|^2", (x**2 - y**2) ** 2 / _kept**2), printed_eta2 * _kept_x**2),
    "The mean is over the m of n points that are kept.",
    given=(
        *CLIPPED_ON_LINE[:2],
        Hypothesis("the other points are kept", le(u, (_kept - 1) * radius**2 * c)),
        Hypothesis("kept points", le(_kept, n)),
        Hypothesis("A >= rho C", ge(_kept_x, level * c)),
        Hypothesis("A' >= rho C", ge(_kept_y, level * c)),
    ),
    points={
        radius: (0, 4),
        x: (0, 1, radius * x),
        _kept: (0, 5),
        SHIFT: (0, 20),
        c: 1 + 0 * _kept,
        y: radius,
        u: (_kept - 1) * radius**2,
        reg: 0 * _kept,
        n: 5 * _kept,
        level: ((_kept - 1) * radius**2 + (radius * x) ** 2) / _kept,
    },
    over=(U, _KEPT),
    reading=r"The constant as version 2 prints it, without $\omega$. (With the mean still over n, $A \succcurlyeq \omega\rho C$ is all that there is, and $\omega$ stays.)",
    instance="Dimension 1.",
    mistake=("false", "beyond:dropped-points"),
    remark="A single point then weighs 1/m instead of 1/n, and with m = omega n the factor is back. Worse, a point that is dropped in one dataset only changes the weight of all the others.",
)

_sum = page.nonnegative("S", "what the points of I_C contribute at w")
_clipped = page.nonnegative("P", "what the clipped points contribute at w")
_whole_form, _kept_form = named(r"w^\top\tilde Aw", (_sum + _clipped) / n + reg), _sum / n + reg

underestimated = page.at("after Proposition 2", "NB05").remark(
    "rgm-v1:clipped-points-contribute",
    "The analysis counts clipped points as zero",
    both(ge(_whole_form, _kept_form), Implies(gt(_clipped, 0), gt(_whole_form, _kept_form))),
    r"The clipped covariance is above the sum over $I_C$ that the proof keeps, strictly along every direction that is not orthogonal to all clipped points.",
    wrong={
        "strictly in every direction": gt(_whole_form, _kept_form),
        "not divided by n": ge((_sum + _clipped) / n, _sum / n + _clipped),
    },
    reading="Underestimated: the covariance is larger than what the proof uses of it, and with it the constant smaller. As quadratic forms at every w; the points contribute their squared inner products with w.",
)

_MEAN = nonnegative("S", "mean of the squares of the points of I_C")
_POSSIBLE = nonnegative("P", "what the clipped points add")
_share = page.nonnegative("k", "share of the points that are not clipped, exactly", upper=1)
_mean = _MEAN.symbol
_added = _POSSIBLE.symbol

chain_63 = _searched.elsewhere("App. B.5, (63)", "P1.13").inequality(
    "rgm-v1:app-b5-chain",
    "The clipped covariance is above omega A_C, as printed",
    ge(named(r"\tilde A", _share * _mean + _added), omega * named("A_C", _mean + reg)),
    given=Hypothesis("enough points", ge(_share, omega), "Assumption 1"),
    over=(_MEAN, _POSSIBLE),
    reading=r"$\tilde A = \frac1n\sum_i\tilde X_i\tilde X_i^T$ as (63) has it (its first line even says $\tilde X\tilde X^T$), $A_C$ as in Assumption 1.",
    instance="Dimension 1.",
    mistake=("misprint", "beyond:app-b5-chain"),
    remark="With the regularization in the clipped covariance, as in Section 5.2, the chain is true.",
)
