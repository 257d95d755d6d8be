r"""Private gradient descent: Theorem 2, corrected.

With $k = 1 + \gamma d$ a step has the second moment $r - 2\tau\,g\cdot(\theta-\theta_\star) + k\tau^2|g|^2 + d\tau^2\sigma^2$. For $\tau \le 1/(kL)$ it contracts by $1-\tau\mu$,
which gives Theorem 2 with $d\tau\sigma^2/\mu$.
"""

import numpy as np

from ... import looseness
from ...rgm.descent_notation import *
from ...rgm.notation import NOTATION, d, gamma, sigma2
from ...theorems import INDUCTION, TOWER
from . import utility_worlds as worlds

page = Page("beyond", "App. B.1", DESCENT_NOTATION, NOTATION)
_theorem_2 = page.elsewhere("§5.1, Theorem 2; App. B.1")
UNITS = Units({r: 2, F: 2, B: 2, G: 2, r_0: 2, sigma2: 2})
_VARIANCE, _COORDINATE = positive("v", "variance per coordinate"), real("z", "one coordinate of the noise")
_v, _z, _along = _VARIANCE.symbol, _COORDINATE.symbol, real("u").symbol
_density = named(r"\varphi(z)", exp(-(_z**2) / (2 * _v)) / sqrt(2 * pi * _v))


def simulated_noise(
    samples: int, generator: np.random.Generator, false_alarm: float, scale: float
) -> tuple[float, float] | None:
    """A confidence interval for E|xi|^2 of releases of (1, 2, 2) with gamma = 1/2 and sigma^2 = 3/2, the noise times `scale`."""
    from rgm_verify.balls.statistics.confidence import gaussian_variance_interval
    from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

    gradient = np.tile([1.0, 2.0, 2.0], (samples, 1))
    noise = scale * (RelativeGaussianMechanism("1/2", "3/2").release(gradient, generator) - gradient)
    found = gaussian_variance_interval(float(np.sum(noise**2)), noise.size, false_alarm)
    return 3 * found.lower, 3 * found.upper


noise = page.at("first display, third line").identity(
    "beyond:noise-second-moment",
    "The second moment of the noise",
    eq(Derivative(_v * erf(_z / sqrt(2 * _v)) / 2 - _v * _z * _density, _z), _z**2 * _density),
    r"The function whose derivative is $z^2$ times the density of $N(0, v)$ grows by $v$ over the line; all coordinates have $d\,v$ together.",
    by=(
        Identity(),
        Quadrature(-(_along**2) / (2 * _v), _along, _v, _along**2 / sqrt(2 * pi * _v)),
        Simulation(simulated_noise, d * _v, {d: 3, _v: 6}),
    ),
    points={_v: (0, 5), _z: (-5, 5)},
    over=(_VARIANCE, _COORDINATE),
    wrong={"without the boundary term": left(Derivative(_v * erf(_z / sqrt(2 * _v)) / 2, _z)), "twice": scaled(2)},
)

MEAN_OF_MEANS = TOWER.quoted(
    "The mean of what is expected given the start of a step is the mean.", "Squared norms are not negative."
)
#: What smoothness and a short step add to a decrease; with strong convexity, the terms of a step.
CONVEX_TERMS = ((tau / L, 2 * L * B - G), (tau, G, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau))
_STEP_TERMS = ((tau, 2 * F - mu * r), *CONVEX_TERMS)
_contracted = (1 - tau * mu) * r + noise_of_step

