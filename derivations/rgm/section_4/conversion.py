r"""Section 4.1, from Rényi privacy to (epsilon, delta): Proposition 3 of Mironov (2017), which the paper quotes.

Fix an event and let p and q be its probabilities under two neighbours. A Rényi bound on the whole output is one on the
event (data processing): p^alpha q^(1-alpha) <= e^((alpha-1) epsilon). The rest is about two numbers: either
p <= delta, or p <= e^epsilon' q. It is proved in logarithms, and then for the numbers by 1 + x <= e^x alone.
"""

from rgm_verify.pages import *

from ...beyond.pairs.pairs_in_space import conversion_cases
from ...theorems import DATA_PROCESSING
from ..notation import NOTATION, alpha

page = Page("beyond", "Sec. 4.1", NOTATION)
epsilon = page.positive("epsilon", "Rényi divergence allowed", latex=r"\varepsilon")
log_p = page.real("P", "logarithm of the event's probability under the first neighbour", upper=0)
log_q = page.real("Q", "logarithm of the event's probability under the second neighbour", upper=0)
log_delta = page.real("D", "logarithm of delta", upper=0, upper_open=True)
X = real("x", "a real number")
x = page.add(X)

_RENYI = Hypothesis(
    "Rényi bound on the event",
    le(alpha * log_p + (1 - alpha) * log_q, (alpha - 1) * epsilon),
    "Definition 1, by data processing: the logarithm of p^alpha q^(1-alpha) <= e^((alpha-1) epsilon)",
)
#: The epsilon of the converted guarantee.
converted = epsilon + (-log_delta) / (alpha - 1)

exponents = page.at("Conversion").inequality(
    "rgm:s4-conversion-exponents",
    "The conversion in logarithms",
    either(le(log_p, log_delta), le(log_p, converted + log_q)),
    "The event is improbable under one neighbour, or not much less probable at the other.",
    given=_RENYI,
    wrong={
        "without the logarithm of delta": either(le(log_p, log_delta), le(log_p, epsilon + log_q)),
        "alpha for alpha - 1": either(le(log_p, log_delta), le(log_p, epsilon - log_delta / alpha + log_q)),
        "no delta": le(log_p, converted + log_q),
    },
)

tangent = page.at("Conversion").inequality(
    "rgm:s4-exponential-tangent",
    "The exponential lies above its tangent at 0",
    le(1 + x, exp(x)),
    "The difference is the remainder of Taylor's formula for the logarithm, at the exponential.",
    by=combination(((exp(x) - 1) ** 2, LogRemainder(2, exp(x) - 1))),
    wrong={"2 + x": left(2 + x), "slope 2": left(1 + 2 * x), "direction": turned()},
)

positive_exponential = page.at("Conversion").inequality(
    "rgm:s4-exponential-positive",
    "The exponential is positive",
    gt(exp(x), 0),
    "A fact that the deduction below names, as it knows none about exponentials.",
    by=combination((exp(x),)),
    wrong={"above 1": 1, "above x + 2": x + 2},
)

_LOSS = converted + log_q - log_p
_SLACK = log_delta - log_p

_CONVERTED = partial(
    conversion_cases, symbols=(alpha, epsilon, log_delta), level=converted, more=(log_p, log_q), shift=0
)

conversion = page.at("Conversion; Proposition 3 of Mironov (2017)", "A35", source="rgm-v1+v2").proposition(
    "rgm:s4-conversion",
    "From Rényi privacy to (epsilon, delta)",
    le(1, exp(_LOSS) + exp(_SLACK)),
    "For every event, with probabilities $p$ and $q$ under the two neighbours.",
    printed=r"p \le e^{\varepsilon + \frac{\log(1/\delta)}{\alpha-1}} q + \delta",
    given=_RENYI,
    by=(Unreduced(cases=_CONVERTED), Released(cases=_CONVERTED)),
    wrong={
        "without delta": exp(_LOSS),
        "epsilon unconverted": exp(epsilon + log_q - log_p) + exp(_SLACK),
        "the neighbours exchanged": changed(
            hypotheses=(Hypothesis("exchanged", le(alpha * log_q + (1 - alpha) * log_p, (alpha - 1) * epsilon)),)
        ),
    },
    steps=(
        Premise("rgm:s4-conversion-exponents"),
        *(Premise("rgm:s4-exponential-positive", {x: value}) for value in (_LOSS, _SLACK)),
        *(Premise("rgm:s4-exponential-tangent", {x: value}) for value in (_LOSS, _SLACK)),
        DATA_PROCESSING.quoted(
            "Restrict the Rényi bound to an event and its complement.",
            "Both laws are mapped to whether the event happens.",
        ),
        Step("Take logarithms: one of two linear inequalities holds.", "rgm:s4-conversion-exponents"),
        Step(r"Go back to the numbers by $1 + x \le e^x$.", "rgm:s4-exponential-tangent"),
    ),
    reading="P, Q, D are the logarithms of p, q and delta, and both sides of p <= e^epsilon' q + delta are divided by p. Events with p = 0 satisfy "
    "it; with p > 0 and q = 0 the divergence is infinite. A Rényi bound on the outputs is one on the event.",
)
