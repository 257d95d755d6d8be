r"""Section 4.1 and Example 1: spherical coordinates, their ranges, and the way back.

With $r_z = (\mathbf g_z^2 + \dots + \mathbf g_d^2)^{1/2}$ the conversion goes angle by angle: $r_z\cos\theta_z = \mathbf g_z$ and
$r_z\sin\theta_z = r_{z+1}$. So one step of it is a statement in two numbers, for every dimension. A gradient whose last coordinates are
0 has no angles, which the paper leaves out: the direction of $(1, 0, 0)$ is not defined by (6), and ends of ranges are missing.
"""

from sympy import atan, cos, sin

from .notation import *

page = Page("geodp", "§4.1", NOTATION)
_EXAMPLE = "§1, Example 1"


def angle(tail: Expr, first: Expr) -> Expr:
    """Write arctan2(tail, first) for a tail that is positive."""
    return pi / 2 - atan(first / tail)


_k = page.positive("k", "length, in units of that of the example")

gradient = page.elsewhere(_EXAMPLE, "G02a").numeric(
    "geodp:example-1-direction",
    "Direction and magnitude of the gradient of Example 1",
    both(eq(printed(lambda: atan(sqrt(3) * _k / _k)), pi / 3), eq(printed(lambda: sqrt(_k**2 + 3 * _k**2)), 2 * _k)),
    "For the gradient $k(1, \\sqrt3)$; the example has $k = 1$.",
    by=Identity(),
    wrong={
        "its first coordinate is 1": both(eq(atan(sqrt(3) * _k), pi / 3)),
        "the square": both(eq(_k**2 + 3 * _k**2, 2 * _k)),
    },
)

_first = named(r"\theta_1^*", atan((sqrt(3) + Rational(15, 100)) / (1 + Rational(3, 10))))
_root = page.positive("s", "second coordinate of the gradient of the example", latex=r"\sqrt3")
_written_first = printed(lambda: (_root + Rational(15, 100)) / (1 + Rational(3, 10)))
_written_second = printed(lambda: (_root / 2 + Rational(75, 1000)) / (Rational(1, 2) + Rational(15, 100)))
_CENT = Rational(1, 200)

perturbed = page.elsewhere(_EXAMPLE, "G02b").numeric(
    "geodp:example-1-perturbed",
    "The perturbed direction of Example 1",
    both(le(_first, Rational(97, 100) + _CENT), ge(_first, Rational(97, 100) - _CENT)),
    "To two decimals. At the threshold 2 clipping changes nothing, as the norm is 2.",
    wrong={"0.98": both(ge(_first, Rational(98, 100) - _CENT)), "0.96": both(le(_first, Rational(96, 100) + _CENT))},
)

rescaled = page.elsewhere(_EXAMPLE, "G02c").numeric(
    "geodp:example-1-rescaled",
    "Half the threshold and half the noise perturb the direction as much",
    eq(_written_first, _written_second),
    "The tangents of both perturbed directions: the angles are the same, 0.97 to two decimals.",
    by=Identity(),
    wrong={
        "the noise of before": (_root / 2 + Rational(15, 100)) / (Rational(1, 2) + Rational(3, 10)),
        "twice": 2 * _written_second,
    },
    steps="geodp:example-1-perturbed",
    reading="For any second coordinate, as nothing else is used of $\\sqrt3$.",
    remark="Gradient and noise are both halved, since the gradient is as long as the larger threshold.",
)

_g = page.real("g_z", "the coordinate of an angle", latex=r"\mathbf g_z")
_tail = page.nonnegative("r_2", "norm of the coordinates after it", latex="r_{z+1}")
_whole = page.nonnegative("r_1", "norm of these and of the coordinate", latex="r_z")
_NORM = Hypothesis("norm", eq(_whole**2, _g**2 + _tail**2), "§4.1, (5)")

