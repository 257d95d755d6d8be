r"""Private gradient descent on quadratics: second moments exactly, and the trace in the place of the dimension.

In the eigenbasis of $f(\theta) = \frac12(\theta-\theta_\star)^\top A(\theta-\theta_\star)$, with $m_i = E(\theta-\theta_\star)_i^2$ and $g = \sum_i\lambda_i^2m_i = E|\nabla f|^2$, a step is
$m_i \mapsto (1-\tau\lambda_i)^2m_i + \tau^2(\gamma g + \sigma^2)$: the coordinates speak to each other through the noise alone. With $S = \sum_i \frac{\tau\lambda_i}{2-\tau\lambda_i}$ the energy
$V = \sum_i \frac{\lambda_i}{\tau(2-\tau\lambda_i)}m_i$ obeys $V' = V - (1-\gamma S)\,g + S\sigma^2$. So the iterates stay bounded exactly for $\gamma S < 1$ (and $\tau\lambda_i < 2$); for
$\tau L \le 1$ that asks no more than $\gamma\tau\,\mathrm{tr}A < 1$, where the class of all functions needs $\gamma d\tau L$ bounded.
"""

from rgm_verify.lenses.worlds.scaling import S

from ...rgm.descent_notation import *
from ...rgm.notation import NOTATION, gamma, sigma2
from . import quadratic_worlds as worlds

page = Page("beyond", "§5.1", DESCENT_NOTATION, NOTATION)
_on_quadratics = page.at("Theorem 2, on quadratics")
_l1, _l2 = (page.positive(f"lambda_{i}", "eigenvalue") for i in (1, 2))
_m1, _m2 = (page.nonnegative(f"m_{i}", "second moment of a coordinate") for i in (1, 2))
_x, _xi = page.real("x", "coordinate of theta - theta_*"), page.real("xi", "noise")
_m = page.nonnegative("m", "second moment of a coordinate")
_w = page.nonnegative("w", "gamma E|grad f|^2 + sigma^2")
_STABLE_1 = Hypothesis("stable without noise", lt(tau * lam, 2))
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
    """The part of S that a coordinate adds."""
    return tau * curvature / (2 - tau * curvature)


_g = named("g", _l1**2 * _m1 + _l2**2 * _m2)
_inflow = gamma * _g + sigma2
_next = tuple((1 - tau * c) ** 2 * m + tau**2 * _inflow for c, m in ((_l1, _m1), (_l2, _m2)))
_s = named("S", share(_l1) + share(_l2))
_energy = named("V", weight(_l1) * _m1 + weight(_l2) * _m2)
_energy_next = named("V'", weight(_l1) * _next[0] + weight(_l2) * _next[1])
_u, _share = named("u", weight(lam)), named("s", share(lam))

coordinate = _on_quadratics.identity(
    "beyond:quadratic-coordinate",
    "One coordinate of a step on a quadratic",
    eq(
        ((_x - tau * (lam * _x + _xi)) ** 2 + (_x - tau * (lam * _x - _xi)) ** 2) / 2,
        (1 - tau * lam) ** 2 * _x**2 + tau**2 * _xi**2,
    ),
    "The mean over the noise and its opposite.",
    by=(Identity(), Smt()),
    wrong={
        "without the opposite": left((_x - tau * (lam * _x + _xi)) ** 2),
        "tau for its square": (1 - tau * lam) ** 2 * _x**2 + tau * _xi**2,
    },
    reading=r"Then the expectation is taken: $E x^2 = m$, $E\xi^2 = \gamma E|\nabla f|^2 + \sigma^2$.",
)

energy_coordinate = _on_quadratics.identity(
    "beyond:quadratic-energy-coordinate",
    "The energy of one coordinate",
    eq(_u * ((1 - tau * lam) ** 2 * _m + tau**2 * _w), _u * _m - lam**2 * _m + _share * _w),
    "Added up over the coordinates it is the recursion of the energy, in every dimension.",
    given=_STABLE_1,
    by=(Identity(), Smt()),
    wrong={
        "another weight": eq(lam * ((1 - tau * lam) ** 2 * _m + tau**2 * _w), lam * _m - lam**2 * _m + _share * _w),
        "half of the inflow": _u * _m - lam**2 * _m + _share * _w / 2,
    },
    steps=Step("One coordinate.", "beyond:quadratic-coordinate"),
)

