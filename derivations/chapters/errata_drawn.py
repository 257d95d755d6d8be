"""The weightiest errors as pictures: both sides of a refuted statement along a line through a point where it fails.

Every point is admissible, and both sides are enclosed there. A picture that shows no failure is refused, so that the
chapter cannot outlive a correction of the claim.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.claims import Claim, Relation
from rgm_verify.claims.chapter import Block, Chapter, Figure, Heading, Paragraph, Series
from rgm_verify.claims.written.rendering import expression_latex
from rgm_verify.lenses.points.sampling import admissible
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.settled import enclosed, geometric

# Modules, as a claim in the namespace of this file would count as stated here.
from ..geodp import comparison, perturbation
from ..rgm.appendix_b import convex
from ..rgm.section_4 import theorem_1
from ..rgm.section_5 import gradient_descent
from ..slides import dp_sgd, gaussian_mechanism

_FEW, _MANY = 15, 41


@dataclass(frozen=True)
class Line:
    """A line of points through a refuted claim.

    Attributes:
        claim: The claim.
        along: The name of the variable that moves.
        over: Its values.
        at: The values of the others, by name.
        shows: What the picture shows.
        left: A name for the left side.
        right: A name for the right side.
        log_x: Whether the variable is on a logarithmic axis.
        log_y: Whether both sides are.
        axis: A name for the variable that moves.
    """

    claim: Claim
    along: str
    over: list[Fraction]
    at: Mapping[str, str]
    shows: str
    left: str
    right: str = "printed bound"
    log_x: bool = False
    log_y: bool = False
    axis: str = ""


def _even(first: str, last: str, count: int) -> list[Fraction]:
    low, high = Fraction(first), Fraction(last)
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def _integers(first: int, last: int, count: int) -> list[Fraction]:
    return [Fraction(n) for n in dict.fromkeys(geometric(first, last, count))]


def lines(count: int) -> Iterator[Line]:
    """The lines, in the order of the errata."""
    yield Line(
        theorem_1.theorem_1_v1, "alpha", _even("19/10", "571/250", count),
        {"eta": "1/3", "gamma": "2", "R_rel": "0", "sigma^2": "1/8", "a": "4", "b": "3", "c": "1", "d": "50"},
        r"In many dimensions the divergence grows faster with $\alpha$ than the printed second term, which has lost its denominator.",
        "divergence of two neighbours", axis=r"order $\alpha$",
    )  # fmt: skip
    yield Line(
        gradient_descent.theorem, "d", [Fraction(n) for n in range(1, 21)],
        {"gamma": "1/3", "mu": "3/2", "L": "3", "tau": "1/4", "lambda": "2", "r_0": "0", "sigma^2": "4"},
        "One step from the minimum: the noise of every coordinate adds to the distance, and the printed bound has no dimension.",
        "expected squared distance after one step", axis="dimension $d$",
    )  # fmt: skip
    yield Line(
        gradient_descent.theorem_line, "lambda", _even("2", "50", count),
        {"gamma": "50", "mu": "2", "L": "50", "tau": "1/500", "r_0": "1/4", "sigma^2": "3/2"},
        r"In dimension 1, along the curvature $\lambda$ between $\mu$ and $L$: the printed step size is too long for steep directions.",
        "expected squared distance after one step", axis=r"curvature $\lambda$",
    )  # fmt: skip
    yield Line(
        gaussian_mechanism.printed_theorem, "epsilon", _even("1/2", "20", count), {"delta": "1/4"},
        r"The noise of the theorem, at $\delta = 1/4$: for large $\epsilon$ it is too small for its $\delta$.",
        r"$\delta$ that the noise gives", r"$\delta$ that is promised", axis=r"$\epsilon$",
    )  # fmt: skip
    yield Line(
        dp_sgd.theorem, "n", _integers(100, 60_000, count), {"epsilon": "1/4", "delta": "1/50000"},
        "One step with a batch of one record: the more records there are, the smaller is the printed noise, until whoever sees the model knows whether a record was drawn.",
        "probability under the neighbour", r"$e^\epsilon$ times the other, and $\delta$", axis="records $n$", log_x=True, log_y=True,
    )  # fmt: skip
    yield Line(
        perturbation.guarantee, "beta", _even("1/40", "1", count),
        {"B": "10", "sigma": "3/2", "epsilon": "1", "delta": "1/3", "a": "3/2"},
        r"The smaller $\beta$ is, the less noise the direction gets; below about one half an observer tells two neighbouring data sets apart better than the guarantee allows.",
        "probability of an output on one data set", r"$e^\epsilon$ times that on the other, and $\delta$", axis=r"$\beta$",
    )  # fmt: skip
    yield Line(
        comparison.theorem_2, "B", [Fraction(n) for n in range(1, 21)], {"k_0": "4"},
        "What the printed density gives to four deviations around the mean, against what a normal law has there: they agree for one record only.",
        "mass of the printed density", "mass of a normal law", axis="batch size $B$",
    )  # fmt: skip
    yield Line(
        comparison.theorem_3, "beta", _even("1/40", "1", count),
        {"B": "4", "C": "1/2", "eta": "1/4", "sigma": "2", "rho": "1/2", "u_1": "1/2", "u_2": "1/4"},
        r"The expected distance after one step of GeoDP grows with $\beta$, since noise on the direction shortens the mean of the gradient; DP-SGD has no $\beta$.",
        "GeoDP", "DP-SGD", axis=r"$\beta$",
    )  # fmt: skip
    yield Line(
        convex.average_outcome, "z", _even("-3", "3", count),
        {"L": "3/2", "gamma": "3/2", "lambda": "1", "sigma^2": "1/2", "tau": "1/4", "theta_0": "0"},
        "The left side is random and has no bound; the right side is a number. The bound holds for the mean, in a corrected form.",
        "gap of the averaged iterate", axis="noise of the step $z$",
    )  # fmt: skip


def build(profile: str) -> list[Block]:
    """Return all blocks; the full profile has more points."""
    return [*blocks(_MANY if profile == "full" else _FEW)]


def blocks(count: int) -> Iterable[Block]:
    """A picture for each of the weightiest errata."""
    yield Paragraph(
        text="Each picture moves one quantity through a point where a printed statement fails. Both sides are enclosed at every marked point, and every point meets all hypotheses of the statement."
    )
    for line in lines(count):
        yield Heading(text=line.claim.title)
        yield figure(line)


def figure(line: Line) -> Figure:
    """The picture of one line."""
    symbols = {v.symbol.name: v.symbol for v in line.claim.variables}
    relation = line.claim.conclusion
    if not isinstance(relation, Relation):
        raise TypeError(f"{line.claim.id}: expected a relation")
    fixed = {symbols[name]: Fraction(value) for name, value in line.at.items()}
    points = [{**fixed, symbols[line.along]: x} for x in line.over]
    outside = [x for x, point in zip(line.over, points, strict=True) if not admissible(line.claim, point)]
    if outside:
        raise ValueError(f"{line.claim.id}: {line.along} = {outside[0]} does not meet the hypotheses")
    left, right = ([enclose(side, point, digits=12) for point in points] for side in (relation.lhs, relation.rhs))
    fails = [x for x, low, high in zip(line.over, left, right, strict=True) if _fails(relation.op, low, high)]
    if not fails:
        raise ValueError(f"{line.claim.id}: the line shows no point where the statement fails")
    names = {name: expression_latex(symbols[name], line.claim.symbols) for name in line.at}
    others = ", ".join(f"${names[name]} = {Fraction(value)}$" for name, value in line.at.items())
    first, last = line.over.index(fails[0]), line.over.index(fails[-1])
    whole = last - first + 1 == len(fails)
    span = f"from {_x(fails[0])} to {_x(fails[-1])}" if whole else f"at {', '.join(map(_x, fails))}"
    where = f"It fails {span}: {len(fails)} of {len(points)} points."
    return Figure(
        caption=f"{line.shows} {where} At {others} (`{line.claim.id}`).",
        x=line.axis,
        y="both sides",
        log_x=line.log_x,
        log_y=line.log_y,
        series=[
            Series(name=name, points=[[_x(x), *_ends(side)] for x, side in zip(line.over, sides, strict=True)])
            for name, sides in ((line.left, left), (line.right, right))
        ],
    )


def _fails(op: str, left: Enclosure, right: Enclosure) -> bool:
    """Return True where the relation is certainly wrong between two enclosed numbers."""
    if left.lower is None or left.upper is None or right.lower is None or right.upper is None:
        return False
    above, below = left.lower > right.upper, left.upper < right.lower
    return {"<=": above, "<": left.lower >= right.upper, ">=": below, "==": above or below}[op]


def _ends(side: Enclosure) -> list[str]:
    if side.lower is None or side.upper is None:
        raise ValueError("a side has no finite enclosure")
    return enclosed(side.lower, side.upper, digits=6)


def _x(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else decimal(value, up=False, digits=6)


chapter = Chapter(
    id="errata-drawn",
    title="The weightiest errors, drawn",
    summary="Both sides of ten printed statements that are wrong, along a line through a point where they fail.",
    build=build,
)
