"""Exact points and what is certain of a formula there, definedness included.

A coordinate is a rational number, or an exact constant such as sqrt(3), a root of a polynomial, or
exp(1/2). A relation one of whose sides is not a real number at a point is not true there:
`undefined_part` says which term it is and why.

Truth has four values. True and False are certain, `UNDEFINED` means that the formula certainly has a
term without a value that matters, and None that the precision did not tell. None is never rounded to
anything: a lens that gets it has not looked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import sympy

from rgm_verify.balls.binding import BINDERS, At, evaluated, placed
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, holds, relations
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.solvers.definedness import Unknown, continuous_parts, evident, needs, parts, tells
from rgm_verify.terms.table import found

if TYPE_CHECKING:
    from rgm_verify.balls.enclose import Enclosure

#: A coordinate: a rational number, or a constant of SymPy's whose value is real.
Value: TypeAlias = "Fraction | sympy.Expr"
Point: TypeAlias = "dict[sympy.Symbol, Value]"

#: Where a formula cannot be true, because a term of it is undefined; not the same as its being false.
UNDEFINED = "undefined"
# Beyond this many bits two sides that still agree are taken to be open, and algebra is asked.
_BITS = 4096
#: Integrands with higher powers are not factored.
_HIGHEST_FACTORED = 32
#: A root of a polynomial that has no shorter form, and the precisions at which one is enclosed.
ROOT = sympy.polys.rootoftools.ComplexRootOf
_ROOT_BITS = (64, 256, 1024)
#: Larger constants are not given to the algorithms for algebraic numbers.
_LARGEST_ALGEBRAIC = 60
#: The terms of a sum that are looked at for one without a value.
_MOST_TERMS = 100
#: What SymPy may work out at a rational point: operations, and binary digits of the coordinates.
_SHORT_EXPRESSION, _SHORT_NUMBER = 20, 12


@dataclass(frozen=True)
class Gap:
    """A term of a formula that is not a real number at a point, and the condition that it breaks there.

    Attributes:
        term: The term.
        condition: The relation that the term needs and that certainly fails.
    """

    term: sympy.Expr
    condition: Relation


def split(
    expression: sympy.Expr, point: Mapping[sympy.Symbol, Value]
) -> tuple[sympy.Expr, dict[sympy.Symbol, Fraction]]:
    """Put the coordinates that are not rational into an expression; return it with the rational ones.

    Args:
        point: A value for each symbol.

    Returns:
        The expression with constants in place, and the rational coordinates that are left for ball
        arithmetic.
    """
    constants = {s: v for s, v in point.items() if not isinstance(v, Fraction)}
    rational = {s: v for s, v in point.items() if isinstance(v, Fraction)}
    return placed(expression, constants), rational


def exact(value: sympy.Expr) -> Value:
    """A constant as a Fraction where it is rational.

    Args:
        value: A constant of SymPy's.
    """
    return Fraction(int(value.p), int(value.q)) if isinstance(value, sympy.Rational) else value


def sign(expression: sympy.Expr, point: Mapping[sympy.Symbol, Value], *, maximum_bits: int = _BITS) -> str:
    """The certain sign of an expression at an exact point, `unknown` where it is not settled.

    By Arb; where a coordinate is not rational, a value that no precision tells from 0 is shown to be 0 symbolically.

    Args:
        point: An exact value for each free symbol.
        maximum_bits: The precision at which Arb gives up.

    Returns:
        `positive`, `negative`, `zero` or `unknown`; `zero` only by an exact enclosure or by algebra.
    """
    from rgm_verify.balls.enclose import sign_at
    from rgm_verify.balls.program import UnsupportedExpression

    try:
        there, rational = split(expression, point)
        if _has_no_value(there):
            return "unknown"
        # Arb does not know these roots: they are enclosed as intervals first.
        if there.has(ROOT):
            return _sign_at_roots(there, rational)
        found = str(sign_at(there, rational, maximum_bits=maximum_bits))
    except (UnsupportedExpression, OverflowError, MemoryError):
        return "unknown"
    if found in ("positive", "negative", "zero"):
        return found
    constants = len(rational) < len(point)
    # SymPy writes 3**100000 out, and would take minutes over what Arb has enclosed at once.
    if not constants and not _is_short(there, rational):
        return found
    try:
        number = placed(there, {s: as_sympy(v) for s, v in rational.items()})
    except (ValueError, TypeError):  # SymPy cannot order the arguments of a maximum that nothing tells apart
        return found
    # Arb sees that a value is near 0, and never that it is 0: that is for algebra.
    return "zero" if number == 0 or (constants and _vanishes(number)) else found


def enclosed(expression: sympy.Expr, point: Mapping[sympy.Symbol, Value], *, digits: int = 12) -> Enclosure:
    """An enclosure of the value at an exact point: of so many digits, or of a ball around a root of a polynomial.

    Raises `UnsupportedExpression` where there is no ball arithmetic.
    """
    from rgm_verify.balls.enclose import enclose, enclose_over

    there, rational = split(expression, point)
    if not there.has(ROOT):
        return enclose(there, rational, digits=digits)
    inside, box = _around_roots(there, rational, _ROOT_BITS[-1])
    return enclose_over(inside, box, bits=2 * _ROOT_BITS[-1])


def _sign_at_roots(expression: sympy.Expr, rational: Mapping[sympy.Symbol, Fraction]) -> str:
    """The certain sign of an expression that holds roots of polynomials; `zero` by algebra alone.

    Each root is enclosed between rationals, and the expression is evaluated over these intervals: a sign that holds on
    all of them holds at the roots.
    """
    from rgm_verify.balls.enclose import enclose_over
    from rgm_verify.balls.program import UnsupportedExpression

    # First, since no enclosure of a zero ever tells.
    if _vanishes(placed(expression, {s: as_sympy(v) for s, v in rational.items()})):
        return "zero"
    for bits in _ROOT_BITS:
        try:
            inside, box = _around_roots(expression, rational, bits)
        except UnsupportedExpression:
            return "unknown"
        found = enclose_over(inside, box, bits=2 * bits).sign()
        if found in ("positive", "negative"):
            return found
    return "unknown"


def _around_roots(
    expression: sympy.Expr, rational: Mapping[sympy.Symbol, Fraction], bits: int
) -> tuple[sympy.Expr, dict[sympy.Symbol, tuple[Fraction, Fraction]]]:
    """The expression with a symbol for each root, and the box of all symbols: points, and intervals around the roots.

    Sturm's theorem counts one zero of the root's polynomial in its interval. Raises `UnsupportedExpression`.
    """
    from rgm_verify.balls.program import UnsupportedExpression

    names, box = {}, {s: (v, v) for s, v in rational.items()}
    for i, root in enumerate(sorted(expression.atoms(ROOT), key=str)):
        if not root.is_real:
            raise UnsupportedExpression(f"{root}: no real number")
        names[root] = sympy.Symbol(f"root of a polynomial, {i}", real=True)
        middle, step = root.eval_rational(sympy.Rational(1, 2**bits), 0), sympy.Rational(2, 2**bits)
        # With two zeros in the interval the enclosure would be of either of them.
        if sympy.Poly(root.expr, *root.expr.free_symbols).count_roots(middle - step, middle + step) != 1:
            raise UnsupportedExpression(f"{root}: its interval holds several zeros")
        low, high = middle - step, middle + step
        box[names[root]] = (Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q)))
    return expression.xreplace(names), box


@lru_cache(maxsize=4096)
def _has_no_value(expression: sympy.Expr) -> bool:
    """Return whether the expression contains an infinity or a NaN of SymPy's."""
    return bool(expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo))


