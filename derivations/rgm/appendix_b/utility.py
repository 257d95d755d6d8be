r"""Appendix B.1: the proof of Theorem 2, line by line, and the convex case.

The noise has variance $\gamma|g|^2+\sigma^2$ in each coordinate (Theorem 1 needs it so), so that $E|\xi|^2$ has a factor $d$ that the third line leaves out. With
$\gamma d$ for $\gamma$ and $d\sigma^2$ for $\sigma^2$ all later lines hold. Line v1 (53), v2 (58) has $f(\theta_t)-f(\theta_\star)$ where the line before has
$D_f(\theta_\star,\theta_t)$; both give a true inequality. In the convex case the left sides are random and lack their expectation.
"""

from sympy.matrices.expressions.matexpr import MatrixExpr

from ... import looseness
from ...theorems import TANGENT, TOWER
from ..descent_notation import *
from ..notation import NOTATION, d, gamma, sigma2
from . import utility_worlds as worlds

page = Page("rgm-v1+v2", "App. B.1", DESCENT_NOTATION, NOTATION)
_UNITS = Units({r: 2, F: 2, B: 2, G: 2, sigma2: 2})
_CONDITIONAL = r"The expectation is over the noise of step $t$, given $\theta_t$."
_now, _best, _released, _noise = (MatrixSymbol(name, d, 1) for name in ("theta_t", "theta_*", "g_t", "xi_t"))
_apart = _now - _best


def _square(vector: MatrixExpr, title: str) -> MatrixExpr:
    """The squared norm of the vector, shown as that of `title`."""
    return named(rf"\|{title}\|^2", vector.T * vector)


_gradient2, _noise2 = _square(_released, "g_t"), _square(_noise, r"\xi_t")
_expanded = (
    _square(_apart, r"\theta_t-\theta_\star")
    - 2 * tau * named(r"g_t^\top(\theta_t-\theta_\star)", _released.T * _apart)
    + tau**2 * _gradient2
)

first_line = page.at("first display, first line", "T2.7a").inequality(
    "rgm:b1-first-line",
    "One step, expanded",
    eq(_square(_apart - tau * _released, r"\theta_t-\tau g_t-\theta_\star"), _expanded),
    by=Matrices(),
    over=(d,),
    wrong={
        "2 dropped": _expanded + tau * _released.T * _apart,
        "the square of the gradient dropped": _expanded - tau**2 * _gradient2,
        "sign": _expanded + 4 * tau * _released.T * _apart,
    },
    reading=_CONDITIONAL + " Equal for every outcome, so equal in the mean; in every dimension.",
)

_with, _against = (
    _square(_apart - tau * (_released + sign * _noise), rf"\theta_t-\tau(g_t{shown}\xi_t)-\theta_\star")
    for sign, shown in ((1, "+"), (-1, "-"))
)

second_line = page.at("first display, second line", "T2.7b").identity(
    "rgm:b1-second-line",
    "The noise has mean zero",
    eq(_with / 2 + _against / 2, _expanded + tau**2 * _noise2),
    "The noise and its opposite are equally likely.",
    by=Matrices(),
    over=(d,),
    wrong={
        "without the opposite": left(_with),
        "half of the noise": _expanded + tau**2 * _noise2 / 2,
        "tau for its square": _expanded + tau * _noise2,
    },
    reading=_CONDITIONAL
    + " The Gaussian law is the same for the noise and its opposite; averaging over it gives the line, in every dimension. Here $g_t$ is the gradient.",
)

_noisy = tau**2 * (G + named(r"E\|\xi_t\|^2", d * (gamma * G + sigma2)))
_third = tau**2 * (1 + gamma) * G + tau**2 * sigma2

third_line = page.at("first display, third line", "T2.7c").identity(
    "rgm:b1-third-line",
    "The second moment of the noise, as printed",
    eq(_noisy, _third),
    reading="The variance of Definition 3 is per coordinate, as Lemma 2 and Theorem 1 take it; there are d coordinates.",
    mistake=("wrong constant", "rgm:b1-third-line-corrected"),
    remark="In dimension 1 the line holds. With the variance divided by d it would hold too, but then Theorem 1 does not.",
)

