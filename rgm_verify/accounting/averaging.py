"""Noise of GOPA for a target: the least pairwise noise with which every honest party has the asked privacy.

An average of n honest values with a trusted server needs independent noise of variance `1 / (n m^2)` for each party,
with m the largest distance that the target allows. With pairwise noise, messages hide values behind no more than a bit
more of it: the excess that the caller accepts. What is returned is checked for the rounded protocol that runs.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError, reject
from rgm_verify.mechanisms.averaging import Gopa, party_distances
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer
from rgm_verify.numbers.roots import root_above

__all__ = ["CalibratedGopa", "calibrate_gopa"]

_DOUBLINGS = 60
_WATCHED = 8  # parties that are looked at before all others


@dataclass(frozen=True)
class CalibratedGopa:
    """A protocol that reaches a target, and how it does.

    Attributes:
        protocol: graph, pairwise and independent noise.
        budget: the squared distance that the target allows; exact, and certified to reach the target.
        distance: the largest squared distance of an honest party; an upper bound.
        least_independent: the deviation of independent noise below which no pairwise noise reaches the target; an upper
            bound on it that is rounded up once.
    """

    protocol: Gopa
    budget: Fraction
    distance: float
    least_independent: Fraction


def calibrate_gopa(
    parties: ExactInput,
    edges: ArrayLike,
    *,
    epsilon: ExactInput,
    delta: ExactInput,
    coalition: ArrayLike | None = None,
    excess: ExactInput = "1/20",
    tolerance: ExactInput = "1/100",
    fraction_bits: ExactInput = 36,
    executor: Executor | None = None,
) -> CalibratedGopa:
    """Return the protocol with the least noise between pairs for which all honest parties reach (epsilon, delta).

    Args:
        parties: the number of parties K.
        edges: pairs of distinct parties (E, 2), each at most once.
        epsilon: an exact number >= 0.
        delta: an exact number in (0, 1).
        coalition: a mask (K,) of the parties that share what they know with the server; none if it is not given.
        excess: by how much the independent noise may exceed the least possible one, relatively; > 0.
        tolerance: relative width of the search for the pairwise noise; > 0. What is returned reaches the target.
        fraction_bits: values are multiples of `2**-fraction_bits`.
        executor: where the distances of all parties are computed, as for `party_distances`.

    Raises:
        InputError: for numbers outside these ranges, a graph that is not simple, a coalition of all parties, and noise
            between pairs that the messages have no room for.

    Source: `slides:gopa`, `beyond:gopa-flow`.
    """
    budget = GaussianFilter.of(epsilon, delta).budget
    more = positive(excess, name="excess", meaning="the excess of the independent noise")
    width = positive(tolerance, name="tolerance", meaning="a relative tolerance")
    count = positive_integer(parties, name="parties", meaning="the number of parties")
    if coalition is not None and (np.shape(coalition) != (count,) or np.asarray(coalition).dtype != bool):
        raise reject("coalition", f"array of shape {np.shape(coalition)}", f"expected a mask of {count} truth values")
    smallest = _smallest_group(Gopa(parties, edges, pairwise=0, independent=1, fraction_bits=fraction_bits), coalition)
    # A group of honest parties that is cut off from the others hides its members' values in its own noise alone.
    least = root_above(1 / (smallest * budget))
    own = least * (1 + more)

    worst: list[int] = []

    def tried(pairwise: Fraction) -> tuple[Gopa, float]:
        protocol = Gopa(parties, edges, pairwise=pairwise, independent=own, fraction_bits=fraction_bits)
        # Who was worst before is worst again more often than not: one of them beyond the budget settles the matter.
        if worst:
            first = max(found.upper for found in party_distances(protocol, coalition=coalition, parties=worst))
            if Fraction(first) > budget:
                return protocol, first
        found = sorted(party_distances(protocol, coalition=coalition, executor=executor), key=lambda d: -d.upper)
        worst[:] = [d.party for d in found[:_WATCHED]]
        return protocol, found[0].upper

    def done(found: tuple[Gopa, float]) -> bool:
        return Fraction(found[1]) <= budget

    best = tried(Fraction(0))
    if done(best):
        return CalibratedGopa(best[0], budget, best[1], least)
    low, high = Fraction(0), own
    for _ in range(_DOUBLINGS):
        try:
            best = tried(high)
        except InputError as error:
            raise InputError(
                f"excess={excess}: pairwise noise of deviation {float(low):.4g} does not reach the target, and more "
                f"has no room in a message ({error}); accept more independent noise, or take fewer bits"
            ) from error
        if done(best):
            break
        low, high = high, 2 * high
    else:
        raise InputError(
            f"excess={excess}: pairwise noise of deviation {float(low):.4g} does not reach the target; accept more"
        )
    # What is kept in `best` was computed to reach the target: no monotonicity is taken for granted.
    while high - low > width * high:
        middle = Fraction(float((low + high) / 2))
        found = tried(middle)
        low, high, best = (low, middle, found) if done(found) else (middle, high, best)
    return CalibratedGopa(best[0], budget, best[1], least)


def _smallest_group(graph: Gopa, coalition: ArrayLike | None) -> int:
    """Return the size of the smallest group of honest parties that exchange noise with nobody honest outside it."""
    honest = np.ones(graph.parties, dtype=bool) if coalition is None else ~np.asarray(coalition, dtype=bool)
    if not honest.any():
        raise InputError("coalition: it leaves no honest party, so there is nothing to protect")
    kept = graph.edges[honest[graph.edges].all(axis=1)]
    adjacency = sparse.coo_matrix((np.ones(len(kept)), (kept[:, 0], kept[:, 1])), shape=(graph.parties,) * 2)
    _, label = connected_components(adjacency, directed=False)
    sizes = np.bincount(label[honest])
    return int(sizes[sizes > 0].min())
