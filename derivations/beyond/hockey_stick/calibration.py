r"""Calibration: more noise helps, down to a floor that no noise ratio removes.

With the baseline noise $\sigma^2 = \kappa\gamma\eta^{-2}R_{rel}^2$ every variance is proportional to $\gamma$, so that $\gamma$ moves
only the distance of a pair, $D^2 \propto 1/\gamma$. As $\gamma$ grows the worst pair tends to two centred Gaussians of variances
$V = (1+\eta)^2$ and 1. Their hockey-stick divergence is the floor: the curve of every finite $\gamma$ is strictly above it, and
comes arbitrarily close, at an explicit rate.
"""

from sympy import gamma as gamma_function, uppergamma

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d, distance2, eta, gamma, r_rel, sigma2, variance_x, variance_y
from ...rgm.section_4.conversion import X
from ..pairs.pairs_in_space import looked_at
from ..renyi.log_notation import P, Q
from .floor_in_space import approach_cases, centred, curves_fall, floor_cases, shifted
from .loss_notation import D, epsilon, h, loss, page as _privacy_loss, radius2, v, z

page = Page("beyond", "the floor of calibration", NOTATION, _privacy_loss)
_NOISE = page.elsewhere("calibration of the noise ratio")
_WIDER = Hypothesis("the first law is the wider one", gt(v, 1), "v = (1 + eta)^2 for the worst pair")
_SIZES = {v: (1, 6), z: (-4, 4), h: (0, 9), d: (0, 40), epsilon: (-3, 3), D: (0, 4)}
kappa = page.positive("kappa", "baseline variance over gamma eta^-2 R_rel^2")
times = page.positive("T", "factor on the noise ratio")


def _at_ratio(title: str, ratio: Expr) -> tuple[Expr, Expr]:
    """The two variances at a noise ratio, with the baseline noise that goes with it."""
    values = {sigma2: kappa * gamma * r_rel**2 / eta**2}
    x, y = (variance.subs(values).subs(gamma, ratio) for variance in (variance_x, variance_y))
    return named(rf"\sigma_1^2({title})", x), named(rf"\sigma_2^2({title})", y)


_vx, _vy = _at_ratio(r"\gamma", gamma)
_vx_scaled, _vy_scaled = _at_ratio(r"T\gamma", times * gamma)

scaling = _NOISE.identity(
    "beyond:noise-ratio-scales-the-variances",
    "The noise ratio moves the distance of a pair and nothing else",
    both(eq(_vx_scaled / _vy_scaled, _vx / _vy), eq(distance2 / _vy_scaled, distance2 / _vy / times)),
    r"The baseline noise grows with $\gamma$, and $\kappa$ stays.",
    given=Hypothesis("noise at y", gt(_vy, 0)),
    wrong={
        "divided by the square": eq(distance2 / _vy_scaled, distance2 / _vy / times**2),
        "the ratio scaled too": eq(_vx_scaled / _vy_scaled, times * _vx / _vy),
        "the distance unscaled": eq(distance2 / _vy_scaled, distance2 / _vy),
    },
)

_more = page.nonnegative("u", "by how much the noise ratio grows")
#: Noise ratios and by how much they grow; the first for releases.
_RATIOS = (
    {eta: Rational(1, 2), gamma: Rational(1, 4), _more: Rational(1, 4)},
    {eta: Rational(1, 5), gamma: Rational(1, 10), _more: Rational(1, 100)},
    {eta: Integer(1), gamma: Integer(2), _more: Integer(5)},
)

falls = _NOISE.inequality(
    "beyond:distance-falls-with-the-noise-ratio",
    "The curve falls as the noise ratio grows",
    le(eta / sqrt(gamma + _more), eta / sqrt(gamma)),
    r"This is the distance of the worst pair. The variances keep their ratio, and hockey-stick divergences grow with the distance: so $\delta$ falls in $\gamma$ at every $\epsilon$.",
    by=(Smt(), *looked_at(curves_fall(eta, gamma, _more, 3), _RATIOS)),
    wrong={"direction": turned(), "by a share of u": left(eta / sqrt(gamma + _more) + _more)},
    steps=(
        Step(r"$\gamma$ moves the distance only.", "beyond:noise-ratio-scales-the-variances"),
        Step("The divergence grows with the distance, in both orders.", "beyond:hockey-stick-monotone-in-distance"),
    ),
)

