"""Groups of records: releases that know how far apart a group is, and the chain of neighbours for all others.

A data set is turned into another one that differs in k records by k steps to a neighbour. Where a release is noise on a
query, k steps move the answer by at most k sensitivities; with randomised response, each of k records answers. Else, if
one step is (epsilon, delta) private, k of them are `(k epsilon, delta (1 + e^epsilon + ... + e^((k-1) epsilon)))`
private (`beyond:group-chain`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rgm_verify.recheck.fixed import Fixed
from rgm_verify.recheck.mechanisms import (
    MOST_SQUARE,
    MOST_USERS_RECORDS,
    DiscreteGaussian,
    DiscreteLaplace,
    Factored,
    Grouped,
    Guaranteed,
    Laplace,
    Mechanism,
    Noised,
    Planned,
    Randomised,
    Sampled,
    Selected,
    Single,
    Vector,
    WholeVector,
    by_coordinates,
    releases_of,
)

_BITS = 200


def enlarged(mechanism: Mechanism) -> Mechanism | None:
    """Return the mechanism for neighbours that differ in one record, vectors by coordinates; None for a group that
    some release knows nothing of.

    Examples:
        >>> enlarged(Grouped(3, Laplace(Fraction(6), 1)))
        Laplace(scale=Fraction(2, 1), steps=1)
    """
    if not isinstance(mechanism, Grouped):
        return by_coordinates(mechanism)
    found = [_enlarged(release, mechanism.records) for release in releases_of(mechanism)]
    # One release that does not know makes all of them follow the chain.
    known = tuple(release for release in found if release is not None)
    if len(known) < len(found):
        return None
    return by_coordinates(Planned(known) if isinstance(mechanism.of, Planned) else known[0])


def _enlarged(release: Single, records: int) -> Single | None:
    """Return the release for one record that moves the answer as far as a group does; None where that is not known."""
    match release:
        case Noised() | Factored():
            return replace(release, noise=release.noise / records)
        case Laplace():
            return replace(release, scale=release.scale / records)
        case DiscreteLaplace() | DiscreteGaussian():
            return replace(release, distance=release.distance * records)
        case Vector():
            return replace(release, all=release.all * records, one=release.one * records)
        case WholeVector() if release.square * records**2 <= MOST_SQUARE:
            return replace(release, square=release.square * records**2, each=release.each * records)
        case Sampled(sampler="poisson") if (
            release.adjacency != "add-or-remove-one" and release.records * records <= MOST_USERS_RECORDS
        ):
            # All of the group are removed, added or replaced, and each is in a batch on its own.
            return replace(release, records=release.records * records)
        case Randomised():
            return replace(release, steps=release.steps * records)
        case Guaranteed(failing=0) | Selected():
            return replace(release, loss=release.loss * records)
    # A relative sensitivity does not add up. Records of a group may be in a batch of a fixed size together or apart,
    # and of those that are in part added and in part removed no pair is the worst.
    return None


def chained(level: Fraction, records: int) -> Fraction:
    """Return an upper bound of `1 + e^level + ... + e^((records - 1) level)`, `level >= 0`.

    Examples:
        >>> chained(Fraction(0), 4)
        Fraction(4, 1)
    """
    # A relative error of 2^-200 for each factor, also where the sum is huge.
    arithmetic = Fixed(_BITS)
    factor = arithmetic.exp(arithmetic.of(level))[1]
    # Rounded up each time: a negative number is shifted towards minus infinity.
    total = arithmetic.one
    for _ in range(records - 1):
        total = arithmetic.one - (-total * factor >> _BITS)
    return Fraction(total, arithmetic.one)
