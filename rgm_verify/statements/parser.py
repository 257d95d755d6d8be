"""The grammar of statements, and its parser: a text becomes a tree, or an error that points at a column.

    statement   = "for all" given ":" formula | "there is" given "with" formula
                | formula { ("for" ["all" | "some"] | "given" | "with" | "where" | "when" | "if") given }
    given       = item { ("," | "and") item }
    item        = [sort] name { "," name } [ ["is" | "are"] sort | "in" set | sign sum { sign sum } ]
                | connected | "(" formula ")"
    sort        = { "positive" | "negative" | "nonnegative" | "real" | "integer" | "natural" | "number" }
    set         = "R" | "Z" | "N" | "reals" | "integers" | "naturals" | ("[" | "(") end "," end ("]" | ")")
    end         = sum | ["-"] "infinity"
    formula     = conditional [ "iff" conditional ]
    conditional = "if" formula "then" conditional | either [ "implies" conditional ]
    either      = all { "or" all }
    all         = connected { "and" connected }
    connected   = "not" connected | sum { sign sum }
    sign        = "<=" | "<" | ">=" | ">" | "=" | "!="
    sum         = [ "-" ] product { ("+" | "-") product }
    product     = factor { ("*" | "/") factor }        with the sign left out after a number: 2x, 2(x + 1)
    factor      = "-" factor | power
    power       = value [ ("^" | "**") exponent ]      from the right: 2^3^2 is 2^9
    value       = atom [ "!" ]
    atom        = number | name | function "(" sum { "," sum } ")" | "(" formula ")" | "|" sum "|" | "√" atom
                | ("sum" | "product") "(" name "," sum "," sum "," sum ")"
                | "integral" "(" name "," end "," end "," sum ")"
                | ("sum" | "product" | "integral") "(" sum "," "(" name "," end "," end ")" ")"

Numbers are exact: 0.1 is 1/10, 1e-6 is 1/1000000. A name without a domain is a real variable, but for `pi` and `e`.

What readers understand in different ways is refused with its readings (`DoubtfulReading`): 1/2x, x^2y, x^-1/2, √2x,
x²^3, n!!, n!=6, a != b != c, ||x||, x +- 1, `A implies B implies C`, `if A then B iff C`, `for x and y > 0`,
`for 0 < x, y`, `for integer n, x > 0`. What hangs on the other names of the statement is looked at in `doubts`.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Final, Literal

from rgm_verify.statements.tokens import DoubtfulReading, Reading, StatementError, Token, tokens
from rgm_verify.statements.trees import (
    BINDING,
    CONSTANTS,
    FUNCTIONS,
    And,
    Call,
    Compare,
    Expression,
    Factors,
    Formula,
    Given,
    If,
    Iff,
    Name,
    Not,
    Number,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    Tree,
    is_formula,
)
from rgm_verify.statements.trees import text as written

__all__ = ["DEEPEST", "MOST_WORDS", "parse", "plain"]

#: Brackets, powers and conditions inside of each other, and the words of a statement.
DEEPEST: Final = 40
MOST_WORDS: Final = 600
_SIGNS = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "=": "=", "==": "=", "!=": "!="}
_OTHER_NAMES = {
    "ln": "log", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arsinh", "acosh": "arcosh",
    "atanh": "artanh", "arcsinh": "arsinh", "arccosh": "arcosh", "arctanh": "artanh", "lgamma": "loggamma",
    "Gamma": "gamma", "choose": "binomial", "ceiling": "ceil", "sgn": "sign", "Abs": "abs", "Max": "max", "Min": "min",
    "LambertW": "lambertw",
    "prod": "product", "int": "integral", "Sum": "sum", "Product": "product", "Integral": "integral",
}  # fmt: skip
#: Functions whose names are common names of variables too: without a parenthesis they are variables.
_ALSO_NAMES = ("gamma", "Gamma", "beta")
_SORTS = {
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
_OF_ONE = ("real", "integer", "natural", "positive", "negative", "nonnegative", "number")  # fmt: skip
_SETS = {
    "R": "real", "Z": "integer", "N": "natural",
    **{word: sort for word, sort in _SORTS.items() if sort in ("real", "integer", "natural")},
}  # fmt: skip
#: Digits of an exponent such as ².
_RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_RAISED_DIGITS: Final = str.maketrans(_RAISED, "0123456789-")
_INFINITE = ("infinity", "inf", "oo")
_CLAUSES = ("for", "given", "with", "where", "when", "if", "such")
_WORDS = frozenset(
    (*_SORTS, *_CLAUSES, "all", "every", "any", "each", "some", "there", "exists", "forall", "that", "then", "and",
     "or", "not", "implies", "iff", "in", "is", "are", "infinity", "inf", "oo", "only", "true", "false")
)  # fmt: skip
_VALUE = "a number, a variable, a function or an opening parenthesis"
_AFTER = "an operation (+ - * / ^), a relation (<= < >= > = !=), `and`, `or`, `for` with domains, or the end"


def parse(text: str) -> Statement:
    """Return the tree of a statement.

    The grammar stands at the top of this file. Nothing is evaluated, and numbers are exact: `0.1` is 1/10.

    Args:
        text: A statement of at most `MOST_WORDS` words, nested at most `DEEPEST` deep.

    Returns:
        What is said, what is given, and whether it is about some point or about all.

    Raises:
        StatementError: With the column of the first word that has no place, and what is allowed there.

    Examples:
        >>> parse("x + 1/x >= 2 for x > 0").exists
        False
        >>> parse("there is x in [0, 1] with x^2 = 1/2").exists
        True
    """
    if not isinstance(text, str):
        raise StatementError("", 0, f"expected a text, got {type(text).__name__}")
    return _Parser(text).statement()


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


class _Parser:
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

    # ---------------------------------------------------------------------------------------------- statements

    def statement(self) -> Statement:
        """Return the whole statement.

        The domains come before it (`for all`, `there is`) or behind it, in as many clauses as the author likes.

        Examples:
            >>> from rgm_verify.statements.trees import text
            >>> for line in ("for all x > 0: x > -1", "x > -1 for x > 0", "x > -1 when x > 0"):
            ...     print(text(_Parser(line).statement()))
            for all x > 0: x > -1
            for all x > 0: x > -1
            for all x > 0: x > -1
        """
        if self.word.kind == "end":
            raise self.expected("a statement, such as x + 1/x >= 2 for x > 0")
        if self.is_next("for", "forall"):
            return self.for_all()
        if self.is_next("there", "exists"):
            return self.there_is()
        says = self.formula()
        given: list[Given] = []
        exists = False
        while self.is_next(*_CLAUSES):
            if exists:
                self.fail(
                    "behind `for some` no other clause is read: put its conditions behind `for some`, with commas"
                )
            clause = self.take()
            # `such that`: the second word belongs to the first, and says nothing by itself.
            if clause.text == "such":
                self.require("that", "`that`")
            if clause.text == "for":
                # The quantifier may stand behind: x^2 = 1/2 for some x in [0, 1].
                exists = bool(self.accept("some"))
                if exists and given:
                    self.fail(
                        "`for some` behind other domains is not read: a claim has one quantifier", clause.position
                    )
                self.accept("all", "every", "any", "each")
            given += self.items()
        # A rest that nobody has read could be the condition on which the statement depends.
        self.finish()
        return Statement(says, tuple(given), exists)

    def finish(self) -> None:
        """Raise `StatementError` if words are left."""
        if self.word.kind != "end":
            self.refuse_missing_operation()
            raise self.expected(_AFTER)

    def refuse_missing_operation(self) -> None:
        """Refuse a value that stands directly behind another one.

        It is called only where the text cannot go on anyhow, to say the likelier of two mistakes: after `2 x`, a second
        name is a product without its sign more often than a missing relation.
        """
        before = self.words[self.at - 1] if self.at else self.word
        # Words such as `for` are names for the tokens, and begin no value.
        value = self.word.kind == "number" or (self.word.kind == "name" and self.word.text not in _WORDS)
        if value and (
            before.kind == "number"
            or before.text in (")", "|", "!")
            or (before.kind == "name" and before.text not in _WORDS)
        ):
            self.fail(f"`{self.word.text}`: an operation is missing before it; write * for a product")

    def for_all(self) -> Statement:
        """Return `for all DOMAINS: STATEMENT`; more conditions may come before the colon.

        Raises:
            StatementError: Without the colon, and for `there is` behind it: a claim has one quantifier.
        """
        if self.take().text == "for":
            # `for some` is `there is` in other words.
            if self.is_next("some"):
                return self.there_is()
            self.accept("all", "every", "any", "each")
        given = list(self.items())
        while self.accept("with", "given", "where"):
            given += self.items()
        if not self.is_next(":"):
            raise self.expected("a colon between the domains and the statement: for all x > 0: x + 1/x >= 2")
        self.take()
        if self.is_next("there", "exists"):
            # A claim has one quantifier; a point that is given by a formula needs no second one.
            self.fail("statements with `for all` and `there is` together are not read; give the point as a formula")
        says = self.formula()
        self.finish()
        return Statement(says, tuple(given))

    def there_is(self) -> Statement:
        """Return `there is DOMAINS with STATEMENT`, or `there is` with a statement alone.

        Raises:
            StatementError: For domains that nothing is said of: "there is x in [0, 1]" would be true of every such
                domain.
        """
        if self.take().text == "there" and not self.accept("is", "are", "exists"):
            raise self.expected("`is`")
        # Without a `with` the names begin the statement itself: there is x^2 = 2.
        if not self.declares():
            says = self.formula()
            self.finish()
            return Statement(says, (), exists=True)
        given = self.items()
        if self.accept("such"):
            self.require("that", "`that`")
        elif not self.accept("with", ":", "where"):
            raise self.expected("`with` and what holds there: there is x in [0, 1] with x^2 = 1/2")
        says = self.formula()
        self.finish()
        return Statement(says, tuple(given), exists=True)

    def declares(self) -> bool:
        """Return whether a `with` comes, so that what stands before it declares variables."""
        return any(
            (w.kind == "name" and w.text in ("with", "such", "where")) or w.text == ":" for w in self.words[self.at :]
        )

    # ---------------------------------------------------------------------------------------------- domains

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
            # An `and` on either side of the alternative makes it ambiguous; a comma does not.
            if mixed and (self.is_next("and") or (start and self.words[start - 1].text == "and")):
                self.fail("put the alternatives with `or` in parentheses")
            self.take()

    def refuse_shared_ends(self, start: int, before: Sequence[Given]) -> None:
        """Refuse `x and y > 0` and `0 < x, y`: what is said of one of the two may be meant of both.

        Args:
            start: The place of the first word of an item. Only one that is nothing but names is looked at.
            before: The items in front of it.
        """
        bare = [word for word in self.words[start : self.at] if word.text != ","]
        if any(word.kind != "name" or word.text in _WORDS for word in bare):
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
        before = self.words[self.at - len(names) * 2] if len(names) > 1 else None
        if not names:
            # A relation may begin with a constant; a sort, a set or a list says something of a variable.
            relation = self.ahead().text in _SIGNS and not sorts
            if self.is_named(self.at, CONSTANTS) and not relation:
                self.refuse_constant(Name(self.word.text, position=self.word.position))
            if sorts:
                raise self.expected("the name of a variable")
            return self.condition()
        more = self.accept("is", "are") or self.is_next("in", *_SIGNS, *_SORTS)
        if more and before is not None and before.text in _OF_ONE:
            first, begin, kind = names[0].text, before.position, f" {before.text}"
            rest = self.text[names[1].position : self.word.position]
            alone, all_of = f"{first}{kind}, {rest}", ", ".join(f"{n.text}{kind}" for n in names)
            self.doubt(f"`{before.text}` may be said of {first} or of all names", begin,
                       ("of the first", self.changed(begin, self.word.position, alone)),
                       ("of all", self.changed(begin, self.word.position, f"{all_of}, {first}, {rest}")))  # fmt: skip
        sorts += self.sorts()
        if self.accept("in"):
            kinds, ends = self.domain()
            # n integer in [1, 20]: the sort is said, and the interval gives the ends.
            if ends and any(sort in ("integer", "natural") for sort, _ in sorts):
                kinds = []
            return [*self.declared(names, [*sorts, *kinds]), *self.compared(names, ends)], False
        if not self.is_next(*_SIGNS):
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
        # What is said of the last name of a list is said of all of them: x, y > 0.
        chains = [replace(chain, sides=(Name(n.text, position=n.position), *chain.sides[1:])) for n in names]
        # In a list with its letters xy is a variable of its own, which a relation alone does not say.
        letters = [n.text for n in names]
        words = [n for n in names if len(n.text) > 1 and all(c in letters for c in n.text) and not sorts]
        return [*self.declared(words, [("real", 0)]), *self.declared(names, sorts), *chains], False

    def condition(self) -> tuple[list[Given], bool]:
        """Return a condition as one item, and whether it is an alternative without parentheses.

        `and` is not read here: between items it means a new item.
        """
        position = self.word.position
        part = self.formula_of(self.either(conjunctions=False), position)
        if isinstance(part, Compare):
            self.refuse_bounds_on_constants(part)
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
        free = word.kind == "name" and word.text not in _WORDS and word.text not in CONSTANTS and word.text != "√"
        return free and self.is_named(at, (word.text,))

    def is_named(self, at: int, names: Sequence[str]) -> bool:
        """Return whether one of these names stands there, with a word behind it that something may be said of.

        Args:
            at: The place of the word.
            names: The names that count.
        """
        word, behind = self.words[at], self.words[min(at + 1, len(self.words) - 1)]
        known = (",", ":", "and", "in", "is", "are", *_SIGNS, *_SORTS, *_CLAUSES)
        return word.text in names and (behind.kind == "end" or behind.text in known)

    def sorts(self) -> list[tuple[str, int]]:
        """Return the sorts that come next with their columns."""
        found = []
        while self.is_next(*_SORTS):
            word = self.take()
            found.append((_SORTS[word.text], word.position))
        return found

    def declared(self, names: Sequence[Token], sorts: Sequence[tuple[str, int]]) -> list[Given]:
        """Return the declarations of names by words such as `positive integer`.

        Each word becomes a sort, or a relation with 0 (with 1 for `natural`), so that whoever reads the tree later
        knows two forms and no words. Words that say nothing (`number`) become nothing.

        Raises:
            StatementError: For `real` together with `integer` or `natural`.

        Examples:
            >>> for given in _Parser("n^2 >= n for natural n").statement().given:
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
                if kind in _ENDS:
                    sign, value = _ENDS[kind]
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
        if word.kind == "name" and word.text in _SETS:
            sorts = [(_SETS[word.text], word.position)]
            self.take()
            # `reals positive`: a word behind the set is a condition as well.
            return [*sorts, *self.sorts()], []
        if word.kind == "name" and word.text in _SORTS:
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

    def end(self) -> Expression | None:
        """Return an end of an interval, None for an infinite one."""
        if self.is_next(*_INFINITE) or (self.is_next("-", "+") and self.ahead().text in _INFINITE):
            self.accept("-", "+")
            self.take()
            return None
        return self.value_of(self.sum)

    # ---------------------------------------------------------------------------------------------- formulas

    def formula(self) -> Formula:
        """Return a formula; `StatementError` for a number."""
        position = self.word.position
        return self.formula_of(self.anything(), position)

    def anything(self) -> Tree:
        """Return a formula or a number: which of the two, what is around it decides.

        `iff` joins two formulas once and no chain: `a iff b iff c` has readings that differ.
        """
        with self.deeper():
            start = self.word.position
            left = self.conditional()
            if not self.is_next("iff", "<=>"):
                return left
            position = self.take().position
            right_start = self.word.position
            right = self.conditional()
            made = Iff(self.formula_of(left, start), self.formula_of(right, right_start), position=position)
            if isinstance(left, If) and not self.is_enclosed(left):
                other = If(left.condition, Iff(left.consequence, made.right))
                self.doubt_of(start, "a condition before `iff` may hold for one side or for both", position,
                              ("for one side", made), ("for both", other))  # fmt: skip
            if isinstance(right, If) and not self.is_enclosed(right) and right.position != right_start:
                other = If(Iff(made.left, right.condition), right.consequence)
                self.doubt_of(start, "`implies` behind `iff` may join two things", right.position,
                              ("the second side of `iff` is a condition", made),
                              ("`iff` is the condition", other))  # fmt: skip
            if self.is_next("iff", "<=>"):
                second = self.take().position
                third = self.formula_of(self.conditional(), self.word.position)
                chain = And((made, Iff(made.right, third)))
                self.doubt_of(start, "`iff` twice may mean two things", second,
                              ("a chain", chain), ("one inside of the other", Iff(made, third)))  # fmt: skip
            return made

    def conditional(self) -> Tree:
        """Return an `if ... then`, or what `implies` joins, from the right.

        `a implies b implies c` is refused: in logic it is `a implies (b implies c)`, and in a proof a chain.
        """
        start = self.word.position
        if self.accept("if"):
            condition = self.formula()
            self.require("then", "`then` and what follows")
            with self.deeper():
                place = self.word
                says = self.formula_of(self.conditional(), self.word.position)
            if isinstance(says, If) and place.text != "if" and not self.is_enclosed(says):
                other = If(If(condition, says.condition), says.consequence)
                self.doubt_of(start, "`implies` behind `then` may mean two things", says.position,
                              ("it belongs to what follows", If(condition, says)),
                              ("the whole before it is its condition", other))  # fmt: skip
            return If(condition, says, position=start)
        left = self.either()
        if not self.is_next("implies"):
            return left
        position = self.take().position
        with self.deeper():
            right_start, place = self.word.position, self.word
            right = self.conditional()
        made = If(self.formula_of(left, start), self.formula_of(right, right_start), position=position)
        if isinstance(right, If) and place.text != "if" and not self.is_enclosed(right):
            chain = And((If(made.condition, right.condition), right))
            self.doubt_of(start, "`implies` twice may mean two things", right.position,
                          ("a condition inside of a condition", made), ("a chain", chain))  # fmt: skip
        return made

    def either(self, *, conjunctions: bool = True) -> Tree:
        """Return what `or` joins; it binds less than `and`.

        Args:
            conjunctions: Whether `and` is read inside of it. In a list of items it is not.
        """
        parts = self.several("or", self.all if conjunctions else self.connected)
        return parts[0] if len(parts) == 1 else Or(tuple(parts), position=parts[0].position)  # type: ignore[arg-type]

    def all(self) -> Tree:
        """Return what `and` joins."""
        parts = self.several("and", self.connected)
        return parts[0] if len(parts) == 1 else And(tuple(parts), position=parts[0].position)  # type: ignore[arg-type]

    def several(self, word: str, read: Callable[[], Tree]) -> list[Tree]:
        """Return the parts that a word joins; one part if the word does not come.

        Args:
            word: `and` or `or`.
            read: Reads one part. A single part may be a number, for whoever called; several must be formulas.
        """
        start = self.word.position
        found = [read()]
        while self.is_next(word):
            # The part is looked at before the word is taken: the message then points behind it.
            self.formula_of(found[-1], start)
            self.take()
            start = self.word.position
            found.append(read())
        if len(found) > 1:
            self.formula_of(found[-1], start)
        return found

    def connected(self) -> Tree:
        """Return a negation, or a chain of relations; a number where no relation comes.

        `not` binds more tightly than `and`: `not a and b` is `(not a) and b`.
        """
        start = self.word.position
        if self.accept("not"):
            with self.deeper():
                return Not(self.formula_of(self.connected(), self.word.position), position=start)
        if self.is_next("if"):
            self.fail("put the condition in parentheses: (if ... then ...)")
        left = self.sum()
        if not self.is_next(*_SIGNS):
            self.refuse_other_signs()
            return left
        return self.chain_of(self.number_of(left, start))

    def chain_of(self, first: Expression) -> Compare:
        """Return the chain that begins with a side whose sign comes next.

        Signs may point either way in one chain: `a < b > c` says both relations, as written.
        """
        sides, signs = [first], []
        start = self.words[self.at - 1].position if isinstance(first, Name) else first.position
        while self.is_next(*_SIGNS):
            sign = self.take()
            signs.append(_SIGNS[sign.text])
            sides.append(self.value_of(self.sum))
            at = sign.position
            # ≠ is one character, and n! is never 0.
            factorial = self.text[at : at + 2] == "!=" and at and not self.text[at - 1].isspace()
            if factorial and sides[-1] != Number(Fraction(0)):
                self.doubt("`!=` may be one sign or a factorial with `=`", at,
                           ("not equal", self.changed(at, at + 2, " != ")),
                           ("a factorial", self.changed(at, at + 2, "! = ")))  # fmt: skip
        self.refuse_other_signs()
        if len(sides) > 2 and set(signs) == {"!="}:
            names = [written(side) for side in sides]
            pairs = [f"{a} != {b}" for a, b in itertools.pairwise(names)]
            others = [f"{a} != {b}" for a, b in itertools.combinations(names, 2)]
            end = len(self.text[: self.word.position].rstrip())
            self.doubt("a chain of `!=` may speak of neighbours or of every two", start,
                       ("neighbours", self.changed(start, end, f"({' and '.join(pairs)})")),
                       ("every two", self.changed(start, end, f"({' and '.join(others)})")))  # fmt: skip
        return Compare(tuple(sides), tuple(signs), position=first.position)

    def refuse_other_signs(self) -> None:
        """Refuse signs that are no relations here."""
        if self.is_next("=>", "=<"):
            right = {"=>": ">= for at least, or `if ... then ...`", "=<": "<= for at most"}[self.word.text]
            self.fail(f"`{self.word.text}`: write {right}")

    # ---------------------------------------------------------------------------------------------- numbers

    def value_of(self, read: Callable[[], Tree]) -> Expression:
        """Return a number that a rule reads; `StatementError` for a formula."""
        start = self.word.position
        return self.number_of(read(), start)

    def sum(self) -> Tree:
        """Return a sum of signed products; the product itself where there is one, without a sign.

        The minus before the first product binds less than its factors: `-x^2` is `-(x^2)`, `-a*b` is `-(a*b)`.

        Examples:
            >>> from rgm_verify.statements.trees import text
            >>> print(text(parse("-x^2 + 2x - (y - 1) <= 0").says))
            -x^2 + 2*x - (y - 1) <= 0
        """
        start = self.word.position
        sign: Literal["+", "-"] = "+"
        if self.is_next("+", "-"):
            sign = "-" if self.take().text == "-" else "+"
        first = self.product()
        parts: list[tuple[Literal["+", "-"], Expression]] = []
        while self.is_next("+", "-"):
            # A bracket such as (x > 0) is read by this rule too, and only a sign behind it makes it a wrong term.
            if not parts:
                parts.append((sign, self.number_of(first, start)))
            sign_of = self.take()
            if self.word.position == sign_of.position + 1 and self.is_next("+", "-") and self.word.text != sign_of.text:
                at = sign_of.position
                self.doubt(f"`{self.text[at:at + 2]}` may be two signs or ±", at,
                           ("minus", self.changed(at, at + 2, "- ")),
                           ("both signs, one after the other", ""))  # fmt: skip
            more: Literal["+", "-"] = "-" if sign_of.text == "-" else "+"
            parts.append((more, self.value_of(self.product)))
        if parts:
            return Terms(tuple(parts), position=start)
        return Terms((("-", self.number_of(first, start)),), position=start) if sign == "-" else first

    def product(self) -> Tree:
        """Return a product; a number may stand directly before its factor.

        Raises:
            StatementError: For `1/2x`, which means x/2 to one half of the readers and 1/(2x) to the other.
        """
        start = self.word.position
        before = self.word
        first = self.factor()
        parts: list[tuple[Literal["*", "/"], Expression]] = []
        while self.is_next("*", "/") or self.touches():
            implied = not self.is_next("*", "/")
            at, divisor = self.word.position, before.position
            if implied and parts and parts[-1][0] == "/":
                self.value_of(self.factor)
                self.doubt("without a sign this may mean two things", at,
                           ("what follows is no part of the denominator", self.changed(at, at, "*")),
                           ("it is part of the denominator", self.grouped(divisor)))  # fmt: skip
            if implied and self.is_exponent(self.at - 1) and not self.text[at - 1].isspace():
                exponent = self.words[self.at - 1 - (self.words[self.at - 2].text in ("+", "-"))].position
                self.value_of(self.factor)
                self.doubt("without a sign this may mean two things", at,
                           ("a product with the power", self.changed(at, at, "*")),
                           ("a product in the exponent", self.grouped(exponent)))  # fmt: skip
            sign: Literal["*", "/"] = "/" if not implied and self.take().text == "/" else "*"
            # The first factor is looked at only now: without a second one it may still turn out to be a formula in
            # brackets.
            if not parts:
                parts.append(("*", self.number_of(first, start)))
            before = self.word
            parts.append((sign, self.value_of(self.factor)))
        return Factors(tuple(parts), position=start) if parts else first

    def is_exponent(self, at: int) -> bool:
        """Return whether a number is typed behind ^ without parentheses; one that is raised, as in x², is not."""
        sign = at - 1 - (self.words[at - 1].text in ("+", "-"))
        typed = self.text[self.words[at].position].isascii()
        return self.words[at].kind == "number" and typed and sign > 0 and self.words[sign].text in ("^", "**")

    def touches(self) -> bool:
        """Return whether a factor follows a number or a closed parenthesis with the sign left out.

        A name before a parenthesis is no such place: `f(x)` would be a product without anybody having said so. A bar
        counts only where no bar is open, as it might close that one.
        """
        before = self.words[self.at - 1]
        if not (before.kind == "number" or before.text == ")"):
            return False
        if self.is_next("("):
            return True
        name = self.word.kind == "name" and self.word.text not in _WORDS
        return name or (self.is_next("|") and not self.bars)

    def factor(self) -> Tree:
        """Return a power, or minus a factor."""
        start = self.word.position
        if self.is_next("-", "+"):
            minus = self.take().text == "-"
            with self.deeper():
                inner = self.value_of(self.factor)
            return Terms((("-", inner),), position=start) if minus else inner
        return self.power()

    def power(self) -> Tree:
        """Return a power, from the right: `2^3^2` is `2^9`.

        The exponent may have a sign of its own (`2^-3`), and so it is read as a factor.
        """
        start = self.word.position
        base = self.postfix()
        if not self.is_next("^", "**"):
            return base
        sign = self.take()
        at, place = self.word.position, self.at
        with self.deeper():
            # From the right, by recursion: `power` is reached again through `factor`.
            exponent = self.value_of(self.factor)
        raised = self.text[sign.position] not in "^*"
        # A raised number is one word, in parentheses with a minus: all that follows is typed behind x².
        if raised and self.at > place + (1 if self.words[place].kind == "number" else 4):
            end = sign.position + 1
            while self.text[end] in _RAISED:
                end += 1
            digits = f"({self.text[sign.position : end].translate(_RAISED_DIGITS)})"
            rest = self.text[end : self.word.position].rstrip()
            inner = f"^({digits}{rest})"
            self.doubt("behind a raised exponent this may mean two things", end,
                       ("of the power", self.changed(start, end, f"({self.text[start:end]})")),
                       ("of the exponent", self.changed(sign.position, end + len(rest), inner)))  # fmt: skip
        signed = self.words[place].text in ("-", "+")
        if self.is_next("/") and not raised and (signed or (self.at == place + 1 and exponent == Number(Fraction(1)))):
            alone = self.grouped(start)
            slash = self.take().position
            self.value_of(self.factor)
            self.doubt("a quotient behind an exponent without parentheses may mean two things", slash,
                       ("a quotient of the power", alone),
                       ("a quotient in the exponent", self.grouped(at)))  # fmt: skip
        return Power(self.number_of(base, start), exponent, position=start)

    def postfix(self) -> Tree:
        """Return an atom with its factorials; `n!!`, which is a double factorial elsewhere, is refused."""
        start = self.word.position
        found = self.atom()
        while self.is_next("!"):
            sign = self.take()
            if self.is_next("!"):
                at = sign.position
                self.doubt("`!!` may be two factorials or the double factorial", at,
                           ("the factorial of a factorial", self.changed(start, at, f"({self.text[start:at]}!)")
                            .replace(")!!", ")!", 1)),
                           ("the double factorial, n*(n - 2)*(n - 4)...", ""))  # fmt: skip
            with self.deeper():
                found = Call("factorial", (self.number_of(found, start),), position=start)
            self.depth += 1  # each sign is a level of the tree
        return found

    def atom(self) -> Tree:
        """Return a number, a name, a call, or what stands in brackets."""
        word = self.word
        if word.kind == "number":
            self.take()
            return Number(plain(word.text), position=word.position)
        if word.text == "(":
            self.take()
            return self.bracketed()
        if word.text == "|":
            self.take()
            return self.between_bars(word.position)
        if word.kind != "name" or word.text in _WORDS:
            raise self.expected(_VALUE)
        self.take()
        if word.text == "√":
            inner = self.word
            with self.deeper():
                made = Call("sqrt", (self.value_of(self.atom),), position=word.position)
            at = self.word.position
            if inner.text not in ("(", "|") and (self.is_next("^", "**", "!") or self.touches()):
                alone = self.changed(word.position, at, f"(√({self.text[inner.position : at].strip()}))")
                if self.touches():
                    self.value_of(self.factor)
                elif not self.accept("!"):
                    self.take()
                    self.value_of(self.factor)
                self.doubt("what is behind √ without parentheses may mean two things", at,
                           ("no part of it belongs to the root", alone),
                           ("all of it belongs to the root", self.grouped(inner.position)))  # fmt: skip
            return made
        return self.named(word)

    def bracketed(self) -> Tree:
        """Return what stands in parentheses.

        Bars that are open outside cannot be closed inside, so that their count begins anew: in `|(|x| + 1)|` the second
        bar opens.
        """
        bars, self.bars = self.bars, 0
        found = self.anything()
        self.bars = bars
        self.enclosed.append(found)
        self.require(")", f"{_AFTER.rpartition(',')[0]}, or the closing parenthesis")
        return found

    def between_bars(self, position: int) -> Tree:
        """Return an absolute value."""
        self.bars += 1
        with self.deeper():
            inner = self.value_of(self.sum)
        self.bars -= 1
        self.require("|", "an operation, or the closing bar |")
        # Bars beside each other around one thing: in | |x| - 1 | the inner ones close before the outer.
        beside = isinstance(inner, Call) and inner.position in (position, position + 1)
        if beside and self.text[inner.position] in "|‖" and isinstance(inner, Call):
            end = len(self.text[: self.word.position].rstrip())
            number = self.changed(position, end, f"|{written(inner.arguments[0])}|")
            self.doubt("double bars are a norm of vectors, which is not read; for numbers write |x|", position,
                       ("the absolute value of a number", number), ("a norm of vectors", ""))  # fmt: skip
        return Call("abs", (inner,), position=position)

    def named(self, word: Token) -> Tree:
        """Return the variable, the constant or the function of a name.

        A known function without a parenthesis is refused rather than taken for a variable, but for `gamma` and `beta`,
        which papers use as letters. An unknown name before a parenthesis is refused as well: `n(n + 1)` may be a
        product or a call.
        """
        # Two spellings are one function from here on, so that nothing behind the parser knows both.
        name = _OTHER_NAMES.get(word.text, word.text) or word.text
        known = name in FUNCTIONS or name in BINDING
        at = word.position
        if self.is_next("(") and self.text[at] == "γ":
            self.doubt("`γ(`: Γ is the gamma function, and γ a variable", at,
                       ("a product", self.changed(at, at + 1, "γ*")),
                       ("the gamma function", self.changed(at, at + 1, "Γ")))  # fmt: skip
        if self.is_next("(") and known:
            return self.called(name, word)
        if known and word.text not in _ALSO_NAMES:
            arguments = "k, 0, n, term" if name in BINDING else ", ".join("xy"[: FUNCTIONS[name][0]])
            self.fail(f"`{word.text}` takes what it is of in parentheses: {name}({arguments})", word.position)
        if self.is_next("("):
            self.fail(self.unknown(word.text), word.position)
        return Name(word.text, position=word.position)

    def unknown(self, name: str) -> str:
        """Return what to say of a function that is not known: the nearest known ones, and how a product is written."""
        close = difflib.get_close_matches(name, [*FUNCTIONS, *BINDING], n=2, cutoff=0.7)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        return f"`{name}` is no function that is known here{hint} For a product write {name}*(...)".replace(
            "here For", "here. For"
        )

    def called(self, name: str, word: Token) -> Tree:
        """Return a call with its arguments, as many as the function takes.

        Args:
            name: The function, a key of `FUNCTIONS` or one of `BINDING`.
            word: Its word, for the column.

        Raises:
            StatementError: For too few or too many arguments, with the number that is wanted.
        """
        self.take()
        # As in brackets: a bar inside belongs to a pair inside.
        bars, self.bars = self.bars, 0
        if name in BINDING:
            found: Tree = self.bound(name, word)
        else:
            arguments = [self.argument()]
            while self.accept(","):
                arguments.append(self.argument())
            least, most = FUNCTIONS[name]
            if not least <= len(arguments) <= most:
                wanted = (
                    f"{least}"
                    if least == most
                    else f"at least {least}"
                    if len(arguments) < least
                    else f"at most {most}"
                )
                self.fail(f"{name} takes {wanted} argument{'s' * (wanted != '1')}, not {len(arguments)}", word.position)
            found = Call(name, tuple(arguments), position=word.position)
        self.bars = bars
        self.require(")", f"an operation, a comma or the closing parenthesis of {name}(...)")
        return found

    def argument(self) -> Expression:
        """Return an argument of a function."""
        start = self.word.position
        with self.deeper():
            return self.number_of(self.sum(), start)

    def bound(self, name: str, word: Token) -> Series:
        """Return a sum, product or integral: the variable, both ends and the term; the term first as in SymPy.

        Args:
            name: `sum`, `product` or `integral`.
            word: Its word, for the column.
        """
        form = f"{name}({'t' if name == 'integral' else 'k'}, from, to, term)"
        if self.has_term_first():
            body = self.argument()
            self.require(",", f"a comma: {form}")
            self.require("(", f"the range in parentheses: {form}")
            index, first, last = self.range_of(name, form)
            self.require(")", "the closing parenthesis of the range")
        else:
            index, first, last = self.range_of(name, form)
            self.require(",", f"a comma: {form}")
            body = self.argument()
        return Series(name, index.text, first, last, body, position=word.position)

    def has_term_first(self) -> bool:
        """Return whether the first comma of a call is followed by a range `(name, ...)`, which is no expression."""
        depth = 0
        for place in range(self.at, len(self.words)):
            text = self.words[place].text
            if text == "," and depth == 0:
                inner = [self.words[min(place + k, len(self.words) - 1)] for k in (1, 2, 3)]
                return inner[0].text == "(" and inner[1].kind == "name" and inner[2].text == ","
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth < 0:
                break
        return False

    def range_of(self, name: str, form: str) -> tuple[Token, Expression | None, Expression | None]:
        """Return the variable of a sum, product or integral with its ends; None is an infinite end of an integral."""
        index = self.word
        if index.kind != "name" or index.text in _WORDS or index.text in CONSTANTS:
            raise self.expected(f"the name of the variable: {form}")
        self.take()
        ends: list[Expression | None] = []
        for below in (True, False):
            self.require(",", f"a comma: {form}")
            start = self.word
            signed = start.text in ("-", "+") and self.ahead().text in _INFINITE
            if not signed and start.text not in _INFINITE:
                ends.append(self.argument())
                continue
            negative = start.text == "-"
            if name != "integral":
                self.fail(f"a {name} with infinitely many terms; let its last index be a variable", start.position)
            if negative is not below:
                self.fail(f"`{'-' * negative}infinity`: an integral goes from -infinity to infinity", start.position)
            self.at += 1 + signed
            ends.append(None)
        return index, ends[0], ends[1]


#: Words that put an end to a domain.
_ENDS: dict[str, tuple[str, int]] = {
    "positive": (">", 0), "negative": ("<", 0), "nonnegative": (">=", 0), "natural": (">=", 1),
}  # fmt: skip
