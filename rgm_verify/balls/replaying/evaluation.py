"""Expressions of a statement over boxes: values in balls as the tree is written, and slopes beside them.

A tree is flattened once, so that what stands in it twice is computed once; each leaf of a certificate then runs the
steps. Differences and quotients are recognised where the tree has a factor -1 or a negative exponent, since a ball is
widened by each operation. No simplification comes in between that could hide a point without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from rgm_verify.balls.replaying.functions import (
    ball,
    even,
    incomplete_gamma,
    moment,
    power,
    root,
    sign,
    trigamma,
)
from rgm_verify.balls.replaying.statement import CONSTANTS, Tree

__all__ = ["Expression", "NoDerivative", "widest_ball"]

#: The cost of a step in units of a ball addition; 1 for all others.
_COSTS = {
    **dict.fromkeys(("exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "root", "gpow"), 5),
    **dict.fromkeys(("asin", "acos", "atan", "asinh", "acosh", "atanh"), 5),
    **dict.fromkeys(("erf", "erfc", "gamma", "loggamma", "digamma", "uppergamma", "lowergamma", "logrem"), 50),
    **dict.fromkeys(("erfi", "erfinv", "erfcinv", "lambertw", "trigamma"), 50),
}
#: Functions that balls know by another name.
_METHODS = {"abs": "__abs__", "loggamma": "lgamma"}
#: No slope: the value depends on no variable. A slope of exactly 1 is kept apart, as a product with it widens a ball.
_ZERO, _ONE = None, "one"
Slope = Any

_VALUES: dict[str, Callable[..., arb]] = {
    "neg": lambda x: -x,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "min": lambda x, y: x.min(y),
    "max": lambda x, y: x.max(y),
    "gpow": lambda x, y: (y * x.log()).exp(),
    "uppergamma": lambda s, x: incomplete_gamma(s, x, True),
    "lowergamma": lambda s, x: incomplete_gamma(s, x, False),
    "sign": sign,
    "trigamma": trigamma,
    "erfinv": lambda x: _finite(x.erfinv()),
    "erfcinv": lambda x: _finite(x.erfcinv()),
}


def _finite(value: arb) -> arb:
    """Return a value, and NaN for an exact infinity: its reciprocal would be 0, where there is no number."""
    return value if value.is_finite() else arb.nan()


def _density(x: arb) -> arb:
    """Return 2 / sqrt(pi), by which slopes of the error functions begin, with the precision of the moment."""
    return 2 / arb.pi().sqrt()


#: The derivative of a function of one value x, where v is the value of the function there.
_DERIVATIVES: dict[str, Callable[[arb, arb], arb]] = {
    "exp": lambda v, x: v,
    "sin": lambda v, x: x.cos(),
    "cos": lambda v, x: -x.sin(),
    "sinh": lambda v, x: x.cosh(),
    "cosh": lambda v, x: x.sinh(),
    "tanh": lambda v, x: 1 - even(v * v),
    "gamma": lambda v, x: v * x.digamma(),
    "loggamma": lambda v, x: x.digamma(),
    "digamma": lambda v, x: trigamma(x),
    "abs": lambda v, x: sign(x),
    "erf": lambda v, x: _density(x) * (-even(x * x)).exp(),
    "erfc": lambda v, x: -_density(x) * (-even(x * x)).exp(),
    "erfi": lambda v, x: _density(x) * even(x * x).exp(),
    "erfinv": lambda v, x: even(v * v).exp() / _density(x),
    "asin": lambda v, x: 1 / (1 - even(x * x)).sqrt(),
    "acos": lambda v, x: -1 / (1 - even(x * x)).sqrt(),
    "atan": lambda v, x: 1 / (1 + even(x * x)),
    "asinh": lambda v, x: 1 / (1 + even(x * x)).sqrt(),
    "acosh": lambda v, x: 1 / ((x - 1).sqrt() * (x + 1).sqrt()),
    "atanh": lambda v, x: 1 / (1 - even(x * x)),
}


class NoDerivative(Exception):
    """A function on the way to a mean-value leaf has no derivative here."""


class Expression:
    """A checked expression over the axes of a box, at the precision in force when it is made.

    Args:
        tree: an expression as `claims.written.trees` writes it.
        names: the axes.
        images: trees of other names in the axes, which the expression may use.

    Attributes:
        cost: of one value, in units of a ball addition; those of all slopes take as much for each axis.
    """

    def __init__(self, tree: Tree, names: Sequence[str], images: Mapping[str, Tree]) -> None:
        self.axes = len(names)
        # Operation, its whole numbers, the operands; the axes come first.
        self.steps: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = [("axis", (k,), ()) for k in range(self.axes)]
        self._numbers = {step: number for number, step in enumerate(self.steps)}
        self._constants: dict[int, arb] = {}
        known = {name: number for number, name in enumerate(names)}
        # Over the axes alone, so that an axis may have the name of a variable.
        self._names = known
        there = {name: self._number(image) for name, image in images.items()}
        self._names = there if images else known
        self.result = self._number(tree)
        self.cost = sum(_COSTS.get(name, 1) for name, _, _ in self.steps)
        self._functions = [_function(name, numbers) for name, numbers, _ in self.steps]

    # ---------------------------------------------------------------------------------------- from tree to steps

    def _emit(self, name: str, *operands: int, numbers: tuple[int, ...] = ()) -> int:
        """Return the number of a step, which is added where it is new."""
        step = (name, numbers, operands)
        if step not in self._numbers:
            self._numbers[step] = len(self.steps)
            self.steps.append(step)
        return self._numbers[step]

    def _constant(self, value: Fraction) -> int:
        number = self._emit("constant", numbers=(value.numerator, value.denominator))
        self._constants.setdefault(number, ball(value))
        return number

    def _number(self, tree: Tree) -> int:
        """Return the number of the step that computes a tree."""
        if isinstance(tree, str):
            return self._constant(Fraction(tree))
        head, *parts = tree
        if head == "var":
            return self._names[parts[0]]
        if head in CONSTANTS:
            number = self._emit(head)
            self._constants.setdefault(number, CONSTANTS[head]())
            return number
        if head == "add":
            return self._sum(parts)
        if head == "mul":
            return self._product(parts)
        if head == "pow":
            return self._power(*parts)
        if head == "logrem":
            return self._emit("logrem", self._number(parts[2]), numbers=(int(parts[0]), int(parts[1])))
        first, *others = map(self._number, parts)
        if head in ("min", "max"):
            for other in others:
                first = self._emit(head, first, other)
            return first
        return self._emit(head, first, *others)

    def _sum(self, parts: Sequence[Tree]) -> int:
        """Emit additions, and a subtraction where a summand is negative by its first factor."""
        total = self._number(parts[0])
        for part in parts[1:]:
            positive = _negated(part)
            number = self._number(part if positive is None else positive)
            total = self._emit("add" if positive is None else "sub", total, number)
        return total

    def _product(self, parts: Sequence[Tree]) -> int:
        """Emit a product as one quotient, with the powers of negative exponent below the line."""
        minus, above, below = False, list[int](), list[int]()
        for part in parts:
            falls = isinstance(part, list) and part[0] == "pow" and _is_negative(part[2])
            if falls:
                below.append(self._power(part[1], part[2][1:]))
            elif part == "-1":
                minus = not minus
            else:
                above.append(self._number(part))
        number = self._folded(above)
        if below:
            number = self._emit("div", number, self._folded(below))
        return self._emit("neg", number) if minus else number

    def _folded(self, factors: Sequence[int]) -> int:
        if not factors:
            return self._constant(Fraction(1))
        total, *others = factors
        for other in others:
            total = self._emit("mul", total, other)
        return total

    def _power(self, base: Tree, exponent: Tree) -> int:
        """Emit a power: integer exponents by products, p/q by a root first, all others by the logarithm."""
        below = self._number(base)
        if not isinstance(exponent, str):
            return self._emit("gpow", below, self._number(exponent))
        value = Fraction(exponent)
        if value.denominator > 1:
            below = self._emit("root", below, numbers=(value.denominator,))
        size = abs(value.numerator)
        if size == 0:
            # 1 where the base has a value, and none elsewhere.
            return self._emit("add", self._constant(Fraction(1)), self._emit("mul", self._constant(Fraction(0)), below))
        raised = below if size == 1 else self._emit("pow", below, numbers=(size,))
        return self._emit("div", self._constant(Fraction(1)), raised) if value < 0 else raised

    # ------------------------------------------------------------------------------------------------ on balls

    def _values(self, box: Sequence[arb]) -> list[arb]:
        """Return the values of all steps."""
        values = list(box)
        for number in range(self.axes, len(self.steps)):
            function = self._functions[number]
            if function is None:
                values.append(self._constants[number])
            else:
                values.append(function(*[values[k] for k in self.steps[number][2]]))
        return values

    def value(self, box: Sequence[arb]) -> arb:
        """Return a ball around all values in a box, one ball for each axis; NaN where some point may have none."""
        return self._values(box)[self.result]

    def slopes(self, box: Sequence[arb]) -> list[arb]:
        """Return balls around the slopes along each axis in a box, of the generalised gradient at a kink.

        All are NaN where a value may be missing. Raises `NoDerivative`.
        """
        values = self._values(box)
        if not all(value.is_finite() for value in values):
            return [arb.nan()] * self.axes
        columns: list[list[Slope]] = [
            [_ONE if k == axis else _ZERO for k in range(self.axes)] for axis in range(self.axes)
        ]
        for number in range(self.axes, len(self.steps)):
            name, numbers, operands = self.steps[number]
            inner = [[column[k] for k in operands] for column in columns]
            found: list[Slope] = [_ZERO] * self.axes
            if any(slope is not _ZERO for slopes in inner for slope in slopes):
                found = _slopes(name, numbers, values[number], [values[k] for k in operands], inner)
            for column, slope in zip(columns, found, strict=True):
                column.append(slope)
        ends = {_ZERO: arb(0), _ONE: arb(1)}
        slopes = [column[self.result] for column in columns]
        return [ends[slope] if slope is _ZERO or slope is _ONE else slope for slope in slopes]


def _is_negative(exponent: Tree) -> bool:
    return isinstance(exponent, str) and exponent.startswith("-")


def _negated(tree: Tree) -> Tree | None:
    """Return a tree without its minus sign, None for one that does not begin with one."""
    if _is_negative(tree):
        return tree[1:]
    if isinstance(tree, list) and tree[0] == "mul" and _is_negative(tree[1]):
        rest = tree[2:] if tree[1] == "-1" else [tree[1][1:], *tree[2:]]
        return "1" if not rest else rest[0] if len(rest) == 1 else ["mul", *rest]
    return None


def _function(name: str, numbers: tuple[int, ...]) -> Callable[..., arb] | None:
    """Return the function of a step on balls, None for a constant or an axis."""
    if name in ("axis", "constant") or name in CONSTANTS:
        return None
    if name == "pow":
        return lambda x: power(x, numbers[0])
    if name == "root":
        return lambda x: root(x, numbers[0])
    if name == "logrem":
        return lambda x: moment(numbers[0], numbers[1], x)
    return _VALUES.get(name) or getattr(arb, _METHODS.get(name, name))


def _times(left: Slope, right: Slope) -> Slope:
    if left is _ZERO or right is _ZERO:
        return _ZERO
    return right if left is _ONE else left if right is _ONE else left * right


def _ball(slope: Slope) -> arb:
    return arb(1) if slope is _ONE else slope


def _plus(left: Slope, right: Slope) -> Slope:
    if left is _ZERO or right is _ZERO:
        return right if left is _ZERO else left
    return _ball(left) + _ball(right)


def _minus(left: Slope, right: Slope) -> Slope:
    if right is _ZERO:
        return left
    return -_ball(right) if left is _ZERO else _ball(left) - _ball(right)


def _slopes(
    name: str, numbers: tuple[int, ...], v: arb, parts: Sequence[arb], inner: Sequence[Sequence[Slope]]
) -> list[Slope]:
    """Return the slopes of a step along each axis, from those of its operands; some of these are not 0.

    Args:
        v: the value.
        parts: the values of the operands.
        inner: for each axis the slopes of the operands.
    """
    if len(parts) == 2:
        return [_binary(name, v, *parts, *slopes) for slopes in inner]
    (x,) = parts
    if name == "neg":
        return [_minus(_ZERO, d) for (d,) in inner]
    if name in ("log", "root"):
        below = x if name == "log" else v + v if numbers[0] == 2 else numbers[0] * power(v, numbers[0] - 1)
        return [d if d is _ZERO else _ball(d) / below for (d,) in inner]
    # Once for all axes.
    slope = _derivative(name, numbers, v, x)
    return [_times(slope, d) for (d,) in inner]


def _derivative(name: str, numbers: tuple[int, ...], v: arb, x: arb) -> arb:
    """Return the derivative of a function of one value; raises `NoDerivative`."""
    if name == "pow":
        n = numbers[0]
        return n * (x if n == 2 else power(x, n - 1))
    if name == "logrem":
        a, b = numbers
        return -b * moment(a + 1, b + 1, x)
    if name not in _DERIVATIVES:
        raise NoDerivative(name)
    return _DERIVATIVES[name](v, x)


def _binary(name: str, v: arb, x: arb, y: arb, dx: Slope, dy: Slope) -> Slope:
    """Return the slope of a function of two values along one axis.

    Those of min and max enclose the generalised gradient at the kink, as the sign of a ball around 0 is [-1, 1]. The
    incomplete gamma functions have one in the argument only.
    """
    if dx is _ZERO and dy is _ZERO:
        return _ZERO
    if name in ("add", "sub"):
        return _plus(dx, dy) if name == "add" else _minus(dx, dy)
    if name == "mul":
        return _plus(_times(dx, y), _times(x, dy))
    if name == "div":
        return _ball(_minus(dx, _times(v, dy))) / y
    if name == "gpow":
        growth = _ZERO if dx is _ZERO else _times(y, dx) / x
        return _times(v, _plus(_times(dy, x.log()), growth))
    if name in ("min", "max"):
        tilt = sign(x - y) * _ball(_minus(dx, dy))
        both = _ball(_plus(dx, dy))
        return (both + tilt if name == "max" else both - tilt) / 2
    if dx is not _ZERO:
        raise NoDerivative(name)
    density = (-y).exp() * ((x - 1) * y.log()).exp()
    return _times(-density if name == "uppergamma" else density, dy)


def widest_ball(half: Fraction) -> arb:
    """Return a ball around 0 that contains [-half, half], without Arb's extra rounding where that is provably safe.

    Without it a leaf that the search proved by a hair would fail here.
    """
    # Arb rounds a radius up even when it is exact; a hair less is rounded to the number itself, and the cover is
    # checked.
    tight = arb(0, ball(half - half / 2**31))
    (low, low2), (high, high2) = tight.lower().man_exp(), tight.upper().man_exp()
    # The containment is checked exactly, in rationals, and not taken from Arb's rounding.
    covers = (
        Fraction(int(low)) * Fraction(2) ** int(low2)
        <= -half
        <= half
        <= Fraction(int(high)) * Fraction(2) ** int(high2)
    )
    return tight if covers else arb(0, ball(half).upper())
