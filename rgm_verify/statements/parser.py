"""The grammar of statements, and its parser: a text becomes a tree, or an error that points at a column.

    text        = { "let" definition { "," definition } ";" } { "let" given "." ["then"] } statement ["."]
    definition  = name [ "(" name { "," name } ")" ] "=" sum         also behind a statement: "where" definition
    statement   = "for all" given (":" | ",") ( formula | point ) | "there is" given "with" formula
                | formula { [","] ("for" ["all" | "some"] | "given" | "with" | "where" | "when" | "if") given }
                | formula "," given                              of variables that nothing else declares
    point       = "there is" given "with" formula [ "," "namely" name "=" sum { "," name "=" sum } ]
    given       = item { ("," | "and") item }
    item        = [sort] name { "," name } [ ["is" | "are" | "be"] sort | "in" set | sign sum { sign sum } [sort] ]
                | name { "," name } "~" law "(" [word "="] sum { "," [word "="] sum } ")"
                | connected | "(" formula ")"
    sort        = { "positive" | "negative" | "nonnegative" | "real" | "integer" | "natural" | "number" }
    set         = "R" | "Z" | "N" | "reals" | "integers" | "naturals" | ("[" | "(") end "," end ("]" | ")")
                | "{" sum { "," sum } "}"
    end         = sum | ["-"] "infinity"
    formula     = conditional [ "iff" conditional ]
    conditional = "if" formula "then" conditional | either [ "implies" conditional ]
    either      = all { "or" all }
    all         = connected { "and" connected }
    connected   = "not" connected | sum { sign sum } | name "in" set
    sign        = "<=" | "<" | ">=" | ">" | "=" | "!="
    sum         = [ "-" ] product { ("+" | "-") product }
    product     = factor { ("*" | "/") factor }
                  without a sign after a number, a parenthesis, bars and π, and after declared variables: x(1 - x)
    factor      = "-" factor | power
    power       = value [ ("^" | "**") exponent ]      from the right: 2^3^2 is 2^9
    value       = atom [ "!" ]
    atom        = number | name | function "(" sum { "," sum } ")" | "(" formula ")" | "|" sum "|" | "√" atom
                | function (name | number) | function "^" number "(" sum ")" | atom "choose" atom
                | ("sum" | "product" | "integral") "(" name "," end "," end "," sum ")"
                | ("sum" | "product" | "integral") "(" sum "," "(" name "," end "," end ")" ")"
                | ("sum" | "product" | "integral") "(" name "=" end ".." end "," sum ")"
                | ("E" | "Var") "[" sum "]" | ("Pr" | "P") "(" formula ")"

Numbers are exact: 0.1 is 1/10, 1e-6 is 1/1000000. A name without a domain is a real variable, but for `pi` and `e`.

What readers understand in different ways is refused with its readings (`DoubtfulReading`): 1/2x, x^2y, x^-1/2, √2x,
x²^3, n!!, n!=6, a != b != c, ||x||, x +- 1, `A implies B implies C`, `if A then B iff C`, `for x and y > 0`,
`for 0 < x, y`, `for integer n, x > 0`. What hangs on the other names of the statement is looked at in `doubts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rgm_verify.statements.grammar.definitions import Definitions
from rgm_verify.statements.grammar.vocabulary import AFTER, CLAUSES
from rgm_verify.statements.grammar.vocabulary import plain as plain
from rgm_verify.statements.grammar.words import DEEPEST as DEEPEST
from rgm_verify.statements.grammar.words import MOST_WORDS as MOST_WORDS
from rgm_verify.statements.points import instance, names_given, names_of_points
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import (
    And,
    Compare,
    Expression,
    Formula,
    Given,
    Law,
    Name,
    Sort,
    Statement,
    bounded,
    conditions,
    names_in,
    series,
    text,
)
from rgm_verify.statements.trees import names as all_names

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
    parser = _Parser(text)
    found = parser.statement()
    parser.settle(found)
    return parser.with_definitions(found)


class _Parser(Definitions):
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
        self.definitions()
        if self.is_next("let", "suppose", "assume") and self.ahead().kind == "name":
            return self.let()
        if self.is_next("for", "forall"):
            return self.for_all()
        if self.is_next("there", "exists"):
            return self.there_is()
        says = self.formula()
        given: list[Given] = []
        exists = False
        behind: list[Given] = []
        comma = self.word
        if self.is_next(",") and self.ahead().text not in CLAUSES:
            self.take()
            behind = self.items()
        while self.is_next(*CLAUSES) or (self.is_next(",") and self.ahead().text in CLAUSES):
            self.accept(",")
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
        if behind:
            self.refuse_claims_behind(says, behind, given, comma.position)
        return Statement(says, (*behind, *given), exists)

    def refuse_claims_behind(
        self, says: Formula, behind: Sequence[Given], given: Sequence[Given], position: int
    ) -> None:
        """Refuse `A, B` where B may be claimed as well: `x + 1/x >= 2, x > 0` gives a domain, `x <= y, y <= z` may not.

        Args:
            says: What stands before the comma.
            behind: What stands behind it. Domains of variables that nothing else declares are conditions.
            given: What other clauses give.
            position: The column of the comma.
        """
        others = {g.name for g in given if isinstance(g, Sort)} | {bounded(g) for g in given}
        domains = [g.name if isinstance(g, Sort | Law) else bounded(g) for g in behind]
        if bounded(says) or not all(domains) or others & set(domains):
            claims = conditions(behind)
            both = And((says, *claims), position=says.position)
            self.doubt("what stands behind the comma is a condition, or is claimed as well", position,
                       ("a condition", text(Statement(says, (*behind, *given)))),
                       ("claimed as well", text(Statement(both, (*given,)))))  # fmt: skip

    def settle(self, statement: Statement) -> None:
        """Refuse a sign that is left out beside a name that is no variable: `f(x)` is no product.

        Raises:
            StatementError: At the name, or at the word in front of which the sign lacks.
        """
        formulas = [statement.says, *conditions(statement.given)]
        bound = {s.index for s in series(formulas)}
        caught = sorted(bound & self.letters_of_definitions())
        if caught:
            self.fail(f"{caught[0]} is bound by a sum or an integral, and free in a definition; use another letter", 0)
        known = {g.name for g in statement.given if isinstance(g, Sort)} | bound
        for given in statement.given:
            if isinstance(given, Law):
                known |= {given.name, *(place.name for value in given.values for place in names_in(value, frozenset()))}
            if isinstance(given, Compare):
                known |= {side.name for side in given.sides if isinstance(side, Name)}
        for name, word in self.guessed:
            if name not in known and word.text == name and self.words[self.words.index(word) + 1].text == "(":
                self.fail(f"{self.unknown(name)}, or give {name} a domain", word.position)
            if name not in known:
                self.fail(f"`{word.text}`: an operation is missing before it; write * for a product", word.position)

    def finish(self) -> None:
        """Raise `StatementError` if words are left; a full stop at the end is none."""
        if self.is_next(".", ";"):
            stop = self.take()
            if self.word.kind != "end":
                self.fail("another statement follows: each is judged by itself", stop.position)
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
        while self.accept("with", "given", "where") or (
            self.is_next(",") and self.ahead().text in ("with", "given", "where")
        ):
            self.accept(",")
            if self.is_next("with", "given", "where"):
                self.take()
            given += self.items()
        if not self.accept(":", ","):
            given = self.claim_behind_comma(given)
        if self.is_next("there", "exists"):
            return self.with_points(given)
        says = self.formula()
        self.finish()
        return Statement(says, tuple(given))

    def claim_behind_comma(self, given: list[Given]) -> list[Given]:
        """Return what is given in `for all x > 0, x + 1/x >= 2`, with the claim left to be read.

        Where only domains stand before the last comma, what follows it is what is said; one more domain is not.

        Args:
            given: All that was read, the claim among it.
        """
        *domains, last = given
        names = {g.name if isinstance(g, Sort | Law) else bounded(g) for g in domains}
        claim = not isinstance(last, Sort | Law) and not bounded(last)
        if self.word.kind != "end" or not claim or "" in names or not names or self.words[self.last].text == "and":
            raise self.expected("a colon between the domains and the statement: for all x > 0: x + 1/x >= 2")
        self.at = self.last + 1
        return domains

    def let(self) -> Statement:
        """Return `let DOMAINS. STATEMENT`; `suppose` and `assume` begin it as well, and `then` may follow the stop."""
        self.take()
        given = self.items()
        if not self.accept(".", ";", ":"):
            self.accept(",")
            if not self.is_next("then"):
                raise self.expected("a full stop and the statement: let x > 0. Then x + 1/x >= 2")
        self.accept("then")
        found = self.statement()
        if found.exists:
            return replace(found, exists=False, given=tuple(given), points=found.given)
        return replace(found, given=(*given, *found.given))

    def with_points(self, given: Sequence[Given]) -> Statement:
        """Return `there is DOMAINS with STATEMENT` behind `for all`; `namely y = ...` gives the point as a formula.

        Args:
            given: What stands before it.
        """
        if self.take().text == "there" and not self.accept("is", "are", "exists"):
            raise self.expected("`is`")
        start = self.word.position
        points = self.items()
        if self.ahead().text in ("such", "with", "where"):
            self.accept(",")
        if self.accept("such"):
            self.require("that", "`that`")
        elif not self.accept("with", ":", "where"):
            raise self.expected("`with` and what holds there: there is y > x with y^2 = x^2 + 1")
        says = self.formula()
        found = Statement(says, tuple(given), points=tuple(points))
        self.refuse_open(found)
        if self.is_next(",") and self.ahead().text in ("namely", "taking"):
            self.take()
        if not self.accept("namely", "taking"):
            self.finish()
            return found
        values: dict[str, Expression] = {}
        while True:
            name = self.take()
            self.require("=", "an equals sign and a formula: namely y = x + 1")
            values[name.text] = self.value_of(self.sum)
            if not self.accept(",", "and"):
                break
        self.finish()
        return self.at_point(found, values, start)

    def refuse_open(self, statement: Statement) -> None:
        """Refuse names of which nobody can tell whether they stand before the points or among them."""
        before = names_given(statement.given)
        for point in statement.points:
            again = point.name if isinstance(point, Sort | Law) else bounded(point)
            if isinstance(point, Law) or again in before:
                self.fail("there is a point with a name that stands before already, or is random", point.position)
        for place in all_names([statement.says, *conditions(statement.points)]):
            if place.name not in {*before, *names_of_points(statement)}:
                self.fail(f"{place.name}: for all of these, or is there one? Give it a domain before `there is`, or "
                          "behind", place.position)  # fmt: skip

    def at_point(self, statement: Statement, values: Mapping[str, Expression], position: int) -> Statement:
        """Return what is said when formulas stand in the places of the points.

        Raises:
            StatementError: For formulas of other names than those of the points, and for one that speaks of a point.
        """
        asked = set(names_of_points(statement))
        inner = {place.name for value in values.values() for place in names_in(value, frozenset())}
        occurs = {place.name for place in all_names([statement.says, *conditions(statement.points)])}
        if asked != set(values) or not inner <= names_given(statement.given) or not asked <= occurs:
            self.fail("`namely` gives each of the points, and nothing else, by a formula of the others", position)
        bound = {s.index for s in series([statement.says, *conditions(statement.points)])}
        if caught := sorted(bound & inner):
            self.fail(f"{caught[0]} is bound in the statement; use another letter", position)
        shown = " and ".join(f"{name} = {text(value)}" for name, value in values.items())
        note = f"the point is a part of the statement: {shown}"
        return replace(instance(statement, values), notes=(note,))

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
        if self.ahead().text in ("such", "with", "where"):
            self.accept(",")
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
