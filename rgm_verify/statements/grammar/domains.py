"""Domains and conditions of variables: lists of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rgm_verify.statements.grammar.formulas import Formulas
from rgm_verify.statements.grammar.vocabulary import (
    ARTICLES,
    CLAUSES,
    ENDS,
    INFINITE,
    OF_ONE,
    SETS,
    SIGNS,
    SORTS,
    WORDS,
)
from rgm_verify.statements.laws import KEYWORDS, LAWS, OTHER_LAWS
from rgm_verify.statements.tokens import Token
from rgm_verify.statements.trees import (
    CONSTANTS,
    And,
    Compare,
    Expression,
    Factors,
    Formula,
    Given,
    Law,
    Name,
    Number,
    Or,
    Power,
    Sort,
    bounded,
    names_in,
)
from rgm_verify.statements.trees import text as written

__all__ = ["Domains"]


class Domains(Formulas):
    """Rules for what is given."""

    def items(self) -> list[Given]:
        """Return the domains and conditions of a list, up to the word that ends it.

        `and` joins items as a comma does, so that a bare alternative with `or` could be read in two ways; it is
        refused.

        Raises:
            StatementError: For `x > 0 or x < -1 and y > 0`, where the `and` might belong to either, and for a chain
                that is split between two variables.
        """
        found: list[Given] = []
        while True:
            start = self.at
            item, mixed = self.item()
            self.refuse_split_chain(found, item)
            self.refuse_shared_ends(start, found)
            found += item
            if not self.is_next(",", "and"):
                return found
            # `x > 0, where y > 0` and `x > 0, then` go on with another clause.
            if self.is_next(",") and self.ahead().text in (*CLAUSES, "then", "there"):
                return found
            # An `and` on either side of the alternative makes it ambiguous; a comma does not.
            if mixed and (self.is_next("and") or (start and self.words[start - 1].text == "and")):
                self.fail("put the alternatives with `or` in parentheses")
            self.last = self.at
            self.take()

    def refuse_shared_ends(self, start: int, before: Sequence[Given]) -> None:
        """Refuse `x and y > 0` and `0 < x, y`: what is said of one of the two may be meant of both.

        Args:
            start: The place of the first word of an item. Only one that is nothing but names is looked at.
            before: The items in front of it.
        """
        bare = [word for word in self.words[start : self.at] if word.text != ","]
        if any(word.kind != "name" or word.text in WORDS for word in bare):
            return
        end = self.word.position
        if self.is_next("and") and self.is_declared(self.at + 1):
            self.doubt("what follows may be said of the last name or of all", end,
                       ("of the last", self.changed(end, end, "real ")),
                       ("of all", self.changed(end, end + len(self.word.text), ",")))  # fmt: skip
        last = before[-1] if before else None
        if isinstance(last, Compare) and isinstance(last.sides[-1], Name) and self.words[start - 2].kind == "name":
            alone = ", ".join(f"{word.text} real" for word in bare) + " "
            each = (replace(last, sides=(*last.sides[:-1], Name(word.text))) for word in bare)
            both = f"{', '.join(map(written, each))} "
            self.doubt("what stands before the comma may be said of one name or of all", bare[0].position,
                       ("of one", self.changed(bare[0].position, end, alone)),
                       ("of all", self.changed(bare[0].position, end, both)))  # fmt: skip

    def refuse_split_chain(self, before: Sequence[Given], item: Sequence[Given]) -> None:
        """Refuse `0 < p, q < 1`, which one may read in two ways.

        A mathematician means both variables between both numbers; the grammar would read one end for each. The first
        reading has more hypotheses, so that a silent choice of the second would judge another statement. Chains that
        cannot be meant so (`x < 1, y > 0`, where the signs point apart) pass.
        """
        if not before or not item:
            return
        first, second = before[-1], item[0]
        if not (isinstance(first, Compare) and isinstance(second, Compare)):
            return
        rising = ("<", "<=")
        if (
            # A number before the one name, a number behind the other, signs that point the same way.
            len(first.sides) == len(second.sides) == 2
            and isinstance(first.sides[1], Name)
            and not isinstance(first.sides[0], Name)
            and isinstance(second.sides[0], Name)
            and not isinstance(second.sides[1], Name)
            and first.sides[1] != second.sides[0]
            and (first.signs[0] in rising) == (second.signs[0] in rising)
            and "=" not in (first.signs[0], second.signs[0])
            and "!=" not in (first.signs[0], second.signs[0])
        ):
            a, b = first.sides[1].name, second.sides[0].name
            self.fail(f"this may mean two things: give {a} and {b} a chain each, as in 0 < {a} < 1, 0 < {b} < 1",
                      second.position)  # fmt: skip

    def item(self) -> tuple[list[Given], bool]:
        """Return what one item declares and asks for, and whether it is an alternative without parentheses.

        An item begins with sorts, with names, or with a formula. Names that turn out to begin a formula (`x > 0 or x <
        -1`) are read a second time, as a formula; that is the one place where the parser goes back.
        """
        start = self.at
        sorts = self.sorts()
        names = self.names()
        if names and not sorts and self.is_next("~"):
            return self.laws(names), False
        before = self.words[self.at - len(names) * 2] if len(names) > 1 else None
        if not names:
            # A relation may begin with a constant; a sort, a set or a list says something of a variable.
            relation = self.ahead().text in SIGNS and not sorts
            if self.is_named(self.at, CONSTANTS) and not relation:
                self.refuse_constant(Name(self.word.text, position=self.word.position))
            if sorts:
                raise self.expected("the name of a variable")
            return self.condition()
        more = self.says_more()
        if more and before is not None and before.text in OF_ONE:
            first, begin, kind = names[0].text, before.position, f" {before.text}"
            rest = self.text[names[1].position : self.word.position]
            alone, all_of = f"{first}{kind}, {rest}", ", ".join(f"{n.text}{kind}" for n in names)
            self.doubt(f"`{before.text}` may be said of {first} or of all names", begin,
                       ("of the first", self.changed(begin, self.word.position, alone)),
                       ("of all", self.changed(begin, self.word.position, f"{all_of}, {first}, {rest}")))  # fmt: skip
        sorts += self.sorts()
        if self.is_next("in") and self.ahead().text == "{":
            self.take()
            return [*self.declared(names, sorts), *self.listed(names)], False
        if self.accept("in"):
            kinds, ends = self.domain()
            # n integer in [1, 20]: the sort is said, and the interval gives the ends.
            if ends and any(sort in ("integer", "natural") for sort, _ in sorts):
                kinds = []
            return [*self.declared(names, [*sorts, *kinds]), *self.compared(names, ends)], False
        if not self.is_next(*SIGNS):
            # A name alone in a list of domains declares a real number, as one without any domain would be.
            return self.declared(names, sorts or [("real", names[0].position)]), False
        chain = self.chain_of(Name(names[-1].text, position=names[-1].position))
        if self.is_next("or", "implies", "iff", "<=>"):
            if len(names) > 1 or sorts:
                self.fail("put the alternatives with `or` in parentheses")
            # The names begin a formula after all: read again from the first word.
            self.at = start
            return self.condition()
        self.refuse_bounds_on_constants(chain)
        sorts += self.sorts_behind(names, chain)
        # What is said of the last name of a list is said of all of them: x, y > 0.
        chains = [replace(chain, sides=(Name(n.text, position=n.position), *chain.sides[1:])) for n in names]
        # In a list with its letters xy is a variable of its own, which a relation alone does not say.
        letters = [n.text for n in names]
        words = [n for n in names if len(n.text) > 1 and all(c in letters for c in n.text) and not sorts]
        return [*self.declared(words, [("real", 0)]), *self.declared(names, sorts), *chains], False

    def laws(self, names: Sequence[Token]) -> list[Given]:
        """Return the law of a random variable, `X ~ N(0, s^2)`; several names before the sign share it.

        Raises:
            DoubtfulReading: For parameters that authors understand in different ways.
        """
        self.require("~", "`~` and a law")
        word = self.take()
        kind = OTHER_LAWS.get(word.text, word.text)
        if kind not in LAWS:
            self.fail(f"`{word.text}` is no law that is known here: {', '.join(LAWS)}", word.position)
        self.require("(", f"the parameters of {kind} in parentheses")
        letters, keywords = LAWS[kind].parameters, KEYWORDS.get(kind, {})
        found: dict[str, Expression] = {}
        plainly: list[tuple[Expression, Token]] = []
        while True:
            start = self.word
            if self.ahead().text == "=" and start.text in keywords:
                self.at += 2
                letter, form = keywords[start.text]
                value = self.argument()
                if letter in found:
                    self.fail(f"{start.text} stands twice, or beside what says the same", start.position)
                two = Number(Fraction(2))
                found[letter] = {"z": value, "1/z": Factors((("*", Number(Fraction(1))), ("/", value))),
                                 "z^2": Power(value, two)}[form]  # fmt: skip
            else:
                plainly.append((self.argument(), start))
            if not self.accept(","):
                break
        self.require(")", "a comma or the closing parenthesis of the law")
        missing = [letter for letter in letters if letter not in found]
        if kind == "Laplace" and len(plainly) == 1 and len(missing) == 2:
            found["m"] = Number(Fraction(0))
            missing = ["b"]
        self.refuse_unnamed(kind, plainly, missing)
        if len(plainly) != len(missing):
            self.fail(f"{kind} takes {len(letters)} parameters", word.position)
        found |= dict(zip(missing, (value for value, _ in plainly), strict=True))
        values = tuple(found[letter] for letter in letters)
        return [Law(name.text, kind, values, position=name.position) for name in names]

    def refuse_unnamed(self, kind: str, plainly: Sequence[tuple[Expression, Token]], missing: Sequence[str]) -> None:
        """Refuse `Exp(a)`, `Gamma(k, a)` and `Geometric(p)`, which have two readings each."""
        if kind in ("Exponential", "Gamma") and "a" in missing and len(plainly) == len(missing):
            at = plainly[-1][1].position
            self.doubt(f"the last number of {kind} is a rate or a scale", at,
                       ("a rate", self.changed(at, at, "rate=")),
                       ("a scale", self.changed(at, at, "scale=")))  # fmt: skip
        if kind == "Geometric" and missing in (["f"], ["p", "f"]) and len(plainly) == len(missing) - 1:
            end = self.words[self.at - 1].position
            self.doubt("a geometric law begins at 0 or at 1", end,
                       ("failures before the first success", self.changed(end, end, ", first=0")),
                       ("trials up to the first success", self.changed(end, end, ", first=1")))  # fmt: skip

    def says_more(self) -> bool:
        """Take `is`, `are` or `be` with an article, and return whether something is said of the names before."""
        verb = self.accept("is", "are", "be")
        if self.is_next(*ARTICLES) and self.ahead().text in SORTS:
            self.take()
        return verb is not None or self.is_next("in", *SIGNS, *SORTS)

    def sorts_behind(self, names: Sequence[Token], chain: Compare) -> list[tuple[str, int]]:
        """Return the sorts behind a bound: `n >= 1 integer`; of which of several names they are said, nobody knows."""
        if self.is_next(*SORTS) and (
            len(names) > 1 or any(True for s in chain.sides[1:] for _ in names_in(s, frozenset()))
        ):
            self.fail(f"`{self.word.text}`: write it in front of the bound, as in n integer >= 1")
        return self.sorts()

    def condition(self) -> tuple[list[Given], bool]:
        """Return a condition as one item, and whether it is an alternative without parentheses.

        `and` is not read here: between items it means a new item.
        """
        position = self.word.position
        part = self.formula_of(self.either(conjunctions=False), position)
        if isinstance(part, Compare):
            self.refuse_bounds_on_constants(part)
            name = bounded(part)
            if name and self.is_next(*SORTS):
                at = next(side.position for side in part.sides if side == Name(name))
                return [*self.declared([Token("name", name, at)], self.sorts()), part], False
        return [part], isinstance(part, Or)

    def refuse_bounds_on_constants(self, chain: Compare) -> None:
        """Refuse `0 < e < 1`, `e >= u` and `pi > 3`: whoever bounds a constant takes it for a variable.

        `x > e` and `0 < x < pi` bound a variable by a constant, and pass. In front of a sign `e` may mean either (it is
        a common name of a privacy parameter); behind the last one it is an end.
        """
        number = [
            isinstance(side, Number) or (isinstance(side, Name) and side.name in CONSTANTS) for side in chain.sides
        ]
        last = len(number) - 1
        for place, side in enumerate(chain.sides):
            alone = all(number[max(place - 1, 0) : place + 2])
            if isinstance(side, Name) and number[place] and (alone or (side.name == "e" and place < last)):
                self.refuse_constant(side)

    def refuse_constant(self, name: Name) -> None:
        """Refuse a constant in the place of a variable: to go on would judge another statement than the one meant."""
        if name.name == "e":
            self.fail("e is Euler's number and no variable: call the variable eps; if the number is meant, it stands "
                      "last, as in x > e", name.position)  # fmt: skip
        self.fail(f"{name.name} is a number and no variable: give the variable another name", name.position)

    def names(self) -> list[Token]:
        """Take the names of a list such as `x, y` before what is said of all of them."""
        found: list[Token] = []
        while self.is_declared(self.at):
            if self.word.text in self.defined:
                self.fail(f"{self.word.text} is defined before, and no variable")
            found.append(self.take())
            if not (self.is_next(",") and self.is_declared(self.at + 1)):
                break
            self.take()
        return found

    def is_declared(self, at: int) -> bool:
        """Return whether a name stands there that is declared rather than the beginning of a formula.

        The word behind it decides: after a comma, a relation, a sort or a clause it is declared, and an operation such
        as in `x + y > 0` makes it a formula.

        Args:
            at: The place of the word.
        """
        word = self.words[at]
        free = word.kind == "name" and word.text not in WORDS and word.text not in CONSTANTS and word.text != "√"
        return free and self.is_named(at, (word.text,))

    def is_named(self, at: int, names: Sequence[str]) -> bool:
        """Return whether one of these names stands there, with a word behind it that something may be said of.

        Args:
            at: The place of the word.
            names: The names that count.
        """
        word, behind = self.words[at], self.words[min(at + 1, len(self.words) - 1)]
        known = (",", ":", ".", ";", "and", "in", "is", "are", "then", "~", *SIGNS, *SORTS, *CLAUSES)
        if behind.text == "be":
            after = [w.text for w in self.words[at + 2 : at + 4]]
            return word.text in names and bool(after) and (after[0] in (*SORTS, "in") or after[:1][0] in ARTICLES)
        return word.text in names and (behind.kind == "end" or behind.text in known)

    def sorts(self) -> list[tuple[str, int]]:
        """Return the sorts that come next with their columns."""
        found = []
        while self.is_next(*SORTS):
            word = self.take()
            found.append((SORTS[word.text], word.position))
        return found

    def declared(self, names: Sequence[Token], sorts: Sequence[tuple[str, int]]) -> list[Given]:
        """Return the declarations of names by words such as `positive integer`.

        Each word becomes a sort, or a relation with 0 (with 1 for `natural`), so that whoever reads the tree later
        knows two forms and no words. Words that say nothing (`number`) become nothing.

        Raises:
            StatementError: For `real` together with `integer` or `natural`.

        Examples:
            >>> from rgm_verify.statements.parser import parse
            >>> for given in parse("n^2 >= n for natural n").given:
            ...     print(given)
            Sort(name='n', kind='integer')
            Compare(sides=(Name(name='n'), Number(value=Fraction(1, 1))), signs=('>=',))
        """
        kinds = [kind for kind, _ in sorts if kind]
        if "real" in kinds and ("integer" in kinds or "natural" in kinds):
            self.fail("real and integer at once: choose one", sorts[0][1])
        found: list[Given] = []
        for name in names:
            this = Name(name.text, position=name.position)
            if set(kinds) & {"real", "integer", "natural"}:
                whole = "integer" in kinds or "natural" in kinds
                found.append(Sort(name.text, "integer" if whole else "real", position=name.position))
            for kind in kinds:
                if kind in ENDS:
                    sign, value = ENDS[kind]
                    found.append(Compare((this, Number(Fraction(value))), (sign,), position=name.position))
        return found

    def compared(self, names: Sequence[Token], ends: Sequence[tuple[str, Expression]]) -> list[Given]:
        """Return the ends of an interval as relations."""
        return [
            Compare((Name(n.text, position=n.position), end), (sign,), position=n.position)
            for n in names
            for sign, end in ends
        ]

    def domain(self) -> tuple[list[tuple[str, int]], list[tuple[str, Expression]]]:
        """Return the sort of a set, and its ends as relations with them.

        An interval is a set of real numbers, and so it makes its variable real: `n in [0, 4]` is no set of integers.
        """
        word = self.word
        if word.kind == "name" and word.text in SETS:
            sorts = [(SETS[word.text], word.position)]
            self.take()
            # `reals positive`: a word behind the set is a condition as well.
            return [*sorts, *self.sorts()], []
        if word.kind == "name" and word.text in SORTS:
            return self.sorts(), []
        if word.text not in ("[", "("):
            raise self.expected("R, Z, N or an interval such as [0, 1] or (0, infinity)")
        opening = self.take().text
        lower = self.end()
        self.require(",", "a comma between the ends of the interval")
        upper = self.end()
        if not self.is_next("]", ")"):
            raise self.expected("the end of the interval, ] or )")
        closing = self.take().text
        ends: list[tuple[str, Expression]] = []
        # An infinite end is no condition, whatever its bracket says.
        if lower is not None:
            ends.append((">=" if opening == "[" else ">", lower))
        if upper is not None:
            ends.append(("<=" if closing == "]" else "<", upper))
        return [("real", word.position)], ends

    def listed(self, names: Sequence[Token]) -> list[Formula]:
        """Return `x in {1, 2, 3}` as an alternative of equations, one for each name."""
        self.require("{", "the opening brace")
        values = [self.value_of(self.sum)]
        while self.accept(","):
            values.append(self.value_of(self.sum))
        self.require("}", "a comma or the closing brace")
        found: list[Formula] = []
        for name in names:
            this = Name(name.text, position=name.position)
            parts: list[Formula] = [Compare((this, value), ("=",), position=name.position) for value in values]
            found.append(parts[0] if len(parts) == 1 else Or(tuple(parts), position=name.position))
        return found

    def membership(self, name: Name) -> Formula:
        """Return `x in [0, 1]` in a formula as relations with the ends.

        Raises:
            StatementError: For a set without an end, such as R or Z.
        """
        position = self.take().position
        if self.is_next("{"):
            return self.listed([Token("name", name.name, name.position)])[0]
        _, ends = self.domain()
        if not ends:
            self.fail("a set in a formula is read as an interval; declare the variable: for all n integer", position)
        parts: list[Formula] = [Compare((name, end), (sign,), position=name.position) for sign, end in ends]
        return parts[0] if len(parts) == 1 else And(tuple(parts), position=name.position)

    def end(self) -> Expression | None:
        """Return an end of an interval, None for an infinite one."""
        if self.is_next(*INFINITE) or (self.is_next("-", "+") and self.ahead().text in INFINITE):
            self.accept("-", "+")
            self.take()
            return None
        return self.value_of(self.sum)
