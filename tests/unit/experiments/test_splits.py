"""Splits: exact sizes, what each reading of the paper gives to whom, the bias, and nodes that would be empty."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data import datasets
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.data.splits import Node, drawn, split
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.ridge import RidgeObjective


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def dataset(positives: int, negatives: int) -> Dataset:
    """Records whose only feature is their place, the positive ones first."""
    n = positives + negatives
    y = np.repeat([1.0, -1.0], [positives, negatives])
    return Dataset("small", np.arange(n, dtype=np.float64)[:, np.newaxis], y, "", "", True, "")


def test_a_random_split_of_ijcnn1_gives_node_1_the_extra_record() -> None:
    first, second = split(datasets.synthetic("ijcnn1"), Setup(), rng())
    assert (first.records, second.records) == (70_846, 70_845)


def test_a_split_by_label_leaves_each_node_its_random_records() -> None:
    data = dataset(300, 700)
    first, second = split(data, Setup(split="label"), rng())
    assert first.records + second.records == 1000
    assert int((first.y < 0).sum()) <= 50
    assert int((second.y > 0).sum()) <= 50
    assert int((first.y > 0).sum()) + int((second.y > 0).sum()) == 300
    assert int((first.y < 0).sum()) > 0
    assert int((second.y > 0).sum()) > 0


def test_copied_records_are_with_both_nodes() -> None:
    data = dataset(300, 700)
    first, second = split(data, Setup(split="label", label_rest="copied"), rng())
    assert int((first.y > 0).sum()) == 300
    assert int((second.y < 0).sum()) == 700
    both = np.intersect1d(first.rows, second.rows)
    assert len(both) == int((first.y < 0).sum()) + int((second.y > 0).sum())
    assert 0 < len(both) <= 100


def test_without_a_rest_each_node_has_that_many_records_of_its_label() -> None:
    first, second = split(dataset(300, 700), Setup(split="label", label_rest="absent"), rng())
    assert np.array_equal(first.y, np.ones(50))
    assert np.array_equal(second.y, -np.ones(50))


def test_without_random_records_the_labels_are_apart() -> None:
    first, second = split(dataset(3, 5), Setup(split="label", label_points=0), rng())
    assert np.array_equal(first.rows, np.arange(3))
    assert np.array_equal(second.rows, np.arange(3, 8))


# ----------------------------------------------------------------------------------------------------- the bias


def nodes(**choices: object) -> tuple[Node, Node]:
    setup = Setup(split="bias", bias_size="3", **choices)  # type: ignore[arg-type]
    return split(datasets.synthetic("ijcnn1", records=400), setup, rng(5))


def objective(node: Node) -> Callable[[np.ndarray], float]:
    """The objective of a node, written out."""

    def value(theta: np.ndarray) -> float:
        errors = np.mean((node.X @ theta - node.y) ** 2) / 2
        return float(errors + node.linear @ theta + 0.03 / 2 * np.sum((theta - node.centre) ** 2))

    return value


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("form", ["parameter", "linear", "label"])
def test_a_bias_does_to_the_second_objective_what_its_form_says(form: str, centred: bool) -> None:
    plain = split(datasets.synthetic("ijcnn1", records=400), Setup(centred=centred), rng(5))[1]
    first, second = nodes(bias_form=form, centred=centred)
    assert np.array_equal(first.linear, np.zeros(22))
    assert np.array_equal(first.centre, np.zeros(22))
    assert set(first.y) == {-1.0, 1.0}
    B = np.full(22, 3 / np.sqrt(22))
    moved, before = objective(second), objective(plain)
    for theta in rng(1).normal(size=(5, 22)):
        if form == "parameter":
            expected = before(theta - B)
        elif form == "linear":
            expected = before(theta) + float(B @ theta)
        else:
            expected = objective(replace(plain, y=plain.y + 3))(theta)
        # Sums of 400 terms of size below 100, each rounded a few times.
        assert abs(moved(theta) - expected) <= 400 * 100 * 2.0**-50


def test_the_bias_has_its_norm_along_all_features() -> None:
    second = nodes(bias_form="linear")[1]
    assert abs(float(np.linalg.norm(second.linear)) - 3) <= 22 * 2.0**-51
    assert len(set(second.linear)) == 1


def test_a_bias_of_the_parameter_moves_the_minimiser_of_the_second_node_by_it() -> None:
    plain = split(datasets.synthetic("ijcnn1", records=400), Setup(), rng(5))[1]
    second = nodes()[1]
    start = RidgeObjective.of(plain.X, plain.y, "0.03").minimiser()
    # At the moved minimiser the gradient, written out, is within rounding of 0.
    theta = start + second.centre
    gradient = second.X.T @ (second.X @ theta - second.y) / second.records + 0.03 * (theta - second.centre)
    assert float(np.abs(gradient).max()) <= 400 * 100 * 2.0**-50


def test_a_bias_of_size_zero_changes_nothing() -> None:
    data = datasets.synthetic("ijcnn1", records=100)
    plain, none = (split(data, setup, rng(2))[1] for setup in (Setup(), Setup(split="bias", bias_size="0")))
    assert np.array_equal(plain.y, none.y)
    assert not none.centre.any()


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("positives", "negatives", "choices", "said"),
    [
        (0, 9, {"split": "label", "label_points": 0}, "node 1 is left without records out of 9, 0 of them positive"),
        (9, 0, {"split": "label", "label_points": 0}, "node 2 is left without records out of 9, 9 of them positive"),
        (1, 0, {}, "node 2 is left without records out of 1"),
        (30, 60, {"split": "label"}, "label_points=50: two nodes cannot have that many each out of 90 records"),
        (
            30,
            600,
            {"split": "label", "label_rest": "absent"},
            "label_points=50: one of the classes has only 30 records",
        ),
        (30, 60, {"records": 91}, "records=91: the data set has only 90"),
    ],
)
def test_a_split_that_leaves_a_node_without_records_is_refused(
    positives: int, negatives: int, choices: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        split(dataset(positives, negatives), Setup(**choices), rng())  # type: ignore[arg-type]


def test_randomness_is_asked_for() -> None:
    with pytest.raises(InputError, match="generator"):
        split(dataset(5, 5), Setup(), 7)  # type: ignore[arg-type]


def test_without_a_number_of_records_all_are_taken_and_no_randomness() -> None:
    generator = rng(3)
    assert np.array_equal(drawn(7, None, generator), np.arange(7))
    assert generator.bit_generator.state == rng(3).bit_generator.state
