"""A concave function above its chord, also between irrational ends; and half-waves of sine and cosine."""

from __future__ import annotations

import pytest

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict

TRUE = [
    "sin(x) >= 2*x/pi for x in [0, pi/2]",
    "cos(x) >= 1 - 2*x/pi for x in [0, pi/2]",
    "log(x) >= (x - 1)/(e - 1) for x in [1, e]",
    "sin(x) >= 0 for x in [0, pi]",
    "sin(x) <= 0 for x in [-pi, 0]",
    "cos(x) > 0 for x in (-pi/2, pi/2)",
    "cos(x) <= 0 for x in [pi/2, 3*pi/2]",
    "sin(x) + cos(x) >= 1 for x in [0, pi/2]",
]
FALSE = [
    "sin(x) >= 2*x/3 for x in [0, pi/2]",
    "cos(x) >= 1 - x/2 for x in [0, pi/2]",
    "log(x) >= (x - 1)/(e - 1) for x in [1, 3]",
    "sin(x) >= 0 for x in [0, 16/5]",
    "sin(x) > 0 for x in [0, pi]",
    "cos(x) > 0 for x in [-pi/2, pi/2]",
    "cos(x) <= 0 for x in [pi/2, 5]",
]


@pytest.mark.parametrize(
    ("statement", "verdict"), [(s, Verdict.PROVED) for s in TRUE] + [(s, Verdict.REFUTED) for s in FALSE]
)
def test_chords_and_half_waves(statement: str, verdict: Verdict) -> None:
    assert check(statement).verdict is verdict
