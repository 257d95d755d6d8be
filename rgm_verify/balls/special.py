"""The remainders of the logarithm as SymPy functions that stay analytic where their closed forms divide by zero.

`LogRemainder(n, x)` is what is left of log(1 + x) after n - 1 Taylor terms, divided by the power of x that it owes:
integral_0^1 s^(n-1) / (1 + s x) ds.  An inequality between logarithms whose two sides touch at x = 0 becomes, written
with these functions, an inequality without cancellation, which is what ball arithmetic can decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy
import numpy.typing
import sympy

__all__ = ["MPMATH_FUNCTIONS", "NUMPY_FUNCTIONS", "LogRemainder", "LogRemainderD", "LogRemainderMoment"]

FloatArray = numpy.typing.NDArray[numpy.float64]


def _order(value: Any, name: str) -> None:
    """Refuse a literal order that is not an integer >= 1."""
    if value.is_number and not (value.is_Integer and value >= 1):
        raise ValueError(f"{name}={value}: the order of a logarithm remainder must be an integer >= 1")


class _Moment(sympy.Function):
    """Shared behaviour of integral_0^1 s^(a-1) / (1 + s x)^b ds; `moment()` names (a, b, x)."""

    def moment(self) -> tuple[Any, Any, Any]:
        """Return (a, b, x) of the integral that this function is; exact."""
        raise NotImplementedError

    def _eval_rewrite_as_log(self, *args: Any, **hints: Any) -> Any:
        """Return the closed form, where both orders are literal."""
        a, b, x = self.moment()
        return _closed_form(a, b, x) if a.is_Integer and b.is_Integer else self

    def doit(self, **hints: Any) -> Any:
        """Return the closed form in log(1 + x), valid for x != 0; exact."""
        inner = self.func(*(part.doit(**hints) for part in self.args)) if hints.get("deep", True) else self
        return inner.rewrite(sympy.log) if isinstance(inner, _Moment) else inner

    def _eval_evalf(self, prec: int) -> Any:
        """Return a float of SymPy's at a point of the domain, None elsewhere."""
        a, b, x = self.moment()
        # None leaves the function as it is: SymPy takes that for an answer that is not known.
        value = x._eval_evalf(prec)
        if not (a.is_Integer and b.is_Integer and value.is_Float and value > -1):
            return None
        with mpmath.workprec(prec):
            return sympy.Float._new(_mpmath_moment(int(a), int(b), value._to_mpmath(prec))._mpf_, prec)

    def _eval_is_positive(self) -> bool | None:
        """Positive wherever it is defined, as its integrand is; nothing is known elsewhere."""
        return True if (self.moment()[2] + 1).is_positive else None

    def _eval_is_real(self) -> bool | None:
        """Real wherever x > -1; nothing is known elsewhere."""
        return True if (self.moment()[2] + 1).is_positive else None


class LogRemainder(_Moment):
    """LogRemainder(n, x) = integral_0^1 s^(n-1) / (1 + s x) ds for an integer n >= 1 and x > -1.

    LogRemainder(1, x) = log(1 + x) / x, LogRemainder(2, x) = (x - log(1 + x)) / x^2, and in general
    LogRemainder(n + 1, x) = (1/n - LogRemainder(n, x)) / x.  Analytic at 0 (value 1/n), positive, decreasing in x.
    Exact; raises ValueError when n is a number other than an integer >= 1.
    """

    nargs = 2

    @classmethod
    def eval(cls, n: Any, x: Any) -> Any:
        """Return 1/n at x = 0, nothing otherwise."""
        _order(n, "n")
        return sympy.Integer(1) / n if x.is_zero else None

    def moment(self) -> tuple[Any, Any, Any]:
        """Return (n, 1, x)."""
        return self.args[0], sympy.Integer(1), self.args[1]

    def fdiff(self, argindex: int = 2) -> Any:
        """Return the derivative in x, -LogRemainderD(n, x); the order has none."""
        if argindex != 2:
            raise sympy.core.function.ArgumentIndexError(self, argindex)
        return -LogRemainderD(*self.args)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        """Return the symbol that pages show for a remainder."""
        power = f"^{{{exp}}}" if exp else ""
        return rf"\Lambda_{{{printer._print(self.args[0])}}}{power}\left({printer._print(self.args[1])}\right)"


class LogRemainderD(_Moment):
    """LogRemainderD(n, x) = integral_0^1 s^n / (1 + s x)^2 ds, minus the derivative of LogRemainder(n, x) in x.

    Exact; positive and decreasing on x > -1, analytic at 0 with value 1/(n + 1).
    """

    nargs = 2

    @classmethod
    def eval(cls, n: Any, x: Any) -> Any:
        """Return 1/(n + 1) at x = 0, nothing otherwise."""
        _order(n, "n")
        return sympy.Integer(1) / (n + 1) if x.is_zero else None

    def moment(self) -> tuple[Any, Any, Any]:
        """Return (n + 1, 2, x)."""
        return self.args[0] + 1, sympy.Integer(2), self.args[1]

    def fdiff(self, argindex: int = 2) -> Any:
        """Return the derivative in x, -2 integral_0^1 s^(n+1) / (1 + s x)^3 ds."""
        if argindex != 2:
            raise sympy.core.function.ArgumentIndexError(self, argindex)
        return -2 * LogRemainderMoment(self.args[0] + 2, sympy.Integer(3), self.args[1])

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        """Return minus the derivative of the symbol of a remainder."""
        base = rf"\Lambda_{{{printer._print(self.args[0])}}}'\left({printer._print(self.args[1])}\right)"
        return rf"\left(-{base}\right)^{{{exp}}}" if exp else rf"\left(-{base}\right)"


