r"""The sharp step sizes of private gradient descent, and its noise floor.

With $k = 1+\gamma d$ the iterates stay bounded on the whole class exactly for $\tau < 2/(kL)$; the factor $1-\tau\mu$ of Theorem 2 is right exactly for
$\tau \le (2L-\mu)/(kL^2)$; $\tau = 2/(k(L+\mu))$ is best. The floor $d\tau\sigma^2/\mu$ is right up to a factor of two; without $d$ it is too low from dimension two on.
The printed condition $\tau \le 1/(L+\gamma)$ adds numbers of different units: it is enough only in dimension 1 for $L \le 1$, and it may let the iterates diverge.
"""

from ...rgm.descent_notation import *
from ...rgm.notation import NOTATION, d, gamma, sigma2
from ...theorems import INDUCTION
from .utility import SHARE, next_share, page as _utility
from .utility_sharp import factor_l, factor_mu

page = Page("beyond", "§5.1", DESCENT_NOTATION, NOTATION, _utility)
_theorem_2 = page.at("Theorem 2; App. B.1")
_BOTH_FACTORS = named("q", Max(factor_mu, factor_l))

stable = _theorem_2.theorem(
    "beyond:stable-steps",
    "The step sizes that keep the iterates bounded",
    Iff(lt(_BOTH_FACTORS, 1), lt(tau, 2 / (k * L))),
    given=MU_BELOW_L,
    by=(Smt(), UNIT_OF_LOSS),
    wrong={
        "as for the exact gradient": Iff(lt(_BOTH_FACTORS, 1), lt(tau, 2 / L)),
        "half of it": Iff(lt(_BOTH_FACTORS, 1), lt(tau, 1 / (k * L))),
    },
)

sharp_step = _theorem_2.theorem(
    "beyond:sharp-step-size",
    "The step sizes for which 1 - tau mu is a factor",
    Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, (2 * L - mu) / (k * L**2))),
    r"It is the simple condition for equal curvatures, and nearly twice that for $\mu \ll L$. For longer steps Theorem 2 fails at the first step from a far start, with any constant before its noise.",
    given=MU_BELOW_L,
    by=(Smt(), UNIT_OF_LOSS),
    wrong={
        "the simple condition": Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, 1 / (k * L))),
        "twice the simple condition": Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, 2 / (k * L))),
        "without the noise": Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, (2 * L - mu) / L**2)),
    },
)

_best = 1 - 4 * mu * L / (k * (L + mu) ** 2)

best_step = _theorem_2.theorem(
    "beyond:best-step-size",
    "The step size with the best rate",
    both(
        ge(_BOTH_FACTORS, _best),
        le(factor_mu.subs(tau, 2 / (k * (L + mu))), _best),
        le(factor_l.subs(tau, 2 / (k * (L + mu))), _best),
    ),
    given=MU_BELOW_L,
    by=(Smt(), UNIT_OF_LOSS),
    wrong={
        "a better rate": ge(_BOTH_FACTORS, 1 - 3 * mu * L / (k * (L + mu) ** 2)),
        "attained at 1/(kL)": le(factor_mu.subs(tau, 1 / (k * L)), _best),
    },
)

_BELOW_STABLE = Hypothesis("a stable step", lt(k * tau * mu, 2))
_floor = d * tau * sigma2 / (mu * (2 - k * tau * mu))

floor = _theorem_2.inequality(
    "beyond:noise-floor-within-two",
    "The noise floor of the theorem is right up to a factor of two",
    chain(d * tau * sigma2 / (2 * mu), "<=", _floor, "<=", d * tau * sigma2 / mu),
    r"In the middle is the limit of the second moment on $\frac\mu2\|\theta\|^2$; the upper end is attained at the longest step.",
    given=Hypothesis("a short step", le(k * tau * mu, 1)),
    by=(Smt(), UNIT_OF_LOSS),
    wrong={
        "within three quarters": le(3 * d * tau * sigma2 / (4 * mu), _floor),
        "at most half": le(_floor, d * tau * sigma2 / (2 * mu)),
    },
    steps="beyond:sharp-second-moment",
)

rate = _theorem_2.inequality(
    "beyond:rate-within-two",
    "The rate of the theorem is right up to a factor of two in the number of steps",
    chain((1 - tau * mu) ** 2, "<=", factor_mu, "<=", 1 - tau * mu),
    r"In the middle is the exact factor on $\frac\mu2\|\theta\|^2$; the upper end is attained at the longest step.",
    given=Hypothesis("a short step", le(k * tau * mu, 1)),
    by=(Smt(), UNIT_OF_LOSS),
    wrong={
        "the exact factor at most the square": le(factor_mu, (1 - tau * mu) ** 2),
        "longer steps": instead(Hypothesis("a short step", le(k * tau * mu, 2))),
    },
)

floor_dimension = _theorem_2.inequality(
    "beyond:noise-floor-needs-dimension",
    "Without the dimension the noise floor is too low, from dimension two on",
    gt(_floor, tau * sigma2 / mu),
    "So the printed bound fails from some $t$ on.",
    given=(_BELOW_STABLE, Hypothesis("two dimensions", ge(d, 2)), Hypothesis("noise", gt(sigma2, 0))),
    by=(Smt(), UNIT_OF_LOSS),
    points={tau: (0, 2, tau / (k * mu)), d: (1, 50)},
    wrong={
        "in dimension one": without(Hypothesis("two dimensions", ge(d, 2))),
        "with the dimension": d * tau * sigma2 / mu,
    },
    steps="beyond:sharp-second-moment",
)

