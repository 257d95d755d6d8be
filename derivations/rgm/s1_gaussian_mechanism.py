r"""Section 1: Rényi differential privacy, the Gaussian mechanism, and absolute sensitivity.

For two outputs with the same variance $\sigma^2$ per coordinate the Rényi divergence of Lemma 2 is $\alpha\Delta^2/(2\sigma^2)$, in any dimension.
So $\sigma^2 = \alpha R_{abs}^2/(2\varepsilon)$ is exactly the smallest variance that the definition asks for, every pair of order and
level can be had, and one mechanism serves all orders, at levels in proportion. The divergence is not symmetric once variances differ: the definition is
about ordered pairs.
"""

from rgm_verify.claims import Chart, Claim, Hypothesis, Iff, Mutant, Step, both, eq, gt, le, nonnegative, positive
from rgm_verify.gaussians.symbolic import renyi_expression
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Search, Smt, Units

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
_ORDER = positive("beta", "another order")
_order = _ORDER.symbol

#: The divergence of Lemma 2 for two outputs of the Gaussian mechanism, at their distance.
gaussian_divergence = renyi_expression(alpha, distance**2, noise, noise, d)
#: The variance that section 1 prescribes.
prescribed = alpha * r_abs**2 / (2 * level)
_SENSITIVE = Hypothesis("absolute sensitivity", le(distance, r_abs), "v1 (2), v2 (2)")

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
    checks=(Identity(), Units({distance: 1, noise: 2})),
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
    checks=(Deduction((Premise("rgm:gaussian-mechanism", {noise: prescribed}),)),),
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

other_orders = Claim(
    id="rgm:definition-1-other-orders",
    refs=("A01",),
    title="Definition 1 at other orders",
    source=_SOURCE,
    where="§1, Definition 1",
    kind="definition",
    statement=r"What the Gaussian mechanism guarantees at the order $\alpha$ it guarantees at every order, at a level in proportion.",
    scope="core",
    missing="A definition states nothing that could fail. Judged is what Gaussian noise that meets it at one order guarantees at the others.",
    variables=(ALPHA, LEVEL, DISTANCE, NOISE, _ORDER),
    hypotheses=(Hypothesis("the level at alpha", le(alpha * distance**2 / (2 * noise), level), "Definition 1"),),
    conclusion=le(_order * distance**2 / (2 * noise), level * _order / alpha),
    checks=(Combination(terms=((_order / alpha, level - alpha * distance**2 / (2 * noise)),)), Smt()),
    mutants=(
        Mutant("the level squared down", le(_order * distance**2 / (2 * noise), level * _order**2 / alpha**2)),
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
