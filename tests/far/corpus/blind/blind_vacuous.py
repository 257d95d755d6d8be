"""Category 11: hypotheses that no point satisfies, or one only."""

from sympy import cos, exp, log, sin, tanh

from rgm_verify.claims import eq, ge, gt, le, lt

from .known import *

CLAIMS = [
    ill("c11-exp-nonpositive", ge(x, 5), x, given=(le(exp(x), 0),), why="no x"),
    ill("c11-sine-two", le(x**2, 1), x, given=(ge(sin(x), 2),), why="no x"),
    ill("c11-log-above", ge(xp, 7), xp, given=(gt(log(xp), xp),), why="no x: log x <= x - 1"),
    ill("c11-tanh-one", eq(x, 3), x, given=(ge(tanh(x), 1),), why="no x: tanh < 1"),
    ill("c11-exp-tangent", lt(x, y), x, y, given=(lt(exp(x), 1 + x),), why="no x"),
    true("c11-one-point", eq(x, 0), x, given=(le(exp(x), 1 + x),), pick={"x": "0"}, why="exp(x) > 1 + x for x != 0"),
    false("c11-one-point-strict", gt(x**2, 0), x, given=(le(exp(x), 1 + x),), at={"x": 0}, why="0 is the only admissible point"),
    false("c11-cosine-one", le(xp, 6), on(xp, 1, 10), given=(ge(cos(xp), 1),), at={"x": "2*pi"}, why="2 pi is the only admissible point"),
    false("c11-square-zero", lt(x**2, 2), x, given=(le((x**2 - 2) ** 2, 0),), at={"x": "sqrt(2)"}, why="+-sqrt 2 are the only admissible points"),
]
