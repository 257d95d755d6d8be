r"""Calibration: more noise helps, down to a floor that no noise ratio removes.

With the baseline noise $\sigma^2 = \kappa\gamma\eta^{-2}R_{rel}^2$ every variance is proportional to $\gamma$, so that $\gamma$ moves
only the distance of a pair, $D^2 \propto 1/\gamma$. As $\gamma$ grows the worst pair tends to two centred Gaussians of variances
$V = (1+\eta)^2$ and 1. Their hockey-stick divergence is the floor: the curve of every finite $\gamma$ is strictly above it, and
comes as close as one likes at an explicit rate.
"""

from functools import partial

from sympy import Integer, Max, Rational, erf, exp, log, pi, sqrt, uppergamma
from sympy import gamma as gamma_function

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Deduction, Identity, Monotone, Premise, Released, Smt, Unreduced
from rgm_verify.lenses.outputs import HockeyStick, by_outputs

from ..rgm.notation import (
    DIMENSION,
    ETA,
    GAMMA,
    PAIR,
    R_REL,
    d,
    distance2,
    eta,
    gamma,
    r_rel,
    sigma2,
    variance_x,
    variance_y,
)
from ..rgm.s4_conversion import X
from .floor_in_space import approach_cases, centred, curves_fall, floor_cases, shifted
from .log_term import P, Q
from .pairs_in_space import looked_at
from .privacy_loss import ACROSS, ALONG, LEVEL, SHIFT, VARIANCE, D, epsilon, h, loss, radius2, v, z

_FLOOR = "the floor of calibration"
_NOISE = "calibration of the noise ratio"
_WIDER = Hypothesis("the first law is the wider one", gt(v, 1), "v = (1 + eta)^2 for the worst pair")
_SIZES = {v: (1, 6), z: (-4, 4), h: (0, 9), d: (0, 40), epsilon: (-3, 3), D: (0, 4)}

_KAPPA = positive("kappa", "baseline variance over gamma eta^-2 R_rel^2")
_TIMES = positive("T", "factor on the noise ratio")
kappa, times = _KAPPA.symbol, _TIMES.symbol
_baseline = {sigma2: kappa * gamma * r_rel**2 / eta**2}
_vx, _vy = variance_x.subs(_baseline), variance_y.subs(_baseline)
_vx_scaled, _vy_scaled = _vx.subs(gamma, times * gamma), _vy.subs(gamma, times * gamma)

scaling = Claim(
    id="beyond:noise-ratio-scales-the-variances",
    title="The noise ratio moves the distance of a pair and nothing else",
    source="beyond",
    where=_NOISE,
    kind="identity",
    statement=(
        r"With $\sigma^2 = \kappa\gamma\eta^{-2}R_{rel}^2$ and $\kappa$ kept, multiplying $\gamma$ by $T$ keeps the ratio of the two variances and divides "
        r"$|R(x)-R(y)|^2/\sigma_2^2$ by $T$, for every pair of outputs."
    ),
    variables=(*PAIR, ETA, GAMMA, R_REL, _KAPPA, _TIMES),
    hypotheses=(Hypothesis("noise at y", gt(_vy, 0)),),
    conclusion=both(eq(_vx_scaled / _vy_scaled, _vx / _vy), eq(distance2 / _vy_scaled, distance2 / _vy / times)),
    checks=(Identity(),),
    mutants=(
        Mutant("divided by the square", eq(distance2 / _vy_scaled, distance2 / _vy / times**2)),
        Mutant("the ratio scaled too", eq(_vx_scaled / _vy_scaled, times * _vx / _vy)),
        Mutant("the distance unscaled", eq(distance2 / _vy_scaled, distance2 / _vy)),
    ),
)

_MORE = nonnegative("u", "by how much the noise ratio grows")
_more = _MORE.symbol

