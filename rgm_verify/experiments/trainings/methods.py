"""The methods of a training: without noise, DP-SGD, GeoDP as printed and clamped; each with clipping or AUTO-S.

A name is `none`, `dp`, `geodp-BETA` or `clamped-BETA`, and may end with `-auto-s`: `geodp-0.1-auto-s`.

DP-SGD, AUTO-S and clamped GeoDP with one noise multiplier of the setup are proved to cost the same at most, so that
they are compared at equal privacy. GeoDP as printed has the printed noise, and costs what its lower end says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import InputError, reject
from rgm_verify.experiments.accounts import Cost
from rgm_verify.experiments.trainings.setup import TrainingSetup
from rgm_verify.learning.geometric import ClampedGeoDP, GeoDPAsPrinted, NoisyGradient, NoNoise
from rgm_verify.learning.geometric.costs import equal_noise, printed_epsilon, released_epsilon
from rgm_verify.learning.geometric.training import Release, Shortening
from rgm_verify.numbers.exact import positive

_NAME = re.compile(r"(none|dp|(?:geodp|clamped)-([0-9.]+))(-auto-s)?")
REALLY, STATED = "epsilon", "stated epsilon"
"""Names of costs: what is proved of all steps together, and what the paper states of them."""


@dataclass(frozen=True)
class Method:
    """A method by its parts.

    Attributes:
        base: "none", "dp", "geodp" or "clamped".
        factor: the bounding factor; None without one.
        shortening: of the gradients.
    """

    base: str
    factor: Fraction | None
    shortening: Shortening

    def release(self, setup: TrainingSetup) -> Release:
        """Return what releases averages with the noise of a setup.

        Clamped GeoDP gets as much noise as makes it as private as DP-SGD with the noise of the setup. Its region lies
        around right angles, and around 0 for the last angle: public, and where most directions are.
        """
        clip, batch, noise = setup.clip, setup.batch, setup.noise
        if self.factor is None:
            return NoNoise() if self.base == "none" else NoisyGradient(clip, batch, noise)
        if self.base == "geodp":
            return GeoDPAsPrinted(clip, batch, noise, self.factor)
        # Most angles of a direction in many coordinates are near right angles.
        center = np.full(setup.classifier.dimension - 1, np.pi / 2)
        center[-1] = 0
        return ClampedGeoDP(clip, batch, equal_noise(noise), self.factor, center=center)

    def costs(self, setup: TrainingSetup, records: int) -> Mapping[str, Cost]:
        """Return what all steps cost at the delta of the setup, by name, in nats; nothing without noise.

        Of clamped GeoDP no lower end is claimed but 0: no pair of data sets that reaches its bound is known to us.
        """
        if self.base == "none":
            return {}
        steps = setup.steps_on(records)
        released = Cost.of(released_epsilon(setup.noise, setup.batch, records, steps, setup.delta))
        # Of DP-SGD the paper states what is proved.
        if self.base == "dp":
            return {REALLY: released, STATED: released}
        if self.base == "clamped":
            return {REALLY: Cost(0.0, released.upper)}
        # The type says what is accounted: a name alone would go on where a base is renamed.
        printed = self.release(setup)
        if not isinstance(printed, GeoDPAsPrinted):
            raise TypeError(f"{self.base} is released by {type(printed).__name__}")
        dimension = setup.classifier.dimension
        return {REALLY: Cost.of(printed_epsilon(printed, dimension, records, steps, setup.delta)), STATED: released}


def training_method(name: str) -> Method:
    """Return the method of that name; `InputError` for another name, and for a bounding factor not in (0, 1]."""
    parts = _NAME.fullmatch(name)
    if not parts:
        raise reject("method", name, "expected none, dp, geodp-BETA or clamped-BETA, with -auto-s or without")
    base, _, factor = parts[1].partition("-")
    # The expression lets more through than is a number, such as "1.2.3"; what is one is decided in one place.
    found = positive(factor, name=f"method {name}: the bounding factor") if factor else None
    if found is not None and found > 1:
        raise InputError(f"method {name}: the bounding factor must be at most 1")
    return Method(base, found, "auto-s" if parts[3] else "clip")
