"""A fault in a stored file is noticed, or changes nothing: no other content is read, and nothing else is raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rgm_verify.balls.replay import UnreadableCertificate, replay
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.claims.outcome.ledger import (
    FORMAT,
    ClaimEntry,
    EvidenceEntry,
    Ledger,
    LedgerError,
    Witness,
    decode,
    encode,
)
from rgm_verify.claims.outcome.ledger_files import encode_files, read_ledger
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.engine.outcome import expected
from rgm_verify.engine.store import Store, StoreError
from rgm_verify.report.digests import Memory, lies_in
from rgm_verify.report.files import replace_files

FAULTS = settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
KEY = "0123456789abcdef" * 4
RECORD = {"claim": "p:one", "evidence": [{"summary": "é ≤ 1", "value": [1, -2.5e-300, None, True], "more": {}}]}


@st.composite
def faulty(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with one fault: a bit, some bytes that are lost, doubled or come in, an end that is missing."""
    place = draw(st.integers(0, len(content) - 1))
    length = draw(st.integers(1, 40))
    rest = content[place + length :]
    kind = draw(st.sampled_from(["bit", "digit", "end", "loss", "copy", "bytes", "text"]))
    if kind == "bit":
        return content[:place] + bytes([content[place] ^ 1 << draw(st.integers(0, 7))]) + content[place + 1 :]
    if kind == "digit":
        return content[:place] + draw(st.sampled_from([b"0", b"9", b"-", b'"', b"e", b" "])) + content[place + 1 :]
    if kind == "end":
        return content[:place]
    if kind == "loss":
        return content[:place] + rest
    if kind == "copy":
        return content[: place + length] + content[place : place + length] + rest
    new = draw(st.binary(min_size=1, max_size=8)) if kind == "bytes" else draw(st.sampled_from(WILD))
    return content[:place] + new + content[place:]


WILD = [b"[" * 100_000, b'{"a":' * 50_000, b"9" * 10_000, b"1e999999999", b"NaN", b"null,", b"\xff", b"\xed\xa0\x80",
        b'"\\ud800"', b"<<<<<<< ours\n", b"\n", b"\r\n", b"\x00"]  # fmt: skip


def claim(identifier: str, file: str = "a.py") -> ClaimEntry:
    """An entry that has something in every kind of field."""
    witness = Witness(values={"x": "sqrt(2)"}, margin=["0.1", "0.2"], relation="x > 1", python=["x", ">", "1"])
    evidence = EvidenceEntry(
        lens="points", kind=Kind.COUNTEREXAMPLE, finding=Finding.REFUTES, families=["arb"], summary="at $x$",
        details={"precision": 128, "share": 0.25, "deep": [[1, {"a": None}]]},
    )  # fmt: skip
    empty: dict[str, Any] = dict.fromkeys(("reading", "remark", "category", "corrected", "missing"), "")
    several = (
        "refs variables hypotheses tightness mutants rests_on theorems leaned_on_by derivation certificates".split()
    )
    lists: dict[str, Any] = {name: [] for name in several}
    return ClaimEntry(
        id=identifier, source="s", where="w", kind="lemma", title="é", statement="$x > 1$", formula="x > 1",
        quantifier="forall", verdict="refuted", reason="at 0", witness=witness, evidence=[evidence], file=file,
        scope="statement", **empty, **lists,
    )  # fmt: skip


LEDGER = Ledger(
    format=FORMAT, title="T", profile="quick", versions={"sympy": "1.14"}, counts={"refuted": 4},
    claims=[claim("p:one"), claim("p:two"), claim("p:three", "b/c.py"), claim("p:four")], entries=[],
)  # fmt: skip


def tried(read: Callable[[], Any], refusal: type[Exception]) -> tuple[Any, str]:
    """The reading and the reason of a refusal, one of them empty; whatever else is raised is an error of the test."""
    try:
        return read(), ""
    except refusal as error:
        assert 0 < len(str(error)) < 1_000  # noqa: PT017 - the caller looks at the text
        return None, str(error)


@FAULTS
@given(data=st.data())
def test_a_ledger_with_a_fault_is_refused_or_the_same(data: st.DataObject) -> None:
    content = data.draw(faulty(encode(LEDGER)))
    found, refusal = tried(lambda: decode(content, name="ledger.json"), LedgerError)
    assert refusal.startswith("ledger.json: ") if found is None else found == LEDGER


