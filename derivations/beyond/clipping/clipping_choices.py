r"""Section 5.3, beside its bound: regularization alone, the choice of C, what the clipping map does, and version 1's assumption.

If $A \succcurlyeq \rho C$ is to hold for all datasets, the regularization has to cover $\rho C$, and then no matrix is better than none. A matrix
helps for datasets whose covariance is above the regularization.
"""

from ...rgm.clipping_notation import *
from . import clipping_worlds as worlds
from .clipping import factor, low, page as _clipping, u_, v_, xx
from .clipping_examples import c, other, others, page as _clipping_examples, point, reg

page = Page("beyond", "", _clipping, _clipping_examples)
_largest = page.positive("L_C", "largest eigenvalue of C")
_reg = page.positive("mu_reg", "regularization")

_COVERED = Hypothesis(
    "the regularization covers rho C", le(level * _largest, _reg), "the dataset of zeros has $A = \\mu_{reg}I$"
)

all_datasets = page.elsewhere("§5.3, Proposition 1").inequality(
    "beyond:proposition-1-all-datasets",
    "If A >= rho C holds for all datasets, the printed step is true",
    both(le(level**2 * u_, v_), le(level**2 * xx**2, _reg**2 * xx * v_)),
    "One of the datasets consists of zeros. The constant is then no better than that of the regularization alone, which is the second part.",
    given=(
        Hypothesis("A >= mu_reg", le(_reg**2 * u_, xx), "$|x| = |Au| \\ge \\mu_{reg}|u|$"),
        Hypothesis("C <= L_C", le(xx, _largest**2 * v_), "$|x| = |Cv| \\le L_C|v|$"),
        _COVERED,
    ),
    points={(level, _largest, u_): (0, 4), _reg: level * _largest, xx: (level * _largest) ** 2 * u_, v_: level**2 * u_},
    wrong={
        "half of it": le(level**2 * u_, v_ / 2),
        "A not above mu_reg": without("A >= mu_reg"),
        "a larger rho": without("the regularization covers rho C"),
    },
)

form = page.nonnegative("N", latex=r"\|w\|^2")
norm_c = page.nonnegative("q", latex=r"w^\top Cw")
squares = page.nonnegative("S", "$\\frac1n\\sum(X_i^Tw)^2$")

regularization_covers = page.elsewhere("§5.3, after Proposition 1").remark(
    "beyond:all-datasets-means-regularization",
    "A >= rho C for all datasets means that the regularization covers rho C",
    ge(named(r"w^\top Aw", squares + _reg * form), level * norm_c),
    r"So $\rho$ is known from the regularization. This is one direction, for every w.",
    given=(_COVERED, Hypothesis("C <= L_C", le(norm_c, _largest * form))),
    points={(level, _largest, form): (0, 4), squares: (0, 1), _reg: level * _largest, norm_c: _largest * form},
    wrong={"half of the regularization": left(squares + _reg * form / 2), "any rho": without(_COVERED)},
    reading="The other direction is the dataset of zeros. $w^TAw = S + \\mu_{reg}|w|^2$ and $w^TCw \\le L_C|w|^2$.",
)

l2 = page.positive("l_2", "smallest eigenvalue of A", latex=r"\lambda_{\min}")
l1 = page.positive("l_1", "largest eigenvalue of A", latex=r"\lambda_{\max}")
dim = page.positive("d", "dimension")
_kappa = named(r"\tilde\kappa", l1 / l2)
_BELOW = Hypothesis("no point is longer than R_c", le(l1, radius**2), "clipping with C = I, no regularization")
_k = positive("k").symbol

identity_clipping = page.elsewhere("replaces §5.3, after Proposition 1").inequality(
    "beyond:identity-clipping",
    "With C = I the bound is at least the square of the condition number",
    both(le(_kappa**2, radius**4 / l2**2), le(radius**4 / l2**2, dim**2 * _kappa**2)),
    r"In the middle stands what Proposition 1 has beside $6/n^2$, with the best $\rho$.",
    given=(_BELOW, Hypothesis("all points have length R_c", ge(dim * l1, radius**2), "the trace is $R_c^2$ then")),
    points={l1: (0, 4, l1**2), l2: (0, 4), dim: (0, 9, (1 + dim) ** 2), _k: (0, 1), radius: l1 * (1 + dim * _k)},
    wrong={"equal": le(radius**4 / l2**2, _kappa**2), "d for its square": le(radius**4 / l2**2, dim * _kappa**2)},
)