#: The threshold on |x|^2 / v at distance 0.
threshold = named("y_0", (d * log(v) + 2 * epsilon) / (v - 1))
_centred = named("L", loss.subs(D, 0))
#: The floor by the tails of the chi-square distribution.
_tails = (uppergamma(d / 2, threshold / 2) - exp(epsilon) * uppergamma(d / 2, v * threshold / 2)) / gamma_function(
    d / 2
)
#: Centred pairs, and a place; the first for releases.
_CENTRED = tuple(
    {v: Rational(variance), d: Integer(n), epsilon: Rational(level), z: Rational(1, 3), h: Integer(n - 1)}
    for variance, n, level in (("9/4", 2, "1/4"), ("4", 1, "1/2"), ("121/100", 30, "1/10"), ("101/100", 1000, "1/5"))
)

region = page.proposition(
    "beyond:floor-region",
    "The rejection region of two centred Gaussians",
    Iff(gt(_centred, epsilon), gt((z**2 + h) / v, threshold)),
    r"The left side of the second inequality is $\chi^2_d$ under $P$ and $\chi^2_d/v$ under $Q$: the floor is the difference of their tails, the second one with the weight $e^\epsilon$.",
    given=_WIDER,
    by=(
        Deduction((Premise("beyond:loss-rejection-region", {D: 0}),)),
        *by_outputs(_tails, HockeyStick(epsilon), centred(v, d), _CENTRED, _CENTRED[:1]),
    ),
    points={x: _SIZES[x] for x in (v, z, h, d, epsilon)},
    wrong={
        "epsilon once": Iff(gt(_centred, epsilon), gt((z**2 + h) / v, threshold - epsilon / (v - 1))),
        "in units of Q": Iff(gt(_centred, epsilon), gt(z**2 + h, threshold)),
        "inside": Iff(gt(_centred, epsilon), lt((z**2 + h) / v, threshold)),
    },
    remark=r"With $T$ releases at the worst pair $d$ is $dT$ (`beyond:composition-one-pair`).",
)

_y = page.positive("y", "a threshold on |x|^2 / v")
_log_ratio = (d / 2 - 1) * log(_y) - _y / 2 - (epsilon + log(v) + (d / 2 - 1) * log(v * _y) - v * _y / 2)

stationary = page.identity(
    "beyond:floor-threshold",
    "The threshold is the best one",
    eq(_log_ratio, (v - 1) * (_y - threshold) / 2),
    r"On the left is the logarithm of the $\chi^2_d$ density at $y$ over $e^\epsilon v$ times that at $vy$: of all thresholds this one gives the largest difference of the tails.",
    given=_WIDER,
    points={v: (1, 6), d: (0, 40), epsilon: (-3, 3), _y: (0, 9)},
    wrong={
        "without the factor v": left(_log_ratio + log(v)),
        "without the half": (v - 1) * (_y - threshold),
        "epsilon once": (v - 1) * (_y - threshold) / 2 + epsilon / 2,
    },
    reading="A second way to the threshold, from the two densities on the half-line.",
)

_y0 = named("y_0", threshold.subs(d, 2))
#: The floor in two dimensions.
plane_floor = (1 - 1 / v) * exp(-(log(v) + epsilon) / (v - 1))

plane = page.identity(
    "beyond:floor-in-the-plane",
    "The floor in two dimensions",
    eq(exp(-_y0 / 2) - exp(epsilon - v * _y0 / 2), plane_floor),
    r"In the plane the tails of $\chi^2$ are exponentials.",
    given=_WIDER,
    by=(Identity(), *by_outputs(plane_floor, HockeyStick(epsilon), centred(v, 2), _CENTRED, _CENTRED[:1])),
    points={v: (1, 6), epsilon: (0, 3)},
    wrong={
        "without the factor": plane_floor / (1 - 1 / v),
        "epsilon doubled": plane_floor * exp(-epsilon / (v - 1)),
        "1/v^2": plane_floor * (1 + 1 / v),
    },
    reading=r"The threshold is at least 0 for every $\epsilon \ge 0$, where tails are exponentials.",
)

_LEVEL = Hypothesis("level", ge(epsilon, 0))

