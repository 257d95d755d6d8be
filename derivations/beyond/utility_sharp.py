r"""The sharp rate of private gradient descent on strongly convex, smooth functions.

With $k = 1+\gamma d$ a step multiplies the expected squared distance with at most $q = \max_{\lambda\in\{\mu,L\}} 1 - 2\tau\lambda + k\tau^2\lambda^2$ and adds $d\tau^2\sigma^2$;
$\frac\mu2|\theta|^2$ and $\frac L2|\theta|^2$ attain it at every step.
"""

from functools import partial

from sympy import Expr, Integer, Rational

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    both,
    eq,
    ge,
    le,
    lt,
    natural,
    nonnegative,
    positive,
)
from rgm_verify.lenses import Combination, Identity, Smt

from .. import looseness
from ..rgm.descent_notation import (
    AMPLIFICATION,
    CURVATURE,
    GAP,
    MU_BELOW_L,
    REVERSE_GAP,
    SMOOTHNESS,
    SQUARED_DISTANCE,
    SQUARED_GRADIENT,
    START,
    STEP,
    STRONG_CONVEXITY,
    B,
    F,
    G,
    L,
    k,
    lam,
    mu,
    next_moment,
    noise_of_step,
    on_quadratic,
    quadratic_factor,
    r,
    r_0,
    tau,
)
from ..rgm.notation import DIMENSION, GAMMA, SIGMA2, d
from ..theorems import CAUCHY_SCHWARZ, INDUCTION, TOWER
from ..worlds import certificates as certificates_worlds
from ..worlds import descent as descent_worlds
from ..worlds import units as units_worlds

_WHERE = "§5.1, Theorem 2; App. B.1"
_STATE = (SQUARED_DISTANCE, GAP, REVERSE_GAP, SQUARED_GRADIENT)
factor_mu = 1 - 2 * tau * mu + k * tau**2 * mu**2
factor_l = 1 - 2 * tau * L + k * tau**2 * L**2
_moment = r - 2 * tau * (F + B) + k * tau**2 * G
_CLASS = (STRONG_CONVEXITY, SMOOTHNESS)
_SUM = Hypothesis("interpolation", ge((L + mu) * (F + B), G + mu * L * r), "strong convexity and smoothness")
_NOT_SMALL, _NOT_LARGE = (
    Hypothesis("gradient at least", ge(G, mu**2 * r)),
    Hypothesis("gradient at most", le(G, L**2 * r)),
)
_shifted = G - 2 * mu * (F + B) + mu**2 * r

interpolation = Claim(
    id="beyond:interpolation",
    title="The inner product of a smooth, strongly convex function",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$(L+\mu)\,g\cdot(\theta-\theta_\star) \ge |g|^2 + \mu L|\theta-\theta_\star|^2$: the gradient bound for $f - \frac\mu2|\cdot|^2$, which is convex and $(L-\mu)$-smooth, in both orders.",
    variables=(*_STATE, *_CLASS),
    hypotheses=(
        Hypothesis("gradient bound", le(_shifted, 2 * (L - mu) * (F - mu / 2 * r)), "of f less the parabola"),
        Hypothesis(
            "gradient bound, exchanged", le(_shifted, 2 * (L - mu) * (B - mu / 2 * r)), "of f less the parabola"
        ),
    ),
    conclusion=ge((L + mu) * (F + B), G + mu * L * r),
    checks=(
        Combination(
            terms=(
                (Rational(1, 2), 2 * (L - mu) * (F - mu / 2 * r) - _shifted),
                (Rational(1, 2), 2 * (L - mu) * (B - mu / 2 * r) - _shifted),
            )
        ),
        Smt(),
        descent_worlds.INTERPOLATION.mapped(descent_worlds.of_two_points, r, F, B, G, mu, L),
    ),
    derivation=(Step(claim="beyond:gradient-difference-by-bregman"),),
    sampling=Chart(
        {r: (0, None), mu: (0, None), L: (0, 1), lam: (0, 1)},
        {
            L: mu * (1 + L),
            G: (mu * (1 + L * lam)) ** 2 * r,
            F: mu * (1 + L * lam) * r / 2,
            B: mu * (1 + L * lam) * r / 2,
            r: r,
            mu: mu,
        },
    ),
    tightness=looseness.INTERPOLATION,
    mutants=(
        Mutant("without mu L", ge(L * (F + B), G + mu * L * r)),
        Mutant("twice the gradient", ge((L + mu) * (F + B), 2 * G + mu * L * r)),
    ),
)

