"""Exact values of what is constant in a tree, and a refusal of numbers and powers that would fill the memory.

Everything here is arithmetic over `Fraction`, before any expression is built. SymPy computes `9^9^9` as soon as it is
written, and no time limit ends a single multiplication: a text of ten characters could stop the process. The limits are
bounds from above by cheap counting, so that something harmless may be refused, and nothing enormous passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import (
    Call,
    Expression,
    Factors,
    Name,
    Number,
    Power,
    Series,
    Terms,
)

__all__ = ["MOST_BITS", "MOST_MONOMIALS", "MOST_TERMS", "constant", "refuse_large", "zeta"]

#: Bits of a number that the constants of a statement may come to.
MOST_BITS: Final = 13_000
#: Exponents with a base that is no number, and arguments of factorials and their like.
LARGEST_POWER: Final = 1_000
#: Products of variables that are left when all is multiplied out.
MOST_MONOMIALS: Final = 2_000
#: Exponentials inside of exponents; the values of more are beyond every arithmetic.
HIGHEST_TOWER: Final = 2
#: The exponents of numbers, with e as the base.
LARGEST_EXPONENT: Final = 2_000
#: Terms of a sum or product between numbers.
MOST_TERMS: Final = 1_000
_SIMPLE: dict[str, Callable[[list[Fraction]], Fraction | int]] = {
    "abs": lambda v: abs(v[0]), "min": min, "max": max, "floor": lambda v: math.floor(v[0]),
    "ceil": lambda v: math.ceil(v[0]), "sign": lambda v: (v[0] > 0) - (v[0] < 0),
}  # fmt: skip
_FAST = ("exp", "sinh", "cosh", "gamma", "factorial", "binomial")
_WHOLE = ("factorial", "gamma", "loggamma", "binomial", "harmonic")


def constant(tree: Expression) -> Fraction | None:
    """Return the rational value of a tree; None where it is none, or not known here (a root, a variable, 1/0).

    None says nothing of the value: `sqrt(4)` is 2, and None here.

    Args:
        tree: An expression of a statement.

    Returns:
        The exact value. A power or a factorial of more than `MOST_BITS` bits is not computed, and None.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> def value(text):
        ...     return constant(parse(f"{text} = x").says.sides[0])
        >>> value("2^10/3"), value("max(1, 5!)"), value("sqrt(4)"), value("1/0")
        (Fraction(1024, 3), Fraction(120, 1), None, None)
    """
    match tree:
        case Number(value):
            return value
        case Terms(parts):
            terms = [(sign, constant(part)) for sign, part in parts]
            return None if any(t is None for _, t in terms) else sum(
                ((t if sign == "+" else -t) for sign, t in terms if t is not None), Fraction(0)
            )  # fmt: skip
        case Factors(parts):
            found = Fraction(1)
            for sign, part in parts:
                factor = constant(part)
                # A quotient by 0 has no value; the reader of the whole statement says so with its column.
                if factor is None or (sign == "/" and factor == 0):
                    return None
                found = found * factor if sign == "*" else found / factor
            return found
        case Power(base, exponent):
            return _power(constant(base), constant(exponent))
        case Call(name, arguments):
            values = [constant(a) for a in arguments]
            known = [v for v in values if v is not None]
            return _called(name, known) if len(known) == len(values) else None
    return None


def _power(base: Fraction | None, exponent: Fraction | None) -> Fraction | None:
    """Return a rational to an integer power; None for 0 to a negative one, other exponents, and too many bits."""
    if base is None or exponent is None or exponent.denominator != 1:
        return None
    # 1/0 has no value; that it is written is judged elsewhere, as a condition.
    if base == 0 and exponent < 0:
        return None
    # The product bounds the bits of the result, and is known without computing it.
    if abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > MOST_BITS:
        return None
    return Fraction(base ** int(exponent))


def _called(name: str, values: list[Fraction]) -> Fraction | None:
    """Return the exact value of a function at rationals; None for the functions that leave the rationals."""
    simple = _SIMPLE.get(name)
    if simple is not None:
        return Fraction(simple(values))
    whole = all(v.denominator == 1 and 0 <= v <= LARGEST_POWER for v in values)
    if name == "factorial" and whole:
        return Fraction(math.factorial(int(values[0])))
    if name == "gamma" and whole and values[0] > 0:
        return Fraction(math.factorial(int(values[0]) - 1))
    if name == "binomial" and whole:
        return Fraction(math.comb(int(values[0]), int(values[1])))
    return None


def zeta(order: int) -> Expression:
    """Return the value of zeta at an integer from 2 on: at even ones a rational times a power of pi.

    Examples:
        >>> from rgm_verify.statements.trees import text
        >>> text(zeta(2)), text(zeta(3)), text(zeta(4))
        ('pi^2/6', 'zeta(3)', 'pi^4/90')
    """
    if order % 2:
        return Call("zeta", (Number(Fraction(order)),))
    bernoulli = [Fraction(1)]
    for n in range(1, order + 1):
        bernoulli.append(-sum((math.comb(n + 1, k) * b for k, b in enumerate(bernoulli)), Fraction(0)) / (n + 1))
    half = abs(bernoulli[order]) * Fraction(2) ** (order - 1) / math.factorial(order)
    power, bottom = Power(Name("pi"), Number(Fraction(order))), Number(Fraction(half.denominator))
    if half.numerator == 1:
        return Factors((("*", power), ("/", bottom)))
    return Factors((("*", Number(Fraction(half.numerator))), ("*", power), ("/", bottom)))


def _is_e(tree: Expression) -> bool:
    """Return whether a tree is the base of natural logarithms."""
    return isinstance(tree, Name) and tree.name == "e"


_FLOATS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "arctan": math.atan,
    "cot": lambda x: 1 / math.tan(x), "sec": lambda x: 1 / math.cos(x), "csc": lambda x: 1 / math.sin(x),
    "coth": lambda x: 1 / math.tanh(x), "sech": lambda x: 1 / math.cosh(x), "csch": lambda x: 1 / math.sinh(x),
    "abs": abs, "min": min, "max": max, "gamma": math.gamma, "loggamma": math.lgamma,
    "factorial": lambda x: math.gamma(x + 1),
}  # fmt: skip


def _nearly(tree: Expression) -> float | None:
    """Return a float near the value of a tree without variables, `inf` beyond the floats; None where it is not known.

    It only tells enormous numbers from others, so that rounding does not matter: the limit is far from every number
    that a lens can handle. No verdict depends on it, and nothing is proved by it.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> _nearly(parse("exp(710) > x").says.sides[0]), _nearly(parse("x + 1 > 0").says.sides[0])
        (inf, None)
    """
    try:
        match tree:
            case Number(value):
                return float(value)
            case Name(name):
                return {"pi": math.pi, "e": math.e}.get(name)
            case Terms(parts):
                terms = [(sign, _nearly(part)) for sign, part in parts]
                known = [-t if sign == "-" else t for sign, t in terms if t is not None]
                return math.fsum(known) if len(known) == len(terms) else None
            case Factors(factors):
                found = 1.0
                for stroke, part in factors:
                    factor = _nearly(part)
                    if factor is None:
                        return None
                    found = found * factor if stroke == "*" else found / factor
                return found
            case Power(base, exponent):
                low, high = _nearly(base), _nearly(exponent)
                return None if low is None or high is None or (low < 0 and high % 1) else math.pow(low, high)
            case Call(name, arguments):
                values = [_nearly(a) for a in arguments]
                function = _FLOATS.get(name)
                return None if function is None or None in values else float(function(*values))
    # Beyond the floats is beyond every limit here; the sign does not matter.
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return None
    return None


def refuse_large(text: str, several: Sequence[Expression]) -> None:
    """Raise `StatementError` at the first part of expressions that would become too large a number or polynomial.

    Numbers are counted together: differences of the expressions are taken.

    Args:
        text: The statement, for the message.
        several: The sides of its relations.

    Raises:
        StatementError: With the column of the part and the limit.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> refuse_large("9^9^9 > 0", parse("9^9^9 > 0").says.sides)
        Traceback (most recent call last):
        rgm_verify.statements.tokens.StatementError: column 1: a number of more than 3900 digits may come of this; ...
    """
    sizes = _Sizes(text)
    bits = 0
    for tree in several:
        sizes.monomials(tree)
        sizes.tower(tree)
        bits += sizes.bits(tree)
        sizes.refuse_bits(tree, bits)


class _Sizes:
    """One look at an expression; `text` is what the messages point into.

    Each method goes down a tree and returns a bound on one size of what would come of it, and refuses the tree where
    the bound is above its limit. Bounds are cheap: nothing is expanded, and no power is taken.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def fail(self, tree: Expression, problem: str) -> None:
        """Raise `StatementError` at the column of a tree."""
        raise StatementError(self.text, tree.position, problem)

    def bits(self, tree: Expression) -> int:
        """Return a bound on the bits of what the constants of a tree may come to.

        The bits of a sum add up like those of a product, since the denominators of fractions are multiplied. A variable
        counts one bit, so that a power of many variables is not free.

        Raises:
            StatementError: For more bits than `MOST_BITS`.
        """
        found = 0
        match tree:
            case Number(value):
                found = max(value.numerator.bit_length(), value.denominator.bit_length())
            case Name():
                found = 1
            case Terms(parts) | Factors(parts):
                found = sum(self.bits(part) for _, part in parts)
            case Power(base, exponent):
                found = self.bits(base) * self.exponent(tree, constant(exponent)) + self.bits(exponent)
            case Call(name, arguments):
                found = sum(map(self.bits, arguments)) + self.whole(tree, name, arguments)
            case Series(_, _, first, last, body):
                ends = [end for end in (first, last) if end is not None]
                found = sum(map(self.bits, ends)) + self.bits(body) * self.length(tree)
        self.refuse_bits(tree, found)
        return found

    def refuse_bits(self, tree: Expression, bits: int) -> None:
        """Raise `StatementError` for more bits than `MOST_BITS`, in decimal digits as the author counts."""
        if bits > MOST_BITS:
            most = MOST_BITS * 3 // 10
            self.fail(tree, f"a number of more than {most} digits may come of this; at most that many are allowed")

    @staticmethod
    def length(tree: Series) -> int:
        """Return by how much a sum or product between numbers makes numbers longer; 1 for other ends.

        A series with a variable end is not written out by anybody, and so it stays as short as its term. One of
        `MOST_TERMS` terms or more is refused by `series`.
        """
        if tree.kind == "integral" or tree.first is None or tree.last is None:
            return 1
        first, last = constant(tree.first), constant(tree.last)
        if first is None or last is None or not 0 <= last - first < MOST_TERMS:
            return 1
        return int(last - first + 1) * max(1, int(abs(last)).bit_length())

    def exponent(self, tree: Power, exponent: Fraction | None) -> int:
        """Return by how much a power makes numbers longer: its exponent, 1 where that is no number.

        A power of e stays a function for SymPy and makes no digits; `refuse_fast` bounds its value.

        Raises:
            StatementError: For an exponent above `LARGEST_POWER` of something that is no number, and for a root of such
                a degree.
        """
        if exponent is None:
            return 1
        if _is_e(tree.base):
            return 1
        # Of a number the bits are counted, and a large power of 1 or of e may be harmless.
        large = abs(exponent.numerator) > LARGEST_POWER and constant(tree.base) is None
        if large or exponent.denominator > LARGEST_POWER:
            self.fail(tree.exponent, f"the exponent {_short(exponent)}: numbers up to {LARGEST_POWER} are allowed")
        return max(1, math.ceil(abs(exponent)))

    def whole(self, tree: Expression, name: str, arguments: tuple[Expression, ...]) -> int:
        """Return the bits of a factorial or its like of a number; refuse one of a large number.

        Returns:
            n log2(n + 2) for the largest argument n, which is above log2(n!); 0 for other functions.
        """
        if name not in _WHOLE:
            return 0
        values = [constant(a) for a in arguments]
        large = next((v for v in values if v is not None and abs(v) > LARGEST_POWER), None)
        if large is not None:
            self.fail(tree, f"{name} of {_short(large)}: numbers up to {LARGEST_POWER} are allowed")
        # An argument with variables is not computed, whatever its value would be.
        if any(v is None for v in values):
            return 0
        # An upper bound for all of them, by the factorial of the largest argument.
        size = max(float(abs(v)) for v in values if v is not None)
        return int(size * math.log2(size + 2))

    def tower(self, tree: Expression) -> int:
        """Return how many exponentials stand in each other's exponents; refuse too many.

        At a point such as x = 10 the value of `exp(exp(exp(x)))` has more digits than any memory holds, although no
        constant in the text is large.
        """
        match tree:
            case Power(base, exponent) if constant(exponent) is None:
                above = self.tower(exponent)
                self.refuse_fast(tree, base, exponent)
                # The lenses know more of exp than of other powers: those count twice in an exponent.
                found = max(self.tower(base), above + (above > 0 and not _is_e(base))) + 1
            case Power(base, exponent):
                self.refuse_fast(tree, base, exponent)
                found = self.tower(base)
            case Call(name, arguments):
                if name in ("exp", "sinh", "cosh"):
                    self.refuse_fast(tree, Name("e"), arguments[0])
                found = (name in _FAST) + max(map(self.tower, arguments))
            case Terms(parts) | Factors(parts):
                found = max(self.tower(part) for _, part in parts)
            case Series(_, _, first, last, body):
                found = max(self.tower(part) for part in (first, last, body) if part is not None)
            case _:
                found = 0
        if found > HIGHEST_TOWER:
            self.fail(tree, f"more than {HIGHEST_TOWER} exponentials or factorials inside of each other")
        return found

    def refuse_fast(self, tree: Expression, base: Expression, exponent: Expression) -> None:
        """Refuse a power of numbers that is beyond every arithmetic.

        Args:
            tree: Where the message points.
            base: The base, e for an exponential.
            exponent: The exponent. Where it or the base has a variable in it nothing is known, and nothing is refused.
        """
        low, high = _nearly(base), _nearly(exponent)
        # Without a positive base near a number nothing is known of the size, and the lenses have to see.
        if low is None or high is None or low <= 0:
            return
        if abs(high) * max(1.0, abs(math.log(low)) if low < math.inf else math.inf) > LARGEST_EXPONENT:
            self.fail(tree, f"a number beyond exp({LARGEST_EXPONENT}) or its reciprocal")

    def monomials(self, tree: Expression) -> int:
        """Return how many products of variables are left when a tree is multiplied out; refuse too many.

        It is an upper bound: terms that cancel or coincide are counted apart. Every lens that expands a polynomial pays
        for this number, and several do so before they look at a clock.
        """
        self.bits(tree)
        found = 1
        match tree:
            case Terms(parts):
                found = sum(self.monomials(part) for _, part in parts)
            case Factors(parts):
                found = math.prod(self.monomials(part) for _, part in parts)
            case Power(base, exponent):
                found = self.power(base, exponent)
            case Call(_, arguments):
                for argument in arguments:
                    self.monomials(argument)
            case Series():
                found = self.series(tree)
        if found > MOST_MONOMIALS:
            self.fail(
                tree, f"more than {MOST_MONOMIALS} products when this is multiplied out; state it in smaller parts"
            )
        return found

    def power(self, base: Expression, exponent: Expression) -> int:
        """Return the number of products in a power that is multiplied out.

        A sum of n terms to the power k has as many as there are multisets of k terms; other exponents stay as they are.
        A negative exponent counts like its opposite, as quotients are cleared of denominators.
        """
        terms = self.monomials(base)
        self.monomials(exponent)
        degree = constant(exponent)
        if degree is None or degree.denominator != 1 or constant(base) is not None:
            return 1
        count = abs(int(degree))
        return math.comb(count + terms - 1, count) if terms < MOST_MONOMIALS else MOST_MONOMIALS + 1

    def series(self, tree: Series) -> int:
        """Return the number of products in a sum between numbers; 1 for what is not written out.

        Raises:
            StatementError: For `MOST_TERMS` terms or more between numbers, and for parts that are too large by
                themselves.
        """
        ends = [part for part in (tree.first, tree.last) if part is not None]
        for part in ends:
            self.monomials(part)
        inner = self.monomials(tree.body)
        # What is not written out costs one product, whatever its value is.
        if tree.kind == "integral" or len(ends) < 2:
            return 1
        first, last = map(constant, ends)
        if first is None or last is None:
            return 1
        if last - first >= MOST_TERMS:
            self.fail(tree, f"a {tree.kind} of more than {MOST_TERMS} terms between numbers; let an end be a variable")
        return max(1, inner * int(last - first + 1)) if tree.kind == "sum" else 1


def _short(value: Fraction) -> str:
    """Return a number for a message, cut where it is long.

    The bits are asked before the digits: writing out a huge integer in decimals is slow by itself, and Python refuses
    it.
    """
    text = str(value) if value.numerator.bit_length() + value.denominator.bit_length() < 300 else "of that size"
    return text if len(text) <= 30 else f"{text[:30]}..."
