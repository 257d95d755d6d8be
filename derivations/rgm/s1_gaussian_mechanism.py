r"""Section 1: Rényi differential privacy, the Gaussian mechanism, and absolute sensitivity.

For two outputs with the same variance $\sigma^2$ per coordinate the Rényi divergence of Lemma 2 is $\alpha\Delta^2/(2\sigma^2)$, in any dimension.
So $\sigma^2 = \alpha R_{abs}^2/(2\varepsilon)$ is exactly the smallest variance that the definition asks for, every pair of order and
level can be had, and one mechanism serves all orders, at levels in proportion. The divergence is not symmetric once variances differ: the definition is
about ordered pairs.
"""

from sympy import Expr, Integer, Rational

from rgm_verify.claims import Chart, Claim, Hypothesis, Iff, Mutant, Step, both, eq, gt, le, nonnegative, positive, real
from rgm_verify.gaussians.symbolic import renyi_expression
from rgm_verify.lenses import Deduction, Identity, Premise, Search, Smt, Units
from rgm_verify.lenses.base import Lens
from rgm_verify.lenses.outputs import Outputs, Renyi, by_outputs

from .notation import ALPHA, DIMENSION, PAIR, a, alpha, b, d, distance2

_SOURCE = "rgm-v1+v2"
NOISE = positive("sigma^2", "variance per coordinate")
DISTANCE = nonnegative("Delta", "distance of the two outputs")
R_ABS = positive("R_abs", "absolute sensitivity")
LEVEL = positive("epsilon", "level of Rényi differential privacy")
noise, distance, r_abs, level = (v.symbol for v in (NOISE, DISTANCE, R_ABS, LEVEL))
_V1, _V2 = positive("v_1", "variance of the first output"), positive("v_2", "variance of the second output")
_v1, _v2 = _V1.symbol, _V2.symbol
_RADIUS = positive("B", "bound on the norm of every output")
_radius = _RADIUS.symbol

#: The divergence of Lemma 2 for two outputs of the Gaussian mechanism, at their distance.
gaussian_divergence = renyi_expression(alpha, distance**2, noise, noise, d)
#: The variance that section 1 prescribes.
prescribed = alpha * r_abs**2 / (2 * level)
_SENSITIVE = Hypothesis("absolute sensitivity", le(distance, r_abs), "v1 (2), v2 (2)")

#: Two outputs with the same noise; orders and distances, the first for releases.
_EQUAL = Outputs((distance,), (Integer(0),), d, variances=(noise, noise))
_EQUAL_POINTS = tuple(
    {alpha: Rational(order), noise: Rational(square), distance: Rational(gap), d: Integer(n)}
    for order, square, gap, n in (
        ("3/2", "2", "3/2", 3), ("2", "1/10", "1", 1), ("30", "4", "1/5", 2), ("1001/1000", "1", "3", 1000),
    )
)  # fmt: skip
_prescribed = gaussian_divergence.subs(noise, prescribed)
_NEIGHBOURS = tuple(
    {alpha: p[alpha], level: Rational(1, 2), r_abs: p[distance] * larger, distance: p[distance], d: p[d]}
    for p, larger in zip(_EQUAL_POINTS, (1, 1, 2, Rational(11, 10)), strict=True)
)


def of_equal_noise(part: Expr) -> tuple[Lens, Lens]:
    """Both checks of a claim in which `part` is the Renyi divergence of two outputs with the same noise."""
    return by_outputs(part, Renyi(alpha), _EQUAL, _EQUAL_POINTS, _EQUAL_POINTS[:1])


mechanism = Claim(
    id="rgm:gaussian-mechanism",
    refs=("NA01",),
    title="The Gaussian mechanism",
    source=_SOURCE,
    where="§1, v1 (1), v2 (1)",
    kind="definition",
    statement=(
        r"Adding Gaussian noise of variance $\sigma^2 > 0$ to every coordinate gives two outputs a divergence that depends on their "
        r"distance and on $\sigma$ alone."
    ),
    variables=(ALPHA, NOISE, DISTANCE, DIMENSION),
    conclusion=eq(gaussian_divergence, alpha * distance**2 / (2 * noise)),
    reading=r"$\mathcal N(0,\sigma^2)$ added to a vector stands for $\mathcal N(0,\sigma^2 I_d)$: the variance is per coordinate.",
    checks=(Identity(), Units({distance: 1, noise: 2}), *of_equal_noise(alpha * distance**2 / (2 * noise))),
    mutants=(
        Mutant(
            "the variance shared by the coordinates",
            eq(renyi_expression(alpha, distance**2, noise / d, noise / d, d), alpha * distance**2 / (2 * noise)),
        ),
        Mutant("without alpha", eq(gaussian_divergence, distance**2 / (2 * noise))),
        Mutant("the second output without a square", eq(gaussian_divergence, alpha * distance / (2 * noise))),
    ),
)

sensitivity = Claim(
    id="rgm:absolute-sensitivity",
    refs=("NA02",),
    title="Absolute sensitivity",
    source=_SOURCE,
    where="§1, v1 (2), v2 (2)",
    kind="definition",
    statement=r"A query whose outputs have norms of at most $B$ has absolute sensitivity, with $R_{abs} = 2B$.",
    variables=(*PAIR, _RADIUS),
    hypotheses=(Hypothesis("bounded at x", le(a, _radius)), Hypothesis("bounded at y", le(b, _radius))),
    conclusion=le(distance2, (2 * _radius) ** 2),
    reading="Of the definition it is asked whether every bounded query meets it; an unbounded one need not.",
    checks=(Smt(),),
    mutants=(
        Mutant("B instead of 2 B", le(distance2, _radius**2)),
        Mutant("2 B^2", le(distance2, 2 * _radius**2)),
        Mutant("one output bounded", hypotheses=(Hypothesis("bounded at x", le(a, _radius)),)),
    ),
)

