"""Enclosures of expressions at exact rational points, as tight as asked for.

An expression becomes a program, the program is run in balls, and the precision is doubled until the ball is narrow.
Before that exact arithmetic is tried, which alone can see that two sides meet. Programs and their balls are kept, as
most callers ask the same expressions at many points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.evaluation import compile_balls
from rgm_verify.balls.program import Program, UnsupportedExpression
from rgm_verify.balls.rationals import exact_value

if TYPE_CHECKING:
    import sympy
    from flint import arb

__all__ = ["Enclosure", "as_fraction", "enclose", "enclose_over", "evaluate_many", "sign_at"]

#: A power and what its exponent is.
Exponent: TypeAlias = "tuple[sympy.Pow, int]"


@dataclass(frozen=True)
class Enclosure:
    """A closed interval with rational ends that certainly holds a real number.

    Attributes:
        lower: the lower end; None: unbounded.
        upper: the upper end; None: unbounded.
        indeterminate: marks an evaluation that gave nothing, not even that the value exists (a pole, a logarithm of
            zero): both ends are then None.

    Raises:
        ValueError: for ends out of order, and for an indeterminate enclosure with ends.

    Examples:
        >>> thin = Enclosure(Fraction(1, 3), Fraction(1, 2))
        >>> thin.sign(), thin.width(), str(thin)
        ('positive', Fraction(1, 6), '[0.333, 0.5]')
    """

    lower: Fraction | None
    upper: Fraction | None
    indeterminate: bool = False

    def __post_init__(self) -> None:
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"lower={self.lower}, upper={self.upper}: the lower end must not exceed the upper end")
        if self.indeterminate and not (self.lower is None and self.upper is None):
            raise ValueError("indeterminate=True: an indeterminate enclosure has no ends")

    def _repr_html_(self) -> str:
        return f"<code>{self}</code>"

    def __bool__(self) -> NoReturn:
        # An interval around 0 would count as true, whatever was meant.
        raise TypeError("an enclosure is not true or false: ask for its sign()")

    def sign(self) -> str:
        """Return what is certain of the sign: positive, negative, zero, nonnegative, nonpositive or unknown.

        Only exact ends decide: a ball that touches 0 is `nonnegative` or `nonpositive`, and one that holds it inside,
        or has no finite ends, is `unknown`, however narrow it is.
        """
        low, high = self.lower, self.upper
        if low is not None and low == high == 0:
            return "zero"
        if low is not None and low >= 0:
            return "positive" if low > 0 else "nonnegative"
        if high is not None and high <= 0:
            return "negative" if high < 0 else "nonpositive"
        return "unknown"

    def contains(self, value: Fraction | int) -> bool:
        """Return whether the closed interval holds `value`; an indeterminate one holds everything. Exact."""
        return (self.lower is None or self.lower <= value) and (self.upper is None or value <= self.upper)

    def overlaps(self, other: Enclosure) -> bool:
        """Return whether the two closed intervals have a point in common; exact."""
        apart = _above(self.lower, other.upper) or _above(other.lower, self.upper)
        return not apart

    def width(self) -> Fraction | None:
        """Return upper - lower, None when unbounded; exact."""
        return None if self.lower is None or self.upper is None else self.upper - self.lower

    def midpoint(self) -> Fraction | None:
        """Return the exact middle, None when unbounded."""
        return None if self.lower is None or self.upper is None else (self.lower + self.upper) / 2

    def decimals(self, digits: int = 12) -> tuple[str, str]:
        """Return the two ends as decimal strings with `digits` significant digits, rounded outward."""
        # Outward, as a reader takes what is shown for bounds.
        low = "-inf" if self.lower is None else _decimal(self.lower, digits, ROUND_FLOOR)
        high = "inf" if self.upper is None else _decimal(self.upper, digits, ROUND_CEILING)
        return low, high

    def __str__(self) -> str:
        if self.indeterminate:
            return "[indeterminate]"
        if self.lower is not None and self.lower == self.upper:
            low, high = self.decimals(12)
            return low if low == high else f"[{low}, {high}]"
        low, high = self.decimals(_digits_to_tell_apart(self))
        return f"[{low}, {high}]"

    def to_json(self) -> dict[str, Any]:
        """Return the exact ends ("p/q" or null) and their decimals rounded outward.

        The decimals are for readers of the file; `from_json` takes the exact ends.
        """
        low, high = self.decimals()
        return {
            "lower": None if self.lower is None else str(self.lower),
            "upper": None if self.upper is None else str(self.upper),
            "decimal": [low, high],
            "indeterminate": self.indeterminate,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Enclosure:
        """Return the enclosure recorded in `data`; the decimals are for readers and are not read back.

        Raises ValueError for a missing field or an end that is no rational.
        """
        try:
            ends = [None if data[key] is None else Fraction(data[key]) for key in ("lower", "upper")]
            return cls(ends[0], ends[1], bool(data["indeterminate"]))
        except KeyError as missing:
            raise ValueError(f"enclosure: field {missing} is missing") from None


def _above(low: Fraction | None, high: Fraction | None) -> bool:
    """Tell whether one end certainly lies above another; an unbounded end lies above nothing."""
    return low is not None and high is not None and low > high


def _decimal(value: Fraction, digits: int, rounding: str) -> str:
    """Return `value` with `digits` significant digits in the given direction; dividing once makes it correct."""
    # Exponents as wide as Python allows: an end of 1e-100000 is shown as such and not as 0.
    context = Context(prec=digits, rounding=rounding, Emin=-(10**9), Emax=10**9)
    # The operands must reach the division unrounded: Decimal(int) is exact, whatever the context.
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return str(quotient.normalize(context)) if quotient else "0"


def _digits_to_tell_apart(interval: Enclosure) -> int:
    """Return enough significant digits to show the width of the interval to about two digits, between 3 and 40."""
    width, middle = interval.width(), interval.midpoint()
    if not width or not middle:
        return 3
    # The number of digits before the ends part is about the logarithm of this ratio.
    ratio = abs(middle) / width
    return max(3, min(40, len(str(ratio.numerator // ratio.denominator)) + 2))


def as_fraction(value: Any, name: str) -> Fraction:
    """Return an exact rational given as Fraction, int or sympy.Rational.

    Args:
        name: its name, for the message.

    Raises:
        TypeError: for a float, saying how to write it, and for anything else.
    """
    if isinstance(value, float):
        raise TypeError(
            f"{name}={value!r}: a float is not accepted, give Fraction({str(value)!r}) for the decimal number"
        )
    if isinstance(value, Fraction | int):
        return Fraction(value)
    # By attributes and not by its class: SymPy takes a while to load, and whoever has no such number does without it.
    numerator, denominator = getattr(value, "p", None), getattr(value, "q", None)
    if getattr(value, "is_Rational", False) and numerator is not None and denominator is not None:
        return Fraction(int(numerator), int(denominator))
    raise TypeError(f"{name}={value!r}: must be an exact rational (Fraction, int or sympy.Rational)")


def prepare(expressions: Sequence[sympy.Expr], point: Mapping[Any, Any]) -> tuple[Program, tuple[Fraction, ...]]:
    """Return the program of the expressions over the names of `point`, and the exact values in that order.

    A program that is the same at every point is kept between calls: compiling takes far longer than evaluating.

    Args:
        point: exact values by symbol or name.

    Raises:
        TypeError: for a float in `point`.
        UnsupportedExpression: as `compile_expressions`.
    """
    import sympy

    values = {_name(key): as_fraction(value, _name(key)) for key, value in point.items()}
    given = tuple(_outside_triangle(sympy.sympify(expression), values) for expression in expressions)
    # Most callers ask the same expressions at many points.
    ready = _program_everywhere(given, tuple(values))
    if ready is None:
        parsed = [_with_literal_ends(expression, values) for expression in given]
        symbols = symbols_by_name(parsed, tuple(values))
        ready = _compiled(tuple(parsed), symbols, _integer_exponents(parsed, values)), tuple(map(_name, symbols))
    program, names = ready
    return program, tuple(values[name] for name in names)


def _name(key: Any) -> str:
    """Return the name of a coordinate; to print a symbol takes far longer than to read its name."""
    name = getattr(key, "name", key)
    return name if isinstance(name, str) else str(key)


@lru_cache(maxsize=4096)
def _program_everywhere(
    expressions: tuple[sympy.Expr, ...], names: tuple[str, ...]
) -> tuple[Program, tuple[str, ...]] | None:
    """Return the program and the order of its arguments where they are the same at every point; None elsewhere.

    Sums, products and powers of a base of unknown sign depend on the point's integers.
    """
    import sympy

    # What depends on the point is compiled for the point, and cannot be kept.
    if any(e.has(sympy.Sum, sympy.Product, sympy.Integral) or _open_powers(e) for e in expressions):
        return None
    symbols = symbols_by_name(expressions, names)
    return _compiled(expressions, symbols, ()), tuple(map(_name, symbols))


@lru_cache(maxsize=4096)
def _coefficients(expression: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """Return the binomial coefficients of an expression whose entries hold no bound variable."""
    import sympy

    from rgm_verify.balls.binding import bound_symbols

    # Most expressions have none, and a search for bound variables takes longer than this look.
    found = tuple(sympy.ordered(expression.atoms(sympy.binomial)))
    return tuple(node for node in found if not node.free_symbols & bound_symbols(expression))


def _outside_triangle(expression: sympy.Expr, values: Mapping[str, Fraction]) -> sympy.Expr:
    """Return the expression with 0 for the binomial coefficients that are outside of Pascal's triangle at the point.

    Their gamma functions have no value there.
    """
    import sympy

    zeros = {}
    for node in _coefficients(expression):
        known = {s: _as_sympy(values[str(s)]) for s in node.free_symbols if str(s) in values}
        upper, lower = (entry.xreplace(known) for entry in node.args)
        if upper.is_Integer and lower.is_Integer and upper >= 0 and not 0 <= lower <= upper:
            zeros[node] = sympy.S.Zero
    inner = expression.xreplace(zeros) if zeros else expression
    # A logarithm of it stays as it is, and has no value.
    return expression if inner.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo) else inner


def _with_literal_ends(expression: sympy.Expr, values: Mapping[str, Fraction]) -> sympy.Expr:
    """Return the expression with the ends of sums and products that the point makes integers, and closed integrals.

    A sum is evaluated term by term, so that its ends must be numbers before the expression is compiled; an integrand
    may depend on nothing but the variable of its integral.
    """
    import sympy

    from rgm_verify.balls.binding import bound_symbols, placed, with_ends

    integrals = {
        e: placed(e, {s: _as_sympy(values[str(s)]) for s in e.free_symbols if str(s) in values})
        for e in expression.atoms(sympy.Integral)
        if not e.free_symbols & bound_symbols(expression)
    }
    expression = expression.xreplace(integrals) if integrals else expression

    if not expression.has(sympy.Sum, sympy.Product):
        return expression
    bound = bound_symbols(expression)
    known = {s: _as_sympy(values[str(s)]) for s in expression.free_symbols - bound if str(s) in values}
    return with_ends(expression, known)


def _integer_exponents(expressions: Sequence[sympy.Expr], values: Mapping[str, Fraction]) -> tuple[Exponent, ...]:
    """Return the powers of a base that may be negative whose exponent is an integer at the point, with that integer.

    As exp(t log x) such a power is defined for x > 0 only, although x ** 2 is a real number for every x.
    """
    # A power is one object wherever it stands, so that the compiler can look it up.
    found: dict[sympy.Pow, int] = {}
    for power in dict.fromkeys(p for e in expressions for p in _open_powers(e)):
        known = {s: _as_sympy(v) for s in power.exp.free_symbols if (v := values.get(str(s))) is not None}
        exponent = power.exp.xreplace(known)
        if exponent.is_Integer:
            found[power] = int(exponent)
    return tuple(found.items())


def _as_sympy(value: Fraction) -> sympy.Rational:
    """Return the rational as SymPy's."""
    import sympy

    return sympy.Rational(value.numerator, value.denominator)


