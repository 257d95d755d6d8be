"""The words of the grammar: signs, sorts, sets, clauses, other names of functions, and digits."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from rgm_verify.terms import table

__all__ = [
    "AFTER", "ALSO_NAMES", "ARTICLES", "BEGINNINGS", "CIRCULAR", "CLAUSES", "ENDS", "INFINITE", "OF_ONE", "OTHER_NAMES",
    "RAISED", "RAISED_DIGITS", "SETS", "SIGNS", "SORTS", "VALUE", "WORDS", "plain",
]  # fmt: skip

SIGNS = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "=": "=", "==": "=", "!=": "!="}
OTHER_NAMES = {
    **{name: row.text for row in table.FUNCTIONS for name in row.also if row.text},
    "prod": "product", "int": "integral", "Sum": "sum", "Product": "product", "Integral": "integral",
}  # fmt: skip
#: Functions whose powers are written behind the name: sin^2(x).
CIRCULAR = tuple(row.text for row in table.FUNCTIONS if row.circular)
#: Functions whose names are common names of variables too: without a parenthesis they are variables.
ALSO_NAMES = tuple(name for row in table.FUNCTIONS if row.letter for name in (row.text, *row.also))
SORTS = {
    "real": "real",
    "reals": "real",
    "integer": "integer",
    "integers": "integer",
    "natural": "natural",
    "naturals": "natural",
    "positive": "positive",
    "negative": "negative",
    "nonnegative": "nonnegative",
    "number": "",
    "numbers": "",
}
#: Sorts that are said of one variable: before a list they may belong to the first name alone.
OF_ONE = ("real", "integer", "natural", "positive", "negative", "nonnegative", "number")  # fmt: skip
SETS = {
    "R": "real", "Z": "integer", "N": "natural",
    **{word: sort for word, sort in SORTS.items() if sort in ("real", "integer", "natural")},
}  # fmt: skip
#: Digits of an exponent such as ².
RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
RAISED_DIGITS: Final = str.maketrans(RAISED, "0123456789-")
INFINITE = ("infinity", "inf", "oo")
#: Words that may begin a sentence, with a capital there.
BEGINNINGS = ("for", "forall", "let", "suppose", "assume", "if", "there", "exists", "then", "where", "given")
ARTICLES = ("a", "an")
CLAUSES = ("for", "given", "with", "where", "when", "if", "such")
WORDS = frozenset(
    (*SORTS, *CLAUSES, "all", "every", "any", "each", "some", "there", "exists", "forall", "that", "then", "and",
     "or", "not", "implies", "iff", "in", "is", "are", "infinity", "inf", "oo", "only", "true", "false")
)  # fmt: skip
VALUE = "a number, a variable, a function or an opening parenthesis"
AFTER = "an operation (+ - * / ^), a relation (<= < >= > = !=), `and`, `or`, `for` with domains, or the end"
#: Words that put an end to a domain.
ENDS: dict[str, tuple[str, int]] = {
    "positive": (">", 0), "negative": ("<", 0), "nonnegative": (">=", 0), "natural": (">=", 1),
}  # fmt: skip


def plain(number: str) -> Fraction:
    """Return the exact value of decimal digits.

    Args:
        number: Digits with at most one point, and a power of ten if there is one. The words of `tokens` are of this
            form and bounded in length, so that the power cannot fill the memory.

    Examples:
        >>> plain("0.1"), plain("1e-6")
        (Fraction(1, 10), Fraction(1, 1000000))
    """
    digits, _, power = number.lower().partition("e")
    return Fraction(digits.rstrip(".")) * Fraction(10) ** int(power or "0")
