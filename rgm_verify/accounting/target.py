"""A privacy target: (epsilon, delta) for a number of releases with a given sensitivity, exact and checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.exact.supremum import candidates, largest
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.crossing import Ends, log
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer
from rgm_verify.numbers.shown import Shown

_MOST_DIGITS_OF_A_PAIR = 20  # twice as many of the divergence, which is flat where it is largest
_SMALLEST = Fraction(1, 10**300)


@dataclass(frozen=True)
class Target(Shown):
    """(`epsilon`, `delta`) for `steps` releases of relative sensitivity (`eta`, `r_rel`) in `dimension`; all exact.

    `epsilon` is in nats, `r_rel` in the unit of the query. `Target.of` checks the numbers; the constructor does not.
    """

    epsilon: Fraction
    delta: Fraction
    eta: Fraction
    dimension: int
    r_rel: Fraction
    steps: int

    @classmethod
    def of(
        cls,
        epsilon: ExactInput,
        delta: ExactInput,
        *,
        eta: ExactInput,
        dimension: ExactInput,
        r_rel: ExactInput = 0,
        steps: ExactInput = 1,
    ) -> Target:
        """Return the target of checked, exact numbers.

        Args:
            epsilon: At least 0, in nats.
            delta: 0 < delta < 1.
            eta: Above 0.
            dimension: an integer >= 1.
            r_rel: At least 0, in the unit of the query.
            steps: an integer >= 1.

        Raises:
            InputError: naming the argument, for numbers outside these ranges and for one, other than delta and 0,
                outside 1e-300 to 1e300.
        """
        target = cls(
            nonnegative(epsilon, name="epsilon", meaning="the privacy parameter"),
            probability(delta, name="delta"),
            positive(eta, name="eta", meaning="a relative sensitivity"),
            positive_integer(dimension, name="dimension", meaning="a dimension"),
            nonnegative(r_rel, name="r_rel", meaning="a sensitivity"),
            positive_integer(steps, name="steps", meaning="the number of releases"),
        )
        # Guesses and slopes are floats, whose range ends not far beyond.
        for name in ("epsilon", "eta", "dimension", "r_rel", "steps"):
            require_moderate(getattr(target, name), name=name)
        return target

    def __str__(self) -> str:
        """The target for reading, both numbers rounded up."""
        several = "" if self.steps == 1 else f", steps={self.steps}"
        return f"epsilon={decimal(self.epsilon, up=True)}, delta={decimal(self.delta, up=True)}{several}"

    def release(self, gamma: Fraction) -> Release:
        """Return one release with baseline noise `gamma r_rel^2/eta^2`, just enough for `r_rel` to cost nothing."""
        sigma2 = gamma * self.r_rel**2 / self.eta**2
        return Release(self.eta, gamma, self.dimension, r_rel=self.r_rel, sigma2=sigma2)

    @property
    def guess(self) -> float:
        """The logarithm of the `gamma` at which the Gaussian mechanism would about do: a float to start a search, no
        bound.
        """
        z = math.sqrt(-2 * log(self.delta))
        twice = 2 * float(min(self.epsilon, Fraction(10**280)))
        # sqrt(z^2 + 2 epsilon) - z without cancellation; delta itself is about the distance at epsilon = 0.
        distance = max(twice / (math.sqrt(z * z + twice) + z), math.exp(max(log(self.delta), -600.0)))
        return math.log(self.steps) + 2 * log(self.eta) - 2 * math.log(distance)

    def from_below(self, gamma: Fraction, digits: int) -> Ends:
        """Enclose the delta at `epsilon` of one admissible pair `steps` times: no composition has less."""
        inside, _ = self._candidates(gamma, digits)
        return self._largest([pair.repeated(self.steps) for pair in inside], digits)

    def from_above(self, gamma: Fraction, digits: int) -> Ends:
        """Enclose the delta at `epsilon` of one release, `steps` being 1: that of pairs beyond every admissible one."""
        _, outside = self._candidates(gamma, digits)
        return self._largest(outside, digits)

    def _candidates(self, gamma: Fraction, digits: int) -> tuple[tuple[GaussianPair, ...], tuple[GaussianPair, ...]]:
        """Near its largest value a divergence is flat in the pair, so the pair needs fewer digits."""
        return candidates(self.release(gamma), self.epsilon, min(digits, _MOST_DIGITS_OF_A_PAIR))

    def _largest(self, pairs: Sequence[GaussianPair], digits: int) -> Ends:
        """Return the largest delta of some pairs, enclosed; `InputError` beyond the largest working precision."""
        found = largest(pairs, self._delta, digits)
        if found.lower is None or found.upper is None:
            raise InputError(f"{self}: beyond the largest working precision")
        return found.lower, found.upper

    def _delta(self, pair: GaussianPair, digits: int) -> Enclosure:
        """Return the delta of one pair at the target's epsilon, enclosed."""
        return hockey_stick_enclosure(self.epsilon, pair.shift_squared, pair.excess, pair.dimension, digits=digits)


def require_moderate(value: Fraction | int, *, name: str) -> None:
    """Raise `InputError` for a number other than 0 outside 1e-300 to 1e300, where floats end."""
    if value != 0 and not _SMALLEST <= value <= 1 / _SMALLEST:
        raise reject(name, f"{'1e300 or more' if value > 1 else '1e-300 or less'}", "must be 0 or in 1e-300 to 1e300")
