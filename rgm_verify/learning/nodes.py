r"""One private ridge regression over the records of many nodes: of a list, of a dask array, and without a server.

The mechanism "statistics" needs sums over the records alone. So each node sends the moments of its own records, which
are added up, and one noise is added to the sum: the same release as if all records were in one place.

Without a server that may see the sum, GOPA hides each message behind noise that pairs of nodes exchange, and that
cancels in the sum, and a little noise of each node's own stays. There every coordinate of the moments is a protocol of
its own on the same graph. One record of an honest node moves its values by at most a number of units that `over_gopa`
states; by Minkowski's inequality the squared distance of what a coalition sees is at most

    (A sqrt(U) + u sqrt(p (E / s_p^2 + sum of squared degrees / s_i^2)))^2

with A the distance of all p values, U the certified distance for one value that moves by 1 (`party_distances`), and
the second term for flows that are rounded to multiples of the unit u, in every coordinate. Source: `slides:gopa`,
`beyond:joint-moments-sensitivity`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.enclosures import epsilon as epsilon_of_pair
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning.data import FloatArray, any_records, checked_records
from rgm_verify.learning.habits import charge, generator_of
from rgm_verify.learning.private_ridge.account import RidgePrivacy
from rgm_verify.learning.private_ridge.bounds import RecordBounds
from rgm_verify.learning.private_ridge.estimator import PrivateRidge
from rgm_verify.learning.private_ridge.noise import NoisePlan, variance_multiplier
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.private_ridge.statistics import moments_of, solved
from rgm_verify.mechanisms.averaging import Gopa, party_distances
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.roots import root_above

__all__ = ["Protocol", "over_gopa", "over_nodes"]

_BITS = 40
_ATTEMPTS = 8
_MORE = Fraction(10_001, 10_000)
_METHOD = "flows among honest parties, and two Gaussians at their distance"
_WORST_ROUNDING = Fraction(1, 2**50)  # of a value in [0, 1], with room


@dataclass(frozen=True)
class _Node:
    """The part of a node, which runs where its records are: it keeps the bounds and sums up."""

    bounds: RecordBounds
    public: PublicRidge
    clip: bool
    constant: float | None

    def __call__(self, X: ArrayLike, y: ArrayLike) -> FloatArray:
        """Return the moments of one node's records in units of the bounds, a vector."""
        features, labels = any_records(X, y) if self.clip else checked_records(X, y)
        features, labels = self.bounds.keep(features, labels, "clip" if self.clip else "refuse")
        if self.constant is not None:
            features = np.column_stack([features, np.full(len(features), self.constant)])
        return moments_of(features, labels, self.public)


def over_nodes(model: PrivateRidge, nodes: Sequence[tuple[ArrayLike, ArrayLike]] | tuple[Any, Any]) -> PrivateRidge:
    """Return a fitted copy of a model with the mechanism "statistics", for the records of all nodes together.

    The nodes' sums are trusted to whoever runs this; noise is added once. The privacy is that of `model.fit` on all
    records in one place.

    Args:
        model: the estimator, with all its parameters; it is not changed.
        nodes: features (n_k, d) and labels (n_k,) of each node; or two dask arrays (n, d) and (n,), of which every
            block of rows is a node, computed where it lies.

    Raises:
        InputError: for another mechanism, nodes of different numbers of features, no nodes, and as `model.fit`.
    """
    blocks: Any = nodes if _is_dask(nodes) else None
    sizes, features = _shapes(nodes if blocks is None else [blocks])
    privacy, node = _part(model, sum(sizes), features)
    parts = [node(X, y) for X, y in nodes] if blocks is None else _of_blocks(blocks[0], blocks[1], node)
    # Rounded once for each coordinate, whatever the number of nodes: within what the sensitivity counts.
    total = np.array([math.fsum(column) for column in np.array(parts).T])
    generator = generator_of(model.random_state)
    if model.budget is not None:
        charge(model.budget, privacy.distance_squared)
    noise = privacy.noise_at(np.zeros(privacy.public.dimension))
    return _fitted(model, noise.release(total, generator), privacy, features)


