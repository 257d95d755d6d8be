"""Formulas that a browser may break: MathML knows no line breaks, so a long formula becomes several short ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from xml.etree import ElementTree

from markupsafe import Markup

from rgm_verify.report.texts.latex import formula, segments

__all__ = ["broken", "prose", "width"]

_RELATIONS = frozenset("=≠<>≤≥≰≱≡≈≔→⟹⇒⟺⇔∈∉⊂⊆∧∨:")
_SUMS, _PRODUCTS, _LARGE = frozenset("+−±"), frozenset("⋅·×∘"), frozenset("∑∏∫∇⊤")
_OPENING, _CLOSING, _BARS = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋"), frozenset("|‖∥")
_TALL = frozenset(("mfrac", "mtable", "munder", "mover", "munderover", "msqrt", "mroot"))
#: In widths of a letter: what stays in one piece, and what a telephone's line holds.
_SHORT, LINE = 12, 27
#: What closes a sentence or a bracket stays with the formula before it.
_SIGN = re.compile(r"[).,;:?!]+")
#: A script is set smaller than what it stands at.
_SCRIPT = 0.7

Children = list[ElementTree.Element]


@lru_cache(maxsize=8192)
def broken(latex: str, *, display: bool = False) -> Markup:
    r"""MathML of one LaTeX formula, in pieces between which a line may end: before relations, then sums, then products.

    A piece that fits no telephone's line and has no such place stands in a box that scrolls sideways.

    Args:
        latex: The formula, without dollar signs.
        display: Whether it stands in a line of its own; then its box scrolls as a whole.

    Returns:
        One `math` element for a short formula; several with `wbr` between them for a long one.

    Raises:
        FormulaFault: For a formula that is not understood.

    Examples:
        >>> long = broken(r"a + b + c + d + e + f \le x y")
        >>> long.count("<math"), long.count("<wbr>")
        (2, 1)
    """
    made = formula(latex, display=display)
    # Parsed from what `formula` has checked, so that there is one way from LaTeX to a page.
    root = ElementTree.fromstring(made)
    pieces = _pieces(_row(root))
    # A formula in one piece is what the converter made, byte for byte.
    if len(pieces) == 1:
        return made if display or width(root) <= LINE else _scrolled(made)
    shown = [_as_math(piece, display) for piece in pieces]
    boxes = [_scrolled(text) if wide and not display else text for text, wide in shown]
    return Markup("<wbr>").join(boxes)


def prose(text: str) -> Markup:
    """HTML of a sentence whose `$...$` segments are LaTeX; its long formulas may be broken.

    Args:
        text: The sentence.

    Raises:
        FormulaFault: For a formula that is not understood.
    """
    parts: list[Markup] = []
    for kind, segment in segments(text):
        if kind != "text":
            parts.append(broken(segment, display=kind == "display"))
        elif (sign := _SIGN.match(segment)) and parts and parts[-1].endswith("</math>"):
            parts[-1:] = [_tied(parts[-1], sign[0]), Markup.escape(segment[sign.end() :])]
        else:
            parts.append(Markup.escape(segment))
    return Markup("").join(parts)


def _tied(made: Markup, sign: str) -> Markup:
    """Return a formula whose last piece stays on one line with the sign behind it."""
    before, start, last = made.rpartition("<math")
    return Markup('{}<span class="tie">{}{}</span>').format(Markup(before), Markup(start + last), sign)


def width(element: ElementTree.Element) -> float:
    """Return about how wide an element is, in widths of a letter.

    It is an estimate without fonts: a fraction is as wide as its wider part, a script counts less than what it stands
    at, and an operator between two terms brings blanks.

    Args:
        element: An element of MathML.

    Examples:
        >>> width(ElementTree.fromstring("<mfrac><mi>abc</mi><mn>2</mn></mfrac>"))
        3
    """
    parts = [width(child) for child in element]
    match element.tag:
        case "mfrac" | "munder" | "mover" | "munderover":
            return max(parts, default=0)
        case "msub" | "msup":
            return parts[0] + _SCRIPT * parts[1]
        case "msubsup":
            return parts[0] + _SCRIPT * max(parts[1:])
        case "mtable":
            rows = [[width(cell) for cell in row] for row in element]
            return float(sum(max(column) for column in zip(*rows, strict=False)))
        case "mo":
            return len(element.text or "") * (1.8 if _text(element) in _RELATIONS | _SUMS | _LARGE else 0.6)
        case "mspace":
            return 0.3
        case _:
            return sum(parts) + len((element.text or "").strip())


def _text(element: ElementTree.Element) -> str:
    """Return the characters of an operator; empty for what is none."""
    return (element.text or "").strip() if element.tag == "mo" else ""


def _row(root: ElementTree.Element) -> Children:
    """Return the parts of a formula in a row, without the elements that only hold them together."""
    children = list(root)
    while len(children) == 1 and children[0].tag == "mrow" and not children[0].attrib:
        children = list(children[0])
    return children


def _pieces(children: Children) -> list[Children]:
    """Return the pieces of a row: cut at relations, a long one at sums, then at products, and last within brackets.

    A row of at most `_SHORT` letters stays whole; a piece of at most `LINE` is cut no further.
    """
    if _width(children) <= _SHORT:
        return [children]
    found = _cut(children, _RELATIONS, inside=False)
    for signs in (_SUMS, _PRODUCTS):
        found = [p for part in found for p in ([part] if _width(part) <= LINE else _cut(part, signs, inside=False))]
    # Within brackets last: there a break reads worst.
    signs = _RELATIONS | _SUMS
    return _joined([p for x in found for p in ([x] if _width(x) <= LINE else _cut(list(_flat(x)), signs, inside=True))])


def _joined(pieces: list[Children]) -> list[Children]:
    """Return the pieces with neighbours joined that are short together: each is an element that is read alone."""
    found = pieces[:1]
    for piece in pieces[1:]:
        # A relation after the first stands at the begin of its line.
        free = len(found) == 1 or _text(piece[0]) not in _RELATIONS
        if free and _width(found[-1]) + _width(piece) <= _SHORT:
            found[-1] = [*found[-1], *piece]
        else:
            found.append(piece)
    return found


def _width(children: Iterable[ElementTree.Element]) -> float:
    """Return about how wide a row is."""
    return sum(width(child) for child in children)


def _cut(children: Children, before: frozenset[str], *, inside: bool) -> list[Children]:
    """Return a row cut before the operators that are given, and after commas; `inside` cuts within brackets too."""
    found: list[Children] = [[]]
    depth, bars = 0, 0
    for child in children:
        text = _text(child)
        free = inside or (depth == 0 and bars % 2 == 0)
        if text in before and free and found[-1] and not _is_sign(found[-1][-1]):
            # At the begin of a row a browser takes an operator for a sign and sets it without blanks.
            child.set("form", "infix")
            found.append([])
        found[-1].append(child)
        depth += (text in _OPENING) - (text in _CLOSING)
        # A bar opens and closes alike: an odd number of them means that one is open.
        bars += text in _BARS
        # A comma between arguments is a place for a break only once the relations have not sufficed.
        if text in (",", ";") and free and before is not _RELATIONS:
            found.append([])
    return [piece for piece in found if piece]


def _is_sign(before: ElementTree.Element) -> bool:
    """Return whether an operator after this element is a sign and no sum."""
    text = _text(before)
    return bool(text) and text not in _CLOSING | _BARS | {"!", "′", "⊤", "⋆", "∗", "*"}


def _flat(children: Iterable[ElementTree.Element]) -> Iterator[ElementTree.Element]:
    """Return a row with rows within it dissolved, unless their brackets have to grow with what is between them."""
    for child in children:
        if child.tag == "mrow" and not any(inner.tag in _TALL for inner in child.iter()):
            yield from _flat(child)
        else:
            yield child


def _as_math(children: Children, display: bool) -> tuple[Markup, bool]:
    """Return a piece as a formula of its own, and whether it is too wide for a telephone."""
    root = ElementTree.Element("math", {"displaystyle": "true"} if display else {"display": "inline"})
    row = ElementTree.SubElement(root, "mrow")
    row.extend(children)
    return Markup(ElementTree.tostring(root, encoding="unicode")), width(root) > LINE


def _scrolled(made: Markup) -> Markup:
    """Return a formula in a box that scrolls sideways and that the keyboard reaches."""
    return Markup('<span class="wide-formula" role="group" aria-label="formula" tabindex="0">{}</span>').format(made)
