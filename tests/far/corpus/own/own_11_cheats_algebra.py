"""(12) settings that cheat: Identity, Combination, Monotone.  Every claim is false or ill-posed unless it says true."""

import sympy

from rgm_verify.lenses import Combination, Identity, Monotone, Premise, Smt

from .known import *

EPS = R(1, 10**15)
X, x = var("x")
Y, y = var("y", "(-1/1000000000000000,1]")
Q, q = var("q")
Z, z = var("z", "[0,inf)")
P, p = var("p", "(0,inf)")
U, u = var("u", "[0,1]")
N, n = whole("n")
L, l = var("x", "(-1000000000000001/1000000000000000,0]")
A, a = var("a", "(0,inf)")
B, b = var("b", "(0,inf)")


class Plain(sympy.Abs):
    """An absolute value in name; `doit` gives the argument."""

    @classmethod
    def eval(cls, arg):
        return None

    def doit(self, **hints):
        return self.args[0]


pieces = either(gt(x, 1), both(lt(x, 1), eq(x**2, 2)))
halves = either(gt(x, 0), eq(x**2, 2))
quotient = sqrt(x**2 - 2 * x + 1) / (x - 1)
thin = ge(y + EPS / 2, 0)
at_thin = {"y": "-7/10**16"}
named = {"mutants": (Mutant("bigger", conclusion=gt(y, R(1, 2))),), "cat": "12"}
square = true("alg-premise-square", ge(q**2, 0), Q, checks=(Smt(),), why="a square", cat="12")
foreign = Symbol("y", positive=True)

