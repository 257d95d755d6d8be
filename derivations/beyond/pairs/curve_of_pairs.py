r"""The curve of extreme pairs, on one ray at the largest distance, and what the baseline noise makes of it.

With $\kappa = \frac{\sigma^2\eta^2}{\gamma R_{rel}^2}$, $t = \frac{m}{m + R_{rel}/\eta}$, $p^2 = t^2 + (1-t)^2$ and $n = t^2 + \kappa(1-t)^2$ the pair at the
smaller norm $m$ (`below_threshold.py`) is

$D^2 = \frac{\eta^2}{\gamma}\frac{p^2}{n}, \qquad w = \frac{\eta p(2t + \eta p)}{n}, \qquad 0 \le t \le 1$.

For $\kappa \ge 1$ nothing exceeds $t = 1$, where the divergence is the exact curve $E(\alpha)$.
"""

from ...rgm.notation import *
from ..renyi.curve_notation import IN_RANGE, exact_curve
from .below_threshold import NEARBY, NOISE, SMALLER, STEP, narrow_first, wide_first

page = Page("beyond", "used for exact accounting; in neither version", NOTATION)
_HALF_ANGLE = real("beta", lower=0, upper=1).symbol
_REACH = real("f", lower=0, upper=1).symbol
_H = real("h", lower=0, upper=1).symbol
_t = page.real("t", "place on the curve of extreme pairs: m/(m + R_rel/eta)", lower=0, upper=1)
_p = page.positive("p", "square root of t^2 + (1 - t)^2")
_KAPPA = positive("kappa", "baseline noise over its threshold")
kappa = page.add(_KAPPA)


def _on_curve(place: Expr, root: Expr, narrow: Expr | None = None) -> tuple[Expr, Expr]:
    """Squared distance and excess on the curve of extreme pairs, where `root` is p."""
    n = narrow or named("n", place**2 + kappa * (1 - place) ** 2)
    return eta**2 / gamma * root**2 / n, eta * root * (2 * place + eta * root) / n


curve_shift2, curve_excess = _on_curve(_t, _p)
_AT_SMALLER = real("t", "m/(m + R_rel/eta)", lower=0, upper=1, upper_open=True)
_R = page.positive("R_rel", "absolute part of the relative sensitivity")
_norm = named("m", _R / eta * _t / (1 - _t))
_root = named("p", sqrt(_t**2 + (1 - _t) ** 2))
_delta = named(r"\delta(m)", _R * _root / (1 - _t))
_narrow = named(r"\sigma_2^2", gamma * _norm**2 + kappa * gamma * _R**2 / eta**2)
_at_shift2, _at_excess = _on_curve(_t, _root)

parametrisation = page.identity(
    "beyond:curve-of-extreme-pairs",
    "The extreme pairs as a curve",
    All(
        (
            eq(_delta**2, eta**2 * _norm**2 + _R**2),
            eq(_delta**2 / _narrow, _at_shift2),
            eq(gamma * ((_norm + _delta) ** 2 - _norm**2) / _narrow, _at_excess),
        )
    ),
    by=(Smt(), Identity()),
    points={eta: (0, 10), gamma: (0, 10), _R: (0, 10), kappa: (0, 10)},
    over=(_AT_SMALLER,),
    wrong={
        "kappa on the other square": eq(_delta**2 / _narrow, _on_curve(_t, _root, kappa * _t**2 + (1 - _t) ** 2)[0]),
        "t for p": eq(
            gamma * ((_norm + _delta) ** 2 - _norm**2) / _narrow,
            eta * _root * (2 * _t + eta * _t) / (_t**2 + kappa * (1 - _t) ** 2),
        ),
    },
    remark=r"Every $m \ge 0$ occurs for one $0 \le t < 1$; $t = 1$ is the limit of large outputs, and stands for all where $R_{rel} = 0$.",
)

_y = page.real("y", "distance over eta times the smaller norm", lower=1)
_by_ratio = 1 - kappa + kappa * _y**2
_tp = page.real("t", "m/(m + R_rel/eta)", lower=0, lower_open=True, upper=1)
_shift2_at, _excess_at = _on_curve(_tp, _p)
_quotient = named("y", _p / _tp)
_narrow_at = 1 - kappa + kappa * _quotient**2

ratio_form = page.identity(
    "beyond:curve-by-the-ratio",
    "The curve by the ratio of distance and smaller norm",
    both(
        eq(_shift2_at, eta**2 / gamma * _quotient**2 / _narrow_at),
        eq(_excess_at, eta * _quotient * (2 + eta * _quotient) / _narrow_at),
    ),
    r"The number $y$ is the largest distance over $\eta$ times the smaller norm.",
    given=Hypothesis("p is the root", eq(_p**2, _tp**2 + (1 - _tp) ** 2)),
    by=Smt(),
    points={
        _HALF_ANGLE: (0, 1),
        (eta, gamma, kappa): (0, 10),
        _tp: (1 - _HALF_ANGLE**2) / (1 - _HALF_ANGLE**2 + 2 * _HALF_ANGLE),
        _p: (1 + _HALF_ANGLE**2) / (1 - _HALF_ANGLE**2 + 2 * _HALF_ANGLE),
    },
    wrong={
        "kappa for 1 - kappa": eq(_shift2_at, eta**2 / gamma * _quotient**2 / (kappa + kappa * _quotient**2)),
        "y for its square": eq(_shift2_at, eta**2 / gamma * _quotient / _narrow_at),
    },
)

