r"""Section 1: Rényi differential privacy, the Gaussian mechanism, and absolute sensitivity.

For two outputs with the same variance $\sigma^2$ per coordinate the Rényi divergence of Lemma 2 is $\alpha\Delta^2/(2\sigma^2)$, in any dimension.
So $\sigma^2 = \alpha R_{abs}^2/(2\varepsilon)$ is exactly the smallest variance that the definition asks for, every pair of order and
level is reached, and one mechanism serves all orders, at levels in proportion. The divergence is not symmetric once variances differ: the definition is
about ordered pairs.
"""

from rgm_verify.gaussians.symbolic import renyi_expression

from ..notation import *

page = Page("rgm-v1+v2", "§1", NOTATION)
noise = page.positive("sigma^2", "variance per coordinate")
distance = page.nonnegative("Delta", "distance of the two outputs")
r_abs = page.positive("R_abs", "absolute sensitivity")
level = page.positive("epsilon", "level of Rényi differential privacy", latex=r"\varepsilon")
_v1 = page.positive("v_1", "variance of the first output", latex=r"\sigma_1^2")
_v2 = page.positive("v_2", "variance of the second output", latex=r"\sigma_2^2")
_radius = page.positive("B", "bound on the norm of every output")
_order = page.real("beta", "another order", lower=1, lower_open=True)

#: The divergence of Lemma 2 for two outputs of the Gaussian mechanism, at their distance.
gaussian_divergence = named(r"D_\alpha(P\|Q)", renyi_expression(alpha, distance**2, noise, noise, d))
#: The variance that section 1 prescribes.
prescribed = alpha * r_abs**2 / (2 * level)
_prescribed = keeping_names(gaussian_divergence, {noise: named(r"\sigma^2", prescribed)})
#: Two outputs with the same noise; orders and distances, the first for releases.
_EQUAL = Outputs((distance,), (Integer(0),), d, variances=(noise, noise))
_EQUAL_POINTS = tuple(
    {alpha: Rational(order), noise: Rational(square), distance: Rational(gap), d: Integer(n)}
    for order, square, gap, n in (
        ("3/2", "2", "3/2", 3), ("2", "1/10", "1", 1), ("30", "4", "1/5", 2), ("1001/1000", "1", "3", 1000),
    )
)  # fmt: skip
_NEIGHBOURS = tuple(
    {alpha: p[alpha], level: Rational(1, 2), r_abs: p[distance] * larger, distance: p[distance], d: p[d]}
    for p, larger in zip(_EQUAL_POINTS, (1, 1, 2, Rational(11, 10)), strict=True)
)

mechanism = page.at("v1 (1), v2 (1)", "NA01").definition(
    "rgm:gaussian-mechanism",
    "The Gaussian mechanism",
    eq(gaussian_divergence, alpha * distance**2 / (2 * noise)),
    "With the same Gaussian noise two outputs have a divergence that depends on their distance alone.",
    by=(
        Identity(),
        Units({distance: 1, noise: 2}),
        *by_outputs(alpha * distance**2 / (2 * noise), Renyi(alpha), _EQUAL, _EQUAL_POINTS, _EQUAL_POINTS[:1]),
    ),
    wrong={
        "the variance shared by the coordinates": left(renyi_expression(alpha, distance**2, noise / d, noise / d, d)),
        "without alpha": distance**2 / (2 * noise),
        "the second output without a square": alpha * distance / (2 * noise),
    },
    reading=r"$\mathcal N(0,\sigma^2)$ added to a vector stands for $\mathcal N(0,\sigma^2 I_d)$: the variance is per coordinate.",
)

_more = page.positive("s^2", "a larger variance")
more_noise = page.elsewhere("§4.1, Arbitrary privacy guarantees cannot be achieved", "NA06").remark(
    "rgm:gaussian-more-noise-is-more-privacy",
    "More noise always improves the privacy of the Gaussian mechanism",
    lt(alpha * distance**2 / (2 * _more), alpha * distance**2 / (2 * noise)),
    "For two different outputs, at every order.",
    given=(Hypothesis("more noise", gt(_more, noise)), Hypothesis("different outputs", gt(distance, 0))),
    steps=Step("The divergence at each variance.", "rgm:gaussian-mechanism"),
    outputs="compares two values of the divergence of rgm:gaussian-mechanism, which is integrated and released",
    points={_more: (0, 1, noise + _more)},
    wrong={"by half": left(alpha * distance**2 / _more), "less noise": without("more noise")},
    reading="To improve: a smaller Rényi divergence of every pair, and so a smaller level at every order. The noise of the relative mechanism does not do that: rgm:large-gamma-is-not-enough.",
)

