"""Regions of the parameters where the theorems of the slides hold, or say more than a simpler one, as pictures.

The main theorems stand here; `regions_of_propositions` has the others, and the list of all.

Each boundary is enclosed: at its lower end the inequality holds, and at its upper end it does not. Signs are decided in balls.
"""

from collections.abc import Iterable
from fractions import Fraction

from sympy import Rational, erfc, exp, log, sqrt

from rgm_verify.claims.chapter import Block, Chapter, Figure, Heading, Paragraph, Series
from rgm_verify.numbers.settled import geometric

from . import regions_of_propositions as more
from .region_boundaries import COUNT, DELTA, DISTANCE, EPSILON, FACTOR, RECORDS, SHARE, above, abscissa, curve_at, shown

#: What has to be at most 0; in the parameters of each picture.
_DISTANCE = EPSILON / sqrt(2 * log(Rational(5, 4) / DELTA))
TOO_LITTLE_NOISE = (
    erfc((EPSILON / _DISTANCE - _DISTANCE / 2) / sqrt(2)) / 2
    - exp(EPSILON) * erfc((EPSILON / _DISTANCE + _DISTANCE / 2) / sqrt(2)) / 2
    - DELTA
)
ABOVE_SIMPLE = sqrt(2 * log(1 / DELTA) / COUNT) + exp(EPSILON) - 2
ABOVE_TWICE = log(1 + SHARE * (exp(EPSILON) - 1)) - 2 * SHARE * EPSILON

_SIGNAL = RECORDS * EPSILON / (16 * sqrt(log(2 / DELTA) * log(5 / (4 * DELTA * RECORDS))))
BROKEN_BY_A_STEP = (
    (1 - 1 / RECORDS) * above(-_SIGNAL) + above(_SIGNAL) / RECORDS - exp(EPSILON) * above(-_SIGNAL) - DELTA
)
ENOUGH_FOR_A_VISIT = curve_at(DISTANCE) - curve_at(DISTANCE * sqrt(COUNT) / (FACTOR * log(COUNT))) / (COUNT - 1)


def build(profile: str) -> list[Block]:
    """Return all blocks; the full profile has more points."""
    points = 30 if profile == "full" else 10
    return [
        *more.every_theorem(),
        *more.losses(points),
        *more.flips(points),
        *more.failures(points),
        *composition(points),
        *calibration(points),
        *one_step(points),
        *more.long_runs(points),
        *subsampling(points),
        *more.steps(points),
        *more.utility(points),
        *more.selections(points),
        *one_visit(points),
        *more.orders(points),
        *more.sensitivities(points),
        *more.larger_orders(points),
    ]


def calibration(points: int) -> Iterable[Block]:
    """The largest epsilon up to which the printed noise of the Gaussian mechanism is private."""
    yield Heading(text="The printed noise of the Gaussian mechanism")
    yield Paragraph(
        text=r"With the noise $\sqrt{2\ln(1.25/\delta)}\,\Delta/\epsilon$ the exact $\delta$ of two outputs at the distance of the sensitivity is the stated one on the curve, and larger right above it. For $\epsilon \le 1$ the noise is proved to be enough for "
        "every delta (slides:gaussian-mechanism-private-corrected), and for small delta beyond (beyond:gaussian-mechanism-at-large-epsilon); that it is not for large epsilon is slides:gaussian-mechanism-private."
    )
    deltas = [Fraction(1, k) for k in reversed(geometric(3, 10**12, points))]
    curve = [
        [abscissa(delta), *shown(TOO_LITTLE_NOISE, {DELTA: delta}, Fraction(1), Fraction(1000))] for delta in deltas
    ]
    yield Figure(
        caption="The smaller delta is, the larger is the epsilon up to which the printed noise is enough; it is never enough for all.",
        x="delta",
        y="epsilon",
        log_x=True,
        log_y=True,
        series=[
            Series(name="private below, not private right above", points=curve),
            Series(name="proved for every delta", points=[[point[0], "1", "1"] for point in curve]),
        ],
    )


def composition(points: int) -> Iterable[Block]:
    """The epsilon of a step below which advanced composition says more than simple composition."""
    yield Heading(text="Advanced against simple composition")
    yield Paragraph(
        text=r"Advanced composition holds for all parameters (slides:advanced-composition). It says more than simple composition of the same steps where $\sqrt{2K\ln(1/\delta')}\,\epsilon + K\epsilon(e^\epsilon - 1) \le K\epsilon$, below the curves "
        r"(beyond:advanced-minus-simple): for few steps nowhere, and never for $\epsilon \ge \ln 2$ (beyond:advanced-below-simple)."
    )
    series = []
    for digits in (3, 6, 12):
        failure = Fraction(1, 10**digits)
        # Twice the logarithm of 10^digits, rounded up: with fewer steps there is no such epsilon.
        fewest = 5 * digits
        counts = [Fraction(k) for k in geometric(fewest, 100_000, points)]
        curve = [
            [abscissa(k), *shown(ABOVE_SIMPLE, {DELTA: failure, COUNT: k}, Fraction(0), Fraction(1))] for k in counts
        ]
        series.append(Series(name=f"delta' = 1e-{digits}", points=curve))
    yield Figure(
        caption="Advanced composition needs many steps and small epsilons to say more than simple composition.",
        x="number of steps",
        y="epsilon of a step",
        log_x=True,
        series=series,
    )


