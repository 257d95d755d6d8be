r"""The cumulant generating function of the privacy loss: derivatives, convexity, zeros, the reversed pair.

$K(s) = \log E_P e^{sL}$ is in closed form (`privacy_loss.py`). Here it is had from the law of the loss once more, compared with the
Rényi divergence, and differentiated; two forms in which nothing cancels are those that floating point evaluates.
"""

from rgm_verify.pages import *

from ...rgm.appendix_a import lemma_2_notation as lemma
from ...rgm.notation import NOTATION, alpha, d
from ...theorems import MOMENTS
from ..renyi.log_notation import P, Q
from .loss_notation import *
from .loss_notation import page as _privacy_loss

page = Page("beyond", "privacy loss of two isotropic Gaussians", NOTATION, _privacy_loss)
_lambda = page.nonnegative("lambda", "noncentrality")
_theta = page.real("theta", "argument of the moment generating function", upper=Rational(1, 2), upper_open=True)

poisson_mixture = page.elsewhere("the series for the hockey-stick divergence").identity(
    "beyond:noncentral-chi-square-mixture",
    "A noncentral chi-square law is a Poisson mixture of central ones",
    eq(_lambda / 2 * (1 / (1 - 2 * _theta) - 1), _lambda * _theta / (1 - 2 * _theta)),
    r"On the left is the exponent of the moment generating function for $d + 2J$ degrees of freedom, $J$ Poisson of mean $\lambda/2$, on the right that of a squared norm around a mean of squared norm $\lambda$. Both have the factor $(1-2\theta)^{-d/2}$.",
    by=(Identity(), Smt()),
    wrong={
        "mean lambda": left(_lambda * (1 / (1 - 2 * _theta) - 1)),
        "one degree each": left(_lambda / 2 * (1 / sqrt(1 - 2 * _theta) - 1)),
    },
    steps=MOMENTS.quoted(
        "A Poisson variable has $E z^J = e^{\\frac\\lambda2(z-1)}$; equal generating functions around 0 are equal laws.",
        "Both are finite for $\\theta < \\frac12$.",
    ),
)

_theta_of_s = named(r"\theta", s * w / 2)
_lambda_under_p = named(r"\lambda", D**2 * v / w**2)
_from_law = -d * log(qs) / 2 + _lambda_under_p * _theta_of_s / (1 - 2 * _theta_of_s) - s * (d * log(v) + D**2 / w) / 2

cumulant_from_law = page.identity(
    "beyond:cumulant-from-the-loss-law",
    "The cumulant generating function from the noncentral chi-square law",
    eq(_from_law, cumulant),
    r"On the left is the generating function of the noncentral chi-square law at $\theta$.",
    given=(UNEQUAL, FINITE),
    by=(Identity(), *LOG_MOMENT),
    points=sized(D, v, s, d),
    wrong={
        "noncentrality under Q": left(_from_law - D**2 * s / (2 * qs)),
        "theta = s w": left(-d * log(qs) / 2 + _lambda_under_p * s * w / qs - s * (d * log(v) + D**2 / w) / 2),
        "without D^2/w": left(_from_law + s * D**2 / (2 * w)),
    },
    steps=("beyond:loss-law", "beyond:loss-noncentralities", "beyond:noncentral-chi-square-mixture"),
)

_convex_along_the_line = le(0, Derivative(-(1 + s) * (z - D) ** 2 / (2 * v) + s * z**2 / 2, (z, 2)))

infinite = page.remark(
    "beyond:cumulant-infinite",
    "Where q_s is not positive, the moment is infinite",
    Implies(le(qs, 0), _convex_along_the_line),
    "So the exponent of $P^{1+s}Q^{-s}$ is convex along the line of the means, and the integral diverges.",
    over=(D, z),
    wrong={"for every s": _convex_along_the_line, "q_s up to 1": Implies(le(qs, 1), _convex_along_the_line)},
    reading="The exponential of a convex function on the line has an infinite integral.",
)


def _by_lemma(changes: dict[Symbol, Expr | int]) -> Expr:
    """The divergence of Lemma 2 for this pair, with changes."""
    here = {lemma.distance: D, lemma.s1: sqrt(v), lemma.s2: 1, lemma.big_s: qs, alpha: 1 + s}
    return lemma.divergence_s.subs({**here, **changes}, simultaneous=True)


