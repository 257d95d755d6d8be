"""General objectives in exact worlds: means of quadratics whose Hessians do not commute."""

from ...exact_worlds import *


def _hessian(root: Matrix, ridge: Number) -> Matrix:
    require(ridge >= 0)
    return combination((1, gram(root)), (ridge, identity(len(root))))


@dataclass(frozen=True)
class Exchange:
    """A mean of convex quadratics `(theta - c_i)^T H_i (theta - c_i)/2` of which the first is exchanged for another.

    `L` bounds the Hessians of the exchanged records, `mu` that of the mean, `L_rel` is the least constant of relative
    smoothness, all rounded outward; `away` is theta less the minimiser.
    """

    pair: tuple[tuple[Matrix, Vector], tuple[Matrix, Vector]]
    mean: Matrix
    star: Vector
    away: Vector
    smooth: Number
    relative: Number
    strong: Number

    @property
    def slope2(self) -> Number:
        """The squared norm of the gradient of the mean."""
        return squared(apply(self.mean, self.away))

    def moved(self, which: int) -> Vector:
        """The change of a record's gradient from the minimiser to theta."""
        return apply(self.pair[which][0], self.away)

    def apart(self) -> Vector:
        """The difference of the gradients of both records at the minimiser."""
        return minus(*(apply(h, minus(self.star, c)) for h, c in self.pair))


def exchange(world: World) -> Exchange:
    """The objective of a world with `roots`, `ridges` and `centres`."""
    n = len(world["roots"]) - 1
    hessians = [_hessian(r, h) for r, h in zip(world["roots"], world["ridges"], strict=True)]
    centres, theta = world["centres"], world["theta"]
    share = Fraction(1, n)
    mean = combination(*((share, h) for h in hessians[:n]))
    mu = smallest_eigenvalue(mean)[0]
    require(mu > 0)
    slope = tuple(0 * a for a in theta)
    for h, c in zip(hessians[:n], centres[:n], strict=True):
        slope = plus(slope, times(share, apply(h, c)))
    star = apply(inverse(mean), slope)
    pair = ((hessians[0], centres[0]), (hessians[n], centres[n]))
    smooth = max(largest_eigenvalue(h)[1] for h, _ in pair)
    least = max(-largest_level(combination((-1, h)), mean)[0] for h, _ in pair)
    require(smooth > 0 and least > 0)
    return Exchange(pair, mean, star, minus(theta, star), smooth, least, mu)


def general(world: World, factor: int = 6, record: bool = False, relative: bool = True) -> Slack:
    """The relative sensitivity of a mean of convex quadratics, unreduced.

    With `record` the gradient of one record alone, as in (57), (62).
    """
    f = exchange(world)
    price = f.smooth * (f.relative if relative else 1) / f.strong * f.slope2
    if record:
        return at_most(squared(f.moved(0)), price)
    at_theta = minus(*(apply(h, minus(world["theta"], c)) for h, c in f.pair))
    return at_most(squared(at_theta), factor * price + Fraction(factor, 2) * squared(f.apart()))


def compared(world: World, reverse: bool = False) -> Slack:
    """For a record of least squares: `|A_0 A^-1|^2 <= L L_rel/mu <= kappa_A L_rel^2`, record and A as they are."""
    mean = _hessian(world["roots"][0], world["ridges"][0] + 1)
    x = world["theta"]
    low, high = smallest_eigenvalue(mean)[0], largest_eigenvalue(mean)[1]
    require(low > 0)
    back = inverse(mean)
    leverage, term = form(x, back, x), squared(x) * squared(apply(back, x))
    middle = squared(x) * leverage / low
    if reverse:
        return at_most(high / low * leverage**2, middle)
    return every(at_most(term, middle), at_most(middle, high / low * leverage**2))


def relatively_smooth(world: World, share: Fraction = Fraction(1)) -> Slack:
    """`D_{f_0} <= X_0^T A^-1 X_0 D_f` for least squares, at any two points."""
    mean = _hessian(world["roots"][0], world["ridges"][0] + 1)
    x, v = world["centres"][0], world["theta"]
    return at_most(dot(x, v) ** 2, share * form(x, inverse(mean), x) * form(v, mean, v))


def _quadratics(generator: Random) -> World:
    d, n = int(generator.integers(1, 4)), int(generator.integers(1, 4))
    return {
        "roots": tuple(matrix(generator, d, d) for _ in range(n + 1)),
        "ridges": tuple(part(generator) for _ in range(n + 1)),
        "centres": tuple(vector(generator, d) for _ in range(n + 1)),
        "theta": vector(generator, d),
    }


def of_record(world: World) -> tuple[Any, ...]:
    """D_0, D_z, |u|^2, L, D_f, L_rel, s, |theta - theta_*|^2, |grad f|^2, mu."""
    f = exchange(world)
    first, away, moved = f.pair[0][0], f.away, f.moved(0)
    stepped = minus(away, times(1 / f.smooth, moved))
    record = (form(away, first, away) / 2, form(stepped, first, stepped) / 2, squared(moved), f.smooth)
    inner = form(away, f.mean, away)
    return *record, inner / 2, f.relative, inner, squared(away), f.slope2, f.strong


def of_general(world: World) -> tuple[Any, ...]:
    """|u|^2, |v|^2, |w|^2, u.v, u.w, v.w, |grad f|^2, L, L_rel, mu, n."""
    f = exchange(world)
    u, v, w = f.moved(0), f.moved(1), f.apart()
    products = (squared(u), squared(v), squared(w), dot(u, v), dot(u, w), dot(v, w))
    return *products, f.slope2, f.smooth, f.relative, f.strong, len(world["roots"]) - 1


def of_compared(world: World) -> tuple[Any, ...]:
    """|X_0|^2, X_0^T A^-1 X_0, X_0^T A^-2 X_0, mu, L_A."""
    mean = _hessian(world["roots"][0], world["ridges"][0] + 1)
    x = world["theta"]
    y = apply(inverse(mean), x)
    return squared(x), dot(x, y), squared(y), smallest_eigenvalue(mean)[0], largest_eigenvalue(mean)[1]


GENERAL = lens("means of quadratics", general, _quadratics, {"no relative part": {"factor": 0}})

RECORD = lens(
    "one record by the objective", partial(general, record=True), _quadratics, {"L rel 1": {"relative": False}}
)

COMPARED = lens("both bounds for least squares", compared, _quadratics, {"exchanged": {"reverse": True}})

RELATIVELY_SMOOTH = lens(
    "relative smoothness of a record", relatively_smooth, _quadratics, {"half": {"share": Fraction(1, 2)}}
)
