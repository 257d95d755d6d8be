"""The plain Gaussian mechanism: the exponent of its Renyi divergence, and a remark that is wrong.

Every claim at the top level of a file is found; the names of files and of Python variables do not matter.
"""

from rgm_verify.pages import *

# A symbol is declared once, with its meaning and its domain.
page = Page("own paper")
alpha = page.real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)
Delta = page.positive("Delta", "distance of the two means")
sigma = page.positive("sigma", "standard deviation of the noise")
x = page.real("x", "point of the line")
u = Symbol("u", real=True)  # the variable of integration
scale = Symbol("s", positive=True)  # where the divergence is taken at another noise


def log_density(at: Expr, mean: Expr | int) -> Expr:
    """The logarithm of the normal density at a point, without its constant."""
    return -((at - mean) ** 2) / (2 * sigma**2)


def divergence(scale: Expr) -> Expr:
    """The cost that is stated for the mechanism when its noise has the standard deviation `scale`."""
    return alpha * Delta**2 / (2 * scale**2)


def exponent(at: Expr) -> Expr:
    """The logarithm of p^alpha q^(1 - alpha), without its constant."""
    return alpha * log_density(at, Delta) + (1 - alpha) * log_density(at, 0)


constant = (alpha - 1) * divergence(sigma)

completing_the_square = page.at("proof of Proposition 1", "proposition-1").claim(
    "proof step",
    "own:completing-the-square",
    "The exponent is Gaussian, up to a constant",
    eq(exponent(x), log_density(x, alpha * Delta) + constant),
    r"$p^\alpha q^{1-\alpha}$ is a multiple of the normal density around $\alpha\Delta$.",
    by=(
        Identity(),
        # A second route, which shares no code with the first: the integral itself, with rigorous bounds.
        Quadrature(
            log_integrand=exponent(u),
            variable=u,
            prefactor=1 / sqrt(2 * pi * sigma**2),
            closed_form=exp(constant),
        ),
    ),
    # Where to choose points: the claim holds on its whole domain, but an integral is quicker at ordinary values.
    points={alpha: (1, 16), Delta: (0, 4), sigma: (Rational(1, 2), 4), x: (-8, 8)},
    wrong={
        "the constant subtracted": log_density(x, alpha * Delta) - constant,
        "centred at the mean": log_density(x, Delta) + constant,
    },
    steps=(
        Step("Both densities carry the same constant, which leaves the integral once."),
        Step(r"What remains is a normal density times $e^{\alpha(\alpha-1)\Delta^2/(2\sigma^2)}$."),
        Step(r"The logarithm of its integral, divided by $\alpha-1$, is $\alpha\Delta^2/(2\sigma^2)$."),
    ),
)

half_the_noise = page.at("remark after Proposition 1", "remark-1").remark(
    "own:half-the-noise",
    "What half the noise costs, as printed",
    eq(divergence(sigma / 2), 2 * divergence(sigma)),
    # This explains a refutation; it takes no part in finding it.
    mistake=("wrong constant", "own:half-the-noise-corrected"),
)

at_half = At(divergence(scale), scale, sigma / 2)
half_the_noise_corrected = page.at("remark after Proposition 1").correction(
    "own:half-the-noise-corrected",
    "What half the noise costs",
    eq(at_half, 4 * divergence(sigma)),
    wrong={"doubles": 2 * divergence(sigma), "eight times": 8 * divergence(sigma)},
)
