"""The command line: what each command says, in words and as JSON, and the exit code with which it ends."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner, Result

import rgm_verify
from rgm_verify import cli
from rgm_verify.claims.outcome.ledger import decode
from rgm_verify.claims.outcome.ledger_files import FOLDER, encode_files, read_ledger
from rgm_verify.cli import common
from rgm_verify.cli.common import task_progress
from rgm_verify.cli.judging import claims as claim_commands
from rgm_verify.cli.judging import folders
from rgm_verify.engine.outcome import assemble
from rgm_verify.engine.store import FORMAT
from rgm_verify.jobs import workers
from rgm_verify.jobs.store import read_kept, write_kept
from rgm_verify.report.files import replace_files

CLAIMS = """\
from rgm_verify.claims import *
from rgm_verify.lenses import *
import sympy
X = real("x", lower=0, upper=1)
x = X.symbol


def claim(id, conclusion, **rest):
    return Claim(id=id, title=f"About {id}", source="Source 7", where="page 3", kind="lemma", variables=(X,),
                 conclusion=conclusion, statement=f"Sentence about {id}.", **rest)


TRUE = claim("p:true", ge(1 + x, 1), mutants=(Mutant("off", ge(x, 1)),), refs=("e1",))
FALSE = claim("p:false", ge(x, sympy.Rational(1, 2)), hypotheses=(Hypothesis("not one", ne(x, 1)),),
              category="wrong constant", corrected="p:true")
REGION = claim("p:region", gt(2 + x**2, sympy.log(1 + x) + x), mutants=(Mutant("off", gt(x, 1)),),
               checks=(Region(),))
WEAK = claim("p:weak", ge(2 + x, 1), mutants=(Mutant("survivor", ge(3 + x, 1)),))
"""
Rgm = Callable[..., Result]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with claims, an evidence store and a report."""
    place = tmp_path_factory.mktemp("cli")
    (place / "claims").mkdir()
    (place / "claims" / "a.py").write_text(CLAIMS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr(workers, "make_executor", lambda jobs, *_: ThreadPoolExecutor(jobs))
        result = CliRunner().invoke(cli.main, ["run", "--claims", "claims", "--out", "reports", "--jobs", "1"])
    assert result.exit_code == 0, (result.output, result.exception)
    return place


@pytest.fixture
def rgm(place: Path, monkeypatch: pytest.MonkeyPatch) -> Rgm:
    monkeypatch.chdir(place)
    monkeypatch.setattr(workers, "make_executor", lambda jobs, *_: ThreadPoolExecutor(jobs))

    def call(*words: Any) -> Result:
        result = CliRunner().invoke(cli.main, [str(w) for w in words])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ((), ["list", "run", "show", "report", "replay", "Exit codes", "130"]),
        (("list",), ["--claims", "--json"]),
        (
            ("run",),
            ["--profile", "--jobs", "--claims", "--store", "--out", "--executor", "--accept", "--repair", "--json"],
        ),
        (("show",), ["ID", "--json", "--store"]),
        (("report",), ["--out", "without running anything"]),
        (("replay",), ["CERTIFICATE", "--claims", "--json"]),
    ],
)
def test_help_names_everything_that_a_command_takes(rgm: Rgm, command: tuple[str, ...], words: list[str]) -> None:
    for flag in ("--help", "-h"):
        result = rgm(*command, flag)
        assert result.exit_code == 0
        assert all(word in result.stdout for word in words)


