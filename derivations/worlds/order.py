"""Orders of matrices in exact worlds: `A` above `rho C` without common eigenvectors, in 1 to 3 dimensions.

What is true of matrices that commute is not enough here: `C = R R^T + r I` and `A = rho C + N N^T` are drawn in general
position, with `N` of low rank now and then, so that the order is tight in some directions.
"""

from fractions import Fraction
from functools import partial

import numpy as np

from rgm_verify.lenses.datasets import matrix, ordered_matrices, ordered_pair, size
from rgm_verify.lenses.linear import (
    Matrix,
    Number,
    Vector,
    apply,
    combination,
    dot,
    form,
    identity,
    inverse,
    largest_eigenvalue,
    largest_level,
    smallest_eigenvalue,
    squared,
)
from rgm_verify.lenses.worlds import Slack, World, Worlds, at_most, equal, every, require

from .ridge import Pair, pair, shrunk_pair, spectrum


def condition(matrix: Matrix) -> Number:
    """An upper bound on the condition number."""
    low, high = spectrum(matrix)
    return high / low


def kantorovich(kappa: Number) -> Number:
    """The factor of Kantorovich's inequality."""
    return (1 + kappa) ** 2 / (4 * kappa)


def _solved(matrix: Matrix, x: Vector) -> Vector:
    return apply(inverse(matrix), x)


def squares(world: World, factor: str = "none") -> Slack:
    """`rho^2 |A^-1 x|^2` against `|C^-1 x|^2`, with a factor in front of the latter."""
    a, c = ordered_matrices(world)
    price = {"none": Fraction(1), "kantorovich": kantorovich(condition(c)), "of A": kantorovich(condition(a))}[factor]
    return at_most(world["rho"] ** 2 * squared(_solved(a, world["x"])), price * squared(_solved(c, world["x"])))


def two_factors(world: World) -> Slack:
    """The order of squares with the condition number of C and with that of A."""
    return every(squares(world, "kantorovich"), squares(world, "of A"))


def inverses(world: World, power: int = 1) -> Slack:
    """`rho x^T A^-1 x <= x^T C^-1 x`."""
    a, c = ordered_matrices(world)
    x = world["x"]
    return at_most(world["rho"] ** power * dot(x, _solved(a, x)), dot(x, _solved(c, x)))


def _norm2(matrix: Matrix, x: Vector) -> Number:
    """`|x x^T M^-1|^2`."""
    return squared(x) * squared(_solved(matrix, x))


def clipped(world: World, factor: str = "kantorovich", ellipsoid: bool = False) -> Slack:
    """What a clipped point contributes: `|x x^T A^-1|^2`, with the threshold at the point."""
    a, c = ordered_matrices(world)
    x = world["x"]
    kappa = condition(c)
    price = {"none": Fraction(1), "kantorovich": kantorovich(kappa), "kappa": kappa}[factor]
    threshold = dot(x, _solved(c, x)) ** 2 if ellipsoid else _norm2(c, x)
    return at_most(world["rho"] ** 2 * _norm2(a, x), price * threshold)


def through_inverse(world: World, factor: bool = True) -> Slack:
    """The same with the condition number of A and the printed clipping."""
    a, c = ordered_matrices(world)
    x = world["x"]
    return at_most(world["rho"] ** 2 * _norm2(a, x), (condition(a) if factor else 1) * _norm2(c, x))


def compared(world: World, factor: Fraction = Fraction(1), reverse: bool = False) -> Slack:
    """`(x^T C^-1 x)^2 <= |x|^2 |C^-1 x|^2`: the printed clipping is the stronger one."""
    _, c = ordered_matrices(world)
    leverage2, printed = dot(world["x"], _solved(c, world["x"])) ** 2, _norm2(c, world["x"])
    return at_most(printed, leverage2) if reverse else at_most(leverage2, factor * printed)


