"""The plain Gaussian mechanism: the exponent of its Renyi divergence, and a remark that is wrong.

Every `Claim` at the top level of a file is found; the names of files and of Python variables do not matter.
"""

from __future__ import annotations

from sympy import Expr, Rational, Symbol, exp, pi, sqrt

from rgm_verify.claims import At, Chart, Claim, Mutant, Step, eq, positive, real
from rgm_verify.lenses import Identity, Quadrature

# A variable is declared once, with its meaning and its domain; formulas are written in its `symbol`.
order = real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)
distance = positive("Delta", "distance of the two means")
noise = positive("sigma", "standard deviation of the noise")
point = real("x", "point of the line")

alpha, Delta, sigma, x = order.symbol, distance.symbol, noise.symbol, point.symbol
u = Symbol("u", real=True)  # the variable of integration
scale = Symbol("s", positive=True)  # where the divergence is taken at another noise


def log_density(at: Expr, mean: Expr | int) -> Expr:
    """The logarithm of the normal density at a point, without its constant."""
    return -((at - mean) ** 2) / (2 * sigma**2)


def divergence(scale: Expr) -> Expr:
    """What the mechanism is said to cost when its noise has the standard deviation `scale`."""
    return alpha * Delta**2 / (2 * scale**2)


def exponent(at: Expr) -> Expr:
    """The logarithm of p^alpha q^(1 - alpha), without its constant."""
    return alpha * log_density(at, Delta) + (1 - alpha) * log_density(at, 0)


# Where to choose points: a claim holds on its whole domain, but an integral is quicker at ordinary values.
usual = Chart(
    ranges={alpha: (1, 16), Delta: (0, 4), sigma: (Rational(1, 2), 4), x: (-8, 8)},
    maps={alpha: alpha, Delta: Delta, sigma: sigma, x: x},
)

constant = (alpha - 1) * divergence(sigma)

completing_the_square = Claim(
    id="own:completing-the-square",
    refs=("proposition-1",),
    title="The exponent is Gaussian, up to a constant",
    source="own paper",
    where="proof of Proposition 1",
    kind="proof step",
    statement=r"$p^\alpha q^{1-\alpha}$ is a multiple of the normal density around $\alpha\Delta$.",
    variables=(order, distance, noise, point),
    conclusion=eq(exponent(x), log_density(x, alpha * Delta) + constant),
    checks=(
        Identity(),
        # A second route, which shares no code with the first: the integral itself, with rigorous bounds.
        Quadrature(
            log_integrand=exponent(u),
            variable=u,
            prefactor=1 / sqrt(2 * pi * sigma**2),
            closed_form=exp(constant),
        ),
    ),
    sampling=usual,
    mutants=(
        Mutant("the constant subtracted", conclusion=eq(exponent(x), log_density(x, alpha * Delta) - constant)),
        Mutant("centred at the mean", conclusion=eq(exponent(x), log_density(x, Delta) + constant)),
    ),
    derivation=(
        Step("Both densities carry the same constant, which leaves the integral once."),
        Step(r"What remains is a normal density times $e^{\alpha(\alpha-1)\Delta^2/(2\sigma^2)}$."),
        Step(r"The logarithm of its integral, divided by $\alpha-1$, is $\alpha\Delta^2/(2\sigma^2)$."),
    ),
)

half_the_noise = Claim(
    id="own:half-the-noise",
    refs=("remark-1",),
    title="What half the noise costs, as printed",
    source="own paper",
    where="remark after Proposition 1",
    kind="remark",
    statement="Halving the standard deviation of the noise doubles the divergence.",
    variables=(order, distance, noise),
    conclusion=eq(divergence(sigma / 2), 2 * divergence(sigma)),
    # These two explain a refutation; they take no part in finding it.
    category="wrong constant",
    corrected="own:half-the-noise-corrected",
)

half_the_noise_corrected = Claim(
    id="own:half-the-noise-corrected",
    title="What half the noise costs",
    source="own paper",
    where="remark after Proposition 1",
    kind="correction",
    statement="Halving the standard deviation of the noise makes the divergence four times as large.",
    variables=(order, distance, noise),
    conclusion=eq(At(divergence(scale), scale, sigma / 2), 4 * divergence(sigma)),
    checks=(Identity(),),
    mutants=(
        Mutant("doubles", conclusion=eq(At(divergence(scale), scale, sigma / 2), 2 * divergence(sigma))),
        Mutant("eight times", conclusion=eq(At(divergence(scale), scale, sigma / 2), 8 * divergence(sigma))),
    ),
)
