r"""Composition: the lower end in closed form, and the inequalities on which the upper ends rest.

`T` releases at one pair are again one pair of isotropic Gaussians, with $D^2 \to TD^2$ and $d \to Td$. From above there are the Rényi
curve, which adds up, and discrete losses on a grid of step $h$: masses $p_i$ at $ih$ whose curve
$p_\infty + \sum_i p_i(1 - xe^{-ih})_+$, $x = e^\epsilon$, is nowhere below that of the pairs they stand for. Every curve of a
composition is a mixture of the functions $x \mapsto (1 - x/y)_+$, because it is convex in $x$, falls from 1 to 0, and does so at most with
slope $-1$. So each inequality is one about a single such function, or about two densities at a point.
"""

from dataclasses import replace
from functools import partial

from sympy import Expr, Integer, Max, Rational, exp, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Identity, Released, Smt, Unreduced
from rgm_verify.lenses.outputs import Renyi, by_outputs

from ..rgm.notation import ALPHA, DIMENSION, ETA, GAMMA, alpha, d, eta, gamma, q, rho
from ..rgm.output_pairs import WORST, log_points, with_values
from ..theorems import FUBINI, HINGES, MOMENTS, MONOTONE_INTEGRAL
from .calibration import plane_floor
from .conversion import scaled_curve
from .exact_renyi import IN_RANGE
from .privacy_loss import FINITE, LAW_POINTS, SHIFT, TILT, UNIT_PAIR, VARIANCE, D, cumulant, epsilon, s, v
from .releases_of_steps import two_step_cases

_WHERE = "composition"
_GRID = "upper bounds of a composition on a grid"
TIMES = natural("T", "number of releases")
T = TIMES.symbol
_k = real("k", lower=0, upper=1).symbol

_together = cumulant.subs({D: sqrt(T) * D, d: T * d}, simultaneous=True)
_MANY = with_values(LAW_POINTS[:1] + LAW_POINTS[1:2] + LAW_POINTS[3:4], {T: Integer(3)})
#: Releases of one pair, one after another, with all of their coordinates in one vector.
_REPEATED = by_outputs(_together, Renyi(1 + s), replace(UNIT_PAIR, times=T), _MANY, _MANY[:1], scale=s)

one_pair = Claim(
    id="beyond:composition-one-pair",
    title="Repeating a pair gives a pair",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$T\,K(s)$ for $(D^2, v, d)$ is $K(s)$ for $(TD^2, v, Td)$: $T$ independent losses add up to the loss of one pair, so that all of its "
        r"curve is that of one release. This is the lower end of every composition."
    ),
    variables=(SHIFT, VARIANCE, TILT, DIMENSION, TIMES),
    hypotheses=(FINITE,),
    conclusion=eq(T * cumulant, cumulant.subs({D: sqrt(T) * D, d: T * d}, simultaneous=True)),
    checks=(Identity(), *_REPEATED),
    derivation=(
        Step(
            "So the laws of the losses are one, and the curve is a function of that law.",
            theorem=MOMENTS,
            met={"finite": "Both are finite where $q_s > 0$, which is an open interval around 0."},
        ),
        Step(claim="beyond:cumulant"),
    ),
    sampling=Chart({D: (0, 4), v: (0, 4), s: (-4, 4), d: (0, 40), T: (0, 50)}, {}),
    mutants=(
        Mutant("T times the distance", eq(T * cumulant, cumulant.subs({D: T * D, d: T * d}, simultaneous=True))),
        Mutant("the dimension kept", eq(T * cumulant, cumulant.subs(D, sqrt(T) * D))),
        Mutant("the distance kept", eq(T * cumulant, cumulant.subs(d, T * d))),
    ),
    remark="For different releases the functions K are added; the law of the sum is then not that of one pair.",
)

_CURVES = with_values(log_points()[:2] + log_points()[3:], {T: Integer(2)})

