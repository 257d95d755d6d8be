"""Proposition 1 put right: the relative sensitivity of ridge gradients on clipped features."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

from rgm_verify.errors import reject
from rgm_verify.learning.clipping.features import Map
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer


def proposition_1_eta_squared(
    radius: ExactInput, rho: ExactInput, records: ExactInput, condition_number: ExactInput, clipped_by: Map
) -> Fraction:
    """Return `eta^2` of ridge gradients with features clipped by `C` to `radius`; exact, an upper bound.

    `6 K radius^4 / (rho n)^2` with `K = (1 + kappa)^2 / (4 kappa)` for features clipped by `both norms` and
    `K = kappa` for the `ellipsoid`; `condition_number` is a bound on kappa, that of `C`: give it rounded up. The
    absolute part that goes with it is `R_rel^2 = 3 |x (x.t - y) - x' (x'.t - y')|^2 / n^2`, the larger of its values at
    the two minimisers `t`.
    One record is replaced. It needs `X^T X / n + mu I >= rho C` at both neighbours: for the data at hand alone it says
    nothing (claim `rgm-v2:one-dataset-is-not-enough`).
    Raises `InputError` for numbers that are not positive, `condition_number < 1` and another map.
    Source: claims `beyond:proposition-1`, `beyond:clipped-point`, `beyond:ellipsoid-clipped-point`.
    """
    bound = positive(radius, name="radius", meaning="the clipping radius")
    level = positive(rho, name="rho", meaning="the proposed level rho")
    n = positive_integer(records, name="records", meaning="the number of records")
    kappa = positive(condition_number, name="condition_number", meaning="a condition number")
    if kappa < 1:
        raise reject("condition_number", condition_number, "a condition number must be >= 1")
    if clipped_by not in get_args(Map):
        raise reject("clipped_by", clipped_by, f"allowed are {', '.join(get_args(Map))}")
    factor = (1 + kappa) ** 2 / (4 * kappa) if clipped_by == "both norms" else kappa
    return 6 * factor * bound**4 / (level * n) ** 2
