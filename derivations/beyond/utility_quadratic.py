r"""Private gradient descent on quadratics: second moments exactly, and the trace in the place of the dimension.

In the eigenbasis of $f(\theta) = \frac12(\theta-\theta_\star)^\top A(\theta-\theta_\star)$, with $m_i = E(\theta-\theta_\star)_i^2$ and $g = \sum_i\lambda_i^2m_i = E|\nabla f|^2$, a step is
$m_i \mapsto (1-\tau\lambda_i)^2m_i + \tau^2(\gamma g + \sigma^2)$: the coordinates speak to each other through the noise alone. With $S = \sum_i \frac{\tau\lambda_i}{2-\tau\lambda_i}$ the energy
$V = \sum_i \frac{\lambda_i}{\tau(2-\tau\lambda_i)}m_i$ obeys $V' = V - (1-\gamma S)\,g + S\sigma^2$. So the iterates stay bounded exactly for $\gamma S < 1$ (and $\tau\lambda_i < 2$); for
$\tau L \le 1$ that asks no more than $\gamma\tau\,\mathrm{tr}A < 1$, where the class of all functions needs $\gamma d\tau L$ bounded.
"""

from sympy import Expr, Rational

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    lt,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Deduction, Identity, Premise, Scaling, Smt
from rgm_verify.lenses.scaling import S

from ..rgm.descent_notation import CURVATURE, STEP, lam, tau
from ..rgm.notation import GAMMA, SIGMA2, gamma, sigma2
from ..worlds import descent as descent_worlds

_WHERE = "§5.1, Theorem 2, on quadratics"
_LAMBDAS = tuple(positive(f"lambda_{i}", "eigenvalue") for i in (1, 2))
_MOMENTS = tuple(nonnegative(f"m_{i}", "second moment of a coordinate") for i in (1, 2))
_l1, _l2 = (v.symbol for v in _LAMBDAS)
_m1, _m2 = (v.symbol for v in _MOMENTS)
_NOISES = tuple(real(n, m) for n, m in (("x", "coordinate of theta - theta_*"), ("xi", "noise")))
_x, _xi = (v.symbol for v in _NOISES)
_MOMENT = nonnegative("m", "second moment of a coordinate")
_INFLOW = nonnegative("w", "gamma E|grad f|^2 + sigma^2")
_m, _w = _MOMENT.symbol, _INFLOW.symbol
_STABLE_1 = Hypothesis("stable without noise", lt(tau * lam, 2))
_PLANE = (*_LAMBDAS, *_MOMENTS, GAMMA, SIGMA2, STEP)
_STABLE = (
    Hypothesis("stable without noise, first", lt(tau * _l1, 2)),
    Hypothesis("stable without noise, second", lt(tau * _l2, 2)),
)
_LOSS = {_l1: S * _l1, _l2: S * _l2, lam: S * lam, tau: tau / S, sigma2: S**2 * sigma2}
_UNIT = Scaling("the unit of the loss", _LOSS, {"the step stays": {k: v for k, v in _LOSS.items() if k != tau}})


def weight(curvature: Expr) -> Expr:
    """The weight of a coordinate in the energy."""
    return curvature / (tau * (2 - tau * curvature))


def share(curvature: Expr) -> Expr:
    """What a coordinate adds to S."""
    return tau * curvature / (2 - tau * curvature)


_g = _l1**2 * _m1 + _l2**2 * _m2
_inflow = gamma * _g + sigma2
_next = tuple((1 - tau * c) ** 2 * m + tau**2 * _inflow for c, m in ((_l1, _m1), (_l2, _m2)))
_s = share(_l1) + share(_l2)
_energy = weight(_l1) * _m1 + weight(_l2) * _m2
_energy_next = weight(_l1) * _next[0] + weight(_l2) * _next[1]

coordinate = Claim(
    id="beyond:quadratic-coordinate",
    title="One coordinate of a step on a quadratic",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"The mean of $(x - \tau(\lambda x + \xi))^2$ over the noise and its opposite is $(1-\tau\lambda)^2x^2 + \tau^2\xi^2$.",
    variables=(*_NOISES, CURVATURE, STEP),
    conclusion=eq(
        ((_x - tau * (lam * _x + _xi)) ** 2 + (_x - tau * (lam * _x - _xi)) ** 2) / 2,
        (1 - tau * lam) ** 2 * _x**2 + tau**2 * _xi**2,
    ),
    reading=r"Then the expectation is taken: $E x^2 = m$, $E\xi^2 = \gamma E|\nabla f|^2 + \sigma^2$.",
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "without the opposite",
            eq((_x - tau * (lam * _x + _xi)) ** 2, (1 - tau * lam) ** 2 * _x**2 + tau**2 * _xi**2),
        ),
        Mutant(
            "tau for its square",
            eq(
                ((_x - tau * (lam * _x + _xi)) ** 2 + (_x - tau * (lam * _x - _xi)) ** 2) / 2,
                (1 - tau * lam) ** 2 * _x**2 + tau * _xi**2,
            ),
        ),
    ),
)

