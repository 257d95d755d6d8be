"""Hand-over to the `dp-accounting` package: a privacy loss distribution, an event, and accountants that know it.

Importing this module needs the optional extra ``pip install 'rgm-verify[dp-accounting]'``.

One release has no single worst pair: wide against narrow dominates for large losses, narrow against wide for small
ones, and an adversary of several releases may alternate. Handing the two over as the halves for adding and for removing
a record would be **unsound**. What is handed over is one distribution that dominates every admissible pair in both
orders, the same for both halves; its masses are rounded up. What `dp-accounting` does with it afterwards (Fourier
transforms, cut tails) is rounded as that package rounds, with no error term: at a small delta its epsilon may be too
low, and its delta negative. `RelativeGaussianAccountant` therefore bounds the errors of the transforms, adds them to
delta, and refuses where they are not small; a bare distribution is safe only as far as its owner does the same. For
releases by this mechanism alone `composition` is tighter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from rgm_verify.accounting.composition.envelope import DiscreteLoss
from rgm_verify.accounting.composition.grid import envelope_loss
from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.errors import reject, takes
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
_UNIT = 2.0**-53
_TRANSFORM = 12.0  # errors of a transform in units of the last place, for each doubling of its length
_POWER = 8.0  # and of a complex power, for each factor
_TAILS = 1e-14  # above the tails that the other package cuts, and that its transforms wrap around
_LARGEST_SHARE = 0.1  # of delta that errors may take


@takes(release=Release)
def privacy_loss_distribution(
    release: Release, *, value_discretization_interval: float = _INTERVAL
) -> PrivacyLossDistribution:
    """Return a `dp-accounting` distribution that dominates every admissible pair of `release`, in both orders.

    Args:
        value_discretization_interval: the step of the losses, in nats; that of other distributions it is composed with.
            The dots are at its multiples, about 100 in a standard deviation of the loss.

    Returns:
        An upper bound: its hockey-stick curve is nowhere below that of a pair, before `dp-accounting` computes with it.
            Safe to compose with that package's own distributions of the same interval.

    Raises:
        InputError: for an interval that is not a positive number, or too small for the spread of the loss.
    """
    return PrivacyLossDistribution(_pmf(release, _interval(value_discretization_interval)))


def _interval(value: float) -> float:
    """Return the interval as a float; `InputError` outside (0, 1000)."""
    if not 0 < value < _LARGEST_INTERVAL:
        raise reject("value_discretization_interval", value, "must be > 0 and < 1000")
    return float(value)


@lru_cache(maxsize=32)
def _pmf(release: Release, interval: float) -> pld_pmf.PLDPmf:
    """Return the masses of a release at one interval; kept, as an event is composed many times."""
    loss = envelope_loss(release, Fraction(interval), _POINTS_PER_DEVIATION, _MOST_POINTS)
    if loss is None:
        raise reject(
            "value_discretization_interval",
            interval,
            f"needs more than {_MOST_POINTS} points; choose a larger one",
        )
    return _as_pmf(loss, interval)


def _as_pmf(loss: DiscreteLoss, interval: float) -> pld_pmf.PLDPmf:
    """Return a discrete loss in the form of the other package, as a pessimistic estimate."""
    return pld_pmf.DensePLDPmf(interval, loss.first, loss.masses, min(1.0, loss.infinite), pessimistic_estimate=True)


# ------------------------------------------------------------------------------------------------------ events


def _number(value: ExactInput) -> Fraction:
    """Return an exact parameter of an event."""
    return exact(value, name="parameter")


def _relation(value: dp_accounting.NeighboringRelation) -> dp_accounting.NeighboringRelation:
    """Return a neighbouring relation of the other package; `InputError` for anything else."""
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

    The transforms of that package state no error. `transform_error` bounds it, for every event that was composed, by
    the usual error of a fast Fourier transform in the mean square (Higham 2002, Theorem 24.2), with room in its
    constant: an assumption about the library that computes it. `get_delta` adds the error, `get_epsilon` asks for
    the delta that is left, and both raise `InputError` where the error takes more than a tenth of delta.
    """

    def __init__(
        self,
        neighboring_relation: dp_accounting.NeighboringRelation = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
        value_discretization_interval: float = _INTERVAL,
    ) -> None:
        super().__init__(neighboring_relation, value_discretization_interval)
        self._error = 0.0

    @property
    def transform_error(self) -> float:
        """An upper bound of what the transforms so far may have taken from delta, at any epsilon."""
        return self._error

    def _maybe_compose(self, event: dp_accounting.DpEvent, count: int, do_compose: bool) -> Any:
        if isinstance(event, dp_accounting.ComposedDpEvent | dp_accounting.SelfComposedDpEvent):
            return super()._maybe_compose(event, count, do_compose)
        before = self._pld
        if isinstance(event, RelativeGaussianDpEvent):
            refused = _mismatch(self, event)
            if do_compose and refused is None and count > 0:
                loss = self._single(event)
                self._pld: PrivacyLossDistribution = before.compose(loss if count == 1 else loss.self_compose(count))
        else:
            refused = super()._maybe_compose(event, count, do_compose)
        if self._pld is not before:
            self._error += _transform_error(before, self._single(event), self._pld, count)
        return refused

    def _single(self, event: dp_accounting.DpEvent) -> PrivacyLossDistribution:
        """Return the distribution of one release."""
        if isinstance(event, RelativeGaussianDpEvent):
            return privacy_loss_distribution(
                event.release, value_discretization_interval=self._value_discretization_interval
            )
        one = dp_accounting.pld.PLDAccountant(self.neighboring_relation, self._value_discretization_interval)
        return one.compose(event)._pld

    def get_epsilon(self, target_delta: float) -> float:
        """Return an epsilon for `target_delta`, an upper bound; `InputError` where transforms may have spoilt it."""
        if not 0 < target_delta < 1:
            raise reject("target_delta", target_delta, "must be > 0 and < 1")
        if self._error > _LARGEST_SHARE * target_delta:
            raise reject("target_delta", target_delta, self._refusal())
        return float(super().get_epsilon(target_delta - self._error))

    def get_delta(self, target_epsilon: float) -> float:
        """Return a delta for `target_epsilon`, an upper bound; `InputError` where transforms may have spoilt it."""
        found = float(super().get_delta(target_epsilon))
        # A delta that is negative, or no number, is refused as well.
        if self._error > 0 and not found >= self._error / _LARGEST_SHARE:
            raise reject("target_epsilon", target_epsilon, self._refusal())
        return min(1.0, found + self._error)

    def _refusal(self) -> str:
        """Return why a question is refused, and what to do."""
        return (
            f"the transforms of dp-accounting may be wrong by {self._error:.1e} in delta, which is more than a tenth "
            "of it; account the plan with rgm_verify.accounting.plans, whose errors are proved"
        )


