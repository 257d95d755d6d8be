"""The discrete Gaussian: its sampler, its privacy, and the conversion that the paper states for all mechanisms."""

from sympy import Sum, sinh

from rgm_verify.pages import *

from .notation import *

page = Page("Canonne, Kamath and Steinke 2020", "Sections 2 to 5", NOTATION)
x = page.real("x", "an integer, as a real number")
shift = page.real("b", "distance of the two means")
y = page.nonnegative("y", "size of a proposal")
t = page.positive("t", "scale of the proposals")
rho = page.positive("rho", "rate of the divergence per unit of order")
z = page.real("z", "value of the privacy loss")
gamma = page.real("gamma", "parameter of the exponential coin", lower=0, upper=1)
k = page.natural("k", "number of steps")
_i = Symbol("i", integer=True)


def weight(at: Expr) -> Expr:
    """The exponent of the discrete Gaussian, without its constant."""
    return -(at**2) / (2 * sigma**2)


square = page.at("proof of Proposition 5", "completing-the-square").claim(
    "proof step",
    "discrete:completing-the-square",
    "The sum behind the divergence is that of a shifted discrete Gaussian",
    eq(
        alpha * weight(x - shift) + (1 - alpha) * weight(x),
        weight(x - alpha * shift) + alpha * (alpha - 1) * shift**2 / (2 * sigma**2),
    ),
    "A sum of the weights over a shifted lattice is largest at a shift by an integer, which gives the bound.",
    wrong={"linear in the order": weight(x - alpha * shift) + (alpha - 1) * shift**2 / (2 * sigma**2)},
)

sampler = page.at("Algorithm 3", "sampler").algorithm(
    "discrete:sampler",
    "Proposal times acceptance is the weight of the discrete Gaussian, up to a constant",
    eq(exp(-y / t) * exp(-((y - sigma**2 / t) ** 2) / (2 * sigma**2)), exp(weight(y)) * exp(-(sigma**2) / (2 * t**2))),
    points={sigma: (Rational(1, 2), 4), y: (0, 8), t: (Rational(1, 2), 4)},
    wrong={
        "another centre": left(exp(-y / t) * exp(-((y - sigma / t) ** 2) / (2 * sigma**2))),
        "no constant": exp(weight(y)),
    },
)

rate = page.at("proof of Theorem 36", "sampler-rate").claim(
    "proof step",
    "discrete:constant-of-the-sampler",
    "The constant of the sampler is at least exp(-1/2) where the proposals are as wide as the noise",
    ge(exp(-(sigma**2) / (2 * t**2)), exp(-Rational(1, 2))),
    given=Hypothesis("wide proposals", ge(t, sigma)),
    wrong={"exp(-1/3)": exp(-Rational(1, 3)), "without the hypothesis": without()},
)

laplace = page.at("Lemma 30", "discrete-laplace").lemma(
    "discrete:discrete-laplace",
    "The normaliser of the discrete Laplace law",
    eq((exp(1 / t) - 1) / (exp(1 / t) + 1) * (1 + 2 * exp(-1 / t) / (1 - exp(-1 / t))), 1),
    "One point at 0 and two geometric series.",
    wrong={"one series": left((exp(1 / t) - 1) / (exp(1 / t) + 1) * (1 + exp(-1 / t) / (1 - exp(-1 / t))))},
)

laplace_variance = page.at("Section 5.2", "discrete-laplace-variance").remark(
    "discrete:less-variance-than-laplace",
    "The discrete Laplace law has a smaller variance than the continuous one",
    le(2 * exp(epsilon) / (exp(epsilon) - 1) ** 2, 2 / epsilon**2),
    wrong={"half of it": 1 / epsilon**2, "turned": turned()},
)

laplace_variance_form = page.at("Section 5.2", "discrete-laplace-variance").remark(
    "discrete:variance-by-sinh",
    "That variance by a hyperbolic sine",
    eq(2 * exp(epsilon) / (exp(epsilon) - 1) ** 2, 1 / (2 * sinh(epsilon / 2) ** 2)),
    wrong={"a whole argument": 1 / (2 * sinh(epsilon) ** 2)},
)

odd_steps = page.at("Proposition 29", "odd-steps").proposition(
    "discrete:exponential-coin",
    "Stopping in pairs: two steps more add a term and the next one",
    ge(gamma ** (2 * k), gamma ** (2 * k + 1)),
    "The coin adds up the series of exp(-gamma) in pairs of falling terms, each of which is a probability.",
    wrong={"turned": turned(), "half": left(gamma ** (2 * k) / 2)},
)

constant = page.at("Corollary 13", "conversion").corollary(
    "discrete:forms-of-the-conversion",
    "Two forms of the constant of the conversion",
    eq((1 - 1 / alpha) ** (alpha - 1) / alpha, (1 - 1 / alpha) ** alpha / (alpha - 1)),
    wrong={"without the order": (1 - 1 / alpha) ** alpha},
)

pointwise = page.at("proof of Proposition 12", "conversion-of-the-loss").claim(
    "proof step",
    "discrete:loss-by-its-moment",
    "What a loss adds to delta is below its moment, at every order",
    le(Max(0, 1 - exp(epsilon - z)), exp((alpha - 1) * (z - epsilon)) * (1 - 1 / alpha) ** (alpha - 1) / alpha),
    wrong={
        "half of the moment": exp((alpha - 1) * (z - epsilon)) * (1 - 1 / alpha) ** (alpha - 1) / (2 * alpha),
        "the whole order below": exp((alpha - 1) * (z - epsilon)) * (1 - 1 / alpha) ** alpha / alpha,
    },
)

better = page.at("after Corollary 13", "conversion-is-better").remark(
    "discrete:better-conversion",
    "The conversion is never worse than the usual one",
    le(
        alpha * rho + log(1 / (alpha * delta)) / (alpha - 1) + log(1 - 1 / alpha),
        alpha * rho + log(1 / delta) / (alpha - 1),
    ),
    wrong={"by a half": alpha * rho + log(1 / delta) / (2 * (alpha - 1)), "turned": turned()},
)

epsilon_of_delta = page.at("Corollary 13", "conversion").corollary(
    "discrete:epsilon-of-the-conversion",
    "The delta of the epsilon that the conversion gives",
    eq(
        (alpha - 1) * (alpha * rho - (alpha * rho + log(1 / (alpha * delta)) / (alpha - 1) + log(1 - 1 / alpha)))
        + (alpha - 1) * log(1 - 1 / alpha)
        - log(alpha),
        log(delta),
    ),
    wrong={"half of it": log(delta) / 2},
)

normaliser = page.at("Fact 18", "normaliser").lemma(
    "discrete:normaliser",
    "A partial sum of the weights is at most one more than the integral of all of them",
    le(1 + 2 * Sum(exp(-(_i**2) / (2 * sigma**2)), (_i, 1, k)), 1 + sqrt(2 * pi) * sigma),
    wrong={"half of one more": Rational(1, 2) + sqrt(2 * pi) * sigma, "without the weights": 1 + sigma},
)
