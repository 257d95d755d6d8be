"""Certificates of accounting numbers: what a replay needs to check an interval without the code that found it.

The data are looked for here and judged by `rgm_verify.recheck`: a certificate is given away only once it was replayed.
So no number of this module needs a rounding direction. A step, a reach or a cut that is chosen badly makes the replay
refuse, and the search goes on with a finer grid or a wider interval; it cannot make a false statement pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.plans.plan import Plan
from rgm_verify.accounting.plans.releases import DpSgd, Gaussian, RelativeGaussian
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.mechanism import FIXED, SampledGaussian, Segment
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import exact_text
from rgm_verify.recheck.certificate import FORMAT, parse
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import replay

__all__ = ["planned_certificate", "release_certificate", "sampled_certificate"]

_SPARE_BITS = 80  # beyond those that are lost where two tails cancel
_SPARE_DIGITS = 12  # of a mass, beyond the first digit of delta
_CUT = 10**5  # a replay may move this part of delta, over all releases, at each end of the losses
_ATTEMPTS = 4
_FINER = Fraction(3, 5)  # an error that goes with the square of the step falls to about a third
_SHARE = 3.0  # of the width of the interval that a grid may take
_WIDER = tuple(Fraction(k, 1000) for k in (0, 1, 2, 4, 7, 10, 15, 20, 30, 50, 80, 100))
_FINE_PLACES, _COARSER = 5000, 3  # rare losses are far up, where a wide cell costs little
_MOST_PLACES = 390_000  # a replay takes 400,000 for a release
_MOST_DOTS = 20_000
_MOST_WINDOW = 800_000
_NO_SMALLER = Fraction(1, 10**200)  # guides are floats, which end not far below


def release_certificate(release: Release, found: Bounds, *, delta: Fraction | None, epsilon: Fraction | None,
                        steps: int = 1, lower: bool = True) -> dict[str, Any]:  # fmt: skip
    """Return the certificate of an interval of equal releases, as data: of epsilon at `delta`, or the other way round.

    Args:
        release: one release; all are equal.
        found: the interval, as `composition` or `exact.one_release` gives it.
        delta: the level at which `found` is an epsilon, exact; None if it is a delta.
        epsilon: the level at which `found` is a delta, exact, in nats; looked at only without `delta`.
        steps: the number of releases.
        lower: whether the lower end is stated; else only the upper one, which is the guarantee.

    Returns:
        JSON data that `recheck` has accepted. One release has the interval as it is. For several releases an end is
        moved outward, by at most a tenth of itself, where no grid that may be replayed proves it.

    Raises:
        InputError: with the reason of the replay, where no certificate is known: the worst pair lies on a curve, delta
            is below 1e-200, epsilon above 1000, or a grid would be too fine.

    Examples:
        >>> one, level = Release("1/10", 1, 10), Fraction(1, 10**5)
        >>> data = release_certificate(one, one_release.epsilon(one, level), delta=level, epsilon=None)
        >>> data["quantity"], data["given"], data["check"]["kind"]
        ('epsilon', '1e-5', 'closed')
    """
    mechanism = _relative(release, steps)
    if steps == 1:
        return _replayed(_closed(mechanism, found, delta, epsilon, lower=lower))
    goal = _Goal(found, delta, epsilon, steps)
    return _widened(mechanism, goal, _grids(goal, [_Dotted(partial(_release_reach, release), steps)]), lower=lower)


def sampled_certificate(
    run: SampledGaussian, found: Bounds, *, delta: Fraction | None, epsilon: Fraction | None, lower: bool = True
) -> dict[str, Any]:
    """Return the certificate of an interval of a run of DP-SGD; arguments and errors as in `release_certificate`.

    One release, and releases without sampling, have a closed form and so the interval as it is. All other runs are
    proved on a grid; where none that may be replayed proves the interval, the certificate states one that is wider.
    """
    segments = [_segment(run.sampler, run.adjacency, segment) for segment in run.segments]
    if len(segments) == 1 and (run.steps == 1 or run.segments[0].rate == 1):
        return _replayed(_closed(segments[0], found, delta, epsilon, lower=lower))
    goal = _Goal(found, delta, epsilon, run.steps)
    shapes = [_shape(run.sampler, segment) for segment in run.segments]
    if len(segments) == 1:
        return _widened(segments[0], goal, _grids(goal, shapes), lower=lower)
    mechanism = {"name": "plan", "releases": segments}
    return _widened(mechanism, goal, _grids(goal, shapes, listed=True), lower=lower)


def planned_certificate(planned: Plan, found: Bounds) -> dict[str, Any]:
    """Return the certificate of the total of a plan, at the plan's own `delta` or `epsilon`.

    Args:
        planned: Gaussian noise, DP-SGD and the relative Gaussian mechanism, in any number and order.
        found: bounds on what the plan asks for, as `plans.account` gives them.

    Returns:
        JSON data that `recheck` has accepted, with both ends; an end is moved outward where the replay needs it.

    Raises:
        InputError: for a plan with a release that no replay knows, for groups of which one does not say how far apart
            they are, and as `release_certificate`.
    """
    releases = planned.of_group
    if releases is None:
        raise InputError("--certificate: for groups of records only where each release knows how far apart they are")
    parts: list[dict[str, Any]] = []
    shapes: list[_Shape] = []
    for release in releases:
        if isinstance(release, RelativeGaussian):
            parts.append(_relative(release.release, release.count))
            shapes.append(_Dotted(partial(_release_reach, release.release), release.count))
        elif isinstance(release, Gaussian):
            # Any number of Gaussian releases is one, so that one loss stands for all of them.
            noise = release.noise_multiplier
            parts.append({"name": "gaussian", "noise_multiplier": exact_text(noise), "steps": release.count})
            shapes.append(_Dotted(partial(_gaussian_reach, release.count / noise**2), 1))
        elif isinstance(release, DpSgd):
            run = release.run
            parts += [_segment(run.sampler, planned.adjacency, segment) for segment in run.segments]
            shapes += [_shape(run.sampler, segment) for segment in run.segments]
        else:
            raise InputError(
                f"--certificate: no replay is known for releases of the kind {release.kind}; it knows gaussian, "
                "dp-sgd and rgm"
            )
    goal = _Goal(found, planned.delta, planned.epsilon, sum(release.count for release in releases))
    return _widened({"name": "plan", "releases": parts}, goal, _grids(goal, shapes, listed=True), lower=True)


@dataclass(frozen=True)
class _Goal:
    """An interval that a certificate is to state, and the number of releases.

    Attributes:
        found: the interval, as it was computed.
        delta: the level, where the interval is one of epsilon.
        epsilon: the level, where it is one of delta.
        steps: all releases together.
    """

    found: Bounds
    delta: Fraction | None
    epsilon: Fraction | None
    steps: int

    @property
    def smallest(self) -> float:
        """The delta, or about that."""
        return float(self.delta if self.delta is not None else (self.found.lower or self.found.upper))

    @property
    def level(self) -> float:
        """The epsilon, or about that."""
        return self.found.upper if self.delta is not None else float(self.epsilon or 0)


@dataclass(frozen=True)
class _Dotted:
    """A release whose curve is known: `reach(p)` is about the loss that is exceeded with the probability p.

    Its losses lie in both directions, so that the grid is symmetric. A replay joins the values of the curve at the grid
    points by chords: each of these dots is enclosed, so they are what its time goes with.
    """

    reach: Callable[[float], float]
    steps: int

    def runs(self, step: Fraction, least: float) -> list[list[int]]:
        """Return the places of a grid that holds all losses but those of the probability `least`."""
        # Two more than the guide says: it is a float, and a loss above the last place counts as infinite.
        last = max(2, math.ceil(self.reach(least) / step) + 2)
        return [[-last, last + 1, 1]]


@dataclass(frozen=True)
class _Cells:
    """A release of Poisson samples: its losses have a least one, `log(1 - rate)`, and are cut into cells.

    All numbers are floats, since they only choose the places.
    """

    rate: float
    noise: float
    steps: int

    def runs(self, step: Fraction, least: float) -> list[list[int]]:
        """Return the places, from the one below every loss."""
        first = math.floor(math.log1p(-self.rate) / step)
        return _runs(first, math.ceil(_highest(self.rate, self.noise, least) / step) + 2)


_Shape: TypeAlias = _Dotted | _Cells


def _shape(sampler: str, segment: Segment) -> _Shape:
    """Return the losses of a segment in the form that its grid depends on: of a known curve, or of cells."""
    # A replaced record moves the output by twice as much.
    distance = 2 if sampler == FIXED else 1
    noise = segment.noise_multiplier / distance
    if segment.rate == 1:
        return _Dotted(partial(_gaussian_reach, segment.steps / noise**2), 1)
    if sampler == FIXED:
        return _Dotted(partial(_highest, float(segment.rate), float(noise)), segment.steps)
    return _Cells(float(segment.rate), float(noise), segment.steps)


def _release_reach(release: Release, least: float) -> float:
    """Return about the loss of one release that is exceeded with the probability `least`."""
    # A divergence is at most the probability of a loss above its level, so that this is about the quantile or less.
    return one_release.epsilon(release, Fraction(least)).upper


def _gaussian_reach(shift: Fraction, least: float) -> float:
    """Return a loss that a Gaussian pair exceeds with less than the probability `least`."""
    # Chernoff's bound of a normal tail: more than is needed, and the grid only becomes a little wider.
    return float(shift) / 2 + math.sqrt(float(shift) * 2 * -math.log(least))


def _relative(release: Release, steps: int) -> dict[str, Any]:
    """Return releases of the relative Gaussian mechanism as data, each number as a text that is read back exactly."""
    return {
        "name": "rgm",
        "eta": exact_text(release.eta),
        "gamma": exact_text(release.gamma),
        "dimension": release.dimension,
        "r_rel": exact_text(release.r_rel),
        "sigma2": exact_text(release.sigma2),
        "steps": steps,
    }


def _segment(sampler: str, adjacency: str, segment: Segment) -> dict[str, Any]:
    """Return a segment of DP-SGD as data, with the relation of neighbours that its account is for."""
    return {
        "name": "dp-sgd",
        "noise_multiplier": exact_text(segment.noise_multiplier),
        "sampling_rate": exact_text(segment.rate),
        "steps": segment.steps,
        "sampler": sampler,
        "adjacency": adjacency,
    }


def _widened(mechanism: dict[str, Any], goal: _Goal, grids: Iterator[dict[str, Any]], *, lower: bool) -> dict[str, Any]:
    """Return the certificate of the coarsest grid that proves both ends, each moved outward as little as it needs.

    Raises `InputError` with the last reason of the replay where no grid proves an interval within a tenth of `goal`.
    """
    checks, reason = list(grids), "--certificate: a grid would be needed that is too fine to be replayed"
    whole = _statement(mechanism, goal.found, goal.delta, goal.epsilon, lower=lower)
    for check in checks:
        # Each end alone: what one of them needs is no reason to move the other.
        found: dict[str, Any] = {}
        for end in ("upper", "lower") if lower else ("upper",):
            other = "lower" if end == "upper" else "upper"
            for widened in _WIDER:
                value = _moved(whole[end], widened if end == "upper" else -widened)
                try:
                    _replayed({**whole, end: value, other: None, "check": check})
                except InputError as error:
                    reason = str(error)
                    continue
                found[end] = value
                break
        if len(found) == (2 if lower else 1):
            return {**whole, **found, "check": check}
    raise InputError(reason)


def _moved(end: str, share: Fraction) -> str:
    """Return an end moved by a share of itself, as the text of a float; the same end for none."""
    # Rounded to the nearest and shortened, which is no harm: what is stated is this text, and it is replayed as such.
    return repr(float(Fraction(end) * (1 + share))) if share else end


def _statement(
    mechanism: dict[str, Any],
    found: Bounds,
    delta: Fraction | None,
    epsilon: Fraction | None,
    *,
    lower: bool,
) -> dict[str, Any]:
    """Return the certificate without its check: the mechanism, the question and both ends as exact texts.

    Raises `InputError` for an interval without an upper end, which says nothing that could be proved.
    """
    if math.isinf(found.upper):
        raise InputError("--certificate: there is no upper end to certify")
    given = delta if delta is not None else epsilon or Fraction(0)
    least, most = Fraction(found.lower), Fraction(found.upper)
    return {
        "format": FORMAT,
        "mechanism": mechanism,
        "quantity": "epsilon" if delta is not None else "delta",
        "given": exact_text(given),
        "lower": _float_text(least) if lower else None,
        "upper": _float_text(most if delta is not None else min(most, Fraction(1))),
    }


def _float_text(value: Fraction) -> str:
    """Return an end as a fraction or a decimal, exactly: at most that of a float."""
    # The shortest text of a float may lie on the inner side of it, and would state more than was found.
    text = repr(float(value))
    return text if Fraction(text) == value else str(value)


def _closed(
    mechanism: dict[str, Any], found: Bounds, delta: Fraction | None, epsilon: Fraction | None, *, lower: bool
) -> dict[str, Any]:
    """Return the certificate of a closed form with the bits that its replay needs; `InputError` out of range.

    The replay counts in units of `2^-bits`. It takes one tail from another that is multiplied by `exp(epsilon)`, so it
    needs the bits of the smallest delta, one and a half for each nat (`log2(e)` is 1.443), and some to spare.
    """
    smallest = delta if delta is not None else Fraction(found.lower or found.upper)
    level = Fraction(found.upper) if delta is not None else epsilon or Fraction(0)
    if smallest < _NO_SMALLER or level > 1000:
        raise InputError("--certificate: for a delta from 1e-200 on and an epsilon up to 1000")
    bits = math.ceil(-math.log2(smallest) + 1.5 * float(level)) + _SPARE_BITS
    return {
        **_statement(mechanism, found, delta, epsilon, lower=lower),
        "check": {"kind": "closed", "bits": bits},
    }


def _grids(goal: _Goal, shapes: Sequence[_Shape], *, listed: bool = False) -> Iterator[dict[str, Any]]:
    """Yield grids of growing fineness: the first is about what the width of the interval allows.

    A cell of width h adds about `h^2/12` twice to what a release of tilt `theta` costs, a guide. `listed` says that the
    certificate is one of a plan, which has a list of runs for each release.

    The grids end where one would be larger than a replay takes: 390,000 places of cells, 20,000 dots of a known curve
    above zero, or a window of 800,000 steps. Raises `InputError` for a delta below 1e-200 and an epsilon above 1000.
    """
    found, smallest, level = goal.found, goal.smallest, goal.level
    if smallest < float(_NO_SMALLER) or level > 1000:
        raise InputError("--certificate: for a delta from 1e-200 on and an epsilon up to 1000")
    # Of a Gaussian loss the tilt at which Chernoff's bound is least is about that; a guide for all others too.
    tilt = 1 + 2 * -math.log(smallest) / max(level, 0.01)
    gap = (found.upper - found.lower) / _SHARE
    gap = gap if goal.delta is not None else gap / (max(found.lower, 1e-3 * found.upper) * tilt)
    # Each release rounds its masses once more, so that their number takes digits as well.
    digits = math.ceil(-math.log10(smallest)) + _SPARE_DIGITS + len(str(goal.steps))
    cut = math.floor(10**digits * Fraction(smallest) / (_CUT * goal.steps))
    rounds = sum(shape.steps for shape in shapes)
    exact = math.sqrt(12 * max(gap, 1e-9) / (rounds * (tilt + 1)))
    step = Fraction(1, math.ceil(1 / min(exact, max(level, 0.1) / 20)))
    for _ in range(_ATTEMPTS):
        runs = [shape.runs(step, smallest / (_CUT * goal.steps)) for shape in shapes]
        places = sum(part[-1][1] - part[0][0] for part in runs)
        dots = sum(part[-1][1] for part, shape in zip(runs, shapes, strict=True) if isinstance(shape, _Dotted))
        if places > _MOST_PLACES or dots > _MOST_DOTS or 4 * (level + 1) / step > _MOST_WINDOW:
            break
        yield {
            "kind": "grid",
            "step": str(step),
            "runs": runs if listed else runs[0],
            "digits": digits,
            "cut": cut,
        }
        step = Fraction(1, math.ceil(1 / (step * _FINER)))


def _highest(rate: float, noise: float, least: float) -> float:
    """Return about the loss of removal that is exceeded with the probability `least`.

    Args:
        rate: the probability of a record to be in the sample.
        noise: the deviation of the noise, over what the record moves the output by.
        least: a probability > 0.
    """
    # In deviations beyond the shifted mean: a float has no smaller tail than the one at about 38.
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        tail = (1 - rate) * math.erfc((middle * noise + 1) / noise / math.sqrt(2)) + rate * math.erfc(
            middle / math.sqrt(2)
        )
        low, high = (middle, high) if tail / 2 > least else (low, middle)
    output = high * noise + 1
    far = (2 * output - 1) / (2 * noise**2)
    # The exponential leaves the floats at 709; long before, the 1 beside it no longer counts.
    return math.log1p(rate * math.expm1(far)) if far < 500 else far + math.log(rate)


def _runs(first: int, last: int) -> list[list[int]]:
    """Return runs of places that are coarser, far from the bulk of the losses."""
    runs, start, stride = [], first, 1
    while start < last:
        stop = start + _FINE_PLACES * stride
        runs.append([start, max(min(stop, last), start + 1), stride])
        start, stride = stop, stride * _COARSER
    return runs


def _replayed(data: dict[str, Any]) -> dict[str, Any]:
    """Return a certificate that was replayed; `InputError` says why for one that does not prove its statement."""
    # Through the same strict reader as a file: what a stranger could not replay is not given away.
    try:
        result = replay(parse(data))
    except Refused as error:
        raise InputError(f"--certificate: {error}") from error
    if not result.accepted:
        raise InputError(f"--certificate: {result.reason}")
    return data
