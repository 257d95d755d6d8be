"""Fields of a release in a plan: what they mean, and checks that their numbers are exact and of a sensible size.

A number far out of the usual range is most likely in another unit, and an account of it would be of another mechanism.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.errors import reject
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

_MOST_COUNT = 10**12
# Every output of discrete noise within reach has a loss of its own, so that this sets the size of an account.
_LARGEST_DISTANCE = 10**5
_SMALLEST, _LARGEST = Fraction(1, 10**6), Fraction(10**9)

Fields: TypeAlias = Mapping[str, ExactInput]
"""Exact numbers by the names of the fields, as a file or a caller gives them."""


@dataclass(frozen=True)
class Field:
    """A field of a release in a plan: what it means, and whether it may be left out."""

    meaning: str
    required: bool = True


def moderate(value: ExactInput, name: str, meaning: str) -> Fraction:
    """Return an exact number between 1e-6 and 1e9: what is outside is most likely another unit."""
    found = positive(value, name=name, meaning=meaning)
    if not _SMALLEST <= found <= _LARGEST:
        raise reject(name, value, "must lie between 1e-6 and 1e9")
    return found


def count_of(value: ExactInput, name: str) -> int:
    """Return a number of releases, at most 1e12."""
    found = positive_integer(value, name=name, meaning="the number of releases")
    if found > _MOST_COUNT:
        raise reject(name, value, "must be at most 1e12")
    return found


def distance_of(value: ExactInput, name: str) -> int:
    """Return an integer sensitivity, at most 1e5."""
    found = positive_integer(value, name=name, meaning="the sensitivity")
    if found > _LARGEST_DISTANCE:
        raise reject(name, value, "must be at most 1e5")
    return found