def _transform_error(
    before: PrivacyLossDistribution, single: PrivacyLossDistribution, after: PrivacyLossDistribution, count: int
) -> float:
    """Return a bound of the errors of composing `before` with `count` times `single`, in delta at any epsilon.

    A transform of length n errs by at most `c log2(n)` units of the last place of its norm, the power multiplies that
    by `count`, as no value of a transform of masses is above 1, and the sum of n errors is at most the root of n times
    their norm (the inequality of Cauchy and Schwarz).
    """
    longest = 2 * max(pmf.size for pld in (before, single, after) for pmf in _halves(pld))
    doublings = math.log2(longest) + 1
    norms = (count + 2) * _norm(single) + _norm(before)
    return math.sqrt(2 * longest) * (_TRANSFORM * doublings + _POWER) * _UNIT * norms + _TAILS


def _halves(pld: PrivacyLossDistribution) -> list[pld_pmf.PLDPmf]:
    """Return the masses for removing and for adding a record."""
    return [pld._pmf_remove] if pld._symmetric else [pld._pmf_remove, pld._pmf_add]


def _norm(pld: PrivacyLossDistribution) -> float:
    """Return the larger Euclidean norm of the masses of both halves."""
    return max(float(np.linalg.norm(half.to_dense_pmf()._probs)) for half in _halves(pld))


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
    """Return upper bounds of the divergence at each order, one float higher for the sum that the package takes of
    them.
    """
    values = [renyi_bounds(release, Fraction(float(order))).upper for order in orders]
    return np.array([np.nextafter(value, np.inf) for value in values])
