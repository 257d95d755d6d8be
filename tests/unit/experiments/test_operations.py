"""The operations that the claims about the cost of clipping count are those of the code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rgm_verify.engine.discovery import Paper
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.ridge import RidgeObjective

ROOT = Path(__file__).resolve().parents[3]
_FREE = {"conjugate", "isfinite", "positive"}


class Counting(np.ndarray):
    """An array that counts what is done with its elements and hands the counter on."""

    counter: dict[str, int]

    def __array_finalize__(self, source: Any) -> None:
        self.counter = getattr(source, "counter", {})

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **rest: Any) -> Any:
        counter = next(each.counter for each in (*inputs, *(out or ())) if isinstance(each, Counting))
        plain = [np.asarray(each) if isinstance(each, Counting) else each for each in inputs]
        places = tuple(np.asarray(each) for each in out) if out else None
        found = getattr(ufunc, method)(*plain, **({"out": places} if places else {}), **rest)
        counter[ufunc.__name__] = counter.get(ufunc.__name__, 0) + _operations(ufunc, method, plain, found)
        result = np.asarray(found).view(Counting)
        result.counter = counter
        return result


def _operations(ufunc: np.ufunc, method: str, inputs: list[Any], found: Any) -> int:
    if ufunc.__name__ in _FREE:
        return 0
    if ufunc is np.matmul:
        return 2 * int(np.size(found)) * int(np.shape(inputs[0])[-1])
    return int(np.size(inputs[0]) if method == "reduce" else np.size(found))


def counted(array: Any, counter: dict[str, int]) -> Any:
    found = np.asarray(array).view(Counting)
    found.counter = counter
    return found


def side(paper: Paper, claim: str, X: Any, *, right: bool = False) -> Any:
    """A side of the claim's inequality at the size of the data."""
    conclusion: Any = paper.claims[claim].conclusion
    sizes = dict(zip((v.symbol for v in paper.claims[claim].variables), X.shape, strict=True))
    return (conclusion.rhs if right else conclusion.lhs).subs(sizes)


@pytest.fixture(scope="module")
def paper(committed_paper: Paper) -> Paper:
    return committed_paper


@pytest.fixture
def data() -> tuple[Any, Any]:
    generator = np.random.default_rng(0)
    return generator.normal(size=(300, 7)), generator.choice([-1.0, 1.0], size=300)


def test_a_gradient_in_closed_form_with_every_record_clipped_takes_what_the_claim_says(
    paper: Paper, data: tuple[Any, Any]
) -> None:
    (X, y), counter = data, dict[str, int]()
    plain = ClippedGradient.of(X, y, "1/1000", regularization="0.03")
    watched = replace(plain, features=counted(plain.features, counter), labels=counted(plain.labels, counter))
    theta = np.ones(7)
    np.testing.assert_array_equal(np.asarray(watched(theta)), plain(theta))
    small = 4 * 7  # sums of vectors of length d
    claimed, done = side(paper, "experiment:clipping-in-closed-form", X) / 7, sum(counter.values())
    # The claim allows two operations a record for finding what is not finite; one comparison for all records does it.
    assert abs(claimed - 2 * len(X) - done) <= small


def test_a_gradient_from_the_hessian_takes_what_the_claim_says(paper: Paper, data: tuple[Any, Any]) -> None:
    (X, y), counter = data, dict[str, int]()
    objective = RidgeObjective.of(X, y, "0.03")
    watched = replace(objective, hessian=counted(objective.hessian, counter))
    watched.gradient(np.ones(7))
    assert sum(counter.values()) == side(paper, "experiment:clipping-by-rows", X, right=True) / (7 * 300)
