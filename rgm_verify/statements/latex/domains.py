r"""Domains and conditions in LaTeX: `x \in [0, 1]`, `0 < x \le 1`, `n` a positive integer, and sets of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from rgm_verify.statements.latex.atoms import Atoms
from rgm_verify.statements.latex.words import RELATIONS, Word
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import (
    Compare,
    Expression,
    Formula,
    Given,
    Name,
    Number,
    Or,
    Sort,
    names_in,
)

__all__ = ["BETWEEN", "Domains"]

_SORTS: Final = {
    "positive": (">", 0),
    "negative": ("<", 0),
    "nonnegative": (">=", 0),
    "non-negative": (">=", 0),
    "natural": (">=", 1),
    "real": None,
    "reals": None,
    "integer": None,
    "integers": None,
    "number": None,
    "numbers": None,
    "naturals": (">=", 1),
    "a": None,
    "an": None,
    "the": None,
    "is": None,
    "are": None,
    "be": None,
}
_WHOLE: Final = ("integer", "integers", "natural", "naturals")
_SETS: Final = {"R": "real", "Z": "integer", "N": "integer"}
#: Words between the domains and the statement, which say nothing themselves.
BETWEEN: Final = frozenset("then we have it holds that one has".split())


class Domains(Atoms):
    """The rules of what is given.

    Attributes:
        given: What is given so far.
        exists: Whether the statement is about some point.
    """

    def __init__(self, source: str, found: list[Word]) -> None:
        super().__init__(source, found)
        self.given: list[Given] = []
        self.exists = False

    def spoken(self, *texts: str) -> bool:
        """Return whether the next word is one of these words of prose."""
        return self.word.kind == "text" and self.word.text in texts

    def accepted(self, *texts: str) -> bool:
        """Take one of these words of prose; return whether it came."""
        came = self.spoken(*texts)
        self.at += came
        return came

    def skip(self, *signs: str) -> bool:
        """Skip signs and wide blanks; return whether there were any."""
        start = self.at
        while self.word.kind == "quad" or self.sign(*signs):
            self.at += 1
        return self.at > start

    def list_of_items(self, clause: str = "", *, first: bool = False) -> None:
        """Read domains and conditions up to the word that ends them.

        Args:
            clause: The word that they stand behind.
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
                if self.word.kind == "end" or self.spoken("where", "with", "for", "if", "whenever", "such", "provided"):
                    self.at = mark if self.word.kind != "end" else self.at
                    return
                if self.words[self.at - 1].kind != "text":
                    self.refuse_second_statement(clause)
                continue
            # Behind a comma the statement may begin: it does where no domain can be read, or nothing is left for it.
            if self.spoken(*BETWEEN, "for", "such", "with") or self.command("forall", "exists"):
                self.at = mark
                return
            place = self.at
            try:
                colon = self.colon_comes()
                simple = self.is_simple(self.item())
                more = self.word.kind != "end" and (
                    self.sign(",", ":", ";", ".")
                    or self.word.kind in ("quad", "text")
                    or self.command("forall", "land")
                )
            except StatementError:
                if self.colon_comes():
                    raise
                simple = more = colon = False
            self.notes, self.products, self.bare, self.indexed = kept
            if not colon and not (simple and more and self.something_behind()):
                self.at = mark
                return
            self.at = place

    def refuse_second_statement(self, clause: str) -> None:
        """Refuse what stands behind the comma of a list and is neither a domain nor, behind `where`, a definition."""
        place, kept = self.at, (list(self.notes), list(self.products), set(self.bare), list(self.indexed))
        if self.spoken("and"):
            return
        found = self.item()
        defined = clause == "where" and all(
            isinstance(g, Compare) and g.signs == ("=",) and isinstance(g.sides[0], Name) for g in found
        )
        if not (self.is_simple(found) or defined):
            shown = self.piece(place)
            raise self.doubt(
                "what stands behind the comma is a condition or a second statement",
                self.words[place],
                rf"a condition, as in \text{{and }} {shown}",
                "a second statement",
            )
        self.at = place
        self.notes, self.products, self.bare, self.indexed = kept

    def colon_comes(self) -> bool:
        """Return whether a colon, or a full stop with `then`, ends the domains later: all before it is given."""
        behind = self.words[self.at :]
        stops = any(w == ("sign", ".") and then == ("text", "then") for w, then in pairwise(behind))
        return stops or any(w == ("sign", ":") for w in behind)

    def something_behind(self) -> bool:
        """Return whether a relation comes later, so that the statement is still to come."""
        behind = self.words[self.at :]
        return any(w.text in (*RELATIONS, "in") and w.kind in ("sign", "command") for w in behind)

    def joined(self) -> bool:
        """Take an `and` between items."""
        if self.spoken("and") or self.command("land"):
            self.take()
            self.skip(",")
            if self.accepted("for"):
                while self.accepted("all", "every", "any", "each"):
                    pass
            return True
        return False

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
        if listed and self.spoken("and") and self.ahead().kind in ("letter", "command"):
            listed = self.with_and(listed, kinds)
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
        # What is said of one name stands together, so that its text is an interval.
        own = {n.name: [m for m in made if isinstance(m, Compare) and m.sides[0] == n] for n in listed}
        others = [m for m in made if not isinstance(m, Compare)]
        return [*(g for n in listed for g in (*self.declared([n], kinds), *own[n.name])), *others]

    def with_and(self, listed: list[Name], kinds: list[str]) -> list[Name]:
        """Return the names of `for real x and y`; of `x and y > 0` nobody knows what is said of x.

        Args:
            listed: The names before the `and`.
            kinds: The sorts in front of them.
        """
        mark, word = self.at, self.take()
        more = self.name_list()
        said = self.relation() or self.command("in") or self.spoken(*_SORTS)
        if more and said:
            raise self.doubt("what follows may be said of the last name or of all", word, "of the last", "of all")
        if not more or not kinds:
            self.at = mark
            return listed
        return [*listed, *more]

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
            found = {
                ">0": (">", 0),
                "ge0": (">=", 0),
                "geq0": (">=", 0),
                "gt0": (">", 0),
                "geqslant0": (">=", 0),
                "ge1": (">=", 1),
                "geq1": (">=", 1),
                "++": (">", 0),
            }
            found |= {"N": {"0": (">=", 0), "+": (">=", 1), "*": (">=", 1), "ast": (">=", 1)}, "Z": {}, "R": {}}[letter]
            if (mark := "".join(inner)) not in found:
                raise self.refusal(
                    "a set whose index is read in several ways, or a set of vectors", f"`{self.piece(start - 1)}`", word
                )
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
        if len(numbers) != len(first) - 1 or any(b - a != 1 for a, b in pairwise(numbers)):
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
        if (word.text == "]") != (closing == "[") and word.text == "]":
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
        behind = (
            isinstance(one, Compare)
            and isinstance(one.sides[0], Name)
            and len(one.sides) == 2
            and (one.signs[0][0] == last.signs[0][0] and one.signs[0] not in ("=", "!="))
        )
        if not isinstance(last.sides[0], Name) and len(last.sides) == 2 and (bare or behind):
            raise self.doubt(
                "a chain that is split between two names",
                word,
                "of each name its own part",
                "of both names all of it, as in 0 < p < 1, 0 < q < 1",
            )

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
            (first, low), (second, high) = ends[0], ends[-1]
            if len(ends) == 1:
                return Compare((found, low), (first,))
            return Compare((low, found, high), (first.replace(">", "<"), second))
        if not isinstance(found, Compare):
            if self.word.kind != "end":
                raise self.refusal(*self.misplaced("expected a relation"))
            raise self.refusal("a term and no statement: no relation", "", word)
        return found
