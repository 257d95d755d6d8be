r"""From Rényi privacy to $(\epsilon, \delta)$, improved: the pointwise inequality, the conversion, and its optimal order.

Write $\beta = \alpha - 1$ and $t = L - \epsilon$. For all real $t$

$1 - e^{-t} \le \frac{\beta^\beta}{(1+\beta)^{1+\beta}}\,e^{\beta t}$,

so that taking expectations under $P$ bounds the hockey-stick divergence by the moment that the Rényi divergence is the
logarithm of. The result is that of Canonne, Kamath and Steinke (2020) and of Balle and others (2020), derived here
again; it is never worse than Mironov's conversion at the same order (`rgm:s4-conversion`). For the exact curve of the
mechanism the bound on $\log\delta$ is a convex function of the order, so the best order can be found by bracketing.
"""

from functools import partial

from sympy import Expr, Max, Min, Rational, diff, exp, log

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Released, Smt, Unreduced

from ..rgm.notation import ALPHA, DIMENSION, ETA, GAMMA, alpha, d, eta, gamma, q, rho
from ..rgm.output_pairs import of_the_worst_pair
from ..rgm.s4_conversion import X
from ..theorems import HOELDER
from .exact_renyi import IN_RANGE, exact_curve
from .log_term import P, Q
from .pairs_in_space import conversion_cases
from .privacy_loss import D, cumulant, v
from .privacy_loss import s as tilt

_WHERE = "conversion of Rényi privacy to (epsilon, delta)"
_BETA = positive("beta", "order of the Rényi divergence minus 1")
_T = real("t", "privacy loss minus epsilon")
_RDP = real("R", "Rényi divergence of order alpha")
_EPSILON = real("epsilon", "level of the hockey-stick divergence")
_LOG_DELTA = real("Z", "logarithm of delta")
beta, t, rdp, epsilon, log_delta = (x.symbol for x in (_BETA, _T, _RDP, _EPSILON, _LOG_DELTA))


def weight(b: Expr) -> Expr:
    """The factor of the moment, for the order 1 + b."""
    return b**b * (1 + b) ** (-1 - b)


def log_weight(b: Expr) -> Expr:
    """The logarithm of `weight`."""
    return b * log(b) - (1 + b) * log(1 + b)


_bound = weight(beta) * exp(beta * t)
#: The two exponentials whose tangents at 0 add up to the inequality.
_first, _second = (1 + beta) * _bound, (1 + beta) / beta * exp(-t)
_ORDER = Chart({beta: (0, 20), t: (-3, 6)}, {})

pointwise = Claim(
    id="beyond:improved-conversion-pointwise",
    title="The inequality between the loss and its moment",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"For all real $t$ and $\beta > 0$: $1 - e^{-t} \le \beta^\beta(1+\beta)^{-1-\beta}e^{\beta t}$. The difference is the mean, with weights "
        r"$\frac1{1+\beta}$ and $\frac\beta{1+\beta}$, of $y - 1 - \log y \ge 0$ at $y = (1+\beta)\cdot$ right side and at $y = \frac{1+\beta}\beta e^{-t}$."
    ),
    variables=(_BETA, _T),
    conclusion=le(1 - exp(-t), _bound),
    checks=(
        Combination(
            terms=(
                (1 / (1 + beta), (_first - 1) ** 2, LogRemainder(2, _first - 1)),
                (beta / (1 + beta), (_second - 1) ** 2, LogRemainder(2, _second - 1)),
            )
        ),
    ),
    sampling=_ORDER,
    mutants=(
        Mutant("nine tenths of it", le(1 - exp(-t), Rational(9, 10) * _bound)),
        Mutant("exponents exchanged", le(1 - exp(-t), (1 + beta) ** (-beta) * beta ** (1 + beta) * exp(beta * t))),
        Mutant("without the factor beta^beta", le(1 - exp(-t), (1 + beta) ** (-2 - beta) * exp(beta * t))),
        Mutant("direction", ge(1 - exp(-t), _bound)),
    ),
    tightness=(
        Tightness(
            (1 - exp(-t)) / _bound.subs(beta, 1),
            {t: (Rational(1, 10), 3)},
            "left side over right side, for the order 2",
            plot=(t,),
        ),
    ),
)

