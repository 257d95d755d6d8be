"""The statements that make a claim, as the text of a file shows them."""

from __future__ import annotations

import pytest

from rgm_verify.engine.making import Making

TEXT = b"""\
from .norms import *
from .norms import upper

def _helper(basis):
    return page.remark(f"my:{basis}", "put together")

def _alone():
    return page.remark(
        "my:alone", "in a helper", steps=Premise("my:first"))

first = page.at(
    "Section 1",
).theorem(
    "my:first",
)
second = page.theorem("my:second", steps=(Premise("my:first"),))
one, two = _helper(1), \\
    _helper(2)
several = [
    *(_helper(basis) for basis in "ab"),
    _helper(3),
    page.remark("my:second-again", corrected="my:fifth"),
    _alone(),
    *(_helper(basis) for basis in "cd"),
]
for number in (4, 5):
    several.append(_helper(number))
if several:
    page.remark("my:lost")
else:
    both: list = [first, second]
"""


@pytest.fixture(scope="module")
def made() -> Making:
    return Making(TEXT)


@pytest.mark.parametrize(
    ("name", "id_", "position", "line"),
    [
        ("first", "my:first", None, 11),
        ("second", "my:second", None, 16),
        ("one", "my:1", None, 17),
        ("two", "my:2", None, 18),
        ("several", "my:alone", (4, 9), 8),
        ("several", "my:second-again", (3, 9), 22),
    ],
)
def test_the_line_is_that_of_the_call_that_makes_the_claim(
    made: Making, name: str, id_: str, position: tuple[int, int] | None, line: int
) -> None:
    assert made.line(name, id_, position) == line


@pytest.mark.parametrize(
    ("text", "position", "line"),
    [
        (b"many = [\n *f(),\n g(),\n h(),\n]", (5, 7), 3),
        (b"many = [\n *f(),\n g(),\n h(),\n]", (4, 7), 2),
        (b"many = [\n g(),\n *f(),\n *h(),\n]", (0, 7), 2),
        (b"many = [\n g(),\n *f(),\n *h(),\n]", (3, 7), 1),  # of either of two
        (b"many = [\n g(),\n h(),\n]", (1, 3), 1),  # something was added to it
        (b"many = [\n g(),\n h(),\n]", None, 1),
        (b"many = [\n g(x) for x in y\n]", (1, 3), 1),
        (b"many = []\nfor x in y:\n many.append(g(x))", (1, 3), 3),
        (b"many = []\nmany += [g(x)]", (0, 1), 2),
        (b"try:\n many = g(1)\nexcept E:\n pass\nelse:\n pass", None, 2),
        (b"match x:\n case 1:\n  many = g(1)", None, 3),
        (b"with x:\n many: int = g(1)", None, 2),
    ],
)
def test_an_id_that_is_put_together_has_the_line_of_the_element_or_of_the_statement(
    text: bytes, position: tuple[int, int] | None, line: int
) -> None:
    assert Making(text).line("many", "my:x", position) == line


def test_an_import_binds_nothing(made: Making) -> None:
    assert not made.binds("upper")
    assert made.line("upper", "my:upper") is None
    assert made.binds("both")


def test_what_names_the_id_is_likelier_than_a_call_and_a_call_than_a_list_of_names(made: Making) -> None:
    assert [made.rank(name, "my:first") for name in ("first", "one", "both", "upper")] == [2, 1, 0, 0]


def test_a_local_of_a_function_is_no_value_of_the_file() -> None:
    assert not Making(b"def f():\n    x = g(1)\nclass A:\n    x = g(2)").binds("x")