covered = page.theorem(
    "beyond:baseline-covers",
    "From the threshold on no pair exceeds the ray's limit",
    both(le(distance2 / variance_y, eta**2 / gamma), le(variance_x / variance_y - 1, q)),
    given=(*RELATIVE_SENSITIVITY, Hypothesis("baseline noise", ge(eta**2 * sigma2, gamma * r_rel**2)), SMALLER, NOISE),
    points={**NEARBY, kappa: (1, 2), sigma2: kappa * gamma * r_rel**2 / eta**2},
    wrong={
        "half of the baseline noise": instead(
            Hypothesis("baseline noise", ge(2 * eta**2 * sigma2, gamma * r_rel**2), "half of it")
        ),
        "2 eta for q": both(le(distance2 / variance_y, eta**2 / gamma), le(variance_x / variance_y - 1, 2 * eta)),
    },
    steps=(Premise("rgm:lemma-1"), "beyond:hockey-stick-monotone-in-distance", "beyond:variance-ends"),
    remark=r"So the hockey-stick divergence is at most the largest of three curves at $D^2 = \eta^2/\gamma$: equal variances, and the excess "
    r"$q$ in both orders; and the Rényi divergence is at most the exact curve. Both are limits of admissible pairs, but for equal "
    r"variances in dimension 1 or for $\eta > 2$.",
)

at_the_end = page.identity(
    "beyond:curve-ends-in-the-exact-curve",
    "At t = 1 the curve gives the exact Rényi curve",
    both(
        eq(wide_first(curve_shift2, curve_excess).subs({_t: 1, _p: 1}), exact_curve),
        eq(At(curve_excess, (_t, _p), (1, 1)), q),
    ),
    "The wide distribution stands first.",
    given=IN_RANGE,
    by=Identity(positive=(rho,)),
    points={_H: (0, 1), d: (1, 1000), kappa: (0, 10), alpha: 1 + _H / q},
    wrong={
        "narrow first": eq(narrow_first(curve_shift2, curve_excess).subs({_t: 1, _p: 1}), exact_curve),
        "the other end": eq(wide_first(curve_shift2, curve_excess).subs({_t: 0, _p: 1, kappa: 2}), exact_curve),
    },
)

_TWO_PLACES = (real("y", "a ratio of distance and eta times norm", lower=1), real("Y", "a larger one", lower=1))
_Y2 = _TWO_PLACES[1].symbol
_ORDERED = Hypothesis("in order", le(_y, _Y2))
_SMALL_KAPPA = real("kappa", "baseline noise over its threshold", lower=0, upper=1, lower_open=True)


def _at(expression: Expr, place: Expr) -> Expr:
    return expression.subs(_y, place)


_squares = _y**2 / _by_ratio
_excesses = _y * (2 + eta * _y) / _by_ratio

distance_rises = page.inequality(
    "beyond:curve-distance-rises",
    "Below the threshold the distance grows towards small norms",
    both(le(_squares, _at(_squares, _Y2)), le(_squares, 1 / kappa)),
    r"Both sides are divided by $\eta^2/\gamma$. The last one is the value at the norm 0.",
    given=_ORDERED,
    points={STEP: (0, None), _Y2: _y + STEP},
    over=(*_TWO_PLACES, _SMALL_KAPPA),
    wrong={"direction": ge(_squares, _at(_squares, _Y2)), "half of the largest value": le(_squares, 1 / (2 * kappa))},
    tightness=Tightness(
        kappa + (1 - kappa) * _t**2,
        {_t: (0, 1), kappa: (Rational(1, 10), 1)},
        r"least over actual squared distance, $\eta^2/\gamma$ over $D^2$, with $t = 1/y$",
        plot=(_t,),
        at={kappa: Rational(1, 2)},
    ),
)

_FALLING = Hypothesis("nearly at the threshold", ge(kappa * (2 + eta), 1 + eta))

excess_falls = page.inequality(
    "beyond:curve-excess-falls",
    "Near the threshold the excess falls towards small norms",
    both(ge(_excesses, _at(_excesses, _Y2)), le(_excesses, 2 + eta)),
    r"Both sides are divided by $\eta$. The excess starts from $q$.",
    given=(_ORDERED, _FALLING, Hypothesis("below the threshold", le(kappa, 1))),
    points={STEP: (0, None), _REACH: (0, 1), _Y2: _y + STEP, kappa: (1 + eta + _REACH) / (2 + eta)},
    over=(*_TWO_PLACES, eta, _KAPPA),
    wrong={"direction": le(_excesses, _at(_excesses, _Y2)), "far from the threshold": without(_FALLING)},
)