equality = Claim(
    id="beyond:improved-conversion-equality",
    title="Where the pointwise inequality is an equality",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"At $e^{-t} = \beta/(1+\beta)$ both sides are $1/(1+\beta)$: no smaller factor holds for every law of the loss.",
    variables=(_BETA,),
    conclusion=eq(1 - beta / (1 + beta), weight(beta) * ((1 + beta) / beta) ** beta),
    checks=(Identity(),),
    mutants=(
        Mutant("at t = log(1 + beta)", eq(1 - 1 / (1 + beta), weight(beta) * (1 + beta) ** beta)),
        Mutant("t with the other sign", eq(1 - beta / (1 + beta), weight(beta) * (beta / (1 + beta)) ** beta)),
    ),
)

positive_part = Claim(
    id="beyond:improved-conversion-positive-part",
    title="The inequality for the positive part, in the order of the divergence",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"$(1 - e^{-t})_+ \le \frac{(\alpha-1)^{\alpha-1}}{\alpha^\alpha}\,e^{(\alpha-1)t}$. With $t = L - \epsilon$ and expectations under $P$: "
        r"$H_\epsilon(P\|Q) \le \frac{(\alpha-1)^{\alpha-1}}{\alpha^\alpha}\,e^{(\alpha-1)(D_\alpha(P\|Q) - \epsilon)}$."
    ),
    reading=r"$E_P e^{(\alpha-1)L} = e^{(\alpha-1)D_\alpha(P\|Q)}$ is the definition of the divergence.",
    variables=(ALPHA, _T),
    conclusion=le(Max(1 - exp(-t), 0), weight(alpha - 1) * exp((alpha - 1) * t)),
    checks=(
        Deduction(
            (
                Premise("beyond:improved-conversion-pointwise", {beta: alpha - 1}),
                Premise("rgm:s4-exponential-positive", {X.symbol: (alpha - 1) * t}),
            )
        ),
    ),
    sampling=Chart({beta: (0, 20), t: (-3, 6)}, {alpha: 1 + beta}),
    mutants=(
        Mutant("half", le(Max(1 - exp(-t), 0), weight(alpha - 1) * exp((alpha - 1) * t) / 2)),
        Mutant("half of the exponent", le(Max(1 - exp(-t), 0), weight(alpha - 1) * exp((alpha - 1) * t / 2))),
        Mutant("an order higher", le(Max(1 - exp(-t), 0), weight(alpha) * exp((alpha - 1) * t))),
    ),
)

#: The improved epsilon at the order 1 + beta.
improved = rdp + log(beta) - log(1 + beta) - (log_delta + log(1 + beta)) / beta
_log_of_bound = log_weight(beta) + beta * (rdp - epsilon)
_SLACK = real("u", lower=0).symbol

_CONVERTED = partial(conversion_cases, symbols=(beta, rdp, log_delta), level=improved, more=(epsilon,), shift=1)


converted = Claim(
    id="beyond:improved-conversion",
    title="The improved conversion",
    source="beyond",
    where=_WHERE,
    kind="proposition",
    statement=(
        r"$(\alpha, R)$-Rényi privacy gives $(\epsilon,\delta)$-differential privacy for every "
        r"$\epsilon \ge R + \log\frac{\alpha-1}\alpha - \frac{\log\delta + \log\alpha}{\alpha-1}$: the logarithm of the bound on the "
        r"hockey-stick divergence is then at most $\log\delta$."
    ),
    reading=r"Compared by logarithms, with $Z = \log\delta$ and $\beta = \alpha - 1$; $\epsilon$ may have either sign.",
    variables=(_BETA, _RDP, _LOG_DELTA, _EPSILON),
    hypotheses=(Hypothesis("epsilon", ge(epsilon, improved)),),
    conclusion=le(_log_of_bound, log_delta),
    checks=(Combination(terms=((beta, epsilon - improved),)), Unreduced(cases=_CONVERTED), Released(cases=_CONVERTED)),
    sampling=Chart({beta: (0, 20), rdp: (0, 5), log_delta: (-30, 0), _SLACK: (0, 1)}, {epsilon: improved + _SLACK**3}),
    mutants=(
        Mutant("a smaller delta", le(_log_of_bound, log_delta - log(1 + beta))),
        Mutant("the order for the order minus 1", le(log_weight(beta) + (1 + beta) * (rdp - epsilon), log_delta)),
        Mutant(
            "log alpha twice",
            hypotheses=(Hypothesis("epsilon", ge(epsilon, improved - log(1 + beta) / beta)),),
        ),
    ),
    derivation=(
        Step("Bound the positive part by the moment.", "beyond:improved-conversion-positive-part"),
        Step("Take expectations, and solve for $\\epsilon$."),
    ),
    remark="The bound on a hockey-stick divergence is one on every event: `beyond:neyman-pearson-pointwise`.",
)

