"""Pictures of where the other theorems and propositions of the slides hold, and the list of all with their claims."""

from collections.abc import Iterable
from fractions import Fraction

from sympy import Expr, Rational, binomial, exp, log, sqrt

from rgm_verify.claims.chapter import Block, Figure, Heading, Paragraph, Series, Table
from rgm_verify.mechanisms.averaging import neighbours_needed
from rgm_verify.numbers.settled import geometric

from .region_boundaries import (
    CHANCE,
    COUNT,
    DELTA,
    DISTANCE,
    EPSILON,
    ORDER,
    RECORDS,
    SHARE,
    STEPS,
    above,
    abscissa,
    curve_at,
    is_positive,
    shown,
    value,
)

PARTIES, HONEST = 1000, 500

#: What becomes positive on the boundary of each picture, or the value that is drawn.
LOSS_BOUNDED = DELTA - above(DISTANCE / 2 - EPSILON / DISTANCE)
PRIVATE = DELTA - curve_at(DISTANCE)
AFTER_A_FLIP = log(((1 - CHANCE) * exp(EPSILON) + CHANCE) / (1 - CHANCE + CHANCE * exp(EPSILON)))
SOME_FAILURE = 1 - exp(COUNT * log(1 - DELTA))
FEWEST_STEPS = EPSILON**2 / (32 * SHARE**2 * log(2 / DELTA))
_OF_A_STEP = EPSILON / (2 * sqrt(2 * STEPS * log(2 / DELTA)))
ABOVE_THE_LEVEL = EPSILON * (exp(_OF_A_STEP) - 1) - 4 * log(2 / DELTA) * _OF_A_STEP
_A, _LOG = log(1 / DELTA), log(RECORDS / DELTA)
_SQUARE_OF_NOISE = 256 * log(2 / DELTA) * log(Rational(5, 4) * RECORDS / DELTA)
ABOVE_THE_CONSTANT = 16 * (1 + log(RECORDS)) ** 2 * (EPSILON**2 + _SQUARE_OF_NOISE) - 160**2 * _A * _LOG**3
SAYS_SOMETHING = (RECORDS * EPSILON) ** 2 - 160**2 * COUNT * _A * _LOG**3
NEEDED = 160 * sqrt(COUNT) * _A**2 / EPSILON
ADDED = _A / (ORDER - 1)
ADDED_LESS = log((ORDER - 1) / ORDER) + (_A - log(ORDER)) / (ORDER - 1)


def every_theorem() -> Iterable[Block]:
    """The theorems and propositions, with their regions and claims."""
    yield Heading(text="Every theorem and proposition")
    yield Table(
        caption="The theorems, propositions and the corollary of the slides, with the region where each holds; pictures follow in this order.",
        columns=["statement", "where it holds", "claims"],
        rows=[
            ["condition on the privacy loss", "everywhere; inside of the region of privacy", "slides:loss-bounded-with-probability, beyond:loss-bound-at-a-larger-level"],
            ["post-processing", "everywhere", "slides:post-processing, beyond:level-after-a-flip"],
            ["simple composition", "everywhere; a smaller failure probability as well", "slides:simple-composition, beyond:simple-composition-with-less-delta, beyond:simple-composition-attained"],
            ["advanced composition", "everywhere; says more than the simple one for small levels", "slides:advanced-composition, beyond:advanced-minus-simple, beyond:advanced-below-simple"],
            ["Gaussian mechanism", r"$\epsilon \le 1$, or small $\delta$", "slides:gaussian-mechanism-private-corrected, beyond:gaussian-mechanism-at-large-epsilon"],
            ["privacy of DP-SGD", "with noise for batches, for enough steps", "slides:dp-sgd-private-corrected, beyond:dp-sgd-level-of-a-batch"],
            ["its amplification", r"$\epsilon' \le 1$, or half of the records", "slides:amplified-gradient-private-corrected, beyond:amplified-by-half"],
            ["its composition", r"beyond $\epsilon \le 1$", "slides:dp-sgd-composition, beyond:dp-sgd-composition-region"],
            ["utility of DP-SGD", r"$\delta \le \frac12$, $\epsilon \le \sqrt p$", "slides:utility, beyond:utility-in-many-dimensions, beyond:utility-says-something"],
            ["privacy of GOPA", "enough selections for the failure probability", "slides:gopa-private-corrected, beyond:gopa-enough-selections, beyond:gopa-isolation-chance"],
            ["network privacy", "for convex losses, in Rényi divergences; not for a single visit at small delta", "slides:network-noise-corrected, slides:network-noise, beyond:network-noise-at-small-delta, beyond:network-upper-end"],
            ["from Rényi privacy", "everywhere", "slides:renyi-to-privacy, beyond:order-for-the-conversion"],
            ["Gaussian mechanism, Rényi", r"$\Delta \le 1$ as printed", "beyond:printed-gaussian-level-region, slides:gaussian-mechanism-renyi-corrected"],
            ["composition, Rényi", "everywhere, at one order", "slides:renyi-composition, beyond:renyi-composition-order"],
        ],
    )  # fmt: skip