@dataclass(frozen=True)
class GopaPrivacy(RidgePrivacy):
    """The account of a fit without a server: as `RidgePrivacy`, against a coalition, which knows some of the noise.

    `noise` is all that the sum keeps; `distance` is the squared distance of what the coalition sees, in deviations of
    what it does not know: an upper bound.
    """

    distance: Fraction

    @property
    def distance_squared(self) -> Fraction:
        """What the fit costs, for a filter."""
        return self.distance


@dataclass(frozen=True)
class Protocol:
    """GOPA for the moments of the nodes: the graph with its noise, and what all messages together cost.

    `scale` is what moments are divided by: values are `(moment / scale + 1) / 2`. `privacy` is the account of the fit,
    whose noise is that of the sum, in units of the bounds.
    """

    gopa: Gopa
    scale: int
    privacy: GopaPrivacy


def over_gopa(
    model: PrivateRidge,
    nodes: Sequence[tuple[ArrayLike, ArrayLike]],
    edges: ArrayLike,
    *,
    coalition: ArrayLike | None = None,
) -> PrivateRidge:
    """Return a fitted copy of a model with the mechanism "statistics", from messages that everybody may see.

    Every record of an honest node is (epsilon, delta)-private against a coalition that sees all messages and knows what
    its members know. The number of records of each node is public.

    Args:
        model: the estimator, with "replace_one"; it is not changed.
        nodes: features (n_k, d) and labels (n_k,) of each node.
        edges: pairs of nodes that exchange noise, as of `mechanisms.averaging.random_graph`.
        coalition: a mask of the nodes that share what they know; none if not given.

    Raises:
        InputError: as `over_nodes`, for "add_or_remove", and where no noise is certified, as for an honest node
            without honest neighbours.
    """
    sizes, features = _shapes(nodes)
    made = protocol(model, sizes, features, edges, coalition=coalition)
    _, node = _part(model, sum(sizes), features)
    values = np.array([(node(X, y) / made.scale + 1) / 2 for X, y in nodes])
    generator = generator_of(model.random_state)
    if model.budget is not None:
        charge(model.budget, made.privacy.distance_squared)
    # One run of the protocol for each coordinate: all on one graph, with noise of their own.
    averages = np.array([made.gopa.messages(column, generator).average() for column in values.T])
    return _fitted(model, len(nodes) * made.scale * (2 * averages - 1), made.privacy, features)


def protocol(
    model: PrivateRidge, sizes: Sequence[int], features: int, edges: ArrayLike, *, coalition: ArrayLike | None = None
) -> Protocol:
    """Return the protocol that makes such a fit private, from public numbers; arguments as of `over_gopa`."""
    privacy, _ = _part(model, sum(sizes), features)
    if privacy.adjacency is not Adjacency.REPLACE_ONE:
        raise reject("neighbours", privacy.adjacency.value, "must be replace_one: nodes know their numbers of records")
    count, d = len(sizes), privacy.public.dimension
    coordinates, scale = d * (d + 3) // 2, 2 * max(sizes)
    honest = count if coalition is None else int((~np.asarray(coalition, dtype=np.bool_)).sum())
    root = root_above(Fraction(coordinates))
    moved = Fraction(privacy.sensitivity.bound) / (2 * scale) + root * (2 * _WORST_ROUNDING + Fraction(1, 2**_BITS))  # type: ignore[union-attr]
    allowed = 1 / variance_multiplier(Fraction(privacy.epsilon.upper), privacy.delta)
    variance = moved**2 / (max(honest, 1) * allowed) * Fraction(101, 100)
    for _ in range(_ATTEMPTS):
        own = Fraction(round_up(root_above(variance)))
        gopa = Gopa(count, edges, pairwise=_pairwise(own, count, edges), independent=own, fraction_bits=_BITS)
        distance = _distance_squared(gopa, moved, coordinates, coalition)
        if distance <= allowed:
            return Protocol(gopa, scale, _account(privacy, distance, own, count, scale))
        variance *= distance / allowed * _MORE
    raise InputError("edges, coalition: no noise was certified; take more neighbours for each node")


