"""Words of a statement with their columns, and the error that points at a column.

Unicode is read as what it stands for: ≤ ≥ ≠ · × ÷ − √ π ∞ ∈ ∀ ∃ ∧ ∨ ¬ ⇒ ⇔, Greek letters, exponents such as ².
Everything else that has no meaning is refused with a hint: a character that is skipped in silence could be the one that
the author's statement turns on. Lengths are bounded here, before anything is computed with what was read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rgm_verify.errors import InputError

__all__ = ["GREEK", "LONGEST", "DoubtfulReading", "Reading", "StatementError", "Token", "tokens"]

#: Characters of a statement.
LONGEST: Final = 2_000
#: Digits of a number, its places after the point and the size of its power of ten.
MOST_DIGITS: Final = 100
#: Of a long line, how much is shown on either side of the column.
_SHOWN: Final = 60


class StatementError(InputError):
    """A text that is no statement: what is wrong, at which column, and what is allowed there.

    The message shows the text with a caret below the column; of a long text the part around it. Blanks of every kind
    are shown as blanks and unprintable characters as one sign, so that the caret stands right and a terminal is not
    controlled by somebody's text.

    Attributes:
        column: The column, from 1.
        problem: What is wrong, without the text.

    Examples:
        >>> print(StatementError("x => 1", 2, "`=>`: write >="))
        column 3: `=>`: write >=
          x => 1
            ^
    """

    def __init__(self, text: str, position: int, problem: str) -> None:
        self.column, self.problem = position + 1, problem
        line = "".join(" " if c.isspace() else c if c.isprintable() else "�" for c in text)
        start = max(0, position - _SHOWN)
        before = ("..." if start else "") + line[start:position]
        after = line[position : position + _SHOWN] + ("..." if len(line) > position + _SHOWN else "")
        super().__init__(f"column {self.column}: {problem}\n  {before}{after}\n  {' ' * len(before)}^")


@dataclass(frozen=True)
class Reading:
    """One of the ways to read a text.

    Attributes:
        means: The reading in words.
        statement: A statement that has this reading and no other; empty where the grammar cannot say it.
    """

    means: str
    statement: str


class DoubtfulReading(StatementError):
    """A text that readers understand in different ways, so that no verdict on it would be one on what was meant.

    Attributes:
        doubt: What may mean different things, in words.
        readings: The ways to read it, the nearest to the text first.

    Examples:
        >>> doubt = DoubtfulReading("3!=6", 1, "`!=`: two things", [Reading("a factorial", "factorial(3) = 6")])
        >>> print(str(doubt).splitlines()[-1])
          a factorial: factorial(3) = 6
    """

    def __init__(self, text: str, position: int, problem: str, readings: Sequence[Reading]) -> None:
        self.doubt = problem
        super().__init__(text, position, f"{problem}; nothing is judged before the text says which")
        self.readings = tuple(readings)

    def __str__(self) -> str:
        ways = (f"{r.means}: {r.statement}" if r.statement else f"{r.means} (not read here)" for r in self.readings)
        return "\n  ".join([super().__str__(), *ways])


@dataclass(frozen=True)
class Token:
    """A word: `kind` is `number`, `name`, `sign` or `end`; `position` counts characters from 0."""

    kind: str
    text: str
    position: int


_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu", "ξ": "xi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
#: Greek letters by their names.
GREEK: Final = frozenset(name.lower() for name in _GREEK.values())
#: Characters that stand for a name, whatever is beside them.
_NAMES = {
    "π": "pi", "∞": "infinity", "ℝ": "R", "ℤ": "Z", "ℕ": "N", "√": "√", "∈": "in", "∀": "forall", "∃": "exists",
    "∧": "and", "∨": "or", "¬": "not", "∑": "sum", "∏": "product", "∫": "integral",
}  # fmt: skip
_SIGNS = {
    "≤": "<=", "⩽": "<=", "≦": "<=", "≥": ">=", "⩾": ">=", "≧": ">=", "≠": "!=", "−": "-", "–": "-", "·": "*",
    "⋅": "*", "∙": "*", "×": "*", "÷": "/", "∕": "/", "⁄": "/", "⇒": "implies", "⟹": "implies", "→": "implies",
    "⇔": "<=>", "⟺": "<=>", "…": "..", "∼": "~",
}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED_RUN = re.compile(r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
#: A point in front of a word, of another point or of the end is no part of the number: `x > 0. Then`, `k = 1..n`.
_NUMBER = re.compile(r"(?:[0-9]+(?:\.(?![.…]|\s*$|\s+[^\W\d])[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
#: Two shapes of one letter, which some texts use for two quantities.
_SHAPES = (("ε", "ϵ"), ("θ", "ϑ"), ("φ", "ϕ"))
#: A Greek letter is a name by itself: two in a row are no word.
_NAME = re.compile(rf"(?:[A-Za-z][A-Za-z0-9]*|[{''.join(_GREEK)}][0-9]*)(?:_[A-Za-z0-9]+)*")
_SIGN = re.compile(r"\.{2,3}|<=>|\*\*|<=|>=|==|!=|=>|=<|[-+*/^()\[\],:|<>=!;~{}]|\.(?=\s|$)")
_BLANK = re.compile(r"\s+")
#: Characters that somebody may type, and what to write instead.
_INSTEAD = {
    "\\": "this is LaTeX: give it with --latex (in Python, latex=True), or write sqrt(x), a/b, <=",
    "$": "leave the dollar signs out", "&": "write `and`", ".": "a full stop has a blank behind it",
    "%": "write 1/100", '"': "quotes have no place in a statement",
    "'": "write x_1 or y for another variable", "@": "write * for a product", "_": "a name begins with a letter",
    "’": "write x_1 or y for another variable", "ℓ": "write l or ell", "±": "write two statements, one for each sign",
    "≈": "write |x - y| <= 0.01 with the error that is meant", **dict.fromkeys("‐‑‒—―", "write - for minus"),
    **dict.fromkeys("⌊⌋", "write floor(x)"), **dict.fromkeys("⌈⌉", "write ceil(x)"),
    **dict.fromkeys("₀₁₂₃₄₅₆₇₈₉", "write x_1 for an index"),
}  # fmt: skip


def tokens(text: str) -> list[Token]:
    """Return the words of a statement, with an `end` behind the last; raises `StatementError`.

    Raises:
        StatementError: For a character without a meaning, a text above `LONGEST`, and a number above `MOST_DIGITS`.

    Examples:
        >>> [word.text for word in tokens("2α² ≤ 1")]
        ['2', 'alpha', '^', '2', '<=', '1', '']
    """
    if len(text) > LONGEST:
        raise StatementError(text, LONGEST, f"the statement has {len(text)} characters; at most {LONGEST} are read")
    for one, other in _SHAPES:
        if one in text and other in text:
            place = max(text.index(one), text.index(other))
            apart = text.replace(other, f"{_GREEK[other]}_2")
            raise DoubtfulReading(
                text, place, f"{one} and {other} are one letter or two",
                [Reading("one variable", text.replace(other, one)), Reading("two variables", apart)],
            )  # fmt: skip
    found: list[Token] = []
    position = 0
    while position < len(text):
        if blank := _BLANK.match(text, position):
            position = blank.end()
            continue
        made, position = _next(text, position)
        found += made
    return [*found, Token("end", "", position)]


def _next(text: str, position: int) -> tuple[list[Token], int]:
    """Return the words at a position (two for an exponent such as ²), and where they end.

    A negative raised exponent is put in parentheses, so that what stands behind it is no part of it.
    """
    letter = text[position]
    if letter == "‖":
        # As typed with two bars; the parser says that a norm is not read.
        return [Token("sign", "|", position)] * 2, position + 1
    if letter in _SIGNS:
        kind = "name" if _SIGNS[letter].isalpha() else "sign"
        return [Token(kind, _SIGNS[letter], position)], position + 1
    if letter in _NAMES:
        return [Token("name", _NAMES[letter], position)], position + 1
    if match := _RAISED_RUN.match(text, position):
        raised = match[0].translate(_RAISED)
        made = [Token("sign", "^", position)]
        if raised.startswith("-"):
            inner = [Token("sign", "-", position), Token("number", raised[1:], position)]
            made += [Token("sign", "(", position), *inner, Token("sign", ")", position)]
        else:
            made.append(Token("number", raised, position))
        _refuse_long(text, position, raised)
        return made, match.end()
    if match := _NUMBER.match(text, position):
        _refuse_long(text, position, match[0])
        if match[0][0] == "0" and match[0][1:2].isdigit():
            problem = f"`{match[0]}`: a number does not begin with 0; write 0.5 for a decimal and 1000 for a thousand"
            raise StatementError(text, position, problem)
        return [Token("number", match[0], position)], match.end()
    if match := _NAME.match(text, position):
        return [Token("name", "".join(_GREEK.get(c, c) for c in match[0]), position)], match.end()
    if match := _SIGN.match(text, position):
        # Three dots are two.
        return [Token("sign", match[0].replace("...", ".."), position)], match.end()
    # By its name: a Cyrillic letter looks like the Latin one.
    name = "" if letter.isascii() else f" ({unicodedata.name(letter, 'no name')})"
    hint = _INSTEAD.get(letter, "it has no meaning here")
    raise StatementError(text, position, f"the character {letter!r}{name}: {hint}")


def _refuse_long(text: str, position: int, number: str) -> None:
    """Refuse a number with too many digits, or a power of ten that is too large.

    It is asked before the number is made: `1e999999999` is eleven characters, and its value fills the memory.
    """
    digits, _, power = number.lower().partition("e")
    if len(digits) > MOST_DIGITS:
        raise StatementError(text, position, f"a number of {len(digits)} digits; at most {MOST_DIGITS} are read")
    if len(power) > 6 or abs(int(power or "0")) > MOST_DIGITS:
        raise StatementError(text, position, f"a power of ten beyond 10^{MOST_DIGITS}; write 10^n as a power")