energy = _on_quadratics.theorem(
    "beyond:quadratic-energy",
    "The energy of private gradient descent on a quadratic, exactly",
    eq(_energy_next, _energy - (1 - gamma * _s) * _g + _s * sigma2),
    r"Here in the plane. Below $\gamma S$ of 1 the mean of the squared gradients over the steps is therefore known exactly; from there on the energy grows in every step.",
    given=_STABLE,
    by=(Identity(), worlds.ENERGY, _UNIT),
    wrong={
        "gamma left out": _energy - _g + _s * sigma2,
        "the noise of one coordinate": _energy - (1 - gamma * _s) * _g + share(_l1) * sigma2,
    },
    steps=Step("Each coordinate.", "beyond:quadratic-energy-coordinate"),
    instance=r"Two eigenvalues.",
)

_omega = page.nonnegative("omega", "the smallest of 1 - (1 - tau lambda_i)^2")

rate = _on_quadratics.theorem(
    "beyond:quadratic-rate",
    "The rate on a quadratic",
    le(_energy_next, (1 - (1 - gamma * _s) * _omega) * _energy + _s * sigma2),
    "It is the rate of the exact gradient, less the relative noise. With equal eigenvalues it is an equality, and the sharp factor of the class.",
    given=(
        *_STABLE,
        Hypothesis("omega, first", le(_omega, 1 - (1 - tau * _l1) ** 2)),
        Hypothesis("omega, second", le(_omega, 1 - (1 - tau * _l2) ** 2)),
        Hypothesis("the noise is small enough", le(gamma * _s, 1)),
    ),
    by=(worlds.RATE, _UNIT),
    points={
        _l1: (0, 1, 2 * _l1 / tau),
        _l2: (0, 1, 2 * _l2 / tau),
        gamma: (0, 1, gamma / (_l1 / (1 - _l1) + _l2 / (1 - _l2))),
        _omega: (0, 1, _omega * 4 * _l1 * (1 - _l1) * _l2 * (1 - _l2)),
    },
    wrong={
        "without the relative noise": (1 - _omega) * _energy + _s * sigma2,
        "without the noise": (1 - (1 - gamma * _s) * _omega) * _energy,
    },
    steps=(Step("The energy, exactly.", Premise("beyond:quadratic-energy")), Premise("beyond:quadratic-energy-rate")),
    over=(_l1, _l2, _m1, _m2),
)

energy_rate = _on_quadratics.inequality(
    "beyond:quadratic-energy-rate",
    "The squared gradient is at least a multiple of the energy",
    ge(_g, _omega * _energy),
    "It holds in each coordinate.",
    given=(
        *_STABLE,
        Hypothesis("omega, first", le(_omega, 1 - (1 - tau * _l1) ** 2)),
        Hypothesis("omega, second", le(_omega, 1 - (1 - tau * _l2) ** 2)),
    ),
    points={
        _l1: (0, 1, 2 * _l1 / tau),
        _l2: (0, 1, 2 * _l2 / tau),
        _omega: (0, 1, _omega * 4 * _l1 * (1 - _l1) * _l2 * (1 - _l2)),
    },
    wrong={
        "twice": 2 * _omega * _energy,
        "the first eigenvalue only": without(Hypothesis("omega, second", le(_omega, 1 - (1 - tau * _l2) ** 2))),
    },
)

_total = page.nonnegative("S", "sum of tau lambda_i/(2 - tau lambda_i)")
_stationary = sigma2 / (1 - gamma * _total)
_fixed = tau * _w / (lam * (2 - tau * lam))

