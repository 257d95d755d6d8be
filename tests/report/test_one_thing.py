"""One thing is in the singular: in a report of one claim, and in what the command line says of one."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from click.testing import CliRunner

from rgm_verify import cli
from rgm_verify.jobs import workers

#: A claim, a control, a variable: one of each.
ONE = """\
from rgm_verify.pages import *

page = Page("Mine", "Section 1")
x = page.positive("x")
first = page.theorem("mine:a", "A sum", ge(x + 1 / x, 2), wrong={"three": ge(x + 1 / x, 3)})
"""
#: The same with a step, and so with a claim that another one uses.
TWO = f"""{ONE.replace("3)})", "3)}, steps=(Premise('mine:b'),))")}
second = page.theorem("mine:b", "A square", ge((x - 1) ** 2, 0), wrong={{"one": ge((x - 1) ** 2, 1)}})
"""
#: A 1 that counts what a word that looks like a plural says, and no end of a formula.
PLURAL = re.compile(r"(?<![\d.,/+*^=<>≤≥-])(?<![-−+*/=(<>≤≥^] )\b1 (?:[a-z]+ )?([a-z]+s)\b")
#: Words with an s at their end that are in the singular.
NO_PLURALS = {"is", "was", "has", "answers", "uses", "rests", "stands", "covers", "as", "this", "means", "less", "its"}
COMMANDS = (
    ["list"],
    ["show", "mine:a"],
    ["run", "--out", "reports"],
    ["check", "x >= 1 for x = 1"],
    ["check", "x^2 >= 0"],
    ["check", "exp(x) >= 1 + x"],
    ["account", "gaussian", "--noise-multiplier", "5", "--delta", "1e-6", "--explain"],
    ["account", "dp-sgd", "--sampler", "poisson", "--dataset-size", "9", "--batch-size", "9", "--epochs", "1",
     "--noise-multiplier", "5", "--delta", "1e-6", "--explain"],
    ["account", "--eta", "1/1000", "--gamma", "1/10000", "--d", "1", "--delta", "1e-8", "--explain"],
    ["calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-6"],
)  # fmt: skip


def plurals(text: str) -> list[str]:
    """The places of a text where one thing is in the plural."""
    return [text[max(0, m.start() - 30) : m.end() + 20] for m in PLURAL.finditer(text) if m[1] not in NO_PLURALS]


@pytest.fixture(scope="module", params=[ONE, TWO], ids=["one claim", "two claims"])
def said(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the commands print, and the pages of the report, by their names."""
    place = tmp_path_factory.mktemp("one")
    (place / "claims").mkdir()
    (place / "claims" / "a.py").write_text(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr(workers, "make_executor", lambda jobs, *_: ThreadPoolExecutor(jobs))
        folder = ["--claims", "claims"]
        runs = {
            " ".join(words): CliRunner().invoke(
                cli.main, [*words, *(folder if words[0] in ("list", "show", "run") else [])]
            )
            for words in (["run", "--out", "reports"], *COMMANDS)
        }
    assert {name: run.output for name, run in runs.items() if run.exit_code not in (0, 1)} == {}
    pages = {p.name: p.read_text() for p in (place / "reports").rglob("*") if p.suffix in (".md", ".html")}
    assert len(pages) > 8
    return {name: run.output for name, run in runs.items()} | {
        name: unescape(re.sub(r"<pre.*?</pre>|<code.*?</code>|<[^>]*>", " ", page, flags=re.DOTALL))
        for name, page in pages.items()
    }


def test_one_thing_is_in_the_singular(said: dict[str, str]) -> None:
    assert {name: found for name, text in said.items() if (found := plurals(text))} == {}


def test_a_plural_of_one_is_found() -> None:
    assert len(plurals("a proof of 1 steps, with 1 exact points")) == 2
    assert plurals("1 step, 11 steps, T - 1 steps, 0.1 points, n = 1 holds, 1 is") == []