_small, _long = (page.positive("r_1", "norm of the smaller output"), page.positive("r_2", "norm of the larger output"))
_ratio = page.positive("gamma_0", "ratio of noise of the relative mechanism", latex=r"\gamma")
_baseline = page.nonnegative("s_0", "baseline variance of the relative mechanism", latex=r"\sigma_0^2")
fair = page.at("example of salaries", "NA08").remark(
    "rgm:fair-estimates",
    "Relative noise is as precise for small outputs as for large ones, noise of one size is not",
    both(
        Iff(
            eq((_ratio * _small**2 + _baseline) / _small**2, (_ratio * _long**2 + _baseline) / _long**2),
            eq(_baseline, 0),
        ),
        gt(noise / _small**2, noise / _long**2),
    ),
    "The variance over the squared norm: with relative noise it is the same for both exactly if there is no baseline noise; with the Gaussian mechanism the smaller output has more of it.",
    given=Hypothesis("a smaller and a larger output", lt(_small, _long)),
    by=Smt(),
    points={_long: (0, 1, _small + _long)},
    wrong={"as precise with noise of one size": eq(noise / _small**2, noise / _long**2), "any outputs": without()},
    reading="Fair: the same relative precision. A law that bounds the relative change of a salary, and nothing else, asks for no baseline noise.",
)

sensitivity = page.at("v1 (2), v2 (2)", "NA02").definition(
    "rgm:absolute-sensitivity",
    "Absolute sensitivity",
    le(distance2, (2 * _radius) ** 2),
    "Every query with bounded outputs has absolute sensitivity.",
    given=(Hypothesis("bounded at x", le(a, _radius)), Hypothesis("bounded at y", le(b, _radius))),
    wrong={"B instead of 2 B": _radius**2, "2 B^2": 2 * _radius**2, "one output bounded": without("bounded at y")},
    reading="Of the definition it is asked whether every bounded query meets it; an unbounded one need not.",
)

guarantee = page.at("after v1 (2), v2 (2)", "A02").remark(
    "rgm:gaussian-guarantee",
    "The guarantee of the Gaussian mechanism",
    le(_prescribed, level),
    given=Hypothesis("absolute sensitivity", le(distance, r_abs), "v1 (2), v2 (2)"),
    by=(
        Deduction((Premise("rgm:gaussian-mechanism", {noise: prescribed}),)),
        *by_outputs(_prescribed, Renyi(alpha), _EQUAL.subs({noise: prescribed}), _NEIGHBOURS, _NEIGHBOURS[:1]),
    ),
    points={distance: (0, 1, distance * r_abs), d: (0, 100)},
    wrong={
        "a variance without alpha": left(gaussian_divergence.subs(noise, prescribed / alpha)),
        "half of the variance": left(gaussian_divergence.subs(noise, prescribed / 2)),
        "no sensitivity": without(),
    },
)

smallest = page.at("Definition 1 and after v1 (2), v2 (2)", "A02 A01").remark(
    "rgm:gaussian-smallest-variance",
    "The prescribed variance is the smallest",
    Iff(le(alpha * r_abs**2 / (2 * noise), level), le(prescribed, noise)),
    r"For two outputs at distance $R_{abs}$; some noise meets every order and every level.",
    wrong={
        "twice the level": Iff(le(alpha * r_abs**2 / (2 * noise), 2 * level), le(prescribed, noise)),
        "without alpha": Iff(le(alpha * r_abs**2 / (2 * noise), level), le(prescribed / alpha, noise)),
    },
    reading="Satisfiability of Definition 1, and what it asks of the Gaussian mechanism.",
)

other_orders = page.at("Definition 1", "A01").definition(
    "rgm:definition-1-other-orders",
    "Definition 1 at other orders",
    le(named(r"D_\beta(P\|Q)", renyi_expression(_order, distance**2, noise, noise, d)), level * _order / alpha),
    "A guarantee of the Gaussian mechanism at one order is one at every order.",
    given=Hypothesis("the level at alpha", le(gaussian_divergence, level), "Definition 1"),
    points={
        (alpha, _order): (1, 9),
        (noise, distance): (0, 4),
        d: (1, 9),
        level: alpha * distance**2 / (2 * noise) + Rational(1, 1000),
    },
    wrong={
        "the level squared down": level * _order**2 / alpha**2,
        "the same level": level,
        "no guarantee at alpha": without(),
    },
    reading="A definition: what can be checked is what it asks for and gives. For every pair of neighbours, at their distance, in every dimension.",
    steps=(Premise("rgm:gaussian-mechanism"), Premise("rgm:gaussian-mechanism", {alpha: _order})),
)

ordered_pairs = page.at("Definition 1", "A01").definition(
    "rgm:definition-1-ordered-pairs",
    "Definition 1 speaks of ordered pairs",
    both(le(alpha * _v2 + (1 - alpha) * _v1, 0), gt(alpha * _v1 + (1 - alpha) * _v2, 0)),
    "With two different variances the divergence may be finite one way and infinite the other way: both orders of a pair have to be "
    "bounded, as the quantifier over all neighbours does.",
    exists=True,
    by=(Search(), Smt()),
    wrong={
        "infinite both ways": both(le(alpha * _v2 + (1 - alpha) * _v1, 0), le(alpha * _v1 + (1 - alpha) * _v2, 0)),
        "equal variances": le(alpha * _v1 + (1 - alpha) * _v1, 0),
    },
    steps="beyond:lemma-2-infinite",
    reading="Lemma 2: the divergence is finite exactly if the mixed variance is positive.",
)
