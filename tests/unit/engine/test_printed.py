"""What a source prints for each statement: data beside the claims, each table by itself."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from rgm_verify.claims.outcome.ledger import PrintedEntry, SourceEntry
from rgm_verify.engine.discovery import load
from rgm_verify.engine.printed import read_printed
from rgm_verify.report.check import prints_that_no_page_shows

DERIVATIONS = Path(__file__).resolve().parents[3] / "derivations"
SOURCE = SourceEntry(title="The paper", links={"one": "https://example.org/1", "two": "https://example.org/2"})


def written(folder: Path, text: str, name: str = "a.toml") -> Path:
    (folder / "printed").mkdir(exist_ok=True)
    (folder / "printed" / name).write_text(text, encoding="utf-8")
    return folder


def test_every_statement_of_the_inventory_has_what_is_printed_or_that_it_is_words() -> None:
    paper = tomllib.loads((DERIVATIONS / "paper.toml").read_text(encoding="utf-8"))
    titles = {entry: table["title"] for table in paper["sources"].values() for entry in table["inventory"]}
    sources = [SourceEntry(title=t["title"], links=t.get("links", {})) for t in paper["sources"].values()]
    printed, refused = read_printed(DERIVATIONS, titles, sources, titles)
    assert refused == []
    assert sorted(printed) == sorted(titles)
    assert list(prints_that_no_page_shows(printed)) == []
    assert sum(bool(entry.formula) for entry in printed.values()) > 390
    # Words of a source may not be carried: what joins formulas is short.
    for identifier, entry in printed.items():
        for words in re.findall(r"\\text\{([^{}]*)\}", entry.formula):
            assert len(words) <= 24, (identifier, words)


def test_links_are_those_of_the_source_or_the_ones_that_are_named(tmp_path: Path) -> None:
    text = "[A]\nplace = 'Section 1'\nformula = 'x'\n[B]\nplace = 'p'\nformula = ''\nlinks = ['two']\n"
    found, refused = read_printed(written(tmp_path, text), {"A": "The paper", "B": "The paper"}, [SOURCE], {"A", "B"})
    assert refused == []
    assert found["A"] == PrintedEntry(place="Section 1", formula="x", links=SOURCE.links)
    assert found["B"] == PrintedEntry(place="p", links={"two": "https://example.org/2"})


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("place = 'p'\nformula = ''", "no statement of the inventory"),
        ("formula = 'x'", "place"),
        ("place = 'p'\nformula = 3", "formula"),
        ("place = 'p'\nformula = ''\nformulas = 'x'", "formulas"),
        ("place = 'p'\nformula = ''\nlinks = ['three']", "'three', which its source does not have; it has one, two"),
    ],
)
def test_a_bad_table_costs_itself_alone(tmp_path: Path, table: str, said: str) -> None:
    name = "C" if "no statement" in said else "B"
    text = f"[A]\nplace = 'p'\nformula = 'x'\n[{name}]\n{table}\n"
    found, (refusal,) = read_printed(
        written(tmp_path, text), {"A": "The paper", "B": "The paper"}, [SOURCE], {"A", "B"}
    )
    assert list(found) == ["A"]
    assert refusal.file == "printed/a.toml"
    assert name in str(refusal)
    assert said in str(refusal)


def test_a_file_that_is_no_toml_and_a_second_table_cost_themselves_alone(tmp_path: Path) -> None:
    text = "[A]\nplace = 'p'\nformula = 'x'\n"
    for name, content in (("a.toml", text), ("b.toml", "[A"), ("c.toml", text)):
        written(tmp_path, content, name)
    found, refused = read_printed(tmp_path, {"A": "The paper"}, [SOURCE], {"A"})
    assert list(found) == ["A"]
    assert [refusal.file for refusal in refused] == ["printed/b.toml", "printed/c.toml"]
    assert "already" in refused[1].message


def test_a_bad_paper_file_is_refused_alone(folder: Callable[..., Path]) -> None:
    place = folder(one="A = claim('a', ge(x + 1, 0))\n")
    (place / "paper.toml").write_text("titel = 'x'\n")
    written(place, "[A]\nplace = 'p'\nformula = 'x'\n[B]\nplace = 'p'\nformula = 'x'\n")
    assert [refusal.file for refusal in load(place, strict=False).refused] == ["paper.toml"]


def test_a_print_that_no_page_shows_is_named() -> None:
    printed = {"A": PrintedEntry(place="p", formula=r"\frac{x"), "B": PrintedEntry(place="p", formula="x")}
    ((identifier, fault),) = prints_that_no_page_shows(printed)
    assert identifier == "A"
    assert "formula" in fault
