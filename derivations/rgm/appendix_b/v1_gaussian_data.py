r"""Version 1, Proposition 1 and Appendix B.4: Gaussian data without clipping.

The proof leaves the data as they are and bounds $X_i^\top\Sigma^{-1}X_i$ by chi-square tails. The tails hold up, apart from slips; the
concentration of the covariance does not hold with any absolute constant, and neighbours may hold records that no tail speaks of.
"""

from sympy import Add, Determinant, Inverse, MatMul

from ... import looseness
from ...theorems import CAUCHY_SCHWARZ, INDUCTION
from ..gaussian_notation import *
from ..gaussian_releases import norm_above, of_tails
from ..notation import NOTATION, d, delta
from ..section_5 import clipping_worlds as clipped
from . import gaussian_features_worlds as worlds

page = Page("rgm-v1", "App. B.4", GAUSSIAN_NOTATION, NOTATION)
_p = page.nonnegative("p", "X^T A^(-1) X", latex=r"X^\top A^{-1}X")
_s = page.nonnegative("s", "y^T Sigma y for y = A^(-1) X", latex=r"y^\top\Sigma y")
_ABOVE = Hypothesis("A is above Sigma", ge(_p, rho * _s), "p = y^T A y, A >= rho Sigma")

inverse_order = page.at("display after v1 (60), second line", "V1P1.6b").inequality(
    "rgm:b4-inverse-order", "Inverting reverses the order of matrices", le(rho * _p, m),
    r"In version 1 at $\rho$ of 1.",
    printed=r"A\succcurlyeq\rho\Sigma\;\Longrightarrow\;X^\top A^{-1}X\le\rho^{-1}X^\top\Sigma^{-1}X",
    given=(Hypothesis("Cauchy-Schwarz", le(_p**2, _s * m), "p = y^T X, in the norms of Sigma and its inverse"), _ABOVE),
    by=(Smt(), worlds.INVERSES.mapped(worlds.of_order, _p, _s, m, rho)), wrong={ "half": left(2 * rho * _p),
    "without Cauchy-Schwarz": without("Cauchy-Schwarz"), "without the order": without(_ABOVE), },
    steps=CAUCHY_SCHWARZ.quoted( "$p^2 = (y^\\top X)^2 \\le y^\\top\\Sigma y\\,X^\\top\\Sigma^{-1}X$.",
    "It is that of $\\Sigma^{1/2}y$ and $\\Sigma^{-1/2}X$.", ),
    reading="An event that implies another is not more probable.",
    remark=r"For a record of the dataset $X_i^\top A^{-1}X_i \le n$ whatever the data, as $A \succcurlyeq X_iX_i^\top/n$.",
)  # fmt: skip

_exceeds = page.real("P", "probability", lower=0, upper=1, latex=r"P(X^\top A^{-1}X>L_{rel})")
_of_whitened = page.real("Q", "probability", lower=0, upper=1, latex=r"P(X^\top\Sigma^{-1}X>L_{rel})")
_IMPLIED = Hypothesis(
    "an event that implies another is not more probable",
    le(_exceeds, _of_whitened),
    "where A is above Sigma",
    by=("rgm:b4-inverse-order",),
)
_CHI_SQUARE = Hypothesis(
    "the law in units of Sigma", le(_of_whitened, tail(l_rel)), by=("rgm:b4-whitening", "rgm:b5-shells")
)

independent_of_sigma = page.elsewhere("Section 5.2, Gaussian data", "V1P1.0").remark(
    "rgm-v1:gaussian-data-level",
    "With sufficient regularisation the level does not depend on the covariance",
    le(_exceeds, tail(l_rel)),
    r"Nothing of $\Sigma$ is left on the right: for every $L_{rel}$, the same for all covariances.",
    printed=r"X_0^\top A^{-1}X_0\le L_{rel}",
    outputs="a step between events; the chi-square tail in which it ends is looked at where it is stated",
    given=(_IMPLIED, _CHI_SQUARE),
    points={
        d: (1, 6),
        l_rel: (0, 12),
        _of_whitened: (0, 1, _of_whitened * tail(l_rel)),
        _exceeds: (0, 1, _exceeds * _of_whitened * tail(l_rel)),
    },
    wrong={"half": tail(l_rel) / 2, "any law": without(_CHI_SQUARE), "without the order": without(_IMPLIED)},
    reading=r"Regularisation is sufficient where $A \succcurlyeq \Sigma$, which Appendix B.4 asks of it. For Gaussian data the bound holds with a probability only, here one minus the right side.",
)

