r"""GOPA as it runs, on rounded numbers: flows along the pairs of honest parties bound what a coalition learns.

A change of one value is carried away by a flow: integers along the pairs and at the parties that sum up to it. The messages
are then those of the other value, with every rounded noise shifted by an integer. So the rounded protocol is at least as
private as the Gaussian noises shifted by the flow, and its squared distance is the energy of the flow.
"""

from rgm_verify.pages import *

from ...slides.notation import NOTATION
from ...theorems import DATA_PROCESSING

page = Page("beyond", "GOPA on rounded numbers", NOTATION)

_x, _a = page.real("x", "a noise, in units of the last bit"), page.natural("a", "an integer shift", lower=None)
_m, _k = page.natural("m", "the rounded noise", lower=None), page.natural("k", "the rounded shifted noise", lower=None)
_ROUNDED = Hypothesis(
    "both are rounded to the nearest integer",
    both(le(_m, _x + Rational(1, 2)), lt(_x - Rational(1, 2), _m), le(_k, _x + _a + Rational(1, 2)), lt(_x + _a - Rational(1, 2), _k)),
)  # fmt: skip

rounding = page.at().lemma(
    "beyond:rounding-commutes-with-integer-shifts",
    "Rounding commutes with integer shifts",
    eq(_k, _m + _a),
    "A rounded noise that is shifted by an integer is the rounded shifted noise: a function of it, which tells no pair apart better.",
    given=_ROUNDED,
    points={_m: (-9, 9), _a: (-9, 9), _x: _m, _k: _m + _a},
    wrong={"without the shift": _m, "twice": _m + 2 * _a, "any numbers": without()},
    reading="Ties are rounded up; they have probability 0.",
)

_value, _own, _shared = (
    page.real("V", "value of a party"),
    page.real("b", "what the flow leaves at the party"),
    page.real("a_e", "flow along a pair"),
)
_n, _h = page.real("n_e", "noise of the pair"), page.real("h", "own noise of the party")
_shift = page.real("s", "change of the value")
_FLOW = Hypothesis("the flow carries the change away", eq(_shift, _shared + _own))

shifted = page.at().lemma(
    "beyond:gopa-flow",
    "A change of a value is a shift of the noises",
    eq((_value + _shift) + _n + _h, _value + (_n + _shared) + (_h + _own)),
    "The message of a party with one pair; further pairs add further terms on both sides, and the other end of a pair has both with the opposite sign.",
    given=_FLOW,
    by=Smt(),
    points={_shift: _shared + _own, _shared: (-3, 3), _own: (-3, 3)},
    wrong={"the pair alone": _value + (_n + _shared) + _h, "any flow": without()},
    steps=(
        "beyond:rounding-commutes-with-integer-shifts",
        DATA_PROCESSING.quoted("What is computed from the shifted noises tells no pair apart better.", "The messages are a function of the noises, the same for both values."),
    ),
)  # fmt: skip

_u1, _u2 = page.real("u_e", "difference of a potential along a pair"), page.real("u_k", "the potential at a party")
_p2, _i2 = (
    page.positive("s_p", "variance of the noise of a pair", latex=r"\sigma_\Delta^2"),
    page.positive("s_i", "variance of own noise", latex=r"\sigma_\eta^2"),
)

lower = page.at().lemma(
    "beyond:gopa-potential",
    "A potential bounds the energy of every flow from below",
    le((_u1 * _shared + _u2 * _own) ** 2, (_p2 * _u1**2 + _i2 * _u2**2) * (_shared**2 / _p2 + _own**2 / _i2)),
    r"Summed up over pairs and parties: on the left is the square of the potential at the party whose value changes by 1. So no flow has less energy than $x_k^2/(x^T(\sigma_\eta^2I + \sigma_\Delta^2L)x)$.",
    wrong={"half": (_p2 * _u1**2 + _i2 * _u2**2) * (_shared**2 / _p2 + _own**2 / _i2) / 2, "the variances exchanged": (_i2 * _u1**2 + _p2 * _u2**2) * (_shared**2 / _p2 + _own**2 / _i2)},
    steps="beyond:gopa-flow",
)  # fmt: skip
