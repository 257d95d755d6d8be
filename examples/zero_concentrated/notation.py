"""The symbols that the pages share."""

from rgm_verify.pages import *

NOTATION = Notation()
alpha = NOTATION.real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)
rho = NOTATION.positive("rho", "rate of the divergence per unit of order")
xi = NOTATION.nonnegative("xi", "offset of the divergence")
epsilon = NOTATION.positive("epsilon", "bound on the privacy loss")
L = NOTATION.positive("L", "logarithm of 1/delta")
sigma = NOTATION.positive("sigma", "standard deviation of the noise")
Delta = NOTATION.positive("Delta", "sensitivity of the query")
