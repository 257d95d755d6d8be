"""Category 12: settings that try to get a false claim through, and the (mostly true) premises they lean on."""

from fractions import Fraction

import sympy
from sympy import Abs, Max, Min, acos, asin, atan, cos, erfc, exp, log, oo, pi, sin, sqrt, tanh

from rgm_verify.claims import Chart, Implies, either, eq, ge, gt, le, ne
from rgm_verify.lenses import (
    Combination,
    Deduction,
    Identity,
    Monotone,
    Points,
    Premise,
    Quadrature,
    Region,
    Scaling,
    Search,
    Simulation,
    Smt,
    Units,
    Worlds,
)
from rgm_verify.lenses.worlds.scaling import S
from rgm_verify.lenses.worlds.exact import at_most

from .known import *

u = sympy.Symbol("u", real=True)
s, r = sympy.symbols("s r", real=True)
s_positive = sympy.Symbol("s", positive=True)
s_integer = sympy.Symbol("s", integer=True)
NORMAL = Quadrature(-(u**2) / 2, u, sqrt(2 * pi))


def _normal_variance(samples, generator, false_alarm, scale):
    """A confidence interval (a generous one) for the variance of a standard normal variable."""
    count = max(int(samples), 1000)
    found = float((scale * generator.standard_normal(count)).var())
    width = 8 * found * (2 / count) ** 0.5
    return found - width, found + width


VARIANCE = Simulation(_normal_variance, sympy.Integer(1))


def _two_numbers(generator):
    return {name: Fraction(int(generator.integers(-20, 20)), int(generator.integers(1, 9))) for name in ("a", "b")}


def _product(world):
    return at_most(2 * world["a"] * world["b"], world["a"] ** 2 + world["b"] ** 2)


def _product_halved(world):
    return at_most(3 * world["a"] * world["b"], world["a"] ** 2 + world["b"] ** 2)


PRODUCT = Worlds("2ab <= a^2 + b^2", _two_numbers, _product, {"3ab": _product_halved})

PREMISES = [
    true("c12-base-square", ge(xp**2, xp), on(xp, 1), why="x >= 1"),
    true("c12-base-integer", ge(n**2, n), n, why="n >= 1"),
    true("c12-base-exists", ge(a, 10), a, quantifier="exists", at={"a": 10}, why="10"),
    true("c12-base-odd", gt(xp**3 + xp, 0), xp, why="positive terms"),
    true("c12-base-ordered", le(x**3, y**3), x, y, given=(le(x, y),), why="the cube is monotone"),
    true("c12-base-log", le(log(xp), xp - 1), xp, why="tangent at 1"),
    true("c12-base-log-positive", gt(log(xp), 0), on(xp, 1, None, "lo"), why="log 1 = 0 and log grows"),
    true("c12-base-root", le(xn, sqrt(xn)), on(xn, 0, 1), why="sqrt x (sqrt x - 1) <= 0 on [0, 1]"),
    true("c12-base-equation", ge(yp, x + 1), x, yp, given=(eq(yp, exp(x)),), pick={"y": "exp(x)"}, why="exp(x) >= 1 + x"),
    false("c12-base-false", le(a, b), a, b, at={"a": 1, "b": 0}),
    false("c12-base-false-integer", ge(n, 2), n, at={"n": 1}),
    ill("c12-base-ill", ge(log(x), log(x - 1)), x, at={"x": 0}, why="log(x - 1) for x <= 1"),
]

