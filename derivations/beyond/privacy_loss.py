r"""The privacy loss of two isotropic Gaussians: its law, and its cumulant generating function.

In units of the second variance the pair is $P = N(De_1, vI)$ against $Q = N(0, I)$, and $w = v - 1$. A point is its
coordinate $z$ along the line of the means and its squared distance $h$ from that line. Completing the square, the loss
$L = \log dP/dQ$ is affine in the squared distance from one centre on that line, so that $\{L > \epsilon\}$ is the
complement of a ball ($w > 0$) or a ball ($w < 0$), and both laws of $L$ are noncentral chi-square laws.
The tilted density $P^{1+s}Q^{-s}$ is $e^{K(s)}$ times a Gaussian density: that is the cumulant generating function,
for every real $s$ where it is finite.
"""

from sympy import Derivative, Expr, Integer, Rational, Symbol, exp, expand_log, log, pi, sqrt

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import *
from rgm_verify.lenses import *
from rgm_verify.lenses.outputs import Outputs, Renyi, by_outputs

from ..rgm import a2_lemma_2 as lemma
from ..rgm.a2_lemma_2 import page as _a2_lemma_2
from ..rgm.notation import NOTATION, alpha, d
from ..theorems import MOMENTS
from .log_term import P, Q
from .log_term import page as _log_term

page = Page("beyond", "privacy loss of two isotropic Gaussians", NOTATION, _a2_lemma_2, _log_term)


D = page.nonnegative("D", "distance of the means, in standard deviations of Q per coordinate")
v = page.positive("v", "variance of P per coordinate, in units of that of Q")
z = page.real("z", "coordinate of the point along the line of the means, 0 at the mean of Q")
h = page.nonnegative("h", "squared distance of the point from the line of the means")
epsilon = page.real("epsilon", "level of the privacy loss")
s = page.real("s", "argument of the cumulant generating function: the Rényi order is 1 + s")
_n = page.real("n", "standard normal coordinate along the line of the means")
_k = page.nonnegative("k", "squared norm of the other standard normal coordinates")
any_excess = page.real("w", "v - 1", lower=-1, lower_open=True)

#: The excess of the variance.
w = named("w", v - 1)
#: The centre of the ball, on the line of the means.
centre = named("c", -D / w)
#: What the tilted variance is divided by.
qs = named("q_s", 1 - s * w)
UNEQUAL = Hypothesis("the variances differ", ne(v, 1))
FINITE = Hypothesis("the moment is finite", gt(qs, 0), "for w > 0: s < 1/w; for w < 0: s > 1/w")
#: The privacy loss as completing the square leaves it.
loss = named("L", (w * ((z - centre) ** 2 + h) / v - d * log(v) - D**2 / w) / 2)
#: The squared radius of the ball where the loss is epsilon; no ball is left where it is negative.
radius2 = named("r^2", v * (2 * epsilon + d * log(v) + D**2 / w) / w)
#: The cumulant generating function log E_P exp(s L).
cumulant = named("K(s)", D**2 * s * (s + 1) / (2 * qs) - d / 2 * (log(qs) + s * log(v)))
_POINT = (D, v, z, h, d)
#: Sizes at which nothing overflows.
_SIZES = {
    D: (0, 4), v: (Rational(1, 4), 4), d: (0, 40), z: (-4, 4), h: (0, 9), epsilon: (-3, 3), s: (-4, 4),
    _n: (-4, 4), _k: (0, 40),
}  # fmt: skip


def _sized(*symbols: Symbol) -> dict[Symbol, tuple[Expr | int, Expr | int]]:
    """The variables at moderate sizes, for choosing points."""
    return {x: _SIZES[x] for x in symbols}


def log_density(squared: Expr, variance: Expr) -> Expr:
    """The logarithm of a Gaussian density in dimension d at a squared distance from its mean."""
    return -d * (log(2 * pi) + log(variance)) / 2 - squared / (2 * variance)


def tilted(log_p: Expr, log_q: Expr) -> Expr:
    """The logarithm of P^(1+s) Q^(-s)."""
    return (1 + s) * log_p - s * log_q


_log_p = named(r"\log p", log_density((z - D) ** 2 + h, v))
_log_q = named(r"\log q", log_density(z**2 + h, 1))

_ratio = _log_p - _log_q

