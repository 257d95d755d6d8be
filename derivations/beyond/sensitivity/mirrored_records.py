"""Mirrored records: the pair of a domain whose gradients at the minimiser are furthest apart, and a bound for it."""

from sympy import cos, sin

from rgm_verify.pages import *

page = Page("beyond", "relative sensitivity of ridge regression over a domain")

# What two records differ by at t: along a unit vector at the angle psi to t, records at the angles a and a'.
_first = page.real("a", "angle of a record")

_other = page.real("a'", "angle of the other")

_psi = page.real("psi", "angle of t")

_products = cos(_first) * cos(_first - _psi) - cos(_other) * cos(_other - _psi)

mirrored_angles = page.identity(
    "beyond:mirrored-records-angles",
    "Two records at a point, by their angles",
    both(
        eq(_products, sin(_first + _other - _psi) * sin(_other - _first)),
        eq(cos(_first) + cos(_other), 2 * cos((_first + _other) / 2) * cos((_other - _first) / 2)),
    ),
    points={_first: (-3, 3), _other: (-3, 3), _psi: (-3, 3)},
    wrong={
        "a sign": eq(_products, sin(_first + _other + _psi) * sin(_other - _first)),
        "cosines": eq(_products, cos(_first + _other - _psi) * sin(_other - _first)),
    },
)

_k = page.nonnegative("k", "|t|, in units of the labels over the radius")

_SINE = nonnegative("s", "its sine", upper=1)

_c = page.nonnegative("c", "cosine of half of the angle between the records", upper=1)

_e = page.real("e", "cosine of their mean angle", lower=-1, upper=1)

_i = page.real("i", "sine of their mean angle less psi", lower=-1, upper=1)

_sine = _SINE.symbol

mirrored = page.theorem(
    "beyond:mirrored-records",
    "Two records differ the most where they mirror each other",
    both(
        le(_k * _i * 2 * _sine * _c + 2 * _e * _c, 2 * _c * (_k * _sine + 1)),
        eq(_k * 1 * 2 * _sine * _c + 2 * 1 * _c, 2 * _c * (_k * _sine + 1)),
    ),
    r"So $|u(u\cdot t-y)-u'(u'\cdot t-y')|$ is at most the largest value of the right side, which two records at the same angle on both sides of the normal to $t$ have, with the label $-1$ at one and $1$ at the other.",
    over=(_SINE,),
    wrong={
        "without the labels": le(_k * _i * 2 * _sine * _c + 2 * _e * _c, 2 * _c * _k * _sine),
        "half of the first part": le(_k * _i * 2 * _sine * _c + 2 * _e * _c, _c * (_k * _sine + 2)),
    },
    steps="beyond:mirrored-records-angles",
    reading=r"Records and labels have at most the length 1, and $k$ is the length of $t$. Along a unit vector at the angle $\psi$ to $t$, with $u$ and $u'$ in the plane of both (components out of it only lose), of length 1 (shorter ones lose, as the value is linear in the length and its square) and the worst labels: `beyond:mirrored-records-angles`.",
)

_slope = page.positive("w", "slope")

_line = _k * _sine + 1

_gap = _slope**2 - _k**2

certificate = page.inequality(
    "beyond:mirrored-records-certificate",
    "A certificate for the largest difference",
    both(
        le(2 * _slope * _c * _line, _slope**2 * _c**2 + _line**2),
        le(_gap * (_slope**2 * (1 - _sine**2) + _line**2), _slope**2 * _gap + _slope**2),
    ),
    "On the circle both bounds together hold the left side of the first below a number without c and s.",
    given=Hypothesis("w above k", gt(_slope, _k)),
    points={_k: (0, 3), _sine: (0, 1), _slope: (0, 3, _k + _slope)},
    over=(_SINE,),
    wrong={
        "without the last term": le(_gap * (_slope**2 * (1 - _sine**2) + _line**2), _slope**2 * _gap),
        "half of the squares": le(4 * _slope * _c * _line, _slope**2 * _c**2 + _line**2),
    },
    reading="Differences are squares; there is equality at one point of the circle.",
    printed=r"\begin{aligned} & 2c(ks+1) \le wc^2 + \frac1w(ks+1)^2 \\ & \text{and}\quad w(1-s^2) + \frac1w(ks+1)^2 \le w + \frac w{w^2-k^2} \end{aligned}",
)

below_triangle = page.inequality(
    "beyond:mirrored-records-below-triangle",
    "The largest difference is below what the triangle inequality gives",
    le(2 * _c * _line, _k + 2),
    given=Hypothesis("a point of the circle", eq(_sine**2 + _c**2, 1)),
    points={_k: (0, 3), _c: (0, 1, (1 - _c**2) / (1 + _c**2)), _sine: 2 * _c / (1 + _c**2)},
    over=(_SINE,),
    wrong={"k + 1": _k + 1, "off the circle": without()},
    reading="Two bounds that do not hold with equality together: on the product of c and s, and on c.",
)