def _pairwise(own: Fraction, count: int, edges: ArrayLike) -> Fraction:
    """Return a deviation of pairs beside which the noise that stays is all that matters."""
    degree = max(1.0, 2 * len(np.asarray(edges)) / count)
    return own * round(30 * math.sqrt(count / degree) + 1)


def _distance_squared(gopa: Gopa, moved: Fraction, coordinates: int, coalition: ArrayLike | None) -> Fraction:
    """Return an upper bound on the squared distance of all that a coalition sees, for the worst honest node."""
    worst = max(Fraction(found.upper) for found in party_distances(gopa, coalition=coalition))
    degrees = np.bincount(gopa.edges.ravel(), minlength=gopa.parties)
    rounded = len(gopa.edges) / gopa.pairwise**2 if gopa.pairwise else Fraction(0)
    rounded += int((degrees.astype(object) ** 2).sum()) / gopa.independent**2
    unit = Fraction(1, 2**gopa.fraction_bits)
    return Fraction(moved * root_above(worst) + unit * root_above(coordinates * rounded)) ** 2


def _account(privacy: RidgePrivacy, distance: Fraction, own: Fraction, count: int, scale: int) -> GopaPrivacy:
    found = epsilon_of_pair(GaussianPair(distance, 0, 1), privacy.delta, 12)
    upper = math.inf if found.upper is None else round_up(found.upper)
    # The noise of the sum in units of the bounds: each value's is its moment's over twice the scale.
    noise = GaussianMechanism(Fraction(round_up(count * (2 * scale * own) ** 2)))
    plan = NoisePlan(noise, privacy.sensitivity, 1, Bounds(0.0, upper, "nothing", _METHOD), privacy.delta)
    return GopaPrivacy("statistics", None, plan, privacy.public, distance)


def _part(model: PrivateRidge, records: int, features: int) -> tuple[RidgePrivacy, _Node]:
    if model.mechanism != "statistics":
        raise reject("mechanism", model.mechanism, "must be statistics: sums over the records are all that is needed")
    privacy = model.accounted(records, features)
    bounds = RecordBounds.of(model.feature_bound, model.label_bound, features)
    constant = _constant(model, features) if model.fit_intercept else None
    return privacy, _Node(bounds, privacy.public, model.out_of_bounds == "clip", constant)


def _shapes(nodes: Sequence[tuple[ArrayLike, ArrayLike]]) -> tuple[list[int], int]:
    """Return the number of records of each node and that of features; `InputError` for what differs."""
    shapes = [np.shape(X) for X, _ in nodes]
    widths = {shape[1] if len(shape) == 2 else -1 for shape in shapes}
    if len(widths) != 1 or -1 in widths:
        raise reject("nodes", f"features of shapes {shapes[:3]}", "expected (n_k, d) with one d, for at least one node")
    return [shape[0] for shape in shapes], widths.pop()


def _is_dask(nodes: Any) -> bool:
    return len(nodes) == 2 and all(hasattr(array, "to_delayed") for array in nodes)


def _of_blocks(X: Any, y: Any, node: _Node) -> list[FloatArray]:
    """Return the moments of each block of rows of two dask arrays."""
    import dask

    whole = X.rechunk({1: -1})
    if whole.chunks[0] != y.chunks[0]:
        raise reject(
            "nodes", f"blocks of {whole.chunks[0][:3]} and {y.chunks[0][:3]}", "expected the same blocks of rows"
        )
    blocks = zip(whole.to_delayed().ravel(), y.to_delayed().ravel(), strict=True)
    parts: Any = dask.compute(*(dask.delayed(node)(a, b) for a, b in blocks))  # type: ignore[no-untyped-call,attr-defined]
    return list(parts)


def _fitted(model: PrivateRidge, released: FloatArray, privacy: RidgePrivacy, features: int) -> PrivateRidge:
    # The same way in which the estimator keeps what it has fitted itself.
    made, checked = copy.copy(model), copy.copy(model)
    checked.n_features_in_ = features
    return made._keep(checked, solved(released, privacy), _constant(model, features), privacy, 1)


def _constant(model: PrivateRidge, features: int) -> float:
    """Return the entry of the constant column, as the estimator takes it."""
    return round_down(RecordBounds.of(model.feature_bound, model.label_bound, features).feature_bound)
