"""(12) settings that cheat: Region (charts, targets, factors, inverses), sampling charts, tightness, existence."""

import sympy

from rgm_verify.claims import Tightness
from rgm_verify.lenses import Region, Search, Smt

from .known import *

EPS = R(1, 10**15)
X, x = var("x")
Y, y = var("y", "[-1/1000000000000000,1]")
O, o = var("y", "(-1/1000000000000000,1]")
W, w = var("w", "[-1,1]")
U, u = var("u", "[0,2]")
H, h = var("h", "[499999999999999/1000000000000000,1]")
N, n = whole("n", "[0,1000000000]")
t = Symbol("t", real=True)
even, odd, rational_ = Symbol("c", even=True), Symbol("c", odd=True), Symbol("c", irrational=True)
prime = Symbol("c", prime=True)
foreign = Symbol("y", positive=True)
thin = ge(y + EPS / 2, 0)
at_thin = {"y": "-7/10**16"}
bigger = {"mutants": (Mutant("bigger", conclusion=gt(y, R(1, 2))),), "cat": "12"}
spike = ge(2 * (n - 123456789) ** 2 + R(1, 2), 1 - (-1) ** n)
spike_even = ge(2 * (n - 123456788) ** 2 + R(1, 2), 1 + (-1) ** n)


class Sure(sympy.Symbol):
    """A symbol that says of itself that it is positive."""

    is_positive = True
    is_nonnegative = True


CLAIMS = [
    false("reg-sliver", thin, Y, checks=(Region(chart=Chart({t: (0, 1)}, {y: t}, {t: y})),), at=at_thin, why="the chart misses a sliver", **bigger),
    false("reg-sliver-abs", thin, Y, checks=(Region(chart=Chart({t: (0, 1)}, {y: t}, {t: Abs(y)})),), at=at_thin, why="|y| is no inverse", **bigger),
    false("reg-sliver-max", thin, Y, checks=(Region(chart=Chart({t: (0, 1)}, {y: t}, {t: Max(y, 0)})),), at=at_thin, why="max(y, 0) is no inverse", **bigger),
    false("reg-factor-vanishes", gt((u - R(1, 2)) ** 2, 0), U, checks=(Region(chart=Chart({t: (0, 2)}, {u: t}, {t: u}), target=Integer(1), factor=(t - R(1, 2)) ** 2),), at={"u": "1/2"}, why="the factor vanishes", cat="12"),
    false("reg-factor-vanishes-irrational", gt((u**2 - 2) ** 2, 0), U, checks=(Region(chart=Chart({t: (0, 2)}, {u: t}, {t: u}), target=Integer(1), factor=(t**2 - 2) ** 2),), at={"u": "sqrt(2)"}, why="the factor vanishes", cat="12"),
    false("reg-factor-power-zero", gt(Abs(u**2 - 2) ** (u**2 + 1), 0), U, checks=(Region(chart=Chart({t: (0, 2)}, {u: t}, {t: u}), target=Abs(t**2 - 2), factor=Abs(t**2 - 2) ** (t**2)),), at={"u": "sqrt(2)"},
          why="the factor vanishes at sqrt 2", cat="12"),
    false("reg-factor-negative", le(u, R(2 * 10**15 - 1, 10**15)), U, checks=(Region(chart=Chart({t: (0, 2)}, {u: t}, {t: u}), target=t - R(2 * 10**15 - 1, 10**15), factor=Integer(-1)),), at={"u": 2}, why="a negative factor", cat="12"),
    false("reg-factor-cosh", ge(w**2 - R(1, 10**20), 0), W, checks=(Region(chart=Chart({t: (-1, 1)}, {w: t}, {t: w}), target=(t**2 - R(1, 10**20)) / cosh(1 / t), factor=cosh(1 / t)),), at={"w": 0},
          why="the factor has no value at 0", cat="12"),
    false("reg-open-end", ge(o + EPS / 2, 0), O, checks=(Region(chart=Chart({t: (-EPS / 2, 1)}, {o: t}, {t: o})),), at=at_thin, why="the chart begins inside", mutants=(Mutant("bigger", conclusion=gt(o, R(1, 2))),), cat="12"),
    false("smp-away", ge((x - R(5, 17)) ** 2, R(1, 10**8)), X, sampling=Chart({t: (2, 3)}, {x: t}), at={"x": "5/17"}, why="the sampling chart looks away", cat="12"),
    false("smp-away-smt", gt((x**2 - 2) ** 2, 0), X, checks=(Smt(),), sampling=Chart({t: (2, 3)}, {x: t}), at={"x": "sqrt(2)"}, why="the sampling chart looks away", cat="12"),
    false("smp-one-point", le(sin(x), R(1, 2)), X, sampling=Chart({t: (0, R(1, 10**6))}, {x: t}), at={"x": 2}, why="the sampling chart is tiny", cat="12"),
    false("smp-empty", le(exp(x), exp(x) * (1 - R(1, 10**20))), X, sampling=Chart({t: (0, 1)}, {x: log(-1 - t)}), at={"x": 0}, why="the sampling map has no value anywhere", cat="12"),
    ill("reg-undefined-chart", ge(sqrt(w), 0), W, checks=(Region(chart=Chart({t: (0, 1)}, {w: t**2}, {t: sqrt(w)})),), at={"w": -1}, why="the root of -1; the chart covers the rest", cat="12"),
    ill("reg-undefined-map", ge(w + 0 * log(w), -1), W, checks=(Region(),), why="0 log w has no value for w <= 0", cat="12"),
    ill("reg-removable", ge((exp(w) - 1) / w, R(1, 2)), W, checks=(Region(target=(exp(w) - 1 - w / 2) / w, factor=Integer(1)),), at={"w": 0}, why="0/0 at 0", cat="12"),
]
