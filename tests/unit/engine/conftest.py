"""Small folders of claims, and the command line on them, in this process and in others."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rgm_verify.cli import main
from rgm_verify.jobs.fingerprint import claims_package

#: The name under which the claims of the paper are imported.
PAPER = claims_package(Path(__file__).resolve().parents[3] / "derivations")
HEAD = """\
from rgm_verify.claims import *
from rgm_verify.lenses import *
import sympy
X = real("x", lower=0, upper=1)
x = X.symbol


def claim(id, conclusion, **rest):
    rest.setdefault("variables", (X,))
    return Claim(id=id, title=id, source="s", where="w", kind="lemma", conclusion=conclusion, **rest)


"""


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Make a folder of claims: `folder(a="A = claim('a', ge(x, 0))")` writes a.py with the usual head."""

    def make(name: str = "claims", **files: str) -> Path:
        place = tmp_path / name
        place.mkdir(exist_ok=True)
        for stem, text in files.items():
            (place / f"{stem}.py").write_text(HEAD + textwrap.dedent(text))
        forget()
        return place

    return make


def forget(*, everything: bool = False) -> None:
    """Let a changed folder be imported anew in this process (a command line is a process of its own).

    The claims of the paper do not change while tests run, and their import takes longer than most files of tests: they
    stay, unless `everything` is to go.
    """
    from rgm_verify.engine.run import _paper

    _paper.cache_clear()
    for name in [n for n in sys.modules if n.startswith("rgm_verify_claims_")]:
        if everything or name.partition(".")[0] != PAPER:
            del sys.modules[name]


@pytest.fixture
def rgm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command line in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def call(*words: Any) -> Result:
        forget()
        result = CliRunner().invoke(main, [str(w) for w in words])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are threads of this process: quick to start, and what a test patches reaches them."""
    from concurrent.futures import ThreadPoolExecutor

    from rgm_verify.jobs import workers

    original = workers.make_executor

    def make(jobs: int, address: str | None, *rest: Any) -> Any:
        return ThreadPoolExecutor(jobs) if address is None else original(jobs, address, *rest)

    monkeypatch.setattr(workers, "make_executor", make)


def start(*words: Any, cwd: Path, deaf: bool = False, **rest: Any) -> subprocess.Popen[str]:
    """The command line as a process (group) of its own; `deaf` to Ctrl-C, as in the background of a script, or not."""
    listen = functools.partial(signal.signal, signal.SIGINT, signal.SIG_IGN if deaf else signal.SIG_DFL)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    command = [sys.executable, "-m", "rgm_verify.cli", *(str(w) for w in words)]
    return subprocess.Popen(
        command, cwd=cwd, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, preexec_fn=listen, **rest,
    )  # fmt: skip


@pytest.fixture
def launch(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    return lambda *words, **rest: start(*words, cwd=tmp_path, **rest)


@pytest.fixture
def paper_apart() -> Iterator[Callable[[], None]]:
    """Give a test imports of the paper of its own, and a function that takes them away.

    The others find the import that was there, which takes long.
    """
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == PAPER}
    yield lambda: forget(everything=True)
    forget(everything=True)
    sys.modules.update(before)
