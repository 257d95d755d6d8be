r"""Composition: the lower end in closed form, and the inequalities on which the upper ends rest.

`T` releases at one pair are again one pair of isotropic Gaussians, with $D^2 \to TD^2$ and $d \to Td$. From above there are the Rényi
curve, which adds up, and discrete losses on a grid of step $h$: masses $p_i$ at $ih$ whose curve
$p_\infty + \sum_i p_i(1 - xe^{-ih})_+$, $x = e^\epsilon$, is nowhere below that of the pairs they stand for. Every curve of a
composition is a mixture of the functions $x \mapsto (1 - x/y)_+$, because it is convex in $x$, falls from 1 to 0, and does so at most with
slope $-1$. So each inequality is one about a single such function, or about two densities at a point.
"""

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, alpha, d, eta, gamma, q, rho
from ...rgm.output_pairs import WORST, log_points, with_values
from ...theorems import FUBINI, HINGES, MOMENTS, MONOTONE_INTEGRAL
from ..hockey_stick.calibration import page as _calibration, plane_floor
from ..hockey_stick.loss_notation import FINITE, LAW_POINTS, UNIT_PAIR, D, cumulant, epsilon, s, v
from ..renyi.conversion import scaled_curve
from ..renyi.curve_notation import IN_RANGE
from .releases_of_steps import two_step_cases

page = Page("beyond", "upper bounds of a composition on a grid", NOTATION, _calibration)
_COMPOSITION = page.elsewhere("composition")
T = page.natural("T", "number of releases")
_k = real("k", lower=0, upper=1).symbol
_together = cumulant.subs({D: sqrt(T) * D, d: T * d}, simultaneous=True)
_MANY = with_values(LAW_POINTS[:1] + LAW_POINTS[1:2] + LAW_POINTS[3:4], {T: Integer(3)})
#: Releases of one pair, one after another, with all of their coordinates in one vector.
_REPEATED = by_outputs(_together, Renyi(1 + s), replace(UNIT_PAIR, times=T), _MANY, _MANY[:1], scale=s)

one_pair = _COMPOSITION.identity(
    "beyond:composition-one-pair",
    "Repeating a pair gives a pair",
    eq(T * cumulant, _together),
    "Independent losses add up to the loss of one pair, so that all of its curve is that of one release. This is the lower end of every composition.",
    given=FINITE,
    by=(Identity(), *_REPEATED),
    points={D: (0, 4), v: (0, 4), s: (-4, 4), d: (0, 40), T: (0, 50)},
    wrong={
        "T times the distance": cumulant.subs({D: T * D, d: T * d}, simultaneous=True),
        "the dimension kept": cumulant.subs(D, sqrt(T) * D),
        "the distance kept": cumulant.subs(d, T * d),
    },
    steps=(
        MOMENTS.quoted(
            "So the laws of the losses are one, and the curve is a function of that law.",
            "Both are finite where $q_s > 0$, which is an open interval around 0.",
        ),
        "beyond:cumulant",
    ),
    remark="For different releases the functions K are added; the law of the sum is then not that of one pair.",
)

_CURVES = with_values(log_points()[:2] + log_points()[3:], {T: Integer(2)})


def _worst_pair(distance: Expr, dimension: Expr) -> Expr:
    """The cumulant generating function of the worst pair at a distance, in a dimension."""
    return cumulant.subs({s: alpha - 1, D: distance, v: (1 + eta) ** 2, d: dimension}, simultaneous=True)


renyi_curve = _COMPOSITION.identity(
    "beyond:composition-renyi-curve",
    "T times the exact curve is the curve of the repeated worst pair",
    eq(T * scaled_curve, _worst_pair(sqrt(T / gamma) * eta, T * d)),
    "One pair is the worst for every order, so that no composition bound in terms of Rényi divergences can be smaller.",
    given=IN_RANGE,
    by=(
        Identity(positive=(rho,)),
        *by_outputs(T * scaled_curve, Renyi(alpha), replace(WORST, times=T), _CURVES, _CURVES[:1], scale=alpha - 1),
    ),
    points={_k: (0, 1), eta: (0, 2), gamma: (0, 4), d: (1, 100), T: (0, 50), alpha: 1 + _k / q},
    wrong={
        "noise growing with T": _worst_pair(eta / sqrt(T * gamma), T * d),
        "the dimension kept": _worst_pair(sqrt(T / gamma) * eta, d),
    },
    steps=("beyond:exact-curve-scaled", "beyond:exact-renyi-upper", "beyond:renyi-of-two-steps"),
)