IDENTITIES = [
    false("c12-id-abs", eq(sqrt(x**2), x), x, checks=(Identity(positive=(x,)),), at={"x": -1}),
    false("c12-id-abs-sum", eq(sqrt((x + y) ** 2), x + y), x, y, checks=(Identity(positive=(x + y,)),), at={"x": -1, "y": 0}),
    false("c12-id-trinomial", eq(sqrt(x**2 - 2 * x + 1), x - 1), x, checks=(Identity(positive=(x - 1,)), Identity()), at={"x": 0}),
    false("c12-id-cosine", eq(sqrt(1 - sin(x) ** 2), cos(x)), x, checks=(Identity(positive=(cos(x),)), Identity(differentiate=(x, 0))), at={"x": "pi"}),
    false("c12-id-sign", eq(x / Abs(x), 1), x, given=(ne(x, 0),), checks=(Identity(differentiate=(x, 1)),), at={"x": -1}, why="the derivative is 0 on either side of 0"),
    false("c12-id-atan", eq(atan(x) + atan(1 / x), pi / 2), x, given=(ne(x, 0),), checks=(Identity(differentiate=(x, 1)),), at={"x": -1}, why="-pi/2 for x < 0, with derivative 0"),
    false("c12-id-atan-sum", eq(atan(x) + atan(y), atan((x + y) / (1 - x * y))), x, y, given=(ne(x * y, 1),), checks=(Identity(differentiate=(x, 0)),), at={"x": 2, "y": 2}, why="off by pi where xy > 1"),
    false("c12-id-asin", eq(asin(sin(x)), x), x, checks=(Identity(differentiate=(x, 0)), Identity()), at={"x": "pi"}),
    false("c12-id-acos", eq(acos(cos(x)), x), x, checks=(Identity(differentiate=(x, 1)), Identity()), at={"x": -1}),
    false("c12-id-two-variables", eq(Abs(x - y) / (x - y), 1), x, y, given=(ne(x, y),), checks=(Identity(differentiate=(x, y + 1)),), at={"x": 0, "y": 1}),
    false("c12-id-log-poles", eq(log((x - 1) ** 2) - 2 * log(Abs(x - 1)), (x - 2) / (2 * Abs(x - 2)) - Q(1, 2)), x, given=(ne(x, 1), ne(x, 2)), checks=(Identity(differentiate=(x, 3)),), at={"x": 0}, why="left side 0, right side -1 for x < 2"),
]

COMBINATIONS = [
    false("c12-co-real", ge(x, 0), x, checks=(Combination(terms=((x,),)),), at={"x": -1}),
    false("c12-co-half-known", ge(x * y, 0), x, y, given=(ge(x, 0),), checks=(Combination(terms=((x, y),)),), at={"x": 1, "y": -1}),
    false("c12-co-odd-power", ge(x**3, 0), x, checks=(Combination(terms=((x**2, x),)), Combination(terms=((x**3,),))), at={"x": -1}),
    false("c12-co-log", ge(log(xp), 0), xp, checks=(Combination(terms=((log(xp),),)),), at={"x": Q(1, 2)}),
    false("c12-co-strict", gt(x**2, 0), x, checks=(Combination(terms=((x**2,),)),), at={"x": 0}),
    false("c12-co-strict-hypothesis", gt(x, 0), x, given=(ge(x, 0),), checks=(Combination(terms=((x,),)),), at={"x": 0}),
    false("c12-co-either", ge(x, 0), x, y, given=(either(ge(x, 0), ge(y, 0)),), checks=(Combination(terms=((x,),)),), at={"x": -1, "y": 1}),
    false("c12-co-unequal", gt(x, 0), x, given=(ne(x, 0),), checks=(Combination(terms=((x,),)),), at={"x": -1}),
    false("c12-co-implied", ge(y, 0), x, y, given=(Implies(ge(x, 0), ge(y, 0)),), checks=(Combination(terms=((y,),)),), at={"x": -1, "y": -1}),
    false("c12-co-almost", ge(x**2 - tiny(15), 0), x, checks=(Combination(terms=((x**2,),)), PRODUCT, VARIANCE), at={"x": 0}),
    false("c12-co-empty", ge(x**3 - x, 0), x, checks=(Combination(terms=()), Combination(terms=((),))), at={"x": -2}),
    false("c12-co-strict-sqrt2", gt(x**4 - 4 * x**2 + 4, 0), x, checks=(Combination(terms=((x**2 - 2, x**2 - 2),)), Combination(terms=(((x**2 - 2) ** 2,),))), at={"x": "sqrt(2)"}),
]

