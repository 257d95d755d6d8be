"""The contents of the distributions, and that they work where nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import rgm_verify
from rgm_verify.claims.outcome.ledger_files import read_one


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command; its standard error is in the message when it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=cwd, env=environment)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build(kind: str, source: Path, target: Path) -> Path:
    """Build a `wheel` or an `sdist` of the project in `source`."""
    pytest.importorskip("hatchling", reason="hatchling is part of the dev extra")
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target, cwd=source)
    (built,) = target.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", root, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", root, tmp_path_factory.mktemp("sdist"))


def tracked(root: Path, folder: str) -> set[str]:
    """The files of a folder that are part of the project, relative to it; caches are not."""
    found = (p.relative_to(root / folder) for p in (root / folder).rglob("*") if p.is_file())
    return {p.as_posix() for p in found if not {"__pycache__", ".rgm_verify"} & set(p.parts)}


def members(wheel: Path, folder: str) -> set[str]:
    """The files below a folder of a wheel, relative to it."""
    with zipfile.ZipFile(wheel) as archive:
        return {n.removeprefix(f"{folder}/") for n in archive.namelist() if n.startswith(f"{folder}/")}


def test_the_wheel_carries_every_derivation(root: Path, wheel: Path) -> None:
    assert members(wheel, "rgm_verify/_derivations") == tracked(root, "derivations")


def test_the_wheel_carries_what_was_found_of_the_claims_and_not_the_pages_of_the_report(
    root: Path, wheel: Path
) -> None:
    assert members(wheel, "rgm_verify/_reports/ledger") == tracked(root, "reports/ledger")
    assert {name.split("/")[0] for name in members(wheel, "rgm_verify/_reports")} == {"ledger"}


@pytest.mark.slow
def test_from_the_wheel_alone_a_claim_has_the_verdict_that_was_reported(
    root: Path, wheel: Path, tmp_path: Path
) -> None:
    """The package as it is unpacked, with the libraries of this environment."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "package")
    words = ["-c", "import sys; sys.path.insert(0, sys.argv.pop(1)); from rgm_verify.__main__ import main; main()"]
    place = tmp_path / "empty"
    place.mkdir()
    told = run(sys.executable, *words, tmp_path / "package", "show", "rgm-v1:theorem-1", cwd=place)
    reported = read_one(root / "reports" / "ledger", "rgm-v1:theorem-1")
    assert reported is not None
    (entry,) = reported.claims
    assert f"verdict: {entry.verdict}" in told
    assert f"as reported with version {rgm_verify.__version__}" in told
    assert str(tmp_path / "package") in told


def test_the_wheel_carries_the_whole_library_and_nothing_else(root: Path, wheel: Path) -> None:
    carried = ("_derivations/", "_reports/")
    found = {name for name in members(wheel, "rgm_verify") if not name.startswith(carried)}
    assert found == tracked(root, "rgm_verify")
    with zipfile.ZipFile(wheel) as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {
            "rgm_verify",
            f"rgm_verify-{rgm_verify.__version__}.dist-info",
        }


def test_a_wheel_built_from_the_source_distribution_is_the_same(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build("wheel", source, tmp_path / "again")
    assert members(again, "rgm_verify") == members(wheel, "rgm_verify")


def test_the_source_distribution_carries_what_the_tests_need(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        top = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert {"tests", "examples", "derivations", "noxfile.py", "README.md", "CONTRIBUTING.md", "LICENSE"} <= top


def test_the_version_is_the_same_everywhere(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    assert project["version"] == rgm_verify.__version__
    assert f"\nversion: {rgm_verify.__version__}\n" in citation


@pytest.fixture(scope="module")
def new_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an empty environment; skips where no package index can be reached."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    probe = f"{folder}/bin/pip download -q --no-deps --retries 0 -d {folder}/probe click"
    done = subprocess.run(probe.split(), capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no package index can be reached: {done.stderr.strip()}")
    return folder / "bin"


@pytest.fixture(scope="module")
def installed(new_environment: Path, wheel: Path) -> Path:
    """The programs of an environment that holds the wheel and what it asks for, and nothing else."""
    # Python compiles what is imported; pip would compile all of every library, which takes longer than the rest.
    run(new_environment / "pip", "install", "-q", "--no-compile", wheel, cwd=new_environment)
    return new_environment


@pytest.mark.slow
def test_an_installed_wheel_judges_the_paper_from_an_empty_folder(installed: Path, empty_folder: Path) -> None:
    listed = json.loads(run(installed / "rgm-verify", "list", "--json", cwd=empty_folder))
    some = [claim["id"] for claim in listed[:3]]
    found = json.loads(run(installed / "rgm-verify", "run", *some, "--jobs", "1", "--json", cwd=empty_folder))
    assert [claim["id"] for claim in found["claims"]] == some
    assert found["failures"] == {}


@pytest.mark.slow
def test_an_installed_wheel_writes_the_whole_report(root: Path, installed: Path, empty_folder: Path) -> None:
    own = root / "examples" / "own_paper"
    run(installed / "rgm-verify", "run", "--claims", own, "--jobs", "1", cwd=empty_folder)
    written = {p.relative_to(empty_folder).as_posix() for p in empty_folder.rglob("*") if p.is_file()}
    files = ("README.md", "ledger/index.json", "site/index.html")
    assert {f"reports-own_paper/{name}" for name in files} <= written
