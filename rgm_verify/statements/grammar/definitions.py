"""Definitions of an author's own: `let kl(p, q) = ...;` before a statement, `where kl(p, q) = ...` behind it.

A definition is an abbreviation. What it stands for is put in its place while the text is read, so that what is shown as
read, and what is judged, has no name in it that only this text knows. No letter is caught on the way: neither one of an
argument by a sum in the definition, nor one of the definition by a sum around the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rgm_verify.statements.grammar.domains import Domains
from rgm_verify.statements.grammar.vocabulary import CLAUSES, OTHER_NAMES, WORDS
from rgm_verify.statements.grammar.words import DEEPEST, Definition
from rgm_verify.statements.tokens import Token
from rgm_verify.statements.trees import (
    BINDING,
    CONSTANTS,
    FUNCTIONS,
    Call,
    Expression,
    Factors,
    Name,
    Power,
    Series,
    Statement,
    Terms,
    inside,
    names_in,
    series_in,
    text,
)

__all__ = ["Definitions", "depth_of", "size_of", "substituted"]

#: Parts of all expressions that calls of definitions become.
_MOST_PARTS: Final = 4_000


class Definitions(Domains):
    """Rules for what an author defines."""

    def definitions(self) -> bool:
        """Take the definitions behind `where`, wherever they stand, and those of `let` at the beginning.

        Returns:
            Whether a `let` was among them.
        """
        self.definitions_behind()
        found = False
        while self.is_next("let") and self.ahead().kind == "name" and self.ahead(2).text in ("(", "="):
            start, guessed = self.at, len(self.guessed)
            self.take()
            constant = self.ahead().text == "="
            if constant and not self.closes_definition():
                # let x = 2, y > 0. Then ...: a list of conditions.
                self.at = start
                del self.guessed[guessed:]
                break
            self.definition()
            while self.is_next(",", "and") and self.is_definition(self.at + 1):
                self.take()
                self.definition()
            if not self.accept(".", ";", ":"):
                raise self.expected("an operation, or a semicolon and the statement: let f(x) = x^2; f(3) = 9")
            self.accept("then")
            found = True
        return found

    def closes_definition(self) -> bool:
        """Return whether a stop follows what stands behind `name =`, before any comma."""
        at = self.at
        while self.words[at].kind != "end" and self.words[at].text not in (".", ";", ",", "and", "then", ":"):
            at += 1
        return self.words[at].text in (".", ";")

    def definitions_behind(self) -> None:
        """Take the definitions of `A where f(x) = ...` out of the words."""
        for place, word in enumerate(self.words):
            if word.text != "where" or not self.is_definition(place + 1):
                continue
            self.at = place + 1
            self.definition()
            while self.is_next(",", "and") and self.is_definition(self.at + 1):
                self.take()
                self.definition()
            if not (self.word.kind == "end" or self.is_next(".", ",", *CLAUSES)):
                raise self.expected("an operation, or the end of the definition")
            comma = place - 1 if place and self.words[place - 1].text == "," else place
            del self.words[comma : self.at]
            self.at = 0
            return

    def is_definition(self, at: int) -> bool:
        """Return whether `f(x, y) =` stands there, with an f that nobody knows and that is nowhere a variable."""
        words = [w.text for w in self.words[at : at + 50]]
        if len(words) < 4 or words[1] != "(" or self.words[at].kind != "name" or self.is_taken(words[0]):
            return False
        closing = words.index(")") if ")" in words else 0
        inner = self.words[at + 2 : at + closing]
        parameters = all(w.kind == "name" for w in inner[::2]) and all(w.text == "," for w in inner[1::2])
        behind = [self.words[i + 1].text for i, w in enumerate(self.words[:-1]) if w.text == words[0]]
        return bool(inner) and parameters and words[closing + 1 : closing + 2] == ["="] and set(behind) == {"("}

    def is_taken(self, name: str) -> bool:
        """Return whether a name is a word of the grammar, a function or a constant."""
        return OTHER_NAMES.get(name, name) in (*FUNCTIONS, *BINDING, *CONSTANTS, *WORDS)

    def definition(self) -> None:
        """Take `f(x, y) = expression` or `c = expression`.

        Raises:
            StatementError: For a name that is known, a parameter that stands twice or is not used, and a sum over one.
        """
        name = self.take()
        if self.is_taken(name.text) or name.text in self.defined:
            self.fail(f"`{name.text}` is known already; define another name", name.position)
        parameters: list[Token] = []
        if self.accept("("):
            while True:
                word = self.word
                twice = word.text in (name.text, *(p.text for p in parameters)) or word.text in self.defined
                if word.kind != "name" or self.is_taken(word.text) or twice:
                    raise self.expected(f"the name of a variable that is new: {name.text}(x, y) = ...")
                parameters.append(self.take())
                if not self.accept(","):
                    break
            self.require(")", "a comma or the closing parenthesis")
        self.require("=", "an equals sign and what the name stands for")
        start, guessed = self.word.position, len(self.guessed)
        body = self.number_of(self.sum(), start)
        known = {p.text for p in parameters}
        # x(1 - x) in the definition of f(x) is a product.
        self.guessed[guessed:] = [g for g in self.guessed[guessed:] if g[0] not in known]
        if any(one.index in {*known, *self.defined} for one in series_in(body)):
            self.fail("a sum or an integral over a name that is defined; use another letter", start)
        if any(place.name == name.text for place in names_in(body, frozenset())):
            self.fail(f"`{name.text}` is defined by itself", start)
        order = tuple(p.text for p in parameters)
        # An argument that is dropped would take its conditions with it: f(1, 1/0) has no value.
        used = {place.name for place in names_in(body, frozenset())}
        if unused := [p for p in parameters if p.text not in used]:
            self.fail(f"{unused[0].text} does not occur in what {name.text} stands for", unused[0].position)
        self.defined[name.text] = Definition(order, body)

    def expanded(self, word: Token) -> Expression:
        """Return what the call of a definition stands for.

        Raises:
            StatementError: For another number of arguments, a letter that would be caught, and too large a result.
        """
        made = self.defined[word.text]
        arguments: list[Expression] = []
        if made.parameters:
            self.require("(", f"what {word.text} is of, in parentheses")
            bars, self.bars = self.bars, 0
            arguments.append(self.argument())
            while self.accept(","):
                arguments.append(self.argument())
            self.bars = bars
            self.require(")", f"an operation, a comma or the closing parenthesis of {word.text}(...)")
        if len(arguments) != len(made.parameters):
            wanted = len(made.parameters)
            self.fail(f"{word.text} takes {wanted} argument{'s' * (wanted != 1)}, not {len(arguments)}", word.position)
        free = {place.name for a in arguments for place in names_in(a, frozenset())}
        caught = sorted(free & {one.index for one in series_in(made.body)})
        if caught:
            self.fail(f"{caught[0]} is bound in the definition of {word.text}; use another letter", word.position)
        uses = [place.name for place in names_in(made.body, frozenset())]
        values = dict(zip(made.parameters, arguments, strict=True))
        self.parts += size_of(made.body) + sum(size_of(values[n]) for n in uses if n in values)
        if self.parts > _MOST_PARTS:
            self.fail("what is defined becomes too large here; state it in smaller parts", word.position)
        found = substituted(made.body, values)
        if depth_of(found) > DEEPEST // 2:
            self.fail(f"nested more than {DEEPEST // 2} deep with its definitions; split the statement", word.position)
        return found

    def with_definitions(self, statement: Statement) -> Statement:
        """Return the statement with a note of what was defined."""
        notes = []
        for name, made in self.defined.items():
            called = f"{name}({', '.join(made.parameters)})" if made.parameters else name
            notes.append(f"{called} stands for {text(made.body)}")
        return replace(statement, notes=(*statement.notes, *notes))

    def letters_of_definitions(self) -> set[str]:
        """Return the letters in definitions that are no parameters."""
        return {
            place.name
            for made in self.defined.values()
            for place in names_in(made.body, frozenset(made.parameters))
        }  # fmt: skip


def substituted(tree: Expression, values: Mapping[str, Expression]) -> Expression:
    """Return an expression with others in the places of free names; the caller sees to letters that would be caught.

    Examples:
        >>> text(substituted(Power(Name("x"), Name("y")), {"x": Name("y")}))
        'y^y'
    """
    match tree:
        case Name(name):
            return values.get(name, tree)
        case Terms(parts):
            return replace(tree, parts=tuple((sign, substituted(part, values)) for sign, part in parts))
        case Factors(parts):
            return replace(tree, parts=tuple((sign, substituted(part, values)) for sign, part in parts))
        case Power(base, exponent):
            return replace(tree, base=substituted(base, values), exponent=substituted(exponent, values))
        case Call(_, arguments):
            return replace(tree, arguments=tuple(substituted(a, values) for a in arguments))
        case Series(_, index, first, last, body):
            within = {name: value for name, value in values.items() if name != index}
            ends = (None if end is None else substituted(end, values) for end in (first, last))
            return replace(tree, **dict(zip(("first", "last"), ends, strict=True)), body=substituted(body, within))  # type: ignore[arg-type]
    return tree


def size_of(tree: Expression) -> int:
    """Return how many parts an expression has, all inner ones among them."""
    return 1 + sum(map(size_of, inside(tree)))


def depth_of(tree: Expression) -> int:
    """Return how deep the parts of an expression lie in each other."""
    return 1 + max(map(depth_of, inside(tree)), default=0)