def _is_short(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> bool:
    """Return whether SymPy may work an expression out at a rational point: it writes powers of long numbers out."""
    digits = (max(abs(v.numerator), v.denominator).bit_length() for v in point.values())
    return all(n <= _SHORT_NUMBER for n in digits) and sympy.count_ops(expression) <= _SHORT_EXPRESSION


#: Functions that SymPy works out at integers, whatever their size, and what it may have to write for one of them.
_PRODUCTS = (sympy.gamma, sympy.factorial, sympy.binomial, sympy.RisingFactorial, sympy.FallingFactorial, sympy.zeta)
_LARGEST_PRODUCT = 10_000
_MOST_WRITTEN = 50_000
_SMALL_EXPONENT = 64


def with_numbers(expression: sympy.Expr, values: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr | None:
    """Return an expression with numbers in the place of symbols, None where SymPy would write out a number without end.

    It works out powers of rational numbers and factorials as they are made: 3^(10^9) would take gigabytes.

    Args:
        values: Exact constants by symbol; other symbols stay.

    Examples:
        >>> x = sympy.Symbol("x")
        >>> with_numbers(2**x + 1, {x: sympy.Integer(3)}), with_numbers(2**x + 1, {x: sympy.Integer(10) ** 9})
        (9, None)
    """
    if not _grows(expression):
        return expression.xreplace(values)
    if not expression.args or expression.free_symbols.isdisjoint(values):
        return values.get(expression, expression)
    inner = [with_numbers(part, values) for part in expression.args]
    if any(part is None for part in inner) or _bits_written(expression, inner) > _MOST_WRITTEN:
        return None
    return expression.func(*inner)


@lru_cache(maxsize=20_000)
def _grows(expression: sympy.Expr) -> bool:
    """Return whether numbers in it may become far longer: powers with symbols or large numbers above, factorials."""
    powers = any(not (n.exp.is_Rational and abs(n.exp) <= _SMALL_EXPONENT) for n in expression.atoms(sympy.Pow))
    return powers or any(isinstance(n, _PRODUCTS) or n.has(sympy.log) for n in expression.atoms(*_PRODUCTS, sympy.exp))


def _bits_written(node: sympy.Basic, inner: Sequence[sympy.Expr]) -> int:
    """Return the bits of the number that SymPy may make of a power or a factorial of some parts, roughly."""
    if isinstance(node, _PRODUCTS):
        large = any(abs(part) > _LARGEST_PRODUCT for part in inner if part.is_Rational)
        return _MOST_WRITTEN + 1 if large else 0
    # exp(n log 2) becomes 2^n.
    logs = inner[0].atoms(sympy.log) if isinstance(node, sympy.exp) else set()
    if not (isinstance(node, sympy.Pow) or logs) or inner[0] in (0, 1, -1):
        return 0
    written = sum(_bits(n) for base in (logs or inner[:1]) for n in base.atoms(sympy.Rational))
    return written * max((math.ceil(abs(n)) for n in inner[-1].atoms(sympy.Rational)), default=0)


def _bits(value: sympy.Rational) -> int:
    return int(value.p).bit_length() + int(value.q).bit_length()


def as_sympy(value: Value) -> sympy.Expr:
    """A coordinate as SymPy writes it.

    Args:
        value: A coordinate.
    """
    return sympy.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value


@lru_cache(maxsize=4096)
def _vanishes(constant: sympy.Expr) -> bool:
    """Show that a constant is 0, by the polynomial of an algebraic number or by SymPy's reductions; False if open.

    No number of digits shows that a constant is 0; a minimal polynomial or an identity does.
    """
    if constant.free_symbols:
        return False
    constant = evaluated(constant)
    roots = constant.atoms(ROOT)
    # One root has one polynomial to divide by; of two nothing is known together.
    if len(roots) == 1:
        return _vanishes_at_root(constant, roots.pop())
    if roots or sympy.count_ops(constant) > _LARGEST_ALGEBRAIC:
        return False
    return bool(is_zero(constant))


def _vanishes_at_root(constant: sympy.Expr, root: sympy.Expr) -> bool:
    """Return whether a constant with one root of a polynomial is 0, by division by the polynomial of
    that root.

    The polynomial need not be minimal: a remainder 0 makes the constant vanish at each of its roots.
    """
    unknown = sympy.Dummy("root")
    numerator = sympy.numer(sympy.together(constant.xreplace({root: unknown})))
    # A root within an exponential is beyond division.
    if not numerator.is_polynomial(unknown):
        return False
    polynomial = sympy.Poly(root.expr, *root.expr.free_symbols)
    minimal = sympy.Poly(polynomial.as_expr().xreplace({polynomial.gen: unknown}), unknown)
    return bool(sympy.Poly(numerator, unknown).rem(minimal).is_zero)


@lru_cache(maxsize=2048)
def conditional(relation: Relation) -> tuple[sympy.Expr, ...]:
    """The terms of a relation whose being defined is not plain from the declared domains, arguments first.

    Returns:
        Nodes in an order in which arguments come before what stands around them.
    """
    found = dict.fromkeys(node for side in (relation.lhs, relation.rhs) for node in parts(side))
    return tuple(node for node in found if not all(evident(r) for r in needs(node)))


def undefined_part(relation: Relation, point: Mapping[sympy.Symbol, Value]) -> Gap | None:
    """The first term that certainly is no real number at the point, or None.

    Args:
        point: A value for each free symbol.
    """
    for node in conditional(relation):
        # Arguments come first, so that the innermost reason is the one that is told.
        broken = _broken(node, point)
        if broken is not None:
            return Gap(node, broken)
    return None


def _broken(node: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The condition of a term that certainly fails at the point; only where the term certainly has no real value."""
    if isinstance(node, sympy.Pow):
        return _broken_power(node, point)
    if isinstance(node, BINDERS):
        return _broken_inside(node, point)
    if isinstance(node, sympy.Integral):
        return _diverging(node, point)
    row = found(node)
    if row is not None and row[0].poles:
        return _pole(node, point)
    exact_needs = tells(node) or isinstance(node, sympy.loggamma) or type(node).__name__.startswith("LogRem")
    if not exact_needs:
        return None  # other functions are real also outside of what `needs` asks for
    known = (need for need in needs(node) if not isinstance(need, Unknown))
    return next((r for r in known if holds(r, lambda e: sign(e, point)) is False), None)


def _pole(node: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The condition that a function breaks at a pole: that its argument is more than the pole there."""
    condition, *others = needs(node)
    if others or isinstance(condition, Unknown):
        return None
    there = value_at(condition.gap, point)
    # The poles are all integers from the first one downwards.
    return condition if there is not None and there <= 0 and there.denominator == 1 else None


def _broken_power(node: sympy.Pow, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """Return the condition that a power breaks: division by 0, or a root of a negative number.

    A negative base with an exponent that is not seen to be rational is left open, and so is 0 to the
    power 0.
    """
    base, exponent = node.args
    value = exponent_at(exponent, point)
    below = sign(base, point)
    # A power of 0 is undefined for a negative exponent alone, 0^0 is 1 here.
    if below == "zero":
        return Relation(base, "!=", sympy.S.Zero) if sign(exponent, point) == "negative" else None
    if below != "negative" or value is None or value.denominator == 1:
        return None
    return Relation(base, ">=" if value > 0 else ">", sympy.S.Zero)


def _broken_inside(node: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The condition that the function below a derivative, a substitution or a sum certainly breaks at the point."""
    if isinstance(node, sympy.Derivative):
        return _first_broken(node.args[0], point)
    if isinstance(node, At):
        at = {s: value_at(place, point) for s, place in zip(node.variables, node.point, strict=True)}
        there = {s: v for s, v in point.items() if s not in at} | {s: v for s, v in at.items() if v is not None}
        # A place whose value is not known leaves the function open.
        if len(there) < len(set(point) | set(at)):
            return None
        return _placed_condition(_first_broken(node.args[0], there), {s: there[s] for s in node.variables})
    *inner, (index, first, last) = node.limits
    # The inner sum is a term of the outer one, with an end that may be its index.
    term = node.func(node.function, *inner) if inner else node.function
    low, high = value_at(first, point), value_at(last, point)
    if low is None or high is None or low.denominator != 1 or high.denominator != 1 or high - low > _MOST_TERMS:
        return None
    for k in range(int(low), int(high) + 1):
        condition = _first_broken(term, {**point, index: Fraction(k)})
        if condition is not None:
            return _placed_condition(condition, {index: Fraction(k)})
    return None


def _first_broken(expression: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The first condition of a term of an expression that certainly fails at the point."""
    return next((c for part in parts(expression) if (c := _broken(part, point)) is not None), None)


def _placed_condition(condition: Relation | None, values: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """A condition with the values of bound variables in it."""
    if condition is None:
        return None
    constants = {s: as_sympy(v) for s, v in values.items()}
    return Relation(placed(condition.lhs, constants), condition.op, placed(condition.rhs, constants))


def _diverging(node: sympy.Integral, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The condition that an integral breaks at the point: that a pole of its integrand is not between its ends.

    The integrand is (t - c)^-p with p >= 1 times something that is continuous at a rational c between the ends and has
    a sign there, so that the integral over one side of c is infinite; or a root or a logarithm of it is not real.
    """
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        return None
    variable, first, last = node.limits[0]
    ends = [value for end in (first, last) if (value := value_at(end, point)) is not None]
    # From a place to itself every integral is 0.
    if len(ends) < 2 or ends[0] == ends[1]:
        return None
    t = sympy.Symbol("(between the ends)", real=True)
    there = {s: as_sympy(v) for s, v in point.items() if s != variable}
    placed_in = placed(node.function.xreplace({variable: t}), there)
    broken = _not_real_at_an_end(placed_in, t, ends)
    if broken is not None:
        return broken
    # Without a denominator there is no pole, and what has a high power is multiplied out by what factors it.
    powers = [p for p in sympy.ordered(placed_in.atoms(sympy.Pow)) if p.base.has(t) and p.exp.is_Rational]
    if all(p.exp > 0 for p in powers) or any(abs(p.exp) > _HIGHEST_FACTORED for p in powers):
        return None
    integrand = sympy.factor(sympy.together(placed_in))
    factors = [factor.as_base_exp() for factor in sympy.Mul.make_args(integrand)]
    for place, (base, exponent) in enumerate(factors):
        # A pole of an order below 1 can be integrated over.
        if not (exponent.is_Rational and exponent <= -1 and base.is_polynomial(t) and base.has(t)):
            continue
        polynomial = sympy.Poly(base, t)
        rational_roots = polynomial.ground_roots() if all(c.is_Rational for c in polynomial.coeffs()) else {}
        for c, times in rational_roots.items():
            if not min(ends) <= Fraction(int(c.p), int(c.q)) <= max(ends):
                continue
            left = sympy.cancel(base / (t - c) ** times) ** exponent
            rest = sympy.Mul(left, *(b**e for k, (b, e) in enumerate(factors) if k != place))
            # Another factor that vanishes or has no value there could take the pole away.
            if _is_continuous_with_a_sign(rest, t, c):
                return Relation((c - first) * (c - last), ">", sympy.S.Zero)
    return None


def _not_real_at_an_end(integrand: sympy.Expr, t: sympy.Symbol, ends: list[Fraction]) -> Relation | None:
    """The condition of a root or a logarithm of a polynomial that fails at an end by a margin, and so on a range."""
    for part in parts(integrand):
        root = isinstance(part, sympy.Pow) and part.exp.is_Rational and not part.exp.is_Integer
        if not (root or isinstance(part, sympy.log)) or not part.args[0].is_polynomial(t):
            continue
        for end in ends:
            there = part.args[0].xreplace({t: as_sympy(end)})
            if sign(there, {}) == "negative":
                return Relation(there, ">=", sympy.S.Zero)
    return None


def _is_continuous_with_a_sign(rest: sympy.Expr, t: sympy.Symbol, c: sympy.Rational) -> bool:
    """Return whether an expression is continuous at a point, by its terms, and certainly not 0 there."""
    at: dict[sympy.Symbol, Value] = {t: Fraction(int(c.p), int(c.q))}
    for part, between in continuous_parts(sympy.Integral(rest, (t, c, c + 1))):
        for need in needs(part):
            if isinstance(need, Unknown):
                return False
            inside = Relation(need.lhs.xreplace({between: t}), need.op, need.rhs.xreplace({between: t}))
            if holds(inside, lambda e: sign(e, at)) is not True:
                return False
    return sign(rest, at) in ("positive", "negative")


def value_at(expression: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Value | None:
    """The exact value of an expression at a point where it is seen to be rational, else None.

    Args:
        point: A value for each free symbol.
    """
    there = exact(evaluated(placed(expression, {s: as_sympy(v) for s, v in point.items()})))
    return there if isinstance(there, Fraction) else None


def exponent_at(exponent: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Fraction | None:
    """The exact value of an exponent, None where it is not seen to be rational.

    Args:
        exponent: The exponent of a power.
        point: A value for each free symbol.
    """
    placed = exponent.xreplace({s: as_sympy(v) for s, v in point.items()})
    return Fraction(int(placed.p), int(placed.q)) if isinstance(placed, sympy.Rational) else None


Truth: TypeAlias = "bool | str | None"


def truth_at(formula: Formula, decide: Callable[[Relation], Truth]) -> Truth:
    """Return what is certain of a formula: True, False, `UNDEFINED` (it cannot be true), or None.

    A part that is not defined does no harm where another part settles the formula: `x > 0 implies log(x) < x` is true
    at x = -1.

    Returns:
        The truth of the whole; never more certain than its parts.

    Examples:
        >>> import sympy
        >>> from rgm_verify.claims.formula import both, either, ge, le
        >>> x = sympy.Symbol("x")
        >>> known = {ge(x, 0): True, le(x, 1): None}
        >>> truth_at(both(ge(x, 0), le(x, 1)), known.get) is None
        True
        >>> truth_at(either(ge(x, 0), le(x, 1)), known.get)
        True
    """
    match formula:
        case Relation():
            return decide(formula)
        case All(members):
            return _every([truth_at(p, decide) for p in members])
        case Either(members):
            return _opposite(_every([_opposite(truth_at(p, decide)) for p in members]))
        case Implies(left, right):
            return _opposite(_every([truth_at(left, decide), _opposite(truth_at(right, decide))]))
        case Iff(left, right):
            first, second = truth_at(left, decide), truth_at(right, decide)
            if UNDEFINED in (first, second):
                # Even if the other side is open: an equivalence with a side without meaning is not true.
                return UNDEFINED
            return None if first is None or second is None else first == second


def _every(values: Iterable[Truth]) -> Truth:
    """Return the truth of a conjunction: a false part settles it, an open part keeps it open."""
    found = list(values)
    if any(v is False for v in found):
        return False
    if any(v is None for v in found):
        # Whatever the open ones are, a conjunction with an undefined part is not true; its opposite may be.
        return None
    return UNDEFINED if UNDEFINED in found else True


def _opposite(value: Truth) -> Truth:
    """Return the truth of the negation; what is undefined or open stays so."""
    return (not value) if isinstance(value, bool) else value


def truth_by_arb(formula: Formula, point: Mapping[sympy.Symbol, Value], *, maximum_bits: int = _BITS) -> Truth:
    """Return what Arb is certain of at an exact point.

    Args:
        point: A value for each free symbol.
        maximum_bits: The precision at which Arb gives up.
    """

    def decide(relation: Relation) -> Truth:
        if undefined_part(relation, point) is not None:
            return UNDEFINED
        return holds(relation, lambda e: sign(e, point, maximum_bits=maximum_bits))

    return truth_at(formula, decide)


def first_gap(formula: Formula, point: Mapping[sympy.Symbol, Value]) -> Gap | None:
    """The first term of a formula that is no real number at the point.

    Args:
        point: A value for each free symbol.
    """
    return next((gap for r in relations(formula) if (gap := undefined_part(r, point)) is not None), None)