step = _theorem_2.theorem(
    "beyond:descent-step",
    "A private gradient step contracts by 1 - tau mu, up to its noise",
    le(next_moment, _contracted),
    r"For every $\mu$-strongly convex, $L$-smooth $f$.",
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION),
    by=(
        combination(*_STEP_TERMS),
        Smt(),
        UNITS,
        worlds.STEP.mapped(worlds.of_short_step, r, F, B, G, mu, L, gamma, sigma2, d, tau),
        UNIT_OF_LOSS,
    ),
    wrong={
        "the step without the dimension": instead(
            Hypothesis("step with the dimension", le(tau, 1 / ((1 + gamma) * L)))
        ),
        "the noise without the dimension": _contracted - noise_of_step + tau**2 * sigma2,
        "twice mu": _contracted - tau * mu * r,
    },
    steps=(
        TOWER.quoted(
            "What is expected given the point: the noise has mean 0, and a second moment that the point fixes.",
            "Squared norms are not negative.",
        ),
        Step("The second moment of the noise.", "beyond:noise-second-moment"),
        Step("One step by both divergences.", "rgm:b1-progress-corrected"),
        Step("Strong convexity.", "rgm:b1-strong-convexity"),
    ),
    tightness=Tightness(
        (1 - looseness.tau / 10) / looseness.once,
        looseness.STEP,
        r"the bound over the second moment after one step without baseline noise, on $\frac\lambda2x^2$ with $\mu = \frac1{10}$, $L = 1$, $k = 1+\gamma d$, $\tau = s/k$",
        at={looseness.lam: 1, looseness.k: 2},
        plot=(looseness.s,),
    ),
)

SHARE = nonnegative("P", "(1 - tau mu)^t", upper=1, latex=r"(1-\tau\mu)^t")
_share = page.add(SHARE)
#: The share a step later.
next_share = named(r"(1-\tau\mu)^{t+1}", (1 - tau * mu) * _share)
_floor = d * tau * sigma2 / mu
_STABLE = Hypothesis("mu tau at most 1", le(tau * mu, 1), "mu <= L")
_q = page.positive("q", "1 - tau mu", upper=1)
_b = page.nonnegative("phi", "the floor, d tau sigma^2/mu", latex=r"\varphi")
_index = page.real("t", "number of steps", lower=0, integer=True)

#: The solution of R' = q R + (1 - q) phi that starts at r_0.
_solution = named("R_t", _q**_index * r_0 + _b * (1 - _q**_index))
_later = named("R_{t+1}", At(_solution, _index, _index + 1))

recurrence = _theorem_2.identity(
    "beyond:descent-recurrence",
    "The recurrence of the second moment, solved",
    both(eq(named("R_0", At(_solution, _index, 0)), r_0), eq(_later, _q * _solution + (1 - _q) * _b)),
    wrong={
        "a step more": eq(_later, _q**2 * _solution + (1 - _q) * _b),
        "noise twice": eq(_later, _q * _solution + 2 * (1 - _q) * _b),
    },
    reading=r"$q = 1 - \tau\mu$ and $\varphi = d\tau\sigma^2/\mu$: a step adds $(1-q)\varphi = d\tau^2\sigma^2$. For $q = 0$ it is $\varphi$ from the first step on.",
)

solution_bounded = _theorem_2.inequality(
    "beyond:descent-recurrence-bounded",
    "The solution of the recurrence lies below its contraction plus its floor",
    le(_solution, _q**_index * r_0 + _b),
    by=combination((_b, _q**_index)),
    points={_b: (0, 4), _index: (0, 9), r_0: (0, 4)},
    wrong={"without the start": _b, "half of the floor": _q**_index * r_0 + _b / 2},
)

_AT_T = Hypothesis("the bound at t", le(r, _share * r_0 + _floor), "induction")

keeps_the_bound = _theorem_2.inequality(
    "beyond:descent-keeps-the-bound",
    "A step keeps the bound of Theorem 2, corrected",
    le(next_moment, next_share * r_0 + _floor),
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION, _STABLE, _AT_T),
    by=(
        combination(*_STEP_TERMS, (1 - tau * mu, _share * r_0 + _floor - r)),
        UNITS,
        worlds.THEOREM.mapped(worlds.of_theorem, r, F, B, G, r_0, _share, mu, L, gamma, sigma2, d, tau),
        UNIT_OF_LOSS,
    ),
    wrong={
        "without the dimension": next_share * r_0 + tau * sigma2 / mu,
        "a floor of half the size": next_share * r_0 + _floor / 2,
        "contraction twice": (1 - tau * mu) ** 2 * _share * r_0 + _floor,
    },
    steps=Step("One step.", Premise("beyond:descent-step")),
)


