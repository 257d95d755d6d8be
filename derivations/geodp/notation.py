"""Symbols that the pages on the paper about GeoDP share."""

from rgm_verify.pages import *

NOTATION = Notation()

d = NOTATION.natural("d", "number of coordinates of a gradient")
B = NOTATION.natural("B", "number of records in a batch")
C = NOTATION.positive("C", "clipping threshold")
G = NOTATION.positive("G", "largest norm of a gradient")
eta = NOTATION.positive("eta", "learning rate", latex=r"\eta")
sigma = NOTATION.positive("sigma", "noise multiplier", latex=r"\sigma")
beta = NOTATION.real("beta", "bounding factor", lower=0, lower_open=True, upper=1, latex=r"\beta")
epsilon = NOTATION.positive("epsilon", "level of privacy", latex=r"\epsilon")
delta = NOTATION.real("delta", "probability of failure", lower=0, lower_open=True, upper=1, upper_open=True)

#: Vectors of any length: the gradient that is released, the noise, the model and its optimum.
g, noise = MatrixSymbol("g", d, 1), MatrixSymbol("n", d, 1)
w, optimum = MatrixSymbol("w", d, 1), MatrixSymbol("w_*", d, 1)


def phi(x: Expr) -> Expr:
    """Write the standard normal distribution function."""
    return (1 + erf(x / sqrt(2))) / 2


def hockey_stick(distance: Expr) -> Expr:
    """Write the least delta of two Gaussians, `distance` deviations apart, at the level epsilon."""
    return phi(distance / 2 - epsilon / distance) - exp(epsilon) * phi(-distance / 2 - epsilon / distance)


def ours(page: Page, what: str) -> Any:
    """Return the place of a claim of our own that belongs to a statement of the paper."""
    return page.elsewhere(f"to GeoDP: {what}", source="beyond")
