r"""Appendix B.1: the proof of Theorem 2, line by line, and the convex case.

The noise has variance $\gamma|g|^2+\sigma^2$ in each coordinate (Theorem 1 needs it so), so that $E|\xi|^2$ has a factor $d$ that the third line leaves out. With
$\gamma d$ for $\gamma$ and $d\sigma^2$ for $\sigma^2$ all later lines hold. Line v1 (53), v2 (58) has $f(\theta_t)-f(\theta_\star)$ where the line before has
$D_f(\theta_\star,\theta_t)$; both give a true inequality. In the convex case the left sides are random and lack their expectation.
"""

from sympy import MatrixSymbol
from sympy.matrices.expressions.matexpr import MatrixExpr

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Step, eq, ge, le, real
from rgm_verify.lenses import Combination, Identity, Matrices, Search, Smt, Units

from .. import looseness
from ..theorems import TANGENT, TOWER
from ..worlds import descent as descent_worlds
from ..worlds import units as units_worlds
from .descent_notation import (
    CURVATURE,
    GAP,
    IN_CLASS,
    ON_QUADRATICS,
    PRINTED_STEP,
    QUADRATICS_ONLY,
    REVERSE_GAP,
    SMOOTH,
    SMOOTHNESS,
    SQUARED_DISTANCE,
    SQUARED_GRADIENT,
    START,
    STEP,
    STEP_OF_PROOF,
    STEP_WITH_DIMENSION,
    STRONG_CONVEXITY,
    STRONGLY_CONVEX,
    B,
    F,
    G,
    L,
    mu,
    next_moment,
    noise_of_step,
    on_quadratic,
    r,
    r_0,
    tau,
)
from .notation import DIMENSION, GAMMA, SIGMA2, d, gamma, sigma2

_SOURCE = "rgm-v1+v2"
_STATE = (SQUARED_DISTANCE, GAP, REVERSE_GAP, SQUARED_GRADIENT)
_MECHANISM = (GAMMA, SIGMA2, DIMENSION, STEP)
_FAMILY = (STRONG_CONVEXITY, SMOOTHNESS, CURVATURE, *_MECHANISM)
_UNITS = Units({r: 2, F: 2, B: 2, G: 2, sigma2: 2})
_CONDITIONAL = r"The expectation is over the noise of step $t$, given $\theta_t$."


_now, _best, _released, _noise = (MatrixSymbol(name, d, 1) for name in ("theta_t", "theta_*", "g_t", "xi_t"))
_apart = _now - _best


def _square(vector: MatrixExpr) -> MatrixExpr:
    return vector.T * vector


_expanded = _square(_apart) - 2 * tau * _released.T * _apart + tau**2 * _square(_released)

first_line = Claim(
    id="rgm:b1-first-line",
    refs=("T2.7a",),
    title="One step, expanded",
    source=_SOURCE,
    where="App. B.1, first display, first line",
    kind="inequality",
    statement="The square of the distance after a step is expanded; the two sides are equal, for every outcome of the noise.",
    variables=(DIMENSION, STEP),
    conclusion=eq(_square(_apart - tau * _released), _expanded),
    reading=_CONDITIONAL + " Equal for every outcome, so equal in the mean; in every dimension.",
    checks=(Matrices(),),
    mutants=(
        Mutant("2 dropped", eq(_square(_apart - tau * _released), _expanded + tau * _released.T * _apart)),
        Mutant(
            "the square of the gradient dropped",
            eq(_square(_apart - tau * _released), _expanded - tau**2 * _square(_released)),
        ),
        Mutant("sign", eq(_square(_apart - tau * _released), _expanded + 4 * tau * _released.T * _apart)),
    ),
)


_antithetic = _square(_apart - tau * (_released + _noise)) / 2 + _square(_apart - tau * (_released - _noise)) / 2