def _commands(group: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(group, click.Group):
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            assert command is not None
            yield from _commands(command, (*words, name))


def test_lines_that_belong_together_in_a_help_stay_lines(rgm: Rgm) -> None:
    r"""Click keeps a paragraph as it is behind its own sign, a backspace, which a raw text shows as `\b` instead."""
    texts = {words: rgm(*words, "--help").stdout for words in _commands(cli.main)}
    assert len(texts) > 20
    assert [words for words, text in texts.items() if r"\b" in text] == []
    assert "  log(x) <= x - 1 for x > 0                     or behind\n" in texts["check",]
    assert r"'\forall x\in[0,1]:\ x(1-x)\le\tfrac14'" in texts["check",]


def test_the_version_is_the_package_version(rgm: Rgm) -> None:
    assert rgm("--version").stdout.strip().endswith(rgm_verify.__version__)


def test_list_shows_every_claim_in_words_and_as_json(rgm: Rgm) -> None:
    ids = ["p:true", "p:false", "p:region", "p:weak"]
    lines = rgm("list", "--claims", "claims").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ids
    assert lines[0].endswith("About p:true")
    rows = json.loads(rgm("list", "--claims", "claims", "--json").stdout)
    assert [r["id"] for r in rows] == ids
    assert rows[0] == {
        "id": "p:true",
        "refs": ["e1"],
        "source": "Source 7",
        "where": "page 3",
        "kind": "lemma",
        "title": "About p:true",
    }


def test_run_prints_verdicts_with_reasons_and_where_the_report_is(rgm: Rgm) -> None:
    result = rgm("run", "--claims", "claims", "--out", "reports")
    assert result.exit_code == 0
    assert "proved  p:true" in result.stdout
    assert "refuted  p:false" in result.stdout
    assert "certified  p:region" in result.stdout
    assert "the negative control 'survivor' survived" in result.stdout
    assert "1 certified, 1 proved, 1 refuted, 1 supported (4 unchanged)" in result.stdout
    assert "report: " in result.stdout
    assert "4 of 4 claims judged" in result.stderr


def test_what_an_edited_lens_has_looked_at_is_judged_again_and_by_fresh_everything_is(rgm: Rgm, place: Path) -> None:
    ask = ("run", "p:true", "p:false", "--claims", "claims")
    assert "(2 unchanged)" in rgm(*ask).stdout
    (path,) = (place / ".rgm_verify" / "evidence").glob("p=true--*.json")
    kept = read_kept(path, FORMAT)
    assert set(kept.record["looked"]) >= {"Points", "Search", "Smt"}
    # As if it had been made before an edit of these lenses.
    write_kept(path, kept.key, {**kept.record, "code": "0" * 64}, FORMAT)
    assert "(1 unchanged)" in rgm(*ask).stdout
    assert "(2 unchanged)" in rgm(*ask).stdout
    assert "(0 unchanged)" in rgm(*ask, "--fresh").stdout
    assert read_kept(path, FORMAT).record == kept.record


def test_a_refutation_that_nobody_expected_is_no_error_by_itself(rgm: Rgm) -> None:
    """Without an expected ledger nothing is expected; a refuted claim is a result."""
    assert rgm("run", "p:false", "--claims", "claims").exit_code == 0


def test_show_prints_statement_evidence_controls_and_witness(rgm: Rgm) -> None:
    true = rgm("show", "p:true", "--claims", "claims")
    assert true.exit_code == 0
    assert all(
        w in true.stdout
        for w in ("About p:true", "Source 7, page 3", "Sentence about", "verdict: proved", "control 'off': refuted")
    )
    weak = rgm("show", "p:weak", "--claims", "claims").stdout
    assert "control 'survivor': SURVIVED" in weak
    false = rgm("show", "p:false", "--claims", "claims").stdout
    assert all(
        w in false
        for w in (
            "category: wrong constant; corrected: p:true",
            "given not one",
            "witness, margin in [",
            "from mpmath import *",
        )
    )


def test_show_as_json_is_the_claims_entry_in_the_ledger(rgm: Rgm, place: Path) -> None:
    entry = json.loads(rgm("show", "p:false", "--claims", "claims", "--json").stdout)
    part = json.loads((place / "reports" / "ledger" / "a.py.json").read_text())
    assert entry == next(c for c in part["claims"] if c["id"] == "p:false")


def test_show_says_when_there_is_no_evidence_yet(rgm: Rgm) -> None:
    result = rgm("show", "p:true", "--claims", "claims", "--store", "empty")
    assert result.exit_code == 0
    assert "verdict: not judged" in result.stdout
    assert (
        "it was not judged as it stands: `rgm-verify run p:true --claims claims --store empty` does so" in result.stdout
    )


@pytest.mark.parametrize("command", ["show", "run"])
def test_an_unknown_id_is_exit_two_with_a_suggestion(rgm: Rgm, command: str) -> None:
    result = rgm(command, "p:ture", "--claims", "claims")
    assert result.exit_code == 2
    assert "id='p:ture': no such claim; did you mean p:true" in result.stderr
    far = rgm(command, "zzzzzz", "--claims", "claims")
    assert (far.exit_code, "did you mean" in far.stderr, "`list` shows them all" in far.stderr) == (2, False, True)


def test_show_finds_the_report_of_the_last_run_wherever_it_was_written(rgm: Rgm, place: Path, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.py").write_text(
        "from rgm_verify.pages import *\npage = Page()\nx = page.positive('x')\n"
        "claim = page.statement('own:claim', 'A square', gt(x**2, 0))\n"
    )
    claims, store, out = tmp_path / "own", tmp_path / "store", tmp_path / "somewhere"
    assert rgm("run", "--claims", claims, "--out", out, "--store", store, "--jobs", "1").exit_code == 0
    shown = rgm("show", "own:claim", "--claims", claims, "--store", store, "--profile", "full").stdout
    assert "verdict: proved" in shown
    assert shown.startswith("own:claim: A square\nown\n")  # the title of the folder is the source of one without
    assert f"in {out / FOLDER}, of this statement" in shown
    assert f"`rgm-verify run own:claim --claims {claims} --profile full --store {store}` does so" in shown
    (store / "reports.json").write_text("[]")
    assert (
        "verdict: not judged"
        in rgm("show", "own:claim", "--claims", claims, "--store", store, "--profile", "full").stdout
    )
    (store / "reports.json").write_text("{")
    assert rgm("run", "--claims", claims, "--out", out, "--store", store, "--jobs", "1").exit_code == 0
    assert json.loads((store / "reports.json").read_text()) == {str(claims): [str(out)]}


def test_a_claim_without_controls_gets_one_and_the_report_says_who_made_it(rgm: Rgm, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.py").write_text(
        "from rgm_verify.claims import *\nx = positive('x')\n"
        "claim = Claim(id='own:claim', title='A square', variables=(x,), conclusion=gt(x.symbol**2, 0))\n"
    )
    options = ("--claims", tmp_path / "own", "--store", tmp_path / "store")
    assert rgm("run", *options, "--out", tmp_path / "out", "--jobs", "1").exit_code == 0
    made = "made by the program: the opposite by a margin of 1"
    assert f"control '{made}': refuted" in rgm("show", "own:claim", *options).stdout
    (page,) = (tmp_path / "out" / "site" / "claim").glob("*.html")
    assert made in page.read_text(encoding="utf-8")


def test_show_takes_one_claim_and_no_wildcard(rgm: Rgm) -> None:
    result = rgm("show", "p:*", "--claims", "claims")
    assert (result.exit_code, "without a wildcard" in result.stderr) == (2, True)


def test_report_writes_the_same_bytes_as_the_run(rgm: Rgm, place: Path) -> None:
    result = rgm("report", "--claims", "claims", "--out", "again")
    assert (result.exit_code, "report: " in result.stdout) == (0, True)
    assert contents(place / "again") == contents(place / "reports")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_ledger_is_assembled_in_one_file_on_demand(rgm: Rgm, place: Path, tmp_path: Path) -> None:
    assert rgm("report", "--out", "reports", "--ledger", tmp_path / "whole.json").exit_code == 0
    assert decode((tmp_path / "whole.json").read_bytes(), name="whole") == read_ledger(place / "reports" / FOLDER)
    nothing = rgm("report", "--out", tmp_path, "--ledger", tmp_path / "whole.json")
    assert (nothing.exit_code, "no ledger" in nothing.stderr) == (2, True)
    shutil.copytree(place / "reports", tmp_path / "torn")
    (tmp_path / "torn" / "ledger" / "a.py.json").unlink()
    torn = rgm("report", "--out", tmp_path / "torn", "--ledger", tmp_path / "whole.json")
    assert (torn.exit_code, "a.py.json: missing; " in torn.stderr) == (2, True)


@pytest.fixture
def clone(place: Path, tmp_path: Path) -> Path:
    """A report as it is committed: without the pages of the site."""
    shutil.copytree(place / "reports", tmp_path / "clone")
    shutil.rmtree(tmp_path / "clone" / "site")
    return tmp_path / "clone"


@pytest.mark.parametrize("below", ["ledger", "."])
def test_a_report_is_made_again_from_its_ledger(rgm: Rgm, clone: Path, below: str) -> None:
    before = contents(clone)
    result = rgm("report", "--from", clone / below)
    assert (result.exit_code, "report: " in result.stdout) == (0, True)
    after = contents(clone)
    assert {name: content for name, content in after.items() if not name.startswith("site/")} == before
    assert (clone / "site" / "index.html").is_file()
    other = rgm("report", "--from", clone / below, "--out", clone.parent / "other")
    assert other.exit_code == 0
    assert contents(clone.parent / "other") == after


def test_what_a_report_cannot_be_made_from_is_said(rgm: Rgm, clone: Path) -> None:
    nothing = rgm("report", "--from", clone / "pages")
    assert (nothing.exit_code, "no ledger" in nothing.stderr) == (2, True)
    both = rgm("report", "--from", clone, "--ledger", clone / "whole.json")
    assert (both.exit_code, "give one of the two" in both.stderr) == (2, True)
    (clone / "changes.json").write_text("{")
    torn = rgm("report", "--from", clone)
    assert (torn.exit_code, "not a list of changes" in torn.stderr) == (2, True)


def test_open_makes_the_pages_that_are_not_there_and_shows_the_first(
    rgm: Rgm, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("click.launch", lambda url: shown.append(url))
    assert rgm("open", "--out", clone, "--no-browser").stdout.strip() == str(clone / "site" / "index.html")
    assert (clone / "site" / "index.html").is_file()
    assert shown == []
    assert rgm("open", "--out", clone).exit_code == 0
    assert shown == [str((clone / "site" / "index.html").resolve())]
    missing = rgm("open", "--out", clone / "pages")
    assert (missing.exit_code, "no ledger" in missing.stderr) == (2, True)


def test_report_without_evidence_is_exit_two_and_says_what_to_run(rgm: Rgm, place: Path) -> None:
    result = rgm("report", "--claims", "claims", "--store", "empty", "--out", "never")
    assert (
        result.exit_code,
        "not judged as it stands: 4 claims" in result.stderr,
        "use `run` first" in result.stderr,
    ) == (2, True, True)
    assert not (place / "never").exists()


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut": (lambda data: data[:-9], "not a ledger"),
    "nothing": (lambda _: b"", "not a ledger"),
    "a byte that is no text": (lambda data: data.replace(b"Sentence", b"Sent\xffnce"), "not a ledger"),
    "another type": (lambda data: data.replace(b' "claims": [', b' "claims": {}, "other": ['), "not a ledger"),
    "no end": (lambda _: b"[" * 200_000, "not a ledger"),
    "a huge number": (lambda data: data.replace(b'"evidence":[', b'"evidence":[1e999999999, '), "not a ledger"),
    "a later format": (lambda data: data.replace(b"ledger 8", b"ledger 9"), "format 'rgm-verify ledger 9"),
    "another verdict": (lambda data: data.replace(b'"refuted"', b'"proved"'), "altered since it was written"),
    "half a merge": (
        lambda data: data.replace(b' "claims": [', b'<<<<<<< a\n "claims": [', 1),
        "a merge that is not finished",
    ),
}


#: Damage to words that stand with the claims.
OF_CLAIMS = ("a byte that is no text", "a huge number")


@pytest.mark.parametrize(
    ("where", "kind"),
    [("ledger/a.py.json", kind) for kind in DAMAGE]
    + [("ledger/index.json", kind) for kind in DAMAGE if kind not in OF_CLAIMS],
)
def test_a_damaged_ledger_is_set_aside_and_the_report_is_written(
    rgm: Rgm, place: Path, tmp_path: Path, where: str, kind: str
) -> None:
    damage, words = DAMAGE[kind]
    out = tmp_path / "out"
    command = ("report", "--claims", "claims", "--out", out)
    assert rgm(*command).exit_code == 0
    written = contents(out)
    assert damage(written[where]) != written[where]
    for name in ("ledger.damaged", "ledger.damaged-2"):
        (out / where).write_bytes(damage(written[where]))
        result = rgm(*command)
        assert result.exit_code == 0
        assert result.stderr.count("\n") == 1
        assert all(word in result.stderr for word in (str(out / where), words, f"set aside as {out / name}; "))
        assert (out / name / Path(where).name).read_bytes() == damage(written[where])
        shutil.move(out / name, tmp_path / name)
        (out / name).mkdir()  # the name stays taken
        assert {n: c for n, c in contents(out).items() if "damaged" not in n} == written
        assert rgm(*command).stderr == ""


@pytest.mark.parametrize("where", ["changes.json"])
def test_a_damaged_list_of_changes_is_set_aside(rgm: Rgm, place: Path, tmp_path: Path, where: str) -> None:
    command = ("report", "--claims", "claims", "--out", tmp_path)
    assert rgm(*command).exit_code == 0
    (tmp_path / where).write_bytes(b"[")
    result = rgm(*command)
    assert (result.exit_code, f"set aside as {tmp_path / where}.damaged; " in result.stderr) == (0, True)
    assert rgm(*command).stderr == ""


def test_a_ledger_of_an_earlier_version_is_replaced_and_that_is_said(rgm: Rgm, place: Path, tmp_path: Path) -> None:
    command = ("report", "--claims", "claims", "--out", tmp_path)
    assert rgm(*command).exit_code == 0
    written = contents(tmp_path)
    shutil.rmtree(tmp_path / "ledger")
    (tmp_path / "ledger.json").write_bytes(b'{"format": "rgm-verify ledger 4", "claims": []}')
    result = rgm(*command)
    assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
    assert "'rgm-verify ledger 4' of an earlier version; this version reads" in result.stderr
    assert "; this report replaces it" in result.stderr
    assert contents(tmp_path) == written  # the file of the earlier version is gone
    assert rgm(*command).stderr == ""


def test_a_ledger_that_says_something_else_is_compared_with(rgm: Rgm, place: Path, tmp_path: Path) -> None:
    command = ("report", "--claims", "claims", "--out", tmp_path)
    assert rgm(*command).exit_code == 0
    ledger = read_ledger(tmp_path / FOLDER)
    replace_files(tmp_path / FOLDER, encode_files(msgspec.structs.replace(ledger, claims=ledger.claims[1:])))
    pages = []
    for _ in range(2):
        assert rgm(*command).stderr == ""
        pages.append(contents(tmp_path))
    assert pages[0] == pages[1]
    assert b"Since the last report" in pages[0]["site/index.html"]
    assert f"- new (proved): [`{ledger.claims[0].id}`]".encode() in pages[0]["README.md"]
    shutil.rmtree(tmp_path / "site")  # as in a fresh clone, with another store
    assert rgm(*command).stderr == ""
    assert contents(tmp_path) == pages[0]


def test_expected_verdicts_that_cannot_be_read_are_said_and_cost_no_claim(
    rgm: Rgm, place: Path, tmp_path: Path
) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.py").write_text(CLAIMS)
    for text in ("{", "[]", '{"verdicts": {"p:true": "certain"}}', '{"verdicts": 1}', "[" * 200_000):
        (tmp_path / "claims" / "expected.json").write_text(text)
        result = rgm("run", "--claims", tmp_path / "claims", "--store", tmp_path / "store", "--out", tmp_path / "out")
        assert (result.exit_code, "run with --accept to write it anew" in result.stderr) == (2, True)
        assert (tmp_path / "claims" / "expected.json").read_text() == text
        assert (tmp_path / "out" / "README.md").is_file()


def test_a_report_that_says_the_same_keeps_its_versions_and_the_run_says_its_own(
    rgm: Rgm, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = ("report", "--claims", "claims", "--out", "first", "--store", place / ".rgm_verify")
    assert "other versions" not in rgm(*write).stderr
    before = {path.name: path.read_bytes() for path in (place / "first").glob("*.*")}
    others = {**assemble.versions(), "numpy": "0.0.1"}
    monkeypatch.setattr(assemble, "versions", lambda: others)
    said = rgm(*write).stderr
    assert "numpy 0.0.1" in said
    assert "scipy" not in said
    assert {path.name: path.read_bytes() for path in (place / "first").glob("*.*")} == before
    assert json.loads((place / ".rgm_verify" / "versions.json").read_text())["numpy"] == "0.0.1"


# -------------------------------------------------------------------------------------------------------------- replay


@pytest.fixture
def certificate(place: Path, tmp_path: Path) -> Path:
    """A copy of the certificate that the run left."""
    (path,) = (place / "reports" / "certificates").glob("p--region--*.json")
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    return copy


def test_a_certificate_is_accepted_again(rgm: Rgm, certificate: Path) -> None:
    text = rgm("replay", certificate).stdout
    assert text.startswith("accepted: ")
    for line in (
        "claim: p:region",
        "statement: for all real x with x >= 0, x <= 1: 2 + x^2 > x + log(1 + x)",
        "box: x in [0, 1]",
        "proved: (2 + x^2) - (x + log(1 + x)) > 0 in the whole box",
        "not checked: that the formula is that of the source",
    ):
        assert f"  {line}" in text
    data = json.loads(rgm("replay", certificate, "--json").stdout)
    assert data["accepted"] is True
    assert data["leaves"] > 0
    assert (data["claim"], data["box"]) == ("p:region", "x in [0, 1]")
    assert len(data["not_checked"]) == 1


def test_a_certificate_of_a_statement_that_the_claim_does_not_make_is_exit_one(
    rgm: Rgm, certificate: Path, tmp_path: Path
) -> None:
    assert rgm("replay", certificate, "--claims", "claims").exit_code == 0
    for name, claims, reason in (
        ("changed", CLAIMS.replace("gt(2 + x**2", "gt(3 + x**2"), "has another statement: p:region"),
        ("gone", CLAIMS.replace("p:region", "p:other"), "has no claim of this name: p:region"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(claims)
        result = rgm("replay", certificate, "--claims", tmp_path / name)
        assert result.exit_code == 1
        assert reason in result.stdout.splitlines()[0]
        assert result.stdout.startswith("REJECTED: ")


def test_a_certificate_under_the_name_of_another_claim_is_exit_one(rgm: Rgm, certificate: Path) -> None:
    renamed = certificate.rename(certificate.with_name(certificate.name.replace("region", "true")))
    result = rgm("replay", renamed)
    assert result.exit_code == 1
    assert "but it certifies the claim p:region" in result.stdout


@pytest.mark.parametrize(
    "damage", [lambda b: b[: len(b) // 2], lambda _: b"", lambda _: b"\xff", lambda _: b"{}", lambda _: b"[]"]
)
def test_a_corrupted_certificate_is_exit_two(rgm: Rgm, certificate: Path, damage: Callable[[bytes], bytes]) -> None:
    certificate.write_bytes(damage(certificate.read_bytes()))
    result = rgm("replay", certificate)
    assert (result.exit_code, result.stdout) == (2, "")
    assert certificate.name in result.stderr


def test_a_missing_certificate_is_exit_two(rgm: Rgm, tmp_path: Path) -> None:
    result = rgm("replay", tmp_path / "none.json")
    assert (result.exit_code, "none.json" in result.stderr) == (2, True)


def test_a_wellformed_certificate_that_proves_nothing_is_exit_one(rgm: Rgm, certificate: Path) -> None:
    """The search of [0, 1] passed off as one of [-2, 1], checksum and all."""
    wider = {k: v for k, v in json.loads(certificate.read_text()).items() if k != "sha256"} | {"box": [["-2", "1"]]}
    digest = hashlib.sha256(json.dumps(wider, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    certificate = certificate.with_name(f"p--region--{digest[:12]}.json")
    certificate.write_text(json.dumps({**wider, "sha256": digest}))
    result = rgm("replay", certificate, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["accepted"] is False
    assert rgm("replay", certificate).stdout.startswith("REJECTED: ")


# --------------------------------------------------------------------------------------------------------------- rooms


def test_the_claims_of_a_checkout_come_before_the_installed_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path
) -> None:
    assert folders.default_claims() == root / "derivations"
    monkeypatch.setattr(folders, "__file__", str(tmp_path / "rgm_verify" / "cli" / "judging" / "folders.py"))
    assert folders.default_claims() == tmp_path.resolve() / "rgm_verify" / "_derivations"


def test_progress_is_a_live_display_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with task_progress(2, "judging", "claim", "judged") as progress:
        progress("a", "done")
        progress("b", "fresh")


def test_progress_elsewhere_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with task_progress(30, "judging", "claim", "judged") as progress:
        for i in range(30):
            progress(f"c{i}", "done")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r"25 of 30 claims judged, about \d+ (s|min|h) left", lines[0])
    assert lines[1] == "30 of 30 claims judged"


def test_the_time_left_is_that_of_the_tasks_before(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter([0.0, 60.0, 500.0, 1e6])
    progress = common._lines(100, "100 things", lambda: next(now))
    for i in range(100):
        progress(f"c{i}", "done")
    assert capsys.readouterr().err.splitlines() == [
        "25 of 100 things, about 3 min left",  # 75 more at 2.4 s each
        "50 of 100 things, about 8 min left",  # 50 more at 10 s each
        "75 of 100 things, about 93 h left",
        "100 of 100 things",
    ]


def test_a_long_run_prints_what_is_news_and_no_line_for_each_claim(
    rgm: Rgm, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim_commands, "_FEW", 0)
    first = rgm("run", "--claims", "claims")
    assert "refuted  p:false" in first.stdout  # nothing was expected, so that what is wrong is news
    assert "proved  p:true" not in first.stdout
    assert "all as expected" not in first.stdout
    try:
        assert "all as expected" not in rgm("run", "--claims", "claims", "--accept").stdout
        again = rgm("run", "--claims", "claims")
        assert "p:" not in again.stdout
        assert again.stdout.splitlines()[-1] == "all as expected"
        (place / "claims" / "expected.json").write_text(
            (place / "claims" / "expected.json").read_text().replace('"refuted"', '"proved"')
        )
        other = rgm("run", "--claims", "claims")
        assert "verdict differs: p:false: expected proved, found refuted" in other.stderr
        assert "all as expected" not in other.stdout
    finally:
        (place / "claims" / "expected.json").unlink(missing_ok=True)


RESTING = """
from rgm_verify.claims import Claim, Hypothesis, Mutant, Step, ge, positive
from rgm_verify.lenses import Smt
X = positive("x")
x = X.symbol

def claim(name, **more):
    return Claim(id=name, title=name, source="s", where="w", kind="lemma", variables=(X,), conclusion=ge(x + 1, 1),
                 checks=(Smt(),), mutants=(Mutant("two", conclusion=ge(x, 1)),), **more)

ALL = [claim("a"), claim("b", derivation=(Step("See there.", "a"),)), claim("c"),
       claim("d", hypotheses=(Hypothesis("h", ge(x, 0), by=("b",)),))]
"""


def test_a_chosen_claim_is_judged_with_all_that_it_rests_on(rgm: Rgm, tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "page.py").write_text(RESTING)
    result = rgm("run", "d", "--claims", tmp_path / "claims", "--store", tmp_path / "store", "--jobs", "1", "--json")
    assert result.exit_code == 0
    assert [(c["id"], c["verdict"]) for c in json.loads(result.stdout)["claims"]] == [("d", "proved")]
    assert {p.name.partition("--")[0] for p in (tmp_path / "store" / "evidence").iterdir()} == {"a", "b", "d"}
