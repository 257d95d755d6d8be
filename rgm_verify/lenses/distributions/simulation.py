"""Monte Carlo with exact confidence and a power control; scaling laws.

A simulation that agrees says something only if it would have noticed a mistake. So each one runs
twice: at the true scale, where the interval has to contain the exact value, and at a wrong one,
where it must not. The interval holds with a probability that is stated (`false_alarm`), so that a
run that misses a true value is as rare as that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, TypeGuard

import numpy as np
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim, Exact
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Relation, relations
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.axes import generator_for
from rgm_verify.lenses.points.sampling import admissible
from rgm_verify.lenses.worlds.reduction import agree, stands_in

#: What an experiment returns: a confidence interval (lower, upper), or None when it is inconclusive.
Interval = tuple[float, float] | None
#: An experiment takes (samples, generator, false-alarm rate, factor on the true scale) and returns an interval.
Experiment = Callable[[int, np.random.Generator, float, float], Interval]


@dataclass(frozen=True)
class Simulation(Lens):
    """Compare an exact value with a confidence interval from simulation.

    The interval must contain the value of `expected` at `at`; run again with the true scale multiplied by
    `wrong_scale` it must not (power control): otherwise the simulation is inconclusive. `false_alarm` bounds the
    chance that a true value is missed.
    It supports the claim only where the value stands in it: `at` gives every variable of the claim, is admissible, and
    `part` (`expected` itself unless given) is a side of a relation of the conclusion, or an expression in one, with
    that value. Otherwise the agreement is a note.

    Attributes:
        experiment: A function of samples, generator, false-alarm rate and scale; None gives no
            evidence.
        expected: The exact value, in the variables of `at`.
        at: Exact values of the claim's variables.
        wrong_scale: The factor of the power control, not 1.
        false_alarm: The chance that the interval of one run misses the true value.
    """

    experiment: Experiment | None = None
    expected: sympy.Expr = sympy.S.Zero
    at: Mapping[sympy.Symbol, Exact] = field(default_factory=dict)
    wrong_scale: Fraction = Fraction(13, 10)
    false_alarm: float = 1e-9
    part: sympy.Expr | None = None

    name: ClassVar[str] = "simulation"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SIMULATION, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Simulate once at the true scale and once at the wrong one, from generators that claim and seed determine.

        Args:
            claim: The claim or a control of it.
            context: Samples and seed.

        Returns:
            One piece of evidence, a simulation or a note; none without an experiment.
        """
        from rgm_verify.balls.enclose import enclose

        if self.experiment is None:
            return []
        point = {s: Fraction(int(v.numerator), int(v.denominator)) for s, v in self.at.items()}
        value = enclose(self.expected, point, digits=15)
        samples = context.profile.simulation_samples
        right, wrong = (
            self.experiment(
                samples, generator_for(claim.id, f"simulation {scale}", context.seed), self.false_alarm, scale
            )
            for scale in (1.0, float(self.wrong_scale))
        )
        apart = self.apart(claim, point)
        return [self.compare(value, right, wrong, samples, apart)]

    def apart(self, claim: Claim, point: Mapping[sympy.Symbol, Fraction]) -> str:
        """Return why the simulated value is not one that the claim contains; empty if it is.

        Args:
            point: The values of `at`.
        """
        part = self.expected if self.part is None else self.part
        if not stands_in(claim, part):
            return "the claim does not contain it"
        missing = [str(v.symbol) for v in claim.variables if v.symbol not in point]
        # A value that leaves a variable open is the claim's at no point.
        if missing:
            return f"it is at no point of the claim: no value for {', '.join(missing)}"
        if not admissible(claim, point):
            return "it is not at an admissible point of the claim"
        return "" if agree(part, self.expected, point) else "the claim has another value there"

    def compare(self, value: Any, right: Interval, wrong: Interval, samples: int, apart: str) -> Evidence:
        """Return what the two intervals amount to; `apart` says why the value is none of the claim's.

        Args:
            value: An enclosure of the expected value.
            right: The interval at the true scale.
            wrong: The interval at the wrong scale.
            samples: The number of samples, for the report.
            apart: A reason, or an empty text.

        Returns:
            Support if the first contains the value and the second does not; else an undecided note. A
            miss is no refutation: it happens with the stated chance.
        """
        if not _is_finite(right) or not _is_finite(wrong) or value.lower is None or value.upper is None:
            return self.undecided(("numpy",), f"inconclusive with {samples} samples")
        details = {
            "interval": [repr(float(e)) for e in right],
            "samples": samples,
            "false_alarm": self.false_alarm,
            "exact": list(value.decimals(10)),
            "interval_at_wrong_scale": [repr(float(e)) for e in wrong],
        }
        # Asked first: an interval so wide that nothing falls out of it supports nothing.
        if _contains(wrong, value):
            return self.undecided(("numpy",), "the power control failed: a wrong scale was not noticed", **details)
        if not _contains(right, value):
            return self.undecided(("numpy",), "the interval misses the exact value", **details)
        interval = f"[{right[0]:.6g}, {right[1]:.6g}]"
        summary = f"{samples} samples: the interval {interval} contains the exact value; "
        summary += f"a scale off by {float(self.wrong_scale):g} is rejected"
        summary += f"; a note: {apart}" if apart else ""
        kind = Kind.NOTE if apart else Kind.SIMULATION
        return self.evidence(kind, Finding.SUPPORTS, ("numpy",), summary, details=details)