_DISTANCE, _NORM = nonnegative("x", "distance from the minimiser"), nonnegative("y", "norm of the gradient")
_x, _y = _DISTANCE.symbol, _NORM.symbol

gradient_range = Claim(
    id="beyond:gradient-range",
    title="The gradient is between mu and L times the distance",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$\mu|\theta-\theta_\star| \le |g| \le L|\theta-\theta_\star|$, from the interpolation inequality and that of Cauchy and Schwarz.",
    variables=(_DISTANCE, _NORM, *_CLASS),
    hypotheses=(
        MU_BELOW_L,
        Hypothesis(
            "interpolation", ge((L + mu) * _x * _y, _y**2 + mu * L * _x**2), "with the inner product at its largest"
        ),
    ),
    conclusion=both(le(mu * _x, _y), le(_y, L * _x)),
    checks=(
        Smt(),
        descent_worlds.GRADIENT_RANGE.mapped(descent_worlds.of_range, _x, _y, mu, L),
    ),
    derivation=(
        Step(
            "The inner product is at most $xy$.", theorem=CAUCHY_SCHWARZ, met={"inner product": "It is the usual one."}
        ),
        Step(claim="beyond:interpolation"),
    ),
    sampling=Chart(
        {_x: (0, None), mu: (0, None), L: (0, 1), lam: (0, 1)},
        {L: mu * (1 + L), _y: mu * (1 + L * lam) * _x, _x: _x, mu: mu},
    ),
    mutants=(
        Mutant("twice mu", both(le(2 * mu * _x, _y), le(_y, L * _x))),
        Mutant("half of L", both(le(mu * _x, _y), le(_y, L * _x / 2))),
    ),
)

_IN_CHART = Chart(
    {r: (0, None), mu: (0, None), L: (0, 1), lam: (0, 1), tau: (0, None), k: (1, None)},
    {
        L: mu * (1 + 10 * L),
        G: (mu * (1 + 10 * L * lam)) ** 2 * r,
        F: mu * (1 + 10 * L * lam) * r / 2,
        B: mu * (1 + 10 * L * lam) * r / 2,
        tau: tau / mu,
        r: r,
        mu: mu,
        k: k,
    },
)
_LONG = Hypothesis("a long step", ge(k * tau * (L + mu), 2))
_SHORT = Hypothesis("a short step", le(k * tau * (L + mu), 2))
_RATE = (*_STATE, *_CLASS, STEP, AMPLIFICATION)

sharp_long = Claim(
    id="beyond:sharp-step-long",
    title="The worst case of a long step is the largest curvature",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $\tau \ge 2/(k(L+\mu))$ a step multiplies the squared distance with at most $(1-\tau L)^2 + \gamma d\tau^2L^2$.",
    variables=_RATE,
    hypotheses=(_SUM, _NOT_LARGE, _LONG),
    conclusion=le(_moment, factor_l * r),
    checks=(
        Combination(
            terms=(
                (2 * tau / (L + mu), (L + mu) * (F + B) - G - mu * L * r),
                (tau / (L + mu), k * tau * (L + mu) - 2, L**2 * r - G),
            )
        ),
        Smt(),
        descent_worlds.SHARP_LONG.mapped(
            partial(descent_worlds.of_sharp_step, length="long"), r, F, B, G, mu, L, tau, k
        ),
        units_worlds.LOSS,
        certificates_worlds.LONG.mapped(certificates_worlds.of_sharp_step, r, F, B, G, mu, L, tau, k),
    ),
    sampling=_IN_CHART,
    mutants=(
        Mutant("the smallest curvature", le(_moment, factor_mu * r)),
        Mutant("any step", hypotheses=(_SUM, _NOT_LARGE)),
        Mutant("without the noise", le(_moment, (1 - tau * L) ** 2 * r)),
    ),
)

