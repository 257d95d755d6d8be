"""Categories 3, 4 and 7: failures at infinity, at an end of the domain, and in a spike next to a pole."""

from sympy import Abs, Max, cos, erf, erfc, exp, log, pi, sin, sqrt, tanh

from rgm_verify.claims import ge, gt, le, lt, ne

from .known import *

CLAIMS = [
    false("c03-hyperbola", ge(sqrt(xn**2 + 1), xn + tiny(9)), xn, at={"x": 10**9}, why="the gap is about 1/(2x)"),
    false("c03-odds", le(xn / (1 + xn), 1 - tiny(12)), xn, at={"x": 10**13}),
    false("c03-log-forty", le(log(xp), 40), on(xp, 1), at={"x": 10**18}, why="e^40 is 2.4e17"),
    false("c03-linear-quadratic", ge(10**12 * xn + 1, xn**2), xn, at={"x": 2 * 10**12}),
    false("c03-cubic", le(xn**3, 10**20 * xn**2), xn, at={"x": 10**21}),
    false("c03-tanh", le(tanh(x), 1 - tiny(15)), x, at={"x": 20}),
    false("c03-log-log", le(log(log(xp)), 4), on(xp, 3), at={"x": 10**24}, why="exp(exp(4)) is 5.1e23"),
    false("c03-root-log", le(sqrt(xn), 1000 * log(xn + 2)), xn, at={"x": 10**9}),
    false("c03-tenth-root-log", le(xn ** Q(1, 10), 10 * log(xn + 2)), xn, at={"x": 10**30}, why="fails from about 1e28 on"),
    false("c03-product-sum", le(xn * yn, 10**9 * (xn + yn)), xn, yn, at={"x": 10**10, "y": 10**10}),
    false("c03-reciprocal", ge(1 / xp, tiny(20)), xp, at={"x": 10**21}),
    false("c03-mills", le(xp * sqrt(pi) * erfc(xp) * exp(xp**2), 1 - tiny(6)), xp, at={"x": 1000}, why="1 - 1/(2x^2) + ..."),
    false("c03-log1p", le(xp * log(1 + 1 / xp), 1 - tiny(9)), xp, at={"x": 10**9}),
    false("c03-root-difference", ge(sqrt(xn + 1) - sqrt(xn), tiny(12)), xn, at={"x": 10**24}),
    false("c03-max", le(Max(xn, 10**15 - xn), 10**15), xn, at={"x": 2 * 10**15}),
    false("c03-exp-left", ge(exp(x), tiny(300)), x, at={"x": -1000}),
    false("c03-strict-supremum", ge(xn / (1 + xn), 1), xn, quantifier="exists", why="x < 1 + x: the supremum 1 is not attained"),
    false("c03-asymptote", le(sqrt(x**2 + 1), x), x, quantifier="exists", why="x^2 + 1 > x^2: only in the limit"),
    false("c03-exists-log", ge(log(1 + 1 / xp), 1 / xp), xp, quantifier="exists", why="log(1 + u) < u for u > 0"),
    true("c03-exists-far", ge(log(xp), 100), xp, quantifier="exists", at={"x": 10**44}, why="log(1e44) = 101.3"),
    # --- ends of the domain
    false("c04-variance-positive", gt(xn * (1 - xn), 0), on(xn, 0, 1), at={"x": 0}),
    false("c04-square-below-one", lt(x**2, 1), on(x, -1, 1), at={"x": 1}),
    false("c04-half-circle", gt(sqrt(1 - x**2), 0), on(x, -1, 1), at={"x": -1}),
    false("c04-erf-positive", gt(erf(xn), 0), xn, at={"x": 0}),
    false("c04-exp-strict", gt(exp(xn), 1 + xn), xn, at={"x": 0}),
    false("c04-log-strict", lt(log(xp), xp - 1), on(xp, 1), at={"x": 1}),
    false("c04-odds-bounded", le(pn / (1 - pn), 10**9), on(pn, 0, 1, "hi"), at={"p": 1 - tiny(10)}),
    false("c04-loss-bounded", le(-log(pp), 100), on(pp, 0, 1, "lo"), at={"p": tiny(44)}),
    false("c04-log-open-end", ge(log(1 - xn), -1000 * xn), on(xn, 0, 1, "hi"), at={"x": 1 - tiny(440)}, why="fails only where 1 - x < exp(-1000), about"),
    false("c04-product-edge", gt(xn * yn, 0), on(xn, 0, 1), on(yn, 0, 1), at={"x": 0, "y": Q(1, 2)}),
    false("c04-simplex", lt(xn + yn, 1), xn, yn, given=(le(xn + yn, 1),), at={"x": Q(1, 2), "y": Q(1, 2)}),
    false("c04-disc", lt(x + y, sqrt(2)), x, y, given=(le(x**2 + y**2, 1),), at={"x": "sqrt(2)/2", "y": "sqrt(2)/2"}, why="at one point, with irrational coordinates"),
    false("c04-sqrt2-end", le(x, Q(1414213562, 10**9)), x, given=(le(x**2, 2),), at={"x": "sqrt(2)"}, why="false by 3.7e-10 next to the end"),
    false("c04-root-near-zero", le(sqrt(xp), 10**6 * xp), xp, at={"x": tiny(14)}, why="fails for x < 1e-12"),
    false("c04-x-log-x-ends", le(xp * log(xp), -tiny(9)), on(xp, 0, 1, "lo hi"), at={"x": 1 - tiny(10)}),
    false("c04-max-ends", lt(Max(xn, 1 - xn), 1), on(xn, 0, 1), at={"x": 0}),
    # --- spikes
    false("c07-inverse-square", le((x - Q(1, 3)) ** -2, 10**18), x, given=(ne(x, Q(1, 3)),), at={"x": Q(1, 3) + tiny(10)}),
    false("c07-one-sided", ge(xp**2 + 1, tiny(12) / (xp - Q(1, 7))), on(xp, Q(1, 7), 1, "lo"), at={"x": Q(1, 7) + tiny(13)}),
    false("c07-pole-sqrt2", le((x**2 - 2) ** -2, 10**12), x, given=(ne(x**2, 2),), at={"x": Q(1414213562373, 10**12)}, why="only next to +-sqrt 2"),
    false("c07-tangent", le(sin(xn) / cos(xn), 10**6), on(xn, 0, Q(1570796326, 10**9)), at={"x": Q(1570796326, 10**9)}, why="the domain ends just before pi/2"),
    false("c07-log-pole", ge(log(Abs(x - Q(1, 3))), -50), x, given=(ne(x, Q(1, 3)),), at={"x": Q(1, 3) + tiny(22)}),
    false("c07-corner-pole", le(1 / (1 - xn * yn), 10**9), on(xn, 0, 1, "hi"), on(yn, 0, 1, "hi"), at={"x": 1 - tiny(10), "y": 1 - tiny(10)}),
    false("c07-thin-square", ge(1 + xn, tiny(15) / (xn - Q(2, 7)) ** 2), on(xn, 0, 1), given=(ne(xn, Q(2, 7)),), at={"x": Q(2, 7) + tiny(8)}),
    false("c07-lorentz", le(tiny(20) / ((x - Q(5, 11)) ** 2 + tiny(20)), Q(1, 2)), on(x, -3, 3), at={"x": Q(5, 11)}, why="a peak of width 1e-10"),
    false("c07-gauss-spike", le(exp(-(10**16) * (x - Q(3, 13)) ** 2), Q(9, 10)), on(x, -10, 10), at={"x": Q(3, 13)}, why="a peak of width 1e-8"),
    true("c07-pole-upwards", ge(1 / (xp - Q(1, 7)), Q(7, 6)), on(xp, Q(1, 7), 1, "lo"), why="decreasing on (1/7, 1], 7/6 at 1"),
]