_PRINTED = 1 / (L + gamma)

enough = _theorem_2.remark(
    "beyond:printed-step-in-one-dimension",
    "When the printed step size is as short as the proof needs",
    Iff(le(_PRINTED, 1 / ((1 + gamma) * L)), le(L, 1)),
    "In dimension 1.",
    wrong={
        "for gamma at most 1": Iff(le(_PRINTED, 1 / ((1 + gamma) * L)), le(gamma, 1)),
        "for L at most 2": Iff(le(_PRINTED, 1 / ((1 + gamma) * L)), le(L, 2)),
    },
)

_unit = page.positive("s", "a change of the unit of the loss")

units = _theorem_2.remark(
    "beyond:step-size-in-another-unit",
    "The corrected step size does not depend on the unit of the loss",
    Iff(le(tau / _unit, 1 / ((1 + gamma * d) * _unit * L)), le(tau, 1 / ((1 + gamma * d) * L))),
    r"With $sf$ for $f$ the constant $L$ becomes $sL$, the same iterates have the step $\tau/s$, and $\gamma$ stays. The printed condition changes with the unit.",
    wrong={
        "as printed": Iff(le(tau / _unit, 1 / (_unit * L + gamma)), le(tau, _PRINTED)),
        "the step not changed": Iff(le(tau, 1 / ((1 + gamma * d) * _unit * L)), le(tau, 1 / ((1 + gamma * d) * L))),
    },
)

_share = SHARE.symbol


def _on_the_line(dimension: int) -> Expr:
    """The next second moment in that dimension."""
    return named(r"E\|\theta_{t+1}-\theta_\star\|^2", next_moment.subs(d, dimension))


on_the_line = _theorem_2.theorem(
    "beyond:descent-theorem-on-the-line",
    "Theorem 2 as printed holds in dimension 1 for L at most 1",
    le(_on_the_line(1), next_share * r_0 + tau * sigma2 / mu),
    "For all $t$. The formula is the step of the induction.",
    given=(
        SMOOTH,
        STRONGLY_CONVEX,
        PRINTED_STEP,
        Hypothesis("L at most 1", le(L, 1)),
        MU_BELOW_L,
        Hypothesis("the bound at t", le(r, _share * r_0 + tau * sigma2 / mu), "induction"),
    ),
    wrong={"L at most 100": instead(Hypothesis("L at most 1", le(L, 100))), "two dimensions": left(_on_the_line(2))},
    steps=(
        INDUCTION.quoted("For all t:", "At $t = 0$ the bound is $r_0$ and more.", "This is what the formula says."),
        Step("The printed step is short enough.", "beyond:printed-step-in-one-dimension"),
        Step("The step of the corrected theorem, in dimension 1.", Premise("beyond:descent-keeps-the-bound", {d: 1})),
    ),
    printed=r"E\|\theta_t-\theta_\star\|^2 \le (1-\tau\mu)^t\,\|\theta_0-\theta_\star\|^2 + \frac{\tau\sigma^2}{\mu}",
)

diverges = _theorem_2.remark(
    "beyond:printed-step-diverges",
    "When the printed step size lets the iterates diverge",
    Iff(ge(quadratic_factor.subs({lam: L, tau: _PRINTED}, simultaneous=True), 1), ge(gamma * (d * L - 2), L)),
    r"On the left is the factor of a step on $\frac L2\|\theta\|^2$. For $L$ of 1 and 100 dimensions it diverges from $\gamma$ of $1/98$ on; in dimensions up to $2/L$ never.",
    wrong={
        "without the dimension": Iff(
            ge(quadratic_factor.subs({lam: L, tau: _PRINTED}, simultaneous=True), 1), ge(gamma * (L - 2), L)
        ),
        "1 for 2": Iff(
            ge(quadratic_factor.subs({lam: L, tau: _PRINTED}, simultaneous=True), 1), ge(gamma * (d * L - 1), L)
        ),
    },
)

_example = {lam: 1, gamma: Rational(1, 10), d: 100, tau: Rational(10, 11)}

example = _theorem_2.remark(
    "beyond:printed-step-example",
    "Ten printed steps, one hundred dimensions",
    both(gt(quadratic_factor.subs(_example) ** 10, 10**9), lt((1 - _example[tau]) ** 10, Rational(1, 10**10))),
    r"Half of the squared norm in dimension 100, $\gamma$ of 1/10 and the printed step of 10/11: the squared distance grows where Theorem 2 promises that it falls.",
    wrong={
        "in dimension 1": gt(quadratic_factor.subs({**_example, d: 1}) ** 10, 1),
        "with the corrected step": gt(quadratic_factor.subs({**_example, tau: Rational(1, 11)}) ** 10, 1),
    },
    steps="beyond:sharp-second-moment",
    printed=r"q_\lambda^{10} > 10^9 \quad\text{and}\quad (1-\tau\mu)^{10} < 10^{-10}",
)
