"""(12) settings that cheat: premises of deductions, in all forms."""

import collections.abc

import sympy

from rgm_verify.lenses import Deduction, Points, Premise, Search, Smt, Worlds
from rgm_verify.lenses.worlds.exact import Slack

from .known import *

EPS = R(1, 10**15)
X, x = var("x")
P, p = var("x", "(0,inf)")
A, a = var("a", "(0,inf)")
N, n = whole("n")
J, j = whole("n", "R")
Y, y = var("y", "(-1/1000000000000000,1]")
Z, z = var("z")
V_, v = var("y", "[-1/1000000000000000,1/1000000000000000]")
thin = ge(y + EPS / 2, 0)
at_thin = {"y": "-7/10**16"}
bigger = {"mutants": (Mutant("bigger", conclusion=gt(y, R(1, 2))),), "cat": "12"}


def by(name, at=None, **more):
    return (Deduction((Premise("own:ded-premise-" + name, {} if at is None else at, **more),)),)


class Moving(collections.abc.Mapping):
    """A substitution that says something else every other time it is read."""

    def __init__(self, *turns):
        self.turns, self.count = turns, 0

    def now(self):
        return self.turns[(self.count // 2) % len(self.turns)]

    def __getitem__(self, key):
        return self.now()[key]

    def __iter__(self):
        self.count += 1
        return iter(self.now())

    def __len__(self):
        return len(self.now())


CLAIMS = [
    true("ded-premise-square", ge(x**2, 0), X, checks=(Smt(),), why="a square", cat="12"),
    true("ded-premise-abs", ge(Abs(x), 0), X, checks=(Smt(),), why="an absolute value", cat="12"),
    true("ded-premise-root", ge(sqrt(p), 0), P, checks=(Smt(),), why="a root", cat="12"),
    true("ded-premise-inverse-root", gt(1 / sqrt(p), 0), P, checks=(Smt(),), why="positive", cat="12"),
    true("ded-premise-quotient", gt(a / (1 + a), 0), A, checks=(Smt(),), why="positive", cat="12"),
    true("ded-premise-integers", ge(j**2, j), J, checks=(Smt(),), why="n(n-1) >= 0 for integers", cat="12"),
    true("ded-premise-natural", ge(n**2, 1), N, checks=(Smt(),), why="n >= 1", cat="12"),
    true("ded-premise-exists", eq(x**2, 2), X, quantifier="exists", points=[{"x": "sqrt(2)"}], why="sqrt 2", mutants=(Mutant("negative", conclusion=eq(x**2, -2)),), cat="12"),
    false("ded-premise-refuted", ge(x**2, 1), X, checks=(Smt(),), at={"x": 0}, why="0 < 1", cat="12"),
    false("ded-premise-thin", ge((x**2 - 2) ** 2, R(1, 10**30)), X, at={"x": "sqrt(2)"}, why="0 at sqrt 2", cat="12"),
    ill("ded-premise-ill", le(log(z), z - 1), Z, at={"z": -1}, why="log of a negative number", cat="12"),
    false("ded-log", gt(y, 0), Y, checks=by("square", {x: log(y)}), at=at_thin, why="log y brings y > 0", **bigger),
    false("ded-sqrt", thin, Y, checks=by("square", {x: sqrt(y)}), at=at_thin, why="sqrt y brings y >= 0", **bigger),
    false("ded-sqrt-where", thin, Y, checks=by("square", {x: sqrt(y)}, where_it_applies=True), at=at_thin, why="sqrt y brings y >= 0", **bigger),
    false("ded-fourth-root", thin, Y, checks=by("square", {x: y ** R(1, 4)}), at=at_thin, why="a fourth root", **bigger),
    false("ded-inverse-root", thin, Y, checks=by("abs", {x: 1 / sqrt(y + EPS / 2)}), at=at_thin, why="a root in a denominator", **bigger),
    false("ded-pole", gt((z**2 - 2) ** 2, 0), Z, checks=by("square", {x: 1 / (z**2 - 2)}), at={"z": "sqrt(2)"}, why="1/(z^2-2) brings z^2 != 2", cat="12"),
    false("ded-pole-exp", gt((exp(z) - 2) ** 2, 0), Z, checks=by("square", {x: 1 / (exp(z) - 2)}), at={"z": "log(2)"}, why="a pole at log 2", cat="12"),
    false("ded-log-exp", gt((exp(z) - 2) ** 2, 0), Z, checks=by("square", {x: log((exp(z) - 2) ** 2)}), at={"z": "log(2)"}, why="a logarithm at log 2", cat="12"),
    false("ded-nested", gt((z**3 - 2) ** 2, 0), Z, checks=by("abs", {x: exp(1 / (z**3 - 2) ** 2)}), at={"z": "2**(1/3)"}, why="a pole inside an exponential", cat="12"),
    false("ded-max", gt((z**3 - 2) ** 2, 0), Z, checks=by("square", {x: Max(z, 1 / (z**3 - 2))}), at={"z": "2**(1/3)"}, why="a pole inside a maximum", cat="12"),
    false("ded-half-integer", ge(v**2, v), V_, checks=by("integers", {j: v}), at={"y": "5/10**16"}, why="a premise about integers at a real", cat="12"),
    false("ded-integer-kept", ge(z**2, z), Z, given=either(ge(z, 1), le(z, 0), eq(2 * z**2, 1)), checks=by("integers"), at={"z": "sqrt(1/2)"}, why="a premise about another variable", cat="12"),
    false("ded-floor", ge(v**2, v), V_, checks=by("integers", {j: sympy.floor(v)}), at={"y": "5/10**16"}, why="floor(y) is 0 or -1, which says nothing", cat="12"),
    false("ded-same-name", either(ge(x, 0), ne(x**2, 2)), X, checks=by("root", where_it_applies=True), at={"x": "-sqrt(2)"}, why="the premise's x is positive",
          mutants=(Mutant("a square below", conclusion=lt(x**2, 0)),), cat="12"),
    false("ded-same-name-inverse", either(gt(x, 0), ne(x**2, 3)), X, checks=by("inverse-root", where_it_applies=True), at={"x": "-sqrt(3)"}, why="the premise's x is positive",
          mutants=(Mutant("a square below", conclusion=lt(x**2, 0)),), cat="12"),
    false("ded-same-name-shown", gt((exp(x) - 2) ** 2, 0), X, checks=by("root"), at={"x": "log(2)"}, why="the premise's hypothesis does not hold", cat="12"),
    false("ded-where-contradiction", gt((z**2 - 2) ** 2, 0), Z, checks=by("root", {p: -z**2 - 1}, where_it_applies=True), at={"z": "sqrt(2)"}, why="a root of a negative number, where it applies", cat="12"),
    false("ded-refuted", either(ge(z**2, 1), ne(2 * z**2, 1)), Z, checks=by("refuted", {x: z}), at={"z": "sqrt(1/2)"}, why="the premise is false", mutants=(Mutant("a square below", conclusion=le(z**2, -1)),), cat="12"),
    false("ded-thin", gt((z**2 - 2) ** 2, 0), Z, checks=by("thin", {x: z}), at={"z": "sqrt(2)"}, why="the premise is false", cat="12"),
    false("ded-ill", thin, Y, checks=by("ill", {z: y}), at=at_thin, why="the premise is ill-posed and brings y > 0", **bigger),
    false("ded-exists", either(eq(z**2, 2), ne(z**3, 5)), Z, checks=by("exists", {x: z}), at={"z": "5**(1/3)"}, why="the premise says that one exists", mutants=(Mutant("negative", conclusion=lt(z**2, 0)),), cat="12"),
    false("ded-twice", gt((z**2 - 2) ** 2, 0), Z, checks=(Deduction((Premise("own:ded-premise-quotient", {a: (z**2 - 2) ** 2}, where_it_applies=True), Premise("own:ded-premise-square", {x: 1 / (z**2 - 2)}))),),
          at={"z": "sqrt(2)"}, why="two premises, one at a pole", cat="12"),
    ill("ded-ill-conclusion", gt(1 / (z**2 - 2) ** 2, 0), Z, checks=by("square", {x: 1 / (z**2 - 2)}), at={"z": "sqrt(2)"}, why="undefined at sqrt 2; the premise grants it", cat="12"),
    ill("ded-ill-log", le(log(z**2), z**2 - 1), Z, checks=by("square", {x: log(z**2)}), at={"z": 0}, why="undefined at 0; the premise grants it", cat="12"),
]
