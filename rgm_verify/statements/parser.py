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

from rgm_verify.statements.grammar.domains import Domains
from rgm_verify.statements.grammar.vocabulary import AFTER, CLAUSES
from rgm_verify.statements.grammar.vocabulary import plain as plain
from rgm_verify.statements.grammar.words import DEEPEST as DEEPEST
from rgm_verify.statements.grammar.words import MOST_WORDS as MOST_WORDS
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import Given, Statement

__all__ = ["DEEPEST", "MOST_WORDS", "parse", "plain"]


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


class _Parser(Domains):
    """A whole statement: what is said, with its domains before it or behind it."""

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
        while self.is_next(*CLAUSES):
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
            raise self.expected(AFTER)

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
