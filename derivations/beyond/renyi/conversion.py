r"""From Rényi privacy to $(\epsilon, \delta)$, improved: the pointwise inequality, the conversion, and its optimal order.

Write $\beta = \alpha - 1$ and $t = L - \epsilon$. For all real $t$

$1 - e^{-t} \le \frac{\beta^\beta}{(1+\beta)^{1+\beta}}\,e^{\beta t}$,

so that taking expectations under $P$ bounds the hockey-stick divergence by the moment that the Rényi divergence is the
logarithm of. The result is that of Canonne, Kamath and Steinke (2020) and of Balle and others (2020), derived here
again; it is never worse than Mironov's conversion at the same order (`rgm:s4-conversion`). For the exact curve of the
mechanism the bound on $\log\delta$ is a convex function of the order, so the best order can be found by bracketing.
"""

from ...rgm.notation import *
from ...rgm.output_pairs import of_the_worst_pair
from ...rgm.section_4.conversion import X
from ...theorems import HOELDER
from ..hockey_stick.loss_notation import D, cumulant, s as tilt, v
from ..pairs.pairs_in_space import conversion_cases
from .curve_notation import IN_RANGE, exact_curve
from .log_notation import P, Q

page = Page("beyond", "", NOTATION)
_CONVERSION = page.elsewhere("conversion of Rényi privacy to (epsilon, delta)")
_BEST_ORDER = page.elsewhere("the optimal order")
_ANY_CURVE = page.elsewhere("the optimal order of any Rényi curve")
beta = page.positive("beta", "order of the Rényi divergence minus 1")
t = page.real("t", "privacy loss minus epsilon")
rdp = page.real("R", "Rényi divergence of order alpha")
epsilon = page.real("epsilon", "level of the hockey-stick divergence")
log_delta = page.real("Z", "logarithm of delta", latex=r"\log\delta")


def weight(b: Expr) -> Expr:
    """The factor of the moment, for the order 1 + b."""
    return b**b * (1 + b) ** (-1 - b)


def log_weight(b: Expr) -> Expr:
    """The logarithm of `weight`."""
    return b * log(b) - (1 + b) * log(1 + b)


_bound = weight(beta) * exp(beta * t)
#: The two exponentials whose tangents at 0 add up to the inequality.
_first, _second = (1 + beta) * _bound, (1 + beta) / beta * exp(-t)

pointwise = _CONVERSION.inequality(
    "beyond:improved-conversion-pointwise",
    "The inequality between the loss and its moment",
    le(1 - exp(-t), _bound),
    by=combination(
        (1 / (1 + beta), (_first - 1) ** 2, LogRemainder(2, _first - 1)),
        (beta / (1 + beta), (_second - 1) ** 2, LogRemainder(2, _second - 1)),
    ),
    points={beta: (0, 20), t: (-3, 6)},
    wrong={
        "nine tenths of it": Rational(9, 10) * _bound,
        "exponents exchanged": (1 + beta) ** (-beta) * beta ** (1 + beta) * exp(beta * t),
        "without the factor beta^beta": (1 + beta) ** (-2 - beta) * exp(beta * t),
        "direction": turned(),
    },
    tightness=Tightness(
        (1 - exp(-t)) / _bound.subs(beta, 1),
        {t: (Rational(1, 10), 3)},
        "left side over right side, for the order 2",
        plot=(t,),
    ),
)

equality = _CONVERSION.identity(
    "beyond:improved-conversion-equality",
    "Where the pointwise inequality is an equality",
    eq(1 - beta / (1 + beta), weight(beta) * ((1 + beta) / beta) ** beta),
    "Both sides of the inequality at the loss where they meet: no smaller factor holds for every law of the loss.",
    wrong={
        "at t = log(1 + beta)": eq(1 - 1 / (1 + beta), weight(beta) * (1 + beta) ** beta),
        "t with the other sign": weight(beta) * (beta / (1 + beta)) ** beta,
    },
)

_divergence = real("divergence").symbol
_RELEASED = Outputs((Integer(1),), (Integer(0),), 1, variances=(Rational(6, 5), Integer(1)))
_ORDERS = ({alpha: Rational(2), t: Integer(0)}, {alpha: Rational(5, 2), t: Integer(1)})
_converted = Bound(
    Of(HockeyStick(Rational(1, 2)), _RELEASED), weight(alpha - 1) * exp((alpha - 1) * (_divergence - Rational(1, 2)))
)

