"""(12) settings that cheat: numerical routes that have nothing to do with the claim, trivial controls, wrong worlds."""

from fractions import Fraction

from rgm_verify.claims import Step
from rgm_verify.lenses import Deduction, Performance, Points, Premise, Quadrature, Scaling, Search, Simulation, Smt, Units, Worlds
from rgm_verify.lenses.worlds.performance import noisy_step
from rgm_verify.lenses.worlds.scaling import S as UNIT
from rgm_verify.lenses.worlds.exact import Slack, at_most

from .known import *

X, x = var("x")
Y, y = var("y", "(-1/1000000000000000,1]")
Z, z = var("z")
P, p = var("p", "(0,inf)")
A, a = var("a", "[0,inf)")
u = Symbol("u", real=True)
EPS = R(1, 10**15)


def some_world(g):
    return {"a": Fraction(int(g.integers(1, 9)))}


def always(w):
    return Slack(Fraction(1), Fraction(1))


def never(w):
    return Slack(Fraction(-1), Fraction(1))


class Moody:
    """Says first that all is well, and no when it is asked as a control."""

    def __init__(self):
        self.count = 0

    def __call__(self, w):
        self.count += 1
        return Slack(Fraction(1 if self.count < 300 else -1), Fraction(1))


def guess(samples, generator, false_alarm, scale):
    return (0.99 * scale, 1.01 * scale)


def below_square(w):
    return at_most(w["a"] ** 2, w["a"] * 0)


def below_log(w):
    return at_most(w["a"], w["a"] - 1)


F = Fraction
idle_worlds = Worlds(says="1 is positive", worlds=some_world, statement=always, broken={"no": never})
idle_simulation = Simulation(experiment=guess, expected=Integer(1))
idle_quadrature = Quadrature(log_integrand=-(u**2) / 2, variable=u, closed_form=sqrt(2 * pi))
idle_performance = Performance(
    "a step of gradient descent",
    (noisy_step(F(1), F(4), step=F(1, 8), amplification=F(1), rate=F(49, 64), multipliers=(F(7, 32), F(7, 32)), worst=(F(1), F(1, 2))),),
)
hole = Deduction((Premise("own:rt-premise-square", {x: log(z - 5)}),))
hole_thin = Deduction((Premise("own:rt-premise-square", {x: log(y)}),))
def nonsense(v):
    return (Mutant("a square is negative", conclusion=lt(v**2 + 1, 0), hypotheses=()),)


at_root = {"z": "sqrt(2)"}
at_thin = {"y": "-7/10**16"}
less = R(1, 10**20)

