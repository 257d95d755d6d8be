"""Releases that one account takes, as data: what noise, how often, and between which neighbours.

Every release is of a query that may depend on all outputs before; its parameters may not. Sensitivities are those
between the neighbours of the plan. Nothing here needs more than exact numbers, so that input is checked at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from rgm_verify.accounting.plans.fields import COUNT, NAME, Field, Fields
from rgm_verify.accounting.plans.kinds.answers import Approximate, Pure, RandomisedResponse
from rgm_verify.accounting.plans.kinds.dp_sgd import DpSgd
from rgm_verify.accounting.plans.kinds.gaussian import Concentrated, Gaussian, Renyi
from rgm_verify.accounting.plans.kinds.kind import ADJACENCIES, GIVEN, PlannedRelease
from rgm_verify.accounting.plans.kinds.matrix import MatrixMechanism
from rgm_verify.accounting.plans.kinds.noises import DiscreteGaussian, DiscreteLaplace, Laplace
from rgm_verify.accounting.plans.kinds.relative import RelativeGaussian
from rgm_verify.accounting.plans.kinds.selection import ExponentialMechanism, NoisyMax
from rgm_verify.accounting.plans.kinds.thresholds import SparseHistogram
from rgm_verify.accounting.plans.kinds.truncated import TruncatedDpSgd
from rgm_verify.accounting.plans.kinds.vectors import DiscreteGaussianVector, DiscreteLaplaceVector, LaplaceVector
from rgm_verify.errors import InputError, reject

__all__ = [
    "ADJACENCIES",
    "GIVEN",
    "KINDS",
    "Approximate",
    "Concentrated",
    "DiscreteGaussian",
    "DiscreteGaussianVector",
    "DiscreteLaplace",
    "DiscreteLaplaceVector",
    "DpSgd",
    "ExponentialMechanism",
    "Gaussian",
    "Laplace",
    "LaplaceVector",
    "MatrixMechanism",
    "NoisyMax",
    "PlannedRelease",
    "Pure",
    "RandomisedResponse",
    "RelativeGaussian",
    "Renyi",
    "SparseHistogram",
    "TruncatedDpSgd",
    "fields_of",
    "release_of",
]

KINDS: Mapping[str, type[PlannedRelease]] = {
    kind.kind: kind
    for kind in (
        Gaussian,
        Laplace,
        DiscreteGaussian,
        DiscreteLaplace,
        LaplaceVector,
        DiscreteLaplaceVector,
        DiscreteGaussianVector,
        RandomisedResponse,
        ExponentialMechanism,
        NoisyMax,
        SparseHistogram,
        MatrixMechanism,
        RelativeGaussian,
        DpSgd,
        TruncatedDpSgd,
        Pure,
        Approximate,
        Concentrated,
        Renyi,
    )
}


def fields_of(kind: str) -> dict[str, Field]:
    """Return all fields of a release of a kind, with those that every kind has, but for the kind itself."""
    if kind not in list(KINDS):
        raise reject("kind", kind, f"known are {', '.join(KINDS)}")
    return {**KINDS[kind].fields, "count": COUNT, "name": NAME}


def release_of(kind: str, given: Fields, place: str = "") -> PlannedRelease:
    """Return the release of a kind with exact numbers by the names of its fields.

    Args:
        kind: one of `KINDS`.
        given: values by field.
        place: stands before the name of a field in messages.

    Raises:
        InputError: for a kind that is not known, a field that is missing or too many, and a number out of range.

    Examples:
        >>> release_of("laplace", {"scale": "1/2"}).values()
        {'scale': Fraction(1, 2)}
    """
    if kind not in list(KINDS):
        raise reject(f"{place}mechanism", kind, f"known are {', '.join(KINDS)}")
    known = fields_of(kind)
    for name in given:
        if name not in known:
            raise InputError(f"{place}{name}: no field of {kind}; there are {', '.join(known)}")
    for name, field in known.items():
        if field.required and name not in given:
            raise InputError(f"{place}{name}: missing; {field.meaning[0].lower()}{field.meaning[1:]}")
    return KINDS[kind].of(given, place)