_gain = log(beta / (1 + beta)) - log(1 + beta) / beta

never_worse = Claim(
    id="beyond:improved-conversion-never-worse",
    title="The improved conversion is never worse than Mironov's",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"At the same order and $\delta$ the two differ by $\log\frac{\alpha-1}\alpha - \frac{\log\alpha}{\alpha-1} < 0$, whatever the divergence is; "
        r"here $\beta = \alpha - 1$."
    ),
    variables=(_BETA,),
    conclusion=lt(_gain, 0),
    checks=(Combination(terms=((log(1 + beta), 1 / beta), (log(1 + 1 / beta),))),),
    mutants=(
        Mutant("the logarithm of alpha added", lt(log(beta / (1 + beta)) + 3 * log(1 + beta) / beta, 0)),
        Mutant("at least one", lt(_gain, -1)),
        Mutant("direction", gt(_gain, 0)),
    ),
)

#: (alpha - 1) E(alpha): the cumulant generating function of the worst pair.
scaled_curve = alpha * (alpha - 1) * eta**2 / (2 * gamma * rho) - d * (log(rho) + 2 * (alpha - 1) * log(1 + eta)) / 2
_k = real("k", lower=0, upper=1).symbol
_CURVE = (ETA, GAMMA, ALPHA, DIMENSION)
_CURVE_POINTS = Chart({_k: (0, 1), eta: (0, 2), gamma: (0, 4), d: (1, 100)}, {alpha: 1 + _k / q})
_worst = cumulant.subs({tilt: alpha - 1, D: eta / gamma ** Rational(1, 2), v: (1 + eta) ** 2}, simultaneous=True)

_SCALED = of_the_worst_pair((alpha - 1) * exact_curve, scale=alpha - 1)

curve_is_cumulant = Claim(
    id="beyond:exact-curve-is-a-cumulant",
    title="The exact Rényi curve is the cumulant generating function of one pair",
    source="beyond",
    where="the optimal order",
    kind="identity",
    statement=r"$(\alpha-1)E(\alpha) = K(\alpha-1)$ at $D^2 = \eta^2/\gamma$ and $v = (1+\eta)^2$: the pair $R(x) = (1+\eta)R(y)$ without baseline noise.",
    variables=_CURVE,
    hypotheses=(IN_RANGE,),
    conclusion=eq((alpha - 1) * exact_curve, _worst),
    checks=(Identity(positive=(rho,)), *_SCALED),
    derivation=(
        Step(claim="beyond:exact-renyi-attained"),
        Step(claim="beyond:cumulant"),
    ),
    sampling=_CURVE_POINTS,
    mutants=(
        Mutant("variance 1 + eta", eq((alpha - 1) * exact_curve, _worst + d * (alpha - 1) * log(1 + eta) / 2)),
        Mutant("without alpha - 1", eq(exact_curve, _worst)),
        Mutant(
            "distance eta^2 gamma",
            eq((alpha - 1) * (exact_curve + alpha * eta**2 * (gamma - 1 / gamma) / (2 * rho)), _worst),
        ),
    ),
)