#: Noise ratios and by how much they grow; the first for releases.
_RATIOS = (
    {eta: Rational(1, 2), gamma: Rational(1, 4), _more: Rational(1, 4)},
    {eta: Rational(1, 5), gamma: Rational(1, 10), _more: Rational(1, 100)},
    {eta: Integer(1), gamma: Integer(2), _more: Integer(5)},
)


falls = Claim(
    id="beyond:distance-falls-with-the-noise-ratio",
    title="The curve falls as the noise ratio grows",
    source="beyond",
    where=_NOISE,
    kind="inequality",
    statement=(
        r"The distance $D = \eta/\sqrt\gamma$ of the worst pair falls in $\gamma$ while the variances keep their ratio, and hockey-stick divergences grow with the "
        r"distance at every $\epsilon$: so $\delta$ falls in $\gamma$."
    ),
    variables=(ETA, GAMMA, _MORE),
    conclusion=le(eta / sqrt(gamma + _more), eta / sqrt(gamma)),
    checks=(Smt(), *looked_at(curves_fall(eta, gamma, _more, 3), _RATIOS)),
    mutants=(
        Mutant("direction", ge(eta / sqrt(gamma + _more), eta / sqrt(gamma))),
        Mutant("by a share of u", le(eta / sqrt(gamma + _more) + _more, eta / sqrt(gamma))),
    ),
    derivation=(
        Step(r"$\gamma$ moves the distance only.", "beyond:noise-ratio-scales-the-variances"),
        Step("The divergence grows with the distance, in both orders.", "beyond:hockey-stick-monotone-in-distance"),
    ),
)

#: The threshold on |x|^2 / v at distance 0.
threshold = (d * log(v) + 2 * epsilon) / (v - 1)
_centred = loss.subs(D, 0)

#: The floor by the tails of the chi-square distribution.
_tails = (uppergamma(d / 2, threshold / 2) - exp(epsilon) * uppergamma(d / 2, v * threshold / 2)) / gamma_function(
    d / 2
)
#: Centred pairs, and a place; the first for releases.
_CENTRED = tuple(
    {v: Rational(variance), d: Integer(n), epsilon: Rational(level), z: Rational(1, 3), h: Integer(n - 1)}
    for variance, n, level in (("9/4", 2, "1/4"), ("4", 1, "1/2"), ("121/100", 30, "1/10"), ("101/100", 1000, "1/5"))
)

region = Claim(
    id="beyond:floor-region",
    title="The rejection region of two centred Gaussians",
    source="beyond",
    where=_FLOOR,
    kind="proposition",
    statement=(
        r"At distance 0 the loss exceeds $\epsilon$ exactly where $|x|^2/v > y_0 = \frac{d\log v + 2\epsilon}{v-1}$. Under $P$ the left side is $\chi^2_d$, and "
        r"under $Q$ it is $\chi^2_d/v$: the floor, where $v = (1+\eta)^2$, is $\Pr[\chi^2_d > y_0] - e^\epsilon\Pr[\chi^2_d > vy_0]$."
    ),
    variables=(VARIANCE, ALONG, ACROSS, DIMENSION, LEVEL),
    hypotheses=(_WIDER,),
    conclusion=Iff(gt(_centred, epsilon), gt((z**2 + h) / v, threshold)),
    checks=(
        Deduction((Premise("beyond:loss-rejection-region", {D: 0}),)),
        *by_outputs(_tails, HockeyStick(epsilon), centred(v, d), _CENTRED, _CENTRED[:1]),
    ),
    sampling=Chart({x: _SIZES[x] for x in (v, z, h, d, epsilon)}, {}),
    mutants=(
        Mutant("epsilon once", Iff(gt(_centred, epsilon), gt((z**2 + h) / v, threshold - epsilon / (v - 1)))),
        Mutant("in units of Q", Iff(gt(_centred, epsilon), gt(z**2 + h, threshold))),
        Mutant("inside", Iff(gt(_centred, epsilon), lt((z**2 + h) / v, threshold))),
    ),
    remark=r"With $T$ releases at the worst pair $d$ is $dT$ (`beyond:composition-one-pair`).",
)