@FAULTS
@given(data=st.data())
def test_a_folder_with_a_fault_in_one_file_is_refused_by_name_or_the_same(data: st.DataObject, tmp_path: Path) -> None:
    files = encode_files(LEDGER)
    replace_files(tmp_path, files)
    name = data.draw(st.sampled_from(sorted(files)))
    (tmp_path / name).write_bytes(data.draw(faulty(files[name])))
    found, refusal = tried(lambda: read_ledger(tmp_path), LedgerError)
    assert (str(tmp_path / name) in refusal and "`rgm-verify report`" in refusal) if found is None else found == LEDGER


@FAULTS
@given(data=st.data())
def test_evidence_with_a_fault_is_refused_not_used_or_the_same(data: st.DataObject, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write("p:one", KEY, RECORD)
    path = store.path("p:one", KEY)
    path.write_bytes(data.draw(faulty(path.read_bytes())))
    found, refusal = tried(lambda: store.read("p:one", KEY), StoreError)
    assert (str(path) in refusal and "--repair" in refusal) if refusal else found == RECORD


@pytest.fixture(scope="module")
def certificate() -> Path:
    """The smallest of the committed certificates."""
    folder = Path(__file__).resolve().parents[4] / "reports" / "certificates"
    return min(folder.glob("*.json"), key=lambda path: path.stat().st_size)


@FAULTS
@given(data=st.data())
def test_a_certificate_with_a_fault_is_refused_or_the_same(
    data: st.DataObject, certificate: Path, tmp_path: Path
) -> None:
    path = tmp_path / certificate.name
    path.write_bytes(data.draw(faulty(certificate.read_bytes())))
    result, refusal = tried(lambda: replay(path), UnreadableCertificate)
    if not refusal and result.accepted:
        assert json.loads(path.read_bytes()) == json.loads(certificate.read_bytes())


@FAULTS
@given(data=st.data())
def test_expected_verdicts_with_a_fault_are_refused_or_verdicts(data: st.DataObject, tmp_path: Path) -> None:
    """People edit this file, so that it has no checksum; what it says is compared with what is found, and said."""
    written = b'{\n "verdicts": {\n  "p:one": "proved",\n  "p:two": "refuted"\n }\n}\n'
    (tmp_path / expected.FILE).write_bytes(data.draw(faulty(written)))
    found, faults = expected.read(tmp_path)
    assert all(expected.FILE in fault and "--accept" in fault and len(fault) < 1_000 for fault in faults)
    assert faults or found is not None
    assert set((found or {}).values()) <= {verdict.value for verdict in Verdict}


@FAULTS
@given(data=st.data())
def test_a_memory_with_a_fault_is_none_or_texts(data: st.DataObject, tmp_path: Path) -> None:
    """It says what to compare the files with: a memory that is wrong makes them be written again, and no more."""
    memory = Memory(tmp_path / "memory.json")
    memory.keep("origin", {"README.md": b"text"})
    memory.path.write_bytes(data.draw(faulty(memory.path.read_bytes())))
    found = memory.recall("origin")
    assert all(isinstance(text, str) for pair in found.items() for text in pair)
    assert lies_in(tmp_path, found) == (found == {})


@pytest.mark.parametrize(
    ("old", "new"), [(b'"refuted"', b'"decided"'), (b'"0.1"', b'"0.2"'), (b"sqrt(2)", b"sqrt(3)"), (b"0.25", b"0.75")]
)
def test_a_value_that_was_changed_by_hand_is_noticed(old: bytes, new: bytes) -> None:
    """The control: without the digest these would be read as they stand."""
    altered = encode(LEDGER).replace(old, new)
    assert msgspec.json.decode(altered, type=Ledger) != LEDGER
    with pytest.raises(LedgerError, match="altered since it was written"):
        decode(altered, name="ledger.json")


def test_the_layout_of_a_ledger_is_free() -> None:
    """Line ends that a version control system changes, or another indentation, are no change of content."""
    content = encode(LEDGER)
    for other in (content.replace(b"\n", b"\r\n"), json.dumps(json.loads(content)).encode()):
        assert other != content
        assert decode(other, name="ledger.json") == LEDGER


def test_a_merge_that_is_not_finished_is_said() -> None:
    content = (
        encode(LEDGER).replace(b' "counts"', b'<<<<<<< ours\n "counts"').replace(b' "claims"', b'=======\n "claims"')
    )
    with pytest.raises(LedgerError, match="the marks of a merge that is not finished"):
        decode(content, name="ledger.json")