magnitude = page.at("(5)", "G25a").definition(
    "geodp:magnitude",
    "The magnitude, coordinate by coordinate",
    both(ge(_whole, Abs(_g)), ge(_whole, _tail), le(_whole, Abs(_g) + _tail)),
    r"From the last coordinate on, $r_z$ is the norm of the coordinates from $\mathbf g_z$ on; $r_1$ is the magnitude.",
    given=_NORM,
    by=Smt(),
    points={_g: (-3, 3), _tail: (0, 3), _whole: sqrt(_g**2 + _tail**2)},
    wrong={
        "the sum": both(ge(_whole, Abs(_g) + _tail)),
        "the larger one": both(le(_whole, Max(Abs(_g), _tail))),
        "any number": without(),
    },
    reading="Of a definition it is asked what it comes to.",
)

_some_tail = page.positive("rho", "norm of the coordinates after it, not 0", latex="r_{z+1}")
_norm = named("r_z", sqrt(_g**2 + _some_tail**2))

direction = page.at("(6)", "G25b NG04").definition(
    "geodp:direction",
    "The angles of a direction",
    both(eq(_norm * cos(angle(_some_tail, _g)), _g), eq(_norm * sin(angle(_some_tail, _g)), _some_tail)),
    r"For the angles before the last one; the last angle is a polar angle in the plane, by (7). In three dimensions these are the two angles of the example.",
    wrong={
        "sine and cosine exchanged": both(eq(_norm * sin(angle(_some_tail, _g)), _g)),
        "the arguments exchanged": both(eq(_norm * cos(atan(_g / _some_tail)), _g)),
    },
    reading=r"The sum in (6) has no first index; it is read as $z' = z$. Of a definition it is asked what it comes to.",
)

_x, _y = page.real("x", "first coordinate of a point"), page.real("y", "second coordinate")
_RIGHT, _LEFT = Hypothesis("to the right", gt(_x, 0)), Hypothesis("to the left", lt(_x, 0))
_r = named("r", sqrt(_x**2 + _y**2))
_quotient = atan(_y / _x)

arctan2 = page.at("(7)", "G26a").definition(
    "geodp:arctan2",
    "The polar angle of a point",
    both(
        Implies(gt(_x, 0), both(eq(_r * cos(_quotient), _x), eq(_r * sin(_quotient), _y))),
        Implies(lt(_x, 0), both(eq(_r * cos(_quotient + pi), _x), eq(_r * sin(_quotient + pi), _y))),
        Implies(lt(_x, 0), both(eq(_r * cos(_quotient - pi), _x), eq(_r * sin(_quotient - pi), _y))),
    ),
    r"To the right and to the left; on the vertical axis the angles $\pm\frac\pi2$ have cosine 0 and sine $\pm1$.",
    given=Hypothesis("not on the axis", ne(_x, 0)),
    points={_x: (-3, 3), _y: (-3, 3)},
    wrong={
        "without pi": both(Implies(lt(_x, 0), eq(_r * cos(_quotient), _x))),
        "half of pi": both(Implies(lt(_x, 0), eq(_r * cos(_quotient + pi / 2), _x))),
    },
    reading="Of a definition it is asked what it comes to.",
)

_last, _before = (
    page.real("g_d", "last coordinate", latex=r"\mathbf g_d"),
    page.real("g_d-1", "the one before it", latex=r"\mathbf g_{d-1}"),
)
_front2 = page.nonnegative("q", "sum of the squares of the coordinates before these two")
_NOT_ZERO = Hypothesis("not both are 0", ne(_y, 0), "(7)")

