"""Rigorous integrals: finite intervals, Gaussian-type integrands over the real line and over R^d.

The integrals over unbounded sets are made of a core by adaptive quadrature with proven error and a tail bounded in
closed form.  None of them uses the closed form of a Gaussian integral, which they are there to check.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import acb, arb, ctx

from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.enclose import Enclosure, as_fraction, enclose, from_ball, symbols_by_name
from rgm_verify.balls.program import Program, UnsupportedExpression

if TYPE_CHECKING:
    import sympy
from rgm_verify.balls.paths import Integrand, integrand_of

__all__ = ["integrate", "integrate_gaussian_line", "integrate_radial"]

# Quadrature in balls takes minutes beyond this, and an integral that is exactly 0 would go on for ever.
MAXIMUM_BITS = 2048


def _quadrature(integrand: Integrand, lower: Fraction, upper: Fraction) -> arb:
    """Return an enclosure of the integral at the precision in force, NaN when the integrand is not real there.

    By Arb's adaptive Gauss and Legendre rule, whose error is bounded by values of the integrand on complex ellipses.
    """

    def on_path(x: acb, analytic: bool) -> acb:
        if not analytic and lower >= 0 and x.imag.is_zero():
            # A ball around a piece of the path that starts at 0 may reach below 0, where the path does not go.
            x = acb(x.real.nonnegative_part())
        return integrand(x, analytic)

    tolerance = arb(2) ** (-ctx.prec)
    total = acb.integral(on_path, acb(ball(lower)), acb(ball(upper)), rel_tol=tolerance, abs_tol=tolerance)
    # An imaginary part that certainly differs from 0 says that the integrand is not real somewhere.
    return total.real if total.imag.contains(0) else arb.nan()


def _compile(expression: Any, variable: Any, point: Mapping[Any, Any]) -> tuple[Program, list[Fraction]]:
    """Return the program of an integrand whose first name is the variable, and the exact values of the others.

    Raises `UnsupportedExpression` if the point gives the variable of integration a value.
    """
    import sympy

    fixed = {str(name): as_fraction(value, str(name)) for name, value in point.items()}
    # A bound variable has no value; one that is given means that two names were confused.
    if str(variable) in fixed:
        raise UnsupportedExpression(f"{variable}: the variable of integration must not have a value in point")
    parsed = sympy.sympify(expression)
    names = (str(variable), *fixed)
    return compile_expressions([parsed], symbols_by_name([parsed], names)), list(fixed.values())


def _until_tight(attempt: Callable[[], arb], digits: int) -> Enclosure:
    """Return the enclosure at the first precision, doubling, whose relative width is at most 10^-digits.

    An indeterminate result ends it: what is not real at one precision is not real at the next.
    """
    bits = int(digits * 3.33) + 40
    while True:
        with precision(bits):
            found = from_ball(attempt())
        if _relative_width_within(found, digits) or bits >= MAXIMUM_BITS or found.indeterminate:
            return found
        bits = min(2 * bits, MAXIMUM_BITS)


def _relative_width_within(found: Enclosure, digits: int) -> bool:
    """Tell whether an enclosure has the relative width asked for; one that reaches 0 has not, unless it is 0."""
    width = found.width()
    if width is None or found.lower is None or found.upper is None:
        return False
    scale = min(abs(found.lower), abs(found.upper))
    return bool(width * 10**digits <= scale)


def integrate(
    expression: sympy.Expr,
    variable: sympy.Symbol,
    lower: Fraction | int,
    upper: Fraction | int,
    point: Mapping[Any, Any],
    *,
    digits: int = 25,
) -> Enclosure:
    """Return an enclosure of the integral of `expression` in `variable` between exact rationals.

    The integrand must be real and continuous on the interval; an interval that touches a pole or the cut of a logarithm
    gives an indeterminate enclosure.

    Args:
        lower: the lower end.
        upper: the upper end; below `lower` the sign is turned.
        point: exact values of the other symbols.
        digits: the relative width asked for is 10^-digits; not met where the precision limit (2048 bits) stops it
            first, as for an integral that is exactly 0.

    Raises:
        UnsupportedExpression: for what has no complex balls here.
        TypeError: for a float.

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> print(integrate(sympy.exp(-(x**2)), x, 0, 1, {}, digits=5))
        [0.7468..., 0.7468...]
    """
    program, values = _compile(expression, variable, point)
    ends = as_fraction(lower, "lower"), as_fraction(upper, "upper")
    # Turned around, so that the path always runs upward and the cut at 0 is where it is expected.
    if ends[0] > ends[1]:
        flipped = integrate(expression, variable, ends[1], ends[0], point, digits=digits)
        low, high = (None if end is None else -end for end in (flipped.upper, flipped.lower))
        return Enclosure(low, high, flipped.indeterminate)
    return _until_tight(lambda: _quadrature(integrand_of(program, values), *ends), digits)


def _coefficients(expression: Any, variable: Any, name: str) -> list[Any]:
    """Return the coefficients of a polynomial in the variable, constant term first; ValueError for anything else."""
    import sympy

    poly = sympy.Poly(sympy.expand(expression), variable) if _is_polynomial(expression, variable) else None
    if poly is None:
        raise ValueError(f"{name}={expression}: must be a polynomial in {variable}")
    return list(reversed(poly.all_coeffs()))


def _is_polynomial(expression: Any, variable: Any) -> bool:
    """Tell whether SymPy sees a polynomial in the variable."""
    return bool(expression.is_polynomial(variable))


def _as_ball(expression: Any, point: Mapping[Any, Any]) -> arb:
    """Return a ball of a constant expression at the point, at the precision in force."""
    program, values = _compile(expression, "integration variable", point)
    value: acb = integrand_of(program, values)(acb(0), False)
    return value.real if value.imag.is_zero() else arb.nan()


def integrate_gaussian_line(
    log_integrand: sympy.Expr,
    variable: sympy.Symbol,
    point: Mapping[Any, Any],
    *,
    prefactor: sympy.Expr | int = 1,
    digits: int = 25,
) -> Enclosure:
    """Return an enclosure of the integral over the real line of prefactor * exp(log_integrand).

    Adaptive quadrature on [m - T, m + T] around the maximum, and beyond it exp(-a v^2) <= exp(-a T |v|), integrated in
    closed form. The formula of the Gaussian integral is not used.

    Args:
        log_integrand: a concave quadratic in `variable` at the point.
        point: exact values of the parameters.
        prefactor: a polynomial in `variable`.
        digits: the relative width asked for is 10^-digits.

    Raises:
        ValueError: saying which of the two is not as it must be.
    """
    import sympy

    exponent, factor = sympy.sympify(log_integrand), sympy.sympify(prefactor)
    quadratic = _concave_quadratic(exponent, variable, point)
    with precision(64):
        curvature, centre = -_as_ball(quadratic[2], point), _centre(quadratic, point)
        floor = rational_ends(curvature)[0] or Fraction(0)
    # In the distance from the centre, in which the tail is bounded term by term.
    shifted = sympy.expand(factor.subs(variable, variable + sympy.Rational(centre.numerator, centre.denominator)))
    weights = _coefficients(shifted, variable, "prefactor")
    program, values = _compile(factor * sympy.exp(exponent), variable, point)

    def attempt() -> arb:
        # Inside of the attempt: more bits need a longer core, or the tail would be what limits the width.
        reach = _reach(floor)
        core = _quadrature(integrand_of(program, values), centre - reach, centre + reach)
        return core + _line_tail(quadratic, weights, centre, reach, point)

    return _until_tight(attempt, digits)


def _concave_quadratic(exponent: Any, variable: Any, point: Mapping[Any, Any]) -> list[Any]:
    """Return the three coefficients of the exponent, refusing one that is not certainly a concave quadratic.

    Raises:
        ValueError: for another degree, and for a leading coefficient that is not certainly negative.
    """
    coefficients = _coefficients(exponent, variable, "log_integrand")
    if len(coefficients) != 3:
        raise ValueError(f"log_integrand={exponent}: must be of degree 2 in {variable}, not {len(coefficients) - 1}")
    leading = enclose(coefficients[2], _restricted(coefficients[2], point), digits=5)
    if leading.sign() != "negative":
        raise ValueError(f"log_integrand={exponent}: its leading coefficient {leading} must be certainly negative")
    return coefficients


def _restricted(expression: Any, point: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the values of the symbols that the expression holds."""
    names = {str(symbol) for symbol in expression.free_symbols}
    return {name: value for name, value in point.items() if str(name) in names}


