"""Expectations and probabilities as integrals of densities and sums of masses.

What an author writes of a random variable becomes a statement without one, which is shown as read, judged, and can be
given back. That the integral or the sum has a value is part of the statement, as everywhere. What the law asks of its
parameters, a positive variance for one, is given: without it there is no such variable to speak of.

Only one variable at a time is read, as nothing is said of how several depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final, Literal, TypeAlias

from rgm_verify.statements.grammar.definitions import substituted
from rgm_verify.statements.laws import LAWS, Kind
from rgm_verify.statements.parser import parse
from rgm_verify.statements.sizes import constant
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import (
    And,
    Call,
    Compare,
    Expression,
    Factors,
    Formula,
    Given,
    If,
    Iff,
    Law,
    Name,
    Not,
    Number,
    Or,
    Power,
    Random,
    Series,
    Sort,
    Statement,
    Terms,
    conditions,
    inside,
    names_in,
    sides,
    text,
)

__all__ = ["without_chances"]

_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))
_Parts: TypeAlias = "tuple[tuple[Literal['+', '-'], Expression], ...]"
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_SHOWN: Final = {"mean": "E", "chance": "Pr", "variance": "Var"}


def without_chances(written: str, statement: Statement) -> Statement:
    """Return the statement with integrals and sums in the places of expectations and probabilities.

    Args:
        written: The text, for messages.
        statement: Its tree.

    Raises:
        StatementError: For a random variable outside of E, Pr and Var, for several in one of them, and for an
            event that is not read.

    Examples:
        >>> tree = parse("for X ~ N(0, 1): Pr(X >= 1) < 1/6")
        >>> text(without_chances("", tree))
        'integral(x, 1, infinity, exp(-x^2/(2*1))/sqrt(2*pi*1)) < 1/6'
    """
    laws = {g.name: g for g in statement.given if isinstance(g, Law)}
    reader = _Chances(written, statement, laws)
    says = reader.formula(statement.says)
    given: list[Given] = []
    for item in statement.given:
        if isinstance(item, Law):
            given += (new for new in reader.conditions(item) if new not in given and new not in statement.given)
        elif isinstance(item, Sort):
            given.append(item)
        else:
            given.append(reader.formula(item))
    if laws and statement.exists:
        reader.fail(next(iter(laws.values())).position, "a random variable in a statement that something exists")
    notes = tuple(f"{text(law)}: {law.name} is {reader.words(law)}" for law in laws.values())
    return replace(statement, says=says, given=tuple(given), notes=(*statement.notes, *notes, *reader.notes))


@cache
def _template(expression: str) -> Expression:
    """Return the tree of a formula of the table."""
    says = parse(f"{expression} = 0").says
    assert isinstance(says, Compare)  # noqa: S101 - the table holds expressions
    return says.sides[0]


@dataclass
class _Range:
    """Where an event lies: relations of the variable with numbers."""

    lows: list[tuple[Expression, bool]]
    highs: list[tuple[Expression, bool]]


class _Chances:
    """The random variables of one statement."""

    def __init__(self, written: str, statement: Statement, laws: dict[str, Law]) -> None:
        self.written, self.statement, self.laws = written, statement, laws
        self.used: set[str] = set()
        self.bound: set[str] = set()
        self.notes: list[str] = []
        self.every_name()
        for law in laws.values():
            for value in law.values:
                self.refuse_free(value)
                # A sum around E[X] would catch a letter of the law of X.
                for place in names_in(value, frozenset()):
                    if place.name in self.bound:
                        self.fail(law.position, f"{place.name} is bound in a sum or an integral; use another letter")
        self.depth = 0

    def fail(self, position: int, problem: str) -> None:
        """Raise `StatementError`; it never returns."""
        raise StatementError(self.written, position, problem)

    # ---------------------------------------------------------------------------------------------- trees

    def formula(self, tree: Formula) -> Formula:
        """Return a formula whose sides have no expectation in them."""
        match tree:
            case Compare():
                made = tuple(self.expression(side) for side in tree.sides)
                for side in made:
                    self.refuse_free(side)
                return replace(tree, sides=made)
            case And(parts) | Or(parts):
                return replace(tree, parts=tuple(map(self.formula, parts)))
            case Not(part):
                return replace(tree, part=self.formula(part))
            case If(condition, consequence):
                return replace(tree, condition=self.formula(condition), consequence=self.formula(consequence))
            case Iff(left, right):
                return replace(tree, left=self.formula(left), right=self.formula(right))

    def refuse_free(self, tree: Expression) -> None:
        """Refuse a random variable outside of E, Pr and Var."""
        for place in names_in(tree, frozenset()):
            if place.name in self.laws:
                self.fail(place.position, f"{place.name} is a random variable; say E[...], Var(...) or Pr(...) of it")

    def expression(self, tree: Expression) -> Expression:
        """Return an expression without expectations."""
        match tree:
            case Terms(parts):
                return replace(tree, parts=tuple((sign, self.expression(part)) for sign, part in parts))
            case Factors(parts):
                return replace(tree, parts=tuple((sign, self.expression(part)) for sign, part in parts))
            case Power(base, exponent):
                return replace(tree, base=self.expression(base), exponent=self.expression(exponent))
            case Call(_, arguments):
                return replace(tree, arguments=tuple(map(self.expression, arguments)))
            case Series(_, _, first, last, body):
                ends = [None if end is None else self.expression(end) for end in (first, last)]
                return replace(tree, first=ends[0], last=ends[1], body=self.expression(body))
            case Random():
                return self.random(tree)
        return tree

    def random(self, tree: Random) -> Expression:
        """Return the integral or the sum of an expectation, a variance or a probability."""
        self.depth += 1
        if isinstance(tree.of, Compare | And | Or | Not | If | Iff):
            found = self.chance(tree, tree.of)
        else:
            of = self.expression(tree.of)
            law = self.law(tree, [of])
            found = self.mean(law, of)
            if tree.kind == "variance":
                square = self.mean(law, Power(of, Number(Fraction(2))))
                found = Terms((("+", square), ("-", Power(found, Number(Fraction(2))))))
        self.depth -= 1
        return replace(found, position=tree.position)

    def law(self, tree: Random, said: Sequence[Expression]) -> Law:
        """Return the law of the one variable that an expectation or a probability is of."""
        free = {place.name for side in said for place in names_in(side, frozenset())}
        found = [law for name, law in self.laws.items() if name in free]
        shown = _SHOWN[tree.kind]
        if not found:
            self.fail(tree.position, f"{shown} of what is not random: declare its variable, as in for X ~ N(0, 1)")
        if len(found) > 1:
            names = " and ".join(law.name for law in found)
            self.fail(tree.position, f"{shown} of {names} together: nothing says how they depend on each other")
        return found[0]

    # ---------------------------------------------------------------------------------------------- laws

    def conditions(self, law: Law) -> list[Given]:
        """Return what a law asks of its parameters.

        Raises:
            StatementError: For numbers that are no parameters of the law.
        """
        kind = LAWS[law.kind]
        found: list[Given] = []
        for letter in kind.whole:
            value = law.values[kind.parameters.index(letter)]
            number = constant(value)
            if isinstance(value, Name):
                found.append(Sort(value.name, "integer", position=value.position))
            elif number is None or number.denominator != 1:
                self.fail(value.position, f"{letter} of {law.kind} is an integer or the name of one")
        values = dict(zip(kind.parameters, law.values, strict=True))
        for condition in kind.given:
            made = parse(condition).says
            assert isinstance(made, Compare)  # noqa: S101 - the table holds relations
            ends = tuple(substituted(side, values) for side in made.sides)
            left, right = (constant(side) for side in ends)
            if left is not None and right is not None:
                low, high = (left, right) if made.signs[0] in ("<", "<=") else (right, left)
                if not (low < high if made.signs[0] in ("<", ">") else low <= high):
                    self.fail(law.position, f"{text(law)}: there is no such law, as it needs {condition}")
                continue
            if made.signs == (">",) and ends[1] == _ZERO:
                # 1/a > 0 is a > 0.
                ends = (_inverted(ends[0]) or ends[0], _ZERO)
            found.append(replace(made, sides=ends, position=law.position))
        first = values.get("f")
        if first is not None and constant(first) not in (0, 1):
            self.fail(law.position, "first of Geometric is 0 or 1")
        return [self.of_deviation(g) for g in found if not self.follows(g)]

    def of_deviation(self, given: Given) -> Given:
        """Return s > 0 for s^2 > 0 where nothing else is said of s: the deviation in N(m, s^2) is positive."""
        if isinstance(given, Compare) and given.signs == (">",) and isinstance(given.sides[0], Power):
            base = given.sides[0].base
            spoken = {g.name for g in self.statement.given if isinstance(g, Sort)} | {
                place.name for g in conditions(self.statement.given) for side in sides(g)
                for place in names_in(side, frozenset())
            }  # fmt: skip
            if isinstance(base, Name) and given.sides[0].exponent == Number(Fraction(2)) and base.name not in spoken:
                self.notes.append(f"{base.name} is a deviation, and taken to be positive")
                return replace(given, sides=(base, _ZERO))
        return given

    def follows(self, given: Given) -> bool:
        """Return whether a condition is given already, that on v = s^2 by s > 0."""
        if given in self.statement.given:
            return True
        if not isinstance(given, Compare) or given.signs != (">",) or given.sides[1] != _ZERO:
            return False
        side = given.sides[0]
        if isinstance(side, Power) and side.exponent == Number(Fraction(2)):
            side = side.base
        return self.sign(side) == ">"

    def sign(self, tree: Expression) -> str:
        """Return `>` or `>=` where it is given that a number or a name is so related to 0; empty otherwise."""
        value = constant(tree)
        if value is not None:
            return ">" if value > 0 else ">=" if value == 0 else ""
        for item in self.statement.given:
            if isinstance(item, Compare) and len(item.sides) == 2 and isinstance(tree, Name):
                left, right = item.sides
                sign = item.signs[0]
                if right == tree:
                    left, right, sign = right, left, _TURNED[sign]
                end = constant(right)
                if left == tree and end is not None and sign in (">", ">=") and end >= 0:
                    return ">" if end > 0 else sign
        return ""

    def words(self, law: Law) -> str:
        """Return what a law is called, with its parameters."""
        kind = LAWS[law.kind]
        shown = {letter: text(value) for letter, value in zip(kind.parameters, law.values, strict=True)}
        return kind.words.format(**shown)

    def index(self, kind: Kind) -> str:
        """Return a letter for the sum or the integral that nothing else in the text uses."""
        letters = ("k", "j", "i", "r") if kind.counts else ("x", "u", "w", "z")
        taken = self.every_name() | set(self.laws)
        free = [name for name in (*letters, *(f"{letters[0]}_{n}" for n in range(1, 30))) if name not in taken]
        return free[self.depth - 1]

    def every_name(self) -> set[str]:
        """Return all names of the statement, free or bound."""
        if not self.used:
            waiting: list[Expression | Formula | Sort | Law] = [self.statement.says, *self.statement.given]
            while waiting:
                tree = waiting.pop()
                match tree:
                    case Name(name) | Sort(name):
                        self.used.add(name)
                    case Law(_, _, values):
                        waiting += values
                    case Random(_, of):
                        waiting.append(of)
                    case Compare():
                        waiting += tree.sides
                    case And(parts) | Or(parts):
                        waiting += parts
                    case Not(part):
                        waiting.append(part)
                    case If(first, second) | Iff(first, second):
                        waiting += (first, second)
                    case Series(_, index):
                        self.used.add(index)
                        self.bound.add(index)
                        waiting += inside(tree)
                    case _:
                        waiting += inside(tree)
        return self.used

    def weighed(self, law: Law, factor: Expression | None, index: str) -> Expression:
        """Return the density or the mass at a letter, with a factor before it."""
        kind = LAWS[law.kind]
        values: dict[str, Expression] = dict(zip(kind.parameters, law.values, strict=True))
        weight = _tidied(substituted(_template(kind.weight), {**values, "x": Name(index)}))
        if factor is None:
            return weight
        rest = weight.parts if isinstance(weight, Factors) else (("*", weight),)
        return Factors((("*", factor), *rest))

    def end(self, law: Law, which: str) -> Expression | None:
        """Return the least or the largest value of a law; None where there is none."""
        kind = LAWS[law.kind]
        shown = kind.low if which == "low" else kind.high
        values = dict(zip(kind.parameters, law.values, strict=True))
        return substituted(_template(shown), values) if shown else None

    def mean(self, law: Law, of: Expression) -> Expression:
        """Return the integral or the sum of an expression of the variable, with the density or the mass."""
        kind = LAWS[law.kind]
        index = self.index(kind)
        body = self.weighed(law, substituted(of, {law.name: Name(index)}), index)
        low, high = self.end(law, "low"), self.end(law, "high")
        if kind.counts:
            return Series("sum", index, low, high, body)
        if kind.corner:
            values = dict(zip(kind.parameters, law.values, strict=True))
            middle = values[kind.corner]
            pieces = (Series("integral", index, low, middle, body), Series("integral", index, middle, high, body))
            return Terms((("+", pieces[0]), ("+", pieces[1])))
        return Series("integral", index, low, high, body)

    # ---------------------------------------------------------------------------------------------- events

    def chance(self, tree: Random, event: Formula) -> Expression:
        """Return the probability of an event: a chain of relations of the variable with numbers, or several at once."""
        parts = list(event.parts) if isinstance(event, And) else [event]
        relations: list[tuple[Expression, str, Expression]] = []
        for part in parts:
            if not isinstance(part, Compare):
                self.fail(part.position, "an event is read as relations: Pr(X >= t), Pr(a <= X <= b), Pr(|X| > t)")
            made = [self.expression(side) for side in part.sides]  # type: ignore[union-attr]
            relations += zip(made[:-1], part.signs, made[1:], strict=True)  # type: ignore[union-attr]
        law = self.law(tree, [side for left, _, right in relations for side in (left, right)])
        if len(relations) == 1:
            left, sign, right = relations[0]
            if any(p.name == law.name for p in names_in(right, frozenset())):
                left, sign, right = right, _TURNED[sign], left
            if isinstance(left, Call) and left.name == "abs":
                return self.around(law, left.arguments[0], sign, right)
            if sign == "!=":
                return Terms((("+", _ONE), ("-", self.interval(law, self.range_of(law, [(left, "=", right)])))))
        return self.interval(law, self.range_of(law, relations))

    def range_of(self, law: Law, relations: Sequence[tuple[Expression, str, Expression]]) -> _Range:
        """Return where the variable lies if all relations hold."""
        found = _Range([], [])
        for first, sign, second in relations:
            left, right, op = first, second, sign
            if any(p.name == law.name for p in names_in(right, frozenset())):
                left, right, op = right, left, _TURNED[op]
            if any(p.name == law.name for p in names_in(right, frozenset())):
                self.fail(first.position, f"{law.name} on both sides: solve the event for {law.name}")
            turned, shift = self.affine(law, left)
            if turned:
                op = _TURNED[op]
            # sX + c <= b says that X is on one side of s(b - c).
            value = _added((*shift, ("-", right)) if turned else (("+", right), *_opposite(shift)))
            if op == "!=":
                self.fail(first.position, "`!=` among several relations of an event is not read")
            if op in (">", ">=", "="):
                found.lows.append((value, op == ">"))
            if op in ("<", "<=", "="):
                found.highs.append((value, op == "<"))
            if op == "=" and not LAWS[law.kind].counts:
                self.fail(first.position, "a single value of a variable with a density has probability 0")
        if len(found.lows) > 1 or len(found.highs) > 1:
            self.fail(relations[0][0].position, "two bounds on one side: give the event one of each")
        return found

    def affine(self, law: Law, tree: Expression) -> tuple[bool, _Parts]:
        """Return whether a side is minus the variable, and what is added to it; refuse any other side."""
        if tree == Name(law.name):
            return False, ()
        if isinstance(tree, Terms):
            mine = [sign for sign, part in tree.parts if part == Name(law.name)]
            rest = tuple((sign, part) for sign, part in tree.parts if part != Name(law.name))
            other = any(p.name == law.name for _, part in rest for p in names_in(part, frozenset()))
            if len(mine) == 1 and not other:
                return mine[0] == "-", rest
        self.fail(tree.position, f"an event is read for {law.name}, {law.name} - c, c - {law.name} and bars around "
                                 f"these: solve it for {law.name}")  # fmt: skip
        raise AssertionError

    def interval(self, law: Law, where: _Range, *, ordered: bool = False) -> Expression:
        """Return the probability that a variable lies between ends, whatever the order of the ends is.

        Args:
            law: The law.
            where: The ends.
            ordered: Whether the lower one is known to be at most the upper one.
        """
        kind = LAWS[law.kind]
        index = self.index(kind)
        low, high = self.end(law, "low"), self.end(law, "high")
        if kind.counts:
            return self.counted(law, where, index, low, high)
        body = self.weighed(law, None, index)
        first, last = low, high
        if where.lows:
            first = self.larger(where.lows[0][0], low)
            if not where.highs and high is not None:
                first = _extreme("min", first, high)
        if where.highs:
            last = self.smaller(where.highs[0][0], high)
            least = first if where.lows else low
            known = (least == _ZERO and self.sign(last)) or (ordered and low is None and high is None)
            if least is not None and not known:
                last = _extreme("max", last, least)
        return Series("integral", index, first, last, body)

    def counted(
        self, law: Law, where: _Range, index: str, low: Expression | None, high: Expression | None
    ) -> Expression:
        """Return the probability of integers between ends as a sum; of infinitely many by what is left of 1."""
        body = self.weighed(law, None, index)
        first, last = low, high
        if where.lows:
            value, strict = where.lows[0]
            first = self.larger(self.whole(value, up=True, strict=strict), low)
        if where.highs:
            value, strict = where.highs[0]
            last = self.smaller(self.whole(value, up=False, strict=strict), high)
        if where.lows and where.highs:
            last = _extreme("max", last, _less(first))  # type: ignore[arg-type]
        elif where.lows and low is not None and first is not None and (high is None or constant(first) is not None):
            end = _less(first) if high is None else _extreme("min", _less(first), high)
            return _added((("+", _ONE), ("-", Series("sum", index, low, end, body))))
        elif where.lows and high is not None:
            first = _extreme("min", first, _more(high))  # type: ignore[arg-type]
        elif where.highs and low is not None:
            last = _extreme("max", last, _less(low))  # type: ignore[arg-type]
        return Series("sum", index, first, last, body)

    def whole(self, value: Expression, *, up: bool, strict: bool) -> Expression:
        """Return the least integer from a value on, or the largest up to it; the next one if the value is left out."""
        number = constant(value)
        integer = isinstance(value, Name) and any(
            isinstance(g, Sort) and g.name == value.name and g.kind == "integer" for g in self.statement.given
        )
        if integer or (number is not None and number.denominator == 1):
            return (_more if up else _less)(value) if strict else value
        if strict:
            return _more(Call("floor", (value,))) if up else _less(Call("ceil", (value,)))
        return Call("ceil" if up else "floor", (value,))

    def larger(self, value: Expression, end: Expression | None) -> Expression:
        """Return the larger of a value and an end, as plainly as what is given allows."""
        if end is None or value == end or (end == _ZERO and self.sign(value)):
            return value
        return _extreme("max", value, end)

    def smaller(self, value: Expression, end: Expression | None) -> Expression:
        """Return the smaller of a value and an end."""
        return value if end is None or value == end else _extreme("min", value, end)

    def around(self, law: Law, inner: Expression, sign: str, bound: Expression) -> Expression:
        """Return the probability of |X - c| <= b, or of the opposite, whatever the sign of b is."""
        if any(p.name == law.name for p in names_in(bound, frozenset())) or sign in ("=", "!="):
            self.fail(inner.position, f"bars around {law.name}: compare them with a number by <, <=, > or >=")
        turned, shift = self.affine(law, inner)
        inside_of = sign in ("<", "<=")
        # |cX| <= b with b < 0 holds nowhere: a strict bound by 0 says so of integers, and one by 0 of a density.
        half: Expression = bound if self.sign(bound) else Call("max", (bound, _ZERO))
        if LAWS[law.kind].counts and not self.sign(bound):
            self.fail(bound.position, "a bound of |X| that may be negative; give it a domain, as in t >= 0")
        centre = shift if turned else _opposite(shift)
        upper, lower = _added((*centre, ("+", half))), _added((*centre, ("-", half)))
        if inside_of:
            return self.interval(law, _Range([(lower, sign == "<")], [(upper, sign == "<")]), ordered=True)
        if LAWS[law.kind].counts:
            within = self.interval(law, _Range([(lower, sign == ">=")], [(upper, sign == ">=")]), ordered=True)
            return Terms((("+", _ONE), ("-", within)))
        right = self.interval(law, _Range([(upper, False)], []))
        left = self.interval(law, _Range([], [(lower, False)]))
        return Terms((("+", left), ("+", right)))


def _extreme(name: str, left: Expression, right: Expression) -> Expression:
    """Return the larger or the smaller of two, of two numbers at once."""
    one, other = constant(left), constant(right)
    if one is None or other is None:
        return Call(name, (left, right))
    return left if (one >= other) is (name == "max") else right


def _opposite(parts: _Parts) -> _Parts:
    """Return signed terms with the other signs."""
    return tuple(("-" if sign == "+" else "+", part) for sign, part in parts)


def _added(parts: _Parts) -> Expression:
    """Return a sum of signed terms without those that are 0.

    Examples:
        >>> text(_added((("+", _ZERO), ("-", Name("t")))))
        '-t'
    """
    kept = tuple((sign, part) for sign, part in parts if part != _ZERO)
    if not kept:
        return _ZERO
    return kept[0][1] if len(kept) == 1 and kept[0][0] == "+" else Terms(kept)


def _tidied(tree: Expression) -> Expression:
    """Return an expression without terms that are the number 0; neither its value nor where it has one changes."""
    match tree:
        case Terms(parts):
            return _added(tuple((sign, _tidied(part)) for sign, part in parts))
        case Factors(parts):
            return replace(tree, parts=tuple((sign, _tidied(part)) for sign, part in parts))
        case Power(base, exponent):
            return replace(tree, base=_tidied(base), exponent=_tidied(exponent))
        case Call(_, arguments):
            return replace(tree, arguments=tuple(map(_tidied, arguments)))
        case Series():
            return replace(tree, body=_tidied(tree.body))
    return tree


def _inverted(tree: Expression) -> Expression | None:
    """Return a of 1/a; None for anything else."""
    if isinstance(tree, Factors) and len(tree.parts) == 2 and tree.parts[0][1] == _ONE and tree.parts[1][0] == "/":
        return tree.parts[1][1]
    return None


def _more(tree: Expression) -> Expression:
    """Return a number and one."""
    value = constant(tree)
    return Number(value + 1) if value is not None and value >= -1 else Terms((("+", tree), ("+", _ONE)))


def _less(tree: Expression) -> Expression:
    """Return a number less one."""
    value = constant(tree)
    return Number(value - 1) if value is not None and value >= 1 else Terms((("+", tree), ("-", _ONE)))
