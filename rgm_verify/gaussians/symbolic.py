"""Renyi divergence of two isotropic Gaussians as an exact expression, and its rigorous enclosure."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer

if TYPE_CHECKING:
    import sympy


def renyi_expression(
    alpha: sympy.Expr | int,
    distance_squared: sympy.Expr | int,
    variance_1: sympy.Expr | int,
    variance_2: sympy.Expr | int,
    dimension: sympy.Expr | int,
) -> sympy.Expr:
    """Return the Renyi divergence of `N(mu1, variance_1 I)` from `N(mu2, variance_2 I)` as an exact expression.

    It is the divergence wherever `alpha > 0`, `alpha != 1`, both variances are > 0 and
    `alpha variance_2 + (1 - alpha) variance_1 > 0`; the caller has to state these. A literal `alpha = 1` gives
    `kullback_leibler_expression`; literal numbers that break the last condition give `oo`, where it is infinite.
    Raises `InputError` for floats. Source: RGM paper (v2), Lemma 2, with the half power written as a factor 1/2.
    """
    import sympy

    a, dist, v1, v2, d = _expressions(alpha, distance_squared, variance_1, variance_2, dimension)
    if a == 1:
        return kullback_leibler_expression(dist, v1, v2, d)
    spread = a * v2 + (1 - a) * v1
    if spread.is_nonpositive:
        return sympy.oo
    logs = a * sympy.log(v2) + (1 - a) * sympy.log(v1) - sympy.log(spread)
    return a * dist / (2 * spread) + d / (2 * (a - 1)) * logs


def kullback_leibler_expression(
    distance_squared: sympy.Expr | int,
    variance_1: sympy.Expr | int,
    variance_2: sympy.Expr | int,
    dimension: sympy.Expr | int,
) -> sympy.Expr:
    """Return the Kullback-Leibler divergence of `N(mu1, variance_1 I)` from `N(mu2, variance_2 I)`, exactly.

    The limit of `renyi_expression` for `alpha -> 1`; both variances have to be > 0. `InputError` for floats.
    """
    import sympy

    dist, v1, v2, d = _expressions(distance_squared, variance_1, variance_2, dimension)
    return dist / (2 * v2) + d * (v1 / v2 - 1 - sympy.log(v1 / v2)) / 2


def renyi_enclosure(
    alpha: ExactInput,
    distance_squared: ExactInput,
    variance_1: ExactInput,
    variance_2: ExactInput,
    dimension: ExactInput,
    *,
    digits: int = 30,
) -> Enclosure:
    """Return an enclosure, with exact rational ends, of the Renyi divergence of two isotropic Gaussians.

    Arguments as in `renyi_expression`, as exact numbers; `digits` is the relative width asked for.
    Raises `InputError` for bad arguments and where the divergence is infinite, which no enclosure can show.
    """
    import sympy

    a = positive(alpha, name="alpha", meaning="the order")
    values: dict[str, Fraction] = {
        "alpha": a,
        "distance_squared": nonnegative(distance_squared, name="distance_squared", meaning="a squared distance"),
        "variance_1": positive(variance_1, name="variance_1", meaning="a variance"),
        "variance_2": positive(variance_2, name="variance_2", meaning="a variance"),
        "dimension": Fraction(positive_integer(dimension, name="dimension", meaning="a dimension")),
    }
    spread = a * values["variance_2"] + (1 - a) * values["variance_1"]
    if spread <= 0:
        raise InputError(
            f"alpha={a}, variance_1={values['variance_1']}, variance_2={values['variance_2']}: the divergence is "
            "infinite, because alpha variance_2 + (1 - alpha) variance_1 <= 0; take a smaller order"
        )
    exact = {name: sympy.Rational(value.numerator, value.denominator) for name, value in values.items()}
    return enclose(renyi_expression(**exact), {}, digits=digits)


def _expressions(*values: sympy.Expr | int) -> tuple[sympy.Expr, ...]:
    import sympy

    expressions = tuple(sympy.sympify(value) for value in values)
    for value in expressions:
        if not isinstance(value, sympy.Expr) or value.has(sympy.Float):
            raise reject("expression", value, "expected an exact expression; write a float as Rational(1, 10)")
    return expressions
