"""The record of floating-point routes: it can be read, and what it says of our route holds here as well."""

from __future__ import annotations

import importlib
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import msgspec
import numpy
import pytest
import scipy


@pytest.fixture(scope="module")
def module(root: Path) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        return importlib.import_module("derivations.chapters.floating_point")


def test_what_is_recorded_of_our_route_holds_here(module: ModuleType) -> None:
    recorded = module.read()
    here = module.compare(40)
    assert (here.ours.nan, here.ours.nonpositive, here.ours.wrong) == (0, 0, 0)
    assert Fraction(here.ours.rest) <= Fraction(recorded.ours.rest)


def test_the_difference_of_tails_goes_wrong_in_some_cases_and_never_in_more_than_there_are(module: ModuleType) -> None:
    recorded = module.read()
    counts = recorded.tails.nan + recorded.tails.nonpositive + recorded.tails.wrong
    assert 0 < counts <= recorded.cases == module.CASES


@pytest.mark.slow
def test_the_record_is_what_is_measured_with_its_versions(module: ModuleType) -> None:
    recorded = module.read()
    if (recorded.numpy, recorded.scipy) != (numpy.__version__, scipy.__version__):
        pytest.skip("other versions than those of the record")
    again = module.compare(recorded.cases)
    assert msgspec.json.encode(again.ours) == msgspec.json.encode(recorded.ours)
    # SciPy's series may give a last bit more or less with the kernels of another processor.
    assert abs(again.tails.wrong - recorded.tails.wrong) <= recorded.cases // 50


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ([0.0], (0, 0, 0, "0")),
        ([float("nan"), float("-inf"), 1.0, -2e-6, 3e-9], (1, 1, 2, "1e-8")),
        ([1e-6, -1e-7], (0, 0, 0, "1e-6")),
    ],
)
def test_errors_are_sorted_into_no_number_none_above_zero_wrong_and_the_rest(module, errors, expected) -> None:
    found = module._route(errors)
    assert (found.nan, found.nonpositive, found.wrong, found.rest) == expected