p1 = page.positive("p_1", "density of the first output under the first law")
q1 = page.positive("q_1", "density of the first output under the second law")
p2 = page.positive("p_2", "density of the second output, given the first, under the first law")
q2 = page.positive("q_2", "density of the second output, given the first, under the second law")
E = page.positive("E", "e^epsilon")


def _one_inside_of_the_other(what: str) -> Quotation:
    return FUBINI.quoted(
        "The integral over both outputs is one over the second, given the first, inside of one over the first.",
        "Densities are measurable in both outputs.",
        f"{what} are not negative.",
    )


renyi_steps = _COMPOSITION.identity(
    "beyond:renyi-of-two-steps",
    "The moment of two adaptive steps is a product",
    eq((p1 * p2) ** alpha * (q1 * q2) ** (1 - alpha), p1**alpha * q1 ** (1 - alpha) * p2**alpha * q2 ** (1 - alpha)),
    r"Given the first output the integral of the second factor is at most $e^{(\alpha-1)E_2(\alpha)}$, whichever pair was chosen after it: Rényi curves add up under adaptive composition.",
    wrong={
        "added": p1**alpha * q1 ** (1 - alpha) + p2**alpha * q2 ** (1 - alpha),
        "order alpha - 1 below": p1**alpha * q1**-alpha * p2**alpha * q2**-alpha,
    },
    steps=_one_inside_of_the_other("Densities"),
    reading="This is Proposition 1 of Mironov (2017).",
)

_ONE_AFTER_ANOTHER = partial(two_step_cases, symbols=(p1, q1, p2, q2, E))

two_steps = page.identity(
    "beyond:hockey-stick-of-two-steps",
    "One step of value iteration",
    eq(Max(p1 * p2 - E * q1 * q2, 0), p1 * Max(p2 - E * q1 / p1 * q2, 0)),
    r"Integrated over the second output it is the hockey-stick divergence at $\epsilon - L_1$. If $F$ bounds that of every pair, two adaptive steps have at most $E_{P_1}F(\epsilon - L_1)$.",
    by=(Smt(), Unreduced(cases=_ONE_AFTER_ANOTHER), Released(cases=_ONE_AFTER_ANOTHER)),
    wrong={
        "the loss with the other sign": p1 * Max(p2 - E * p1 / q1 * q2, 0),
        "the level kept": p1 * Max(p2 - E * q2, 0),
        "under the second law": q1 * Max(p2 - E * q1 / p1 * q2, 0),
    },
    steps=(_one_inside_of_the_other("Positive parts"), "beyond:neyman-pearson-pointwise"),
    reading=r"$E = e^\epsilon$ and $E q_1/p_1 = e^{\epsilon - L_1}$; the densities of Gaussians are positive.",
)

y = page.positive("y", "e to the place of the kink")

kernel = page.identity(
    "beyond:value-iteration-kernel",
    "A step of value iteration on one kinked function",
    eq(p1 * Max(1 - E * q1 / p1 / y, 0), Max(p1 - E / y * q1, 0)),
    r"A step on one kinked function gives the hockey-stick divergence at $\epsilon - \log y$. So for a mixture $F$ of such functions a pair, or a discrete loss, with a larger curve gives a larger $E_PF(\epsilon - L)$.",
    by=Smt(),
    wrong={"level eps + log y": Max(p1 - E * y * q1, 0), "weight left out": left(Max(1 - E * q1 / p1 / y, 0))},
    steps=(
        HINGES.quoted(
            "A convex function that falls from 1 at $x = 0$ to 0 is a mixture of $(1 - x/y)_+$: $f(x) = \\int_x^\\infty (y-x)\\,df'(y)$, with the total weight $\\int y\\,df'(y) = f(0) = 1$.",
            "That is assumed of it.",
        ),
        MONOTONE_INTEGRAL.quoted(
            "Against a mixture the inequality of each kink is integrated.",
            "It is the order of the curves at the level of the kink.",
            "Curves are at most 1, and the weights have the sum 1.",
        ),
    ),
    remark="A supremum of convex functions that fall from 1 to 0 is one.",
)

