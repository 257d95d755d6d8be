r"""Private gradient descent: the corrected Theorem 2, the sharp rate, the sharp step size, and the convex case.

With $k = 1 + \gamma d$ a step has the second moment $r - 2\tau\,g\cdot(\theta-\theta_\star) + k\tau^2|g|^2 + d\tau^2\sigma^2$. For $\tau \le 1/(kL)$ it contracts by $1-\tau\mu$,
which gives Theorem 2 with $d\tau\sigma^2/\mu$. The largest factor over all $\mu$-strongly convex, $L$-smooth functions is that of the quadratics
$\frac\mu2|\theta|^2$ and $\frac L2|\theta|^2$: $q = \max_{\lambda\in\{\mu,L\}} (1-\tau\lambda)^2 + \gamma d\tau^2\lambda^2$, so that the iterates stay bounded exactly for $\tau < 2/(kL)$.
"""

import numpy as np
from sympy import Derivative, Expr, erf, exp, pi, sqrt

from rgm_verify.claims import *
from rgm_verify.lenses import *

from .. import looseness
from ..rgm.descent_notation import *
from ..rgm.notation import NOTATION, d, gamma, sigma2
from ..theorems import INDUCTION, TANGENT, TOWER
from ..worlds import certificates as certificates_worlds
from ..worlds import descent as descent_worlds
from ..worlds import units as units_worlds

page = Page("beyond", "App. B.1", DESCENT_NOTATION, NOTATION)


_WHERE = "§5.1, Theorem 2; App. B.1"


_UNITS = Units({r: 2, F: 2, B: 2, G: 2, r_0: 2, sigma2: 2})
_VARIANCE, _COORDINATE = positive("v", "variance per coordinate"), real("z", "one coordinate of the noise")
_v, _z, _along = _VARIANCE.symbol, _COORDINATE.symbol, real("u").symbol
_density = exp(-(_z**2) / (2 * _v)) / sqrt(2 * pi * _v)


def simulated_noise(
    samples: int, generator: np.random.Generator, false_alarm: float, scale: float
) -> tuple[float, float] | None:
    """A confidence interval for E|xi|^2 of releases of (1, 2, 2) with gamma = 1/2 and sigma^2 = 3/2, the noise times `scale`."""
    from rgm_verify.balls.confidence import gaussian_variance_interval
    from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

    gradient = np.tile([1.0, 2.0, 2.0], (samples, 1))
    noise = scale * (RelativeGaussianMechanism("1/2", "3/2").release(gradient, generator) - gradient)
    found = gaussian_variance_interval(float(np.sum(noise**2)), noise.size, false_alarm)
    return 3 * found.lower, 3 * found.upper


noise = page.at("first display, third line").identity(
    "beyond:noise-second-moment",
    "The second moment of the noise",
    eq(Derivative(_v * erf(_z / sqrt(2 * _v)) / 2 - _v * _z * _density, _z), _z**2 * _density),
    r"One coordinate of $N(0, v)$ has $E z^2 = v$: the function whose derivative is $z^2$ times the density grows by $v$ over the line. All coordinates have $d\,v$.",
    by=(
        Identity(),
        Quadrature(-(_along**2) / (2 * _v), _along, _v, _along**2 / sqrt(2 * pi * _v)),
        Simulation(simulated_noise, d * _v, {d: 3, _v: 6}),
    ),
    points={_v: (0, 5), _z: (-5, 5)},
    over=(_VARIANCE, _COORDINATE),
    wrong={
        "without the boundary term": left(Derivative(_v * erf(_z / sqrt(2 * _v)) / 2, _z)),
        "twice": 2 * _z**2 * _density,
    },
)

_contracted = (1 - tau * mu) * r + noise_of_step

step = page.elsewhere("§5.1, Theorem 2; App. B.1").theorem(
    "beyond:descent-step",
    "A private gradient step contracts by 1 - tau mu, up to its noise",
    le(next_moment, _contracted),
    r"For $\tau \le 1/((1+\gamma d)L)$ and every $\mu$-strongly convex, $L$-smooth $f$ the second moment after a step is at most $(1-\tau\mu)|\theta_t-\theta_\star|^2 + d\tau^2\sigma^2$.",
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION),
    by=(
        Combination(
            terms=(
                (tau, 2 * F - mu * r),
                (tau / L, 2 * L * B - G),
                (tau, G, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau),
            )
        ),
        Smt(),
        _UNITS,
        descent_worlds.STEP.mapped(descent_worlds.of_short_step, r, F, B, G, mu, L, gamma, sigma2, d, tau),
        units_worlds.LOSS,
    ),
    wrong={
        "the step without the dimension": changed(
            hypotheses=(SMOOTH, STRONGLY_CONVEX, Hypothesis("step", le(tau, 1 / ((1 + gamma) * L))))
        ),
        "the noise without the dimension": _contracted - noise_of_step + tau**2 * sigma2,
        "twice mu": _contracted - tau * mu * r,
    },
    steps=(
        Step(
            "What is expected given the point: the noise has mean 0, and a second moment that the point fixes.",
            theorem=TOWER,
            met={"integrable": "Squared norms are not negative."},
        ),
        Step("The second moment of the noise.", "beyond:noise-second-moment"),
        Step("One step by both divergences.", "rgm:b1-progress-corrected"),
        Step("Strong convexity.", "rgm:b1-strong-convexity"),
    ),
    tightness=looseness.ONE_STEP,
)

