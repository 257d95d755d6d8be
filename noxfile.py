"""Sessions of this project, each in an environment of its own: `nox -s NAME`, or `nox` for verify and tests."""

from __future__ import annotations

import os
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["verify", "tests"]
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = False

# One thread per process: the processes share the cores already, and sums then come out the same everywhere.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
# The rules that turn evidence into verdicts, and the logic that they speak about: broken at every place.
RULES = tuple(f"rgm_verify/claims/{name}.py" for name in ("outcome/verdict", "formula", "expressions"))
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
def near(session: nox.Session) -> None:
    """Run the tests that are nearest to what changed since a commit, for a minute: `nox -s near -- main`."""
    session.install("-e", ".[test]")
    found = session.run("python", "tests/near.py", *session.posargs, silent=True)
    files = str(found).split()
    if not files:
        session.skip("nothing has changed that a test is near to")
    # What does not begin in time is counted at the end, and is for `tests`.
    session.run("pytest", "-n", WORKERS, "--within", "45", *files, env=ENVIRONMENT)


@nox.session
def far(session: nox.Session) -> None:
    """Run what finds faults slowly or in a roundabout way, or a share of it: `nox -s far -- --share 1/4`."""
    session.install("-e", ".[test]")
    folders = [path.as_posix() for path in sorted(Path("tests").rglob("far")) if path.is_dir()]
    session.run("pytest", "-n", WORKERS, *folders, *session.posargs, env=ENVIRONMENT)


@nox.session
def draws(session: nox.Session) -> None:
    """Test the laws on examples that differ from run to run: `nox -s draws -- tests/report --hypothesis-seed=7`."""
    session.install("-e", ".[test]")
    given = session.posargs or ["tests", "-m", "not slow and not browser"]
    session.run("pytest", "-n", WORKERS, *given, env=ENVIRONMENT | {"HYPOTHESIS_PROFILE": "draws"})


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
    session.run("pytest", "tests/far/crosscheck", "-p", "no:xdist", *session.posargs, env=ENVIRONMENT)


@nox.session
def grade(session: nox.Session) -> None:
    """Ask accountants by other people, each in an environment of its own, 2,000 questions of known answers; resumes.

    `nox -s grade -- --only opacus-prv --seconds 100` asks one of them; the chapter on accountants shows the record.
    """
    session.install("-e", ".[dp-accounting]")
    session.run("python", "-m", "benchmarks.accountants.questions", env=ENVIRONMENT)
    session.run("python", "-m", "benchmarks.accountants.grade", *session.posargs, env=ENVIRONMENT)


@nox.session
def compare(session: nox.Session) -> None:
    """Fit private estimators of ours and of others at equal privacy, ten seeds each; resumes, and a chapter shows it.

    `nox -s compare -- --only phishing wide`, or `--again`; real data are found as the experiments find them.
    """
    session.install("-e", ".[sklearn,experiments]")
    peer = session.create_tmp() + "/diffprivlib"
    session.run("python", "-m", "venv", peer)
    session.run(
        f"{peer}/bin/python", "-m", "pip", "install", "-q", "diffprivlib==0.6.6", "scikit-learn<1.6", external=True
    )
    run = ("python", "-m", "benchmarks.compare.run", "--peer", f"{peer}/bin/python")
    session.run(*run, *session.posargs, env=ENVIRONMENT)


