"""Text and formulas written so that Markdown shows them as they are."""

from __future__ import annotations

import re

from rgm_verify.report.texts.indices import with_word_indices
from rgm_verify.report.texts.latex import segments

#: Commands that Markdown would eat the backslash of or that a code host refuses, and characters that it would read as
#: its own.
_IN_FORMULAS = (
    (re.compile(r"\\operatorname\*?(?![A-Za-z])"), r"\\mathrm"),
    (re.compile(r"\\\|"), r"\\Vert "),
    (re.compile(r"\\\{"), r"\\lbrace "),
    (re.compile(r"\\\}"), r"\\rbrace "),
    (re.compile(r"\\[,:]"), r"\\thinspace "),
    (re.compile(r"\\;"), r"\\enspace "),
    (re.compile(r"\\!"), r""),
    (re.compile(r"\\\\"), r"\\cr "),
    (re.compile(r"\|"), r"\\vert "),
    (re.compile(r"<"), r"\\lt "),
    (re.compile(r">"), r"\\gt "),
    (re.compile(r"\*"), r"\\ast "),
    (re.compile(r"\s+"), " "),
)
_SPECIAL = re.compile(r"([\\`*_{}\[\]|#~])")


def sentence(words: str) -> str:
    r"""A sentence on one line: its formulas kept as LaTeX that survives Markdown, the rest escaped.

    Args:
        words: A sentence with formulas between dollar signs.

    Raises:
        FormulaFault: For a dollar sign without a partner.

    Examples:
        >>> print(sentence("a_b at $x|y$"))
        a\_b at $x\vert y$
    """
    parts = []
    for kind, segment in segments(words):
        parts.append(text(segment) if kind == "text" else f"${formula(segment)}$")
    return "".join(parts).strip()


def formula(latex: str) -> str:
    r"""LaTeX, to be put between dollar signs, with the commands and characters spelt that Markdown would eat.

    A bar would end a cell of a table, and `\{` lose its backslash; commands of letters survive. Code hosts show no
    formula with `\operatorname`.

    Examples:
        >>> print(formula(r"\{x\} < |y|"))
        \lbrace x\rbrace \lt \vert y\vert
    """
    # In their order: `\|` before `|`, which would leave the backslash behind.
    latex = with_word_indices(latex)
    for pattern, replacement in _IN_FORMULAS:
        latex = pattern.sub(replacement, latex)
    return latex.strip()


def text(words: str) -> str:
    r"""Plain text with everything escaped that Markdown or HTML would read as its own.

    Examples:
        >>> text("a_b < c")
        'a\\_b &lt; c'
    """
    # The ampersand first, or it would escape the others a second time.
    escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    return _SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", escaped))