@lru_cache(maxsize=4096)
def _open_powers(expression: sympy.Expr) -> tuple[sympy.Pow, ...]:
    """Return the powers with a variable exponent whose base is not known to be positive."""
    import sympy

    from rgm_verify.balls.binding import bound_symbols

    bound = bound_symbols(expression)
    powers = sympy.ordered(expression.atoms(sympy.Pow))
    found = (p for p in powers if not p.exp.is_number and p.base is not sympy.E)
    return tuple(p for p in found if not p.base.is_positive and not p.exp.free_symbols & bound)


@lru_cache(maxsize=4096)
def _compiled(
    expressions: tuple[sympy.Expr, ...], symbols: tuple[sympy.Symbol, ...], exponents: tuple[Exponent, ...]
) -> Program:
    """Return the program, kept by its expressions, symbols and exponents."""
    return compile_expressions(expressions, symbols, dict(exponents))


@lru_cache(maxsize=4096)
def _evaluator(program: Program, bits: int) -> Any:
    """Return the function of the first output with its constants at `bits`, which must be the precision in force."""
    return compile_balls(program, program.outputs[:1])


def symbols_by_name(expressions: Sequence[sympy.Expr], names: Sequence[str]) -> tuple[sympy.Symbol, ...]:
    """Return one symbol per name, the one that the expressions use where they use it.

    Raises UnsupportedExpression when two different symbols share a name, or one has no name in `names`.
    """
    import sympy

    used: dict[str, Any] = {}
    for symbol in sorted(set().union(*(e.free_symbols for e in expressions)), key=str):
        if str(symbol) not in names:
            allowed = ", ".join(names) or "none"
            raise UnsupportedExpression(f"{symbol}: symbol without a value; given: {allowed}")
        # Two symbols of one name, one positive and one real, say: a value by name would go to both.
        if str(symbol) in used:
            raise UnsupportedExpression(f"{symbol}: two symbols share this name but not their assumptions")
        used[str(symbol)] = symbol
    return tuple(used.get(name) or sympy.Symbol(name) for name in names)