_c = tuple(page.nonnegative(f"p_{i}", f"probability of cell {i}") for i in range(4))
_TOTAL = Hypothesis("probabilities", eq(Add(*_c), 1))
_shares = tuple(nonnegative(f"s_{i}").symbol for i in range(3))
_CELL_CHART = {
    **dict.fromkeys(_shares, (0, 1)),
    _c[0]: _shares[0],
    _c[1]: (1 - _shares[0]) * _shares[1],
    _c[2]: (1 - _shares[0]) * (1 - _shares[1]) * _shares[2],
    _c[3]: (1 - _shares[0]) * (1 - _shares[1]) * (1 - _shares[2]),
}

split = page.at("v1 (58)", "V1P1.3").inequality(
    "rgm:b4-split",
    "Splitting by the concentration event",
    le(named("P(E)", _c[0] + _c[1]), _c[0] + named("P(G^c)", _c[1] + _c[3])),
    outputs="for probabilities of any events: no law is in it",
    printed=r"P(E)\le P(E\cap G)+P(G^c)",
    given=_TOTAL,
    points=_CELL_CHART,
    wrong={"P(G)": _c[0] + (_c[0] + _c[2]), "without the second term": _c[0]},
    reading="Cells: E and G, E without G, G without E, neither.",
)

_so_far = page.natural("k", "number of events so far", lower=0)
_each = page.nonnegative("q", "probability of each event")
_union = named(r"P(\textstyle\bigcup_{i\le k+1}E_i)", _c[0] + _c[1] + _c[2])
_UNION = (
    Hypothesis("the union so far", le(_c[0] + _c[1], _so_far * _each)),
    Hypothesis("one more event", eq(_c[0] + _c[2], _each)),
)

union = page.at("display after v1 (60), last two lines", "V1P1.6c").inequality(
    "rgm:b4-union",
    "The union bound",
    both(le(_c[0], named("P(E)", _c[0] + _c[1])), le(_union, (_so_far + 1) * _each)),
    r"$P(E\cap G)$ comes first; the rest is the step from $k$ events to $k+1$. No event has probability 0, and so $n$ events have at most $n$ times that of one.",
    outputs="for probabilities of any events: no law is in it",
    given=(_TOTAL, *_UNION),
    points={**_CELL_CHART, _each: _CELL_CHART[_c[0]] + _CELL_CHART[_c[2]]},
    wrong={
        "no more than before": le(_union, _so_far * _each),
        "sides swapped": ge(_union, (_so_far + 1) * _each),
        "any union": changed(hypotheses=(_TOTAL, _UNION[1])),
    },
    steps=INDUCTION.quoted("For n events:", "No event has probability 0.", "This is what the formula says."),
    reading="Cells: the union so far and the next event, the union only, the event only, neither. The step of an induction over the number of events.",
)

# (59) for n = 1 and d = 2, Sigma = L I: the norm of X X^T - L I is at least L (chi2(2) - 1), whose tail is an exponential.
_c2 = page.positive("C_2", "the absolute constant")
_deviation = named(r"\Delta/L", _c2 * L * sqrt(2 + log(Integer(2)) + log(2 / delta)))

concentration_printed = page.at("v1 (59)", "V1P1.4").inequality(
    "rgm-v1:b4-concentration",
    "Concentration of the covariance, as printed",
    le(named(r"P[\chi^2_2 > 1 + \Delta/L]", exp(-(1 + _deviation) / 2)), delta / 2),
    r"For one record in the plane with $\Sigma$ a multiple of $I$.",
    outputs=of_tails(
        {exp(-(1 + _deviation) / 2): (1 + _deviation, 2)},
        {_c2: Integer(1), L: Rational(1, 100), delta: Rational(1, 10)},
    ),
    printed=r"P(\|\tilde A-\Sigma\|>\Delta)\le\frac\delta2,\quad\Delta=C_2L^2\sqrt{\frac{d_{\rm eff}+\ln d+\ln(2\delta^{-1})}n}",
    reading=r"$|XX^\top - LI| \ge L(\chi^2_2-1)$, which exceeds the deviation with probability $e^{-(1+C_2L\sqrt{\cdot})/2}$. The left sides scale with $L$, the deviation with $L^2$: whatever the constant, data in small units refute it.",
    instance=r"One record in the plane with $\Sigma = LI$.",
    mistake=("wrong constant", "beyond:b4-concentration-line"),
    remark="With L for its square it has the right units and still fails for few records, see `beyond:b4-no-absolute-constant`.",
)

