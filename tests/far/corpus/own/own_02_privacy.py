"""(1) inequalities of the privacy literature, true; most of them tight somewhere."""

from .known import *

X, x = var("x")
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
OM, om = var("omega", "(1,inf)")
Y, y = var("y")
A, a = var("a", "[0,inf)")
G, g = var("gamma", "[0,1]")


def kl(p, q):
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


Phi_bar = erfc(z / sqrt(2)) / 2
phi = exp(-(z**2) / 2) / sqrt(2 * pi)

CLAIMS = [
    true("rr-ratio", eq(log(exp(eps) / (1 + exp(eps))) - log(1 / (1 + exp(eps))), eps), EPS, why="randomized response has loss +-eps", cat="1"),
    true("rr-pure-to-zcdp", le((exp(eps) - 1) / (exp(eps) + 1) * eps, eps**2 / 2), EPS,
         why="KL of randomized response is eps tanh(eps/2) <= eps^2/2 since tanh u <= u", cat="1"),
    true("rr-total-variation", le((exp(eps) - 1) / (exp(eps) + 1), eps / 2), EPS, why="tanh(eps/2) <= eps/2", cat="1"),
    true("hs-at-most-1-minus", le(1 - exp(-eps), eps), EPS, why="exp(-eps) >= 1 - eps", cat="1"),
    true("pure-dp-kl", le(eps * (exp(eps) - 1), eps * (exp(eps) - 1) + eps**3), EPS, why="eps^3 >= 0", cat="1"),
    true("dwork-kl-half", le(eps * (exp(eps) - 1) / (exp(eps) + 1), eps * (exp(eps) - 1)), EPS, why="divide by exp(eps)+1 >= 2; both vanish at 0", cat="1"),
    true("renyi-gaussian-log-moment", eq(al * (al - 1) * d**2 / (2 * s**2), (al**2 - al) * d**2 / (2 * s**2)), AL, D, S_,
         why="expand", cat="1"),
    true("renyi-gaussian-monotone", le(al * d**2 / (2 * s**2), (al + k) * d**2 / (2 * s**2)), AL, D, S_, K, why="k > 0", cat="1"),
    true("zcdp-to-dp-optimal-order", le(2 * sqrt(rho * log(1 / de)), (al - 1) * rho + log(1 / de) / (al - 1)), RHO, DE, AL,
         why="AM-GM; touches where (alpha-1)^2 rho = log 1/delta, along a transcendental surface", cat="1"),
    true("rdp-to-dp-improved", le((al - 1) * (log((al - 1) / al)) - log(al), 0), AL, why="(a-1) log(1-1/a) <= 0 and log a > 0", cat="1"),
    true("cks-conversion", le(log((al - 1) / al) - (log(de) + log(al)) / (al - 1), -log(de) / (al - 1)), AL, DE,
         why="log((a-1)/a) <= 0 and -log(a)/(a-1) <= 0: the improved conversion is no worse", cat="1"),
    true("laplace-hockey", ge(1 - exp((eps - 1 / b) / 2), 0), EPS, B, given=le(eps, 1 / b), why="the exponent is at most 0", cat="1"),
    true("laplace-kl", le(1 / b - 1 + exp(-1 / b), 1 / (2 * b**2)), B, why="exp(-u) <= 1 - u + u^2/2 for u = 1/b >= 0", cat="1"),
    true("laplace-kl-pure", le(1 / b + exp(-1 / b) - 1, 1 / b), B, why="exp(-1/b) <= 1", cat="1"),
    true("laplace-renyi-2", le(log(2 * exp(1 / b) / 3 + exp(-2 / b) / 3), 1 / b), B, why="the mean of exp(u) and exp(-2u) is below exp(u)", cat="1"),
    true("pinsker-bernoulli", ge(kl(p, q), 2 * (p - q) ** 2), P, Q, why="Pinsker; touches along p = q", cat="1"),
    true("kl-nonnegative", ge(kl(p, q), 0), P, Q, why="Gibbs; touches along p = q", cat="1"),
    true("kl-chi-square", le(kl(p, q), (p - q) ** 2 / (q * (1 - q))), P, Q, why="log t <= t - 1 in the mean", cat="1"),
    true("hoeffding-bernoulli", le(log(1 - p + p * exp(x)) - p * x, x**2 / 8), P, X, why="Hoeffding's lemma; touches at x = 0", cat="1"),
    true("composition-linear", le((1 + eps) ** 2, exp(2 * eps)), EPS, why="exp(eps) >= 1 + eps, squared", cat="1"),
    true("basic-composition-delta", ge((1 - p) * (1 - q), 1 - p - q), P, Q, why="pq > 0", cat="1"),
    true("advanced-composition-sqrt", le(k * eps * (exp(eps) - 1) / (exp(eps) + 1), k * eps**2 / 2), K, EPS, why="k times eps tanh(eps/2)", cat="1"),
    true("group-privacy", le(exp(eps) - 1, (exp(k * eps) - 1)), EPS, K, why="k >= 1", cat="1"),
    true("subsample-amplification", le(log(1 + g * (exp(eps) - 1)), eps), G, EPS, why="1 + g(e^eps - 1) <= e^eps, equal at g = 1 or eps = 0", cat="1"),
    true("subsample-small", le(log(1 + g * (exp(eps) - 1)), g * (exp(eps) - 1)), G, EPS, why="log(1+u) <= u", cat="1"),
    true("mills-upper", le(Phi_bar, phi / z), Z, why="Mills: the tail is at most phi(z)/z; tight at infinity only", cat="1"),
    true("mills-lower", ge(Phi_bar, phi * z / (1 + z**2)), Z, why="Mills from below; tight at infinity only", cat="1"),
    true("chernoff-tail", le(Phi_bar, exp(-(z**2) / 2) / 2), Z, why="the ratio decreases from 1/2 at 0; touches at the open end 0", cat="1"),
    true("tcdp-monotone", le(al * rho, om * rho), AL, RHO, OM, given=le(al, om), why="alpha <= omega", cat="1"),
    true("gaussian-privacy-loss-mean", eq((d / s) ** 2 / 2 + d / s, d * (d + 2 * s) / (2 * s**2)), D, S_, why="common denominator", cat="1"),
    true("gaussian-calibration-log", ge(sqrt(2 * log(5 / (4 * de))), sqrt(2 * log(R(5, 4)))), DE, why="delta < 1; tight at the open end", cat="1"),
    true("gd-contraction", le((1 - 2 * eta * mu * l / (mu + l)), (1 - eta * mu)), ETA, MU, L, given=(le(mu, l), le(eta, 2 / (mu + l))),
         why="2L/(mu+L) >= 1 iff L >= mu; touches along mu = L", cat="1"),
    true("gd-optimal-rate", eq(1 - 2 * mu / (mu + l), (l - mu) / (l + mu)), MU, L, why="common denominator mu + L > 0", cat="1"),
    true("gd-two-ends", le((1 - eta * mu) ** 2, Max((1 - eta * mu) ** 2, (1 - eta * l) ** 2)), ETA, MU, L, why="a maximum", cat="1"),
    true("gd-descent", le(eta**2 * l / 2 - eta, -eta / 2), ETA, L, given=le(eta * l, 1), why="eta L <= 1; touches along eta L = 1", cat="1"),
    true("gd-power-rate", le(1 - x, exp(-x)), X, why="the tangent of exp", cat="1"),
    true("convex-jensen-exp", le(exp((x + y) / 2), (exp(x) + exp(y)) / 2), X, Y, why="AM-GM; touches along x = y", cat="1"),
    true("young", le(a * z, a**2 / (2 * b) + b * z**2 / 2), A, Z, B, why="(a - b z)^2/(2b)", cat="1"),
    true("moment-4", le(x**2, (1 + x**4) / 2), X, why="(x^2-1)^2/2", cat="1"),
    true("log-sum-exp", le(Max(x, y), log(exp(x) + exp(y))), X, Y, why="one term is dropped; tight at infinity", cat="1"),
    true("log-sum-exp-upper", le(log(exp(x) + exp(y)), Max(x, y) + log(2)), X, Y, why="both terms at most the larger; touches along x = y", cat="1"),
]