def condition_number(world: World, factor: str = "kappa") -> Slack:
    """`|x|^2 x^T C^-2 x` against `(x^T C^-1 x)^2`."""
    _, c = ordered_matrices(world)
    price = {"none": Fraction(1), "kappa": condition(c), "sharp": kantorovich(condition(c))}[factor]
    return at_most(_norm2(c, world["x"]), price * dot(world["x"], _solved(c, world["x"])) ** 2)


def inclusion_printed(world: World) -> Slack:
    """Version 1's inclusion: `X^T A^-1 X > sqrt(kappa) L` whenever the norm exceeds `L`."""
    _, c = ordered_matrices(world)
    kappa = largest_eigenvalue(c)[0] / smallest_eigenvalue(c)[1]  # from below: what fails here fails for kappa
    return at_most(kappa * _norm2(c, world["x"]), dot(world["x"], _solved(c, world["x"])) ** 2)


def rayleigh(world: World, both: bool = False) -> Slack:
    """`(x^T w)^2 <= (x^T C^-1 x)(w^T C w)`."""
    _, c = ordered_matrices(world)
    x, w = world["x"], world["above"][0] if len(world["above"][0]) == len(world["x"]) else world["root"][0]
    return at_most(dot(x, w) ** 2, form(x, c if both else inverse(c), x) * form(w, c, w))


def longest(world: World, unit: int = 1) -> Slack:
    """`|x|^2 <= L x^T C^-1 x`: clipped records have bounded norms."""
    _, c = ordered_matrices(world)
    return at_most(squared(world["x"]), largest_eigenvalue(c)[1] ** unit * dot(world["x"], _solved(c, world["x"])))


def _share(world: World) -> Number:
    require(world["beta"] > 0)
    return world["beta"] / (1 + world["beta"])


def share_left(world: World, printed: bool = False) -> Slack:
    """`A >= rho C` leaves `A - beta rho C >= (1 - beta) rho C`, along x; as printed without rho."""
    a, c = ordered_matrices(world)
    beta, rho, x = _share(world), world["rho"], world["x"]
    left = form(x, combination((1, a), (-beta * rho, c)), x)
    return at_most((1 - beta) * (1 if printed else rho) * form(x, c, x), left)


def statistic_terms(world: World, printed: bool = False) -> Slack:
    """`x^T (A - beta rho C)^-1 x <= x^T C^-1 x / ((1 - beta) rho)`."""
    a, c = ordered_matrices(world)
    beta, rho, x = _share(world), world["rho"], world["x"]
    left = dot(x, _solved(combination((1, a), (-beta * rho, c)), x))
    return at_most(left * (1 - beta) * (1 if printed else rho), dot(x, _solved(c, x)))


def event(world: World, half: bool = False) -> Slack:
    """`|A - C| <= Delta` gives `A + Delta I >= C`, along x."""
    _, c = ordered_matrices(world)
    d = len(c)
    other = combination((1, c), (1, _symmetric(world)))
    deviation = combination((1, other), (-1, c))
    delta = max(largest_eigenvalue(deviation)[1], largest_eigenvalue(combination((-1, deviation)))[1])
    share = Fraction(1, 2) if half else Fraction(1)
    raised = combination((1, other), (share * delta, identity(d)))
    return at_most(form(world["x"], c, world["x"]), form(world["x"], raised, world["x"]))


def _symmetric(world: World) -> Matrix:
    root = world["root"]
    return tuple(tuple(root[min(i, j)][max(i, j)] for j in range(len(root))) for i in range(len(root)))


def whitening(world: World, doubled: bool = False) -> Slack:
    """`X^T Sigma^-1 X = |u|^2` for `X = M u` and `Sigma = M M^T`."""
    root = world["root"]
    x = apply(root, world["x"])
    sigma = tuple(tuple(dot(a, b) for b in root) for a in root)
    return equal(dot(x, _solved(sigma, x)), squared(world["x"]) * (2 if doubled else 1))


