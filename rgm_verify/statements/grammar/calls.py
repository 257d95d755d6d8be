"""Functions with their arguments; sums, products and integrals with their ranges."""

from __future__ import annotations

import difflib

from rgm_verify.statements.grammar.vocabulary import ALSO_NAMES, INFINITE, OTHER_NAMES, WORDS
from rgm_verify.statements.grammar.words import Words
from rgm_verify.statements.tokens import Token
from rgm_verify.statements.trees import BINDING, CONSTANTS, FUNCTIONS, Call, Expression, Name, Series, Tree

__all__ = ["Calls"]


class Calls(Words):
    """Names, and functions with what they are of."""

    def named(self, word: Token) -> Tree:
        """Return the variable, the constant or the function of a name.

        A known function without a parenthesis is refused rather than taken for a variable, but for `gamma` and `beta`,
        which papers use as letters. An unknown name before a parenthesis is refused as well: `n(n + 1)` may be a
        product or a call.
        """
        # Two spellings are one function from here on, so that nothing behind the parser knows both.
        name = OTHER_NAMES.get(word.text, word.text) or word.text
        known = name in FUNCTIONS or name in BINDING
        at = word.position
        if self.is_next("(") and self.text[at] == "γ":
            self.doubt("`γ(`: Γ is the gamma function, and γ a variable", at,
                       ("a product", self.changed(at, at + 1, "γ*")),
                       ("the gamma function", self.changed(at, at + 1, "Γ")))  # fmt: skip
        if self.is_next("(") and known:
            return self.called(name, word)
        if known and word.text not in ALSO_NAMES:
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
        if index.kind != "name" or index.text in WORDS or index.text in CONSTANTS:
            raise self.expected(f"the name of the variable: {form}")
        self.take()
        ends: list[Expression | None] = []
        for below in (True, False):
            self.require(",", f"a comma: {form}")
            start = self.word
            signed = start.text in ("-", "+") and self.ahead().text in INFINITE
            if not signed and start.text not in INFINITE:
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
