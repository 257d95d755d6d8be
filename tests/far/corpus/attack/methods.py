"""False statements for the methods of integrals, of neighbours in n and of squares, with their truth by mpmath alone.

Each row has a true value, or two sides that are ordered, beside the text; what is made of it is false by a margin that
mpmath sees: a value that is off, an order that is turned round, a side that is a little larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mpmath import binomial, e, erf, exp, fac, harmonic, inf, log, mp, mpf, nsum, pi, quad, quadosc, sin, sqrt

mp.dps = 30

#: An integral, and its value by quadrature.
INTEGRALS: dict[str, Callable[[], mpf]] = {
    "integral(t, 0, oo, exp(-t)/(1 + t))": lambda: quad(lambda t: exp(-t) / (1 + t), [0, 1, 5, 60]),
    "integral(t, 1, oo, exp(-t)/t)": lambda: quad(lambda t: exp(-t) / t, [1, 5, 70]),
    "integral(t, 0, oo, exp(-t^4))": lambda: quad(lambda t: exp(-(t**4)), [0, 1, 4]),
    "integral(t, 0, 1, exp(t)/sqrt(t))": lambda: quad(lambda t: 2 * exp(t * t), [0, 1]),
    "integral(t, 0, 1, sin(t)/t)": lambda: quad(lambda t: sin(t) / t, [0, 1]),
    "integral(t, 0, oo, exp(-t)*sqrt(1 + t))": lambda: quad(lambda t: exp(-t) * sqrt(1 + t), [0, 5, 80]),
    "integral(t, 1, oo, 1/(t*sqrt(1 + t^3)))": lambda: log((sqrt(2) + 1) / (sqrt(2) - 1)) / 3,
    "integral(t, -oo, oo, exp(-t^2)/(1 + t^2))": lambda: pi * e * (1 - erf(1)),
    "integral(t, 0, pi, |cos(t)|)": lambda: mpf(2),
    "integral(t, 0, 2*pi, |sin(t)*cos(t)|)": lambda: mpf(2),
    "integral(t, 0, oo, exp(-t)*sin(t))": lambda: quadosc(lambda t: exp(-t) * sin(t), [0, inf], omega=1),
    "integral(x, 0, 1, integral(y, 0, 1, x*y))": lambda: mpf(1) / 4,
    "integral(x, 0, 1, integral(y, 0, 1, x*exp(x*y)))": lambda: e - 2,
    "integral(x, 0, 1, integral(y, 0, x, x + y))": lambda: mpf(1) / 2,
    "integral(x, 1, 2, integral(y, 0, 1, 1/(x + y)))": lambda: quad(lambda x: log((x + 1) / x), [1, 2]),
}


def _middle(n: int) -> mpf:
    return binomial(2 * n, n)


def _second_half(n: int) -> mpf:
    return harmonic(2 * n) - harmonic(n)


def _before_next(n: int) -> mpf:
    return fac(n + 1) - 1


def _fails(op: str, u: mpf, v: mpf) -> bool:
    """Whether a relation fails at two numbers by more than the rounding of mpmath, or by equality."""
    apart = abs(u - v) > mpf(10) ** -20 * abs(v)
    if op in (">", "<") and u == v:
        return True
    return bool(apart and {">=": u < v, "<=": u > v, ">": u < v, "<": u > v, "=": True}[op])


#: A side, another one that is at least as large for each natural n, and both by mpmath.
NEIGHBOURS: list[tuple[str, str, Callable[[int], mpf], Callable[[int], mpf]]] = [
    ("(n/e)^n", "n!", lambda n: (n / e) ** n, fac),
    ("(n/3)^n", "n!", lambda n: (mpf(n) / 3) ** n, fac),
    ("n!", "((n + 1)/2)^n", fac, lambda n: (mpf(n + 1) / 2) ** n),
    ("binomial(2*n, n)", "4^n/sqrt(pi*n)", lambda n: binomial(2 * n, n), lambda n: 4**n / sqrt(pi * n)),
    ("4^n/(2*sqrt(n))", "binomial(2*n, n)", lambda n: 4**n / (2 * sqrt(n)), lambda n: binomial(2 * n, n)),
    ("binomial(3*n, n)", "(27/4)^n", lambda n: binomial(3 * n, n), lambda n: (mpf(27) / 4) ** n),
    ("n^n", "3^n*n!", lambda n: mpf(n) ** n, lambda n: 3**n * fac(n)),
    ("sum(k, n + 1, 2*n, 1/k)", "log(2)", lambda n: harmonic(2 * n) - harmonic(n), lambda _: log(2)),
    ("1/2", "sum(k, n + 1, 2*n, 1/k)", lambda _: mpf(1) / 2, lambda n: harmonic(2 * n) - harmonic(n)),
    ("sum(k, 1, n, 1/k^2)", "2 - 1/n", lambda n: nsum(lambda k: 1 / k**2, [1, n]), lambda n: 2 - mpf(1) / n),
    ("sum(k, 1, n, k*binomial(n, k))", "n*2^(n - 1)", lambda n: n * mpf(2) ** (n - 1), lambda n: n * mpf(2) ** (n - 1)),
    ("sum(k, 0, n, binomial(n, k)^2)", "binomial(2*n, n)", _middle, _middle),
    ("sum(k, 1, 2*n, (-1)^(k + 1)/k)", "sum(k, n + 1, 2*n, 1/k)", _second_half, _second_half),
    ("sum(k, 1, n, k*k!)", "(n + 1)! - 1", _before_next, _before_next),
]

#: A side, another one that is at least as large, their domain, and both by mpmath at a point where they nearly touch.
SQUARES: list[tuple[str, str, str, dict[str, str], Callable[..., mpf], Callable[..., mpf]]] = [
    (
        "sqrt((a + c)^2 + (b + d)^2)", "sqrt(a^2 + b^2) + sqrt(c^2 + d^2)", "a, b, c, d real",
        {"a": "1", "b": "2", "c": "1", "d": "2"},
        lambda a, b, c, d: sqrt((a + c) ** 2 + (b + d) ** 2),
        lambda a, b, c, d: sqrt(a * a + b * b) + sqrt(c * c + d * d),
    ),
    (
        "|p - q|", "sqrt((p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))/2)", "p, q in (0, 1)", {"p": "0.51", "q": "0.5"},
        lambda p, q: abs(p - q), lambda p, q: sqrt((p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))) / 2),
    ),
    ("sqrt(x*y)", "(x + y)/2", "x, y > 0", {"x": "1", "y": "1"}, lambda x, y: sqrt(x * y), lambda x, y: (x + y) / 2),
    (
        "sqrt(x + y)", "sqrt(x) + sqrt(y)", "x, y >= 0", {"x": "1", "y": "0.000001"},
        lambda x, y: sqrt(x + y), lambda x, y: sqrt(x) + sqrt(y),
    ),
    (
        "x + y", "sqrt(2*(x^2 + y^2))", "x, y real", {"x": "1", "y": "1"},
        lambda x, y: x + y, lambda x, y: sqrt(2 * (x * x + y * y)),
    ),
]  # fmt: skip
MARGINS = ("1/10", "1/1000", "1/100000")
#: Sides are compared at these n.
PLACES = (1, 2, 3, 4, 5, 8, 13, 50, 300, 2000)


def false_statements() -> Iterator[str]:
    """Yield each statement that mpmath finds false; of a margin that is too small for it nothing is made."""
    for text, value in INTEGRALS.items():
        near = value()
        for margin in MARGINS:
            off = _number(margin)
            # Rounded inwards, so that what is written is still off by most of the margin.
            above, below = (mp.nstr(near + off * sign * mpf("0.9"), 9) for sign in (1, -1))
            if mpf(above) > near > mpf(below):
                yield from (f"{text} >= {above}", f"{text} <= {below}", f"{text} = {above}")
    for less, more, low, high in NEIGHBOURS:
        for factor in ("1", "9/10", "99/100"):
            at = [(low(n), _number(factor) * high(n)) for n in PLACES]
            for op in (">=", "<=", ">", "<", "="):
                if any(_fails(op, u, v) for u, v in at):
                    yield f"{less} {op} {factor}*({more}) for n natural, n >= 1"
    for less, more, domain, place, low, high in SQUARES:
        values = {name: mpf(value) for name, value in place.items()}
        for factor in ("99/100", "999/1000", "1/2"):
            if low(**values) > _number(factor) * high(**values):
                yield f"{less} <= {factor}*({more}) for {domain}"
        yield f"{less} >= 101/100*({more}) for {domain}"
        yield f"{less} > {more} for {domain}"


def _number(text: str) -> mpf:
    numerator, _, denominator = text.partition("/")
    return mpf(numerator) / mpf(denominator or 1)