_trace = page.nonnegative("T", "trace of Sigma", latex=r"\mathrm{Tr}(\Sigma)")

effective_dimension = page.at("after v1 (59)", "V1P1.4").inequality(
    "rgm:b4-effective-dimension",
    "The effective dimension is at most the dimension",
    le(named(r"d_{\rm eff}", _trace / L), d),
    given=Hypothesis("d eigenvalues", le(_trace, d * L)),
    wrong={"half": left(2 * _trace / L), "without the eigenvalues": without()},
)

_QUOTIENTS = (
    real("q", "w^T A w, unregularised", latex=r"w^\top\tilde Aw"),
    real("e", "w^T Sigma w", latex=r"w^\top\Sigma w"),
    positive("w", "|w|^2", latex=r"\|w\|^2"),
    nonnegative("Delta", "the deviation"),
    nonnegative("mu_reg", "regularisation"),
)
_q, _e, _w, _big, _mu = page.declare(*_QUOTIENTS)
_WITHIN = Hypothesis("the event", both(le(_q - _e, _big * _w), le(_e - _q, _big * _w)), "norm at most Delta")

weyl = page.at("before v1 (60), and v1 (60)", "V1P1.5a V1P1.5b").inequality(
    "rgm:b4-event",
    "On the event the regularised covariance is above Sigma",
    both(ge(_q, _e - _big * _w), ge(_q + _mu * _w, _e)),
    printed=r"\|\tilde A-\Sigma\|\le\Delta=\mu_{\rm reg}\;\Longrightarrow\;\tilde A+\mu_{\rm reg}I_d\succcurlyeq\Sigma",
    given=(_WITHIN, Hypothesis("regularisation", eq(_mu, _big))),
    by=(Smt(), worlds.EVENT.mapped(worlds.of_event, _q, _e, _w, _big, _mu)),
    wrong={
        "no regularisation": ge(_q, _e),
        "half of it": changed(hypotheses=(_WITHIN, Hypothesis("half", eq(_mu, _big / 2)))),
        "off the event": without(_WITHIN),
    },
    reading="For every vector w.",
)

_z = page.nonnegative("z", "|A_i A^(-1)|", latex=r"\|A_iA^{-1}\|")
_kappa = page.real("kappa", "condition number", lower=1)
_x1 = page.real("x_1", "component along the first eigenvector of A")
_x2 = page.real("x_2", "component along the second")
_norm2 = named(r"\|A_iA^{-1}\|^2", (_x1**2 + _x2**2) * (_x1**2 / L**2 + _x2**2 / l_min**2))
_leverage = named(r"X_i^\top A^{-1}X_i", _x1**2 / L + _x2**2 / l_min)

inclusion_printed = page.at("display after v1 (60), first line", "V1P1.6a").inequality(
    "rgm-v1:b4-inclusion",
    "From the norm to the quadratic form, as printed",
    Implies(gt(_norm2, l_rel**2), gt(_leverage**2, named(r"\kappa", L / l_min) * l_rel**2)),
    r"For a record in the plane, in the eigenbasis of $A$; $\kappa$ is the condition number of $A$.",
    printed=r"P(\exists i:\|A_iA^{-1}\|>L_{rel},\|\tilde A-\Sigma\|\le\Delta)\le P(\exists i:X_i^\top A^{-1}X_i>\sqrt\kappa L_{rel},\|\tilde A-\Sigma\|\le\Delta)",
    given=(ORDERED, Hypothesis("the record is one of n", le(_leverage, n), "A is at least X X^T/n")),
    by=(Search(), worlds.INCLUSION_PRINTED),
    points={
        (_x1, _x2, l_min): (0, 2),
        L: (0, 3, l_min * (1 + L)),
        l_rel: (Rational(1, 2), 1, l_rel * _leverage.subs(L, l_min * (1 + L))),
        n: 100,
    },
    mistake=("wrong constant", "rgm:b4-inclusion-corrected"),
    reading=r"Printed is an inequality of probabilities. The second event is part of the first, as $\sqrt\kappa X_i^\top A^{-1}X_i \ge |A_iA^{-1}| \ge X_i^\top A^{-1}X_i$, so that it would "
    r"have to be an equality; a dataset with the first event and not the second has neighbours in every direction with the same, and a Gaussian law gives such an open set a positive "
    "probability. Squared.",
    instance="Records of the plane, in the eigenbasis of $A$.",
    remark=r"The root belongs under $L_{rel}$. The $\kappa$ of Proposition 1 is what the corrected line gives; the display drops it after (61) without a word.",
)

