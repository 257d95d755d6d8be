"""Infinite sums whose value is known: a polynomial times r^k, times x^k/k!, or one over a power of k.

The engine knows no infinite sums. Those that are read here get their value in their place, which is shown as read:

    sum over k >= 0 of k^d r^k     = sum over i of S(d, i) i! r^i/(1 - r)^(i + 1)       for |r| < 1,
    sum over k >= 0 of k^d x^k/k!  = sum over i of S(d, i) x^i, times exp(x),
    sum over k >= 1 of 1/k^(2 n)   = |B_2n| (2 pi)^(2 n)/(2 (2 n)!), and of other powers the value of zeta,

with Stirling numbers S of the second kind and Bernoulli numbers B. That |r| < 1 is a part of the statement: where what
is given does not say so, the value is written with the square root of 1 - r^2, which has a value nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import factorial
from typing import Final, TypeAlias

from sympy.functions.combinatorial.numbers import stirling

from rgm_verify.statements.grammar.definitions import substituted
from rgm_verify.statements.sizes import constant, zeta
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
    Series,
    Sort,
    Statement,
    Terms,
    bounded,
    names_in,
    text,
)

__all__ = ["UNKNOWN_SUM", "with_values"]

UNKNOWN_SUM: Final = (
    "an infinite sum is read where its value is known: a polynomial in k times r^k, times x^k/k!, or 1/k^2, 1/k^3, "
    "and so on, from a number on; let its last index be a variable otherwise"
)
_HIGHEST: Final = 6
_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))
_Signed: TypeAlias = "tuple[str, Expression]"
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


def with_values(statement: Statement) -> Statement:
    """Return the statement with values in the places of infinite sums that have known ones, and a note for each.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> made = with_values(parse("sum(k, 0, oo, k*l^k/k!) = 1 for l > 0"))
        >>> text(made), made.notes
        ('for all l > 0: l*exp(l) = 1', ('sum(k, 0, infinity, k*l^k/factorial(k)) is read as its value l*exp(l)',))
    """
    reader = _Values(statement.given)
    says = reader.formula(statement.says)
    given = tuple(g if isinstance(g, Sort | Law) else reader.formula(g) for g in statement.given)
    return replace(statement, says=says, given=given, notes=(*statement.notes, *reader.notes))


class _Values:
    """The infinite sums of one statement.

    Attributes:
        ends: The numbers between which what is given puts a variable, with whether they are left out.
        notes: What each sum was read as.
    """

    def __init__(self, given: Sequence[Given]) -> None:
        self.notes: list[str] = []
        self.ends: dict[str, list[tuple[str, Fraction]]] = {}
        for item in given:
            name = bounded(item)
            if name and isinstance(item, Compare):
                for left, sign, right in zip(item.sides[:-1], item.signs, item.sides[1:], strict=True):
                    if sign != "!=":
                        value, op = (right, sign) if left == Name(name) else (left, _TURNED[sign])
                        number = constant(value)
                        if number is not None:
                            self.ends.setdefault(name, []).append((op, number))

    def formula(self, tree: Formula) -> Formula:
        """Return a formula with values in its sides."""
        match tree:
            case Compare(sides):
                return replace(tree, sides=tuple(map(self.expression, sides)))
            case And(parts) | Or(parts):
                return replace(tree, parts=tuple(map(self.formula, parts)))
            case Not(part):
                return replace(tree, part=self.formula(part))
            case If(condition, consequence):
                return replace(tree, condition=self.formula(condition), consequence=self.formula(consequence))
            case Iff(left, right):
                return replace(tree, left=self.formula(left), right=self.formula(right))

    def expression(self, tree: Expression) -> Expression:
        """Return an expression with values in it, inner sums first."""
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
                made = replace(tree, first=ends[0], last=ends[1], body=self.expression(body))
                return self.value(made) if tree.kind == "sum" and last is None and first is not None else made
        return tree

    def value(self, tree: Series) -> Expression:
        """Return the value of an infinite sum; the sum itself where none is known."""
        start = None if tree.first is None else constant(tree.first)
        if start is None or start.denominator != 1 or not 0 <= start <= 20:
            return tree
        found = self.of_zeta(tree, int(start))
        if found is None:
            body = tree.body
            if start and not any(_is_factorial(part) for part in _factors(tree.body)):
                body = substituted(body, {tree.index: Terms((("+", Name(tree.index)), ("+", Number(start))))})
            found = self.of_powers(tree.index, body, int(start))
        if found is None:
            return tree
        self.notes.append(f"{text(tree)} is read as its value {text(found)}")
        return replace(found, position=tree.position)

    def of_zeta(self, tree: Series, start: int) -> Expression | None:
        """Return the value of the sum of c/k^n from 1 on."""
        parts = tree.body.parts if isinstance(tree.body, Factors) else (("*", tree.body),)
        powers = [(sign, part) for sign, part in parts if _has(part, tree.index)]
        if start != 1 or len(powers) != 1 or powers[0][0] != "/" or not isinstance(powers[0][1], Power):
            return None
        base, exponent = powers[0][1].base, constant(powers[0][1].exponent)
        if base != Name(tree.index) or exponent is None or exponent.denominator != 1 or not 2 <= exponent <= 60:
            return None
        rest = tuple((sign, part) for sign, part in parts if not _has(part, tree.index))
        value = zeta(int(exponent))
        return Factors((*rest, ("*", value))) if rest and rest != (("*", _ONE),) else value

    def of_powers(self, index: str, body: Expression, start: int) -> Expression | None:
        """Return the value of a sum from 0 on of a polynomial times r^k, or times x^k/k!.

        Args:
            index: The letter of the sum.
            body: The term, with the letter from 0 on but for the exponential series.
            start: The first value that the letter had.
        """
        outside: list[_Signed] = []
        ratio: list[_Signed] = []
        polynomial: list[Expression] = [_ONE]
        factorials = 0
        for sign, part in _signed(body):
            if not _has(part, index):
                outside.append((sign, part))
            elif (
                isinstance(part, Call) and part.name == "factorial" and part.arguments == (Name(index),) and sign == "/"
            ):
                factorials += 1
            elif (split := self.power(part, index, sign)) is not None:
                ratio.append(split[0])
                outside += split[1]
            elif sign == "*" and (other := _polynomial(part, index)) is not None:
                polynomial = _times(polynomial, other)
            else:
                return None
        if factorials > 1 or len(polynomial) > _HIGHEST + 1 or (not ratio and not factorials):
            return None
        r = _product(ratio) if ratio else _ONE
        if factorials:
            made = self.exponential(r, polynomial)
            made = _product([*outside, ("*", made)])
            first = [("-", substituted(body, {index: Number(Fraction(k))})) for k in range(start)]
            return _joined([("+", made), *first])
        else:
            found = self.geometric(r, polynomial, outside)
            if found is None:
                return None
            made = found
        return _product([*outside, ("*", made)]) if outside else made

    def power(self, part: Expression, index: str, sign: str) -> tuple[_Signed, list[_Signed]] | None:
        """Return r and c of a factor c r^k; None where it has no such form, or where 0^0 might be in it."""
        base: Expression
        if isinstance(part, Call) and part.name == "exp":
            base, exponent = Name("e"), part.arguments[0]
        elif isinstance(part, Power) and not _has(part.base, index):
            base, exponent = part.base, part.exponent
        else:
            return None
        line = _line(exponent, index)
        if line is None:
            return None
        slope, rest = line
        if base == Name("e"):
            more_exp: list[_Signed] = [] if rest == _ZERO else [(sign, Call("exp", (rest,)))]
            return (sign, Call("exp", (slope,))), more_exp
        times, more = constant(slope), constant(rest)
        if times is None or more is None or times.denominator != 1 or more.denominator != 1 or times == 0:
            return None
        if sign == "/":
            times, more = -times, -more
        # 1/r^k has a value for r != 0 alone, and so has (1/r)^k; of r^k a part with a negative exponent would ask more.
        if times > 0 and (sign == "/" or more < 0) and not constant(base):
            return None
        outside = [] if more == 0 else [("*" if more > 0 else "/", _raised(base, int(abs(more))))]
        return ("*" if times > 0 else "/", _raised(base, int(abs(times)))), outside

    def exponential(self, x: Expression, polynomial: Sequence[Expression]) -> Expression:
        """Return the sum of a polynomial times x^k/k!."""
        terms: list[Expression] = []
        for i in range(len(polynomial)):
            weight = _total([_scaled(c, int(stirling(d, i))) for d, c in enumerate(polynomial)])
            if weight != _ZERO:
                terms.append(_multiplied(weight, _raised(x, i)))
        return _multiplied(_total(terms), Call("exp", (x,)))

    def geometric(
        self, r: Expression, polynomial: Sequence[Expression], outside: Sequence[_Signed]
    ) -> Expression | None:
        """Return the sum of a polynomial times r^k; None where factors may be 0 and nothing says that |r| < 1.

        A sum of zeros exists for every r, so that the condition must not be asked for it.
        """
        terms: list[Expression] = []
        surely = self.is_small(r)
        # With a leading coefficient that is not 0 the sum exists for |r| < 1 alone.
        leads = constant(polynomial[-1])
        if not surely and (leads in (None, 0) or not all(s == "/" or self.is_nonzero(part) for s, part in outside)):
            return None
        gap = Terms((("+", _ONE), ("-", r)))
        root = Power(Call("sqrt", (Terms((("+", _ONE), ("-", Power(r, Number(Fraction(2)))))),)), Number(Fraction(2)))
        inverse: Expression = Factors((("*", _ONE), ("/", gap)))
        if not surely:
            inverse = Factors((("*", Terms((("+", _ONE), ("+", r)))), ("/", root)))
        for i in range(len(polynomial)):
            weight = _total([_scaled(c, int(stirling(d, i)) * factorial(i)) for d, c in enumerate(polynomial)])
            if weight != _ZERO:
                terms.append(_multiplied(_multiplied(weight, _raised(r, i)), _raised(inverse, i + 1)))
        return _total(terms)

    def is_small(self, r: Expression) -> bool:
        """Return whether what is given says that |r| < 1, by the ends of the variables in it."""
        found = self.between(r)
        return found is not None and _inside(found)

    def between(self, tree: Expression) -> tuple[Fraction, bool, Fraction, bool] | None:
        """Return ends of a number, a variable or 1 less a variable, each with whether it is left out."""
        value = constant(tree)
        if value is not None:
            return value, False, value, False
        if isinstance(tree, Name) and tree.name in self.ends:
            lows = [(v, op == ">") for op, v in self.ends[tree.name] if op in (">", ">=", "=")]
            highs = [(v, op != "<") for op, v in self.ends[tree.name] if op in ("<", "<=", "=")]
            if lows and highs:
                low, high = max(lows), min(highs)
                return low[0], low[1], high[0], not high[1]
        if (
            isinstance(tree, Terms)
            and len(tree.parts) == 2
            and tree.parts[0] == ("+", _ONE)
            and tree.parts[1][0] == "-"
        ):
            inner = self.between(tree.parts[1][1])
            return None if inner is None else (1 - inner[2], inner[3], 1 - inner[0], inner[1])
        return None

    def is_nonzero(self, tree: Expression) -> bool:
        """Return whether a factor is surely not 0."""
        value = constant(tree)
        if value is not None or (isinstance(tree, Call) and tree.name == "exp") or tree == Name("e"):
            return value != 0
        if not isinstance(tree, Name):
            return False
        return any(end > 0 or (end == 0 and op == ">") for op, end in self.ends.get(tree.name, []) if op in (">", ">="))


def _inside(ends: tuple[Fraction, bool, Fraction, bool]) -> bool:
    """Return whether an interval lies strictly between -1 and 1."""
    low, low_open, high, high_open = ends
    return (low > -1 or (low == -1 and low_open)) and (high < 1 or (high == 1 and high_open))


def _has(tree: Expression, name: str) -> bool:
    return any(place.name == name for place in names_in(tree, frozenset()))


def _factors(tree: Expression) -> list[Expression]:
    return [part for _, part in _signed(tree)]


def _signed(tree: Expression) -> list[_Signed]:
    """Return the factors of an expression with their signs, those of inner products among them."""
    if isinstance(tree, Terms) and len(tree.parts) == 1:
        return [("*", Terms((("-", _ONE),))), *_signed(tree.parts[0][1])]
    if not isinstance(tree, Factors):
        return [("*", tree)]
    found: list[_Signed] = []
    for sign, part in tree.parts:
        found += _signed(part) if sign == "*" else [("/", part)]
    return found


def _is_factorial(tree: Expression) -> bool:
    return isinstance(tree, Call) and tree.name == "factorial"


def _line(tree: Expression, index: str) -> tuple[Expression, Expression] | None:
    """Return a and b of a k + b; None for what is no such line."""
    if tree == Name(index):
        return _ONE, _ZERO
    if not _has(tree, index):
        return _ZERO, tree
    if isinstance(tree, Terms):
        slopes, rests = [], []
        for sign, part in tree.parts:
            line = _line(part, index)
            if line is None:
                return None
            slopes += [(sign, line[0])] if line[0] != _ZERO else []
            rests += [(sign, line[1])] if line[1] != _ZERO else []
        return _joined(slopes), _joined(rests)
    if isinstance(tree, Factors):
        mine = [(sign, part) for sign, part in tree.parts if _has(part, index)]
        others = [(sign, part) for sign, part in tree.parts if not _has(part, index)]
        line = _line(mine[0][1], index) if len(mine) == 1 and mine[0][0] == "*" else None
        if line is not None:
            slope, rest = (_ZERO if part == _ZERO else _product([*others, ("*", part)]) for part in line)
            return slope if line[0] != _ONE else _product(others), rest
    return None


def _polynomial(tree: Expression, index: str) -> list[Expression] | None:
    """Return the coefficients of a polynomial in a letter, the constant first; None for anything else."""
    if not _has(tree, index):
        return [tree]
    if tree == Name(index):
        return [_ZERO, _ONE]
    if isinstance(tree, Terms):
        return _polynomial_sum(tree, index)
    if isinstance(tree, Factors):
        return _polynomial_product(tree, index)
    if isinstance(tree, Power):
        exponent, base = constant(tree.exponent), _polynomial(tree.base, index)
        if base is None or exponent is None or exponent.denominator != 1 or not 1 <= exponent <= _HIGHEST:
            return None
        product: list[Expression] = [_ONE]
        for _ in range(int(exponent)):
            product = _times(product, base)
        return product
    return None


def _polynomial_sum(tree: Terms, index: str) -> list[Expression] | None:
    """Return the coefficients of a sum of polynomials."""
    total: list[Expression] = []
    for sign, part in tree.parts:
        found = _polynomial(part, index)
        if found is None:
            return None
        found = found if sign == "+" else [_opposite(c) for c in found]
        length = max(len(total), len(found))
        padded = [[*side, *[_ZERO] * (length - len(side))] for side in (total, found)]
        total = [_total([a, b]) for a, b in zip(*padded, strict=True)]
    return total


def _polynomial_product(tree: Factors, index: str) -> list[Expression] | None:
    """Return the coefficients of a product of polynomials, or of a quotient by what has no index in it."""
    product: list[Expression] = [_ONE]
    for sign, part in tree.parts:
        found = _polynomial(part, index)
        if found is None or (sign == "/" and _has(part, index)):
            return None
        if sign == "/":
            product = [c if c == _ZERO else Factors((("*", c), ("/", part))) for c in product]
        else:
            product = _times(product, found)
    return product


def _times(left: Sequence[Expression], right: Sequence[Expression]) -> list[Expression]:
    """Return the coefficients of a product of polynomials."""
    found: list[list[Expression]] = [[] for _ in range(len(left) + len(right) - 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j].append(_multiplied(a, b))
    return [_total(parts) for parts in found]


def _opposite(tree: Expression) -> Expression:
    return _ZERO if tree == _ZERO else Terms((("-", tree),))


def _scaled(tree: Expression, times: int) -> Expression:
    return _multiplied(Number(Fraction(times)), tree)


def _multiplied(left: Expression, right: Expression) -> Expression:
    """Return a product; of 0 and 1 as numbers, and of two integers, what it comes to."""
    if _ZERO in (left, right) or left == _ONE:
        return _ZERO if _ZERO in (left, right) else right
    if right == _ONE:
        return left
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(left.value * right.value)
    return Factors((("*", left), ("*", right)))


def _total(parts: Sequence[Expression]) -> Expression:
    """Return a sum without zeros."""
    kept = [part for part in parts if part != _ZERO]
    if all(isinstance(part, Number) for part in kept):
        return Number(sum((part.value for part in kept if isinstance(part, Number)), Fraction(0)))
    return _joined([("+", part) for part in kept])


def _joined(parts: Sequence[_Signed]) -> Expression:
    if not parts:
        return _ZERO
    return parts[0][1] if len(parts) == 1 and parts[0][0] == "+" else Terms(tuple(parts))  # type: ignore[arg-type]


def _raised(tree: Expression, power: int) -> Expression:
    return _ONE if power == 0 else tree if power == 1 else Power(tree, Number(Fraction(power)))


def _product(parts: Sequence[_Signed]) -> Expression:
    """Return a product of signed factors, 1 for none; a divisor in front is divided from 1."""
    if not parts:
        return _ONE
    if len(parts) == 1 and parts[0][0] == "*":
        return parts[0][1]
    first = () if parts[0][0] == "*" else (("*", _ONE),)
    return Factors((*first, *parts))  # type: ignore[arg-type]
