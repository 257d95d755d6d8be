"""Sums, products, powers and what stands in brackets and between bars."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from rgm_verify.statements.grammar.calls import Calls
from rgm_verify.statements.grammar.vocabulary import (
    AFTER,
    ALSO_NAMES,
    OTHER_NAMES,
    RAISED,
    RAISED_DIGITS,
    SIGNS,
    VALUE,
    WORDS,
    plain,
)
from rgm_verify.statements.tokens import Token
from rgm_verify.statements.trees import (
    BINDING,
    CONSTANTS,
    FUNCTIONS,
    Call,
    Expression,
    Factors,
    Number,
    Power,
    Random,
    Terms,
    Tree,
)
from rgm_verify.statements.trees import text as written

__all__ = ["Expressions"]


#: What is said of random variables.
_RANDOM: dict[str, Literal["mean", "variance", "chance"]] = {
    "E": "mean", "Var": "variance", "P": "chance", "Pr": "chance",
}  # fmt: skip


class Expressions(Calls):
    """Rules for numbers, from a sum down to an atom."""

    def sum(self) -> Tree:
        """Return a sum of signed products; the product itself where there is one, without a sign.

        The minus before the first product binds less than its factors: `-x^2` is `-(x^2)`, `-a*b` is `-(a*b)`.

        Examples:
            >>> from rgm_verify.statements.parser import parse
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
            named = self.words[self.at - 1].kind == "name"
            if implied and self.is_exponent(self.at - 1) and (named or not self.text[at - 1].isspace()):
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
        """Return whether a number or a name stands behind ^ without parentheses; a raised number does not."""
        sign = at - 1 - (self.words[at - 1].text in ("+", "-"))
        word = self.words[at]
        typed = word.kind == "name" or (word.kind == "number" and self.text[word.position].isascii())
        return typed and sign > 0 and self.words[sign].text in ("^", "**")

    def touches(self) -> bool:
        """Return whether a factor follows with the sign left out: behind a number, a parenthesis, a bar, or π.

        Behind a name a parenthesis or a name is a factor only if both names are variables (`guessed`): `f(x)` would be
        a product without anybody having said so. A bar counts only where no bar is open, as it might close that one.
        """
        before = self.words[self.at - 1]
        name = self.word.kind == "name" and self.word.text not in (*WORDS, "choose")
        bar = self.is_next("|") and not self.bars
        if before.kind == "name" and before.text not in WORDS:
            if self.text[before.position] == "π":
                return name
            if self.is_next("("):
                return any(word is before for _, word in self.guessed)
            if not name or self.is_function(self.at - 1) or self.word.text in (*CONSTANTS, "√"):
                return False
            # n log n: the first name has to be a variable, and the second one is a function or has to be one.
            also = [] if self.is_function(self.at) else [(self.word.text, self.word)]
            self.guessed += [(before.text, self.word), *also]
            return True
        if before.text == "|":
            return bar or (self.is_next("(") and not self.bars)
        return (before.kind == "number" or before.text == ")") and (self.is_next("(") or name or bar)

    def is_function(self, at: int) -> bool:
        """Return whether the name of a function or a constant stands there."""
        text = self.words[at].text
        return text in self.defined or (
            OTHER_NAMES.get(text, text) in (*FUNCTIONS, *BINDING, *CONSTANTS, "√") and text not in ALSO_NAMES
        )

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
            while self.text[end] in RAISED:
                end += 1
            digits = f"({self.text[sign.position : end].translate(RAISED_DIGITS)})"
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
        start, place = self.word.position, self.at
        found = self.atom()
        if self.is_next("choose"):
            found = self.chosen(self.number_of(found, start), place)
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

    def chosen(self, first: Expression, place: int) -> Expression:
        """Return `n choose k` as a binomial coefficient, where nothing beside it may belong to one of its parts.

        Args:
            first: What is read in front of `choose`.
            place: The place of its first word.
        """
        position = self.take().position
        with self.deeper():
            second = self.value_of(self.atom)
        before = self.words[place - 1]
        alone = (*SIGNS, *WORDS, "(", ")", ",", "|", "[", "]", ":", ".", ";")
        opens = place == 0 or (before.text in alone and before.text not in (")", "]"))
        if not opens or not (self.word.kind == "end" or (self.word.text in alone and not self.is_next("("))):
            self.fail("put it in parentheses, as in (n choose k), or write binomial(n, k)", position)
        return Call("binomial", (first, second), position=position)

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
        if word.kind != "name" or word.text in WORDS:
            raise self.expected(VALUE)
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
        if word.text in _RANDOM and (self.is_next("[") or (self.is_next("(") and self.speaks_of_chance())):
            return self.random(word)
        return self.named(word)

    def speaks_of_chance(self) -> bool:
        """Return whether the text declares a random variable; E(...) and P(...) are no functions otherwise."""
        return any(w.text == "~" for w in self.words)

    def random(self, word: Token) -> Random:
        """Return an expectation, a variance or a probability."""
        kind = _RANDOM[word.text]
        if not self.speaks_of_chance():
            self.fail(f"`{word.text}[`: declare the random variable, as in for X ~ N(0, 1)", word.position)
        closing = ")" if self.take().text == "(" else "]"
        bars, self.bars = self.bars, 0
        with self.deeper():
            start = self.word.position
            of: Tree = self.formula_of(self.anything(), start) if kind == "chance" else self.value_of(self.sum)
        self.bars = bars
        self.require(closing, f"an operation or the closing {closing}")
        return Random(kind, of, position=word.position)

    def bracketed(self) -> Tree:
        """Return what stands in parentheses.

        Bars that are open outside cannot be closed inside, so that their count begins anew: in `|(|x| + 1)|` the second
        bar opens.
        """
        bars, self.bars = self.bars, 0
        found = self.anything()
        self.bars = bars
        self.enclosed.append(found)
        self.require(")", f"{AFTER.rpartition(',')[0]}, or the closing parenthesis")
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