inclusion = page.at("display after v1 (60), first line").correction(
    "rgm:b4-inclusion-corrected",
    "From the norm to the quadratic form",
    Implies(gt(_z, l_rel), gt(_p, l_rel / sqrt(_kappa))),
    given=Hypothesis("from above", le(_z**2, _kappa * _p**2), "App. B.4, first sentence"),
    by=(Smt(), clipped.CONDITION),
    wrong={"without the root": Implies(gt(_z, l_rel), gt(_p, l_rel)), "without the bound": without()},
    steps=Step("A condition number.", "rgm:b5-condition-number"),
)

_ROOT, _GAUSSIAN = MatrixSymbol("M", d, d), MatrixSymbol("u", d, 1)
_drawn = _ROOT * _GAUSSIAN
_record = named("X", _drawn)
_mahalanobis = MatMul(_record.T, Inverse(named(r"\Sigma", _ROOT * _ROOT.T)), _record, evaluate=False)

whitening = page.at("v1 (61); App. B.6, step 1", "V1P1.7a V1P3.3b").identity(
    "rgm:b4-whitening",
    "The quadratic form of a Gaussian record is chi-square",
    eq(_mahalanobis, named(r"\|u\|^2", _GAUSSIAN.T * _GAUSSIAN)),
    given=Hypothesis("M is invertible", ne(Determinant(_ROOT), 0)),
    by=(Matrices(), worlds.WHITENING),
    over=(d,),
    wrong={
        "the norm": left(_drawn.T * _drawn),
        "twice": 2 * _GAUSSIAN.T * _GAUSSIAN,
        "the other product": left(MatMul(_drawn.T, Inverse(_ROOT.T * _ROOT), _drawn, evaluate=False)),
    },
    steps=Step("Polar coordinates.", "rgm:b5-shells"),
    reading=r"In every dimension, for every invertible $M$. That $|u|^2$ is chi-square is `rgm:b5-shells`.",
)

_k = page.positive("k", "the undefined factor")

factor_printed = page.at("v1 (61)", "V1P1.7b").inequality(
    "rgm-v1:b4-factor-k",
    "The tail at k times the relative smoothness, as printed",
    le(tail(l_rel), tail(_k * l_rel)),
    r"$F(\cdot, d)$ is the distribution function of $\chi^2(d)$.",
    outputs=of_tails(
        {tail(l_rel): (l_rel, d), tail(_k * l_rel): (_k * l_rel, d)}, {d: Integer(3), l_rel: Integer(2), _k: Integer(2)}
    ),
    printed=r"P[\chi^2(d)>L_{rel}]\le1-F(kL_{rel},d)",
    points={d: (1, 4), l_rel: (1, 6), _k: (0, 4)},
    reading="k is not defined; judged for every k > 0. For k = d, the degrees of freedom, it fails from d = 2 on.",
    mistake=("misprint", "rgm:b4-factor-k-corrected"),
)

_degrees = page.positive("d", "dimension, or any positive number")

factor = page.at("v1 (61)").correction(
    "rgm:b4-factor-k-corrected", "The tail and the distribution function",
    eq(tail(l_rel, _degrees), 1 - distribution(l_rel, _degrees)), outputs=of_tails(
    {tail(l_rel, _degrees): (l_rel, _degrees)}, {l_rel: Integer(3), _degrees: Integer(3)},
    {l_rel: Integer(2), _degrees: Integer(1)}, ), printed=r"P[\chi^2(d)>L_{rel}]=1-F(L_{rel},d)",
    by=Identity(differentiate=(l_rel, Integer(0))), wrong={ "twice the level": 1 - distribution(2 * l_rel, _degrees),
    "one degree more": 1 - distribution(l_rel, _degrees + 1), },
)  # fmt: skip

_ratio = l_rel / d

chernoff_printed = page.at("v1 (61)", "V1P1.7c").inequality(
    "rgm-v1:b4-chernoff",
    "Chernoff's bound without its condition",
    le(tail(l_rel), (_ratio * exp(1 - _ratio)) ** (d / 2)),
    outputs=of_tails({tail(l_rel): (l_rel, d)}, {d: Integer(4), l_rel: Integer(1)}),
    points={d: (1, 6), l_rel: (0, 12)},
    mistake=("missing hypothesis", "beyond:chi-square-chernoff"),
    remark=r"It holds for $L_{rel} \ge d$; near 0 the right side vanishes. The choice of $L_{rel}$ in (62) is in the range.",
)