t = page.real("t", "place between the two grid points", lower=0, upper=1)
E0 = page.positive("E_0", "e^epsilon at the left grid point")
E1 = page.positive("E_1", "e^epsilon at the right grid point")
_between = (1 - t) * E0 + t * E1

chord_above = page.inequality(
    "beyond:hockey-stick-below-its-chords",
    "A curve lies below its chords in e^epsilon",
    le(Max(p1 - _between * q1, 0), (1 - t) * Max(p1 - E0 * q1, 0) + t * Max(p1 - E1 * q1, 0)),
    r"Straight lines in $e^\epsilon$ between certified upper bounds at grid points (connecting the dots) are an upper bound in between.",
    wrong={
        "straight lines in epsilon": le(
            Max(p1 - sqrt(E0 * E1) * q1, 0), (Max(p1 - E0 * q1, 0) + Max(p1 - E1 * q1, 0)) / 2
        ),
        "shares exchanged": t * Max(p1 - E0 * q1, 0) + (1 - t) * Max(p1 - E1 * q1, 0),
        "direction": turned(),
    },
)

G = page.real("G", "e^h, for the step h of the grid", lower=1, lower_open=True)
x = page.positive("x", "e^epsilon at a grid point")
f0 = page.real("f_0", "value of the curve one step to the left")
f1 = page.real("f_1", "value of the curve at the grid point")
f2 = page.real("f_2", "value of the curve one step to the right")
_mass = (f2 - f1) / (G - 1) - (f1 - f0) / (1 - 1 / G)
_kink = (f2 - f1) / (x * G - x) - (f1 - f0) / (x - x / G)

masses = page.identity(
    "beyond:discrete-loss-masses",
    "The masses of the discrete loss through given dots",
    both(eq(_mass, x * _kink), eq(_mass.subs({f0: 1 - 1 / G, f1: 0, f2: 0}, simultaneous=True), 1)),
    r"The mass at a grid point is $e^\epsilon$ there times the change of slope of the curve through the dots. That of $(1-x)_+$ itself is 1.",
    points={G: (1, 4), x: (0, 4), f0: (0, 1), f1: (0, 1), f2: (0, 1)},
    wrong={
        "the two steps exchanged": eq((f2 - f1) / (1 - 1 / G) - (f1 - f0) / (G - 1), x * _kink),
        "not multiplied by x": eq(_mass, _kink),
        "second differences in epsilon": eq((f2 - 2 * f1 + f0) / (G - 1), x * _kink),
    },
    reading="The values of the curve at the three grid points x/G, x, x G are f_0, f_1, f_2, with G = e^h.",
)

r = page.positive("r", "e^(-h)", upper=1)
level = page.nonnegative("x", "e^epsilon over e to the place of the mass")
_up = 1 / (1 + r)

coarser = page.inequality(
    "beyond:discrete-loss-coarser",
    "Splitting a mass between its two neighbours",
    both(
        eq(_up * r + (1 - _up) / r, 1),
        le(Max(1 - level, 0), _up * Max(1 - r * level, 0) + (1 - _up) * Max(1 - level / r, 0)),
    ),
    "A mass may be split between its two neighbours: the sum of $p_ie^{-l_i}$ stays, and the curve does not fall. Every second point of a grid can be left out this way.",
    wrong={
        "halves": eq(r / 2 + 1 / (2 * r), 1),
        "shares exchanged": le(Max(1 - level, 0), (1 - _up) * Max(1 - r * level, 0) + _up * Max(1 - level / r, 0)),
        "all of it down": le(Max(1 - level, 0), Max(1 - level / r, 0)),
    },
    reading=r"With $r = e^{-h}$ and $x = e^{\epsilon-l}$.",
)

