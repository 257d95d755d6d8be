r"""The pairs of outputs that can be the worst for (epsilon, delta): single pairs, and curves with one parameter.

Let m <= M be the norms of two admissible outputs and D = sqrt(eta^2 m^2 + r_rel^2). In units of the smaller variance
the pair is a squared distance S and a relative excess w of the larger variance, in one of the two orders. Four facts
leave little over, at epsilon >= 0:

1. The divergence grows with the distance: it is at its largest, min(D, M + m) (on the line M - m, or M + m if that
   is at most D).
2. At a fixed S, as a function of w, it falls and then rises: so M is as large or as small as it can be.
3. It grows with S at a fixed S/w, since equal noise added to both outputs can only make it smaller. Outputs t x, t y
   have the same S/w and the larger S for t > 1. So the outputs are at distance D, or t goes to infinity.

What remains are outputs on one ray at distance D (`outer`), outputs opposite each other at distance D (`inner`), the
limits of large outputs, and outputs of one norm. With z = eta m / D in [0, 1], kappa = sigma2 eta^2 / (gamma r_rel^2)
and N(z) = kappa + (1 - kappa) z^2: S = (eta^2 / gamma) / N; w is eta (eta + 2 z) / N (outer) or
eta (eta - 2 z) / N (inner).

Source: derived in `derivations/beyond/`: `hockey_stick` (1), `variance_ends` (2), `full_distance` (3),
`order_of_the_pair` and `order_on_the_line` (4), `pairs_that_remain` (the list), `outer_curve` (above the threshold),
`slope_along_pairs` (the slope).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.exact.below_threshold import Family, Polynomial, evaluate
from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.certified.slope import PairCurve
from rgm_verify.gaussians.pair import GaussianPair

Cell = tuple[Fraction, Fraction]
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Path:
    """Pairs S = numerator / spread, w = surplus / spread for low <= z <= high, each polynomial monotone there: exact.

    Wide against narrow; every pair is admissible or a limit of admissible ones, and so is each with P and Q exchanged.

    Attributes:
        spread: the smaller variance, up to a constant.
        surplus: the excess in the same unit.
        numerator: the squared distance in the same unit.
        low: the first place.
        high: the last place.
        dimension: of the outputs.
    """

    spread: Polynomial
    surplus: Polynomial
    numerator: Polynomial
    low: Fraction
    high: Fraction
    dimension: int

    def pair(self, z: Fraction) -> GaussianPair:
        """Return the pair at z."""
        spread, surplus, numerator = (evaluate(p, z) for p in (self.spread, self.surplus, self.numerator))
        return GaussianPair(numerator / spread, surplus / spread, self.dimension)

    def corners(self, cell: Cell) -> tuple[GaussianPair, ...]:
        """Return pairs whose largest divergence no pair of the cell exceeds: the largest S, with both ends of w.

        An upper bound over the cell. The polynomials are monotone there, so that ends of the cell give their ends; the
        corners need not be admissible. A cell of one point gives its pair.
        """
        if cell[0] == cell[1]:
            return (self.pair(cell[0]),)
        spreads, surpluses, numerators = (
            [evaluate(p, z) for z in cell] for p in (self.spread, self.surplus, self.numerator)
        )
        # Numerator and denominator each at its own end: more than any pair of the cell has, and exact.
        shift = max(numerators) / min(spreads)
        ends = max(surpluses) / min(spreads), min(surpluses) / max(spreads)
        return tuple(GaussianPair(shift, end, self.dimension) for end in ends)

    @property
    def reaches_equal_variances(self) -> bool:
        """Return whether w = 0 at an end."""
        return any(evaluate(self.surplus, z) == 0 for z in (self.low, self.high))

    @property
    def curve(self) -> PairCurve:
        """The same pairs in the form of which the slope of a divergence is known."""
        return PairCurve(self.spread, self.surplus, self.numerator, self.dimension)


def plain_pair(release: Release, spread: Fraction) -> GaussianPair:
    """Return two Gaussians of one variance at the squared distance `(eta^2 / gamma) / spread`."""
    return GaussianPair(release.eta**2 / (release.gamma * spread), 0, release.dimension)


def worst_points(release: Release) -> tuple[GaussianPair, ...]:
    """Return the single pairs, limits of admissible ones, that can be the worst; together with `worst_paths` all.

    The worst pair first, where the baseline noise covers it, and outputs of one norm. These are at distance D
    only if `D <= 2 m`, that is `z >= eta/2`; on the line only if `D = 2 m`, opposite each other.
    """
    points = [release.worst_pair] if release.baseline_covers else []
    if release.eta > 2:
        return (*points, plain_pair(release, release.eta**2 / 4))
    spreads = [_ONE] if release.dimension >= 2 or release.eta == 2 else []
    if release.r_rel > 0:
        spreads.append(evaluate(Family.of(release).spread, release.eta / 2))
    return (*points, plain_pair(release, min(spreads))) if spreads else tuple(points)


def worst_paths(release: Release) -> tuple[Path, ...]:
    """Return the curves of pairs, wide against narrow, that can hold the worst pair.

    `outer` below the threshold of the baseline noise; from it on, wide against narrow at epsilon >= 0, the divergence
    falls and then rises along it, from the first pair of `inner` to the worst pair, and the other order is no worse.
    `inner` unless the pairs of `worst_points` cover it by facts 1 and 2: in dimension >= 2, for `eta <= 2`, at or
    above the threshold. For `eta > 2` large outputs can be opposite each other, at distance M + m <= eta m.
    """
    # A curve that is searched in vain costs time, one that is left out the guarantee: each condition is a theorem.
    paths = []
    if not release.baseline_covers:
        paths.append(_at_full_distance(release, opposite=False))
    covered = release.baseline_covers and release.dimension >= 2 and release.eta <= 2
    if release.r_rel > 0 and not covered:
        paths.append(_at_full_distance(release, opposite=True))
    if release.eta > 2:
        paths.append(_opposite_at_infinity(release))
    return tuple(paths)


def _at_full_distance(release: Release, *, opposite: bool) -> Path:
    """Return the outputs at distance D on one ray, or opposite each other."""
    family, eta = Family.of(release), release.eta
    surplus = (eta**2, -2 * eta if opposite else 2 * eta)
    numerator = (eta**2 / release.gamma,)
    # Opposite each other the excess is negative beyond eta/2: those pairs are the same ones in the other order.
    high = min(_ONE, eta / 2) if opposite else _ONE
    return Path(family.spread, surplus, numerator, _ZERO, high, release.dimension)


def _opposite_at_infinity(release: Release) -> Path:
    """M = z m for 1 <= z <= eta - 1: S = (1 + z)^2 / gamma and w = z^2 - 1."""
    numerator = (1 / release.gamma, 2 / release.gamma, 1 / release.gamma)
    return Path((_ONE,), (-_ONE, _ZERO, _ONE), numerator, _ONE, release.eta - 1, release.dimension)
