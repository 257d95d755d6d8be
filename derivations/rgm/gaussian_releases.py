"""Gaussian records, tests with Laplace noise, and noisy gradients: what both checks look at.

The squared norm of a Gaussian vector exceeds a level exactly where the privacy loss of two centred outputs with the
variances 1 and 1/2 exceeds another one. So chi-square tails are tails of a loss, with the densities of the vectors.
"""

from rgm_verify.lenses.distributions.mechanisms import Y, laplace, normal
from rgm_verify.pages import *

#: One record on the line.
RECORD = normal(0, 1)


def norm_above(level: Expr, dimension: Expr | int) -> Of:
    """The probability that the squared norm of a standard normal vector exceeds a level."""
    pair = Outputs((), (), dimension, variances=(Integer(1), Rational(1, 2)))
    return Of(LossAbove(level / 2 - dimension * log(2) / 2), pair)


def kept(square: Expr) -> Chance:
    """A record on the line is inside of the threshold whose square is given."""
    return Chance(square - Y**2)


def kept_square(square: Expr) -> Mean:
    """The mean of the square of a record on the line, counted where it is inside."""
    return Mean(Y**2, (0, square), square - Y**2)


def of_readings(
    readings: Iterable[Reading], points: Iterable[Mapping[Symbol, Any]], sampled: Iterable[Mapping[Symbol, Any]] = ()
) -> tuple[Lens, Lens]:
    """Both checks of a claim with several quantities; the first point for releases unless others are given."""
    found, made = tuple(readings), tuple(points)
    return Unreduced(found, at=made), Released(found, at=tuple(sampled) or made[:1])


def of_tails(parts: Mapping[Expr, tuple[Expr, Expr | int]], *points: Mapping[Symbol, Any]) -> tuple[Lens, Lens]:
    """Both checks of a claim in which expressions are chi-square tails, by their levels and degrees of freedom."""
    tails = {part: norm_above(*sizes) for part, sizes in parts.items()}
    return of_readings((Reading(part, of.quantity, of.outputs) for part, of in tails.items()), points)


def of_passing(
    parts: tuple[Expr, ...], margins: tuple[Expr, Expr], scale: Expr, *points: Mapping[Symbol, Any]
) -> tuple[Lens, Lens]:
    """Both checks of a claim in which `parts` are the probabilities that a test with Laplace noise is passed.

    Args:
        parts: For the one data set, and for its neighbour.
        margins: The statistic minus the threshold, for both.
        scale: The scale of the noise.
    """
    pair = laplace(*margins, scale)
    return of_readings(
        (Reading(part, Chance(Y, under), pair) for part, under in zip(parts, SIDES, strict=False)), points
    )