SHARE = nonnegative("P", "(1 - tau mu)^t", upper=1)
_share = page.add(SHARE)
_floor = d * tau * sigma2 / mu
_STABLE = Hypothesis("mu tau at most 1", le(tau * mu, 1), "mu <= L")

_q = page.positive("q", "1 - tau mu", upper=1)
_b = page.nonnegative("phi", "the floor, d tau sigma^2/mu")
_index = page.real("t", "number of steps", lower=0, integer=True)

#: The solution of R' = q R + (1 - q) phi that starts at r_0.
_solution = _q**_index * r_0 + _b * (1 - _q**_index)

recurrence = page.elsewhere("§5.1, Theorem 2; App. B.1").identity(
    "beyond:descent-recurrence",
    "The recurrence of the second moment, solved",
    both(eq(At(_solution, _index, 0), r_0), eq(At(_solution, _index, _index + 1), _q * _solution + (1 - _q) * _b)),
    r"$R_t = q^tr_0 + (1-q^t)\varphi$ has $R_0 = r_0$ and $R_{t+1} = qR_t + (1-q)\varphi$.",
    wrong={
        "a step more": eq(At(_solution, _index, _index + 1), _q**2 * _solution + (1 - _q) * _b),
        "noise twice": eq(At(_solution, _index, _index + 1), _q * _solution + 2 * (1 - _q) * _b),
    },
    reading=r"$q = 1 - \tau\mu$ and $\varphi = d\tau\sigma^2/\mu$: a step adds $(1-q)\varphi = d\tau^2\sigma^2$. For $q = 0$ it is $\varphi$ from the first step on.",
)

solution_bounded = page.elsewhere("§5.1, Theorem 2; App. B.1").inequality(
    "beyond:descent-recurrence-bounded",
    "The solution of the recurrence lies below its contraction plus its floor",
    le(_solution, _q**_index * r_0 + _b),
    r"$R_t \le q^tr_0 + \varphi$ for every t.",
    by=Combination(terms=((_b, _q**_index),)),
    points={_b: (0, 4), _index: (0, 9), r_0: (0, 4)},
    wrong={"without the start": _b, "half of the floor": _q**_index * r_0 + _b / 2},
)

_AT_T = Hypothesis("the bound at t", le(r, _share * r_0 + _floor), "induction")

keeps_the_bound = page.elsewhere("§5.1, Theorem 2; App. B.1").inequality(
    "beyond:descent-keeps-the-bound",
    "A step keeps the bound of Theorem 2, corrected",
    le(next_moment, (1 - tau * mu) * _share * r_0 + _floor),
    r"If $E|\theta_t-\theta_\star|^2 \le P|\theta_0-\theta_\star|^2 + d\tau\sigma^2/\mu$, then the same holds after a step with $(1-\tau\mu)P$ for P.",
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION, _STABLE, _AT_T),
    by=(
        Deduction((Premise("beyond:descent-step"),)),
        Combination(
            terms=(
                (tau, 2 * F - mu * r),
                (tau / L, 2 * L * B - G),
                (tau, G, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau),
                (1 - tau * mu, _share * r_0 + _floor - r),
            )
        ),
        _UNITS,
        descent_worlds.THEOREM.mapped(descent_worlds.of_theorem, r, F, B, G, r_0, _share, mu, L, gamma, sigma2, d, tau),
        units_worlds.LOSS,
    ),
    wrong={
        "without the dimension": (1 - tau * mu) * _share * r_0 + tau * sigma2 / mu,
        "a floor of half the size": (1 - tau * mu) * _share * r_0 + _floor / 2,
        "contraction twice": (1 - tau * mu) ** 2 * _share * r_0 + _floor,
    },
    steps=(Step("One step.", "beyond:descent-step"),),
)