renyi = page.identity(
    "beyond:cumulant-renyi",
    "The cumulant generating function is s times the Rényi divergence of order 1 + s",
    eq(cumulant, s * named(r"D_{1+s}(P\|Q)", _by_lemma({}))),
    "The divergence is that of Lemma 2 at the variances $v$ and 1; the mixed variance is $q_s$.",
    given=(FINITE, Hypothesis("order above 1", gt(s, 0), "Lemma 2 has alpha > 1")),
    by=(Identity(positive=(qs, s)), *LOG_MOMENT),
    points=sized(D, v, s, d),
    wrong={
        "order s": s * _by_lemma({alpha: s}),
        "s + 1 times the divergence": (s + 1) * _by_lemma({}),
        "the pair the other way round": s * _by_lemma({lemma.s1: 1, lemma.s2: sqrt(v)}),
    },
    steps=("rgm:lemma-2", "beyond:cumulant"),
)

between_zeros = page.inequality(
    "beyond:cumulant-between-its-zeros",
    "The cumulant generating function between its zeros",
    le(cumulant, 0),
    "At 0 and $-1$ it is 0, as $P$ and $Q$ have the mass 1. In between $K$ is always finite: $q_s$ is the mean of 1 and $v$ with weights $1 + s$ and $-s$.",
    given=(Hypothesis("from -1", ge(s, -1)), Hypothesis("to 0", le(s, 0))),
    points={**sized(D, v, d), s: (-1, 0)},
    wrong={
        "not negative": turned(),
        "from -2": changed(hypotheses=(FINITE, Hypothesis("from -2", ge(s, -2)), Hypothesis("to 0", le(s, 0)))),
        "without s log v": left(cumulant + d * s * log(v) / 2),
    },
    steps=(Premise("beyond:log-upper", {P: 1, Q: qs}), Premise("beyond:log-upper", {P: v, Q: qs})),
)

_log_part = log(1 - s * any_excess) + s * log(1 + any_excess)


def _by_remainders(first: Expr, second: Expr) -> Expr:
    return -(any_excess**2) * (first * LogRemainder(2, -s * any_excess) + second * LogRemainder(2, any_excess))


stable_form = page.elsewhere("floating-point evaluation of the cumulant generating function").identity(
    "beyond:cumulant-without-cancellation",
    "The logarithmic part without cancellation near equal variances",
    both(
        eq(_log_part, (log(1 - s * any_excess) - (-s * any_excess)) + s * (log(1 + any_excess) - any_excess)),
        eq(_log_part, _by_remainders(s**2, s)),
    ),
    "The linear terms, which are all of it for small $w$, have gone.",
    given=Hypothesis("the moment is finite", gt(1 - s * any_excess, 0)),
    points={s: (-3, 3), any_excess: (-1, 3)},
    wrong={
        "s for s^2": eq(_log_part, _by_remainders(s, s)),
        "sign of the second part": eq(_log_part, _by_remainders(s**2, -s)),
    },
)

#: The first derivative of the cumulant generating function.
slope = named("K'(s)", D**2 * (2 * s + 1 - w * s**2) / (2 * qs**2) + d * (w / qs - log(v)) / 2)
_finite = page.under(given=FINITE, points=sized(D, v, s, d))

first_derivative = _finite.identity(
    "beyond:cumulant-slope",
    "The first derivative of the cumulant generating function",
    eq(Derivative(cumulant, s), slope.value),
    "It is the mean of the loss under the tilted law.",
    wrong={
        "without w s^2": slope.value + D**2 * w * s**2 / (2 * qs**2),
        "sign of log v": slope.value + d * log(v),
        "at s = 0": slope.subs(s, 0),
    },
)

_SADDLE = page.elsewhere("the contour integral of the hockey-stick divergence")
_u = named("u", 1 / qs - 1)
_chernoff = d * (-log(qs) - _u) / 2 - D**2 * v * s**2 / (2 * qs**2)

saddle = _SADDLE.identity(
    "beyond:cumulant-at-a-saddle",
    "The exponent at a saddle without cancellation",
    eq(cumulant - s * slope, _chernoff),
    r"These are two terms of one sign. At a saddle for the level $\epsilon$ it is the exponent $K(s) - s\epsilon$.",
    given=FINITE,
    points=sized(D, v, s, d),
    wrong={
        "without v": _chernoff - D**2 * s**2 * (1 - v) / (2 * qs**2),
        "u with the other sign": _chernoff + d * _u,
        "K' once": left(cumulant - slope),
    },
    reading=r"$\log(1+u)$ is written as $-\log q_s$.",
)

