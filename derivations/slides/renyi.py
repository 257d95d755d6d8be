r"""The backup slide: Rényi differential privacy, its conversion, the Gaussian mechanism, composition and the best order.

One formula is misprinted: the divergence of the Gaussian mechanism grows with the square of the sensitivity.
"""

from sympy import Integer, Rational, exp, log, sqrt

from rgm_verify.claims import *
from rgm_verify.lenses import *
from rgm_verify.pages import Bound, HockeyStick, Of, Outputs, of_bounds, of_cases

from ..beyond.composition.composition import p1, page as _composition, q1
from ..rgm.notation import alpha
from ..rgm.section_1.gaussian_mechanism import distance, gaussian_divergence, noise, page as _gaussian
from ..rgm.section_4.conversion import (
    _CONVERTED as CONVERTED,
    conversion,
    epsilon,
    log_delta,
    log_p,
    log_q,
    page as _conversion,
)
from ..theorems import FUBINI, MOMENTS
from .notation import integrated
from .releases import of_gaussians, of_no_divergence, of_renyi_levels

page = Page("slides", "Backup slide on RDP", _gaussian, _conversion, _composition)

_ratio = page.positive("t", "quotient of the densities P(x)/Q(x)", latex=r"\tfrac{P(x)}{Q(x)}")

definition = page.at("Definition (Rényi differential privacy)", "S51").definition(
    "slides:renyi-privacy",
    "The Rényi divergence is not negative",
    le(1 + alpha * (_ratio - 1), _ratio**alpha),
    r"The mean of the left side under $Q$ is 1, as both laws have the total mass 1. So the mean of $(P/Q)^\alpha$ is at least 1, and its logarithm over $\alpha - 1$ is not negative.",
    outputs=of_no_divergence(alpha, _ratio),
    printed=r"D_\alpha(P\|Q) = \frac1{\alpha-1}\log\mathbb E_{x\sim Q}\Bigl[\frac{P(x)}{Q(x)}\Bigr]^\alpha",
    by=Monotone(_ratio, 1, order=2),
    wrong={"slope 2 alpha": left(1 + 2 * alpha * (_ratio - 1)), "direction": turned(), "2": left(2 + alpha * (_ratio - 1))},
    points={alpha: (1, 6), _ratio: (0, 4)},
    steps=(integrated("Both sides are integrated against $Q$.", "The left side is; the right side is infinite otherwise."),),
    reading="The power belongs inside the expectation: outside of it the divergence of any two laws that have the same null sets would be 0. Of a definition it is asked what it comes to; level 0 is met by a constant algorithm only.",
)  # fmt: skip

conversion_here = page.at("Proposition (From RDP to DP)", "S52").proposition(
    "slides:renyi-to-privacy",
    "From Rényi privacy to (epsilon, delta)",
    conversion.conclusion,
    "For every event, with probabilities $p$ and $q$ under the two neighbours.",
    outputs=of_cases(CONVERTED),
    printed=r"p \le e^{\varepsilon + \frac{\log(1/\delta)}{\alpha-1}} q + \delta",
    given=conversion.hypotheses,
    wrong={
        "epsilon unconverted": le(1, exp(epsilon + log_q - log_p) + exp(log_delta - log_p)),
        "alpha for alpha - 1": le(1, exp(epsilon - log_delta / alpha + log_q - log_p) + exp(log_delta - log_p)),
        "no guarantee": without(),
    },
    reading=r"$P$, $Q$, $D$ are the logarithms of $p$, $q$ and $\delta$, and both sides of the printed relation are divided by $p$.",
    remark="`beyond:improved-conversion` is smaller for every order and every delta.",
    steps=Premise("rgm:s4-conversion"),
)

_printed = alpha * distance / (2 * noise)

gaussian = page.at("Proposition (Gaussian mechanism in RDP)", "S53").proposition(
    "slides:gaussian-mechanism-renyi",
    "The Rényi divergence of the Gaussian mechanism",
    le(gaussian_divergence, _printed),
    "For two outputs at a distance that the sensitivity allows, in any dimension.",
    outputs=of_gaussians(gaussian_divergence, 2, Rational(1, 2)),
    category="misprint",
    corrected="slides:gaussian-mechanism-renyi-corrected",
    wrong={"half": _printed / 2},
    remark=r"The sensitivity has lost its square. In the units of the data the printed level is no number: it halves if the data are given in halves, and the divergence does not change. For $\Delta > 1$ the guarantee is too small, "
    r"for $\Delta < 1$ it is larger than it needs to be.",
)  # fmt: skip

gaussian_corrected = page.at("Proposition (Gaussian mechanism in RDP)").correction(
    "slides:gaussian-mechanism-renyi-corrected",
    "The Rényi divergence of the Gaussian mechanism, with the square",
    eq(gaussian_divergence, alpha * distance**2 / (2 * noise)),
    "It is the divergence of two outputs at the distance of the sensitivity, and so the smallest level for every order.",
    outputs=of_gaussians(gaussian_divergence, Rational(1, 2), 2),
    by=(Identity(), Deduction((Premise("rgm:gaussian-mechanism"),))),
    wrong={"without the square": _printed, "without the order": distance**2 / (2 * noise)},
)

