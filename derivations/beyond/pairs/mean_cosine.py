r"""The mean cosine on a sphere: it grows with the concentration, falls against it, and falls ever more slowly.

On the unit sphere of $\mathbf{R}^d$ give the point $\omega$ the weight $e^{z\omega_1}$, and let $y(z)$ be the mean of
$t = \omega_1$; it is the ratio $I_{d/2}(z)/I_{d/2-1}(z)$ of Bessel functions, and $\tanh z$ for $d = 1$. Normal
distributions meet it wherever one of them is integrated over a sphere that is not centred at its mean. With
$\zeta = z^2$ and $s = y/z$ everything about it comes from one equation,

$2\zeta\,\frac{ds}{d\zeta} = 1 - ds - \zeta s^2 =: -K, \qquad s(0) = \frac1d$,

and from two barriers: $K$ and $N = K(d+2+2\zeta s) - 2\zeta s^2$ can cross zero only upwards and start above it. So
$s$ falls ($K > 0$) and is convex ($s'' = N/(4\zeta^2) > 0$), while $y$ rises ($y' = s - K$ is a variance).
"""

from sympy import cosh, factorial, sinh, tanh

from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d
from ...theorems import CHANGE_OF_VARIABLES, COMPARISON, DIFFERENTIATION

page = Page("beyond", "used for the hockey-stick divergence; in neither version", NOTATION)
t = page.real("t", "cosine of the angle to the axis", lower=-1, upper=1, lower_open=True, upper_open=True)
z = page.positive("z", "concentration")
y = page.real("y", "mean cosine", lower=0, upper=1, lower_open=True, upper_open=True)
m2 = page.positive("m_2", "mean of the square of the cosine", upper=1)
s = page.positive("s", "mean cosine over the concentration")
zeta = page.positive("zeta", "square of the concentration")
#: -2 zeta ds/dzeta, positive where s falls.
falling = named("K", zeta * s**2 + d * s - 1)
#: dy/dz, the variance of the cosine.
rising = named("y'", 1 - zeta * s**2 - (d - 1) * s)
#: 4 zeta^2 times the second derivative of s, positive where s is convex.
convex = named("N", falling * (d + 2 + 2 * zeta * s) - 2 * zeta * s**2)
#: ds/dzeta by the equation.
slope = -falling / (2 * zeta)
FALLING = Hypothesis("s falls", gt(falling, 0), by=("beyond:mean-cosine-falls",))
RISING = Hypothesis("y rises", gt(rising, 0), "a variance", by=("beyond:mean-cosine-equation",))
_SHARE = real("f", lower=0, upper=1).symbol
_Y2 = real("p", lower=0, upper=1).symbol
_s_between = (1 - _Y2) / (d - _SHARE)
#: Points where s falls and y rises: y^2 = p, and s between the bounds (1 - p)/d and (1 - p)/(d - 1).
BETWEEN = {_Y2: (0, 1), _SHARE: (0, 1), d: (1, 1000), s: _s_between, zeta: _Y2 / _s_between**2}

by_parts = page.identity(
    "beyond:mean-cosine-by-parts",
    "Integration by parts on the sphere",
    eq((1 - t**2) * Derivative((d - 1) * Rational(1, 2) * log(1 - t**2) + z * t, t), z * (1 - t**2) - (d - 1) * t),
    "The cosine has a density proportional to $(1-t^2)^{(d-3)/2}e^{zt}$. The right side times that is the derivative of $(1-t^2)^{(d-1)/2}e^{zt}$; on the left is its logarithmic derivative.",
    wrong={"d instead of d - 1": z * (1 - t**2) - d * t, "without z": 1 - t**2 - (d - 1) * t},
    steps=CHANGE_OF_VARIABLES.quoted(
        r"The area of the sphere between two values of the cosine is proportional to $(1-t^2)^{(d-3)/2}dt$, for $d \ge 2$.",
        r"The cosine and the direction across the axis are coordinates of the sphere without its poles.",
        "The weight $e^{zt}$ is positive.",
    ),
    remark=r"Integrated from $-1$ to $1$ the derivative gives 0 for $d \ge 2$, so that $z(1-m_2) = (d-1)y$ for the mean "
    r"$y$ of the cosine and the mean $m_2$ of its square. For $d = 1$ the cosine is $\pm1$, and both sides are 0.",
)

