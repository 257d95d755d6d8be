"""(5) fails only at irrational points, also under equations; and true ones of the same look."""

from .known import *

X, x = var("x")
Y, y = var("y")
Z, z = var("z")
P, p = var("p", "(0,inf)")
Q, q = var("q", "(0,inf)")
M, m = var("m", "[3,4]")
U, u = var("u", "[0,1]")


CLAIMS = [
    false("irr-root-2", gt((x**2 - 2) ** 2, 0), X, at={"x": "sqrt(2)"}, why="0 at sqrt 2", cat="5"),
    false("irr-ne-cube", ne(x**3, 2), X, at={"x": "2**(1/3)"}, why="equal at the cube root", cat="5"),
    false("irr-ne-quintic", ne(x**5 - x, 1), X, at={"x": "CRootOf(x**5 - x - 1, 0)"}, why="an odd polynomial has a real root", cat="5"),
    false("irr-golden", gt(Abs(x**2 - x - 1), 0), X, at={"x": "(1+sqrt(5))/2"}, why="0 at the golden ratio", cat="5"),
    false("irr-two", gt((x**2 - 2) ** 2 + (y**2 - 3) ** 2, 0), X, Y, at={"x": "sqrt(2)", "y": "-sqrt(3)"}, why="both squares vanish", cat="5"),
    false("irr-hyperbola-circle", gt((x**2 + y**2 - 3) ** 2 + (x * y - 1) ** 2, 0), X, Y, at={"x": "(sqrt(5)+1)/2", "y": "(sqrt(5)-1)/2"}, why="x^2+y^2=3, xy=1", cat="5"),
    false("irr-three", gt((x**2 - 2) ** 2 + (y**3 - 3) ** 2 + (z**2 - x * y) ** 2, 0), X, Y, Z,
          at={"x": "sqrt(2)", "y": "3**(1/3)", "z": "sqrt(sqrt(2)*3**(1/3))"}, why="a tower of roots", cat="5"),
    false("irr-ne-product", either(ne(x**2, 2), ne(y**2, 2), lt(x * y, 0)), X, Y, at={"x": "sqrt(2)", "y": "sqrt(2)"}, why="x = y = sqrt 2",
          mutants=(Mutant("a positive product", conclusion=lt(x * y, 0)),), cat="5"),
    false("irr-exp-2", gt((exp(x) - 2) ** 2, 0), X, at={"x": "log(2)"}, why="0 at log 2", cat="5"),
    false("irr-dottie", ne(cos(x), x), X, at={"x": "findroot(cos(x) - x, 0.739)"}, why="equal at the fixed point of the cosine", cat="5"),
    false("irr-sine", gt(Abs(sin(m)), 0), M, at={"m": "pi"}, why="0 at pi", cat="5"),
    false("irr-ne-log", ne(log(p), 2), P, at={"p": "exp(2)"}, why="equal at e^2", cat="5"),
    false("irr-lambert", gt((u * exp(u) - 1) ** 2, 0), U, at={"u": "LambertW(1)"}, why="0 at W(1)", cat="5"),
    false("irr-pi", gt((x - pi) ** 2, 0), X, at={"x": "pi"}, why="0 at pi", cat="5"),
    false("irr-cosh", ne(cosh(x), 2), X, at={"x": "log(2+sqrt(3))"}, why="equal at acosh 2", cat="5"),
    false("irr-p-log-p", ne(p * log(p), 1), P, at={"p": "exp(LambertW(1))"}, why="equal at e^W(1)", cat="5"),
    false("irr-erf", ne(erf(x), R(1, 2)), X, at={"x": "findroot(erf(x) - 1/2, 0.477)"}, why="erf is continuous onto (-1,1)", cat="5"),
    false("irr-tanh", gt((tanh(x) - R(1, 2)) ** 2, 0), X, at={"x": "log(3)/2"}, why="0 at log(3)/2", cat="5"),
    false("irr-arctan", ne(atan(x), 1), X, at={"x": "tan(1)"}, why="equal at tan 1", cat="5"),
    false("irr-dottie-width", ge((x - cos(x)) ** 2, R(1, 10**40)), X, at={"x": "findroot(cos(x) - x, 0.739)"}, why="0 at the fixed point", cat="5"),
    false("eqn-square-3", ge(y**2, 4), Y, given=eq(y**2, 3), at={"y": "sqrt(3)"}, why="3 < 4 everywhere", cat="5"),
    false("eqn-sign", ge(y, 0), Y, given=eq(y**2, 3), at={"y": "-sqrt(3)"}, why="the other root", cat="5"),
    false("eqn-cube", le(x, R(5, 4)), X, given=eq(x**3, 2), at={"x": "2**(1/3)"}, why="1.2599 > 1.25", cat="5"),
    false("eqn-exp", ge(y, 1 + x + x**2 / 2), X, Y, given=eq(y, exp(x)), at={"x": -1, "y": "exp(-1)"}, why="fails for x < 0", cat="5"),
    false("eqn-log-2", le(x, R(69314718055, 10**11)), X, Y, given=(eq(y, exp(x)), eq(y, 2)), at={"x": "log(2)", "y": 2}, why="log 2 = 0.6931471805599...", cat="5"),
    false("eqn-circle", le(x + y, R(1414213562373, 10**12)), X, Y, given=eq(x**2 + y**2, 1), at={"x": "sqrt(2)/2", "y": "sqrt(2)/2"}, why="sqrt 2 = 1.41421356237309...", cat="5"),
    false("eqn-hyperbola", gt(p + q, 2), P, Q, given=eq(p * q, 1), at={"p": 1, "q": 1}, why="equal at (1,1)", cat="5"),
    false("eqn-golden", le(x**2, R(161803398874, 10**11)), X, given=eq(x**4, x**2 + 1), at={"x": "sqrt((1+sqrt(5))/2)"}, why="x^2 is the golden ratio 1.61803398874989...", cat="5"),
    false("eqn-e", le(p, R(271828182845, 10**11)), P, given=eq(log(p), 1), at={"p": "E"}, why="e = 2.7182818284590...", cat="5"),
    false("eqn-pi", le(m, R(314159265358, 10**11)), M, given=eq(sin(m), 0), at={"m": "pi"}, why="pi = 3.14159265358979...", cat="5"),
    false("eqn-dottie", le(x, R(7390851332, 10**10)), X, given=eq(x, cos(x)), at={"x": "findroot(cos(x) - x, 0.739)"}, why="0.73908513321516...", cat="5"),
    true("eqn-product", le(p * q, R(244949, 100000)), P, Q, given=(eq(p**2, 2), eq(q**2, 3)), why="sqrt 6 = 2.4494897...", cat="5", points=[{"p": "sqrt(2)", "q": "sqrt(3)"}]),
    true("eqn-golden-true", le(x**2, R(161803398875, 10**11)), X, given=eq(x**4, x**2 + 1), why="1.61803398874989...", cat="5", points=[{"x": "sqrt((1+sqrt(5))/2)"}]),
    true("eqn-cube-true", le(x, R(126, 100)), X, given=eq(x**3, 2), why="1.26^3 = 2.000376", cat="5", points=[{"x": "2**(1/3)"}]),
    true("eqn-exp-true", ge(y, 1 + x), X, Y, given=eq(y, exp(x)), why="the tangent of exp", cat="5",
         points=lambda g: (lambda t: {"x": t, "y": f"exp({t})"})(str(R(g.randint(-3000, 3000), 1000)))),
    true("eqn-pi-true", le(m, R(31415926536, 10**10)), M, given=eq(sin(m), 0), why="pi = 3.14159265358...", cat="5", points=[{"m": "pi"}]),
    true("eqn-cubic-minus", ge(y * y * y, 5), Y, given=(eq(y**2, 3), ge(y, 0)), why="3 sqrt 3 = 5.196", cat="5", points=[{"y": "sqrt(3)"}]),
    true("irr-positive-true", gt((x**2 - 2) ** 2 + (x**3 - 2) ** 2, 0), X, why="the two have no common root", cat="5", points=[{"x": "sqrt(2)"}, {"x": "2**(1/3)"}]),
    true("irr-log-true", gt((exp(x) - 2) ** 2 + (x**2 - 2) ** 2, 0), X, why="exp(sqrt 2) is not 2, log 2 is not sqrt 2", cat="5", points=[{"x": "sqrt(2)"}, {"x": "log(2)"}]),
]
