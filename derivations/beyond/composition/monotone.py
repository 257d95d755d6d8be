r"""Foundations of the questions turned around: fewer releases, more noise and smaller rates never cost more.

In each case the one pair of laws is what a function, random or not, makes of the other.
"""

from sympy import Max

from rgm_verify.pages import *

from ...theorems import DATA_PROCESSING, MOMENTS

page = Page("beyond", "questions turned around")


def _kernel(what: str) -> Quotation:
    return DATA_PROCESSING.quoted("No function of the outputs raises a divergence.", what)


def _laws() -> Quotation:
    return MOMENTS.quoted("Both sides are transforms of laws.", "They are finite near zero.")


_t = page.real("t", "argument of the moment generating function")
_b = page.positive("b", "scale of the noise")
_c = page.positive("c", "what is added to the scale")
_IN_STRIP = Hypothesis("inside the strip", lt((_b + _c) ** 2 * _t**2, 1))

laplace = page.identity(
    "beyond:laplace-more-noise",
    "More Laplace noise is a function of less noise",
    eq(
        (1 - _b**2 * _t**2) / (1 - (_b + _c) ** 2 * _t**2),
        _b**2 / (_b + _c) ** 2 + (1 - _b**2 / (_b + _c) ** 2) / (1 - (_b + _c) ** 2 * _t**2),
    ),
    r"On the left is what the transform of the larger scale has more, on the right that of nothing with the probability $b^2/(b+c)^2$, and of noise of the larger scale else. So delta does not grow with the scale.",
    given=(_IN_STRIP,),
    points=Chart({_b: (0, 2), _c: (0, 2), _t: (-1, 1)}, {_b: _b, _c: _c, _t: _t / (_b + _c) * Rational(9, 10)}),
    wrong={
        "probability b/(b+c)": _b / (_b + _c) + (1 - _b / (_b + _c)) / (1 - (_b + _c) ** 2 * _t**2),
        "noise of scale c": _b**2 / (_b + _c) ** 2 + (1 - _b**2 / (_b + _c) ** 2) / (1 - _c**2 * _t**2),
    },
    steps=(_laws(), _kernel("The noise that is added does not know the law.")),
)

_a = page.real("a", "ratio of neighbouring masses", lower=0, upper=1, upper_open=True)
_A = page.real("A", "a larger ratio", lower=0, upper=1, lower_open=True, upper_open=True)
_z = page.real("z", "argument of the generating function", lower=-1, upper=1)

discrete = page.identity(
    "beyond:discrete-laplace-more-noise",
    "More discrete Laplace noise is a function of less noise",
    eq((1 - _a * _z) / (1 - _A * _z), _a / _A + (1 - _a / _A) / (1 - _A * _z)),
    r"Discrete Laplace noise is the difference of two geometric numbers. The larger ratio adds to each of them 0 with the probability $a/A$, and a geometric number of its own else; divided by $(1-a)/(1-A)$ both sides are generating functions.",
    given=(Hypothesis("larger", le(_a, _A)),),
    points=Chart({_a: (0, 1), _A: (0, 1), _z: (-1, 1)}, {_a: _a * _A, _A: _A, _z: _z}),
    wrong={
        "ratio a": _a / _A + (1 - _a / _A) / (1 - _a * _z),
        "a square": _a**2 / _A**2 + (1 - _a**2 / _A**2) / (1 - _A * _z),
    },
    steps=(_laws(), _kernel("What is added does not know the law.")),
)

_x = page.positive("x", "e^epsilon")
_p1, _p2 = (page.nonnegative(f"p_{i}", f"mass of the output with the later output {i}, first law") for i in (1, 2))
_q1, _q2 = (page.nonnegative(f"q_{i}", f"mass of the output with the later output {i}, second law") for i in (1, 2))

fewer = page.inequality(
    "beyond:fewer-releases",
    "A release that is left out costs nothing",
    le(Max(_p1 + _p2 - _x * (_q1 + _q2), 0), Max(_p1 - _x * _q1, 0) + Max(_p2 - _x * _q2, 0)),
    "On the left the later output is not seen. So delta does not fall with the number of releases, nor with a line more in a plan.",
    by=Smt(),
    wrong={"direction": turned(), "the first alone": Max(_p1 - _x * _q1, 0)},
    steps=(_kernel("Leaving out does not know the law."),),
)