def losses(points: int) -> Iterable[Block]:
    """The least epsilon by the condition on the loss, and by the definition."""
    yield Heading(text="The condition on the privacy loss")
    yield Paragraph(
        text="Two Gaussians, one deviation apart. Above the upper curve the loss is at most epsilon but for delta; between the curves the pair is private, and does not meet the condition "
        "(beyond:loss-bound-not-necessary). It meets it at a larger level and delta (beyond:loss-bound-at-a-larger-level)."
    )
    deltas = [Fraction(1, k) for k in reversed(geometric(10, 10**12, points))]
    series = [
        Series(
            name=name,
            points=[
                [abscissa(d), *shown(region, {DELTA: d, DISTANCE: Fraction(1)}, Fraction(0), Fraction(100))]
                for d in deltas
            ],
        )
        for name, region in (("the loss is bounded above", LOSS_BOUNDED), ("private above", PRIVATE))
    ]
    yield Figure(
        caption="The condition holds on a slightly smaller region than privacy: it is enough, and not needed.",
        x="delta",
        y="epsilon",
        log_x=True,
        series=series,
    )


def flips(points: int) -> Iterable[Block]:
    """The level of a bit after it may have been flipped."""
    yield Heading(text="Post-processing")
    yield Paragraph(
        text="A bit of randomised response is flipped with some chance (beyond:level-after-a-flip). No curve is above the level before, and only that of a bit that is never flipped reaches it."
    )
    levels = [Fraction(k, 100) for k in geometric(10, 1000, points)]
    series = [
        Series(
            name="never" if not chance else f"with the chance {float(chance):g}",
            points=[
                [abscissa(e), *value(AFTER_A_FLIP.subs(CHANCE, Rational(*chance.as_integer_ratio())), {EPSILON: e})]
                for e in levels
            ],
        )
        for chance in (Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(3, 10))
    ]
    yield Figure(
        caption="A flip with the chance of a hundredth keeps every level below 4.6.",
        x="epsilon before",
        y="epsilon after",
        log_x=True,
        log_y=True,
        series=series,
    )


def failures(points: int) -> Iterable[Block]:
    """The failure probability of simple composition, printed and least."""
    yield Heading(text="Simple composition")
    yield Paragraph(
        text=r"Mechanisms with $\delta = 10^{-3}$ each. The printed sum is 1 from 1,000 mechanisms on, and then says nothing. $1 - (1-\delta)^K$ is proved for every level (beyond:simple-composition-with-less-delta), and at the sum of the levels nothing less holds (beyond:simple-composition-attained)."
    )
    delta = Fraction(1, 1000)
    counts = geometric(1, 10_000, points)
    yield Figure(
        caption="Above the lower curve the total failure probability is enough at the sum of the levels, and below it is not.",
        x="number of mechanisms",
        y="total failure probability",
        log_x=True,
        log_y=True,
        series=[
            Series(
                name="as printed",
                points=[[str(k), *value(COUNT * DELTA, {COUNT: Fraction(k), DELTA: delta})] for k in counts],
            ),
            Series(
                name="least",
                points=[[str(k), *value(SOME_FAILURE, {COUNT: Fraction(k), DELTA: delta})] for k in counts],
            ),
        ],
    )


def long_runs(points: int) -> Iterable[Block]:
    """The number of steps from which on a batch has a level of at most 1."""
    yield Heading(text="DP-SGD with noise for batches")
    yield Paragraph(
        text=r"The corrected theorem (slides:dp-sgd-private-corrected) holds above the curves, where a batch has a level of at most 1 (beyond:dp-sgd-level-of-a-batch); $\delta = 10^{-6}$. Below them its proof breaks at the amplification. It also asks for $\delta n < 2mT$."
    )
    shares = [Fraction(k, 10**6) for k in geometric(100, 30_000, points)]
    yield Figure(
        caption="Small batches need many steps, or a small epsilon.",
        x="share of the records in a batch",
        y="number of steps",
        log_x=True,
        log_y=True,
        series=[
            Series(
                name=f"epsilon = {float(level):g}",
                points=[
                    [abscissa(s), *value(FEWEST_STEPS, {SHARE: s, EPSILON: level, DELTA: Fraction(1, 10**6)})]
                    for s in shares
                ],
            )
            for level in (Fraction(1), Fraction(1, 10))
        ],
    )


