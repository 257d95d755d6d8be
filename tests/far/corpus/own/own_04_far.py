"""(3) fails only at infinity or above 1e6 ... 1e30; (4) only at a boundary point or next to an open end."""

from .known import *

X, x = var("x")
Y, y = var("y")
P, p = var("p", "(0,inf)")
A, a = var("a", "[0,inf)")
B, b = var("b", "[0,inf)")
Z, z = var("z", "(0,inf)")
U, u = var("u", "[0,1]")
T, t = var("t", "(0,1)")
G, g = var("g", "[1,inf)")
AL, al = var("alpha", "(1,inf)")
H, h = var("h", "(0,1/2]")
EPS, eps = var("eps", "[0,inf)")


def ten(n):
    return R(1, 10**n)


CLAIMS = [
    false("far-linear", le(a, 10**9), A, at={"a": 10**9 + 1}, why="above 1e9", cat="3"),
    false("far-root", le(sqrt(a), 10**10), A, at={"a": 10**21}, why="above 1e20", cat="3"),
    false("far-log", le(log(1 + a), 50), A, at={"a": "exp(50)"}, why="above e^50 - 1", cat="3"),
    false("far-saturation", le(a / (1 + a), 1 - ten(12)), A, at={"a": 10**13}, why="above 1e12", cat="3"),
    false("far-inverse", ge(1 / (1 + a), ten(30)), A, at={"a": 10**31}, why="above 1e30", cat="3"),
    false("far-square", le(a**2, 10**20 + a), A, at={"a": 10**11}, why="above about 1e10", cat="3"),
    false("far-cubic", le(a**3, 10**15 * a**2 + 1), A, at={"a": 10**16}, why="above 1e15", cat="3"),
    false("far-log-power", le(log(p), 36 * p ** R(1, 100)), P, at={"p": "exp(100)"}, why="100 > 36 e; fails around e^100 only", cat="3"),
    false("far-log-power-20", le(log(p), 7 * p ** R(1, 20)), P, at={"p": "exp(20)"}, why="20 > 7 e; fails around e^20 only", cat="3"),
    false("far-tanh", le(tanh(x), 1 - ten(20)), X, at={"x": 30}, why="1 - 2 exp(-60)", cat="3"),
    false("far-hypotenuse", ge(sqrt(1 + x**2), x + ten(12)), X, at={"x": 10**13}, why="1/(2x) < 1e-12", cat="3"),
    false("far-lorentz", le(x**2 / (1 + x**2), 1 - ten(24)), X, at={"x": 10**13}, why="1 - 1e-26", cat="3"),
    false("far-product", le(x * y, (1 - ten(30)) * (x**2 + y**2) / 2 + 1), X, Y, at={"x": 10**16, "y": 10**16}, why="along x = y above 1e15", cat="3"),
    false("far-arctan", lt(atan(x), R("1.5707963267948966")), X, at={"x": 10**18}, why="pi/2 = 1.57079632679489661923...", cat="3"),
    false("far-gauss-tail", gt(erfc(a), R(1, 10**1000)), A, at={"a": 49}, why="erfc(49) is about e^-2405 = 10^-1044", cat="3"),
    false("far-log-log", le(log(log(g + 2)), 4), G, at={"g": 10**24}, why="above exp(exp(4)) = 5e23", cat="3"),
    false("far-log-linear", le(log(1 + a), a / 10**6 + 12), A, at={"a": 10**6}, why="13.8155 > 13 at 1e6", cat="3"),
    false("far-mills", le(erfc(z / sqrt(2)) / 2, (1 - ten(9)) * exp(-(z**2) / 2) / (sqrt(2 * pi) * z)), Z, at={"z": 10**5},
          why="the ratio is 1 - 1/z^2 + ...", cat="3"),
    false("far-exp-moderate", ge(exp(-a), ten(500)), A, at={"a": 1200}, why="exp(-1200) = 10^-521", cat="3"),
    false("far-two-sided", le(Abs(x - 10**12), 10**12 + x + 1), X, at={"x": -1}, why="fails for x < 0", cat="3"),
    true("far-log-linear-true", le(log(1 + a), a / 10**6 + 14), A, why="the maximum of log(1+a) - a/1e6 is below 12.8156 + 1e-6", cat="3"),
    true("far-log-power-true", le(log(p), 37 * p ** R(1, 100)), P, why="the maximum of log(p) p^(-1/100) is 100/e = 36.79", cat="3", points=[{"p": "exp(100)"}]),
    true("far-inverse-true", gt(1 / (1 + a), 0), A, why="positive", cat="3", points=[{"a": "10**40"}]),
    false("edge-closed-end", gt(u * (1 - u), 0), U, at={"u": 1}, why="0 at the closed ends", cat="4"),
    false("edge-root", gt(sqrt(u), 0), U, at={"u": 0}, why="0 at 0", cat="4"),
    false("edge-log", gt(log(t), -100), T, at={"t": "1/10**50"}, why="log goes to -oo at the open end", cat="4"),
    false("edge-upper", ge(1 - t, ten(12)), T, at={"t": "1 - 1/10**13"}, why="next to the open end 1", cat="4"),
    false("edge-lower", ge(t, ten(30)), T, at={"t": "1/10**31"}, why="next to the open end 0", cat="4"),
    false("edge-x-log-x", le(h * log(h), -ten(20)), H, at={"h": "1/10**30"}, why="t log t goes to 0", cat="4"),
    false("edge-at-one", gt(log(g), 0), G, at={"g": 1}, why="0 at the closed end", cat="4"),
    false("edge-simplex", lt(a + b, 1), A, B, given=le(a + b, 1), at={"a": "1/3", "b": "2/3"}, why="equal on the edge", cat="4"),
    false("edge-disc", gt(1 - x**2 - y**2, 0), X, Y, given=le(x**2 + y**2, 1), at={"x": "3/5", "y": "4/5"}, why="0 on the circle", cat="4"),
    false("edge-root-2", lt(x, R(14142135623730951, 10**16)), X, given=le(x**2, R("2.0000000000000003")), at={"x": "sqrt(Rational(20000000000000003, 10**16))"},
          why="the root is 1.41421356237309515...", cat="4"),
    false("edge-renyi-order", le(1 / (al - 1), 10**15), AL, at={"alpha": "1 + 1/10**16"}, why="order near 1", cat="4"),
    false("edge-sin", lt(sin(u), sin(S.One)), U, at={"u": 1}, why="equal at the closed end 1", cat="4"),
    false("edge-origin", gt(a + b, 0), A, B, at={"a": 0, "b": 0}, why="0 at the corner", cat="4"),
    false("edge-rr-strict", lt((exp(eps) - 1) / (exp(eps) + 1), eps / 2), EPS, at={"eps": 0}, why="both sides vanish at 0", cat="4"),
    false("edge-step-size", gt(1 - a * b, 0), A, B, given=le(a * b, 1), at={"a": 2, "b": "1/2"}, why="0 along a b = 1", cat="4"),
    false("edge-transcendental-end", lt(exp(x), 2), X, given=le(x, log(2)), at={"x": "log(2)"}, why="equal at log 2", cat="4"),
    true("edge-sin-true", lt(sin(t), sin(S.One)), T, why="sin increases on [0, pi/2]", cat="4"),
    true("edge-log-true", gt(-t * log(t), 0), T, why="log t < 0 on (0,1)", cat="4"),
    true("edge-order-true", gt(1 / (al - 1), 0), AL, why="alpha > 1", cat="4", points=[{"alpha": "1 + 1/10**30"}]),
    true("edge-disc-true", le(x + y, sqrt(2)), X, Y, given=le(x**2 + y**2, 1), why="Cauchy; touches at an irrational point of the edge", cat="4", points=[{"x": "sqrt(2)/2", "y": "sqrt(2)/2"}]),
]
