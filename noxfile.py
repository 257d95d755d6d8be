"""What is run on this project, each in an environment of its own: `nox -s NAME`, or `nox` for verify and tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["verify", "tests"]
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = False

ROOT = Path(__file__).parent
# One thread per process: the processes share the cores already, and sums then come out the same everywhere.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
# The share of broken lines that no test notices (those that the config leaves out count as noticed). It only falls.
SURVIVING_PERCENT = 4
# Accountants by other people, as they are asked for in `crosscheck`.
ACCOUNTANTS = ("opendp>=0.16", "autodp==0.2.3.1", "prv-accountant==0.2.0")
WORKERS = os.environ.get("RGM_VERIFY_TEST_WORKERS", "auto")


@nox.session
def verify(session: nox.Session) -> None:
    """Judge every claim and write reports/: `nox -s verify -- --profile full`."""
    session.install("-e", ".")
    session.run("rgm-verify", "run", *session.posargs, env=ENVIRONMENT)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests: `nox -s tests -- tests/unit -k word`."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", WORKERS, *session.posargs, env=ENVIRONMENT)


@nox.session
def coverage(session: nox.Session) -> None:
    """Run the tests with branch coverage, and fail below the bound that pyproject.toml states."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", WORKERS, "--cov", "--cov-report=term", *session.posargs, env=ENVIRONMENT)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and who may import whom."""
    session.install("-e", ".[lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-logo")


@nox.session
def types(session: nox.Session) -> None:
    """Check types: the library strictly, the claims as far as SymPy lets one."""
    session.install("-e", ".[types,test]", "nox")
    session.run("mypy", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure: every number is a ratio of two things timed in the same run."""
    session.install("-e", ".[test]")
    session.run("pytest", "benchmarks", "-p", "no:xdist", *session.posargs, env=ENVIRONMENT)


@nox.session
def crosscheck(session: nox.Session) -> None:
    """Compare with accountants by other people: dp-accounting, OpenDP, autodp, the PRV accountant."""
    session.install("-e", ".[test]", *ACCOUNTANTS)
    # The tests skip what is missing; here nothing may be.
    names = "autodp.dp_bank, dp_accounting, opendp.prelude, prv_accountant"
    session.run("python", "-W", "ignore", "-c", f"import {names}")
    session.run("pytest", "tests/crosscheck", "-p", "no:xdist", *session.posargs, env=ENVIRONMENT)


@nox.session
def solvers(session: nox.Session) -> None:
    """Ask z3 and cvc5 about every proof by real arithmetic, and fail where they disagree."""
    session.install("-e", ".[cvc5]")
    session.run("python", "-m", "rgm_verify.cli.solvers", *session.posargs, env=ENVIRONMENT)


@nox.session
def mutants(session: nox.Session) -> None:
    """Break the rules of judgement, one line at a time, and see that a test notices each time.

    Works on a copy, because the tool writes the broken lines into the files. What survives is listed, and the session
    fails when that is more than `SURVIVING_PERCENT`.
    """
    session.install("-e", ".[test,mutants]")
    copy = Path(session.create_tmp()) / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    for name in ("rgm_verify", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    session.chdir(copy)
    # The copy comes before the checkout on the path, so that the broken lines are the ones that run.
    environment = ENVIRONMENT | {"PYTHONPATH": str(copy)}
    config, found = "tests/cosmic-ray.toml", "mutants.sqlite"
    session.run("cosmic-ray", "init", config, found, env=environment)
    session.run("cr-filter-operators", found, config, env=environment)
    session.run("cosmic-ray", "baseline", config, env=environment)
    session.run("cosmic-ray", "exec", config, found, env=environment)
    session.run("cr-report", found, "--surviving-only", "--show-diff", env=environment)
    session.run("cr-rate", found, "--fail-over", str(SURVIVING_PERCENT), env=environment)


@nox.session(venv_backend="uv", python="3.11")
def minimums(session: nox.Session) -> None:
    """Run the unit tests with the oldest versions of the dependencies that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "-e", ".[test]")
    session.run("pytest", "tests/unit", "-m", "not slow", *session.posargs, env=ENVIRONMENT)
