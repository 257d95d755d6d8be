r"""The sharp rate of private gradient descent on strongly convex, smooth functions.

With $k = 1+\gamma d$ a step multiplies the expected squared distance with at most $q = \max_{\lambda\in\{\mu,L\}} 1 - 2\tau\lambda + k\tau^2\lambda^2$ and adds $d\tau^2\sigma^2$;
$\frac\mu2|\theta|^2$ and $\frac L2|\theta|^2$ attain it at every step.
"""

from ... import looseness
from ...rgm.descent_notation import *
from ...rgm.notation import NOTATION, d
from ...theorems import CAUCHY_SCHWARZ, INDUCTION
from . import certificates, utility_worlds as worlds
from .utility import MEAN_OF_MEANS

page = Page("beyond", "§5.1", DESCENT_NOTATION, NOTATION)
_theorem_2 = page.at("Theorem 2; App. B.1")
factor_mu = named(r"q_\mu", 1 - 2 * tau * mu + k * tau**2 * mu**2)
factor_l = named("q_L", 1 - 2 * tau * L + k * tau**2 * L**2)
_moment = r - 2 * tau * inner + k * tau**2 * G
_SUM = Hypothesis("interpolation", ge((L + mu) * inner, G + mu * L * r), "strong convexity and smoothness")
_NOT_SMALL = Hypothesis("gradient at least", ge(G, mu**2 * r))
_shifted = G - 2 * mu * (F + B) + mu**2 * r

interpolation = _theorem_2.inequality(
    "beyond:interpolation",
    "The inner product of a smooth, strongly convex function",
    ge((L + mu) * inner, G + mu * L * r),
    r"The gradient bound for $f$ less the parabola $\frac\mu2\|\cdot\|^2$, in both orders of the points.",
    given=(
        Hypothesis("gradient bound", le(_shifted, 2 * (L - mu) * (F - mu / 2 * r)), "of f less the parabola"),
        Hypothesis(
            "gradient bound, exchanged", le(_shifted, 2 * (L - mu) * (B - mu / 2 * r)), "of f less the parabola"
        ),
    ),
    by=(
        combination(
            (Rational(1, 2), 2 * (L - mu) * (F - mu / 2 * r) - _shifted),
            (Rational(1, 2), 2 * (L - mu) * (B - mu / 2 * r) - _shifted),
        ),
        Smt(),
        worlds.INTERPOLATION.mapped(worlds.of_two_points, r, F, B, G, mu, L),
    ),
    points={
        L: (0, 1, mu * (1 + L)),
        lam: (0, 1),
        G: (mu * (1 + L * lam)) ** 2 * r,
        F: mu * (1 + L * lam) * r / 2,
        B: mu * (1 + L * lam) * r / 2,
    },
    wrong={"without mu L": left(L * (F + B)), "twice the gradient": 2 * G + mu * L * r},
    steps="beyond:gradient-difference-by-bregman",
    tightness=Tightness(
        Rational(11, 10) * looseness.lam / (looseness.lam**2 + looseness.TENTH),
        {looseness.lam: (looseness.TENTH, 1)},
        r"the left side over the right one, on $\frac\lambda2x^2$ with $\mu = \frac1{10}$, $L = 1$",
    ),
)

_x = page.nonnegative("x", "distance from the minimiser", latex=r"\|\theta-\theta_\star\|")
_y = page.nonnegative("y", "norm of the gradient", latex=r"\|\nabla f(\theta)\|")

gradient_range = _theorem_2.inequality(
    "beyond:gradient-range",
    "The gradient is between mu and L times the distance",
    both(le(mu * _x, _y), le(_y, L * _x)),
    given=(
        MU_BELOW_L,
        Hypothesis(
            "interpolation", ge((L + mu) * _x * _y, _y**2 + mu * L * _x**2), "with the inner product at its largest"
        ),
    ),
    by=(Smt(), worlds.GRADIENT_RANGE.mapped(worlds.of_range, _x, _y, mu, L)),
    points={L: (0, 1, mu * (1 + L)), lam: (0, 1), _y: mu * (1 + L * lam) * _x},
    wrong={
        "twice mu": both(le(2 * mu * _x, _y), le(_y, L * _x)),
        "half of L": both(le(mu * _x, _y), le(_y, L * _x / 2)),
    },
    steps=(CAUCHY_SCHWARZ.quoted("The inner product is at most $xy$.", "It is the usual one."), "beyond:interpolation"),
)

