"""Checkers of a claim: the strongest kind of checking among its evidence, and what rests on the kernel alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rgm_verify.claims.outcome.checkers import (
    CHECKERS,
    by_the_kernel_alone,
    checked_by,
    rests_on_coq,
    shows_what_is_proved,
)
from rgm_verify.claims.outcome.ledger import ClaimEntry


def entry(claim: str, *evidence: dict[str, Any], verdict: str = "proved") -> ClaimEntry:
    given = {"id": claim, "verdict": verdict, "evidence": list(evidence)}
    fields = [field for field in msgspec.structs.fields(ClaimEntry) if field.required]
    return msgspec.convert({**{field.encode_name: blank(field.type) for field in fields}, **given}, ClaimEntry)


def blank(kind: Any) -> Any:
    """Return an empty value of a type."""
    for value in ("", [], {}, None, False, "forall", "statement"):
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            continue
        return value
    raise AssertionError(f"no empty value of {kind}")


def item(kind: str, *families: str, finding: str = "supports", premises: tuple[str, ...] = ()) -> dict[str, Any]:
    shared = {"lens": "test", "summary": "", "premises": list(premises)}
    return {"kind": kind, "finding": finding, "families": list(families), **shared}


KERNEL = item("kernel proof", "kernel")
SMT = item("SMT proof", "z3")
BOTH = item("SMT proof", "z3", "cvc5")
REGION = item("region certificate", "arb")
POINTS = item("enclosures at points", "arb")


@pytest.mark.parametrize(
    ("evidence", "checker"),
    [
        ((SMT, POINTS), "solvers only"),
        ((BOTH, POINTS), "second solver"),
        ((BOTH, REGION), "enclosures"),
        ((REGION, KERNEL, BOTH), "kernel"),
        ((item("kernel proof", "kernel", finding="undecided"), SMT), "solvers only"),
    ],
)
def test_the_strongest_checker_counts(evidence: tuple[dict[str, Any], ...], checker: str) -> None:
    assert checked_by(entry("a", *evidence)) == checker
    assert checker in CHECKERS


@pytest.mark.parametrize("verdict", ["refuted", "supported", "undecided", "informal"])
def test_only_a_claim_that_stands_has_a_checker(verdict: str) -> None:
    assert checked_by(entry("a", KERNEL, verdict=verdict)) == ""


def test_a_kernel_proof_with_another_premise_does_not_rest_on_the_kernel_alone() -> None:
    given = [item("kernel proof", "kernel", premises=premises) for premises in (("b",), (), ("d",), ("a", "b"))]
    entries = [entry(name, proof) for name, proof in zip("abce", given, strict=True)]
    assert by_the_kernel_alone([*entries, entry("d", SMT)]) == {"a", "b", "e"}


def test_a_theorem_of_coq_and_a_page_that_is_read_back_count_with_a_proof_that_the_kernel_accepts_alone() -> None:
    told = {"Coq": "a theorem", "page": "shows what is proved"}
    both, neither = entry("a", {**KERNEL, "details": told}), entry("b", {**SMT, "details": told}, KERNEL)
    assert rests_on_coq(both)
    assert shows_what_is_proved(both)
    refused = entry("c", {**KERNEL, "details": told, "finding": "undecided"})
    assert not any(f(e) for f in (rests_on_coq, shows_what_is_proved) for e in (neither, refused))
