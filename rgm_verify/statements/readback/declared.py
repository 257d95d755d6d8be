r"""Names that a page declares, put into its formulas as plain variables that the reader of LaTeX knows.

A page may call a variable $\|R(x)\|$ or $e^\epsilon$: its list of variables says so, and names for expressions stand in
its list of names. Both are replaced sign by sign before a formula is read, the longest name first.

Examples:
    >>> Declared([r"\|R(x)\|", r"\sigma'"]).plain(signs(r"\left(\|R(x)\|^{2} + \frac{\sigma'}{2}\right)"))
    '( {z_{1}} ^ {2} + \\frac { {z_{2}} } { 2 } )'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["Declared", "Unread", "closing", "signs", "standing"]

_SIGN: Final = re.compile(r"\\(?:left|right)\s*[|.]|\\[A-Za-z]+\*?|\\.|[0-9]+(?:\.[0-9]+)?|\S", re.DOTALL)
#: Sizes of brackets and thin spaces, which say nothing.
_SILENT: Final = re.compile(r"\\(?:left|right|[bB]igg?[lrm]?|[,;:! ]|displaystyle|thinspace|limits)$")
#: Commands whose argument is a word, in which no variable stands.
_WORDS: Final = (r"\text", r"\operatorname", r"\mathrm")
_CLOSED: Final = {"{": "}", "(": ")", r"\left.": r"\right|"}


class Unread(Exception):
    """A statement that is not read: the text is the reason."""


def signs(latex: str) -> list[str]:
    r"""Return the signs of a text in LaTeX, without spaces, sizes of brackets, and braces that change nothing.

    Examples:
        >>> signs(r"\left(x_{1}^{2}\,y\right) \left|{x}\right|")
        ['(', 'x', '_', '1', '^', '2', 'y', ')', '\\left|', 'x', '\\right|']
    """
    found = [re.sub(r"\s", "", sign) for sign in _SIGN.findall(latex) if not _SILENT.match(sign)]
    at = 0
    while at + 3 < len(found):
        inner = found[at + 2]
        if found[at] in "_^" and found[at + 1] == "{" and found[at + 3] == "}" and inner not in "{}":
            found[at + 1 : at + 4] = [inner]
        elif found[at] == r"\left|" and found[at + 1] == "{":
            end = closing(found, at + 1)
            if found[end + 1 : end + 2] == [r"\right|"]:
                del found[end], found[at + 1]
        at += 1
    return found


def closing(found: Sequence[str], at: int) -> int:
    r"""Return where the brace, the parenthesis or the `\left.` at a place is closed; raises `Unread`."""
    opened, closed, depth = found[at], _CLOSED[found[at]], 0
    for place in range(at, len(found)):
        depth += (found[place] == opened) - (found[place] == closed)
        if not depth:
            return place
    raise Unread(f"{opened} is not closed")


def standing(number: int) -> str:
    """Return a sign that stands for a name; no text is read as one."""
    return f"\0{number}"


class Declared:
    """The names of a page, each as a list of signs; the k-th of them, from 1, becomes the variable `z_{k}`.

    Args:
        names: LaTeX of variables and of names for expressions.

    Raises:
        Unread: For two names that are one text, and for a name beside one that is it with an exponent.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = [tuple(signs(name)) for name in names]
        for name in self.names:
            if self.names.count(name) > 1:
                raise Unread("two names of the page are the same text")
            if any(other[: len(name) + 1] == (*name, "^") for other in self.names):
                raise Unread("a name of the page may also be a power of another one")
        self._longest = sorted(range(len(names)), key=lambda k: -len(self.names[k]))

    def number(self, found: Sequence[str]) -> int:
        """Return the number of the name that these signs are, 0 for none."""
        return self.names.index(tuple(found)) + 1 if tuple(found) in self.names else 0

    def plain(self, found: Sequence[str]) -> str:
        """Return LaTeX of signs, with `z_{1}` for the first name, `z_{2}` for the second."""
        made, at = list[str](), 0
        while at < len(found):
            which = next((k for k in self._longest if self._stands(k, found, at)), None)
            if which is not None or found[at][0] == "\0":
                end = at + (1 if which is None else len(self.names[which]))
                shown = f"{{z_{{{found[at][1:] if which is None else which + 1}}}}}"
                # `(x)^2` is `x^2` here; a function keeps its parentheses.
                if made[-1:] == ["("] and found[end : end + 2] == [")", "^"] and not _calls(made[-2:-1]):
                    made.pop()
                    end += 1
            elif found[at] in _WORDS and found[at + 1 : at + 2] == ["{"]:
                end = closing(found, at + 1) + 1
                shown = "".join(found[at:end])
            elif found[at] == "z" and found[at + 1 : at + 2] == ["_"]:
                # It would be taken for one that stands for a name.
                raise Unread("a name that the page does not declare, z with an index")
            else:
                end, shown = at + 1, found[at]
                if made[-1:] == ["^"] and shown != "{":
                    shown = f"{{{shown}}}"
            made.append(shown)
            at = end
        return " ".join(made)

    def _stands(self, which: int, found: Sequence[str], at: int) -> bool:
        """Return whether a name stands at a place, and does not go on with an index or a prime."""
        name = self.names[which]
        end = at + len(name)
        return tuple(found[at:end]) == name and (end == len(found) or found[end] not in ("_", "'"))


def _calls(before: Sequence[str]) -> bool:
    """Return whether a parenthesis behind this sign may hold an argument."""
    return any(sign[0] == "\\" or (sign[-1] == "}" and not sign.startswith("{z_")) for sign in before)
