"""HTML for notebooks: a table of fields, a verdict in its colour. Every text is escaped; formulas stand between `$`."""

from __future__ import annotations

from html import escape

from rgm_verify.numbers.shown import table

__all__ = ["badge", "math", "table"]

#: Colours that are told apart on a light and on a dark page.
_COLOURS = {
    "proved": "#1a7f37", "certified": "#1a7f37", "supported": "#9a6700", "undecided": "#6e7781", "refuted": "#cf222e",
    "informal": "#6e7781",
}  # fmt: skip


def badge(verdict: str) -> str:
    """Return a verdict in its colour."""
    return f'<b style="color:{_COLOURS.get(verdict, "#6e7781")}">{escape(verdict)}</b>'


def math(latex: str) -> str:
    """Return a formula for what sets LaTeX in a notebook; nothing in it can end the formula or begin a tag.

    Examples:
        >>> math("x < 1$")
        '$x &lt; 1$'
    """
    return f"${escape(latex.replace('$', ''))}$"
