"""`rgm-verify audit`: what it says of the mechanisms of the example, and how it ends on bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.cli import main

Audit = Callable[..., Result]
INPUTS = ("--x", "[11, 0]", "--y", "[10, 0]", "--delta", "1/20")
CLAIM = ("--claimed-epsilon", "2", "--samples", "20000")


@pytest.fixture
def run(root: Path) -> Audit:
    def call(mechanism: str, *words: Any) -> Result:
        target = f"{root / 'examples' / 'audit_me.py'}:{mechanism}" if ":" not in mechanism else mechanism
        result = CliRunner().invoke(main, ["audit", target, *map(str, words)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def test_the_claim_of_the_example_is_true() -> None:
    assert one_release.delta(Release("1/10", "1/100", 2), 2).upper < 1 / 20


def test_the_correct_mechanism_is_consistent(run: Audit) -> None:
    result = run("correct", *INPUTS, *CLAIM)
    assert (result.exit_code, result.stdout.split(":")[0]) == (0, "consistent")


@pytest.mark.parametrize("mechanism", ["norm_not_squared", "reused_seed"])
def test_broken_mechanisms_are_rejected(run: Audit, mechanism: str) -> None:
    result = run(mechanism, *INPUTS, *CLAIM, "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["outcome"]) == (1, "rejected")
    assert data["audit"]["epsilon_lower"] > 2
    assert data["false_alarm"] == 1e-9
    assert run(mechanism, *INPUTS, *CLAIM).stdout.startswith("rejected: epsilon=2 at delta=0.05 is false")


def test_without_a_claim_a_bound_is_printed(run: Audit) -> None:
    result = run("correct", *INPUTS, "--samples", 20000)
    data = json.loads(run("correct", *INPUTS, "--samples", 20000, "--json").stdout)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"epsilon >= {data['epsilon_lower']!r} at delta=0.05, false-alarm rate 1e-09\n")
    assert data["findings"][0]["event"] in result.stdout
    assert 1 < data["epsilon_lower"] < 2


def test_the_answer_is_a_function_of_the_seed(run: Audit) -> None:
    first, again, other = (run("correct", *INPUTS, "--samples", 2000, "--seed", seed).stdout for seed in (1, 1, 2))
    assert first == again != other


def test_too_few_samples_have_an_exit_code_of_their_own(run: Audit) -> None:
    bound = run("correct", *INPUTS, "--samples", 20)
    assert (bound.exit_code, bound.stdout.split(":")[0]) == (3, "inconclusive")
    assert json.loads(run("correct", *INPUTS, "--samples", 20, "--json").stdout)["outcome"] == "inconclusive"
    check = json.loads(run("correct", *INPUTS, "--samples", 20, "--claimed-epsilon", 2, "--json").stdout)
    assert (check["outcome"], check["audit"]) == ("inconclusive", None)
    assert run("correct", *INPUTS, "--samples", 200, "--claimed-epsilon", 9).exit_code == 3


def test_inputs_may_be_files(run: Audit, empty_folder: Path) -> None:
    np.save("x.npy", np.array([11.0, 0.0]))
    Path("y.json").write_text("[10, 0]")
    files = run("correct", "--x", "x.npy", "--y", "y.json", "--delta", "1/20", "--samples", 2000)
    assert files.exit_code == 0
    assert files.stdout == run("correct", *INPUTS, "--samples", 2000).stdout


def test_a_mechanism_may_stand_in_a_module_of_the_working_folder(run: Audit, empty_folder: Path) -> None:
    Path("mine_to_audit.py").write_text(
        "class A:\n    f = staticmethod(lambda v, g, size: v + g.normal(size=(size, 1)))\n"
    )
    result = run("mine_to_audit:A.f", "--x", "1", "--y", "0", "--delta", "1/20", "--samples", 2000)
    assert result.exit_code == 0, result.output


BROKEN = """\
def nan(v, g, size): return g.normal(size=(size, 1)) * float("nan")
def short(v, g, size): return g.normal(size=(size - 1, 1))
def fails(v, g, size): return {}["patient"]
number = 3
"""


@pytest.mark.parametrize(
    ("mechanism", "words", "message"),
    [
        ("broken.py:nan", (), "outputs at x: every output must be finite"),
        ("broken.py:short", (), "expected 25000 outputs"),
        ("broken.py:fails", (), "broken.py:fails raised KeyError: 'patient'"),
        ("broken.py:number", (), "mechanism=3: expected a callable"),
        ("broken.py:none", (), "has no 'none'"),
        ("broken.py:", (), "expected package.module:name or file.py:name"),
        ("missing.py:f", (), "there is no such file"),
        ("wrong.py:f", (), "raised SyntaxError"),
        ("no.such.module:f", (), "No module named 'no'"),
        ("broken.py:nan", ("--x", "[1, NaN]"), "--x: every entry must be a finite float64"),
        ("broken.py:nan", ("--x", "one"), "expected JSON numbers"),
        ("broken.py:nan", ("--x", '{"a": 1}'), "expected real numbers"),
        ("broken.py:nan", ("--x", "none.npy"), "expected JSON numbers"),
        ("broken.py:nan", ("--delta", "2"), "delta='2': must be < 1"),
        ("broken.py:nan", ("--delta", "nan"), "delta='nan'"),
        ("broken.py:nan", ("--false-alarm", "0"), "false_alarm=0.0"),
        ("broken.py:nan", ("--claimed-epsilon", "-1"), "epsilon='-1'"),
    ],
)
def test_bad_input_ends_with_one_message(
    run: Audit, empty_folder: Path, mechanism: str, words: tuple[str, ...], message: str
) -> None:
    Path("broken.py").write_text(BROKEN)
    Path("wrong.py").write_text("def f(:")
    result = run(mechanism, "--x", "1", "--y", "0", "--delta", "1/20", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("rgm-verify: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_help_shows_commands_as_they_are_typed(run: Audit) -> None:
    text = CliRunner().invoke(main, ["audit", "--help"]).stdout
    assert "\n  rgm-verify audit examples/audit_me.py:correct --x '[1.1, 0]' --y '[1, 0]' --delta 1/20\n" in text
    for word in (
        "--x",
        "--y",
        "--delta",
        "--claimed-epsilon",
        "--samples",
        "--seed",
        "--false-alarm",
        "--json",
        "3 too",
    ):
        assert word in text