equation = page.identity(
    "beyond:mean-cosine-equation",
    "The equation of the mean cosine",
    eq(m2 - y**2, 1 - y**2 - (d - 1) * y / z),
    "The left side is the variance of the cosine, hence positive, and the derivative of $y$ in $z$.",
    given=Hypothesis("by parts", eq(z * (1 - m2), (d - 1) * y), by=("beyond:mean-cosine-by-parts",)),
    by=Smt(),
    points={d: (1, 1000), m2: 1 - (d - 1) * y / z},
    wrong={"d instead of d - 1": 1 - y**2 - d * y / z, "y instead of its square": 1 - y - (d - 1) * y / z},
    steps=(
        "beyond:mean-cosine-by-parts",
        DIFFERENTIATION.quoted(
            r"The mean of $t$ under a density proportional to $g(t)e^{zt}$ has the variance of $t$ as its derivative in $z$.",
            "The weight $e^{zt}$ and its products with powers of $t$ are, for every $t$.",
            "The cosine is bounded, so that $g(t)e^{Z}$ bounds all of them for $z < Z$; $g$ is integrable.",
        ),
    ),
    reading="A variance is positive unless its variable is constant, which the cosine is not.",
)

in_squares = page.identity(
    "beyond:mean-cosine-in-squares",
    "The same equation for s = y/z against the square of z",
    eq((1 - (s * z) ** 2 - (d - 1) * s - s) / (2 * z**2), slope.subs(zeta, z**2)),
    "The left side is the derivative of $s$ in $z^2$, by the equation of $sz$.",
    wrong={"sign": -slope.subs(zeta, z**2), "d - 1 for d": left((1 - (s * z) ** 2 - (d - 1) * s) / (2 * z**2))},
    steps="beyond:mean-cosine-equation",
)

_SQUARE_0 = positive("m_2", "mean of the square of the cosine at z = 0", upper=1)
_m4 = page.positive("m_4", "mean of its fourth power at z = 0", upper=1)
_start_slope = (_m4 - 3 * m2**2) / 6

start = page.identity(
    "beyond:mean-cosine-start",
    "Value and slope of s at the start",
    both(eq(m2, 1 / d), eq(_start_slope, -1 / (d**2 * (d + 2)))),
    "The moments at 0 are those by parts with $t(1-t^2)^{(d-1)/2}$ and $t^3(1-t^2)^{(d-1)/2}$; the two sides are the value and the slope of $s$.",
    given=(
        Hypothesis("second moment by parts", eq(1 - m2, (d - 1) * m2)),
        Hypothesis("fourth moment by parts", eq(3 * (m2 - _m4), (d - 1) * _m4)),
    ),
    by=Smt(),
    points={d: (1, 1000), m2: 1 / d, _m4: 3 / (d * (d + 2))},
    over=(_SQUARE_0,),
    wrong={
        "d + 2 becomes d + 1": both(eq(m2, 1 / d), eq(_start_slope, -1 / (d**2 * (d + 1)))),
        "d becomes d + 1": both(eq(m2, 1 / (d + 1)), eq(_start_slope, -1 / (d**2 * (d + 2)))),
    },
    steps=DIFFERENTIATION.quoted(
        r"The third cumulant at $z = 0$ vanishes by symmetry and the fourth is $m_4 - 3m_2^2$: derivatives of $\log\mathbb E e^{zt}$.",
        "The weight is an exponential in $z$.",
        "The cosine is bounded, and so are all derivatives for $z$ in a bounded interval.",
    ),
)

_third = 2 / (d**3 * (d + 2) * (d + 4))
_series = named("s", 1 / d - zeta / (d**2 * (d + 2)) + _third * zeta**2)
_residual = 1 - d * _series - zeta * _series**2 - 2 * zeta * diff(_series, zeta)


def _coefficient(expression: Expr, power: int) -> Expr:
    """The coefficient of a power of zeta at the start, unevaluated."""
    return At(Derivative(expression, (zeta, power)) / factorial(power) if power else expression, zeta, 0)


