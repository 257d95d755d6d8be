"""Certificates of accounting numbers: what a replay needs to check an interval without the code that found it.

The data are looked for here and judged by `rgm_verify.recheck`: a certificate is given away only once it was replayed.
So no number of this module needs a rounding direction. A step, a reach or a cut that is chosen badly makes the replay
refuse, and the search goes on with a finer grid or a wider interval; it cannot make a false statement pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rgm_verify.accounting.plans.plan import Plan
from rgm_verify.accounting.plans.releases import GIVEN, DpSgd, RelativeGaussian
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.replay_grids import NO_SMALLER, Goal, grids
from rgm_verify.accounting.subsampled.mechanism import SampledGaussian
from rgm_verify.errors import InputError, takes
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import exact_text
from rgm_verify.recheck.certificate import FORMAT, parse
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import replay

__all__ = ["planned_certificate", "release_certificate", "sampled_certificate"]

_SPARE_BITS = 80  # beyond those that are lost where two tails cancel
_WIDER = tuple(Fraction(k, 1000) for k in (0, 1, 2, 4, 7, 10, 15, 20, 30, 50, 80, 100))


@takes(release=Release)
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
        >>> from rgm_verify.accounting.exact import one_release
        >>> one, level = Release("1/10", 1, 10), Fraction(1, 10**5)
        >>> data = release_certificate(one, one_release.epsilon(one, level), delta=level, epsilon=None)
        >>> data["quantity"], data["given"], data["check"]["kind"]
        ('epsilon', '1e-5', 'closed')
    """
    line = RelativeGaussian(release, steps)
    mechanism = line.certified("")
    goal = Goal(found, delta, epsilon, steps)
    if steps == 1:
        return _replayed(_closed(mechanism, goal, lower=lower))
    return _widened(mechanism, goal, grids(goal, [line.shape()]), lower=lower)


@takes(run=SampledGaussian)
def sampled_certificate(
    run: SampledGaussian, found: Bounds, *, delta: Fraction | None, epsilon: Fraction | None, lower: bool = True
) -> dict[str, Any]:
    """Return the certificate of an interval of a run of DP-SGD; arguments and errors as in `release_certificate`.

    One release, and releases without sampling, have a closed form and so the interval as it is. All other runs are
    proved on a grid; where none that may be replayed proves the interval, the certificate states one that is wider.
    """
    parts = DpSgd(run).parts
    segments = [part.certified(run.adjacency) for part in parts]
    goal = Goal(found, delta, epsilon, run.steps)
    if len(segments) == 1 and (run.steps == 1 or run.segments[0].rate == 1):
        return _replayed(_closed(segments[0], goal, lower=lower))
    shapes = [part.shape() for part in parts]
    if len(segments) == 1:
        return _widened(segments[0], goal, grids(goal, shapes), lower=lower)
    mechanism = {"name": "plan", "releases": segments}
    return _widened(mechanism, goal, grids(goal, shapes, listed=True), lower=lower)


@takes(planned=Plan)
def planned_certificate(planned: Plan, found: Bounds) -> dict[str, Any]:
    """Return the certificate of the total of a plan, at the plan's own `delta` or `epsilon`.

    Args:
        planned: releases of any kind, in any number and order, for one record or for groups.
        found: bounds on what the plan asks for, as `plans.account` gives them.

    Returns:
        JSON data that `recheck` has accepted, with both ends; an end is moved outward where the replay needs it. One
        release, and Gaussian releases with the same noise, have the interval as it is.

    Raises:
        InputError: as `release_certificate`.
    """
    parts = [part.certified(planned.adjacency) for release in planned.releases for part in release.parts]
    mechanism = parts[0] if len(parts) == 1 else {"name": "plan", "releases": parts}
    if planned.group > 1:
        mechanism = {"name": "group", "records": planned.group, "of": mechanism}
    # Releases that do not know how far apart a group is are replayed for one record.
    known = planned.of_group
    releases = planned.releases if known is None else known
    chain = planned.group if known is None else 1
    # Sensitivities between whatever neighbours they are name none.
    neighbours = "" if planned.adjacency == GIVEN else planned.adjacency
    accounted = [part for release in releases for part in release.accounted]
    goal = Goal(found, planned.delta, planned.epsilon, sum(part.count for part in accounted), chain, neighbours)
    listed = len(parts) > 1 or len(accounted) > 1
    if len(accounted) == 1 and (goal.steps == 1 or accounted[0].one_pair):
        return _replayed(_closed(mechanism, goal, lower=True))
    if found.upper == 0 and planned.delta is None:
        # No loss is above epsilon, so that no grid is needed.
        runs = [[[-1, 2, 1]] for _ in accounted]
        check = {"kind": "grid", "step": "1", "runs": runs if listed else runs[0], "digits": 20, "cut": 0}
        return _replayed({**_statement(mechanism, goal, lower=True), "check": check})
    return _widened(mechanism, goal, grids(goal, [part.shape() for part in accounted], listed=listed), lower=True)


def _widened(mechanism: dict[str, Any], goal: Goal, grids: Iterator[dict[str, Any]], *, lower: bool) -> dict[str, Any]:
    """Return the certificate of the coarsest grid that proves both ends, each moved outward as little as it needs.

    Raises `InputError` with the last reason of the replay where no grid proves an interval within a tenth of `goal`.
    """
    checks, reason = list(grids), "--certificate: a grid would be needed that is too fine to be replayed"
    whole = _statement(mechanism, goal, lower=lower)
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


def _statement(mechanism: dict[str, Any], goal: Goal, *, lower: bool) -> dict[str, Any]:
    """Return the certificate without its check: the mechanism, the question and both ends as exact texts.

    Raises `InputError` for an interval without an upper end, which says nothing that could be proved.
    """
    found, delta = goal.found, goal.delta
    if math.isinf(found.upper):
        raise InputError("--certificate: there is no upper end to certify")
    given = delta if delta is not None else goal.epsilon or Fraction(0)
    least, most = Fraction(found.lower), Fraction(found.upper)
    named = {"neighbours": goal.neighbours} if goal.neighbours else {}
    return {
        "format": FORMAT,
        **named,
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


def _closed(mechanism: dict[str, Any], goal: Goal, *, lower: bool) -> dict[str, Any]:
    """Return the certificate of a closed form with the bits that its replay needs; `InputError` out of range.

    The replay counts in units of `2^-bits`. It takes one tail from another that is multiplied by `exp(epsilon)`, so it
    needs the bits of the smallest delta, one and a half for each nat (`log2(e)` is 1.443), and some to spare.
    """
    smallest, level = goal.smallest, goal.level
    # No loss is above epsilon, and any precision shows it.
    if goal.found.upper == 0 and goal.delta is None:
        smallest = 1.0
    if smallest < float(NO_SMALLER) or level > 1000:
        raise InputError("--certificate: for a delta from 1e-200 on and an epsilon up to 1000")
    bits = math.ceil(-math.log2(smallest) + 1.5 * level) + _SPARE_BITS
    return {**_statement(mechanism, goal, lower=lower), "check": {"kind": "closed", "bits": bits}}


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