@nox.session
def differential(session: nox.Session) -> None:
    """Compare accounts of random plans with an oracle: `nox -s differential -- --plans 5000 --first 200`.

    Without words these are 5,000 plans. A plan has one number, so that an interrupted session goes on with `--first`.
    """
    session.install("-e", ".[test]")
    words = dict(zip(session.posargs[::2], session.posargs[1::2], strict=True))
    told = {
        "RGM_VERIFY_DIFFERENTIAL": words.get("--plans", "5000"),
        "RGM_VERIFY_DIFFERENTIAL_FIRST": words.get("--first", "0"),
    }
    session.run("pytest", "tests/property/accounting/differential/far", "-n", WORKERS, env=ENVIRONMENT | told)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site of documentation, build/docs: the guides, and the reference from docstrings; a dead link fails."""
    session.install("-e", ".[docs]")
    session.run("mkdocs", "build", "--strict", *session.posargs)


@nox.session
def pages(session: nox.Session) -> None:
    """Every page of the report in a browser, with the accessibility checker on each: takes an hour."""
    session.install("-e", ".[test]")
    told = {"RGM_VERIFY_PAGES": "1"}
    every = "tests/report/far/test_every_page.py"
    session.run("pytest", every, "-n", WORKERS, *session.posargs, env=ENVIRONMENT | told)


@nox.session
def faults(session: nox.Session) -> None:
    """Kill workers and runs, fill the disk, damage files, take a cluster away: nothing is lost, nothing is false."""
    session.install("-e", ".[test]")
    session.run(
        "pytest", "tests/far/faults", "tests/unit/engine/far/test_slow_files.py", "-p", "no:xdist", *session.posargs,
        env=ENVIRONMENT | {"RGM_VERIFY_FAULTS": "1"},
    )  # fmt: skip


@nox.session
def solvers(session: nox.Session) -> None:
    """Ask z3 and cvc5 about every proof by real arithmetic, and fail where they disagree."""
    session.install("-e", ".[cvc5]")
    session.run("python", "-m", "tests.far.solvers.compare", *session.posargs, env=ENVIRONMENT)


@nox.session
def corpus(session: nox.Session) -> None:
    """Judge textbook statements and three papers by default lenses: 85 % decided, and nothing false proved."""
    session.install("-e", ".[test]")
    session.run("python", "tests/far/corpus/textbook/score.py", "--floor", *session.posargs, env=ENVIRONMENT)
    session.run("pytest", "tests/far/corpus/test_papers.py", "-p", "no:xdist", env=ENVIRONMENT)


@nox.session
def attack(session: nox.Session) -> None:
    """Judge traps and false mutants of true statements, none of which may be shown: `nox -s attack -- 400 SEED`."""
    session.install("-e", ".[test]")
    count, seed = [*session.posargs, *("240", "20261123")[len(session.posargs) :]][:2]
    told = {"RGM_VERIFY_ATTACK": count, "RGM_VERIFY_ATTACK_SEED": seed}
    session.run("pytest", "tests/far/corpus/test_attack.py", "-n", WORKERS, env=ENVIRONMENT | told)


@nox.session
def shapes(session: nox.Session) -> None:
    """Judge each construct of the grammar under each operator, 1,500 statements of known truth: none wrongly."""
    session.install("-e", ".[test]")
    told = {"RGM_VERIFY_SHAPES": "1"}
    session.run("pytest", "tests/far/corpus/test_shapes.py", "-n", WORKERS, *session.posargs, env=ENVIRONMENT | told)


@nox.session
def kernel(session: nox.Session) -> None:
    """Search for a proof of 520 false statements beside claims with a proof, and of the false ones of the corpus.

    None may be found. `-- -k "no_control and 7"` repeats a part of it.
    """
    session.install("-e", ".[test]")
    tests = ("tests/unit/kernel", "tests/property/kernel", "tests/mutants/far/test_false_proofs.py")
    session.run("pytest", "-p", "no:xdist", *tests, *session.posargs, env=ENVIRONMENT | {"RGM_VERIFY_KERNEL": "1"})


@nox.session
def coq(session: nox.Session) -> None:
    """Have Coq check the kernel's proofs as theorems, in build/coq; what it has accepted before is not asked again.

    It needs `apt-get install coq libcoq-coquelicot libcoq-interval`. `-- 'rgm-v2:*'` asks for some claims.
    """
    session.install("-e", ".[test]")
    session.run("rgm-verify", "prove", "--coq", "build/coq", *session.posargs, env=ENVIRONMENT)
    session.run("pytest", "tests/far/coq", "-p", "no:xdist", env=ENVIRONMENT)


@nox.session
def mutants(session: nox.Session) -> None:
    """Break the judging rooms one place at a time and see that a test notices: a sample, and the verdict's rules.

    What survives is listed; the session fails below the bounds of tests/mutation/plan.toml. An interrupted run resumes.
    """
    session.install("-e", ".[test]")
    jobs = str(len(os.sched_getaffinity(0))) if WORKERS == "auto" else WORKERS
    run = ("python", "tests/mutation/run.py", "--jobs", jobs)
    session.run(*run, *session.posargs, env=ENVIRONMENT)
    if not session.posargs:
        session.run(*run, "--whole", *RULES, "--results", ".mutation/rules.jsonl", env=ENVIRONMENT)


@nox.session(venv_backend="uv", python="3.11")
def minimums(session: nox.Session) -> None:
    """Run the unit tests with the oldest versions of the dependencies that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "-e", ".[test]")
    session.run("pytest", "tests/unit", "-m", "not slow", *session.posargs, env=ENVIRONMENT)


@nox.session(venv_backend="uv", python="3.11")
def same_bytes(session: nox.Session) -> None:
    """Compute the chapters with the oldest and the newest dependencies and other kernels: not a byte may differ."""
    folder = session.create_tmp()
    program = "tests/same_bytes/chapters.py"
    files: list[str] = []
    kernels = {"OPENBLAS_CORETYPE": "Prescott", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}
    for resolution, environment in (("lowest-direct", {}), ("highest", {}), ("highest", kernels)):
        session.install("--upgrade", "--resolution", resolution, "-e", ".[experiments]")
        files.append(f"{folder}/{len(files)}.json")
        session.run("python", program, "write", files[-1], *session.posargs, env={**ENVIRONMENT, **environment})
    session.run("python", program, "compare", *files)
