"""The symbols that the pages share, and the divergences of the table."""

from rgm_verify.pages import *

NOTATION = Notation()
alpha = NOTATION.real("alpha", "order of the Renyi divergence", lower=1, lower_open=True)
epsilon = NOTATION.positive("epsilon", "bound on the divergence")
L = NOTATION.positive("L", "logarithm of 1/delta")
lamda = NOTATION.positive("lambda", "scale of the Laplace noise, in units of the sensitivity")
sigma = NOTATION.positive("sigma", "standard deviation of the Gaussian noise, in units of the sensitivity")
p = NOTATION.real("p", "probability of the true answer", lower=Rational(1, 2), upper=1, upper_open=True)
mu = NOTATION.real("mu", "distance of two means")

#: The moment of the Laplace mechanism; its logarithm over the excess of the order is the divergence.
laplace = alpha * exp((alpha - 1) / lamda) / (2 * alpha - 1) + (alpha - 1) * exp(-alpha / lamda) / (2 * alpha - 1)
#: That of randomised response.
response = p**alpha * (1 - p) ** (1 - alpha) + (1 - p) ** alpha * p ** (1 - alpha)
#: The divergence of order 1 of each.
laplace_mean = 1 / lamda + exp(-1 / lamda) - 1
response_mean = (2 * p - 1) * log(p / (1 - p))