_zz = page.positive("z", "L_rel/d")

line = page.at("after v1 (61)", "V1P1.7d").inequality(
    "rgm:b4-exponential",
    "A number is at most the exponential of two thirds of it",
    le(log(_zz), Rational(2, 3) * _zz),
    printed=r"z\le e^{2z/3}",
    by=Monotone(_zz, Rational(3, 2), premises=(Premise("rgm:b4-log-three-halves"),)),
    wrong={"a third": _zz / 3, "sides swapped": turned()},
    remark=r"$e^{z/e}$ is the smallest such bound.",
    tightness=Tightness(2 * looseness.z / (3 * log(looseness.z)), {looseness.z: (2, 20)}, r"$\frac23z$ over $\log z$"),
)

log_three_halves = page.at("after v1 (61)").inequality(
    "rgm:b4-log-three-halves",
    "The logarithm of three halves",
    le(log(Rational(3, 2)), 1),
    wrong={"a quarter": Rational(1, 4), "sides swapped": turned()},
)

_exponent = d / 2 * (log(_zz) + 1 - _zz)
_bound = d / 2 - d * _zz / 6

tail_bound = page.at("after v1 (61)", "V1P1.7e").inequality(
    "rgm:b4-tail",
    "An exponential bound on the tail",
    both(Implies(ge(_zz, 1), le(_exponent, _bound)), Implies(le(_zz, 1), ge(_bound, 0)), le(_bound, d - d * _zz / 6)),
    outputs=of_bounds(
        (Bound(norm_above(d * _zz, d), exp(_bound)),),
        ({d: Integer(3), _zz: Integer(2)}, {d: Integer(2), _zz: Rational(1, 2)}),
    ),
    printed=r"P[\chi^2(d)>L_{rel}]\le e^de^{-L_{rel}/6}",
    wrong={
        "a third for a sixth": Implies(ge(_zz, 1), le(_exponent, d / 2 - d * _zz / 3)),
        "no e^d": Implies(ge(_zz, 1), le(_exponent, -d * _zz / 6)),
        "for all z": le(_exponent, -d * _zz / 6),
    },
    steps=(Step("Chernoff.", "beyond:chi-square-chernoff"), Step("Two thirds.", Premise("rgm:b4-exponential"))),
    reading=r"In logarithms, with $z = L_{rel}/d$: for $z \ge 1$ from Chernoff's bound, and for $z \le 1$ the bound is at least 1.",
)

_y = page.real("y", "log(2n/delta)", lower=Rational(2, 3), latex=r"\log(2n/\delta)")

choice_step = page.at("before v1 (62)", source="beyond").remark(
    "rgm-v1:b4-choice-of-level",
    "The level from the exponential bound",
    le(d - 6 * d * _y / 6, -_y),
    r"$L_{rel}$ is $6d\log(2n/\delta)$.",
    printed=r"e^de^{-L_{rel}/6}\le\frac\delta{2n}",
    reading=r"The step from the exponential bound to (62), which is not printed; (62) itself is `rgm:b4-level`. In logarithms; $2n/\delta \ge 2$, and $\log 2 \ge \frac23$.",
    mistake=("does not follow", "rgm:b4-level"),
    remark=r"The exponential bound is $(e\delta/(2n))^d$: too large in dimension 1 always, and else unless $2n/\delta \ge e^{d/(d-1)}$. (62) holds all the same.",
)

level_step = page.at("v1 (62)").inequality(
    "rgm:b4-level-step",
    "A line above a logarithm",
    le(log(6 * _y) + 1, 4 * _y),
    by=Monotone(_y, Rational(2, 3), premises=(Premise("beyond:log-of-2"),)),
    wrong={"3y": 3 * _y, "sides swapped": turned()},
    tightness=Tightness(
        4 * looseness.y / (log(6 * looseness.y) + 1), {looseness.y: (1, 20)}, r"the right side over the left one"
    ),
)

