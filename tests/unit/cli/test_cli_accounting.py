"""The commands account and calibrate: what they say in words, as JSON and as pictures, and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.accounting import calibration
from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.target import Target
from rgm_verify.cli import main
from rgm_verify.cli.accounts.questions import calibration_notes
from rgm_verify.numbers.decimals import decimal, exact_text, interval

Run = Callable[..., Result]
ACCOUNT = {"--eta": "1/1000", "--gamma": "1/10000", "--d": "10", "--delta": "1e-8"}
CALIBRATE = {"--epsilon": "1", "--delta": "1e-8", "--eta": "1/1000", "--d": "10"}
RELEASE = Release("1/1000", "1/10000", 10)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return invoke


def invoke(command: str, *flags: str, without: str = "", **changes: str | None) -> Result:
    """Run a command with its usual options; `eta="1/2"` changes --eta, None and `without` leave an option away."""
    options: dict[str, str | None] = dict(ACCOUNT if command == "account" else CALIBRATE)
    options.update({f"--{name.replace('_', '-')}": value for name, value in changes.items()})
    words = [word for name, value in options.items() if value is not None and name != without for word in (name, value)]
    return CliRunner().invoke(main, [command, *words, *flags])


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def ends(text: str) -> tuple[Fraction, Fraction]:
    low, high = text.strip().strip("[]").split(", ")
    return Fraction(low), Fraction(high)


# ---------------------------------------------------------------------------------------------------------- account


def test_epsilon_is_shown_as_an_interval_rounded_outward(run: Run) -> None:
    truth = one_release.epsilon(RELEASE, "1e-8")
    first = run("account").stdout.splitlines()[0]
    assert first.startswith("epsilon = ")
    low, high = ends(first.removeprefix("epsilon = "))
    assert low <= Fraction(truth.lower) <= Fraction(truth.upper) <= high
    assert high - low <= high / 10**7


def test_the_data_are_the_bounds_to_the_last_bit(run: Run) -> None:
    truth = one_release.epsilon(RELEASE, "1e-8")
    found = data(run("account", "--json"))
    assert (found["quantity"], found["lower"], found["upper"]) == ("epsilon", truth.lower, truth.upper)
    assert {name: Fraction(value) for name, value in found["inputs"].items()} == {
        "eta": Fraction(1, 1000), "gamma": Fraction(1, 10**4), "dimension": 10, "r_rel": 0, "sigma2": 0, "steps": 1,
        "delta": Fraction(1, 10**8),
    }  # fmt: skip


def test_epsilon_gives_delta_and_back(run: Run) -> None:
    epsilon = data(run("account", "--json"))["upper"]
    found = data(run("account", "--json", delta=None, epsilon=str(Fraction(epsilon))))
    assert found["quantity"] == "delta"
    assert found["lower"] <= 1e-8 <= found["upper"] * (1 + 1e-8)
    assert found["upper"] <= 1e-8


def test_several_releases_are_an_interval_by_the_methods_asked_for(run: Run) -> None:
    found = data(run("account", "--json", "--method", "rdp", steps="7"))
    truth = composed_epsilon(RELEASE, "1e-8", steps=7, methods=("rdp",))
    assert (found["lower"], found["upper"]) == (truth.lower, truth.upper)
    assert "Renyi" in found["upper_method"]


def test_printed_bounds_stand_beside_the_truth_and_refuted_ones_say_so(run: Run) -> None:
    found = data(run("account", "--json"))
    by_name = {(bound["name"], bound["version"]): bound for bound in found["printed"]}
    assert by_name["Corollary 1", "v2"]["value"] > found["upper"]
    refuted = [bound for bound in found["printed"] if bound["refuted"]]
    assert refuted
    assert all(bound["corrected"] for bound in refuted)
    text = run("account").stdout
    assert all(f"refuted, see {bound['corrected']}" in text for bound in refuted)


def test_a_bound_that_does_not_apply_has_no_value_and_a_reason(run: Run) -> None:
    found = data(run("account", "--json", r_rel="1", sigma2="1/2", delta="1e-6"))
    off = [bound for bound in found["printed"] if bound["value"] is None]
    assert off
    assert all(bound["reason"] for bound in off)
    assert any("sigma2 is below" in note for note in found["notes"])
    assert "does not apply" in run("account", r_rel="1", sigma2="1/2", delta="1e-6").stdout


@pytest.mark.parametrize("changes", [{}, {"r_rel": "1/3", "sigma2": "1"}, {"delta": None, "epsilon": "1/3"}])
def test_the_data_of_account_fit_the_published_schema(run: Run, changes: dict[str, str | None]) -> None:
    schema = data(CliRunner().invoke(main, ["account", "--json-schema"]))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data(run("account", "--json", **changes)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"lower": 1}, schema)


# --------------------------------------------------------------------------------------------------------- calibrate


def test_the_noise_found_accounts_for_the_target(run: Run) -> None:
    found = data(run("calibrate", "--json"))
    again = data(run("account", "--json", gamma=found["gamma"], delta=None, epsilon="1"))
    assert again["upper"] <= 1e-8
    less = str(Fraction(found["gamma"]) * Fraction(99999, 100000))
    assert data(run("account", "--json", gamma=less, delta=None, epsilon="1"))["lower"] > 1e-8


def test_the_text_holds_the_same_noise_as_the_data(run: Run) -> None:
    found = data(run("calibrate", "--json"))
    assert run("calibrate").stdout.splitlines()[0] == f"gamma  = {found['gamma']}"


def test_with_an_absolute_part_the_trade_off_is_listed(run: Run) -> None:
    found = data(run("calibrate", "--json", r_rel="1/3"))
    assert Fraction(found["sigma2"]) == Fraction(found["gamma"]) * 10**6 / 9
    assert found["trade_off"]
    assert all(Fraction(p["sigma2"]) < Fraction(p["covering_sigma2"]) for p in found["trade_off"])
    assert all(p["delta"]["upper"] <= 1e-8 for p in found["trade_off"])
    schema = data(CliRunner().invoke(main, ["calibrate", "--json-schema"]))
    jsonschema.validate(found, schema)
    text = run("calibrate", r_rel="1/3").stdout
    assert all(p["gamma"] in text for p in found["trade_off"])
    shown = next(line for line in text.splitlines() if line.startswith("sigma2"))
    assert Fraction(shown.split("=")[1].strip()) >= Fraction(found["sigma2"])


def test_an_unreachable_target_is_bad_input_that_names_the_floor(run: Run) -> None:
    result = run("calibrate", eta="1/2", delta="1e-9")
    assert (result.exit_code, result.stdout) == (2, "")
    floor = calibration.floor(1, eta="1/2", dimension=10)
    assert f"delta above {decimal(floor.upper, up=True)}" in result.stderr


@pytest.mark.parametrize(
    ("flags", "changes", "words"),
    [
        ((), {"steps": "3"}, ["rdp and iteration;", "one pair of outputs, repeated"]),
        (("--method", "rdp"), {"steps": "3"}, ["by rdp; --method iteration is tighter"]),
        ((), {"steps": "20000", "epsilon": "60"}, ["by rdp; --method iteration is tighter"]),
        ((), {"r_rel": "1/3"}, ["a larger gamma at the same sigma2 can cost more privacy"]),
        ((), {}, []),
    ],
)
def test_a_calibration_says_which_bounds_were_tried_and_what_goes_with_gamma(run: Run, flags, changes, words) -> None:
    found = data(run("calibrate", "--json", *flags, **changes))
    assert len(found["notes"]) == bool(words)
    text = run("calibrate", *flags, **changes).stdout
    assert all(word in found["notes"][0] for word in words)
    assert all(f"note: {note}" in text for note in found["notes"])


def test_a_calibration_over_a_thousand_steps_says_that_its_grid_is_coarse() -> None:
    target = Target.of(1, "1e-8", eta="1/1000", dimension=10, steps=1001)
    assert "coarse grid" in calibration_notes(target, ())[0]
    assert "coarse grid" not in calibration_notes(target, ("iteration",))[0]
    assert "coarse grid" not in calibration_notes(replace(target, steps=1000), ())[0]


@pytest.mark.parametrize(("sigma2", "count"), [("25", 1), ("1", 2)])
def test_an_absolute_part_is_told_that_gamma_alone_can_make_it_worse(run: Run, sigma2: str, count: int) -> None:
    changes = {"eta": "1/10", "gamma": "1/4", "r_rel": "1", "delta": "1e-3"}
    notes = data(run("account", "--json", sigma2=sigma2, **changes))["notes"]
    assert len(notes) == count
    assert "raise both together" in notes[-1]
    assert data(run("account", "--json"))["notes"] == []


# --------------------------------------------------------------------------------------------------------- bad input

BAD = [
    ("account", {"delta": "0"}, "delta='0'"),
    ("account", {"delta": "1"}, "delta='1'"),
    ("account", {"delta": "nan"}, "delta='nan'"),
    ("account", {"delta": None, "epsilon": "-1"}, "epsilon='-1'"),
    ("account", {"delta": None, "epsilon": "inf"}, "epsilon='inf'"),
    ("account", {"delta": None, "epsilon": "1e400"}, "epsilon="),
    ("account", {"delta": None}, "none was given"),
    ("account", {"epsilon": "1"}, "both were given"),
    ("account", {"eta": "0"}, "eta='0'"),
    ("account", {"eta": "-1"}, "eta='-1'"),
    ("account", {"eta": "1e400"}, "eta="),
    ("account", {"gamma": "0"}, "gamma='0'"),
    ("account", {"gamma": "1e-400"}, "gamma="),
    ("account", {"gamma": "1e999999999"}, "gamma="),
    ("account", {"d": "0"}, "dimension='0'"),
    ("account", {"d": "1.5"}, "dimension='1.5'"),
    ("account", {"d": "ten"}, "dimension='ten'"),
    ("account", {"r_rel": "1"}, "sigma2=0"),
    ("account", {"steps": "0"}, "steps='0'"),
    ("account", {"steps": "1e301"}, "steps="),
    ("account", {"plot": "curve.png"}, "--plot='curve.png'"),
    ("account", {"plot": "nowhere/curve.svg"}, "--plot='nowhere/curve.svg'"),
    ("calibrate", {"epsilon": "-1"}, "epsilon='-1'"),
    ("calibrate", {"delta": "2"}, "delta='2'"),
    ("calibrate", {"eta": "0"}, "eta='0'"),
    ("calibrate", {"d": "-3"}, "dimension='-3'"),
    ("calibrate", {"r_rel": "-1"}, "r_rel='-1'"),
    ("calibrate", {"plot": "curve.pdf"}, "--plot='curve.pdf'"),
]


@pytest.mark.parametrize(("command", "changes", "named"), BAD)
def test_bad_input_is_one_line_that_names_it_and_exit_code_two(
    run: Run, tmp_path: Path, command: str, changes: dict[str, str | None], named: str
) -> None:
    result = run(command, "--json", **changes)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("rgm-verify: ")
    assert named in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["account", "calibrate"])
def test_a_missing_number_is_exit_code_two(run: Run, command: str) -> None:
    result = run(command, without="--eta")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--eta" in result.stderr


@pytest.mark.parametrize("command", ["account", "calibrate"])
def test_ctrl_c_ends_it_with_130_and_nothing_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    from rgm_verify.cli.accounts import questions

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(questions, "composed_epsilon", interrupted)
    monkeypatch.setattr(questions, "calibrate", interrupted)
    result = run(command, plot="curve.svg")
    assert (result.exit_code, result.stdout) == (130, "")
    assert "nothing was written" in result.stderr
    assert list(tmp_path.iterdir()) == []


# ----------------------------------------------------------------------------------------------------------- pictures


def labels(path: Path) -> str:
    return "\n".join(e.text or "" for e in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text"))


@pytest.mark.parametrize(
    ("command", "changes", "words"),
    [
        ("account", {}, ["ε against δ", "exact, certified", "printed: Corollary 1 v2"]),
        ("account", {"delta": None, "epsilon": "1/2"}, ["δ against ε", "exact, certified"]),
        ("account", {"steps": "20", "method": "rdp"}, ["ε after T releases", "certified interval, upper end by rdp"]),
        ("account", {"steps": "3", "method": "rdp", "over": "curve"}, ["ε against δ", "steps = 3"]),
        ("calibrate", {}, ["The least γ against ε"]),
        ("calibrate", {"r_rel": "1/3"}, ["Choices of (γ, σ²)", "σ² = γ R² / η²"]),
    ],
)
def test_a_picture_shows_the_curves_around_what_was_asked(
    run: Run, tmp_path: Path, command: str, changes: dict[str, str | None], words: list[str]
) -> None:
    result = run(command, "--json", plot="curve.svg", **changes)
    assert data(result)
    assert "picture: curve.svg" in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["curve.svg"]
    assert all(word in labels(tmp_path / "curve.svg") for word in words)


def test_the_same_question_draws_the_same_picture(run: Run, tmp_path: Path) -> None:
    run("account", plot="one.svg")
    run("account", plot="two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_picture_that_was_there_is_kept_when_something_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "curve.svg").write_text("before")
    assert run("calibrate", eta="1/2", delta="1e-9", plot="curve.svg").exit_code == 2
    assert (tmp_path / "curve.svg").read_text() == "before"


# ----------------------------------------------------------------------------------------------------------- decimals


@given(st.fractions(), st.integers(1, 20), st.booleans())
def test_a_decimal_is_on_the_side_that_it_says_and_within_its_digits(value: Fraction, digits: int, up: bool) -> None:
    shown = Fraction(decimal(value, up=up, digits=digits))
    assert shown >= value if up else shown <= value
    assert abs(shown - value) <= abs(value) * Fraction(10) ** (1 - digits)


@given(st.fractions())
def test_an_exact_text_is_exact(value: Fraction) -> None:
    assert Fraction(exact_text(value)) == value


def test_an_interval_of_one_decimal_is_one_number() -> None:
    assert interval(Fraction(1, 2), Fraction(1, 2)) == "0.5"
    assert interval(0.1, float("inf")) == "[0.1, infinity]"