_U = page.positive("U", "1 / q_s")

chernoff_sign = _SADDLE.inequality(
    "beyond:cumulant-saddle-terms",
    "The exponent at a saddle is not positive",
    le(d * (log(_U) - (_U - 1)) / 2 - D**2 * v * s**2 * _U**2 / 2, 0),
    "Both terms are at most 0, so that $e^{K - sK'}$ never overflows.",
    by=combination((d / 2, (_U - 1) ** 2, LogRemainder(2, _U - 1)), (D**2 * v * s**2 * _U**2 / 2,)),
    wrong={
        "the second term added": left(d * (log(_U) - (_U - 1)) / 2 + D**2 * v * s**2 * _U**2 / 2),
        "the line halved": left(d * (log(_U) - (_U - 1) / 2) / 2 - D**2 * v * s**2 * _U**2 / 2),
    },
)

_curvature = D**2 * v / qs**3 + d * w**2 / (2 * qs**2)

second_derivative = _finite.identity(
    "beyond:cumulant-second-derivative",
    "The second derivative of the cumulant generating function",
    eq(Derivative(slope, s), _curvature),
    "It is the variance of the loss under the tilted law.",
    wrong={
        "square for cube": _curvature + D**2 * v * (1 / qs**2 - 1 / qs**3),
        "without v": _curvature + D**2 * (1 - v) / qs**3,
        "without the half": _curvature + d * w**2 / (2 * qs**2),
    },
    steps="beyond:cumulant-slope",
)

convex = page.inequality(
    "beyond:cumulant-convex",
    "The cumulant generating function is strictly convex",
    gt(_curvature, 0),
    "On the left is $K''(s)$. So saddles are unique, and Newton's method finds them.",
    given=(FINITE, Hypothesis("the laws differ", gt(D**2 + w**2, 0))),
    points=sized(D, v, s, d),
    wrong={
        "at least D^2": D**2,
        "the second term subtracted": left(D**2 * v / qs**3 - d * w**2 / (2 * qs**2)),
        "beyond the end of the range": changed(hypotheses=(Hypothesis("q_s not 0", ne(qs, 0)),)),
    },
    steps="beyond:cumulant-second-derivative",
)

_reversed = named(r"K_{Q\|P}(s)", cumulant.subs({D: D / sqrt(v), v: 1 / v}, simultaneous=True))
_REFLECTED = Hypothesis("the moment is finite", gt(v + s * w, 0))

duality = page.identity(
    "beyond:cumulant-duality",
    "Exchanging the two laws reflects the cumulant generating function",
    eq(_reversed, cumulant.subs(s, -1 - s)),
    "In the units of $P$ the reversed pair has $D^2/v$ and $1/v$.",
    printed=r"K_{Q\|P}(s) = K_{P\|Q}(-1-s)",
    given=_REFLECTED,
    by=(
        Identity(positive=(v + s * w,)),
        *by_outputs(_reversed, Renyi(1 + s), UNIT_PAIR.reversed(), LAW_POINTS, LAW_POINTS[1:2], scale=s),
    ),
    points=sized(D, v, s, d),
    wrong={
        "1 - s": changed(
            eq(_reversed, cumulant.subs(s, 1 - s)), (Hypothesis("finite", gt(1 - (1 - s) * w, 0)), _REFLECTED)
        ),
        "the distance not rescaled": left(cumulant.subs(v, 1 / v)),
        "not reflected": changed(eq(_reversed, cumulant), (FINITE, _REFLECTED)),
    },
)

moments = page.identity(
    "beyond:loss-mean-variance",
    "Mean and variance of the loss",
    both(
        eq(At(Derivative(cumulant, s), s, 0), D**2 / 2 + d * (w - log(v)) / 2),
        eq(At(Derivative(cumulant, (s, 2)), s, 0), D**2 * v + d * w**2 / 2),
    ),
    "The mean of the loss under $P$ is the Kullback-Leibler divergence, and the second line is its variance.",
    by=(Identity(), *by_outputs(D**2 / 2 + d * (w - log(v)) / 2, Renyi(1), UNIT_PAIR, LAW_POINTS, LAW_POINTS[:1])),
    wrong={
        "mean under Q": eq(At(Derivative(cumulant, s), s, 0), -(D**2) / (2 * v) + d * (1 - 1 / v - log(v)) / 2),
        "variance without v": eq(At(Derivative(cumulant, (s, 2)), s, 0), D**2 + d * w**2 / 2),
    },
)
