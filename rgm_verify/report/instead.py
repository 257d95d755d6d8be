"""The formula that stands beside a refuted one: never the same formula twice, with what differs in the conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rgm_verify.claims.outcome.ledger import ClaimEntry, PrintedEntry

#: LaTeX that changes no meaning: sizes of brackets, spaces, and signs of alignment.
_LAYOUT = re.compile(r"\\(?:left|right|[Bb]igg?[lr]?)(?![A-Za-z])|\\(?:quad|qquad)(?![A-Za-z])|\\[,;:! ]|[\s&]")


def same(first: str, second: str) -> bool:
    r"""Return whether two formulas look the same to a reader.

    Examples:
        >>> same(r"\left(x\right) \le y", r"(x)\,\le y"), same("x", "y")
        (True, False)
    """
    return _LAYOUT.sub("", first) == _LAYOUT.sub("", second)


def instead(claim: ClaimEntry, right: ClaimEntry, prints: Iterable[PrintedEntry]) -> str:
    """Return the formula of what is right instead of a refuted claim, as it is shown beside that claim.

    Where it looks like one that is shown for the refuted claim, the conditions that this one lacks stand before it.

    Args:
        claim: The refuted claim.
        right: The claim that is right instead.
        prints: What the source prints for the refuted claim.
    """
    shown = right.printed or right.formula
    others = [claim.printed, claim.formula, *(print_.formula for print_ in prints)]
    if not any(other and same(shown, other) for other in others):
        return shown
    known = {h.latex for h in claim.hypotheses}
    conditions = [h.latex for h in right.hypotheses if h.latex and h.latex not in known]
    # An aligned formula cannot stand in a line with others, and a list of its own keeps them readable.
    return (
        r"\begin{aligned} & " + r" \\ & ".join([*conditions, rf"\Longrightarrow\; {_inner(shown)}"]) + r" \end{aligned}"
    )


def _inner(latex: str) -> str:
    """Return a formula without an alignment around it."""
    inner = re.fullmatch(r"\\begin\{aligned\}(.*)\\end\{aligned\}", latex.strip(), re.DOTALL)
    return re.sub(r"^\s*&\s*", "", inner[1]).strip() if inner else latex
