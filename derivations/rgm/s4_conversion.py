r"""Section 4.1, from Rényi privacy to (epsilon, delta): Proposition 3 of Mironov (2017), which the paper quotes.

Fix an event and let p and q be its probabilities under two neighbours. A Rényi bound on the whole output is one on the
event (data processing): p^alpha q^(1-alpha) <= e^((alpha-1) epsilon). What is left is about two numbers: either
p <= delta, or p <= e^epsilon' q. It is proved in logarithms, and then for the numbers by 1 + x <= e^x alone.
"""

from functools import partial

from sympy import exp

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import Claim, Hypothesis, Mutant, Step, either, ge, gt, le, positive, real
from rgm_verify.lenses import Combination, Deduction, Premise, Released, Smt, Unreduced

from ..beyond.pairs_in_space import conversion_cases
from ..theorems import DATA_PROCESSING
from .notation import ALPHA, alpha

_SOURCE = "rgm-v1+v2"

EPSILON = positive("epsilon", "Rényi divergence allowed")
LOG_P = real("P", "logarithm of the event's probability under the first neighbour", upper=0)
LOG_Q = real("Q", "logarithm of the event's probability under the second neighbour", upper=0)
LOG_DELTA = real("D", "logarithm of delta", upper=0, upper_open=True)
X = real("x", "a real number")

epsilon, log_p, log_q, log_delta, x = (v.symbol for v in (EPSILON, LOG_P, LOG_Q, LOG_DELTA, X))
_VARIABLES = (ALPHA, EPSILON, LOG_P, LOG_Q, LOG_DELTA)
_RENYI = Hypothesis(
    "Rényi bound on the event",
    le(alpha * log_p + (1 - alpha) * log_q, (alpha - 1) * epsilon),
    "Definition 1, by data processing: the logarithm of p^alpha q^(1-alpha) <= e^((alpha-1) epsilon)",
)
#: The epsilon of the converted guarantee.
converted = epsilon + (-log_delta) / (alpha - 1)

exponents = Claim(
    id="rgm:s4-conversion-exponents",
    title="The conversion in logarithms",
    source="beyond",
    where="Sec. 4.1, Conversion",
    kind="inequality",
    statement=r"An event is at most $\delta$ under one neighbour, or at most $e^{\epsilon'}$ times its probability at the other.",
    variables=_VARIABLES,
    hypotheses=(_RENYI,),
    conclusion=either(le(log_p, log_delta), le(log_p, converted + log_q)),
    checks=(Smt(),),
    mutants=(
        Mutant("without the logarithm of delta", either(le(log_p, log_delta), le(log_p, epsilon + log_q))),
        Mutant("alpha for alpha - 1", either(le(log_p, log_delta), le(log_p, epsilon - log_delta / alpha + log_q))),
        Mutant("no delta", le(log_p, converted + log_q)),
    ),
)

tangent = Claim(
    id="rgm:s4-exponential-tangent",
    title="The exponential lies above its tangent at 0",
    source="beyond",
    where="Sec. 4.1, Conversion",
    kind="inequality",
    statement=r"$1 + x \le e^x$; the difference is the remainder of Taylor's formula for the logarithm at $e^x$.",
    variables=(X,),
    conclusion=le(1 + x, exp(x)),
    checks=(Combination(terms=(((exp(x) - 1) ** 2, LogRemainder(2, exp(x) - 1)),)),),
    mutants=(
        Mutant("2 + x", le(2 + x, exp(x))),
        Mutant("slope 2", le(1 + 2 * x, exp(x))),
        Mutant("direction", ge(1 + x, exp(x))),
    ),
)

positive_exponential = Claim(
    id="rgm:s4-exponential-positive",
    title="The exponential is positive",
    source="beyond",
    where="Sec. 4.1, Conversion",
    kind="inequality",
    statement="A fact that the deduction below names, as it knows none about exponentials.",
    variables=(X,),
    conclusion=gt(exp(x), 0),
    checks=(Combination(terms=((exp(x),),)),),
    mutants=(Mutant("above 1", gt(exp(x), 1)), Mutant("above x + 2", gt(exp(x), x + 2))),
)

_LOSS = converted + log_q - log_p
_SLACK = log_delta - log_p

_CONVERTED = partial(
    conversion_cases, symbols=(alpha, epsilon, log_delta), level=converted, more=(log_p, log_q), shift=0
)

conversion = Claim(
    id="rgm:s4-conversion",
    refs=("A35",),
    title="From Rényi privacy to (epsilon, delta)",
    source=_SOURCE,
    where="Sec. 4.1, Conversion; Proposition 3 of Mironov (2017)",
    kind="proposition",
    statement=(
        r"$(\alpha,\epsilon)$-Rényi privacy gives $(\epsilon + \log(1/\delta)/(\alpha-1), \delta)$-differential privacy: "
        r"$p \le e^{\epsilon'} q + \delta$ for every event."
    ),
    variables=_VARIABLES,
    hypotheses=(_RENYI,),
    conclusion=le(1, exp(_LOSS) + exp(_SLACK)),
    reading=(
        "P, Q, D are the logarithms of p, q and delta, and both sides of p <= e^epsilon' q + delta are divided by p. Events "
        "with p = 0 satisfy it; with p > 0 and q = 0 the divergence is infinite. A Rényi bound on the outputs is one "
        "on the event."
    ),
    checks=(
        Deduction(
            (
                Premise("rgm:s4-conversion-exponents"),
                Premise("rgm:s4-exponential-positive", {x: _LOSS}),
                Premise("rgm:s4-exponential-positive", {x: _SLACK}),
                Premise("rgm:s4-exponential-tangent", {x: _LOSS}),
                Premise("rgm:s4-exponential-tangent", {x: _SLACK}),
            )
        ),
        Unreduced(cases=_CONVERTED),
        Released(cases=_CONVERTED),
    ),
    mutants=(
        Mutant("without delta", le(1, exp(_LOSS))),
        Mutant("epsilon unconverted", le(1, exp(epsilon + log_q - log_p) + exp(_SLACK))),
        Mutant(
            "the neighbours exchanged",
            hypotheses=(Hypothesis("exchanged", le(alpha * log_q + (1 - alpha) * log_p, (alpha - 1) * epsilon)),),
        ),
    ),
    derivation=(
        Step(
            "Restrict the Rényi bound to an event and its complement.",
            theorem=DATA_PROCESSING,
            met={"one kernel": "Both laws are mapped to whether the event happens."},
        ),
        Step("Take logarithms: one of two linear inequalities holds.", "rgm:s4-conversion-exponents"),
        Step(r"Go back to the numbers by $1 + x \le e^x$.", "rgm:s4-exponential-tangent"),
    ),
)