third_line_corrected = page.at("first display, third line", source="beyond").correction(
    "rgm:b1-third-line-corrected",
    "The second moment of the noise has the dimension as a factor",
    eq(_noisy, tau**2 * (1 + gamma * d) * G + noise_of_step),
    by=(Identity(), Smt(), Units({G: 2, sigma2: 2})),
    wrong={"as printed": _third, "the dimension at sigma^2 only": _third + noise_of_step - tau**2 * sigma2},
    steps=Step("The second moment of the noise, by integration and by simulation.", "beyond:noise-second-moment"),
)

_fz = page.real("f_z", "f(theta_* + g/L) - f(theta_*)")
_s = page.real("s", "gradient times theta_t - theta_*", latex=r"\nabla f(\theta_t)^\top(\theta_t-\theta_\star)")
_u, _v = real("u").symbol, real("v", lower=0).symbol

smoothness = page.at("before v1 (52), before v2 (57)", "T2.8").inequality(
    "rgm:b1-gradient-bound",
    "Smoothness bounds the gradient by the Bregman divergence",
    le(G, 2 * L * named(r"D_f(\theta_\star,\theta_t)", _s - F)),
    given=(
        Hypothesis("tangent at theta_t", ge(_fz, F - _s + G / L), "convexity, at theta_* + g/L"),
        Hypothesis("parabola at theta_*", le(_fz, G / (2 * L)), "smoothness and a gradient of 0 at the minimiser"),
    ),
    by=(
        combination((2 * L, _fz - F + _s - G / L), (2 * L, G / (2 * L) - _fz)),
        Smt(),
        worlds.BY_BREGMAN.mapped(worlds.of_gradient_bound, F, _fz, _s, G, L),
    ),
    points={_u: (0, None), _v: (0, None), _fz: G / (2 * L) - _v, _s: F + G / (2 * L) + _u + _v},
    wrong={
        "L for 2L": L * (_s - F),
        "the divergence plus the gap": 2 * L * (_s - 2 * F),
        "no smoothness": without("parabola at theta_*"),
    },
    steps="beyond:gradient-difference-by-bregman",
    reading=r"$D_f(\theta_\star,\theta_t) = f(\theta_\star) - f(\theta_t) + \nabla f(\theta_t)\cdot(\theta_t-\theta_\star)$. Convexity is needed too.",
    tightness=looseness.GRADIENT,
)

_progress = r - 2 * tau * F - 2 * tau * (1 - (1 + gamma) * tau * L) * B + tau**2 * sigma2
_progress_d = r - 2 * tau * F - 2 * tau * (1 - (1 + gamma * d) * tau * L) * B + noise_of_step

progress = page.at("v1 (52), v2 (57)", "T2.9").inequality(
    "rgm:b1-progress",
    "One step by both Bregman divergences, as printed",
    le(moment_on_quadratic, on_quadratic(_progress)),
    given=(*IN_CLASS, PRINTED_STEP),
    by=(Smt(), Search(), worlds.PROGRESS_PRINTED),
    reading=f"{_CONDITIONAL} {ON_QUADRATICS}",
    instance=QUADRATICS_ONLY,
    mistake=("wrong constant", "rgm:b1-progress-corrected"),
    printed=r"E\|\theta_{t+1}-\theta_\star\|^2 \le \|\theta_t-\theta_\star\|^2 - 2\tau D_f(\theta_t,\theta_\star) - 2\tau\left(1-(1+\gamma)\tau L\right)D_f(\theta_\star,\theta_t) + \tau^2\sigma^2",
)

