"""Statements that users of the paper make, and that are wrong."""

from rgm_verify.pages import *

from .conversions import least
from .groups import k
from .groups import page as groups
from .notation import *
from .pure_privacy import response

page = Page("users of Bun and Steinke 2016", "often seen", groups)

linear_groups = page.remark(
    "zcdp:linear-groups",
    "Group privacy as for pure privacy, linear in the size",
    le(k**2 * rho, k * rho),
    "The true rate of a group on the left, the one that is used on the right.",
    mistake=("wrong constant", "zcdp:groups"),
)

without_the_rate = page.remark(
    "zcdp:conversion-with-one-root",
    "The conversion by the root of 2 rho log(1/delta), as for the tail of one Gaussian",
    le(least, rho + sqrt(2 * rho * L)),
    mistake=("wrong constant", "zcdp:to-approximate"),
)

dropped_rate = page.remark(
    "zcdp:conversion-without-the-rate",
    "The conversion without its first term",
    ge(2 * sqrt(rho * L), least),
    mistake=("wrong constant", "zcdp:to-approximate"),
)

quarter = page.remark(
    "zcdp:pure-at-a-quarter",
    "A quarter of the square of epsilon as the rate of pure privacy",
    le(log(response), (alpha - 1) * alpha * epsilon**2 / 4),
    mistake=("wrong constant", "zcdp:pure"),
)

back_to_pure = page.remark(
    "zcdp:back-to-pure",
    "A rate of half the square of epsilon as if it bounded the loss by epsilon",
    le(At(least, rho, epsilon**2 / 2), epsilon),
    mistake=("false", "zcdp:to-approximate"),
)

root_of_compositions = page.remark(
    "zcdp:root-of-compositions",
    "Rates that add up like standard deviations",
    le(k * rho, sqrt(k) * rho),
    mistake=("wrong constant", "zcdp:composition"),
)

noise_without_its_two = page.remark(
    "zcdp:noise-without-its-two",
    "The noise for a rate without the two below the root",
    le(Delta**2 / (2 * (Delta / (2 * sqrt(rho))) ** 2), rho),
    mistake=("wrong constant", "zcdp:noise-for-a-rate"),
)