def _solved(share: Expr) -> Expr:
    """The solution of the recurrence where (1 - tau mu)^t is `share`."""
    return share * r_0 + _floor * (1 - share)


_SOLVED_AT_T = Hypothesis("the solution at t", le(r, _solved(_share)), "induction")

induction_step = page.elsewhere("§5.1, Theorem 2; App. B.1").inequality(
    "beyond:descent-induction-step",
    "A step stays below the solution of the recurrence",
    le(next_moment, _solved((1 - tau * mu) * _share)),
    r"If $E|\theta_t-\theta_\star|^2$ is at most $P|\theta_0-\theta_\star|^2 + (1-P)\,d\tau\sigma^2/\mu$, with $P = (1-\tau\mu)^t$, then the next one is at most the same with "
    r"$(1-\tau\mu)P$ for P.",
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION, _STABLE, _SOLVED_AT_T),
    by=(
        Combination(
            terms=(
                (tau, 2 * F - mu * r),
                (tau / L, 2 * L * B - G),
                (tau, G, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau),
                (1 - tau * mu, _solved(_share) - r),
            )
        ),
        _UNITS,
        descent_worlds.RECURRENCE.mapped(
            descent_worlds.of_theorem, r, F, B, G, r_0, _share, mu, L, gamma, sigma2, d, tau
        ),
    ),
    wrong={
        "without the floor": (1 - tau * mu) * _share * r_0,
        "contraction twice": _solved((1 - tau * mu) ** 2 * _share),
    },
    steps=(
        Step("One step, given where it starts.", "beyond:descent-step"),
        Step("The solution.", "beyond:descent-recurrence"),
    ),
    reading=r"$r$, $F$, $B$, $G$ are expectations.",
)

theorem = page.elsewhere("§5.1, Theorem 2; App. B.1").theorem(
    "beyond:descent-theorem",
    "Theorem 2, corrected, in the strongly convex case",
    both(
        eq(At(_solved(_share), _share, 1), r_0),
        le(next_moment, _solved((1 - tau * mu) * _share)),
        le(_solved((1 - tau * mu) * _share), (1 - tau * mu) * _share * r_0 + _floor),
    ),
    r"For $\tau \le 1/((1+\gamma d)L)$: $E|\theta_t-\theta_\star|^2 \le (1-\tau\mu)^t|\theta_0-\theta_\star|^2 + d\tau\sigma^2/\mu$ for all $t \ge 0$.",
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION, _STABLE, _SOLVED_AT_T),
    by=(
        Deduction((Premise("beyond:descent-induction-step"),)),
        descent_worlds.THEOREM.mapped(descent_worlds.of_theorem, r, F, B, G, r_0, _share, mu, L, gamma, sigma2, d, tau),
        units_worlds.LOSS,
    ),
    wrong={
        "a floor without the dimension": le(
            _solved((1 - tau * mu) * _share), (1 - tau * mu) * _share * r_0 + tau * sigma2 / mu
        ),
        "a floor of half the size": le(next_moment, (1 - tau * mu) * _share * r_0 + _floor / 2),
        "contraction twice": le(next_moment, (1 - tau * mu) ** 2 * _share * r_0 + _floor),
        "another start": eq(At(_solved(_share), _share, 1), r_0 + _floor),
    },
    steps=(
        Step("One step, given where it starts.", "beyond:descent-step"),
        Step(
            "The mean of what is expected given the start of the step is the mean.",
            theorem=TOWER,
            met={"integrable": "Squared norms are not negative."},
        ),
        Step(
            "For all t:",
            theorem=INDUCTION,
            met={
                "start": "At $t = 0$ the solution is $|\\theta_0-\\theta_\\star|^2$: the first relation.",
                "step": "beyond:descent-induction-step",
            },
        ),
        Step("The solution is explicit,", "beyond:descent-recurrence"),
        Step("and at most the contraction plus the floor.", "beyond:descent-recurrence-bounded"),
    ),
    reading=r"$P = (1-\tau\mu)^t$. The relations are the start of the induction at $t = 0$, its step from t to $t + 1$, and that the solution lies below the stated bound. "
    r"$r$, $F$, $B$, $G$ are expectations; smoothness and strong convexity are linear in them, so that they hold for expectations too.",
    tightness=looseness.NOISE_FLOOR,
)

# ------------------------------------------------------------------------------------------- the convex case


_decrease = r - next_moment + noise_of_step

