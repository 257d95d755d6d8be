r"""Formulas of LaTeX as trees: chains of relations, sums, products and powers.

What has two readings is refused with both, and what the grammar of statements has no word for is refused by its name.
A convention that was used becomes a note. Whether `x(y + 1)` is a product hangs on the rest of the statement, and is
settled at its end (`settle`). Numbers, names, functions, sums and integrals are in `atoms`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from rgm_verify.statements.latex.cursor import (
    BINOMIALS,
    FRACTIONS,
    FUNCTION_COMMANDS,
    NAMED,
    OPERATORS,
    STARTING,
    Cursor,
)
from rgm_verify.statements.latex.words import GREEK, Word
from rgm_verify.statements.parser import plain
from rgm_verify.statements.trees import Call, Compare, Expression, Factors, Name, Number, Power, Terms, names_in

__all__ = ["LIKELY_FACTORS", "Formulas", "base_of", "joined"]

_DEEPEST: Final = 30
#: Letters before a parenthesis that are no likely names of functions.
LIKELY_FACTORS: Final = frozenset("a b c d k l m n alpha beta gamma eta lambda theta tau ell".split())


class Formulas(Cursor):
    """The rules of chains, sums, products and powers."""

    def atom(self) -> Expression:
        """Return a number, a name, a call, or what stands in brackets."""
        raise NotImplementedError

    def named(self, word: Word, index: str) -> Expression:
        """Return the variable or the constant of a letter with its index."""
        raise NotImplementedError

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
        while self.sign("+", "-") and not self.closes_integral():
            word = self.word
            if self.trailing and not (self.ahead().kind == "command" and self.ahead().text in ("sum", "prod", "int")):
                shown = self.piece(start)
                raise self.doubt(
                    "it is not clear where the term of the sum ends",
                    word,
                    f"what follows is no part of it, as in ({shown}) {word.text} ...",
                    rf"it is part of every term, as in \sum_... ( ... {word.text} ...)",
                )
            if self.kind == "bare" and self.words[self.at - 1] == ("number", "1"):
                raise self.doubt(
                    "the logarithm or sine of 1, or of the sum",
                    word,
                    f"of 1, as in ({self.piece(start)}) {word.text} ...",
                    "of the sum",
                )
            if not parts:
                parts.append((sign, first))
            self.take()
            more: Literal["+", "-"] = "-" if word.text == "-" else "+"
            parts.append((more, self.product()))
        if parts and self.closes_integral():
            raise self.refusal("a sum in an integral whose dx stands in its last term")
        if parts:
            return Terms(tuple(parts))
        return Terms((("-", first),)) if sign == "-" else first

    def starts(self) -> bool:
        """Return whether a factor begins here."""
        word = self.word
        if self.at_differential():
            return False
        if word.kind == "bar":
            return word.text == "left" or (word.text == "plain" and not self.bars)
        if word.kind == "command":
            return word.text in STARTING
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
        first_fraction = self.command(*FRACTIONS)
        factor = self.factor()
        parts.append(("*", factor))
        self.stands_alone(factor)
        barred = self.words[start].kind == "bar"
        while True:
            word, kind, begin = self.word, self.kind, self.at
            before = parts[-1]
            explicit = self.command(*OPERATORS) or self.sign("*")
            slash = self.sign("/") or self.command("div")
            implied = not explicit and not slash and self.starts()
            if not (explicit or slash or implied):
                break
            if before[0] == "/":
                raise self.doubt(
                    "behind a quotient with a slash this may be above or below",
                    word,
                    rf"above, as in \frac{{{self.piece(start)}}} ...",
                    rf"below, as in \frac{{...}}{{... {word.text}}}",
                )
            self.refuse_after(kind, word, start, implied=implied)
            if explicit or slash:
                self.take()
                barred = behind_bar = False
            elif word.kind == "number":
                raise self.refusal("a number behind a factor without a sign", f"`{word.text}`")
            if implied:
                plain_bar = word == ("bar", "plain")
                if plain_bar and behind_bar:
                    raise self.doubt(
                        "bars that may pair in two ways",
                        word,
                        r"beside each other, as in \lvert a\rvert b\lvert c\rvert",
                        r"inside of each other, as in \lvert a\lvert b\rvert c\rvert",
                    )
                behind_bar = barred and not plain_bar
                barred = barred or plain_bar
            named = before[1] if kind == "name" and implied and self.sign("(", "[") else None
            opened = self.at
            factor = self.factor()
            if implied:
                self.refuse_neighbours(before[1], factor, begin)
            if named is not None:
                self.product_of(named, opened, start)
            parts.append(("/" if slash else "*", factor))
            self.stands_alone(factor)
        return joined(parts, flat=first_fraction)

    def refuse_neighbours(self, before: Expression, factor: Expression, begin: int) -> None:
        """Refuse two factors beside each other that are one thing for some readers.

        Args:
            before: The first of them.
            factor: The second, which was read last.
            begin: Where it begins.
        """
        word = self.words[begin]
        if word == ("sign", "(") and self.content and isinstance(self.content[0], Number):
            raise self.doubt("a number in parentheses", word, "a factor", "the number of an equation")
        if isinstance(before, Number) and word.text in FRACTIONS and _mixed(factor):
            raise self.doubt("a number before a fraction", word, "a product", "a mixed number, three and a half")
        if before == Name("Delta") and isinstance(base_of(factor), Name):
            raise self.doubt(
                "a product with Delta, or an increment", word, r"a product, as in \Delta\cdot x", "one name"
            )
        if self.is_factorial_of_product(factor, before):
            shown = self.piece(begin - 1, self.at - 1)
            raise self.doubt(
                "the factorial of the last factor or of the product", word, "of the last", f"of both, as in ({shown})!"
            )

    def closes_integral(self) -> bool:
        """Return whether the dx of the open integral stood in a numerator, so that nothing more belongs to it."""
        return self.integrating and self.differential is not None

    def stands_alone(self, factor: Expression) -> None:
        """Keep a name behind which no parenthesis stands: it is a number."""
        base = base_of(factor)
        if base is not None and not self.sign("(", "["):
            self.bare.add(base.name)

    def refuse_after(self, kind: str, word: Word, start: int, *, implied: bool) -> None:
        """Refuse a factor behind a function, a sum or an integral whose end is not clear."""
        function = (word.kind == "command" and word.text in FUNCTION_COMMANDS) or (
            not implied and self.ahead().kind == "command" and self.ahead().text in FUNCTION_COMMANDS
        )
        if kind == "bare" and not (function and not self.sign("/")):
            shown = self.piece(start)
            raise self.doubt(
                "what follows a function without parentheses may belong to its argument",
                word,
                f"it does not, as in ({shown}) ...",
                f"it does, as in {shown} with parentheses",
            )
        if kind == "call" and implied and self.sign("(", "["):
            raise self.doubt(
                "a second parenthesis behind a function",
                word,
                rf"a factor, as in ({self.piece(start)}) \cdot (...)",
                "a part of its argument",
            )
        if kind == "integral" and (implied or self.closes_integral()):
            raise self.doubt(
                "what stands behind dx may belong to the integral",
                word,
                f"a factor outside, as in ({self.piece(start)}) ...",
                "a factor inside, as in ... dx",
            )

    @staticmethod
    def is_factorial_of_product(factor: Expression, before: Expression) -> bool:
        """Return whether `2n!` or `mn!` was read, whose factorial may be of both."""
        factorial = isinstance(factor, Call) and factor.name == "factorial" and isinstance(factor.arguments[0], Name)
        return factorial and isinstance(before, Number | Name)

    def product_of(self, named: Expression, opened: int, start: int) -> None:
        """Take a name before a parenthesis, which is a product or a function of what stands there.

        Args:
            named: The name, or a power of one.
            opened: The place of the parenthesis.
            start: Where the product begins.
        """
        base = base_of(named)
        if base is None or self.content is None:
            return
        inner, word = self.content[0], self.words[opened - 1]
        if base.name == "pi" and isinstance(inner, Terms) and start < opened - 1:
            return
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
            DoubtfulReading: For a name before a parenthesis that stands nowhere else and may be a function; for e
                beside its neighbours c and d.
            NotRead: For an index that is a variable of the statement, so that the name may be a sequence.
        """
        seen: dict[str, Expression] = {}
        for name, inner, word, _, end in self.products:
            known = name in declared or name in self.bare or any(n.name == name for n in names_in(inner, frozenset()))
            other = seen.setdefault(name, inner)
            likely = name in LIKELY_FACTORS and isinstance(inner, Terms) and other == inner
            if not (known or likely):
                first = f"{word.shown.strip('`')}"
                shown = self.source[word.position : self.words[end - 1].end]
                product = rf"{first} \cdot "
                raise self.doubt(
                    f"{first} stands only before a parenthesis, and may be a function",
                    word,
                    f"a product, as in {shown.replace(first, product, 1)}",
                    f"a value of the function {first}",
                )
        for full, letters, word in self.indexed:
            for letter in letters:
                if letter in free or letter in self.bound or letter in self.indices:
                    raise self.refusal(
                        f"a name with the index {letter}, which is a variable: a sequence", f"`{full}`", word
                    )
        for name, word in self.sized:
            if name not in declared:
                raise self.doubt(
                    "bars around a capital: an absolute value, a determinant, or the size of a set",
                    word,
                    "the absolute value of a number, for which give a domain",
                    "the size of a set",
                )
        for name, word in self.primes:
            if name not in declared:
                raise self.doubt(
                    "a prime is a derivative or a part of a name",
                    word,
                    "a variable of its own, for which give a domain",
                    "a derivative",
                )
        if self.lone_e is not None and {"c", "d"} <= free:
            raise self.doubt(
                "e beside c and d is Euler's number or one more variable",
                self.lone_e,
                r"Euler's number, as in \mathrm{e}",
                "a variable",
            )

    def deeper(self) -> None:
        """Count one level of nesting, and refuse too many."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.refusal(f"a formula that is nested more than {_DEEPEST} deep")

    def factor(self) -> Expression:
        """Return an atom with its exponent and its factorials."""
        self.deeper()
        self.content = None
        start = self.at
        found = self.atom()
        while True:
            if self.sign("!"):
                mark = self.take()
                if isinstance(found, Power) and self.words[start].text not in ("(", "["):
                    raise self.doubt(
                        "the factorial of a power or of its exponent",
                        mark,
                        f"of the power, as in ({self.piece(start, self.at - 1)})!",
                        "of its exponent",
                    )
                if self.sign("=") and self.word.glued:
                    raise self.doubt(
                        "`!=` may be a factorial or `not equal`",
                        mark,
                        "a factorial, as in ! =",
                        r"not equal, as in \ne",
                    )
                if self.sign("!"):
                    raise self.doubt(
                        "two factorials, or the double factorial",
                        self.word,
                        "the factorial of a factorial, as in (n!)!",
                        "the double factorial",
                    )
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
            raise self.doubt(
                "a power of the function or of its argument",
                self.word,
                f"of the function, as in ({self.piece(start)})^...",
                "of the argument",
            )
        enclosed = self.words[start].text in ("(", "[")
        name = base.name if isinstance(base, Name) else ""
        letter = self.ahead(2) if self.ahead() == ("sign", "{") else self.ahead()
        if name[:1].isupper() and len(name) == 3 and name[2:].isalpha() and letter.kind == "letter":
            raise self.doubt(
                "two indices or a power", self.word, f"a power, as in ({self.piece(start)})^...", "two indices"
            )
        if self.kind == "bare" or (isinstance(base, Power) and not enclosed):
            raise self.refusal("a second exponent, or one behind a function without parentheses")
        if self.words[start].text in FRACTIONS or (
            self.sign_at(start, "{") and isinstance(base, Factors | Terms | Power)
        ):
            raise self.doubt(
                "a power behind a fraction or braces, which nobody sees",
                self.word,
                rf"of all of it, as in \left({self.piece(start)}\right)^...",
                "of its last part",
            )
        kind = "name" if self.kind == "name" else ""
        mark = self.take()
        exponent = self.exponent(base, mark)
        self.kind = kind
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
        if decorated or first.kind == "text" or (first.kind == "upright" and first.text not in ("e", "d", *NAMED)):
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
            raise self.doubt(
                f"{what} without braces: TeX takes the first digit alone",
                word,
                f"all of it, as in {{{word.text}}}",
                f"the first digit, as in {{{word.text[0]}}}",
            )
        if word.kind == "number":
            self.take()
            found: Expression = Number(plain(word.text))
        elif word.kind == "letter" or (word.kind == "command" and word.text in (*GREEK, "pi")):
            self.take()
            found = self.named(word, "")
            self.bare |= {found.name} if isinstance(found, Name) else set()
        elif self.command(*FRACTIONS, *BINOMIALS, "sqrt"):
            self.deeper()
            found = self.atom()
            self.depth -= 1
        else:
            raise self.refusal(f"{what} without braces")
        behind = self.word
        lone = what not in ("a numerator", "a first argument") and self.ahead() not in (("sign", "^"), ("sign", "_"))
        if lone and word.kind == "letter" and behind.glued and behind.kind in ("letter", "number"):
            raise self.doubt(
                f"{what} without braces: TeX takes the first letter alone",
                behind,
                f"all letters, as in {{{word.text}{behind.text}}}",
                f"the first, as in {{{word.text}}} {behind.text}",
            )
        self.kind = ""
        return found

    def group(self) -> Expression:
        r"""Return what stands in braces; `\over` and `\choose` divide it."""
        self.require("sign", "{")
        found = self.enclosed(self.sum)
        if self.command("over", "choose", "atop"):
            word = self.take()
            if word.text == "atop":
                raise self.refusal("lines above each other", r"`\atop`", word)
            lower = self.enclosed(self.sum)
            found = (
                joined([("*", found), ("/", lower)], flat=True)
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


def base_of(tree: Expression) -> Name | None:
    """Return a name, also under an exponent; None for anything else."""
    found = tree.base if isinstance(tree, Power) else tree
    return found if isinstance(found, Name) else None


def _mixed(tree: Expression) -> bool:
    """Return whether a tree is a fraction of two numbers."""
    return isinstance(tree, Factors) and all(isinstance(part, Number) for _, part in tree.parts)


def _upper(tree: Expression) -> bool:
    """Return whether a tree is a single capital."""
    return isinstance(tree, Name) and len(tree.name) == 1 and tree.name.isupper()


def joined(parts: list[tuple[Literal["*", "/"], Expression]], *, flat: bool) -> Expression:
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