g1, g2 = (page.positive(f"g_{i}", f"ratio of eigenvalue {i} of A to that of C") for i in (1, 2))
w1, w2 = (page.nonnegative(f"w_{i}", f"$(A^{{-1}}x)_{i}^2$") for i in (1, 2))
_lowest, _highest = named(r"\rho", Min(g1, g2)), named(r"\sigma", Max(g1, g2))
_by_a = named(r"x^\top A^{-2}x", w1 + w2)

loose = page.elsewhere("replaces §5.3, after Proposition 1").inequality(
    "beyond:loose-covariance",
    "A loose estimate of the covariance costs the square of its ratio",
    le(named(r"x^\top C^{-2}x", g1**2 * w1 + g2**2 * w2) / _lowest**2, _highest**2 / _lowest**2 * _by_a),
    "The right side has the constant with A in the place of C, the best one, which is at most that with the identity.",
    wrong={"the ratio for its square": _highest / _lowest * _by_a, "no loss": _by_a},
    reading=r"In the common eigenbasis $C^{-1}x = (g_i (A^{-1}x)_i)_i$; $\rho$ and $\sigma$ are the least and the largest $g_i$. In the plane; each further coordinate adds a term.",
)

_LEAST_C = positive("m", "smallest eigenvalue of C")
_least_c = _LEAST_C.symbol
_ABOVE_REG = Hypothesis("rho C above mu_reg", gt(level * _least_c, _reg))

helps = page.elsewhere("replaces v1 §5.3, after Assumption 1").inequality(
    "beyond:helpful-matrix",
    "When a matrix C beats the regularization",
    lt(_reg**2 * xx * v_, level**2 * xx**2),
    "The left side is the bound of the procedure, the right one that of the regularization, both multiplied out.",
    given=(_ABOVE_REG, Hypothesis("C >= m", le(_least_c**2 * v_, xx)), Hypothesis("a point", gt(xx, 0))),
    by=(Smt(), worlds.HELPFUL.mapped(worlds.of_helpful, level, low, _reg, xx, v_)),
    points={level: (0, 4), _least_c: (0, 4), _reg: (0, 1, level * _least_c * _reg), xx: (0, 4), v_: xx / _least_c**2},
    over=(_LEAST_C,),
    wrong={"half": level**2 * xx**2 / 2, "any rho": without(_ABOVE_REG)},
)

best = page.elsewhere("replaces v1 §5.3").inequality(
    "beyond:regularization-alone",
    "Regularization and clipped norms alone",
    le(_reg**2 * xx * u_, factor**2),
    "An inequality between norms, squared; $K$ is $c_A$.",
    given=(Hypothesis("A >= mu_reg", le(_reg**2 * u_, xx)), Hypothesis("clipped", le(xx, factor))),
    points={_reg: (0, 4), xx: (0, 4), u_: xx / _reg**2, factor: xx},
    wrong={"half": factor**2 / 2, "without clipping": without("clipped"), "without the order": without("A >= mu_reg")},
    printed=r"\|A_0A^{-1}\| \le \frac{c_A}{\mu_{reg}}",
)

_root = page.nonnegative("r", "$(|X|^2X^TC^{-2}X)^{1/4}$")
_shrink = radius / Max(radius, _root)

clipping_map = page.elsewhere("replaces §5.3, Proposition 1 (v2), Proposition 2 (v1)").definition(
    "beyond:clipping-map",
    "What the clipping map does",
    both(
        gt(_shrink, 0),
        le(_shrink, 1),
        Implies(le(_root, radius), eq(_shrink, 1)),
        Implies(ge(_root, radius), eq(_shrink * _root, radius)),
    ),
    "Points within the threshold stay, the others are taken to it exactly.",
    wrong={"always to the threshold": eq(_shrink * _root, radius), "never shrinks": eq(_shrink, 1)},
    reading="C is symmetric, so that the fourth power of r is not negative; it scales as the fourth power of X: rgm:clipping-scales.",
)

