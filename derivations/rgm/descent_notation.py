"""Symbols of private gradient descent: one step, seen from the minimiser.

A step from theta with gradient g = grad f(theta) is seen through four numbers: r = |theta - theta_*|^2, F = f(theta) - f(theta_*), which
is D_f(theta, theta_*), B = D_f(theta_*, theta), and G = |g|^2. Then g.(theta - theta_*) = F + B. All inequalities between them are linear,
so that they hold for the expectations as well, when theta is random. The noise has variance gamma |g|^2 + sigma^2 in each of d coordinates.
On f = lambda |theta|^2/2, which belongs to the class for mu <= lambda <= L, F = B = lambda r/2 and G = lambda^2 r.
"""

from rgm_verify.lenses.worlds.scaling import S
from rgm_verify.pages import *

from .notation import NOTATION, d, gamma, sigma2

DESCENT_NOTATION = Notation(NOTATION)

_STATE = (
    nonnegative("r", "squared distance from the minimiser", latex=r"\|\theta_t-\theta_\star\|^2"),
    nonnegative("F", "f at the point less f at the minimiser", latex=r"D_f(\theta_t,\theta_\star)"),
    nonnegative("B", "Bregman divergence of f from the point to the minimiser", latex=r"D_f(\theta_\star,\theta_t)"),
    nonnegative("G", "squared norm of the gradient", latex=r"\|\nabla f(\theta_t)\|^2"),
)
r, F, B, G = DESCENT_NOTATION.declare(*_STATE)
#: The same for a random point: the expectations.
EXPECTED = tuple(replace(v, meaning=f"expected {v.meaning}", latex=rf"E\,{v.latex}") for v in _STATE)
mu = DESCENT_NOTATION.positive("mu", "strong convexity of f")
L = DESCENT_NOTATION.positive("L", "smoothness of f")
tau = DESCENT_NOTATION.positive("tau", "step size")
lam = DESCENT_NOTATION.positive("lambda", "curvature of the quadratic f")
r_0 = DESCENT_NOTATION.nonnegative(
    "r_0", "squared distance of the start from the minimiser", latex=r"\|\theta_0-\theta_\star\|^2"
)
k = DESCENT_NOTATION.real("k", "1 + gamma d", lower=1)
#: theta - theta_* and the realised noise in dimension 1.
theta_0 = DESCENT_NOTATION.real("theta_0", "the start; the minimiser is 0, and the dimension is 1")
z = DESCENT_NOTATION.real("z", "the realised noise of the first step")

#: The gradient's part in the direction of the minimiser.
inner = named(r"\nabla f(\theta_t)^\top(\theta_t-\theta_\star)", F + B)
#: What a step variance of sigma^2 per coordinate adds to the second moment, all d coordinates together.
noise_of_step = d * tau**2 * sigma2
#: E|theta_{t+1} - theta_*|^2 given theta_t, exactly.
next_moment = named(
    r"E\|\theta_{t+1}-\theta_\star\|^2", r - 2 * tau * inner + tau**2 * (1 + gamma * d) * G + noise_of_step
)


def on_quadratic(expression: Expr, distance: Expr | Symbol = r) -> Expr:
    """The expression for f = lambda |theta|^2/2 at a squared distance."""
    return expression.subs({F: lam * r / 2, B: lam * r / 2, G: lam**2 * r}, simultaneous=True).subs(r, distance)


#: The same on that f.
moment_on_quadratic = named(r"E\|\theta_{t+1}-\theta_\star\|^2", on_quadratic(next_moment))
#: What a step multiplies the second moment with on that f.
quadratic_factor = named(r"q_\lambda", (1 - tau * lam) ** 2 + gamma * d * tau**2 * lam**2)
MU_BELOW_L = Hypothesis("mu at most L", le(mu, L))
IN_CLASS = (
    Hypothesis("lambda at least mu", ge(lam, mu), "f is mu-strongly convex"),
    Hypothesis("lambda at most L", le(lam, L), "f is L-smooth"),
)
SMOOTH = Hypothesis("smoothness", le(G, 2 * L * B), "before v1 (52), before v2 (57)")
STRONGLY_CONVEX = Hypothesis("strong convexity", ge(2 * F, mu * r), "before v1 (53), before v2 (58)")
PRINTED_STEP = Hypothesis("step of Theorem 2", le(tau, 1 / (L + gamma)), "Theorem 2")
STEP_OF_PROOF = Hypothesis("step of the proof", le(tau, 1 / ((1 + gamma) * L)), "before v1 (54), before v2 (59)")
STEP_WITH_DIMENSION = Hypothesis("step with the dimension", le(tau, 1 / ((1 + gamma * d) * L)))
K = Hypothesis("k", eq(k, 1 + gamma * d))
QUADRATICS_ONLY = (
    r"Only the functions $f(\theta) = \frac\lambda2|\theta|^2$, shifted by data that are arbitrarily close together."
)
ON_QUADRATICS = r"Quadratics allow every relative sensitivity, so Theorem 1 does not restrict $\gamma$ and $\sigma$. Their second moments are exact."
_IN_UNITS = {mu: S * mu, L: S * L, lam: S * lam, tau: tau / S, F: S * F, B: S * B, G: S**2 * G, sigma2: S**2 * sigma2}
#: With s f for f the same iterates have the step tau/s.
UNIT_OF_LOSS = Scaling(
    "the unit of the loss", _IN_UNITS, {"the step stays": {k: v for k, v in _IN_UNITS.items() if k != tau}}
)