MONOTONE = [
    false("c12-mo-across-pole", le(1 / x, 1), x, given=(ne(x, 0),), checks=(Monotone(x, -1),), at={"x": Q(1, 2)}, why="increasing gap on either side of the pole"),
    false("c12-mo-across-jump", ge(x / Abs(x), 0), x, given=(ne(x, 0),), checks=(Monotone(x, 1), Monotone(x, 1, order=2)), at={"x": -1}),
    false("c12-mo-moving-start", ge(x**3, x), x, checks=(Monotone(x, x), Monotone(x, x - 1), Monotone(x, x, order=3)), at={"x": -2}),
    false("c12-mo-from-infinity", ge(xn / (1 + xn), 1), xn, checks=(Monotone(xn, oo),), at={"x": 0}),
    false("c12-mo-strict-start", gt(exp(xn), 1 + xn), xn, checks=(Monotone(xn, 0), Monotone(xn, 0, order=2)), at={"x": 0}),
    false("c12-mo-left-of-start", ge((x - 1) ** 3, 0), x, checks=(Monotone(x, 1, order=3), Monotone(x, 1, order=2), Monotone(x, 1)), at={"x": 0}),
    false("c12-mo-premise", ge(log(xp) ** 2, log(xp)), xp, checks=(Monotone(xp, 1, premises=(Premise("blind:c12-base-log-positive"),)),), at={"x": 2}),
    false("c12-mo-third-order", le(tanh(xn), xn - xn**3 / 3), xn, checks=(Monotone(xn, 0, order=3), Monotone(xn, 0, order=4)), at={"x": 1}),
    false("c12-mo-tan", ge(sin(xn) / cos(xn), 0), xn, given=(ne(cos(xn), 0),), checks=(Monotone(xn, 0),), at={"x": 2}, why="the derivative of tan is positive, but there are poles on the way"),
]

_same = {x: s}
REGIONS = [
    false("c12-re-uncovered", le(x, 1), x, checks=(Region(chart=Chart({s: (0, 1)}, _same, {s: x})),), at={"x": 2}),
    false("c12-re-no-inverse", le(x**2, 1), x, checks=(Region(chart=Chart({s: (-1, 1)}, _same)),), sampling=Chart({s: (-1, 1)}, _same), at={"x": 2}, why="looked for on [-1, 1] only"),
    false("c12-re-zero-factor", gt(xn, 0), on(xn, 0, 1), checks=(Region(chart=Chart({xn: (0, 1)}, {xn: xn}, {xn: xn}), target=sympy.S.One, factor=xn),), at={"x": 0}),
    false("c12-re-sign-factor", ge(xn, Q(1, 2)), on(xn, 0, 1), checks=(Region(target=sympy.S.One, factor=xn - Q(1, 2)),), at={"x": 0}),
    false("c12-re-pole-factor", gt(xn**2, 0), on(xn, 0, 1), checks=(Region(target=sympy.Integer(1), factor=xn**2), Region(target=xn**3 + xn, factor=xn / (xn**2 + 1))), at={"x": 0}),
    false("c12-re-wrong-inverse", le(xn, 1), xn, checks=(Region(chart=Chart({s: (0, 1)}, {xn: s}, {s: xn / (1 + xn)})),), at={"x": 2}),
    false("c12-re-clipped-inverse", le(xn, 1), xn, checks=(Region(chart=Chart({s: (0, 1)}, {xn: s}, {s: Min(xn, 1)})),), at={"x": 2}),
    false("c12-re-integer-coordinate", ge((2 * xn - 1) ** 2, 1), on(xn, 0, 1), checks=(Region(chart=Chart({s_integer: (0, 1)}, {xn: s_integer}, {s_integer: xn})),), at={"x": Q(1, 2)}),
    false("c12-re-positive-coordinate", ge(Abs(x) + x, 2 * x + tiny(3) * x), on(x, -1, 1), checks=(Region(chart=Chart({s_positive: (-1, 1)}, {x: s_positive}, {s_positive: x})),), at={"x": Q(1, 2)}, why="for x > 0 the right side is larger"),
    false("c12-re-positive-coordinate-left", eq(Abs(x), x), on(x, -1, 1), checks=(Region(chart=Chart({s_positive: (-1, 1)}, {x: s_positive}, {s_positive: x})), Identity(positive=(s_positive,))), at={"x": -1}),
    false("c12-re-few-bits", le(xn * (1 - xn), Q(1, 4) - tiny(15)), on(xn, 0, 1), checks=(Region(bits=4), Region(bits=2)), at={"x": Q(1, 2)}),
    false("c12-re-cut-infinity", le(xn / (1 + xn), 1 - tiny(9)), xn, checks=(Region(chart=Chart({s: (Q(1, 1000), 1)}, {xn: 1 / s - 1}, {s: 1 / (1 + xn)})),), at={"x": 10**10}),
    false("c12-re-forgotten-variable", le(xn * yn, 1), on(xn, 0, 1), on(yn, 0, 2), checks=(Region(chart=Chart({s: (0, 1)}, {xn: s, yn: s}, {s: xn})),), at={"x": 1, "y": 2}, why="the chart holds the diagonal only"),
    false("c12-re-excluded", le(x**2, 3), on(x, -2, 2), given=(ge(Max(x, -x), 1),), checks=(Region(), Points(1)), at={"x": 2}),
    false("c12-re-log-factor", gt(xp * log(xp) + 1 - xp, 0), on(xp, Q(1, 2), 2), checks=(Region(target=sympy.S.One, factor=xp * log(xp) + 1 - xp),), at={"x": 1}),
]