_Y = positive("y", "a threshold on |x|^2 / v")
_y = _Y.symbol
_log_ratio = (d / 2 - 1) * log(_y) - _y / 2 - (epsilon + log(v) + (d / 2 - 1) * log(v * _y) - v * _y / 2)

stationary = Claim(
    id="beyond:floor-threshold",
    title="The threshold is the best one",
    source="beyond",
    where=_FLOOR,
    kind="identity",
    statement=(
        r"The logarithm of the $\chi^2_d$ density at $y$ over $e^\epsilon v$ times that at $vy$ is $\frac{v-1}2(y - y_0)$: of all thresholds $y_0$ gives "
        r"the largest $\Pr[\chi^2_d > y] - e^\epsilon\Pr[\chi^2_d > vy]$."
    ),
    reading="A second route to the threshold, from the two densities on the half-line.",
    variables=(VARIANCE, DIMENSION, LEVEL, _Y),
    hypotheses=(_WIDER,),
    conclusion=eq(_log_ratio, (v - 1) * (_y - threshold) / 2),
    checks=(Identity(),),
    sampling=Chart({v: (1, 6), d: (0, 40), epsilon: (-3, 3), _y: (0, 9)}, {}),
    mutants=(
        Mutant("without the factor v", eq(_log_ratio + log(v), (v - 1) * (_y - threshold) / 2)),
        Mutant("without the half", eq(_log_ratio, (v - 1) * (_y - threshold))),
        Mutant("epsilon once", eq(_log_ratio, (v - 1) * (_y - threshold) / 2 + epsilon / 2)),
    ),
)

_y0 = threshold.subs(d, 2)
_in_plane = exp(-_y0 / 2) - exp(epsilon - v * _y0 / 2)
#: The floor in two dimensions.
plane_floor = (1 - 1 / v) * exp(-(log(v) + epsilon) / (v - 1))

plane = Claim(
    id="beyond:floor-in-the-plane",
    title="The floor in two dimensions",
    source="beyond",
    where=_FLOOR,
    kind="identity",
    statement=(
        r"For $d = 2$ the tails are exponentials, $\Pr[\chi^2_2 > y] = e^{-y/2}$, and the floor is "
        r"$\big(1 - \frac1v\big)\exp\big(-\frac{\log v + \epsilon}{v-1}\big)$."
    ),
    reading=r"The threshold is at least 0 for every $\epsilon \ge 0$, where tails are exponentials.",
    variables=(VARIANCE, LEVEL),
    hypotheses=(_WIDER,),
    conclusion=eq(_in_plane, plane_floor),
    checks=(Identity(), *by_outputs(plane_floor, HockeyStick(epsilon), centred(v, 2), _CENTRED, _CENTRED[:1])),
    sampling=Chart({v: (1, 6), epsilon: (0, 3)}, {}),
    mutants=(
        Mutant("without the factor", eq(_in_plane, plane_floor / (1 - 1 / v))),
        Mutant("epsilon doubled", eq(_in_plane, plane_floor * exp(-epsilon / (v - 1)))),
        Mutant("1/v^2", eq(_in_plane, plane_floor * (1 + 1 / v))),
    ),
)

