r"""Section 5.1: private gradient descent, Theorem 2, and the remarks around it.

As printed Theorem 2 falls twice: its noise term lacks the factor $d$, and its step size adds $L$, which scales with the loss, to $\gamma$, which does not. In
dimension 1 and for $L \le 1$ it holds; in general $\tau \le \frac1{(1+\gamma d)L}$ and $\frac{d\tau\sigma^2}\mu$ are right. The step has to be shorter by the factor $1+\gamma d$, which is
slight only where $\gamma d$ is small. Relative sensitivity is needed at every point of the space, and the iterates are post-processing.
"""

from rgm_verify.gaussians.symbolic import renyi_expression

from ... import looseness
from ...theorems import COMPOSITION, POSTPROCESSING
from ..descent_notation import *
from ..notation import NOTATION, alpha, d, eta, gamma, sigma2
from . import gradient_descent_worlds as worlds

page = Page("rgm-v1+v2", "§5.1", DESCENT_NOTATION, NOTATION)
_dist = page.nonnegative("D", "distance of the gradients", latex=r"\|\nabla f-\nabla f'\|")
_vx = page.positive("v_x", "variance of the release", latex=r"\sigma_1^2")
_vy = page.positive("v_y", "variance of the neighbour's release", latex=r"\sigma_2^2")
_mixed = alpha * _vy + (1 - alpha) * _vx


def _divergence(scale: Expr) -> Expr:
    """The divergence of two iterates, after a step of that size from a common point."""
    found = renyi_expression(alpha, (scale * _dist) ** 2, scale**2 * _vx, scale**2 * _vy, d)
    return named(r"D_\alpha(\theta_{t+1}\|\theta_{t+1}')", found)


_ITERATES = Outputs((tau * _dist,), (Integer(0),), d, variances=(tau**2 * _vx, tau**2 * _vy))
_STEPS = tuple(
    {
        alpha: Rational(order),
        tau: Rational(size),
        _dist: Integer(1),
        _vx: Rational(first),
        _vy: Integer(1),
        d: Integer(n),
    }
    for order, size, first, n in (("3/2", "1/3", "6/5", 3), ("2", "2", "1/2", 1))
)

algorithm = page.at("v1 (7), v2 (7)", "NB01").algorithm(
    "rgm:private-gradient-descent",
    "A step of private gradient descent reveals what its release reveals",
    eq(_divergence(tau), named(r"D_\alpha(g_t\|g_t')", renyi_expression(alpha, _dist**2, _vx, _vy, d))),
    r"From a common $\theta_t$ the next iterates on two datasets are Gaussians at $\tau$ times the distance of the gradients, with $\tau^2$ times the variances of the releases.",
    outputs=by_outputs(_divergence(tau), Renyi(alpha), _ITERATES, _STEPS, _STEPS[:1]),
    given=Hypothesis("finite", gt(_mixed, 0), "Lemma 2"),
    by=(Identity(positive=(_mixed,)), Units({_dist: 1, _vx: 2, _vy: 2, tau: -1})),
    points={alpha: (1, 3), _vx: (0, 1, _vx * _vy * alpha / (alpha - 1)), _dist: (0, 4), d: (0, 20)},
    wrong={
        "the noise not scaled": left(renyi_expression(alpha, (tau * _dist) ** 2, _vx, _vy, d)),
        "the variances scaled once": left(renyi_expression(alpha, (tau * _dist) ** 2, tau * _vx, tau * _vy, d)),
    },
    steps=(
        POSTPROCESSING.quoted(
            "A step is computed from the release and from what was public before it.",
            "$\\theta_t$ is common to both datasets.",
        ),
        COMPOSITION.quoted(
            "Steps add up.",
            "The assumption on $f$ is read at every point, so that each step has its guarantee whatever came before.",
        ),
    ),
    reading=r"The assumption on $f$ is read at every $\theta$: the iterates may be anywhere, because the noise is Gaussian. Then each step is covered by Theorem 1, and $t$ steps by composition; "
    r"$\gamma,\sigma > 0$ make every step a true Gaussian.",
)

_noisy = page.positive("sigma^2", "baseline variance per coordinate, which the algorithm wants positive")
_NEXT = r"E\|\theta_1-\theta_\star\|^2"
_moment = named(_NEXT, on_quadratic(next_moment, r_0).subs(sigma2, _noisy))
_bound = (1 - tau * mu) * r_0 + tau * _noisy / mu