CLAIMS = [
    true("rt-premise-square", ge(x**2, 0), X, checks=(Smt(),), why="a square", cat="12"),
    false("rt-hole-worlds", ge(z, 5), Z, given=eq(z**2, 2), checks=(hole, idle_worlds), mutants=nonsense(z), at=at_root, why="false at every admissible point", cat="12"),
    false("rt-hole-simulation", ge(z, 5), Z, given=eq(z**2, 2), checks=(hole, idle_simulation), mutants=nonsense(z), at=at_root, why="false at every admissible point", cat="12"),
    false("rt-hole-quadrature", ge(z, 5), Z, given=eq(z**2, 2), checks=(hole, idle_quadrature), mutants=nonsense(z), at=at_root, why="false at every admissible point", cat="12"),
    false("rt-hole-performance", ge(z, 5), Z, given=eq(z**2, 2), checks=(hole, idle_performance), mutants=nonsense(z), at=at_root, why="false at every admissible point", cat="12"),
    false("rt-hole-nonsense", ge(y + EPS / 2, 0), Y, checks=(hole_thin,), mutants=nonsense(y), at=at_thin, why="y > 0 for nothing; the control is trivial", cat="12"),
    false("rt-hole-everything", ge(z, 5), Z, given=eq(z**2, 2), checks=(hole, idle_worlds, idle_simulation, idle_quadrature, idle_performance), mutants=nonsense(z), at=at_root, why="false at every admissible point", cat="12"),
    false("rt-worlds-only", gt((exp(z) - 2) ** 2, 0), Z, checks=(idle_worlds,), at={"z": "log(2)"}, why="0 at log 2", cat="12"),
    false("rt-simulation-only", gt((exp(z) - 3) ** 2, 0), Z, checks=(idle_simulation,), at={"z": "log(3)"}, why="0 at log 3", cat="12"),
    false("rt-quadrature-only", lt(exp(z), exp(z) * (1 - less)), Z, checks=(idle_quadrature,), at={"z": 0}, why="false everywhere", cat="12"),
    false("rt-performance-only", lt(tanh(z) + 1, (tanh(z) + 1) * (1 - less)), Z, checks=(idle_performance,), at={"z": 0}, why="false everywhere", cat="12"),
    false("rt-all-four", le(exp(z), exp(z) * (1 - less)), Z, checks=(idle_worlds, idle_simulation, idle_quadrature, idle_performance), mutants=nonsense(z), at={"z": 0}, why="false everywhere", cat="12"),
    false("rt-quadrature-in-variables", le(sqrt(2 * pi / p), sqrt(2 * pi / p) * (1 - less)), P, checks=(Quadrature(log_integrand=-p * u**2 / 2, variable=u, closed_form=sqrt(2 * pi / p)),), at={"p": 1}, why="false everywhere; the integral is right", cat="12"),
    false("rt-moody-worlds", gt((exp(z) - 2) ** 2, 0), Z, checks=(Worlds(says="moody", worlds=some_world, statement=Moody(), broken={"no": never}),), at={"z": "log(2)"}, why="the statement changes its mind", cat="12"),
    false("rt-empty-worlds", gt((exp(z) - 2) ** 2, 0), Z, checks=(Worlds(says="nothing to move", worlds=lambda g: {}, statement=always, broken={"no": never}),), at={"z": "log(2)"}, why="worlds without anything in them", cat="12"),
    false("rt-one-point", ge((z - R(5, 17)) ** 2, R(1, 10**12)), Z, checks=(Smt(milliseconds=1), Points(count=1), Search()), at={"z": "5/17"}, why="few points and no time", cat="12"),
    false("rt-units", gt((x**2 - 2 * z**2) ** 2, 0), X, Z, given=gt(z, 0), checks=(Units({x: 1, z: 1}), Scaling("a unit", {x: UNIT * x, z: UNIT * z}, {"one only": {x: UNIT * x}})), at={"x": "sqrt(2)", "z": 1}, why="homogeneous and false", cat="12"),
    false("rt-depends-on", gt((exp(z) - 2) ** 2, 0), Z,  derivation=(Step("squares", "own:rt-premise-square"),), at={"z": "log(2)"}, why="leans on a true claim that does not imply it", cat="12"),
    false("rt-mutant-true-elsewhere", gt((exp(z) - 2) ** 2, 0), Z, mutants=(Mutant("a missing hypothesis", hypotheses=(Hypothesis("none", ge(1, 0)),)), *nonsense(z)), at={"z": "log(2)"}, why="controls that say nothing", cat="12"),
    true("rt-wrong-worlds-square", ge(x**2, 0), X, checks=(Smt(), Worlds(says="squares are at most 0", worlds=some_world, statement=below_square, broken={"no": never})), why="a square; the worlds have a wrong sign", cat="12"),
    true("rt-wrong-worlds-log", le(log(p), p - 1), P, checks=(Worlds(says="a is at most a - 1", worlds=some_world, statement=below_log, broken={"no": never}),), why="concavity; the worlds have a wrong sign", cat="12"),
    true("rt-wrong-worlds-never", ge((1 + a) ** 7, 1 + 7 * a), A, checks=(Smt(), Worlds(says="never", worlds=some_world, statement=never, broken={"no": never})), why="Bernoulli; the worlds fail always", cat="12"),
    true("rt-wrong-quadrature", ge(x**2 + 1, 2 * x), X, checks=(Smt(), Quadrature(log_integrand=-(u**2), variable=u, closed_form=pi)), why="(x-1)^2; the integral is wrong", cat="12"),
    true("rt-wrong-simulation", ge(x**2 + 4, 4 * x), X, checks=(Smt(), Simulation(experiment=guess, expected=Integer(7))), why="(x-2)^2; the simulation misses", cat="12"),
    ill("rt-ill-worlds", ge(sqrt(z), 0), Z, checks=(idle_worlds,), mutants=nonsense(z), at={"z": -1}, why="the root of -1", cat="12"),
]