def subsampling(points: int) -> Iterable[Block]:
    """The epsilon of a batch up to which drawing it gives the printed level."""
    yield Heading(text="Amplification by subsampling")
    yield Paragraph(
        text=r"Batches with a share $\gamma$ of the records give the level $\ln(1 + \gamma(e^\epsilon - 1))$ (beyond:amplification-by-subsampling). The sketch of proof on the slides uses $2\gamma\epsilon$ for it, which is enough below the curve. For $\epsilon \le 1$ it is enough for every share "
        r"(slides:amplified-gradient-private-corrected); for shares from a half on it is enough for every $\epsilon$ (beyond:amplified-by-half)."
    )
    shares = [Fraction(k, 100_000) for k in geometric(100, 49_000, points)]
    curve = [[abscissa(share), *shown(ABOVE_TWICE, {SHARE: share}, Fraction(1), Fraction(1000))] for share in shares]
    yield Figure(
        caption="Small batches: the printed level is enough up to 1.256, and not beyond.",
        x="share of the records in a batch",
        y="epsilon of a batch",
        log_x=True,
        log_y=True,
        series=[
            Series(name="enough below, not above", points=curve),
            Series(name="proved for every share", points=[[point[0], "1", "1"] for point in curve]),
        ],
    )


def one_step(points: int) -> Iterable[Block]:
    """The number of records from which on one step of DP-SGD with the printed noise is not private."""
    yield Heading(text="The printed noise of DP-SGD, for a single step")
    yield Paragraph(
        text=r"One step with batches of one record, and linear losses whose gradients are $l$, on one record of the neighbour $-l$ (slides:dp-sgd-private). Above the curves the model after the step tells the two sets of data apart "
        r"further than $(\epsilon,\delta)$ allows, for numbers of records up to $1/(10\delta)$. With noise for batches the theorem is proved (slides:dp-sgd-private-corrected), if a step has a level of at most 1."
    )
    series = []
    for level in (Fraction(1), Fraction(1, 10)):
        deltas = [Fraction(1, k) for k in reversed(geometric(10**6, 10**12, points))]
        curve = [
            [abscissa(d), *shown(BROKEN_BY_A_STEP, {DELTA: d, EPSILON: level}, Fraction(2), 1 / (10 * d), RECORDS)]
            for d in deltas
        ]
        series.append(Series(name=f"epsilon = {float(level):g}", points=curve))
    yield Figure(
        caption="From a few hundred records on, a step that shows one of them is not private: the printed noise falls as the number of records grows, and the record is shown all the same.",
        x="delta",
        y="number of records",
        log_x=True,
        log_y=True,
        series=series,
    )


def one_visit(points: int) -> Iterable[Block]:
    """The number of parties from which on the printed factor of network privacy is enough for one visit."""
    yield Heading(text="The printed factor of network privacy, for a single visit")
    yield Paragraph(
        text=r"A party's update has the noise that is just enough for $(\epsilon,\delta)$ under local privacy, times $C\ln K/\sqrt K$ (beyond:network-noise-at-small-delta). One of the $K - 1$ others gets the update itself. Below the curves this is not $(\epsilon,\delta)$-private for that party, and "
        r"right above them it is. In Rényi divergences the factor is proved for every $K$ (slides:network-noise-corrected)."
    )
    level = Fraction(1)
    distances = [Fraction(k, 10_000) for k in geometric(1_400, 2_200, points)]
    series = []
    # Between the first number and the last one every curve has one boundary: with fewer parties still the printed
    # noise may exceed that of local privacy.
    for factor, fewest in ((Fraction(1), Fraction(10**4)), (Fraction(4), Fraction(10**5))):
        curve = [
            [
                f"{_local(distance, level):.6g}",
                *shown(
                    ENOUGH_FOR_A_VISIT,
                    {EPSILON: level, DISTANCE: distance, FACTOR: factor},
                    fewest,
                    Fraction(10**18),
                    COUNT,
                ),
            ]
            for distance in distances
        ]
        series.append(Series(name=f"C = {float(factor):g}", points=curve))
    yield Figure(
        caption="At epsilon 1 about 1/delta parties are needed, whatever the constant of the order is: then the update is seen rarely enough. Both curves lie on each other.",
        x="delta",
        y="number of parties",
        log_x=True,
        log_y=True,
        series=series,
    )


def _local(distance: Fraction, level: Fraction) -> float:
    """Return the delta under local privacy; where a point stands needs no more digits than are drawn."""
    return float(curve_at(DISTANCE).subs({DISTANCE: distance, EPSILON: level}).evalf(20))


chapter = Chapter(
    id="regions-of-theorems",
    title="Where the theorems of the slides hold",
    summary="Certified boundaries: up to which epsilon the printed noise is private, where advanced composition says more than simple composition, and where the printed amplification is enough.",
    build=build,
)
