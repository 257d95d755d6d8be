"""Relations, their chains, and what `and`, `or`, `not`, `if` and `iff` make of them."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction

from rgm_verify.statements.grammar.expressions import Expressions
from rgm_verify.statements.grammar.vocabulary import SIGNS
from rgm_verify.statements.trees import And, Compare, Expression, Formula, If, Iff, Name, Not, Number, Or, Tree
from rgm_verify.statements.trees import text as written

__all__ = ["Formulas"]


class Formulas(Expressions):
    """Rules for what is true or false."""

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
            if self.ahead().text == "then":
                self.accept(",")
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
        if self.is_next("in") and isinstance(left, Name):
            return self.membership(left)
        if not self.is_next(*SIGNS):
            self.refuse_other_signs()
            return left
        return self.chain_of(self.number_of(left, start))

    @abstractmethod
    def membership(self, name: Name) -> Tree:
        """Return `x in [0, 1]` as relations."""

    def chain_of(self, first: Expression) -> Compare:
        """Return the chain that begins with a side whose sign comes next.

        Signs may point either way in one chain: `a < b > c` says both relations, as written.
        """
        sides, signs = [first], []
        start = self.words[self.at - 1].position if isinstance(first, Name) else first.position
        while self.is_next(*SIGNS):
            sign = self.take()
            signs.append(SIGNS[sign.text])
            sides.append(self.value_of(self.sum))
            at = sign.position
            # ≠ is one character, and n! is never 0.
            factorial = self.text[at : at + 2] == "!=" and at and not self.text[at - 1].isspace()
            if factorial and sides[-1] != Number(Fraction(0)):
                self.doubt("`!=` may be one sign or a factorial with `=`", at,
                           ("not equal", self.changed(at, at + 2, " != ")),
                           ("a factorial", self.changed(at, at + 2, "! = ")))  # fmt: skip
        if self.is_next("=>"):
            at = self.word.position
            self.doubt("`=>` behind a relation may join two statements or go on with the chain", at,
                       ("the first implies the second", self.changed(at, at + 2, " implies ")),
                       ("at least", self.changed(at, at + 2, ">=")))  # fmt: skip
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
        if self.is_next("~"):
            self.fail("`~`: write not for a negation, |x - y| <= 0.01 for a number that is near, and X ~ N(0, 1) for "
                      "a random variable among the domains")  # fmt: skip
        if self.is_next("=>", "=<"):
            right = {"=>": ">= for at least, or `if ... then ...`", "=<": "<= for at most"}[self.word.text]
            self.fail(f"`{self.word.text}`: write {right}")
