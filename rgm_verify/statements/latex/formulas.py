r"""Formulas of LaTeX as trees: sums, products, functions, and chains of relations between them.

What has two readings is refused with both, and what the grammar of statements has no word for is refused by its name.
A convention that was used becomes a note. Whether `x(y + 1)` is a product hangs on the rest of the statement, and is
settled at its end (`settle`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from rgm_verify.statements.latex.words import GREEK, REASONS, RELATIONS, SPOKEN, NotRead, Word
from rgm_verify.statements.parser import plain
from rgm_verify.statements.tokens import DoubtfulReading, Reading
from rgm_verify.statements.trees import (
    FUNCTIONS,
    Call,
    Compare,
    Expression,
    Factors,
    Name,
    Number,
    Power,
    Series,
    Terms,
    names_in,
)

__all__ = ["Formulas"]

_DEEPEST: Final = 30
_FUNCTIONS: Final = {
    **{n: n for n in ("exp log sin cos tan cot sec csc sinh cosh tanh coth sech csch arcsin arccos arctan arsinh arcosh "
                      "artanh").split()},
    "ln": "log",
}  # fmt: skip
#: Words that are functions of the grammar, in \operatorname and its like.
_NAMED: Final = {**{n: n for n in FUNCTIONS if n not in ("sqrt", "factorial", "binomial", "min", "max")}, "ln": "log",
                 "sgn": "sign", "arcsinh": "arsinh", "arccosh": "arcosh", "arctanh": "artanh"}  # fmt: skip
_FRACTIONS: Final = ("frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac")
_BINOMIALS: Final = ("binom", "tbinom", "dbinom")
_BEGINS: Final = (*GREEK, *_FUNCTIONS, *_FRACTIONS, *_BINOMIALS, "pi", "sqrt", "sum", "prod", "int", "max", "min", "lfloor",
                  "lceil", "{", "lbrace", "lvert", "Pi")  # fmt: skip
_OPERATORS: Final = ("cdot", "times")
_CLOSES: Final = {"(": ("sign", ")"), "[": ("sign", "]"), "{": ("command", "}"), "lbrace": ("command", "rbrace")}
#: Letters before a parenthesis that are no likely names of functions.
_FACTORS: Final = frozenset("a b c d k l m n alpha beta gamma eta lambda theta tau ell".split())
#: Letters whose prime may be a derivative.
_DERIVED: Final = frozenset("f g h u v w y F G H phi psi Phi Psi".split())
#: Upright words that are functions or laws of something wherever they stand.
_OF_SOMETHING: Final = frozenset(
    "Var Cov KL TV tr Tr rank det dim diag Pr poly polylog sgn argmin argmax sup inf lim Id Ber Bin Lap Pois Unif erf "
    "supp vol conv span ker im Re Im mod gcd lcm softmax ReLU sigmoid relu T d i e".split()
)
_INFINITY: Final = ("command", "infty")


class Formulas:
    """The expressions of one statement, read in one pass over its words.

    Attributes:
        source: The LaTeX, for messages.
        words: Its words, with an `end` behind the last.
        at: The place of the next word.
        notes: The conventions that were used.
        bound: Indices that are open.
    """

    def __init__(self, source: str, words: list[Word]) -> None:
        self.source, self.words, self.at = source, words, 0
        self.notes: list[str] = []
        self.bound: list[str] = []
        self.depth = self.bars = 0
        self.differential: str | None = None
        """The variable of a dx that stood in a numerator."""
        self.integrating = False
        self.kind = ""
        """What the last factor was: `bare` (a function without parentheses), `call`, `series`, `integral`, `name`."""
        self.trailing = ""
        """The index of a sum without parentheses that the last product ended with."""
        self.content: tuple[Expression, bool] | None = None
        """What stood in the last bracket, and whether brackets stood inside."""
        self.bare: set[str] = set()
        self.products: list[tuple[str, Expression, Word, int, int]] = []
        self.indexed: list[tuple[str, list[str], Word]] = []
        self.lone_e: Word | None = None
        self.primes: list[tuple[str, Word]] = []
        self.indices: frozenset[str] = frozenset()
        """All indices of sums, products and integrals."""

    # ---------------------------------------------------------------------------------------------- words

    @property
    def word(self) -> Word:
        """Return the next word."""
        return self.words[min(self.at, len(self.words) - 1)]

    def ahead(self, count: int = 1) -> Word:
        """Return the word that comes `count` words later."""
        return self.words[min(self.at + count, len(self.words) - 1)]

    def take(self) -> Word:
        """Return the next word and go on behind it."""
        found = self.word
        self.at += 1
        return found

    def sign(self, *texts: str) -> bool:
        """Return whether the next word is one of these signs."""
        return self.word.kind == "sign" and self.word.text in texts

    def command(self, *texts: str) -> bool:
        """Return whether the next word is one of these commands."""
        return self.word.kind == "command" and self.word.text in texts

    def refusal(self, reason: str, problem: str = "", word: Word | None = None) -> NotRead:
        """Return the error at a word, the next one if none is given, for the caller to raise."""
        return NotRead(self.source, (word or self.word).position, reason, problem)

    def doubt(self, problem: str, word: Word, *readings: tuple[str, str]) -> DoubtfulReading:
        """Return the error of two readings, for the caller to raise.

        Args:
            problem: What may mean two things.
            word: Where.
            readings: What each one means, and a piece of LaTeX that says so.
        """
        ways = [Reading(means, shown) for means, shown in readings]
        return DoubtfulReading(self.source, word.position, problem, ways)

    def piece(self, start: int, end: int | None = None) -> str:
        """Return the source from one word to before another."""
        last = self.at if end is None else end
        return self.source[self.words[start].position : self.words[max(last - 1, start)].end].strip()

    def note(self, sentence: str) -> None:
        """Keep a convention that was used."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def require(self, kind: str, shown: str) -> Word:
        """Take a word that has to come."""
        if self.word != (kind, shown):
            raise self.refusal(*self.misplaced(f"expected `{shown}`"))
        return self.take()

    def misplaced(self, expected: str) -> tuple[str, str]:
        """Return the reason and the problem of a word that has no place here."""
        word = self.word
        if word.kind == "command" and word.text in REASONS:
            return REASONS[word.text], word.shown
        if word.kind == "text":
            return "words that are not read", f"`{word.text or '$ $'}`"
        if word.kind in ("command", "upright") and word.text not in (*_BEGINS, *RELATIONS):
            return "a command or a function that is not known", word.shown
        return f"{expected}, not {word.shown}", ""

    # ---------------------------------------------------------------------------------------------- chains

    def relation(self) -> str:
        """Return the relation that comes next, empty if none does."""
        if self.word.kind not in ("command", "sign"):
            return ""
        if self.command("not") and self.ahead() == ("sign", "="):
            return "!="
        return RELATIONS.get(self.word.text, "")

    def chain(self) -> Compare | Expression:
        """Return a chain of relations, or the expression where no relation comes."""
        position = self.word.position
        sides, signs = [self.side()], []
        while sign := self.relation():
            if self.take().text == "not":
                self.take()
            if self.sign("_", "^"):
                raise self.refusal("a decorated sign")
            signs.append(sign)
            sides.append(self.side())
        return Compare(tuple(sides), tuple(signs), position=position) if signs else sides[0]

    def side(self) -> Expression:
        """Return one side of a relation."""
        self.trailing = ""
        found = self.sum()
        self.trailing = ""
        return found

    def sum(self) -> Expression:
        """Return a sum of signed products."""
        start = self.at
        parts: list[tuple[Literal["+", "-"], Expression]] = []
        sign: Literal["+", "-"] = "+"
        signed = self.sign("+", "-")
        if signed:
            sign = "-" if self.take().text == "-" else "+"
        first = self.product()
        while self.sign("+", "-"):
            word = self.word
            if self.trailing and not (self.ahead().kind == "command" and self.ahead().text in ("sum", "prod", "int")):
                shown = self.piece(start)
                raise self.doubt("it is not clear where the term of the sum ends", word,
                                 ("what follows is no part of it", rf"({shown}) {word.text} ..."),
                                 ("it is part of every term", rf"\sum_... ( ... {word.text} ...)"))  # fmt: skip
            if self.kind == "bare" and self.words[self.at - 1] == ("number", "1"):
                raise self.doubt("the logarithm or sine of 1, or of the sum", word,
                                 ("of 1", f"({self.piece(start)}) {word.text} ..."), ("of the sum", ""))  # fmt: skip
            if not parts:
                parts.append((sign, first))
            self.take()
            more: Literal["+", "-"] = "-" if word.text == "-" else "+"
            parts.append((more, self.product()))
        if parts:
            return Terms(tuple(parts))
        return Terms((("-", first),)) if sign == "-" else first

    # ---------------------------------------------------------------------------------------------- products

    def starts(self) -> bool:
        """Return whether a factor begins here."""
        word = self.word
        if self.at_differential():
            return False
        if word.kind == "bar":
            return word.text == "left" or (word.text == "plain" and not self.bars)
        if word.kind == "command":
            return word.text in _BEGINS
        return word.kind in ("number", "letter", "upright", "italic") or self.sign("(", "[", "{")

    def at_differential(self) -> bool:
        """Return whether the dx of the integral that is open comes next."""
        d, name = self.word, self.ahead()
        letter = name.kind == "letter" or (name.kind == "command" and name.text in GREEK)
        return self.integrating and d.text == "d" and d.kind in ("letter", "upright") and letter

    def product(self) -> Expression:
        """Return a product; the signs of its factors may be left out where that has one reading."""
        start = self.at
        barred, behind_bar = False, False
        parts: list[tuple[Literal["*", "/"], Expression]] = []
        self.trailing = ""
        first_fraction = self.command(*_FRACTIONS)
        factor = self.factor()
        parts.append(("*", factor))
        self.stands_alone(factor)
        barred = self.words[start].kind == "bar"
        while True:
            word, kind, begin = self.word, self.kind, self.at
            before = parts[-1]
            explicit = self.command(*_OPERATORS) or self.sign("*")
            slash = self.sign("/") or self.command("div")
            implied = not explicit and not slash and self.starts()
            if not (explicit or slash or implied):
                break
            if before[0] == "/":
                raise self.doubt("behind a quotient with a slash this may be above or below", word,
                                 ("above", rf"\frac{{{self.piece(start)}}} ..."), ("below", rf"\frac{{...}}{{... {word.text}}}"))  # fmt: skip
            self.refuse_after(kind, word, start, implied=implied)
            if explicit or slash:
                self.take()
                barred = behind_bar = False
            elif word.kind == "number":
                raise self.refusal("a number behind a factor without a sign", f"`{word.text}`")
            if implied:
                plain_bar = word == ("bar", "plain")
                if plain_bar and behind_bar:
                    raise self.doubt("bars that may pair in two ways", word,
                                     ("beside each other", r"\lvert a\rvert b\lvert c\rvert"),
                                     ("inside of each other", r"\lvert a\lvert b\rvert c\rvert"))  # fmt: skip
                behind_bar = barred and not plain_bar
                barred = barred or plain_bar
            named = before[1] if kind == "name" and implied and self.sign("(", "[") else None
            opened = self.at
            factor = self.factor()
            if named is not None:
                self.product_of(named, opened, start)
            if self.is_factorial_of_product(factor, before[1], implied=implied):
                raise self.doubt("the factorial of the last factor or of the product", word,
                                 ("of the last", ""), ("of the product", rf"({self.piece(begin - 1, self.at - 1)})!"))  # fmt: skip
            parts.append(("/" if slash else "*", factor))
            self.stands_alone(factor)
        return _joined(parts, flat=first_fraction)

    def stands_alone(self, factor: Expression) -> None:
        """Keep a name behind which no parenthesis stands: it is a number."""
        base = _base(factor)
        if base is not None and not self.sign("(", "["):
            self.bare.add(base.name)

    def refuse_after(self, kind: str, word: Word, start: int, *, implied: bool) -> None:
        """Refuse a factor behind a function, a sum or an integral whose end is not clear."""
        function = (word.kind == "command" and word.text in _FUNCTIONS) or (
            not implied and self.ahead().kind == "command" and self.ahead().text in _FUNCTIONS
        )
        if kind == "bare" and not (function and not self.sign("/")):
            shown = self.piece(start)
            raise self.doubt("what follows a function without parentheses may belong to its argument", word,
                             ("it does not", f"({shown}) ..."), ("it does", f"{shown} with parentheses"))  # fmt: skip
        if kind == "call" and implied and self.sign("(", "["):
            raise self.doubt("a second parenthesis behind a function", word,
                             ("a factor", f"({self.piece(start)}) \\cdot (...)"), ("a part of its argument", ""))  # fmt: skip
        if kind == "integral" and implied:
            raise self.doubt("what stands behind dx may belong to the integral", word,
                             ("a factor outside", f"({self.piece(start)}) ..."), ("a factor inside", "... dx"))  # fmt: skip

    def is_factorial_of_product(self, factor: Expression, before: Expression, *, implied: bool) -> bool:
        """Return whether `2n!` or `mn!` was read, whose factorial may be of both."""
        factorial = isinstance(factor, Call) and factor.name == "factorial" and isinstance(factor.arguments[0], Name)
        return implied and factorial and isinstance(before, Number | Name)

    def product_of(self, named: Expression, opened: int, start: int) -> None:
        """Take a name before a parenthesis, which is a product or a function of what stands there.

        Args:
            named: The name, or a power of one.
            opened: The place of the parenthesis.
            start: Where the product begins.
        """
        base = _base(named)
        if base is None or self.content is None or base.name == "pi":
            return
        inner, word = self.content[0], self.words[opened - 1]
        if isinstance(inner, Name | Number) or base.name in ("O", "o", "Theta", "Omega", "Phi"):
            what = "an order of growth" if base.name in ("O", "o", "Theta", "Omega") else "a function that is not known"
            raise self.refusal(what, f"`{self.piece(opened - 1)}`", word)
        self.products.append((base.name, inner, word, start, self.at))
        self.note(f"{self.piece(opened - 1)} is a product")

    def settle(self, declared: set[str], free: set[str]) -> None:
        """Ask what hangs on the names of the whole statement.

        Args:
            declared: Names with a domain.
            free: The variables of the statement.

        Raises:
            DoubtfulReading: For a name before a parenthesis that stands nowhere else and may be a function; for e beside
                its neighbours c and d.
            NotRead: For an index that is a variable of the statement, so that the name may be a sequence.
        """
        seen: dict[str, Expression] = {}
        for name, inner, word, _, end in self.products:
            known = name in declared or name in self.bare or any(n.name == name for n in names_in(inner, frozenset()))
            other = seen.setdefault(name, inner)
            likely = name in _FACTORS and isinstance(inner, Terms) and other == inner
            if not (known or likely):
                first = f"{word.shown.strip('`')}"
                shown = self.source[word.position : self.words[end - 1].end]
                raise self.doubt(f"{first} stands only before a parenthesis, and may be a function", word,
                                 ("a product", shown.replace(first, rf"{first} \cdot ", 1)),
                                 (f"a value of the function {first}", ""))  # fmt: skip
        for full, letters, word in self.indexed:
            for letter in letters:
                if letter in free or letter in self.bound or letter in self.indices:
                    raise self.refusal(
                        f"a name with the index {letter}, which is a variable: a sequence", f"`{full}`", word
                    )
        for name, word in self.primes:
            if name not in declared:
                raise self.doubt("a prime is a derivative or a part of a name", word,
                                 ("a variable of its own, for which give a domain", ""), ("a derivative", ""))  # fmt: skip
        if self.lone_e is not None and {"c", "d"} <= free:
            raise self.doubt("e beside c and d is Euler's number or one more variable", self.lone_e,
                             ("Euler's number", r"\mathrm{e}"), ("a variable", ""))  # fmt: skip

    def factor(self) -> Expression:
        """Return an atom with its exponent and its factorials."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.refusal(f"a formula that is nested more than {_DEEPEST} deep")
        self.content = None
        start = self.at
        found = self.atom()
        while True:
            if self.sign("!"):
                self.take()
                if self.sign("!"):
                    raise self.doubt("two factorials, or the double factorial", self.word,
                                     ("the factorial of a factorial", "(n!)!"), ("the double factorial", ""))  # fmt: skip
                found, self.kind = Call("factorial", (found,)), ""
            elif self.sign("^"):
                found = self.raised(found, start)
            elif self.sign("_"):
                raise self.refusal("an index behind a bracket or a function")
            elif self.sign("'"):
                raise self.refusal("a prime behind an expression")
            else:
                break
        self.depth -= 1
        return found

    def raised(self, base: Expression, start: int) -> Expression:
        """Return a power."""
        if self.kind == "call" and isinstance(base, Call) and base.name not in ("exp", "gamma", "min", "max", "abs"):
            raise self.doubt("a power of the function or of its argument", self.word,
                             ("of the function", rf"({self.piece(start)})^..."), ("of the argument", ""))  # fmt: skip
        if self.kind == "bare" or isinstance(base, Power):
            raise self.refusal("a second exponent, or one behind a function without parentheses")
        mark = self.take()
        exponent = self.exponent(base, mark)
        self.kind = "name" if self.kind == "name" else ""
        if isinstance(base, Name) and base.name == "e":
            self.note("e is Euler's number")
        return Power(base, exponent)

    def exponent(self, base: Expression, mark: Word) -> Expression:
        """Return an exponent; decorations in its place are refused."""
        group = self.sign("{")
        first, second = (self.ahead(), self.ahead(2)) if group else (self.word, self.word)
        alone = not group or second == ("sign", "}")
        stars = ("top", "star", "ast", "dagger", "prime", "circ", "intercal", "perp", "infty", "complement")
        decorated = (first.kind == "command" and first.text in stars) or first == ("sign", "*")
        if decorated or first.kind == "text" or (first.kind == "upright" and first.text not in ("e", "d")):
            raise self.refusal("an exponent that is a decoration and no power", first.shown, mark)
        if alone and (first.text == "T" or first.text in ("+", "-") or (first.text == "c" and _upper(base))):
            raise self.refusal("a transpose, a positive part, a limit or a complement", f"`^{first.text}`", mark)
        if first.text == "(" and self.ahead(3) == ("sign", ")") and group:
            raise self.refusal("an exponent in parentheses, which is an index or a derivative", "", mark)
        return self.one_token("an exponent")

    def one_token(self, what: str) -> Expression:
        """Return a group, or one token as TeX takes it, where that is also what somebody sees.

        Args:
            what: What it is, for messages.
        """
        if self.sign("{"):
            return self.group()
        word = self.word
        if word.kind == "number" and len(word.text) > 1:
            raise self.doubt(f"{what} without braces: TeX takes the first digit alone", word,
                             ("all of it", f"{{{word.text}}}"), ("the first digit", f"{{{word.text[0]}}}"))  # fmt: skip
        if word.kind == "number":
            self.take()
            found: Expression = Number(plain(word.text))
        elif word.kind == "letter" or (word.kind == "command" and word.text in (*GREEK, "pi")):
            self.take()
            found = self.named(word, "")
            self.bare |= {found.name} if isinstance(found, Name) else set()
        elif self.command(*_FRACTIONS, *_BINOMIALS, "sqrt"):
            found = self.atom()
        else:
            raise self.refusal(f"{what} without braces")
        behind = self.word
        lone = what not in ("a numerator", "a first argument") and self.ahead() not in (("sign", "^"), ("sign", "_"))
        if lone and word.kind == "letter" and behind.glued and behind.kind in ("letter", "number"):
            raise self.doubt(f"{what} without braces: TeX takes the first letter alone", behind,
                             ("all letters", f"{{{word.text}{behind.text}}}"), ("the first", f"{{{word.text}}} {behind.text}"))  # fmt: skip
        self.kind = ""
        return found

    def group(self) -> Expression:
        """Return what stands in braces; `\\over` and `\\choose` divide it."""
        self.require("sign", "{")
        found = self.enclosed(self.sum)
        if self.command("over", "choose", "atop"):
            word = self.take()
            if word.text == "atop":
                raise self.refusal("lines above each other", r"`\atop`", word)
            lower = self.enclosed(self.sum)
            found = (
                _joined([("*", found), ("/", lower)], flat=True)
                if word.text == "over"
                else Call("binomial", (found, lower))
            )
        self.require("sign", "}")
        self.kind = ""
        return found

    def enclosed(self, read: Callable[[], Expression]) -> Expression:
        """Return what a rule reads inside of a bracket, where bars and integrals that are open outside do not count."""
        kept = (self.bars, self.integrating, self.trailing)
        self.bars, self.integrating, self.trailing = 0, False, ""
        found = read()
        self.bars, self.integrating, self.trailing = kept
        return found

    # ---------------------------------------------------------------------------------------------- atoms

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
            return self.group()
        if word.kind == "bar":
            return self.absolute()
        if word.kind == "command":
            return self.commanded(word)
        raise self.refusal(*self.misplaced("expected a number, a variable or a function"))

    def commanded(self, word: Word) -> Expression:
        """Return what a command makes: a fraction, a root, a function, a sum."""
        name = word.text
        if name in _FUNCTIONS:
            self.take()
            return self.function(_FUNCTIONS[name], word)
        if name in ("sum", "prod"):
            return self.series()
        made: dict[str, Callable[[], Expression]] = {
            **dict.fromkeys(_FRACTIONS, self.fraction), **dict.fromkeys(_BINOMIALS, self.binomial), "sqrt": self.root,
            "max": self.extreme, "min": self.extreme, "int": self.integral, "lfloor": self.rounded, "lceil": self.rounded,
            "lvert": self.absolute, "vert": self.absolute,
        }  # fmt: skip
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
                raise self.doubt("an index without braces: TeX takes the first sign alone", first,
                                 ("all of it", f"_{{{first.text}{behind.text if len(first.text) == 1 else ''}}}"),
                                 ("the first", f"_{{{first.text[0]}}}"))  # fmt: skip
        made = "".join(p if not k or p == "_" or parts[k - 1] == "_" or len(p) == len(parts[k - 1]) == 1 or
                       (p.isdigit() and parts[k - 1].isdigit()) else f"_{p}" for k, p in enumerate(parts))  # fmt: skip
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
        if index.endswith("_prime") and letter in _DERIVED:
            self.primes.append((letter + index, word))
        if not index and self.sign("(", "[") and letter == "Gamma":
            return self.function("gamma", word)
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
            if name in _NAMED and len(name) > 1 and (name not in ("gamma", "beta") or self.sign("(")):
                return self.function(_NAMED[name], word)
            if name in ("max", "min"):
                return self.extreme(word)
            if name == "e":
                return Name("e")
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
        closes = {"left": ("bar", "right"), "plain": ("bar", "plain"), "lvert": ("command", "rvert"),
                  "vert": ("command", "vert")}.get(word.text, ("", ""))  # fmt: skip
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
                return _joined([("*", Number(plain(digits.text[0]))), ("/", Number(plain(digits.text[1])))], flat=True)
            if len(digits.text) > 1:
                raise self.doubt("digits of a fraction without braces", digits,
                                 ("the first digit above", ""), ("all of them above", f"{{{digits.text}}}"))  # fmt: skip
            upper: Expression = Number(plain(digits.text))
        else:
            upper = self.numerator()
        lower = self.one_token("a denominator")
        self.no_digit_behind()
        if all(self.words_begin(w, "d") for w in (upper, lower)):
            raise self.refusal("a derivative", "", word)
        self.kind = ""
        return _joined([("*", upper), ("/", lower)], flat=True)

    @staticmethod
    def words_begin(tree: Expression, name: str) -> bool:
        """Return whether an expression is a name, or a product that begins with it."""
        first = tree.parts[0][1] if isinstance(tree, Factors) else tree
        return isinstance(_base(first), Name) and _base(first) == Name(name)

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
            raise self.doubt("a root without braces covers the first sign alone", word,
                             ("the first sign", rf"\sqrt{{{first.text}}} ..."), ("all of it", r"\sqrt{...}"))  # fmt: skip
        self.kind = ""
        if degree is None:
            return Call("sqrt", (inner,))
        if degree == Number(plain("2")):
            return Call("sqrt", (inner,))
        if degree == Number(plain("3")):
            return Call("cbrt", (inner,))
        return Power(inner, _joined([("*", Number(plain("1"))), ("/", degree)], flat=False))

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

    # ---------------------------------------------------------------------------------------------- functions

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
                raise self.doubt("an exponent -1 of a function", mark,
                                 ("the inverse function", r"\arcsin x"), ("one divided by it", r"\frac{1}{\sin x}"))  # fmt: skip
            if not isinstance(power, Number):
                raise self.refusal("a function with an exponent that is no number", word.shown, mark)
        if name == "log" and base is None:
            self.note("log is the natural logarithm")
        inner = self.argument(name, word)
        kind = self.kind
        if base in (Number(plain("2")), Number(plain("10"))):
            made: Expression = Call("log2" if base == Number(plain("2")) else "log10", (inner,))
        else:
            made = Call(name, (inner,))
            if base is not None:
                made = _joined([("*", made), ("/", Call("log", (base,)))], flat=False)
        self.kind = kind
        if power is not None:
            self.note(f"{word.shown.strip('`')}^n x is the power of the value, ({word.shown.strip('`')} x)^n")
        return made if power is None else Power(made, power)

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
            raise self.doubt("the factorial of a function or of its argument", word,
                             ("of the argument", rf"\log({self.piece(start)})"), ("of the value", r"(\log n)!"))  # fmt: skip
        self.stands_alone(found)
        if self.at - start > 1 and isinstance(found, Power):
            self.note(f"{self.piece(start - 1)} is the function of {self.piece(start)}")
        self.content, self.kind = None, "bare"
        return found

    def letter(self) -> str:
        """Take the letter of an index; empty if none comes."""
        word = self.word
        if word.kind == "letter" or (word.kind == "command" and word.text in GREEK):
            self.take()
            return GREEK.get(word.text, word.text)
        return ""

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
            if any(index not in {n.name for n in names_in(part, frozenset())} for _, part in body.parts[1:]) and (
                self.words[start].text not in _FRACTIONS or len(body.parts) > 2
            ):
                raise self.doubt("it is not clear where the term of the product ends", word,
                                 ("at the first factor without its index", ""), ("at the end", r"\prod_... ( ... )"))  # fmt: skip
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
        index = self.differential
        if index is None:
            if not self.at_differential():
                raise self.refusal("an integral whose dx is not found behind its term", word.shown, word)
            self.take()
            index = self.letter()
        elif self.at_differential() and not kept[0]:
            raise self.refusal("an integral with two differentials", word.shown, word)
        self.integrating, self.differential, self.bars = kept
        self.indices = self.indices | {index}
        self.trailing, self.kind, self.content = "", "integral", None
        return Series("integral", index, ends["_"], ends["^"], body)


def _base(tree: Expression) -> Name | None:
    """Return a name, also under an exponent; None for anything else."""
    found = tree.base if isinstance(tree, Power) else tree
    return found if isinstance(found, Name) else None


def _upper(tree: Expression) -> bool:
    """Return whether a tree is a single capital."""
    return isinstance(tree, Name) and len(tree.name) == 1 and tree.name.isupper()


def _joined(parts: list[tuple[Literal["*", "/"], Expression]], *, flat: bool) -> Expression:
    """Return a product; the single factor where there is one.

    Args:
        parts: Its factors.
        flat: Whether the first factor is a product that stood in no brackets, and becomes a part of this one.
    """
    if len(parts) == 1:
        return parts[0][1]
    first = parts[0][1]
    if flat and isinstance(first, Factors):
        return Factors((*first.parts, *parts[1:]))
    return Factors(tuple(parts))
