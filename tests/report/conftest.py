"""The hand-made ledger and a report written from it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rgm_verify.claims.ledger import Ledger
from rgm_verify.report import write_report

CERTIFICATES = {"theorem-1-corrected.json": b'{"boxes": []}\n'}


@pytest.fixture(scope="session")
def examples() -> ModuleType:
    """The module of hand-made claims (`fixture.py` beside this file)."""
    name = "rgm_verify_report_examples"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("fixture.py"))
    if spec is None or spec.loader is None:
        pytest.fail("fixture.py cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def ledger(examples: ModuleType) -> Ledger:
    """The rich ledger."""
    return examples.ledger()


@pytest.fixture(scope="session")
def report(ledger: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the report of the rich ledger; read only."""
    folder = tmp_path_factory.mktemp("report")
    write_report(ledger, folder, certificates=CERTIFICATES)
    return folder