loss_law = page.identity(
    "beyond:loss-law",
    "The privacy loss is affine in one squared distance",
    eq(_ratio, loss.value),
    "On the left is the logarithm of the quotient of the densities. The quotient by $v$ in it is the squared distance from the centre in units of $P$.",
    given=UNEQUAL,
    points=_sized(*_POINT),
    wrong={
        "centre on the other side": loss.subs(D, -D) + 2 * D * z,
        "D^2 not divided by w": loss + D**2 / (2 * w) - D**2 / 2,
        "the logarithm once for all coordinates": loss + (d - 1) * log(v) / 2,
        "y in units of Q": loss + w * ((z - centre) ** 2 + h) * (1 - 1 / v) / 2,
    },
    steps=(Step(r"Take the difference of the log-densities and complete the square in $z$."),),
)

loss_equal_variances = page.identity(
    "beyond:loss-law-equal-variances",
    "Equal variances: the loss is linear",
    eq(_ratio.subs(v, 1), D * z - D**2 / 2),
    "It is the loss of the Gaussian mechanism, in any dimension.",
    over=(h, d),
    wrong={"sign of the constant": D * z + D**2 / 2, "without the half": D * z - D**2},
)

_REGION = page.elsewhere("rejection region of the hockey-stick divergence")
_from_centre = (z - centre) ** 2 + h

scaled_loss = _REGION.identity(
    "beyond:loss-distance-from-sphere",
    "The loss measured from its level",
    eq(loss - epsilon, w / (2 * v) * (_from_centre - radius2)),
    given=UNEQUAL,
    points=_sized(*_POINT, epsilon),
    wrong={
        "epsilon once in the radius": w / (2 * v) * (_from_centre - radius2) + epsilon / 2,
        "radius in units of P": w / (2 * v) * (_from_centre - radius2 / v),
    },
)

_g = page.real("g", "squared distance from the centre minus the squared radius")
_l = page.real("l", "the loss minus its level")


rejection_region = _REGION.proposition(
    "beyond:loss-rejection-region",
    "The rejection region is a ball or the complement of one",
    both(
        Implies(gt(v, 1), Iff(gt(loss, epsilon), gt(_from_centre, radius2))),
        Implies(lt(v, 1), Iff(gt(loss, epsilon), lt(_from_centre, radius2))),
    ),
    "Where $r^2$ is negative there is no ball: the region is everything, or nothing.",
    given=UNEQUAL,
    by=Deduction(
        (
            Premise("beyond:loss-distance-from-sphere"),
            Premise("beyond:loss-side-of-sphere", {_g: _from_centre - radius2, _l: loss - epsilon}),
        )
    ),
    points=_sized(*_POINT, epsilon),
    wrong={
        "always outside": Iff(gt(loss, epsilon), gt(_from_centre, radius2)),
        "always inside": Iff(gt(loss, epsilon), lt(_from_centre, radius2)),
        "the ball around the mean of Q": Implies(gt(v, 1), Iff(gt(loss, epsilon), gt(z**2 + h, radius2))),
    },
    steps=(
        Step("The loss is affine in the squared distance from the centre.", "beyond:loss-law"),
        Step(
            "Measured from its level it has the sign of $w$ times that distance from the sphere.",
            "beyond:loss-distance-from-sphere",
        ),
    ),
)

side_of_sphere = _REGION.inequality(
    "beyond:loss-side-of-sphere",
    "Two numbers that differ by the factor w / (2v) have signs that w decides",
    both(Implies(gt(v, 1), Iff(gt(_l, 0), gt(_g, 0))), Implies(lt(v, 1), Iff(gt(_l, 0), lt(_g, 0)))),
    given=Hypothesis("factor", eq(_l, w / (2 * v) * _g)),
    points={v: (0, 4), _g: (-3, 3), _l: w / (2 * v) * _g},
    wrong={
        "the sign of w left out": Iff(gt(_l, 0), gt(_g, 0)),
        "for w < 0 as for w > 0": Implies(lt(v, 1), Iff(gt(_l, 0), gt(_g, 0))),
    },
)