def _is_finite(interval: Any) -> TypeGuard[tuple[float, float]]:
    """Return whether an experiment gave an interval: None, an `Inconclusive`, NaN and overflow decide nothing."""
    return isinstance(interval, tuple) and all(math.isfinite(end) for end in interval)


def _contains(interval: tuple[float, float], value: Any) -> bool:
    """Return whether an interval of floats and an enclosure have a point in common, exactly."""
    return bool(Fraction(interval[0]) <= value.upper and value.lower <= Fraction(interval[1]))


@dataclass(frozen=True)
class Units(Lens):
    """Dimension count: under `symbol -> s**weight * symbol` both sides of every relation scale by the same power of
    s.

    Gives only a note: a statement that scales may be false, and a true one need not scale.

    Attributes:
        weights: The power of the unit for each variable that has one.
    """

    weights: Mapping[sympy.Symbol, Exact] = field(default_factory=dict)

    name: ClassVar[str] = "units"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Compare the scaling of the two sides of each relation.

        Args:
            claim: The claim or a control of it.
            context: Not used.
        """
        if claim.conclusion is None:
            return []
        degrees = [_common_degree(r, self.weights) for r in relations(claim.conclusion)]
        if None in degrees:
            return [self.undecided(("sympy",), "the two sides do not scale alike")]
        summary = "both sides scale alike when the data are rescaled: degrees " + ", ".join(map(str, degrees))
        return [self.evidence(Kind.NOTE, Finding.SUPPORTS, ("sympy",), summary)]


def _common_degree(relation: Relation, weights: Mapping[sympy.Symbol, Exact]) -> sympy.Expr | None:
    """Return the degree that both sides have, None where they differ; a side that is 0 has every
    degree.
    """
    degrees = [d for d in (_degree(s, weights) for s in (relation.lhs, relation.rhs)) if d is not sympy.S.NaN]
    if any(d is None for d in degrees) or len(set(degrees)) > 1:
        return None
    return degrees[0] if degrees else sympy.S.Zero


def _degree(side: sympy.Expr, weights: Mapping[sympy.Symbol, Exact]) -> Any:
    """The power of s by which `side` scales; NaN for zero (which scales by every power), None if it is not seen."""
    side = evaluated(side)
    found = _of_parts(side, weights)
    if found is not None:
        return found
    if all(power.exp.is_Rational for power in side.atoms(sympy.Pow)) and not side.has(sympy.log):
        # What does not scale may cancel.
        return _of_parts(sympy.expand(side), weights)
    scale = sympy.Dummy("s", positive=True)
    given = {x: scale ** sympy.Rational(w.numerator, w.denominator) * x for x, w in weights.items()}
    scaled = side.subs(given, simultaneous=True)
    # Euler's theorem: for a homogeneous function s f'(s)/f is its degree. The guess is then checked.
    degree = sympy.simplify(scale * sympy.diff(scaled, scale) / scaled)
    return degree if degree.is_number and is_zero(scaled - scale**degree * side) else None


def _of_parts(node: sympy.Expr, weights: Mapping[sympy.Symbol, Exact]) -> Any:
    """The degree of an expression by those of its parts, as `_degree`."""
    if not node.args:
        weight = Fraction(weights.get(node, 0))
        return sympy.S.NaN if node == 0 else sympy.Rational(weight.numerator, weight.denominator)
    parts = [_of_parts(part, weights) for part in node.args]
    if None in parts:
        return None
    if isinstance(node, sympy.Mul):
        return sum(parts)
    if isinstance(node, sympy.Pow) and node.exp.is_Rational:
        return parts[0] * node.exp
    if isinstance(node, sympy.Add | sympy.Abs | sympy.Max | sympy.Min):
        alike = set(parts) - {sympy.S.NaN}
        return None if len(alike) > 1 else min(alike, default=sympy.S.NaN)
    return sympy.S.Zero if set(parts) <= {sympy.S.Zero, sympy.S.NaN} else None