scaled = Claim(
    id="beyond:exact-curve-scaled",
    title="The exact Rényi curve times alpha - 1",
    source="beyond",
    where="the optimal order",
    kind="identity",
    statement=r"$(\alpha-1)E(\alpha) = \frac{\alpha(\alpha-1)\eta^2}{2\gamma\rho} - \frac d2\big(\log\rho + 2(\alpha-1)\log(1+\eta)\big)$.",
    variables=_CURVE,
    hypotheses=(IN_RANGE,),
    conclusion=eq((alpha - 1) * exact_curve, scaled_curve),
    checks=(Identity(positive=(rho,)), *_SCALED),
    sampling=_CURVE_POINTS,
    mutants=(
        Mutant("log rho alone", eq((alpha - 1) * exact_curve, scaled_curve + d * (alpha - 1) * log(1 + eta))),
        Mutant(
            "the main term without alpha - 1",
            eq((alpha - 1) * exact_curve, scaled_curve - alpha * (alpha - 2) * eta**2 / (2 * gamma * rho)),
        ),
    ),
)

_convexity = eta**2 * (1 + eta) ** 2 / (gamma * rho**3) + d * q**2 / (2 * rho**2)

second_derivative = Claim(
    id="beyond:exact-curve-second-derivative",
    title="The second derivative of (alpha - 1) times the exact curve",
    source="beyond",
    where="the optimal order",
    kind="identity",
    statement=r"It is $\frac{\eta^2(1+\eta)^2}{\gamma\rho^3} + \frac{d\,q^2}{2\rho^2}$, a sum of positive terms: $\alpha \mapsto (\alpha-1)E(\alpha)$ is convex.",
    variables=_CURVE,
    hypotheses=(IN_RANGE,),
    conclusion=eq(diff(scaled_curve, alpha, 2), _convexity),
    checks=(Identity(),),
    derivation=(Step(claim="beyond:exact-curve-scaled"),),
    sampling=_CURVE_POINTS,
    mutants=(
        Mutant(
            "square for cube",
            eq(diff(scaled_curve, alpha, 2), _convexity - eta**2 * (1 + eta) ** 2 * (1 - rho) / (gamma * rho**3)),
        ),
        Mutant("without the half", eq(diff(scaled_curve, alpha, 2), _convexity + d * q**2 / (2 * rho**2))),
    ),
)

_log_bound = scaled_curve - (alpha - 1) * epsilon + log_weight(alpha - 1)
_log_bound_curvature = _convexity + 1 / (alpha - 1) - 1 / alpha

log_bound_derivative = Claim(
    id="beyond:converted-delta-second-derivative",
    title="The second derivative of the bound on log delta",
    source="beyond",
    where="the optimal order",
    kind="identity",
    statement=(
        r"The logarithm of the converted $\delta$ as a function of the order, $(\alpha-1)(E(\alpha)-\epsilon) + (\alpha-1)\log(\alpha-1) - \alpha\log\alpha$, has "
        r"the second derivative of the curve plus $\frac1{\alpha-1} - \frac1\alpha$."
    ),
    variables=(*_CURVE, _EPSILON),
    hypotheses=(IN_RANGE,),
    conclusion=eq(diff(_log_bound, alpha, 2), _log_bound_curvature),
    checks=(Identity(),),
    derivation=(
        Step(claim="beyond:exact-curve-scaled"),
        Step(claim="beyond:improved-conversion-positive-part"),
    ),
    sampling=Chart({**_CURVE_POINTS.ranges, epsilon: (0, 5)}, _CURVE_POINTS.maps),
    mutants=(
        Mutant("without 1/alpha", eq(diff(_log_bound, alpha, 2), _convexity + 1 / (alpha - 1))),
        Mutant("without the conversion", eq(diff(_log_bound, alpha, 2), _convexity)),
    ),
)

convex = Claim(
    id="beyond:converted-delta-convex",
    title="The bound on log delta is strictly convex in the order",
    source="beyond",
    where="the optimal order",
    kind="inequality",
    statement=(
        r"So the converted $\delta$ has one minimum in the range of orders. The converted $\epsilon$ is at most $e$ where this bound at "
        r"$\epsilon = e$ is at most $\log\delta$, an interval of orders for every $e$: it falls, then rises."
    ),
    variables=_CURVE,
    hypotheses=(IN_RANGE,),
    conclusion=gt(_log_bound_curvature, 0),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:converted-delta-second-derivative"),),
    sampling=_CURVE_POINTS,
    mutants=(
        Mutant("the terms of the conversion exchanged", gt(_convexity - 1 / (alpha - 1) + 1 / alpha, 0)),
        Mutant("beyond the end of the range", hypotheses=(Hypothesis("rho not 0", gt(rho**2, 0)),)),
        Mutant("direction", lt(_log_bound_curvature, 0)),
    ),
)