every_threshold = page.elsewhere("replaces v1 §5.3, Assumption 1").remark(
    "beyond:assumption-1-never-for-all-data",
    "No matrix and no threshold satisfy Assumption 1 for all datasets",
    gt(point**4 / c**2, radius**4),
    "A dataset of copies of this one point has nobody within the threshold, whatever their number.",
    given=Hypothesis("the point", ge(point**2, 4 * radius**2 * c)),
    points={c: (0, 4, c**2), radius: (0, 4), point: 2 * radius * c},
    wrong={"17 times": 17 * radius**4, "any point": without()},
    reading="In dimension 1; in others take x along an axis. The assumption can only be about a restricted set of datasets, which has to be named.",
)

omega = page.positive("omega", "share of the points that are not clipped", upper=1)
_MEAN = nonnegative("S", "mean of $(X_i^Tw)^2$ over $I_C$")
clipped_sum = page.nonnegative("P", "what the clipped points add")
kept = page.nonnegative("k", "share of the points that are not clipped, exactly")
mean = _MEAN.symbol
_clipped_form = named(r"w^\top\tilde Aw", kept * mean + clipped_sum + reg * form)
_form_of_kept = named(r"w^\top A_Cw", mean + reg * form)

chain_63 = page.elsewhere("replaces v1 App. B.5, v1 (63)").inequality(
    "beyond:app-b5-chain",
    "The clipped covariance, with its regularization",
    both(ge(_clipped_form, omega * _form_of_kept), ge(omega * _form_of_kept, omega * level * norm_c)),
    given=(
        Hypothesis("enough points", ge(kept, omega), "Assumption 1"),
        Hypothesis("A_C >= rho C", ge(_form_of_kept, level * norm_c), "Assumption 1"),
    ),
    points={
        mean: (0, 4),
        clipped_sum: (0, 1),
        (reg, form, level): (0, 2),
        kept: omega,
        norm_c: (mean + reg * form) / level,
    },
    over=(_MEAN,),
    wrong={
        "without the regularization on the left": ge(kept * mean + clipped_sum, omega * _form_of_kept),
        "without omega": ge(_clipped_form, _form_of_kept),
    },
    reading="As quadratic forms at w: $k$ is the share of $I_C$ among the points, S the mean over $I_C$, and the clipped points add $P$.",
)

_number_kept = page.natural("m", "number of points that are kept")
_kept_x = named("A", (others + point**2) / _number_kept + reg)

dropped = page.elsewhere("replaces v1 §5.3, after Proposition 2").inequality(
    "beyond:dropped-points",
    "Dropping the clipped points: the number of kept points takes the place of n",
    both(
        le(level * (point**2 - other**2), radius**2 * _kept_x), le(level * (other**2 - point**2), radius**2 * _kept_x)
    ),
    r"The mean is taken over the m points that are kept, the same m for both neighbours; with the share $\omega$ of the n points this is the $\omega^2$ again.",
    given=(
        Hypothesis("x is kept", le(point**2, radius**2 * c)),
        Hypothesis("y is kept", le(other**2, radius**2 * c)),
        Hypothesis("A >= rho C", ge(_kept_x, level * c)),
    ),
    points={
        radius: (0, 4),
        c: (0, 4, c**2),
        point: (-1, 1, radius * c * point),
        other: (-1, 1, radius * c * other),
        others: (0, 1, _number_kept * radius**2 * c**2 * others),
        _number_kept: (0, 20),
        reg: (0, 1),
        level: radius**2 * (_number_kept * others + point**2) / _number_kept + reg / c**2,
    },
    wrong={"half": le(level * (point**2 - other**2), radius**2 * _kept_x / 2), "an unkept y": without("y is kept")},
    reading="The points x and y are both kept; otherwise m changes, and with it the weight of every other point.",
)
