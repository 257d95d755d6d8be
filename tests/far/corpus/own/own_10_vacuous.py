"""(11) hypotheses that no point satisfies and that arithmetic alone does not see: ill-posed whatever the conclusion.

A mended engine may refuse these while it judges them; keep that in mind when the file is run with others.
"""

from .known import *

X, x = var("x")
Y, y = var("y")
P, p = var("p", "(0,inf)")
N, n = whole("n")
J, j = whole("j", "R")

CLAIMS = [
    ill("void-exp-negative", ge(x, 5), X, given=le(exp(x), 0), why="exp is positive", cat="11"),
    ill("void-log-order", ge(p, 7), P, given=(gt(log(p), 1), lt(p, 2)), why="log p > 1 needs p > e", cat="11"),
    ill("void-sine", le(x, 3), X, given=ge(sin(x), 2), why="the sine is at most 1", cat="11"),
    ill("void-cosh", le(x, 3), X, given=lt(cosh(x), 1), why="cosh is at least 1", cat="11"),
    ill("void-tanh", eq(x, 3), X, given=gt(tanh(x), 1), why="tanh is below 1", cat="11"),
    ill("void-parity", ge(j, 100), J, given=eq(2 * j, 1), why="no integer is 1/2", cat="11"),
    ill("void-integer-root", ge(n, 100), N, given=eq(n**2, 2), why="no integer squares to 2", cat="11"),
    ill("void-exp-log", ge(x, 100), X, Y, given=(eq(y, exp(x)), lt(y, 1 + x)), why="exp x >= 1 + x", cat="11"),
    ill("void-erf", le(x, -9), X, given=ge(erf(x), R(11, 10)), why="erf is below 1", cat="11"),
    ill("void-mod-4", eq(j, n), J, N, given=eq(j**2, 4 * n + 3), why="squares are 0 or 1 mod 4", cat="11"),
    ill("void-two-exponentials", ge(x, 100), X, given=(eq(exp(x), 2), eq(exp(2 * x), 5)), why="exp(2x) is the square of exp x", cat="11"),
]
