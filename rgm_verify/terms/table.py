"""The table of functions, a row each, and the ways to find one."""

from __future__ import annotations

from typing import Any, Final

from rgm_verify.terms.function import Condition, Function, everywhere

__all__ = ["FUNCTIONS", "found", "kind", "made"]


def _sympy() -> Any:
    """Return SymPy, which is imported when it is asked for: a replay reads operations without it."""
    import sympy  # noqa: PLC0415 - see above

    return sympy


def _special() -> Any:
    """Return SciPy's special functions, which are slow to load."""
    import scipy.special  # noqa: PLC0415 - see above

    return scipy.special


def _positive(x: Any) -> tuple[Condition, ...]:
    return ((x, ">", 0),)


def _above_minus_one(x: Any, *others: Any) -> tuple[Condition, ...]:
    return ((x, ">", -1),)


def _within_one(x: Any) -> tuple[Condition, ...]:
    return (x, ">=", -1), (x, "<=", 1)


def _inside_one(x: Any) -> tuple[Condition, ...]:
    return (x, ">", -1), (x, "<", 1)


def _square_below_one(x: Any) -> tuple[Condition, ...]:
    """The same in one condition, which has no root left where the argument is one."""
    return ((1 - x**2, ">", 0),)


def _cosine(x: Any) -> tuple[Condition, ...]:
    return ((_sympy().cos(x), "!=", 0),)


def _sine(x: Any) -> tuple[Condition, ...]:
    return ((_sympy().sin(x), "!=", 0),)


def _not_zero(x: Any) -> tuple[Condition, ...]:
    return ((x, "!=", 0),)


def _derivative_of_log_gamma(order: Any, x: Any) -> tuple[Condition, ...] | None:
    """Return where a derivative of log gamma of an order is real: it is known for the orders 0, 1, 2, ..."""
    return ((x, ">", 0),) if order.is_Integer and order >= 0 else None


def _harmonic_of_order(x: Any, order: Any) -> tuple[Condition, ...] | None:
    """Return where H(x, p) is real: it is zeta(p) - zeta(p, x + 1) for an integer p >= 2."""
    return ((x, ">", -1),) if order.is_Integer and order >= 1 else None


def _choices(above: Any, below: Any) -> tuple[Condition, ...]:
    """Return where a binomial coefficient is real; between integers it is 0 outside of the triangle."""
    if above.is_integer and below.is_integer and above.is_nonnegative:
        return ()
    return (above, ">", -1), (below, ">", -1), (above - below, ">", -1)


def _incomplete(order: Any, argument: Any) -> tuple[Condition, ...]:
    return (order, ">", 0), (argument, ">=", 0)


def _total(sympy: str, op: str = "", **columns: Any) -> Function:
    """Return a row for a function that is smooth on all of the line."""
    return Function(sympy=sympy, op=op, **{"domain": everywhere, "smooth": everywhere, **columns})


def _jumping(sympy: str, **columns: Any) -> Function:
    """Return a row for a function that is real on all of the line, and jumps."""
    return Function(sympy=sympy, domain=everywhere, continuous=False, **columns)


def _quotient(sympy: str, **columns: Any) -> Function:
    """Return a row for a quotient of circular functions, which has its own name and no other operation."""
    return Function(sympy=sympy, text=sympy, circular=True, **columns)


def _logarithm(base: int) -> Any:
    return lambda x: _sympy().log(x) / _sympy().log(base)