def steps(points: int) -> Iterable[Block]:
    """The largest epsilon at which advanced composition of the steps gives the stated level."""
    yield Heading(text="Composition of the steps of DP-SGD")
    yield Paragraph(
        text=r"$T$ steps at the level $\frac{\epsilon}{2\sqrt{2T\ln(2/\delta)}}$ compose to $\epsilon$ below the curves, and to more right above them (beyond:dp-sgd-composition-region). The slides ask for $\epsilon \le 1$ (slides:dp-sgd-composition)."
    )
    deltas = [Fraction(1, k) for k in reversed(geometric(2, 10**12, points))]
    series = [
        Series(
            name=f"{count} steps" if count > 1 else "one step",
            points=[
                [abscissa(d), *shown(ABOVE_THE_LEVEL, {DELTA: d, STEPS: Fraction(count)}, Fraction(1), Fraction(1000))]
                for d in deltas
            ],
        )
        for count in (1, 10, 1000)
    ]
    yield Figure(
        caption="The step holds far beyond an epsilon of 1, up to nearly 4 ln(2/delta) for many steps.",
        x="delta",
        y="epsilon",
        log_x=True,
        log_y=True,
        series=[*series, Series(name="asked for", points=[[abscissa(d), "1", "1"] for d in deltas])],
    )


def utility(points: int) -> Iterable[Block]:
    """The largest epsilon of the utility theorem with the constant 160, and from where on it says something."""
    yield Heading(text="The utility of DP-SGD")
    yield Paragraph(
        text=r"With the constant 160 the bound is above what its proof gives (slides:utility) for $\epsilon$ below the curves times $\sqrt p$; proved for all is $\epsilon \le \sqrt p$ (beyond:utility-in-many-dimensions)."
    )
    counts = [Fraction(k) for k in geometric(1, 10**8, points)]
    curves = [
        Series(
            name=f"delta = {name}",
            points=[
                [abscissa(k), *shown(ABOVE_THE_CONSTANT, {DELTA: d, RECORDS: k}, Fraction(1), Fraction(10**6))]
                for k in counts
            ],
        )
        for name, d in (("1/2", Fraction(1, 2)), ("1e-6", Fraction(1, 10**6)))
    ]
    yield Figure(
        caption="The bound holds for levels far above 1 in many dimensions.",
        x="number of records",
        y="epsilon over the root of p",
        log_x=True,
        log_y=True,
        series=[*curves, Series(name="proved for all", points=[[abscissa(k), "1", "1"] for k in counts])],
    )
    yield Paragraph(
        text=r"Every model has an excess risk of at most $lR$; at $\epsilon = 1$ and $\delta = 10^{-6}$ the theorem with this constant says more above the curve, and never below the line (beyond:utility-says-something)."
    )
    at = {EPSILON: Fraction(1), DELTA: Fraction(1, 10**6)}
    sizes = [Fraction(k) for k in geometric(1, 10**6, points)]
    yield Figure(
        caption="Tens of thousands of records and more are needed before the constant allows a statement.",
        x="number of parameters",
        y="number of records",
        log_x=True,
        log_y=True,
        series=[
            Series(
                name="says more above",
                points=[
                    [abscissa(k), *shown(SAYS_SOMETHING, {**at, COUNT: k}, Fraction(1), Fraction(10**12), RECORDS)]
                    for k in sizes
                ],
            ),
            Series(name="says nothing below", points=[[abscissa(k), *value(NEEDED, {**at, COUNT: k})] for k in sizes]),
        ],
    )


def isolated(selections: int) -> Expr:
    """Return the chance that an honest party and the other honest ones do not select each other."""
    corrupted = PARTIES - HONEST
    missed = Rational(PARTIES - 1 - selections, PARTIES - 1) ** (HONEST - 1)
    return binomial(corrupted, selections) / binomial(PARTIES - 1, selections) * missed


def too_few(failure: Fraction) -> int:
    """Return the largest number of selections at which a party that is isolated breaks the theorem by itself."""
    seen = curve_at(sqrt(Rational(HONEST) / (2 * log(Rational(5, 4) / DELTA))) * EPSILON)
    point = {EPSILON: Fraction(1), DELTA: failure}
    low, high = 0, PARTIES - HONEST
    while high - low > 1:
        middle = (low + high) // 2
        breaks = is_positive(isolated(middle) * seen - 3 * DELTA, point)
        low, high = (middle, high) if breaks else (low, middle)
    return low


