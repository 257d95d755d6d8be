"""Section 4.1, Arbitrary privacy guarantees cannot be achieved: with bounded norms they can."""

from ...beyond.renyi.bounded_norms import (
    BOUNDED,
    BOUNDED_PAIRS,
    BOUNDED_POINTS,
    NO_BOUND,
    arithmetic,
    bounded_level,
    first_number,
    gap,
    last_number,
    middle_number,
    page as _bounded_norms,
)
from ..notation import *
from ..output_pairs import of_neighbours

page = Page("rgm-v1+v2", "§4.1, Arbitrary privacy guarantees cannot be achieved", _bounded_norms)

bounded = page.at("", "A29").remark(
    "rgm:bounded-norms-can-be-privatised",
    "With a bound on the norms baseline noise does help",
    le(divergence, bounded_level),
    r"Enough baseline noise achieves every level at every order, with $\gamma$ kept and without relative sensitivity.",
    outputs=of_neighbours(divergence, points=BOUNDED_PAIRS, sampled=BOUNDED_PAIRS[:1]),
    given=BOUNDED,
    steps=(
        Premise("beyond:bounded-norms-positive"),
        Premise("beyond:divergence-with-bounded-norms-split"),
        Premise("beyond:bounded-norms-level"),
        Premise(
            "beyond:two-bounds-in-a-row",
            {first_number: divergence, middle_number: arithmetic, last_number: bounded_level},
        ),
    ),
    points=BOUNDED_POINTS,
    wrong={"a constant over s squared": bounded_level / gap, "no bound on the norms": NO_BOUND},
    reading="Without a priori bounds: the other half, that with them it can be done.",
)
