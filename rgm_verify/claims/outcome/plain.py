"""Reasons and summaries of evidence in the words of a reader of a report, where a program speaks of itself."""

from __future__ import annotations

import re

_WORDS = (
    ("fails at no free variable, where ", "fails: "),
    ("fails at no free variable", "it is false"),
    ("independent numerical route", "second computation"),
    ("worlds", "examples"),
    ("world", "example"),
    ("the negation is unsatisfiable over the reals", "z3 proved that no counterexample exists"),
)
#: A number that counts, and no end of a formula such as `T - 1 steps` or `0.1 points`.
_ONE = re.compile(
    r"(?<![\d.,/+*^-])(?<![-+*/] )\b1 ((?:nonnegative |exact |admissible |random rational )?"
    r"(?:term|point|step|box|world|root|ball|case|sample|combination))(?:e?s)\b( were\b)?"
)


def plain(text: str) -> str:
    """Return a text of evidence in plain words, with one thing in the singular.

    Examples:
        >>> plain("by calculus: its signs follow (1 steps)"), plain("T - 1 steps"), plain("fails at no free variable")
        ('by calculus: its signs follow (1 step)', 'T - 1 steps', 'it is false')
    """
    for words, others in _WORDS:
        text = text.replace(words, others)
    return _ONE.sub(lambda found: f"1 {found[1]}{' was' if found[2] else ''}", text)
