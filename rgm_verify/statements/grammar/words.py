"""The words of a text one after the other, with the errors and the doubts that point at them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from rgm_verify.statements.grammar.vocabulary import BEGINNINGS, WORDS
from rgm_verify.statements.tokens import DoubtfulReading, Reading, StatementError, Token, tokens
from rgm_verify.statements.trees import Expression, Formula, Tree, is_formula
from rgm_verify.statements.trees import text as written

__all__ = ["DEEPEST", "MOST_WORDS", "Definition", "Words"]

#: Brackets, powers and conditions inside of each other, and the words of a statement.
DEEPEST: Final = 40
MOST_WORDS: Final = 600


@dataclass(frozen=True)
class Definition:
    """What an author's own name stands for.

    Attributes:
        parameters: The names of what it is of; none for a constant.
        body: The expression.
    """

    parameters: tuple[str, ...]
    body: Expression


class Words(ABC):
    """One pass over the words of a text, by recursive descent.

    Each method reads one rule of the grammar: it takes the words that belong to it and returns their tree, or raises a
    `StatementError` at the word that does not fit. Only `item` and `names` look ahead or go back.

    Rules for formulas and for numbers meet in brackets: at `(` nobody knows yet which of the two comes. So these
    methods return a `Tree` of either kind, and `number_of` and `formula_of` ask for the kind where the place decides
    it.

    Attributes:
        text: The statement, for messages.
        words: Its words, with an `end` behind the last.
        at: The place of the next word.
        depth: How many brackets, powers and conditions are open.
    """

    def __init__(self, text: str) -> None:
        self.text, self.words = text, tokens(text)
        self.at = self.depth = 0
        self.bars = 0
        """Bars of |x| that are open inside of the innermost bracket."""
        self.enclosed: list[Tree] = []
        """What stood in parentheses, so that nobody can take it apart."""
        self.defined: dict[str, Definition] = {}
        self.parts = 0
        """Parts of the expressions that definitions have become."""
        self.last = 0
        """The place of the comma, or the `and`, between the last two items that were read."""
        self.guessed: list[tuple[str, Token]] = []
        """Names that are factors only if they are variables, each with the word at which the sign is left out."""
        for at, word in enumerate(self.words):
            begins = at == 0 or self.words[at - 1].text in (".", ";")
            if begins and word.kind == "name" and word.text.lower() in BEGINNINGS:
                self.words[at] = replace(word, text=word.text.lower())
        # The `end` is a word as well, and not one of the author's.
        if len(self.words) > MOST_WORDS + 1:
            self.fail(f"the statement has more than {MOST_WORDS} words; split it", self.words[MOST_WORDS].position)

    # ---------------------------------------------------------------------------------------------- words

    @property
    def word(self) -> Token:
        """Return the next word."""
        return self.words[self.at]

    def ahead(self, count: int = 1) -> Token:
        """Return the word that comes `count` words later, the `end` beyond the last."""
        return self.words[min(self.at + count, len(self.words) - 1)]

    def is_next(self, *texts: str) -> bool:
        """Return whether the next word is one of these."""
        return self.word.kind != "end" and self.word.text in texts

    def take(self) -> Token:
        """Return the next word and go on behind it."""
        found = self.word
        self.at += 1
        return found

    def accept(self, *texts: str) -> Token | None:
        """Take the next word if it is one of these; None if it is another."""
        return self.take() if self.is_next(*texts) else None

    def fail(self, problem: str, position: int | None = None) -> None:
        """Raise `StatementError` at a position, at the next word if none is given; it never returns."""
        raise StatementError(self.text, self.word.position if position is None else position, problem)

    def doubt(self, problem: str, position: int, *readings: tuple[str, str]) -> None:
        """Raise `DoubtfulReading` at a position, with what each reading means and its text; it never returns."""
        raise DoubtfulReading(self.text, position, problem, [Reading(*reading) for reading in readings])

    def doubt_of(self, start: int, problem: str, position: int, *readings: tuple[str, Tree]) -> None:
        """Raise `DoubtfulReading` for what was read from a position on, with the trees of its readings."""
        end = self.word.position
        self.doubt(problem, position, *((means, self.changed(start, end, f"({written(t)}) ")) for means, t in readings))

    def changed(self, start: int, end: int, new: str) -> str:
        """Return the text with other characters from one position to another."""
        return self.text[:start] + new + self.text[end:]

    def grouped(self, start: int) -> str:
        """Return the text with what was read from a position on in parentheses."""
        end = len(self.text[: self.word.position].rstrip())
        return self.changed(start, end, f"({self.text[start:end]})")

    def is_enclosed(self, tree: Tree) -> bool:
        """Return whether a tree stood in parentheses of its own."""
        return any(tree is other for other in self.enclosed)

    def expected(self, what: str) -> StatementError:
        """Return the error for a word that has no place here, for the caller to raise."""
        self.refuse_decimal_comma()
        if self.is_next("{", "}"):
            self.fail(f"the character {self.word.text!r}: use ( ) for groups")
        shown = "the end of the text" if self.word.kind == "end" else f"`{self.word.text}`"
        return StatementError(self.text, self.word.position, f"{shown}: expected {what}")

    def refuse_decimal_comma(self) -> None:
        """Refuse `0,5` and `1,000` where a comma has no place."""
        before, behind = self.words[max(self.at - 1, 0)], self.ahead()
        if self.is_next(",") and before.kind == behind.kind == "number":
            self.fail(f"`{before.text},{behind.text}`: write 0.5 for a decimal and 1000 for a thousand")

    def require(self, text: str, what: str) -> Token:
        """Take a word that has to come.

        Args:
            text: The word.
            what: What the message says was expected.

        Raises:
            StatementError: For another word. Where a bracket should close, a missing operation is the likelier mistake,
                and is named instead.
        """
        found = self.accept(text)
        if found is None:
            # `(2 x y)` fails where the parenthesis should close, but what lacks is a sign for the
            # product.
            if text in (")", "|"):
                self.refuse_missing_operation()
            raise self.expected(what)
        return found

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count one level of nesting while the block runs; `StatementError` beyond `DEEPEST`.

        Everybody who walks a tree later does so by recursion, so that a deep text would end in Python's own error, far
        from its column.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"nested more than {DEEPEST} deep; split the statement")
        yield
        self.depth -= 1

    def number_of(self, tree: Tree, position: int) -> Expression:
        """Return the tree if it is a number; raises `StatementError` for a formula."""
        if is_formula(tree):
            self.fail("this is a statement, and a number is expected here", position)
        return tree  # type: ignore[return-value]

    def formula_of(self, tree: Tree, position: int) -> Formula:
        """Return the tree if it is true or false; raises `StatementError` for a number.

        Args:
            tree: What was read.
            position: The column where it begins. The message points behind it, where the relation is missing.
        """
        if not is_formula(tree):
            self.refuse_missing_operation()
            self.refuse_decimal_comma()
            here = self.word
            shown = "the end of the text" if here.kind == "end" else f"`{here.text}`"
            problem = f"{shown}: what stands before it is a number; a statement compares two: <= < >= > = !="
            self.fail(problem, max(here.position, position))
        return tree  # type: ignore[return-value]

    def refuse_missing_operation(self) -> None:
        """Refuse a value that stands directly behind another one.

        It is called only where the text cannot go on anyhow, to say the likelier of two mistakes: after `2 x`, a second
        name is a product without its sign more often than a missing relation.
        """
        before = self.words[self.at - 1] if self.at else self.word
        # Words such as `for` are names for the tokens, and begin no value.
        value = self.word.kind == "number" or (self.word.kind == "name" and self.word.text not in WORDS)
        if value and (
            before.kind == "number"
            or before.text in (")", "|", "!")
            or (before.kind == "name" and before.text not in WORDS)
        ):
            self.fail(f"`{self.word.text}`: an operation is missing before it; write * for a product")

    # ---------------------------------------------------------------------------------------------- rules above

    @abstractmethod
    def anything(self) -> Tree:
        """Return what stands in brackets: a formula or a number."""

    @abstractmethod
    def expanded(self, word: Token) -> Expression:
        """Return what an author's own name stands for, with its arguments."""

    @abstractmethod
    def sum(self) -> Tree:
        """Return a sum of signed products."""

    @abstractmethod
    def product(self) -> Tree:
        """Return a product of factors."""

    def value_of(self, read: Callable[[], Tree]) -> Expression:
        """Return a number that a rule reads; `StatementError` for a formula."""
        start = self.word.position
        return self.number_of(read(), start)
