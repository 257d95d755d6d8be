"""Renyi divergence of two isotropic Gaussians as an exact expression, and its rigorous enclosure.

The closed form of Lemma 2 (`rgm:lemma-2`), in SymPy for statements and in balls for numbers. SymPy is imported inside
of the functions, since most callers of this room never need it.
"""

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

    It is the divergence wherever `alpha > 0`, `alpha != 1`, both variances are > 0 and `alpha variance_2 + (1 - alpha)
    variance_1 > 0`; the caller has to state these. A literal `alpha = 1` gives `kullback_leibler_expression`; literal
    numbers that break the last condition give `oo`, where it is infinite.

    Args:
        alpha: the order.
        distance_squared: `|mu1 - mu2|^2`.
        variance_1: the variance of the first law per coordinate.
        variance_2: that of the second law.
        dimension: the dimension of the space.

    Raises:
        InputError: for floats, whose exact value is most likely not the one that is meant.

    Source: RGM paper (v2), Lemma 2, with the half power written as a factor 1/2.

    Examples:
        >>> renyi_expression(2, 1, 1, 1, 1), renyi_expression(2, 1, 3, 1, 1)
        (1, oo)
    """
    import sympy

    a, dist, v1, v2, d = _expressions(alpha, distance_squared, variance_1, variance_2, dimension)
    if a == 1:
        return kullback_leibler_expression(dist, v1, v2, d)
    spread = a * v2 + (1 - a) * v1
    # Decided for numbers only; of symbols SymPy does not know it, and the caller has stated that it is positive.
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

    Args:
        alpha: the order, an exact number > 0.
        distance_squared: exact, >= 0.
        variance_1: exact, > 0.
        variance_2: exact, > 0.
        dimension: an integer >= 1.
        digits: the relative width asked for is 10^-digits.

    Returns:
        An enclosure in nats.

    Raises:
        InputError: for bad arguments, and where the divergence is infinite, which no enclosure can show.

    Examples:
        >>> print(renyi_enclosure(2, 1, 2, "3/2", 1, digits=5))
        [1.0588..., 1.0588...]
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
    """Return the arguments as expressions without floats; numbers of Python become SymPy's."""
    import sympy

    expressions = tuple(sympy.sympify(value) for value in values)
    for value in expressions:
        if not isinstance(value, sympy.Expr) or value.has(sympy.Float):
            raise reject("expression", value, "expected an exact expression; write a float as Rational(1, 10)")
    return expressions
