"""Categories 8 to 11: ill-posed, misprinted, false everywhere, vacuous."""

from sympy import Abs, cos, erf, exp, log, sin, sqrt, tanh

from rgm_verify.claims import eq, ge, gt, le, lt, ne

from .known import *

_P, _Q = on(pp, 0, 1, "lo hi"), on(qp, 0, 1, "lo hi")
_kl = pp * log(pp / qp) + (1 - pp) * log((1 - pp) / (1 - qp))
_back = qp * log(qp / pp) + (1 - qp) * log((1 - qp) / (1 - pp))

CLAIMS = [
    ill("c08-log-of-real", le(log(x), x - 1), x, at={"x": -1}),
    ill("c08-root-of-real", le(sqrt(x), x**2 + 1), x, at={"x": -1}),
    ill("c08-reciprocal", ne(1 / x, 0), x, at={"x": 0}),
    ill("c08-exp-log", le(exp(log(y)), y + 1), y, at={"y": -1}, why="SymPy writes y for exp(log(y))"),
    ill("c08-x-over-x", le(x / x, 1 + y**2), x, y, at={"x": 0, "y": 0}, why="SymPy writes 1 for x/x"),
    ill("c08-cancelled", eq((x**2 - 1) / (x - 1), x + 1), x, at={"x": 1}),
    ill("c08-log-at-one", le(log(1 - pn), -pn), on(pn, 0, 1), at={"p": 1}),
    ill("c08-kl-closed", ge(pn * log(pn / qn), pn - qn), pn, qn, at={"p": 0, "q": 0}, why="0 log(0/0)"),
    ill("c08-difference-below", gt((x - y) ** -2, 0), x, y, at={"x": 0, "y": 0}),
    ill("c08-root-squared", eq(sqrt(x - 1) ** 2, x - 1), x, at={"x": 0}, why="SymPy writes x - 1 for the square of the root"),
    ill("c08-log-minus-log", ge(x**2 + log(x) - log(x), 0), x, at={"x": -1}, why="SymPy drops the logarithms"),
    ill("c08-log-odds-end", ge(log((1 + xn) / (1 - xn)), 2 * xn), on(xn, 0, 1), at={"x": 1}),
    ill("c08-zero-times-log", le(0 * log(x), x**2), x, at={"x": 0}, why="SymPy writes 0 for 0 * log(x)"),
    ill("c08-cube-root", le(x ** Q(1, 3), 1 + Abs(x)), x, at={"x": -1}, why="a power with a fractional exponent of a negative base is not real"),
    ill("c08-log-square", le(log(x**2), x**2), x, at={"x": 0}),
    # --- misprints
    false("c09-am-gm-signs", ge(x + y, 2 * sqrt(Abs(x * y))), x, y, at={"x": -1, "y": -1}),
    false("c09-cube-above", ge(xn**3, xn), xn, at={"x": Q(1, 2)}),
    false("c09-bernoulli", ge((1 + x) ** n, 1 + n * x), on(x, -3), n, at={"x": -3, "n": 5}, why="Bernoulli needs x >= -2 at least"),
    false("c09-jensen", le(sqrt((xn + yn) / 2), (sqrt(xn) + sqrt(yn)) / 2), xn, yn, at={"x": 0, "y": 1}),
    false("c09-kl-swapped", le(_kl, _back), _P, _Q, at={"p": Q(1, 2), "q": Q(1, 10)}),
    false("c09-pinsker-factor", ge(_kl, 4 * (pp - qp) ** 2), _P, _Q, at={"p": Q(1, 2), "q": Q(1, 4)}),
    false("c09-log-second-order", le(log(1 + xn), xn - xn**2 / 2), xn, at={"x": 1}),
    false("c09-exp-quadratic", le(exp(xn), 1 + xn + xn**2), xn, at={"x": 3}, why="true up to 1.79 only"),
    false("c09-cosh-quarter", le((exp(x) + exp(-x)) / 2, exp(x**2 / 4)), x, at={"x": 1}),
    false("c09-triangle", le(Abs(x - y), Abs(x) - Abs(y)), x, y, at={"x": 0, "y": 1}),
    false("c09-square-of-sum", le((xn + yn) ** 2, xn**2 + yn**2), xn, yn, at={"x": 1, "y": 1}),
    false("c09-norm-below", ge(xn, mn / (1 + en)), xn, mn, dn, en, given=(le(xn, mn + dn), le(dn, en * mn)), at={"x": 0, "m": 1, "d": 0, "eta": 0}, why="the other triangle inequality is missing"),
    false("c09-cdp-factor", le(pn + 2 * sqrt(pn * tn), pn + sqrt(2 * pn * tn)), pn, tn, at={"p": 1, "t": 1}),
    false("c09-composition", ge((1 - pn) * (1 - qn), 1 - pn * qn), on(pn, 0, 1), on(qn, 0, 1), at={"p": Q(1, 2), "q": Q(1, 2)}),
    false("c09-loss-direction", ge(1 - exp(-xn), xn), xn, at={"x": 1}),
    false("c09-tanh-sign", ge(tanh(xn), xn + xn**3 / 3), xn, at={"x": 1}),
    false("c09-root-of-squares", ge(sqrt(xn**2 + yn**2), xn + yn), xn, yn, at={"x": 1, "y": 1}),
    false("c09-squares-ordered", le(x**2, y**2), x, y, given=(le(x, y),), at={"x": -2, "y": 1}),
    false("c09-sine-negative", le(sin(x), x), x, at={"x": -1}),
    false("c09-dropped-half", ge(exp(xn), 1 + xn + xn**2), xn, at={"x": 1}),
    # --- false everywhere
    false("c10-negative-square", le(x**2, -1), x, at={"x": 0}),
    false("c10-exp-below", le(exp(x), x), x, at={"x": 0}),
    false("c10-quadratic", lt(x**2 - 2 * x + 2, 1), x, at={"x": 0}),
    false("c10-cosine", gt(cos(x), 1), x, at={"x": 0}),
    false("c10-log-above", ge(log(xp), xp), xp, at={"x": 1}),
    false("c10-given-exp", le(y, x), x, y, given=(eq(y, exp(x)),), at={"x": 0, "y": 1}),
    false("c10-exists-exp", le(exp(x), 0), x, quantifier="exists", why="exp > 0"),
    false("c10-erf", ge(erf(x), 2), x, at={"x": 0}),
    false("c10-root", le(sqrt(xn) + 1, 0), xn, at={"x": 0}),
    false("c10-shift", eq(x + y + 1, x + y), x, y, at={"x": 0, "y": 0}),
    false("c10-exists-tanh", gt(tanh(x), 1), x, quantifier="exists", why="tanh < 1; the supremum is 1"),
]