not_empty = Claim(
    id="beyond:ball-is-not-empty",
    title="For a level of at least 0 the wider law is rejected outside a ball",
    source="beyond",
    where=_FLOOR,
    kind="inequality",
    statement=r"For $v > 1$ and $\epsilon \ge 0$ the squared radius of the ball is positive, at every distance.",
    variables=(SHIFT, VARIANCE, DIMENSION, LEVEL),
    hypotheses=(_WIDER, Hypothesis("level", ge(epsilon, 0))),
    conclusion=gt(radius2, 0),
    checks=(Deduction((Premise("beyond:log-upper", {P: 1, Q: v}),)),),
    sampling=Chart({x: _SIZES[x] for x in (D, v, d, epsilon)}, {}),
    mutants=(
        Mutant("the narrower law", hypotheses=(Hypothesis("narrow", lt(v, 1)), Hypothesis("level", ge(epsilon, 0)))),
        Mutant("every level", hypotheses=(_WIDER,)),
        Mutant("larger than v", gt(radius2, d * v)),
    ),
)

_PA = real("p", "P(A) at distance 0", lower=0, upper=1)
_PM = real("p'", "P(A) at a positive distance", lower=0, upper=1)
_QA = real("q", "Q(A)", lower=0, upper=1)
_E = positive("E", "e^epsilon")
_LOWEST = real("H", "the floor")
_CURVE = real("H'", "the hockey-stick divergence at a positive distance")
_pa, _pm, _qa, E, _h0, _h1 = (x.symbol for x in (_PA, _PM, _QA, _E, _LOWEST, _CURVE))

_BOTH_CURVES = partial(floor_cases, symbols=(_pa, _pm, _qa, E, _h0, _h1))

strictly_above = Claim(
    id="beyond:floor-not-reached",
    title="No noise ratio reaches the floor",
    source="beyond",
    where=_FLOOR,
    kind="theorem",
    statement=(
        r"For $\epsilon \ge 0$ the curve of every finite $\gamma$ is strictly above the floor: a target $\delta \le \delta_\infty(\epsilon)$ cannot be reached. "
        r"$A$ is the region outside the ball at distance 0, and the formula puts together what the steps say about it."
    ),
    reading=r"The mass of $P$ inside the ball falls strictly on every line that meets it, as the mean moves away from the centre.",
    variables=(_PA, _PM, _QA, _E, _LOWEST, _CURVE),
    hypotheses=(
        Hypothesis(
            "A is best at distance 0", eq(_h0, _pa - E * _qa), "with equality", by=("beyond:neyman-pearson-pointwise",)
        ),
        Hypothesis("A is allowed further away", ge(_h1, _pm - E * _qa), by=("beyond:neyman-pearson-pointwise",)),
        Hypothesis(
            "A gains mass", gt(_pm, _pa), "on each line that meets the ball", by=("beyond:interval-mass-falls",)
        ),
    ),
    conclusion=gt(_h1, _h0),
    checks=(Smt(), Unreduced(cases=_BOTH_CURVES), Released(cases=_BOTH_CURVES)),
    sampling=Chart(
        {_pa: (0, 1), _pm: (0, 1), _qa: (0, 1), E: (0, 4), _Y.symbol: (0, 1)},
        {_h0: _pa - E * _qa, _h1: _pm - E * _qa + _Y.symbol},
    ),
    mutants=(
        Mutant("below", lt(_h1, _h0)),
        Mutant(
            "A keeps its mass",
            hypotheses=(
                Hypothesis("A is best at distance 0", eq(_h0, _pa - E * _qa)),
                Hypothesis("A is allowed further away", ge(_h1, _pm - E * _qa)),
                Hypothesis("A keeps its mass", ge(_pm, _pa)),
            ),
        ),
        Mutant("by a tenth", gt(_h1, _h0 + Rational(1, 10))),
    ),
    derivation=(
        Step("The region at distance 0.", "beyond:floor-region"),
        Step("It leaves out a ball.", "beyond:ball-is-not-empty"),
        Step("The ball loses mass when the mean of the wider law moves away.", "beyond:interval-mass-falls"),
        Step("The region is allowed at every distance.", "beyond:neyman-pearson-pointwise"),
    ),
)

_DENSITY = nonnegative("p", "density of the wider law at distance 0")
_MOVED = nonnegative("p'", "its density at a positive distance")
_OTHER = nonnegative("q", "density of the narrower law")
_p, _m, _q = _DENSITY.symbol, _MOVED.symbol, _OTHER.symbol