progress_corrected = page.at("v1 (52), v2 (57)", source="beyond").correction(
    "rgm:b1-progress-corrected",
    "One step by both Bregman divergences",
    le(next_moment, _progress_d),
    "For every convex, $L$-smooth $f$ and every step size.",
    given=SMOOTH,
    by=(
        combination((tau**2, 1 + gamma * d, 2 * L * B - G)),
        Smt(),
        _UNITS,
        worlds.PROGRESS.mapped(worlds.of_progress, r, F, B, G, L, gamma, sigma2, d, tau),
    ),
    wrong={
        "as printed": _progress,
        "the noise without the dimension": _progress_d - noise_of_step + tau**2 * sigma2,
        "no smoothness": without(),
    },
    steps=(
        TOWER.quoted(
            "Expectations are taken given the point; the noise has mean 0 and the variance that the point fixes.",
            "Squared norms are not negative.",
        ),
        Step("The step expanded.", "rgm:b1-first-line"),
        Step("The noise has mean zero.", "rgm:b1-second-line"),
        Step("Its second moment.", "rgm:b1-third-line-corrected"),
        Step("The gradient by the divergence.", "rgm:b1-gradient-bound"),
    ),
    reading=_CONDITIONAL,
    tightness=Tightness(
        (1 - 2 * looseness.tau * looseness.lam + looseness.s * looseness.tau * looseness.lam) / looseness.once,
        looseness.STEP,
        r"the bound over the second moment after one step without baseline noise, on $\frac\lambda2x^2$ with $L = 1$, $k = 1+\gamma d$, $\tau = s/k$",
        at={looseness.lam: 1, looseness.k: 2},
        plot=(looseness.s,),
    ),
)

_nn = page.real("n", "|theta_t|^2", lower=0, latex=r"\|\theta_t\|^2")
_mm = page.real("n_*", "|theta_*|^2", lower=0, latex=r"\|\theta_\star\|^2")
_in = page.real("c", "theta_t . theta_*", latex=r"\theta_t^\top\theta_\star")
_ps = page.real(
    "p", "gradient at theta_* times theta_t - theta_*", latex=r"\nabla f(\theta_\star)^\top(\theta_t-\theta_\star)"
)
_ft = page.real("f_t", "f(theta_t)", latex=r"f(\theta_t)")
_fs = page.real("f_*", "f(theta_*)", latex=r"f(\theta_\star)")
_apart2 = named(r"\|\theta_t-\theta_\star\|^2", _nn - 2 * _in + _mm)

strong = page.at("before v1 (53), before v2 (58)", "T2.10a").inequality(
    "rgm:b1-strong-convexity",
    "Strong convexity bounds the distance",
    ge(2 * named(r"D_f(\theta_t,\theta_\star)", _ft - _fs - _ps), mu * _apart2),
    given=Hypothesis(
        "tangent of f less the parabola",
        ge((_ft - mu / 2 * _nn) - (_fs - mu / 2 * _mm) - (_ps - mu * (_in - _mm)), 0),
        "strong convexity",
    ),
    wrong={"twice mu": left(_ft - _fs - _ps), "no strong convexity": without()},
    steps=TANGENT.quoted("$f - \\frac\\mu2|\\cdot|^2$ lies above its tangent.", "$f$ is $\\mu$-strongly convex."),
)

_values = (1 - tau * mu) * r - 2 * tau * (1 - (1 + gamma) * tau * L) * F + tau**2 * sigma2
_values_d = (1 - tau * mu) * r - 2 * tau * (1 - (1 + gamma * d) * tau * L) * F + noise_of_step
_SMOOTH_VALUES = Hypothesis(
    "smoothness, at the minimiser", le(G, 2 * L * F), "the gradient bound with the points exchanged"
)
_STRONG_REVERSE = Hypothesis("strong convexity, points exchanged", ge(2 * B, mu * r))

values = page.at("v1 (53), v2 (58)", "T2.10b").inequality(
    "rgm:b1-values",
    "One step by distance and value, as printed",
    le(moment_on_quadratic, on_quadratic(_values)),
    given=(*IN_CLASS, PRINTED_STEP),
    by=(Smt(), Search(), worlds.VALUES_PRINTED),
    reading=f"{_CONDITIONAL} {ON_QUADRATICS}",
    instance=QUADRATICS_ONLY,
    mistake=("wrong constant", "rgm:b1-values-corrected"),
    printed=r"E\|\theta_{t+1}-\theta_\star\|^2 \le (1-\tau\mu)\|\theta_t-\theta_\star\|^2 - 2\tau\left(1-(1+\gamma)\tau L\right)\left[f(\theta_t)-f(\theta_\star)\right] + \tau^2\sigma^2",
)

