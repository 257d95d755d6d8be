"""Boundaries of regions of parameters, enclosed, and the parameters that they are in.

At the lower end of an enclosed boundary the inequality holds, and at its upper end it does not. Signs are decided in balls.
"""

from fractions import Fraction

from sympy import Expr, Symbol, erfc, exp, sqrt

from rgm_verify.balls.enclose import enclose, sign_at
from rgm_verify.numbers.settled import enclosed

HALVINGS = 24  # of the larger end
EPSILON, DELTA = Symbol("epsilon", positive=True), Symbol("delta", positive=True)
COUNT, SHARE = Symbol("K", positive=True), Symbol("gamma", positive=True)
RECORDS, FACTOR, DISTANCE = Symbol("n", positive=True), Symbol("C", positive=True), Symbol("mu", positive=True)
STEPS, ORDER, CHANCE = Symbol("T", positive=True), Symbol("alpha", positive=True), Symbol("b", positive=True)


def above(shift: Expr) -> Expr:
    """Return the chance that a standard normal number exceeds minus `shift`."""
    return erfc(-shift / sqrt(2)) / 2


def curve_at(distance: Expr) -> Expr:
    """Return delta of two Gaussians that are so many deviations apart, at epsilon."""
    return above(distance / 2 - EPSILON / distance) - exp(EPSILON) * above(-distance / 2 - EPSILON / distance)


def boundary(
    expression: Expr, at: dict[Symbol, Fraction], low: Fraction, high: Fraction, variable: Symbol = EPSILON
) -> tuple[Fraction, Fraction]:
    """Return where the expression becomes positive, between a value at which it is not and one at which it is."""
    if is_positive(expression, {**at, variable: low}) or not is_positive(expression, {**at, variable: high}):
        raise ArithmeticError(f"no boundary of {variable} between {low} and {high} at {at}")
    while high - low > high / 2**HALVINGS:
        middle = (low + high) / 2
        low, high = (low, middle) if is_positive(expression, {**at, variable: middle}) else (middle, high)
    return low, high


def is_positive(expression: Expr, point: dict[Symbol, Fraction]) -> bool:
    """Return whether the expression is positive at an exact point; `ArithmeticError` where balls do not tell."""
    sign = sign_at(expression, point)
    if sign not in ("positive", "negative", "zero"):
        raise ArithmeticError(f"the sign at {point} is not known")
    return sign == "positive"


def shown(
    expression: Expr, at: dict[Symbol, Fraction], low: Fraction, high: Fraction, variable: Symbol = EPSILON
) -> list[str]:
    """Return the texts of both ends of a boundary."""
    return enclosed(*boundary(expression, at, low, high, variable), digits=6)


def value(expression: Expr, at: dict[Symbol, Fraction]) -> list[str]:
    """Return the texts of both ends of the value of an expression."""
    found = enclose(expression, at)
    if found.lower is None or found.upper is None:
        raise ArithmeticError(f"the value at {at} is not known")
    return enclosed(found.lower, found.upper, digits=6)


def abscissa(place: Fraction | int) -> str:
    """Return the text of where a point stands."""
    return f"{float(place):.6g}"
