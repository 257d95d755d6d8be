"""The tests that a change is nearest to: there are some for every file of the library, and they are few."""

from __future__ import annotations

import runpy
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
    assert program["near"](["README.md"], tests) == ["tests/unit/project/test_documentation.py"]
    assert program["near"](["LICENSE"], tests) == []
