r"""Batches of a fixed size without replacement, one record replaced: the curve that dominates one step.

The record is in the batch with the probability $q$. At a point of the output let $r$ be the density given that it is not, $a$ and $b$ those given that it is, before and
after the replacement. Any two of the three laws come from batches that differ in one record, so that they are Gaussian mixtures at the distance 2 at most.
"""

from sympy import Max

from rgm_verify.pages import *

from .sampled_pairs import E, a, b, page as _pairs, q

page = Page("beyond", "batches without replacement", _pairs)
_r = page.nonnegative("r", "density of the output, given that the record is not in the batch")
#: The level at which the laws with the record in the batch are compared.
_far = named("E'", 1 + (E - 1) / q)
_share = named(r"\beta", E / _far)
_ABOVE = Hypothesis("level of at least 1", ge(E, 1))

convexity = page.identity(
    "beyond:fixed-batch-convexity",
    "Both laws less what they share",
    eq((1 - q) * _r + q * a - E * ((1 - q) * _r + q * b), q * (a - _far * ((1 - _share) * _r + _share * b))),
    r"With the record in the batch, the first law is compared at the level $E'$ with a mixture of two laws, each a replacement away from it.",
    given=(_ABOVE,),
    wrong={
        "the level kept": q * (a - E * ((1 - _share) * _r + _share * b)),
        "the mixture left out": q * (a - _far * b),
        "without the factor": a - _far * ((1 - _share) * _r + _share * b),
    },
    steps=(
        Step("The divergence from a mixture is at most the mean of those from its parts.", "beyond:sampled-mixture"),
    ),
)

_k = page.nonnegative("k", "density of one of the parts of the mixture")

pair = page.identity(
    "beyond:fixed-batch-pair",
    "Above level 1 the curve is that of removal at twice the distance",
    eq(q * Max(a - _far * _k, 0), Max((1 - q) * _k + q * a - E * _k, 0)),
    r"So the divergence of a step is at most that of $((1-q)N_0 + qN_2, N_0)$ for $e^\epsilon \ge 1$. That pair occurs where all other records are one and the same, so that it bounds from below too.",
    given=(_ABOVE,),
    by=Smt(),
    wrong={"the level kept": left(q * Max(a - E * _k, 0)), "without the factor": left(Max(a - _far * _k, 0))},
    steps=(
        "beyond:fixed-batch-convexity",
        Step("It grows with the distance.", "beyond:hockey-stick-monotone-in-distance"),
        Step("Below level 1 the two data sets change places.", "beyond:hockey-stick-at-negative-levels"),
    ),
)

_P = page.real("P", "probability under N_0 of an output nearer to 0 than to the other mean", lower=0, upper=1)

middle = page.identity(
    "beyond:fixed-batch-middle",
    "The mass at loss 0",
    eq(1 - ((1 - q) * (1 - _P) + q * _P) - (1 - _P), (1 - q) * (2 * _P - 1)),
    "Positive losses have the masses of removal, negative ones those of addition with the laws exchanged; the rest of the first law lies at 0, where the two halves of the curve meet.",
    wrong={"all of it": 2 * _P - 1, "of the second law": q * (2 * _P - 1)},
    steps=("beyond:fixed-batch-pair",),
)