class LogRemainderMoment(_Moment):
    """LogRemainderMoment(a, b, x) = integral_0^1 s^(a-1) / (1 + s x)^b ds for integers a, b >= 1 and x > -1.

    Exact; the family closes under differentiation: d/dx (a, b) = -b (a + 1, b + 1).
    """

    nargs = 3

    @classmethod
    def eval(cls, a: Any, b: Any, x: Any) -> Any:
        """Return 1/a at x = 0 and a LogRemainder for b = 1, nothing otherwise."""
        _order(a, "a")
        _order(b, "b")
        if x.is_zero:
            return sympy.Integer(1) / a
        return LogRemainder(a, x) if b == 1 else None

    def moment(self) -> tuple[Any, Any, Any]:
        """Return (a, b, x)."""
        return self.args[0], self.args[1], self.args[2]

    def fdiff(self, argindex: int = 3) -> Any:
        """Return the derivative in x, -b LogRemainderMoment(a + 1, b + 1, x)."""
        if argindex != 3:
            raise sympy.core.function.ArgumentIndexError(self, argindex)
        a, b, x = self.args
        return -b * LogRemainderMoment(a + 1, b + 1, x)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        """Return the symbol with both orders."""
        a, b, x = (printer._print(part) for part in self.args)
        power = f"^{{{exp}}}" if exp else ""
        return rf"\Lambda_{{{a},{b}}}{power}\left({x}\right)"


def _closed_form(a: Any, b: Any, x: Any) -> Any:
    """Return integral_0^1 s^(a-1) / (1 + s x)^b ds in elementary functions of x != 0; exact.

    By the same recurrence as the balls, down to a logarithm (b = 1) or a power (a = 1).
    """
    # The logarithm and its Taylor terms; both cancel for small x, which is why the function is kept closed.
    if b == 1:
        taylor = sum((-1) ** (k + 1) * x**k / sympy.Integer(k) for k in range(1, int(a)))
        return (-1) ** (int(a) + 1) * (sympy.log(1 + x) - taylor) / x**a
    if a == 1:
        return (1 - (1 + x) ** (1 - b)) / ((b - 1) * x)
    return (_closed_form(a - 1, b - 1, x) - _closed_form(a - 1, b, x)) / x


def _mpmath_moment(a: int, b: int, x: Any) -> Any:
    """Return the moment at the working precision of mpmath, by the hypergeometric function; a float, not a bound."""
    return mpmath.hyp2f1(b, a, a + 1, -x) / a


def _series(a: int, b: int, x: FloatArray) -> FloatArray:
    """Return the moment by its power series for |x| <= 1/4; relative error of a few units of 2^-53."""
    total = numpy.zeros_like(x)
    # Terms fall like 4^-k, and the coefficients grow like k^(b-1): so many leave nothing in double precision.
    for k in range(40 + 4 * b, -1, -1):
        total = total * -x * ((b + k) / (k + 1.0)) + 1.0 / (a + k)
    return total


def _recurrence(a: int, b: int, x: FloatArray) -> FloatArray:
    """Return the moment by its recurrence, for |x| > 1/4; each step costs about two bits at the worst."""
    if a == 1 and b == 1:
        return numpy.log1p(x) / x
    if b == 1:
        return (1.0 / (a - 1) - _recurrence(a - 1, 1, x)) / x
    if a == 1:
        from_one: FloatArray = -numpy.expm1((1 - b) * numpy.log1p(x)) / ((b - 1) * x)
        return from_one
    return (_recurrence(a - 1, b - 1, x) - _recurrence(a - 1, b, x)) / x


def numpy_moment(a: int, b: int, x: numpy.typing.ArrayLike) -> FloatArray:
    """Return integral_0^1 s^(a-1) / (1 + s x)^b ds in floating point, elementwise over x > -1.

    A float without a certified error; stable at small x, where the power series takes over from the recurrence.

    Args:
        a: an integer >= 1.
        b: an integer >= 1.
        x: floats > -1, of any shape.
    """
    points: FloatArray = numpy.asarray(x, dtype=numpy.float64)
    small = numpy.abs(points) <= 0.25
    # Both are computed everywhere, each with arguments at which it is at home.
    inner = _series(int(a), int(b), numpy.where(small, points, 0.0))
    outer = _recurrence(int(a), int(b), numpy.where(small, 1.0, points))
    found: FloatArray = numpy.where(small, inner, outer)
    return found


NUMPY_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "LogRemainder": lambda n, x: numpy_moment(n, 1, x),
    "LogRemainderD": lambda n, x: numpy_moment(int(n) + 1, 2, x),
    "LogRemainderMoment": numpy_moment,
}

MPMATH_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "LogRemainder": lambda n, x: _mpmath_moment(int(n), 1, mpmath.mpmathify(x)),
    "LogRemainderD": lambda n, x: _mpmath_moment(int(n) + 1, 2, mpmath.mpmathify(x)),
    "LogRemainderMoment": lambda a, b, x: _mpmath_moment(int(a), int(b), mpmath.mpmathify(x)),
    # Names that SymPy's printer does not know by itself.
    "harmonic": lambda n: mpmath.harmonic(n),
    "polygamma": lambda n, x: mpmath.polygamma(int(n), x),
    "erfinv": lambda x: mpmath.erfinv(x),
    "erfcinv": lambda x: mpmath.erfinv(1 - mpmath.mpf(x)),
    "factorial": lambda n: mpmath.factorial(n),
    "binomial": lambda n, k: mpmath.binomial(n, k),
}
