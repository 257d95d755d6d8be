"""Verdicts are computed by rules that a reader can hold against the README: one test for each rule."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.claims.outcome.record import Control, Record, RecordError, read_record
from rgm_verify.claims.outcome.verdict import WEAKEST_FIRST, Verdict, alarm, judge, weakest


def item(kind: str, *families: str, finding: str = "supports", premises: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "lens": "test",
        "kind": kind,
        "finding": finding,
        "families": list(families),
        "summary": f"{kind} {finding}",
        "premises": list(premises),
    }


def record(*evidence: dict[str, Any], mutants: tuple[bool, ...] = (True,), informal: str = "") -> Record:
    controls = [{"name": f"control {i}", "killed": killed} for i, killed in enumerate(mutants)]
    return read_record({"informal": informal, "evidence": list(evidence), "mutants": controls})


SYMBOLIC = item("symbolic proof", "sympy")
SMT = item("SMT proof", "z3")
REGION = item("region certificate", "arb")
POINTS = item("enclosures at points", "arb", "mpmath")
MEASURED = item("measurement on stated data", "arb")
SEARCH = item("search without success", "numpy")
AGAINST = item("exact counterexample", "arb", "mpmath", finding="refutes")
STALLED = item("note", "z3", finding="undecided")


@pytest.mark.parametrize("proof", [SYMBOLIC, SMT])
def test_a_proof_with_an_independent_route_and_controls_is_proved(proof: dict[str, Any]) -> None:
    judgement = judge(record(proof, POINTS), {})
    assert judgement.verdict is Verdict.PROVED
    assert judgement.reason == proof["summary"]


def test_a_region_certificate_with_an_independent_route_is_certified_and_not_more() -> None:
    assert judge(record(REGION, POINTS), {}).verdict is Verdict.CERTIFIED


def test_the_order_of_evidence_does_not_matter() -> None:
    found = {judge(record(*order), {}).verdict for order in permutations([SYMBOLIC, REGION, POINTS, SEARCH, STALLED])}
    assert found == {Verdict.PROVED}


@pytest.mark.parametrize("proof", [SYMBOLIC, SMT, REGION])
def test_a_proof_alone_is_only_supported(proof: dict[str, Any]) -> None:
    judgement = judge(record(proof), {})
    assert judgement.verdict is Verdict.SUPPORTED
    assert "no independent numerical route" in judgement.reason


def test_a_route_of_the_same_family_is_not_independent() -> None:
    assert judge(record(REGION, item("enclosures at points", "arb")), {}).verdict is Verdict.SUPPORTED


def test_another_proof_is_not_a_numerical_route() -> None:
    assert judge(record(SYMBOLIC, SMT), {}).verdict is Verdict.SUPPORTED


def test_a_search_is_not_a_numerical_route() -> None:
    assert judge(record(SYMBOLIC, SEARCH), {}).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("kind", ["independent numerical route", "simulation with confidence", "enclosures at points"])
def test_each_kind_of_numerical_route_counts(kind: str) -> None:
    assert judge(record(SYMBOLIC, item(kind, "numpy")), {}).verdict is Verdict.PROVED


def test_a_certificate_backs_a_proof() -> None:
    assert judge(record(SYMBOLIC, REGION), {}).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("kind", "verdict"), [("exact witness", Verdict.PROVED), ("region certificate", Verdict.CERTIFIED)]
)
def test_two_families_in_one_witness_or_certificate_back_each_other(kind: str, verdict: Verdict) -> None:
    assert judge(record(item(kind, "arb", "mpmath")), {}).verdict is verdict
    assert judge(record(item(kind, "arb")), {}).verdict is Verdict.SUPPORTED


def test_two_families_in_one_symbolic_proof_do_not_make_a_numerical_route() -> None:
    assert judge(record(item("symbolic proof", "sympy", "z3")), {}).verdict is Verdict.SUPPORTED


def test_a_surviving_control_costs_the_proof() -> None:
    judgement = judge(record(SYMBOLIC, POINTS, mutants=(True, False, True)), {})
    assert judgement.verdict is Verdict.SUPPORTED
    assert "'control 1' survived" in judgement.reason


def test_a_claim_without_controls_is_at_most_supported() -> None:
    judgement = judge(record(SYMBOLIC, POINTS, mutants=()), {})
    assert judgement.verdict is Verdict.SUPPORTED
    assert "no negative control" in judgement.reason


def test_points_and_searches_give_support() -> None:
    assert judge(record(POINTS, SEARCH), {}).verdict is Verdict.SUPPORTED
    assert judge(record(POINTS, mutants=()), {}).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("kind", ["note", "search without success"])
def test_a_note_or_a_search_alone_supports_nothing(kind: str) -> None:
    assert judge(record(item(kind, "sympy")), {}).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("lens", ["enclosures at points", "search"])
def test_what_could_not_be_looked_at_is_undecided_and_says_why(lens: str) -> None:
    blind = {**item("note", "arb", finding="undecided"), "lens": lens, "summary": "no admissible point"}
    for others in ((POINTS,), (SEARCH,), (SYMBOLIC,), (POINTS, item("deduction from other claims", "z3"))):
        expected = Verdict.PROVED if len(others) == 2 else Verdict.UNDECIDED
        judgement = judge(record(*others, blind), {})
        assert judgement.verdict is expected
        assert (judgement.reason == "no admissible point") is (expected is Verdict.UNDECIDED)


@pytest.mark.parametrize("for_it", [(), (POINTS, SEARCH), (SYMBOLIC, POINTS), (REGION, POINTS)])
def test_what_speaks_against_a_claim_leaves_it_undecided(for_it: tuple[dict[str, Any], ...]) -> None:
    doubt = item("note", "mpmath", finding="contradicts")
    judgement = judge(record(*for_it, doubt), {})
    assert judgement.verdict is Verdict.UNDECIDED
    assert doubt["summary"] in judgement.reason
    assert ("contradictory" in judgement.reason) is (len(for_it) == 2 and for_it[0] is not POINTS)
    assert judge(record(*for_it, doubt, AGAINST), {}).verdict in (Verdict.REFUTED, Verdict.UNDECIDED)


def test_what_follows_from_something_that_does_not_stand_is_no_support() -> None:
    deduction = item("deduction from other claims", "z3", premises=("p",))
    for fallen in (Verdict.REFUTED, Verdict.UNDECIDED):
        assert judge(record(deduction), {"p": fallen}).verdict is Verdict.UNDECIDED
        assert judge(record(deduction, POINTS), {"p": fallen}).reason.startswith("points")
    assert judge(record(deduction), {"p": Verdict.SUPPORTED}).verdict is Verdict.SUPPORTED


def test_the_search_comes_first_among_what_refutes() -> None:
    found = {**AGAINST, "lens": "search", "summary": "fails at x = 1"}
    assert judge(record(AGAINST, found), {}).reason == "fails at x = 1"


def test_trivial_controls_do_not_count() -> None:
    trivial, counting = Control(name="1 < 0", killed=False, trivial=True), Control(name="another", killed=True)
    judgement = judge(Record(evidence=record(SYMBOLIC, POINTS).evidence, mutants=[trivial]), {})
    assert judgement.verdict is Verdict.SUPPORTED
    assert "no negative control that counts" in judgement.reason
    both = Record(evidence=record(SYMBOLIC, POINTS).evidence, mutants=[trivial, counting])
    assert judge(both, {}).verdict is Verdict.PROVED


def false_proof(*premises: str) -> Record:
    text = {"statement": "the control 'a'", "counterexample": "fails at x = 1", "lens": "l", "summary": "s"}
    return read_record({"claim": "p:a", "evidence": [], "false_proofs": [{**text, "premises": list(premises)}]})


def test_a_lens_that_proved_something_false_is_struck_off_for_the_claim_and_the_verdict_says_so() -> None:
    assert "the lens 'l' proves a false statement" in alarm(false_proof(), {})
    assert "fails at x = 1" in alarm(false_proof(), {})
    assert alarm(false_proof("p:b"), {"p:b": Verdict.PROVED}) != ""
    for fallen in (Verdict.REFUTED, Verdict.SUPPORTED, Verdict.UNDECIDED):
        assert alarm(false_proof("p:b"), {"p:b": fallen}) == ""
    assert alarm(Record(claim="p:a", evidence=[]), {}) == ""
    # Its own proof of the claim counts no more, and those of others do.
    proofs = {"l": Verdict.SUPPORTED, "other": Verdict.PROVED}
    for lens, verdict in proofs.items():
        control = Control(name="a", killed=True)
        found = msgspec.structs.replace(
            record({**SYMBOLIC, "lens": lens}, POINTS), mutants=[control], false_proofs=false_proof().false_proofs
        )
        judgement = judge(found, {})
        assert judgement.verdict is verdict
        assert "struck off" in judgement.reason
        assert judge(msgspec.structs.replace(found, false_proofs=[]), {}).verdict is Verdict.PROVED


@pytest.mark.parametrize("other", [(), (SMT,), (SYMBOLIC,)])
def test_a_measurement_is_at_most_support_and_backs_no_proof(other: tuple[dict[str, Any], ...]) -> None:
    assert judge(record(MEASURED, *other), {}).verdict is Verdict.SUPPORTED


def test_the_reason_of_a_measured_claim_is_what_was_measured() -> None:
    assert judge(record(MEASURED), {}).reason == MEASURED["summary"]
    assert judge(record(POINTS, MEASURED), {}).reason.startswith("points, searches or statistics only")


def test_a_measurement_that_a_control_survives_shows_nothing() -> None:
    judgement = judge(record(MEASURED, mutants=(True, False)), {})
    assert (judgement.verdict, "'control 1'" in judgement.reason) == (Verdict.UNDECIDED, True)
    assert judge(record(POINTS, mutants=(True, False)), {}).verdict is Verdict.SUPPORTED


def test_a_measurement_to_the_contrary_refutes_unless_there_is_a_proof() -> None:
    against = item("measurement on stated data", "arb", finding="refutes")
    assert judge(record(against, mutants=()), {}).verdict is Verdict.REFUTED
    assert judge(record(against, SYMBOLIC), {}).verdict is Verdict.UNDECIDED


def test_nothing_is_undecided() -> None:
    judgement = judge(record(), {})
    assert (judgement.verdict, judgement.reason) == (Verdict.UNDECIDED, "no method had anything to say")


def test_a_lens_that_stalled_says_why_it_is_undecided() -> None:
    judgement = judge(record(STALLED), {})
    assert (judgement.verdict, judgement.reason) == (Verdict.UNDECIDED, STALLED["summary"])


def test_a_stalled_lens_takes_nothing_away() -> None:
    assert judge(record(STALLED, SYMBOLIC, POINTS), {}).verdict is Verdict.PROVED


@pytest.mark.parametrize("weak", [(), (POINTS,), (SEARCH,), (STALLED,)])
def test_a_counterexample_refutes_whatever_points_say(weak: tuple[dict[str, Any], ...]) -> None:
    judgement = judge(record(*weak, AGAINST, mutants=()), {})
    assert (judgement.verdict, judgement.reason) == (Verdict.REFUTED, AGAINST["summary"])


@pytest.mark.parametrize("proof", [SYMBOLIC, SMT, REGION])
def test_a_proof_and_a_counterexample_contradict_each_other(proof: dict[str, Any]) -> None:
    judgement = judge(record(proof, AGAINST), {})
    assert judgement.verdict is Verdict.UNDECIDED
    assert "contradictory" in judgement.reason


def test_a_proof_of_the_contrary_refutes() -> None:
    contrary = item("SMT proof", "z3", finding="refutes")
    assert judge(record(contrary, POINTS), {}).verdict is Verdict.REFUTED


def test_what_names_no_family_backs_nothing() -> None:
    assert judge(record(item("exact witness")), {}).verdict is Verdict.SUPPORTED


def test_the_reason_for_support_is_what_was_seen_first() -> None:
    assert judge(record(POINTS, SEARCH), {}).reason.endswith(POINTS["summary"])
    route = item("independent numerical route", "numpy")
    assert judge(record(SEARCH, route, POINTS), {}).reason.endswith(route["summary"])


def test_judgements_are_values() -> None:
    assert len({judge(record(), {}), judge(record(), {})}) == 1


def test_a_sentence_without_content_is_informal_whatever_else_is_there() -> None:
    judgement = judge(record(SYMBOLIC, POINTS, AGAINST, informal="a comparison without a scale"), {})
    assert (judgement.verdict, judgement.reason) == (Verdict.INFORMAL, "a comparison without a scale")


@pytest.mark.parametrize(
    ("premises", "verdict"),
    [
        ({"a": Verdict.PROVED, "b": Verdict.PROVED}, Verdict.PROVED),
        ({"a": Verdict.PROVED, "b": Verdict.CERTIFIED}, Verdict.CERTIFIED),
        ({"a": Verdict.CERTIFIED, "b": Verdict.SUPPORTED}, Verdict.SUPPORTED),
        ({"a": Verdict.PROVED, "b": Verdict.REFUTED}, Verdict.SUPPORTED),
        ({"a": Verdict.PROVED, "b": Verdict.INFORMAL}, Verdict.SUPPORTED),
        ({"a": Verdict.PROVED}, Verdict.SUPPORTED),  # the other was never judged
    ],
)
def test_a_deduction_is_no_stronger_than_its_weakest_premise(premises: dict[str, Verdict], verdict: Verdict) -> None:
    deduction = item("deduction from other claims", "z3", premises=("a", "b"))
    assert judge(record(deduction, POINTS), premises).verdict is verdict


def test_a_deduction_from_nothing_is_a_proof() -> None:
    assert judge(record(item("deduction from other claims", "z3"), POINTS), {}).verdict is Verdict.PROVED


def test_a_weak_deduction_does_not_hide_a_strong_proof() -> None:
    deduction = item("deduction from other claims", "z3", premises=("a",))
    assert judge(record(deduction, SYMBOLIC, POINTS), {"a": Verdict.REFUTED}).verdict is Verdict.PROVED


def test_an_entry_stands_as_its_weakest_part() -> None:
    for stronger, weaker in [(b, a) for i, a in enumerate(WEAKEST_FIRST) for b in WEAKEST_FIRST[i:]]:
        assert weakest([stronger, weaker]) is weakest([weaker, stronger]) is weaker


def test_the_weakest_verdict_is_a_refutation_and_the_strongest_a_proof() -> None:
    assert set(WEAKEST_FIRST) == set(Verdict)
    assert (WEAKEST_FIRST[0], WEAKEST_FIRST[-1]) == (Verdict.REFUTED, Verdict.PROVED)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_verdict_is_no_truth_value(verdict: Verdict) -> None:
    with pytest.raises(TypeError, match=f"is Verdict.{verdict.name}"):
        bool(verdict)


_VERDICTS = st.sampled_from([v for v in Verdict if v is not Verdict.INFORMAL])
_NAMES = st.sampled_from(["a", "b", "c", "d"])


@given(
    evidence=st.lists(st.sampled_from([SYMBOLIC, SMT, REGION, POINTS, MEASURED, SEARCH, AGAINST, STALLED]), max_size=5),
    controls=st.lists(st.booleans(), max_size=2),
    below=st.dictionaries(_NAMES, _VERDICTS),
    rests_on=st.lists(_NAMES, max_size=4),
)
def test_no_positive_verdict_is_stronger_than_the_weakest_below_it(
    evidence: list[dict[str, Any]], controls: list[bool], below: dict[str, Verdict], rests_on: list[str]
) -> None:
    found = judge(record(*evidence, mutants=tuple(controls)), below, rests_on).verdict
    alone = judge(record(*evidence, mutants=tuple(controls)), below).verdict
    rank = WEAKEST_FIRST.index
    allowed = min((rank(below.get(name, Verdict.UNDECIDED)) for name in rests_on), default=rank(Verdict.PROVED))
    if alone in (Verdict.REFUTED, Verdict.UNDECIDED):
        assert found is alone
    else:
        assert rank(found) == max(min(rank(alone), allowed), rank(Verdict.UNDECIDED))


@pytest.mark.parametrize(
    ("below", "verdict", "words"),
    [
        (Verdict.PROVED, Verdict.PROVED, ""),
        (Verdict.CERTIFIED, Verdict.CERTIFIED, "rests on p:b, which is only certified"),
        (Verdict.SUPPORTED, Verdict.SUPPORTED, "rests on p:b, which is only supported"),
        (Verdict.INFORMAL, Verdict.SUPPORTED, "rests on p:b, which is only informal"),
        (Verdict.UNDECIDED, Verdict.UNDECIDED, "rests on p:b, which is undecided"),
        (Verdict.REFUTED, Verdict.UNDECIDED, "rests on p:b, which is refuted"),
    ],
)
def test_a_proof_falls_with_what_it_rests_on_and_says_so(below: Verdict, verdict: Verdict, words: str) -> None:
    judgement = judge(record(SYMBOLIC, POINTS), {"p:a": Verdict.PROVED, "p:b": below}, ("p:a", "p:b"))
    assert judgement.verdict is verdict
    assert words in judgement.reason
    assert SYMBOLIC["summary"] in judgement.reason


def test_a_claim_that_nothing_is_known_of_carries_nothing() -> None:
    assert judge(record(SYMBOLIC, POINTS), {}, ("p:b",)).verdict is Verdict.UNDECIDED


def test_a_refutation_needs_nothing_below_it() -> None:
    assert judge(record(AGAINST), {"p:b": Verdict.UNDECIDED}, ("p:b",)).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"evidence": [{**SYMBOLIC, "kind": "hearsay"}]}, "kind"),
        ({"evidence": [{**SYMBOLIC, "finding": "maybe"}]}, "finding"),
        ({"evidence": [], "mutants": [{"name": "a", "killed": "yes"}]}, "killed"),
        ({}, "evidence"),
    ],
)
def test_a_record_of_another_shape_is_refused_by_the_field(change: dict[str, Any], place: str) -> None:
    with pytest.raises(RecordError, match=place):
        read_record(change)
