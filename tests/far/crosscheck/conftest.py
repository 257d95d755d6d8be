"""Other people's accountants, where they are installed: `nox -s crosscheck` has all of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest


@contextmanager
def their_code() -> Iterator[None]:
    """Warnings in other people's code are theirs to mend; in ours they stay errors."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def other(name: str) -> ModuleType:
    with their_code():
        return pytest.importorskip(name, reason=f"{name} is not installed; nox -s crosscheck has it")


@pytest.fixture(scope="session")
def quiet() -> Callable[..., Any]:
    """`quiet(function, *arguments)`: call into another package."""

    def call(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        with their_code():
            return function(*arguments, **options)

    return call


@pytest.fixture(scope="session")
def dp_accounting() -> ModuleType:
    return other("dp_accounting")


@pytest.fixture(scope="session")
def handover(dp_accounting) -> ModuleType:
    from rgm_verify.accounting import handover

    return handover


@pytest.fixture(scope="session")
def prv_accountant() -> ModuleType:
    return other("prv_accountant")


@pytest.fixture(scope="session")
def autodp() -> ModuleType:
    """Its analytic Gaussian mechanism and its conversion of Renyi curves."""
    other("autodp.dp_bank")
    other("autodp.converter")
    return other("autodp")


@pytest.fixture(scope="session")
def opendp() -> ModuleType:
    opendp = other("opendp.prelude")
    opendp.enable_features("contrib")
    return opendp