not_empty = page.inequality(
    "beyond:ball-is-not-empty",
    "For a level of at least 0 the wider law is rejected outside a ball",
    gt(radius2, 0),
    "The radius is that of the ball, at any distance.",
    given=(_WIDER, _LEVEL),
    points={x: _SIZES[x] for x in (D, v, d, epsilon)},
    wrong={
        "the narrower law": changed(hypotheses=(Hypothesis("narrow", lt(v, 1)), _LEVEL)),
        "every level": without(_LEVEL),
        "larger than v": d * v,
    },
    steps=Premise("beyond:log-upper", {P: 1, Q: v}),
)

_pa = page.real("p", "P(A) at distance 0", lower=0, upper=1)
_pm = page.real("p'", "P(A) at a positive distance", lower=0, upper=1)
_qa = page.real("q", "Q(A)", lower=0, upper=1)
E = page.positive("E", "e^epsilon")
_h0 = page.real("H", "the floor")
_h1 = page.real("H'", "the hockey-stick divergence at a positive distance")
_BOTH_CURVES = partial(floor_cases, symbols=(_pa, _pm, _qa, E, _h0, _h1))

strictly_above = page.theorem(
    "beyond:floor-not-reached",
    "No noise ratio reaches the floor",
    gt(_h1, _h0),
    r"$\delta_\gamma$ is the curve of the worst pair, $\delta_\infty$ the floor. $A$ is the region outside the ball at distance 0, and what is judged puts together what the steps say about it.",
    printed=r"\delta_\gamma(\epsilon) > \delta_\infty(\epsilon) \quad\text{for } \epsilon \ge 0 \text{ and every } \gamma",
    given=(
        Hypothesis(
            "A is best at distance 0", eq(_h0, _pa - E * _qa), "with equality", by=("beyond:neyman-pearson-pointwise",)
        ),
        Hypothesis("A is allowed further away", ge(_h1, _pm - E * _qa), by=("beyond:neyman-pearson-pointwise",)),
        Hypothesis(
            "A gains mass", gt(_pm, _pa), "on each line that meets the ball", by=("beyond:interval-mass-falls",)
        ),
    ),
    by=(Smt(), Unreduced(cases=_BOTH_CURVES), Released(cases=_BOTH_CURVES)),
    points={E: (0, 4), _y: (0, 1), _h0: _pa - E * _qa, _h1: _pm - E * _qa + _y},
    wrong={
        "below": turned(),
        "A keeps its mass": instead(Hypothesis("A gains mass", ge(_pm, _pa), "or keeps it")),
        "by a tenth": _h0 + Rational(1, 10),
    },
    steps=(
        Step("The region at distance 0.", "beyond:floor-region"),
        Step("It leaves out a ball.", "beyond:ball-is-not-empty"),
        Step("The ball loses mass when the mean of the wider law moves away.", "beyond:interval-mass-falls"),
        Step("The region is allowed at every distance.", "beyond:neyman-pearson-pointwise"),
    ),
    reading=r"The mass of $P$ inside the ball falls strictly on every line that meets it, as the mean moves away from the centre.",
)

_DENSITY = nonnegative("p", "density of the wider law at distance 0")
_MOVED = nonnegative("p'", "its density at a positive distance")
_OTHER = nonnegative("q", "density of the narrower law")
_p = _DENSITY.symbol
_m = _MOVED.symbol
_q = _OTHER.symbol

lipschitz = page.inequality(
    "beyond:hockey-stick-by-total-variation",
    "Moving one law changes the curve by at most its total variation",
    le(Max(_m - E * _q, 0), Max(_p - E * _q, 0) + Max(_m - _p, 0)),
    "Integrated, the curve at a distance is at most the floor plus the total variation.",
    over=(_DENSITY, _MOVED, _OTHER),
    wrong={
        "the other difference": Max(_p - E * _q, 0) + Max(_p - _m, 0),
        "half of it": Max(_p - E * _q, 0) + Max(_m - _p, 0) / 2,
    },
)

_x = page.nonnegative("x", "half of the distance over sqrt(2) deviations")
_way = real("w_on_the_way").symbol

