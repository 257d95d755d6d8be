"""Laws of splits: every record in its place, classes as the reading says, nothing but labels and the seed decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.data.splits import Node, drawn, split
from rgm_verify.experiments.setup import Setup

SEEDS = st.integers(0, 2**32)


@st.composite
def data_sets(draw: st.DrawFn) -> Dataset:
    """Records with one feature that is their place and one that is free."""
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=4, max_size=60)))
    X = np.stack([np.arange(len(y), dtype=np.float64), np.cos(np.arange(len(y)))], axis=1)
    return Dataset("drawn", X, y, "", "", True, "")


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    return Setup(
        split=draw(st.sampled_from(["random", "label", "bias"])),
        label_points=draw(st.integers(0, 12)),
        label_rest=draw(st.sampled_from(["kept", "copied", "absent"])),
        bias_form=draw(st.sampled_from(["parameter", "linear", "label"])),
        records=draw(st.none() | st.integers(4, 30)),
    )


def nodes(data: Dataset, setup: Setup, seed: int) -> tuple[Node, Node] | None:
    """The nodes, or None where the split is refused, which it may be only for a lack of records."""
    try:
        return split(data, setup, np.random.default_rng(seed))
    except InputError as refused:
        text = str(refused)
        assert "left without records" in text or "out of" in text or "has only" in text
        return None


@given(data_sets(), setups(), SEEDS)
def test_a_node_holds_records_of_the_data_set_once_and_in_their_order(data: Dataset, setup: Setup, seed: int) -> None:
    for node in nodes(data, setup, seed) or ():
        assert node.records == len(node.y) == len(node.X) > 0
        assert (np.diff(node.rows) > 0).all()
        assert np.array_equal(node.X, data.X[node.rows])
        if setup.split != "bias" or node.name == "1":
            assert np.array_equal(node.y, data.y[node.rows])


@given(data_sets(), setups(), SEEDS)
def test_a_split_is_a_partition_unless_records_are_copied_or_left_out(data: Dataset, setup: Setup, seed: int) -> None:
    both = nodes(data, setup, seed)
    if both is None:
        return
    first, second = both
    total = len(data.y) if setup.records is None else setup.records
    shared = len(np.intersect1d(first.rows, second.rows))
    if setup.split == "label" and setup.label_rest == "absent":
        assert first.records == second.records == setup.label_points
        assert shared == 0
    elif setup.split == "label" and setup.label_rest == "copied":
        assert first.records + second.records == total + shared
        assert shared <= 2 * setup.label_points
    else:
        assert (shared, first.records + second.records) == (0, total)


@given(data_sets(), SEEDS, st.sampled_from(["random", "bias"]), st.integers(4, 60))
def test_the_nodes_hold_the_records_that_were_drawn(data: Dataset, seed: int, kind: str, records: int) -> None:
    both = nodes(data, Setup(split=kind, records=records), seed)
    if both is not None:
        expected = drawn(len(data.y), records, np.random.default_rng(seed))
        assert np.array_equal(np.union1d(both[0].rows, both[1].rows), expected)


@given(st.integers(1, 60), st.data(), SEEDS)
def test_records_are_drawn_without_repetition(total: int, data: st.DataObject, seed: int) -> None:
    records = data.draw(st.integers(1, total))
    rows = drawn(total, records, np.random.default_rng(seed))
    assert len(rows) == records
    assert (np.diff(rows) > 0).all()
    assert 0 <= rows[0] <= rows[-1] < total


@given(data_sets(), SEEDS, st.sampled_from(["random", "bias"]), st.none() | st.integers(4, 30))
def test_the_halves_differ_by_the_extra_record_of_node_1(
    data: Dataset, seed: int, kind: str, records: int | None
) -> None:
    both = nodes(data, Setup(split=kind, records=records), seed)
    if both is not None:
        assert both[0].records - both[1].records == (both[0].records + both[1].records) % 2


@given(data_sets(), SEEDS, st.integers(0, 12), st.sampled_from(["kept", "copied"]))
def test_a_foreign_label_is_one_of_the_random_records(data: Dataset, seed: int, points: int, rest: str) -> None:
    both = nodes(data, Setup(split="label", label_points=points, label_rest=rest), seed)
    if both is not None:
        assert int((both[0].y < 0).sum()) <= points
        assert int((both[1].y > 0).sum()) <= points
        assert min(each.records for each in both) >= points


@given(data_sets(), setups(), SEEDS)
def test_the_same_seed_gives_the_same_nodes_to_the_last_bit(data: Dataset, setup: Setup, seed: int) -> None:
    once, again = nodes(data, setup, seed), nodes(data, setup, seed)
    assert (once is None) == (again is None)
    for one, other in zip(once or (), again or (), strict=True):
        for name in ("X", "y", "rows", "linear", "centre"):
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


@given(data_sets(), setups(), SEEDS)
def test_features_do_not_decide_which_node_gets_a_record(data: Dataset, setup: Setup, seed: int) -> None:
    once, other = nodes(data, setup, seed), nodes(replace(data, X=np.exp(data.X / 60)), setup, seed)
    assert (once is None) == (other is None)
    for one, two in zip(once or (), other or (), strict=True):
        assert np.array_equal(one.rows, two.rows)


@given(data_sets(), SEEDS, st.sampled_from(["random", "bias"]))
def test_labels_do_not_decide_a_random_split(data: Dataset, seed: int, kind: str) -> None:
    once, other = (nodes(each, Setup(split=kind), seed) for each in (data, replace(data, y=-data.y)))
    for one, two in zip(once or (), other or (), strict=True):
        assert np.array_equal(one.rows, two.rows)


@given(data_sets(), setups(), SEEDS)
def test_centred_features_have_mean_zero_at_each_node(data: Dataset, setup: Setup, seed: int) -> None:
    plain, centred = nodes(data, setup, seed), nodes(data, replace(setup, centred=True), seed)
    for one, other in zip(plain or (), centred or (), strict=True):
        assert np.array_equal(one.rows, other.rows)
        # A mean of n numbers of size m is computed to n m 2^-53, and its subtraction rounds once more for each.
        assert (np.abs(other.X.mean(axis=0)) <= 4 * len(one.X) * np.abs(one.X).max() * 2.0**-52).all()


@given(data_sets(), setups(), SEEDS)
def test_nodes_do_not_share_memory_with_the_data_set(data: Dataset, setup: Setup, seed: int) -> None:
    for node in nodes(data, setup, seed) or ():
        assert not np.shares_memory(node.X, data.X)
        assert not np.shares_memory(node.y, data.y)


def test_every_record_can_be_drawn_from_the_whole_set() -> None:
    seen = [drawn(20, 5, np.random.default_rng(seed)) for seed in range(60)]
    assert np.array_equal(np.unique(np.concatenate(seen)), np.arange(20))


@pytest.mark.parametrize("kind", ["random", "label"])
def test_another_seed_gives_other_nodes(kind: str) -> None:
    y = np.tile([1.0, -1.0], 200)
    data = Dataset("many", np.zeros((400, 1)), y, "", "", True, "")
    seen = {split(data, Setup(split=kind), np.random.default_rng(seed))[0].rows.tobytes() for seed in range(5)}
    assert len(seen) == 5