_IN_CHART = {
    L: (0, 1, mu * (1 + 10 * L)),
    lam: (0, 1),
    tau: (0, None, tau / mu),
    G: (mu * (1 + 10 * L * lam)) ** 2 * r,
    F: mu * (1 + 10 * L * lam) * r / 2,
    B: mu * (1 + 10 * L * lam) * r / 2,
}

sharp_long = _theorem_2.inequality(
    "beyond:sharp-step-long",
    "The worst case of a long step is the largest curvature",
    le(_moment, factor_l * r),
    "But for the baseline noise, a step multiplies the squared distance with at most that.",
    given=(_SUM, Hypothesis("gradient at most", le(G, L**2 * r)), Hypothesis("a long step", ge(k * tau * (L + mu), 2))),
    by=(
        combination(
            (2 * tau / (L + mu), (L + mu) * (F + B) - G - mu * L * r),
            (tau / (L + mu), k * tau * (L + mu) - 2, L**2 * r - G),
        ),
        Smt(),
        worlds.SHARP_LONG.mapped(partial(worlds.of_sharp_step, length="long"), r, F, B, G, mu, L, tau, k),
        UNIT_OF_LOSS,
        certificates.LONG.mapped(certificates.of_sharp_step, r, F, B, G, mu, L, tau, k),
    ),
    points=_IN_CHART,
    wrong={
        "the smallest curvature": factor_mu * r,
        "any step": without("a long step"),
        "without the noise": (1 - tau * L) ** 2 * r,
    },
)

sharp_short = _theorem_2.inequality(
    "beyond:sharp-step-short",
    "The worst case of a short step is the smallest curvature",
    le(_moment, factor_mu * r),
    "But for the baseline noise, a step multiplies the squared distance with at most that.",
    given=(_SUM, _NOT_SMALL, Hypothesis("a short step", le(k * tau * (L + mu), 2))),
    by=(
        combination(
            (2 * tau / (L + mu), (L + mu) * (F + B) - G - mu * L * r),
            (tau / (L + mu), 2 - k * tau * (L + mu), G - mu**2 * r),
        ),
        Smt(),
        worlds.SHARP_SHORT.mapped(partial(worlds.of_sharp_step, length="short"), r, F, B, G, mu, L, tau, k),
        UNIT_OF_LOSS,
        certificates.SHORT.mapped(certificates.of_sharp_step, r, F, B, G, mu, L, tau, k),
    ),
    points=_IN_CHART,
    wrong={
        "the largest curvature": factor_l * r,
        "any step": without("a short step"),
        "without the noise": (1 - tau * mu) ** 2 * r,
    },
)

attained = _theorem_2.identity(
    "beyond:sharp-step-attained",
    "Quadratics attain the sharp factor",
    eq(moment_on_quadratic, quadratic_factor * r + noise_of_step),
    by=(Identity(), Smt()),
    wrong={
        "without the relative noise": (1 - tau * lam) ** 2 * r + noise_of_step,
        "the dimension left out": quadratic_factor.subs(d, 1) * r + noise_of_step,
    },
    reading=r"With $\lambda = \mu$ and $\lambda = L$ these are the factors of short and of long steps.",
)

_q = page.positive("q", "factor of a step")
_added = page.nonnegative("v", "what a step adds")
_t = page.natural("t", "number of steps", lower=0)
_NOT_ONE = Hypothesis("a contraction", lt(_q, 1))


def _closed(time: Expr) -> Expr:
    return _q**time * r_0 + _added * (1 - _q**time) / (1 - _q)