positive_part = _CONVERSION.inequality(
    "beyond:improved-conversion-positive-part",
    "The inequality for the positive part, in the order of the divergence",
    le(Max(1 - exp(-t), 0), weight(alpha - 1) * exp((alpha - 1) * t)),
    r"This is the inequality under the expectation; $t$ stands for $L - \epsilon$.",
    outputs=of_cases(Filled(_ORDERS, found={_divergence: Of(Renyi(alpha), _RELEASED)}, bounds=(_converted,))),
    printed=r"H_\epsilon(P\|Q) \le \frac{(\alpha-1)^{\alpha-1}}{\alpha^\alpha}\,e^{(\alpha-1)(D_\alpha(P\|Q) - \epsilon)}",
    steps=(
        Premise("beyond:improved-conversion-pointwise", {beta: alpha - 1}),
        Premise("rgm:s4-exponential-positive", {X.symbol: (alpha - 1) * t}),
    ),
    points={beta: (0, 20), t: (-3, 6), alpha: 1 + beta},
    wrong={
        "half": weight(alpha - 1) * exp((alpha - 1) * t) / 2,
        "half of the exponent": weight(alpha - 1) * exp((alpha - 1) * t / 2),
        "an order higher": weight(alpha) * exp((alpha - 1) * t),
    },
    reading=r"$E_P e^{(\alpha-1)L} = e^{(\alpha-1)D_\alpha(P\|Q)}$ is the definition of the divergence.",
)

#: The improved epsilon at the order 1 + beta.
improved = rdp + log(beta) - log(1 + beta) - (log_delta + log(1 + beta)) / beta
_log_of_bound = log_weight(beta) + beta * (rdp - epsilon)
_SLACK = real("u", lower=0).symbol
_CONVERTED = partial(conversion_cases, symbols=(beta, rdp, log_delta), level=improved, more=(epsilon,), shift=1)

converted = _CONVERSION.proposition(
    "beyond:improved-conversion",
    "The improved conversion",
    le(_log_of_bound, log_delta),
    r"So $(\alpha, R)$-Rényi privacy gives $(\epsilon,\delta)$-differential privacy. Judged is the logarithm of the bound on the hockey-stick divergence.",
    printed=r"\epsilon \ge R + \log\frac{\alpha-1}{\alpha} - \frac{\log\delta + \log\alpha}{\alpha-1} \;\Longrightarrow\; H_\epsilon(P\|Q) \le \delta",
    given=Hypothesis("epsilon", ge(epsilon, improved)),
    by=(combination((beta, epsilon - improved)), Unreduced(cases=_CONVERTED), Released(cases=_CONVERTED)),
    points={beta: (0, 20), rdp: (0, 5), log_delta: (-30, 0), _SLACK: (0, 1), epsilon: improved + _SLACK**3},
    wrong={
        "a smaller delta": log_delta - log(1 + beta),
        "the order for the order minus 1": left(log_weight(beta) + (1 + beta) * (rdp - epsilon)),
        "log alpha twice": instead(Hypothesis("epsilon", ge(epsilon, improved - log(1 + beta) / beta))),
    },
    steps=(
        Step("Bound the positive part by the moment.", "beyond:improved-conversion-positive-part"),
        Step("Take expectations, and solve for $\\epsilon$."),
    ),
    reading=r"Compared by logarithms, with $Z = \log\delta$ and $\beta = \alpha - 1$; $\epsilon$ may have either sign.",
    remark="The bound on a hockey-stick divergence is one on every event: `beyond:neyman-pearson-pointwise`.",
)

never_worse = _CONVERSION.inequality(
    "beyond:improved-conversion-never-worse",
    "The improved conversion is never worse than Mironov's",
    lt(log(beta / (1 + beta)) - log(1 + beta) / beta, 0),
    r"On the left is what the two differ by at the same order and $\delta$, whatever the divergence is.",
    by=combination((log(1 + beta), 1 / beta), (log(1 + 1 / beta),)),
    wrong={
        "the logarithm of alpha added": left(log(beta / (1 + beta)) + 3 * log(1 + beta) / beta),
        "at least one": -1,
        "direction": turned(),
    },
)

#: (alpha - 1) E(alpha): the cumulant generating function of the worst pair.
scaled_curve = named(
    r"(\alpha-1)E(\alpha)",
    alpha * (alpha - 1) * eta**2 / (2 * gamma * rho) - d * (log(rho) + 2 * (alpha - 1) * log(1 + eta)) / 2,
)
_curve = named(r"E(\alpha)", exact_curve)
_k = real("k", lower=0, upper=1).symbol
_CURVE_POINTS = {_k: (0, 1), eta: (0, 2), gamma: (0, 4), d: (1, 100), alpha: 1 + _k / q}
_worst = cumulant.subs({tilt: alpha - 1, D: eta / gamma ** Rational(1, 2), v: (1 + eta) ** 2}, simultaneous=True)
_SCALED = of_the_worst_pair((alpha - 1) * exact_curve, scale=alpha - 1)

