"""The commands about DP-SGD: what they say, as words and as JSON, and how they refuse."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from statistics import NormalDist
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner

from rgm_verify.accounting.subsampled.account import delta, epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson
from rgm_verify.cli import main
from rgm_verify.cli.accounts.sampled import SampledQuestion, Training

ACCOUNT = {
    "--sampler": "poisson",
    "--noise-multiplier": "1",
    "--sampling-rate": "1/10",
    "--steps": "50",
    "--delta": "1e-5",
}
CALIBRATE = {
    "--sampler": "poisson",
    "--epsilon": "1",
    "--delta": "1e-5",
    "--sampling-rate": "1/10",
    "--steps": "20",
    "--tolerance": "1/100",
}


def run(command, *flags, without="", **changes):
    options = {k: v for k, v in (ACCOUNT if command == "account" else CALIBRATE).items() if k != without}
    options |= {"--" + name.replace("_", "-"): value for name, value in changes.items()}
    words = [word for pair in options.items() for word in pair]
    return CliRunner().invoke(main, [command, "dp-sgd", *words, *flags])


def test_epsilon_is_an_object_with_ends_and_method():
    result = run("account", "--json")
    assert result.exit_code == 0, result.stderr
    answer, expected = json.loads(result.stdout), epsilon(poisson("1/10", 1, 50), "1e-5")
    assert (answer["epsilon"]["lower"], answer["epsilon"]["upper"]) == (expected.lower, expected.upper)
    assert answer["epsilon"]["method"]
    assert "delta" not in answer
    assert answer["inputs"]["sampling_rate"] == "0.1"


def test_delta_is_asked_for_by_epsilon():
    answer = json.loads(run("account", "--json", without="--delta", epsilon="2").stdout)
    expected = delta(poisson("1/10", 1, 50), 2)
    assert (answer["delta"]["lower"], answer["delta"]["upper"]) == (expected.lower, expected.upper)
    assert "epsilon" not in answer


@pytest.mark.parametrize("command", ["account", "calibrate"])
def test_the_schema_describes_the_answer(command):
    schema = json.loads(CliRunner().invoke(main, [command, "dp-sgd", "--json-schema"]).stdout)
    jsonschema.validate(json.loads(run(command, "--json").stdout), schema)


def test_the_schema_of_a_calibration_describes_every_question():
    result = CliRunner().invoke(main, ["calibrate", "dp-sgd", "--json-schema"])
    schema = json.loads(result.stdout)
    usual = [
        "calibrate",
        "dp-sgd",
        "--sampler",
        "poisson",
        "--epsilon",
        "2",
        "--delta",
        "1e-5",
        "--tolerance",
        "1/10",
        "--json",
    ]
    for known in (
        ["--sampling-rate", "1/10", "--steps", "5"],
        ["--sampling-rate", "1/10", "--noise-multiplier", "2"],
        ["--noise-multiplier", "2", "--steps", "5"],
    ):
        answer = json.loads(CliRunner().invoke(main, [*usual, *known]).stdout)
        jsonschema.validate(answer, schema)
        # A field that is missing is noticed, so that the schema says something.
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({name: value for name, value in answer.items() if name != "inputs"}, schema)


AXES = {"steps": ("releases", "ε"), "curve": ("δ", "ε"), "trade-off": ("rate of false alarms", "rate of misses")}


@pytest.mark.parametrize("over", AXES)
def test_a_picture_has_names_at_its_axes(over, tmp_path):
    file = tmp_path / "curve.svg"
    result = run("account", plot=str(file), over=over)
    assert result.exit_code == 0, result.output
    texts = [element.text for element in ElementTree.parse(file).iter() if element.text]
    assert all(name in texts for name in AXES[over])
    assert any("certified interval" in text for text in texts)


def test_a_picture_that_cannot_be_written_is_refused_before_work(tmp_path):
    for plot in ("curve.png", str(tmp_path / "nowhere" / "curve.svg")):
        result = run("account", plot=plot)
        assert result.exit_code == 2
        assert "--plot=" in result.output


def test_words_say_the_interval_the_sampler_and_the_neighbours():
    text = run("account").stdout
    assert text.startswith("epsilon = [")
    assert "with one record more or less" in text
    assert "add-or-remove-one" in text
    assert "(poisson)" in text


@pytest.mark.parametrize("asked", [{}, {"delta": "1e-50"}, {"epsilon": "1/100"}, {"epsilon": "30"}])
def test_the_promise_in_words_is_not_below_the_answer(asked):
    """The numbers of the sentence are a pair (epsilon, delta) that the answer proves."""
    without = "--delta" if "epsilon" in asked else ""
    answer = json.loads(run("account", "--json", without=without, **asked).stdout)
    text = run("account", without=without, **asked).stdout
    factor, rest = re.search(r"at most (\S+) times as likely as .*, plus (\S+)", text).groups()
    told = Fraction(factor[2:]) if factor.startswith("e^") else math.log(Fraction(factor))
    lost = Fraction(rest)
    if "epsilon" in asked:
        assert told >= Fraction(asked["epsilon"]) - Fraction(1, 10**12)
        assert answer["delta"]["upper"] <= lost <= answer["delta"]["upper"] * 1.002
    else:
        assert answer["epsilon"]["upper"] - 1e-12 <= told <= answer["epsilon"]["upper"] * 1.001 + 2e-3
        assert lost == Fraction(asked.get("delta", "1e-5"))


@pytest.mark.parametrize(("adjacency", "neighbour"), [("add-one", "more"), ("remove-one", "less")])
def test_the_promise_of_one_direction_names_the_data_that_are_less_likely(adjacency, neighbour):
    """One step with noise 1 at rate 1/10: without the record outputs are normal, with it a tenth of them is shifted."""
    text = run("account", steps="1", adjacency=adjacency).stdout
    factor, other, rest = re.search(
        r"at most (\S+) times as likely as with one record (\w+), plus (\S+)", text
    ).groups()
    assert other == neighbour
    normal = NormalDist().cdf
    laws = [lambda t: normal(-t), lambda t: 0.9 * normal(-t) + 0.1 * normal(1 - t)]
    ours, theirs = laws if other == "more" else laws[::-1]

    def allowed(p, q):
        return p <= float(factor) * q + float(rest)

    tails = [(ours(t / 4), theirs(t / 4)) for t in range(-24, 25)]
    assert all(allowed(p, q) and allowed(1 - p, 1 - q) for p, q in tails)
    # With the smaller factor of an addition the other order would be false.
    assert all(allowed(q, p) for p, q in tails) == (adjacency == "remove-one")


def test_how_the_ends_were_computed_is_said_when_it_is_asked_for():
    assert "PLD" not in run("account").stdout
    assert "PLD" in run("account", "--explain").stdout
    assert "PLD" in run("account", "--json").stdout


TRAINING = {"dataset_size": "1000", "batch_size": "300", "epochs": "3/2"}


@pytest.mark.parametrize("command", ["account", "calibrate"])
def test_a_data_set_batches_and_epochs_are_a_rate_and_steps(command):
    """A batch is 3/10 of the data set, and an epoch has four of them."""
    options = ACCOUNT if command == "account" else CALIBRATE
    said = {k: v for k, v in options.items() if k not in ("--sampling-rate", "--steps")}
    training = {"--" + k.replace("_", "-"): v for k, v in TRAINING.items()}
    found = [
        CliRunner().invoke(main, [command, "dp-sgd", "--json", *(w for pair in given.items() for w in pair)])
        for given in (said | training, options | {"--sampling-rate": "3/10", "--steps": "6"})
    ]
    one, other = (json.loads(result.stdout) for result in found)
    assert bool(one.pop("notes", [])) == (command == "account")
    assert not other.pop("notes", [])
    assert one == other


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"--dataset-size": "1000"}, "--batch-size: missing"),
        ({"--batch-size": "10"}, "--dataset-size: missing"),
        ({"--dataset-size": "10", "--batch-size": "2", "--epochs": "-1"}, "epochs='-1': must be > 0"),
        ({"--epochs": "1"}, "--epochs: needs --dataset-size and --batch-size"),
        ({"--dataset-size": "10", "--batch-size": "20", "--epochs": "1"}, "batch_size=20: must be at most"),
        ({"--dataset-size": "10", "--batch-size": "2", "--epochs": "1", "--steps": "5"}, "either --epochs or --steps"),
        ({"--dataset-size": "10", "--batch-size": "2", "--sampling-rate": "1/5"}, "either --sampling-rate or"),
        ({"--dataset-size": "10", "--batch-size": "2"}, "--steps: missing; or give --epochs"),
        ({"--steps": "2"}, "--sampling-rate: missing; or give --dataset-size"),
    ],
)
def test_half_a_training_run_is_refused(given, message):
    said = {"--sampler": "poisson", "--noise-multiplier": "1", "--delta": "1e-5", **given}
    result = CliRunner().invoke(main, ["account", "dp-sgd", *(word for pair in said.items() for word in pair)])
    assert result.exit_code == 2
    assert message in result.stderr


def test_noise_that_is_missing_points_to_the_search_for_it():
    result = run("account", without="--noise-multiplier", target_epsilon="2")
    assert result.exit_code == 2
    assert "calibrate dp-sgd" in result.stderr


def test_the_names_of_other_accountants_are_taken_too():
    usual = run("account", "--json").stdout
    renamed = {"--sample-rate": "1/10", "--target-delta": "1e-5", "--sampler": "poisson", "--noise-multiplier": "1"}
    words = [word for pair in {**renamed, "--steps": "50"}.items() for word in pair]
    assert CliRunner().invoke(main, ["account", "dp-sgd", "--json", *words]).stdout == usual


def test_fixed_batches_say_that_their_ends_are_of_two_quantities():
    text = run("account", sampler="fixed-batch", width="1/2").stdout
    assert "(fixed-batch)" in text
    assert "note: the lower end" in text


def test_batches_of_all_records_have_one_curve_and_say_nothing_of_two():
    text = run("account", "--explain", sampler="fixed-batch", sampling_rate="1").stdout
    assert "with another record in the place of one" in text
    assert "closed form" in text
    assert "note:" not in text


def test_a_width_that_is_not_reached_is_said():
    assert "was not reached" in run("account", width="1e-9", time_limit="1/1000").stdout


def test_calibrated_noise_reaches_the_target():
    answer = json.loads(run("calibrate", "--json").stdout)
    assert answer["delta"]["upper"] <= 1e-5
    assert delta(poisson("1/10", answer["noise_multiplier"], 20), 1).upper <= 1e-5
    assert "noise multiplier = " in run("calibrate").stdout


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sampling_rate": "0"}, "sampling_rate"),
        ({"sampling_rate": "2"}, "sampling_rate"),
        ({"noise_multiplier": "-1"}, "noise_multiplier"),
        ({"steps": "0"}, "steps"),
        ({"delta": "1"}, "delta"),
        ({"epsilon": "1"}, "both were"),
        ({"width": "0"}, "width"),
        ({"time_limit": "-1"}, "time_limit"),
        ({"sampler": "shuffle"}, "fixed-batch"),
        ({"sampler": "fixed-batch", "adjacency": "add-one"}, "replace-one"),
    ],
)
def test_bad_input_is_one_line_and_code_2(changes, message):
    result = run("account", **changes)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not result.stdout


def test_options_without_a_name_are_about_the_relative_gaussian_mechanism():
    words = ["account", "--eta", "1/1000", "--gamma", "1/10000", "--d", "10", "--delta", "1e-8", "--json"]
    plain = CliRunner().invoke(main, words)
    named = CliRunner().invoke(main, ["account", "rgm", *words[1:]])
    assert plain.exit_code == 0
    assert plain.stdout == named.stdout


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("name", ["account", "calibrate"])
def test_help_without_a_mechanism_names_them_all(name, flag):
    shown = CliRunner().invoke(main, [name, flag]).stdout
    assert all(f"\n  {kind} " in shown for kind in main.commands[name].commands)
    assert {"rgm", "dp-sgd", "gaussian", "laplace"} <= set(main.commands[name].commands)


def test_help_names_the_other_mechanism():
    assert "account dp-sgd --help" in " ".join(CliRunner().invoke(main, ["account", "rgm", "--help"]).stdout.split())
    assert "shuffles" in " ".join(CliRunner().invoke(main, ["account", "dp-sgd", "--help"]).stdout.split())


def test_progress_is_told_after_two_seconds(monkeypatch):
    from rgm_verify.accounting.subsampled import account
    from rgm_verify.numbers.bounds import Bounds

    def slow(run, delta, *, width, time_limit, progress):
        progress(Bounds(1.0, 9.0, "", ""), 1.0)
        progress(Bounds(2.0, 3.0, "", ""), 3.0)
        return Bounds(2.0, 2.0, "", "")

    monkeypatch.setattr(account, "epsilon", slow)
    given = dict.fromkeys(("adjacency", "epsilon", "time_limit"))
    question = SampledQuestion.of(
        training=Training(["1/2"], ["3"], None, None, None),
        noise_multiplier=["1"],
        sampler="poisson",
        delta="1e-5",
        width="1/10",
        **given,
    )
    said = []
    question.answer(said.append)
    assert len(said) == 1
    assert said[0].startswith("after 3 s: epsilon = [2")


def test_options_are_read_with_underscores_as_other_libraries_write_them() -> None:
    words = [word for pair in ACCOUNT.items() for word in pair]
    spelled = [f"--{word[2:].replace('-', '_')}" if word in ACCOUNT else word for word in words]
    told, other = (CliRunner().invoke(main, ["account", "dp-sgd", *given]) for given in (words, spelled))
    assert "--noise_multiplier" in spelled
    assert (other.exit_code, other.output) == (0, told.output)