def selections(points: int) -> Iterable[Block]:
    """Numbers of selections that are enough, and that are not, for the theorem on GOPA."""
    yield Heading(text="Selections in GOPA")
    yield Paragraph(
        text=rf"{PARTIES} parties, {HONEST} of them honest, $\epsilon = 1$, and independent noise that is set for the honest ones by the printed calibration. On the upper curve the graph among honest parties is connected but for $\delta'$ (beyond:gopa-enough-selections), and GOPA is $(\epsilon, 3\delta')$-private with large pairwise noise (slides:gopa-private-corrected). "
        r"Up to the lower curve it is not: a given party is isolated so often (beyond:gopa-isolation-chance), and its own noise hides it so little, that $3\delta'$ is exceeded."
    )
    failures_ = [Fraction(1, k) for k in reversed(geometric(100, 10**12, points))]
    enough = [neighbours_needed(Fraction(HONEST, PARTIES), PARTIES, d) for d in failures_]
    few = [too_few(d) for d in failures_]
    yield Figure(
        caption="The number of selections has to grow with the logarithm of one over the failure probability.",
        x="delta'",
        y="selections of each party",
        log_x=True,
        series=[
            Series(name=name, points=[[abscissa(d), str(m), str(m)] for d, m in zip(failures_, found, strict=True)])
            for name, found in (("enough", enough), ("not enough", few))
        ],
    )


def orders(points: int) -> Iterable[Block]:
    """The order from which on a conversion adds at most 1."""
    yield Heading(text="From Rényi privacy to (epsilon, delta)")
    yield Paragraph(
        text="Both conversions hold for every order above 1. Above the curves they add at most 1 to the level of that order, and right below them more: the printed one (beyond:order-for-the-conversion), and the improved one (beyond:improved-conversion)."
    )
    deltas = [Fraction(1, k) for k in reversed(geometric(10, 10**12, points))]
    yield Figure(
        caption="The improved conversion serves orders that are smaller by one to four.",
        x="delta",
        y="order",
        log_x=True,
        series=[
            Series(
                name=name,
                points=[
                    [abscissa(d), *shown(1 - added, {DELTA: d}, Fraction(101, 100), Fraction(100), ORDER)]
                    for d in deltas
                ],
            )
            for name, added in (("as printed", ADDED), ("improved", ADDED_LESS))
        ],
    )


def sensitivities(points: int) -> Iterable[Block]:
    """The Rényi level of the Gaussian mechanism, printed and exact, over the sensitivity."""
    yield Heading(text="The Rényi level of the Gaussian mechanism")
    yield Paragraph(
        text="At the order 2 and noise of deviation 1. The printed level is enough up to a sensitivity of 1, whatever the order and the noise are, and too small beyond (beyond:printed-gaussian-level-region)."
    )
    gaps = [Fraction(k, 100) for k in geometric(10, 1000, points)]
    yield Figure(
        caption="The square of the sensitivity is missing in print: the curves cross at 1.",
        x="sensitivity",
        y="level",
        log_x=True,
        log_y=True,
        series=[
            Series(name=name, points=[[abscissa(g), *value(level, {DISTANCE: g})] for g in gaps])
            for name, level in (("as printed", DISTANCE), ("exact", DISTANCE**2))
        ],
    )


def larger_orders(points: int) -> Iterable[Block]:
    """Rényi levels of two outputs at all orders, where the level at one order is fixed."""
    yield Heading(text="Levels at larger orders")
    yield Paragraph(
        text=r"An output has the probability $t$ under $D$ and so small a one under $D'$ that its share of the moment at the order 4 is that of the level $\frac12$; all else is a second output. Up to the order 4 the level stays below $\frac35$, and above it grows as $t$ falls "
        "(beyond:renyi-composition-order): levels may be added at the smallest order of the parts, and not at a larger one."
    )
    betas = [Fraction(k, 100) for k in geometric(120, 1000, points)]
    series = []
    for digits in (1, 3, 9):
        rare = Rational(1, 10**digits)
        under = exp(-Rational(1, 2) + Rational(4, 3) * log(rare))
        moment = rare**ORDER * under ** (1 - ORDER) + (1 - rare) ** ORDER * (1 - under) ** (1 - ORDER)
        series.append(
            Series(
                name=f"t = 1e-{digits}",
                points=[[abscissa(b), *value(log(moment) / (ORDER - 1), {ORDER: b})] for b in betas],
            )
        )
    yield Figure(
        caption="A level at the order 4 says nothing of larger orders.",
        x="order",
        y="level",
        log_x=True,
        log_y=True,
        series=series,
    )
