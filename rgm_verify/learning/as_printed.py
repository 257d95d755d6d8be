"""Formulas as the paper prints them, for comparison only: each docstring says what is wrong, and which claim says so.

None of these is safe to use: neither privacy nor utility follows from them. All are exact.
"""

from __future__ import annotations

from fractions import Fraction

from rgm_verify.exact import ExactInput, nonnegative, positive, positive_integer


def largest_step(smoothness: ExactInput, gamma: ExactInput) -> Fraction:
    """Return `1 / (L + gamma)`, the largest step of Theorem 2 as printed.

    Wrong: it adds a number with the unit of the loss to one without, and the dimension is missing; iterates may diverge
    (claims `rgm:theorem-2`, `rgm:theorem-2-on-the-line`, `beyond:printed-step-diverges`). Use `utility.theorem_step`.
    """
    bound = positive(smoothness, name="smoothness", meaning="the smoothness L")
    return 1 / (bound + nonnegative(gamma, name="gamma", meaning="the noise ratio"))


def distance_bound(
    start: ExactInput, strong_convexity: ExactInput, *, step: ExactInput, steps: int, sigma2: ExactInput
) -> Fraction:
    """Return `(1 - tau mu)^t start + tau sigma2 / mu`, the bound of Theorem 2 on `E |theta_t - theta_*|^2` as printed.

    Wrong: the noise term lacks the factor d, and the step that it allows is too long (claims `rgm:theorem-2`,
    `rgm:variance-term`, `beyond:noise-floor-needs-dimension`). Use `utility.distance_bound`.
    """
    first = nonnegative(start, name="start", meaning="a squared distance")
    mu = positive(strong_convexity, name="strong_convexity", meaning="the strong convexity mu")
    tau = positive(step, name="step", meaning="the step size")
    base = nonnegative(sigma2, name="sigma2", meaning="the noise variance")
    return (1 - tau * mu) ** steps * first + tau * base / mu


def clipped_eta_squared(radius: ExactInput, rho: ExactInput, records: ExactInput) -> Fraction:
    """Return `6 radius^4 / (rho n)^2`, the relative sensitivity squared of Proposition 1 (v2) as printed.

    Wrong: squaring does not keep the order of matrices, so that the condition number of `C` is missing (claims
    `rgm-v2:order-of-squares`, `rgm-v2:proposition-1`). Use `sensitivity.clipped_eta_squared`.
    """
    bound = positive(radius, name="radius", meaning="the clipping radius")
    level = positive(rho, name="rho", meaning="the proposed level rho")
    return 6 * bound**4 / (level * positive_integer(records, name="records", meaning="the number of records")) ** 2


def clipped_eta_v1(radius: ExactInput, rho: ExactInput, records: ExactInput, omega: ExactInput) -> Fraction:
    """Return `6 radius^4 / (omega rho n)^2`, which version 1's Proposition 2 prints as `eta` itself.

    Wrong: what its proof bounds is `eta^2`, and with that it is the statement of version 2, whose condition number is
    missing (claim `rgm-v1:proposition-2`). Use `sensitivity.clipped_eta_squared`.
    """
    share = positive(omega, name="omega", meaning="the share of records that are not clipped")
    return clipped_eta_squared(radius, positive(rho, name="rho", meaning="the level rho") * share, records)


def clipping_variance(alpha: ExactInput, epsilon: ExactInput, clip: ExactInput, records: ExactInput) -> Fraction:
    """Return `alpha c^2 / (epsilon N^2)`, the noise variance of the experiments with clipping, as printed in (82).

    Wrong: half of what is needed where a record is replaced, twice of what is needed where one is added or removed
    (claims `rgm:clipping-noise-printed`, `beyond:clipping-noise`). Use `privacy.clipped_gradient_variance`.
    """
    order = positive(alpha, name="alpha", meaning="a Renyi order")
    level = positive(epsilon, name="epsilon", meaning="the privacy level")
    threshold = positive(clip, name="clip", meaning="the clipping threshold")
    return (
        order * threshold**2 / (level * positive_integer(records, name="records", meaning="a number of records") ** 2)
    )