curve_is_cumulant = _BEST_ORDER.identity(
    "beyond:exact-curve-is-a-cumulant",
    "The exact Rényi curve is the cumulant generating function of one pair",
    eq((alpha - 1) * _curve, _worst),
    "The pair is the worst one, without baseline noise.",
    given=IN_RANGE,
    by=(Identity(positive=(rho,)), *_SCALED),
    points=_CURVE_POINTS,
    wrong={
        "variance 1 + eta": _worst + d * (alpha - 1) * log(1 + eta) / 2,
        "without alpha - 1": left(exact_curve),
        "distance eta^2 gamma": left((alpha - 1) * (exact_curve + alpha * eta**2 * (gamma - 1 / gamma) / (2 * rho))),
    },
    steps=("beyond:exact-renyi-attained", "beyond:cumulant"),
)

curve_scaled = _BEST_ORDER.identity(
    "beyond:exact-curve-scaled",
    "The exact Rényi curve times alpha - 1",
    eq((alpha - 1) * _curve, scaled_curve.value),
    given=IN_RANGE,
    by=(Identity(positive=(rho,)), *_SCALED),
    points=_CURVE_POINTS,
    wrong={
        "log rho alone": scaled_curve.value + d * (alpha - 1) * log(1 + eta),
        "the main term without alpha - 1": scaled_curve.value - alpha * (alpha - 2) * eta**2 / (2 * gamma * rho),
    },
)

_convexity = eta**2 * (1 + eta) ** 2 / (gamma * rho**3) + d * q**2 / (2 * rho**2)

second_derivative = _BEST_ORDER.identity(
    "beyond:exact-curve-second-derivative",
    "The second derivative of (alpha - 1) times the exact curve",
    eq(Derivative(scaled_curve, (alpha, 2)), _convexity),
    "Both terms are positive, so that the function is convex.",
    given=IN_RANGE,
    points=_CURVE_POINTS,
    wrong={
        "square for cube": _convexity - eta**2 * (1 + eta) ** 2 * (1 - rho) / (gamma * rho**3),
        "without the half": _convexity + d * q**2 / (2 * rho**2),
    },
    steps="beyond:exact-curve-scaled",
)

_log_bound = scaled_curve - (alpha - 1) * epsilon + log_weight(alpha - 1)
_log_bound_curvature = _convexity + 1 / (alpha - 1) - 1 / alpha

log_bound_derivative = _BEST_ORDER.identity(
    "beyond:converted-delta-second-derivative",
    "The second derivative of the bound on log delta",
    eq(Derivative(_log_bound, (alpha, 2)), _log_bound_curvature),
    "It is that of the curve and what the conversion adds.",
    given=IN_RANGE,
    points={**_CURVE_POINTS, epsilon: (0, 5)},
    over=(epsilon,),
    wrong={"without 1/alpha": _convexity + 1 / (alpha - 1), "without the conversion": _convexity},
    steps=("beyond:exact-curve-scaled", "beyond:improved-conversion-positive-part"),
)

convex = _BEST_ORDER.inequality(
    "beyond:converted-delta-convex",
    "The bound on log delta is strictly convex in the order",
    gt(_log_bound_curvature, 0),
    r"So the converted $\delta$ has one minimum in the range of orders. The converted $\epsilon$ is at most a number for an interval of orders: it falls, then rises.",
    given=IN_RANGE,
    points=_CURVE_POINTS,
    wrong={
        "the terms of the conversion exchanged": left(_convexity - 1 / (alpha - 1) + 1 / alpha),
        "beyond the end of the range": changed(hypotheses=(Hypothesis("rho not 0", gt(rho**2, 0)),)),
        "direction": turned(),
    },
    steps="beyond:converted-delta-second-derivative",
)

_rise = eta**2 * (1 + eta) ** 2 / (2 * gamma * rho**2) + d * (1 / rho - 1 + log(rho)) / (2 * (alpha - 1) ** 2)

curve_slope = _BEST_ORDER.identity(
    "beyond:exact-curve-slope",
    "The derivative of the exact curve",
    eq(Derivative(_curve, alpha), _rise),
    given=IN_RANGE,
    points=_CURVE_POINTS,
    wrong={
        "without log rho": _rise - d * log(rho) / (2 * (alpha - 1) ** 2),
        "main term over rho": _rise + eta**2 * (1 + eta) ** 2 * (rho - 1) / (2 * gamma * rho**2),
    },
)