FUNCTIONS: Final[tuple[Function, ...]] = (
    _total("exp", "exp", floats="exp", text="exp", tree="exp", command=True, rises=1, at=(0, 1)),
    Function(sympy="log", floats="log", text="log", also=("ln", "log_e"), tree="log", op="log", command=True,
             domain=_positive, smooth=_positive, rises=1, at=(1, 0)),
    _total("erf", "erf", floats="erf", text="erf", tree="erf", rises=1, at=(0, 0)),
    _total("tanh", "tanh", floats="tanh", text="tanh", tree="tanh", command=True, circular=True, rises=1, at=(0, 0)),
    _total("atan", "atan", floats="arctan", text="arctan", also=("atan",), tree="atan", command=True, rises=1,
           at=(0, 0)),
    _total("sinh", "sinh", floats="sinh", text="sinh", tree="sinh", command=True, circular=True, rises=1, at=(0, 0)),
    _total("asinh", "asinh", floats="arcsinh", text="arsinh", also=("asinh", "arcsinh"), tree="asinh", rises=1,
           at=(0, 0)),
    _total("cosh", "cosh", floats="cosh", text="cosh", tree="cosh", command=True, circular=True, at=(0, 1)),
    _total("sin", "sin", floats="sin", text="sin", tree="sin", command=True, circular=True, at=(0, 0)),
    _total("cos", "cos", floats="cos", text="cos", tree="cos", command=True, circular=True, at=(0, 1)),
    _total("erfc", "erfc", floats="erfc", text="erfc", tree="erfc", rises=-1, at=(0, 1)),
    _total("erfi", "erfi", floats="erfi", tree="erfi", at=(0, 0)),
    _total("sech", text="sech", circular=True, plain=lambda x: 1 / _sympy().cosh(x)),
    _quotient("tan", floats="tan", command=True, domain=_cosine, smooth=_cosine,
              plain=lambda x: _sympy().sin(x) / _sympy().cos(x)),
    _quotient("sec", command=True, domain=_cosine, plain=lambda x: 1 / _sympy().cos(x)),
    _quotient("cot", command=True, domain=_sine, plain=lambda x: _sympy().cos(x) / _sympy().sin(x)),
    _quotient("csc", command=True, domain=_sine, plain=lambda x: 1 / _sympy().sin(x)),
    _quotient("coth", command=True, domain=_not_zero, plain=lambda x: 1 / _sympy().tanh(x)),
    _quotient("csch", domain=_not_zero, plain=lambda x: 1 / _sympy().sinh(x)),
    Function(sympy="acot", plain=lambda x: _sympy().atan(1 / x)),
    Function(sympy="asin", floats="arcsin", text="arcsin", also=("asin",), tree="asin", op="asin", command=True,
             domain=_within_one, smooth=_square_below_one, rises=1, at=(0, 0)),
    Function(sympy="acos", floats="arccos", text="arccos", also=("acos",), tree="acos", op="acos", command=True,
             domain=_within_one, smooth=_square_below_one, rises=-1, at=(1, 0)),
    Function(sympy="atanh", floats="arctanh", text="artanh", also=("atanh", "arctanh"), tree="atanh", op="atanh",
             domain=_inside_one, smooth=_square_below_one, rises=1, at=(0, 0)),
    Function(sympy="acosh", floats="arccosh", text="arcosh", also=("acosh", "arccosh"), tree="acosh", op="acosh",
             domain=lambda x: ((x, ">=", 1),), at=(1, 0)),
    Function(sympy="erfinv", floats="erfinv", text="erfinv", tree="erfinv", op="erfinv", domain=_inside_one,
             smooth=_square_below_one, rises=1, at=(0, 0)),
    Function(sympy="erfcinv", floats="erfcinv", text="erfcinv", tree="erfcinv", op="erfcinv",
             domain=lambda x: ((x, ">", 0), (x, "<", 2))),
    Function(sympy="LambertW", floats=lambda x: _special().lambertw(x), text="lambertw", also=("LambertW",),
             tree="lambertw", op="lambertw", domain=lambda x: ((x, ">=", -_sympy().exp(-1)),)),
    Function(sympy="gamma", floats="gamma", text="gamma", also=("Gamma",), letter=True, latex=r"\Gamma\left({0}\right)",
             tree="gamma", op="gamma", domain=_positive, smooth=_positive, exact=False, poles=True),
    Function(sympy="loggamma", floats="gammaln", text="loggamma", also=("lgamma",), tree="loggamma", op="lgamma",
             domain=_positive, smooth=_positive, exact=False),
    Function(sympy="polygamma", fixed=(0,), floats="psi", text="digamma", tree="digamma", op="digamma",
             domain=_positive, smooth=_positive, exact=False, poles=True),
    Function(sympy="polygamma", fixed=(1,), floats=lambda x: _special().polygamma(1, x), tree="trigamma", op="trigamma",
             arb="trigamma({0})", domain=_positive, smooth=_positive, exact=False, poles=True),
    Function(sympy="polygamma", count=(2, 2), floats=lambda n, x: _special().polygamma(n, x),
             domain=_derivative_of_log_gamma, smooth=_derivative_of_log_gamma, exact=False, poles=True),
    Function(sympy="uppergamma", count=(2, 2), floats=lambda a, x: _special().gamma(a) * _special().gammaincc(a, x),
             text="uppergamma", latex=r"\Gamma\left({0}, {1}\right)", tree="uppergamma", op="uppergamma",
             arb="gamma_upper({0}, {1})", domain=_incomplete, exact=False),
    Function(sympy="lowergamma", count=(2, 2), floats=lambda a, x: _special().gamma(a) * _special().gammainc(a, x),
             text="lowergamma", tree="lowergamma", op="lowergamma", arb="gamma_lower({0}, {1})", domain=_incomplete,
             exact=False),
    Function(sympy="factorial", text="factorial", latex=r"\left({0}\right)!", domain=_above_minus_one, exact=False,
             poles=True, continuous=False, plain=lambda n: _sympy().gamma(n + 1)),
    Function(sympy="binomial", floats="binom", count=(2, 2), text="binomial", also=("choose",),
             latex=r"\binom{{{0}}}{{{1}}}", domain=_choices, exact=False, continuous=False, plain=lambda n,
             k: _sympy().gamma(n + 1) / (_sympy().gamma(k + 1) * _sympy().gamma(n - k + 1))),
    Function(sympy="harmonic", text="harmonic", domain=_above_minus_one, exact=False, poles=True, continuous=False,
             plain=lambda n: _sympy().polygamma(0, n + 1) + _sympy().EulerGamma),
    Function(sympy="harmonic", floats=lambda n, p: _special().zeta(p) - _special().zeta(p, n + 1), count=(2, 2),
             domain=_harmonic_of_order, exact=False, poles=True, continuous=False),
    Function(sympy="beta", floats="beta", count=(2, 2), text="beta", letter=True,
             latex=r"\mathrm{{B}}\left({0}, {1}\right)", domain=lambda x, y: ((x, ">", 0), (y, ">", 0)), exact=False,
             plain=lambda x, y: _sympy().gamma(x) * _sympy().gamma(y) / _sympy().gamma(x + y)),
    Function(sympy="catalan",
             plain=lambda n: _sympy().gamma(2 * n + 1) / (_sympy().gamma(n + 1) * _sympy().gamma(n + 2))),
    Function(sympy="RisingFactorial", floats="poch", count=(2, 2), plain=lambda x,
             k: _sympy().gamma(x + k) / _sympy().gamma(x)),
    Function(sympy="FallingFactorial", count=(2, 2), plain=lambda x,
             k: _sympy().gamma(x + 1) / _sympy().gamma(x - k + 1)),
    Function(sympy="zeta", floats="zeta", text="zeta", integers=True, latex=r"\zeta\left({0}\right)", op="zeta",
             domain=lambda s: ((s, "!=", 1),)),
    Function(sympy="Abs", floats="abs", text="abs", also=("Abs",), latex=r"\left|{0}\right|", tree="abs", op="abs",
             arb="abs({0})", domain=everywhere),
    _jumping("sign", floats="sign", text="sign", also=("sgn",), tree="sign", op="sgn", arb="sign({0})"),
    _jumping("floor", floats="floor", text="floor", latex=r"\left\lfloor {0}\right\rfloor ", tree="floor", op="floor"),
    _jumping("ceiling", floats="ceil", text="ceil", also=("ceiling",), latex=r"\left\lceil {0}\right\rceil ",
             tree="ceil", op="ceil"),
    Function(sympy="Min", floats="minimum", count=(2, 20), text="min", also=("Min",), tree="min",
             latex=r"\min\left({0}\right)", domain=everywhere),
    Function(sympy="Max", floats="maximum", count=(2, 20), text="max", also=("Max",), tree="max",
             latex=r"\max\left({0}\right)", domain=everywhere),
    # Names that are no classes of SymPy's.
    Function(sympy="", text="sqrt", latex=r"\sqrt{{{0}}}"),
    Function(sympy="", text="cbrt", latex=r"\sqrt[3]{{{0}}}"),
    Function(sympy="", text="log2", also=("log_2",), latex=r"\log_{{2}}\left({0}\right)"),
    Function(sympy="", text="log10", also=("log_10",), latex=r"\log_{{10}}\left({0}\right)"),
    Function(sympy="", text="Phi", letter=True),
)  # fmt: skip


