"""(1) true and tight: touching at rational or irrational points, along a curve, at infinity, at an open end."""

from .known import *

X, x = var("x")
Y, y = var("y")
P, p = var("p", "(0,inf)")
Q, q = var("q", "(0,inf)")
A, a = var("a", "[0,inf)")
B, b = var("b", "[0,inf)")
C, c = var("c", "[0,inf)")
U, u = var("u", "[0,1]")
G1, g1 = var("g", "[1,inf)")
T, t = var("t", "(0,1)")

CLAIMS = [
    true("tight-square-at-1", ge(x**2 + 1, 2 * x), X, why="(x-1)^2", cat="1"),
    true("tight-square-at-sevenths", ge(49 * x**2 + 9, 42 * x), X, why="(7x-3)^2, touches at 3/7", cat="1"),
    true("tight-square-at-root-2", ge(x**4 + 4, 4 * x**2), X, why="(x^2-2)^2, touches at +-sqrt 2", cat="1"),
    true("tight-cubic-root", ge(x**6 + 9, 6 * x**3), X, why="(x^3-3)^2, touches at 3^(1/3)", cat="1"),
    true("tight-golden", ge((x**2 - x - 1) ** 2 * (x**2 + 1), 0), X, why="a square times x^2+1, touches at the golden ratio", cat="1"),
    true("tight-quintic", ge((x**5 - x - 1) ** 2, 0), X, why="a square; the root is not expressible in radicals", cat="1"),
    true("tight-curve-xy", ge(x**2 * y**2 + 1, 2 * x * y), X, Y, why="(xy-1)^2, touches along a hyperbola", cat="1"),
    true("tight-circle", ge((x**2 + y**2) ** 2 + 1, 2 * x**2 + 2 * y**2), X, Y, why="(x^2+y^2-1)^2, touches along the circle", cat="1"),
    true("tight-am-gm-2", ge((a + b) / 2, sqrt(a * b)), A, B, why="(sqrt a - sqrt b)^2/2, touches along a = b", cat="1"),
    true("tight-am-gm-3", ge(a**3 + b**3 + c**3, 3 * a * b * c), A, B, C, why="(a+b+c) sum of (a-b)^2 / 2, touches along a = b = c", cat="1"),
    true("tight-schur", ge(a * (a - b) * (a - c) + b * (b - a) * (b - c) + c * (c - a) * (c - b), 0), A, B, C,
         why="Schur's inequality of degree 1, touches at a=b=c and at a=b, c=0", cat="1"),
    true("tight-motzkin", ge(x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2), X, Y, why="AM-GM of the three terms; no sum of squares", cat="1"),
    true("tight-nesbitt", ge(p / (q + 1) + q / (1 + p) + 1 / (p + q), R(3, 2)), P, Q, why="Nesbitt with third variable 1, touches at p=q=1", cat="1"),
    true("tight-reciprocal", ge(p + 1 / p, 2), P, why="(p-1)^2/p", cat="1"),
    true("tight-log", le(log(p), p - 1), P, why="concavity of log, touches at 1", cat="1"),
    true("tight-log-at-3", le(log(p), p / 3 - 1 + log(3)), P, why="the tangent of log at 3", cat="1"),
    true("tight-log-irrational", le(log(p), p / sqrt(2) - 1 + log(2) / 2), P, why="the tangent of log at sqrt 2", cat="1"),
    true("tight-exp", ge(exp(x), 1 + x), X, why="the tangent at 0", cat="1"),
    true("tight-exp-at-log2", ge(exp(x), 2 + 2 * (x - log(2))), X, why="the tangent at log 2", cat="1"),
    true("tight-e-x", ge(exp(x), E * x), X, why="the tangent at 1", cat="1"),
    true("tight-x-to-x", ge(p * log(p), -1 / E), P, why="minimum at 1/e: derivative log p + 1", cat="1"),
    true("tight-log-over-x", le(log(p) / p, 1 / E), P, why="maximum at e", cat="1"),
    true("tight-cosh", le(cosh(x), exp(x**2 / 2)), X, why="coefficients 1/(2n)! <= 1/(2^n n!)", cat="1"),
    true("tight-tanh-infinity", lt(tanh(x), 1), X, why="tight at infinity only", cat="1"),
    true("tight-exp-infinity", gt(exp(-x), 0), X, why="an exponential is positive; tight at infinity", cat="1"),
    true("tight-rational-infinity", lt(a / (1 + a), 1), A, why="1/(1+a) > 0; tight at infinity", cat="1"),
    true("tight-sqrt-infinity", gt(sqrt(1 + x**2), x), X, why="1 + x^2 > x^2; tight at +infinity", cat="1"),
    true("tight-open-end", lt(t**2, t), T, why="t(1-t) > 0 on the open interval", cat="1"),
    true("tight-open-end-log", gt(-log(t), 1 - t), T, why="strict off t = 1, which is left out", cat="1"),
    true("tight-bernoulli", ge((1 + a) ** 7, 1 + 7 * a), A, why="Bernoulli, touches at 0", cat="1"),
    true("tight-sin", le(sin(a), a), A, why="touches at 0", cat="1"),
    true("tight-cos-taylor", ge(cos(x), 1 - x**2 / 2), X, why="touches at 0 to order 4", cat="1"),
    true("tight-jordan", ge(sin(pi * u / 2), u), U, why="concave, equal at both ends", cat="1"),
    true("tight-two-ends", ge(u * (1 - u), 0), U, why="zero at both closed ends", cat="1"),
    true("tight-cauchy", le((x + y) ** 2, 2 * x**2 + 2 * y**2), X, Y, why="(x-y)^2, along x = y", cat="1"),
    true("tight-log2-cubic", ge((x**3 - 2) ** 2 * exp(x), 0), X, why="a square times a positive number", cat="1"),
    true("tight-either", either(ge(x, 1), lt(x, 1)), X, why="the order is total", mutants=(Mutant("a gap", conclusion=either(ge(x, 2), lt(x, 1))),), cat="1"),
    true("tight-abs", ge(Abs(x - 1) + Abs(x + 1), 2), X, why="triangle inequality, touches on all of [-1,1]", cat="1"),
]
