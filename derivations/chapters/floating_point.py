"""Errors of the obvious floating-point route to delta, and of ours: measured, and recorded.

What floating point gives depends on the processor and on the versions of the libraries, so the chapter shows a record:

    python -m derivations.chapters.floating_point

writes it again.
"""

import math
import warnings
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import msgspec
import numpy as np
from scipy import stats

from rgm_verify.gaussians.enclosures import epsilon as pair_epsilon, hockey_stick as certified_hockey_stick
from rgm_verify.gaussians.floating.hockey_stick import log_hockey_stick
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.jobs.files import write_atomically
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.sampling import spawn

RECORD = Path(__file__).parent / "floating-point.json"
CASES = 200
SEED = 20230830
WRONG = 1e-6


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In how many cases a route gives no number, none above 0 or an error over 1e-6, and a bound on its other errors."""

    nan: int
    nonpositive: int
    wrong: int
    rest: str
    """A power of ten above every other error."""


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both routes on so many cases, with the versions that they were measured with."""

    cases: int
    numpy: str
    scipy: str
    ours: Route
    tails: Route


def read() -> Comparison:
    """Return what is recorded."""
    return msgspec.json.decode(RECORD.read_bytes(), type=Comparison)


def compare(cases: int) -> Comparison:
    """Measure both routes on cases drawn with a fixed seed."""
    generator = spawn(SEED, 1)[0]
    ours, tails = [], []
    for _ in range(cases):
        epsilon, shift, excess, dimension, truth = _case(generator)
        # In an array, as everywhere where many are computed: a number by itself may go the certified way.
        ours.append(float(log_hockey_stick([epsilon], shift, excess, dimension)[0]) - truth)
        tails.append(_tails(epsilon, shift, excess, dimension) - truth)
    return Comparison(cases, version("numpy"), version("scipy"), _route(ours), _route(tails))


def _route(errors: list[float]) -> Route:
    """Sort the errors of the logarithms; that of no number above 0 is minus infinity."""
    rest = max((abs(error) for error in errors if abs(error) <= WRONG), default=0.0)
    return Route(
        nan=sum(math.isnan(error) for error in errors),
        nonpositive=sum(error == -math.inf for error in errors),
        wrong=sum(math.isfinite(error) and abs(error) > WRONG for error in errors),
        rest=decimal(Fraction(10) ** math.ceil(math.log10(rest)), up=True) if rest else "0",
    )


def _case(generator: np.random.Generator) -> tuple[float, float, float, int, float]:
    """A pair, an epsilon at which delta is between 1e-200 and 1, and the certified log of delta."""
    while True:
        dimension = int(10 ** generator.uniform(0, 6))
        excess = float(10 ** generator.uniform(-6, 0.5)) / math.sqrt(dimension)
        shift = float(10 ** generator.uniform(-4, 3))
        pair = GaussianPair(shift, excess, dimension, floats="binary")
        pair = pair.reversed() if generator.random() < 0.5 else pair
        shift, excess = float(pair.shift_squared), float(pair.excess)
        pair = GaussianPair(shift, excess, dimension, floats="binary")
        target = Fraction(10) ** int(-(10 ** generator.uniform(-0.5, 2.3)))
        guess = pair_epsilon(pair, min(target, Fraction(9, 10)), digits=4)
        epsilon = float(guess.midpoint() or 0)
        found = certified_hockey_stick(pair, Fraction(epsilon), digits=16)
        if found.lower is not None and found.upper is not None and found.lower > 0:
            return epsilon, shift, excess, dimension, _log(found.midpoint() or found.lower)


def _log(value: Fraction) -> float:
    """The logarithm of a number that may be below the range of floats."""
    return math.log(value.numerator) - math.log(value.denominator)


def _tails(epsilon: float, shift: float, excess: float, dimension: int) -> float:
    """The log of delta as a difference of two noncentral chi-square tails, written down as one would."""
    if excess == 0:
        return math.nan
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # it says itself that a series did not converge
        level = (2 * epsilon + dimension * math.log1p(excess) + shift / excess) / excess
        noncentrality = shift * (1 + excess) / excess**2
        tail = stats.ncx2.sf if excess > 0 else stats.ncx2.cdf
        first = tail(level, dimension, noncentrality)
        second = tail(level * (1 + excess), dimension, shift / excess**2)
        difference = first - np.exp(epsilon) * second
        return float(np.log(difference)) if difference > 0 else (math.nan if math.isnan(difference) else -math.inf)


if __name__ == "__main__":
    write_atomically(RECORD, msgspec.json.format(msgspec.json.encode(compare(CASES)), indent=1) + b"\n")
