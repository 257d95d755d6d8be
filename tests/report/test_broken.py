"""Long formulas in pieces: nothing is lost, brackets stay whole where they can, and what cannot break may scroll."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rgm_verify.claims.evidence import Kind
from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger
from rgm_verify.report.site.words import KINDS
from rgm_verify.report.texts.broken import LINE, broken, prose, width
from rgm_verify.report.texts.latex import formula

ROOT = Path(__file__).resolve().parents[2]
_TERM = st.sampled_from(
    ["a", r"\alpha", "x_{1}", "b^{2}", r"\frac{a}{b}", r"\left(a + \frac{b}{c}\right)", r"f(x, y + 1)", "|a - b|", "-c"]
)
_SIGN = st.sampled_from([" + ", " - ", r" \le ", " = ", r" \cdot ", ", ", " "])


def _characters(html: str) -> str:
    return "".join(ElementTree.fromstring(f"<p>{html}</p>").itertext())


def _parts(html: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(f"<p>{html.replace('<wbr>', '')}</p>").iter() if e.tag == "math"]


@given(st.lists(st.tuples(_TERM, _SIGN), min_size=1, max_size=12), st.booleans())
@example([(r"\left(a + \frac{b}{c}\right)", r" \cdot ")] * 2 + [("f(x, y + 1)", r" \cdot ")] * 3, True)
@example([("a", " + "), *[("f(x, y + 1)", r" \cdot ")] * 3], False)
@example([("f(x, y + 1)", " ")] * 5, True)
def test_no_character_is_lost_and_brackets_stay_whole_unless_factors_without_a_sign_fill_a_line(found, display):
    latex = "".join(term + sign for term, sign in found) + "z"
    html = str(broken(latex, display=display))
    assert _characters(html.replace("<wbr>", "")) == _characters(str(formula(latex, display=display)))
    # Between factors without a sign there is no place for a break: where these are wider than a line, brackets are cut.
    runs = "".join(term + (sign if sign.isspace() else "\n") for term, sign in [*found, ("z", "\n")]).splitlines()
    longest = max(width(ElementTree.fromstring(str(formula(run)))) for run in runs)
    for part in _parts(html) if longest <= LINE else ():
        text = "".join(part.itertext())
        assert text.count("(") == text.count(")"), (latex, text)
        assert text.count("|") % 2 == 0, (latex, text)


def test_a_formula_is_cut_before_its_relations_and_a_long_side_before_its_sums():
    sums = " + ".join(f"x_{{{i}}} y_{{{i}}}" for i in range(12))
    parts = [
        "".join(part.itertext()) for part in _parts(str(broken(rf"f(x + y + z + t) \le {sums} = 0", display=True)))
    ]
    assert parts[0] == "f(x+y+z+t)"
    assert parts[1].startswith("≤")
    assert parts[-1] == "=0"
    assert all(part[0] in "≤+=" for part in parts[1:])
    assert len(parts) > 5
    # A sign is no sum: nothing ends with a relation whose side stands in the next line.
    assert not any(part.endswith(("≤", "=", "+")) for part in parts)


def test_what_begins_a_piece_keeps_the_blanks_of_an_operator_between_two():
    part = _parts(str(broken(r"a a a a a a a + b b b b b b b b \le c c c c c c c")))[-1]
    first = next(e for e in part.iter() if e.tag == "mo")
    assert (first.text, first.get("form")) == ("≤", "infix")


def test_brackets_are_cut_only_where_nothing_else_is_left():
    inner = " + ".join("abc" for _ in range(12))
    for latex in (rf"x \le ({inner})", rf"x \le \left({inner}\right)"):
        assert len(_parts(str(broken(latex)))) > 4
    # Brackets that grow with a fraction cannot be taken apart: the box scrolls.
    html = str(broken(rf"x \le \left({inner} + \frac{{1}}{{2}}\right)"))
    assert 'class="wide-formula"' in html
    assert 'tabindex="0"' in html


def test_a_fraction_that_is_too_wide_scrolls_and_a_short_formula_is_left_alone():
    wide = r"\frac{" + " + ".join("abc" for _ in range(12)) + "}{2}"
    assert str(broken(wide)).startswith('<span class="wide-formula"')
    assert broken(wide, display=True) == formula(wide, display=True)
    assert broken(r"a \le b") == formula(r"a \le b")
    assert 'class="wide-formula"' in str(prose(f"So ${wide}$ holds."))


def test_the_committed_formulas_keep_all_their_characters():
    claims = read_ledger(ROOT / "reports" / FOLDER).claims
    formulas = {c.formula for c in claims} | {n.value for c in claims for n in c.names}
    broken_up = 0
    for latex in sorted(formulas - {""}):
        html = str(broken(latex, display=True))
        assert _characters(html.replace("<wbr>", "")) == _characters(str(formula(latex, display=True))), latex
        broken_up += "<wbr>" in html
    assert broken_up > 300


@pytest.mark.parametrize(("latex", "least", "most"), [("abc", 3, 3), (r"\frac{abc}{d}", 3, 3), ("a^{bc}", 2, 2.5)])
def test_a_width_is_about_that_of_the_letters(latex: str, least: float, most: float):
    assert least <= width(ElementTree.fromstring(str(formula(latex)))) <= most < LINE


def test_a_closing_sign_stays_on_the_line_of_its_formula():
    made = prose("printed is 0.1 ($d = 100$, $x$), and so on")
    assert [shown for shown in re.findall(r'<span class="tie">.*?</span>', made) if "<math" not in shown] == []
    assert made.count("</math>,</span>") == 1
    assert made.count("</math>),</span>") == 1
    assert "tie" not in prose("$x$ and $y$")


def test_every_kind_of_evidence_is_explained():
    assert set(KINDS) == set(Kind)
