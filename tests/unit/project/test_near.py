"""The tests that a change is nearest to: there are some for every file of the library, and they are few."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tests" / "near.py"))


def test_every_file_of_the_library_has_tests_that_are_near_and_none_has_all(program: dict[str, Any]) -> None:
    tests = program["covering"]()
    modules = [path.relative_to(ROOT).as_posix() for path in (ROOT / "rgm_verify").rglob("*.py")]
    assert len(modules) > 300
    counts = {name: len(program["near"]([name], tests)) for name in modules}
    assert [name for name, count in counts.items() if not count] == []
    assert max(counts.values()) < len(tests) / 2


def test_a_test_is_near_to_itself_and_to_what_it_imports(program: dict[str, Any]) -> None:
    here = Path(__file__).resolve().relative_to(ROOT).as_posix()
    tests = program["covering"]()
    assert program["near"]([here], tests) == [here]
    assert "tests/property/kernel/test_rules.py" in program["near"](["rgm_verify/kernel/rules.py"], tests)
    assert sorted(program["near"](["README.md"], tests)) == sorted(program["DOCUMENTS"])
    assert program["near"](["LICENSE"], tests) == []


def test_those_that_import_the_file_and_little_else_come_first(program: dict[str, Any]) -> None:
    found = program["near"](["rgm_verify/accounting/subsampled/account.py"], program["covering"]())
    direct = ["rgm_verify.accounting.subsampled.account" in program["imports"](ROOT / name) for name in found]
    assert sum(direct) >= 1
    assert sorted(direct, reverse=True) == direct


def test_a_run_that_is_to_tell_soon_begins_nothing_late_and_says_so() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/project/test_twofold.py"]
    late, soon = (
        subprocess.run([*command, "--within", within], capture_output=True, text=True, cwd=ROOT, check=True).stdout
        for within in ("0", "1000")
    )
    assert "not begun within 0 s" in late
    assert " passed" not in late
    assert "not begun" not in soon
    assert " passed" in soon
