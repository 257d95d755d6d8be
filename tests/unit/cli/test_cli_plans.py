"""The commands about plans and single kinds of noise: what they say, as words and as JSON, and how they refuse."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
from fractions import Fraction

import jsonschema
import pytest
from click.testing import CliRunner

from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import KINDS, Gaussian, Laplace, release_of
from rgm_verify.accounting.subsampled.account import epsilon as sampled_epsilon
from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian
from rgm_verify.cli import main
from rgm_verify.cli.common import EXIT_INTERNAL, EXIT_NO_BOUND
from rgm_verify.numbers.bounds import Bounds

PLAN = """{"delta": "1e-6", "budget": 3, "releases": [
 {"mechanism": "gaussian", "noise_multiplier": 5, "count": 4, "name": "means"},
 {"mechanism": "laplace", "scale": 20}]}
"""
RELEASES = [Gaussian(Fraction(5), 4), Laplace(Fraction(20))]


def run(*words):
    return CliRunner().invoke(main, ["account", *map(str, words)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(PLAN)
    return path


def test_a_plan_has_its_total_its_lines_and_what_is_left(file):
    result = run(file, "--json")
    assert result.exit_code == 0, result.stderr
    answer, expected = json.loads(result.stdout), epsilon(plan(RELEASES), "1e-6")
    assert (answer["epsilon"]["lower"], answer["epsilon"]["upper"]) == (expected.lower, expected.upper)
    assert answer["epsilon"]["method"]
    assert [line["name"] for line in answer["lines"]] == ["means", "2: laplace"]
    assert all(line["alone"]["lower"] <= expected.upper for line in answer["lines"])
    assert answer["budget"]["within"] is True
    assert Fraction(answer["budget"]["left"]) <= 3 - Fraction(expected.upper)


def test_a_plan_in_words(file):
    text = run(file).stdout
    assert text.startswith("epsilon = [")
    assert "budget 3: at least" in text
    assert "means" in text
    assert "they do not add up" in text


def test_options_ask_for_something_else_than_the_file(file):
    answer = json.loads(run(file, "--epsilon", "1/2", "--total", "--json").stdout)
    expected = delta(plan(RELEASES), "1/2")
    assert (answer["delta"]["lower"], answer["delta"]["upper"]) == (expected.lower, expected.upper)
    assert "epsilon" not in answer
    assert "lines" not in answer
    assert "budget" not in answer


def test_the_schemas_describe_answer_and_file(file):
    jsonschema.validate(json.loads(run(file, "--json").stdout), json.loads(run("plan", "--json-schema").stdout))
    jsonschema.validate(json.loads(PLAN), json.loads(run("plan", "--plan-schema").stdout))


@pytest.mark.parametrize(
    ("kind", "options", "fields"),
    [
        ("gaussian", {"--noise-multiplier": "5"}, {"noise_multiplier": "5"}),
        ("laplace", {"--scale": "10"}, {"scale": "10"}),
        ("discrete-gaussian", {"--sigma": "3", "--sensitivity": "2"}, {"sigma": "3", "sensitivity": "2"}),
        ("discrete-laplace", {"--scale": "3"}, {"scale": "3"}),
        ("laplace-vector", {"--scale": "9", "--l1-sensitivity": "3"}, {"scale": "9", "l1_sensitivity": "3"}),
        ("discrete-gaussian-vector", {"--sigma": "9", "--l2-squared": "2"}, {"sigma": "9", "l2_squared": "2"}),
        ("pure-dp", {"--loss": "1/9"}, {"epsilon": "1/9"}),
        ("approximate-dp", {"--loss": "1/9", "--failing": "1e-9"}, {"epsilon": "1/9", "delta": "1e-9"}),
        ("zcdp", {"--rho": "1/100"}, {"rho": "1/100"}),
        ("noisy-max", {"--scale": "9", "--noise": "gumbel"}, {"scale": "9", "noise": "gumbel"}),
        ("renyi", {"--curve": "2: 1/10, 4: 1/4"}, {"curve": "2: 1/10, 4: 1/4"}),
        ("randomised-response", {"--truth": "3/4"}, {"truth": "3/4"}),
        ("randomised-response", {"--loss": "1/3", "--answers": "4"}, {"epsilon": "1/3", "answers": "4"}),
    ],
)
def test_every_kind_has_its_command(kind, options, fields):
    words = [word for pair in options.items() for word in pair]
    result = run(kind, *words, "--steps", "7", "--delta", "1e-5", "--json")
    assert result.exit_code == 0, result.stderr
    adjacency = "replace-one" if kind == "randomised-response" else "add-or-remove-one"
    expected = epsilon(plan([release_of(kind, {**fields, "count": 7})], adjacency=adjacency), "1e-5")
    found = json.loads(result.stdout)
    assert (found["epsilon"]["lower"], found["epsilon"]["upper"]) == (expected.lower, expected.upper)
    assert found["inputs"]["count"] == "7"
    assert "epsilon = [" in run(kind, *words, "--delta", "1e-5").stdout


def test_all_kinds_of_lines_have_a_command_and_those_whose_noise_is_searched_are_calibrated():
    """With its fields as options, and with a call that works."""
    assert set(main.commands["account"].commands) == {*KINDS, "plan"}
    searched = {kind for kind, one in KINDS.items() if one.searched[0] != "count"}
    assert set(main.commands["calibrate"].commands) == {*searched, "rgm", "rgm-steps"}
    for kind in set(KINDS) - {"rgm", "dp-sgd"}:
        shown = CliRunner().invoke(main, ["account", kind, "--help"]).stdout
        for name, field in KINDS[kind].fields.items():
            assert f"--{(field.option or name).replace('_', '-')} " in shown
        (call,) = (line.split() for line in shown.splitlines() if line.strip().startswith(f"rgm-verify account {kind}"))
        assert CliRunner().invoke(main, call[1:]).exit_code == 0, call


def test_groups_are_said(file):
    text = run("laplace", "--scale", "10", "--delta", "1e-5", "--group", "3").stdout
    assert "data that differ by 3 times what the sensitivity allows" in text
    replaced = run("laplace", "--scale", "10", "--delta", "1e-5", "--group", "3", "--adjacency", "replace-one").stdout
    assert "others in the place of up to 3 records" in replaced


def test_dp_sgd_takes_several_segments():
    words = ["--noise-multiplier", 1, "--noise-multiplier", 2, "--sampling-rate", "1/10", "--steps", 20, "--steps", 30]
    answer = json.loads(run("dp-sgd", "--sampler", "poisson", *words, "--delta", "1e-5", "--json").stdout)
    expected = sampled_epsilon(sampled_gaussian([("1/10", 1, 20), ("1/10", 2, 30)], sampler="poisson"), "1e-5")
    assert (answer["epsilon"]["lower"], answer["epsilon"]["upper"]) == (expected.lower, expected.upper)
    assert answer["inputs"]["segments[1].noise_multiplier"] == "2"


def test_a_time_limit_gives_the_interval_that_was_reached(file):
    answer = json.loads(run(file, "--width", "1e-9", "--time-limit", "1/100", "--json").stdout)
    assert answer["epsilon"]["lower"] <= answer["epsilon"]["upper"]
    assert any("was not reached" in note for note in answer["notes"])


BAD = [
    (("gaussian", "--noise-multiplier", "0", "--delta", "1e-6"), "noise_multiplier"),
    (("gaussian", "--noise-multiplier", "nan", "--delta", "1e-6"), "noise_multiplier"),
    (("gaussian", "--noise-multiplier", "1", "--delta", "1"), "delta"),
    (("gaussian", "--noise-multiplier", "1"), "--delta"),
    (("gaussian", "--noise-multiplier", "1", "--delta", "1e-6", "--steps", "0"), "count"),
    (("gaussian", "--noise-multiplier", "1", "--delta", "1e-6", "--width", "0"), "width"),
    (("gaussian", "--noise-multiplier", "1", "--delta", "1e-6", "--adjacency", "swap"), "adjacency"),
    (("laplace", "--scale", "-1", "--epsilon", "1"), "scale"),
    (("randomised-response", "--delta", "1e-6"), "epsilon or truth"),
    (("randomised-response", "--truth", "3/4", "--delta", "1e-6", "--adjacency", "add-one"), "adjacency"),
    (
        (
            "dp-sgd",
            "--sampler",
            "poisson",
            "--noise-multiplier",
            "1",
            "--sampling-rate",
            "2",
            "--steps",
            "1",
            "--delta",
            "1e-6",
        ),
        "sampling_rate",
    ),
    (
        (
            "dp-sgd",
            *("--noise-multiplier", "1") * 2,
            "--sampling-rate",
            "1/2",
            *("--steps", "1") * 3,
            "--delta",
            "1e-6",
        ),
        "noise-multiplier",
    ),
    (("none.json",), "cannot be read"),
    (("--eta", "1/1000", "--gamma", "0", "--d", "10", "--delta", "1e-6"), "gamma"),
    (("--eta", "1/1000", "--gamma", "1", "--d", "10", "--delta", "2"), "delta"),
]


@pytest.mark.parametrize(("words", "names"), BAD)
def test_bad_input_names_the_field_and_ends_with_2(words, names):
    result = run(*words)
    assert result.exit_code == 2
    assert names in result.stderr
    assert not result.stdout


def test_a_fault_in_a_file_has_its_line(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(PLAN.replace('"scale": 20', '"scale": 0'))
    result = run(path)
    assert result.exit_code == 2
    assert "plan.json:3: releases[1].scale" in result.stderr


HEAVY = ("numpy", "scipy", "flint", "sympy", "mpmath", "z3")


@pytest.mark.parametrize("words", [words for words, _ in BAD])
def test_bad_input_is_refused_before_anything_heavy_is_imported(words):
    code = (
        "import sys\nfrom rgm_verify.cli import main\n"
        f"try:\n    main(['account', *{words!r}])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_what_takes_long_says_so_on_standard_error_and_stops_when_it_is_done(monkeypatch):
    from rgm_verify.cli import common

    before = threading.active_count()
    monkeypatch.setattr(common, "_PATIENCE", 0.0)
    said = threading.Event()
    monkeypatch.setattr(
        common.click, "echo", lambda text, err: said.set() if err and "composing, for" in text else None
    )
    with common.patience("composing"):
        assert said.wait(60)
    assert threading.active_count() == before
    said.clear()
    monkeypatch.setattr(common, "_PATIENCE", 3600.0)
    with common.patience("composing"):
        pass
    assert not said.is_set()


@pytest.mark.parametrize(
    ("command", "word", "near"),
    [
        ("account", "dpsgd", "dp-sgd"),
        ("account", "exponential", None),
        ("account", "Discrete_Laplace", "discrete-laplace"),
        ("calibrate", "discrete-gaussian", None),
        ("calibrate", "gausian", "gaussian"),
        ("calibrate", "plan.json", None),
    ],
)
def test_an_unknown_mechanism_is_answered_by_those_that_there_are(command, word, near):
    result = CliRunner().invoke(main, [command, word, "--noise-multiplier", "1", "--delta", "1e-6"])
    assert result.exit_code == 2
    assert f"no such mechanism `{word}`" in result.stderr
    assert near is None or f"did you mean `{near}`?" in result.stderr
    assert "there are " in result.stderr
    assert all(name in result.stderr for name in main.commands[command].commands)


def test_noise_is_looked_for_one_release_where_no_number_is_given():
    one, said = (calibrate("gaussian", *more, "--tolerance", "1/10") for more in ((), ("--steps", "1")))
    assert one.exit_code == 0, one.stderr
    assert one.stdout == said.stdout


def test_the_sampler_of_dp_sgd_is_asked_for_and_said():
    words = ["--noise-multiplier", "2", "--sampling-rate", "1/10", "--steps", "5"]
    for command, asked in (("account", ["--delta", "1e-6"]), ("calibrate", ["--epsilon", "2", "--delta", "1e-6"])):
        known = words if command == "account" else words[2:]
        result = CliRunner().invoke(main, [command, "dp-sgd", *known, *asked])
        assert result.exit_code == 2
        assert all(word in result.stderr for word in ("sampler: missing", "poisson", "fixed-batch"))
    found = CliRunner().invoke(
        main, ["calibrate", "dp-sgd", "--sampler", "poisson", *words[:4], "--epsilon", "2", "--delta", "1e-6"]
    )
    assert "dp-sgd, poisson, add-or-remove-one" in found.stdout


def calibrate(*words):
    return CliRunner().invoke(main, ["calibrate", *map(str, words), "--epsilon", "2", "--delta", "1e-6"])


@pytest.mark.parametrize(
    ("words", "quantity"),
    [
        (("gaussian", "--steps", "10"), "noise_multiplier"),
        (("gaussian", "--noise-multiplier", "5"), "steps"),
        (("laplace", "--steps", "3"), "scale"),
        (("laplace", "--scale", "20"), "steps"),
        (("discrete-laplace", "--scale", "20", "--sensitivity", "2"), "steps"),
        (("laplace-vector", "--l1-sensitivity", "3", "--linf-sensitivity", "1", "--steps", "9"), "scale"),
        (("rgm-steps", "--eta", "1/1000", "--gamma", "1/10000", "--d", "10"), "steps"),
        (
            (
                "dp-sgd",
                "--sampler",
                "poisson",
                "--noise-multiplier",
                "2",
                "--sampling-rate",
                "1/10",
                "--tolerance",
                "1/20",
            ),
            "steps",
        ),
        (
            ("dp-sgd", "--sampler", "poisson", "--noise-multiplier", "2", "--steps", "10", "--tolerance", "1/20"),
            "sampling_rate",
        ),
    ],
)
def test_the_field_that_is_left_out_is_found(words, quantity):
    result = calibrate(*words, "--json")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["quantity"] == quantity
    assert answer["epsilon"]["upper"] <= 2
    more = Fraction(answer["fails"]) > Fraction(answer["value"])
    assert more is (quantity in ("steps", "sampling_rate"))
    if words[0] == "gaussian":
        jsonschema.validate(answer, json.loads(calibrate("gaussian", "--json-schema").stdout))
        assert "certified to miss the target" in calibrate(*words).stdout


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("dp-sgd", "--sampling-rate", "1/2"), "leave out one of --noise-multiplier, --sampling-rate, --steps"),
        (("gaussian", "--steps", "1", "--noise-multiplier", "1"), "0 were left out"),
        (("dp-sgd", "--steps", "1"), "2 were left out"),
        (("laplace", "--scale", "1/50"), "out of reach"),
        (("laplace", "--steps", "3", "--tolerance", "0"), "tolerance"),
    ],
)
def test_a_question_that_is_not_one_is_refused(words, names):
    result = calibrate(*words)
    assert result.exit_code == 2
    assert names in result.stderr


def test_the_floor_is_a_command():
    words = ["floor", "--eta", "1/100", "--d", "10"]
    answer = json.loads(CliRunner().invoke(main, [*words, "--epsilon", "1/20", "--json"]).stdout)
    assert answer["delta"]["lower"] <= 0.0043875864 <= answer["delta"]["upper"] * (1 + 1e-6)
    answer = json.loads(CliRunner().invoke(main, [*words, "--delta", "1e-8", "--json"]).stdout)
    assert answer["epsilon"]["lower"] <= answer["epsilon"]["upper"] <= 0.3916
    assert CliRunner().invoke(main, words).exit_code == 2
    assert "the best that any gamma can reach" in CliRunner().invoke(main, [*words, "--delta", "1e-8"]).stdout


def mixed(tmp_path):
    path = tmp_path / "plan.json"
    lines = [{"mechanism": "gaussian", "noise_multiplier": "1/2", "count": 40}, {"mechanism": "laplace", "scale": 9}]
    path.write_text(json.dumps({"delta": "1e-6", "releases": lines}))
    return path


def account_of(total, tmp_path, monkeypatch):
    """Run the command on a plan whose account is `total()`, and ask for a certificate."""
    from rgm_verify.accounting.plans import account
    from rgm_verify.accounting.plans.account import Spent

    monkeypatch.setattr(account, "spent", lambda *_, **__: Spent(total(), (), None, None))
    path, proof = mixed(tmp_path), tmp_path / "proof.json"
    result = CliRunner().invoke(main, ["account", str(path), "--total", "--certificate", str(proof)])
    assert not proof.exists()
    return result


def test_ends_in_disorder_are_a_defect_of_the_program_and_no_bad_input(tmp_path, monkeypatch):
    result = account_of(lambda: Bounds(5.7, 4.5, "below", "above"), tmp_path, monkeypatch)
    assert result.exit_code == EXIT_INTERNAL
    assert result.stdout == ""
    assert "internal error" in result.stderr
    assert "report" in result.stderr


def test_an_account_without_an_upper_bound_says_so_with_an_exit_code_of_its_own(tmp_path, monkeypatch):
    result = account_of(lambda: Bounds(0.5, math.inf, "below", "above"), tmp_path, monkeypatch)
    assert result.exit_code == EXIT_NO_BOUND
    assert "epsilon = " in result.stdout
    assert "no upper bound" in result.stderr


def test_an_account_is_never_above_the_sum_of_the_epsilons_of_its_lines(tmp_path):
    """Losses that differ so much need a grid that is too fine; each line alone has a closed form."""
    path = tmp_path / "plan.json"
    lines = [
        {"mechanism": "gaussian", "noise_multiplier": "231/500", "count": 50},
        {"mechanism": "discrete-laplace", "scale": "68/5", "count": 4},
    ]
    path.write_text(json.dumps({"delta": "7.4e-7", "releases": lines}))
    result = CliRunner().invoke(main, ["account", str(path), "--json"])
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    alone = [line["alone"] for line in answer["lines"]]
    # One float further: each end is rounded outward.
    assert answer["epsilon"]["upper"] <= math.nextafter(alone[0]["upper"] + alone[1]["upper"], math.inf)
    assert answer["epsilon"]["lower"] >= alone[0]["lower"]
