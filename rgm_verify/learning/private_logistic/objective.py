r"""Objective perturbation for logistic regression, with approximate minimisers: its noise, certified, and its solver.

The minimiser of `sum of losses + lambda/2 |theta|^2 + b.theta` with `b ~ N(0, sigma^2 I)` has, between data that differ
by a record more, a loss of privacy of at most `c + max(0, G)`: `c = log(1 + B^2 / (4 lambda))` from the determinants,
and G the loss of two Gaussians `B / sigma` apart. A record's gradient has one direction, and its length varies between
0 and B; the exponent is convex in it, so that its largest value is at an end. Where a record is replaced two such
lengths vary and the largest value is at a corner. So at every `epsilon >= c` and with `H_e(m)` for the hockey-stick
divergence of `N(m, 1)` and `N(0, 1)`

    delta <= H_(epsilon - c)(B / sigma)                                   a record is added or removed,
    delta <= H_(epsilon - c)(2 B / sigma) + 2 H_(epsilon - c)(B / sigma)  a record is replaced.

No minimiser is computed exactly. The solver ends at a point whose exact gradient is at most `g` long, a public number,
and so within `g / lambda` of the minimiser; Gaussian noise for the sensitivity `2 g / lambda` is added to it, with a
64th of epsilon and of delta (approximate minima perturbation: Iyengar et al., IEEE S&P 2019). So that g is public, `b`
is drawn anew where it is longer than `sigma (sqrt(d) + t)`, which has at most the probability `exp(-t^2/2)` and costs
another 1024th of delta, and more.

Source: claims `beyond:objective-perturbation-length`, `beyond:objective-perturbation-corner`,
`beyond:objective-perturbation-determinants`, `beyond:objective-perturbation`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.learning.data import FloatArray, row_norms_above
from rgm_verify.learning.private_logistic.public import LOG_2, PublicLogistic, expm1_below
from rgm_verify.learning.private_ridge.noise import variance_multiplier
from rgm_verify.learning.sums import UNIT, sum_of_products
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.crossing import Ends, crossing
from rgm_verify.numbers.roots import root_above
from rgm_verify.numbers.shown import Framed

_PENALTY_SHARE = Fraction(1, 8)  # of epsilon, for the determinants, and at most 1
_OUTPUT_SHARE = Fraction(1, 64)  # of epsilon and of delta, for the distance to the minimiser
_TAIL_SHARE = Fraction(1, 1024)  # of delta, for perturbations that are drawn anew
_ROUNDED = 1 + Fraction(1, 2**50)
_HALVINGS = 40


@dataclass(frozen=True)
class ObjectivePlan(Framed):
    """The noise of a perturbed objective, certified: what `released` adds is `(epsilon, delta)`-private.

    `penalty` is lambda, of the sum of losses. `variance` is that of the perturbation b, `longest` the length beyond
    which b is drawn anew, `tolerance` the length of a computed gradient at which the solver stops, `radius` a bound on
    the norm of the point it then has, and `output_variance` that of the noise on it. All are floats as fractions.
    """

    public: PublicLogistic
    epsilon: Fraction
    delta: Fraction
    penalty: Fraction
    variance: Fraction
    longest: Fraction
    tolerance: Fraction
    radius: Fraction
    output_variance: Fraction


def least_penalty(epsilon: Fraction, public: PublicLogistic) -> Fraction:
    """Return a penalty whose determinants cost at most an eighth of epsilon, and at most 1; rounded up.

    The second so that minimisers stay near for large epsilon, where hardly any penalty would do.
    """
    return Fraction(round_up(public.curvature / expm1_below(_determinants(epsilon))))


def _determinants(epsilon: Fraction) -> Fraction:
    """Return the part of epsilon that is for the determinants."""
    return min(_PENALTY_SHARE * epsilon, Fraction(1))


def objective_delta(epsilon: Fraction, variance: Fraction, neighbours: Adjacency, digits: int = 15) -> Ends:
    """Return lower and upper ends of the bound on delta, for the determinants' `c = 0` and `B = 1`; never above 1."""
    parts = ((1, 4), (2, 1)) if neighbours is Adjacency.REPLACE_ONE else ((1, 1),)
    lower = upper = Fraction(0)
    for times, squared in parts:
        found = hockey_stick_enclosure(epsilon, squared / variance, Fraction(0), 1, digits=digits)
        lower += times * (found.lower or 0)
        upper += times * (1 if found.upper is None else found.upper)
    return min(lower, Fraction(1)), min(upper, Fraction(1))


