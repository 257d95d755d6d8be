r"""The sharp step sizes of private gradient descent, and its noise floor.

With $k = 1+\gamma d$ the iterates stay bounded on the whole class exactly for $\tau < 2/(kL)$; the factor $1-\tau\mu$ of Theorem 2 is right exactly for
$\tau \le (2L-\mu)/(kL^2)$; $\tau = 2/(k(L+\mu))$ is best. The floor $d\tau\sigma^2/\mu$ is right up to a factor of two; without $d$ it is too low from dimension two on.
The printed condition $\tau \le 1/(L+\gamma)$ adds numbers of different units: it is enough only in dimension 1 for $L \le 1$, and it may let the iterates diverge.
"""

from sympy import Max, Rational

from rgm_verify.claims import Chart, Claim, Hypothesis, Iff, Mutant, Step, both, chain, ge, gt, le, lt, positive
from rgm_verify.lenses import Deduction, Premise, Smt

from ..rgm.descent_notation import (
    AMPLIFICATION,
    GAP,
    MU_BELOW_L,
    PRINTED_STEP,
    REVERSE_GAP,
    SMOOTH,
    SMOOTHNESS,
    SQUARED_DISTANCE,
    SQUARED_GRADIENT,
    START,
    STEP,
    STRONG_CONVEXITY,
    STRONGLY_CONVEX,
    L,
    k,
    lam,
    mu,
    next_moment,
    quadratic_factor,
    r,
    r_0,
    tau,
)
from ..rgm.notation import DIMENSION, GAMMA, SIGMA2, d, gamma, sigma2
from ..theorems import INDUCTION
from ..worlds import units as units_worlds
from .utility import SHARE
from .utility_sharp import factor_l, factor_mu

_WHERE = "§5.1, Theorem 2; App. B.1"
_CLASS = (STRONG_CONVEXITY, SMOOTHNESS)


_BOTH_FACTORS = Max(factor_mu, factor_l)
_STEPS = (*_CLASS, STEP, AMPLIFICATION)

stable = Claim(
    id="beyond:stable-steps",
    title="The step sizes that keep the iterates bounded",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=r"$q < 1$ exactly for $\tau < \frac2{(1+\gamma d)L}$.",
    variables=_STEPS,
    hypotheses=(MU_BELOW_L,),
    conclusion=Iff(lt(_BOTH_FACTORS, 1), lt(tau, 2 / (k * L))),
    checks=(
        Smt(),
        units_worlds.LOSS,
    ),
    mutants=(
        Mutant("as for the exact gradient", Iff(lt(_BOTH_FACTORS, 1), lt(tau, 2 / L))),
        Mutant("half of it", Iff(lt(_BOTH_FACTORS, 1), lt(tau, 1 / (k * L)))),
    ),
)

sharp_step = Claim(
    id="beyond:sharp-step-size",
    title="The step sizes for which 1 - tau mu is a factor",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"$q \le 1-\tau\mu$ exactly for $\tau \le \frac{2L-\mu}{(1+\gamma d)L^2}$, which is $\frac1{(1+\gamma d)L}$ for $\mu = L$ and nearly twice that for $\mu \ll L$. For longer steps "
        r"Theorem 2 fails at $t = 1$ from a far start, with any constant before its noise."
    ),
    variables=_STEPS,
    hypotheses=(MU_BELOW_L,),
    conclusion=Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, (2 * L - mu) / (k * L**2))),
    checks=(
        Smt(),
        units_worlds.LOSS,
    ),
    mutants=(
        Mutant("the simple condition", Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, 1 / (k * L)))),
        Mutant("twice the simple condition", Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, 2 / (k * L)))),
        Mutant("without the noise", Iff(le(_BOTH_FACTORS, 1 - tau * mu), le(tau, (2 * L - mu) / L**2))),
    ),
)

_best = 1 - 4 * mu * L / (k * (L + mu) ** 2)

best_step = Claim(
    id="beyond:best-step-size",
    title="The step size with the best rate",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=r"$q \ge 1 - \frac{4\mu L}{(1+\gamma d)(L+\mu)^2}$ for every $\tau$, with equality at $\tau = \frac2{(1+\gamma d)(L+\mu)}$.",
    variables=_STEPS,
    hypotheses=(MU_BELOW_L,),
    conclusion=both(
        ge(_BOTH_FACTORS, _best),
        le(factor_mu.subs(tau, 2 / (k * (L + mu))), _best),
        le(factor_l.subs(tau, 2 / (k * (L + mu))), _best),
    ),
    checks=(
        Smt(),
        units_worlds.LOSS,
    ),
    mutants=(
        Mutant("a better rate", ge(_BOTH_FACTORS, 1 - 3 * mu * L / (k * (L + mu) ** 2))),
        Mutant("attained at 1/(kL)", le(factor_mu.subs(tau, 1 / (k * L)), _best)),
    ),
)

# ------------------------------------------------------------------------------------------- the floor