lipschitz = Claim(
    id="beyond:hockey-stick-by-total-variation",
    title="Moving one law changes the curve by at most its total variation",
    source="beyond",
    where=_FLOOR,
    kind="inequality",
    statement=r"$(p' - Eq)_+ \le (p - Eq)_+ + (p' - p)_+$; integrated, the curve at a distance is at most the floor plus the total variation.",
    variables=(_DENSITY, _MOVED, _OTHER, _E),
    conclusion=le(Max(_m - E * _q, 0), Max(_p - E * _q, 0) + Max(_m - _p, 0)),
    checks=(Smt(),),
    mutants=(
        Mutant("the other difference", le(Max(_m - E * _q, 0), Max(_p - E * _q, 0) + Max(_p - _m, 0))),
        Mutant("half of it", le(Max(_m - E * _q, 0), Max(_p - E * _q, 0) + Max(_m - _p, 0) / 2)),
    ),
)

_POINT = nonnegative("x", "half of the distance over sqrt(2) deviations")
_x = _POINT.symbol
_way = real("w_on_the_way").symbol

error_function = Claim(
    id="beyond:error-function-below-its-tangent",
    title="The error function lies below its tangent at 0",
    source="beyond",
    where=_FLOOR,
    kind="inequality",
    statement=r"$\sqrt\pi\,\mathrm{erf}(x) \le 2x$ for $x \ge 0$.",
    variables=(_POINT,),
    conclusion=le(sqrt(pi) * erf(_x), 2 * _x),
    checks=(
        Monotone(
            _x,
            0,
            order=1,
            premises=(
                Premise("beyond:exponential-above-its-tangents", {real("a").symbol: -(_way**2), real("b").symbol: 0}),
                Premise("rgm:s4-exponential-positive", {X.symbol: -(_way**2)}),
            ),
        ),
    ),
    mutants=(
        Mutant("slope 1", le(sqrt(pi) * erf(_x), _x)),
        Mutant("without the root", le(pi * erf(_x), 2 * _x)),
        Mutant("direction", ge(sqrt(pi) * erf(_x), 2 * _x)),
    ),
)

root_two_pi = Claim(
    id="beyond:root-of-two-pi",
    title="The root of 2 pi is at least 5/2",
    source="beyond",
    where=_FLOOR,
    kind="inequality",
    statement=r"$5 \le 2\sqrt{2\pi} = 5.013\ldots$",
    conclusion=le(5, 2 * sqrt(2) * sqrt(pi)),
    mutants=(
        Mutant("pi for 2 pi", le(5, 2 * sqrt(pi))),
        Mutant("above 5.02", le(Rational(502, 100), 2 * sqrt(2) * sqrt(pi))),
    ),
)

_distance = erf(D / (2 * sqrt(2) * sqrt(v)))

#: Shifts in several numbers of deviations; the first for releases.
_SHIFTS = (
    {D: Integer(2), v: Rational(3, 2)},
    {D: Rational(1, 10), v: Integer(1)},
    {D: Integer(3), v: Rational(1, 4)},
)

