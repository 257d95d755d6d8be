"""Statements that users of the paper make, and that are wrong, with what holds of subsampling instead."""

from rgm_verify.pages import *

from .mechanisms import page as mechanisms
from .notation import *

page = Page("users of Mironov 2017", "often seen", mechanisms)
q = page.real("q", "probability that a record is in the sample", lower=0, upper=1)
best = epsilon + L / (alpha - 1)

divided_by_the_order = page.remark(
    "renyi:conversion-by-the-order",
    "The conversion with the order in the place of its excess",
    le(best, epsilon + L / alpha),
    mistake=("wrong constant", "renyi:to-approximate"),
)

laplace_at_one = page.remark(
    "renyi:laplace-at-one-as-pure",
    "Pure privacy as the limit of the Laplace mechanism at the order 1",
    eq(At(Derivative(laplace, alpha), alpha, 1), 1 / lamda),
    mistake=("false", "renyi:laplace-at-order-one"),
)

laplace_as_gaussian = page.remark(
    "renyi:laplace-as-gaussian",
    "The Laplace mechanism by its variance, as if its noise were Gaussian",
    le(log(laplace), (alpha - 1) * alpha / (4 * lamda**2)),
    mistake=("false", "renyi:laplace-mean-by-gauss"),
)

laplace_at_infinity = page.remark(
    "renyi:laplace-at-infinity",
    "The whole moment of pure privacy at every order",
    ge(laplace, exp((alpha - 1) / lamda)),
    mistake=("false", "renyi:laplace-at-large-orders"),
)

twice_per_doubling = page.remark(
    "renyi:groups-at-twice",
    "A doubling of a group at twice the divergence, with the order halved",
    le((alpha - Rational(1, 2)) / (alpha - 1) * epsilon + epsilon, 2 * epsilon),
    mistake=("wrong constant", "renyi:groups"),
)

quadratic_in_the_sample = page.remark(
    "renyi:subsampling-by-the-square",
    "The square of the sampling probability times the divergence at order 2",
    le(log(1 + q**2 * (exp(1 / sigma**2) - 1)), q**2 / sigma**2),
    mistake=("wrong constant", "renyi:subsampling-at-order-two"),
)

at_order_two = page.correction(
    "renyi:subsampling-at-order-two",
    "What sampling leaves of the divergence at order 2",
    both(
        le(log(1 + q**2 * (exp(1 / sigma**2) - 1)), q**2 * (exp(1 / sigma**2) - 1)),
        le(log(1 + q**2 * (exp(1 / sigma**2) - 1)), 1 / sigma**2),
    ),
    wrong={"linear in the square": le(log(1 + q**2 * (exp(1 / sigma**2) - 1)), q**2 / sigma**2)},
)

linear_in_the_sample = page.remark(
    "renyi:subsampling-by-the-probability",
    "The sampling probability times epsilon for a pure mechanism",
    le(log(1 + q * (exp(epsilon) - 1)), q * epsilon),
    mistake=("wrong constant", "renyi:subsampling-of-pure-privacy"),
)

pure_subsampling = page.correction(
    "renyi:subsampling-of-pure-privacy",
    "What sampling leaves of a pure mechanism",
    both(
        le(log(1 + q * (exp(epsilon) - 1)), q * (exp(epsilon) - 1)),
        le(log(1 + q * (exp(epsilon) - 1)), epsilon),
    ),
    wrong={"linear in epsilon": le(log(1 + q * (exp(epsilon) - 1)), q * epsilon)},
)