def objective_plan(
    epsilon: Fraction, delta: Fraction, public: PublicLogistic, penalty: Fraction | None = None
) -> ObjectivePlan:
    """Return the plan for a target; the penalty is the least one unless a larger one is given.

    Raises `InputError` for a penalty below the least one, and where no noise within the floats will do.
    """
    least = least_penalty(epsilon, public)
    if penalty is not None and penalty < least:
        raise reject(
            "regularization",
            float(penalty / public.divisor),
            f"must be None or at least {round_up(least / public.divisor):.6g}, which the privacy rests on",
        )
    lam = least if penalty is None else Fraction(round_up(penalty))
    left = epsilon * (1 - _OUTPUT_SHARE) - _determinants(epsilon)
    # Of delta the output takes its share; what is left is for the minimiser, whose law changes with the draws anew by
    # exp(epsilon) p and a factor of at most 1 + 2 p, p <= delta exp(-epsilon) / 1024.
    spent = delta * ((1 - _OUTPUT_SHARE) * (1 - 2 * _TAIL_SHARE) - _TAIL_SHARE)
    try:
        found = crossing(
            lambda variance, digits: objective_delta(left, variance, public.adjacency, digits),
            spent,
            guess=math.log(max(2 * math.log(1 / float(delta)), 1) * 4 / float(left) ** 2),
        )
    except (ArithmeticError, InputError):
        raise InputError(
            f"epsilon={float(epsilon):.6g}, delta={float(delta):.6g}: the noise cannot be found; ask for less"
        ) from None
    variance = Fraction(round_up(found.holds * public.feature_bound**2 * _ROUNDED))
    d = public.dimension
    reach = root_above(2 * (epsilon + LOG_2 * (int(1 / (_TAIL_SHARE * delta)) + 1).bit_length()))
    longest = Fraction(round_up(root_above(variance) * (root_above(Fraction(d)) + reach)))
    # The objective at its minimiser is at most that at 0: lambda/2 |t|^2 - |b||t| <= n log 2.
    radius = (longest + root_above(longest**2 + 2 * lam * public.most_records * LOG_2)) / lam
    radius = Fraction(round_up(2 * radius))
    error = public.gradient_rounding(radius)
    error += 8 * UNIT * (public.most_records * public.feature_bound + lam * radius + longest)
    tolerance = Fraction(round_up(4 * error))
    moved = 2 * (tolerance * _ROUNDED + error) / lam
    output = moved**2 * variance_multiplier(epsilon * _OUTPUT_SHARE, delta * _OUTPUT_SHARE)
    return ObjectivePlan(
        public, epsilon, delta, lam, variance, longest, tolerance, radius, Fraction(round_up(output * _ROUNDED))
    )


def released(V: FloatArray, plan: ObjectivePlan, generator: np.random.Generator) -> FloatArray:
    """Return the noisy approximate minimiser (d,) for rows `v = y x` (n, d) that keep the bound."""
    theta = minimised(V, plan, perturbation(plan, generator))
    return GaussianMechanism(plan.output_variance).release(theta, generator)


def perturbation(plan: ObjectivePlan, generator: np.random.Generator) -> FloatArray:
    """Return the perturbation b (d,): Gaussian, and drawn anew where it is too long."""
    deviation, longest = float(plan.variance) ** 0.5, float(plan.longest)
    while True:
        drawn = deviation * generator.standard_normal(plan.public.dimension)
        if float(row_norms_above(drawn[np.newaxis])[0]) <= longest:
            return np.asarray(drawn, dtype=np.float64)


def minimised(V: FloatArray, plan: ObjectivePlan, b: FloatArray) -> FloatArray:
    """Return a point (d,) of norm at most `radius` where the computed gradient is at most `tolerance` long.

    Newton steps, halved until the gradient is shorter; where none is, a step of gradient descent, which lowers the
    objective. It ends, as the objective is strongly convex and the tolerance is above all rounding; nothing else
    ends it.
    """
    lam, limit, radius = float(plan.penalty), float(plan.tolerance), float(plan.radius)
    smooth = float(plan.public.most_records * plan.public.curvature) + lam
    theta = np.zeros(plan.public.dimension)
    slope, share = _gradient(V, theta, lam, b)
    while not (_norm(slope) <= limit and _norm(theta) <= radius):
        hessian = sum_of_products(V * (share * (1 - share))[:, np.newaxis], V) + lam * np.eye(len(theta))
        step, factor = np.linalg.solve(hessian, slope), 1.0
        for _ in range(_HALVINGS):
            there = theta - factor * step
            found, part = _gradient(V, there, lam, b)
            if _norm(found) <= (1 - factor / 4) * _norm(slope):
                break
            factor /= 2
        else:
            there = theta - slope / smooth
            found, part = _gradient(V, there, lam, b)
        theta, slope, share = there, found, part
    return theta


def _norm(vector: FloatArray) -> float:
    return float(row_norms_above(vector[np.newaxis])[0])


def _gradient(V: FloatArray, theta: FloatArray, lam: float, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the gradient (d,) and the records' shares s (n,) at a point."""
    share = shares(V, theta)
    return lam * theta + b - sum_of_products(V, share), share


def shares(V: FloatArray, theta: FloatArray) -> FloatArray:
    """Return `s = 1 / (1 + exp(v.theta))` for each row (n,), without overflow on either side."""
    score = V @ theta
    with np.errstate(under="ignore"):
        small = np.exp(-np.abs(score))
    return np.asarray(np.where(score >= 0, small, 1.0) / (1 + small), dtype=np.float64)
