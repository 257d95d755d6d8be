"""Several statements in one text: `let f(x) = x^2; f(2) = 4; f(3) = 9`.

Each is judged by itself, with the `let` sentences before it. What belongs to others is blank in its text, so that
a message points at the column of the whole.
"""

from __future__ import annotations

from typing import Final

from rgm_verify.statements.tokens import StatementError, Token, tokens

__all__ = ["defines", "several"]

_ASSUMING: Final = ("let", "suppose", "assume")


def several(text: str) -> list[str]:
    """Return the statements of a text, each as a text of its own that has the definitions before it.

    A text that cannot be read, or holds one statement, comes back as it is.

    Examples:
        >>> several("let f(x) = x^2; f(2) = 4; f(3) = 9")
        ['let f(x) = x^2; f(2) = 4', 'let f(x) = x^2;           f(3) = 9']
        >>> several("Let x > 0. Then x + 1/x >= 2.")
        ['Let x > 0. Then x + 1/x >= 2.']
    """
    pieces = _pieces(text)
    claims = [at for at, piece in enumerate(pieces) if not _assumes(piece[1])]
    if len(claims) < 2:
        return [text]
    found = []
    for at in claims:
        shown = "".join(
            part if number == at or (number < at and _assumes(words)) else " " * len(part)
            for number, (part, words) in enumerate(pieces[: at + 1])
        )
        # The stop behind a statement is no part of it.
        found.append(shown.rstrip().removesuffix(";"))
    return found


def defines(text: str) -> bool:
    """Return whether a text holds definitions of `let` and nothing else.

    Examples:
        >>> defines("let f(x) = x^2"), defines("let x > 0"), defines("let f(x) = x^2; f(1) = 1")
        (True, False, False)
    """
    pieces = [words for _, words in _pieces(text) if words]
    return bool(pieces) and all(
        _assumes(words) and len(words) > 2 and words[0].text.lower() == "let" and words[2].text in ("(", "=")
        for words in pieces
    )


def _pieces(text: str) -> list[tuple[str, list[Token]]]:
    """Return the sentences of a text with their words, the stop behind a sentence with it."""
    try:
        words = tokens(text)
    except StatementError:
        return [(text, [])]
    found: list[tuple[str, list[Token]]] = []
    start, sentence = 0, list[Token]()
    for word in words:
        if word.text in (".", ";") or word.kind == "end":
            end = word.position + 1 if word.kind != "end" else len(text)
            if sentence:
                found.append((text[start:end], sentence))
            elif found:
                found[-1] = (found[-1][0] + text[start:end], found[-1][1])
            start, sentence = end, []
        else:
            sentence.append(word)
    return found


def _assumes(words: list[Token]) -> bool:
    """Return whether a sentence says what is assumed or defined, and claims nothing."""
    begins = len(words) > 1 and words[0].text.lower() in _ASSUMING and words[1].kind == "name"
    return begins and not any(w.text == "then" for w in words)