curve_rises = _BEST_ORDER.inequality(
    "beyond:exact-curve-rises",
    "The exact curve rises with the order",
    gt(_rise, 0),
    "The left side is the derivative of the curve.",
    given=IN_RANGE,
    points=_CURVE_POINTS,
    wrong={
        "the logarithm twice": left(_rise + d * log(rho) / (2 * (alpha - 1) ** 2)),
        "the dimension's part negative": left(_rise - d * (1 / rho - 1 + log(rho)) / (alpha - 1) ** 2),
    },
    steps=(Premise("beyond:log-upper", {P: 1, Q: rho}), "beyond:exact-curve-slope"),
)

penalty = _ANY_CURVE.identity(
    "beyond:conversion-penalty-convex",
    "What the improved conversion adds is convex in the order",
    eq(Derivative(log_weight(beta), (beta, 2)), 1 / (beta * (1 + beta))),
    r"With $\beta R(1+\beta)$, convex for every Rényi divergence and so for suprema and sums of them, it makes a convex function $\psi(\beta)$ whose quotient by $\beta$ is the converted $\epsilon$, less $\frac1\beta\log\delta$.",
    wrong={"without 1 + beta": 1 / beta, "concave": -1 / (beta * (1 + beta))},
    steps=HOELDER.quoted(
        "$\\beta R(1+\\beta) = \\log E_P e^{\\beta L}$ is convex.",
        "At a mean of two orders the exponents are the inverses of its weights.",
        "Exponentials are positive.",
    ),
)

_a = page.positive("a", "the smallest of three orders, minus 1")
_b = page.positive("b", "the middle one")
_c = page.positive("c", "the largest")
_fa = page.real("psi_a", "the convex function there", latex=r"\psi(a)")
_fb = page.real("psi_b", "the convex function at the middle one", latex=r"\psi(b)")
_fc = page.real("psi_c", "the convex function at the largest", latex=r"\psi(c)")
_IN_ORDER = (Hypothesis("a below b", lt(_a, _b)), Hypothesis("b below c", lt(_b, _c)))
_CONVEX = Hypothesis(
    "convexity", le(_fb * (_c - _a), _fa * (_c - _b) + _fc * (_b - _a)), "the middle value is below the chord"
)
_JUST = {
    _a: (0, 3),
    _SLACK: (0, 3),
    _k: (0, 1),
    _fa: (-3, 3),
    _fc: (-3, 3),
    t: (0, 1),
    _b: _a + _k * _SLACK,
    _c: _a + _SLACK,
    _fb: _fa * (1 - _k) + _fc * _k - t**3,
}

chord_outside = _ANY_CURVE.inequality(
    "beyond:chord-below-outside",
    "A chord of a convex function lies below it outside the chord",
    both(ge(_fc, _fb + (_fb - _fa) * (_c - _b) / (_b - _a)), ge(_fa, _fb - (_fc - _fb) * (_b - _a) / (_c - _b))),
    r"From the values at two orders a line bounds the function from below at every order beyond them: three orders bound the infimum over all.",
    given=(*_IN_ORDER, _CONVEX),
    points=_JUST,
    wrong={
        "inside": ge(_fb, _fa + (_fc - _fa) * (_b - _a) / (_c - _a)),
        "any function": without(_CONVEX),
        "the chord shifted up": ge(_fc, _fb + (_fb - _fa) * (_c - _b) / (_b - _a) + 1),
    },
)

one_valley = _ANY_CURVE.inequality(
    "beyond:converted-epsilon-one-valley",
    "The converted epsilon falls, then rises",
    le(_fb / _b, Max(_fa / _a, _fc / _c)),
    "There is one valley, which bracketing finds.",
    given=(*_IN_ORDER, _CONVEX),
    points=_JUST,
    wrong={"at most the smaller": Min(_fa / _a, _fc / _c), "any function": without(_CONVEX)},
)

line_over_order = _ANY_CURVE.inequality(
    "beyond:line-over-order",
    "A line divided by the order is least at an end",
    ge((_fa + (_fc - _fa) * (_b - _a) / (_c - _a)) / _b, Min(_fa / _a, _fc / _c)),
    "The lower bound that a chord gives for the converted epsilon between two orders is its smaller value at the two.",
    given=_IN_ORDER,
    points={key: value for key, value in _JUST.items() if key not in (t, _fb)},
    wrong={
        "the larger one": Max(_fa / _a, _fc / _c),
        "beyond the ends": changed(hypotheses=(Hypothesis("a below c", lt(_a, _c)),)),
    },
)
