"""Reasons in plain words: one thing is one thing, and no machine speaks of itself."""

from __future__ import annotations

import pytest

from rgm_verify.claims.outcome.plain import plain


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("by calculus (1 steps)", "by calculus (1 step)"),
        ("holds at 1 exact points: Arb agrees at 1", "holds at 1 exact point: Arb agrees at 1"),
        ("only 1 admissible points were found", "only 1 admissible point was found"),
        ("1 nonnegative terms and 1 boxes", "1 nonnegative term and 1 box"),
        ("11 steps, 0.1 points, T - 1 steps, 1/1 points", "11 steps, 0.1 points, T - 1 steps, 1/1 points"),
        ("fails at no free variable", "it is false"),
        ("fails at no free variable, where log(0) is not defined", "fails: log(0) is not defined"),
        ("the negation is unsatisfiable over the reals", "z3 proved that no counterexample exists"),
        ("fails at x = 1", "fails at x = 1"),
    ],
)
def test_a_reason_is_told_in_plain_words(text: str, wanted: str) -> None:
    assert plain(text) == wanted
