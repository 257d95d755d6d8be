"""Quadrature: an integral in closed form against rigorous integration and against mpmath.

A paper computes a Gaussian integral by completing the square. This route does not: it integrates the
density numerically, once in ball arithmetic with bounds on the tails and on the error, once by
mpmath, and compares values at exact points. It counts for a claim only if the claim contains the
value; else it would support whatever stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import mpmath
import sympy

from rgm_verify.claims.claim import Claim, Exact
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.numeric import mpmath_value
from rgm_verify.lenses.points.sampling import admissible, exact_points
from rgm_verify.lenses.points.values import Point, Value
from rgm_verify.lenses.worlds.reduction import agree, point_text, relative_width, stands_in

_ALONG_THE_LINE = sympy.Symbol("u", real=True)


@dataclass(frozen=True)
class Quadrature(Lens):
    """Compare `closed_form` with the integral over the real line of prefactor * exp(log_integrand).

    At exact points of the claim's domain: by rigorous integration in ball arithmetic (which does not use the closed
    form of Gaussian integrals) and by mpmath's quadrature with break points at the peak. Both are expressions in the
    claim's variables and `variable`; `log_integrand` is a concave quadratic in `variable`. With `dimension` d >= 2 the
    integral is over R^d of exp(A |u|^2 + B u_1 + C), in cylindrical form, `log_integrand` being the exponent on the
    first axis; `prefactor` is then a positive constant.
    A numerical route only where the value occurs in the claim: `part` is a side of a relation of the conclusion or an
    expression in one, and has the value of the integral, or of its logarithm, wherever the integral is taken. Without
    `part` it is `closed_form`, or its logarithm if that is what stands there. `at` fixes variables of the claim that
    the integral has numbers for, such as the dimension. Otherwise the agreement is a note.

    Gives: a numerical route, or a note. It refutes nothing, since a wrong closed form in the settings
    says nothing of the claim.

    Attributes:
        log_integrand: A concave quadratic in `variable`.
        variable: The variable of integration, no variable of the claim.
        closed_form: The value that is expected, positive.
        prefactor: A factor of the integrand.
        dimension: At least 1.
        count: Points; None takes a third of the profile's, and at least 3.
    """

    log_integrand: sympy.Expr = sympy.S.Zero
    variable: sympy.Symbol = _ALONG_THE_LINE
    closed_form: sympy.Expr = sympy.S.One
    prefactor: sympy.Expr = sympy.S.One
    dimension: int = 1
    count: int | None = None
    part: sympy.Expr | None = None
    at: Mapping[sympy.Symbol, Exact] = field(default_factory=dict)

    name: ClassVar[str] = "quadrature"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NUMERICAL_ROUTE, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Integrate at exact points; a disagreement is reported as undecided with the point.

        It is no counterexample: the closed form may be wrong where the claim is right. The evidence is a numerical
        route only if the claim has the integral's value at every point.

        Args:
            claim: The claim or a control of it.
            context: Profile and seed.

        Returns:
            One piece of evidence.
        """
        tally = {"points": 0, "arb": 0, "mpmath": 0}
        part = self.tied(claim)
        ties = 0
        for point in self.points(claim, context):
            tally["points"] += 1
            rational = {s: v for s, v in point.items() if isinstance(v, Fraction)}
            rigorous, witness = self.by_balls(rational), self.by_mpmath(rational)
            where = point_text(point)
            # One of the two arithmetics disagrees for certain, whatever the other says.
            if rigorous is False or witness is False:
                return [self.undecided(("arb", "mpmath"), f"the integral disagrees with the closed form at {where}")]
            agrees = None if part is None else self.agrees(part, point)
            if agrees is False:
                return [self.undecided(("arb",), f"{part}, which stands in the claim, has another value at {where}")]
            ties += agrees is True
            tally["arb"] += rigorous is True
            tally["mpmath"] += witness is True
        families = tuple(f for f in ("arb", "mpmath") if tally[f])
        if not families:
            return [self.undecided(("arb", "mpmath"), f"no integral was enclosed at {tally['points']} points")]
        summary = (
            f"the integral in dimension {self.dimension} agrees with the closed form: rigorous integration at "
            f"{tally['arb']}, mpmath quadrature at {tally['mpmath']} of {tally['points']} exact points"
        )
        tied = part is not None and ties == tally["points"]
        summary += "; the claim has this value at each of them" if tied else "; a note: the claim does not contain it"
        kind = Kind.NUMERICAL_ROUTE if tied else Kind.NOTE
        return [self.evidence(kind, Finding.SUPPORTS, families, summary, details=tally)]

    def points(self, claim: Claim, context: Context) -> Iterator[Point]:
        """Exact points of the claim, with the numbers of `at`, where the integral needs rational coordinates only.

        Yields:
            At most `count` admissible points. Four times as many are drawn, since some have coordinates
            that are not rational.
        """
        count = self.count or max(3, context.profile.points // 3)
        needed = self.log_integrand.free_symbols | self.prefactor.free_symbols | self.closed_form.free_symbols
        fixed = {s: Fraction(int(v.numerator), int(v.denominator)) for s, v in self.at.items()}
        found = 0
        for drawn in exact_points(claim, "quadrature", context.seed, 4 * count):
            point = {**drawn, **fixed}
            usable = all(isinstance(point[s], Fraction) for s in needed if s in point)
            if usable and (not fixed or admissible(claim, point)):
                yield point
                found += 1
            if found == count:
                return

    def tied(self, claim: Claim) -> sympy.Expr | None:
        """Return the expression of the claim that has the integral's value (or its logarithm's), or None."""
        logarithm = sympy.expand_log(sympy.log(self.closed_form), force=True)
        exponent = [self.closed_form.exp] if isinstance(self.closed_form, sympy.exp) else []
        ways = [self.closed_form, *exponent, logarithm] if self.part is None else [self.part]
        return next((way for way in ways if stands_in(claim, way)), None)

    def agrees(self, part: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> bool | None:
        """Return whether a part of the claim has the value of the closed form, or of its logarithm, at a point."""
        by_value = agree(part, self.closed_form, point)
        if by_value is True:
            return True
        by_logarithm = agree(sympy.exp(part), self.closed_form, point)
        return True if by_logarithm is True else None if None in (by_value, by_logarithm) else False

    def by_balls(self, point: Mapping[sympy.Symbol, Fraction]) -> bool | None:
        """Return whether the rigorous integral and the enclosure of the closed form overlap, both to 15 digits.

        Args:
            point: Rational coordinates.

        Returns:
            False if the enclosures are certainly disjoint, None if they overlap and are too wide to say
            anything.
        """
        from rgm_verify.balls.enclose import enclose
        from rgm_verify.balls.integrate import integrate_gaussian_line, integrate_radial

        if self.dimension == 1:
            found = integrate_gaussian_line(
                self.log_integrand, self.variable, point, prefactor=self.prefactor, digits=20
            )
        else:
            quadratic, linear, constant = self.coefficients()
            found = integrate_radial(quadratic, linear, constant, self.dimension, point, digits=20)
        expected = enclose(self.closed_form, point, digits=25)
        if not found.overlaps(expected):
            return False
        # An enclosure that is wide overlaps with everything.
        return True if relative_width(found) < Fraction(1, 10**15) else None

    def coefficients(self) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
        """-A, B and C of the exponent in several dimensions, the constant prefactor taken into C."""
        quadratic = sympy.Poly(sympy.expand(self.log_integrand), self.variable)
        square, linear, constant = (quadratic.coeff_monomial(self.variable**n) for n in (2, 1, 0))
        return -square, linear, constant + sympy.log(self.prefactor)

    def by_mpmath(self, point: Mapping[sympy.Symbol, Fraction]) -> bool | None:
        """Return whether mpmath's quadrature agrees within its own error estimate; None where it has no estimate.

        Only on the line: mpmath has no route of its own in higher dimensions.

        Args:
            point: Rational coordinates.
        """
        if self.dimension != 1:
            return None
        expected, error = mpmath_value(self.closed_form, point)
        if expected is None:
            return None
        exponent = self.log_integrand.subs({s: sympy.Rational(v.numerator, v.denominator) for s, v in point.items()})
        weight = self.prefactor.subs({s: sympy.Rational(v.numerator, v.denominator) for s, v in point.items()})
        with mpmath.workdps(40):
            value, estimate = _quad(exponent, weight, self.variable)
            # mpmath's estimate is no bound; ten times of it leaves room, and 1e-30 of a value still
            # tells forms apart.
            return bool(abs(value - expected) <= 10 * estimate + error)


def _quad(exponent: sympy.Expr, weight: sympy.Expr, variable: sympy.Symbol) -> tuple[Any, Any]:
    """Mpmath's integral over the line with break points around the peak, and twice the change from half the degree."""
    quadratic = sympy.Poly(exponent, variable)
    curvature = -2 * quadratic.coeff_monomial(variable**2)
    centre = mpmath.mpf(sympy.Rational(quadratic.coeff_monomial(variable) / curvature).p) / mpmath.mpf(
        sympy.Rational(quadratic.coeff_monomial(variable) / curvature).q
    )
    width = 1 / mpmath.sqrt(mpmath.mpf(sympy.Rational(curvature).p) / sympy.Rational(curvature).q)
    # A fresh name, because a variable called pi or exp would hide what mpmath has under that name.
    fresh = sympy.Dummy("v")
    function = sympy.lambdify([fresh], (weight * sympy.exp(exponent)).xreplace({variable: fresh}), "mpmath")
    points = [-mpmath.inf, *(centre + k * width for k in (-12, -6, -2, 0, 2, 6, 12)), mpmath.inf]
    coarse = mpmath.quad(function, points, maxdegree=6)
    fine, error = mpmath.quad(function, points, error=True, maxdegree=8)
    return fine, 2 * abs(fine - coarse) + error + abs(fine) * mpmath.mpf(10) ** -35