series = page.identity(
    "beyond:mean-cosine-series",
    "The start of s, and where K and N start",
    All(
        (
            *(eq(_coefficient(_residual, k), 0) for k in range(3)),
            eq(_coefficient(falling.subs(s, _series), 0), 0),
            eq(_coefficient(falling.subs(s, _series), 1), 2 / (d**2 * (d + 2))),
            *(eq(_coefficient(convex.subs(s, _series), k), 0) for k in range(2)),
            eq(_coefficient(convex.subs(s, _series), 2), 16 / (d**3 * (d + 2) * (d + 4))),
        )
    ),
    "The series solves the equation up to the second power, and $K$ and $N$ are positive at the start.",
    printed=r"s = \frac1d - \frac{\zeta}{d^2(d+2)} + \frac{2\zeta^2}{d^3(d+2)(d+4)} + \dots, \quad K = \frac{2\zeta}{d^2(d+2)} + \dots, \quad N = \frac{16\zeta^2}{d^3(d+2)(d+4)} + \dots",
    over=(zeta,),
    wrong={
        "another third coefficient": eq(_coefficient(_residual + 3 * _third * zeta**2, 2), 0),
        "N starts with its first power": eq(_coefficient(convex.subs(s, _series), 1), 2 / d**2),
    },
    steps=(
        Step("The equation.", "beyond:mean-cosine-in-squares"),
        Step("Value and slope.", "beyond:mean-cosine-start"),
        DIFFERENTIATION.quoted(
            r"$s$ is a power series in $\zeta$ near 0: so is $\mathbb E e^{zt}$, which is even in $z$ and 1 at 0.",
            "The weight is an exponential in $z$, also for complex $z$.",
            "The cosine is bounded.",
        ),
    ),
    reading="The equation determines the coefficients one after the other.",
)


def _along(expression: Expr) -> Expr:
    """The derivative in zeta of an expression in zeta and s, along the solution of the equation."""
    return diff(expression, zeta) + diff(expression, s) * slope


falls = page.inequality(
    "beyond:mean-cosine-falls",
    "The mean cosine falls against the concentration",
    gt(_along(falling), 0),
    "The left side is the derivative of $K$ along the solution, at a zero of $K$: it can cross zero only upwards. Hence $K$ is positive everywhere.",
    printed=r"K = 0 \;\Longrightarrow\; \frac{dK}{d\zeta} > 0",
    given=Hypothesis("a zero of K", eq(falling, 0)),
    points={_Y2: (0, 1), d: (1, 1000), s: (1 - _Y2) / d, zeta: _Y2 * d**2 / (1 - _Y2) ** 2},
    wrong={"direction": turned(), "more than twice s^2": 2 * s**2},
    steps=(
        Step(r"The equation of $s$ in $\zeta$.", "beyond:mean-cosine-in-squares"),
        COMPARISON.quoted(
            r"So $K$ is positive for every $\zeta > 0$.",
            "beyond:mean-cosine-series",
            "This is what the formula says.",
            "$s$ is a quotient of power series in $\\zeta$ that converge everywhere, with a positive denominator.",
        ),
        Step(
            r"The start without a series: where $K \le 0$ up to a point, $s$ would not fall from $1/d$, and that gives $K > 0$.",
            "beyond:mean-cosine-not-above-start",
        ),
    ),
)

not_above_start = page.inequality(
    "beyond:mean-cosine-not-above-start",
    "Where s is at least 1/d, K is positive",
    both(ge(falling, zeta * s**2), gt(falling, 0)),
    given=Hypothesis("not below the start", ge(d * s, 1)),
    wrong={"twice": both(ge(falling, 2 * zeta * s**2), gt(falling, 0)), "below the start as well": without()},
)

second_derivative = page.identity(
    "beyond:mean-cosine-second-derivative",
    "The second derivative of s",
    eq(_along(slope), convex / (4 * zeta**2)),
    "The left side is the derivative of the slope along the solution.",
    printed=r"\frac{d^2s}{d\zeta^2} = \frac{N}{4\zeta^2}, \qquad N = K(d + 2 + 2\zeta s) - 2\zeta s^2",
    wrong={"4 becomes 2": convex / (2 * zeta**2), "sign": -convex / (4 * zeta**2)},
    steps="beyond:mean-cosine-in-squares",
)

_A = positive("q", "zeta times s").symbol
_s_on = (d + 2 + 2 * _A) / ((_A + d) * (d + 2 + 2 * _A) - 2 * _A)