second_line = Claim(
    id="rgm:b1-second-line",
    refs=("T2.7b",),
    title="The noise has mean zero",
    source=_SOURCE,
    where="App. B.1, first display, second line",
    kind="identity",
    statement="The mean over the noise and its opposite, which are equally likely, leaves the gradient and the square of the noise.",
    variables=(DIMENSION, STEP),
    conclusion=eq(_antithetic, _expanded + tau**2 * _square(_noise)),
    reading=_CONDITIONAL
    + " The Gaussian law is the same for the noise and its opposite; averaging over it gives the line, in every dimension. Here $g_t$ is the gradient.",
    checks=(Matrices(),),
    mutants=(
        Mutant(
            "without the opposite",
            eq(_square(_apart - tau * (_released + _noise)), _expanded + tau**2 * _square(_noise)),
        ),
        Mutant("half of the noise", eq(_antithetic, _expanded + tau**2 * _square(_noise) / 2)),
        Mutant("tau for its square", eq(_antithetic, _expanded + tau * _square(_noise))),
    ),
)

_third = tau**2 * (1 + gamma) * G + tau**2 * sigma2
_third_corrected = tau**2 * (1 + gamma * d) * G + noise_of_step

third_line = Claim(
    id="rgm:b1-third-line",
    refs=("T2.7c",),
    title="The second moment of the noise, as printed",
    source=_SOURCE,
    where="App. B.1, first display, third line",
    kind="identity",
    statement=r"$E|\xi_t|^2 = \gamma|\nabla f(\theta_t)|^2 + \sigma^2$ for the noise in $R^d$.",
    variables=(SQUARED_GRADIENT, *_MECHANISM),
    conclusion=eq(tau**2 * (G + d * (gamma * G + sigma2)), _third),
    reading="The variance of Definition 3 is per coordinate, as Lemma 2 and Theorem 1 take it; there are d coordinates.",
    category="wrong constant",
    corrected="rgm:b1-third-line-corrected",
    remark="In dimension 1 the line holds. With the variance divided by d it would hold too, but then Theorem 1 does not.",
)

third_line_corrected = Claim(
    id="rgm:b1-third-line-corrected",
    title="The second moment of the noise has the dimension as a factor",
    source="beyond",
    where="App. B.1, first display, third line",
    kind="correction",
    statement=r"$E|\xi_t|^2 = d\,(\gamma|\nabla f(\theta_t)|^2 + \sigma^2)$.",
    variables=(SQUARED_GRADIENT, *_MECHANISM),
    conclusion=eq(tau**2 * (G + d * (gamma * G + sigma2)), _third_corrected),
    checks=(Identity(), Smt(), Units({G: 2, sigma2: 2})),
    mutants=(
        Mutant("as printed", eq(tau**2 * (G + d * (gamma * G + sigma2)), _third)),
        Mutant(
            "the dimension at sigma^2 only",
            eq(tau**2 * (G + d * (gamma * G + sigma2)), _third + noise_of_step - tau**2 * sigma2),
        ),
    ),
    derivation=(
        Step("The second moment of the noise, by integration and by simulation.", "beyond:noise-second-moment"),
    ),
)

_Z = real("f_z", "f(theta_* + g/L) - f(theta_*)")
_S = real("s", "gradient times theta_t - theta_*")
_fz, _s = _Z.symbol, _S.symbol
_u, _v = real("u").symbol, real("v", lower=0).symbol