energy_coordinate = Claim(
    id="beyond:quadratic-energy-coordinate",
    title="The energy of one coordinate",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$u\left((1-\tau\lambda)^2m + \tau^2w\right) = um - \lambda^2m + \frac{\tau\lambda}{2-\tau\lambda}w$ for $u = \frac{\lambda}{\tau(2-\tau\lambda)}$. Added up over the coordinates, in every dimension, with "
        r"$w = \gamma g + \sigma^2$: $V' = V - g + S(\gamma g+\sigma^2)$."
    ),
    variables=(CURVATURE, _MOMENT, _INFLOW, STEP),
    hypotheses=(_STABLE_1,),
    conclusion=eq(
        weight(lam) * ((1 - tau * lam) ** 2 * _m + tau**2 * _w), weight(lam) * _m - lam**2 * _m + share(lam) * _w
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "another weight",
            eq(lam * ((1 - tau * lam) ** 2 * _m + tau**2 * _w), lam * _m - lam**2 * _m + share(lam) * _w),
        ),
        Mutant(
            "half of the inflow",
            eq(
                weight(lam) * ((1 - tau * lam) ** 2 * _m + tau**2 * _w),
                weight(lam) * _m - lam**2 * _m + share(lam) * _w / 2,
            ),
        ),
    ),
    derivation=(Step("One coordinate.", "beyond:quadratic-coordinate"),),
)

energy = Claim(
    id="beyond:quadratic-energy",
    title="The energy of private gradient descent on a quadratic, exactly",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"$V' = V - (1-\gamma S)\,g + S\sigma^2$, here in the plane. So for $\gamma S < 1$ the mean of $E|\nabla f(\theta_k)|^2$ over $t$ steps is exactly $\frac{V_0-V_t}{t(1-\gamma S)} + \frac{S\sigma^2}{1-\gamma S}$; "
        r"for $\gamma S \ge 1$ the energy grows by at least $S\sigma^2$ a step."
    ),
    scope="instance",
    missing=r"Two eigenvalues.",
    variables=_PLANE,
    hypotheses=_STABLE,
    conclusion=eq(_energy_next, _energy - (1 - gamma * _s) * _g + _s * sigma2),
    checks=(
        Identity(),
        descent_worlds.ENERGY,
        _UNIT,
    ),
    mutants=(
        Mutant("gamma left out", eq(_energy_next, _energy - _g + _s * sigma2)),
        Mutant("the noise of one coordinate", eq(_energy_next, _energy - (1 - gamma * _s) * _g + share(_l1) * sigma2)),
    ),
    derivation=(Step("Each coordinate.", "beyond:quadratic-energy-coordinate"),),
)

_RATE = nonnegative("omega", "the smallest of 1 - (1 - tau lambda_i)^2")
_omega = _RATE.symbol

rate = Claim(
    id="beyond:quadratic-rate",
    title="The rate on a quadratic",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"For $\gamma S \le 1$: $V' \le (1 - (1-\gamma S)\omega)V + S\sigma^2$ with $1-\omega = \max_i(1-\tau\lambda_i)^2$, the rate of the exact gradient. With equal eigenvalues it is an equality, and the sharp factor of the class."
    ),
    variables=(*_PLANE, _RATE),
    hypotheses=(
        *_STABLE,
        Hypothesis("omega, first", le(_omega, 1 - (1 - tau * _l1) ** 2)),
        Hypothesis("omega, second", le(_omega, 1 - (1 - tau * _l2) ** 2)),
        Hypothesis("the noise is small enough", le(gamma * _s, 1)),
    ),
    conclusion=le(_energy_next, (1 - (1 - gamma * _s) * _omega) * _energy + _s * sigma2),
    checks=(
        Deduction((Premise("beyond:quadratic-energy"), Premise("beyond:quadratic-energy-rate"))),
        descent_worlds.RATE,
        _UNIT,
    ),
    sampling=Chart(
        {
            _l1: (0, 1),
            _l2: (0, 1),
            tau: (0, None),
            _m1: (0, None),
            _m2: (0, None),
            sigma2: (0, None),
            gamma: (0, 1),
            _omega: (0, 1),
        },
        {
            _l1: 2 * _l1 / tau,
            _l2: 2 * _l2 / tau,
            gamma: gamma / (_l1 / (1 - _l1) + _l2 / (1 - _l2)),
            _omega: _omega * 4 * _l1 * (1 - _l1) * _l2 * (1 - _l2),
            tau: tau,
            _m1: _m1,
            _m2: _m2,
            sigma2: sigma2,
        },
    ),
    mutants=(
        Mutant("without the relative noise", le(_energy_next, (1 - _omega) * _energy + _s * sigma2)),
        Mutant("without the noise", le(_energy_next, (1 - (1 - gamma * _s) * _omega) * _energy)),
    ),
    derivation=(Step("The energy, exactly.", "beyond:quadratic-energy"),),
)

