"""The basic mechanisms: randomised response, Laplace and Gaussian noise."""

from sympy import Integral

from rgm_verify.pages import *

from .notation import *

page = Page("Mironov 2017", "Section VI", NOTATION)
x = page.real("x", "output of the mechanism")
u = Symbol("u", real=True)
half = Rational(1, 2)

response_above = page.at("Proposition 5", "response").proposition(
    "renyi:response-below-pure",
    "Randomised response at any order is below its pure privacy",
    le(log(response), (alpha - 1) * log(p / (1 - p))),
    wrong={"turned": turned(), "half": (alpha - 1) * log(p / (1 - p)) / 2},
)

response_mean_below = page.at("Proposition 5", "response-mean").proposition(
    "renyi:mean-of-response",
    "The divergence of order 1 is below pure privacy",
    le(response_mean, log(p / (1 - p))),
    wrong={"half": log(p / (1 - p)) / 2, "the probability itself": left(2 * p * log(p / (1 - p)))},
)

response_mean_square = page.at("Proposition 5", "response-mean").remark(
    "renyi:mean-of-response-by-odds",
    "The divergence of order 1 is at most half the square of the logarithm of the odds",
    le(response_mean, log(p / (1 - p)) ** 2 / 2),
    wrong={"two fifths": 2 * log(p / (1 - p)) ** 2 / 5, "turned": turned()},
)

outside = page.at("proof of Proposition 6", "laplace").claim(
    "proof step",
    "renyi:laplace-outside",
    "The two outer parts of the moment of the Laplace mechanism",
    eq(Integral(exp(u / lamda), (u, 0, x)), lamda * (exp(x / lamda) - 1)),
    wrong={"without the scale": exp(x / lamda) - 1, "without the end": lamda * exp(x / lamda)},
)

between = page.at("proof of Proposition 6", "laplace").claim(
    "proof step",
    "renyi:laplace-between",
    "The three parts of the moment add up to the stated one",
    eq(
        exp((alpha - 1) / lamda) * half
        + (exp((alpha - 1) / lamda) - exp(-alpha / lamda)) / (2 * (2 * alpha - 1))
        + exp(-alpha / lamda) * half,
        laplace,
    ),
    wrong={"without the part between": left(exp((alpha - 1) / lamda) * half + exp(-alpha / lamda) * half)},
)

laplace_below = page.at("Table II", "laplace-limit").proposition(
    "renyi:laplace-below-pure",
    "The Laplace mechanism at any order is below its pure privacy",
    le(log(laplace), (alpha - 1) / lamda),
    "Pure privacy is what the divergence tends to as the order grows.",
    wrong={"turned": turned(), "half": (alpha - 1) / (2 * lamda)},
)

laplace_limit = page.at("Proposition 6", "laplace-limit").proposition(
    "renyi:laplace-at-large-orders",
    "At large orders the moment keeps more than half of that of pure privacy",
    ge(laplace, exp((alpha - 1) / lamda) / 2),
    "Over the excess of the order, the logarithm of a half tends to 0.",
    wrong={"two thirds": 2 * exp((alpha - 1) / lamda) / 3, "turned": turned()},
)

laplace_at_two = page.at("Table II", "table").numeric(
    "renyi:laplace-at-order-two",
    "The moment at order 2",
    eq(At(laplace, alpha, 2), Rational(2, 3) * exp(1 / lamda) + exp(-2 / lamda) / 3),
    wrong={"halves": (exp(1 / lamda) + exp(-2 / lamda)) / 2},
)

laplace_slope = page.at("Proposition 6", "laplace-mean").proposition(
    "renyi:laplace-at-order-one",
    "The divergence of order 1 is the slope of the moment at the order 1",
    eq(At(Derivative(laplace, alpha), alpha, 1), laplace_mean),
    wrong={"without the exponential": 1 / lamda - 1, "twice": 2 * laplace_mean},
)

laplace_mean_square = page.at("Proposition 6", "laplace-mean").remark(
    "renyi:laplace-mean-by-gauss",
    "The divergence of order 1 is at most half the squared pure privacy",
    le(laplace_mean, 1 / (2 * lamda**2)),
    wrong={"a third": 1 / (3 * lamda**2), "turned": turned()},
)

laplace_from_one = page.at("Table II", "monotone").remark(
    "renyi:laplace-above-order-one",
    "At order 2 the divergence is above that of order 1",
    ge(At(log(laplace), alpha, 2), laplace_mean),
    wrong={"turned": turned(), "twice": 2 * laplace_mean},
)

gaussian = page.at("Proposition 7", "gaussian").proposition(
    "renyi:gaussian",
    "The exponents of two normal densities complete a square",
    eq(
        -alpha * (x - mu) ** 2 / (2 * sigma**2) - (1 - alpha) * x**2 / (2 * sigma**2),
        -((x - alpha * mu) ** 2) / (2 * sigma**2) + (alpha - 1) * alpha * mu**2 / (2 * sigma**2),
    ),
    wrong={"linear": -((x - alpha * mu) ** 2) / (2 * sigma**2) + (alpha - 1) * mu**2 / (2 * sigma**2)},
)