def enclose(
    expression: sympy.Expr,
    point: Mapping[Any, Any],
    *,
    digits: int = 30,
    maximum_bits: int = 4096,
) -> Enclosure:
    """Return an enclosure of the value of `expression` at an exact rational point.

    The precision doubles until the relative width is at most 10^-digits, or the value is exactly zero, or
    `maximum_bits` is reached; the last enclosure is returned.

    Args:
        point: maps symbols or names to Fraction, int or sympy.Rational.
        digits: the relative width asked for is 10^-digits.

    Returns:
        A certain enclosure with exact ends; indeterminate where the expression may have no value.

    Raises:
        TypeError: for a float.
        UnsupportedExpression: for what ball arithmetic cannot evaluate.

    Not thread-safe.

    Examples:
        >>> import sympy
        >>> print(enclose(sympy.log(sympy.Symbol("x")), {"x": 2}, digits=5))
        [0.6931..., 0.6931...]
    """
    program, values = prepare([expression], point)
    # Three and a third bits make a digit, and some bits more are lost on the way.
    start = max(64, int(digits * 3.33) + 32)
    return _refine(program, values, start, maximum_bits, lambda found: _is_tight(found, digits))


def enclose_over(expression: sympy.Expr, box: Mapping[Any, tuple[Fraction, Fraction]], *, bits: int = 256) -> Enclosure:
    """Return an enclosure of the values of `expression` on a closed box, by one ball of `bits` bits.

    `box` maps symbols or names to exact ends. Indeterminate where a term may be undefined on the box. Raises
    UnsupportedExpression for what ball arithmetic cannot evaluate over a box.
    """
    ends = {_name(key): pair for key, pair in box.items()}
    symbols = symbols_by_name([expression], tuple(ends))
    program = _compiled((expression,), symbols, ())
    with precision(bits):
        evaluate = _evaluator(program, bits)
        sides = [tuple(map(ball, ends[str(s)])) for s in symbols]
        return from_ball(evaluate(*(low.union(high) for low, high in sides))[0])