total_variation = Claim(
    id="beyond:total-variation-of-a-shift",
    title="The total variation of a shift is at most two fifths of it",
    source="beyond",
    where=_FLOOR,
    kind="inequality",
    statement=(
        r"Two Gaussians of variance $v$ at distance $D$ have the total variation $\mathrm{erf}\big(\frac D{2\sqrt{2v}}\big) \le \frac25\frac D{\sqrt v}$: "
        r"the curve comes as close to the floor as one likes."
    ),
    reading="The total variation is the curve of `beyond:hockey-stick-equal-variances` at level 0, in units of these two.",
    variables=(SHIFT, VARIANCE),
    conclusion=le(_distance, Rational(2, 5) * D / sqrt(v)),
    checks=(
        Deduction(
            (
                Premise("beyond:error-function-below-its-tangent", {_x: D / (2 * sqrt(2) * sqrt(v))}),
                Premise("beyond:root-of-two-pi"),
            )
        ),
        *by_outputs(_distance, HockeyStick(0), shifted(D, v), _SHIFTS, _SHIFTS[:1]),
    ),
    sampling=Chart({D: (0, 4), v: (0, 6)}, {}),
    mutants=(
        Mutant("three tenths", le(_distance, Rational(3, 10) * D / sqrt(v))),
        Mutant("variance for deviation", le(_distance, Rational(2, 5) * D / v)),
    ),
    tightness=(
        Tightness(
            Rational(2, 5) * D / erf(D / (2 * sqrt(2))),
            {D: (Rational(1, 100), 2)},
            "the bound over the total variation, for variance 1",
            plot=(D,),
        ),
    ),
)

_TARGET = positive("delta", "probability of failure that is asked for", upper=1)
_FLOOR_VALUE = real("f", "the floor at the epsilon that is asked for", lower=0, upper=1)
_target, _floor = _TARGET.symbol, _FLOOR_VALUE.symbol

_NEAR_THE_FLOOR = partial(approach_cases, symbols=(eta, gamma, _target, _floor))

reachable = Claim(
    id="beyond:floor-approached",
    title="Every target above the floor is reached, with an explicit noise ratio",
    source="beyond",
    where=_FLOOR,
    kind="proposition",
    statement=(
        r"For $\delta > \delta_\infty(\epsilon)$ the worst pair is at most at $\delta$ from $\gamma = \frac{4\eta^2}{25(1+\eta)^2(\delta-\delta_\infty)^2}$ on: the floor "
        r"plus $\frac25$ of the shift $\frac\eta{\sqrt\gamma(1+\eta)}$ is then at most $\delta$."
    ),
    variables=(ETA, GAMMA, _TARGET, _FLOOR_VALUE),
    hypotheses=(
        Hypothesis("above the floor", gt(_target, _floor)),
        Hypothesis("noise ratio", ge(25 * gamma * (1 + eta) ** 2 * (_target - _floor) ** 2, 4 * eta**2)),
    ),
    conclusion=le(_floor + Rational(2, 5) * eta / (sqrt(gamma) * (1 + eta)), _target),
    checks=(Smt(), Unreduced(cases=_NEAR_THE_FLOOR), Released(cases=_NEAR_THE_FLOOR)),
    derivation=(
        Step(claim="beyond:hockey-stick-by-total-variation"),
        Step(claim="beyond:total-variation-of-a-shift"),
        Step(claim="beyond:distance-falls-with-the-noise-ratio"),
    ),
    sampling=Chart(
        {eta: (0, 2), _target: (0, 1), _PA.symbol: (0, 1), _Y.symbol: (0, 1)},
        {
            _floor: _PA.symbol * _target,
            gamma: 4 * eta**2 / (25 * (1 + eta) ** 2 * (_target - _PA.symbol * _target) ** 2) + _Y.symbol**3,
        },
    ),
    mutants=(
        Mutant(
            "half of the noise ratio",
            hypotheses=(
                Hypothesis("above the floor", gt(_target, _floor)),
                Hypothesis("half", ge(50 * gamma * (1 + eta) ** 2 * (_target - _floor) ** 2, 4 * eta**2)),
            ),
        ),
        Mutant("one half for two fifths", le(_floor + eta / (2 * sqrt(gamma) * (1 + eta)), _target)),
        Mutant("the shift in units of Q", le(_floor + Rational(2, 5) * eta / sqrt(gamma), _target)),
    ),
    remark=(
        "For several releases the repeated worst pair is a lower bound, so its floor is one as well; being above it is then "
        "necessary and not known to be enough."
    ),
)