renyi_curve = Claim(
    id="beyond:composition-renyi-curve",
    title="T times the exact curve is the curve of the repeated worst pair",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$T\,(\alpha-1)E(\alpha)$ is $K(\alpha-1)$ at $D^2 = T\eta^2/\gamma$, $v = (1+\eta)^2$ and dimension $Td$. One pair is the worst for every "
        r"order, so no composition bound in terms of Rényi divergences can be smaller."
    ),
    variables=(ETA, GAMMA, ALPHA, DIMENSION, TIMES),
    hypotheses=(IN_RANGE,),
    conclusion=eq(
        T * scaled_curve,
        cumulant.subs({s: alpha - 1, D: sqrt(T / gamma) * eta, v: (1 + eta) ** 2, d: T * d}, simultaneous=True),
    ),
    checks=(
        Identity(positive=(rho,)),
        *by_outputs(T * scaled_curve, Renyi(alpha), replace(WORST, times=T), _CURVES, _CURVES[:1], scale=alpha - 1),
    ),
    derivation=(
        Step(claim="beyond:exact-curve-scaled"),
        Step(claim="beyond:exact-renyi-upper"),
        Step(claim="beyond:renyi-of-two-steps"),
    ),
    sampling=Chart({_k: (0, 1), eta: (0, 2), gamma: (0, 4), d: (1, 100), T: (0, 50)}, {alpha: 1 + _k / q}),
    mutants=(
        Mutant(
            "noise growing with T",
            eq(
                T * scaled_curve,
                cumulant.subs({s: alpha - 1, D: eta / sqrt(T * gamma), v: (1 + eta) ** 2, d: T * d}, simultaneous=True),
            ),
        ),
        Mutant(
            "the dimension kept",
            eq(
                T * scaled_curve,
                cumulant.subs({s: alpha - 1, D: sqrt(T / gamma) * eta, v: (1 + eta) ** 2}, simultaneous=True),
            ),
        ),
    ),
)

_P1 = positive("p_1", "density of the first output under the first law")
_Q1 = positive("q_1", "density of the first output under the second law")
_P2 = positive("p_2", "density of the second output, given the first, under the first law")
_Q2 = positive("q_2", "density of the second output, given the first, under the second law")
_E = positive("E", "e^epsilon")
p1, q1, p2, q2, E = (x.symbol for x in (_P1, _Q1, _P2, _Q2, _E))

renyi_steps = Claim(
    id="beyond:renyi-of-two-steps",
    title="The moment of two adaptive steps is a product",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$(p_1p_2)^\alpha(q_1q_2)^{1-\alpha} = p_1^\alpha q_1^{1-\alpha}\cdot p_2^\alpha q_2^{1-\alpha}$. Given the first output the integral of the second "
        r"factor is at most $e^{(\alpha-1)E_2(\alpha)}$, whichever pair was chosen after it: Rényi curves add up under adaptive composition."
    ),
    reading="This is Proposition 1 of Mironov (2017).",
    variables=(ALPHA, _P1, _Q1, _P2, _Q2),
    conclusion=eq(
        (p1 * p2) ** alpha * (q1 * q2) ** (1 - alpha), p1**alpha * q1 ** (1 - alpha) * p2**alpha * q2 ** (1 - alpha)
    ),
    checks=(Identity(),),
    mutants=(
        Mutant(
            "added",
            eq(
                (p1 * p2) ** alpha * (q1 * q2) ** (1 - alpha),
                p1**alpha * q1 ** (1 - alpha) + p2**alpha * q2 ** (1 - alpha),
            ),
        ),
        Mutant(
            "order alpha - 1 below",
            eq((p1 * p2) ** alpha * (q1 * q2) ** (1 - alpha), p1**alpha * q1**-alpha * p2**alpha * q2**-alpha),
        ),
    ),
    derivation=(
        Step(
            "The integral over both outputs is one over the second, given the first, inside of one over the first.",
            theorem=FUBINI,
            met={
                "measurable": "Densities are measurable in both outputs.",
                "integrable or nonnegative": "Densities are not negative.",
            },
        ),
    ),
)

_ONE_AFTER_ANOTHER = partial(two_step_cases, symbols=(p1, q1, p2, q2, E))

