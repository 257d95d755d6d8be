"""Category 1: true claims that are tight, at rational and irrational points, along curves, at infinity, at open ends."""

from sympy import Abs, E, Max, cos, erf, erfc, exp, expand, log, pi, sin, sqrt, tanh

from rgm_verify.claims import Iff, Implies, both, chain, either, eq, ge, gt, le, lt

from .known import *

_kl = pp * log(pp / qp) + (1 - pp) * log((1 - pp) / (1 - qp))
_P, _Q = on(pp, 0, 1, "lo hi"), on(qp, 0, 1, "lo hi")

CLAIMS = [
    true("c01-am-gm", ge(xp + yp, 2 * sqrt(xp * yp)), xp, yp, why="(sqrt x - sqrt y)^2 >= 0"),
    true("c01-exp-tangent", ge(exp(x), 1 + x), x, why="exp is convex, tangent at 0"),
    true("c01-log-tangent", le(log(xp), xp - 1), xp, why="log is concave, tangent at 1"),
    true("c01-log-below", ge(log(xp), 1 - 1 / xp), xp, why="log(1/x) <= 1/x - 1"),
    true("c01-cubic-third", ge(expand((3 * x - 1) ** 2 * (x + 2)), 0), on(x, -2), why="a square times x + 2"),
    true("c01-quartic-sqrt2", ge(x**4 + 4, 4 * x**2), x, why="(x^2 - 2)^2 >= 0, zero at +-sqrt 2"),
    true("c01-cos-at-pi", ge(1 + cos(x), 0), x, why="cos >= -1, equality at pi"),
    true("c01-sine-below-x", le(sin(xn), xn), xn, why="the derivative of x - sin x is 1 - cos x >= 0"),
    true("c01-cosine-parabola", ge(cos(x), 1 - x**2 / 2), x, why="1 - cos x = 2 sin(x/2)^2 <= x^2/2"),
    true("c01-tanh-below-x", le(tanh(xn), xn), xn, why="tanh' = 1 - tanh^2 <= 1"),
    true("c01-erf-slope", le(erf(xn), 2 * xn / sqrt(pi)), xn, why="erf is concave on x >= 0 with this slope at 0"),
    true("c01-erf-chord", ge(erf(xn), xn * erf(1)), on(xn, 0, 1), why="erf concave on [0, 1]: above its chord; equality at 0, 1"),
    true("c01-erfc-gauss", le(erfc(xn), exp(-(xn**2))), xn, why="erfc(x) exp(x^2) decreases from 1"),
    true("c01-mills", lt(erfc(xp), exp(-(xp**2)) / (xp * sqrt(pi))), xp, why="Mills' ratio; the ratio tends to 1 at infinity"),
    true("c01-x-log-x", ge(xp * log(xp), -exp(-1)), xp, why="minimum at 1/e"),
    true("c01-log-over-e", le(E * log(xp), xp), xp, why="tangent of log at e"),
    true("c01-pinsker", ge(_kl, 2 * (pp - qp) ** 2), _P, _Q, why="Pinsker's inequality for two points; equality where p = q"),
    true("c01-kl-term", ge(xp * log(xp / yp), xp - yp), xp, yp, why="log(y/x) <= y/x - 1; equality along x = y"),
    true("c01-bernoulli", ge((1 + x) ** n, 1 + n * x), on(x, -1), n, why="Bernoulli, by induction; equality at x = 0 and n = 1"),
    true("c01-max-by-abs", eq(Max(x, y), (x + y + Abs(x - y)) / 2), x, y, why="cases x >= y, x < y"),
    true("c01-cauchy", le((a * c + b * d) ** 2, (a**2 + b**2) * (c**2 + d**2)), a, b, c, d, why="Lagrange: difference (ad - bc)^2"),
    true("c01-odds", lt(xn / (1 + xn), 1), xn, why="x < 1 + x; sup 1 at infinity"),
    true("c01-hyperbola", gt(sqrt(x**2 + 1), x), x, why="x^2 + 1 > x^2; the gap vanishes at infinity"),
    true("c01-log1p-reciprocal", lt(log(1 + 1 / xp), 1 / xp), xp, why="log(1 + u) < u for u > 0; gap vanishes at infinity"),
    true("c01-tanh-one", lt(tanh(x), 1), x, why="|tanh| < 1"),
    true("c01-euler-power", lt(n * log(1 + 1 / n), 1), n, why="log(1 + u) < u at u = 1/n"),
    true("c01-x-log-x-open", lt(xp * log(xp), 0), on(xp, 0, 1, "lo hi"), why="log x < 0 on (0, 1); tends to 0 at both open ends"),
    true("c01-square-open", lt(xp**2, xp), on(xp, 0, 1, "lo hi"), why="x < 1 times x > 0"),
    true("c01-fourth-powers", ge(x**4 + y**4, 2 * x**2 * y**2), x, y, why="(x^2 - y^2)^2; equality along x = +-y"),
    true("c01-exp-second-order", ge(exp(xn) - 1, xn + xn**2 / 2), xn, why="the series has positive terms"),
    true("c01-cosh-subgaussian", le((exp(x) + exp(-x)) / 2, exp(x**2 / 2)), x, why="(2k)! >= 2^k k!, term by term"),
    true("c01-schur", ge(xn * (xn - yn) * (xn - zn) + yn * (yn - xn) * (yn - zn) + zn * (zn - xn) * (zn - yn), 0), xn, yn, zn, why="Schur of degree 1"),
    true("c01-three-cubes", ge(xn**3 + yn**3 + zn**3, 3 * xn * yn * zn), xn, yn, zn, why="AM-GM"),
    true("c01-nesbitt", ge(xp / (yp + zp) + yp / (xp + zp) + zp / (xp + yp), Q(3, 2)), xp, yp, zp, why="Nesbitt"),
    true("c01-motzkin", ge(x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2), x, y, why="AM-GM of three terms; not a sum of squares"),
    true("c01-reciprocal-sqrt2", ge(xp + 2 / xp, 2 * sqrt(2)), xp, why="(x - sqrt 2)^2 >= 0"),
    true("c01-parts", eq(Max(x, 0) - Max(-x, 0), x), x, why="cases by the sign of x"),
    true("c01-sqrt3-above", lt(yp, Q(97, 56)), yp, given=(eq(yp**2, 3),), pick={"y": "sqrt(3)"}, why="97^2 = 9409 > 9408 = 3 * 56^2"),
    true("c01-exists-cube-root", eq(x**3, 2), x, quantifier="exists", at={"x": "2**(1/3)"}, why="the real cube root of 2"),
    true("c01-exists-sqrt2", both(le(x**2, 2), ge(x**2, 2)), x, quantifier="exists", at={"x": "sqrt(2)"}, why="only at +-sqrt 2"),
    true("c01-exists-cosine", le(cos(xn), xn), on(xn, 0, 1), quantifier="exists", at={"x": 1}, why="cos 1 < 1"),
    true("c01-iff-unit", Iff(le(x**2, 1), le(Abs(x), 1)), x, why="|x|^2 = x^2, squaring is monotone on x >= 0"),
    true("c01-implies-cube", Implies(ge(x, 1), ge(x**3, x)), x, why="x (x^2 - 1) >= 0 for x >= 1; equality at 1"),
    true("c01-either-square", either(le(x, 1), gt(x**2, 1)), x, why="x > 1 gives x^2 > 1"),
    true("c01-roots-mean", le(sqrt(xn) + sqrt(yn), sqrt(2 * (xn + yn))), xn, yn, why="squares: 2 sqrt(xy) <= x + y"),
    true("c01-young", le(xn * yn, xn**3 / 3 + 2 * yn ** Q(3, 2) / 3), xn, yn, why="Young with exponents 3 and 3/2; equality where x^2 = y"),
    true("c01-renyi-kl", ge(log(pp**2 / qp + (1 - pp) ** 2 / (1 - qp)), _kl), _P, _Q, why="Renyi divergences grow with the order (Jensen)"),
    true("c01-hellinger-chain", chain(0, "<=", (sqrt(pn) - sqrt(qn)) ** 2, "<=", Abs(pn - qn)), pn, qn, why="|p - q| = |sqrt p - sqrt q| (sqrt p + sqrt q)"),
    true("c01-log-cosh", le(log((exp(x) + exp(-x)) / 2), x**2 / 2), x, why="the logarithm of cosh x <= exp(x^2/2)"),
    true("c01-randomised-response", le((exp(tn) - 1) / (exp(tn) + 1), tn / 2), tn, why="tanh(t/2) <= t/2"),
    true("c01-integer-product", ge(ki * (ki - 1), 0), ki, why="no integer lies strictly between 0 and 1; false for reals"),
    true("c01-sum-of-two-powers", ge(2**n, n + 1), n, why="induction; equality at n = 1"),
]