_D1 = page.nonnegative("D_1", "divergence of the first outputs")
_D2 = page.nonnegative("D_2", "largest divergence of the second outputs, given the first")
_e1 = page.nonnegative("epsilon_1", "level of the first algorithm")
_e2 = page.nonnegative("epsilon_2", "level of the second algorithm")
_D = page.nonnegative("D_A", "divergence of both outputs together", latex=r"D_\alpha(\mathcal A(D)\|\mathcal A(D'))")
_MOMENTS = Hypothesis(
    "the moments multiply",
    le((alpha - 1) * _D, (alpha - 1) * _D1 + (alpha - 1) * _D2),
    "logarithms",
    by=("beyond:renyi-of-two-steps",),
)
_FIRST = Hypothesis("the first", le(_D1, _e1))
_SECOND = Hypothesis("the second, after every first output", le(_D2, _e2))

composition = page.at("Proposition (Composition under RDP)", "S54").proposition(
    "slides:renyi-composition",
    "Rényi levels add up",
    le(_D, _e1 + _e2),
    outputs=of_renyi_levels(alpha, _D, (_D1, _D2), (_e1, _e2)),
    given=(_MOMENTS, _FIRST, _SECOND),
    points={_D: (0, 4), _D1: (0, 2), _D2: (0, 2), _e1: (0, 3), _e2: (0, 3), alpha: (1, 9)},
    wrong={"one of them": _e1, "the mean": (_e1 + _e2) / 2, "no guarantee of the second": without(_SECOND), "no guarantee of the first": without(_FIRST)},
    steps=(
        Step("For densities the moment of both outputs is a product.", "beyond:renyi-of-two-steps"),
        Step(
            "The second integral, given the first output, is at most its bound, and comes out of the first one.",
            theorem=FUBINI,
            met={"measurable": "Densities are measurable in both outputs.", "integrable or nonnegative": "They are not negative."},
        ),
    ),
    reading="The two algorithms draw their own coins; the second one may see the first output.",
    remark="With coins in common it fails as for $(\\epsilon,\\delta)$: `beyond:composition-with-common-coins`.",
)  # fmt: skip

_L = named("L", log(p1 / q1))

loss = page.at("bullets", "S55").remark(
    "slides:renyi-and-the-privacy-loss",
    "The Rényi curve is the moment generating function of the privacy loss",
    eq(p1**alpha * q1 ** (1 - alpha), p1 * exp((alpha - 1) * _L)),
    r"Integrated, it says $e^{(\alpha-1)D_\alpha(P\|Q)} = \mathbb E_P e^{(\alpha-1)L}$.",
    outputs="an equation between densities at a point of the space; its mean is looked at in beyond:cumulant-renyi",
    by=Identity(),
    wrong={"the order for the order minus 1": p1 * exp(alpha * _L), "under Q": q1 * exp((alpha - 1) * _L)},
    steps=(
        integrated(integrable="The divergence is finite."),
        Step(
            "The curve on an interval of orders determines the law of the loss.",
            theorem=MOMENTS,
            met={"finite": r"Under $P$ tilted by $e^{sL}$, for an $s$ inside of the interval, the moments are finite on an open interval that holds 0."},
        ),
    ),
    reading="Keeping track of a law is read as determining it. That needs the whole curve, on some interval of orders; the level at one order does not do it.",
)  # fmt: skip

_rho = page.positive("rho", "divergence per order, Delta^2/(2 sigma^2)", latex=r"\rho")
_lambda = page.positive("lambda", "ln(1/delta)", latex=r"\ln(1/\delta)")
_level = alpha * _rho + _lambda / (alpha - 1)
_best = _rho + 2 * sqrt(_rho * _lambda)
_order = 1 + sqrt(_lambda / _rho)

_AT_ORDERS = tuple({alpha: Integer(2), _rho: rho, _lambda: Integer(2)} for rho in (Rational(1, 2), Integer(2)))

best_order = page.at("bullets", "S56").remark(
    "slides:best-order",
    "The best order, for Gaussian noise",
    both(ge(_level, _best), eq(_order * _rho + _lambda / (_order - 1), _best)),
    r"The first relation is for every order. The second one is at the order $1 + \sqrt{\ln(1/\delta)/\rho}$: the optimum is found in closed form.",
    outputs=of_bounds((Bound(Of(HockeyStick(_best), Outputs((sqrt(2 * _rho),), (Integer(0),), 1, variances=(Integer(1), Integer(1)))), exp(-_lambda)),), _AT_ORDERS),
    by=(Smt(), Combination(terms=((alpha - 1, (sqrt(_rho) - sqrt(_lambda) / (alpha - 1)) ** 2),))),
    points={alpha: (1, 9), _rho: (0, 4), _lambda: (0, 20)},
    wrong={
        "without the factor 2": both(ge(_level, _rho + 3 * sqrt(_rho * _lambda))),
        "at the order 2": eq(2 * _rho + _lambda, _best),
    },
    reading="The best epsilon is the smallest one that the conversion of the slide gives for one order. `slides:gaussian-mechanism-renyi-corrected` has the divergence of every order.",
    remark="It is not the smallest epsilon that the mechanism has: that is read off its hockey-stick divergence, or, in between, off `beyond:improved-conversion`.",
)  # fmt: skip
