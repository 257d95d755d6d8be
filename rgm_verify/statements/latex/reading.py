r"""Statements of LaTeX: domains before and behind, conditions, chains over several lines, `implies` and `iff`.

What comes of a text is a tree of the grammar of statements. It is written in that grammar and read again by its parser,
so that both have to agree on it, and the text is what an author is shown.

Examples:
    >>> for one in read_latex(r"\forall x\in[0,1],\ x(1-x)\le\tfrac14"):
    ...     print(one.text, *one.notes, sep="; ")
    for all x in [0, 1]: x*(1 - x) <= 1/4; x(1-x) is a product
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from rgm_verify.errors import reject
from rgm_verify.statements.doubts import refuse_doubtful
from rgm_verify.statements.latex.domains import BETWEEN, Domains
from rgm_verify.statements.latex.words import Macros, Word, words
from rgm_verify.statements.parser import parse
from rgm_verify.statements.tokens import LONGEST, StatementError
from rgm_verify.statements.trees import (
    And,
    Call,
    Compare,
    Expression,
    Formula,
    Given,
    If,
    Iff,
    Name,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    conditions,
    inside,
    names,
    names_in,
    series,
    sides,
    text,
)

__all__ = ["LatexReading", "read_latex"]

_CLAUSES: Final = ("for", "where", "with", "if", "when", "whenever", "provided", "given", "such", "as", "assuming")
_OPENERS: Final = ("for", "let", "suppose", "assume", "given", "where", "whenever", "when", "with", "such")
_JOINS: Final = {
    "implies": If,
    "Rightarrow": If,
    "Longrightarrow": If,
    "iff": Iff,
    "Leftrightarrow": Iff,
    "Longleftrightarrow": Iff,
}
_OF_INTEGERS: Final = ("factorial", "binomial", "harmonic")
#: Names of integers where the statement needs integers and nothing else says so.
_BY_NAME: Final = frozenset("i j k l m n ell N M K".split())


@dataclass(frozen=True)
class LatexReading:
    r"""A statement that was read in LaTeX.

    Attributes:
        statement: Its tree.
        text: The same in the grammar of statements.
        notes: The conventions that were used, a sentence each.
        label: Its \label or \tag, or the number of its row; empty where there is one statement.
        defines: The name that the statement may be a definition of; empty for any other.
    """

    statement: Statement
    text: str
    notes: tuple[str, ...]
    label: str = ""
    defines: str = ""


def read_latex(latex: str, macros: Macros | None = None, *, alone: bool = True) -> list[LatexReading]:
    r"""Return the statements of a text in LaTeX, one for each formula of an aligned block.

    Args:
        latex: A formula, or a sentence with formulas between dollar signs. It may begin with its macros.
        macros: Macros that were defined before it.
        alone: Whether the text stands alone, so that a name without a domain has none. Names that are doubtful then,
            such as i, are refused.

    Raises:
        NotRead: For what is not read, by its name.
        DoubtfulReading: For what has two readings.
        StatementError: For a statement that the grammar refuses.

    Examples:
        >>> [one.text for one in read_latex(r"\begin{align} a &\le b \\ &< c \end{align}")]
        ['a <= b < c']
    """
    if not isinstance(latex, str):
        raise reject("latex", latex, "a text")
    if len(latex) > 2 * LONGEST:
        raise StatementError(latex, 2 * LONGEST, f"a text of {len(latex)} characters; at most {2 * LONGEST} are read")
    groups = _groups(words(latex, macros))
    labels = re.findall(r"\\(?:label|tag)\*?\s*\{([^{}]*)\}", latex)
    found = [_Statement(latex, group).read(alone=alone) for group in groups]
    if not found:
        raise StatementError(latex, 0, "nothing to read")
    if len(found) > 1:
        conditions = [bool(one.statement.given) for one in found]
        if any(conditions) and not all(conditions):
            at = groups[conditions.index(False)][0].position
            raise StatementError(latex, at, "one line has a condition and another has none: give each line its own")
        shown = labels if len(labels) == len(found) else [f"line {k}" for k in range(1, len(found) + 1)]
        found = [replace(one, label=label) for one, label in zip(found, shown, strict=True)]
    elif labels:
        found = [replace(found[0], label=labels[0])]
    return found


def _groups(found: list[Word]) -> list[list[Word]]:
    """Return the words of each statement: a line that begins or ends with a sign belongs to its neighbour."""
    lines: list[list[Word]] = [[]]
    for word in found[:-1]:
        if word.kind == "row":
            lines.append([])
        else:
            lines[-1].append(word)
    groups: list[list[Word]] = []
    for line in lines:
        first = next((w for w in line if w.kind != "quad"), None)
        if first is None:
            continue
        goes_on = first.kind in ("sign", "command") and (
            first.text in ("+", "-", "cdot", "times", "*", "forall", "/") or relates(first) or first.text in _JOINS
        )
        goes_on = goes_on or (first.kind == "text" and first.text in (*_CLAUSES, "and", "or", "then"))
        last = groups[-1][-1] if groups else None
        hangs = last is not None and (
            relates(last) or last.text in ("+", "-", "cdot", "times", "*", ":") or last.text in _JOINS
        )
        if groups and (goes_on or hangs):
            groups[-1] += line
        else:
            groups.append(list(line))
    end = found[-1]
    return [[*group, replace(end, position=group[-1].end)] for group in groups]


def relates(word: Word) -> bool:
    """Return whether a word is a relation."""
    return Domains("", [word]).relation() != "" or word in (("command", "in"), ("command", "not"))


class _Statement(Domains):
    """One statement, from its domains to its full stop."""

    def read(self, *, alone: bool) -> LatexReading:
        """Return the statement; the grammar has to read the same tree from its text.

        Args:
            alone: Whether a name without a domain has none elsewhere.
        """
        while self.words[-2:-1] and self.words[-2] in (("sign", "."), ("sign", ","), ("sign", ";"), ("quad", "")):
            del self.words[-2]
        if len(self.words) == 1:
            raise self.refusal("nothing to read")
        self.parenthesised()
        self.before()
        says = self.formula()
        self.behind(says)
        if self.word.kind != "end":
            raise self.refusal(*self.misplaced("expected an operation, a relation or a condition"))
        given = conditions(self.given)
        free = {n.name for n in names([says, *given])} | {g.name for g in self.given if isinstance(g, Sort)}
        declared = {g.name for g in self.given if isinstance(g, Sort)} | {n.name for c in given for n in names([c])}
        self.settle(declared, free)
        tree = Statement(says, (*self.by_name(says, given), *self.given), self.exists)
        written = text(tree)
        again = parse(written)
        if again != tree:
            raise StatementError(self.source, 0, f"read as {written}, which has another reading as a text")
        if alone:
            refuse_doubtful(written, again)
        defines = self.definition(says)
        return LatexReading(again, written, tuple(self.notes), "", defines)

    def parenthesised(self) -> None:
        """Take the parentheses from around a condition at the end: `x^2 >= x (x >= 1)`."""
        depth, at = 0, len(self.words) - 2
        if self.words[at] != ("sign", ")"):
            return
        while at >= 0:
            depth += (self.words[at] == ("sign", ")")) - (self.words[at] == ("sign", "("))
            if not depth:
                break
            at -= 1
        # A number has no relation in it, but for that of an index in braces.
        braces, inside = 0, False
        for word in self.words[max(at, 0) : -2]:
            braces += (word.text == "{") - (word.text == "}")
            inside = inside or (not braces and relates(word))
        if at > 0 and inside:
            self.words[at] = replace(self.words[at], text=",")
            del self.words[-2]

    def definition(self, says: Formula) -> str:
        """Return the name that an equation may define, with a note."""
        if isinstance(says, Compare) and says.signs[:1] == ("=",) and isinstance(says.sides[0], Name):
            name = says.sides[0].name
            others = {n.name for side in says.sides[1:] for n in names_in(side, frozenset())}
            if name not in others and name not in ("e", "pi"):
                self.note(
                    f"this may be the definition of {name}, which says nothing by itself; it is judged as a claim"
                )
                return name
        return ""

    def by_name(self, says: Formula, conditions: Sequence[Formula]) -> Iterator[Given]:
        """Yield sorts of names such as n where the statement needs an integer and nothing says that it is one."""
        sorted_ones = {g.name for g in self.given if isinstance(g, Sort)}
        found = {name: None for f in (says, *conditions) for side in sides(f) for name in _counted(side)}
        ends = [
            e for s in series([says, *conditions]) if s.kind != "integral" for e in (s.first, s.last) if e is not None
        ]
        found |= {n.name: None for e in ends for n in names_in(e, frozenset())}
        for name in found:
            if name not in sorted_ones and name in _BY_NAME and name not in self.indices:
                self.note(f"{name} is an integer, by its name and its place")
                yield Sort(name, "integer")

    def before(self) -> None:
        """Read the domains in front of the statement."""
        self.skip()
        while True:
            if self.command("exists") or self.spoken("there", "some"):
                self.existing()
                return
            declares = self.spoken("if") and self.ahead(2).kind == "text" and self.ahead(2).text in ("is", "are")
            if declares or self.command("forall") or self.spoken(*_OPENERS):
                if self.take().text != "forall":
                    while self.spoken("all", "every", "any", "each", "that"):
                        self.take()
                    if self.spoken("some"):
                        self.at -= 1
                        continue
                self.list_of_items(first=True)
                ended = self.skip(",", ":", ".", ";") or self.command("forall")
                if not ended and not self.spoken(*_OPENERS, *BETWEEN):
                    raise self.refusal("expected a colon or a comma behind the domains")
                continue
            while self.spoken(*BETWEEN):
                self.take()
            self.skip(":", ",")
            return

    def existing(self) -> None:
        """Read `there is x in [0, 1] such that`."""
        if self.given:
            raise self.refusal("`for all` with `there is`: two quantifiers")
        self.exists = True
        if self.take().text == "there" and not self.accepted("is", "exists"):
            raise self.refusal("words that are not read", self.word.shown)
        while self.spoken("a", "an", "some"):
            self.take()
        self.list_of_items(first=True)
        self.skip(",", ":")
        if self.spoken("such", "with", "so"):
            if self.take().text in ("such", "so") and not self.accepted("that"):
                raise self.refusal("words that are not read")
            self.skip(":")
        if self.command("forall", "exists"):
            raise self.refusal("two quantifiers")

    def formula(self) -> Formula:
        """Return what is said, with `implies`, `iff`, `and`, `or` and `if ... then`."""
        if self.spoken("if"):
            self.take()
            condition = self.joint()
            self.skip(",")
            if self.spoken("then"):
                self.take()
            elif self.words[self.at - 1] != ("sign", ","):
                raise self.refusal("expected `then`")
            while self.spoken(*BETWEEN):
                self.take()
            self.skip(",")
            return If(condition, self.joint())
        left = self.joint()
        end = self.at
        self.skip()
        join = _JOINS.get(self.word.text) if self.word.kind in ("command", "text") else None
        if join is None or self.spoken("if"):
            self.at = end
            return left
        mark = self.take()
        right = self.joint()
        if self.word.text in _JOINS:
            raise self.doubt("two arrows", self.word, "a chain", "one inside of the other")
        several = [isinstance(part, And | Or) for part in (left, right)]
        if several[1] or (several[0] and (join is Iff or isinstance(left, Or))):
            raise self.doubt("`and` or `or` beside an arrow", mark, "inside of its side", "outside")
        return If(left, right) if join is If else Iff(left, right)

    def joint(self) -> Formula:
        """Return relations that `and` or `or` joins."""
        parts = [self.relations()]
        word: Literal["and", "or"] | None = None
        while True:
            mark = self.at
            # Before an arrow a comma joins conditions, as it could join nothing else.
            if self.sign(",") and self.arrow_comes() and word != "or":
                self.skip(",")
                word, place = "and", self.word
                parts.append(self.relations())
                self.refuse_split(parts[-2:-1], parts[-1:], place)
                continue
            self.skip()
            this: Literal["and", "or"] | None = (
                "and"
                if self.spoken("and") or self.command("land")
                else "or"
                if self.spoken("or") or self.command("lor")
                else None
            )
            if this is None:
                self.at = mark
                break
            if word not in (None, this):
                raise self.doubt("`and` beside `or`", self.word, "`and` first", "`or` first")
            word = this
            self.take()
            self.skip(",")
            parts.append(self.relations())
        if len(parts) == 1:
            return parts[0]
        return And(tuple(parts)) if word == "and" else Or(tuple(parts))

    def arrow_comes(self) -> bool:
        """Return whether an arrow comes before any word of prose."""
        for word in self.words[self.at :]:
            if word.kind == "text" or word.text in _JOINS:
                return word.text in ("implies", "Rightarrow", "Longrightarrow")
        return False

    def behind(self, says: Formula) -> None:
        """Read the conditions behind the statement."""
        while True:
            mark = self.at
            comma = self.skip(",", ";")
            if self.word.kind == "end":
                return
            if self.command("forall"):
                self.take()
                self.list_of_items("for")
            elif self.spoken(*_CLAUSES):
                self.clause(says)
            elif comma and not isinstance(says, If):
                word, start = self.word, self.at
                try:
                    found = self.item()
                except StatementError:
                    self.at = mark + 1
                    raise
                itself = isinstance(says, Compare) and self.is_simple([says])
                if itself or not self.is_simple(found) or self.exists:
                    raise self.doubt(
                        "what stands behind the comma is a condition or a second statement",
                        word,
                        rf"a condition, as in \text{{for }} {self.piece(start)}",
                        rf"a second statement, as in \text{{and }} {self.piece(start)}",
                    )
                self.note(f"{self.piece(start)} is a condition")
                self.given += found
            else:
                self.at = mark
                return

    def clause(self, says: Formula) -> None:
        """Read a condition behind `for`, `where`, `if` and their like."""
        word = self.take()
        if word.text == "for" and self.spoken("some"):
            self.take()
            if self.given:
                raise self.refusal("two quantifiers", "", word)
            self.exists = True
        while self.spoken("all", "every", "any", "each", "that") or (word.text == "as" and self.spoken("long", "as")):
            self.take()
        if word.text == "if" and (isinstance(says, And | Or) or (self.spoken("and") or self.exists)):
            if self.spoken("and"):
                raise self.refusal("words that are not read", "`if and only if`: write \\iff", word)
            raise self.doubt("`if` behind `and` or `or`", word, "of the last part", "of all parts")
        self.list_of_items(word.text)


def _counted(tree: Expression) -> Iterator[str]:
    """Yield the names that stand in factorials and their like, and in exponents of negative numbers."""
    if isinstance(tree, Call) and tree.name in _OF_INTEGERS:
        for part in tree.arguments:
            yield from (n.name for n in names_in(part, frozenset()))
    if isinstance(tree, Power) and isinstance(tree.base, Terms) and not any(names_in(tree.base, frozenset())):
        yield from (n.name for n in names_in(tree.exponent, frozenset()))
    bound = {tree.index} if isinstance(tree, Series) else set()
    for part in inside(tree):
        yield from (name for name in _counted(part) if name not in bound)
