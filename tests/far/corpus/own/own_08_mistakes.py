"""(9) what tired authors write: wrong constants, signs, exponents, swapped arguments, missing factors and hypotheses."""

from .known import *

X, x = var("x")
Y, y = var("y")
EPS, eps = var("eps", "[0,inf)")
EPP, epp = var("eps", "(0,inf)")
AL, al = var("alpha", "(1,inf)")
DE, de = var("delta", "(0,1)")
S_, s = var("sigma", "(0,inf)")
D, d = var("d", "[0,inf)")
RHO, rho = var("rho", "(0,inf)")
P, p = var("p", "(0,1)")
Q, q = var("q", "(0,1)")
K, k = whole("k")
L, l = var("L", "(0,inf)")
MU, mu = var("mu", "(0,inf)")
Z, z = var("z", "(0,inf)")
B, b = var("b", "(0,inf)")
ETA, eta = var("eta", "(0,inf)")
A, a = var("a", "[0,inf)")
C, c = var("c", "[0,inf)")
G, g = var("gamma", "[0,1]")


def kl(p, q):
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


Phi_bar = erfc(z / sqrt(2)) / 2
phi = exp(-(z**2) / 2) / sqrt(2 * pi)

CLAIMS = [
    false("slip-pinsker-constant", ge(kl(p, q), R(21, 10) * (p - q) ** 2), P, Q, at={"p": "1/2", "q": "51/100"}, why="the constant is 2", cat="9"),
    false("slip-hoeffding-constant", le(log(1 - p + p * exp(x)) - p * x, x**2 / 9), P, X, at={"p": "1/2", "x": "1/10"}, why="the constant is 1/8", cat="9"),
    false("slip-zcdp-no-half", le((exp(eps) - 1) / (exp(eps) + 1) * eps, eps**2 / 3), EPS, at={"eps": "1/10"}, why="eps^2/2", cat="9"),
    false("slip-zcdp-conversion-factor", le(sqrt(rho * log(1 / de)), (al - 1) * rho / 2 + log(1 / de) / (4 * (al - 1))), RHO, DE, AL,
          at={"rho": 1, "delta": "exp(-1)", "alpha": "1+sqrt(1/2)"}, why="the minimum is sqrt(rho L / 2)", cat="9"),
    false("slip-renyi-missing-order", ge(d**2 / (2 * s**2), al * d**2 / (2 * s**2)), D, S_, AL, at={"d": 1, "sigma": 1, "alpha": 2}, why="the order is missing", cat="9"),
    false("slip-renyi-swapped-scales", eq(al * d**2 / (2 * s**2), al * s**2 / (2 * d**2)), S_, AL, D, given=gt(d, 0),
          at={"d": 1, "sigma": 2, "alpha": 2}, why="d and sigma are swapped", cat="9"),
    false("slip-rdp-sign", le(log(al / (al - 1)) - (log(de) + log(al)) / (al - 1), -log(de) / (al - 1)), AL, DE, at={"alpha": "101/100", "delta": "1/2"},
          why="log(alpha/(alpha-1)) has the wrong sign", cat="9"),
    false("slip-laplace-kl", le(1 / b - 1 + exp(-1 / b), 1 / (3 * b**2)), B, at={"b": 100}, why="1/(2b^2)", cat="9"),
    false("slip-mills-power", le(Phi_bar, phi / z**2), Z, at={"z": 2}, why="phi(z)/z", cat="9"),
    false("slip-mills-lower", ge(Phi_bar, phi / z * (1 - 1 / (2 * z**2))), Z, at={"z": 3}, why="1 - 1/z^2", cat="9"),
    false("slip-chernoff-factor", le(Phi_bar, exp(-(z**2) / 2) / 3), Z, at={"z": "1/10"}, why="1/2 at 0", cat="9"),
    false("slip-subsample-linear", le(log(1 + g * (exp(eps) - 1)), g * eps), G, EPS, at={"gamma": "1/2", "eps": 1}, why="g (e^eps - 1), not g eps: concavity goes the other way", cat="9"),
    false("slip-composition-exponent", ge((1 + eps) ** 2, exp(2 * eps)), EPS, at={"eps": 1}, why="the inequality goes the other way", cat="9"),
    false("slip-group-linear", le(exp(k * eps) - 1, k * (exp(eps) - 1)), K, EPS, at={"k": 2, "eps": 1}, why="group privacy is exponential in k", cat="9"),
    false("slip-delta-product", le((1 - p) * (1 - q), 1 - p - q), P, Q, at={"p": "1/2", "q": "1/2"}, why="pq is dropped to the wrong side", cat="9"),
    false("slip-kl-symmetric", eq(kl(p, q), kl(q, p)), P, Q, at={"p": "1/4", "q": "1/2"}, why="the arguments are swapped", cat="9"),
    false("slip-kl-chi-square", le(kl(p, q), (p - q) ** 2 / (p * (1 - p))), P, Q, at={"p": "1/2", "q": "1/1000000"}, why="the variance is that of q", cat="9"),
    false("slip-gd-missing-hypothesis", le(eta**2 * l / 2 - eta, -eta / 2), ETA, L, at={"eta": 1, "L": 2}, why="needs eta L <= 1", cat="9"),
    false("slip-gd-contraction", le(1 - 2 * eta * mu * l / (mu + l), 1 - eta * l), ETA, MU, L, given=le(mu, l), at={"eta": "1/10", "mu": 1, "L": 2}, why="mu, not L", cat="9"),
    false("slip-gd-rate-square", eq((1 - 2 * mu / (mu + l)) ** 2, (l - mu) / (l + mu)), MU, L, at={"mu": 1, "L": 3}, why="1/4 against 1/2", cat="9"),
    false("slip-gd-step", le(Abs(1 - eta * l), 1 - eta * mu), ETA, MU, L, given=le(mu, l), at={"eta": 2, "mu": 1, "L": 1}, why="needs eta <= 2/(mu + L)", cat="9"),
    false("slip-gd-step-narrow", le(Abs(1 - eta * l), 1 - eta * mu), ETA, MU, L, given=(le(mu, l), le(eta * (mu + l), 2 + R(1, 10**9))),
          at={"eta": "1+1/(2*10**9)", "mu": 1, "L": 1}, why="the step is 5e-10 too long", cat="9"),
    false("slip-young-factor", le(a * z, a**2 / 2 + z**2 / 4), A, Z, at={"a": 1, "z": 1}, why="1/2", cat="9"),
    false("slip-am-gm-3", ge(a**3 + c**3 + 1, 4 * a * c), A, C, at={"a": 1, "c": 1}, why="3", cat="9"),
    false("slip-jensen-direction", ge(exp((x + y) / 2), (exp(x) + exp(y)) / 2), X, Y, at={"x": 0, "y": 1}, why="exp is convex", cat="9"),
    false("slip-calibration-constant", ge(sqrt(2 * log(5 / (4 * de))), sqrt(2 * log(2 / de)) - R(1, 100)), DE, at={"delta": "1/2"}, why="1.25 and not 2", cat="9"),
    false("slip-log-sum-exp", le(log(exp(x) + exp(y)), Max(x, y) + R(69, 100)), X, Y, at={"x": 0, "y": 0}, why="log 2 = 0.6931", cat="9"),
    false("slip-log-sum-exp-9", le(log(exp(x) + exp(y)), Max(x, y) + R(693147180, 10**9)), X, Y, at={"x": 0, "y": 0}, why="log 2 = 0.69314718056", cat="9"),
    false("slip-classical-gaussian", le(erfc((epp * s - 1 / (2 * s)) / sqrt(2)) / 2 - exp(epp) * erfc((epp * s + 1 / (2 * s)) / sqrt(2)) / 2, de), EPP, S_, DE,
          given=eq(s * epp, sqrt(2 * log(5 / (4 * de)))), at={"eps": 10, "sigma": "sqrt(2*log(5/(4*Rational(1,4))))/10", "delta": "1/4"},
          why="the classical calibration needs eps < 1", cat="9"),
    false("slip-exp-quadratic", le(exp(x), 1 + x + x**2), X, at={"x": 2}, why="needs x <= 1.79", cat="9"),
]
