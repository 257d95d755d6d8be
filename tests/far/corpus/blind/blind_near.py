"""Category 2: false by 1e-3 to 1e-15 next to a point where the true inequality touches."""

from sympy import E, cos, erf, exp, log, pi, sqrt, tanh

from rgm_verify.claims import eq, ge, gt, le, lt

from .known import *

_kl = pp * log(pp / qp) + (1 - pp) * log((1 - pp) / (1 - qp))
_P, _Q = on(pp, 0, 1, "lo hi"), on(qp, 0, 1, "lo hi")

CLAIMS = [
    false("c02-quartic-sqrt2", ge(x**4 - 4 * x**2 + 4, tiny(9)), x, at={"x": "sqrt(2)"}),
    false("c02-reciprocal-sqrt2", ge(xp + 2 / xp, 2 * sqrt(2) + tiny(12)), xp, at={"x": "sqrt(2)"}),
    false("c02-exp-tangent", ge(exp(x), 1 + x + tiny(15)), x, at={"x": 0}),
    false("c02-log-tangent", le(log(xp), xp - 1 - tiny(12)), xp, at={"x": 1}),
    false("c02-cos-at-pi", ge(1 + cos(x), tiny(9)), x, at={"x": "pi"}),
    false("c02-x-log-x", ge(xp * log(xp), tiny(12) - exp(-1)), xp, at={"x": "exp(-1)"}),
    false("c02-log-over-e", le(E * log(xp) + tiny(9), xp), xp, at={"x": "E"}),
    false("c02-pinsker-constant", ge(_kl, (2 + tiny(6)) * (pp - qp) ** 2), _P, _Q, at={"p": Q(1, 2) + tiny(4), "q": Q(1, 2)}, why="KL at q = 1/2 is 2 h^2 + 4/3 h^4 + ..., so it fails for small h"),
    false("c02-motzkin", ge(x**4 * y**2 + x**2 * y**4 + 1 - tiny(6), 3 * x**2 * y**2), x, y, at={"x": 1, "y": 1}),
    false("c02-third", ge(x**2 - 2 * x / 3 + Q(1, 9), tiny(15)), x, at={"x": Q(1, 3)}),
    false("c02-three-squares", ge(x**2 + y**2 + z**2 - x * y - y * z - z * x, tiny(12)), x, y, z, at={"x": 1, "y": 1, "z": 1}),
    false("c02-roots-mean", le(sqrt(xp) + sqrt(yp), (1 - tiny(9)) * sqrt(2 * (xp + yp))), xp, yp, at={"x": 1, "y": 1}),
    false("c02-cosh-subgaussian", le((exp(x) + exp(-x)) / 2, exp(x**2 * (Q(1, 2) - tiny(6)))), x, at={"x": Q(1, 1000)}, why="fails for 0 < x^2 < 12e-6, about"),
    false("c02-tanh-slope", le(tanh(xn), (1 - tiny(6)) * xn), xn, at={"x": Q(1, 1000)}, why="fails for x^2 < 3e-6 only"),
    false("c02-erf-slope", le(erf(xn), (1 - tiny(9)) * 2 * xn / sqrt(pi)), xn, at={"x": tiny(5)}, why="fails for x^2 < 3e-9 only"),
    false("c02-cosine-parabola", ge(cos(x), 1 - (Q(1, 2) - tiny(9)) * x**2), x, at={"x": tiny(5)}, why="fails for small x"),
    false("c02-two-irrational", ge((x**2 - 2) ** 2 + (y**2 - 3) ** 2, tiny(12)), x, y, at={"x": "sqrt(2)", "y": "sqrt(3)"}),
    false("c02-golden", ge((x**2 - x - 1) ** 2, tiny(15)), x, at={"x": "(1+sqrt(5))/2"}),
    false("c02-hyperbola-curve", ge(x**2 * y**2 + 1 - 2 * x * y, tiny(9)), x, y, at={"x": 1, "y": 1}, why="fails next to the curve xy = 1"),
    false("c02-log-two", ge((exp(x) - 2) ** 2, tiny(12)), x, at={"x": "log(2)"}),
    false("c02-bernoulli-variance", le(xn * (1 - xn), Q(1, 4) - tiny(9)), on(xn, 0, 1), at={"x": Q(1, 2)}),
    false("c02-cubic-maximum", le(xn**2 * (1 - xn), Q(4, 27) - tiny(12)), on(xn, 0, 1), at={"x": Q(2, 3)}),
    false("c02-entropy", le(-pp * log(pp) - (1 - pp) * log(1 - pp), log(2) - tiny(12)), _P, at={"p": Q(1, 2)}),
    false("c02-nesbitt", ge(xp / (yp + zp) + yp / (xp + zp) + zp / (xp + yp), Q(3, 2) + tiny(3)), xp, yp, zp, at={"x": 1, "y": 1, "z": 1}),
    false("c02-two-wells", gt((x - 1) ** 2 * (x - 3) ** 2, tiny(15) * (x - 1) ** 2), x, at={"x": 3}, why="also at x = 1, where both sides vanish"),
    false("c02-sqrt3-below", le(yp, Q(173205080, 10**8)), yp, given=(eq(yp**2, 3),), at={"y": "sqrt(3)"}, why="sqrt 3 = 1.7320508075...; false by 7.6e-9"),
    false("c02-equation-almost", eq(xn, xn * (1 + tiny(15))), xn, at={"x": 1}, why="an identity off by a factor 1 + 1e-15"),
    false("c02-printed-log2", eq(x + log(2), x + Q(693147180559945, 10**15)), x, at={"x": 0}, why="log 2 is irrational"),
    false("c02-unit-circle", lt(x * y, Q(1, 2) - tiny(9)), x, y, given=(le(x**2 + y**2, 1),), at={"x": "sqrt(2)/2", "y": "sqrt(2)/2"}),
]