stationary = _on_quadratics.identity(
    "beyond:quadratic-stationary",
    "The second moments that stay",
    both(
        eq((1 - tau * lam) ** 2 * _fixed + tau**2 * _w, _fixed),
        eq(printed(lambda: lam**2 * _fixed), share(lam) * _w),
        eq(gamma * _total * _stationary + sigma2, _stationary),
    ),
    "The moments do not change in a step, in every dimension; the squared gradients add up to $Sw$.",
    given=(_STABLE_1, Hypothesis("the noise is small enough", lt(gamma * _total, 1))),
    by=(Identity(), Smt(), worlds.STATIONARY),
    wrong={
        "half of the moment": eq((1 - tau * lam) ** 2 * _fixed / 2 + tau**2 * _w, _fixed / 2),
        "without gamma": eq(gamma * _total * sigma2 + sigma2, _stationary),
    },
)

_gamma_limit = (1 - (1 - tau * _l1) ** 2) * (1 - (1 - tau * _l2) ** 2) * (1 - gamma * _s)
_matrix = tuple((1 - tau * c) ** 2 + gamma * tau**2 * c**2 for c in (_l1, _l2))

stability = _on_quadratics.identity(
    "beyond:quadratic-stability",
    "The matrix of the second moments",
    eq((1 - _matrix[0]) * (1 - _matrix[1]) - (gamma * tau**2) ** 2 * _l1**2 * _l2**2, _gamma_limit),
    r"On the left is the determinant of $I-M$ for the nonnegative matrix $M$ of the recursion: it leaves 0 as soon as $\gamma S$ leaves 1. Here in the plane.",
    given=_STABLE,
    wrong={
        "without the mixed terms": left((1 - _matrix[0]) * (1 - _matrix[1])),
        "half of gamma": _gamma_limit.subs(gamma, gamma / 2),
    },
    steps=Step("Boundedness, in every dimension, from the energy.", "beyond:quadratic-energy"),
)

trace = _on_quadratics.inequality(
    "beyond:quadratic-trace",
    "The trace in the place of the dimension",
    both(
        chain(tau * lam / 2, "<=", share(lam), "<=", tau * lam),
        chain(lam * _m / 2, "<=", tau * weight(lam) * _m, "<=", lam * _m),
    ),
    r"The sum $S$ is at most $\tau$ times the trace of $A$, and $\tau V$ lies between the value above the minimum and twice that.",
    given=Hypothesis("a short step", le(tau * lam, 1)),
    by=(Smt(), worlds.TRACE),
    wrong={
        "at most half": le(share(lam), tau * lam / 2),
        "longer steps": instead(Hypothesis("a short step", lt(tau * lam, 2))),
    },
)

_n = page.real("n", "number of eigenvalues, the dimension", lower=1, latex="d")

isotropic = _on_quadratics.identity(
    "beyond:quadratic-isotropic",
    "With equal eigenvalues the rate is that of the class",
    eq(
        1 - (1 - gamma * _n * share(lam)) * (1 - (1 - tau * lam) ** 2),
        (1 - tau * lam) ** 2 + gamma * _n * tau**2 * lam**2,
    ),
    "For $d$ equal eigenvalues.",
    given=_STABLE_1,
    by=(Identity(), Smt()),
    wrong={
        "without the dimension": left(1 - (1 - gamma * share(lam)) * (1 - (1 - tau * lam) ** 2)),
        "sign": left(1 - (1 + gamma * _n * share(lam)) * (1 - (1 - tau * lam) ** 2)),
    },
)

_SPECTRUM = {_l1: 1, _l2: Rational(1, 100), gamma: 1, tau: Rational(3, 4)}

example = _on_quadratics.remark(
    "beyond:quadratic-beats-the-class",
    "A step that only the spectrum allows",
    both(lt((gamma * _s).subs(_SPECTRUM), 1), gt(_SPECTRUM[tau], Rational(2, 3))),
    r"For the eigenvalues 1 and 1/100, $\gamma$ of 1 and $\tau$ of 3/4 the second moments stay bounded, though the step is too long for the class.",
    wrong={
        "equal eigenvalues": lt((gamma * _s).subs({**_SPECTRUM, _l2: 1}), 1),
        "a longer step": lt((gamma * _s).subs({**_SPECTRUM, tau: 1}), 1),
    },
    steps="beyond:quadratic-energy",
    printed=r"\gamma S < 1 \quad\text{and}\quad \tau > \frac{2}{(1+\gamma d)L}",
)
