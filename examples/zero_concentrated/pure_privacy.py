"""Pure privacy in terms of concentrated privacy: randomised response is the worst case."""

from sympy import cosh, sinh

from rgm_verify.pages import *

from .notation import *

page = Page("Bun and Steinke 2016", "Section 3.1", NOTATION)
u = page.real("u", "logarithm of the odds")
response = (exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))

moment = page.at("proof of Proposition 3.3", "pure").claim(
    "proof step",
    "zcdp:moment-of-response",
    "The moment of randomised response by hyperbolic sines",
    eq(response, (sinh(alpha * epsilon) - sinh((alpha - 1) * epsilon)) / sinh(epsilon)),
    wrong={"a sum of sines": (sinh(alpha * epsilon) + sinh((alpha - 1) * epsilon)) / sinh(epsilon)},
)

pure = page.at("Proposition 1.4", "pure").proposition(
    "zcdp:pure",
    "Pure privacy has a rate of half the square of epsilon",
    le(log(response), (alpha - 1) * alpha * epsilon**2 / 2),
    "The left side is that of the worst pair of outputs with this epsilon, multiplied by the excess of the order.",
    wrong={"a third": (alpha - 1) * alpha * epsilon**2 / 3, "linear": (alpha - 1) * epsilon**2 / 2},
)

below_pure = page.at("after Proposition 1.4", "pure").remark(
    "zcdp:never-above-pure",
    "No order costs more than pure privacy itself",
    le(log(response), (alpha - 1) * epsilon),
    wrong={"half of it": (alpha - 1) * epsilon / 2, "turned": turned()},
)

hoeffding = page.at("proof of Proposition 3.3", "pure").claim(
    "proof step",
    "zcdp:hyperbolic-cosine",
    "The hyperbolic cosine is below a normal moment",
    le(cosh(u), exp(u**2 / 2)),
    "The moment of a fair sign is below that of a standard normal variable.",
    wrong={"two fifths": exp(2 * u**2 / 5), "linear": exp(u / 2)},
)

mean = page.at("proof of Proposition 3.3", "pure").claim(
    "proof step",
    "zcdp:mean-loss-of-response",
    "The mean loss of randomised response is at most half the square of epsilon",
    le(epsilon * (exp(epsilon) - 1) / (exp(epsilon) + 1), epsilon**2 / 2),
    wrong={"two fifths": 2 * epsilon**2 / 5, "linear": epsilon / 2},
)
