"""Plans as events of dp-accounting.

Importing this module needs the optional extra ``pip install 'rgm-verify[dp-accounting]'``.

That package keeps floats. A number that is no float is rounded to the side that costs more, so that what its accountant
says of the event is said of the plan too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rgm_verify.accounting.handover import RelativeGaussianDpEvent
from rgm_verify.accounting.plans.plan import Plan
from rgm_verify.accounting.plans.releases import (
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    DpSgd,
    Gaussian,
    Laplace,
    PlannedRelease,
    RandomisedResponse,
    RelativeGaussian,
)
from rgm_verify.accounting.subsampled.mechanism import POISSON, REPLACE
from rgm_verify.errors import InputError, takes
from rgm_verify.numbers.bounds import round_down, round_up

try:
    import dp_accounting
except ImportError as missing:
    raise ImportError(
        "this needs the package dp-accounting; install it with: pip install 'rgm-verify[dp-accounting]'"
    ) from missing

__all__ = ["to_dp_accounting"]


@takes(planned=Plan)
def to_dp_accounting(planned: Plan) -> Any:
    """Return the releases of a plan as one `DpEvent`.

    An event's noise is relative to the largest norm of what one record adds to a sum, which a replacement moves by
    twice: for "replace-one" the event has twice the noise of the plan. Ask an accountant of the plan's own neighbours,
    ADD_OR_REMOVE_ONE for every relation but "replace-one".

    Raises:
        InputError: for a release or a group that has no event.
    """
    if planned.group != 1:
        raise InputError(f"group={planned.group}: events are for neighbours that differ in one record")
    moved = 2 if planned.adjacency == REPLACE else 1
    events = []
    for number, release in enumerate(planned.releases):
        for event, count in _events(release, moved, f"lines[{number}]"):
            events.append(event if count == 1 else dp_accounting.SelfComposedDpEvent(event, count))
    return events[0] if len(events) == 1 else dp_accounting.ComposedDpEvent(events)


def _events(release: PlannedRelease, moved: int, place: str) -> Iterator[tuple[Any, int]]:
    """Yield the events of one release, each with its number."""
    match release:
        case Gaussian():
            yield dp_accounting.GaussianDpEvent(round_down(release.noise_multiplier * moved)), release.count
        case Concentrated():
            yield dp_accounting.ZCDpEvent(round_up(release.rho)), release.count
        case Laplace():
            yield dp_accounting.LaplaceDpEvent(round_down(release.scale * moved)), release.count
        case DiscreteLaplace():
            if release.sensitivity % moved:
                raise InputError(f"{place}.sensitivity={release.sensitivity}: an event has half of it, a whole number")
            decay = round_up(1 / release.scale)
            yield dp_accounting.dp_event.DiscreteLaplaceDpEvent(decay, release.sensitivity // moved), release.count
        case DiscreteGaussian() if moved == 1:
            yield dp_accounting.DiscreteGaussianDpEvent(round_down(release.sigma), release.sensitivity), release.count
        case RandomisedResponse():
            k = release.answers
            if release.truth is not None:
                noise = (1 - release.truth) * k / (k - 1)
            else:
                # Downwards by more than the roundings of an exponential.
                noise = Fraction(k / (math.exp(float(release.epsilon or 0)) + k - 1)) * (1 - Fraction(1, 2**48))
            yield dp_accounting.RandomizedResponseDpEvent(round_down(noise), k), release.count
        case DpSgd():
            yield from _batches(release)
        case RelativeGaussian():
            one, relations = release.release, dp_accounting.NeighboringRelation
            relation = relations.REPLACE_ONE if moved == 2 else relations.ADD_OR_REMOVE_ONE
            numbers = {"r_rel": one.r_rel, "sigma2": one.sigma2}
            yield RelativeGaussianDpEvent(one.eta, one.gamma, one.dimension, relation, **numbers), release.count
        case _:
            raise InputError(f"{place}: {release.kind} has no event of dp-accounting for these neighbours")


def _batches(release: DpSgd) -> Iterator[tuple[Any, int]]:
    """Yield the events of the segments of a run, each with its steps."""
    for segment in release.run.segments:
        inner = dp_accounting.GaussianDpEvent(round_down(segment.noise_multiplier))
        if release.run.sampler == POISSON:
            yield dp_accounting.PoissonSampledDpEvent(round_up(segment.rate), inner), segment.steps
        else:
            size, batch = segment.rate.denominator, segment.rate.numerator
            yield dp_accounting.SampledWithoutReplacementDpEvent(size, batch, inner), segment.steps
