"""Doubtful readings that hang on the names of a statement: `xy` beside `x` and `y`, `n!` of a real `n`, a bare `i`.

The parser sees one word after the other, and refuses what is doubtful by its signs. Here all names of the statement are
known. A name that is declared by a word or a set (`xy real`, `xy in [0, 1]`) or in a list (`x, y, xy > 0`) is a
variable, whatever its letters are. To refuse costs an author a few characters, and a verdict on a reading that was not
meant costs more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rgm_verify.statements.tokens import GREEK, DoubtfulReading, Reading
from rgm_verify.statements.trees import (
    CONSTANTS,
    FUNCTIONS,
    Call,
    Compare,
    Expression,
    Formula,
    Name,
    Sort,
    Statement,
    bounded,
    conditions,
    inside,
    names,
    names_in,
    series,
    sides,
    text,
)

__all__ = ["refuse_doubtful"]

#: Functions that are of integers for most readers.
_OF_INTEGERS: Final = ("factorial", "binomial", "harmonic")
#: Names that stand for one number in many texts, and for a variable in others.
_NUMBERS: Final = {
    "i": "the imaginary unit", "I": "the imaginary unit", "E": "Euler's number e", "gamma": "Euler's constant 0.577...",
}  # fmt: skip
#: Functions beside which `gamma` may be Euler's constant.
_BESIDE_GAMMA: Final = ("harmonic", "digamma")
_FUNCTION_WORDS: Final = (*FUNCTIONS, "ln", "lg")
_EXPONENT = re.compile(r"\s*(?:(?:\^|\*\*)\s*(?:[A-Za-z0-9_.]+|\([^()]*\))|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|!(?!=))")


def refuse_doubtful(written: str, statement: Statement) -> None:
    """Raise `DoubtfulReading` for the first name or quantifier that readers understand in different ways.

    Args:
        written: The statement as it was typed.
        statement: Its tree, as the grammar reads it.
    """
    _Doubts(written, statement).refuse()


class _Doubts:
    """The names of one statement.

    Attributes:
        formulas: What is said, and what is given, sorts excepted.
        declared: Names that a word or a set declares.
        bounded: Names that a relation with a number bounds.
        free: The first place of each name that nothing binds.
        variables: All names of variables, those that sums and integrals bind among them.
    """

    def __init__(self, written: str, statement: Statement) -> None:
        self.written, self.statement = written, statement
        given = conditions(statement.given)
        self.formulas: list[Formula] = [statement.says, *given]
        self.declared = {g.name for g in statement.given if isinstance(g, Sort)}
        self.bounded = {name for g in given if (name := bounded(g))}
        self.free: dict[str, Name] = {}
        for place in names(self.formulas):
            self.free.setdefault(place.name, place)
        self.variables = {*self.free, *self.declared, *(s.index for s in series(self.formulas))}

    def refuse(self) -> None:
        """Ask one question after the other."""
        for name, place in self.free.items():
            if name not in self.declared:
                self.number(name, place)
                # A Greek letter is a name by itself.
                if self.written[place.position].isascii():
                    self.product(name, place)
        self.function_and_variable()
        self.spellings()
        self.integers()
        self.quantifiers()
        self.unused()

    def doubt(self, problem: str, position: int, *readings: Reading) -> None:
        """Raise `DoubtfulReading`; it never returns."""
        raise DoubtfulReading(self.written, position, problem, readings)

    def with_sort(self, means: str, kind: str, *new: str) -> Reading:
        """Return the reading in which names are declared."""
        made = tuple(Sort(name, kind) for name in new)  # type: ignore[arg-type]
        return Reading(means, text(replace(self.statement, given=(*made, *self.statement.given))))

    def replaced(self, name: str, new: str, *, grouped: bool = False) -> str:
        """Return the text with something else for a name, as often as it occurs.

        Args:
            new: What stands there instead.
            grouped: Whether it is put in parentheses behind a sign that would take the first part of it alone.
        """
        found = self.written
        for place in sorted({n.position for n in names(self.formulas) if n.name == name}, reverse=True):
            if not found.startswith(name, place):
                continue
            end = place + len(name)
            group = grouped and found[:place].rstrip()[-1:] in tuple("/÷∕⁄^√")
            behind = _EXPONENT.match(found, end) if group else None
            end = behind.end() if behind else end
            inner = f"{new}{behind[0] if behind else ''}"
            found = f"{found[:place]}{f'({inner})' if group else inner}{found[end:]}"
        return found

    # ---------------------------------------------------------------------------------------------- one name

    def number(self, name: str, place: Name) -> None:
        """Refuse a name without a domain that is a number in many texts."""
        if name not in _NUMBERS or name in self.bounded:
            return
        if name == "gamma" and len(self.free) > 1 and not any(c.name in _BESIDE_GAMMA for c in _calls(self.formulas)):
            return
        other = self.replaced(name, "e") if name == "E" else ""
        self.doubt(f"{name} has no domain, and is a variable or {_NUMBERS[name]}", place.position,
                   self.with_sort("a variable", "real", name), Reading(_NUMBERS[name], other))  # fmt: skip

    def product(self, name: str, place: Name) -> None:
        """Refuse a name that may be a product: `xy` beside `x` and `y`, `pix`, `nlogn`, `x2y`, `x2` beside `x`."""
        parts = _parts(name, self.variables - {name})
        if parts is None and name not in self.bounded:
            parts = self.likely_parts(name, place)
        if not parts:
            return
        means, made = _product(parts)
        ways = [Reading(means, self.replaced(name, made, grouped=True) if made else "")]
        alone = Reading(f"{means}, where the sign before it takes the first factor alone", self.replaced(name, made))
        if made and alone.statement != ways[0].statement:
            ways.append(alone)
        self.doubt(f"{name} has no domain of its own, and is one variable or {means}", place.position,
                   *ways, self.with_sort("one variable", "real", name))  # fmt: skip

    def likely_parts(self, name: str, place: Name) -> list[str]:
        """Return the factors of a name of which nothing is said, where a product is the likelier reading of it.

        That is so for two letters; for letters that are neighbours in the alphabet or stand in other such names (`ab`,
        `xyz`, `ab + bc`); for a function or a constant with a letter beside it; for digits in front of letters; and for
        a letter with a number, where the letter alone is a variable and no other number stands with it: text that is
        copied has lost its exponents.
        """
        stem, _, below = name.partition("_")
        base = stem.rstrip("0123456789")
        index = stem[len(base) :]
        if base.lower() in GREEK:
            return []
        if re.search("[0-9][A-Za-z]", name) or re.search("_[A-Za-z0-9]+[A-Za-z]_", name):
            return re.findall("[A-Za-z](?:_[A-Za-z0-9](?=[A-Za-z]|$))?|[0-9]+", name)
        if words := _parts(base + index, self.variables - {name}, words=True):
            return words
        if index and not below:
            behind_number = self.written[place.position - 1 : place.position].isdigit()
            others = any(re.fullmatch(rf"{base}_?[0-9]+", other) for other in self.variables - {name})
            if behind_number or (base in self.variables and int(index) > 1 and not others):
                return [base, f"^{index}"]
        if not base.isalpha() or len(base) < 2:
            return []
        letters = sorted(set(base.lower()))
        neighbours = "".join(letters) in "abcdefghijklmnopqrstuvwxyz"
        others_of = {c for n in self.free for c in n if n not in self.declared and n.isalpha() and len(n) <= 3}
        shared = {c for n in self.free for c in n if n not in (*self.declared, name) and n.isalpha() and len(n) <= 3}
        if len(base) == 2 or neighbours or (others_of and set(base) <= shared):
            return [*base[:-1], name[len(base) - 1 :]]
        return []

    # ---------------------------------------------------------------------------------------------- the whole

    def function_and_variable(self) -> None:
        """Refuse `gamma(x + 1)` beside a variable `gamma`: the first may be a product."""
        for call in _calls(self.formulas):
            at = call.position
            if call.name == "Phi" and "Phi" in self.variables:
                shown = "Phi" if self.written.startswith("Phi", at) else "Φ"
                product = self.written[:at] + shown + "*" + self.written[at + len(shown) :]
                self.doubt("Phi is a variable here, and Phi(...) may be a product with it", at,
                           Reading("a product", product), Reading("the normal distribution function", ""))  # fmt: skip
            if call.name == "gamma" and "gamma" in self.variables and self.written.startswith("gamma", at):
                end = at + len("gamma")
                self.doubt("gamma is a variable here, and gamma(...) may be a product with it", at,
                           Reading("a product", f"{self.written[:end]}*{self.written[end:]}"),
                           Reading("the gamma function", f"{self.written[:at]}Gamma{self.written[end:]}"))  # fmt: skip

    def spellings(self) -> None:
        """Refuse `x1` beside `x_1`, unless both are declared."""
        seen: dict[str, str] = {}
        for name in (*self.declared, *self.free):
            other = seen.setdefault(name.replace("_", ""), name)
            if other != name and not {name, other} <= self.declared:
                place = self.free.get(name, self.free.get(other))
                self.doubt(f"{name} and {other} are one variable or two", place.position if place else 0,
                           self.with_sort("two variables", "real", *({name, other} - self.declared)),
                           Reading("one variable", self.replaced(name, other)))  # fmt: skip

    def integers(self) -> None:
        """Refuse factorials, and sums up to a variable, of a variable that nobody calls real or integer."""
        for place in _counted(self.formulas):
            if place.name not in self.declared and place.name in self.free:
                name = place.name
                self.doubt(f"{name} is real or an integer, and here it matters; say which", place.position,
                           self.with_sort("an integer", "integer", name),
                           self.with_sort("a real number", "real", name))  # fmt: skip

    def quantifiers(self) -> None:
        """Refuse a variable of an existence statement that its `there is` does not declare."""
        if not self.statement.exists:
            return
        said = {
            g.sides[0].name for g in self.statement.given if isinstance(g, Compare) and isinstance(g.sides[0], Name)
        }
        known = self.declared | self.bounded | said
        unknown = [name for name in self.free if name not in known]
        if unknown and (known or len(unknown) > 1):
            self.doubt(f"{', '.join(unknown)}: some point, or every one? `there is` does not say it",
                       self.free[unknown[0]].position,
                       self.with_sort("there is one of these, too", "real", *unknown),
                       Reading("for every one", ""))  # fmt: skip

    def unused(self) -> None:
        """Refuse `log(t) <= t - 1 for x > 0`, where a variable with a domain does not occur, and another has none."""
        occurs = {n.name for f in self.formulas if f is self.statement.says or not bounded(f) for n in names([f])}
        idle = [name for name in (*self.declared, *self.bounded) if name not in occurs]
        lacking = [name for name in self.free if name not in self.declared | self.bounded]
        if idle and lacking:
            one = Reading(f"{lacking[0]} is {idle[0]}", self.replaced(lacking[0], idle[0]))
            self.doubt(f"{idle[0]} has a domain and does not occur, and {lacking[0]} has none",
                       self.free[lacking[0]].position,
                       self.with_sort("two variables", "real", *lacking), one)  # fmt: skip


def _calls(formulas: Sequence[Formula]) -> Iterator[Call]:
    """Yield the calls of functions in formulas."""
    waiting: list[Expression] = [side for f in formulas for side in sides(f)]
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Call):
            yield tree
        waiting += inside(tree)


def _counted(formulas: Sequence[Formula]) -> Iterator[Name]:
    """Yield the names in factorials and their like, and in the ends of sums and products."""
    bound = frozenset(s.index for s in series(formulas))
    for call in _calls(formulas):
        if call.name in _OF_INTEGERS:
            for argument in call.arguments:
                yield from names_in(argument, bound)
    for one in series(formulas):
        if one.kind != "integral":
            for end in (one.first, one.last):
                yield from () if end is None else names_in(end, bound)


def _parts(name: str, variables: set[str], *, words: bool = False) -> list[str] | None:
    """Return the parts of a name that are variables, at least two; None where it has no such parts.

    Args:
        variables: Names of variables.
        words: Whether functions, constants, Greek letters by name, digits and single letters count as parts, too. At
            least one part is then a function, a constant or a Greek letter, and no two letters beside each other are
            unknown.

    Examples:
        >>> _parts("xy", {"x", "y"}), _parts("x_1y", {"x_1", "y"}), _parts("xz", {"x", "y"})
        (['x', 'y'], ['x_1', 'y'], None)
        >>> _parts("nlogn", set(), words=True), _parts("pixel", set(), words=True)
        (['n', 'log', 'n'], None)
    """
    greek = [word for word in GREEK if len(word) > 2]
    long = sorted((*_FUNCTION_WORDS, *CONSTANTS[:1], *greek), key=len, reverse=True) if words else []
    known = sorted(variables, key=len, reverse=True)

    def rest(at: int, letter: bool) -> list[str] | None:
        if at == len(name):
            return []
        for part in (*long, *known):
            if name.startswith(part, at) and (found := rest(at + len(part), False)) is not None:
                return [part, *found]
        if words and (match := re.compile("[0-9]+").match(name, at)):
            found = rest(match.end(), False)
            return None if found is None else [match[0], *found]
        if words and not letter and name[at].isalpha():
            found = rest(at + 1, True)
            return None if found is None else [name[at], *found]
        return None

    found = rest(0, False)
    if found is None or len(found) < 2 or (words and not any(part in long for part in found)):
        return None
    # epsilon1 is a name with an index.
    return None if words and len(found) == 2 and found[0] in greek and found[1].isdigit() else found


def _product(parts: Sequence[str]) -> tuple[str, str]:
    """Return a product in words and as text; the text is empty where the grammar has none.

    Examples:
        >>> _product(["n", "log", "n"]), _product(["x", "^2"])
        (('the product n*log(n)', 'n*log(n)'), ('the power x^2', 'x^2'))
    """
    if parts[-1].startswith("^"):
        return f"the power {''.join(parts)}", "".join(parts)
    made: list[str] = []
    rest = list(parts)
    while rest:
        part = rest.pop(0)
        if part in _FUNCTION_WORDS:
            if not rest or FUNCTIONS.get(part, (1, 1))[0] > 1 or part == "lg":
                return f"something with the function {part}", ""
            part = f"{part}({rest.pop(0)})"
        made.append(part)
    product = "*".join(made)
    return f"{'the product' if len(made) > 1 else 'the value'} {product}", product