_BELOW_STABLE = Hypothesis("a stable step", lt(k * tau * mu, 2))
_floor = d * tau * sigma2 / (mu * (2 - k * tau * mu))

floor = Claim(
    id="beyond:noise-floor-within-two",
    title="The noise floor of the theorem is right up to a factor of two",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"On $\frac\mu2|\theta|^2$ the second moment tends to $\frac{d\tau\sigma^2}{\mu(2-k\tau\mu)}$, for $k\tau\mu \le 1$ between half of $d\tau\sigma^2/\mu$ and all of it, which is attained at $k\tau\mu = 1$."
    ),
    variables=(STRONG_CONVEXITY, STEP, AMPLIFICATION, SIGMA2, DIMENSION),
    hypotheses=(Hypothesis("a short step", le(k * tau * mu, 1)),),
    conclusion=chain(d * tau * sigma2 / (2 * mu), "<=", _floor, "<=", d * tau * sigma2 / mu),
    checks=(
        Smt(),
        units_worlds.LOSS,
    ),
    derivation=(Step(claim="beyond:sharp-second-moment"),),
    mutants=(
        Mutant("within three quarters", le(3 * d * tau * sigma2 / (4 * mu), _floor)),
        Mutant("at most half", le(_floor, d * tau * sigma2 / (2 * mu))),
    ),
)

rate = Claim(
    id="beyond:rate-within-two",
    title="The rate of the theorem is right up to a factor of two in the number of steps",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $k\tau\mu \le 1$ the exact factor on $\frac\mu2|\theta|^2$ is between $(1-\tau\mu)^2$ and $1-\tau\mu$, which is attained at $k\tau\mu = 1$.",
    variables=(STRONG_CONVEXITY, STEP, AMPLIFICATION),
    hypotheses=(Hypothesis("a short step", le(k * tau * mu, 1)),),
    conclusion=chain((1 - tau * mu) ** 2, "<=", factor_mu, "<=", 1 - tau * mu),
    checks=(
        Smt(),
        units_worlds.LOSS,
    ),
    mutants=(
        Mutant("the exact factor at most the square", le(factor_mu, (1 - tau * mu) ** 2)),
        Mutant("longer steps", hypotheses=(Hypothesis("step", le(k * tau * mu, 2)),)),
    ),
)

floor_dimension = Claim(
    id="beyond:noise-floor-needs-dimension",
    title="Without the dimension the noise floor is too low, from dimension two on",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"For $d \ge 2$, every stable $\tau$ and $\sigma > 0$ the second moment on $\frac\mu2|\theta|^2$ tends to more than $\tau\sigma^2/\mu$, so that the printed bound fails from some $t$ on.",
    variables=(STRONG_CONVEXITY, STEP, AMPLIFICATION, SIGMA2, DIMENSION),
    hypotheses=(_BELOW_STABLE, Hypothesis("two dimensions", ge(d, 2)), Hypothesis("noise", gt(sigma2, 0))),
    conclusion=gt(_floor, tau * sigma2 / mu),
    checks=(
        Smt(),
        units_worlds.LOSS,
    ),
    derivation=(Step(claim="beyond:sharp-second-moment"),),
    sampling=Chart(
        {mu: (0, None), k: (1, None), tau: (0, 2), sigma2: (0, None), d: (1, 50)},
        {tau: tau / (k * mu), mu: mu, k: k, sigma2: sigma2, d: d},
    ),
    mutants=(
        Mutant("in dimension one", hypotheses=(_BELOW_STABLE, Hypothesis("noise", gt(sigma2, 0)))),
        Mutant("with the dimension", gt(_floor, d * tau * sigma2 / mu)),
    ),
)

# ------------------------------------------------------------------------------------------- the printed step size


_PRINTED = 1 / (L + gamma)

enough = Claim(
    id="beyond:printed-step-in-one-dimension",
    title="When the printed step size is as short as the proof needs",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=r"In dimension 1 $\frac1{L+\gamma} \le \frac1{(1+\gamma)L}$ exactly for $L \le 1$.",
    variables=(SMOOTHNESS, GAMMA),
    conclusion=Iff(le(_PRINTED, 1 / ((1 + gamma) * L)), le(L, 1)),
    checks=(Smt(),),
    mutants=(
        Mutant("for gamma at most 1", Iff(le(_PRINTED, 1 / ((1 + gamma) * L)), le(gamma, 1))),
        Mutant("for L at most 2", Iff(le(_PRINTED, 1 / ((1 + gamma) * L)), le(L, 2))),
    ),
)

_UNIT = positive("s", "a change of the unit of the loss")
_unit = _UNIT.symbol

