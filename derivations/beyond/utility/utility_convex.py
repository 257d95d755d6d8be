r"""Private gradient descent on convex functions, corrected: one step, the sum over the steps, and the averaged iterate.

For $\tau \le 1/(kL)$ the value is paid for by the decrease of the squared distance, up to a floor of $d\tau\sigma^2/2$.
"""

from ... import looseness
from ...rgm.descent_notation import *
from ...rgm.notation import d, gamma, sigma2
from ...theorems import INDUCTION, TANGENT, TOWER
from . import certificates, utility_worlds as worlds
from .utility import CONVEX_TERMS, UNITS, page as _utility

page = Page("beyond", "App. B.1", _utility)
_decrease = r - next_moment + noise_of_step

convex_step = page.at("v1 (55), v2 (60)").correction(
    "beyond:descent-convex-step",
    "One step in the convex case, corrected",
    le(2 * tau * F, _decrease),
    "For convex, $L$-smooth $f$ with a minimiser.",
    given=(SMOOTH, STEP_WITH_DIMENSION),
    by=(
        combination(*CONVEX_TERMS),
        Smt(),
        UNITS,
        worlds.CONVEX_STEP.mapped(worlds.of_convex_step, r, F, B, G, L, gamma, sigma2, d, tau),
        UNIT_OF_LOSS,
        certificates.CONVEX.mapped(certificates.of_convex_step, r, F, B, G, L, gamma, sigma2, d, tau),
    ),
    over=(r,),
    wrong={
        "the noise without the dimension": _decrease - noise_of_step + tau**2 * sigma2,
        "the step without the dimension": instead(
            Hypothesis("step with the dimension", le(tau, 1 / ((1 + gamma) * L)))
        ),
        "twice the value": left(4 * tau * F),
    },
    steps=Step("One step by both divergences.", "rgm:b1-progress-corrected"),
    remark="A convex function need not have a minimiser (the exponential function has none): the statement is about any one that there is.",
    tightness=Tightness(
        2 - looseness.s * looseness.lam,
        {looseness.lam: (looseness.TENTH, 1), looseness.s: (looseness.TENTH, 1)},
        r"the right side over the left one, on $\frac\lambda2x^2$ with $L = 1$, $s = (1+\gamma d)\tau$",
    ),
    printed=r"f(\theta_t)-f(\theta_\star) \le \frac{E\left[\|\theta_t-\theta_\star\|^2-\|\theta_{t+1}-\theta_\star\|^2\right]}{2\tau} + \frac{d\tau\sigma^2}{2}",
)

_amplified = (1 + gamma * d) * tau * L

convex_long = page.at("v1 (55), v2 (60)").inequality(
    "beyond:descent-convex-long-step",
    "One step in the convex case, up to the end of stability",
    le(2 * tau * (2 - _amplified) * F, _decrease),
    "The value counts less the longer the step is, and not at all at the end of stability.",
    given=(
        SMOOTH,
        Hypothesis("smoothness, at the minimiser", le(G, 2 * L * F)),
        Hypothesis("a long step", ge(_amplified, 1)),
    ),
    by=(
        combination((tau / L, 2 * L * B - G), (tau / L, _amplified - 1, 2 * L * F - G)),
        Smt(),
        worlds.CONVEX_LONG.mapped(worlds.of_convex_long_step, r, F, B, G, L, gamma, sigma2, d, tau),
        UNIT_OF_LOSS,
        certificates.CONVEX_LONG.mapped(certificates.of_convex_step, r, F, B, G, L, gamma, sigma2, d, tau),
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
    "Its curvature belongs to the class for the longest step allowed; the floor of the values is attained too.",
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
    "The formula is the step of the induction, with the last distance kept on the left.",
    given=(
        SMOOTH,
        STEP_WITH_DIMENSION,
        Hypothesis("the sum to t", le(2 * tau * _gaps + r, r_0 + _t * noise_of_step), "induction"),
    ),
    by=combination(*CONVEX_TERMS, (r_0 + _t * noise_of_step - 2 * tau * _gaps - r,)),
    over=(*EXPECTED, _PASSED),
    wrong={
        "the noise of one step": r_0 + noise_of_step,
        "without the dimension": r_0 + (_t + 1) * tau**2 * sigma2,
        "twice the last value": left(2 * tau * (_gaps + 2 * F) + next_moment),
    },
    steps=Step("One step.", Premise("beyond:descent-convex-step")),
    reading="The remaining squared distance is nonnegative and may be dropped at the end.",
    printed=r"\frac1t\sum_{k=0}^{t-1} E f(\theta_k) - f(\theta_\star) \le \frac{\|\theta_0-\theta_\star\|^2}{2\tau t} + \frac{d\tau\sigma^2}{2}",
)

_times = page.positive("T", "number of points averaged", latex="t")
_average = page.real(
    "a", "E f at the average of the points, less f(theta_*)", latex=r"E f(\bar\theta_t)-f(\theta_\star)"
)
_mean = page.real("D", "mean of E of the Bregman divergences from the points to their average", lower=0)

average = page.at("v1 (51), v2 (56)").correction(
    "beyond:descent-convex-average",
    "The convex case: the averaged iterate",
    le(_average, r_0 / (2 * tau * _times) + d * tau * sigma2 / 2),
    "The mean of the values is the value at the average, plus a mean of Bregman divergences.",
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
        worlds.AVERAGE.mapped(worlds.of_average, _gaps, _times, _average, _mean, r, r_0, gamma, sigma2, d, tau),
        combination(
            (1 / (2 * tau * _times), r_0 + _times * noise_of_step - 2 * tau * _gaps - r),
            (1 / (2 * tau * _times), r),
            (1 / _times, _gaps - _times * (_average + _mean)),
            (_mean,),
        ),
    ),
    points={
        d: (0, 50),
        r: (0, 1, r * (r_0 + _times * noise_of_step)),
        _mean: (0, 1, _mean * (1 - r) * (r_0 + _times * noise_of_step) / (2 * tau * _times)),
        _gaps: (1 - r) * (r_0 + _times * noise_of_step) / (2 * tau),
        _average: (1 - _mean) * (1 - r) * (r_0 + _times * noise_of_step) / (2 * tau * _times),
    },
    over=(gamma, EXPECTED[0]),
    wrong={
        "without the dimension": r_0 / (2 * tau * _times) + tau * sigma2 / 2,
        "a quarter of the start": r_0 / (8 * tau * _times) + d * tau * sigma2 / 2,
    },
    steps=(
        INDUCTION.quoted("The sum over the steps:", "Of no steps it is 0, and $r = r_0$.", "beyond:descent-convex-sum"),
        TOWER.quoted(
            "The mean of what is expected given the start of a step is the mean.",
            "Values less the least one and squared norms are not negative.",
        ),
        TANGENT.quoted(
            r"$D_f(\theta_k, \bar\theta_t) \ge 0$, and the linear terms of the tangent at $\bar\theta_t$ add up to 0.",
            "f is convex and smooth.",
        ),
    ),
)
