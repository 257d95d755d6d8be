r"""The transform that composes: errors of a stage, of a power, of tilting, and of what lies outside of the window."""

from sympy import exp

from rgm_verify.pages import *

from ...theorems import FLOATING_PRODUCT

page = Page("beyond", "Fourier transform in floating point")
u = page.positive("u", "unit of rounding", upper=Rational(1, 2**53))
_GAMMA = Rational(283, 100)
_PRODUCT = Step(
    "A complex product in floating point:",
    theorem=FLOATING_PRODUCT,
    met={
        "no underflow": "What underflows loses at most the least float, which is added apart.",
        "one rounding": "Each is an operation of arrays, which IEEE arithmetic rounds once.",
    },
)

twiddle = page.inequality(
    "beyond:transform-twiddle",
    "A twiddle that is a product of two rounded numbers",
    le((1 + u) ** 2 * (1 + _GAMMA * u) - 1, 5 * u),
    by=Smt(),
    wrong={"4.8 roundings": Rational(48, 10) * u, "direction": turned()},
    steps=(_PRODUCT,),
)

stage = page.inequality(
    "beyond:transform-stage",
    "A stage loses nine roundings",
    le((1 + u) * (1 + 5 * u) * (1 + _GAMMA * u) - 1, 9 * u),
    "One rounding of the sum, five of the twiddle, and those of the product.",
    by=Smt(),
    wrong={"eight roundings": 8 * u, "direction": turned()},
    steps=("beyond:transform-twiddle", _PRODUCT),
)

_s1, _s2 = (page.nonnegative(f"s_{i}", f"sum of the moduli that enter value {i}") for i in (1, 2))
_e1, _e2 = (page.nonnegative(f"e_{i}", f"error of value {i}") for i in (1, 2))
_A = page.nonnegative("A", "relative error after the stages before")
_n = page.nonnegative("n", "relative error of one stage")

path = page.inequality(
    "beyond:transform-error-of-a-frequency",
    "Errors along the stages, relatively to the sum of moduli",
    le(_e1 + _e2 + _n * (_s1 + _e1 + _s2 + _e2), ((1 + _A) * (1 + _n) - 1) * (_s1 + _s2)),
    r"So $t$ stages cost each frequency at most $((1+9u)^t - 1)\sum|x|$.",
    given=(Hypothesis("first value", le(_e1, _A * _s1)), Hypothesis("second value", le(_e2, _A * _s2))),
    by=Smt(),
    points=Chart(
        {_s1: (0, 2), _s2: (0, 2), _A: (0, 1), _n: (0, 1), _e1: (0, 1), _e2: (0, 1)},
        {_s1: _s1, _s2: _s2, _A: _A, _n: _n, _e1: _e1 * _A * _s1, _e2: _e2 * _A * _s2},
    ),
    wrong={"errors of stages added": (_A + _n) * (_s1 + _s2), "direction": turned()},
    steps=("beyond:transform-stage",),
)

_a, _b, _c, _d = (
    page.real(x, f"{part} part of the {n} value", latex=x)
    for x, part, n in (
        ("a_r", "real", "first"),
        ("a_i", "imaginary", "first"),
        ("b_r", "real", "second"),
        ("b_i", "imaginary", "second"),
    )
)
_w = page.real("c", "real part of the twiddle", lower=-1, upper=1)
_v = page.real("s", "imaginary part of the twiddle", lower=-1, upper=1)
_out = (_a + _c) ** 2 + (_b + _d) ** 2 + (_w * (_a - _c) - _v * (_b - _d)) ** 2 + (_w * (_b - _d) + _v * (_a - _c)) ** 2

isometry = page.identity(
    "beyond:transform-isometry",
    "A stage is the root of 2 times a unitary map",
    eq(_out, 2 * (_a**2 + _b**2 + _c**2 + _d**2)),
    "So the errors of stages add up in the 2-norm, relatively to that of the vector.",
    given=(Hypothesis("on the circle", eq(_w**2 + _v**2, 1)),),
    by=Smt(),
    points=Chart(
        {_a: (-2, 2), _b: (-2, 2), _c: (-2, 2), _d: (-2, 2), _w: (-1, 1), _v: (0, 1)},
        {_a: _a, _b: _b, _c: _c, _d: _d, _w: (1 - _v**2) / (1 + _v**2), _v: 2 * _v / (1 + _v**2)},
    ),
    wrong={"unitary": scaled("1/2"), "any twiddle": without(Hypothesis("on the circle", eq(_w**2 + _v**2, 1)))},
)

_D = page.nonnegative("D", "error of the k-th power")
_m = page.nonnegative("m", "upper bound of the modulus, and of what was computed for it")
_P = page.nonnegative("P", "its power k - 1")
_e = page.nonnegative("e", "error of the frequency")
_k = page.positive("k", "number of factors before")

power = page.inequality(
    "beyond:transform-power",
    "One more factor of a power",
    le(_m * _D + _e * _m * _P, (_k + 1) * _e * _m * _P),
    r"By induction $|\hat y^T - y^T| \le T\,m^{T-1}e$, where $m$ bounds both.",
    given=(Hypothesis("the power before", le(_D, _k * _e * _P)),),
    by=Smt(),
    wrong={"no more than before": _k * _e * _m * _P, "direction": turned()},
    steps=("beyond:transform-error-of-a-frequency",),
)

_l = page.real("l", "place of a loss of the sum, in steps of the grid")
_j = page.real("j", "place of the first of two losses")
_t = page.nonnegative("t", "tilt for one step of the grid")
_shift = page.real("lambda", "logarithm that is taken off a mass")
_m1, _m2 = (page.nonnegative(f"m_{i}", f"mass of loss {i}") for i in (1, 2))

tilt = page.identity(
    "beyond:transform-tilt",
    "A product of masses from tilted masses",
    eq(_m1 * _m2, exp(2 * _shift - _t * _l) * (_m1 * exp(_t * _j - _shift)) * (_m2 * exp(_t * (_l - _j) - _shift))),
    "So a convolution of tilted masses is the tilted convolution, and its error is relative to the tilted mass.",
    points={_l: (-3, 3), _j: (-3, 3), _t: (0, 1), _shift: (-1, 1), _m1: (0, 1), _m2: (0, 1)},
    wrong={
        "the tilt kept": exp(2 * _shift) * (_m1 * exp(_t * _j - _shift)) * (_m2 * exp(_t * (_l - _j) - _shift)),
        "one shift": exp(_shift - _t * _l) * (_m1 * exp(_t * _j - _shift)) * (_m2 * exp(_t * (_l - _j) - _shift)),
    },
)

_B = page.real("B", "end of the window")

outside = page.inequality(
    "beyond:transform-outside-of-the-window",
    "Chernoff's bound of the mass beyond the window",
    le(1, exp(_t * (_l - _B))),
    "Summed with the masses it bounds what comes back from above the window; below it the rate has the other sign.",
    given=(Hypothesis("beyond the end", ge(_l, _B)),),
    points=Chart({_t: (0, 2), _B: (-3, 3), _l: (0, 3)}, {_t: _t, _B: _B, _l: _B + _l}),
    wrong={"on the other side": exp(_t * (_B - _l)), "direction": turned()},
    steps=("beyond:exponential-above-its-tangents",),
)
