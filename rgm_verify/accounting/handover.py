"""Hand-over to the `dp-accounting` package: a privacy loss distribution, an event, and accountants that know it.

Importing this module needs the optional extra ``pip install 'rgm-verify[dp-accounting]'``.

One release has no single worst pair: wide against narrow dominates for large losses, narrow against wide for small
ones, and an adversary of several releases may alternate. Handing the two over as the halves for adding and for removing
a record would be **unsound**. What is handed over is one distribution that dominates every admissible pair in both
orders, the same for both halves; its masses are rounded up. What `dp-accounting` does with it afterwards (Fourier
transforms, cut tails) is rounded as that package rounds. For releases by this mechanism alone `composition` is tighter.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from rgm_verify.accounting.composition.envelope import DiscreteLoss
from rgm_verify.accounting.composition.grid import envelope_loss
from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.errors import reject
from rgm_verify.numbers.exact import ExactInput, exact

try:
    import attr
    import dp_accounting
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
except ImportError as missing:
    raise ImportError(
        "this needs the package dp-accounting; install it with: pip install 'rgm-verify[dp-accounting]'"
    ) from missing

__all__ = [
    "RelativeGaussianAccountant",
    "RelativeGaussianDpEvent",
    "RelativeGaussianRdpAccountant",
    "privacy_loss_distribution",
]

_LARGEST_INTERVAL = 1e3
_INTERVAL = 1e-4  # what dp-accounting itself uses
_POINTS_PER_DEVIATION = 100.0
_MOST_POINTS = 4_000_000


def privacy_loss_distribution(
    release: Release, *, value_discretization_interval: float = _INTERVAL
) -> PrivacyLossDistribution:
    """Return a `dp-accounting` distribution that dominates every admissible pair of `release`, in both orders.

    Upper bound: its hockey-stick curve is nowhere below that of a pair, before `dp-accounting` computes with it. Safe
    to compose with that package's own distributions of the same interval. The dots are at multiples of the interval,
    about 100 in a standard deviation of the loss.
    Raises `InputError` for an interval that is not a positive number, or too small for the spread of the loss.
    """
    return PrivacyLossDistribution(_pmf(release, _interval(value_discretization_interval)))


def _interval(value: float) -> float:
    if not 0 < value < _LARGEST_INTERVAL:
        raise reject("value_discretization_interval", value, "must be > 0 and < 1000")
    return float(value)


@lru_cache(maxsize=32)
def _pmf(release: Release, interval: float) -> pld_pmf.PLDPmf:
    loss = envelope_loss(release, Fraction(interval), _POINTS_PER_DEVIATION, _MOST_POINTS)
    if loss is None:
        raise reject(
            "value_discretization_interval",
            interval,
            f"needs more than {_MOST_POINTS} points; choose a larger one",
        )
    return _as_pmf(loss, interval)


def _as_pmf(loss: DiscreteLoss, interval: float) -> pld_pmf.PLDPmf:
    return pld_pmf.DensePLDPmf(interval, loss.first, loss.masses, min(1.0, loss.infinite), pessimistic_estimate=True)


# ------------------------------------------------------------------------------------------------------ events


def _number(value: ExactInput) -> Fraction:
    return exact(value, name="parameter")


def _relation(value: dp_accounting.NeighboringRelation) -> dp_accounting.NeighboringRelation:
    if isinstance(value, dp_accounting.NeighboringRelation):
        return value
    raise reject("neighboring_relation", value, "expected a dp_accounting.NeighboringRelation")


@attr.s(frozen=True, slots=True, auto_attribs=True)
class RelativeGaussianDpEvent(dp_accounting.DpEvent):
    """A release by the Relative Gaussian Mechanism, with the sensitivity of its query; see `Release`.

    All numbers are exact (strings, Fractions, integers). `neighboring_relation` says which data sets are neighbours in
    that sensitivity; an accountant for another relation refuses the event. Raises `InputError` for what `Release`
    refuses.
    """

    eta: Fraction = attr.ib(converter=_number)
    gamma: Fraction = attr.ib(converter=_number)
    dimension: Fraction = attr.ib(converter=_number)
    neighboring_relation: dp_accounting.NeighboringRelation = attr.ib(converter=_relation)
    r_rel: Fraction = attr.ib(default=Fraction(0), converter=_number)
    sigma2: Fraction = attr.ib(default=Fraction(0), converter=_number)

    def __attrs_post_init__(self) -> None:
        _ = self.release

    @property
    def release(self) -> Release:
        """The release that the event stands for."""
        return Release(self.eta, self.gamma, self.dimension, r_rel=self.r_rel, sigma2=self.sigma2)


def _mismatch(accountant: dp_accounting.PrivacyAccountant, event: RelativeGaussianDpEvent) -> Any:
    """Return why the accountant must refuse the event, None if it need not."""
    relation = accountant.neighboring_relation
    if relation is event.neighboring_relation:
        return None
    return accountant.CompositionErrorDetails(
        invalid_event=event,
        error_message=f"its sensitivity is for {event.neighboring_relation}, the accountant is for {relation}",
    )


class RelativeGaussianAccountant(dp_accounting.pld.PLDAccountant):
    """`dp-accounting`'s accountant of privacy loss distributions that also knows `RelativeGaussianDpEvent`.

    The event may stand alone, be composed and composed with itself. Sampling it is refused, since its sensitivity is
    relative to the whole output.
    """

    def _maybe_compose(self, event: dp_accounting.DpEvent, count: int, do_compose: bool) -> Any:
        if not isinstance(event, RelativeGaussianDpEvent):
            return super()._maybe_compose(event, count, do_compose)
        refused = _mismatch(self, event)
        if do_compose and refused is None and count > 0:
            loss = privacy_loss_distribution(
                event.release, value_discretization_interval=self._value_discretization_interval
            )
            self._pld: PrivacyLossDistribution = self._pld.compose(loss if count == 1 else loss.self_compose(count))
        return refused


class RelativeGaussianRdpAccountant(dp_accounting.rdp.RdpAccountant):
    """`dp-accounting`'s Renyi accountant that also knows `RelativeGaussianDpEvent`, by its exact Renyi curve.

    The divergence at each order is rounded up; it is infinite from the order `1 + 1/q` on.
    """

    def _maybe_compose(self, event: dp_accounting.DpEvent, count: int, do_compose: bool) -> Any:
        if not isinstance(event, RelativeGaussianDpEvent):
            return super()._maybe_compose(event, count, do_compose)
        refused = _mismatch(self, event)
        if do_compose and refused is None and count > 0:
            self._rdp: Any = self._rdp + count * _renyi_above(event.release, self._orders)
        return refused


def _renyi_above(release: Release, orders: Iterable[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    values = [renyi_bounds(release, Fraction(float(order))).upper for order in orders]
    return np.array([np.nextafter(value, np.inf) for value in values])
