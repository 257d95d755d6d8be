"""(12) settings that are no real numbers, or functions of which the engine knows nothing.

Well-formed for the checkout of today; an engine that looks at settings when it loads a file may refuse some, which is
why they stand apart.
"""

import sympy

from rgm_verify.lenses import Combination, Deduction, Identity, Monotone, Premise, Region, Smt

from .known import *

EPS = R(1, 10**15)
X, x = var("x")
Y, y = var("y", "(-1/1000000000000000,1]")
C, c = var("y", "[-1/1000000000000000,1]")
Z, z = var("z")
P, p = var("p", "(0,inf)")
Q, q = var("x")
U, u = var("u", "[0,2]")
t = Symbol("t", real=True)
halves = either(gt(x, 0), eq(x**2, 2))
quotient = sqrt(x**2 - 2 * x + 1) / (x - 1)
thin = ge(y + EPS / 2, 0)
at_thin = {"y": "-7/10**16"}
bigger = {"mutants": (Mutant("bigger", conclusion=gt(y, R(1, 2))),), "cat": "12"}
named = bigger


def by(name, at=None, **more):
    return (Deduction((Premise("own:odd-premise-" + name, {} if at is None else at, **more),)),)


CLAIMS = [
    true("odd-premise-square", ge(x**2, 0), X, checks=(Smt(),), why="a square", cat="12"),
    true("odd-premise-abs", ge(Abs(x), 0), X, checks=(Smt(),), why="an absolute value", cat="12"),
    false("odd-ded-i", thin, Y, checks=by("square", {x: I}), at=at_thin, why="-1 >= 0", **bigger),
    false("odd-ded-i-y", thin, Y, checks=by("square", {x: I * y}), at=at_thin, why="-y^2 >= 0", **bigger),
    false("odd-ded-root-of-minus-1", thin, Y, checks=by("square", {x: sqrt(S(-2))}), at=at_thin, why="-2 >= 0", **bigger),
    false("odd-ded-complex", thin, Y, checks=by("square", {x: 2 * I + y * 0}), at=at_thin, why="-4 >= 0", **bigger),
    false("odd-ded-infinity", thin, Y, checks=by("square", {x: sympy.oo}), at=at_thin, why="no real number", **bigger),
    false("odd-ded-zoo", thin, Y, checks=by("abs", {x: sympy.zoo}), at=at_thin, why="no real number", **bigger),
    false("odd-ded-nan", thin, Y, checks=by("square", {x: sympy.nan}), at=at_thin, why="no number", **bigger),
    false("odd-ded-arcsine", thin, Y, checks=by("square", {x: sympy.asin(y)}), at=at_thin, why="a function of which the engine knows nothing", **bigger),
    false("odd-ded-gamma", thin, Y, checks=by("square", {x: sympy.loggamma(y)}), at=at_thin, why="a function of which the engine knows nothing", **bigger),
    false("odd-ded-tangent-everywhere", ge(z, 5), Z, given=either(eq(z**2, 2), ge(z, 6)), checks=by("square", {x: sympy.tan(z)}), at={"z": "sqrt(2)"}, why="false at the two irrational points", cat="12"),
    false("odd-ded-besselj", gt((z**2 - 2) ** 2, 0), Z, checks=by("abs", {x: sympy.besselj(0, z)}), at={"z": "sqrt(2)"}, why="a function of which the engine knows nothing", cat="12"),
    false("odd-ded-undefined-function", gt((z**2 - 2) ** 2, 0), Z, checks=by("abs", {x: sympy.Function("f")(1 / (z**2 - 2))}), at={"z": "sqrt(2)"}, why="an unknown function at a pole", cat="12"),
    false("odd-ded-divergent-integral", gt((z**2 - 2) ** 2, 0), Z, checks=by("square", {x: sympy.Integral(1 / (Symbol("s") - z**2 + 2) ** 2, (Symbol("s"), -1, 1))}), at={"z": "sqrt(2)"}, why="an integral that diverges", cat="12"),
    false("odd-alg-differentiate-complex-start", eq(quotient, 1), X, given=(eq(x**2, 2), lt(x, 0)), checks=(Identity(differentiate=(x, 2 + I)),),
          at={"x": "-sqrt(2)"}, why="the start is not real", cat="12"),
    false("odd-alg-differentiate-infinite-start", eq(quotient, 1), X, given=(eq(x**2, 2), lt(x, 0)), checks=(Identity(differentiate=(x, sympy.oo)),),
          at={"x": "-sqrt(2)"}, why="the start is infinite", cat="12"),
    false("odd-alg-differentiate-constant", eq(exp(x) * R(10**20 + 1, 10**20), exp(x)), X, checks=(Identity(differentiate=(x, -sympy.oo)),), at={"x": 0}, why="equal at -oo only; the slope is not 0", cat="12"),
    false("odd-alg-positive-number", eq((x**2) ** R(3, 2), x**3), X, given=halves, checks=(Identity(positive=(x**2 + 1, Integer(1))),), at={"x": "-sqrt(2)"}, why="|x|^3", cat="12"),
    false("odd-alg-combination-infinite", thin, Y, checks=(Combination(terms=((sympy.oo, Abs(y)),)),), at=at_thin, why="an infinite factor", **named),
    false("odd-alg-combination-nan", thin, Y, checks=(Combination(terms=((sympy.nan,),)),), at=at_thin, why="no number", **named),
    false("odd-alg-monotone-premise-i", ge(y + EPS / 4, 0), Y, checks=(Monotone(y, Integer(0), 1, premises=(Premise("own:odd-premise-square", {q: I}),)),), at=at_thin, why="-1 >= 0", **named),
    false("odd-alg-monotone-premise-tan", ge(y + EPS / 4, 0), Y, checks=(Monotone(y, Integer(0), 1, premises=(Premise("own:odd-premise-square", {q: sympy.asin(y + 3)}),)),), at=at_thin,
          why="the premise at a term of an unknown function", **named),
    false("odd-alg-monotone-start-i", thin, Y, checks=(Monotone(y, I, 1),), at=at_thin, why="the start is not real", **named),
    false("odd-alg-monotone-start-infinite", ge(p * log(p), -1 / E + R(1, 10**20)), P, checks=(Monotone(p, sympy.oo, 1),), at={"p": "exp(-1)"}, why="the start is infinite", cat="12"),
    false("odd-alg-monotone-start-undefined", ge(p * log(p), -1 / E + R(1, 10**20)), P, checks=(Monotone(p, log(-1 - p), 1),), at={"p": "exp(-1)"}, why="the start is no real number", cat="12"),
    false("odd-reg-bits", ge((u**2 - 2) ** 2, R(1, 10**12)), U, checks=(Region(bits=2), Region(bits=3), Region(bits=8)), at={"u": "sqrt(2)"}, why="few bits", cat="12"),
    false("odd-reg-target-integral", ge(c + EPS / 2, 0), C, checks=(Region(chart=Chart({t: (-EPS, 1)}, {c: t}, {t: c}), target=sympy.Integral(1, (t, -EPS / 2, t))),), at=at_thin, why="an integral as the target", cat="12"),
]
