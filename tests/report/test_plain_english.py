"""Words that outsiders stumbled over stand nowhere where a reader meets them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from click import Command, Group
from click.testing import CliRunner

from rgm_verify.cli import main
from rgm_verify.report.site.words import GLOSSARY

ROOT = Path(__file__).resolve().parents[2]
#: Turns of our own, with the usual words in their place where they are not plain.
TURNS = (
    r"lean(?:s|ed|ing)? on",  # used by
    r"can be had",
    r"spoiled by",
    r"more than misprints",
    r"misprints only",
    r"as one likes",  # arbitrarily
    r"no free variable",  # it is false
    r"not a failure",
    r"came to no end",  # tried without result
    r"gets below",
    r"left out of noise",
    r"more than one of them",
    r"what is left of the (?:statement|level)",
    r"fresh evidence",
    r"nothing of the kind",
    r"nothing is made of",
    r"unsatisfiable over the reals",
    r"stands: proved here",
    r"without the refuted step",
)
#: The same in claims and chapters as they stand.
IN_CLAIMS = re.compile(r"[Ww]hat is left (?:above|after|of (?:the (?:last|excess|squared|range)|\$))|\broutes?\b\"")
FORBIDDEN = re.compile("|".join(TURNS))
#: Names in the code of what readers know as controls and methods.
OF_THE_CODE = re.compile(r"\b(?:mutants?|lens(?:es)?|worlds?|numerical route)\b", re.IGNORECASE)
#: One thing is one thing; `T - 1 steps`, `d - 1 factors` and `0.1 points` are formulas.
PLURAL_OF_ONE = re.compile(
    r"(?<![\d.,/+*^-])(?<![-\u2212+*/] )\b1 (?:(?:exact|nonnegative|admissible|new|other|false) )?"
    r"(?:steps|points|boxes|worlds|terms|balls|cases|samples|roots|claims|statements|controls|theorems|runs|releases"
    r"|gradients|questions|mechanisms|combinations|misprints)\b"
)
GUIDES = (
    "README.md",
    "CONTRIBUTING.md",
    "examples/TUTORIAL.md",
    *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
)


#: Details of evidence are data, names with values side by side, and code is no prose.
DATA = re.compile(r'<dl class="details">.*?</dl>|<pre.*?</pre>|<code.*?</code>', re.DOTALL)


#: Attributes that a browser shows or reads aloud.
SAID = re.compile(r' (?:data-label|aria-label|title|alt|placeholder)="([^"]*)"')


def shown(page: str) -> str:
    """The words of a page of HTML or Markdown, with those of its attributes."""
    page = DATA.sub(" ", page)
    return unescape(" . ".join([re.sub(r"<[^>]*>", " ", page), *SAID.findall(page)]))


def turns(text: str) -> list[str]:
    """The forbidden turns of a text, each with what stands around it."""
    words = re.sub(r"\s+", " ", text)
    found = [*FORBIDDEN.finditer(words), *PLURAL_OF_ONE.finditer(words)]
    return [words[max(0, m.start() - 40) : m.end() + 40] for m in found]


def test_claims_and_chapters_say_it_in_usual_words() -> None:
    files = sorted((ROOT / "derivations").rglob("*.py"))
    assert len(files) > 100
    found = {p.name: IN_CLAIMS.findall(p.read_text(encoding="utf-8")) for p in files}
    assert {name: told for name, told in found.items() if told} == {}


def test_docstrings_and_comments_say_it_in_usual_words() -> None:
    # `leans_on.toml` has its name, and solvers say words that `plain` replaces.
    turns_of_code = re.compile("|".join(t for t in TURNS if not re.search("lean|free variable|unsatisfiable", t)))
    files = [p for room in ("rgm_verify", "derivations", "examples") for p in sorted((ROOT / room).rglob("*.py"))]
    texts = {str(p.relative_to(ROOT)): re.sub(r"\s+", " ", p.read_text(encoding="utf-8")) for p in files}
    assert {name: told for name, text in texts.items() if (told := turns_of_code.findall(text))} == {}


@pytest.mark.parametrize("name", sorted(GUIDES))
def test_guides_say_it_in_usual_words(name: str) -> None:
    assert turns((ROOT / name).read_text(encoding="utf-8")) == []


def test_the_report_says_it_in_usual_words(committed_report: dict[str, bytes]) -> None:
    pages = {name: content.decode() for name, content in committed_report.items() if name.endswith((".md", ".html"))}
    words = {name: shown(page) for name, page in pages.items()}
    assert {name: told for name, text in words.items() if (told := turns(text))} == {}
    assert {name: told for name, text in words.items() if (told := OF_THE_CODE.findall(text))} == {}


def helps(command: Command, *words: str) -> dict[str, str]:
    """The help of a command and of all below it, by their names."""
    found = {" ".join(words): CliRunner().invoke(main, [*words, "--help"]).output}
    if isinstance(command, Group):
        for word, below in command.commands.items():
            found |= helps(below, *words, word)
    return found


def test_help_says_it_in_usual_words() -> None:
    found = {name: turns(text) for name, text in helps(main).items()}
    assert len(found) > 15
    told = {name: OF_THE_CODE.findall(text) for name, text in helps(main).items()}
    assert {name: words for name, words in told.items() if words} == {}
    assert {name: told for name, told in found.items() if told} == {}


def in_words(name: str) -> str:
    """A guide without its code."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.sub(r"```.*?```|`[^`]*`", lambda code: " " * len(code[0]), text, flags=re.DOTALL)


def test_guides_explain_names_of_the_code_where_they_stand_first() -> None:
    for name in ("claims", "own-paper", "verdicts"):
        text = in_words(f"docs/{name}.md")
        first = OF_THE_CODE.search(text)
        assert first is not None
        assert "method" in text[max(0, first.start() - 100) : first.end() + 60], name
    for name in ("README.md", "docs/report.md", "docs/trust.md", "docs/privacy.md", "docs/dp-sgd.md", "docs/switch.md"):
        assert OF_THE_CODE.findall(in_words(name)) == [], name


def test_a_turn_is_found_where_it_stands() -> None:
    assert len(turns("What leans\non it (1 steps), as small as one likes.")) == 3
    assert turns("T - 1 steps, 0.1 points, 11 steps, k \u2212 1 points") == []


def test_the_glossary_has_at_most_ten_words_and_is_linked_from_the_first_page(
    committed_report: dict[str, bytes],
) -> None:
    assert 5 <= len(GLOSSARY) <= 10
    guide = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    reading = committed_report["site/reading.html"].decode()
    for word in GLOSSARY:
        assert f"| {word} | " in guide
        assert f'id="word-{word}"' in reading
    assert 'href="reading.html#words"' in committed_report["site/index.html"].decode()