energy_rate = Claim(
    id="beyond:quadratic-energy-rate",
    title="The squared gradient is at least a multiple of the energy",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$\lambda^2m = \left(1-(1-\tau\lambda)^2\right)um$ in each coordinate, so that $g \ge \omega V$.",
    variables=(*_LAMBDAS, *_MOMENTS, STEP, _RATE),
    hypotheses=(
        *_STABLE,
        Hypothesis("omega, first", le(_omega, 1 - (1 - tau * _l1) ** 2)),
        Hypothesis("omega, second", le(_omega, 1 - (1 - tau * _l2) ** 2)),
    ),
    conclusion=ge(_g, _omega * _energy),
    checks=(Smt(),),
    sampling=Chart(
        {_l1: (0, 1), _l2: (0, 1), tau: (0, None), _m1: (0, None), _m2: (0, None), _omega: (0, 1)},
        {
            _l1: 2 * _l1 / tau,
            _l2: 2 * _l2 / tau,
            _omega: _omega * 4 * _l1 * (1 - _l1) * _l2 * (1 - _l2),
            tau: tau,
            _m1: _m1,
            _m2: _m2,
        },
    ),
    mutants=(
        Mutant("twice", ge(_g, 2 * _omega * _energy)),
        Mutant(
            "the first eigenvalue only",
            hypotheses=(*_STABLE, Hypothesis("omega, first", le(_omega, 1 - (1 - tau * _l1) ** 2))),
        ),
    ),
)

_TOTAL = nonnegative("S", "sum of tau lambda_i/(2 - tau lambda_i)")
_total = _TOTAL.symbol
_stationary = sigma2 / (1 - gamma * _total)
_fixed = tau * _w / (lam * (2 - tau * lam))

stationary = Claim(
    id="beyond:quadratic-stationary",
    title="The second moments that stay",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"With $w = \frac{\sigma^2}{1-\gamma S}$ the moments $m_i = \frac{\tau w}{\lambda_i(2-\tau\lambda_i)}$ do not change in a step, in every dimension: $\lambda_i^2m_i$ adds up to $E|\nabla f|^2 = Sw$, and $\gamma Sw + \sigma^2 = w$."
    ),
    variables=(CURVATURE, _INFLOW, _TOTAL, GAMMA, SIGMA2, STEP),
    hypotheses=(_STABLE_1, Hypothesis("the noise is small enough", lt(gamma * _total, 1))),
    conclusion=both(
        eq((1 - tau * lam) ** 2 * _fixed + tau**2 * _w, _fixed),
        eq(printed(lambda: lam**2 * _fixed), share(lam) * _w),
        eq(gamma * _total * _stationary + sigma2, _stationary),
    ),
    checks=(Identity(), Smt(), descent_worlds.STATIONARY),
    mutants=(
        Mutant("half of the moment", eq((1 - tau * lam) ** 2 * _fixed / 2 + tau**2 * _w, _fixed / 2)),
        Mutant("without gamma", eq(gamma * _total * sigma2 + sigma2, _stationary)),
    ),
)

_gamma_limit = (1 - (1 - tau * _l1) ** 2) * (1 - (1 - tau * _l2) ** 2) * (1 - gamma * _s)
_matrix = tuple((1 - tau * c) ** 2 + gamma * tau**2 * c**2 for c in (_l1, _l2))