noncentrality = page.identity(
    "beyond:loss-noncentralities",
    "Both laws of the loss are noncentral chi-square laws",
    chain((D - centre) ** 2 / v, "==", D**2 * v / w**2, "==", printed(lambda: v * centre**2)),
    r"Under $P$ the vector $(x-c)/\sqrt v$ is a standard normal vector around a mean of the first squared norm, so that $|x-c|^2/v$ is noncentral chi-square with $d$ degrees of freedom; under $Q$ the same holds of $x - c$ and $c^2$.",
    given=UNEQUAL,
    wrong={
        "the two exchanged": eq((D - centre) ** 2 / v, D**2 / w**2),
        "the power of v under P": eq((D - centre) ** 2 / v, D**2 * v**2 / w**2),
        "equal": eq((D - centre) ** 2 / v, centre**2),
    },
    reading="The formula gives the two squared norms; that a squared norm has that law is its definition.",
)

_under_p = (w * (_n**2 + _k) + 2 * D * sqrt(v) * _n + D**2 - d * log(v)) / 2
_under_q = (w * (_n**2 + _k) + 2 * D * _n - D**2) / (2 * v) - d * log(v) / 2


def _drawn(law: str, along: Expr, across: Expr) -> Expr:
    """The loss at a point that is drawn from a law."""
    return named(f"L_{law}", _ratio.subs({z: along, h: across}, simultaneous=True))


sampler = page.elsewhere("sampling the privacy loss at a cost that does not grow with the dimension").identity(
    "beyond:loss-sampler",
    "The loss from one normal and one chi-square variable",
    both(eq(_drawn("P", D + sqrt(v) * _n, v * _k), _under_p), eq(_drawn("Q", _n, _k), _under_q)),
    r"The variables are $n \sim N(0,1)$ and $k \sim \chi^2_{d-1}$. Nothing is divided by $w$.",
    points=_sized(D, v, _n, _k, d),
    wrong={
        "deviation for variance under P": eq(_drawn("P", D + v * _n, v * _k), _under_p),
        "sign of D^2 under Q": eq(_drawn("Q", _n, _k), _under_q + D**2 / v),
        "the same formula for both": eq(_under_p, _under_q),
    },
    reading=r"Under $P$ the point is $z = D + \sqrt v\,n$, $h = vk$; under $Q$ it is $z = n$, $h = k$.",
)

#: The two laws, and points of them: the second is near the end of the range of s, the last has one mean.
UNIT_PAIR = Outputs((D,), (), d, variances=(v, Integer(1)))
LAW_POINTS = tuple(
    {
        v: Rational(a),
        D: Rational(b),
        s: Rational(c),
        d: Integer(n),
        epsilon: Rational(e),
        z: Integer(1),
        h: Integer(0 if n == 1 else 2),
    }
    for a, b, c, n, e in (
        ("6/5", "1", "1/2", 3, "1/2"),
        ("1/2", "1", "1/4", 1, "1/4"),
        ("101/100", "2", "1", 1000, "2"),
        ("2", "1/3", "99/100", 2, "1"),
        ("3/2", "0", "1/10", 30, "1/2"),
    )
)
_LOG_MOMENT = by_outputs(cumulant, Renyi(1 + s), UNIT_PAIR, LAW_POINTS, LAW_POINTS[:1], scale=s)

_tilted_mean = D * (1 + s) / qs
_tilted_density = named(r"\log p_s", log_density(qs * ((z - _tilted_mean) ** 2 + h), v) + d * log(qs) / 2)
_x = Symbol("x", real=True)


def _direct(dimension: int) -> Quadrature:
    """The integral of P^(1+s) Q^(-s) by quadrature, against e^K, in one small dimension."""
    line = tilted(_log_p, _log_q).subs({z: _x, h: 0, d: dimension}, simultaneous=True)
    return Quadrature(
        log_integrand=expand_log(line),
        variable=_x,
        closed_form=exp(cumulant.subs(d, dimension)),
        dimension=dimension,
        count=1,
        part=cumulant,
        at={d: dimension},
    )