_now, _later = named("R_t", _closed(_t)), named("R_{t+1}", _closed(_t + 1))

closed_form = _theorem_2.identity(
    "beyond:sharp-second-moment",
    "The second moment at every step, in closed form",
    both(eq(_later, _q * _now + _added), eq(_closed(Integer(0)), r_0)),
    r"On $\frac\lambda2\|\theta\|^2$ this is the second moment after $t$ steps.",
    given=_NOT_ONE,
    points={_q: (0, 1), _t: (0, 20), r_0: (0, 4), _added: (0, 4)},
    wrong={
        "one step late": eq(_now, _q * _now + _added),
        "without the geometric sum": eq(_q ** (_t + 1) * r_0 + _added, _q * (_q**_t * r_0 + _added) + _added),
    },
    steps=Step("One step.", "beyond:sharp-step-attained"),
)

_p = page.nonnegative("P", "q^t", upper=1, latex="q^t")
_later_share = named("q^{t+1}", _q * _p)
_next = page.nonnegative(
    "r'", "expected squared distance after the next step", latex=r"E\|\theta_{t+1}-\theta_\star\|^2"
)

sharp_theorem = _theorem_2.theorem(
    "beyond:sharp-theorem",
    "Private gradient descent at its sharp rate",
    le(_next, _later_share * r_0 + _added * (1 - _later_share) / (1 - _q)),
    r"For every $\mu$-strongly convex, $L$-smooth $f$ and every stable step, with equality for all $t$ on a quadratic. The formula is the step of the induction.",
    given=(
        _NOT_ONE,
        Hypothesis("one step", le(_next, _q * r + _added), "short and long steps"),
        Hypothesis("the bound at t", le(r, _p * r_0 + _added * (1 - _p) / (1 - _q)), "induction"),
    ),
    by=(
        Smt(),
        combination((_q * r + _added - _next,), (_q, _p * r_0 + _added * (1 - _p) / (1 - _q) - r)),
        worlds.SHARP_THEOREM.mapped(worlds.of_sharp_theorem, r, _next, r_0, _p, _q, _added),
    ),
    wrong={
        "the rate squared": _q**2 * _p * r_0 + _added * (1 - _later_share) / (1 - _q),
        "half of the noise": _later_share * r_0 + _added * (1 - _later_share) / (1 - _q) / 2,
    },
    steps=(
        MEAN_OF_MEANS,
        INDUCTION.quoted("For all t:", "At $t = 0$ both sides are $r_0$.", "This is what the formula says."),
        Step("Short steps.", "beyond:sharp-step-short"),
        Step("Long steps.", "beyond:sharp-step-long"),
        Step("The gradient is in the range that they ask for.", "beyond:gradient-range"),
        Step("Both are attained.", "beyond:sharp-step-attained"),
        Step("The factor is below 1.", "beyond:stable-steps"),
    ),
    printed=r"E\|\theta_t-\theta_\star\|^2 \le q^t\,\|\theta_0-\theta_\star\|^2 + d\tau^2\sigma^2\,\frac{1-q^t}{1-q}",
)

_long_step = named(r"\|\theta_t-k\tau\nabla f(\theta_t)-\theta_\star\|^2", r - 2 * k * tau * inner + (k * tau) ** 2 * G)

lazy = _theorem_2.identity(
    "beyond:relative-noise-is-laziness",
    "Relative noise acts like a longer step taken less often",
    eq(_moment, (1 - 1 / k) * r + _long_step / k),
    r"For every $f$, but for the baseline noise, a private step is like a coin: with probability $1/k$ an exact gradient step of size $k\tau$, else no step. So a rate of gradient descent is one of the private step, over $k$.",
    by=(Identity(), Smt()),
    wrong={
        "the step not longer": (1 - 1 / k) * r + (r - 2 * tau * (F + B) + tau**2 * G) / k,
        "the coin exchanged": r / k + (1 - 1 / k) * _long_step,
    },
)