units = Claim(
    id="beyond:step-size-in-another-unit",
    title="The corrected step size does not depend on the unit of the loss",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=r"With $sf$ for $f$ the constant $L$ becomes $sL$, the same iterates have the step $\tau/s$, and $\gamma$ stays: $\tau \le \frac1{(1+\gamma d)L}$ says the same in either unit; $\tau \le \frac1{L+\gamma}$ does not.",
    variables=(SMOOTHNESS, GAMMA, DIMENSION, STEP, _UNIT),
    conclusion=Iff(le(tau / _unit, 1 / ((1 + gamma * d) * _unit * L)), le(tau, 1 / ((1 + gamma * d) * L))),
    checks=(Smt(),),
    mutants=(
        Mutant("as printed", Iff(le(tau / _unit, 1 / (_unit * L + gamma)), le(tau, _PRINTED))),
        Mutant(
            "the step not changed", Iff(le(tau, 1 / ((1 + gamma * d) * _unit * L)), le(tau, 1 / ((1 + gamma * d) * L)))
        ),
    ),
)

_share = SHARE.symbol
_AT_ONE = {d: 1}

on_the_line = Claim(
    id="beyond:descent-theorem-on-the-line",
    title="Theorem 2 as printed holds in dimension 1 for L at most 1",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=r"For $d = 1$, $L \le 1$ and $\tau \le 1/(L+\gamma)$ the printed bound holds for all $t$. The step of the induction.",
    variables=(SQUARED_DISTANCE, GAP, REVERSE_GAP, SQUARED_GRADIENT, START, SHARE, *_CLASS, GAMMA, SIGMA2, STEP),
    hypotheses=(
        SMOOTH,
        STRONGLY_CONVEX,
        PRINTED_STEP,
        Hypothesis("L at most 1", le(L, 1)),
        MU_BELOW_L,
        Hypothesis("the bound at t", le(r, _share * r_0 + tau * sigma2 / mu), "induction"),
    ),
    conclusion=le(next_moment.subs(d, 1), (1 - tau * mu) * _share * r_0 + tau * sigma2 / mu),
    checks=(Deduction((Premise("beyond:descent-keeps-the-bound", _AT_ONE),)),),
    mutants=(
        Mutant(
            "L at most 100",
            hypotheses=(
                SMOOTH,
                STRONGLY_CONVEX,
                PRINTED_STEP,
                Hypothesis("L", le(L, 100)),
                MU_BELOW_L,
                Hypothesis("the bound at t", le(r, _share * r_0 + tau * sigma2 / mu)),
            ),
        ),
        Mutant("two dimensions", le(next_moment.subs(d, 2), (1 - tau * mu) * _share * r_0 + tau * sigma2 / mu)),
    ),
    derivation=(
        Step(
            "For all t:",
            theorem=INDUCTION,
            met={"start": "At $t = 0$ the bound is $r_0$ and more.", "step": "This is what the formula says."},
        ),
        Step("The printed step is short enough.", "beyond:printed-step-in-one-dimension"),
        Step("The step of the corrected theorem, in dimension 1.", "beyond:descent-keeps-the-bound"),
    ),
)

diverges = Claim(
    id="beyond:printed-step-diverges",
    title="When the printed step size lets the iterates diverge",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"On $\frac L2|\theta|^2$ with $\tau = 1/(L+\gamma)$ a step multiplies the second moment with at least 1 exactly if $\gamma(dL-2) \ge L$: for $L = 1$, $d = 100$ from $\gamma = 1/98$ on; for $dL \le 2$ never."
    ),
    variables=(SMOOTHNESS, GAMMA, DIMENSION),
    conclusion=Iff(
        ge(quadratic_factor.subs({lam: L, tau: _PRINTED}, simultaneous=True), 1), ge(gamma * (d * L - 2), L)
    ),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "without the dimension",
            Iff(ge(quadratic_factor.subs({lam: L, tau: _PRINTED}, simultaneous=True), 1), ge(gamma * (L - 2), L)),
        ),
        Mutant(
            "1 for 2",
            Iff(ge(quadratic_factor.subs({lam: L, tau: _PRINTED}, simultaneous=True), 1), ge(gamma * (d * L - 1), L)),
        ),
    ),
)

_example = {lam: 1, gamma: Rational(1, 10), d: 100, tau: Rational(10, 11)}

example = Claim(
    id="beyond:printed-step-example",
    title="Ten printed steps, one hundred dimensions",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"For $f = \frac12|\theta|^2$ in dimension 100, $\gamma = 1/10$ and the printed $\tau = 10/11$, ten steps multiply the squared distance with more than $10^9$, where Theorem 2 promises less than $10^{-10}$."
    ),
    conclusion=both(
        gt(quadratic_factor.subs(_example) ** 10, 10**9), lt((1 - _example[tau]) ** 10, Rational(1, 10**10))
    ),
    mutants=(
        Mutant("in dimension 1", gt(quadratic_factor.subs({**_example, d: 1}) ** 10, 1)),
        Mutant("with the corrected step", gt(quadratic_factor.subs({**_example, tau: Rational(1, 11)}) ** 10, 1)),
    ),
    derivation=(Step(claim="beyond:sharp-second-moment"),),
)