_rise = eta**2 * (1 + eta) ** 2 / (2 * gamma * rho**2) + d * (1 / rho - 1 + log(rho)) / (2 * (alpha - 1) ** 2)

curve_slope = Claim(
    id="beyond:exact-curve-slope",
    title="The derivative of the exact curve",
    source="beyond",
    where="the optimal order",
    kind="identity",
    statement=r"$E'(\alpha) = \frac{\eta^2(1+\eta)^2}{2\gamma\rho^2} + \frac d{2(\alpha-1)^2}\big(\frac1\rho - 1 + \log\rho\big)$.",
    variables=_CURVE,
    hypotheses=(IN_RANGE,),
    conclusion=eq(diff(exact_curve, alpha), _rise),
    checks=(Identity(),),
    sampling=_CURVE_POINTS,
    mutants=(
        Mutant("without log rho", eq(diff(exact_curve, alpha), _rise - d * log(rho) / (2 * (alpha - 1) ** 2))),
        Mutant(
            "main term over rho",
            eq(diff(exact_curve, alpha), _rise + eta**2 * (1 + eta) ** 2 * (rho - 1) / (2 * gamma * rho**2)),
        ),
    ),
)

curve_rises = Claim(
    id="beyond:exact-curve-rises",
    title="The exact curve rises with the order",
    source="beyond",
    where="the optimal order",
    kind="inequality",
    statement=r"$E' > 0$ on the whole range of orders: the main term's part is positive, and $-\log\rho \le 1/\rho - 1$.",
    variables=_CURVE,
    hypotheses=(IN_RANGE,),
    conclusion=gt(_rise, 0),
    checks=(Deduction((Premise("beyond:log-upper", {P: 1, Q: rho}),)),),
    derivation=(Step(claim="beyond:exact-curve-slope"),),
    sampling=_CURVE_POINTS,
    mutants=(
        Mutant("the logarithm twice", gt(_rise + d * log(rho) / (2 * (alpha - 1) ** 2), 0)),
        Mutant("the dimension's part negative", gt(_rise - d * (1 / rho - 1 + log(rho)) / (alpha - 1) ** 2, 0)),
    ),
)

_penalty = beta * log(beta) - (1 + beta) * log(1 + beta)

penalty = Claim(
    id="beyond:conversion-penalty-convex",
    title="What the improved conversion adds is convex in the order",
    source="beyond",
    where="the optimal order of any Rényi curve",
    kind="identity",
    statement=(
        r"$h(\beta) = \beta\log\beta - (1+\beta)\log(1+\beta)$ has the second derivative $\frac1{\beta(1+\beta)} > 0$. With "
        r"$\beta R(1+\beta)$, convex for every Rényi divergence and so for suprema and sums of them, $\psi(\beta) = \beta R(1+\beta) + h(\beta) - \log\delta$ "
        r"is convex, and the converted $\epsilon$ is $\psi(\beta)/\beta$."
    ),
    variables=(_BETA,),
    conclusion=eq(diff(_penalty, beta, 2), 1 / (beta * (1 + beta))),
    checks=(Identity(),),
    mutants=(
        Mutant("without 1 + beta", eq(diff(_penalty, beta, 2), 1 / beta)),
        Mutant("concave", eq(diff(_penalty, beta, 2), -1 / (beta * (1 + beta)))),
    ),
    derivation=(
        Step(
            "$\\beta R(1+\\beta) = \\log E_P e^{\\beta L}$ is convex.",
            theorem=HOELDER,
            met={
                "conjugate": "At a mean of two orders the exponents are the inverses of its weights.",
                "nonnegative": "Exponentials are positive.",
            },
        ),
    ),
)