DEDUCTIONS = [
    false("c12-de-outside", ge(xn**2, xn), xn, checks=(Deduction((Premise("blind:c12-base-square", {xp: xn}),)),), at={"x": Q(1, 2)}, why="the premise speaks of x >= 1"),
    false("c12-de-where-it-applies", ge(xn**2, xn), xn, checks=(Deduction((Premise("blind:c12-base-square", {xp: xn}, where_it_applies=True),)),), at={"x": Q(1, 3)}),
    false("c12-de-integer", ge(yp**2, yp), yp, checks=(Deduction((Premise("blind:c12-base-integer", {n: yp}),)),), at={"y": Q(1, 2)}),
    false("c12-de-integer-by-name", ge(t**2, t), t, checks=(Deduction((Premise("blind:c12-base-integer", {n: sympy.ceiling(t)}),)),), at={"t": Q(1, 2)}),
    false("c12-de-integer-same-name", ge(c**2, c), c, checks=(Deduction((Premise("blind:c12-base-integer"),)),), at={"c": Q(1, 2)}),
    false("c12-de-real-named-n", ge(sympy.Symbol("n", positive=True) ** 2, sympy.Symbol("n", positive=True)), sympy.Symbol("n", positive=True), checks=(Deduction((Premise("blind:c12-base-integer"),)),), at={"n": Q(1, 2)}, why="the premise's n is an integer, this one is not"),
    false("c12-de-exists", ge(a, 10), a, checks=(Deduction((Premise("blind:c12-base-exists"),)),), at={"a": 0}),
    false("c12-de-same-name", gt(x**3 + x, 0), x, checks=(Deduction((Premise("blind:c12-base-odd"),)), Deduction((Premise("blind:c12-base-odd", {xp: x}),))), at={"x": -1}, why="the premise's x is positive, this one is real"),
    false("c12-de-swapped", le(y**3, x**3), x, y, given=(le(x, y),), checks=(Deduction((Premise("blind:c12-base-ordered", {x: y, y: x}),)),), at={"x": 0, "y": 1}),
    false("c12-de-from-false", le(y, y - 1), y, checks=(Deduction((Premise("blind:c12-base-false", {a: y, b: y - 1}),)),), at={"y": 0}),
    false("c12-de-from-false-integer", ge(n**2, 2 * n), n, checks=(Deduction((Premise("blind:c12-base-false-integer"),)),), at={"n": 1}),
    false("c12-de-from-ill", ge(exp(x), 1 + 2 * x), x, checks=(Deduction((Premise("blind:c12-base-ill", {x: exp(x)}),)), NORMAL), at={"x": Q(1, 2)}),
    false("c12-de-log", le(log(xp), xp - 2), xp, checks=(Deduction((Premise("blind:c12-base-log", {xp: xp - 1}),)), Deduction((Premise("blind:c12-base-log", {xp: xp / 2}),))), at={"x": 1}),
    false("c12-de-log-zero", le(log(1 + xn), xn - tiny(12)), xn, checks=(Deduction((Premise("blind:c12-base-log", {xp: 1 + xn}),)), VARIANCE), at={"x": 0}),
    false("c12-de-root", le(yp, sqrt(yp)), yp, checks=(Deduction((Premise("blind:c12-base-root", {xn: yp}),)),), at={"y": 4}),
    false("c12-de-equation", ge(y, x + 1), x, y, checks=(Deduction((Premise("blind:c12-base-equation", {yp: y}),)), Deduction((Premise("blind:c12-base-equation", {yp: y}, where_it_applies=True),))), at={"x": 0, "y": 0}),
    false("c12-de-pair", le(x**3, y**3 - tiny(6)), x, y, given=(le(x, y),), checks=(Deduction((Premise("blind:c12-base-ordered"), Premise("blind:c12-base-ordered", {x: y, y: x}, where_it_applies=True))),), at={"x": 1, "y": 1}),
]

