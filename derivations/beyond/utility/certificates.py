"""Certificates for one step of private gradient descent: multipliers of the interpolation inequalities, as rationals.

Found by semidefinite programming (`rgm_verify.lenses.worlds.performance.solve_step`), rounded to the rationals that they are, and
verified exactly by the lens. Columns: mu, L, the step, `k = 1 + gamma d`, the rate, and the multipliers of the pairs
(minimiser, point) and (point, minimiser).
"""

from fractions import Fraction

from rgm_verify.lenses.worlds.performance import Case, Performance, noisy_step

_SHORT = """
1   4 1/8  1   49/64   7/32  7/32
1   4 1/10 2   41/50   4/25  4/25
1/2 3 1/4  3/2 99/128  13/32 13/32
1   3 1/6  2   13/18   2/9   2/9
2   3 1/5  2   13/25   2/25  2/25
1   5 1/6  2   13/18   2/9   2/9
"""
_LONG = """
1   4 1/3 3/2 1     2/3 2/3
1   4 1/2 1   1     1   1
1/2 3 1/2 5/4 13/16 7/8 7/8
1   10 1/8 2  13/8  3/8 3/8
2   3 1/4 3   19/16 5/8 5/8
"""
#: No strong convexity: here the last two columns belong to the step with the gap `f - f_*` on the left.
_CONVEX = """
0 3 1/4  4/3 1 1/2  0
0 4 1/8  2   1 1/4  0
0 3 1/6  2   1 1/3  0
0 1 1/10 10  1 1/5  0
"""
_CONVEX_LONG = """
0 4 1/4  3/2 1 1/2  1/4
0 4 1/6  2   1 1/3  1/9
0 3 1/4  2   1 1/2  1/4
"""


def _rows(text: str) -> list[list[Fraction]]:
    return [[Fraction(word) for word in line.split()] for line in text.split("\n") if line]


def _case(row: list[Fraction], worst: tuple[Fraction, Fraction], gap: Fraction = Fraction(0)) -> Case:
    strong, smooth, step, k, rate, first, second = row
    return noisy_step(
        strong, smooth, step=step, amplification=k, rate=rate, multipliers=(first, second), worst=worst, gap=gap
    )


def _parabola(curvature: Fraction) -> tuple[Fraction, Fraction]:
    """Gradient and value at 1 of a parabola, the worst function of each of these cases."""
    return curvature, curvature / 2


def _gap(row: list[Fraction]) -> Fraction:
    """`2 tau` up to the longest step of the convex case, `2 tau (2 - k tau L)` for longer ones."""
    _, smooth, step, k, *_ = row
    return 2 * step * min(Fraction(1), 2 - k * step * smooth)


def _example(case: Case) -> tuple[Fraction, ...]:
    """r, F, B and G at the worst function of a case."""
    (x, g), (value,) = case.example
    return x * x, value, g * x - value, g * g


def _step(case: Case) -> tuple[Fraction, Fraction]:
    """The step and `k`, as the quadratic form of the case has them."""
    tau = -case.gain.squares[0][1]
    return tau, case.gain.squares[1][1] / tau**2


def of_sharp_step(case: Case) -> tuple[Fraction, ...]:
    """r, F, B, G, mu, L, tau, k."""
    return *_example(case), case.strong, case.smooth, *_step(case)


def of_convex_step(case: Case) -> tuple[Fraction, ...]:
    """r, F, B, G, L, gamma, sigma^2, d, tau, without baseline noise and in dimension 1."""
    tau, k = _step(case)
    return *_example(case), case.smooth, k - 1, Fraction(0), Fraction(1), tau


SHORT = Performance(
    "one short step at the rate of the smallest curvature",
    tuple(_case(row, worst=_parabola(row[0])) for row in _rows(_SHORT)),
)
LONG = Performance(
    "one long step at the rate of the largest curvature",
    tuple(_case(row, worst=_parabola(row[1])) for row in _rows(_LONG)),
)
CONVEX = Performance(
    "one step in the convex case, the longest that is allowed",
    tuple(_case(row, worst=_parabola(row[1]), gap=_gap(row)) for row in _rows(_CONVEX)),
)
CONVEX_LONG = Performance(
    "one longer step in the convex case",
    tuple(_case(row, worst=_parabola(row[1]), gap=_gap(row)) for row in _rows(_CONVEX_LONG)),
)
