"""Formulas as one line of text, for a terminal: fractions with a stroke, powers with ^, roots by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

from rgm_verify.report.texts.latex import FormulaFault, formula, segments

#: Signs that stand between blanks, and characters that a terminal shows in a simpler form.
_SPACED = frozenset("=≠<>≤≥≰≱+−±→⟹⇒⟺⇔∈∉∩∪≈≔∧∨:")
_SIMPLER = str.maketrans({"−": "-", "―": "¯", "\u2061": "", "\u2062": "", "\u00a0": " "})
#: Elements that hold characters and no other elements.
_TOKENS = frozenset(("mspace", "mtext", "mo", "mi", "mn"))
#: What needs no brackets in a fraction or as an index: a number, a name, or something in brackets already.
_SINGLE = re.compile(r"[\w.]+|\w*\([^()]*\)")


def readable(text: str) -> str:
    r"""A sentence with its formulas, which are between dollar signs, as text; `FormulaFault` where one has no form.

    Examples:
        >>> readable(r"at most $\frac{a}{2}$")
        'at most a/2'
    """
    parts = (words if kind == "text" else readable_formula(words) for kind, words in segments(text))
    return "".join(parts)


def readable_formula(latex: str) -> str:
    r"""One formula (without dollar signs) as text; `FormulaFault` where it has no form.

    It goes through the MathML of the pages, so that a terminal shows what a page shows.

    Examples:
        >>> readable_formula(r"\sqrt{x} \le \frac{a+b}{2}"), readable_formula(r"x^{n+1}")
        ('sqrt(x) ≤ (a + b)/2', 'x^(n + 1)')
    """
    # Spaced signs bring blanks along, also next to brackets.
    shown = _text(ElementTree.fromstring(formula(latex)))
    return re.sub(r"\s+", " ", shown).replace("( ", "(").replace(" )", ")").strip()


def _text(element: ElementTree.Element) -> str:
    """Return one element of MathML as text."""
    tag = element.tag.rpartition("}")[2]
    return _token(tag, element.text or "") if tag in _TOKENS else _layout(tag, element)


def _token(tag: str, text: str) -> str:
    """Return an element that holds characters: a blank, words, a sign, a name or a number."""
    if tag == "mspace":
        return " "
    if tag == "mtext":
        return f" {text.strip()} "
    shown = text.translate(_SIMPLER)
    if tag != "mo":
        return shown
    # The sign is looked up as it came: a simpler form need not be among those with blanks around them.
    return f" {shown} " if text in _SPACED else f"{shown} " if shown == "," else shown


def _layout(tag: str, element: ElementTree.Element) -> str:
    """Return an element that arranges others; one of a kind that is not known as its parts in a row."""
    parts = list(element)
    match tag:
        case "mfrac":
            return _fraction(element)
        case "msup":
            return f"{_bracketed(_text(parts[0]))}^{_bracketed(_text(parts[1]))}"
        case "mover":
            return f"{_text(parts[0])}{_text(parts[1])}"
        case "msub" | "munder":
            return f"{_text(parts[0])}_{_index(parts[1])}"
        case "msubsup" | "munderover":
            return f"{_text(parts[0])}_{_index(parts[1])}^{_bracketed(_text(parts[2]))} "
        case "msqrt":
            return f"sqrt({_joined(parts)})"
        case "mroot":
            return f"root({_text(parts[0])}, {_text(parts[1])})"
        case "mtable":
            return _rows(" ".join(_text(cell) for cell in row).strip() for row in parts)
        case _:
            return _joined(parts) if parts else (element.text or "")


def _index(element: ElementTree.Element) -> str:
    """Return a subscript as text: letters in a row are a word."""
    text = _text(element).strip()
    return _bracketed(text.replace(" ", "") if re.fullmatch(r"(?:[^\W\d] )+[^\W\d]", text) else text)


def _rows(rows: Iterable[str]) -> str:
    """Rows in one line: a row that begins with a sign continues the row before."""
    found = ""
    for row in rows:
        found += row if not found else f" {row}" if row[:1] in _SPACED else f"; {row}"
    return found


def _fraction(element: ElementTree.Element) -> str:
    """Return a fraction with a stroke, or a binomial coefficient."""
    above, below = (_text(part) for part in element)
    if element.get("linethickness") == "0":  # a binomial coefficient, between its own brackets
        return f"{above} choose {below}"
    return f"{_bracketed(above)}/{_bracketed(below)}"


def _bracketed(text: str) -> str:
    """Return a text in brackets, unless it is one thing."""
    text = text.strip()
    return text if _SINGLE.fullmatch(text) or len(text) == 1 else f"({text})"


def _joined(parts: Iterable[ElementTree.Element]) -> str:
    """The parts in a row, with a blank where two names, numbers or quotients meet that are multiplied."""
    found = ""
    for part in parts:
        more = _text(part)
        touching = found[-1:].isalnum() or found[-1:] == ")"
        # A name before a bracket is a function with its argument; a single letter before one is a product.
        name = bool(re.search(r"[A-Za-z]{2,}$", found)) and more.startswith("(")
        found += f" {more}" if touching and (more[:1].isalnum() or more[:1] == "(") and not name else more
    return found


__all__ = ["FormulaFault", "readable", "readable_formula"]
