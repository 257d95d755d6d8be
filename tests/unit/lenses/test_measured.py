"""The lens for measured facts: it finds planted truths and falsehoods in a record, and says nothing in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import mpmath
import pytest
import sympy
from click.testing import CliRunner

from rgm_verify.claims import Claim, ClaimError, Formula, Hypothesis, Mutant, eq, ge, le, lt, nonnegative, real
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger, schema
from rgm_verify.claims.outcome.record import Witness, read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.cli import main
from rgm_verify.engine.discovery import Paper, load
from rgm_verify.engine.judge import portfolio, run_claim
from rgm_verify.engine.keys import Keys
from rgm_verify.engine.paper_file import ClaimsFolderError
from rgm_verify.lenses import Measured, Where
from rgm_verify.lenses.base import Context

A, B = nonnegative("a", "the first number"), nonnegative("b", "the second number")
a, b = A.symbol, B.symbol
RUNS = {"first": ["1.0", "2.0", "4.0"], "second": ["3.0", "5.0", "8.0"], "third": ["0.1", "0.1", "0.1"]}
AT_A, AT_B = Where("left", "first", "at the end"), Where("left", "second", "at the end")


def content(**changes: Any) -> dict[str, Any]:
    methods = [
        {"method": name, "values": {"at the end": [[v, v] for v in values], "lost": [[None, None]] * 3}}
        for name, values in RUNS.items()
    ]
    methods[0]["values"]["node 1: release"] = [["0.1", "0.2"], ["0.1", "0.3"], ["0.2", "0.4"]]  # type: ignore[index]
    data: dict[str, Any] = {
        "format": "rgm-verify measured 1",
        "experiment": "figure-0",
        "runs": 3,
        "seed": 7,
        "versions": {"numpy": "2"},
        "code": "0" * 64,
        "datasets": [
            {
                "name": "shapes",
                "source": "drawn by hand",
                "sha256": "1" * 64,
                "records": 12,
                "features": 2,
                "synthetic": False,
                "limits": "small",
            }
        ],
        "setup": {"level": "0.1"},
        "panels": [{"name": "left", "setup": {"dataset": "shapes"}, "methods": methods}],
    }
    return data | changes


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., Path]:
    def make(**changes: Any) -> Path:
        path = tmp_path / "measured" / "figure-0.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content(**changes)))
        return path

    return make


def claim(conclusion: Formula, lens: Measured, *mutants: Formula, **rest: Any) -> Claim:
    rest.setdefault("variables", (A, B))
    controls = tuple(Mutant(f"control {i}", conclusion=formula) for i, formula in enumerate(mutants))
    return Claim(id="m:claim", title="t", source="s", where="w", kind="remark", conclusion=conclusion,
                 checks=(lens,), mutants=controls, **rest)  # fmt: skip


def outcome(about: Claim) -> tuple[Verdict, str]:
    judgement = judge(read_record(run_claim(about, Context(claims={about.id: about}))), {})
    return judgement.verdict, judgement.reason


# ------------------------------------------------------------------------------------------------------------ verdicts

# a lies in [1, 4], b in [3, 8]: on the box b + 1 > a, and a + b <= 12 is touched in a corner.
TRUE = [lt(a, b + 2), le(a, 4), ge(a * b, 3), le(a + b, 12), ge(b - a + 1, 0), le(a**2 - a, 12), lt(sympy.log(a), 2)]
FALSE = [lt(b + 2, a), le(a, sympy.Rational(1, 2)), ge(a, 5), lt(a * b, 3), eq(a, 5), le(sympy.exp(b), a)]
MIXED = [lt(a, b), le(a, 3), ge(a * b, 4), eq(a, 1), le(a + b, 11)]


@pytest.mark.parametrize("conclusion", TRUE)
def test_what_holds_for_all_values_of_the_runs_is_supported(record: Any, conclusion: Formula) -> None:
    verdict, reason = outcome(claim(conclusion, Measured(record(), {a: AT_A, b: AT_B})))
    assert verdict is Verdict.SUPPORTED
    assert "holds for all values of the runs" in reason


@pytest.mark.parametrize("conclusion", FALSE)
def test_what_fails_for_all_values_of_the_runs_is_refuted(record: Any, conclusion: Formula) -> None:
    verdict, reason = outcome(claim(conclusion, Measured(record(), {a: AT_A, b: AT_B})))
    assert verdict is Verdict.REFUTED
    assert "fails for all values of the runs" in reason


@pytest.mark.parametrize("conclusion", MIXED)
def test_what_holds_for_some_values_is_undecided(record: Any, conclusion: Formula) -> None:
    verdict, reason = outcome(claim(conclusion, Measured(record(), {a: AT_A, b: AT_B})))
    assert verdict is Verdict.UNDECIDED
    assert "of 3 runs" in reason


def test_an_undecided_measurement_says_in_how_many_runs_the_claim_holds(record: Any) -> None:
    assert "holds in 3 of 3 runs" in outcome(claim(lt(a, b), Measured(record(), {a: AT_A, b: AT_B})))[1]
    assert "holds in 2 of 3 runs" in outcome(claim(le(a, 3), Measured(record(), {a: AT_A, b: AT_B})))[1]


def test_the_verdict_says_on_which_data_and_the_evidence_with_which_choices(record: Any) -> None:
    about = claim(lt(a, b + 2), Measured(record(), {a: AT_A, b: AT_B}))
    (found,) = run_claim(about, Context())["evidence"]
    assert found["summary"].startswith("measured on shapes (12 records), figure-0 (left), 3 runs, seed 7: holds")
    assert "a in [1, 4]" in found["summary"]
    details = found["details"]
    assert details["choices"] == {"left": {"dataset": "shapes", "level": "0.1"}}
    assert details["data"] == [{"name": "shapes", "source": "drawn by hand", "sha256": "1" * 64, "limits": "small"}]
    assert details["numbers"]["b"] == {"where": "left/second, at the end", "interval": ["3", "8"]}
    assert (details["seed"], details["runs"], len(details["sha256"])) == (7, 3, 64)
    assert json.loads(json.dumps(details)) == details


def test_synthetic_data_are_called_so(record: Any) -> None:
    path = record(datasets=[content()["datasets"][0] | {"synthetic": True}])
    assert "measured on synthetic shapes" in outcome(claim(lt(a, b + 2), Measured(path, {a: AT_A, b: AT_B})))[1]


def test_a_refutation_has_a_witness_that_python_confirms(record: Any, capsys: pytest.CaptureFixture[str]) -> None:
    about = claim(lt(b + 2, a), Measured(record(), {a: AT_A, b: AT_B}))
    (found,) = run_claim(about, Context())["evidence"]
    witness = found["details"]["witness"]
    assert witness["values"] == {"a": "1", "b": "3"}
    with mpmath.workdps(15):  # the snippet sets a precision of its own
        exec(Witness(**witness).snippet, {})  # it prints both sides and whether the negation holds
    assert capsys.readouterr().out.split()[-1] == "True"
    assert found["families"] == ["arb"]


# ---------------------------------------------------------------------------------------------------------- statistics


@pytest.mark.parametrize(
    ("statistic", "quantity", "ends"),
    [
        ("runs", "at the end", ("1", "4")),
        ("least", "at the end", ("1", "1")),
        ("median", "at the end", ("2", "2")),
        ("greatest", "at the end", ("4", "4")),
        ("runs", "node 1: release", ("1/10", "2/5")),
        ("median", "node 1: release", ("1/10", "3/10")),
        ("greatest", "node 1: release", ("1/5", "2/5")),
    ],
)
def test_a_statistic_is_an_exact_interval(record: Any, statistic: Any, quantity: str, ends: tuple[str, str]) -> None:
    lens = Measured(record(), {a: Where("left", "first", quantity, statistic)})
    assert lens.box() == {a: (Fraction(ends[0]), Fraction(ends[1]))}


def test_decimals_are_taken_exactly(record: Any) -> None:
    lens = Measured(record(), {a: Where("left", "third", "at the end")})
    assert outcome(claim(eq(a, sympy.Rational(1, 10)), lens, variables=(A,)))[0] is Verdict.SUPPORTED


# ------------------------------------------------------------------------------------------------------------ controls


def test_controls_are_judged_on_the_same_numbers(record: Any) -> None:
    about = claim(lt(a, b + 2), Measured(record(), {a: AT_A, b: AT_B}), lt(b + 2, a), lt(3 * a, 1))
    mutants = run_claim(about, Context())["mutants"]
    assert [m["killed"] for m in mutants] == [True, True]
    assert all(m["how"].startswith("measurement:") for m in mutants)


def test_a_control_that_the_numbers_do_not_refute_costs_the_support(record: Any) -> None:
    about = claim(lt(a, b + 2), Measured(record(), {a: AT_A, b: AT_B}), lt(a, b + 1))  # touched at a = 4, b = 3
    verdict, reason = outcome(about)
    assert (verdict, "control 0" in reason) == (Verdict.UNDECIDED, True)


def test_no_other_lens_looks_at_a_claim_about_recorded_values(record: Any) -> None:
    lens = Measured(record(), {a: AT_A, b: AT_B})
    assert portfolio(claim(lt(a, b + 2), lens)) == (lens,)  # a search would find a = 10, b = 0


def test_the_numbers_must_satisfy_what_the_claim_assumes(record: Any) -> None:
    lens = Measured(record(), {a: AT_A, b: AT_B})
    given = Hypothesis("the first is small", le(a, 3))
    verdict, reason = outcome(claim(lt(a, b + 2), lens, hypotheses=(given,)))
    assert (verdict, "the first is small" in reason) == (Verdict.UNDECIDED, True)
    kept = Hypothesis("the first is moderate", le(a, 4))
    assert outcome(claim(lt(a, b + 2), lens, hypotheses=(kept,)))[0] is Verdict.SUPPORTED


def test_a_domain_is_assumed_too(record: Any) -> None:
    narrow = real("a", lower=2)
    verdict, _ = outcome(claim(le(narrow.symbol, 9), Measured(record(), {narrow.symbol: AT_A}), variables=(narrow,)))
    assert verdict is Verdict.UNDECIDED


def test_nothing_is_said_of_existence(record: Any) -> None:
    assert (
        outcome(claim(lt(a, b + 2), Measured(record(), {a: AT_A, b: AT_B}), quantifier="exists"))[0]
        is Verdict.UNDECIDED
    )


def test_a_measurement_cannot_make_any_other_kind_of_evidence(record: Any) -> None:
    lens = Measured(record(), {a: AT_A, b: AT_B})
    assert lens.grants == {Kind.MEASUREMENT, Kind.NOTE}
    (found,) = lens.run(claim(lt(a, b + 2), lens), Context())
    assert (found.kind, found.finding) == (Kind.MEASUREMENT, Finding.SUPPORTS)


# ----------------------------------------------------------------------------------------------------------- freshness


def key(path: Path, **places: Where) -> str:
    about = claim(lt(a, b + 2), Measured(path, {a: places.get("a", AT_A), b: AT_B}))
    return Keys(Paper(path.parent, {about.id: about}, {about.id: "a.py"}, "t"), "quick").of(about.id)


def test_evidence_is_stale_when_the_record_or_a_place_changes_and_not_when_the_file_moves(
    record: Any, tmp_path: Path
) -> None:
    first = key(record())
    assert key(record()) == first
    moved = tmp_path / "elsewhere.json"
    moved.write_bytes(record().read_bytes())
    assert key(moved) == first
    assert key(record(), a=Where("left", "third", "at the end")) != first
    assert key(record(), a=Where("left", "first", "at the end", "median")) != first
    assert key(record(seed=8)) != first


# ----------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (Where("right", "first", "at the end"), "panel='right': the record has left"),
        (Where("left", "fourth", "at the end"), "method='fourth': the record has first, second, third"),
        (Where("left", "first", "at 17"), "quantity='at 17': the record has at the end, lost"),
        (Where("left", "first", "lost"), "no finite value"),
        (Where("left", "first", "at the end", "mean"), "statistic='mean': allowed are"),  # type: ignore[arg-type]
    ],
)
def test_a_place_that_the_record_does_not_have_is_refused(record: Any, where: Where, words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        Measured(record(), {a: where})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a compact record"),
        ("{}", "missing required field"),
        ("[1, 2", "not a compact record"),
        (json.dumps(content(format="other 3")), "format 'other 3'"),
        (json.dumps(content(runs=2)), "3 values for 2 runs"),
        (json.dumps(content(runs="3")), "Expected `int`"),
        (json.dumps(content()).replace('["1.0", "1.0"]', '["2.0", "1.0"]'), "lower end 2.0 is above"),
        (json.dumps(content()).replace('"1.0"', '"one"'), "'one': expected a number"),
        (json.dumps(content(datasets=[])), "dataset='shapes'"),
    ],
)
def test_a_broken_record_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(ClaimError, match=words):
        Measured(path, {a: AT_A})


def test_a_missing_record_is_refused_without_telling_where_this_machine_would_have_it(tmp_path: Path) -> None:
    with pytest.raises(ClaimError, match="cannot be read") as error:
        Measured(tmp_path / "measured" / "none.json", {a: AT_A})
    assert "measured/none.json" in str(error.value)
    assert str(tmp_path) not in str(error.value)


def test_a_variable_without_a_place_is_refused(record: Any) -> None:
    with pytest.raises(ClaimError, match="no place is given for b"):
        run_claim(claim(lt(a, b + 2), Measured(record(), {a: AT_A})), Context())


def test_measured_claims_go_through_the_whole_report(record: Any, tmp_path: Path) -> None:
    folder = tmp_path / "claims"
    (folder / "measured").mkdir(parents=True)
    (folder / "measured" / "figure-0.json").write_bytes(record().read_bytes())
    (folder / "experiment.py").write_text(CLAIMS)
    out = tmp_path / "out"
    words = ["run", "--claims", str(folder), "--out", str(out), "--store", str(tmp_path / "store"), "--jobs", "1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    ledger = read_ledger(out / FOLDER)
    assert {c.id: c.verdict for c in ledger.claims} == {
        "m:true": "supported",
        "m:false": "refuted",
        "m:mixed": "undecided",
    }
    for path in (out / FOLDER).rglob("*.json"):
        jsonschema.validate(json.loads(path.read_text()), schema())
    found = {c.id: c for c in ledger.claims}
    assert found["m:true"].reason.startswith("measured on shapes (12 records), figure-0 (left), 3 runs, seed 7: holds")
    assert [(m.name, m.killed) for m in found["m:true"].mutants] == [("the contrary", True)]
    assert found["m:false"].witness is not None
    for path in (*out.glob("pages/*.md"), out / "site/claim/m--true.html"):
        assert "measurement on stated data" in path.read_text(), path
    for path in [*out.glob("*.*"), *out.glob("ledger/*"), *out.glob("pages/*"), *out.glob("site/**/*.html")]:
        assert str(tmp_path) not in path.read_text(), path


CLAIMS = """
from pathlib import Path
from rgm_verify.claims import *
from rgm_verify.lenses import *

