"""Statements by shapes: each construct of the grammar under each operator, in each place, with the truth.

A construct comes with a closed form that has the same value: `integral(t, 0, oo, exp(-a*t))` and `1/a`. Operators are
put on both, and the two are compared in the forms of `FORMS`, some true and some false of whatever is equal. So the
truth of each statement follows from the equality of a construct and its closed form. `holds` evaluates a statement at
a point by mpmath with 30 digits, from the recipes that stand beside the texts; it reads no text, and shares nothing
with what judges. A construct without a value makes every statement ill-posed, whatever is said of it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mpmath import mp, mpf

DIGITS: Final = 30
#: Values that are nearer than this are equal: recipes are good to `DIGITS` digits, and what differs does by 1/1000.
_SAME: Final = mpf(10) ** -18

Point = Mapping[str, mpf]


class NoValue(Exception):
    """A term has no real value at a point."""


@dataclass(frozen=True)
class Term:
    """A term of the grammar, and how mpmath computes it at a point."""

    text: str
    value: Callable[[Point], Any]
    atom: bool = False

    @property
    def inside(self) -> str:
        """The text as an operand."""
        return self.text if self.atom else f"({self.text})"


@dataclass(frozen=True)
class Construct:
    """A construct with its closed form, the domain of its variables, and points of the domain."""

    kind: str
    term: Term
    closed: Term
    given: str = ""
    points: tuple[Point, ...] = ({},)

    @property
    def has_value(self) -> bool:
        """Whether the construct has a value in its domain."""
        return self.closed is not NOTHING


@dataclass(frozen=True)
class Shape:
    """A statement: its text, what is true of it, and its truth at a point."""

    text: str
    truth: str
    construct: str
    kind: str
    operator: str
    form: str
    holds: Callable[[Point], bool]
    points: tuple[Point, ...]
    exists: bool
    conditional: bool
    """Whether points without a value are none of those that are spoken of."""


# ---------------------------------------------------------------------------------------------------------- arithmetic


def _near(value: Any) -> mpf:
    """The value, as an integer or half of one if it is one."""
    twice = mp.nint(2 * value)
    return twice / 2 if abs(2 * value - twice) < _SAME else mpf(value)


def _sign(value: Any) -> int:
    return 0 if abs(value) < _SAME else int(mp.sign(value))


def _needs(condition: bool, value: Callable[[], Any]) -> Any:
    if not condition:
        raise NoValue
    return value()


def _quotient(a: Any, b: Any) -> Any:
    return _needs(_sign(b) != 0, lambda: mpf(a) / b)


def _log(a: Any) -> Any:
    return _needs(_sign(a) > 0, lambda: mp.log(a))


def _power(a: Any, b: Any) -> Any:
    """A real power as the grammar has it: 0^0 is 1, and another exponent than an integer asks for a base >= 0."""
    if _near(b) == mp.nint(b):
        return _needs(_sign(a) != 0 or _sign(b) >= 0, lambda: mpf(a) ** int(mp.nint(b)))
    if _sign(a) == 0:
        return _needs(_sign(b) > 0, lambda: mpf(0))
    return _needs(_sign(a) > 0, lambda: mp.power(a, b))


def _gamma(a: Any) -> Any:
    return _needs(_sign(a) > 0 or _near(a) != mp.nint(a), lambda: mp.gamma(a))


def _quad(f: Callable[[Any], Any], *ends: Any) -> Any:
    """An integral between ends, with a kink at whatever lies in the middle; near a pole, in u with t = u^2."""
    return mp.quad(f, [mpf(e) for e in ends])


def _sum(f: Callable[[int], Any], first: int, last: Any) -> Any:
    return mp.fsum(f(k) for k in range(first, int(last) + 1))


def _product(f: Callable[[int], Any], first: int, last: Any) -> Any:
    return mp.fprod(f(k) for k in range(first, int(last) + 1))


def _nothing(_: Point) -> Any:
    raise NoValue


NOTHING: Final = Term("1", _nothing, atom=True)


# ---------------------------------------------------------------------------------------------------------- constructs


def _points(name: str, *values: Any) -> tuple[Point, ...]:
    return tuple({name: mpf(v)} for v in values)


_A = ("a > 0", _points("a", 0.5, 1, 3))
_X = ("x real", _points("x", -1.25, 0, 2, 0.75))
_UP = ("x > 0", _points("x", 0.25, 1, 2.5))
_N = ("n natural", _points("n", 1, 2, 4))
_XY = ("x, y > 0", tuple({"x": mpf(x), "y": mpf(y)} for x, y in ((1, 1), (0.5, 2), (3, 0.25))))
_SIGNED = ("x, y real", tuple({"x": mpf(x), "y": mpf(y)} for x, y in ((1, 1), (-0.5, 2), (3, -0.25), (0, 0), (-1, -2))))
_ALL: tuple[str, tuple[Point, ...]] = ("", ({},))


def _construct(
    kind: str,
    text: str,
    value: Callable[..., Any],
    closed: str,
    known: Callable[..., Any],
    domain: tuple[str, tuple[Point, ...]] = _ALL,
) -> Construct:
    """A construct from texts and recipes, which take the variables by name."""
    given, points = domain
    atom = text.endswith(")") and text.split("(")[0].isalpha() and text.count("(") == 1 + text[:-1].count(")")
    remembered = functools.cache(lambda **at: mpf(value(**at)))
    return Construct(
        kind,
        Term(text, lambda at: remembered(**at), atom or text.startswith("|")),
        Term(closed, lambda at: mpf(known(**at)), closed.isalnum()),
        given,
        points,
    )


def _without(kind: str, text: str, domain: tuple[str, tuple[Point, ...]] = _ALL) -> Construct:
    """A construct that has no value: at no point of its domain, or not at all of them."""
    return Construct(kind, Term(text, _nothing, atom=text.endswith(")") and text[0].isalpha()), NOTHING, *domain)


CONSTRUCTS: Final = (
    # Integrals: proper, improper at either end and at both, singular at an end and inside, with kinks and jumps.
    _construct("integral", "integral(t, 0, 1, t^2)", lambda: _quad(lambda t: t * t, 0, 1), "1/3", lambda: mpf(1) / 3),
    _construct("integral", "integral(t, 0, oo, t*exp(-t))",
               lambda: _quad(lambda t: t * mp.exp(-t), 0, mp.inf), "1", lambda: 1),
    _construct("integral", "integral(t, -oo, 0, exp(2*t))",
               lambda: _quad(lambda t: mp.exp(2 * t), -mp.inf, 0), "1/2", lambda: 0.5),
    _construct("integral", "integral(t, -oo, oo, exp(-t^2))",
               lambda: _quad(lambda t: mp.exp(-t * t), -mp.inf, 0, mp.inf), "sqrt(pi)", lambda: mp.sqrt(mp.pi)),
    _construct("integral", "integral(t, 0, 1, 1/sqrt(t))",
               lambda: _quad(lambda u: 2 * u / mp.sqrt(u * u), 0, 1), "2", lambda: 2),
    _construct("integral", "integral(t, -1, 1, 1/sqrt(|t|))",
               lambda: 2 * _quad(lambda u: 2 * u / mp.sqrt(u * u), 0, 1), "4", lambda: 4),
    _construct("integral", "integral(t, -1, 2, |t|)", lambda: _quad(abs, -1, 0, 2), "5/2", lambda: 2.5),
    _construct("integral", "integral(t, 0, 2*pi, |sin(t)*cos(t)|)",
               lambda: _quad(lambda t: abs(mp.sin(t) * mp.cos(t)), *(k * mp.pi / 2 for k in range(5))),
               "2", lambda: 2),
    _construct("integral", "integral(t, 0, 3, floor(t))",
               lambda: _quad(mp.floor, 0, 1, 2, 3), "3", lambda: 3),
    _construct("integral", "integral(t, 0, 2, max(t, 1))",
               lambda: _quad(lambda t: max(t, 1), 0, 1, 2), "5/2", lambda: 2.5),
    _construct("integral", "integral(t, 1, 0, t)", lambda: -_quad(lambda t: t, 0, 1), "-1/2", lambda: -0.5),
    _construct("integral", "integral(t, 0, oo, exp(-a*t))",
               lambda a: _quad(lambda t: mp.exp(-a * t), 0, mp.inf), "1/a", lambda a: 1 / a, _A),
    _construct("integral", "integral(t, 0, x, t)", lambda x: _quad(lambda t: t, 0, x), "x^2/2", lambda x: x * x / 2,
               _X),
    _construct("integral", "integral(t, x, oo, exp(-t^2))",
               lambda x: _quad(lambda t: mp.exp(-t * t), x, mp.inf), "sqrt(pi)*erfc(x)/2",
               lambda x: mp.sqrt(mp.pi) * mp.erfc(x) / 2, _X),
    _construct("integral", "integral(t, -1, 1, |t - x|)",
               lambda x: _quad(lambda t: abs(t - x), -1, *([x] if abs(x) < 1 else []), 1),
               "(|1 - x|*(1 - x) + |1 + x|*(1 + x))/2",
               lambda x: (abs(1 - x) * (1 - x) + abs(1 + x) * (1 + x)) / 2, _X),
    _construct("integral", "integral(t, 0, 1, integral(s, 0, 1, s + t))",
               lambda: _quad(lambda t: t + mpf(1) / 2, 0, 1), "1", lambda: 1),
    # Sums and products: of numbers, up to a variable, empty, and inside of each other.
    _construct("sum", "sum(k, 1, 10, 1/k)", lambda: _sum(lambda k: mpf(1) / k, 1, 10), "7381/2520",
               lambda: mpf(7381) / 2520),
    _construct("sum", "sum(k, 1, 0, k)", lambda: mpf(0), "0", lambda: 0),
    _construct("sum", "sum(k, 1, n, k)", lambda n: _sum(lambda k: k, 1, n), "n*(n + 1)/2",
               lambda n: n * (n + 1) / 2, _N),
    _construct("sum", "sum(k, 1, n, 1/(k*(k + 1)))", lambda n: _sum(lambda k: mpf(1) / (k * (k + 1)), 1, n),
               "n/(n + 1)", lambda n: n / (n + 1), _N),
    _construct("sum", "sum(k, 0, n, binomial(n, k))", lambda n: _sum(lambda k: math.comb(int(n), k), 0, n), "2^n",
               lambda n: 2**n, _N),
    _construct("sum", "sum(k, 1, 3, integral(t, 0, k, t))",
               lambda: _sum(lambda k: mpf(k * k) / 2, 1, 3), "7", lambda: 7),
    _construct("sum", "sum(k, -1, 1, |k - x|)", lambda x: _sum(lambda k: abs(k - x), -1, 1),
               "|x - 1| + |x| + |x + 1|", lambda x: abs(x - 1) + abs(x) + abs(x + 1), _X),
    _construct("product", "product(k, 2, 5, 1 - 1/k^2)", lambda: _product(lambda k: 1 - mpf(1) / k**2, 2, 5), "3/5",
               lambda: mpf(3) / 5),
    _construct("product", "product(k, 1, n, (k + 1)/k)", lambda n: _product(lambda k: mpf(k + 1) / k, 1, n), "n + 1",
               lambda n: n + 1, _N),
    _construct("product", "product(k, 1, 3, x + k)", lambda x: _product(lambda k: x + k, 1, 3),
               "x^3 + 6*x^2 + 11*x + 6", lambda x: x**3 + 6 * x**2 + 11 * x + 6,
               (_X[0], (*_X[1], *_points("x", -1)))),
    # What has kinks and jumps.
    _construct("absolute value", "|x|", lambda x: abs(x), "max(x, -x)", lambda x: max(x, -x), _X),
    _construct("absolute value", "|x - y|", lambda x, y: abs(x - y), "max(x, y) - min(x, y)",
               lambda x, y: max(x, y) - min(x, y), _SIGNED),
    _construct("floor", "floor(x)", lambda x: mp.floor(x), "-ceil(-x)", lambda x: -mp.ceil(-x), _X),
    _construct("floor", "floor(7/2)", lambda: 3, "3", lambda: 3),
    _construct("floor", "floor(n + 1/2)", lambda n: mp.floor(n + 0.5), "n", lambda n: n, _N),
    _construct("floor", "ceil(n/2)", lambda n: mp.ceil(n / 2), "floor((n + 1)/2)", lambda n: mp.floor((n + 1) / 2),
               _N),
    _construct("maximum", "max(x, y)", lambda x, y: max(x, y), "(x + y + |x - y|)/2",
               lambda x, y: (x + y + abs(x - y)) / 2, _SIGNED),
    _construct("maximum", "min(x, 1)", lambda x: min(x, 1), "(x + 1 - |x - 1|)/2",
               lambda x: (x + 1 - abs(x - 1)) / 2, _X),
    _construct("maximum", "max(integral(t, 0, oo, exp(-t)), 1/2)",
               lambda: max(_quad(lambda t: mp.exp(-t), 0, mp.inf), mpf(1) / 2), "1", lambda: 1),
    # Powers, and functions of one variable.
    _construct("power", "x^3", lambda x: x**3, "x*x*x", lambda x: x * x * x, _X),
    _construct("power", "x^(-2)", lambda x: x**-2, "1/(x*x)", lambda x: 1 / (x * x), _UP),
    _construct("power", "x^(3/2)", lambda x: _power(x, 1.5), "x*sqrt(x)", lambda x: x * mp.sqrt(x), _UP),
    _construct("power", "x^y", lambda x, y: _power(x, y), "exp(y*log(x))", lambda x, y: mp.exp(y * mp.log(x)), _XY),
    _construct("power", "2^n", lambda n: 2**n, "4^n/2^n", lambda n: 4**n / 2**n, _N),
    _construct("power", "sqrt(x^2)", lambda x: mp.sqrt(x * x), "|x|", lambda x: abs(x), _X),
    _construct("function", "log(x^2)", lambda x: mp.log(x * x), "2*log(x)", lambda x: 2 * mp.log(x), _UP),
    _construct("function", "exp(x + y)", lambda x, y: mp.exp(x + y), "exp(x)*exp(y)",
               lambda x, y: mp.exp(x) * mp.exp(y), _XY),
    _construct("function", "n!", lambda n: mp.factorial(n), "product(k, 1, n, k)",
               lambda n: _product(lambda k: k, 1, n), _N),
    _construct("function", "binomial(n, 2)", lambda n: math.comb(int(n), 2), "n*(n - 1)/2",
               lambda n: n * (n - 1) / 2, _N),
    _construct("function", "gamma(x + 1)", lambda x: mp.gamma(x + 1), "x*gamma(x)", lambda x: x * mp.gamma(x), _UP),
)  # fmt: skip

WITHOUT: Final = (
    _without("integral", "integral(t, 0, 1, 1/t)"),
    _without("integral", "integral(t, 1, oo, 1/t)"),
    _without("integral", "integral(t, -1, 1, 1/t)"),
    _without("integral", "integral(t, -1, 1, 1/t^2)"),
    _without("integral", "integral(t, -oo, oo, t)"),
    _without("integral", "integral(t, 0, oo, sin(t))"),
    _without("integral", "integral(t, 0, pi, tan(t))"),
    _without("integral", "integral(t, -1, 1, log(t))"),
    _without("integral", "integral(t, 0, oo, exp(a*t))", ("a > -1", _points("a", 1))),
    _without("integral", "integral(t, 0, 1, t^a)", ("a real", _points("a", -2))),
    _without("integral", "integral(t, 0, 2, 1/|t - x|)", ("x > 0", _points("x", 1))),
    _without("sum", "sum(k, -1, 1, 1/k)"),
    _without("sum", "sum(k, 0, n, 1/k)", ("n natural", _points("n", 2))),
    _without("sum", "sum(k, 0, n, 1/(k - 3))", ("n natural", _points("n", 3))),
    _without("sum", "sum(k, 1, 3, log(k - 2))"),
    _without("product", "product(k, -2, 2, 1/k)"),
    _without("product", "product(k, 0, n, log(k))", ("n natural", _points("n", 2))),
    _without("absolute value", "|log(x)|", ("x real", _points("x", -1))),
    _without("floor", "floor(1/x)", ("x real", _points("x", 0))),
    _without("maximum", "max(1/x, 1)", ("x real", _points("x", 0))),
    _without("maximum", "min(1/0, 0)"),
    _without("power", "0^(-1)"),
    _without("power", "x^(1/2)", ("x real", _points("x", -1))),
    _without("power", "(-1)^y", ("y real", _points("y", 0.5))),
    _without("function", "log(-1)"),
    _without("function", "1/0"),
    _without("function", "gamma(x)", ("x real", _points("x", 0))),
    _without("function", "n!", ("n integer", _points("n", -1))),
)


# ---------------------------------------------------------------------------------------------------------- operators

Operator = Callable[[Term], Term]


def _operator(text: str, value: Callable[[Any], Any], *, atom: bool = False) -> Operator:
    """An operator from its text, where `C` is the operand and `C!` the operand without parentheses."""

    def applied(term: Term) -> Term:
        # Two bars beside each other are the sign of a norm, and are read in no way.
        doubled = "|<C>|" in text and term.atom and term.text.startswith("|")
        made = text.replace("<C>", f"({term.text})" if doubled else term.text).replace("C", term.inside)
        return Term(made, lambda at: value(term.value(at)), atom)

    return applied


OPERATORS: Final[Mapping[str, Operator]] = {
    "nothing": lambda term: term,
    "minus": _operator("-C", lambda v: -v),
    "number - C": _operator("1 - C", lambda v: 1 - v),
    "C + number": _operator("C + 2", lambda v: v + 2),
    "C - number": _operator("C - 1/3", lambda v: v - mpf(1) / 3),
    "number*C": _operator("2*C", lambda v: 2 * v),
    "C*number": _operator("C*(-3)", lambda v: -3 * v),
    "C*C": _operator("C*C", lambda v: v * v),
    "C/number": _operator("C/sqrt(2)", lambda v: v / mp.sqrt(2)),
    "number/C": _operator("1/C", lambda v: _quotient(1, v)),
    "C/(1 + C^2)": _operator("C/(1 + C^2)", lambda v: v / (1 + v * v)),
    "C^2": _operator("C^2", lambda v: v * v),
    "C^3": _operator("C^3", lambda v: v**3),
    "C^(-1)": _operator("C^(-1)", lambda v: _quotient(1, v)),
    "C^(2/3)": _operator("C^(2/3)", lambda v: _power(v, mpf(2) / 3)),
    "e^C": _operator("e^C", mp.exp),
    "absolute value": _operator("|<C> - 1|", lambda v: abs(v - 1), atom=True),
    "exp": _operator("exp(-<C>)", lambda v: mp.exp(-v), atom=True),
    "log": _operator("log(<C>)", _log, atom=True),
    "log(1 + |C|)": _operator("log(1 + |<C>|)", lambda v: mp.log(1 + abs(v)), atom=True),
    "sqrt": _operator("sqrt(<C>)", lambda v: _power(v, mpf(1) / 2), atom=True),
    "floor": _operator("floor(<C>)", lambda v: mp.floor(_near(v)), atom=True),
    "ceil": _operator("ceil(<C> + 1/4)", lambda v: mp.ceil(_near(v + 0.25)), atom=True),
    "max": _operator("max(<C>, 1)", lambda v: max(v, 1), atom=True),
    "min": _operator("min(3/2, <C>)", lambda v: min(mpf(1.5), v), atom=True),
    "sum": _operator("sum(i, 1, 3, i*C)", lambda v: 6 * v, atom=True),
    "product": _operator("product(i, 1, 2, i + C)", lambda v: (1 + v) * (2 + v), atom=True),
    "integral": _operator("integral(u, 0, 1, u*C)", lambda v: v / 2, atom=True),
    "cos": _operator("cos(<C>)", mp.cos, atom=True),
    "gamma": _operator("gamma(1 + 1/(1 + C^2))", lambda v: mp.gamma(1 + 1 / (1 + v * v)), atom=True),
}


# -------------------------------------------------------------------------------------------------------------- forms


@dataclass(frozen=True)
class Form:
    """What is said of two equal values `A` and `B`, at a `z` where it has one, and what is true of that.

    Attributes:
        says: The statement, without the domain of the construct.
        true: Whether it is true of all equal values; for `there is`, of some.
        holds: The same at `A`, `B` and `z`.
        z: Values of `z`, from `A`.
        sort: The domain of `z`, as it is written.
        given: A condition.
    """

    says: str
    true: bool
    holds: Callable[..., bool]
    z: tuple[Callable[[Any], Any], ...] = ()
    sort: str = "z real"
    given: str = ""
    exists: bool = False


def _same(a: Any, b: Any) -> bool:
    return abs(a - b) <= _SAME * (1 + abs(a))


_AT: Final = (lambda a: a,)
_BELOW: Final = (lambda a: a - mpf(1) / 2, lambda a: a - 3)
_SCALE: Final = (lambda a: mpf(1), lambda a: mpf(1.5))
_AWAY: Final = (lambda a: mpf(2), lambda a: mpf(3))

FORMS: Final = (
    Form("A = B", True, lambda a, b: _same(a, b)),
    Form("A = B + 1", False, lambda a, b: _same(a, b + 1)),
    Form("B >= A", True, lambda a, b: a <= b or _same(a, b)),
    Form("A < B", False, lambda a, b: a < b and not _same(a, b)),
    Form("A < B + 1/7", True, lambda a, b: a < b + mpf(1) / 7),
    Form("B + 1/100 <= A", False, lambda a, b: b + mpf(1) / 100 <= a),
    Form("A - B = 0", True, lambda a, b: _same(a, b)),
    Form("B - A > 0", False, lambda a, b: b > a and not _same(a, b)),
    Form("B - 1 < A < B + 1", True, lambda a, b: b - 1 < a < b + 1),
    Form("A <= B < A", False, lambda a, b: b < a and not _same(a, b)),
    Form("A + B <= 2*A", True, lambda a, b: _same(a, b)),
    Form("A != B", False, lambda a, b: not _same(a, b)),
    Form("not (A < B)", True, lambda a, b: a >= b or _same(a, b)),
    Form("A < B or A > B", False, lambda a, b: not _same(a, b)),
    Form("A > B + 1 or A <= B", True, lambda a, b: a > b + 1 or _same(a, b)),
    Form("A <= B and A >= B + 1", False, lambda a, b: a >= b + 1 and a <= b),
    Form("if A >= B then B <= A", True, lambda a, b: True),
    Form("if A >= B then B < A", False, lambda a, b: not _same(a, b) and b < a),
    Form("A = B iff B <= A", True, lambda a, b: True),
    Form("z = B", True, lambda a, b, z: not _same(z, a) or _same(z, b), _AT, given="z = A"),
    Form("z > B", False, lambda a, b, z: not _same(z, a) or (z > b and not _same(z, b)), _AT, given="z >= A"),
    Form("if z < A then z <= B", True, lambda a, b, z: z >= a or z <= b, _BELOW),
    Form("if z < A then z <= B - 1", False, lambda a, b, z: z >= a or z <= b - 1, _BELOW),
    Form("(z + A)^2 >= 4*z*B", True, lambda a, b, z: (z + a) ** 2 >= 4 * z * b - _SAME, _BELOW),
    Form("z*A = B", True, lambda a, b, z: _same(z * a, b), _SCALE, sort="z in [1/2, 3/2]", exists=True),
    Form("z + A = B", False, lambda a, b, z: _same(z + a, b), _AWAY, sort="z in [2, 3]", exists=True),
    Form("z - A = 1 - B", True, lambda a, b, z: _same(z - a, 1 - b), _SCALE, sort="z > 0", exists=True),
    Form("A - z > B", False, lambda a, b, z: a - z > b, _AWAY, sort="z >= 0", exists=True),
)

#: What looks true of anything, and is ill-posed where `A` has no value.
OF_NOTHING: Final = (
    "A = A", "A - A = 0", "0*A = 0", "A^0 = 1", "A <= A + 1", "A^2 >= 0", "|A| >= 0", "A/A = 1", "min(A, 0) <= 0",
    "exp(A) > 0", "not (A < A)", "A <= 0 or A > 0", "if A > 0 then A >= 0", "0 <= |A| <= |A| + 1", "A >= 0", "A = 1",
    "1/(1 + |A|) <= 1", "cos(A) <= 1",
)  # fmt: skip


def _made(construct: Construct, name: str, form: Form) -> Shape:
    """The statement of a form about a construct under an operator."""
    left, right = OPERATORS[name](construct.term), OPERATORS[name](construct.closed)

    def written(text: str) -> str:
        """The text with the two terms in it, in brackets wherever they are an operand."""
        alone = text in ("A = B", "A < B", "A != B", "B >= A")
        a, b = (left.text, right.text) if alone else (left.inside, right.inside)
        return "".join({"A": a, "B": b}.get(c, c) for c in text)

    def holds(at: Point) -> bool:
        a, b = left.value(at), right.value(at)
        found = [form.holds(a, b, z(a)) for z in form.z] if form.z else [form.holds(a, b)]
        return any(found) if form.exists else all(found)

    domains = [d for d in (construct.given, form.sort if form.z else "") if d]
    says, given = written(form.says), written(form.given)
    if form.exists:
        text = f"there is {', '.join(domains)} with {says}"
    else:
        text = says + (f" for {', '.join(domains)}" if domains else "") + (f" given {given}" if given else "")
    truth = "true" if form.true else "false"
    conditional = form.says.startswith("if ") or bool(form.given)
    if not _has_value(construct, left, somewhere=form.exists or conditional):
        # Of a point that exists the others say nothing, and no condition holds where it has no value.
        truth = "ill-posed"
    about = construct.term.text, construct.kind, name, form.says
    return Shape(text, truth, *about, holds, construct.points, form.exists, conditional)


def _has_value(construct: Construct, term: Term, *, somewhere: bool) -> bool:
    """Whether a term has a value at all points; at one of them is enough for what exists."""
    found = []
    with mp.workdps(DIGITS):
        for at in construct.points:
            try:
                term.value(at)
                found.append(True)
            except NoValue:
                found.append(False)
    return any(found) if somewhere else all(found)


def shapes() -> Iterator[Shape]:
    """Yield a statement for each construct under each operator, and what looks true of constructs without a value."""
    for row, construct in enumerate(CONSTRUCTS):
        for column, name in enumerate(OPERATORS):
            # Steps without a common divisor with the number of forms: each meets each construct and each operator.
            yield _made(construct, name, FORMS[(5 * row + 3 * column) % len(FORMS)])
    names = list(OPERATORS)
    for row, construct in enumerate(WITHOUT):
        for step in range(3):
            yield _made(construct, names[(7 * row + 11 * step) % len(names)], FORMS[(5 * row + 9 * step) % len(FORMS)])
        for step in range(3):
            says = OF_NOTHING[(5 * row + 7 * step) % len(OF_NOTHING)]
            text = "".join(construct.term.inside if c == "A" else c for c in says).replace("||", "|")
            text = f"{text} for {construct.given}" if construct.given else text
            yield Shape(text, "ill-posed", construct.term.text, construct.kind, "nothing", says, _nothing,
                        construct.points, False, says.startswith("if "))  # fmt: skip