smoothness = Claim(
    id="rgm:b1-gradient-bound",
    refs=("T2.8",),
    title="Smoothness bounds the gradient by the Bregman divergence",
    source=_SOURCE,
    where="App. B.1, before v1 (52), before v2 (57)",
    kind="inequality",
    statement=r"$|\nabla f(\theta_t)|^2 \le 2L\,D_f(\theta_\star,\theta_t)$ for convex, $L$-smooth $f$ with minimiser $\theta_\star$.",
    variables=(GAP, _Z, _S, SQUARED_GRADIENT, SMOOTHNESS),
    hypotheses=(
        Hypothesis("tangent at theta_t", ge(_fz, F - _s + G / L), "convexity, at theta_* + g/L"),
        Hypothesis("parabola at theta_*", le(_fz, G / (2 * L)), "smoothness and a gradient of 0 at the minimiser"),
    ),
    conclusion=le(G, 2 * L * (_s - F)),
    reading=r"$D_f(\theta_\star,\theta_t) = f(\theta_\star) - f(\theta_t) + \nabla f(\theta_t)\cdot(\theta_t-\theta_\star)$. Convexity is needed too.",
    checks=(
        Combination(terms=((2 * L, _fz - F + _s - G / L), (2 * L, G / (2 * L) - _fz))),
        Smt(),
        descent_worlds.BY_BREGMAN.mapped(descent_worlds.of_gradient_bound, F, _fz, _s, G, L),
    ),
    derivation=(Step(claim="beyond:gradient-difference-by-bregman"),),
    sampling=Chart(
        {F: (0, None), G: (0, None), L: (0, None), _u: (0, None), _v: (0, None)},
        {_fz: G / (2 * L) - _v, _s: F + G / (2 * L) + _u + _v, F: F, G: G, L: L},
    ),
    tightness=looseness.GRADIENT,
    mutants=(
        Mutant("L for 2L", le(G, L * (_s - F))),
        Mutant("the divergence plus the gap", le(G, 2 * L * (_s - 2 * F))),
        Mutant("no smoothness", hypotheses=(Hypothesis("tangent", ge(_fz, F - _s + G / L)),)),
    ),
)

_progress = r - 2 * tau * F - 2 * tau * (1 - (1 + gamma) * tau * L) * B + tau**2 * sigma2
_progress_d = r - 2 * tau * F - 2 * tau * (1 - (1 + gamma * d) * tau * L) * B + noise_of_step
_quadratic_moment = on_quadratic(next_moment)

progress = Claim(
    id="rgm:b1-progress",
    refs=("T2.9",),
    title="One step by both Bregman divergences, as printed",
    source=_SOURCE,
    where="App. B.1, v1 (52), v2 (57)",
    kind="inequality",
    statement="The second moment after a step, bounded by the two divergences, without the dimension.",
    variables=(SQUARED_DISTANCE, *_FAMILY),
    hypotheses=(*IN_CLASS, PRINTED_STEP),
    conclusion=le(_quadratic_moment, on_quadratic(_progress)),
    checks=(
        Smt(),
        Search(),
        descent_worlds.PROGRESS_PRINTED,
    ),
    reading=f"{_CONDITIONAL} {ON_QUADRATICS}",
    scope="instance",
    missing=QUADRATICS_ONLY,
    category="wrong constant",
    corrected="rgm:b1-progress-corrected",
)

progress_corrected = Claim(
    id="rgm:b1-progress-corrected",
    title="One step by both Bregman divergences",
    source="beyond",
    where="App. B.1, v1 (52), v2 (57)",
    kind="correction",
    statement=r"The same with $\gamma d$ and $d\sigma^2$, for every convex $L$-smooth $f$ and every step size.",
    variables=(*_STATE, SMOOTHNESS, *_MECHANISM),
    hypotheses=(SMOOTH,),
    conclusion=le(next_moment, _progress_d),
    reading=_CONDITIONAL,
    checks=(
        Combination(terms=((tau**2, 1 + gamma * d, 2 * L * B - G),)),
        Smt(),
        _UNITS,
        descent_worlds.PROGRESS.mapped(descent_worlds.of_progress, r, F, B, G, L, gamma, sigma2, d, tau),
    ),
    tightness=looseness.PROGRESS,
    mutants=(
        Mutant("as printed", le(next_moment, _progress)),
        Mutant("the noise without the dimension", le(next_moment, _progress_d - noise_of_step + tau**2 * sigma2)),
        Mutant("no smoothness", hypotheses=()),
    ),
    derivation=(
        Step(
            "Expectations are taken given the point; the noise has mean 0 and the variance that the point fixes.",
            theorem=TOWER,
            met={"integrable": "Squared norms are not negative."},
        ),
        Step("The step expanded.", "rgm:b1-first-line"),
        Step("The noise has mean zero.", "rgm:b1-second-line"),
        Step("Its second moment.", "rgm:b1-third-line-corrected"),
        Step("The gradient by the divergence.", "rgm:b1-gradient-bound"),
    ),
)

