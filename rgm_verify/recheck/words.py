"""A certificate in words: the mechanism with all its numbers, both ends, and decimals rounded to a side."""

from __future__ import annotations

from fractions import Fraction

from rgm_verify.recheck.certificate import Certificate
from rgm_verify.recheck.mechanisms import (
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Grouped,
    Guaranteed,
    Laplace,
    Mechanism,
    Noised,
    Relative,
    Sampled,
    Single,
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


def _in_words(release: Single) -> str:
    """Return mechanism, numbers, sampler and neighbours of one kind of release."""
    if isinstance(release, Relative):
        return (
            f"the relative Gaussian mechanism, releases: {release.steps}, eta {release.eta}, gamma {release.gamma}, "
            f"{release.dimension} dimensions, r_rel {release.r_rel}, sigma2 {release.sigma2}, neighbours those of this "
            "sensitivity"
        )
    if isinstance(release, Noised):
        return f"Gaussian noise, releases: {release.steps}, noise multiplier {release.noise}"
    if isinstance(release, Guaranteed):
        return (
            f"mechanisms of which only the guarantee is known: {release.steps}, each with epsilon {release.loss} "
            f"and delta {release.failing}, in both orders of its neighbours; the lower end is that of the worst of them"
        )
    if isinstance(release, Concentrated):
        return (
            f"mechanisms of which only zero-concentrated privacy is known: {release.steps}, each with rho "
            f"{release.rho}, in both orders of its neighbours; the lower end is that of Gaussian noise, one of them"
        )
    if isinstance(release, Laplace):
        return (
            f"Laplace noise on one number, releases: {release.steps}, scale {release.scale} times the sensitivity, "
            "neighbours those of the sensitivity"
        )
    if isinstance(release, DiscreteLaplace):
        return (
            f"discrete Laplace noise on one whole number, releases: {release.steps}, scale {release.scale}, "
            f"sensitivity {release.distance}, neighbours those of the sensitivity"
        )
    if isinstance(release, Vector):
        noise = "discrete Laplace" if release.discrete else "Laplace"
        return (
            f"{noise} noise on every coordinate of a vector, releases: {release.steps}, scale {release.scale}, "
            f"sensitivity {release.all} in the 1-norm and {release.one} in each coordinate, neighbours those of the "
            "sensitivity"
        )
    if isinstance(release, WholeVector):
        return (
            f"discrete Gaussian noise on every coordinate of a vector of whole numbers, releases: {release.steps}, "
            f"sigma {release.sigma}, squared sensitivity {release.square} in the Euclidean norm, neighbours those of "
            f"the sensitivity; the lower end is that of neighbours that change {release.square} coordinates by 1"
        )
    if isinstance(release, DiscreteGaussian):
        return (
            f"discrete Gaussian noise on one whole number, releases: {release.steps}, sigma {release.sigma}, "
            f"sensitivity {release.distance}, neighbours those of the sensitivity"
        )
    if isinstance(release, Sampled):
        return (
            f"DP-SGD, steps: {release.steps}, sampling rate {release.rate}, noise multiplier {release.noise}, "
            f"sampler {release.sampler}, neighbours {release.adjacency}"
            + (f" in all of up to {release.records} records of a user" if release.records > 1 else "")
        )
    if isinstance(release, Truncated):
        return (
            f"DP-SGD, steps: {release.steps}, sampling rate {release.rate}, noise multiplier {release.noise}, Poisson "
            f"batches cut to {release.limit} records, data sets of up to {release.size}, neighbours "
            f"{release.adjacency}; the lower end is that of a data set whose batches are not cut"
        )
    given = f"truth {release.truth}" if release.truth is not None else f"epsilon {release.loss} of one answer"
    return (
        f"randomised response of a record, answers given: {release.steps}, {given}, possible answers: "
        f"{release.answers}, neighbours replace-one"
    )


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