def rational_at(expression: sympy.Expr, point: Mapping[Any, Any]) -> Fraction | None:
    """Return the value of `expression` at an exact rational point where it is seen to be rational, else None.

    Args:
        point: exact values by symbol or name.

    Raises:
        TypeError: for a float.
        UnsupportedExpression: as `compile_expressions`.
    """
    return exact_value(*prepare([expression], point))


def sign_at(expression: sympy.Expr, point: Mapping[Any, Any], *, maximum_bits: int = 4096) -> str:
    """Return the certain sign of `expression` at an exact rational point, "unknown" when the precision runs out.

    One of positive, negative, zero, nonnegative, nonpositive, unknown. Stops at the first precision that decides.
    "zero" is exact: either exact arithmetic or an exact ball has seen it.

    Args:
        point: exact values by symbol or name.

    Raises:
        TypeError: for a float.
        UnsupportedExpression: for what ball arithmetic cannot evaluate.

    Examples:
        >>> import sympy
        >>> sign_at(sympy.sqrt(2) - sympy.Rational(99, 70), {}), sign_at(sympy.sqrt(4) - 2, {})
        ('negative', 'zero')
    """
    program, values = prepare([expression], point)
    exact = exact_value(program, values)
    if exact is not None:
        return Enclosure(exact, exact).sign()
    bits, found = 64, "unknown"
    most = program.useful_bits(maximum_bits)
    # From few bits on: most signs are decided at once.
    while bits <= most:
        found = _sign_of_ball(program, values, bits)
        # A ball that touches 0 may leave it at a higher precision; only a strict answer ends the search.
        if found in ("positive", "negative", "zero"):
            break
        bits *= 2
    return found


