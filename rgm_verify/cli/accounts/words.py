"""The guarantee of an account in words, for a reader who does not know epsilon and delta."""

from __future__ import annotations

import math
from fractions import Fraction

from rgm_verify.accounting.plans.releases import GIVEN
from rgm_verify.accounting.subsampled.mechanism import ADD, ADD_REMOVE, FIXED, POISSON, REMOVE, REPLACE, TRUNCATED
from rgm_verify.numbers.decimals import decimal

_DIGITS = 4
_LARGEST = 25.0  # nats; a larger factor stays a power of e
#: The data of the neighbour beside those at hand: of one record and of up to so many.
_NEIGHBOURS = {
    ADD_REMOVE: ("with one record more or less", "with up to {} records more or less"),
    ADD: ("with one record more", "with up to {} records more"),
    REMOVE: ("with one record less", "with up to {} records less"),
    REPLACE: ("with another record in the place of one", "with others in the place of up to {} records"),
    GIVEN: (
        "on data that differ by what the sensitivity allows",
        "on data that differ by {} times what the sensitivity allows",
    ),
}
_SAMPLERS = {
    POISSON: "every record joins each batch on its own, with the same probability (poisson)",
    FIXED: "all batches of one size are as likely (fixed-batch)",
    TRUNCATED: "every record is sampled on its own, and which of too many stay does not depend on what is in them",
}


def guarantee(adjacency: str, epsilon: Fraction | float, delta: Fraction | float, *, group: int = 1) -> str:
    """Return what (`epsilon`, `delta`) privacy promises, as one sentence; both numbers are rounded up.

    One direction alone, such as "add-one", compares the data at hand with those of the neighbour, in this order.

    Args:
        adjacency: which data sets are neighbours.
        epsilon: in nats, finite.
        delta: a probability.
        group: the number of records that neighbours differ in.

    Examples:
        >>> guarantee("add-or-remove-one", 1.5159942, Fraction(1, 10**6))
        'every outcome is at most 4.554 times as likely as with one record more or less, plus 1e-6'
        >>> guarantee("replace-one", 100.0, 1e-5, group=3)
        'every outcome is at most e^100 times as likely as with others in the place of up to 3 records, plus 1.001e-5'
        >>> guarantee("add-one", 0.5, 0)[:49]
        'every outcome is at most 1.649 times as likely as'
    """
    one, many = _NEIGHBOURS[adjacency]
    who = one if group == 1 else many.format(group)
    if epsilon > _LARGEST:
        factor = f"e^{decimal(epsilon, up=True, digits=_DIGITS)}"
    elif epsilon == 0:
        factor = "1"
    else:
        # The exponential function of a float is within an ulp or two.
        factor = decimal(math.exp(math.nextafter(float(epsilon), math.inf)) * (1 + 2.0**-50), up=True, digits=_DIGITS)
    rest = f", plus {decimal(delta, up=True, digits=_DIGITS)}" if delta else ""
    return f"every outcome is at most {factor} times as likely as {who}{rest}"


def assumption(sampler: str) -> str:
    """Return what the account assumes of a sampler.

    Examples:
        >>> assumption("fixed-batch")
        'all batches of one size are as likely (fixed-batch)'
    """
    return _SAMPLERS[sampler]
