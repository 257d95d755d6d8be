"""Certificates of accounting numbers: what is refused, what fails, what the replay says, and what it may import."""

from __future__ import annotations

import ast
import copy
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rgm_verify.accounting.certificates import release_certificate, sampled_certificate
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled import account
from rgm_verify.accounting.subsampled.closed_forms import closed_delta, closed_epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson, sampled_gaussian
from rgm_verify.cli import main
from rgm_verify.recheck import replay as replay_module
from rgm_verify.recheck.certificate import MOST_BYTES, parse, read
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import replay

ROOM = Path(replay_module.__file__).parent


def closed() -> dict[str, Any]:
    release = Release("1/10", "1/10", 5)
    return release_certificate(release, one_release.epsilon(release, "1e-6"), delta=Fraction(1, 10**6), epsilon=None)


def grid(adjacency: str = "add-or-remove-one") -> dict[str, Any]:
    run = sampled_gaussian([("1/10", "5", "20")], sampler="poisson", adjacency=adjacency)
    found = account.epsilon(run, "1e-5", width="1/100")
    return sampled_certificate(run, found, delta=Fraction(1, 10**5), epsilon=None)


CLOSED, GRID = closed(), grid()


def changed(data: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The certificate with other values; `mechanism__eta` names a field inside."""
    found = copy.deepcopy(data)
    for name, value in fields.items():
        *parents, last = name.split("__")
        place = found
        for parent in parents:
            place = place[parent]
        place[last] = value
    return found


@pytest.mark.parametrize("data", [CLOSED, GRID], ids=["closed", "grid"])
def test_a_certificate_replays_and_is_small(data):
    result = replay(parse(data))
    assert result.accepted, result.reason
    assert len(json.dumps(data)) < 2000


@pytest.mark.parametrize("adjacency", ["add-one", "remove-one"])
def test_one_direction_alone_has_a_certificate(adjacency):
    assert replay(parse(grid(adjacency))).accepted


@pytest.mark.parametrize("data", [CLOSED, GRID], ids=["closed", "grid"])
def test_an_end_beyond_the_other_one_fails(data):
    assert not replay(parse(changed(data, upper=data["lower"]))).accepted
    assert not replay(parse(changed(data, lower=data["upper"]))).accepted


def test_what_fails_to_be_proved_is_called_rejected_in_words():
    lines = replay(parse(changed(CLOSED, upper=CLOSED["lower"]))).lines()
    assert lines[0].startswith("REJECTED: the upper end is not proved")
    assert not any("rests on" in line for line in lines)


def test_the_words_name_mechanism_sampler_neighbours_both_ends_and_premises():
    text = "\n".join(replay(parse(GRID)).lines())
    for word in ("poisson", "add-or-remove-one", "upper end", "lower end", "beyond:cell-split-above", "not checked"):
        assert word in text


def test_every_premise_is_a_claim_that_is_proved():
    verdicts = json.loads((ROOM.parents[1] / "derivations" / "expected.json").read_text())["verdicts"]
    named = {
        node.value
        for node in ast.walk(ast.parse((ROOM / "premises.py").read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("beyond:")
    }
    assert len(named) > 15
    assert {name: verdicts.get(name) for name in named} == dict.fromkeys(named, "proved")


def test_the_replay_imports_its_own_room_and_the_standard_library_only():
    allowed = {"__future__", "ast", "collections", "dataclasses", "decimal", "fractions", "functools", "itertools"}
    allowed |= {"hashlib", "html", "json", "math", "os", "pathlib", "re", "stat", "typing"}
    for file in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.startswith("rgm_verify.recheck") or name.split(".")[0] in allowed, (file.name, name)


BAD: list[tuple[dict[str, Any], str]] = [
    (changed(CLOSED, format="rgm-verify-number/2"), "this version reads"),
    (changed(CLOSED, quantity="gamma"), "quantity"),
    (changed(CLOSED, given="1"), "given"),
    (changed(CLOSED, given="0"), "given"),
    (changed(CLOSED, given="-1e-6"), "given"),
    (changed(CLOSED, given=1e-6), "as a text"),
    (changed(CLOSED, given="nan"), "as a text"),
    (changed(CLOSED, given="1/0"), "denominator"),
    (changed(CLOSED, given="1e-999"), "exponent"),
    (changed(CLOSED, lower="5"), "contradicts itself"),
    (changed(CLOSED, lower="-1"), "negative"),
    (changed(CLOSED, lower=None, upper=None), "nothing is stated"),
    (changed(CLOSED, upper="1" * 701), "as a text"),
    (changed(CLOSED, upper="10001"), "above 10000"),
    (changed(CLOSED, quantity="delta", given="1", lower="2", upper=None), "at most 1"),
    (changed(CLOSED, extra=1), "not known"),
    (changed(CLOSED, mechanism=[]), "mechanism"),
    (changed(CLOSED, mechanism__name="cauchy"), "mechanism"),
    (changed(CLOSED, mechanism__dimension=0), "dimension"),
    (changed(CLOSED, mechanism__dimension=True), "dimension"),
    (changed(CLOSED, mechanism__steps=0), "steps"),
    (changed(CLOSED, mechanism__eta="0"), "eta"),
    (changed(CLOSED, mechanism__gamma="-1"), "gamma"),
    (changed(CLOSED, check__bits=63), "bits"),
    (changed(CLOSED, check__bits=4001), "bits"),
    (changed(CLOSED, check__kind="magic"), "check"),
    (changed(GRID, mechanism__sampler="shuffle"), "no account is known"),
    (changed(GRID, mechanism__sampler="fixed-batch"), "no account is known"),
    (changed(GRID, mechanism__sampling_rate="2"), "sampling rate"),
    (changed(GRID, mechanism__noise_multiplier="0"), "noise multiplier"),
    (changed(GRID, check__step="0"), "step"),
    (changed(GRID, check__step="2"), "step"),
    (changed(GRID, check__runs=[]), "runs"),
    (changed(GRID, check__runs=[[0, 1]]), "runs[0]"),
    (changed(GRID, check__runs=[[5, 5, 1]]), "empty"),
    (changed(GRID, check__runs=[[0, 5, 0]]), "runs[0]"),
    (changed(GRID, check__runs=[[0, 9, 1], [5, 12, 1]]), "in order"),
    (changed(GRID, check__runs=[[0, 400_001, 1]]), "at most"),
    (changed(GRID, check__runs=[[0, 2, 1]]), "three places"),
    (changed(GRID, check__digits=0), "digits"),
    (changed(GRID, check__digits=1001), "digits"),
    (changed(GRID, check__cut=-1), "cut"),
    ({name: value for name, value in CLOSED.items() if name != "check"}, "no field 'check'"),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=[f"{message}-{k}" for k, (_, message) in enumerate(BAD)])
def test_a_damaged_certificate_is_refused_with_the_field(data, message):
    with pytest.raises(Refused) as refused:
        parse(data)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        ({"eta": "3"}, "opposite outputs"),
        ({"r_rel": "10", "sigma2": "1"}, "does not cover"),
        ({"r_rel": "1", "sigma2": "100", "dimension": 1}, "opposite outputs"),
    ],
)
def test_a_release_whose_worst_pair_is_on_a_curve_is_refused(mechanism, message):
    with pytest.raises(Refused, match=message):
        replay(parse(changed(CLOSED, **{f"mechanism__{name}": value for name, value in mechanism.items()})))


def test_a_closed_form_for_several_sampled_steps_is_refused():
    with pytest.raises(Refused, match="by a grid"):
        replay(parse(changed(GRID, check=CLOSED["check"])))


def test_a_grid_for_fixed_batches_or_releases_of_a_known_curve_has_0_as_a_place():
    start, stop, stride = 1, 50, 1
    fixed = changed(GRID, mechanism__sampler="fixed-batch", mechanism__adjacency="replace-one")
    for data in (fixed, changed(CLOSED, check=GRID["check"], mechanism__steps=2)):
        with pytest.raises(Refused, match="with 0 as a place"):
            replay(parse(changed(data, check__runs=[[start, stop, stride]])))


def test_a_grid_that_begins_above_the_least_loss_proves_no_less_than_it_should():
    start, stop, stride = GRID["check"]["runs"][0]
    cut_short = changed(GRID, check__runs=[[start + 40, stop, stride]])
    assert not replay(parse(cut_short)).accepted


def test_too_few_bits_or_digits_prove_nothing():
    assert not replay(parse(changed(CLOSED, check__bits=64, given="1e-60"))).accepted
    assert not replay(parse(changed(GRID, check__digits=4, check__cut=0))).accepted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "rgm-verify-number/1"',
        "[" * 100_000,
        '{"format": 1, "format": 1}',
        "\x00\xff",
    ],
    ids=["empty", "open", "list", "null", "cut", "deep", "twice", "bytes"],
)
def test_what_is_no_certificate_is_refused(text, tmp_path):
    file = tmp_path / "c.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(Refused):
        read(file)


def test_a_huge_file_and_a_folder_are_refused(tmp_path):
    file = tmp_path / "c.json"
    file.write_text(" " * (MOST_BYTES + 1))
    with pytest.raises(Refused, match="at most"):
        read(file)
    with pytest.raises(Refused, match="no file"):
        read(tmp_path)


# ------------------------------------------------------------------------------------------------------ command line


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, [str(a) for a in arguments])


ACCOUNTS = {
    name: line.split()
    for name, line in {
        "rgm": "account --eta 1/10 --gamma 1/10 --d 5 --delta 1e-6",
        "rgm delta": "account --eta 1/10 --gamma 1/10 --d 5 --epsilon 1",
        "one sample": "account dp-sgd --sampler poisson "
        "--noise-multiplier 2 --sampling-rate 1/10 --steps 1 --delta 1e-5",
        "no sampling": "account dp-sgd --sampler poisson --noise-multiplier 2 --sampling-rate 1 --steps 10 --epsilon 2",
        "epochs": "account dp-sgd --noise-multiplier 2 --sampling-rate 1 --steps 3 --sampler fixed-batch --delta 1e-3",
        "dp-sgd": "account dp-sgd --sampler poisson "
        "--noise-multiplier 5 --sampling-rate 1/10 --steps 20 --epsilon 1/5 --width 1/50",
        "calibrate": "calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 3",
        "calibrate dp-sgd": "calibrate dp-sgd --sampler poisson "
        "--epsilon 1 --delta 1e-3 --sampling-rate 1/10 --steps 10 "
        "--tolerance 1/50",
    }.items()
}


@pytest.mark.parametrize("arguments", ACCOUNTS.values(), ids=ACCOUNTS)
def test_the_command_writes_a_certificate_that_the_replay_accepts(arguments, tmp_path):
    file = tmp_path / "c.json"
    made = run(*arguments, "--certificate", file)
    assert made.exit_code == 0, made.output
    found = run("replay", file)
    assert found.exit_code == 0, found.output
    assert found.output.startswith("accepted")
    assert json.loads(run("replay", file, "--json").output)["accepted"]


def test_a_rejected_number_has_exit_code_1_and_a_refused_file_2(tmp_path):
    file = tmp_path / "c.json"
    file.write_text(json.dumps(changed(CLOSED, upper=CLOSED["lower"])))
    found = run("replay", file)
    assert found.exit_code == 1
    assert "REJECTED" in found.output
    file.write_text(json.dumps(changed(CLOSED, quantity="gamma")))
    found = run("replay", file)
    assert found.exit_code == 2
    assert "c.json: quantity" in found.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["account", "--eta", "3", "--gamma", "1", "--d", "2", "--epsilon", "1"], "opposite outputs"),
        (["account", "--eta", "3", "--gamma", "1", "--d", "2", "--epsilon", "1", "--steps", "2"], "opposite outputs"),
    ],
)
def test_where_there_is_no_certificate_the_command_says_why(arguments, message, tmp_path):
    file = tmp_path / "c.json"
    found = run(*arguments, "--certificate", file)
    assert found.exit_code == 2
    assert message in found.output
    assert not file.exists()


PLAN = {
    "adjacency": "replace-one", "delta": "1e-4", "releases": [
        {"mechanism": "gaussian", "noise_multiplier": 4, "count": 2},
        {"mechanism": "dp-sgd", "noise_multiplier": 4, "sampling_rate": "1/5", "sampler": "fixed-batch", "count": 3},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        [*ACCOUNTS["rgm"], "--steps", "3", "--method", "rdp"],
        "account dp-sgd --noise-multiplier 5 --sampling-rate 1/10 --steps 20 --sampler fixed-batch --delta 1e-3 "
        "--width 1/2".split(),
        ["account", "plan.json", "--total", "--width", "1/20"],
    ],
    ids=["rgm", "fixed-batch", "plan"],
)
def test_several_releases_have_a_certificate_of_nearly_the_answer(arguments, tmp_path):
    plan, file = tmp_path / "plan.json", tmp_path / "c.json"
    plan.write_text(json.dumps(PLAN))
    found = run(*(str(plan) if word == "plan.json" else word for word in arguments), "--json", "--certificate", file)
    assert found.exit_code == 0, found.output
    again = run("replay", file, "--json")
    assert again.exit_code == 0, again.output
    data = json.loads(file.read_text())
    answer = json.loads(found.stdout)
    end = answer.get("epsilon") if isinstance(answer.get("epsilon"), dict) else answer
    # An end that the grid does not prove is moved outward, by a tenth at most.
    assert 0.9 * end["lower"] <= Fraction(data["lower"]) <= end["lower"]
    assert end["upper"] <= Fraction(data["upper"]) <= 1.1 * end["upper"]


def test_a_plan_with_a_release_that_no_replay_knows_says_why(tmp_path):
    plan, file = tmp_path / "plan.json", tmp_path / "c.json"
    on_a_curve = {"mechanism": "rgm", "eta": "3", "gamma": "100", "d": 2}
    plan.write_text(json.dumps({"delta": "1e-2", "releases": [{"mechanism": "laplace", "scale": 3}, on_a_curve]}))
    found = run("account", plan, "--total", "--width", "1/10", "--certificate", file)
    assert found.exit_code == 2, found.output
    assert "opposite outputs" in found.output
    assert not file.exists()


def test_a_certificate_that_cannot_be_written_is_refused_first(tmp_path):
    found = run(*ACCOUNTS["rgm"], "--certificate", tmp_path / "no" / "c.json")
    assert found.exit_code == 2
    assert "--certificate" in found.output


# ------------------------------------------------------------------------------------------------------ what it found


@pytest.mark.parametrize(
    ("rate", "noise", "delta"), [("1/10", "2", "1e-5"), ("1/100", "1", "1e-6"), ("1/3", "3", "1e-9")]
)
def test_epsilon_in_closed_form_keeps_to_delta_itself_and_not_to_its_logarithm(rate, noise, delta):
    one = poisson(rate, noise, 1)
    found = closed_epsilon(one, Fraction(delta))
    assert found is not None
    above = closed_delta(one, Fraction(found.upper))
    below = closed_delta(one, Fraction(found.lower))
    assert above is not None
    assert below is not None
    assert Fraction(above.upper) <= Fraction(delta) < Fraction(below.lower)
    assert found.upper - found.lower <= 1e-12 * math.ceil(found.upper)
