"""The ground of every test: reproducible examples, no leftovers in the process, a folder of its own."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
_STARTED = time.monotonic()

# Set before NumPy is first imported: several workers share the cores, and one thread sums in one order.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

# No deadlines: a test never fails because the machine was busy. The examples are the same every time, so that a red run
# is red for everyone, and few, since more of the same would find little; `nox -s draws` draws others, which differ from
# run to run and find more.
_BUSY = [HealthCheck.too_slow]
settings.register_profile(
    "ci", deadline=None, max_examples=30, derandomize=True, print_blob=True, suppress_health_check=_BUSY
)
settings.register_profile("draws", deadline=None, print_blob=True, suppress_health_check=_BUSY)
settings.register_profile("deep", parent=settings.get_profile("draws"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--within", type=float, metavar="SECONDS", help="begin no test later than this; slow ones come last"
    )
    parser.addoption("--share", default="1/1", metavar="K/N", help="run the K-th of N shares of the test files")


@pytest.fixture(autouse=True)
def _while_there_is_time(request: pytest.FixtureRequest) -> None:
    """Skip what would begin too late in a run that is to tell soon; it says so of each test that it leaves out."""
    within = request.config.getoption("within")
    if within is not None and time.monotonic() - _STARTED > within:
        pytest.skip(f"not begun within {within:g} s")


def _share(text: str) -> tuple[int, int]:
    """Return the numbers of a share such as `2/4`."""
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if not found or int(found[1]) > int(found[2]):
        raise pytest.UsageError(f"--share={text}: give K/N with 1 <= K <= N, such as 2/4")
    return int(found[1]), int(found[2])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put slow files first; refuse a test whose name holds a set, which every process prints in an order of its own."""
    named = [item.nodeid for item in items if re.search(r"\{(?:'[^':]*'|\w+)(?:, (?:'[^':]*'|\w+))+\}", item.nodeid)]
    if named:
        raise pytest.UsageError(f"the name of {named[0]} holds a set, whose order differs between processes: use ids=")
    number, shares = _share(config.getoption("share"))
    # A file goes as a whole, by its path alone: an added file moves no other.
    kept = [item for item in items if crc32(item.path.relative_to(ROOT).as_posix().encode()) % shares == number - 1]
    config.hook.pytest_deselected(items=list(set(items) - set(kept)))
    items[:] = kept
    # Files with slow tests first, each in one piece: no worker begins a long test when the others have nothing left.
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    last = config.getoption("within") is not None
    items.sort(key=lambda item: (item.path in slow) == last)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker neighbouring tests, so that a file prepares once what it needs; who is done takes from others.

    By default xdist deals out single tests, and every worker prepares everything. `--dist` overrules this.
    """
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def committed_paper(root: Path) -> Any:
    """The claims of the papers as they stand in `derivations/`: a `Paper`, imported once in a process; read only."""
    from rgm_verify.engine.discovery import load

    return load(root / "derivations")


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working directory: nothing of the checkout is found by accident."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def _precision_is_left_as_found() -> Iterator[None]:
    """Arb's precision belongs to the whole process: a test that changes it would decide what the next one sees."""
    before = _precisions()
    yield
    after = _precisions()
    changed = {name: (before[name], after[name]) for name in before if after[name] != before[name]}
    assert not changed, f"this test left a changed working precision behind (before, after): {changed}"


@pytest.fixture(autouse=True)
def _no_threads_that_a_fork_would_break() -> Iterator[None]:
    """JAX at work starts threads and warns at every later fork of its process: whichever test forks next would fail.

    Its import alone does neither; CVXPY imports it.
    """
    yield
    started = getattr(sys.modules.get("jax._src.xla_bridge"), "_backends", {})
    assert not started, "a test made JAX compute: give it a process of its own"


def _precisions() -> dict[str, int]:
    found = {}
    if "flint" in sys.modules:
        found["flint"] = sys.modules["flint"].ctx.prec
    if "mpmath" in sys.modules:
        found["mpmath"] = sys.modules["mpmath"].mp.prec
    return found