sharp_short = Claim(
    id="beyond:sharp-step-short",
    title="The worst case of a short step is the smallest curvature",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $\tau \le 2/(k(L+\mu))$ a step multiplies the squared distance with at most $(1-\tau\mu)^2 + \gamma d\tau^2\mu^2$.",
    variables=_RATE,
    hypotheses=(_SUM, _NOT_SMALL, _SHORT),
    conclusion=le(_moment, factor_mu * r),
    checks=(
        Combination(
            terms=(
                (2 * tau / (L + mu), (L + mu) * (F + B) - G - mu * L * r),
                (tau / (L + mu), 2 - k * tau * (L + mu), G - mu**2 * r),
            )
        ),
        Smt(),
        descent_worlds.SHARP_SHORT.mapped(
            partial(descent_worlds.of_sharp_step, length="short"), r, F, B, G, mu, L, tau, k
        ),
        units_worlds.LOSS,
        certificates_worlds.SHORT.mapped(certificates_worlds.of_sharp_step, r, F, B, G, mu, L, tau, k),
    ),
    sampling=_IN_CHART,
    mutants=(
        Mutant("the largest curvature", le(_moment, factor_l * r)),
        Mutant("any step", hypotheses=(_SUM, _NOT_SMALL)),
        Mutant("without the noise", le(_moment, (1 - tau * mu) ** 2 * r)),
    ),
)

attained = Claim(
    id="beyond:sharp-step-attained",
    title="Quadratics attain the sharp factor",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"For $f(\theta) = \frac\lambda2|\theta|^2$ in any dimension a step multiplies the second moment with $(1-\tau\lambda)^2+\gamma d\tau^2\lambda^2$ and adds $d\tau^2\sigma^2$.",
    variables=(SQUARED_DISTANCE, CURVATURE, GAMMA, SIGMA2, DIMENSION, STEP),
    conclusion=eq(on_quadratic(next_moment), quadratic_factor * r + noise_of_step),
    reading=r"With $\lambda = \mu$ and $\lambda = L$ these are the factors of short and of long steps.",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("without the relative noise", eq(on_quadratic(next_moment), (1 - tau * lam) ** 2 * r + noise_of_step)),
        Mutant(
            "the dimension left out", eq(on_quadratic(next_moment), quadratic_factor.subs(d, 1) * r + noise_of_step)
        ),
    ),
)

_FACTOR, _ADDED, _TIME = (
    positive("q", "factor of a step"),
    nonnegative("v", "what a step adds"),
    natural("t", "number of steps", lower=0),
)
_q, _added, _t = _FACTOR.symbol, _ADDED.symbol, _TIME.symbol
_NOT_ONE = Hypothesis("a contraction", lt(_q, 1))


def _closed(time: Expr) -> Expr:
    return _q**time * r_0 + _added * (1 - _q**time) / (1 - _q)


closed_form = Claim(
    id="beyond:sharp-second-moment",
    title="The second moment at every step, in closed form",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"$q^t r_0 + v\frac{1-q^t}{1-q}$ starts at $r_0$ and goes on by $r \mapsto qr + v$: on $\frac\lambda2|\theta|^2$ it is $E|\theta_t-\theta_\star|^2$.",
    variables=(START, _FACTOR, _ADDED, _TIME),
    hypotheses=(_NOT_ONE,),
    conclusion=both(eq(_closed(_t + 1), _q * _closed(_t) + _added), eq(_closed(Integer(0)), r_0)),
    checks=(Identity(),),
    sampling=Chart({_q: (0, 1), _t: (0, 20), r_0: (0, 4), _added: (0, 4)}, {}),
    mutants=(
        Mutant("one step late", eq(_closed(_t), _q * _closed(_t) + _added)),
        Mutant("without the geometric sum", eq(_q ** (_t + 1) * r_0 + _added, _q * (_q**_t * r_0 + _added) + _added)),
    ),
    derivation=(Step("One step.", "beyond:sharp-step-attained"),),
)