two_steps = Claim(
    id="beyond:hockey-stick-of-two-steps",
    title="One step of value iteration",
    source="beyond",
    where=_GRID,
    kind="identity",
    statement=(
        r"$(p_1p_2 - Eq_1q_2)_+ = p_1\,\big(p_2 - E\frac{q_1}{p_1}q_2\big)_+$. Integrated over the second output it is the hockey-stick divergence at "
        r"$\epsilon - L_1$, at most $F(\epsilon - L_1)$ if $F$ bounds it for every pair: two adaptive steps have at most $E_{P_1}F(\epsilon - L_1)$."
    ),
    reading=r"$E = e^\epsilon$ and $E q_1/p_1 = e^{\epsilon - L_1}$; the densities of Gaussians are positive.",
    variables=(_P1, _Q1, _P2, _Q2, _E),
    conclusion=eq(Max(p1 * p2 - E * q1 * q2, 0), p1 * Max(p2 - E * q1 / p1 * q2, 0)),
    checks=(Smt(), Unreduced(cases=_ONE_AFTER_ANOTHER), Released(cases=_ONE_AFTER_ANOTHER)),
    derivation=(
        Step(
            "The integral over both outputs is one over the second, given the first, inside of one over the first.",
            theorem=FUBINI,
            met={
                "measurable": "Densities are measurable in both outputs.",
                "integrable or nonnegative": "Positive parts are not negative.",
            },
        ),
        Step(claim="beyond:neyman-pearson-pointwise"),
    ),
    mutants=(
        Mutant("the loss with the other sign", eq(Max(p1 * p2 - E * q1 * q2, 0), p1 * Max(p2 - E * p1 / q1 * q2, 0))),
        Mutant("the level kept", eq(Max(p1 * p2 - E * q1 * q2, 0), p1 * Max(p2 - E * q2, 0))),
        Mutant("under the second law", eq(Max(p1 * p2 - E * q1 * q2, 0), q1 * Max(p2 - E * q1 / p1 * q2, 0))),
    ),
)

_Y = positive("y", "e to the place of the kink")
y = _Y.symbol

kernel = Claim(
    id="beyond:value-iteration-kernel",
    title="A step of value iteration on one kinked function",
    source="beyond",
    where=_GRID,
    kind="identity",
    statement=(
        r"$p\,\big(1 - \frac{Eq/p}{y}\big)_+ = \big(p - \frac Ey q\big)_+$: for $F = (1 - x/y)_+$ a step gives the hockey-stick divergence at "
        r"$\epsilon - \log y$. So for a mixture $F$ of such functions a pair, or a discrete loss, with a larger curve gives a larger $E_PF(\epsilon - L)$."
    ),
    variables=(_P1, _Q1, _E, _Y),
    conclusion=eq(p1 * Max(1 - E * q1 / p1 / y, 0), Max(p1 - E / y * q1, 0)),
    checks=(Smt(),),
    mutants=(
        Mutant("level eps + log y", eq(p1 * Max(1 - E * q1 / p1 / y, 0), Max(p1 - E * y * q1, 0))),
        Mutant("weight left out", eq(Max(1 - E * q1 / p1 / y, 0), Max(p1 - E / y * q1, 0))),
    ),
    remark="A supremum of convex functions that fall from 1 to 0 is one.",
    derivation=(
        Step(
            "A convex function that falls from 1 at $x = 0$ to 0 is a mixture of $(1 - x/y)_+$: $f(x) = \\int_x^\\infty (y-x)\\,df'(y)$, with the total weight $\\int y\\,df'(y) = f(0) = 1$.",
            theorem=HINGES,
            met={"convex": "That is assumed of it."},
        ),
        Step(
            "Against a mixture the inequality of each kink is integrated.",
            theorem=MONOTONE_INTEGRAL,
            met={
                "pointwise": "It is the order of the curves at the level of the kink.",
                "integrable": "Curves are at most 1, and the weights have the sum 1.",
            },
        ),
    ),
)

_SHARE = real("t", "place between the two grid points", lower=0, upper=1)
_E0 = positive("E_0", "e^epsilon at the left grid point")
_E1 = positive("E_1", "e^epsilon at the right grid point")
t, E0, E1 = _SHARE.symbol, _E0.symbol, _E1.symbol
_between = (1 - t) * E0 + t * E1
_chord = (1 - t) * Max(p1 - E0 * q1, 0) + t * Max(p1 - E1 * q1, 0)

