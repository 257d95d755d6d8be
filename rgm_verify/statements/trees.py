"""Trees of statements: what a parser makes of a text, and a text that makes the same tree again.

A tree is plain data over exact numbers; nothing in it is evaluated. Positions are columns from 0 and take no part in
comparisons.

The way back to a text (`text`) is what an author is shown as the statement that was judged. It therefore has to be the
same statement for every reader of the grammar: parsing it gives an equal tree, and tests hold that for random trees.

Examples:
    >>> from rgm_verify.statements.parser import parse
    >>> tree = parse("x + 1/x >= 2 for positive x")
    >>> text(tree)
    'for all x > 0: x + 1/x >= 2'
    >>> parse(text(tree)) == tree
    True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from rgm_verify.terms import table

__all__ = [
    "BINDING", "CONSTANTS", "FUNCTIONS", "And", "Call", "Compare", "Expression", "Factors", "Formula", "Given", "If",
    "Iff", "Law", "Name", "Not", "Number", "Or", "Power", "Random", "Series", "Sort", "Statement", "Terms", "Tree",
    "bounded", "conditions", "inside", "is_formula", "names", "names_in", "series", "series_in", "sides", "text",
]  # fmt: skip


def _position() -> int:
    """Return the field for the column, from 0, which no comparison looks at."""
    return field(default=0, compare=False, repr=False, kw_only=True)


#: Functions by their names: the least and the largest number of arguments.
FUNCTIONS: Final = {row.text: row.count for row in table.FUNCTIONS if row.text and not row.integers}
#: Functions that bind a variable: name(variable, from, to, term).
BINDING: Final = ("sum", "product", "integral")
CONSTANTS: Final = ("pi", "e")


@dataclass(frozen=True)
class Number:
    """A number that decimal digits write exactly, not negative."""

    value: Fraction
    position: int = _position()


@dataclass(frozen=True)
class Name:
    """A variable, or one of `CONSTANTS`."""

    name: str
    position: int = _position()


@dataclass(frozen=True)
class Terms:
    """A sum: at least two terms, or one with a minus; each with its sign.

    There is no node for a difference, so that `a - b - c` is flat and needs no parentheses when it is written again.
    """

    parts: tuple[tuple[Literal["+", "-"], Expression], ...]
    position: int = _position()


@dataclass(frozen=True)
class Factors:
    """A product or a quotient, from left to right: at least two factors, the first with `*`.

    `a/b*c` is `(a/b)*c`, as it is read aloud.
    """

    parts: tuple[tuple[Literal["*", "/"], Expression], ...]
    position: int = _position()


@dataclass(frozen=True)
class Power:
    """A base with its exponent."""

    base: Expression
    exponent: Expression
    position: int = _position()


@dataclass(frozen=True)
class Call:
    """A function of `FUNCTIONS` with its arguments."""

    name: str
    arguments: tuple[Expression, ...]
    position: int = _position()


@dataclass(frozen=True)
class Series:
    """A sum, product or integral over `index` between two ends; `kind` is one of `BINDING`.

    The index is bound in `body` alone, not in the ends. An end that is None lies at infinity: only an integral has
    such ends, -oo as `first` and oo as `last`.
    """

    kind: str
    index: str
    first: Expression | None
    last: Expression | None
    body: Expression
    position: int = _position()


@dataclass(frozen=True)
class Random:
    """An expectation, a variance or a probability; `chances` puts an integral or a sum in its place.

    Attributes:
        kind: `mean`, `variance` or `chance`.
        of: An expression; of a probability the event.
    """

    kind: Literal["mean", "variance", "chance"]
    of: Tree
    position: int = _position()


@dataclass(frozen=True)
class Compare:
    """A chain of relations: every neighbouring one holds.

    Attributes:
        sides: At least two.
        signs: One fewer: `<=`, `<`, `>=`, `>`, `=` or `!=`.
    """

    sides: tuple[Expression, ...]
    signs: tuple[str, ...]
    position: int = _position()


@dataclass(frozen=True)
class And:
    """Every part holds; at least two."""

    parts: tuple[Formula, ...]
    position: int = _position()


@dataclass(frozen=True)
class Or:
    """At least one part holds; at least two."""

    parts: tuple[Formula, ...]
    position: int = _position()


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Formula
    position: int = _position()


@dataclass(frozen=True)
class If:
    """If the condition holds, so does the consequence."""

    condition: Formula
    consequence: Formula
    position: int = _position()


@dataclass(frozen=True)
class Iff:
    """Both hold or neither does."""

    left: Formula
    right: Formula
    position: int = _position()


@dataclass(frozen=True)
class Sort:
    """The declaration of a variable: `real` or `integer`. Other words of the grammar are relations here."""

    name: str
    kind: Literal["real", "integer"]
    position: int = _position()


@dataclass(frozen=True)
class Law:
    """The declaration of a random variable: `kind` is a key of `laws.LAWS`, with a value for each of its parameters."""

    name: str
    kind: str
    values: tuple[Expression, ...]
    position: int = _position()


Expression: TypeAlias = "Number | Name | Terms | Factors | Power | Call | Series | Random"
Formula: TypeAlias = "Compare | And | Or | Not | If | Iff"
Tree: TypeAlias = "Expression | Formula"
Given: TypeAlias = "Sort | Law | Formula"


@dataclass(frozen=True)
class Statement:
    """A statement about all points, or of one that `exists`, where everything given holds.

    Attributes:
        says: What is said.
        given: Declarations and conditions, in the order of the text.
        exists: Whether it is said of some point. Then the conditions are a part of what is said.
        points: Declarations and conditions of points that exist for each of the others: `for all x: there is y with`.
        notes: Sentences about how the text was read; they take no part in comparisons.
    """

    says: Formula
    given: tuple[Given, ...] = ()
    exists: bool = False
    points: tuple[Given, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)


def conditions(given: Iterable[Given]) -> list[Formula]:
    """Return the formulas among what is given: what neither declares a variable nor names a law."""
    return [g for g in given if not isinstance(g, Sort | Law)]


def is_formula(tree: Tree) -> bool:
    """Return whether a tree is true or false rather than a number."""
    return isinstance(tree, Compare | And | Or | Not | If | Iff)


# ------------------------------------------------------------------------------------------------ looking inside


def sides(formula: Formula) -> Iterator[Expression]:
    """Yield the sides of all relations in a formula."""
    match formula:
        case Compare():
            yield from formula.sides
        case And(parts) | Or(parts):
            for part in parts:
                yield from sides(part)
        case Not(part):
            yield from sides(part)
        case If(first, second) | Iff(first, second):
            yield from sides(first)
            yield from sides(second)


def inside(tree: Expression) -> tuple[Expression, ...]:
    """Return the parts of an expression at first hand: none for a number and a name."""
    match tree:
        case Terms(parts) | Factors(parts):
            return tuple(part for _, part in parts)
        case Power(base, exponent):
            return base, exponent
        case Call(_, arguments):
            return arguments
        case Series(_, _, first, last, body):
            return tuple(part for part in (first, last, body) if part is not None)
    return ()


def series_in(tree: Expression) -> Iterator[Series]:
    """Yield the sums, products and integrals in an expression, outer ones first."""
    if isinstance(tree, Series):
        yield tree
    for part in inside(tree):
        yield from series_in(part)


def series(formulas: Iterable[Formula]) -> Iterator[Series]:
    """Yield the sums, products and integrals in formulas."""
    for side in (s for f in formulas for s in sides(f)):
        yield from series_in(side)


def names_in(tree: Expression, bound: frozenset[str]) -> Iterator[Name]:
    """Yield the names in an expression that no sum or integral binds.

    The ends of a sum lie outside of it: in `sum(k, 1, k, ...)` the end is a free `k`, which `look` then refuses.
    """
    if isinstance(tree, Name) and tree.name not in CONSTANTS and tree.name not in bound:
        yield tree
    if isinstance(tree, Series):
        for end in (tree.first, tree.last):
            yield from () if end is None else names_in(end, bound)
        yield from names_in(tree.body, bound | {tree.index})
    else:
        for part in inside(tree):
            yield from names_in(part, bound)


def names(formulas: Iterable[Formula]) -> Iterator[Name]:
    """The free variables of formulas, each as often as it occurs."""
    for side in (s for f in formulas for s in sides(f)):
        yield from names_in(side, frozenset())


def bounded(given: Given) -> str:
    """Return the name of the one variable in a chain that relates it to numbers; empty for anything else.

    Examples:
        >>> bounded(Compare((Number(Fraction(0)), Name("x"), Name("pi")), ("<", "<=")))
        'x'
    """
    if not isinstance(given, Compare):
        return ""
    found = [side for side in given.sides if any(names_in(side, frozenset()))]
    return found[0].name if len(found) == 1 and isinstance(found[0], Name) else ""


# ------------------------------------------------------------------------------------------------ writing


def text(tree: Statement | Given | Tree) -> str:
    """Return a text that is read as this tree again.

    The order of what is given is kept, abbreviations are not: `x, y > 0` comes back as `x > 0, y > 0`.

    Args:
        tree: A statement, a declaration, a formula or an expression.

    Examples:
        >>> small = Compare((Name("x"), Number(Fraction(1, 4))), ("<",))
        >>> text(Not(Or((small, Compare((Name("x"), Name("y")), ("=",))))))
        'not (x < 0.25 or x = y)'
    """
    if isinstance(tree, Statement):
        given = ", ".join(_items(tree.given))
        if tree.points:
            points = f"there is {', '.join(_items(tree.points))} with {text(tree.says)}"
            return f"for all {given}: {points}" if given else points
        # Without anything given the words before the colon would stand for nothing.
        if not given:
            return ("there is " if tree.exists else "") + text(tree.says)
        return f"{'there is' if tree.exists else 'for all'} {given}{' with ' if tree.exists else ': '}{text(tree.says)}"
    if isinstance(tree, Sort):
        return f"{tree.name} {tree.kind}"
    if isinstance(tree, Law):
        return f"{tree.name} ~ {tree.kind}({', '.join(_expression(v, 0) for v in tree.values)})"
    return _formula(tree, 0) if is_formula(tree) else _expression(tree, 0)  # type: ignore[arg-type]


def _items(given: Sequence[Given]) -> Iterator[str]:
    """Yield what is given, with what a sort and the ends after it make as one item: `x in [0, 1]`, `n integer >= 1`.

    A relation goes with the sort only where reading the item gives the same two back in the same order; all others stay
    items of their own.
    """
    at = 0
    while at < len(given):
        item = given[at]
        ends: list[tuple[str, Expression]] = []
        at += 1
        if isinstance(item, Sort):
            while at < len(given) and len(ends) < (2 if item.kind == "real" else 1):
                end = _end_of(item.name, given[at], ends)
                if end is None:
                    break
                ends.append(end)
                at += 1
        # A sort without ends is read as a bare declaration, which an interval would not be.
        if isinstance(item, Sort) and item.kind == "real" and ends:
            # A missing end is infinite, since an interval has two.
            lower = next((e for e in ends if e[0][0] == ">"), None)
            upper = next((e for e in ends if e[0][0] == "<"), None)
            left = "(-infinity" if lower is None else f"{'[' if lower[0] == '>=' else '('}{text(lower[1])}"
            right = "infinity)" if upper is None else f"{text(upper[1])}{']' if upper[0] == '<=' else ')'}"
            yield f"{item.name} in {left}, {right}"
        else:
            yield " ".join([_item(item), *(f"{sign} {text(value)}" for sign, value in ends)])


def _end_of(name: str, given: Given, before: Sequence[tuple[str, Expression]]) -> tuple[str, Expression] | None:
    """Return the sign and the value of a relation `name sign value` that an interval can begin or go on with.

    Args:
        name: The variable.
        given: What comes next in the list.
        before: The ends that are taken already. After an upper end nothing follows, and of two lower ones the second is
            an item of its own: an interval is read lower end first.

    Returns:
        None where the interval stops.
    """
    if not isinstance(given, Compare) or len(given.sides) != 2 or given.sides[0] != Name(name):
        return None
    sign, value = given.signs[0], given.sides[1]
    if sign not in ("<", "<=", ">", ">=") or (before and (before[0][0][0] == "<" or sign[0] == ">")):
        return None
    return sign, value


def _item(given: Given) -> str:
    """A given formula, in parentheses where a comma or an `and` would be read as the end of it."""
    if isinstance(given, And | Or | If | Iff):
        return f"({text(given)})"
    return text(given)


#: How tightly connectives bind: what binds less is put in parentheses.
_STRENGTH = {Iff: 1, If: 2, Or: 3, And: 4, Not: 5, Compare: 6}


def _formula(tree: Formula, least: int) -> str:
    """Return the text of a formula, in parentheses where it binds less than `least`."""
    strength, found = _STRENGTH[type(tree)], ""
    match tree:
        case Compare(sides, signs):
            written = [_expression(side, 1) for side in sides]
            found = written[0] + "".join(f" {sign} {side}" for sign, side in zip(signs, written[1:], strict=True))
        case And(parts) | Or(parts):
            # `and` inside of `or` binds more tightly, and gets parentheses that say so.
            word, least_inside = (" and ", 5) if isinstance(tree, And) else (" or ", 5)
            found = word.join(_formula(part, least_inside) for part in parts)
        case Not(part):
            found = f"not {_formula(part, strength)}"
        case If(condition, consequence):
            found = f"if {_formula(condition, 1)} then {_formula(consequence, strength)}"
        case Iff(left, right):
            # A condition beside `iff` needs parentheses, and `iff` does not chain.
            found = f"{_formula(left, 3)} iff {_formula(right, 3)}"
    return f"({found})" if strength < least else found


_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


def _expression(tree: Expression, least: int) -> str:
    """Return the text of an expression, in parentheses where it binds less than `least`."""
    found, strength = "", _ATOM
    match tree:
        case Number(value):
            return _decimal(value)
        case Name(name):
            return name
        case Terms(parts):
            strength = _SUM
            first = "-" if parts[0][0] == "-" else ""
            found = first + _expression(parts[0][1], _PRODUCT)
            found += "".join(f" {sign} {_expression(part, _PRODUCT)}" for sign, part in parts[1:])
        case Factors(parts):
            strength = _PRODUCT
            # x^1/2 would be refused.
            firsts = [isinstance(p, Power) and p.exponent == Number(Fraction(1)) for _, p in parts]
            each = [_expression(p, _ATOM if first else _POWER) for first, (_, p) in zip(firsts, parts, strict=True)]
            found = each[0] + "".join(f"{sign}{part}" for (sign, _), part in zip(parts[1:], each[1:], strict=True))
        case Power(base, exponent):
            strength = _POWER
            # Powers are read from the right, and parentheses say so: 2^(3^2).
            found = f"{_expression(base, _ATOM)}^{_expression(exponent, _ATOM)}"
        case Call(name, arguments):
            # The capital, since gamma may be a variable beside it.
            shown = "Gamma" if name == "gamma" else name
            return f"{shown}({', '.join(_expression(a, 0) for a in arguments)})"
        case Random(kind, of):
            return f"{ {'mean': 'E', 'variance': 'Var', 'chance': 'Pr'}[kind] }[{text(of)}]"
        case Series(kind, index, first_end, last, body):
            ends = (
                infinite if e is None else _expression(e, 0)
                for e, infinite in ((first_end, "-infinity"), (last, "infinity"))
            )
            return f"{kind}({index}, {', '.join(ends)}, {_expression(body, 0)})"
    return f"({found})" if strength < least else found


def _decimal(value: Fraction) -> str:
    """A number whose denominator has no other prime factors than 2 and 5, in decimal digits.

    All numbers of a tree are of this kind, since the grammar has decimal digits alone: 1/3 is a quotient. Any other
    number would not end.

    Examples:
        >>> _decimal(Fraction(1, 40)), _decimal(Fraction(3))
        ('0.025', '3')
    """
    places = 0
    # Each step takes a factor of 2 or 5 out of the denominator.
    while value.denominator != 1:
        value *= 10
        places += 1
    digits = str(value.numerator)
    if not places:
        return digits
    digits = digits.rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"
