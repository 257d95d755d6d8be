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
from fractions import Fraction
from typing import Final, Literal

from rgm_verify.errors import reject
from rgm_verify.statements.latex.formulas import Formulas
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
    Number,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    inside,
    names,
    names_in,
    series,
    sides,
    text,
)

__all__ = ["LatexReading", "read_latex"]

_CLAUSES: Final = ("for", "where", "with", "if", "when", "whenever", "provided", "given", "such", "as", "assuming")
_SORTS: Final = {
    "positive": (">", 0), "negative": ("<", 0), "nonnegative": (">=", 0), "non-negative": (">=", 0), "natural": (">=", 1),
    "real": None, "reals": None, "integer": None, "integers": None, "number": None, "numbers": None, "naturals": (">=", 1),
    "a": None, "an": None, "the": None, "is": None, "are": None, "be": None,
}  # fmt: skip
_WHOLE: Final = ("integer", "integers", "natural", "naturals")
#: Words between the domains and the statement, which say nothing themselves.
_THEN: Final = frozenset("then we have it holds that one has".split())
_JOINS: Final = {
    "implies": If,
    "Rightarrow": If,
    "Longrightarrow": If,
    "iff": Iff,
    "Leftrightarrow": Iff,
    "Longleftrightarrow": Iff,
}
_SETS: Final = {"R": "real", "Z": "integer", "N": "integer"}
_OF_INTEGERS: Final = ("factorial", "binomial", "harmonic")
#: Names of integers where the statement needs integers and nothing else says so.
_BY_NAME: Final = frozenset("i j k l m n ell N M K".split())


@dataclass(frozen=True)
class LatexReading:
    """A statement that was read in LaTeX.

    Attributes:
        statement: Its tree.
        text: The same in the grammar of statements.
        notes: The conventions that were used, a sentence each.
        label: Its \\label or \\tag, or the number of its row; empty where there is one statement.
        defines: The name that the statement may be a definition of; empty for any other.
    """

    statement: Statement
    text: str
    notes: tuple[str, ...]
    label: str = ""
    defines: str = ""


