"""One release by the Relative Gaussian Mechanism, as the accountant sees it: exact parameters and the worst pair."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer
from rgm_verify.numbers.shown import Shown

if TYPE_CHECKING:
    from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
    from rgm_verify.mechanisms.sensitivity import RelativeSensitivity


@dataclass(frozen=True, init=False)
class Release(Shown):
    """A release of a query in `dimension` with noise `gamma |R|^2 + sigma2` per coordinate, and its sensitivity.

    Neighbouring outputs obey `|R(x) - R(y)|^2 <= eta^2 min(|R(x)|^2, |R(y)|^2) + r_rel^2`. All numbers are exact
    (strings, Fractions, integers; a float is refused), and the guarantee is for the adjacency of that sensitivity.

    Raises `InputError` for `eta <= 0` (with `eta = 0` use the Gaussian mechanism), for `gamma = 0` (then no order has a
    finite divergence), for `sigma2 = 0` with `r_rel > 0` (the neighbours 0 and `r_rel` would be told apart with
    certainty), for negative numbers and a dimension that is no integer >= 1.
    Source: RGM paper (v2), Definitions 2 and 3.
    """

    eta: Fraction
    gamma: Fraction
    dimension: int
    r_rel: Fraction
    sigma2: Fraction

    def __init__(
        self,
        eta: ExactInput,
        gamma: ExactInput,
        dimension: ExactInput,
        *,
        r_rel: ExactInput = 0,
        sigma2: ExactInput = 0,
    ) -> None:
        values = {
            "eta": nonnegative(eta, name="eta", meaning="a relative sensitivity"),
            "gamma": nonnegative(gamma, name="gamma", meaning="the noise ratio"),
            "r_rel": nonnegative(r_rel, name="r_rel", meaning="a sensitivity"),
            "sigma2": nonnegative(sigma2, name="sigma2", meaning="the noise variance"),
        }
        if values["eta"] == 0:
            raise reject("eta", eta, "must be > 0; a query of absolute sensitivity is for the Gaussian mechanism")
        if values["gamma"] == 0:
            raise reject("gamma", gamma, "must be > 0 when eta > 0: constant noise cannot hide a relative change")
        if values["r_rel"] > 0 and values["sigma2"] == 0:
            raise InputError(f"sigma2=0, r_rel={values['r_rel']}: with r_rel > 0 the baseline noise sigma2 must be > 0")
        for name, value in values.items():
            # Frozen: what was accounted must not change afterwards.
            object.__setattr__(self, name, value)
        object.__setattr__(self, "dimension", positive_integer(dimension, name="dimension", meaning="a dimension"))

    @classmethod
    def of(
        cls, mechanism: RelativeGaussianMechanism, sensitivity: RelativeSensitivity, dimension: ExactInput
    ) -> Release:
        """Return the release of `mechanism` for a query with `sensitivity` in `dimension`.

        Args:
            mechanism: its `gamma` and `sigma2` are taken exactly.
            sensitivity: relative; the guarantee is for its adjacency.
            dimension: of the query, an integer >= 1.

        Raises:
            InputError: for what `Release` refuses.
        """
        return cls(sensitivity.eta, mechanism.gamma, dimension, r_rel=sensitivity.r_rel, sigma2=mechanism.sigma2)

    @property
    def q(self) -> Fraction:
        """`eta (2 + eta)`, the largest relative excess of one variance over the other; exact."""
        return self.eta * (2 + self.eta)

    @property
    def largest_order(self) -> Fraction:
        """`1 + 1/q`: the Renyi divergence is finite for orders below it, and infinite from it on; exact.

        This is so where `baseline_covers`; with less baseline noise the range may be smaller.
        """
        return 1 + 1 / self.q

    @property
    def baseline_covers(self) -> bool:
        """Return whether `sigma2 >= gamma r_rel^2 / eta^2`: then one pair of outputs is the worst in every respect."""
        # In rationals: calibrated noise lies on the threshold, where rounded products would fall to either side.
        return self.sigma2 * self.eta**2 >= self.gamma * self.r_rel**2

    @property
    def covered(self) -> Release | None:
        """A release that the baseline covers, as private as this one at most: itself, or one of a smaller noise ratio.

        It has `gamma` lowered to `sigma2 eta^2 / r_rel^2`. In the units of the variance of the narrow output no
        admissible pair of this release is farther apart than `r_rel / sqrt(sigma2)`, which is the distance of the other
        one's worst pair; and none has an excess above `q` if `kappa (2 + eta) >= 1 + eta` with
        `kappa = sigma2 eta^2 / (gamma r_rel^2)`. Else None. So no upper bound jumps where a rounding takes the baseline
        just below the covering one, and more noise of both kinds never has a larger one.
        Source: derived in `derivations/beyond/`, `below_threshold` and `hockey_stick`.
        """
        if self.baseline_covers:
            return self
        # The noise ratio at which this baseline would just cover.
        ratio = self.sigma2 * self.eta**2 / self.r_rel**2
        if ratio * (2 + self.eta) < self.gamma * (1 + self.eta):
            return None
        return Release(self.eta, ratio, self.dimension, r_rel=self.r_rel, sigma2=self.sigma2)

    def scaled(self, factor: ExactInput) -> Release:
        """Return the release with `factor` times the noise: `gamma` and `sigma2` multiplied by it, exactly.

        So the baseline covers it where it covers this one, which rounded products of floats do not promise. Raises
        `InputError` for `factor <= 0`.
        """
        times = positive(factor, name="factor", meaning="what the noise is multiplied by")
        return Release(self.eta, times * self.gamma, self.dimension, r_rel=self.r_rel, sigma2=times * self.sigma2)

    @property
    def mechanism(self) -> RelativeGaussianMechanism:
        """The mechanism with these exact numbers, to run what was calibrated or scaled: no float comes between."""
        from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

        return RelativeGaussianMechanism(self.gamma, self.sigma2)

    @property
    def worst_pair(self) -> GaussianPair:
        """The pair `R(x) = (1 + eta) R(y)` with `|R(y)|` large, wide against narrow.

        It is the supremum for the Renyi divergence of every order where `baseline_covers`, and always a limit of
        admissible pairs, so what it says is a lower bound in any case.
        """
        return GaussianPair(self.eta**2 / self.gamma, self.q, self.dimension)