stability = Claim(
    id="beyond:quadratic-stability",
    title="The matrix of the second moments",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"The recursion has a nonnegative matrix $M$, and $\det(I-M) = \prod_i\left(1-(1-\tau\lambda_i)^2\right)(1-\gamma S)$: it leaves 0 as soon as $\gamma S$ leaves 1. Here in the plane."
    ),
    variables=(*_LAMBDAS, GAMMA, STEP),
    hypotheses=_STABLE,
    conclusion=eq((1 - _matrix[0]) * (1 - _matrix[1]) - (gamma * tau**2) ** 2 * _l1**2 * _l2**2, _gamma_limit),
    checks=(Identity(),),
    mutants=(
        Mutant("without the mixed terms", eq((1 - _matrix[0]) * (1 - _matrix[1]), _gamma_limit)),
        Mutant(
            "half of gamma",
            eq(
                (1 - _matrix[0]) * (1 - _matrix[1]) - (gamma * tau**2) ** 2 * _l1**2 * _l2**2,
                _gamma_limit.subs(gamma, gamma / 2),
            ),
        ),
    ),
    derivation=(Step("Boundedness, in every dimension, from the energy.", "beyond:quadratic-energy"),),
)

trace = Claim(
    id="beyond:quadratic-trace",
    title="The trace in the place of the dimension",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"For $\tau\lambda \le 1$ a coordinate adds between $\frac{\tau\lambda}2$ and $\tau\lambda$ to $S$, so that $S \le \tau\,\mathrm{tr}A$, and $\gamma\tau\,\mathrm{tr}A < 1$ is enough; and $\tau V$ is between $f - f_\star$ and twice that."
    ),
    variables=(CURVATURE, STEP, _MOMENT),
    hypotheses=(Hypothesis("a short step", le(tau * lam, 1)),),
    conclusion=both(
        chain(tau * lam / 2, "<=", share(lam), "<=", tau * lam),
        chain(lam * _m / 2, "<=", tau * weight(lam) * _m, "<=", lam * _m),
    ),
    checks=(
        Smt(),
        descent_worlds.TRACE,
    ),
    mutants=(
        Mutant("at most half", le(share(lam), tau * lam / 2)),
        Mutant("longer steps", hypotheses=(Hypothesis("a stable step", lt(tau * lam, 2)),)),
    ),
)

_COUNT = real("n", "number of eigenvalues, the dimension", lower=1)
_n = _COUNT.symbol

isotropic = Claim(
    id="beyond:quadratic-isotropic",
    title="With equal eigenvalues the rate is that of the class",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"For $d$ equal eigenvalues $S = \frac{d\tau\lambda}{2-\tau\lambda}$, and $1-(1-\gamma S)\left(1-(1-\tau\lambda)^2\right) = (1-\tau\lambda)^2+\gamma d\tau^2\lambda^2$.",
    variables=(CURVATURE, GAMMA, _COUNT, STEP),
    hypotheses=(_STABLE_1,),
    conclusion=eq(
        1 - (1 - gamma * _n * share(lam)) * (1 - (1 - tau * lam) ** 2),
        (1 - tau * lam) ** 2 + gamma * _n * tau**2 * lam**2,
    ),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant(
            "without the dimension",
            eq(
                1 - (1 - gamma * share(lam)) * (1 - (1 - tau * lam) ** 2),
                (1 - tau * lam) ** 2 + gamma * _n * tau**2 * lam**2,
            ),
        ),
        Mutant(
            "sign",
            eq(
                1 - (1 + gamma * _n * share(lam)) * (1 - (1 - tau * lam) ** 2),
                (1 - tau * lam) ** 2 + gamma * _n * tau**2 * lam**2,
            ),
        ),
    ),
)

_SPECTRUM = {_l1: 1, _l2: Rational(1, 100), gamma: 1, tau: Rational(3, 4)}

example = Claim(
    id="beyond:quadratic-beats-the-class",
    title="A step that only the spectrum allows",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=r"For eigenvalues 1 and 1/100, $\gamma = 1$ and $\tau = 3/4$ the second moments stay bounded, though $\tau > \frac2{(1+\gamma d)L} = \frac23$ in the plane.",
    conclusion=both(lt((gamma * _s).subs(_SPECTRUM), 1), gt(_SPECTRUM[tau], Rational(2, 3))),
    mutants=(
        Mutant("equal eigenvalues", lt((gamma * _s).subs({**_SPECTRUM, _l2: 1}), 1)),
        Mutant("a longer step", lt((gamma * _s).subs({**_SPECTRUM, tau: 1}), 1)),
    ),
    derivation=(Step(claim="beyond:quadratic-energy"),),
)