def helpful(world: World, other: bool = False) -> Slack:
    """If `rho lambda_min(C) > mu_reg`: `mu_reg^2 |x|^2 x^T C^-2 x < rho^2 |x|^4`."""
    _, c = ordered_matrices(world)
    low, high = spectrum(c)
    rho, share = world["rho"], _share(world)
    reg = share * rho * (high if other else low)
    return at_most(reg**2 * squared(_solved(c, world["x"])), rho**2 * squared(world["x"]))


# --- Proposition 1 for neighbouring datasets ---------------------------------------------------------------------


def _levels(world: World, p: Pair) -> tuple[Matrix, Number]:
    """C, and a level that the covariances of both datasets are above of."""
    _, c = ordered_matrices({**world, "above": world["root"]})
    rho = min(largest_level(f.moments, c)[0] for f in (p.first, p.second))
    require(rho > 0)
    return c, rho


def proposition_1(world: World, factor: str = "kantorovich", six: Fraction = Fraction(6)) -> Slack:
    """Proposition 1 for a pair of datasets within the threshold, at a point, in both orders."""
    p = pair(world)
    c, rho = _levels(world, p)
    n = p.first.count
    radius4 = max(_norm2(c, x) for x in (*p.first.records, p.second.records[0]))
    price = {"kantorovich": kantorovich(condition(c)), "none": Fraction(1)}[factor]
    eta2 = six * price * radius4 / (rho * n) ** 2
    found = []
    for q in (p, Pair(p.second, p.first, p.theta)):
        rest = 3 * squared(q.absolute) / n**2
        found.append(at_most(squared(q.gap) / n**2, eta2 * squared(q.first.gradient(q.theta)) + rest))
    return every(*found)


def proposition_1_split(world: World, four: Fraction = Fraction(4)) -> Slack:
    """The same with the parts shared freely."""
    p, z = pair(world), world["rho"]
    require(z > 0)
    c, rho = _levels(world, p)
    radius4 = max(_norm2(c, x) for x in (*p.first.records, p.second.records[0]))
    price = kantorovich(condition(c)) * radius4 / rho**2
    right = four * (1 + z) * price * squared(p.first.gradient(p.theta)) + (1 + 1 / z) * squared(p.absolute)
    return at_most(squared(p.gap), right)


def ellipsoid_sensitivity(world: World, kappa: bool = True) -> Slack:
    """Proposition 3's sensitivity: `eta^2 = 6 kappa R_c^4/(rho^2 n^2)` for records in the ellipsoid."""
    p = pair(world)
    c, rho = _levels(world, p)
    radius4 = max(dot(x, _solved(c, x)) ** 2 for x in (*p.first.records, p.second.records[0]))
    eta2 = 6 * (condition(c) if kappa else Fraction(1, 16)) * radius4 / rho**2
    rest = 3 * squared(p.absolute)
    return at_most(squared(p.gap), eta2 * squared(p.first.gradient(p.theta)) + rest)


def _with_share(generator: np.random.Generator) -> World:
    return {**ordered_pair(generator), "beta": size(generator, 3)}


def _clipped_pair(generator: np.random.Generator) -> World:
    world = shrunk_pair(generator)
    d = len(world["theta"])
    return {**world, "root": matrix(generator, d, d), "ridge": size(generator, 2), "rho": size(generator, 2)}


def _long_ellipse(generator: np.random.Generator) -> World:
    """Points (a, -1), (a, 0), (0, 1) and a fourth one at 0 that becomes (4a, 0); C is long along the first axis."""
    a, zero, one = Fraction(int(generator.integers(6, 20))), Fraction(0), Fraction(1)
    return {
        "records": ((zero, zero), (a, -one), (a, zero), (zero, one)),
        "labels": (zero,) * 4,
        "regularisation": zero,
        "new_record": (4 * a, zero),
        "new_label": zero,
        "theta": (one, 2 * a + Fraction(int(generator.integers(-6, 7)), 4)),
        "root": ((a, zero), (zero, zero)),
        "ridge": one,
        "rho": one,
    }


