"""Splits of a data set's records between two nodes, and the bias that one of the objectives gets.

Section 6 has three splits in one sentence each; what they leave open is a field of `Setup`:

* "random": the records are dealt out at random, and node 1 has the extra one of an odd number: 70,846 and 70,845.
* "label": each node gets `label_points` records at random; then the positive ones of the rest go to node 1 and the
  negative ones to node 2. With `label_rest="kept"` every record is in one place. With "copied" the random records are
  copies: all positive records are with node 1 and all negative ones with node 2 as well. With "absent" there is no
  rest: node 1 has that many random positive records, node 2 that many negative ones, and that is the whole set.
* "bias": as "random", and the objective of node 2 gets a bias `B`, a vector of norm `bias_size` along (1, ..., 1).
  "parameter" is f_2(theta - B), regularization included, which is what the example of Section 6 does; "linear" is
  f_2(theta) + <B, theta>; "label" adds the number `bias_size` to every label of node 2. A constant that is added to
  an objective would have no effect on any gradient.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.errors import InputError, reject
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.data import FloatArray
from rgm_verify.numbers.sampling import require_generator

IntArray: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Node:
    """One node's records and objective: the mean of `(<x_j, theta> - y_j)^2 / 2` over its records, and two terms more.

    These are `<linear, theta>` and the regularization `mu/2 |theta - centre|^2`; they belong to no record.

    Attributes:
        name: "1" or "2".
        X: (n, d).
        y: (n,); -1 and +1, except where a bias has moved them.
        rows: (n,), the places of the records in the data set, in ascending order.
        linear: (d,), 0 but for a bias.
        centre: (d,), 0 but for a bias.
    """

    name: str
    X: FloatArray
    y: FloatArray
    rows: IntArray
    linear: FloatArray
    centre: FloatArray

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.y)


def split(dataset: Dataset, setup: Setup, generator: np.random.Generator) -> tuple[Node, Node]:
    """Return the two nodes of `setup`; the features play no part in it.

    With `setup.records` that many records are drawn first, without replacement: the beginning of a set may be sorted.
    With `setup.centred` each node subtracts the mean of its own features, before the bias.

    Args:
        dataset: all records.
        setup: the choices.
        generator: the source of all chance.

    Raises:
        InputError: when there are too few records for the split, and when a node would be left without any.
    """
    require_generator(generator)
    chosen = drawn(len(dataset.y), setup.records, generator)
    first, second = shared(dataset.y[chosen], setup, generator)
    nodes = [_node(name, dataset, chosen[rows], setup) for name, rows in (("1", first), ("2", second))]
    return nodes[0], biased(nodes[1], setup) if setup.split == "bias" else nodes[1]


def drawn(total: int, records: int | None, generator: np.random.Generator) -> IntArray:
    """Return `records` of the numbers below `total`, ascending and without repetition; all of them for None.

    Raises `InputError` for more than there are.
    """
    if records is None:
        return np.arange(total, dtype=np.int64)
    if records > total:
        raise reject("records", records, f"the data set has only {total}")
    return _ascending(generator.permutation(total)[:records])


def shared(labels: FloatArray, setup: Setup, generator: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return which records node 1 and node 2 hold, each ascending, by the split of `setup`; see the module."""
    if setup.split == "label":
        first, second = _by_label(labels, setup.label_points, setup.label_rest, generator)
    else:
        first, second = _in_halves(generator.permutation(len(labels)))
    for name, rows in (("1", first), ("2", second)):
        if not len(rows):
            raise InputError(
                f"split={setup.split!r}: node {name} is left without records out of {len(labels)}, "
                f"{int((labels > 0).sum())} of them positive; take more records or another split"
            )
    return first, second


def _in_halves(order: NDArray[np.int64]) -> tuple[IntArray, IntArray]:
    """Return two halves of an order; the first has the extra one."""
    half = (len(order) + 1) // 2
    return _ascending(order[:half]), _ascending(order[half:])


def _by_label(labels: FloatArray, points: int, rest: str, generator: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return the records of both nodes where labels decide, after some at random."""
    # One permutation for everything: whoever is first in it is a random record, whatever the labels.
    order = generator.permutation(len(labels))
    positive = labels[order] > 0
    if rest == "absent":
        return _sampled(order[positive], points), _sampled(order[~positive], points)
    if 2 * points > len(order):
        raise reject("label_points", points, f"two nodes cannot have that many each out of {len(order)} records")
    start = 0 if rest == "copied" else 2 * points
    remaining, kind = order[start:], positive[start:]
    # A union and not a sum: a copied record that is with its node anyway is there once.
    first = np.union1d(order[:points], remaining[kind])
    second = np.union1d(order[points : 2 * points], remaining[~kind])
    return _ascending(first), _ascending(second)


def _sampled(order: NDArray[np.int64], points: int) -> IntArray:
    """Return the first records of an order; `InputError` where there are too few."""
    if points > len(order):
        raise reject("label_points", points, f"one of the classes has only {len(order)} records")
    return _ascending(order[:points])


def _ascending(rows: NDArray[np.int64]) -> IntArray:
    """Return places in ascending order, so that sums over records do not depend on how they were drawn."""
    return np.sort(rows).astype(np.int64, copy=False)


def _node(name: str, dataset: Dataset, rows: IntArray, setup: Setup) -> Node:
    """Return a node with these records and no bias."""
    X, y = dataset.X[rows], dataset.y[rows]
    zero = np.zeros(X.shape[1])
    return Node(name, X - X.mean(axis=0) if setup.centred else X, y, rows, zero, zero)


def biased(node: Node, setup: Setup) -> Node:
    """Return the node with the bias of `setup` on its objective.

    f(theta - B) has the labels `y + X B`, since `x . (theta - B) - y = x . theta - (y + x . B)`, and a regularization
    around B.
    """
    size, d = float(setup.fraction("bias_size")), node.X.shape[1]
    B = np.full(d, size / math.sqrt(d))
    if setup.bias_form == "label":
        return replace(node, y=node.y + size)
    if setup.bias_form == "linear":
        return replace(node, linear=B)
    # The same objective as one of other labels and another centre, so that methods need not know of a bias.
    return replace(node, y=node.y + node.X @ B, centre=B)
