"""GOPA: an average from messages that hide each value behind pairwise noise, which cancels in the sum.

Every pair of neighbours in a graph exchanges one noise; one of the two adds it and the other subtracts it. Each party
adds noise of its own besides. Source: slides on differentially private machine learning, Section 3, and `slides:gopa`.

The protocol runs on integers modulo 2**64: values and noises are rounded to multiples of `2**-fraction_bits` before
they are added, so that pairwise noise cancels to the last bit. Sums of floats would keep a residue that grows with the
pairwise noise. Rounding costs no privacy: a rounded Gaussian that is shifted by an integer is the rounded shifted
Gaussian, so that integer shifts are protected as by the Gaussians themselves (`gopa_privacy`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import ExactInput, exact, positive, positive_integer
from rgm_verify.numbers.sampling import require_generator

IntArray = NDArray[np.int64]
WordArray = NDArray[np.uint64]

_LARGEST_BITS = 50  # values in [0, 1] times 2**50 are integers that a float64 holds
_ROOM = 2.0**61  # a quarter of the words, on either side of 0


def random_graph(parties: ExactInput, selections: ExactInput, generator: np.random.Generator) -> IntArray:
    """Return the edges (E, 2) of the graph in which each party selects that many distinct others, uniformly.

    The graph is the undirected union: a pair that selects each other is one edge. The smaller number stands first, and
    edges are sorted. Raises `InputError` for fewer than two parties, and for more selections than there are others.
    """
    count = positive_integer(parties, name="parties", meaning="the number of parties")
    chosen = positive_integer(selections, name="selections", meaning="the number of parties that each one selects")
    source = require_generator(generator)
    if chosen >= count:
        raise reject("selections", selections, f"must be at most {count - 1}, the number of other parties")
    others = _distinct(count, chosen, source)
    pairs = np.column_stack((np.repeat(np.arange(count), chosen), others.ravel()))
    pairs.sort(axis=1)
    # One integer for a pair: sorting numbers is many times as fast as sorting rows.
    keys = np.unique(pairs[:, 0] * count + pairs[:, 1])
    return np.column_stack((keys // count, keys % count)).astype(np.int64)


def _distinct(count: int, chosen: int, source: np.random.Generator) -> IntArray:
    """Return for each party `chosen` distinct others, all sets equally likely: rows with repetitions are drawn anew."""
    # With more selections than the root, repetitions are the rule, and rows drawn anew would not come to an end.
    if chosen > math.isqrt(count):
        return np.array([_skipping(source.choice(count - 1, chosen, replace=False), k) for k in range(count)])
    rows = source.integers(0, count - 1, (count, chosen))
    again = np.arange(count)
    while again.size:
        ordered = np.sort(rows[again], axis=1)
        again = again[(ordered[:, 1:] == ordered[:, :-1]).any(axis=1)]
        rows[again] = source.integers(0, count - 1, (again.size, chosen))
    return _skipping(rows, np.arange(count)[:, np.newaxis])


def _skipping(drawn: IntArray, own: IntArray | int) -> IntArray:
    """Return numbers from 0 on without one's own, from numbers of one less."""
    return drawn + (drawn >= own)


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of the parties: `words` (K,), integers modulo 2**64 in units of `2**-fraction_bits`."""

    words: WordArray
    fraction_bits: int

    def average(self, present: ArrayLike | None = None) -> float:
        """Return the average of the messages, or of those of the parties that are `present` (K,), a mask.

        Without the messages of some parties the noise of their pairs stays in the sum. Raises `InputError` for a mask
        of another shape and one without parties.
        """
        words = self.words if present is None else self.words[_mask(present, self.words.size, "present")]
        if words.size == 0:
            raise InputError("present: no party is left; an average needs at least one message")
        total = int(np.sum(words, dtype=np.uint64))
        # Residues above half of the words stand for sums below 0; the room that `Gopa` keeps makes this unambiguous.
        signed = total - 2**64 if total >= 2**63 else total
        # One rounding, at the very end: the sum of the words is exact.
        return float(Fraction(signed, words.size * 2**self.fraction_bits))


@dataclass(frozen=True, init=False, eq=False)
class Gopa:
    """The protocol for one graph: `edges` (E, 2), deviations of pairwise and of independent noise, both exact.

    Args:
        parties: the number of parties K >= 2.
        edges: pairs of distinct parties, each at most once.
        pairwise: the deviation of the noise of a pair, >= 0.
        independent: the deviation of each party's own noise, > 0.
        fraction_bits: values are multiples of `2**-fraction_bits`; 1 to 50.

    Formal Guarantees:
        For numbers as drawn, the sum of all messages is the sum of the rounded values and of the rounded independent
        noises, exactly. What coalitions learn of a party is bounded by `party_distances`.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`; parties that deviate
    from the protocol; and a graph that was chosen with the values in mind.
    """

    parties: int
    edges: IntArray
    pairwise: Fraction
    independent: Fraction
    fraction_bits: int

    def __init__(
        self,
        parties: ExactInput,
        edges: ArrayLike,
        *,
        pairwise: ExactInput,
        independent: ExactInput,
        fraction_bits: ExactInput = 36,
    ) -> None:
        count = positive_integer(parties, name="parties", meaning="the number of parties")
        bits = positive_integer(fraction_bits, name="fraction_bits", meaning="the bits after the point")
        if bits > _LARGEST_BITS:
            raise reject(
                "fraction_bits", fraction_bits, f"must be at most {_LARGEST_BITS}, so that a float holds values"
            )
        exchanged = exact(pairwise, name="pairwise")
        if exchanged < 0:
            raise reject("pairwise", pairwise, "the deviation of the noise of a pair must be >= 0")
        own = positive(independent, name="independent", meaning="the deviation of each party's own noise")
        pairs = _simple(edges, count)
        # By the largest degree: every party's message has to fit, not the usual one's.
        degree = int(np.bincount(pairs.ravel(), minlength=count).max()) if pairs.size else 0
        largest = (count + 40 * float(exchanged) * degree + 40 * math.sqrt(count) * float(own)) * 2.0**bits
        if not largest < _ROOM:
            raise InputError(
                f"fraction_bits={bits}: {count} values and their noise may need {math.log2(largest) + 1:.0f} bits, "
                "and messages have 62; take fewer bits or less noise"
            )
        object.__setattr__(self, "parties", count)
        object.__setattr__(self, "edges", pairs)
        object.__setattr__(self, "pairwise", exchanged)
        object.__setattr__(self, "independent", own)
        object.__setattr__(self, "fraction_bits", bits)

    def messages(self, values: ArrayLike, generator: np.random.Generator) -> Messages:
        """Return the messages for `values` (K,) in [0, 1]; raises `InputError` for others, never clamps.

        Draws one normal number for each edge, then one for each party.
        """
        source = require_generator(generator)
        held = checked_values(values, name="values")
        if held.shape != (self.parties,):
            raise reject(
                "values", f"array of shape {held.shape}", f"expected one value for each of {self.parties} parties"
            )
        if not ((held >= 0) & (held <= 1)).all():
            # The first bad value is named with its party, who is the one that can mend it.
            place = int(np.flatnonzero((held < 0) | (held > 1))[0])
            raise depends_on_data(f"values[{place}]: must be in [0, 1]; clamp it, or change the unit")
        # A power of two, so that to scale a value up is exact and only `rint` rounds.
        unit = 2.0**self.fraction_bits
        shared = np.rint(float(self.pairwise) * unit * source.standard_normal(len(self.edges)))
        own = np.rint(float(self.independent) * unit * source.standard_normal(self.parties))
        total = np.rint(held * unit).astype(np.int64) + _integers(own)
        # Sums modulo 2**64 are exact in any order, so that what a pair exchanges cancels to the last bit.
        words = total.astype(np.uint64)
        exchanged = _integers(shared).astype(np.uint64)
        np.add.at(words, self.edges[:, 0], exchanged)
        np.subtract.at(words, self.edges[:, 1], exchanged)
        return Messages(words, self.fraction_bits)

    def average_deviation(self) -> float:
        """Return the deviation of the average of all messages around the average of the values, without roundings."""
        return float(self.independent) / math.sqrt(self.parties)


def _integers(numbers: NDArray[np.float64]) -> IntArray:
    """Return whole floats as integers; refuses noise that no word holds (more than 40 deviations)."""
    # Looked at first: a float beyond the words would become an arbitrary integer, without an error.
    if numbers.size and float(np.abs(numbers).max()) >= _ROOM:
        raise InputError("pairwise, independent: a noise does not fit a word of 64 bits; take fewer fraction_bits")
    return numbers.astype(np.int64)


def _mask(given: ArrayLike, count: int, name: str) -> NDArray[np.bool_]:
    mask = np.asarray(given)
    if mask.dtype != np.bool_ or mask.shape != (count,):
        raise reject(name, f"array of {mask.dtype} and shape {mask.shape}", f"expected {count} truth values")
    return mask


def _simple(edges: ArrayLike, count: int) -> IntArray:
    """Return the edges as integers, smaller end first; `InputError` unless they make a simple graph of the parties."""
    pairs = np.asarray(edges)
    if pairs.size == 0:
        return np.zeros((0, 2), dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise reject("edges", f"array of {pairs.dtype} and shape {pairs.shape}", "expected pairs of integers (E, 2)")
    ordered = np.sort(pairs.astype(np.int64), axis=1)
    # Checked before pairs become single numbers, which two different pairs would share otherwise.
    outside = ordered[(ordered < 0) | (ordered >= count)]
    if outside.size:
        raise reject("edges", f"a pair with the party {outside[0]}", f"parties are numbered from 0 to {count - 1}")
    if (ordered[:, 0] == ordered[:, 1]).any():
        raise reject("edges", "a pair of a party with itself", "the graph must be simple")
    if np.unique(ordered[:, 0] * count + ordered[:, 1]).size != len(ordered):
        raise reject("edges", "a pair that stands twice", "the graph must be simple")
    return ordered