zero_denominator = page.at("after (7)", "G26b").remark(
    "geodp:zero-denominator",
    "The polar angle where the denominator is 0, and the root in (6)",
    both(Implies(gt(_y, 0), eq(sqrt(_y**2), _y)), Implies(lt(_y, 0), eq(-sqrt(_y**2), _y)), ge(sqrt(_front2), 0)),
    r"On the vertical axis the angles $\pm\frac\pi2$ lead back to the point: their cosine is 0, and their sine 1 or $-1$. $q$ is the sum of squares in (6).",
    printed=r"\arctan2 \text{ can deal with } \mathbf g_z = 0, \qquad \sqrt{\sum_{z'}^{d-1}\mathbf g_{z'+1}^2} \ge 0",
    given=_NOT_ZERO,
    by=Smt(),
    points={_y: (-3, 3), _front2: (0, 3)},
    wrong={"one angle for both": both(eq(sqrt(_y**2), _y)), "positive": both(gt(sqrt(_front2), 0))},
    reading="(7) itself says that there is no value where both arguments are 0.",
    remark="A gradient whose last two coordinates are 0, such as $(1, 0, 0)$, has no last angle: `beyond:gradients-with-all-angles`. A network with units that are off has gradients with many zeros.",
)

all_angles = ours(page, "after (7)").remark(
    "beyond:gradients-with-all-angles",
    "A gradient whose last two coordinates are not both 0 has all its angles",
    both(gt(sqrt(_before**2 + _last**2), 0), gt(sqrt(_front2 + _before**2 + _last**2), 0)),
    given=Hypothesis("the last two coordinates", gt(_before**2 + _last**2, 0)),
    wrong={"the last one alone": both(gt(Abs(_last), 0)), "no condition": without()},
)

_turn = page.real("t", "an angle before the last one, in half turns", lower=0, upper=1)
_any = named(r"\theta_z", pi * _turn)
_length = page.positive("r_z", "norm of the coordinates from this one on", latex="r_z")
_POLAR = Hypothesis(
    "the angle of the coordinate and the norm of those after it",
    both(eq(_g, _length * cos(_any)), eq(_tail, _length * sin(_any))),
    "§4.1, (6) and (7), with the value 0 for arctan2(0, x) at x > 0 and pi at x < 0",
)
_ANGLES = {_turn: (0, 1), _length: (0, 3), _g: _length * cos(_any), _tail: _length * sin(_any)}

by_sign = page.at("after (7)", "G27a").remark(
    "geodp:range-of-an-angle",
    "The range of an angle before the last one, by the sign of its coordinate",
    both(
        Implies(ge(_g, 0), both(gt(_any, 0), le(_any, pi / 2))),
        Implies(lt(_g, 0), both(gt(_any, pi / 2), lt(_any, pi))),
    ),
    given=_POLAR,
    points=_ANGLES,
    category="missing hypothesis",
    corrected="geodp:range-of-an-angle-corrected",
    remark=r"Where all further coordinates are 0 the angle is 0 or $\pi$, by (7): both ends belong to the range.",
)

whole_range = page.at("after (7)", "G27b").remark(
    "geodp:open-range-of-an-angle",
    "The range of an angle before the last one",
    both(gt(_any, 0), lt(_any, pi)),
    given=_POLAR,
    points=_ANGLES,
    category="missing hypothesis",
    corrected="geodp:range-of-an-angle-corrected",
)

_theta = named(r"\theta_z", angle(_some_tail, _g))

range_corrected = page.at("after (7)").correction(
    "geodp:range-of-an-angle-corrected",
    "The range of an angle with further coordinates that are not all 0",
    both(gt(_theta, 0), lt(_theta, pi)),
    wrong={
        "never above a right angle": both(gt(_theta, 0), le(_theta, pi / 2)),
        "from a tenth on": both(gt(_theta, Rational(1, 10))),
    },
)

halves = ours(page, "after (7)").remark(
    "beyond:acute-and-obtuse-angles",
    "The angle of a coordinate that is not negative is at most a right angle",
    le(_theta, pi / 2),
    "For a negative coordinate it is larger, by its mirror image.",
    given=Hypothesis("the coordinate is not negative", ge(_g, 0)),
    wrong={"a third": pi / 3, "any coordinate": without()},
)