def _centre(quadratic: Sequence[Any], point: Mapping[Any, Any]) -> Fraction:
    """Return a rational close to the maximum of the quadratic; any rational is right, a close one is fast."""
    lower, upper = rational_ends(-_as_ball(quadratic[1], point) / (2 * _as_ball(quadratic[2], point)))
    if lower is None or upper is None:
        return Fraction(0)
    return ((lower + upper) / 2).limit_denominator(10**6)


def _reach(curvature: Fraction) -> Fraction:
    """Return T with curvature * T^2 of about (bits + 30) log 2, so that the tail is below the rounding."""
    square = Fraction(ctx.prec + 30) / curvature
    # To a sixteenth: a short rational keeps the quadrature's ends cheap.
    scale = 16
    return Fraction(math.isqrt(math.ceil(square * scale * scale)) + 1, scale) if square > 1 else _small_root(square)


def _small_root(square: Fraction) -> Fraction:
    """Return a rational at least the root of a number <= 1, within a factor of two."""
    root = Fraction(1)
    while root * root / 4 >= square:
        root /= 2
    return root


def _exponential_tail(power: int, rate: arb, start: arb) -> arb:
    """Return integral_start^oo v^power exp(-rate v) dv in closed form, for rate > 0."""
    terms = [math.perm(power, j) * start ** (power - j) / rate ** (j + 1) for j in range(power + 1)]
    return (-rate * start).exp() * sum(terms, arb(0))