def read_latex(latex: str, macros: Macros | None = None) -> list[LatexReading]:
    r"""Return the statements of a text in LaTeX, one for each formula of an aligned block.

    Args:
        latex: A formula, or a sentence with formulas between dollar signs. It may begin with its macros.
        macros: Macros that were defined before it.

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
    found = [_Statement(latex, group).read() for group in groups]
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
            first.text in ("+", "-", "cdot", "times", "*", "forall", "/") or _relates(first) or first.text in _JOINS
        )
        goes_on = goes_on or (first.kind == "text" and first.text in (*_CLAUSES, "and", "or", "then"))
        last = groups[-1][-1] if groups else None
        hangs = last is not None and (
            _relates(last) or last.text in ("+", "-", "cdot", "times", "*", ":") or last.text in _JOINS
        )
        if groups and (goes_on or hangs):
            groups[-1] += line
        else:
            groups.append(list(line))
    end = found[-1]
    return [[*group, replace(end, position=group[-1].end)] for group in groups]


def _relates(word: Word) -> bool:
    """Return whether a word is a relation."""
    return Formulas("", [word]).relation() != "" or word in (("command", "in"), ("command", "not"))


class _Statement(Formulas):
    """One statement, from its domains to its full stop."""

    def __init__(self, source: str, found: list[Word]) -> None:
        super().__init__(source, found)
        self.given: list[Given] = []
        self.exists = False

    def read(self) -> LatexReading:
        """Return the statement; the grammar has to read the same tree from its text."""
        while self.words[-2:-1] and self.words[-2] in (("sign", "."), ("sign", ","), ("sign", ";"), ("quad", "")):
            del self.words[-2]
        if len(self.words) == 1:
            raise self.refusal("nothing to read")
        self.before()
        says = self.formula()
        self.behind(says)
        if self.word.kind != "end":
            raise self.refusal(*self.misplaced("expected an operation, a relation or a condition"))
        conditions = [g for g in self.given if not isinstance(g, Sort)]
        free = {n.name for n in names([says, *conditions])} | {g.name for g in self.given if isinstance(g, Sort)}
        declared = {g.name for g in self.given if isinstance(g, Sort)} | {
            n.name for c in conditions for n in names([c])
        }
        self.settle(declared, free)
        tree = Statement(says, (*self.by_name(says, conditions), *self.given), self.exists)
        written = text(tree)
        again = parse(written)
        if again != tree:
            raise StatementError(self.source, 0, f"read as {written}, which has another reading as a text")
        defines = self.definition(says)
        return LatexReading(again, written, tuple(self.notes), "", defines)

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

    # ---------------------------------------------------------------------------------------------- words

    def spoken(self, *texts: str) -> bool:
        """Return whether the next word is one of these words of prose."""
        return self.word.kind == "text" and self.word.text in texts

    def skip(self, *signs: str) -> bool:
        """Skip signs and wide blanks; return whether there were any."""
        start = self.at
        while self.word.kind == "quad" or self.sign(*signs):
            self.at += 1
        return self.at > start

    # ---------------------------------------------------------------------------------------------- before

    def before(self) -> None:
        """Read the domains in front of the statement."""
        self.skip()
        while True:
            if self.command("exists") or self.spoken("there", "some"):
                self.existing()
                return
            if self.command("forall") or self.spoken("for", "let", "suppose", "assume", "given", "where"):
                colon = self.command("forall")
                if not self.take().text == "forall":
                    while self.spoken("all", "every", "any", "each", "that"):
                        self.take()
                    if self.spoken("some"):
                        self.at -= 1
                        continue
                self.list_of_items(first=True)
                ended = self.skip(",", ":", ".", ";")
                if not self.command("forall") and not self.spoken("for", "let", "suppose", "assume") and not ended:
                    if not self.spoken(*_THEN):
                        raise self.refusal("expected a colon or a comma behind the domains", "" if colon else "")
                continue
            while self.spoken(*_THEN):
                self.take()
            self.skip(":", ",")
            return

    def existing(self) -> None:
        """Read `there is x in [0, 1] such that`."""
        if self.given:
            raise self.refusal("`for all` with `there is`: two quantifiers")
        self.exists = True
        if self.take().text == "there" and not (self.spoken("is", "exists") and self.take()):
            raise self.refusal("words that are not read", self.word.shown)
        while self.spoken("a", "an", "some"):
            self.take()
        self.list_of_items(first=True)
        self.skip(",", ":")
        if self.spoken("such", "with", "so"):
            if self.take().text in ("such", "so") and not (self.spoken("that") and self.take()):
                raise self.refusal("words that are not read")
            self.skip(":")
        if self.command("forall", "exists"):
            raise self.refusal("two quantifiers")

    def list_of_items(self, *, first: bool = False) -> None:
        """Read domains and conditions up to the word that ends them.

        Args:
            first: Whether the statement itself still comes. What follows a comma is then a domain only where it is
                one and something follows it.
        """
        before: list[Given] = []
        while True:
            start, found = self.at, self.item()
            self.refuse_split(before, found, self.words[start])
            self.given += found
            before = found
            mark = self.at
            kept = (list(self.notes), list(self.products), set(self.bare), list(self.indexed))
            joined = self.skip(",", ";") | self.joined()
            if not joined:
                return
            if not first:
                if self.word.kind == "end":
                    return
                continue
            # Behind a comma the statement may begin: it does where no domain can be read, or nothing is left for it.
            if self.spoken(*_THEN, "for", "such", "with") or self.command("forall", "exists"):
                self.at = mark
                return
            place = self.at
            try:
                colon = self.colon_comes()
                simple = self.is_simple(self.item())
                more = self.word.kind != "end" and (self.sign(",", ":", ";", ".") or self.word.kind in ("quad", "text") or
                                                    self.command("forall", "land"))  # fmt: skip
            except StatementError:
                if self.colon_comes():
                    raise
                simple = more = colon = False
            self.notes, self.products, self.bare, self.indexed = kept
            if not colon and not (simple and more and self.something_behind()):
                self.at = mark
                return
            self.at = place

    def colon_comes(self) -> bool:
        """Return whether a colon ends the domains later, so that all before it are domains and conditions."""
        return any(w == ("sign", ":") for w in self.words[self.at :])

    def something_behind(self) -> bool:
        """Return whether a relation comes later, so that the statement is still to come."""
        return any(_relates(w) for w in self.words[self.at :])

    def joined(self) -> bool:
        """Take an `and` between items."""
        if self.spoken("and") or self.command("land"):
            self.take()
            self.skip(",")
            return True
        return False

    # ---------------------------------------------------------------------------------------------- items

    def sorts(self) -> list[str]:
        """Return the words of sorts that come next."""
        found = []
        while self.spoken(*_SORTS):
            found.append(self.take().text)
        return found

    def item(self) -> list[Given]:
        """Return what one domain or condition says."""
        kinds = self.sorts()
        start, listed = self.at, self.name_list()
        kinds += self.sorts()
        if self.command("in") and listed:
            self.take()
            kinds_of, made = self.set_of(listed)
            kinds += kinds_of
        elif listed and self.relation() and (len(listed) > 1 or kinds):
            chain = self.chain_of(listed[-1])
            made = [replace(chain, sides=(name, *chain.sides[1:])) for name in listed]
        elif (
            listed
            and (kinds or self.word.kind in ("end", "quad", "text") or self.sign(",", ":", "."))
            and not self.relation()
        ):
            made, kinds = [], kinds or ["real"]
        else:
            self.at = start
            found = self.relations()
            alone = [s for s in found.sides if any(names_in(s, frozenset()))] if isinstance(found, Compare) else []
            if kinds and not (alone and all(isinstance(side, Name) for side in alone)):
                raise self.refusal("expected the name of a variable", "", self.words[start])
            # `for integers 0 <= k <= n`: the sort is said of every name of the chain.
            return [*self.declared([n for n in alone if isinstance(n, Name)] if kinds else [], kinds), found]
        kinds += self.sorts()
        of = (
            {
                n.name: [m for m in made if n in list(sides(m))[:1]] if not isinstance(made[0], Or) else []
                for n in listed
            }
            if made
            else {}
        )
        return [g for n in listed for g in (*self.declared([n], kinds), *of.get(n.name, ()))] + (
            made if made and isinstance(made[0], Or) else []
        )

    def name_list(self) -> list[Name]:
        """Return the names of a list such as `x, y` if one comes; none otherwise."""
        found: list[Name] = []
        start = self.at
        while self.word.kind in ("letter", "command", "upright", "italic"):
            try:
                tree = self.atom()
            except StatementError:
                break
            if not isinstance(tree, Name) or self.sign("(", "[", "^", "!"):
                break
            found.append(tree)
            if not self.sign(","):
                return found
            end = self.at
            self.take()
            if self.word.kind not in ("letter", "command", "upright", "italic"):
                self.at = end
                return found
        if found and self.words[self.at - 1] == ("sign", ","):
            self.at -= 1
            return found
        # The list ends where something else than a name begins: go back to before its last comma.
        self.at = start
        return self.shorter(len(found)) if found else []

    def shorter(self, count: int) -> list[Name]:
        """Return the first names of a list whose last part is no name."""
        found = []
        for _ in range(count):
            tree = self.atom()
            if isinstance(tree, Name):
                found.append(tree)
            if self.sign(","):
                self.take()
        self.at -= 1
        return found if self.sign(",") else []

    def chain_of(self, first: Name) -> Compare:
        """Return the chain that goes on behind a name."""
        chain_sides: list[Expression] = [first]
        signs = []
        while sign := self.relation():
            if self.take().text == "not":
                self.take()
            signs.append(sign)
            chain_sides.append(self.side())
        return Compare(tuple(chain_sides), tuple(signs))

    def declared(self, listed: Sequence[Name], kinds: Sequence[str]) -> Iterator[Given]:
        """Yield the declarations of names by words such as `positive integer`."""
        whole = [k for k in kinds if k in _WHOLE]
        if "natural" in kinds or "naturals" in kinds:
            self.note("the natural numbers begin with 1")
        for name in listed:
            if whole or {"real", "reals"} & {*kinds}:
                yield Sort(name.name, "integer" if whole else "real")
            for kind in kinds:
                if bound := _SORTS[kind]:
                    yield Compare((name, Number(Fraction(bound[1]))), (bound[0],))

    def set_of(self, listed: Sequence[Name]) -> tuple[list[str], list[Given]]:
        """Return the sorts and the relations of `in` a set."""
        word = self.word
        if self.command("mathbb", "mathbf", "R", "Z", "N", "RR", "ZZ", "NN", "reals"):
            return self.number_set(listed)
        if self.command("{", "lbrace"):
            return self.finite(listed)
        kind: list[str] = ["real"]
        ends = self.interval()
        if ends is None:
            raise self.refusal("a set", word.shown, word)
        return kind, [Compare((name, end), (sign,)) for name in listed for sign, end in ends]

    def number_set(self, listed: Sequence[Name]) -> tuple[list[str], list[Given]]:
        r"""Return what \mathbb{R} and its like say, with their indices."""
        word = self.take()
        letter = word.text[0].upper()
        if word.text in ("mathbb", "mathbf"):
            group = self.sign("{") and self.take()
            letter = self.take().text
            if group:
                self.require("sign", "}")
        if letter not in _SETS:
            raise self.refusal("a set", f"`{letter}`", word)
        made: list[Given] = []
        if self.sign("_", "^"):
            start = self.at
            self.take()
            depth = 0
            inner: list[str] = []
            while True:
                one = self.take()
                depth += (one.text == "{") - (one.text == "}")
                inner += [one.text] if one.text not in "{}" else []
                if depth <= 0 or one.kind == "end":
                    break
            found = {">0": (">", 0), "ge0": (">=", 0), "geq0": (">=", 0), "gt0": (">", 0), "geqslant0": (">=", 0),
                     "ge1": (">=", 1), "geq1": (">=", 1), "++": (">", 0)}  # fmt: skip
            found |= {"N": {"0": (">=", 0), "+": (">=", 1), "*": (">=", 1), "ast": (">=", 1)}, "Z": {}, "R": {}}[letter]
            if (mark := "".join(inner)) not in found:
                raise self.refusal("a set whose index is read in several ways, or a set of vectors",
                                   f"`{self.piece(start - 1)}`", word)  # fmt: skip
            sign, value = found[mark]
            made = [Compare((name, Number(Fraction(value))), (sign,)) for name in listed]
        elif letter == "N":
            return ["natural"], []
        elif self.command("setminus"):
            self.take()
            if [w.text for w in self.words[self.at : self.at + 3]] != ["{", "0", "}"]:
                raise self.refusal("a set", "", word)
            self.at += 3
            made = [Compare((name, Number(Fraction(0))), ("!=",)) for name in listed]
        return [_SETS[letter]], made

    def finite(self, listed: Sequence[Name]) -> tuple[list[str], list[Given]]:
        r"""Return what \{0, 1\} and \{1, \dots, n\} say."""
        word = self.take()
        first = [self.enclosed(self.sum)]
        dots = False
        while self.sign(","):
            self.take()
            if self.command("dots", "ldots", "dotsc", "cdots"):
                dots = True
                self.take()
                self.require("sign", ",")
                first.append(self.enclosed(self.sum))
                break
            first.append(self.enclosed(self.sum))
        if not self.command("}", "rbrace"):
            raise self.refusal("a set", "", word)
        self.take()
        if not dots:
            return [], [
                Or(tuple(Compare((n, v), ("=",)) for v in first)) if len(first) > 1 else Compare((n, first[0]), ("=",))
                for n in listed
            ]
        numbers = [v.value for v in first[:-1] if isinstance(v, Number)]
        if len(numbers) != len(first) - 1 or any(b - a != 1 for a, b in zip(numbers, numbers[1:], strict=False)):
            raise self.refusal("dots", "", word)
        return ["integer"], [Compare((n, v), (s,)) for n in listed for s, v in ((">=", first[0]), ("<=", first[-1]))]

    def interval(self) -> list[tuple[str, Expression]] | None:
        """Return the ends of an interval as relations; None where none stands."""
        word = self.word
        if not self.sign("[", "(", "]"):
            return None
        self.take()
        lower = self.infinite() or self.enclosed(self.sum)
        if not self.sign(","):
            return None
        self.take()
        upper = self.infinite() or self.enclosed(self.sum)
        if not self.sign("]", ")", "["):
            return None
        closing = self.take().text
        if (word.text == "]") != (closing == "[") and "]" == word.text:
            return None
        ends: list[tuple[str, Expression]] = []
        if not isinstance(lower, str):
            ends.append((">=" if word.text == "[" else ">", lower))
        if not isinstance(upper, str):
            ends.append(("<=" if closing == "]" else "<", upper))
        if lower == "+" or upper == "-" or self.sign("^", "_"):
            raise self.refusal("a set", "", word)
        return ends

    def infinite(self) -> str:
        """Take an infinite end; return its sign, or nothing."""
        signed = self.sign("-", "+") and self.ahead() == ("command", "infty")
        if not signed and not self.command("infty"):
            return ""
        sign = self.take().text
        if signed:
            self.take()
        return "-" if sign == "-" else "+"

    def is_simple(self, found: Sequence[Given]) -> bool:
        """Return whether a condition is a domain: one name between constants, or a chain such as 1 <= k <= n."""
        for one in found:
            if isinstance(one, Compare):
                free = [side for side in one.sides if any(names_in(side, frozenset()))]
                names_alone = all(isinstance(side, Name) for side in free)
                if not free or not names_alone or (len(free) > 1 and len(one.sides) < 3):
                    return False
        return True

    def refuse_split(self, before: Sequence[Given], found: Sequence[Given], word: Word) -> None:
        """Refuse `0 < p, q < 1` and `0 < x, y`, which one may read in two ways."""
        last = before[-1] if before else None
        if not isinstance(last, Compare) or not found or not isinstance(last.sides[-1], Name):
            return
        one = found[0]
        bare = isinstance(one, Sort)
        behind = isinstance(one, Compare) and isinstance(one.sides[0], Name) and len(one.sides) == 2 and (
            one.signs[0][0] == last.signs[0][0] and one.signs[0] not in ("=", "!="))  # fmt: skip
        if not isinstance(last.sides[0], Name) and len(last.sides) == 2 and (bare or behind):
            raise self.doubt("a chain that is split between two names", word,
                             ("of each name its own part", ""), ("of both names all of it", "0 < p < 1, 0 < q < 1"))  # fmt: skip

    # ---------------------------------------------------------------------------------------------- what is said

    def relations(self) -> Formula:
        """Return a chain of relations, or membership of an expression in an interval."""
        word = self.word
        found = self.chain()
        if self.command("in") and not isinstance(found, Compare):
            self.take()
            place = self.word
            ends = self.interval()
            if not ends:
                raise self.refusal("a set", place.shown, place)
            made = [Compare((found, end), (sign,)) for sign, end in ends]
            return made[0] if len(made) == 1 else And(tuple(made))
        if not isinstance(found, Compare):
            if self.word.kind != "end":
                raise self.refusal(*self.misplaced("expected a relation"))
            raise self.refusal("a term and no statement: no relation", "", word)
        return found

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
            while self.spoken(*_THEN):
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
            raise self.doubt("two arrows", self.word, ("a chain", ""), ("one inside of the other", ""))
        if isinstance(right, And | Or) or isinstance(left, Or) or (join is Iff and isinstance(left, And)):
            if not (isinstance(right, And) and isinstance(left, Compare) and self.memberships):
                raise self.doubt("`and` or `or` beside an arrow", mark, ("inside of its side", ""), ("outside", ""))
        return join(left, right)

    memberships = False

    def joint(self) -> Formula:
        """Return relations that `and` or `or` joins."""
        parts = [self.relations()]
        word: Literal["and", "or"] | None = None
        while True:
            mark = self.at
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
                raise self.doubt("`and` beside `or`", self.word, ("`and` first", ""), ("`or` first", ""))
            word = this
            self.take()
            self.skip(",")
            parts.append(self.relations())
        if len(parts) == 1:
            return parts[0]
        return And(tuple(parts)) if word == "and" else Or(tuple(parts))

    # ---------------------------------------------------------------------------------------------- behind

    def behind(self, says: Formula) -> None:
        """Read the conditions behind the statement."""
        while True:
            mark = self.at
            comma = self.skip(",", ";")
            if self.word.kind == "end":
                return
            if self.sign("(") and comma and self.words[-2] == ("sign", ")"):
                self.take()
                del self.words[-2]
            if self.command("forall"):
                self.take()
                self.list_of_items()
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
                    raise self.doubt("what stands behind the comma is a condition or a second statement", word,
                                     ("a condition", rf"\text{{for }} {self.piece(start)}"),
                                     ("a second statement", rf"\text{{and }} {self.piece(start)}"))  # fmt: skip
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
            raise self.doubt("`if` behind `and` or `or`", word, ("of the last part", ""), ("of all parts", ""))
        self.list_of_items()


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