error_function = page.inequality(
    "beyond:error-function-below-its-tangent",
    "The error function lies below its tangent at 0",
    le(sqrt(pi) * erf(_x), 2 * _x),
    by=Monotone(
        _x,
        0,
        order=1,
        premises=(
            Premise("beyond:exponential-above-its-tangents", {real("a").symbol: -(_way**2), real("b").symbol: 0}),
            Premise("rgm:s4-exponential-positive", {X.symbol: -(_way**2)}),
        ),
    ),
    wrong={"slope 1": _x, "without the root": left(pi * erf(_x)), "direction": turned()},
)

root_two_pi = page.inequality(
    "beyond:root-of-two-pi",
    "The root of 2 pi is at least 5/2",
    le(5, 2 * sqrt(2) * sqrt(pi)),
    wrong={"pi for 2 pi": 2 * sqrt(pi), "above 5.02": left(Rational(502, 100))},
)

_distance = erf(D / (2 * sqrt(2) * sqrt(v)))
#: Shifts in several numbers of deviations; the first for releases.
_SHIFTS = ({D: Integer(2), v: Rational(3, 2)}, {D: Rational(1, 10), v: Integer(1)}, {D: Integer(3), v: Rational(1, 4)})

total_variation = page.inequality(
    "beyond:total-variation-of-a-shift",
    "The total variation of a shift is at most two fifths of it",
    le(_distance, Rational(2, 5) * D / sqrt(v)),
    "On the left is the total variation of two Gaussians of variance $v$ at distance $D$: the curve comes arbitrarily close to the floor.",
    by=(Deduction(), *by_outputs(_distance, HockeyStick(0), shifted(D, v), _SHIFTS, _SHIFTS[:1])),
    steps=(
        Premise("beyond:error-function-below-its-tangent", {_x: D / (2 * sqrt(2) * sqrt(v))}),
        Premise("beyond:root-of-two-pi"),
    ),
    points={D: (0, 4), v: (0, 6)},
    wrong={"three tenths": Rational(3, 10) * D / sqrt(v), "variance for deviation": Rational(2, 5) * D / v},
    reading="The total variation is the curve of `beyond:hockey-stick-equal-variances` at level 0, in units of these two.",
    tightness=Tightness(
        Rational(2, 5) * D / erf(D / (2 * sqrt(2))),
        {D: (Rational(1, 100), 2)},
        "the bound over the total variation, for variance 1",
        plot=(D,),
    ),
)

_target = page.positive("delta", "probability of failure that is asked for", upper=1)
_floor = page.real("f", "the floor at the epsilon that is asked for", lower=0, upper=1, latex=r"\delta_\infty")
_NEAR_THE_FLOOR = partial(approach_cases, symbols=(eta, gamma, _target, _floor))

reachable = page.proposition(
    "beyond:floor-approached",
    "Every target above the floor is reached, with an explicit noise ratio",
    le(_floor + Rational(2, 5) * eta / (sqrt(gamma) * (1 + eta)), _target),
    "The left side bounds the divergence of the worst pair: the floor and two fifths of the shift.",
    given=(
        Hypothesis("above the floor", gt(_target, _floor)),
        Hypothesis("noise ratio", ge(25 * gamma * (1 + eta) ** 2 * (_target - _floor) ** 2, 4 * eta**2)),
    ),
    by=(Smt(), Unreduced(cases=_NEAR_THE_FLOOR), Released(cases=_NEAR_THE_FLOOR)),
    points={
        eta: (0, 2),
        _y: (0, 1),
        _floor: _pa * _target,
        gamma: 4 * eta**2 / (25 * (1 + eta) ** 2 * (_target - _pa * _target) ** 2) + _y**3,
    },
    wrong={
        "half of the noise ratio": instead(
            Hypothesis(
                "noise ratio", ge(50 * gamma * (1 + eta) ** 2 * (_target - _floor) ** 2, 4 * eta**2), "half of it"
            )
        ),
        "one half for two fifths": left(_floor + eta / (2 * sqrt(gamma) * (1 + eta))),
        "the shift in units of Q": left(_floor + Rational(2, 5) * eta / sqrt(gamma)),
    },
    steps=(
        "beyond:hockey-stick-by-total-variation",
        "beyond:total-variation-of-a-shift",
        "beyond:distance-falls-with-the-noise-ratio",
    ),
    remark="For several releases the repeated worst pair is a lower bound, so its floor is one as well; being above it is then "
    "necessary and not known to be enough.",
)