level = page.at("v1 (62)", "V1P1.8").inequality(
    "rgm:b4-level",
    "The level of (62)",
    both(ge(6 * d * _y, d), le(d / 2 * (log(6 * _y) + 1 - 6 * _y), -_y)),
    outputs=of_bounds(
        (Bound(norm_above(6 * d * _y, d), exp(-_y)),),
        ({d: Integer(1), _y: Rational(2, 3)}, {d: Integer(2), _y: Integer(1)}),
    ),
    printed=r"P[\chi^2(d)>6d\log(2n/\delta)]\le\frac\delta{2n}",
    wrong={
        "the square of delta/(2n)": le(d / 2 * (log(6 * _y) + 1 - 6 * _y), -2 * _y),
        "2 for 6": le(d / 2 * (log(2 * _y) + 1 - 2 * _y), -_y),
        "sides swapped": ge(d / 2 * (log(6 * _y) + 1 - 6 * _y), -_y),
    },
    steps=(Step("Chernoff.", "beyond:chi-square-chernoff"), Step("The line.", Premise("rgm:b4-level-step"))),
    reading=r"By Chernoff's bound itself, in logarithms: the level is at least $d$, and at most $\delta/(2n) = e^{-y}$ remains.",
)

# d = 1: the gradients of two neighbours differ by (x_0^2 - x_0'^2) theta/n, relative sensitivity at large theta compares with A theta.
_NEIGHBOURS = (
    nonnegative("x_0", "|X_0|", latex="|X_0|"),
    nonnegative("x_0'", "|X_0'|, of the neighbour", latex="|X_0'|"),
    positive("a", "A", latex="A"),
    positive("eta", "relative sensitivity"),
)
_x0, _x0_prime, _a, _eta = (x.symbol for x in _NEIGHBOURS)

proposition_printed = page.elsewhere("Section 5.2, Proposition 1", "V1P1.1").proposition(
    "rgm-v1:proposition-1",
    "Proposition 1: all neighbours of Gaussian data",
    both(le(_x0**2 - _x0_prime**2, _eta * n * _a), le(_x0_prime**2 - _x0**2, _eta * n * _a)),
    "For every neighbour, in dimension 1.",
    printed=r"\eta^2=c'\kappa(d/n)^2\log(2n/\delta)^2,\quad\mu_{\rm reg}=c\|\Sigma\|^2\sqrt{\frac{d_{\rm eff}+\ln d+\ln(2\delta^{-1})}n}",
    given=Hypothesis("the record", le(_x0**2, _eta * n * _a / 2), "outside an event of probability delta"),
    over=(*_NEIGHBOURS, n),
    reading=r"Relative sensitivity speaks of all neighbours (Definition 2), of which the law of the data says nothing: $X_0'$ is any record. As $\theta$ grows the absolute part no longer matters.",
    instance="Dimension 1.",
    mistake=("missing hypothesis", "beyond:b4-proposition-1"),
    remark=r"Nor are the units right: $\mu_{\rm reg}$ has $|\Sigma|^2$ for $|\Sigma|$, see `rgm-v1:b4-concentration`.",
)

small_constants = page.elsewhere("Section 5.2, Proposition 1", "V1P1.9").remark(
    "rgm-v1:b4-small-constants",
    "The constants are small",
    says=r"The constants $c$ and $c'$ of Proposition 1 are small.",
    informal="How small is small is not said.",
    remark=r"From $\eta^2 = 6\kappa L_{rel}^2/n^2$ and $L_{rel} = 6d\log(2n/\delta)$, $c' = 6\cdot 6^2 = 216$ (beyond:b4-proposition-1). No absolute $c$ exists: `rgm-v1:b4-concentration`.",
)

_xx = page.positive("x", "a record, in dimension 1")
_reg = page.positive("mu_reg", "regularisation")
_others = page.positive("S", "n times the second moment of the others")
_small = page.positive("eta", "relative sensitivity", upper=1, upper_open=True)

failure = page.elsewhere("Section 5.2, after Proposition 1", "V1P1.2").remark(
    "rgm:b4-failure", "Where the assumption fails, so does the guarantee",
    gt(_xx**2, _small * named("nA", _xx**2 + _others + n * _reg)),
    r"In dimension 1, removing the record's influence changes the gradient by more than $\eta$ times its size.",
    exists=True, given=Hypothesis("sensitivity", ge(_small, Rational(9, 10))), by=(Search(), Smt()), points={
    _xx: (0, None, Integer(100)), _reg: Integer(1), _others: Integer(1), n: Integer(10), _small: Rational(9, 10), },
    wrong={"eta of 1": _xx**2 + _others + n * _reg},
    reading=r"$X_0$ against $X_0' = 0$ and large $\theta$: $X_0^2/n$ against $\eta A$. The event has a positive probability, and then nothing in the proof bounds the privacy loss.",
)  # fmt: skip