_NN, _MM = real("n", "|theta_t|^2", lower=0), real("n_*", "|theta_*|^2", lower=0)
_IN, _PS = real("c", "theta_t . theta_*"), real("p", "gradient at theta_* times theta_t - theta_*")
_FT, _FS = real("f_t", "f(theta_t)"), real("f_*", "f(theta_*)")
_nn, _mm, _in, _ps, _ft, _fs = (v.symbol for v in (_NN, _MM, _IN, _PS, _FT, _FS))

strong = Claim(
    id="rgm:b1-strong-convexity",
    refs=("T2.10a",),
    title="Strong convexity bounds the distance",
    source=_SOURCE,
    where="App. B.1, before v1 (53), before v2 (58)",
    kind="inequality",
    statement=r"$2D_f(\theta_t,\theta_\star) \ge \mu|\theta_t-\theta_\star|^2$, because $f - \frac\mu2|\cdot|^2$ lies above its tangent.",
    variables=(_NN, _MM, _IN, _PS, _FT, _FS, STRONG_CONVEXITY),
    hypotheses=(
        Hypothesis(
            "tangent of f less the parabola",
            ge((_ft - mu / 2 * _nn) - (_fs - mu / 2 * _mm) - (_ps - mu * (_in - _mm)), 0),
            "strong convexity",
        ),
    ),
    conclusion=ge(2 * (_ft - _fs - _ps), mu * (_nn - 2 * _in + _mm)),
    checks=(Smt(),),
    mutants=(
        Mutant("twice mu", ge(_ft - _fs - _ps, mu * (_nn - 2 * _in + _mm))),
        Mutant("no strong convexity", hypotheses=()),
    ),
    derivation=(
        Step(
            "$f - \\frac\\mu2|\\cdot|^2$ lies above its tangent.",
            theorem=TANGENT,
            met={"convex": "$f$ is $\\mu$-strongly convex."},
        ),
    ),
)

_values = (1 - tau * mu) * r - 2 * tau * (1 - (1 + gamma) * tau * L) * F + tau**2 * sigma2
_values_d = (1 - tau * mu) * r - 2 * tau * (1 - (1 + gamma * d) * tau * L) * F + noise_of_step
_SMOOTH_VALUES = Hypothesis(
    "smoothness, at the minimiser", le(G, 2 * L * F), "the gradient bound with the points exchanged"
)
_STRONG_REVERSE = Hypothesis("strong convexity, points exchanged", ge(2 * B, mu * r))

values = Claim(
    id="rgm:b1-values",
    refs=("T2.10b",),
    title="One step by distance and value, as printed",
    source=_SOURCE,
    where="App. B.1, v1 (53), v2 (58)",
    kind="inequality",
    statement=r"The second moment after a step, by $|\theta_t-\theta_\star|^2$ and $f(\theta_t)-f(\theta_\star)$, without the dimension.",
    variables=(SQUARED_DISTANCE, *_FAMILY),
    hypotheses=(*IN_CLASS, PRINTED_STEP),
    conclusion=le(_quadratic_moment, on_quadratic(_values)),
    checks=(
        Smt(),
        Search(),
        descent_worlds.VALUES_PRINTED,
    ),
    reading=f"{_CONDITIONAL} {ON_QUADRATICS}",
    scope="instance",
    missing=QUADRATICS_ONLY,
    category="wrong constant",
    corrected="rgm:b1-values-corrected",
)

values_corrected = Claim(
    id="rgm:b1-values-corrected",
    title="One step by distance and value",
    source="beyond",
    where="App. B.1, v1 (53), v2 (58)",
    kind="correction",
    statement=r"The same with $\gamma d$ and $d\sigma^2$, for every step size: from $|\nabla f|^2 \le 2L(f-f_\star)$ and strong convexity at $\theta_t$.",
    variables=(*_STATE, STRONG_CONVEXITY, SMOOTHNESS, *_MECHANISM),
    hypotheses=(_SMOOTH_VALUES, _STRONG_REVERSE),
    conclusion=le(next_moment, _values_d),
    reading=_CONDITIONAL,
    checks=(
        Combination(terms=((tau**2, 1 + gamma * d, 2 * L * F - G), (tau, 2 * B - mu * r))),
        Smt(),
        _UNITS,
        descent_worlds.VALUES.mapped(descent_worlds.of_any_step, r, F, B, G, mu, L, gamma, sigma2, d, tau),
        units_worlds.LOSS,
    ),
    remark=(
        "The printed step puts strong convexity for one divergence, so that the other one is left, and then writes the first again. The line is true "
        "all the same."
    ),
    mutants=(
        Mutant("as printed", le(next_moment, _values)),
        Mutant("no strong convexity", hypotheses=(_SMOOTH_VALUES,)),
        Mutant("twice mu", le(next_moment, _values_d - tau * mu * r)),
    ),
    derivation=(Step("How it follows from the line before, for short steps.", "beyond:b1-values-from-progress"),),
)