_A = positive("a", "the smallest of three orders, minus 1")
_B = positive("b", "the middle one")
_C = positive("c", "the largest")
_PSI_A = real("psi_a", "the convex function there")
_PSI_B = real("psi_b", "the convex function at the middle one")
_PSI_C = real("psi_c", "the convex function at the largest")
_a, _b, _c, _fa, _fb, _fc = (x.symbol for x in (_A, _B, _C, _PSI_A, _PSI_B, _PSI_C))
_THREE = (_A, _B, _C, _PSI_A, _PSI_B, _PSI_C)
_IN_ORDER = (Hypothesis("a below b", lt(_a, _b)), Hypothesis("b below c", lt(_b, _c)))
_CONVEX = Hypothesis(
    "convexity", le(_fb * (_c - _a), _fa * (_c - _b) + _fc * (_b - _a)), "the middle value is below the chord"
)
_JUST = Chart(
    {_a: (0, 3), _SLACK: (0, 3), _k: (0, 1), _fa: (-3, 3), _fc: (-3, 3), t: (0, 1)},
    {
        _b: _a + _k * _SLACK,
        _c: _a + _SLACK,
        _fb: _fa * (1 - _k) + _fc * _k - t**3,
    },
)

chord_outside = Claim(
    id="beyond:chord-below-outside",
    title="A chord of a convex function lies below it outside the chord",
    source="beyond",
    where="the optimal order of any Rényi curve",
    kind="inequality",
    statement=r"From the values at two orders a line bounds the function from below at every order beyond them: three orders bound the infimum over all.",
    variables=_THREE,
    hypotheses=(*_IN_ORDER, _CONVEX),
    conclusion=both(
        ge(_fc, _fb + (_fb - _fa) * (_c - _b) / (_b - _a)),
        ge(_fa, _fb - (_fc - _fb) * (_b - _a) / (_c - _b)),
    ),
    checks=(Smt(),),
    sampling=_JUST,
    mutants=(
        Mutant("inside", ge(_fb, _fa + (_fc - _fa) * (_b - _a) / (_c - _a))),
        Mutant("any function", hypotheses=_IN_ORDER),
        Mutant("the chord shifted up", ge(_fc, _fb + (_fb - _fa) * (_c - _b) / (_b - _a) + 1)),
    ),
)

one_valley = Claim(
    id="beyond:converted-epsilon-one-valley",
    title="The converted epsilon falls, then rises",
    source="beyond",
    where="the optimal order of any Rényi curve",
    kind="inequality",
    statement=r"For convex $\psi$ and $a < b < c$, $\psi(b)/b$ is at most the larger of $\psi(a)/a$ and $\psi(c)/c$: there is one valley, which bracketing finds.",
    variables=_THREE,
    hypotheses=(*_IN_ORDER, _CONVEX),
    conclusion=le(_fb / _b, Max(_fa / _a, _fc / _c)),
    checks=(Smt(),),
    sampling=_JUST,
    mutants=(
        Mutant("at most the smaller", le(_fb / _b, Min(_fa / _a, _fc / _c))),
        Mutant("any function", hypotheses=_IN_ORDER),
    ),
)

line_over_order = Claim(
    id="beyond:line-over-order",
    title="A line divided by the order is least at an end",
    source="beyond",
    where="the optimal order of any Rényi curve",
    kind="inequality",
    statement="The lower bound that a chord gives for the converted epsilon between two orders is its smaller value at the two.",
    variables=(_A, _B, _C, _PSI_A, _PSI_C),
    hypotheses=_IN_ORDER,
    conclusion=ge((_fa + (_fc - _fa) * (_b - _a) / (_c - _a)) / _b, Min(_fa / _a, _fc / _c)),
    checks=(Smt(),),
    sampling=Chart(
        {key: value for key, value in _JUST.ranges.items() if key != t},
        {key: value for key, value in _JUST.maps.items() if key != _fb},
    ),
    mutants=(
        Mutant("the larger one", ge((_fa + (_fc - _fa) * (_b - _a) / (_c - _a)) / _b, Max(_fa / _a, _fc / _c))),
        Mutant("beyond the ends", hypotheses=(Hypothesis("a below c", lt(_a, _c)),)),
    ),
)