guarantee = Claim(
    id="rgm:gaussian-guarantee",
    refs=("A02",),
    title="The guarantee of the Gaussian mechanism",
    source=_SOURCE,
    where="§1, after v1 (2), v2 (2)",
    kind="remark",
    statement=r"With the variance $\alpha R_{abs}^2/(2\varepsilon)$ the divergence of any two neighbouring outputs is at most $\varepsilon$.",
    variables=(ALPHA, LEVEL, R_ABS, DISTANCE, DIMENSION),
    hypotheses=(_SENSITIVE,),
    conclusion=le(gaussian_divergence.subs(noise, prescribed), level),
    checks=(
        Deduction((Premise("rgm:gaussian-mechanism", {noise: prescribed}),)),
        *by_outputs(_prescribed, Renyi(alpha), _EQUAL.subs({noise: prescribed}), _NEIGHBOURS, _NEIGHBOURS[:1]),
    ),
    sampling=Chart(
        {alpha: (1, None), level: (0, None), r_abs: (0, None), distance: (0, 1), d: (0, 100)},
        {distance: distance * r_abs},
    ),
    mutants=(
        Mutant("a variance without alpha", le(gaussian_divergence.subs(noise, prescribed / alpha), level)),
        Mutant("half of the variance", le(gaussian_divergence.subs(noise, prescribed / 2), level)),
        Mutant("no sensitivity", hypotheses=()),
    ),
    derivation=(Step("The divergence of two outputs with the same variance.", "rgm:gaussian-mechanism"),),
)

smallest = Claim(
    id="rgm:gaussian-smallest-variance",
    refs=("A02", "A01"),
    title="The prescribed variance is the smallest",
    source=_SOURCE,
    where="§1, Definition 1 and after v1 (2), v2 (2)",
    kind="remark",
    statement=(
        r"For two outputs at distance $R_{abs}$ the definition holds at $(\alpha,\varepsilon)$ exactly from the prescribed variance on; so every "
        r"order and every level is met by some noise."
    ),
    variables=(ALPHA, LEVEL, R_ABS, NOISE),
    conclusion=Iff(le(alpha * r_abs**2 / (2 * noise), level), le(prescribed, noise)),
    reading="Satisfiability of Definition 1, and what it asks of the Gaussian mechanism.",
    checks=(Smt(),),
    mutants=(
        Mutant("twice the level", Iff(le(alpha * r_abs**2 / (2 * noise), 2 * level), le(prescribed, noise))),
        Mutant("without alpha", Iff(le(alpha * r_abs**2 / (2 * noise), level), le(prescribed / alpha, noise))),
    ),
)

_OTHER_ORDER = real("beta", "another order", lower=1, lower_open=True)
_order = _OTHER_ORDER.symbol
_at_other_order = renyi_expression(_order, distance**2, noise, noise, d)
_AT_ALPHA = Hypothesis("the level at alpha", le(gaussian_divergence, level), "Definition 1")

other_orders = Claim(
    id="rgm:definition-1-other-orders",
    refs=("A01",),
    title="Definition 1 at other orders",
    source=_SOURCE,
    where="§1, Definition 1",
    kind="definition",
    statement=r"If the Gaussian mechanism satisfies $(\alpha,\varepsilon)$-RDP, it satisfies $(\beta,\varepsilon\beta/\alpha)$-RDP for every order $\beta > 1$.",
    reading="A definition: what can be checked is what it asks for and gives. For every pair of neighbours, at their distance, in every dimension.",
    variables=(ALPHA, LEVEL, DISTANCE, NOISE, _OTHER_ORDER, DIMENSION),
    hypotheses=(_AT_ALPHA,),
    conclusion=le(_at_other_order, level * _order / alpha),
    checks=(Deduction((Premise("rgm:gaussian-mechanism"), Premise("rgm:gaussian-mechanism", {alpha: _order}))),),
    sampling=Chart(
        {alpha: (1, 9), _order: (1, 9), noise: (0, 4), distance: (0, 4), d: (1, 9)},
        {level: alpha * distance**2 / (2 * noise) + Rational(1, 1000)},
    ),
    derivation=(Step("The divergence at either order.", "rgm:gaussian-mechanism"),),
    mutants=(
        Mutant("the level squared down", le(_at_other_order, level * _order**2 / alpha**2)),
        Mutant("the same level", le(_at_other_order, level)),
        Mutant("no guarantee at alpha", hypotheses=()),
    ),
)

ordered_pairs = Claim(
    id="rgm:definition-1-ordered-pairs",
    refs=("A01",),
    title="Definition 1 speaks of ordered pairs",
    source=_SOURCE,
    where="§1, Definition 1",
    kind="definition",
    statement=(
        "With two different variances the divergence may be finite one way and infinite the other way: both orders of a pair have to be "
        "bounded, as the quantifier over all neighbours does."
    ),
    variables=(ALPHA, _V1, _V2),
    conclusion=both(le(alpha * _v2 + (1 - alpha) * _v1, 0), gt(alpha * _v1 + (1 - alpha) * _v2, 0)),
    quantifier="exists",
    reading="Lemma 2: the divergence is finite exactly if the mixed variance is positive.",
    checks=(Search(), Smt()),
    derivation=(Step(claim="beyond:lemma-2-infinite"),),
    mutants=(
        Mutant(
            "infinite both ways", both(le(alpha * _v2 + (1 - alpha) * _v1, 0), le(alpha * _v1 + (1 - alpha) * _v2, 0))
        ),
        Mutant("equal variances", le(alpha * _v1 + (1 - alpha) * _v1, 0)),
    ),
)
