"""Region certificates: boxes a second of the search, and the replay against the search in the same run."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from rgm_verify.balls.branch import certify
from rgm_verify.balls.replay import replay
from rgm_verify.claims.written.trees import inequality_on_box

r, c = sympy.symbols("r c", real=True)
CLAIM = (r - 1 - sympy.log(r) - c * (r - 1) ** 2) * (1 + c) / (2 + r)
BOX = {"r": (Fraction(11, 10), Fraction(2)), "c": (Fraction(1, 10), Fraction(3068526, 10**7))}


def search(centred):
    """Certify a rational and logarithmic inequality in two parameters, whose margin at one corner is 2e-9."""
    return certify(CLAIM, BOX, centred=centred, subject=inequality_on_box("bench:inequality", CLAIM, BOX))


@pytest.mark.parametrize("centred", [False, True], ids=["direct", "centred"])
def test_boxes_of_the_search(benchmark, centred):
    found = benchmark.pedantic(search, args=(centred,), rounds=5, warmup_rounds=1)
    assert found.status == "certified"
    benchmark.extra_info.update(boxes=found.boxes, boxes_per_second=found.boxes / benchmark.stats.stats.median)


@pytest.mark.parametrize("centred", [False, True], ids=["direct", "centred"])
def test_replay_against_search(ratio, centred):
    document = search(centred).certificate.to_json()
    assert replay(document).accepted
    ratio(
        f"replay / search ({'centred' if centred else 'direct'})",
        lambda: replay(document),
        lambda: search(centred),
        target=1.0,
        rounds=5,
    )
