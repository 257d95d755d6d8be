"""What is in the distributions, and that they work where nothing else is."""

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


def test_the_wheel_carries_the_whole_library_and_nothing_else(root: Path, wheel: Path) -> None:
    found = {name for name in members(wheel, "rgm_verify") if not name.startswith("_derivations/")}
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


def test_the_lock_pins_every_dependency_with_a_hash_and_names_no_index(root: Path) -> None:
    lock = (root / "requirements.lock").read_text(encoding="utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = {line.split("==")[0] for line in lock.splitlines() if "==" in line and not line.startswith((" ", "#"))}
    wanted = {requirement.split(">=")[0] for requirement in project["dependencies"]}
    assert wanted <= pins
    assert lock.count("==") <= lock.count("--hash=sha256:")
    assert "://" not in lock


@pytest.fixture
def index_is_reachable(tmp_path: Path) -> None:
    """Skips where no package index can be reached, which is not what these tests are about."""
    probe = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--retries",
        "0",
        "-d",
        tmp_path / "p",
        "click",
    ]
    done = subprocess.run([*map(str, probe)], capture_output=True, text=True)
    if "No module named pip" in done.stderr:
        return  # an environment that has no pip of its own; the new one below brings one
    if done.returncode:
        pytest.skip(f"no package index can be reached: {done.stderr.strip().splitlines()[-1]}")


@pytest.mark.slow
@pytest.mark.usefixtures("index_is_reachable")
def test_an_installed_wheel_judges_the_paper_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    empty = tmp_path / "empty"
    empty.mkdir()
    run(programs / "pip", "install", "-q", wheel, cwd=empty)
    listed = json.loads(run(programs / "rgm-verify", "list", "--json", cwd=empty))
    assert listed