values_corrected = page.at("v1 (53), v2 (58)", source="beyond").correction(
    "rgm:b1-values-corrected",
    "One step by distance and value",
    le(next_moment, _values_d),
    r"For every step size, from smoothness at the minimiser and strong convexity at $\theta_t$.",
    given=(_SMOOTH_VALUES, _STRONG_REVERSE),
    by=(
        combination((tau**2, 1 + gamma * d, 2 * L * F - G), (tau, 2 * B - mu * r)),
        Smt(),
        _UNITS,
        worlds.VALUES.mapped(worlds.of_any_step, r, F, B, G, mu, L, gamma, sigma2, d, tau),
        UNIT_OF_LOSS,
    ),
    wrong={
        "as printed": _values,
        "no strong convexity": without(_STRONG_REVERSE),
        "twice mu": _values_d - tau * mu * r,
    },
    steps=Step("How it follows from the line before, for short steps.", "beyond:b1-values-from-progress"),
    reading=_CONDITIONAL,
    remark="The printed step puts strong convexity for one divergence, so that the other one is left, and then writes the first again. The line is true "
    "all the same.",
)

values_from_progress = page.at("v1 (52)-(53), v2 (57)-(58)", source="beyond").inequality(
    "beyond:b1-values-from-progress",
    "From both divergences to the value, for short steps",
    le(_progress_d, _values_d),
    "For short steps the bound by both divergences is the stronger one.",
    given=(STRONGLY_CONVEX, _STRONG_REVERSE, STEP_WITH_DIMENSION),
    by=(
        combination(
            (tau, (1 + gamma * d) * tau * L, 2 * F - mu * r),
            (tau, (1 + gamma * d) * L, 1 / ((1 + gamma * d) * L) - tau, 2 * B - mu * r),
        ),
        Smt(),
        UNIT_OF_LOSS,
    ),
    wrong={
        "longer steps": instead(Hypothesis("step with the dimension", le(tau, 2 / ((1 + gamma * d) * L)))),
        "one order of strong convexity": without(_STRONG_REVERSE),
    },
)

recursion = page.at("v1 (54), v2 (59)", "T2.11").inequality(
    "rgm:b1-strongly-convex",
    "The strongly convex case with the step of the proof, as printed",
    le(on_quadratic(next_moment, r_0), (1 - tau * mu) * r_0 + tau * sigma2 / mu),
    "Theorem 2 with the step size of its proof.",
    given=(*IN_CLASS, STEP_OF_PROOF),
    reading=ON_QUADRATICS,
    instance=QUADRATICS_ONLY + " The case $t = 1$.",
    mistake=("wrong constant", "beyond:descent-theorem"),
    remark="In dimension 1 it holds; from dimension 2 on it fails for every step size, at some t.",
    printed=r"E\|\theta_t-\theta_\star\|^2 \le (1-\tau\mu)^t\,\|\theta_0-\theta_\star\|^2 + \frac{\tau\sigma^2}{\mu}",
)

convex_step = page.at("v1 (55), v2 (60)", "T2.12").inequality(
    "rgm:b1-convex-step",
    "One step in the convex case, as printed",
    le(on_quadratic(F), on_quadratic((r - next_moment) / (2 * tau)) + tau * sigma2 / 2),
    given=(IN_CLASS[1], STEP_OF_PROOF),
    reading=f"{_CONDITIONAL} {ON_QUADRATICS}",
    instance=QUADRATICS_ONLY,
    mistake=("wrong constant", "beyond:descent-convex-step"),
    printed=r"f(\theta_t)-f(\theta_\star) \le \frac{E\left[\|\theta_t-\theta_\star\|^2-\|\theta_{t+1}-\theta_\star\|^2\right]}{2\tau} + \frac{\tau\sigma^2}{2}",
)
