"""Epsilon at parameters that a reader chooses: tables with every combination, computed beforehand.

The site shows the row that is chosen. Every number is an enclosure or an upper end, rounded outward.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from rgm_verify.accounting.exact import epsilon as exact_epsilon
from rgm_verify.accounting.printed import PrintedBound, printed_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.account import epsilon as sampled_epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson
from rgm_verify.claims.chapter import Block, Chapter, Heading, Paragraph, Table
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.settled import enclosed

ETAS = ("1/10000", "1/1000", "1/100", "1/10")
LEVELS = (10, 100, 1000, 10_000)
"""gamma over eta^2."""
DIMENSIONS = (1, 10, 100, 1000)
DELTAS = ("1e-5", "1e-8", "1e-12")
NOISES = ("3/5", "4/5", "1", "2", "4")
RATES = ("1/1000", "1/100", "1/10")
STEPS = (100, 1000, 10_000)
_SHORT = ", below the truth"


def build(profile: str) -> list[Block]:
    """Return all blocks; they do not depend on the profile."""
    return [*relative(), *sampled()]


def relative() -> Iterable[Block]:
    """One release of the relative Gaussian mechanism."""
    yield Heading(text="One release of the relative Gaussian mechanism")
    yield Paragraph(
        text=r"$\eta$ is the relative sensitivity, $\gamma$ the variance of a coordinate over the squared norm, $d$ the dimension; there is no absolute part. The printed numbers are the least that each version's Theorem 1 gives after its own conversion."
    )
    rows = [_release(*choice) for choice in product(ETAS, LEVELS, DIMENSIONS, DELTAS)]
    short = sum(_SHORT in row[-2] for row in rows)
    yield Paragraph(
        text="Version 1 rests on a refuted theorem: nothing proves its numbers. "
        f"At {short or 'none'} of the {len(rows)} combinations here they are below the exact one."
    )
    yield Table(
        caption=r"Epsilon of one release, for every combination.",
        columns=[
            r"$\eta$",
            r"$\gamma/\eta^2$",
            "$d$",
            r"$\delta$",
            "exact epsilon",
            "version 1, printed",
            "version 2, printed",
        ],
        rows=rows,
        inputs=4,
    )


def _release(eta: str, level: int, dimension: int, delta: str) -> list[str]:
    ratio = Fraction(eta)
    release = Release(ratio, level * ratio**2, dimension)
    truth = exact_epsilon(release, Fraction(delta), digits=6)
    bounds = printed_bounds(release, delta=delta)
    printed = [
        _least([b for b in bounds if b.version == version and "Theorem 1" in b.name]) for version in ("v1", "v2")
    ]
    low, high = enclosed(truth.lower, truth.upper, digits=4)
    return [_short(ratio), str(level), str(dimension), delta, f"[{low}, {high}]", *printed]


def _least(bounds: list[PrintedBound]) -> str:
    """The least bound in words: rounded up, with a warning where it is below the truth."""
    values = [b for b in bounds if b.value is not None]
    if not values:
        return "does not apply"
    best = min(values, key=lambda b: b.value or 0)
    return decimal(Fraction(best.value or 0), up=True, digits=4) + (_SHORT if best.unsafe else "")


def sampled() -> Iterable[Block]:
    """DP-SGD with Poisson batches."""
    yield Heading(text="DP-SGD with Poisson batches")
    yield Paragraph(
        text=r"One record is added or removed, batches are drawn record by record with the rate, and the noise multiplier is the deviation of the noise over the clipping norm. The cost of a whole run, certified from both sides."
    )
    yield Table(
        caption=r"Epsilon of a run at $\delta = 10^{-5}$, for every combination.",
        columns=["noise multiplier", "rate", "steps", "epsilon"],
        rows=[_run(*choice) for choice in product(NOISES, RATES, STEPS)],
        inputs=3,
    )


def _run(noise: str, rate: str, steps: int) -> list[str]:
    cost = sampled_epsilon(poisson(rate, noise, steps), "1e-5", width="1/50")
    low, high = enclosed(cost.lower, cost.upper, digits=3)
    return [_short(Fraction(noise)), _short(Fraction(rate)), str(steps), f"[{low}, {high}]"]


def _short(value: Fraction) -> str:
    return decimal(value, up=True, digits=6)


chapter = Chapter(
    id="your-parameters",
    title="Epsilon at your parameters",
    summary="Exact and printed epsilon of one release, and certified epsilon of DP-SGD, at parameters that you choose.",
    build=build,
)
