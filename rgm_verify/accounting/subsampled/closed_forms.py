"""One release, and releases without sampling: in closed form, with no grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from rgm_verify.accounting.subsampled.mechanism import SampledGaussian
from rgm_verify.accounting.subsampled.mixtures import sampled_step
from rgm_verify.accounting.subsampled.search import crossing_of
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import takes
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.mixture_cells import mixture_divergence
from rgm_verify.gaussians.certified.plain import gaussian_epsilon_ends
from rgm_verify.gaussians.certified.sampled_release import sampled_divergence
from rgm_verify.numbers.bounds import Bounds, round_down, round_up

_METHOD = "closed form by the error function"
_RELATIVE = 1e-14


@takes(run=SampledGaussian)
def closed_delta(run: SampledGaussian, epsilon: Fraction) -> Bounds | None:
    """Return bounds on delta at `epsilon` to 15 digits for one release or for rate 1; None for anything else.

    At rate 1 all steps are one Gaussian pair (`beyond:gaussian-composition`); one step has the formulas of
    `sampled_release`.

    Args:
        epsilon: a rational.
    """
    found = [_enclosure(run, remove, epsilon) for remove in run.directions]
    # One direction alone is no bound for both neighbours.
    known = [enclosure for enclosure in found if enclosure is not None]
    if len(known) < len(found):
        return None
    lower = max(round_down(e.lower or Fraction(0)) for e in known)
    upper = max(round_up(Fraction(1) if e.upper is None else e.upper) for e in known)
    return Bounds(max(0.0, lower), min(1.0, upper), _METHOD, _METHOD)


@takes(run=SampledGaussian)
def closed_epsilon(run: SampledGaussian, delta: Fraction) -> Bounds | None:
    """Return bounds on the least epsilon >= 0 for `delta`, for one release or for rate 1; None for anything else.

    Args:
        run: any run.
        delta: 0 < delta < 1, exact.

    Returns:
        Both ends in nats, certified and rounded outward, or None where only a grid helps.
    """
    together = _gaussian(run)
    # Without sampling both directions have one curve, whose crossing is known at once.
    known = None if together is None else gaussian_epsilon_ends(delta, together)
    if known is not None:
        return Bounds(*known, _METHOD, _METHOD)
    return epsilon_of_closed(lambda epsilon: closed_delta(run, epsilon), delta)


def epsilon_of_closed(closed: Callable[[Fraction], Bounds | None], delta: Fraction) -> Bounds | None:
    """Return bounds on the least epsilon >= 0 for `delta`, of a curve that is `closed`; None where it is not."""
    if closed(Fraction(0)) is None:
        return None
    ends = []
    for upper in (False, True):

        def curve(epsilon: Fraction, upper: bool = upper) -> float:
            bounds = closed(epsilon)
            if bounds is None:
                raise ArithmeticError("a closed form for one epsilon and not for another")
            return bounds.upper if upper else bounds.lower

        # The crossing is looked for twice, the second time as closely as floats go.
        # The level is moved so that a float that passes it passes the rational delta too.
        level = math.nextafter(float(delta), 0.0 if upper else 1.0)
        fails, holds = crossing_of(curve, level, 1.0, 1e-3)
        if 0 < holds < math.inf:
            fails, holds = crossing_of(curve, level, holds, max(_RELATIVE * holds, 1e-300))
        ends.append(holds if upper else fails)
    return Bounds(ends[0], ends[1], _METHOD, _METHOD)


def _gaussian(run: SampledGaussian) -> Fraction | None:
    """Return the squared distance of the one Gaussian pair that a run without sampling is; None for other runs."""
    if any(segment.rate < 1 for segment in run.units):
        return None
    return sum((segment.steps / segment.noise_multiplier**2 for segment in run.units), Fraction(0))


def _enclosure(run: SampledGaussian, remove: bool, epsilon: Fraction) -> Enclosure | None:
    """Return the divergence of one direction, enclosed; None where there is no closed form."""
    together, units = _gaussian(run), run.units
    if together is not None:
        return hockey_stick_enclosure(epsilon, together, Fraction(0), 1)
    if run.steps > 1:
        return None
    step = sampled_step(run, run.segments[0])
    if step is not None:
        return mixture_divergence(step.below, epsilon, turned=not remove)
    return sampled_divergence(epsilon, units[0].rate, units[0].noise_multiplier, remove=remove)
