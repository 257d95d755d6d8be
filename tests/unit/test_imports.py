"""What an import costs and who may import whom."""

from __future__ import annotations

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


@pytest.mark.parametrize("statement", ["import rgm_verify", "import rgm_verify.errors", "import rgm_verify.exact"])
def test_importing_the_library_loads_nothing_heavy(statement: str, empty_folder: Path) -> None:
    assert sorted(loaded_by(statement, empty_folder) & set(HEAVY)) == []


def test_asking_the_command_for_help_loads_nothing_heavy(empty_folder: Path) -> None:
    statement = (
        "import sys, contextlib, io\n"
        "from rgm_verify.cli import main\n"
        "sys.argv = ['rgm-verify', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit): main()\n"
        "assert 'Usage' in out.getvalue(), out.getvalue()"
    )
    assert sorted(loaded_by(statement, empty_folder) & set(HEAVY)) == []


def test_imports_go_down_only(root: Path) -> None:
    importlinter = pytest.importorskip("importlinter.cli", reason="import-linter is part of the dev extra")
    config = root / "pyproject.toml"
    assert importlinter.lint_imports(config_filename=str(config), no_cache=True) == importlinter.EXIT_STATUS_SUCCESS