last_range = page.at("after (7)", "G28").remark(
    "geodp:range-of-the-last-angle",
    "The range of the last angle",
    Implies(ge(_y, 0), lt(_quotient + pi, pi)),
    "For the points to the left of the axis and not below it.",
    printed=r"\theta_{d-1} \in (-\pi, \pi)",
    given=_LEFT,
    category="missing hypothesis",
    corrected="geodp:range-of-the-last-angle-corrected",
    remark=r"By (7) the angle of $(-1, 0)$ is $\arctan(0) + \pi = \pi$.",
)

last_range_corrected = page.at("after (7)").correction(
    "geodp:range-of-the-last-angle-corrected",
    "The polar angle reaches pi, and no more",
    both(gt(_quotient + pi, pi / 2), le(_quotient + pi, pi)),
    "To the left of the axis and not below it; below it $2\\pi$ less.",
    given=(_LEFT, Hypothesis("not below", ge(_y, 0))),
    points={_x: (-3, 0), _y: (0, 3)},
    wrong={"up to three quarters": both(le(_quotient + pi, 3 * pi / 4)), "everywhere": without()},
)

_sines = page.nonnegative(
    "P", "product of the sines of the angles before", latex=r"\|\mathbf g\|\prod_{i<z}\sin\theta_i"
)
_SO_FAR = Hypothesis(
    "the angles before", eq(_sines, _norm), "induction over the angles; at the first one both are the magnitude"
)

back = page.at("(8)", "G29 G47").identity(
    "geodp:back-to-rectangular",
    "The way back, one angle further",
    both(eq(_sines * cos(angle(_some_tail, _g)), _g), eq(_sines * sin(angle(_some_tail, _g)), _some_tail)),
    r"The first relation is (8) for this coordinate. The second one carries the induction on: the tail is the product of the magnitude and of one sine more. So one magnitude and $d - 1$ angles stand for $d$ coordinates.",
    given=_SO_FAR,
    points={_g: (-3, 3), _some_tail: (0, 3), _sines: sqrt(_g**2 + _some_tail**2)},
    wrong={"sines for cosines": both(eq(_sines * sin(angle(_some_tail, _g)), _g)), "any product": without()},
    steps=("geodp:direction", "geodp:arctan2"),
    reading="Where all angles exist. The last coordinate is the last tail, with its sign, by the polar angle of the last two.",
)

_rho, _rho2 = page.positive("R", "a magnitude"), page.positive("R'", "another one")
_c1, _c2 = page.real("c", "cosine of an angle"), page.real("c'", "cosine of another one")
_s1, _s2 = page.positive("s_1", "sine of the angle"), page.positive("s_2", "sine of the other one")
_SAME = Hypothesis("the same vector", both(eq(_rho * _c1, _rho2 * _c2), eq(_rho * _s1, _rho2 * _s2)), "(8)")
_UNIT = Hypothesis("cosines and sines", both(eq(_c1**2 + _s1**2, 1), eq(_c2**2 + _s2**2, 1)))
_TURNED = {_c1: (1 - _turn**2) / (1 + _turn**2), _s1: 2 * _turn / (1 + _turn**2), _rho2: _rho}

reversible = page.at("after (8)", "G30").remark(
    "geodp:reversible",
    "The conversion is reversible",
    both(eq(_rho, _rho2), eq(_c1, _c2), eq(_s1, _s2)),
    r"Angle by angle: what has one vector has one magnitude, and angles with the same cosines, which between 0 and $\pi$ are the same angles. That every vector has them, and comes back from them, is `geodp:back-to-rectangular`.",
    given=(_SAME, _UNIT),
    by=Smt(),
    points={**_TURNED, _c2: _TURNED[_c1], _s2: _TURNED[_s1], _turn: (Rational(1, 9), 1), _rho: (0, 3)},
    wrong={"twice": both(eq(_rho, 2 * _rho2)), "any two vectors": without(_SAME)},
    steps="geodp:back-to-rectangular",
    reading="A sentence of notation: for gradients that have all their angles.",
    remark="After noise a magnitude may be negative and an angle outside of its range: such a pair gives a vector, and the vector other numbers.",
)  # fmt: skip