def _by_class() -> dict[str, tuple[Function, ...]]:
    """Return the rows by the name of a class, those with fixed arguments first."""
    found: dict[str, list[Function]] = {}
    for row in FUNCTIONS:
        if row.sympy:
            found.setdefault(row.sympy, []).append(row)
    return {name: tuple(sorted(rows, key=lambda row: not row.fixed)) for name, rows in found.items()}


_BY_CLASS: Final = _by_class()


def found(node: Any) -> tuple[Function, tuple[Any, ...]] | None:
    """Return the row of a term with the arguments that are not fixed; None for what is in no row.

    Args:
        node: A term of SymPy's.

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> row, arguments = found(sympy.digamma(x))
        >>> row.text, arguments
        ('digamma', (x,))
    """
    for row in _BY_CLASS.get(type(node).__name__, ()):
        given, rest = node.args[: len(row.fixed)], tuple(node.args[len(row.fixed) :])
        if given == row.fixed and row.count[0] <= len(rest) <= row.count[1]:
            return row, rest
    return None


def kind(row: Function) -> Any:
    """Return the class of SymPy's that a row is about."""
    return getattr(_sympy(), row.sympy)


def made(row: Function, *arguments: Any, **options: Any) -> Any:
    """Return SymPy's value of a function at arguments; options such as `evaluate` go to its class."""
    return kind(row)(*row.fixed, *arguments, **options)