_SHARE = nonnegative("P", "q^t", upper=1)
_NEXT = nonnegative("r'", "expected squared distance after the next step")
_p, _next = _SHARE.symbol, _NEXT.symbol

sharp_theorem = Claim(
    id="beyond:sharp-theorem",
    title="Private gradient descent at its sharp rate",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"For every $\mu$-strongly convex, $L$-smooth $f$ and every $\tau < 2/(kL)$: $E|\theta_t-\theta_\star|^2 \le q^t|\theta_0-\theta_\star|^2 + d\tau^2\sigma^2\frac{1-q^t}{1-q}$, with equality "
        r"for all $t$ on a quadratic. The step of the induction."
    ),
    variables=(SQUARED_DISTANCE, _NEXT, START, _SHARE, _FACTOR, _ADDED),
    hypotheses=(
        _NOT_ONE,
        Hypothesis("one step", le(_next, _q * r + _added), "short and long steps"),
        Hypothesis("the bound at t", le(r, _p * r_0 + _added * (1 - _p) / (1 - _q)), "induction"),
    ),
    conclusion=le(_next, _q * _p * r_0 + _added * (1 - _q * _p) / (1 - _q)),
    checks=(
        Smt(),
        Combination(terms=((_q * r + _added - _next,), (_q, _p * r_0 + _added * (1 - _p) / (1 - _q) - r))),
        descent_worlds.SHARP_THEOREM.mapped(descent_worlds.of_sharp_theorem, r, _next, r_0, _p, _q, _added),
    ),
    mutants=(
        Mutant("the rate squared", le(_next, _q**2 * _p * r_0 + _added * (1 - _q * _p) / (1 - _q))),
        Mutant("half of the noise", le(_next, _q * _p * r_0 + _added * (1 - _q * _p) / (1 - _q) / 2)),
    ),
    derivation=(
        Step(
            "The mean of what is expected given the start of a step is the mean.",
            theorem=TOWER,
            met={"integrable": "Squared norms are not negative."},
        ),
        Step(
            "For all t:",
            theorem=INDUCTION,
            met={"start": "At $t = 0$ both sides are $r_0$.", "step": "This is what the formula says."},
        ),
        Step("Short steps.", "beyond:sharp-step-short"),
        Step("Long steps.", "beyond:sharp-step-long"),
        Step("The gradient is in the range that they ask for.", "beyond:gradient-range"),
        Step("Both are attained.", "beyond:sharp-step-attained"),
        Step("The factor is below 1.", "beyond:stable-steps"),
    ),
)

lazy = Claim(
    id="beyond:relative-noise-is-laziness",
    title="Relative noise acts like a longer step taken less often",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"For every $f$, but for $d\tau^2\sigma^2$, the second moment after a private step is that of a coin: with probability $1/k$ an exact gradient step of size $k\tau$, else no step; $k = 1+\gamma d$. "
        r"A rate of gradient descent gives that of the private step: $1 - q(\tau) = (1 - q_{\gamma=0}(k\tau))/k$."
    ),
    variables=(*_STATE, STEP, AMPLIFICATION),
    conclusion=eq(_moment, (1 - 1 / k) * r + (r - 2 * k * tau * (F + B) + (k * tau) ** 2 * G) / k),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("the step not longer", eq(_moment, (1 - 1 / k) * r + (r - 2 * tau * (F + B) + tau**2 * G) / k)),
        Mutant(
            "the coin exchanged", eq(_moment, r / k + (1 - 1 / k) * (r - 2 * k * tau * (F + B) + (k * tau) ** 2 * G))
        ),
    ),
)
