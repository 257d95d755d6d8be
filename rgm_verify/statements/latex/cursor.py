"""The words of one statement in LaTeX: looked at, taken, and pointed at where they have no place."""

from __future__ import annotations

from typing import Final

from rgm_verify.statements.latex.words import GREEK, REASONS, RELATIONS, NotRead, Word
from rgm_verify.statements.tokens import DoubtfulReading, Reading
from rgm_verify.statements.trees import FUNCTIONS, Expression

__all__ = ["BINOMIALS", "FRACTIONS", "FUNCTION_COMMANDS", "NAMED", "OPERATORS", "STARTING", "Cursor"]

FUNCTION_COMMANDS: Final = {
    **{n: n for n in ("exp log sin cos tan cot sec csc sinh cosh tanh coth sech csch arcsin arccos arctan arsinh "
                      "arcosh artanh").split()},
    "ln": "log",
}  # fmt: skip
#: Words that are functions of the grammar, in \operatorname and its like.
NAMED: Final = {**{n: n for n in FUNCTIONS if n not in ("sqrt", "factorial", "binomial", "min", "max")}, "ln": "log",
                 "sgn": "sign", "arcsinh": "arsinh", "arccosh": "arcosh", "arctanh": "artanh"}  # fmt: skip
FRACTIONS: Final = ("frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac")
BINOMIALS: Final = ("binom", "tbinom", "dbinom")
#: Commands with which a factor begins.
STARTING: Final = (
    *GREEK, *FUNCTION_COMMANDS, *FRACTIONS, *BINOMIALS, "pi", "sqrt", "sum", "prod", "int", "max", "min", "lfloor",
    "lceil", "{", "lbrace", "lvert",
)  # fmt: skip
OPERATORS: Final = ("cdot", "times")


class Cursor:
    """The expressions of one statement, read in one pass over its words.

    Attributes:
        source: The LaTeX, for messages.
        words: Its words, with an `end` behind the last.
        at: The place of the next word.
        notes: The conventions that were used.
        bound: Indices that are open.
    """

    def __init__(self, source: str, words: list[Word]) -> None:
        self.source, self.words, self.at = source, words, 0
        self.notes: list[str] = []
        self.bound: list[str] = []
        self.depth = self.bars = 0
        self.differential: str | None = None
        """The variable of a dx that stood in a numerator."""
        self.integrating = False
        self.kind = ""
        """What the last factor was: `bare` (a function without parentheses), `call`, `series`, `integral`, `name`."""
        self.trailing = ""
        """The index of a sum without parentheses that the last product ended with."""
        self.content: tuple[Expression, bool] | None = None
        """What stood in the last bracket, and whether brackets stood inside."""
        self.bare: set[str] = set()
        self.products: list[tuple[str, Expression, Word, int, int]] = []
        self.indexed: list[tuple[str, list[str], Word]] = []
        self.lone_e: Word | None = None
        self.primes: list[tuple[str, Word]] = []
        self.sized: list[tuple[str, Word]] = []
        """Capitals that stand alone between bars."""
        self.indices: frozenset[str] = frozenset()
        """All indices of sums, products and integrals."""

    @property
    def word(self) -> Word:
        """Return the next word."""
        return self.words[min(self.at, len(self.words) - 1)]

    def ahead(self, count: int = 1) -> Word:
        """Return the word that comes `count` words later."""
        return self.words[min(self.at + count, len(self.words) - 1)]

    def take(self) -> Word:
        """Return the next word and go on behind it."""
        found = self.word
        self.at += 1
        return found

    def sign(self, *texts: str) -> bool:
        """Return whether the next word is one of these signs."""
        return self.word.kind == "sign" and self.word.text in texts

    def sign_at(self, at: int, text: str) -> bool:
        """Return whether this sign stands at a place."""
        return self.words[at] == ("sign", text)

    def command(self, *texts: str) -> bool:
        """Return whether the next word is one of these commands."""
        return self.word.kind == "command" and self.word.text in texts

    def refusal(self, reason: str, problem: str = "", word: Word | None = None) -> NotRead:
        """Return the error at a word, the next one if none is given, for the caller to raise."""
        return NotRead(self.source, (word or self.word).position, reason, problem)

    def doubt(self, problem: str, word: Word, *readings: str) -> DoubtfulReading:
        """Return the error of two readings, for the caller to raise.

        Args:
            problem: What may mean two things.
            word: Where.
            readings: What each one means, with LaTeX that says so behind `as in` where there is some.
        """
        pairs = [reading.partition(", as in ") for reading in readings]
        return DoubtfulReading(
            self.source, word.position, problem, [Reading(means, shown) for means, _, shown in pairs]
        )

    def piece(self, start: int, end: int | None = None) -> str:
        """Return the source from one word to before another."""
        last = self.at if end is None else end
        return self.source[self.words[start].position : self.words[max(last - 1, start)].end].strip()

    def note(self, sentence: str) -> None:
        """Keep a convention that was used."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def require(self, kind: str, shown: str) -> Word:
        """Take a word that has to come."""
        if self.word != (kind, shown):
            raise self.refusal(*self.misplaced(f"expected `{shown}`"))
        return self.take()

    def misplaced(self, expected: str) -> tuple[str, str]:
        """Return the reason and the problem of a word that has no place here."""
        word = self.word
        if word.kind == "command" and word.text in REASONS:
            return REASONS[word.text], word.shown
        if word.kind == "text":
            return "words that are not read", f"`{word.text or '$ $'}`"
        if word.kind in ("command", "upright") and word.text not in (*STARTING, *RELATIONS):
            return "a command or a function that is not known", word.shown
        return f"{expected}, not {word.shown}", ""

    def relation(self) -> str:
        """Return the relation that comes next, empty if none does."""
        if self.word.kind not in ("command", "sign"):
            return ""
        if self.command("not") and self.ahead() == ("sign", "="):
            return "!="
        return RELATIONS.get(self.word.text, "")

    def letter(self) -> str:
        """Take the letter of an index; empty if none comes."""
        word = self.word
        if word.kind == "letter" or (word.kind == "command" and word.text in GREEK):
            self.take()
            return GREEK.get(word.text, word.text)
        return ""
