"""An experiment that costs nothing, and its record."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rgm_verify.experiments.run import execute as execution
from rgm_verify.experiments.run.records import MethodRecord, PanelRecord, Record


def method_of(panel: PanelRecord, name: str) -> MethodRecord:
    """The one method of that name in a panel."""
    (found,) = (method for method in panel.methods if method.method == name)
    return found


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The fake experiment, importable by workers as well."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "fakes"))
    import fake_experiment

    execution._loaded.cache_clear()
    return fake_experiment


@pytest.fixture
def recorded(fake: ModuleType, tmp_path: Path) -> Callable[..., Record]:
    """Run the fake experiment, or another one, and return its record."""

    def run(experiment: Any = None, *, runs: int = 3) -> Record:
        with ThreadPoolExecutor(1) as executor:
            return execution.execute(
                experiment or fake.experiment(), runs=runs, seed=0, out=tmp_path / "recorded", executor=executor,
                progress=lambda *_: None, load=fake.Load(str(tmp_path)), perform=partial(fake.perform, str(tmp_path)),
            )  # fmt: skip

    return run


@pytest.fixture
def record(recorded: Callable[..., Record]) -> Record:
    """Three runs of the fake experiment: two panels, four methods, one of them not feasible in the second panel."""
    return recorded()
