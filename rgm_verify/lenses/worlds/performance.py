"""Worst cases of first-order methods: certificates of the dual semidefinite program, verified exactly.

A step of a method on a smooth, strongly convex function is bounded by a combination of interpolation inequalities, one
for each pair of points, with multipliers that a semidefinite solver finds. Here the multipliers are stored as
rationals and the solver is not asked: a certificate holds if the function values cancel and a quadratic form in the
points and gradients is positive semidefinite, which `lenses.worlds.linear` decides over Fractions. It then bounds
the method on every function of the class in every dimension. That nothing less will do is shown by numbers that are
points, gradients and values of a function of the class and reach the bound.
Source: Taylor, Hendrickx and Glineur, Smooth strongly convex interpolation and exact worst-case performance of
first-order methods, 2017, Theorem 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import relations
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.values import sign
from rgm_verify.lenses.worlds.exact import is_control
from rgm_verify.lenses.worlds.linear import (
    Matrix,
    Vector,
    combination,
    dot,
    form,
    is_semidefinite,
    minus,
    outer,
    plus,
    times,
)
from rgm_verify.lenses.worlds.reduction import (
    Quantities,
    disagreement,
    point_of,
    point_text,
    read_off,
    refuse_other_symbols,
)


class Quantity(NamedTuple):
    """A quadratic form in the basis vectors plus a linear form in the function values; all coefficients exact."""

    squares: Matrix
    values: Vector


class Point(NamedTuple):
    """A point, its gradient and its function value, by their coordinates in the basis."""

    position: Vector
    gradient: Vector
    value: Vector


@dataclass(frozen=True)
class Case:
    """A bound `gain <= bound` on one class of functions, with its multipliers and an example that reaches it.

    `example` holds a number for each basis vector and each function value: the worst function, on a line.

    `multipliers` belong to ordered pairs of names of `points`. A case is a theorem for all dimensions once
    `is_certified` holds; floats take no part in it.

    Attributes:
        strong: The constant of strong convexity, >= 0.
        smooth: The constant of smoothness, larger than `strong`.
        points: Points by name.
        gain: The quantity that is bounded.
        bound: The bound.
        multipliers: Numbers >= 0 for ordered pairs of names.
        example: Numbers for the basis vectors, and for the function values.
    """

    strong: Fraction
    smooth: Fraction
    points: Mapping[str, Point]
    gain: Quantity
    bound: Quantity
    multipliers: Mapping[tuple[str, str], Fraction]
    example: tuple[Vector, Vector]


def interpolation(case: Case, first: str, second: str) -> Quantity:
    """Return an expression >= 0 for two points of a function in the class: `f_i - f_j` less its least value.

    Args:
        case: The case, for its class of functions.
        first: The name of a point.
        second: The name of another one.

    Source:
        Taylor, Hendrickx and Glineur 2017, Theorem 4.
    """
    one, two = case.points[first], case.points[second]
    apart, rise = minus(one.position, two.position), minus(one.gradient, two.gradient)
    rest = minus(apart, times(1 / case.smooth, rise))
    share = case.strong * case.smooth / (case.smooth - case.strong)
    mixed = combination((Fraction(1, 2), outer(two.gradient, apart)), (Fraction(1, 2), outer(apart, two.gradient)))
    squares = combination(
        (Fraction(-1), mixed), (-1 / (2 * case.smooth), outer(rise, rise)), (-share / 2, outer(rest, rest))
    )
    return Quantity(squares, minus(one.value, two.value))


def is_certified(case: Case) -> bool:
    """Return whether the multipliers prove the bound: an exact check, and a theorem if it is passed.

    The bound less the gain, less the multiples of the interpolation inequalities, must be a positive semidefinite form
    without a part in the function values; all multipliers must be >= 0.

    The sum of inequalities that hold for every function of the class, with multipliers >= 0, and of
    squares is >= 0 itself; where it is the bound less the gain, the bound holds.
    """
    squares = combination((1, case.bound.squares), (-1, case.gain.squares))
    values = minus(case.bound.values, case.gain.values)
    for (first, second), multiplier in case.multipliers.items():
        inequality = interpolation(case, first, second)
        squares = combination((1, squares), (-multiplier, inequality.squares))
        values = minus(values, times(multiplier, inequality.values))
    # Weak duality: with multipliers >= 0 and a rest that is >= 0, the gain exceeds the bound nowhere.
    return all(m >= 0 for m in case.multipliers.values()) and not any(values) and is_semidefinite(squares)


def is_attained(case: Case) -> bool:
    """Return whether the example is interpolated by a function of the class and reaches the bound exactly.

    Every interpolation inequality must hold at the example. The common value must be > 0: a bound of 0 = 0 shows
    nothing.

    By the theorem of interpolation, numbers that satisfy all inequalities belong to some function of
    the class.
    """
    names = list(case.points)
    pairs = [(a, b) for a in names for b in names if a != b]
    # The inequalities hold for numbers of the example exactly when some function of the class has them.
    admissible = all(evaluate(interpolation(case, a, b), case.example) >= 0 for a, b in pairs)
    return admissible and evaluate(case.gain, case.example) == evaluate(case.bound, case.example) > 0


def evaluate(quantity: Quantity, example: tuple[Vector, Vector]) -> Fraction:
    """The value of a quantity for numbers in the place of vectors."""
    vectors, values = example
    return Fraction(form(vectors, quantity.squares, vectors) + dot(quantity.values, values))


def lowered(case: Case, share: Fraction = Fraction(99, 100)) -> Case:
    """The same case with a smaller bound, which no multipliers can prove if the bound is attained.

    Args:
        share: The factor on the bound, below 1.
    """
    smaller = Quantity(combination((share, case.bound.squares)), times(share, case.bound.values))
    return Case(case.strong, case.smooth, case.points, case.gain, smaller, case.multipliers, case.example)


def noisy_step(
    strong: Fraction,
    smooth: Fraction,
    *,
    step: Fraction,
    amplification: Fraction,
    rate: Fraction,
    multipliers: tuple[Fraction, Fraction],
    worst: tuple[Fraction, Fraction],
    gap: Fraction = Fraction(0),
) -> Case:
    """`E |x - tau(g + noise) - x_*|^2 + gap (f - f_*) <= rate |x - x_*|^2` but for the baseline noise.

    The basis is `(x - x_*, g)` and `f - f_*`; noise relative to the gradient multiplies its square by `amplification`.
    `multipliers` belong to the pairs (minimiser, point) and (point, minimiser); `worst` is the gradient and the value
    at 1 of a function on the line that reaches the bound.

    Args:
        strong: The constant of strong convexity.
        smooth: The constant of smoothness.
        step: The step tau.
        amplification: The factor on the square of the gradient, at least 1.
        rate: The factor on the squared distance that is claimed.
        multipliers: Numbers >= 0.
        worst: Gradient and value at 1 of the worst function.
        gap: The factor on the difference of function values.
    """
    zero, one = Fraction(0), Fraction(1)
    x, g, nothing = (one, zero), (zero, one), (zero, zero)
    points = {"minimiser": Point(nothing, nothing, (zero,)), "point": Point(x, g, (one,))}
    after = plus(x, times(-step, g))
    squares = combination((1, outer(after, after)), ((amplification - 1) * step**2, outer(g, g)))
    first, second = multipliers
    return Case(
        strong=strong,
        smooth=smooth,
        points=points,
        gain=Quantity(squares, (gap,)),
        bound=Quantity(combination((rate, outer(x, x))), (zero,)),
        multipliers={("minimiser", "point"): first, ("point", "minimiser"): second},
        example=((one, worst[0]), (worst[1],)),
    )


def solve_step(
    strong: Fraction, smooth: Fraction, *, step: Fraction, amplification: Fraction, gap: Fraction = Fraction(0)
) -> tuple[float, tuple[float, float]]:
    """The worst rate of a noisy step and its two multipliers by PEPit, in floats: how stored ones were found.

    Needs the extra `performance`; raises `ImportError` without it. The lens does not call this.

    Args:
        strong: The constant of strong convexity.
        smooth: The constant of smoothness.
        step: The step tau.
        amplification: The factor on the square of the gradient.
        gap: The factor on the difference of function values.
    """
    from PEPit import PEP
    from PEPit.functions import SmoothStronglyConvexFunction

    problem = PEP()
    function = problem.declare_function(SmoothStronglyConvexFunction, mu=float(strong), L=float(smooth))
    minimiser, start = function.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((start - minimiser) ** 2 <= 1)
    gradient, rise = function.gradient(start), function(start) - function(minimiser)
    after = start - float(step) * gradient - minimiser
    noise = float((amplification - 1) * step**2)
    problem.set_performance_metric(after**2 + noise * gradient**2 + float(gap) * rise)
    rate = problem.solve(verbose=0, wrapper="cvxpy")
    first, second = (float(c.eval_dual()) for c in function.list_of_class_constraints)
    return float(rate), (first, second)


@dataclass(frozen=True)
class Performance(Lens):
    """Verify stored certificates of worst-case bounds, and that each bound is attained; `says` is the bound in words.

    With a bound lowered by a hundredth a certificate has to fail. A solver is not needed.
    `quantities` says for every variable of the claim what it is at the example of a case, exactly. These values have to
    be admissible, and the claim's conclusion has to hold there with equality in one of its relations, as the example
    reaches the bound. Without such a map the certificates are a note. Raises `ClaimError` for a map that leaves a
    variable out.

    Gives: a numerical route (the certificate is exact, and concerns the stored cases only), or a note.
    It refutes nothing.
    """

    says: str = ""
    cases: tuple[Case, ...] = field(default_factory=tuple)
    quantities: Quantities = field(default_factory=dict)

    name: ClassVar[str] = "worst-case certificates"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NUMERICAL_ROUTE, Kind.NOTE})

    def mapped(self, values: Callable[[Case], Sequence[Any]], *symbols: sympy.Symbol) -> Performance:
        """The same lens for a claim whose variables `symbols` have the `values` of a case, in this order."""
        return replace(self, quantities=read_off(values, symbols))

    def refuse(self, claim: Claim) -> None:
        """Raise `ClaimError` for a map that leaves a variable of the claim out, or has another one."""
        if self.quantities:
            refuse_other_symbols(claim, self.name, self.quantities)

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Check every certificate, every example and every control.

        The control lowers the bound by a hundredth: a certificate that still passes would prove a bound below an
        attained value. The first fault makes the evidence undecided.

        Args:
            context: Not used, but to see whether the claim is a control.

        Returns:
            One piece of evidence; none for a control or without cases.
        """
        if not self.cases or is_control(claim, context):
            return []
        self.refuse(claim)
        # Stored multipliers are proposals: each is checked in every run.
        wrong = [i for i, case in enumerate(self.cases) if not is_certified(case)]
        if wrong:
            return [self.undecided(("fractions",), f"the certificate of case {wrong[0]} proves nothing")]
        # The control: a check that passes a bound below an attained value would prove anything.
        loose = [i for i, case in enumerate(self.cases) if not is_attained(case) or is_certified(lowered(case))]
        if loose:
            return [self.undecided(("fractions",), f"the bound of case {loose[0]} is not attained by its example")]
        apart = self.apart(claim)
        if apart:
            return [self.undecided(("fractions", "arb"), apart)]
        summary = (
            f"{self.says}: in {len(self.cases)} cases an exact certificate proves the bound for every function of "
        )
        summary += "the class in every dimension, and an example attains it"
        details = {"cases": len(self.cases)}
        if not self.quantities:
            return [self.evidence(Kind.NOTE, Finding.SUPPORTS, ("fractions",), summary, details=details)]
        summary += "; the claim's formula is an equality there"
        families = ("fractions", "arb")
        return [self.evidence(Kind.NUMERICAL_ROUTE, Finding.SUPPORTS, families, summary, details=details)]

    def apart(self, claim: Claim) -> str:
        """Return why the claim's formula is not attained at some example; empty if it is, or without a map."""
        if not self.quantities or claim.conclusion is None:
            return ""
        for index, case in enumerate(self.cases):
            point = point_of(self.quantities, case)
            found = disagreement(claim, point, holds=True)
            if found:
                return f"at the example of case {index}, {found}"
            # An example that reaches the bound and a formula with room left would be about different
            # bounds.
            if not any(sign(r.gap, point) == "zero" for r in relations(claim.conclusion)):
                return f"the claim's formula is no equality at the example of case {index}, {point_text(point)}"
        return ""