def _solved(share: Expr, title: str = "R_t") -> Expr:
    """The solution of the recurrence where (1 - tau mu)^t is `share`."""
    return named(title, share * r_0 + _floor * (1 - share))


_next_solved = _solved(next_share, "R_{t+1}")
_start = named("R_0", At(_solved(_share), _share, 1))
_SOLVED_AT_T = Hypothesis("the solution at t", le(r, _solved(_share)), "induction")

induction_step = _theorem_2.inequality(
    "beyond:descent-induction-step",
    "A step stays below the solution of the recurrence",
    le(next_moment, _next_solved),
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION, _STABLE, _SOLVED_AT_T),
    by=(
        combination(*_STEP_TERMS, (1 - tau * mu, _solved(_share) - r)),
        UNITS,
        worlds.RECURRENCE.mapped(worlds.of_theorem, r, F, B, G, r_0, _share, mu, L, gamma, sigma2, d, tau),
    ),
    wrong={"without the floor": next_share * r_0, "contraction twice": _solved((1 - tau * mu) ** 2 * _share)},
    steps=(
        Step("One step, given where it starts.", "beyond:descent-step"),
        Step("The solution.", "beyond:descent-recurrence"),
    ),
    over=EXPECTED,
)

theorem = _theorem_2.theorem(
    "beyond:descent-theorem",
    "Theorem 2, corrected, in the strongly convex case",
    both(eq(_start, r_0), le(next_moment, _next_solved), le(_next_solved, next_share * r_0 + _floor)),
    r"For all $t$, and every $\mu$-strongly convex, $L$-smooth $f$.",
    given=(SMOOTH, STRONGLY_CONVEX, STEP_WITH_DIMENSION, _STABLE, _SOLVED_AT_T),
    by=(worlds.THEOREM.mapped(worlds.of_theorem, r, F, B, G, r_0, _share, mu, L, gamma, sigma2, d, tau), UNIT_OF_LOSS),
    wrong={
        "a floor without the dimension": le(_next_solved, next_share * r_0 + tau * sigma2 / mu),
        "a floor of half the size": le(next_moment, next_share * r_0 + _floor / 2),
        "contraction twice": le(next_moment, (1 - tau * mu) ** 2 * _share * r_0 + _floor),
        "another start": eq(_start, r_0 + _floor),
    },
    steps=(
        Premise("beyond:descent-induction-step"),
        Step("One step, given where it starts.", "beyond:descent-step"),
        MEAN_OF_MEANS,
        INDUCTION.quoted(
            "For all t:",
            "At $t = 0$ the solution is $|\\theta_0-\\theta_\\star|^2$: the first relation.",
            "beyond:descent-induction-step",
        ),
        Step("The solution is explicit,", "beyond:descent-recurrence"),
        Step("and at most the contraction plus the floor.", "beyond:descent-recurrence-bounded"),
    ),
    over=EXPECTED,
    reading="The relations are the start of the induction at $t = 0$, its step from t to $t + 1$, and that the solution lies below the stated bound. "
    "Smoothness and strong convexity are linear in them, so that they hold for expectations too.",
    tightness=Tightness(
        10 * looseness.lam * (2 - looseness.s * looseness.lam),
        {looseness.lam: (looseness.TENTH, 1), looseness.s: (looseness.TENTH, 1)},
        r"the noise term $d\tau\sigma^2/\mu$ over what remains on $\frac\lambda2|\theta|^2$, with $\mu = \frac1{10}$, $L = 1$, $s = (1+\gamma d)L\tau$",
    ),
    printed=r"E\|\theta_t-\theta_\star\|^2 \le (1-\tau\mu)^t\,\|\theta_0-\theta_\star\|^2 + \frac{d\tau\sigma^2}{\mu}",
)
