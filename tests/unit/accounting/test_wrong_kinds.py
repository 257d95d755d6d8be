"""Another kind of object than a public function of the accounts takes is named in an error, and not found inside."""

from __future__ import annotations

import importlib
import inspect
import re
from fractions import Fraction
from pathlib import Path

import pytest

from rgm_verify.accounting.plans.account import epsilon as plan_epsilon
from rgm_verify.accounting.plans.files import read_plan
from rgm_verify.accounting.plans.filters import RenyiFilter
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian, release_of
from rgm_verify.accounting.subsampled.attacks import trade_off
from rgm_verify.accounting.subsampled.mechanism import poisson
from rgm_verify.errors import InputError

#: What the reference documents is public; what is built from other documented functions has their checks.
REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "accounting.md"
MODULES = [*re.findall(r"^::: (rgm_verify\.accounting\S*)", REFERENCE.read_text(), re.M)]
WRONG = [object(), "text", 7, None, [1], {}, Gaussian(Fraction(1))]
#: Steps of an account that take what other functions return, each with the reason why it looks at nothing.
APART = {
    "epsilon_below": "a lower end, of groups that `composed_epsilon` has checked",
    "delta_below": "as `epsilon_below`",
    "extreme_points": "as `epsilon_below`",
    "epsilon_chernoff": "as `epsilon_below`",
    "pair_enclosure": "of a pair that `renyi_bounds` has found",
    "adaptive_curve": "of losses that `composed_epsilon` has made",
    "Choice": "as `adaptive_curve`",
    "model_epsilon": "of a model, behind `epsilon`",
    "model_delta": "of a model, behind `delta`",
}


def public():
    for name in MODULES:
        module = importlib.import_module(name)
        for key, found in vars(module).items():
            kinds = inspect.isfunction(found) or (inspect.isclass(found) and not issubclass(found, BaseException))
            if kinds and key[0] != "_" and found.__module__ == module.__name__ and key not in APART:
                yield pytest.param(found, id=f"{name.removeprefix('rgm_verify.accounting.')}.{key}")


@pytest.mark.parametrize("function", list(public()))
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_a_wrong_kind_is_bad_input(function, wrong):
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    positional = [wrong for p in needed if p.kind is p.POSITIONAL_ONLY]
    named = {p.name: wrong for p in needed if p.kind is not p.POSITIONAL_ONLY}
    try:
        function(*positional, **named)
    except (TypeError, ValueError):
        return
    # What took it without a word is data without a check, or a function without an argument that could be wrong.


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: trade_off(plan([Gaussian(Fraction(1))]), ["1/10"]), "run: expected SampledGaussian or Model, got"),
        (lambda: plan_epsilon(poisson("1/10", 1, 1), "1e-5"), "planned: expected Plan, got SampledGaussian"),
        (
            lambda: RenyiFilter(2, 1).request(
                release_of("dp-sgd", {"sampler": "poisson", "noise_multiplier": 1, "sampling_rate": 1})
            ),
            "release: expected Gaussian or RelativeGaussian or Release, got DpSgd",
        ),
        (lambda: read_plan(7), "path: expected Path, got int"),
        (lambda: read_plan("nowhere.json"), "nowhere.json: cannot be read"),
        (lambda: plan([poisson("1/10", 1, 1)]), r"releases\[0\]=.*expected a release"),
        (lambda: poisson(0.1, 1, 1), r"sampling_rate=0.1: a float .* Fraction\(x\)"),
    ],
)
def test_the_argument_is_named_with_what_it_takes(call, says):
    with pytest.raises(InputError, match=says):
        call()
    # The advice about floats holds wherever an exact number is asked for.
    assert poisson(Fraction(0.1), 1, 1).steps == 1


@pytest.mark.parametrize(("count", "delta"), [(859599, "1.09e-41"), (85_000_000, "1e-3"), (10**9, "1e-200")])
def test_gaussian_noise_of_a_large_epsilon_has_an_answer(count, delta):
    found = plan_epsilon(plan([release_of("gaussian", {"noise_multiplier": "13/10", "count": count})]), delta)
    assert 1e5 < found.lower <= found.upper < float("inf")