SQUARES_PRINTED = Worlds("A^-2 by the order of A and rho C", ordered_pair, squares)
SQUARES = Worlds("A^-2 with Kantorovich's factor", ordered_pair, two_factors, {"without it": squares})
INVERSES = Worlds("A^-1 by the order", ordered_pair, inverses, {"rho squared": partial(inverses, power=2)})
CLIPPED_PRINTED = Worlds("a clipped point, without a factor", ordered_pair, partial(clipped, factor="none"))
CLIPPED = Worlds("a clipped point", ordered_pair, clipped, {"no factor": partial(clipped, factor="none")})
ELLIPSOID_POINT = Worlds(
    "a point clipped to the ellipsoid",
    ordered_pair,
    partial(clipped, factor="kappa", ellipsoid=True),
    {"no factor": partial(clipped, factor="none", ellipsoid=True)},
)
THROUGH_INVERSE = Worlds(
    "a clipped point by the condition number of A", ordered_pair, through_inverse, {"no factor": squares}
)
COMPARED = Worlds("both clippings", ordered_pair, compared, {"a half": partial(compared, factor=Fraction(1, 2))})
COMPARED_PRINTED = Worlds("the ellipsoid as the stronger clipping", ordered_pair, partial(compared, reverse=True))
CONDITION = Worlds(
    "the price of a condition number",
    ordered_pair,
    condition_number,
    {"left out": partial(condition_number, factor="none")},
)
KANTOROVICH = Worlds(
    "Kantorovich's factor",
    ordered_pair,
    partial(condition_number, factor="sharp"),
    {"left out": partial(condition_number, factor="none")},
)
INCLUSION_PRINTED = Worlds("the norm of a record and its leverage", ordered_pair, inclusion_printed)
RAYLEIGH = Worlds("Cauchy-Schwarz for C", ordered_pair, rayleigh, {"C twice": partial(rayleigh, both=True)})
LONGEST = Worlds("norms of clipped records", ordered_pair, longest, {"L left out": partial(longest, unit=0)})
SHARE = Worlds("what is left above rho C", _with_share, share_left, {"printed": partial(share_left, printed=True)})
SHARE_PRINTED = Worlds("what is left above rho C, as printed", _with_share, partial(share_left, printed=True))
TERMS = Worlds(
    "terms of the statistic", _with_share, statistic_terms, {"printed": partial(statistic_terms, printed=True)}
)
TERMS_PRINTED = Worlds("terms of the statistic, as printed", _with_share, partial(statistic_terms, printed=True))
EVENT = Worlds("from the norm to the order", ordered_pair, event, {"half": partial(event, half=True)})
WHITENING = Worlds(
    "the form of a whitened record", ordered_pair, whitening, {"twice": partial(whitening, doubled=True)}
)
HELPFUL = Worlds("C against the regularisation", _with_share, helpful, {"largest": partial(helpful, other=True)})
PROPOSITION_1 = Worlds(
    "Proposition 1 with (1+kappa)^2/(4 kappa), for pairs of datasets",
    _clipped_pair,
    proposition_1,
    {"no relative part": partial(proposition_1, six=Fraction(0))},
)
PROPOSITION_1_PRINTED = Worlds(
    "Proposition 1 as printed, for pairs of datasets", _long_ellipse, partial(proposition_1, factor="none")
)
PROPOSITION_1_SPLIT = Worlds(
    "Proposition 1 with 4(1+z), for pairs of datasets",
    _clipped_pair,
    proposition_1_split,
    {"no relative part": partial(proposition_1_split, four=Fraction(0))},
)
PROPOSITION_3 = Worlds(
    "the sensitivity of records in the ellipsoid",
    _clipped_pair,
    ellipsoid_sensitivity,
    {"1/16 for kappa": partial(ellipsoid_sensitivity, kappa=False)},
)