CLAIMS = [
    square,
    false("alg-differentiate-other-piece", eq(quotient, 1), X, given=pieces, checks=(Identity(differentiate=(x, Integer(2))),), at={"x": "-sqrt(2)"},
          why="slope 0 on two pieces, value 1 on one, -1 on the other", cat="12"),
    false("alg-differentiate-thin-piece", eq(sqrt(l**2 + 2 * l + 1) / (l + 1), 1), L, given=ne(l, -1), checks=(Identity(differentiate=(l, Integer(0))),),
          at={"x": "-1 - 1/(2*10**15)"}, why="-1 beyond the pole", cat="12"),
    false("alg-differentiate-start-outside", eq(quotient, 1), X, given=(eq(x**2, 2), lt(x, 0)), checks=(Identity(differentiate=(x, Integer(2))),),
          at={"x": "-sqrt(2)"}, why="-1 at the only admissible point; the start is not admissible", cat="12"),
    false("alg-differentiate-arctan", eq(atan(x) + atan(1 / x), pi / 2), X, given=halves, checks=(Identity(differentiate=(x, Integer(1))),),
          at={"x": "-sqrt(2)"}, why="-pi/2 for x < 0", cat="12"),
    false("alg-differentiate-abs", eq(Abs(x) / x, 1), X, given=halves, checks=(Identity(differentiate=(x, Integer(1))),), at={"x": "-sqrt(2)"}, why="-1 for x < 0", cat="12"),
    false("alg-differentiate-sign", eq(sign(x), 1), X, given=halves, checks=(Identity(differentiate=(x, Integer(1))),), at={"x": "-sqrt(2)"}, why="-1 for x < 0", cat="12"),
    false("alg-differentiate-two-variables", eq(sqrt((x - q) ** 2 / (x - q) ** 4) * (x - q), 1), X, Q, given=either(gt(x, q), both(lt(x, q), eq(x**2, 2), eq(q**2, 3))),
          checks=(Identity(differentiate=(x, q + 1)),), at={"x": "sqrt(2)", "q": "sqrt(3)"}, why="-1 where x < q", cat="12"),
    false("alg-positive-power", eq(sqrt(x**4 + x**2), x * sqrt(x**2 + 1)), X, given=halves, checks=(Identity(positive=(x**2 + 1,)),), at={"x": "-sqrt(2)"}, why="|x|", cat="12"),
    false("alg-positive-square", eq(Abs(x), x), X, given=halves, checks=(Identity(positive=(x**2,)),), at={"x": "-sqrt(2)"}, why="|x|; x^2 is positive here, x is not", cat="12"),
    false("alg-positive-claimed", eq(sqrt(x**2), x), X, given=halves, checks=(Identity(positive=(x,)),), at={"x": "-sqrt(2)"}, why="x is not positive", cat="12"),
    false("alg-sign-square", eq(sign(x**2 - 2) ** 2, 1), X, checks=(Identity(),), at={"x": "sqrt(2)"}, why="sign(0) = 0", cat="12"),
    false("alg-sign-abs", eq(sign(exp(x) - 2) * (exp(x) - 2) + (1 - sign(exp(x) - 2) ** 2), Abs(exp(x) - 2)), X, checks=(Identity(),), at={"x": "log(2)"}, why="1 at log 2", cat="12"),
    false("alg-logs-merged", eq(log(a**2 + 2 * a * b + b**2), 2 * log(a + b) + R(1, 10**18)), A, B, checks=(Identity(positive=(a, b, a + b)),), at={"a": 1, "b": 1}, why="off by 1e-18", cat="12"),
    false("alg-combination-unevaluated", ge(y, 0), Y, checks=(Combination(terms=((exp(log(y), evaluate=False),),)),), at=at_thin, why="exp(log y) is y where y > 0 only", **named),
    false("alg-combination-roots", ge(y, 0), Y, checks=(Combination(terms=((Abs(sqrt(y)), Abs(sqrt(y))),)),), at=at_thin, why="|sqrt y|^2 is |y|", **named),
    false("alg-combination-strict-touch", gt((x**2 - 2) ** 2, 0), X, checks=(Combination(terms=((x**2 - 2, x**2 - 2),)),), at={"x": "sqrt(2)"}, why="zero at sqrt 2", cat="12"),
    false("alg-combination-either", thin, Y, given=either(ge(y + EPS / 2, 0), le(y, 0)), checks=(Combination(terms=((y + EPS / 2,),)),), at=at_thin, why="a disjunct is no hypothesis", **named),
    false("alg-monotone-premise-log", ge(y + EPS / 4, 0), Y, checks=(Monotone(y, Integer(0), 1, premises=(Premise("own:alg-premise-square", {q: log(y)}),)),), at=at_thin,
          why="the premise at log y brings y > 0", **named),
    false("alg-monotone-start-zero", ge(p * log(p), -1 / E + R(1, 10**20)), P, checks=(Monotone(p, Integer(0), 1),), at={"p": "exp(-1)"}, why="0 log 0", cat="12"),
    false("alg-monotone-strict-start", gt((x**2 - 2) ** 2, 0), X, given=ge(x, 1), checks=(Monotone(x, sqrt(2), 2),), at={"x": "sqrt(2)"}, why="the way has length zero at sqrt 2", cat="12"),
    false("alg-monotone-jump", ge(sign(x - 1) * (x - 1) / (x - 1) + 1, 1), X, given=either(gt(x, 1), both(lt(x, 1), eq(x**2, 2))), checks=(Monotone(x, Integer(2), 1),), at={"x": "-sqrt(2)"},
          why="the sign is -1 beyond the jump", cat="12"),
    false("alg-monotone-pole", ge(1 / x, 0), X, given=halves, checks=(Monotone(x, Integer(1), 1), Monotone(x, Integer(1), 2)), at={"x": "-sqrt(2)"}, why="1/x < 0 beyond the pole", cat="12"),
    ill("alg-identity-integral", eq(sympy.Integral(1 / Symbol("t", real=True) ** 2, (Symbol("t", real=True), -a, b)), -1 / a - 1 / b), A, B, checks=(Identity(),),
        why="the integral runs through a pole and diverges", cat="12"),
    ill("alg-identity-positive-undefined", eq(log(x**2 - 2), log(2 * x**2 - 4) - log(2)), X, checks=(Identity(positive=((x**2 - 2) ** 2 / (x**2 - 2) + 10**9,)),), at={"x": 0}, why="log(-2) at 0", cat="12"),
]
