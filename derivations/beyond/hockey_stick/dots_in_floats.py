r"""Dots of a hockey-stick curve in floats: what a product of powers loses, and one decay for a whole block."""

from rgm_verify.pages import *

from ...theorems import FLOATING_PRODUCT

page = Page("beyond", "Dots of a curve in floating point")
u = page.positive("u", "unit of rounding", upper=Rational(1, 2**53))
_A = page.nonnegative("A", "relative error of the factors before", upper=1)

factor = page.inequality(
    "beyond:dots-one-more-factor",
    "One more factor of a power of a node",
    le((1 + Rational(101, 100) * u) * (1 + Rational(283, 100) * u) - 1, Rational(385, 100) * u),
    "The factor is a float next to a ball, the product is rounded; both errors are relative, so that they multiply.",
    by=Smt(),
    wrong={"the product alone": Rational(283, 100) * u, "direction": turned()},
    steps=(
        Step(
            "A complex product in floating point:",
            theorem=FLOATING_PRODUCT,
            met={
                "no underflow": "Node values far from the ends of the range of floats are asked for.",
                "one rounding": "Each is an operation of arrays, which IEEE arithmetic rounds once.",
            },
        ),
    ),
)

_p, _q = (page.positive(x, f"decay at the {end} of the block") for x, end in (("p", "start"), ("q", "end")))
_m = page.positive("m", "the smaller decay")
_t = page.real("theta", "place in the block", lower=0, upper=1)

decay = page.inequality(
    "beyond:dots-decay-of-a-block",
    "The decay is linear, so its smaller end bounds it on a block",
    ge((1 - _t) * _p + _t * _q, _m),
    "What a rule leaves out, and its aliases, are bounded by expressions that do not grow with the decay.",
    given=(Hypothesis("at the start", ge(_p, _m)), Hypothesis("at the end", ge(_q, _m))),
    by=Smt(),
    points=Chart({_m: (0, 1), _p: (0, 1), _q: (0, 1), _t: (0, 1)}, {_m: _m, _p: _m + _p, _q: _m + _q, _t: _t}),
    wrong={"twice the decay": 2 * _m, "direction": turned()},
)
