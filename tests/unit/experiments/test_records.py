"""Records: complete, canonical, validated; and their compact form, which sentences are judged by."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.experiments.run import compact
from rgm_verify.experiments.run.records import Record, band, decode, encode, number, read, schema, write

from .conftest import method_of

VALUES = st.floats(min_value=1e-300, max_value=1e300)
CURVES = st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(VALUES, min_size=n, max_size=n), min_size=1, max_size=4))


# -------------------------------------------------------------------------------------------------------------- bands


@given(CURVES)
def test_a_band_holds_every_run_its_median_and_its_geometric_mean(curves: list[list[float]]) -> None:
    found = band(curves)
    columns = list(zip(*curves, strict=True))
    assert len(found.lower) == len(columns)
    for k, column in enumerate(columns):
        low, high = found.lower[k], found.upper[k]
        assert (low, high) == (min(column), max(column))
        for middle in (found.geometric_mean[k], found.median[k]):
            assert middle is not None
            assert low <= middle <= high


@given(VALUES, st.integers(1, 5))
def test_the_geometric_mean_of_equal_runs_is_their_value(value: float, count: int) -> None:
    assert band([[value]] * count).geometric_mean == [value]


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=6))
def test_the_geometric_mean_is_the_mean_of_the_exponents(exponents: list[int]) -> None:
    (found,) = band([[2.0**k] for k in exponents]).geometric_mean
    assert found is not None
    exponent = sum(exponents) / len(exponents)
    # In units of 2^-53: a logarithm is off by 2 at most, their sum and the mean are rounded once, an exponential is off
    # by 2; so much of the largest logarithm, then of 1, and as powers of two again. The check itself is rounded thrice.
    largest = max(map(abs, exponents))
    allowed = ((2 + 1 + 1) * largest + 2 / math.log(2) + 3 * (largest + 1)) * 2.0**-53
    assert abs(math.log2(found) - exponent) <= allowed


def test_what_has_no_geometric_mean_has_none() -> None:
    found = band([[1.0, 0.0, -1.0, None], [4.0, 2.0, 2.0, 1.0]])
    assert found.geometric_mean == [2.0, 0.0, None, None]
    assert found.median == [2.5, 1.0, 0.5, None]
    assert (found.lower, found.upper) == ([1.0, 0.0, -1.0, None], [4.0, 2.0, 2.0, None])


def test_a_band_of_a_run_that_was_not_feasible_is_empty() -> None:
    assert band([[1.0], []]).lower == []
    assert band([[]]).geometric_mean == []


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_is_not_finite_has_no_number(value: float) -> None:
    assert number(value) is None


# --------------------------------------------------------------------------------------------------------------- text


def test_a_record_survives_the_way_through_its_file(record: Record, tmp_path: Path) -> None:
    write(record, tmp_path / "record.json")
    again = read(tmp_path / "record.json")
    assert again == record
    assert encode(again) == (tmp_path / "record.json").read_bytes()


def test_a_record_names_no_folder_and_no_time(record: Record, tmp_path: Path) -> None:
    text = encode(record).decode()
    assert str(tmp_path) not in text
    assert "seconds" not in text


def test_the_schema_describes_every_record(record: Record) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    data = json.loads(encode(record))
    assert list(validator.iter_errors(data)) == []
    del data["panels"][0]["methods"][0]["band"]["upper"]
    assert list(validator.iter_errors(data)) != []


def test_what_stands_in_a_record_is_found_by_name(record: Record) -> None:
    panel = record.panel("right")
    assert record.source(panel).name == "ijcnn1"
    with pytest.raises(InputError, match="panel='middle': the record has left, right"):
        record.panel("middle")


BROKEN: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another format": (lambda d: d | {"format": "rgm-verify experiment 0"}, "format 'rgm-verify experiment 0'"),
    "no seed": (lambda d: {k: v for k, v in d.items() if k != "seed"}, "missing required field `seed`"),
    "a text for a number": (lambda d: d | {"runs": "3"}, r"Expected `int`, got `str` - at `\$.runs`"),
    "a run less": (lambda d: d | {"runs": 2}, "left/none: not the runs 0 to 1"),
    "no data": (lambda d: d | {"datasets": []}, "dataset='ijcnn1'"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_record_is_refused_with_the_reason(record: Record, kind: str) -> None:
    change, words = BROKEN[kind]
    with pytest.raises(InputError, match=words) as error:
        decode(json.dumps(change(json.loads(encode(record)))).encode(), name="some.json")
    assert "some.json" in str(error.value) or kind == "no data"


def test_numbers_that_were_changed_by_hand_are_noticed(record: Record) -> None:
    data = json.loads(encode(record))
    data["panels"][0]["methods"][1]["runs"][2]["curve"][0] = 1e-9
    with pytest.raises(InputError, match="left/clip-printed: the band is not that of the runs"):
        decode(json.dumps(data).encode(), name="some.json")
    data["panels"][0]["methods"][1]["runs"][2]["curve"].pop()
    with pytest.raises(InputError, match="left/clip-printed: the runs' curves differ in length"):
        decode(json.dumps(data).encode(), name="some.json")


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b"null"])
def test_what_is_no_record_is_refused(text: bytes) -> None:
    with pytest.raises(InputError, match=r"some\.json: not the record of an experiment"):
        decode(text, name="some.json")


def test_a_missing_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "none.json")


def test_a_record_is_written_as_a_whole_or_not_at_all(record: Record, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(InputError, match="cannot be written"):
        write(record, tmp_path / "file" / "record.json")
    assert [p.name for p in tmp_path.iterdir() if p.suffix or p.name == "file"] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"


# ------------------------------------------------------------------------------------------------------------- compact


def test_the_compact_form_survives_the_way_through_its_file(record: Record, tmp_path: Path) -> None:
    compact.write(record, tmp_path / "compact.json")
    data = (tmp_path / "compact.json").read_bytes()
    assert compact.decode(data, name="compact.json") == compact.compact(record)
    assert len(data) < 200_000


def test_the_compact_form_holds_the_numbers_of_the_record(record: Record) -> None:
    found = compact.compact(record)
    runs = method_of(record.panel("left"), "rgm-printed").runs
    for place in (0, 1, 2, 5):
        wanted = [Fraction(repr(run.curve[place])) for run in runs]
        assert found.intervals("left", "rgm-printed", f"at {place}") == [(v, v) for v in wanted]
    ends = [Fraction(repr(run.curve[-1])) for run in runs]
    assert found.intervals("left", "rgm-printed", "at the end") == [(v, v) for v in ends]
    assert found.intervals("left", "rgm-printed", "final value") == [(v, v) for v in ends]
    assert found.intervals("left", "rgm-printed", "node 2: eta") == [(Fraction(2, 100),) * 2] * 3
    assert found.intervals("left", "rgm-printed", "node 1: release") == [(Fraction(19, 100), Fraction(1, 5))] * 3


def test_round_iterations_are_kept() -> None:
    assert compact._places(300) == [0, 1, 2, 5, 10, 20, 50, 100, 200]
    assert compact._places(1) == [0, 1]
    assert compact._places(0) == [0]


def test_what_a_run_does_not_have_is_said(record: Record) -> None:
    found = compact.compact(record)
    with pytest.raises(InputError, match="quantity='at the end': the record has"):
        found.intervals("right", "rgm-vouched", "at the end")
    with pytest.raises(InputError, match="no finite value of it in some run"):
        found.intervals("right", "rgm-vouched", "node 1: release")
    assert found.intervals("right", "rgm-vouched", "node 1: floor") == [(Fraction(1, 4),) * 2] * 3


def test_large_experiments_keep_their_ends_and_costs(
    fake: ModuleType, recorded: Callable[..., Record], tmp_path: Path
) -> None:
    base = fake.experiment()
    panels = [replace(base.panels[0], name=f"panel-{i}") for i in range(60)]
    found = recorded(replace(base, panels=tuple(panels)), runs=2)
    compact.write(found, tmp_path / "compact.json")
    data = (tmp_path / "compact.json").read_bytes()
    assert len(data) <= compact.LARGEST_BYTES
    small = compact.decode(data, name="compact.json")
    assert len(small.intervals("panel-59", "rgm-printed", "at the end")) == 2
    assert small.choices(small.panel("panel-59")) == found.panels[59].setup
    assert small.intervals("panel-59", "rgm-printed", "node 1: release")[0] == (Fraction(19, 100), Fraction(1, 5))
    with pytest.raises(InputError, match="the record has"):
        small.intervals("panel-59", "rgm-printed", "at 2")


def test_a_compact_record_has_a_line_for_each_quantity_or_for_what_is_short(record: Record) -> None:
    lines = compact.encode(compact.compact(record)).decode().splitlines()
    numbers = [line for line in lines if line.strip().startswith(('"at the end": ', '{"method"'))]
    assert numbers
    assert all(line.count("[") == line.count("]") for line in numbers)  # no list of numbers goes on below
    assert max(len(line) for line in lines if ": {" not in line and '": [' not in line) <= 200