convex_step = page.at("v1 (55), v2 (60)").correction(
    "beyond:descent-convex-step",
    "One step in the convex case, corrected",
    le(2 * tau * F, _decrease),
    r"For $\tau \le 1/((1+\gamma d)L)$ and convex, $L$-smooth $f$ with a minimiser: $f(\theta_t)-f(\theta_\star)$ is at most the expected decrease of the squared "
    r"distance over $2\tau$, plus $d\tau\sigma^2/2$.",
    given=(SMOOTH, STEP_WITH_DIMENSION),
    by=(
        Combination(terms=((tau / L, 2 * L * B - G), (tau, G, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau))),
        Smt(),
        _UNITS,
        descent_worlds.CONVEX_STEP.mapped(descent_worlds.of_convex_step, r, F, B, G, L, gamma, sigma2, d, tau),
        units_worlds.LOSS,
        certificates_worlds.CONVEX.mapped(certificates_worlds.of_convex_step, r, F, B, G, L, gamma, sigma2, d, tau),
    ),
    over=(r,),
    wrong={
        "the noise without the dimension": _decrease - noise_of_step + tau**2 * sigma2,
        "the step without the dimension": changed(
            hypotheses=(SMOOTH, Hypothesis("step", le(tau, 1 / ((1 + gamma) * L))))
        ),
        "twice the value": left(4 * tau * F),
    },
    steps=(Step("One step by both divergences.", "rgm:b1-progress-corrected"),),
    remark="A convex function need not have a minimiser (the exponential function has none): the statement is about any one that there is.",
    tightness=looseness.CONVEX_STEP,
)

_amplified = (1 + gamma * d) * tau * L

convex_long = page.at("v1 (55), v2 (60)").inequality(
    "beyond:descent-convex-long-step",
    "One step in the convex case, up to the end of stability",
    le(2 * tau * (2 - _amplified) * F, _decrease),
    r"For $1 \le u = (1+\gamma d)\tau L \le 2$ the same holds with $(2-u)\left(f(\theta_t)-f(\theta_\star)\right)$ on the left.",
    given=(
        SMOOTH,
        Hypothesis("smoothness, at the minimiser", le(G, 2 * L * F)),
        Hypothesis("a long step", ge(_amplified, 1)),
    ),
    by=(
        Combination(terms=((tau / L, 2 * L * B - G), (tau / L, _amplified - 1, 2 * L * F - G))),
        Smt(),
        descent_worlds.CONVEX_LONG.mapped(descent_worlds.of_convex_long_step, r, F, B, G, L, gamma, sigma2, d, tau),
        units_worlds.LOSS,
        certificates_worlds.CONVEX_LONG.mapped(
            certificates_worlds.of_convex_step, r, F, B, G, L, gamma, sigma2, d, tau
        ),
    ),
    over=(r, sigma2),
    wrong={
        "a short step": without(Hypothesis("a long step", ge(_amplified, 1))),
        "without the loss": left(2 * tau * F),
    },
    remark="With the claim before it: E f at the points, averaged, is at most the bound of the theorem over min(1, 2 - u). On quadratics with curvature L the step is an equality.",
)

_lam = 1 / ((1 + gamma * d) * tau)

convex_attained = page.at("v1 (55), v2 (60)").identity(
    "beyond:descent-convex-attained",
    "A quadratic attains the step of the convex case",
    both(
        eq(2 * tau * At(on_quadratic(F), lam, _lam), At(on_quadratic(_decrease), lam, _lam)),
        eq(_lam / 2 * noise_of_step / (1 - At(quadratic_factor, lam, _lam)), d * tau * sigma2 / 2),
    ),
    r"On $\frac\lambda2|\theta|^2$ with $\lambda = \frac1{(1+\gamma d)\tau}$, which belongs to the class for the longest step allowed, the two sides are equal, so that its floor of "
    r"$E f(\theta_k)$ is $d\tau\sigma^2/2$ itself.",
    by=(Identity(), Smt()),
    wrong={
        "another curvature": eq(
            2 * tau * At(on_quadratic(F), lam, _lam / 2), At(on_quadratic(_decrease), lam, _lam / 2)
        ),
        "without the dimension": eq(_lam / 2 * noise_of_step / (1 - At(quadratic_factor, lam, _lam)), tau * sigma2 / 2),
    },
)

_gaps = page.nonnegative("A", "sum of E f(theta_k) - f(theta_*) over k < t")
_PASSED = real("t", "number of steps before", lower=0, integer=True)
_t = _PASSED.symbol