theorem = page.at("Theorem 2; v1 (8), v2 (8)", "T2.1").theorem(
    "rgm:theorem-2",
    "Theorem 2, as printed",
    le(_moment, _bound),
    given=(*IN_CLASS, PRINTED_STEP),
    by=(Smt(), Search(), worlds.THEOREM_PRINTED),
    reading=ON_QUADRATICS + " The noise has the variance of Definition 3 in each coordinate, as Theorem 1 needs it.",
    instance=QUADRATICS_ONLY + " The case $t = 1$.",
    mistake=("wrong constant", "beyond:descent-theorem"),
    remark="From dimension 2 on the noise term is too small for every step size, at some t; and for the printed step sizes the iterates may diverge. "
    "No later result of the paper uses the bound; the experiments take their step size from its condition.",
    printed=r"E\|\theta_t-\theta_\star\|^2 \le (1-\tau\mu)^t\,\|\theta_0-\theta_\star\|^2 + \frac{\tau\sigma^2}{\mu}",
)

theorem_line = page.at("Theorem 2; v1 (8), v2 (8)", "T2.1").theorem(
    "rgm:theorem-2-on-the-line",
    "Theorem 2, as printed, in dimension 1",
    le(named(_NEXT, _moment.subs(d, 1)), _bound),
    "In dimension 1 the missing factor $d$ is 1, and only the step size is in question.",
    given=(*IN_CLASS, PRINTED_STEP),
    by=(Smt(), Search(), worlds.PRINTED_LINE),
    reading=ON_QUADRATICS,
    instance=QUADRATICS_ONLY + " The case $t = 1$.",
    mistake=("wrong constant", "beyond:descent-theorem-on-the-line"),
    remark=r"The proof has $\tau \le [(1+\gamma)L]^{-1}$, which is shorter for $L > 1$. If the loss is counted in another unit, $L$, $\mu$ and $1/\tau$ change and $\gamma$ does not, so that $L+\gamma$ cannot be meant.",
    printed=r"E\|\theta_t-\theta_\star\|^2 \le (1-\tau\mu)^t\,\|\theta_0-\theta_\star\|^2 + \frac{\tau\sigma^2}{\mu}",
)

tight = page.elsewhere("Abstract; §5.1, before Theorem 2", "T2.4").remark(
    "rgm:utility-tight",
    "The analysis of utility is tight",
    says="The analysis that Theorem 2 gives is tight.",
    informal="How near to the worst case a tight bound has to be is not said. That Theorem 2 as printed is no bound at all stands with it.",
    remark="With the dimension it is tight up to a factor of two for the noise term (beyond:noise-floor-within-two) and for the number of steps. The exact worst case is known too, and it is "
    "attained at every step: the claims on the sharp rate.",
)

progress = page.at("after Theorem 2", "T2.5.v1", source="rgm-v1").remark(
    "rgm-v1:progress-pays-for-noise",
    "Progress is at least proportional to the squared gradient",
    ge(r - (next_moment - noise_of_step), tau * (2 / L - (1 + gamma * d) * tau) * G),
    "The left side is the expected decrease of the squared distance, without the baseline noise.",
    given=(SMOOTH, Hypothesis("smoothness, at the minimiser", le(G, 2 * L * F))),
    by=(combination((tau / L, 2 * L * F - G), (tau / L, 2 * L * B - G)), Smt()),
    over=(r, sigma2),
    wrong={
        "without the noise": tau * (2 / L - tau) * G,
        "at most": turned(),
        "half of smoothness": without(Hypothesis("smoothness, at the minimiser", le(G, 2 * L * F))),
    },
    steps=(
        Step("One step, expanded, in the mean over the noise.", "rgm:b1-second-line"),
        Step("The second moment of the noise.", "rgm:b1-third-line-corrected"),
        Step("Smoothness, at both points.", "rgm:b1-gradient-bound"),
    ),
    reading="Proportional: at least a multiple of it; a function with a flat part makes more progress than that. It compensates the noise while the factor is positive.",
)

_GRADIENT_TERM = tau**2 * G

same_way = page.at("after Theorem 2", "T2.5.v2", source="rgm-v2").remark(
    "rgm-v2:noise-in-the-same-way",
    "The norm-scaled noise is paid for as the squared gradient is",
    both(
        Implies(le(tau, 1 / L), le(_GRADIENT_TERM, 2 * tau * B)),
        Implies(le(tau, 1 / (k * L)), le(k * _GRADIENT_TERM, 2 * tau * B)),
    ),
    "Gradient descent pays for the square of the gradient by a short step; with relative noise that term is $k$ times as large.",
    given=SMOOTH,
    by=(Smt(), UNIT_OF_LOSS),
    wrong={
        "the same step": Implies(le(tau, 1 / L), le(k * _GRADIENT_TERM, 2 * tau * B)),
        "half of the divergence": Implies(le(tau, 1 / (k * L)), le(k * _GRADIENT_TERM, tau * B)),
    },
)

slightly = page.at("after Theorem 2", "T2.5.v1 T2.5.v2").remark(
    "rgm:slightly-shorter-step",
    "The step has to be shortened only slightly",
    says=r"For small $\gamma$ the step has to be shortened only slightly.",
    informal="How small and how slightly is not said. The share is gamma d/(1 + gamma d): beyond:slightly-shorter-step.",
)

