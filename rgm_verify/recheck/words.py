"""A certificate in words: the mechanism with all its numbers, both ends, and decimals rounded to a side."""

from __future__ import annotations

from fractions import Fraction

from rgm_verify.recheck.certificate import Certificate
from rgm_verify.recheck.mechanisms import (
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Divergent,
    Factored,
    Grouped,
    Guaranteed,
    Laplace,
    Mechanism,
    Noised,
    Randomised,
    Relative,
    Sampled,
    Selected,
    Single,
    Thresholded,
    Truncated,
    Vector,
    WholeVector,
    releases_of,
)


def described(mechanism: Mechanism, neighbours: str = "") -> str:
    """Return all releases in words, with their neighbours, those that a certificate names among them."""
    releases = releases_of(mechanism)
    found = "; ".join(map(_in_words, releases))
    if len(releases) > 1 or releases[0].steps > 1:
        found += "; queries may depend on all outputs before"
    if isinstance(mechanism, Grouped):
        found += f"; for groups of {mechanism.records} records, with the sensitivities and neighbours of one record"
    if neighbours:
        found += f"; all for the neighbours {neighbours}"
    return found


_WORDS: dict[type[Single], str] = {
    Relative: "the relative Gaussian mechanism, releases: {r.steps}, eta {r.eta}, gamma {r.gamma}, {r.dimension} "
    "dimensions, r_rel {r.r_rel}, sigma2 {r.sigma2}, neighbours those of this sensitivity",
    Noised: "Gaussian noise, releases: {r.steps}, noise multiplier {r.noise}",
    Factored: "the matrix mechanism, runs: {r.steps}, strategy {r.strategy}{own}, rounds {r.rounds}, noise multiplier "
    "{r.noise} over what neighbours change in the sum of a round, each record in at most {r.participations} rounds "
    "that are at least {r.separation} apart",
    Thresholded: "histograms with Gaussian noise on the cells with a record, releases: {r.steps}, sigma {r.sigma}, "
    "shown above the threshold {r.threshold}, neighbours that differ in at most {r.cells} cells, by at most 1; the "
    "lower end is for those that are alone in no cell",
    Guaranteed: "mechanisms of which only the guarantee is known: {r.steps}, each with epsilon {r.loss} and delta "
    "{r.failing}, in both orders of its neighbours; the lower end is that of the worst of them",
    Concentrated: "mechanisms of which only zero-concentrated privacy is known: {r.steps}, each with rho {r.rho}, in "
    "both orders of its neighbours; the lower end is that of Gaussian noise, one of them",
    Divergent: "mechanisms of which only Renyi divergences are known: {r.steps}, each with at most {own}, in both "
    "orders of its neighbours; the lower end is that of Gaussian noise, one of them",
    Selected: "the candidate with the largest score and {r.noise} noise, choices: {r.steps}, epsilon of one {r.loss}, "
    "which is scale {own} where scores may change in both directions, neighbours those of the sensitivity; the lower "
    "end is that of two candidates",
    Laplace: "Laplace noise on one number, releases: {r.steps}, scale {r.scale} times the sensitivity, neighbours "
    "those of the sensitivity",
    DiscreteLaplace: "discrete Laplace noise on one whole number, releases: {r.steps}, scale {r.scale}, sensitivity "
    "{r.distance}, neighbours those of the sensitivity",
    Vector: "{own} noise on every coordinate of a vector, releases: {r.steps}, scale {r.scale}, sensitivity {r.all} in "
    "the 1-norm and {r.one} in each coordinate, neighbours those of the sensitivity",
    WholeVector: "discrete Gaussian noise on every coordinate of a vector of whole numbers, releases: {r.steps}, sigma "
    "{r.sigma}, squared sensitivity {r.square} in the Euclidean norm, neighbours those of the sensitivity; the lower "
    "end is that of neighbours that change {r.square} coordinates by 1",
    DiscreteGaussian: "discrete Gaussian noise on one whole number, releases: {r.steps}, sigma {r.sigma}, sensitivity "
    "{r.distance}, neighbours those of the sensitivity",
    Sampled: "DP-SGD, steps: {r.steps}, sampling rate {r.rate}, noise multiplier {r.noise}, sampler {r.sampler}, "
    "neighbours {r.adjacency}{own}",
    Truncated: "DP-SGD, steps: {r.steps}, sampling rate {r.rate}, noise multiplier {r.noise}, Poisson batches cut to "
    "{r.limit} records, data sets of up to {r.size}, neighbours {r.adjacency}; the lower end is that of a data set "
    "whose batches are not cut",
    Randomised: "randomised response of a record, answers given: {r.steps}, {own}, possible answers: {r.answers}, "
    "neighbours replace-one",
}


def _in_words(release: Single) -> str:
    """Return mechanism, numbers, sampler and neighbours of one kind of release."""
    return _WORDS[type(release)].format(r=release, own=_own(release))


def _own(release: Single) -> str:
    """Return what a kind has to be said of in words of its own."""
    match release:
        case Factored():
            given = {"bands": release.bands, "coefficients": release.coefficients, "matrix": release.matrix}
            return "".join(f", {name} {_listed(value)}" for name, value in given.items() if value is not None)
        case Divergent():
            return ", ".join(f"{value} at {order}" for order, value in release.curve)
        case Selected():
            return str(2 / release.loss)
        case Vector():
            return "discrete Laplace" if release.discrete else "Laplace"
        case Sampled(records=records) if records > 1:
            return f" in all of up to {records} records of a user"
        case Randomised():
            return f"epsilon {release.loss} of one answer" if release.truth is None else f"truth {release.truth}"
    return ""


def _listed(value: object) -> str:
    """Return a number, or numbers of several ranks."""
    return f"({', '.join(map(_listed, value))})" if isinstance(value, tuple) else str(value)


def statement(certificate: Certificate) -> tuple[str, ...]:
    """Return each end that is stated as a sentence: what the mechanism is private with, and what it is not."""
    given, name = certificate.given, certificate.quantity
    other = "delta" if name == "epsilon" else "epsilon"
    found = []
    if certificate.upper is not None:
        text = decimal(certificate.upper)
        found.append(f"upper end: at {other} {decimal(given)} the mechanism is private with {name} = {text}")
    if certificate.lower is not None:
        text = decimal(certificate.lower, up=False)
        found.append(f"lower end: at {other} {decimal(given)} it is not private with any {name} below {text}")
    return tuple(found)


def decimal(value: Fraction, *, up: bool = True) -> str:
    """Return a number >= 0 for reading, rounded to the side asked for at the 17th digit.

    Examples:
        >>> decimal(Fraction(1, 3)), decimal(Fraction(1, 3), up=False)
        ('3.3333333333333334e-1', '3.3333333333333333e-1')
    """
    if value == 0:
        return "0"
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    if value < Fraction(10) ** exponent:
        exponent -= 1
    scaled = value / Fraction(10) ** (exponent - 16)
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    digits = str(whole).rstrip("0")
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    exponent += len(str(whole)) - 17
    return mantissa + (f"e{exponent}" if exponent else "")
