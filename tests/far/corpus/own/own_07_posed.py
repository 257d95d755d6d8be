"""(7) spikes near poles; (8) ill-posed claims, also those that SymPy has simplified while they were written."""

from .known import *

X, x = var("x")
Y, y = var("y")
P, p = var("p", "(0,inf)")
A, a = var("a", "[0,inf)")
U, u = var("u", "[0,1]")
V_, v = var("v", "[0,1]")
G, g = var("alpha", "[1,inf)")
EPS, eps = var("eps", "[0,inf)")
S_, s = var("sigma", "[0,inf)")
T, t = var("t", "(0,1)")
N0, n0 = whole("n", "[0,inf)")
J, j = whole("j", "R")


def ten(n):
    return R(1, 10**n)


CLAIMS = [
    false("spike-third", le(1 / (x - R(1, 3)) ** 2, 10**12), X, given=ne(x, R(1, 3)), at={"x": "1/3 + 1/10**7"}, why="1e14 there", cat="7"),
    false("spike-root-2", le(1 / (x**2 - 2) ** 2, 10**20), X, given=ne(x**2, 2), at={"x": "1414213562373/10**12"}, why="the pole at sqrt 2", cat="7"),
    false("spike-pi", le(1 / Abs(x - pi), 10**12), X, given=ne(x, pi), at={"x": "3141592653589793/10**15"}, why="the pole at pi", cat="7"),
    false("spike-lorentz", le(ten(12) / ((x - R(1, 7)) ** 2 + ten(14)), 50), X, at={"x": "1/7"}, why="100 at 1/7", cat="7"),
    false("spike-gauss", le(exp(-((10**9 * (x - R(5, 17))) ** 2)), R(1, 2)), X, at={"x": "5/17"}, why="1 at 5/17", cat="7"),
    false("spike-log", le(-log(Abs(E * x - 1)), 30), X, given=ne(E * x, 1), at={"x": "36787944117144/10**14"}, why="the pole at 1/e", cat="7"),
    false("spike-pole-and-zero", gt((x - 1 - ten(9)) / (x - 1), 0), X, given=ne(x, 1), at={"x": "1 + 1/10**10"}, why="negative between 1 and 1 + 1e-9", cat="7"),
    false("spike-pole-and-zero-irrational", gt((x**2 - 2 - ten(9)) / (x**2 - 2), 0), X, given=ne(x**2, 2), at={"x": "14142135623732/10**13"}, why="x^2 in (2, 2+1e-9)", cat="7"),
    false("spike-root-at-0", le(1 / sqrt(p), 10**9), P, at={"p": "1/10**20"}, why="1e10 there", cat="7"),
    false("spike-diagonal", le(1 / (x - y) ** 2, 10**10), X, Y, given=ne(x, y), at={"x": "1/3", "y": "1/3 + 1/10**6"}, why="near the diagonal", cat="7"),
    ill("ill-log-real", le(log(x), x - 1), X, at={"x": -1}, why="log of a negative number", cat="8"),
    ill("ill-sqrt-real", ge(sqrt(x), 0), X, at={"x": -1}, why="root of a negative number", cat="8"),
    ill("ill-pole-irrational", gt(1 / (x**2 - 2) ** 2, 0), X, at={"x": "sqrt(2)"}, why="undefined at sqrt 2 only", cat="8"),
    ill("ill-pole-log2", gt(1 / (exp(x) - 2) ** 2, 0), X, at={"x": "log(2)"}, why="undefined at log 2 only", cat="8"),
    ill("ill-log-of-square", le(log((x**3 - 2) ** 2), (x**3 - 2) ** 2 - 1), X, at={"x": "2**(1/3)"}, why="log 0 at the cube root", cat="8"),
    ill("ill-pole-sine", ge(1 / sin(x) ** 2, 1), X, at={"x": 0}, why="1/0 at multiples of pi", cat="8"),
    ill("ill-root-inside", ge(sqrt(x**2 - 2), 0), X, at={"x": 0}, why="the root of -2 at 0", cat="8"),
    ill("ill-cube-root", ge(x ** R(2, 3), 0), X, at={"x": -8}, why="a fractional power of a negative number", cat="8"),
    ill("ill-log-closed-end", le(log(1 - u), -u), U, at={"u": 1}, why="log 0 at the closed end", cat="8"),
    ill("ill-log-log", le(log(log(p)), log(p) - 1), P, at={"p": 1}, why="log 0 at p = 1", cat="8"),
    ill("ill-root-pole", gt(1 / sqrt(a), 0), A, at={"a": 0}, why="1/0 at the closed end 0", cat="8"),
    ill("ill-atanh", ge(log((1 + u) / (1 - u)), 2 * u), U, at={"u": 1}, why="a pole at the closed end", cat="8"),
    ill("ill-kl-closed", ge(u * log(u / v) + (1 - u) * log((1 - u) / (1 - v)), 0), U, V_, at={"u": "1/2", "v": 0}, why="1/0 at v = 0", cat="8"),
    ill("ill-order-1", ge(g / (g - 1), 1), G, at={"alpha": 1}, why="1/0 at alpha = 1", cat="8"),
    ill("ill-sigma-0", ge(a**2 / (2 * s**2), 0), A, S_, at={"a": 1, "sigma": 0}, why="1/0 at sigma = 0", cat="8"),
    ill("ill-bernoulli-function", le(eps / (exp(eps) - 1), 1), EPS, at={"eps": 0}, why="0/0 at eps = 0", cat="8"),
    ill("ill-removable", eq((exp(2 * x) - 1) / (exp(x) - 1), exp(x) + 1), X, at={"x": 0}, why="0/0 at 0", cat="8"),
    ill("ill-integer-pole", ge(1 / n0, 0), N0, at={"n": 0}, why="1/0 at n = 0", cat="8"),
    ill("ill-integer-root", ge(sqrt(j), 0), J, at={"j": -1}, why="root of a negative integer", cat="8"),
    ill("ill-hyperbola", gt(1 / (x * y - 1) ** 2, 0), X, Y, at={"x": 2, "y": "1/2"}, why="undefined along a hyperbola", cat="8"),
    ill("ill-written-exp-log", le(exp(log(y)), y + y**2), Y, why="SymPy writes y for exp(log y); log y has no value for y <= 0", cat="8"),
    ill("ill-written-root-square", lt(sqrt(y) ** 2, y + 1), Y, mutants=(Mutant("negative", conclusion=lt(y**2, -1)),), why="SymPy writes y for the square; sqrt y has no value for y < 0", cat="8"),
    ill("ill-written-quotient", ge((x**2 - 2) ** 3 / (x**2 - 2), 0), X, why="SymPy writes (x^2-2)^2; 0/0 at sqrt 2", cat="8"),
    ill("ill-written-abs-root", ge(Abs(sqrt(x)), 0), X, why="sqrt x has no value for x < 0", cat="8"),
    ill("ill-written-zero-log", ge(x**2 + 0 * log(y), 0), X, Y, why="0 log y has no value for y <= 0", cat="8"),
    ill("ill-written-log-minus-log", ge(y + log(y) - log(y), y - y**2), Y, why="log y - log y has no value for y <= 0", cat="8"),
    ill("ill-written-one", ge(x**2 + y / y, 1), X, Y, why="SymPy writes 1 for y/y; 0/0 at 0", cat="8"),
    ill("ill-written-reciprocal", ge(1 / (1 / y) + Abs(y), 0), Y, why="SymPy writes y for 1/(1/y); no value at 0", cat="8"),
    ill("ill-written-log-quotient", ge(x + log(y) / log(y), x), X, Y, mutants=(Mutant("negative", conclusion=lt(x**2, -1)),), why="0/0 at y = 1, no value for y <= 0", cat="8"),
    ill("ill-written-fourth", ge(sqrt(y) ** 4, 0), Y, why="SymPy writes y^2; sqrt y has no value for y < 0", cat="8"),
    ill("ill-written-exp-2-log", ge(exp(2 * log(y)), 0), Y, why="SymPy writes y^2; log y has no value for y <= 0", cat="8"),
]