slightly_corrected = page.at("after Theorem 2", source="beyond").remark(
    "beyond:slightly-shorter-step",
    "The step has to be shortened slightly where gamma d is small",
    both(
        le((1 - gamma * d) / L, 1 / ((1 + gamma * d) * L)),
        Implies(le(d, 1 / (36 * gamma)), ge(1 / ((1 + gamma * d) * L), Rational(36, 37) / L)),
    ),
    "The second part is the regime of Section 4.2.",
    wrong={
        "half of gamma d": le((1 - gamma * d / 2) / L, 1 / ((1 + gamma * d) * L)),
        "any dimension": ge(1 / ((1 + gamma * d) * L), Rational(36, 37) / L),
    },
)

variance = page.at("after Theorem 2", "T2.6").remark(
    "rgm:variance-term",
    "The variance term, as printed",
    le(d * tau * sigma2 / (mu * (2 - (1 + gamma * d) * tau * mu)), tau * sigma2 / mu),
    r"On the left is the noise floor on $\frac\mu2\|\theta\|^2$.",
    given=Hypothesis(
        "a short step", le((1 + gamma * d) * tau * mu, 1), "mu <= L and the step of the theorem with the dimension"
    ),
    reading=r"The second moment tends to $\frac{d\tau\sigma^2}{\mu(2-(1+\gamma d)\tau\mu)}$ (see the claims on its closed form).",
    instance=r"Only $\frac\mu2|\theta|^2$, after many steps.",
    mistake=("wrong constant", "beyond:descent-theorem"),
    remark="It is d tau sigma^2/mu. The Gaussian mechanism with the same variance per coordinate has the same factor, so that the comparison of the two is not touched.",
    tightness=Tightness(
        (2 - looseness.s) / looseness.d,
        {looseness.s: (looseness.TENTH, 1), looseness.d: (1, 100)},
        r"the printed noise term $\tau\sigma^2/\mu$ over what remains on $\frac\mu2|\theta|^2$ in $d$ dimensions, with $s = (1+\gamma d)\mu\tau$",
        plot=(looseness.d,),
    ),
)

_rel = page.nonnegative("R_rel", "absolute part of the relative sensitivity", latex=r"R_{rel}")
_scale = page.positive("s", "a change of unit")
_baseline = gamma / eta**2 * (1 - eta * (alpha - 1)) * _rel**2
_level = nonnegative("r").symbol
_baseline_of = _baseline.subs(_rel, _level)

depends = page.at("after Theorem 2", "T2.6").remark(
    "rgm:variance-by-relative-part",
    "The baseline variance depends on the absolute part of the relative sensitivity",
    both(eq(At(_baseline_of, _level, _scale * _rel), _scale**2 * _baseline), eq(At(_baseline_of, _level, 0), 0)),
    r"The least $\sigma^2$ of Theorem 1 grows with the square of $R_{rel}$ and vanishes with it.",
    by=(Identity(), Smt()),
    wrong={
        "in proportion": eq(At(_baseline_of, _level, _scale * _rel), _scale * _baseline),
        "what is left without it": eq(At(_baseline_of, _level, 0), gamma),
    },
)

_n = page.natural("n", "number of records")
_others = page.positive("S", "sum of the other curvatures")
_old = page.real("a", "curvature of the old record", lower=1, upper=2)
_new = page.real("a'", "curvature of the new one", lower=1, upper=2)
_point = page.real("theta", "the point")
_wanted = page.positive("K", "an arbitrarily large number")
_difference = ((_old - _new) * _point / _n) ** 2
_gradient = ((_others + _old) * _point / _n) ** 2

smaller = page.at("after Theorem 2", "T2.6").remark(
    "rgm:relative-part-much-smaller",
    "The absolute part may be 0 where the absolute sensitivity is infinite",
    both(
        le(_difference, _gradient / _n**2), eq(At(_difference, (_old, _new, _point), (2, 1, _n * _wanted)), _wanted**2)
    ),
    r"For the mean of $n$ functions $\frac{a_i}2\theta^2$ on the line, neighbours having one $a_i$ exchanged, $1/n$ is a relative sensitivity without an absolute part, while two gradients may be arbitrarily far apart.",
    given=Hypothesis("the others are at least 1", ge(_others, _n - 1)),
    points={_n: (0, 100), _others: (0, 2, _n - 1 + _others)},
    wrong={
        "a relative part of 1/n^2": le(_difference, _gradient / _n**4),
        "a bounded difference": le(_difference, 1),
        "curvatures from 0 on": without(),
    },
    reading="Can be much smaller: by any factor, in an example. All the records agree on the minimiser there.",
)