values_from_progress = Claim(
    id="beyond:b1-values-from-progress",
    title="From both divergences to the value, for short steps",
    source="beyond",
    where="App. B.1, v1 (52)-(53), v2 (57)-(58)",
    kind="inequality",
    statement=r"For $(1+\gamma d)\tau L \le 1$ the right side of v1 (52), v2 (57) is at most that of v1 (53), v2 (58), by strong convexity in both orders.",
    variables=(SQUARED_DISTANCE, GAP, REVERSE_GAP, STRONG_CONVEXITY, SMOOTHNESS, *_MECHANISM),
    hypotheses=(STRONGLY_CONVEX, _STRONG_REVERSE, STEP_WITH_DIMENSION),
    conclusion=le(_progress_d, _values_d),
    checks=(
        Combination(
            terms=(
                (tau, (1 + gamma * d) * tau * L, 2 * F - mu * r),
                (tau, (1 + gamma * d) * L, 1 / ((1 + gamma * d) * L) - tau, 2 * B - mu * r),
            )
        ),
        Smt(),
        units_worlds.LOSS,
    ),
    mutants=(
        Mutant(
            "longer steps",
            hypotheses=(STRONGLY_CONVEX, _STRONG_REVERSE, Hypothesis("step", le(tau, 2 / ((1 + gamma * d) * L)))),
        ),
        Mutant("one order of strong convexity", hypotheses=(STRONGLY_CONVEX, STEP_WITH_DIMENSION)),
    ),
)

recursion = Claim(
    id="rgm:b1-strongly-convex",
    refs=("T2.11",),
    title="The strongly convex case with the step of the proof, as printed",
    source=_SOURCE,
    where="App. B.1, v1 (54), v2 (59)",
    kind="inequality",
    statement=r"The bound of Theorem 2 for $\tau \le 1/((1+\gamma)L)$.",
    variables=(START, *_FAMILY),
    hypotheses=(*IN_CLASS, STEP_OF_PROOF),
    conclusion=le(on_quadratic(next_moment, r_0), (1 - tau * mu) * r_0 + tau * sigma2 / mu),
    reading=ON_QUADRATICS,
    scope="instance",
    missing=QUADRATICS_ONLY + " The case $t = 1$.",
    category="wrong constant",
    corrected="beyond:descent-theorem",
    remark="In dimension 1 it holds; from dimension 2 on it fails for every step size, at some t.",
)

_CONVEX_FAMILY = (SMOOTHNESS, CURVATURE, *_MECHANISM)
_AT_MOST_L = IN_CLASS[1]
_values_gap = (r - next_moment) / (2 * tau)

convex_step = Claim(
    id="rgm:b1-convex-step",
    refs=("T2.12",),
    title="One step in the convex case, as printed",
    source=_SOURCE,
    where="App. B.1, v1 (55), v2 (60)",
    kind="inequality",
    statement=r"$f(\theta_t)-f(\theta_\star)$ is bounded by the decrease of the squared distance and $\frac{\tau\sigma^2}2$.",
    variables=(SQUARED_DISTANCE, *_CONVEX_FAMILY),
    hypotheses=(_AT_MOST_L, STEP_OF_PROOF),
    conclusion=le(on_quadratic(F), on_quadratic(_values_gap) + tau * sigma2 / 2),
    reading=f"{_CONDITIONAL} {ON_QUADRATICS}",
    scope="instance",
    missing=QUADRATICS_ONLY,
    category="wrong constant",
    corrected="beyond:descent-convex-step",
)
