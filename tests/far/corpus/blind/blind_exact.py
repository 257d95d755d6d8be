"""Categories 5 and 6: failures at irrational points only, and claims about integers."""

from sympy import Abs, Rational, cos, exp, log, sin, sqrt, tanh

from rgm_verify.claims import both, eq, ge, gt, le, lt, ne

from .known import *

CLAIMS = [
    false("c05-square-sqrt2", gt((x**2 - 2) ** 2, 0), x, at={"x": "sqrt(2)"}),
    false("c05-cube-root", gt((x**3 - 2) ** 2, 0), x, at={"x": "2**(1/3)"}),
    false("c05-log-two", gt((exp(x) - 2) ** 2, 0), x, at={"x": "log(2)"}),
    false("c05-cosine-pi", gt(1 + cos(x), 0), x, at={"x": "pi"}),
    false("c05-sine-root", ne(sin(xp), 0), on(xp, 3, 4), at={"x": "pi"}),
    false("c05-given-sqrt3", gt((x - yp) ** 2, 0), x, yp, given=(eq(yp**2, 3),), at={"x": "sqrt(3)", "y": "sqrt(3)"}),
    false("c05-given-exp", gt((y - 2) ** 2, 0), x, y, given=(eq(y, exp(x)),), at={"x": "log(2)", "y": 2}),
    false("c05-irrational-ratio", ne(xp**2, 2 * yp**2), xp, yp, at={"x": "sqrt(2)", "y": 1}, why="no rational point fails"),
    false("c05-two-absolute", gt(Abs(x**2 - 5) + Abs(y**2 - 7), 0), x, y, at={"x": "sqrt(5)", "y": "sqrt(7)"}),
    false("c05-x-log-x", gt(xp * log(xp), -exp(-1)), xp, at={"x": "exp(-1)"}),
    false("c05-log-is-one", ne(log(xp), 1), xp, at={"x": "E"}),
    false("c05-reciprocal-sqrt3", gt(xp + 3 / xp, 2 * sqrt(3)), xp, at={"x": "sqrt(3)"}),
    false("c05-circle", lt(x + y, sqrt(2)), x, y, given=(eq(x**2 + y**2, 1),), at={"x": "sqrt(2)/2", "y": "sqrt(2)/2"}),
    false("c05-given-cube-root", ge(xp, Q(63, 50)), xp, given=(eq(xp**3, 2),), at={"x": "2**(1/3)"}, why="the only admissible point is 1.2599210..."),
    false("c05-tanh-half", ne(tanh(x), Q(1, 2)), x, at={"x": "log(3)/2"}),
    false("c05-cosine-third", gt((2 * cos(xn) - 1) ** 2, 0), on(xn, 0, 2), at={"x": "pi/3"}),
    false("c05-exists-negative-square", lt((x**2 - 2) ** 2, 0), x, quantifier="exists", why="a square"),
    true("c05-exists-only-sqrt2", le((x**2 - 2) ** 2, 0), x, quantifier="exists", at={"x": "sqrt(2)"}, why="at +-sqrt 2 only"),
    true("c05-given-exp-true", ge(y, 1 + x), x, y, given=(eq(y, exp(x)),), pick={"y": "exp(x)"}, why="exp(x) >= 1 + x"),
    # --- integers
    true("c06-four-in-a-row", ge(ki * (ki - 1) * (ki - 2) * (ki - 3), 0), ki, why="integers: zero at 0..3, positive elsewhere"),
    true("c06-square-minus-two", ge((ki**2 - 2) ** 2, 1), ki, why="k^2 - 2 is a nonzero integer"),
    true("c06-odd-square", ge((2 * ki - 1) ** 2, 1), ki, why="odd numbers"),
    true("c06-sign-power", le((-1) ** n, 1), n, why="+-1"),
    true("c06-no-third", ne(3 * ki, 1), ki, why="1/3 is no integer"),
    true("c06-exists-pell", eq(m**2, 61 * n**2 + 1), m, n, quantifier="exists", at={"m": 1766319049, "n": 226153980}, why="Fermat's challenge"),
    false("c06-large-quadratic", le(n**2, 10**9 * n), n, at={"n": 10**9 + 1}),
    false("c06-one-integer", ge((n - 10**12) ** 2, 1), n, at={"n": 10**12}),
    false("c06-large-square", ne(n**2, 10**14), n, at={"n": 10**7}),
    false("c06-power-square", ge(2**n, n**2), n, at={"n": 3}, why="only at n = 3"),
    false("c06-negative-base", ge((-2) ** n, -100), n, at={"n": 7}),
    false("c06-alternating", ge((-1) ** n, 0), n, at={"n": 1}),
    false("c06-alternating-half", le(Rational(-1, 2) ** n, Q(1, 5)), n, at={"n": 2}, why="only at n = 2"),
    false("c06-euler-polynomial", ne(n**2 + n + 41, 1681), n, at={"n": 40}, why="41^2 is no prime"),
    false("c06-pell", ne(m**2, 61 * n**2 + 1), m, n, at={"m": 1766319049, "n": 226153980}),
    false("c06-cannonballs", ne(n * (n + 1) * (2 * n + 1), 6 * 70**2), n, at={"n": 24}),
    false("c06-sqrt2-approximation", ge(Abs(m - n * sqrt(2)), tiny(6)), m, n, at={"m": 665857, "n": 470832}),
    false("c06-sine-355", ge(sin(n) ** 2, tiny(9)), n, at={"n": 355}, why="355/113 is close to pi"),
    false("c06-euler-number", le(n * log(1 + 1 / n), 1 - tiny(7)), n, at={"n": 10**7}, why="1 - 1/(2n) + ..."),
    false("c06-exists-root-two", eq(mi**2, 2), mi, quantifier="exists", why="sqrt 2 is irrational; for reals it exists"),
    false("c06-exists-half", eq(2 * ki, 7), ki, quantifier="exists", why="parity"),
    false("c06-exists-ratio", eq(m**2, 2 * n**2), m, n, quantifier="exists", why="sqrt 2 is irrational"),
    false("c06-odd-cube", gt((-3) ** n + 3**n, 0), n, at={"n": 1}, why="zero for every odd n"),
    false("c06-between", ge((2 * ki - 1) * (2 * ki - 3), 0), ki, at={"k": 1}, why="only at k = 1"),
    false("c06-large-window", ge((n - 10**20) * (n - 10**20 - 2), 0), n, at={"n": 10**20 + 1}, why="at one integer"),
    true("c06-empty-window", ge((n - 10**20) * (n - 10**20 - 1), 0), n, why="no integer lies between; false for reals"),
]