UNRELATED = [
    false("c12-un-quadrature", ge(x**2, x), x, checks=(NORMAL, NORMAL), at={"x": Q(1, 2)}),
    false("c12-un-quadrature-sqrt2", gt((x**2 - 2) ** 2, 0), x, checks=(NORMAL, Units({x: 1})), at={"x": "sqrt(2)"}),
    false("c12-un-simulation", le(xp, 10**12), xp, checks=(VARIANCE,), at={"x": 10**13}),
    false("c12-un-worlds", gt((x**3 - 5) ** 2, 0), x, checks=(PRODUCT,), at={"x": "5**(1/3)"}),
    false("c12-un-worlds-and-all", ne(exp(x), 3), x, checks=(PRODUCT, VARIANCE, NORMAL), at={"x": "log(3)"}),
    false("c12-un-units", ge(x**2 + y**2, 3 * x * y), x, y, checks=(Units({x: 1, y: 1}),), at={"x": 1, "y": 1}),
    false("c12-un-scaling", ge(xp + yp, 3 * sqrt(xp * yp)), xp, yp, checks=(Scaling("both scale", {xp: S * xp, yp: S * yp}, {"one": {xp: S * xp}}),), at={"x": 1, "y": 1}),
    false("c12-un-short-smt", ge(x**6 - 3 * x**4 + 3 * x**2, 1), x, checks=(Smt(1),), at={"x": 0}),
    false("c12-un-one-point", le(x, 10**15), x, checks=(Points(1), Search()), at={"x": 10**16}),
    false("c12-un-narrow-sampling", le(erfc(x), 1), x, checks=(Points(5), Smt()), sampling=Chart({s: (0, 1)}, _same), at={"x": -1}, why="sampled at x >= 0 only"),
    false("c12-un-mixed-equation", gt((y - 5) ** 2, 0), x, y, given=(eq(y, exp(x)),), checks=(Combination(terms=(((y - 5) ** 2,),)), Deduction((Premise("blind:c12-base-log", {xp: exp(x)}),)), NORMAL), at={"x": "log(5)", "y": 5}),
]
