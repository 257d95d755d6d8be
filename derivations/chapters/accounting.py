"""Exact accounting beside the printed bounds: the worked example, how loose each bound is, what no noise can reach.

Every curve is an enclosure: its points carry certified lower and upper ends, unless a note says otherwise.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from rgm_verify.accounting.calibration import trade_off
from rgm_verify.accounting.composition import Composition, epsilon_by_method
from rgm_verify.accounting.conversion import release_epsilon
from rgm_verify.accounting.exact import epsilon as exact_epsilon
from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.printed import PrintedBound, printed_bounds, theorem_1
from rgm_verify.accounting.release import Release
from rgm_verify.claims.chapter import Block, Chapter, Figure, Heading, Paragraph, Series, Table
from rgm_verify.gaussians.enclosures import epsilon as pair_epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import decimal, interval
from rgm_verify.numbers.settled import enclosed, geometric

from .floating_point import RECORD, read

DELTA = Fraction(1, 10**8)
EXAMPLE = Release("1/1000", "1/10000", 10)
"""Section 4.1: eta = 1e-3, gamma = 100 eta^2, d = 10."""
PRINTED_EPSILON = "0.86"


def build(profile: str) -> list[Block]:
    """Return all blocks; the full profile has more points and ten times as many releases."""
    full = profile == "full"
    return [
        *worked_example(),
        *looseness(points=40 if full else 12),
        *infeasible(points=40 if full else 16),
        *composition((1, 3, 10, 30, 100, 300, 1000, *((3000, 10_000) if full else ()))),
        *baseline(),
        *other_routes(),
    ]


def worked_example() -> Iterable[Block]:
    """The example of Section 4.1 by every route."""
    yield Heading(text="The worked example, by every bound")
    yield Paragraph(
        text=r"$\eta = 10^{-3}$, $\gamma = 100\,\eta^2$, $d = 10$, $\delta = 10^{-8}$: one release. The exact number is the "
        "largest hockey-stick divergence over all admissible pairs of outputs, solved for epsilon; nothing below it can "
        "be true, whatever the proof."
    )
    truth = exact_epsilon(EXAMPLE, DELTA, digits=12)
    rows = [
        [
            "as printed in Section 4.1",
            PRINTED_EPSILON,
            "a number in the text",
            _ratio(Fraction(PRINTED_EPSILON), truth),
        ],
        *(_printed_row(bound, truth) for bound in printed_bounds(EXAMPLE, delta=DELTA)),
        _renyi_row("mironov", r"exact Rényi curve $E(\alpha)$, Mironov's conversion", truth),
        _renyi_row("improved", r"exact Rényi curve $E(\alpha)$, improved conversion", truth),
        ["exact", interval(truth.lower, truth.upper, digits=10), "certified, both ends", "1"],
    ]
    yield Table(
        caption=r"Epsilon at $\delta = 10^{-8}$. Upper bounds are rounded up; the last column is the bound divided by the truth.",
        columns=["bound", "epsilon", "status", "times the truth"],
        rows=rows,
    )


def _printed_row(bound: PrintedBound, truth: Bounds) -> list[str]:
    name = f"{bound.name}, version {bound.version[1:]} ({bound.source})"
    if bound.value is None:
        return [name, "–", f"does not apply: {bound.reason}", "–"]
    status = bound.verdict if not bound.unsafe else f"{bound.verdict}, and below the truth here"
    return [name, decimal(bound.value, up=True), status, _ratio(Fraction(bound.value), truth)]


def _renyi_row(form: str, name: str, truth: Bounds) -> list[str]:
    found = release_epsilon(EXAMPLE, DELTA, form="improved" if form == "improved" else "mironov")
    status = f"proved curve, order {float(found.order):.4g}"
    return [name, decimal(found.epsilon, up=True), status, _ratio(Fraction(found.epsilon), truth)]


def _ratio(value: Fraction, truth: Bounds) -> str:
    return f"{float(value / Fraction(truth.upper)):.3f}"


def looseness(points: int) -> Iterable[Block]:
    """Distance of the printed bounds from the exact numbers, over the orders, over delta and over the dimension."""
    yield Heading(text="How loose the printed bounds are")
    cases = ((1, 10, 100), (1, 100, 1000), (10, 100, 100), (100, 1000, 10))
    over_orders = [_over_orders(*case, points) for case in cases]
    yield Figure(
        caption=r"Theorem 1 of version 2 divided by the exact Rényi curve $E(\alpha)$, over the range of orders. Where the term "
        f"in the dimension is small it is nearly exact; where that term counts it is loose, here up to {_top(over_orders)} times, "
        "and the more so the nearer the end of the range.",
        x="share of the range of orders, (alpha - 1) q",
        y="printed / exact",
        log_y=True,
        series=over_orders,
    )
    deltas = [Fraction(1, 10**k) for k in dict.fromkeys(geometric(1, 60, points))]
    over_delta = _routes([(float(delta), EXAMPLE, delta) for delta in deltas])
    yield Figure(
        caption=r"The worked example at other $\delta$: epsilon of each bound divided by the exact one. The printed formulas are "
        f"up to {_top(over_delta)} times the truth, where $\\delta$ is large.",
        x="delta",
        y="epsilon / exact epsilon",
        log_x=True,
        series=over_delta,
    )
    dimensions = list(dict.fromkeys(geometric(1, 10**6, points)))
    over_dimension = _routes([(float(d), Release(EXAMPLE.eta, EXAMPLE.gamma, d), DELTA) for d in dimensions])
    yield Figure(
        caption=r"The worked example in other dimensions, at $\delta = 10^{-8}$. The more coordinates carry the noise, the better "
        f"it shows the norm. Of the bounds by Rényi divergences the exact curve stays within {_top(over_dimension[-1:])} times the "
        f"truth, the printed ones within {_top(over_dimension[:-1])}.",
        x="dimension",
        y="epsilon / exact epsilon",
        log_x=True,
        series=over_dimension,
    )


def _top(series: Sequence[Series]) -> str:
    """The largest upper end of all points, rounded up."""
    return decimal(max(Fraction(float(point[2])) for each in series for point in each.points), up=True, digits=3)


def _over_orders(thousandths: int, dimension: int, factor: int, points: int) -> Series:
    eta = Fraction(thousandths, 1000)
    release = Release(eta, factor * eta**2, dimension)
    found = []
    for share in (Fraction(k, points) for k in range(1, points)):
        order = 1 + share / release.q
        value = theorem_1(release, order, version="v2").value
        truth = renyi_bounds(release, order)
        if value is not None:
            found.append(_quotient(float(share), value, truth))
    return Series(name=f"eta = {float(eta):g}, d = {dimension}, gamma = {factor} eta^2", points=found)


def _quotient(x: float, value: float, truth: Bounds) -> list[str]:
    """The enclosed ratio of an upper bound, which was rounded up once, to a truth."""
    below = Fraction(math.nextafter(value, 0))
    return [f"{x:.6g}", *enclosed(below / Fraction(truth.upper), Fraction(value) / Fraction(truth.lower))]


def _routes(cases: Sequence[tuple[float, Release, Fraction]]) -> list[Series]:
    """For each route its epsilon divided by the exact one; a route is left out where it does not apply."""
    found: dict[str, list[list[str]]] = {}
    for x, release, delta in cases:
        truth = exact_epsilon(release, delta)
        if truth.lower == 0:
            continue
        for bound in printed_bounds(release, delta=delta):
            if bound.value is not None:
                name = f"{bound.name}, version {bound.version[1:]}" + (
                    " (refuted)" if bound.verdict == "refuted" else ""
                )
                found.setdefault(name, []).append(_quotient(x, bound.value, truth))
        improved = release_epsilon(release, delta).epsilon
        found.setdefault("exact Rényi curve, improved conversion", []).append(_quotient(x, improved, truth))
    return [Series(name=name, points=points) for name, points in found.items()]


def infeasible(points: int) -> Iterable[Block]:
    """The floor under every choice of gamma."""
    yield Heading(text="What no noise ratio can reach")
    yield Paragraph(
        text=r"Noise whose size follows the norm shows the norm. As $\gamma$ grows the distance of the means is hidden, but the "
        r"ratio $(1+\eta)^2$ of the variances stays. So every $(\epsilon, \delta)$ below a curve that depends on $\eta$ and "
        r"$d$ alone is out of reach, for every $\gamma$, $\sigma$ and $R_{rel}$; the printed bounds do not say so."
    )
    etas = [Fraction(m, 10**6) for m in dict.fromkeys(geometric(100, 500_000, points))]
    yield Figure(
        caption=r"The least epsilon at $\delta = 10^{-8}$ that one release can have, however large $\gamma$ is. Everything below "
        "a curve is infeasible.",
        x="eta",
        y="least epsilon",
        log_x=True,
        log_y=True,
        series=[_least_epsilon(d, etas) for d in (1, 10, 100, 1000, 10_000)],
    )


def _least_epsilon(dimension: int, etas: Sequence[Fraction]) -> Series:
    found = []
    for eta in etas:
        ends = pair_epsilon(GaussianPair(0, eta * (2 + eta), dimension), DELTA, digits=8)
        if ends.lower is not None and ends.upper is not None and ends.lower > 0:
            found.append([f"{float(eta):.6g}", *enclosed(ends.lower, ends.upper, digits=7)])
    return Series(name=f"d = {dimension}", points=found)


def composition(steps: Sequence[int]) -> Iterable[Block]:
    """Epsilon of many releases by every method."""
    yield Heading(text="Many releases")
    yield Paragraph(
        text="For several releases the truth lies in an interval: an adversary that plays the same worst pair each time gives "
        "the lower end in closed form, value iteration over every adaptive adversary the upper one."
    )
    found = {count: epsilon_by_method(EXAMPLE, DELTA, steps=count) for count in steps}
    rows = [
        [
            str(count),
            interval(each.bounds.lower, each.bounds.upper, digits=6),
            _width(each),
            _number(each.by_method.get("rdp")),
            _number(_printed_for(count)),
        ]
        for count, each in found.items()
    ]
    yield Table(
        caption=r"The worked example, repeated: epsilon at $\delta = 10^{-8}$.",
        columns=[
            "releases",
            "epsilon",
            "relative width",
            "exact Rényi curve, improved",
            "Theorem 1 of version 2, converted",
        ],
        rows=rows,
    )
    yield Figure(
        caption="The same, divided by the lower end.",
        x="releases",
        y="epsilon / lower end",
        log_x=True,
        series=[
            _growth("value iteration (exact for one release)", found, lambda c, each: each.bounds.upper),
            _growth("exact Rényi curve, improved conversion", found, lambda c, each: each.by_method.get("rdp")),
            _growth("Theorem 1 of version 2, converted", found, lambda c, each: _printed_for(c)),
        ],
    )


def _width(found: Composition) -> str:
    """The relative width, rounded up; of the exact curve what `epsilon_by_method` promises, since less is chance."""
    if "exact" in found.by_method:
        return "below 1e-9"
    return decimal(found.bounds.relative_width, up=True, digits=2)


def _number(value: float | None) -> str:
    return "–" if value is None else decimal(value, up=True)


def _printed_for(count: int) -> float | None:
    bounds = printed_bounds(EXAMPLE, delta=DELTA, steps=count)
    return next((b.value for b in bounds if b.claim_id == "rgm-v2:a5-converted-bound"), None)


def _growth(name: str, found: Mapping[int, Composition], value: Callable[[int, Composition], float | None]) -> Series:
    points = []
    for count, each in found.items():
        upper = value(count, each)
        if upper is not None and each.bounds.lower > 0:
            ratio = decimal(Fraction(upper) / Fraction(each.bounds.lower), up=True, digits=7)
            points.append([str(count), ratio, ratio])
    return Series(name=name, points=points)


def baseline() -> Iterable[Block]:
    """Trade of baseline noise for relative noise when there is an absolute term."""
    yield Heading(text="Baseline noise: less of it for a little more relative noise")
    yield Paragraph(
        text=r"With an absolute term $R_{rel}$ the theorem asks for $\sigma^2 \ge \gamma R_{rel}^2/\eta^2$ (at order one). A slightly larger "
        r"$\gamma$ lets $\sigma^2$ fall well below that. Each row is certified by the supremum over all admissible pairs."
    )
    trades = trade_off(1, DELTA, eta="1/100", dimension=22, r_rel=1, factors=("1.02", "1.1", "1.5", "2"))
    yield Table(
        caption=r"$(1, 10^{-8})$-privacy of one release, $\eta = 1/100$, $d = 22$, $R_{rel} = 1$.",
        columns=["gamma", "least sigma^2", "of the threshold", "delta, certified"],
        rows=[
            [
                decimal(trade.release.gamma, up=True),
                decimal(trade.release.sigma2, up=True),
                f"{float(trade.release.sigma2 / trade.covering_sigma2):.3f}",
                interval(trade.achieved.lower, trade.achieved.upper),
            ]
            for trade in trades
        ],
    )


def other_routes() -> Iterable[Block]:
    """Errors of the obvious floating-point route, counted, beside those of the route of this library."""
    yield Heading(text="Floating point")
    found = read()
    yield Paragraph(
        text=f"{found.cases} pairs, drawn at random over $1 \\le d \\le 10^6$, both orders and $10^{{-200}} \\le \\delta < 1$, each "
        "evaluated with certified digits, by the vectorised float function and as a difference of two tails of SciPy's "
        f"noncentral chi-square. What floating point gives depends on the processor and on the versions, so this is a record: SciPy {found.scipy}, NumPy {found.numpy}."
    )
    yield Table(
        caption=r"Errors are those of $\log \delta$.",
        columns=["computed by", "not a number", "zero or negative", "error above 1e-6", "largest error of the rest"],
        rows=[
            [name, str(each.nan), str(each.nonpositive), str(each.wrong), f"below {each.rest}"]
            for name, each in (("log_hockey_stick", found.ours), ("scipy.stats.ncx2, difference of tails", found.tails))
        ],
    )


chapter = Chapter(
    id="accounting",
    title="Exact accounting",
    summary="What one release and many releases really cost, computed and certified, beside every printed bound; and what no "
    "choice of noise can reach.",
    build=build,
    reads=(RECORD,),
)
