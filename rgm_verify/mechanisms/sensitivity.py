"""Adjacency and sensitivity: which data sets are neighbours, and how far apart the outputs on two of them can be.

A sensitivity is a statement about *all* pairs of neighbours, and its parameters are exact. Nothing here computes one:
that is a theorem about the query (`learning.sensitivity`), or an assumption of the caller's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rgm_verify.errors import reject
from rgm_verify.numbers.exact import ExactInput, VectorInput, distance_squared, exact_vector, nonnegative, norm_squared


class Adjacency(StrEnum):
    """The relation of neighbouring data sets. Every privacy statement names it, because it is worth a factor.

    Replacing a record is removing one and adding another. So an absolute bound for `ADD_OR_REMOVE` gives, by
    the triangle inequality, *twice* that bound for `REPLACE_ONE`, and the squared sensitivity (what Renyi bounds
    scale with) grows by 4. There is no such factor in the other direction: a bound for `REPLACE_ONE` says
    nothing about `ADD_OR_REMOVE`. For relative sensitivity the factor is not 2 either, because the norm moves
    at each step.
    """

    REPLACE_ONE = "replace_one"
    ADD_OR_REMOVE = "add_or_remove"


def adjacency(value: Adjacency | str) -> Adjacency:
    """Return the `Adjacency` that `value` names; raise `InputError` with the allowed names otherwise."""
    try:
        return Adjacency(value)
    except ValueError:
        raise reject("adjacency", value, f"allowed are {', '.join(a.value for a in Adjacency)}") from None


@dataclass(frozen=True, init=False)
class AbsoluteSensitivity:
    """`|R(x) - R(y)| <= bound` for all neighbours, Euclidean norm. Exact. Source: RGM paper (v2), eq. (2).

    Attributes:
        bound: an exact number >= 0.
        adjacency: the relation of neighbours for which it holds.
    """

    bound: Fraction
    adjacency: Adjacency

    def __init__(self, bound: ExactInput, adjacency: Adjacency | str) -> None:
        object.__setattr__(self, "bound", nonnegative(bound, name="bound", meaning="a sensitivity"))
        object.__setattr__(self, "adjacency", _adjacency(adjacency))

    def admits(self, x: VectorInput, y: VectorInput) -> bool:
        """Decide exactly whether `x` and `y` may be the outputs on two neighbours.

        Floats in the vectors count as the exact binary numbers they are, so nothing is rounded.
        Raises `InputError` for NaN, infinities and different dimensions.
        """
        left, right = _pair(x, y)
        return distance_squared(left, right) <= self.bound * self.bound

    def for_replace_one(self) -> AbsoluteSensitivity:
        """Return a bound that holds when one record is replaced: twice the one for adding or removing one.

        By the triangle inequality over the data set without the record; that data set has to be one that the query
        accepts.
        """
        factor = 2 if self.adjacency is Adjacency.ADD_OR_REMOVE else 1
        return AbsoluteSensitivity(factor * self.bound, Adjacency.REPLACE_ONE)


@dataclass(frozen=True, init=False)
class RelativeSensitivity:
    """`|R(x) - R(y)|^2 <= eta^2 min(|R(x)|^2, |R(y)|^2) + r_rel^2` for all neighbours, in the Euclidean norm.

    The bound holds from both sides, since neighbours are neighbours of each other; hence the minimum. `eta = 0` is
    absolute sensitivity. Exact. Source: RGM paper (v2), Definition 2 and the remark after it
    (`rgm:relative-sensitivity-symmetric`).

    Attributes:
        eta: the relative part, an exact number >= 0.
        r_rel: the absolute part, an exact number >= 0; at `r_rel = 0` a neighbour of 0 is 0.
        adjacency: the relation of neighbours for which it holds.

    Examples:
        >>> RelativeSensitivity("1/10", 0, "replace_one").admits([10], [11])
        True
        >>> RelativeSensitivity("1/10", 0, "replace_one").admits([10], [9])
        False
    """

    eta: Fraction
    r_rel: Fraction
    adjacency: Adjacency

    def __init__(self, eta: ExactInput, r_rel: ExactInput, adjacency: Adjacency | str) -> None:
        object.__setattr__(self, "eta", nonnegative(eta, name="eta", meaning="a relative sensitivity"))
        object.__setattr__(self, "r_rel", nonnegative(r_rel, name="r_rel", meaning="a sensitivity"))
        object.__setattr__(self, "adjacency", _adjacency(adjacency))

    def admits(self, x: VectorInput, y: VectorInput) -> bool:
        """Decide exactly whether `x` and `y` may be the outputs on two neighbours (in either order).

        Floats in the vectors count as the exact binary numbers they are, so nothing is rounded.
        Raises `InputError` for NaN, infinities and different dimensions.
        """
        left, right = _pair(x, y)
        smaller = min(norm_squared(left), norm_squared(right))
        return distance_squared(left, right) <= self.largest_distance_squared(smaller)

    def largest_distance_squared(self, norm_squared: ExactInput) -> Fraction:
        """Return the exact right-hand side `eta^2 m + r_rel^2`; `m` is the smaller squared norm of the two."""
        smaller = nonnegative(norm_squared, name="norm_squared", meaning="a squared norm")
        return self.eta * self.eta * smaller + self.r_rel * self.r_rel


# Fields of the classes are called `adjacency` too, and hide the function inside of `__init__`.
_adjacency = adjacency


def _pair(x: VectorInput, y: VectorInput) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return both outputs exactly, floats as the binary numbers they are."""
    return exact_vector(x, name="x", floats="binary"), exact_vector(y, name="y", floats="binary")
