"""Knowledge of a coalition of an honest party in GOPA: certified distances for a given graph, for the rounded protocol.

Two values of party k that differ by `s` units move the messages by `s e_k`. If integers `a` (one for each pair of
honest parties) and `b` (one for each honest party) satisfy `s e_k = D a + b`, with D the incidence of the honest graph,
then the messages on the second input are those on the first one with the rounded noises shifted by `a` and `b`. A
rounded Gaussian shifted by an integer is the rounding of the shifted Gaussian, and nothing that is computed from a pair
tells it apart better (data processing). So the pair is as private as two Gaussians at the squared distance
`sum a^2 / pairwise^2 + sum b^2 / independent^2` in those units: *any* such flow certifies an upper end, in integers.

The best real flow has the value `e_k^T (s_i^2 I + s_p^2 L)^{-1} e_k` (`slides:gopa`), with L the Laplacian among honest
parties. A float solution guides the flow; the certificate is what is left when it is rounded. For the lower end any
potential x serves, by Cauchy and Schwarz: `(x_k)^2 / (x^T (s_i^2 I + s_p^2 L) x)` is at most the value for real noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from rgm_verify.errors import InputError, reject
from rgm_verify.jobs.workers import Task, complete
from rgm_verify.mechanisms.averaging.gopa import Gopa, _mask
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

FloatArray = NDArray[np.float64]
_DENSE = 3_000  # honest parties up to which all solutions come from one inverse
_ITERATIONS = 200
_PRECISION = 1e-4
_GROUPS = 32  # at most, where an executor shares out the parties
_LEAST_GROUP = 25


@dataclass(frozen=True)
class Distance:
    """Squared distance of two values of a party, 0 and 1, in units of the noise that hides them.

    `upper` holds for the rounded protocol that runs, and bounds its privacy as that of two Gaussians. `lower` is what
    the coalition sees at least for noise that is not rounded. Both are rounded outward.
    """

    party: int
    lower: float
    upper: float


def party_distances(
    protocol: Gopa,
    *,
    coalition: ArrayLike | None = None,
    parties: Sequence[int] | None = None,
    executor: Executor | None = None,
) -> list[Distance]:
    """Return certified distances for honest parties, against a coalition that sees all messages.

    With an executor the parties are shared out in groups, whose number does not depend on the workers: the same answer
    comes from one process, from a pool, and from a cluster.

    Args:
        protocol: graph and noise.
        coalition: a mask (K,) of the parties that share what they know with the server; none if it is not given. They
            know the noise of their pairs, and may keep their own noise out.
        parties: the honest parties to look at; all of them if not given.
        executor: where to compute: this process if not given, a `ProcessPoolExecutor`, or `client.get_executor()` of a
            `distributed` cluster.

    Raises:
        InputError: for a mask of another shape, a coalition of all parties, and a party that is not honest.
        WorkerDied: where the worker of a group died twice.
    """
    corrupted = np.zeros(protocol.parties, dtype=bool)
    if coalition is not None:
        corrupted = _mask(coalition, protocol.parties, "coalition")
    honest = np.flatnonzero(~corrupted)
    if honest.size == 0:
        raise InputError("coalition: it leaves no honest party, so there is nothing to protect")
    place = np.full(protocol.parties, -1)
    place[honest] = np.arange(honest.size)
    edges = place[protocol.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    wanted = honest if parties is None else np.asarray(_honest(parties, corrupted))
    pairs = [(int(place[k]), int(k)) for k in wanted]
    if executor is None:
        return _distances(edges, honest.size, protocol, pairs)
    return _shared_out(executor, edges, honest.size, protocol, pairs)


def _distances(
    edges: NDArray[np.int64], honest: int, protocol: Gopa, pairs: Sequence[tuple[int, int]]
) -> list[Distance]:
    """Return the distances of the parties that stand at these places among the honest ones."""
    flows = _Flows(edges, honest, protocol)
    return [flows.distance(place, party) for place, party in pairs]


def _shared_out(
    executor: Executor, edges: NDArray[np.int64], honest: int, protocol: Gopa, pairs: list[tuple[int, int]]
) -> list[Distance]:
    """Return the distances, group by group, in the order of the parties."""
    # Each group sends the graph and starts its own inverse, so there are few of them.
    size = max(_LEAST_GROUP, math.ceil(len(pairs) / _GROUPS))
    tasks = [
        Task(str(start), _distances, (edges, honest, protocol, pairs[start : start + size]))
        for start in range(0, len(pairs), size)
    ]
    found: dict[str, list[Distance]] = {}

    def arrived(task: Task, future: Future[list[Distance]]) -> None:
        found[task.name] = future.result()

    complete(executor, tasks, arrived)
    return [distance for task in tasks for distance in found[task.name]]


def _honest(parties: Sequence[int], corrupted: NDArray[np.bool_]) -> list[int]:
    for k in parties:
        if not 0 <= k < corrupted.size or corrupted[k]:
            raise reject("parties", k, "expected honest parties, by their numbers from 0 on")
    return list(parties)


def neighbours_needed(honest_share: ExactInput, parties: ExactInput, failure: ExactInput) -> int:
    """Return how many others each party has to select, so that honest parties are connected but with `failure`.

    `ceil(ln(2 tau K / failure) / tau)` with the share `tau` of honest parties. Source: `beyond:gopa-connected`. Raises
    `InputError` for a share outside (0, 1], a failure probability outside (0, 1], and where that many others do not
    exist.
    """
    share = positive(honest_share, name="honest_share", meaning="the share of honest parties")
    count = positive_integer(parties, name="parties", meaning="the number of parties")
    allowed = positive(failure, name="failure", meaning="the failure probability")
    if share > 1:
        raise reject("honest_share", honest_share, "must be at most 1")
    if allowed > 1:
        raise reject("failure", failure, "must be at most 1")
    needed = math.ceil(Fraction(_log_above(2 * share * count / allowed)) / share)
    if needed >= count:
        raise reject("parties", count, f"{needed} selections are needed, more than there are others")
    # A party that selects nobody has no noise but its own, whatever the bound says for so few parties.
    return max(needed, 1)


def _log_above(ratio: Fraction) -> float:
    """Return an upper bound on the logarithm of a ratio, by the error of at most one unit that `math.log` has."""
    return math.nextafter(math.nextafter(math.log(round_up(ratio)), math.inf), math.inf)


class _Flows:
    """Flows among the honest parties of one graph; the value 1 is `unit` units."""

    def __init__(self, edges: NDArray[np.int64], honest: int, protocol: Gopa) -> None:
        self.edges, self.honest = edges, honest
        self.unit = 2**protocol.fraction_bits
        self.pairwise2, self.independent2 = protocol.pairwise**2, protocol.independent**2
        ones, both = np.ones(len(edges)), (edges[:, 0], edges[:, 1])
        adjacency = sparse.coo_matrix((ones, both), shape=(honest, honest)).tocsr()
        adjacency = adjacency + adjacency.T
        self.degrees = np.bincount(edges.ravel(), minlength=honest)
        self.diagonal = float(self.pairwise2) * self.degrees + float(self.independent2)
        self.matrix = (sparse.diags(self.diagonal) - float(self.pairwise2) * adjacency).tocsr()
        _, self.group = connected_components(adjacency, directed=False)
        self._inverse: FloatArray | None = None

    def distance(self, place: int, party: int) -> Distance:
        """Return both certified ends for the honest party at that place."""
        differences, level = self._solve(place)
        return Distance(party, self._lower(differences + level, place), self._upper(differences, place))

    def _solve(self, place: int) -> tuple[FloatArray, FloatArray]:
        """Return about the solution x of `(s_i^2 I + s_p^2 L) x = e_k`: a guide, which nothing rests on.

        What is constant on a connected group has the eigenvalue `s_i^2`, which may be too small beside `s_p^2` for a
        solver. It is known: 1 over the size of the group and `s_i^2`, on the group of k alone. So the solution is
        returned in two parts, the second one constant on the group; their sum would drown the first one's differences.
        """
        together = self.group == self.group[place]
        x = self._dense(place) if self.honest <= _DENSE else self._conjugate_gradients(place, together)
        level = 1 / (int(together.sum()) * float(self.independent2))
        return np.where(together, x - x[together].mean(), 0.0), np.where(together, level, 0.0)

    def _dense(self, place: int) -> FloatArray:
        if self._inverse is None:
            # What is constant on a group gets an eigenvalue like the others': the rest of the solution does not change.
            together = self.group[:, None] == self.group[None, :]
            raised = self.diagonal.max() * together / together.sum(axis=0)
            self._inverse = np.linalg.inv(self.matrix.toarray() + raised)
        return np.asarray(self._inverse[:, place])

    def _conjugate_gradients(self, place: int, together: NDArray[np.bool_]) -> FloatArray:
        """Iterate on what is orthogonal to the constant vector of a group, whose eigenvalue is known and small."""
        residual = np.where(together, -1 / int(together.sum()), 0.0)
        residual[place] += 1
        x = np.zeros(self.honest)
        if not residual.any():
            return x
        scaled = residual / self.diagonal
        search, product = scaled.copy(), float(residual @ scaled)
        first = product
        for _ in range(_ITERATIONS):
            image = self.matrix @ search
            step = product / float(search @ image)
            x += step * search
            residual -= step * image
            scaled = residual / self.diagonal
            product, before = float(residual @ scaled), product
            if product <= _PRECISION**2 * first:
                break
            search = scaled + product / before * search
        return x

    def _upper(self, potential: FloatArray, place: int) -> float:
        """Return the value of the flow that the potential suggests, in integers, rounded up once.

        For values that differ by less than 1 the flow is scaled and rounded again: by less than 1 unit for a pair, and
        by less than its number of pairs for a party. With these added the value covers every difference up to 1.
        """
        drops = potential[self.edges[:, 0]] - potential[self.edges[:, 1]]
        flow = np.rint(float(self.pairwise2) * self.unit * drops).astype(np.int64)
        rest = np.zeros(self.honest, dtype=np.int64)
        np.subtract.at(rest, self.edges[:, 0], flow)
        np.add.at(rest, self.edges[:, 1], flow)
        rest[place] += self.unit
        own = _sum_of_squares(np.abs(rest) + self.degrees) / self.independent2
        shared = _sum_of_squares(np.abs(flow) + 1) / self.pairwise2 if self.pairwise2 else Fraction(0)
        return round_up((shared + own) / self.unit**2)

    def _lower(self, potential: FloatArray, place: int) -> float:
        """Return `x_k^2 / (x^T M x)` for the potential on a grid of integers, rounded down."""
        largest = float(np.abs(potential).max())
        grid = np.rint(potential / largest * 2.0**30).astype(np.int64)
        drops = grid[self.edges[:, 0]] - grid[self.edges[:, 1]]
        form = self.independent2 * _sum_of_squares(grid) + self.pairwise2 * _sum_of_squares(drops)
        return max(0.0, round_down(Fraction(int(grid[place]) ** 2) / form))


def _sum_of_squares(numbers: NDArray[np.int64]) -> Fraction:
    """Return the exact sum of squares of integers below 2**62 in absolute value, in words of 31 bits."""
    low, high = numbers & (2**31 - 1), numbers >> 31
    parts = (_dot(high, high), _dot(high, low), _dot(low, low))
    return Fraction((parts[0] << 62) + (parts[1] << 32) + parts[2])


def _dot(first: NDArray[np.int64], second: NDArray[np.int64]) -> int:
    """Return the exact sum of products of integers below 2**31: 62 bits each, halves summed up apart."""
    products = first * second
    return (int(np.sum(products >> 31)) << 31) + int(np.sum(products & (2**31 - 1)))
