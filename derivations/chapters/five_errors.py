"""The five errors that weigh most, for the first page: both formulas, and how far apart they are at an everyday point.

Both sides of a refuted claim are enclosed at a point that meets all its hypotheses; the printed side is rounded in its
favour. Where a claim no longer fails at the point, the chapter is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.claims import Claim, Relation
from rgm_verify.claims.chapter import Block, Chapter, Erratum, Figure, Paragraph, Series
from rgm_verify.lenses.points.sampling import admissible
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.settled import enclosed

# Modules, as a claim in the namespace of this file would count as stated here.
from ..beyond.renyi import closed_bound
from ..geodp import perturbation
from ..rgm.section_4 import theorem_1
from ..rgm.section_5 import clipped_data, gradient_descent, propose_test_release

_ORDERS = [Fraction(11, 10) + Fraction(k, 30) for k in range(136)]
_HIGHEST = 7
_NEIGHBOURS = {
    "eta": "1/10", "gamma": "1", "R_rel": "0", "sigma^2": "1/1000", "a": "11", "b": "10", "c": "1", "d": "22",
}  # fmt: skip


@dataclass(frozen=True)
class Error:
    """One error of the first page.

    Attributes:
        shown: The refuted claim whose sentence, counterexample and corrected claim are shown.
        name: Name and place.
        printed: LaTeX of the part that is wrong.
        right: LaTeX of what holds instead.
        at: Values of the variables of `measured`, by name.
        says: What both sides are, with {true} and {printed} for the numbers, and {times} for their ratio.
        measured: The refuted claim whose two sides are computed, if it is not the shown one.
        root: Whether both sides are squares of what the sentence is about.
    """

    shown: Claim
    name: str
    printed: str
    right: str
    at: Mapping[str, str]
    says: str
    measured: Claim | None = None
    root: bool = False


def errors() -> Iterator[Error]:
    """The five errors, the current version of the paper before the superseded one."""
    yield Error(
        gradient_descent.theorem, "Theorem 2 (versions 1 and 2)",
        r"(1-\tau\mu)^t\|\theta_0-\theta_\star\|^2+\frac{\tau\sigma^2}{\mu}",
        r"(1-\tau\mu)^t\|\theta_0-\theta_\star\|^2+\frac{d\,\tau\sigma^2}{\mu}",
        {"gamma": "1/1000", "mu": "1", "tau": "1/10", "sigma^2": "1", "d": "100"},
        r"The squared distance settles at {true}; printed is {printed} ($d = 100$, $\mu = \sigma = 1$, $\tau = 1/10$, $\gamma = 1/1000$).",
        measured=gradient_descent.variance,
    )  # fmt: skip
    yield Error(
        propose_test_release.mechanism, "Proposition 2 (version 2)",
        r"\hat\Delta=\Delta_++\mathrm{Lap}(\varepsilon^{-1})",
        r"\hat\Gamma=\frac{n}{R_c^2}\lambda_{\min}(C^{-1/2}(\tilde A-\rho C)C^{-1/2})+\mathrm{Lap}(\varepsilon^{-1})",
        {"s": "30", "Y": "30", "epsilon": "1", "delta": "1/100000", "m": "100", "epsilon_R": "0", "delta_R": "0"},
        r"An answer has probability {true}; by that of a neighbour the guarantee allows {printed} ($\varepsilon = 1$, $\delta = 10^{-5}$, 201 records).",
    )  # fmt: skip
    yield Error(
        clipped_data.proposition, "Proposition 1 (version 2)",
        r"\eta^2=\frac{6R_c^4}{\rho^2n^2}", r"\eta^2=\frac{6R_c^4}{\rho^2n^2}\cdot\frac{(M+m)^2}{4Mm}",
        {
            "p_1": "10", "p_2": "-1", "q_1": "10", "q_2": "0", "s_1": "0", "s_2": "1", "c_1": "100", "c_2": "1",
            "rho": "1/4", "R_c": "4", "mu_reg": "0", "x_1": "40", "x_2": "0", "theta_1": "1", "theta_2": "20", "m": "100",
        },
        r"Gradients of neighbours differ {times} times as much as printed (400 records, $\eta = 0.39$, eigenvalues of $C$ from $m = 1$ to $M = 100$).",
        root=True,
    )  # fmt: skip
    yield Error(
        theorem_1.theorem_1_v1, "Theorem 1 (version 1, mended in version 2)",
        r"\epsilon=\frac{\alpha\eta^2}{2\gamma}\left[\frac{1}{1-\eta(\alpha-1)(2+\eta)}+\gamma d(2+\eta)^2\right]",
        r"\epsilon=\frac{\alpha\eta^2}{2\gamma\rho}\left[1+\frac{\gamma d(2+\eta)^2}{2(1+\eta)}\right],\quad \rho=1-\eta(\alpha-1)(2+\eta)",
        {**_NEIGHBOURS, "alpha": "11/2"},
        r"The divergence is {true}; printed is at most {printed} ($\eta = 1/10$, $\gamma = 1$, $d = 22$, order $\alpha = 5.5$).",
    )  # fmt: skip
    yield Error(
        perturbation.guarantee, "Guarantee of GeoDP (neighbour paper)",
        r"\tilde{\theta}_t^* = \tilde{\theta}_t + \frac{\sqrt{d+2}\beta\pi}{B}\mathbf{n}_\sigma",
        r"\tilde{\theta}_t^* = \tilde{\theta}_t + \sqrt{d+2}\beta\pi\,\mathbf{n}_\sigma",
        {"B": "8192", "a": "60", "beta": "1/10", "delta": "1/100000", "epsilon": "1", "sigma": "10"},
        r"An event has probability {true}; by that of a neighbour the guarantee allows {printed} ($\epsilon = 1$, $\delta = 10^{-5}$, $B = 8192$ and $\beta = 0.1$ of its Table 2).",
    )  # fmt: skip


def build(profile: str) -> list[Block]:
    """Return the errors and the picture; the profile changes nothing."""
    return [
        Paragraph(text="Both sides of each printed statement are enclosed at one point that meets all its hypotheses."),
        *(erratum(error) for error in errors()),
        picture(),
    ]


def erratum(error: Error) -> Erratum:
    """Return one error with the numbers that its two sides have."""
    left, right = _sides(error.measured or error.shown, error.at)
    ratio = left[0] / right[1]
    # The root from below: r with r * r at most the ratio.
    times = next(Fraction(k - 1, 10) for k in range(1, 10**6) if Fraction(k, 10) ** (2 if error.root else 1) > ratio)
    numbers = {
        "true": decimal(left[0], up=False, digits=3),
        "printed": _small(decimal(right[1], up=True, digits=3)),
        "times": decimal(times, up=False, digits=3),
    }
    apart = error.says
    # Not `format`: LaTeX has braces of its own.
    for name, value in numbers.items():
        apart = apart.replace(f"{{{name}}}", value)
    return Erratum(claim=error.shown.id, name=error.name, printed=error.printed, right=error.right, apart=apart)


def _small(text: str) -> str:
    """Return a decimal as a reader of formulas writes it."""
    digits, e, power = text.partition("e")
    return rf"${digits}\cdot10^{{{power}}}$" if e else text


def _sides(claim: Claim, at: Mapping[str, str]) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """Return enclosures of both sides of an upper bound that fails at a point."""
    symbols = {v.symbol.name: v.symbol for v in claim.variables}
    if sorted(symbols) != sorted(at):
        raise ValueError(
            f"{claim.id}: the point has values for {', '.join(sorted(at))}, and the claim has {', '.join(sorted(symbols))}"
        )
    point = {symbols[name]: Fraction(value) for name, value in at.items()}
    if not admissible(claim, point):
        raise ValueError(f"{claim.id}: the point does not meet the hypotheses")
    relation = claim.conclusion
    if not isinstance(relation, Relation) or relation.op != "<=":
        raise TypeError(f"{claim.id}: expected an upper bound")
    left, right = (_ends(enclose(side, point, digits=12)) for side in (relation.lhs, relation.rhs))
    if left[0] <= right[1]:
        raise ValueError(f"{claim.id}: it does not fail at the point")
    return left, right


def _ends(side: Enclosure) -> tuple[Fraction, Fraction]:
    """Return the two ends of an enclosure."""
    if side.lower is None or side.upper is None:
        raise ValueError("a side has no finite enclosure")
    return side.lower, side.upper


def picture() -> Figure:
    """The false Theorem 1 of version 1 against the exact divergence of two neighbours, and a bound that is proved."""
    printed, right = theorem_1.theorem_1_v1, closed_bound.closed_renyi
    curves = {
        "exact": _curve(printed, left=True),
        "proved bound": _curve(right, left=False),
        "printed in version 1": _curve(printed, left=False),
    }
    exact, promised = curves["exact"], curves["printed in version 1"]
    broken = [x for (x, low, _), (_, _, high) in zip(exact, promised, strict=True) if low > high]
    if not broken or broken[-1] != _ORDERS[-1]:
        raise ValueError("the picture shows no failure at the end of the range")
    return Figure(
        caption=rf"The guarantee of Theorem 1 of version 1 is below the exact Rényi divergence from the order {float(broken[0]):.1f} on: "
        r"two neighbouring outputs of norm 11 and 10 in dimension 22, at $\eta = 1/10$, $\gamma = 1$, $\sigma^2 = 1/1000$ (`rgm-v1:theorem-1`).",
        x=r"order $\alpha$",
        y=r"Rényi divergence",
        series=[Series(name=name, points=[_point(p) for p in points]) for name, points in curves.items()],
        lead=True,
    )


def _curve(claim: Claim, *, left: bool) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return one side of a claim over the orders, enclosed, at the neighbours of the picture."""
    symbols = {v.symbol.name: v.symbol for v in claim.variables}
    relation = claim.conclusion
    if not isinstance(relation, Relation):
        raise TypeError(f"{claim.id}: expected a relation")
    fixed = {symbols[name]: Fraction(value) for name, value in _NEIGHBOURS.items()}
    points = [{**fixed, symbols["alpha"]: order} for order in _ORDERS]
    if not all(admissible(claim, point) for point in points):
        raise ValueError(f"{claim.id}: a point of the picture does not meet the hypotheses")
    side = relation.lhs if left else relation.rhs
    return [(o, *_ends(enclose(side, p, digits=12))) for o, p in zip(_ORDERS, points, strict=True)]


def _point(point: tuple[Fraction, Fraction, Fraction]) -> list[str]:
    """Return a point of the picture in texts."""
    order, lower, upper = point
    return [decimal(order, up=False, digits=6), *enclosed(lower, upper, digits=6)]


chapter = Chapter(
    id="five-errors",
    title="Five errors",
    summary="What is wrong, what is right instead, and how far apart they are where one works.",
    build=build,
)
