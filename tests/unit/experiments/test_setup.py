"""Setups: defaults of the paper, alternatives that are named, plain data back and forth, and what is refused."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.setup import Setup, describe


def test_the_defaults_are_the_numbers_of_section_6() -> None:
    setup = Setup()
    numbers = {name: setup.fraction(name) for name in ("regularization", "order", "level")}
    assert numbers == {"regularization": Fraction(3, 100), "order": 2, "level": Fraction(1, 10)}
    assert (setup.dataset, setup.split, setup.label_points) == ("ijcnn1", "random", 50)


def test_every_field_is_described_with_its_default() -> None:
    described = {choice.name: choice for choice in describe()}
    assert set(described) == {each.name for each in fields(Setup)}
    assert all(choice.meaning for choice in described.values())
    assert {name: choice.default for name, choice in described.items()} == Setup().to_json()


@pytest.mark.parametrize("choice", [c for c in describe() if c.alternatives], ids=lambda c: c.name)
def test_every_alternative_is_accepted_and_no_other(choice) -> None:
    for other in choice.alternatives:
        assert getattr(replace(Setup(), **{choice.name: other}), choice.name) == other
    with pytest.raises(InputError, match=f"{choice.name}='nonsense'.*{choice.default}"):
        replace(Setup(), **{choice.name: "nonsense"})


def test_a_setup_survives_the_way_through_plain_data() -> None:
    setup = Setup(split="bias", bias_size="7/3", records=1000, centred=True)
    assert Setup.from_json(setup.to_json()) == setup
    assert Setup.from_json({}) == Setup()


def test_texts_of_setups_are_equal_exactly_for_equal_setups() -> None:
    assert Setup().text() == Setup().text()
    for choice in describe():
        if choice.alternatives:
            assert replace(Setup(), **{choice.name: choice.alternatives[0]}).text() != Setup().text()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"regularization": 0.03}, "expected a text"),
        ({"regularization": "0"}, "must be > 0"),
        ({"level": "abc"}, "level"),
        ({"order": "1"}, "must be > 1"),
        ({"delta": "1"}, "must be < 1"),
        ({"rho": "3/2"}, "must be < 1"),
        ({"bias_size": "-1"}, "must be >= 0"),
        ({"iterations": 0}, "must be >= 1"),
        ({"iterations": 2.5}, "expected an integer"),
        ({"iterations": True}, "expected an integer"),
        ({"iterations": None}, "expected an integer"),
        ({"records": 3}, "must be >= 4"),
        ({"centred": "yes"}, "expected true or false"),
        ({"dataset": 5}, "expected a text"),
    ],
)
def test_what_no_field_allows_is_refused_by_name(changes, message) -> None:
    with pytest.raises(InputError, match=message):
        replace(Setup(), **changes)


def test_an_unknown_field_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"colour.*dataset"):
        Setup.from_json({"colour": "red"})