chord_above = Claim(
    id="beyond:hockey-stick-below-its-chords",
    title="A curve lies below its chords in e^epsilon",
    source="beyond",
    where=_GRID,
    kind="inequality",
    statement=(
        r"$(p - xq)_+$ is convex in $x = e^\epsilon$, and so is every hockey-stick curve: straight lines in $x$ between certified upper bounds at grid "
        r"points (connecting the dots) are an upper bound in between."
    ),
    variables=(_P1, _Q1, _E0, _E1, _SHARE),
    conclusion=le(Max(p1 - _between * q1, 0), _chord),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "straight lines in epsilon",
            le(Max(p1 - sqrt(E0 * E1) * q1, 0), (Max(p1 - E0 * q1, 0) + Max(p1 - E1 * q1, 0)) / 2),
        ),
        Mutant(
            "shares exchanged",
            le(Max(p1 - _between * q1, 0), t * Max(p1 - E0 * q1, 0) + (1 - t) * Max(p1 - E1 * q1, 0)),
        ),
        Mutant("direction", ge(Max(p1 - _between * q1, 0), _chord)),
    ),
)

_STEP = real("G", "e^h, for the step h of the grid", lower=1, lower_open=True)
_X = positive("x", "e^epsilon at a grid point")
_LEFT = real("f_0", "value of the curve one step to the left")
_HERE = real("f_1", "value of the curve at the grid point")
_RIGHT = real("f_2", "value of the curve one step to the right")
G, x, f0, f1, f2 = (z.symbol for z in (_STEP, _X, _LEFT, _HERE, _RIGHT))
_mass = (f2 - f1) / (G - 1) - (f1 - f0) / (1 - 1 / G)
_kink = (f2 - f1) / (x * G - x) - (f1 - f0) / (x - x / G)

masses = Claim(
    id="beyond:discrete-loss-masses",
    title="The masses of the discrete loss through given dots",
    source="beyond",
    where=_GRID,
    kind="identity",
    statement=(
        r"$(1 - x/x_i)_+$ bends at $x_i = e^{ih}$ by $1/x_i$, so the mass there is $x_i$ times the change of slope of the curve through the dots, which is "
        r"$\frac{f_{i+1}-f_i}{e^h-1} - \frac{f_i-f_{i-1}}{1-e^{-h}}$. For $(1-x)_+$ itself that is 1 at $x = 1$."
    ),
    reading="The values of the curve at the three grid points x/G, x, x G are f_0, f_1, f_2, with G = e^h.",
    variables=(_STEP, _X, _LEFT, _HERE, _RIGHT),
    conclusion=both(
        eq(_mass, x * _kink),
        eq(_mass.subs({f0: 1 - 1 / G, f1: 0, f2: 0}, simultaneous=True), 1),
    ),
    checks=(Identity(),),
    sampling=Chart({G: (1, 4), x: (0, 4), f0: (0, 1), f1: (0, 1), f2: (0, 1)}, {}),
    mutants=(
        Mutant("the two steps exchanged", eq((f2 - f1) / (1 - 1 / G) - (f1 - f0) / (G - 1), x * _kink)),
        Mutant("not multiplied by x", eq(_mass, _kink)),
        Mutant("second differences in epsilon", eq((f2 - 2 * f1 + f0) / (G - 1), x * _kink)),
    ),
)

_RATIO = positive("r", "e^(-h)", upper=1)
_LEVEL = nonnegative("x", "e^epsilon over e to the place of the mass")
r, level = _RATIO.symbol, _LEVEL.symbol
_up = 1 / (1 + r)

