"""Searches among numbers that grow without end."""

from __future__ import annotations

import resource

from rgm_verify import check


def test_a_search_keeps_its_memory_where_two_places_meet_far_out() -> None:
    """Young's inequality: one place as a function of another is a power with a large exponent."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    check("a*b <= a^p/p + b^(p/(p-1))*(p-1)/p for a > 0, b > 0, p > 1", seconds=20)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000
