"""Checks of outputs stand beside the lenses that judge, and a reason stands in their place."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Integer

from rgm_verify.claims import Claim, le, nonnegative
from rgm_verify.claims.claim import ClaimError
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.distributions.outputs import by_outputs
from rgm_verify.lenses.distributions.quantities import Outputs, Renyi

DISTANCE = nonnegative("D")
D = DISTANCE.symbol
PAIR = Outputs((D,), (Integer(0),), 1, variances=(Integer(1), Integer(1)))
AT = ({D: Integer(1)}, {D: Integer(2)})


def claim(bound: Any, **rest: Any) -> Claim:
    return Claim("t:claim", "t", variables=(DISTANCE,), conclusion=le(D**2, bound), **rest)


def judged(about: Claim) -> tuple[Verdict, list[Any]]:
    record = read_record(run_claim(about, Context(claims={about.id: about})))
    return judge(record, {}).verdict, record.evidence


def test_they_change_no_verdict_and_are_shown() -> None:
    for bound, verdict, finding in ((2 * D**2, Verdict.PROVED, "supports"), (D**2 / 2, Verdict.REFUTED, "contradicts")):
        alone, _ = judged(claim(bound))
        found, evidence = judged(claim(bound, outputs=by_outputs(D**2, Renyi(2), PAIR, AT, AT[:1])))
        assert (alone, found) == (verdict, verdict)
        shown = {e.lens: e.finding for e in evidence if e.lens in ("unreduced integrals", "released outputs")}
        assert shown == dict.fromkeys(("unreduced integrals", "released outputs"), finding)


def test_a_reason_is_shown_and_changes_no_verdict() -> None:
    found, evidence = judged(claim(2 * D**2, outputs="an inequality of numbers"))
    assert found is Verdict.PROVED
    assert [e.summary for e in evidence if "nothing is integrated or released" in e.summary] == [
        "nothing is integrated or released: an inequality of numbers"
    ]


def test_other_things_are_refused_by_name() -> None:
    with pytest.raises(ClaimError, match=r"outputs=.*expected a tuple of lenses, or the reason"):
        claim(2 * D**2, outputs=[])
    with pytest.raises(ClaimError, match="class"):
        claim(2 * D**2, outputs=(Renyi,))


def test_evidence_depends_on_them() -> None:
    plain = claim(2 * D**2)
    signatures = {
        each.signature()
        for each in (
            plain,
            claim(2 * D**2, outputs="a reason"),
            claim(2 * D**2, outputs=by_outputs(D**2, Renyi(2), PAIR, AT, AT[:1])),
        )
    }
    assert len(signatures) == 3
