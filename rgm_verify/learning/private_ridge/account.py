"""The accounted privacy of a private ridge regression, as a record of what was composed and of what is public."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import reject
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.private_ridge.noise import ROUNDED, Mechanism, Noise, NoisePlan
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, Adjacency, RelativeSensitivity
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.counted import counted
from rgm_verify.numbers.shown import Shown

_CHANGES = {Adjacency.REPLACE_ONE: "one record is replaced", Adjacency.ADD_OR_REMOVE: "one is added or removed"}


@dataclass(frozen=True)
class RidgePrivacy(Shown):
    """The privacy of a fit: all `steps` releases and all results from them are `(epsilon.upper, delta)`-private.

    That is for all data that keep the bounds in `public`, and for neighbours as `adjacency` says. `public` are the
    numbers that everybody may know, none of them from the data; so are `step`, the step size, and all else in here.
    With the mechanism "iterate" the noise follows the sensitivity at each iterate, which costs the same at all of them.
    With "statistics" there is one release, of both moments in units of the bounds, and with "auto" `noise` is that of
    one release of sensitivity 1 which costs what all of them cost together; `step` is None with both. It is about one
    fit alone: fits to the same records compose.
    """

    mechanism: Mechanism
    step: float | None
    plan: NoisePlan
    public: PublicRidge

    @property
    def epsilon(self) -> Bounds:
        """Certified bounds on the least epsilon at `delta`; the upper end is at most what was asked for."""
        return self.plan.epsilon

    @property
    def delta(self) -> Fraction:
        """The delta that goes with it: that which was asked for, exactly."""
        return self.plan.delta

    @property
    def adjacency(self) -> Adjacency:
        """The relation that makes two data sets neighbours."""
        return self.public.adjacency

    @property
    def steps(self) -> int:
        """The number of releases that are composed."""
        return self.plan.steps

    @property
    def noise(self) -> Noise:
        """The mechanism of each release, of a gradient or of the moments, with its exact parameters."""
        return self.plan.noise

    def noise_at(self, theta: FloatArray) -> GaussianMechanism | RelativeGaussianMechanism:
        """Return the mechanism of a release at an iterate (d,): `noise` itself, unless that depends on the iterate."""
        return self.noise.at(theta) if isinstance(self.noise, NoiseAtTheIterate) else self.noise

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        """The least and the largest variance per coordinate in the ball, without what grows with a gradient."""
        if not isinstance(self.noise, NoiseAtTheIterate):
            return self.noise.sigma2, self.noise.sigma2
        # It grows with the norm of the iterate alone: at the centre and on the edge.
        centre, edge = np.zeros(self.public.dimension), np.zeros(self.public.dimension)
        edge[0] = self.public.radius
        return self.noise.variance(centre), self.noise.variance(edge)

    @property
    def distance_squared(self) -> Fraction:
        """What the releases cost together, for Gaussian noise: the sum of squared sensitivities over variances, exact.

        An upper bound, with the rounding of the noise in it. Raises `InputError` for relative noise.
        """
        if isinstance(self.noise, RelativeGaussianMechanism) or isinstance(self.sensitivity, RelativeSensitivity):
            raise reject("mechanism", self.mechanism, "relative noise has no distance in standard deviations")
        if isinstance(self.noise, NoiseAtTheIterate):
            return self.steps * ROUNDED / self.noise.ratio
        releases = 1 if self.mechanism == "auto" else self.steps
        return releases * ROUNDED * Fraction(self.sensitivity.bound) ** 2 / self.noise.sigma2

    @property
    def sensitivity(self) -> AbsoluteSensitivity | RelativeSensitivity:
        """The distance that a gradient, or the moments, move at most between neighbours, rounding included."""
        return self.plan.sensitivity

    def __str__(self) -> str:
        """One sentence for reading, with rounded numbers."""
        ratio = self.noise.gamma if isinstance(self.noise, RelativeGaussianMechanism) else 0
        relative = f" + {float(ratio):.3g} |g|^2" if ratio else ""
        # At the centre of the ball and on its edge; one number where the noise does not depend on the iterate.
        variance = " to ".join(f"{float(v):.3g}" for v in dict.fromkeys(self.variances))
        released = "both moments at once" if self.mechanism == "statistics" else counted(self.steps, "gradient")
        kind = "relative" if self.mechanism == "relative" else "gaussian"
        noise = f"{kind} noise of variance {variance}{relative}"
        how = f"{released}, {noise}"
        if self.mechanism == "auto":
            how = f"{counted(self.steps, 'Gaussian release')} with shares of one budget"
        return (
            f"(epsilon={self.epsilon.upper:.6g}, delta={float(self.delta):.6g})-private when "
            f"{_CHANGES[self.adjacency]}: {how}"
        )
