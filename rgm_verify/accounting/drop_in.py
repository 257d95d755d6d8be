"""Accountants with the interfaces of Opacus and of dp-accounting, for programs that were written for those.

They take what a training takes as it is, floats as the binary numbers that they are, and answer with the proved upper
end. What the other libraries leave open is asked for when one is made: the sampler, or the neighbours. Neither library
has to be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rgm_verify.accounting.accountant import Accountant
from rgm_verify.accounting.plans.importers import from_dp_accounting, from_opacus
from rgm_verify.errors import InputError, reject

__all__ = ["EventAccountant", "OpacusAccountant"]

_WIDTH = "1/1000"


class OpacusAccountant:
    """An accountant with the interface of `opacus.accountants.IAccountant`; its history is that of Opacus.

    Args:
        sampler: how the loader draws batches, "poisson" or "fixed-batch"; Opacus accounts by Poisson in any case.

    Examples:
        >>> accountant = OpacusAccountant(sampler="poisson")
        >>> for _ in range(1000):
        ...     accountant.step(noise_multiplier=1.0, sample_rate=0.01)
        >>> accountant.history, 2.12 < accountant.get_epsilon(delta=1e-6) < 2.13
        ([(1.0, 0.01, 1000)], True)
    """

    def __init__(self, *, sampler: str | None = None) -> None:
        self.history: list[tuple[float, float, int]] = []
        self.sampler = sampler
        # Asked for its message alone, where the sampler was not said or is not known.
        from_opacus([(1.0, 0.5, 1)], sampler=sampler)

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Count one more step."""
        from_opacus([(noise_multiplier, sample_rate, 1)], sampler=self.sampler)
        last = self.history[-1] if self.history else None
        if last is not None and last[:2] == (noise_multiplier, sample_rate):
            self.history[-1] = (noise_multiplier, sample_rate, last[2] + 1)
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    def get_epsilon(self, delta: float, *, width: str = _WIDTH, **_: Any) -> float:
        """Return the proved upper end of epsilon; further arguments of Opacus, as its orders, are not needed."""
        if not self.history:
            return 0.0
        found = Accountant.of(from_opacus(self.history, sampler=self.sampler), floats="binary")
        return found.epsilon(delta, width=width).upper

    def __len__(self) -> int:
        return sum(steps for _, _, steps in self.history)

    @classmethod
    def mechanism(cls) -> str:
        """Return a name of the accountant."""
        return "rgm_verify"

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """Return a function that an optimizer of Opacus calls after each step."""

        def hook(optimizer: Any) -> None:
            rate = sample_rate * optimizer.accumulated_iterations
            self.step(noise_multiplier=optimizer.noise_multiplier, sample_rate=rate)

        return hook

    def state_dict(self, destination: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the history, as Opacus writes it into a checkpoint."""
        found = {} if destination is None else destination
        found["history"], found["mechanism"] = list(self.history), self.mechanism()
        return found

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take the history of a checkpoint, of this accountant or of one of Opacus."""
        from_opacus(state_dict, sampler=self.sampler)
        self.history = [(noise, rate, steps) for noise, rate, steps in state_dict["history"]]


class EventAccountant:
    """An accountant with the interface of `dp_accounting.PrivacyAccountant`, for the events that have an account here.

    Args:
        adjacency: a name of ours, or a `NeighboringRelation`; has to be said.

    Examples:
        >>> accountant = EventAccountant(adjacency="ADD_OR_REMOVE_ONE")
        >>> event = {"type": "GaussianDpEvent", "noise_multiplier": 4.0}
        >>> accountant.compose(event, 3).get_epsilon(1e-6) == accountant.get_epsilon(1e-6)
        True
        >>> accountant.supports({"type": "UnsupportedDpEvent"})
        False
    """

    def __init__(self, *, adjacency: Any = None) -> None:
        neighbours = from_dp_accounting({"type": "ZCDpEvent", "rho": 1}, adjacency=adjacency).adjacency
        self._accountant = Accountant(neighbours=neighbours, floats="binary")

    def supports(self, event: Any) -> bool:
        """Tell whether an event has an account."""
        try:
            from_dp_accounting(event, adjacency=self._accountant.neighbours)
        except InputError:
            return False
        return True

    def compose(self, event: Any, count: int = 1) -> EventAccountant:
        """Add an event so many times, and return the accountant."""
        if type(count) is not int or count < 1:
            raise reject("count", count, "must be a whole number, at least 1")
        for release in from_dp_accounting(event, adjacency=self._accountant.neighbours).releases:
            self._accountant.add(release.with_count(release.count * count))
        return self

    def get_epsilon(self, target_delta: float) -> float:
        """Return the proved upper end of epsilon."""
        return self._accountant.epsilon(target_delta).upper

    def get_delta(self, target_epsilon: float) -> float:
        """Return the proved upper end of delta."""
        return self._accountant.delta(target_epsilon).upper

    @property
    def accountant(self) -> Accountant:
        """What was added, for all other questions: both ends, curves, certificates."""
        return self._accountant