coarser = Claim(
    id="beyond:discrete-loss-coarser",
    title="Splitting a mass between its two neighbours",
    source="beyond",
    where=_GRID,
    kind="inequality",
    statement=(
        r"A mass at a loss $l$ may be split into $\frac1{1+e^{-h}}$ at $l + h$ and the rest at $l - h$: the sum of $p_ie^{-l_i}$ stays, and the curve does "
        r"not fall. Every second point of a grid can be left out this way."
    ),
    reading=r"With $r = e^{-h}$ and $x = e^{\epsilon-l}$.",
    variables=(_RATIO, _LEVEL),
    conclusion=both(
        eq(_up * r + (1 - _up) / r, 1),
        le(Max(1 - level, 0), _up * Max(1 - r * level, 0) + (1 - _up) * Max(1 - level / r, 0)),
    ),
    checks=(Smt(),),
    mutants=(
        Mutant("halves", eq(r / 2 + 1 / (2 * r), 1)),
        Mutant(
            "shares exchanged",
            le(Max(1 - level, 0), (1 - _up) * Max(1 - r * level, 0) + _up * Max(1 - level / r, 0)),
        ),
        Mutant("all of it down", le(Max(1 - level, 0), Max(1 - level / r, 0))),
    ),
)

moving_up = Claim(
    id="beyond:discrete-loss-moving-up",
    title="Moving mass to a larger loss",
    source="beyond",
    where=_GRID,
    kind="inequality",
    statement=r"A mass moved up, or to infinity, does not lower the curve: $(1-x)_+ \le (1-rx)_+ \le 1$ for $r \le 1$.",
    variables=(_RATIO, _LEVEL),
    conclusion=chain(Max(1 - level, 0), "<=", Max(1 - r * level, 0), "<=", 1),
    checks=(Smt(),),
    mutants=(
        Mutant("moving down", le(Max(1 - level, 0), Max(1 - level / r, 0))),
        Mutant("never more than x", le(Max(1 - r * level, 0), level)),
    ),
)

_VALUE = nonnegative("g", "upper bound of a value of F")
_F = nonnegative("F", "a value of F")
_EXACT = nonnegative("w", "a mass of the discrete loss")
_ROUNDED = nonnegative("u", "the same, rounded up")
g, F, w, u = (z.symbol for z in (_VALUE, _F, _EXACT, _ROUNDED))

rounding_up = Claim(
    id="beyond:value-iteration-rounding",
    title="Rounding up is harmless in every term",
    source="beyond",
    where=_GRID,
    kind="inequality",
    statement=r"A step is a sum of products of masses and values, all nonnegative: larger masses and larger values give a larger sum.",
    variables=(_F, _VALUE, _EXACT, _ROUNDED),
    hypotheses=(Hypothesis("value rounded up", le(F, g)), Hypothesis("mass rounded up", le(w, u))),
    conclusion=le(w * F, u * g),
    checks=(Smt(),),
    mutants=(
        Mutant(
            "mass rounded down", hypotheses=(Hypothesis("value rounded up", le(F, g)), Hypothesis("down", ge(w, u)))
        ),
        Mutant(
            "value rounded down", hypotheses=(Hypothesis("down", ge(F, g)), Hypothesis("mass rounded up", le(w, u)))
        ),
        Mutant("direction", ge(w * F, u * g)),
    ),
    derivation=(
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


not_dominating = Claim(
    id="beyond:wide-against-narrow-does-not-dominate",
    title="The wide law against the narrow one does not dominate the other order",
    source="beyond",
    where="privacy loss distributions for a composition",
    kind="remark",
    statement=(
        r"Two centred Gaussians in the plane of variances 2 and 1: at $\epsilon = -0.3$ the order narrow against wide has the larger hockey-stick "
        r"divergence. One release at $\epsilon \ge 0$ does not see it, but a composition does, as $\epsilon - L$ takes both signs."
    ),
    reading="So a discrete loss for a composition has to lie above both orders at every real level.",
    conclusion=gt(_narrow_against_wide(_LEVEL_BELOW), _WIDE.subs(epsilon, _LEVEL_BELOW)),
    derivation=(
        Step(claim="beyond:floor-in-the-plane"),
        Step(claim="beyond:hockey-stick-at-negative-levels"),
    ),
    mutants=(
        Mutant("at the level 0.3", gt(_narrow_against_wide(-_LEVEL_BELOW), _WIDE.subs(epsilon, -_LEVEL_BELOW))),
        Mutant(
            "by a tenth", gt(_narrow_against_wide(_LEVEL_BELOW), _WIDE.subs(epsilon, _LEVEL_BELOW) + Rational(1, 10))
        ),
    ),
)
