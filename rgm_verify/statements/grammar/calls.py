"""Functions with their arguments; sums, products and integrals with their ranges."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace

from rgm_verify.statements.grammar.vocabulary import ALSO_NAMES, CIRCULAR, INFINITE, OTHER_NAMES, WORDS, plain
from rgm_verify.statements.grammar.words import Words
from rgm_verify.statements.sizes import zeta
from rgm_verify.statements.tokens import Token
from rgm_verify.statements.trees import (
    BINDING,
    CONSTANTS,
    FUNCTIONS,
    Call,
    Expression,
    Factors,
    Name,
    Number,
    Power,
    Series,
    Tree,
)
from rgm_verify.statements.trees import text as written

__all__ = ["Calls"]


class Calls(Words):
    """Names, and functions with what they are of."""

    def named(self, word: Token) -> Tree:
        """Return the variable, the constant or the function of a name.

        A known function without a parenthesis is refused rather than taken for a variable, but for `gamma` and `beta`,
        which papers use as letters. An unknown name before a parenthesis is refused as well: `n(n + 1)` may be a
        product or a call.
        """
        if word.text in self.defined:
            return self.expanded(word)
        # Two spellings are one function from here on, so that nothing behind the parser knows both.
        name = OTHER_NAMES.get(word.text, word.text) or word.text
        known = (name in FUNCTIONS or name in BINDING) and not self.is_letter_of_two(name, word)
        at = word.position
        if known and self.is_next("^", "**") and FUNCTIONS.get(name) == (1, 1) and word.text not in ALSO_NAMES:
            return self.powered(name, word)
        if self.is_next("(") and self.text[at] == "γ":
            self.doubt("`γ(`: Γ is the gamma function, and γ a variable", at,
                       ("a product", self.changed(at, at + 1, "γ*")),
                       ("the gamma function", self.changed(at, at + 1, "Γ")))  # fmt: skip
        if self.is_next("(") and known:
            return self.called(name, word)
        if self.is_next("(") and (base := re.fullmatch("log_([A-Za-z]+|[0-9]+)", word.text)):
            return self.logarithm(base[1], word)
        argument = self.word.kind == "number" or (self.word.kind == "name" and self.word.text not in (*WORDS, "√"))
        if known and argument and FUNCTIONS.get(name) == (1, 1) and word.text not in ALSO_NAMES:
            return self.without_parentheses(name, word)
        if known and word.text not in ALSO_NAMES:
            arguments = "k, 0, n, term" if name in BINDING else ", ".join("xy"[: FUNCTIONS[name][0]])
            self.fail(f"`{word.text}` takes what it is of in parentheses: {name}({arguments})", word.position)
        if self.is_next("(") and word.text == "zeta" and self.ahead().kind == "number" and self.ahead(2).text == ")":
            return self.zeta(word)
        if self.is_next("(") and word.text in ("lim", "limit", "Limit"):
            self.fail("limits are not read; state how near it comes, as in |(1 + 1/n)^n - e| <= 3/n", at)
        if self.is_next("("):
            if word.text in CONSTANTS or not word.text[0].isalpha():
                self.fail(self.unknown(word.text), word.position)
            # A product if it turns out to be a variable, and no function otherwise.
            self.guessed.append((word.text, word))
        return Name(word.text, position=word.position)

    def is_letter_of_two(self, name: str, word: Token) -> bool:
        """Return whether a letter that names a function of two arguments stands before one: beta(1 - beta)."""
        if FUNCTIONS.get(name) != (2, 2) or word.text not in ALSO_NAMES or not self.is_next("("):
            return False
        depth = 0
        for following in self.words[self.at :]:
            depth += (following.text == "(") - (following.text == ")")
            if depth == 1 and following.text == ",":
                return False
            if depth == 0:
                break
        return True

    def zeta(self, word: Token) -> Expression:
        """Return the value of zeta at a number, an integer."""
        order = self.ahead().text
        if not order.isdigit() or not 2 <= int(order) <= 60:
            self.fail(f"zeta({order}): it is read at 2, 3, ..., 60 alone", word.position)
        self.at += 3
        return replace(zeta(int(order)), position=word.position)

    def logarithm(self, base: str, word: Token) -> Tree:
        """Return the logarithm to a base that is written as an index: log_b(x) is log(x)/log(b)."""
        below: Expression = Number(plain(base)) if base.isdigit() else Name(base, position=word.position + 4)
        return Factors((("*", self.called_once("log", word)), ("/", Call("log", (below,)))), position=word.position)

    def called_once(self, name: str, word: Token) -> Call:
        """Return a call of a function of one argument."""
        found = self.called(name, word)
        assert isinstance(found, Call)  # noqa: S101 - no other tree comes of a function
        return found

    def without_parentheses(self, name: str, word: Token) -> Call:
        """Return `sin x`: the function of one number or name, with nothing behind it that may belong to it.

        Raises:
            DoubtfulReading: For `sin 2x`, `log x/y`, `sin x^2`, `sqrt x y`, `log x log y`.
        """
        start, place = self.word.position, self.at
        first = self.take()
        if first.kind == "number":
            argument: Expression = Number(plain(first.text), position=start)
        else:
            with self.deeper():
                argument = self.number_of(self.named(first), start)
        end = len(self.text[: self.word.position].rstrip())
        alone = self.changed(start, end, f"({self.text[start:end]})")
        open_ended = self.is_next("^", "**", "!", "*", "/", "(") or (self.is_next("|") and not self.bars)
        if open_ended or (self.word.kind == "name" and self.word.text not in WORDS):
            at, self.at = self.word.position, place
            self.value_of(self.product)
            self.doubt(f"{name} without parentheses: what follows may belong to it or not", at,
                       ("no part of it belongs to the function", alone),
                       ("all of it belongs to the function", self.grouped(start)))  # fmt: skip
        return Call(name, (argument,), position=word.position)

    def powered(self, name: str, word: Token) -> Tree:
        """Return `sin^2(x)` as the power of the value; for other functions, and for -1, that is doubtful."""
        sign = self.take()
        begin = sign.position
        exponent = self.word
        signs = ("(", "-") if self.is_next("(") else ("-",)
        minus = [w.text for w in self.words[self.at : self.at + len(signs)]] == list(signs)
        if minus:
            exponent = self.ahead(len(signs))
            self.at += len(signs) + (len(signs) == 2)
        if exponent.kind != "number" or not exponent.text.isdigit():
            self.fail(f"an exponent behind {name}: write {name}(x)^n", begin)
        self.take()
        end = self.word.position
        inner = self.word.position
        bare = name in CIRCULAR and not minus and self.word.kind == "name" and self.word.text not in (*WORDS, "√")
        if not bare and not self.is_next("("):
            self.fail(f"put what {name} is of in parentheses: {name}(x)^{exponent.text}", end)
        made = self.without_parentheses(name, word) if bare else self.called_once(name, word)
        behind = len(self.text[: self.word.position].rstrip())
        called = f"{self.text[word.position : begin]}{self.text[inner:behind]}"
        shown = f"{'-' * minus}{exponent.text}"
        power = self.changed(word.position, behind, f"({called})^({shown})")
        inverse = f"arc{name}" if name in ("sin", "cos", "tan") else f"ar{name}"
        if minus and exponent.text == "1" and inverse in FUNCTIONS:
            other = self.changed(word.position, behind, f"{inverse}{self.text[inner:behind]}")
            self.doubt(f"{name} to the power -1 may mean two things", begin,
                       ("one divided by it", power), ("the inverse function", other))  # fmt: skip
        if name not in CIRCULAR or minus or int(exponent.text) < 2:
            again = self.changed(word.position, behind, f"{name}({called})") if shown == "2" else ""
            self.doubt(f"an exponent behind {name} may mean two things", begin,
                       ("a power of the value", power), ("the function of the function", again))  # fmt: skip
        if self.is_next("^", "**", "!"):
            self.fail(f"two exponents: write ({name}(x)^{shown})^n", self.word.position)
        return Power(made, Number(plain(exponent.text), position=exponent.position), position=word.position)

    def unknown(self, name: str) -> str:
        """Return what to say of a function that is not known: the nearest known ones, and how a product is written."""
        close = difflib.get_close_matches(name, [*FUNCTIONS, *BINDING], n=2, cutoff=0.7)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        return f"`{name}` is no function that is known here{hint or '.'} For a product write {name}*(...)"

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
            if name == "log" and len(arguments) == 2 and self.is_next(")"):
                at, end = word.position, self.word.position + 1
                of, base = map(written, arguments)
                self.doubt("log of two numbers: which is the base?", at,
                           ("the second one", self.changed(at, end, f"(log({of})/log({base}))")),
                           ("the first one", self.changed(at, end, f"(log({base})/log({of}))")))  # fmt: skip
            least, most = FUNCTIONS[name]
            if not least <= len(arguments) <= most:
                wanted = (
                    f"{least}"
                    if least == most
                    else f"at least {least}"
                    if len(arguments) < least
                    else f"at most {most}"
                )
                many = f"{wanted} argument{'s' * (wanted != '1')}"
                self.fail(f"{name} takes {many}, not {len(arguments)}", word.position)
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
            bracket = self.accept("(")
            index, first, last = self.range_of(name, form)
            if bracket:
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
                dots = inner[0].kind == "name" and inner[1].text == "="
                return dots or (inner[0].text == "(" and inner[1].kind == "name" and inner[2].text == ",")
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth < 0:
                break
        return False

    def range_of(self, name: str, form: str) -> tuple[Token, Expression | None, Expression | None]:
        """Return the variable of a sum, product or integral with its ends; None is an infinite end of an integral."""
        index = self.word
        if index.kind != "name" or index.text in (*WORDS, *CONSTANTS, *self.defined):
            raise self.expected(f"the name of the variable: {form}")
        self.take()
        ends: list[Expression | None] = []
        dots = self.is_next("=")
        for below in (True, False):
            if dots:
                self.require("=" if below else "..", f"`..` between the ends: {name}({index.text} = 1..n, term)")
            else:
                self.require(",", f"a comma: {form}")
            start = self.word
            signed = start.text in ("-", "+") and self.ahead().text in INFINITE
            if not signed and start.text not in INFINITE:
                ends.append(self.argument())
                continue
            negative = start.text == "-"
            if name == "product":
                self.fail(f"a {name} with infinitely many terms; let its last index be a variable", start.position)
            if negative is not below:
                self.fail(
                    f"`{'-' * negative}infinity`: a sum or an integral goes from -infinity to infinity", start.position
                )
            self.at += 1 + signed
            ends.append(None)
        return index, ends[0], ends[1]