def _line_tail(
    quadratic: Sequence[Any], weights: Sequence[Any], centre: Fraction, reach: Fraction, point: Mapping[Any, Any]
) -> arb:
    """Return a ball around 0 that holds both tails |v| > T, v = u - centre.

    Beyond T the exponent is at most that at the centre less `(a T - |b|) |v|`, where b is what is left of the linear
    term; the polynomial is bounded by the absolute values of its coefficients. NaN where that does not fall off.
    """
    c0, c1, c2 = (_as_ball(part, point) for part in quadratic)
    middle, start = ball(centre), ball(reach)
    height = (c0 + middle * (c1 + middle * c2)).exp()
    # The linear term is what the rational centre has missed of the maximum; it is taken against the decay.
    rate = -c2 * start - abs(c1 + 2 * c2 * middle)
    if not rate > 0:
        return arb.nan()
    sizes = (abs(_as_ball(weight, point)) for weight in weights)
    bound = 2 * height * sum((s * _exponential_tail(k, rate, start) for k, s in enumerate(sizes)), arb(0))
    return arb(0, bound.upper()) if bound.is_finite() else arb.nan()


def integrate_radial(
    quadratic: sympy.Expr | Fraction,
    linear: sympy.Expr | Fraction,
    constant: sympy.Expr | Fraction,
    dimension: int,
    point: Mapping[Any, Any] | None = None,
    *,
    digits: int = 25,
) -> Enclosure:
    """Return an enclosure of the integral over R^d of exp(-A |u|^2 + B u_1 + C), d >= 2, in cylindrical coordinates.

    The d - 1 coordinates across the first axis become one radial integral with weight r^(d-2) times the surface of the
    unit sphere; both integrals are quadratures with bounded tails, and no Gaussian integral is taken in closed form.

    Args:
        quadratic: A, certainly > 0 at the point.
        dimension: d, an integer >= 2.
        point: exact values of the symbols in A, B and C.
        digits: the relative width asked for is 10^-digits.

    Raises:
        ValueError: for another dimension, and where A is not certainly positive.
    """
    import sympy

    if type(dimension) is not int or dimension < 2:
        raise ValueError(f"dimension={dimension!r}: must be an integer >= 2")
    values = dict(point or {})
    a, b, c = (_as_expression(part) for part in (quadratic, linear, constant))
    u = sympy.Dummy("u")
    # Two digits more for each factor, as their product has the widths of both.
    along = integrate_gaussian_line(-a * u**2 + b * u + c, u, values, digits=digits + 2)
    across = _until_tight(lambda: _cross_section(a, dimension, values), digits + 2)
    return _product(along, across)


def _as_expression(value: Any) -> Any:
    """Return a number or an expression as SymPy's."""
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.sympify(value)


def _cross_section(quadratic: Any, dimension: int, point: Mapping[Any, Any]) -> arb:
    """Return surface of the unit sphere of R^(d-1) times integral_0^oo r^(d-2) exp(-A r^2) dr.

    In dimension 2 the sphere of R^1 is two points, and the factor 2 comes out of the same formula.
    """
    import sympy

    r = sympy.Dummy("r")
    power = dimension - 2
    curvature = _as_ball(quadratic, point)
    # The reach is chosen from a lower bound of the curvature, so that the tail is small for the true one.
    floor = rational_ends(curvature)[0]
    if floor is None or floor <= 0:
        return arb.nan()
    # The maximum of r^power exp(-A r^2) lies at sqrt(power / 2A): the reach starts behind it.
    reach = _reach(floor) + _reach_of_power(power, floor)
    program, values = _compile(r**power * sympy.exp(-quadratic * r**2), r, point)
    core = _quadrature(integrand_of(program, values), Fraction(0), reach)
    start = ball(reach)
    # `exp(-A r^2) <= exp(-A T r)` for r >= T, as on the line.
    tail = _exponential_tail(power, curvature * start, start)
    # The area of the unit sphere, by the gamma function and by no Gaussian integral.
    surface = 2 * arb.pi() ** (ball(Fraction(dimension - 1, 2))) / ball(Fraction(dimension - 1, 2)).gamma()
    return surface * (core + arb(0, tail.upper()))


def _reach_of_power(power: int, curvature: Fraction) -> Fraction:
    """Return a rational at least `sqrt(power / curvature)`, by which the weight moves the peak outward at most."""
    square = Fraction(power) / curvature
    return Fraction(math.isqrt(math.ceil(square * 256)) + 1, 16) if power else Fraction(0)


def _product(left: Enclosure, right: Enclosure) -> Enclosure:
    """Return an enclosure of the product of two positive quantities; exact on the ends."""
    ends = (left.lower, left.upper, right.lower, right.upper)
    if any(end is None for end in ends) or left.indeterminate or right.indeterminate:
        return Enclosure(None, None, indeterminate=True)
    # All four corners: a lower end of an enclosure may lie below 0 though the quantity does not.
    products = [
        x * y for x in (left.lower, left.upper) for y in (right.lower, right.upper) if x is not None and y is not None
    ]
    return Enclosure(min(products), max(products))