moving_up = page.inequality(
    "beyond:discrete-loss-moving-up",
    "Moving mass to a larger loss",
    chain(Max(1 - level, 0), "<=", Max(1 - r * level, 0), "<=", 1),
    "A mass moved up, or to infinity, does not lower the curve.",
    wrong={
        "moving down": le(Max(1 - level, 0), Max(1 - level / r, 0)),
        "never more than x": le(Max(1 - r * level, 0), level),
    },
)

g = page.nonnegative("g", "upper bound of a value of F")
F = page.nonnegative("F", "a value of F")
w = page.nonnegative("w", "a mass of the discrete loss")
u = page.nonnegative("u", "the same, rounded up")

rounding_up = page.inequality(
    "beyond:value-iteration-rounding",
    "Rounding up is harmless in every term",
    le(w * F, u * g),
    r"A step is a sum of products of masses and values, all nonnegative: larger masses and larger values give a larger sum.",
    given=(Hypothesis("value rounded up", le(F, g)), Hypothesis("mass rounded up", le(w, u))),
    wrong={
        "mass rounded down": instead(Hypothesis("mass rounded up", ge(w, u), "down")),
        "value rounded down": instead(Hypothesis("value rounded up", ge(F, g), "down")),
        "direction": turned(),
    },
    steps=(
        Step(r"Two steps have at most $E_PF(\epsilon - L)$.", "beyond:hockey-stick-of-two-steps"),
        Step("For a mixture of kinked functions a larger curve gives more.", "beyond:value-iteration-kernel"),
        Step("The discrete loss through the dots has a larger curve.", "beyond:hockey-stick-below-its-chords"),
        Step("Its masses are second differences.", "beyond:discrete-loss-masses"),
        Step("Rounded up, it gives still more."),
    ),
)

#: The curve of two centred Gaussians in the plane, variance 2 against variance 1.
_WIDE = plane_floor.subs(v, 2)
_LEVEL_BELOW = Rational(-3, 10)


def _narrow_against_wide(at: Expr) -> Expr:
    """The curve of the reversed pair, by the rule for negative levels."""
    return 1 - exp(at) + exp(at) * _WIDE.subs(epsilon, -at)


_IN_THE_PLANE = Outputs((), (), 2, variances=(Integer(2), Integer(1)))
_TURNED = (
    Reading(_narrow_against_wide(_LEVEL_BELOW), HockeyStick(_LEVEL_BELOW), _IN_THE_PLANE.reversed()),
    Reading(_WIDE.subs(epsilon, _LEVEL_BELOW), HockeyStick(_LEVEL_BELOW), _IN_THE_PLANE),
)

not_dominating = page.elsewhere("privacy loss distributions for a composition").remark(
    "beyond:wide-against-narrow-does-not-dominate",
    "The wide law against the narrow one does not dominate the other order",
    gt(_narrow_against_wide(_LEVEL_BELOW), _WIDE.subs(epsilon, _LEVEL_BELOW)),
    r"$P$ and $Q$ are centred Gaussians in the plane, of variances 2 and 1. One release at a level of 0 or more does not see it, but a composition does, as $\epsilon - L$ takes both signs.",
    outputs=(Unreduced(_TURNED, at=({},)), Released(_TURNED, at=({},))),
    printed=r"H_\epsilon(Q\|P) > H_\epsilon(P\|Q) \quad\text{at } \epsilon = -\tfrac{3}{10}",
    wrong={
        "at the level 0.3": gt(_narrow_against_wide(-_LEVEL_BELOW), _WIDE.subs(epsilon, -_LEVEL_BELOW)),
        "by a tenth": _WIDE.subs(epsilon, _LEVEL_BELOW) + Rational(1, 10),
    },
    steps=("beyond:floor-in-the-plane", "beyond:hockey-stick-at-negative-levels"),
    reading="So a discrete loss for a composition has to lie above both orders at every real level.",
)