telescope = page.at("v1 (56), v2 (61)").correction(
    "beyond:descent-convex-sum",
    "The convex case: the sum over the steps",
    le(2 * tau * (_gaps + F) + next_moment, r_0 + (_t + 1) * noise_of_step),
    r"For $\tau \le 1/((1+\gamma d)L)$: $\frac1t\sum_{k<t} E f(\theta_k) - f(\theta_\star) \le \frac{|\theta_0-\theta_\star|^2}{2\tau t} + \frac{d\tau\sigma^2}2$. "
    r"The step of the induction, with $E|\theta_t-\theta_\star|^2$ kept on the left.",
    given=(
        SMOOTH,
        STEP_WITH_DIMENSION,
        Hypothesis("the sum to t", le(2 * tau * _gaps + r, r_0 + _t * noise_of_step), "induction"),
    ),
    by=(
        Deduction((Premise("beyond:descent-convex-step"),)),
        Combination(
            terms=(
                (tau / L, 2 * L * B - G),
                (tau, G, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau),
                (r_0 + _t * noise_of_step - 2 * tau * _gaps - r,),
            )
        ),
    ),
    over=(_PASSED,),
    wrong={
        "the noise of one step": r_0 + noise_of_step,
        "without the dimension": r_0 + (_t + 1) * tau**2 * sigma2,
        "twice the last value": left(2 * tau * (_gaps + 2 * F) + next_moment),
    },
    steps=(Step("One step.", "beyond:descent-convex-step"),),
    reading="r, F, B, G are expectations. What is left of the squared distance is nonnegative and may be dropped at the end.",
)

_times = page.positive("T", "number of points averaged")
_average = page.real("a", "E f at the average of the points, less f(theta_*)")
_mean = page.real("D", "mean of E of the Bregman divergences from the points to their average", lower=0)


average = page.at("v1 (51), v2 (56)").correction(
    "beyond:descent-convex-average",
    "The convex case: the averaged iterate",
    le(_average, r_0 / (2 * tau * _times) + d * tau * sigma2 / 2),
    r"For $\tau \le 1/((1+\gamma d)L)$: $E f(\bar\theta_t) - f(\theta_\star) \le \frac{|\theta_0-\theta_\star|^2}{2\tau t} + \frac{d\tau\sigma^2}2$, because the mean of "
    r"$f(\theta_k)$ is $f(\bar\theta_t)$ plus the mean of $D_f(\theta_k,\bar\theta_t) \ge 0$.",
    given=(
        Hypothesis("the sum", le(2 * tau * _gaps + r, r_0 + _times * noise_of_step), by=("beyond:descent-convex-sum",)),
        Hypothesis(
            "the average",
            eq(_gaps, _times * (_average + _mean)),
            "the tangent at the average: its linear terms add up to 0",
        ),
    ),
    by=(
        Smt(),
        descent_worlds.AVERAGE.mapped(
            descent_worlds.of_average, _gaps, _times, _average, _mean, r, r_0, gamma, sigma2, d, tau
        ),
        Combination(
            terms=(
                (1 / (2 * tau * _times), r_0 + _times * noise_of_step - 2 * tau * _gaps - r),
                (1 / (2 * tau * _times), r),
                (1 / _times, _gaps - _times * (_average + _mean)),
                (_mean,),
            )
        ),
    ),
    points=Chart(
        {
            r_0: (0, None),
            _times: (0, None),
            tau: (0, None),
            sigma2: (0, None),
            d: (0, 50),
            gamma: (0, None),
            r: (0, 1),
            _mean: (0, 1),
        },
        {
            _gaps: (1 - r) * (r_0 + _times * noise_of_step) / (2 * tau),
            r: r * (r_0 + _times * noise_of_step),
            _mean: _mean * (1 - r) * (r_0 + _times * noise_of_step) / (2 * tau * _times),
            _average: (1 - _mean) * (1 - r) * (r_0 + _times * noise_of_step) / (2 * tau * _times),
        },
    ),
    over=(gamma,),
    wrong={
        "without the dimension": r_0 / (2 * tau * _times) + tau * sigma2 / 2,
        "a quarter of the start": r_0 / (8 * tau * _times) + d * tau * sigma2 / 2,
    },
    steps=(
        Step(
            "The sum over the steps:",
            theorem=INDUCTION,
            met={"start": "Of no steps it is 0, and $r = r_0$.", "step": "beyond:descent-convex-sum"},
        ),
        Step(
            "The mean of what is expected given the start of a step is the mean.",
            theorem=TOWER,
            met={"integrable": "Values less the least one and squared norms are not negative."},
        ),
        Step(
            r"$D_f(\theta_k, \bar\theta_t) \ge 0$, and the linear terms of the tangent at $\bar\theta_t$ add up to 0.",
            theorem=TANGENT,
            met={"convex": "f is convex and smooth."},
        ),
    ),
)
