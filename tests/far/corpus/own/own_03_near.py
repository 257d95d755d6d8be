"""(2) false by 1e-3 ... 1e-15 next to a touching point, and true twins."""

from .known import *

X, x = var("x")
Y, y = var("y")
P, p = var("p", "(0,inf)")
Q, q = var("q", "(0,inf)")
A, a = var("a", "[0,inf)")
B, b = var("b", "[0,inf)")
C, c = var("c", "[0,inf)")
T, t = var("t", "(0,1)")
W, w = var("w", "(0,1)")
EPS, eps = var("eps", "[0,inf)")
RHO, rho = var("rho", "(0,inf)")
AL, al = var("alpha", "(1,inf)")


def ten(n):
    return R(1, 10**n)


def kl(p, q):
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


CLAIMS = [
    false("near-reciprocal-3", ge(p + 1 / p, 2 + ten(3)), P, at={"p": 1}, why="2 at p = 1", cat="2"),
    false("near-reciprocal-12", ge(p + 1 / p, 2 + ten(12)), P, at={"p": 1}, why="2 at p = 1", cat="2"),
    false("near-square-sevenths", ge(49 * x**2 + 9, 42 * x + ten(9)), X, at={"x": "3/7"}, why="equal at 3/7 but for 1e-9", cat="2"),
    false("near-square-big-denominator", ge((1000003 * x - 7) ** 2, ten(15)), X, at={"x": "7/1000003"}, why="0 at 7/1000003", cat="2"),
    false("near-root-2", ge(x**4 + 4, 4 * x**2 + ten(6)), X, at={"x": "sqrt(2)"}, why="(x^2-2)^2 is 0 at sqrt 2", cat="2"),
    false("near-root-2-15", ge((x**2 - 2) ** 2, ten(15)), X, at={"x": "sqrt(2)"}, why="0 at sqrt 2", cat="2"),
    false("near-cube-root", ge(x**6 + 9, 6 * x**3 + ten(12)), X, at={"x": "3**(1/3)"}, why="(x^3-3)^2", cat="2"),
    false("near-quintic", ge((x**5 - x - 1) ** 2, ten(9)), X, at={"x": "CRootOf(x**5 - x - 1, 0)"}, why="0 at the real root", cat="2"),
    false("near-log-1", le(log(p), p - 1 - ten(15)), P, at={"p": 1}, why="0 <= -1e-15 at p = 1", cat="2"),
    false("near-log-3", le(log(p), p / 3 - 1 + log(3) - ten(12)), P, at={"p": 3}, why="touches at 3", cat="2"),
    false("near-log-root-2", le(log(p), p / sqrt(2) - 1 + log(2) / 2 - ten(9)), P, at={"p": "sqrt(2)"}, why="touches at sqrt 2", cat="2"),
    false("near-exp-0", ge(exp(x), 1 + x + ten(6)), X, at={"x": 0}, why="touches at 0", cat="2"),
    false("near-exp-log-2", ge(exp(x), 2 + 2 * (x - log(2)) + ten(9)), X, at={"x": "log(2)"}, why="touches at log 2", cat="2"),
    false("near-am-gm-3", ge(a**3 + b**3 + c**3, 3 * a * b * c + ten(9)), A, B, C, at={"a": 0, "b": 0, "c": 0}, why="0 at the origin", cat="2"),
    false("near-am-gm-3-inside", ge(a**3 + b**3 + c**3, 3 * a * b * c + ten(9)), A, B, C, given=ge(a, 1), at={"a": 1, "b": 1, "c": 1}, why="equal along a=b=c", cat="2"),
    false("near-motzkin", ge(x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2 + ten(6)), X, Y, at={"x": 1, "y": 1}, why="0 at (1,1)", cat="2"),
    false("near-circle", ge((x**2 + y**2 - 1) ** 2, ten(12)), X, Y, at={"x": "3/5", "y": "4/5"}, why="0 on the circle", cat="2"),
    false("near-two-roots", ge((x**2 - 2) ** 2 + (y**2 - 3) ** 2, ten(9)), X, Y, at={"x": "sqrt(2)", "y": "sqrt(3)"}, why="0 at four irrational points", cat="2"),
    false("near-mixed", ge((exp(x) - y) ** 2 + (y**2 - 2) ** 2, ten(12)), X, Y, at={"x": "log(2)/2", "y": "sqrt(2)"}, why="0 at (log(2)/2, sqrt 2)", cat="2"),
    false("near-pi", ge((x - pi) ** 2, ten(15)), X, at={"x": "pi"}, why="0 at pi", cat="2"),
    false("near-x-log-x", ge(p * log(p), -1 / E + ten(12)), P, at={"p": "exp(-1)"}, why="the minimum is -1/e at 1/e", cat="2"),
    false("near-log-over-x", le(log(p) / p, 1 / E - ten(9)), P, at={"p": "E"}, why="the maximum is 1/e at e", cat="2"),
    false("near-pinsker", ge(kl(t, w), (2 + ten(9)) * (t - w) ** 2), T, W, at={"t": "1/2 + 10**(-6)", "w": "1/2"},
          why="KL at 1/2+h, 1/2 is 2h^2 + 4h^4/3 + ...", cat="2"),
    false("near-hoeffding", le(log((1 + exp(x)) / 2) - x / 2, (R(1, 8) - ten(9)) * x**2), X, at={"x": "10**(-5)"},
          why="log cosh(x/2) = x^2/8 - x^4/192 + ...", cat="2"),
    false("near-cosh", le(cosh(x), exp((R(1, 2) - ten(12)) * x**2)), X, at={"x": "10**(-7)"}, why="log cosh x = x^2/2 - x^4/12 + ...", cat="2"),
    false("near-rr-tanh", le((exp(eps) - 1) / (exp(eps) + 1), (R(1, 2) - ten(9)) * eps), EPS, at={"eps": "10**(-5)"}, why="tanh(e/2) = e/2 - e^3/24", cat="2"),
    false("near-zcdp-order", le(2 * sqrt(rho * log(1 / t)) + ten(9), (al - 1) * rho + log(1 / t) / (al - 1)), RHO, T, AL,
          at={"rho": 1, "t": "exp(-1)", "alpha": 2}, why="both sides are 2 there", cat="2"),
    false("near-young", le(x * y, (1 - ten(15)) * (x**2 + y**2) / 2), X, Y, at={"x": 1, "y": 1}, why="equal at x=y=1 without the factor", cat="2"),
    true("near-reciprocal-true", ge(p + 1 / p, 2 - ten(12)), P, why="(p-1)^2/p >= 0", cat="2"),
    true("near-root-2-true", gt((x**2 - 2) ** 2, -ten(15)), X, why="a square", cat="2", points=[{"x": "sqrt(2)"}]),
    true("near-log-true", lt(log(p), p - 1 + ten(15)), P, why="log p <= p - 1", cat="2"),
    true("near-exp-true", gt(exp(x), 1 + x - ten(12)), X, why="exp x >= 1 + x", cat="2"),
    true("near-gap-true", gt(x**2 + ten(20), 0), X, why="positive", cat="2"),
    true("near-pi-true", ge((x - pi) ** 2 + ten(9), ten(9)), X, why="a square", cat="2", points=[{"x": "pi"}]),
    true("near-x-log-x-true", gt(p * log(p), -1 / E - ten(12)), P, why="the minimum is -1/e", cat="2", points=[{"p": "exp(-1)"}]),
    true("near-quintic-true", gt((x**5 - x - 1) ** 2, -ten(9)), X, why="a square", cat="2", points=[{"x": "CRootOf(x**5 - x - 1, 0)"}]),
]
