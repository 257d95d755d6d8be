"""DP-SGD as data: how records are sampled, which data sets are neighbours, and the segments of a run.

The guarantees of this room hold for two kinds of mechanism, each with its neighbouring relations:

* Poisson sampling, add or remove one record (or one of the two alone), or replace one: every record is in a batch with
  the probability `rate`, independently;
* batches of a fixed size without replacement, replace one record: every batch of the size is as likely, `rate` is the
  size over the number of records.

Records are clipped to norm 1, and the sum gets `N(0, noise_multiplier^2)` in every coordinate. All else is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import ExactInput, exact, positive, positive_integer
from rgm_verify.numbers.shown import Framed, Shown

POISSON, FIXED, TRUNCATED = "poisson", "fixed-batch", "truncated-poisson"
ADD_REMOVE, ADD, REMOVE, REPLACE = "add-or-remove-one", "add-one", "remove-one", "replace-one"

SAMPLERS = (
    '"poisson" where every record joins a batch on its own, "fixed-batch" where all batches of one size are as likely; '
    "a loader that shuffles is neither"
)
"""The choices of a sampler, for whoever did not say one: most loaders shuffle, and no account is good for all."""

_PAIRS = {POISSON: (ADD_REMOVE, ADD, REMOVE, REPLACE), FIXED: (REPLACE,)}
_FIXED_SIZE = (
    "batches of a fixed size have neighbours of the same number of records: ask for replace-one, or sample by Poisson, "
    "where every record joins a batch on its own"
)
_ADVICE = {FIXED: dict.fromkeys((ADD_REMOVE, ADD, REMOVE), _FIXED_SIZE)}
_SHUFFLED = (
    "an account of Poisson sampling is no bound for shuffled epochs, and no sharper one is known to us than this: if "
    "the order does not depend on the data, replacing a record changes one batch of an epoch, so that an epoch is one "
    'step of "fixed-batch" at sampling rate 1'
)
_OTHER_SAMPLERS = {
    "shuffle": _SHUFFLED,
    "shuffled": _SHUFFLED,
    TRUNCATED: "batches of a largest size are a mechanism of their own, truncated-dp-sgd",
    "with-replacement": "sampling with replacement may use a record twice in a batch: sample by Poisson",
}
_LARGEST = 10**15
MOST_RECORDS = 100
_RANGE = (Fraction(1, 10**12), Fraction(10**9))  # least rate, most noise: what is outside is most likely a slip

SegmentInput: TypeAlias = "Segment | tuple[ExactInput, ExactInput, ExactInput]"


@dataclass(frozen=True)
class Segment(Shown):
    """`steps` releases in a row at one sampling rate and one noise multiplier.

    Attributes:
        rate: the probability of a record to be in a batch, exact, in (0, 1].
        noise_multiplier: the deviation of the noise over the clipping norm, exact.
        steps: how many.
    """

    rate: Fraction
    noise_multiplier: Fraction
    steps: int

    @classmethod
    def of(cls, rate: ExactInput, noise_multiplier: ExactInput, steps: ExactInput, *, place: str = "") -> Segment:
        """Return a checked segment; `InputError` names the number that is wrong, with `place` before it."""
        q = positive(rate, name=f"{place}sampling_rate", meaning="the sampling rate")
        if q > 1:
            raise reject(f"{place}sampling_rate", rate, "the sampling rate must be at most 1; write 1/100 for 1 %")
        sigma = positive(noise_multiplier, name=f"{place}noise_multiplier", meaning="the noise multiplier")
        count = positive_integer(steps, name=f"{place}steps", meaning="the number of steps")
        if q < _RANGE[0]:
            raise reject(f"{place}sampling_rate", rate, "must be at least 1e-12")
        if not Fraction(1, 100) <= sigma <= _RANGE[1]:
            raise reject(f"{place}noise_multiplier", noise_multiplier, "must lie between 1/100 and 1e9")
        if count > _LARGEST:
            raise reject(f"{place}steps", steps, "must be at most 1e15")
        return cls(q, sigma, count)


@dataclass(frozen=True)
class SampledGaussian(Framed):
    """A run of Gaussian releases of random samples: the sampler, the neighbouring relation, and the segments in order.

    Made by `sampled_gaussian`, or by `poisson` and `fixed_batches` with the usual neighbours.

    Attributes:
        sampler: "poisson" or "fixed-batch".
        adjacency: which data sets are neighbours.
        segments: in order.
        records: of one user, at most, each in a batch on its own; neighbours differ in all records of a user.
    """

    sampler: str
    adjacency: str
    segments: tuple[Segment, ...]
    records: int = 1

    @property
    def steps(self) -> int:
        """The number of releases."""
        return sum(segment.steps for segment in self.segments)

    @property
    def assuming(self) -> str:
        """The neighbours and the sampler that an answer is for, in words."""
        many = f"; records of a user: {self.records}" if self.records > 1 else ""
        return f"neighbours: {self.adjacency}; sampler: {self.sampler}{many}"

    @property
    def directions(self) -> tuple[bool, ...]:
        """The directions that count: True for the pair of removal, False for that of addition."""
        # The two have different curves: a guarantee for both neighbours is the larger of them at each epsilon. Of a
        # replacement by Poisson sampling they have one; of fixed batches one loss bounds both, and each has its own
        # bound from below.
        if self.sampler == POISSON and self.adjacency == REPLACE:
            return (True,)
        return {ADD: (False,), REMOVE: (True,)}.get(self.adjacency, (True, False))

    @property
    def units(self) -> tuple[Segment, ...]:
        """The segments with the noise in units of the most that neighbours move a sum by: 2 norms for a replacement."""
        moved = self.records * (2 if self.adjacency == REPLACE else 1)
        return tuple(Segment(s.rate, s.noise_multiplier / moved, s.steps) for s in self.segments)


def sampled_gaussian(
    segments: Iterable[SegmentInput],
    *,
    sampler: str | None = None,
    adjacency: str | None = None,
    records: ExactInput = 1,
) -> SampledGaussian:
    """Return the run, checked.

    Args:
        segments: triples `(sampling rate, noise multiplier, steps)` of exact numbers, or segments.
        sampler: "poisson" or "fixed-batch"; has to be said, as one is no bound for the other.
        adjacency: which data sets are neighbours; left out, it is "add-or-remove-one" for Poisson sampling, and
            "replace-one" for fixed batches, which have no other.
        records: the most records of one user, 1 to 100; more than one for Poisson sampling alone.

    Raises:
        InputError: for anything else with what to do, for no segment, and for a number out of range, with its segment.

    Examples:
        >>> sampled_gaussian([("1/100", 1, 500), ("1/100", 1, 500)], sampler="poisson").steps
        1000
    """
    if sampler is None:
        raise InputError(f"sampler: missing; {SAMPLERS}")
    if sampler not in _PAIRS:
        allowed = " and ".join(f'"{name}"' for name in _PAIRS)
        raise reject("sampler", sampler, _OTHER_SAMPLERS.get(sampler, f"allowed are {allowed}"))
    wanted = _PAIRS[sampler][0] if adjacency is None else adjacency
    if wanted not in _PAIRS[sampler]:
        # A relation that exists elsewhere deserves the reason why it is refused here.
        if wanted in _ADVICE.get(sampler, {}):
            raise reject("adjacency", wanted, _ADVICE[sampler][wanted])
        allowed = ", ".join(f'"{name}"' for name in _PAIRS[sampler])
        raise reject("adjacency", wanted, f"allowed for this sampler: {allowed}")
    found, many = _segments(list(segments)), positive_integer(records, name="records", meaning="the records of a user")
    if many > MOST_RECORDS or (many > 1 and sampler != POISSON):
        allowed = f"at most {MOST_RECORDS}" if sampler == POISSON else "1 for batches of a fixed size"
        raise reject("records", records, f"must be {allowed}")
    return SampledGaussian(sampler, wanted, found, many)


def poisson(rate: ExactInput, noise_multiplier: ExactInput, steps: ExactInput) -> SampledGaussian:
    """Return Poisson sampling at one rate, for adding or removing one record; errors as `sampled_gaussian`."""
    return SampledGaussian(POISSON, ADD_REMOVE, (Segment.of(rate, noise_multiplier, steps),))


def fixed_batches(rate: ExactInput, noise_multiplier: ExactInput, steps: ExactInput) -> SampledGaussian:
    """Return batches of a fixed share `rate` of the records, for replacing one; errors as `sampled_gaussian`."""
    return SampledGaussian(FIXED, REPLACE, (Segment.of(rate, noise_multiplier, steps),))


def rate_and_steps(
    dataset_size: ExactInput,
    batch_size: ExactInput,
    epochs: ExactInput | None = None,
    *,
    names: tuple[str, str, str] = ("dataset_size", "batch_size", "epochs"),
) -> tuple[Fraction, int | None]:
    """Return the sampling rate of batches of a data set, exact, and the steps of so many epochs, rounded up.

    Every epoch is rounded up to whole batches, as loaders do whose last batch is smaller. A step too many costs privacy
    in the account, one too few in truth.

    Args:
        dataset_size: the number of records.
        batch_size: for Poisson sampling the mean.
        epochs: floats are taken as the binary numbers that they are; None for no steps.
        names: what errors call the three.

    Raises:
        InputError: for what is no positive number, and for a batch that is larger than the data set.

    Examples:
        >>> rate_and_steps(60000, 256, 15)
        (Fraction(8, 1875), 3525)
    """
    size = positive_integer(dataset_size, name=names[0], meaning="the number of records")
    batch = positive_integer(batch_size, name=names[1], meaning="the batch size")
    if batch > size:
        raise reject(names[1], batch, "must be at most the number of records")
    if epochs is None:
        return Fraction(batch, size), None
    passes = exact(epochs, name=names[2], floats="binary")
    if passes <= 0:
        raise reject(names[2], epochs, "must be > 0")
    return Fraction(batch, size), math.ceil(passes * -(-size // batch))


def _segments(given: Sequence[SegmentInput]) -> tuple[Segment, ...]:
    """Return checked segments, neighbours of equal parameters joined: fewer transforms for the same run."""
    if not given:
        raise InputError("segments=(): expected at least one (sampling rate, noise multiplier, steps)")
    found: list[Segment] = []
    for number, part in enumerate(given):
        place = f"segments[{number}]." if len(given) > 1 else ""
        segment = part if isinstance(part, Segment) else Segment.of(*_triple(part, number), place=place)
        if found and (found[-1].rate, found[-1].noise_multiplier) == (segment.rate, segment.noise_multiplier):
            found[-1] = Segment(segment.rate, segment.noise_multiplier, found[-1].steps + segment.steps)
        else:
            found.append(segment)
    return tuple(found)


def _triple(part: object, number: int) -> tuple[ExactInput, ExactInput, ExactInput]:
    """Return the three numbers of a segment; `InputError` for another shape."""
    if not isinstance(part, tuple | list) or len(part) != 3:
        raise reject(f"segments[{number}]", part, "expected (sampling rate, noise multiplier, steps)")
    return part[0], part[1], part[2]
