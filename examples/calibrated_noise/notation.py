"""The symbols that the pages share."""

from rgm_verify.pages import *

NOTATION = Notation()
epsilon = NOTATION.positive("epsilon", "bound on the privacy loss")
delta = NOTATION.real("delta", "probability of a larger loss", lower=0, upper=1, lower_open=True, upper_open=True)
sigma = NOTATION.positive("sigma", "standard deviation of the noise")
Delta = NOTATION.positive("Delta", "sensitivity of the query")
m = NOTATION.positive("m", "sensitivity in units of the noise")
alpha = NOTATION.real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)


def normal(at: Expr) -> Expr:
    """The distribution function of the standard normal law."""
    return erfc(-at / sqrt(2)) / 2


def profile(loss: Expr, ratio: Expr) -> Expr:
    """The least delta of the Gaussian mechanism whose sensitivity is `ratio` standard deviations."""
    return normal(ratio / 2 - loss / ratio) - exp(loss) * normal(-ratio / 2 - loss / ratio)
