r"""Atoms of LaTeX formulas: numbers, names, brackets, fractions, functions, sums and integrals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rgm_verify.statements.latex.cursor import BINOMIALS, FRACTIONS, FUNCTION_COMMANDS, NAMED
from rgm_verify.statements.latex.formulas import Formulas, base_of, joined
from rgm_verify.statements.latex.words import GREEK, SPOKEN, Word
from rgm_verify.statements.parser import plain
from rgm_verify.statements.sizes import constant, zeta
from rgm_verify.statements.trees import (
    FUNCTIONS,
    Call,
    Expression,
    Factors,
    Name,
    Number,
    Power,
    Series,
    Terms,
    names_in,
)

__all__ = ["Atoms"]

_CLOSES: Final = {"(": ("sign", ")"), "[": ("sign", "]"), "{": ("command", "}"), "lbrace": ("command", "rbrace")}
#: Letters that are functions of the variable where they stand in an integral.
_FUNCTIONS_OF: Final = frozenset("f g h F G H phi psi Phi Psi".split())
#: The same where the integrand has its variable nowhere.
_DENSITIES: Final = frozenset("p q r s u v w P Q R mu nu rho pi".split())
#: Letters whose prime may be a derivative.
_DERIVED: Final = frozenset("f g h u v w y F G H phi psi Phi Psi".split())
#: Upright words that are functions or laws of something wherever they stand.
_OF_SOMETHING: Final = frozenset(
    "Var Cov KL TV tr Tr rank det dim diag Pr poly polylog sgn argmin argmax sup inf lim Id Ber Bin Lap Pois Unif erf "
    "supp vol conv span ker im Re Im mod gcd lcm softmax ReLU sigmoid relu T d i e".split()
)
_INFINITY: Final = ("command", "infty")


class Atoms(Formulas):
    """The rules of atoms."""

    def atom(self) -> Expression:
        """Return a number, a name, a call, or what stands in brackets."""
        word = self.word
        self.kind = ""
        if word.kind == "number":
            self.take()
            return Number(plain(word.text))
        if word.kind == "letter" or (word.kind == "command" and word.text in (*GREEK, "pi")):
            self.take()
            return self.named(word, self.index(word))
        if word.kind in ("upright", "italic"):
            return self.upright()
        if self.sign("(", "[") or self.command("{", "lbrace"):
            return self.bracket()
        if self.sign("{"):
            found = self.group()
            if isinstance(found, Terms):
                raise self.doubt(
                    "braces around a sum, which nobody sees",
                    word,
                    r"a sum in parentheses, as in \left(...\right)",
                    "no parentheses",
                )
            return found
        if word.kind == "bar":
            return self.absolute()
        if word.kind == "command":
            return self.commanded(word)
        raise self.refusal(*self.misplaced("expected a number, a variable or a function"))

    def commanded(self, word: Word) -> Expression:
        """Return what a command makes: a fraction, a root, a function, a sum."""
        name = word.text
        if name in FUNCTION_COMMANDS:
            self.take()
            return self.function(FUNCTION_COMMANDS[name], word)
        if name in ("sum", "prod"):
            return self.series()
        made: dict[str, Callable[[], Expression]] = {
            **dict.fromkeys(FRACTIONS, self.fraction),
            **dict.fromkeys(BINOMIALS, self.binomial),
            "sqrt": self.root,
            "max": self.extreme,
            "min": self.extreme,
            "int": self.integral,
            "lfloor": self.rounded,
            "lceil": self.rounded,
            "lvert": self.absolute,
            "vert": self.absolute,
        }
        if name not in made:
            raise self.refusal(*self.misplaced("expected a number, a variable or a function"))
        return made[name]()

    def index(self, word: Word) -> str:
        """Return the index of a name with its primes, as the end of a name; empty without them."""
        made = ""
        if self.sign("_"):
            self.take()
            made = self.index_of(word)
        primes = 0
        while self.sign("'") or (self.sign("^") and self.ahead() == ("command", "prime")):
            self.at += 1 if self.sign("'") else 2
            primes += 1
        if primes and not made and self.sign("_"):
            self.take()
            made = self.index_of(word)
        if primes:
            made += "_prime" * primes
            self.note(f"{self.source[word.position : self.words[self.at - 1].end]} is a variable of its own")
        return made

    def index_of(self, word: Word) -> str:
        """Return what stands behind `_`, as the end of a name."""
        parts: list[str] = []
        if self.sign("{"):
            self.take()
            while not self.sign("}"):
                parts.append(self.index_part(word))
                self.at += 1
            self.take()
        else:
            first = self.word
            parts.append(self.index_part(word))
            self.take()
            behind, after = self.word, self.ahead()
            if (first.kind == "number" and len(first.text) > 1) or (
                first.kind == "letter"
                and behind.glued
                and behind.kind in ("letter", "number")
                and after.text not in "^_"
            ):
                raise self.doubt(
                    "an index without braces: TeX takes the first sign alone",
                    first,
                    f"all of it, as in _{{{first.text}{behind.text if len(first.text) == 1 else ''}}}",
                    f"the first, as in _{{{first.text[0]}}}",
                )
        made = "".join(
            p
            if not k
            or p == "_"
            or parts[k - 1] == "_"
            or len(p) == len(parts[k - 1]) == 1
            or (p.isdigit() and parts[k - 1].isdigit())
            else f"_{p}"
            for k, p in enumerate(parts)
        )
        if made in ("xx", "yy", "tt", "xy", "xt"):
            raise self.refusal("a name with two variables as its index: a derivative", f"`_{{{made}}}`", word)
        self.indexed.append(
            (f"{word.shown.strip('`')}_{{{made}}}", [p for p in parts if len(p) == 1 or p in GREEK], word)
        )
        return f"_{made}"

    def index_part(self, word: Word) -> str:
        """Return one sign of an index as a part of a name."""
        part = self.word
        if part.kind == "command" and part.text in (*GREEK, "max", "min", "sup", "inf", "star", "ast", "infty"):
            return GREEK.get(part.text, part.text)
        if part.kind in ("letter", "number", "upright", "italic", "text") and part.text.isalnum():
            return part.text
        if part == ("sign", ","):
            return "_"
        raise self.refusal("an index that is no name", part.shown, word)

    def named(self, word: Word, index: str) -> Expression:
        """Return the variable or the constant of a letter."""
        letter = GREEK.get(word.text, word.text)
        if letter == "I" and index:
            raise self.refusal("an identity matrix or an indicator", f"`I{index}`", word)
        if index.endswith("_prime_prime") or (index.endswith("_prime") and letter in _DERIVED):
            self.primes.append((letter + index, word))
        if not index and self.sign("(", "[") and letter == "Gamma":
            return self.function("gamma", word)
        if not index and letter == "gamma" and (lower := self.of_two("lowergamma")) is not None:
            return lower
        if not index and letter == "Phi" and self.sign("(", "["):
            normal = r"the normal distribution function, as in \operatorname{Phi}(...)"
            raise self.doubt(r"\Phi(...) may be one of two things", word, normal, "a function that is not known")
        if not index and letter == "zeta" and self.sign("(") and self.words[self.at + 1].kind == "number":
            return self.zeta(word)
        if letter == "pi" and not index:
            self.note(r"\pi is 3.14159...")
        elif letter == "e" and not index and not self.sign("^"):
            self.note("e is Euler's number")
            self.lone_e = word
        d_of = letter == "d" and not index and self.word.kind == "letter" and self.word.text in "xyztusr"
        if d_of and self.word.glued:
            raise self.refusal(
                "a differential outside of an integral, or a product with d", f"`d{self.word.text}`", word
            )
        if letter in ("O", "o") and not index and not self.sign("("):
            raise self.refusal("the letter o, which looks like 0", f"`{word.text}`", word)
        self.kind = "name"
        return Name(letter + index)

    def upright(self) -> Expression:
        r"""Return the function or the variable of an upright word."""
        before = self.words[self.at - 1] if self.at else self.words[-1]
        word = self.take()
        name = word.text
        if word.kind == "upright":
            if name in NAMED and len(name) > 1 and (name not in ("gamma", "beta") or self.sign("(")):
                return self.function(NAMED[name], word)
            if name in ("max", "min"):
                return self.extreme(word)
            if name == "e":
                return Name("e")
            if name == "B" and (beta := self.of_two("beta")) is not None:
                return beta
        index = self.index(word)
        touching = self.starts() or self.sign("(", "[") or before.kind in ("letter", "upright", "italic")
        several = len(name) > 1 or name.isupper()
        if word.kind == "upright" and (name in _OF_SOMETHING or name in SPOKEN or (touching and several)):
            raise self.refusal("a function or a name that is not known", f"`{name}`", word)
        if len(name) > 1:
            self.note(f"{name} is one variable")
        self.kind = "name"
        self.bare.add(name + index)
        return Name(name + index)

    def bracket(self) -> Expression:
        """Return what stands in brackets."""
        word, start = self.word, self.at
        found, many = self.listed()
        if len(many) > 1:
            raise self.refusal("a pair or an interval, where a number is expected", "", word)
        inner = any(
            w.text in ("(", "[", "{") and w.kind in ("sign", "command") for w in self.words[start + 1 : self.at - 1]
        )
        plain_group = inner or (word.text == "[" and word.sized)
        if word.text != "(" and (isinstance(found, Name | Number) or not plain_group):
            what = "an integer part, or a group" if word.text == "[" else "a fractional part, a set, or a group"
            raise self.refusal(what, f"`{self.piece(start)}`", word)
        if self.sign("_"):
            raise self.refusal("an index behind a bracket", "", word)
        self.content, self.kind = (found, inner), "bracket"
        return found

    def listed(self) -> tuple[Expression, list[Expression]]:
        """Return the first of the expressions of a list in brackets, and all of them."""
        word = self.take()
        found = [self.enclosed(self.sum)]
        while self.sign(","):
            self.take()
            found.append(self.enclosed(self.sum))
        kind, shown = _CLOSES[word.text]
        if self.word != (kind, shown):
            raise self.refusal(*self.misplaced(f"expected `{shown}`"))
        self.take()
        return found[0], found

    def absolute(self) -> Expression:
        """Return an absolute value."""
        word = self.take()
        closes = {
            "left": ("bar", "right"),
            "plain": ("bar", "plain"),
            "lvert": ("command", "rvert"),
            "vert": ("command", "vert"),
        }.get(word.text, ("", ""))
        kept = self.bars, self.integrating
        self.bars, self.integrating = (self.bars + 1 if word.text == "plain" else 0), False
        start = self.at
        inner = self.sum()
        self.bars, self.integrating = kept
        self.trailing = ""
        if self.word != closes:
            what = "bars that do not close: an absolute value, a condition or a divisor"
            raise self.refusal(what if word.kind == "bar" else f"expected \\{closes[1]}", "", word)
        doubled = (
            self.words[start] == word
            and isinstance(inner, Call)
            and inner.name == "abs"
            and self.words[self.at - 1] == closes
        )
        if doubled:
            raise self.refusal("a norm", "`||`", word)
        self.take()
        self.content, self.kind = None, ""
        if isinstance(inner, Name) and (inner.name[0].isupper()):
            self.sized.append((inner.name, word))
        if self.sign("_"):
            raise self.refusal("a norm", "bars with an index", word)
        return Call("abs", (inner,))

    def rounded(self) -> Expression:
        """Return a floor or a ceiling."""
        name = self.take().text
        inner = self.enclosed(self.sum)
        self.require("command", f"r{name[1:]}")
        self.kind = ""
        return Call(name[1:], (inner,))

    def fraction(self) -> Expression:
        r"""Return a fraction; the dx of an integral may stand in its numerator."""
        word = self.take()
        if self.word.kind == "number" and not self.sign("{"):
            digits = self.take()
            if len(digits.text) == 2 and digits.text.isdigit():
                self.no_digit_behind()
                return joined([("*", Number(plain(digits.text[0]))), ("/", Number(plain(digits.text[1])))], flat=True)
            if len(digits.text) > 1:
                raise self.doubt(
                    "digits of a fraction without braces",
                    digits,
                    "the first digit above",
                    f"all of them above, as in {{{digits.text}}}",
                )
            upper: Expression = Number(plain(digits.text))
        else:
            upper = self.numerator()
        lower = self.one_token("a denominator")
        self.no_digit_behind()
        if all(self.words_begin(w, "d") for w in (upper, lower)):
            raise self.refusal("a derivative", "", word)
        self.kind = "integral" if self.closes_integral() else ""
        return joined([("*", upper), ("/", lower)], flat=True)

    @staticmethod
    def words_begin(tree: Expression, name: str) -> bool:
        """Return whether an expression is a name, or a product that begins with it."""
        first = tree.parts[0][1] if isinstance(tree, Factors) else tree
        return isinstance(base_of(first), Name) and base_of(first) == Name(name)

    def no_digit_behind(self) -> None:
        """Refuse a digit right behind an argument of a fraction: it was meant to belong to it."""
        if self.word.kind == "number":
            raise self.refusal("a number behind a fraction without a sign", f"`{self.word.text}`")

    def numerator(self) -> Expression:
        """Return a numerator; in an integral a dx may end it."""
        if not (self.integrating and self.sign("{")):
            return self.one_token("a numerator")
        self.take()
        kept, self.bars = self.bars, 0
        found: Expression = Number(plain("1")) if self.at_differential() else self.sum()
        if self.at_differential():
            self.take()
            if self.differential is not None:
                raise self.refusal("a second differential")
            self.differential = GREEK.get(self.word.text, self.take().text)
        self.require("sign", "}")
        self.bars, self.trailing = kept, ""
        return found

    def binomial(self) -> Expression:
        """Return a binomial coefficient."""
        self.take()
        first = self.take_digit() or self.one_token("a first argument")
        second = self.take_digit() or self.one_token("an argument")
        self.kind = ""
        return Call("binomial", (first, second))

    def take_digit(self) -> Expression | None:
        """Return one digit as an argument without braces; None where another word comes."""
        if self.word.kind != "number" or len(self.word.text) > 1:
            return None
        return Number(plain(self.take().text))

    def root(self) -> Expression:
        """Return a root."""
        word, degree = self.take(), None
        if self.sign("["):
            self.take()
            degree = self.enclosed(self.sum)
            self.require("sign", "]")
        braced, first = self.sign("{"), self.word
        inner = self.one_token("a root")
        if (
            not braced
            and (self.starts() or self.sign("^", "_", "!"))
            and not (first.kind == "number" and self.word.kind == "command")
        ):
            raise self.doubt(
                "a root without braces covers the first sign alone",
                word,
                rf"the first sign, as in \sqrt{{{first.text}}} ...",
                r"all of it, as in \sqrt{...}",
            )
        self.kind = ""
        if degree is None or degree == Number(plain("2")):
            return Call("sqrt", (inner,))
        if degree == Number(plain("3")):
            return Call("cbrt", (inner,))
        return Power(inner, joined([("*", Number(plain("1"))), ("/", degree)], flat=False))

    def extreme(self, word: Word | None = None) -> Expression:
        """Return the largest or the smallest of a list."""
        word = word or self.take()
        if not (self.sign("(", "[") or self.command("{", "lbrace")):
            raise self.refusal(f"the {word.text} over a set, or without brackets", word.shown, word)
        _, many = self.listed()
        if len(many) < 2:
            raise self.refusal(f"the {word.text} of one number, or over a set", word.shown, word)
        self.content, self.kind = None, "call"
        return Call(word.text, tuple(many))

    def zeta(self, word: Word) -> Expression:
        """Return the value of zeta at a number in parentheses, an integer."""
        found, _ = self.listed()
        order = constant(found)
        if order is None or order.denominator != 1 or not 2 <= order <= 60:
            raise self.refusal("zeta, which is read at 2, 3, ..., 60 alone", word.shown, word)
        self.kind = "call"
        return zeta(int(order))

    def function(self, name: str, word: Word) -> Expression:
        """Return a function with its argument, its base and its power."""
        base = power = None
        if self.sign("_"):
            self.take()
            if name != "log":
                raise self.refusal("a function with an index", word.shown, word)
            base = self.one_token("a base")
        if self.sign("'"):
            raise self.refusal("a derivative", word.shown, word)
        if self.sign("^"):
            mark = self.take()
            power = self.exponent(Name("x"), mark)
            if power == Terms((("-", Number(plain("1"))),)):
                raise self.doubt(
                    "an exponent -1 of a function",
                    mark,
                    r"the inverse function, as in \arcsin x",
                    r"one divided by it, as in \frac{1}{\sin x}",
                )
            if not isinstance(power, Number):
                raise self.refusal("a function with an exponent that is no number", word.shown, mark)
        if name == "log" and base is None:
            self.note("log is the natural logarithm")
        if power is None and (of_two := self.of_two(name)) is not None:
            return of_two
        inner = self.argument(name, word)
        kind = self.kind
        if base in (Number(plain("2")), Number(plain("10"))):
            made: Expression = Call("log2" if base == Number(plain("2")) else "log10", (inner,))
        else:
            made = Call(name, (inner,))
            if base is not None:
                made = joined([("*", made), ("/", Call("log", (base,)))], flat=False)
        self.kind = kind
        if power is not None:
            self.note(f"{word.shown.strip('`')}^n x is the power of the value, ({word.shown.strip('`')} x)^n")
        return made if power is None else Power(made, power)

    def of_two(self, name: str) -> Expression | None:
        """Return a function of two arguments in brackets; None, with nothing taken, where it is none."""
        # The upper incomplete gamma function has the name of the gamma function, and one argument more.
        known = "uppergamma" if name == "gamma" else name
        if FUNCTIONS.get(known) != (2, 2) or not self.sign("(", "["):
            return None
        start = self.at
        _, many = self.listed()
        if len(many) != 2:
            self.at = start
            return None
        self.kind = "call"
        return Call(known, tuple(many))

    def argument(self, name: str, word: Word) -> Expression:
        """Return the argument of a function, in brackets or without."""
        if self.sign("(", "[") or self.command("{", "lbrace"):
            found, many = self.listed()
            if len(many) > 1:
                raise self.refusal(f"{name} of {len(many)} arguments", word.shown, word)
            # Nobody writes \exp without its bracket, so that a second one is a factor.
            self.content, self.kind = None, "call" if name != "exp" else ""
            return found
        start = self.at
        if self.sign("{"):
            found = self.group()
        elif self.starts() and not self.command("sum", "prod", "int"):
            if name in ("gamma", "floor", "ceil", "sign", "erf", "erfc"):
                raise self.refusal(f"{name} without parentheses", word.shown, word)
            found = self.factor()
        else:
            raise self.refusal(*self.misplaced(f"expected the argument of {name}"))
        if isinstance(found, Call) and found.name == "factorial" and self.words[start] != ("sign", "{"):
            raise self.doubt(
                "the factorial of a function or of its argument",
                word,
                rf"of the argument, as in \log({self.piece(start)})",
                r"of the value, as in (\log n)!",
            )
        self.stands_alone(found)
        if self.at - start > 1 and isinstance(found, Power):
            self.note(f"{self.piece(start - 1)} is the function of {self.piece(start)}")
        self.content, self.kind = None, "bare"
        return found

    def series(self) -> Expression:
        """Return a sum or a product with both of its ends."""
        word = self.take()
        kind = "sum" if word.text == "sum" else "product"
        upper: Expression | None = None
        above = self.sign("^")
        if above:
            upper = self.end()
            self.refuse_minus(word)
        if not self.sign("_") or self.ahead() != ("sign", "{"):
            raise self.refusal(f"a {kind} over a set, or without ends", word.shown, word)
        self.at += 2
        index = self.letter()
        if not index or not self.sign("="):
            raise self.refusal(f"a {kind} over a set, or without ends", word.shown, word)
        self.take()
        lower = self.enclosed(self.sum)
        self.require("sign", "}")
        if not above:
            if not self.sign("^"):
                raise self.refusal(f"a {kind} without an upper end", word.shown, word)
            upper = self.end()
            self.refuse_minus(word)
        start = self.at
        self.bound.append(index)
        self.indices = self.indices | {index}
        body = self.product()
        self.bound.pop()
        bracketed = (
            self.kind == "bracket" and self.words[start].text in ("(", "[", "{", "lbrace") and self.content is not None
        )
        if kind == "product" and isinstance(body, Factors) and not bracketed:
            whole = self.words[start].text in FRACTIONS and len(body.parts) == 2
            without = [p for _, p in body.parts[1:] if all(n.name != index for n in names_in(p, frozenset()))]
            if without and not whole:
                raise self.doubt(
                    "it is not clear where the term of the product ends",
                    word,
                    "at the first factor without its index",
                    r"at the end, as in \prod_... ( ... )",
                )
        self.trailing = "" if bracketed and not isinstance(body, Factors) else index
        self.kind = "series"
        return Series(kind, index, lower, upper, body)

    def refuse_minus(self, word: Word) -> None:
        """Refuse a sum up to minus infinity."""
        behind = [w.text for w in self.words[max(self.at - 3, 0) : self.at]]
        if behind[-1] in ("infty", "}") and "infty" in behind and "-" in behind:
            raise self.refusal("a sum up to minus infinity", word.shown, word)

    def end(self) -> Expression | None:
        r"""Return an end of a sum or an integral behind `_` or `^`; None for an infinite one.

        Whether its sign is the right one is asked by `integral`, which looks at the words.
        """
        self.take()
        group = self.sign("{")
        place = self.at + group
        if self.words[place] in (("sign", "-"), ("sign", "+")) and self.words[place + 1] == _INFINITY:
            place += 1
        if self.words[place] == _INFINITY and (not group or self.words[place + 1] == ("sign", "}")):
            self.at = place + 1 + group
            return None
        return self.one_token("an end")

    def closed_by(self) -> str | None:
        """Return the variable of a dx that stood in a numerator of the integral that is open."""
        return self.differential

    def integral(self) -> Expression:
        """Return an integral with both of its ends and its dx."""
        word = self.take()
        ends: dict[str, Expression | None] = {}
        for _ in range(2):
            if not self.sign("_", "^"):
                raise self.refusal("an integral over a set, or without ends", word.shown, word)
            which, before = self.word.text, self.at
            ends[which] = self.end()
            minus = any(w == ("sign", "-") for w in self.words[before : self.at])
            if ends[which] is None and minus != (which == "_"):
                raise self.refusal("an integral that does not go from -infinity to infinity", word.shown, word)
        if len(ends) != 2:
            raise self.refusal("an integral with one end twice", word.shown, word)
        kept = self.integrating, self.differential, self.bars
        self.integrating, self.differential, self.bars = True, None, 0
        body: Expression = Number(plain("1")) if self.at_differential() else self.sum()
        index = self.closed_by()
        if index is None:
            if not self.at_differential():
                raise self.refusal("an integral whose dx is not found behind its term", word.shown, word)
            self.take()
            index = self.letter()
        elif self.at_differential() and not kept[0]:
            raise self.refusal("an integral with two differentials", word.shown, word)
        self.integrating, self.differential, self.bars = kept
        inside = {n.name for n in names_in(body, frozenset())}
        hidden = inside & (_FUNCTIONS_OF if index in inside else _FUNCTIONS_OF | _DENSITIES)
        if hidden:
            raise self.refusal(f"an integral of {min(hidden)}, which may be a function of {index}", word.shown, word)
        self.indices = self.indices | {index}
        self.trailing, self.kind, self.content = "", "integral", None
        return Series("integral", index, ends["_"], ends["^"], body)