is_convex = page.inequality(
    "beyond:mean-cosine-convex",
    "The mean cosine over the concentration is convex",
    both(eq(_along(convex), falling * (4 * s - falling)), gt(_along(convex), 0)),
    r"The left side is the derivative of $N$ along the solution, at a zero of $N$, and $K$ is below $s$. Hence $N$ is positive, and $s$ is a convex function of $\zeta$.",
    printed=r"N = 0 \;\Longrightarrow\; \frac{dN}{d\zeta} = K(4s - K) > 0",
    given=(Hypothesis("a zero of N", eq(convex, 0)), FALLING, RISING),
    points={_A: (0, None), d: (1, 1000), s: _s_on, zeta: _A / _s_on},
    wrong={
        "4 becomes 3": both(eq(_along(convex), falling * (3 * s - falling)), gt(_along(convex), 0)),
        "direction": lt(_along(convex), 0),
    },
    steps=(
        Step(r"The second derivative of $s$ has the sign of $N$.", "beyond:mean-cosine-second-derivative"),
        COMPARISON.quoted(
            r"So $N$ is positive for every $\zeta > 0$.",
            "beyond:mean-cosine-series",
            "This is what the formula says.",
            "It is a polynomial in $\\zeta$ and $s$, and $s$ is differentiable.",
        ),
        Step(
            r"The start without a series: where $N \le 0$ up to a point, $K/\zeta = -2s'$ would not fall from $2/(d^2(d+2))$, and that gives $N > 0$.",
            "beyond:mean-cosine-not-below-start",
        ),
        "beyond:mean-cosine-falls",
    ),
    remark=r"Since $y' = s - K$, that $y$ rises says $K < s$.",
)

not_below_start = page.inequality(
    "beyond:mean-cosine-not-below-start",
    "Where K/zeta is at least its start, N is positive",
    gt(convex, 0),
    given=(
        Hypothesis("not below the start", ge(d**2 * (d + 2) * falling, 2 * zeta)),
        Hypothesis("s has fallen", lt(d * s, 1), by=("beyond:mean-cosine-falls",)),
    ),
    points={(_Y2, _SHARE): (0, 1), d: (1, 1000), s: (1 - _Y2 * _SHARE) / d, zeta: _Y2 * d**2 / (1 - _Y2 * _SHARE) ** 2},
    wrong={"twice as much": 2 * zeta * s**2, "without the start": without("not below the start")},
)

_coth = cosh(z) / sinh(z)
_langevin = _coth - 1 / z


def _equation_holds(mean: Expr, dimension: int) -> Relation:
    """Say that an explicit mean cosine solves the equation in its dimension."""
    return eq(Derivative(mean, z), 1 - mean**2 - (dimension - 1) * mean / z)


explicit = page.identity(
    "beyond:mean-cosine-explicit",
    "The mean cosine in one and three dimensions",
    All((_equation_holds(tanh(z), 1), _equation_holds(_langevin, 3))),
    wrong={"dimension 2 for 1": _equation_holds(tanh(z), 2), "dimension 2 for 3": _equation_holds(_langevin, 2)},
)


def _bounds_hold(mean: Expr, dimension: int) -> tuple[Relation, ...]:
    """Say that K, y' and N are positive at an explicit mean cosine."""
    at = {s: mean / z, zeta: z**2, d: dimension}
    titles = ((f"K_{dimension}", falling), (f"y_{dimension}'", rising), (f"N_{dimension}", convex))
    return tuple(gt(named(title, e.subs(at)), 0) for title, e in titles)


explicit_bounds = page.inequality(
    "beyond:mean-cosine-explicit-bounds",
    "The three inequalities in one and three dimensions",
    All((*_bounds_hold(tanh(z), 1), *_bounds_hold(_langevin, 3))),
    r"These are $K$, $y'$ and $N$ for $\tanh z$ in one dimension and for $\coth z - 1/z$ in three.",
    points={z: (Rational(1, 100), 30)},
    wrong={
        "N with the dimension off by one": gt(convex.subs({s: tanh(z) / z, zeta: z**2, d: 0}), 0),
        "K as large as s": gt((falling - s).subs({s: tanh(z) / z, zeta: z**2, d: 1}), 0),
    },
    remark="An end-to-end look at what the barriers prove, by calculus alone.",
)