A, B = nonnegative("a"), nonnegative("b")
a, b = A.symbol, B.symbol
CHECK = Measured(
    Path(__file__).parent / "measured" / "figure-0.json",
    {a: Where("left", "first", "at the end"), b: Where("left", "second", "at the end")},
)


def claim(name, conclusion, **rest):
    return Claim(id=f"m:{name}", title=name, source="s", where="w", kind="remark", variables=(A, B),
                 conclusion=conclusion, checks=(CHECK,), **rest)


TRUE = claim("true", lt(a, b + 2), mutants=(Mutant("the contrary", lt(b + 2, a)),))
FALSE = claim("false", lt(b + 2, a), category="false", corrected="m:true")
MIXED = claim("mixed", lt(a, b))
"""


def test_a_folder_with_a_broken_record_says_which_file_of_claims_asks_for_it(tmp_path: Path) -> None:
    folder = tmp_path / "claims"
    folder.mkdir()
    (folder / "measured_claims.py").write_text(
        "from pathlib import Path\n"
        "from rgm_verify.lenses import Measured\n"
        "M = Measured(Path(__file__).parent / 'measured' / 'none.json')\n"
    )
    said = r"measured_claims\.py \(line 3\): measured: measured/none\.json: cannot be read"
    with pytest.raises(ClaimsFolderError, match=said):
        load(folder)


def test_a_witness_names_mpmath_only_where_its_intervals_give_a_sign() -> None:
    from rgm_verify.lenses.measured import _families

    x = sympy.Symbol("x", real=True)
    equal = sympy.sqrt(2) + sympy.sqrt(3) - sympy.sqrt(5 + 2 * sympy.sqrt(6))
    assert _families(x - 1, {x: Fraction(2)}) == ("arb", "mpmath")
    assert _families(equal, {}) == ("arb",)
    assert _families(sympy.gamma(x), {x: Fraction(2)}) == ("arb",)


@pytest.mark.parametrize(
    ("low", "high", "sign"),
    [(0, 0, "zero"), (0, 1, "nonnegative"), (1, 2, "positive"), (-1, 0, "nonpositive"), (-2, -1, "negative"),
     (-1, 1, "unknown")],
)  # fmt: skip
def test_the_sign_of_a_recorded_quantity_is_that_of_its_whole_interval(low: int, high: int, sign: str) -> None:
    from rgm_verify.lenses.measured import _signs

    x = sympy.Symbol("x", real=True)
    assert _signs({x: (Fraction(low), Fraction(high))})(x) == sign
