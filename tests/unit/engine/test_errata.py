"""What is wrong with each refuted claim, in words: data beside the claims, each sentence by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rgm_verify.engine.discovery import load
from rgm_verify.engine.errata import read_in_words
from rgm_verify.report.check import sentences_that_no_page_shows


def written(folder: Path, text: str) -> Path:
    (folder / "errata.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_without_the_file_has_no_sentences(tmp_path: Path) -> None:
    assert read_in_words(tmp_path, {"s:a"}) == ({}, [])


@pytest.mark.parametrize(
    ("line", "said"),
    [("'s:c' = 'x'", "no claim of this folder"), ("'s:b' = 3", "s:b=3"), ("'s:b' = ' '", "expected a sentence")],
)
def test_a_bad_sentence_costs_itself_alone(tmp_path: Path, line: str, said: str) -> None:
    folder = written(tmp_path, f"[in_words]\n's:a' = 'The sign is wrong.'\n{line}\n")
    found, (refusal,) = read_in_words(folder, {"s:a", "s:b"})
    assert found == {"s:a": "The sign is wrong."}
    assert said in str(refusal)


@pytest.mark.parametrize("text", ["[in_words", "[words]\na = 'x'", "in_words = 3"])
def test_a_file_of_another_form_is_refused_as_a_whole(tmp_path: Path, text: str) -> None:
    found, (refusal,) = read_in_words(written(tmp_path, text), {"a"})
    assert found == {}
    assert refusal.file == "errata.toml"


def test_a_folder_carries_its_sentences_and_goes_on_without_bad_ones(folder: Callable[..., Path]) -> None:
    place = folder(one="A = claim('s:a', ge(x + 1, 0))\n")
    written(place, "[in_words]\n's:a' = 'It is $x$.'\n's:gone' = 'x'\n")
    paper = load(place, strict=False)
    assert paper.in_words == {"s:a": "It is $x$."}
    assert [refusal.file for refusal in paper.refused] == ["errata.toml"]


def test_a_sentence_that_no_page_shows_is_named() -> None:
    ((identifier, fault),) = sentences_that_no_page_shows({"s:a": r"It is $\frac{x$.", "s:b": "It is $x$."})
    assert identifier == "s:a"
    assert "in_words" in fault
