"""(10) false everywhere, also by little; closed claims; (11) hypotheses of measure zero, true and false."""

from .known import *

X, x = var("x", "[1,2]")
Y, y = var("y")
Z, z = var("z")
P, p = var("p", "(0,inf)")
A, a = var("a", "[0,inf)")


def ten(n):
    return R(1, 10**n)


def no(formula):
    return (Mutant("by hand", conclusion=formula),)


CLAIMS = [
    false("all-large-offset", le(x + 10**20, 10**20), X, at={"x": 1}, why="x > 0", cat="10"),
    false("all-large-offset-real", eq(y + 1 + 10**30, y + 10**30), Y, at={"y": 0}, why="1 is not 0", mutants=no(eq(y, 2 * y + 1)), cat="10"),
    false("all-relative-20", le(exp(x), exp(x) * (1 - ten(20))), X, at={"x": 1}, why="smaller by 1e-20", cat="10"),
    false("all-pythagoras-15", eq(sin(y) ** 2 + cos(y) ** 2, 1 + ten(15)), Y, at={"y": 0}, why="1 is not 1 + 1e-15", cat="10"),
    false("all-log-16", eq(log(2 * p), log(2) + log(p) + ten(16)), P, at={"p": 1}, why="off by 1e-16", cat="10"),
    false("all-erf-25", eq(erf(y) + erfc(y), 1 - ten(25)), Y, at={"y": 0}, why="off by 1e-25", cat="10"),
    false("all-root-18", lt(sqrt(p + 1) - sqrt(p), (1 - ten(18)) / (sqrt(p + 1) + sqrt(p))), P, at={"p": 1}, why="equal without the factor", cat="10"),
    false("all-tanh-17", eq(tanh(y) * cosh(y), sinh(y) + ten(17)), Y, at={"y": 0}, why="off by 1e-17", cat="10"),
    false("all-cubes-15", eq((y + 1) ** 3, y**3 + 3 * y**2 + 3 * y + 1 + ten(15)), Y, at={"y": 0}, why="off by 1e-15", cat="10"),
    false("all-strict-equal", lt((y + 1) ** 2, y**2 + 2 * y + 1), Y, at={"y": 0}, why="equal everywhere", cat="10"),
    false("closed-roots", lt(sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6))), at={}, why="equal: squares are 5 + 2 sqrt 6", cat="10"),
    false("closed-pi", lt(pi, R(314159265358979, 10**14)), at={}, why="pi = 3.14159265358979323", cat="10"),
    false("closed-ramanujan", eq(exp(pi * sqrt(163)), 640320**3 + 744), at={}, why="off by 7.5e-13", cat="10"),
    false("closed-golden", ne(((1 + sqrt(5)) / 2) ** 3, 2 + sqrt(5)), at={}, why="equal", mutants=no(eq(sqrt(5), 2)), cat="10"),
    false("closed-e-pi", lt(exp(pi), pi**E), at={}, why="e^pi = 23.14 > 22.46", cat="10"),
    false("closed-near-integer", eq(exp(pi) - pi, 20), at={}, why="19.99909997918947", cat="10"),
    false("closed-log", le(log(2), R(693147180559945309, 10**18)), at={}, why="log 2 = 0.693147180559945309417", cat="10"),
    false("closed-nested", gt(sqrt(6 + 4 * sqrt(2)), 2 + sqrt(2)), at={}, why="equal: (2+sqrt 2)^2 = 6 + 4 sqrt 2", cat="10"),
    true("closed-roots-true", le(sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6))), why="equal", cat="10"),
    true("closed-roots-equal", eq(sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6))), why="squares agree, both positive", cat="10"),
    true("closed-machin", eq(4 * atan(R(1, 5)) - atan(R(1, 239)), pi / 4), why="Machin's formula", cat="10"),
    true("closed-pi-true", lt(pi, R(355, 113)), why="355/113 = 3.14159292", cat="10"),
    true("closed-ramanujan-true", lt(exp(pi * sqrt(163)), 640320**3 + 744), why="smaller by 7.5e-13", cat="10"),
    true("closed-cube-roots", eq((2 + sqrt(5)) ** R(1, 3), (1 + sqrt(5)) / 2), why="the cube of the golden ratio is 2 + sqrt 5", cat="10"),
    true("closed-e-pi-true", gt(exp(pi), pi**E), why="log x / x is largest at e", cat="10"),
    true("zero-line", ge(y**2, 2 * y * z - z**2), Y, Z, given=eq(y, z), why="(y-z)^2", cat="11", points=lambda g: (lambda t: {"y": t, "z": t})(str(R(g.randint(-500, 500), 7)))),
    true("zero-line-tight", eq(y**2, z**2), Y, Z, given=eq(y, -z), why="signs", cat="11", points=lambda g: (lambda t: {"y": t, "z": str(-R(t))})(str(R(g.randint(-500, 500), 7)))),
    true("zero-curve", ge(y + 1, 2 * z), Y, Z, given=eq(y, z**2), why="(z-1)^2", cat="11", points=lambda g: (lambda t: {"z": t, "y": str(R(t) ** 2)})(str(R(g.randint(-500, 500), 7)))),
    true("zero-exp-curve", ge(y * z, -1 / E), P, Y, Z, given=(eq(z, log(p)), eq(y, p)), why="t log t >= -1/e", cat="11",
         points=lambda g: (lambda t: {"p": t, "y": t, "z": f"log({t})"})(str(R(g.randint(1, 5000), 1000)))),
    true("zero-point", eq(y + z, 3), Y, Z, given=(le(y**2 + (z - 3) ** 2, 0),), why="only (0,3) is admissible", cat="11", points=[{"y": "0", "z": "3"}]),
    false("zero-line-false", ge(y**2, 2 * y * z), Y, Z, given=eq(y, z), at={"y": 1, "z": 1}, why="y^2 >= 2 y^2 fails", cat="11"),
    false("zero-point-false", gt(y + z, 3), Y, Z, given=(le(y**2 + (z - 3) ** 2, 0),), at={"y": 0, "z": 3}, why="0 + 3 = 3 at the only point", cat="11"),
    false("zero-irrational-point-false", lt(y + z, R(31462643699, 10**10)), Y, Z, given=(le((y**2 - 2) ** 2 + (z**2 - 3) ** 2, 0),), at={"y": "sqrt(2)", "z": "sqrt(3)"}, why="the sum of the roots is 3.14626436994...", cat="11"),
    false("zero-curve-false", ge(y, z), Y, Z, given=eq(y, z**2), at={"y": "1/4", "z": "1/2"}, why="z^2 < z in (0,1)", cat="11"),
    false("zero-exp-curve-false", ge(y * z, -R(36, 100)), P, Y, Z, given=(eq(z, log(p)), eq(y, p)), at={"p": "exp(-1)", "y": "exp(-1)", "z": -1}, why="-1/e = -0.3679", cat="11"),
]