def _sign_of_ball(program: Program, values: Sequence[Fraction], bits: int) -> str:
    """Return the sign that a ball settles; its ends, which may be numbers of gigabytes, are not written out."""
    with precision(bits):
        value = _evaluator(program, bits)(*map(ball, values))[0]
        if value > 0:
            return "positive"
        if value < 0:
            return "negative"
        if value >= 0:
            return "zero" if value <= 0 else "nonnegative"
        return "nonpositive" if value <= 0 else "unknown"


def _is_tight(found: Enclosure, digits: int) -> bool:
    """Tell whether an enclosure is narrow relative to its end nearer to 0, or a single number."""
    width = found.width()
    if width is None or found.lower is None or found.upper is None:
        return False
    smallest = min(abs(found.lower), abs(found.upper))
    return width == 0 or (found.sign() in ("positive", "negative") and width * 10**digits <= smallest)


def _refine(program: Program, values: Sequence[Fraction], start: int, maximum: int, enough: Any) -> Enclosure:
    """Return the exact value where there is one, else the enclosure at the first precision that is enough.

    The precision doubles from `start`; at the end the last enclosure is returned.
    """
    # Where both sides meet, no precision would ever be enough.
    exact = exact_value(program, values)
    if exact is not None:
        return Enclosure(exact, exact)
    maximum = program.useful_bits(maximum)
    # A limit below the start is the caller's wish to have a quick answer.
    bits = min(start, maximum)
    while True:
        found = evaluate_many(program, [values], bits)[0]
        if enough(found) or bits >= maximum:
            return found
        bits = min(2 * bits, maximum)


def evaluate_many(program: Program, points: Sequence[Sequence[Fraction]], bits: int) -> list[Enclosure]:
    """Return enclosures of the first output of the program at many exact points, at one fixed precision.

    Args:
        program: as `prepare` makes it.
        points: one rational per name of the program, in its order.
        bits: the working precision; the width of the results is what it gives.
    """
    with precision(bits):
        # Kept by program and precision: its constants belong to this one.
        evaluate = _evaluator(program, bits)
        # One block of precision for all points: entering it is not free.
        return [from_ball(evaluate(*map(ball, point))[0]) for point in points]


def from_ball(value: arb) -> Enclosure:
    """Return the rational enclosure of a ball, indeterminate for NaN."""
    if value.is_nan():
        return Enclosure(None, None, indeterminate=True)
    return Enclosure(*rational_ends(value))
