"""One sign, brace or size of a bracket is changed: the reading changes, or there is none."""

from __future__ import annotations

import random
import re
from pathlib import Path

from rgm_verify.errors import InputError
from rgm_verify.statements.checking import read
from rgm_verify.statements.latex.reading import read_latex

_LIST = Path(__file__).parent.parent / "readable.txt"
#: What stands in the place of a sign.
_OTHERS = {
    "+": "-", "-": "+", "=": "<", "<": ">", ">": "<", r"\le": r"\ge", r"\leq": r"\geq", r"\ge": r"\le", "/": "",
    "{": "", "}": "", r"\left": "", r"\right": "", "^": "_", "_": "^", "(": "", ")": "", r"\frac": r"\binom", "|": "",
    r"\log": r"\exp", r"\sum": r"\prod", r"\max": r"\min", r"\cdot": "+", r"\sqrt": "", "2": "3", r"\geq": r"\leq",
    r"\sin": r"\cos",
}  # fmt: skip
_PLACE = re.compile(r"\\[A-Za-z]+|.", re.S)


def mutants() -> list[tuple[str, str]]:
    """Return pairs of a readable text and one with something changed in it, in a fixed order."""
    blocks = _LIST.read_text(encoding="utf-8").split("\n\n")
    texts = [next(line for line in block.strip().split("\n") if line[0] != "#") for block in blocks]
    made = []
    for latex in texts:
        # What a macro is called, and what it is for nobody, says nothing.
        start = max((m.end() for m in re.finditer(r"\\(?:newcommand|def|Declare\w+)[^ ]*?\}\s*", latex)), default=0)
        for match in _PLACE.finditer(latex, start):
            if match[0] in _OTHERS:
                made.append((latex, f"{latex[: match.start()]}{_OTHERS[match[0]]} {latex[match.end() :]}"))
            # A brace that stands one sign later takes that sign in.
            if match[0] == "}" and match.end() < len(latex) and latex[match.end()].isalnum():
                after = match.end() + 1
                made.append((latex, f"{latex[: match.start()]} {latex[match.end() : after]}}}{latex[after:]}"))
    random.Random(20).shuffle(made)
    return made[:700]


def test_a_changed_text_is_read_differently_or_refused() -> None:
    unnoticed = []
    for latex, changed in mutants():
        before = [one.statement for one in read_latex(latex)]
        try:
            after = [one.statement for one in read_latex(changed)]
        except InputError:
            continue
        if before == after:
            unnoticed.append((latex, changed))
    assert not unnoticed
    assert len(mutants()) >= 500


def test_what_is_read_has_no_doubt_left_for_the_grammar() -> None:
    blocks = _LIST.read_text(encoding="utf-8").split("\n\n")
    for latex in (next(line for line in block.strip().split("\n") if line[0] != "#") for block in blocks):
        one = read_latex(latex)[0]
        # Powers of powers are refused by their size.
        if one.text != "x^(y^z) >= 0":
            read(one.text)