tilted_law = page.proposition(
    "beyond:cumulant",
    "The cumulant generating function of the loss",
    eq(tilted(_log_p, _log_q), cumulant + _tilted_density),
    r"The second term is the logarithm of a Gaussian density. As densities integrate to 1, $K(s)$ is $\log E_P e^{sL}$.",
    given=FINITE,
    by=(Identity(), _direct(1), _direct(2), _direct(3), *_LOG_MOMENT),
    points=_sized(D, v, s, z, h, d),
    wrong={
        "s - 1 for s + 1": cumulant - D**2 * s / qs + _tilted_density,
        "without s log v": cumulant + d * s * log(v) / 2 + _tilted_density,
        "the dimension dropped": cumulant.subs(d, 1) + _tilted_density,
        "q_s with the other sign": changed(
            eq(tilted(_log_p, _log_q), cumulant + d * log(qs / (1 + s * w)) / 2 + _tilted_density),
            (FINITE, Hypothesis("both signs finite", gt(1 + s * w, 0))),
        ),
    },
    reading="Compared by logarithms at every point. Direct integration in dimensions 1, 2 and 3 is the second route.",
)

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
    steps=(
        Step(
            "A Poisson variable has $E z^J = e^{\\frac\\lambda2(z-1)}$; equal generating functions around 0 are equal laws.",
            theorem=MOMENTS,
            met={"finite": "Both are finite for $\\theta < \\frac12$."},
        ),
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
    by=(Identity(), *_LOG_MOMENT),
    points=_sized(D, v, s, d),
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


_POSITIVE_TILT = Hypothesis("order above 1", gt(s, 0), "Lemma 2 has alpha > 1")

renyi = page.identity(
    "beyond:cumulant-renyi",
    "The cumulant generating function is s times the Rényi divergence of order 1 + s",
    eq(cumulant, s * named(r"D_{1+s}(P\|Q)", _by_lemma({}))),
    "The divergence is that of Lemma 2 at the variances $v$ and 1; the mixed variance is $q_s$.",
    given=(FINITE, _POSITIVE_TILT),
    by=(Identity(positive=(qs, s)), *_LOG_MOMENT),
    points=_sized(D, v, s, d),
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
    by=Deduction((Premise("beyond:log-upper", {P: 1, Q: qs}), Premise("beyond:log-upper", {P: v, Q: qs}))),
    points={**_sized(D, v, d), s: (-1, 0)},
    wrong={
        "not negative": turned(),
        "from -2": changed(hypotheses=(FINITE, Hypothesis("from -2", ge(s, -2)), Hypothesis("to 0", le(s, 0)))),
        "without s log v": left(cumulant + d * s * log(v) / 2),
    },
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

first_derivative = page.identity(
    "beyond:cumulant-slope",
    "The first derivative of the cumulant generating function",
    eq(Derivative(cumulant, s), slope.value),
    "It is the mean of the loss under the tilted law.",
    given=FINITE,
    points=_sized(D, v, s, d),
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
    points=_sized(D, v, s, d),
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
    by=Combination(terms=((d / 2, (_U - 1) ** 2, LogRemainder(2, _U - 1)), (D**2 * v * s**2 * _U**2 / 2,))),
    wrong={
        "the second term added": left(d * (log(_U) - (_U - 1)) / 2 + D**2 * v * s**2 * _U**2 / 2),
        "the line halved": left(d * (log(_U) - (_U - 1) / 2) / 2 - D**2 * v * s**2 * _U**2 / 2),
    },
)

_curvature = D**2 * v / qs**3 + d * w**2 / (2 * qs**2)

second_derivative = page.identity(
    "beyond:cumulant-second-derivative",
    "The second derivative of the cumulant generating function",
    eq(Derivative(slope, s), _curvature),
    "It is the variance of the loss under the tilted law.",
    given=FINITE,
    points=_sized(D, v, s, d),
    wrong={
        "square for cube": _curvature + D**2 * v * (1 / qs**2 - 1 / qs**3),
        "without v": _curvature + D**2 * (1 - v) / qs**3,
        "without the half": _curvature + d * w**2 / (2 * qs**2),
    },
    steps=("beyond:cumulant-slope",),
)

convex = page.inequality(
    "beyond:cumulant-convex",
    "The cumulant generating function is strictly convex",
    gt(_curvature, 0),
    "On the left is $K''(s)$. So saddles are unique, and Newton's method finds them.",
    given=(FINITE, Hypothesis("the laws differ", gt(D**2 + w**2, 0))),
    points=_sized(D, v, s, d),
    wrong={
        "at least D^2": D**2,
        "the second term subtracted": left(D**2 * v / qs**3 - d * w**2 / (2 * qs**2)),
        "beyond the end of the range": changed(hypotheses=(Hypothesis("q_s not 0", ne(qs, 0)),)),
    },
    steps=("beyond:cumulant-second-derivative",),
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
    points=_sized(D, v, s, d),
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
