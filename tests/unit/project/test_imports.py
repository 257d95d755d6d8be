"""The cost of an import, and who may import whom."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "scipy", "sympy", "mpmath", "flint", "z3", "matplotlib", "rich", "jinja2", "distributed")


def loaded_by(statement: str, folder: Path) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after `statement`."""
    program = f"import sys\n{statement}\nprint('\\n'.join(sorted(m for m in sys.modules if '.' not in m)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=folder)
    return set(run.stdout.split())


def test_the_probe_sees_what_is_loaded(empty_folder: Path) -> None:
    assert "mpmath" in loaded_by("import mpmath", empty_folder)


@pytest.mark.parametrize("module", ["rgm_verify", "rgm_verify.errors", "rgm_verify.numbers.exact"])
def test_importing_the_library_loads_nothing_heavy(module: str, empty_folder: Path) -> None:
    assert sorted(loaded_by(f"import {module}", empty_folder) & set(HEAVY)) == []


def test_asking_the_command_for_help_loads_nothing_heavy(empty_folder: Path) -> None:
    statement = (
        "import sys, contextlib, io\n"
        "from rgm_verify.cli import main\n"
        "sys.argv = ['rgm-verify', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit): main()\n"
        "assert 'Usage' in out.getvalue(), out.getvalue()"
    )
    assert sorted(loaded_by(statement, empty_folder) & set(HEAVY)) == []


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the project in `folder`, in a process of its own."""
    pytest.importorskip("importlinter", reason="import-linter is part of the dev extra")
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, env=environment)


def test_imports_go_down_only(root: Path) -> None:
    linted = lint_imports(root)
    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("errors.py", "import rgm_verify.numbers.exact"),
        ("claims/outcome/verdict.py", "import rgm_verify.engine.run"),
        ("lenses/base.py", "import rgm_verify.report.write"),
        ("numbers/exact.py", "import flint"),
        ("engine/run.py", "import flint"),
        ("engine/discovery.py", "import derivations"),
        ("new_room.py", "import math"),
    ],
)
def test_an_import_that_goes_up_breaks_a_contract(root: Path, tmp_path: Path, module: str, line: str) -> None:
    shutil.copytree(root / "rgm_verify", tmp_path / "rgm_verify", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tmp_path)
    with (tmp_path / "rgm_verify" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    linted = lint_imports(tmp_path)
    assert linted.returncode == 1
    assert "BROKEN" in linted.stdout or "new_room" in linted.stdout + linted.stderr


def test_only_the_hand_over_needs_the_optional_package(empty_folder: Path) -> None:
    statement = (
        "import importlib, pkgutil, sys\n"
        "import rgm_verify.accounting as room\n"
        "sys.modules['dp_accounting'] = None  # as if it were not installed\n"
        "needing = []\n"
        "for module in pkgutil.walk_packages(room.__path__, 'rgm_verify.accounting.'):\n"
        "    try: importlib.import_module(module.name)\n"
        "    except ImportError: needing.append(module.name)\n"
        "assert needing == ['rgm_verify.accounting.dp_events', 'rgm_verify.accounting.handover'], needing"
    )
    assert "scipy" in loaded_by(statement, empty_folder)
